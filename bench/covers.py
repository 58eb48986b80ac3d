"""Clusterings that overlap: ``python -m bench.covers``.

cdlib and clusim go through all pairs of items or of clusters, so they get as many as they
finish. clusim's information mixes in the wrong probability, and cdlib's omega index takes the
covered items as all items: covers here leave no item out, and values that should be equal are
compared. Last, time and peak memory of our own calls a membership, as covers grow.
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any

import numpy as np

from bench.harness import report, workloads
from bench.harness.peers import need
from bench.harness.report import Contest, Counted, Sides, Stage

#: Items where a peer goes through all pairs of items, the pairs inside clusters, all pairs of
#: clusters; and the items of a cluster in its first round.
ITEMS_OF_PAIRS, ITEMS_OF_SHARED_PAIRS, ITEMS_OF_CLUSTER_PAIRS = 2000, 50_000, 4000
PER_CLUSTER = 40
MOVED, ASKED, LEAST = 0.1, 20, 100
GROWN = (10**5, 10**6)
MEASURES = (
    *("omega_index", "overlapping_mutual_information", "extended_b_cubed", "average_f1"),
)
#: Bytes a membership, at the peak of a call.
MEMORY = "memory a membership"

Lists = list[list[int]]


@lru_cache(maxsize=2)
def covers(items: int) -> tuple[Any, Any]:
    """Return two covers: each item in one cluster, as many memberships again at random.

    A tenth of the memberships of the second are in another cluster.
    """
    random = np.random.default_rng(workloads.SEED)
    clusters = max(items // PER_CLUSTER, 2)
    members = np.concatenate([np.arange(items), random.integers(0, items, items)])
    of_first = random.integers(0, clusters, len(members))
    moved = random.random(len(members)) < MOVED
    of_second = np.where(moved, random.integers(0, clusters, len(members)), of_first)
    made = need("partwise").Cover.from_memberships
    return made(members, of_first, n_items=items), made(members, of_second, n_items=items)


def against_peers(divisor: int) -> Iterator[Contest]:
    """Yield each peer's call over ours, from its own object and ours."""
    pairs, shared, cells = (
        max(items // divisor, LEAST)
        for items in (ITEMS_OF_PAIRS, ITEMS_OF_SHARED_PAIRS, ITEMS_OF_CLUSTER_PAIRS)
    )
    peers: tuple[tuple[str, str, int, dict[str, str], Callable[[int], Any]], ...] = (
        ("cdlib", "omega_index", pairs, {}, partial(_by_cdlib, "omega")),
        ("clusim", "omega_index", shared, {}, partial(_by_clusim, "omega_index")),
        (
            "cdlib",
            "overlapping_mutual_information",
            cells,
            {"normalizer": "max"},
            partial(_by_cdlib, "overlapping_normalized_mutual_information_MGH"),
        ),
        (
            "cdlib",
            "overlapping_mutual_information",
            cells,
            {"normalizer": "lfk"},
            partial(_by_cdlib, "overlapping_normalized_mutual_information_LFK"),
        ),
    )
    for peer, measure, items, options, call in peers:
        words = "".join(f", {value}" for value in options.values())
        problem = f"{measure}{words}, {items:,} items"
        yield Contest(problem, peer, partial(_sides, items, measure, options, call), ASKED)


def _sides(
    items: int, measure: str, options: dict[str, str], peer: Callable[[int], Any]
) -> Sides:
    ours = partial(getattr(need("partwise"), measure), *covers(items), **options)
    return Sides(ours, peer(items), float, float, absolute=1e-9)


def _lists(items: int) -> tuple[Lists, Lists]:
    first, second = (list(cover.clusters().values()) for cover in covers(items))
    return first, second


def _by_cdlib(name: str, items: int) -> Callable[[], float]:
    graph = need("networkx").empty_graph(items)
    made = need("cdlib").NodeClustering
    sides = [made(clusters, graph, overlap=True) for clusters in _lists(items)]
    call = getattr(need("cdlib.evaluation"), name)
    return lambda: float(call(*sides).score)


def _by_clusim(name: str, items: int) -> Callable[[], float]:
    clustering = need("clusim.clustering").Clustering
    sides = [clustering().from_cluster_list(clusters) for clusters in _lists(items)]
    call = getattr(need("clusim.sim"), name)
    return lambda: float(call(*sides))


def growth(divisor: int) -> Iterator[Contest]:
    """Yield the peak memory a membership of our calls, that of the first size over it."""
    first = max(GROWN[0] // divisor, LEAST)
    for measure in MEASURES:
        for size in GROWN:
            items = max(size // divisor, LEAST)
            prepare = partial(_growth, measure, first, items)
            yield Contest(
                f"{measure}, n = {items:,}", f"itself at n = {first:,}", prepare, None, MEMORY
            )


def _growth(measure: str, first: int, items: int) -> Counted:
    before, _, _ = _peak(measure, first)
    peak, seconds, memberships = _peak(measure, items)
    note = f"{peak:.0f} bytes a membership of {memberships:,}, {seconds:.2f} s"
    return Counted(before / peak, note)


@lru_cache
def _peak(measure: str, items: int) -> tuple[float, float, int]:
    """Return the peak memory a membership, the seconds, and the memberships of both sides."""
    sides = covers(items)
    call = partial(getattr(need("partwise"), measure), *sides)
    memberships = sum(side.n_memberships for side in sides)
    start = time.perf_counter()
    call()
    seconds = time.perf_counter() - start
    tracemalloc.start()
    try:
        call()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    return peak / memberships, seconds, memberships


STAGES = (
    Stage("covers", "Clusterings that overlap", against_peers, ("cdlib", "clusim")),
    Stage("covers_growth", "Clusterings that overlap, as they grow", growth),
)

if __name__ == "__main__":
    sys.exit(report.main(STAGES, "bench.covers"))
