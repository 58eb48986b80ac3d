"""Every allocation of the kernels fails once, in every public call: MemoryError, and no harm.

    python tests/allocations.py            # all calls
    python tests/allocations.py join meet  # some

A small C library that is loaded before the others (tests/failing_malloc.c) makes the k-th
allocation of partwise's extensions fail, for k = 1, 2, ... until none is left, alone and with
all behind it. No memory may be left behind, and the call made again must give what it gave at
first. Linux with glibc and a C compiler only.
"""

from __future__ import annotations

import ctypes
import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import partwise as pw

SOURCE = Path(__file__).with_name("failing_malloc.c")
#: Allocations of one call whose failure is tried.
MOST = 400


def calls() -> dict[str, Callable[[], Any]]:
    """Return public calls by name, all on small inputs."""
    from scipy import sparse

    rng = np.random.default_rng(1)
    n = 60
    a, b, c = rng.integers(0, 6, n), rng.integers(0, 5, n), rng.integers(0, 4, n)
    wide = rng.integers(-(2**62), 2**62, 9)[a]
    text = np.array([f"name {x}" for x in a])
    objects = np.array([f"é{x}" for x in b], dtype=object)
    features = rng.normal(size=(n, 2))
    weights = rng.random(n)
    p, q = rng.dirichlet(np.ones(4), n), rng.dirichlet(np.ones(3), n)
    draws = [a, b, c, a]
    matrix = sparse.csr_array(rng.integers(1, 9, (6, 7)).astype(float))
    gains = sparse.csr_array(np.kron(np.eye(4), rng.integers(1, 9, (3, 3)).astype(float)))
    costs, masses = rng.random((5, 5)), np.ones(5)
    edges = (rng.integers(0, n, 80), rng.integers(0, n, 80), rng.random(80))
    covers = [pw.Cover([np.flatnonzero(x == k) for k in set(x)], n_items=n) for x in (a, b)]
    ids = rng.permutation(n)
    sides = pw.Clustering(a, items=ids), pw.Clustering(b, items=ids[::-1])
    table = pw.contingency(a, b)
    named: dict[str, Callable[[], Any]] = {
        "contingency": lambda: pw.contingency(a, b).counts,
        "contingency, wide": lambda: pw.contingency(wide, wide[::-1].copy()).counts,
        "contingency, text": lambda: pw.contingency(text, objects).counts,
        "contingency, list": lambda: pw.contingency(list(text), list(objects)).counts,
        "contingency, weights": lambda: pw.contingency(a, b, weights=weights).counts,
        "contingency, 3 workers": lambda: pw.contingency(a, b, workers=3).counts,
        "from_counts": lambda: pw.Contingency.from_counts(a, b, c + 1).counts,
        "merge": lambda: pw.Contingency.merge(table, pw.contingency(b, a)).counts,
        "align, ids": lambda: pw.align(*sides).table.counts,
        "join": lambda: pw.join(a, b),
        "meet": lambda: pw.meet(a, b),
        "components": lambda: pw.components(a, b).item_component,
        "split_subcomponents": lambda: pw.split_subcomponents(a, b),
        "merge_subcomponents": lambda: pw.merge_subcomponents(a, b),
        "worst_clustering": lambda: pw.worst_clustering(a),
        "best_clustering": lambda: pw.best_clustering(a),
        "induced_clustering": lambda: pw.induced_clustering(a, np.arange(0, n, 3)),
        "compare": lambda: pw.compare(a, b, measures="all").to_dict(),
        "compare, features": lambda: pw.compare(a, b, features=features).to_dict(),
        "compare, weights": lambda: pw.compare(a, b, weights=weights).to_dict(),
        "decompose": lambda: pw.decompose(a, b, measure="variation_of_information").loss,
        "diagnose": lambda: pw.diagnose(a, b).to_dict(),
        "match_clusters": lambda: pw.match_clusters(a, b),
        "pair_confusion": lambda: pw.pair_confusion(a, b),
        "refines": lambda: pw.refines(a, b),
        "entropy": lambda: pw.entropy(a),
        "score_many": lambda: pw.score_many(a, [b, c]),
        "pairwise": lambda: pw.pairwise(draws),
        "bootstrap": lambda: pw.bootstrap(a, b, measure="purity", draws=5, seed=1).values,
        "jackknife": lambda: pw.jackknife(a, b, measure="purity", groups=c, crossing="split"),
        "significance": lambda: pw.significance(a, b, measure="rand_index", draws=5, seed=1),
        "null_distribution": lambda: pw.null_distribution(
            a, b, measure="rand_index", draws=5, seed=1
        ),
        "paired_test": lambda: pw.paired_test(a, b, c, measure="purity", draws=5, seed=1),
        "sweep": lambda: pw.sweep(a, edges, scores="similarity"),
        "expected_loss": lambda: pw.expected_loss(a, draws),
        "point_estimate": lambda: pw.point_estimate(draws, seed=1).labels,
        "medoid": lambda: pw.medoid(draws),
        "credible_ball": lambda: pw.credible_ball(a, draws),
        "compare_covers": lambda: pw.compare_covers(*covers),
        "mallows_distance": lambda: pw.mallows_distance(p, q),
        "soft_contingency": lambda: pw.soft_contingency(p, q),
        "css_distance": lambda: pw.css_distance(p, q, features=features),
        "solvers.match": lambda: pw.solvers.match(matrix).total,
        "solvers.match, apart": lambda: pw.solvers.match(gains).total,
        "solvers.pack": lambda: pw.solvers.pack(matrix, None, np.full(6, 2), np.ones(7)).total,
        "solvers.transport": lambda: pw.solvers.transport(masses, masses, costs),
    }
    for entry in pw.catalogue().values():
        if entry.requires or entry.required_options:
            continue
        function, options = entry.function, dict(entry.options)
        named[entry.name] = lambda function=function, options=options: function(a, b, **options)
    return named


