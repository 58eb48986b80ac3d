"""The measures that inference is about: names and functions of a table, read and checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from partwise.measures.catalogue import select
from partwise.measures.entry import Measure
from partwise.numbers.arrays import FloatArray
from partwise.table.arguments import COLUMNS, as_table, clusterings_of
from partwise.table.contingency import Contingency


@dataclass(frozen=True)
class Statistic:
    """A number of a table: an entry of the catalogue, or a function of the user.

    Attributes
    ----------
    name : str
    of : callable
        The number of a table.
    direction : {"higher", "lower", None}
        Which values mean more agreement.
    best : float or None
        Value for identical clusterings, where it is always the same.
    entry : Measure or None
        The entry of the catalogue.
    """

    name: str
    of: Callable[[Contingency], float]
    direction: str | None
    best: float | None
    entry: Measure | None = None


def _of_entry(entry: Measure, function: str) -> Statistic:
    if entry.computation.items:
        raise ValueError(
            f"{entry.name} looks at the items themselves; {function} draws tables, which "
            "hold none"
        )
    return Statistic(
        name=entry.name,
        of=entry,
        direction=entry.direction,
        best=entry.value_if_identical,
        entry=entry,
    )


def _of_callable(function: Callable[[Contingency], float]) -> Statistic:
    name = getattr(function, "__name__", type(function).__name__)
    return Statistic(name, of=lambda table: float(function(table)), direction=None, best=None)


#: Names of measures, functions of a table, or several of either.
Statistics = (
    str | Callable[[Contingency], float] | Iterable[str | Callable[[Contingency], float]]
)


def read_statistics(measure: Any, function: str) -> list[Statistic]:
    """Return what ``measure=`` means: names, functions of a table, or several of either."""
    single = isinstance(measure, str) or callable(measure)
    measures = [measure] if single else measure
    if not isinstance(measures, Iterable):
        raise TypeError(
            f"measure={measure!r}: a name, a function of a table, or several are expected"
        )
    statistics: list[Statistic] = []
    for one in measures:
        if isinstance(one, Statistic):
            statistics.append(one)
        elif isinstance(one, Measure):
            statistics.append(_of_entry(one, function))
        elif callable(one):
            statistics.append(_of_callable(one))
        else:
            several = one in ("default", "all")
            statistics += [
                _of_entry(entry, function)
                for entry in select(one, COLUMNS)[0]
                if not (several and entry.computation.items)
            ]
    if not statistics:
        raise ValueError("measure is empty; name at least one")
    names = [one.name for one in statistics]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"measure names {name} twice")
    return statistics


def checked(values: FloatArray, statistics: list[Statistic]) -> FloatArray:
    """Return values (..., measures), or raise if one is no number or infinite."""
    if np.isfinite(values).all():
        return values
    wrong = np.isnan(values)
    if wrong.any():
        at = int(np.argwhere(wrong)[0][-1])
        name = statistics[at].name
        raise ValueError(
            f"{name} has no value (NaN) on {int(wrong[..., at].sum())} tables, "
            "which cannot be ranked; give a function that has one on every table"
        )
    wrong = np.isinf(values)
    at = int(np.argwhere(wrong)[0][-1])
    raise ValueError(
        f"{statistics[at].name} is infinite on {int(wrong[..., at].sum())} tables, so that its "
        "means and differences have no value; give a function that is finite on every table, "
        "such as math.atan of this one, which ranks the tables alike"
    )


def counted_table(
    reference: Any, candidate: Any, policies: Mapping[str, Any], function: str
) -> Contingency:
    """Return the table that is meant; raise where it has weights."""
    table = as_table(clusterings_of(reference, candidate, policies, function))
    refuse_weights(table, function)
    return table


def refuse_weights(table: Contingency, function: str) -> None:
    """Raise if the table has weights."""
    if table.masses is not None:
        raise ValueError(
            f"{function} draws whole items and takes no weights; multiplicity= repeats items "
            "a whole number of times"
        )
