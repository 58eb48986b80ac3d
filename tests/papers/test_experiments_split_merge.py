"""The experiments of the split-merge paper, against what it prints."""

import dataclasses
import math
import sys
from itertools import pairwise, product

import numpy as np
import pytest

import cases
import partwise as pw
from papers import (
    MissingData,
    derivation_graph,
    series_summary,
    split_merge_properties,
    split_merge_series,
    split_merge_series_litbank,
    split_merge_structure,
    split_merge_text,
    split_then_merge,
    subcomponent_pairs,
)
from papers.split_merge_properties import (
    decomposes_as_printed,
    outcomes_of_properties,
    pairs_alike_in_parts,
)
from papers.split_merge_series import outcomes_of_simulated
from papers.split_merge_structure import outcomes_of_structure
from partwise.measures.split_merge.cluster_scores import entropy_score

pytestmark = pytest.mark.one_backend
text = sys.modules["papers.split_merge_text"]
weights_of = sys.modules["papers.split_merge_properties"]


def data():
    return cases.shared("data", "labels")


# ---- Figure 3 -------------------------------------------------------------------

# measure -> start, at the bottom clustering, end, strictly decreasing, never increasing
SERIES = {
    "S_H": (1.000, 0.200, 0.000, True, True),
    "R": (1.000, 0.895, 0.891, True, True),
    "A": (1.000, 0.340, 0.240, False, True),
    "N": (1.000, 0.670, 0.620, False, True),
    "NMI": (1.000, 0.614, 0.600, True, True),
    "V": (1.000, 0.614, 0.579, True, True),
    "S'_H": (1.000, 0.600, 0.500, True, True),
}


def test_series_of_the_simulated_document():
    series = split_merge_series()
    assert series.column("step").count("split") == 33
    assert series.column("clusters")[0] == 17
    assert series.column("clusters")[33] == 50
    for name, *values in series_summary(series).rows:
        start, bottom, end, strictly, never = SERIES[name]
        assert np.allclose(values[:3], (start, bottom, end), atol=0.0005, rtol=0)
        assert values[3:] == [strictly, never]
    assert series.column("S_H")[0] == 1.0
    assert series.column("S_H")[-1] == 0.0


def test_series_of_a_literary_document():
    series = split_merge_series_litbank(data())
    summary = {name: values for name, *values in series_summary(series).rows}
    assert {name: values[3:] for name, values in summary.items()} == {
        name: list(values[3:]) for name, values in SERIES.items()
    }
    assert [summary[name][2] == 0 for name in SERIES] == [name == "S_H" for name in SERIES]
    with pytest.raises(ValueError, match="no document 'x'"):
        split_merge_series_litbank(data(), "x")


@pytest.mark.parametrize("labels", [[0, 0], [0, 1], [0, 0, 0, 1], [0, 1, 2], list("aabbbccd")])
def test_every_series_ends_at_a_worst_clustering(labels):
    found = list(split_then_merge(labels))
    assert found[0][0] == "start"
    assert pw.s_entropy(labels, found[0][1]) == 1.0
    assert pw.s_entropy(labels, found[-1][1]) == 0.0
    for (_, before), (step, after) in pairwise(found):
        first, second = (before, after) if step == "merge" else (after, before)
        assert pw.refines(first, second)
        assert abs(len(set(before)) - len(set(after))) == 1
    splits = [step for step, _ in found].count("split")
    assert splits == len(labels) - len(set(labels))


def test_the_largest_cluster_is_halved_and_the_last_single_item_joins_any():
    steps = list(split_then_merge([0] * 5 + [1] * 3 + [2]))
    assert steps[1][1].tolist() == [0, 0, 0, 3, 3, 1, 1, 1, 2]
    ends = {tuple(list(split_then_merge([0, 0, 0, 1], seed))[-1][1]) for seed in range(20)}
    assert len(ends) == 3
    with pytest.raises(ValueError, match="one clustering only"):
        next(split_then_merge([1]))


# ---- Figures 1 and 2 ------------------------------------------------------------


def test_structure_lists_the_pairs_of_subcomponents():
    table = split_merge_structure()
    assert table.column("component") == (0, 0, 1, 1, 2, 2, 2, 2, 3)
    assert table.column("reference")[:4] == ("{0 1 2}", "{0 1 2}", "{3}", "{4}")
    assert table.column("meet")[4:8] == ("{5}", "{6}", "{7}", "{8}")
    assert table.column("candidate")[4:8] == ("{5 7}", "{6 8}", "{5 7}", "{6 8}")


def test_structure_of_any_clusterings():
    rng = np.random.default_rng(3)
    for _ in range(10):
        a, b = rng.integers(0, 6, (2, 30))
        table = split_merge_structure(a, b)
        wanted = pw.contingency(a, b)
        assert len(table.rows) == wanted.n_cells
        assert sum(table.column("size")) == 30
        assert len(set(table.column("reference"))) == wanted.shape[0]
        assert len(set(table.column("candidate"))) == wanted.shape[1]
        components = pw.components(a, b)
        assert len(set(table.column("component"))) == components.n_components
    named = split_merge_structure({"x": 0, "y": 0, "z": 1}, {"x": 0, "y": 1, "z": 1})
    assert named.column("reference") == ("{x y}", "{x y}", "{z}")
    long = split_merge_structure([0] * 9, [0] * 9)
    assert long.column("meet") == ("{0 1 ... (9 items)}",)
    assert split_merge_structure([], []).rows == ()


# ---- structure, properties, text -------------------------------------------------------


