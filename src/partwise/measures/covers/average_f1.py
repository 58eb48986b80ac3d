"""The average F1 of each cluster and the cluster of the other cover that is nearest to it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from partwise.labels.covers.cover import Cover
from partwise.measures.covers.joint import CoverPair
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.report.brief import Brief

__all__ = ["AverageF1", "average_f1"]


@dataclass(frozen=True, repr=False)
class AverageF1(Brief):
    """The average F1 of two covers.

    Attributes
    ----------
    reference : float
        Mean over the reference's clusters of the best F1 with a candidate's.
    candidate : float
        Mean over the candidate's clusters of the best F1 with a reference's.
    mean : float
        The mean of both.
    """

    reference: float
    candidate: float
    mean: float


def _mean_of_best(values: FloatArray, owners: IntArray, n_clusters: int) -> float:
    best = np.zeros(n_clusters)
    np.maximum.at(best, owners, values)
    return math.fsum(best.tolist()) / n_clusters


def average_f1(reference: Cover, candidate: Cover) -> AverageF1:
    """Mean over clusters of the F1 with the nearest cluster of the other cover, in [0, 1].

    Parameters
    ----------
    reference, candidate : Cover
        Of the same items.

    Returns
    -------
    AverageF1
        ``reference``, ``candidate`` and their ``mean``, which is what papers report.

    Raises
    ------
    TypeError
        An argument is no ``Cover``.
    ValueError
        The covers have different items.

    Notes
    -----
    The F1 of two clusters is 2 |c and d| / (|c| + |d|). Where several are nearest, their value
    is the same. No cluster on one side: 0; on both: 1. Items in no cluster have no effect, and
    equal clusters count separately. O(cells), which are the pairs of clusters with an item in
    common; sums do not depend on the order.

    References
    ----------
    Yang and Leskovec, Overlapping community detection at scale: a nonnegative matrix
    factorization approach, WSDM 2013.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.average_f1(pw.Cover([[0, 1], [1, 2]], n_items=3), pw.Cover([[0, 1]], n_items=3))
    AverageF1(reference=0.7500, candidate=1.0000, mean=0.8750)
    """
    pair = CoverPair.of(reference, candidate, "average_f1")
    rows, cols = pair.sizes
    if not len(rows) or not len(cols):
        both = float(len(rows) == len(cols))
        return AverageF1(both, both, both)
    cells = pair.common
    values = 2 * cells.data / (rows[cells.row] + cols[cells.col])
    first = _mean_of_best(values, cells.row, len(rows))
    second = _mean_of_best(values, cells.col, len(cols))
    return AverageF1(first, second, (first + second) / 2)
