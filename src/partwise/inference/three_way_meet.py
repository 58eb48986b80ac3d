"""The meet of a reference and two systems: tables of both for the same draw of items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from partwise import _kernels
from partwise.inference.draws import BOOTSTRAP, Drawing
from partwise.inference.items.item_draws import drawn_counts, with_counts
from partwise.inference.statistics import Statistic, refuse_weights
from partwise.labels import Account
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.table.alignment import Alignment
from partwise.table.arguments import alignment_of
from partwise.table.contingency import Contingency


def check_same_items(first: Alignment, second: Alignment) -> None:
    """Raise ValueError where two systems are compared on different items."""
    one, two = first.items, second.items
    if len(one) != len(two) or not np.array_equal(one, two):
        raise ValueError(
            f"the systems are compared on different items ({len(one)} and {len(two)}); give "
            "both the items of the reference, or drop from all what one of them lacks"
        )


@dataclass(frozen=True, eq=False)
class ThreeWayMeet:
    """Cells of three clusterings: reference, system 1, system 2.

    Attributes
    ----------
    counts : ndarray of int64
        Items of each cell.
    system_cells : (ndarray of int64, ndarray of int64)
        For each cell, the cell of (reference, system) that it lies in, for either system.
    cells : ((ndarray, ndarray), (ndarray, ndarray)) of int64
        Rows and columns of these cells, for either system.
    accounts : (Account, Account)
    """

    counts: IntArray
    system_cells: tuple[IntArray, IntArray]
    cells: tuple[tuple[IntArray, IntArray], tuple[IntArray, IntArray]]
    accounts: tuple[Account, Account]

    @staticmethod
    def of(
        reference: Any, system1: Any, system2: Any, policies: Mapping[str, Any]
    ) -> ThreeWayMeet:
        """Return the meet of three clusterings of the same items."""
        first, second = (
            alignment_of(reference, system, policies, "paired_test")
            for system in (system1, system2)
        )
        check_same_items(first, second)
        refuse_weights(first.table, "paired_test")
        counts = np.ones(first.n_items, dtype=np.int64)
        kept = np.arange(first.n_items)
        if first.multiplicity is not None:
            kept = np.flatnonzero(first.multiplicity)
            counts = first.multiplicity[kept]
        # "missing" policies may make clusters of the reference: it is the first one's
        of_reference, of_first, of_second = (
            clustering.column.take(kept).compact()
            for clustering in (first.reference, first.candidate, second.candidate)
        )
        k, m, p = (
            len(x.categories)
            for x in (of_reference, of_first, of_second)
            if x.categories is not None
        )
        with_first = _kernels.impl.collapse(of_reference.codes, of_first.codes, counts, k, m)
        with_second = _kernels.impl.collapse(of_reference.codes, of_second.codes, counts, k, p)
        at_first = _kernels.impl.locate(*with_first[:2], of_reference.codes, of_first.codes)
        at_second = _kernels.impl.locate(*with_second[:2], of_reference.codes, of_second.codes)
        shape = len(with_first[1]), len(with_second[1])
        indptr, other, cell_counts = _kernels.impl.collapse(at_first, at_second, counts, *shape)
        system_cells = np.repeat(np.arange(shape[0]), np.diff(indptr)), other
        both = tuple(
            (np.repeat(np.arange(k), np.diff(cells[0])), cells[1])
            for cells in (with_first, with_second)
        )
        return ThreeWayMeet(
            counts=cell_counts,
            system_cells=system_cells,
            cells=(both[0], both[1]),
            accounts=(first.account, second.account),
        )

    def tables(self, counts: IntArray) -> tuple[Contingency, Contingency]:
        """Return the tables of both systems for other counts of the three-way cells."""
        first, second = (
            with_counts(rows, cols, _added(counts, cells, len(rows)))
            for cells, (rows, cols) in zip(self.system_cells, self.cells, strict=True)
        )
        return first, second

    def values_of_draws(self, statistics: list[Statistic], drawing: Drawing) -> FloatArray:
        """Return the values of both systems in all draws, shape (2, draws, measures)."""

        def one(draw: int) -> list[list[float]]:
            counts = drawn_counts(self.counts, drawing.seed, BOOTSTRAP, draw)
            tables = self.tables(counts)
            return [[statistic.of(table) for statistic in statistics] for table in tables]

        return np.array(drawing.each(one), dtype=np.float64).swapaxes(0, 1)


def _added(counts: IntArray, cells: IntArray, n: int) -> IntArray:
    """Return the sums of counts by cell."""
    sums = np.zeros(n, dtype=np.int64)
    np.add.at(sums, cells, counts)
    return sums
