"""Contests: one of our calls against a peer's, values first, then time, beside a target.

What ``bench.matching`` and ``bench.transport`` share: the rows, how they are picked, run
and printed.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

from bench import measuring, peers, solver_peers, stages
from bench.measuring import Call, say
from bench.peers import need

Row = dict[str, Any]

QUICK = 10


@dataclass(frozen=True)
class Contest:
    """Two prepared calls and the check that they find the same."""

    ours: Call
    peer: Call
    check: Callable[[], None]


@dataclass(frozen=True)
class Question:
    """A row of the report.

    Attributes
    ----------
    name : str
        The problem.
    peer : str
        A name of ``solver_peers``.
    asked : float or None
        Least ratio, CPU of the peer over ours, that is asked for.
    needs : str
        What is measured, a name below ``partwise``.
    prepare : callable
        Divisor of the sizes to contest.
    """

    name: str
    peer: str
    asked: float | None
    needs: str
    prepare: Callable[[int], Contest]

    @property
    def text(self) -> str:
        """What ``--only`` searches."""
        return f"{self.name} {self.peer}"


# ---- asking ------------------------------------------------------------------------


def parser(program: str) -> argparse.ArgumentParser:
    """Return a parser of the options that both benchmarks have."""
    found = argparse.ArgumentParser(prog=program)
    found.add_argument(
        "--quick", action="store_true", help=f"sizes / {QUICK}: to try, not to quote"
    )
    found.add_argument(
        "--repetitions",
        type=measuring.positive,
        default=5,
        metavar="R",
        help="pairs of batches a row (default 5; slow peers get fewer)",
    )
    found.add_argument(
        "--only",
        type=_pattern,
        default=_pattern(""),
        metavar="PATTERN",
        help="rows whose name holds this regular expression, in any case",
    )
    found.add_argument("--json", type=Path, metavar="FILE")
    return found


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text, re.IGNORECASE)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no pattern: {error}") from None


def picked(questions: Iterable[Question], pattern: re.Pattern[str]) -> list[Question]:
    """Return the questions that hold the pattern."""
    return [question for question in questions if pattern.search(question.text)]


def need_parts(questions: Iterable[Question]) -> None:
    """Leave at once if a peer, or a part of partwise, is missing."""
    questions = list(questions)
    for part in sorted({question.needs for question in questions}):
        need_part(part)
    solver_peers.need_peers({question.peer for question in questions})


def need_part(name: str) -> Any:
    """Return what has this name below partwise, or leave with a sentence."""
    try:
        return attrgetter(name)(need("partwise"))
    except AttributeError:
        raise SystemExit(f"this version of partwise has no {name}") from None


# ---- checking ----------------------------------------------------------------------


def equal(name: str, ours: float, theirs: float, tolerance: float = 0.0) -> None:
    """Leave if two values differ by more than a tolerance."""
    if not abs(ours - theirs) <= tolerance:
        raise SystemExit(f"{name}: partwise finds {ours!r}, the peer {theirs!r}")


def close(name: str, ours: float, theirs: float) -> None:
    """Leave if two values differ by more than rounding."""
    if not math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-12):
        raise SystemExit(f"{name}: partwise finds {float(ours)!r}, the peer {float(theirs)!r}")


# ---- measuring ---------------------------------------------------------------------


def run(questions: Iterable[Question], options: argparse.Namespace) -> list[Row]:
    """Return the costs of every contest."""
    divisor = QUICK if options.quick else 1
    return [_row(question, divisor, options.repetitions) for question in questions]


def _row(question: Question, divisor: int, repetitions: int) -> Row:
    say(question.text)
    contest = question.prepare(divisor)
    contest.check()
    pair = measuring.paired(contest.ours, contest.peer, repetitions)
    row: Row = {"problem": question.name, "peer": question.peer, "asked": question.asked}
    return {**row, **in_milliseconds(pair, ("ours", "peer"))}


def lines(
    questions: Iterable[Question], quick: bool, repetitions: int
) -> Iterator[stages.Line]:
    """Yield the contests as lines of ``python -m bench``."""
    divisor = QUICK if quick else 1
    for question in questions:
        try:
            need_parts([question])
        except peers.AbsentError as error:
            yield stages.absent(question.name, question.peer, error, question.asked)
            continue
        contest = question.prepare(divisor)
        contest.check()
        pair = measuring.paired(contest.ours, contest.peer, repetitions)
        yield stages.line(question.name, question.peer, pair, asked=question.asked)


def in_milliseconds(pair: measuring.Paired, sides: tuple[str, str]) -> Row:
    """Return the fields of a row that say what two calls cost."""
    row: Row = {}
    for side, costs in zip(sides, (pair.ours, pair.peer), strict=True):
        middle = measuring.median_cost(costs)
        row[f"{side}_user_ms"] = middle.user * 1e3
        row[f"{side}_system_ms"] = middle.system * 1e3
    return {**row, "ratios": pair.ratios, "repetitions": pair.repetitions}


# ---- printing ----------------------------------------------------------------------


def heading(title: str, questions: Iterable[Question], quick: bool) -> dict[str, str]:
    """Print the head of a report and return its entries."""
    peers = sorted({solver_peers.PACKAGES[question.peer] for question in questions})
    head = measuring.header(["scipy", *peers])
    lines = [f"# {title}", "", *(f"- {key}: {text}" for key, text in head.items())]
    lines += ["- one thread; ms of CPU a call, medians", *_NOTES]
    if quick:
        lines.append(f"- QUICK RUN: sizes / {QUICK}; not comparable with full runs")
    print("\n".join(lines), flush=True)
    return head


_NOTES = (
    "- ratio: user CPU of the peer / ours, paired, median [min..max]; asked: the least",
    "- ours is the public call on a prebuilt sparse or dense matrix; of the peer only the "
    "solver runs in the clock, on a prebuilt graph or matrix",
    f"- fractions: partwise takes doubles (50 bits), OR-Tools integers of 2^-"
    f"{solver_peers.FRACTION_BITS}; on those integers both totals are equal",
)


def table(rows: Iterable[Row]) -> str:
    """Return the contests as a Markdown table."""
    columns = ("", "peer", "ours user", "sys", "peer user", "sys", "ratio", "asked", "R")
    sides = ("ours_user_ms", "ours_system_ms", "peer_user_ms", "peer_system_ms")
    lines = (
        [
            row["problem"],
            row["peer"],
            *(significant(row[side]) for side in sides),
            measuring.spread(row["ratios"]),
            "" if row["asked"] is None else f"{row['asked']:g}",
            str(row["repetitions"]),
        ]
        for row in rows
    )
    return measuring.markdown(columns, lines)


def significant(value: float) -> str:
    """Return three digits, and at most four decimals."""
    decimals = 4 if value < 0.01 else max(0, 2 - math.floor(math.log10(value)))
    return f"{value:.{decimals}f}"


def write(path: Path | None, report: dict[str, Any]) -> None:
    """Write the JSON file if one was asked for."""
    if path:
        path.write_text(json.dumps(report, indent=2) + "\n")


def section(title: str, rows: Sequence[Row], show: Callable[[Sequence[Row]], str]) -> None:
    """Print a section of the report if it has rows."""
    if rows:
        print(f"\n## {title}\n\n{show(rows)}", flush=True)
