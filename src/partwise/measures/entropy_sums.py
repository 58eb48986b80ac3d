"""Sums of x ln x as exact integers, and what follows from them.

With X = sum of x ln x (2^-64 units) over the cells, A over the rows, B over the columns and
N = n ln n: n H(a) = N - A, n H(a|b) = B - X, n VI = A + B - 2 X, n I = N + X - A - B. All but
the last are sums of non-negative terms that vanish together with their exact zero, so these
differences lose nothing; I gets another form where it is tiny.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from partwise import _kernels
from partwise.contingency import Contingency, shared


def fraction_bits(n: int) -> int:
    """Return the fraction bits of x ln x for totals up to n: nothing passes 127 bits."""
    return 64 if n < 1 << 57 else 56


def ratio(above: int, below: int) -> float:
    """Return above / below, correctly rounded."""
    return above / below


@dataclass(frozen=True, slots=True)
class Sums:
    """Entropies times n, in units of 2^-bits (all exact integers)."""

    n: int
    bits: int
    top: int  # n ln n
    rows: int
    cols: int
    cells: int

    @property
    def unit(self) -> int:
        """Divide by this to get nats."""
        return max(self.n, 1) << self.bits

    @property
    def reference(self) -> int:
        """H(reference)."""
        return self.top - self.rows

    @property
    def candidate(self) -> int:
        """H(candidate)."""
        return self.top - self.cols

    @property
    def joint(self) -> int:
        """H(reference, candidate)."""
        return self.top - self.cells

    @property
    def split(self) -> int:
        """H(candidate | reference)."""
        return self.rows - self.cells

    @property
    def merge(self) -> int:
        """H(reference | candidate)."""
        return self.cols - self.cells

    @property
    def variation(self) -> int:
        """Variation of information."""
        return self.split + self.merge

    @property
    def identical(self) -> bool:
        """Whether the clusterings are equal."""
        return self.split == 0 and self.merge == 0


@shared
def sums(table: Contingency) -> Sums:
    """Return the sums of x ln x of a table. O(cells)."""
    n = table.n_items
    bits = fraction_bits(n)
    parts = (np.array([n]), table.row_sizes, table.col_sizes, table.counts)
    top, rows, cols, cells = (_kernels.impl.sum_xlogx(part, bits) for part in parts)
    return Sums(n, bits, top, rows, cols, cells)


@shared
def independent(table: Contingency) -> bool:
    """Return whether n n_ij = n_i m_j for every pair of clusters: an integer fact."""
    rows, cols = table.shape
    if table.n_cells != rows * cols:
        return False
    return _kernels.impl.is_proportional(
        *table.cells, table.row_sizes, table.col_sizes, table.n_items
    )


class Rational(NamedTuple):
    """above / below, not reduced."""

    above: int
    below: int


@shared
def information(table: Contingency) -> Rational:
    """Return I as a rational number close to it, exactly 0 and H where it is 0 or H.

    N + X - A - B is off by at most one unit a term. Where that could be seen, I comes from
    n^2 I = sum e phi((n n_ij - e) / e) + (n^2 - sum e), e = n_i m_j over the nonzero cells,
    phi(x) = (1 + x) ln(1 + x) - x: no term is negative.
    """
    s = sums(table)
    if independent(table):
        return Rational(0, 1)
    value = s.reference - s.merge
    terms = table.n_cells + sum(table.shape) + 1
    if s.split == 0 or s.merge == 0 or value > terms << 53:
        return Rational(value, s.unit)
    n = table.n_items
    found, covered = _kernels.impl.divergence_terms(
        *table.cells, table.row_sizes, table.col_sizes, n
    )
    room = 126 - len(found).bit_length() - math.frexp(float(found.max()))[1]
    bits = max(0, room)
    total = _kernels.impl.sum_doubles(found, bits) + ((n * n - covered) << bits)
    return Rational(total, n * n << bits)


def ln_of_base(base: float | None) -> float:
    """Return what nats are divided by to get units of the base."""
    if base is None:
        return 1.0
    if not (base > 0 and base != 1 and math.isfinite(base)):
        raise ValueError(f"base={base!r} must be a positive number other than 1")
    return math.log(base)


def one_of(word: str, words: tuple[str, ...], option: str) -> None:
    """Check a word option against its words."""
    if word not in words:
        raise ValueError(f"{option}={word!r} is not one of: {', '.join(words)}")
