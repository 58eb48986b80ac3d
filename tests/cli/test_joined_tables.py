"""Files past the memory limit that are joined by their items, and tables from SQL."""

import json
import sys

import numpy as np
import pytest

import partwise as pw
from partwise.cli import main

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

pytestmark = pytest.mark.one_backend


def run(capsys, *arguments):
    code = main([str(x) for x in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def write(path, **columns):
    parquet.write_table(pa.table(columns), path)


def sides_of(folder, *, ids=("int64", "int64"), labels=("int64", "int64")):
    """Write two files in different orders, with items of one side only and missing labels."""
    rng = np.random.default_rng(8)
    for name, id_type, label_type, start in zip("ab", ids, labels, (0, 20), strict=True):
        items = rng.permutation(np.arange(start, start + 400))
        cells = items // 10 + (rng.random(400) < 0.2) * 3
        column = pa.array([None if x % 37 == start // 20 else x for x in cells.tolist()])
        write(
            folder / f"{name}.parquet",
            key=pa.array(items).cast(id_type),
            kind=column.cast(label_type),
        )
    return [f"{folder / name}.parquet::kind" for name in "ab"]


def both_ways(capsys, command, *arguments):
    """Run a command in memory and past the limit; return both answers and the note."""
    pytest.importorskip("duckdb")
    code, out, err = run(capsys, command, *arguments)
    large = run(capsys, command, *arguments, "--memory-limit", "99")
    told, _, rest = large[2].partition("\n")
    assert told.startswith("partwise: note: to read these files would take about ")
    assert told.endswith("the limit is 99 bytes (--memory-limit); they are joined by DuckDB")
    return (code, out, err), (large[0], large[1], rest)


@pytest.mark.parametrize("command", ["compare", "diagnose"])
@pytest.mark.parametrize("unmatched", ["drop", "singletons", "drop,singletons"])
@pytest.mark.parametrize("missing", ["drop", "singletons", "cluster,drop"])
def test_a_join_past_the_limit_is_that_in_memory(tmp_path, command, unmatched, missing, capsys):
    sides = sides_of(tmp_path)
    options = ["--item", "key", "--unmatched", unmatched, "--missing", missing, "--json"]
    for order in (sides, sides[::-1])[: 2 if command == "compare" else 1]:
        wanted, large = both_ways(capsys, command, *order, *options)
        assert large == wanted
        assert wanted[0] == 0
        told = json.loads(wanted[1])["account"]
        assert told["matched_by"] == "item"
        assert told["reference"]["unmatched"] == told["candidate"]["unmatched"] == 20


@pytest.mark.parametrize(
    ("ids", "labels"),
    [
        (("string", "int64"), ("int64", "string")),
        (("int32", "uint64"), ("double", "uint8")),
        (("large_string", "string"), ("large_string", "string")),
    ],
)
def test_types_come_out_the_same(tmp_path, ids, labels, capsys):
    sides = sides_of(tmp_path, ids=ids, labels=labels)
    options = ["--item", "key", "--unmatched", "drop", "--missing", "singletons"]
    options += ["--missing-labels-reference", "7", "--measures", "all", "--json"]
    wanted, large = both_ways(capsys, "compare", *sides, *options)
    assert large == wanted
    codes = {note["code"] for note in json.loads(wanted[1])["account"]["notes"]}
    assert ("ids-as-text" in codes) == (ids == ("string", "int64"))


def test_two_columns_make_an_item_and_a_dictionary_a_label(tmp_path, capsys):
    labels = pa.array(["x", "y", None, "x"]).dictionary_encode()
    write(tmp_path / "a.parquet", doc=["d", "d", "e", "e"], place=[1, 2, 1, 2], label=labels)
    write(
        tmp_path / "b.parquet", doc=["e", "e", "d", "d"], place=[2, 1, 2, 1], label=[4, 4, 5, 6]
    )
    sides = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    options = ["--item", "doc,place", "--missing", "drop", "--json"]
    wanted, large = both_ways(capsys, "compare", *sides, *options)
    assert wanted[0] == 0
    assert large == wanted


def test_a_folder_is_joined_too(tmp_path, capsys):
    sides = sides_of(tmp_path)
    whole = parquet.read_table(tmp_path / "a.parquet")
    (tmp_path / "parts").mkdir()
    for i in (2, 0, 1):
        part = whole.slice(150 * i, 150)
        parquet.write_table(part, tmp_path / "parts" / f"{i}.parquet")
    options = [
        "--item",
        "key",
        "--missing",
        "singletons",
        "--json",
        "--unmatched",
        "singletons",
    ]
    for reference in (tmp_path / "parts", f"{tmp_path}/parts::kind"):
        wanted, large = both_ways(capsys, "compare", reference, sides[1], *options)
        assert wanted[0] == 0
        assert large == wanted
    parquet.write_table(whole.append_column("more", whole["key"]), tmp_path / "parts/3.parquet")
    _, _, err = run(capsys, "compare", reference, sides[1], *options, "--memory-limit", "9")
    assert "they are read all the same, as DuckDB joins text tables and parquet with" in err


def test_the_table_of_a_join_is_saved(tmp_path, capsys):
    sides = sides_of(tmp_path)
    options = ["--item", "key", "--unmatched", "drop", "--missing", "drop"]
    saved = []
    for name, more in (("memory", []), ("large", ["--memory-limit", "1KB", "--workers", "2"])):
        path = tmp_path / f"{name}.npz"
        code, out, _ = run(capsys, "table", *sides, *options, "-o", path, *more)
        assert code == 0
        saved.append((out, pw.Contingency.load(path)))
    (told, wanted), (told_too, large) = saved
    assert told == told_too
    assert large.account == wanted.account
    assert large.counts.tolist() == wanted.counts.tolist()
    assert large.row_labels.tolist() == wanted.row_labels.tolist()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "choose --unmatched drop or singletons to go on"),
        (["--unmatched", "drop"], "choose --missing drop, singletons or cluster"),
    ],
)
def test_errors_of_a_join_speak_of_options(tmp_path, options, said, capsys):
    sides = sides_of(tmp_path)
    wanted, large = both_ways(capsys, "compare", *sides, "--item", "key", *options)
    assert large == wanted
    assert wanted[0] == 2
    assert said in wanted[2]


def test_repeated_items_are_refused_alike(tmp_path, capsys):
    write(tmp_path / "a.parquet", key=[3, 1, 3], label=[1, 1, 2])
    write(tmp_path / "b.parquet", key=[1, 3], label=[1, 1])
    sides = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    wanted, large = both_ways(capsys, "compare", *sides, "--item", "key")
    assert large == wanted
    assert "choose --duplicates first or last" in wanted[2]
    wanted, large = both_ways(
        capsys, "compare", *sides, "--item", "key", "--duplicates", "last"
    )
    assert large == wanted
    assert wanted[0] == 0


def test_without_duckdb_files_are_read_all_the_same(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("partwise.cli.tables.joined.find_spec", lambda name: None)
    sides = sides_of(tmp_path)
    options = ["--item", "key", "--unmatched", "drop", "--missing", "drop"]
    _, wanted, _ = run(capsys, "compare", *sides, *options)
    code, out, err = run(capsys, "compare", *sides, *options, "--memory-limit", "1KB")
    assert (code, out) == (0, wanted)
    assert "pip install duckdb" in err


def test_a_join_that_fails_names_the_ways_out(tmp_path, capsys, monkeypatch):
    pytest.importorskip("duckdb")
    from partwise.scale.duckdb import session

    sides = sides_of(tmp_path)
    options = ["--item", "key", "--memory-limit", "1KB"]

    def rows(self, statement):
        raise_here = self._duckdb.OutOfMemoryException("it is full")
        if (tmp_path / "full").exists():
            raise_here = self._duckdb.IOException("No space left on device")
        with self._explained():
            raise raise_here

    monkeypatch.setattr(session.Session, "count", rows)
    code, _, err = run(capsys, "compare", *sides, *options)
    assert code == 2
    assert err.endswith("(it is full); raise --memory-limit or lower --workers\n")
    (tmp_path / "full").touch()
    code, _, err = run(capsys, "compare", *sides, *options)
    assert code == 2
    assert "in the environment variable TMPDIR, or raise --memory-limit" in err


# ---- SQL ---------------------------------------------------------------------------


@pytest.fixture
def labels(tmp_path):
    """Two columns of labels in a file of parquet, some missing."""
    rng = np.random.default_rng(3)
    truth, guess = rng.integers(0, 9, (2, 500)).tolist()
    guess = [None if x == 4 else f"c{x}" for x in guess]
    write(tmp_path / "x.parquet", truth=truth, guess=guess)
    return truth, guess


@pytest.mark.parametrize("missing", ["drop", "singletons"])
def test_a_table_of_a_statement(labels, tmp_path, missing, capsys):
    pytest.importorskip("duckdb")
    wanted = pw.contingency(*labels, missing=missing, missing_labels=([7], None))
    statement = f"SELECT truth, guess FROM '{tmp_path}/x.parquet'"
    for text in (f"{statement};", f"{statement} -- all of them"):
        code, out, err = run(
            capsys,
            *("table", "--sql", text, "--missing", missing, "--missing-labels-reference", "7"),
            *("-o", tmp_path / "cells.npz", "--memory-limit", "1GB", "--workers", "2"),
        )
        assert (code, err) == (0, "")
        assert out.startswith(wanted.account.describe())
        table = pw.Contingency.load(tmp_path / "cells.npz")
        assert table.counts.tolist() == wanted.counts.tolist()
        assert table.account == wanted.account
        assert table.col_labels.tolist() == wanted.col_labels.tolist()


def test_a_statement_reads_a_database_and_writes_nothing(labels, tmp_path, capsys):
    duckdb = pytest.importorskip("duckdb")
    database = tmp_path / "labels.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.execute(f"CREATE TABLE runs AS FROM '{tmp_path}/x.parquet'")
    before = database.read_bytes()
    arguments = ["--database", database, "--missing", "drop", "-o", tmp_path / "cells.npz"]
    # two columns of one name
    statement = "SELECT a.truth, b.truth FROM runs a POSITIONAL JOIN runs b"
    code, out, _ = run(capsys, "table", "--sql", statement, *arguments)
    assert code == 0
    assert out.endswith("9 reference clusters, 9 candidate clusters, 9 cells\n")
    assert database.read_bytes() == before
    assert sorted(x.name for x in tmp_path.iterdir()) == [
        *("cells.npz", "labels.duckdb", "x.parquet")
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--sql", "SELECT truth FROM {x}"],
            "--sql selects 1 column (truth); two are expected",
        ),
        (["--sql", "SELECT truth, guess, 1 AS n FROM {x}"], "--sql selects 3 columns"),
        (["--sql", "SELECT truth, nothing FROM {x}"], "DuckDB cannot go on: Binder Error"),
        (["--sql", "selec 1"], 'Parser Error: syntax error at or near "selec"\n'),
        (["--sql", "SELECT truth, guess FROM {x}"], "choose --missing drop, singletons"),
        (["--sql", "SELECT 1, 2", "--item", "id"], "--item would do nothing beside --sql"),
        (["a.npy", "b.npy", "--sql", "SELECT 1, 2"], "REFERENCE would do nothing beside --sql"),
        (["a.npy", "b.npy", "--database", "x"], "give a statement as --sql"),
        (["a.npy"], "give REFERENCE and CANDIDATE, or a statement as --sql"),
        (["--sql", "SELECT 1, 2", "--database", "none.duckdb"], "none.duckdb: No such file"),
    ],
)
def test_statements_that_are_refused(labels, tmp_path, arguments, said, capsys):
    pytest.importorskip("duckdb")
    arguments = [text.replace("{x}", f"'{tmp_path}/x.parquet'") for text in arguments]
    code, _, err = run(capsys, "table", *arguments, "-o", tmp_path / "cells.npz")
    assert code == 2
    assert said in err
    assert err.count("\n") == 1
    assert not (tmp_path / "cells.npz").exists()


