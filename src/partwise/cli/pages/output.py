"""Options of every report page, and where it is written."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from partwise.cli.options import named_source
from partwise.report.page.render import ReportPage

_STANDARD_OUTPUT = "-"


def add_page_options(parser: argparse.ArgumentParser) -> None:
    """Add the options on the page itself."""
    group = parser.add_argument_group("page")
    group.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help="file to write the page into, such as report.html, or - for standard output",
    )
    group.add_argument(
        "--title", metavar="TEXT", help="heading of the page (default: names of the files)"
    )


def check_output(options: argparse.Namespace) -> None:
    """Refuse an output that is a folder, or whose folder is not there."""
    if options.output == _STANDARD_OUTPUT:
        return
    target = Path(options.output)
    if target.is_dir():
        raise ValueError(
            f"{options.output}: --output names a folder; name a file in it, such as "
            f"{target / 'report.html'}"
        )
    if not target.parent.is_dir():
        raise ValueError(
            f"{options.output}: there is no folder {target.parent} to write the page into; "
            "make it, or name a file in another one"
        )


def shown_name(source: str) -> str:
    """Return what a page calls a file: its name without folders, with its column."""
    return "standard input" if source == "-" else named_source(source)[0]


def write_page(page: ReportPage, options: argparse.Namespace) -> None:
    """Write a page, and say so on standard error."""
    if options.output == _STANDARD_OUTPUT:
        sys.stdout.write(page.html)
        sys.stdout.flush()
        return
    page.save(options.output)
    size = len(page.html.encode())
    shown = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"
    print(f"{options.output}: {shown}")
