"""Weights, multiplicities, features, groups, centroids and starts that bring an index."""

import numpy as np
import pytest

import partwise as pw

pd = pytest.importorskip("pandas")

INDEX = list("abcd")
REFERENCE = pd.Series([0, 0, 1, 1], INDEX)
CANDIDATE = pd.Series([0, 1, 1, 1], INDEX)
SHUFFLED = list("bdac")
TURNED = CANDIDATE.loc[SHUFFLED]
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


@pytest.mark.parametrize(("sides", "use"), ALL)
def test_a_mapping_is_by_that_index(sides, use):
    values = COMPANIONS[use]
    listed = values.to_numpy().tolist()
    by_item = dict(zip(INDEX, listed, strict=True))
    turned = {item: by_item[item] for item in SHUFFLED}
    assert use(SIDES[sides], turned) == use(SIDES[sides], values.to_numpy())
    for wrong, item in (({**turned, "e": listed[0]}, "e"), ({"a": listed[0]}, "b")):
        with pytest.raises(ValueError, match=rf"(has a|has no) value for item '{item}'"):
            use(SIDES[sides], wrong)


def test_a_mapping_by_an_index_of_numbers_or_of_items_that_come_twice():
    rows = pd.DataFrame({"a": REFERENCE.tolist(), "b": CANDIDATE.tolist(), "w": [1, 10, 2, 5]})
    turned = rows.iloc[[2, 0, 3, 1]]
    wanted = pw.purity(rows.a, rows.b, weights=rows.w)
    assert pw.purity(rows.a, rows.b, weights=rows.w.to_dict()) == wanted
    assert pw.purity(turned.a, turned.b, weights=turned.w.to_dict()) == wanted
    assert pw.purity(turned.a, turned.b, weights=turned.w) == wanted
    doubled = rows.set_axis([7, 8, 8, 9])
    with pytest.raises(ValueError, match="the index of the reference has 8 twice"):
        pw.purity(doubled.a, doubled.b, weights=doubled.w.to_dict())


DRAWS = pd.DataFrame({"x": [0, 0, 1, 2], "y": [0, 1, 1, 1], "z": [0, 0, 0, 1]})
TIMES = pd.Series([7, 2, 1], list("xyz"))


@pytest.mark.parametrize(
    "use",
    [
        lambda weights: pw.expected_loss(DRAWS.x, DRAWS, weights=weights),
        lambda weights: pw.similarity_matrix(DRAWS, weights=weights).tolist(),
        lambda weights: pw.majority_vote(DRAWS, weights=weights).shares.tolist(),
        lambda weights: pw.element_consistency(DRAWS, weights=weights).tolist(),
    ],
)
def test_weights_of_clusterings_go_by_their_names(use):
    wanted = use([7, 2, 1])
    turned = TIMES[::-1]
    for weights in (TIMES, turned, dict(turned), turned.to_frame(), TIMES.set_axis(range(3))):
        assert use(weights) == wanted
    with pytest.raises(ValueError, match=r"weights has shape \(4, 3\)"):
        use(DRAWS.set_axis(INDEX))
    for wrong, message in (
        ({"x": 1, "y": 2}, "has no value for (draw|clustering) 'z'"),
        (TIMES.set_axis(list("xyw")), r"has a value for .* 'w', .* or pass weights.to_numpy"),
        (TIMES.set_axis(list("xyy")), "names (draw|clustering) 'y' twice"),
    ):
        with pytest.raises(ValueError, match=message):
            use(wrong)


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


