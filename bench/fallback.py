"""The kernels in NumPy, which an install without a compiler has, against scikit-learn.

Run ``python -m bench.fallback [--quick] [--repetitions R] [--json FILE]``. Labels in, value
out; values are checked before anything is timed.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from functools import partial

from bench import measuring, peers, stages
from bench.__main__ import main
from bench.workloads import DESCRIPTIONS, Workload, make

WORKLOADS = ("W1", "W2", "W3", "W4", "W5", "W6")
ASKED = 1
RELATIVE = 1e-9

Value = Callable[[Workload], float]

CONTESTS: dict[str, tuple[Value, Value]] = {
    "ARI": (peers.partwise_ari, peers.sklearn_ari),
    "V": (peers.partwise_v, peers.sklearn_v),
}


def in_numpy(call: Value, workload: Workload) -> float:
    """Return what the call finds by the kernels in NumPy."""
    kernels = peers.need("partwise._kernels")
    chosen, kernels.impl = kernels.impl, peers.need("partwise._kernels.reference.index")
    try:
        return call(workload)
    finally:
        kernels.impl = chosen


def stage(quick: bool, repetitions: int) -> Iterator[stages.Line]:
    """Yield scikit-learn over the kernels in NumPy."""
    for name in WORKLOADS:
        workload = make(name, quick=quick)
        for measure, (ours, theirs) in CONTESTS.items():
            problem = f"{measure}, {name}: {DESCRIPTIONS[name]}"
            values = in_numpy(ours, workload), theirs(workload)
            if not math.isclose(*values, rel_tol=RELATIVE, abs_tol=RELATIVE):
                raise SystemExit(
                    f"{problem}: partwise {values[0]!r}, scikit-learn {values[1]!r}"
                )
            pair = measuring.paired(
                partial(in_numpy, ours, workload), partial(theirs, workload), repetitions
            )
            yield stages.line(problem, "scikit-learn", pair, asked=ASKED)


if __name__ == "__main__":
    sys.exit(main(["--only", "fallback", *sys.argv[1:]]))
