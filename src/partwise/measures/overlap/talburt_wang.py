"""The Talburt-Wang index: numbers of clusters against the number of overlaps."""

from __future__ import annotations

from partwise.measures.formulas import Formula, Result, ratio, root
from partwise.measures.overlap import measure
from partwise.measures.sums import Value
from partwise.table.contingency import Contingency

__all__ = [
    "talburt_wang_index",
]


def _index(rows: Value, cols: Value, cells: Value) -> Result:
    return root(ratio(rows * cols, cells * cells, 1))


@measure(
    formula=Formula(_index, ("rows", "cols", "cells")),
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    weights=False,
    source="Talburt, Wang, Hess and Kuo 2007",
    default=False,
)
def talburt_wang_index(table: Contingency) -> float:
    """Geometric mean of the numbers of clusters over the number of overlaps, in (0, 1].

    Returns
    -------
    float
        1: identical.

    Notes
    -----
    sqrt(K L) / Z, with Z the pairs of clusters that have an item in common; n = 0: 1. Looks at
    no size: a split of one item counts as much as one of half a cluster. O(1).

    References
    ----------
    Talburt, Wang, Hess and Kuo, An algebraic approach to data quality metrics for entity
    resolution over large datasets, 2007.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.talburt_wang_index([0, 0, 1, 1], [0, 1, 0, 1])
    0.5
    """
    return _index(*table.shape, table.n_cells)
