"""From labels, or from a table, to values: scores, sums, expectations, many at once, diagnosis.

``python -m bench.measures``. scikit-learn has no S_H: its V-measure, which sums the same
entropies, stands beside it. Loops over many clusterings are measured on a part of the pairs
and multiplied; every pair costs the same.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.harness import peers, report, workloads
from bench.harness.peers import need
from bench.harness.report import Contest, Sides, Stage, same
from bench.harness.workloads import DESCRIPTIONS, clusterings, make

# ---- one value -----------------------------------------------------------------------

ASKED_OF_SKLEARN, ASKED_OF_SKIMAGE = 30, 10
SKLEARN = {
    "adjusted_rand_index": "adjusted_rand_score",
    "v_measure": "v_measure_score",
    "s_entropy": "v_measure_score",
}


def scores(divisor: int) -> Iterator[Contest]:
    """Yield scikit-learn's and scikit-image's values over ours, labels in, value out."""
    for name in ("W2", "W3", "W4", "W5"):
        text = f"{name}: {DESCRIPTIONS[name]}"
        for measure, theirs in SKLEARN.items():
            is_same = measure != "s_entropy"
            peer = "scikit-learn" if is_same else "scikit-learn's V"
            prepare = partial(_score, name, divisor, measure, theirs, same if is_same else None)
            yield Contest(f"{measure}, {text}", peer, prepare, ASKED_OF_SKLEARN)
        measure = "variation_of_information"
        prepare = partial(_score, name, divisor, measure, None, same)
        yield Contest(f"{measure}, {text}", "scikit-image", prepare, ASKED_OF_SKIMAGE)


def _score(
    name: str,
    divisor: int,
    measure: str,
    theirs: str | None,
    value: Callable[[Any], Any] | None,
) -> Sides:
    workload = make(name, divisor)
    peer = (
        partial(peers.skimage_vi, workload)
        if theirs is None
        else partial(peers.sklearn_score, workload, theirs)
    )
    return Sides(partial(peers.score, workload, measure), peer, value)


# ---- order-free sums -----------------------------------------------------------------

FRACTION_BITS = 64


def sums(divisor: int) -> Iterator[Contest]:
    """Yield plain doubles over order-free sums of x ln x.

    The terms are those that ``v_measure`` sums: cells and cluster sizes.
    """
    for name in ("W2", "W3", "W4", "W5", "random 1e3..1e9"):
        prepare = partial(_sum, name, divisor)
        yield Contest(f"sum of x ln x, terms of {name}", "doubles in NumPy", prepare)


def _sum(name: str, divisor: int) -> Sides:
    if name in DESCRIPTIONS:
        table = peers.contingency(make(name, divisor))
        terms = np.concatenate([table.counts, table.row_sizes, table.col_sizes])
    else:
        terms = np.random.default_rng(0).integers(10**3, 10**9, size=10**6 // divisor)
    kernels = need("partwise._kernels").impl
    return Sides(
        lambda: kernels.sum_xlogx(terms, FRACTION_BITS),
        lambda: float(np.sum(terms * np.log(terms))),
        lambda exact: exact / (1 << FRACTION_BITS),
        same,
    )


# ---- many clusterings ----------------------------------------------------------------

CLUSTERINGS, ITEMS_OF_MANY = 200, (2000, 20_000)
SAMPLE, ASKED_OF_PAIRS = 40, 50
#: Our name of a measure, scikit-learn's.
MANY = {"adjusted_rand_index": "adjusted_rand_score", "v_measure": "v_measure_score"}


def many(divisor: int) -> Iterator[Contest]:
    """Yield a loop of scikit-learn over one call of ours: all pairs, and all against one."""
    count = max(3, CLUSTERINGS // divisor)
    peer = "loop of scikit-learn"
    for items in ITEMS_OF_MANY:
        for measure in MANY:
            problem = f"pairwise {measure}, {count} clusterings of {items:,} items"
            prepare = partial(_pairwise, count, items, measure)
            yield Contest(problem, peer, prepare, ASKED_OF_PAIRS)
        problem = f"score_many, ARI and V, {count - 1} candidates of {items:,} items"
        yield Contest(problem, peer, partial(_against_one, count, items))


def _pairwise(count: int, items: int, measure: str) -> Sides:
    inputs = clusterings(count, items)
    pairs = list(combinations(range(count), 2))
    sample = _sample(pairs)
    score = getattr(need("sklearn.metrics"), MANY[measure])
    return Sides(
        lambda: need("partwise").pairwise(inputs, measure),
        lambda: [score(inputs[i], inputs[j]) for i, j in sample],
        lambda values: [float(values[i, j]) for i, j in sample],
        same,
        times=len(pairs) / len(sample),
    )


def _against_one(count: int, items: int) -> Sides:
    metrics = need("sklearn.metrics")
    reference, *others = clusterings(count, items)
    sample = _sample(others)
    scores = [getattr(metrics, name) for name in MANY.values()]
    return Sides(
        lambda: need("partwise").score_many(reference, others, list(MANY)),
        lambda: [[score(reference, other) for score in scores] for other in sample],
        lambda table: _sample(table.values),
        np.asarray,
        times=len(others) / len(sample),
    )


def _sample(values: Sequence[Any]) -> Any:
    return values[:: max(1, len(values) // SAMPLE)]


# ---- diagnosis -----------------------------------------------------------------------

TIMES = 100


def diagnosis(divisor: int) -> Iterator[Contest]:
    """Yield one score, S_H, over the diagnosis of the same table, which stands ready."""
    for name in ("W4", f"W4 x {TIMES}", "W6", "W5"):
        for text, call in DIAGNOSES.items():
            prepare = partial(_diagnosis, name, divisor, call)
            yield Contest(f"{name}: {text}", "S_H of the same table", prepare)


def _diagnosis(name: str, divisor: int, call: Callable[[Any], Any]) -> Sides:
    """Return calls on a copy of the table that shares its arrays but nothing computed."""
    table, score = _table_of(name, divisor), need("partwise").s_entropy
    return Sides(lambda: call(replace(table)), lambda: score(replace(table)))


@lru_cache(maxsize=1)
def _table_of(name: str, divisor: int) -> Any:
    """Return a table; "W4 x 100" has the cells of W4 with 100 times as many items."""
    own, _, times = name.partition(" x ")
    table = peers.contingency(make(own, divisor))
    if not times:
        return table
    labels = table.row_labels[table.rows], table.col_labels[table.cols]
    return need("partwise").Contingency.from_counts(*labels, table.counts * int(times))


def _as_text(table: Any) -> Any:
    diagnosis = need("partwise").diagnose(table)
    return diagnosis, str(diagnosis)


def _every_cluster(table: Any) -> Any:
    diagnosis, text = _as_text(table)
    return diagnosis, text, diagnosis.reference, diagnosis.candidate


DIAGNOSES = {"diagnose, as text": _as_text, "and every cluster's row": _every_cluster}


# ---- expected mutual information -----------------------------------------------------

#: Items, clusters a side, the least ratio that the project aims at.
EXPECTED = ((10**4, 10, 20), (10**4, 10**3, 500), (10**5, 10**4, 2000), (10**6, 10**3, 1000))
# scikit-learn subtracts ln x! of size n ln n
RELATIVE_OF_SKLEARN = 1e-7
MANY_ITEMS, CLUSTER_NOISE, ASKED_OF_TABLE = 10**7, 0.1, 10


def chance(divisor: int) -> Iterator[Contest]:
    """Yield scikit-learn, and building the table, over the expectation.

    Both sides get a finished sparse table; ours goes from its margins to the number.
    """
    for items, clusters, asked in EXPECTED:
        n, k = items // divisor, max(clusters // divisor, 10)
        problem = f"clusters of size 1/rank, n = {n:,}, k = {k:,}"
        yield Contest(problem, "scikit-learn", partial(_expected, n, k), asked)
    prepare = partial(_expected_of_many, MANY_ITEMS // divisor)
    yield Contest("many small clusters", "building the table", prepare, ASKED_OF_TABLE)


def _expected(items: int, clusters: int) -> Sides:
    peer = need("sklearn.metrics.cluster").expected_mutual_information
    table = need("partwise").contingency(*ranked(items, clusters))
    cells = table.to_scipy()
    return Sides(
        partial(expected, table),
        lambda: float(peer(cells, items)),
        same,
        relative=RELATIVE_OF_SKLEARN,
    )


def _expected_of_many(items: int) -> Sides:
    """Return many small clusters, where scikit-learn would need days."""
    labels = workloads.zipf(items, CLUSTER_NOISE)
    table = need("partwise").contingency(*labels)
    return Sides(partial(expected, table), lambda: need("partwise").contingency(*labels))


def expected(table: Any) -> float:
    """Return E[I] from the margins of a table, whatever was asked of it before."""
    module = need("partwise.measures.chance.expected")
    return float(module.model_expectation(table, "perm", "both"))


def ranked(items: int, clusters: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return independent labels, the share of cluster r in proportion to 1 / r."""
    rng = np.random.default_rng(workloads.SEED)
    shares = 1 / np.arange(1, clusters + 1)
    shares /= shares.sum()
    return rng.choice(clusters, items, p=shares), rng.choice(clusters, items, p=shares)