def test_a_statement_needs_duckdb(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    code, _, err = run(capsys, "table", "--sql", "SELECT 1, 2", "-o", tmp_path / "cells.npz")
    assert code == 2
    assert "pip install duckdb" in err


# ---- several candidates --------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        ["--missing", "drop"],
        ["--missing", "singletons", "--missing-labels-reference", "3", "--measures", "all"],
        ["--missing", "drop,cluster", "--candidates", "run,2"],
        ["--candidates", "text", "--missing", "error,drop"],
        ["--candidates", "run,text"],
        ["--candidates", "run,run", "--missing", "drop"],
    ],
)
def test_candidates_past_the_limit_are_scored_in_blocks(tmp_path, options, capsys):
    rng = np.random.default_rng(11)
    truth, run_of, text = rng.integers(0, 12, (3, 40_000)).tolist()
    columns = {
        "truth": truth,
        "other": [x // 2 for x in truth],
        "run": [None if x == 5 else x for x in run_of],
        "text": [None if x == 2 else f"name {x}" for x in text],
    }
    write(tmp_path / "runs.parquet", **columns)
    arguments = [tmp_path / "runs.parquet", "--reference", "truth", "--json", *options]
    code, wanted, said = run(capsys, "score", *arguments)
    assert run(capsys, "score", *arguments, "--workers", "3") == (code, wanted, said)
    large = run(capsys, "score", *arguments, "--memory-limit", "100KB", "--workers", "2")
    assert large[:2] == (code, wanted)
    if "run,run" not in options:
        told, _, rest = large[2].partition("\n")
        assert told.endswith(
            "the limit is 100 KB (--memory-limit); they are counted block by block"
        )
        assert rest == said or "candidate 'run': block 0: missing labels" in rest


def test_workers_of_a_score_are_checked(tmp_path, capsys):
    write(tmp_path / "runs.parquet", truth=[1, 2], other=[1, 1])
    arguments = [tmp_path / "runs.parquet", "--reference", "truth", "--workers", "0"]
    for more in ([], ["--memory-limit", "1"]):
        code, out, err = run(capsys, "score", *arguments, *more)
        assert (code, out) == (2, "")
        assert "--workers 0 must be at least 1, or -1 for one per core" in err
