"""All clusters of a few items, each by the sizes of its parts, with their scores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from partwise.labels import Account
from partwise.measures.split_merge.split_merge import split_merge
from partwise.measures.split_merge.subcomponent_scores import (
    ScoreFunction,
    as_numbers,
    by_entropy,
    by_log_k,
    by_max_share,
)
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.table.contingency import Contingency

#: Sizes of the parts of a cluster, largest first.
PartSizes = tuple[int, ...]


class ClustersOfSizes(NamedTuple):
    """Clusters as a score of sizes tells them apart."""

    score: str | ScoreFunction
    k: int | None = None

    def scores(self, max_size: int) -> dict[PartSizes, float]:
        """Return the score of every cluster of up to so many items."""
        divisions = [parts for size in range(1, max_size + 1) for parts in _partitions(size)]
        values = scores_of_sizes(divisions, self.score, self.k)
        return dict(zip(divisions, values.tolist(), strict=True))

    def size(self, parts: PartSizes) -> int:
        """Return the number of items."""
        return sum(parts)

    def shown(self, parts: PartSizes) -> str:
        """Return the parts as a message shows them."""
        return str(parts)

    def splits(self, parts: PartSizes) -> Iterator[PartSizes]:
        """Yield the cluster with a part broken in two."""
        for i, part in enumerate(parts):
            rest = parts[:i] + parts[i + 1 :]
            for piece in range(1, part // 2 + 1):
                yield _falling((*rest, piece, part - piece))

    def moves(self, parts: PartSizes) -> Iterator[PartSizes]:
        """Yield the cluster with an item moved to a part that is smaller by two at least."""
        for i, part in enumerate(parts):
            for j, other in enumerate(parts):
                if part - other >= 2:
                    rest = tuple(x for index, x in enumerate(parts) if index not in (i, j))
                    yield _falling((*rest, part - 1, other + 1))

    def similarities(self, parts: PartSizes, combine: Any) -> Iterator[float]:
        """Yield the similarity of the cluster with its parts, both ways round."""
        one = _table(parts)
        for table in (one, one.T):
            yield split_merge(table, score=self.score, combine=combine, k=self.k)


def _partitions(size: int, largest: int | None = None) -> Iterator[PartSizes]:
    """Yield the ways to write a size as a falling sum."""
    if size == 0:
        yield ()
        return
    for first in range(min(size, largest or size), 0, -1):
        for rest in _partitions(size - first, first):
            yield (first, *rest)


def _falling(parts: PartSizes) -> PartSizes:
    return tuple(sorted(parts, reverse=True))


def scores_of_sizes(
    divisions: list[PartSizes], score: str | ScoreFunction, k: int | None
) -> FloatArray:
    """Return the scores of clusters that fall into these parts, asked for all at once."""
    sizes = np.array([sum(parts) for parts in divisions])
    indptr = np.concatenate(([0], np.cumsum([len(parts) for parts in divisions])))
    flat = np.array([part for parts in divisions for part in parts])
    if callable(score):
        return one_for_each(score(sizes, indptr, flat), len(divisions))
    if score == "log_k":
        return np.array([by_log_k(_table(parts), k).split.score[0] for parts in divisions])
    table = _table_of_rows(sizes, indptr, flat)
    scored_by = by_entropy if score == "entropy" else by_max_share
    return scored_by(table).split.score


def one_for_each(values: Any, n_clusters: int) -> FloatArray:
    """Return what a function gave, one number for each cluster, whatever it is."""
    scores = as_numbers(values, "score")
    if scores.shape != (n_clusters,):
        raise ValueError(
            f"score gave an array of shape {scores.shape} for {n_clusters} clusters; one "
            "number for each is expected"
        )
    return scores


def _table_of_rows(sizes: IntArray, indptr: IntArray, parts: IntArray) -> Contingency:
    """Return the table whose rows are clusters and whose columns are their parts."""
    cells = indptr, np.arange(len(parts)), parts
    names = np.arange(len(sizes)), np.arange(len(parts))
    return Contingency._of(cells, *names, Account(int(sizes.sum()), "counts"))


def _table(parts: PartSizes) -> Contingency:
    ends = np.array([0, len(parts)])
    return _table_of_rows(np.array([sum(parts)]), ends, np.array(parts))
