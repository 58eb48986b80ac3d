"""``--memberships``: files that hold a row of memberships for each item."""

from __future__ import annotations

import argparse
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from partwise.cli.drawing import check_nothing_drawn
from partwise.cli.item_rows.features import ids_of, item_places, read_rows_of_features
from partwise.cli.item_rows.number_rows import NumberRows, open_table, rows_of
from partwise.cli.options import (
    columns_of,
    ids_as_text,
    print_in_shape,
    read_side,
    split_names,
    split_source,
)
from partwise.cli.words.sentences import in_words_of
from partwise.labels import Clustering
from partwise.labels.account import counted
from partwise.labels.columns import Column
from partwise.labels.files.read import IdleOptionError, Table, kind_of_file
from partwise.labels.indexes import RowIds, check_row_ids
from partwise.labels.memberships import TOLERANCE, as_memberships
from partwise.labels.notes import Note, warn_of
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.scoring.soft import SoftComparison, compare_memberships

#: Options that are about labels, with the value that says nothing.
_OF_LABELS = {
    "unmatched": "error",
    "missing": "error",
    "duplicates": "error",
    "missing_labels": None,
    "missing_labels_reference": None,
    "missing_labels_candidate": None,
    "flatten": False,
    "bootstrap": None,
}
_WITHOUT_COLUMNS = ("communities", "clu")


