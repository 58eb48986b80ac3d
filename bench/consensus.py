"""The search for one clustering for many: ``python -m bench.consensus``.

A pass looks at every item and every draw. Beside it stands a plain C loop that adds, for each
item in random order, one contiguous row of float32 numbers a draw: as many as the estimate has
clusters where draws have few, and as an item meets clusters where they have many. Both sides
are CPU seconds for each item and draw; ours has the start of the run in it, too.
"""

from __future__ import annotations

import ctypes
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.harness import report, workloads
from bench.harness.peers import need
from bench.harness.report import Contest, Counted, Stage

SOURCE = Path(__file__).resolve().parent / "consensus_rows.c"
QUANTITY = "CPU an item and draw"
#: The least of the loop over ours: dense, and sparse.
ASKED_DENSE, ASKED_SPARSE = 1 / 3, 1 / 15
#: Items, draws, clusters, the share of items that each draw moves.
DENSE = ((10_000, 100, 11), (10_000, 100, 51), (10_000, 1000, 11), (100_000, 100, 11))
SPARSE = ((10_000, 100, 3750), (100_000, 100, 37_500))
MOVED, TURNS, MOST_PASSES = 0.1, 3, 6
#: How costs grow: with items at one number of draws, with draws at one number of items. Dense
#: has as many clusters in each, sparse so many for each item.
GROWING: dict[str, float] = {"dense": 11, "sparse": 0.375}
ITEMS, GROWING_DRAWS = (10_000, 30_000, 100_000, 300_000), 50
DRAWS, GROWING_ITEMS = (25, 50, 100, 200), 30_000
#: Of the sparse posterior, the peak beyond what Python and the draws take.
MOST_BYTES = 2 << 30


