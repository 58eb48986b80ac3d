"""Kernels of two hierarchies in Python: the same numbers as ``csrc/hierarchy``.

Clusters are numbered as in a linkage: items are 0..n-1, and merge s joins left[s] and right[s]
into n + s; there are n - 1 merges, so that the last one has all items.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from partwise.numbers.arrays import IntArray, UnsignedArray

__all__ = [
    "cut_moments",
    "cut_overlaps",
    "pair_orders",
    "pair_sums",
    "walk_differences",
]

_UNIT = 2.0**60

#: parents, starts, sizes (by cluster), leaves (item at each place), own (by item), factors (by
#: cluster), reach (by place): see ``csrc/hierarchy/pw_hierarchy.h``.
Walks = tuple[
    IntArray,
    IntArray,
    IntArray,
    IntArray,
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.float64],
]


def _intervals(left: list[int], right: list[int]) -> tuple[list[int], list[int]]:
    """Return where the leaves of each cluster start, and how many they are."""
    n = len(left) + 1
    size = [1] * n
    for x, y in zip(left, right, strict=True):
        size.append(size[x] + size[y])
    start = [0] * (2 * n - 1)
    for s in reversed(range(n - 1)):
        start[left[s]] = start[n + s]
        start[right[s]] = start[n + s] + size[left[s]]
    return start, size


def cut_overlaps(
    left_a: IntArray, right_a: IntArray, left_b: IntArray, right_b: IntArray
) -> IntArray:
    """Return how many ordered pairs of items both cuts join, after each number of merges.

    Returns
    -------
    int64 array, shape (n,)
        Entry s: after the first s merges of both sides.

    Notes
    -----
    O(n + items of the smaller side of each merge).
    """
    n = len(left_a) + 1
    sides = [(left_a.tolist(), right_a.tolist()), (left_b.tolist(), right_b.tolist())]
    intervals = [_intervals(*side) for side in sides]
    items_at = []
    for start, _ in intervals:
        at = [0] * n
        for item in range(n):
            at[start[item]] = item
        items_at.append(at)
    cell, count = [0] * n, [n]
    together = [0] * n
    together[-1] = n * (n - 1)
    for s in reversed(range(n - 1)):
        now = together[s + 1]
        for (left, right), (start, size), at in zip(sides, intervals, items_at, strict=True):
            small = left[s] if size[left[s]] < size[right[s]] else right[s]
            taken: dict[int, list[int]] = defaultdict(list)
            for item in at[start[small] : start[small] + size[small]]:
                taken[cell[item]].append(item)
            for of, items in taken.items():
                if len(items) < count[of]:
                    count[of] -= len(items)
                    now -= 2 * len(items) * count[of]
                    for item in items:
                        cell[item] = len(count)
                    count.append(len(items))
        together[s] = now
    return np.array(together, dtype=np.int64)


def cut_moments(
    left: IntArray, right: IntArray
) -> tuple[IntArray, NDArray[np.float64], NDArray[np.float64]]:
    """Return what the moments of a cut's pairs are made of, after each number of merges.

    Returns
    -------
    pairs : int64 array, shape (n,)
        P = sum of x (x - 1) over the sizes x of the clusters.
    rows, rest : float64 arrays, shape (n,)
        n (P + P3) - P^2 and (n - 1)(P (n - 4) - 2 P3) + P^2, P3 = sum of x (x - 1)(x - 2);
        integers that are rounded once.
    """
    n = len(left) + 1
    size = [1] * n
    two, three = 0, 0
    pairs, rows, rest = [0], [0.0], [0.0]
    for a, b in zip(left.tolist(), right.tolist(), strict=True):
        x, y = size[a], size[b]
        size.append(x + y)
        two += 2 * x * y
        three += 3 * x * y * (x + y - 2)
        pairs.append(two)
        rows.append(float(n * (two + three) - two * two))
        rest.append(float((n - 1) * (two * (n - 4) - 2 * three) + two * two))
    return np.array(pairs, dtype=np.int64), np.array(rows), np.array(rest)


def _joined_pairs(
    left_a: IntArray, right_a: IntArray, left_b: IntArray, right_b: IntArray
) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Yield each merge of a, the last first, and the merges of b that join its pairs.

    These are pairs (merge of b, number of pairs of items that both merges join).
    """
    n = len(left_a) + 1
    sides = [[x.tolist() for x in side] for side in ((left_a, right_a), (left_b, right_b))]
    start, size = _intervals(*sides[0])
    start_b, _ = _intervals(*sides[1])
    item, gap = [0] * n, [0] * n
    for i in range(n):
        item[start_b[i]] = start[i]
    for s in range(n - 1):
        gap[start_b[sides[1][1][s]] - 1] = s
    for s in reversed(range(n - 1)):
        first = start[n + s]
        end = first + size[n + s]
        border = first + size[sides[0][0][s]]
        stack: list[tuple[int, int, int]] = []
        joined: list[tuple[int, int]] = []
        halves: tuple[list[int], list[int]] = [], []
        gaps: tuple[list[int], list[int]] = [], []
        since = [-1, -1]
        for j in range(first, end):
            half = int(item[j] >= border)
            if halves[half]:
                gaps[half].append(since[half])
            halves[half].append(item[j])
            since[half] = -1
            lefts, rights = 1 - half, half
            now = gap[j] if j + 1 < end else n
            while stack and stack[-1][0] < now:
                merge, other_lefts, other_rights = stack.pop()
                pairs = lefts * other_rights + rights * other_lefts
                if pairs:
                    joined.append((merge, pairs))
                lefts += other_lefts
                rights += other_rights
            stack.append((now, lefts, rights))
            since = [max(x, now) for x in since]
        item[first:end] = halves[0] + halves[1]
        gap[first:end] = [*gaps[0], 0, *gaps[1], 0]
        yield s, joined


