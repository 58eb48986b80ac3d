"""What SM says in its text, in numbers: bounds, propositions, instances of S'."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from papers.outcomes import Outcome, outcomes_of_claims
from papers.partitions import Labels, join_labels, partitions, renumbered
from papers.properties import is_metric
from papers.registry import experiment
from papers.search import table_of_pair
from papers.split_merge_graphs import derivation_graph, subcomponent_pairs
from papers.table import ExperimentTable
from partwise.coreference import score as coreference_score
from partwise.measures.chance.adjusted import adjusted_mutual_information
from partwise.measures.information.information import normalized_mutual_information
from partwise.measures.information.variation import (
    variation_of_information,
    vi_similarity_log_k,
    vi_similarity_log_n,
)
from partwise.measures.overlap.pairing import classification_accuracy
from partwise.measures.overlap.purity import van_dongen
from partwise.measures.pairs.pair_indices import adjusted_rand_index, rand_index
from partwise.measures.split_merge.cluster_scores import entropy_score
from partwise.measures.split_merge.split_merge import s_entropy, s_mse, split_merge
from partwise.measures.split_merge.subcomponent_checks import check_subcomponent_score

Row = tuple[str, str, str, Any, bool]

ITEMS = 5
FEW_ITEMS = 4
_EXACT = 1e-12


def _pairs(n: int) -> Iterator[tuple[Labels, Labels]]:
    for a in partitions(n):
        yield from ((a, b) for b in partitions(n))


# ---- the propositions of section 4, on one pair -----------------------------------------


def components_are_the_join(reference: Labels, candidate: Labels) -> bool:
    """Return whether the components of the bipartite graph are the join's (Prop. 4.1)."""
    graph = derivation_graph(reference, candidate)
    of_cluster = zip(graph.meet, graph.component, strict=True)
    component = {item: number for cluster, number in of_cluster for item in cluster}
    by_item = tuple(component[item] for item in range(len(reference)))
    return renumbered(by_item) == renumbered(join_labels(reference, candidate))


def sinks_are_sources(reference: Labels, candidate: Labels) -> bool:
    """Return whether splits end, and merges begin, at the meet's clusters (Prop. 4.2)."""
    graph = derivation_graph(reference, candidate)
    sinks = {graph.meet[end] for _, end in graph.splits}
    sources = {graph.meet[start] for start, _ in graph.merges}
    by_item = list(zip(reference, candidate, strict=True))
    meet = {tuple(i for i, both in enumerate(by_item) if both == cell) for cell in set(by_item)}
    return sinks == sources == meet


def pairs_are_one_to_one(reference: Labels, candidate: Labels) -> bool:
    """Return whether a meet cluster has one subcomponent pair and no other (Prop. 4.3)."""
    pairs = subcomponent_pairs(reference, candidate)
    common = [frozenset(pair.reference) & frozenset(pair.candidate) for pair in pairs]
    every = {frozenset(p.reference) & frozenset(q.candidate) for p in pairs for q in pairs}
    return len(set(common)) == len(common) and set(common) == every - {frozenset()}


# ---- the rows -------------------------------------------------------------------------------


def _adjusted() -> Iterator[Row]:
    tables = [table_of_pair(a, b) for a, b in _pairs(FEW_ITEMS)]
    for name, measure in (
        ("ARI", adjusted_rand_index),
        ("AMI", adjusted_mutual_information),
    ):
        least = min(measure(table) for table in tables)
        yield "Section 1", f"smallest {name}, n = 4", "may be negative", least, least < 0


def _bounds() -> Iterator[Row]:
    pairs = list(_pairs(ITEMS))
    log_n = math.log(ITEMS)
    largest = max(variation_of_information(table_of_pair(a, b)) for a, b in pairs) / log_n
    yield (
        "Section 3.3",
        "largest VI / log n, n = 5",
        "at most 1",
        largest,
        largest <= 1 + _EXACT,
    )
    two = [(a, b) for a, b in _pairs(FEW_ITEMS) if max(a) < 2 and max(b) < 2]
    largest = max(variation_of_information(table_of_pair(a, b)) for a, b in two) / (
        2 * math.log(2)
    )
    yield (
        "Section 3.3",
        "largest VI / (2 log k), n = 4, k = 2",
        "at most 1",
        largest,
        largest <= 1 + _EXACT,
    )
    least = min(classification_accuracy(table_of_pair(a, b)) for a, b in pairs)
    yield "Section 3.2", "smallest A, n = 5", "1/n", least, abs(least - 1 / ITEMS) < _EXACT
    largest = max(van_dongen(table_of_pair(a, b), normalized=True) for a, b in pairs)
    yield "Section 3.2", "largest moves / 2n, n = 5", "below 1", largest, largest < 1
    metric = bool(is_metric("van_dongen", ITEMS))
    yield "Section 3.2", "moves are a metric, n = 5", "yes", "yes" if metric else "no", metric
    top = (0,) * ITEMS
    values = [normalized_mutual_information(top, c, average="max") for c in partitions(ITEMS)]
    largest = max(value for value, c in zip(values, partitions(ITEMS), strict=True) if c != top)
    yield "Section 3.3", "largest NMI(top, C), C other than top", "0", largest, largest == 0


