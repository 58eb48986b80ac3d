"""Text tables past the memory limit, joined by their items: the answers of memory."""

import gzip
import json

import numpy as np
import pytest

from partwise.cli import main
from partwise.cli.tables import text_sides
from partwise.scale import text

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
duckdb = pytest.importorskip("duckdb")

pytestmark = pytest.mark.one_backend
JOINED = "the limit is 99 bytes (--memory-limit); they are joined by DuckDB"

AS_A_WHOLE = (
    "they are read all the same, as DuckDB joins text tables and parquet with one column of "
    "labels and ids that are integers or text; write them as such parquet"
)


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch, tmp_path):
    """Files come in several pieces; temporary files stand where a test can look for them."""
    monkeypatch.setattr(text, "_TOP", 600)
    monkeypatch.setattr(text, "_LEAST_PIECE", 900)
    monkeypatch.setattr(text_sides, "_PIECE", 1100)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))


def run(capsys, *arguments):
    code = main([str(x) for x in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def both_ways(capsys, tmp_path, *arguments, command="compare", said=JOINED):
    """Run a command in memory and past the limit; return the answer, which must be one."""
    wanted = run(capsys, command, *arguments)
    code, out, err = run(capsys, command, *arguments, "--memory-limit", "99")
    told, _, rest = err.partition("\n")
    if said:
        assert told.startswith("partwise: note: to read these files would take about ")
        assert said in told
        err = rest
    assert (code, out, err) == wanted
    assert list((tmp_path / "temporary").iterdir()) == []
    return wanted


def write(path, lines, head="key,kind"):
    path.write_text("\n".join([head, *lines]) + "\n")
    return f"{path}::kind"


def lines_of(label=str, n=300, start=0, seed=1):
    rng = np.random.default_rng(seed)
    items = rng.permutation(np.arange(start, start + n))
    cells = items // 10 + (rng.random(n) < 0.2) * 3
    return [f"{x},{label(y)}" for x, y in zip(items.tolist(), cells.tolist(), strict=True)]


def sides_of(folder, label=str, other=str):
    return [
        write(folder / "a.csv", lines_of(label)),
        write(folder / "b.csv", lines_of(other, start=20, seed=2)),
    ]


LABELS = {
    "whole numbers": str,
    "numbers": lambda x: f"{x / 4}",
    "text": lambda x: f"c{x}",
    "missing words": lambda x: "NA" if x == 3 else "" if x == 4 else x,
    "quoted": lambda x: f'"a, {x}"',
    "quotes and line ends": lambda x: f'"a ""b""\n{x}"',
    "blanks beside": lambda x: f" c{x}" if x % 2 else f"c{x} ",
    "accents": lambda x: f"é{x}",
    "text that only one row has": lambda x: "late" if x == 31 else x,
    "beyond 64 bits": lambda x: 2**70 + x,
    "up to 64 bits": lambda x: 2**63 - 1 - x,
    "nothing but missing": lambda x: "",
}


@pytest.mark.parametrize("name", LABELS)
def test_labels_are_those_of_memory(tmp_path, name, capsys):
    label = LABELS[name]
    sides = sides_of(tmp_path, label)
    policies = [
        "--unmatched",
        "drop",
        "--missing",
        "cluster",
        "--missing-labels-reference",
        "7",
    ]
    said = "read all the same" if name == "beyond 64 bits" else JOINED
    options = ["--item", "key", *policies, "--measures", "all", "--json"]
    for order in (sides, sides[::-1]):
        code, out, _ = both_ways(capsys, tmp_path, *order, *options, said=said)
        assert code == 0
        assert json.loads(out)["account"]["matched_by"] == "item"


@pytest.mark.long
@pytest.mark.parametrize("unmatched", ["error", "drop", "singletons", "drop,singletons"])
@pytest.mark.parametrize("missing", ["error", "drop", "singletons", "cluster,drop"])
@pytest.mark.parametrize("command", ["compare", "diagnose"])
def test_policies_are_those_of_memory(tmp_path, command, unmatched, missing, capsys):
    sides = sides_of(tmp_path, LABELS["missing words"], LABELS["text"])
    options = ["--item", "key", "--unmatched", unmatched, "--missing", missing, "--json"]
    code, _, err = both_ways(capsys, tmp_path, *sides, *options, command=command)
    assert code == (2 if "error" in (unmatched, missing) else 0)
    assert ("to go on" in err or "choose --missing" in err) == (code == 2)


@pytest.mark.parametrize("duplicates", ["error", "first", "last"])
def test_repeated_items_are_those_of_memory(tmp_path, duplicates, capsys):
    lines = lines_of()
    sides = [
        write(tmp_path / "a.csv", [*lines, lines[7], lines[3].partition(",")[0] + ",99"]),
        write(tmp_path / "b.csv", lines[::-1]),
    ]
    options = ["--item", "key", "--duplicates", duplicates, "--json"]
    code, _, err = both_ways(capsys, tmp_path, *sides, *options)
    assert code == (2 if duplicates == "error" else 0)
    assert ("repeats with the same label" in err) == (duplicates == "error")


def test_text_beside_parquet(tmp_path, capsys):
    """Ids that are integers there are text here, which is told; options are of the text."""
    rows = [line.split(",") for line in lines_of(seed=3)]
    columns = {"key": [int(x) for x, _ in rows], "kind": [int(y) for _, y in rows]}
    parquet.write_table(pa.table(columns), tmp_path / "b.parquet")
    write(tmp_path / "a.csv", [x.replace(",", ";") for x in lines_of()], head="key;kind")
    sides = [tmp_path / "a.csv", f"{tmp_path}/b.parquet::kind"]
    options = ["--item", "key", "--delimiter", ";", "--header", "yes", "--json"]
    for order in (sides, sides[::-1]):
        code, out, _ = both_ways(capsys, tmp_path, *order, *options)
        assert code == 0
        notes = {note["code"] for note in json.loads(out)["account"]["notes"]}
        assert "ids-as-text" in notes


def test_two_columns_make_an_item_in_packed_files(tmp_path, capsys):
    lines = [f"d{i % 7},{line}" for i, line in enumerate(lines_of())]
    for name, own in (("a", lines), ("b", lines[::-1])):
        content = "\n".join(["doc,key,kind,more", *(f"{line},x" for line in own)])
        (tmp_path / f"{name}.csv.gz").write_bytes(gzip.compress(content.encode()))
    sides = [tmp_path / "a.csv.gz", tmp_path / "b.csv.gz"]
    options = ["--item", "doc,2", "--label", "kind", "--json"]
    code, out, _ = both_ways(capsys, tmp_path, *sides, *options)
    assert code == 0
    assert json.loads(out)["scores"]["rand_index"] == 1.0


def test_the_only_column_left_and_columns_that_were_not_used(tmp_path, capsys):
    head = "document_id,key,kind"
    lines = [f"d{i % 7},{line}" for i, line in enumerate(lines_of())]
    write(tmp_path / "a.csv", lines, head)
    write(tmp_path / "b.csv", lines_of())
    sides = [f"{tmp_path}/a.csv::kind", tmp_path / "b.csv"]
    code, out, _ = both_ways(capsys, tmp_path, *sides, "--item", "key", "--json")
    assert code == 0
    notes = [note["code"] for note in json.loads(out)["account"]["notes"]]
    assert "unused-column" in notes


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([*lines_of(), ",5"], "a.csv:302: empty item id in column 'key'"),
        ([*lines_of(), "901,5,6"], "a.csv:302"),
        ([], "the file holds no labels"),
    ],
)
def test_errors_name_the_line_of_the_file(tmp_path, lines, said, capsys):
    sides = [write(tmp_path / "a.csv", lines), write(tmp_path / "b.csv", lines_of())]
    code, _, err = both_ways(capsys, tmp_path, *sides, "--item", "key", said="")
    assert code == 2
    assert said in err


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("key,kind\n 1 ,x\n2,y\n", []),
        ("key,kind\n1,x\n2,y\n", ["--format", "csv"]),
        ("key,kind,more\n1,x,a\n2,y,b\n", ["--label", "kind,more"]),
        ('[{"key": 1, "kind": "x"}, {"key": 2, "kind": "y"}]', []),
    ],
)
def test_what_is_read_as_a_whole_only_is_told(tmp_path, content, options, capsys):
    sides = []
    for name in "ab":
        path = tmp_path / (f"{name}.json" if content[0] == "[" else f"{name}.csv")
        path.write_text(content)
        sides.append(path if "--label" in options else f"{path}::kind")
    options = ["--item", "key", *options]
    code, _, _ = both_ways(capsys, tmp_path, *sides, *options, said=AS_A_WHOLE)
    assert code == 0


