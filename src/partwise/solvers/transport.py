"""The transportation problem on a dense cost matrix."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from partwise import _kernels
from partwise.labels.indexes import index_of, refuse_other_indexes
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.report.brief import Brief
from partwise.solvers.arrays import check_nodes, plain_numbers
from partwise.solvers.masses import balance, read_masses
from partwise.typing import Column

if TYPE_CHECKING:
    from scipy.sparse import csr_array

#: Costs may have this magnitude.
COST_MOST = 1e30


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Transport(Brief):
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


def transport(supply: Column, demand: Column, cost: Column) -> Transport:
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
        More pivots than 64 K J and 2e6 were needed: no half-finished plan is ever returned.

    Notes
    -----
    Transport simplex, first in doubles, then proved cell by cell in 128-bit fixed point: the
    optimum is exact for costs cut below about 2^-110 of the largest. Masses that are fractions
    of a common small denominator are solved exactly, others rounded to 2^-60 of the total.
    About K J log(K + J) in practice, more where costs tie and one side is much longer; the
    costs are copied once (8 K J bytes), and turned once more where one side is more than
    three times as long. Can be interrupted.

    Examples
    --------
    >>> import partwise as pw
    >>> found = pw.solvers.transport([0.5, 0.5], [0.25, 0.75], [[0, 1], [1, 0]])
    >>> found.total, found.plan.toarray().tolist()
    (0.25, [[0.25, 0.25], [0.0, 0.5]])
    """
    from scipy.sparse import csr_array

    if index_of(cost) is not None:
        refuse_other_indexes({"supply": supply, "the rows of cost": cost})
        refuse_other_indexes({"demand": demand, "the columns of cost": cost.T})  # type: ignore[union-attr]
    masses = read_masses(supply, "supply"), read_masses(demand, "demand")
    costs = _read_costs(cost, (len(masses[0]), len(masses[1])))
    balanced = balance(*masses)
    cheapest = cheapest_plan(costs, balanced.supply, balanced.demand)
    unit = balanced.unit
    amounts = cheapest.flows.astype(np.float64) * unit.numerator / unit.denominator
    plan = csr_array((amounts, (cheapest.rows, cheapest.cols)), shape=costs.shape)
    total = math.fsum((costs[cheapest.rows, cheapest.cols] * amounts).tolist())
    return Transport(plan, total, cheapest.row_duals, cheapest.col_duals, balanced.rescaled)


def _read_costs(cost: Any, shape: tuple[int, int]) -> FloatArray:
    costs = plain_numbers(cost, "cost", shape).astype(np.float64, copy=False)
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
    """Return a cheapest plan for whole masses of equal sums, 0 allowed; costs are finite."""
    check_nodes(*costs.shape)
    rows, cols = np.flatnonzero(supply), np.flatnonzero(demand)
    if len(rows) == len(supply) and len(cols) == len(demand):
        return _cheapest(costs, supply, demand)
    inner = np.ascontiguousarray(costs[np.ix_(rows, cols)])
    inner_plan = _cheapest(inner, supply[rows], demand[cols])
    row_duals, col_duals = np.zeros(costs.shape[0]), np.zeros(costs.shape[1])
    row_duals[rows], col_duals[cols] = inner_plan.row_duals, inner_plan.col_duals
    for i in np.flatnonzero(supply == 0):  # what moves nothing only has to respect the costs
        row_duals[i] = (costs[i, cols] - col_duals[cols]).min()
    for j in np.flatnonzero(demand == 0):
        col_duals[j] = (costs[:, j] - row_duals).min()
    return WholePlan(
        rows[inner_plan.rows], cols[inner_plan.cols], inner_plan.flows, row_duals, col_duals
    )


def _cheapest(costs: FloatArray, supply: IntArray, demand: IntArray) -> WholePlan:
    """Solve; where a few huge costs would blur the others, solve again with those capped."""
    largest = max(float(costs.max()), -float(costs.min()))
    if 0 < largest < 2.0**-300:
        costs = costs * 2.0**600
        cheapest = _cheapest(costs, supply, demand)
        duals = (cheapest.row_duals * 2.0**-600, cheapest.col_duals * 2.0**-600)
        return WholePlan(*cheapest[:3], *duals)
    cheapest = _solved(costs, supply, demand)
    used = float(np.abs(costs[cheapest.rows, cheapest.cols]).max())
    cap = used * 2.0**40
    if not 0 < cap < largest * 2.0**-8:
        return cheapest
    # a plan that is best for capped costs and uses none of those is best for the full ones
    again = _solved(np.clip(costs, -largest, cap), supply, demand)
    return again if (costs[again.rows, again.cols] < cap).all() else cheapest


def _solved(costs: FloatArray, supply: IntArray, demand: IntArray) -> WholePlan:
    solution = _kernels.impl.transport(costs, supply, demand)
    if solution is None:
        raise RuntimeError(
            f"a transport problem of {costs.shape[0]} x {costs.shape[1]} was not solved within "
            "its bound on pivots; please report it with its input"
        )
    return WholePlan(*solution)
