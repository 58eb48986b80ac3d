"""The object: forms that are read, cuts, and what is refused at the door."""

import bz2
import gzip
import lzma
import pickle

import numpy as np
import pytest
from scipy.cluster import hierarchy as scipy_hierarchy

import partwise as pw
from partwise.cli import main

pytestmark = pytest.mark.one_backend

POINTS = np.random.default_rng(4).random((30, 3))


@pytest.mark.parametrize("method", ["single", "average", "ward", "centroid", "median"])
def test_cuts_and_heights_are_those_of_scipy(method):
    rows = scipy_hierarchy.linkage(POINTS, method)
    tree = pw.Hierarchy.from_linkage(rows)
    other = pw.Hierarchy.from_linkage(scipy_hierarchy.linkage(POINTS, "complete"))
    wanted = np.corrcoef(
        scipy_hierarchy.cophenet(rows),
        scipy_hierarchy.cophenet(scipy_hierarchy.linkage(POINTS, "complete")),
    )[0, 1]
    assert pw.cophenetic_correlation(tree, other) == pytest.approx(wanted, rel=1e-12)
    for k in (1, 2, 5, 17, 30):
        cut = scipy_hierarchy.fcluster(rows, k, "maxclust")
        if len(np.unique(cut)) == k:
            assert pw.adjusted_rand_index(tree.cut(k), cut) == 1


def test_forms_of_one_tree():
    rows = [[0, 1, 1, 2], [2, 3, 1, 2], [4, 5, 2, 4]]
    forms = [
        pw.Hierarchy.from_linkage(rows, items=["a", "b", "c", "d"]),
        pw.Hierarchy.from_linkage(np.array(rows)[:, :3], items=["a", "b", "c", "d"]),
        pw.Hierarchy.from_newick("((a,b),(c,d));"),
        pw.Hierarchy.from_newick("([x]('a':1,b:1):1,\n(c:1,d:1)[y]:1);"),
        pw.Hierarchy.from_parents([4, 4, 5, 5, 6, 6, -1], items=["a", "b", "c", "d"]),
        pw.Hierarchy.from_levels([[0, 0, 1, 1], [7, 7, 7, 7]], items=["a", "b", "c", "d"]),
    ]
    for tree in forms:
        assert tree == forms[0]
        assert pickle.loads(pickle.dumps(tree)) == tree
        assert tree.clusters() == [(1, ["a", "b"]), (1, ["c", "d"]), (2, list("abcd"))]
        assert tree.cuts().tolist() == [4, 2, 1]
        assert tree.cuts("order").tolist() == [4, 3, 2, 1]
        assert tree.cut(2).tolist() == [0, 0, 1, 1]
    assert forms[0] != pw.Hierarchy.from_newick("((a,c),(b,d));")


def of_ids(labels, ids):
    return pw.Clustering(labels, items=list(ids))


@pytest.mark.parametrize(
    "levels",
    [
        [{"a": 0, "b": 1, "c": 2}, {"c": 0, "b": 0, "a": 1}],
        {"fine": [{"a"}, {"b"}, {"c"}], "coarse": [{"c", "b"}, {"a"}]},
        [of_ids([0, 1, 2], "abc"), of_ids([0, 0, 1], "cba")],
        {1: of_ids([0, 1, 2], "cab"), "two": {"b": 5, "c": 5, "a": 6}},
    ],
)
def test_levels_are_put_in_one_order_of_their_items(levels):
    tree = pw.Hierarchy.from_levels(levels)
    assert [(height, set(items)) for height, items in tree.clusters()] == [(2, {"b", "c"})]
    named = pw.Hierarchy.from_levels(levels, items="cab")
    assert named.items.tolist() == list("cab")
    assert named == tree


def test_levels_are_the_columns_of_an_array_or_a_frame():
    pd = pytest.importorskip("pandas")
    rows = np.array([[0, 5, 8], [1, 5, 8], [2, 6, 8], [3, 6, 8]])
    wanted = pw.Hierarchy.from_levels(list(rows.T))
    assert wanted.clusters() == [(2, [0, 1]), (2, [2, 3]), (3, [0, 1, 2, 3])]
    assert pw.Hierarchy.from_levels(rows) == wanted
    assert pw.Hierarchy.from_levels(pd.DataFrame(rows, columns=list("xyz"))) == wanted
    with pytest.warns(pw.InputWarning, match="holds 4 clusterings of 3 items, one a column"):
        pw.Hierarchy.from_levels(np.zeros((3, 4), dtype=int))


