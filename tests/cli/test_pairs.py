"""Pairs of items at the command line: ``clusters``, and the columns of edges."""

import csv
import io
import json

import numpy as np
import pytest

import partwise as pw
from partwise.cli import main

pytestmark = pytest.mark.one_backend

PAIRS = "left,right,score\nr1,r2,0.9\nr3,r2,0.4\nr4,r5,0.4\n"
#: The same with the columns elsewhere.
WIDE = "rule,score,right,left\nx,0.9,r2,r1\nx,0.4,r2,r3\ny,0.4,r5,r4\n"
ITEMS = "record,name\n" + "".join(f"r{i},n{i}\n" for i in range(1, 7))


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts = {"pairs.csv": PAIRS, "wide.csv": WIDE, "items.csv": ITEMS}
    texts["truth.csv"] = "record,person\nr1,a\nr2,a\nr3,a\nr4,b\nr5,c\n"
    texts["bare.csv"] = "1,2\n2,3\n5,4\n"
    for name, text in texts.items():
        (tmp_path / name).write_text(text)


def run(capsys, *arguments):
    try:
        code = main(list(arguments))
    except SystemExit as end:
        code = end.code
    out, err = capsys.readouterr()
    return code, out, err


def clusters_of(text):
    rows = list(csv.DictReader(io.StringIO(text)))
    names = list(rows[0])
    assert names[1:] == ["cluster"]
    grouped = {}
    for row in rows:
        grouped.setdefault(row["cluster"], []).append(row[names[0]])
    return list(grouped.values())


@pytest.mark.parametrize("source", ["pairs.csv", "wide.csv", "wide.csv::left,right"])
def test_pairs_become_clusters(capsys, source):
    code, out, err = run(capsys, "clusters", source)
    assert code == 0
    assert clusters_of(out) == [["r1", "r2", "r3"], ["r4", "r5"]]
    assert out.startswith("item,cluster\n")
    assert "3 pairs join 5 items into 2 clusters" in err


def test_items_in_no_pair_and_a_threshold(capsys):
    arguments = ["clusters", "pairs.csv", "--items", "items.csv", "--item", "record"]
    _, out, _ = run(capsys, *arguments)
    assert out.startswith("record,cluster\n")
    assert clusters_of(out) == [["r1", "r2", "r3"], ["r4", "r5"], ["r6"]]
    best = ["--scores", "similarity", "--threshold"]
    _, out, err = run(capsys, *arguments, *best, "0.5")
    assert clusters_of(out) == [["r1", "r2"], ["r3"], ["r4"], ["r5"], ["r6"]]
    assert "1 pair of 3 join 6 items into 5 clusters" in err
    _, out, _ = run(capsys, *arguments, *best, "0.4")
    assert len(clusters_of(out)) == 3
    _, out, _ = run(capsys, *arguments, *best, "0.4", "--open")
    assert len(clusters_of(out)) == 5
    low = ["--scores", "distance", "--threshold", "0.4"]
    _, out, _ = run(capsys, *arguments, *low)
    assert clusters_of(out) == [["r1"], ["r2", "r3"], ["r4", "r5"], ["r6"]]
    _, out, _ = run(capsys, *arguments, *low, "--open")
    assert len(clusters_of(out)) == 6


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["pairs.csv", "--items", "truth.csv", "--item", "1", "--header", "yes"], "record"),
        (["pairs.csv", "--items", "truth.csv::1", "--header", "yes"], "record"),
        (["pairs.csv", "--items", "truth.csv::record"], "record"),
        (["none.csv", "--items", "truth.csv", "--item", "record,person"], '"record,person"'),
        (["bare.csv", "--items", "plain.csv::2", "--header", "no"], "item"),
    ],
)
def test_the_column_of_the_ids_keeps_its_name(capsys, tmp_path, arguments, name):
    (tmp_path / "plain.csv").write_text("".join(f"n,{i}\n" for i in range(1, 6)))
    (tmp_path / "none.csv").write_text("left,right\n")
    code, out, _ = run(capsys, "clusters", *arguments)
    assert code == 0
    assert out.startswith(f"{name},cluster\n")


def test_pairs_without_a_header(capsys):
    _, out, _ = run(capsys, "clusters", "bare.csv")
    assert clusters_of(out) == [["1", "2", "3"], ["5", "4"]]


