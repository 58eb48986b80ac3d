"""Sums of x ln x as exact integers, and what follows from them.

With X = sum of x ln x (2^-64 units) over the cells, A over the rows, B over the columns and
N = n ln n: n H(a) = N - A, n H(a|b) = B - X, n VI = A + B - 2 X, n I = N + X - A - B. All but
the last are sums of non-negative terms that vanish together with their exact zero, so these
differences lose nothing; I gets another form where it is tiny. With weights, masses stand for
counts and every quantity is an order-free sum of non-negative doubles.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from partwise import _kernels, order_free
from partwise._kernels._divergence import phi
from partwise._kernels._logarithm import xlogx
from partwise.contingency import Contingency, shared
from partwise.order_free import FloatArray, Rational


def fraction_bits(n: int) -> int:
    """Return the fraction bits of x ln x for totals up to n: nothing passes 127 bits."""
    return 64 if n < 1 << 57 else 56


def ratio(above: int, below: int) -> float:
    """Return above / below, correctly rounded."""
    return above / below


@dataclass(frozen=True, slots=True)
class Sums:
    """Entropies of a table as exact integers; divided by ``unit`` they are in nats.

    Attributes
    ----------
    unit : int
        The total (items or mass) in the scale of the rest; 1 for an empty table.
    top : int
        ln n, n the number of items.
    reference, candidate, joint : int
        H(a), H(b), H(a, b).
    split, merge : int
        H(b | a), H(a | b).
    identical : bool
        Whether the clusterings are equal.
    """

    unit: int
    top: int
    reference: int
    candidate: int
    joint: int
    split: int
    merge: int
    identical: bool

    @property
    def variation(self) -> int:
        """Variation of information."""
        return self.split + self.merge


@shared
def sums(table: Contingency) -> Sums:
    """Return the entropies of a table. O(cells)."""
    rows, cols = table.shape
    identical = table.n_cells == rows == cols
    if table.masses is not None:
        return _mass_sums(table, identical)
    n = table.n_items
    bits = fraction_bits(n)
    parts = (np.array([n]), table.row_sizes, table.col_sizes, table.counts)
    top, by_row, by_col, by_cell = (_kernels.impl.sum_xlogx(part, bits) for part in parts)
    return Sums(
        unit=max(n, 1) << bits,
        top=top,
        reference=top - by_row,
        candidate=top - by_col,
        joint=top - by_cell,
        split=by_row - by_cell,
        merge=by_col - by_cell,
        identical=identical,
    )


@shared
def independent(table: Contingency) -> bool:
    """Return whether n n_ij = n_i m_j for every pair of clusters: an integer fact.

    With weights only a single cluster on either side is known to be independent of the other.
    """
    rows, cols = table.shape
    if table.n_cells != rows * cols:
        return False
    if table.masses is not None:
        return min(rows, cols) <= 1
    return _kernels.impl.is_proportional(
        *table.cells, table.row_sizes, table.col_sizes, table.n_items
    )


@shared
def information(table: Contingency) -> Rational:
    """Return I as a rational number close to it, exactly 0 and H where it is 0 or H.

    N + X - A - B is off by at most one unit a term. Where that could be seen (and always with
    weights), I comes from n^2 I = sum e phi((n n_ij - e) / e) + (n^2 - sum e), e = n_i m_j over
    the nonzero cells, phi(x) = (1 + x) ln(1 + x) - x: no term is negative.
    """
    s = sums(table)
    if independent(table):
        return Rational(0, 1)
    rows, cols = table.shape
    if table.n_cells == cols:  # b refines a
        return Rational(s.reference, s.unit)
    if table.n_cells == rows:
        return Rational(s.candidate, s.unit)
    if table.masses is not None:
        return _mass_information(table)
    value = s.reference - s.merge
    terms = table.n_cells + rows + cols + 1
    if value > terms << 53:
        return Rational(value, s.unit)
    n = table.n_items
    found, covered = _kernels.impl.divergence_terms(
        *table.cells, table.row_sizes, table.col_sizes, n
    )
    total = order_free.total(found)
    return Rational(total.above + (n * n - covered) * total.below, n * n * total.below)


def log_of(table: Contingency, k: int) -> Fraction:
    """Return ln k in the units of ``sums(table)``."""
    if table.masses is not None:
        return Fraction(_scaled(table, math.log(k)))
    return Fraction(table.n_items * xlogx(k, fraction_bits(table.n_items)), k)


# ---- with weights ------------------------------------------------------------------


def _scale(table: Contingency) -> tuple[float, int]:
    """Return the total mass and the fraction bits of the sums: the total is about 2^100."""
    assert table.total_mass is not None
    return table.total_mass, 100 - math.frexp(table.total_mass)[1]


def _scaled(table: Contingency, nats: float) -> int:
    total, bits = _scale(table)
    return int(Fraction(total) * Fraction(nats) * Fraction(2) ** bits)


def log_ratio_terms(whole: FloatArray | float, part: FloatArray) -> FloatArray:
    """Return part ln(whole / part) >= 0, accurate near whole = part; 0 where part is 0."""
    whole = np.broadcast_to(np.asarray(whole, dtype=np.float64), part.shape)
    terms = np.zeros_like(part)
    some = (part > 0) & (whole > part)
    x, y = whole[some], part[some]
    near = y > x / 4
    logs = np.log(x) - np.log(y)
    logs[near] = np.log1p((x[near] - y[near]) / y[near])
    terms[some] = y * logs
    return terms


def _mass_sums(table: Contingency, identical: bool) -> Sums:
    masses = table.all_masses
    assert masses is not None
    mass, rows, cols, total = masses
    _, bits = _scale(table)

    def add_up(whole: FloatArray | float, part: FloatArray) -> int:
        found = order_free.total(log_ratio_terms(whole, part))
        return int(Fraction(*found) * Fraction(2) ** bits)

    return Sums(
        unit=_scaled(table, 1.0) or 1,  # no items: no mass
        top=_scaled(table, math.log(max(table.n_items, 1))),
        reference=add_up(total, rows),
        candidate=add_up(total, cols),
        joint=add_up(total, mass),
        split=add_up(rows[table.rows], mass),
        merge=add_up(cols[table.cols], mass),
        identical=identical,
    )


def _mass_information(table: Contingency) -> Rational:
    masses = table.all_masses
    assert masses is not None
    mass, in_rows, in_cols, total = masses
    expected = in_rows[table.rows] * (in_cols[table.cols] / total)
    some = mass > 0
    e, excess = expected[some], mass[some] - expected[some]
    found = Fraction(*order_free.total(e * phi(excess / e)))
    rows, cols = table.shape
    if table.n_cells < rows * cols:  # the empty cells: what their clusters lead to expect
        missing = Fraction(total) - Fraction(*order_free.total(expected))
        found += max(missing, Fraction(0))
    found += Fraction(*order_free.total(expected[~some]))
    s = sums(table)  # rounding must not lift I above an entropy
    most = Fraction(min(s.reference, s.candidate), s.unit)
    information = min(found / Fraction(total), most)
    return Rational(information.numerator, information.denominator)
