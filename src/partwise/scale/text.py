"""Columns of text files in pieces, read as the whole file would be.

The reader of text tables decides by the top of a file how it is to be read. So every piece is
put behind that same top, whose rows are then left out. What the labels are (whole numbers,
numbers or text) depends on all cells: a first pass looks at them, a second reads the labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from partwise.labels import Clustering
from partwise.labels.files.cells import DictionaryCells, missing_words, typed_cells
from partwise.labels.files.compressed import opened
from partwise.labels.files.read import kind_of_file, read_table
from partwise.labels.files.sources import WIDE_MARKS, Source
from partwise.labels.files.table import Table, only_column
from partwise.labels.forms import read_column
from partwise.labels.notes import Note
from partwise.scale.pieces import Pieces

#: Bytes at the top of a file by which the reader goes.
_TOP = 1 << 17
#: Bytes of a piece, as many for each item that it may hold.
_LEAST_PIECE, _ITEM_BYTES = 1 << 22, 32


class Top(NamedTuple):
    """The beginning of a text file, and how it is read."""

    path: Path
    content: bytes
    n_rows: int
    column: str
    options: dict[str, Any]
    notes: list[Note]


def text_pieces(path: Path, column: Any, reading: Mapping[str, Any]) -> Pieces:
    """Return a column of a text table, or of one label a line, as pieces.

    Parameters
    ----------
    path : Path
    column : str, int or None
    reading : mapping
        ``header``, ``delimiter`` and ``comment``, as ``read`` takes them.

    Raises
    ------
    ValueError
        As ``read``, with the line of the file; text of 16 bits; another kind of text.
    """
    top = _top_of(path, column, reading)
    distinct: set[str] = set()
    n_items = 0
    for cells in _cells(top, _LEAST_PIECE):
        distinct.update(cells.distinct)
        n_items += len(cells.codes)
    if n_items == 0:
        raise ValueError(
            f"{path}: the file holds no labels; a comparison of nothing has no score"
        )
    every = sorted(distinct)
    labels = read_column(typed_cells(every), str(path))
    place = {cell: i for i, cell in enumerate(every)}
    notes = [*top.notes, *missing_words(every, f"column {top.column}")]
    notes = [note.at(path.name) for note in notes]

    def read(most: int) -> Iterator[Any]:
        for cells in _cells(top, max(_LEAST_PIECE, most * _ITEM_BYTES)):
            places = np.array([place[cell] for cell in cells.distinct], dtype=np.int64)
            codes = places[cells.codes]
            for start in range(0, len(codes), most):
                part = labels.take(codes[start : start + most])
                yield Clustering._of(part, None)._with_notes(notes)

    return Pieces(str(path), read, n_items)


def _top_of(path: Path, column: Any, reading: Mapping[str, Any]) -> Top:
    """Read the first lines of a file as ``read`` does."""
    kind = kind_of_file(path, "auto")
    with opened(path) as file:
        content = _to_line_end(file, file.read(_TOP))
    if any(content.startswith(mark) for mark, _ in WIDE_MARKS):
        raise ValueError(
            f"{path}: text of 16 or 32 bits is not read in blocks; convert it to UTF-8, for "
            "instance with iconv -t UTF-8"
        )
    if kind not in ("auto", "csv", "tsv") or content.lstrip()[:1] in (b"{", b"["):
        raise ValueError(
            f"{path}: of text, tables and one label a line are read in blocks, not "
            f"{'JSON' if kind == 'auto' else kind}"
        )
    options = dict(reading)
    wanted = [] if column is None else [str(column)]
    table = read_table(Source(path, content), wanted=wanted, **options)
    name = only_column(table, []) if column is None else table.find(str(column))
    if options.get("header") is None:
        numbers = [str(i + 1) for i in range(len(table.every_name))]
        options["header"] = table.every_name != numbers
    n_rows = len(next(iter(table.columns.values())))
    return Top(path, content, n_rows, name, options, list(table.notes))


def _to_line_end(file: BinaryIO, data: bytes) -> bytes:
    """Return bytes with what follows, to the end of a row that is not empty."""
    if not data:
        return data
    parts = [data, file.readline()]
    quotes = sum(part.count(b'"') for part in parts)
    while quotes % 2 or not parts[-1].strip():  # inside a quoted cell, or in a gap
        line = file.readline()
        if not line:
            break
        parts.append(line)
        quotes += line.count(b'"')
    return b"".join(parts)


def _cells(top: Top, size: int) -> Iterator[DictionaryCells]:
    """Yield the cells of the column, piece by piece."""
    yield _of_column(top, _table(top, b"", 0), 0)
    lines = top.content.count(b"\n")
    with opened(top.path) as file:
        file.read(len(top.content))
        while piece := _to_line_end(file, file.read(size)):
            if not piece.strip():
                break  # an empty tail is nothing
            yield _of_column(top, _table(top, piece, lines), top.n_rows)
            lines += piece.count(b"\n")


def _table(top: Top, piece: bytes, lines: int) -> Table:
    """Read a piece behind the top; errors name the line of the file."""
    try:
        return read_table(
            Source(top.path, top.content + piece), wanted=[top.column], **top.options
        )
    except ValueError as error:
        moved = lines - top.content.count(b"\n") if piece else 0
        where = re.compile(rf"(?<={re.escape(str(top.path))}:)[0-9]+")
        text = where.sub(lambda match: str(int(match[0]) + moved), str(error))
        raise ValueError(text) from error


def _of_column(top: Top, table: Table, start: int) -> DictionaryCells:
    """Return the cells of the column from a row on."""
    cells = table.cells(table.find(top.column))
    if isinstance(cells, DictionaryCells):
        return DictionaryCells(cells.codes[start:], cells.distinct)
    number: dict[str, int] = {}
    codes = [number.setdefault(cell, len(number)) for cell in cells[start:]]
    return DictionaryCells(np.array(codes, dtype=np.int64), list(number))
