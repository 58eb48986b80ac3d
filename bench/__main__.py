"""All benchmarks in one report: ``python -m bench [--quick]``.

Options: ``--only STAGE,...``, ``--repetitions R``, ``--json FILE``, ``--results FILE`` (what is
printed, as a page), ``--list``. Peers that are not installed are named and left out; the exit
code is 1 if two sides find different values, else 0.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from bench import contests, measuring
from bench.stages import CPU, STAGES, Found, Line, Stage, run

COLUMNS = ("", "peer", "ours, ms", "peer, ms", "ratio", "min", "max")
NOISE_TURNS = 15


def main(arguments: list[str] | None = None) -> int:
    """Measure, print the report, write the files that were asked for."""
    options = _options(arguments)
    if options.list:
        print("\n".join(f"{stage.name:20} {stage.title}" for stage in STAGES))
        return 0
    packages = {name for stage in options.only for name in stage.packages}
    head = measuring.header(measuring.installed(sorted(packages)))
    before = noise()
    found = [run(stage, options.quick, options.repetitions) for stage in options.only]
    head["noise"] = (
        f"a fixed loop cost {before} before, {noise()} after (median [min..max], ms)"
    )
    head["noise"] += f"; load average {os.getloadavg()[0]:.2f} at the end"
    head["command"] = f"`{_command(options)}`"
    page = report(head, found, options.quick)
    print(page)
    if options.results:
        options.results.write_text(page + "\n")
    contests.write(options.json, as_json(head, found, options.quick))
    return int(any(each.failed for each in found))


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench")
    parser.add_argument("--quick", action="store_true", help="smaller inputs: not to quote")
    parser.add_argument(
        "--only",
        type=picked,
        default=there(),
        metavar="STAGE,...",
        help=f"of {', '.join(stage.name for stage in STAGES)}",
    )
    parser.add_argument(
        "--repetitions",
        type=measuring.positive,
        default=5,
        metavar="R",
        help="pairs of batches a line (default 5; slow peers get fewer)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--results", type=Path, metavar="FILE", help="the report as a page")
    parser.add_argument("--list", action="store_true", help="print the stages and leave")
    return parser.parse_args(arguments)


def picked(text: str) -> list[Stage]:
    """Read the stages that were asked for; they keep the order of ``STAGES``."""
    names = [name.strip().replace("-", "_").replace(" ", "_") for name in text.split(",")]
    known = {stage.name: stage for stage in STAGES}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is not one of: {', '.join(known)}")
    return [stage for stage in STAGES if stage.name in names]


def _command(options: argparse.Namespace) -> str:
    """Return the command as anyone may give it again; where its files lie is left out."""
    words = ["python", "-m", "bench", *(["--quick"] if options.quick else [])]
    if options.only != there():
        words += ["--only", ",".join(stage.name for stage in options.only)]
    words += ["--repetitions", str(options.repetitions)]
    return shlex.join(words)


def there() -> list[Stage]:
    """Return the stages whose modules this checkout has."""
    return [stage for stage in STAGES if find_spec(stage.module)]


def noise() -> str:
    """Return how much the CPU time of a fixed loop differs from turn to turn."""
    costs = [measuring.loop_seconds() * 1e3 for _ in range(NOISE_TURNS)]
    return measuring.spread(costs)


# ---- the report --------------------------------------------------------------------


def report(head: dict[str, str], found: Sequence[Found], quick: bool) -> str:
    """Return the whole report in Markdown."""
    lines = ["# Measured speed", "", *(f"- {key}: {text}" for key, text in head.items())]
    lines.append(
        "- one thread; CPU of a call, medians; ratio: CPU of the peer / ours, paired and in "
        "turns in one process, so below 1 ours costs more; where it is not of CPU, the last "
        "column says of what"
    )
    lines.append(
        "- where both sides compute the same, values are compared before anything is timed"
    )
    if quick:
        lines.append(
            "- QUICK RUN: most inputs have a tenth of the size that is named, so what is asked "
            "for is not shown; not comparable with full runs"
        )
    else:
        lines.append("- asked: the least ratio that the project aims at")
    sections = [_section(each, quick) for each in found]
    if not quick:
        sections.append(_total([line for each in found for line in each.lines]))
    return "\n".join([*lines, *sections])


def _total(lines: Sequence[Line]) -> str:
    """Return how many of the ratios that are asked for are met."""
    asked = [line for line in lines if line.asked is not None]
    missed = [f"- {line.problem} / {line.peer}" for line in asked if line.missed]
    unknown = sum(not line.ratios for line in asked)
    text = f"{len(asked) - len(missed) - unknown} of {len(asked)} asked are met"
    text += f", {len(missed)} missed, {unknown} not measured."
    return "\n".join(["\n## What is asked\n", text, *(["", *missed] if missed else [])])


def _section(found: Found, quick: bool) -> str:
    parts = [f"\n## {found.stage.title}"]
    if found.remark:
        parts.append(found.remark + ".")
    if found.lines:
        columns = (*COLUMNS, *([] if quick else ["asked"]), "")
        rows = (_cells(line, quick) for line in found.lines)
        parts.append(measuring.markdown(columns, rows))
    return "\n\n".join(parts)


def _cells(line: Line, quick: bool) -> list[str]:
    costs = ["", ""]
    if line.milliseconds:
        costs = [contests.significant(value) for value in line.milliseconds]
    ratios = ["", "", ""]
    if line.ratios:
        found = (median(line.ratios), min(line.ratios), max(line.ratios))
        ratios = [contests.significant(value) for value in found]
    asked = "" if line.asked is None else contests.significant(line.asked)
    notes = [
        "**missed**" if line.missed and not quick else "",
        f"ratio of {line.quantity}" if line.quantity != CPU else "",
        line.note,
    ]
    note = "; ".join(filter(None, notes))
    return [line.problem, line.peer, *costs, *ratios, *([] if quick else [asked]), note]


def as_json(head: dict[str, str], found: Sequence[Found], quick: bool) -> dict[str, object]:
    """Return the report as it is written to a file."""
    return {**head, "quick": quick, "stages": [asdict(each) for each in found]}


if __name__ == "__main__":
    sys.exit(main())
