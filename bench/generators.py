"""Pairs of clusterings whose cells make easy and hard matching problems.

Every generator returns two label arrays, the same ones at every call.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.int64]
Pair = tuple[Labels, Labels]
Memberships = NDArray[np.float64]

SEED = 0
LARGEST = 5000  # most items in a cluster of ``zipf``
SECOND_PART = 0.4  # share of a split cluster that goes to its second part


def noisy(clusters: int, size: int, noise: float, others: int | None = None) -> Pair:
    """Return equal clusters, and a copy where a share of the items is labelled anew."""
    rng = np.random.default_rng(SEED)
    a = np.repeat(np.arange(clusters), size)
    moved = rng.random(len(a)) < noise
    drawn = rng.integers(0, clusters if others is None else others, len(a))
    return a, np.where(moved, drawn, a)


def zipf(items: int, noise: float) -> Pair:
    """Return skewed clusters, and a copy where items joined others or were put alone."""
    rng = np.random.default_rng(SEED)
    sizes = np.minimum(rng.zipf(2.0, items), LARGEST)
    ends = np.cumsum(sizes)
    clusters = int(np.searchsorted(ends, items)) + 1
    a = np.repeat(np.arange(clusters), sizes[:clusters])[:items]
    b = a.copy()
    moved = np.flatnonzero(rng.random(items) < noise)
    joining, leaving = np.split(moved, [len(moved) // 2])
    b[joining] = a[rng.integers(0, items, len(joining))]
    b[leaving] = clusters + np.arange(len(leaving))
    return a, b


def splitmerge(clusters: int, size: int, split: float, merged: float) -> Pair:
    """Return equal clusters, and a copy with some of them split and neighbours merged."""
    rng = np.random.default_rng(SEED)
    a = np.repeat(np.arange(clusters), size)
    is_split = rng.random(clusters) < split
    second = is_split[a] & (rng.random(len(a)) < SECOND_PART)
    first_parts = np.arange(clusters) + np.cumsum(is_split) - is_split
    joins_next = rng.random(clusters + int(is_split.sum())) < merged
    groups = np.cumsum(~joins_next) - ~joins_next
    return a, groups[first_parts[a] + second]


def indep(clusters: int, items: int, others: int | None = None) -> Pair:
    """Return uniform labels that have nothing to do with each other."""
    rng = np.random.default_rng(SEED)
    a = rng.integers(0, clusters, items)
    return a, rng.integers(0, clusters if others is None else others, items)


def memberships(
    items: int, clusters: tuple[int, int], concentration: float
) -> tuple[Memberships, Memberships]:
    """Return two soft clusterings with Dirichlet rows."""
    rng = np.random.default_rng(SEED)
    p, q = (rng.dirichlet(np.full(count, concentration), items) for count in clusters)
    return p, q
