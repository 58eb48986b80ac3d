"""From labels to one value, against scikit-learn and scikit-image; memory of the table.

Run ``python -m bench.scores [--quick] [--repetitions R] [--json FILE]``. Values are checked
before anything is timed. scikit-learn has no S_H: its V-measure, which sums the same entropies,
stands beside it.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import partial
from typing import Any

import numpy as np

from bench import measuring, peers, stages
from bench.__main__ import main
from bench.workloads import DESCRIPTIONS, Workload, make

WORKLOADS = ("W2", "W3", "W4", "W5")
MEMORY_WORKLOADS = ("W4", "W5")
ASKED_OF_SKLEARN, ASKED_OF_SKIMAGE = 30, 10
#: Extra memory that is asked for: so many times the result and an int32 copy a side.
RESULTS, COPY_BYTES = 1.3, 4
RELATIVE = 1e-9

Value = Callable[[Workload], float]


def s_entropy(workload: Workload) -> float:
    return float(peers.need("partwise").s_entropy(workload.a, workload.b))


def variation_of_information(workload: Workload) -> float:
    return float(peers.need("partwise").variation_of_information(workload.a, workload.b))


def skimage_vi(workload: Workload) -> float:
    """Return the variation of information in nats; scikit-image gives two parts in bits."""
    parts = peers.need("skimage.metrics").variation_of_information(workload.a, workload.b)
    return math.log(2) * float(np.sum(parts))


#: Name, ours, the peer's name, the peer's, whether the values are one, the least ratio.
CONTESTS: tuple[tuple[str, Value, str, Value, bool, float], ...] = (
    ("ARI", peers.partwise_ari, "scikit-learn", peers.sklearn_ari, True, ASKED_OF_SKLEARN),
    ("V", peers.partwise_v, "scikit-learn", peers.sklearn_v, True, ASKED_OF_SKLEARN),
    ("S_H", s_entropy, "scikit-learn's V", peers.sklearn_v, False, ASKED_OF_SKLEARN),
    ("VI", variation_of_information, "scikit-image", skimage_vi, True, ASKED_OF_SKIMAGE),
)


def stage(quick: bool, repetitions: int) -> Iterator[stages.Line]:
    """Yield the values of every workload, then memory."""
    for name in WORKLOADS:
        workload = make(name, quick=quick)
        for measure, ours, peer, theirs, same, asked in CONTESTS:
            problem = f"{measure}, {name}: {DESCRIPTIONS[name]}"
            try:
                values = ours(workload), theirs(workload)
            except peers.AbsentError as error:
                yield stages.absent(problem, peer, error, asked)
                continue
            if same and not math.isclose(*values, rel_tol=RELATIVE):
                raise SystemExit(f"{problem}: partwise {values[0]!r}, {peer} {values[1]!r}")
            pair = measuring.paired(
                partial(ours, workload), partial(theirs, workload), repetitions
            )
            yield stages.line(problem, peer, pair, asked=asked)
    for name in MEMORY_WORKLOADS:
        yield _memory(make(name, quick=quick))


def _memory(workload: Workload) -> stages.Line:
    """Return what may be used over the peak extra memory of the table."""
    result = size_of(peers.partwise_contingency(workload))
    peak = measuring.peaks_in_processes(workload, [peers.CONTINGENCY])[peers.CONTINGENCY.name]
    allowed = RESULTS * result + 2 * COPY_BYTES * workload.n
    return stages.Line(
        f"peak extra memory of the table, {workload.name}",
        f"{RESULTS} x the result + an int32 copy a side",
        (allowed / peak,),
        asked=1,
        quantity="bytes",
        note=f"result {result / 1e6:.0f} MB, peak {peak / 1e6:.0f} MB",
    )


def size_of(table: Any) -> int:
    """Return the bytes of a table's arrays."""
    values = (getattr(table, field.name) for field in fields(table))
    return sum(value.nbytes for value in values if isinstance(value, np.ndarray))


if __name__ == "__main__":
    sys.exit(main(["--only", "scores", *sys.argv[1:]]))