def test_levels_start_and_groups_have_one_order_beside_labels_by_position():
    labels = REFERENCE.to_numpy()
    fine, coarse = pd.Series([0, 1, 2, 2], INDEX), pd.Series([0, 0, 1, 1], INDEX)
    options = {"measures": "ri", "groups": GROUPS.loc[SHUFFLED]}
    nested = [
        pw.sweep(labels, levels, kind="nested", **options)
        for levels in (
            [fine, coarse],
            [fine, coarse.loc[SHUFFLED]],
            [fine.to_numpy(), fine, coarse.loc[SHUFFLED]],
        )
    ]
    for found in nested:
        assert found["rand_index"].tolist()[-2:] == nested[0]["rand_index"].tolist()
        assert found.groups.tolist() == GROUPS.tolist()
    found = pw.sweep(labels, EDGES, scores="similarity", start=fine, **options)
    assert found.groups.tolist() == GROUPS.tolist()
    with pytest.raises(ValueError, match="clustering 1, taken by its index, has no value for"):
        pw.sweep(labels, [fine, coarse.set_axis(list("abce"))], kind="nested")


def test_groups_beside_an_alignment():
    by_item = pw.align(*SIDES["mapping"])
    found = bootstrapped_by_groups((by_item,), GROUPS.loc[SHUFFLED])
    assert found == bootstrapped_by_groups((by_item,), GROUPS)
    with pytest.raises(ValueError, match="groups has an index, which an Alignment by position"):
        bootstrapped_by_groups((pw.align(*SIDES["series"]),), GROUPS.loc[SHUFFLED])


# ---- orders that mean nothing, or that are not the same ------------------------------------

SETS = [{"a", "b"}, {"c", "d"}]


@pytest.mark.parametrize(
    "call",
    [
        lambda sets, by_item: pw.purity(sets, by_item, weights=[1, 2, 3, 4]),
        lambda sets, by_item: pw.purity(sets, by_item, multiplicity=np.array([1, 2, 3, 4])),
        lambda sets, by_item: pw.align(sets, by_item, features=np.eye(4)),
        lambda sets, by_item: pw.align(sets, by_item, groups=[0, 0, 1, 1]),
        lambda sets, by_item: pw.align(sets, by_item, groups=pd.Series([0, 0, 1, 1])),
        lambda sets, by_item: pw.sweep(sets, [[0, 0, 1, 1]], kind="nested"),
        lambda sets, by_item: pw.sweep(
            sets, [[0, 1, 1.0, 2], [2, 3, 1.0, 2], [4, 5, 2.0, 4]], kind="linkage"
        ),
        lambda sets, by_item: pw.centroids(sets, np.eye(4)),
    ],
)
@pytest.mark.parametrize("kind", [set, frozenset])
def test_sets_have_no_order_that_a_position_could_mean(call, kind):
    by_item = dict(zip("abcd", [0, 1, 1, 1], strict=True))
    with pytest.raises(ValueError, match="came as sets, whose items have no"):
        call([kind(x) for x in SETS], by_item)
    call(pw.Clustering.from_clusters([sorted(x) for x in SETS]), by_item)


def test_sets_and_values_by_item():
    by_item, weights = (
        dict(zip("abcd", "xyyy", strict=True)),
        dict(zip("abcd", range(4), strict=True)),
    )
    wanted = pw.purity(dict(zip("abcd", "ppqq", strict=True)), by_item, weights=weights)
    assert pw.purity(SETS, by_item, weights=weights) == wanted
    lone = [{x} for x in "abcd"]  # in their own order
    assert pw.purity(lone, by_item, weights=[0, 1, 2, 3]) == pw.purity(
        lone, by_item, weights=weights
    )


@pytest.mark.parametrize("moved", [[1, 0, 2], [2, 1, 0]])
def test_series_of_one_call_have_one_index(moved):
    rows, cols, counts = pd.Series(list("xxy")), pd.Series([1, 2, 2]), pd.Series([5, 1, 9])
    wanted = pw.rand_index(pw.Contingency.from_counts(rows, cols, counts))
    assert pw.rand_index(pw.Contingency.from_counts(rows, cols, counts.to_numpy())) == wanted
    for columns in ((rows, cols.iloc[moved], counts), (rows, cols, counts.iloc[moved])):
        with pytest.raises(ValueError, match="have different pandas indexes"):
            pw.Contingency.from_counts(*columns)
    with pytest.raises(ValueError, match="labels and items have different pandas indexes"):
        pw.Clustering(rows, items=cols.iloc[moved])
    with pytest.raises(ValueError, match="items and scores have different pandas indexes"):
        pw.sweep([0, 1, 1], (cols - 1, cols - 1, counts.iloc[moved]), scores="similarity")
    for membership in (pd.get_dummies(rows), pd.Series([0, 0, 1])):
        turned = pw.Clustering.from_membership(membership.iloc[moved])
        with pytest.raises(ValueError, match="are Series with different indexes"):
            pw.rand_index(turned, rows)
        assert pw.rand_index(pw.Clustering.from_membership(membership), rows) == 1.0


