"""Closest-cluster scores: each cluster beside the one on the other side that is most alike."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Unpack

import numpy as np

from partwise.measures.components.sums import Parts, by_cols, by_rows, ratio_parts
from partwise.measures.overlap import measure
from partwise.measures.overlap.cluster_similarity import similarities
from partwise.measures.overlap.set_similarity import nearest_cells, nearest_gain
from partwise.table.arguments import Reference, table_of
from partwise.table.contingency import Contingency
from partwise.typing import Candidate, Policies

__all__ = [
    "closest_cluster",
    "closest_cluster_f1",
    "closest_cluster_precision",
    "closest_cluster_recall",
]


@dataclass(frozen=True, slots=True)
class ClosestCluster:
    """Closest-cluster scores.

    Attributes
    ----------
    precision, recall, f1 : float
        Each in (0, 1], 1 for no items.
    """

    precision: float
    recall: float
    f1: float


def closest_cluster(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> ClosestCluster:
    """Closest-cluster precision, recall and their harmonic mean.

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` or ``Contingency``.
    **policies
        See ``align``.

    Returns
    -------
    ClosestCluster

    Examples
    --------
    >>> import partwise as pw
    >>> scores = pw.closest_cluster([0, 0, 1, 1], [0, 0, 0, 0])
    >>> scores.precision, scores.recall, scores.f1
    (0.5, 0.5, 0.5)
    """
    table = table_of(reference, candidate, policies, "closest_cluster")
    return ClosestCluster(
        closest_cluster_precision(table),
        closest_cluster_recall(table),
        closest_cluster_f1(table),
    )


def _share(table: Contingency, side: str) -> Fraction:
    """Return the mean over clusters of a side of their largest Jaccard index."""
    clusters = table.shape[0 if side == "reference" else 1]
    return Fraction(nearest_gain(table, "jaccard", side), clusters) if clusters else Fraction(1)


def _of_side(side: str) -> Any:
    """Return the decomposition of a side's mean: components weigh their clusters."""

    def parts(table: Contingency) -> Parts:
        cells = nearest_cells(table, "jaccard", side)
        lost = 1.0 - similarities(table, "jaccard")[cells]
        total, by_side = (
            (table.shape[0], by_rows) if side == "reference" else (table.shape[1], by_cols)
        )
        clusters = by_side(table, np.ones(total, dtype=np.int64))
        # one cell for each cluster of the side, in order
        return ratio_parts(table, by_side(table, lost), clusters, total, complete=True)

    return parts


@measure(
    decomposition=_of_side("candidate"),
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    weights=False,
    source="Benjelloun et al. 2009",
    default=False,
)
def closest_cluster_precision(table: Contingency) -> float:
    """Mean over candidate clusters of their largest Jaccard index, in (0, 1].

    Returns
    -------
    float
        1: identical.

    Notes
    -----
    (1/L) sum_j max_i n_ij / (n_i + m_j - n_ij); n = 0: 1. Maxima are compared exactly, terms
    have 126 fraction bits. O(cells).

    References
    ----------
    Benjelloun et al., Swoosh: a generic approach to entity resolution, VLDB Journal 2009.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.closest_cluster_precision([0, 0, 1, 1], [0, 0, 1, 2])
    0.6666666666666666
    """
    return float(_share(table, "candidate"))


@measure(
    decomposition=_of_side("reference"),
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    weights=False,
    source="Benjelloun et al. 2009",
    default=False,
)
def closest_cluster_recall(table: Contingency) -> float:
    """Mean over reference clusters of their largest Jaccard index, in (0, 1].

    Returns
    -------
    float
        1: identical.

    Notes
    -----
    (1/K) sum_i max_j n_ij / (n_i + m_j - n_ij); n = 0: 1. Maxima are compared exactly, terms
    have 126 fraction bits. O(cells).

    References
    ----------
    Benjelloun et al., Swoosh: a generic approach to entity resolution, VLDB Journal 2009.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.closest_cluster_recall([0, 0, 1, 1], [0, 0, 1, 2])
    0.75
    """
    return float(_share(table, "reference"))


@measure(
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    weights=False,
    source="Benjelloun et al. 2009",
    default=False,
)
def closest_cluster_f1(table: Contingency) -> float:
    """Harmonic mean of closest-cluster precision and recall, in (0, 1].

    Returns
    -------
    float
        1: identical.

    Notes
    -----
    2 P R / (P + R), which is never 0/0, as every cluster meets another; n = 0: 1. O(cells).

    References
    ----------
    Benjelloun et al., Swoosh: a generic approach to entity resolution, VLDB Journal 2009.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.closest_cluster_f1([0, 0, 1, 1], [0, 0, 0, 0])
    0.5
    """
    precision, recall = _share(table, "candidate"), _share(table, "reference")
    return float(2 * precision * recall / (precision + recall))
