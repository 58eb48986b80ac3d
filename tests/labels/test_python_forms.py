"""Objects of Python and of other libraries: one reading, or a refusal that says what works."""

import math
import warnings

import numpy as np
import pytest

import partwise as pw

SETS = [{1, 2}, {3}]
OTHER = [{1, 2, 3}]
VALUE = 1 / 3


def generated():
    yield from SETS


class NodeClustering:
    """As cdlib has it."""

    def __init__(self, communities):
        self.communities = communities
        self.overlap = False


class Mapped(dict):
    """A mapping of one's own."""


def object_array_of(values):
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


FORMS = {
    "list of sets": lambda: SETS,
    "tuple of sets": lambda: tuple(SETS),
    "frozensets": lambda: [frozenset(x) for x in SETS],
    "generator": generated,
    "map": lambda: map(set, [(1, 2), (3,)]),
    "values of a dict": lambda: {"p": {1, 2}, "q": {3}}.values(),
    "dict of sets": lambda: {"p": {1, 2}, "q": {3}},
    "dict of frozensets": lambda: {"p": frozenset({1, 2}), "q": frozenset({3})},
    "keys of a dict": lambda: [dict.fromkeys([1, 2]).keys(), {3}],
    "item to label": lambda: {1: "p", 2: "p", 3: "q"},
    "mapping of one's own": lambda: Mapped({1: 0, 2: 0, 3: 1}),
    "set of frozensets": lambda: {frozenset({1, 2}), frozenset({3})},
    "object array of sets": lambda: object_array_of([{1, 2}, {3}]),
    "object array of frozensets": lambda: object_array_of([frozenset({1, 2}), frozenset({3})]),
    "cdlib": lambda: NodeClustering([[1, 2], [3]]),
    "from_clusters of lists": lambda: pw.Clustering.from_clusters([[1, 2], [3]]),
    "from_clusters of tuples": lambda: pw.Clustering.from_clusters(((1, 2), (3,))),
}


@pytest.mark.parametrize("name", FORMS)
def test_clusters_in_every_form(name):
    assert pw.rand_index(FORMS[name](), OTHER) == pytest.approx(VALUE)
    assert pw.rand_index(OTHER, FORMS[name]()) == pytest.approx(VALUE)
    table = pw.score_many(OTHER, {"x": FORMS[name]()}, "rand_index")
    assert table["rand_index"][0] == pytest.approx(VALUE)


def test_names_of_clusters_stay():
    table = pw.contingency({"p": {1, 2}, "q": {3}}, {1: 0, 2: 0, 3: 1})
    assert table.row_labels.tolist() == ["p", "q"]


def test_series_of_sets_are_clusters_by_name():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"label": ["p", "p", "q"], "item": [1, 2, 3]})
    for kind in (set, frozenset):
        column = frame.groupby("label")["item"].agg(kind)
        assert pw.rand_index(column, OTHER) == pytest.approx(VALUE)
        assert pw.contingency(column, OTHER).row_labels.tolist() == ["p", "q"]
        assert pw.rand_index(pd.Series(list(column), index=[0, 0]), OTHER) == pytest.approx(
            VALUE
        )


def named_by_pandas(name):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"label": [name, name, "q"], "item": [1, 2, 3]})
    return frame.groupby("label", dropna=False)["item"].agg(set)


NO_NAMES = {
    "None": lambda: {None: {1, 2}, "q": {3}},
    "NaN": lambda: {math.nan: {1, 2}, "q": {3}},
    "NaN beside numbers": lambda: {math.nan: {1, 2}, 7: {3}},
    "NumPy's NaN": lambda: {np.float64("nan"): {1, 2}, 7.5: {3}},
    "pandas": lambda: named_by_pandas(None),
    "from_clusters": lambda: pw.Clustering.from_clusters({"q": {3}, None: {1, 2}}),
}


@pytest.mark.parametrize("name", NO_NAMES)
def test_a_cluster_whose_name_is_missing_has_items_without_a_label(name):
    clusters = NO_NAMES[name]
    other = {1: 0, 2: 0, 3: 1}
    with pytest.raises(ValueError, match=r"missing labels: 2 in the reference.*at item 1"):
        pw.rand_index(clusters(), other)
    with pytest.raises(ValueError, match="missing labels: 2 in the candidate"):
        pw.align(other, clusters())
    assert pw.rand_index(clusters(), other, missing="cluster") == 1.0
    alone = pw.align(clusters(), other, missing="singletons")
    assert (len(pw.contingency(alone).row_labels), alone.account.reference.missing) == (3, 2)
    kept = pw.align(clusters(), other, missing="drop")
    assert (kept.n_items, kept.account.dropped) == (1, 2)


