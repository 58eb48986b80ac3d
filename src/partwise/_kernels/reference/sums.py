"""Sums over cells and clusters that no order can change; ratios of integers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise._kernels.reference.table import cell_rows
from partwise.numbers.arrays import FloatArray, IntArray, UnsignedArray
from partwise.numbers.divergence import phi
from partwise.numbers.logarithm import xlogx

__all__ = [
    "b_cubed_sums",
    "divergence_terms",
    "greedy_pairs",
    "is_proportional",
    "nearest_cells",
    "similarity_gains",
    "split_scores",
    "sum_doubles",
    "sum_groups",
    "sum_products",
    "sum_ratios",
    "sum_similarities",
    "sum_squares",
    "sum_weighted",
    "sum_xlogx",
]


_ONE = 1 << 62


# ---- order-free sums ---------------------------------------------------------------


def _exact_dot(x: IntArray, y: IntArray) -> int:
    """Return the exact sum of x y for non-negative int64 (31-bit limbs, split sums)."""
    mask = (1 << 31) - 1
    total = 0
    for i, xs in enumerate((x & mask, x >> 31 & mask, x >> 62)):
        for j, ys in enumerate((y & mask, y >> 31 & mask, y >> 62)):
            product = xs * ys
            total += int((product & mask).sum()) << 31 * (i + j)
            total += int((product >> 31).sum()) << 31 * (i + j + 1)
    return total


def sum_squares(values: IntArray) -> int:
    """Return the exact sum of squares of non-negative integers. O(n)."""
    return _exact_dot(values, values)


def sum_xlogx(values: IntArray, fraction_bits: int) -> int:
    """Return the sum of floor(2^fraction_bits x ln x). O(n log n)."""
    distinct, times = np.unique(values, return_counts=True)
    return sum(
        xlogx(x, fraction_bits) * t
        for x, t in zip(distinct.tolist(), times.tolist(), strict=True)
    )


def sum_doubles(values: FloatArray, fraction_bits: int) -> int:
    """Return the sum of trunc(2^fraction_bits x) over finite doubles. O(n)."""
    fractions, exponents = np.frexp(values)
    mantissas = np.ldexp(fractions, 53).astype(np.int64)
    total = 0
    for exponent in np.unique(exponents).tolist():
        chosen = mantissas[exponents == exponent]
        shift = exponent - 53 + fraction_bits
        if shift < 0:  # towards zero, as C cuts a magnitude
            chosen = np.sign(chosen) * (np.abs(chosen) >> min(-shift, 63))
        mask = (1 << 31) - 1
        part = (int((chosen >> 31).sum()) << 31) + int((chosen & mask).sum())
        total += part << max(shift, 0)
    return total


def sum_groups(
    values: FloatArray, groups: IntArray, n_groups: int, fraction_bits: int
) -> tuple[FloatArray, FloatArray]:
    """Return each group's sum of trunc(2^fraction_bits x): rounded once, and the rest."""
    fractions, exponents = np.frexp(values)
    mantissas = np.ldexp(fractions, 53).astype(np.int64)
    totals = [0] * n_groups
    mask = (1 << 31) - 1
    for exponent in np.unique(exponents).tolist():
        chosen = exponents == exponent
        part, where = mantissas[chosen], groups[chosen]
        shift = exponent - 53 + fraction_bits
        if shift < 0:  # towards zero, as C cuts a magnitude
            part = np.sign(part) * (np.abs(part) >> min(-shift, 63))
        low, high = np.zeros(n_groups, dtype=np.int64), np.zeros(n_groups, dtype=np.int64)
        np.add.at(low, where, part & mask)
        np.add.at(high, where, part >> 31)
        for group in np.unique(where).tolist():
            term = (int(high[group]) << 31) + int(low[group])
            totals[group] += term << max(shift, 0)
    high = np.array([float(total) for total in totals], dtype=np.float64)
    rests = zip(totals, high.tolist(), strict=True)
    low = np.array([float(total - int(rounded)) for total, rounded in rests], dtype=np.float64)
    return np.ldexp(high, -fraction_bits), np.ldexp(low, -fraction_bits)


def sum_weighted(sizes: IntArray, scores: IntArray) -> int:
    """Return the exact sum of size times score (scores at most 2^62). O(n)."""
    return _exact_dot(sizes, scores)


def sum_products(
    indptr: IntArray,
    cols: IntArray,
    counts: IntArray,
    row_scores: IntArray,
    col_scores: IntArray,
) -> int:
    """Return the exact sum over cells of count x row score x column score. O(cells)."""
    left = row_scores[cell_rows(indptr)]
    right = col_scores[cols]
    mask = (1 << 31) - 1
    total = 0
    for j in range(3):  # the right score, 31 bits at a time: count x limb fits in 94 bits
        limb = right >> 31 * j & mask
        for i in range(3):
            part = counts >> 31 * i & mask
            product = part * limb
            total += _exact_dot(product, left) << 31 * (i + j)
    return total