def test_the_derivation_graph_splits_and_merges():
    graph = derivation_graph({"x": 0, "y": 0, "z": 1, "w": 1}, {"x": 0, "y": 1, "z": 1, "w": 1})
    assert graph.reference == (("x", "y"), ("z", "w"))
    assert graph.meet == (("x",), ("y",), ("z", "w"))
    assert graph.candidate == (("x",), ("y", "z", "w"))
    assert graph.splits == ((0, 0), (0, 1), (1, 2))
    assert graph.merges == ((0, 0), (1, 1), (2, 1))
    assert graph.component == (0, 0, 0)
    assert derivation_graph([], []).meet == ()
    aligned = pw.align([0, 0, 1], [0, 1, 1])
    assert derivation_graph(aligned) == derivation_graph([0, 0, 1], [0, 1, 1])
    assert subcomponent_pairs(aligned) == subcomponent_pairs([0, 0, 1], [0, 1, 1])


def test_subcomponent_pairs_are_the_edges_of_the_bipartite_graph():
    rng = np.random.default_rng(5)
    for _ in range(10):
        a, b = rng.integers(0, 5, (2, 25))
        pairs = subcomponent_pairs(a, b)
        assert len(pairs) == pw.contingency(a, b).n_cells
        for pair in pairs:
            assert sorted(pair.meet) == sorted({*pair.reference} & {*pair.candidate})
            assert sorted(sum(pair.split, ())) == sorted(pair.reference)
            assert sorted(sum(pair.merge, ())) == sorted(pair.candidate)
            assert pair.meet in pair.split
            assert pair.meet in pair.merge
        total = sum(
            len(pair.meet)
            / 25
            * entropy_score([len(part) for part in pair.split])
            * entropy_score([len(part) for part in pair.merge])
            for pair in pairs
        )
        assert math.isclose(total, pw.s_entropy(a, b), rel_tol=1e-12)


def test_a_wrong_structure_is_seen(monkeypatch):
    """The three checks fail on a graph with one cluster of the meet too few, or one twice."""
    a, b = (0, 0, 1, 2), (0, 1, 1, 2)
    assert text.components_are_the_join(a, b)
    assert text.sinks_are_sources(a, b)
    assert text.pairs_are_one_to_one(a, b)
    graph, pairs = derivation_graph(a, b), subcomponent_pairs(a, b)
    broken = dataclasses.replace(graph, splits=graph.splits[:-1], component=(0, 1, 0, 1))
    monkeypatch.setattr(text, "derivation_graph", lambda *sides: broken)
    assert not text.components_are_the_join(a, b)
    assert not text.sinks_are_sources(a, b)
    for wrong in ((*pairs[:1], *pairs[2:]), (*pairs, pairs[0])):
        monkeypatch.setattr(text, "subcomponent_pairs", lambda *sides, wrong=wrong: wrong)
        assert not text.pairs_are_one_to_one(a, b)


def test_the_properties_of_split_merge():
    table = split_merge_properties()
    k = table.where(measure="K", property="normalized").to_dicts()[0]
    assert [k[f"n = {n}"] for n in (3, 4, 5)] == [False, True, False]
    n = table.where(measure="N", place="Table 2").to_dicts()[0]
    assert [n[f"n = {n_items}"] for n_items in (3, 4, 5)] == [False, True, True]
    assert {one.status for one in outcomes_of_properties(table)} == {
        "claim holds",
        "print is wrong",
    }


def test_k_reaches_zero_where_its_square_divides_the_items():
    eight = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1]
    assert pw.vi_similarity_log_k(*eight, k=2) == 0
    labels = list(product((0, 1), repeat=6))
    smallest = min(
        pw.vi_similarity_log_k(pw.contingency(a, b), k=2) for a in labels for b in labels
    )
    assert 0.01 < smallest < 0.1


def test_a_wrong_weight_does_not_re_add(monkeypatch):
    assert decomposes_as_printed("V", 4)
    weights = weights_of._PRINTED_WEIGHTS
    monkeypatch.setitem(weights, "V", weights["R"])
    assert not decomposes_as_printed("V", 4)
    for name in ("R", "I", "V", "N", "A", "K", "S*"):
        assert pairs_alike_in_parts(name, 4) is None
    first, second = pairs_alike_in_parts("NMI", 4)
    values = []
    for pair in (first, second):
        a, b = ([*map(int, side)] for side in pair.split(" / "))
        values.append(pw.normalized_mutual_information(a, b, average="max"))
        assert pw.join(a, b).tolist() == [0, 0, 0, 1]
    assert abs(values[0] - values[1]) > 0.1


def test_the_text_of_split_merge():
    rows = split_merge_text().to_dicts()
    assert [row["claim"] for row in rows if not row["holds"]] == [
        "S' is K, s = 1 - H / log k^2, k = 2",
        "smallest S*(L, bottom), L other than bottom",
    ]
    assert {row["value"] for row in rows if row["place"].startswith("Proposition 4")} == {
        "225 of 225 pairs"
    }


def test_figure_2_as_outcomes():
    outcomes = outcomes_of_structure(split_merge_structure())
    assert [one.status for one in outcomes] == ["claim holds"] * 2
    other = outcomes_of_structure(split_merge_structure([0, 0, 1, 1, 2, 3], [0, 0, 1, 2, 3, 3]))
    assert not any(one.holds for one in other)


def test_claims_of_figure_3_can_fail():
    outcomes = outcomes_of_simulated(split_merge_series([0, 0, 1, 2]))
    assert outcomes[0].status == "differs"
    assert outcomes[0].ours == 1
    assert [one.agrees for one in outcomes if one.item == "A falls"] == [False]


def test_the_document_that_comes_along_is_that_of_litbank():
    assert split_merge_series_litbank() == split_merge_series_litbank(data())
    with pytest.raises(MissingData, match="only 1400_great_expectations_brat comes with"):
        split_merge_series_litbank(document="x")
