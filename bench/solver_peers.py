"""The peers of the solvers, each prepared up to the call that is timed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.peers import need

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

OR_TOOLS, SCIPY, POT = "OR-Tools", "SciPy", "POT"
PACKAGES = {OR_TOOLS: "ortools", SCIPY: "scipy", POT: "POT"}
_MODULES = {OR_TOOLS: "ortools.graph.python.min_cost_flow", SCIPY: "scipy", POT: "ot"}

FRACTION_BITS = 30  # with more, OR-Tools refuses the larger problems
MOST_ITERATIONS = 10**9


def need_peers(names: set[str]) -> None:
    """Leave at once, not after minutes, if a package is missing."""
    for name in sorted(names):
        need(_MODULES[name])


def rounded(gains: NDArray[Any]) -> Ints:
    """Return gains as integers: counts as they are, fractions of 2^-30."""
    if gains.dtype.kind == "i":
        return gains
    return np.rint(np.ldexp(gains, FRACTION_BITS)).astype(np.int64)


def unit(gains: NDArray[Any]) -> float:
    """Return what 1 stands for in ``rounded(gains)``."""
    return 1.0 if gains.dtype.kind == "i" else 2.0**-FRACTION_BITS


def min_cost_flow(table: Any, gains: Ints, row_caps: Ints, col_caps: Ints) -> Callable[[], int]:
    """Return the call that finds the largest total gain under capacities.

    The graph has the cells of the table and one slack node that takes or gives what the
    cells leave over.
    """
    module = need(_MODULES[OR_TOOLS])
    flow = module.SimpleMinCostFlow()
    rows, cols = np.arange(table.shape[0]), table.shape[0] + np.arange(table.shape[1])
    slack = sum(table.shape)
    cell_caps = np.minimum(row_caps[table.rows], col_caps[table.cols])
    for tails, heads, capacities, costs in (
        (rows[table.rows], cols[table.cols], cell_caps, -gains),
        (rows, np.full_like(rows, slack), row_caps, np.zeros_like(rows)),
        (np.full_like(cols, slack), cols, col_caps, np.zeros_like(cols)),
    ):
        ends = tails.astype(np.int32), heads.astype(np.int32)
        flow.add_arcs_with_capacity_and_unit_cost(*ends, capacities, costs)
    surplus = int(row_caps.sum() - col_caps.sum())
    supplies = np.concatenate([row_caps, -col_caps, [-surplus]])
    flow.set_nodes_supplies(np.arange(slack + 1, dtype=np.int32), supplies)

    def solve() -> int:
        status = flow.solve()
        if status != flow.OPTIMAL:
            raise SystemExit(f"OR-Tools ended with status {status}")
        return -flow.optimal_cost()

    return solve


def assignment(table: Any, gains: NDArray[Any]) -> tuple[Floats, Callable[[], Any]]:
    """Return the dense matrix of gains and the call that assigns its rows to columns."""
    optimize = need("scipy.optimize")
    dense = np.zeros(table.shape)
    dense[table.rows, table.cols] = gains
    return dense, lambda: optimize.linear_sum_assignment(dense, maximize=True)


def earth_mover(supply: Floats, demand: Floats, cost: Floats) -> Callable[[], float]:
    """Return the call that finds the least cost of moving one distribution to another."""
    ot = need(_MODULES[POT])
    return lambda: float(ot.emd2(supply, demand, cost, numItermax=MOST_ITERATIONS))


def city_block(p: Floats, q: Floats) -> Callable[[], Floats]:
    """Return the call that finds the L1 distances between the columns of two matrices."""
    distance = need("scipy.spatial.distance")
    left, right = (np.ascontiguousarray(x.T) for x in (p, q))
    return lambda: distance.cdist(left, right, "cityblock")
