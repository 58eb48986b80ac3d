"""All thresholds at once against single evaluations, and against a loop with scikit-learn.

``python -m bench.thresholds``. The curves are evaluated at all states, from labels and merges
to values; a single evaluation is ``compare`` with the same measures on the labels half way. The
loop is the adjusted Rand index and the V-measure of one state, times 1,000; cutting is not
counted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.harness import report, workloads
from bench.harness.peers import need
from bench.harness.report import Contest, Sides, Stage

MEASURES = (
    *("adjusted_rand_index", "rand_index", "v_measure", "variation_of_information"),
    *("purity", "inverse_purity", "van_dongen", "b_cubed_precision", "b_cubed_recall"),
)
#: Our measures of the loop, scikit-learn's.
LOOP = {"adjusted_rand_index": "adjusted_rand_score", "v_measure": "v_measure_score"}
ITEMS, ITEMS_OF_LOOP, THRESHOLDS = 10**6, 10**5, 1000
#: Most single evaluations that a sweep may cost, and least ratio to the loop.
MOST, MOST_OF_CHAIN, ASKED_OF_LOOP = 50, 80, 1000

Labels = NDArray[np.int64]
Edges = tuple[Labels, Labels, NDArray[np.float64]]


# ---- merges --------------------------------------------------------------------------


def random_tree(n: int, rng: np.random.Generator) -> Edges:
    """Return edges that join random items until one cluster is left."""
    order = rng.permutation(n)
    other = (rng.random(n - 1) * np.arange(1, n)).astype(np.int64)
    return order[1:], order[other], rng.random(n - 1)


def random_classes(n: int, classes: int) -> tuple[Labels, Edges]:
    """Return random labels, each its own class if there are as many, and a random tree."""
    rng = np.random.default_rng(classes)
    labels = rng.permutation(n) if classes == n else rng.integers(0, classes, n)
    return labels, random_tree(n, rng)


def chain(n: int) -> tuple[Labels, Edges]:
    """Return random labels and a cluster that takes one item after the other."""
    labels = np.random.default_rng(workloads.SEED).integers(0, 1000, n)
    return labels, (np.zeros(n - 1, dtype=np.int64), np.arange(1, n), np.arange(1.0, n))


def on_a_line(n: int) -> tuple[Labels, Edges]:
    """Return blocks of a thousand and single linkage of points on a line."""
    distances = np.random.default_rng(workloads.SEED).random(n - 1)
    return np.arange(n) // 1000, (np.arange(n - 1), np.arange(1, n), distances)


def records(n: int) -> tuple[Labels, Edges]:
    """Return entities of one to five records, and edges, most of them within entities."""
    rng = np.random.default_rng(workloads.SEED)
    labels = np.repeat(np.arange(n), rng.integers(1, 6, n))[:n]
    first = rng.integers(0, n, 3 * n)
    near = np.clip(first + rng.integers(-4, 5, 3 * n), 0, n - 1)
    second = np.where(rng.random(3 * n) < 0.97, near, rng.integers(0, n, 3 * n))
    scores = rng.random(3 * n) + (labels[first] != labels[second])
    return labels, (first, second, scores)


def inputs(n: int) -> Iterator[tuple[str, Callable[[], tuple[Labels, Edges]], int]]:
    """Yield name, what makes the input, and most evaluations that its sweep may cost."""
    for classes in (1000, 10, n):
        make = partial(random_classes, n, classes)
        yield f"random, {classes:,} classes", make, MOST
    yield "chain, 1,000 classes", partial(chain, n), MOST_OF_CHAIN
    yield "points on a line, blocks", partial(on_a_line, n), MOST
    yield "records and edges", partial(records, n), MOST


# ---- contests ------------------------------------------------------------------------


def sweep(divisor: int) -> Iterator[Contest]:
    """Yield one evaluation, and a loop over thresholds, over the sweep."""
    for name, make, most in inputs(ITEMS // divisor):
        yield Contest(name, "one compare", partial(_against_one, make), 1 / most)
    peer = f"{THRESHOLDS:,} x scikit-learn"
    for name, make, _ in inputs(ITEMS_OF_LOOP // divisor):
        yield Contest(name, peer, partial(_against_loop, make), ASKED_OF_LOOP)


def _evaluated(labels: Labels, edges: Edges, measures: Sequence[str]) -> Any:
    """Return a sweep all of whose curves have been computed."""
    result = need("partwise").sweep(
        labels, edges, kind="edges", scores="distance", measures=measures
    )
    for name in measures:
        result[name]
    return result


def _half_way(result: Any, measures: Sequence[str]) -> list[float]:
    at = len(result) // 2
    return [float(result[name][at]) for name in measures]


def _against_one(make: Callable[[], tuple[Labels, Edges]]) -> Sides:
    labels, edges = make()
    result = _evaluated(labels, edges, MEASURES)
    state = result.labels(len(result) // 2)
    return Sides(
        lambda: _evaluated(labels, edges, MEASURES),
        lambda: need("partwise").compare(labels, state, measures=MEASURES),
        lambda result: _half_way(result, MEASURES),
        lambda comparison: [comparison.to_dict()["scores"][name] for name in MEASURES],
        relative=0,
        absolute=0,
    )


def _against_loop(make: Callable[[], tuple[Labels, Edges]]) -> Sides:
    labels, edges = make()
    metrics = need("sklearn.metrics")
    result = _evaluated(labels, edges, tuple(LOOP))
    state = result.labels(len(result) // 2)
    return Sides(
        lambda: _evaluated(labels, edges, tuple(LOOP)),
        lambda: [getattr(metrics, name)(labels, state) for name in LOOP.values()],
        lambda result: _half_way(result, tuple(LOOP)),
        np.asarray,
        times=THRESHOLDS,
    )


STAGES = (Stage("sweep", "All thresholds at once", sweep, ("scikit-learn",)),)

if __name__ == "__main__":
    sys.exit(report.main(STAGES, "bench.thresholds"))
