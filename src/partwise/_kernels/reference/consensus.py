"""The search for a clustering of least expected loss: as in ``csrc/consensus``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise._kernels.reference.shuffle import started
from partwise.numbers.arrays import FloatArray, IntArray

#: Losses by the numbers that the C header gives them.
LINEAR, RAND, NORMALIZED, DISTANCE, NORMALIZED_DISTANCE, SPLIT_MERGE = range(6)
_NEW, _NOWHERE = -1, -2
_WORD = 1 << 64
_EQUAL_COSTS = 1 << 16
#: 1 of the split-merge scores, which are whole numbers of its fractions.
_ONE = 1 << 30


def consensus_run(
    codes: NDArray[np.uint32],
    starts: IntArray,
    weights: NDArray[np.uint32],
    gain: NDArray[np.uint32],
    sums: FloatArray,
    most: float,
    loss: int,
    join: int,
    dense: bool,
    first: IntArray,
    max_clusters: int,
    n_dissolved: int,
    most_passes: int,
    seed: int,
    stream: int,
) -> tuple[IntArray, int, int]:
    """Return the clusters that one run ends with, its passes, and its moves.

    Parameters
    ----------
    codes : ndarray of uint32, shape (n, draws)
        Clusters of each draw, item by item.
    starts : ndarray of int64, shape (draws + 1,)
        The first cluster of each draw, counted through.
    weights : ndarray of uint32, shape (draws,)
    gain : ndarray of uint32, shape (n,)
        Steps of F.
    sums : ndarray of float64, shape (draws,)
        Sum of F over the clusters of each draw.
    most : float
        F(n).
    loss, join : int
        See ``pw_consensus.h``.
    dense : bool
        The layout, which changes no bit.
    first : ndarray of int64, shape (n,)
        Clusters at the start, -1 for items without one.
    max_clusters, n_dissolved, most_passes : int
    seed, stream : int
        Key of the random numbers, 64 bits each.
    """
    search = _Search(codes, starts, weights, gain, sums, most, loss, join, first)
    return search.run(max_clusters, n_dissolved, most_passes, seed, stream)


class _Search:
    def __init__(
        self,
        codes: NDArray[np.uint32],
        starts: IntArray,
        weights: NDArray[np.uint32],
        gain: NDArray[np.uint32],
        sums: FloatArray,
        most: float,
        loss: int,
        join: int,
        first: IntArray,
    ) -> None:
        self.n, self.n_draws = codes.shape
        self.rows = codes.astype(np.int64) + starts[:-1]
        self.weights = weights.astype(np.int64)
        self.weight = int(self.weights.sum())
        self.gain = gain.astype(np.int64)
        self.sums, self.most, self.loss, self.join = sums, most, loss, join
        self.labels = first.copy()
        room = max(int(first.max(initial=-1)) + 1, 8)
        self.counts = np.zeros((int(starts[-1]), room), dtype=np.int64)
        self.sizes = np.zeros(room, dtype=np.int64)
        self.cells = np.zeros(self.n_draws, dtype=np.int64)
        self.total = 0
        if loss == SPLIT_MERGE:
            self.starts = starts
            self.draw_of_row = np.repeat(np.arange(self.n_draws), np.diff(starts))
            self.function = np.concatenate(([0], np.cumsum(self.gain)))
            self.row_sizes = np.bincount(self.rows.ravel(), minlength=int(starts[-1]))

    # ---- an item enters or leaves a cluster ---------------------------------------------

    def enter(self, i: int, k: int) -> None:
        rows = self.rows[i]
        self.cells += self.gain[self.counts[rows, k]]
        self.counts[rows, k] += 1
        self.total += int(self.gain[self.sizes[k]])
        self.sizes[k] += 1
        self.labels[i] = k

    def leave(self, i: int) -> None:
        rows, k = self.rows[i], self.labels[i]
        self.counts[rows, k] -= 1
        self.cells -= self.gain[self.counts[rows, k]]
        self.sizes[k] -= 1
        self.total -= int(self.gain[self.sizes[k]])
        self.labels[i] = -1

    # ---- what a candidate costs -----------------------------------------------------------

    def best(self, i: int, old: int, max_clusters: int) -> int:
        counts = self.counts[self.rows[i]]
        clusters = int(np.count_nonzero(self.sizes))
        chosen = _NEW if clusters < max_clusters or clusters == 0 else _NOWHERE
        met = np.flatnonzero(counts.any(axis=0))
        least: float
        costs: list[float]
        if self.loss == LINEAR or old == _NOWHERE:
            gains = (self.weights[:, None] * self.gain[counts[:, met]]).sum(axis=0)
            steps = self.gain[self.sizes[met]]
            join = (self.join if self.loss == LINEAR else _EQUAL_COSTS) * self.weight
            costs = [
                join * step - (gained << 17)
                for step, gained in zip(steps.tolist(), gains.tolist(), strict=True)
            ]
            least = 0
        else:
            if self.loss == SPLIT_MERGE:
                losses = self.split_merge_losses(i, met)
            else:
                losses = self.losses(counts[:, met], met)
            costs, least = losses[:-1].tolist(), float(losses[-1])
        for k, cost in zip(met.tolist(), costs, strict=True):
            if (
                chosen == _NOWHERE
                or cost < least
                or (cost == least and _preferred(k, chosen, old))
            ):
                chosen, least = k, cost
        return int(np.argmax(self.sizes)) if chosen == _NOWHERE else chosen

    def losses(self, counts: IntArray, met: IntArray) -> FloatArray:
        """Return the summed loss of each candidate, and of a new cluster at the end."""
        counts = np.concatenate([counts, np.zeros((self.n_draws, 1), dtype=np.int64)], axis=1)
        sizes = np.append(self.sizes[met], 0)
        v = (self.total + self.gain[sizes]).astype(np.float64)
        summed = np.zeros(len(sizes))
        for d in range(self.n_draws):  # in this order, so that doubles add up as in C
            c = (self.cells[d] + self.gain[counts[d]]).astype(np.float64)
            summed += float(self.weights[d]) * self.loss_of(self.sums[d], v, c)
        return summed

    def loss_of(self, u: float, v: FloatArray, c: FloatArray) -> FloatArray:
        smaller = np.minimum(u, v)
        if self.loss == RAND:
            chance = v * u / self.most
            return _one_minus(c - chance, (v + u) / 2 - chance)
        if self.loss == NORMALIZED:
            below = self.most - c
            nothing = below == 0
            return np.where(nothing, 0.0, (u + v - 2 * c) / np.where(nothing, 1.0, below))
        if self.loss == DISTANCE:
            return u + v - c - smaller
        return _one_minus(self.most + c - u - v, self.most - smaller)

    # ---- split-merge: see ``pw_consensus_split_merge.c`` ------------------------------------

    def scores(self) -> tuple[IntArray, IntArray, IntArray, IntArray, IntArray, IntArray]:
        """Return sums of F over cells, of scores over items, and scores, by cluster and by row.

        Of the clusters of the candidate by draw and cluster, then of those of the draws.
        """
        cells = self.function[self.counts]
        of_rows = cells.sum(axis=1)
        of_clusters = np.add.reduceat(cells, self.starts[:-1], axis=0)
        rows = _ratio(of_rows, self.function[self.row_sizes])
        clusters = _ratio(of_clusters, self.function[self.sizes])
        over_clusters = np.add.reduceat(self.counts * rows[:, None], self.starts[:-1], axis=0)
        over_rows = (self.counts * clusters[self.draw_of_row]).sum(axis=1)
        return of_clusters, over_clusters, clusters, of_rows, over_rows, rows

    def split_merge_losses(self, i: int, met: IntArray) -> FloatArray:
        """Return what item i, which has no cluster, adds, times -1: as ``losses``."""
        of_clusters, over_clusters, clusters, of_rows, over_rows, rows = self.scores()
        summed = np.zeros(len(met) + 1)
        for d, row in enumerate(self.rows[i].tolist()):
            counts, score = self.counts[row, met], clusters[d, met]
            gained, here = self.gain[counts], rows[row]
            new = _ratio(of_clusters[d, met] + gained, self.function[self.sizes[met] + 1])
            new_here = _ratio(of_rows[row] + gained, self.function[self.row_sizes[row]])
            grown, grown_here = (x.astype(np.float64) for x in (new - score, new_here - here))
            added = (
                grown * over_clusters[d, met].astype(np.float64)
                + grown_here * float(over_rows[row])
                + (counts.astype(np.float64) * grown) * grown_here
                + new.astype(np.float64) * new_here.astype(np.float64)
            )
            weight = float(self.weights[d])
            summed -= weight * np.append(added, float(_ONE) * float(here))
        return summed

    def summed_scores(self) -> float:
        """Return the summed score over the draws, in fractions of 2^60 of an item."""
        _, over_clusters, clusters, _, _, _ = self.scores()
        summed = np.zeros(self.n_draws)
        for k in range(clusters.shape[1]):  # in this order, as in C
            summed += clusters[:, k].astype(np.float64) * over_clusters[:, k]
        total = 0.0
        for weight, score in zip(self.weights.tolist(), summed.tolist(), strict=True):
            total += weight * score
        return total

    # ---- passes ---------------------------------------------------------------------------

    def settle(self, i: int, k: int) -> int:
        if k == _NEW:
            free = np.flatnonzero(self.sizes == 0)
            if len(free) == 0:
                self.counts = np.pad(self.counts, ((0, 0), (0, len(self.sizes))))
                self.sizes = np.pad(self.sizes, (0, len(self.sizes)))
                free = np.flatnonzero(self.sizes == 0)
            k = int(free[0])
        self.enter(i, k)
        return k

    def run(
        self, max_clusters: int, n_dissolved: int, most_passes: int, seed: int, stream: int
    ) -> tuple[IntArray, int, int]:
        self.words = started(seed, stream)
        self.max_clusters, self.most_passes = max_clusters, most_passes
        self.passes = self.moves = 0
        unassigned = np.flatnonzero(self.labels < 0)
        for i in np.flatnonzero(self.labels >= 0).tolist():
            self.enter(i, int(self.labels[i]))
        self.allocate(unassigned)
        self.sweeten()
        self.kept_scores = self.summed_scores() if self.loss == SPLIT_MERGE else 0.0
        for _ in range(n_dissolved):
            if not self.dissolve():
                break
        _, firsts, codes = np.unique(self.labels, return_index=True, return_inverse=True)
        rank = np.argsort(np.argsort(firsts))
        return rank[codes].astype(np.int64), self.passes, self.moves

    def below(self, bound: int) -> int:
        """Return a random number below a bound, as ``pw_random_below``."""
        while True:
            product = int(self.words.random_raw()) * bound
            low = product % _WORD
            if low >= bound or low >= (_WORD - bound) % bound:
                return product >> 64

    def shuffled(self, items: IntArray) -> list[int]:
        order: list[int] = items.tolist()
        for left in range(len(order), 1, -1):
            at = self.below(left)
            order[at], order[left - 1] = order[left - 1], order[at]
        return order

    def allocate(self, items: IntArray) -> None:
        for i in self.shuffled(items):
            self.settle(i, self.best(i, _NOWHERE, self.max_clusters))

    def sweeten(self) -> None:
        moved = 1
        while moved and self.passes < self.most_passes:
            moved = 0
            for i in self.shuffled(np.arange(self.n)):
                old = int(self.labels[i])
                alone = self.sizes[old] == 1
                self.leave(i)
                k = self.best(i, _NEW if alone else old, self.max_clusters)
                k = self.settle(i, old if alone and k == _NEW else k)
                moved += k != old
            self.moves += moved
            self.passes += 1

    def dissolve(self) -> bool:
        """Dissolve a random cluster and look whether that pays; False: none is left to."""
        larger = np.flatnonzero(self.sizes > 1)
        if len(larger) == 0:
            return False
        chosen = larger[self.below(len(larger))]
        kept, total, cells = self.labels.copy(), self.total, self.cells.copy()
        items = np.flatnonzero(self.labels == chosen)
        for i in items.tolist():
            self.leave(i)
        self.allocate(items)
        self.sweeten()
        if not self.costs_less(total, cells):
            changed = np.flatnonzero(self.labels != kept).tolist()
            for i in changed:
                self.leave(i)
            for i in changed:
                self.enter(i, int(kept[i]))
        return True

    def costs_less(self, total: int, cells: IntArray) -> bool:
        if self.loss == LINEAR:
            more = sum(
                (now - before) * weight
                for now, before, weight in zip(
                    self.cells.tolist(), cells.tolist(), self.weights.tolist(), strict=True
                )
            )
            dearer = (self.total - total) * self.join * self.weight
            return bool(dearer < more << 17)
        if self.loss == SPLIT_MERGE:
            scores, kept = self.summed_scores(), self.kept_scores
            self.kept_scores = max(scores, kept)
            return scores > kept
        before = now = 0.0
        for d in range(self.n_draws):
            weight, u = float(self.weights[d]), self.sums[d]
            v, c = np.array([total, self.total]), np.array([cells[d], self.cells[d]])
            losses = self.loss_of(u, v.astype(np.float64), c.astype(np.float64))
            before += weight * float(losses[0])
            now += weight * float(losses[1])
        return now < before


def _ratio(part: IntArray, total: Any) -> IntArray:
    """Return ``part / total`` in fractions of 2^30, rounded; 1 where ``total`` is 0."""
    below = np.where(total == 0, 1, total).astype(np.float64)
    shares = np.floor(part.astype(np.float64) / below * _ONE + 0.5).astype(np.int64)
    scores: IntArray = np.where(total == 0, _ONE, shares)
    return scores


def _one_minus(above: FloatArray, below: FloatArray) -> FloatArray:
    nothing = below == 0
    return np.where(nothing, 0.0, 1 - above / np.where(nothing, 1.0, below))


def _preferred(k: int, chosen: int, old: int) -> bool:
    if chosen == old:
        return False
    return k == old or chosen == _NEW or k < chosen


__all__ = ["consensus_run"]
