"""The joint law of two soft clusterings: c_kj = sum over items of p_ik q_ij, exactly.

Every membership is cut once, 63 bits below the largest of its column, into three digits of 21
bits; products of digits and their sums over 2048 items are whole numbers below 2^53, which a
matrix product of doubles gets right in any order. So no order of items or clusters, no storage
and no kernel can change a bit. The measures are those of the law c / (sum of c), with its own
marginals: rows that add up to 1 but for rounding make no difference, and independence is a fact
about integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels import order_free
from partwise._kernels.order_free import (
    Totals,
)
from partwise.labels.memberships import Memberships
from partwise.measures.information.entropy_sums import log_ratio_terms
from partwise.measures.transport.shared_mass import few_entries
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.divergence import phi
from partwise.numbers.row_pairs import row_pairs

Exponents = NDArray[np.int32]  # what ldexp takes on every platform

_BITS = 21
_MASK = (1 << _BITS) - 1
_DIGITS = 3  # of a membership
_PLACES = 2 * _DIGITS + 1  # of a sum: place t counts 2^(-21 t); 0 is the whole part
_BLOCK = 2048  # items, so that 42 + 11 bits fit in a double
_PAIRS = 1 << 18  # at a time, so that three products of 42 bits each fit in 63 bits
_SMALLEST = -400  # exponent below which a column's scale does not go
#: Terms of a dense product that take as long as one pair of stored entries, or as finding out
#: whether a dense membership is above 0.
_DENSE_PER_PAIR = 80
_DENSE_PER_ENTRY = 8


@dataclass(frozen=True, eq=False)
class JointLaw:
    """Cells above 0, row by row, as digits of 21 bits.

    Attributes
    ----------
    shape : tuple of int
        Clusters on both sides, empty ones too.
    rows, cols : ndarray of int64, shape (cells,)
        Ascending by row, then column.
    digits : ndarray of int64, shape (7, cells)
        c = 2^exponent times the sum of digits[t] 2^(-21 t).
    exponents : ndarray of int32, shape (cells,)
    """

    shape: tuple[int, int]
    rows: IntArray
    cols: IntArray
    digits: IntArray
    exponents: Exponents

    @cached_property
    def cells(self) -> FloatArray:
        """The cells, rounded once (but for one in 2^30 or so)."""
        integers = self.digits[0].astype(np.float64)
        pairs = (self.digits[1::2] << _BITS) + self.digits[2::2]
        first, second, third = (
            np.ldexp(pair.astype(np.float64), -42 * (i + 1)) for i, pair in enumerate(pairs)
        )
        high = integers + first
        lost = np.where(integers > first, first - (high - integers), integers - (high - first))
        cells: FloatArray = np.ldexp(high + (lost + (second + third)), self.exponents)
        return cells

    def _marginal(self, clusters: IntArray, n_clusters: int) -> Totals:
        return order_free.group_totals(self.cells, clusters, n_clusters)

    @cached_property
    def row_masses(self) -> Totals:
        """Sums of the cells of every row."""
        return self._marginal(self.rows, self.shape[0])

    @cached_property
    def col_masses(self) -> Totals:
        """Sums of the cells of every column."""
        return self._marginal(self.cols, self.shape[1])

    @cached_property
    def mass(self) -> Totals:
        """Sum of all cells, one entry."""
        return self._marginal(np.zeros_like(self.rows), 1)

    @cached_property
    def cells_by_row(self) -> IntArray:
        """Number of cells in every row."""
        return np.bincount(self.rows, minlength=self.shape[0])

    @cached_property
    def cells_by_col(self) -> IntArray:
        """Number of cells in every column."""
        return np.bincount(self.cols, minlength=self.shape[1])

    def whole_numbers(self) -> list[int]:
        """Return the cells as integers of one common, arbitrary unit."""
        shifts = (self.exponents - self.exponents.min(initial=0)).tolist()
        digits = self.digits.astype(object)
        values = sum(digits[t] << _BITS * (_PLACES - 1 - t) for t in range(_PLACES))
        return [int(value) << shift for value, shift in zip(values, shifts, strict=True)]


# ---- adding up ---------------------------------------------------------------------


def joint_law(first: Memberships, second: Memberships) -> JointLaw:
    """Return the joint law of memberships of the same items.

    O(n K J) as a matrix product, or O(pairs of entries in a row) where entries are few.
    """
    exponents = _column_exponents(first), _column_exponents(second)
    shape = first.n_clusters, second.n_clusters
    if few_entries(first, second, _DENSE_PER_PAIR, _DENSE_PER_ENTRY):
        cells, digits = _sparse_sums(first, second, exponents)
    else:
        sums = _dense_sums(first, second, exponents).reshape(_PLACES, -1)
        cells = np.flatnonzero(sums.any(axis=0))
        digits = sums[:, cells]
    rows, cols = np.divmod(cells, max(shape[1], 1))
    return JointLaw(shape, rows, cols, digits, exponents[0][rows] + exponents[1][cols])


def _column_exponents(side: Memberships) -> Exponents:
    """Return for every column the e with largest membership < 2^e."""
    largest = np.zeros(side.n_clusters)
    if side.is_sparse:
        np.maximum.at(largest, side.rows.cols, side.rows.values)
    elif side.n_items:
        largest = side.dense.max(axis=0)
    exponents: Exponents = np.maximum(np.frexp(largest)[1], np.int32(_SMALLEST))
    return exponents


def _split(values: FloatArray, exponents: Exponents) -> list[FloatArray]:
    """Return the digits of memberships, without those after which all are 0."""
    rest = np.ldexp(values, _BITS - exponents)
    digits = [np.floor(rest)]
    while len(digits) < _DIGITS:
        rest = (rest - digits[-1]) * 2.0**_BITS
        if not rest.any():
            break
        digits.append(np.floor(rest))
    return digits


def _carry(digits: IntArray) -> None:
    """Bring every digit but the first into 0..2^21 - 1."""
    for digit in range(_PLACES - 1, 0, -1):
        digits[digit - 1] += digits[digit] >> _BITS
        digits[digit] &= _MASK


def _dense_sums(
    first: Memberships, second: Memberships, exponents: tuple[Exponents, Exponents]
) -> IntArray:
    """Return the digits of all K x J sums."""
    k, j = first.n_clusters, second.n_clusters
    sums = np.zeros((_PLACES, k, j), dtype=np.int64)
    for start in range(0, first.n_items, _BLOCK):
        sides = (side.dense_rows(start, start + _BLOCK) for side in (first, second))
        p, q = (_split(side, e) for side, e in zip(sides, exponents, strict=True))
        products = np.hstack(p).T @ np.hstack(q)
        for a in range(len(p)):
            for b in range(len(q)):
                part = products[a * k : (a + 1) * k, b * j : (b + 1) * j]
                sums[a + b + 2] += part.astype(np.int64)
        _carry(sums)
    return sums


def _sparse_sums(
    first: Memberships, second: Memberships, exponents: tuple[Exponents, Exponents]
) -> tuple[IntArray, IntArray]:
    """Return the cells above 0 (row J + column) and the digits of their sums."""
    p, q = first.rows, second.rows
    n_cols = second.n_clusters
    keys = [
        p.cols[first_entries] * n_cols + q.cols[second_entries]
        for first_entries, second_entries in _spans(first, second)
    ]
    cells, groups = _kernels.impl.encode(np.concatenate([np.empty(0, dtype=np.int64), *keys]))
    del keys
    sums = np.zeros((_PLACES, len(cells)), dtype=np.int64)
    x, y = (
        [digit.astype(np.int64) for digit in _split(side.values, e[side.cols])]
        for side, e in zip((p, q), exponents, strict=True)
    )
    start = 0
    for first_entries, second_entries in _spans(first, second):
        here = groups[start : start + len(first_entries)]
        start += len(first_entries)
        for a in range(len(x)):
            for b in range(len(y)):
                np.add.at(sums[a + b + 2], here, x[a][first_entries] * y[b][second_entries])
        _carry(sums)
    above = sums.any(axis=0)
    return cells[above], sums[:, above]


def _spans(first: Memberships, second: Memberships) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield the pairs of entries in a row, some rows at a time."""
    p, q = first.rows.indptr, second.rows.indptr
    ends = np.cumsum(first.support * second.support)
    start = 0
    while start < first.n_items:
        done = int(ends[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, done + _PAIRS, side="right")))
        yield row_pairs(p[start : stop + 1], q[start : stop + 1])
        start = stop