def told(value: Any) -> str:
    """Return a value as text that is the same for the same value."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.tolist()}"
    return repr(value)


class Allocations:
    """The library of failing allocations, and the addresses of partwise's extensions."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL(None)
        self.library.failing_malloc_at.argtypes = [ctypes.c_long, ctypes.c_int]
        self.library.failing_malloc_range.argtypes = [ctypes.c_size_t, ctypes.c_size_t]
        for line in Path("/proc/self/maps").read_text().splitlines():
            addresses, rights, *_, path = line.split(maxsplit=5)
            if "x" in rights and "partwise" in path and ".so" in path:
                start, end = (int(address, 16) for address in addresses.split("-"))
                self.library.failing_malloc_range(start, end)

    def failing(self, function: Callable[[], Any], number: int, rest: bool) -> tuple[bool, str]:
        """Call with a failing allocation; say whether it came, and what became of the call."""
        self.library.failing_malloc_at(number, rest)
        try:
            outcome = told(function())
        except MemoryError:
            outcome = "MemoryError"
        finally:
            came = bool(self.library.failing_malloc_came())
            self.library.failing_malloc_at(0, 0)
        return came, outcome

    def held(self) -> int:
        gc.collect()
        return int(self.library.failing_malloc_held())


def check(name: str, function: Callable[[], Any], allocations: Allocations) -> tuple[int, list]:
    """Return how many failures were tried, and sentences about what went wrong."""
    wrong = []
    tried = 0
    right = told(function())
    if told(function()) != right:
        return 0, [f"{name}: two calls give different values"]
    for rest in (False, True):
        for number in range(1, MOST):
            pw.free_scratch()
            held = allocations.held()
            came, outcome = allocations.failing(function, number, rest)
            if not came:
                break
            tried += 1
            pw.free_scratch()
            if allocations.held() > held:
                wrong.append(f"{name}: failure {number} leaves memory behind")
            if outcome not in ("MemoryError", right):
                wrong.append(f"{name}: failure {number} gives {outcome[:80]}")
            if told(function()) != right:
                wrong.append(f"{name}: the call after failure {number} gives another value")
    return tried, wrong


def main(names: list[str]) -> int:
    if "FAILING_MALLOC" not in os.environ:
        with tempfile.TemporaryDirectory() as folder:
            library = str(Path(folder) / "failing_malloc.so")
            command = ["cc", "-O1", "-w", "-shared", "-fPIC", "-o", library, str(SOURCE)]
            subprocess.run([*command, "-pthread"], check=True)
            environment = {**os.environ, "LD_PRELOAD": library, "FAILING_MALLOC": library}
            environment["PARTWISE_KERNELS"] = "compiled"
            return subprocess.run(
                [sys.executable, __file__, *names], env=environment
            ).returncode
    named = calls()
    for (
        function
    ) in named.values():  # whatever is imported late is imported before ranges are read
        function()
    allocations = Allocations()
    faults = []
    total = 0
    for name in names or named:
        tried, wrong = check(name, named[name], allocations)
        total += tried
        faults += wrong
    print(f"{len(names or named)} calls, {total} failures of an allocation")
    print("\n".join(faults))
    return 1 if faults or total == 0 else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
