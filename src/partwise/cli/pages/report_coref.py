"""``partwise report-coref``: a coreference response against its key as a page of HTML."""

from __future__ import annotations

import argparse
from typing import Any

from partwise.cli.documents.coref import read_key, scored
from partwise.cli.documents.coref_options import (
    add_input_options,
    add_rules,
    check_rules,
)
from partwise.cli.documents.coref_reading import COLUMN_OPTIONS
from partwise.cli.pages.output import add_page_options, check_output, shown_name, write_page
from partwise.coreference.scores.analysis.entity_shares import OF_ENTITIES


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "report-coref",
        help="the same for a coreference response and its key",
        description="Write one page of HTML that holds everything: what was read, the scores, "
        "errors by kind, and the documents, entities and mentions that cost most, to search "
        "and to sort.",
    )
    parser.add_argument(
        "key",
        metavar="KEY",
        help="file of documents (may be gz, bz2, xz), folder of files, or - for standard input",
    )
    parser.add_argument("response", metavar="RESPONSE", help="in the same forms")
    add_page_options(parser)
    parser.add_argument(
        "--worst",
        type=int,
        default=200,
        metavar="N",
        help="entities of each side, and mentions, to list (default: 200)",
    )
    parser.add_argument(
        "--errors",
        metavar="MEASURE",
        help="the measure of which errors by kind are shown: "
        f"{', '.join(OF_ENTITIES)} (default: b_cubed; lea under cai-strube)",
    )
    add_rules(parser)
    add_input_options(parser)
    parser.set_defaults(run=run, words=COLUMN_OPTIONS)


def run(options: argparse.Namespace) -> None:
    """Write the page."""
    check_output(options)
    check_rules(options)
    if options.worst < 0:
        raise ValueError(f"--worst {options.worst}: a number of 0 or more is expected")
    options.responses = [options.response]
    (scores,) = scored(options, read_key(options), {}).values()
    page = scores.report_page(
        title=options.title,
        names=(shown_name(options.key), shown_name(options.response)),
        worst=options.worst,
        errors=options.errors,
    )
    write_page(page, options)
