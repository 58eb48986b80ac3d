"""A table in blocks that share no cluster, such as documents: what can be drawn as wholes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels.long_columns import numbered
from partwise.inference.statistics import refuse_weights
from partwise.labels import Account
from partwise.labels.account import counted
from partwise.labels.apply_policies import NAMES
from partwise.labels.carried import Grouping, groups_in_order, read_groups, values_by_item
from partwise.labels.indexes import ItemOrder
from partwise.numbers.arrays import IntArray
from partwise.table.alignment import Alignment
from partwise.table.arguments import alignment_of
from partwise.table.contingency import Contingency

Crossing = Literal["error", "split"]
CROSSING: tuple[str, ...] = get_args(Crossing)


def ranges(starts: IntArray, lengths: IntArray) -> IntArray:
    """Return start, start + 1, ... for every start, one after another."""
    ends = np.cumsum(lengths)
    indices: IntArray = np.repeat(starts - (ends - lengths), lengths)
    indices += np.arange(len(indices))
    return indices


@dataclass(frozen=True, eq=False)
class Blocks:
    """A table whose rows and columns stand block by block, every cell inside one block.

    Attributes
    ----------
    table : Contingency
    row_ends, col_ends, cell_ends : ndarray of int64, shape (n_blocks + 1,)
        Block j has rows ``row_ends[j]:row_ends[j + 1]``, and so on.
    split : (int, int)
        How many rows and columns were cut at the blocks' borders.
    """

    table: Contingency
    row_ends: IntArray
    col_ends: IntArray
    cell_ends: IntArray
    split: tuple[int, int] = (0, 0)
    shared: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.row_ends) - 1

    @staticmethod
    def of(
        cells: tuple[IntArray, IntArray, IntArray],
        of_clusters: tuple[IntArray, IntArray],
        n_blocks: int,
        account: Account,
        split: tuple[int, int] = (0, 0),
    ) -> Blocks:
        """Return the blocks of cells (rows, cols, counts in any order).

        ``of_clusters`` are the blocks of the rows and of the columns, ascending.
        """
        rows, cols, counts = cells
        row_blocks, col_blocks = of_clusters
        shape = len(row_blocks), len(col_blocks)
        merged = _kernels.impl.collapse(rows, cols, counts, *shape)
        labels = np.arange(shape[0]), np.arange(shape[1])
        table = Contingency._of(merged, *labels, account)
        edges = np.arange(n_blocks + 1)
        row_ends = np.searchsorted(row_blocks, edges)
        col_ends = np.searchsorted(col_blocks, edges)
        return Blocks(table, row_ends, col_ends, table.indptr[row_ends], split)

    def stacked(self, copies: IntArray) -> Contingency:
        """Return the table that has so many copies of each block, copies apart."""
        order = np.repeat(np.arange(len(self)), copies)
        n_rows, n_cols, n_cells = (
            np.diff(ends)[order] for ends in (self.row_ends, self.col_ends, self.cell_ends)
        )
        table = self.table
        rows = ranges(self.row_ends[order], n_rows)
        columns = ranges(self.col_ends[order], n_cols)
        cells = ranges(self.cell_ends[order], n_cells)
        indptr = np.concatenate(([0], np.cumsum(np.diff(table.indptr)[rows])))
        shift = np.cumsum(n_cols) - n_cols - self.col_ends[order]
        cols = table.cols[cells] + np.repeat(shift, n_cells)
        sizes = table.row_sizes[rows], table.col_sizes[columns]
        labels = np.arange(len(rows)), np.arange(len(columns))
        n = int(sizes[0].sum())
        return Contingency(
            indptr, cols, table.counts[cells], *labels, *sizes, n, Account(n, "counts")
        )

    def followed_by(self, other: Blocks) -> Blocks:
        """Return the blocks of this table and then those of another."""
        first, second = self.table, other.table
        rows = np.concatenate((first.rows, second.rows + first.shape[0]))
        cols = np.concatenate((first.cols, second.cols + first.shape[1]))
        counts = np.concatenate((first.counts, second.counts))
        n_blocks = len(self) + len(other)

        def of_clusters(*ends: IntArray) -> IntArray:
            return np.repeat(np.arange(n_blocks), np.concatenate([np.diff(x) for x in ends]))

        by_side = (
            of_clusters(self.row_ends, other.row_ends),
            of_clusters(self.col_ends, other.col_ends),
        )
        account = Account(int(counts.sum()), "counts")
        return Blocks.of((rows, cols, counts), by_side, n_blocks, account)


def component_blocks(table: Contingency) -> Blocks:
    """Return the components of a table as blocks. O(cells)."""
    join = table.components()

    def grouped(of_cluster: IntArray) -> tuple[IntArray, IntArray]:
        """Return the new position of each cluster, and the components in their order."""
        order = np.argsort(of_cluster, kind="stable")
        position = np.empty_like(order)
        position[order] = np.arange(len(order))
        return position, of_cluster[order]

    row_positions, of_rows = grouped(join.row_component)
    col_positions, of_cols = grouped(join.col_component)
    cells = row_positions[table.rows], col_positions[table.cols], table.counts
    return Blocks.of(cells, (of_rows, of_cols), join.n_components, table.account)


def with_groups(
    reference: Any, candidate: Any, groups: Any, policies: Mapping[str, Any], function: str
) -> tuple[Alignment, Grouping]:
    """Return the alignment, and the group of each compared item as a number.

    ``groups`` is a value per item of the reference or a mapping by item; None: those that the
    Alignment carries.
    """
    if isinstance(reference, Contingency):
        raise TypeError(
            f"{function} needs the items to know their groups, and a Contingency holds none; "
            'pass two clusterings or an Alignment, or by="components"'
        )
    if isinstance(reference, Alignment):
        aligned = alignment_of(reference, candidate, policies, function)
        if groups is None:
            assert aligned.grouping is not None
            return aligned, aligned.grouping
        if aligned.grouping is not None:
            raise TypeError(
                f"{function} got groups= beside an Alignment that has groups; leave one away"
            )
        ids = aligned._items
        dropped = aligned.account.dropped > 0
        items = ItemOrder("the Alignment", aligned.n_items, ids=ids, others_dropped=dropped)
        grouping = read_groups(groups) if ids is None else groups_in_order(groups, items)
        codes = _groups_of(aligned, grouping)
        return aligned, replace(grouping, codes=codes, items=None, index=None)
    if policies.get("features") is not None:
        raise TypeError(f"{function} has no use for features=")
    aligned = alignment_of(reference, candidate, policies, function, groups=groups)
    assert aligned.grouping is not None
    return aligned, aligned.grouping


def _groups_of(aligned: Alignment, grouping: Grouping) -> IntArray:
    if grouping.index is not None and aligned._items is None:
        raise ValueError(
            "groups has an index, which an Alignment by position has not; pass groups= to "
            "align, or groups.to_numpy() for one group per compared item"
        )
    if grouping.items is None:
        if len(grouping.codes) != aligned.n_items:
            raise ValueError(
                f"groups has {len(grouping.codes)} values; beside an Alignment it needs one "
                f"per compared item ({aligned.n_items}), or a mapping by item"
            )
        return grouping.codes
    codes = values_by_item(grouping.by_item, "groups", aligned.n_items, None, aligned._items)
    return codes.astype(np.int64)


def _cut(
    side: str,
    codes: IntArray,
    labels: NDArray[Any],
    groups: IntArray,
    names: NDArray[Any],
    crossing: str,
    instead: str,
) -> tuple[IntArray, IntArray, int]:
    """Return clusters cut at group borders, numbered group by group.

    Returns the cluster of each item, the group of each cluster, and how many were cut.
    """
    ones = np.ones(len(codes), dtype=np.int64)
    cells = _kernels.impl.collapse(groups, codes, ones, len(names), len(labels))
    pieces = np.bincount(cells[1], minlength=len(labels))
    crossed = np.flatnonzero(pieces > 1)
    if len(crossed) and crossing == "error":
        crossing_cluster = int(crossed[0])
        of_cells = np.repeat(np.arange(len(names)), np.diff(cells[0]))
        (label,) = labels[crossing_cluster : crossing_cluster + 1].tolist()
        first, second = names[of_cells[cells[1] == crossing_cluster][:2]].tolist()
        raise ValueError(
            f"{side} cluster {label!r} holds items of the "
            f"groups {first!r} and {second!r} ({counted(len(crossed), 'such cluster')}); "
            "groups can only be drawn as wholes where no cluster crosses them: pass "
            f'crossing="split" to cut clusters at the borders{instead}'
        )
    piece_of_items = _kernels.impl.locate(cells[0], cells[1], groups, codes)
    of_piece = np.repeat(np.arange(len(names)), np.diff(cells[0]))
    return piece_of_items, of_piece, len(crossed)


def group_blocks(
    aligned: Alignment, groups: IntArray, names: NDArray[Any], crossing: str, function: str
) -> Blocks:
    """Return the groups of items as blocks, one for each of ``names``.

    Raises
    ------
    ValueError
        A cluster holds items of two groups, and ``crossing`` is "error".
    """
    refuse_weights(aligned.table, function)
    instead = "" if function == "paired_test" else ', or by="components"'
    counts = np.ones(len(groups), dtype=np.int64)
    kept = np.arange(len(groups))
    if aligned.multiplicity is not None:
        kept = np.flatnonzero(aligned.multiplicity)
        counts = aligned.multiplicity[kept]
        groups = groups[kept]
    cut_sides = []
    for side, clustering in zip(NAMES, (aligned.reference, aligned.candidate), strict=True):
        column = clustering.column.take(kept).compact()
        assert column.categories is not None
        codes, labels = column.codes, column.categories
        cut_sides.append(_cut(side, codes, labels, groups, names, crossing, instead))
    (rows, of_rows, row_cut), (cols, of_cols, col_cut) = cut_sides
    cells = rows, cols, counts
    return Blocks.of(cells, (of_rows, of_cols), len(names), aligned.account, (row_cut, col_cut))


def occurring(names: NDArray[Any], *codes: IntArray) -> tuple[list[IntArray], NDArray[Any]]:
    """Renumber groups so that only those with items are left."""
    used, _, numbers = numbered(np.concatenate(codes))
    return np.split(numbers, np.cumsum([len(groups) for groups in codes])[:-1]), names[used]
