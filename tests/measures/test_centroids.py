"""Centroids and their measures: exact on small inputs, ties by cluster order, any road in."""

import math
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cases
import definitions
import partwise as pw
from partwise._kernels.order_free import group_means
from partwise.measures.centroids import nearest as search

MEASURES = (
    "centroid_index",
    "centroid_index_one_way",
    "centroid_similarity_index",
    "centroid_ratio",
)
measures = pytest.mark.parametrize("name", MEASURES)
UNIT = 27720  # a multiple of 1 to 12: means of up to 12 rows of it are whole numbers


@st.composite
def placed(draw, max_size=12, width=2):
    """Two clusterings and features on a small grid, with many exact ties."""
    n = draw(st.integers(0, max_size))
    labels = st.lists(st.integers(0, 4), min_size=n, max_size=n)
    d = draw(st.integers(1, width))
    row = st.lists(st.integers(-2, 2), min_size=d, max_size=d)
    features = draw(st.lists(row, min_size=n, max_size=n))
    return draw(labels), draw(labels), np.reshape(features, (n, d)) * UNIT


@measures
@given(found=placed())
def test_measures_on_a_grid_are_their_definitions(name, found):
    a, b, features = found
    wanted = definitions.DEFINITIONS[name](a, b, features=features.tolist())
    assert getattr(pw, name)(a, b, features=features) == float(wanted)


@given(found=placed(), whole=st.lists(st.integers(1, 3), min_size=12, max_size=12))
def test_centroids_are_means_of_rows(found, whole):
    labels, _, features = found
    weights = whole[: len(labels)]
    for mass in (None, weights):
        wanted = definitions.mean_rows(labels, features.tolist(), mass)
        value = pw.centroids(labels, features, weights=mass)
        assert value.shape == (len(set(labels)), features.shape[1])
        assert [[float(x) for x in row] for row in wanted] == value.tolist()


@pytest.mark.parametrize("case", cases.load("features.json"), ids=lambda case: case["id"])
def test_reference_values(case):
    a, b, features, values = case["a"], case["b"], case["features"], case["values"]
    for side, labels in (("a", a), ("b", b)):
        value = pw.centroids(labels, features)
        assert np.allclose(value, values[f"centroids({side})"], rtol=4e-16, atol=0)
    ways = {"a->b": (a, b), "b->a": (b, a)}
    for way, pair in ways.items():
        wanted = values[f"centroid_index_one_way({way})"]
        assert pw.centroid_index_one_way(*pair, features=features) == wanted
    for name in set(MEASURES) - {"centroid_index_one_way"}:
        value = getattr(pw, name)(a, b, features=features)
        assert cases.within_ulp(value, values[name], 1)


# ---- means -------------------------------------------------------------------------


def test_means_do_not_depend_on_order():
    rng = np.random.default_rng(3)
    n = 3000
    labels = rng.integers(0, 7, n)
    rows = rng.normal(size=(n, 3)) * 10.0 ** rng.integers(-9, 9, (n, 1))
    weights = rng.random(n) * 10.0 ** rng.integers(-5, 5, n)
    for mass in (None, weights):
        wanted = pw.centroids(labels, rows, weights=mass)
        for _ in range(4):
            order = rng.permutation(n)
            moved = None if mass is None else mass[order]
            value = pw.centroids(labels[order], rows[order], weights=moved)
            assert value.tobytes() == wanted.tobytes()
        for k in range(7):
            inside = np.flatnonzero(labels == k)
            w = [Fraction(1 if mass is None else mass[i]) for i in inside]
            exact = sum(x * Fraction(rows[i, 0]) for x, i in zip(w, inside, strict=True))
            size = max(abs(rows[inside, 0])) * 2.0**-52
            assert abs(wanted[k, 0] - float(exact / sum(w))) <= size


@given(
    value=st.floats(-1e300, 1e300),
    weights=st.lists(st.floats(1e-100, 1e100), min_size=1, max_size=9),
)
def test_items_in_one_place_have_that_place_as_centroid(value, weights):
    n = len(weights)
    rows, groups = np.full((n, 1), value), np.zeros(n, dtype=np.int64)
    assert group_means(rows, groups, 1)[0, 0] == value
    assert group_means(rows, groups, 1, np.array(weights))[0, 0] == value


