"""What people pass to the adapter of DuckDB by mistake is refused, never guessed."""

import datetime
import os
import signal
import subprocess
import sys
import time

import pyarrow as pa
import pytest
from pyarrow import parquet

import partwise as pw

duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")

from partwise.scale import duckdb as by_duckdb  # noqa: E402
from partwise.scale.duckdb.session import Session  # noqa: E402

pytestmark = pytest.mark.one_backend


def content(table):
    parts = (*table.cells, table.row_labels, table.col_labels)
    return [part.tolist() for part in parts]


def folder_of(folder, *tables):
    folder.mkdir()
    for i, columns in enumerate(tables):
        parquet.write_table(pa.table(columns), folder / f"{i}.parquet")
    return folder


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ([1.5, 2.0], "'a' is of type BIGINT in .*0.parquet, but of type DOUBLE in .*1.parquet"),
        (["1", "x"], "'a' is of type BIGINT in .*0.parquet, but of type VARCHAR in"),
        ([datetime.date(2020, 1, 1)] * 2, "'a' is of type BIGINT in .*, but of type DATE in"),
        (None, r"1.parquet: no column 'a'; its columns: n, b"),
    ],
)
def test_files_of_one_folder_hold_one_type(tmp_path, other, said):
    """DuckDB would make 2 of 1.5. A field of that name inside another column is no column."""
    nested = [{"a": 1.5}, {"a": 2.5}]
    more = {"n": nested, "b": [1, 2]} | ({} if other is None else {"a": other})
    folder = folder_of(tmp_path / "x", {"n": nested, "a": [1, 2], "b": [1, 2]}, more)
    for source in (folder, [folder / "0.parquet", folder / "1.parquet"], f"{folder}/*.parquet"):
        with pytest.raises(ValueError, match=said):
            by_duckdb.contingency(source, label=("a", "b"))


def test_files_of_one_folder_may_differ_in_what_does_not_count(tmp_path):
    """Widths of integers, dictionaries, the order of columns, a file without rows."""
    names = pa.array(["x", "y"])
    folder = folder_of(
        tmp_path / "x",
        {"a": pa.array([1, 2], pa.int64()), "b": names},
        {"b": names.dictionary_encode(), "more": [0.5, 1], "a": pa.array([2, 7], pa.int8())},
        {"a": pa.array([], pa.int64()), "b": pa.array([], pa.string())},
    )
    table = by_duckdb.contingency(folder, label=("a", "b"))
    assert content(table) == content(pw.contingency([1, 2, 2, 7], ["x", "y", "x", "y"]))


def test_a_file_that_is_none_is_named(tmp_path):
    folder = folder_of(tmp_path / "x", {"a": [1], "b": [1]})
    (folder / "1.parquet").write_text("nothing of the kind")
    with pytest.raises(ValueError, match=r"cannot be read by DuckDB: .*1\.parquet"):
        by_duckdb.contingency(folder, label=("a", "b"))


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            "SELECT 1 AS a, 2 AS b; SELECT 3 AS a, 4 AS b",
            "holds 2 statements of SQL; one SELECT",
        ),
        (
            "SELECT 1 AS a, 2 AS b) t; CREATE TABLE z(i int); --",
            "cannot be read by DuckDB: Par",
        ),
    ],
)
def test_a_statement_is_one(statement, said):
    connection = duckdb.connect()
    with pytest.raises(ValueError, match=said):
        by_duckdb.contingency(statement, label=("a", "b"), connection=connection)
    tables_of = "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'z'"
    assert connection.sql(tables_of).fetchall() == [(0,)]
    table = by_duckdb.contingency("SELECT 1 AS a, 2 AS b -- all of them", label=("a", "b"))
    assert table.n_items == 1


def test_an_item_has_a_column():
    with pytest.raises(ValueError, match=r"item=\[\] names no column"):
        by_duckdb.contingency("SELECT 1 AS a", "SELECT 1 AS a", label="a", item=[])


def test_an_interrupt_is_one_and_leaves_no_folder(tmp_path, monkeypatch):
    """DuckDB makes a RuntimeError of the signal; others stay what they are."""
    for error, wanted in (("Query interrupted", KeyboardInterrupt), ("else", RuntimeError)):

        def interrupted(self, source, error=error):
            with self._explained():
                raise RuntimeError(error)

        monkeypatch.setattr(Session, "count", interrupted)
        with pytest.raises(wanted):
            by_duckdb.contingency(
                "SELECT 1 AS a, 2 AS b", label=("a", "b"), temp_directory=tmp_path
            )
        assert list(tmp_path.iterdir()) == []


ENDLESS = """
import signal, sys
from partwise.scale.duckdb.session import Session

signal.signal(signal.SIGINT, signal.default_int_handler)  # a parent may have it ignored
with Session(None, None, sys.argv[1], 2) as session:
    print("ready", flush=True)
    try:
        rows = "range(9000000) a, range(9000000) b"
        session.arrow(f"SELECT sum(sqrt(a.range * b.range)) FROM {rows}")
    except KeyboardInterrupt:
        print(session.rows("SELECT 1"))
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of another kind")
def test_ctrl_c_ends_a_statement_that_would_take_hours(tmp_path):
    command = [sys.executable, "-c", ENDLESS, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=30)
        finally:
            process.kill()
    assert out == "[(1,)]\n"  # the connection goes on
    assert process.returncode == 0
    assert list(tmp_path.iterdir()) == []
