"""Element-centric similarity: for each item, how alike its two clusters are."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from typing import Any, Literal

import numpy as np

from partwise.measures.components.sums import Parts, by_cells, join_weighted
from partwise.measures.covers.element_centric import similarity_of_covers
from partwise.measures.hierarchies.element_centric import (
    check_levels,
    similarity_of_hierarchies,
)
from partwise.measures.overlap import b_cubed_measure
from partwise.measures.overlap.set_similarity import one_to_one
from partwise.measures.quotients import QuotientSum
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import flag, number
from partwise.table.alignment import Alignment
from partwise.table.contingency import Contingency
from partwise.table.memo import memoized, memoized_for_margins

__all__ = [
    "element_centric_similarity",
]


def _larger_sizes(table: Contingency) -> IntArray:
    """Return, of each cell, the size of the larger of its two clusters."""
    return np.maximum(table.row_sizes[table.rows], table.col_sizes[table.cols])


@memoized
def _similar(table: Contingency) -> QuotientSum:
    """Return the sum over items of their similarity."""
    return QuotientSum(table.counts, table.counts, _larger_sizes(table))


@memoized_for_margins
def expected_sum(table: Contingency) -> Fraction:
    """Return the mean of the summed similarity over all orders of the items, exactly.

    With clusters of a and b items the mean of n_ij^2 is a b (a b + n - a - b) / (n (n - 1)),
    and max(a, b) cancels: the pair adds min(a, b) (a b + n - a - b) / (n (n - 1)). One pass
    over the distinct sizes of both sides in ascending order.
    """
    n = table.n_items
    sizes, times = np.unique(table.row_sizes, return_counts=True)
    rows = list(zip(sizes.tolist(), times.tolist(), strict=True))
    powers = [(0, 0, 0), *((t, t * a, t * a * a) for a, t in rows)]
    sums = list(accumulate(powers, lambda x, y: (x[0] + y[0], x[1] + y[1], x[2] + y[2])))
    total, upto = 0, 0
    sizes, times = np.unique(table.col_sizes, return_counts=True)
    for b, often in zip(sizes.tolist(), times.tolist(), strict=True):
        while upto < len(rows) and rows[upto][0] <= b:
            upto += 1
        small, large = sums[upto], [x - y for x, y in zip(sums[-1], sums[upto], strict=True)]
        # sum of a (a b + n - a - b) over the smaller a, of b (a b + n - a - b) over the others
        below = (b - 1) * small[2] + (n - b) * small[1]
        above = b * ((b - 1) * large[1] + (n - b) * large[0])
        total += often * (below + above)
    return Fraction(total, n * (n - 1))


def check_walk(alpha: Any, average: Any) -> None:
    """Check the options that say how the walk returns and what is averaged."""
    value = number(alpha, "alpha")
    if not 0 < value < 1:
        raise ValueError(
            f"alpha={alpha!r} must lie between 0 and 1: it is the chance that the walk goes on"
        )
    if average not in ("items", None):
        raise ValueError(
            f'average={average!r} must be "items" (one number) or None (one number per item)'
        )


def _of_items(
    aligned: Alignment,
    adjusted: bool = False,
    average: Any = None,
    alpha: float = 0.9,
    r: float = 1.0,
    levels: Any = "max",
) -> FloatArray:
    """Return the similarity of each item, in the order of the alignment's items."""
    check_walk(alpha, average)
    check_levels(r, levels)
    if flag(adjusted, "adjusted"):
        raise ValueError(
            "adjusted=True corrects the mean over items and has no value per item; leave out "
            "average=None or adjusted=True"
        )
    table = aligned.table
    values = table.counts / _larger_sizes(table)
    per_item: FloatArray = values[aligned.cell_of_item]
    return per_item


def _of_covers(
    reference: Any,
    candidate: Any,
    *,
    adjusted: bool = False,
    average: Any = "items",
    alpha: float = 0.9,
    **policies: Any,
) -> float | FloatArray:
    """Return the similarity of two covers, where alpha has an effect."""
    check_walk(alpha, average)
    for option in policies:
        raise TypeError(
            f"element_centric_similarity of covers has no option {option!r}; leave it out"
        )
    if flag(adjusted, "adjusted"):
        raise ValueError(
            "adjusted=True is for partitions; the mean over orders of the items of two covers "
            "has no closed form"
        )
    return similarity_of_covers(reference, candidate, average, float(alpha))


def _of_hierarchies(
    reference: Any,
    candidate: Any,
    *,
    adjusted: bool = False,
    average: Any = "items",
    alpha: float = 0.9,
    r: float = 1.0,
    levels: Any = "max",
    **policies: Any,
) -> float | FloatArray:
    """Return the similarity of two hierarchies."""
    check_walk(alpha, average)
    for option in policies:
        raise TypeError(
            f"element_centric_similarity of hierarchies has no option {option!r}; leave it out"
        )
    if flag(adjusted, "adjusted"):
        raise ValueError(
            "adjusted=True is for partitions; the mean over orders of the items of two "
            "hierarchies has no closed form"
        )
    return similarity_of_hierarchies(reference, candidate, average, float(alpha), r, levels)


