"""Reference values of an independent oracle, at stated tolerances."""

import math
import re

import numpy as np
import pytest

import cases
import partwise as pw
from partwise.measures.catalogue import find
from partwise.measures.overlap import pair_sets

TINY = cases.load("labels_tiny.json")
STRUCTURE = cases.load("structure.json")
BULKY = ["labels_random_small.json", "labels_skewed.json", "labels_large.json"]

# Rational by formula: two units in the last place, integers exactly.
RATIONAL = {
    "rand_index",
    "adjusted_rand_index",
    "jaccard",
    "mirkin",
    "purity",
    "van_dongen",
    "f_measure",
    "larsen_aone",
    "criterion_h",
    "classification_accuracy",
    "pair_sets_index",
    "mallows_distance",
}
# Not in the files: the coefficients of pairs, other names.
WITHOUT_REFERENCE = {
    "split_merge",
    "adjusted_variation_of_information",
    "expected_rand_index",
    "standardized_rand_index",
    "inverse_purity",
    "misclassification_index",
    "pair_sets_distance",
    "expected_pair_sets",
    "micro_precision",
    "micro_recall",
    "pair_precision",
    "pair_recall",
    "pair_f1",
    "wallace",
    "rogers_tanimoto",
    "sokal_sneath_1",
    "sokal_sneath_2",
    "sokal_sneath_3",
    "kulczynski",
    "russell_rao",
    "adjusted_fowlkes_mallows",
    "adapted_rand_error",
    "b_cubed_precision",
    "b_cubed_recall",
    "b_cubed_f1",
    "cluster_precision",
    "cluster_recall",
    "cluster_f1",
    # test_field.py has the values of these
    *("chi_squared", "cramer_v", "tschuprow_t", "goodman_kruskal_tau"),
    *("goodman_kruskal_lambda", "uncertainty_coefficient", "split_entropy", "merge_entropy"),
    *("information_distance", "normalized_information_distance"),
    *("reduced_mutual_information", "modified_adjusted_rand_index"),
    *("normalized_clustering_accuracy", "normalized_pivoted_accuracy", "talburt_wang_index"),
    *("closest_cluster_precision", "closest_cluster_recall", "closest_cluster_f1"),
    *("element_centric_similarity", "merge_distance", "panoptic_quality"),
    *("object_average_precision", "diarization_error_rate", "jaccard_error_rate"),
}
# Entropies, MI, VI: 1e-13 relative or 1e-15 absolute; the rest 1e-12 or 1e-13.
PLAIN = {
    "joint_entropy",
    "mutual_information",
    "variation_of_information",
    "entropy",
    "conditional_entropy",
    "expected_mutual_information",
}


CASES = [pytest.param(case, id=case["id"]) for case in TINY]
CASES += [pytest.param(name, id=name) for name in BULKY]


def each(case):
    return cases.load(case) if isinstance(case, str) else [case]


def call(name, a, b):
    """The library's value for a name of the reference files, None if not built yet."""
    if match := re.fullmatch(r"entropy\((a|b)\)", name):
        return pw.entropy(a if match[1] == "a" else b)
    if match := re.fullmatch(r"conditional_entropy\((a|b)\|(a|b)\)", name):
        sides = {"a": a, "b": b}
        return pw.conditional_entropy(sides[match[1]], sides[match[2]])
    try:
        row = find(name)
    except ValueError:
        return None
    return row.function(a, b, **row.options)


def is_tied(case):
    """Whether the greedy value depends on the order of ties."""
    return case.get("notes", {}).get("greedy_tie_dependent", False)


def check(name, value, wanted, exact):
    assert type(value) is float
    base = name.partition("(")[0]
    if exact is not None and exact in (0, 1):
        assert value == exact
    elif base in RATIONAL:
        assert cases.within_ulp(value, wanted)
        if exact is not None and exact.denominator == 1:
            assert value == exact
    elif base in PLAIN:
        assert math.isclose(value, wanted, rel_tol=1e-13, abs_tol=1e-15)
    else:
        assert math.isclose(value, wanted, rel_tol=1e-12, abs_tol=1e-13)


