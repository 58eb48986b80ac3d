"""All benchmarks in one report: ``python -m bench [--quick] [--only PATTERN] [--list]``.

``python -m bench.SUBJECT`` with the same options takes one subject. Peers that are not
installed are named; the exit code is 1 if two sides find different values.
"""

from __future__ import annotations

import sys

from bench import (
    border,
    consensus,
    coreference,
    covers,
    engines,
    field,
    growth,
    hierarchies,
    inference,
    labels,
    measures,
    scale,
    shared_task,
    simd,
    solvers,
    table,
    thresholds,
    workers,
)
from bench.harness import report

#: In the order of the road.
SUBJECTS = (
    *(labels, border, table, simd, solvers, growth, measures, field, covers),
    *(hierarchies, inference),
    *(consensus, thresholds),
    workers,
    *(scale, engines, coreference, shared_task),
)
STAGES = [stage for subject in SUBJECTS for stage in subject.STAGES]

if __name__ == "__main__":
    sys.exit(report.main(STAGES, "bench"))
