"""Scores of clusters by their parts, and the ways to combine two of them (SM, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels import order_free
from partwise._kernels.long_columns import by_blocks, taken
from partwise.labels.columns import (
    listed,
)
from partwise.measures.components.sums import (
    Parts,
    by_cells,
    by_cols,
    by_rows,
    join_weighted,
    merge_terms,
    split_terms,
    total_of_side,
)
from partwise.measures.information.entropy_sums import (
    equal_parts,
    fraction_bits,
    log_ratio_terms,
    mass_terms,
)
from partwise.measures.split_merge.item_scores import (
    check_distances_asked,
    columns_asked_by,
    columns_of_alignment,
    items_by_part,
)
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import bound_of_clusters
from partwise.numbers.masked import has_masked
from partwise.numbers.real_logarithm import log
from partwise.table.arguments import Clusterings, as_table
from partwise.table.contingency import Contingency, largest_cells
from partwise.table.memo import memoized

#: score(sizes, indptr, parts) -> one number per cluster; it may ask for more by keyword
ScoreFunction = Callable[..., Any]
Combine = str | Callable[[FloatArray, FloatArray], Any]

ONE = 1 << 62


class SideScores(NamedTuple):
    """Score of each cluster of a side, and 1 - score with its own digits."""

    score: FloatArray
    gap: FloatArray


class Scores(NamedTuple):
    """How whole each reference cluster (splits) and candidate cluster (merges) stays."""

    split: SideScores
    merge: SideScores


def complement(values: FloatArray) -> FloatArray:
    """Return 1 - values, at least 0."""
    gaps: FloatArray = np.maximum(1.0 - values, 0.0)
    return gaps


def of_gaps(gap: FloatArray) -> SideScores:
    """Return a side of which 1 - score is known."""
    return SideScores(complement(gap), gap)


def of_scores(score: FloatArray) -> SideScores:
    """Return a side of which the score is known."""
    return SideScores(score, complement(score))


@memoized
def entropy_scores(table: Contingency) -> tuple[IntArray, IntArray]:
    """Return the split scores of rows and the merge scores of columns, times 2^62."""
    return _kernels.impl.split_scores(
        *table.cells, table.row_sizes, table.col_sizes, fraction_bits(table.n_items)
    )


@memoized
def by_entropy(table: Contingency) -> Scores:
    """Return 1 - H(parts) / ln size of each cluster; of masses where there are any."""
    if table.all_masses is None:
        return Scores(*map(_of_fractions, entropy_scores(table)))
    return Scores(*(of_gaps(_weighted_gaps(table, side)) for side in ("rows", "cols")))


def _of_fractions(scores: IntArray) -> SideScores:
    return SideScores(
        by_blocks(lambda x: x / ONE, scores), by_blocks(lambda x: (ONE - x) / ONE, scores)
    )


def _weighted_gaps(table: Contingency, side: str) -> FloatArray:
    """Return H(parts) / ln size of each cluster; by counts where it has no mass."""
    assert table.all_masses is not None
    of_cell, sizes = table.rows, table.row_sizes
    if side == "cols":
        of_cell, sizes = table.cols, table.col_sizes
    masses: FloatArray = getattr(table.all_masses, side).high
    terms, size = mass_terms(table, side), masses[of_cell]
    if not masses.all():
        empty, items = size == 0, sizes[of_cell]
        part = np.where(empty, table.counts, 0).astype(np.float64)
        terms = np.where(empty, log_ratio_terms(part, items - part), terms)
        size = np.where(empty, items, size)
    terms = terms / size
    entropies = order_free.group_totals(terms, of_cell, len(sizes)).high
    gaps: FloatArray = np.zeros(len(sizes))
    parts = np.bincount(of_cell, minlength=len(sizes))
    broken = parts > 1
    gaps[broken] = np.minimum(1.0, entropies[broken] / log(sizes[broken]))
    # items of one mass, each alone: 1 in theory, which rounding must not blur
    gaps[broken & (parts == sizes) & equal_parts(table, side)] = 1.0
    return gaps


@memoized
def by_max_share(table: Contingency) -> Scores:
    """Return the share of its largest part in each cluster."""
    masses = table.all_masses
    rows, cols = largest_cells(table)
    if masses is None:
        return Scores(_of_parts(rows, table.row_sizes), _of_parts(cols, table.col_sizes))
    return Scores(
        _shares(rows.view(float), masses.rows.high), _shares(cols.view(float), masses.cols.high)
    )


def _of_parts(best: IntArray, sizes: IntArray) -> SideScores:
    return SideScores(
        by_blocks(np.divide, best, sizes), by_blocks(lambda x, y: (y - x) / y, best, sizes)
    )


def _shares(best: FloatArray, total: FloatArray) -> SideScores:
    rest = np.maximum(total - best, 0.0)
    score, gap = np.ones_like(total), np.zeros_like(total)
    np.divide(best, total, out=score, where=total > 0)
    np.divide(rest, total, out=gap, where=total > 0)
    return SideScores(np.minimum(score, 1.0), gap)


def by_log_k(table: Contingency, k: Any) -> Scores:
    """Return 1 - H(parts) / ln k of each cluster."""
    if k is None:
        raise ValueError('score="log_k" needs k=, a bound on the number of clusters')
    return _by_log_k(table, bound_of_clusters(k, table.shape))


@memoized
def _part_entropies(table: Contingency) -> tuple[FloatArray, FloatArray]:
    """Return size x H(parts) of the clusters of either side, of masses where there are any."""
    rows, cols = table.shape
    split = order_free.group_totals(split_terms(table), table.rows, rows).high
    return split, order_free.group_totals(merge_terms(table), table.cols, cols).high


@memoized
def _by_log_k(table: Contingency, k: int) -> Scores:
    own = _amounts(table)
    # as the terms are formed, so that k equal parts give exactly 1
    ln_k = log_ratio_terms(np.ones(1), np.array([k - 1.0]))[0] if k > 1 else 1.0
    sides = []
    for entropies, totals in zip(_part_entropies(table), (own.rows, own.cols), strict=True):
        gaps = np.zeros(len(totals))
        np.divide(entropies, totals * ln_k, out=gaps, where=totals > 0)
        sides.append(of_gaps(np.minimum(gaps, 1.0)))
    return Scores(*sides)


def by_function(
    clusterings: Clusterings, score: ScoreFunction, distances: Any = None
) -> Scores:
    """Return the scores that a caller's function gives.

    It sees the numbers of items, and of the items what it asks for; see ``item_scores``.
    """
    table, names = as_table(clusterings), columns_asked_by(score)
    check_distances_asked(names, distances)
    of_rows: dict[str, Any] = {}
    of_cols: dict[str, Any] = {}
    if names:
        if isinstance(clusterings, Contingency):
            raise TypeError(
                f"the score asks for {' and '.join(names)} of the items, which a Contingency "
                "does not hold; pass two clusterings, or an Alignment"
            )
        columns = columns_of_alignment(clusterings, distances)
        columns.check(names)
        row_items, col_items = items_by_part(clusterings)
        of_rows = columns.of_parts(names, row_items)
        of_cols = columns.of_parts(names, col_items)
    if table.n_items == 0:
        return Scores(*(of_scores(np.ones(0)) for _ in range(2)))
    indptr, _, parts = _kernels.impl.transpose(*table.cells, table.shape[1])
    split = score(table.row_sizes, table.indptr, table.counts, **of_rows)
    merge = score(table.col_sizes, indptr, parts, **of_cols)
    return Scores(
        of_scores(checked_scores(split, "score", "reference cluster", table.row_labels)),
        of_scores(checked_scores(merge, "score", "candidate cluster", table.col_labels)),
    )


def as_numbers(values: Any, what: str) -> FloatArray:
    """Return what a caller's function gave as an array of numbers, of any shape."""
    if has_masked(values):
        raise ValueError(f"{what} gave masked entries; numbers are expected")
    kind = type(values).__name__
    try:
        array = np.asarray(values)
        if array.dtype.kind == "c":
            kind = "complex numbers"
            raise TypeError(kind)
        return np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{what} gave {kind}, not an array of numbers") from None


