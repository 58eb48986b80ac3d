"""What people have, made into labels: strings against pyarrow and pandas, files against pandas.

``python -m bench.labels``. Peers number the strings of either side and hand the numbers to our
table, which then knows no names; ours puts the distinct strings in order and keeps them. The
ratio says what that costs. Files are read and scored, from the path to the value.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from bench.harness import peers, report
from bench.harness.peers import need
from bench.harness.report import Contest, Sides, Stage, same

# ---- strings -------------------------------------------------------------------------

ITEMS = 10**6
CLUSTERS = (1000, 10_000, 300_000)
NOISE = 0.1
#: Strings may take 1.1 times what pyarrow's encoding takes.
ASKED = 1 / 1.1


@lru_cache(maxsize=1)
def names(items: int, clusters: int) -> tuple[list[str], list[str]]:
    """Return names of uniform clusters and a noisy copy, every string its own object."""
    rng = np.random.default_rng(clusters)
    a = rng.integers(clusters, size=items)
    b = np.where(rng.random(items) < NOISE, rng.integers(clusters, size=items), a)
    first, second = ([f"entity-{x:07d}" for x in side.tolist()] for side in (a, b))
    return first, second


def as_objects(side: list[str]) -> Any:
    return np.array(side, dtype=object)


#: pandas has nothing for the first three but what pyarrow does.
FORMS: dict[str, Callable[[list[str]], Any]] = {
    "pyarrow array": lambda side: need("pyarrow").array(side),
    "pandas Series": lambda side: need("pandas").Series(side),
    "polars Series": lambda side: need("polars").Series(side),
    "NumPy array": np.array,
    "NumPy array of objects": as_objects,
    "list": lambda side: side,
}


def by_pyarrow(side: Any) -> Any:
    """Return the numbers that pyarrow gives to the strings."""
    pyarrow = need("pyarrow")
    column = side.to_arrow() if hasattr(side, "to_arrow") else side  # of polars
    column = column if isinstance(column, pyarrow.Array) else pyarrow.array(column)
    if isinstance(column, pyarrow.ChunkedArray):
        column = column.combine_chunks()
    return column.dictionary_encode().indices.to_numpy()


def by_pandas(side: Any) -> Any:
    """Return the numbers that pandas gives to the strings."""
    return need("pandas").factorize(side if hasattr(side, "dtype") else as_objects(side))[0]


def table(a: Any, b: Any, encode: Callable[[Any], Any]) -> Any:
    """Return the table of both sides, which are numbered first."""
    return need("partwise").contingency(encode(a), encode(b))


def strings(divisor: int) -> Iterator[Contest]:
    """Yield the peers' encoding and our table over our table of the strings."""
    items = ITEMS // divisor
    for clusters in CLUSTERS:
        for i, form in enumerate(FORMS):
            problem = f"{form}, {items:,} names of {clusters:,}"
            yield _strings(problem, "pyarrow", by_pyarrow, items, clusters, form, ASKED)
            if i > 2:
                yield _strings(problem, "pandas", by_pandas, items, clusters, form, None)


def _strings(
    problem: str,
    peer: str,
    encode: Callable[[Any], Any],
    items: int,
    clusters: int,
    form: str,
    asked: float | None,
) -> Contest:
    def prepare() -> Sides:
        a, b = map(FORMS[form], names(items, clusters))
        calls = partial(table, a, b, same), partial(table, a, b, encode)
        return Sides(*calls, peers.shape_of, relative=0)

    return Contest(problem, f"{peer}, then our table", prepare, asked)


# ---- files ---------------------------------------------------------------------------

ROWS, CLUSTERS_OF_FILE = 10**7, 1000


def reading(divisor: int) -> Iterator[Contest]:
    """Yield pandas with scikit-learn over reading and scoring a table of two columns."""
    rows = ROWS // divisor
    for suffix in ("csv", "parquet"):
        problem = f"{suffix}, {rows:,} rows"
        yield Contest(problem, "pandas, scikit-learn", partial(_reading, suffix, rows))


def _reading(suffix: str, rows: int) -> Sides:
    pandas = need("pandas")
    rng = np.random.default_rng(7)
    truth = rng.integers(0, CLUSTERS_OF_FILE, rows)
    drawn = rng.integers(0, CLUSTERS_OF_FILE, rows)
    matched = np.where(rng.random(rows) < NOISE, drawn, truth)
    if suffix == "parquet":
        need("pyarrow")
    frame = pandas.DataFrame({"truth": truth, "matched": matched})
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name, f"table.{suffix}")
    if suffix == "parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False)
    calls = partial(read_and_score, path), partial(pandas_and_sklearn, path)
    return Sides(*calls, same, close=folder.cleanup)


def read_and_score(path: Path) -> float:
    """Read both columns and score them with partwise."""
    partwise = need("partwise")
    sides = (partwise.read(path, label=name) for name in ("truth", "matched"))
    return float(partwise.adjusted_rand_index(*sides))


def pandas_and_sklearn(path: Path) -> float:
    """Read both columns with pandas and score them with scikit-learn."""
    pandas, metrics = need("pandas"), need("sklearn.metrics")
    read = pandas.read_csv if path.suffix == ".csv" else pandas.read_parquet
    frame = read(path)
    return float(metrics.adjusted_rand_score(frame["truth"], frame["matched"]))


STAGES = (
    Stage("strings", "Labels that are strings", strings, ("pyarrow", "pandas", "polars")),
    Stage("reading", "Files in, value out", reading, ("pandas", "pyarrow", "scikit-learn")),
)

if __name__ == "__main__":
    sys.exit(report.main(STAGES, "bench.labels"))
