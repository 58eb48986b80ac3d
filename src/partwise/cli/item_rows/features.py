"""``--features``: a row of numbers for each item, for the measures that look at them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from partwise.cli.item_rows.number_rows import NumberRows, open_table, rows_of
from partwise.cli.options import columns_of, ids_as_text, split_source
from partwise.labels import Clustering
from partwise.labels.columns import Column
from partwise.labels.indexes import check_row_ids


def add_features_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for a file of features."""
    group = parser.add_argument_group("numbers of the items")
    group.add_argument(
        "--features",
        metavar="FILE[::COLUMN,COLUMN]",
        help="a row of numbers for each item, for measures of centroids, css_distance and "
        "s_mse; rows stand in the order of the items, or have the columns that --item names; "
        "its format is seen from the file",
    )


def read_features(
    options: argparse.Namespace, sides: list[Clustering], *files: str
) -> tuple[list[Clustering], dict[str, Any]]:
    """Return the sides, and ``features=`` for them where ``--features`` is there.

    The sides' ids are made text where those of the features are; the first side gets the notes.

    Parameters
    ----------
    options : argparse.Namespace
    sides : list of Clustering
        The reference first.
    *files : str
        The files that the sides were read from.
    """
    rows = read_rows_of_features(options, *files)
    if rows is None:
        return sides, {}
    if rows.ids is None:
        _check_order(rows, sides)
        features: Any = rows.values
    else:
        sides, features, rows = _by_item(rows, sides)
    sides[0]._with_notes([*sides[0].notes, *rows.notes])
    return sides, {"features": features}


def read_rows_of_features(options: argparse.Namespace, *files: str) -> NumberRows | None:
    """Return the rows of ``--features``, None without it; ``files`` are those of the sides."""
    if options.features is None:
        return None
    path, columns = split_source(options.features)
    names = columns_of(columns) or []
    if not names and any(_same_file(path, file) for file in files):
        raise ValueError(
            f"--features {path} is the file of the clusterings; say which of its columns hold "
            f"the features: {path}::COLUMN[,COLUMN]"
        )
    return rows_of(options, open_table(options, path, names), names, "features")


def feature_columns(options: argparse.Namespace, file: str) -> list[str]:
    """Return the columns of a file that ``--features`` names."""
    if options.features is None:
        return []
    path, columns = split_source(options.features)
    return (columns_of(columns) or []) if _same_file(path, file) else []


def _same_file(first: str, second: str) -> bool:
    if first == second:
        return True
    there = Path(first).exists() and Path(second).exists()
    return there and Path(first).samefile(second)


def _check_order(rows: NumberRows, sides: list[Clustering]) -> None:
    """Refuse rows that cannot stand in the order of the items."""
    path, n = rows.table.path, len(rows.values)
    if any(side.item_column is not None for side in sides):
        raise ValueError(
            f"--features {path}: the labels are matched by item; name the column of the ids, "
            "which this file needs as well (--item COLUMN)"
        )
    if n != len(sides[0]):
        raise ValueError(
            f"--features {path} holds {n} rows for the {len(sides[0])} labels of the "
            "reference; without --item the rows stand in their order, one for each"
        )
    for side, name in zip(sides, ("the reference", "the candidate"), strict=False):
        check_row_ids(side.row_ids, rows.row_ids, names=(name, f"--features {path}"))


def _by_item(
    rows: NumberRows, sides: list[Clustering]
) -> tuple[list[Clustering], dict[Any, Any], NumberRows]:
    """Return the rows by the ids of the items; those of items on no side are told."""
    as_side = Clustering._of(Column(np.arange(len(rows.values))), rows.ids)
    *sides, as_side = ids_as_text([*sides, as_side])
    places = item_places(ids_of(as_side), f"--features {rows.table.path}")
    by_item = {item: rows.values[at] for item, at in places.items()}
    known = {item for side in sides if side.item_column is not None for item in ids_of(side)}
    unused = [item for item in by_item if item not in known]
    if len(unused) == len(by_item):
        raise ValueError(
            f"--features {rows.table.path}: no row is of an item that is compared; the first "
            f"is of {unused[0]!r}"
        )
    for item in unused:
        del by_item[item]
    return sides, by_item, rows.with_notes(*as_side.notes, *rows.unused(unused))


def item_places(ids: list[Any], where: str) -> dict[Any, int]:
    """Return the row of each item; an item that comes again is an error."""
    places: dict[Any, int] = {}
    for at, item in enumerate(ids):
        if places.setdefault(item, at) != at:
            raise ValueError(
                f"{where}: item {item!r} comes again in row {at + 1} below row "
                f"{places[item] + 1} (without the header); one row for each item is expected"
            )
    return places


def ids_of(side: Clustering) -> list[Any]:
    """Return the ids of a side that has some."""
    assert side.item_column is not None
    ids: list[Any] = side.item_column.decode().tolist()
    return ids
