"""``partwise sweep``: every threshold of an edge list or linkage at once."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from partwise.cli.drawing import add_drawing_options, read_drawing_options
from partwise.cli.options import (
    add_input_options,
    add_report_options,
    header_of,
    read_side,
    split_names,
)
from partwise.labels import Clustering
from partwise.labels.files.read import composite_column, read_table
from partwise.labels.forms import read_column
from partwise.report.tables import csv_table, markdown_table
from partwise.thresholds import Sweep, sweep
from partwise.thresholds.bootstrap import SweepBootstrap
from partwise.thresholds.state_scores import COUNTS


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "sweep",
        help="score every threshold of scored edges or of a linkage",
        description="Score every clustering that the merges pass through; pick a threshold.",
    )
    parser.add_argument("gold", metavar="GOLD", help="the reference: a file, or FILE::COLUMN")
    parser.add_argument(
        "edges",
        metavar="EDGES",
        help="a table whose first three columns are item, item, score; or a .npy file with a "
        "linkage or edges",
    )
    parser.add_argument(
        "--scores",
        choices=("distance", "similarity"),
        help="which scores merge first: low distances or high similarities (needed for edges)",
    )
    parser.add_argument(
        "--open",
        dest="closed",
        action="store_false",
        help="leave out merges whose score equals the threshold (default: include them)",
    )
    parser.add_argument(
        "--thresholds",
        type=_thresholds,
        metavar="N",
        help="report only N states, or those at thresholds T1,T2,... (default: all)",
    )
    parser.add_argument(
        "--unlabelled",
        choices=("error", "ignore"),
        default="error",
        help="what to do with items that the reference does not label (default: error)",
    )
    parser.add_argument("--plot", metavar="FILE", help="save a plot of the curves to FILE")
    group = parser.add_argument_group("bootstrap")
    group.add_argument(
        "--bootstrap",
        type=int,
        metavar="DRAWS",
        help="print intervals of the best value and threshold of each measure (text or --json)",
    )
    group.add_argument(
        "--groups",
        metavar="FILE[::COLUMN]",
        help="the group (document, block) of each item: draw whole groups (default: draw "
        "components of the gold labels and the loosest clusters)",
    )
    add_drawing_options(group)
    add_report_options(parser)
    add_input_options(parser)
    parser.set_defaults(run=run)


def _thresholds(text: str) -> int | list[float]:
    """Read a number of states, or thresholds with commas between."""
    try:
        return int(text) if text.isdecimal() else [float(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither a number of states nor thresholds separated by commas"
        ) from None


def _read_merges(options: argparse.Namespace, reference: Clustering) -> Any:
    path = Path(options.edges)
    if path.suffix == ".npy":
        return np.load(path, allow_pickle=False)
    table = read_table(path, header=header_of(options), delimiter=options.delimiter)
    names = list(table.columns)[:3]
    if len(names) < 3:
        raise ValueError(
            f"{path}: edges are columns item, item, score; there are {len(names)} columns"
        )
    # ids are compared as the reference has them: those of text files are text
    items = reference.items
    as_text = items is not None and items.dtype.kind in "OU"

    def column(name: str, text: bool) -> Any:
        if text:
            return composite_column(table, [name], "item id").decode()
        return read_column(table.values(name), name).decode()

    return (*(column(name, as_text) for name in names[:2]), column(names[2], False))


def run(options: argparse.Namespace) -> None:
    """Print the best thresholds, or the curves."""
    if options.bootstrap is not None and options.shape not in (None, "json"):
        raise ValueError(f"--bootstrap is for text and --json, not for --{options.shape}")
    if options.bootstrap is None and (options.groups, options.seed) != (None, None):
        raise ValueError("--groups and --seed are for --bootstrap")
    reference = read_side(options, options.gold)
    curves = sweep(
        reference,
        _read_merges(options, reference),
        scores=options.scores,
        closed=options.closed,
        measures=split_names(options.measures),
        thresholds=options.thresholds,
        unlabelled=options.unlabelled,
        groups=None if options.groups is None else read_side(options, options.groups),
    )
    drawn = _bootstraps(options, curves)
    if options.plot:
        curves.plot(options.plot)
    if options.shape == "json":
        extra = {"bootstrap": [one.to_dict() for one in drawn]} if drawn else {}
        print(json.dumps({**curves.to_dict(), **extra}))
    elif options.shape is None:
        print(curves)
        for one in drawn:
            print(f"\n{one}")
    else:
        header, rows = _curves(curves)
        if options.shape == "markdown":
            print(markdown_table(header, rows))
        else:
            sys.stdout.write(csv_table(header, rows))


def _bootstraps(options: argparse.Namespace, curves: Sweep) -> list[SweepBootstrap]:
    """Return the intervals of each measure, none if they were not asked for."""
    if options.bootstrap is None:
        return []
    return [
        curves.bootstrap(name, draws=options.bootstrap, **read_drawing_options(options))
        for name in curves.measures
    ]


def _curves(curves: Sweep) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return one row a state; measures on a grid are empty elsewhere."""
    columns: list[list[Any]] = [curves.thresholds.tolist()]
    for name in (*COUNTS, *curves.measures):
        column: list[Any] = [""] * len(curves)
        states = curves.states_of(name).tolist()
        for state, value in zip(states, curves[name].tolist(), strict=True):
            column[state] = value
        columns.append(column)
    return ["threshold", *COUNTS, *curves.measures], list(zip(*columns, strict=True))
