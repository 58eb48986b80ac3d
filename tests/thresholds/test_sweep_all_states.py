"""Measures at every state beyond plain sums: split-merge scores, information under chance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage

import partwise as pw
from partwise import _kernels
from partwise.measures.information.entropy_sums import fraction_bits
from partwise.thresholds import chance_curve, split_merge_curve
from partwise.thresholds.grid import evenly
from strategies import edge_lists, forests

SCORES = ["s_entropy", "s_entropy(combine=mean)", "split_merge"]
CHANCE = [
    "expected_mutual_information",
    "adjusted_mutual_information",
    "adjusted_mutual_information(average=geometric)",
    "adjusted_mutual_information(average=min)",
    "adjusted_mutual_information(average=max)",
    "adjusted_variation_of_information",
]


def random_edges(n, rng):
    """Return edges that join random items until one cluster is left."""
    other = (rng.random(n - 1) * np.arange(1, n)).astype(np.int64)
    return np.arange(1, n), other, rng.random(n - 1)


def fresh(found, labels, state, names):
    return pw.compare(labels, found.labels(state), measures=names).to_dict()["scores"]


# ---- split-merge scores ----------------------------------------------------------------


@given(forests())
def test_scores_of_every_state_are_those_of_its_table_whichever_way(forest):
    labels, left, right, state = forest
    n_labels, bits = int(labels.max(initial=-1)) + 1, fraction_bits(len(labels))
    n_states = int(state[-1]) + 1 if len(state) else 1
    events = _kernels.impl.sweep_events(labels, n_labels, left, right)
    given = labels, n_labels, left, right, state, n_states, events, bits
    shown = labels >= 0
    expected = []
    for s in range(n_states):
        done = int(np.searchsorted(state, s, side="right"))
        clusters = _kernels.impl.sweep_clusters(len(labels), left, right, done)
        table = pw.contingency(labels[shown], clusters[shown])
        expected.append((pw.s_entropy(table), pw.s_entropy(table, combine="mean")))
    for by_rows in (0, 2, 4, 99):
        product, mean, visited = _kernels.impl.sweep_scores(*given, by_rows, True)
        bound = np.array([by_rows])
        known = _kernels.impl.sweep_walks(labels, n_labels, left, right, events, bound)[0]
        last = int(np.searchsorted(state, n_states - 1, side="right"))
        if last == len(left):
            assert visited == known if shown.all() else visited <= known
        assert list(zip(product.tolist(), mean.tolist(), strict=True)) == expected
    product, only_mean, _ = _kernels.impl.sweep_scores(*given, 0, False)
    assert product is None
    assert only_mean.tolist() == mean.tolist()


@given(forests())
def test_visits_are_known_before(forest):
    labels, left, right, _ = forest
    n_labels = int(labels.max(initial=-1)) + 1
    events = _kernels.impl.sweep_events(labels, n_labels, left, right)
    bounds = np.array([0, 2, 4, 99])
    found = _kernels.impl.sweep_walks(labels, n_labels, left, right, events, bounds)
    sizes = np.bincount(labels[labels >= 0], minlength=n_labels)
    for bound, walks in zip(bounds.tolist(), found.tolist(), strict=True):
        clusters = [{int(label)} - {-1} for label in labels]
        cells, expected = sizes.copy(), 0
        for a, b in zip(left.tolist(), right.tolist(), strict=True):
            met = [row for c in (a, b) for row in clusters[c]]
            expected += sum(sizes[row] > bound for row in met)
            for row in clusters[a] & clusters[b]:
                if sizes[row] <= bound:
                    expected += cells[row]
                cells[row] -= 1
            clusters.append(clusters[a] | clusters[b])
        assert walks == expected


@pytest.mark.parametrize("classes", [2, 60])
@pytest.mark.parametrize("thresholds", [[0.9], [0.95, 0.6]])
def test_scores_of_states_that_leave_loose_ones_out(thresholds, classes, kernels):
    rng = np.random.default_rng(7)
    labels = rng.integers(0, classes, 120)
    edges = random_edges(120, rng)
    options = {"kind": "edges", "scores": "similarity", "measures": "s_entropy"}
    some = pw.sweep(labels, edges, thresholds=thresholds, **options)
    every = pw.sweep(labels, edges, **options)
    assert "cells visited" in some.strategy_of("s_entropy")
    states = [every.index_at(threshold) for threshold in thresholds]
    assert some["s_entropy"].tolist() == every["s_entropy"][sorted(states)].tolist()


@given(forests())
def test_visits_of_fewer_merges_are_those_of_their_own_events(forest):
    labels, left, right, _ = forest
    n_labels, kept = int(labels.max(initial=-1)) + 1, len(left) // 2
    bounds = np.array([0, 2, 99])
    walks = []
    for merges in (len(left), kept):
        events = _kernels.impl.sweep_events(labels, n_labels, left[:merges], right[:merges])
        walks.append(
            _kernels.impl.sweep_walks(
                labels, n_labels, left[:kept], right[:kept], events, bounds
            ).tolist()
        )
    assert walks[0] == walks[1]


@given(edge_lists())
def test_scores_are_curves_with_the_bits_of_compare(drawn):
    labels, edges, scores = drawn
    found = pw.sweep(labels, edges, scores=scores, kind="edges", measures=SCORES)
    assert "cells visited" in found.strategy_of("s_entropy")
    for s in range(len(found)):
        assert {name: found[name][s] for name in SCORES} == fresh(found, labels, s, SCORES)


@pytest.mark.parametrize(
    ("classes", "way"), [(3, "by columns"), (3000, "by rows"), (600, "by rows")]
)
def test_the_way_that_visits_fewer_cells_is_taken(classes, way):
    rng = np.random.default_rng(8)
    labels = rng.integers(0, classes, 3000)
    edges = random_edges(3000, rng)
    found = pw.sweep(labels, edges, kind="edges", scores="distance", measures="s_entropy")
    assert way in found.strategy_of("s_entropy")
    for s in rng.integers(0, len(found), 5).tolist():
        assert found["s_entropy"][s] == fresh(found, labels, s, ["s_entropy"])["s_entropy"]


def test_scores_go_by_tables_where_that_is_cheaper(monkeypatch):
    rng = np.random.default_rng(9)
    labels = rng.integers(0, 40, 2000)
    edges = np.zeros(1999, dtype=np.int64), np.arange(1, 2000), np.arange(1999.0)
    options = {"kind": "edges", "scores": "distance", "measures": ["s_entropy", "purity"]}
    every = pw.sweep(labels, edges, **options)
    assert len(every["s_entropy"]) == 2000
    monkeypatch.setattr(split_merge_curve, "ITEMS_PER_WALK", 1000)
    some = pw.sweep(labels, edges, **options)
    assert "of 2,000 states, on tables" in some.strategy_of("s_entropy")
    states = some.states_of("s_entropy")
    assert 1000 <= len(states) <= 1001
    assert some["s_entropy"].tolist() == every["s_entropy"][states].tolist()
    few = pw.sweep(labels, edges, thresholds=2, **options)
    assert few.strategy_of("s_entropy") == "every state, on tables"


def test_other_scores_have_no_curve():
    edges = [(0, 1, 1.0), (1, 2, 2.0)]
    names = ["split_merge(score=max_share, combine=mean)"]
    found = pw.sweep([0, 0, 1], edges, kind="edges", scores="distance", measures=names)
    assert not found.is_curve(names[0])
    assert found[names[0]].tolist() == [
        fresh(found, [0, 0, 1], s, names)[names[0]] for s in range(3)
    ]


# ---- chance ----------------------------------------------------------------------------


@given(st.lists(st.integers(1, 40), min_size=1, max_size=8), st.integers(0, 60))
def test_sums_by_size_add_up_to_the_sums_of_all_pairs(rows, more):
    n = sum(rows) + more
    sizes, weights = np.unique(rows, return_counts=True)
    cols = np.unique(np.linspace(1, n, 12).astype(np.int64))
    weights = weights.astype(np.float64)
    found = _kernels.impl.expected_by_size(sizes, weights, cols, n, 64)
    for j, col in enumerate(cols.tolist()):
        one = np.array([col]), np.ones(1)
        whole = _kernels.impl.expected_sums(sizes, weights, *one, n)
        for (high, low), exact in zip(found, whole, strict=True):
            assert (int(high[j]) << 64) + int(low[j]) == exact >> 96


def agree(value, other, name):
    if other in (0.0, 1.0):
        return value == other
    relative = 3e-13 if name == "expected_mutual_information" else 0.0
    absolute = 0.0 if relative else 1e-13
    return math.isclose(value, other, rel_tol=relative, abs_tol=absolute)


@given(edge_lists())
def test_information_under_chance_is_that_of_compare(drawn):
    labels, edges, scores = drawn
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chance_curve, "FEW_ITEMS", 0)
        found = pw.sweep(labels, edges, scores=scores, kind="edges", measures=CHANCE)
    for name in CHANCE:
        assert "pairs of sizes" in found.strategy_of(name)
    for s in range(len(found)):
        for name, value in fresh(found, labels, s, CHANCE).items():
            assert agree(found[name][s], value, name), (name, s)


@pytest.mark.parametrize("classes", [2, 150, 700])
def test_information_under_chance_of_larger_states(classes, monkeypatch):
    monkeypatch.setattr(chance_curve, "FEW_ITEMS", 0)
    rng = np.random.default_rng(classes)
    n = 1200
    labels = rng.zipf(1.4, n) % classes
    missing = rng.random(n) < 0.1
    edges = random_edges(n, rng)
    given = [None if gone else int(x) for x, gone in zip(labels, missing, strict=True)]
    found = pw.sweep(
        given, edges, kind="edges", scores="distance", measures=CHANCE, unlabelled="ignore"
    )
    shown = ~missing
    for s in (0, 1, 2, *rng.integers(0, n, 2).tolist(), n - 2, n - 1):
        cut = found.labels(s)[shown]
        for name, value in (
            pw.compare(labels[shown], cut, measures=CHANCE).to_dict()["scores"].items()
        ):
            assert agree(found[name][s], value, name), (name, s)


def test_chance_of_two_clusters_one_of_them_a_single_item(monkeypatch):
    monkeypatch.setattr(chance_curve, "FEW_ITEMS", 0)
    options = {"kind": "nested", "measures": CHANCE}
    levels = [[0, 1, 2, 3], [0, 0, 1, 2], [0, 0, 1, 1], [0, 0, 0, 0]]
    found = pw.sweep([0, 1, 1, 1], levels, **options)
    assert found["adjusted_mutual_information"][2] == 0.0
    levels = [[0, 1, 2, 3], [0, 0, 1, 2], [0, 0, 0, 1], [0, 0, 0, 0]]
    found = pw.sweep([0, 0, 1, 1], levels, **options)
    assert found["adjusted_mutual_information"].tolist()[::2] == [0.0, 0.0]


def test_what_takes_too_many_steps_goes_by_a_grid(monkeypatch):
    rng = np.random.default_rng(10)
    labels = rng.integers(0, 30, 1100)
    edges = random_edges(1100, rng)
    names = ["adjusted_mutual_information", "adjusted_rand_index"]
    options = {"kind": "edges", "scores": "distance", "measures": names}
    monkeypatch.setattr(chance_curve, "FEW_ITEMS", 0)
    every = pw.sweep(labels, edges, **options)
    assert len(every[names[0]]) == len(every)
    monkeypatch.setattr(chance_curve, "MOST_STEPS", 0)
    monkeypatch.setattr(chance_curve, "MOST_STEPS_PER_ITEM", 0)
    some = pw.sweep(labels, edges, **options)
    states = some.states_of(names[0])
    assert 1000 <= len(states) <= 1001
    assert some.best("adjusted_rand_index").state in states
    assert np.abs(some[names[0]] - every[names[0]][states]).max() < 1e-13


def test_few_states_have_the_bits_of_compare_under_chance():
    rng = np.random.default_rng(11)
    labels = rng.integers(0, 30, 120)
    edges = random_edges(120, rng)
    found = pw.sweep(labels, edges, kind="edges", scores="distance", measures=CHANCE)
    for s in rng.integers(0, 120, 5).tolist():
        assert {name: found[name][s] for name in CHANCE} == fresh(found, labels, s, CHANCE)


def test_other_random_models_go_by_tables():
    edges = [(0, 1, 1.0), (1, 2, 2.0)]
    names = ["adjusted_mutual_information(model=num)"]
    found = pw.sweep([0, 0, 1, 1], edges, kind="edges", scores="distance", measures=names)
    assert found.strategy_of(names[0]) == "every state, on tables"


# ---- grids and starts ------------------------------------------------------------------


def test_grids_are_even_by_merges():
    done = np.array([0, 1, 2, 3, 50, 98, 99, 100])
    assert evenly(done, 3).tolist() == [0, 4, 7]
    assert evenly(done, 2).tolist() == [0, 7]
    assert evenly(done, 1).tolist() == [0]
    assert evenly(done, 8).tolist() == list(range(8))
    assert evenly(np.array([0, 90, 100, 100]), 3).tolist() == [0, 1, 3]
    # of two states equally near to the middle the later one
    assert evenly(np.array([0, 4, 6, 10]), 3).tolist() == [0, 2, 3]


def test_the_best_states_of_curves_are_on_the_grid_of_tables():
    rng = np.random.default_rng(13)
    labels = np.arange(3000) // 16
    scores = rng.random(2999) + (labels[1:] != labels[:-1])
    edges = np.arange(2999), np.arange(1, 3000), scores
    curves = ["adjusted_rand_index", "v_measure", "variation_of_information"]
    found = pw.sweep(
        labels, edges, kind="edges", scores="distance", measures=[*curves, "larsen_aone"]
    )
    best = {found.best(name).state for name in curves}
    assert best - set(evenly(np.arange(3000), 1000).tolist())
    states = found.states_of("larsen_aone").tolist()
    assert best < set(states)
    assert 1000 < len(states) <= 1003
    assert 3000 - 188 in best
    assert {states[0], states[-1]} == {0, 2999}
    assert f"of {len(states):,} states looked at" in str(found).splitlines()[-1]


@pytest.mark.parametrize("method", ["single", "average", "centroid"])
def test_linkages_start_from_given_clusters(method):
    rng = np.random.default_rng(12)
    points = rng.integers(0, 9, (40, 2)).astype(float)
    tree, labels = linkage(points, method), rng.integers(0, 4, 40)
    start = rng.integers(0, 15, 40)
    found = pw.sweep(labels, tree, start=start, measures=["rand_index", "v_measure"])
    assert pw.rand_index(found.labels(0), start) == 1.0
    for t in found.thresholds[1:]:
        cut = fcluster(tree, t, "distance")
        component = pw.components(start, cut).row_component
        joined = component[np.unique(start, return_inverse=True)[1]]
        assert pw.rand_index(found.at(t), joined) == 1.0
        assert found["v_measure"][found.index_at(t)] == pw.v_measure(labels, joined)
    with pytest.raises(ValueError, match="nested clusterings have a first"):
        pw.sweep([0, 0], [[0, 1], [0, 0]], kind="nested", start=[0, 1])


# ---- threads ---------------------------------------------------------------------------


@pytest.mark.parametrize("count", [2, 5])
def test_any_number_of_workers_gives_every_state_the_same_bits(count, monkeypatch):
    """Formulas, tables on the grid, and pairs of sizes: what threads share."""
    monkeypatch.setattr(chance_curve, "PAIRS", 1)
    monkeypatch.setattr(chance_curve, "FEW_ITEMS", 0)
    monkeypatch.setattr("partwise.thresholds.state_scores.STATES_AT_ONCE", 16)
    rng = np.random.default_rng(count)
    labels, edges = rng.integers(0, 9, 120), random_edges(120, rng)
    names = ["adjusted_rand_index", "v_measure", "f_measure", "s_entropy", *CHANCE]
    one, several = (
        pw.sweep(labels, edges, scores="distance", measures=names, workers=w)
        for w in (1, count)
    )
    for name in names:
        assert one.strategy_of(name) == several.strategy_of(name)
        assert one[name].tobytes() == several[name].tobytes()


@pytest.mark.parametrize("wrong", [0, -2, True, "2"])
def test_workers_of_a_sweep_that_are_no_number_of_threads(wrong):
    with pytest.raises((TypeError, ValueError), match="workers="):
        pw.sweep([0, 1], [(0, 1, 0.5)], scores="distance", workers=wrong)
