"""What must hold of measures of covers, whatever the covers."""

import pickle
from collections import Counter
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cover_definitions as definitions
import partwise as pw
from partwise.cli import main
from partwise.measures.covers.mixed_products import sign_of_gap
from strategies import clusterings, covers

pytestmark = pytest.mark.one_backend


def every_value(a, b):
    """All numbers that two covers are compared by."""
    f1, b_cubed = pw.average_f1(a, b), pw.extended_b_cubed(a, b)
    names = ("max", "sum", "lfk", "lfk_global")
    sides = a.with_singletons(), b.with_singletons()
    return [
        pw.omega_index(a, b),
        *(pw.overlapping_mutual_information(a, b, normalizer=name) for name in names),
        f1.reference,
        f1.candidate,
        b_cubed.precision,
        b_cubed.recall,
        pw.element_centric_similarity(*sides),
        pw.element_centric_similarity(*sides, alpha=0.3),
    ]


@settings(max_examples=10)
@given(covers(), st.randoms(use_true_random=False))
def test_no_order_changes_a_bit(drawn, random):
    n, *sides = drawn
    before = every_value(*(pw.Cover(side, n_items=n) for side in sides))
    place = list(range(n))
    random.shuffle(place)
    turned = [[[place[i] for i in cluster] for cluster in side] for side in sides]
    for side in turned:
        random.shuffle(side)
    assert every_value(*(pw.Cover(side, n_items=n) for side in turned)) == before


def test_values_stay_in_the_range_where_rounding_could_pass_it():
    two = pw.Cover([[0, 1], [1], [1], [0, 1]], n_items=2)
    other = pw.Cover([[1], [0, 1], [1], [1], [0, 1], [0, 1]], n_items=2)
    assert pw.overlapping_mutual_information(two, other, normalizer="sum") == 1
    rng = np.random.default_rng(5)
    for _ in range(40):
        n = int(rng.integers(2, 5))
        sides = (
            pw.Cover(
                [np.flatnonzero(rng.random(n) < 0.6).tolist() or [0] for _ in range(k)],
                n_items=n,
            )
            for k in rng.integers(1, 7, 2)
        )
        omega, *others = every_value(*sides)
        assert omega <= 1
        assert all(0 <= value <= 1 for value in others)


@settings(max_examples=10)
@given(covers(sides=1))
def test_a_cover_agrees_with_itself(drawn):
    cover = pw.Cover(drawn[1], n_items=drawn[0])
    assert every_value(cover, cover) == [1.0] * 11


@settings(max_examples=10)
@given(covers())
def test_exchanged_sides(drawn):
    a, b = (pw.Cover(side, n_items=drawn[0]) for side in drawn[1:])
    there, back = every_value(a, b), every_value(b, a)
    back[5:9] = back[6], back[5], back[8], back[7]
    assert there == back


@given(clusterings())
def test_partitions(labels):
    """On partitions: adjusted Rand, B-cubed, element-centric similarity, best F1."""
    a, b = (pw.Cover.from_labels(side) for side in labels)
    assert pw.omega_index(a, b) == pytest.approx(pw.adjusted_rand_index(*labels), abs=1e-15)
    scores, wanted = pw.extended_b_cubed(a, b), pw.b_cubed(*labels)
    assert (scores.precision, scores.recall, scores.f) == pytest.approx(
        (wanted.precision, wanted.recall, wanted.f1), rel=1e-14
    )
    assert pw.element_centric_similarity(a, b) == pytest.approx(
        pw.element_centric_similarity(*labels), rel=1e-14
    )


