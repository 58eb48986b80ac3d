"""``partwise report``: two clusterings as a page of HTML."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from partwise.cli.item_rows.features import add_features_option, read_features
from partwise.cli.options import (
    add_input_options,
    add_policy_options,
    add_sides,
    paths_of,
    read_policies,
    read_sides,
    split_names,
)
from partwise.cli.pages.output import add_page_options, check_output, shown_name, write_page
from partwise.cli.tables.large import add_large_options, table_of
from partwise.cli.words.sentences import tell
from partwise.coreference.formats.detection import format_of
from partwise.scoring.page.pair import report_page
from partwise.table.alignment import align


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "report",
        help="write a page with measures, diagnosis, pictures and the worst clusters",
        description="Write one page of HTML that holds everything: what was read, the "
        "measures, what was split and merged, pictures, and the worst clusters with their "
        "items to search and to sort. partwise report-coref and partwise report-sweep write "
        "the pages of coreference and of sweeps.",
    )
    add_sides(parser, "reference", "candidate", or_table=True)
    add_page_options(parser)
    parser.add_argument(
        "--measures",
        default="default",
        metavar="NAMES",
        help='"default", "all", names separated by commas, or a set and names',
    )
    parser.add_argument(
        "--by",
        default="s_entropy",
        metavar="MEASURE",
        help="measure whose loss is divided among the components (default: s_entropy)",
    )
    parser.add_argument(
        "--worst",
        type=int,
        default=200,
        metavar="N",
        help="number of clusters of each side, and of components, to list (default: 200)",
    )
    parser.add_argument(
        "--items",
        type=int,
        default=10,
        metavar="N",
        help="items to list of each part of a cluster (default: 10)",
    )
    add_features_option(parser)
    add_input_options(parser)
    add_large_options(parser)
    add_policy_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Write the page."""
    files = (options.reference, options.candidate)
    check_output(options)
    asked: dict[str, Any] = {
        "title": options.title,
        "measures": split_names(options.measures),
        "by": options.by,
        "worst": options.worst,
        "items": options.items,
    }
    table = table_of(options)
    if table is not None:
        if options.candidate is None:
            name = shown_name(options.reference)
            asked["names"] = ("rows of the table", "columns of the table")
            asked["title"] = name if options.title is None else options.title
        else:
            asked["names"] = (shown_name(files[0]), shown_name(files[1]))
        page, account = report_page(table, **asked), table.account
    else:
        try:
            read = read_sides(options, *files)
        except ValueError as error:
            raise _with_hint(error, paths_of(files)) from error
        sides, features = read_features(options, read, *paths_of(files))
        reference, candidate = sides
        aligned = align(reference, candidate, **features, **read_policies(options))
        asked["names"] = (shown_name(files[0]), shown_name(files[1]))
        page, account = report_page(aligned, **asked), aligned.account
    tell([account])
    write_page(page, options)


def _with_hint(error: ValueError, paths: list[str]) -> ValueError:
    """Return the error of files that are no labels, with the command for what they are."""
    if all(_holds_documents(path) for path in paths):
        return ValueError(
            f"{error}; the files look like documents of coreference: partwise report-coref "
            "writes their page"
        )
    return error


def _holds_documents(path: str) -> bool:
    """Return whether a file has a format of documents that is no mere table."""
    try:
        return Path(path).is_file() and format_of(Path(path)) != "table"
    except (ValueError, OSError):
        return False
