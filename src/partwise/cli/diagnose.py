"""``partwise diagnose``: what was split, what was merged, and what it costs."""

from __future__ import annotations

import argparse
from typing import Any

from partwise.cli.item_rows.features import add_features_option, read_features
from partwise.cli.options import (
    add_input_options,
    add_plot_option,
    add_policy_options,
    add_sides,
    paths_of,
    read_policies,
    read_sides,
)
from partwise.cli.tables.large import add_large_options, table_of
from partwise.cli.words.sentences import tell
from partwise.scoring.diagnose import Diagnosis, diagnose


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "diagnose",
        help="show what was split, what was merged, and what it costs",
        description="List the reference clusters that a candidate clustering breaks apart, the "
        "candidate clusters that mix reference clusters, and the components that cost most.",
    )
    add_sides(parser, "reference", "candidate", or_table=True)
    parser.add_argument(
        "--by",
        default="s_entropy",
        metavar="MEASURE",
        help="measure whose loss is divided among the components (default: s_entropy)",
    )
    parser.add_argument(
        "--worst",
        type=int,
        default=20,
        metavar="N",
        help="number of splits, merges and components to list (default: 20)",
    )
    parser.add_argument(
        "--items",
        nargs="?",
        type=int,
        const=True,
        default=False,
        metavar="N",
        help="also list up to N items of each cell of the worst components (default: 10)",
    )
    add_plot_option(parser, "draw the worst components as flows between clusters")
    parser.add_argument("--json", action="store_true", help="print json instead of text")
    add_features_option(parser)
    add_input_options(parser)
    add_large_options(parser)
    add_policy_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Print the diagnosis."""
    table = table_of(options)
    if table is not None:
        if options.items:
            raise ValueError(
                "--items lists items, which a table does not hold; leave it out, or raise "
                "--memory-limit where there are two clusterings"
            )
        _print(diagnose(table, by=options.by, worst=options.worst), options)
        return
    files = (options.reference, options.candidate)
    sides, features = read_features(options, read_sides(options, *files), *paths_of(files))
    reference, candidate = sides
    diagnosis = diagnose(
        reference,
        candidate,
        by=options.by,
        worst=options.worst,
        items=options.items,
        **features,
        **read_policies(options),
    )
    _print(diagnosis, options)


def _print(diagnosis: Diagnosis, options: argparse.Namespace) -> None:
    """Print a diagnosis, and draw it where that is asked for."""
    tell([diagnosis.account])
    if options.plot:
        diagnosis.plot(options.plot)
    print(diagnosis.to_json() if options.json else diagnosis)