@given(covers(max_items=6), st.sampled_from([0.05, 0.5, 0.9]))
def test_element_centric_similarity_is_that_of_walks(drawn, alpha):
    n = drawn[0]
    a, b = (pw.Cover(side, n_items=n).with_singletons() for side in drawn[1:])
    sides = (list(side.clusters().values()) for side in (a, b))
    wanted = [float(x) for x in definitions.element_centric(*sides, n, alpha)]
    values = pw.element_centric_similarity(a, b, alpha=alpha, average=None)
    assert values.tolist() == pytest.approx(wanted, abs=1e-13)
    mean = pw.element_centric_similarity(a, b, alpha=alpha)
    assert mean == pytest.approx(sum(wanted) / n if n else 1.0, abs=1e-13)


def test_the_constraint_where_both_sides_are_equal():
    """h(1/2) = h(1/4): eight items, {2, 3} and {3, 4, 5}."""
    a, b = pw.Cover([[2, 3]], n_items=8), pw.Cover([[3, 4, 5]], n_items=8)
    values = [
        pw.overlapping_mutual_information(a, b, normalizer="lfk", constraint=word)
        for word in ("strict", "at_least")
    ]
    wanted = definitions.overlapping_information([[2, 3]], [[3, 4, 5]], 8, "lfk", at_least=True)
    assert values == [0, pytest.approx(float(wanted), rel=1e-12)]
    assert values[1] > 0.01
    assert sign_of_gap(1, 1, 2, 4) == 0
    # the same at a million times the size, and one item beside it
    assert sign_of_gap(10**6, 10**6, 2 * 10**6, 4 * 10**6) == 0
    assert sign_of_gap(10**6, 10**6, 2 * 10**6, 4 * 10**6 + 1) != 0
    assert sign_of_gap(5, 2, 3, 10) == -sign_of_gap(2, 5, 10, 3)


