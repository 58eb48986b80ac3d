"""Instructions of one call on small inputs, ours and the peers', under callgrind.

Run ``python -m bench.small_calls [--calls N] [--items N]
[--only NAME ...] [--json FILE]``; it needs valgrind.
Every function is run in two processes, one with N more calls than the other; their difference
is the price of N calls, and load on the machine does not move it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from bench import measuring, peers, stages

#: The most that a call may take of the peer's instructions.
ASKED = {"adjusted_rand_index": 1 / 20}
#: Ours, and scikit-learn's of the same name or value.
PAIRS = {
    "adjusted_rand_index": "adjusted_rand_score",
    "v_measure": "v_measure_score",
    "normalized_mutual_information": "normalized_mutual_info_score",
    "pair_confusion": "pair_confusion_matrix",
}
WARM_UP = 20
ITEMS, CALLS, QUICK_CALLS = 100, 200, 50
COUNTER = ("valgrind", "--tool=callgrind")

CODE = """
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


def main(arguments: list[str] | None = None) -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.small_calls")
    parser.add_argument("--calls", type=measuring.positive, default=CALLS, metavar="N")
    parser.add_argument("--items", type=measuring.positive, default=ITEMS, metavar="N")
    parser.add_argument("--only", choices=PAIRS, nargs="+", default=list(PAIRS))
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    if shutil.which("valgrind") is None:
        raise SystemExit("bench.small_calls counts instructions with valgrind; install it")
    found = {}
    for ours in options.only:
        found[ours] = [
            instructions(module, name, options.items, options.calls)
            for module, name in (("partwise", ours), ("sklearn", PAIRS[ours]))
        ]
    lines = [
        [name, f"{own:,.0f}", f"{other:,.0f}", f"{other / own:.1f}", _asked(name)]
        for name, (own, other) in found.items()
    ]
    print(f"# Instructions of a call on two arrays of {options.items} integers\n")
    for key, text in measuring.header(["scikit-learn"]).items():
        print(f"- {key}: {text}")
    columns = ("", "partwise", "scikit-learn", "ratio", "asked")
    print(f"\n{measuring.markdown(columns, lines)}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def stage(quick: bool, repetitions: int) -> Iterator[stages.Line]:
    """Yield scikit-learn's instructions over ours, one count each; if quick, what is asked."""
    peers.need("sklearn.metrics")
    if shutil.which(COUNTER[0]) is None:
        raise peers.AbsentError(COUNTER[0])
    calls = QUICK_CALLS if quick else CALLS
    for name in ASKED if quick else PAIRS:
        ours, theirs = (
            instructions(module, function, ITEMS, calls)
            for module, function in (("partwise", name), ("sklearn", PAIRS[name]))
        )
        yield stages.Line(
            f"{name}, two arrays of {ITEMS} integers",
            "scikit-learn",
            (theirs / ours,),
            asked=1 / ASKED[name] if name in ASKED else None,
            quantity="instructions",
            note=f"{ours:,.0f} against {theirs:,.0f}",
        )


def _asked(name: str) -> str:
    return f"{1 / ASKED[name]:g}" if name in ASKED else ""


def instructions(module: str, name: str, items: int, calls: int) -> float:
    """Return the instructions of one call: of many calls more, over their number."""
    with ThreadPoolExecutor(2) as pool:  # what runs beside does not change a count
        few, many = pool.map(partial(_counted, module, name, items), (WARM_UP, WARM_UP + calls))
    return (many - few) / calls


def _counted(module: str, name: str, items: int, calls: int) -> int:
    environment = {**os.environ, "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as folder:
        command = [
            *(*COUNTER, f"--callgrind-out-file={folder}/out"),
            *(sys.executable, "-c", CODE, module, name, str(items), str(calls)),
        ]
        done = subprocess.run(
            command, capture_output=True, text=True, env=environment, check=False
        )
    counted = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or counted is None:
        raise SystemExit(f"{module}.{name} under callgrind:\n{done.stderr[-2000:]}")
    return int(counted[1])


if __name__ == "__main__":
    main()
