"""Calls that both type checkers must refuse, each on a marked line.

mypy reports a mark without an error, ``python -m typing_tests`` does so for pyright. The
measures' wrong calls stand in ``wrong_measure_calls.py``.
"""

from __future__ import annotations

import partwise as pw
from partwise import coreference, kernels, solvers
from partwise.interop import sklearn
from partwise.scale import blocks, dask, duckdb, forest, spark, streaming

a = [0, 0, 1, 1]
b = ["x", "y", "y", "y"]
table = pw.contingency(a, b)
scores = coreference.score({}, {})
cover = pw.Cover([[0, 1]], n_items=2)
tree = pw.Hierarchy.from_linkage([[0, 1, 1.0]])

# ---- labels and tables ---------------------------------------------------------------

pw.align("ab", a)  # type: ignore[arg-type]
pw.align(a, b, unmatched="drp")  # type: ignore[arg-type]
pw.align(a, table)  # type: ignore[arg-type]
pw.contingency(3, a)  # type: ignore[arg-type]
pw.contingency(a, b, missing="drop", duplicate="first")  # type: ignore[call-arg]
pw.Clustering()  # type: ignore[call-arg]
pw.read(3)  # type: ignore[arg-type]
pw.read("labels.csv", format="excel")  # type: ignore[arg-type]
pw.meet(a, b, missing="dropped")  # type: ignore[arg-type]
pw.join(a, object())  # type: ignore[arg-type]
pw.components(a, b, weights=3)  # type: ignore[arg-type]
pw.refines(b"ab", a)  # type: ignore[arg-type]
pw.bipartite_graph(a, b, duplicates=1)  # type: ignore[arg-type]
pw.induced_clustering(3, [1])  # type: ignore[arg-type]
pw.induced_subgraph(a, b)  # type: ignore[call-arg]
pw.merge_subcomponents(a, b, missing=None)  # type: ignore[arg-type]
pw.split_subcomponents(a, b, unmatched=("drop",))  # type: ignore[arg-type]
pw.best_clustering(3)  # type: ignore[arg-type]
pw.worst_clustering("ab")  # type: ignore[arg-type]

# ---- beside the measures -------------------------------------------------------------

pw.adjust(0.5, 0.2)  # type: ignore[call-arg]
pw.b_cubed("ab", b)  # type: ignore[arg-type]
pw.catalogue("pairs")  # type: ignore[call-arg]
pw.centroids(a)  # type: ignore[call-arg]
pw.check_subcomponent_score("entropi")  # type: ignore[arg-type]
pw.cluster_similarity_matrix(a, b, similarity="dice")  # type: ignore[arg-type]
pw.entropy(a, side="left")  # type: ignore[arg-type]
pw.match_clusters(a, b, similarity="overlaps")  # type: ignore[arg-type]
pw.measure(family="pair")  # type: ignore[call-arg, arg-type]
pw.pair_confusion(a, b, weight=[1])  # type: ignore[call-arg]
n11, n10 = pw.pair_confusion(a, b)  # type: ignore[misc]
pw.pair_count_moments(a, b, features=3)  # type: ignore[arg-type]
pw.set_matching(a, b, matching="best")  # type: ignore[arg-type]
pw.soft_contingency("ab", a)  # type: ignore[arg-type]
pw.soft_mutual_information(a, b, base="2")  # type: ignore[arg-type]
pw.soft_normalized_mutual_information(a, b, average="mean")  # type: ignore[arg-type]
pw.soft_normalized_variation_of_information(a)  # type: ignore[call-arg]
pw.soft_variation_of_information(a, b, bases=2)  # type: ignore[call-arg]

# ---- scoring, inference, thresholds --------------------------------------------------

