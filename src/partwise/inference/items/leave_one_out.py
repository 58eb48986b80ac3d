"""Measures without one item: all items of a cell are alike, and sums change in closed form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from partwise import _kernels
from partwise._kernels.wide_integers import WideIntegers
from partwise.measures.entry import Measure
from partwise.measures.formulas import SUMS, States
from partwise.measures.information.entropy_sums import fraction_bits
from partwise.numbers.arrays import BoolArray, FloatArray, IntArray, ObjectArray
from partwise.numbers.logarithm import xlogx
from partwise.table.contingency import Contingency


def values_without_one(
    table: Contingency, entries: Sequence[Measure]
) -> tuple[FloatArray, BoolArray]:
    """Return measures without an item of each cell, and which must be computed on a table.

    Both of shape (cells, measures); the entries have formulas, and the others among the values
    have the bits of the measure on the table without the item. O(cells) a measure.
    """
    without = _SumsWithoutOne(table)
    states = States(without, table.n_cells, without.bits)
    values = np.empty((table.n_cells, len(entries)), dtype=np.float64)
    unsure = np.zeros(values.shape, dtype=bool)
    for j, entry in enumerate(entries):
        assert entry.computation.formula is not None
        values[:, j], unsure[:, j] = entry.computation.formula.values(states, entry.options)
    return values, unsure


class _SumsWithoutOne(Mapping[str, Any]):
    """The sums of ``formulas.SUMS`` without an item of each cell."""

    def __init__(self, table: Contingency) -> None:
        self.table = table
        self.bits = fraction_bits(max(table.n_items - 1, 0))
        self._counts = table.counts
        self._of_row = table.row_sizes[table.rows]
        self._of_col = table.col_sizes[table.cols]

    def __iter__(self) -> Iterator[str]:
        return iter(SUMS)

    def __len__(self) -> int:
        return len(SUMS)

    def __getitem__(self, name: str) -> Any:
        table = self.table
        makers: dict[str, Callable[[], Any]] = {
            "n": lambda: table.n_items - 1,
            "rows": lambda: table.shape[0] - (self._of_row == 1),
            "cols": lambda: table.shape[1] - (self._of_col == 1),
            "cells": lambda: table.n_cells - (self._counts == 1),
            "squares": lambda: _squares(table.counts, self._counts),
            "row_squares": lambda: _squares(table.row_sizes, self._of_row),
            "col_squares": lambda: _squares(table.col_sizes, self._of_col),
            "cell_xlogx": lambda: self._xlogx(table.counts, self._counts),
            "row_xlogx": lambda: self._xlogx(table.row_sizes, self._of_row),
            "col_xlogx": lambda: self._xlogx(table.col_sizes, self._of_col),
            "row_maxima": lambda: self._maxima(0, table.rows),
            "col_maxima": lambda: self._maxima(1, table.cols),
            "b_cubed_recall": lambda: self._b_cubed(0, table.rows, table.row_sizes),
            "b_cubed_precision": lambda: self._b_cubed(1, table.cols, table.col_sizes),
            "exact_matches": self._exact_matches,
        }
        return makers[name]()

    def _xlogx(self, sizes: IntArray, of_cell: IntArray) -> WideIntegers:
        """Return the sum of x ln x over sizes of which one loses an item."""
        distinct, kinds = np.unique(of_cell, return_inverse=True)
        falls = [xlogx(x, self.bits) - xlogx(x - 1, self.bits) for x in distinct.tolist()]
        left = _kernels.impl.sum_xlogx(sizes, self.bits) - WideIntegers.of(falls)
        return WideIntegers.of(left if isinstance(left, WideIntegers) else list(left))[kinds]

    @cached_property
    def _largest(self) -> tuple[IntArray, IntArray]:
        return _kernels.impl.maxima(*self.table.cells, self.table.shape[1])

    def _maxima(self, side: int, clusters: IntArray) -> Any:
        """Return the sum of the largest cells: the only largest of a cluster takes it down."""
        largest = self._largest[side]
        is_largest = self._counts == largest[clusters]
        ties = np.bincount(clusters[is_largest], minlength=len(largest))
        falls = is_largest & (ties[clusters] == 1)
        return int(largest.sum()) - falls.astype(np.int64)

    def _b_cubed(self, side: int, clusters: IntArray, sizes: IntArray) -> ObjectArray:
        """Return the sum over clusters of floor(2^64 squares / size), one of them changed."""
        total = _kernels.impl.b_cubed_sums(
            *self.table.cells, self.table.row_sizes, self.table.col_sizes
        )[side]
        squares = [0] * len(sizes)
        of_cell = list(zip(clusters.tolist(), self._counts.tolist(), strict=True))
        for cluster, count in of_cell:
            squares[cluster] += count * count
        size_of = sizes.tolist()
        sums = np.empty(len(of_cell), dtype=object)
        for cell, (cluster, count) in enumerate(of_cell):
            before, size = squares[cluster], size_of[cluster]
            after = before - 2 * count + 1
            sums[cell] = total - (before << 64) // size
            if size > 1:
                sums[cell] += (after << 64) // (size - 1)
        return sums

    def _exact_matches(self) -> IntArray:
        """Return the clusters that are equal on both sides."""
        table = self.table
        in_row = np.diff(table.indptr)[table.rows]
        in_col = np.bincount(table.cols, minlength=table.shape[1])[table.cols]
        exact = (in_row == 1) & (in_col == 1)
        # a cell that vanishes leaves a neighbour alone in its row or column
        next_in_row = _made_exact(table.rows, in_row, in_col == 1)
        next_in_col = _made_exact(table.cols, in_col, in_row == 1)
        changes = next_in_row + next_in_col - exact.astype(np.int64)
        return int(exact.sum()) + np.where(self._counts == 1, changes, 0)


def _squares(sizes: IntArray, of_cell: IntArray) -> Any:
    """Return the sum of squares of sizes of which one loses an item."""
    return _kernels.impl.sum_squares(sizes) - (WideIntegers.of(of_cell) * 2 - 1)


def _made_exact(clusters: IntArray, in_cluster: IntArray, alone: BoolArray) -> IntArray:
    """Return, of each cell, the clusters of two cells of which it leaves an exact one behind.

    ``alone``: the cell is the only one of its cluster of the other side.
    """
    pairs = np.bincount(clusters[alone], minlength=int(clusters.max(initial=-1)) + 1)
    others_alone = pairs[clusters] - alone
    made: IntArray = ((in_cluster == 2) & (others_alone == 1)).astype(np.int64)
    return made
