"""Maximum-weight matching of rows with columns on sparse gains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels import order_free
from partwise._kernels.workers import in_force
from partwise.numbers.arrays import IntArray
from partwise.report.brief import Brief
from partwise.solvers.gains import Cells, cells_of, integer_gains, whole_sum
from partwise.typing import Column

#: Cells scanned per stored cell before the kernel leaves the direct way; the same where one
#: cell in sixteen is stored (the direct way is then faster for longer); what is always allowed.
SCANS, SCANS_DENSE, SCANS_LEAST = 4, 32, 20_000


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Matching(Brief):
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


def match(csr: Cells, gains: Column | None = None) -> Matching:
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
    that are nearly equal. The total is exact either way, which the duals prove. A hard table
    none of whose components holds more than three quarters of the cells is matched component
    by component, which as many threads share as ``set_workers`` says; they change no pair.

    O(cells) on nearly equal clusterings, at worst O(rows x cells x log). Memory follows the
    cells. Can be interrupted.

    Examples
    --------
    >>> import partwise as pw
    >>> found = pw.solvers.match(pw.contingency([0, 0, 0, 1, 1], [0, 0, 1, 0, 0]))
    >>> found.rows.tolist(), found.cols.tolist(), found.total
    ([0, 1], [1, 0], 3)
    """
    stored = cells_of(csr)
    cols = stored.cols
    values = stored.own(gains)
    integers, scale = integer_gains(values, len(cols))
    matched, row_duals, col_duals = best_matching(
        stored.indptr, cols, integers, stored.n_cols, tied=scale is None
    )
    if len(matched) and matched.min() >= 0:  # every row has its column
        rows, cells = np.arange(len(matched)), matched
    else:
        rows = np.flatnonzero(matched >= 0)
        cells = matched[rows]
    if scale is None:
        total: int | float = whole_sum(integers[cells])
        return Matching(rows, cols[cells], stored.places(cells), total, row_duals, col_duals)
    floats = np.asarray(values, dtype=np.float64)
    duals = (np.ldexp(x.astype(np.float64), -scale) for x in (row_duals, col_duals))
    total = float(order_free.total(floats[cells]))
    return Matching(rows, cols[cells], stored.places(cells), total, *duals)


def best_matching(
    indptr: IntArray, cols: IntArray, gains: IntArray, n_cols: int, *, tied: bool
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the matched cell of each row (-1: none) and the duals of rows and columns.

    ``tied`` says that many gains may be exactly equal (counts), which chooses the way on hard
    problems, never the total.
    """
    scans = SCANS_LEAST, SCANS, SCANS_DENSE
    return _kernels.impl.match(indptr, cols, gains, n_cols, tied, scans, in_force())