@pytest.mark.parametrize(
    "call",
    [
        lambda: pw.paired_test(
            [0, 0, 1, 1], CANDIDATE, TURNED, measure="rand_index", draws=9, seed=1
        ),
        lambda: pw.paired_test(
            [0, 0, 1, 1], CANDIDATE, TURNED, measure="ri", groups=[0] * 4, draws=9, seed=1
        ),
        lambda: pw.score_many([0, 0, 1, 1], {"x": CANDIDATE, "y": TURNED}, "rand_index"),
        lambda: pw.score_many(
            [0, 0, 1, 1], [[0, 0, 1, 1], CANDIDATE, [1, 1, 1, 1], TURNED], "purity"
        ),
        lambda: pw.align([0, 0, 1, 1], [0, 1, 1, 1], weights=COLUMN, groups=TURNED),
        lambda: pw.align([0, 0, 1, 1], [0, 1, 1, 1], weights=COLUMN, features=ROWS.iloc[::-1]),
        lambda: pw.purity([0, 0, 1, 1], [0, 1, 1, 1], weights=COLUMN, multiplicity=TURNED),
        lambda: pw.align(
            [0, 0, 1, 1], [0, 1, 1, 1], weights=COLUMN, groups=pw.Clustering(TURNED)
        ),
        lambda: pw.centroids([0, 0, 1, 1], ROWS, weights=COLUMN.loc[SHUFFLED]),
    ],
)
def test_columns_beside_labels_by_position_have_one_index(call):
    with pytest.raises(ValueError, match="have different pandas indexes; put them in one"):
        call()


def test_groups_of_a_clustering_keep_its_index():
    groups = pw.align(REFERENCE, CANDIDATE, groups=pw.Clustering(GROUPS.loc[SHUFFLED])).groups
    assert groups.tolist() == GROUPS.tolist()


def test_features_beside_memberships_follow_the_index():
    soft = pd.DataFrame([[1, 0], [1, 0], [0.5, 0.5], [0, 1]], index=INDEX)
    wanted = pw.css_distance(soft.to_numpy(), CANDIDATE.to_numpy(), features=ROWS.to_numpy())
    turned = ROWS.loc[SHUFFLED]
    for sides in (
        (soft, CANDIDATE),
        (soft.to_numpy(), CANDIDATE),
        (soft, pw.Clustering(CANDIDATE.to_numpy())),
        (soft.to_numpy(), pw.Clustering(CANDIDATE)),
    ):
        assert pw.css_distance(*sides, features=turned) == wanted
    with pytest.raises(ValueError, match="features, taken by its index, has no value for item"):
        pw.css_distance(soft, CANDIDATE, features=ROWS.set_axis(list("abce")))


@pytest.mark.parametrize("ids", [list("3102"), [3, 1, 0, 2], ["2", "0", "1", "3"]])
def test_a_default_index_beside_ids_that_look_like_it(ids):
    by_item = dict(zip(ids, [0, 0, 1, 1], strict=True))
    for name in ("weights", "multiplicity", "groups", "features"):
        with pytest.raises(ValueError, match="may be the positions of the items or the ids"):
            pw.align(by_item, by_item, **{name: pd.Series([1, 2, 3, 4])})
    ordered = dict(zip("0123", [0, 0, 1, 1], strict=True))
    weighted = pw.align(ordered, ordered, weights=pd.Series([1, 2, 3, 4])).weights
    assert weighted.tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize("index", [[3, 1, 0, 2], [1, 2, 3, 4], [10, 20, 30, 40]])
