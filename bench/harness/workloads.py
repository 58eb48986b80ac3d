"""The inputs: pairs of label arrays, and memberships, from fixed seeds.

``make`` gives the workloads W1 to W8 and their variants; the functions at the end make
clusterings whose cells are easy and hard matching problems.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.integer]

NOISE = 0.1


@dataclass(frozen=True, eq=False)
class Workload:
    """Two clusterings of the same items.

    Attributes
    ----------
    name : str
        A key of ``DESCRIPTIONS``.
    a, b : ndarray of int64 or int32, shape (n,)
        Labels of the items on either side.
    span : int
        Labels are 0..span - 1; 0 where they are spread over 64 bits.
    """

    name: str
    a: Labels
    b: Labels
    span: int

    @property
    def n(self) -> int:
        """Number of items, which is the number of labels a side."""
        return len(self.a)


@lru_cache(maxsize=1)
def make(name: str, divisor: int = 1) -> Workload:
    """Return a workload, the same one at every call; the last one is kept.

    Parameters
    ----------
    name : str
        A key of ``DESCRIPTIONS``, or "uniform K": 1e7 items, K x K random.
    divisor : int, default 1
        What the number of items is divided by; W4 and W6 then also have fewer clusters.
    """
    if name.startswith("uniform "):
        clusters = int(name.removeprefix("uniform "))
        own = np.random.default_rng(clusters)
        return _random(clusters)(name, 10**7 // divisor, own)
    n, generate, _ = _RECIPES[name]
    rng = np.random.default_rng(int(name[1]))
    return generate(name, n // divisor, rng)


def _random(clusters: int) -> Callable[..., Workload]:
    """Independent uniform labels on both sides."""

    def generate(name: str, n: int, rng: np.random.Generator) -> Workload:
        a, b = rng.integers(clusters, size=(2, n))
        return Workload(name, a, b, clusters)

    return generate


def _noisy(name: str, n: int, rng: np.random.Generator) -> Workload:
    """Return 1000 uniform clusters and a noisy copy of them."""
    a = rng.integers(1000, size=n)
    return Workload(name, a, _with_noise(a, 1000, rng), 1000)


def _zipf(name: str, n: int, rng: np.random.Generator) -> Workload:
    """Skewed cluster sizes, every id at least once; ids and items shuffled."""
    clusters = n // 10
    weights = np.arange(1, clusters + 1, dtype=np.float64) ** -0.8
    drawn = rng.choice(clusters, size=n - clusters, p=weights / weights.sum())
    ranks = np.concatenate([np.arange(clusters), drawn])
    rng.shuffle(ranks)
    noisy = _with_noise(ranks, clusters, rng)
    a = rng.permutation(clusters)[ranks]
    b = rng.permutation(clusters)[noisy]
    return Workload(name, a, b, clusters)


def _hashed(name: str, n: int, rng: np.random.Generator) -> Workload:
    """Uniform clusters and a noisy copy, each side under 64-bit ids of its own."""
    clusters = n // 10
    numbers = rng.integers(clusters, size=n)
    noisy = _with_noise(numbers, clusters, rng)
    limits = np.iinfo(np.int64)
    ids = rng.integers(limits.min, limits.max, size=(2, clusters))
    return Workload(name, ids[0][numbers], ids[1][noisy], 0)


def _with_noise(labels: Labels, clusters: int, rng: np.random.Generator) -> Labels:
    """Return a copy in which a share of the labels is drawn anew, uniformly."""
    drawn = rng.integers(clusters, size=len(labels))
    return np.where(rng.random(len(labels)) < NOISE, drawn, labels)


def _noisy32(name: str, n: int, rng: np.random.Generator) -> Workload:
    """Return W3 in 32-bit labels, made a piece at a time."""
    a, b = np.empty((2, n), dtype=np.int32)
    for start in range(0, n, 10**7):
        piece = _noisy(name, min(10**7, n - start), rng)
        a[start : start + piece.n], b[start : start + piece.n] = piece.a, piece.b
    return Workload(name, a, b, 1000)


def _sorted(generate: Callable[..., Workload], *, by_col: bool) -> Callable[..., Workload]:
    """Sort the items by their cells, or by their rows only."""

    def ordered(name: str, n: int, rng: np.random.Generator) -> Workload:
        base = generate(name, n, rng)
        key = base.a * base.span + base.b if by_col else base.a
        order = np.argsort(key, kind="stable")
        return Workload(name, base.a[order], base.b[order], base.span)

    return ordered


def _crowded(*, rows: bool, cols: bool) -> Callable[..., Workload]:
    """W4 with nine of ten items moved to one cluster, on either side or both."""

    def generate(name: str, n: int, rng: np.random.Generator) -> Workload:
        base = _zipf(name, n, rng)
        moved = rng.random(n) < 0.9
        a = np.where(moved, 7, base.a) if rows else base.a
        b = np.where(moved, 7, base.b) if cols else base.b
        return Workload(name, a, b, base.span)

    return generate


def _independent(name: str, n: int, rng: np.random.Generator) -> Workload:
    """W4 whose candidate is drawn anew for every item."""
    base = _zipf(name, n, rng)
    return Workload(name, base.a, rng.integers(n // 10, size=n), base.span)


def _runs(name: str, n: int, rng: np.random.Generator) -> Workload:
    """W4 as it comes from a log: the same cell 20 times in a row."""
    base = _zipf(name, n // 20, rng)
    return Workload(name, np.repeat(base.a, 20), np.repeat(base.b, 20), base.span)


def _far(name: str, n: int, rng: np.random.Generator) -> Workload:
    """W3 with one label far away from all others."""
    base = _noisy(name, n, rng)
    base.a[n // 3] = 10**12
    return Workload(name, base.a, base.b, 0)


_RECIPES: dict[str, tuple[int, Callable[..., Workload], str]] = {
    "W1": (10**6, _random(10), "1e6 items, 10 x 10 random"),
    "W2": (10**7, _random(100), "1e7 items, 100 x 100 random"),
    "W3": (10**7, _noisy, "1e7 items, 1000 x 1000, 10 % noise"),
    "W4": (10**7, _zipf, "1e7 items, 1e6 clusters a side, Zipf 0.8, 10 % noise"),
    "W5": (10**7, _random(100_000), "1e7 items, 1e5 x 1e5 random"),
    "W5 all": (10**7, _random(10**6), "1e7 items, 1e6 x 1e6 random: nearly all cells distinct"),
    "W6": (10**7, _hashed, "1e7 items, 1e6 clusters, 64-bit ids, 10 % noise"),
    "W8": (10**8, _noisy32, "1e8 items of 32 bits, 1000 x 1000, 10 % noise"),
    "W3 sorted": (10**7, _sorted(_noisy, by_col=True), "W3, items in the order of cells"),
    "W3 far": (10**7, _far, "W3, one label far away"),
    "W4 sorted": (10**7, _sorted(_zipf, by_col=True), "W4, items in the order of cells"),
    "W4 rows": (10**7, _sorted(_zipf, by_col=False), "W4, items in the order of rows"),
    "W4 runs": (10**7, _runs, "a twentieth of W4, every item 20 times in a row"),
    "W4 cell": (10**7, _crowded(rows=True, cols=True), "W4, 90 % of items in one cell"),
    "W4 row": (10**7, _crowded(rows=True, cols=False), "W4, 90 % of items in one row"),
    "W4 column": (10**7, _crowded(rows=False, cols=True), "W4, 90 % in one column"),
    "W4 noise": (10**7, _independent, "W4, all labels of one side drawn anew"),
}

DESCRIPTIONS: dict[str, str] = {name: text for name, (_, _, text) in _RECIPES.items()}


# ---- clusterings for the solvers -----------------------------------------------------

Pair = tuple[Labels, Labels]
Memberships = NDArray[np.float64]

SEED = 0
LARGEST_ZIPF = 5000  # most items in a cluster of ``zipf``
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
    sizes = np.minimum(rng.zipf(2.0, items), LARGEST_ZIPF)
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
    groups: Labels = np.cumsum(~joins_next) - ~joins_next
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


def clusterings(count: int, items: int) -> list[Labels]:
    """Return noisy copies of one clustering into 50 clusters."""
    rng = np.random.default_rng(items)
    first = rng.integers(50, size=items)
    drawn = rng.integers(50, size=(count, items))
    return list(np.where(rng.random((count, items)) < 0.3, drawn, first))