def add_memberships_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for soft clusterings."""
    group = parser.add_argument_group("soft clusterings")
    group.add_argument(
        "--memberships",
        action="store_true",
        help="FILE (or FILE::COLUMN,COLUMN) holds a row of memberships for each item, a column "
        "for each cluster; a file of one column, or FILE::COLUMN, holds labels",
    )
    group.add_argument(
        "--rescale",
        action="store_true",
        help="divide each row of memberships by its sum",
    )


class Side(NamedTuple):
    """Rows of memberships or labels of one side, with the ids of the items."""

    path: str
    values: FloatArray | Clustering
    ids: Column | None
    notes: tuple[Note, ...]
    row_ids: tuple[RowIds, ...]


def run(options: argparse.Namespace) -> None:
    """Print the scores of two soft clusterings."""
    _refuse_options_of_labels(options)
    result = _compared(options)
    skipped = {name: in_words_of(why, options.words) for name, why in result.skipped.items()}
    result = replace(result, skipped=skipped)
    warn_of(result.notes)
    print_in_shape(result, options)


def check_rescale(options: argparse.Namespace) -> None:
    """Raise ValueError where ``--rescale`` has no memberships to act on."""
    if options.rescale:
        raise ValueError("--rescale is for --memberships; give both, or leave it out")


def _refuse_options_of_labels(options: argparse.Namespace) -> None:
    for name, nothing in _OF_LABELS.items():
        if getattr(options, name) != nothing:
            raise ValueError(
                f"--{name.replace('_', '-')} is about labels and would do nothing beside "
                "--memberships; leave it out"
            )
    check_nothing_drawn(options)


def _compared(options: argparse.Namespace) -> SoftComparison:
    options.__dict__.setdefault("pipes", {})
    sides = [_read_side(options, x) for x in (options.reference, options.candidate)]
    if all(isinstance(side.values, Clustering) for side in sides):
        raise ValueError(
            "both files hold labels, one column each; leave --memberships out to compare them"
        )
    features = read_rows_of_features(options, *(side.path for side in sides))
    reference, candidate = sides
    notes = [*reference.notes, *candidate.notes]
    second_order, features_order, matching_notes = _orders(reference, candidate, features)
    values: list[Any] = [reference.values, _taken(candidate.values, second_order)]
    rows = None
    if features is not None:
        rows = features.values[features_order]
        notes += features.notes
    first, second = (
        as_memberships(one, side.path) for one, side in zip(values, sides, strict=True)
    )
    return compare_memberships(
        first,
        second,
        measures=split_names(options.measures, soft=True),
        features=rows,
        matched_by="position" if reference.ids is None else "item",
        notes=[*notes, *matching_notes],
    )


# ---- reading -----------------------------------------------------------------------


def _read_side(options: argparse.Namespace, source: str) -> Side:
    path, column = split_source(source)
    names = columns_of(column) or columns_of(options.label) or []
    if kind_of_file(Path(path), "auto") not in _WITHOUT_COLUMNS:
        table = open_table(options, path, names)
        if _holds_rows(options, table, names):
            return _soft_side(options, path, table, names)
    labels = _read_labels(options, source)
    plain = Clustering._of(labels.column, None)
    return Side(path, plain, labels.item_column, labels.notes, labels.row_ids)


def _holds_rows(options: argparse.Namespace, table: Table, names: list[str]) -> bool:
    """Return whether columns hold several numbers for each item: many columns, or lists."""
    keys = [table.find(key) for key in columns_of(options.item) or [] if table.has(key)]
    chosen = [table.find(name) for name in names] or [
        name for name in table.every_name if name not in keys and name not in table.index
    ]
    if len(chosen) != 1:
        return len(chosen) > 1
    column = table.columns[chosen[0]]
    return getattr(column, "ndim", 1) == 2 or "list" in str(getattr(column, "type", ""))


def _read_labels(options: argparse.Namespace, source: str) -> Clustering:
    """Read labels; options that would do nothing for this file are for the other one."""
    own = argparse.Namespace(**vars(options))
    while True:
        try:
            return read_side(own, source)
        except IdleOptionError as error:
            for name in error.names:
                setattr(own, name, None)


def _soft_side(options: argparse.Namespace, path: str, table: Table, names: list[str]) -> Side:
    rows = rows_of(options, table, names, "memberships")
    values, sums = rows.values, rows.values.sum(axis=1)
    negative = np.argwhere(values < 0)
    if len(negative):
        at, place = negative[0].tolist()
        raise ValueError(
            f"{table.path}: the membership {values[at, place]:g} in {table.line_of(at)} is "
            f"below 0 ({len(negative)} such)"
        )
    off = np.flatnonzero(~(np.abs(sums - 1.0) <= TOLERANCE))
    if options.rescale:
        values, rows = _rescaled(rows, sums, off)
    elif len(off):
        at = int(off[0])
        raise ValueError(
            f"{table.path}: the memberships in {table.line_of(at)} add up to "
            f"{float(sums[at])!r}, not to 1 within {TOLERANCE} ({len(off)} such rows); "
            "--rescale divides each row by its sum"
        )
    return Side(path, values, rows.ids, rows.notes, rows.row_ids)


def _rescaled(
    rows: NumberRows, sums: FloatArray, off: IntArray
) -> tuple[FloatArray, NumberRows]:
    """Return rows that add up to 1, and the rows with a note on what was done."""
    empty = np.flatnonzero(sums == 0)
    if len(empty):
        raise ValueError(
            f"{rows.table.path}: the memberships in {rows.table.line_of(int(empty[0]))} are "
            f"all 0, so nothing tells their shares ({len(empty)} such rows)"
        )
    if not len(off):
        note = Note("option-unused", "every row adds up to 1; --rescale changed nothing")
        return rows.values, rows.with_notes(note)
    values = rows.values.copy()
    values[off] /= sums[off, None]
    least, most = sums.min(), sums.max()
    told = f"{counted(len(off), 'row')} divided by the sum, which is {least:.6g} to {most:.6g}"
    return values, rows.with_notes(Note("rows-rescaled", told))


# ---- one order ---------------------------------------------------------------------


def _orders(
    reference: Side, candidate: Side, features: NumberRows | None
) -> tuple[IntArray | slice, IntArray | slice, list[Note]]:
    """Return the places of the candidate's rows and the features in the reference's order."""
    n = len(reference.values)
    with_ids = [side.ids is not None for side in (reference, candidate)]
    if not any(with_ids):
        if len(candidate.values) != n:
            raise ValueError(
                f"{reference.path} holds {n} rows, {candidate.path} {len(candidate.values)}; "
                "without --item the rows of both stand in one order, one for each item"
            )
        if features is not None and len(features.values) != n:
            raise ValueError(
                f"--features {features.table.path} holds {len(features.values)} rows for {n} "
                "items; without --item the rows stand in their order, one for each"
            )
        _check_row_ids(reference, candidate, features)
        return slice(None), slice(None), []
    if not all(with_ids):
        lacking = candidate if with_ids[0] else reference
        raise ValueError(
            f"{lacking.path} has no ids of the items, which the other file has; name the "
            "column of the ids of both (--item COLUMN)"
        )
    named = [(side.path, side.ids) for side in (reference, candidate)]
    if features is not None:
        if features.ids is None:
            raise ValueError(
                f"--features {features.table.path}: the rows are matched by item; name the "
                "column of the ids, which this file needs as well (--item COLUMN)"
            )
        named.append((features.table.path, features.ids))
    ids = ids_as_text([Clustering._of(Column(np.arange(len(x))), x) for _, x in named if x])
    places = [item_places(ids_of(one), path) for one, (path, _) in zip(ids, named, strict=True)]
    items = list(places[0])
    told = [
        note.at(Path(path).name)
        for one, (path, _) in zip(ids, named, strict=True)
        for note in one.notes
    ]
    _same_items(places[0], places[1], reference.path, candidate.path)
    order = np.array([places[1][item] for item in items], dtype=np.int64)
    if features is None:
        return order, slice(None), told
    lacking_items = [item for item in items if item not in places[2]]
    if lacking_items:
        raise ValueError(
            f"--features {features.table.path} has no row for item {lacking_items[0]!r} "
            f"({len(lacking_items)} such items)"
        )
    rows = np.array([places[2][item] for item in items], dtype=np.int64)
    unused = [item for item in places[2] if item not in places[0]]
    further = [note.at(features.name) for note in features.unused(unused)]
    return order, rows, [*told, *further]


def _check_row_ids(reference: Side, candidate: Side, features: NumberRows | None) -> None:
    """Refuse rows by position where ids that were not used say another order."""
    files = [(side.path, side.row_ids) for side in (reference, candidate)]
    if features is not None:
        files.append((f"--features {features.table.path}", features.row_ids))
    for (name, ids), (other, further) in combinations(files, 2):
        check_row_ids(ids, further, names=(name, other))


def _same_items(first: dict[Any, int], second: dict[Any, int], path: str, other: str) -> None:
    for ids, others, here, there in (
        (first, second, path, other),
        (second, first, other, path),
    ):
        lone = [item for item in ids if item not in others]
        if lone:
            raise ValueError(
                f"item {lone[0]!r} of {here} is not in {there} ({len(lone)} such items); "
                "memberships are compared row by row, so both files need the same items"
            )


def _taken(values: FloatArray | Clustering, order: IntArray | slice) -> FloatArray | Clustering:
    """Return the rows of a side in another order."""
    if isinstance(order, slice):
        return values
    if isinstance(values, Clustering):
        return Clustering._of(values.column.take(order), None)
    rows: FloatArray = values[order]
    return rows
