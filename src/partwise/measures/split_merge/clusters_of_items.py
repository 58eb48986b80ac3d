"""All clusters of a few items, each by which items its parts hold, with their scores."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from partwise.labels.carried import read_features
from partwise.measures.split_merge.clusters_of_sizes import one_for_each
from partwise.measures.split_merge.item_distances import Distance, read_distances
from partwise.measures.split_merge.item_scores import (
    ItemColumns,
    check_distances_asked,
    columns_asked_by,
    features_refused,
)
from partwise.measures.split_merge.split_merge import split_merge, subcomponent_scores_of
from partwise.measures.split_merge.subcomponent_scores import ScoreFunction
from partwise.numbers.arrays import FloatArray
from partwise.table.alignment import Alignment, align

#: The items of each part, parts in the order of their first items.
Parts = tuple[tuple[int, ...], ...]

_MOST = 8
_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53)


class ClustersOfItems(NamedTuple):
    """Clusters of the first items of some, as a score of items tells them apart."""

    score: str | ScoreFunction
    n_items: int
    features: FloatArray | None
    between: Distance | None

    @classmethod
    def of(cls, score: Any, features: Any, distances: Any) -> ClustersOfItems:
        """Return the clusters of the items that have these features or distances."""
        names = columns_asked_by(score) if callable(score) else ()
        if callable(score):
            check_distances_asked(names, distances)
            if features is not None and (why := features_refused(score, distances)):
                raise TypeError(why)
        elif features is not None and distances is not None:
            raise TypeError("distances= stand in place of features=; pass one of the two")
        if features is None and (distances is None or "features" in names):
            features = _general_position()
        rows = None if features is None else read_features(features)
        n = _number_of(distances) if rows is None else len(rows)
        if n == 0:
            raise ValueError("features= and distances= hold no item; a cluster has one")
        between = None if distances is None else read_distances(distances, n)
        return cls(score, n, rows, between)

    def scores(self, max_size: int) -> dict[Parts, float]:
        """Return the score of every cluster of the first items, up to so many."""
        divisions = [parts for size in range(1, max_size + 1) for parts in _partitions(size)]
        if not callable(self.score):
            values = np.array([self._score_of(parts) for parts in divisions])
        else:
            names = columns_asked_by(self.score)
            order = np.array([i for parts in divisions for part in parts for i in part])
            columns = ItemColumns(self.features, self.between).of_parts(names, order)
            parts_of = [[len(part) for part in parts] for parts in divisions]
            values = one_for_each(
                self.score(
                    np.array([sum(sizes) for sizes in parts_of]),
                    np.concatenate(([0], np.cumsum([len(sizes) for sizes in parts_of]))),
                    np.array([size for sizes in parts_of for size in sizes]),
                    **columns,
                ),
                len(divisions),
            )
        return dict(zip(divisions, values.tolist(), strict=True))

    def _score_of(self, parts: Parts) -> float:
        whole, _ = self._alignments(parts)
        scores = subcomponent_scores_of(whole, self.score, None, self.between)
        return float(scores.split.score[0])

    def _alignments(self, parts: Parts) -> tuple[Alignment, Alignment]:
        """Return the cluster beside its parts, and the parts beside the cluster."""
        n = self.size(parts)
        labels = np.empty(n, dtype=np.int64)
        for label, part in enumerate(parts):
            labels[list(part)] = label
        rows = None if self.features is None else self.features[:n]
        whole = np.zeros(n, dtype=np.int64)
        return align(whole, labels, features=rows), align(labels, whole, features=rows)

    def size(self, parts: Parts) -> int:
        """Return the number of items."""
        return sum(map(len, parts))

    def shown(self, parts: Parts) -> str:
        """Return the parts as a message shows them."""
        return ", ".join(f"{{{', '.join(map(str, part))}}}" for part in parts)

    def splits(self, parts: Parts) -> Iterator[Parts]:
        """Yield the cluster with a part broken in two."""
        for place, part in enumerate(parts):
            rest = parts[:place] + parts[place + 1 :]
            first, *others = part
            for size in range(1, len(part)):
                for piece in combinations(others, size):
                    left = tuple(i for i in others if i not in piece)
                    yield _in_order((*rest, piece, (first, *left)))

    def moves(self, parts: Parts) -> Iterator[Parts]:
        """Yield the cluster with an item moved to a part that is smaller by two at least."""
        for a, part in enumerate(parts):
            for b, other in enumerate(parts):
                if len(part) - len(other) < 2:
                    continue
                rest = tuple(x for place, x in enumerate(parts) if place not in (a, b))
                for item in part:
                    left = tuple(i for i in part if i != item)
                    yield _in_order((*rest, left, tuple(sorted((*other, item)))))

    def similarities(self, parts: Parts, combine: Any) -> Iterator[float]:
        """Yield the similarity of the cluster with its parts, both ways round."""
        for alignment in self._alignments(parts):
            yield split_merge(
                alignment, score=self.score, combine=combine, distances=self.between
            )


def _partitions(size: int) -> Iterator[Parts]:
    """Yield the partitions of the first items, the parts in the order of their first items."""
    if size == 0:
        yield ()
        return
    last = size - 1
    for parts in _partitions(last):
        for place, part in enumerate(parts):
            yield (*parts[:place], (*part, last), *parts[place + 1 :])
        yield (*parts, (last,))


def _in_order(parts: Parts) -> Parts:
    return tuple(sorted(parts))


def _general_position() -> FloatArray:
    """Return points of the plane in general position: no two groups have one centre.

    The square roots of primes are linearly independent over the rationals.
    """
    roots = np.sqrt(np.array(_PRIMES, dtype=np.float64)) % 1.0
    points: FloatArray = roots.reshape(_MOST, 2)
    return points


def _number_of(distances: Any) -> int:
    """Return how many items some distances are of; a function tells of any number."""
    if callable(distances):
        return _MOST
    shape = np.shape(distances)
    if len(shape) == 1:  # condensed
        return math.isqrt(2 * shape[0]) + 1
    return shape[0] if shape else 0
