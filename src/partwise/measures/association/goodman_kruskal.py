"""Goodman and Kruskal's tau and lambda: how much better one side is guessed from the other."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

import numpy as np

from partwise.measures.association import measure
from partwise.measures.components.losses import outside_largest
from partwise.measures.components.sums import (
    Parts,
    by_cells,
    by_cols,
    by_rows,
    components_of,
    ratio_parts,
)
from partwise.measures.information.entropy_sums import independent
from partwise.measures.overlap.purity import cover
from partwise.measures.pairs.pairs import confusion
from partwise.measures.quotients import QuotientSum
from partwise.numbers.arrays import IntArray
from partwise.numbers.checks import one_of
from partwise.table.contingency import Contingency
from partwise.table.memo import memoized

__all__ = [
    "goodman_kruskal_lambda",
    "goodman_kruskal_tau",
]

DIRECTIONS = ("reference", "candidate")


def _known_and_guessed(direction: str) -> tuple[str, str]:
    """Return the margin that is known and the one that is guessed."""
    one_of(direction, DIRECTIONS, "direction")
    return ("rows", "cols") if direction == "reference" else ("cols", "rows")


def _sizes(table: Contingency, side: str) -> IntArray:
    return table.row_sizes if side == "rows" else table.col_sizes


def _squares(table: Contingency, side: str) -> int:
    """Return the sum of the squared sizes, of the pairs that measures of pairs have."""
    pairs = confusion(table)
    together = pairs.n11 + (pairs.n10 if side == "rows" else pairs.n01)
    return 2 * together + table.n_items


# ---- tau ---------------------------------------------------------------------------------


@memoized
def _squares_over_known(table: Contingency, side: str) -> QuotientSum:
    """Return the sum of n_ij^2 over the size of the cell's cluster on the side."""
    of_cell = table.rows if side == "rows" else table.cols
    return QuotientSum(table.counts, table.counts, _sizes(table, side)[of_cell])


def _of_tau(
    table: Contingency, direction: Literal["reference", "candidate"] = "reference"
) -> Parts:
    """Return the parts of 1 - L / B: L = n - sum n_ij^2 / n_i, B = n - (sum m_j^2) / n."""
    known, guessed = _known_and_guessed(direction)
    of_cell = table.rows if known == "rows" else table.cols
    sizes = _sizes(table, known)[of_cell]
    lost = by_cells(table, table.counts * ((sizes - table.counts) / sizes))
    items = components_of(table).sizes.astype(np.float64)
    join = components_of(table)
    groups = join.row_component if guessed == "rows" else join.col_component
    shares = _sizes(table, guessed)
    rest = shares * ((join.sizes[groups] - shares) / items[groups])
    base = by_rows(table, rest) if guessed == "rows" else by_cols(table, rest)
    n = table.n_items
    total_base = float(n - Fraction(_squares(table, guessed), n))
    return ratio_parts(table, lost, base, total_base)


@measure(
    decomposition=_of_tau,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    normalized=True,
    source="Goodman and Kruskal 1954",
    variants={"direction=candidate": {}},
)
def goodman_kruskal_tau(
    table: Contingency, direction: Literal["reference", "candidate"] = "reference"
) -> float:
    """Share of wrong proportional guesses of one side that the other side saves, in [0, 1].

    Parameters
    ----------
    direction : {"reference", "candidate"}, default "reference"
        The side that is known; clusters of the other are guessed.

    Returns
    -------
    float
        1: the known side refines the other; 0: independent.

    Raises
    ------
    ValueError
        ``direction`` is another word.

    Notes
    -----
    Each item's cluster is guessed with the clusters' shares, in its known cluster or among
    all items: (sum_ij n_ij^2 / n_i - (sum_j m_j^2) / n) / (n - (sum_j m_j^2) / n). A single
    cluster, or none, to guess: 1, as nothing is left to guess. O(cells).

    References
    ----------
    Goodman and Kruskal, Measures of association for cross classifications, JASA 1954.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.goodman_kruskal_tau([0, 0, 1, 1], [0, 1, 1, 1]) == 1 / 3
    True
    """
    known, guessed = _known_and_guessed(direction)
    if len(_sizes(table, guessed)) <= 1:
        return 1.0
    if independent(table):
        return 0.0
    n = table.n_items
    by_chance = Fraction(_squares(table, guessed), n)
    return float(_squares_over_known(table, known).less(by_chance) / (n - by_chance))


# ---- lambda ------------------------------------------------------------------------------


def _largest(table: Contingency, side: str) -> int:
    return int(_sizes(table, side).max(initial=0))


def _of_lambda(
    table: Contingency, direction: Literal["reference", "candidate"] = "reference"
) -> Parts:
    """Return the parts of 1 - L / B: items outside the largest cells, outside the largest."""
    known, guessed = _known_and_guessed(direction)
    lost = outside_largest(table, known)
    join = components_of(table)
    groups = join.row_component if guessed == "rows" else join.col_component
    largest = np.zeros(join.n_components, dtype=np.int64)
    np.maximum.at(largest, groups, _sizes(table, guessed))
    total_base = table.n_items - _largest(table, guessed)
    return ratio_parts(table, lost, join.sizes - largest, total_base)


def _lambda(best: Any, largest: int, known: str) -> float:
    total = best.reference_total
    right = best.reference_best if known == "rows" else best.candidate_best
    return float((right - largest) / (total - largest))


@measure(
    decomposition=_of_lambda,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    normalized=True,
    source="Goodman and Kruskal 1954",
    variants={"direction=candidate": {}},
)
def goodman_kruskal_lambda(
    table: Contingency, direction: Literal["reference", "candidate"] = "reference"
) -> float:
    """Share of wrong best guesses of one side that the other side saves, in [0, 1].

    Parameters
    ----------
    direction : {"reference", "candidate"}, default "reference"
        The side that is known; clusters of the other are guessed.

    Returns
    -------
    float
        1: the known side refines the other. 0 does not mean that they are independent, only
        that the guess is the same in every known cluster.

    Raises
    ------
    ValueError
        ``direction`` is another word.

    Notes
    -----
    Each item's cluster is guessed to be the largest, in its known cluster or of all items:
    (sum_i max_j n_ij - max_j m_j) / (n - max_j m_j). A single cluster, or none, to guess: 1.
    Exact integers, one division. O(cells).

    References
    ----------
    Goodman and Kruskal, Measures of association for cross classifications, JASA 1954.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.goodman_kruskal_lambda([0, 0, 1, 1], [0, 0, 1, 2]) == 1 / 2
    True
    """
    known, guessed = _known_and_guessed(direction)
    if len(_sizes(table, guessed)) <= 1:
        return 1.0
    return _lambda(cover(table), _largest(table, guessed), known)
