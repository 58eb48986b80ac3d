"""Count what the C kernels execute: ``python -m bench.instructions [--check | --record]``.

Without an option the counts are printed beside the recorded ones. ``--check`` also fails, with
exit code 1, where a kernel takes over 3 % more than recorded or is not recorded; ``--record``
writes the counts of all kernels. ``--only PATTERN`` counts some. Exit code 77: nothing can be
counted or compared here (no valgrind, no compiler, another one than recorded); it says why.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench import instructions
from bench.harness import report
from bench.instructions import RECORDED, Counts, UnavailableError, Verdict

SKIPPED = 77


def main(arguments: list[str] | None = None) -> int:
    """Count, print, and compare or record."""
    options = _options(arguments)
    try:
        return _run(options)
    except UnavailableError as error:
        print(f"instructions not compared: {error}", file=sys.stderr)
        return SKIPPED


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.instructions")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--check", action="store_true", help="fail where a count has grown")
    action.add_argument("--record", action="store_true", help=f"write {RECORDED.name}")
    parser.add_argument("--only", type=re.compile, default=re.compile(""), metavar="PATTERN")
    options = parser.parse_args(arguments)
    if options.record and options.only.pattern:
        parser.error("--record writes all kernels: not with --only")
    return options


def _run(options: argparse.Namespace) -> int:
    compiler, valgrind = instructions.tools()
    here = instructions.place(compiler)
    recorded = read_recorded()
    if options.check:
        instructions.check_place(recorded, here)
    found = _counts(compiler, valgrind, options.only)
    if options.record:
        RECORDED.write_text(json.dumps({**here, "counts": found}, indent=2) + "\n")
        print(f"{len(found)} kernels recorded")
        return 0
    wanted = {
        name: value for name, value in recorded["counts"].items() if options.only.search(name)
    }
    verdicts = instructions.verdicts(wanted, found)
    for key, value in here.items():
        print(f"- {key}: {value}" + _beside(recorded.get(key), value))
    print("\n" + table(verdicts))
    return int(options.check and any(verdict.failed for verdict in verdicts))


def read_recorded() -> dict[str, Any]:
    """Return what is recorded; nothing is where nothing has been."""
    if not RECORDED.exists():
        return {"counts": {}}
    found: dict[str, Any] = json.loads(RECORDED.read_text())
    return found


def _counts(compiler: str, valgrind: str, only: re.Pattern[str]) -> Counts:
    with tempfile.TemporaryDirectory() as folder:
        program = instructions.build(compiler, Path(folder))
        wanted = list(filter(only.search, instructions.names(program)))
        found: Counts = {}
        for name, number in instructions.counts(valgrind, program, wanted):
            report.say(f"{name}: {number:,}")
            found[name] = number
    if not found:
        raise SystemExit(f"no kernel holds {only.pattern!r}")
    return found


def _beside(recorded: str | None, here: str) -> str:
    return "" if recorded in (None, here) else f" (recorded with {recorded})"


def table(verdicts: Iterable[Verdict]) -> str:
    """Return the verdicts as a Markdown table."""
    return report.markdown(
        ("kernel", "", "recorded", "now", "change"), (_row(verdict) for verdict in verdicts)
    )


def _row(verdict: Verdict) -> list[str]:
    counts = ["" if x is None else f"{x:,}" for x in (verdict.recorded, verdict.found)]
    change = "" if verdict.change is None else f"{verdict.change:+.2%}"
    return [verdict.name, verdict.text, *counts, change]


if __name__ == "__main__":
    sys.exit(main())