def test_an_outlier_costs_no_digit_elsewhere():
    rows = [1e300, 1e-300, 3e-300, -1e308, -1.5e308, 5e-324]
    value = pw.centroids([0, 1, 1, 2, 2, 3], rows)
    assert value[:, 0].tolist() == [1e300, 2e-300, -1.25e308, 5e-324]


def test_opposite_rows_cancel_exactly():
    rows = np.array([[1e16, 1.0], [1.0, -1.0], [-1e16, 0.0]])
    value = pw.centroids([0, 0, 0], rows)
    assert value.tolist() == [[1 / 3, 0.0]]
    assert math.copysign(1, value[0, 1]) == 1


def test_centroids_of_one_clustering():
    labels = {"u": "y", "v": "x", "w": "y"}
    by_item = {"w": [3, 0], "u": [1, 2], "v": [9, 9]}
    wanted = [[9, 9], [2, 1]]
    assert pw.centroids(labels, by_item).tolist() == wanted
    assert pw.centroids(labels, [[1, 2], [9, 9], [3, 0]]).tolist() == wanted
    weighted = pw.centroids(labels, by_item, weights={"u": 3, "v": 1, "w": 1})
    assert weighted.tolist() == [[9, 9], [1.5, 1.5]]
    assert pw.centroids([{"p", "q"}, {"r"}], {"p": 1, "q": 2, "r": 3}).tolist() == [[1.5], [3]]
    assert pw.centroids([], np.empty((0, 2))).shape == (0, 2)


@pytest.mark.parametrize(
    ("call", "kind", "fragment"),
    [
        (lambda: pw.centroids([0, 1], [1]), ValueError, r"shape \(1,\); one row for each of"),
        (lambda: pw.centroids([0, None], [1, 2]), ValueError, "1 missing labels, the first at"),
        (lambda: pw.centroids([0, 1], [1, math.inf]), ValueError, "row 1 have inf in column 0"),
        (lambda: pw.centroids([0, 1], ["a", "b"]), TypeError, "real numbers"),
        (
            lambda: pw.centroids(["p", "q"], [1, 2], weights=[1, 0]),
            ValueError,
            "cluster 'q' has weight 0 in all, so it has no centroid",
        ),
        (lambda: pw.centroids([0, 1], [1, 2], weights=[1, -1]), ValueError, "weight -1.0"),
        (
            lambda: pw.centroids({"x": 0}, {"y": 1}),
            ValueError,
            "value for item 'y', which is not in the labels",
        ),
    ],
)
def test_bad_input_of_centroids(call, kind, fragment):
    with pytest.raises(kind, match=fragment):
        call()


# ---- roads in ----------------------------------------------------------------------


@measures
@given(found=placed())
def test_given_centroids_are_as_good_as_computed_ones(name, found):
    a, b, features = found
    function = getattr(pw, name)
    aligned = pw.align(a, b, features=features)
    pair = pw.centroids(a, features), pw.centroids(b, features)
    wanted = function(a, b, features=features)
    assert function(aligned) == wanted
    assert function(aligned) == wanted  # from what was kept
    assert function(aligned.table, centroids=pair) == wanted
    assert function(a, b, centroids=[x.tolist() or x for x in pair]) == wanted


@measures
def test_other_centroids_are_not_those_that_were_kept(name):
    function = getattr(pw, name)
    aligned = pw.align([0, 0, 1, 1, 2], [0, 1, 1, 2, 2], features=[0, 1, 8, 9, 30])
    pairs = [
        ([[0], [5], [9]], [[0], [5], [9]]),
        ([[0], [5], [9]], [[9], [9.5], [90]]),
        ([[7], [8], [9]], [[7.1], [1], [2]]),
    ]
    fresh = [function(aligned.table, centroids=pair) for pair in pairs]
    own = function([0, 0, 1, 1, 2], [0, 1, 1, 2, 2], features=[0, 1, 8, 9, 30])
    assert len({own, *fresh}) > 1
    for first in (None, *pairs):
        for pair, wanted in zip((None, *pairs), (own, *fresh), strict=True):
            again = pw.align([0, 0, 1, 1, 2], [0, 1, 1, 2, 2], features=[0, 1, 8, 9, 30])
            function(again, centroids=first)
            assert function(again, centroids=pair) == wanted


