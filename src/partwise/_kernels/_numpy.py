"""The reference kernels: NumPy and Python integers, no compiler needed.

Arguments are C-contiguous arrays in native byte order; index, size and count arrays are
int64. The caller has checked everything; nothing here raises for user error, keeps state or
changes its input. ``_compiled`` has the same names, parameters and results.

A table is (indptr, cols, counts): cells in row order, columns ascending inside a row, no
zero cell, no empty row or column. Sums are exact integers: see ``_logarithm``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise._kernels import _expected, _matching, _packing, _transport
from partwise._kernels._divergence import phi
from partwise._kernels._logarithm import xlogx
from partwise._kernels._many import many_sums as many_sums
from partwise._kernels._newton import newton_sums
from partwise._kernels._row_pairs import row_pairs
from partwise._kernels._sample import large_cells, random_places
from partwise._kernels._shuffle import shuffled_items
from partwise._kernels._sweep import sweep_clusters as sweep_clusters
from partwise._kernels._sweep import sweep_curves as sweep_curves
from partwise._kernels._sweep import sweep_edges as sweep_edges
from partwise._kernels._sweep import sweep_events as sweep_events
from partwise._kernels._sweep import sweep_sizes as sweep_sizes
from partwise._kernels._sweep import sweep_subtrees as sweep_subtrees
from partwise._kernels._sweep_scores import sweep_scores as sweep_scores
from partwise._kernels._sweep_scores import sweep_walks as sweep_walks
from partwise._kernels._values import number_fixed as number_fixed
from partwise._kernels._values import number_spans as number_spans
from partwise._kernels._values import number_text as number_text
from partwise._kernels._values import number_values as number_values
from partwise._kernels._values import types_of as types_of
from partwise._kernels._wide_integers import stable_order as stable_order
from partwise._kernels._wide_integers import wide_difference as wide_difference
from partwise._kernels._wide_integers import wide_product as wide_product
from partwise._kernels._wide_integers import wide_sum as wide_sum
from partwise._kernels._wide_ratio import wide_ratio as wide_ratio

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
UnsignedArray = NDArray[np.uint64]

_ONE = 1 << 62
_DENSE_PAIRS = 1 << 22
_LARGE_CELL = 32


# ---- labels ------------------------------------------------------------------------


def value_range(values: NDArray[Any]) -> tuple[int, int]:
    """Return the smallest and the largest of n >= 1 integers, as Python ints. O(n)."""
    return int(values.min()), int(values.max())


def encode(values: NDArray[Any]) -> tuple[NDArray[Any], IntArray]:
    """Return the distinct integers, ascending, and every item's place among them."""
    if len(values):
        low, high = value_range(values)
        if high - low < 4 * len(values) + 4096:  # no need to sort
            wide = values if values.dtype.itemsize == 8 else values.astype(np.int64)
            offsets = (wide - wide.dtype.type(low)).astype(np.int64)
            present = np.zeros(high - low + 1, dtype=bool)
            present[offsets] = True
            places = np.flatnonzero(present)
            labels = (places.astype(wide.dtype) + wide.dtype.type(low)).astype(values.dtype)
            return labels, (np.cumsum(present) - 1)[offsets]
    labels, codes = np.unique(values, return_inverse=True)
    return labels, codes.astype(np.int64, copy=False)


def first_appearance(codes: IntArray, k: int) -> tuple[IntArray, int]:
    """Renumber codes in 0..k-1 by first appearance; also return how many occur."""
    used, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    number = np.empty(len(used), dtype=np.int64)
    number[np.argsort(first)] = np.arange(len(used))
    return number[inverse], len(used)


# ---- the meet ----------------------------------------------------------------------


