"""Options act, or are refused: none is dropped, and none replaces another in silence."""

import json

import numpy as np
import pytest

from partwise.cli import main

pytestmark = pytest.mark.one_backend

TRUTH = dict(zip("abcdef", "xxyyzz", strict=True))
FOUND = dict(zip("fbdace", "112233", strict=True))
SAME = dict(zip("fbdace", "zxyxyz", strict=True))


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Files of one kind each, in the current folder."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{item},{TRUTH[item]},{FOUND[item]}\n" for item in TRUTH]
    (tmp_path / "t.csv").write_text("id,truth,found\n" + "".join(rows))
    (tmp_path / "gene.csv").write_text(",k\n" + "".join(f"{i},{x}\n" for i, x in SAME.items()))
    lines = [json.dumps({"id": item, "k": label}) + "\n" for item, label in SAME.items()]
    (tmp_path / "rows.jsonl").write_text("".join(lines))
    (tmp_path / "c.cmty").write_text("a b\nc d\ne f\n")
    modules = "".join(f'"{i}" {"xyz".index(x)} 0.1\n' for i, x in TRUTH.items())
    (tmp_path / "m.clu").write_text("# node module flow\n" + modules)
    np.save(tmp_path / "one.npy", np.arange(6))
    np.save(tmp_path / "two.npy", np.arange(6).reshape(2, 3))
    return tmp_path


def run(capsys, line):
    """Run a command line; return its code, output and errors."""
    try:
        code = main(line.split())
    except SystemExit as ended:
        code = ended.code
    return code, *capsys.readouterr()


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("compare t.csv::2 t.csv::3 --measures ari --measures nmi", "--measures: given twice"),
        (
            "compare t.csv::2 t.csv::3 --measures ari --header yes --header no",
            "--header: given",
        ),
        ("score t.csv --reference 2 --candidates 3 --candidates 1", "commas between"),
        ("coref a b --measures muc --measures lea", "--measures: given twice"),
        ("score t.csv --reference truth --candidates found,found", "'found' twice"),
        ("score t.csv --reference truth --candidates found,3", "'found' twice"),
        (
            "compare t.csv::2 t.csv::3 --missing drop,drop,error",
            "drop,drop,error has 3 words",
        ),
        ("compare t.csv::2 t.csv::3 --bootstrap 0", "--bootstrap 0 must be"),
        ("compare t.csv::2 t.csv::3 --seed 1", "--seed is for --bootstrap"),
        ("compare one.npy one.npy --flatten", "--flatten would do nothing"),
        ("compare c.cmty c.cmty --item id", "no columns to choose from"),
        ("compare c.cmty::2 gene.csv --item 1", "no columns to choose from"),
        ("compare m.clu m.clu --item id", "no column id; nodes are matched without --item"),
    ],
)
def test_refused(here, capsys, line, text):
    code, out, err = run(capsys, line)
    assert (code, out) == (2, "")
    assert text in err


@pytest.mark.parametrize(
    "line",
    [
        "c.cmty gene.csv::k --item 1",
        "gene.csv c.cmty --item 1 --label k",
        "c.cmty rows.jsonl --item id --label k",
        "m.clu gene.csv::k --item 1",
        "m.clu rows.jsonl::k --item id",
        "m.clu::module rows.jsonl::k --item 1",
        "c.cmty m.clu",
    ],
)
def test_an_item_column_is_for_the_side_that_needs_one(here, capsys, line):
    code, out, err = run(capsys, f"compare {line} --measures ari --json")
    assert code == 0, err
    assert json.loads(out)["scores"]["adjusted_rand_index"] == 1


def test_flatten_acts_where_one_side_needs_it(here, capsys):
    code, out, _ = run(capsys, "compare one.npy two.npy --flatten --measures ari --json")
    assert (code, json.loads(out)["scores"]["adjusted_rand_index"]) == (0, 1)


def test_score_leaves_ids_out_and_says_so(here, capsys):
    code, out, err = run(capsys, "score t.csv --reference truth --measures ari --csv")
    assert code == 0
    assert [line.split(",")[0] for line in out.splitlines()[1:]] == ["found"]
    assert "column 'id' was not scored" in err
    code, out, err = run(capsys, "score t.csv --reference truth --candidates id --measures ari")
    assert code == 0
    assert "was not scored" not in err


