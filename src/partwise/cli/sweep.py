"""``partwise sweep``: every threshold of an edge list or linkage at once."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from partwise.cli.drawing import add_drawing_options, check_nothing_drawn, read_drawing_options
from partwise.cli.options import (
    add_input_options,
    add_report_options,
    check_latex_options,
    columns_of,
    open_source,
    print_in_shape,
    read_side,
    reading_options,
    split_names,
    split_source,
)
from partwise.labels import Clustering
from partwise.labels.files.cells import is_number, text_cells
from partwise.labels.files.npy import load_arrays
from partwise.labels.files.read import Table, composite_column, read_table
from partwise.labels.files.table import abbreviated
from partwise.labels.forms import read_column
from partwise.thresholds import Sweep, sweep
from partwise.thresholds.bootstrap import SweepBootstrap


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "sweep",
        help="scores at every threshold of scored edges or a linkage",
        description="Score every clustering that merging goes through, and report the "
        "threshold with the best score.",
    )
    add_sweep_options(parser)
    parser.add_argument(
        "--plot", metavar="FILE", help="draw the curves and save the figure in FILE"
    )
    add_sweep_bootstrap_options(parser)
    add_report_options(parser)
    add_input_options(parser)
    parser.set_defaults(run=run)


def add_sweep_options(parser: argparse.ArgumentParser) -> None:
    """Add the files, and what is swept."""
    parser.add_argument(
        "gold", metavar="GOLD", help="the reference clustering: a file, or FILE::COLUMN"
    )
    parser.add_argument(
        "edges",
        metavar="EDGES",
        help="a table whose first three columns are item, item, score, or "
        "FILE::ITEM,ITEM,SCORE; or a .npy file with a linkage or edges",
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
        help="leave merges at exactly a threshold out (by default they are included)",
    )
    parser.add_argument(
        "--thresholds",
        type=_thresholds,
        metavar="N",
        help="report at most N states, or those at the thresholds T1,T2,... (default: all)",
    )
    parser.add_argument(
        "--unlabelled",
        choices=("error", "ignore"),
        default="error",
        help="what to do with items of the reference that have no label: refuse them, or score "
        "the clusterings of the other items (default: error)",
    )


def add_sweep_bootstrap_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the bootstrap of the best thresholds."""
    group = parser.add_argument_group("bootstrap")
    group.add_argument(
        "--bootstrap",
        type=int,
        metavar="DRAWS",
        help="draw so many times and print intervals of the best value and of the best "
        "threshold of each measure, as text or with --json",
    )
    group.add_argument(
        "--groups",
        metavar="FILE[::COLUMN]",
        help="draw groups of items: the group (document, block) of each item (by default, the "
        "components of the reference and the loosest clusters are drawn)",
    )
    add_drawing_options(group)


def _thresholds(text: str) -> int | list[float]:
    """Read a number of states, or thresholds with commas between."""
    try:
        return int(text) if text.isdecimal() else [float(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither a number of states nor thresholds separated by commas"
        ) from None


def _read_merges(options: argparse.Namespace, reference: Clustering) -> Any:
    path, named = split_source(options.edges)
    if Path(path).suffix == ".npy":
        return load_arrays(Path(path))["1"]
    reading = {**reading_options(options), "format": "auto", "flatten": False}
    wanted = columns_of(named) or []
    if len(wanted) not in (0, 3):
        raise ValueError(
            f"{options.edges}: three columns are expected after '::': item,item,score"
        )
    columns = wanted or ["1", "2", "3"]
    table = read_table(open_source(options, path), wanted=columns, **reading)
    names = [table.find(name) for name in wanted] or table.every_name[:3]
    if len(names) < 3:
        raise ValueError(
            f"{path}: edges are columns item, item, score; there are {len(names)} columns"
        )
    if not wanted and len(table.every_name) > 3:
        note = f"{path}: edges were read from its first three columns ({', '.join(names)})"
        print(f"partwise: note: {note}; {path}::ITEM,ITEM,SCORE names others", file=sys.stderr)
    # ids are compared as the reference has them: those of text files are text
    ids = reference.items
    as_text = ids is not None and ids.dtype.kind in "OU"

    def column(name: str, text: bool) -> Any:
        if text:
            return composite_column(table, [name], "item id").decode()
        return read_column(table.values(name), name).decode()

    _check_scores(table, names[2])
    if ids is not None and not wanted:
        _check_items(table, names, reference, as_text)
    return (*(column(name, as_text) for name in names[:2]), column(names[2], False))


def _check_scores(table: Table, name: str) -> None:
    """Refuse a score that is no number, with its line."""
    if table.lines is None:
        return
    for line, cell in zip(table.lines, text_cells(table.cells(name)), strict=True):
        if not is_number(cell):
            raise ValueError(
                f"{table.path}:{line}: the score {cell!r} in column {name!r} is no number"
            )


def _check_items(table: Table, names: list[str], reference: Clustering, as_text: bool) -> None:
    """Refuse edges whose first columns hold no item at all: their columns stand elsewhere."""
    items = set(map(str, reference.items.tolist())) if reference.items is not None else set()
    for name in names[:2]:
        cells = table.columns[name]
        cells = text_cells(cells) if table.lines is not None else map(str, cells)
        if len(table.every_name) > 3 and as_text and items.isdisjoint(cells):
            raise ValueError(
                f"{table.path}: column {name!r} holds no item of the reference; say which "
                f"columns hold the edges: {table.path}::ITEM,ITEM,SCORE (of "
                f"{abbreviated(table.every_name)})"
            )


def run(options: argparse.Namespace) -> None:
    """Print the best thresholds, or the curves."""
    if options.bootstrap is not None and options.shape not in (None, "json"):
        raise ValueError(f"--bootstrap is for text and --json, not for --{options.shape}")
    _, result = swept(options)
    drawn = bootstraps_of(options, result)
    if options.plot:
        result.plot(options.plot)
    if options.shape == "json":
        document = json.loads(result.to_json(None))
        if drawn:
            document["bootstrap"] = [json.loads(one.to_json(None)) for one in drawn]
        print(json.dumps(document))
    elif options.shape is None:
        check_latex_options(options)
        print(result)
        for one in drawn:
            print(f"\n{one}")
    else:
        print_in_shape(result, options)


def swept(options: argparse.Namespace) -> tuple[Clustering, Sweep]:
    """Return the reference and its sweep, and tell what is suspicious about the reference."""
    if options.bootstrap is None:
        check_nothing_drawn(options)
    reference = read_side(options, options.gold)
    for note in reference.notes:
        if note.suspicious:
            print(f"partwise: note: {note}", file=sys.stderr)
    return reference, sweep(
        reference,
        _read_merges(options, reference),
        scores=options.scores,
        closed=options.closed,
        measures=split_names(options.measures),
        thresholds=options.thresholds,
        unlabelled=options.unlabelled,
        groups=None if options.groups is None else read_side(options, options.groups),
    )


def bootstraps_of(options: argparse.Namespace, result: Sweep) -> list[SweepBootstrap]:
    """Return the intervals of each measure; none without --bootstrap."""
    if options.bootstrap is None:
        return []
    return [
        result.bootstrap(name, draws=options.bootstrap, **read_drawing_options(options))
        for name in result.measures
    ]
