"""Measures that other packages for comparing clusterings have: ``python -m bench.field``.

Same labels on both sides, labels in, value out. clusim and cdlib hold n x n matrices, so they
get as many items as they finish; the others get 100,000, genieclust 10^7 as well. cdlib hands
element-centric similarity to clusim.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from bench.harness import report, workloads
from bench.harness.peers import need
from bench.harness.report import Contest, Sides, Stage

ITEMS, ITEMS_OF_MATRICES, MANY_ITEMS = 10**5, 4000, 10**7
CLUSTERS, NOISE = 100, 0.1
ASKED, ASKED_OF_GENIE, ASKED_OF_GENIE_MANY = 20, 1, 3
#: One call of so many labels.
FEW, ASKED_OF_GENIE_FEW, ASKED_OF_GENIE_LISTS = 100, 2.5, 1.5
#: Model, the peer's word for it, our options.
REDUCED: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("flat", "reduced_flat", {"model": "flat", "count": "ec", "base": 2}),
    ("Dirichlet", "reduced", {"model": "dirichlet", "base": 2, "bounds": (1e-4, 1e4)}),
)
#: Clusters of a few records, as of entity resolution.
RECORDS_OF_ENTITY = 3

Labels = workloads.Labels
Call = Callable[[Labels, Labels], Any]


def field(divisor: int) -> Iterator[Contest]:
    """Yield each peer's own measure over ours."""
    few, items, many = (n // divisor for n in (ITEMS_OF_MATRICES, ITEMS, MANY_ITEMS))
    for name, peer in (("clusim", _by_clusim), ("cdlib", _by_cdlib)):
        prepare = partial(_sides, few, CLUSTERS, "element_centric_similarity", {}, peer)
        yield Contest(f"element-centric similarity, {few:,} items", name, prepare, ASKED)
    for model, variation, options in REDUCED:
        for n, clusters in ((items, 10), (items, CLUSTERS), (items, 1000), (many, CLUSTERS)):
            peer = partial(_by_clustering_mi, variation)
            prepare = partial(_sides, n, clusters, "reduced_mutual_information", options, peer)
            problem = f"reduced mutual information, {model}, {n:,} items, {clusters} clusters"
            yield Contest(problem, "clustering-mi", prepare, ASKED)
    entities = items // RECORDS_OF_ENTITY
    for name in ("precision", "recall"):
        uniform = {"cluster_weights": "uniform"}
        peer = partial(_by_er_evaluation, f"b_cubed_{name}")
        prepare = partial(_sides, items, entities, f"b_cubed_{name}", uniform, peer)
        problem = f"B-cubed {name} of equal clusters, {items:,} items"
        yield Contest(problem, "er-evaluation", prepare, ASKED)
    for form, asked in (("arrays", ASKED_OF_GENIE_FEW), ("lists", ASKED_OF_GENIE_LISTS)):
        prepare = partial(_few_labels, form == "lists")
        yield Contest(
            f"adjusted Rand index, {FEW} labels in {form}", "genieclust", prepare, asked
        )
    for n, asked in ((items, ASKED_OF_GENIE), (many, ASKED_OF_GENIE_MANY)):
        for measure in ("normalized_clustering_accuracy", "normalized_pivoted_accuracy"):
            prepare = partial(
                _sides, n, CLUSTERS, measure, {}, partial(_by_genieclust, measure)
            )
            yield Contest(f"{measure}, {n:,} items", "genieclust", prepare, asked)


def _sides(
    items: int, clusters: int, measure: str, options: dict[str, Any], peer: Call
) -> Sides:
    clusters = min(clusters, items // RECORDS_OF_ENTITY)
    a, b = workloads.noisy(clusters, -(-items // clusters), NOISE)
    ours = partial(getattr(need("partwise"), measure), a, b, **options)
    # the peer's search for a concentration stops early
    relative = 1e-3 if "dirichlet" in options.values() else 1e-9
    return Sides(ours, partial(peer, a, b), float, float, relative=relative, absolute=1e-9)


def _few_labels(in_lists: bool) -> Sides:
    a, b = workloads.noisy(10, FEW // 10, NOISE)
    sides = (a.tolist(), b.tolist()) if in_lists else (a, b)
    ours = partial(need("partwise").adjusted_rand_index, *sides)
    peer = partial(need("genieclust.compare_partitions").adjusted_rand_score, *sides)
    return Sides(ours, peer, float, float, relative=1e-9, absolute=1e-9)


def _by_clusim(a: Labels, b: Labels) -> float:
    clustering = need("clusim.clustering").Clustering
    sides = [clustering().from_membership_list(labels.tolist()) for labels in (a, b)]
    return float(need("clusim.sim").element_sim(*sides))


def _by_cdlib(a: Labels, b: Labels) -> float:
    graph = need("networkx").empty_graph(len(a))
    made = need("cdlib").NodeClustering
    sides = [made(_members(labels), graph) for labels in (a, b)]
    return float(need("cdlib.evaluation").ecs(*sides).score)


def _members(labels: Labels) -> list[list[int]]:
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order])) + 1
    return [part.tolist() for part in np.split(order, starts)]


def _by_clustering_mi(variation: str, a: Labels, b: Labels) -> float:
    """Bits of all items; rows are the first argument there, too."""
    return float(need("clustering_mi").mutual_information(a, b, variation=variation))


def _by_er_evaluation(name: str, a: Labels, b: Labels) -> float:
    """Return the value of series of the labels; the prediction comes first."""
    series = need("pandas").Series
    return float(getattr(need("er_evaluation"), name)(series(b), series(a)))


def _by_genieclust(name: str, a: Labels, b: Labels) -> float:
    return float(getattr(need("genieclust.compare_partitions"), name)(a, b))


STAGES = (
    Stage(
        "field",
        "Measures of other packages",
        field,
        ("clusim", "cdlib", "clustering-mi", "er-evaluation", "genieclust"),
    ),
)

if __name__ == "__main__":
    sys.exit(report.main(STAGES, "bench.field"))
