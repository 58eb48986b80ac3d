"""The table at every vector level of the processor: ``python -m bench.simd``.

NumPy counts and sorts with the widest vectors that the processor has; beside it stands a NumPy
without AVX-512, in a process of its own. Every line says how far ours is from the memory floor:
the time in which the bytes that a table must move go through the memory of this machine.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import numpy as np

from bench.harness import measuring, peers, report
from bench.harness.peers import need
from bench.harness.report import Contest, Counted, Stage
from bench.harness.workloads import DESCRIPTIONS, make

#: Workload, peer, the least ratio asked at AVX-512, and at AVX2 with AVX2 on NumPy's side.
TABLES = (
    ("W2", "np.bincount", 4.0, None),
    ("W3", "np.bincount", 2.7, None),
    ("W4", "np.unique", 2.2, 2.2),
    ("W5", "np.unique", 1.9, 2.3),
    ("W5 all", "np.unique", 1.4, 1.3),
    ("W4 row", "np.unique", 1.4, None),
    ("W6", "duckdb", 5.0, None),
)
#: What NumPy is kept from: it then sorts and sums as on a processor with AVX2 only.
WITHOUT_AVX512 = "X86_V4 AVX512_ICL"
LEVELS = ("none", "avx2", "avx512")
TURNS = 7


def contests(divisor: int) -> Iterator[Contest]:
    """Yield the peers' tables over ours, level by level."""
    for name, peer, widest, narrow in TABLES:
        problem = f"{name}: {DESCRIPTIONS[name]}"
        for level in LEVELS:
            asked = widest if level == "avx512" else None
            prepare = partial(_at_level, name, divisor, peer, level, "")
            yield Contest(f"{problem}, {level}", peer, prepare, asked)
        if peer == "duckdb":
            continue
        prepare = partial(_at_level, name, divisor, peer, "avx2", WITHOUT_AVX512)
        yield Contest(f"{problem}, avx2", f"{peer} without AVX-512", prepare, narrow)


def _at_level(name: str, divisor: int, peer: str, level: str, disabled: str) -> Counted:
    """Measure in a process of its own, which has the level and the NumPy that are wanted."""
    levels = need("partwise._kernels").vector_levels
    if level not in levels:
        raise SystemExit(f"this processor has the levels {', '.join(levels)} only")
    if peer == "duckdb":
        need("duckdb")
    command = [sys.executable, "-m", "bench.simd", "--measure", name, str(divisor), peer]
    variables = {"PARTWISE_VECTOR": level, "NPY_DISABLE_CPU_FEATURES": disabled}
    environment = {**os.environ, **variables}
    if not disabled:
        del environment["NPY_DISABLE_CPU_FEATURES"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr.strip().splitlines()[-1])
    line = json.loads(done.stdout)
    note = (
        f"ours {line['ours']:.1f} ms, peer {line['peer']:.1f} ms, least and largest ratio "
        f"{line['least']:.2f} and {line['most']:.2f}; memory floor {line['floor']:.1f} ms "
        f"({line['bytes'] / 1e6:.0f} MB at {line['bandwidth'] / 1e9:.1f} GB/s), "
        f"ours is {line['ours'] / line['floor']:.1f} times that"
    )
    return Counted(line["ratio"], note)


# ---- in the process of its own -------------------------------------------------------


def measure(name: str, divisor: int, peer: str) -> dict[str, float]:
    """Return the CPU of both sides in turn, and the memory floor of the table."""
    workload = make(name, divisor)
    ours = partial(peers.contingency, workload)
    theirs = partial(peers.TABLE_PEERS[peer], workload)
    table = ours()
    if peers.shape_of(table) != peers.shape_of(theirs()):
        raise SystemExit(f"{name}: partwise and {peer} find different tables")
    moved = workload.a.nbytes + workload.b.nbytes + 16 * len(table.counts)
    del table
    pair = measuring.paired(ours, theirs, TURNS)
    mine, other = pair.milliseconds
    ratios = sorted(pair.ratios)
    bandwidth = read_bandwidth()
    return {
        "ours": mine,
        "peer": other,
        "ratio": ratios[len(ratios) // 2],
        "least": ratios[0],
        "most": ratios[-1],
        "bytes": moved,
        "bandwidth": bandwidth,
        "floor": 1e3 * moved / bandwidth,
    }


@cache
def read_bandwidth() -> float:
    """Return the bytes that this process reads in a second of CPU, at best of a few turns."""
    array: Any = np.ones(1 << 24)
    least = min(measuring.user_seconds(array.max, 20) for _ in range(5))
    return float(array.nbytes / least)


STAGES = (Stage("simd", "Vector levels", contests, ("duckdb",)),)

if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure(sys.argv[2], int(sys.argv[3]), sys.argv[4])))
    else:
        sys.exit(report.main(STAGES, "bench.simd"))
