"""Random tables, draws with replacement, and sums that chance gives on average."""

from __future__ import annotations

import numpy as np

from partwise._kernels.reference import expected as _expected
from partwise._kernels.reference.newton import newton_sums
from partwise._kernels.reference.sample import large_cells, random_numbers
from partwise._kernels.reference.shuffle import shuffled_items
from partwise._kernels.reference.sums import sum_doubles
from partwise._kernels.reference.table import collapse
from partwise.numbers.arrays import FloatArray, IntArray, UnsignedArray
from partwise.numbers.kernel_sums import EXPECTED_FRACTION_BITS

__all__ = [
    "expected_by_size",
    "expected_sums",
    "random_table",
    "resample",
]


_LARGE_CELL = 32


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
    """Return how often each of n < 2^32 items is drawn in n draws with replacement.

    One row of the result for each of the streams ``stream``, ``stream + 1``, ...
    """
    counts = np.empty((draws, n), dtype=np.int64)
    for draw in range(draws):
        drawn = random_numbers(n, np.full(n, n, dtype=np.uint64), seed, stream + draw)
        counts[draw] = np.bincount(drawn, minlength=n)
    return counts


# ---- expected sums -----------------------------------------------------------------


def expected_sums(
    row_sizes: IntArray,
    row_weights: FloatArray,
    col_sizes: IntArray,
    col_weights: FloatArray,
    n: int,
    workers: int = 1,
) -> tuple[int, int]:
    """Return two sums over pairs of a row size a and a column size b, in units of 2^-160.

    With M the overlap of such clusters when items are permuted, mu = a b / n, and the weight
    of a pair w = w_a w_b: the sums of w E[M ln M] and of w E[M ln(M / mu) - M + mu].
    ``workers``: threads of the compiled kernel; they change no bit.
    """
    sides = _expected.sorted_sides(row_sizes, row_weights, col_sizes, col_weights)
    first = _expected.leading_columns(sides[0], sides[2], n)
    overlap = divergence = 0
    if first.any():
        overlap, divergence = newton_sums(*sides, n, first, EXPECTED_FRACTION_BITS)
    for terms in _expected.terms(*sides, n, first):
        overlap += sum_doubles(terms[0], EXPECTED_FRACTION_BITS)
        divergence += sum_doubles(terms[1], EXPECTED_FRACTION_BITS)
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
    sums_by_size: list[list[int]] = [[], []]
    for size in col_sizes:
        one = np.array([size]), np.ones(1)
        sides = _expected.sorted_sides(row_sizes, row_weights, *one)
        sums = [0, 0]
        for terms in _expected.terms(*sides, n, np.zeros(len(row_sizes), dtype=np.int64)):
            for i in range(2):
                sums[i] += sum_doubles(terms[i], EXPECTED_FRACTION_BITS)
        for i in range(2):
            sums_by_size[i].append(sums[i] >> (EXPECTED_FRACTION_BITS - fraction_bits))
    overlap, divergence = (
        (
            np.array([value >> 64 for value in values], dtype=np.int64),
            np.array([value & ((1 << 64) - 1) for value in values], dtype=np.uint64),
        )
        for values in sums_by_size
    )
    return overlap, divergence
