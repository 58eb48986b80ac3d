"""Expectations of M ln M under permutation: the operations of ``csrc/chance/pw_expected.c``.

Every pair of sizes goes through the same operations on doubles in the same order, and
logarithms come from ``ln_fixed``, so both kernels give the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import numpy as np

from partwise._kernels.reference.newton import TERMS, within
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.logarithm import LN_BITS, ln_fixed, xlogx

_SERIES_FROM = 600.0
_MOMENTS = 16
_TABLE = 1024
_MEAN_CUT = 2.0**-55
_TOTAL_CUT = 2.0**-66
_SHORT_LN_BITS = 56
_PAIRS = 1 << 16
_MANY = 1 << 10


@cache
def _tables() -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return, by m: m ln m in two parts; a slope near 1 + ln m; what it exceeds that by."""
    values = [xlogx(m, 64) for m in range(_TABLE)]
    slopes = [0, *((1 << LN_BITS) + ln_fixed(m) for m in range(1, _TABLE))]
    cut = LN_BITS - 32
    return (
        np.array([(value >> 32) / 2.0**32 for value in values]),
        np.array([(value & 0xFFFFFFFF) / 2.0**64 for value in values]),
        np.array([(slope >> cut) / 2.0**32 for slope in slopes]),
        np.array([-(slope & ((1 << cut) - 1)) / 2.0**LN_BITS for slope in slopes]),
    )


@cache
def _mode_logs() -> IntArray:
    return np.array([0, *(_short_ln(m) for m in range(1, _TABLE))], dtype=np.int64)


def _short_ln(x: int) -> int:
    """Return ln x with 56 fraction bits."""
    return ln_fixed(x) >> (LN_BITS - _SHORT_LN_BITS)


def _short_lns(x: IntArray) -> IntArray:
    return np.array([_short_ln(size) for size in x.tolist()], dtype=np.int64)


def sorted_sides(
    row_sizes: IntArray, row_weights: FloatArray, col_sizes: IntArray, col_weights: FloatArray
) -> tuple[IntArray, FloatArray, IntArray, FloatArray]:
    """Return both sides in ascending order of size."""
    rows, cols = np.argsort(row_sizes, kind="stable"), np.argsort(col_sizes, kind="stable")
    return row_sizes[rows], row_weights[rows], col_sizes[cols], col_weights[cols]


def leading_columns(rows: IntArray, cols: IntArray, n: int) -> IntArray:
    """Return how many leading columns of each row go by one series for many pairs."""
    if n >= 4 * TERMS:
        leading = within(rows, cols, n)
        if leading.sum() >= _MANY:
            return leading
    return np.zeros(len(rows), dtype=np.int64)