@pytest.fixture
def whole_numbers():
    """Ids that are numbers, in files of which one keeps them as numbers."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    tables = {
        "items.parquet": {"id": [1, 2, 3, 4], "t": ["a", "a", "b", "b"]},
        "pairs.parquet": {"left": [1, 3], "right": [2, 4], "score": [0.9, 0.8]},
        "floats.parquet": {"id": [1.5, 2.0, 3.0], "t": ["a", "a", "b"]},
        "gaps.parquet": {"left": [1, None], "right": [2, 4]},
    }
    for name, columns in tables.items():
        parquet.write_table(pyarrow.table(columns), name)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ("01,2\n02,3\n", [["01", "2"], ["02", "3"]]),
        ("1,1.0\n1e0,1.00\n", [["1", "1.0"], ["1e0", "1.00"]]),
        ("A1,2\nB,NA\n", [["A1", "2"], ["B", "NA"]]),
        ("1,2\n2,nan\n", [["1", "2", "nan"]]),
    ],
)
def test_ids_of_text_files_are_text(capsys, tmp_path, pairs, expected):
    (tmp_path / "ids.csv").write_text(f"left,right\n{pairs}")
    code, out, _ = run(capsys, "clusters", "ids.csv")
    assert code == 0
    assert clusters_of(out) == expected


@pytest.mark.usefixtures("whole_numbers")
@pytest.mark.parametrize("first", ["1", "01"])
def test_whole_numbers_of_parquet_are_text_beside_text(capsys, tmp_path, first):
    (tmp_path / "edges.csv").write_text(f"left,right,score\n{first},2,0.9\n3,4,0.8\n")
    (tmp_path / "truth.csv").write_text("id,t\n1,a\n2,a\n3,b\n4,b\n")
    common = ["--item", "id", "--scores", "similarity", "--measures", "pair_f1", "--json"]
    swept = run(capsys, "sweep", "items.parquet::t", "edges.csv", *common)
    joined = run(capsys, "clusters", "edges.csv::left,right", "--items", "items.parquet::id")
    if first == "01":
        assert (swept[0], joined[0]) == (2, 2)
        named = "edges.csv: line 2 names item '01', which"
        assert f"{named} the reference does not have" in swept[2]
        assert f"{named} is not among the items" in joined[2]
        return
    assert clusters_of(joined[1]) == [["1", "2"], ["3", "4"]]
    for files in (("items.parquet::t", "pairs.parquet"), ("truth.csv::t", "pairs.parquet")):
        assert run(capsys, "sweep", *files, *common)[:2] == swept[:2]
    _, out, _ = run(capsys, "clusters", "pairs.parquet", "--items", "truth.csv::id")
    assert out == joined[1]


def test_the_line_of_a_pair_counts_those_that_a_threshold_leaves_out(capsys, tmp_path):
    (tmp_path / "edges.csv").write_text("left,right,score\nr9,r2,0.1\nr1,r2,0.8\nr1,r8,0.9\n")
    arguments = ["edges.csv", "--items", "items.csv::record", "--scores", "similarity"]
    code, _, err = run(capsys, "clusters", *arguments, "--threshold", "0.5")
    assert code == 2
    assert "edges.csv: line 4 names item 'r8'" in err


@pytest.mark.usefixtures("whole_numbers")
@pytest.mark.parametrize(
    "swept",
    [
        ["items.parquet::t", "pairs.csv", "--groups", "groups.csv::g"],
        ["truth.csv::t", "pairs.csv", "--groups", "items.parquet::t"],
        ["items.parquet::t", "pairs.csv", "--groups", "items.parquet::t"],
        ["items.parquet::t", "pairs.parquet", "--groups", "items.parquet::t"],
    ],
)
def test_groups_have_the_ids_of_the_reference(capsys, tmp_path, swept):
    (tmp_path / "pairs.csv").write_text("left,right,score\n1,2,0.9\n3,4,0.8\n3,5,0.1\n")
    (tmp_path / "truth.csv").write_text("id,t\n1,a\n2,a\n3,b\n4,b\n")
    (tmp_path / "groups.csv").write_text("id,g\n1,p\n2,p\n3,q\n4,q\n")
    drawn = ["--bootstrap", "20", "--seed", "1", "--unlabelled", "ignore", "--item", "id"]
    scored = ["--scores", "similarity", "--measures", "pair_f1"]
    code, out, err = run(capsys, "sweep", *swept, *drawn, *scored)
    assert code == 0, err
    assert "groups" in out


@pytest.mark.usefixtures("whole_numbers")
def test_pairs_without_an_id_or_with_ids_of_another_kind_are_refused(capsys, tmp_path):
    code, _, err = run(capsys, "clusters", "gaps.parquet")
    assert code == 2
    assert "gaps.parquet: column 'left' has no item in row 2" in err
    (tmp_path / "gap.csv").write_text("left,right\n1,2\n,3\n")
    assert "gap.csv:3: empty item id in column 'left'" in run(capsys, "clusters", "gap.csv")[2]
    files = ["pairs.csv::left,right", "--items", "floats.parquet::id"]
    code, _, err = run(capsys, "clusters", *files)
    assert code == 2
    assert "are text, and others are float" in err


def test_a_matcher_that_found_nothing_joins_nothing(capsys, tmp_path):
    (tmp_path / "none.csv").write_text("unique_id_l,unique_id_r,match_probability\n")
    code, out, err = run(capsys, "clusters", "none.csv")
    assert (code, out) == (0, "item,cluster\n")
    assert "0 pairs join 0 items" in err
    all_items = ["--items", "items.csv::record"]
    _, out, _ = run(capsys, "clusters", "none.csv", *all_items)
    assert len(clusters_of(out)) == 6
    swept = ["sweep", "truth.csv::person", "none.csv", "--item", "record"]
    code, out, _ = run(capsys, *swept, "--scores", "similarity", "--measures", "pair_f1")
    assert code == 0
    assert "1 state of 5 items" in out


def test_usual_names_are_a_header_above_text(capsys, tmp_path):
    (tmp_path / "text.csv").write_text("left,right\nr1,r2\n")
    assert clusters_of(run(capsys, "clusters", "text.csv")[1]) == [["r1", "r2"]]
    code, out, _ = run(capsys, "clusters", "text.csv", "--header", "no")
    assert code == 0
    assert clusters_of(out) == [["left", "right"], ["r1", "r2"]]


@pytest.mark.parametrize(
    ("score", "way_out"),
    [("high", "is no number"), ("90%", "is no number"), ("0,9", "a point")],
)
@pytest.mark.parametrize("names", ["left;right;score", "a;b;similarity"])
def test_a_score_that_is_no_number_is_named(capsys, tmp_path, names, score, way_out):
    (tmp_path / "bad.csv").write_text(f"{names}\nr1;r2;{score}\n")
    arguments = ["bad.csv", "--scores", "similarity", "--threshold", "0.5"]
    code, _, err = run(capsys, "clusters", *arguments)
    assert code == 2
    assert f"bad.csv:2: the score {score!r} in column" in err
    assert way_out in err


@pytest.mark.parametrize(
    ("header", "sentence"),
    [
        ("pid,left,right,similarity,distance", "similarity and distance may be the score"),
        ("left,right,distance,score,x", "score and distance may be the score"),
        ("pid,left,right,x,y", "nothing tells which of pid, x, y is the score"),
        ("source,target,left,right,score", "source, target and left, right may be the two"),
    ],
)
def test_columns_that_names_do_not_tell_are_refused(capsys, tmp_path, header, sentence):
    (tmp_path / "wide.csv").write_text(f"{header}\n1,2,3,4,5\n2,3,4,5,6\n")
    code, _, err = run(
        capsys, "clusters", "wide.csv", "--scores", "distance", "--threshold", "1"
    )
    assert code == 2
    assert sentence in err
    assert "say which columns hold the edges: wide.csv::ITEM,ITEM,SCORE" in err


def test_a_table_of_edges_is_never_taken_for_nested_clusterings(capsys, tmp_path):
    (tmp_path / "four.csv").write_text("id,person\nr1,A\nr2,A\nr3,B\nr4,C\n")
    rows = "r1,r2,0.9\nr2,r1,0.9\nr3,r4,0.8\nr4,r3,0.8\n"
    (tmp_path / "sym.csv").write_text(f"left,right,score\n{rows}")
    np.save("rows.npy", np.array([[0, 1, 0.9], [1, 2, 0.8], [2, 3, 0.7]]))
    (tmp_path / "three.csv").write_text("label\n1\n1\n2\n")
    for files in (["four.csv::person", "sym.csv", "--item", "id"], ["three.csv", "rows.npy"]):
        code, _, err = run(capsys, "sweep", *files)
        assert code == 2
        assert "edges need --scores distance" in err


def test_what_is_written_is_a_side_of_every_command(capsys):
    arguments = ["--items", "truth.csv", "--item", "record", "--output", "linked.csv"]
    assert run(capsys, "clusters", "pairs.csv", *arguments, "--quiet") == (0, "", "")
    compared = ["compare", "truth.csv::person", "linked.csv::cluster", "--item", "record"]
    _, out, _ = run(capsys, *compared, "--measures", "pair_f1", "--json")
    truth = {"r1": "a", "r2": "a", "r3": "a", "r4": "b", "r5": "c"}
    linked = {"r1": 0, "r2": 0, "r3": 0, "r4": 1, "r5": 1}
    assert json.loads(out)["scores"]["pair_f1"] == pw.pair_f1(truth, linked)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["pairs.csv", "--threshold", "0.5"], "--threshold needs --scores distance"),
        (["pairs.csv", "--scores", "distance"], "--scores is about --threshold"),
        (["pairs.csv", "--open"], "--open is about --threshold"),
        (["pairs.csv", "--item", "record"], "--item names the column of the ids in --items"),
        (
            ["pairs.csv", "--items", "items.csv::record", "--item", "nosuch"],
            "--item names the column of an --items FILE that names none",
        ),
        (["pairs.csv::left"], "two columns are expected after '::': item,item"),
        (
            ["pairs.csv", "--items", "items.csv", "--header", "yes"],
            "say which one holds the ids: items.csv::COL",
        ),
        (
            ["pairs.csv::left,right", "--items", "items.csv::name"],
            "pairs.csv: line 2 names item 'r1', which is not among the items",
        ),
        (
            ["pairs.csv::left,right,right", "--scores", "distance", "--threshold", "1"],
            "pairs.csv:2: the score 'r2' in column 'right' is no number",
        ),
    ],
)
def test_clusters_refuses(capsys, arguments, sentence):
    code, out, err = run(capsys, "clusters", *arguments)
    assert (code, out) == (2, "")
    assert sentence in err


def test_edges_are_found_by_their_names(capsys):
    common = ["--item", "record", "--scores", "similarity", "--measures", "pair_f1", "--json"]
    swept = ["sweep", "truth.csv::person"]
    expected = run(capsys, *swept, "pairs.csv", *common)
    assert expected[0] == 0
    code, out, err = run(capsys, *swept, "wide.csv", *common)
    assert (code, out) == expected[:2]
    assert "edges were read from its columns left, right, score" in err
    named = run(capsys, *swept, "wide.csv::left,right,score", *common)
    assert named == expected


def test_scores_are_numbers_however_they_are_written(capsys, tmp_path):
    common = ["--item", "record", "--scores", "similarity", "--measures", "pair_f1", "--json"]
    expected = run(capsys, "sweep", "truth.csv::person", "pairs.csv", *common)
    written = PAIRS.replace("0.9", "9.0e-1").replace("r5,0.4", "r5,0.40")
    (tmp_path / "written.csv").write_text(written)
    assert run(capsys, "sweep", "truth.csv::person", "written.csv", *common) == expected


def test_a_sampled_truth_goes_with_edges_of_all_items(capsys, tmp_path):
    (tmp_path / "sample.csv").write_text("record,person\nr1,a\nr3,a\nr4,b\n")
    swept = ["sweep", "sample.csv::person", "pairs.csv", "--item", "record"]
    swept += ["--scores", "similarity", "--measures", "pair_f1"]
    code, _, err = run(capsys, *swept)
    assert code == 2
    assert "--unlabelled ignore if the reference is a sample" in err
    code, out, _ = run(capsys, *swept, "--unlabelled", "ignore")
    assert code == 0
    assert "3 states of 3 items with a label, 2 further items without" in out
    assert "pair_f1 1.0000" in out


#: Of five items; the last row takes effect at the height of the one before it.
LINKAGE = [[0, 1, 0.25, 2], [2, 3, 0.5, 2], [4, 6, 2.0, 3], [5, 7, 1.5, 5]]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (["--threshold", "0.1"], ["0", "1", "2", "3", "4"]),
        (["--threshold", "0.5"], ["01", "23", "4"]),
        (["--threshold", "0.5", "--open"], ["01", "2", "3", "4"]),
        (["--threshold", "1.5"], ["01", "23", "4"]),
        (["--threshold", "2"], ["01234"]),
    ],
)
def test_a_linkage_is_cut(capsys, more, expected):
    np.save("link.npy", np.array(LINKAGE))
    code, out, _ = run(capsys, "clusters", "link.npy", "--scores", "distance", *more)
    assert code == 0
    assert clusters_of(out) == [list(items) for items in expected]
    items = ["--items", "truth.csv::record"]
    _, out, _ = run(capsys, "clusters", "link.npy", "--scores", "distance", *more, *items)
    named = [[f"r{int(item) + 1}" for item in items] for items in expected]
    assert clusters_of(out) == named


@pytest.mark.parametrize(
    ("rows", "more", "sentence"),
    [
        (LINKAGE, [], "is a linkage, whose heights are distances; say --threshold T --scores"),
        (
            LINKAGE,
            ["--threshold", "1", "--scores", "similarity"],
            "say --scores distance, or name the columns of pairs: link.npy::ITEM,ITEM,SCORE",
        ),
        (
            LINKAGE,
            ["--threshold", "1", "--scores", "distance", "--items", "items.csv::record"],
            "a linkage of 4 rows joins 5 items, and there are 6 items",
        ),
        (
            [[1, 7, 0.5, 2]],
            ["--threshold", "1", "--scores", "distance"],
            "link.npy: linkage row 0 joins 1 and 7: a cluster that is not yet formed; an array",
        ),
    ],
)
def test_a_linkage_is_never_taken_for_pairs(capsys, rows, more, sentence):
    np.save("link.npy", np.array(rows))
    code, out, err = run(capsys, "clusters", "link.npy", *more)
    assert (code, out) == (2, "")
    assert sentence in err


@pytest.fixture
def numbered(tmp_path):
    """Edges of which an array makes the numbers of their items floats."""
    np.save("edges.npy", np.array([[0, 1, 0.9], [2, 3, 0.5], [1, 2, 0.1]]))
    (tmp_path / "edges.csv").write_text("left,right,score\n0,1,0.9\n2,3,0.5\n1,2,0.1\n")
    (tmp_path / "numbers.csv").write_text("id,t,name\n0,a,n0\n1,a,n1\n2,b,n2\n3,b,n3\n")


@pytest.mark.usefixtures("numbered")
@pytest.mark.parametrize(
    "arguments",
    [
        ["clusters", "edges.npy", "--threshold", "0.5"],
        ["clusters", "edges.npy::1,2,3", "--threshold", "0.5", "--items", "numbers.csv::id"],
        ["sweep", "numbers.csv::t", "edges.npy", "--item", "id", "--measures", "pair_f1"],
        ["sweep", "numbers.csv::t", "edges.npy", "--measures", "pair_f1"],
    ],
)
def test_items_of_an_array_of_floats_are_whole_numbers(capsys, arguments):
    arguments += ["--scores", "similarity"]
    of_array = run(capsys, *arguments)
    assert of_array[0] == 0
    arguments = [x.replace("npy::1,2,3", "csv").replace("npy", "csv") for x in arguments]
    assert run(capsys, *arguments) == of_array


@pytest.mark.usefixtures("numbered")
@pytest.mark.parametrize("item", [0.5, np.nan, 2.0**53])
def test_items_of_an_array_that_are_no_whole_numbers_are_refused(capsys, item):
    np.save("edges.npy", np.array([[0, 1, 0.9], [2, item, 0.5]]))
    scored = ["edges.npy", "--scores", "similarity"]
    for arguments in (
        ["clusters", *scored, "--threshold", "0.5"],
        ["sweep", "numbers.csv::t", *scored, "--item", "id"],
        ["sweep", "numbers.csv::t", *scored],
    ):
        code, out, err = run(capsys, *arguments)
        assert (code, out) == (2, "")
        assert f"edges.npy: column '2' names item {item} in row 2; items of an array" in err
