"""Weights, multiplicities, features, groups, centroids and starts that bring an index."""

import pytest

import partwise as pw

pd = pytest.importorskip("pandas")

INDEX = list("abcd")
REFERENCE = pd.Series([0, 0, 1, 1], INDEX)
CANDIDATE = pd.Series([0, 1, 1, 1], INDEX)
SHUFFLED = list("bdac")
SIDES = {
    "series": (REFERENCE, CANDIDATE),
    "mapping": (dict(REFERENCE), dict(CANDIDATE)),
    "ids": tuple(pw.Clustering(x.to_numpy(), items=x.index) for x in (REFERENCE, CANDIDATE)),
    "candidate only": (REFERENCE.tolist(), CANDIDATE),
    "frames": (REFERENCE.to_frame(), CANDIDATE.to_frame()),
}
VALUES = {"a": 1, "b": 10, "c": 2, "d": 5}
ROWS = pd.DataFrame({"x": pd.Series(VALUES), "y": pd.Series([0.0, 1, 7, 4], INDEX)})


def with_weights(sides, values):
    return pw.purity(*sides, weights=values)


def with_multiplicity(sides, values):
    return pw.rand_index(*sides, multiplicity=values)


def with_features(sides, values):
    return pw.css_distance(*sides, features=values)


def with_groups(sides, values):
    return pw.align(*sides, groups=values).groups.tolist()


def bootstrapped_by_groups(sides, values):
    options = {"by": "groups", "crossing": "split", "draws": 9, "seed": 1}
    found = pw.bootstrap(*sides, measure="ri", groups=values, **options)
    return str(found)


COLUMN, GROUPS = pd.Series(VALUES), pd.Series(dict(zip(INDEX, "xyxz", strict=True)))
COMPANIONS = {
    with_weights: COLUMN,
    with_multiplicity: COLUMN,
    with_features: ROWS,
    with_groups: GROUPS,
    bootstrapped_by_groups: GROUPS,
}
ALL = [(sides, use) for sides in SIDES for use in COMPANIONS]


@pytest.mark.parametrize(("sides", "use"), ALL)
def test_the_same_index_in_another_order_is_put_in_order(sides, use):
    values = COMPANIONS[use]
    wanted = use(SIDES[sides], values.to_numpy())
    assert use(SIDES[sides], values) == wanted
    assert use(SIDES[sides], values.loc[SHUFFLED]) == wanted


def changed(values):
    longer = pd.concat([values, values.iloc[:1].set_axis(["e"])])
    return {
        "shorter": (values.iloc[:3], "has no value for item 'd'"),
        "longer": (longer, "has a value for item 'e'"),
        "another": (values.set_axis(list("abce")), "has no value for item 'd'"),
        "doubled": (values.set_axis(list("aacd")), "has 'a' twice in its index"),
    }


@pytest.mark.parametrize("change", ["shorter", "longer", "another", "doubled"])
@pytest.mark.parametrize(("sides", "use"), ALL)
def test_another_index_is_refused(sides, use, change):
    values, sentence = changed(COMPANIONS[use])[change]
    with pytest.raises(ValueError, match=f"{sentence}.*to_numpy"):
        use(SIDES[sides], values)


def test_an_index_that_nobody_set_says_nothing_beside_ids_of_their_own():
    values = pd.Series([1, 10, 2, 5])
    for sides in (SIDES["mapping"], (REFERENCE.tolist(), CANDIDATE.tolist())):
        assert with_weights(sides, values) == with_weights(sides, COLUMN.to_numpy())


def test_an_index_that_may_be_positions_or_ids_is_refused():
    ids = [2, 0, 3, 1]
    sides = tuple(pw.Clustering(x.to_numpy(), items=ids) for x in (REFERENCE, CANDIDATE))
    with pytest.raises(ValueError, match="positions of the items or the ids"):
        with_weights(sides, pd.Series([1, 10, 2, 5]))
    by_item = pd.Series([1, 10, 2, 5], index=[0, 1, 3, 2])
    assert with_weights(sides, by_item) == with_weights(sides, by_item.loc[ids].to_numpy())


