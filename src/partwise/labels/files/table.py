"""Columns of a file by name or number, and labels of several columns together."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from partwise.labels.columns import Column
from partwise.labels.files.cells import (
    ArrowCells,
    DictionaryCells,
    as_numbers,
    distinct_cells,
    missing_words,
    number_rows,
    text_cells,
    typed_cells,
    without_blanks,
)
from partwise.labels.files.headers import is_unnamed, role_of
from partwise.labels.forms import read_column
from partwise.labels.indexes import RowIds, row_ids
from partwise.labels.items.ids import composite
from partwise.labels.notes import Note
from partwise.labels.suspicions import MISSING_WORDS
from partwise.numbers.arrays import FloatArray

_SHOWN = 12
#: Columns of ids that are kept of a file at most.
IDS_KEPT = 2


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of a file by name (``"1"``, ``"2"``, ... where the file has no header).

    Attributes
    ----------
    path : str
    columns : dict of str to column
        Lists of text cells, or arrays and frame columns as the file holds them. A name that
        comes again stands as "name (column 3)".
    lines : sequence of int or None
        Line of each row in a text file, whose labels still have to be read as numbers.
    notes : list of Note
        What was taken for a header or skipped as a comment.
    names : list of str
        Every column of the file in order, read or not; empty: the columns are all.
    index : set of str
        Columns that a frame wrote as its index: ids, not labels.
    quoted_blanks : bool
        Whether quoted cells begin or end with blanks.
    ids_only : dict of str to column
        A column that was read only to see whether two files have their rows in one order.
    """

    path: str
    columns: dict[str, Any]
    lines: Sequence[int] | None = None
    notes: list[Note] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    index: frozenset[str] = frozenset()
    quoted_blanks: bool = False
    ids_only: dict[str, Any] = field(default_factory=dict)

    @property
    def every_name(self) -> list[str]:
        """The names of all columns of the file, in order."""
        return self.names or list(self.columns)

    def find(self, name: str | int) -> str:
        """Return the name of a column given by name or by number from 1."""
        name = str(name)
        names = self.every_name
        number = int(name) if re.fullmatch("[0-9]+", name) else 0
        if name in self.columns:
            if 1 <= number <= len(names) and names[number - 1] != name:
                text = f"{name} was taken as the name of a column, not as its number"
                self._tell(Note("name-over-number", text))
            return name
        again = [
            other
            for other in names
            if re.fullmatch(re.escape(name) + r" \(column \d+\)", other)
        ]
        if again:
            numbers = ", ".join(str(names.index(other) + 1) for other in again)
            raise ValueError(
                f"{self.path}: several columns are named {name!r}; give the number of the one "
                f"you mean: {numbers}"
            )
        if 1 <= number <= len(names):
            return names[number - 1]
        # a text without a line has one column by number, as labels that begin below would
        if not names or (names == ["1"] and self.lines is not None and not len(self.lines)):
            raise ValueError(
                f"{self.path}: the file holds no labels; it has no row and no column {name!r}"
            )
        raise ValueError(
            f"{self.path}: no column {name!r}; the columns are: {abbreviated(names)}"
        )

    def has(self, name: str) -> bool:
        """Return whether there is a column of this name or number."""
        number = int(name) if re.fullmatch("[0-9]+", name) else 0
        return name in self.every_name or 1 <= number <= len(self.every_name)

    def values(self, name: str | int) -> Any:
        """Return a column of labels; cells are numbers or text, see ``typed_cells``."""
        name = self.find(name)
        if self.lines is None:
            return self.columns[name]
        cells = self.cells(name)
        if isinstance(cells, ArrowCells):
            numbers = cells.whole_numbers()
            if numbers is not None:
                return numbers
        for note in missing_words(cells, f"column {name}"):
            self._tell(note)
        if isinstance(cells, DictionaryCells):
            return cells.labels(typed_cells(cells.distinct), self.path)
        return typed_cells(cells)

    def number_values(self, name: str | int) -> Any:
        """Return a column of numbers in whatever form they are written, 0.50 as 0.5.

        NaN where one is missing; what is no column of numbers comes as ``values`` has it.
        """
        values = self.values(name)
        if isinstance(values, Column) and values.kind == "text":
            values = values.decode().tolist()
        return as_numbers(values)

    def cells(self, name: str) -> list[str] | DictionaryCells:
        """Return the cells of a column of text, without blanks beside them."""
        cells, pair = without_blanks(self.columns[name])
        if pair is not None:
            one, other = pair
            if self.quoted_blanks:
                raise ValueError(
                    f"{self.path}: column {name!r} holds {one!r} and {other!r}, which differ "
                    "by blanks beside them only, and quotes that may keep the blanks; take "
                    "the blanks or the quotes out of the file"
                )
            text = f"{one!r} and {other!r} differ by blanks beside them only and were made one"
            self._tell(Note("blanks-stripped", text, f"column {name}"))
        return cells

    def numbers(self, names: Sequence[str]) -> FloatArray:
        """Return columns of numbers as an array of shape (rows, numbers); lists are rows of it.

        Raises
        ------
        ValueError
            A cell is empty or no finite number; file, line (or row) and column are named.
        """
        columns = []
        for name in map(self.find, names):
            column = self.columns[name]
            where = f"{self.path}: column {name!r}"
            columns.append(number_rows(column, where, self.line_of))
        lengths = {len(rows) for rows in columns}
        if len(lengths) > 1:
            raise ValueError(f"{self.path}: the columns have different lengths, {lengths}")
        return np.ascontiguousarray(np.concatenate(columns, axis=1))

    def line_of(self, row: int) -> str:
        """Return where a row stands: its line in a text, or its number from 1."""
        return f"row {row + 1}" if self.lines is None else f"line {self.lines[row]}"

    def row_ids(self, labels: Sequence[str], n: int) -> tuple[RowIds, ...]:
        """Return what is kept of columns of n ids that were not used, of two at most."""
        names = self.every_name
        kept: list[RowIds] = []
        for place in id_places(names, self.index):
            name = names[place]
            column = None if name in labels else self._ids_of(name)
            if column is None or len(column) != n or len(kept) == IDS_KEPT:
                continue
            ids = row_ids(column, *told_of_ids(names, self.index, place))
            kept += [] if ids is None else [ids]
        return tuple(kept)

    def holds_ids(self, name: str) -> bool:
        """Return whether every value of a column is there, and once (by a sample of many)."""
        column = self._ids_of(name)
        return column is not None and row_ids(column, name, 0, 0) is not None

    def _ids_of(self, name: str) -> Any:
        """Return a column that may hold ids, None where a cell comes again or is of no kind."""
        cells: Any = self.ids_only.get(name, self.columns.get(name))
        if isinstance(cells, DictionaryCells):
            cells = cells.distinct if len(cells.distinct) == len(cells.codes) else None
        if isinstance(cells, list) and self.lines is not None:
            cells = typed_cells(cells) if len(set(cells)) == len(cells) else None
        return column_of_ids(cells, self.path)

    def index_told(self, used: Sequence[str]) -> list[Note]:
        """Return notes on the indexes of frames that were not taken for labels."""
        if any(note.code == "row-names" for note in self.notes):
            return []  # which says the same of column 1
        return [
            Note("index-column", f"column {place} is the index of a frame, and not labels")
            for place, name in enumerate(self.every_name, 1)
            if name in self.index and name not in used
        ]

    def _tell(self, note: Note) -> None:
        if note not in self.notes:
            self.notes.append(note)

    def unused(self, labels: Sequence[str], items: Sequence[str]) -> list[Note]:
        """Return notes on columns that were not used though their names say what they hold."""
        notes = []
        used = {*labels, *items}
        for name in self.every_name:
            role = role_of(name)
            alone = role == "item" and not items and len(used) < len(self.every_name)
            if name in used or not (alone or (role == "document" and items)):
                continue
            text = f"column {name!r} was not used; items were matched by "
            text += f"column {', '.join(items)}" if items else "position"
            text += "; name it as an item column if it tells them apart"
            notes.append(Note("unused-column", text))
        return notes