def _fraction_of_one(part: int, total: int) -> int:
    """Return part / total as a fraction of 2^62: never 2^62, and 0 only where part is 0."""
    if part == 0:
        return 0
    shift = max(total.bit_length() - 64, 0)
    result = ((part >> shift) << 62) // (total >> shift)
    return max(1, min(result, _ONE - 1))


def _split_scores_of(
    clusters: IntArray, counts: IntArray, sizes: IntArray, fraction_bits: int
) -> IntArray:
    """Return the score of each cluster; ``clusters`` names the cluster of each cell."""
    pieces = np.bincount(clusters, minlength=len(sizes))
    scores = np.where(pieces == 1, _ONE, 0)
    broken = (pieces > 1) & (pieces < sizes)
    chosen = broken[clusters] & (counts > 1)
    sums: dict[int, int] = {}
    terms: dict[int, int] = {}
    pairs = zip(clusters[chosen].tolist(), counts[chosen].tolist(), strict=True)
    for cluster, count in pairs:
        if count not in terms:
            terms[count] = xlogx(count, fraction_bits)
        sums[cluster] = sums.get(cluster, 0) + terms[count]
    for cluster, part in sums.items():
        largest = xlogx(int(sizes[cluster]), fraction_bits)
        scores[cluster] = _fraction_of_one(part, largest)
    return scores


def split_scores(
    indptr: IntArray,
    cols: IntArray,
    counts: IntArray,
    row_sizes: IntArray,
    col_sizes: IntArray,
    fraction_bits: int,
) -> tuple[IntArray, IntArray]:
    """Return sum of x ln x over a cluster's cells / (size ln size), as fractions of 2^62.

    Exactly 2^62 for a cluster of one cell (a singleton too), exactly 0 for one whose cells are
    single items.
    """
    return (
        _split_scores_of(cell_rows(indptr), counts, row_sizes, fraction_bits),
        _split_scores_of(cols, counts, col_sizes, fraction_bits),
    )


def _exact_products(x: IntArray, y: IntArray) -> NDArray[Any]:
    """Return x y as an array of Python ints."""
    product: NDArray[Any] = x.astype(object) * y.astype(object)
    return product


def is_proportional(
    indptr: IntArray,
    cols: IntArray,
    counts: IntArray,
    row_sizes: IntArray,
    col_sizes: IntArray,
    n: int,
) -> bool:
    """Return whether n count = row size x column size in every cell. O(cells)."""
    rows = cell_rows(indptr)
    if n < 1 << 31:
        return bool(np.all(n * counts == row_sizes[rows] * col_sizes[cols]))
    expected = _exact_products(row_sizes[rows], col_sizes[cols])
    return bool(np.all(counts.astype(object) * n == expected))


def divergence_terms(
    indptr: IntArray,
    cols: IntArray,
    counts: IntArray,
    row_sizes: IntArray,
    col_sizes: IntArray,
    n: int,
) -> tuple[FloatArray, int]:
    """Return e phi((n count - e) / e) for every cell, e = row size x column size, and sum e.

    phi(x) = (1 + x) ln(1 + x) - x. n^2 I is the sum of the terms + n^2 - sum e.
    """
    expected = _exact_products(row_sizes[cell_rows(indptr)], col_sizes[cols])
    excess = counts.astype(object) * n - expected
    scale = expected.astype(np.float64)
    return scale * phi(excess.astype(np.float64) / scale), int(expected.sum())


# ---- ratios of integers ------------------------------------------------------------


