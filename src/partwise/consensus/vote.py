"""A majority vote of many clusterings, after their clusters were matched to one of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from partwise import _kernels, solvers
from partwise._kernels.long_columns import repeated
from partwise._kernels.workers import map_blocks, read_workers
from partwise.consensus.ensemble import Ensemble, many_of, read_ensemble
from partwise.consensus.expected_loss import medoid_of
from partwise.consensus.losses import LossName, read_loss
from partwise.labels.account import counted
from partwise.labels.clustering import first_appearance_labels
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.report.brief import Brief
from partwise.report.json_documents import JsonResult, packed, unpacked
from partwise.report.table import Table, Tabular
from partwise.typing import Column, Labels

_MOST_ROUNDS = 100


@dataclass(frozen=True, eq=False, repr=False)
class MajorityVote(Brief, Tabular, JsonResult):
    """What most draws say of each item, once their clusters bear the names of one of them.

    Attributes
    ----------
    labels : ndarray of int64, shape (n,)
        Clusters numbered by first item, in the order of the first draw.
    shares : ndarray of float64, shape (n,)
        Share of the draws that put the item there, in (0, 1].
    pivot : int
        The draw whose clusters were the first names.
    rounds : int
        Votes until nothing changed.
    """

    _schema: ClassVar[str] = "majority-vote/1"

    labels: IntArray
    shares: FloatArray
    pivot: int
    rounds: int

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; arrays as lists."""
        return {
            "labels": self.labels.tolist(),
            "shares": self.shares.tolist(),
            "pivot": self.pivot,
            "rounds": self.rounds,
        }

    def heading(self) -> list[str]:
        """Return how many clusters there are, and how the vote went."""
        clusters = counted(int(self.labels.max(initial=-1)) + 1, "cluster")
        items = counted(len(self.labels), "item")
        return [
            f"{clusters} of {items}; {counted(self.rounds, 'round')}, first names of draw "
            f"{self.pivot}"
        ]

    def table(self) -> Table:
        """Return the table of the clusters: their items, and the least and mean share."""
        sizes = np.bincount(self.labels)
        sums = np.bincount(self.labels, weights=self.shares)
        least = np.ones(len(sizes))
        np.minimum.at(least, self.labels, self.shares)
        means = np.divide(sums, sizes, out=np.zeros(len(sizes)), where=sizes > 0)
        columns = (range(len(sizes)), sizes.tolist(), means.tolist(), least.tolist())
        header = ("cluster", "items", "mean share", "least share")
        return Table(header, list(zip(*columns, strict=True)))

    def _document(self) -> dict[str, Any]:
        arrays = {"labels": packed(self.labels), "shares": packed(self.shares)}
        return {"notes": [], **self.to_dict(), **arrays}

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        return cls(
            labels=unpacked(document["labels"]),
            shares=unpacked(document["shares"]),
            pivot=document["pivot"],
            rounds=document["rounds"],
        )


def majority_vote(
    draws: Column | Iterable[Labels],
    *,
    loss: LossName = "vi",
    split_cost: float = 1.0,
    weights: Column | Mapping[Any, float] | None = None,
    workers: int | None = None,
) -> MajorityVote:
    """Vote on the cluster of each item, after matching the clusters of the draws.

    Parameters
    ----------
    draws, loss, split_cost, weights, workers
        See ``expected_loss``. The loss chooses the draw that the others are matched to first.

    Returns
    -------
    MajorityVote

    Raises
    ------
    ValueError, TypeError
        As ``expected_loss``.

    Notes
    -----
    The clusters of each draw are paired one to one with those of the pivot, at first the
    medoid, so that most items are in pairs; a cluster that is left over votes for none. Each
    item goes to the cluster with most votes, on a tie where it was. The result is the next
    pivot, until nothing changes. It is the optimum of no loss; see ``point_estimate`` for one.
    O(distinct^2 n) for the medoid, then a matching for each distinct draw and round.

    Examples
    --------
    >>> import partwise as pw
    >>> vote = pw.majority_vote([[0, 0, 1, 1], [5, 5, 5, 2], [7, 7, 3, 3]])
    >>> vote.labels.tolist(), vote.shares.round(2).tolist()
    ([0, 0, 1, 1], [1.0, 1.0, 0.67, 1.0])
    """
    name, cost = read_loss(loss, split_cost)
    ensemble = read_ensemble(draws, weights)
    threads = read_workers(workers)
    pivot = medoid_of(ensemble, name, cost, threads).index
    labels = ensemble.codes[ensemble.distinct[pivot]].astype(np.int64)
    rounds, share = 0, np.ones(ensemble.n_items)
    while rounds < _MOST_ROUNDS:
        rounds += 1
        chosen, share = _vote(labels, ensemble, threads)
        if np.array_equal(chosen, labels):
            break
        labels = chosen
    return MajorityVote(first_appearance_labels(labels), share, pivot, rounds)


def _vote(labels: IntArray, ensemble: Ensemble, threads: int) -> tuple[IntArray, FloatArray]:
    """Return the cluster with most votes for each item, and its share."""
    n = ensemble.n_items
    names, pivot = _kernels.impl.encode(labels)
    many = many_of(np.concatenate([pivot.astype(np.uint32)[None], ensemble.codes]))

    def matched(j: int) -> IntArray:
        table = many.table(0, j + 1)
        plan = solvers.match(table)
        of_cluster = np.full(table.shape[1], -1, dtype=np.int64)
        of_cluster[plan.cols] = plan.rows
        voted: IntArray = of_cluster[ensemble.codes[j]]
        return voted

    items, clusters, votes = [], [], []
    numbers = range(len(ensemble.codes))
    every_vote = map_blocks(matched, numbers, threads)
    for weight, voted in zip(ensemble.weights.tolist(), every_vote, strict=True):
        there = np.flatnonzero(voted >= 0)
        items.append(there)
        clusters.append(voted[there])
        votes.append(np.full(len(there), weight))
    keys = np.concatenate(items) * len(names) + np.concatenate(clusters)
    cells, places = _kernels.impl.encode(keys)
    votes_of_cell = np.bincount(places, weights=np.concatenate(votes), minlength=len(cells))
    of_item, of_cluster = cells // len(names), cells % len(names)
    starts = np.flatnonzero(np.diff(of_item, prepend=-1))
    most = np.maximum.reduceat(votes_of_cell, starts) if len(starts) else votes_of_cell
    best = np.flatnonzero(votes_of_cell == repeated(most, np.diff(starts, append=len(cells))))
    # of equals the first, but rather the cluster where the item was
    stays = best[of_cluster[best] == pivot[of_item[best]]]
    chosen, share_of = pivot.copy(), np.zeros(n)
    for own in (best[::-1], stays):  # the last one written is kept
        chosen[of_item[own]] = of_cluster[own]
        share_of[of_item[own]] = votes_of_cell[own]
    # added up as the votes of a cell are, so that all of them are exactly 1
    all_votes = np.bincount(np.zeros(len(numbers), dtype=np.int64), weights=ensemble.weights)
    return names[chosen], share_of / all_votes