def pair_sums(
    left_a: IntArray,
    right_a: IntArray,
    left_b: IntArray,
    right_b: IntArray,
    weights: IntArray,
) -> tuple[IntArray, UnsignedArray]:
    """Return, by merge of a, the sum of weights of the merges of b that join its pairs.

    Parameters
    ----------
    left_a, right_a, left_b, right_b : int64 arrays, shape (n - 1,)
    weights : int64 array, shape (n - 1,)
        By merge of b.

    Returns
    -------
    high, low : int64 and uint64 arrays, shape (n - 1,)
        Words of 128-bit sums over the pairs of items that the merge joins.

    Notes
    -----
    O(n + items of all clusters of a).
    """
    weight = weights.tolist()
    sums = [0] * len(left_a)
    for s, joined in _joined_pairs(left_a, right_a, left_b, right_b):
        sums[s] = sum(weight[merge] * pairs for merge, pairs in joined)
    low = np.array([x & ((1 << 64) - 1) for x in sums], dtype=np.uint64)
    return np.array([x >> 64 for x in sums], dtype=np.int64), low


def pair_orders(
    left_a: IntArray,
    right_a: IntArray,
    level_a: IntArray,
    left_b: IntArray,
    right_b: IntArray,
    level_b: IntArray,
    n_levels: int,
) -> tuple[int, int]:
    """Return how many pairs of pairs of items are in the same and in opposite orders.

    Parameters
    ----------
    left_a, right_a, left_b, right_b : int64 arrays, shape (n - 1,)
    level_a, level_b : int64 arrays, shape (n - 1,)
        By merge; a pair of items is at the level of the merge that joins it, and equal levels
        are in no order. ``level_a`` never falls; ``level_b`` is in 0..n_levels - 1.
    n_levels : int

    Notes
    -----
    O(n + items of all clusters of a + levels of a times levels of b).
    """
    levels, levels_of_a = level_b.tolist(), level_a.tolist()
    before = np.zeros(n_levels, dtype=np.int64)
    own: dict[int, int] = defaultdict(int)
    same = opposite = 0
    for s, joined in _joined_pairs(left_a, right_a, left_b, right_b):
        for merge, pairs in joined:
            own[levels[merge]] += pairs
        if s > 0 and levels_of_a[s - 1] == levels_of_a[s]:
            continue
        upto = np.cumsum(before)
        total = int(upto[-1])
        for level, pairs in own.items():
            same += pairs * (total - int(upto[level]))
            opposite += pairs * int(upto[level] - before[level])
        for level, pairs in own.items():
            before[level] += pairs
        own.clear()
    return same, opposite


def _row(walks: Walks, item: int) -> NDArray[np.float64]:
    """Return where walks from an item lead, by place among the leaves."""
    parents, starts, sizes, _, own, factors, reach = walks
    row = np.zeros(len(reach))
    low = high = int(starts[item])
    cluster = item
    while cluster >= 0:
        scale = own[item] * factors[cluster]
        begin = int(starts[cluster])
        end = begin + int(sizes[cluster])
        for part in (slice(begin, low), slice(high, end)):
            row[part] = scale * reach[part]
        low, high, cluster = begin, end, int(parents[cluster])
    return row


def walk_differences(first: Walks, second: Walks, begin: int, end: int) -> IntArray:
    """Return how far apart the walks of two sides end, by item, in fractions of 2^60.

    Parameters
    ----------
    first, second : tuple of arrays
        ``Walks``: a walk from i comes to the item at place p with probability own[i]
        factors[L] reach[p], L the smallest cluster of both; 0 where no cluster has both.
    begin, end : int
        The items.

    Notes
    -----
    Each difference of probabilities is cut to an integer. O(n + depth) for each item.
    """
    places = first[1][second[3]]
    sums = np.empty(end - begin, dtype=np.int64)
    for item in range(begin, end):
        gaps = np.abs(_row(first, item)[places] - _row(second, item)) * _UNIT
        sums[item - begin] = gaps.astype(np.int64).sum()
    return sums
