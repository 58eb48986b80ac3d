"""Maximum-gain packing in plain Python: each step of ``csrc/transport/pw_pack.c``."""

from __future__ import annotations

import numpy as np

from partwise._kernels.reference.tree import Arc, Tree
from partwise.numbers.arrays import IntArray

BLOCK = 30  # cells priced before the best of them enters: PW_PRICED_CELLS


class _Packing:
    def __init__(
        self,
        indptr: IntArray,
        cols: IntArray,
        gains: IntArray,
        row_caps: IntArray,
        col_caps: IntArray,
    ) -> None:
        self.indptr = indptr.tolist()
        self.cols = cols.tolist()
        self.gains = gains.tolist()
        self.n_rows, self.n_cols = len(row_caps), len(col_caps)
        self.rows = np.repeat(np.arange(self.n_rows), np.diff(indptr)).tolist()
        left = [*row_caps.tolist(), *col_caps.tolist()]
        arcs = self._fill_greedily(gains, left)
        self.tree = Tree(self.n_rows, self.n_cols, arcs, left)
        self.potential = [0] * (self.n_rows + self.n_cols + 1)
        for x in self.tree.order:
            if self.tree.arc[x] >= 0:
                gain = self.gains[arcs[self.tree.arc[x]].cell]
                up = self.potential[self.tree.parent[x]]
                self.potential[x] = up + gain if x < self.n_rows else up - gain

    def _fill_greedily(self, gains: IntArray, left: list[int]) -> list[Arc]:
        arcs = []
        for cell in np.argsort(-gains, kind="stable").tolist():
            row, col = self.rows[cell], self.cols[cell]
            flow = min(left[row], left[self.n_rows + col])
            if flow == 0 or self.gains[cell] == 0:
                continue
            left[row] -= flow
            left[self.n_rows + col] -= flow
            arcs.append(Arc(row, col, flow, cell))
        return arcs

    def _priced(self, x: int) -> list[tuple[int, int, int]]:
        """Return (cost, row end, column end) of what may enter at a node."""
        here = self.potential[x]
        if x >= self.n_rows:
            return [(-here, self.tree.root, x)]
        offers = [(here, x, self.tree.root)]
        for c in range(self.indptr[x], self.indptr[x + 1]):
            col = self.n_rows + self.cols[c]
            offers.append((here - self.gains[c] - self.potential[col], x, col))
        return offers

    def improve(self) -> None:
        n = self.n_rows + self.n_cols
        at = clean = 0
        while clean < n:
            cost, row_end, col_end = 0, -1, -1
            priced = 0
            while priced < BLOCK and clean < n:
                offers = self._priced(at)
                for offer in offers:
                    if offer[0] < cost:
                        cost, row_end, col_end = offer
                priced += len(offers)
                at = (at + 1) % n
                clean += 1
            if cost < 0:
                top = self.tree.pivot(row_end, col_end)
                shift = -cost if top == row_end else cost
                for x in self.tree.below(top):
                    self.potential[x] += shift
                clean = 0


def pack(
    indptr: IntArray,
    cols: IntArray,
    gains: IntArray,
    row_caps: IntArray,
    col_caps: IntArray,
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the amount of every cell and the duals of rows and columns."""
    state = _Packing(indptr, cols, gains, row_caps, col_caps)
    state.improve()
    amounts = np.zeros(len(cols), dtype=np.int64)
    for row, col, flow, _ in state.tree.arcs():
        inside = cols[indptr[row] : indptr[row + 1]]
        amounts[indptr[row] + np.searchsorted(inside, col)] = flow
    duals = np.array(state.potential, dtype=np.int64)
    return amounts, duals[: state.n_rows], -duals[state.n_rows : -1]
