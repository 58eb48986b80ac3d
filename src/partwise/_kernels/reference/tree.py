"""Spanning trees of the transportation simplex: the steps of ``csrc/transport/pw_tree.c``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Arc(NamedTuple):
    """A cell with flow; ``cell`` is its index in the table, -1 where cells are not stored."""

    row: int
    col: int
    flow: int
    cell: int


class Tree:
    """Rows, then columns, under one root; the arc of a row points up, that of a column down.

    Only rows may have arcs without flow (a strongly feasible tree): no pivot can then repeat a
    tree.
    """

    __slots__ = ("arc", "children", "depth", "flow", "n_rows", "order", "parent", "root")

    def __init__(self, n_rows: int, n_cols: int, arcs: list[Arc], left: list[int]) -> None:
        n = n_rows + n_cols
        self.n_rows = n_rows
        self.root = n
        self.parent = [-1] * (n + 1)
        self.flow = [0] * (n + 1)
        self.depth = [0] * (n + 1)
        self.arc = [-1] * (n + 1)  # number of the first arc to the parent; not kept up
        self.children: list[dict[int, None]] = [{} for _ in range(n + 1)]
        self.order: list[int] = []  # parents first
        around: list[list[int]] = [[] for _ in range(n)]
        for i, arc in enumerate(arcs):
            around[arc.row].append(i)
            around[n_rows + arc.col].append(i)
        for x in range(n):
            if left[x] > 0:
                self._plant_from(x, left[x], arcs, around)
        for x in range(n):  # rows first: nothing may flow to them
            if self.parent[x] < 0:
                self._plant_from(x, 0, arcs, around)

    def _plant_from(
        self, top: int, flow: int, arcs: list[Arc], around: list[list[int]]
    ) -> None:
        self._attach(top, self.root, flow)
        self.depth[top] = 1
        at = len(self.order)
        self.order.append(top)
        while at < len(self.order):
            x = self.order[at]
            for i in around[x]:
                col = self.n_rows + arcs[i].col
                y = arcs[i].row if x == col else col
                if y == self.parent[x]:
                    continue
                self._attach(y, x, arcs[i].flow)
                self.depth[y] = self.depth[x] + 1
                self.arc[y] = i
                self.order.append(y)
            at += 1

    def _attach(self, x: int, parent: int, flow: int) -> None:
        self.parent[x] = parent
        self.flow[x] = flow
        self.children[parent][x] = None

    def pivot(self, row_end: int, col_end: int) -> int:
        """Send what the tree allows over a new arc; return the top of the part that moved."""
        parent, flow = self.parent, self.flow
        from_row = from_col = 1 << 63
        row_leaves = col_leaves = -1
        x, y = row_end, col_end
        while x != y:
            if self.depth[x] >= self.depth[y]:
                if x < self.n_rows and flow[x] < from_row:
                    from_row, row_leaves = flow[x], x
                x = parent[x]
            else:
                if y >= self.n_rows and flow[y] <= from_col:
                    from_col, col_leaves = flow[y], y
                y = parent[y]
        apex = x
        moved = min(from_row, from_col)
        if moved > 0:
            x, y = row_end, col_end
            while x != apex:
                flow[x] += -moved if x < self.n_rows else moved
                x = parent[x]
            while y != apex:
                flow[y] += -moved if y >= self.n_rows else moved
                y = parent[y]
        if from_col <= from_row:  # the last one met from the apex leaves
            self._rehang(col_end, col_leaves, row_end, moved)
            return col_end
        self._rehang(row_end, row_leaves, col_end, moved)
        return row_end

    def _rehang(self, top: int, leaves: int, parent: int, flow: int) -> None:
        x = top
        while True:
            old_parent, old_flow = self.parent[x], self.flow[x]
            del self.children[old_parent][x]
            self._attach(x, parent, flow)
            if x == leaves:
                break
            parent, flow, x = x, old_flow, old_parent
        for x in self.below(top):
            self.depth[x] = self.depth[self.parent[x]] + 1

    def below(self, top: int) -> Iterator[int]:
        """Yield the subtree of a node, parents first."""
        waiting = [top]
        while waiting:
            x = waiting.pop()
            yield x
            waiting.extend(self.children[x])

    def arcs(self) -> Iterator[Arc]:
        """Yield the cells with flow, by node."""
        for x in range(self.root):
            up = self.parent[x]
            if up == self.root or self.flow[x] == 0:
                continue
            row, col = (x, up) if x < self.n_rows else (up, x)
            yield Arc(row, col - self.n_rows, self.flow[x], -1)