def checked_scores(values: Any, what: str, each: str, *names: NDArray[Any]) -> FloatArray:
    """Return what a caller's function gave: a number in [0, 1] for each, named by labels."""
    scores = as_numbers(values, what)
    if scores.shape != names[0].shape:
        raise ValueError(
            f"{what} gave an array of shape {scores.shape}; one number for each {each}, "
            f"{names[0].shape}, is expected"
        )
    wrong = np.flatnonzero(~((scores >= 0) & (scores <= 1)))
    if len(wrong):
        labels = [listed(x[wrong[:1]])[0] for x in names]
        name = " and ".join(map(repr, labels))
        raise ValueError(
            f"{what} gave {scores[wrong[0]]} for {each} {name}, outside [0, 1] "
            f"({len(wrong)} such)"
        )
    return scores


# ---- combining ---------------------------------------------------------------------


def _of_cells(table: Contingency, scores: Scores, combine: Combine) -> FloatArray:
    """Return sigma(split score, merge score) of each cell (SM, equation 3)."""
    split, merge = taken(scores.split.score, table.rows), taken(scores.merge.score, table.cols)
    if combine == "product":
        return by_blocks(np.multiply, split, merge)
    assert callable(combine)
    names = table.row_labels[table.rows], table.col_labels[table.cols]
    return checked_scores(combine(split, merge), "combine", "clusters", *names)


