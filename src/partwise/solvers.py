"""Solvers on sparse gains, for toolkit authors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.contingency import Contingency
from partwise.labels.columns import IntArray
from partwise.order_free import FloatArray

#: Fractions are solved as integers of this many bits (below the largest gain).
FRACTION_BITS = 50
_GAIN_MOST = 1 << 61
#: Cells scanned per stored cell before the kernel leaves the direct way; the same where one
#: cell in sixteen is stored (the direct way is then faster for longer); what is always allowed.
SCANS, SCANS_DENSE, SCANS_LEAST = 4, 32, 20_000


@dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """A matching of largest total gain, with the proof that it is one.

    Attributes
    ----------
    rows, cols : ndarray of int64
        The matched pairs, rows ascending.
    cells : ndarray of int64
        Place of each pair among the stored cells.
    total : int or float
        Sum of the matched gains.
    row_duals, col_duals : ndarray of int64 or float64
        At least 0; row + column is at least the gain on every cell and equal on matched ones;
        0 on unmatched rows and columns. Their sum is the total.
    """

    rows: IntArray
    cols: IntArray
    cells: IntArray
    total: int | float
    row_duals: NDArray[Any]
    col_duals: NDArray[Any]


def match(csr: Any, gains: Any = None) -> Matching:
    """Match rows with columns one to one so that the gains on stored cells add up to the most.

    Rows and columns may stay unmatched, at a gain of 0; a cell that is not stored gains
    nothing.

    Parameters
    ----------
    csr : scipy sparse array or matrix, or Contingency
        Which cells there are. Repeated entries are an error.
    gains : array-like of shape (stored cells,), optional
        Gain of each stored cell in CSR order, finite and at least 0; by default the stored
        values (counts). Integers below 2^61 are solved exactly, floats after rounding to 50
        bits below the largest.

    Returns
    -------
    Matching
        Where several matchings are best, which one is returned depends on the order of rows
        and columns.

    Raises
    ------
    ValueError
        A gain is negative, not finite or too large (its place is named), or their number is
        not that of the cells.
    TypeError
        ``csr`` is no sparse matrix, or the gains are no numbers.

    Notes
    -----
    Row maxima as duals, matching on tight cells, row reduction, shortest augmenting paths. If
    that takes more than a few scans of the cells (clusterings that have little in common), the
    compiled kernel goes on with Hopcroft-Karp phases, which suit gains of which many are equal,
    and where those stall with an auction of falling epsilon and exact repair, which suits gains
    that are nearly equal. The total is exact either way, which the duals prove.

    O(cells) on nearly equal clusterings, at worst O(rows x cells x log). Memory follows the
    cells. Can be interrupted.

    Examples
    --------
    >>> import partwise as pw
    >>> found = pw.solvers.match(pw.contingency([0, 0, 0, 1, 1], [0, 0, 1, 0, 0]))
    >>> found.rows.tolist(), found.cols.tolist(), found.total
    ([0, 1], [1, 0], 3)
    """
    indptr, cols, stored, n_cols = _cells_of(csr)
    values = stored if gains is None else gains
    whole, scale = integer_gains(values, len(cols))
    found = best_matching(indptr, cols, whole, n_cols, tied=scale == 0)
    matched, row_duals, col_duals = found
    rows = np.flatnonzero(matched >= 0)
    cells = matched[rows]
    if scale == 0:
        total: int | float = sum(whole[cells].tolist())
        return Matching(rows, cols[cells], cells, total, row_duals, col_duals)
    given = np.asarray(values, dtype=np.float64)
    duals = (np.ldexp(x.astype(np.float64), -scale) for x in (row_duals, col_duals))
    return Matching(rows, cols[cells], cells, math.fsum(given[cells]), *duals)


def best_matching(
    indptr: IntArray, cols: IntArray, gains: IntArray, n_cols: int, *, tied: bool
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the matched cell of each row (-1: none) and the duals of rows and columns.

    ``tied`` says that many gains may be exactly equal (counts), which chooses the way on hard
    problems, never the total.
    """
    dense = 16 * len(cols) >= (len(indptr) - 1) * n_cols
    budget = SCANS_LEAST + (SCANS_DENSE if dense else SCANS) * len(cols)
    return _kernels.impl.match(indptr, cols, gains, n_cols, tied, budget)


def _cells_of(csr: Any) -> tuple[IntArray, IntArray, NDArray[Any], int]:
    if isinstance(csr, Contingency):
        return csr.indptr, csr.cols, csr.counts, csr.shape[1]
    if not hasattr(csr, "tocsr"):
        raise TypeError(
            f"a SciPy sparse matrix or array, or a Contingency, is expected, not "
            f"{type(csr).__name__}"
        )
    matrix = csr.tocsr()
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        before = matrix.nnz
        matrix.sum_duplicates()
        if matrix.nnz != before:
            raise ValueError(
                f"{before - matrix.nnz} cells are stored more than once; call "
                "sum_duplicates() if their values add up"
            )
    indptr = np.ascontiguousarray(matrix.indptr, dtype=np.int64)
    cols = np.ascontiguousarray(matrix.indices, dtype=np.int64)
    return indptr, cols, matrix.data, int(matrix.shape[1])


def integer_gains(values: Any, n_cells: int) -> tuple[IntArray, int]:
    """Return gains as integers, and the power of two they were scaled by (0: whole gains)."""
    gains = np.asarray(values)
    if gains.ndim != 1 or len(gains) != n_cells:
        raise ValueError(f"gains have shape {gains.shape}; one per stored cell ({n_cells})")
    if gains.dtype.kind not in "iuf":
        raise TypeError(f"gains have dtype {gains.dtype}; integers or floats are expected")
    wrong = np.flatnonzero(~(np.isfinite(gains) & (gains >= 0)))
    if len(wrong):
        raise ValueError(
            f"gain {gains[wrong[0]]} of cell {wrong[0]} is not a finite number of at least 0 "
            f"({len(wrong)} such gains)"
        )
    if gains.dtype.kind in "iu":
        wrong = np.flatnonzero(gains >= _GAIN_MOST)
        if len(wrong):
            raise ValueError(f"gain {gains[wrong[0]]} of cell {wrong[0]} is not below 2^61")
        return np.ascontiguousarray(gains, dtype=np.int64), 0
    return scaled_gains(gains.astype(np.float64))


def scaled_gains(gains: FloatArray) -> tuple[IntArray, int]:
    """Return fractions as integers of ``FRACTION_BITS`` bits, and the power of two used."""
    largest = float(gains.max()) if len(gains) else 0.0
    scale = FRACTION_BITS - math.frexp(largest)[1]
    return np.rint(np.ldexp(gains, scale)).astype(np.int64), scale


__all__ = ["Matching", "match"]
