"""All thresholds at once against single evaluations, and against a loop with scikit-learn.

Run ``python -m bench.sweep [--quick] [--repetitions R] [--json FILE]``. The curves are
evaluated at all states, from labels and merges to values; the single evaluation is ``compare``
with the same measures on the labels half way. The loop with scikit-learn is the adjusted Rand
index and the V-measure of one state, times 1,000; cutting is not counted.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import contests, generators, measuring, stages
from bench.peers import need

MEASURES = (
    *("adjusted_rand_index", "rand_index", "v_measure", "variation_of_information"),
    *("purity", "inverse_purity", "van_dongen", "b_cubed_precision", "b_cubed_recall"),
)
ITEMS, ITEMS_OF_LOOP, THRESHOLDS = 10**6, 10**5, 1000
#: Most single evaluations that are asked for, and least ratio to the loop.
ASKED, ASKED_OF_CHAIN, ASKED_OF_LOOP = 50, 80, 1000
Labels = NDArray[np.int64]
Edges = tuple[Labels, Labels, NDArray[np.float64]]


def main(arguments: list[str] | None = None) -> None:
    """Measure, print the tables, write the file that was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.sweep")
    parser.add_argument("--quick", action="store_true", help=f"items / {contests.QUICK}")
    parser.add_argument("--repetitions", type=measuring.positive, default=3, metavar="R")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    divisor = contests.QUICK if options.quick else 1
    head = measuring.header(["scikit-learn"])
    print("# Threshold sweeps\n")
    for key, text in head.items():
        print(f"- {key}: {text}")
    print("- one thread; ms of user CPU a call, medians; paired ratios, median [min..max]")
    rows = list(_against_one(ITEMS // divisor, options.repetitions))
    columns = ("merges", "sweep", "compare", "sweep / compare", "asked")
    print("\n" + measuring.markdown(columns, (row["text"] for row in rows)))
    loop = list(_against_loop(ITEMS_OF_LOOP // divisor, options.repetitions))
    columns = ("merges", "sweep", f"{THRESHOLDS} x scikit-learn", "ratio", "asked")
    print("\n" + measuring.markdown(columns, (row["text"] for row in loop)))
    contests.write(options.json, {**head, "quick": options.quick, "rows": rows, "loop": loop})


def stage(quick: bool, repetitions: int) -> Iterator[stages.Line]:
    """Yield one evaluation, and a loop over thresholds, over the sweep."""
    divisor = contests.QUICK if quick else 1
    for row in _against_one(ITEMS // divisor, repetitions):
        asked = 1 / float(row["asked"].removeprefix("<= "))
        ratios = tuple(1 / ratio for ratio in row["ratios"])
        yield stages.Line(row["name"], "one compare", ratios, tuple(row["ms"]), asked)
    for row in _against_loop(ITEMS_OF_LOOP // divisor, repetitions):
        peer = f"{THRESHOLDS:,} x scikit-learn"
        yield stages.Line(row["name"], peer, row["ratios"], tuple(row["ms"]), ASKED_OF_LOOP)


# ---- workloads -------------------------------------------------------------------------


def random_tree(n: int, rng: np.random.Generator) -> Edges:
    """Return edges that join random items until one cluster is left."""
    order = rng.permutation(n)
    other = (rng.random(n - 1) * np.arange(1, n)).astype(np.int64)
    return order[1:], order[other], rng.random(n - 1)


def chain(n: int) -> Edges:
    """Return the edges of a cluster that takes one item after the other."""
    return np.zeros(n - 1, dtype=np.int64), np.arange(1, n), np.arange(1.0, n)


def on_a_line(n: int, rng: np.random.Generator) -> Edges:
    """Return the edges of single linkage of points on a line."""
    return np.arange(n - 1), np.arange(1, n), rng.random(n - 1)


def records(n: int, rng: np.random.Generator) -> tuple[Labels, Edges]:
    """Return entities of one to five records, and edges, most of them within entities."""
    labels = np.repeat(np.arange(n), rng.integers(1, 6, n))[:n]
    first = rng.integers(0, n, 3 * n)
    near = np.clip(first + rng.integers(-4, 5, 3 * n), 0, n - 1)
    second = np.where(rng.random(3 * n) < 0.97, near, rng.integers(0, n, 3 * n))
    scores = rng.random(3 * n) + (labels[first] != labels[second])
    return labels, (first, second, scores)


def workloads(n: int) -> Iterator[tuple[str, Labels, Edges, int]]:
    """Return name, reference, edges by distance, and what is asked for."""
    rng = np.random.default_rng(generators.SEED)
    for k in (1000, 10, n):
        labels = rng.permutation(n) if k == n else rng.integers(0, k, n)
        yield f"random, {k:,} classes", labels, random_tree(n, rng), ASKED
    yield "chain, 1,000 classes", rng.integers(0, 1000, n), chain(n), ASKED_OF_CHAIN
    yield "points on a line, blocks", np.arange(n) // 1000, on_a_line(n, rng), ASKED
    labels, edges = records(n, rng)
    yield "records and edges", labels, edges, ASKED


# ---- contests --------------------------------------------------------------------------


def _evaluated(labels: Labels, edges: Edges, measures: tuple[str, ...]) -> Any:
    found = need("partwise").sweep(
        labels, edges, kind="edges", scores="distance", measures=measures
    )
    for name in measures:
        found[name]
    return found


def _against_one(n: int, repetitions: int) -> Iterator[dict[str, Any]]:
    partwise = need("partwise")
    for name, labels, edges, asked in workloads(n):
        contests.say(name)
        found = _evaluated(labels, edges, MEASURES)
        at = len(found) // 2
        half_way = found.labels(at)
        fresh = partwise.compare(labels, half_way, measures=MEASURES).to_dict()["scores"]
        if fresh != {measure: found[measure][at] for measure in MEASURES}:
            raise SystemExit(f"{name}: a state differs from a fresh compare")
        yield _row(
            name,
            measuring.paired(
                lambda half_way=half_way, labels=labels: partwise.compare(
                    labels, half_way, measures=MEASURES
                ),
                lambda labels=labels, edges=edges: _evaluated(labels, edges, MEASURES),
                repetitions,
            ),
            f"<= {asked}",
            turned=True,
        )


def _against_loop(n: int, repetitions: int) -> Iterator[dict[str, Any]]:
    metrics = need("sklearn.metrics")
    measures = ("adjusted_rand_index", "v_measure")
    for name, labels, edges, _ in workloads(n):
        contests.say(name)
        found = _evaluated(labels, edges, measures)
        half_way = found.labels(len(found) // 2)

        def evaluate(labels: Labels = labels, half_way: Labels = half_way) -> None:
            metrics.adjusted_rand_score(labels, half_way)
            metrics.v_measure_score(labels, half_way)

        pair = measuring.paired(
            lambda labels=labels, edges=edges: _evaluated(labels, edges, measures),
            evaluate,
            repetitions,
        )
        yield _row(name, pair, f">= {ASKED_OF_LOOP}", times=THRESHOLDS)


def _row(
    name: str, pair: measuring.Paired, asked: str, *, turned: bool = False, times: int = 1
) -> dict[str, Any]:
    costs = [measuring.median_cost(x).user * 1e3 for x in (pair.ours, pair.peer)]
    ratios = tuple(ratio * times for ratio in pair.ratios)
    costs[1] *= times
    shown = costs[::-1] if turned else costs
    text = [name, *map(contests.significant, shown), measuring.spread(ratios), asked]
    return {"name": name, "ms": shown, "ratios": ratios, "asked": asked, "text": text}


if __name__ == "__main__":
    main()
