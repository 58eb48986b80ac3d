"""From contests to a report: run them, print a table for each stage, count what was missed.

A subject is a module of ``bench`` with ``STAGES``; a stage is a section of the report and
yields contests. A contest is prepared only when its turn comes: a package that is missing
costs its own lines and nothing else. Values are compared before anything is timed.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy as np

from bench.harness import machine, measuring
from bench.harness.measuring import Call
from bench.harness.peers import AbsentError

CPU = "CPU"
QUICK = 10  # inputs of a quick run are so many times smaller
COLUMNS = ("", "peer", "ours, ms", "peer, ms", "ratio", "min", "max", "asked", "")


# ---- what a subject offers -----------------------------------------------------------


@dataclass(frozen=True)
class Sides:
    """Two calls that are timed in turn, and how their values are compared.

    Attributes
    ----------
    ours, peer : callable
        The calls.
    value, peer_value : callable or None
        From what the calls return to what must be equal; None: they compute different things.
    relative, absolute : float
        How far values may be apart.
    times : float
        How many calls of the peer stand against one of ours.
    cost : callable
        What is measured of a batch of calls.
    close : callable
        What is done at the end: files that were made are deleted.
    """

    ours: Call
    peer: Call
    value: Callable[[Any], Any] | None = None
    peer_value: Callable[[Any], Any] | None = None
    relative: float = 1e-9
    absolute: float = 1e-12
    times: float = 1
    cost: measuring.Cost = measuring.user_seconds
    close: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class Counted:
    """A ratio that needs no clock, peer over ours, and a remark."""

    ratio: float
    note: str = ""


@dataclass(frozen=True)
class Contest:
    """A line of the report before it is measured.

    Attributes
    ----------
    problem, peer : str
        What is computed on what, and whose cost is divided by ours.
    prepare : callable
        Makes the input and returns the calls, or a ratio that was counted.
    asked : float or None
        The least ratio that the project aims at, on full sizes.
    quantity : str
        What the ratio is of.
    note : str
        What the reader must know beside.
    """

    problem: str
    peer: str
    prepare: Callable[[], Sides | Counted]
    asked: float | None = None
    quantity: str = CPU
    note: str = ""


@dataclass(frozen=True)
class Stage:
    """A section of the report; ``contests`` takes what sizes are divided by."""

    name: str
    title: str
    contests: Callable[[int], Iterable[Contest]]
    packages: tuple[str, ...] = ()


def same(value: Any) -> Any:
    """Return a value as it is: ``Sides.value`` of calls that return what is compared."""
    return value


# ---- running -------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """A contest and what came of it; no ratios: not measured, and the note says why."""

    contest: Contest
    ratios: tuple[float, ...] = ()
    milliseconds: tuple[float, float] | None = None
    notes: tuple[str, ...] = field(default=())
    failed: bool = False

    @property
    def missed(self) -> bool:
        """Whether the ratio was measured and is below what is asked for."""
        asked = self.contest.asked
        return bool(self.ratios) and asked is not None and median(self.ratios) < asked


def run(contest: Contest, repetitions: int) -> Line:
    """Prepare a contest, compare the values, measure."""
    try:
        sides = contest.prepare()
        if isinstance(sides, Counted):
            return Line(contest, (sides.ratio,), None, (sides.note,))
        try:
            _compare(contest, sides)
            pair = measuring.paired(sides.ours, sides.peer, repetitions, sides.cost)
        finally:
            sides.close()
    except AbsentError as error:
        return Line(contest, notes=(f"not measured: {error.package} is not installed",))
    except SystemExit as error:
        return Line(contest, notes=(f"FAILED: {error}",), failed=True)
    ours, peer = pair.milliseconds
    ratios = tuple(ratio * sides.times for ratio in pair.ratios)
    return Line(contest, ratios, (ours, peer * sides.times))


def _compare(contest: Contest, sides: Sides) -> None:
    """Call both sides once; leave if their values differ."""
    ours, peer = sides.ours(), sides.peer()
    if sides.value is None:
        return
    mine, theirs = sides.value(ours), (sides.peer_value or sides.value)(peer)
    if np.shape(mine) != np.shape(theirs) or not np.allclose(
        mine, theirs, rtol=sides.relative, atol=sides.absolute
    ):
        raise SystemExit(f"partwise finds {mine!r}, {contest.peer} {theirs!r}")


# ---- the report ----------------------------------------------------------------------


def main(stages: Sequence[Stage], program: str, arguments: Sequence[str] | None = None) -> int:
    """Measure, print the report; the exit code is 1 if two sides find different values."""
    options = _options(program, arguments)
    if options.list:
        print("\n".join(f"{stage.name:20} {stage.title}" for stage in stages))
        return 0
    chosen = list(_chosen(stages, QUICK if options.quick else 1, options.only))
    if not chosen:
        raise SystemExit(f"no stage, problem or peer holds {options.only.pattern!r}")
    words = sys.argv[1:] if arguments is None else arguments
    command = f"`{shlex.join(['python', '-m', program, *words])}`"
    noise = machine.noise()
    head = machine.head(name for stage, _ in chosen for name in stage.packages)
    print("# Measured speed\n")
    print("\n".join(f"- {key}: {text}" for key, text in {**head, "command": command}.items()))
    print(f"- {_RATIOS}\n- {_QUICK if options.quick else _ASKED}")
    lines: list[tuple[Stage, Line]] = []
    for stage, contests in chosen:
        section = [_told(stage, contest, options.repetitions) for contest in contests]
        print(f"\n## {stage.title}\n\n{table(section, options.quick)}", flush=True)
        lines += [(stage, line) for line in section]
    print(
        f"\n## Noise\n\nA fixed loop cost {noise} ms before, {machine.noise()} after; ", end=""
    )
    print(f"load average {os.getloadavg()[0]:.2f} at the end.")
    if not options.quick:
        print(f"\n## What is asked\n\n{total(lines)}")
    return int(any(line.failed for _, line in lines))


_RATIOS = (
    "one thread; CPU is user CPU of a call, medians; ratio: the peer's over ours, in turns in "
    "one process, so below 1 ours costs more; where it is not of CPU, the last column says of "
    "what; where both sides compute the same, values were compared before anything was timed"
)
_ASKED = "asked: the least ratio that the project aims at"
_QUICK = (
    f"QUICK RUN: most inputs have 1/{QUICK} of the size that is named, so nothing is asked and "
    "nothing is comparable with a full run"
)


def _options(program: str, arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=f"python -m {program}")
    parser.add_argument("--quick", action="store_true", help="smaller inputs: not to quote")
    parser.add_argument(
        "--only",
        type=_pattern,
        default=_pattern(""),
        metavar="PATTERN",
        help="contests whose stage, problem or peer holds this regular expression",
    )
    parser.add_argument(
        "--repetitions",
        type=positive,
        default=5,
        metavar="R",
        help="pairs of batches a line (default 5; slow peers get fewer)",
    )
    parser.add_argument("--list", action="store_true", help="print the stages and leave")
    return parser.parse_args(arguments)


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text, re.IGNORECASE)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no pattern: {error}") from None


def positive(text: str) -> int:
    """Read a whole number above 0 from the command line."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)