@measures
def test_multiplicity_is_repetition_also_on_ties(name):
    rng = np.random.default_rng(11)
    for _ in range(30):
        n = 10
        a, b, times = rng.integers(0, 4, n), rng.integers(0, 4, n), rng.integers(0, 4, n)
        features = rng.integers(-2, 3, (n, 2))
        function = getattr(pw, name)
        again = [np.repeat(x, times, axis=0) for x in (a, b, features)]
        wanted = function(again[0], again[1], features=again[2])
        assert function(a, b, features=features, multiplicity=times) == wanted
        both = function(a, b, features=features, multiplicity=times, weights=np.ones(n))
        assert both == wanted


def test_weights_move_centroids_and_count_in_shares():
    a, b, features = [0, 0, 1, 1], [0, 1, 1, 1], [0.0, 4.0, 5.0, 9.0]
    even = pw.align(a, b, features=features)
    skewed = pw.align(a, b, features=features, weights=[1, 1, 6, 2])
    assert pw.centroid_similarity_index(even) == 0.75
    assert pw.centroid_similarity_index(skewed) == 0.9
    with pytest.raises(ValueError, match="candidate cluster 0 has weight 0 in all"):
        pw.centroid_index(a, b, features=features, weights=[0, 1, 1, 1])
    with pytest.raises(ValueError, match="reference cluster 1 has weight 0 in all"):
        pw.centroid_ratio(a, b, features=features, weights=[1, 1, 0, 0])


def test_items_that_a_policy_drops_take_their_rows_along():
    a, b = {"x": 0, "y": 0, "z": 1}, {"y": 5, "z": 6, "q": 6}
    features = {"x": 100.0, "y": 1.0, "z": 2.0, "q": -50.0}
    dropped = pw.align(a, b, unmatched="drop", features=features)
    assert pw.centroid_index(dropped) == pw.centroid_index([0, 1], [5, 6], features=[1, 2])
    alone = pw.align(a, b, unmatched="singletons", features=features)
    by_hand = pw.align(
        [0, 0, 1, 2], [7, 5, 6, 6], features=[100.0, 1.0, 2.0, -50.0]
    )  # the lone ones come last in cluster order
    for name in MEASURES:
        assert getattr(pw, name)(alone) == getattr(pw, name)(by_hand)


@measures
@pytest.mark.parametrize(
    ("arguments", "options", "kind", "fragment"),
    [
        (2, {}, ValueError, r"needs features= \(one row per item\) or centroids="),
        (
            1,
            {},
            TypeError,
            "needs the items, which a Contingency does not hold; pass centroids",
        ),
        (1, {"features": [1, 2]}, TypeError, "beside a Contingency"),
        (1, {"centroids": [1, 2, 3]}, TypeError, "takes a pair"),
        (1, {"centroids": np.zeros((2, 2, 1))}, TypeError, "takes a pair"),
        (1, {"centroids": ([1], [1, 2])}, ValueError, "1 reference centroids for 2 reference"),
        (1, {"centroids": ([1, 2], [[1]])}, ValueError, "1 candidate centroids for 2 cand"),
        (1, {"centroids": ([[1, 2], [3, 4]], [1, 2])}, ValueError, "2 columns, candidate"),
        (1, {"centroids": ([1, math.nan], [1, 2])}, ValueError, "reference centroids of row 1"),
        (1, {"centroids": ([1, 2], ["a", "b"])}, TypeError, "candidate centroids must be real"),
    ],
)
def test_bad_input_of_measures(name, arguments, options, kind, fragment):
    given = [[0, 1], [0, 1]] if arguments == 2 else [pw.contingency([0, 1], [0, 1])]
    with pytest.raises(kind, match=fragment):
        getattr(pw, name)(*given, **options)


