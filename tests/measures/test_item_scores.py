"""Scores of one's own that look at the items: what they are given, what holds of them."""

import doctest
import math
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import definitions
import partwise as pw
from strategies import labelings

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "own_measures.md"


def functions_of_page():
    """Return the functions that the page defines, so that page and tests have the same."""
    names = {"np": np}
    for example in doctest.DocTestParser().get_examples(PAGE.read_text()):
        if example.source.startswith("def "):
            exec(example.source, names)
    return names


NAMES = ("compactness", "silhouette", "davies_bouldin", "calinski_harabasz")
SCORES = {name: functions_of_page()[name] for name in NAMES}
each_score = pytest.mark.parametrize("name", NAMES)


def near(x, y):
    return math.isclose(x, y, rel_tol=1e-9, abs_tol=1e-12)


def distances_of(rows):
    return np.sqrt(((rows[:, None] - rows[None]) ** 2).sum(axis=2))


# ---- what a function is given ------------------------------------------------------


@given(pair=labelings(), seed=st.integers(0, 99), repeated=st.booleans())
def test_items_stand_part_after_part(pair, seed, repeated):
    a, b = pair
    assume(a)
    rng = np.random.default_rng(seed)
    rows, weights = rng.normal(size=(len(a), 3)), rng.random(len(a)) + 0.1
    far = distances_of(rows)
    times = rng.integers(0, 3, len(a)) if repeated else np.ones(len(a), dtype=int)
    assume(times.any())
    calls = []

    def score(sizes, indptr, parts, *, items, features, distances, weights):
        assert sizes.sum() == parts.sum() == len(items) == len(features) == len(weights)
        ends = np.cumsum(parts)
        members = [items[e - p : e].tolist() for e, p in zip(ends, parts, strict=True)]
        calls.append([members[i:j] for i, j in pairwise(indptr)])
        np.testing.assert_array_equal(features, rows[items])
        np.testing.assert_array_equal(weights, own_weights[items])
        everywhere = np.arange(len(items))
        wanted = far[np.ix_(items, items)]
        np.testing.assert_allclose(distances(everywhere[:, None], everywhere), wanted)
        assert distances(0, 0) == 0
        return np.ones(len(sizes))

    own_weights = weights
    columns = {"features": rows, "weights": weights, "multiplicity": times}
    assert pw.split_merge(a, b, score=score, **columns) == 1
    for mine, others, clusters in ((a, b, calls[0]), (b, a, calls[1])):
        pairs = sorted({(x, y) for x, y, t in zip(mine, others, times, strict=True) if t})
        wanted = {}
        for x, y in pairs:
            part = [i for i in range(len(a)) if (mine[i], others[i]) == (x, y)]
            wanted.setdefault(x, []).append([i for i in part for _ in range(times[i])])
        assert clusters == list(wanted.values())


def test_given_distances_come_before_those_of_features():
    rows = np.array([[0.0], [1.0], [3.0], [6.0]])
    steps = np.array([[0, 2, 2, 9], [2, 0, 2, 9], [2, 2, 0, 9], [9, 9, 9, 0.0]])
    sight = []

    def look(sizes, indptr, parts, *, features, distances):
        sight.append((features[:, 0].tolist(), distances([0, 0], [1, 3]).tolist()))
        return np.ones(len(sizes))

    a, b = [0, 0, 1, 1], [1, 0, 0, 0]
    for form in (steps, steps[np.triu_indices(4, 1)], lambda i, j: steps[i, j]):
        sight.clear()
        pw.split_merge(a, b, score=look, features=rows, distances=form)
        # reference: {1}, {0} and {2, 3}; candidate: {1}, {2, 3} and {0}
        assert sight == [([1, 0, 3, 6], [2, 9]), ([1, 3, 6, 0], [2, 2])]


def test_masked_numbers_are_refused():
    steps = np.ma.masked_array(np.ones((4, 4)) - np.eye(4))
    steps[0, 1] = steps[1, 0] = np.ma.masked

    def look(sizes, indptr, parts, *, distances):
        distances([0], [1])
        return np.ones(len(sizes))

    for form in (steps, lambda i, j: steps[i, j]):
        with pytest.raises(ValueError, match="masked entries; each pair of items needs"):
            pw.split_merge([0, 0, 1, 1], [1, 0, 0, 0], score=look, distances=form)
    with pytest.raises(ValueError, match="score gave masked entries; numbers are expected"):
        pw.split_merge(
            [0, 0], [1, 0], score=lambda sizes, *_: np.ma.masked_less(1.0 * sizes, 9)
        )


