"""Every measure against its own table, on inputs of eight shapes: what costs far more.

``python -m bench.costs [--items N] [--most RATIO] [--seconds S]`` computes each entry of the
catalogue that needs no features on the table of each shape, in a process of its own with a time
limit, and lists those that took more than RATIO times the CPU of the table. Exit status 1: one
of them does not say so in its docstring, in a sentence that begins with "Cost: ".
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections.abc import Iterator
from queue import Empty
from typing import Any

import numpy as np
from numpy.typing import NDArray

import partwise as pw

Pair = tuple[NDArray[Any], NDArray[Any]]


def shapes(n: int) -> dict[str, Pair]:
    """Return pairs of label columns of n items, by name."""
    rng = np.random.default_rng(n)
    few = rng.integers(0, 30, n)
    third = rng.integers(0, n // 3, n)
    zipf = np.minimum(rng.zipf(1.2, n), n)
    sizes = np.arange(1, int((2 * n) ** 0.5) + 1)
    distinct = np.repeat(sizes, sizes)[:n]
    distinct = np.concatenate([distinct, np.zeros(n - len(distinct), dtype=np.int64)])
    grid = np.arange(n)
    side = max(1, int(n**0.5))
    return {
        "few clusters": (few, np.where(rng.random(n) < 0.1, rng.integers(0, 30, n), few)),
        "third, random": (third, rng.integers(0, n // 3, n)),
        "third, noise": (third, np.where(rng.random(n) < 0.1, rng.permutation(third), third)),
        "Zipf": (zipf, np.minimum(rng.zipf(1.2, n), n)),
        "distinct sizes": (distinct, rng.permutation(distinct)),
        "grid": (grid // side, grid % side),
        "singletons": (grid, rng.permutation(grid)),
        "one against singletons": (np.zeros(n, dtype=np.int64), grid),
    }


def table_seconds(pair: Pair) -> float:
    """Return the CPU of the table, the least of some calls."""
    return min(_seconds(lambda: pw.contingency(*pair)) for _ in range(5))


def _seconds(call: Any) -> float:
    started = time.process_time()
    call()
    return time.process_time() - started


def _measure_all(pair: Pair, names: list[str], results: Any) -> None:
    table = pw.contingency(*pair)
    pw.rand_index(table)
    for name in names:
        entry = pw.catalogue()[name]
        fresh = pw.contingency(*pair)  # nothing is remembered from other measures
        results.put((name, None))
        results.put((name, _seconds(lambda: entry(fresh))))  # noqa: B023


def seconds_of(pair: Pair, names: list[str], most: float) -> Iterator[tuple[str, float]]:
    """Yield the CPU of each measure, inf for one that was stopped after ``most`` seconds."""
    context = multiprocessing.get_context("fork")
    left = list(names)
    while left:
        results = context.Queue()
        worker = context.Process(target=_measure_all, args=(pair, left, results), daemon=True)
        worker.start()
        under_way = left[0]
        try:
            while left:
                name, seconds = results.get(timeout=most)
                under_way = name
                if seconds is not None:
                    left.remove(name)
                    yield name, seconds
        except Empty:
            left.remove(under_way)
            yield under_way, float("inf")
        finally:
            worker.kill()
            worker.join()


def says_its_cost(name: str) -> bool:
    """Return whether the docstring has a line on what the measure costs beyond its table."""
    return "Cost: " in (pw.catalogue()[name].function.__doc__ or "")


def main() -> int:
    """Print what is above the ratio."""
    parser = argparse.ArgumentParser(prog="python -m bench.costs", description=__doc__)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--most", type=float, default=30)
    parser.add_argument("--seconds", type=float, default=20)
    arguments = parser.parse_args()
    names = [
        name
        for name, entry in pw.catalogue().items()
        if not entry.requires and not entry.computation.items
    ]
    silent = 0
    print(f"{len(names)} measures, {arguments.items:,} items")
    for shape, pair in shapes(arguments.items).items():
        base = table_seconds(pair)
        print(f"{shape}: table {base * 1e3:.2f} ms")
        for name, seconds in seconds_of(pair, names, arguments.seconds):
            if seconds > arguments.most * base:
                said = says_its_cost(name)
                silent += not said
                mark = "" if said else "  (its docstring names no cost)"
                print(
                    f"  {name}: {seconds:.3f} s, {seconds / base:.0f} tables{mark}", flush=True
                )
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
