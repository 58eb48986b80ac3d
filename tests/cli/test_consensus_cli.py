"""``partwise consensus``: draws from columns, files and arrays; what it prints and writes."""

import csv
import io
import json

import numpy as np
import pytest

import partwise as pw
from partwise.cli import main

pytestmark = pytest.mark.one_backend

COLUMNS = [[0, 0, 1, 1, 2], [0, 0, 1, 1, 1], [0, 0, 1, 1, 2], [0, 1, 1, 1, 2]]
FAST = ["--seed", "1", "--runs", "3"]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "draws.csv"
    rows = [[f"d{i}" for i in range(4)], *np.array(COLUMNS).T.tolist()]
    path.write_text("".join(f"{','.join(map(str, row))}\n" for row in rows))
    return path


def run(capsys, *arguments):
    code = main(["consensus", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_the_estimate_and_its_clusters(capsys, table):
    code, out, _ = run(capsys, table, *FAST)
    estimate = pw.point_estimate(COLUMNS, runs=3, seed=1)
    assert code == 0
    assert out.startswith(str(estimate))
    shown = [line.split() for line in out.splitlines()[-3:]]
    sizes = np.bincount(estimate.labels)
    want = [[str(k), str(sizes[k]), f"{sure:.4f}"] for k, sure in enumerate(estimate.certainty)]
    assert shown == want


def test_a_line_for_each_item_on_standard_output_or_in_a_file(capsys, table, tmp_path):
    path = tmp_path / "items.csv"
    _, out, err = run(capsys, table, *FAST, "--csv", "--vote", "--output", path)
    estimate = pw.point_estimate(COLUMNS, runs=3, seed=1)
    vote = pw.majority_vote(COLUMNS)
    assert [int(row["cluster"]) for row in rows_of(out)] == estimate.labels.tolist()
    assert [float(row["certainty"]) for row in rows_of(out)] == pytest.approx(
        estimate.item_certainty.tolist()
    )
    assert [float(row["share of votes"]) for row in rows_of(out)] == vote.shares.tolist()
    assert path.read_text() == out
    assert "expected loss" in err


def test_files_arrays_and_ids_are_read_as_everywhere(capsys, table, tmp_path):
    _, want, _ = run(capsys, table, *FAST, "--csv")
    np.save(tmp_path / "draws.npy", np.array(COLUMNS).T)
    assert run(capsys, tmp_path / "draws.npy", *FAST, "--csv")[1] == want
    names = []
    for i, labels in enumerate(COLUMNS):
        path = tmp_path / f"d{i}.txt"
        path.write_text("".join(f"{label}\n" for label in labels))
        names.append(path)
    assert run(capsys, *names, *FAST, "--csv")[1] == want
    lines = table.read_text().splitlines()
    with_ids = ["item", "e", "d", "c", "b", "a"]
    table.write_text("".join(f"{i},{line}\n" for i, line in zip(with_ids, lines, strict=True)))
    _, out, _ = run(capsys, table, "--item", "item", *FAST, "--csv")
    assert [row["item"] for row in rows_of(out)] == with_ids[1:]


def test_options_are_those_of_python(capsys, table):
    options = ["--loss", "binder", "--split-cost", "0.5", "--weights", "1,2,1,1"]
    _, out, _ = run(capsys, table, *FAST, *options, "--medoid", "--ball", "0.8")
    common = {"loss": "binder", "split_cost": 0.5, "weights": [1, 2, 1, 1]}
    estimate = pw.point_estimate(COLUMNS, runs=3, seed=1, **common)
    best = pw.medoid(COLUMNS, **common)
    ball = pw.credible_ball(estimate.labels, COLUMNS, level=0.8, **common)
    assert str(estimate) in out
    assert f"medoid: d{best.index}, expected loss {best.expected_loss:.6g}" in out
    assert str(ball) in out


def test_json_is_the_estimate_with_further_results(capsys, table):
    _, out, _ = run(capsys, table, *FAST, "--json", "--medoid", "--vote", "--ball", "0.8")
    estimate = pw.point_estimate(COLUMNS, runs=3, seed=1)
    assert pw.PointEstimate.from_json(out) == estimate
    document = json.loads(out)
    inner = {name: json.dumps(document[name]) for name in ("medoid", "vote", "ball")}
    assert pw.Medoid.from_json(inner["medoid"]).index == pw.medoid(COLUMNS).index
    assert pw.MajorityVote.from_json(inner["vote"]) == pw.majority_vote(COLUMNS)
    ball = pw.credible_ball(estimate.labels, COLUMNS, level=0.8)
    assert pw.CredibleBall.from_json(inner["ball"]) == ball


def test_weights_come_from_a_file_or_a_column(capsys, table, tmp_path):
    want = run(capsys, table, *FAST, "--csv", "--weights", "1,2,0.5,1")[1]
    plain, named = tmp_path / "plain.txt", tmp_path / "named.csv"
    plain.write_text("1\n2\n0.5\n1\n")
    named.write_text("draw,weight\nd0,1\nd1,2\nd2,0.5\nd3,1\n")
    for source in (plain, f"{named}::weight"):
        assert run(capsys, table, *FAST, "--csv", "--weights", source)[1] == want
    plain.write_text("1.00\n2.0\n0.50\n+1\n")
    assert run(capsys, table, *FAST, "--csv", "--weights", plain)[1] == want
    named.write_text("draw,weight\nd0,1\nd1,\nd2,0.5\n")
    for source, words in (
        (named, "say which one has the weights"),
        (f"{named}::draw", "has 'd0' in row 1"),
        (f"{named}::weight", "has no weight in row 2"),
        (tmp_path / "absent.txt", "and no file"),
    ):
        code, _, err = run(capsys, table, "--weights", source)
        assert code == 2
        assert words in err
    plain.write_text("1\n2\n")
    assert "has 2 rows, and there are 4" in run(capsys, table, "--weights", plain)[2]


def test_all_columns_of_several_files(capsys, table, tmp_path):
    want = run(capsys, table, *FAST, "--csv")[1]
    lines = [line.split(",") for line in table.read_text().splitlines()]
    halves = tmp_path / "first.csv", tmp_path / "second.csv"
    for path, columns in zip(halves, (slice(0, 2), slice(2, 4)), strict=True):
        path.write_text("".join(f"{','.join(line[columns])}\n" for line in lines))
    _, out, _ = run(capsys, *halves, "--all-columns", *FAST, "--csv")
    assert out == want
    _, out, _ = run(capsys, *halves, "--all-columns", *FAST, "--medoid")
    assert "medoid: first.csv::d0" in out
    _, _, err = run(capsys, *halves, "--all-columns", "--label", "d0")
    assert "--all-columns takes them all" in err


def test_a_picture_is_saved(capsys, table, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "estimate.svg"
    code, _, _ = run(capsys, table, *FAST, "--plot", path)
    assert code == 0
    assert "<svg" in path.read_text()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--weights", "1,x"], "is no list of numbers"),
        (["--weights", "1"], "--weights 1: 1 number, and there are 4 clusterings"),
        (["--weights", "1,2,nan,1"], "--weights 1,2,nan,1: number 3 is nan; a weight is"),
        (["--weights", "1,2,-3,1"], "number 3 is -3"),
        (["--loss", "nid", "--split-cost", "0.5"], "means nothing"),
        (["--runs", "0"], "--runs"),
        (["--ball", "2"], "--ball 2.0 is no share of the draws"),
        (["--seconds", "0"], "--seconds"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(capsys, table, options, words):
    code, _, err = run(capsys, table, *options)
    assert code == 2
    assert words in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("command", ["consensus", "pairwise"])
def test_columns_of_files_whose_ids_stand_in_another_order(capsys, command, tmp_path):
    (tmp_path / "one.csv").write_text("id,a,b\n1,x,1\n2,x,1\n3,y,2\n4,y,2\n")
    (tmp_path / "two.csv").write_text("id,c\n4,q\n3,q\n2,p\n1,r\n")
    files = [str(tmp_path / name) for name in ("one.csv", "two.csv")]
    assert main([command, *files, "--all-columns"]) == 2
    assert "hold the same ids in another order" in capsys.readouterr().err
    assert main([command, *files, "--all-columns", "--item", "id"]) == 0
