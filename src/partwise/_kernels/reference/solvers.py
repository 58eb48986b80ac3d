"""Matching, packing and transport; the methods stand in files of their own."""

from __future__ import annotations

from partwise._kernels.reference import (
    matching as _matching,
)
from partwise._kernels.reference import (
    packing as _packing,
)
from partwise._kernels.reference import (
    transport as _transport,
)
from partwise.numbers.arrays import FloatArray, IntArray

__all__ = [
    "match",
    "pack",
    "transport",
]


def match(
    indptr: IntArray,
    cols: IntArray,
    gains: IntArray,
    n_cols: int,
    tied: bool,
    scans: int | tuple[int, int, int],
    workers: int = 1,
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the matched cell of each row (-1: none) and the duals of rows and columns.

    Gains lie in 0..2^61 - 1; their matched sum is the largest possible. The duals are >= 0,
    row + column >= gain on every cell, equal on matched ones, 0 on what is unmatched.
    Once more than ``scans`` cells have been scanned, the compiled kernel goes on in other ways
    (``tied``: many gains are exactly equal) and may then choose another of several best
    matchings. Three numbers instead of one are what is always allowed, what a stored cell
    allows, and what it allows where one cell in sixteen is stored; a table that falls apart is
    then matched component by component, which ``workers`` threads share. They change no
    result. Here the way never changes.
    """
    return _matching.match(indptr, cols, gains, n_cols)


def pack(
    indptr: IntArray,
    cols: IntArray,
    gains: IntArray,
    row_caps: IntArray,
    col_caps: IntArray,
    budget: int,
) -> tuple[IntArray, IntArray, IntArray]:
    """Return what every cell carries, and the duals of rows and columns.

    ``budget`` is the work after which the compiled kernel changes to an auction, below 0 its
    own choice; this one has no other method. Until then the packings are the same.

    Gains lie in 0..2^61 - 1, capacities are >= 1 with a sum below 2^62; sum gain x amount is
    the largest possible. The duals are >= 0, row + column >= gain on every cell, equal where
    there is an amount, 0 on rows and columns that are not full.
    """
    return _packing.pack(indptr, cols, gains, row_caps, col_caps)


def transport(
    costs: FloatArray, supply: IntArray, demand: IntArray
) -> tuple[IntArray, IntArray, IntArray, FloatArray, FloatArray] | None:
    """Return rows, columns and flows of the cheapest plan, and the duals of rows and columns.

    Costs have shape (rows, columns), >= 1 each; supplies and demands are >= 1 with equal sums
    below 2^62. row + column dual <= cost on every cell, equal where there is flow. None: the
    bound on pivots was reached.
    """
    return _transport.transport(costs, supply, demand)
