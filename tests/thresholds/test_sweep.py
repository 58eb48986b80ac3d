"""``sweep``: every state has the scores of a fresh ``compare``, and bad merges are refused."""

from __future__ import annotations

import csv
import gzip
import json
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage

import partwise as pw
from cases import load, shared
from partwise.cli import main
from partwise.measures.catalogue import catalogue
from strategies import edge_lists

CURVES = [
    row.name
    for row in catalogue().values()
    if row.computation.formula is not None and not row.requires
]


def cases():
    return load("sweep_cases.json")["cases"]


def given_in(case):
    """Return the arguments of a case."""
    found = {key: value for key, value in case["input"].items() if key == "scores"}
    for kind, name in (("linkage", "linkage"), ("edges", "edges"), ("clusterings", "nested")):
        if kind in case["input"]:
            merges = case["input"][kind]
            found |= {"kind": name}
    if "edges" in case["input"]:
        merges = [(a, b, float(score)) for a, b, score in merges]
    return case["input"]["reference"], merges, found


REFUSED = [case for case in cases() if "expected_error" in case]
ACCEPTED = [case for case in cases() if "expected_error" not in case]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["id"])
def test_stored_cases_that_are_refused(case):
    reference, merges, options = given_in(case)
    with pytest.raises(ValueError, match=r"edge|row|clustering") as raised:
        pw.sweep(reference, merges, **options)
    for what in re.findall(r"(?:edge|row|clustering) \d+", case["expected_error"]):
        assert what in str(raised.value)


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case["id"])
def test_stored_cases(case):
    reference, merges, options = given_in(case)
    found = pw.sweep(reference, merges, measures=CURVES, **options)
    states = case["expected_states"]
    assert found.thresholds.tolist() == [float(state["threshold"]) for state in states]
    for s, state in enumerate(states):
        assert found.labels(s).tolist() == state["labels"]
        for name, value in state.get("values", {}).items():
            if name in ("n_clusters", "cells", "exact_matches"):
                assert found[name][s] == value
            elif name == "muc_counts":
                for side, pair in value.items():
                    assert found.muc_counts[side][s].tolist() == pair
            elif name in CURVES:
                assert math.isclose(found[name][s], value["value"], abs_tol=1e-13)
    for threshold, labels in case.get("expected", {}).get("at", {}).items():
        assert found.at(float(threshold)).tolist() == labels
    for name, best in case.get("expected", {}).items():
        if name.startswith("best_"):
            got = found.best(name.removeprefix("best_"))
            assert got.value == best["value"]
            assert got.low == best.get("exclusive_low", got.low)
            assert got.high == best.get("inclusive_high", got.high)
            assert got.tied == best.get("states_tied", got.tied)


@given(edge_lists())
def test_every_state_equals_a_fresh_compare_bit_for_bit(drawn):
    labels, edges, scores = drawn
    found = pw.sweep(labels, edges, scores=scores, kind="edges", measures=CURVES)
    for s in range(len(found)):
        fresh = pw.compare(labels, found.labels(s), measures=CURVES)
        assert {name: found[name][s] for name in CURVES} == fresh.to_dict()["scores"]


@given(edge_lists(), st.randoms(use_true_random=False))
def test_order_direction_and_names_change_nothing(drawn, random):
    labels, edges, scores = drawn
    found = pw.sweep(labels, edges, scores=scores, kind="edges", measures=CURVES)
    turned = [(b, a, s) if random.random() < 0.5 else (a, b, s) for a, b, s in edges]
    random.shuffle(turned)
    renamed = [f"label {7 - label}" for label in labels]
    other = pw.sweep(renamed, turned, scores=scores, kind="edges", measures=CURVES)
    for name in ("thresholds", "n_clusters"):
        assert getattr(found, name).tolist() == getattr(other, name).tolist()
    for name in CURVES:
        assert found[name].tolist() == other[name].tolist()


@given(edge_lists())
def test_monotone_facts(drawn):
    labels, edges, scores = drawn
    found = pw.sweep(labels, edges, scores=scores, kind="edges", measures=CURVES)
    growing = ["b_cubed_recall", "inverse_purity"]
    if len(set(labels)) < len(labels):  # else there is no pair to recall
        growing.append("pair_recall")
    for name in growing:
        assert (np.diff(found[name]) >= 0).all()
    for name in ("purity", "homogeneity", "b_cubed_precision"):
        assert (np.diff(found[name]) <= 0).all()


