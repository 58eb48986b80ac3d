"""Expected losses against their definitions, and exact values of an independent oracle."""

import math
import re
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cases
import partwise as pw
from partwise.consensus.losses import LOSSES

WITH_COSTS = [(name, cost) for name in ("binder", "vi") for cost in (0, 0.5, 1, 1.4, 2)]
WITH_COSTS += [(name, 1) for name in LOSSES if name not in ("binder", "vi")]


def clusters(labels):
    return [{i for i, x in enumerate(labels) if x == name} for name in set(labels)]


def entropy(parts, n):
    return -sum(len(part) / n * math.log(len(part) / n) for part in parts if part)


def s_h(e, d):
    """The split-merge score, cluster by cluster, as SM defines it."""
    n = sum(map(len, e))

    def score(cluster, others):
        size = len(cluster)
        if size == 1:
            return 1.0
        parts = [len(cluster & other) for other in others]
        return sum(p * math.log(p) for p in parts if p) / (size * math.log(size))

    return sum(len(a & b) / n * score(a, d) * score(b, e) for a in e for b in d)


def loss_of(name, candidate, draw, cost):
    """One loss from its definition: pairs one by one, entropies from sets."""
    n = len(candidate)
    pairs = list(combinations(range(n), 2))
    e_only = sum(candidate[i] == candidate[j] and draw[i] != draw[j] for i, j in pairs)
    d_only = sum(candidate[i] != candidate[j] and draw[i] == draw[j] for i, j in pairs)
    if name == "binder":
        return cost * d_only + (2 - cost) * e_only
    e, d = clusters(candidate), clusters(draw)
    meet = [a & b for a in e for b in d]
    h_e, h_d, h_both = (entropy(parts, n) for parts in (e, d, meet))
    if name == "vi":
        return cost * (h_both - h_d) + (2 - cost) * (h_both - h_e)
    if name == "omari":
        both = sum(candidate[i] == candidate[j] and draw[i] == draw[j] for i, j in pairs)
        p_e, p_d = both + e_only, both + d_only
        chance = Fraction(p_e * p_d, len(pairs)) if pairs else Fraction(0)
        below = Fraction(p_e + p_d, 2) - chance
        return float(1 - (both - chance) / below) if below else 0.0
    if name == "nvi":
        return (2 * h_both - h_e - h_d) / h_both if h_both else 0.0
    distance = max(h_e, h_d) - (h_e + h_d - h_both)
    if name == "id":
        return distance
    if name == "nid":
        return distance / max(h_e, h_d) if max(h_e, h_d) else 0.0
    return 1 - s_h(e, d)


def draws_of(data, n, least=1):
    one = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    return data.draw(st.lists(one, min_size=least, max_size=6))


