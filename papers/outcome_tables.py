"""What the papers print beside what comes out, as one table: for the pages and the shell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from papers.items_mallows import MALLOWS_DISTANCE
from papers.items_nvi import NVI
from papers.items_psi import PAIR_SETS_INDEX
from papers.items_split_merge import SPLIT_MERGE
from papers.items_v_measure import V_MEASURE
from papers.outcomes import Outcome
from papers.paper import Paper
from papers.registry import experiments
from papers.table import ExperimentTable

#: In the order of the pages.
PAPERS: tuple[Paper, ...] = (SPLIT_MERGE, NVI, V_MEASURE, PAIR_SETS_INDEX, MALLOWS_DISTANCE)


@dataclass(frozen=True)
class OutcomeRow:
    """An outcome of a paper; ``seeds``: with how many of them it is so, as "17 of 20"."""

    paper: Paper
    outcome: Outcome
    seeds: str = ""


def in_order(rows: Iterable[OutcomeRow]) -> list[OutcomeRow]:
    """Return rows by paper and, within each, by place."""
    rows = list(rows)
    sorted_rows: list[OutcomeRow] = []
    for paper in PAPERS:
        of_paper = [row for row in rows if row.paper is paper]
        row_of = {id(row.outcome): row for row in of_paper}
        ranked = paper.in_order(row.outcome for row in of_paper)
        sorted_rows += [row_of[id(outcome)] for outcome in ranked]
    return sorted_rows


def paper_called(name: str) -> Paper:
    """Return the paper that an experiment names as its own.

    Raises
    ------
    KeyError
        No paper is called so.
    """
    for paper in PAPERS:
        if paper.name == name:
            return paper
    names = ", ".join(paper.name for paper in PAPERS)
    raise KeyError(f"no paper is called {name!r}; there are {names}")


def rows_not_run(papers: Iterable[Paper] = PAPERS) -> list[OutcomeRow]:
    """Return the items that no experiment of these papers runs."""
    return [OutcomeRow(paper, outcome) for paper in papers for outcome in paper.not_run]


@cache
def default_table(name: str) -> ExperimentTable:
    """Return the table of an experiment with its default seed, run once in a process."""
    return experiments()[name].run()


@lru_cache(maxsize=len(PAPERS))
def outcomes_of_paper(paper: Paper) -> tuple[OutcomeRow, ...]:
    """Run the experiments of a paper; return its outcomes and what is not run, in order."""
    rows = rows_not_run([paper])
    for item in experiments().values():
        if item.paper == paper.name and item.outcomes is not None:
            rows += [OutcomeRow(paper, one) for one in item.explained(default_table(item.name))]
    return tuple(in_order(rows))


def outcome_table(rows: Sequence[OutcomeRow], *, rounded: bool) -> ExperimentTable:
    """Return outcomes as a table.

    Parameters
    ----------
    rows : sequence of OutcomeRow
    rounded : bool
        For readers: numbers with a digit more than is printed, the reasons below the table.
        Otherwise all digits, and a column with the reasons.

    Returns
    -------
    ExperimentTable
        paper, place, item, printed, ours, status; where several seeds were drawn, with how
        many the item is as printed or its claim holds; unless ``rounded``, why.
    """
    drawn = any(row.seeds for row in rows)
    columns = ["paper", "place", "item", "printed", "ours", "status"]
    columns += ["seeds"] * drawn + ["why"] * (not rounded)
    lines = []
    for row in rows:
        one = row.outcome
        line: list[Any] = [row.paper.short, one.place, one.item, one.printed]
        line += [one.shown if rounded else one.ours, one.status]
        line += [row.seeds] * drawn + [one.why] * (not rounded)
        lines.append(tuple(line))
    notes = [count_of_statuses(rows), *(_reasons(rows) if rounded else ())]
    return ExperimentTable(
        "What is printed and what comes out", tuple(columns), tuple(lines), tuple(notes)
    )


def _reasons(rows: Sequence[OutcomeRow]) -> list[str]:
    """Return each reason once, with the items of a place that it is given for."""
    items_of: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row.outcome.why:
            place = f"{row.paper.short}, {row.outcome.place}"
            items_of.setdefault((place, row.outcome.why), []).append(row.outcome.item)
    return [f"{place}, {'; '.join(items)}: {why}" for (place, why), items in items_of.items()]


def count_of_statuses(rows: Sequence[OutcomeRow]) -> str:
    """Return how many items have each status, in a line."""
    numbers: Mapping[str, int] = Counter(row.outcome.status for row in rows)
    statuses = ("as printed", "claim holds", "print is wrong", "differs", "not run")
    parts = [f"{status} {numbers[status]}" for status in statuses if status in numbers]
    if not parts:
        return "Nothing is printed of these."
    return f"{len(rows)} {'item' if len(rows) == 1 else 'items'}: {', '.join(parts)}."
