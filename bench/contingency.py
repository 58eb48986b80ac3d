"""From labels to the table, and from labels to a value, against the peers.

Run ``python -m bench.contingency [--quick] [--workloads W2,W4] [--only table]
[--repetitions R] [--json FILE]``. Values are checked before anything is timed. With
``--workers 2`` the table's cost by several threads is printed as well.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bench import measuring, peers, stages
from bench.peers import Subject
from bench.workloads import DESCRIPTIONS, QUICK, SHAPES, Workload, make

Row = dict[str, Any]

VALUE_PAIRS = ((peers.ARI, peers.SKLEARN_ARI), (peers.V, peers.SKLEARN_V))
RELATIVE = 1e-9

#: The least ratio, user CPU of the peer over ours, that is asked for.
ASKED: dict[tuple[str, ...], float] = {
    ("W1", "np.bincount"): 1.5,
    ("W2", "np.bincount"): 1.8,
    ("W3", "np.bincount"): 2.0,
    ("W8", "np.bincount"): 2.5,
    ("W4", "np.unique"): 1.5,
    ("W4", "np.unique", "fresh"): 1.2,
    ("W5", "np.unique"): 1.8,
    ("W6", "duckdb"): 3.5,
    ("W4 sorted", "np.unique"): 4.0,
    ("W4 cell", "np.unique"): 1.0,
    ("W4 row", "np.unique"): 1.2,
    ("W4 column", "np.unique"): 1.2,
    ("W4 noise", "np.unique"): 1.1,
}

TITLES = {
    "table": "Labels in, table out",
    "workers": "One worker and several: CPU on the critical path",
    "value": "Labels in, value out",
    "memory": "Peak extra memory in MB of 1e6 bytes (results count, inputs do not)",
}


def main(arguments: list[str] | None = None) -> None:
    """Measure, print the tables, write the JSON file if one was asked for."""
    options = _options(arguments)
    peers.need_all(peers.SUBJECTS.values())
    head = measuring.header(subject.package for subject in peers.SUBJECTS.values())
    print(_heading(head, options.quick), flush=True)
    rows: dict[str, list[Row]] = {question: [] for question in TITLES}
    for name in options.workloads:
        _say(f"{name}: {DESCRIPTIONS[name]}")
        workload = make(name, quick=options.quick)
        if "table" in options.only:
            subject = peers.FRESH if options.fresh else peers.CONTINGENCY
            rows["table"] += table_rows(workload, subject, options.repetitions, options.peers)
        if "workers" in options.only:
            rows["workers"] += worker_rows(workload, options.workers, options.repetitions)
        if "value" in options.only:
            rows["value"] += value_rows(workload, options.repetitions)
        if "memory" in options.only:
            rows["memory"] += memory_rows(workload)
    shows = {"memory": _memory_table, "workers": _workers_table}
    for question, title in TITLES.items():
        if rows[question]:
            print(f"\n## {title}\n\n{shows.get(question, _timing_table)(rows[question])}")
    if options.json:
        report = {**head, "quick": options.quick, **rows}
        options.json.write_text(json.dumps(report, indent=2) + "\n")


def stage(quick: bool, repetitions: int) -> Iterator[stages.Line]:
    """Yield the comparisons for which a ratio is asked; the largest is left out if quick."""
    subjects = {peer.name: peer for peer in peers.TABLE_PEERS}
    for (name, peer, *fresh), asked in ASKED.items():
        if name == "W8" and quick:
            continue
        subject, problem = subjects[peer], f"{name}: {DESCRIPTIONS[name]}"
        ours = peers.FRESH if fresh else peers.CONTINGENCY
        try:
            peers.need(subject.package)
        except peers.AbsentError as error:
            yield stages.absent(problem, peer, error, asked)
            continue
        workload = make(name, quick=quick)
        if not subject.suits(workload):
            yield stages.Line(problem, peer, asked=asked, note="not for this size")
            continue
        _check_table(workload, subject)
        pair = measuring.paired(
            partial(ours.call, workload), partial(subject.call, workload), repetitions
        )
        note = "our working memory given back before each call" if fresh else ""
        yield stages.line(problem, peer, pair, asked=asked, note=note)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.contingency")
    parser.add_argument(
        "--quick", action="store_true", help=f"n / {QUICK}: to try, not to quote"
    )
    parser.add_argument(
        "--workloads",
        type=_workloads,
        default=[name for name in DESCRIPTIONS if name not in SHAPES],
        help=f"comma-separated, e.g. W2,W4, or all (default: all but {', '.join(SHAPES)})",
    )
    parser.add_argument(
        "--only",
        type=lambda text: text.split(","),
        default=["table", "value", "memory"],
        metavar="LIST",
        help=f"of {', '.join(TITLES)} (default: all but workers)",
    )
    parser.add_argument(
        "--peers",
        type=lambda text: text.split(","),
        default=[peer.name for peer in peers.TABLE_PEERS],
        metavar="LIST",
        help="peers of the table, e.g. np.unique,duckdb (default: all)",
    )
    parser.add_argument(
        "--fresh",
        action="store_true",
        help="give our working memory back before each table, as peers do",
    )
    parser.add_argument("--workers", type=measuring.positive, default=2, metavar="N")
    parser.add_argument(
        "--repetitions",
        type=measuring.positive,
        default=7,
        metavar="R",
        help="pairs of batches a row (default 7; slow peers get fewer)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args(arguments)


def _workloads(text: str) -> list[str]:
    if text == "all":
        return list(DESCRIPTIONS)
    names = [name.strip() for name in text.split(",")]
    unknown = [name for name in names if name not in DESCRIPTIONS]
    if unknown:
        known = ", ".join(DESCRIPTIONS)
        raise argparse.ArgumentTypeError(f"{unknown[0]} is not one of: {known}")
    return names


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


# ---- checking ----------------------------------------------------------------------


def _shape_of(subject: Subject, result: Any) -> tuple[int, int]:
    """Return the number of cells of a table and the sum of their squares."""
    assert subject.counts is not None
    counts = np.asarray(subject.counts(result), dtype=np.int64)
    return int(np.count_nonzero(counts)), int(np.dot(counts, counts))


def _check_table(workload: Workload, peer: Subject) -> None:
    subjects = (peers.CONTINGENCY, peer)
    ours, theirs = (_shape_of(x, x.call(workload)) for x in subjects)
    if ours != theirs:
        raise SystemExit(
            f"{workload.name}: partwise has (cells, sum of squares) {ours}, "
            f"{peer.name} {theirs}"
        )


def _check_value(workload: Workload, ours: Subject, peer: Subject) -> float:
    """Return our value; leave if the peer's is another."""
    value, other = ours.call(workload), peer.call(workload)
    if not math.isclose(value, other, rel_tol=RELATIVE):
        raise SystemExit(f"{workload.name}: {ours.name} is {value!r}, {peer.name} {other!r}")
    return float(value)


