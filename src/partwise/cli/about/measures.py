"""``partwise measures``: the catalogue, and one entry of it in full."""

from __future__ import annotations

import argparse
import textwrap
from fnmatch import fnmatchcase
from typing import Any

from partwise.cli.options import add_shape_options
from partwise.measures.catalogue import catalogue, find
from partwise.measures.entry import Measure
from partwise.report.json_documents import json_text
from partwise.report.table import WIDTH
from partwise.report.tables import csv_table, markdown_table

_MARKS = ("symmetric", "metric", "join_weighted", "normalized", "tie_dependent")
_HEADER = ("family", "measure", "options", "range", "better", "properties", "source")


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "measures",
        help="list every measure with its properties",
        description="List the measures: range, direction, properties, source. Of one measure, "
        "also what it is.",
    )
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME|PATTERN",
        help="measures by name, alias (ari) or pattern ('pair_*'), or a family (default: all)",
    )
    add_shape_options(parser)
    parser.set_defaults(run=run)


def _bound(value: float | None) -> str:
    return "..." if value is None else f"{value:g}"


def _range(entry: Measure) -> str:
    low, high = entry.range
    return f"{_bound(low)} .. {_bound(high)}"


def _options(entry: Measure) -> str:
    if entry.options:
        return ""
    return ", ".join([*entry.requires, *(f"{k}={v}" for k, v in entry.defaults.items())])


def _row(entry: Measure) -> tuple[str, ...]:
    marks = ", ".join(mark for mark in _MARKS if getattr(entry, mark))
    better = entry.direction or ""
    return (
        *(entry.family, entry.name, _options(entry), _range(entry), better, marks),
        entry.source,
    )


def chosen(names: list[str]) -> list[Measure]:
    """Return the entries that names, aliases, patterns and families mean.

    Raises
    ------
    ValueError
        One of them means no measure (near names are offered).
    """
    every = catalogue()
    if not names:
        return list(every.values())
    entries: dict[str, Measure] = {}
    for name in names:
        if any(sign in name for sign in "*?["):
            matching = {key: entry for key, entry in every.items() if fnmatchcase(key, name)}
            if not matching:
                raise ValueError(f"no measure matches {name!r}; partwise measures lists all")
        else:
            matching = {key: entry for key, entry in every.items() if entry.family == name}
            if not matching:
                entry = find(name)
                matching = {entry.name: entry}
        entries |= matching
    return list(entries.values())


def _in_full(entry: Measure) -> str:
    """Return everything about one measure."""
    options = _options(entry)
    marks = ", ".join(mark.replace("_", "-") for mark in _MARKS if getattr(entry, mark))
    identical = entry.value_if_identical
    facts = {
        "family": entry.family,
        "options": options,
        "range": _range(entry),
        "better": entry.direction or "neither",
        "if identical": "depends on the clustering" if identical is None else f"{identical:g}",
        "properties": marks,
        "error": "" if entry.error_bound is None else f"at most {entry.error_bound}",
        "source": entry.source,
    }
    lines = [entry.name, *textwrap.wrap(entry.summary, WIDTH)]
    for name, text in facts.items():
        if text:
            lines += textwrap.wrap(
                text, WIDTH, initial_indent=f"  {name:<14}", subsequent_indent=" " * 16
            )
    return "\n".join(lines)


def _listed(entries: list[Measure]) -> str:
    """Return a line for each measure, under the names of the families."""
    parts = [f"{'measure':<50}{'range':<16}better"]
    family = ""
    for entry in entries:
        if entry.family != family:
            family = entry.family
            parts.append(family)
        line = f"  {entry.name}"
        if len(line) > 48:  # then its range stands below
            parts.append(line)
            line = ""
        parts.append(f"{line:<50}{_range(entry):<16}{entry.direction or ''}".rstrip())
    return "\n".join([*parts, "", "partwise measures NAME says what one is, with its source"])


def run(options: argparse.Namespace) -> None:
    """Print the catalogue, or a part of it."""
    entries = chosen(options.names)
    rows = [_row(entry) for entry in entries]
    if options.shape == "json":
        print(json_text([dict(zip(_HEADER, row, strict=True)) for row in rows], 2))
    elif options.shape == "csv":
        print(csv_table(_HEADER, rows), end="")
    elif options.shape == "markdown":
        print(markdown_table(_HEADER, rows))
    elif options.names and len(entries) <= 3:
        print("\n\n".join(map(_in_full, entries)))
    else:
        print(_listed(entries))
