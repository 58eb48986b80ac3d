"""The workloads: pairs of label arrays from fixed seeds."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.int64]

NOISE = 0.1
QUICK = 10


@dataclass(frozen=True, eq=False)
class Workload:
    """Two clusterings of the same items.

    Attributes
    ----------
    name : str
        W1 .. W6.
    a, b : ndarray of int64, shape (n,)
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
    rng = np.random.default_rng(int(name[1:]))
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


_RECIPES: dict[str, tuple[int, Callable[..., Workload], str]] = {
    "W1": (10**6, _random(10), "1e6 items, 10 x 10 random"),
    "W2": (10**7, _random(100), "1e7 items, 100 x 100 random"),
    "W3": (10**7, _noisy, "1e7 items, 1000 x 1000, 10 % noise"),
    "W4": (10**7, _zipf, "1e7 items, 1e6 clusters a side, Zipf 0.8, 10 % noise"),
    "W5": (10**7, _random(100_000), "1e7 items, 1e5 x 1e5 random"),
    "W6": (10**7, _hashed, "1e7 items, 1e6 clusters, 64-bit ids, 10 % noise"),
}

DESCRIPTIONS: dict[str, str] = {name: text for name, (_, _, text) in _RECIPES.items()}