@pytest.mark.parametrize(
    ("line", "moved"),
    [
        ("compare t.csv::2 --measures vi t.csv::3", "compare t.csv::2 t.csv::3 --measures vi"),
        (
            "compare --measures vi t.csv::2 --json t.csv::3",
            "compare t.csv::2 t.csv::3 --json --measures vi",
        ),
        (
            "compare --measures vi -- t.csv::2 t.csv::3",
            "compare t.csv::2 t.csv::3 --measures vi",
        ),
        (
            "compare --measures vi -- -dash.csv::2 ./-dash.csv::3",
            "compare ./-dash.csv::2 ./-dash.csv::3 --measures vi",
        ),
        ("diagnose t.csv::2 --items -- -2::3", "diagnose t.csv::2 ./-2::3 --items"),
        (
            "diagnose t.csv::2 --worst 1 t.csv::3 --items 2",
            "diagnose t.csv::2 t.csv::3 --worst 1 --items 2",
        ),
        (
            "pairwise t.csv::2 --measure nvi t.csv::3 a=t.csv::1",
            "pairwise t.csv::2 t.csv::3 a=t.csv::1 --measure nvi",
        ),
        (
            "consensus t.csv::2 --seed 1 t.csv::3 --runs 2 t.csv::3",
            "consensus t.csv::2 t.csv::3 t.csv::3 --seed 1 --runs 2",
        ),
        ("measures ari --csv nmi", "measures ari nmi --csv"),
    ],
)
def test_options_stand_between_files(here, capsys, line, moved):
    for name in ("-dash.csv", "-2"):
        (here / name).write_text((here / "t.csv").read_text())
    expected = run(capsys, moved)
    assert run(capsys, line) == expected
    assert bool(expected[0]) == ("t.csv::3 t.csv::3" in moved)  # one name for two


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("compare t.csv::2 --measures vi t.csv::3 --measures nmi", "--measures: given twice"),
        (
            "compare t.csv::2 --measures vi t.csv::3 t.csv::1",
            "unrecognized arguments: t.csv::1",
        ),
        ("compare --measures vi t.csv::2 t.csv::3 --nothing", "unrecognized arguments: --not"),
        (
            "coref --worst key.conll response.conll",
            "invalid int value: 'key.conll'; what stands behind --worst is its value: put the",
        ),
        (
            "coref --errors key.conll response.conll",
            "required: RESPONSE; --errors took 'key.conll' for its value: put the files before",
        ),
        (
            "diagnose --items t.csv::2 t.csv::3",
            "invalid int value: 't.csv::2'; what stands behind --items is its value",
        ),
        ("pairwise t.csv --label truth", "--label would do nothing: every column of t.csv"),
        ("consensus t.csv --label truth", "--label would do nothing: every column of t.csv"),
        (
            "pairwise t.csv::2 t.csv::3 --all-columns",
            "--all-columns is for a FILE that names no",
        ),
        ("compare t.csv::2 t.csv::3 --bootstrap 1", "--bootstrap 1 must be"),
        ("clusters t.csv --scores distance --threshold nan", "--threshold is NaN"),
    ],
)
def test_what_would_be_taken_amiss_is_refused(here, capsys, line, text):
    code, out, err = run(capsys, line)
    assert (code, out) == (2, "")
    assert text in err


def test_a_file_that_an_option_took_for_its_value(here, capsys):
    (here / "key.conll").write_text("#begin document (d);\nd\t0\t0\ta\t(0)\n\n#end document\n")
    code, out, err = run(capsys, "coref --errors key.conll key.conll key.conll")
    assert (code, out) == (2, "")
    assert "what stands behind --errors is its value: put the files before it" in err


def test_a_file_whose_name_has_a_sign_of_equality_comes_before_a_name(here, capsys):
    (here / "n=t.csv").write_text((here / "t.csv").read_text())
    code, out, _ = run(capsys, "pairwise n=t.csv::truth t.csv::truth --csv")
    assert code == 0
    assert out.splitlines()[0] == "reference,n=t.csv::truth,t.csv::truth"
