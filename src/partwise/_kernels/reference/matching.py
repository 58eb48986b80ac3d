"""Maximum-weight matching in plain Python: the direct steps of ``csrc/match/pw_match.c``."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

import numpy as np

from partwise.numbers.arrays import IntArray


@dataclass(slots=True)
class _Matching:
    indptr: list[int]
    cols: list[int]
    gains: list[int]
    cell_row: list[int]
    match: list[int]  # row -> cell or -1
    row_duals: list[int]
    col_duals: list[int]
    col_cell: list[int]  # column -> matched cell or -1
    heap: list[tuple[int, int]] = field(default_factory=list)

    def cells(self, row: int) -> range:
        return range(self.indptr[row], self.indptr[row + 1])

    def take_tight_cells(self) -> None:
        for row in range(len(self.match)):
            most = max((self.gains[c] for c in self.cells(row)), default=0)
            self.row_duals[row] = most
            for c in self.cells(row) if most > 0 else ():
                if self.gains[c] == most and self.col_cell[self.cols[c]] < 0:
                    self.match[row] = self.col_cell[self.cols[c]] = c
                    break

    def bid(self, row: int) -> int:
        """Bid for the best column; return the row that lost it, -1 for none."""
        best, second, cell = 0, 0, -1
        for c in self.cells(row):
            value = self.gains[c] - self.col_duals[self.cols[c]]
            if value > best:
                best, second, cell = value, best, c
            elif value > second:
                second = value
        self.row_duals[row] = best
        if cell < 0:
            return -1
        col = self.cols[cell]
        old = self.col_cell[col]
        if best == second and old >= 0:
            return -1
        self.row_duals[row] = second
        self.col_duals[col] = self.gains[cell] - second
        self.match[row] = self.col_cell[col] = cell
        if old < 0:
            return -1
        self.match[self.cell_row[old]] = -1
        return self.cell_row[old]

    def reduce_rows(self, budget: int) -> None:
        for start in range(len(self.match)):
            if budget <= 0:
                break
            row = start if self.match[start] < 0 and self.row_duals[start] > 0 else -1
            while row >= 0 and budget > 0:
                budget -= len(self.cells(row)) + 1
                row = self.bid(row)
        for row in range(len(self.match)):
            if self.match[row] < 0:
                surplus = (
                    self.gains[c] - self.col_duals[self.cols[c]] for c in self.cells(row)
                )
                self.row_duals[row] = max(0, max(surplus, default=0))

    def search_from(self, start: int) -> None:
        """Find the cheapest way out of a free row, move the duals, augment."""
        limit = self.row_duals[start]  # the start itself may stay unmatched
        leave = end = -1
        distance: dict[int, int] = {}
        reach: dict[int, int] = {}
        settled: dict[int, int] = {}
        level: list[int] = []  # columns as near as the one being settled: deep first
        self.heap.clear()
        row, base = start, 0
        while True:
            for c in self.cells(row):
                col = self.cols[c]
                if c == self.match[row] or col in settled:
                    continue
                there = base + self.row_duals[row] + self.col_duals[col] - self.gains[c]
                if there >= limit or there >= distance.get(col, limit):
                    continue
                reach[col] = c
                if self.col_cell[col] < 0:  # a free column is a way out at once
                    limit, end, leave = there, col, -1
                    continue
                distance[col] = there
                if there == base:
                    level.append(col)
                else:
                    heapq.heappush(self.heap, (there, col))
            nearest = self._settle_next(distance, settled, level, limit)
            if nearest is None:
                break
            col, base = nearest
            row = self.cell_row[self.col_cell[col]]
            if base + self.row_duals[row] < limit:  # that row may stay unmatched instead
                limit, end, leave = base + self.row_duals[row], -1, col
        self.row_duals[start] -= limit
        for col, here in settled.items():
            if here < limit:
                self.col_duals[col] += limit - here
                self.row_duals[self.cell_row[self.col_cell[col]]] -= limit - here
        if leave >= 0:
            self.match[self.cell_row[self.col_cell[leave]]] = -1
            end = leave
        while end >= 0:
            cell = reach[end]
            row = self.cell_row[cell]
            given_up = self.match[row]
            self.match[row] = self.col_cell[end] = cell
            end = -1 if given_up < 0 else self.cols[given_up]

    def _settle_next(
        self, distance: dict[int, int], settled: dict[int, int], level: list[int], limit: int
    ) -> tuple[int, int] | None:
        """Settle the nearest column below the limit; return it and its distance."""
        while level:
            col = level.pop()
            if col not in settled and distance[col] < limit:
                settled[col] = distance[col]
                return col, distance[col]
        while self.heap:
            here, col = heapq.heappop(self.heap)
            if here >= limit:
                return None
            if col not in settled and here <= distance[col]:
                settled[col] = here
                return col, here
        return None


def match(
    indptr: IntArray, cols: IntArray, gains: IntArray, n_cols: int
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the matched cell of each row (-1: none) and the duals of rows and columns."""
    n_rows = len(indptr) - 1
    rows = np.repeat(np.arange(n_rows), np.diff(indptr))
    state = _Matching(
        indptr.tolist(),
        cols.tolist(),
        gains.tolist(),
        rows.tolist(),
        [-1] * n_rows,
        [0] * n_rows,
        [0] * n_cols,
        [-1] * n_cols,
    )
    state.take_tight_cells()
    state.reduce_rows(8 * len(cols) + 1024)
    for row in range(n_rows):
        if state.match[row] < 0 and state.row_duals[row] > 0:
            state.search_from(row)
    results = (state.match, state.row_duals, state.col_duals)
    first, second, third = (np.array(x, dtype=np.int64) for x in results)
    return first, second, third