def _chosen(
    stages: Iterable[Stage], divisor: int, pattern: re.Pattern[str]
) -> Iterator[tuple[Stage, list[Contest]]]:
    for stage in stages:
        contests = [
            contest
            for contest in stage.contests(divisor)
            if pattern.search(f"{stage.name}: {contest.problem} / {contest.peer}")
        ]
        if contests:
            yield stage, contests


def _told(stage: Stage, contest: Contest, repetitions: int) -> Line:
    say(f"{stage.name}: {contest.problem} / {contest.peer}")
    return run(contest, repetitions)


def say(text: str) -> None:
    """Tell whoever waits what is being measured."""
    print(text, file=sys.stderr, flush=True)


def total(lines: Iterable[tuple[Stage, Line]]) -> str:
    """Return how many of the ratios that are asked for are met, and which are not."""
    asked = [(stage, line) for stage, line in lines if line.contest.asked is not None]
    missed = [
        f"- {stage.name}: {line.contest.problem} / {line.contest.peer}"
        for stage, line in asked
        if line.missed
    ]
    unknown = sum(not line.ratios for _, line in asked)
    text = f"{len(asked) - len(missed) - unknown} of {len(asked)} asked are met"
    text += f", {len(missed)} missed, {unknown} not measured."
    return "\n".join([text, *(["", *missed] if missed else [])])


def table(lines: Iterable[Line], quick: bool) -> str:
    """Return lines as a Markdown table; a quick run shows nothing that is asked."""
    return markdown(COLUMNS, (_cells(line, quick) for line in lines))


def _cells(line: Line, quick: bool) -> list[str]:
    contest = line.contest
    costs = map(significant, line.milliseconds) if line.milliseconds else ("", "")
    ratios = ["", "", ""]
    if line.ratios:
        ratios = [significant(f(line.ratios)) for f in (median, min, max)]
    asked = "" if contest.asked is None or quick else significant(contest.asked)
    notes = [
        "**missed**" if line.missed and not quick else "",
        f"ratio of {contest.quantity}" if contest.quantity != CPU else "",
        *(contest.note, *line.notes),
    ]
    return [
        contest.problem,
        contest.peer,
        *costs,
        *ratios,
        asked,
        "; ".join(filter(None, notes)),
    ]


def markdown(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table; every column but the first two is set to the right."""
    columns = list(columns)
    rule = ["---" if i < 2 else "---:" for i in range(len(columns))]
    lines = [columns, rule, *map(list, rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def significant(value: float) -> str:
    """Return three digits, and at most four decimals."""
    decimals = 4 if value < 0.01 else max(0, 2 - math.floor(math.log10(value)))
    return f"{value:.{decimals}f}"
