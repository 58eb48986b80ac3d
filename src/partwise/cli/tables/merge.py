"""``partwise merge``: add up tables of different items."""

from __future__ import annotations

import argparse
from typing import Any

from partwise.cli.tables.large import describe
from partwise.cli.tables.table import add_output_option
from partwise.cli.words.sentences import tell
from partwise.table.contingency import Contingency
from partwise.table.merge import merge


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "merge",
        help="add up tables of different items",
        description="Add up tables that partwise table wrote, or parquet with the columns row, "
        "col and count. Labels are the same where their values are; no item may be in two "
        "tables.",
    )
    parser.add_argument("tables", nargs="+", metavar="TABLE", help="a table: npz or parquet")
    add_output_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Merge, save, and say what there is."""
    table = merge(Contingency.load(path) for path in options.tables)
    tell([table.account])
    table.save(options.output)
    print(describe(table))
