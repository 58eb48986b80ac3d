"""Files that hold a row of numbers for each item, with ids where ``--item`` names them."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from typing import Any

from partwise.cli.options import columns_of, open_source, reading_options
from partwise.labels.account import counted
from partwise.labels.columns import Column
from partwise.labels.files.headers import role_of
from partwise.labels.files.npy import load_arrays
from partwise.labels.files.read import Table, composite_column, read_table
from partwise.labels.files.sources import IdleOptionError, Source, content_of
from partwise.labels.indexes import RowIds
from partwise.labels.notes import Note
from partwise.numbers.arrays import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class NumberRows:
    """The rows of a file.

    Attributes
    ----------
    table : Table
        The file.
    values : ndarray of float64, shape (n, d)
    ids : Column or None
        Ids of the items, where ``--item`` names their column.
    notes : tuple of Note
        Which columns were read, and how.
    row_ids : tuple of RowIds
        What is kept of columns of ids that were not read, where the rows stand in order.
    """

    table: Table
    values: FloatArray
    ids: Column | None
    notes: tuple[Note, ...]
    row_ids: tuple[RowIds, ...] = ()

    def with_notes(self, *notes: Note) -> NumberRows:
        """Return the same with further notes, which say the file's name."""
        return replace(self, notes=(*self.notes, *(note.at(self.name) for note in notes)))

    def unused(self, items: list[Any]) -> list[Note]:
        """Return the note on rows of items that neither side has, none where there are none."""
        if not items:
            return []
        told = f"{counted(len(items), 'row')} of items on neither side not used"
        return [Note("rows-unused", f"{told}, the first of {items[0]!r}")]

    @property
    def name(self) -> str:
        """The file's name without its folder."""
        return self.table.path.rpartition("/")[2]


def open_table(options: argparse.Namespace, path: str, columns: list[str]) -> Table:
    """Read a file of numbers, whose format its content and its ending tell.

    Options for reading that would do nothing for this file are for the others.
    """
    source = open_source(options, path)
    _refuse_solids(source)
    reading = reading_options(options) | {"format": "auto", "flatten": False}
    items = columns_of(options.item) or []
    while True:
        try:
            return read_table(
                source,
                wanted=[*items, *columns],
                items=items,
                only_wanted=bool(columns),
                **reading,
            )
        except IdleOptionError as error:
            reading |= dict.fromkeys(error.names)


def _refuse_solids(source: Source) -> None:
    """Refuse an array of other dimensions than rows of numbers have."""
    if content_of(source)[0] != "npy":
        return
    for array in load_arrays(source.path, source).values():
        if array.ndim not in (1, 2):
            raise ValueError(
                f"{source.path}: an array of shape {array.shape}; numbers of items have two "
                "dimensions, a row for each item"
            )


def rows_of(
    options: argparse.Namespace, table: Table, columns: list[str], what: str
) -> NumberRows:
    """Return the numbers of some columns, of all but the item columns where none is named.

    Raises
    ------
    ValueError
        A column holds something else than numbers, or ids or labels by its name.
    """
    keys = [table.find(name) for name in _item_columns(options, table)]
    names = [table.find(name) for name in columns]
    again = next((name for j, name in enumerate(names) if name in names[:j]), None)
    if again is not None:
        raise ValueError(f"{table.path}: column {again!r} is named twice; name it once")
    notes = list(table.notes)
    if not names:
        notes += table.index_told(keys)
        names = [x for x in table.every_name if x not in keys and x not in table.index]
        _refuse_roles(options, table, names, what)
    if not names:
        raise ValueError(f"{table.path}: no column is left to read {what} from")
    values = _numbers(table, names, named=bool(columns))
    ids = composite_column(table, keys, "item id") if keys else None
    shown = f"column {names[0]} was" if len(names) == 1 else f"columns {_listed(names)} were"
    notes.append(Note("numbers-read", f"{shown} read as {what}"))
    beside = () if keys else table.row_ids(names, len(values))
    rows = NumberRows(table, values, ids, (), beside)
    return rows.with_notes(*notes)


def _numbers(table: Table, names: list[str], *, named: bool) -> FloatArray:
    try:
        return table.numbers(names)
    except ValueError as error:
        if named or len(table.every_name) == 1:
            raise
        raise ValueError(
            f"{error}; FILE::COLUMN[,COLUMN] says which columns to read"
        ) from error


def _item_columns(options: argparse.Namespace, table: Table) -> list[str]:
    keys = columns_of(options.item) or []
    lacking = [key for key in keys if not table.has(key)]
    if lacking:
        raise ValueError(
            f"{table.path}: no column {lacking[0]!r}; with --item every file has the column of "
            "the ids, so that its rows can be matched"
        )
    return keys


def _refuse_roles(
    options: argparse.Namespace, table: Table, names: list[str], what: str
) -> None:
    """Refuse columns whose names say that they hold no numbers of items."""
    for name in names:
        role = role_of(name)
        if role is None:
            continue
        held = {"item": "ids", "document": "documents", "label": "labels"}[role]
        align = ", or align by it with --item" if role == "item" and not options.item else ""
        raise ValueError(
            f"{table.path}: column {name!r} holds {held} by its name; name the columns of the "
            f"{what}, FILE::COLUMN[,COLUMN]{align}"
        )


def _listed(names: list[Any]) -> str:
    if len(names) > 8:
        return f"{', '.join(names[:6])}, ... ({len(names)} in all)"
    return ", ".join(names)