def test_a_default_is_no_request():
    """Functions that had keyword-only parameters of their own get what they always got."""

    def score(sizes, indptr, parts, *, weights=2.0, power=1.0):
        assert (weights, power) == (2.0, 1.0)
        return np.ones(len(sizes))

    assert pw.split_merge([0, 0, 1], [0, 1, 1], score=score, weights=[1, 2, 3]) == 1

    def bound(sizes, indptr, parts, *, features, power):
        return np.full(len(sizes), power)

    half = partial(bound, power=0.5)
    assert pw.split_merge([0, 0, 1], [0, 1, 1], score=half, features=[1, 2, 3]) == 0.25

    class Score:
        def __call__(self, sizes, indptr, parts, *, items):
            return np.ones(len(items))[: len(sizes)]

    assert pw.split_merge([0, 0, 1], [0, 1, 1], score=Score()) == 1


def test_a_function_cannot_change_what_it_is_lent():
    a, b = [0, 0, 1, 1], [0, 1, 1, 1]
    rows = np.arange(4.0)
    aligned = pw.align(a, b, features=rows)

    def spoil(sizes, indptr, parts, *, items, features, weights):
        for array in (items, features, weights):
            array[:] = 0
        return np.ones(len(sizes))

    wanted = pw.s_mse(a, b, features=rows)
    pw.split_merge(aligned, score=spoil)
    assert pw.s_mse(aligned) == wanted


# ---- as other measures of items ----------------------------------------------------


def mse(sizes, indptr, parts, *, features, weights):
    """The score of s_mse as a function of one's own."""
    ends, of_part = np.cumsum(sizes), np.repeat(np.arange(len(parts)), parts)
    of_cluster = np.repeat(np.arange(len(sizes)), sizes)

    def errors(groups, k):
        mass = np.bincount(groups, weights, k)[groups]
        means = [np.bincount(groups, weights * x, k)[groups] / mass for x in features.T]
        squares = sum((x - mean) ** 2 for x, mean in zip(features.T, means, strict=True))
        return np.bincount(of_cluster, weights * squares, len(ends))

    before, after = errors(of_cluster, len(sizes)), errors(of_part, len(parts))
    whole = np.diff(indptr) == 1
    return np.where(whole, 1.0, np.minimum(after / np.where(before > 0, before, 1), 1))


@given(pair=labelings(), seed=st.integers(0, 99))
def test_a_function_can_do_what_the_built_in_score_does(pair, seed):
    a, b = pair
    assume(a)
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(len(a), 2))
    for columns in (
        {},
        {"weights": rng.random(len(a)) + 0.5},
        {"multiplicity": rng.integers(1, 4, len(a))},
    ):
        for combine in ("product", "mean"):
            options = {"features": rows, "combine": combine, **columns}
            assert near(pw.split_merge(a, b, score=mse, **options), pw.s_mse(a, b, **options))


def test_policies_and_items_on_one_side_act_as_for_s_mse():
    a = {"p": 0, "q": 0, "r": 1, "s": 1, "t": None}
    b = {"s": 5, "r": 5, "q": 5, "p": 6, "u": 6, "t": 6}
    rows = {"u": [7, 1], "t": [0, 9], "s": [3, 4], "r": [1, 1], "q": [2, 5], "p": [8, 8]}
    for policies in (
        {"unmatched": "drop", "missing": "drop"},
        {"unmatched": "singletons", "missing": "singletons"},
        {"unmatched": "singletons", "missing": "cluster"},
    ):
        options = {"features": rows, **policies}
        value = pw.split_merge(a, b, score=mse, **options)
        assert near(value, pw.s_mse(a, b, **options))
        places = []

        def look(sizes, indptr, parts, *, items, seen=places):
            seen.append(items.tolist())
            return np.ones(len(sizes))

        pw.split_merge(a, b, score=look, **policies)
        n = pw.align(a, b, **policies).n_items
        assert [sorted(side) for side in places] == [list(range(n))] * 2