def test_series_of_levels_are_put_in_one_order():
    pd = pytest.importorskip("pandas")
    fine, coarse = pd.Series([0, 1, 2], list("abc")), pd.Series([0, 0, 1], list("cba"))
    bare = [0, 1, 2]
    for levels in ([fine, coarse], [bare, fine, coarse], [bare, coarse.loc[list("abc")]]):
        tree = pw.Hierarchy.from_levels(levels)
        assert tree.clusters() == [(len(levels), [1, 2])]
    tree = pw.Hierarchy.from_levels([bare, coarse], items="abc")
    assert tree.clusters() == [(2, ["b", "c"])]
    with pytest.raises(ValueError, match=r"level 1, taken by its index, .* of level 0"):
        pw.Hierarchy.from_levels([fine, coarse.set_axis(list("cbd"))])


ABC = {"a": 0, "b": 1, "c": 2}


@pytest.mark.parametrize(
    ("levels", "items", "message"),
    [
        ([ABC, [0, 0, 1]], None, "level 0 has item ids, level 1 has none; give ids to all"),
        ([ABC, {"a": 0, "b": 0, "z": 1}], None, "level 1 has item 'z', which level 0 does not"),
        ([ABC, {"a": 0, "b": 0}], None, r"level 1 lacks item 'c' of level 0 \(1 such items\)"),
        ([ABC], "abd", "level 0 has item 'c', which items= does not have"),
        ([[{"a", "b"}, {"b"}]], None, "item 'b' stands twice in level 0; each needs one label"),
        ([ABC, [{"a", "b"}, {"b", "c"}]], None, "item 'b' in cluster 0 and in cluster 1"),
        ([ABC, of_ids([0, 1, 2, 0], "abca")], None, "item 'a' at index 0 and again at index 3"),
        ([ABC, {"a": 0, "b": None, "c": 1}], None, "level 1 has no label for the item"),
        ([ABC, {1: 0, 2: 0, 3: 0}], None, "item ids are text in level 0 .* integer in level 1"),
        ([ABC, of_ids([0, 0, 1], ["a", "b", None])], None, "level 1 has no item id at index 2"),
    ],
)
def test_levels_of_other_items_are_refused(levels, items, message):
    with pytest.raises((ValueError, TypeError), match=message):
        pw.Hierarchy.from_levels(levels, items=items)


