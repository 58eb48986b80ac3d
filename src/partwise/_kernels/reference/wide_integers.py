"""Sums, differences and products of arrays of 128-bit integers; an order of doubles."""

from __future__ import annotations

import numpy as np

from partwise.numbers.arrays import FloatArray, IntArray, UnsignedArray

__all__ = [
    "stable_order",
    "wide_difference",
    "wide_product",
    "wide_sum",
]


_HALF = np.uint64(32)
_LOW = np.uint64((1 << 32) - 1)


def wide_sum(
    x_high: IntArray, x_low: UnsignedArray, y_high: IntArray, y_low: UnsignedArray
) -> tuple[IntArray, UnsignedArray, bool]:
    """Return x + y of signed integers high 2^64 + low, and whether one needs more bits.

    Arrays of length 1 stand for a number that is the same for all. O(length).
    """
    low = x_low + y_low
    high = x_high + y_high + (low < x_low)
    return high, low, bool(np.any((x_high ^ high) & (y_high ^ high) < 0))


def wide_difference(
    x_high: IntArray, x_low: UnsignedArray, y_high: IntArray, y_low: UnsignedArray
) -> tuple[IntArray, UnsignedArray, bool]:
    """Return x - y, as ``wide_sum`` does x + y."""
    low = x_low - y_low
    high = x_high - y_high - (x_low < y_low)
    return high, low, bool(np.any((x_high ^ y_high) & (x_high ^ high) < 0))


def wide_product(
    x_high: IntArray, x_low: UnsignedArray, y_high: IntArray, y_low: UnsignedArray
) -> tuple[IntArray, UnsignedArray, bool]:
    """Return x y, and whether the bits of two factors add up to more than 126."""
    x1, x0 = x_low >> _HALF, x_low & _LOW
    y1, y0 = y_low >> _HALF, y_low & _LOW
    lowest, cross, other = x0 * y0, x0 * y1, x1 * y0
    middle = (lowest >> _HALF) + (cross & _LOW) + (other & _LOW)
    low = (lowest & _LOW) | (middle << _HALF)
    high = x1 * y1 + (cross >> _HALF) + (other >> _HALF) + (middle >> _HALF)
    high = high + x_high.view(np.uint64) * y_low + y_high.view(np.uint64) * x_low
    beyond = bool(np.any(_bits(x_high, x_low) + _bits(y_high, y_low) > 126))
    return high.view(np.int64), low, beyond


def _bits(high: IntArray, low: UnsignedArray) -> IntArray:
    """Return the bits of the magnitudes."""
    negative = high < 0
    low = np.where(negative, ~low + np.uint64(1), low)
    upper = np.where(negative, ~high + (low == 0), high).view(np.uint64)
    return np.where(upper > 0, 64 + _bits_of_word(upper), _bits_of_word(low))


def _bits_of_word(word: UnsignedArray) -> IntArray:
    """Return the bits of 64-bit words: of the upper half where there is one."""
    upper = word >> _HALF
    half = np.where(upper > 0, upper, word).astype(np.float64)  # exact
    bits: IntArray = np.frexp(half)[1].astype(np.int64) + 32 * (upper > 0)
    return bits


def stable_order(values: FloatArray) -> IntArray:
    """Return the indices of numbers in ascending order, equal ones as they come. O(n log n)."""
    return np.argsort(values, kind="stable").astype(np.int64)
