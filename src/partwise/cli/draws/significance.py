"""``partwise significance``: is the agreement more than chance gives."""

from __future__ import annotations

import argparse
from typing import Any

from partwise.cli.drawing import (
    MEASURES,
    add_drawing_options,
    print_report,
    read_drawing_options,
)
from partwise.cli.options import (
    add_input_options,
    add_policy_options,
    add_report_options,
    add_sides,
    read_policies,
    read_sides,
    split_names,
)
from partwise.inference.permutation import ALTERNATIVES, significance


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "significance",
        help="compute p-values, z and chance-adjusted values from random tables",
        description="Compare scores with those of random clusterings of the same sizes.",
    )
    add_sides(parser, "reference", "candidate")
    add_report_options(parser)
    group = parser.add_argument_group("drawing")
    group.add_argument(
        "--draws",
        type=int,
        default=999,
        metavar="N",
        help="number of random tables (default: 999)",
    )
    group.add_argument(
        "--alternative",
        choices=ALTERNATIVES,
        default="agreement",
        help="what a small p-value is evidence of (default: agreement)",
    )
    add_drawing_options(group)
    add_input_options(parser)
    add_policy_options(parser)
    parser.set_defaults(run=run, measures=MEASURES)


def run(options: argparse.Namespace) -> None:
    """Print a line per measure."""
    reference, candidate = read_sides(options, options.reference, options.candidate)
    test = significance(
        reference,
        candidate,
        measure=split_names(options.measures),
        alternative=options.alternative,
        draws=options.draws,
        **read_drawing_options(options),
        **read_policies(options),
    )
    print_report(test, options)