def table_of(path: str, names: list[str], columns: dict[int, Any], **further: Any) -> Table:
    """Return a table from names in order and columns by place; a name may come again."""
    keys = (
        [
            f"{name} (column {place + 1})" if names.count(name) > 1 else name
            for place, name in enumerate(names)
        ]
        if len(set(names)) < len(names)
        else names
    )
    index = {key for key, name in zip(keys, names, strict=True) if is_unnamed(name)}
    return Table(
        path,
        {keys[place]: column for place, column in columns.items()},
        names=keys,
        index=frozenset(index),
        **further,
    )


def id_places(names: Sequence[str], index: Collection[str]) -> list[int]:
    """Return where ids may stand: under a name for them, an index, else the first column."""
    places = [place for place, name in enumerate(names) if role_of(name) == "item"]
    places += [place for place, name in enumerate(names) if name in index or is_unnamed(name)]
    return [*dict.fromkeys([*places, 0])] if len(names) > 1 else []


def told_of_ids(
    names: Sequence[str], index: Collection[str], place: int
) -> tuple[str, int, int]:
    """Return name, number and rank of a column of ids, as ``RowIds`` has them."""
    name = names[place]
    own = "" if is_unnamed(name) or name == str(place + 1) else name
    rank = 0 if role_of(name) == "item" else 1 if name in index else 2
    return own, place + 1, rank


