"""Two workers against one, by CPU on the critical path: as if each had a core.

``python -m bench.workers``. The critical path is what the calling thread takes, and in every
step what the busiest thread takes beyond it. Sizes are such that one worker takes about 50 ms
or more.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import thresholds
from bench.harness import measuring, peers, report
from bench.harness.peers import need
from bench.harness.report import Contest, Counted, Sides, Stage
from bench.harness.workloads import DESCRIPTIONS, SEED, clusterings, make

WORKERS, ASKED = 2, 1.6
#: Of tables, which the caller begins and ends; of sweeps, over what their serial part leaves.
ASKED_OF_TABLES, ASKED_OF_POSSIBLE = 1.5, 0.8
QUANTITY = "CPU on the critical path"
CLUSTERINGS, ITEMS = 200, 20_000


def _by_workers(call: Callable[[int], Any], value: Callable[[Any], Any]) -> Sides:
    calls = partial(call, WORKERS), partial(call, 1)
    return Sides(*calls, value, relative=0, absolute=0, cost=measuring.critical_path)


def _by_default(call: Callable[[], Any], value: Callable[[Any], Any]) -> Sides:
    """Measure a call that has no ``workers=`` and does as ``set_workers`` says."""

    def with_workers(count: int) -> Any:
        need("partwise").set_workers(count)
        try:
            return call()
        finally:
            need("partwise").set_workers(1)

    return _by_workers(with_workers, value)


def _contest(problem: str, prepare: Callable[[], Any], asked: float | None = ASKED) -> Contest:
    return Contest(problem, "one worker", prepare, asked, QUANTITY)


# ---- text and tables -----------------------------------------------------------------

NAMED = 2_000_000
#: Python strings are copied by the thread that holds the interpreter's lock.
FORMS: dict[str, tuple[Callable[[list[str]], Any], float | None]] = {
    "pyarrow": (lambda names: need("pyarrow").array(names), ASKED),
    "pandas": (lambda names: need("pandas").Series(names, dtype="str"), None),
    "NumPy": (np.array, ASKED),
    "list": (lambda names: names, None),
}


def tables(divisor: int) -> Iterator[Contest]:
    """Yield tables of integers and of text."""
    for name in ("W5", "W8"):
        problem = f"table, {name}: {DESCRIPTIONS[name]}"
        yield _contest(problem, partial(_table, name, divisor), ASKED_OF_TABLES)
    n = NAMED // divisor
    for form, (_, asked) in FORMS.items():
        for distinct in (1000, n // 7):
            problem = f"table of {n:,} names a side, {form}, about {distinct:,} distinct"
            yield _contest(problem, partial(_names, form, n, distinct), asked)


def _table(name: str, divisor: int) -> Sides:
    return _by_workers(partial(peers.contingency, make(name, divisor)), peers.shape_of)


def _names(form: str, n: int, distinct: int) -> Sides:
    rng = np.random.default_rng(SEED)
    sides = [
        FORMS[form][0]([f"name {i}" for i in rng.integers(0, distinct, n).tolist()])
        for _ in range(2)
    ]

    def table(workers: int) -> Any:
        return need("partwise").contingency(*sides, workers=workers)

    return _by_workers(table, peers.shape_of)


# ---- items ---------------------------------------------------------------------------

JOINED = 1_000_000
#: Ids of n items.
IDS: dict[str, Callable[[int], NDArray[Any]]] = {
    "text": lambda n: np.array([f"item {i}" for i in range(n)]),
    "integers in a row": np.arange,
    "integers far apart": lambda n: np.random.default_rng(1).integers(0, 2**60, n),
}


def items(divisor: int) -> Iterator[Contest]:
    """Yield the join of two sides by the ids of their items, which stand in other orders."""
    n = JOINED // divisor
    for kind in IDS:
        yield _contest(f"align {n:,} items a side by {kind}", partial(_join, kind, n))


def _join(kind: str, n: int) -> Sides:
    partwise, order = need("partwise"), np.random.default_rng(SEED).permutation(n)
    ids, labels = IDS[kind](n), np.arange(n) % 100
    columns = [ids, ids[order]]
    if kind == "text":
        columns = [need("pyarrow").array(column) for column in columns]

    def align(workers: int) -> Any:
        sides = [partwise.Clustering(labels, items=column) for column in columns]
        return partwise.align(*sides, workers=workers)

    return _by_workers(align, lambda alignment: alignment.candidate.column.codes)


# ---- values --------------------------------------------------------------------------

BLOCKS, BLOCK_ITEMS, BLOCK_CLUSTERS = 100, 30_000, 1000


def values(divisor: int) -> Iterator[Contest]:
    """Yield scores, matchings, expectations and pairs of clusterings."""
    for n, k in ((5_000_000, 500_000), (10_000_000, 1000)):
        own_n, own_k = n // divisor, max(2, k // divisor)
        problem = f"compare, default measures, {own_n:,} items, {own_k:,} clusters"
        yield _contest(problem, partial(_compare, own_n, own_k))
    blocks = max(3, BLOCKS // divisor)
    problem = f"matching by Dice, {blocks} random blocks of {BLOCK_CLUSTERS:,} clusters a side"
    yield _contest(problem, partial(_matching, blocks))
    problem = "expected mutual information, cluster sizes by a power law"
    yield _contest(problem, partial(_expected, 10**8 // divisor))
    count = max(3, CLUSTERINGS // divisor)
    problem = f"pairwise adjusted_rand_index, {count} clusterings of {ITEMS:,} items"
    yield _contest(problem, partial(_pairwise, count))


def _compare(n: int, k: int) -> Sides:
    rng = np.random.default_rng(SEED)
    a, drawn = rng.integers(0, k, (2, n))
    b = np.where(rng.random(n) < 0.3, drawn, a)

    def compare(workers: int) -> Any:
        return need("partwise").compare(a, b, workers=workers)

    return _by_workers(compare, lambda found: list(found.to_dict()["scores"].values()))


def _matching(blocks: int) -> Sides:
    partwise, rng = need("partwise"), np.random.default_rng(SEED)
    block = np.repeat(np.arange(blocks), BLOCK_ITEMS) * BLOCK_CLUSTERS
    a, b = (block + rng.integers(0, BLOCK_CLUSTERS, len(block)) for _ in range(2))
    table = partwise.contingency(a, b)
    gains = partwise.cluster_similarity_matrix(table, similarity="sorensen_dice").data
    return _by_default(partial(partwise.solvers.match, table, gains), lambda found: found.cells)


def _expected(n: int) -> Sides:
    partwise, clusters = need("partwise"), min(3000, n // 10)
    shares = 1 / np.arange(1, clusters + 1)
    shares /= shares.sum()
    sizes = [np.random.default_rng(i).multinomial(n - clusters, shares) + 1 for i in (1, 2)]
    # some table with these sizes: the items of both sides in the order of their clusters
    ends = [np.cumsum(side) for side in sizes]
    cuts = np.union1d(*ends)
    rows, cols = (np.searchsorted(side, cuts) for side in ends)
    counts = np.diff(cuts, prepend=0)

    def expected() -> float:
        table = partwise.Contingency.from_counts(rows, cols, counts)  # which remembers nothing
        return float(partwise.expected_mutual_information(table))

    return _by_default(expected, float)


def _pairwise(count: int) -> Sides:
    inputs = clusterings(count, ITEMS)

    def pairwise(workers: int) -> Any:
        return need("partwise").pairwise(inputs, "adjusted_rand_index", workers=workers)

    return _by_workers(pairwise, np.asarray)


# ---- sweeps --------------------------------------------------------------------------

SWEPT, SWEPT_BY_TABLES, CALLS = 300_000, 20_000, 3
SWEEPS = (
    ("default measures", "default", SWEPT),
    ("adjusted_mutual_information", "adjusted_mutual_information", SWEPT),
    ("f_measure, on tables", "f_measure", SWEPT_BY_TABLES),
)


def sweeps(divisor: int) -> Iterator[Contest]:
    """Yield the speed-up of sweeps over what their serial part, the merges, leaves."""
    for text, measures, size in SWEEPS:
        n = max(100, size // divisor)
        yield Contest(
            *(f"sweep of {n:,} records, {text}", "one worker"),
            *(partial(_sweep, n, measures), ASKED_OF_POSSIBLE),
            "the speed-up by two workers, over what is possible",
        )


def _sweep(n: int, measures: str) -> Counted:
    labels, edges = thresholds.records(n)

    def swept(workers: int) -> list[NDArray[Any]]:
        result = need("partwise").sweep(
            *(labels, edges),
            kind="edges",
            scores="distance",
            measures=measures,
            workers=workers,
        )
        return [result[name] for name in result.measures]

    one, two = partial(swept, 1), partial(swept, WORKERS)
    if any(x.tobytes() != y.tobytes() for x, y in zip(one(), two(), strict=True)):
        raise SystemExit("two workers give other curves than one")
    faster, possible, share = measuring.speed_up(one, two, CALLS)
    note = f"{faster:.2f} times as fast, {possible:.2f} possible: {share:.0%} is serial"
    return Counted(faster / possible, note)


STAGES = (
    Stage("workers_tables", "Two workers: tables", tables),
    Stage("workers_items", "Two workers: items by their ids", items),
    Stage("workers_values", "Two workers: values", values),
    Stage("workers_sweeps", "Two workers: all thresholds", sweeps),
)

if __name__ == "__main__":
    sys.exit(report.main(STAGES, "bench.workers"))
