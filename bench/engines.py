"""Engines: tables by DuckDB, Dask and Spark against the statement by hand, and bounded joins.

``python -m bench.engines``. Every way runs in a process of its own, as engines keep memory and
start processes; its CPU is that of the whole tree, start-up included, and its peak that of the
largest process. ``PARTWISE_BENCH_ROWS=1e8`` takes so many rows (1e7 by default).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from bench.harness import report
from bench.harness.peers import need
from bench.harness.report import Contest, Counted, Stage

ROWS = int(float(os.environ.get("PARTWISE_BENCH_ROWS", "1e7")))
#: Bytes of memory for each row of a bounded join: 1 GB for 1e8 rows.
BYTES_A_ROW = 10
#: What the adapter of DuckDB may cost against the statement.
ASKED = 1 / 1.1


# ---- inputs --------------------------------------------------------------------------


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="bench-engines-")


@cache
def inputs(n: int) -> tuple[str, str]:
    """Return two parquet files of n rows, in different orders, 1 % of the items on one side.

    Reference clusters have four items on average; of the candidate's, a tenth are merged and a
    twentieth of the items split off.
    """
    duckdb = need("duckdb")
    a, b = (str(Path(_folder().name, f"{side}{n}.parquet")) for side in "ab")
    item = f"((r * {{}}) % {n})::BIGINT"
    label = f"(hash(item) % {max(1, n // 4)})::INTEGER"
    with duckdb.connect() as connection:
        connection.execute("SET preserve_insertion_order = false").fetchall()
        for path, step, labels, side in (
            (a, 2654435761, f"{label} AS a", 1),
            (
                b,
                1597334677,
                "CASE WHEN hash(item + 3) % 20 = 0 THEN 1000000000 + item % 100000007 "
                f"WHEN hash({label} + 5) % 10 = 0 THEN {label} - 1 ELSE {label} END::INTEGER b",
                2,
            ),
        ):
            rows = f"SELECT {item.format(step)} AS item FROM range({n}) t(r)"
            connection.execute(
                f"COPY (SELECT item, {labels} FROM ({rows}) "
                f"WHERE hash(item + {side}) % 100 <> 0) TO '{path}' (COMPRESSION zstd)"
            ).fetchall()
        aligned = Path(_folder().name, f"aligned{n}.parquet")
        connection.execute(
            f"COPY (SELECT a, b FROM '{a}' JOIN '{b}' USING (item)) TO '{aligned}'"
        ).fetchall()
    return a, b


# ---- ways ------------------------------------------------------------------------------


def _statement(statement: str, limit: str) -> int:
    """Return the cells of a statement by hand, as a table."""
    import duckdb

    import partwise

    with duckdb.connect(config={"memory_limit": limit, "threads": 1}) as connection:
        connection.execute("SET preserve_insertion_order = false").fetchall()
        connection.execute("SET enable_progress_bar = false").fetchall()
        cells = connection.sql(statement).to_arrow_table()
    return partwise.Contingency.from_counts(cells["a"], cells["b"], cells["n"]).n_cells


def by_hand_join(a: str, b: str, limit: str) -> int:
    """Join and count in one statement, with what it takes to see items of one side."""
    seen = "count(a.item) AS na, count(b.item) AS nb"
    counted = f"SELECT a, b, count(*) AS n, {seen} FROM '{a}' a FULL JOIN '{b}' b USING (item)"
    return _statement(
        f"SELECT a, b, n FROM ({counted} GROUP BY ALL) WHERE na = n AND nb = n", limit
    )


def by_hand_inner(a: str, b: str, limit: str) -> int:
    """Join and count in one statement, blind to items of one side."""
    return _statement(
        f"SELECT a, b, count(*) AS n FROM '{a}' JOIN '{b}' USING (item) GROUP BY ALL", limit
    )


def duckdb_join(a: str, b: str, limit: str) -> int:
    """Join and count by our adapter."""
    from partwise.scale import duckdb

    return duckdb.contingency(
        a,
        b,
        item="item",
        label=("a", "b"),
        unmatched="drop",
        memory_limit=limit,
        threads=1,
    ).n_cells


def by_hand_aligned(path: str, limit: str) -> int:
    """Count two columns of one file in one statement."""
    return _statement(f"SELECT a, b, count(*) AS n FROM '{path}' GROUP BY ALL", limit)


def duckdb_aligned(path: str, limit: str) -> int:
    """Count two columns of one file by our adapter."""
    from partwise.scale import duckdb

    return duckdb.contingency(path, label=("a", "b"), memory_limit=limit, threads=1).n_cells


def dask_join(a: str, b: str, limit: str) -> int:
    """Join and count by Dask, on one worker of one thread."""
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    from partwise.scale import dask

    with (
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        sides = [dd.read_parquet(path).repartition(npartitions=16) for path in (a, b)]
        return dask.contingency(*sides, item="item", label=("a", "b"), unmatched="drop").n_cells


def spark_join(a: str, b: str, limit: str) -> int:
    """Join and count by Spark in local mode, with one thread and 2 GB of heap."""
    from pyspark.sql import SparkSession

    from partwise.scale import spark

    session = (
        SparkSession.builder.master("local[1]")
        .config("spark.driver.memory", "2g")
        .config("spark.driver.maxResultSize", "0")
        .config("spark.ui.enabled", "false")
        .getOrCreate()
    )
    sides = [session.read.parquet(path) for path in (a, b)]
    n_cells = spark.contingency(*sides, item="item", label=("a", "b"), unmatched="drop").n_cells
    gateway = session.sparkContext._gateway
    session.stop()
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait()  # its costs count with ours
    return n_cells


class Cost(NamedTuple):
    """What a way took: seconds of CPU of the process tree, peak of its largest process."""

    cells: int | str
    cpu: float
    peak: int


def cost_of(way: Callable[..., int], *arguments: str) -> Cost:
    """Run a way in a process of its own; ``cells`` is what it raised, if it did."""
    code = (
        "import json, sys\nfrom bench import engines\n"
        "try:\n    cells = getattr(engines, sys.argv[1])(*sys.argv[2:])\n"
        "except ModuleNotFoundError as error:\n    cells = 'absent ' + str(error.name)\n"
        "except Exception as error:\n    cells = type(error).__name__\n"
        "print(json.dumps(cells))"
    )
    run = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", code, way.__name__, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert run.stdout is not None
    out = run.stdout.read()
    run.stdout.close()
    _, status, used = os.wait4(run.pid, 0)  # of this process and those it waited for
    run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode:
        raise SystemExit(f"{way.__name__} ended with code {run.returncode}")
    cells = json.loads(out.splitlines()[-1])
    if isinstance(cells, str) and cells.startswith("absent "):
        need(cells.removeprefix("absent "))
    return Cost(cells, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


# ---- contests ----------------------------------------------------------------------------


def _against(
    ours: Callable[..., int], peer: Callable[..., int], n: int, limit: str, aligned: bool
) -> Counted:
    """Return the CPU of the peer over ours; both must find as many cells."""
    a, b = inputs(n)
    paths = (a.replace("/a", "/aligned"),) if aligned else (a, b)
    mine, theirs = (cost_of(way, *paths, limit) for way in (ours, peer))
    if mine.cells != theirs.cells:
        raise SystemExit(f"{ours.__name__} finds {mine.cells}, {peer.__name__} {theirs.cells}")
    rate = n / mine.cpu / 1e6
    return Counted(
        theirs.cpu / mine.cpu,
        f"{mine.cpu:.1f} s, {rate:.2f}e6 rows/s, no process above {mine.peak / 1e9:.2f} GB; "
        f"the peer {theirs.cpu:.1f} s, {theirs.peak / 1e9:.2f} GB",
    )


def against_statements(divisor: int) -> Iterator[Contest]:
    """Yield the statement by hand over each engine."""
    n = ROWS // divisor
    rows = f"{n:.0e} + {n:.0e} rows joined on their items"
    full, inner = "DuckDB, full join by hand", "DuckDB, inner join by hand"
    for name, ours, peer, way, asked in (
        ("DuckDB", duckdb_join, full, by_hand_join, ASKED),
        ("DuckDB", duckdb_join, inner, by_hand_inner, None),
        ("Dask", dask_join, full, by_hand_join, None),
        ("Spark", spark_join, full, by_hand_join, None),
    ):
        prepare = partial(_against, ours, way, n, "8GB", False)
        yield Contest(f"{name}, {rows}", peer, prepare, asked, "CPU of the process tree")
    prepare = partial(_against, duckdb_aligned, by_hand_aligned, n, "8GB", True)
    yield Contest(
        f"DuckDB, {n:.0e} rows of both labels",
        "DuckDB, by hand",
        prepare,
        ASKED,
        "CPU of the process tree",
    )


def bounded_joins(divisor: int) -> Iterator[Contest]:
    """Yield a join under a limit in which the statement by hand fails."""
    n = ROWS // divisor
    limit = f"{max(n * BYTES_A_ROW // 10**6, 8)}MB"
    yield Contest(
        f"{n:.0e} + {n:.0e} rows under {limit}",
        "DuckDB, inner join by hand, 8 GB",
        partial(_bounded, n, limit),
        quantity="CPU of the process tree",
    )


def _bounded(n: int, limit: str) -> Counted:
    a, b = inputs(n)
    ours, free = cost_of(duckdb_join, a, b, limit), cost_of(by_hand_inner, a, b, "8GB")
    if ours.cells != free.cells:
        raise SystemExit(f"under {limit} {ours.cells} cells, under 8 GB {free.cells}")
    hand = cost_of(by_hand_inner, a, b, limit)
    fails = f"fails ({hand.cells})" if isinstance(hand.cells, str) else "does not fail"
    return Counted(
        free.cpu / ours.cpu,
        f"{ours.cpu:.1f} s of CPU, no process above {ours.peak / 1e9:.2f} GB with the cells; "
        f"the statement by hand {fails} under {limit}",
    )


STAGES = (
    Stage(
        "engines",
        "Engines against the statement by hand",
        against_statements,
        ("duckdb", "dask", "pyspark", "partwise"),
    ),
    Stage(
        "bounded_join",
        "Joins beyond the memory limit",
        bounded_joins,
        ("duckdb", "partwise"),
    ),
)

if __name__ == "__main__":
    sys.exit(report.main(STAGES, "bench.engines"))
