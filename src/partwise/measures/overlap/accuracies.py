"""Accuracies of clusters paired one to one, corrected for the number of clusters."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from partwise.measures.error_bound import OF_DIFFERENCES
from partwise.measures.overlap import measure
from partwise.measures.overlap.set_similarity import one_to_one, paired_gain
from partwise.measures.quotients import QuotientSum
from partwise.solvers.gains import scaled_gains
from partwise.solvers.matching import best_matching
from partwise.table.contingency import Contingency
from partwise.table.memo import memoized

__all__ = [
    "normalized_clustering_accuracy",
    "normalized_pivoted_accuracy",
]


@memoized
def _paired_recall(table: Contingency) -> QuotientSum:
    """Return the largest sum of n_ij / n_i over one-to-one pairings."""
    shares = table.counts / table.row_sizes[table.rows]
    gains = np.maximum(scaled_gains(shares)[0], 1)
    cell_of_row, _, _ = best_matching(
        table.indptr, table.cols, gains, table.shape[1], tied=False
    )
    cells = cell_of_row[cell_of_row >= 0]
    weight = np.ones(len(cells), dtype=np.int64)
    sizes = table.row_sizes[table.rows[cells]]
    return QuotientSum(weight, table.counts[cells], sizes)


@measure(
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    normalized=True,
    weights=False,
    solver="matching",
    error_bound=OF_DIFFERENCES,
    source="Gagolewski 2025",
    default=False,
)
def normalized_clustering_accuracy(table: Contingency) -> float:
    """Mean recall of reference clusters paired one to one, corrected for their number.

    Returns
    -------
    float
        In [0, 1]. 1: identical; 0: no better than clusters of equal shares.

    Notes
    -----
    ((1/K) max over one-to-one pairings of the sum of the paired n_ij / n_i, less 1/M) over
    1 - 1/M, with M = max(K, L): every reference cluster counts the same, whatever its size.
    With different numbers of clusters the table is filled up with empty ones, so that a
    cluster without a partner has recall 0; the mean over all pairings is then 1/M, so that the
    best one is never below 0. One cluster on both sides, or n = 0: 1; a single
    reference cluster against several: 0. Shares are solved as integers of 50 bits. Not
    symmetric. See ``solvers.match`` for the cost.

    References
    ----------
    Gagolewski, Normalised clustering accuracy: an asymmetric external cluster validity
    measure, Journal of Classification 2025.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.normalized_clustering_accuracy([0, 0, 1, 1], [0, 1, 1, 1])
    0.5
    """
    rows, cols = table.shape
    if one_to_one(table):
        return 1.0
    if rows == 1:
        return 0.0
    most = max(rows, cols)
    above = _paired_recall(table).less(Fraction(rows, most))
    return float(above * most / (rows * (most - 1)))


@measure(
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    normalized=True,
    weights=False,
    solver="matching",
    source="Gagolewski 2025",
    default=False,
)
def normalized_pivoted_accuracy(table: Contingency) -> float:
    """Classification accuracy, corrected for the number of clusters, in [0, 1].

    Returns
    -------
    float
        1: identical.

    Notes
    -----
    (A - 1/M) / (1 - 1/M), with A = ``classification_accuracy`` and M = max(K, L); never below
    0, as A is at least 1/M. One cluster on both sides, or n = 0: 1. Exact integers, one
    division. See ``solvers.match`` for the cost.

    References
    ----------
    Gagolewski, Normalised clustering accuracy: an asymmetric external cluster validity
    measure, Journal of Classification 2025.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.normalized_pivoted_accuracy([0, 0, 1, 1], [0, 1, 1, 1])
    0.5
    """
    if one_to_one(table):
        return 1.0
    n, most = table.n_items, max(table.shape)
    return float((most * paired_gain(table, "overlap", "optimal") - n) / (n * (most - 1)))
