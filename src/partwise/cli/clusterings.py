"""Several clusterings of the same items: the columns of one file, or several files."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from partwise.cli.options import (
    columns_of,
    ids_as_text,
    named_source,
    open_source,
    read_side,
    read_sides,
    reading_options,
    split_source,
)
from partwise.labels import Clustering
from partwise.labels.files.headers import role_of
from partwise.labels.files.read import composite_column, read_table
from partwise.progress import doing


def add_sources(parser: argparse.ArgumentParser) -> None:
    """Add the files of several clusterings."""
    parser.add_argument(
        "sources",
        nargs="+",
        metavar="FILE",
        help="one table with a column per clustering, or several of FILE, FILE::COLUMN and "
        "NAME=FILE",
    )
    parser.add_argument(
        "--all-columns",
        action="store_true",
        help="of several files, take every column of labels of each FILE that names none, as "
        "of one",
    )


def read_clusterings(
    options: argparse.Namespace, sources: Sequence[str], command: str
) -> dict[str, Clustering]:
    """Return the clusterings by name, two or more."""
    names, paths = zip(*map(named_source, sources), strict=True)
    if options.all_columns and all(split_source(path)[1] for path in paths):
        raise ValueError(
            "--all-columns is for a FILE that names no column; here each FILE names its own"
        )
    if len(paths) == 1 and not split_source(paths[0])[1]:
        if options.label:
            raise ValueError(
                f"--label would do nothing: every column of {paths[0]} is a clustering; name "
                f"those that are meant, {paths[0]}::COLUMN {paths[0]}::COLUMN"
            )
        columns = _columns(options, paths[0])
        if len(columns) < 2:
            raise ValueError(
                f"{paths[0]} holds {len(columns)} columns of labels; {command} compares two or "
                "more"
            )
        return columns
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise ValueError(f"{repeated} is given twice; NAME=FILE gives another name")
    if options.all_columns:
        return _columns_of_files(options, names, paths)
    return dict(zip(names, read_sides(options, *paths), strict=True))


def _columns_of_files(
    options: argparse.Namespace, names: Sequence[str], paths: Sequence[str]
) -> dict[str, Clustering]:
    """Return the columns of several tables as NAME::COLUMN; of one column as NAME."""
    if options.label:
        raise ValueError("--label names one column of each file; --all-columns takes them all")
    sides: dict[str, Clustering] = {}
    for name, path in zip(names, paths, strict=True):
        if split_source(path)[1]:
            sides[name] = read_side(options, path)
            continue
        columns = _columns(options, path)
        if not columns:
            raise ValueError(f"{path} holds no column of labels")
        several = len(columns) > 1
        sides |= {
            f"{name}::{column}" if several else name: side for column, side in columns.items()
        }
    return dict(zip(sides, ids_as_text(list(sides.values())), strict=True))


def _columns(options: argparse.Namespace, path: str) -> dict[str, Clustering]:
    """Return the columns of a table, but for its index and the ids of items."""
    items = columns_of(options.item) or []
    with doing(f"reading {path}"):
        table = read_table(
            open_source(options, path), wanted=items, items=items, **reading_options(options)
        )
    keys = [table.find(name) for name in items]
    ids = composite_column(table, keys, "item id") if keys else None
    names = [
        name
        for name in table.columns
        if name not in (*keys, *table.index)
        and not (role_of(name) == "item" and table.holds_ids(name))
    ]
    sides: dict[str, Any] = {name: Clustering(table.values(name)) for name in names}
    if ids is None:
        for side in sides.values():
            side.row_ids = table.row_ids(names, len(side))
        return sides
    return {name: side._with_items(ids) for name, side in sides.items()}