def test_edges_of_a_series_with_an_index_of_numbers(index):
    labels = pd.Series([0, 0, 1, 1], index)
    with pytest.raises(ValueError, match=r"pass Clustering\(series, items=series.index\)"):
        pw.sweep(labels, EDGES, scores="similarity")
    named = [(index[i], index[j], score) for i, j, score in EDGES]
    by_index = pw.sweep(pw.Clustering(labels, items=labels.index), named, scores="similarity")
    assert str(by_index) == str(pw.sweep(labels.to_numpy(), EDGES, scores="similarity"))


def test_frames_of_edges_with_more_columns():
    frame = pd.DataFrame(EDGES, columns=["source", "target", "weight"])
    options = {"scores": "similarity", "measures": "ri"}
    wanted = pw.sweep([0, 0, 1], frame, **options)["rand_index"].tolist()
    more = frame.assign(n=7)[["n", "weight", "target", "source"]]
    assert pw.sweep([0, 0, 1], more, **options)["rand_index"].tolist() == wanted
    for unclear in (
        frame.rename(columns={"source": "s"}).reset_index(),
        frame.assign(score=0.0),
        frame.assign(u=0, v=0),
    ):
        with pytest.raises(ValueError, match=r"pass the three that are meant"):
            pw.sweep([0, 0, 1], unclear, **options)
    levels = pd.DataFrame({"id": [4, 5, 6], "level": [0, 0, 1]})
    with pytest.raises(ValueError, match="'id' is a name of item ids"):
        pw.sweep([0, 0, 1], levels, kind="nested")


def test_clusterings_of_other_objects():
    with pytest.raises(TypeError, match=r"a list is no mapping.*dict\(pairs\)"):
        pw.Clustering.from_mapping([("a", 1)])
    with pytest.raises(TypeError, match=r"a Series is no mapping.*items=series.index"):
        pw.Clustering.from_mapping(COLUMN)
    made = pw.Clustering.from_clusters({"x": ["a", "b"], "y": ["c"]})
    assert made.clusters() == {"x": ["a", "b"], "y": ["c"]}
    for call in (
        pw.Clustering.from_clusters,
        lambda edges: pw.sweep([0], edges, scores="distance"),
    ):
        with pytest.raises(
            ValueError, match="with nothing left in it, perhaps because it was read before"
        ):
            call(iter([]))
    sparse = pytest.importorskip("scipy.sparse")
    one_hot = sparse.csr_matrix(np.eye(3)[[2, 0, 2]])
    assert pw.Clustering.from_membership(one_hot).labels.tolist() == [2, 0, 2]
    for wrong in (np.eye(3) * 2, np.ones((2, 2)), np.zeros((2, 2))):
        with pytest.raises(ValueError, match="membership row 0 is not one-hot"):
            pw.Clustering.from_membership(sparse.csr_matrix(wrong))


def test_companions_as_frames_of_one_column_and_iterators():
    for name in ("weights", "multiplicity", "groups"):
        plain = pw.align(REFERENCE, CANDIDATE, **{name: COLUMN})
        framed = pw.align(REFERENCE, CANDIDATE, **{name: COLUMN.loc[SHUFFLED].to_frame()})
        assert pw.purity(plain) == pw.purity(framed)
        for held in ("weights", "multiplicity"):
            assert str(getattr(plain, held)) == str(getattr(framed, held))
    by_item = dict(REFERENCE)
    wanted = pw.purity(by_item, dict(CANDIDATE), weights=dict(COLUMN))
    assert pw.purity(by_item, dict(CANDIDATE), weights=COLUMN.to_frame()) == wanted
    values = COLUMN.tolist()
    assert pw.purity(REFERENCE, CANDIDATE, weights=iter(values)) == wanted
    with pytest.raises(ValueError, match="weights is a list_iterator with nothing left"):
        pw.purity(REFERENCE, CANDIDATE, weights=iter([]))


