"""From a file to a value: a two-column table read and scored, against pandas + scikit-learn.

Run ``python -m bench.reading [--rows N] [--repetitions R]``. The files are written to a
temporary folder first; both readers run on one thread and must find the same value.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

import partwise
from bench import measuring, peers, stages

PACKAGES = ("partwise", "numpy", "pyarrow", "pandas", "scikit-learn")
CLUSTERS = 1000
ROWS = 10**7


def write_files(folder: Path, rows: int) -> dict[str, Path]:
    """Write the same table (1000 clusters a side, 10 % noise) as CSV and parquet."""
    pandas = peers.need("pandas")
    rng = np.random.default_rng(7)
    truth = rng.integers(0, CLUSTERS, rows)
    noise = rng.random(rows) < 0.1
    found = np.where(noise, rng.integers(0, CLUSTERS, rows), truth)
    frame = pandas.DataFrame({"truth": truth, "found": found})
    paths = {"CSV": folder / "table.csv", "parquet": folder / "table.parquet"}
    frame.to_csv(paths["CSV"], index=False)
    frame.to_parquet(paths["parquet"])
    return paths


def ours(path: Path) -> float:
    """Read both columns and score them with partwise."""
    sides = (partwise.read(path, label=name) for name in ("truth", "found"))
    return partwise.adjusted_rand_index(*sides)


def theirs(path: Path) -> float:
    """Read both columns with pandas and score them with scikit-learn."""
    pandas = peers.need("pandas")
    metrics = peers.need("sklearn.metrics")
    read = pandas.read_csv if path.suffix == ".csv" else pandas.read_parquet
    frame = read(path)
    return float(metrics.adjusted_rand_score(frame["truth"], frame["found"]))


def row(name: str, path: Path, repetitions: int) -> str:
    """Return a line of the report for one format."""
    values = ours(path), theirs(path)
    if not math.isclose(*values, rel_tol=1e-9):
        raise SystemExit(f"{name}: partwise finds {values[0]!r}, scikit-learn {values[1]!r}")
    calls: tuple[Callable[[], float], ...] = (lambda: ours(path), lambda: theirs(path))
    turns = [tuple(measuring.cost_of(call) for call in calls) for _ in range(repetitions)]
    mine = measuring.median_cost(turn[0] for turn in turns)
    other = measuring.median_cost(turn[1] for turn in turns)
    ratios = sorted(turn[1].total / turn[0].total for turn in turns)
    middle = ratios[len(ratios) // 2]
    size = path.stat().st_size / 1e6
    return (
        f"| {name} | {size:.0f} | {mine.user:.2f} + {mine.system:.2f} "
        f"| {other.user:.2f} + {other.system:.2f} "
        f"| {middle:.1f} [{ratios[0]:.1f}..{ratios[-1]:.1f}] | {repetitions} |"
    )


def stage(quick: bool, repetitions: int) -> Iterator[stages.Line]:
    """Yield pandas with scikit-learn over reading and scoring a file."""
    rows = ROWS // 10 if quick else ROWS
    with tempfile.TemporaryDirectory() as folder:
        for name, path in write_files(Path(folder), rows).items():
            values = ours(path), theirs(path)
            if not math.isclose(*values, rel_tol=1e-9):
                raise SystemExit(f"{name}: partwise {values[0]!r}, scikit-learn {values[1]!r}")
            pair = measuring.paired(partial(ours, path), partial(theirs, path), repetitions)
            yield stages.line(f"{name}, {rows:,} rows", "pandas, scikit-learn", pair)


def main(arguments: list[str] | None = None) -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.reading")
    parser.add_argument("--rows", type=measuring.positive, default=ROWS)
    parser.add_argument("--repetitions", type=measuring.positive, default=3)
    options = parser.parse_args(arguments)
    head = measuring.header(PACKAGES)
    print("# Reading and scoring a table\n")
    for key, value in head.items():
        print(f"- {key}: {value}")
    print(f"- rows: {options.rows}\n")
    print("| format | MB | partwise s, user + sys | pandas + scikit-learn s | CPU ratio | R |")
    print("| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for name, path in write_files(Path(folder), options.rows).items():
            print(row(name, path, options.repetitions), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
