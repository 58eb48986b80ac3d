"""What a call is, and what all of them are given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from .comparable import frozen


class Call(NamedTuple):
    """What is made first, and what is then done with it."""

    prepare: Callable[[], Any]
    use: Callable[[Any], Any]

    def result(self) -> Any:
        """Return a comparable form of the result of a call on something new."""
        return frozen(self.use(self.prepare()))


Named = Iterator[tuple[str, Call]]


def simple(name: str, call: Callable[[], Any]) -> tuple[str, Call]:
    return name, Call(lambda: None, lambda _: call())


class Inputs(NamedTuple):
    """What all calls are given; none of them may change it."""

    a: np.ndarray
    b: np.ndarray
    text: np.ndarray
    names: list[str]
    ids: np.ndarray
    features: np.ndarray
    weights: np.ndarray
    groups: np.ndarray
    runs: list[np.ndarray]
    soft: np.ndarray
    tree: np.ndarray
    other_tree: np.ndarray
    edges: tuple[np.ndarray, np.ndarray, np.ndarray]
    key: dict[str, list[list[int]]]
    response: dict[str, list[list[int]]]


def inputs(n: int = 60, seed: int = 3) -> Inputs:
    """Return what the calls are given, of n items."""
    from scipy.cluster.hierarchy import linkage

    rng = np.random.default_rng(seed)
    a = rng.integers(0, 7, n)
    b = np.where(rng.random(n) < 0.7, a, rng.integers(0, 9, n))
    text = np.array([f"name {label}" for label in b.tolist()])
    points = rng.normal(size=(n, 2))
    documents = [
        {
            f"d{d}": [
                np.flatnonzero(codes == k).tolist() for k in range(5) if np.any(codes == k)
            ]
            for d, codes in enumerate(rng.integers(0, 5, (6, 20)))
        }
        for _ in range(2)
    ]
    return Inputs(
        a=a,
        b=b,
        text=text,
        names=text.tolist(),
        ids=rng.permutation(n) * 3,
        features=points,
        weights=rng.random(n),
        groups=np.arange(n) // 6,
        runs=[np.where(rng.random(n) < 0.8, a, rng.integers(0, 6, n)) for _ in range(6)],
        soft=rng.dirichlet(np.ones(4), n),
        tree=linkage(points, "average"),
        other_tree=linkage(points, "single"),
        edges=(rng.integers(0, n, 2 * n), rng.integers(0, n, 2 * n), rng.random(2 * n)),
        key=documents[0],
        response=documents[1],
    )
