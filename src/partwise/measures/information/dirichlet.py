"""Shortest description of columns drawn with one concentration (Dirichlet multinomials)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from partwise.measures.information.factorials import Counted, histogram, ln_rising
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import number
from partwise.numbers.real_logarithm import log1p

#: Where the concentration is searched, as decimal logarithms, if no bounds are given; beyond,
#: the cost is that of a limit, to more digits than a double has.
_WIDEST = (-9.0, 12.0)
#: Distance of the points, as decimal logarithms, where terms of the slope change their course
#: (a term does so within one natural power, 0.43), and outside of it, where none does.
_FINE, _COARSE = 0.25, 1.0
#: Where the slope is looked at again within an interval in which its sign changes; half the
#: width of the secant that follows.
_PARTS, _SECANT = np.linspace(0.0, 1.0, 17), 2e-4
#: Summands of the slope that are added one by one; later ones by the digamma function's series.
_ADDED = 16
_NUMBERS = np.tile(np.arange(float(_ADDED)), 2)
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


class _Cost:
    """Cost of telling the clusters at a concentration A, and its slope.

    The cost is sum_cols ln (k A)_m - sum_cells ln (A)_c with rising factorials; the slope, by
    ln A, has k A / (k A + j) for each column of more than j items, less A / (A + j) for each
    such cell.
    """

    def __init__(self, k: int, cols: IntArray, cells: IntArray) -> None:
        col_sizes, col_times = _as_doubles(histogram(cols))
        cell_sizes, cell_times = _as_doubles(histogram(cells))
        self.largest = float(col_sizes[-1])
        self._all_sizes = np.concatenate((col_sizes, cell_sizes))
        self._all_times = np.concatenate((col_times, -cell_times))
        self._all_factors = np.repeat((float(k), 1.0), (len(col_sizes), len(cell_sizes)))
        large_cols, large_col_times, cols_above = _split(col_sizes, col_times)
        large_cells, large_cell_times, cells_above = _split(cell_sizes, cell_times)
        self._added_factors = np.repeat((float(k), 1.0), _ADDED)
        self._added_times = np.concatenate((k * cols_above, -cells_above))
        self._large = np.concatenate((large_cols, large_cells))
        self._times = np.concatenate((k * large_col_times, -large_cell_times))
        self._factors = np.repeat((float(k), 1.0), (len(large_cols), len(large_cells)))

    def at(self, log10: float) -> float:
        """Return the cost at one concentration."""
        alpha = 10.0**log10
        rising = ln_rising(alpha * self._all_factors, self._all_sizes)
        return math.fsum((self._all_times * rising).tolist())

    def slopes(self, log10: FloatArray) -> FloatArray:
        """Return the slopes at several concentrations."""
        alphas = 10.0**log10
        column = alphas[:, np.newaxis]
        total = (1 / (column * self._added_factors + _NUMBERS)) @ self._added_times
        if len(self._large):
            starts = column * self._factors
            first = starts + _ADDED
            grown = log1p((self._large - _ADDED) / first)
            grown += _beside_logarithm(starts + self._large)
            grown -= _beside_logarithm(first)
            total += grown @ self._times
        slopes: FloatArray = alphas * total
        return slopes


def _as_doubles(counted: Counted) -> tuple[FloatArray, FloatArray]:
    distinct, times = counted
    return distinct.astype(np.float64), times.astype(np.float64)


def _split(sizes: FloatArray, times: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return large sizes and how often each occurs, and how many exceed 0, 1 ... 15."""
    small = int(np.searchsorted(sizes, _ADDED, "right"))
    up_to = np.bincount(sizes[:small].astype(np.int64), times[:small], _ADDED + 1).cumsum()
    return sizes[small:], times[small:], times.sum() - up_to[:_ADDED]


def _beside_logarithm(x: FloatArray) -> FloatArray:
    """Return digamma(x) - ln x for x of at least 16, to 12 digits after the point."""
    inverse = 1 / x
    square = inverse * inverse
    beside: FloatArray = square * (square / 120 - 1 / 12) - inverse / 2
    beside -= square * square * square / 252
    return beside


def conditional_cost(
    k: int, cols: IntArray, cells: IntArray, limits: tuple[float, float] | None
) -> float:
    """Return what it costs to tell which of k clusters each item of the columns is in.

    The smallest over the concentration A of sum_cols ln (k A)_m - sum_cells ln (A)_c, with
    rising factorials. One column of all items: the cost of the clusters without any help.
    """
    if k <= 1 or not len(cells):
        return 0.0
    cost = _Cost(k, cols, cells)
    low, high = _WIDEST if limits is None else (math.log10(x) for x in limits)
    # terms of columns bend where k A is 1 to the largest size, those of the cells where A is
    bends = -math.log10(k) - 1, math.log10(cost.largest) + 1
    inner = [cost.at(x) for x in _troughs(cost.slopes, _points(low, high, *bends))]
    if limits is not None:
        return min(cost.at(low), cost.at(high), *inner)
    ends = [int(cols.sum()) * math.log(k)]  # every item alone, all clusters alike
    if len(cells) == len(cols):  # each column in one cluster
        ends.append(len(cols) * math.log(k))
    limit, least = min(ends), min(inner, default=math.inf)
    return least if least < limit * (1 - _ROUNDING) else limit


def _points(low: float, high: float, first: float, last: float) -> FloatArray:
    """Return points from low to high, fine between first and last, coarse outside."""
    first, last = max(low, min(first, high)), min(high, max(last, low))
    parts = ((low, first, _COARSE), (first, last, _FINE), (last, high, _COARSE))
    points = []
    for start, end, step in parts:
        steps = math.ceil((end - start) / step)
        points += [start + (end - start) * at / steps for at in range(steps)]
    return np.array([*points, high])


def _troughs(slopes: Callable[[FloatArray], FloatArray], points: FloatArray) -> list[float]:
    """Return where the slope changes from falling to rising, off by some 1e-7.

    There the cost is flat: it is off by the square of that.
    """
    falling = slopes(points) < 0
    at = np.flatnonzero(falling[:-1] & ~falling[1:])
    troughs = []
    for left, right in zip(points[at].tolist(), points[at + 1].tolist(), strict=True):
        parts = left + (right - left) * _PARTS
        steep = slopes(parts)
        end = max(int(np.argmax(steep >= 0)), 1)
        near = _zero(parts[end - 1 : end + 1], steep[end - 1 : end + 1])
        pair = np.array([near - _SECANT, near + _SECANT])
        troughs.append(min(max(_zero(pair, slopes(pair)), left), right))
    return troughs


def _zero(pair: FloatArray, slopes: FloatArray) -> float:
    """Return where the line through two points crosses 0, or their middle if it does not."""
    (left, right), (below, above) = pair.tolist(), slopes.tolist()
    if not below < above:
        return float(left + right) / 2
    return float(left - below * (right - left) / (above - below))