def test_comparisons_with_features():
    a, b, features = [0, 0, 1, 1, 2], [0, 1, 1, 1, 2], [[0, 1], [1, 5], [7, 2], [8, 4], [30, 9]]
    values = {name: getattr(pw, name)(a, b, features=features) for name in MEASURES}
    result = pw.compare(a, b, features=features, measures="all")
    assert {name: result[name] for name in MEASURES} == values
    assert {result.families[name] for name in MEASURES} == {"centroids"}
    assert set(result.skipped) == {"vi_similarity_log_k"}
    assert pw.compare(pw.align(a, b, features=features), measures=MEASURES).scores == values
    assert not set(MEASURES) & set(pw.compare(a, b, features=features).scores)
    noted = pw.compare(a, b, features=features).notes
    assert [note.code for note in noted if "features" in note] == ["option-unused"]
    with pytest.warns(pw.InputWarning, match="none of the default measures has a use"):
        pw.score_many(a, [b], features=features)
    without = pw.compare(a, b, measures="all")
    assert all(without.skipped[name].startswith("needs features:") for name in MEASURES)
    assert "skipped: centroid_index needs features: pass features=" in str(without)
    for call in (pw.compare, lambda x, y, **o: pw.score_many(x, [y], **o)):
        with pytest.raises(ValueError, match="centroid_ratio needs features: pass features="):
            call(a, b, measures=["centroid_ratio"])
    runs = pw.score_many(a, {"b": b, "a": a}, MEASURES, features=features)
    assert runs.to_dict()["b"] == values
    assert runs["centroid_index"][1] == 0
    square = pw.pairwise([a, b], "centroid_similarity_index", features=features)
    assert square[0, 1] == square[1, 0] == values["centroid_similarity_index"]
    with pytest.raises(ValueError, match="centroid_index needs features"):
        pw.pairwise([a, b], "centroid_index")
    ids = [dict(zip("vwxyz", x, strict=True)) for x in (a, b)]
    with pytest.raises(ValueError, match="pass features as a mapping by item"):
        pw.pairwise(ids, "centroid_index", features=features)
    by_item = dict(zip("vwxyz", features, strict=True))
    found = pw.pairwise(ids, "centroid_similarity_index", features=by_item)
    assert found.tolist() == square.tolist()


@measures
def test_order_of_items_changes_no_bit(name):
    rng = np.random.default_rng(2)
    a, b, features = (
        rng.integers(0, 40, 500),
        rng.integers(0, 30, 500),
        rng.normal(size=(500, 3)),
    )
    wanted = getattr(pw, name)(a, b, features=features)
    for _ in range(3):
        order = rng.permutation(500)
        found = getattr(pw, name)(a[order], b[order], features=features[order])
        assert found == wanted
        assert getattr(pw, name)(-a, 7 * b, features=features) == wanted  # no ties here


# ---- ties --------------------------------------------------------------------------


def test_ties_are_reported():
    clear = pw.compare([0, 0, 1], [0, 1, 1], features=[0, 2, 9], measures=MEASURES)
    assert clear.notes == []
    tied = pw.compare([0, 0], [0, 1], features=[-1, 1], measures=MEASURES)
    assert sorted(note.partition(":")[0] for note in tied.notes) == sorted(MEASURES)
    assert "a tie was broken by the order of labels" in tied.notes[0]
    # only the way back is tied
    back = pw.compare([0, 1], [0, 0], features=[-1, 1], measures=MEASURES)
    assert "centroid_index_one_way" not in [note.partition(":")[0] for note in back.notes]
    assert len(back.notes) == 3


def test_a_pair_taken_before_is_no_tie():
    """Point 2 is as far from 1 as from 3, but 1 is taken before, at distance 0."""
    left, right = np.array([[1.0], [2.0]]) / 8, np.array([[1.0], [3.0]]) / 8
    pairs = search.greedy_pairs(left, right)
    assert not pairs.tied
    assert pairs.candidate.tolist() == [0, 1]
    assert search.greedy_pairs(left[1:], right).tied


def test_ties_that_have_gathered_stay_open_until_they_are_decided():
    many = np.zeros(17, dtype=np.int64)  # more than are kept without a look at them
    for later, broken in ((2.0, True), (0.5, False)):
        ties = search._Ties(2, 2)
        ties.add(0, 1.0, many)
        ties.take(0, 1, later)  # a point that was as near is taken at a larger distance, or not
        assert ties.broken() == broken
    ties = search._Ties(2, 2)
    ties.take(0, 1, 0.5)
    ties.add(0, 1.0, many)
    assert not ties.broken()
    ties.add(1, 1.0, many[:1])  # never taken
    assert ties.broken()


def plain_nearest(queries, points):
    squares = search.squared_distances(queries[:, None, :], points[None, :, :])
    least = squares.min(axis=1, keepdims=True)
    return squares.argmin(axis=1), least[:, 0], (squares == least).sum(axis=1) > 1