# ---- measuring ---------------------------------------------------------------------


def table_rows(
    workload: Workload, ours: Subject, repetitions: int, names: Iterable[str]
) -> list[Row]:
    """Return the costs of a table, ours beside each peer that can take the workload."""
    rows = []
    for peer in peers.TABLE_PEERS:
        if peer.name in names and peer.suits(workload):
            _check_table(workload, peer)
            rows.append(_timed(workload, ours, peer, repetitions))
    return rows


def worker_rows(workload: Workload, workers: int, repetitions: int) -> list[Row]:
    """Return the CPU of one worker, and that of the busiest of several at every step."""
    _say(f"  {workers} workers")
    pair = measuring.paired_workers(
        partial(peers.partwise_contingency, workload), workers, repetitions
    )
    scale = 1e9 / workload.n
    several, one = (measuring.median_cost(x).user * scale for x in (pair.ours, pair.peer))
    row: Row = {"workload": workload.name, "workers": workers, "ratios": pair.ratios}
    return [{**row, "one_ns": one, "several_ns": several}]


def value_rows(workload: Workload, repetitions: int) -> list[Row]:
    """Return the costs of a value from labels."""
    rows = []
    for ours, peer in VALUE_PAIRS:
        value = _check_value(workload, ours, peer)
        row = _timed(workload, ours, peer, repetitions)
        rows.append({**row, "value": value})
    return rows


