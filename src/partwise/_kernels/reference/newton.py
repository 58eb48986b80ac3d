"""Expectations of M ln M for small expected overlaps: as in ``csrc/chance/pw_newton.c``.

With d_m = |m-th difference of x ln x at 0|, and (x)_m = x (x - 1) ... (x - m + 1),

    E[M ln M] = sum over m >= 2 of (-1)^m d_m / m! (a)_m (b)_m / (n)_m.

Each term is a product of what depends on a and on b, so sums over many pairs are sums of
products of prefix sums. ln x = integral of (e^-s - e^-xs) / s over s > 0 gives

    d_m = integral of m e^-s (1 - e^-s)^(m-1) / s > 0, falling with m,

and under the integral the series is that of x (1 - p)^(x-1) in powers of -p, whose partial
sums are too large and too small in turn (Bonferroni): what is left out is less than the next
term. Here that is at most 4^33 / 35! d_35 / d_2 of the first one.

Every cut (floor) is made where C makes it, so both give the same bits.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from functools import cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from partwise.numbers.logarithm import LN_BITS, ln_fixed

OVERLAP = 4
TERMS = 34
_FIRST = 2
_GUARD = 7
_LEAST_EXPONENT = -1022
_WORD = (1 << 64) - 1


class Scaled(NamedTuple):
    """``mantissa`` 2^``exponent``, the mantissa 0 or of 64 bits."""

    mantissa: int
    exponent: int


def _scaled(x: int, exponent: int) -> Scaled:
    excess = x.bit_length() - 64
    if x == 0:
        return Scaled(0, 0)
    return Scaled(x >> excess if excess > 0 else x << -excess, exponent + excess)


def _times(x: Scaled, y: Scaled) -> Scaled:
    return _scaled(x.mantissa * y.mantissa, x.exponent + y.exponent)


def _over(x: Scaled, divisor: int) -> Scaled:
    zeros = 64 - divisor.bit_length()
    return _scaled((x.mantissa << 63) // (divisor << zeros), x.exponent + zeros - 63)


class _Side:
    """The sizes of one side, ascending; an octave are those with the same number of bits."""

    def __init__(self, sizes: list[int], weights: list[float]) -> None:
        self.sizes = sizes
        self.octaves: dict[int, tuple[int, int]] = {}
        start = 0
        for i in range(1, len(sizes) + 1):
            if i == len(sizes) or sizes[i].bit_length() != sizes[start].bit_length():
                self.octaves[sizes[start].bit_length() - 1] = (start, i)
                start = i
        self.exponents: dict[int, int] = {}
        self._weights: list[int] = []
        self._shifts: list[int] = []
        self._logs: list[int] = []
        for octave, (start, stop) in self.octaves.items():
            self._scale(octave, weights[start:stop])
            self._shifts += [63 - octave] * (stop - start)
            top = (octave + 1) * ln_fixed(2)
            self._logs += [(top - ln_fixed(x)) >> (LN_BITS - 64) for x in sizes[start:stop]]
        self._falling = [x << s for x, s in zip(sizes, self._shifts, strict=True)]
        self._first = self._weighted()
        self.values = self._first
        self.sums: list[int] = []

    def _scale(self, octave: int, weights: list[float]) -> None:
        """Keep the weights of an octave against its largest."""
        parts = [math.frexp(weight) for weight in weights]
        own = [(int(x * 2.0**53) << 11, e) if e > _LEAST_EXPONENT else (0, e) for x, e in parts]
        exponent = max([e for x, e in own if x], default=_LEAST_EXPONENT)
        self.exponents[octave] = exponent
        self._weights += [x >> (exponent - e) if x else 0 for x, e in own]

    def _weighted(self) -> list[int]:
        return [x * w >> 64 for x, w in zip(self._falling, self._weights, strict=True)]

    def _add_up(self) -> None:
        self.sums = list(accumulate(self.values, initial=0))

    def set_first(self, *, with_logs: bool) -> None:
        """Take the weighted sizes, or those times their logarithms, as values."""
        self.values = self._first
        if with_logs:
            self.values = [x * y >> 64 for x, y in zip(self._first, self._logs, strict=True)]
        self._add_up()

    def next_falling(self, m: int) -> None:
        """Take (size)_m, from (size)_(m-1), as values."""
        self._falling = [
            f * (max(x - m + 1, 0) << s) >> 64
            for f, x, s in zip(self._falling, self.sizes, self._shifts, strict=True)
        ]
        self.values = self._weighted()
        self._add_up()


def within(rows: NDArray[np.int64], cols: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Return how many leading columns b of each row a have a b <= OVERLAP n, both <= n / 2."""
    half, sizes = n // 2, cols.tolist()
    counts = [
        bisect_right(sizes, min(OVERLAP * n // a, half)) if a <= half else 0
        for a in rows.tolist()
    ]
    return np.array(counts, dtype=np.int64)


@cache
def _differences() -> tuple[Scaled, ...]:
    """Return d_m for m = 2, 3, ..."""
    differences = []
    for m in range(_FIRST, TERMS + 1):
        terms = ((-1) ** (m - j) * math.comb(m, j) * j * ln_fixed(j) for j in range(2, m + 1))
        differences.append(_scaled((-1) ** m * sum(terms), -LN_BITS))
    return tuple(differences)


def _factors(n: int) -> list[Scaled]:
    """Return d_m / (m! (n)_m) for m = 2, 3, ..."""
    factors = []
    inverse = _over(_scaled(1, 0), n)
    for m, difference in enumerate(_differences(), _FIRST):
        inverse = _over(_over(inverse, n - m + 1), m)
        factors.append(_times(difference, inverse))
    return factors


def _pair_sum(rows: _Side, cols: _Side, counts: list[int], row: int, col: int) -> Scaled:
    """Return the sum of the products of the values of all pairs within two octaves."""
    (first, last), (start, stop) = rows.octaves[row], cols.octaves[col]
    before = cols.sums[start]
    if counts[last - 1] >= stop:
        both = (rows.sums[last] - rows.sums[first]) * (cols.sums[stop] - before)
        return _scaled(both, 0)
    total = 0
    for i in range(first, last):
        if counts[i] <= start:
            break
        total += rows.values[i] * (cols.sums[min(counts[i], stop)] - before)
    return _scaled(total, 0)


def _total(parts: list[Scaled], signs: list[int], exponent: int) -> int:
    """Return the sum of signed parts times 2^exponent, cut."""
    some = [(x, sign) for x, sign in zip(parts, signs, strict=True) if x.mantissa]
    if not some:
        return 0
    top = max(x.exponent for x, _ in some)
    total = sum(sign * (x.mantissa << (64 - _GUARD) >> (top - x.exponent)) for x, sign in some)
    shift = exponent + top - (64 - _GUARD)
    return max(total, 0) << shift if shift >= 0 else max(total, 0) >> -shift


def newton_sums(
    row_sizes: NDArray[np.int64],
    row_weights: NDArray[np.float64],
    col_sizes: NDArray[np.int64],
    col_weights: NDArray[np.float64],
    n: int,
    counts: NDArray[np.int64],
    fraction_bits: int,
) -> tuple[int, int]:
    """Return both sums over the leading columns of each row, both sides ascending."""
    leading = counts.tolist()
    rows = _Side(row_sizes.tolist(), row_weights.tolist())
    cols = _Side(col_sizes.tolist(), col_weights.tolist())
    blocks: dict[tuple[int, int], list[Scaled]] = {
        (row, col): []
        for row, (first, _) in rows.octaves.items()
        for col, (start, _) in cols.octaves.items()
        if start < leading[first]
    }
    for part in range(TERMS - _FIRST + 4):
        if part < 3:  # mu, mu with the logarithms of rows, of columns
            rows.set_first(with_logs=part == 1)
            cols.set_first(with_logs=part == 2)
        else:
            rows.next_falling(part - 3 + _FIRST)
            cols.next_falling(part - 3 + _FIRST)
        for (row, col), parts in blocks.items():
            parts.append(_pair_sum(rows, cols, leading, row, col))
    factors = _factors(n)
    overlap = divergence = 0
    for (row, col), parts in blocks.items():
        exponent = rows.exponents[row] + cols.exponents[col] - 128 + fraction_bits
        sums = _block(parts, row + col + 2, factors, n, exponent)
        overlap += sums[0]
        divergence += sums[1]
    return overlap, divergence


def _block(
    parts: list[Scaled], octaves: int, factors: list[Scaled], n: int, exponent: int
) -> tuple[int, int]:
    series, signs = [], []
    for m, (part, factor) in enumerate(zip(parts[3:], factors, strict=True), _FIRST):
        term = _times(part, factor)
        series.append(Scaled(term.mantissa, term.exponent + octaves * m))
        signs.append(1 if m % 2 == 0 else -1)
    ln = ln_fixed(n) - octaves * ln_fixed(2)
    firsts = [_times(parts[0], _scaled(abs(ln), -LN_BITS)), parts[1], parts[2]]
    rest = [_over(part, n) for part in firsts]
    rest = [Scaled(part.mantissa, part.exponent + octaves) for part in rest]
    return (
        _total(series, signs, exponent),
        _total(rest + series, [-1 if ln < 0 else 1, 1, 1, *signs], exponent),
    )