def test_blanks_that_differ_between_pieces_are_told(tmp_path, capsys):
    lines = [*(f"{i},x" for i in range(400)), "400, x"]
    sides = [write(tmp_path / "a.csv", lines), write(tmp_path / "b.csv", lines)]
    code, out, _ = both_ways(capsys, tmp_path, *sides, "--item", "key", "--json")
    assert code == 0
    notes = [note["code"] for note in json.loads(out)["account"]["notes"]]
    assert "blanks-stripped" in notes
    quoted = [*(f"{i},x" for i in range(400)), '400," x"']
    write(tmp_path / "a.csv", quoted)
    code, _, err = both_ways(capsys, tmp_path, *sides, "--item", "key", said="")
    assert code == 2
    assert "take the blanks or the quotes out of the file" in err


def test_a_full_disk_names_the_ways_out(tmp_path, capsys, monkeypatch):
    class Full(parquet.ParquetWriter):
        def write_table(self, table):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(parquet, "ParquetWriter", Full)
    sides = sides_of(tmp_path)
    code, _, err = run(
        capsys, "compare", *sides, "--item", "key", "--memory-limit", "1", "--unmatched", "drop"
    )
    assert code == 2
    assert "in the environment variable TMPDIR, or raise --memory-limit" in err
    assert list((tmp_path / "temporary").iterdir()) == []
