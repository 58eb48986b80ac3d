"""Sums of doubles that no order of the terms can change."""

from __future__ import annotations

import math
from fractions import Fraction
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
    largest = max(float(values.max()), -float(values.min())) if len(values) else 0.0
    return fraction_bits_for(largest, len(values))


def fraction_bits_for(largest: float, n: int) -> int:
    """Return the same for ``n`` values, none of which is further from 0 than ``largest``."""
    return _ROOM - n.bit_length() - math.frexp(largest)[1]


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

    def at(self, positions: IntArray) -> Totals:
        """Return the sums of the groups at ``positions``."""
        return Totals(self.high[positions], self.low[positions])


def exact_units(*columns: FloatArray) -> tuple[list[list[int]], int]:
    """Return columns of doubles as whole numbers of one unit, a power of two, and the power."""
    parts = [np.frexp(column) for column in columns]
    used = [powers[column != 0] for column, (_, powers) in zip(columns, parts, strict=True)]
    least = min((int(powers.min()) for powers in used if len(powers)), default=0)
    units = []
    for mantissas, powers in parts:
        integers = np.ldexp(mantissas, 53).astype(np.int64).tolist()
        shifts = np.maximum(powers - least, 0).tolist()
        units.append([x << by for x, by in zip(integers, shifts, strict=True)])
    return units, least - 53


def group_totals(values: FloatArray, groups: IntArray, n_groups: int) -> Totals:
    """Return the sum of every group's values.

    Terms are cut below 2^-100 or so of the largest value (its bits beyond 126 less those of
    the number of terms).
    """
    return Totals(*_kernels.impl.sum_groups(values, groups, n_groups, fraction_bits(values)))


class Means(NamedTuple):
    """Mean rows of groups as quotients: sums x 2^exponents / weight.

    Attributes
    ----------
    sums : Totals of shape (n_groups, d)
    exponents : ndarray of int, shape (n_groups, d)
    weight : Totals of shape (n_groups,)
    """

    sums: Totals
    exponents: NDArray[np.int32]
    weight: Totals

    @classmethod
    def of(cls, rows: FloatArray) -> Means:
        """Return means that are known as they are."""
        ones = np.ones(len(rows))
        weight = Totals(ones, np.zeros_like(ones))
        return cls(Totals(rows, np.zeros_like(rows)), np.zeros(rows.shape, np.int32), weight)

    def rounded(self) -> FloatArray:
        """Return the means as doubles."""
        means: FloatArray = np.empty_like(self.sums.high)
        for j in range(means.shape[1]):
            above = Totals(self.sums.high[:, j], self.sums.low[:, j])
            means[:, j] = np.ldexp(_quotient(above, self.weight), self.exponents[:, j])
        means += 0.0  # -0.0 becomes 0.0
        return means

    def both(self) -> Totals:
        """Return the means as doubles, and what the rounding left over."""
        column_totals = Totals(self.weight.high[:, None], self.weight.low[:, None])
        high = _quotient(self.sums, column_totals)
        product, error = dekker_product(high, np.broadcast_to(column_totals.high, high.shape))
        rest = ((self.sums.high - product) - error) + (self.sums.low - high * column_totals.low)
        low = rest / column_totals.high
        return Totals(np.ldexp(high, self.exponents) + 0.0, np.ldexp(low, self.exponents))

    def exact(self, position: int) -> list[Fraction]:
        """Return one mean without rounding."""
        weight = Fraction(self.weight.high[position]) + Fraction(self.weight.low[position])
        columns = zip(
            self.sums.high[position].tolist(),
            self.sums.low[position].tolist(),
            self.exponents[position].tolist(),
            strict=True,
        )
        return [
            (Fraction(high) + Fraction(low)) * Fraction(2) ** power / weight
            for high, low, power in columns
        ]


def group_sums(
    rows: FloatArray, groups: IntArray, n_groups: int, weights: FloatArray | None = None
) -> Means:
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
    shape = n_groups, rows.shape[1]
    sums = Totals(np.empty(shape), np.empty(shape))
    exponents = np.empty(shape, dtype=np.int32)
    for j in range(rows.shape[1]):
        terms, exponents[:, j] = _scaled(rows[:, j], groups, n_groups)
        if weights is None:
            part = group_totals(terms, groups, n_groups)
        else:
            products = np.concatenate(dekker_product(weights, terms))
            part = group_totals(products, np.concatenate((groups, groups)), n_groups)
        sums.high[:, j], sums.low[:, j] = part
    return Means(sums, exponents, whole)


def group_means(
    rows: FloatArray, groups: IntArray, n_groups: int, weights: FloatArray | None = None
) -> FloatArray:
    """Return ``group_sums`` as doubles."""
    return group_sums(rows, groups, n_groups, weights).rounded()


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
