"""The sweep's kernels in Python: the same events and sums as ``csrc/sweep/pw_sweep.c``."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
from numpy.typing import NDArray

from partwise.numbers.arrays import IntArray, UnsignedArray
from partwise.numbers.logarithm import xlogx

__all__ = [
    "sweep_clusters",
    "sweep_curves",
    "sweep_edges",
    "sweep_events",
    "sweep_sizes",
    "sweep_subtrees",
]


Wide = tuple[IntArray, UnsignedArray]


def _leaves(n: int, left: list[int], right: list[int]) -> tuple[list[int], list[int]]:
    """Return items with clusters as intervals, and the merge at each border."""
    merges = len(left)
    size = [1] * n
    parent = [-1] * (n + merges)
    for k in range(merges):
        size.append(size[left[k]] + size[right[k]])
        parent[left[k]] = parent[right[k]] = k
    start = [0] * (n + merges)
    following = 0
    for c in range(n + merges):
        if parent[c] < 0:
            start[c] = following
            following += size[c]
    boundary = [merges] * n
    for k in reversed(range(merges)):
        start[left[k]] = start[n + k]
        start[right[k]] = start[n + k] + size[left[k]]
        boundary[start[right[k]] - 1] = k
    item_at = [0] * n
    for i in range(n):
        item_at[start[i]] = i
    return item_at, boundary


def sweep_events(
    labels: IntArray, n_labels: int, left: IntArray, right: IntArray
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return where two cells of one label become one: (ends, rows, before, after).

    Parameters
    ----------
    labels : int64, shape (n,)
        Codes 0..n_labels-1; -1: the item has no label.
    n_labels : int
    left, right : int64, shape (m,)
        Clusters joined by merge k into cluster n + k; items are clusters 0..n-1.

    Notes
    -----
    Events of merge k: ends[k] to ends[k + 1], ordered by row; ``before`` and ``after`` are the
    items of the two cells. In all n less the cells that are left at the end.
    """
    merges = len(left)
    item_at, boundary = _leaves(len(labels), left.tolist(), right.tolist())
    codes = labels.tolist()
    times: list[list[int]] = [[] for _ in range(n_labels)]
    last = [-1] * n_labels
    stack_at: list[int] = []
    stack_time: list[int] = []
    for p, item in enumerate(item_at):
        row = codes[item]
        if row >= 0:
            if last[row] >= 0:
                times[row].append(stack_time[bisect_left(stack_at, last[row])])
            last[row] = p
        while stack_time and stack_time[-1] <= boundary[p]:
            stack_at.pop()
            stack_time.pop()
        stack_at.append(p)
        stack_time.append(boundary[p])
    events_of: list[list[tuple[int, int, int]]] = [[] for _ in range(merges)]
    for row in range(n_labels):
        gaps = [merges, *times[row]]
        stack = [0]
        for j in range(1, len(gaps) + 1):
            now = gaps[j] if j < len(gaps) else merges + 1
            while len(stack) > 1 and gaps[stack[-1]] < now:
                gap = stack.pop()
                if gaps[gap] < merges:
                    events_of[gaps[gap]].append((row, gap - stack[-1], j - gap))
            stack.append(j)
    ends = np.zeros(merges + 1, dtype=np.int64)
    ends[1:] = np.cumsum([len(events) for events in events_of])
    listed = [event for events in events_of for event in events]
    rows, before, after = (
        np.array([event[i] for event in listed], dtype=np.int64) for i in range(3)
    )
    return ends, rows, before, after


def _wide(values: list[int]) -> Wide:
    return (
        np.array([value >> 64 for value in values], dtype=np.int64),
        np.array([value & ((1 << 64) - 1) for value in values], dtype=np.uint64),
    )


