"""``partwise pairwise``: one measure between all pairs of several clusterings."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from partwise.cli.options import (
    add_input_options,
    add_latex_options,
    add_plot_option,
    add_policy_options,
    add_shape_options,
    columns_of,
    named_source,
    open_source,
    print_in_shape,
    read_policies,
    read_sides,
    reading_options,
    split_source,
)
from partwise.labels import Clustering
from partwise.labels.files.headers import role_of
from partwise.labels.files.read import composite_column, read_table
from partwise.progress import doing
from partwise.scoring.compare import pairwise


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "pairwise",
        help="compare several clusterings with each other",
        description="Compute one measure between all pairs of several clusterings: the columns "
        "of one file, or several files.",
    )
    parser.add_argument(
        "sources",
        nargs="+",
        metavar="FILE",
        help="one table with a column per clustering, or several of FILE, FILE::COLUMN and "
        "NAME=FILE",
    )
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
    names, sources = zip(*map(named_source, options.sources), strict=True)
    if len(sources) == 1 and not split_source(sources[0])[1]:
        clusterings = _columns(options, sources[0])
    else:
        repeated = next((name for name in names if names.count(name) > 1), None)
        if repeated is not None:
            raise ValueError(f"{repeated} is given twice; NAME=FILE gives another name")
        clusterings = dict(zip(names, read_sides(options, *sources), strict=True))
    table = pairwise(
        clusterings,
        options.measure,
        progress=sys.stderr.isatty(),
        **read_policies(options),
    )
    if options.plot:
        table.plot(options.plot)
    print_in_shape(table, options)


def _columns(options: argparse.Namespace, path: str) -> dict[str, Clustering]:
    """Return the columns of a table, but for its index and the ids of items."""
    items = columns_of(options.item) or []
    with doing(f"reading {path}"):
        table = read_table(
            open_source(options, path), wanted=items, items=items, **reading_options(options)
        )
    keys = [table.find(name) for name in items]
    ids = composite_column(table, keys, "item id") if keys else None
    names = [
        name
        for name in table.columns
        if name not in (*keys, *table.index)
        and not (role_of(name) == "item" and table.holds_ids(name))
    ]
    if len(names) < 2:
        raise ValueError(
            f"{path} holds {len(names)} columns of labels; pairwise compares two or more"
        )
    sides = {name: Clustering(table.values(name)) for name in names}
    if ids is None:
        return sides
    return {name: side._with_items(ids) for name, side in sides.items()}
