"""Set matching in general: a similarity of clusters, a way to match them, a normaliser."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.catalogue import measure, table_of
from partwise.contingency import Contingency, shared
from partwise.labels.columns import IntArray
from partwise.measures.entropy_sums import one_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array

UnsignedArray = NDArray[np.uint64]

SIMILARITIES = ("overlap", "sorensen_dice", "braun_banquet", "jaccard", "size_sorensen_dice")
MATCHINGS = ("nearest_reference", "nearest_candidate", "nearest_both", "greedy")
NORMALIZERS = ("n", "2n", "k", "max_k")


class Ratios(NamedTuple):
    """weight x above / below of each cell, exact; above <= below except for overlaps."""

    weight: IntArray | None
    above: UnsignedArray
    below: UnsignedArray


def cell_ratios(table: Contingency, similarity: str) -> Ratios:
    """Return the similarity of the two clusters of each cell as integers (PSI, eqs 9-11)."""
    one_of(similarity, SIMILARITIES, "similarity")
    common = table.counts.view(np.uint64)
    rows = table.row_sizes[table.rows]
    left, right = rows.view(np.uint64), table.col_sizes.view(np.uint64)[table.cols]
    if similarity == "overlap":
        return Ratios(None, common, np.ones_like(common))
    if similarity == "jaccard":
        return Ratios(None, common, left + right - common)
    if similarity == "braun_banquet":
        return Ratios(None, common, np.maximum(left, right))
    weight = rows if similarity == "size_sorensen_dice" else None
    return Ratios(weight, common + common, left + right)


def cluster_similarity_matrix(
    reference: Any, candidate: Any = None, *, similarity: str = "jaccard", **policies: Any
) -> csr_array:
    """Similarity of every reference cluster with every candidate cluster it meets.

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` or ``Contingency``.
    similarity : {"jaccard", "sorensen_dice", "braun_banquet", "overlap", "size_sorensen_dice"}
        n_ij / (n_i + m_j - n_ij); 2 n_ij / (n_i + m_j); n_ij / max(n_i, m_j); n_ij;
        n_i times the second.
    **policies
        See ``align``.

    Returns
    -------
    scipy.sparse.csr_array of float64, shape (clusters of the reference, of the candidate)
        Clusters in the order of ``row_labels`` and ``col_labels`` of the table; pairs without a
        common item are not stored.

    References
    ----------
    Pair Sets Index (TKDE 2016), equations (9)-(11).

    Notes
    -----
    Jaccard <= Braun-Banquet <= Sorensen-Dice. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.cluster_similarity_matrix([0, 0, 1, 1], [0, 1, 1, 1]).toarray().tolist()
    [[0.5, 0.25], [0.0, 0.6666666666666666]]
    """
    from scipy.sparse import csr_array

    table = table_of(reference, candidate, policies, "cluster_similarity_matrix")
    weight, above, below = cell_ratios(table, similarity)
    values = above / below if weight is None else weight * (above / below)
    return csr_array((values, table.cols, table.indptr), shape=table.shape)


class Gains(NamedTuple):
    """Summed similarity of the matched pairs as an integer over a scale."""

    total: int
    scale: int


def _summed(ratios: Ratios, cells: IntArray) -> Gains:
    weight = None if ratios.weight is None else ratios.weight[cells]
    above, below = ratios.above[cells], ratios.below[cells]
    if bool(np.all(below == 1)) and weight is None:
        low = above & np.uint64(0x7FFFFFFF)
        return Gains((int((above >> np.uint64(31)).sum()) << 31) + int(low.sum()), 1)
    ones = np.ones(len(cells), dtype=np.int64) if weight is None else weight
    return Gains(_kernels.impl.sum_ratios(ones, above, below), 1 << 126)


def nearest_gain(table: Contingency, similarity: str, side: str) -> Gains:
    """Return the sum over clusters of one side of their largest similarity. O(cells)."""
    if side == "candidate":
        table = table.T
        # the weight of size_sorensen_dice is the size of the reference cluster
        ratios = cell_ratios(table, similarity)
        if ratios.weight is not None:
            ratios = ratios._replace(weight=table.col_sizes[table.cols])
    else:
        ratios = cell_ratios(table, similarity)
    if ratios.weight is None:
        best = _kernels.impl.best_cells(table.indptr, ratios.above, ratios.below)
    else:  # weight x above may pass 64 bits: choose by floats, then add up exactly
        gain = ratios.weight * (ratios.above / ratios.below)
        best = _first_maxima(table.indptr, gain)
    return _summed(ratios, best)


def _first_maxima(indptr: IntArray, values: NDArray[np.float64]) -> IntArray:
    if len(indptr) == 1:
        return np.empty(0, dtype=np.int64)
    rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    best = np.maximum.reduceat(values, indptr[:-1])
    places = np.flatnonzero(values == best[rows])
    _, first = np.unique(rows[places], return_index=True)
    found: IntArray = places[first]
    return found


@dataclass(frozen=True, slots=True)
class GreedyPairing:
    """Greedy one-to-one pairing: the cells taken, and whether a tie was broken."""

    cells: IntArray
    tied: bool


def greedy_pairing(table: Contingency, similarity: str = "overlap") -> GreedyPairing:
    """Pair clusters one to one, largest free similarity first, ties by row, then column."""
    weight, above, below = cell_ratios(table, similarity)
    if similarity == "overlap":
        gain: NDArray[Any] = table.counts
    else:
        gain = above / below if weight is None else weight * (above / below)
    order = np.argsort(-gain, kind="stable")
    falls = gain[order[1:]] != gain[order[:-1]]
    rank = np.concatenate(([0], np.cumsum(falls)))[: len(order)]
    cells, tied = _kernels.impl.greedy_pairs(table.rows, table.cols, order, rank, *table.shape)
    return GreedyPairing(cells, tied)


@shared
def _greedy_overlap(table: Contingency) -> GreedyPairing:
    return greedy_pairing(table)


def greedy_tie_broken(table: Contingency) -> bool:
    """Return whether the greedy pairing by overlap had to break a tie."""
    return _greedy_overlap(table).tied


@measure(
    family="set matching",
    range=(0, 1),
    direction="lower",
    value_if_identical=0,
    join_weighted=True,
    tie_dependent=True,
    tie_broken=greedy_tie_broken,
    source="PSI, Table 4; NVI, section 2",
    default=False,
    variants={"matching=greedy": {}},
)
def criterion_h(table: Contingency, matching: str) -> float:
    """Share of items outside one-to-one paired clusters, in [0, 1).

    Parameters
    ----------
    matching : {"greedy"}
        How clusters are paired: largest free overlap first, ties by cluster order. The
        paired total is at least half the best possible.

    Returns
    -------
    float
        0: identical.

    Raises
    ------
    ValueError
        ``matching`` is another word.

    Notes
    -----
    1 - (1/n) sum of the paired n_ij; n = 0: 0. Where a tie is broken the value may depend on
    the order of labels; reports say so. O(cells log cells).

    References
    ----------
    Pair Sets Index (TKDE 2016), Table 4; NVI (CoNLL 2009), section 2.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.criterion_h([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2], matching="greedy") == 1 / 3
    True
    """
    one_of(matching, ("greedy",), "matching")
    if table.n_items == 0:
        return 0.0
    paired = int(table.counts[_greedy_overlap(table).cells].sum())
    return (table.n_items - paired) / table.n_items


@measure(
    family="set matching",
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    join_weighted=True,
    source="V, Figure 1; PSI, Table 2",
)
def f_measure(table: Contingency) -> float:
    """Class-size weighted mean of each class's best F-score over clusters, in (0, 1].

    Returns
    -------
    float
        1: identical.

    Notes
    -----
    sum_i (n_i / n) max_j 2 n_ij / (n_i + m_j); n = 0: 1. The outer sum runs over reference
    classes; Table 2 of PSI prints it over the candidate: that is ``f_measure(b, a)``. Maxima
    are compared exactly, terms have 126 fraction bits. O(cells).

    References
    ----------
    V-measure (EMNLP 2007), Figure 1; Pair Sets Index (TKDE 2016), Table 2.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.f_measure([0, 0, 1, 1], [0, 1, 1, 1])
    0.7333333333333333
    """
    if table.n_items == 0:
        return 1.0
    total, scale = nearest_gain(table, "size_sorensen_dice", "reference")
    return total / (table.n_items * scale)


@measure(
    family="set matching",
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    source="V, NVI and PSI, section 5 (Larsen and Aone)",
    default=False,
)
def larsen_aone(table: Contingency) -> float:
    """Plain mean of each class's best F-score over clusters, in (0, 1].

    Returns
    -------
    float
        1: identical.

    Notes
    -----
    (1/K) sum_i max_j 2 n_ij / (n_i + m_j); n = 0: 1. O(cells).

    References
    ----------
    Named in V-measure (EMNLP 2007) and Pair Sets Index (TKDE 2016), section 5; formula of
    Larsen and Aone as given by Meila 2007.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.larsen_aone([0, 0, 1, 1], [0, 1, 1, 1])
    0.7333333333333333
    """
    if table.n_items == 0:
        return 1.0
    total, scale = nearest_gain(table, "sorensen_dice", "reference")
    return total / (table.shape[0] * scale)


def set_matching(
    reference: Any,
    candidate: Any = None,
    *,
    similarity: str = "overlap",
    matching: str = "nearest_candidate",
    normalizer: str | None = None,
    **policies: Any,
) -> float:
    """Sum the similarity of matched clusters, over a normaliser: the set-matching family.

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` or ``Contingency``.
    similarity : {"overlap", "sorensen_dice", "braun_banquet", "jaccard", \
"size_sorensen_dice"}
        See ``cluster_similarity_matrix``.
    matching : {"nearest_reference", "nearest_candidate", "nearest_both", "greedy"}
        Each reference cluster with its most similar candidate cluster, the other way, both
        summed, or one-to-one pairs with the largest free similarity first.
    normalizer : {"n", "2n", "k", "max_k"}, optional
        Items, twice that, reference clusters, the larger number of clusters; None: 1.

    Returns
    -------
    float
        1 where a normaliser would be 0 (no items).

    Raises
    ------
    ValueError
        An option is another word.

    Notes
    -----
    Purity: overlap, nearest_candidate, n. Normalised van Dongen: 1 - (overlap, nearest_both,
    2n). F-measure: size_sorensen_dice, nearest_reference, n. Larsen-Aone: sorensen_dice,
    nearest_reference, k. Criterion H: 1 - (overlap, greedy, n).

    References
    ----------
    Pair Sets Index (TKDE 2016), Tables 3-5.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.set_matching([0, 0, 1, 1], [0, 1, 1, 1], normalizer="n")
    0.75
    """
    one_of(matching, MATCHINGS, "matching")
    one_of(similarity, SIMILARITIES, "similarity")
    if normalizer is not None:
        one_of(normalizer, NORMALIZERS, "normalizer")
    table = table_of(reference, candidate, policies, "set_matching")
    n, k = table.n_items, table.shape[0]
    below = {None: 1, "n": n, "2n": 2 * n, "k": k, "max_k": max(table.shape)}[normalizer]
    if below == 0:
        return 1.0
    total, scale = _MATCHED[matching](table, similarity)
    return total / (below * scale)


def _both(table: Contingency, similarity: str) -> Gains:
    left = nearest_gain(table, similarity, "reference")
    right = nearest_gain(table, similarity, "candidate")
    return Gains(left.total + right.total, left.scale)


_MATCHED: dict[str, Callable[[Contingency, str], Gains]] = {
    "nearest_reference": lambda table, similarity: nearest_gain(table, similarity, "reference"),
    "nearest_candidate": lambda table, similarity: nearest_gain(table, similarity, "candidate"),
    "nearest_both": _both,
    "greedy": lambda table, similarity: _summed(
        cell_ratios(table, similarity), greedy_pairing(table, similarity).cells
    ),
}