def test_where_no_cluster_has_a_name():
    with pytest.raises(ValueError, match="missing labels: 2 in the reference"):
        pw.purity({None: {1, 2}}, {"n": {1, 2}})
    assert pw.purity({None: {1, 2}}, {"n": {1, 2}}, missing="cluster") == 1.0
    assert pw.Clustering.from_clusters({None: {1}, "q": {2}}).clusters() == {"q": [2]}
    assert pw.rand_index({None: set(), "q": {1, 2}}, {"n": {1, 2}}) == 1.0  # nobody is in it


def test_every_reader_of_clusters_refuses_one_without_a_name():
    clusters = {None: {0, 1}, "q": {2}}
    with pytest.raises(ValueError, match="draw 'a' has no label"):
        pw.point_estimate({"a": clusters, "b": clusters}, seed=1)
    with pytest.raises(ValueError, match="level 0 has no label"):
        pw.Hierarchy.from_levels([clusters])
    with pytest.raises(ValueError, match=r"no cluster for 2 items.*at index 0"):
        pw.estimate_from_sample(clusters, [[0, 1]], weights="uniform")
    for key in (None, math.nan):
        with pytest.raises(ValueError, match=f"clusters has the key {key}, which stands for"):
            pw.Cover({"q": {2}, key: {0, 1}}, n_items=3)


def test_an_item_in_two_named_clusters():
    with pytest.raises(ValueError, match="item 2 in cluster 'q' and in cluster 'p'"):
        pw.rand_index({"q": {1, 2}, "p": {2, 3}}, OTHER)
    with pytest.raises(ValueError, match="in cluster 'q' and in a cluster without a name"):
        pw.rand_index({"q": {1, 2}, None: {2, 3}}, OTHER)


def test_polars_objects_that_are_sets_are_clusters():
    pl = pytest.importorskip("polars")
    column = pl.Series([frozenset({1, 2}), frozenset({3})], dtype=pl.Object)
    assert pw.rand_index(column, OTHER) == pytest.approx(VALUE)


def test_graph_is_not_read_as_its_nodes():
    nx = pytest.importorskip("networkx")
    with pytest.raises(TypeError, match=r"reference is a Graph.*communities"):
        pw.rand_index(nx.path_graph(3), [0, 0, 1])


def test_ranges_are_not_labels():
    ranges = [range(2), range(2, 3)]
    with pytest.raises(TypeError, match=r"range\(0, 2\) at index 0.*from_clusters"):
        pw.rand_index(ranges, [range(1), range(1, 3)])
    clusters = pw.Clustering.from_clusters(ranges)
    assert pw.rand_index(clusters, [{0, 1}, {2}]) == 1.0


def test_masked_among_labels_of_a_list_is_missing():
    labels = [np.ma.masked, 1, 1, 2]
    with pytest.raises(ValueError, match=r"missing labels: 1 in the reference.*index 0"):
        pw.rand_index(labels, [0, 0, 1, 1])
    expected = pw.rand_index([1, 1, 2], [0, 1, 1])
    assert pw.rand_index(labels, [0, 0, 1, 1], missing="drop") == expected


