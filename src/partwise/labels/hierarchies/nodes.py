"""Trees as arrays: nodes in the order in which they join, and two clusters at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from partwise import _kernels
from partwise.numbers.arrays import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """A tree, or several.

    Attributes
    ----------
    parents : int64 array, shape (n + m,)
        Parent of each node, -1 of a root: the items 0..n-1, then the clusters of several items,
        in an order in which no cluster stands before one of its own.
    heights : float64 array, shape (m,)
        Of the clusters of several items.
    left, right : int64 arrays, shape (max(n, 1) - 1,)
        The same tree, two clusters at a time: step s joins these into cluster n + s. The roots
        come together last.
    owner : int64 array
        The cluster of several items that each step belongs to; -1: the step joins roots.
    """

    parents: IntArray
    heights: FloatArray
    left: IntArray
    right: IntArray
    owner: IntArray


def nodes_of_merges(n: int, left: IntArray, right: IntArray, heights: FloatArray) -> Nodes:
    """Return the tree of merges numbered as in a linkage.

    Merges are put in the order of the largest height at or below them, equal ones in theirs.
    """
    m = len(left)
    effective = _kernels.impl.sweep_subtrees(n, left, right, heights)[1]
    if (effective[1:] < effective[:-1]).any():
        order = _kernels.impl.stable_order(effective)
        number = np.arange(n + m)
        number[n + order] = n + np.arange(m)
        left, right = (np.ascontiguousarray(number[side[order]]) for side in (left, right))
        heights = heights[order]
    parents = np.full(n + m, -1, dtype=np.int64)
    parents[left] = parents[right] = n + np.arange(m)
    owner = np.arange(m)
    if n - 1 > m:
        left, right, owner = with_roots_joined(n, left, right, owner)
    return Nodes(parents, heights, left, right, owner)


def with_roots_joined(
    n: int, left: IntArray, right: IntArray, owner: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    """Return steps with as many more as bring all items together."""
    m = len(left)
    is_root = np.ones(n + m, dtype=bool)
    is_root[left] = is_root[right] = False
    roots = np.flatnonzero(is_root)
    more = len(roots) - 1
    tops = np.concatenate([roots[:1], n + m + np.arange(max(more - 1, 0))])[: max(more, 0)]
    return (
        np.concatenate([left, tops]),
        np.concatenate([right, roots[1:]]),
        np.concatenate([owner, np.full(max(more, 0), -1, dtype=np.int64)]),
    )


def nodes_of_parents(n: int, parents: list[int], heights: list[float]) -> Nodes:
    """Return the tree of parents, the items first.

    Parameters
    ----------
    n : int
        Number of items, which are the nodes 0..n-1.
    parents : list of int
        By node, -1 for a root; every other node has one below it, and none is above itself.
    heights : list of float
        By node; those of items are not looked at.

    Notes
    -----
    A cluster with a single node below it has the same items as that one, and is left out.
    """
    below: list[list[int]] = [[] for _ in parents]
    for node, parent in enumerate(parents):
        if parent >= 0:
            below[parent].append(node)
    upward = _upward(n, parents, below)
    stands_for = list(range(len(parents)))  # itself, or the one node below it
    effective = list(heights)
    kept = []
    for node in upward:
        if node < n:
            continue
        inner = [x for x in (stands_for[k] for k in below[node]) if x >= n]
        if len(below[node]) == 1:
            stands_for[node] = stands_for[below[node][0]]
            continue
        kept.append(node)
        effective[node] = max([heights[node], *(effective[x] for x in inner)])
    kept.sort(key=effective.__getitem__)
    number = dict(zip(kept, range(n, n + len(kept)), strict=True))
    of_parents = [-1] * (n + len(kept))
    cluster = list(range(n)) + [0] * len(kept)  # as numbered by steps
    left, right, owner = [], [], []
    for at, node in enumerate(kept):
        own = [stands_for[k] for k in below[node]]
        numbers = sorted(x if x < n else number[x] for x in own)
        top = cluster[numbers[0]]
        for x in numbers:
            of_parents[x] = n + at
        for x in numbers[1:]:
            left.append(top)
            right.append(cluster[x])
            owner.append(at)
            top = n + len(left) - 1
        cluster[n + at] = top
    steps = [np.array(x, dtype=np.int64) for x in (left, right, owner)]
    if n - 1 > len(left):
        steps = list(with_roots_joined(n, *steps))
    of_heights = np.array([heights[node] for node in kept], dtype=np.float64)
    return Nodes(np.array(of_parents, dtype=np.int64), of_heights + 0.0, *steps)


def _upward(n: int, parents: list[int], below: list[list[int]]) -> list[int]:
    """Return the nodes, each after those below it; without those on circles."""
    waiting = [len(x) for x in below]
    order = list(range(n))
    for node in order:  # grows
        parent = parents[node]
        if parent >= 0:
            waiting[parent] -= 1
            if waiting[parent] == 0:
                order.append(parent)
    return order


def node_on_a_circle(n: int, parents: list[int]) -> int | None:
    """Return a node from which its parents lead back to it, if there is one."""
    below: list[list[int]] = [[] for _ in parents]
    for node, parent in enumerate(parents):
        if parent >= 0:
            below[parent].append(node)
    reached = set(_upward(n, parents, below))
    left_out = [node for node in range(len(parents)) if node not in reached]
    if not left_out:
        return None
    node = left_out[0]  # above a circle, perhaps: a node of it is met below
    visited: set[int] = set()
    while node not in visited:
        visited.add(node)
        node = next(k for k in below[node] if k not in reached)
    return node