@pytest.mark.one_backend
@pytest.mark.parametrize("d", [1, 2, 3, 13])
@pytest.mark.parametrize("grid", [True, False])
@pytest.mark.parametrize("way", ["_all_pairs", "_by_tree", "chosen"])
def test_nearest_by_any_search(d, grid, way, monkeypatch):
    """Lowest index among exact ties on grids, the same square from every search."""
    if way != "chosen":
        monkeypatch.setattr(search, "_DENSE_BELOW", 1 << 60 if way == "_all_pairs" else 0)
        monkeypatch.setattr(search, "_TREE_DIMENSIONS", 99)
    monkeypatch.setattr(search, "_CHUNK", 97)
    rng = np.random.default_rng(d)
    for size in (1, 2, 5, 60, 300):
        sides = [
            rng.integers(-3, 4, (n, d)) / 8.0 if grid else rng.normal(size=(n, d)) / 8
            for n in (200, size)
        ]
        for queries, points in (sides, sides[::-1]):
            found = search.nearest(queries, points)
            for part, wanted in zip(found, plain_nearest(queries, points), strict=True):
                assert part.tolist() == wanted.tolist()
            squares = search.squared_distances(points[:, None, :], points[None, :, :])
            np.fill_diagonal(squares, np.inf)
            assert search.neighbour_distances(points).tolist() == squares.min(axis=1).tolist()


@pytest.mark.one_backend
def test_nearest_far_from_everything():
    """Where all distances are nearly equal every point is a candidate."""
    rng = np.random.default_rng(0)
    points = rng.normal(size=(700, 2)) * 1e-13
    queries = rng.normal(size=(500, 2)) * 1e-13 + 0.75
    found = search.nearest(queries, points)
    for part, wanted in zip(found, plain_nearest(queries, points), strict=True):
        assert part.tolist() == wanted.tolist()


def plain_pairs(left, right):
    """Greedy pairs from the sorted list of all, and whether order decided among equals."""
    squares = search.squared_distances(left[:, None, :], right[None, :, :])
    order = sorted((squares[i, j], i, j) for i, j in np.ndindex(*squares.shape))
    row_at, col_at, tied = {}, {}, False
    for distance, i, j in order:
        if i not in row_at and j not in col_at:
            row_at[i] = col_at[j] = distance
        elif row_at.get(i, distance) == distance == col_at.get(j, distance):
            tied = True
    found = {}
    rows, cols = set(), set()
    for _, i, j in order:
        if i not in rows and j not in cols:
            rows.add(i)
            cols.add(j)
            found[i] = j
    return sorted(found.items()), tied


@pytest.mark.one_backend
@pytest.mark.parametrize("grid", [2, 20, None])
@pytest.mark.parametrize("d", [1, 2])
def test_greedy_pairs_without_the_matrix(grid, d):
    rng = np.random.default_rng(d)
    for sizes in ((1, 1), (1, 7), (9, 4), (30, 30), (25, 40)):
        for _ in range(12):
            left, right = (
                rng.normal(size=(n, d)) / 8
                if grid is None
                else rng.integers(-grid, grid + 1, (n, d)) / 32.0
                for n in sizes
            )
            wanted, tied = plain_pairs(left, right)
            found = search.greedy_pairs(left, right)
            assert (
                list(zip(found.reference.tolist(), found.candidate.tolist(), strict=True))
                == wanted
            )
            assert found.tied == tied
            alone = search._pairs_by_chain(left, right)
            assert (
                sorted(zip(alone.reference.tolist(), alone.candidate.tolist(), strict=True))
                == wanted
            )
            assert alone.tied == tied


@pytest.mark.one_backend
def test_greedy_pairs_along_a_line_of_growing_gaps():
    """One mutual pair at a time: rounds alone would take one round per pair."""
    n = 1500
    at = np.cumsum(1 + np.arange(2 * n) / n)
    at /= 2 * at[-1]
    found = search.greedy_pairs(at[::2, None], at[1::2, None])
    assert found.candidate.tolist() == list(range(n))
    assert not found.tied


# ---- degenerate and large ----------------------------------------------------------