def column_of_ids(cells: Any, path: str) -> Any:
    """Return cells as ``row_ids`` takes them, None where labels could not be in them."""
    if str(getattr(cells, "type", "")) in ("string", "large_string"):
        text = cells.cast("large_string")
        return text.combine_chunks() if hasattr(text, "combine_chunks") else text
    try:
        return None if cells is None else read_column(cells, path)
    except (TypeError, ValueError):
        return None


def abbreviated(names: Sequence[str]) -> str:
    """Return names with commas between, the first of them where there are many."""
    if len(names) <= _SHOWN:
        return ", ".join(names)
    return f"{', '.join(names[: _SHOWN - 2])}, ... ({len(names)} columns)"


def composite_column(table: Table, names: Sequence[str], what: str) -> Column:
    """Return several columns as one; each must have a value in every row."""
    names = [table.find(name) for name in names]
    if table.lines is None:
        return composite([table.columns[name] for name in names], table.path)
    columns: list[Any] = []
    absent = MISSING_WORDS if what == "label" else frozenset({""})
    for name in names:
        cells = table.cells(name)
        if isinstance(cells, ArrowCells) and what == "item id" and not cells.some_empty:
            columns.append(cells.array)
            continue
        column = text_cells(cells)
        wrong = absent & distinct_cells(cells)
        if wrong:
            place = min(column.index(word) for word in wrong)
            cell = column[place]
            raise ValueError(
                f"{table.path}:{table.lines[place]}: empty {what} in column {name!r}"
                + (f" ({cell})" if cell else "")
            )
        columns.append(column)
    return composite(columns, table.path)


def no_labels(path: str | Path) -> ValueError:
    """Return the error for a file without content."""
    return ValueError(f"{path}: the file holds no labels; a comparison of nothing has no score")


def only_column(table: Table, taken: Sequence[str]) -> str:
    """Return the one column that may hold the labels."""
    if not table.every_name:
        raise no_labels(table.path)
    names = [name for name in table.every_name if name not in taken]
    left = [name for name in names if name not in table.index]
    if not left and not taken:
        left = names
    if len(left) != 1:
        raise ValueError(
            f"{table.path} has {len(table.every_name)} columns "
            f"({abbreviated(table.every_name)}); say which one holds the labels"
        )
    return left[0]