@each_score
@given(pair=labelings(), seed=st.integers(0, 99))
def test_neither_order_of_items_nor_names_of_labels_matter(name, pair, seed):
    a, b = (np.array(x, dtype=int) for x in pair)
    assume(len(a))
    rng = np.random.default_rng(seed)
    rows, order = rng.normal(size=(len(a), 2)), rng.permutation(len(a))
    value = pw.split_merge(a, b, score=SCORES[name], features=rows)
    moved = pw.split_merge(a[order], b[order], score=SCORES[name], features=rows[order])
    assert near(value, moved)
    renamed = pw.split_merge(-a, 10 - b, score=SCORES[name], features=rows)
    assert near(value, renamed)
    assert near(value, pw.split_merge(b, a, score=SCORES[name], features=rows))


@each_score
@given(pair=labelings(), seed=st.integers(0, 99))
def test_the_framework_holds_for_them(name, pair, seed):
    """Equation (4): items weigh the product of the scores of their two clusters."""
    a, b = pair
    assume(a)
    rows = np.random.default_rng(seed).normal(size=(len(a), 2))
    value = pw.split_merge(a, b, score=SCORES[name], features=rows)

    def alone(mine, others, label):
        here = [i for i in range(len(a)) if mine[i] == label]
        parts = [others[i] for i in here]
        return pw.split_merge([0] * len(here), parts, score=SCORES[name], features=rows[here])

    total = sum(alone(a, b, x) * alone(b, a, y) for x, y in zip(a, b, strict=True))
    assert near(value, total / len(a))
    assert pw.split_merge(a, a, score=SCORES[name], features=rows) == 1


# ---- the worked examples -----------------------------------------------------------


def test_compactness_of_equal_distances_counts_pairs():
    def gini(parts):
        n = sum(parts)
        return sum(p * (p - 1) for p in parts) / (n * (n - 1)) if len(parts) > 1 else 1

    a, b = [0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 1, 2, 2]
    value = pw.split_merge(
        a, b, score=SCORES["compactness"], distances=lambda i, j: np.ones(len(i))
    )
    wanted = definitions.mean_over_items(a, b, definitions.of_parts(gini), "product")
    assert near(value, float(wanted))


def test_the_indices_are_those_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(3)
    for _ in range(5):
        rows, labels = rng.normal(size=(30, 3)), np.repeat([0, 1, 2], [14, 9, 7])
        rows[labels == 1] += 2
        values = {
            name: pw.split_merge([0] * 30, labels, score=SCORES[name], features=rows)
            for name in NAMES
        }
        assert near(1 - 2 * values["silhouette"], metrics.silhouette_score(rows, labels))
        index = values["davies_bouldin"] / (1 - values["davies_bouldin"])
        assert near(index, metrics.davies_bouldin_score(rows, labels))
        index = 1 / values["calinski_harabasz"] - 1
        assert near(index, metrics.calinski_harabasz_score(rows, labels))


@pytest.mark.long
@each_score
def test_properties_of_the_examples(name):
    check = pw.check_subcomponent_score(SCORES[name])
    assert check.max_size == 6
    assert check.normalized
    assert check.consistent
    assert check.split_monotone == (name == "compactness")
    assert not check.monotone
    mean = pw.check_subcomponent_score(SCORES[name], combine="mean", max_size=3)
    assert mean.witnesses["consistent"] == "parts {0}, {1} score 0, the similarity is 0.5"


@pytest.mark.long
@each_score
@given(seed=st.integers(0, 9))
def test_properties_hold_for_other_points(name, seed):
    rows = np.random.default_rng(seed).normal(size=(4, 2))
    check = pw.check_subcomponent_score(SCORES[name], features=rows)
    assert (check.max_size, check.normalized, check.consistent) == (4, True, True)


def test_a_convention_that_costs_a_property_has_a_witness():
    check = pw.check_subcomponent_score(partial(SCORES["silhouette"], alone=0.0))
    assert check.witnesses["normalized"] == "parts {0}, {1} score 0.5"
    square = [[0, 0], [0, 1], [1, 0], [1, 1]]  # diagonals have one centre
    check = pw.check_subcomponent_score(SCORES["calinski_harabasz"], features=square)
    assert check.witnesses["normalized"] == "parts {0, 3}, {1, 2} score 1"


