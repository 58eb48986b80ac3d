"""Sums of many quotients of integers, and what they are above or below a fraction.

A term is cut below 2^-126, so that sums depend on no order and no kernel. Where such a sum
comes so near to a fraction that the cut digits matter, it is taken again with more of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.numbers.arrays import IntArray

#: Fraction bits of a term, and where those are not enough.
_BITS, _MORE_BITS = 126, 640
#: A difference must keep so many bits.
_KEPT = 60
_INT64 = (1 << 63) - 1

#: int64, or Python integers where a product may pass 63 bits
Integers = NDArray[Any]


def products(first: IntArray, second: IntArray) -> Integers:
    """Return products of integers of at least 0, exact."""
    if len(first) and int(first.max()) * int(second.max()) > _INT64:
        wide: Integers = first.astype(object) * second.astype(object)
        return wide
    both: Integers = first * second
    return both


@dataclass(frozen=True, eq=False)
class QuotientSum:
    """The sum of weight x above / below, with 0 <= above <= below.

    Attributes
    ----------
    weight : ndarray of int64
        Its sum is at most the number of items.
    above, below : ndarray of int64 or of Python integers
    """

    weight: IntArray
    above: Integers
    below: Integers

    @cached_property
    def total(self) -> Fraction:
        """The sum, cut."""
        if self.above.dtype != object and self.below.dtype != object:
            above, below = (np.ascontiguousarray(x) for x in (self.above, self.below))
            summed = _kernels.impl.sum_ratios(
                self.weight, above.view(np.uint64), below.view(np.uint64)
            )
            return Fraction(summed, 1 << _BITS)
        return self._cut(_BITS)

    def _cut(self, bits: int) -> Fraction:
        terms = zip(self.weight.tolist(), self.above.tolist(), self.below.tolist(), strict=True)
        return Fraction(sum(w * ((x << bits) // y) for w, x, y in terms), 1 << bits)

    def less(self, amount: Fraction) -> Fraction:
        """Return the sum less a fraction: 0 where both are equal, and of the right sign.

        What differs by less than 2^-500 counts as equal.
        """
        cut = 1 + int(self.weight.sum())
        for total, bits in ((self.total, _BITS), (None, _MORE_BITS)):
            gap = (self._cut(bits) if total is None else total) - amount
            if abs(gap) > Fraction(cut << _KEPT, 1 << bits):
                return gap
        return Fraction(0)