def consensus(divisor: int) -> Iterator[Contest]:
    """Yield the plain loop over ours, dense and sparse, then losses, growth and memory."""
    for cases, asked, layout in (
        (DENSE, ASKED_DENSE, "dense"),
        (SPARSE, ASKED_SPARSE, "sparse"),
    ):
        for n, draws, clusters in cases:
            fewer = divisor if layout == "sparse" else 1
            shape = n // divisor, draws, clusters // fewer
            for loss in ("vi", "binder"):
                yield _contest(layout, shape, loss, asked)
    for loss in ("omari", "nvi", "id", "nid", "s_h"):
        yield _contest("dense", (DENSE[0][0] // divisor, *DENSE[0][1:]), loss, None)
        n, draws, clusters = SPARSE[0]
        yield _contest("sparse", (n // divisor, draws, clusters // divisor), loss, None)
    for layout, share in GROWING.items():
        for what, shapes in (
            ("items", [(n // divisor, GROWING_DRAWS, share) for n in ITEMS]),
            ("draws", [(GROWING_ITEMS // divisor, draws, share) for draws in DRAWS]),
        ):
            sizes = [int(shape[0 if what == "items" else 1]) for shape in shapes]
            prepare = partial(_growth, shapes, sizes, layout == "dense")
            problem = f"{layout}, vi, growth with {', '.join(f'{x:,}' for x in sizes)} {what}"
            yield Contest(problem, "plain C loop", prepare, None, "exponent")
    n, draws, clusters = SPARSE[-1]
    yield Contest(
        f"peak memory, {n // divisor:,} items, {clusters // divisor:,} clusters, {draws} draws",
        "2 GiB",
        partial(_memory, (n // divisor, draws, clusters // divisor)),
        1,
        "bytes",
    )


def _contest(
    layout: str, shape: tuple[int, int, int], loss: str, asked: float | None
) -> Contest:
    n, draws, clusters = shape
    problem = f"{layout}, {loss}, {n:,} items, {draws} draws, {clusters:,} clusters"
    prepare = partial(_beside_loop, shape, loss, layout == "dense")
    return Contest(problem, "plain C loop", prepare, asked, QUANTITY)


@cache
def _draws(shape: tuple[int, int, int]) -> Any:
    """Return an ensemble: one clustering, a tenth of the items moved in each draw."""
    n, draws, clusters = shape
    random = np.random.default_rng(workloads.SEED)
    truth = random.integers(0, clusters, n)
    columns = {}
    for d in range(draws):
        labels = truth.copy()
        moved = random.random(n) < MOVED
        labels[moved] = random.integers(0, clusters, int(moved.sum()))
        columns[str(d)] = labels
    return need("partwise.consensus.ensemble").read_ensemble(columns)


def _pass(
    shape: tuple[int, int, int], loss: str, dense: bool
) -> tuple[float, int, NDArray[np.int64], NDArray[np.int64]]:
    """Return the least CPU seconds of a pass, the passes, clusters, first rows of draws."""
    ensemble = _draws(shape)
    problem = need("partwise.consensus.search").Problem.of(ensemble, loss, 1.0, dense)
    kernels = need("partwise._kernels").impl
    first = ensemble.codes[0].astype(np.int64)
    least, passes = math.inf, 0
    labels = first
    for seed in range(TURNS):
        begun = time.process_time()
        arguments = (*problem.arguments, first, shape[0], 0, MOST_PASSES, seed, 0)
        labels, passes, _ = kernels.consensus_run(*arguments)
        least = min(least, (time.process_time() - begun) / passes)
    return least, passes, labels, problem.arguments[1]


def _beside_loop(shape: tuple[int, int, int], loss: str, dense: bool) -> Counted:
    n, draws, _ = shape
    ours, passes, labels, starts = _pass(shape, loss, dense)
    codes = _draws(shape).codes
    width = int(labels.max()) + 1 if dense else _met(codes, labels)
    loop = _loop(np.ascontiguousarray((codes + starts[:-1, None]).T), int(starts[-1]), width)
    note = (
        f"{ours / n / draws * 1e9:.2f} ns, {passes} passes; loop "
        f"{loop / n / draws * 1e9:.2f} ns, {width} floats: {ours / loop:.1f} times"
    )
    return Counted(loop / ours, note)


def _growth(shapes: list[tuple[int, int, float]], sizes: list[int], dense: bool) -> Counted:
    """Return the exponent of a pass of the plain loop over that of ours, both about 1.

    The steps of a pass are as many as items times draws. What a step costs grows with the
    tables until they are far larger than the caches, in the plain loop, too.
    """
    ours, loop = [], []
    for n, draws, share in shapes:
        shape = n, draws, int(share if dense else share * n)
        spent, _, labels, starts = _pass(shape, "vi", dense)
        codes = _draws(shape).codes
        width = int(labels.max()) + 1 if dense else _met(codes, labels)
        rows = np.ascontiguousarray((codes + starts[:-1, None]).T)
        ours.append(spent)
        loop.append(_loop(rows, int(starts[-1]), width))
        _draws.cache_clear()
    exponents = [float(np.polyfit(np.log(sizes), np.log(x), 1)[0]) for x in (ours, loop)]
    costs = [spent / n / draws * 1e9 for spent, (n, draws, _) in zip(ours, shapes, strict=True)]
    note = (
        f"exponent {exponents[0]:.2f}, of the loop {exponents[1]:.2f}; "
        f"{', '.join(f'{cost:.1f}' for cost in costs)} ns an item and draw"
    )
    return Counted(exponents[1] / exponents[0], note)


def _met(codes: NDArray[np.uint32], labels: NDArray[np.int64]) -> int:
    """Return how many clusters an item meets over all draws, the mean of a hundred items."""
    chosen = np.random.default_rng(1).choice(len(labels), 100)
    counts = []
    for i in chosen.tolist():
        met: set[int] = set()
        for row in codes:
            met.update(labels[row == row[i]].tolist())
        counts.append(len(met))
    return max(1, round(float(np.mean(counts))))


def _loop(rows: NDArray[np.int64], n_rows: int, width: int) -> float:
    """Return the least CPU seconds of a pass of the plain loop."""
    n, draws = rows.shape
    table = np.ones((n_rows, width), dtype=np.float32)
    sums = np.zeros(width, dtype=np.float32)
    order = np.random.default_rng(2).permutation(n).astype(np.int64)
    arrays = [x.ctypes.data_as(ctypes.c_void_p) for x in (table, rows, order)]
    sizes = [ctypes.c_int64(x) for x in (n, draws, width)]
    spent = []
    for _ in range(TURNS):
        begun = time.process_time()
        _library().sum_rows(*arrays, *sizes, sums.ctypes.data_as(ctypes.c_void_p))
        spent.append(time.process_time() - begun)
    return min(spent)


@cache
def _library() -> Any:
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        raise SystemExit("no C compiler for the plain loop")
    folder = Path(tempfile.mkdtemp())
    library = folder / "rows.so"
    command = [compiler, "-O3", "-std=c11", "-shared", "-fPIC", str(SOURCE), "-o", str(library)]
    subprocess.run(command, check=True)
    loaded = ctypes.CDLL(str(library))
    loaded.sum_rows.restype = ctypes.c_float
    shutil.rmtree(folder)
    return loaded


_MEASURED = """
import resource, sys
import numpy as np
from bench.consensus import _draws
import partwise as pw
shape = tuple(map(int, sys.argv[1:]))
pw.point_estimate(_draws(shape), runs=1, seed=1)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def _memory(shape: tuple[int, int, int]) -> Counted:
    """Return 2 GiB over the peak of a process that makes the draws and searches."""
    command = [sys.executable, "-c", _MEASURED, *map(str, shape)]
    said = subprocess.run(command, check=True, capture_output=True, text=True)
    peak = int(said.stdout) * 1024
    return Counted(MOST_BYTES / peak, f"peak {peak / (1 << 20):,.0f} MiB")


STAGES = (Stage("consensus", "One clustering for many, beside a plain loop", consensus),)

if __name__ == "__main__":
    sys.exit(report.main(STAGES, "bench.consensus"))
