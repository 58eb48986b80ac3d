"""Measures of two short columns of integers, straight from their sums: no table is made.

For some hundred items, making the objects of a table takes longer than all arithmetic. The
value has the bits of the measure on the table: both put the same integers into one formula.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from partwise import _kernels
from partwise._kernels.order_free import Rational
from partwise.measures.formulas import Formula
from partwise.measures.sums import Cover, Entropies, Pairs, Value
from partwise.numbers.logarithm import xlogx

#: Fraction bits of the sums of x ln x.
_BITS = 64
#: Parts of formulas that the sums of short columns give, and whether they need x ln x.
_PARTS = {"pairs": False, "n": False, "cover": False, "entropies": True, "information": True}


class ShortFormula:
    """A formula, ready to be applied to short columns.

    Parameters
    ----------
    formula : Formula
        With options at their defaults.
    """

    def __init__(self, formula: Formula) -> None:
        self._function = formula.function
        self._parts = formula.parts
        self._pairs = "pairs" in formula.parts
        self._pairs_alone = formula.parts == ("pairs",)
        self._unsure_near_independence = formula.unsure_near_independence
        self._logarithms = any(_PARTS[part] for part in formula.parts)

    @staticmethod
    def of(formula: Formula | None) -> ShortFormula | None:
        """Return the formula of short columns, None where it needs more than their sums."""
        if formula is None or not formula.covers({}) or not _PARTS.keys() >= {*formula.parts}:
            return None
        return ShortFormula(formula)

    def value(self, reference: Any, candidate: Any) -> float | None:
        """Return the value; None where it needs a table, or there is a note to make."""
        sums = _kernels.impl.small_sums(reference, candidate, self._logarithms)
        if sums is None:
            return None
        n, rows, cols, cells, row_squares, col_squares, squares, *further = sums
        if rows == n == cols and n > 1:
            return None
        identical = rows == cells == cols
        made: dict[str, Value] = {"n": n}
        if self._pairs:
            pairs = Pairs(
                (squares - n) >> 1,
                n * (n - 1) >> 1,
                (row_squares - n) >> 1,
                (col_squares - n) >> 1,
                identical,
            )
            if self._pairs_alone:
                return self._function(pairs)
            made["pairs"] = pairs
        row_maxima, col_maxima, *xlogx_sums = further
        made["cover"] = Cover(n, row_maxima, n, col_maxima)
        if self._logarithms:
            by_row, by_col, by_cell = xlogx_sums
            unit, top = n << _BITS, _top(n)
            entropies = Entropies.of_xlogx(unit, top, by_row, by_col, by_cell, identical)
            information = entropies.reference - entropies.merge
            refined = cells in (rows, cols)
            terms = cells + rows + cols + 1
            if self._unsure_near_independence and not refined and information <= terms << 53:
                return None
            made["entropies"] = entropies
            made["information"] = Rational(information, entropies.unit)
        return self._function(*[made[part] for part in self._parts])


@lru_cache(maxsize=64)
def _top(n: int) -> int:
    """Return n ln n: programs that score many short columns have a few lengths."""
    return xlogx(n, _BITS)
