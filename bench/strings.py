"""Labels that are strings, against encoding them with pyarrow or pandas first.

Run ``python -m bench.strings [--quick] [--repetitions R] [--json FILE]``. The peers number the
strings of either side and hand the numbers to our table, which then knows no names; ours gets
the strings, puts the distinct ones in order and keeps them. The ratio says what that costs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from bench import measuring, peers, stages
from bench.__main__ import main

ITEMS, QUICK = 10**6, 10
CLUSTERS = (1000, 10_000, 300_000)
NOISE = 0.1
#: Strings may take 1.1 times what pyarrow's encoding takes.
ASKED = 1 / 1.1


def labels(items: int, clusters: int) -> tuple[list[str], list[str]]:
    """Return names of uniform clusters and a noisy copy, every string its own object."""
    rng = np.random.default_rng(clusters)
    a = rng.integers(clusters, size=items)
    b = np.where(rng.random(items) < NOISE, rng.integers(clusters, size=items), a)
    first, second = ([f"entity-{x:07d}" for x in side.tolist()] for side in (a, b))
    return first, second


def as_arrow(side: list[str]) -> Any:
    return peers.need("pyarrow").array(side)


def as_objects(side: list[str]) -> Any:
    return np.array(side, dtype=object)


def as_series(side: list[str]) -> Any:
    return peers.need("pandas").Series(side)


def as_polars(side: list[str]) -> Any:
    return peers.need("polars").Series(side)


FORMS: dict[str, Callable[[list[str]], Any]] = {
    "pyarrow array": as_arrow,
    "pandas Series": as_series,
    "polars Series": as_polars,
    "NumPy array": np.array,
    "NumPy array of objects": as_objects,
    "list": lambda side: side,
}
#: pandas has nothing for these but what pyarrow does.
ARROW = ("pyarrow array", "pandas Series", "polars Series")


def by_arrow(side: Any) -> Any:
    """Return the numbers that pyarrow gives to the strings."""
    pyarrow = peers.need("pyarrow")
    if hasattr(side, "to_arrow"):  # of polars
        side = side.to_arrow()
    given = side if isinstance(side, pyarrow.Array) else pyarrow.array(side)
    if isinstance(given, pyarrow.ChunkedArray):
        given = given.combine_chunks()
    return given.dictionary_encode().indices.to_numpy()


def by_pandas(side: Any) -> Any:
    """Return the numbers that pandas gives to the strings."""
    pandas = peers.need("pandas")
    return pandas.factorize(side if hasattr(side, "dtype") else as_objects(side))[0]


def table(a: Any, b: Any, encode: Callable[[Any], Any] | None = None) -> Any:
    """Return the table of both sides, numbered first where the caller says how."""
    sides = (a, b) if encode is None else (encode(a), encode(b))
    return peers.need("partwise").contingency(*sides)


def stage(quick: bool, repetitions: int) -> Iterator[stages.Line]:
    """Yield the peers' encoding and our table over our table of the strings."""
    items = ITEMS // QUICK if quick else ITEMS
    for clusters in CLUSTERS:
        given = labels(items, clusters)
        for form, make in FORMS.items():
            problem = f"{form}, {items:,} names of {clusters:,}"
            contests = [("pyarrow", by_arrow, ASKED)]
            if form not in ARROW:
                contests.append(("pandas", by_pandas, None))
            for peer, encode, asked in contests:
                try:
                    a, b = map(make, given)
                    _check(problem, peer, table(a, b), table(a, b, encode))
                except peers.AbsentError as error:
                    yield stages.absent(problem, peer, error)
                    continue
                pair = measuring.paired(
                    partial(table, a, b), partial(table, a, b, encode), repetitions
                )
                yield stages.line(problem, f"{peer}, then our table", pair, asked=asked)


def _check(problem: str, peer: str, ours: Any, theirs: Any) -> None:
    found = [(x.n_cells, int(np.dot(x.counts, x.counts))) for x in (ours, theirs)]
    if found[0] != found[1]:
        raise SystemExit(f"{problem}: cells, sum of squares {found[0]}, by {peer} {found[1]}")


if __name__ == "__main__":
    sys.exit(main(["--only", "strings", *sys.argv[1:]]))
