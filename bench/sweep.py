"""All thresholds at once against single evaluations, and against a loop with scikit-learn.

Run ``python -m bench.sweep [--quick] [--repetitions R] [--json FILE] [--plot FILE]``. The
curves are evaluated at all states, from labels and merges to values; the single evaluation is
``compare`` with the same measures on the labels half way. The loop with scikit-learn is the
adjusted Rand index and the V-measure of one state, times 1,000; cutting is not counted.
``--plot`` draws the cost from 1e4 to 1e7 items (6 GB of memory), for information corrected for
chance and split-merge scores to 1e6, and does nothing else.
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
#: What the drawing shows beside ``MEASURES``.
BEYOND_SUMS = ("adjusted_mutual_information", "s_entropy")
SIZES_OF_PLOT = (10**4, 10**5, 10**6, 10**7)
MOST_BEYOND_SUMS = 10**6
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
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw cost against items")
    options = parser.parse_args(arguments)
    divisor = contests.QUICK if options.quick else 1
    if options.plot is not None:
        sizes = [size // divisor for size in SIZES_OF_PLOT]
        points = list(_costs(sizes))
        columns = ("merges", "items", "measures", "user s", "us an item", "how")
        print(measuring.markdown(columns, (point["text"] for point in points)))
        _draw(points, options.plot)
        contests.write(options.json, {"plot": points})
        return
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


def _costs(sizes: list[int]) -> Iterator[dict[str, Any]]:
    """Yield what sweeps cost by size: once each, or batches of short ones."""
    subjects = {f"{len(MEASURES)} sums": MEASURES} | {name: (name,) for name in BEYOND_SUMS}
    for _, labels, edges, _ in workloads(1000):  # imports and first calls cost nothing below
        _evaluated(labels, edges, MEASURES)
    for n in sizes:
        for name, labels, edges, _ in workloads(n):
            if name == f"random, {n:,} classes":
                name = "random, single items"
            for measures, names in subjects.items():
                if n > MOST_BEYOND_SUMS and names != MEASURES:
                    continue
                contests.say(f"{name}, {n:,} items, {measures}")
                kept: list[str] = []

                def call(labels=labels, edges=edges, names=names, kept=kept) -> None:  # type: ignore[no-untyped-def]
                    found = need("partwise").sweep(
                        labels, edges, kind="edges", scores="distance", measures=names
                    )
                    if found.is_curve(names[0]):  # a grid of tables is another contest
                        kept.append(found.strategy_of(names[0]))
                        for measure in names:
                            found[measure]

                cost = measuring.cost_of(call)
                if not kept:
                    contests.say("not at every state")
                    continue
                batch = measuring.batch_for(cost.total)
                user = (measuring.cost_of(call, batch) if batch > 1 else cost).user
                figures = f"{user:.3g}", f"{user / n * 1e6:.3g}"
                text = [name, f"{n:,}", measures, *figures, kept[0]]
                point = {"name": name, "items": n, "measures": measures, "seconds": user}
                yield point | {"text": text}


def _draw(points: list[dict[str, Any]], path: Path) -> None:
    """Draw microseconds an item against items, a panel for each set of measures."""
    figure = need("matplotlib.figure").Figure(figsize=(12, 4), layout="constrained")
    panels = list(dict.fromkeys(point["measures"] for point in points))
    every = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for axes, measures in zip(every, panels, strict=True):
        chosen = [point for point in points if point["measures"] == measures]
        for name in dict.fromkeys(point["name"] for point in chosen):
            own = [point for point in chosen if point["name"] == name]
            items = [point["items"] for point in own]
            cost = [point["seconds"] / point["items"] * 1e6 for point in own]
            axes.loglog(items, cost, "o-", label=name)
        axes.set_title(f"{measures}, every state")
        axes.set_xlabel("items")
    every[0].set_ylabel("user CPU, microseconds an item")
    every[0].legend()
    figure.savefig(path, dpi=150)


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