pw.compare(a, b, measures=3)  # type: ignore[arg-type]
pw.compare(a, b, unmatched="drp")  # type: ignore[arg-type]
typo = pw.compare(a, b).scoers  # type: ignore[attr-defined]
pw.score_many(a, [b], pairs="columns")  # type: ignore[arg-type]
pw.score_many(a, 3)  # type: ignore[arg-type]
pw.pairwise([a, b], measure=["purity"])  # type: ignore[arg-type]
pw.decompose(a, b)  # type: ignore[call-arg]
pw.diagnose(a, b, worst="10")  # type: ignore[arg-type]
pw.report_page(a, b, names=("one",))  # type: ignore[arg-type]
pw.from_sums(n_items=3)  # type: ignore[call-arg]
pw.bootstrap(a, b, measure="purity", by="item")  # type: ignore[arg-type]
pw.bootstrap(a, b, measure="purity", draws="many")  # type: ignore[arg-type]
pw.jackknife(a, b, measure="purity", by="items")  # type: ignore[arg-type]
pw.null_distribution(a, b, measure=3)  # type: ignore[arg-type]
pw.paired_test(a, a, b, measure="purity", method="t")  # type: ignore[arg-type]
pw.significance(a, b, measure="purity", alternative="less")  # type: ignore[arg-type]
pw.standardized_mutual_information(a, b, draws=None)  # type: ignore[arg-type]
pw.stability(3)  # type: ignore[arg-type]
pw.sweep(a, [a], kind="nest")  # type: ignore[arg-type]
pw.sweep(a, 3)  # type: ignore[arg-type]
pw.sweep(a, [a], start=1)  # type: ignore[arg-type]
pw.sweep(a, [a]).best()  # type: ignore[call-arg]

# ---- consensus -----------------------------------------------------------------------

pw.credible_ball(a, [a, b], level="high")  # type: ignore[arg-type]
pw.expected_loss(a, [a, b], loss="mi")  # type: ignore[arg-type]
pw.majority_vote(3)  # type: ignore[arg-type]
pw.medoid([a, b], weight=[1, 2])  # type: ignore[call-arg]
pw.point_estimate([a, b], loss="pear")  # type: ignore[arg-type]
pw.similarity_matrix("ab")  # type: ignore[arg-type]

# ---- the field ------------------------------------------------------------------------

pw.closest_cluster(a, b, unmatched="drp")  # type: ignore[arg-type]
pw.diarization_errors(a, b, silent="-")  # type: ignore[call-arg]
pw.diarization_errors("ab", b, silence="-")  # type: ignore[arg-type]
pw.element_consistency("ab")  # type: ignore[arg-type]
pw.element_consistency([a, b], weights=2)  # type: ignore[arg-type]
pw.estimate_from_sample(a, [[0, 1]])  # type: ignore[call-arg]
pw.estimate_from_sample(a, [[0, 1]], weights="sizes")  # type: ignore[arg-type]
pw.estimate_from_sample(a, [[0]], weights="size", population_clusters="9")  # type: ignore[arg-type]
pw.estimate_from_sample(a, [[0, 1]], weights="size", interval="t")  # type: ignore[arg-type]
pw.object_matches(a, b, threshold="high")  # type: ignore[arg-type]
pw.object_matches(3, b)  # type: ignore[arg-type]
pw.split_join(a, b, unmatched="drp")  # type: ignore[arg-type]
coreference.error_analysis(scores.convention)  # type: ignore[arg-type]
coreference.scores_by_entity_size(scores, 3)  # type: ignore[arg-type]
coreference.scores_by_mention(scores, by="word")  # type: ignore[call-arg]
coreference.split_antecedent_scores({})  # type: ignore[arg-type]
coreference.leaderboard({}, 3)  # type: ignore[arg-type]
coreference.error_categories({})  # type: ignore[arg-type]
coreference.universal_anaphora_scores({})  # type: ignore[call-arg]

# ---- the rest ------------------------------------------------------------------------