@pytest.mark.long
def test_squared_error_is_checked_by_features_or_distances():
    points = pw.check_subcomponent_score("mse")
    assert points.split_monotone
    assert points.normalized
    assert points.consistent
    assert not points.monotone
    assert "monotone where parts are broken in two: yes" in str(points)
    rows = np.array([0.0, 1.0, 4.0, 9.0])
    far = np.abs(rows[:, None] - rows)
    wanted = pw.check_subcomponent_score("mse", features=rows)
    for form in (far, far[np.triu_indices(4, 1)]):
        assert pw.check_subcomponent_score("mse", distances=form) == wanted
    of_function = pw.check_subcomponent_score(
        "mse", distances=lambda i, j: far[i, j], max_size=4
    )
    assert of_function == wanted


def test_a_check_sees_through_a_score_of_items():
    def by_place(sizes, indptr, parts, *, items):
        return np.where(np.diff(indptr) == 1, 1.0, 0.0)

    check = pw.check_subcomponent_score(by_place, max_size=3)
    assert check.witnesses["normalized"] == "parts {0, 1}, {2} score 0"
    assert check.monotone
    assert not check.strictly_monotone
    weighty = pw.check_subcomponent_score(
        lambda sizes, indptr, parts, *, weights: np.full(len(sizes), weights.mean()), max_size=2
    )
    assert weighty.witnesses == {
        "strictly_monotone": "parts {0, 1} score 1, parts {0}, {1} 1",
        "normalized": "parts {0}, {1} score 1",
    }


# ---- what is refused ---------------------------------------------------------------

A, B = [0, 0, 1, 1], ["p", "q", "q", "q"]
ROWS, STEPS = [1.0, 2.0, 4.0, 7.0], [1.0] * 6


def of_sizes(sizes, indptr, parts):
    return np.ones(len(sizes))


def of_features(sizes, indptr, parts, *, features):
    return np.ones(len(sizes))


def of_distances(sizes, indptr, parts, *, distances):
    return np.ones(len(sizes))


def misspelt(sizes, indptr, parts, *, feature):
    return np.ones(len(sizes))


@pytest.mark.one_backend
@pytest.mark.parametrize(
    ("options", "kind", "fragment"),
    [
        (
            {"score": of_sizes, "features": ROWS},
            TypeError,
            r"features= would not be used: the score asks for the sizes of the parts, not for "
            r"features; .* def score\(sizes, indptr, parts, \*, features\)$",
        ),
        (
            {"score": of_features, "features": ROWS, "distances": STEPS},
            TypeError,
            r"distances= would not be used: the score asks for the sizes of the parts and "
            r"features, not .* \*, features, distances\)$",
        ),
        (
            {"score": of_distances, "features": ROWS, "distances": STEPS},
            TypeError,
            "distances alone, .*pass one of the two",
        ),
        ({"score": of_features}, ValueError, "asks for features; pass features="),
        ({"score": of_distances}, ValueError, "pass distances=, or features= for Euclidean"),
        ({"score": misspelt, "features": ROWS}, TypeError, "asks for 'feature', which is none"),
        ({"score": misspelt}, TypeError, "items, features, distances, weights; give that"),
        (
            {"score": "max_share", "features": ROWS},
            TypeError,
            "features= belongs to score=",
        ),
        (
            {"score": "mse", "features": ROWS, "distances": STEPS},
            TypeError,
            "in place of features=; pass one of the two",
        ),
        (
            {"score": of_distances, "distances": [1, 2]},
            ValueError,
            r"shape \(2,\); for 4",
        ),
        (
            {"score": of_features, "features": ROWS[:3]},
            ValueError,
            r"has shape \(3,\)",
        ),
    ],
)
def test_bad_calls_are_sentences(options, kind, fragment):
    with pytest.raises(kind, match=fragment):
        pw.split_merge(A, B, **options)
    same = {key: value for key, value in options.items() if key != "features"}
    if "features" not in options or kind is ValueError:
        with pytest.raises(kind):
            pw.split_merge(A, B, **same)


