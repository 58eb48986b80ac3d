"""Logarithms of binomial coefficients of any size, without cancellation."""

from __future__ import annotations

import math

import numpy as np

from partwise.numbers.arrays import IntArray
from partwise.numbers.logarithm import xlogx

# Stirling: ln x! = x ln x - x + ln(2 pi x) / 2 + 1/(12 x) - 1/(360 x^3) + ...
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)
_SMALL = 24  # below this, a plain product is as short


def _tail(x: int) -> float:
    """Return ln x! - (x ln x - x + ln(2 pi x) / 2)."""
    inverse = 1 / x
    total, power = 0.0, inverse
    for coefficient in _STIRLING:
        total += coefficient * power
        power *= inverse * inverse
    return total


def ln_binomial(n: int, k: int) -> float:
    """Return ln C(n, k) for 0 <= k <= n, to a few units in the last place.

    Through x ln x in exact integers where n, k and n - k are large: a difference of ln
    factorials would lose all digits there.
    """
    k = min(k, n - k)
    if k < _SMALL:
        return math.fsum(math.log1p((n - k) / t) for t in range(1, k + 1))
    bits = 56
    exact = xlogx(n, bits) - xlogx(k, bits) - xlogx(n - k, bits)
    half = math.log(2 * math.pi) + math.log(k) + math.log1p(-k / n)
    return math.fsum((exact / (1 << bits), -half / 2, _tail(n), -_tail(k), -_tail(n - k)))


def code_length(sizes: IntArray, classes: int) -> float:
    """Return sum of ln C(size + classes - 1, classes - 1) over clusters, in any order."""
    distinct, times = np.unique(sizes, return_counts=True)
    return math.fsum(
        t * ln_binomial(size + classes - 1, classes - 1)
        for size, t in zip(distinct.tolist(), times.tolist(), strict=True)
    )
