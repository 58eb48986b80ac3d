"""Expected mutual information against scikit-learn, and against building the table.

Run ``python -m bench.chance [--quick] [--repetitions R] [--json FILE]``. Both sides get a
finished sparse table; ours goes from its margins to the number, nothing kept from call to call.
Values are checked before anything is timed.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bench import contests, generators, measuring, stages
from bench.peers import need

# items, clusters a side, least ratio that is asked for
AGAINST_SKLEARN = (
    (10**4, 10, 20),
    (10**4, 10**3, 500),
    (10**5, 10**4, 2000),
    (10**6, 10**3, 1000),
)
# scikit-learn subtracts ln x! of size n ln n
DIGITS_OF_SKLEARN = 1e-7
MANY_ITEMS, CLUSTER_NOISE, SHARE_ASKED = 10**7, 0.1, 0.1


def main(arguments: list[str] | None = None) -> None:
    """Measure, print the tables, write the file that was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.chance")
    parser.add_argument(
        "--quick", action="store_true", help=f"items and clusters / {contests.QUICK}"
    )
    parser.add_argument("--repetitions", type=measuring.positive, default=5, metavar="R")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    divisor = contests.QUICK if options.quick else 1
    head = measuring.header(["scikit-learn"])
    print("# Expected mutual information\n")
    for key, text in head.items():
        print(f"- {key}: {text}")
    print("- one thread; ms of user CPU a call, medians; ratio: scikit-learn / ours, paired")
    if options.quick:
        print(f"- QUICK RUN: items and clusters / {divisor}; not comparable with full runs")
    rows = list(_against_sklearn(divisor, options.repetitions))
    columns = ("margins", "ours", "scikit-learn", "ratio", "asked", "difference")
    print("\n" + measuring.markdown(columns, (row["text"] for row in rows)))
    share = _beside_the_table(divisor, options.repetitions)
    print("\n" + share["text"])
    contests.write(options.json, {**head, "quick": options.quick, "rows": rows, "share": share})


def stage(quick: bool, repetitions: int) -> Iterator[stages.Line]:
    """Yield scikit-learn, and building the table, over the expectation."""
    divisor = contests.QUICK if quick else 1
    for row in _against_sklearn(divisor, repetitions):
        ours, theirs = row["ms"]
        yield stages.Line(
            row["name"], "scikit-learn", tuple(row["ratios"]), (ours, theirs), row["asked"]
        )
    share = _beside_the_table(divisor, repetitions)
    yield stages.Line(
        "many small clusters",
        "building the table",
        (share["table_ms"] / share["ms"],),
        (share["ms"], share["table_ms"]),
        1 / SHARE_ASKED,
        "user and system CPU",
    )


def expected(table: Any) -> float:
    """Return E[I] from the margins of a table, whatever was asked of it before."""
    return need("partwise.measures.chance.expected").model_expectation(table, "perm", "both")


def ranked(items: int, clusters: int) -> generators.Pair:
    """Return independent labels, the share of cluster r in proportion to 1 / r."""
    rng = np.random.default_rng(generators.SEED)
    shares = 1 / np.arange(1, clusters + 1)
    shares /= shares.sum()
    return rng.choice(clusters, items, p=shares), rng.choice(clusters, items, p=shares)


def _against_sklearn(divisor: int, repetitions: int) -> Iterator[dict[str, Any]]:
    peer = need("sklearn.metrics.cluster").expected_mutual_information
    for items, clusters, asked in AGAINST_SKLEARN:
        n, k = items // divisor, max(clusters // divisor, 10)
        name = f"1/rank, n = {n:,}, k = {k:,}"
        contests.say(name)
        table = need("partwise").contingency(*ranked(n, k))
        cells = table.to_scipy()
        ours, theirs = expected(table), peer(cells, n)
        if not math.isclose(ours, theirs, rel_tol=DIGITS_OF_SKLEARN):
            raise SystemExit(f"{name}: partwise finds {ours!r}, scikit-learn {theirs!r}")
        pair = measuring.paired(
            lambda table=table: expected(table),
            lambda cells=cells, n=n: peer(cells, n),
            repetitions,
        )
        costs = [measuring.median_cost(x).user * 1e3 for x in (pair.ours, pair.peer)]
        text = [name, *map(contests.significant, costs), measuring.spread(pair.ratios)]
        text += [str(asked), f"{abs(ours / theirs - 1):.0e}"]
        yield {"name": name, "ms": costs, "ratios": pair.ratios, "asked": asked, "text": text}


def _beside_the_table(divisor: int, repetitions: int) -> dict[str, Any]:
    """Measure many small clusters, where scikit-learn would need days."""
    partwise = need("partwise")
    a, b = generators.zipf(MANY_ITEMS // divisor, CLUSTER_NOISE)
    table = partwise.contingency(a, b)
    expected(table)
    contests.say(f"n = {len(a):,}, {table.shape[0]:,} x {table.shape[1]:,} clusters")
    pair = measuring.paired(
        lambda: expected(table), lambda: partwise.contingency(a, b), repetitions
    )
    ours, build = (measuring.median_cost(x).total * 1e3 for x in (pair.ours, pair.peer))
    text = (
        f"n = {len(a):,}, {table.shape[0]:,} x {table.shape[1]:,} clusters: {ours:.1f} ms, "
        f"{ours / build:.1%} of the {build:.0f} ms that the table takes "
        f"(asked: at most {SHARE_ASKED:.0%}; user and system CPU)"
    )
    return {"ms": ours, "table_ms": build, "asked": SHARE_ASKED, "text": text}


if __name__ == "__main__":
    main()