def _of_similarity(table: Contingency) -> Parts:
    """Each item loses the share of its larger cluster that is outside the smaller one."""
    sizes = _larger_sizes(table)
    lost = table.counts * ((sizes - table.counts) / sizes)
    return join_weighted(table, by_cells(table, lost))


@b_cubed_measure(
    decomposition=_of_similarity,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    metric=True,
    join_weighted=True,
    weights=False,
    per_item=_of_items,
    covers=_of_covers,
    hierarchies=_of_hierarchies,
    call_only=("average", "r", "levels"),
    source="Gates, Wood, Hetrick and Ahn 2019",
    default=False,
    variants={
        "adjusted=True": {
            "range": (None, 1),
            "metric": False,
            "join_weighted": False,
            "decomposition": None,
            "per_item": None,
        }
    },
)
def element_centric_similarity(
    table: Contingency,
    adjusted: bool = False,
    average: Literal["items"] | None = "items",
    alpha: float = 0.9,
    r: float = 1.0,
    levels: Literal["max", "min", "linkage", "linkage_rescaled"] = "max",
) -> float:
    """Mean over items of the overlap of their two clusters over the larger, in [1/n, 1].

    Parameters
    ----------
    adjusted : bool, default False
        Correct for chance by the exact mean over all orders of the items: (S - E) / (1 - E);
        negative below chance.
    average : {"items", None}, default "items"
        None returns the similarity of each item: an array in the order of the reference's
        items (needs the items: two clusterings or an ``Alignment``).
    alpha : float, default 0.9
        The chance that the walk goes on, between 0 and 1. It has no effect on the similarity
        of two partitions, only on that of covers and of hierarchies.
    r : float, default 1.0
        Of hierarchies only: a cluster weighs exp(r level); 0: all the same.
    levels : {"max", "min", "linkage", "linkage_rescaled"}, default "max"
        Of hierarchies only. Depth over depth and height, 0 at the root and 1 at the items,
        the height by the longest way down or by the shortest; or the height of the cluster,
        so that r > 0 stresses the root; or 1 less its share of the largest height.

    Returns
    -------
    float, or ndarray of float64 of shape (n,)
        1: identical; 1/n: one cluster against single items.

    Raises
    ------
    ValueError
        ``alpha`` is not between 0 and 1, ``average`` is another word, or it is None beside
        ``adjusted=True``.
    TypeError
        ``average=None`` on a table, which holds no items.

    Notes
    -----
    The similarity of an item's personalised PageRank vectors in both clusterings, which for
    partitions is n_ij / max(n_i, m_j): the smaller of the item's B-cubed precision and recall.
    So the mean, (1/n) sum_ij n_ij^2 / max(n_i, m_j), is at most ``b_cubed_precision`` and at
    most ``b_cubed_recall``. One minus it is a metric. n = 0: 1. Adjusted where every order of
    the items has the same value (all single items, or one cluster, on both sides): 1. Terms
    are cut below 2^-126; the mean over orders is an exact fraction. O(cells); the adjusted
    form O(cells + clusters log clusters).

    Two ``Cover`` objects are compared by the walks themselves, which go to a cluster of the
    item, then to an item of that cluster. Every item must be in a cluster
    (``Cover.with_singletons``). One linear system for each group of overlapping clusters, K x K
    for K of them, and time in proportion to the square of the kinds of items (those in the
    same clusters are one kind) that two such groups have in common.

    Two ``Hierarchy`` objects are compared by walks over all their clusters, the items among
    them. Time in proportion to the square of the items, memory to the items.

    References
    ----------
    Gates, Wood, Hetrick and Ahn, Element-centric clustering comparison unifies overlaps and
    hierarchy, Scientific Reports 2019.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.element_centric_similarity([0, 0, 1, 1], [0, 1, 1, 1]) == 13 / 24
    True
    >>> pw.element_centric_similarity([0, 0, 1], [0, 1, 1], average=None).tolist()
    [0.5, 0.5, 0.5]
    """
    check_walk(alpha, average)
    check_levels(r, levels)
    if average is None:
        raise TypeError(
            "element_centric_similarity(average=None) needs the items, which a Contingency "
            "does not hold; pass two clusterings or an Alignment"
        )
    if flag(adjusted, "adjusted"):
        return _adjusted(table)
    if table.n_items == 0 or one_to_one(table):
        return 1.0
    return float(_similar(table).total / table.n_items)


def _adjusted(table: Contingency) -> float:
    if table.n_items <= 1 or one_to_one(table):
        return 1.0
    expected = expected_sum(table)
    return float(_similar(table).less(expected) / (table.n_items - expected))
