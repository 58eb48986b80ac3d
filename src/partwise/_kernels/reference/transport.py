"""The dense transportation problem: the steps of ``csrc/transport/pw_transport.c``."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from partwise._kernels.reference.tree import Arc, Tree
from partwise.numbers.arrays import FloatArray, IntArray

_SLACK = 1e-13  # reduced costs below this share of the largest cost do not drive a pivot
_ENTRIES = 2000  # entries priced before the best of them enters: PW_PRICED_ENTRIES


class _Transport:
    def __init__(self, costs: FloatArray, supply: IntArray, demand: IntArray) -> None:
        self.costs = costs
        self.n_rows, self.n_cols = costs.shape
        n = self.n_rows + self.n_cols
        self.largest = float(np.abs(costs).max())
        prices = costs.min(axis=0)
        self.potential = np.zeros(n + 1)
        self.potential[: self.n_rows] = -(costs - prices).min(axis=1)
        self.tree = Tree(
            self.n_rows, self.n_cols, self._fill(prices, supply, demand), [0] * (n + 1)
        )
        for x in self.tree.order:
            up = self.tree.parent[x]
            if up != self.tree.root:
                self.potential[x] = self.potential[up] + self._step(x, up)

    def _fill(self, prices: FloatArray, supply: IntArray, demand: IntArray) -> list[Arc]:
        """Let rows in turn give what they can to their cheapest open column."""
        stock, wanted = supply.tolist(), demand.tolist()
        prices = prices.copy()
        arcs = []
        open_rows = list(range(self.n_rows))
        while open_rows:
            for row in open_rows:
                col = int(np.argmin(self.costs[row] - prices))
                flow = min(stock[row], wanted[col])
                stock[row] -= flow
                wanted[col] -= flow
                arcs.append(Arc(row, col, flow, -1))
                if wanted[col] == 0:
                    prices[col] = -np.inf
            open_rows = [row for row in open_rows if stock[row] > 0]
        return arcs

    def _step(self, x: int, up: int) -> float:
        """Return the cost from a node's parent to it."""
        if x < self.n_rows:
            return -float(self.costs[x, up - self.n_rows])
        return float(self.costs[up, x - self.n_rows])

    def improve(self, most_pivots: int) -> None:
        """Pivot in doubles until no reduced cost is clearly below 0."""
        prices = self.potential[self.n_rows : -1]
        block = 1 + _ENTRIES // self.n_cols
        at = clean = pivots = 0
        while clean < self.n_rows and pivots < most_pivots:
            best, row, col = -_SLACK * self.largest, -1, -1
            for _ in range(min(block, self.n_rows - clean)):
                reduced = self.costs[at] - prices
                cheapest = int(reduced.argmin())
                cost = float(reduced[cheapest]) + self.potential[at]
                if cost < best:
                    best, row, col = cost, at, cheapest
                at = (at + 1) % self.n_rows
                clean += 1
            if row >= 0:
                top = self.tree.pivot(row, self.n_rows + col)
                below = list(self.tree.below(top))
                self.potential[below] += -best if top == row else best
                pivots += 1
                clean = 0

    def prove(self, most_pivots: int) -> bool:
        """Pivot with exact potentials until every cell is proved; False: too many pivots."""
        exact: list[Fraction] = [Fraction(0)] * (self.tree.root + 1)
        for x in self.tree.below(self.tree.root):
            up = self.tree.parent[x]
            if up == self.tree.root:
                exact[x] = Fraction(float(self.potential[x]))
            elif x != self.tree.root:
                exact[x] = exact[up] + Fraction(self._step(x, up))
        self.potential[:] = [float(value) for value in exact]
        at = clean = pivots = 0
        while clean < self.n_rows:
            cost, col = self._cheapest(at, exact)
            if cost < 0:
                if pivots == most_pivots:
                    return False
                top = self.tree.pivot(at, self.n_rows + col)
                for x in self.tree.below(top):
                    exact[x] += -cost if top == at else cost
                    self.potential[x] = float(exact[x])
                pivots += 1
                clean = -1
            at = (at + 1) % self.n_rows
            clean += 1
        return True

    def _cheapest(self, row: int, exact: list[Fraction]) -> tuple[Fraction, int]:
        """Return the least reduced cost of a row, exact where doubles leave its sign open."""
        prices = self.potential[self.n_rows : -1]
        doubt = max(self.largest, float(np.abs(self.potential).max())) * math.ldexp(1, -49)
        reduced = self.costs[row] - prices + self.potential[row]
        least, col = Fraction(0), -1
        for j in np.flatnonzero(reduced <= doubt).tolist():
            cost = Fraction(float(self.costs[row, j])) + exact[row] - exact[self.n_rows + j]
            if cost < least:
                least, col = cost, j
        return least, col


def transport(
    costs: FloatArray, supply: IntArray, demand: IntArray
) -> tuple[IntArray, IntArray, IntArray, FloatArray, FloatArray] | None:
    """Return rows, columns, flows of the cells used, and the duals; None: too many pivots."""
    state = _Transport(costs, supply, demand)
    most = 32 * costs.size + 10**6
    state.improve(most)
    if not state.prove(most):
        return None
    arcs = list(state.tree.arcs())
    parts = ([getattr(arc, name) for arc in arcs] for name in ("row", "col", "flow"))
    rows, cols, flows = (np.array(part, dtype=np.int64) for part in parts)
    potential = state.potential
    return rows, cols, flows, -potential[: state.n_rows], potential[state.n_rows : -1].copy()
