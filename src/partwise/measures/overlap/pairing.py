"""Optimal one-to-one pairing of clusters, and the share of items that it holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from partwise.measures.components.losses import outside_cells
from partwise.measures.components.sums import Parts
from partwise.measures.overlap import measure
from partwise.measures.overlap.cluster_similarity import (
    SIMILARITIES,
    ClusterSimilarity,
    similarities,
)
from partwise.measures.overlap.set_similarity import (
    all_overlaps,
    one_to_one,
    paired_gain,
    pairing_cells,
)
from partwise.measures.split_merge.cluster_scores import max_share
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import one_of
from partwise.report.brief import Brief
from partwise.table.arguments import Reference, table_of
from partwise.table.contingency import Contingency
from partwise.typing import Candidate, Policies

__all__ = [
    "classification_accuracy",
    "match_clusters",
    "misclassification_index",
]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ClusterMatching(Brief):
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
    reference: Reference,
    candidate: Candidate = None,
    *,
    similarity: ClusterSimilarity = "overlap",
    **policies: Unpack[Policies],
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


def _paired_share(table: Contingency, outside: bool) -> float:
    """Return the share of items in optimally paired clusters, or of those outside."""
    if one_to_one(table):
        return 0.0 if outside else 1.0
    total, paired = all_overlaps(table), paired_gain(table, "overlap", "optimal")
    return float((total - paired if outside else paired) / total)


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
    solver="matching",
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
    is a metric. Exact. Cost: that of ``solvers.match``, O(cells) between clusterings that
    resemble each other. Where they have little in common a row looks for its partner along
    chains through other clusters, which can cost far more than the table, so that ``compare``
    leaves this measure out of its default there, beyond 100,000 cells, unless it is named.

    References
    ----------
    Split-merge (ICML 2012), sections 3.2 and 6 (A, CEAF with phi3).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.classification_accuracy([0, 0, 1, 1], [5, 5, 5, 6])
    0.75
    """
    return _paired_share(table, outside=False) if table.n_items else 1.0


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
    solver="matching",
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
    Cost: as ``classification_accuracy``.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.misclassification_index([0, 0, 1, 1], [5, 5, 5, 6])
    0.25
    """
    return _paired_share(table, outside=True) if table.n_items else 0.0
