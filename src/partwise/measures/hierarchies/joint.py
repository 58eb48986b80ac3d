"""Two hierarchies side by side, their items under the same numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from partwise import _kernels
from partwise.labels.hierarchies.hierarchy import Hierarchy, check_hierarchy
from partwise.numbers.arrays import IntArray

#: Heights are cut to whole parts of their range: so many bits.
_HEIGHT_BITS = 52


@dataclass(frozen=True, eq=False)
class Side:
    """A hierarchy, two clusters at a time, with the items of the pair.

    Attributes
    ----------
    tree : Hierarchy
    left, right : int64 arrays, shape (max(n, 1) - 1,)
    owner : int64 array
        The cluster of several items of each step; -1: the step joins roots.
    """

    tree: Hierarchy
    left: IntArray
    right: IntArray
    owner: IntArray

    @cached_property
    def sizes(self) -> IntArray:
        """Items of each cluster, the items first."""
        ones = np.ones(self.tree.n_items, dtype=np.int64)
        return _kernels.impl.sweep_sizes(ones, self.left, self.right)

    @cached_property
    def pairs(self) -> IntArray:
        """Pairs of items that each step joins."""
        return self.sizes[self.left] * self.sizes[self.right]

    @cached_property
    def levels(self) -> IntArray:
        """Level of each step, from 0: that of its height; above all where roots are joined."""
        heights = self.tree.cut_heights()
        rank = np.zeros(len(heights) + 1, dtype=np.int64)
        rank[1:-1] = np.cumsum(heights[1:] != heights[:-1])
        rank[-1] = rank[-2] + 1 if len(heights) else 0
        of_steps: IntArray = rank[self.owner]
        return of_steps

    @cached_property
    def whole_heights(self) -> IntArray:
        """Height of each step above the lowest one, in at most 2^-51 of the range.

        The unit is a power of two, so that whole numbers stay what they are, and a correlation
        of 0 is 0.
        """
        heights = self.tree.heights[self.owner]
        # near 1: below the normal doubles there are not enough digits for parts of the range
        heights = np.ldexp(heights, -np.frexp(np.abs(heights).max())[1])
        low = heights.min()
        # halves: the range of two numbers may be no number
        parts = heights / 2 - low / 2
        _, exponent = np.frexp(parts.max())
        units: IntArray = np.rint(np.ldexp(parts, _HEIGHT_BITS - exponent)).astype(np.int64)
        return units

    @cached_property
    def twice_ranks(self) -> IntArray:
        """Twice the mean rank of the pairs of each step among all pairs, by their level."""
        of_level = np.zeros(int(self.levels[-1]) + 1, dtype=np.int64)
        np.add.at(of_level, self.levels, self.pairs)
        upto = np.cumsum(of_level)
        ranks: IntArray = (2 * upto - of_level + 1)[self.levels]
        return ranks


@dataclass(frozen=True, eq=False)
class HierarchyPair:
    """Two hierarchies of the same items, numbered as in the reference."""

    n_items: int
    first: Side
    second: Side

    @classmethod
    def of(cls, reference: Any, candidate: Any, name: str) -> HierarchyPair:
        """Return the hierarchies that the arguments of a measure mean."""
        one = check_hierarchy(reference, "reference", name)
        two = check_hierarchy(candidate, "candidate", name)
        positions = two.positions_in(one)
        return cls(one.n_items, _side(one, None), _side(two, positions))

    def shallow_first(self) -> tuple[Side, Side]:
        """Return the sides, in front the one whose clusters hold fewer items all in all."""
        n = self.n_items
        totals = [
            float(side.sizes[n:].sum(dtype=np.float64)) for side in (self.first, self.second)
        ]
        order = (
            (self.first, self.second) if totals[0] <= totals[1] else (self.second, self.first)
        )
        return order


def _side(tree: Hierarchy, positions: IntArray | None) -> Side:
    nodes = tree._nodes
    left, right = nodes.left, nodes.right
    if positions is not None:
        number = np.arange(tree.n_items + len(left))
        number[: tree.n_items] = positions
        left, right = number[left], number[right]
    return Side(tree, left, right, nodes.owner)


def correlation(first: Side, second: Side, x: IntArray, y: IntArray) -> float:
    """Return Pearson's correlation over pairs of items, of values by step.

    Not a number where one side has the same value for all pairs. O(n + items of all clusters
    of the first side).
    """
    n = first.tree.n_items
    total = n * (n - 1) // 2
    if total == 0:
        return math.nan
    high, low = _kernels.impl.pair_sums(first.left, first.right, second.left, second.right, y)
    sums = [(int(h) << 64) + int(w) for h, w in zip(high.tolist(), low.tolist(), strict=True)]
    products = sum(value * joined for value, joined in zip(x.tolist(), sums, strict=True))
    moments = []
    for side, values in ((first, x), (second, y)):
        counts = side.pairs.tolist()
        once = [value * count for value, count in zip(values.tolist(), counts, strict=True)]
        squares = sum(v * o for v, o in zip(values.tolist(), once, strict=True))
        moments.append((sum(once), squares))
    (sum_x, square_x), (sum_y, square_y) = moments
    spread = (total * square_x - sum_x**2) * (total * square_y - sum_y**2)
    if spread == 0:
        return math.nan
    shared = total * products - sum_x * sum_y
    return math.copysign(math.sqrt(shared**2 / spread), shared)