def terms(
    row_sizes: IntArray,
    row_weights: FloatArray,
    col_sizes: IntArray,
    col_weights: FloatArray,
    n: int,
    first: IntArray,
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield the weighted terms of both sums from each row's first column on, in blocks."""
    if len(row_sizes) == 0 or len(col_sizes) == 0:
        return
    ln_rows, ln_cols, ln_n = _short_lns(row_sizes), _short_lns(col_sizes), _short_ln(n)
    rows_at_once = max(1, _PAIRS // len(col_sizes))
    for start in range(0, len(row_sizes), rows_at_once):
        left = first[start : start + rows_at_once, None] <= np.arange(len(col_sizes))
        r, c = left.nonzero()
        r += start
        ln_mu = np.ldexp((ln_rows[r] + ln_cols[c] - ln_n).astype(np.float64), -_SHORT_LN_BITS)
        weight = row_weights[r] * col_weights[c]
        overlap, divergence = _expectations(row_sizes[r], col_sizes[c], ln_mu, n)
        yield (
            np.where(overlap > 0, weight * overlap, 0.0),
            np.where(divergence > 0, weight * divergence, 0.0),
        )


def _expectations(
    a: IntArray, b: IntArray, ln_mu: FloatArray, n: int
) -> tuple[FloatArray, FloatArray]:
    """Return E[M ln M] and E[M ln(M / mu) - M + mu] of every pair."""
    overlap, divergence = np.zeros(len(a)), np.zeros(len(a))
    mu = a.astype(np.float64) * b.astype(np.float64) / n
    single = (a == 1) | (b == 1)
    large = (mu >= _SERIES_FROM) & ~single
    few = ~single & ~large
    divergence[single] = _single(np.maximum(a, b)[single], n)
    divergence[large] = _series(a[large], b[large], n, mu[large])
    overlap[large] = divergence[large] + mu[large] * ln_mu[large]
    overlap[few], divergence[few] = _by_overlap(a[few], b[few], ln_mu[few], n)
    return overlap, divergence


def _single(sizes: IntArray, n: int) -> FloatArray:
    """Return -mu ln mu, mu = size / n."""
    distinct, distinct_of = np.unique(sizes, return_inverse=True)
    falls = np.array([float(ln_fixed(n) - ln_fixed(x)) for x in distinct.tolist()])
    divergence: FloatArray = (distinct / n * np.ldexp(falls, -LN_BITS))[distinct_of]
    return divergence


def _series(a: IntArray, b: IntArray, n: int, mu: FloatArray) -> FloatArray:
    """Return the divergence from central moments (see ``series`` in C)."""
    x, y, items = a.astype(np.float64), b.astype(np.float64), float(n)
    free = ((items - x) / items) * ((items - y) / items)
    q = free + (x / items) * (y / items)
    v = mu * free
    moments = [np.ones(len(a)), np.zeros(len(a))]
    parts: list[FloatArray] = []
    binomials = [1]
    for k in range(1, _MOMENTS):
        binomials = [1, *(p + r for p, r in pairwise(binomials)), 1]
        total = k * (q * moments[k] + v * moments[k - 1])
        for j in range(k - 2, -1, -1):
            term = binomials[j] * parts[j]
            total = total + term if (k - j) % 2 else total - term
        moments.append(total / (1.0 - k / items))
        parts.append(moments[k + 1] / items + q * moments[k] + v * moments[k - 1])
    total = np.zeros(len(a))
    for k in range(_MOMENTS, 1, -1):
        total = moments[k] / (k * (k - 1)) - total / mu
    divergence: FloatArray = total / mu
    return divergence


def _by_overlap(
    a: IntArray, b: IntArray, ln_mu: FloatArray, n: int
) -> tuple[FloatArray, FloatArray]:
    """Return both expectations by adding up over overlaps from the mode."""
    rest = n - a - b
    x, y = a.astype(np.float64), b.astype(np.float64)
    mode = ((x + 1.0) * (y + 1.0) / (float(n) + 2.0)).astype(np.int64)
    mode = np.minimum(np.maximum(mode, -rest), np.minimum(a, b))
    high, low, slopes, excesses = _tables()
    peak = mode.astype(np.float64)
    mean = _mean_psi(x, y, rest.astype(np.float64), mode)
    # exact before the division, in wrapping arithmetic
    above = a.astype(np.uint64) * b.astype(np.uint64) - mode.astype(np.uint64) * np.uint64(n)
    d = above.view(np.int64).astype(np.float64) / float(n)
    overlap = np.where(mode == 0, mean, mean + ((high[mode] + low[mode]) + d * slopes[mode]))
    ratio = d / np.maximum(peak, 1.0)
    far = np.abs(ratio) > 0.25
    ln_mode = np.ldexp(_mode_logs()[mode].astype(np.float64), -_SHORT_LN_BITS)
    bend = np.where(
        far, (peak + d) * (ln_mu - ln_mode) - d, peak * _phi(np.where(far, 0.0, ratio), mode)
    )
    divergence = (mean + d * excesses[mode]) - np.where(mode == 0, d * ln_mu, bend)
    return overlap, divergence


def _phi(x: FloatArray, mode: IntArray) -> FloatArray:
    """Return (1 + x) ln(1 + x) - x for |x| up to 1 / mode: as many terms as C takes."""
    phi = np.zeros(len(x))
    for low, high, terms in ((0, 8, 26), (8, 32, 18), (32, 128, 12), (128, _TABLE, 8)):
        band = np.flatnonzero((mode >= low) & (mode < high))
        y = x[band]
        z = y * y
        even, odd = np.zeros(len(y)), np.zeros(len(y))
        for k in range(terms, 1, -2):
            even = 1.0 / (k * (k - 1)) + z * even
            odd = 1.0 / ((k + 1) * k) + z * odd
        phi[band] = z * (even - y * odd)
    return phi


def _mean_psi(a: FloatArray, b: FloatArray, rest: FloatArray, mode: IntArray) -> FloatArray:
    """Return E psi(M), psi(m) = m ln m - mode ln mode - (m - mode) slope >= 0."""
    peak = mode.astype(np.float64)
    x = np.stack((a - peak, b - peak, rest + peak, peak))
    total, mean = np.ones(len(a)), np.zeros(len(a))
    _sum_up(x, mode, total, mean)
    _sum_down(x, mode, total, mean)
    mean_psi: FloatArray = mean / total
    return mean_psi


def _psi(mode: IntArray, m: IntArray, s: float) -> FloatArray:
    high, low, slopes, _ = _tables()
    psi: FloatArray = ((high[m] - high[mode]) - s * slopes[mode]) + (low[m] - low[mode])
    return psi


def _sum_up(x: FloatArray, mode: IntArray, total: FloatArray, mean: FloatArray) -> None:
    """Add up weights and weight * psi above the mode, whose weight is 1."""
    open_pairs = np.arange(len(mode))
    weight, before = np.ones(len(mode)), np.zeros(len(mode))
    for step in range(1, _TABLE):
        if len(open_pairs) == 0:
            return
        s = float(step)
        a, b, c, peak = x
        weight = weight * (((a - (s - 1)) * (b - (s - 1))) / ((peak + s) * (c + s)))
        term = weight * _psi(mode, np.minimum(mode + step, _TABLE - 1), s)
        total[open_pairs] += weight
        mean[open_pairs] += term
        fall = before - term
        done = (fall > 0) & (term * term <= _MEAN_CUT * mean[open_pairs] * fall)
        kept = ~(done | (weight <= 0))
        open_pairs, mode, x = open_pairs[kept], mode[kept], x[:, kept]
        weight, before = weight[kept], term[kept]


def _sum_down(x: FloatArray, mode: IntArray, total: FloatArray, mean: FloatArray) -> None:
    """Add up weights and weight * psi below the mode."""
    open_pairs = np.flatnonzero(mode > 0)
    mode, x = mode[open_pairs], x[:, open_pairs]
    weight, step = np.ones(len(open_pairs)), 0
    while len(open_pairs):
        step += 1
        s = float(step)
        a, b, c, peak = x
        last = weight
        weight = weight * (((peak - (s - 1)) * (c - (s - 1))) / ((a + s) * (b + s)))
        total[open_pairs] += weight
        mean[open_pairs] += weight * _psi(mode, np.maximum(mode - step, 0), -s)
        done = weight * weight <= _TOTAL_CUT * total[open_pairs] * (last - weight)
        kept = ~(done | (weight <= 0))
        open_pairs, mode, x, weight = open_pairs[kept], mode[kept], x[:, kept], weight[kept]
