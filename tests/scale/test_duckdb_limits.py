"""Joins that do not fit: within the memory limit, or a clear error, and nothing left behind."""

import errno
import os
import subprocess
import sys

import pytest

import partwise as pw

duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")

from partwise.scale import duckdb as by_duckdb  # noqa: E402
from partwise.scale.duckdb import gather, tables  # noqa: E402

pytestmark = pytest.mark.one_backend

N = 400_000
SIDES = [
    f"SELECT (i * {step}) % {N} AS item, hash((i * {step}) % {N} + {side}) % {N // 4} AS label "
    f"FROM range({N}) t(i)"
    for side, step in enumerate((7919, 104_729))
]
BOTH = {"item": "item", "label": "label", "threads": 1}
#: One statement does not get through with this; the split does.
LIMIT = "12MB"


@pytest.fixture(scope="module")
def wanted():
    return by_duckdb.contingency(*SIDES, **BOTH)


def is_same(one, other):
    return all(
        (getattr(one, name) == getattr(other, name)).all()
        for name in ("indptr", "cols", "counts", "row_labels", "col_labels")
    )


def test_one_statement_does_not_fit():
    with duckdb.connect(config={"memory_limit": LIMIT, "threads": 1}) as own:
        own.execute("SET preserve_insertion_order = false").fetchall()
        with pytest.raises(duckdb.OutOfMemoryException):
            own.sql(
                f"SELECT a.label, b.label, count(*) FROM ({SIDES[0]}) a "
                f"JOIN ({SIDES[1]}) b USING (item) GROUP BY ALL"
            ).to_arrow_table()


@pytest.mark.parametrize("trusts_estimate", [True, False])
def test_the_split_fits(tmp_path, monkeypatch, wanted, trusts_estimate):
    if not trusts_estimate:  # one statement is tried first
        monkeypatch.setattr(tables, "estimated_bytes", lambda *_: 0)
    table = by_duckdb.contingency(*SIDES, **BOTH, memory_limit=LIMIT, temp_directory=tmp_path)
    assert is_same(table, wanted)
    assert list(tmp_path.iterdir()) == []


def test_buckets_follow_the_estimate():
    assert gather.n_buckets(10, 1000) == 4
    assert gather.n_buckets(1000, 1000) == 8
    assert gather.n_buckets(10**9, 1000) == 256


def test_too_little_memory_is_an_error(tmp_path):
    with pytest.raises(MemoryError, match="raise memory_limit= or lower threads="):
        by_duckdb.contingency(*SIDES, **BOTH, memory_limit="1MB", temp_directory=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_full_folder_of_duckdb_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "estimated_bytes", lambda *_: 0)
    with duckdb.connect(config={"temp_directory": str(tmp_path / "own")}) as own:
        own.execute("SET max_temp_directory_size = '1MB'").fetchall()
        with pytest.raises(OSError, match="name a folder with more room as temp_directory="):
            by_duckdb.contingency(
                *SIDES,
                **BOTH,
                connection=own,
                memory_limit=LIMIT,
                temp_directory=tmp_path,
                duplicates="first",
            )
    assert [path for path in tmp_path.iterdir() if path.name != "own"] == []


FULL_DISK = """
import errno, resource, signal, sys
from partwise.scale import duckdb as by_duckdb
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    by_duckdb.contingency(
        sys.argv[1], sys.argv[2], item="item", label="label", threads=1,
        memory_limit="12MB", temp_directory=sys.argv[3],
    )
except OSError as error:
    assert error.errno == errno.ENOSPC, error
    assert error.filename == sys.argv[3], error
    print(error.strerror)
"""


@pytest.mark.skipif(os.name != "posix", reason="limits of files are those of POSIX")
def test_a_full_disk_in_the_split_is_an_error(tmp_path):
    run = subprocess.run(
        [sys.executable, "-c", FULL_DISK, *SIDES, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "what was written there has been removed" in run.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        by_duckdb.contingency(*SIDES, **BOTH, temp_directory=tmp_path / "no")
    assert caught.value.errno == errno.ENOENT
    assert caught.value.filename.endswith("no")


def test_many_rows_of_few_cells_take_the_memory_of_the_cells(tmp_path):
    """Rows beyond the limit, of which the result is small."""
    table = by_duckdb.contingency(
        "SELECT i % 7 AS a, i % 5 AS b FROM range(3_000_000) t(i)",
        label=("a", "b"),
        memory_limit="20MB",
        threads=1,
        temp_directory=tmp_path,
    )
    assert (table.n_items, table.n_cells) == (3_000_000, 35)
    assert pw.purity(table) < 1