def sum_ratios(weights: IntArray, above: UnsignedArray, below: UnsignedArray) -> int:
    """Return the sum of weight x floor(2^126 above / below), above <= below. O(n)."""
    triples = zip(weights.tolist(), above.tolist(), below.tolist(), strict=True)
    return sum(w * ((a << 126) // b) for w, a, b in triples)


def nearest_cells(
    indptr: IntArray,
    cols: IntArray,
    counts: IntArray,
    row_sizes: IntArray,
    col_sizes: IntArray,
    similarity: str,
) -> IntArray:
    """Return each row's first cell whose clusters are most similar, compared exactly.

    ``similarity``: overlap, sorensen_dice, braun_banquet or jaccard.
    """
    if len(indptr) == 1:
        return np.empty(0, dtype=np.int64)
    rows = cell_rows(indptr)
    above = counts.view(np.uint64)
    below = _divisors(above, row_sizes.view(np.uint64)[rows], col_sizes, cols, similarity)
    ratio = above / below
    near = ratio >= np.maximum.reduceat(ratio, indptr[:-1])[rows] * (1 - 2.0**-50)
    near_nearest = np.flatnonzero(near)
    nearest = np.full(len(indptr) - 1, -1, dtype=np.int64)
    tops: dict[int, tuple[int, int]] = {}
    for row, cell in zip(rows[near_nearest].tolist(), near_nearest.tolist(), strict=True):
        a, b = int(above[cell]), int(below[cell])
        if row not in tops or a * tops[row][1] > tops[row][0] * b:
            tops[row] = (a, b)
            nearest[row] = cell
    return nearest


def sum_similarities(
    indptr: IntArray,
    cols: IntArray,
    counts: IntArray,
    row_sizes: IntArray,
    col_sizes: IntArray,
    cells: IntArray,
    similarity: str,
    weighted: bool,
) -> int:
    """Return ``sum_ratios`` of the similarity of some cells, each once, in any order.

    ``weighted``: each times the size of its row. ``similarity`` as above, but for overlap.
    """
    rows = np.searchsorted(indptr, cells, side="right") - 1
    sizes = row_sizes[rows]
    common = counts[cells].view(np.uint64)
    below = _divisors(common, sizes.view(np.uint64), col_sizes, cols[cells], similarity)
    above = common + common if similarity == "sorensen_dice" else common
    return sum_ratios(sizes if weighted else np.ones_like(sizes), above, below)


def similarity_gains(
    indptr: IntArray,
    cols: IntArray,
    counts: IntArray,
    row_sizes: IntArray,
    col_sizes: IntArray,
    similarity: str,
    weighted: bool,
    bits: int,
) -> IntArray:
    """Return the similarity of the clusters of each cell as integers of at least 1.

    In units of a power of two, so that the largest one has so many bits. ``similarity`` as in
    ``nearest_cells``; ``weighted``: each times the size of its row.
    """
    if len(counts) == 0:
        return np.empty(0, dtype=np.int64)
    rows = cell_rows(indptr)
    common = counts.view(np.uint64)
    below = _divisors(common, row_sizes.view(np.uint64)[rows], col_sizes, cols, similarity)
    values = (common + common if similarity == "sorensen_dice" else common) / below
    if weighted:
        values = row_sizes[rows] * values
    scale = bits - math.frexp(float(values.max()))[1]
    gains = np.rint(values * 2.0**scale).astype(np.int64)
    return np.maximum(gains, 1)


def _divisors(
    counts: UnsignedArray,
    row_sizes: UnsignedArray,
    sizes_of_cols: IntArray,
    cols: IntArray,
    similarity: str,
) -> UnsignedArray:
    """Return what the counts are divided by; all similarities grow with their quotients."""
    if similarity == "overlap":
        return np.ones_like(counts)
    col_sizes = sizes_of_cols.view(np.uint64)[cols]
    if similarity == "braun_banquet":
        return np.maximum(row_sizes, col_sizes)
    return row_sizes + col_sizes - (counts if similarity == "jaccard" else np.uint64(0))


def b_cubed_sums(
    indptr: IntArray,
    cols: IntArray,
    counts: IntArray,
    row_sizes: IntArray,
    col_sizes: IntArray,
) -> tuple[int, int]:
    """Return, by row and by column, the sum of floor(2^64 (sum of n_ij^2) / size)."""
    mask = (1 << 31) - 1
    huge = np.flatnonzero(counts > mask)
    squares = counts * counts
    squares[huge] = 0  # these pass 63 bits

    def total(clusters: IntArray, sizes: IntArray) -> int:
        low, high = np.zeros(len(sizes), dtype=np.int64), np.zeros(len(sizes), dtype=np.int64)
        np.add.at(low, clusters, squares & mask)
        np.add.at(high, clusters, squares >> 31)
        sums = [(x << 31) + y for x, y in zip(high.tolist(), low.tolist(), strict=True)]
        for cluster, count in zip(clusters[huge].tolist(), counts[huge].tolist(), strict=True):
            sums[cluster] += count * count
        return sum((x << 64) // size for x, size in zip(sums, sizes.tolist(), strict=True))

    return total(cell_rows(indptr), row_sizes), total(cols, col_sizes)


def greedy_pairs(
    rows: IntArray, cols: IntArray, order: IntArray, rank: IntArray, n_rows: int, n_cols: int
) -> tuple[IntArray, bool]:
    """Take cells in order while both ends are free; also say if one lost to an equal.

    ``rank[i]`` is the rank of the gain of cell ``order[i]``: equal gains, equal rank.
    """
    taken_rows: dict[int, int] = {}
    taken_cols: dict[int, int] = {}
    chosen, tied = [], False
    ends = zip(rows[order].tolist(), cols[order].tolist(), rank.tolist(), strict=True)
    for index, (row, col, level) in enumerate(ends):
        at_row, at_col = taken_rows.get(row), taken_cols.get(col)
        if at_row is None and at_col is None:
            taken_rows[row] = taken_cols[col] = level
            chosen.append(index)
        elif at_row in (None, level) and at_col in (None, level):
            tied = True
    return order[np.array(chosen, dtype=np.int64)], tied
