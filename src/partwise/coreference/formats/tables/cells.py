"""Cells of a table of mentions: none may be missing, and 1.0 is the whole number 1."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.coreference.formats.files import Notes
from partwise.labels.columns import Column
from partwise.labels.files.cells import distinct_cells, text_cells
from partwise.labels.files.read import Table
from partwise.labels.forms import read_column
from partwise.labels.suspicions import MISSING_WORDS
from partwise.numbers.arrays import IntArray

_WHOLE = re.compile(r"(-?[0-9]+)\.0+")
_WAYS_OUT = {
    "entity": "give each mention one, an entity of its own where it has none, or leave the row "
    "out",
    "mention": "give the mention an id or positions, or leave the row out",
    "document": "name the document in each row",
}


def filled(table: Table, name: str, role: str, notes: Notes) -> Column:
    """Return a column of which every row needs a value.

    Raises
    ------
    ValueError
        A cell is empty, or a word that means a missing value; with file, line and column.
    """
    if table.lines is None:
        column = read_column(table.columns[name], table.path)
        if column.missing is not None and column.missing.any():
            raise _missing(table, int(np.flatnonzero(column.missing)[0]), name, role, "")
        labels = column.categories
        if labels is None or labels.dtype.kind != "f":
            return column
        return Column(column.codes, as_whole_numbers(labels, notes))
    cells = table.cells(name)
    distinct = distinct_cells(cells)
    if wrong := MISSING_WORDS & distinct:
        listed = text_cells(cells)
        row = min(listed.index(word) for word in wrong)
        raise _missing(table, row, name, role, listed[row])
    written = {cell: match[1] for cell in distinct if (match := _WHOLE.fullmatch(cell))}
    if distinct and len(written) == len(distinct):
        _tell_whole_numbers(notes)
        return read_column([written[cell] for cell in text_cells(cells)], table.path)
    return read_column(text_cells(cells), table.path)


def codes_of(table: Table, name: str) -> IntArray:
    """Return numbers that are equal where the cells of a column are."""
    if table.lines is None:
        return read_column(table.columns[name], table.path).codes
    return read_column(text_cells(table.cells(name)), table.path).codes


def place_of(table: Table, row: int) -> str:
    """Return file and line of a row; where a file has no lines its number from 1."""
    if table.lines is None:
        return f"{table.path}: row {row + 1}"
    return f"{table.path}:{table.lines[row]}"


def _missing(table: Table, row: int, name: str, role: str, cell: str) -> ValueError:
    meant = f" ({cell!r} means a missing value)" if cell else ""
    way_out = _WAYS_OUT.get(role, "fill it in")
    return ValueError(
        f"{place_of(table, row)}: empty {role} in column {name!r}{meant}; {way_out}"
    )


def as_whole_numbers(values: NDArray[Any], notes: Notes) -> NDArray[Any]:
    """Return floats that all are whole numbers as integers, other values as they are."""
    if values.dtype.kind != "f" or not len(values):
        return values
    if not (np.isfinite(values).all() and (values == np.trunc(values)).all()):
        return values
    if float(np.abs(values).max()) >= 2.0**53:
        return values
    _tell_whole_numbers(notes)
    return values.astype(np.int64)


def _tell_whole_numbers(notes: Notes) -> None:
    notes.tell("whole-numbers", "numbers such as 1.0 were read as whole numbers")
