"""``partwise cover``: compare clusterings whose clusters may overlap."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from partwise.cli.options import (
    add_input_options,
    add_report_options,
    add_sides,
    open_source,
    print_in_shape,
    read_sides,
    split_names,
)
from partwise.labels import Clustering
from partwise.labels.columns import Column
from partwise.labels.covers.arguments import distinct_items
from partwise.labels.covers.cover import Cover
from partwise.labels.files.comments import LINE_END
from partwise.labels.files.sources import text_of
from partwise.labels.items.ids import followed_by
from partwise.scoring.covers import compare_covers

#: What is said of lines that may be labels, and what they may be here.
_COMMUNITIES = (
    (
        'lines that are one label each are read with format="lines"',
        'lines that are one community each are read with format="communities"',
    ),
    (
        ', or say that each line is one label with format="lines"',
        ', or say that each line is one community with format="communities"',
    ),
    ("or one label a line;", "or one community a line;"),
    ('for labels format="lines"', 'for communities format="communities"'),
)


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "cover",
        help="score clusterings whose clusters may overlap",
        description="Score a candidate against a reference, where an item may be in several "
        "clusters or in none: files with one community a line, or tables with one row for each "
        "item of each cluster (--item and --label name the columns).",
    )
    add_sides(parser, "reference", "candidate")
    add_report_options(parser)
    parser.add_argument(
        "--items",
        metavar="FILE",
        help="all items, one a line, those in no cluster too (default: those of both files)",
    )
    add_input_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Print the scores."""
    sources = (options.reference, options.candidate)
    if options.items == "-" and "-" in sources:
        raise ValueError("standard input holds either clusters or --items; name another file")
    sides = _read_sides(options, sources)
    first, second = (_members(*both) for both in zip(sides, sources, strict=True))
    if options.items is None:
        universe: Column | list[str] = distinct_items(followed_by(first, second))
    else:
        universe = _lines(options)
    covers = []
    for side, source in zip(sides, sources, strict=True):
        try:
            covers.append(Cover(side, universe))
        except ValueError as error:
            raise ValueError(f"{source}: {error}") from None
    result = compare_covers(*covers, measures=split_names(options.measures))
    print_in_shape(result, options)


def _members(side: Clustering, source: str) -> Column:
    """Return the item of each row."""
    if side.item_column is None:
        raise ValueError(
            f"{source}: the rows name no items; give --item COLUMN, or --format communities "
            "for one community a line"
        )
    return side.item_column


def _read_sides(options: argparse.Namespace, sources: Sequence[str]) -> list[Clustering]:
    """Return the sides; lines that are no table may be communities here, and no labels."""
    try:
        return read_sides(options, *sources)
    except ValueError as error:
        text = str(error)
        for labels, communities in _COMMUNITIES:
            text = text.replace(labels, communities)
        if text == str(error):
            raise
        raise ValueError(text) from None


def _lines(options: argparse.Namespace) -> list[str]:
    """Return the items of a file, one a line."""
    source = open_source(options, options.items)
    text = text_of(source, "text with one item a line is expected")
    return [line.strip() for line in LINE_END.split(text) if line.strip()]
