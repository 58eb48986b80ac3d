"""The workloads: pairs of label arrays from fixed seeds."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.integer]

NOISE = 0.1
QUICK = 10


@dataclass(frozen=True, eq=False)
class Workload:
    """Two clusterings of the same items.

    Attributes
    ----------
    name : str
        A key of ``DESCRIPTIONS``.
    a, b : ndarray of int64 or int32, shape (n,)
        Labels of the items on either side.
    span : int or None
        Labels are 0..span - 1; None where they are spread over 64 bits.
    """

    name: str
    a: Labels
    b: Labels
    span: int | None

    @property
    def n(self) -> int:
        """Number of items, which is the number of labels a side."""
        return len(self.a)

    def head(self, n: int) -> Workload:
        """Return the workload of the first n items."""
        return Workload(self.name, self.a[:n].copy(), self.b[:n].copy(), self.span)

    def save(self, folder: Path) -> None:
        """Write the workload into a folder, for ``load`` in another process."""
        np.save(folder / "a.npy", self.a)
        np.save(folder / "b.npy", self.b)
        (folder / "about.json").write_text(json.dumps([self.name, self.span]))

    @classmethod
    def load(cls, folder: Path) -> Workload:
        """Return the workload that ``save`` wrote."""
        name, span = json.loads((folder / "about.json").read_text())
        return cls(name, np.load(folder / "a.npy"), np.load(folder / "b.npy"), span)


def make(name: str, *, quick: bool = False) -> Workload:
    """Return a workload, the same one at every call.

    Parameters
    ----------
    name : str
        A key of ``DESCRIPTIONS``.
    quick : bool, default False
        A tenth of the items; W4 and W6 then also have a tenth of the clusters.
    """
    n, generate, _ = _RECIPES[name]
    rng = np.random.default_rng(int(name[1]))
    return generate(name, n // QUICK if quick else n, rng)


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
    return Workload(name, ids[0][numbers], ids[1][noisy], None)


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
        given = generate(name, n, rng)
        assert given.span is not None
        key = given.a * given.span + given.b if by_col else given.a
        order = np.argsort(key, kind="stable")
        return Workload(name, given.a[order], given.b[order], given.span)

    return ordered


def _crowded(*, rows: bool, cols: bool) -> Callable[..., Workload]:
    """W4 with nine of ten items moved to one cluster, on either side or both."""

    def generate(name: str, n: int, rng: np.random.Generator) -> Workload:
        given = _zipf(name, n, rng)
        moved = rng.random(n) < 0.9
        a = np.where(moved, 7, given.a) if rows else given.a
        b = np.where(moved, 7, given.b) if cols else given.b
        return Workload(name, a, b, given.span)

    return generate


def _independent(name: str, n: int, rng: np.random.Generator) -> Workload:
    """W4 whose candidate is drawn anew for every item."""
    given = _zipf(name, n, rng)
    return Workload(name, given.a, rng.integers(n // 10, size=n), given.span)


def _runs(name: str, n: int, rng: np.random.Generator) -> Workload:
    """W4 as it comes from a log: the same cell 20 times in a row."""
    given = _zipf(name, n // 20, rng)
    return Workload(name, np.repeat(given.a, 20), np.repeat(given.b, 20), given.span)


def _far(name: str, n: int, rng: np.random.Generator) -> Workload:
    """W3 with one label far away from all others."""
    given = _noisy(name, n, rng)
    given.a[n // 3] = 10**12
    return Workload(name, given.a, given.b, None)


_RECIPES: dict[str, tuple[int, Callable[..., Workload], str]] = {
    "W1": (10**6, _random(10), "1e6 items, 10 x 10 random"),
    "W2": (10**7, _random(100), "1e7 items, 100 x 100 random"),
    "W3": (10**7, _noisy, "1e7 items, 1000 x 1000, 10 % noise"),
    "W4": (10**7, _zipf, "1e7 items, 1e6 clusters a side, Zipf 0.8, 10 % noise"),
    "W5": (10**7, _random(100_000), "1e7 items, 1e5 x 1e5 random"),
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

#: Workloads that say what the others cannot: shapes, not sizes.
SHAPES = [name for name in _RECIPES if " " in name]

DESCRIPTIONS: dict[str, str] = {name: text for name, (_, _, text) in _RECIPES.items()}