def memory_rows(workload: Workload) -> list[Row]:
    """Return the peak extra memory of everything that can take the workload."""
    fitting = [x for x in peers.SUBJECTS.values() if x.suits(workload)]
    _say("  memory")
    extra = measuring.peaks_in_processes(workload, fitting)
    inputs = workload.a.nbytes + workload.b.nbytes
    return [{"workload": workload.name, "inputs": inputs, "bytes": extra}]


def _timed(workload: Workload, ours: Subject, peer: Subject, repetitions: int) -> Row:
    _say(f"  {ours.name}, {peer.name}")
    pair = measuring.paired(
        lambda: ours.call(workload), lambda: peer.call(workload), repetitions
    )
    scale = 1e9 / workload.n
    row: Row = {"workload": workload.name, "ours": ours.name, "peer": peer.name}
    for side, costs in (("ours", pair.ours), ("peer", pair.peer)):
        middle = measuring.median_cost(costs)
        row[f"{side}_user_ns"] = middle.user * scale
        row[f"{side}_system_ns"] = middle.system * scale
    return {**row, "ratios": pair.ratios, "repetitions": pair.repetitions}


# ---- printing ----------------------------------------------------------------------


def _heading(head: dict[str, str], quick: bool) -> str:
    lines = ["# From labels to tables and values", ""]
    lines += [f"- {key}: {text}" for key, text in head.items()]
    lines += [
        "- one thread; int64 labels (W8: int32); ns of CPU per item, medians",
        "- ratio: user CPU of the peer / ours, paired, median [min..max]",
        "- np.bincount and np.unique are handed the range of the labels; only "
        "np.unique and partwise return the cells in order",
    ]
    if quick:
        lines.append(
            f"- QUICK RUN: n / {QUICK} (in W4 and W6 also clusters / {QUICK}); "
            "not comparable with full runs"
        )
    return "\n".join(lines)


def _timing_table(rows: Iterable[Row]) -> str:
    columns = ("", "ours", "peer", "ours user", "sys", "peer user", "sys")
    sides = ("ours_user_ns", "ours_system_ns", "peer_user_ns", "peer_system_ns")
    lines = (
        [
            row["workload"],
            row["ours"],
            row["peer"],
            *(f"{row[side]:.2f}" for side in sides),
            measuring.spread(row["ratios"]),
            _asked(row),
            str(row["repetitions"]),
        ]
        for row in rows
    )
    return measuring.markdown((*columns, "ratio of user CPU", "asked", "R"), lines)


def _asked(row: Row) -> str:
    asked = None
    if row["ours"] == peers.CONTINGENCY.name:
        asked = ASKED.get((row["workload"], row["peer"]))
    elif row["ours"] == peers.FRESH.name:
        asked = ASKED.get((row["workload"], row["peer"], "fresh"))
    return "" if asked is None else f"{asked:g}"


def _workers_table(rows: Iterable[Row]) -> str:
    columns = ("", "workers", "one", "several", "ratio of CPU")
    lines = (
        [
            row["workload"],
            str(row["workers"]),
            f"{row['one_ns']:.2f}",
            f"{row['several_ns']:.2f}",
            measuring.spread(row["ratios"]),
        ]
        for row in rows
    )
    return measuring.markdown(columns, lines)


def _memory_table(rows: Iterable[Row]) -> str:
    names = list(peers.SUBJECTS)
    lines = []
    for row in rows:
        extra = [row["bytes"].get(name) for name in names]
        sizes = ["n/a" if x is None else f"{x / 1e6:.0f}" for x in extra]
        lines.append([row["workload"], f"{row['inputs'] / 1e6:.0f}", *sizes])
    return measuring.markdown(("", "inputs", *names), lines)


if __name__ == "__main__":
    main()
