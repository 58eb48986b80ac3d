"""Optimal one-to-one pairing of clusters, and the measures that rest on it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.measures.components.losses import outside_cells
from partwise.measures.components.sums import Parts
from partwise.measures.overlap import measure
from partwise.measures.overlap.cluster_similarity import SIMILARITIES, similarities
from partwise.measures.overlap.pair_sets_sums import pair_sets_sums
from partwise.measures.overlap.set_similarity import (
    all_overlaps,
    one_to_one,
    paired_gain,
    pairing_cells,
)
from partwise.measures.split_merge.cluster_scores import max_share
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import flag, one_of
from partwise.table.arguments import table_of
from partwise.table.contingency import Contingency
from partwise.table.memo import memoized

__all__ = [
    "classification_accuracy",
    "match_clusters",
    "misclassification_index",
    "pair_sets_distance",
    "pair_sets_index",
]


@dataclass(frozen=True, slots=True, eq=False)
class ClusterMatching:
    """Clusters paired one to one.

    Attributes
    ----------
    reference, candidate : ndarray
        Labels of the paired clusters, in order of the reference.
    gains : ndarray of float64
        Similarity of each pair.
    unmatched_reference, unmatched_candidate : ndarray
        Labels of the clusters that have no partner.
    rows, cols : ndarray of int64
        Places of the paired clusters in the table.
    """

    reference: NDArray[Any]
    candidate: NDArray[Any]
    gains: FloatArray
    unmatched_reference: NDArray[Any]
    unmatched_candidate: NDArray[Any]
    rows: IntArray
    cols: IntArray

    def __len__(self) -> int:
        return len(self.rows)


def match_clusters(
    reference: Any, candidate: Any = None, *, similarity: str = "overlap", **policies: Any
) -> ClusterMatching:
    """Pair clusters one to one so that their similarities add up to the most.

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` or ``Contingency``.
    similarity : {"overlap", "sorensen_dice", "braun_banquet", "jaccard", \
"size_sorensen_dice"}
        See ``cluster_similarity_matrix``.
    **policies
        See ``align``.

    Returns
    -------
    ClusterMatching
        Clusters that share no item are never paired.

    Notes
    -----
    Exact for overlaps; fractions are solved as integers of 50 bits. On the cells only, see
    ``solvers.match``. Where several pairings are best, which one is returned depends on the
    order of labels.

    Examples
    --------
    >>> import partwise as pw
    >>> found = pw.match_clusters(["x", "x", "x", "y"], [1, 1, 2, 3])
    >>> found.reference.tolist(), found.candidate.tolist(), found.unmatched_candidate.tolist()
    (['x', 'y'], [1, 3], [2])
    """
    one_of(similarity, SIMILARITIES, "similarity")
    table = table_of(reference, candidate, policies, "match_clusters")
    cells = pairing_cells(table, similarity)
    rows, cols = table.rows[cells], table.cols[cells]
    return ClusterMatching(
        table.row_labels[rows],
        table.col_labels[cols],
        similarities(table, similarity)[cells].astype(np.float64),
        np.delete(table.row_labels, rows),
        np.delete(table.col_labels, cols),
        rows,
        cols,
    )


@memoized
def _paired_share(table: Contingency) -> Fraction:
    """Return the share of items in optimally paired clusters."""
    if one_to_one(table):
        return Fraction(1)
    return paired_gain(table, "overlap", "optimal") / all_overlaps(table)


def _of_accuracy(table: Contingency) -> Parts:
    """Pairs are found inside components: each loses its items outside them."""
    return outside_cells(table, pairing_cells(table, "overlap"))


def _of_misclassification(table: Contingency) -> Parts:
    """Items outside paired clusters, component by component."""
    return outside_cells(table, pairing_cells(table, "overlap"), distance=True)


@measure(
    cluster_score=max_share,
    decomposition=_of_accuracy,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    metric=True,
    join_weighted=True,
    subcomponent_consistent=True,
    source="SM, sections 3.2 and 6",
)
def classification_accuracy(table: Contingency) -> float:
    """Share of items in clusters paired one to one for the most items (CEAF), in [1/n, 1].

    Returns
    -------
    float
        1: identical.

    Notes
    -----
    (1/n) max over one-to-one pairings of the sum of the paired n_ij; n = 0: 1. One minus it
    is a metric. Exact; see ``solvers.match`` for the cost.

    References
    ----------
    Split-merge (ICML 2012), sections 3.2 and 6 (A, CEAF with phi3).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.classification_accuracy([0, 0, 1, 1], [5, 5, 5, 6])
    0.75
    """
    return float(_paired_share(table)) if table.n_items else 1.0


@measure(
    cluster_score=max_share,
    decomposition=_of_misclassification,
    range=(0, 1),
    direction="lower",
    value_if_identical=0,
    symmetric=True,
    metric=True,
    join_weighted=True,
    subcomponent_consistent=True,
    source="named in V and NVI",
    default=False,
)
def misclassification_index(table: Contingency) -> float:
    """Share of items outside clusters paired one to one for the most items, in [0, 1).

    Returns
    -------
    float
        0: identical.

    Notes
    -----
    One minus ``classification_accuracy``; ``criterion_h`` with optimal matching. n = 0: 0.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.misclassification_index([0, 0, 1, 1], [5, 5, 5, 6])
    0.25
    """
    return float(1 - _paired_share(table)) if table.n_items else 0.0


@memoized
def psi_parts(table: Contingency) -> tuple[Fraction, Fraction]:
    """Return S and E of the pair sets index: paired similarity, and its expected value."""
    cells = pairing_cells(table, "braun_banquet")
    above = table.counts[cells].view(np.uint64)
    larger = np.maximum(table.row_sizes[table.rows[cells]], table.col_sizes[table.cols[cells]])
    ones = np.ones(len(cells), dtype=np.int64)
    paired = _kernels.impl.sum_ratios(ones, above, larger.view(np.uint64))
    k = min(table.shape)
    sizes = (np.sort(side)[::-1][:k] for side in (table.row_sizes, table.col_sizes))
    expected = Fraction(sum(np.minimum(*sizes).tolist()), table.n_items)
    return Fraction(paired, 1 << 126), expected


def _exceeds(table: Contingency, bound: Fraction) -> bool:
    """Return whether S > bound, decided exactly."""
    paired, _ = psi_parts(table)
    if paired > bound:
        return True  # S was only ever cut downwards
    cells = pairing_cells(table, "braun_banquet")
    if paired + Fraction(len(cells), 1 << 126) <= bound:
        return False
    larger = np.maximum(table.row_sizes[table.rows[cells]], table.col_sizes[table.cols[cells]])
    pairs = zip(table.counts[cells].tolist(), larger.tolist(), strict=True)
    return sum((Fraction(x, y) for x, y in pairs), Fraction(0)) > bound


@measure(
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    normalized=True,
    weights=False,
    exactness="bits",
    source="PSI, sections 6.1 and 6.2, equations (14)-(20)",
    over_blocks=pair_sets_sums,
    variants={"simplified=True": {"metric": True, "default": False}},
)
def pair_sets_index(table: Contingency, simplified: bool = False) -> float:
    """Similarity of optimally paired clusters, corrected for chance, in [0, 1].

    Parameters
    ----------
    simplified : bool, default False
        Correct by 1 instead of the expected similarity (equation 20).

    Returns
    -------
    float
        1: identical; 0: no more similar than clusterings paired by size would be.

    Notes
    -----
    S = max over one-to-one pairings of the sum of n_ij / max(n_i, m_j); E = (1/n) sum of
    min(n_(t), m_(t)) over sizes in descending order; (S - E) / (max(K, K') - E), 0 if S <= E
    (decided exactly). Simplified: (S - 1) / (max(K, K') - 1), 0 if S <= 1. Both a single
    cluster, or n = 0: 1. See ``solvers.match`` for the cost.

    E is what the sizes alone would share, not the mean of S over random orders. The full form's
    distance is not a metric; the paper proves it for the simplified one only.

    References
    ----------
    Pair Sets Index (TKDE 2016), sections 6.1 and 6.2, equations (14)-(20).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.pair_sets_index([0, 0, 1, 1], [5, 5, 5, 6], simplified=True) == 1 / 6
    True
    """
    return float(1 - _apart(table, simplified))


def _apart(table: Contingency, simplified: bool) -> Fraction:
    """Return the pair sets distance: what the paired similarity lacks of the most."""
    flag(simplified, "simplified")
    most = max(table.shape)
    if most <= 1 or one_to_one(table):
        return Fraction(0)
    paired, expected = psi_parts(table)
    if simplified:
        expected = Fraction(1)
    if not _exceeds(table, expected):
        return Fraction(1)
    return (most - paired) / (most - expected)


@measure(
    range=(0, 1),
    direction="lower",
    value_if_identical=0,
    symmetric=True,
    normalized=True,
    weights=False,
    source="PSI, equation (19)",
    default=False,
    over_blocks=partial(pair_sets_sums, distance=True),
    variants={"simplified=True": {"metric": True}},
)
def pair_sets_distance(table: Contingency, simplified: bool = False) -> float:
    """One minus the pair sets index, in [0, 1].

    Parameters
    ----------
    simplified : bool, default False
        See ``pair_sets_index``; the simplified distance is a metric.

    Returns
    -------
    float
        0: identical.

    Notes
    -----
    (max(K, K') - S) / (max(K, K') - E) = 1 - ``pair_sets_index``, in one division.

    References
    ----------
    Pair Sets Index (TKDE 2016), equation (19).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.pair_sets_distance([0, 0, 1, 1], [7, 7, 8, 8])
    0.0
    """
    return float(_apart(table, simplified))