def test_inversions_ties_roots_and_single_parts():
    lower = pw.Hierarchy.from_linkage([[0, 1, 2], [2, 3, 1]])
    assert lower.heights.tolist() == [2, 1]
    assert lower.cut_heights().tolist() == [2, 2]
    assert lower.cuts().tolist() == [3, 1]
    roots = pw.Hierarchy.from_linkage([[0, 1, 1]], items="abc")
    assert roots.n_roots == 2
    assert roots.cuts().tolist() == [3, 2]
    with pytest.raises(ValueError, match=r"no cut has k=1 clusters .* nearest have 2 and 3"):
        roots.cut(1)
    with pytest.raises(ValueError, match="the reference has 2 roots, and items below"):
        pw.cophenetic_correlation(roots, roots)
    assert pw.baker_gamma(roots, roots) == 1
    single = pw.Hierarchy.from_newick("(((a,b)),c);")
    assert single.n_clusters == 2
    apart = pw.Hierarchy.from_linkage([], items="ab")
    assert pw.element_centric_similarity(apart, apart) == 1
    assert np.isnan(pw.baker_gamma(apart, apart))
    assert len(pw.b_k(apart, apart).k) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: pw.Hierarchy.from_linkage([[0, 5, 1]]),
            "linkage row 0 joins 0 and 5: a cluster that is not yet formed",
        ),
        (
            lambda: pw.Hierarchy.from_linkage([[0, 1, 1], [0, 2, 2]]),
            "linkage row 1: cluster 0 was merged before",
        ),
        (
            lambda: pw.Hierarchy.from_linkage([[0, 1, float("inf")]]),
            "linkage row 0: its height is inf; heights are finite numbers",
        ),
        (
            lambda: pw.Hierarchy.from_linkage([[0, 1, 1, 3]]),
            "linkage row 0: it counts 3 items, but its clusters hold 2",
        ),
        (
            lambda: pw.Hierarchy.from_linkage([[0, 1, 1]], items=["a"]),
            "the linkage has 1 rows, which join 2 items, and items= names 1",
        ),
        (
            lambda: pw.Hierarchy.from_linkage([[0, 1, 1]], items=["a", "a"]),
            "items has 'a' again at index 1",
        ),
        (lambda: pw.Hierarchy.from_parents([2, 7, -1]), "node 1 has the parent 7"),
        (
            lambda: pw.Hierarchy.from_parents([1, 2, 3, 2, -1]),
            "the parents of node [23] lead back to it; a tree has no circles",
        ),
        (lambda: pw.Hierarchy.from_parents([1, 0]), "the parents of node [01] lead back to it"),
        (
            lambda: pw.Hierarchy.from_parents([3, 0, 0, 4, 0, 4]),
            "the parents of node [034] lead back to it",
        ),
        (
            lambda: pw.Hierarchy.from_parents([2, 2, -1], [1.0, 2.0]),
            r"heights has the shape \(2,\); one number for each of the 3 nodes, or for",
        ),
        (
            lambda: pw.Hierarchy.from_parents([2, 2, -1], [float("nan")]),
            "the height of node 2 is nan",
        ),
        (
            lambda: pw.Hierarchy.from_levels([[0, 0, 1], [0, 1, 1]]),
            "level 1 parts the items 0 and 1, which level 0 or one before it has in one",
        ),
        (
            lambda: pw.Hierarchy.from_levels([[0, 0, 1], [0, 1]]),
            "level 1 has 2 labels for 3 items",
        ),
        (
            lambda: pw.Hierarchy.from_newick("((a,b),\n(c,));"),
            "line 2, column 4: a leaf without a name",
        ),
        (lambda: pw.Hierarchy.from_newick("(a,a);"), "column 4: a second leaf has the name"),
        (lambda: pw.Hierarchy.from_newick("(a,b"), "column 5: the tree does not end with"),
        (lambda: pw.Hierarchy.from_newick("(a,b;"), "column 5: the tree ends inside of"),
        (lambda: pw.Hierarchy.from_newick("(a,b));"), r"column 6: '\)' outside of every"),
        (lambda: pw.Hierarchy.from_newick("(a:x,b:1);"), "column 4: the length of a branch"),
        (lambda: pw.Hierarchy.from_newick("(a:1,b);"), "1 of 2"),
        (lambda: pw.Hierarchy.from_newick("(a b,c);"), "column 4: 'b' follows name of a node"),
        (lambda: pw.Hierarchy.from_newick("(a,b); (c,d);"), "column 8: a second tree begins"),
        (lambda: pw.Hierarchy.from_newick(""), "it is empty"),
    ],
)
def test_what_is_wrong_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_masked_numbers_are_refused():
    masked = np.ma.masked_array
    rows = masked([[0, 1, 0.5, 2], [2, 3, 1.5, 3]])
    assert pw.Hierarchy.from_linkage(rows).n_clusters == 2
    rows[1, 2] = np.ma.masked
    with pytest.raises(ValueError, match="linkage row 1 has masked entries"):
        pw.Hierarchy.from_linkage(rows)
    with pytest.raises(ValueError, match="parents have masked entries, the first at node 1"):
        pw.Hierarchy.from_parents(masked([2, 2, -1], [False, True, False]))
    for heights in (masked([3.0], [True]), masked([0, 0, 3.0], [False, False, True])):
        with pytest.raises(ValueError, match="the height of node 2 is nan"):
            pw.Hierarchy.from_parents([2, 2, -1], heights)
    of_parents = masked([7, 7, 3.0], [True, True, False])  # those of items are not looked at
    assert pw.Hierarchy.from_parents([2, 2, -1], of_parents).heights.tolist() == [3]


