"""``partwise score``: one reference column against the others of a file."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from partwise.cli.notes import tell
from partwise.cli.options import (
    add_input_options,
    add_policy_options,
    add_report_options,
    columns_of,
    header_of,
    read_policies,
    split_names,
)
from partwise.labels import Clustering
from partwise.labels.files.read import composite_column, read_table
from partwise.scoring.compare import score_many


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "score",
        help="score several label columns of a file against one of them",
        description="Score label columns of one file against its reference column.",
    )
    parser.add_argument("file", metavar="FILE", help="a table with a column per clustering")
    parser.add_argument(
        "--reference", required=True, metavar="COLUMN", help="column of the reference labels"
    )
    parser.add_argument(
        "--candidates",
        metavar="COLUMN[,COLUMN]",
        help="columns to score (default: all but the reference and the item columns)",
    )
    add_report_options(parser)
    add_input_options(parser, label=False)
    add_policy_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Print a table of scores."""
    items = columns_of(options.item) or []
    candidates = columns_of(options.candidates) or []
    table = read_table(
        options.file,
        format=options.format,
        header=header_of(options),
        wanted=[options.reference, *items, *candidates],
        delimiter=options.delimiter,
        only_wanted=bool(candidates),
        flatten=options.flatten,
    )
    reference = table.find(options.reference)
    keys = [table.find(name) for name in items]
    chosen = [table.find(name) for name in candidates]
    chosen = chosen or [name for name in table.columns if name not in (reference, *keys)]
    ids = composite_column(table, keys, "item id") if keys else None

    def clustering(name: str) -> Clustering:
        values = table.values(name)
        return Clustering(values) if ids is None else Clustering(values)._with_items(ids)

    scores = score_many(
        clustering(reference),
        {name: clustering(name) for name in chosen},
        split_names(options.measures),
        progress=sys.stderr.isatty(),
        **read_policies(options),
    )
    tell(scores.accounts)
    if options.shape == "json":
        print(scores.to_json())
    elif options.shape == "csv":
        sys.stdout.write(scores.to_csv())
    elif options.shape == "markdown":
        print(scores.to_markdown())
    else:
        print(scores)
