"""Calls that type checkers must let pass, and what they must see in the results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import assert_type

import numpy as np
from numpy.typing import NDArray

import partwise as pw
from partwise import coreference, solvers
from partwise.interop import sklearn
from partwise.measures.pairs.pairs import PairConfusion
from partwise.scale import blocks
from partwise.typing import Labels, Policies

integers: NDArray[np.int64] = np.array([0, 0, 1, 1])
names = ["a", "a", "b", "b"]


def communities() -> Iterator[set[str]]:
    """As networkx gives them."""
    yield {"a", "b"}


class Tensor:
    """What can be exchanged by DLPack only."""

    def __dlpack__(self, **options: object) -> object:
        """Hand over the memory."""
        return options


class Doc:
    """As spaCy's."""

    spans: Mapping[str, object] = {}
    user_data: Mapping[str, object] = {}


class VertexClustering:
    """As igraph's."""

    membership = (0, 0, 1)


# ---- labels in every form ------------------------------------------------------------

assert_type(pw.rand_index(integers, names), float)
assert_type(pw.rand_index((0, 1), range(2)), float)
assert_type(pw.rand_index({"x": 1, "y": 1}, {"x": 0, "y": 2}), float)
assert_type(
    pw.rand_index([{"a", "b"}, {"c"}], [frozenset({"a"}), frozenset({"b", "c"})]), float
)
assert_type(pw.rand_index(communities(), communities()), float)
assert_type(pw.rand_index(Tensor(), VertexClustering()), float)
assert_type(pw.rand_index(pw.Clustering(names), integers.astype(np.float32)), float)
table = pw.contingency(integers, names)
assert_type(pw.rand_index(table), float)
assert_type(pw.rand_index(pw.align(integers, names, unmatched=("drop", "singletons"))), float)

# ---- options and policies ------------------------------------------------------------

policies: Policies = {"unmatched": "drop", "missing_labels": [-1, 0]}
pw.v_measure(integers, names, beta=2, **policies)
pw.normalized_mutual_information(integers, names, average="joint", missing=("cluster", "error"))
pw.adjusted_rand_index(integers, names, model="num", sides="candidate", maximum="all")
pw.vi_similarity_log_k(integers, names, k=3, multiplicity=[1, 2, 3, 4])
pw.purity(integers, names, weights=integers / 4)
pw.split_merge(integers, names, score="log_k", k=3, combine="mean")
pw.split_merge(integers, names, score=lambda sizes: sizes, combine=lambda a, b: a * b)
assert_type(pw.mallows_distance(integers, names, p=2), float)
distance, plan = pw.mallows_distance(integers, names, return_plan=True)
assert_type(distance, float)
assert_type(pw.entropy(table, side="reference", base=2), float)

assert_type(pw.closest_cluster(table).f1, float)
assert_type(pw.object_matches(integers, names, threshold=0.5, background=0).true_positives, int)
pw.diarization_errors(names, names, silence="-", weights=[0.5, 1, 1, 1])
assert_type(pw.element_consistency([integers, names], weights=[1, 2]), NDArray[np.float64])
pw.estimate_from_sample(integers, {"x": [0, 1]}, weights="uniform", interval="bootstrap")
pw.estimate_from_sample(integers, [[0, 1]], weights="uniform", population_clusters=4)
pw.estimate_from_sample({"r": 1, "s": 1}, [["r"], ["s"]], weights=[1, 2], measures="pair_f1")

# ---- results -------------------------------------------------------------------------

n11, n10, n01, n00 = pw.pair_confusion(integers, names)
assert_type(n11, int)
assert_type(pw.pair_confusion(table), PairConfusion)
assert_type(pw.b_cubed(table).precision, float)
comparison = pw.compare(integers, names, measures=["purity", "nvi"])
assert_type(comparison.account.items, int)
assert_type(comparison.to_json(), str)
assert_type(pw.score_many(integers, {"x": names, "y": integers}).names, list[str])
assert_type(pw.pairwise([integers, names]), pw.PairwiseTable)
assert_type(pw.significance(integers, names, measure="purity", draws=9).draws, int)
assert_type(pw.bootstrap(table, measure=["purity"], by="items", seed=1).level, float)
assert_type(pw.null_distribution(table, measure=lambda table: table.n_cells).seed, int)
assert_type(
    pw.paired_test(names, names, integers, measure="purity", method="bootstrap").by, str
)
assert_type(pw.sweep(names, [[0, 0, 1, 1]], kind="nested").best("purity").value, float)
pw.sweep(names, [("a", "b", 0.5)], scores="similarity", start=names, thresholds=[0.5])
pw.sweep(names, integers.reshape(1, 4), kind="linkage")
assert_type(pw.match_clusters(table, similarity="jaccard").gains, NDArray[np.float64])
assert_type(table.to_dense(), NDArray[np.int64])
assert_type(pw.refines(integers, names), bool)
scores = coreference.score("key.conll", {"d": [["m"]]}, convention="luo-2014", format="auto")
assert_type(scores["muc"].f1, float)
documents = coreference.read("key.conll")
coreference.score(documents, Path("response.jsonl"), topics=r"(\d+)_")
coreference.score([Doc(), Doc()], {"d": Doc()}, topics={"d": 1}, cross_document="names")
coreference.score(Doc(), [[[(0, 1), (4, 4)], [(7, 9)]]], topics=lambda name: name[:2])
coreference.score([{"doc_key": "d", "clusters": [[[0, 1]]]}], list(documents), ends="inclusive")
coreference.score("one line\nanother", ["line", "line"], clusters=("clusters", "predicted"))
assert_type(coreference.bootstrap(scores, average="macro", draws=pw.Draws(9)).seed, int)
assert_type(solvers.match(table.to_scipy()).total, int | float)
assert_type(solvers.match(table, [1, 2]).total, int | float)
solvers.transport([1, 1], [2], [[0.5], [1]])
assert_type(blocks.contingency(["a"], ["b"], unmatched="error").n_items, int)
assert_type(sklearn.v_measure_score(integers, names, beta=0.5), float)
tn, fp = sklearn.pair_confusion_matrix(integers, names)[0]


def forward(reference: Labels, candidate: Labels) -> float:
    """As a wrapper passes labels on."""
    return pw.adjusted_rand_index(reference, candidate)
