"""What a cell costs as tables grow, of the measures whose solvers can grow faster.

``python -m bench.growth``. A ratio below 1 says that a cell costs more than in the first table;
the note has the nanoseconds and the exponent of the cost since then.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from bench.harness import peers, report, workloads
from bench.harness.peers import need
from bench.harness.report import Contest, Counted, Sides, Stage
from bench.harness.workloads import Pair

CELLS = "CPU a cell"


def _of_hundreds(n: int) -> Pair:
    """Return independent labels of n/100 clusters each."""
    return workloads.indep(n // 100, n)


def _of_zipf(n: int) -> Pair:
    """Return independent labels, the r-th most frequent in proportion to r^-1.2."""
    first, second = np.random.default_rng(workloads.SEED).zipf(1.2, (2, n)) % 2**40
    return first, second


#: Measure, options, table of so many items, numbers of items: the hard families of each solver.
GROWING: tuple[tuple[str, dict[str, str], str, Callable[[int], Pair], tuple[int, ...]], ...] = (
    *(
        (name, {}, "n/100 x n/100 random", _of_hundreds, (10**4, 10**5, 10**6, 10**7))
        for name in ("pair_sets_index", "classification_accuracy")
    ),
    (
        "mallows_distance",
        {},
        "n/3 x n/3 random",
        lambda n: workloads.indep(n // 3, n),
        (50_000, 100_000, 200_000),
    ),
    (
        "mallows_distance",
        {"cluster_weights": "size"},
        "sizes of zipf(1.2)",
        _of_zipf,
        (100_000, 300_000, 1_000_000),
    ),
)
TIMES = 3


def growth(divisor: int) -> Iterator[Contest]:
    """Yield what a cell costs at each size, over the first size, and the exponent since then.

    Then the sets of measures, which leave these out, beside the table of the same labels.
    """
    for name, options, table, generate, sizes in GROWING:
        first = max(1000, sizes[0] // divisor)
        call = ", ".join([name, *(f"{key}={value}" for key, value in options.items())])
        for size in sizes:
            n = max(1000, size // divisor)
            prepare = partial(_growth, name, tuple(options.items()), generate, first, n)
            yield Contest(
                f"{call}, {table}, n = {n:,}", f"itself at n = {first:,}", prepare, None, CELLS
            )
    for name, measures in (("W4", "default"), ("W4", "all"), ("W5", "default"), ("W5", "all")):
        problem = f'compare, measures="{measures}", {name}: {workloads.DESCRIPTIONS[name]}'
        yield Contest(problem, "our table", partial(_set_beside_table, name, measures, divisor))


def _growth(
    name: str,
    options: tuple[tuple[str, str], ...],
    generate: Callable[[int], Pair],
    first: int,
    n: int,
) -> Counted:
    cells, seconds = _cost(name, options, generate, n)
    first_cells, first_seconds = _cost(name, options, generate, first)
    ratio = first_seconds / first_cells * cells / seconds
    note = f"{seconds / cells * 1e9:.0f} ns a cell of {cells:,}"
    if cells > first_cells:
        grown = math.log(seconds / first_seconds) / math.log(cells / first_cells)
        note += f"; exponent {grown:.2f}"
    return Counted(ratio, note)


@lru_cache(maxsize=64)
def _cost(
    name: str, options: tuple[tuple[str, str], ...], generate: Callable[[int], Pair], n: int
) -> tuple[int, float]:
    """Return the cells of a table, and the least CPU seconds of a measure on it."""
    partwise = need("partwise")
    table = partwise.contingency(*generate(n))
    measure = partial(getattr(partwise, name), **dict(options))
    spent = []
    while len(spent) < TIMES and sum(spent) < 2:
        fresh = replace(table)  # nothing of it is computed yet
        start = time.process_time()
        measure(fresh)
        spent.append(time.process_time() - start)
    return table.n_cells, min(spent)


def _set_beside_table(name: str, measures: str, divisor: int) -> Sides:
    workload = workloads.make(name, divisor)
    compare = partial(need("partwise").compare, workload.a, workload.b, measures=measures)
    return Sides(compare, lambda: peers.contingency(workload))


STAGES = (Stage("growth", "What a cell costs as tables grow", growth),)

if __name__ == "__main__":
    sys.exit(report.main(STAGES, "bench.growth"))
