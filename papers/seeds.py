"""An experiment with several seeds: the spread of what it draws, and how often claims hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from statistics import fmean
from typing import Any

from papers.outcomes import Outcome
from papers.registry import Experiment
from papers.table import ExperimentTable

_SEED = "seed"  # the column of a table that says with which seed it was made


def seeds_of(item: Experiment, number: int) -> tuple[int, ...]:
    """Return the default seed, then 1, 2, ... without it; none if nothing is drawn.

    Raises
    ------
    ValueError
        Fewer than one.

    Examples
    --------
    >>> from papers import experiments
    >>> seeds_of(experiments()["psi-unbalance"], 4), seeds_of(experiments()["dom-sample"], 4)
    ((4, 1, 2, 3), ())
    """
    if number < 1:
        raise ValueError(f"{number} seeds: give 1 or more")
    default = item.default_seed
    if default is None:
        return ()
    others = (seed for seed in count(1) if seed != default)
    return (default, *(next(others) for _ in range(number - 1)))


def tables_of(
    item: Experiment, run: Callable[..., ExperimentTable], number: int
) -> list[ExperimentTable]:
    """Return a table for each seed, the default one first; one table if nothing is drawn."""
    seeds = seeds_of(item, number)
    return [run(seed=seed) for seed in seeds] if seeds else [run()]


def spread(item: Experiment, tables: Sequence[ExperimentTable]) -> ExperimentTable:
    """Return, for each value that the seed changes, its mean and its range over seeds.

    Parameters
    ----------
    item : Experiment
    tables : sequence of ExperimentTable
        Of the seeds, the default one first. They have the same columns and rows.

    Returns
    -------
    ExperimentTable
        A line for each value that a seed changes: "row" if the columns that no seed changes
        do not tell the rows apart, these columns, the name of the value's column, the value
        with the default seed, its mean, lowest and highest over the seeds, and with how many
        seeds it is that of the default seed. Truth values count 0 and 1; text has no mean and
        no range; a column "seed" is left out. A table that no seed changes is returned as it
        is, and a note says so.

    Raises
    ------
    ValueError
        The tables have different columns or numbers of rows.
    """
    first = tables[0]
    if item.default_seed is None:
        return _with_note(first, "This experiment does not draw: every seed gives this table.")
    if len(tables) == 1:
        note = f"One seed, {item.default_seed}; more of them show the spread."
        return _with_note(first, note)
    _check_alike(item, tables)
    drawn = [
        column
        for index, column in enumerate(first.columns)
        if column != _SEED
        and any(
            a[index] != b[index]
            for t in tables[1:]
            for a, b in zip(first.rows, t.rows, strict=True)
        )
    ]
    steady = [column for column in first.columns if column not in (*drawn, _SEED)]
    keys = [tuple(line[column] for column in steady) for line in first.to_dicts()]
    numbered = len(set(keys)) < len(keys)
    rows = [
        (*(((number,) if numbered else ()) + key), column, *_spread(values))
        for number, key in enumerate(keys, start=1)
        for column in drawn
        if len(set(values := [t.column(column)[number - 1] for t in tables])) > 1
    ]
    seeds = f"Seeds: {item.default_seed}, the default{_others(seeds_of(item, len(tables)))}."
    if not rows:
        return _with_note(first, f"{seeds} None of them changes a value.")
    columns = (*(["row"] * numbered), *steady, "value of", f"seed {item.default_seed}")
    return ExperimentTable(
        f"{first.title}: {len(tables)} seeds",
        (*columns, "mean", "lowest", "highest", "alike"),
        tuple(rows),
        (*first.notes, seeds),
    )


def _with_note(table: ExperimentTable, note: str) -> ExperimentTable:
    return ExperimentTable(table.title, table.columns, table.rows, (*table.notes, note))


def _check_alike(item: Experiment, tables: Sequence[ExperimentTable]) -> None:
    first = tables[0]
    for table in tables[1:]:
        if table.columns != first.columns or len(table.rows) != len(first.rows):
            raise ValueError(
                f"{item.name} gives {len(first.rows)} rows with its default seed and "
                f"{len(table.rows)} with another, so there is no spread of a row"
            )


def _spread(values: list[Any]) -> tuple[Any, ...]:
    """Return the default's value, mean, lowest, highest, and how many are the default's."""
    alike = sum(value == values[0] for value in values)
    numbers = [float(x) for x in values if isinstance(x, (bool, int, float))]
    if len(numbers) < len(values):
        return values[0], None, None, None, alike
    return values[0], fmean(numbers), min(numbers), max(numbers), alike


def _others(seeds: Sequence[int]) -> str:
    """Return the seeds after the first in words."""
    default, *others = seeds
    if len(others) < 3:
        return ", " + " and ".join(map(str, others))
    gap = others[0] < default < others[-1]
    return f", and {others[0]} to {others[-1]}" + (f" without {default}" if gap else "")


def how_often(item: Experiment, tables: Sequence[ExperimentTable]) -> list[tuple[Outcome, str]]:
    """Return the default seed's outcomes, each with how many seeds agree with the print.

    Parameters
    ----------
    item : Experiment
    tables : sequence of ExperimentTable
        Of the seeds, the default one first.

    Returns
    -------
    list of (Outcome, str)
        "17 of 20"; "" where nothing is drawn.

    Raises
    ------
    ValueError
        With another seed the experiment has other items.
    """
    first, *others = [item.outcomes_of(table) for table in tables]
    if item.default_seed is None:
        return [(outcome, "") for outcome in first]
    names = [(one.place, one.item) for one in first]
    for outcomes in others:
        if [(one.place, one.item) for one in outcomes] != names:
            raise ValueError(
                f"the outcomes of {item.name} are of other items with another seed; give each "
                "item with every seed"
            )
    columns = zip(first, *others, strict=True)
    return [
        (column[0], f"{sum(one.agrees for one in column)} of {len(tables)}")
        for column in columns
    ]
