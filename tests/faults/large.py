"""Large and long: one giant cluster, all singletons, a deep chain, a million small calls.

``python tests/faults/large.py`` runs every case in a process of its own and prints seconds and
peak memory; ``.ci/long faults`` does so. A case that takes more than 16 GiB, more than ten
minutes, or gives a wrong value fails.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import partwise as pw

GIB_MOST, SECONDS_MOST = 16, 600


def giant(n: int) -> None:
    """One cluster on both sides."""
    labels = np.zeros(n, dtype=np.uint8)
    table = pw.contingency(labels, labels)
    assert (table.n_cells, table.n_items) == (1, n)
    assert pw.adjusted_rand_index(table) == 1
    assert pw.variation_of_information(table) == 0


def singletons(n: int) -> None:
    """A cluster for every item, on both sides, in another order."""
    labels = np.arange(n, dtype=np.int32)
    table = pw.contingency(labels, labels[::-1])
    assert table.shape == (n, n)
    assert pw.adjusted_rand_index(table) == 1
    assert pw.v_measure(table) == 1


def apart(n: int) -> None:
    """A cluster for every item against one for all."""
    table = pw.contingency(np.arange(n, dtype=np.int32), np.zeros(n, dtype=np.uint8))
    assert table.n_cells == n
    assert pw.adjusted_rand_index(table) == 0
    assert pw.rand_index(table) == 0
    assert pw.purity(table) == 1 / n


def chain(n: int) -> None:
    """Clusters of two that overlap by one item: a component as deep as it gets."""
    items = np.arange(n, dtype=np.int32)
    table = pw.contingency(items // 2, (items + 1) // 2)
    assert table.n_cells == n
    assert table.components().n_components == 1


def merges(n: int) -> None:
    """Every threshold of a chain of pairs: the deepest tree that there is."""
    n //= 10
    items = np.arange(n, dtype=np.int64)
    scores = np.linspace(1, 0, n - 1)
    curve = pw.sweep(items // 2, (items[:-1], items[1:], scores), scores="similarity")
    assert curve is not None


def soak(n: int) -> None:
    """A hundredth as many small calls: memory stays what it is after the first tenth."""
    rng = np.random.default_rng(1)
    pairs = [rng.integers(0, 9, (2, 30)) for _ in range(50)]
    texts = [[f"c{x}" for x in first.tolist()] for first, _ in pairs]
    wanted = [pw.adjusted_rand_index(*pair) for pair in pairs]
    live = pw.scale.streaming.LiveTable()
    calls = n // 100
    before = 0
    for call in range(calls):
        at = call % 50
        kind = call % 4
        if kind == 0:
            assert pw.adjusted_rand_index(*pairs[at]) == wanted[at]
        elif kind == 1:
            assert pw.contingency(texts[at], pairs[at][1]).n_items == 30
        elif kind == 2:
            live.insert(*pairs[at])
            live.remove(*pairs[at])
        else:
            try:
                pw.rand_index(pairs[at][0], pairs[at][1][:-1])
            except ValueError:
                continue
            raise AssertionError("columns of different lengths were compared")
        if call == calls // 10:
            before = resident()
    grown = resident() - before
    print(f"{calls} calls, grown by {grown / 2**20:.1f} MiB")
    assert grown < 4 * 2**20


def resident() -> int:
    """Return the bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


CASES: dict[str, Callable[[int], None]] = {
    case.__name__: case for case in (giant, singletons, apart, chain, merges, soak)
}


def main() -> int:
    """Run the cases; return 1 where one failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=10**8)
    parser.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--here", action="store_true", help="one case, in this process")
    options = parser.parse_args()
    if options.here:
        limit = GIB_MOST * 2**30
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
        start = time.perf_counter()
        for name in options.cases:
            CASES[name](options.items)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        seconds = time.perf_counter() - start
        print(f"{' '.join(options.cases)}: {seconds:.1f} s, {peak:.2f} GiB", flush=True)
        return 0
    failed = []
    for name in options.cases:
        command = [sys.executable, __file__, "--here", "--cases", name]
        command += ["--items", str(options.items)]
        try:
            code = subprocess.run(command, check=False, timeout=SECONDS_MOST).returncode
        except subprocess.TimeoutExpired:
            code = f"none in {SECONDS_MOST} s"
        if code:
            failed.append(f"{name} (exit code {code})")
    print(f"{len(options.cases)} cases; failed: {', '.join(failed) or 'none'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
