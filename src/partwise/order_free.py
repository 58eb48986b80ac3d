"""Sums of doubles that no order of the terms can change."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_ROOM = 126


class Rational(NamedTuple):
    """above / below, not reduced; below > 0."""

    above: int
    below: int

    def __float__(self) -> float:
        return self.above / self.below


def fraction_bits(values: FloatArray) -> int:
    """Return the most fraction bits that a sum of these values can have in 127 bits."""
    largest = float(np.abs(values).max()) if len(values) else 0.0
    return _ROOM - len(values).bit_length() - math.frexp(largest)[1]


def total(values: FloatArray) -> Rational:
    """Return the sum of finite doubles, each cut once below the largest's 2^-70 or so."""
    bits = fraction_bits(values)
    if bits < 0:  # beyond 2^126: add up in units of 2^-bits
        return Rational(_kernels.impl.sum_doubles(np.ldexp(values, bits), 0) << -bits, 1)
    bits = min(bits, 1074)  # there is no double below
    return Rational(_kernels.impl.sum_doubles(values, bits), 1 << bits)


class Totals(NamedTuple):
    """Sums as pairs of doubles: the sum rounded once, and what that left over."""

    high: FloatArray
    low: FloatArray

    def minus(self, other: Totals) -> FloatArray:
        """Return the difference, with the rest taken into account."""
        return (self.high - other.high) + (self.low - other.low)

    def at(self, places: IntArray) -> Totals:
        """Return the sums of the groups at ``places``."""
        return Totals(self.high[places], self.low[places])


def group_totals(values: FloatArray, groups: IntArray, n_groups: int) -> Totals:
    """Return the sum of every group's values.

    Terms are cut below 2^-100 or so of the largest value (its bits beyond 126 less those of
    the number of terms).
    """
    return Totals(*_kernels.impl.sum_groups(values, groups, n_groups, fraction_bits(values)))
