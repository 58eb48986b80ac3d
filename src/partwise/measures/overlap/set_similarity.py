"""Set matching in general: similar clusters matched in some way, over a normaliser."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels import order_free
from partwise.measures.components.losses import outside_cells
from partwise.measures.components.sums import (
    Parts,
    by_rows,
    join_weighted,
    ratio_parts,
    total_of_side,
)
from partwise.measures.overlap import measure
from partwise.measures.overlap.cluster_similarity import (
    SIMILARITIES,
    ClusterSimilarity,
    similarities,
)
from partwise.measures.overlap.purity import cover
from partwise.measures.split_merge.cluster_scores import max_share
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import one_of
from partwise.report.brief import Brief
from partwise.solvers.gains import FRACTION_BITS, scaled_gains
from partwise.solvers.matching import best_matching
from partwise.table.arguments import Reference, table_of
from partwise.table.contingency import Contingency
from partwise.table.memo import memoized
from partwise.typing import Candidate, Policies

__all__ = [
    "criterion_h",
    "f_measure",
    "larsen_aone",
    "set_matching",
]

#: A sum without rounding: of items, or of similarities and masses.
Exact: TypeAlias = int | Fraction

SetMatching = Literal[
    "nearest_reference", "nearest_candidate", "nearest_both", "greedy", "optimal"
]
MATCHINGS: tuple[str, ...] = get_args(SetMatching)
SetNormalizer = Literal["n", "2n", "k", "max_k"]
NORMALIZERS: tuple[str, ...] = get_args(SetNormalizer)


def summed(table: Contingency, similarity: str, cells: IntArray) -> Exact:
    """Return the exact sum of the similarity of some cells (order-free with masses).

    Overlaps in items are added up to an integer.
    """
    if table.masses is not None:
        return Fraction(*order_free.total(similarities(table, similarity)[cells]))
    if similarity == "overlap":
        items: int = sum(table.counts[cells].tolist())
        return items
    return Fraction(sum_of_ratios(table, similarity, cells), 1 << 126)


def sum_of_ratios(table: Contingency, similarity: str, cells: IntArray) -> int:
    """Return the sum of the similarity of some cells in units of 2^-126, each cut below.

    Not of overlaps, nor of masses.
    """
    sizes = table.row_sizes, table.col_sizes
    plain = similarity.removeprefix("size_")
    return _kernels.impl.sum_similarities(
        *table.cells, *sizes, cells, plain, plain != similarity
    )


def all_overlaps(table: Contingency) -> Exact:
    """Return the sum of the overlap of all cells: items, or mass."""
    return table.n_items if table.masses is None else total_of_side(table, "cells")


def nearest_cells(table: Contingency, similarity: str, side: str) -> IntArray:
    """Return the cell of largest similarity of each cluster of one side. O(cells)."""
    if side == "reference" and table.masses is None:
        # a row's weight is one for all its cells, so it decides nothing
        similarity = similarity.removeprefix("size_")
    return _nearest_cells(table, similarity, side)


@memoized
def _by_column(table: Contingency) -> tuple[IntArray, IntArray, IntArray]:
    """Return the same cells, column by column: where columns start, rows, and cells' places."""
    cells = np.arange(table.n_cells)
    return _kernels.impl.transpose(table.indptr, table.cols, cells, table.shape[1])


@memoized
def _nearest_cells(table: Contingency, similarity: str, side: str) -> IntArray:
    exact = table.masses is None and similarity != "size_sorensen_dice"
    sizes = table.row_sizes, table.col_sizes
    if side == "reference":
        if exact:
            return _kernels.impl.nearest_cells(*table.cells, *sizes, similarity)
        return _first_maxima(table.indptr, similarities(table, similarity))
    indptr, rows, order = _by_column(table)
    if exact:
        counts = table.counts[order]
        nearest = _kernels.impl.nearest_cells(indptr, rows, counts, *sizes[::-1], similarity)
    else:
        nearest = _first_maxima(indptr, similarities(table, similarity)[order])
    cells: IntArray = order[nearest]
    return cells


@memoized
def nearest_gain(table: Contingency, similarity: str, side: str) -> Exact:
    """Return the sum over clusters of one side of their largest similarity. O(cells)."""
    return summed(table, similarity, nearest_cells(table, similarity, side))


def _first_maxima(indptr: IntArray, values: FloatArray) -> IntArray:
    if len(indptr) == 1:
        return np.empty(0, dtype=np.int64)
    rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    best = np.maximum.reduceat(values, indptr[:-1])
    maxima = np.flatnonzero(values == best[rows])
    first: IntArray = maxima[np.diff(rows[maxima], prepend=-1) > 0]
    return first


