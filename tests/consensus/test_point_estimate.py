"""The search against recomputation, between kernels and layouts, and against all partitions."""

import importlib
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cases
import partwise as pw
from partwise import _kernels
from partwise._kernels.reference import index as reference
from partwise.consensus.ensemble import read_ensemble
from partwise.consensus.losses import LOSSES, losses_of_codes
from partwise.consensus.search import Problem, Run, start_of_run


def partitions(n):
    """Return all partitions of n items as labels by first item."""
    if n == 0:
        return [[]]
    return [[*rest, k] for rest in partitions(n - 1) for k in range(max(rest, default=-1) + 2)]


@pytest.mark.one_backend
@pytest.mark.parametrize("loss", LOSSES)
@settings(max_examples=30)
@given(data=st.data())
def test_kernels_and_layouts_end_alike(loss, data):
    """Both kernels and both layouts end with the same clusters after as many moves."""
    n = data.draw(st.integers(2, 12))
    one = st.lists(st.integers(0, 4), min_size=n, max_size=n)
    draws = data.draw(st.lists(one, min_size=1, max_size=8))
    weights = data.draw(
        st.one_of(
            st.none(), st.lists(st.integers(1, 9), min_size=len(draws), max_size=len(draws))
        )
    )
    cost = data.draw(st.sampled_from([0, 0.5, 1, 1.4, 2])) if loss in ("vi", "binder") else 1
    cap = data.draw(st.integers(1, n))
    run, seed = data.draw(st.integers(0, 5)), data.draw(st.integers(0, 2**63))
    ensemble = read_ensemble(draws, weights)
    first = start_of_run(ensemble, run, seed, cap)
    ended = []
    for dense in (True, False):
        problem = Problem.of(ensemble, loss, cost, dense)
        arguments = (*problem.arguments, first, cap, 6, 50, seed, run)
        ended += [kernel.consensus_run(*arguments) for kernel in (_kernels.impl, reference)]
    for labels, passes, moves in ended[1:]:
        assert labels.tolist() == ended[0][0].tolist()
        assert (passes, moves) == ended[0][1:]
    labels = ended[0][0]
    assert labels.max() < max(cap, first.max() + 1)
    assert len(labels) == n


@pytest.mark.one_backend
@pytest.mark.parametrize("weights", [[2, 1, 1], [1, 1, 1], None])
def test_an_item_leaves_a_cluster_of_all(weights):
    """A draw of one cluster and a candidate of one share all items; some of them still move."""
    ensemble = read_ensemble([[0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 1, 0]], weights)
    first = np.zeros(4, dtype=np.int64)
    for seed in range(10):
        ended = []
        for dense in (True, False):
            arguments = (
                *Problem.of(ensemble, "vi", 1, dense).arguments,
                first,
                4,
                0,
                50,
                seed,
                0,
            )
            ended += [
                (labels.tolist(), passes, moves)
                for kernel in (_kernels.impl, reference)
                for labels, passes, moves in [kernel.consensus_run(*arguments)]
            ]
        assert ended == [ended[0]] * 4
        if weights == [2, 1, 1]:
            assert ended[0][0] == [0, 0, 0, 1]


def losses_of_partitions(draws, loss, cost):
    ensemble = read_ensemble(draws)
    codes = np.array(partitions(ensemble.n_items), dtype=np.uint32)
    by_draw = [losses_of_codes(draw, codes, loss, 2 - cost) for draw in ensemble.codes]
    return np.average(by_draw, axis=0, weights=ensemble.weights)


def some_draws(random, kind, n):
    """Return draws: of random labels, of one clustering with noise, of runs of neighbours."""
    shape = int(random.integers(1, 14)), n
    if kind == "random":
        return random.integers(0, random.integers(2, n + 1), shape)
    if kind == "noisy":
        copies = np.tile(random.integers(0, 3, n), (shape[0], 1))
        moved = random.random(shape) < 0.3
        copies[moved] = random.integers(0, 4, moved.sum())
        return copies
    return np.cumsum(random.random(shape) < random.choice([0.2, 0.5]), axis=1)


