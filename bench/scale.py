"""Tables past memory: blocks of files against engines' group-by, and tables that change.

``python -m bench.scale``. Peers run on one thread. One table that is larger than memory:
``python -m bench.scale --rows 1e9 [--text] [--folder PATH] [--workers N] [--memory GIB]``
writes rows of parquet (about 4 bytes each) and counts them in a process of its own; what it
prints are rows a second, CPU and peak memory of the whole process tree.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.harness import report
from bench.harness.peers import need
from bench.harness.report import Contest, Counted, Sides, Stage

ROWS = 10**7
CLUSTERS = 100_000
#: Candidate clusters that the items of one reference cluster are spread over.
SPREAD = 250
PIECE = 10**6
FILE_ROWS = 5 * 10**7
BATCH, BATCHES = 10_000, 20
#: Items of a table of which a batch changes some.
CHANGED = 2 * 10**6

# ---- rows of parquet -----------------------------------------------------------------


def pieces(rows: int, clusters: int) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Yield two columns of labels, piece by piece: clusters * SPREAD cells at most."""
    rng = np.random.default_rng(rows)
    for start in range(0, rows, PIECE):
        n = min(PIECE, rows - start)
        a = rng.integers(0, clusters, n)
        yield a, (a * 7919 + rng.integers(0, SPREAD, n)) % clusters


def write(folder: Path, rows: int, clusters: int, text: bool) -> int:
    """Write the rows to files of a folder; return a sum that tells tables apart."""
    arrow, parquet = need("pyarrow"), need("pyarrow.parquet")
    names = arrow.array([f"cluster-{i:07d}" for i in range(clusters)])
    writer: Any = None
    checked = done = 0
    for a, b in pieces(rows, clusters):
        if done % FILE_ROWS == 0:
            if writer is not None:
                writer.close()
            writer = parquet.ParquetWriter(
                folder / f"{done // FILE_ROWS:04d}.parquet",
                arrow.schema([(x, arrow.string() if text else arrow.int64()) for x in "ab"]),
                dictionary_pagesize_limit=1 << 23,
            )
        columns = [names.take(arrow.array(x)) if text else arrow.array(x) for x in (a, b)]
        writer.write_table(arrow.table(dict(zip("ab", columns, strict=True))))
        checked += int((a * 31 + b).sum())
        done += len(a)
    if writer is not None:
        writer.close()
    return checked


@lru_cache(maxsize=1)
def written(rows: int, clusters: int, text: bool) -> tuple[Any, str]:
    """Return a folder of parquet that stays while the process runs."""
    folder = tempfile.TemporaryDirectory(prefix="bench-scale-")
    write(Path(folder.name), rows, clusters, text)
    return folder, folder.name


# ---- against group-by ----------------------------------------------------------------


def ours(path: str) -> Any:
    return need("partwise").scale.blocks.contingency(path, label=("a", "b"))


def by_duckdb(path: str) -> int:
    """Return how many cells DuckDB counts, on one thread."""
    connection = need("duckdb").connect(config={"threads": 1})
    query = f"SELECT a, b, count(*) n FROM '{path}/*.parquet' GROUP BY ALL"
    return len(connection.execute(query).fetchnumpy()["n"])


def by_polars(path: str) -> int:
    """Return how many cells polars counts in its streaming engine, on all cores it takes."""
    polars = need("polars")
    cells = polars.scan_parquet(f"{path}/*.parquet").group_by("a", "b").agg(polars.len())
    return int(cells.collect(engine="streaming").height)


def by_pandas(path: str) -> int:
    """Return how many cells pandas counts in memory."""
    return len(need("pandas").read_parquet(path).groupby(["a", "b"], dropna=False).size())


#: Peer: how it counts, and what is asked of integers and of text.
ENGINES: dict[str, tuple[Callable[[str], int], float | None, float | None]] = {
    "duckdb group by": (by_duckdb, 1.5, 1.0),
    "polars group by": (by_polars, None, None),
    "pandas group by": (by_pandas, None, None),
}