def test_degenerate_values():
    features = [0.0, 1.0, 5.0]
    one, all_three = [0, 0, 0], [0, 1, 2]
    assert pw.centroid_ratio(one, one, features=features) == 1.0
    assert pw.centroid_ratio(one, all_three, features=features) == 1 / 3
    assert pw.centroid_ratio(all_three, one, features=features) == 1 / 3
    assert pw.centroid_index(one, all_three, features=features) == 2.0
    assert pw.centroid_index_one_way(all_three, one, features=features) == 0.0
    # everything in one place: ties all over, distances of 0
    flat = [1.0, 1.0, 1.0]
    assert pw.centroid_ratio(all_three, all_three, features=flat) == 1.0
    assert pw.centroid_index(all_three, all_three, features=flat) == 2.0
    assert pw.centroid_similarity_index(all_three, all_three, features=flat) == 1 / 3
    empty = pw.align([], [], features=np.empty((0, 2)))
    values = [getattr(pw, name)(empty) for name in MEASURES]
    assert values == [0.0, 0.0, 1.0, 1.0]


def test_stability_at_equality():
    """D_ij^2 = D_i D_j is stable: 4 = 2 * 2 on a line; a hair more is not."""
    table = pw.contingency([0, 1], [0, 1])
    left, right = [0, 2], [2, 4]  # greedy: (1, 0) at 0, then (0, 1) at 4
    assert pw.centroid_ratio(table, centroids=(left, right)) == 0.5
    table = pw.contingency([0, 1, 2], [0, 1, 2])
    left, right = [0.0, 3.0, 100.0], [3.0, 6.0, 103.0]
    assert pw.centroid_ratio(table, centroids=(left, right)) == 2 / 3
    apart = [0.0, 2.0, 50.0]
    moved = [0.0, 52.0, 50.0]  # 1 with 1: 50 apart, 2 and 2 from their neighbours
    assert pw.centroid_ratio(table, centroids=(apart, moved)) == 2 / 3
    from partwise.measures.centroids.centroid_indices import _unstable

    def count(x, y, z):
        return _unstable(*(np.array([v]) for v in (x, y, z)))

    assert count(2.0, 1.0, 4.0) == 0
    assert count(math.nextafter(2.0, 3), 1.0, 4.0) == 1
    assert count(math.nextafter(2.0, 1), 1.0, 4.0) == 0
    assert count(1 / 3, 1 / 9, 1.0) == (Fraction(1 / 3) ** 2 > Fraction(1 / 9))
    assert count(0.0, 0.0, 0.0) == count(0.0, 0.0, 1.0) == 0
    assert count(1e-200, 0.0, 1.0) == 1
    assert count(1e-200, 1e-300, 1e-99) == 0  # beyond the range of doubles
    assert count(1e-200, 1e-300, 1e-101) == 1


@measures
@pytest.mark.parametrize("factor", [1e-300, 1e-150, 1e150, 1e300])
def test_scale_changes_nothing(name, factor):
    rng = np.random.default_rng(4)
    a, b, features = rng.integers(0, 9, 60), rng.integers(0, 9, 60), rng.normal(size=(60, 2))
    value = getattr(pw, name)(a, b, features=features * factor)
    assert value == getattr(pw, name)(a, b, features=features)


@pytest.mark.one_backend
def test_many_clusters():
    """Ten thousand centroids a side, in a plane: no matrix of them, a moment each."""
    rng = np.random.default_rng(0)
    k = 10_000
    left = rng.normal(size=(k, 2))
    right = left + rng.normal(size=(k, 2)) * 0.01
    table = pw.contingency(np.arange(k), np.arange(k))
    orphans = pw.centroid_index(table, centroids=(left, right))
    assert 0 < orphans < k / 2
    assert 0.5 < pw.centroid_ratio(table, centroids=(left, right)) < 1
    share = pw.centroid_similarity_index(table, centroids=(left, left))
    assert share == 1.0


@pytest.mark.one_backend
@pytest.mark.parametrize("apart", [0.0, 1.0])
def test_points_that_coincide_take_no_quadratic_memory(apart):
    k = 3000  # two sides of 3000 x 3000 indices would be 144 MB
    sides = np.zeros((k, 2)), np.full((k, 2), apart)
    table = pw.contingency(np.arange(k) // 2 * 2 + np.arange(k) % 2, np.arange(k))
    tracemalloc.start()
    try:
        value = pw.centroid_ratio(table, centroids=sides)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert value == (1.0 if apart == 0 else 0.0)
    assert peak < 20e6
    assert search.greedy_pairs(*sides).tied
