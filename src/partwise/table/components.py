"""The join of two clusterings: the connected components of their table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from partwise import _kernels
from partwise._kernels.long_columns import added_up, repeated
from partwise.labels.account import counted
from partwise.numbers.arrays import IntArray
from partwise.report.brief import html_of
from partwise.report.plots.style import saved
from partwise.table.alignment import Alignment
from partwise.table.contingency import Contingency


def cells_of_rows(table: Contingency, rows: IntArray) -> IntArray:
    """Return the places of the cells of some rows, in order."""
    starts = table.indptr[rows]
    lengths = table.indptr[rows + 1] - starts
    ends = np.cumsum(lengths)
    shift = repeated(starts - (ends - lengths), lengths)
    cells: IntArray = np.arange(len(shift)) + shift
    return cells


class Components:
    """Connected components of the bipartite graph of clusters that share items.

    Component j is a cluster of the join: the finest clustering that both refine (SM,
    Proposition 4.1). Components are numbered by their smallest row.

    Attributes
    ----------
    row_component, col_component : ndarray of int64
        Component of each reference and candidate cluster.
    n_components : int
        Number of components (0 for an empty table).
    sizes : ndarray of int64, shape (n_components,)
        Items in each component.

    Notes
    -----
    Union-find over the cells: near O(cells).
    """

    def __init__(self, contingency: Contingency, alignment: Alignment | None = None) -> None:
        join = _kernels.impl.join(
            contingency.indptr, contingency.cols, len(contingency.col_sizes)
        )
        self.row_component: IntArray
        self.col_component: IntArray
        self.n_components: int
        self.row_component, self.col_component, self.n_components = join
        self.contingency = contingency
        self._alignment = alignment
        for array in (self.row_component, self.col_component):
            array.flags.writeable = False

    @cached_property
    def sizes(self) -> IntArray:
        """Items in each component."""
        sizes = added_up(self.contingency.row_sizes, self.row_component, self.n_components)
        sizes.flags.writeable = False
        return sizes

    @property
    def item_component(self) -> IntArray:
        """Component of each item.

        Raises
        ------
        TypeError
            The components come from a table of counts, which knows no items.
        """
        if self._alignment is None:
            raise TypeError(
                "these components come from a table, which holds no items; use "
                "components(reference, candidate) or components(alignment)"
            )
        column = self._alignment.reference.column.compact()
        of_items: IntArray = self.row_component[column.codes]
        return of_items

    def rows(self, component: int) -> IntArray:
        """Return the rows (reference clusters) of a component, ascending."""
        return np.flatnonzero(self.row_component == self._checked(component))

    def cols(self, component: int) -> IntArray:
        """Return the columns (candidate clusters) of a component, ascending."""
        return np.flatnonzero(self.col_component == self._checked(component))

    def items(self, component: int) -> IntArray:
        """Return the positions of a component's items, ascending."""
        return np.flatnonzero(self.item_component == self._checked(component))

    def table(self, component: int) -> Contingency:
        """Return the sub-table of a component. O(rows + columns + its cells)."""
        table = self.contingency
        rows, cols = self.rows(component), self.cols(component)
        cells = cells_of_rows(table, rows)
        return table._part(rows, cols, np.searchsorted(cols, table.cols[cells]), cells)

    def tables(self) -> Iterator[Contingency]:
        """Yield the sub-table of every component in turn.

        O(cells log cells) in all, however many components there are.
        """
        table = self.contingency
        by_row = np.argsort(self.row_component, kind="stable")
        by_col = np.argsort(self.col_component, kind="stable")
        edges = np.arange(self.n_components + 1)
        row_ends = np.searchsorted(self.row_component[by_row], edges)
        col_ends = np.searchsorted(self.col_component[by_col], edges)
        rank_of_col = np.empty(len(by_col), dtype=np.int64)
        rank_of_col[by_col] = np.arange(len(by_col))
        for j in range(self.n_components):
            rows = by_row[row_ends[j] : row_ends[j + 1]]
            cols = by_col[col_ends[j] : col_ends[j + 1]]
            cells = cells_of_rows(table, rows)
            yield table._part(rows, cols, rank_of_col[table.cols[cells]] - col_ends[j], cells)

    def _checked(self, component: int) -> int:
        is_integer = isinstance(component, (int, np.integer)) and not isinstance(
            component, bool
        )
        if not is_integer or not 0 <= component < self.n_components:
            raise ValueError(
                f"component {component} does not exist; there are {self.n_components}, "
                "numbered from 0"
            )
        return component

    def __len__(self) -> int:
        return self.n_components

    def plot(self, path: str | None = None, *, ax: Any = None) -> Any:
        """Draw how many components have at least so many items, on logarithmic axes.

        Parameters
        ----------
        path : str, optional
            File to save the figure in.
        ax : matplotlib.axes.Axes, optional

        Returns
        -------
        matplotlib.axes.Axes
            Needs the extra ``partwise[plot]``.
        """
        from partwise.table.plots.drawing import draw_components

        return saved(draw_components(self, ax), path)

    def __repr__(self) -> str:
        largest = int(self.sizes.max()) if self.n_components else 0
        parts = counted(self.n_components, "component")
        return f"Components({parts}, the largest of {counted(largest, 'item')})"

    def _repr_html_(self) -> str:
        return html_of(self)
