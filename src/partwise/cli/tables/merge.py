"""``partwise merge``: add up tables of different items."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from partwise.cli.tables.large import describe
from partwise.cli.tables.table import add_output_option
from partwise.cli.words.sentences import tell
from partwise.labels import SingletonLabel
from partwise.labels.columns import kind_of
from partwise.table.contingency import Contingency
from partwise.table.merge import merge


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "merge",
        help="add up tables of different items",
        description="Add up tables that partwise table wrote, or parquet with the columns row, "
        "col and count. Labels are the same where their values are; no item may be in two "
        "tables.",
    )
    parser.add_argument("tables", nargs="+", metavar="TABLE", help="a table: npz or parquet")
    add_output_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Merge, save, and say what there is."""
    _check_once(options.tables)
    try:
        table = merge(Contingency.load(path) for path in options.tables)
    except TypeError as error:
        raise TypeError(_of_two_kinds(options.tables) or str(error)) from error
    tell([table.account])
    table.save(options.output)
    print(describe(table))


def _check_once(paths: Sequence[str]) -> None:
    """Refuse a file that is given twice, as its items would be in two tables."""
    seen: dict[tuple[int, int], str] = {}
    for path in paths:
        if not Path(path).exists():  # which is told where it is read
            continue
        status = os.stat(path)
        file = status.st_dev, status.st_ino
        if file in seen:
            names = path if path == seen[file] else f"{path}, which is {seen[file]},"
            raise ValueError(
                f"{names} is given twice, so that its items would count twice; give each "
                "table once"
            )
        seen[file] = path


def _of_two_kinds(paths: Sequence[str]) -> str:
    """Return which tables have labels of different kinds, "" where there are none."""
    first: dict[str, tuple[str, str, Any]] = {}
    for path in paths:
        table = Contingency.load(path)
        for side, labels in (("row", table.row_labels), ("column", table.col_labels)):
            kind, label = _kind_and_label(labels)
            other, other_kind, other_label = first.setdefault(side, (path, kind, label))
            if not kind:
                continue
            if not other_kind:
                first[side] = path, kind, label
            elif kind != other_kind:
                return (
                    f"the {side} labels of {other} are {_spoken(other_kind)} "
                    f"({other_label!r}), those of {path} {_spoken(kind)} ({label!r}), so that "
                    "nothing tells which are the same; count the tables anew from labels of "
                    "one kind, such as text in every file"
                )
    return ""


def _kind_and_label(labels: Any) -> tuple[str, Any]:
    """Return the kind of a table's labels and one of them, "" where policies made them all."""
    usual = (x for x in labels.tolist() if x is not None and not isinstance(x, SingletonLabel))
    label = next(usual, None)
    return ("", None) if label is None else (kind_of(type(label)), label)


def _spoken(kind: str) -> str:
    return {"integer": "whole numbers", "float": "numbers with decimals"}.get(kind, kind)
