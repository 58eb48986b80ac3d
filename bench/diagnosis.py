"""What a diagnosis costs against one score, S_H, of the same table.

Run ``python -m bench.diagnosis [--quick] [--repetitions R]``. Tables are built before; every
call starts from one that has computed nothing yet.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench import measuring, peers, stages
from bench.workloads import DESCRIPTIONS, QUICK, make

WORKLOADS = ("W4", "W6", "W5")
TIMES = 100

_COLUMNS = (
    "table",
    "call",
    "cells",
    "CPU, ms",
    "CPU of S_H, ms",
    "ratio",
    "peak memory, bytes per cell",
)


def main(arguments: list[str] | None = None) -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.diagnosis")
    parser.add_argument("--quick", action="store_true", help=f"n / {QUICK}")
    parser.add_argument("--repetitions", type=measuring.positive, default=7, metavar="R")
    parser.add_argument("--memory", nargs=2, metavar=("TABLE", "CALL"), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.memory:
        _print_memory(*options.memory)
        return
    peers.need("partwise")
    print("# Diagnosis against S_H\n")
    for key, text in measuring.header([]).items():
        print(f"- {key}: {text}")
    print("- user CPU, medians; ratio: the call / S_H, paired; the table itself is not counted")
    print("- memory: most that the call needs above the table, its result included")
    for name in WORKLOADS:
        print(f"- {name}: {DESCRIPTIONS[name]}")
    print(f"- W4 x {TIMES}: the same cells with {TIMES} times as many items")
    if options.quick:
        print(f"- QUICK RUN: n / {QUICK}; not comparable with full runs")
    print()
    print(measuring.markdown(_COLUMNS, _rows(options.quick, options.repetitions)))


def stage(quick: bool, repetitions: int) -> Iterator[stages.Line]:
    """Yield one score over the diagnosis of the same table."""
    for name, table in _tables(quick):
        score = _on_fresh(table, peers.need("partwise").s_entropy)
        for text, call in CALLS.items():
            whole = _on_fresh(table, call)
            score()
            whole()
            pair = measuring.paired(whole, score, repetitions)
            problem = f"{name}: {text}, {table.n_cells:,} cells"
            yield stages.line(problem, "S_H of the same table", pair)


def _tables(quick: bool) -> Iterator[tuple[str, Any]]:
    for name in WORKLOADS:
        table = peers.partwise_contingency(make(name, quick=quick))
        yield name, table
        if name == "W4":
            labels = table.row_labels[table.rows], table.col_labels[table.cols]
            build = peers.need("partwise").Contingency.from_counts
            yield f"W4 x {TIMES}", build(*labels, table.counts * TIMES)


def _rows(quick: bool, repetitions: int) -> Iterator[list[str]]:
    for name, table in _tables(quick):
        score = _on_fresh(table, peers.need("partwise").s_entropy)
        for text, call in CALLS.items():
            whole = _on_fresh(table, call)
            score()
            whole()
            pair = measuring.paired(score, whole, repetitions)
            below, above = (measuring.median_cost(x).user for x in (pair.ours, pair.peer))
            yield [
                name,
                text,
                f"{table.n_cells}",
                f"{above * 1e3:.0f}",
                f"{below * 1e3:.0f}",
                measuring.spread(pair.ratios),
                f"{_memory(table, text) / table.n_cells:.0f}",
            ]


def _as_text(table: Any) -> Any:
    found = peers.need("partwise").diagnose(table)
    return found, str(found)


def _every_cluster(table: Any) -> Any:
    found, text = _as_text(table)
    return found, text, found.reference, found.candidate


CALLS = {"diagnose, as text": _as_text, "and every cluster's row": _every_cluster}


def _memory(table: Any, call: str) -> int:
    """Return what a call needs at most beside the table, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "table.npz")
        table.save(path)
        command = [sys.executable, "-m", "bench.diagnosis", "--memory", path, call]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"measuring the memory of {call!r}:\n{done.stderr}")
    return int(done.stdout)


def _print_memory(path: str, call: str) -> None:
    partwise = peers.need("partwise")
    table = partwise.Contingency.load(path)
    CALLS[call](partwise.contingency([0, 0, 1], [0, 1, 1]))  # imports what it needs
    print(measuring.peak_extra(lambda: CALLS[call](table)))


def _on_fresh(table: Any, call: Callable[[Any], Any]) -> Callable[[], Any]:
    """Return the call on a copy of the table that shares its arrays but nothing computed."""
    return lambda: call(replace(table))


if __name__ == "__main__":
    main()