@pytest.mark.parametrize("ids", [[4, 3, 2, 1], list("2413"), [2, 1, 3, 4]])
def test_a_default_index_beside_ids_that_number_from_one(ids):
    by_item = dict(zip(ids, [0, 0, 1, 1], strict=True))
    values = pd.Series([1, 2, 3, 4])
    for name in ("weights", "multiplicity", "groups", "features"):
        with pytest.raises(ValueError, match="may be the positions of the items or the ids"):
            pw.align(by_item, by_item, **{name: values})
    for plain in ([1, 2, 3, 4], [503, 17, 220, 18]):  # in order, or no numbering
        other = dict(zip(plain, [0, 0, 1, 1], strict=True))
        assert pw.align(other, other, weights=values).weights.tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize("name", ["weights", "multiplicity", "groups", "features"])
def test_values_by_item_of_items_that_neither_side_has(name):
    for sides, more in (
        (SIDES["mapping"], VALUES | {"e": 3}),
        (([0, 0, 1, 1], [0, 1, 1, 1]), dict(enumerate([1, 2, 3, 4, 5]))),
    ):
        with pytest.raises(ValueError, match=r"has a value for item .* \(1 such items\)"):
            pw.align(*sides, **{name: more})
    # where items are dropped, values of items of other comparisons may be there
    more, other = VALUES | {"e": 3, "f": 1}, {"b": 0, "c": 1, "d": 1, "e": 1}
    dropped = pw.align(dict(REFERENCE), other, unmatched="drop", **{name: more})
    assert dropped.n_items == 3
    if name == "groups":
        plain = pw.align(dict(REFERENCE), other, unmatched="drop")
        assert bootstrapped_by_groups((plain,), more) == bootstrapped_by_groups(
            (dropped,), None
        )
        with pytest.raises(ValueError, match="'e', which is not in the Alignment"):
            bootstrapped_by_groups((pw.align(*SIDES["mapping"]),), more)
    if name == "weights":
        candidates = [dict(CANDIDATE), other]
        one_by_one = [
            pw.purity(dict(REFERENCE), x, unmatched="drop", weights=more) for x in candidates
        ]
        scored = pw.score_many(
            dict(REFERENCE), candidates, "purity", unmatched="drop", weights=more
        )
        assert scored["purity"].tolist() == one_by_one


@pytest.mark.parametrize(
    "form",
    [
        lambda x: x.reshape(-1, 1),
        lambda x: np.ma.masked_array(x.reshape(-1, 1)),
        lambda x: x.astype([("value", x.dtype)]),
    ],
)
def test_one_column_of_values_in_two_dimensions(form):
    values = np.array([1, 10, 2, 5])
    for name in ("weights", "multiplicity", "groups"):
        plain, wide = (
            pw.align([0, 0, 1, 1], [0, 1, 1, 1], **{name: x}) for x in (values, form(values))
        )
        assert str(getattr(plain, name)) == str(getattr(wide, name))
    with pytest.raises(ValueError, match=r"weights has shape \(4, 2\)"):
        pw.align([0, 0, 1, 1], [0, 1, 1, 1], weights=np.ones((4, 2)))


def test_features_that_nothing_would_look_at():
    sides, rows = ([0, 0, 1, 1], [0, 1, 1, 1]), np.arange(4.0)
    for call in (
        lambda: pw.adjusted_rand_index(*sides, features=rows),
        lambda: pw.compare(*sides, measures="ari, nmi", features=rows),
        lambda: pw.score_many(sides[0], [sides[1]], "purity", features=rows),
        lambda: pw.pairwise(sides, "vi", features=rows),
    ):
        with pytest.raises(TypeError, match=r"(has a|has no) use for features="):
            call()
    centroids = [[0.0], [1.0]], [[0.0], [1.0]]
    for measure in (pw.css_distance, pw.centroid_index):
        measure(*sides, centroids=centroids)
        with pytest.raises(TypeError, match=r"takes centroids= in place of features="):
            measure(*sides, centroids=centroids, features=rows)


