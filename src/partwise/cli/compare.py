"""``partwise compare``: score two clusterings."""

from __future__ import annotations

import argparse
from typing import Any

from partwise.cli.drawing import (
    add_bootstrap_options,
    check_nothing_drawn,
    print_report,
    read_drawing_options,
    read_unit_options,
)
from partwise.cli.item_rows import memberships
from partwise.cli.item_rows.features import add_features_option, read_features
from partwise.cli.options import (
    add_input_options,
    add_policy_options,
    add_report_options,
    add_sides,
    paths_of,
    print_in_shape,
    read_policies,
    read_sides,
    split_names,
)
from partwise.cli.tables.large import add_large_options, table_of
from partwise.cli.tables.limits import check_limit_acts
from partwise.cli.words.sentences import in_words_of_options, tell
from partwise.inference.bootstrap import bootstrap
from partwise.scoring.compare import compare
from partwise.table.contingency import Contingency


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "compare",
        help="score two clusterings of the same items",
        description="Score a candidate clustering against a reference.",
    )
    add_sides(parser, "reference", "candidate", or_table=True)
    add_report_options(parser)
    add_features_option(parser)
    memberships.add_memberships_options(parser)
    add_bootstrap_options(parser)
    add_input_options(parser)
    add_large_options(parser, workers=False)
    add_policy_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Print the scores, or their bootstrap."""
    if options.memberships:
        check_limit_acts(options)
        memberships.run(options)
        return
    memberships.check_rescale(options)
    table = table_of(options)
    if table is not None:
        _run_on_table(table, options)
        return
    files = (options.reference, options.candidate)
    sides, features = read_features(options, read_sides(options, *files), *paths_of(files))
    reference, candidate = sides
    if options.bootstrap is not None:
        if features:
            raise ValueError(
                "--features does not go with --bootstrap, which draws tables that hold no "
                "items; leave one of the two out"
            )
        intervals = bootstrap(
            reference,
            candidate,
            measure=split_names(options.measures),
            draws=options.bootstrap,
            **read_unit_options(options, reference, candidate),
            **read_drawing_options(options),
            **read_policies(options),
        )
        print_report(intervals, options)
        return
    check_nothing_drawn(options)
    result = compare(
        reference,
        candidate,
        measures=split_names(options.measures),
        **features,
        **read_policies(options),
    )
    result = in_words_of_options(result, options.words)
    tell([result.account])
    print_in_shape(result, options)


def _run_on_table(table: Contingency, options: argparse.Namespace) -> None:
    """Print the scores of a table, or their bootstrap."""
    if options.bootstrap is not None:
        intervals = bootstrap(
            table,
            measure=split_names(options.measures),
            draws=options.bootstrap,
            **read_unit_options(options),
            **read_drawing_options(options),
        )
        print_report(intervals, options)
        return
    if options.candidate is not None:
        options.workers = None  # they have counted
    check_nothing_drawn(options)
    result = compare(table, measures=split_names(options.measures))
    result = in_words_of_options(result, options.words)
    tell([result.account])
    print_in_shape(result, options)
