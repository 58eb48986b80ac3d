"""Runs of the search for a clustering of least expected loss; the kernel does one run."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels.workers import map_blocks
from partwise.consensus.ensemble import Ensemble
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.real_logarithm import log, log1p
from partwise.progress import track

#: Numbers of the losses in ``csrc/consensus/pw_consensus.h``, and whether F counts pairs.
_KINDS = {
    "binder": (0, True),
    "vi": (0, False),
    "omari": (1, True),
    "nvi": (2, False),
    "id": (3, False),
    "nid": (4, False),
    "s_h": (5, False),
}
#: Fraction bits of the steps of x ln x, and of the cost of joining.
_GAIN_BITS, _COST_BITS = 20, 16
#: Times that a run changes its clusters at random, and passes after which it ends in any case.
_DISTURBED, _MOST_PASSES = 12, 1000
#: Random labels are tried in so small ensembles, whatever the number of clusters, and so many.
_FEW_ITEMS, _FEW_CLUSTERS = 64, 8
#: The dense layout is taken up to so many clusters, and so many times the bytes of the other.
_MOST_DENSE, _MOST_TIMES_SPARSE = 512, 4


@dataclass(frozen=True)
class Run:
    """What a run ended with: clusters by first item, passes over all items, moves."""

    codes: NDArray[np.uint32]
    passes: int
    moves: int


@dataclass(frozen=True)
class Problem:
    """An ensemble in the form that the kernel takes, for one loss."""

    arguments: tuple[Any, ...]
    n_items: int
    largest: int
    dense: bool

    @staticmethod
    def of(
        ensemble: Ensemble, loss: str, split_cost: float, dense: bool | None = None
    ) -> Problem:
        """Prepare an ensemble of at least one item; ``dense`` chooses the layout."""
        kind, counts_pairs = _KINDS[loss]
        n = ensemble.n_items
        if n >= 1 << 31:
            raise ValueError(f"{n} items are more than the 2^31 - 1 that a search takes")
        sizes = ensemble.sizes
        clusters = np.array([len(part) for part in sizes])
        gain = pair_steps(n) if counts_pairs else information_steps(n)
        function = np.concatenate(([0], np.cumsum(gain, dtype=np.int64)))
        sums = np.array([float(function[part].sum()) for part in sizes])
        starts = np.concatenate(([0], np.cumsum(clusters))).astype(np.int64)
        if dense is None:
            wide = int(clusters.max())
            cheap = int(starts[-1]) * wide <= _MOST_TIMES_SPARSE * n * len(sizes)
            dense = wide <= _MOST_DENSE and cheap
        arguments = (
            np.ascontiguousarray(ensemble.codes.T),
            starts,
            ensemble.whole_weights(),
            gain,
            sums,
            float(function[-1]),
            kind,
            round((2 - split_cost) * (1 << _COST_BITS)),
            dense,
        )
        return Problem(arguments, n, int(clusters.max()), dense)

    def run(self, first: IntArray, max_clusters: int, seed: int, stream: int) -> Run:
        """Do one run from clusters of items, -1 for those without."""
        limits = max_clusters, _DISTURBED, _MOST_PASSES
        arguments: tuple[Any, ...] = (*self.arguments, first, *limits, seed, stream)
        labels, passes, moves = _kernels.impl.consensus_run(*arguments)
        return Run(labels.astype(np.uint32), passes, moves)


def pair_steps(n: int) -> NDArray[np.uint32]:
    """Return the steps of x (x - 1) / 2."""
    return np.arange(n, dtype=np.uint32)


def information_steps(n: int) -> NDArray[np.uint32]:
    """Return the steps of x ln x in fractions of 2^20, the first 0."""
    x = np.arange(1, n, dtype=np.float64)
    # (x + 1) ln (x + 1) - x ln x without cancellation
    steps = log(x + 1) + x * log1p(1 / x)
    return np.concatenate(([0], np.rint(steps * (1 << _GAIN_BITS)))).astype(np.uint32)


def start_of_run(ensemble: Ensemble, run: int, seed: int, max_clusters: int) -> IntArray:
    """Return the clusters that a run starts from.

    Of four runs, one starts from none, so that items are put one by one where they cost least,
    two from draws, each another one, and one from random labels: the first time all alike. When
    all draws have had their turn, random labels stand for them; where draws have so many
    clusters that random labels would join nothing, a draw stands for these.
    """
    n, n_draws = ensemble.n_items, len(ensemble.codes)
    if run % 4 == 0:
        return np.full(n, -1, dtype=np.int64)
    random = np.random.default_rng([seed, run])
    if run % 2 == 1 and run // 2 < n_draws:
        number = np.random.default_rng(seed).permutation(n_draws)[run // 2]
    else:
        number = random.integers(n_draws)
    draw = ensemble.codes[number].astype(np.int64)
    clusters = int(draw.max()) + 1
    joining = clusters * clusters <= max(n, _FEW_ITEMS)
    if joining and (run % 2 == 0 or run // 2 >= n_draws):
        most = min(max(clusters, _FEW_CLUSTERS), max_clusters, n)
        several = 1 if run == 2 else int(random.integers(1, most + 1))
        labels: IntArray = random.integers(several, size=n)
        return labels
    return np.where(draw < max_clusters, draw, -1)


def runs_of(
    problem: Problem,
    ensemble: Ensemble,
    runs: int,
    max_clusters: int,
    seed: int,
    seconds: float | None,
    workers: int,
    progress: bool,
) -> Iterator[Run]:
    """Yield the runs in order; none begins after ``seconds``, but the first one always does."""
    started = time.monotonic()

    def one(number: int) -> Run | None:
        late = seconds is not None and time.monotonic() - started > seconds
        if number and late:
            return None
        first = start_of_run(ensemble, number, seed, max_clusters)
        return problem.run(first, max_clusters, seed, number)

    shown = track(range(runs), "searching", progress)
    for _, run in zip(shown, map_blocks(one, range(runs), workers), strict=True):
        if run is not None:
            yield run


def shares_within(
    ensemble: Ensemble, codes: NDArray[np.uint32]
) -> tuple[FloatArray, FloatArray]:
    """Return how sure each cluster is, and each item in its cluster.

    An item: the mean, over the other items of its cluster, of the share of the draws that have
    the two together. A cluster: the mean over its items. 1 for an item alone.
    """
    n = ensemble.n_items
    sizes = np.bincount(codes)
    others = sizes[codes] - 1
    # of all draws by the same steps, so that no rounding keeps what all of them say from 1
    together, most = np.zeros(n), np.zeros(n)
    for row, weight in zip(ensemble.codes, ensemble.weights.tolist(), strict=True):
        both = codes.astype(np.int64) * (int(row.max()) + 1) + row
        _, cells, counts = np.unique(both, return_inverse=True, return_counts=True)
        together += weight * (counts[cells] - 1)
        most += weight * others
    items = np.divide(together, most, out=np.ones(n), where=others > 0)
    return np.bincount(codes, weights=items) / sizes, items
