"""B-cubed where every reference cluster counts the same, whatever its size."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from partwise.measures.components.sums import Parts, by_rows, ratio_parts
from partwise.measures.quotients import QuotientSum, products
from partwise.table.contingency import Contingency
from partwise.table.memo import memoized

CLUSTER_WEIGHTS = ("size", "uniform")


@memoized
def squares_over_sizes(table: Contingency, side: str) -> QuotientSum:
    """Return the sum of n_ij^2 / (n_i m_j) ("cols") or of n_ij^2 / n_i^2 ("rows")."""
    sizes = table.row_sizes[table.rows]
    others = table.col_sizes[table.cols] if side == "cols" else sizes
    return QuotientSum(table.counts, table.counts, products(sizes, others))


def mean_over_clusters(table: Contingency, side: str) -> Fraction:
    """Return B-cubed precision ("cols") or recall ("rows"), averaged over reference clusters.

    Each item's share is averaged in its reference cluster first.
    """
    if table.masses is not None:
        raise ValueError(
            'cluster_weights="uniform" counts whole items and takes no weights; multiplicity= '
            "repeats items a whole number of times"
        )
    if not table.n_items:
        return Fraction(1)
    return squares_over_sizes(table, side).total / table.shape[0]


def of_cluster_means(side: str) -> Callable[..., Parts]:
    """Return the decomposition: components weigh their number of reference clusters."""

    def parts(table: Contingency, cluster_weights: str = "uniform") -> Parts:
        sizes = table.row_sizes[table.rows]
        others = table.col_sizes[table.cols] if side == "cols" else sizes
        lost = (table.counts / sizes) * ((others - table.counts) / others)
        of_row = np.bincount(table.rows, lost, table.shape[0])
        clusters = by_rows(table, np.ones(table.shape[0], dtype=np.int64))
        return ratio_parts(
            table, by_rows(table, of_row), clusters, table.shape[0], complete=True
        )

    return parts
