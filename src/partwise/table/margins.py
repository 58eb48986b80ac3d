"""Sums over the clusters of one side, found once for several tables that have this side."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property, partial

import numpy as np

from partwise import _kernels
from partwise._kernels import order_free
from partwise._kernels.order_free import Totals
from partwise.numbers.arrays import IntArray
from partwise.table.contingency import Contingency
from partwise.table.memo import Memo

#: What a table has of its own: "rows", "cols", or "all" of its items as one cluster.
SIDES = ("rows", "cols", "all")


class Margin:
    """Clusters of one side, and what measures of several tables need to know of them.

    Parameters
    ----------
    sizes : ndarray of int64
        Items of each cluster.
    masses : Totals or None
        Summed weights of each cluster.
    """

    def __init__(self, sizes: IntArray, masses: Totals | None = None) -> None:
        self.sizes, self.masses = sizes, masses
        self.memo = Memo()

    @staticmethod
    def of(table: Contingency, side: str) -> Margin:
        """Return a side of a table."""
        masses = table.all_masses
        sizes = {"rows": table.row_sizes, "cols": table.col_sizes}.get(side)
        if sizes is None:
            sizes = np.array([table.n_items])
        return Margin(sizes, None if masses is None else getattr(masses, side))

    @cached_property
    def squares(self) -> int:
        """Sum of the squared sizes."""
        return _kernels.impl.sum_squares(self.sizes)

    def xlogx(self, bits: int) -> int:
        """Return the sum of x ln x over the sizes, in 2^-bits."""
        return self.memo.get(bits, lambda: _kernels.impl.sum_xlogx(self.sizes, bits))

    @cached_property
    def total(self) -> Fraction:
        """Sum of the sizes (as doubles), or of the masses."""
        own = self.sizes.astype(np.float64) if self.masses is None else self.masses.high
        return Fraction(*order_free.total(own))

    def equals(self, other: Margin) -> bool:
        """Return whether both have the same sizes and masses in the same order."""
        if (self.masses is None) != (other.masses is None):
            return False
        mine, theirs = ((side.sizes, *(side.masses or ())) for side in (self, other))
        return all(map(np.array_equal, mine, theirs))


def use_margin(table: Contingency, side: str, margin: Margin) -> None:
    """Let a table use what is known of a side of another one, if its own is the same."""
    if Margin.of(table, side).equals(margin):
        table.memo.put(side, margin)


def use_margins(table: Contingency, reference_memo: Memo) -> None:
    """Let tables of one reference use what is known of it, through a memo of them all."""
    for side in ("rows", "all"):
        margin = reference_memo.get(side, partial(Margin.of, table, side))
        use_margin(table, side, margin)


def known_margin(table: Contingency, side: str) -> Margin | None:
    """Return a side of a table that another one has too, None where it is the table's own."""
    margin: Margin | None = table.memo.peek(side)
    return margin


def margin_of(table: Contingency, side: str) -> Margin:
    """Return a side of a table: that of another one, or its own for this once."""
    margin = known_margin(table, side)
    return Margin.of(table, side) if margin is None else margin
