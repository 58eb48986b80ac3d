"""Instructions of one call on two small arrays, ours and scikit-learn's, under callgrind.

``python -m bench.small_calls [NAME ...] [--items N] [--calls N]``, for any functions of
partwise that take two clusterings; it needs valgrind. A function is run in two processes, one
with N more calls than the other: their difference is the price of N calls, and load on the
machine does not move it.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec

from bench.harness import machine, report
from bench.harness.peers import AbsentError, need
from bench.harness.report import Contest, Counted

#: Ours, and scikit-learn's of the same value.
PEERS = {
    "adjusted_rand_index": "adjusted_rand_score",
    "v_measure": "v_measure_score",
    "normalized_mutual_information": "normalized_mutual_info_score",
    "pair_confusion": "pair_confusion_matrix",
}
#: The least ratio that the project aims at.
ASKED = {"adjusted_rand_index": 20}
ITEMS, CALLS, WARM_UP = 100, 200, 20
COUNTER = ("valgrind", "--tool=callgrind")

_CODE = """
import sys
import numpy as np
items, calls = map(int, sys.argv[3:])
rng = np.random.default_rng(0)
a, b = (rng.integers(0, 10, items) for _ in range(2))
if sys.argv[1] == "partwise":
    import partwise as module
else:
    from sklearn import metrics as module
    if not hasattr(module, sys.argv[2]):
        from sklearn.metrics import cluster as module
function = getattr(module, sys.argv[2])
for _ in range(calls):
    function(a, b)
"""


def contests(divisor: int) -> Iterator[Contest]:
    """Yield scikit-learn's instructions over ours."""
    for name in PEERS:
        yield Contest(
            f"{name}, two arrays of {ITEMS} integers",
            "scikit-learn",
            partial(_counted, name, max(1, CALLS // divisor)),
            ASKED.get(name),
            "instructions",
        )


def _counted(name: str, calls: int) -> Counted:
    need("sklearn.metrics")
    if shutil.which(COUNTER[0]) is None:
        raise AbsentError(COUNTER[0])
    ours = instructions("partwise", name, ITEMS, calls)
    theirs = instructions("sklearn", PEERS[name], ITEMS, calls)
    return Counted(theirs / ours, f"{ours:,.0f} against {theirs:,.0f}")


def instructions(module: str, name: str, items: int, calls: int) -> float:
    """Return the instructions of one call: of many calls more, over their number."""
    with ThreadPoolExecutor(2) as pool:  # what runs beside does not change a count
        few, many = pool.map(partial(_run, module, name, items), (WARM_UP, WARM_UP + calls))
    return (many - few) / calls


def _run(module: str, name: str, items: int, calls: int) -> int:
    environment = {**os.environ, "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as folder:
        command = [
            *(*COUNTER, f"--callgrind-out-file={folder}/out"),
            *(sys.executable, "-c", _CODE, module, name, str(items), str(calls)),
        ]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or collected is None:
        raise SystemExit(f"{module}.{name} under callgrind:\n{done.stderr[-2000:]}")
    return int(collected[1])


def main(arguments: Sequence[str] | None = None) -> None:
    """Count and print a table; scikit-learn's column is empty where it has no such value."""
    parser = argparse.ArgumentParser(prog="python -m bench.small_calls")
    parser.add_argument("names", nargs="*", default=list(PEERS), metavar="NAME")
    parser.add_argument("--items", type=report.positive, default=ITEMS, metavar="N")
    parser.add_argument("--calls", type=report.positive, default=CALLS, metavar="N")
    options = parser.parse_args(arguments)
    if shutil.which(COUNTER[0]) is None:
        raise SystemExit("bench.small_calls counts instructions with valgrind; install it")
    print(f"# Instructions of a call on two arrays of {options.items} integers\n")
    for key, text in machine.head(["scikit-learn"]).items():
        print(f"- {key}: {text}")
    has_peer = find_spec("sklearn") is not None
    rows = []
    for name in options.names:
        ours = instructions("partwise", name, options.items, options.calls)
        row = [name, f"{ours:,.0f}", "", ""]
        if has_peer and name in PEERS:
            theirs = instructions("sklearn", PEERS[name], options.items, options.calls)
            row[2:] = f"{theirs:,.0f}", f"{theirs / ours:.1f}"
        rows.append(row)
    print("\n" + report.markdown(("", "partwise", "scikit-learn", "ratio"), rows))


if __name__ == "__main__":
    main()
