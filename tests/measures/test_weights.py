"""Multiplicity is repetition; weights are masses in the place of counts."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import partwise as pw
from cases import features, values

ENTRIES = pw.catalogue()
WEIGHTED = [name for name, entry in ENTRIES.items() if entry.computation.weights]
UNWEIGHTED = [name for name, entry in ENTRIES.items() if not entry.computation.weights]
# What depends on the number of items beside the masses.
COUNTS_ITEMS = ("s_entropy", "vi_similarity_log_n", "norm=log_n")
# Where whole weights are repetition: not where ties are broken (equal sums of weights need not
# be equal doubles), and not in split_merge, which counts the items of the clusters too.
AS_REPEATED = [
    name
    for name in WEIGHTED
    if not ENTRIES[name].tie_dependent
    and name != "split_merge"
    and not any(part in name for part in COUNTS_ITEMS)
]


def grows_with_mass(name):
    growing = ("van_dongen", "mallows_distance", "css_distance")
    return name.startswith(growing) and "normalize" not in name


# two labels and how often they come
items = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 4)), max_size=14
)


def columns_of(rows):
    columns = zip(*rows, strict=True) if rows else ((),) * 3
    return [np.array(column, dtype=np.int64) for column in columns]


def test_the_lists_cover_the_catalogue():
    assert sorted([*WEIGHTED, *UNWEIGHTED]) == sorted(ENTRIES)
    left_out = {name.partition("(")[0] for name in WEIGHTED if name not in AS_REPEATED}
    tied = {name.partition("(")[0] for name in WEIGHTED if ENTRIES[name].tie_dependent}
    counting = {"s_entropy", "vi_similarity_log_n", "normalized_variation_of_information"}
    assert left_out - tied == {"split_merge", *counting}


@given(rows=items)
def test_multiplicity_is_repetition(rows):
    """A fact about the table (tests/table/test_same_table.py), and for measures of items."""
    a, b, times = columns_of(rows)
    assume(times.any() or not rows)  # else no item is left, which is an error
    points = features(len(a))
    of_items = [name for name, entry in ENTRIES.items() if entry.computation.items]
    repeated = [np.repeat(column, times, axis=0) for column in (a, b, points)]
    assert values(of_items, a, b, rows=points, k=6, multiplicity=times) == values(
        of_items, *repeated[:2], rows=repeated[2], k=6
    )


@given(rows=items, factor=st.sampled_from([1.0, 0.1, 3e-200, 7e150]))
def test_whole_weights_are_repetition_where_the_measure_allows(rows, factor):
    a, b, times = columns_of([(x, y, t + 1) for x, y, t in rows])
    points = features(len(a))
    repeated = [np.repeat(column, times, axis=0) for column in (a, b, points)]
    weighted = values(AS_REPEATED, a, b, k=6, rows=points, weights=times * factor)
    for name, wanted in values(AS_REPEATED, *repeated[:2], k=6, rows=repeated[2]).items():
        if grows_with_mass(name):
            wanted *= factor
        allowed = 1e-13 * max(1, wanted)
        assert math.isclose(weighted[name], wanted, rel_tol=1e-12, abs_tol=allowed), name


@settings(max_examples=10)  # each makes twelve tables and takes every measure of them
@given(rows=items, seed=st.integers(0, 9))
def test_weighted_values_keep_the_laws_of_their_entry(rows, seed):
    rng = np.random.default_rng(seed)
    a, b, times = columns_of(rows)
    weights = times * rng.random(len(times))
    if len(weights):
        weights[0] += 0.25
    with_points = weights + 0.25  # no centroid without mass
    points = features(len(a))
    order = rng.permutation(len(a))
    for listed, masses in (
        ([name for name in WEIGHTED if not ENTRIES[name].required_columns], weights),
        ([name for name in WEIGHTED if ENTRIES[name].required_columns], with_points),
    ):
        moved = values(
            listed, a[order], b[order], k=6, rows=points[order], weights=masses[order]
        )
        scaled = values(listed, a, b, k=6, rows=points, weights=masses * 4)
        renamed = values(listed, 9 - a, 7 * b, k=6, rows=points, weights=masses)
        turned = values(listed, b, a, k=6, rows=points, weights=masses)
        same = values(listed, a, 5 - a, k=6, rows=points, weights=masses)
        for name, value in values(listed, a, b, k=6, rows=points, weights=masses).items():
            entry = ENTRIES[name]
            low, high = entry.range
            assert type(value) is float, name
            assert math.isfinite(value), name
            assert low is None or value >= low, name
            assert high is None or value <= high, name
            assert moved[name] == value, name
            factor = 4 if grows_with_mass(name) else 1
            close = math.isclose(scaled[name], factor * value, rel_tol=1e-12, abs_tol=1e-13)
            assert close, name
            if not entry.tie_dependent:
                assert renamed[name] == value, name
            if entry.symmetric:
                close = math.isclose(turned[name], value, rel_tol=1e-12, abs_tol=1e-14)
                assert close, name
            if entry.value_if_identical is not None:
                assert same[name] == entry.value_if_identical, name


@pytest.mark.one_backend
@pytest.mark.parametrize("name", UNWEIGHTED)
def test_measures_of_whole_items_refuse_weights(name):
    entry = ENTRIES[name]
    with pytest.raises(ValueError, match="takes no weights; multiplicity="):
        entry.function([0, 0, 1], [0, 1, 1], weights=[1, 2, 3], **entry.options)


def exact_masses(a, b, weights):
    """H(a), H(b), H(a|b), H(b|a), I of the masses, with many digits."""
    from fractions import Fraction

    from mpmath import mp, mpf

    w = [Fraction(x) for x in weights]
    total = sum(w)

    def h(labels):
        sums = {}
        for label, x in zip(labels, w, strict=True):
            sums[label] = sums.get(label, 0) + x
        shares = (mpf(x.numerator) / x.denominator for x in (s / total for s in sums.values()))
        return -sum((p * mp.log(p) for p in shares if p), mpf(0))

    x, y, xy = h(a), h(b), h(list(zip(a, b, strict=True)))
    return x, y, xy - y, xy - x, x + y - xy


@pytest.mark.parametrize(
    ("a", "b", "weights"),
    [
        ([0, 0, 1, 1], [0, 1, 0, 1], [1e-17, 1, 1, 1]),
        ([0, 0, 1, 1], [0, 1, 0, 1], [1e16, 1, 1, 1]),
        ([0, 0, 1, 1], [0, 1, 0, 1], [1, 2, 2, 4.0001]),
        ([0, 0, 1], [0, 1, 0], [1e9, 3, 7]),
        ([0, 0, 1], [0, 1, 0], [1e16, 1, 1]),
        ([0, 0, 1], [0, 1, 1], [1e8, 1e-6, 1e-6]),
        ([0, 0, 1], [0, 1, 1], [3e-249, 2e-249, 1e-249]),
        ([0, 0, 1], [0, 1, 1], [3e249, 2e249, 1e249]),
        ([0, 0, 1, 2], [0, 1, 1, 1], [1e20, 1, 1e10, 1e-5]),
    ],
)
def test_weights_of_very_different_size(a, b, weights):
    from mpmath import mp

    with mp.workdps(120):
        x, _, x_y, y_x, i = exact_masses(a, b, weights)
        wanted = {
            "entropy": float(x),
            "conditional": float(x_y),
            "vi": float(x_y + y_x),
            "mi": float(i),
            "homogeneity": float(i / x),
        }
    table = pw.contingency(a, b, weights=weights)
    found = {
        "entropy": pw.entropy(table, side="reference"),
        "conditional": pw.conditional_entropy(table),
        "vi": pw.variation_of_information(table),
        "mi": pw.mutual_information(table),
        "homogeneity": pw.homogeneity(table),
    }
    for name, value in found.items():
        assert math.isclose(value, wanted[name], rel_tol=1e-10), name


def test_a_cluster_without_mass_is_a_cluster():
    """So the clusterings differ, and where all entropies are 0 nothing is shared."""
    sides = [1, 1, 0], [0, 0, 0]
    for turned in (sides, sides[::-1]):
        table = pw.contingency(*turned, weights=[1, 2, 0])
        assert pw.normalized_mutual_information(table, average="max") == 0.0
        assert pw.normalized_information_distance(table) == 1.0
        assert pw.normalized_variation_of_information(table) == 1.0
    same = pw.contingency([1, 1, 0], [5, 5, 9], weights=[1, 2, 0])
    assert pw.normalized_information_distance(same) == 0.0


def test_lone_items_that_count_several_times_are_alone_each_time():
    policies = {"missing": "singletons"}
    value = pw.rand_index([0, 0, 1], [0, None, 0], multiplicity=[2, 3, 1], **policies)
    assert value == pw.rand_index([0, 0, 0, 0, 0, 1], [0, 0, None, None, None, 0], **policies)
    a, b = {"x": 1, "y": 1, "w": 2}, {"x": 1, "w": 2, "z": 2}
    found = pw.align(
        a, b, unmatched="singletons", multiplicity={"x": 1, "y": 2, "w": 3, "z": 2}
    )
    assert found.table.row_sizes.tolist() == [3, 3, 1, 1]
    assert found.table.col_sizes.tolist() == [1, 5, 1, 1]
    assert found.account.items == 8
    assert found.account.distinct_items == 4
    both = pw.align(
        [None, 1, None],
        [1, 1, None],
        missing=("singletons", "drop"),
        multiplicity=[2, 1, 5],
        weights=[0.5, 1, 2],
    )
    assert both.weights.tolist() == [0.5, 0.5, 1.0]
    assert both.table.shape == (3, 1)


@pytest.mark.parametrize("weight", [0.7, 0.1, 3.0, 10.0, 1 / 3, 6.02e23])
def test_bounds_are_reached_exactly_by_items_of_one_weight(weight):
    for n in range(2, 40):
        alone, together, weights = range(n), [0] * n, [weight] * n
        assert pw.vi_similarity_log_n(alone, together, weights=weights) == 0
        assert pw.vi_similarity_log_n(together, alone, weights=weights) == 0
        assert pw.cluster_entropy(alone, together, weights=weights) == 1
        assert pw.s_entropy(alone, together, weights=weights) == 0
        distance = pw.normalized_variation_of_information(
            alone, together, weights=weights, norm="log_n"
        )
        assert distance == 1


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (2, 5), (4, 3), (7, 6)])
@pytest.mark.parametrize("weights", [[0.7], [0.1], [1.0, 2.5], [0.3, 1e9, 1e-7]])
def test_equal_masses_of_all_pairs_are_independent(shape, weights):
    """Every pair of clusters has one item of each weight, and so the same mass."""
    rows, cols = (x.ravel().tolist() for x in np.indices((*shape, len(weights)))[:2])
    table = pw.contingency(rows, cols, weights=np.tile(weights, math.prod(shape)))
    assert pw.mutual_information(table) == pw.v_measure(table) == 0
    assert pw.normalized_variation_of_information(table) == 1
    assert pw.normalized_information_distance(table) == 1
    assert pw.cluster_entropy(table) == 1
    if shape[0] == shape[1]:
        assert pw.vi_similarity_log_k(table, k=shape[0]) == 0


@pytest.mark.parametrize("row_weights", [[1, 2], [0.5, 3, 0.25], [1, 1, 1, 5]])
def test_proportional_masses_are_independent(row_weights):
    col_weights = np.array([1.0, 7.0, 0.75])
    rows, cols = (x.ravel().tolist() for x in np.indices((len(row_weights), 3)))
    table = pw.contingency(rows, cols, weights=np.outer(row_weights, col_weights).ravel())
    assert pw.mutual_information(table) == 0
    away = np.outer(row_weights, col_weights)
    away[0, 0] *= 1 + 1e-9
    table = pw.contingency(rows, cols, weights=away.ravel())
    assert 0 < pw.mutual_information(table) < 1e-16


@settings(max_examples=40)
@given(
    shape=st.tuples(st.integers(1, 4), st.integers(1, 4)),
    seed=st.integers(0, 2**32 - 1),
    jitter=st.sampled_from([0.0, 1e-16, 1e-15, 1e-12]),
)
def test_no_weights_near_a_bound_leave_the_range(shape, seed, jitter):
    """Products of doubles are nearly independent: what is rounded may not pass the bound."""
    rng = np.random.default_rng(seed)
    rows, cols = (x.ravel().tolist() for x in np.indices(shape))
    weights = np.outer(*(rng.choice([1.0, *rng.random(2)], k) + 0.001 for k in shape)).ravel()
    weights *= 1 + jitter * rng.random(len(weights))
    table = pw.contingency(rows, cols, weights=weights)
    for name in WEIGHTED:
        entry = ENTRIES[name]
        if entry.computation.items or entry.requires or None in entry.range:
            continue
        low, high = entry.range
        assert low <= entry(table) <= high, name
    assert 0 <= pw.vi_similarity_log_k(table, k=max(shape)) <= 1


def test_weights_that_leave_nothing():
    table = pw.contingency([0, 0], [0, 1], weights=[0, 1], multiplicity=[1, 0])
    for name in WEIGHTED:
        if not ENTRIES[name].requires:
            with pytest.raises(ValueError, match="all weights are 0"):
                ENTRIES[name](table)
    with pytest.raises(ValueError, match="takes no weights"):
        pw.pair_confusion([0, 0], [0, 1], weights=[1, 2])


def test_positional_weights_have_one_order():
    a, b = {"a": 1, "b": 1, "c": 2}, {"c": 7, "a": 8, "b": 7}
    with pytest.raises(ValueError, match="pass weights as a mapping by item"):
        pw.pairwise([a, b], weights=[100, 10, 1])
    weights = {"a": 100, "b": 10, "c": 1}
    found = pw.pairwise([a, b], weights=weights)
    assert math.isclose(found[0, 1], pw.pairwise([b, a], weights=weights)[0, 1])
    table = pw.score_many(list(a.values()), [[1, 2, 3]], weights=[1, 2, 3])
    assert table.skipped["rand_index"] == "takes no weights"


def test_both_at_once():
    a, b = [0, 0, 1], [0, 1, 1]
    both = pw.contingency(a, b, weights=[0.5, 1, 2], multiplicity=[2, 3, 0])
    assert both.counts.tolist() == [2, 3]
    assert both.masses.tolist() == [1.0, 3.0]


def test_masses_of_a_table():
    a, b = ["x", "x", "y", "y"], [0, 1, 1, 1]
    table = pw.contingency(a, b, weights=[0.5, 0, 3, 1])
    assert table.masses.tolist() == [0.5, 0.0, 4.0]
    assert table.row_masses.tolist() == [0.5, 4.0]
    assert table.col_masses.tolist() == [0.5, 4.0]
    assert table.T.masses.tolist() == [0.5, 0.0, 4.0]
    assert table.account.zero_weights == 1
    assert "1 item of weight 0" in table.account.describe()
    part = next(table.components().tables())
    assert part.masses.tolist() == table.masses.tolist()
    assert pw.contingency(a, b).masses is None
    triples = pw.Contingency.from_counts(
        ["x", "x", "y", "y"], [0, 1, 1, 1], [1, 1, 1, 1], weights=[0.5, 0, 3, 1]
    )
    assert triples.masses.tolist() == table.masses.tolist()
    assert pw.v_measure(triples) == pw.v_measure(table)


def test_sums_of_weights_do_not_depend_on_order():
    rng = np.random.default_rng(5)
    n = 3000
    a, b = rng.integers(0, 9, n), rng.integers(0, 5, n)
    weights = rng.random(n) * 10.0 ** rng.integers(-12, 6, n)
    wanted = pw.contingency(a, b, weights=weights)
    exact = [math.fsum(weights[(a == i) & (b == j)]) for i in range(9) for j in range(5)]
    assert np.allclose(wanted.masses, exact, rtol=1e-15, atol=0)
    for _ in range(5):
        order = rng.permutation(n)
        found = pw.contingency(a[order], b[order], weights=weights[order])
        assert found.masses.tolist() == wanted.masses.tolist()


def test_columns_ride_along_with_items():
    a = {"x": 1, "y": 1, "z": 2, "w": 2}
    b = {"z": 5, "x": 5, "y": 6, "v": 6}
    weights = {"x": 1.0, "y": 2.0, "z": 4.0, "w": 8.0, "v": 16.0}
    dropped = pw.align(a, b, unmatched="drop", weights=[1.0, 2.0, 4.0, 8.0])
    assert dropped.weights.tolist() == [1.0, 2.0, 4.0]
    alone = pw.align(a, b, unmatched="singletons", weights=weights)
    assert alone.items.tolist() == ["x", "y", "z", "w", "v"]
    assert alone.weights.tolist() == [1.0, 2.0, 4.0, 8.0, 16.0]
    with pytest.raises(ValueError, match="item 'v' is in the candidate only; pass weights as"):
        pw.align(a, b, unmatched="singletons", weights=[1, 2, 4, 8])
    with pytest.raises(ValueError, match="multiplicity has no value for item 'z'"):
        pw.align(a, b, unmatched="drop", multiplicity={"x": 1, "y": 2})
    kept = pw.align([1, None, 2], [1, 1, 2], missing="drop", multiplicity=[3, 5, 7])
    assert kept.multiplicity.tolist() == [3, 7]
    assert kept.account.items == 10
    assert "10 items compared, aligned by position; 2 distinct" in kept.account.describe()
    positions = pw.align([1, 1], [1, 2], weights={0: 1.5, 1: 2})
    assert positions.weights.tolist() == [1.5, 2.0]


@pytest.mark.parametrize(
    ("column", "kind", "fragment"),
    [
        ({"weights": [1, -1]}, ValueError, r"weight -1.0 of compared item 1"),
        ({"weights": [1, math.nan]}, ValueError, "not a finite number"),
        ({"weights": [math.inf, 1]}, ValueError, "weight inf"),
        ({"weights": [0, 0]}, ValueError, "all weights are 0"),
        ({"weights": ["a", "b"]}, TypeError, "weights must be real numbers"),
        ({"weights": [1j, 1]}, TypeError, "weights must be real numbers"),
        ({"weights": [10**400, 1]}, TypeError, "weights must be real numbers"),
        ({"weights": [1e-310, 0]}, ValueError, "the largest weight is 1e-310; scale"),
        ({"weights": [1e308, 1]}, ValueError, "the largest weight is"),
        ({"weights": np.ma.array([1.0, 2.0], mask=[0, 1])}, ValueError, "masked"),
        ({"multiplicity": np.ma.array([1, 2], mask=[0, 1])}, ValueError, "masked"),
        ({"weights": [1]}, ValueError, r"one value per reference item \(2\)"),
        ({"weights": 3}, ValueError, "one value per reference item"),
        ({"multiplicity": [np.int64(1), np.float32(1.5)]}, ValueError, "multiplicity 1.5"),
        ({"multiplicity": [1, 1.5]}, ValueError, "multiplicity 1.5 of compared item 1"),
        ({"multiplicity": [1, -2]}, ValueError, "multiplicity -2"),
        ({"multiplicity": [True, 1]}, ValueError, "multiplicity True"),
        ({"multiplicity": [2**62, 2**62]}, ValueError, "add up to"),
    ],
)
def test_bad_columns_are_named(column, kind, fragment):
    with pytest.raises(kind, match=fragment):
        pw.purity([0, 1], [0, 1], **column)


def test_reports_say_what_took_no_weights():
    result = pw.compare([0, 0, 1], [0, 1, 1], weights=[1, 2, 3], measures="all")
    assert result.skipped["rand_index"] == "takes no weights"
    assert "purity" in result.scores
    assert "rand_index" not in pw.compare([0, 0], [0, 1], weights=[1, 2]).scores
    with pytest.raises(ValueError, match=r"rand_index .* takes no weights"):
        pw.compare([0, 0, 1], [0, 1, 1], weights=[1, 2, 3], measures=["rand_index"])


def test_bug_b070_integer_weights_of_v():
    """scikit-learn/scikit-learn#26880."""
    value = pw.v_measure([0, 0, 1, 1], [0, 1, 1, 1], multiplicity=[1, 1, 2, 2])
    assert math.isclose(value, 0.4038581928935033537112289, rel_tol=1e-13)