# ---- entropies ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SoftEntropies:
    """Entropies of a joint law in nats: H(a), H(b), H(a, b), H(b | a), H(a | b)."""

    reference: Fraction
    candidate: Fraction
    joint: Fraction
    split: Fraction
    merge: Fraction


def entropies(law: JointLaw) -> SoftEntropies:
    """Return the entropies: order-free sums of terms that are not negative. O(cells)."""
    rows, cols = (np.flatnonzero(counts) for counts in (law.cells_by_row, law.cells_by_col))
    in_row, in_col = law.row_masses.at(law.rows), law.col_masses.at(law.cols)
    total = Fraction(*order_free.total(law.cells))
    cells = Totals(law.cells, np.zeros_like(law.cells))

    def spread(parts: Totals, of: Totals, alone: Any) -> Fraction:
        rest = np.where(alone, 0.0, np.maximum(of.minus(parts), 0.0))
        return Fraction(*order_free.total(log_ratio_terms(parts.high, rest))) / total

    return SoftEntropies(
        reference=spread(law.row_masses.at(rows), law.mass, len(rows) == 1),
        candidate=spread(law.col_masses.at(cols), law.mass, len(cols) == 1),
        joint=spread(cells, law.mass, len(law.rows) == 1),
        split=spread(cells, in_row, law.cells_by_row[law.rows] == 1),
        merge=spread(cells, in_col, law.cells_by_col[law.cols] == 1),
    )