def meet(
    a: NDArray[Any], b: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], IntArray, IntArray, IntArray]:
    """Count the pairs of labels of n items: row labels, column labels, table."""
    row_labels, rows = encode(a)
    col_labels, cols = encode(b)
    n_rows, n_cols = len(row_labels), len(col_labels)
    pairs = n_rows * n_cols
    if pairs <= min(_DENSE_PAIRS, 4 * len(rows) + 4096):
        dense = np.bincount(rows * n_cols + cols, minlength=pairs)
        keys = np.flatnonzero(dense)
        counts = dense[keys]
    elif pairs < 1 << 63:
        keys, counts = np.unique(rows * n_cols + cols, return_counts=True)
    else:
        ones = np.ones(len(rows), dtype=np.int64)
        return row_labels, col_labels, *collapse(rows, cols, ones, n_rows, n_cols)
    indptr = np.searchsorted(keys, np.arange(n_rows + 1) * n_cols)
    return (
        row_labels,
        col_labels,
        indptr.astype(np.int64, copy=False),
        keys % n_cols if n_cols else keys,
        counts.astype(np.int64, copy=False),
    )


class Scratch:
    """Working memory that compiled kernels keep between calls; NumPy keeps none."""

    nbytes = 0

    def free(self) -> None:
        """Give the memory back."""


def tally(
    a: NDArray[Any], b: NDArray[Any], scratches: Sequence[Scratch]
) -> tuple[NDArray[Any], NDArray[Any], IntArray, IntArray, IntArray, IntArray, IntArray]:
    """Return the meet with the sizes of its rows and columns; one scratch a worker."""
    row_labels, col_labels, indptr, cols, counts = meet(a, b)
    sizes = margins(indptr, cols, counts, len(col_labels))
    return row_labels, col_labels, indptr, cols, counts, *sizes


