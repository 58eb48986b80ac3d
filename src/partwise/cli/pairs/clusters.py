"""``partwise clusters``: the clusters that pairs of matching items join."""

from __future__ import annotations

import argparse
import math
import sys
from typing import Any

import numpy as np

from partwise.cli.options import (
    add_input_options,
    columns_of,
    open_source,
    reading_options,
    split_source,
)
from partwise.cli.outputs import check_csv_output, write_csv
from partwise.cli.pairs.edges import PAIRS_HELP, Edges, read_edges
from partwise.labels import Clustering
from partwise.labels.account import counted
from partwise.labels.columns import Column
from partwise.labels.files.read import Table, composite_column, read_table
from partwise.numbers.arrays import BoolArray, FloatArray
from partwise.progress import doing
from partwise.report.tables import csv_table


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "clusters",
        help="join pairs of matching items into clusters",
        description="Join items that match, directly or through others (connected components), "
        "and write a table of item and cluster, which the other commands read. A linkage is "
        "cut at the threshold; its items are those of --items in their order, else 0, 1, ...",
    )
    parser.add_argument("pairs", metavar="PAIRS", help=PAIRS_HELP)
    parser.add_argument(
        "-o",
        "--output",
        default="-",
        metavar="FILE",
        help="where to write CSV, compressed if FILE ends in .gz, .bz2 or .xz (default: -)",
    )
    parser.add_argument(
        "--items",
        metavar="FILE[::COLUMN]",
        help="all items: those in no pair are clusters of their own (default: the items of the "
        "pairs alone)",
    )
    parser.add_argument(
        "--threshold",
        type=float,
        metavar="T",
        help="only pairs whose score is T or better (needs --scores)",
    )
    parser.add_argument(
        "--scores",
        choices=("distance", "similarity"),
        help="which scores are better: low distances or high similarities",
    )
    parser.add_argument(
        "--open",
        dest="closed",
        action="store_false",
        help="leave out pairs whose score is exactly the threshold",
    )
    add_input_options(parser, label=False, item="column(s) of the item id in --items FILE")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Write a line for each item."""
    check_csv_output(options.output)
    scored = options.threshold is not None
    if scored and options.scores is None:
        raise ValueError(
            "--threshold needs --scores distance (low ones match) or --scores similarity (high "
            "ones match): nothing in the numbers tells which"
        )
    if not scored and (options.scores is not None or not options.closed):
        name = "--scores" if options.scores is not None else "--open"
        raise ValueError(f"{name} is about --threshold; give both, or leave it out")
    if scored and math.isnan(options.threshold):
        raise ValueError("--threshold is NaN; give it a number")
    ids, name_of_ids = _read_items(options)
    path, _ = split_source(options.pairs)
    with doing(f"reading {path}"):
        edges = read_edges(options, options.pairs, ids, scored=scored)
    first, second = edges.columns[:2]
    n_pairs, kept = len(first), None
    if scored:
        kept = np.flatnonzero(_matching(edges, options))
        first, second = first[kept], second[kept]
    items = None if edges.ids is None else edges.ids.decode()
    try:
        linked = Clustering.from_pairs((first, second), items)
    except ValueError as error:
        raise edges.located(error, kept) from None
    used = f" of {n_pairs:,}" if scored else ""
    print(
        f"partwise: note: {counted(len(first), 'pair')}{used} join "
        f"{counted(linked.n_items, 'item')} into {counted(linked.n_clusters, 'cluster')}",
        file=sys.stderr,
    )
    assert linked.items is not None
    rows = zip(linked.items.tolist(), linked.labels.tolist(), strict=True)
    text = csv_table((name_of_ids, "cluster"), rows)
    if options.output == "-":
        sys.stdout.write(text)
    else:
        write_csv(options.output, text)


def _read_items(options: argparse.Namespace) -> tuple[Column | None, str]:
    """Return the ids of all items, None where the pairs alone have them, and their name."""
    if options.items is None:
        if options.item is not None:
            raise ValueError(
                "--item names the column of the ids in --items FILE, and there is none; give "
                "both, or leave it out"
            )
        return None, "item"
    path, named = split_source(options.items)
    if named and options.item is not None:
        raise ValueError(
            "--item names the column of an --items FILE that names none; here the FILE names "
            "its own"
        )
    wanted = columns_of(named or options.item) or []
    with doing(f"reading {path}"):
        table = read_table(
            open_source(options, path), wanted=wanted, items=wanted, **reading_options(options)
        )
    if not wanted and len(table.every_name) > 1:
        raise ValueError(
            f"{path} has {len(table.every_name)} columns; say which one holds the ids: "
            f"{path}::COLUMN or --item COLUMN"
        )
    names = [table.find(name) for name in wanted] or table.every_name
    shown = [name for name in names if not _is_number(table, name)]
    return composite_column(table, names, "item id"), ",".join(shown) or "item"


def _is_number(table: Table, name: str) -> bool:
    """Return whether a column has no name but its number."""
    return name == str(table.every_name.index(name) + 1)


def _matching(edges: Edges, options: argparse.Namespace) -> BoolArray:
    """Return which pairs have a score that is good enough."""
    scores: FloatArray = np.asarray(edges.columns[2], dtype=np.float64)
    unknown = np.flatnonzero(np.isnan(scores))
    if len(unknown):
        raise ValueError(
            f"{edges.path}: {edges.line_of(int(unknown[0]))} has no score; give it one, or "
            "leave it out"
        )
    at = scores == options.threshold
    matching: BoolArray = (
        scores < options.threshold
        if options.scores == "distance"
        else scores > options.threshold
    )
    return matching | at if options.closed else matching