def one_to_one(table: Contingency) -> bool:
    """Return whether the clusterings are identical: every cell is a cluster, of both sides."""
    return table.n_cells == table.shape[0] == table.shape[1]


@memoized
def pairing_cells(table: Contingency, similarity: str) -> IntArray:
    """Return the cells of a one-to-one pairing of largest total similarity."""
    if one_to_one(table):
        return np.arange(table.n_cells)
    gains = table.counts
    counted = similarity == "overlap" and table.masses is None and table.n_items < 1 << 61
    if not counted and table.masses is None:
        plain = similarity.removeprefix("size_")
        sizes = table.row_sizes, table.col_sizes
        gains = _kernels.impl.similarity_gains(
            *table.cells, *sizes, plain, plain != similarity, FRACTION_BITS
        )
    elif not counted:
        similar = similarities(table, similarity).astype(np.float64, copy=False)
        # what is similar the least is still more similar than nothing
        gains = scaled_gains(similar)[0]
        np.maximum(gains, similar > 0, out=gains)
    cell_of_row, _, _ = best_matching(
        table.indptr, table.cols, gains, table.shape[1], tied=counted
    )
    return cell_of_row[cell_of_row >= 0]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GreedyPairing(Brief):
    """Greedy one-to-one pairing: the cells taken, and whether a tie was broken."""

    cells: IntArray
    tied: bool


def greedy_pairing(table: Contingency, similarity: str = "overlap") -> GreedyPairing:
    """Pair clusters one to one, largest free similarity first, ties by row, then column."""
    by_count = similarity == "overlap" and table.masses is None
    gain: NDArray[Any] = table.counts if by_count else similarities(table, similarity)
    order = np.argsort(-gain, kind="stable")
    falls = gain[order[1:]] != gain[order[:-1]]
    rank = np.concatenate(([0], np.cumsum(falls)))[: len(order)]
    cells, tied = _kernels.impl.greedy_pairs(table.rows, table.cols, order, rank, *table.shape)
    return GreedyPairing(cells, tied)


@memoized
def _greedy_overlap(table: Contingency) -> GreedyPairing:
    return greedy_pairing(table)


@memoized
def paired_gain(table: Contingency, similarity: str, matching: str) -> Exact:
    """Return the sum of the similarity of clusters paired one to one, "optimal" or "greedy"."""
    if matching == "optimal":
        cells = pairing_cells(table, similarity)
    elif similarity == "overlap":
        cells = _greedy_overlap(table).cells
    else:
        cells = greedy_pairing(table, similarity).cells
    return summed(table, similarity, cells)


def greedy_tie_broken(table: Contingency) -> bool:
    """Return whether the greedy pairing by overlap had to break a tie."""
    return _greedy_overlap(table).tied


def _of_criterion_h(table: Contingency, matching: str = "optimal") -> Parts:
    """Items outside the pairs: either way of pairing treats each component by itself."""
    one_of(matching, ("optimal", "greedy"), "matching")
    greedy = matching == "greedy"
    cells = _greedy_overlap(table).cells if greedy else pairing_cells(table, "overlap")
    return outside_cells(table, cells, distance=True)


@measure(
    cluster_score=max_share,
    decomposition=_of_criterion_h,
    range=(0, 1),
    direction="lower",
    value_if_identical=0,
    symmetric=True,
    metric=True,
    join_weighted=True,
    subcomponent_consistent=True,
    solver="matching",
    source="PSI, Table 2 and Table 4; V; NVI, section 2",
    default=False,
    variants={
        "matching=greedy": {
            "symmetric": False,
            "metric": False,
            "tie_dependent": True,
            "tie_broken": greedy_tie_broken,
            "solver": None,
        }
    },
)
def criterion_h(
    table: Contingency, matching: Literal["optimal", "greedy"] = "optimal"
) -> float:
    """Share of items outside one-to-one paired clusters, in [0, 1).

    Parameters
    ----------
    matching : {"optimal", "greedy"}, default "optimal"
        How clusters are paired: for the most items, or largest free overlap first, ties by
        cluster order (its paired total is at least half the best).

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
    1 - (1/n) sum of the paired n_ij; n = 0: 0. Where the greedy pairing breaks a tie the value
    may depend on the order of labels; reports say so. Cost: optimal as
    ``classification_accuracy``, which can be far above that of the table; greedy O(cells log
    cells).

    References
    ----------
    Pair Sets Index (TKDE 2016), Tables 2 and 4; NVI (CoNLL 2009), section 2.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.criterion_h([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2], matching="greedy") == 1 / 3
    True
    """
    one_of(matching, ("optimal", "greedy"), "matching")
    if table.n_items == 0 or one_to_one(table):
        return 0.0
    total = all_overlaps(table)
    return float((total - paired_gain(table, "overlap", matching)) / total)


