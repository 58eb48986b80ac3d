"""``partwise measures``: the catalogue."""

from __future__ import annotations

import argparse
from typing import Any

from partwise.cli.options import add_shape_options
from partwise.measures.catalogue import catalogue
from partwise.measures.entry import Measure
from partwise.report.json_documents import json_text
from partwise.report.tables import csv_table, markdown_table, text_table


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "measures",
        help="list every measure with its properties",
        description="List every measure: range, direction, properties, source.",
    )
    add_shape_options(parser)
    parser.set_defaults(run=run)


def _bound(value: float | None) -> str:
    return "..." if value is None else f"{value:g}"


def _row(entry: Measure) -> tuple[str, ...]:
    low, high = entry.range
    options = ", ".join([*entry.requires, *(f"{k}={v}" for k, v in entry.defaults.items())])
    marks = ("symmetric", "metric", "join_weighted", "normalized", "tie_dependent")
    return (
        entry.family,
        entry.name,
        options if not entry.options else "",
        f"{_bound(low)} .. {_bound(high)}",
        entry.direction or "",
        ", ".join(mark for mark in marks if getattr(entry, mark)),
        entry.source,
    )


def run(options: argparse.Namespace) -> None:
    """Print the catalogue."""
    header = ["family", "measure", "options", "range", "better", "properties", "source"]
    rows = [_row(entry) for entry in catalogue().values()]
    if options.shape == "json":
        print(json_text([dict(zip(header, row, strict=True)) for row in rows], 2))
    elif options.shape == "csv":
        print(csv_table(header, rows), end="")
    elif options.shape == "markdown":
        print(markdown_table(header, rows))
    else:
        print(text_table(rows, header))
        print(
            "\nSM: split-merge (ICML 2012); NVI: CoNLL 2009; V: V-measure (EMNLP 2007); "
            "PSI: Pair Sets Index (TKDE 2016)"
        )