def test_large_covers_of_few_kinds():
    """Squares of pairs beyond 64 bits, and a clique that a second cluster repeats."""
    n = 100_000
    half, rest = np.arange(n // 2), np.arange(n // 4, n)
    a = pw.Cover([half, half, rest], n_items=n)
    b = pw.Cover([half, rest], n_items=n)
    kinds = [
        (n // 4, {0, 1}, {0}),
        (n // 4, {0, 1, 2}, {0, 1}),
        (n // 2, {2}, {1}),
    ]
    levels = Counter()
    for one, two in product(kinds, repeat=2):
        shared = len(one[1] & two[1]), len(one[2] & two[2])
        levels[shared] += one[0] * (two[0] - (one is two))
    pairs = levels.total()
    assert pairs == n * (n - 1)
    agreed = Fraction(sum(times for (x, y), times in levels.items() if x == y), pairs)
    sides = [Counter(), Counter()]
    for level, times in levels.items():
        for side, count in enumerate(sides):
            count[level[side]] += times
    chance = Fraction(sum(sides[0][x] * sides[1][x] for x in sides[0]), pairs**2)
    assert pw.omega_index(a, b) == float((agreed - chance) / (1 - chance))
    assert pw.omega_index(a, a) == 1
    assert pw.extended_b_cubed(a, b).precision == 1


# ---- the object ------------------------------------------------------------------------


def test_readers_agree():
    networkx = pytest.importorskip("networkx")
    clusters = [{"ann", "ben"}, {"ben", "cat"}]
    items = ["ann", "ben", "cat", "dan"]
    graph = networkx.Graph()
    graph.add_nodes_from(items)

    class OfCdlib:
        def __init__(self):
            self.communities, self.graph = [list(x) for x in clusters], graph

    covers = [
        pw.Cover(clusters, items),
        pw.Cover(iter(map(frozenset, clusters)), graph),
        pw.Cover(OfCdlib()),
        pw.Cover.from_memberships(
            ["ben", "cat", "ann", "ben", "ben"], [1, 1, 0, 0, 0], universe=items
        ),
    ]
    assert all(cover.n_items == 4 and cover.n_uncovered == 1 for cover in covers)
    assert all(pw.omega_index(covers[0], cover) == 1 for cover in covers)
    named = pw.Cover({"x": ["ann"], "y": ["ann", "dan"]}, items)
    assert named.clusters() == {"x": ["ann"], "y": ["ann", "dan"]}
    assert pw.Cover.from_labels({"ann": 1, "ben": 1, "cat": 2}).sizes.tolist() == [2, 1]


def test_igraph_brings_its_vertices():
    igraph = pytest.importorskip("igraph")
    cover = pw.Cover(igraph.VertexCover(igraph.Graph(5), [[0, 1], [1, 2]]))
    assert repr(cover) == "Cover(5 items, 2 clusters, 4 memberships, 2 items in no cluster)"


def test_files(tmp_path):
    path = tmp_path / "found.cmty"
    path.write_text("a b c\nc d\n")
    cover = pw.Cover(pw.read(path), "covered")
    assert (cover.n_items, cover.n_clusters, cover.n_memberships) == (4, 2, 5)
    table = tmp_path / "table.csv"
    table.write_text("node,group\nc,2\na,1\nb,1\nc,1\nd,2\n")
    other = pw.Cover(pw.read(table, item="node", label="group"), list("dcba"))
    assert pw.omega_index(cover, other) == 1


def test_items_are_matched_by_id_whatever_their_order():
    a = pw.Cover([["x", "y"], ["y", "z"]], ["x", "y", "z", "w"])
    b = pw.Cover([["z", "y"], ["x", "y"]], ["w", "z", "y", "x"])
    assert every_value(a, b) == [1.0] * 11


def test_equal_clusters_stay_and_empty_ones_go():
    cover = pw.Cover([[0, 1], [1, 0], [], [1, 1]], n_items=2)
    assert cover.sizes.tolist() == [2, 2, 1]
    assert cover.n_empty == 1
    assert "1 empty cluster left out" in repr(cover)


@pytest.mark.parametrize("clusters", [[], {}, [[], []], pw.Clustering([], items=[])])
@pytest.mark.parametrize("items", [{"n_items": 3}, {"items": list("abc")}, {"n_items": 0}])
def test_nobody_is_in_a_cluster(clusters, items):
    cover = pw.Cover(clusters, **items)
    assert cover.n_items == items.get("n_items", 3)
    assert (len(cover.members), cover.indptr.tolist(), cover.sizes.tolist()) == (0, [0], [])


def test_what_has_edges_or_neighbours_alone_is_no_graph():
    graph = pw.bipartite_graph([0, 1], [0, 0])
    assert hasattr(graph, "edges")
    near = SimpleNamespace(adj={})
    for odd, kind in ((graph, "a BipartiteGraph"), (near, "a SimpleNamespace")):
        with pytest.raises(TypeError, match=f"clusters is {kind}; a cover is a list of clu"):
            pw.Cover(odd, n_items=2)
        with pytest.raises(TypeError, match=f"items is {kind}; pass items="):
            pw.Cover([[0]], items=odd)


@pytest.mark.parametrize("item", [-1, 3, 4, 2**40])
def test_items_by_number_are_below_their_number(item):
    assert pw.Cover([[0, 2], [1]], n_items=3).sizes.tolist() == [2, 1]
    with pytest.raises(ValueError, match=f"holds the item {item}, which is not one of 0 to 2"):
        pw.Cover([[0, 1], [2, item]], n_items=3)


def test_a_cover_does_not_change():
    source = [np.array([0, 1]), np.array([1, 2])]
    cover = pw.Cover(source, n_items=3)
    source[0][0] = 2
    assert cover.clusters() == {0: [0, 1], 1: [1, 2]}
    with pytest.raises(AttributeError, match="cannot be changed"):
        cover.n_items = 5
    with pytest.raises(AttributeError, match="cannot be changed"):
        del cover.members
    with pytest.raises(ValueError, match="read-only"):
        cover.members[0] = 1
    assert cover != pw.Cover(source, n_items=4)


def test_covers_are_equal_whatever_the_order_of_their_items():
    cover = pw.Cover([["a", "b"], ["b"]], items=["a", "b", "c"])
    assert cover == pw.Cover([["b", "a"], ["b"]], items=["c", "b", "a"])
    assert cover != pw.Cover([["a", "b"], ["b"]], items=["a", "b", "d"])
    assert cover != pw.Cover([["b"], ["a", "b"]], items=["a", "b", "c"])
    assert cover != pw.Cover([["a", "c"], ["b"]], items=["a", "b", "c"])
    assert pw.Cover([[0, 1]], n_items=3) == pw.Cover([[1, 0]], items=[2, 0, 1])
    assert pw.Cover([[0, 1]], n_items=3) != pw.Cover([[0, 1]], items=[0, 1, 9])


def test_masked_items_of_memberships_are_missing():
    items = np.ma.masked_array([0, 2, 1], [False, True, False])
    for universe in ({"n_items": 4}, {"n_items": 2}, {"universe": [0, 1, 2]}):
        with pytest.raises(ValueError, match="the membership at index 1 names no item"):
            pw.Cover.from_memberships(items, [0, 0, 1], **universe)


@pytest.mark.parametrize(
    "cover",
    [
        pw.Cover([[0, 1], [1, 2]], n_items=3),
        pw.Cover({"x": ["a", "b"], "y": [], "z": ["b"]}, items=["a", "b", "c"]),
    ],
)
def test_a_pickled_cover_is_the_same(cover):
    again = pickle.loads(pickle.dumps(cover))
    assert again == cover
    assert repr(again) == repr(cover)
    assert again.clusters() == cover.clusters()
    assert again.n_empty == cover.n_empty


@pytest.mark.parametrize(
    ("arguments", "options", "sentence"),
    [
        (
            ([[0, 9]],),
            {"n_items": 3},
            r"cluster 0 holds the item 9, which is not one of 0 to 2",
        ),
        (([["a", "z"]], ["a"]), {}, "holds the item 'z', which is not among items="),
        (([[0]],), {}, "nothing says which items there are; pass items="),
        (([[0]], "all"), {}, "must be all items, or the word"),
        (([[0]], ["a", "b", "a"]), {}, "items has 'a' again at index 2"),
        (([["a"]],), {"n_items": 3}, "n_items= is for the integers from 0"),
        (([[0]],), {"n_items": -1}, "at least 0"),
        (([[0, -1]],), {"n_items": 3}, "cluster 0 holds the item -1"),
        (([["a", None]], ["a"]), {}, "the membership at index 1 names no item"),
        (([[0, None], [None]],), {"n_items": 3}, r"index 1 names no item \(2 such memberships"),
        (([["a", None]], "covered"), {}, "the membership at index 1 names no item"),
        (([["a"]], ["a", None]), {}, "items has no item id at index 1"),
        (([["a"]], [1, 2]), {}, "item ids are integer in items= .* but text in the clusters"),
    ],
)
def test_wrong_covers(arguments, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        pw.Cover(*arguments, **options)


def test_wrong_kinds():
    with pytest.raises(TypeError, match="two ways to say"):
        pw.Cover([[0]], [0, 1], n_items=2)
    with pytest.raises(TypeError, match="must be an integer"):
        pw.Cover([[0]], n_items=2.0)
    with pytest.raises(TypeError, match="a cover is a list of clusters"):
        pw.Cover("ab", n_items=2)


def test_covers_of_other_items_are_refused():
    a, b = pw.Cover([[0, 1]], n_items=3), pw.Cover([[0, 1]], n_items=4)
    with pytest.raises(ValueError, match="reference has 3 items and the candidate 4"):
        pw.omega_index(a, b)
    c, d = pw.Cover([["x"]], ["x", "y"]), pw.Cover([["x"]], ["x", "z"])
    with pytest.raises(ValueError, match="the item 'z' is among those of the candidate only"):
        pw.average_f1(c, d)
    e = pw.Cover([["x"]], ["x"])
    with pytest.raises(ValueError, match="the item 'y' is among those of the reference only"):
        pw.average_f1(c, e)


def test_a_cover_where_a_partition_is_needed():
    cover = pw.Cover([[0, 1], [1, 2]], n_items=4)
    with pytest.raises(TypeError, match=r"rand_index compares partitions; .*omega_index"):
        pw.rand_index(cover, cover)
    with pytest.raises(TypeError, match="reference is a Cover, not a partition"):
        pw.compare(cover, cover)
    with pytest.raises(TypeError, match="candidate is a list; pass Cover"):
        pw.omega_index(cover, [0, 0, 1, 1])
    with pytest.raises(ValueError, match="with_singletons"):
        pw.element_centric_similarity(cover, cover)
    covering = cover.with_singletons()
    with pytest.raises(ValueError, match="adjusted=True is for partitions"):
        pw.element_centric_similarity(covering, covering, adjusted=True)
    with pytest.raises(TypeError, match="no option 'missing'"):
        pw.element_centric_similarity(covering, covering, missing="drop")
    with pytest.raises(ValueError, match="normalizer='mean' is not one of"):
        pw.overlapping_mutual_information(covering, covering, normalizer="mean")


# ---- all measures at once --------------------------------------------------------------


def test_compare_covers_gives_what_the_functions_give():
    a = pw.Cover([[0, 1, 2], [2, 3], [5]], n_items=7)
    b = pw.Cover([[0, 1], [2, 3, 5]], n_items=7)
    values = pw.compare_covers(a, b, measures="all").scores
    assert values["omega_index"] == pw.omega_index(a, b)
    assert values["extended_b_cubed f"] == pw.extended_b_cubed(a, b).f
    assert values["average_f1 mean"] == pw.average_f1(a, b).mean
    sides = a.with_singletons(), b.with_singletons()
    assert values["element_centric_similarity"] == pw.element_centric_similarity(*sides)
    default = pw.compare_covers(a, b)
    assert default.scores.items() <= values.items()
    assert set(values) - set(default.scores) == {"element_centric_similarity"}
    assert list(pw.compare_covers(a, b, measures="omega_index").scores) == ["omega_index"]
    with pytest.raises(ValueError, match="'rand_index', which is no measure of covers"):
        pw.compare_covers(a, b, measures=["rand_index"])


def test_weights_of_precision_and_recall():
    a, b = pw.Cover([[0, 1], [1, 2]], n_items=3), pw.Cover([[0, 1, 2]], n_items=3)
    scores = [pw.extended_b_cubed(a, b, beta=beta) for beta in (0, 2, float("inf"))]
    assert scores[0].f == pytest.approx(scores[0].precision)
    assert scores[2].f == scores[2].recall
    p, r = scores[1].precision, scores[1].recall
    assert scores[1].f == pytest.approx(5 * p * r / (4 * p + r))
    apart = pw.Cover([[0], [1]], n_items=2)
    assert pw.extended_b_cubed(pw.Cover([], n_items=2), apart).f == 0


def test_the_command(tmp_path, capsys):
    table = tmp_path / "table.csv"
    table.write_text("person,group\nann,1\nben,1\nben,2\ncat,2\n")
    lines = tmp_path / "located.cmty"
    lines.write_text("ann ben\nben cat\n")
    assert main(["cover", f"{table}::group", str(lines), "--item", "person", "--csv"]) == 0
    rows = dict(line.split(",") for line in capsys.readouterr().out.splitlines()[1:])
    assert set(rows.values()) == {"1.0"}
    people = tmp_path / "people.txt"
    people.write_text("ann\nben\n")
    assert main(["cover", str(lines), str(lines), "--items", str(people)]) == 2
    assert "located.cmty: cluster 1 holds the item 'cat'" in capsys.readouterr().err
    labels = tmp_path / "labels.txt"
    labels.write_text("a\nb\n")
    assert main(["cover", str(labels), str(labels)]) == 2
    assert "labels.txt: the rows name no items; give --item" in capsys.readouterr().err