def sweep_curves(
    labels: IntArray,
    n_labels: int,
    left: IntArray,
    right: IntArray,
    state: IntArray,
    n_states: int,
    events: tuple[IntArray, IntArray, IntArray, IntArray],
    fraction_bits: int,
    entropies: bool,
    b_cubed: bool,
) -> dict[str, IntArray | Wide]:
    """Return sums after each state, arrays of n_states by name.

    Parameters
    ----------
    labels, n_labels, left, right
        As for ``sweep_events``.
    state : int64, shape (m,)
        State s has all merges k with state[k] <= s; never falls.
    n_states : int
    events
        What ``sweep_events`` gave.
    fraction_bits : int
        Of x ln x.
    entropies, b_cubed : bool
        Whether to return the sums of x ln x, and those of B-cubed.

    Returns
    -------
    dict
        int64: ``cells``, ``clusters`` (with a labelled item), ``all_clusters``, ``largest``
        (labelled items), ``row_maxima``, ``col_maxima``, ``exact_matches``. Pairs (high, low)
        of 128-bit sums: ``squares``, ``col_squares``, ``cell_xlogx``, ``col_xlogx``,
        ``b_cubed_recall``, ``b_cubed_precision``; the last two are sums of
        floor(2^64 (sum of n_ij^2) / size) over reference and candidate clusters.
    """
    n = len(labels)
    codes, lefts, rights, states = (x.tolist() for x in (labels, left, right, state))
    ends, rows, before, after = (x.tolist() for x in events)
    row_size = np.bincount(labels[labels >= 0], minlength=n_labels).tolist()
    row_max, row_squares = [1] * n_labels, list(row_size)
    size = [int(code >= 0) for code in codes]
    largest_cell, squares = list(size), list(size)
    match = [int(code >= 0 and row_size[code] == 1) for code in codes]
    items = sum(size)
    now = {
        "cells": items,
        "clusters": items,
        "all_clusters": n,
        "largest": int(items > 0),
        "row_maxima": n_labels,
        "col_maxima": items,
        "exact_matches": sum(match),
        "squares": items,
        "col_squares": items,
    }
    if entropies:
        now |= {"cell_xlogx": 0, "col_xlogx": 0}
    if b_cubed:
        now |= {"b_cubed_recall": n_labels << 64, "b_cubed_precision": items << 64}
    logs: dict[int, int] = {}

    def gain(x: int, y: int) -> int:
        for z in (x, y, x + y):
            if z not in logs:
                logs[z] = xlogx(z, fraction_bits)
        return logs[x + y] - logs[x] - logs[y]

    curves: dict[str, list[int]] = {name: [] for name in now}
    k = 0
    for s in range(n_states):
        while k < len(lefts) and states[k] <= s:
            p, q = lefts[k], rights[k]
            now["all_clusters"] -= 1
            size.append(size[p] + size[q])
            squares.append(squares[p] + squares[q])
            largest_cell.append(max(largest_cell[p], largest_cell[q]))
            match.append(0)
            r, k = n + k, k + 1
            if not (size[p] and size[q]):
                match[r] = match[p] + match[q]
                continue
            for e in range(ends[r - n], ends[r - n + 1]):
                i, x, y = rows[e], before[e], after[e]
                now["cells"] -= 1
                now["squares"] += 2 * x * y
                squares[r] += 2 * x * y
                largest_cell[r] = max(largest_cell[r], x + y)
                now["row_maxima"] += max(0, x + y - row_max[i])
                row_max[i] = max(row_max[i], x + y)
                match[r] |= int(x + y == row_size[i] == size[r])
                if entropies:
                    now["cell_xlogx"] += gain(x, y)
                if b_cubed:
                    was = (row_squares[i] << 64) // row_size[i]
                    row_squares[i] += 2 * x * y
                    now["b_cubed_recall"] += (row_squares[i] << 64) // row_size[i] - was
            now["clusters"] -= 1
            now["col_squares"] += 2 * size[p] * size[q]
            now["largest"] = max(now["largest"], size[r])
            now["col_maxima"] += largest_cell[r] - largest_cell[p] - largest_cell[q]
            now["exact_matches"] += match[r] - match[p] - match[q]
            if entropies:
                now["col_xlogx"] += gain(size[p], size[q])
            if b_cubed:
                parts = ((squares[c] << 64) // size[c] for c in (p, q))
                now["b_cubed_precision"] += (squares[r] << 64) // size[r] - sum(parts)
        for name, value in now.items():
            curves[name].append(value)
    wide = ("squares", "col_squares", "cell_xlogx", "col_xlogx")
    return {
        name: _wide(values)
        if name in wide or name.startswith("b_cubed")
        else np.array(values, dtype=np.int64)
        for name, values in curves.items()
    }


def sweep_edges(
    n: int, first: IntArray, second: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the merges (left, right) of edges taken in order, and the edge of each.

    Edges within one cluster merge nothing. Near O(n + edges).
    """
    parent, cluster = list(range(n)), list(range(n))
    merges: list[tuple[int, int, int]] = []

    def root(item: int) -> int:
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    for edge, (x, y) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        a, b = root(x), root(y)
        if a == b:
            continue
        merges.append((cluster[a], cluster[b], edge))
        parent[max(a, b)] = min(a, b)
        cluster[min(a, b)] = n + len(merges) - 1
    left, right, used = (
        np.array([merge[i] for merge in merges], dtype=np.int64) for i in range(3)
    )
    return left, right, used


def sweep_clusters(n: int, left: IntArray, right: IntArray, n_merges: int) -> IntArray:
    """Return the cluster of each item after the first merges. O(n + merges)."""
    top = np.arange(n + n_merges)
    for k in reversed(range(n_merges)):
        top[left[k]] = top[right[k]] = top[n + k]
    return top[:n].copy()


def sweep_sizes(counts: IntArray, left: IntArray, right: IntArray) -> IntArray:
    """Return the sizes of all clusters, items (with these counts) first. O(n + merges)."""
    size = counts.tolist()
    for a, b in zip(left.tolist(), right.tolist(), strict=True):
        size.append(size[a] + size[b])
    return np.array(size, dtype=np.int64)


def sweep_subtrees(
    n: int, left: IntArray, right: IntArray, heights: NDArray[np.float64]
) -> tuple[IntArray, NDArray[np.float64]]:
    """Return an item of each cluster, and the largest height below each merge, with its own."""
    first, highest = list(range(n)), [-np.inf] * n
    for a, b, height in zip(left.tolist(), right.tolist(), heights.tolist(), strict=True):
        first.append(first[a])
        highest.append(max(height, highest[a], highest[b]))
    return np.array(first, dtype=np.int64), np.array(highest[n:], dtype=np.float64)
