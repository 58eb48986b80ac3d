"""Sums of x ln x as exact integers, and what follows from them.

With X = sum of x ln x (2^-64 units) over the cells, A over the rows, B over the columns and
N = n ln n: n H(a) = N - A, n H(a|b) = B - X, n VI = A + B - 2 X, n I = N + X - A - B. All but
the last are sums of non-negative terms that vanish together with their exact zero, so these
differences lose nothing; I gets another form where it is tiny. With weights, masses stand for
counts and every quantity is an order-free sum of non-negative doubles.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from partwise import _kernels
from partwise._kernels import order_free
from partwise._kernels.order_free import (
    Rational,
    Totals,
)
from partwise.measures.sums import Entropies, Value
from partwise.numbers.arrays import BoolArray, FloatArray
from partwise.numbers.divergence import phi
from partwise.numbers.logarithm import xlogx
from partwise.numbers.real_logarithm import log, log1p
from partwise.table.contingency import Contingency
from partwise.table.margins import margin_of
from partwise.table.memo import memoized, memoized_for_margins


def fraction_bits(n: int) -> int:
    """Return the fraction bits of x ln x for totals up to n: nothing passes 127 bits."""
    return 64 if n < 1 << 57 else 56


@memoized
def sums(table: Contingency) -> Entropies:
    """Return the entropies of a table. O(cells)."""
    rows, cols = table.shape
    identical = table.n_cells == rows == cols
    if table.masses is not None:
        return _mass_sums(table, identical)
    n = table.n_items
    bits = fraction_bits(n)
    top, by_row, by_col = _margin_sums(table)
    by_cell = _kernels.impl.sum_xlogx(table.counts, bits)
    return Entropies.of_xlogx(max(n, 1) << bits, top, by_row, by_col, by_cell, identical)


@memoized_for_margins
def _margin_sums(table: Contingency) -> tuple[int, ...]:
    bits = fraction_bits(table.n_items)
    return tuple(margin_of(table, side).xlogx(bits) for side in ("all", "rows", "cols"))


@memoized
def independent(table: Contingency) -> bool:
    """Return whether n n_ij = n_i m_j for every pair of clusters: an integer fact.

    With weights the same of masses, which are sums of doubles and so whole numbers of one unit.
    """
    rows, cols = table.shape
    if table.n_cells != rows * cols:
        return False
    if table.masses is not None:
        return min(rows, cols) <= 1 or _is_proportional(table)
    return _kernels.impl.is_proportional(
        *table.cells, table.row_sizes, table.col_sizes, table.n_items
    )


def _is_proportional(table: Contingency) -> bool:
    """Return whether W w_ij = r_i c_j of the masses of all pairs of clusters, each a cell."""
    masses = table.all_masses
    assert masses is not None
    cells = masses.cells
    total, row, col = masses.all.high[0], masses.rows.high, masses.cols.high
    expected = row[table.rows] * (col[table.cols] / total)
    if not np.all(np.abs(cells.high - expected) <= 1e-12 * expected):
        return False  # as nearly always: no need of long integers
    (high, low), _ = order_free.exact_units(cells.high, cells.low)
    whole = np.array([x + y for x, y in zip(high, low, strict=True)], dtype=object)
    by_pair = whole.reshape(table.shape)
    rows, cols = by_pair.sum(axis=1), by_pair.sum(axis=0)
    return bool(np.all(by_pair * rows.sum() == np.outer(rows, cols)))


def equal_parts(table: Contingency, side: str) -> BoolArray:
    """Return, of each row (column: "cols"), whether its cells have the same mass."""
    masses = table.all_masses
    assert masses is not None
    of_cell, sizes = table.rows, table.row_sizes
    if side == "cols":
        of_cell, sizes = table.cols, table.col_sizes
    some = np.empty(len(sizes), dtype=np.int64)
    some[of_cell] = np.arange(table.n_cells)  # any cell of each cluster
    other, cells = masses.cells.at(some[of_cell]), masses.cells
    differs = (cells.high != other.high) | (cells.low != other.low)
    equal: BoolArray = np.bincount(of_cell[differs], minlength=len(sizes)) == 0
    return equal


@memoized
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
    divergences, covered = _kernels.impl.divergence_terms(
        *table.cells, table.row_sizes, table.col_sizes, n
    )
    total = order_free.total(divergences)
    return Rational(total.above + (n * n - covered) * total.below, n * n * total.below)


def over(s: Any, shared: Any, mean: Value, times: int = 1) -> tuple[Value, Value]:
    """Return times I over a mean of entropies as numerator and denominator."""
    if shared.below is s.unit:
        return times * shared.above, mean
    return times * shared.above * s.unit, shared.below * mean


def log_of(table: Contingency, k: int) -> Fraction:
    """Return ln k in the units of ``sums(table)``."""
    if table.masses is not None:
        return Fraction(_scaled(table, math.log(k)))
    return Fraction(table.n_items * xlogx(k, fraction_bits(table.n_items)), k)


# ---- with weights ------------------------------------------------------------------


def _scale(table: Contingency) -> tuple[float, int]:
    """Return the total mass and the fraction bits of the sums: the total is about 2^120."""
    assert table.total_mass is not None
    return table.total_mass, 120 - math.frexp(table.total_mass)[1]


def _scaled(table: Contingency, nats: float) -> int:
    total, bits = _scale(table)
    return int(Fraction(total) * Fraction(nats) * Fraction(2) ** bits)


def log_ratio_terms(part: FloatArray, rest: FloatArray) -> FloatArray:
    """Return part ln((part + rest) / part) >= 0; 0 where part is 0.

    Given the rest of a cluster rather than the whole, no digit of a small rest is lost.
    """
    terms = np.zeros_like(part)
    some = (part > 0) & (rest > 0)
    x, y = part[some], rest[some]
    with np.errstate(over="ignore"):
        ratio = y / x
    logs = np.where(np.isinf(ratio), log(y) - log(x), log1p(np.minimum(ratio, 1e300)))
    terms[some] = x * logs
    return terms


@memoized
def mass_terms(table: Contingency, side: str) -> FloatArray:
    """Return w ln(W / w) of each cell, w its mass and W that of its row, or column ("cols")."""
    masses = table.all_masses
    assert masses is not None
    cluster_masses = (
        masses.rows.at(table.rows) if side == "rows" else masses.cols.at(table.cols)
    )
    return log_ratio_terms(
        masses.cells.high, np.maximum(cluster_masses.minus(masses.cells), 0.0)
    )


def _mass_sums(table: Contingency, identical: bool) -> Entropies:
    masses = table.all_masses
    assert masses is not None
    _, bits = _scale(table)

    def add_up(part: Totals, total: Totals) -> int:
        rest = np.maximum(total.minus(part), 0.0)
        return in_units(log_ratio_terms(part.high, rest))

    def in_units(terms: FloatArray) -> int:
        return int(Fraction(*order_free.total(terms)) * Fraction(2) ** bits)

    def of_side(side: str, part: Totals) -> int:
        """Return the sum of a side, which other tables with it may know."""
        total = (float(masses.all.high[0]), float(masses.all.low[0]))
        return margin_of(table, side).memo.get(total, lambda: add_up(part, masses.all))

    reference, candidate = of_side("rows", masses.rows), of_side("cols", masses.cols)
    # rounded each for itself, sums may pass the bound that they reach
    split = min(in_units(mass_terms(table, "rows")), candidate)
    merge = min(in_units(mass_terms(table, "cols")), reference)
    joint = max(add_up(masses.cells, masses.all), split + merge)
    return Entropies(
        unit=_scaled(table, 1.0) or 1,  # no items: no mass
        top=max(_scaled(table, math.log(max(table.n_items, 1))), joint),
        reference=reference,
        candidate=candidate,
        joint=joint,
        split=split,
        merge=merge,
        identical=identical,
    )


def _mass_information(table: Contingency) -> Rational:
    """Return I: as a difference of entropies where that keeps its digits, else termwise.

    With w the mass of a cell, r + w and c + w those of its row and column and o the mass
    outside both: w W - (r + w)(c + w) = w o - r c, a difference of exact products.
    """
    s = sums(table)
    # of the smaller entropy: beside the larger one, I may be nothing but rounding
    smaller, value = min(
        (s.reference, s.reference - s.merge), (s.candidate, s.candidate - s.split)
    )
    if value << 6 > smaller:
        return Rational(min(value, smaller), s.unit)
    masses = table.all_masses
    assert masses is not None
    w, all_masses = masses.cells.high, masses.all
    in_row, in_col = masses.rows.at(table.rows), masses.cols.at(table.cols)
    row, col = in_row.high, in_col.high
    row_rest = np.maximum(in_row.minus(masses.cells), 0.0)
    col_rest = np.maximum(in_col.minus(masses.cells), 0.0)
    outside = np.maximum(all_masses.minus(in_row) - col_rest, 0.0)
    total = float(all_masses.high[0])
    expected = row * (col / total)
    terms = expected.copy()  # right for cells without mass
    some = np.flatnonzero(w > 0)
    cell, row, col, e = w[some], row[some], col[some], expected[some]
    x = (cell / row) * (outside[some] / col) - (row_rest[some] / row) * (col_rest[some] / col)
    logs = log(cell / row) + log(total / col)
    terms[some] = np.where(np.abs(x) <= 0.25, e * phi(x), cell * logs - x * e)
    divergence = Fraction(*order_free.total(np.maximum(terms, 0.0)))
    divergence += Fraction(*order_free.total(_empty_cells(table)))
    information = min(divergence / Fraction(total), Fraction(smaller, s.unit))
    return Rational(information.numerator, information.denominator)


def _empty_cells(table: Contingency) -> FloatArray:
    """Return, by row, the mass that independence would put into its empty cells."""
    masses = table.all_masses
    assert masses is not None
    rows, cols = table.rows, masses.cols.at(table.cols)
    met = order_free.group_totals(
        np.concatenate(cols), np.concatenate([rows, rows]), table.shape[0]
    )
    missed = np.maximum(masses.all.minus(met), 0.0)
    missed[np.diff(table.indptr) == table.shape[1]] = 0.0  # a full row has none
    expected: FloatArray = masses.rows.high * (missed / masses.all.high)
    return expected
