"""Change one token of the package at a time and see whether the tests of its folder fail.

    python tests/mutation                      60 mutants
    python tests/mutation --draw 500 --seed 1
    python tests/mutation --draw 500 --seed 1 --into FILE   goes on where it was left

Mutants are drawn by a seed: most of them from each folder alike, the rest by its size. Every
one is tried against the tests of its folder that run its line, the quickest first, with
compiled kernels where there are any; where these pass, against those of the other folders. The
exit status is 1 where one survives that no file in ``survivors/`` names with the reason why it
changes no value.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import runs
from mutants import Mutant, changes_of, draw

ROOT = Path(__file__).parents[2]
#: Where mutants are drawn, and the tests of that folder.
TESTS = {
    "measures": ("tests/measures", "tests/covers", "tests/hierarchies"),
    "labels": ("tests/labels", "tests/hierarchies"),
    "table": ("tests/table",),
    "scoring": ("tests/scoring", "tests/hierarchies", "tests/covers", "tests/report"),
    "coreference/scores": ("tests/coreference",),
}
#: This share of the mutants is drawn from every folder alike, the rest by its size.
EVEN = 0.8
#: Seconds for tests that take no time, and how much longer than usual tests may take.
PATIENCE, SLOWER = 20.0, 6.0
#: Seconds that the tests of a folder take for one mutant, at most.
MOST = 30.0


def shares(package: Path, total: int) -> dict[str, int]:
    """Return how many mutants are drawn from each folder."""
    sizes = {
        folder: sum(len(changes_of(path)) for path in (package / folder).rglob("*.py"))
        for folder in TESTS
    }
    even = int(total * EVEN) // len(TESTS)
    rest = total - even * len(TESTS)
    counts = {
        folder: even + rest * size // sum(sizes.values()) for folder, size in sizes.items()
    }
    largest = max(sizes, key=lambda folder: sizes[folder])
    counts[largest] += total - sum(counts.values())
    return counts


class Trial:
    """A copy of the package, and what each test of a folder runs."""

    def __init__(self, work: Path, kept: Path) -> None:
        spec = importlib.util.find_spec("partwise")
        assert spec is not None
        assert spec.origin is not None
        self.work, self.kept = work, kept
        self.recorded: dict[str, dict[str, Any]] = {}
        self.package = work / "copy" / "partwise"
        shutil.copytree(Path(spec.origin).parent, self.package)

    def record(self, folder: str) -> dict[str, Any]:
        """Return the lines that each test of a folder runs; made once."""
        path = self.kept / f"{folder.replace('/', '_')}.json"
        if not path.exists():
            outcome = runs.forked(
                lambda: runs.record(TESTS[folder], self.package, path),
                self.package.parent,
                self.work / "log",
                3600,
            )
            if outcome != runs.PASSED:
                text = (self.work / "log").read_text(errors="replace")[-2000:]
                raise SystemExit(f"the tests of {folder} fail as they are:\n{text}")
        if folder not in self.recorded:
            self.recorded[folder] = json.loads(path.read_text())
        return self.recorded[folder]

    def outcome(self, mutant: Mutant, folders: Sequence[str]) -> dict[str, Any]:
        """Try a mutant against the tests of folders, until those of one fail."""
        began, number, said, caught = time.monotonic(), 0, runs.PASSED, ""
        path = self.package / mutant.path
        source, stat = path.read_text(encoding="utf-8"), path.stat()
        try:
            path.write_text(mutant.applied(source), encoding="utf-8")
            os.utime(path, (stat.st_atime, stat.st_mtime + 5000 + mutant.begin))
            for caught in folders:
                seconds = self.tests_of(mutant, self.record(caught))
                number += len(seconds)
                said = self._run(seconds)
                if said != runs.PASSED:
                    break
        finally:
            path.write_text(source, encoding="utf-8")
            os.utime(path, (stat.st_atime, stat.st_mtime))
        return {
            **mutant.to_dict(),
            "outcome": said,
            "by": caught if said != runs.PASSED else "",
            "tests": number,
            "seconds": round(time.monotonic() - began, 1),
        }

    def tests_of(self, mutant: Mutant, recorded: dict[str, Any]) -> dict[str, float]:
        """Return the tests that run the line of a mutant, and how long each takes."""
        lines = recorded["lines"].get(mutant.path, {})
        # a statement over several lines is recorded by its first ones
        at = next(
            (x for x in range(mutant.line, mutant.line - 12, -1) if str(x) in lines), None
        )
        numbers = [] if at is None else lines[str(at)]
        names = list(recorded["seconds"])
        # a line that runs on import: all tests
        chosen = names if numbers is None else [names[i] for i in numbers]
        seconds: dict[str, float] = recorded["seconds"]
        kept, spent = {}, 0.0
        for name in sorted(chosen, key=lambda one: seconds[one]):
            spent += seconds[name]
            if spent > MOST:
                break
            kept[name] = seconds[name]
        return kept

    def _run(self, seconds: dict[str, float]) -> str:
        if not seconds:
            return runs.PASSED
        files = sorted({name.partition("::")[0] for name in seconds})
        return runs.forked(
            lambda: runs.run_tests(files, runs.Chosen(seconds)),
            self.package.parent,
            self.work / "log",
            PATIENCE + SLOWER * sum(seconds.values()),
        )


def explained() -> dict[tuple[str, str, str], str]:
    """Return why each known survivor changes no value, by file, old and new line."""
    return {
        (entry["file"], entry["before"], entry["after"]): entry["why"]
        for path in sorted((Path(__file__).parent / "survivors").glob("*.toml"))
        for entry in tomllib.loads(path.read_text()).get("survivor", [])
    }


def by_turns(drawn: dict[str, list[Mutant]]) -> Iterator[tuple[str, Mutant]]:
    """Yield a mutant of each folder in turn."""
    for turn in zip_longest(*([(f, m) for m in drawn[f]] for f in drawn)):
        yield from (one for one in turn if one is not None)


def main() -> int:
    """Draw, try, report."""
    parser = argparse.ArgumentParser(prog="python tests/mutation", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--draw", type=int, default=60, help="number of mutants (60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--into", type=Path, help="JSON lines of outcomes, read and continued")
    parser.add_argument("--seconds", type=float, help="stop after so many seconds, exit 3")
    parser.add_argument("--again", action="store_true", help="try survivors of --into anew")
    args = parser.parse_args()
    began = time.monotonic()
    runs.prepare()
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        into = args.into or work / "outcomes"
        kept = into.with_name(f"{into.name}.lines")
        kept.mkdir(exist_ok=True)
        trial = Trial(work, kept)
        drawn = draw(trial.package, shares(trial.package, args.draw), args.seed)
        outcomes = (
            [json.loads(x) for x in into.read_text().splitlines()] if into.exists() else []
        )
        if args.again:
            outcomes = [x for x in outcomes if x["outcome"] == runs.FAILED]
            into.write_text("".join(json.dumps(x) + "\n" for x in outcomes))
        done = {(x["path"], x["begin"], x["end"], x["text"]) for x in outcomes}
        for folder in TESTS:
            trial.record(folder)
        for folder, mutant in by_turns(drawn):
            if (mutant.path, mutant.begin, mutant.end, mutant.text) in done:
                continue
            if args.seconds and time.monotonic() - began > args.seconds:
                return 3
            folders = [folder, *(other for other in TESTS if other != folder)]
            outcomes.append({"folder": folder, **trial.outcome(mutant, folders)})
            with into.open("a") as file:
                file.write(json.dumps(outcomes[-1]) + "\n")
    return report(outcomes)


def report(outcomes: list[dict[str, Any]]) -> int:
    """Print the outcomes by folder and the survivors; 1 where one has no explanation."""
    for folder in TESTS:
        own = [x for x in outcomes if x["folder"] == folder]
        counts = Counter(x["outcome"] for x in own)
        elsewhere = sum(x["by"] not in ("", folder) for x in own)
        text = ", ".join(f"{number} {name}" for name, number in counts.items())
        print(f"{folder}: {len(own)} mutants: {text}; {elsewhere} by tests of another folder")
    reasons, open_ = explained(), 0
    for one in (x for x in outcomes if x["outcome"] == runs.PASSED):
        why = reasons.get((one["path"], one["before"], one["after"]))
        open_ += why is None
        print(f"{one['path']}:{one['line']} ({one['tests']} tests)")
        print(f"  - {one['before']}\n  + {one['after']}\n  {why or 'NOT EXPLAINED'}")
    print(f"{open_} survivors are not explained")
    return int(open_ > 0)


if __name__ == "__main__":
    sys.exit(main())
