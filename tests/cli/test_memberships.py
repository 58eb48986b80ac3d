"""``--memberships``: soft clusterings from files; what is told or refused."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

import partwise as pw
from partwise.cli import main

pytestmark = pytest.mark.one_backend

EXAMPLES = Path(__file__).parents[2] / "examples"
SOFT = np.array(
    [[0.9, 0.1, 0], [0.75, 0.25, 0], [0, 1, 0], [0.2, 0.6, 0.2], [0, 0.3, 0.7], [0, 0, 1]]
)
DESKS = ["sport", "sport", "politics", "politics", "science", "science"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("topics.csv", "desks.csv"):
        Path(name).write_text((EXAMPLES / name).read_text())
    np.save("soft.npy", SOFT)
    np.save("other.npy", SOFT[:, ::-1])


def run(capsys, line):
    code = main(line.split())
    return code, *capsys.readouterr()


def scores(capsys, line):
    code, out, _ = run(capsys, f"{line} --memberships --json")
    assert code == 0
    return json.loads(out)


def in_python(first, second):
    return {
        "soft_mutual_information": pw.soft_mutual_information(first, second),
        "soft_normalized_mutual_information": pw.soft_normalized_mutual_information(
            first, second
        ),
        "soft_normalized_variation_of_information": (
            pw.soft_normalized_variation_of_information(first, second)
        ),
        "soft_variation_of_information": pw.soft_variation_of_information(first, second),
        "mallows_distance": pw.mallows_distance(first, second),
    }


@pytest.mark.parametrize(
    ("files", "second"),
    [
        ("topics.csv::sport,politics,science desks.csv::desk", DESKS),
        ("topics.csv desks.csv --item article", DESKS),
        ("topics.csv::2,3,4 desks.csv::2 --header yes", DESKS),
        ("soft.npy desks.csv::desk", DESKS),
        ("soft.npy other.npy", SOFT[:, ::-1]),
        ("topics.csv topics.csv --item article", SOFT),
    ],
)
def test_scores_are_those_of_python(capsys, here, files, second):
    document = scores(capsys, f"compare {files}")
    assert document["scores"] == in_python(SOFT, second)
    assert document["account"]["items"] == 6
    kind = "hard" if second is DESKS else "soft"
    assert document["clusters"]["reference"] == {"clusters": 3, "kind": "soft"}
    assert document["clusters"]["candidate"] == {"clusters": 3, "kind": kind}
    assert document["skipped"] == {}


def test_labels_may_be_the_reference(capsys, here):
    document = scores(capsys, "compare desks.csv::desk soft.npy")
    assert document["scores"] == in_python(DESKS, SOFT)


def test_features_for_css(capsys, here):
    rows = np.arange(6.0)
    np.save("rows.npy", rows)
    document = scores(capsys, "compare soft.npy desks.csv::desk --features rows.npy")
    assert document["scores"]["css_distance"] == pw.css_distance(SOFT, DESKS, features=rows)
    named = "soft.npy desks.csv::desk --features rows.npy --measures css_distance"
    assert set(scores(capsys, f"compare {named}")["scores"]) == {"css_distance"}


def test_rows_are_matched_by_item(capsys, here):
    lines = Path("desks.csv").read_text().splitlines()
    Path("desks.csv").write_text("\n".join([lines[0], *reversed(lines[1:])]) + "\n")
    rows = [f"t{i + 1},{i * i}" for i in (3, 1, 0, 5, 2, 4)]
    Path("rows.csv").write_text("\n".join(["article,x", *rows, "t9,7"]) + "\n")
    line = "compare topics.csv desks.csv --item article --features rows.csv"
    document = scores(capsys, line)
    wanted = in_python(SOFT, DESKS)
    css = pw.css_distance(SOFT, DESKS, features=np.arange(6.0) ** 2)
    assert document["scores"] == wanted | {"css_distance": css}
    assert document["account"]["matched_by"] == "item"
    notes = [note["text"] for note in document["account"]["notes"]]
    assert "1 row of items on neither side not used, the first of 't9'" in notes
    moved = scores(capsys, "compare desks.csv topics.csv --item article")
    for name, value in in_python(DESKS, SOFT).items():
        assert moved["scores"][name] == pytest.approx(value, rel=1e-14)


def test_whole_numbers_as_ids_beside_text(capsys, here):
    np.savez("soft.npz", article=np.arange(6), p=SOFT)
    rows = [f"{i},{DESKS[i]}" for i in (5, 0, 1, 4, 3, 2)]
    Path("desks.csv").write_text("\n".join(["article,desk", *rows]) + "\n")
    document = scores(capsys, "compare soft.npz desks.csv --item article")
    assert document["scores"] == in_python(SOFT, DESKS)
    (note,) = (x for x in document["account"]["notes"] if x["code"] == "ids-as-text")
    assert note["place"] == "soft.npz"


def test_names_carry_options(capsys, here):
    names = "soft_variation_of_information(base=2),css,mallows_distance(cluster_weights=size)"
    line = f"compare soft.npy other.npy --measures {names} --features rows.npy"
    np.save("rows.npy", SOFT)
    values = list(scores(capsys, line)["scores"].values())
    second = SOFT[:, ::-1]
    assert values == [
        pw.soft_variation_of_information(SOFT, second, base=2),
        pw.css_distance(SOFT, second, features=SOFT),
        pw.mallows_distance(SOFT, second, cluster_weights="size"),
    ]


def test_forms_of_the_report(capsys, here):
    wanted = in_python(SOFT, DESKS)
    line = "compare topics.csv desks.csv --item article --memberships"
    _, out, _ = run(capsys, line)
    assert " ".join(out.split("\n\n")[0].split()) == (
        "6 items compared, aligned by item; topics.csv: columns sport, politics, science were "
        "read as memberships; 3 soft reference clusters and 3 hard candidate clusters"
    )
    _, out, err = run(capsys, f"{line} --csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert {row["measure"]: float(row["value"]) for row in rows} == wanted
    assert err.startswith("6 items compared, aligned by item")
    _, out, _ = run(capsys, f"{line} --markdown")
    assert "| transport | mallows_distance | 0.7000 | lower |" in out
    _, out, _ = run(capsys, f"{line} --measures all")
    assert "skipped: css_distance needs features: pass --features (one row" in " ".join(
        out.split()
    )


def test_rescaled_rows_are_told(capsys, here):
    np.save("counts.npy", SOFT * np.array([1, 2, 3, 4, 5, 8])[:, None])
    document = scores(capsys, "compare counts.npy desks.csv::desk --rescale")
    for name, value in in_python(SOFT, DESKS).items():
        assert document["scores"][name] == pytest.approx(value, rel=1e-12)
    (note,) = (x for x in document["account"]["notes"] if x["code"] == "rows-rescaled")
    assert note["text"] == "5 rows divided by the sum, which is 1 to 8"
    assert note["place"] == "counts.npy"
    _, _, err = run(capsys, "compare soft.npy desks.csv::desk --memberships --rescale")
    assert "note: soft.npy: every row adds up to 1; --rescale changed nothing" in err


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("topics.csv desks.csv", "column 'article' holds 't1' in line 2, which is no number"),
        ("desks.csv::desk desks.csv::desk", "both files hold labels, one column each"),
        ("off.csv desks.csv::desk", "off.csv: the memberships in line 3 add up to 0.9, not to"),
        ("off.csv desks.csv::desk", "(2 such rows); --rescale divides each row by its sum"),
        ("zero.csv desks.csv::desk --rescale", "zero.csv: the memberships in line 3 are all 0"),
        ("minus.npy desks.csv::desk", "minus.npy: the membership -0.5 in row 2 is below 0 (1"),
        ("gap.csv desks.csv::desk", "column 'b' holds '' in line 3; every item needs all"),
        ("short.npy desks.csv::desk", "short.npy holds 4 rows, desks.csv 6; without --item"),
        ("cube.npy desks.csv::desk", "an array of shape (2, 2, 2); numbers of items have two"),
        (
            "soft.npy desks.csv --item article",
            "soft.npy: no column 'article'; with --item",
        ),
        (
            "topics.csv fewer.csv --item article",
            "item 't6' of topics.csv is not in fewer",
        ),
        ("twice.csv desks.csv --item article", "twice.csv: item 't1' comes again in row 2"),
        ("soft.npy hole.txt", "hole.txt has 1 missing labels, the first at index 2"),
        ("soft.npy a.cmty", "soft.npy has no ids of the items, which the other file has"),
        (
            "soft.npy other.npy --unmatched drop",
            "--unmatched is about labels and ",
        ),
        ("soft.npy other.npy --missing-labels x", "--missing-labels is about labels"),
        ("soft.npy other.npy --bootstrap 9", "--bootstrap is about labels"),
        ("soft.npy other.npy --seed 9", "--seed is for --bootstrap"),
        ("soft.npy other.npy --features short.npy", "short.npy holds 4 rows for 6 items"),
        (
            "soft.npy other.npy --measures ari",
            "adjusted_rand_index compares labels",
        ),
        (
            "soft.npy other.npy --measures soft_x",
            "unknown measure 'soft_x'; of memberships",
        ),
        ("soft.npy other.npy --measures mallow", "did you mean mallows_distance"),
        (
            "soft.npy other.npy --measures soft_mutual_information(bas=2)",
            "soft_mutual_information has no option 'bas'; its options: base",
        ),
        ("soft.npy other.npy --measures css", "css_distance needs features: pass --features ("),
        (
            "soft.npy other.npy --measures mallows_distance --features minus.npy",
            "no measure here has a use for --features",
        ),
        (
            "topics.csv desks.csv --item article --features fewer.csv::n",
            "--features fewer.csv has no row for item 't6' (1 such items)",
        ),
    ],
)
def test_bad_input_is_refused_with_the_way_out(capsys, here, line, text):
    Path("off.csv").write_text("a,b\n0.5,0.5\n0.4,0.5\n0.3,0.5\n1,0\n1,0\n1,0\n")
    Path("zero.csv").write_text("a,b\n0.5,0.5\n0,0\n0.3,0.5\n1,0\n1,0\n1,0\n")
    Path("gap.csv").write_text("a,b\n0.5,0.5\n1,\n0.3,0.7\n1,0\n1,0\n1,0\n")
    np.save("minus.npy", [[0.5, 0.5], [-0.5, 1.5], *[[1, 0]] * 4])
    np.save("short.npy", SOFT[:4])
    np.save("cube.npy", np.zeros((2, 2, 2)))
    Path("fewer.csv").write_text("article,n\nt1,1\nt2,1\nt3,2\nt4,2\nt5,2\n")
    Path("twice.csv").write_text("article,a,b\nt1,1,0\nt1,1,0\n")
    Path("hole.txt").write_text("x\nx\nNA\ny\ny\ny\n")
    Path("a.cmty").write_text("t1 t2 t3\nt4 t5 t6\n")
    code, out, err = run(capsys, f"compare {line} --memberships")
    assert (code, out) == (2, "")
    last = err.splitlines()[-1]
    assert last.startswith("partwise: ")
    assert text in last
    assert "features=" not in err


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("compare soft.npy other.npy --rescale", "--rescale is for --memberships"),
        ("compare topics.csv desks.csv::desk", "--label (--memberships takes them all)"),
        (
            "compare desks.csv::desk desks.csv::desk --measures soft_mutual_information",
            "soft_mutual_information compares rows of memberships, which partwise compare",
        ),
        (
            "significance desks.csv::desk desks.csv::desk --measures soft_mutual_information",
            "which partwise compare takes with --memberships",
        ),
        ("score topics.csv --reference sport --measures soft_x", "partwise compare takes with"),
    ],
)
def test_without_the_option_the_way_is_shown(capsys, here, line, text):
    code, out, err = run(capsys, line)
    assert (code, out) == (2, "")
    assert text in err
    assert "soft_*" not in err


@pytest.mark.parametrize("command", ["compare", "diagnose"])
def test_rows_in_place_of_labels_are_told_by_options(capsys, here, command):
    np.savez("both.npz", rows=SOFT, labels=np.arange(6))
    code, _, err = run(capsys, f"{command} both.npz::rows both.npz::labels")
    assert code == 2
    assert "--flatten takes one label per element" in err
    assert ("partwise compare --memberships" in err) == (command == "diagnose")
    assert "--memberships rows" in err
    assert "ravel" not in err
    assert "Clustering." not in err


def test_other_commands_do_not_name_it_as_theirs(capsys, here):
    _, _, err = run(capsys, "diagnose topics.csv desks.csv::desk")
    assert "say which one holds the labels" in err
    assert "--memberships" not in err
