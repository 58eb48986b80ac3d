"""The split-merge framework's entropy score S_H."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from partwise import _kernels, order_free
from partwise.catalogue import measure
from partwise.contingency import Contingency, Masses, shared
from partwise.labels.columns import IntArray
from partwise.measures.entropy_sums import fraction_bits, log_ratio_terms
from partwise.measures.options import one_of
from partwise.order_free import FloatArray, Totals

_ONE = 1 << 62


@shared
def entropy_scores(table: Contingency) -> tuple[IntArray, IntArray]:
    """Return the split scores of rows and the merge scores of columns, times 2^62."""
    return _kernels.impl.split_scores(
        *table.cells, table.row_sizes, table.col_sizes, fraction_bits(table.n_items)
    )


@measure(
    family="split-merge",
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    join_weighted=True,
    conditionally_normalized=True,
    normalized=True,
    subcomponent_consistent=True,
    source="SM, section 4.5 and equations (4), (5)",
    variants={
        "combine=mean": {
            "conditionally_normalized": False,
            "normalized": False,
            "subcomponent_consistent": False,
        }
    },
)
def s_entropy(table: Contingency, combine: str = "product") -> float:
    """Split-merge score S_H: how whole each item's clusters stay on both sides, in [0, 1].

    Parameters
    ----------
    combine : {"product", "mean"}, default "product"
        S* (equation 4) multiplies an item's split and merge score, S' (equation 5) takes
        their mean.

    Returns
    -------
    float
        1: identical; 0 (product): no pair of items is together in both and no cluster is
        shared.

    Raises
    ------
    ValueError
        ``combine`` is another word.

    Notes
    -----
    The score of a cluster of size x is the sum of p ln p over its parts p, divided by x ln x:
    1 if whole (also for a singleton), 0 if it falls into single items. S* = sum_ij (n_ij / n)
    s(A_i) s(B_j); n = 0: 1. Cluster scores are fractions of 2^62, their products are summed
    exactly, so 0 and 1 are exact. O(cells).

    Against all singletons it is the share of items that are alone already, which can be 0 (the
    proof of SM's proposition 5.1 says otherwise; the proposition holds).

    References
    ----------
    Split-merge (ICML 2012), section 4.5, equations (4) and (5).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.s_entropy([0, 0, 1, 1], [0, 1, 2, 2])
    0.5
    """
    n = table.n_items
    one_of(combine, ("product", "mean"), "combine")
    if n == 0:
        return 1.0
    if (masses := table.all_masses) is not None:
        return _weighted(table, masses, combine)
    rows, cols = entropy_scores(table)
    if combine == "product":
        return _kernels.impl.sum_products(*table.cells, rows, cols) / (n * _ONE * _ONE)
    split = _kernels.impl.sum_weighted(table.row_sizes, rows)
    merge = _kernels.impl.sum_weighted(table.col_sizes, cols)
    return (split + merge) / (2 * n * _ONE)


def _weighted(table: Contingency, masses: Masses, combine: str) -> float:
    """Return the score where items have masses: H from masses, ln of numbers of items."""
    rows = _weighted_scores(table, table.rows, masses.rows, table.row_sizes)
    cols = _weighted_scores(table, table.cols, masses.cols, table.col_sizes)
    if combine == "product":
        above = order_free.total(masses.cells.high * rows[table.rows] * cols[table.cols])
        return float(Fraction(*above) / Fraction(*order_free.total(masses.cells.high)))
    sides = ((masses.rows.high, rows), (masses.cols.high, cols))
    found = [
        Fraction(*order_free.total(mass * score)) / Fraction(*order_free.total(mass))
        for mass, score in sides
    ]
    return float(sum(found) / 2)


def _weighted_scores(
    table: Contingency, of_cell: IntArray, masses: Totals, sizes: IntArray
) -> FloatArray:
    """Return 1 - H(parts) / ln size of each cluster; by counts where it has no mass."""
    assert table.all_masses is not None
    whole, cells = masses.at(of_cell), table.all_masses.cells
    empty = whole.high == 0
    part = np.where(empty, table.counts, cells.high)
    rest = np.where(empty, sizes[of_cell] - table.counts, np.maximum(whole.minus(cells), 0.0))
    size = np.where(empty, sizes[of_cell], whole.high)
    terms = log_ratio_terms(part, rest) / size
    entropies = order_free.group_totals(terms, of_cell, len(sizes)).high
    scores: FloatArray = np.ones(len(sizes))
    broken = np.bincount(of_cell, minlength=len(sizes)) > 1
    scores[broken] = np.maximum(0.0, 1.0 - entropies[broken] / np.log(sizes[broken]))
    return scores
