"""Integer labels, their meet as a table, its join."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.numbers.arrays import BoolArray, IntArray

__all__ = [
    "Scratch",
    "collapse",
    "dense_masses",
    "double_range",
    "encode",
    "first_appearance",
    "first_places",
    "join",
    "keep",
    "locate",
    "margins",
    "maxima",
    "meet",
    "one_to_one",
    "recode",
    "tally",
    "transpose",
    "union_cells",
    "union_rows",
    "unite",
    "use_vector",
    "value_range",
    "vector_levels",
    "whole_numbers",
]


_DENSE_PAIRS = 1 << 22


# ---- vector levels -----------------------------------------------------------------


def vector_levels() -> tuple[str, ...]:
    """Return the vector levels of the meet that this processor has, the fastest one last.

    "none" is the portable one. NumPy chooses its own instructions.
    """
    return ("none",)


def use_vector(level: str) -> None:
    """Let meets run on a level of ``vector_levels()``; the tables are the same on all."""
    if level not in vector_levels():
        raise ValueError(f"{level!r} is none of the vector levels {', '.join(vector_levels())}")


# ---- labels ------------------------------------------------------------------------


def value_range(values: NDArray[Any]) -> tuple[int, int]:
    """Return the smallest and the largest of n >= 1 integers, as Python ints. O(n)."""
    return int(values.min()), int(values.max())


def encode(values: NDArray[Any], workers: int = 1) -> tuple[NDArray[Any], IntArray]:
    """Return the distinct integers, ascending, and the index of each item's among them.

    ``workers`` here and below: threads of the compiled kernels; they change no result.
    """
    if len(values):
        low, high = value_range(values)
        if high - low < 4 * len(values) + 4096:  # no need to sort
            wide = values if values.dtype.itemsize == 8 else values.astype(np.int64)
            offsets = (wide - wide.dtype.type(low)).astype(np.int64)
            present = np.zeros(high - low + 1, dtype=bool)
            present[offsets] = True
            occurring = np.flatnonzero(present)
            labels = (occurring.astype(wide.dtype) + wide.dtype.type(low)).astype(values.dtype)
            return labels, (np.cumsum(present) - 1)[offsets]
    labels, codes = np.unique(values, return_inverse=True)
    return labels, codes.astype(np.int64, copy=False)


def one_to_one(
    first: IntArray, second: IntArray, n_ids: int, workers: int = 1
) -> IntArray | None:
    """Return where the second side has the id of each item of the first.

    Ids are 0 to ``n_ids`` - 1. None: some side has an id again, or lacks one.
    """
    if not len(first) == len(second) == n_ids:
        return None
    places = np.full(n_ids, -1, dtype=np.int64)
    places[second] = np.arange(n_ids)
    present = np.zeros(n_ids, dtype=bool)
    present[first] = True
    return places[first] if present.all() and (places >= 0).all() else None


def first_appearance(codes: IntArray, k: int) -> tuple[IntArray, int]:
    """Renumber codes in 0..k-1 by first appearance; also return how many occur."""
    used, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    number = np.empty(len(used), dtype=np.int64)
    number[np.argsort(first)] = np.arange(len(used))
    return number[inverse], len(used)


def recode(
    values: NDArray[Any], numbers: NDArray[np.int32]
) -> tuple[NDArray[np.int32], int | None]:
    """Return the number of each code, and the first place of a code that has none (or None).

    With such a place, the other result means nothing.
    """
    wrong = _without_entry(values, len(numbers))
    if wrong is not None:
        return np.zeros(len(values), dtype=np.int32), wrong
    return numbers[values], None


def first_places(values: NDArray[Any], n_codes: int) -> tuple[IntArray, int | None]:
    """Return the first place of each code, -1: none; and the first of a code beyond (or None).

    With such a place, the other result means nothing; it is not looked for beyond the place
    where the last of all codes occurs first.
    """
    first = np.full(n_codes, -1, dtype=np.int64)
    wrong = _without_entry(values, n_codes)
    known = values if wrong is None else values[:wrong]
    first[known[::-1]] = np.arange(len(known))[::-1]  # the last one written is the first
    return first, None if (first >= 0).all() else wrong


def _without_entry(values: NDArray[Any], n_codes: int) -> int | None:
    wrong = np.flatnonzero((values < 0) | (values >= n_codes))
    return int(wrong[0]) if len(wrong) else None


def double_range(values: NDArray[np.float64]) -> tuple[float, float, int]:
    """Return the least and largest of n >= 1 doubles that are no NaN, and how many are NaN.

    inf and -inf: there is none.
    """
    numbers = values[~np.isnan(values)]
    missing = len(values) - len(numbers)
    if not len(numbers):
        return float("inf"), float("-inf"), missing
    return float(numbers.min()), float(numbers.max()), missing


def whole_numbers(values: NDArray[np.float64], least: float) -> NDArray[np.int32] | None:
    """Return doubles less the least of them (0 for a NaN), None if one is not whole.

    They lie within 2^31 - 1 of the least, which is whole and of at most 2^52.
    """
    known = np.where(np.isnan(values), least, values)
    numbers = (known - least).astype(np.int32)
    return numbers if (numbers + least == known).all() else None


def keep(values: NDArray[Any], dropped: BoolArray) -> NDArray[Any]:
    """Return the labels that are not dropped, in their order."""
    return values[~dropped]


# ---- the meet ----------------------------------------------------------------------


def meet(
    a: NDArray[Any], b: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], IntArray, IntArray, IntArray]:
    """Count the pairs of labels of n items; return row labels, column labels and the table."""
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


def dense_masses(
    a: NDArray[Any],
    b: NDArray[Any],
    times: IntArray | None,
    weights: NDArray[np.float64] | None,
    largest: float,
    fraction_bits: int,
    dropped: BoolArray | None = None,
) -> tuple[tuple[int, int], IntArray, list[NDArray[np.float64]] | None, int] | None:
    """Return counts and masses of every pair of labels, where few pairs are possible.

    Parameters
    ----------
    a, b : ndarray of integers
    times : ndarray of int64, or None
        How often each item counts; an item that counts 0 times is not there.
    weights : ndarray of float64, or None
        Mass of each item, as often as it counts; summed with so many fraction bits.
    largest : float
        The largest mass: weight times how often its item counts.
    dropped : ndarray of bool, optional
        Items that are not there, whose labels mean nothing; without times and weights.

    Returns
    -------
    (low_row, low_col), counts, totals, zeros
        Entry (i, j) of ``counts`` is of the labels low_row + i and low_col + j. ``totals`` are
        sums and what rounding left over, shape (2, size), of the pairs, rows, columns and all
        items. ``zeros`` is how many items count 0 times or, without ``times``, weigh 0. None,
        as here: other ways cost less, or a number is not what it has to be (times at least 0
        and their sum below 2^63, masses from 0 to the largest).
    """
    return None


def collapse(
    rows: IntArray, cols: IntArray, counts: IntArray, n_rows: int, n_cols: int
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the table of triples that come in any order; equal (row, col) are added up."""
    order = np.lexsort((cols, rows))
    rows, cols, counts = rows[order], cols[order], counts[order]
    fresh = np.ones(len(rows), dtype=bool)
    fresh[1:] = (rows[1:] != rows[:-1]) | (cols[1:] != cols[:-1])
    starts = np.flatnonzero(fresh)
    if len(starts):
        counts = np.add.reduceat(counts, starts)
    indptr = np.searchsorted(rows[starts], np.arange(n_rows + 1))
    return indptr.astype(np.int64, copy=False), cols[starts], counts


