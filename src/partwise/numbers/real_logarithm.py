"""The natural logarithm of doubles, with the same bits on every machine.

NumPy's own depends on the vector instructions of the processor, and that of a C library on the
library. Here are sums, products and quotients only, each of which is rounded in one way
everywhere: with x = 2^e (1 + f), s = f / (2 + f), and R the rest of the series of
2 atanh(s) / s, ln(1 + f) = f - (f^2 / 2 - s (f^2 / 2 + R)).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from partwise.numbers.arrays import FloatArray

#: ln 2 in two parts: products of the first one with exponents are exact.
_LN2_HIGH = float.fromhex("0x1.62e42feep-1")
_LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
#: 2 / (2 k + 1) for k = 1 to 11, the last one first; s^2 is below 0.0295.
_COEFFICIENTS = tuple(2 / (2 * k + 1) for k in range(11, 0, -1))
_ROOT_OF_HALF = math.sqrt(0.5)
#: Numbers that are worked on at once: they stay in the cache.
_BLOCK = 1 << 13


def log(x: ArrayLike) -> FloatArray:
    """Return ln x of numbers of at least 0, within 1 ulp; -inf for 0. O(n)."""
    return _by_blocks(np.asarray(x, dtype=np.float64), _log)


def log1p(x: ArrayLike) -> FloatArray:
    """Return ln(1 + x) of numbers of at least -1, within 2 ulp; -inf for -1. O(n)."""
    return _by_blocks(np.asarray(x, dtype=np.float64), _log1p)


def _by_blocks(x: FloatArray, function: Callable[[FloatArray], FloatArray]) -> FloatArray:
    flat = x.reshape(-1)
    result = np.empty_like(flat)
    with np.errstate(invalid="ignore", divide="ignore"):  # of infinities, which are put right
        for start in range(0, len(flat), _BLOCK):
            result[start : start + _BLOCK] = function(flat[start : start + _BLOCK])
    return result.reshape(x.shape)


def _log(x: FloatArray) -> FloatArray:
    mantissas, exponents = np.frexp(x)
    below = mantissas < _ROOT_OF_HALF
    f = np.where(below, 2 * mantissas, mantissas) - 1
    e = (exponents - below).astype(np.float64)
    s = f / (2 + f)
    square = s * s
    rest = np.full_like(square, _COEFFICIENTS[0])
    for coefficient in _COEFFICIENTS[1:]:
        rest = rest * square + coefficient
    half = 0.5 * f * f
    values: FloatArray = e * _LN2_HIGH - (
        (half - (s * (half + rest * square) + e * _LN2_LOW)) - f
    )
    usual = (x > 0) & (x < np.inf)
    if not usual.all():
        values[~usual] = np.nan
        values[x == 0] = -np.inf
        values[x == np.inf] = np.inf
    return values


def _log1p(x: FloatArray) -> FloatArray:
    """Return ln of the rounded sum, and what the rounding took away over that sum."""
    u = 1 + x
    lost = np.where(u >= 2, 1 - (u - x), x - (u - 1))
    values = _log(u)
    usual = (x > -1) & (u < np.inf)
    values[usual] += lost[usual] / u[usual]
    return values
