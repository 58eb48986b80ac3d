"""``partwise hierarchy``: compare two trees of the same items."""

from __future__ import annotations

import argparse
import csv
from typing import Any

from partwise.cli.options import (
    add_plot_option,
    add_report_options,
    open_source,
    print_in_shape,
    split_names,
)
from partwise.labels.files.npy import load_arrays
from partwise.labels.files.sources import Source, content_of, text_of
from partwise.labels.hierarchies.hierarchy import Hierarchy
from partwise.measures.hierarchies.b_k import b_k
from partwise.scoring.hierarchies import compare_hierarchies

_EXPECTED = "a tree in Newick format, or rows of a linkage, are expected"


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
    sources = (options.reference, options.candidate)
    if sources == ("-", "-"):
        raise ValueError("standard input holds one tree; name a file for the other")
    trees = [_tree_of(options, source) for source in sources]
    bare = [tree.item_ids is None for tree in trees]
    if bare[0] is not bare[1]:
        linkage, newick = sources if bare[0] else sources[::-1]
        raise ValueError(
            f"{linkage} is a linkage, whose items are numbers from 0, and {newick} is a tree "
            "whose leaves have names; give both as trees in Newick format, or both as linkages"
        )
    if options.plot is not None:
        b_k(*trees).plot(options.plot)
    if options.cuts:
        print_in_shape(b_k(*trees), options)
    else:
        result = compare_hierarchies(*trees, measures=split_names(options.measures))
        print_in_shape(result, options)


def _tree_of(options: argparse.Namespace, source: str) -> Hierarchy:
    """Return the tree of a file."""
    opened = open_source(options, source)
    kind, content, _ = content_of(opened)
    if content is not None:
        opened = Source(opened.path, content)  # unpacked
    text = "" if kind == "npy" else text_of(opened, _EXPECTED)
    try:
        if kind == "npy":
            return Hierarchy.from_linkage(load_arrays(opened.path, opened)["1"])
        if text.lstrip()[:1] in ("(", "[", "'") or text.rstrip().endswith(";"):
            return Hierarchy.from_newick(text)
        return Hierarchy.from_linkage(_rows(text))
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None


def _rows(text: str) -> list[list[float]]:
    """Return the rows of a linkage, fields parted by commas or blanks."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise ValueError(f"it is empty; {_EXPECTED}")
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