def _structure() -> Iterator[Row]:
    for place, text, holds in (
        ("Proposition 4.1", "components of the graph are the join's", components_are_the_join),
        ("Proposition 4.2", "sinks of splits = sources of merges = meet", sinks_are_sources),
        ("Proposition 4.3", "one subcomponent pair a meet cluster", pairs_are_one_to_one),
    ):
        kept = [holds(a, b) for a, b in _pairs(FEW_ITEMS)]
        yield place, f"{text}, n = 4", "always", _of(kept), all(kept)


def _of(kept: list[bool]) -> str:
    return f"{sum(kept)} of {len(kept)} pairs"


def _instances() -> Iterator[Row]:
    pairs = list(_pairs(FEW_ITEMS))
    gap = max(
        abs(
            split_merge(table_of_pair(a, b), score="max_share", combine="mean")
            - (1 - van_dongen(table_of_pair(a, b), normalized=True))
        )
        for a, b in pairs
    )
    yield _equal("S' is N, s the largest share", gap)
    two = [(a, b) for a, b in pairs if max(a) < 2 and max(b) < 2]
    for printed, k in (("log k^2", 4), ("log k", 2)):
        gap = max(
            abs(
                split_merge(table_of_pair(a, b), score="log_k", k=k, combine="mean")
                - vi_similarity_log_k(table_of_pair(a, b), k=2)
            )
            for a, b in two
        )
        yield _equal(f"S' is K, s = 1 - H / {printed}, k = 2", gap)
    top = (0,) * ITEMS
    parts = [(c, entropy_score([c.count(x) for x in {*c}])) for c in partitions(ITEMS)]
    gap = max(abs(s_entropy(top, c, combine="mean") - (score + 1) / 2) for c, score in parts)
    yield _equal("S'({L}, C_L) is s / 2 + 1 / 2", gap)
    gap = max(abs(s_entropy(top, c) - score) for c, score in parts)
    yield _equal("S*({L}, C_L) is s", gap)


def _equal(text: str, gap: float) -> Row:
    return "Section 4.4", text, "equal", f"apart by {gap:.1g} at most", gap < _EXACT


def _scores() -> Iterator[Row]:
    report = check_subcomponent_score("entropy")
    yield (
        "Section 4.5",
        "entropy score: properties 4.2, 4.3, 4.4",
        "holds",
        "holds" if report.monotone and report.normalized and report.consistent else "fails",
        bool(report.monotone and report.normalized and report.consistent),
    )
    features = [0.0, 1.0, 3.0, 7.0]
    value = s_mse([0] * 4, [0] * 4, features=features)
    yield "Section 4.5", "MSE score, not split", "1", value, value == 1
    value = s_mse([0] * 4, range(4), features=features)
    yield "Section 4.5", "MSE score, split into single items", "0", value, value == 0


def _proof() -> Iterator[Row]:
    at_zero = [(a, b) for a, b in _pairs(ITEMS) if rand_index(table_of_pair(a, b)) == 0]
    ends = all({max(a), max(b)} == {0, ITEMS - 1} for a, b in at_zero)
    text = "pairs with R = 0 of top and bottom only, n = 5"
    yield "Proposition 5.1, proof", text, "all", f"all {len(at_zero)}" if ends else "no", ends
    least = min(vi_similarity_log_n((0, 0, 1), c) for c in partitions(3))
    text = "smallest V({12}{3}, C)"
    yield "Proposition 5.1, proof", text, "above 0", least, least > 0
    bottom = tuple(range(ITEMS))
    least = min(s_entropy(c, bottom) for c in partitions(ITEMS) if c != bottom)
    text = "smallest S*(L, bottom), L other than bottom"
    yield "Proposition 5.1, proof", text, "above 0", least, least > 0


def _coreference() -> Iterator[Row]:
    kept = []
    for a, b in _pairs(FEW_ITEMS):
        sides = ({"one": _entities(labels)} for labels in (a, b))
        f1 = coreference_score(*sides)["ceaf_m"].f1
        kept.append(abs(f1 - classification_accuracy(table_of_pair(a, b))) < _EXACT)
    yield "Section 6", "phi3-CEAF is A, n = 4", "always", _of(kept), all(kept)


def _entities(labels: Labels) -> list[list[int]]:
    return [[i for i, x in enumerate(labels) if x == label] for label in sorted({*labels})]


_REASONS = {
    "S' is K, s = 1 - H / log k^2, k = 2": (
        "the halves of equation (5) do what the square should: it must be log k (next line)"
    ),
    "smallest S*(L, bottom), L other than bottom": (
        "it is the share of L's single items, 0 if there are none; the proposition stands"
    ),
}


def outcomes_of_text(table: ExperimentTable) -> list[Outcome]:
    """Return an outcome a row."""
    return outcomes_of_claims(table, lambda row: _REASONS.get(row["claim"], ""))


@experiment(
    "split-merge-text",
    "Split-merge",
    "Sections 3 to 6",
    outcomes=outcomes_of_text,
)
def split_merge_text() -> ExperimentTable:
    """Check what SM's text says in numbers on all pairs of clusterings of four or five items.

    Returns
    -------
    ExperimentTable
        place, claim, printed, value, holds.
    """
    rows = (
        *_adjusted(),
        *_bounds(),
        *_structure(),
        *_instances(),
        *_scores(),
        *_proof(),
        *_coreference(),
    )
    return ExperimentTable(
        "What the text of SM says, on all pairs of clusterings of four or five items",
        ("place", "claim", "printed", "value", "holds"),
        rows,
    )