@pytest.mark.parametrize("order", [[2, 0, 1], [2, 1, 0], [0, 2, 1]])
def test_edges_by_name_in_any_order(order):
    frame = pd.DataFrame([(0, 1, 2), (1, 2, 1)], columns=["src", "dst", "score"])
    wanted = pw.sweep([0, 0, 1], frame, scores="similarity", measures="ri")
    moved = frame.iloc[:, order]
    assert str(pw.sweep([0, 0, 1], moved, scores="similarity", measures="ri")) == str(wanted)


def test_a_linkage_takes_no_similarities():
    linkage = np.array([[0, 1, 0.5, 2], [2, 3, 1.0, 3]])
    with pytest.raises(ValueError, match="a linkage has distances; leave scores out"):
        pw.sweep([0, 0, 1], linkage, scores="similarity")
    with pytest.raises(ValueError, match=r"pass array.T for a clustering a row"):
        pw.sweep([0, 0, 1], np.array([[0, 1, 2], [0, 0, 1]]), kind="nested")


def test_the_interval_of_a_measure_is_that_of_its_best_state():
    curve = pw.sweep([0, 0, 1], [(0, 1, 2.0)], scores="similarity", measures="ri")
    with pytest.raises(TypeError, match=r"takes the number of a state, not 'ri'"):
        curve.interval("ri")
    best = curve.best("ri")
    assert curve.interval(best.state) == (best.low, best.high)


def test_one_column_of_counts_ids_and_edges():
    rows, counts = np.array(list("xxy")), np.array([5, 1, 9])
    wanted = pw.rand_index(pw.Contingency.from_counts(rows, [1, 2, 2], counts))
    wide = pw.Contingency.from_counts(rows[:, None], [1, 2, 2], counts[:, None])
    assert pw.rand_index(wide) == wanted
    framed = pw.Clustering(pd.DataFrame({"label": [0, 1]}), items=pd.DataFrame({"id": [7, 8]}))
    assert framed.clusters() == {0: [7], 1: [8]}
    records = np.array(
        [(2.0, 0, 1), (1.0, 1, 2)], dtype=[("score", float), ("u", int), ("v", int)]
    )
    plain = [(0, 1, 2.0), (1, 2, 1.0)]
    options = {"scores": "similarity", "measures": "ri"}
    assert str(pw.sweep([0, 0, 1], records, **options)) == str(
        pw.sweep([0, 0, 1], plain, **options)
    )


# ---- items that are times, or tuples that lack something ---------------------------


def time_keys(times):
    """Return keys of each library for days of NumPy in any unit."""
    keys = {"NumPy": list(times), "ns": list(times.astype("M8[ns]"))}
    keys |= {"Python": times.astype("M8[us]").tolist(), "days": times.astype("M8[D]").tolist()}
    pd = pytest.importorskip("pandas")
    return keys | {"pandas": list(pd.DatetimeIndex(times))}


@pytest.mark.parametrize("unit", ["D", "s", "us", "ns"])
def test_values_by_time(unit):
    pd = pytest.importorskip("pandas")
    times = np.array(["2020-01-01", "2020-01-02", "2020-01-03"], f"M8[{unit}]")
    own = pw.Clustering([0, 0, 1], items=times)
    for keys in time_keys(times).values():
        turned = dict(zip(keys[::-1], [3.0, 2.0, 1.0], strict=True))
        found = pw.align(own, own, weights=turned, features=turned, groups=turned)
        assert found.weights.tolist() == [1, 2, 3]
        assert found.features.tolist() == [[1], [2], [3]]
        assert found.groups.tolist() == [1, 2, 3]
        by_clustering = pw.Clustering([3, 2, 1], items=keys[::-1])
        assert pw.align(own, own, groups=by_clustering).groups.tolist() == [1, 2, 3]
        options = {"measure": "rand_index", "draws": 20, "seed": 1, "crossing": "split"}
        by_position = pw.bootstrap(pw.align(own, own), groups=[1, 2, 3], **options)
        assert pw.bootstrap(pw.align(own, own), groups=turned, **options) == by_position
        series = pd.Series(turned)
        assert pw.align(own, own, weights=series).weights.tolist() == [1, 2, 3]
        with pytest.raises(ValueError, match=r"weights has no value for item .*2020-01-02"):
            pw.align(own, own, weights={keys[0]: 1.0})
        with pytest.raises(ValueError, match=r"weights has a value for item .*2021"):
            pw.align(own, own, weights={**turned, np.datetime64("2021"): 1})
    with pytest.raises(ValueError, match="value for item 1"):  # ticks are no times
        pw.align(
            own, own, weights=dict(zip(times.view(np.int64).tolist(), [1, 2, 3], strict=True))
        )


