"""``partwise hierarchy``: compare two trees of the same items."""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path
from typing import Any

from partwise.cli.options import (
    add_plot_option,
    add_report_options,
    print_in_shape,
    split_names,
)
from partwise.labels.files.sources import decoded
from partwise.labels.hierarchies.hierarchy import Hierarchy
from partwise.measures.hierarchies.b_k import b_k
from partwise.scoring.hierarchies import compare_hierarchies


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "hierarchy",
        help="score two trees of the same items",
        description="Score a candidate against a reference, each a tree in Newick format or "
        "the rows of a linkage (cluster, cluster, height, size), which name items by number "
        "from 0.",
    )
    parser.add_argument("reference", metavar="REFERENCE", help="file of a tree")
    parser.add_argument("candidate", metavar="CANDIDATE", help="file of a tree")
    add_report_options(parser)
    parser.add_argument(
        "--cuts",
        action="store_true",
        help="B_k for every number of clusters, with its mean and deviation by chance",
    )
    add_plot_option(parser, "draw B_k with its band by chance")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Print the scores."""
    trees = [_tree_of(source) for source in (options.reference, options.candidate)]
    if options.plot is not None:
        b_k(*trees).plot(options.plot)
    if options.cuts:
        print_in_shape(b_k(*trees), options)
    else:
        result = compare_hierarchies(*trees, measures=split_names(options.measures))
        print_in_shape(result, options)


def _tree_of(source: str) -> Hierarchy:
    """Return the tree of a file."""
    if source == "-":
        path, content = Path("standard input"), sys.stdin.buffer.read()
    else:
        path = Path(source)
        content = path.read_bytes()
    text, _ = decoded(path, content)
    try:
        if text.lstrip()[:1] in ("(", "[", "'") or text.rstrip().endswith(";"):
            return Hierarchy.from_newick(text)
        return Hierarchy.from_linkage(_rows(text))
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None


def _rows(text: str) -> list[list[float]]:
    """Return the rows of a linkage, fields parted by commas or blanks."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise ValueError("it is empty; a tree in Newick format, or rows of a linkage, expected")
    rows: list[list[float]] = []
    for number, line in enumerate(lines, start=1):
        fields = next(csv.reader([line])) if "," in line else line.split()
        try:
            row = [float(field) for field in fields]
        except ValueError:
            row = []
        if len(row) not in (3, 4) or (rows and len(row) != len(rows[0])):
            raise ValueError(
                f"row {number} of the linkage is {line[:40]!r}; each row has the same 3 or 4 "
                "numbers: cluster, cluster, height, and perhaps the number of items"
            )
        rows.append(row)
    return rows
