"""Components of tables that are in several places: forests of labels that add up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.labels.account import counted
from partwise.labels.columns import Column, listed
from partwise.labels.unite import unite_labels
from partwise.numbers.arrays import IntArray
from partwise.table.contingency import Contingency

__all__ = ["Forest"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Forest:
    """Which clusters of both sides hang together, without the cells that say so.

    A forest has a tree for each component of a table: labels + labels - components edges,
    however many cells there are. Forests of parts of a table add up to that of the table, in
    any order and any tree: a monoid, like the tables themselves.

    Attributes
    ----------
    row_labels, col_labels : ndarray
        Labels of the reference and of the candidate, in the order of a table's.
    row_component, col_component : ndarray of int64
        Component of each, numbered by their smallest row.
    row_sizes : ndarray of int64
        Items of each reference cluster.
    sizes : ndarray of int64
        Items of each component.

    Examples
    --------
    >>> import partwise as pw
    >>> from partwise.scale.forest import Forest
    >>> parts = pw.contingency(["a1", "a2"], ["b1", "b1"]), pw.contingency(["a2"], ["b2"])
    >>> Forest.merge([Forest.of(part) for part in parts])
    Forest(1 component of 2 + 2 clusters)
    """

    row_labels: NDArray[Any]
    col_labels: NDArray[Any]
    row_component: IntArray
    col_component: IntArray
    row_sizes: IntArray
    sizes: IntArray

    @classmethod
    def of(cls, table: Contingency) -> Forest:
        """Return the forest of a table. Union-find over its cells: near O(cells)."""
        join = table.components()
        return cls(
            table.row_labels,
            table.col_labels,
            join.row_component,
            join.col_component,
            table.row_sizes,
            join.sizes,
        )

    @classmethod
    def merge(cls, forests: Sequence[Forest]) -> Forest:
        """Return the forest of the tables of several forests together. O(labels).

        Raises
        ------
        TypeError
            Labels of two forests are of different kinds.
        """
        forests = [x for x in forests if isinstance(x, Forest) or cls._refuse(x)]
        full = [forest for forest in forests if len(forest.row_labels)]
        if not full:
            return cls.of(Contingency.from_counts([], [], []))
        rows = _unified([forest.row_labels for forest in full], "row")
        cols = _unified([forest.col_labels for forest in full], "column")
        n_rows, n_cols = _n_names(rows), _n_names(cols)
        edges = []
        row_start = col_start = 0
        for forest in full:
            own_rows, own_cols = forest._edges()
            edges.append((rows.codes[row_start + own_rows], cols.codes[col_start + own_cols]))
            row_start += len(forest.row_labels)
            col_start += len(forest.col_labels)
        row_of, col_of = (np.concatenate(ends) for ends in zip(*edges, strict=True))
        once = np.ones(len(row_of), dtype=np.int64)
        indptr, cell_cols, _ = _kernels.impl.collapse(row_of, col_of, once, n_rows, n_cols)
        row_component, col_component, n = _kernels.impl.join(indptr, cell_cols, n_cols)
        row_sizes = np.zeros(n_rows, dtype=np.int64)
        np.add.at(row_sizes, rows.codes, np.concatenate([x.row_sizes for x in full]))
        sizes = np.zeros(n, dtype=np.int64)
        np.add.at(sizes, row_component, row_sizes)
        assert rows.categories is not None
        assert cols.categories is not None
        names = rows.categories, cols.categories
        return cls(*names, row_component, col_component, row_sizes, sizes)

    @staticmethod
    def _refuse(value: Any) -> bool:
        raise TypeError(
            f"forests are merged, not a {type(value).__name__}; Forest.of makes one of a table"
        )

    @property
    def n_components(self) -> int:
        """Number of components."""
        return len(self.sizes)

    @property
    def n_edges(self) -> int:
        """Number of edges of the trees: clusters of both sides less components."""
        return len(self.row_component) + len(self.col_component) - self.n_components

    def components(self) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
        """Yield the reference labels and the candidate labels of each component in turn."""
        by_row = np.argsort(self.row_component, kind="stable")
        by_col = np.argsort(self.col_component, kind="stable")
        edges = np.arange(1, self.n_components)
        row_parts = np.split(by_row, np.searchsorted(self.row_component[by_row], edges))
        col_parts = np.split(by_col, np.searchsorted(self.col_component[by_col], edges))
        for j in range(self.n_components):
            yield self.row_labels[row_parts[j]], self.col_labels[col_parts[j]]

    def component_of_cells(self, table: Contingency) -> IntArray:
        """Return the component of each cell of a part of the table.

        Parts whose cells are sent on by this number hold whole components, so that each can
        be matched where it is.

        Raises
        ------
        ValueError
            A label is not in the forest, or a cell joins two of its components: the part is
            none of what the forest was made of.
        """
        ends = []
        for own, labels, component, cells, side in (
            (self.row_labels, table.row_labels, self.row_component, table.rows, "row"),
            (self.col_labels, table.col_labels, self.col_component, table.cols, "column"),
        ):
            both = _unified([own, labels], side)
            if _n_names(both) > len(own):
                unseen = ~np.isin(both.codes[len(own) :], both.codes[: len(own)])
                new = listed(labels)[int(np.flatnonzero(unseen)[0])]
                raise ValueError(f"the {side} {new!r} of the table is not in the forest")
            of_name = np.empty(len(own), dtype=np.int64)
            of_name[both.codes[: len(own)]] = component
            ends.append(of_name[both.codes[len(own) :]][cells])
        wrong = np.flatnonzero(ends[0] != ends[1])
        if len(wrong):
            at = int(wrong[0])
            row = listed(table.row_labels)[int(table.rows[at])]
            col = listed(table.col_labels)[int(table.cols[at])]
            raise ValueError(
                f"the cell of row {row!r} and column {col!r} joins components {ends[0][at]} "
                f"and {ends[1][at]} of the forest, which was not made of this table"
            )
        components: IntArray = ends[0]
        return components

    def _edges(self) -> tuple[IntArray, IntArray]:
        """Return cells that hang the same clusters together: a star for each side.

        Every row with one column of its component, and every column with one row of it.
        """
        n = self.n_components
        one_row, one_col = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
        one_row[self.row_component] = np.arange(len(self.row_component))
        one_col[self.col_component] = np.arange(len(self.col_component))
        rows = np.concatenate((np.arange(len(self.row_component)), one_row[self.col_component]))
        cols = np.concatenate((one_col[self.row_component], np.arange(len(self.col_component))))
        return rows, cols

    def __repr__(self) -> str:
        clusters = f"{len(self.row_labels)} + {len(self.col_labels)} clusters"
        return f"Forest({counted(self.n_components, 'component')} of {clusters})"


def _unified(parts: Sequence[NDArray[Any]], side: str) -> Column:
    """Return the labels of all parts, one behind another, as places among the distinct ones."""
    labels, places = unite_labels(parts, side)
    return Column(np.concatenate(places), labels)


def _n_names(column: Column) -> int:
    assert column.names is not None
    return len(column.names)