@pytest.mark.parametrize(("name", "cost"), WITH_COSTS)
@given(data=st.data())
def test_the_mean_of_the_definition(name, cost, data):
    n = data.draw(st.integers(1, 7))
    draws = draws_of(data, n)
    candidate = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    weights = data.draw(st.lists(st.integers(1, 5), min_size=len(draws), max_size=len(draws)))
    values = [loss_of(name, candidate, draw, cost) for draw in draws]
    mean = sum(w * x for w, x in zip(weights, values, strict=True)) / sum(weights)
    got = pw.expected_loss(candidate, draws, loss=name, split_cost=cost, weights=weights)
    assert got == pytest.approx(mean, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("name", LOSSES)
@given(data=st.data())
def test_order_names_and_repetition_change_no_bit(name, data):
    n = data.draw(st.integers(1, 7))
    draws = draws_of(data, n)
    candidate = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    value = pw.expected_loss(candidate, draws, loss=name)
    renamed = [["cdab"[x] for x in draw] for draw in reversed(draws)]
    assert pw.expected_loss(candidate, renamed, loss=name) == value
    assert pw.expected_loss(candidate, draws * 3, loss=name, workers=2) == value
    assert pw.expected_loss(candidate, draws, loss=name, weights=[2.0] * len(draws)) == value
    assert pw.expected_loss(candidate, [candidate] * 2, loss=name) == 0


def number(text):
    return float(Fraction(text))


def test_exact_values_of_the_oracle():
    seen = 0
    words = ("expected_loss", "vi_lower_bound", "pear(", "medoid")
    for case in cases.load("field.json"):
        if not case["call"].startswith(words):
            continue
        call, draws, candidate = case["call"], case["a"], case["b"]
        if call.startswith("expected_loss"):
            name, cost = re.search(r"loss='(\w+)', split_cost=([\d/]+)", call).groups()
            got = pw.expected_loss(candidate, draws, loss=name, split_cost=number(cost))
            want = number(case["value"])
        elif call.startswith("vi_lower_bound"):
            got = pw.expected_loss(candidate, draws, loss="vi_lower_bound")
            want = number(case["value"])
        elif call.startswith("pear"):
            got = 1 - pw.expected_loss(candidate, draws, loss="pear")
            want = number(case["value"])
        else:
            best = pw.medoid(draws, loss=re.search(r"loss='(\w+)'", call).group(1))
            assert best.index == int(case["value"][0])
            got, want = best.expected_loss, number(case["value"][1])
        assert got == pytest.approx(want, rel=1e-13, abs=1e-15), case["id"]
        seen += 1
    assert seen == 70


@given(data=st.data())
def test_the_medoid_is_the_first_best_draw(data):
    n = data.draw(st.integers(1, 6))
    draws = draws_of(data, n)
    values = [pw.expected_loss(draw, draws, loss="binder") for draw in draws]
    best = pw.medoid(draws, loss="binder")
    assert best.index == values.index(min(values))
    assert best.expected_loss == min(values)


@given(data=st.data())
def test_the_matrix_is_the_share_of_draws(data):
    n = data.draw(st.integers(1, 6))
    draws = draws_of(data, n)
    matrix = pw.similarity_matrix(draws)
    for i in range(n):
        for j in range(n):
            share = sum(draw[i] == draw[j] for draw in draws) / len(draws)
            assert matrix[i, j] == pytest.approx(share, rel=1e-15)


def test_draws_may_come_in_any_form_and_order():
    by_item = [{"x": 1, "y": 1, "z": 2}, {"z": 5, "y": 4, "x": 4}, [{"x"}, {"y", "z"}]]
    want = pw.expected_loss([0, 0, 1], [[0, 0, 1], [0, 0, 1], [0, 1, 1]])
    assert pw.expected_loss({"z": "b", "x": "a", "y": "a"}, by_item) == want
    columns = np.array([[0, 0, 1], [0, 0, 1], [0, 1, 1], [1, 1, 0]])
    assert pw.expected_loss(columns[:, 0], columns) > 0


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: pw.expected_loss([0, 1], []), ValueError, "holds no clustering"),
        (lambda: pw.expected_loss([0, 1], [[0, 1], [0, None]]), ValueError, "draw '1'"),
        (
            lambda: pw.expected_loss([0, 1], [[0, 1], [0, 1, 1]]),
            ValueError,
            "draws '0' and '1'",
        ),
        (lambda: pw.expected_loss([0, 1, 1], [[0, 1]]), ValueError, "candidate"),
        (lambda: pw.expected_loss([0, 1], [[0, 1]], loss="v"), ValueError, "is not one of"),
        (lambda: pw.expected_loss([0], [[0]], split_cost=3), ValueError, "between 0 and 2"),
        (lambda: pw.expected_loss([0], [[0]], split_cost="1"), TypeError, "must be a number"),
        (
            lambda: pw.expected_loss([0], [[0]], loss="nid", split_cost=0.5),
            ValueError,
            "means nothing",
        ),
        (lambda: pw.expected_loss([0], [[0]], weights=[1, 2]), ValueError, "there are 1 draws"),
        (lambda: pw.expected_loss([0], [[0]], weights=[-1]), ValueError, r"weights\[0\]"),
        (lambda: pw.expected_loss([0], [[0]], weights=[0]), ValueError, "all weights are 0"),
        # numbers that a sum or the whole weights of the search cannot hold
        (lambda: pw.point_estimate([[0], [0]], weights=[1e308] * 2), ValueError, "scale the"),
        (lambda: pw.point_estimate([[0], [0]], weights=[1e-310] * 2), ValueError, "scale the"),
        (lambda: pw.expected_loss([0], [[0]], weights=[10**400]), TypeError, "be numbers"),
        (lambda: pw.expected_loss([0], [[0]], weights=["1"]), TypeError, "be numbers"),
        (
            lambda: pw.medoid([[0], [0]], weights=np.ma.array([1, 2], mask=[0, 1])),
            ValueError,
            "masked entries",
        ),
        (lambda: pw.expected_loss([0], [[0]], split_cost=10**400), ValueError, "between 0"),
        (lambda: pw.medoid([[0]], split_cost=np.complex128(1)), TypeError, "must be a number"),
        (lambda: pw.credible_ball([0], [[0]], level="x"), TypeError, "must be a number"),
        (lambda: pw.point_estimate([[0]], seconds="1"), TypeError, "must be a number"),
        (lambda: pw.similarity_matrix([[0] * 9], max_bytes=99), ValueError, "max_bytes"),
        (lambda: pw.credible_ball([0], [[0]], level=0), ValueError, "level=0"),
        (lambda: pw.point_estimate([[0]], loss="pear"), ValueError, "is not one of"),
        (lambda: pw.point_estimate([[0]], runs=0), ValueError, "runs=0"),
        (lambda: pw.point_estimate([[0]], max_clusters=1.5), TypeError, "whole number"),
        (lambda: pw.point_estimate([[0]], seconds=0), ValueError, "seconds=0"),
    ],
)
def test_what_does_not_fit_is_refused(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_more_clusters_than_any_number_of_items_are_no_bound():
    draws = [[0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1]]
    bounded = pw.point_estimate(draws, seed=1, max_clusters=2**70)
    assert bounded.labels.tolist() == pw.point_estimate(draws, seed=1).labels.tolist()


def test_a_draw_without_weight_is_not_looked_at():
    draws = [[0, 0, 1], [0, 1, 1], [0, 0, 1]]
    assert pw.expected_loss([0, 0, 1], draws, weights=[1, 0, 2]) == 0
    ball = pw.credible_ball([0, 0, 1], draws, weights=[1, 0, 2])
    assert ball.radius == 0
    assert np.isnan(ball.losses).tolist() == [False, True, False]


@given(data=st.data())
def test_the_ball_holds_the_share_and_no_smaller_one_does(data):
    n = data.draw(st.integers(1, 6))
    draws = draws_of(data, n)
    level = data.draw(st.sampled_from([0.1, 0.5, 0.9, 1.0]))
    estimate = draws[0]
    ball = pw.credible_ball(estimate, draws, level=level)
    values = [pw.expected_loss(estimate, [draw]) for draw in draws]
    assert ball.losses.tolist() == values
    inside = [value for value in values if value <= ball.radius]
    assert len(inside) >= level * len(draws) - 1e-9
    nearer = [value for value in values if value < ball.radius]
    assert len(nearer) < level * len(draws)
    assert ball.share == pytest.approx(len(inside) / len(draws))
    members = [i for i, value in enumerate(values) if value <= ball.radius]
    counts = {i: len(set(draws[i])) for i in members}
    for bound, pool in (
        (ball.horizontal, members),
        (ball.upper, [i for i in members if counts[i] == min(counts.values())]),
        (ball.lower, [i for i in members if counts[i] == max(counts.values())]),
    ):
        farthest = max(values[i] for i in pool)
        assert set(bound) <= {i for i in pool if values[i] == farthest}
        assert bound


def test_votes_go_to_matched_clusters():
    draws = [[0, 0, 0, 1, 1, 1], [4, 4, 4, 4, 2, 2], [8, 8, 7, 7, 7, 7], [1, 1, 1, 0, 0, 3]]
    vote = pw.majority_vote(draws)
    assert vote.labels.tolist() == [0, 0, 0, 1, 1, 1]
    assert vote.shares.tolist() == [1, 1, 0.75, 0.75, 1, 0.75]
    assert vote.pivot == 0


def test_on_a_tie_an_item_stays_where_the_pivot_has_it():
    apart, joined = [0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1]
    for draws, pivot in (([apart, joined], apart), ([joined, apart], joined)):
        vote = pw.majority_vote(draws * 2)
        assert vote.labels.tolist() == pivot
        assert vote.shares.tolist() == [1, 1, 1, 0.5, 1, 1]
        assert vote.rounds == 1


def test_equal_weights_tie_whatever_they_add_up_to():
    """0.1 + 0.2 is 0.3 here: the item stays where the pivot has it."""
    apart, joined = [0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1]
    vote = pw.majority_vote([joined, apart, apart], weights=[3, 1, 2])
    again = pw.majority_vote([joined, apart, apart], weights=[0.75, 0.25, 0.5])
    assert vote.labels.tolist() == again.labels.tolist() == joined
    assert vote.rounds == again.rounds == 1


@pytest.mark.parametrize("weights", [[0.3, 0.2, 0.1], [0.1, 0.7, 0.2], [1e-9, 3.3, 0.7]])
def test_a_share_of_all_draws_is_exactly_1(weights):
    draws = [[0, 0, 1, 2, 3], [0, 0, 1, 1, 2], [0, 0, 1, 2, 2]]
    vote = pw.majority_vote(draws, weights=weights)
    assert vote.shares[:2].tolist() == [1, 1]
    assert 0 < vote.shares.min() <= vote.shares.max() == 1
    turned = pw.majority_vote(draws[::-1], weights=weights[::-1])
    assert turned.shares.tolist() == vote.shares.tolist()
