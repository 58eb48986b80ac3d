"""Two workers against one, in CPU on the critical path: as if every thread had a core.

Run ``python -m bench.workers [--quick] [--repetitions R] [--json FILE]``. Both must find the
same before anything is timed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from bench import many, measuring, peers, stages
from bench.__main__ import main
from bench.workloads import DESCRIPTIONS, make

WORKERS = 2
TABLES = ("W5", "W8")
ASKED = 1.5
ITEMS = 20_000

_Call = Callable[[int], Any]


def stage(quick: bool, repetitions: int) -> Iterator[stages.Line]:
    """Yield one worker over two; the largest table is left out if quick."""
    for name in TABLES[:1] if quick else TABLES:
        workload = make(name, quick=quick)
        problem = f"table, {name}: {DESCRIPTIONS[name]}"
        table = partial(peers.partwise_contingency, workload)
        yield _line(problem, table, lambda found: found.counts, repetitions, ASKED)
    count = many.CLUSTERINGS // many.QUICK if quick else many.CLUSTERINGS
    given = many.clusterings(count, ITEMS)

    def pairwise(workers: int) -> Any:
        return peers.need("partwise").pairwise(given, "adjusted_rand_index", workers=workers)

    problem = f"pairwise adjusted_rand_index, {count} clusterings of {ITEMS:,} items"
    yield _line(problem, pairwise, np.asarray, repetitions)


def _line(
    problem: str,
    call: _Call,
    values: Callable[[Any], Any],
    repetitions: int,
    asked: float | None = None,
) -> stages.Line:
    if not np.array_equal(values(call(WORKERS)), values(call(1))):
        raise SystemExit(f"{problem}: {WORKERS} workers find something else than one")
    pair = measuring.paired_workers(call, WORKERS, repetitions)
    return stages.line(
        problem, "one worker", pair, asked=asked, quantity="CPU on the critical path"
    )


if __name__ == "__main__":
    sys.exit(main(["--only", "workers", *sys.argv[1:]]))
