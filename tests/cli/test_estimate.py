"""``partwise estimate``: as ``estimate_from_sample`` does, from files."""

import json
import math

import numpy as np
import pytest

import partwise as pw
from partwise.cli import main

pytestmark = pytest.mark.one_backend

PREDICTION = {f"r{i}": c for i, c in enumerate([0, 1, 3, 2, 2, 3, 3, 2, 3, 2, 3, 3])}
SAMPLE = {"ann": ["r4", "r7", "r9"], "bob": ["r2", "r6", "r8", "r10", "r11"], "cleo": ["r5"]}


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [f"{item},{cluster}" for item, cluster in PREDICTION.items()]
    (tmp_path / "all.csv").write_text("\n".join(["record,cluster", *lines, ""]))
    weight = {"ann": 2, "bob": 1, "cleo": 4}
    rows = [f"{x},{name},{weight[name]}" for name, items in SAMPLE.items() for x in items]
    (tmp_path / "sample.csv").write_text("\n".join(["record,person,w", *rows, ""]))
    owner = {x: name for name, items in SAMPLE.items() for x in items}
    lines = [f"{x},{c},{owner.get(x, '')}" for x, c in PREDICTION.items()]
    (tmp_path / "both.csv").write_text("\n".join(["record,cluster,person", *lines, ""]))


def run(capsys, *arguments):
    try:
        code = main(["estimate", *arguments])
    except SystemExit as end:
        code = end.code
    out, err = capsys.readouterr()
    return code, out, err


FILES = ["all.csv::cluster", "sample.csv::person", "--item", "record"]


@pytest.mark.parametrize("source", [FILES, ["both.csv::cluster", "both.csv::person"]])
@pytest.mark.parametrize("weights", ["uniform", "size"])
def test_values_of_the_function(capsys, source, weights):
    expected = pw.estimate_from_sample(PREDICTION, SAMPLE, weights=weights)
    code, out, _ = run(capsys, *source, "--weights", weights, "--json")
    assert code == 0
    lines = json.loads(out)["measures"]
    assert set(lines) == set(expected.measures)
    for name, line in lines.items():  # the order of clusters moves the last digit
        value, error = expected[name]
        assert line["value"] == pytest.approx(value, rel=1e-13)
        if line["standard_error"] is None:
            assert math.isnan(error)
        else:
            assert line["standard_error"] == pytest.approx(error, rel=1e-9)


def test_weights_of_a_column_and_a_bootstrap(capsys):
    weights = {"ann": 2, "bob": 1, "cleo": 4}
    options = ["--measures", "pair_precision", "--bootstrap", "50", "--seed", "3"]
    code, out, _ = run(capsys, *FILES, "--weights", "w", *options, "--level", "0.9", "--json")
    assert code == 0
    expected = pw.estimate_from_sample(
        PREDICTION,
        SAMPLE,
        weights=weights,
        measures="pair_precision",
        interval="bootstrap",
        draws=50,
        seed=3,
        level=0.9,
    )
    (line,) = json.loads(out)["measures"].values()
    assert line["low"] == pytest.approx(expected.low[0], rel=1e-12)
    assert line["value"] == pytest.approx(expected.values[0], rel=1e-12)


def test_weights_of_a_column_are_numbers_however_they_are_written(capsys, tmp_path):
    expected = run(capsys, *FILES, "--weights", "w", "--csv")
    path = tmp_path / "sample.csv"
    path.write_text(path.read_text().replace(",ann,2", ",ann,2.00").replace(",1\n", ",01\n"))
    assert run(capsys, *FILES, "--weights", "w", "--csv") == expected
    assert expected[0] == 0


def test_a_sample_without_replacement(capsys):
    options = ["--weights", "uniform", "--population-clusters", "5"]
    code, out, _ = run(capsys, *FILES, *options, "--json")
    assert code == 0
    expected = pw.estimate_from_sample(
        PREDICTION, SAMPLE, weights="uniform", population_clusters=5
    )
    document = json.loads(out)
    assert document["population_clusters"] == 5
    line = document["measures"]["b_cubed_recall"]
    assert line["standard_error"] == pytest.approx(expected["b_cubed_recall"].standard_error)
    code, out, err = run(capsys, *FILES, *options[:3], "2")
    assert (code, out) == (2, "")
    assert "--population-clusters 2 is fewer than the 3 clusters of the sample" in err


def test_reports(capsys):
    for shape in ("--csv", "--markdown", "--latex"):
        code, out, _ = run(capsys, *FILES, "--weights", "uniform", shape)
        assert code == 0
        assert "pair" in out
    code, out, _ = run(capsys, *FILES, "--weights", "uniform")
    assert out.startswith("3 sampled clusters of 9 items; intervals of level 0.95, normal")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (FILES, "--weights"),
        ([*FILES, "--weights", "person"], "'person' holds text; --weights takes uniform, size"),
        ([*FILES, "--weights", "other"], "other"),
        ([*FILES, "--weights", "record"], "holds text"),
        ([*FILES, "--weights", "size", "--seed", "1"], "--seed is for --bootstrap"),
        ([*FILES, "--weights", "size", "--measures", "purity"], "cannot be estimated"),
        (
            ["all.csv::cluster", "sample.csv::person", "--weights", "size"],
            "sample.csv::person has 9 rows, all.csv::cluster 12",
        ),
    ],
)
def test_what_is_refused(capsys, arguments, sentence):
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert sentence in err


def test_a_cluster_has_one_weight(capsys, tmp_path):
    text = (tmp_path / "sample.csv").read_text().replace("r9,ann,2", "r9,ann,3")
    (tmp_path / "sample.csv").write_text(text)
    code, _, err = run(capsys, *FILES, "--weights", "w")
    assert code == 2
    assert "cluster 'ann' has the weights 2 and 3 (row 2) in column 'w'" in err


def test_notes_speak_of_options(capsys, tmp_path):
    """Large clusters alone were sampled, as if records had been drawn."""
    own = np.random.default_rng(2)
    entity = np.repeat(np.arange(400), np.where(own.random(400) < 0.1, 20, 1))
    large = np.flatnonzero(np.bincount(entity) > 1)
    rows = [f"r{i},{e}" for i, e in enumerate(entity)]
    (tmp_path / "many.csv").write_text("\n".join(["id,c", *rows, ""]))
    some = [row for row, e in zip(rows, entity, strict=True) if e in large[:25]]
    (tmp_path / "some.csv").write_text("\n".join(["id,c", *some, ""]))
    code, out, err = run(
        capsys, "many.csv::c", "some.csv::c", "--item", "id", "--weights", "uniform"
    )
    assert code == 0
    assert "--weights size" in " ".join(out.split())
    assert "--weights size" in err
