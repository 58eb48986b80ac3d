"""The generalized merge distance: what it costs to cut and join clusters into others."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from partwise.measures.components.sums import (
    Parts,
    by_cells,
    by_cols,
    by_rows,
    join_weighted,
    merge_losses,
    plain_sum,
    split_losses,
)
from partwise.measures.formulas import ratio
from partwise.measures.information.entropy_sums import sums
from partwise.measures.pairs.pairs import confusion
from partwise.measures.split_merge import measure
from partwise.numbers.checks import number
from partwise.table.contingency import Contingency

__all__ = [
    "merge_distance",
]

COSTS = ("unit", "pairs", "entropy")
#: A function of two sizes is tried out on all triples of so many sizes.
_TRIED = 8


def _weight(value: Any, option: str) -> Fraction:
    """Check the weight of cuts or of joins."""
    weight = number(value, option)
    if not 0 <= weight < math.inf:
        raise ValueError(f"{option}={value!r} must be a finite number of at least 0")
    return Fraction(weight)


def _check_cost(cost: Any) -> None:
    if not callable(cost) and cost not in COSTS:
        raise ValueError(
            f"cost={cost!r} is not one of: {', '.join(COSTS)}, nor a function of two sizes"
        )


def _of_distance(
    table: Contingency, cost: Any = "unit", split: float = 1.0, merge: float = 1.0
) -> Parts:
    """Clusters are cut and joined inside their component."""
    _check_cost(cost)
    cut, joined = float(_weight(split, "split")), float(_weight(merge, "merge"))
    if callable(cost):
        raise ValueError(
            "decompose takes cost= unit, pairs or entropy; a function of two sizes is called "
            "for the whole table only"
        )
    if cost == "entropy":
        losses = cut * split_losses(table) + joined * merge_losses(table)
        return join_weighted(table, losses, distance=True)
    if cost == "unit":
        cells = by_cells(table, np.ones(table.n_cells, dtype=np.int64))
        parts, clusters = (
            cells,
            [
                by_rows(table, np.ones(table.shape[0], dtype=np.int64)),
                by_cols(table, np.ones(table.shape[1], dtype=np.int64)),
            ],
        )
    else:
        parts = by_cells(table, _pairs(table.counts))
        clusters = [
            by_rows(table, _pairs(table.row_sizes)),
            by_cols(table, _pairs(table.col_sizes)),
        ]
    sign = 1 if cost == "unit" else -1
    cuts, joins = (sign * (parts - side) for side in clusters)
    if cut == joined == 1:
        return plain_sum(cuts + joins)
    return plain_sum(cut * cuts + joined * joins)


def _pairs(sizes: Any) -> Any:
    if len(sizes) and int(sizes.max()) >= 1 << 31:
        sizes = sizes.astype(object)
    return sizes * (sizes - 1) // 2


def _check_order(cost: Callable[[int, int], float], sizes: list[int]) -> None:
    """Raise if what a cluster costs depends on the order in which parts are cut or joined."""
    for x, y, z in product(sizes, repeat=3):
        first, second = cost(x, y) + cost(x + y, z), cost(y, z) + cost(x, y + z)
        if not math.isclose(first, second, rel_tol=1e-9, abs_tol=1e-12):
            raise ValueError(
                f"cost: joining {x} and {y} and then {z} costs {first!r}, but {y} and {z} and "
                f"then {x} costs {second!r}, so the distance would depend on an order; take "
                "cost(x, y) = F(x + y) - F(x) - F(y) for some F"
            )


def _by_function(
    table: Contingency, cost: Callable[[int, int], float], cut: Fraction, joined: Fraction
) -> float:
    """Add the parts of each cluster one by one, the large ones first."""
    present = np.unique(np.concatenate((table.counts, table.row_sizes, table.col_sizes)))
    tried = sorted({1, 2, 3, *present[:_TRIED].tolist(), *present[-2:].tolist()})[:_TRIED]
    _check_order(cost, tried)

    def total(side: Any) -> float:
        order = np.lexsort((-table.counts, side))
        terms, clusters, counts = [], side[order].tolist(), table.counts[order].tolist()
        current, size = -1, 0
        for cluster, count in zip(clusters, counts, strict=True):
            if cluster == current:
                terms.append(float(cost(size, count)))
                size += count
            else:
                current, size = cluster, count
        return math.fsum(terms)

    return float(cut) * total(table.rows) + float(joined) * total(table.cols)


@measure(
    decomposition=_of_distance,
    range=(0, None),
    direction="lower",
    value_if_identical=0,
    symmetric=True,
    weights=False,
    source="Menestrina, Whang and Garcia-Molina 2010",
    default=False,
    variants={
        "cost=pairs": {"metric": True},
        "cost=entropy": {"metric": True, "join_weighted": True},
    },
)
def merge_distance(
    table: Contingency,
    cost: str | Callable[[int, int], float] = "unit",
    split: float = 1.0,
    merge: float = 1.0,
) -> float:
    """Least cost of cutting reference clusters and joining the parts into candidate clusters.

    Parameters
    ----------
    cost : {"unit", "pairs", "entropy"} or callable, default "unit"
        Of one cut into parts of x and y items, or one join of such: 1; x y, the pairs that
        are parted or joined; F(x + y) - F(x) - F(y) with F(x) = (x ln x) / n, in nats; or
        ``cost(x, y)``.
    split : float, default 1
        What each cut is multiplied by, at least 0.
    merge : float, default 1
        What each join is multiplied by, at least 0.

    Returns
    -------
    float
        0: identical (where no weight is 0).

    Raises
    ------
    ValueError
        ``cost`` is another word, or a function with which the order of cuts matters (tried on
        some sizes); a weight is negative or not finite.

    Notes
    -----
    Every reference cluster is cut into its cells, and cells are joined: with K and L clusters
    and Z cells split (Z - K) + merge (Z - L); with pairs split N10 + merge N01; with entropy
    split H(candidate | reference) + merge H(reference | candidate), the variation of
    information. n = 0: 0. O(cells), with a function O(cells log cells) and one call for each
    cut and join.

    References
    ----------
    Menestrina, Whang and Garcia-Molina, Evaluating entity resolution results, VLDB 2010.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.merge_distance([0, 0, 1, 1], [0, 1, 1, 1]), pw.merge_distance(
    ...     [0, 0, 1, 1], [0, 1, 1, 1], cost=lambda x, y: x * y
    ... )
    (2.0, 3.0)
    """
    _check_cost(cost)
    cut, joined = _weight(split, "split"), _weight(merge, "merge")
    if callable(cost):
        return _by_function(table, cost, cut, joined)
    if cost == "entropy":
        s = sums(table)
        return ratio(cut * s.split + joined * s.merge, s.unit)
    if cost == "pairs":
        pairs = confusion(table)
        return float(cut * pairs.n10 + joined * pairs.n01)
    rows, cols = table.shape
    return float(cut * (table.n_cells - rows) + joined * (table.n_cells - cols))
