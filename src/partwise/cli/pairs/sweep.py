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
    add_plot_option,
    add_report_options,
    check_latex_options,
    ids_as_text,
    print_in_shape,
    read_side,
    split_names,
    split_source,
    with_text_ids,
)
from partwise.cli.pairs.edges import EDGES_HELP, Edges, read_edges
from partwise.labels import Clustering
from partwise.labels.files.npy import load_arrays
from partwise.progress import doing
from partwise.thresholds import Sweep, sweep
from partwise.thresholds.bootstrap import SweepBootstrap
from partwise.thresholds.merges import MergeKind


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "sweep",
        help="scores at every threshold of scored edges or a linkage",
        description="Score every clustering that merging goes through, and report the "
        "threshold with the best score.",
    )
    add_sweep_options(parser)
    add_plot_option(parser, "draw the curves, with --bootstrap their intervals")
    add_sweep_bootstrap_options(parser, ", as text or with --json")
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
        help=f"{EDGES_HELP}; or a .npy file with a linkage or edges",
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
        help="what to do with items of the reference that have no label, and with items that "
        "only edges have (the reference is a sample): refuse them, or score the clusterings of "
        "the other items (default: error)",
    )


def add_sweep_bootstrap_options(parser: argparse.ArgumentParser, forms: str = "") -> None:
    """Add the options for the bootstrap of the best thresholds; ``forms``: how it is shown."""
    group = parser.add_argument_group("bootstrap")
    group.add_argument(
        "--bootstrap",
        type=int,
        metavar="DRAWS",
        help="draw so many times and show intervals of the best value and of the best "
        f"threshold of each measure{forms}",
    )
    group.add_argument(
        "--groups",
        metavar="FILE[::COLUMN]",
        help="draw groups of items: the group (document, block) of each item (by default, the "
        "components of the reference and the loosest clusters that leave some to draw)",
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


def _linkage_of(path: str) -> Any:
    """Return the linkage of a .npy file, None where it or another file holds edges."""
    if Path(path).suffix != ".npy":
        return None
    array = load_arrays(Path(path))["1"]
    is_edges = (array.ndim == 2 and array.shape[1] == 3) or array.dtype.names
    return None if is_edges else array


def _read_edges(
    options: argparse.Namespace, path: str, reference: Clustering
) -> tuple[Edges, Clustering]:
    """Return the edges of a table, and the reference with ids as they name them."""
    ids = reference.item_column
    with doing(f"reading {path}"):
        edges = read_edges(options, options.edges, ids, scored=True, by_position=ids is None)
    if edges.ids is not None and edges.ids is not ids:
        reference = with_text_ids(reference, edges.ids)
    return edges, reference


def run(options: argparse.Namespace) -> None:
    """Print the best thresholds, or the curves."""
    if options.bootstrap is not None and options.shape not in (None, "json"):
        raise ValueError(f"--bootstrap is for text and --json, not for --{options.shape}")
    _, result = swept(options)
    drawn = bootstraps_of(options, result)
    if options.plot:
        result.plot(options.plot, bootstraps=drawn)
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
    sides = [read_side(options, options.gold)]
    if options.groups is not None:
        sides.append(read_side(options, options.groups))
    reference, *groups = ids_as_text(sides)
    for note in reference.notes:
        if note.suspicious:
            print(f"partwise: note: {note}", file=sys.stderr)
    path, columns = split_source(options.edges)
    edges: Edges | None = None
    merges = None if columns else _linkage_of(path)
    kind: MergeKind = "linkage"
    if merges is None:
        edges, reference = _read_edges(options, path, reference)
        reference, *groups = ids_as_text([reference, *groups])
        merges, kind = edges.columns, "edges"
    try:
        return reference, sweep(
            reference,
            merges,
            kind=kind,
            scores=options.scores,
            closed=options.closed,
            measures=split_names(options.measures),
            thresholds=options.thresholds,
            unlabelled=options.unlabelled,
            groups=groups[0] if groups else None,
        )
    except ValueError as error:
        raise (error if edges is None else edges.located(error)) from None


def bootstraps_of(options: argparse.Namespace, result: Sweep) -> list[SweepBootstrap]:
    """Return the intervals of each measure; none without --bootstrap."""
    if options.bootstrap is None:
        return []
    return [
        result.bootstrap(name, draws=options.bootstrap, **read_drawing_options(options))
        for name in result.measures
    ]