def cell_rows(indptr: IntArray) -> IntArray:
    """Return the row of every cell."""
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
    rows = cell_rows(indptr)[order]
    return to_indptr.astype(np.int64, copy=False), rows, counts[order]


def maxima(
    indptr: IntArray, cols: IntArray, counts: IntArray, n_cols: int
) -> tuple[IntArray, IntArray]:
    """Return the largest cell of every row and of every column."""
    row_maxima = np.zeros(len(indptr) - 1, dtype=np.int64)
    col_maxima = np.zeros(n_cols, dtype=np.int64)
    np.maximum.at(row_maxima, cell_rows(indptr), counts)
    np.maximum.at(col_maxima, cols, counts)
    return row_maxima, col_maxima


def locate(indptr: IntArray, table_cols: IntArray, rows: IntArray, cols: IntArray) -> IntArray:
    """Return the cell that each (row, col) lies in; the table has it. O(n log n)."""
    n_cells = len(table_cols)
    all_rows = np.concatenate([cell_rows(indptr), rows])
    all_cols = np.concatenate([table_cols, cols])
    order = np.lexsort((all_cols, all_rows))  # stable: a cell comes before its items
    is_cell = order < n_cells
    cell_at = np.empty(len(order), dtype=np.int64)
    cell_at[order] = np.cumsum(is_cell) - 1
    return cell_at[n_cells:]


# ---- tables of different items add up ------------------------------------------------

#: indptr, cols, counts; the place of each row and of each column in the union, None: its own.
Placed = tuple[IntArray, IntArray, IntArray, IntArray | None, IntArray | None]


def unite(x: NDArray[Any], y: NDArray[Any]) -> tuple[NDArray[Any], IntArray, IntArray]:
    """Return the union of two lists of ascending integers of one type, and places in it."""
    both = np.union1d(x, y)
    return both, np.searchsorted(both, x), np.searchsorted(both, y)


def union_rows(x: Placed, y: Placed, n_rows: int) -> IntArray:
    """Return the indptr of two tables that become one."""
    return _added(x, y, n_rows)[0]


def union_cells(
    x: Placed, y: Placed, indptr: IntArray, cols: IntArray, counts: IntArray
) -> None:
    """Add the cells of ``y`` to those of ``x``, which ``cols`` and ``counts`` begin with.

    Parameters
    ----------
    x, y : tuple
        Of ``x`` only indptr and places are read.
    indptr : ndarray
        What ``union_rows`` returned.
    cols, counts : ndarray
        The cells of ``x``, with room for those of the union, which they become.
    """
    n_cells = int(x[0][-1])
    own = (x[0], cols[:n_cells].copy(), counts[:n_cells].copy(), *x[3:])
    _, cols[:], counts[:] = _added(own, y, len(indptr) - 1)


def _added(x: Placed, y: Placed, n_rows: int) -> tuple[IntArray, IntArray, IntArray]:
    rows, cols = [], []
    for indptr, own_cols, _, row_places, col_places in (x, y):
        own_rows = cell_rows(indptr)
        rows.append(own_rows if row_places is None else row_places[own_rows])
        cols.append(own_cols if col_places is None else col_places[own_cols])
    counts = np.concatenate([x[2], y[2]])
    return collapse(np.concatenate(rows), np.concatenate(cols), counts, n_rows, 0)


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
    n_components, labels = connected_components(graph, directed=False)
    numbered, _ = first_appearance(labels.astype(np.int64), int(n_components))
    return numbered[:n_rows].copy(), numbered[n_rows:].copy(), int(n_components)