def count_met(loss, ensembles, least_items, most_items):
    """Return how many of the searches, with what is the default, end with the least loss."""
    met = 0
    random = np.random.default_rng(5)
    for trial in range(ensembles):
        n = int(random.integers(least_items, most_items + 1))
        draws = some_draws(random, ("random", "noisy", "runs")[trial % 3], n).tolist()
        cost = [0.5, 1, 1.4, 1][trial % 4] if loss in ("vi", "binder") else 1
        estimate = pw.point_estimate(draws, loss=loss, split_cost=cost, seed=trial)
        least = losses_of_partitions(draws, loss, cost).min()
        assert estimate.expected_loss >= least - 1e-12
        met += estimate.expected_loss < least + 1e-6
    return met


@pytest.mark.one_backend
@pytest.mark.parametrize("loss", LOSSES)
def test_the_best_of_all_partitions_is_met(loss):
    assert count_met(loss, 20, 2, 6) == 20


@pytest.mark.long
@pytest.mark.one_backend
@pytest.mark.parametrize("loss", LOSSES)
def test_the_best_of_thousands_of_partitions_is_met(loss):
    """Of 7 or 8 items: 877 or 4,140 partitions."""
    assert count_met(loss, 40, 7, 8) == 40


@pytest.mark.one_backend
def test_exhaustive_optima_of_the_oracle():
    seen = 0
    for case in cases.load("field.json"):
        asked = re.match(
            r"point_estimate\(a, loss='(\w+)', split_cost=([\d/]+)\)", case["call"]
        )
        if asked is None:
            continue
        loss, cost = asked.group(1), float(Fraction(asked.group(2)))
        estimate = pw.point_estimate(case["a"], loss=loss, split_cost=cost, seed=1)
        want = float(Fraction(case["value"][0]))
        assert estimate.expected_loss == pytest.approx(want, rel=1e-9), case["id"]
        seen += 1
    assert seen > 40