def soft_information(law: JointLaw, h: SoftEntropies) -> Fraction:
    """Return I: as a difference of the entropies where that keeps its digits, else termwise.

    0 exactly where the law is independent, H where a conditional entropy is 0. The difference
    is that of the side with less entropy: of the other one, more digits would be lost.
    """
    smaller = min(h.reference, h.candidate)
    if smaller == 0:
        return Fraction(0)
    if h.merge == 0:
        return h.reference
    if h.split == 0:
        return h.candidate
    shared = {"reference": h.reference - h.merge, "candidate": h.candidate - h.split}
    sides = [shared[side] for side in shared if getattr(h, side) == smaller]
    value = sum(sides, Fraction(0)) / len(sides)  # of both, so that exchanged they are the same
    if value * 64 > smaller:
        return min(value, smaller)
    return min(_divergence(law), smaller)


def _divergence(law: JointLaw) -> Fraction:
    """Return I from W^2 I = sum e phi((W c - e) / e) + W^2 - sum e, e = r s over the cells.

    r and s are the sums of a cell's row and column, W that of all: integers, so that what is
    left of W c - e near independence is exact. No term is negative; all are 0 only there.
    """
    cells = law.whole_numbers()
    rows, cols = law.rows.tolist(), law.cols.tolist()
    row_sums, col_sums = [0] * law.shape[0], [0] * law.shape[1]
    for row, col, cell in zip(rows, cols, cells, strict=True):
        row_sums[row] += cell
        col_sums[col] += cell
    total = sum(cells)
    expected = [row_sums[row] * col_sums[col] for row, col in zip(rows, cols, strict=True)]
    excess = [(total * c - e) / e for c, e in zip(cells, expected, strict=True)]
    square = total * total
    shares = [e / square for e in expected]
    terms: NDArray[np.float64] = np.array(shares) * phi(np.array(excess))
    empty = Fraction(square - sum(expected), square)
    return Fraction(*order_free.total(terms)) + empty
