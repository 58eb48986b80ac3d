"""Two dendrograms: ``python -m bench.hierarchies``.

B_k of all cuts beside one table of as many items, and SciPy's list of all pairs of heights
beside the cophenetic correlation, which lists none.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from statistics import median
from typing import Any

import numpy as np

from bench.harness import report, workloads
from bench.harness.peers import need
from bench.harness.report import Contest, Counted, Sides, Stage

#: Items of the cuts, and those whose pairs SciPy lists.
ITEMS_OF_CUTS, ITEMS_OF_PAIRS = 10**6, 6000
#: Clusters of the table that all cuts are measured by: one for ten items.
ITEMS_A_CLUSTER = 10
#: Tables that all cuts may cost, and the ratio that is asked for beside SciPy.
TABLES, ASKED, LEAST = 30, 20, 100
#: Turns of all cuts and a table.
TURNS = 9


@lru_cache(maxsize=4)
def linkage_of(items: int, seed: int) -> Any:
    """Return the rows of a tree in which random clusters are joined."""
    random = np.random.default_rng(workloads.SEED + seed)
    tops = list(range(items))
    rows = np.empty((items - 1, 3))
    draws = random.random((items - 1, 2)).tolist()
    for step, (first, second) in enumerate(draws):
        at = int(first * len(tops))
        tops[at], tops[-1] = tops[-1], tops[at]
        one = tops.pop()
        at = int(second * len(tops))
        rows[step] = one, tops[at], step + 1
        tops[at] = items + step
    return rows


def _trees(items: int) -> tuple[Any, Any]:
    made = need("partwise").Hierarchy.from_linkage
    return made(linkage_of(items, 0)), made(linkage_of(items, 1))


def _cpu(call: Callable[[], object]) -> float:
    """Return the CPU time of a call."""
    start = time.process_time()
    call()
    return time.process_time() - start


def _all_cuts(items: int) -> Counted:
    partwise = need("partwise")
    trees = _trees(items)
    k = max(items // ITEMS_A_CLUSTER, 1)
    labels = [tree.cut(k) for tree in trees]
    calls = partial(partwise.b_k, *trees), partial(partwise.contingency, *labels)
    for call in calls:
        call()
    # in turns: the machine may become slower or faster meanwhile
    turns = [[_cpu(call) for call in calls] for _ in range(TURNS)]
    cuts, table = (median(times) for times in zip(*turns, strict=True))
    ratio = median(cuts / table for cuts, table in turns)
    note = f"all cuts {cuts:.3f} s, a table {table:.4f} s: {ratio:.1f} tables"
    return Counted(TABLES / ratio, note)


def cuts(divisor: int) -> Iterator[Contest]:
    """Yield the cost of so many tables over that of all cuts."""
    items = max(ITEMS_OF_CUTS // divisor, LEAST)
    problem = f"b_k of all cuts, {items:,} items"
    yield Contest(problem, f"{TABLES} tables", partial(_all_cuts, items), 1)


def _heights(items: int) -> Sides:
    partwise, scipy = need("partwise"), need("scipy.cluster.hierarchy")
    rows = [np.column_stack([linkage_of(items, k), np.ones(items - 1)]) for k in (0, 1)]
    for side in rows:
        sizes = np.ones(2 * items - 1)
        for step, (one, other) in enumerate(side[:, :2].astype(np.int64).tolist()):
            side[step, 3] = sizes[items + step] = sizes[one] + sizes[other]

    def listed() -> float:
        return float(np.corrcoef(scipy.cophenet(rows[0]), scipy.cophenet(rows[1]))[0, 1])

    ours = partial(partwise.cophenetic_correlation, *_trees(items))
    return Sides(ours, listed, float, float, absolute=1e-9)


def pairs(divisor: int) -> Iterator[Contest]:
    """Yield SciPy's heights of all pairs over the correlation of them."""
    items = max(ITEMS_OF_PAIRS // divisor, LEAST)
    problem = f"cophenetic_correlation, {items:,} items"
    yield Contest(problem, "scipy", partial(_heights, items), ASKED)


STAGES = (
    Stage("hierarchy_cuts", "All cuts of two dendrograms", cuts),
    Stage("hierarchy_pairs", "Heights of two dendrograms", pairs, ("scipy",)),
)

if __name__ == "__main__":
    sys.exit(report.main(STAGES, "bench.hierarchies"))
