"""Logarithms of factorials and rising factorials, with the digits that differences need."""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache
from operator import mul
from typing import NamedTuple

import numpy as np

from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.logarithm import LN_BITS, ln_fixed
from partwise.numbers.real_logarithm import log, log1p

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
#: So few are sorted, or added, one by one: less than what NumPy takes to begin.
_FEW_SORTED, _FEW_ADDED = 24, 256
#: From here on Stirling's series in doubles is right to the last place, with these terms.
_LARGE = 32.0
_TAILS = [above / below for above, below in reversed(_STIRLING[:6])]


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


class Counted(NamedTuple):
    """Distinct integers of at least 0, ascending, and how often each occurs."""

    distinct: IntArray
    times: IntArray


def histogram(counts: IntArray) -> Counted:
    """Return the distinct integers and how often each occurs."""
    if 0 < len(counts) <= _FEW_SORTED:
        pairs = sorted(Counter(counts.tolist()).items())
        distinct_few, times_few = np.array(pairs, dtype=np.int64).T
        return Counted(distinct_few, times_few)
    if len(counts) and int(counts.max()) <= max(_COUNTED * len(counts), _SMALL):
        times = np.bincount(counts)
        distinct = times.nonzero()[0]
        return Counted(distinct, times[distinct])
    return Counted(*np.unique(counts, return_counts=True))


def sum_ln_factorials(counted: Counted) -> int:
    """Return the sum of ln x! over integers, in units of 2^-120. O(distinct)."""
    logarithms = map(ln_factorial, counted.distinct.tolist())
    return sum(map(mul, counted.times.tolist(), logarithms))


def sum_of_counts(counts: IntArray) -> int:
    """Return the same sum over integers that are not counted yet. O(n + distinct)."""
    if len(counts) <= _FEW_ADDED:
        return sum(map(ln_factorial, counts.tolist()))
    return sum_ln_factorials(histogram(counts))


def ln_rising(starts: FloatArray, steps: FloatArray) -> FloatArray:
    """Return lnG(start + steps) - lnG(start), ln of start (start + 1) ... of so many terms."""
    large = starts >= _LARGE
    if large.all():
        return _by_series(starts, steps)
    rising = _by_gamma(starts, steps)
    if large.any():
        rising[large] = _by_series(starts[large], steps[large])
    return rising


def ln_multisets(kinds: FloatArray, sizes: FloatArray) -> FloatArray:
    """Return lnG(size + kinds) - lnG(kinds) - ln size!, ln of the multisets of so many kinds.

    Of a difference of large numbers only what is left: the two of the three that are larger
    are taken as one ratio. ``kinds`` are real numbers above 0, sizes whole ones.
    """
    from scipy.special import gammaln

    few = kinds < sizes
    starts = np.where(few, sizes + 1.0, kinds)
    steps = np.where(few, kinds - 1.0, sizes)
    counted: FloatArray = ln_rising(starts, steps) - gammaln(np.where(few, kinds, sizes + 1.0))
    return counted


def _by_gamma(starts: FloatArray, steps: FloatArray) -> FloatArray:
    from scipy.special import gammaln

    rising: FloatArray = gammaln(starts + steps) - gammaln(starts)
    return rising


def _by_series(starts: FloatArray, steps: FloatArray) -> FloatArray:
    ends = starts + steps
    grown = (ends - 0.5) * log1p(steps / starts) - steps
    of_ends, of_starts = _tails(np.stack((ends, starts)))
    rising: FloatArray = steps * log(starts) + grown + (of_ends - of_starts)
    return rising


def _tails(x: FloatArray) -> FloatArray:
    inverse = 1.0 / x
    square = inverse * inverse
    total = np.full_like(inverse, _TAILS[0])
    for coefficient in _TAILS[1:]:
        total *= square
        total += coefficient
    total *= inverse
    return total
