"""From labels to the table: compiled, without a compiler, on small inputs.

``python -m bench.table``. np.bincount and np.unique are handed the range of the labels; only
np.unique and partwise return the cells in order.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import partial
from typing import Any

import numpy as np

from bench import small_calls
from bench.harness import measuring, peers, report
from bench.harness.peers import need
from bench.harness.report import Contest, Counted, Sides, Stage, same
from bench.harness.workloads import DESCRIPTIONS, make

# ---- the table -----------------------------------------------------------------------

#: Workload, peer, the least ratio that the project aims at.
TABLES = (
    ("W1", "np.bincount", 1.5),
    ("W2", "np.bincount", 1.8),
    ("W3", "np.bincount", 2.0),
    ("W8", "np.bincount", 2.5),
    ("W4", "np.unique", 1.5),
    ("W5", "np.unique", 1.8),
    ("W6", "duckdb", 3.5),
    ("W4 sorted", "np.unique", 4.0),
    ("W4 cell", "np.unique", 1.0),
    ("W4 row", "np.unique", 1.2),
    ("W4 column", "np.unique", 1.2),
    ("W4 noise", "np.unique", 1.1),
)
ASKED_OF_FRESH = 1.2


def contingency(divisor: int) -> Iterator[Contest]:
    """Yield the peers' tables over ours."""
    for name, peer, asked in TABLES:
        problem = f"{name}: {DESCRIPTIONS[name]}"
        prepare = partial(_table, name, divisor, peer, peers.contingency)
        yield Contest(problem, peer, prepare, asked)
        if name == "W4":
            prepare = partial(_table, name, divisor, peer, peers.fresh_contingency)
            note = "our working memory given back before each call"
            yield Contest(problem, peer, prepare, ASKED_OF_FRESH, note=note)
    for name in ("W4", "W5"):
        yield Contest(
            f"peak extra memory of the table, {name}",
            f"{RESULTS} x the result + an int32 copy a side",
            partial(_memory, name, divisor),
            1,
            "bytes",
        )


def _table(name: str, divisor: int, peer: str, ours: Callable[[Any], Any]) -> Sides:
    workload = make(name, divisor)
    calls = partial(ours, workload), partial(peers.TABLE_PEERS[peer], workload)
    return Sides(*calls, peers.shape_of, relative=0)


#: Memory that is asked for: so many times the result, and an int32 copy a side.
RESULTS, COPY_BYTES = 1.3, 4


def _memory(name: str, divisor: int) -> Counted:
    """Return what may be used over the peak extra memory of the table."""
    workload = make(name, divisor)
    result = size_of(peers.contingency(workload))
    peak = measuring.peak_of_table(workload.a, workload.b)
    allowed = RESULTS * result + 2 * COPY_BYTES * workload.n
    note = f"result {result / 1e6:.0f} MB, peak {peak / 1e6:.0f} MB"
    return Counted(allowed / max(peak, 1), note)


def size_of(table: Any) -> int:
    """Return the bytes of the arrays that a table holds."""
    values = (getattr(table, field.name) for field in fields(table))
    return sum(value.nbytes for value in values if isinstance(value, np.ndarray))


# ---- without a compiler --------------------------------------------------------------

ASKED_OF_FALLBACK = 1
#: Our measure, scikit-learn's.
VALUES = {
    "adjusted_rand_index": "adjusted_rand_score",
    "v_measure": "v_measure_score",
}


def fallback(divisor: int) -> Iterator[Contest]:
    """Yield scikit-learn over the kernels in NumPy, labels in, value out."""
    for name in ("W1", "W2", "W3", "W4", "W5", "W6"):
        for measure in VALUES:
            problem = f"{measure}, {name}: {DESCRIPTIONS[name]}"
            yield Contest(
                problem, "scikit-learn", partial(_fallback, name, divisor, measure), 1
            )


def _fallback(name: str, divisor: int, measure: str) -> Sides:
    workload = make(name, divisor)
    return Sides(
        partial(in_numpy, partial(peers.score, workload, measure)),
        partial(peers.sklearn_score, workload, VALUES[measure]),
        same,
        absolute=1e-9,
    )


def in_numpy(call: Callable[[], Any]) -> Any:
    """Return what the call finds by the kernels in NumPy."""
    kernels: Any = need("partwise._kernels")
    chosen, kernels.impl = kernels.impl, need("partwise._kernels.reference.index")
    try:
        return call()
    finally:
        kernels.impl = chosen


STAGES = (
    Stage("contingency", "Labels in, table out", contingency, ("duckdb",)),
    Stage("small_calls", "Small inputs", small_calls.contests, ("scikit-learn",)),
    Stage("fallback", "The kernels in NumPy, without a compiler", fallback, ("scikit-learn",)),
)

if __name__ == "__main__":
    sys.exit(report.main(STAGES, "bench.table"))