def test_other_arguments_are_refused():
    tree = pw.Hierarchy.from_newick("((a,b),c);")
    other = pw.Hierarchy.from_newick("((a,b),d);")
    with pytest.raises(ValueError, match="the item 'd' is in the candidate only"):
        pw.b_k(tree, other)
    with pytest.raises(ValueError, match="the items of the reference have names and those of"):
        pw.b_k(tree, pw.Hierarchy.from_linkage([[0, 1, 1], [2, 3, 2]]))
    with pytest.raises(TypeError, match="b_k compares hierarchies, and candidate is a list"):
        pw.b_k(tree, [0, 0, 1])
    with pytest.raises(TypeError, match="rand_index compares partitions; a Hierarchy has a"):
        pw.rand_index(tree, tree)
    with pytest.raises(TypeError, match="reference is a Hierarchy, not a partition"):
        pw.compare(tree, [0, 0, 1])
    with pytest.raises(TypeError, match=r"a Hierarchy is made by Hierarchy\.from_linkage"):
        pw.Hierarchy([[0, 1, 1]])
    with pytest.raises(AttributeError, match="cannot be changed"):
        tree.n_items = 3
    for call in (tree.cuts, lambda ties: tree.cut(2, ties)):
        with pytest.raises(ValueError, match="ties='oder' is not one of: skip, order"):
            call("oder")
    with pytest.raises(ValueError, match="levels='depth' is not one of"):
        pw.element_centric_similarity(tree, tree, levels="depth")
    with pytest.raises(KeyError, match="k=7"):
        pw.b_k(tree, tree).at(7)


def test_the_command(tmp_path, capsys):
    newick = tmp_path / "tree.nwk"
    newick.write_text("((0:1,1:1):1,2:2);")
    rows = tmp_path / "rows.csv"
    rows.write_text("0,1,1,2\n2,3,2,3\n")
    assert main(["hierarchy", str(rows), str(rows), "--csv"]) == 0
    lines = dict(line.split(",") for line in capsys.readouterr().out.splitlines()[1:])
    assert set(lines.values()) == {"1.0"}
    assert main(["hierarchy", str(newick), str(newick), "--cuts", "--csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("2,1.0,")
    assert main(["hierarchy", str(newick), str(rows)]) == 2
    err = capsys.readouterr().err
    assert f"{rows} is a linkage, whose items are numbers from 0, and {newick} is a tree" in err
    assert main(["hierarchy", "-", "-"]) == 2
    assert "standard input holds one tree" in capsys.readouterr().err
    rows.write_text("0,1,1,2\n2,x,2,3\n")
    assert main(["hierarchy", str(rows), str(rows)]) == 2
    assert "rows.csv: row 2 of the linkage is '2,x,2,3'" in capsys.readouterr().err


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("text", ["((a:1,b:1):1,c:2);", "0,1,1,2\n2,3,2,3\n"])
def test_files_are_read_by_their_content(tmp_path, capsys, pack, text):
    plain, packed = tmp_path / "plain", tmp_path / "packed"
    plain.write_text(text)
    packed.write_bytes(pack(text.encode()))
    assert main(["hierarchy", str(plain), str(packed), "--csv"]) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    assert {line.split(",")[1] for line in lines} == {"1.0"}


def test_a_linkage_of_numpy_is_read_and_another_kind_is_named(tmp_path, capsys):
    rows = [[0, 1, 1.0, 2], [2, 3, 2.0, 3]]
    np.save(tmp_path / "rows.npy", rows)
    (tmp_path / "rows.txt").write_text("0 1 1 2\n2 3 2 3\n")
    files = [str(tmp_path / "rows.npy"), str(tmp_path / "rows.txt")]
    assert main(["hierarchy", *files, "--csv"]) == 0
    assert ",0." not in capsys.readouterr().out
    np.savez(tmp_path / "rows.npz", rows=rows)
    assert main(["hierarchy", str(tmp_path / "rows.npz"), files[1]]) == 2
    err = capsys.readouterr().err
    assert "rows.npz: this is a npz file; a tree in Newick format, or rows of a linkage" in err


@pytest.mark.parametrize("n_roots", [1, 2, 3])
def test_the_default_leaves_out_what_has_no_value_with_several_roots(n_roots):
    whole = pw.Hierarchy.from_linkage([[0, 1, 1.0], [2, 3, 2.0], [4, 5, 3.0]])
    parents = {1: [4, 4, 5, 5, 6, 6, -1], 2: [4, 4, 5, 5, -1, -1], 3: [4, 4, -1, -1, -1]}[
        n_roots
    ]
    tree = pw.Hierarchy.from_parents(parents)
    assert tree.n_roots == n_roots
    for sides in ((tree, whole), (whole, tree)):
        scores = pw.compare_hierarchies(*sides).scores
        assert ("cophenetic_correlation" in scores) == (n_roots == 1)
        assert "element_centric_similarity" not in scores
