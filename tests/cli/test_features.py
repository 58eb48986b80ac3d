"""``--features``: rows of numbers from files, by order or by item; what is told or refused."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import partwise as pw
from partwise.cli import main

pytestmark = pytest.mark.one_backend

EXAMPLE = Path(__file__).parents[2] / "examples" / "points.csv"
NAMES = "centroid_index,centroid_similarity_index,centroid_ratio,css_distance,s_mse"
LABELS = "points.csv::truth points.csv::found"


@pytest.fixture
def points(tmp_path, monkeypatch):
    """The example in the current folder; returns its rows."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "points.csv").write_text(EXAMPLE.read_text())
    return list(csv.DictReader(EXAMPLE.read_text().splitlines()))


def columns(points):
    """Return ids, both labellings and the features of the example."""
    rows = np.array([[float(point["x"]), float(point["y"])] for point in points])
    return *([point[name] for point in points] for name in ("id", "truth", "found")), rows


def write(name, header, rows):
    lines = [",".join(map(str, row)) for row in rows]
    Path(name).write_text("\n".join([*([header] if header else []), *lines]) + "\n")


def run(capsys, line):
    code = main(line.split())
    return code, *capsys.readouterr()


def scores(capsys, line):
    code, out, err = run(capsys, f"{line} --json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_every_form_of_file_gives_the_scores_of_python(capsys, points):
    ids, truth, found, rows = columns(points)
    wanted = pw.compare(truth, found, measures=NAMES, features=rows).scores
    order = np.random.default_rng(0).permutation(len(ids))
    np.save("rows.npy", rows)
    np.savez("rows.npz", X=rows, y=np.arange(12))
    write("plain.csv", "", rows)
    write("rows.tsv", "", rows)
    Path("rows.tsv").write_text(Path("plain.csv").read_text().replace(",", "\t"))
    write("named.csv", "x,y", rows)
    write("moved.csv", "id,x,y", [(ids[i], *rows[i]) for i in order])
    lines = [json.dumps({"id": ids[i], "x": rows[i, 0], "y": rows[i, 1]}) for i in order]
    Path("moved.jsonl").write_text("\n".join(lines))
    by_order = ("points.csv::x,y", "points.csv::4,5", "rows.npy", "rows.npz::X", "plain.csv")
    for file in (*by_order, "rows.tsv", "named.csv"):
        document = scores(capsys, f"compare {LABELS} --measures {NAMES} --features {file}")
        assert document["scores"] == wanted
        assert "numbers-read" in {note["code"] for note in document["account"]["notes"]}
    for file in ("points.csv::x,y", "moved.csv", "moved.jsonl"):
        line = f"compare {LABELS} --item id --measures {NAMES} --features {file}"
        document = scores(capsys, line)
        assert document["account"]["matched_by"] == "item"
        assert document["scores"] == wanted


def test_embeddings_in_a_column_of_lists(capsys, points):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    ids, truth, found, rows = columns(points)
    wanted = pw.compare(truth, found, measures="css_distance", features=rows).scores
    embeddings = pyarrow.array(rows[::-1].tolist())
    parquet.write_table(pyarrow.table({"id": ids[::-1], "emb": embeddings}), "rows.parquet")
    line = f"compare {LABELS} --item id --measures css_distance --features rows.parquet"
    assert scores(capsys, line)["scores"] == wanted
    ragged = pyarrow.array([[1.0], [1.0, 2.0], *[[1.0]] * 10])
    parquet.write_table(pyarrow.table({"emb": ragged}), "ragged.parquet")
    _, _, err = run(capsys, f"compare {LABELS} --features ragged.parquet")
    assert "column 'emb' holds 1 numbers in row 1, but 2 in row 2" in err
    holes = pyarrow.array([None, *[1.0] * 11])
    parquet.write_table(pyarrow.table({"x": holes}), "holes.parquet")
    _, _, err = run(capsys, f"compare {LABELS} --features holes.parquet")
    assert "column 'x' holds nan in row 1, which is not a finite number (1 such rows)" in err


def test_the_account_says_what_was_read(capsys, points):
    code, out, _ = run(
        capsys, f"compare {LABELS} --measures css_distance --features points.csv::x,y"
    )
    assert code == 0
    line = " ".join(out.split())
    assert "; points.csv: columns x, y were read as features; 3 reference" in line


def test_whole_numbers_as_ids_beside_text(capsys, points):
    _, truth, found, rows = columns(points)
    write(
        "labels.csv",
        "id,truth,found",
        [(i, *x) for i, x in enumerate(zip(truth, found, strict=True))],
    )
    np.savez("rows.npz", id=np.arange(12), x=rows[:, 0])
    line = "compare labels.csv::truth labels.csv::found --item id --measures centroid_index"
    document = scores(capsys, f"{line} --features rows.npz")
    wanted = pw.centroid_index(truth, found, features=rows[:, 0])
    assert document["scores"]["centroid_index"] == wanted
    assert "ids-as-text" in {note["code"] for note in document["account"]["notes"]}


def test_policies_and_items_on_one_side(capsys, points):
    ids, truth, found, rows = columns(points)
    first = dict(zip(ids[:-1], truth[:-1], strict=True))
    second = dict(zip(ids[1:], found[1:], strict=True))
    write("a.csv", "id,truth", first.items())
    write("b.csv", "id,found", second.items())
    for policy in ("drop", "singletons"):
        line = f"compare a.csv::truth b.csv::found --item id --unmatched {policy}"
        line += f" --measures {NAMES} --features points.csv::x,y"
        features = dict(zip(ids, rows, strict=True))
        wanted = pw.compare(first, second, measures=NAMES, unmatched=policy, features=features)
        assert scores(capsys, line)["scores"] == wanted.scores


def test_score_and_diagnose_take_them(capsys, points):
    _ids, truth, found, rows = columns(points)
    wanted = pw.compare(truth, found, measures=NAMES, features=rows).scores
    for item in ("", "--item id"):
        line = f"score points.csv --reference truth --measures {NAMES} {item}"
        code, out, _ = run(capsys, f"{line} --features points.csv::x,y --json")
        assert code == 0
        assert json.loads(out)["scores"] == {"found": wanted}  # x and y are no candidates
    code, out, _ = run(
        capsys, f"diagnose {LABELS} --by s_mse --features points.csv::x,y --worst 1 --json"
    )
    assert code == 0
    assert json.loads(out)["value"] == wanted["s_mse"]


@pytest.mark.parametrize(
    ("features", "options", "text"),
    [
        (
            "points.csv",
            "",
            "--features points.csv is the file of the clusterings; say",
        ),
        ("nowhere.csv", "", "nowhere.csv: No such file"),
        ("points.csv::x,truth", "", "column 'truth' holds 'a' in line 2, which is no number"),
        ("points.csv::x,z", "", "no column 'z'; the columns are: id, truth, found, x, y"),
        ("points.csv::x,4", "", "column 'x' is named twice; name it once"),
        ("cube.npy", "", "array of shape (12, 2, 2); numbers of items have two dimensions"),
        ("short.npy", "", "short.npy holds 5 rows for the 12 labels of the reference; without"),
        ("comma.csv", "--header yes", "holds '0,5' in line 2; write the decimals behind a"),
        ("gap.csv", "", "gap.csv: column 'x' holds 'NA' in line 3; every item needs all its"),
        ("gap.csv", "", "; FILE::COLUMN[,COLUMN] says which columns to read"),
        ("endless.csv", "", "column 'x' holds 'inf' in line 3, which is no number"),
        ("endless.npy", "", "column '1' holds inf in row 2, which is not a finite number (1"),
        ("clusters.csv", "", "column 'cluster' holds labels by its name; name the columns of"),
        ("dup.csv", "", "column 'id' holds ids by its name; name the columns of the features"),
        ("dup.csv", "", "or align by it with --item"),
        ("dup.csv", "--item id", "dup.csv: item 'p02' comes again in row 13 below row 2"),
        ("lack.csv", "--item id", "--features has no row for item 'p12'"),
        (
            "others.csv",
            "--item id",
            "no row is of an item that is compared; the first is of",
        ),
        ("short.npy", "--item id", "short.npy: no column 'id'; with --item every file has"),
        ("only.csv", "--item id", "no column is left to read features from"),
    ],
)
def test_bad_features_are_refused_with_the_way_out(capsys, points, features, options, text):
    ids, _, _, rows = columns(points)
    np.save("cube.npy", np.zeros((12, 2, 2)))
    np.save("short.npy", rows[:5])
    np.save("endless.npy", np.where(np.arange(12) == 1, np.inf, 0.0))
    Path("comma.csv").write_text("x;y\n" + "0,5;1,5\n" * 12)
    write("gap.csv", "x,y", [(1, 2), ("NA", 3), *[(1, 2)] * 10])
    write("endless.csv", "x,y", [(1, 2), ("inf", 3), *[(1, 2)] * 10])
    write("clusters.csv", "cluster,x", [(i, i) for i in range(12)])
    numbered = [(item, i) for i, item in enumerate(ids)]
    write("dup.csv", "id,x", [*numbered, ("p02", 1)])
    write("lack.csv", "id,x", numbered[:-1])
    write("others.csv", "id,x", [("q", 1)])
    write("only.csv", "id", [(item,) for item in ids])
    line = f"compare {LABELS} --measures centroid_index --features {features} {options}"
    code, out, err = run(capsys, line)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("partwise: ")
    assert text in err


def test_rows_of_other_items_are_told(capsys, points):
    ids, _truth, _found, rows = columns(points)
    write(
        "more.csv", "id,x", [*((i, x) for i, x in zip(ids, rows[:, 0], strict=True)), ("q", 1)]
    )
    line = f"compare {LABELS} --item id --measures centroid_index --features more.csv"
    code, out, err = run(capsys, line)
    assert code == 0
    assert "note: more.csv: 1 row of items on neither side not used, the first of 'q'" in err
    assert "1 row of items on neither side not used" in " ".join(out.split())


def test_labels_that_are_matched_by_item_need_ids(capsys, points):
    ids, truth, found, _ = columns(points)
    for name, labels in (("a.cmty", truth), ("b.cmty", found)):
        groups = [
            [i for i, x in zip(ids, labels, strict=True) if x == one]
            for one in sorted({*labels})
        ]
        Path(name).write_text("\n".join(" ".join(group) for group in groups))
    line = "compare a.cmty b.cmty --measures centroid_index --features points.csv::x,y"
    code, _, err = run(capsys, line)
    assert code == 2
    assert "name the column of the ids, which this file needs as well (--item COLUMN)" in err
    code, out, _ = run(capsys, f"{line} --item id")
    assert code == 0
    assert "aligned by item" in out


# ---- words of the place ------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (
            f"compare {LABELS} --measures centroid_index",
            "centroid_index needs features: pass --features (one row of numbers per item)",
        ),
        (f"compare {LABELS} --measures split_merge(score=mse)", "score=mse needs --features ("),
        (f"diagnose {LABELS} --by s_mse", "score=mse needs --features (one row per item)"),
        ("score points.csv --reference truth --measures css_distance", "pass --features ("),
        (
            f"compare {LABELS} --measures split_merge(distances=3)",
            "cannot stand in a name; in Python, call partwise.split_merge",
        ),
        (
            f"compare {LABELS} --measures purity --features points.csv::x",
            "no measure here has a use for --features; leave them out",
        ),
        (
            f"compare {LABELS} --bootstrap 9 --features points.csv::x",
            "--features does not go with --bootstrap, which draws tables",
        ),
        (
            "sweep points.csv::truth pairs.csv --item id --scores similarity --measures s_mse",
            "s_mse needs features: partwise compare, score and diagnose take --features",
        ),
        (f"significance {LABELS} --measures s_mse", "looks at the items themselves"),
        (f"paired {LABELS} points.csv::found --measures s_mse", "looks at the items"),
    ],
)
def test_no_message_names_an_option_that_is_not_there(capsys, points, line, text):
    write("pairs.csv", "first,second,s", [("p01", "p02", 0.5)])
    code, out, err = run(capsys, line)
    assert (code, out) == (2, "")
    assert text in err
    assert "features=" not in err
    if line.split()[0] in ("significance", "paired", "sweep"):
        assert "pass --features" not in err


