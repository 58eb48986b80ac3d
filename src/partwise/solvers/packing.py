"""Maximum-gain packing under capacities of rows and columns on sparse gains."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.numbers.arrays import IntArray
from partwise.report.brief import Brief
from partwise.solvers.arrays import as_numbers, check_nodes
from partwise.solvers.gains import Cells, Stored, cells_of, integer_gains
from partwise.typing import Column

_NO_LIMIT = (1 << 63) - 1


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Packing(Brief):
    """A packing of largest total gain, with the proof that it is one.

    Attributes
    ----------
    amounts : ndarray of int64 or float64, shape (stored cells,)
        What each cell carries: at least 0, within the capacities of its row and column.
    total : int or float
        Sum of gain x amount.
    row_duals, col_duals : ndarray of int64 or float64
        At least 0; row + column is at least the gain on every cell and equal where there is an
        amount; 0 on rows and columns that are not full. Their sum over capacities is the total.
    """

    amounts: NDArray[Any]
    total: int | float
    row_duals: NDArray[Any]
    col_duals: NDArray[Any]


def pack(csr: Cells, gains: Column | None, row_caps: Column, col_caps: Column) -> Packing:
    """Fill stored cells under capacities of rows and columns for the largest total gain.

    Parameters
    ----------
    csr : scipy sparse array or matrix, or Contingency
        Which cells there are. Repeated entries are an error.
    gains : array-like of shape (stored cells,), or None
        Gain per unit of each stored cell, as in ``match``; None: the stored values.
    row_caps, col_caps : array-like of shape (rows,), (columns,)
        Capacities, finite and at least 0. Whole ones (integer dtype, sum of both sides below
        2^62) are exact; floats are rounded to 2^-60 of the larger side's total.

    Returns
    -------
    Packing
        Where several packings are best, which one is returned depends on the order of rows
        and columns.

    Raises
    ------
    ValueError
        Gains as in ``match``; a capacity is negative, not finite or too large, or their number
        is not that of rows or columns.
    TypeError
        ``csr`` is no sparse matrix, or gains or capacities are no numbers.

    Notes
    -----
    With capacities of 1 this is ``match``. Network simplex on the cells with a greedy start,
    in integers. On nearly equal clusterings O(cells) and a sort; no polynomial bound. Memory
    follows the cells. Can be interrupted.

    Examples
    --------
    >>> import partwise as pw
    >>> found = pw.solvers.pack(pw.contingency([0, 0, 1], [0, 1, 1]), None, [2, 2], [3, 1])
    >>> found.amounts.tolist(), found.total
    ([2, 0, 1], 3)
    """
    stored = cells_of(csr)
    indptr, cols, n_cols = stored.indptr, stored.cols, stored.n_cols
    values = stored.own(gains)
    integers, gain_bits = integer_gains(values, len(cols))
    limits, bits = whole_capacities(row_caps, col_caps, len(indptr) - 1, n_cols)
    amounts, row_duals, col_duals = pack_cells(indptr, cols, integers, *limits)
    used = np.flatnonzero(amounts)
    products = (
        x * y for x, y in zip(integers[used].tolist(), amounts[used].tolist(), strict=True)
    )
    if gain_bits is None and bits is None:
        return Packing(_as_given(stored, amounts), sum(products), row_duals, col_duals)
    units = amounts if bits is None else np.ldexp(amounts.astype(np.float64), -bits)
    floats = np.asarray(values, dtype=np.float64)
    scale = gain_bits or 0
    duals = (np.ldexp(x.astype(np.float64), -scale) for x in (row_duals, col_duals))
    total = math.fsum(floats[used] * units[used])
    return Packing(_as_given(stored, units), total, *duals)


def _as_given(stored: Stored, amounts: NDArray[Any]) -> NDArray[Any]:
    if stored.order is None:
        return amounts
    in_order = np.empty_like(amounts)
    in_order[stored.order] = amounts
    return in_order


def whole_capacities(
    row_caps: Any, col_caps: Any, n_rows: int, n_cols: int
) -> tuple[tuple[IntArray, IntArray], int | None]:
    """Return capacities as integers, and the power of two they were scaled by (None: whole)."""
    sides = [
        as_numbers(values, name, (n,))
        for name, values, n in (("row_caps", row_caps, n_rows), ("col_caps", col_caps, n_cols))
    ]
    if all(caps.dtype.kind == "i" or not len(caps) for caps in sides):
        totals = [sum(caps.tolist()) for caps in sides]
        # what a side cannot use up is no limit: one more than all that the other side takes
        sides = [
            np.minimum(caps, min(other + 1, _NO_LIMIT))
            for caps, other in zip(sides, reversed(totals), strict=True)
        ]
        total = sum(sum(caps.tolist()) for caps in sides)
        if total >= 1 << 62:
            raise ValueError(f"the capacities add up to {total}; below 2^62 is needed")
        first, second = (np.ascontiguousarray(caps, dtype=np.int64) for caps in sides)
        return (first, second), None
    # the same, so that huge capacities do not leave the others without digits
    taken = [math.fsum(caps.tolist()) for caps in reversed(sides)]
    sides = [
        np.minimum(caps, 2.0 * other if other else 1.0)
        for caps, other in zip(sides, taken, strict=True)
    ]
    most = max(math.fsum(caps.tolist()) for caps in sides)
    bits = 60 - math.frexp(most)[1]
    first, second = (
        np.rint(np.ldexp(caps.astype(np.float64), bits)).astype(np.int64) for caps in sides
    )
    return (first, second), bits


def pack_cells(
    indptr: IntArray, cols: IntArray, gains: IntArray, row_caps: IntArray, col_caps: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    """Return amounts and duals as the kernel does, capacities of 0 allowed."""
    check_nodes(len(row_caps), len(col_caps))
    if row_caps.all() and col_caps.all():
        return _kernels.impl.pack(indptr, cols, gains, row_caps, col_caps, -1)
    rows = np.repeat(np.arange(len(row_caps)), np.diff(indptr))
    kept = np.flatnonzero((row_caps[rows] > 0) & (col_caps[cols] > 0))
    some = np.concatenate(([0], np.cumsum(np.bincount(rows[kept], minlength=len(row_caps)))))
    # a row or column without cells may have any capacity
    assigned, row_duals, col_duals = _kernels.impl.pack(
        some, cols[kept], gains[kept], np.maximum(row_caps, 1), np.maximum(col_caps, 1), -1
    )
    amounts = np.zeros(len(cols), dtype=np.int64)
    amounts[kept] = assigned
    for caps, here, other, own, others in (
        (row_caps, rows, cols, row_duals, col_duals),
        (col_caps, cols, rows, col_duals, row_duals),
    ):
        closed = caps[here] == 0  # what costs nothing may have any dual
        np.maximum.at(own, here[closed], gains[closed] - others[other[closed]])
    return amounts, row_duals, col_duals
