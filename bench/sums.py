"""What order-free sums of x ln x cost against plain doubles.

Run ``python -m bench.sums [--quick] [--repetitions R]``. The terms of a workload are
those that ``v_measure`` sums: the cells and the cluster sizes of its table.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from bench import measuring, peers, stages
from bench.workloads import QUICK, Workload, make

Counts = NDArray[np.int64]

WORKLOADS = ("W2", "W3", "W4", "W5")
FRACTION_BITS = 64
LARGE = 10**6
RELATIVE = 1e-9


def main(arguments: list[str] | None = None) -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.sums")
    parser.add_argument("--quick", action="store_true", help=f"n / {QUICK}")
    parser.add_argument("--repetitions", type=measuring.positive, default=7, metavar="R")
    options = parser.parse_args(arguments)
    peers.need("partwise")
    print("# Order-free sums against plain doubles\n")
    for key, text in measuring.header([]).items():
        print(f"- {key}: {text}")
    print("- ns of user CPU per term, medians; ratio: order-free / doubles, paired")
    print("- share: order-free sums in the user CPU of the whole v_measure call")
    if options.quick:
        print(f"- QUICK RUN: n / {QUICK}; not comparable with full runs")
    print()
    rows = list(_rows(options.quick, options.repetitions))
    print(measuring.markdown(_COLUMNS, rows))


def stage(quick: bool, repetitions: int) -> Iterator[stages.Line]:
    """Yield plain doubles over order-free sums."""
    for name, terms, _ in _problems(quick):
        order_free = _order_free(terms)
        _check(name, order_free(), _plain(terms))
        pair = measuring.paired(order_free, partial(_plain, terms), repetitions)
        problem = f"sum of x ln x, {len(terms):,} terms of {name}"
        yield stages.line(problem, "doubles in NumPy", pair)


_COLUMNS = (
    "terms of",
    "kernels",
    "terms",
    "order-free",
    "doubles",
    "ratio",
    "v_measure, ns per label",
    "share",
    "share, doubles",
)


def _rows(quick: bool, repetitions: int) -> Iterator[list[str]]:
    for name, terms, workload in _problems(quick):
        yield _row(name, terms, repetitions, workload)


def _problems(quick: bool) -> Iterator[tuple[str, Counts, Workload | None]]:
    for name in WORKLOADS:
        workload = make(name, quick=quick)
        table = peers.partwise_contingency(workload)
        terms = np.concatenate([table.counts, table.row_sizes, table.col_sizes])
        yield name, terms, workload
    large = np.random.default_rng(0).integers(10**3, 10**9, size=LARGE)
    yield "random 1e3..1e9", large, None


def _row(name: str, terms: Counts, repetitions: int, workload: Workload | None) -> list[str]:
    order_free = _order_free(terms)
    _check(name, order_free(), _plain(terms))
    pair = measuring.paired(lambda: _plain(terms), order_free, repetitions)
    plain, free = (measuring.median_cost(x).user for x in (pair.ours, pair.peer))
    scale = 1e9 / len(terms)
    row = [name, peers.need("partwise").config()["kernels"], f"{len(terms)}"]
    row += [f"{free * scale:.2f}", f"{plain * scale:.2f}"]
    row.append(measuring.spread(pair.ratios))
    if workload is None:
        return [*row, "", "", ""]
    whole = _whole(workload, repetitions)
    per_label = f"{whole * 1e9 / workload.n:.2f}"
    return [*row, per_label, f"{free / whole:.1%}", f"{plain / whole:.1%}"]


def _order_free(terms: Counts) -> Callable[[], int]:
    kernels = peers.need("partwise._kernels").impl
    return lambda: kernels.sum_xlogx(terms, FRACTION_BITS)


def _plain(terms: Counts) -> float:
    return float(np.sum(terms * np.log(terms)))


def _check(name: str, exact: int, plain: float) -> None:
    value = exact / (1 << FRACTION_BITS)
    if not math.isclose(value, plain, rel_tol=RELATIVE):
        raise SystemExit(f"{name}: order-free {value!r}, plain doubles {plain!r}")


def _whole(workload: Workload, repetitions: int) -> float:
    """Return the user CPU of one v_measure call."""

    def call() -> float:
        return peers.partwise_v(workload)

    batch = measuring.batch_for(measuring.cost_of(call).total)
    costs = [measuring.cost_of(call, batch) for _ in range(repetitions)]
    return measuring.median_cost(costs).user


if __name__ == "__main__":
    main()
