"""Solvers on sparse gains, for toolkit authors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.contingency import Contingency
from partwise.labels.columns import IntArray
from partwise.masses import balance, read_masses
from partwise.order_free import FloatArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

#: Fractions are solved as integers of this many bits (below the largest gain).
FRACTION_BITS = 50
_GAIN_MOST = 1 << 61
#: Costs of transport may have this magnitude.
COST_MOST = 1e30


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
    Row maxima as duals, matching on tight cells, row reduction, shortest augmenting paths.
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
    matched, row_duals, col_duals = _kernels.impl.match(indptr, cols, whole, n_cols)
    rows = np.flatnonzero(matched >= 0)
    cells = matched[rows]
    if scale == 0:
        total: int | float = sum(whole[cells].tolist())
        return Matching(rows, cols[cells], cells, total, row_duals, col_duals)
    given = np.asarray(values, dtype=np.float64)
    duals = (np.ldexp(x.astype(np.float64), -scale) for x in (row_duals, col_duals))
    return Matching(rows, cols[cells], cells, math.fsum(given[cells]), *duals)


@dataclass(frozen=True, slots=True, eq=False)
class Packing:
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


def pack(csr: Any, gains: Any, row_caps: Any, col_caps: Any) -> Packing:
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
    indptr, cols, stored, n_cols = _cells_of(csr)
    values = stored if gains is None else gains
    whole, gain_bits = integer_gains(values, len(cols))
    limits, bits = whole_capacities(row_caps, col_caps, len(indptr) - 1, n_cols)
    amounts, row_duals, col_duals = pack_cells(indptr, cols, whole, *limits)
    used = np.flatnonzero(amounts)
    products = (
        x * y for x, y in zip(whole[used].tolist(), amounts[used].tolist(), strict=True)
    )
    if gain_bits == 0 and bits == 0:
        return Packing(amounts, sum(products), row_duals, col_duals)
    units = np.ldexp(amounts.astype(np.float64), -bits) if bits else amounts
    given = np.asarray(values, dtype=np.float64)
    duals = (np.ldexp(x.astype(np.float64), -gain_bits) for x in (row_duals, col_duals))
    return Packing(units, math.fsum(given[used] * units[used]), *duals)


def whole_capacities(
    row_caps: Any, col_caps: Any, n_rows: int, n_cols: int
) -> tuple[tuple[IntArray, IntArray], int]:
    """Return capacities as integers, and the power of two they were scaled by."""
    sides = []
    for name, values, n in (("row_caps", row_caps, n_rows), ("col_caps", col_caps, n_cols)):
        caps = np.asarray(values)
        if caps.shape != (n,):
            raise ValueError(f"{name} has shape {caps.shape}; {n} capacities are expected")
        if caps.dtype.kind not in "iuf" and n:
            raise TypeError(f"{name} has dtype {caps.dtype}; integers or floats are expected")
        wrong = np.flatnonzero(~(np.isfinite(caps) & (caps >= 0)))
        if len(wrong):
            raise ValueError(
                f"{name}[{wrong[0]}] is {caps[wrong[0]]}; capacities are finite and at least 0 "
                f"({len(wrong)} are not)"
            )
        sides.append(caps)
    if all(caps.dtype.kind in "iu" or not len(caps) for caps in sides):
        total = sum(sum(caps.tolist()) for caps in sides)
        if total >= 1 << 62:
            raise ValueError(f"the capacities add up to {total}; below 2^62 is needed")
        first, second = (np.ascontiguousarray(caps, dtype=np.int64) for caps in sides)
        return (first, second), 0
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
    if row_caps.all() and col_caps.all():
        return _kernels.impl.pack(indptr, cols, gains, row_caps, col_caps, -1)
    rows = np.repeat(np.arange(len(row_caps)), np.diff(indptr))
    kept = np.flatnonzero((row_caps[rows] > 0) & (col_caps[cols] > 0))
    some = np.concatenate(([0], np.cumsum(np.bincount(rows[kept], minlength=len(row_caps)))))
    # a row or column without cells may have any capacity
    found, row_duals, col_duals = _kernels.impl.pack(
        some, cols[kept], gains[kept], np.maximum(row_caps, 1), np.maximum(col_caps, 1), -1
    )
    amounts = np.zeros(len(cols), dtype=np.int64)
    amounts[kept] = found
    for caps, here, other, own, others in (
        (row_caps, rows, cols, row_duals, col_duals),
        (col_caps, cols, rows, col_duals, row_duals),
    ):
        closed = caps[here] == 0  # what costs nothing may have any dual
        np.maximum.at(own, here[closed], gains[closed] - others[other[closed]])
    return amounts, row_duals, col_duals


@dataclass(frozen=True, slots=True, eq=False)
class Transport:
    """A cheapest transport plan, with the proof that it is one.

    Attributes
    ----------
    plan : scipy.sparse.csr_array of float64, shape (K, J)
        What is moved from each supply to each demand: at most K + J - 1 entries.
    total : float
        Sum of cost x plan.
    row_duals, col_duals : ndarray of float64
        row + column is at most the cost everywhere and equal where something is moved.
    rescaled : float
        Factor that the demand was multiplied by to match the supply; 1.0: none.
    """

    plan: csr_array
    total: float
    row_duals: FloatArray
    col_duals: FloatArray
    rescaled: float


def transport(supply: Any, demand: Any, cost: Any) -> Transport:
    """Move supplies to demands at the lowest cost (dense transportation problem).

    Parameters
    ----------
    supply, demand : array-like of shape (K,), (J,)
        Masses, finite and at least 0, not all 0. Totals that differ by at most 1e-6 relative
        are made equal by rescaling the demand, which ``rescaled`` reports.
    cost : array-like of shape (K, J)
        Cost per unit of mass, finite, magnitude at most 1e30.

    Returns
    -------
    Transport
        Where several plans are cheapest, which one is returned depends on the order of rows
        and columns.

    Raises
    ------
    ValueError
        Empty or unbalanced masses, a wrong shape, or an entry that is negative (masses), not
        finite, or too large; the place is named.
    TypeError
        No numbers.
    RuntimeError
        More pivots than 64 K J were needed: no half-finished plan is ever returned.

    Notes
    -----
    Transport simplex, first in doubles, then proved cell by cell in exact arithmetic. Masses
    that are fractions of a common small denominator are solved exactly, others rounded to
    2^-60 of the total. About K J log(K + J) in practice; 8 K J bytes for the costs (not copied
    if C-contiguous float64). Can be interrupted.

    Examples
    --------
    >>> import partwise as pw
    >>> found = pw.solvers.transport([0.5, 0.5], [0.25, 0.75], [[0, 1], [1, 0]])
    >>> found.total, found.plan.toarray().tolist()
    (0.25, [[0.25, 0.25], [0.0, 0.5]])
    """
    from scipy.sparse import csr_array

    masses = read_masses(supply, "supply"), read_masses(demand, "demand")
    costs = _read_costs(cost, (len(masses[0]), len(masses[1])))
    balanced = balance(*masses)
    found = cheapest_plan(costs, balanced.supply, balanced.demand)
    unit = balanced.unit
    amounts = found.flows.astype(np.float64) * unit.numerator / unit.denominator
    plan = csr_array((amounts, (found.rows, found.cols)), shape=costs.shape)
    total = math.fsum((costs[found.rows, found.cols] * amounts).tolist())
    return Transport(plan, total, found.row_duals, found.col_duals, balanced.rescaled)


def _read_costs(cost: Any, shape: tuple[int, int]) -> FloatArray:
    costs = np.asarray(cost)
    if costs.shape != shape:
        raise ValueError(
            f"cost has shape {costs.shape}; supply and demand make it {shape[0]} x {shape[1]}"
        )
    if costs.dtype.kind not in "biuf":
        raise TypeError(f"cost has dtype {costs.dtype}; integers or floats are expected")
    costs = np.ascontiguousarray(costs, dtype=np.float64)
    least, largest = float(costs.min()), float(costs.max())
    if not (least >= -COST_MOST and largest <= COST_MOST):
        wrong = np.argwhere(~(np.abs(costs) <= COST_MOST))
        row, col = wrong[0].tolist()
        raise ValueError(
            f"cost[{row}, {col}] is {costs[row, col]}; costs are finite, at most {COST_MOST:g} "
            f"in magnitude ({len(wrong)} are not)"
        )
    return costs


class WholePlan(NamedTuple):
    """Cells used and what they carry, in whole units, and the duals."""

    rows: IntArray
    cols: IntArray
    flows: IntArray
    row_duals: FloatArray
    col_duals: FloatArray


def cheapest_plan(costs: FloatArray, supply: IntArray, demand: IntArray) -> WholePlan:
    """Return a cheapest plan for whole masses of equal sums, 0 allowed."""
    rows, cols = np.flatnonzero(supply), np.flatnonzero(demand)
    if len(rows) == len(supply) and len(cols) == len(demand):
        return _cheapest(costs, supply, demand)
    inner = np.ascontiguousarray(costs[np.ix_(rows, cols)])
    found = _cheapest(inner, supply[rows], demand[cols])
    row_duals, col_duals = np.zeros(costs.shape[0]), np.zeros(costs.shape[1])
    row_duals[rows], col_duals[cols] = found.row_duals, found.col_duals
    for i in np.flatnonzero(supply == 0):  # what moves nothing only has to respect the costs
        row_duals[i] = (costs[i, cols] - col_duals[cols]).min()
    for j in np.flatnonzero(demand == 0):
        col_duals[j] = (costs[:, j] - row_duals).min()
    return WholePlan(rows[found.rows], cols[found.cols], found.flows, row_duals, col_duals)


def _cheapest(costs: FloatArray, supply: IntArray, demand: IntArray) -> WholePlan:
    """Solve; where a few huge costs would blur the others, solve again with those capped."""
    largest = max(float(costs.max()), -float(costs.min()))
    if 0 < largest < 2.0**-300:
        costs = costs * 2.0**600
        found = _cheapest(costs, supply, demand)
        duals = (found.row_duals * 2.0**-600, found.col_duals * 2.0**-600)
        return WholePlan(*found[:3], *duals)
    found = _solved(costs, supply, demand)
    used = float(np.abs(costs[found.rows, found.cols]).max())
    cap = used * 2.0**40
    if not 0 < cap < largest * 2.0**-8:
        return found
    # a plan that is best for capped costs and uses none of those is best for the full ones
    again = _solved(np.clip(costs, -largest, cap), supply, demand)
    return again if (costs[again.rows, again.cols] < cap).all() else found


def _solved(costs: FloatArray, supply: IntArray, demand: IntArray) -> WholePlan:
    found = _kernels.impl.transport(costs, supply, demand)
    if found is None:
        raise RuntimeError(
            f"a transport problem of {costs.shape[0]} x {costs.shape[1]} was not solved within "
            "its bound on pivots; please report it with its input"
        )
    return WholePlan(*found)


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


__all__ = ["Matching", "Packing", "Transport", "match", "pack", "transport"]