def collapse(
    rows: IntArray, cols: IntArray, counts: IntArray, n_rows: int, n_cols: int
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the table of triples in any order; equal (row, col) add up."""
    order = np.lexsort((cols, rows))
    rows, cols, counts = rows[order], cols[order], counts[order]
    fresh = np.ones(len(rows), dtype=bool)
    fresh[1:] = (rows[1:] != rows[:-1]) | (cols[1:] != cols[:-1])
    starts = np.flatnonzero(fresh)
    if len(starts):
        counts = np.add.reduceat(counts, starts)
    indptr = np.searchsorted(rows[starts], np.arange(n_rows + 1))
    return indptr.astype(np.int64, copy=False), cols[starts], counts


def _cell_rows(indptr: IntArray) -> IntArray:
    return np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))


def margins(
    indptr: IntArray, cols: IntArray, counts: IntArray, n_cols: int
) -> tuple[IntArray, IntArray]:
    """Return the sizes of rows and columns. O(cells + rows + columns)."""
    ends = np.concatenate(([0], np.cumsum(counts)))
    row_sizes = ends[indptr[1:]] - ends[indptr[:-1]]
    col_sizes = np.zeros(n_cols, dtype=np.int64)
    np.add.at(col_sizes, cols, counts)
    return row_sizes.astype(np.int64, copy=False), col_sizes


def transpose(
    indptr: IntArray, cols: IntArray, counts: IntArray, n_cols: int
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the table with rows and columns exchanged."""
    order = np.argsort(cols, kind="stable")
    to_indptr = np.searchsorted(cols[order], np.arange(n_cols + 1))
    rows = _cell_rows(indptr)[order]
    return to_indptr.astype(np.int64, copy=False), rows, counts[order]


def maxima(
    indptr: IntArray, cols: IntArray, counts: IntArray, n_cols: int
) -> tuple[IntArray, IntArray]:
    """Return the largest cell of every row and of every column."""
    row_maxima = np.zeros(len(indptr) - 1, dtype=np.int64)
    col_maxima = np.zeros(n_cols, dtype=np.int64)
    np.maximum.at(row_maxima, _cell_rows(indptr), counts)
    np.maximum.at(col_maxima, cols, counts)
    return row_maxima, col_maxima


def locate(indptr: IntArray, table_cols: IntArray, rows: IntArray, cols: IntArray) -> IntArray:
    """Return the cell that each (row, col) lies in; the table has it. O(n log n)."""
    n_cells = len(table_cols)
    all_rows = np.concatenate([_cell_rows(indptr), rows])
    all_cols = np.concatenate([table_cols, cols])
    order = np.lexsort((all_cols, all_rows))  # stable: a cell comes before its items
    is_cell = order < n_cells
    found = np.empty(len(order), dtype=np.int64)
    found[order] = np.cumsum(is_cell) - 1
    return found[n_cells:]


# ---- the join ----------------------------------------------------------------------


def join(indptr: IntArray, cols: IntArray, n_cols: int) -> tuple[IntArray, IntArray, int]:
    """Return the component of each row and column, numbered by smallest row, and how many."""
    n_rows = len(indptr) - 1
    if n_rows == 0:
        return np.empty(0, dtype=np.int64), np.empty(n_cols, dtype=np.int64), 0
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    nodes = n_rows + n_cols
    ends = np.concatenate((indptr, np.full(n_cols, indptr[-1])))
    graph = csr_array((np.ones(len(cols), dtype=np.int8), cols + n_rows, ends), (nodes, nodes))
    found, labels = connected_components(graph, directed=False)
    numbered, _ = first_appearance(labels.astype(np.int64), int(found))
    return numbered[:n_rows].copy(), numbered[n_rows:].copy(), int(found)


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
    left = row_scores[_cell_rows(indptr)]
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


def _fraction_of_one(part: int, whole: int) -> int:
    """Return part / whole as a fraction of 2^62: never 2^62, 0 only where part is 0."""
    if part == 0:
        return 0
    shift = max(whole.bit_length() - 64, 0)
    result = ((part >> shift) << 62) // (whole >> shift)
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
        whole = xlogx(int(sizes[cluster]), fraction_bits)
        scores[cluster] = _fraction_of_one(part, whole)
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
        _split_scores_of(_cell_rows(indptr), counts, row_sizes, fraction_bits),
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
    rows = _cell_rows(indptr)
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
    expected = _exact_products(row_sizes[_cell_rows(indptr)], col_sizes[cols])
    excess = counts.astype(object) * n - expected
    scale = expected.astype(np.float64)
    return scale * phi(excess.astype(np.float64) / scale), int(expected.sum())


# ---- ratios of integers ------------------------------------------------------------


def sum_ratios(weights: IntArray, above: UnsignedArray, below: UnsignedArray) -> int:
    """Return the sum of weight x floor(2^126 above / below), above <= below. O(n)."""
    triples = zip(weights.tolist(), above.tolist(), below.tolist(), strict=True)
    return sum(w * ((a << 126) // b) for w, a, b in triples)


def best_cells(indptr: IntArray, above: UnsignedArray, below: UnsignedArray) -> IntArray:
    """Return each row's first cell with the largest above / below, compared exactly."""
    if len(indptr) == 1:
        return np.empty(0, dtype=np.int64)
    rows = _cell_rows(indptr)
    ratio = above / below
    near = ratio >= np.maximum.reduceat(ratio, indptr[:-1])[rows] * (1 - 2.0**-50)
    places = np.flatnonzero(near)
    best = np.full(len(indptr) - 1, -1, dtype=np.int64)
    tops: dict[int, tuple[int, int]] = {}
    for row, cell in zip(rows[places].tolist(), places.tolist(), strict=True):
        a, b = int(above[cell]), int(below[cell])
        if row not in tops or a * tops[row][1] > tops[row][0] * b:
            tops[row] = (a, b)
            best[row] = cell
    return best


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

    return total(_cell_rows(indptr), row_sizes), total(cols, col_sizes)


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
    for place, (row, col, level) in enumerate(ends):
        at_row, at_col = taken_rows.get(row), taken_cols.get(col)
        if at_row is None and at_col is None:
            taken_rows[row] = taken_cols[col] = level
            chosen.append(place)
        elif at_row in (None, level) and at_col in (None, level):
            tied = True
    return order[np.array(chosen, dtype=np.int64)], tied


# ---- matching ----------------------------------------------------------------------


def match(
    indptr: IntArray, cols: IntArray, gains: IntArray, n_cols: int, tied: bool, budget: int
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the matched cell of each row (-1: none) and the duals of rows and columns.

    Gains lie in 0..2^61 - 1; their matched sum is the largest possible. The duals are >= 0,
    row + column >= gain on every cell, equal on matched ones, 0 on what is unmatched.
    Once more than `budget` cells have been scanned, the compiled kernel goes on in other ways
    (`tied`: many gains are exactly equal) and may then choose another of several best
    matchings. Here the way never changes.
    """
    return _matching.match(indptr, cols, gains, n_cols)


def pack(
    indptr: IntArray,
    cols: IntArray,
    gains: IntArray,
    row_caps: IntArray,
    col_caps: IntArray,
    budget: int,
) -> tuple[IntArray, IntArray, IntArray]:
    """Return what every cell carries, and the duals of rows and columns.

    ``budget`` is the work after which the compiled kernel changes to an auction, below 0 its
    own choice; this one has no other method. Until then the packings are the same.

    Gains lie in 0..2^61 - 1, capacities are >= 1 with a sum below 2^62; sum gain x amount is
    the largest possible. The duals are >= 0, row + column >= gain on every cell, equal where
    there is an amount, 0 on rows and columns that are not full.
    """
    return _packing.pack(indptr, cols, gains, row_caps, col_caps)


def transport(
    costs: FloatArray, supply: IntArray, demand: IntArray
) -> tuple[IntArray, IntArray, IntArray, FloatArray, FloatArray] | None:
    """Return rows, columns and flows of the cheapest plan, and the duals of rows and columns.

    Costs have shape (rows, columns), >= 1 each; supplies and demands are >= 1 with equal sums
    below 2^62. row + column dual <= cost on every cell, equal where there is flow. None: the
    bound on pivots was reached.
    """
    return _transport.transport(costs, supply, demand)


# ---- soft clusterings --------------------------------------------------------------

_LOW = (1 << 31) - 1


def _units(memberships: FloatArray) -> IntArray:
    """Return memberships in 0..2 as multiples of 2^-51, each rounded once to the nearest."""
    lifted = ((1.0 + 0.5 * memberships) - 1.0) * 2.0**52
    return lifted.astype(np.int64)


def _from_units(high: IntArray, low: IntArray) -> FloatArray:
    """Return (2^31 high + low) 2^-51, rounded once."""
    totals = (high.astype(object) << 31) + low
    return np.ldexp(totals.astype(np.float64), -51)


def shared_mass(p: FloatArray, q: FloatArray, first: int, last: int) -> FloatArray:
    """Return the sums of min(p, q) over items: columns of p by columns first..last-1 of q.

    Memberships lie in 0..2 and are rounded once to the nearest multiple of 2^-51; the sums
    are exact and rounded once.
    """
    n_rows = p.shape[1]
    high = np.zeros((n_rows, last - first), dtype=np.int64)
    low = np.zeros((n_rows, last - first), dtype=np.int64)
    for start in range(0, len(p), 1024):  # sums of 2^10 terms up to 2^52 fit in 63 bits
        block = slice(start, start + 1024)
        rows, cols = _units(p[block]), _units(q[block, first:last])
        for k in range(n_rows):
            part = np.minimum(rows[:, k, None], cols).sum(axis=0)
            high[k] += part >> 31
            low[k] += part & _LOW
    return _from_units(high, low)


def shared_mass_sparse(
    p_indptr: IntArray,
    p_cols: IntArray,
    p_values: FloatArray,
    q_indptr: IntArray,
    q_cols: IntArray,
    q_values: FloatArray,
    n_rows: int,
    n_cols: int,
) -> FloatArray:
    """Return the same sums for rows of stored entries, columns of p by all columns of q."""
    left, right = row_pairs(p_indptr, q_indptr)
    terms = np.minimum(_units(p_values)[left], _units(q_values)[right])
    cells = p_cols[left] * n_cols + q_cols[right]
    high = np.zeros(n_rows * n_cols, dtype=np.int64)
    low = np.zeros(n_rows * n_cols, dtype=np.int64)
    np.add.at(high, cells, terms >> 31)
    np.add.at(low, cells, terms & _LOW)
    return _from_units(high, low).reshape(n_rows, n_cols)


# ---- random tables -----------------------------------------------------------------


def random_table(
    row_sizes: IntArray, col_sizes: IntArray, seed: int, stream: int
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the table of two clusterings of the given sizes, their items paired at random.

    The sizes, each at least 1, add up to the same n < 2^32 on both sides. The same seed and
    stream (both below 2^64) give the same table.
    """
    n_rows, n_cols = len(row_sizes), len(col_sizes)
    if n_rows and n_rows <= int(row_sizes.sum()) // _LARGE_CELL // n_cols:
        dense = large_cells(row_sizes, col_sizes, seed, stream)
        rows, cols = np.nonzero(dense)
        return collapse(rows, cols, dense[rows, cols], n_rows, n_cols)
    rows = cols = np.zeros(0, dtype=np.int64)
    if n_rows:
        rows, cols = shuffled_items(row_sizes, col_sizes, seed, stream)
    return collapse(rows, cols, np.ones_like(cols), n_rows, n_cols)


def resample(n: int, seed: int, stream: int, draws: int) -> IntArray:
    """Return how often each of n < 2^32 places is met in n draws with replacement.

    One row of the result for each of the streams ``stream``, ``stream + 1``, ...
    """
    counts = np.empty((draws, n), dtype=np.int64)
    for draw in range(draws):
        places = random_places(n, np.full(n, n, dtype=np.uint64), seed, stream + draw)
        counts[draw] = np.bincount(places, minlength=n)
    return counts


# ---- chance ------------------------------------------------------------------------


def expected_sums(
    row_sizes: IntArray,
    row_weights: FloatArray,
    col_sizes: IntArray,
    col_weights: FloatArray,
    n: int,
) -> tuple[int, int]:
    """Return two sums over pairs of a row size a and a column size b, in units of 2^-160.

    With M the overlap of such clusters when items are permuted, mu = a b / n, and the weight
    of a pair w = w_a w_b: the sums of w E[M ln M] and of w E[M ln(M / mu) - M + mu].
    """
    sides = _expected.sorted_sides(row_sizes, row_weights, col_sizes, col_weights)
    first = _expected.leading_columns(sides[0], sides[2], n)
    overlap = divergence = 0
    if first.any():
        overlap, divergence = newton_sums(*sides, n, first, _expected.FRACTION_BITS)
    for terms in _expected.terms(*sides, n, first):
        overlap += sum_doubles(terms[0], _expected.FRACTION_BITS)
        divergence += sum_doubles(terms[1], _expected.FRACTION_BITS)
    return overlap, divergence


def expected_by_size(
    row_sizes: IntArray,
    row_weights: FloatArray,
    col_sizes: IntArray,
    n: int,
    fraction_bits: int,
) -> tuple[tuple[IntArray, UnsignedArray], tuple[IntArray, UnsignedArray]]:
    """Return the sums of ``expected_sums`` for each column size alone, cut once.

    Parameters
    ----------
    row_sizes, row_weights
        As for ``expected_sums``.
    col_sizes : int64, shape (n_cols,)
        Ascending; weight 1 each.
    n, fraction_bits : int
        Items; fraction bits of the result.

    Returns
    -------
    tuple of tuple
        Overlap and divergence, each (high, low) words of 128-bit integers. Every pair of sizes
        is summed on its own, without the series for many pairs.
    """
    found: list[list[int]] = [[], []]
    for size in col_sizes:
        one = np.array([size]), np.ones(1)
        sides = _expected.sorted_sides(row_sizes, row_weights, *one)
        sums = [0, 0]
        for terms in _expected.terms(*sides, n, np.zeros(len(row_sizes), dtype=np.int64)):
            for i in range(2):
                sums[i] += sum_doubles(terms[i], _expected.FRACTION_BITS)
        for i in range(2):
            found[i].append(sums[i] >> (_expected.FRACTION_BITS - fraction_bits))
    overlap, divergence = (
        (
            np.array([value >> 64 for value in values], dtype=np.int64),
            np.array([value & ((1 << 64) - 1) for value in values], dtype=np.uint64),
        )
        for values in found
    )
    return overlap, divergence
