"""Element-centric similarity of two hierarchies."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from partwise import _kernels
from partwise.labels.hierarchies.hierarchy import Hierarchy, check_hierarchy
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import number, one_of

LEVELS = ("max", "min", "linkage", "linkage_rescaled")
_BITS = 60


def _levels(tree: Hierarchy, below: list[list[int]], word: str) -> list[float]:
    """Return the level of every node, the items first."""
    n = tree.n_items
    if word.startswith("linkage"):
        heights: list[float] = tree.heights.tolist()
        if word == "linkage":
            return [0.0] * n + heights
        top = max(heights, default=0.0)
        return [1.0] * n + [1.0 - (h / top if top else 0.0) for h in heights]
    longest = max if word == "max" else min
    height, depth = [0] * len(below), [0] * len(below)
    for node in range(n, len(below)):
        height[node] = 1 + longest(height[k] for k in below[node])
    parents = tree.parents.tolist()
    for node in reversed(range(len(below))):
        if parents[node] >= 0:
            depth[node] = depth[parents[node]] + 1
    return [1.0 if h == 0 else d / (d + h) for h, d in zip(height, depth, strict=True)]


def _roots(parents: list[int]) -> list[int]:
    """Return the root above each node."""
    roots = list(range(len(parents)))
    for node in reversed(range(len(parents))):
        if parents[node] >= 0:
            roots[node] = roots[parents[node]]
    return roots


def _walks(
    tree: Hierarchy, positions: IntArray | None, alpha: float, r: float, word: str
) -> Any:
    """Return where walks on a hierarchy lead, as the kernel takes it.

    The system (D - alpha sum of (w_c / |c|) 1 1^T) is solved up the tree by the formula of
    Sherman and Morrison; s, g, beta and gamma are named as in the guide.
    """
    n, parents = tree.n_items, tree.parents.tolist()
    below: list[list[int]] = [[] for _ in parents]
    for node, parent in enumerate(parents):
        if parent >= 0:
            below[parent].append(node)
    roots = _roots(parents)
    exponents = [r * level for level in _levels(tree, below, word)]
    largest = [-math.inf] * len(parents)
    for node, exponent in enumerate(exponents):
        largest[roots[node]] = max(largest[roots[node]], exponent)
    weights = [math.exp(x - largest[roots[node]]) for node, x in enumerate(exponents)]
    size, above, place = [1] * len(parents), list(weights), [0] * len(parents)
    for node in range(n, len(parents)):
        size[node] = sum(size[k] for k in below[node])
    next_place = 0
    for node in reversed(range(len(parents))):
        if parents[node] < 0:
            place[node] = next_place
            next_place += size[node]
        else:
            above[node] += above[parents[node]]
        at = place[node]
        for k in below[node]:
            place[k] = at
            at += size[k]
    s, g, beta = [0.0] * len(parents), [0.0] * len(parents), [0.0] * len(parents)
    for node in range(len(parents)):
        s[node] = math.fsum(s[k] * g[k] for k in below[node]) if node >= n else 1 / above[node]
        share = alpha * weights[node] / size[node]
        g[node] = 1 / (1 - share * s[node])
        beta[node] = share * g[node]
    gamma, reach = list(beta), list(g)
    for node in reversed(range(len(parents))):
        parent = parents[node]
        if parent >= 0:
            gamma[node] += g[node] ** 2 * gamma[parent]
            reach[node] *= reach[parent]
    factors = np.array(gamma) / np.array(reach) ** 2
    own = (1 - alpha) * np.array(reach[:n]) / np.array(above[:n])
    starts, sizes = np.array(place, dtype=np.int64), np.array(size, dtype=np.int64)
    by_place = np.empty(n)
    by_place[starts[:n]] = reach[:n]
    of_parents = np.array(parents, dtype=np.int64)
    if positions is not None:  # the items are numbered as in the reference
        order = np.empty(n, dtype=np.int64)
        order[positions] = np.arange(n)
        own = own[order]
        starts[:n], of_parents[:n] = starts[order], of_parents[order]
        factors[:n] = factors[order]
    leaves = np.empty(n, dtype=np.int64)
    leaves[starts[:n]] = np.arange(n)
    return of_parents, starts, sizes, leaves, own, factors, by_place


def check_levels(r: Any, levels: Any) -> float:
    """Check the options that only hierarchies have."""
    value = number(r, "r")
    if not math.isfinite(value):
        raise ValueError(f"r={r!r} must be a finite number")
    one_of(levels, LEVELS, "levels")
    return value


def similarity_of_hierarchies(
    reference: Any, candidate: Any, average: str | None, alpha: float, r: Any, levels: Any
) -> float | FloatArray:
    """Return the element-centric similarity of two hierarchies, or that of each item."""
    scale = check_levels(r, levels)
    first = check_hierarchy(reference, "reference", "element_centric_similarity")
    second = check_hierarchy(candidate, "candidate", "element_centric_similarity")
    positions = second.positions_in(first)
    n = first.n_items
    if n == 0:
        return np.empty(0) if average is None else 1.0
    walks = [
        _walks(tree, order, alpha, scale, levels)
        for tree, order in ((first, None), (second, positions))
    ]
    sums = _kernels.impl.walk_differences(walks[0], walks[1], 0, n)
    values = np.maximum(1 - np.ldexp(sums.astype(np.float64), -_BITS) / (2 * alpha), 0.0)
    if average is None:
        per_item: FloatArray = values
        return per_item
    return math.fsum(values.tolist()) / n
