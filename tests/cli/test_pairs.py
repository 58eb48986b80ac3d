"""Pairs of items at the command line: ``clusters``, and the columns of edges."""

import csv
import io
import json

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


def test_pairs_without_a_header(capsys):
    _, out, _ = run(capsys, "clusters", "bare.csv")
    assert clusters_of(out) == [["1", "2", "3"], ["5", "4"]]


def test_what_is_written_is_a_side_of_every_command(capsys):
    arguments = ["--item", "record", "--output", "linked.csv", "--quiet"]
    assert run(capsys, "clusters", "pairs.csv", *arguments) == (0, "", "")
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
        (["pairs.csv::left"], "two columns are expected after '::': item,item"),
        (
            ["pairs.csv", "--items", "items.csv", "--header", "yes"],
            "say which one holds the ids: items.csv::COL",
        ),
        (
            ["pairs.csv::left,right", "--items", "items.csv::name"],
            "pair 0 names item 'r1', which is not among the items",
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
