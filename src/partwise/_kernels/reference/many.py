"""One clustering against several of the same items: the sums of ``csrc/table/pw_many.c``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise._kernels.reference.sums import (
    b_cubed_sums,
    split_scores,
    sum_products,
    sum_squares,
    sum_weighted,
    sum_xlogx,
)
from partwise._kernels.reference.table import cell_rows, maxima
from partwise.numbers.arrays import IntArray, UnsignedArray
from partwise.numbers.kernel_sums import (
    B_CUBED,
    MATCHES,
    MAXIMA,
    SPLIT_MERGE,
    WORDS_A_ROW,
    WORDS_OF_SUM,
    XLOGX,
)

__all__ = [
    "many_sums",
]


_WORD = (1 << 64) - 1


def many_sums(
    codes: NDArray[Any],
    sizes: IntArray,
    starts: IntArray,
    reference: int,
    candidates: IntArray,
    wanted: int,
    fraction_bits: int,
) -> UnsignedArray:
    """Return sums over the cells of the tables of one clustering with several others.

    ``codes`` are unsigned, of 1, 2 or 4 bytes and shape (clusterings, n), n below 2^32: each
    row holds 0..k-1, all of which occur; its cluster sizes are
    ``sizes[starts[i]:starts[i + 1]]``. The result has a row of ``WORDS_A_ROW`` words for each
    candidate, laid out as ``WORDS_OF_SUM`` says; what is not ``wanted`` is 0.
    """
    result = np.zeros((len(candidates), WORDS_A_ROW), dtype=np.uint64)
    for index, candidate in enumerate(candidates.tolist()):
        sides = [sizes[starts[i] : starts[i + 1]] for i in (reference, candidate)]
        cells = _cells(codes[reference], codes[candidate], *map(len, sides))
        for name, value in _sums(cells, sides, wanted, fraction_bits).items():
            first, words = WORDS_OF_SUM[name]
            result[index, first : first + words] = [
                value >> 64 * word & _WORD for word in range(words)
            ]
    return result


def _cells(
    a: NDArray[Any], b: NDArray[Any], n_rows: int, n_cols: int
) -> tuple[IntArray, IntArray, IntArray]:
    keys = a.astype(np.int64) * n_cols + b
    if n_rows * n_cols <= 4 * len(a) + 4096:
        dense = np.bincount(keys, minlength=n_rows * n_cols)
        keys = np.flatnonzero(dense)
        counts = dense[keys]
    else:
        keys, counts = np.unique(keys, return_counts=True)
    indptr = np.searchsorted(keys, np.arange(n_rows + 1) * n_cols)
    return indptr, keys % n_cols if n_cols else keys, counts


def _sums(
    cells: tuple[IntArray, IntArray, IntArray],
    sides: list[IntArray],
    wanted: int,
    fraction_bits: int,
) -> dict[str, int]:
    indptr, cols, counts = cells
    rows, columns = sides
    sums = {"cells": len(counts), "squares": sum_squares(counts)}
    if wanted & XLOGX:
        sums["xlogx"] = sum_xlogx(counts, fraction_bits)
    if wanted & MAXIMA:
        largest = maxima(*cells, len(columns))
        sums["row_maxima"], sums["col_maxima"] = (int(side.sum()) for side in largest)
    if wanted & MATCHES:
        is_match = (rows[cell_rows(indptr)] == counts) & (columns[cols] == counts)
        sums["matches"] = int(is_match.sum())
    if wanted & B_CUBED:
        sums["by_row"], sums["by_col"] = b_cubed_sums(*cells, rows, columns)
    if wanted & SPLIT_MERGE:
        scores = split_scores(*cells, rows, columns, fraction_bits)
        sums["products"] = sum_products(*cells, *scores)
        sums["row_scores"] = sum_weighted(rows, scores[0])
        sums["col_scores"] = sum_weighted(columns, scores[1])
    return sums