pw.config("kernels")  # type: ignore[call-arg]
pw.show_config(True)  # type: ignore[call-arg]
pw.free_scratch(1)  # type: ignore[call-arg]
pw.set_workers("2")  # type: ignore[arg-type]
pw.adjusted_rand_score(a, b)  # type: ignore[attr-defined]
coreference.score([["a"]], 3)  # type: ignore[arg-type]
coreference.score({}, [1, 2])  # type: ignore[list-item]
coreference.score(scores, {})  # type: ignore[arg-type]
coreference.score({}, {}, topics=3)  # type: ignore[arg-type]
coreference.score({}, {}, cross_document="ids")  # type: ignore[arg-type]
coreference.score({}, {}, convention="conll")  # type: ignore[arg-type]
coreference.score({}, {}, formt="auto")  # type: ignore[call-arg]
coreference.read("key.conll", format="conll")  # type: ignore[arg-type]
coreference.iter_documents(3)  # type: ignore[arg-type]
coreference.write([], "out.txt", "table")  # type: ignore[arg-type]
coreference.bootstrap(scores, average="mean")  # type: ignore[arg-type]
coreference.paired_test(scores)  # type: ignore[call-arg]
solvers.match([[1, 0], [0, 1]])  # type: ignore[arg-type]
solvers.match(table, gains=3)  # type: ignore[arg-type]
solvers.pack(table, [1])  # type: ignore[call-arg]
solvers.transport([1], 3, [[0]])  # type: ignore[arg-type]
solvers.transport([1], [1], 0)  # type: ignore[arg-type]
blocks.contingency(a, b, missing="none")  # type: ignore[arg-type]
dask.contingency(a, b, unmatched="drp")  # type: ignore[arg-type]
duckdb.contingency("t", label="a", duplicates="none")  # type: ignore[arg-type]
duckdb.contingency("t", label=1)  # type: ignore[arg-type]
spark.contingency(a, label="a", missing="none")  # type: ignore[arg-type]
spark.contingency(a, label="a", item=3)  # type: ignore[arg-type]
forest.Forest.of([[1]])  # type: ignore[arg-type]
forest.Forest.merge(table)  # type: ignore[arg-type]
streaming.LiveTable([[1]])  # type: ignore[arg-type]
streaming.LiveTable().insert(a)  # type: ignore[call-arg]
streaming.LiveTable().score(["purity"])  # type: ignore[arg-type]
streaming.LiveTable.load(3)  # type: ignore[arg-type]
kernels.include("folder")  # type: ignore[call-arg]
pw.Cover([[0, 1]], n_items="2")  # type: ignore[arg-type]
pw.Cover.from_labels()  # type: ignore[call-arg]
pw.omega_index([0, 1], [0, 1])  # type: ignore[arg-type]
pw.overlapping_mutual_information(cover, cover, normalizer="mean")  # type: ignore[arg-type]
pw.extended_b_cubed(cover, cover, beta="2")  # type: ignore[arg-type]
pw.average_f1(cover)  # type: ignore[call-arg]
pw.compare_covers(cover, cover, measures=3)  # type: ignore[arg-type]

# ---- scikit-learn's names ------------------------------------------------------------

sklearn.adjusted_mutual_info_score(a, b, average_method="joint")  # type: ignore[arg-type]
sklearn.adjusted_rand_score(a)  # type: ignore[call-arg]
sklearn.check_clusterings("ab", a)  # type: ignore[arg-type]
sklearn.completeness_score(a, 3)  # type: ignore[arg-type]
sklearn.contingency_matrix(a, b, sparse="yes")  # type: ignore[arg-type]
sklearn.entropy(3)  # type: ignore[arg-type]
sklearn.expected_mutual_information([[1]])  # type: ignore[call-arg]
sklearn.fowlkes_mallows_score(a, b, True)  # type: ignore[call-arg]
sklearn.homogeneity_completeness_v_measure(a, b, beta="1")  # type: ignore[arg-type]
sklearn.homogeneity_score(None, b)  # type: ignore[arg-type]
sklearn.mutual_info_score(a, b, [[1]])  # type: ignore[call-arg]
sklearn.normalized_mutual_info_score(a, b, average_method=1)  # type: ignore[arg-type]
sklearn.pair_confusion_matrix("ab", b)  # type: ignore[arg-type]
sklearn.rand_score(a, b, weights=a)  # type: ignore[call-arg]
sklearn.v_measure_score(a, b, 2)  # type: ignore[call-arg]

# ---- hierarchies ---------------------------------------------------------------------

pw.b_k(tree, cover)  # type: ignore[arg-type]
pw.b_k(tree, tree, ties="rows")  # type: ignore[arg-type]
pw.baker_gamma(tree, tree, statistic="kendall")  # type: ignore[arg-type]
pw.cophenetic_correlation(tree)  # type: ignore[call-arg]
pw.compare_hierarchies(tree, a)  # type: ignore[arg-type]
pw.Hierarchy.from_newick(3)  # type: ignore[arg-type]
