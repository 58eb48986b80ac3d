"""The thresholds of the meet, each tried at several values on the workloads it matters for.

Run ``python -m bench.tune [--only PATTERN] [--quick] [--repetitions R]`` from the source tree,
with a C compiler (``CC``, default cc). The kernels are built once per value, the programs take
turns, and what is printed is ns of CPU per item; the value of ``pw_tuning.h`` stands in
bold. Nothing is changed: a value that wins on your machine by more than the noise between rows
can be written there by hand.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median

from bench.harness import machine, report
from bench.harness.report import QUICK
from bench.harness.workloads import Workload, make

SOURCES = Path(__file__).resolve().parent.parent / "csrc"
DRIVER = Path(__file__).resolve().parent / "meet_driver.c"
#: Kernels that pw_meet needs.
KERNELS = [
    *("build", "chunks", "dense", "encode", "meet", "merge", "radix", "read", "scratch"),
    *("sorted", "sparse", "table", "vector", "vector_avx2", "vector_avx512", "vector_neon"),
    *("vector_none", "wide", "window"),
]
FLAGS = ["-O3", "-std=c11", "-ffp-contract=off"]
CALLS = 3

#: Threshold: values to try, workloads to try them on ("uniform 300": 300 x 300 random).
QUESTIONS: dict[str, tuple[Sequence[int], Sequence[str]]] = {
    "PW_DENSE_COPIED_PAIRS": ((1 << 8, 1 << 12, 1 << 14, 1 << 16), ("W1", "uniform 60", "W2")),
    "PW_DENSE_SORTED_PAIRS": ((1 << 12, 1 << 20, 1 << 22, 1 << 24), ("W3 sorted",)),
    "PW_DENSE_PAIRS": (
        (1 << 21, 1 << 22, 12 << 20, 1 << 25),
        ("uniform 1800", "uniform 3000", "uniform 4000"),
    ),
    "PW_SAMPLE": ((512, 2048, 4096), ("W1", "W2")),
    "PW_PART_ITEM_BITS": ((12, 13, 14, 15, 16), ("W4", "W5", "W4 noise")),
    "PW_PART_BITS_CACHED": ((7, 8, 9, 10), ("W4", "W5", "W4 noise")),
    "PW_COLUMN_AHEAD": ((1, 8, 16, 32), ("W4",)),
    "PW_PART_LARGE": ((1 << 14, 1 << 16, 1 << 18, 1 << 20), ("W4 row", "W4 column")),
    "PW_HASH_PERCENT": ((20, 35, 45, 60), ("W4", "uniform 9000", "uniform 14000")),
    "PW_DIRECT_PER_ITEM": ((0, 1, 2, 4), ("uniform 3500", "uniform 6000")),
    "PW_RUN_ITEMS": ((2, 4, 8), ("W4 runs", "W4 cell")),
    "PW_WIDE_ITEM_BITS": ((13, 14, 15, 16), ("W6",)),
    "PW_WIDE_ROOM": ((2, 4, 16), ("W6",)),
}


def main(arguments: list[str] | None = None) -> None:
    """Build, measure, print a table per threshold."""
    parser = argparse.ArgumentParser(prog="python -m bench.tune")
    parser.add_argument("--quick", action="store_true", help=f"n / {QUICK}")
    parser.add_argument("--only", type=re.compile, default=re.compile(""), metavar="PATTERN")
    parser.add_argument("--repetitions", type=report.positive, default=5, metavar="R")
    options = parser.parse_args(arguments)
    divisor = QUICK if options.quick else 1
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        raise SystemExit("no C compiler: set CC")
    for key, text in machine.head([]).items():
        print(f"- {key}: {text}")
    for name, (values, workloads) in QUESTIONS.items():
        if options.only.search(name):
            with tempfile.TemporaryDirectory() as folder:
                programs = {
                    value: _build(compiler, Path(folder), name, value) for value in values
                }
                rows = [
                    _row(programs, make(workload, divisor), options.repetitions)
                    for workload in workloads
                ]
            print(f"\n## {name}\n\n{_table(name, values, rows)}", flush=True)


def current(name: str) -> int:
    """Return the value that ``pw_tuning.h`` gives a threshold."""
    text = (SOURCES / "core" / "pw_tuning.h").read_text()
    line = re.search(rf"#define {name} (.*)", text)
    assert line is not None, name
    plain = re.sub(r"\(u?int64_t\)", "", line[1])
    return int(eval(plain, {"__builtins__": {}}))  # digits, shifts and brackets of our own file


def _build(compiler: str, folder: Path, name: str, value: int) -> Path:
    """Return a program in which one threshold has another value."""
    copy = folder / str(value)
    shutil.copytree(SOURCES, copy)
    header = copy / "core" / "pw_tuning.h"
    header.write_text(
        re.sub(rf"#define {name} .*", f"#define {name} {value}", header.read_text())
    )
    program = copy / "driver"
    sources = [str(next(copy.glob(f"*/pw_{kernel}.c"))) for kernel in KERNELS]
    includes = [f"-I{path}" for path in copy.iterdir() if path.is_dir()]
    command = [compiler, *FLAGS, *includes, str(DRIVER), *sources, "-o", str(program)]
    subprocess.run(command, check=True)
    return program


def _row(
    programs: dict[int, Path], workload: Workload, repetitions: int
) -> tuple[str, list[float]]:
    """Return the cost of every program; they take turns."""
    report.say(f"  {workload.name}")
    costs: dict[int, list[float]] = {value: [] for value in programs}
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / side for side in "ab"]
        for path, labels in zip(files, (workload.a, workload.b), strict=True):
            labels.tofile(path)
        for _ in range(repetitions):
            for value, program in programs.items():
                command = [program, *files, workload.a.itemsize, CALLS]
                done = subprocess.run(
                    list(map(str, command)), check=True, capture_output=True, text=True
                )
                costs[value].append(min(map(float, done.stdout.split())))
    return workload.name, [median(each) for each in costs.values()]


def _table(name: str, values: Iterable[int], rows: Iterable[tuple[str, list[float]]]) -> str:
    columns = [f"**{value}**" if value == current(name) else str(value) for value in values]
    lines = ([workload, *(f"{cost:.2f}" for cost in costs)] for workload, costs in rows)
    return report.markdown(["", *columns], lines)


if __name__ == "__main__":
    main()
