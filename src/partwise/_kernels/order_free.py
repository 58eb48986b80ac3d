"""Sums of doubles that no order of the terms can change."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.numbers.arrays import FloatArray, IntArray

_ROOM = 126


class Rational(NamedTuple):
    """above / below, not reduced, below > 0: integers, or arrays of them."""

    above: Any
    below: Any

    def __float__(self) -> float:
        return float(self.above / self.below)


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


def group_means(
    rows: FloatArray, groups: IntArray, n_groups: int, weights: FloatArray | None = None
) -> FloatArray:
    """Return the (weighted) mean row of every group, none of which is empty or without weight.

    Each coordinate is scaled by the power of two of its group's largest, so that an outlier
    elsewhere costs no digit; equal rows have exactly their own value as mean. O(n d).
    """
    if weights is None:
        counts = np.bincount(groups, minlength=n_groups).astype(np.float64)
        whole = Totals(counts, np.zeros_like(counts))
    else:
        weights = _scaled(weights, groups, n_groups)[0]
        whole = group_totals(weights, groups, n_groups)
    means = np.empty((n_groups, rows.shape[1]), dtype=np.float64)
    for j in range(rows.shape[1]):
        terms, exponents = _scaled(rows[:, j], groups, n_groups)
        if weights is None:
            part = group_totals(terms, groups, n_groups)
        else:
            both = np.concatenate(dekker_product(weights, terms))
            part = group_totals(both, np.concatenate((groups, groups)), n_groups)
        means[:, j] = np.ldexp(_quotient(part, whole), exponents)
    means += 0.0  # -0.0 becomes 0.0
    return means


def _scaled(
    values: FloatArray, groups: IntArray, n_groups: int
) -> tuple[FloatArray, NDArray[np.int32]]:
    """Return values of at most 1 and the power of two that each group was divided by."""
    largest = np.zeros(n_groups, dtype=np.float64)
    np.maximum.at(largest, groups, np.abs(values))
    exponents: NDArray[np.int32] = np.frexp(largest)[1]
    return np.ldexp(values, -exponents[groups]), exponents


def dekker_product(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the product rounded, and its rounding error (Dekker)."""
    product = a * b
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return product, error


def _halves(a: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Split doubles into two of 26 bits each (Veltkamp)."""
    turned = a * 134217729.0  # 2^27 + 1
    high = turned - (turned - a)
    return high, a - high


def _quotient(above: Totals, below: Totals) -> FloatArray:
    """Return above / below within a hair of correct rounding."""
    first = above.high / below.high
    product, error = dekker_product(first, below.high)
    rest = ((above.high - product) - error) + (above.low - first * below.low)
    quotient: FloatArray = first + rest / below.high
    return quotient