@pytest.mark.parametrize("name", ["css_distance", "s_mse", "split_merge(score=mse)"])
def test_coreference_says_where_features_are_taken(capsys, name):
    folder = EXAMPLE.parent
    line = f"coref {folder}/key.conll {folder}/response.conll --unmatched singletons"
    code, out, err = run(capsys, f"{line} --measures {name}")
    assert (code, out) == (2, "")
    assert "needs features: partwise compare, score and diagnose take --features" in err
    assert "features=" not in err


def test_reasons_and_notes_in_a_report_speak_of_options(capsys, points):
    lines = (
        f"compare {LABELS} --measures all",
        f"compare {LABELS} --measures all --json",
        "score points.csv --reference truth --candidates found --measures all",
        "score points.csv --reference truth --candidates found --measures all --json",
    )
    for line in lines:
        code, out, err = run(capsys, line)
        assert code == 0
        assert "needs features: pass --features (one row of numbers per item)" in out
        assert "features=" not in out + err
    for line in (f"compare {LABELS}", "score points.csv --reference truth --candidates found"):
        code, out, err = run(capsys, f"{line} --features points.csv::x")
        assert code == 0
        assert "none of the default measures has a use for --features" in out + err
        assert "or take --measures all" in out + err
        assert "features=" not in out + err
