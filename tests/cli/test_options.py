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