class _Amounts(NamedTuple):
    """Items, or masses, of cells, rows and columns."""

    cells: NDArray[Any]
    rows: NDArray[Any]
    cols: NDArray[Any]


def _amounts(table: Contingency) -> _Amounts:
    if (masses := table.all_masses) is None:
        return _Amounts(table.counts, table.row_sizes, table.col_sizes)
    return _Amounts(masses.cells.high, masses.rows.high, masses.cols.high)


def combined(
    table: Contingency, scores: Scores, combine: Combine, known_as: Hashable = None
) -> float:
    """Return the mean of sigma over the cells, each weighing its items.

    Scores that are ``known_as`` something are combined once in each way that has a name.
    """
    if known_as is None or not isinstance(combine, str):
        return _combined(table, scores, combine)
    key = ("combined", known_as, combine)
    return table.memo.get(key, lambda: _combined(table, scores, combine))


def _combined(table: Contingency, scores: Scores, combine: Combine) -> float:
    own = _amounts(table)
    if combine == "mean":
        split = _mean_of(table, own, "rows", scores.split.score)
        return float((split + _mean_of(table, own, "cols", scores.merge.score)) / 2)
    return float(_mean_of(table, own, "cells", _of_cells(table, scores, combine)))


def _mean_of(table: Contingency, own: _Amounts, of: str, values: FloatArray) -> Fraction:
    weights = getattr(own, of)
    return Fraction(*order_free.total(weights * values)) / total_of_side(table, of)


def parts_of(table: Contingency, scores: Scores, combine: Combine) -> Parts:
    """Return the decomposition: a component weighs its share of items (SM, 4.1 and 4.5)."""
    own = _amounts(table)
    if combine == "mean":
        lost = by_rows(table, own.rows * scores.split.gap)
        return join_weighted(table, (lost + by_cols(table, own.cols * scores.merge.gap)) / 2)
    if combine == "product":  # 1 - (1 - x)(1 - y), from the small side
        (split, split_gap), (_, merge_gap) = scores
        gaps = by_blocks(
            lambda rows, cols: split[rows] * merge_gap[cols] + split_gap[rows],
            *(table.rows, table.cols),
        )
    else:
        gaps = complement(_of_cells(table, scores, combine))
    return join_weighted(table, by_cells(table, by_blocks(np.multiply, own.cells, gaps)))
