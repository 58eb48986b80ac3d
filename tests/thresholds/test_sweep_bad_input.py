"""``sweep`` as a demanding user meets it: what cannot be is refused with a sentence."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import partwise as pw
from partwise.cli import main

GOLD = [0, 0, 1, 1]
NAMED = pw.Clustering.from_clusters([["a", "b"], ["c", "d"]])
SIMILAR = {"scores": "similarity"}


@pytest.mark.parametrize("merges", [None, 5, 0.5, "abc"])
@pytest.mark.parametrize("options", [{}, SIMILAR])
def test_what_is_no_merges(merges, options):
    with pytest.raises(TypeError, match="a linkage, edges or nested clusterings are expected"):
        pw.sweep(GOLD, merges, **options)


def test_complex_numbers_are_no_linkage():
    with pytest.raises(ValueError, match="complex"):
        pw.sweep(GOLD, np.ones((3, 4), dtype=complex))


@pytest.mark.parametrize(
    ("edge", "error", "message"),
    [
        (("a", ["x"], 0.5), TypeError, r"edge 0 names item \['x'\], a list"),
        (("a", float("nan"), 0.5), ValueError, "edge 0 names item nan"),
        ((0, 1, 0.5), ValueError, "edge 0 names item 0"),
        (("a", "b", None), ValueError, "its score is NaN"),
        (("a", "b", "high"), ValueError, "scores of edges are numbers"),
        (("a", "b", np.inf), ValueError, "its score is inf"),
        (("a", "b"), ValueError, r"edge 0 is \('a', 'b'\)"),
    ],
)
def test_bad_edges(edge, error, message):
    with pytest.raises(error, match=message):
        pw.sweep(NAMED, [edge], **SIMILAR)


MASKED = np.ma.masked_array
COLUMNS = [[0, 1, 2], [1, 2, 3], [0.9, 0.5, 0.1]]
TABLE = MASKED(np.array(COLUMNS).T)


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("form", ["tuple", "fields", "rows"])
def test_masked_edges(place, form):
    columns = [MASKED(column) for column in COLUMNS]
    columns[place][1] = np.ma.masked
    merges = tuple(columns)
    if form == "fields":
        merges = np.ma.array(list(zip(*COLUMNS, strict=True)), dtype="i8,i8,f8")
        merges[f"f{place}"][1] = np.ma.masked
    elif form == "rows":
        merges = TABLE.copy()
        merges[1, place] = np.ma.masked
    with pytest.raises(ValueError, match=r"edge 1: its (item|other item|score) is masked"):
        pw.sweep(GOLD, merges, measures="rand_index", kind="edges", **SIMILAR)


def test_other_masked_numbers():
    rows = MASKED([[0, 1, 0.5, 2], [2, 3, 1.0, 2], [4, 5, 2.0, 4]])
    assert len(pw.sweep(GOLD, rows, measures="rand_index")) == 4
    rows[1, 2] = np.ma.masked
    with pytest.raises(ValueError, match="linkage row 1 has masked entries"):
        pw.sweep(GOLD, rows, measures="rand_index")
    with pytest.raises(ValueError, match="thresholds have masked entries, the first at"):
        pw.sweep(GOLD, [(0, 1, 0.5)], thresholds=MASKED([0.5, 0.2], [0, 1]), **SIMILAR)


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([0, None], "edge 1 lacks an item: None is none; leave the edge out"),
        ([0.0, np.nan], "edge 1 lacks an item: nan is none"),
        ([1, 0.5], "positions? 0..3, and edge 1 names 0.5"),
        ([1, "x"], "position 0..3, and edge 1 names 'x'"),
        ([1, np.inf], r"edge 1 names item inf; the reference has items 0..3"),
        ([1, -1e300], r"edge 1 names item -1e\+300; the reference has items 0..3"),
    ],
)
def test_the_edge_that_names_no_position(items, message):
    with pytest.raises(ValueError, match=message):
        pw.sweep(GOLD, (np.array(items, dtype=object), [2, 3], [0.5, 0.4]), **SIMILAR)


@pytest.mark.parametrize("width", [3, 4])
def test_columns_of_labels_that_may_be_edges_or_a_linkage(width):
    columns = np.array([[0, 0, 0, 0], [1, 0, 0, 0], [2, 2, 0, 0], [2, 2, 0, 0], [3, 3, 3, 0]])
    columns = columns[:, -width:]
    with pytest.raises(
        ValueError, match='nested clusterings of the 5 items, pass kind="nested"'
    ):
        pw.sweep([0, 0, 1, 1, 1], columns)
    assert len(pw.sweep([0, 0, 1, 1, 1], columns, kind="nested")) == width


def test_positions_in_columns_that_may_lack_some():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": [0, 1], "b": [2, 3], "score": [0.5, 0.4]})
    for column in (frame.b.astype("Int64"), frame.b.astype(object)):
        found = pw.sweep(GOLD, frame.assign(b=column), measures="rand_index", **SIMILAR)
        assert len(found) == 3
    frame["b"] = pd.array([2, None], dtype="Int64")
    with pytest.raises(ValueError, match="edge 1 lacks an item"):
        pw.sweep(GOLD, frame, **SIMILAR)


BY_ITEM = {"a": 0, "b": 0, "c": 1}


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([{"a", "b"}, {"b", "c"}], "has item 'b' in cluster 0 and in cluster 1; an item is in"),
        ({"x": {"a", "b"}, "y": {"b", "c"}}, "has item 'b' in cluster 'x' and in cluster 'y'"),
        (
            pw.Clustering([0, 1, 1, 2], items=["a", "b", "a", "c"]),
            "has item 'a' at index 0 and again at index 2; each item needs one label",
        ),
        ({"a": 0, "b": 0, "z": 1}, "has item 'z', which the reference does not have"),
        ({"a": 0, "b": 0}, r"lacks item 'c' of the reference \(1 such items\)"),
        ([0, 1], "has 2 labels for 3 items of the reference"),
        ({"a": 0, "b": None, "c": 1}, "has no label for the item at index 1"),
    ],
)
def test_clusterings_of_other_items(labels, message):
    with pytest.raises(ValueError, match=f"^clustering 0 {message}"):
        pw.sweep(BY_ITEM, [labels], kind="nested", measures="rand_index")
    with pytest.raises(ValueError, match=f"^start {message}"):
        pw.sweep(BY_ITEM, [("a", "b", 0.5)], start=labels, measures="rand_index", **SIMILAR)


def test_clusterings_of_items_beside_labels_by_position():
    for levels in ([BY_ITEM], [[{"a", "b"}, {"c"}]]):
        with pytest.raises(ValueError, match="clustering 0 has item ids, the"):
            pw.sweep([0, 0, 1], levels, kind="nested", measures="rand_index")


def test_the_cluster_that_is_split_is_named_whatever_its_order():
    fine = {"c": "x", "b": "y", "a": "y"}
    with pytest.raises(ValueError, match="splits cluster 'y' of clustering 0"):
        pw.sweep(BY_ITEM, [fine, {"a": 1, "b": 2, "c": 2}], kind="nested")


@pytest.mark.parametrize(
    "scores",
    [
        [0.5, 2**53, 2**53 + 1],
        [2.0**53, 2**53 + 1, 7],
        np.array([5, 2**53, 2**53 + 1]),
        np.array([-(2**60), -(2**60) - 1, 3]),
        np.array([2**64 - 1, 1, 2**64 - 2], dtype=np.uint64),
    ],
)
def test_scores_that_would_become_one_threshold(scores):
    message = r"edges \d and \d have the scores .*, which differ and are the same double"
    for edges in (
        ([0, 1, 2], [1, 2, 3], scores),
        list(zip([0, 1, 2], [1, 2, 3], scores, strict=True)),
    ):
        for order in ("distance", "similarity"):
            with pytest.raises(ValueError, match=message):
                pw.sweep(GOLD, edges, scores=order, kind="edges")


def test_large_scores_that_stay_apart_are_taken():
    for scores in ([2**53, 2**53 + 2, 2**53], np.array([2**60, 2**60, 2**61])):
        found = pw.sweep(GOLD, ([0, 1, 2], [1, 2, 3], scores), kind="edges", **SIMILAR)
        assert len(found.thresholds) == 3


@pytest.mark.parametrize(
    "scores",
    [
        np.array(["2020-01-01", "2020-01-02"], dtype="M8[ns]"),
        [np.datetime64("2020"), np.datetime64("2021")],
        np.array([1, 2], dtype="m8[s]"),
        np.array([1, 2j]),
    ],
)
def test_scores_that_are_no_real_numbers(scores):
    with pytest.raises(ValueError, match=r"scores of edges are real numbers; these are"):
        pw.sweep(GOLD, ([0, 1], [1, 2], scores), kind="edges", **SIMILAR)


@pytest.mark.parametrize("thresholds", ["a", 0.5, [], [np.nan], [[0.5]], {"a": 1}])
def test_bad_thresholds(thresholds):
    with pytest.raises(ValueError, match="a number of states, or a list of thresholds"):
        pw.sweep(GOLD, [(0, 1, 0.5)], thresholds=thresholds, **SIMILAR)


def test_a_threshold_is_a_number():
    found = pw.sweep(GOLD, [(0, 1, 0.5)], **SIMILAR)
    with pytest.raises(TypeError, match="threshold='x'"):
        found.at("x")
    with pytest.raises(ValueError, match="NaN"):
        found.at(np.nan)


@pytest.mark.parametrize(
    ("labels", "edges", "text"),
    [
        (GOLD, [], "1 state of 4 items"),
        ([0], [], "1 state of 1 item"),
        ([], [], "1 state of 0 items"),
        ([None, 1], [(0, 1, 0.5)], "2 states of 1 item with a label, 1 further item without"),
    ],
)
def test_next_to_nothing(labels, edges, text):
    found = pw.sweep(labels, edges, unlabelled="ignore", **SIMILAR)
    assert str(found).startswith(text)
    assert len(found.to_pandas()) == len(found)
    assert found.plot() is not None
    if labels == GOLD:  # two clusters are two components, and all draws are alike
        drawn = found.bootstrap("rand_index", seed=1, draws=9)
        assert set(drawn.best_states.tolist()) == {0}
        assert set(drawn.values.tolist()) == {found.best("rand_index").value}
        return
    with pytest.raises(ValueError, match=r"component|at least 2"):
        found.bootstrap("rand_index")


def test_items_without_any_label_leave_nothing_to_score():
    with pytest.raises(ValueError, match="no item is left to score: none of the 2 items"):
        pw.sweep([None, None], [(0, 1, 0.5)], unlabelled="ignore", **SIMILAR)


def test_without_the_extras(monkeypatch):
    found = pw.sweep(GOLD, [(0, 1, 0.5)], **SIMILAR)
    for name in ("matplotlib", "matplotlib.figure", "pandas"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install matplotlib"):
        found.plot()
    with pytest.raises(ModuleNotFoundError, match=r"pip install pandas"):
        found.to_pandas()


@pytest.mark.parametrize(
    "ids", [("1", "2", "3", "4"), ("1", "2", "x", "y"), ("007", "7", "8", "08")]
)
def test_command_line_takes_ids_as_they_stand(tmp_path, capsys, ids):
    """Ids of text files are text on both sides, whichever of them the edges name."""
    a, b, c, d = ids
    (tmp_path / "gold.csv").write_text(f"id,who\n{a},p\n{b},p\n{c},q\n{d},r\n")
    (tmp_path / "edges.csv").write_text(f"x,y,score\n{a},{b},0.9\n{b},{a},0.4\n")
    arguments = ["sweep", f"{tmp_path}/gold.csv", f"{tmp_path}/edges.csv", "--item", "id"]
    arguments += ["--label", "who", "--scores", "similarity", "--measures", "pair_f1"]
    assert main(arguments) == 0
    assert "pair_f1 1.0000 at thresholds in (-inf, 0.9]" in capsys.readouterr().out


def test_command_line_takes_positions(tmp_path, capsys):
    (tmp_path / "gold.txt").write_text("p\np\nq\nr\n")
    (tmp_path / "edges.csv").write_text("x,y,score\n0,1,0.9\n")
    arguments = ["sweep", f"{tmp_path}/gold.txt", f"{tmp_path}/edges.csv"]
    assert main([*arguments, "--scores", "similarity", "--measures", "pair_f1"]) == 0
    assert "pair_f1 1.0000" in capsys.readouterr().out
    (tmp_path / "edges.csv").write_text("x,y,score\n0,1,\n")
    assert main([*arguments, "--scores", "similarity"]) == 2
    assert "edges.csv:2: the score '' in column 'score' is no number" in capsys.readouterr().err
