"""The border: items joined by their ids, and forms of labels against plain integers.

``python -m bench.border``. Joins are measured from two columns of ids and two of labels to the
table. For the forms the peer is our own table of the same labels as 64-bit integers, so that a
ratio of 1/4 means four times its cost. At the command line whole processes are measured, their
start included, which needs modules compiled to bytecode (no ``PYTHONDONTWRITEBYTECODE``).
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.harness import report
from bench.harness.peers import need
from bench.harness.report import Contest, Counted, Sides, Stage

ITEMS = 10**6
NOISE = 0.1
MENTIONS = 100  # of a document
FORM_CLUSTERS = 100

# ---- joins ---------------------------------------------------------------------------

Sample = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]


@lru_cache(maxsize=1)
def sample(items: int) -> Sample:
    """Return labels of both sides, and the order in which the second has the items."""
    rng = np.random.default_rng(items)
    a = rng.integers(0, items // 10, items)
    b = np.where(rng.random(items) < NOISE, rng.integers(0, items // 10, items), a)
    return a, b, rng.permutation(items)


def numbers(items: int) -> list[Any]:
    return [np.arange(items)]


def random_numbers(items: int) -> list[Any]:
    return [np.random.default_rng(1).integers(0, 1 << 62, items)]


def texts(items: int) -> list[Any]:
    return [need("pyarrow").array([f"rec{i:09d}" for i in range(items)])]


def documents(items: int) -> list[Any]:
    return [np.arange(items) // MENTIONS, np.arange(items) % MENTIONS]


def taken(column: Any, order: NDArray[Any]) -> Any:
    return column[order] if isinstance(column, np.ndarray) else column.take(order)


def ours(ids: list[Any], other_ids: list[Any], a: Any, b: Any) -> Any:
    """Return our table of items joined by their ids."""
    partwise = need("partwise")
    sides = []
    for columns, labels in ((ids, a), (other_ids, b)):
        frame = {str(i): column for i, column in enumerate(columns)}
        items = columns[0] if len(columns) == 1 else need("pandas").DataFrame(frame)
        sides.append(partwise.Clustering(labels, items=items))
    return partwise.contingency(*sides)


def _frames(ids: list[Any], other_ids: list[Any], a: Any, b: Any) -> tuple[Any, Any, list[str]]:
    pandas = need("pandas")
    keys = [f"key{i}" for i in range(len(ids))]
    frames = []
    for columns, name, labels in ((ids, "a", a), (other_ids, "b", b)):
        parts = {}
        for key, column in zip(keys, columns, strict=True):
            is_text = not isinstance(column, np.ndarray)
            parts[key] = pandas.array(column, dtype="string[pyarrow]") if is_text else column
        frames.append(pandas.DataFrame({**parts, name: labels}))
    return *frames, keys


def by_pandas(frames: tuple[Any, Any, list[str]]) -> Any:
    """Return our table of what pandas has merged."""
    first, second, keys = frames
    merged = first.merge(second, on=keys)
    return need("partwise").contingency(merged["a"].to_numpy(), merged["b"].to_numpy())


def by_duckdb(tables: tuple[Any, Any, list[str]]) -> int:
    """Return how many cells DuckDB counts after its join, on one thread."""
    first, second, keys = tables
    connection = need("duckdb").connect(config={"threads": 1})
    connection.register("first", first)
    connection.register("second", second)
    query = (
        f"SELECT a, b, count(*) FROM first JOIN second USING ({', '.join(keys)}) GROUP BY a, b"
    )
    return len(connection.execute(query).fetchnumpy()["a"])


def _tables(ids: list[Any], other_ids: list[Any], a: Any, b: Any) -> tuple[Any, Any, list[str]]:
    pyarrow = need("pyarrow")
    keys = [f"key{i}" for i in range(len(ids))]
    parts = [dict(zip(keys, columns, strict=True)) for columns in (ids, other_ids)]
    return pyarrow.table({**parts[0], "a": a}), pyarrow.table({**parts[1], "b": b}), keys


#: Kind of ids: how they are made, and what is asked against pandas and DuckDB.
IDS: dict[str, tuple[Callable[[int], list[Any]], float | None, float | None]] = {
    "integers": (numbers, 1.2, None),
    "random integers": (random_numbers, None, None),
    "strings": (texts, 2.0, 1.0),
    "two columns": (documents, 1.0, None),
}


def joins(divisor: int) -> Iterator[Contest]:
    """Yield pandas' merge with our table, and DuckDB's join and count, over our join."""
    items = ITEMS // divisor
    for kind, (make, asked_pandas, asked_duckdb) in IDS.items():
        problem = f"{kind}, {items:,} + {items:,} items"
        prepared = partial(_joined, make, items)
        yield Contest(
            problem, "pandas merge, our table", partial(prepared, False), asked_pandas
        )
        yield Contest(problem, "duckdb join, count", partial(prepared, True), asked_duckdb)


def _joined(make: Callable[[int], list[Any]], items: int, duck: bool) -> Sides:
    a, b, order = sample(items)
    ids = make(items)
    other_ids, other = [taken(column, order) for column in ids], b[order]
    own = partial(ours, ids, other_ids, a, other)
    if duck:
        peer = partial(by_duckdb, _tables(ids, other_ids, a, other))
        return Sides(own, peer, lambda table: table.n_cells, int, relative=0)
    frames = _frames(ids, other_ids, a, other)
    return Sides(own, partial(by_pandas, frames), _cells, _cells, relative=0)


def _cells(table: Any) -> list[int]:
    return [table.n_items, table.n_cells, int((table.counts**2).sum())]


# ---- forms ---------------------------------------------------------------------------


def _with_nulls(values: NDArray[Any]) -> Any:
    column = need("pandas").array(values, dtype="Int64")
    column[::100] = need("pandas").NA
    return column


def _arrow_nulls(values: NDArray[Any]) -> Any:
    return need("pyarrow").array(values, mask=np.arange(len(values)) % 100 == 0)


def _polars_nulls(values: NDArray[Any]) -> Any:
    return need("polars").from_arrow(_arrow_nulls(values))


def _categories(values: NDArray[Any]) -> Any:
    polars = need("polars")
    return polars.Series([f"c{x:03d}" for x in values.tolist()]).cast(polars.Categorical)


def _sets(values: NDArray[Any]) -> list[set[int]]:
    order = np.argsort(values, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(values[order])) + 1)
    return [set(part.tolist()) for part in parts]


#: Form of the labels: how it is made, policies, and what is asked against plain integers.
FORMS: dict[str, tuple[Callable[[Any], Any], dict[str, str], float | None]] = {
    "polars Categorical": (_categories, {}, 1 / 2),
    "Int64 with nulls, dropped": (_with_nulls, {"missing": "drop"}, 1 / 2),
    "polars integers with nulls, dropped": (_polars_nulls, {"missing": "drop"}, 1 / 2),
    "pyarrow integers with nulls, dropped": (_arrow_nulls, {"missing": "drop"}, 1 / 2),
    "whole floats": (lambda values: values.astype(np.float64), {}, 1 / 4),
    "other floats": (lambda values: values + 0.5, {}, None),
    "list of integers": (lambda values: values.tolist(), {}, None),
    "array of objects": (lambda values: values.astype(object), {}, None),
    "sets of items": (_sets, {}, None),
}


def forms(divisor: int) -> Iterator[Contest]:
    """Yield our table of 64-bit integers over that of other forms, weights, multiplicities."""
    items = ITEMS // divisor
    for form, (make, policies, asked) in FORMS.items():
        problem = f"{form}, {items:,} items"
        yield Contest(problem, "int64", partial(_form, items, make, policies), asked)
    for name, asked in (("multiplicity", 1 / 3), ("weights", 1 / 6)):
        problem = f"{name}, {items:,} items"
        yield Contest(problem, "int64, none", partial(_counted, items, name), asked)


def _labels(items: int) -> tuple[NDArray[Any], NDArray[Any]]:
    rng = np.random.default_rng(3)
    a = rng.integers(0, FORM_CLUSTERS, items)
    drawn = rng.integers(0, FORM_CLUSTERS, items)
    return a, np.where(rng.random(items) < NOISE, drawn, a)


def _form(items: int, make: Callable[[Any], Any], policies: dict[str, str]) -> Sides:
    contingency = need("partwise").contingency
    a, b = _labels(items)
    own = partial(contingency, make(a), make(b), **policies)
    value = None if policies else _cells
    return Sides(own, partial(contingency, a, b), value, value, relative=0)


def _counted(items: int, name: str) -> Sides:
    contingency = need("partwise").contingency
    a, b = _labels(items)
    rng = np.random.default_rng(4)
    counting = rng.integers(0, 4, items) if name == "multiplicity" else rng.random(items)
    return Sides(partial(contingency, a, b, **{name: counting}), partial(contingency, a, b))


# ---- files -----------------------------------------------------------------------------

_BY_PANDAS = """
import sys, pandas
from sklearn.metrics import adjusted_rand_score
first, second = map(pandas.read_csv, sys.argv[1:])
both = first.merge(second, on="id")
print(adjusted_rand_score(both["label_x"], both["label_y"]))
"""
_BY_DUCKDB = """
import sys, duckdb
connection = duckdb.connect(config={"threads": 1})
first, second = (f"read_csv('{path}')" for path in sys.argv[1:])
tables = f"{first} a JOIN {second} b USING (id)"
query = f"SELECT a.label, b.label, count(*) FROM {tables} GROUP BY ALL"
print(len(connection.execute(query).fetchnumpy()["label"]))
"""
RUNS = 3


def files(divisor: int) -> Iterator[Contest]:
    """Yield scripts over ``partwise compare`` of two files: whole processes, start included."""
    items = ITEMS // divisor
    for kind in ("integers", "strings"):
        problem = f"compare A.csv B.csv --item id, {kind}, {items:,} rows"
        for peer, script, packages, asked in (
            ("pandas, scikit-learn", _BY_PANDAS, ("pandas", "sklearn"), 2.0),
            ("duckdb: join, count only", _BY_DUCKDB, ("duckdb",), 0.8),
        ):
            prepared = partial(_of_files, kind, items, script, packages)
            yield Contest(problem, peer, prepared, asked, "CPU of the process")


def _of_files(kind: str, items: int, script: str, packages: Sequence[str]) -> Counted:
    for package in packages:
        need(package)
    a, b, order = sample(items)
    ids: NDArray[Any] = np.arange(items)
    if kind == "strings":
        ids = np.char.add("rec", ids.astype(str))
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder, name)) for name in ("a.csv", "b.csv")]
        for path, own, labels in zip(paths, (ids, ids[order]), (a, b[order]), strict=True):
            need("pandas").DataFrame({"id": own, "label": labels}).to_csv(path, index=False)
        ours = [sys.executable, "-m", "partwise", "compare", *paths, "--item", "id"]
        peer = [sys.executable, "-c", script, *paths]
        for command in (ours, peer):  # what is compiled or read for the first time
            _cpu_of(command)
        turns = [(_cpu_of(ours), _cpu_of(peer)) for _ in range(RUNS)]
    own_cpu, peer_cpu = (median(column) for column in zip(*turns, strict=True))
    return Counted(peer_cpu / own_cpu, f"{own_cpu:.2f} s against {peer_cpu:.2f} s")


def _cpu_of(command: list[str]) -> float:
    """Return the user and system CPU of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise SystemExit(f"{' '.join(command[:4])}:\n{done.stderr[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


STAGES = (
    Stage("joins", "Items joined by their ids", joins, ("pandas", "pyarrow", "duckdb")),
    Stage("forms", "Forms of labels", forms, ("pandas", "polars")),
    Stage("files", "Files at the command line", files, ("pandas", "scikit-learn", "duckdb")),
)

if __name__ == "__main__":
    sys.exit(report.main(STAGES, "bench.border"))