def noisy(n, clusters, draws, share, seed):
    """Return draws that agree with one clustering but for a share of the items."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, clusters, n)
    copies = np.tile(truth, (draws, 1))
    moved = random.random(copies.shape) < share
    copies[moved] = random.integers(0, clusters, moved.sum())
    return truth, [row.tolist() for row in copies]


@pytest.mark.parametrize("loss", LOSSES)
def test_a_clustering_is_found_under_noise(loss):
    truth, draws = noisy(30, 4, 9, 0.15, 3)
    estimate = pw.point_estimate(draws, loss=loss, runs=3, seed=2)
    assert pw.adjusted_rand_index(truth, estimate.labels) > 0.9
    assert estimate.expected_loss <= pw.expected_loss(truth, draws, loss=loss)
    assert estimate.expected_loss == pw.expected_loss(estimate.labels, draws, loss=loss)
    assert estimate.expected_loss == min(estimate.run_losses)


def test_workers_change_nothing_and_a_seed_repeats():
    _, draws = noisy(20, 4, 5, 0.4, 8)
    first = pw.point_estimate(draws, runs=4, seed=11)
    for workers in (1, 2, 3):
        again = pw.point_estimate(draws, runs=4, seed=11, workers=workers)
        assert again.labels.tolist() == first.labels.tolist()
        assert again.run_losses.tolist() == first.run_losses.tolist()
    fresh = pw.point_estimate(draws, runs=1)
    assert pw.point_estimate(draws, runs=1, seed=fresh.seed).labels.tolist() == (
        fresh.labels.tolist()
    )


def test_the_best_of_the_runs_counts(monkeypatch):
    """Whichever run ends with it, and the first of equals."""
    draws = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 2]]
    ended = [[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 1, 1]]
    runs = [Run(np.array(labels, dtype=np.uint32), 1, 0) for labels in ended]
    module = importlib.import_module("partwise.consensus.point_estimate")
    monkeypatch.setattr(module, "runs_of", lambda *_: iter(runs))
    estimate = pw.point_estimate(draws, seed=1)
    assert estimate.best_run == 1
    assert estimate.labels.tolist() == ended[1]
    losses = [pw.expected_loss(labels, draws) for labels in ended]
    assert estimate.run_losses.tolist() == losses
    assert estimate.expected_loss == min(losses)


def test_the_order_of_the_draws_and_their_labels_change_nothing():
    _, draws = noisy(24, 4, 7, 0.3, 5)
    weights = [0.3, 1.7, 0.1, 2.2, 0.9, 0.4, 1.1]
    renamed = [["dcba"[x] for x in draw] for draw in reversed(draws)]
    for loss in ("vi", "nvi"):
        first = pw.point_estimate(draws, loss=loss, runs=5, seed=3, weights=weights)
        again = pw.point_estimate(renamed, loss=loss, runs=5, seed=3, weights=weights[::-1])
        assert again.labels.tolist() == first.labels.tolist()
        assert again.run_losses.tolist() == first.run_losses.tolist()
        assert again.certainty.tolist() == first.certainty.tolist()
        assert again.item_certainty.tolist() == first.item_certainty.tolist()
    bounds = [
        pw.expected_loss(draws[0], x, loss="vi_lower_bound", weights=w)
        for x, w in ((draws, weights), (renamed, weights[::-1]))
    ]
    assert bounds[0] == bounds[1]


def test_no_more_clusters_than_asked_for():
    _, draws = noisy(24, 4, 7, 0.05, 8)
    assert pw.point_estimate(draws, runs=3, seed=1, max_clusters=2).n_clusters <= 2
    assert pw.point_estimate(draws, runs=3, seed=1).n_clusters == 4


def test_items_keep_their_ids():
    draws = [{"x": 1, "y": 1, "z": 2}, {"z": 1, "x": 3, "y": 3}]
    estimate = pw.point_estimate(draws, seed=1)
    assert pw.rand_index(estimate.clustering(), draws[1]) == 1
    assert "2 clusters of 3 items" in str(estimate)


@pytest.mark.parametrize("n", [1, 2])
def test_few_items(n):
    estimate = pw.point_estimate([[0] * n, [0] * n], seed=1)
    assert estimate.labels.tolist() == [0] * n
    assert estimate.expected_loss == 0
    assert estimate.certainty.tolist() == [1]


def test_certainty_is_the_mean_share_together():
    draws = [[0, 0, 0, 1], [0, 0, 1, 1], [0, 0, 0, 1]]
    estimate = pw.point_estimate(draws, seed=1)
    assert estimate.labels.tolist() == [0, 0, 0, 1]
    matrix = pw.similarity_matrix(draws)
    pairs = matrix[0, 1], matrix[0, 2], matrix[1, 2]
    assert estimate.certainty[0] == pytest.approx(np.mean(pairs))
    assert estimate.item_certainty[2] == pytest.approx(np.mean(pairs[1:]))
    assert estimate.certainty[1] == 1


@pytest.mark.parametrize("weights", [[0.3, 0.2, 0.1], [0.1, 0.7, 0.2], [1e-9, 3.3, 0.7]])
def test_certainty_of_what_all_draws_say_is_exactly_1(weights):
    draws = [[0, 0, 1, 2, 3], [0, 0, 1, 1, 2], [0, 0, 1, 2, 2]]
    estimate = pw.point_estimate(draws, weights=weights, runs=4, seed=1)
    assert estimate.item_certainty[:2].tolist() == [1, 1]
    assert estimate.certainty.max() == 1
    turned = pw.point_estimate(draws[::-1], weights=weights[::-1], runs=4, seed=1)
    assert turned.item_certainty.tolist() == estimate.item_certainty.tolist()