GOLD = [((0, 1), (4, 4)), ((7, 9),)]
TUPLES = np.empty(2, dtype=object)
TUPLES[:] = [(1, 2), (3,)]
REFUSED = {
    "array of tuples": (TUPLES, r"tuple \(1, 2\) at index 0.*labels or clusters"),
    "clusters of spans": (GOLD, "labels or clusters.*from_clusters.*Clustering"),
    "tuple of tuples": (((1, 2), (3,)), r"tuple \(1, 2\) at index 0.*from_clusters"),
    "tuples of one length": ([(1, 2), (3, 4)], "labels or clusters"),
    "tuples by name": ({"p": (1, 2), "q": (3,)}, "key 'p'.*labels or clusters"),
    "overlapping ragged tuples": ([(1, 2), (2,)], "labels or clusters"),
    "list of lists": ([["a", "b"], ["c"]], "list at index 0.*list of sets.*from_clusters"),
    "arrays by name": (
        {"p": np.array([1, 2]), "q": np.array([3])},
        r"reference maps 'p' to an ndarray.*set\(items\)",
    ),
    "lists by name": ({"p": [1, 2], "q": [3]}, r"maps 'p' to a list.*set\(items\)"),
    "sets and labels": ({"p": {1, 2}, "q": 3}, "maps 'p' to a set but 'q' to a int"),
    "set and list": ([{1, 2}, [3]], "starts with a set but has a list at index 1"),
    "clusterings": ([({1}, {2}), ({1, 2},)], "clustering itself; pass one"),
    "one set": ({1, 2}, "no item order"),
    "text": ("aab", "pass one label per item"),
    "covers": ([{1, 2}, {2, 3}], "item 2 in cluster 0 and in cluster 1"),
    "overlapping cdlib": (
        NodeClustering([[1, 2], [2]]),
        "item 2 in cluster 0 and in cluster 1",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_two_readings_is_refused(name):
    values, sentence = REFUSED[name]
    with pytest.raises((TypeError, ValueError), match=sentence):
        pw.rand_index(values, [{1}, {2}, {3}])


@pytest.mark.parametrize(
    "labels",
    [
        [("a", 1), ("a", 1), ("b", 2)],
        [("a", 1), ("a", 2), ("b", 1)],
        [("a",), ("a",), ("b",)],
    ],
)
def test_tuples_that_can_only_be_labels_are_labels(labels):
    assert pw.rand_index(labels, [0, 1, 2]) == pw.rand_index(
        [str(label) for label in labels], [0, 1, 2]
    )


def test_a_clustering_of_labels_says_so_itself():
    labels = [(1, 2), (3, 4)]
    assert pw.rand_index(pw.Clustering(labels), pw.Clustering(labels)) == 1.0


@pytest.mark.parametrize("make", [generated, lambda: iter([0, 1]), lambda: map(int, "01")])
def test_an_iterator_is_read_once(make):
    values = make()
    pw.rand_index(values, [{1, 2}, {3}] if make is generated else [0, 1])
    for other in ([], [0, 1], SETS):
        with pytest.raises(ValueError, match=r"nothing left in it.*pass a list"):
            pw.rand_index(values, other)


def test_empty_collections_are_given_as_empty():
    assert pw.rand_index([], []) == 1.0
    assert pw.rand_index({}, {}) == 1.0


def test_networkx():
    nx = pytest.importorskip("networkx")
    graph = nx.karate_club_graph()
    community = nx.community
    other = [set(x) for x in community.louvain_communities(graph, seed=1)]
    parts = [set(x) for x in community.label_propagation_communities(graph)]
    wanted = pw.rand_index(parts, other)
    assert pw.rand_index(community.label_propagation_communities(graph), other) == wanted
    parts = community.asyn_lpa_communities(graph, seed=1)
    assert pw.rand_index(parts, list(community.asyn_lpa_communities(graph, seed=1))) == 1.0
    with pytest.raises(TypeError, match="clustering itself; pass one"):
        pw.rand_index(community.girvan_newman(graph), other)


def test_igraph():
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph.Famous("Zachary")
    tree = graph.community_fastgreedy()
    clusters = tree.as_clustering(3)
    assert pw.rand_index(clusters, clusters.membership) == 1.0
    other = graph.community_label_propagation()
    assert pw.variation_of_information(clusters, other) == pytest.approx(
        igraph.compare_communities(clusters, other, method="vi"), abs=1e-12
    )
    with pytest.raises(TypeError, match=r"as_clustering\(n\).*nested"):
        pw.rand_index(tree, clusters)
    levels = [tree.as_clustering(k) for k in (9, 4, 1)]
    found = pw.sweep(clusters, levels, kind="nested", measures="ri")["rand_index"]
    assert found[1] == pw.rand_index(clusters, levels[1])
    with pytest.raises(TypeError, match="clusters may overlap"):
        pw.rand_index(clusters.as_cover(), clusters)


FRAMES = {
    "pandas": lambda columns: pytest.importorskip("pandas").DataFrame(columns),
    "polars": lambda columns: pytest.importorskip("polars").DataFrame(columns),
    "pyarrow": lambda columns: pytest.importorskip("pyarrow").table(columns),
    "mapping": lambda columns: columns,
}
LEVELS = {"fine": [0, 1, 2, 3], "middle": [5, 5, 6, 7], "coarse": [1, 1, 1, 1]}


@pytest.mark.parametrize("name", FRAMES)
def test_nested_levels_in_a_frame(name):
    gold = [0, 0, 1, 1]
    found = pw.sweep(gold, FRAMES[name](LEVELS), kind="nested", measures="rand_index")
    wanted = [pw.rand_index(gold, level) for level in LEVELS.values()]
    assert found["rand_index"].tolist() == wanted


@pytest.mark.parametrize("name", ["pandas", "polars", "pyarrow"])
def test_a_frame_of_one_column_is_that_column(name):
    make = FRAMES[name]
    assert pw.rand_index(make({"x": [0, 0, 1]}), [5, 5, 6]) == 1.0
    assert pw.rand_index([5, 5, 6], make({"x": ["u", "u", "v"]})) == 1.0
    with pytest.raises((ValueError, TypeError), match="pass one column"):
        pw.rand_index(make({"x": [0], "y": [1]}), [5])
    with pytest.raises(ValueError, match="1 in the reference"):
        pw.rand_index(make({"x": [0, None, 1]}), [5, 5, 6])


NOTHING = {
    "all missing": (([None, None], [1, 2]), {"missing": "drop"}, "2 without a reference label"),
    "never both": (([None, 1], [1, None]), {"missing": "drop"}, 'missing="singletons"'),
    "no common item": (({"a": 1}, {"b": 1}), {"unmatched": "drop"}, 'unmatched="singletons"'),
    "one side empty": (
        ({"a": 1}, {}),
        {"unmatched": "drop"},
        "1 reference item not in the cand",
    ),
    "all noise": (
        ([-1, -1], [0, 1]),
        {"missing": "drop", "missing_labels": -1},
        "2 without a reference label",
    ),
    "no multiplicity": (([0, 1], [0, 1]), {"multiplicity": [0, 0]}, "every multiplicity is 0"),
    "sets": (([{1}], [{2}]), {"unmatched": "drop"}, "make the item ids of both sides agree"),
}


@pytest.mark.parametrize("name", NOTHING)
def test_a_comparison_of_nothing_is_refused(name):
    sides, policies, sentence = NOTHING[name]
    for call in (pw.rand_index, pw.compare, pw.align, pw.contingency, pw.diagnose):
        with pytest.raises(ValueError, match=f"no item is left to compare: .*{sentence}"):
            call(*sides, **policies)
    with pytest.raises(ValueError, match="no item is left"):
        pw.score_many(sides[0], [sides[1]], **policies)


MISSING = {
    "list": lambda: ["x", None, "y"],
    "nan in a list": lambda: ["x", float("nan"), "y"],
    "objects": lambda: np.array(["x", float("nan"), "y"], dtype=object),
    "numbers": lambda: [1.0, float("nan"), 2.0],
    "masked": lambda: np.ma.array([1, 2, 3], mask=[0, 1, 0]),
    "pandas text": lambda: pytest.importorskip("pandas").Series(["x", None, "y"]),
    "pandas NA": lambda: pytest.importorskip("pandas").Series(["x", None, "y"], dtype="string"),
    "pandas category": lambda: pytest.importorskip("pandas").Categorical(["x", None, "y"]),
    "pandas Int64": lambda: pytest.importorskip("pandas").Series([1, None, 2], dtype="Int64"),
    "pandas Float64": lambda: pytest.importorskip("pandas").Series(
        [1, None, 2], dtype="Float64"
    ),
    "polars": lambda: pytest.importorskip("polars").Series(["x", None, "y"]),
    "polars NaN": lambda: pytest.importorskip("polars").Series([1.0, float("nan"), 2.0]),
    "pyarrow": lambda: pytest.importorskip("pyarrow").array(["x", None, "y"]),
    "pyarrow NaN": lambda: pytest.importorskip("pyarrow").array([1.0, float("nan"), 2.0]),
    "pyarrow dictionary": lambda: (
        pytest.importorskip("pyarrow").array(["x", None, "y"]).dictionary_encode()
    ),
}


@pytest.mark.parametrize("name", MISSING)
def test_a_missing_label_is_missing_in_every_form(name):
    found = pw.align(MISSING[name](), [1, 1, 2], missing="singletons")
    assert found.account.reference.missing == 1
    with pytest.raises(ValueError, match=r"1 in the reference .* at index 1"):
        pw.align(MISSING[name](), [1, 1, 2])


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize(
    "form",
    [
        lambda x: x.reshape(-1, 1),
        lambda x: np.asmatrix(x).T,
        lambda x: np.ma.masked_array(x.reshape(-1, 1)),
        lambda x: x.astype([("label", x.dtype)]),
        lambda x: x.astype(str).reshape(-1, 1),
        lambda x: x.astype(object).reshape(-1, 1),
    ],
)
def test_one_column_in_two_dimensions(form):
    labels = np.array([3, 1, 3, 2])
    assert pw.rand_index(form(labels), labels) == 1.0
    assert pw.Clustering(form(labels)).n_clusters == 3
    with pytest.raises(ValueError, match="must be 1-D"):
        pw.rand_index(np.zeros((4, 2), dtype=int), labels)
    two = labels.astype([("a", int), ("b", int)])
    with pytest.raises(TypeError, match="pass one field"):
        pw.rand_index(two, labels)


def test_what_polars_has_not_computed_yet():
    polars = pytest.importorskip("polars")
    lazy = polars.LazyFrame({"a": [1, 2]})
    for call in (
        lambda: pw.rand_index(lazy, [1, 2]),
        lambda: pw.rand_index([1, 2], polars.col("a")),
        lambda: pw.score_many([1, 2], lazy),
    ):
        with pytest.raises(
            TypeError, match=r"is a polars (LazyFrame|Expr), which holds no values"
        ):
            call()


def test_what_a_library_of_frames_has_beside_columns():
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    column = pandas.Series([1, 2])
    for other, kind in (
        (polars.when(True).then(1), "polars Then"),
        (polars.Field("a", polars.Int64), "polars Field"),
        (polars.Series(["a"]).str, "polars StringNameSpace"),
        (column.groupby(column), "pandas SeriesGroupBy"),
        (column.rolling(1), "pandas Rolling"),
        (pandas.NA, "pandas NAType"),
    ):
        with pytest.raises(TypeError, match=f"reference is a {kind}; pass one column"):
            pw.rand_index(other, [1, 2])
        with pytest.raises(TypeError, match=f"candidate is a {kind}; pass one column"):
            pw.rand_index([1, 2], other)


@pytest.mark.parametrize("call", [pw.pairwise, lambda x: pw.score_many([0, 1], x)])
def test_iterators_of_clusterings_that_were_read_before(call):
    used = iter([[0, 1]])
    list(used)
    with pytest.raises(
        ValueError, match="with nothing left in it, perhaps because it was read before"
    ):
        call(used)


def test_measures_by_an_alias_in_results():
    result = pw.compare([0, 0, 1, 1], [0, 1, 1, 1], measures=["ari", "nmi"])
    assert result["ari"] == result["adjusted_rand_index"]
    assert result["nmi"] == result["normalized_mutual_information"]
    many = pw.score_many([0, 0, 1], [[0, 1, 1]], measures="ari")
    assert many["ari"].tolist() == many["adjusted_rand_index"].tolist()
    drawn = pw.bootstrap([0, 0, 1, 1], [0, 1, 1, 1], measure="ari", draws=9, seed=1)
    assert drawn["ari"].tolist() == drawn["adjusted_rand_index"].tolist()
    edges = [(0, 1, 0.9), (2, 3, 0.8)]
    curve = pw.sweep(
        [0, 0, 1, 1], edges, scores="similarity", measures="ari", groups=[0, 0, 1, 1]
    )
    assert curve.best("ari") == curve.best("adjusted_rand_index")
    assert curve.best("ari").measure == "adjusted_rand_index"
    assert curve.states_of("ari").tolist() == curve.states_of("adjusted_rand_index").tolist()
    assert curve.bootstrap("ari", draws=9, seed=1).best.measure == "adjusted_rand_index"
    with pytest.raises(KeyError, match="purity"):
        result["purity"]


@pytest.mark.parametrize("shape", [(2, 4), (4, 4)])
def test_arrays_with_a_clustering_a_column_that_may_be_a_row(shape):
    array = np.arange(shape[0] * shape[1]).reshape(shape) % 3
    with pytest.warns(pw.InputWarning, match=r"one a column; pass array.T for one a row"):
        assert pw.pairwise(array, "ri").shape == (4, 4)
    scored = pw.score_many(array[:, 0], array, "ri")
    for account in scored.accounts:
        assert [note.code for note in account.notes if "column" in note] == [
            "clusterings-in-columns"
        ]
    tall = np.arange(10).reshape(5, 2) % 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pw.pairwise(tall, "ri").shape == (2, 2)
        pw.pairwise(list(array), "ri")
    with pytest.raises(ValueError, match=r"pass array.T for a candidate a row"):
        pw.score_many([0, 1, 1, 0, 2], tall.T, "ri")


def test_sentences_on_forms_that_hold_no_labels():
    for call, sentence in (
        (lambda: pw.rand_index({1: {"community": 2}}, {1: 1}), r"attributes\['community'\]"),
        (lambda: pw.rand_index({1: 1, "a": 1}, {1: 1, "a": 1}), "mixes ids of different"),
        (lambda: pw.Clustering.from_mapping(np.arange(3)), "an ndarray is no mapping"),
    ):
        with pytest.raises(TypeError, match=sentence):
            call()
    with pytest.raises(ValueError, match="blocks is a list_iterator with nothing left in it"):
        pw.Contingency.from_blocks(iter([]))
    scores = pw.compare([0, 0, 1], [0, 1, 1], measures="ari")
    assert scores.scores["ari"] == scores["ari"] == scores.scores["adjusted_rand_index"]
    assert "ari" in scores
    assert "nmi" not in scores
    with pytest.raises(KeyError):
        scores.scores["nmi"]


# ---- what is exchanged by the Arrow C interfaces -------------------------------------------


class OfArrow:
    """A column of a library that has the Arrow C interface and nothing else."""

    def __init__(self, array):
        self.array = array

    def __arrow_c_array__(self, requested_schema=None):
        return self.array.__arrow_c_array__(requested_schema)


class StreamOfArrow:
    """A column, or a frame, in chunks."""

    def __init__(self, chunks):
        self.chunks = chunks

    def __arrow_c_stream__(self, requested_schema=None):
        return self.chunks.__arrow_c_stream__(requested_schema)


def test_columns_by_the_arrow_interfaces():
    pa = pytest.importorskip("pyarrow")
    for values in (["x", "x", "y"], [7, 7, 8], [0.5, 0.5, 2.5], [True, True, False]):
        for column in (
            OfArrow(pa.array(values)),
            StreamOfArrow(pa.chunked_array([values[:1], values[1:]])),
            StreamOfArrow(pa.table({"label": values})),
            OfArrow(pa.array(values).dictionary_encode()),
        ):
            assert pw.rand_index(column, [0, 1, 1]) == pw.rand_index(values, [0, 1, 1])
            assert pw.contingency(column, [0, 1, 1]).row_labels.tolist() == sorted(set(values))


def test_missing_values_by_the_arrow_interfaces():
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(ValueError, match="the first in the reference at index 1"):
        pw.contingency(OfArrow(pa.array(["x", None])), [0, 1])


def test_a_frame_of_two_columns_is_refused_by_its_names():
    pa = pytest.importorskip("pyarrow")
    frame = StreamOfArrow(pa.table({"item": [1, 2], "label": [0, 0]}))
    with pytest.raises(TypeError, match="with the columns item, label; pass one"):
        pw.Clustering(frame)


def test_a_relation_of_duckdb_is_a_column():
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    relation = duckdb.sql("SELECT * FROM (VALUES ('x'), ('x'), ('y')) AS rows(label)")
    assert pw.rand_index(relation, [0, 1, 1]) == pytest.approx(VALUE)


# ---- what lies in the memory of another device ---------------------------------------------


class OnDevice:
    """An array of a library for GPUs, as its protocol shows it."""

    def __len__(self):
        return 3

    def __dlpack_device__(self):
        return 2, 0  # CUDA

    def __dlpack__(self, **options):
        raise BufferError("no copy to the host")


def test_an_array_on_a_device_is_refused_with_the_remedy():
    words = (
        r"candidate is an OnDevice on another device \(.*\); copy it to the memory of the host"
    )
    with pytest.raises(TypeError, match=words):
        pw.rand_index([0, 1, 1], OnDevice())


def test_other_faults_of_an_array_are_its_own():
    class Broken:
        def __array__(self, dtype=None, copy=None):
            raise RuntimeError("detach it first")

    with pytest.raises(RuntimeError, match="detach it first"):
        pw.rand_index([0, 1, 1], Broken())