@pytest.mark.one_backend
@pytest.mark.parametrize(
    ("values", "kind", "fragment"),
    [
        (1.0, ValueError, r"shape \(\); one number for each reference cluster"),
        ([0.5], ValueError, r"shape \(1,\); one number for each reference cluster, \(2,\)"),
        ([[0.5, 0.5]], ValueError, r"shape \(1, 2\)"),
        ([0.5, np.nan], ValueError, "gave nan for reference cluster 1, outside"),
        (
            [0.5, 1.5],
            ValueError,
            r"1, outside \[0, 1\] \(1 such",
        ),
        ([-1e-9, 0.5], ValueError, "gave -1e-09 for reference cluster 0, outside"),
        ([np.inf, np.inf], ValueError, r"gave inf for reference cluster 0, .*\(2 such\)"),
        (["x", "y"], TypeError, "gave list, not an array of numbers"),
        (np.array([1j, 0]), TypeError, "gave complex numbers, not"),
    ],
)
def test_what_a_function_gives_is_checked(values, kind, fragment):
    def score(sizes, indptr, parts, *, features):
        return values

    with pytest.raises(kind, match=fragment):
        pw.split_merge(A, B, score=score, features=ROWS)


@pytest.mark.one_backend
def test_features_that_ride_along_are_no_error():
    """An alignment serves many measures; a call that names features= does not."""
    aligned = pw.align(A, B, features=ROWS)
    assert pw.split_merge(aligned) == pw.split_merge(A, B)
    assert pw.split_merge(aligned, score=of_sizes) == 1
    assert pw.split_merge(aligned, score=of_distances, distances=STEPS) == 1
    everything = pw.compare(A, B, measures="all", features=ROWS)
    assert everything.scores["split_merge"] == pw.s_entropy(A, B)
    with pytest.raises(TypeError, match="no measure here has a use for features="):
        pw.compare(A, B, measures="split_merge(score=max_share)", features=ROWS)
    assert pw.compare(A, B, measures="split_merge(score=mse)", features=ROWS).scores


@pytest.mark.one_backend
def test_a_table_holds_no_items():
    table = pw.contingency(A, B)
    with pytest.raises(TypeError, match="asks for features of the items, which a Contingency"):
        pw.split_merge(table, score=of_features)
    assert pw.split_merge(table, score=of_sizes) == 1
    with pytest.raises(ValueError, match=r"count 4\d+ times in all.*weights="):
        pw.split_merge(A, B, score=of_features, features=ROWS, multiplicity=[10**12] * 4)
    assert pw.split_merge([], [], score=of_features, features=np.zeros((0, 2))) == 1


@pytest.mark.one_backend
@pytest.mark.parametrize(
    ("options", "kind", "fragment"),
    [
        ({"score": of_sizes, "features": ROWS}, TypeError, "features= would not be used"),
        ({"score": of_sizes, "distances": STEPS}, TypeError, "distances= would not be used"),
        ({"score": "entropy", "features": ROWS}, TypeError, 'features= belongs to score="mse"'),
        ({"score": "log_k", "k": 9, "distances": STEPS}, TypeError, "distances= belongs to"),
        ({"score": "mse", "features": ROWS, "distances": STEPS}, TypeError, "one of the two"),
        ({"score": "mse", "features": ROWS, "max_size": 5}, ValueError, "integer from 1 to 4"),
        ({"score": "mse", "distances": [1.0] * 5}, ValueError, "condensed, is expected"),
        ({"score": "mse", "features": []}, ValueError, "hold no item"),
        ({"score": "mse", "max_size": 9}, ValueError, "from 1 to 8"),
        ({"score": "mse", "k": 3}, TypeError, "k= belongs"),
        ({"score": misspelt}, TypeError, "asks for 'feature'"),
        (
            {"score": lambda s, i, p, *, items: [1.0], "max_size": 2},
            ValueError,
            r"array of shape \(1,\) for 3 clusters",
        ),
        (
            {"score": lambda s, i, p, *, items: None, "max_size": 2},
            ValueError,
            r"shape \(\) for 3 clusters",
        ),
        (
            {"score": lambda s, i, p, *, items: ["x"] * 3, "max_size": 2},
            TypeError,
            "gave list, not an array of numbers",
        ),
    ],
)
def test_bad_checks_are_sentences(options, kind, fragment):
    with pytest.raises(kind, match=fragment):
        pw.check_subcomponent_score(**options)
