"""The search for a clustering of least expected loss: as in ``csrc/consensus``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from partwise._kernels.reference.consensus_scores import Scores, in_order
from partwise._kernels.reference.shuffle import started
from partwise._kernels.threads import look_for_interrupt
from partwise.numbers.arrays import FloatArray, IntArray

#: Losses by the numbers that the C header gives them.
LINEAR, RAND, NORMALIZED, DISTANCE, NORMALIZED_DISTANCE, SPLIT_MERGE = range(6)
_NEW, _NOWHERE = -1, -2
_WORD = 1 << 64
_EQUAL_COSTS = 1 << 16
#: Random items and draws that are looked at for one where something changes.
_TURNS = 16


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
    n_disturbed: int,
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
    max_clusters, n_disturbed, most_passes : int
    seed, stream : int
        Key of the random numbers, 64 bits each.
    """
    search = _Search(codes, starts, weights, gain, sums, most, loss, join, first)
    return search.run(max_clusters, n_disturbed, most_passes, seed, stream)


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
        self.clusters = 0
        self.cells = np.zeros(self.n_draws, dtype=np.int64)
        self.total = 0
        self.kept_scores = 0.0
        self.scores = None if loss != SPLIT_MERGE else Scores(self.rows, starts, self.gain)

    # ---- an item enters or leaves a cluster ---------------------------------------------

    def enter(self, i: int, k: int) -> None:
        rows = self.rows[i]
        self.cells += self.gain[self.counts[rows, k]]
        self.counts[rows, k] += 1
        self.total += int(self.gain[self.sizes[k]])
        self.clusters += int(self.sizes[k] == 0)
        self.sizes[k] += 1
        self.labels[i] = k

    def leave(self, i: int) -> None:
        rows, k = self.rows[i], self.labels[i]
        self.counts[rows, k] -= 1
        self.cells -= self.gain[self.counts[rows, k]]
        self.sizes[k] -= 1
        self.clusters -= int(self.sizes[k] == 0)
        self.total -= int(self.gain[self.sizes[k]])
        self.labels[i] = -1

    # ---- what a candidate costs -----------------------------------------------------------

    def best(self, i: int, own: int, max_clusters: int) -> int:
        """Return where item i costs least, if it left its cluster."""
        counts, sizes = self.counts[self.rows[i]], self.sizes
        old, others = own, self.clusters
        if own >= 0:
            counts[:, own] -= 1
            sizes = sizes.copy()
            sizes[own] -= 1
            if sizes[own] == 0:
                old, others = _NEW, others - 1
        chosen = _NEW if others < max_clusters or others == 0 else _NOWHERE
        met = np.flatnonzero(counts.any(axis=0))
        least: float
        costs: list[float]
        if self.loss == LINEAR or own == _NOWHERE:
            gains = self.weights @ self.gain[counts[:, met]]
            steps = self.gain[sizes[met]]
            join = (self.join if self.loss == LINEAR else _EQUAL_COSTS) * self.weight
            costs = [
                join * step - (gained << 17)
                for step, gained in zip(steps.tolist(), gains.tolist(), strict=True)
            ]
            least = 0
        else:
            if self.scores is None:
                losses = self.losses(own, counts, sizes, met)
            else:
                losses = self.scores.losses(i, own, counts, sizes, met, self.weights)
            costs, least = losses[:-1].tolist(), float(losses[-1])
        for k, cost in zip(met.tolist(), costs, strict=True):
            if (
                chosen == _NOWHERE
                or cost < least
                or (cost == least and _preferred(k, chosen, old))
            ):
                chosen, least = k, cost
        return int(np.argmax(sizes)) if chosen == _NOWHERE else chosen

    def losses(self, own: int, counts: IntArray, sizes: IntArray, met: IntArray) -> FloatArray:
        """Return the summed loss of each candidate, and of a new cluster at the end.

        Counts, by draw and cluster, and sizes are those without the item.
        """
        total = self.total - self.gain[sizes[own]]
        cells = self.cells - self.gain[counts[:, own]]
        v = (total + self.gain[np.append(sizes[met], 0)]).astype(np.float64)
        joined = np.zeros((self.n_draws, len(v)), dtype=np.int64)
        joined[:, :-1] = counts[:, met]
        c = (cells[:, None] + self.gain[joined]).astype(np.float64)
        weights = self.weights[:, None].astype(np.float64)
        return in_order(weights * self.loss_of(self.sums[:, None], v, c))

    def loss_of(self, u: FloatArray, v: FloatArray, c: FloatArray) -> FloatArray:
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
        if self.scores is not None:
            scores, kept = self.scores.summed(self.weights), self.kept_scores
            self.kept_scores = max(scores, kept)
            return scores > kept
        v = np.array([total, self.total], dtype=np.float64)
        c = np.column_stack([cells, self.cells]).astype(np.float64)
        weights = self.weights[:, None].astype(np.float64)
        before, now = in_order(weights * self.loss_of(self.sums[:, None], v, c))
        return bool(now < before)

    # ---- passes ---------------------------------------------------------------------------

    def new_cluster(self) -> int:
        free = np.flatnonzero(self.sizes == 0)
        if len(free) == 0:
            free = np.array([len(self.sizes)])
            self.counts = np.pad(self.counts, ((0, 0), (0, len(self.sizes))))
            self.sizes = np.pad(self.sizes, (0, len(self.sizes)))
            if self.scores is not None:
                self.scores.widen(len(self.sizes))
        return int(free[0])

    def run(
        self, max_clusters: int, n_disturbed: int, most_passes: int, seed: int, stream: int
    ) -> tuple[IntArray, int, int]:
        self.words = started(seed, stream)
        self.max_clusters, self.most_passes = max_clusters, most_passes
        self.passes = self.moves = 0
        unassigned = np.flatnonzero(self.labels < 0)
        for i in np.flatnonzero(self.labels >= 0).tolist():
            self.enter(i, int(self.labels[i]))
        self.allocate(unassigned)
        self.sweeten()
        if self.scores is not None:
            self.kept_scores = self.scores.summed(self.weights)
        for turn in range(n_disturbed):
            self.disturb((self.dissolve, self.gather, self.merge)[turn % 3])
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
            look_for_interrupt()
            k = self.best(i, _NOWHERE, self.max_clusters)
            self.enter(i, self.new_cluster() if k == _NEW else k)

    def sweeten(self) -> None:
        if self.scores is not None:
            self.scores.start(self.counts, self.sizes)
        moved = 1
        while moved and self.passes < self.most_passes:
            moved = 0
            for i in self.shuffled(np.arange(self.n)):
                look_for_interrupt()
                moved += self.settle(i)
            self.moves += moved
            self.passes += 1

    def settle(self, i: int) -> bool:
        """Move an item to where it costs least; say whether it has moved."""
        own = int(self.labels[i])
        k = self.best(i, own, self.max_clusters)
        if k == own or (k == _NEW and self.sizes[own] == 1):
            return False
        if k == _NEW:
            k = self.new_cluster()
        if self.scores is not None:
            self.scores.before_leaving(i, own, self.counts)
        self.leave(i)
        if self.scores is not None:
            self.scores.changed(i, own, self.counts, self.sizes)
            self.scores.before_entering(i, k, self.counts)
        self.enter(i, k)
        if self.scores is not None:
            self.scores.changed(i, k, self.counts, self.sizes)
        return True

    # ---- what is tried when no item wants to move -------------------------------------------

    def disturb(self, way: Callable[[], bool]) -> None:
        """Change the clusters at random, and keep what comes of it if it costs less."""
        kept, total, cells = self.labels.copy(), self.total, self.cells.copy()
        if not way():
            return
        self.sweeten()
        if not self.costs_less(total, cells):
            different = np.flatnonzero(self.labels != kept).tolist()
            for i in different:
                self.leave(i)
            for i in different:
                self.enter(i, int(kept[i]))

    def dissolve(self) -> bool:
        """Dissolve a cluster and build it again; False: none has two items."""
        larger = np.flatnonzero(self.sizes > 1)
        if len(larger) == 0:
            return False
        items = np.flatnonzero(self.labels == larger[self.below(len(larger))])
        for i in items.tolist():
            self.leave(i)
        self.allocate(items)
        return True

    def gather(self) -> bool:
        """Make a cluster of what a draw has together; False: those looked at are ones."""
        for _ in range(_TURNS):
            own, items = self.chosen()
            if self.sizes[own] == len(items) and (self.labels[items] == own).all():
                continue
            for i in items.tolist():
                self.leave(i)
            k = self.new_cluster() if self.clusters < self.max_clusters else own
            for i in items.tolist():
                self.enter(i, k)
            return True
        return False

    def merge(self) -> bool:
        """Join two clusters that a draw does not keep apart; False: none was met."""
        for _ in range(_TURNS):
            own, items = self.chosen()
            others = items[self.labels[items] != own]
            if len(others) == 0:
                continue
            joined = np.flatnonzero(self.labels == self.labels[others[self.below(len(others))]])
            for i in joined.tolist():
                self.leave(i)
            for i in joined.tolist():
                self.enter(i, own)
            return True
        return False

    def chosen(self) -> tuple[int, IntArray]:
        """Return a random item's cluster, and the items that a random draw has with it."""
        i, d = self.below(self.n), self.below(self.n_draws)
        return int(self.labels[i]), np.flatnonzero(self.rows[:, d] == self.rows[i, d])


def _one_minus(above: FloatArray, below: FloatArray) -> FloatArray:
    nothing = below == 0
    return np.where(nothing, 0.0, 1 - above / np.where(nothing, 1.0, below))


def _preferred(k: int, chosen: int, old: int) -> bool:
    if chosen == old:
        return False
    return k == old or chosen == _NEW or k < chosen


__all__ = ["consensus_run"]
