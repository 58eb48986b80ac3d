"""Files that commands write: none takes the place of an input, each is what its name says."""

import io
import os

import pytest

import partwise as pw
from partwise.cli import main
from partwise.labels.files.compressed import opened

pytestmark = pytest.mark.one_backend


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Files of labels and of pairs, a table, and links to the pairs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "labels.csv").write_text("item,a,b\n1,x,x\n2,x,y\n3,y,y\n")
    (tmp_path / "pairs.csv").write_text("left,right\n1,2\n2,3\n")
    (tmp_path / "weights.txt").write_text("1\n2\n")
    pw.contingency([0, 0, 1], [0, 1, 1]).save(tmp_path / "table.npz")
    os.symlink("pairs.csv", tmp_path / "linked.csv")
    os.link(tmp_path / "pairs.csv", tmp_path / "also.csv")
    return tmp_path


def run(capsys, line):
    code = main(line.split())
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize(
    "line",
    [
        "clusters pairs.csv -o pairs.csv",
        "clusters pairs.csv -o ./pairs.csv",
        "clusters pairs.csv::left,right -o linked.csv",
        "clusters pairs.csv -o also.csv",
        "clusters pairs.csv --items labels.csv --item item -o labels.csv",
        "clusters pairs.csv --items labels.csv::item -o labels.csv",
        "consensus labels.csv --item item --output labels.csv",
        "consensus ours=labels.csv::a b=labels.csv::b --output labels.csv",
        "consensus labels.csv::a labels.csv::b --weights weights.txt --output weights.txt",
        "consensus labels.csv::a labels.csv::b --weights weights.txt --plot weights.txt",
        "table labels.csv::a labels.csv::b -o labels.csv",
        "merge table.npz -o table.npz",
        "report labels.csv::a labels.csv::b --item item --features labels.csv -o labels.csv",
    ],
)
def test_an_input_is_never_written_over(here, capsys, line):
    before = {path.name: path.read_bytes() for path in here.iterdir()}
    code, out, err = run(capsys, line)
    assert (code, out) == (2, "")
    assert " names an input, which it would replace; name another file\n" in err
    assert err.count("\n") == 1
    assert {path.name: path.read_bytes() for path in here.iterdir()} == before


def test_standard_output_is_no_file_of_that_name(here, capsys, monkeypatch):
    (here / "-").write_text("old")
    pairs = io.TextIOWrapper(io.BytesIO((here / "pairs.csv").read_bytes()))
    monkeypatch.setattr("sys.stdin", pairs)
    code, out, _ = run(capsys, "clusters - -o -")
    assert (code, out) == (0, "item,cluster\n1,0\n2,0\n3,0\n")
    assert (here / "-").read_text() == "old"


def test_no_file_of_a_folder_that_is_read_is_written_over(here, capsys):
    pytest.importorskip("pyarrow")
    (here / "parts").mkdir()
    part = here / "parts" / "1.parquet"
    pw.contingency([0, 0, 1], [0, 1, 1]).save(part)
    before = part.read_bytes()
    code, _, err = run(capsys, "table parts::row parts::col -o parts/1.parquet")
    assert code == 2
    assert "parts/1.parquet: --output names an input" in err
    assert part.read_bytes() == before


@pytest.mark.parametrize(
    "line",
    [
        "clusters pairs.csv -o old.csv",
        "clusters pairs.csv --items labels.csv --item item -o item",
        "consensus labels.csv::a labels.csv::b --seed 1 --loss vi --output vi",
    ],
)
def test_what_is_no_input_is_replaced(here, capsys, line):
    output = here / line.rpartition(" ")[2]
    output.write_text("old")
    assert run(capsys, line)[0] == 0
    assert "cluster" in output.read_text()


CLUSTERS = "clusters pairs.csv -o"
CONSENSUS = "consensus labels.csv::a labels.csv::b --item item --seed 1 --output"


@pytest.mark.parametrize("line", [CLUSTERS, CONSENSUS])
@pytest.mark.parametrize("ending", ["", ".csv", ".txt", ".csv.gz", ".CSV.BZ2", ".xz"])
def test_csv_is_compressed_as_its_name_says(here, capsys, line, ending):
    assert run(capsys, f"{line} plain.csv")[0] == 0
    assert run(capsys, f"{line} written{ending}")[0] == 0
    plain, written = here / "plain.csv", here / f"written{ending}"
    with opened(written) as file:
        assert file.read() == plain.read_bytes()
    packed = ending.lower().endswith((".gz", ".bz2", ".xz"))
    assert (written.read_bytes() != plain.read_bytes()) is packed
    sides = [pw.read(path, label="cluster", item="item") for path in (plain, written)]
    assert pw.rand_index(*sides) == 1


@pytest.mark.parametrize("line", [CLUSTERS, CONSENSUS])
@pytest.mark.parametrize(
    "ending", ["parquet", "npz", "tsv", "jsonl", "tab.gz", "csv.zst", "zip", "cmty"]
)
def test_csv_has_no_name_of_something_else(here, capsys, line, ending):
    code, out, err = run(capsys, f"{line} new.{ending}")
    assert (code, out) == (2, "")
    assert f"new.{ending}: --output writes CSV, and the ending says something else" in err
    assert not (here / f"new.{ending}").exists()


def test_consensus_writes_its_clusters_into_a_file(here, capsys):
    code, _, err = run(capsys, f"{CONSENSUS} -")
    assert code == 2
    assert "--output names a file; --csv prints the cluster of each item" in err
    assert not (here / "-").exists()