def test_positions_in_another_order_beside_plain_labels_are_refused():
    plain = REFERENCE.tolist(), CANDIDATE.tolist()
    with pytest.raises(ValueError, match=r"index \[2, 0, 1\] .* another order.*sort_index"):
        with_weights(plain, pd.Series([1, 10, 2, 5], index=[2, 0, 1, 3]))
    named = pd.Series([1, 10, 2, 5], index=list("wxyz"))
    assert with_weights(plain, named) == with_weights(plain, named.to_numpy())


def test_values_for_items_of_both_sides():
    reference, candidate = {"a": 0, "b": 0}, {"b": 1, "c": 1}
    weights = pd.Series({"c": 4.0, "a": 1.0, "b": 2.0})
    options = {"unmatched": "singletons"}
    found = pw.purity(reference, candidate, weights=weights, **options)
    assert found == pw.purity(reference, candidate, weights=weights.to_dict(), **options)


def test_polars_columns_have_no_index():
    pl = pytest.importorskip("polars")
    values = pl.Series(list(VALUES.values()))
    for sides in SIDES.values():
        assert with_weights(sides, values) == with_weights(sides, COLUMN.to_numpy())


def test_centroids_follow_the_labels_of_the_clusters():
    rows = pd.DataFrame({"x": [5.0, 0.0], "y": [1.0, 2.0]}, index=[1, 0])
    ordered = rows.sort_index().to_numpy()
    for sides in (SIDES["series"], SIDES["mapping"]):
        found = pw.centroid_ratio(*sides, centroids=(rows, ordered))
        assert found == pw.centroid_ratio(*sides, centroids=(ordered, ordered))
    with pytest.raises(ValueError, match=r"reference centroids.* has no value for item 0"):
        pw.centroid_index(*SIDES["series"], centroids=(rows.set_axis([1, 2]), ordered))


def test_centroids_of_one_clustering():
    found = pw.centroids(REFERENCE, ROWS.loc[SHUFFLED], weights=COLUMN.loc[SHUFFLED])
    wanted = pw.centroids(REFERENCE, ROWS.to_numpy(), weights=COLUMN.to_numpy())
    assert found.tolist() == wanted.tolist()


EDGES = [(0, 1, 0.9), (1, 2, 0.5)]
NAMED_EDGES = [("a", "b", 0.9), ("b", "c", 0.5)]


@pytest.mark.parametrize("sides", ["series", "mapping"])
def test_start_and_nested_levels_follow_the_reference(sides):
    reference = SIDES[sides][0]
    edges = EDGES if sides == "series" else NAMED_EDGES
    start = pd.Series([0, 1, 2, 2], INDEX)
    options = {"scores": "similarity", "measures": "ri"}
    plain = pw.sweep(reference, edges, start=start, **options)
    turned = pw.sweep(reference, edges, start=start.loc[SHUFFLED], **options)
    assert plain["rand_index"].tolist() == turned["rand_index"].tolist()
    levels = pd.DataFrame({"fine": [0, 1, 2, 2], "coarse": [0, 0, 1, 1]}, index=INDEX)
    nested = [
        pw.sweep(reference, frame, kind="nested", measures="ri")["rand_index"].tolist()
        for frame in (levels, levels.loc[SHUFFLED])
    ]
    assert nested[0] == nested[1]
    assert nested[0][-1] == 1.0
    for wrong in (start.iloc[:3], start.set_axis(list("abce"))):
        with pytest.raises(ValueError, match=r"start.*has no value for item 'd'"):
            pw.sweep(reference, edges, start=wrong, **options)


def test_groups_of_a_sweep_follow_the_reference():
    options = {"scores": "similarity", "measures": "ri"}
    found = [
        pw.sweep(REFERENCE, EDGES, groups=groups, **options)
        for groups in (GROUPS, GROUPS.loc[SHUFFLED])
    ]
    assert str(found[0]) == str(found[1])
    assert found[0].groups.tolist() == found[1].groups.tolist() == GROUPS.tolist()


def test_groups_beside_an_alignment():
    by_item = pw.align(*SIDES["mapping"])
    found = bootstrapped_by_groups((by_item,), GROUPS.loc[SHUFFLED])
    assert found == bootstrapped_by_groups((by_item,), GROUPS)
    with pytest.raises(ValueError, match="groups has an index, which an Alignment by position"):
        bootstrapped_by_groups((pw.align(*SIDES["series"]),), GROUPS.loc[SHUFFLED])
