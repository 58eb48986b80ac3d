"""The split-merge framework: every score, every way to combine, checked functions."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cases
import definitions
import partwise as pw
from partwise.measures.split_merge import subcomponent_mse
from strategies import labelings

FEATURES = cases.load("features.json")


def distances(rows):
    rows = np.asarray(rows, dtype=float)
    rows = rows[:, None] if rows.ndim == 1 else rows
    return np.sqrt(((rows[:, None] - rows[None]) ** 2).sum(axis=2))


def condensed(rows):
    return distances(rows)[np.triu_indices(len(rows), 1)]


def near(x, y):
    return math.isclose(x, float(y), rel_tol=1e-12, abs_tol=1e-13)


@pytest.mark.parametrize("case", FEATURES, ids=lambda case: case["id"])
def test_reference_values(case):
    a, b, rows = case["a"], case["b"], case["features"]
    table = distances(rows)
    ways = {
        "features": {"features": rows},
        "dense": {"distances": table},
        "condensed": {"distances": condensed(rows)},
        "callable": {"distances": lambda i, j: table[i, j]},
    }
    for combine, name in (("product", "s_mse"), ("mean", "s_mse(combine=mean)")):
        wanted = case["values"][name]
        assert near(pw.s_mse(a, b, features=rows, combine=combine), wanted)
        for way in ways.values():
            assert near(pw.split_merge(a, b, score="mse", combine=combine, **way), wanted)


@given(pair=labelings(), extra=st.integers(0, 2))
def test_the_paper_s_instances(pair, extra):
    a, b = pair
    k = max(len(set(a)), len(set(b)), 1) + extra
    assert pw.split_merge(a, b) == pw.s_entropy(a, b)
    assert pw.split_merge(a, b, combine="mean") == pw.s_entropy(a, b, combine="mean")
    n = pw.split_merge(a, b, score="max_share", combine="mean")
    assert near(n, 1 - pw.van_dongen(a, b, normalized=True))
    of_k = pw.split_merge(a, b, score="log_k", k=k, combine="mean")
    assert near(of_k, pw.vi_similarity_log_k(a, b, k=k))
    for score in ("max_share", "log_k"):
        given_k = k if score == "log_k" else None
        for combine in ("product", "mean"):
            options = {"score": score, "combine": combine, "k": given_k}
            wanted = definitions.split_merge(a, b, **options)
            assert near(pw.split_merge(a, b, **options), wanted)


def test_log_k_is_0_exactly_for_k_equal_parts():
    for k in range(2, 60):
        a, b = np.zeros(2 * k, dtype=int), np.repeat(np.arange(k), 2)
        assert pw.split_merge(a, b, score="log_k", k=k) == 0


@given(pair=labelings())
def test_own_functions_see_every_cluster_once(pair):
    a, b = pair
    if not a:
        assert pw.split_merge(a, b, score=lambda *sides: 1 / 0) == 1
        return
    table = pw.contingency(a, b)
    seen = []

    def score(sizes, indptr, parts):
        seen.append((sizes.tolist(), indptr.tolist(), parts.tolist()))
        kept = [(parts[i:j] ** 2).sum() for i, j in pairwise(indptr)]
        return np.array(kept, dtype=float) / sizes.astype(float) ** 2

    found = pw.split_merge(table, score=score)
    split, merge = pw.split_subcomponents(table), pw.merge_subcomponents(table)
    for side, sight in zip((split, merge), seen, strict=True):
        assert sight == (side.sizes.tolist(), side.indptr.tolist(), side.parts.tolist())

    def literal(parts):
        return Fraction(sum(p * p for p in parts), sum(parts) ** 2)

    wanted = definitions.mean_over_items(a, b, definitions.of_parts(literal), "product")
    assert near(found, wanted)


@given(pair=labelings())
def test_meet_weighted(pair):
    """Property 4.5 with any sigma: cells weigh their items, and sigma sees their clusters."""
    a, b = pair
    assume(a)
    table = pw.contingency(a, b)
    sight = {}

    def sigma(split, merge):
        sight["split"], sight["merge"] = split, merge
        return np.sqrt(split * merge)

    found = pw.split_merge(table, combine=sigma)
    total = (table.counts * np.sqrt(sight["split"] * sight["merge"])).sum() / len(a)
    assert near(found, total)
    score = definitions.entropy_score
    for i, j, x, y in zip(table.rows, table.cols, sight["split"], sight["merge"], strict=True):
        row, col = table.rows == i, table.cols == j
        assert near(x, score(table.counts[row].tolist()))
        assert near(y, score(table.counts[col].tolist()))
    product = pw.split_merge(table, combine=lambda x, y: x * y)
    assert near(product, pw.s_entropy(table))


# ---- squared error -----------------------------------------------------------------


@given(pair=labelings(), seed=st.integers(0, 99))
def test_distances_are_features(pair, seed):
    a, b = pair
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 4, (len(a), 2)).astype(float)  # with coincident points
    wanted = definitions.split_merge(a, b, score="mse", features=rows)
    assert near(pw.split_merge(a, b, score="mse", features=rows), wanted)
    assert near(pw.split_merge(a, b, score="mse", distances=distances(rows)), wanted)
    weights = rng.integers(0, 3, len(a))
    assume(weights.any())
    own = {"weights": weights.astype(float)}
    of_rows = pw.split_merge(a, b, score="mse", features=rows, **own)
    assert near(pw.split_merge(a, b, score="mse", distances=condensed(rows), **own), of_rows)


def test_repeated_items():
    a, b, times = [0, 0, 0, 1, 1], [0, 1, 1, 1, 2], [1, 2, 0, 3, 1]
    rows = np.array([[0.0, 1], [2, 0], [9, 9], [4, 5], [1, 1]])
    again = np.repeat(np.arange(5), times)
    wanted = pw.s_mse(np.array(a)[again], np.array(b)[again], features=rows[again])
    table = distances(rows)
    for way in ({"features": rows}, {"distances": table}, {"distances": condensed(rows)}):
        assert near(pw.split_merge(a, b, score="mse", multiplicity=times, **way), wanted)


@pytest.mark.parametrize("limit", [1, 7, 100])
def test_pairs_a_few_at_a_time(limit, monkeypatch):
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 3, 60), rng.integers(0, 4, 60)
    rows = rng.normal(size=(60, 2))
    wanted = pw.s_mse(a, b, features=rows)
    monkeypatch.setattr(subcomponent_mse, "_PAIRS_AT_ONCE", limit)
    asked = []

    def between(i, j):
        asked.append(len(i))
        return distances(rows)[i, j]

    assert near(pw.split_merge(a, b, score="mse", distances=between), wanted)
    assert max(asked) <= 2 * limit + 60  # one item's pairs stay together


def test_a_function_is_asked_about_pairs_of_split_clusters_only():
    a, b = [0, 0, 0, 1, 1], [0, 0, 1, 2, 2]
    asked = []

    def between(i, j):
        asked.extend(zip(i.tolist(), j.tolist(), strict=True))
        return np.ones(len(i))

    pw.split_merge(a, b, score="mse", distances=between)
    assert sorted(asked) == [(0, 1), (0, 2), (1, 2)]  # once each; no candidate is mixed
    table = 1.0 - np.eye(5)
    one = pw.split_merge(a, b, score="mse", distances=table)
    # three items at distance 1: spread 1; parts {0, 1}, {2}: 1/2
    assert one == (3 * 0.5 + 2) / 5


def test_far_and_tiny_features_keep_their_digits():
    a, b = [0] * 4 + [1] * 4, [0, 0, 1, 1, 2, 2, 3, 3]
    rows = np.array([0, 1, 3, 4, 0, 1, 3, 4], dtype=float)
    wanted = pw.s_mse(a, b, features=rows)
    for scale in (1e-300, 1e-170, 1e150, 4e307):
        assert near(pw.s_mse(a, b, features=rows * scale), wanted)
        table = condensed(rows) * scale
        assert near(pw.split_merge(a, b, score="mse", distances=table), wanted)
    outlier = np.array([-1.6] * 9 + [1.6])
    halves = [0] * 8 + [1] * 2
    assert near(
        pw.s_mse([0] * 10, halves, features=outlier * 1e308),
        pw.s_mse([0] * 10, halves, features=outlier),
    )
    mixed = np.concatenate((rows[:4] * 1e-160, rows[4:] * 1e160))
    assert near(pw.s_mse(a, b, features=mixed), wanted)
    assert near(pw.s_mse(a, b, features=rows + 2.0**40), wanted)


def test_special_features_of_e7():
    """Parts with equal centres score 1 though split; coincident points by their number."""
    assert pw.s_mse([0, 0, 0, 0], [0, 1, 1, 0], features=[-2, -1, 1, 2]) == 1
    assert pw.s_mse([0] * 5, [0, 0, 1, 1, 2], features=[3] * 5) == 0.5
    assert pw.s_mse([0] * 5, [0, 0, 1, 1, 2], features=[0.1] * 5) == 0.5
    assert pw.split_merge([0] * 5, [0, 0, 1, 1, 2], score="mse", distances=np.zeros(10)) == 0.5
    assert pw.s_mse([0, 0], [0, 1], features=[[1, 1], [1, 1]]) == 0


def test_non_euclidean_distances_name_the_cluster():
    table = np.ones((4, 4)) - np.eye(4)
    table[0, 1] = table[1, 0] = 50  # inside a part: parts are wider than the whole
    table[2, 3] = table[3, 2] = 50
    with pytest.raises(ValueError, match=r"reference cluster 'x' have 1\.99.*not Euclidean"):
        pw.split_merge(["x"] * 4, [0, 0, 1, 1], score="mse", distances=table)
    with pytest.raises(ValueError, match="candidate cluster 'x' have"):
        pw.split_merge([0, 0, 1, 1], ["x"] * 4, score="mse", distances=table)


@given(pair=labelings(), seed=st.integers(0, 99))
def test_order_of_items_changes_no_bit(pair, seed):
    a, b = (np.array(x, dtype=int) for x in pair)
    rng = np.random.default_rng(seed)
    rows, order = rng.normal(size=(len(a), 3)), rng.permutation(len(a))
    table = distances(rows)
    one = pw.split_merge(a, b, score="mse", distances=table)
    moved = table[np.ix_(order, order)]
    assert pw.split_merge(a[order], b[order], score="mse", distances=moved) == one
    weights = rng.random(len(a))
    if len(a):
        one = pw.s_mse(a, b, features=rows, weights=weights)
        assert pw.s_mse(a[order], b[order], features=rows[order], weights=weights[order]) == one


# ---- weights -----------------------------------------------------------------------


@given(pair=labelings())
def test_equal_weights_change_nothing(pair):
    a, b = pair
    assume(a)
    rows, ones = cases.features(len(a)), np.full(len(a), 0.25)
    for options in (
        {},
        {"score": "max_share"},
        {"score": "log_k", "k": 9},
        {"score": "mse", "features": rows},
        {"score": lambda sizes, indptr, parts: np.maximum.reduceat(parts, indptr[:-1]) / sizes},
        {"combine": lambda x, y: np.minimum(x, y)},
    ):
        for combine in ("product", "mean"):
            chosen = {"combine": combine, **options}
            assert near(
                pw.split_merge(a, b, weights=ones, **chosen), pw.split_merge(a, b, **chosen)
            )


def test_items_without_weight_leave_their_part():
    a, b, weights = [0, 0, 0, 1], [0, 0, 1, 1], [1.0, 2.0, 0.0, 3.0]
    kept = [0, 1, 3]
    rows = np.array([0.0, 1.0, 50.0, 2.0])
    sub = {"a": [a[i] for i in kept], "b": [b[i] for i in kept]}
    found = pw.split_merge(a, b, score="max_share", weights=weights)
    assert found == pw.split_merge(sub["a"], sub["b"], score="max_share", weights=[1, 2, 3])
    # the part {50} weighs nothing: what is left of the spread is all of it
    assert pw.s_mse(a, b, features=rows, weights=weights, combine="mean") > 0.5


# ---- what is refused ---------------------------------------------------------------

A, B = [0, 0, 1, 1], ["p", "q", "q", "q"]


@pytest.mark.one_backend
@pytest.mark.parametrize(
    ("options", "kind", "fragment"),
    [
        ({"score": "gini"}, ValueError, "score='gini' is not one of: entropy, mse"),
        ({"combine": "max"}, ValueError, "combine='max' is not one of"),
        ({"score": "log_k"}, ValueError, "needs k="),
        (
            {"score": "log_k", "k": 1},
            ValueError,
            r"k=1 is below the number of clusters \(2 and",
        ),
        ({"score": "log_k", "k": 2.0}, TypeError, "k=2.0 must be an integer"),
        ({"k": 3}, TypeError, 'k= belongs to score="log_k", not to "entropy"'),
        ({"distances": [1] * 6}, TypeError, 'distances= belongs to score="mse"'),
        ({"score": lambda *x: 1, "k": 3}, TypeError, "not to a function"),
        ({"score": "mse"}, ValueError, r"needs features=.*or distances="),
        ({"score": lambda *x: 1.0}, ValueError, r"shape \(\); one number for each reference"),
        ({"score": lambda s, i, p: s * 1.0}, ValueError, "gave 2.0 for reference cluster 0"),
        (
            {"score": lambda s, i, p: np.where(s == 3, np.nan, 1)},
            ValueError,
            "gave nan for candidate cluster 'q', outside",
        ),
        ({"score": lambda s, i, p: None}, ValueError, "score gave"),
        ({"score": lambda s, i, p: ["x"] * len(s)}, TypeError, "not an array of numbers"),
        ({"combine": lambda x, y: x + y}, ValueError, r"for clusters 1 and 'q', outside"),
        ({"combine": lambda x, y: x[:1]}, ValueError, r"combine gave an array of shape \(1,\)"),
        ({"score": "mse", "distances": [1, 2]}, ValueError, r"shape \(2,\); for 4 aligned"),
        ({"score": "mse", "distances": ["x"] * 6}, TypeError, "distances= takes an n x n"),
        ({"score": "mse", "distances": [-1] * 6}, ValueError, "items 0 and 1 is -1.0"),
        ({"score": "mse", "distances": [np.nan] * 6}, ValueError, "items 0 and 1 is nan"),
        ({"score": "mse", "distances": np.ones((4, 4))}, ValueError, r"distances\[0, 0\] is 1"),
        (
            {"score": "mse", "distances": np.triu(np.ones((4, 4)), 1)},
            ValueError,
            r"distances\[0, 1\] is 1.0, but 0.0 the other way",
        ),
        ({"score": "mse", "distances": lambda i, j: 1.0}, ValueError, r"shape \(\) for 1 pair"),
        ({"score": "mse", "distances": lambda i, j: "x"}, TypeError, "distances gave str"),
        ({"scores": "mse"}, TypeError, "no option 'scores'"),
    ],
)
def test_bad_calls_are_sentences(options, kind, fragment):
    with pytest.raises(kind, match=fragment):
        pw.split_merge(A, B, **options)


@pytest.mark.one_backend
def test_items_are_needed_for_squared_errors():
    table = pw.contingency(A, B)
    assert pw.split_merge(table, score="max_share") == pw.split_merge(A, B, score="max_share")
    with pytest.raises(TypeError, match="needs the items"):
        pw.split_merge(table, score="mse")
    with pytest.raises(TypeError, match="needs the items"):
        pw.split_merge(table, score="mse", distances=[1] * 6)
    with pytest.raises(ValueError, match="cannot stand in a name"):
        pw.compare(A, B, measures="split_merge(distances=3)")
    with pytest.raises(ValueError, match="combine='max'"):
        pw.s_mse(A, B, features=[1, 2, 3, 4], combine="max")
    found = pw.compare(A, B, measures=["split_merge(score=log_k, k=4)", "split_merge"])
    assert found.scores["split_merge"] == pw.s_entropy(A, B)


# ---- the properties of a score -----------------------------------------------------


def test_entropy_has_every_property():
    found = pw.check_subcomponent_score("entropy")
    assert found.monotone
    assert found.strictly_monotone
    assert found.normalized
    assert found.consistent
    assert not found.witnesses
    found = pw.check_subcomponent_score("entropy", combine="mean", max_size=5)
    assert found.normalized
    assert not found.consistent  # S'({L}, C_L) = s / 2 + 1 / 2
    assert found.witnesses["consistent"] == "parts (1, 1) score 0, the similarity is 0.5"


def test_the_other_words():
    found = pw.check_subcomponent_score("max_share", max_size=6)
    assert (found.monotone, found.strictly_monotone, found.normalized) == (True, False, False)
    found = pw.check_subcomponent_score("log_k", k=6, max_size=6)
    assert found.strictly_monotone
    assert not found.normalized


def gini(sizes, indptr, parts):
    """Chance that two different items of a cluster are in one part; 1 for single items."""
    together = np.add.reduceat(parts * (parts - 1), indptr[:-1])
    return np.where(sizes == 1, 1.0, together / np.maximum(sizes * (sizes - 1), 1))


def upside_down(sizes, indptr, parts):
    return 1 - gini(sizes, indptr, parts)


def fewest_even(sizes, indptr, parts):
    """Falls with every part, but rises as they get more even."""
    largest = np.maximum.reduceat(parts, indptr[:-1]) / sizes
    return 1 / np.diff(indptr) - 0.01 * largest


def test_own_scores_are_checked():
    found = pw.check_subcomponent_score(gini)
    assert found.strictly_monotone
    assert found.normalized
    assert found.consistent
    assert "normalized: yes" in str(found)
    found = pw.check_subcomponent_score(upside_down, max_size=4)
    assert not found.monotone
    assert found.witnesses["monotone"] == "parts (2,) score 0, parts (1, 1) 1"
    assert found.witnesses["normalized"] == "parts (1,) score 0"
    found = pw.check_subcomponent_score(fewest_even, max_size=6)
    assert found.witnesses["monotone"].startswith("parts (3, 1) score 0.4925, parts (2, 2)")
    wild = pw.check_subcomponent_score(lambda s, i, p: s.astype(float), max_size=3)
    assert wild.witnesses["consistent"] == "parts (2,) score 2, outside [0, 1]"
    undefined = pw.check_subcomponent_score(lambda s, i, p: np.full(len(s), np.nan), max_size=2)
    assert set(undefined.witnesses) == {
        "monotone",
        "split_monotone",
        "strictly_monotone",
        "normalized",
        "consistent",
    }


@pytest.mark.one_backend
def test_bad_checks_are_sentences():
    for size in (0, 31, 2.5, True):
        with pytest.raises(ValueError, match="max_size"):
            pw.check_subcomponent_score("entropy", max_size=size)
    with pytest.raises(ValueError, match="score='gini' is not one of: entropy, mse"):
        pw.check_subcomponent_score("gini")
    with pytest.raises(ValueError, match=r"array of shape \(1,\) for 3 clusters"):
        pw.check_subcomponent_score(lambda s, i, p: [1.0], max_size=2)
    with pytest.raises(ValueError, match="needs k="):
        pw.check_subcomponent_score("log_k")