# ---- runtime curves of the Mallows paper ---------------------------------------------

PAPER_CLUSTERS = 10
SOFT_ITEMS, SOFT_CLUSTERS = (200, 1000, 4000, 16_000), (2, 5, 10, 15, 20, 25)
SOFT_ITEMS_OF_CLUSTERS = 5000
HARD_ITEMS, HARD_CLUSTERS = (200, 1000, 3000, 6000), (2, 5, 10, 15, 20)
HARD_ITEMS_OF_CLUSTERS = 6000
HARD_MEASURES = ("css_distance", "mallows_distance", "variation_of_information")


def curves(divisor: int) -> Iterator[Contest]:
    """Yield the four curves of Figures 8 and 9: what the paper measures beside its distances.

    The sizes of Figure 9(b) and the clusters of (a) are not printed: 6000 items, 10 clusters.
    """
    soft = [("8(a)", items, PAPER_CLUSTERS) for items in SOFT_ITEMS]
    soft += [("8(b)", SOFT_ITEMS_OF_CLUSTERS, clusters) for clusters in SOFT_CLUSTERS]
    for figure, items, clusters in soft:
        problem = f"Fig. {figure}, CC, N = {items}, K = {clusters}"
        prepare = partial(_soft_curve, items // divisor, clusters)
        yield Contest(problem, "soft VI", prepare)
    hard = [("9(a)", items, PAPER_CLUSTERS) for items in HARD_ITEMS]
    hard += [("9(b)", HARD_ITEMS_OF_CLUSTERS, clusters) for clusters in HARD_CLUSTERS]
    for figure, items, clusters in hard:
        for measure in HARD_MEASURES:
            problem = f"Fig. {figure}, {measure}, N = {items}, K = {clusters}"
            prepare = partial(_hard_curve, measure, items // divisor, clusters)
            yield Contest(problem, "Rand", prepare)
        problem = f"Fig. {figure}, css_distance, N = {items}, K = {clusters}"
        prepare = partial(
            _hard_curve, "css_distance", items // divisor, clusters, by_pairs=True
        )
        yield Contest(problem, "Rand, pair by pair", prepare)


def _soft_curve(items: int, clusters: int) -> Sides:
    """Return CC and VI of two soft clusterings: different values, one cost beside the other."""
    partwise = need("partwise")
    p, q = workloads.memberships(items, (clusters, clusters), 1.0)
    return Sides(
        partial(partwise.mallows_distance, p, q),
        partial(partwise.soft_variation_of_information, p, q),
    )


def _hard_curve(measure: str, items: int, clusters: int, *, by_pairs: bool = False) -> Sides:
    """Return a measure and Rand, from labels; CSS has points of the plane beside."""
    partwise = need("partwise")
    a, b = workloads.noisy(clusters, -(-items // clusters), 0.3)
    options: dict[str, Any] = {}
    if measure == "css_distance":
        noise = np.random.default_rng(workloads.SEED).standard_normal((len(a), 2))
        options["features"] = noise + 10.0 * np.column_stack([a % 5, a // 5])
    return Sides(
        partial(getattr(partwise, measure), a, b, **options),
        partial(rand_by_pairs if by_pairs else partwise.rand_index, a, b),
    )


def rand_by_pairs(a: workloads.Labels, b: workloads.Labels) -> float:
    """Return the Rand index by looking at every pair of items, O(n^2)."""
    agreeing = sum(
        int(np.count_nonzero((a[i + 1 :] == a[i]) == (b[i + 1 :] == b[i])))
        for i in range(len(a))
    )
    return agreeing / max(1, len(a) * (len(a) - 1) // 2)


STAGES = (
    Stage("scores", "Labels in, value out", scores, ("scikit-learn", "scikit-image")),
    Stage("sums", "Order-free sums against plain doubles", sums),
    Stage("many", "Many clusterings, pair by pair", many, ("scikit-learn",)),
    Stage("diagnosis", "Diagnosis against one score of the same table", diagnosis),
    Stage("chance", "Expected mutual information", chance, ("scikit-learn",)),
    Stage("mallows_curves", "Runtime curves of the Mallows paper, Figures 8 and 9", curves),
)

if __name__ == "__main__":
    sys.exit(report.main(STAGES, "bench.measures"))
