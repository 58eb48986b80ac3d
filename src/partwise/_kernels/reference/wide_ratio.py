"""Quotients of 128-bit integers, correctly rounded, without a loop in Python."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from partwise.numbers.arrays import FloatArray, IntArray, UnsignedArray

__all__ = [
    "wide_ratio",
]


_HALF = np.uint64(32)
_LOW = np.uint64((1 << 32) - 1)
#: Relative error of a quotient of pairs of doubles, with room: steps are off by 2^-103 or less.
_UNSURE = 2.0**-98


class _Pair(NamedTuple):
    """The sum of two doubles, the second at most half a unit of the first's last place."""

    high: FloatArray
    low: FloatArray


def wide_ratio(
    num_high: IntArray, num_low: UnsignedArray, den_high: IntArray, den_low: UnsignedArray
) -> FloatArray:
    """Return num / den of signed integers high 2^64 + low, den != 0, as Python rounds them.

    Quotients of pairs of doubles are right but where they lie next to the middle between two
    doubles: those are divided as Python integers. O(length).
    """
    above, below = _pair(num_high, num_low), _pair(den_high, den_low)
    first = above.high / below.high
    product, error = _product(first, below.high)
    rest = ((above.high - product) - error) + (above.low - first * below.low)
    quotient, beyond = _fast_sum(first, rest / below.high)
    spacing = np.spacing(np.abs(quotient))
    # below a power of two doubles are twice as close
    half = np.where(
        np.frexp(quotient)[0] == np.copysign(0.5, quotient), spacing / 4, spacing / 2
    )
    distance = np.minimum(np.abs(np.abs(beyond) - spacing / 2), np.abs(np.abs(beyond) - half))
    unsure = np.flatnonzero(distance <= np.abs(quotient) * _UNSURE)
    unsure = unsure[quotient[unsure] != 0]
    if len(unsure):
        parts = (num_high, num_low, den_high, den_low)
        a, b, c, d = (x[unsure].tolist() for x in parts)
        quotient[unsure] = [
            ((h << 64) + low) / ((g << 64) + least)
            for h, low, g, least in zip(a, b, c, d, strict=True)
        ]
    return quotient


def _pair(high: IntArray, low: UnsignedArray) -> _Pair:
    """Return signed integers as pairs of doubles, to a relative 2^-105."""
    negative = high < 0
    low_part = np.where(negative, ~low + np.uint64(1), low)
    high_part = high.view(np.uint64)
    carry = (negative & (low_part == 0)).astype(np.uint64)
    high_part = np.where(negative, ~high_part + carry, high_part)
    digits = [
        ((part >> _HALF).astype(np.float64), (part & _LOW).astype(np.float64))
        for part in (high_part, low_part)
    ]
    (d3, d2), (d1, d0) = digits
    upper = _fast_sum(d3 * 2.0**96, d2 * 2.0**64)
    lower = _fast_sum(d1 * 2.0**32, d0)
    total, error = _fast_sum(upper[0], lower[0])
    total, error = _fast_sum(total, error + (upper[1] + lower[1]))
    sign = np.where(negative, -1.0, 1.0)
    return _Pair(sign * total, sign * error)


def _fast_sum(a: FloatArray, b: FloatArray) -> _Pair:
    """Return a + b rounded and its rounding error, for |a| >= |b| or a = 0."""
    total = a + b
    return _Pair(total, b - (total - a))


def _product(a: FloatArray, b: FloatArray) -> _Pair:
    """Return a b rounded and its rounding error (Dekker)."""
    product = a * b
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return _Pair(product, error)


def _halves(a: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Split doubles into two of 26 bits each (Veltkamp)."""
    turned = a * 134217729.0  # 2^27 + 1
    high = turned - (turned - a)
    return high, a - high
