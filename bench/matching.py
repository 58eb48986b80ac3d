"""Matching: the solver against min-cost flow and dense assignment, and the measures on it.

Run ``python -m bench.matching [--quick] [--only PATTERN] [--repetitions R] [--json FILE]``.
Values are checked before anything is timed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import contests, generators, measuring, peers, solver_peers, stages
from bench.contests import Contest, Question, Row
from bench.peers import Subject, need
from bench.solver_peers import OR_TOOLS, SCIPY
from bench.workloads import Workload

Generate = Callable[[int], generators.Pair]

WHOLE_MOST = 10  # CPU of a measure over that of the table, asked for
MATCH = "solvers.match"


def main(arguments: list[str] | None = None) -> None:
    """Measure, print the tables, write the JSON file if one was asked for."""
    options = contests.parser("python -m bench.matching").parse_args(arguments)
    questions = contests.picked(QUESTIONS, options.only)
    wholes = [whole for whole in WHOLES if options.only.search(" ".join(_texts(whole)))]
    if not questions and not wholes:
        raise SystemExit(f"no row holds {options.only.pattern!r}")
    contests.need_parts(questions)
    head = contests.heading("Matching", questions, options.quick)
    rows: dict[str, list[Row]] = {"solver": contests.run(questions, options)}
    contests.section("Solver", rows["solver"], contests.table)
    rows["whole"] = whole_rows(wholes, options.quick, options.repetitions)
    contests.section("Labels in, value out", rows["whole"], _whole_table)
    contests.write(options.json, {**head, "quick": options.quick, **rows})


def stage(quick: bool, repetitions: int) -> Iterator[stages.Line]:
    """Yield the contests of the solver, then the table's cost over that of values from it."""
    yield from contests.lines(QUESTIONS, quick, repetitions)
    divisor = contests.QUICK if quick else 1
    for problem, subject in WHOLES:
        pair = _beside_table(problem, subject, divisor, repetitions)
        turned = measuring.Paired(pair.peer, pair.ours)
        name = f"{subject.name} from labels, {problem}"
        yield stages.line(name, "our table", turned, asked=1 / WHOLE_MOST)


# ---- problems ----------------------------------------------------------------------