@pytest.mark.parametrize("method", ["single", "average", "complete", "centroid"])
def test_linkages_cut_as_scipy_cuts_them(method):
    rng = np.random.default_rng(3)
    points = rng.integers(0, 9, (40, 2)).astype(float)
    tree = linkage(points, method)
    labels = rng.integers(0, 4, 40)
    found = pw.sweep(labels, tree, measures=["rand_index", "v_measure"])
    for t in (*found.thresholds[1:], 0.5, 1.5, 2.25):
        cut = fcluster(tree, t, "distance")
        assert pw.rand_index(found.at(t), cut) == 1.0
        assert found["v_measure"][found.index_at(t)] == pw.v_measure(labels, cut)
    open_ended = pw.sweep(labels, tree, closed=False, measures=["rand_index"])
    assert open_ended.index_at(found.thresholds[1]) == 0


@pytest.mark.parametrize("off", [0, 1])
def test_states_near_independence_are_computed_on_their_table(off):
    half = 2000
    labels = np.repeat([0, 1], half)
    start = (np.arange(2 * half) % half >= half // 2).astype(int)
    start[:off] = 1
    start[-off or len(start) :] = 0
    edges = [(1, half // 2, 1.0)]
    found = pw.sweep(
        labels, edges, kind="edges", scores="distance", start=start, measures=CURVES
    )
    assert len(found) == 2
    assert (found["mutual_information"][0] > 0) == (off > 0)
    fresh = pw.compare(labels, start, measures=CURVES).to_dict()["scores"]
    assert {name: found[name][0] for name in CURVES} == fresh


def test_of_tied_states_the_one_with_the_fewest_clusters_is_best():
    edges = [(0, 1, 0.9), (2, 3, 0.8), (0, 2, 0.4)]
    found = pw.sweep([0, 0, 1, 1], edges, scores="similarity", kind="edges", measures="purity")
    best = found.best("purity")
    assert (best.tied, best.n_clusters, best.low, best.high) == (3, 2, 0.4, 0.8)


def test_thresholds_have_no_negative_zero():
    by_edges = pw.sweep([0, 0, 1], [(0, 1, -0.0)], scores="distance", kind="edges")
    by_tree = pw.sweep([0, 0], [[0, 1, -0.0, 2]], kind="linkage")
    for found in (by_edges, by_tree):
        assert not np.signbit(found.thresholds[1])


def test_a_grid_is_part_of_all_states():
    rng = np.random.default_rng(4)
    labels, points = rng.integers(0, 5, 60), rng.random((60, 2))
    tree = linkage(points, "average")
    every = pw.sweep(labels, tree, measures=CURVES)
    some = pw.sweep(labels, tree, measures=CURVES, thresholds=7)
    assert len(some) == 7
    at = [every.index_at(t) for t in some.thresholds]
    for name in CURVES:
        assert every[name][at].tolist() == some[name].tolist()
    chosen = pw.sweep(labels, tree, measures=["purity"], thresholds=[0.2, 0.21, 0.1])
    assert chosen.thresholds.tolist() == sorted(
        {every.thresholds[every.index_at(t)] for t in (0.2, 0.21, 0.1)}
    )
    with pytest.raises(ValueError, match="not among"):
        chosen.index_at(1e9)


def test_measures_of_tables_have_states_of_their_own():
    rng = np.random.default_rng(6)
    labels = rng.integers(0, 5, 1500)
    tree = linkage(rng.random((1500, 2)), "single")
    names = ["classification_accuracy", "larsen_aone"]
    found = pw.sweep(labels, tree, measures=[*names, "purity"])
    for name in names:
        states = found.states_of(name)
        assert 1000 <= len(states) == len(found[name]) <= 1001
        assert found.best("purity").state in states
        assert states[0] == 0
        assert states[-1] == len(found) - 1
        s = int(states[600])
        assert found[name][600] == pw.catalogue()[name](pw.contingency(labels, found.labels(s)))
    frame = found.to_pandas()
    assert frame["larsen_aone"].notna().sum() == len(found["larsen_aone"])
    assert frame["purity"].notna().all()


def test_start_is_a_state_of_its_own():
    edges = [(0, 1, 0.9), (1, 2, 0.8), (3, 4, 0.5)]
    whole = pw.sweep([0, 0, 0, 1, 1], edges, scores="similarity", kind="edges")
    begun = pw.sweep(
        [0, 0, 0, 1, 1], edges, scores="similarity", kind="edges", start=[0, 0, 0, 1, 2]
    )
    assert begun.labels(0).tolist() == [0, 0, 0, 1, 2]
    assert begun.thresholds.tolist() == [np.inf, 0.5]
    assert begun["rand_index"].tolist() == whole["rand_index"][2:].tolist()


def test_items_without_a_label_are_counted_and_their_merges_count():
    labels = [0, None, 0, 1]
    edges = [(0, 1, 0.9), (1, 2, 0.8)]
    with pytest.raises(ValueError, match="position 1"):
        pw.sweep(labels, edges, scores="similarity", kind="edges")
    found = pw.sweep(labels, edges, scores="similarity", kind="edges", unlabelled="ignore")
    assert (found.n_items, found.n_ignored) == (3, 1)
    assert found["rand_index"].tolist() == [2 / 3, 2 / 3, 1.0]
    assert found.best("rand_index").n_clusters == 2


def test_nested_clusterings_are_levels():
    levels = [[0, 1, 2, 3], [0, 0, 1, 2], [0, 0, 1, 1]]
    found = pw.sweep([0, 0, 1, 1], levels, kind="nested", measures=["purity", "v_measure"])
    assert found.thresholds.tolist() == [0.0, 1.0, 2.0]
    assert found["v_measure"].tolist() == [
        pw.v_measure([0, 0, 1, 1], level) for level in levels
    ]


BAD_LINKAGES = [
    ([[0, 1, 1.0, 2]], "has 2 rows; this one has 1"),
    ([[0, 1, 1.0, 2], [2, 4, 2.0, 3]], "row 1 joins 2 and 4: a cluster that is not yet formed"),
    ([[0, -1, 1.0, 2], [2, 3, 2.0, 3]], "row 0 joins 0 and -1: a negative"),
    ([[0, 0, 1.0, 2], [2, 3, 2.0, 3]], "row 0 joins 0 and 0: the same cluster twice"),
    ([[0, 1, 1.0, 2], [1, 2, 2.0, 2]], "row 1: cluster 1 was merged before"),
    ([[0, 1, np.nan, 2], [2, 3, 2.0, 3]], "row 0: its height is nan"),
    ([[0, 1, 1.0, 2], [2, 3, 2.0, 2]], "row 1: it counts 2 items, but its clusters hold 3"),
    ([[0, 1.5, 1.0, 2], [2, 3, 2.0, 3]], "row 0 joins 0 and 1.5: no cluster number"),
    ([[0, 1, 1.0], [2, 3, 2.0]], "has shape"),
]


@pytest.mark.parametrize(("rows", "message"), BAD_LINKAGES)
def test_malformed_linkages_are_refused_with_their_row(rows, message):
    with pytest.raises(ValueError, match=message):
        pw.sweep([0, 0, 1], rows, kind="linkage")


@pytest.mark.parametrize(
    ("edges", "options", "message"),
    [
        ([(0, 1, 0.5)], {}, 'scores="distance"'),
        ([(0, 1)], {"scores": "distance"}, "edge 0 is"),
        ([(0, 5, 0.5)], {"scores": "distance"}, "edge 0 names item 5"),
        ([(0, 1, "high")], {"scores": "distance"}, "scores of edges are numbers"),
        ([(0, 1, -np.inf)], {"scores": "distance"}, "its score is -inf"),
        ([(0, "x", 1.0)], {"scores": "distance"}, "by position"),
        ([(0, 1, 1.0)], {"scores": "closeness"}, "one of"),
    ],
)
def test_bad_edges_are_refused_with_their_number(edges, options, message):
    with pytest.raises(ValueError, match=message):
        pw.sweep([0, 0, 1], edges, kind="edges", **options)
    with pytest.raises(ValueError, match="'d', which the reference does not have"):
        pw.sweep(pw.Clustering([0, 0], items=["a", "b"]), [("a", "d", 1.0)], scores="distance")


def test_what_shapes_do_not_tell_is_asked_for():
    with pytest.raises(ValueError, match="pass kind="):
        pw.sweep([0, 0, 1, 1], [[0, 0, 1, 1], [0, 0, 0, 0]])
    with pytest.raises(KeyError, match="was not asked for"):
        pw.sweep([0, 1, 1], [], scores="distance", measures=["purity"])["rand_index"]


def test_ranges_of_the_cut():
    found = pw.sweep([0, 0, 1], [(0, 1, 0.5), (1, 2, 2.0)], scores="distance", kind="edges")
    best = found.best("rand_index")
    assert (best.low, best.high, best.includes, best.cut) == (0.5, 2.0, "low", 1.25)
    found = pw.sweep([0, 0, 0], [(0, 1, 0.5), (1, 2, 2.0)], scores="distance", kind="edges")
    assert found.best("rand_index").cut == 2.0
    found = pw.sweep([0, 1, 2], [(0, 1, 0.5)], scores="distance", kind="edges")
    best = found.best("rand_index")
    assert (best.high, best.includes) == (0.5, "low")
    assert found.index_at(best.cut) == 0


@pytest.mark.parametrize("scores", ["distance", "similarity"])
@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("first", [1.0, 1.0 + 2**-52, 1e308, -1e308, 5e-324])
def test_the_cut_gives_the_state_even_between_neighbouring_doubles(scores, closed, first):
    last = np.nextafter(first, np.inf)
    edges = [(0, 1, first), (1, 2, last)]
    if scores == "similarity":
        edges = [(0, 1, last), (1, 2, first)]
    for labels in ([0, 1, 2], [0, 0, 1], [0, 0, 0]):
        found = pw.sweep(labels, edges, scores=scores, kind="edges", closed=closed)
        best = found.best("rand_index")
        assert best.value == 1.0
        assert found.index_at(best.cut) == best.state


def test_command_line(tmp_path, capsys):
    (tmp_path / "gold.tsv").write_text("item\tlabel\na\t1\nb\t1\nc\t2\nd\t2\n")
    (tmp_path / "edges.csv").write_text("x,y,score\na,b,0.9\nc,d,0.7\nb,c,0.2\n")
    arguments = ["sweep", f"{tmp_path}/gold.tsv", f"{tmp_path}/edges.csv"]
    arguments += ["--item", "item", "--label", "label"]
    assert main(arguments) == 2
    assert "scores" in capsys.readouterr().err
    arguments += ["--scores", "similarity", "--measures", "adjusted_rand_index"]
    assert main([*arguments, "--plot", f"{tmp_path}/out.png"]) == 0
    assert "(0.2, 0.7]" in capsys.readouterr().out
    assert (tmp_path / "out.png").stat().st_size > 1000
    assert main([*arguments, "--csv"]) == 0
    assert capsys.readouterr().out.splitlines()[3].startswith("0.7,0.2,2,2,2,2,1")
    assert main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["adjusted_rand_index"][2] == 1.0


def test_stability_takes_what_is_not_nested():
    flows = pw.stability([[0, 0, 1, 2], [0, 1, 1, 1]])
    found = list(zip(flows.source, flows.target, flows.count.tolist(), strict=True))
    assert found == [(0, 0, 1), (0, 1, 1), (1, 1, 1), (2, 1, 1)]
    assert flows.source_share.tolist() == [0.5, 0.5, 1.0, 1.0]
    assert flows.target_share.tolist() == [1.0, 1 / 3, 1 / 3, 1 / 3]
    assert len(flows.to_pandas()) == 4
    with pytest.raises(ValueError, match="two or more, not 1"):
        pw.stability([[0, 1]])
    with pytest.raises(ValueError, match="levels '0' and '1'"):
        pw.stability([[0, 1], [0]])


def test_records_at_seven_thresholds_of_similarity():
    with gzip.open(shared("data", "labels", "febrl", "dataset3.csv.gz"), "rt") as file:
        rows = list(csv.DictReader(file))
    true = [row["true"] for row in rows]
    names = [f"jaccard>=0.{k}" for k in range(8, 1, -1)]
    levels = {name: [int(row[name]) for row in rows] for name in names}
    found = pw.sweep(true, levels, kind="nested", measures=CURVES)
    for s, name in enumerate(names):
        fresh = pw.compare(true, levels[name], measures=CURVES)
        assert {measure: found[measure][s] for measure in CURVES} == fresh.to_dict()["scores"]
    assert 0 < found.best("pair_f1").state < len(found) - 1


@pytest.mark.parametrize("scores", ["distance", "similarity"])
@pytest.mark.parametrize("closed", [True, False])
def test_a_table_has_both_ends_of_a_state(scores, closed):
    edges = [(0, 1, 0.1), (2, 3, 0.5), (4, 5, 0.5), (1, 2, 0.7)]
    found = pw.sweep([0, 0, 1, 1, 2, 2], edges, scores=scores, closed=closed, kind="edges")
    table = found.table()
    assert table.header[:2] == ("threshold", "end")
    for state, row in enumerate(table.rows):
        assert tuple(sorted(row[:2])) == found.interval(state)
        if np.isfinite(row[not closed]):  # the end at which the state holds
            assert found.index_at(row[not closed]) == state
    frame = found.to_pandas()
    assert frame["end"].tolist() == [row[1] for row in table.rows]
