"""Logarithms of factorials and rising factorials, with the digits that differences need."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np

from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.logarithm import LN_BITS, ln_fixed

#: Up to here ln x! is a sum of logarithms; beyond, Stirling's series has more digits than kept.
_SUMMED = 256
#: Coefficients of Stirling's series, B_2k / (2k (2k - 1)).
_STIRLING = (
    *((1, 12), (-1, 360), (1, 1260), (-1, 1680), (1, 1188), (-691, 360360)),
    *((1, 156), (-3617, 122400), (43867, 244188), (-174611, 125400)),
)
#: Integers up to so many times their number, or up to the second, are counted, larger ones
#: sorted.
_COUNTED, _SMALL = 8, 1 << 12
#: So few are added as they are, which takes less than to look for equal ones.
_FEW = 256
#: From here on Stirling's series in doubles is right to the last place.
_LARGE = 32.0


def _tail(x: int) -> int:
    """Return what Stirling's series adds to (x + 1/2) ln x - x + ln(2 pi) / 2."""
    return sum(
        (above << LN_BITS) // (below * x ** (2 * k + 1))
        for k, (above, below) in enumerate(_STIRLING)
    )


def _leading(x: int) -> int:
    return ((2 * x + 1) * ln_fixed(x) >> 1) - (x << LN_BITS)


@cache
def _ln_factorials() -> tuple[int, ...]:
    sums = [0]
    for x in range(1, _SUMMED + 1):
        sums.append(sums[-1] + ln_fixed(x))
    return tuple(sums)


@cache
def _half_ln_2pi() -> int:
    return _ln_factorials()[_SUMMED] - _leading(_SUMMED) - _tail(_SUMMED)


@lru_cache(maxsize=1 << 13)
def ln_factorial(x: int) -> int:
    """Return ln x! in units of 2^-120, off by less than x + 2^14 times 64 of them."""
    if x <= _SUMMED:
        return _ln_factorials()[x]
    return _leading(x) + _half_ln_2pi() + _tail(x)


def sum_ln_factorials(counts: IntArray) -> int:
    """Return the sum of ln x! over integers, in units of 2^-120. O(n + distinct)."""
    if len(counts) <= _FEW:
        return sum(map(ln_factorial, counts.tolist()))
    distinct, times = histogram(counts)
    pairs = zip(distinct.tolist(), times.tolist(), strict=True)
    return sum(often * ln_factorial(x) for x, often in pairs)


def histogram(counts: IntArray) -> tuple[IntArray, IntArray]:
    """Return the distinct integers of at least 0, ascending, and how often each occurs."""
    if len(counts) and int(counts.max()) <= max(_COUNTED * len(counts), _SMALL):
        times = np.bincount(counts)
        distinct = np.flatnonzero(times)
        return distinct, times[distinct]
    sorted_distinct, occurrences = np.unique(counts, return_counts=True)
    return sorted_distinct, occurrences


def ln_rising(start: float | FloatArray, steps: FloatArray) -> FloatArray:
    """Return lnG(start + steps) - lnG(start), ln of start (start + 1) ... of so many terms.

    Several starts, ascending, stand in a column: rows of the result are theirs.
    """
    from scipy.special import gammaln

    few = int(np.count_nonzero(np.asarray(start) < _LARGE))
    if few == np.size(start):
        of_gamma: FloatArray = gammaln(start + steps) - gammaln(start)
        return of_gamma
    if few:
        column = np.asarray(start)
        parts = (ln_rising(part, steps) for part in (column[:few], column[few:]))
        return np.concatenate(tuple(parts))
    end = start + steps
    grown = (end - 0.5) * np.log1p(steps / start) - steps
    rising: FloatArray = steps * np.log(start) + grown + (_tails(end) - _tails(start))
    return rising


def _tails(x: float | FloatArray) -> FloatArray:
    inverse = 1.0 / np.asarray(x, dtype=np.float64)
    square = inverse**2
    total: FloatArray | float = 0.0
    for above, below in reversed(_STIRLING[:6]):
        total = total * square + above / below
    tails: FloatArray = np.asarray(total * inverse)
    return tails
