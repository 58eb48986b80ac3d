"""Shortest description of columns drawn with one concentration (Dirichlet multinomials)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from partwise.measures.information.factorials import histogram, ln_rising
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import number

#: Where the concentration is searched, as decimal logarithms, if no bounds are given; beyond,
#: the cost is that of a limit, to more digits than a double has.
_WIDEST = (-9.0, 12.0)
#: Points of the grid before the search between two of them; steps of that.
_GRID, _STEPS = 85, 80
_GOLDEN = (math.sqrt(5) - 1) / 2
#: An inner minimum counts where it is below a limit by more than rounding.
_ROUNDING = 1e-13


def read_bounds(bounds: Any) -> tuple[float, float] | None:
    """Check the option bounds: where the concentration may lie."""
    if bounds is None:
        return None
    try:
        low, high = bounds
    except (TypeError, ValueError):
        raise ValueError(f"bounds={bounds!r} must be two numbers, low and high") from None
    low, high = number(low, "bounds"), number(high, "bounds")
    if not 0 < low <= high < math.inf:
        raise ValueError(f"bounds={bounds!r} must be finite numbers, 0 < low <= high")
    return low, high


def _histogram(counts: IntArray) -> tuple[FloatArray, FloatArray]:
    distinct, times = histogram(counts)
    return distinct.astype(np.float64), times.astype(np.float64)


def conditional_cost(
    k: int, cols: IntArray, cells: IntArray, limits: tuple[float, float] | None
) -> float:
    """Return what it costs to tell which of k clusters each item of the columns is in.

    The smallest over the concentration A of sum_cols ln (k A)_m - sum_cells ln (A)_c, with
    rising factorials. One column of all items: the cost of the clusters without any help.
    """
    if k <= 1 or not len(cells):
        return 0.0
    col_sizes, col_times = _histogram(cols)
    cell_sizes, cell_times = _histogram(cells)

    def cost(log10: float) -> float:
        return costs(np.array([log10]))[0]

    def costs(log10: FloatArray) -> list[float]:
        alpha = 10.0 ** log10[:, np.newaxis]
        above = col_times * ln_rising(k * alpha, col_sizes)
        below = cell_times * ln_rising(alpha, cell_sizes)
        return list(map(math.fsum, np.concatenate((above, -below), axis=1).tolist()))

    if limits is not None:
        low, high = (math.log10(x) for x in limits)
        return min(cost(low), cost(high), _least(cost, costs, low, high))
    ends = [int(cols.sum()) * math.log(k)]  # every item alone, all clusters alike
    if len(cells) == len(cols):  # each column in one cluster
        ends.append(len(cols) * math.log(k))
    limit, inner = min(ends), _least(cost, costs, *_WIDEST)
    return inner if inner < limit * (1 - _ROUNDING) else limit


def _least(
    cost: Callable[[float], float],
    costs_of: Callable[[FloatArray], list[float]],
    low: float,
    high: float,
) -> float:
    """Return the least of a grid, improved between its neighbours by golden sections."""
    grid = np.linspace(low, high, _GRID)
    values = costs_of(grid)
    at = int(np.argmin(values))
    left, right = float(grid[max(at - 1, 0)]), float(grid[min(at + 1, _GRID - 1)])
    inner = [right - _GOLDEN * (right - left), left + _GOLDEN * (right - left)]
    costs = [cost(x) for x in inner]
    for _ in range(_STEPS):
        if right - left < 1e-9:
            break
        if costs[0] <= costs[1]:
            right, inner[1], costs[1] = inner[1], inner[0], costs[0]
            inner[0] = right - _GOLDEN * (right - left)
            costs[0] = cost(inner[0])
        else:
            left, inner[0], costs[0] = inner[0], inner[1], costs[1]
            inner[1] = left + _GOLDEN * (right - left)
            costs[1] = cost(inner[1])
    return min(*costs, values[at])