def blocks(divisor: int) -> Iterator[Contest]:
    """Yield engines' group-by of two columns of parquet over our blocks."""
    rows = ROWS // divisor
    for text in (False, True):
        for engine, (count, integers, of_text) in ENGINES.items():
            kind = "text" if text else "integers"
            problem = f"{kind}, {rows:,} rows, {CLUSTERS // divisor:,} clusters"
            prepared = partial(_counted, rows, CLUSTERS // divisor, text, count)
            yield Contest(problem, engine, prepared, of_text if text else integers)


def _counted(rows: int, clusters: int, text: bool, count: Callable[[str], int]) -> Sides:
    _, path = written(rows, clusters, text)
    return Sides(
        partial(ours, path), partial(count, path), lambda table: table.n_cells, int, relative=0
    )


# ---- a table that changes ------------------------------------------------------------


def changes(divisor: int) -> Iterator[Contest]:
    """Yield river's updates, one call each, over ours in batches, and a table built anew.

    River's score takes time quadratic in the clusters, so it is asked for once.
    """
    problem = f"{BATCHES} batches of {BATCH:,} new items, 100 clusters, one score"
    yield Contest(problem, "river AdjustedRand", partial(_inserted, 100, False), 1.0)
    for clusters in (1000, 100_000 // divisor):
        of = f"of {CHANGED:,} items, {clusters:,} clusters"
        problem = f"{BATCHES} batches of {BATCH:,} changes {of}"
        yield Contest(problem, "table anew", partial(_inserted, clusters, True), 1.0)
        yield Contest(
            f"updates a second, {BATCHES} batches of {BATCH:,} changes {of}",
            "1e6 a second",
            partial(_updates_a_second, clusters),
            1.0,
            "CPU",
        )


def _updates_a_second(clusters: int) -> Counted:
    """Return the rate of changes, a score after each batch, of a table that is there."""
    a, b, new, parts = _stream(clusters, CHANGED)
    live = need("partwise").scale.streaming.LiveTable(need("partwise").contingency(a, b))
    rates, single = [], []
    for old, later in ((b, new), (new, b)) * 2:
        start = time.process_time()
        for part in parts:
            live.change(a[part], old[part], later[part])
            live.score("adjusted_rand_index")
        rates.append(BATCH * BATCHES / (time.process_time() - start))
        start = time.process_time()
        for i in range(100):  # there and back
            live.change(a[i : i + 1], later[i : i + 1], old[i : i + 1])
            live.change(a[i : i + 1], old[i : i + 1], later[i : i + 1])
        single.append((time.process_time() - start) / 200)
    rate = float(np.median(rates)) / 1e6
    return Counted(rate, f"{rate:.2f}e6 updates/s; one by one {1e6 * min(single):.0f} us each")


def _stream(
    clusters: int, n: int
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], list[slice]]:
    """Return both labels of items, other candidate labels, and the batches of the first."""
    rng = np.random.default_rng(clusters)
    a = rng.integers(0, clusters, n)
    b, new = ((a + rng.integers(0, 10, n)) % clusters for _ in range(2))
    return a, b, new, [slice(i, i + BATCH) for i in range(0, BATCH * BATCHES, BATCH)]


def _inserted(clusters: int, change: bool) -> Sides:
    live_table = need("partwise").scale.streaming.LiveTable
    contingency = need("partwise").contingency
    a, b, new, parts = _stream(clusters, CHANGED if change else BATCH * BATCHES)
    start = contingency(a, b)

    def own() -> list[float]:
        live = live_table(start if change else None)
        scores = []
        for part in parts:
            if change:
                live.change(a[part], b[part], new[part])
            else:
                live.insert(a[part], b[part])
            if change:
                scores.append(live.score("adjusted_rand_index"))
        return scores if change else [live.score("adjusted_rand_index")]

    def anew() -> list[float]:
        labels, scores = b.copy(), []
        for part in parts:
            labels[part] = new[part]
            scores.append(need("partwise").adjusted_rand_index(a, labels))
        return scores

    def river() -> list[float]:
        metric = need("river.metrics").AdjustedRand()
        for x, y in zip(a.tolist(), b.tolist(), strict=True):
            metric.update(x, y)
        return [metric.get()]

    return Sides(own, anew if change else river, np.array, np.array, relative=1e-9)


# ---- more rows than memory -----------------------------------------------------------

#: What the counting process does: told on standard output as JSON.
COUNT = """
import json, resource, sys, time
import partwise as pw
path, workers, items = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
start = time.time()
table = pw.scale.blocks.contingency(
    path, label=("a", "b"), workers=workers, expected_items=items
)
seconds = time.time() - start
usage = resource.getrusage(resource.RUSAGE_SELF)
if table.row_labels.dtype == object:
    rows, cols = ([int(x[8:]) for x in y] for y in (table.row_labels, table.col_labels))
else:
    rows, cols = table.row_labels.tolist(), table.col_labels.tolist()
checked = sum(31 * x * n for x, n in zip(rows, table.row_sizes.tolist()))
checked += sum(x * n for x, n in zip(cols, table.col_sizes.tolist()))
print(json.dumps({
    "cells": table.n_cells, "shape": table.shape, "checked": checked, "seconds": seconds,
    "cpu": usage.ru_utime + usage.ru_stime, "peak": usage.ru_maxrss * 1024,
}))
"""


def large(options: argparse.Namespace) -> int:
    """Count rows of parquet in a process of its own; say what it took."""
    rows, clusters = int(options.rows), options.clusters
    folder = Path(tempfile.mkdtemp(prefix="bench-scale-", dir=options.folder))
    try:
        start = time.time()
        checked = write(folder, rows, clusters, options.text)
        size = sum(file.stat().st_size for file in folder.iterdir())
        report.say(f"{rows:,} rows written: {size / 1e9:.2f} GB in {time.time() - start:.0f} s")
        ran = subprocess.run(
            [sys.executable, "-c", COUNT, str(folder), str(options.workers), str(rows)],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        shutil.rmtree(folder)
    if ran.returncode:
        report.say(f"the counting process ended with code {ran.returncode}")
        return 1
    told = json.loads(ran.stdout)
    # threads share one process: its peak is that of the tree
    report.say(
        f"{told['cells']:,} cells of {told['shape'][0]:,} x {told['shape'][1]:,} clusters in "
        f"{told['seconds']:.0f} s, {told['cpu']:.0f} s of CPU ("
        f"{1e9 * told['cpu'] / rows:.0f} ns a row, {rows / told['seconds']:,.0f} rows/s), "
        f"peak {told['peak'] / 2**30:.2f} GiB"
    )
    right = told["checked"] == checked
    small = told["peak"] <= options.memory * 2**30
    if not right:
        report.say("the table is wrong: its labels and counts do not add up to those written")
    if not small:
        report.say(f"the peak is above {options.memory} GiB")
    return 0 if right and small else 1


def main(arguments: list[str]) -> int:
    """Run the contests, or one large table where ``--rows`` is given."""
    if not any(argument.startswith("--rows") for argument in arguments):
        return report.main(STAGES, "bench.scale", arguments)
    parser = argparse.ArgumentParser(prog="python -m bench.scale")
    parser.add_argument("--rows", type=float, required=True)
    parser.add_argument("--clusters", type=int, default=CLUSTERS)
    parser.add_argument("--text", action="store_true")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--memory", type=float, default=2.0, metavar="GIB")
    return large(parser.parse_args(arguments))


STAGES = (
    Stage("blocks", "Blocks of parquet", blocks, ("duckdb", "polars", "pandas", "pyarrow")),
    Stage("changes", "Tables that change", changes, ("river",)),
)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
