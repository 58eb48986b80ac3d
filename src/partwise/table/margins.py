"""Sums over the clusters of one side, found once for several tables that have this side."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from partwise import _kernels
from partwise._kernels import order_free
from partwise._kernels.order_free import Totals
from partwise.numbers.arrays import IntArray
from partwise.table.contingency import Contingency

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
        self._found: dict[Hashable, int] = {}

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
        return self.once(bits, lambda: _kernels.impl.sum_xlogx(self.sizes, bits))

    @cached_property
    def whole(self) -> Fraction:
        """Sum of the sizes (as doubles), or of the masses."""
        own = self.sizes.astype(np.float64) if self.masses is None else self.masses.high
        return Fraction(*order_free.total(own))

    def once(self, key: Hashable, compute: Callable[[], int]) -> int:
        """Return what ``compute`` gives, found once for each key."""
        if key not in self._found:
            self._found[key] = compute()
        return self._found[key]

    def equals(self, other: Margin) -> bool:
        """Return whether both have the same sizes and masses in the same order."""
        if (self.masses is None) != (other.masses is None):
            return False
        mine, theirs = ((side.sizes, *(side.masses or ())) for side in (self, other))
        return all(map(np.array_equal, mine, theirs))


def lend(table: Contingency, side: str, known: Margin) -> None:
    """Let a table use what is known of one of its sides, if that is the same."""
    if Margin.of(table, side).equals(known):
        table._shared[side] = known


def exchange(table: Contingency, shelf: dict[Any, Any]) -> None:
    """Let tables of one reference share what is known of it, over a shelf they all use."""
    for side in ("rows", "all"):
        lend(table, side, shelf.setdefault(side, Margin.of(table, side)))


def margin(table: Contingency, side: str) -> Margin:
    """Return a side of a table: what was lent to it, or its own for this once."""
    known: Margin | None = table._shared.get(side)
    return Margin.of(table, side) if known is None else known