PROBLEMS: dict[str, Generate] = {
    "noisy(2000,10,.3)": lambda by: generators.noisy(2000 // by, 10, 0.3),
    "noisy(1e5,10,.3)": lambda by: generators.noisy(100_000 // by, 10, 0.3),
    "zipf(1e6,.2)": lambda by: generators.zipf(1_000_000 // by, 0.2),
    "indep(1e4,5e4)": lambda by: generators.indep(10_000 // by, 50_000 // by),
    "indep(1e4,1e5)": lambda by: generators.indep(10_000 // by, 100_000 // by),
    "indep(1e5,1e6)": lambda by: generators.indep(100_000 // by, 1_000_000 // by),
}


@lru_cache(maxsize=1)
def table_of(problem: str, divisor: int) -> Any:
    """Return the table of a problem; the last one is kept for the next row."""
    return need("partwise").contingency(*PROBLEMS[problem](divisor))


def gains_of(table: Any, similarity: str) -> NDArray[Any]:
    """Return the similarity of the two clusters of each cell."""
    rows, cols = table.row_sizes[table.rows], table.col_sizes[table.cols]
    if similarity == "overlap":
        return table.counts
    if similarity == "Dice":
        return 2 * table.counts / (rows + cols)
    return table.counts / np.maximum(rows, cols)


# ---- solver ------------------------------------------------------------------------


def against_flow(problem: str, similarity: str, divisor: int) -> Contest:
    """Return ``solvers.match`` against a min-cost flow with capacities of 1."""
    table = table_of(problem, divisor)
    gains = gains_of(table, similarity)
    whole = solver_peers.rounded(gains)
    ones = (np.ones(count, dtype=np.int64) for count in table.shape)
    peer = solver_peers.min_cost_flow(table, whole, *ones)
    match, cells = _match_on(table)

    def check() -> None:
        theirs, step = peer(), solver_peers.unit(gains)
        contests.equal(f"{problem}, integers", match(cells, whole).total, theirs)
        # half a step a pair, of either matching
        rounding = min(table.shape) * step if step < 1 else 0.0
        contests.equal(problem, match(cells, gains).total, theirs * step, rounding)

    return Contest(lambda: match(cells, gains), peer, check)


def against_assignment(problem: str, similarity: str, divisor: int) -> Contest:
    """Return ``solvers.match`` against the assignment of a dense matrix."""
    table = table_of(problem, divisor)
    gains = gains_of(table, similarity)
    dense, peer = solver_peers.assignment(table, gains)
    match, cells = _match_on(table)

    def check() -> None:
        contests.close(problem, match(cells, gains).total, float(dense[peer()].sum()))

    return Contest(lambda: match(cells, gains), peer, check)


def _match_on(table: Any) -> tuple[Callable[..., Any], Any]:
    return contests.need_part(MATCH), table


def _question(problem: str, similarity: str, peer: str, asked: float | None) -> Question:
    against = against_flow if peer == OR_TOOLS else against_assignment
    prepare = partial(against, problem, similarity)
    return Question(f"{problem} {similarity}", peer, asked, MATCH, prepare)


QUESTIONS = [
    _question("noisy(2000,10,.3)", "overlap", OR_TOOLS, 10),
    _question("noisy(2000,10,.3)", "Dice", OR_TOOLS, 10),
    _question("noisy(2000,10,.3)", "overlap", SCIPY, 300),
    _question("noisy(2000,10,.3)", "Dice", SCIPY, 300),
    _question("noisy(1e5,10,.3)", "overlap", OR_TOOLS, 60),
    _question("noisy(1e5,10,.3)", "Dice", OR_TOOLS, None),
    _question("zipf(1e6,.2)", "overlap", OR_TOOLS, 200),
    _question("zipf(1e6,.2)", "Dice", OR_TOOLS, None),
    _question("indep(1e4,5e4)", "overlap", OR_TOOLS, 5),
    _question("indep(1e4,5e4)", "Dice", OR_TOOLS, 10),
    _question("indep(1e4,1e5)", "Dice", OR_TOOLS, 6),
    _question("indep(1e5,1e6)", "Dice", OR_TOOLS, 6),
    _question("indep(1e5,1e6)", "Braun-Banquet", OR_TOOLS, 6),
    _question("indep(1e5,1e6)", "overlap", OR_TOOLS, 5),
]


# ---- labels in, value out ----------------------------------------------------------

WHOLE_PROBLEMS: dict[str, Generate] = {
    "noisy(1e6,10,.3)": lambda by: generators.noisy(1_000_000 // by, 10, 0.3),
    "zipf(6e6,.2)": lambda by: generators.zipf(6_000_000 // by, 0.2),
}
WHOLES = [
    (problem, subject) for problem in WHOLE_PROBLEMS for subject in peers.MATCHING_MEASURES
]


def _texts(whole: tuple[str, Subject]) -> tuple[str, str]:
    problem, subject = whole
    return problem, subject.name


def whole_rows(
    wholes: Iterable[tuple[str, Subject]], quick: bool, repetitions: int
) -> list[Row]:
    """Return what values cost beside the table that they start from."""
    divisor = contests.QUICK if quick else 1
    return [_whole_row(*whole, divisor, repetitions) for whole in wholes]


@lru_cache(maxsize=1)
def workload_of(problem: str, divisor: int) -> Workload:
    """Return the labels of a problem; the last ones are kept for the next row."""
    return Workload(problem, *WHOLE_PROBLEMS[problem](divisor), None)


def _whole_row(problem: str, subject: Subject, divisor: int, repetitions: int) -> Row:
    contests.say(f"{problem} {subject.name}")
    workload = workload_of(problem, divisor)
    table, value = peers.CONTINGENCY.call(workload), subject.call(workload)
    pair = _beside_table(problem, subject, divisor, repetitions)
    return {
        "problem": problem,
        "measure": subject.name,
        "value": value,
        "cells": table.n_cells,
        **contests.in_milliseconds(pair, ("table", "measure")),
        "table_bytes": _peak(peers.CONTINGENCY, problem, divisor),
        "measure_bytes": _peak(subject, problem, divisor),
        "asked": WHOLE_MOST,
    }


def _beside_table(
    problem: str, subject: Subject, divisor: int, repetitions: int
) -> measuring.Paired:
    """Return the costs of the table (ours) and of a value from the same labels (the peer)."""
    workload = workload_of(problem, divisor)
    subject.call(workload)
    return measuring.paired(
        lambda: peers.CONTINGENCY.call(workload), lambda: subject.call(workload), repetitions
    )


@cache
def _peak(subject: Subject, problem: str, divisor: int) -> int:
    """Return the peak extra memory of a call in a process of its own."""
    workload = workload_of(problem, divisor)
    return measuring.peaks_in_processes(workload, [subject])[subject.name]


_WHOLE_NOTE = (
    "ratio: user CPU of the measure / that of pw.contingency on the same labels, paired; "
    "asked: the most. Bytes: peak extra memory per cell of the table, from labels to the "
    "result, in a process of its own."
)


def _whole_table(rows: Sequence[Row]) -> str:
    costs = ("measure user", "sys", "table user", "sys", "ratio", "asked")
    columns = ("", "measure", "cells", *costs, "R", "table B/cell", "measure B/cell")
    sides = ("measure_user_ms", "measure_system_ms", "table_user_ms", "table_system_ms")
    lines = (
        [
            row["problem"],
            row["measure"],
            f"{row['cells']}",
            *(contests.significant(row[side]) for side in sides),
            measuring.spread(row["ratios"]),
            f"{row['asked']:g}",
            str(row["repetitions"]),
            f"{row['table_bytes'] / row['cells']:.0f}",
            f"{row['measure_bytes'] / row['cells']:.0f}",
        ]
        for row in rows
    )
    return f"{_WHOLE_NOTE}\n\n{measuring.markdown(columns, lines)}"


if __name__ == "__main__":
    main()
