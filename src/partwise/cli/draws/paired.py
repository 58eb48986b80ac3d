"""``partwise paired``: is one system better than another on the same reference."""

from __future__ import annotations

import argparse
from typing import Any

from partwise.cli.drawing import (
    MEASURES,
    add_drawing_options,
    add_unit_options,
    print_report,
    read_drawing_options,
    read_unit_options,
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
from partwise.inference.paired import METHODS, paired_test


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "paired",
        help="test whether two systems differ on the same reference",
        description="Test whether two candidate clusterings differ on the same reference.",
    )
    add_sides(parser, "reference", "system1", "system2")
    add_report_options(parser)
    group = parser.add_argument_group("drawing")
    group.add_argument(
        "--draws", type=int, default=1999, metavar="N", help="number of draws (default: 1999)"
    )
    group.add_argument(
        "--method",
        choices=METHODS,
        help="exchange the systems' outputs at random, or draw units with replacement "
        "(default: randomization for groups, bootstrap for items)",
    )
    add_unit_options(group)
    add_drawing_options(group)
    add_input_options(parser)
    add_policy_options(parser)
    parser.set_defaults(run=run, measures=MEASURES)


def run(options: argparse.Namespace) -> None:
    """Print a line per measure."""
    sides = (options.reference, options.system1, options.system2)
    reference, first, second = read_sides(options, *sides)
    test = paired_test(
        reference,
        first,
        second,
        measure=split_names(options.measures),
        method=options.method,
        draws=options.draws,
        **read_unit_options(options, reference, first, second),
        **read_drawing_options(options),
        **read_policies(options),
    )
    print_report(test, options)