@pytest.mark.parametrize("unit", ["D", "s", "us", "ns"])
def test_edges_that_name_times(unit):
    times = np.array(["2020-01-01", "2020-01-02", "2020-01-03"], f"M8[{unit}]")
    own = pw.Clustering([0, 0, 1], items=times)
    options = {"scores": "similarity", "measures": ["rand_index"]}
    sample = pw.Clustering([0, 0], items=times[:2])
    for a, b, c in time_keys(times).values():
        edges = [(a, b, 0.9), (b, c, 0.5)]
        for form in (edges, tuple(map(list, zip(*edges, strict=True)))):
            curve = pw.sweep(own, form, **options)
            assert curve["rand_index"].round(3).tolist() == [0.667, 1.0, 0.333]
            part = pw.sweep(sample, form, unlabelled="ignore", **options)
            assert part["rand_index"].tolist() == [0, 1, 1]
    columns = times[:2], times[1:], np.array([0.9, 0.5])
    assert pw.sweep(own, columns, **options)["rand_index"][1] == 1
    tick = int(times.view(np.int64)[0])
    with pytest.raises(ValueError, match=f"edge 0 names item {tick}, which the reference does"):
        pw.sweep(own, [(tick, tick + 1, 0.9)], **options)
    with pytest.raises(ValueError, match=r"edge 0 names item .*2021.*, which the reference"):
        pw.sweep(own, [(np.datetime64("2021"), times[0], 0.9)], **options)


def test_pairs_and_edges_of_times_keep_unit_and_zone():
    pd, pl = map(pytest.importorskip, ("pandas", "polars"))
    times = np.array([1, 2, 3], "M8[ns]")
    frame = pd.DataFrame({"a": times[:2], "b": times[1:]})
    for pairs in ((times[:2], times[1:]), frame, pl.DataFrame(frame)):
        assert pw.Clustering.from_pairs(pairs).items.dtype == times.dtype
        assert np.array_equal(pw.Clustering.from_pairs(pairs, items=times).items, times)
    zoned = pl.Series(times.view("M8[us]")).dt.replace_time_zone("Europe/Berlin")
    edges = pl.DataFrame({"a": zoned[:2], "b": zoned[1:], "score": [0.9, 0.5]})
    own = pw.Clustering([0, 0, 1], items=zoned)
    naive = pw.Clustering([0, 0, 1], items=zoned.dt.replace_time_zone(None))
    for form in (edges, edges.to_arrow(), edges.to_pandas()):
        curve = pw.sweep(own, form, scores="similarity", measures=["rand_index"])
        assert curve["rand_index"][1] == 1
        with pytest.raises(ValueError, match="which the reference does not have"):
            pw.sweep(naive, form, scores="similarity", measures=["rand_index"])
    pairs = edges[["a", "b"]]
    for form in (pairs, pairs.to_arrow()):
        assert pw.Clustering.from_pairs(form, items=zoned).n_clusters == 1


def test_values_by_items_that_lack_parts():
    own = pw.Clustering([0, 1], items=[(1, float("nan")), (2, 0.5)])
    weights = {(2, 0.5): 2.0, (1, float("nan")): 1.0}
    assert pw.align(own, own, weights=weights).weights.tolist() == [1, 2]
    with pytest.raises(
        ValueError, match=r"names one item twice, as \(1, nan\) and as \(1, None"
    ):
        pw.align(own, own, weights={**weights, (1, None): 3.0})
