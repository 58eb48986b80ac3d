"""Measures from sums that an engine has computed, without the table."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from partwise.measures.catalogue import catalogue, find
from partwise.measures.entry import Measure
from partwise.measures.formulas import States
from partwise.numbers.logarithm import xlogx

_BITS = 64
#: Sums by where they are given and under which name, as formulas call them.
_NAMES = {
    "rows": ("row_sums", "clusters"),
    "row_squares": ("row_sums", "squares"),
    "row_xlogx": ("row_sums", "xlogx"),
    "row_maxima": ("row_sums", "maxima"),
    "b_cubed_recall": ("row_sums", "b_cubed"),
    "cols": ("col_sums", "clusters"),
    "col_squares": ("col_sums", "squares"),
    "col_xlogx": ("col_sums", "xlogx"),
    "col_maxima": ("col_sums", "maxima"),
    "b_cubed_precision": ("col_sums", "b_cubed"),
    "cells": ("cell_sums", "clusters"),
    "squares": ("cell_sums", "squares"),
    "cell_xlogx": ("cell_sums", "xlogx"),
    "exact_matches": ("cell_sums", "exact_matches"),
}
_REAL = ("xlogx", "b_cubed")
#: Integers up to this one are doubles as well.
_MOST_DOUBLE = 1 << 53


def from_sums(
    *,
    n_items: int,
    row_sums: Mapping[str, Any],
    col_sums: Mapping[str, Any],
    cell_sums: Mapping[str, Any],
    measures: str | Iterable[str],
) -> dict[str, float]:
    """Return measures that are formulas, from sums over clusters and cells.

    For tables that stay where they are: an engine answers one aggregate query for each kind of
    sum, and nothing else comes home.

    Parameters
    ----------
    n_items : int
        Number of items.
    row_sums, col_sums : mapping
        Sums over the reference's and the candidate's clusters, of what the measures need:
        "clusters" (how many), "squares" (of sizes), "xlogx" (size times its natural
        logarithm), "maxima" (largest cell of each), "b_cubed" (squares of its cells over its
        size).
    cell_sums : mapping
        Sums over the cells: "clusters" (how many cells), "squares", "xlogx", and
        "exact_matches" (cells that are a whole cluster on both sides).
    measures : str, or iterable of str
        Names of the catalogue; "all" for each that these sums tell.

    Returns
    -------
    dict of str to float
        Score by name.

    Raises
    ------
    ValueError
        A sum that a measure needs is not given, or cannot be one; a measure is no formula of
        sums; or the clusterings are so close to independent that sums do not tell the measure.

    Notes
    -----
    With integers and ``sums_of_sizes``, which counts clusters by size, values have the bits of
    the measure on the table. Sums of "xlogx" and "b_cubed" that come as doubles leave an error
    of about 1e-15 times ln n.

    Examples
    --------
    >>> import partwise as pw
    >>> cells = {"clusters": 3, "squares": 9 + 1 + 4}
    >>> pw.from_sums(
    ...     n_items=6,
    ...     row_sums={"clusters": 2, "squares": 9 + 9},
    ...     col_sums={"clusters": 2, "squares": 16 + 4},
    ...     cell_sums=cells,
    ...     measures=["rand_index", "jaccard"],
    ... )
    {'rand_index': 0.6666666666666666, 'jaccard': 0.4444444444444444}
    """
    given = {"row_sums": row_sums, "col_sums": col_sums, "cell_sums": cell_sums}
    for where, sums in given.items():
        allowed = [name for place, name in _NAMES.values() if place == where]
        for name in sums:
            if name not in allowed:
                raise ValueError(f"{where} has no sum {name!r}; it takes: {', '.join(allowed)}")
    n = _whole(n_items, "n_items")
    exact = True
    values: dict[str, Any] = {"n": n}
    for name, (where, key) in _NAMES.items():
        if key not in given[where]:
            continue
        value, shown = given[where][key], f"{where}[{key!r}]"
        if key in _REAL:
            exact &= not isinstance(value, (float, np.floating, Decimal))
            values[name] = _scaled(value, shown)
        else:
            values[name] = _whole(value, shown)
    _check(values)
    if not exact:
        _mend(values)
    states = States(values, 1, _BITS)
    entries = _chosen(measures, values)
    return {entry.name: _value(entry, states, values, exact=exact) for entry in entries}


def sums_of_sizes(sizes: Any, times: Any) -> dict[str, Any]:
    """Return the sums over clusters or cells that were counted by their size.

    Parameters
    ----------
    sizes : array-like of int
        Distinct sizes.
    times : array-like of int
        How many clusters, or cells, have each size.

    Returns
    -------
    dict
        "clusters", "squares" and "xlogx" as ``from_sums`` takes them, exact.

    Notes
    -----
    There are at most sqrt(2 n) distinct sizes of n items, however many clusters: a million for
    5e11 items.

    Examples
    --------
    >>> from partwise.scoring.from_sums import sums_of_sizes
    >>> sums_of_sizes([1, 3], [2, 1])["squares"]
    11
    """
    pairs = [
        (_whole(size, "a size"), _whole(n, "a number of clusters"))
        for size, n in zip(sizes, times, strict=True)
    ]
    return {
        "clusters": sum(n for _, n in pairs),
        "squares": sum(size * size * n for size, n in pairs),
        "xlogx": Fraction(sum(xlogx(size, _BITS) * n for size, n in pairs), 1 << _BITS),
    }


def b_cubed_of_clusters(sizes: Any, squares: Any, times: Any) -> Fraction:
    """Return the sum "b_cubed" of clusters that were counted by size and squares, exact.

    Parameters
    ----------
    sizes : array-like of int
        Size of a cluster.
    squares : array-like of int
        Sum of the squares of its cells.
    times : array-like of int
        How many clusters have both.
    """
    total = 0
    for size, square, n in zip(sizes, squares, times, strict=True):
        each = (_whole(square, "a sum of squares") << _BITS) // _whole(size, "a size")
        total += each * _whole(n, "a number of clusters")
    return Fraction(total, 1 << _BITS)


def _whole(value: Any, shown: str) -> int:
    """Return a number that counts something, as an integer that lost no digit."""
    is_double = isinstance(value, (float, np.floating))
    if is_double or isinstance(value, Decimal):
        if is_double and abs(float(value)) > _MOST_DOUBLE:
            raise ValueError(
                f"{shown}={value!r} is a double above 2^53, which has lost digits; let the "
                "engine add integers, as HUGEINT, DECIMAL(38, 0) or two sums of 32 bits"
            )
        if value % 1 == 0:
            value = int(value)
    try:
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{shown}={value!r} is not a whole number") from None
    if number < 0 or isinstance(value, bool):
        raise ValueError(f"{shown}={value!r} is no count")
    return number


def _scaled(value: Any, shown: str) -> int:
    """Return a sum of reals as an integer with the fraction bits of the formulas."""
    try:
        number = Fraction(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{shown}={value!r} is not a finite number") from None
    if number < 0:
        raise ValueError(f"{shown}={value!r} is negative")
    return int(number * (1 << _BITS))


def _check(values: Mapping[str, Any]) -> None:
    """Raise where sums cannot be those of one table."""
    n = values["n"]
    for low, high in (
        ("rows", "cells"),
        ("cols", "cells"),
        ("cells", "n"),
        ("row_maxima", "n"),
        ("col_maxima", "n"),
        ("squares", "row_squares"),
        ("squares", "col_squares"),
        ("exact_matches", "rows"),
        ("exact_matches", "cols"),
    ):
        if low in values and high in values and values[low] > values[high]:
            raise ValueError(
                f"{_shown(low)} is {values[low]}, more than {_shown(high)}, {values[high]}; no "
                "table has such sums (are the sides mixed up?)"
            )
    for name in ("squares", "row_squares", "col_squares"):
        if name in values and not n <= values[name] <= n * n:
            raise ValueError(
                f"{_shown(name)} is {values[name]}; of {n} items it is between {n} and {n * n}"
            )


def _shown(name: str) -> str:
    if name == "n":
        return "n_items"
    where, key = _NAMES[name]
    return f"{where}[{key!r}]"


def _mend(values: dict[str, Any]) -> None:
    """Let doubles say what integers do: cells are never more ordered than clusters.

    Where there are as many cells as clusters of a side, cells are those clusters.
    """
    n = values["n"]
    for total, clusters in (("row_xlogx", "rows"), ("col_xlogx", "cols")):
        if total in values and values.get(clusters) in (1, n):  # one, or each item alone
            values[total] = xlogx(n, _BITS) if values[clusters] == 1 else 0
    cell = values.get("cell_xlogx")
    if cell is None:
        return
    for side, clusters in (("row_xlogx", "rows"), ("col_xlogx", "cols")):
        if side in values:
            as_many = clusters in values and values.get("cells") == values[clusters]
            cell = values[side] if as_many else min(cell, values[side])
    values["cell_xlogx"] = cell


def _chosen(measures: str | Iterable[str], values: Mapping[str, Any]) -> list[Measure]:
    if measures == "all":
        return [x for x in catalogue().values() if _missing(x, values) == ()]
    names = [measures] if isinstance(measures, str) else list(measures)
    entries = []
    for name in names:
        entry = find(name)
        missing = _missing(entry, values)
        if missing is None:
            raise ValueError(
                f"{entry.name} is no formula of sums; it needs the table: bring the cells home "
                "and make one with Contingency.from_counts"
            )
        if missing:
            raise ValueError(
                f"{entry.name} needs {' and '.join(map(_shown, missing))}; add it to the query"
            )
        entries.append(entry)
    return entries


def _missing(entry: Measure, values: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Return the sums that a measure needs beside those given, None if it is no formula."""
    formula = entry.computation.formula
    if formula is None or not formula.covers(entry.options):
        return None
    return tuple(name for name in formula.sums(entry.options) if name not in values)


def _value(entry: Measure, states: States, values: Mapping[str, Any], *, exact: bool) -> float:
    formula = entry.computation.formula
    assert formula is not None
    if formula.unsure_near_independence:
        near = bool(states.near_independence[0])
        if not exact:
            entropies = states.entropies
            unrefined = values["cells"] not in (values["rows"], values["cols"])
            shared = int(entropies.reference - entropies.merge)
            near |= unrefined and shared << 20 <= int(entropies.top)
        if near:
            raise ValueError(
                f"{entry.name}: the clusterings are so close to independent that their sums do "
                "not tell it; bring the cells home and make a table of them, with "
                "Contingency.from_counts"
            )
    parts = [getattr(states, name) for name in formula.parts]
    return float(formula.function(*parts, **entry.options))
