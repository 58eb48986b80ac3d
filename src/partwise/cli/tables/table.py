"""``partwise table``: count two clusterings and save their table."""

from __future__ import annotations

import argparse
from typing import Any

from partwise.cli.options import (
    add_input_options,
    add_policy_options,
    add_sides,
    read_policies,
    read_sides,
)
from partwise.cli.tables.joined import joined_table
from partwise.cli.tables.large import (
    add_large_options,
    are_in_blocks,
    are_past_limit,
    counted_in_blocks,
    describe,
)
from partwise.cli.tables.sql import add_sql_options, table_of_sql
from partwise.cli.words.sentences import tell
from partwise.table.count import contingency


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "table",
        help="count two clusterings and save their table",
        description="Count the items of each pair of clusters. Files of npy, npz and parquet "
        "are read block by block; the memory is that of the cells. --sql counts what DuckDB "
        "selects. The table can be compared, diagnosed and merged with others.",
    )
    add_sides(parser, "reference", "candidate", or_none=True)
    add_output_option(parser)
    add_sql_options(parser)
    add_input_options(parser)
    add_large_options(parser)
    add_policy_options(parser)
    parser.set_defaults(run=run)


def add_output_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for where the table is written."""
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help="where to write the table: FILE.parquet (columns row, col, count) or FILE.npz",
    )


def run(options: argparse.Namespace) -> None:
    """Count, save, and say what was counted."""
    if (selected := table_of_sql(options)) is not None:
        table = selected
    elif are_in_blocks(options, text=False) or are_past_limit(options):
        table = counted_in_blocks(options)
    elif (joined := joined_table(options)) is not None:
        table = joined
    else:
        sides = read_sides(options, options.reference, options.candidate)
        table = contingency(*sides, workers=options.workers, **read_policies(options))
    tell([table.account])
    table.save(options.output)
    print(describe(table))