def _class_losses(table: Contingency, similarity: str, class_masses: FloatArray) -> FloatArray:
    """Return, of each component, what its classes miss of their best similarity."""
    best = np.zeros(table.shape[0], dtype=np.float64)
    cells = nearest_cells(table, similarity, "reference")
    best[table.rows[cells]] = similarities(table, similarity)[cells]
    lost: FloatArray = by_rows(table, np.maximum(class_masses - best, 0.0))
    return lost


def _of_f_measure(table: Contingency) -> Parts:
    """Weigh classes by size; each meets clusters of its own component only."""
    sizes = table.row_sizes if table.row_masses is None else table.row_masses
    class_masses = sizes.astype(np.float64)
    return join_weighted(table, _class_losses(table, "size_sorensen_dice", class_masses))


@measure(
    decomposition=_of_f_measure,
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
    classes; Table 2 of PSI prints it over the candidate: that is ``f_measure(b, a)``. Figure 2
    of V has .5 and .6 exchanged, its text is right. Maxima are compared exactly, terms have
    126 fraction bits. O(cells).

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
    if table.masses is None:
        return _sum_of_best(table) / (table.n_items << 126)
    gain = nearest_gain(table, "size_sorensen_dice", "reference")
    return float(gain / cover(table).reference_total)


@memoized
def _sum_of_best(table: Contingency) -> int:
    """Return the sum of each class's best F-score, times its items, in units of 2^-126."""
    cells = nearest_cells(table, "size_sorensen_dice", "reference")
    return sum_of_ratios(table, "size_sorensen_dice", cells)


def _of_larsen_aone(table: Contingency) -> Parts:
    """Weigh components by their number of classes."""
    classes = by_rows(table, np.ones(table.shape[0], dtype=np.int64))
    lost = _class_losses(table, "sorensen_dice", np.ones(table.shape[0]))
    return ratio_parts(table, lost, classes, table.shape[0], complete=True)


@measure(
    decomposition=_of_larsen_aone,
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
    return float(nearest_gain(table, "sorensen_dice", "reference") / table.shape[0])


def set_matching(
    reference: Reference,
    candidate: Candidate = None,
    *,
    similarity: ClusterSimilarity = "overlap",
    matching: SetMatching = "nearest_candidate",
    normalizer: SetNormalizer | None = None,
    **policies: Unpack[Policies],
) -> float:
    """Sum the similarity of matched clusters, over a normaliser: the set-matching family.

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` or ``Contingency``.
    similarity : {"overlap", "sorensen_dice", "braun_banquet", "jaccard", \
"size_sorensen_dice"}
        See ``cluster_similarity_matrix``.
    matching : {"nearest_candidate", "nearest_reference", "nearest_both", "greedy", "optimal"}
        Each candidate cluster with its most similar reference cluster, the other way, both
        summed; or one-to-one pairs: largest free similarity first, or for the largest total.
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
    nearest_reference, k. Criterion H: 1 - (overlap, optimal or greedy, n). PSI's S:
    braun_banquet, optimal. Greedy pairing depends on the
    order of labels where similarities are equal; those other than overlap are ranked as
    doubles. Cost: nearest O(cells), greedy O(cells log cells), optimal as
    ``classification_accuracy``.

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
    n = cover(table).reference_total
    k, most = Fraction(table.shape[0]), Fraction(max(table.shape))
    below = {None: Fraction(1), "n": n, "2n": 2 * n, "k": k, "max_k": most}[normalizer]
    if below == 0:
        return 1.0
    return float(_MATCHED[matching](table, similarity) / below)


def _both(table: Contingency, similarity: str) -> Exact:
    sides = ("reference", "candidate")
    return sum(nearest_gain(table, similarity, side) for side in sides)


_MATCHED: dict[str, Callable[[Contingency, str], Exact]] = {
    "nearest_reference": lambda table, similarity: nearest_gain(table, similarity, "reference"),
    "nearest_candidate": lambda table, similarity: nearest_gain(table, similarity, "candidate"),
    "nearest_both": _both,
    "optimal": lambda table, similarity: paired_gain(table, similarity, "optimal"),
    "greedy": lambda table, similarity: paired_gain(table, similarity, "greedy"),
}
