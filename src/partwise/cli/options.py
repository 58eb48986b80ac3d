"""Options that several subcommands share."""

from __future__ import annotations

import argparse
from typing import Any

from partwise.labels import Clustering
from partwise.labels.policies import DUPLICATES, MISSING, UNMATCHED
from partwise.reading import FORMATS, read, typed_cells


def add_input_options(parser: argparse.ArgumentParser) -> None:
    """Add how files are read."""
    group = parser.add_argument_group("input")
    group.add_argument(
        "--item",
        metavar="COLUMN[,COLUMN]",
        help="column(s) of the item id; items are then aligned by id, not by position",
    )
    group.add_argument(
        "--label",
        metavar="COLUMN[,COLUMN]",
        help="column(s) of the labels where a FILE names none; several make one label",
    )
    group.add_argument("--format", choices=FORMATS, default="auto", help="default: auto")
    group.add_argument(
        "--header",
        choices=("yes", "no"),
        help="whether the first row names the columns (default: seen from the content)",
    )
    group.add_argument(
        "--flatten",
        action="store_true",
        help="take arrays of several dimensions as one label per element (C order)",
    )
    group.add_argument("-v", "--verbose", action="store_true", help="say which kernels run")


def add_policy_options(parser: argparse.ArgumentParser) -> None:
    """Add the policies; a pair REFERENCE,CANDIDATE sets each side."""
    group = parser.add_argument_group(
        "policies", "one value, or REFERENCE,CANDIDATE to set each side"
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
            help=f'a label that means "no label"{where}; may be given again',
        )


def read_side(options: argparse.Namespace, source: str) -> Clustering:
    """Read FILE or FILE::COLUMN."""
    path, separator, column = source.partition("::")
    if separator and not column:
        raise ValueError(f"{source}: a column name is expected after '::'")
    return read(
        path,
        label=column or _columns(options.label),
        item=_columns(options.item),
        format=options.format,
        header=None if options.header is None else options.header == "yes",
        flatten=options.flatten,
    )


def _columns(text: str | None) -> list[str] | None:
    return text.split(",") if text else None


def read_policies(options: argparse.Namespace) -> dict[str, Any]:
    """Return the policies as keyword arguments of ``align``."""

    def pair(text: str) -> Any:
        parts = text.split(",")
        return parts[0] if len(parts) == 1 else tuple(parts)

    def labels(*lists: list[str] | None) -> list[Any]:
        cells = [cell for found in lists for cell in found or ()]
        typed = [typed_cells([cell]) for cell in cells]
        return [one[0] for one in typed]

    return {
        "unmatched": pair(options.unmatched),
        "missing": pair(options.missing),
        "duplicates": pair(options.duplicates),
        "missing_labels": (
            labels(options.missing_labels, options.missing_labels_reference),
            labels(options.missing_labels, options.missing_labels_candidate),
        ),
    }
