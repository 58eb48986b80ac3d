"""``partwise report-sweep``: every threshold of an edge list or linkage as a page of HTML."""

from __future__ import annotations

import argparse
from typing import Any

from partwise.cli.options import add_input_options
from partwise.cli.pages.output import add_page_options, check_output, shown_name, write_page
from partwise.cli.pairs.sweep import (
    add_sweep_bootstrap_options,
    add_sweep_options,
    bootstraps_of,
    swept,
)


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "report-sweep",
        help="the same for every threshold of scored edges or a linkage",
        description="Write one page of HTML that holds everything: the best thresholds, "
        "curves, states to search and to sort, and the worst clusters with their items "
        "at the best threshold.",
    )
    add_sweep_options(parser)
    add_page_options(parser)
    parser.add_argument(
        "--by",
        metavar="MEASURE",
        help="measure whose best threshold counts (default: adjusted_rand_index if swept)",
    )
    parser.add_argument(
        "--measures",
        default="default",
        metavar="NAMES",
        help='"default", "all", names separated by commas, or a set and names',
    )
    parser.add_argument(
        "--worst",
        type=int,
        default=200,
        metavar="N",
        help="clusters of each side, and components, to list (default: 200)",
    )
    parser.add_argument(
        "--items",
        type=int,
        default=10,
        metavar="N",
        help="items to list of each part of a cluster (default: 10)",
    )
    add_sweep_bootstrap_options(parser)
    add_input_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Write the page."""
    check_output(options)
    reference, result = swept(options)
    page = result.report_page(
        title=options.title,
        names=(shown_name(options.gold), shown_name(options.edges)),
        measure=options.by,
        reference=reference,
        bootstraps=bootstraps_of(options, result),
        worst=options.worst,
        items=options.items,
    )
    write_page(page, options)