@pytest.mark.parametrize("case", CASES)
def test_measures(case):
    checked = set()
    for one in each(case):
        for name, wanted in one["values"].items():
            if not isinstance(wanted, (int, float)):
                continue
            value = call(name, one["a"], one["b"])
            tied = name == "criterion_h(matching=greedy)" and is_tied(one)
            if value is not None:
                checked.add(name.partition("(")[0])
            if value is not None and not tied:
                check(name, value, wanted, cases.exact(one, name))
    rows = pw.catalogue().values()  # those of features: test_centroids.py
    bases = {row.name.partition("(")[0] for row in rows if not row.required_columns}
    if not any("mallows_distance(cluster_weights=size)" in x["values"] for x in each(case)):
        checked.add("mallows_distance")  # left out where there are no or very many clusters
    assert bases - checked == WITHOUT_REFERENCE


@pytest.mark.parametrize("case", CASES)
def test_tables(case):
    for one in each(case):
        a, b, values = one["a"], one["b"], one["values"]
        table = pw.contingency(a, b)
        dense = table.to_scipy().toarray().tolist()
        assert dense == values["contingency"]
        pairs = pw.pair_confusion(table)
        assert [pairs.n11, pairs.n10, pairs.n01, pairs.n00] == values["pair_counts"]
        assert pw.meet(a, b).tolist() == values["meet"]
        assert pw.join(a, b).tolist() == values["join"]
        assert table.components().n_components == values["n_components"]
        assert pw.inverse_purity(a, b) == pw.purity(b, a)
        if a:
            paired = pair_sets._paired(table, "braun_banquet") / 2**126
            above, below = pair_sets._expected(table, "braun_banquet")
            expected = above / below
            s, e, most = values["psi_parts(S,E,max_k)"]
            assert cases.within_ulp(paired, s)
            assert cases.within_ulp(expected, e)
            assert max(table.shape) == most
        for similarity in ("jaccard", "sorensen_dice", "braun_banquet"):
            name = f"cluster_similarity_matrix(similarity={similarity})"
            if name in values and a:
                matrix = pw.cluster_similarity_matrix(table, similarity=similarity)
                assert np.allclose(matrix.toarray(), values[name], rtol=1e-15, atol=0)


@pytest.mark.parametrize("case", STRUCTURE, ids=lambda case: case["id"])
def test_structures(case):
    a, b, values = case["a"], case["b"], case["values"]
    aligned = pw.align(a, b)
    assert pw.meet(aligned).tolist() == values["meet"]
    assert pw.join(aligned).tolist() == values["join"]
    edges = [list(edge) for edge in pw.bipartite_graph(aligned).edges()]
    assert edges == values["edges(i,j,n_ij)"]
    assert pw.refines(a, b) is values["refines(a,b)"]
    assert pw.refines(b, a) is values["refines(b,a)"]
    found = pw.components(aligned)
    assert found.n_components == len(values["components"])
    by_items = {tuple(part["items"]): part for part in values["components"]}
    for j, table in enumerate(found.tables()):
        part = by_items[tuple(found.items(j).tolist())]
        inner = pw.contingency([a[i] for i in part["items"]], [b[i] for i in part["items"]])
        for one in (table, found.table(j)):
            assert [x.tolist() for x in one.cells] == [x.tolist() for x in inner.cells]
            assert one.row_labels.tolist() == inner.row_labels.tolist()
            assert one.col_labels.tolist() == inner.col_labels.tolist()
            assert one.n_items == len(part["items"]) == found.sizes[j]


@pytest.mark.parametrize("case", STRUCTURE, ids=lambda case: case["id"])
def test_induced_clusterings(case):
    a, b = case["a"], case["b"]
    wanted = {
        tuple(x["items"]): x["labels"] for x in case["values"]["induced_b_by_each_a_cluster"]
    }
    groups = pw.Clustering(a).clusters()
    assert len(groups) == len(wanted)
    for items in groups.values():
        induced = pw.induced_clustering(b, items)
        number = {}
        labels = [number.setdefault(x, len(number)) for x in induced.labels.tolist()]
        assert labels == wanted[tuple(items)]
        assert induced.items.tolist() == items


@pytest.mark.parametrize("case", STRUCTURE, ids=lambda case: case["id"])
def test_split_and_merge_scores(case):
    from partwise.measures.split_merge.split_merge import entropy_scores

    table = pw.contingency(case["a"], case["b"])
    for side, scores in zip(("split", "merge"), entropy_scores(table), strict=True):
        wanted = case["values"][f"{side}_scores_s_entropy"]
        assert np.allclose(scores / 2**62, wanted, rtol=1e-12, atol=1e-13)
