"""``partwise pairwise``: one measure between all pairs of several clusterings."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from partwise.cli.clusterings import add_sources, read_clusterings
from partwise.cli.options import (
    add_input_options,
    add_latex_options,
    add_plot_option,
    add_policy_options,
    add_shape_options,
    print_in_shape,
    read_policies,
)
from partwise.scoring.compare import pairwise


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "pairwise",
        help="compare several clusterings with each other",
        description="Compute one measure between all pairs of several clusterings: the columns "
        "of one file, or several files.",
    )
    add_sources(parser)
    parser.add_argument(
        "--measure",
        default="variation_of_information",
        metavar="NAME",
        help="the measure (default: variation_of_information)",
    )
    add_plot_option(parser, "draw a heat map")
    add_shape_options(parser, "latex")
    add_latex_options(parser)
    add_input_options(parser)
    add_policy_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Print the table of all pairs."""
    table = pairwise(
        read_clusterings(options, options.sources, "pairwise"),
        options.measure,
        progress=sys.stderr.isatty(),
        **read_policies(options),
    )
    if options.plot:
        table.plot(options.plot)
    print_in_shape(table, options)
