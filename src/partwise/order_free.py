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
    if bits > 1000:  # tiny values: an exact power of two brings them up
        up = bits - 1000
        return Rational(_kernels.impl.sum_doubles(np.ldexp(values, up), 1000), 1 << bits)
    return Rational(_kernels.impl.sum_doubles(values, bits), 1 << bits)


def group_totals(values: FloatArray, groups: IntArray, n_groups: int) -> FloatArray:
    """Return the sum of every group's values, each rounded once."""
    bits = max(-1000, min(fraction_bits(values), 1000))
    return _kernels.impl.sum_groups(values, groups, n_groups, bits)
