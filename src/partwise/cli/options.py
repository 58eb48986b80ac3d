"""Options that several subcommands share."""

from __future__ import annotations

import argparse
import csv
import re
from pathlib import Path
from typing import Any

from partwise.labels import Clustering
from partwise.labels.files.read import FORMATS, read
from partwise.labels.files.text import typed_cells
from partwise.labels.policies import DUPLICATES, MISSING, UNMATCHED


def add_sides(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add the clusterings to compare, the reference first."""
    told = "a file, or one of its columns as FILE::COLUMN (name, or number from 1)"
    for name in names:
        parser.add_argument(name, metavar=name.upper(), help=told)
        told = f"same forms as {names[0].upper()}"


def add_report_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the measures and for the form of the report."""
    parser.add_argument(
        "--measures",
        default="default",
        metavar="NAMES",
        help='"default", "all", or names separated by commas: rand_index,"v_measure(beta=2)"',
    )
    add_shape_options(parser)


def add_shape_options(parser: argparse.ArgumentParser, *more: str) -> None:
    """Add the options for the form of a report."""
    shape = parser.add_mutually_exclusive_group()
    for name in ("json", "csv", "markdown", *more):
        text = f"print {name} instead of aligned text"
        shape.add_argument(
            f"--{name}", dest="shape", action="store_const", const=name, help=text
        )


def split_names(text: str) -> str | list[str]:
    """Split names of measures at commas outside parentheses."""
    if text in ("default", "all"):
        return text
    return [name.strip() for name in re.split(r",(?![^(]*\))", text) if name.strip()]


def add_input_options(parser: argparse.ArgumentParser, *, label: bool = True) -> None:
    """Add the options for reading files."""
    group = parser.add_argument_group("input")
    group.add_argument(
        "--item",
        metavar="COLUMN[,COLUMN]",
        help="column(s) of the item id; items are then aligned by id, not by position",
    )
    if label:
        group.add_argument(
            "--label",
            metavar="COLUMN[,COLUMN]",
            help="column(s) of the labels if FILE names none; several columns make one label",
        )
    group.add_argument(
        "--format", choices=FORMATS, default="auto", help="file format (default: auto)"
    )
    group.add_argument(
        "--header",
        choices=("yes", "no"),
        help="whether the first row names the columns (default: judged by the content)",
    )
    group.add_argument(
        "--delimiter", metavar="CHARACTER", help="field separator of a text table"
    )
    group.add_argument(
        "--flatten",
        action="store_true",
        help="take arrays of several dimensions as one label per element (C order)",
    )
    group.add_argument(
        "-v", "--verbose", action="store_true", help="say which kernels are used"
    )


def add_policy_options(parser: argparse.ArgumentParser) -> None:
    """Add the policies; a pair REFERENCE,CANDIDATE sets each side."""
    group = parser.add_argument_group(
        "policies", "one word for both sides, or REFERENCE,CANDIDATE for each side"
    )
    for name, words, text in (
        ("unmatched", UNMATCHED, "items on one side only"),
        ("missing", MISSING, "items without a label"),
        ("duplicates", DUPLICATES, "items that occur again"),
    ):
        group.add_argument(
            f"--{name}",
            default="error",
            metavar="WORD",
            help=f"{text}: {', '.join(words)} (default: error)",
        )
    for side in ("", "-reference", "-candidate"):
        where = f" in the {side[1:]}" if side else ""
        group.add_argument(
            f"--missing-labels{side}",
            action="append",
            metavar="LABEL",
            help=f'a label that means "no label"{where}; may be repeated',
        )


def read_side(options: argparse.Namespace, source: str) -> Clustering:
    """Read FILE or FILE::COLUMN."""
    path, separator, column = source.rpartition("::")
    if not separator or Path(source).exists():
        path, separator, column = source, "", ""
    if separator and not column:
        raise ValueError(f"{source}: a column name is expected after '::'")
    return read(
        path,
        label=column or columns_of(options.label),
        item=columns_of(options.item),
        format=options.format,
        header=header_of(options),
        delimiter=options.delimiter,
        flatten=options.flatten,
    )


def header_of(options: argparse.Namespace) -> bool | None:
    """Return whether the first row is a header, None if the content decides."""
    return None if options.header is None else options.header == "yes"


def columns_of(text: str | None) -> list[str] | None:
    """Split names of columns."""
    return next(csv.reader([text])) if text else None  # quotes keep a comma in a name


def read_policies(options: argparse.Namespace) -> dict[str, Any]:
    """Return the policies as keyword arguments of ``align``."""

    def pair(text: str) -> Any:
        parts = text.split(",")
        return parts[0] if len(parts) == 1 else tuple(parts)

    def labels(*lists: list[str] | None) -> list[Any]:
        cells = [cell for found in lists for cell in found or ()]
        return [*cells, *(typed_cells([cell])[0] for cell in cells)]  # as the column reads it

    return {
        "unmatched": pair(options.unmatched),
        "missing": pair(options.missing),
        "duplicates": pair(options.duplicates),
        "missing_labels": (
            labels(options.missing_labels, options.missing_labels_reference),
            labels(options.missing_labels, options.missing_labels_candidate),
        ),
    }
