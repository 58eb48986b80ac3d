"""Columns of text files in pieces, read as the whole file would be.

The reader of text tables decides by the top of a file how it is to be read. So every piece is
put behind that same top, whose rows are then left out. What the labels are (whole numbers,
numbers or text) depends on all cells: a first pass looks at them, a second reads the labels.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from partwise import _kernels
from partwise.labels import Clustering
from partwise.labels.columns import Column
from partwise.labels.files.cells import DictionaryCells, missing_words, typed_cells
from partwise.labels.files.compressed import opened
from partwise.labels.files.read import kind_of_file, read_table
from partwise.labels.files.sources import WIDE_MARKS, Source, kind_of
from partwise.labels.files.table import Table, no_labels, only_column
from partwise.labels.forms import read_column
from partwise.labels.indexes import RowIds
from partwise.labels.notes import Note
from partwise.scale.pieces import Pieces
from partwise.scale.row_order import TextIds

#: Bytes at the top of a file by which the reader goes.
_TOP = 1 << 17
#: Bytes of a piece, as many for each item that it may hold.
_LEAST_PIECE, _ITEM_BYTES = 1 << 22, 32
_BLANKS = " \t"


@dataclass(frozen=True, slots=True)
class Top:
    """The beginning of a text file, and how it is read.

    Attributes
    ----------
    path : Path
    content : bytes
    n_rows : int
    columns : list of str
        The column of the labels and, behind it, those of the item.
    options : dict
        ``header``, ``delimiter`` and ``comment``.
    table : Table
        Its rows as a table.
    """

    path: Path
    content: bytes
    n_rows: int
    columns: list[str]
    options: dict[str, Any]
    table: Table


class Piece(NamedTuple):
    """Rows of a text file: cells of its columns as they stand, and what errors need.

    ``every_column`` has those that are not read, too, and rows before ``start``.
    """

    columns: list[DictionaryCells]
    quoted_blanks: bool
    line_of: Callable[[int], int]
    every_column: dict[str, Any]
    start: int


@dataclass(frozen=True, slots=True)
class TextColumns:
    """A column of labels, and perhaps those of an item, of a text file that was looked through.

    Attributes
    ----------
    top : Top
    n_rows : int
    labels : Column
        The distinct labels: what they are depends on all cells.
    code_of : dict of str to int
        Where the label of a cell stands among these.
    notes : list of Note
        Those on the file and on its labels.
    row_ids : tuple of RowIds
        What is kept of columns of ids that were not read, where they were looked at.
    """

    top: Top
    n_rows: int
    labels: Column
    code_of: dict[str, int]
    notes: list[Note]
    row_ids: tuple[RowIds, ...] = ()

    def place_of(self, row: int) -> str:
        """Return the line of a row, for which the file is read again."""
        left = row
        for piece in _pieces(self.top, _LEAST_PIECE):
            if left < len(piece.columns[0].codes):
                return f"line {piece.line_of(left)} of {self.top.path}"
            left -= len(piece.columns[0].codes)
        return f"row {row + 1} of {self.top.path}"

    def pieces(self, size: int) -> Iterator[tuple[Column, list[DictionaryCells]]]:
        """Yield labels and cells of the item, from about so many bytes at a time."""
        for piece in _pieces(self.top, size):
            cells, *ids = piece.columns
            code_of = self.code_of
            codes = [code_of[cell.strip(_BLANKS)] for cell in cells.distinct]
            yield self.labels.take(np.array(codes, dtype=np.int64)[cells.codes]), ids


def text_pieces(
    path: Path, column: Any, reading: Mapping[str, Any], *, with_ids: bool = False
) -> Pieces:
    """Return a column of a text table, or of one label a line, as pieces.

    Parameters
    ----------
    path : Path
    column : str, int or None
    reading : mapping
        ``header``, ``delimiter`` and ``comment``, as ``read`` takes them.
    with_ids : bool
        Whether columns of ids beside it are looked at, too.

    Raises
    ------
    ValueError
        As ``read``, with the line of the file; text of 16 bits; another kind of text.
    """
    text = text_columns(path, column, (), reading, with_ids=with_ids)
    notes = [note.at(path.name) for note in text.notes]

    def read(most: int) -> Iterator[Any]:
        for labels, _ in text.pieces(max(_LEAST_PIECE, most * _ITEM_BYTES)):
            for start in range(0, len(labels), most):
                part = labels.take(np.arange(start, min(start + most, len(labels))))
                yield Clustering._of(part, None)._with_notes(notes)

    return Pieces(str(path), read, text.n_rows, text.place_of, lambda: text.row_ids)


def text_columns(
    path: Path,
    label: Any,
    items: Sequence[str],
    reading: Mapping[str, Any],
    *,
    with_ids: bool = False,
) -> TextColumns:
    """Look through a text file for its labels; ids are checked as ``read`` does.

    Parameters
    ----------
    path : Path
    label : str, int or None
        Column of the labels; None: the only one left.
    items : sequence of str
        Columns of the item, by name or number.
    reading : mapping
        ``header``, ``delimiter`` and ``comment``, as ``read`` takes them.
    with_ids : bool
        Whether columns of ids that are not read are looked at, too.

    Raises
    ------
    ValueError
        As ``read``.
    NotInPiecesError
        Text of 16 bits, or of another kind; ids with blanks beside them, as whether two differ
        by these only takes all of them.
    """
    top = _top_of(path, label, items, reading)
    name = top.columns[0]
    distinct: dict[str, None] = {}
    n_rows, quoted_blanks = 0, False
    beside = TextIds(top.table.every_name, top.table.index, name)
    for piece in _pieces(top, _LEAST_PIECE):
        cells, *ids = piece.columns
        distinct.update(dict.fromkeys(cells.distinct))
        n_rows += len(cells.codes)
        quoted_blanks |= piece.quoted_blanks
        for column, own in zip(top.columns[1:], ids, strict=True):
            _check_ids(top, column, own, piece)
        if with_ids:
            beside.add(piece.every_column, piece.start)
    if n_rows == 0:
        raise no_labels(path)
    cells = DictionaryCells(np.zeros(0, dtype=np.int64), list(distinct))
    seen = Table(str(path), {name: cells}, lines=[], quoted_blanks=quoted_blanks)
    told = seen.cells(name)
    assert isinstance(told, DictionaryCells)
    every = sorted(told.distinct)
    notes = [*top.table.notes, *seen.notes, *missing_words(every, f"column {name}")]
    labels = read_column(typed_cells(every), str(path))
    code_of = {cell: i for i, cell in enumerate(every)}
    return TextColumns(top, n_rows, labels, code_of, notes, beside.row_ids())


class NotInPiecesError(ValueError):
    """A text file that is read as a whole only."""


def _check_ids(top: Top, column: str, cells: DictionaryCells, piece: Piece) -> None:
    """Refuse an empty id, as ``composite_column`` does, and blanks beside ids."""
    for code, cell in enumerate(cells.distinct):
        bare = cell.strip(_BLANKS)
        if not bare:
            row = int(np.flatnonzero(cells.codes == code)[0])
            raise ValueError(
                f"{top.path}:{piece.line_of(row)}: empty item id in column {column!r}"
            )
        if bare != cell:
            raise NotInPiecesError(
                f"{top.path}: item ids in column {column!r} have blanks beside them, as in "
                f"{cell!r}"
            )


def _top_of(path: Path, column: Any, items: Sequence[str], reading: Mapping[str, Any]) -> Top:
    """Read the first lines of a file as ``read`` does."""
    content = top_of_text(path)
    options = dict(reading)
    wanted = [*items, *([] if column is None else [str(column)])]
    table = read_table(Source(path, content), wanted=wanted, items=items, **options)
    with path.open("rb") as file:
        packed = kind_of(Source(path), file.read(64)) == "packed"
    if packed:  # the reader was given what the ending does not promise
        notes = [note for note in table.notes if note.code != "kind-by-content"]
        table = replace(table, notes=notes)
    name = "" if column is None else table.find(str(column))
    keys = [table.find(item) for item in items]
    name = name or only_column(table, keys)
    if options.get("header") is None:
        numbers = [str(i + 1) for i in range(len(table.every_name))]
        options["header"] = table.every_name != numbers
    n_rows = len(next(iter(table.columns.values())))
    return Top(path, content, n_rows, [name, *keys], options, table)


def top_of_text(path: Path) -> bytes:
    """Return the first lines of a text file that is read in pieces.

    Raises
    ------
    NotInPiecesError
        It is read as a whole only.
    """
    kind = kind_of_file(path, "auto")
    with opened(path) as file:
        content = _to_line_end(file, file.read(_TOP))
    if any(content.startswith(mark) for mark, _ in WIDE_MARKS):
        raise NotInPiecesError(
            f"{path}: text of 16 or 32 bits is not read in blocks; convert it to UTF-8, for "
            "instance with iconv -t UTF-8"
        )
    if kind not in ("auto", "csv", "tsv") or content.lstrip()[:1] in (b"{", b"["):
        raise NotInPiecesError(
            f"{path}: of text, tables and one label a line are read in blocks, not "
            f"{'JSON' if kind in ('auto', 'json') else kind}; write the labels as a table, or "
            "as parquet"
        )
    return content


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


def _pieces(top: Top, size: int) -> Iterator[Piece]:
    """Yield the rows of the file, piece by piece."""
    yield _piece_of(top, _table(top, b"", 0), 0, 0)
    lines = top.content.count(b"\n")
    with opened(top.path) as file:
        file.read(len(top.content))
        while piece := _to_line_end(file, file.read(size)):
            if not piece.strip():
                break  # an empty tail is nothing
            yield _piece_of(top, _table(top, piece, lines), top.n_rows, lines)
            lines += piece.count(b"\n")


def _table(top: Top, piece: bytes, lines: int) -> Table:
    """Read a piece behind the top; errors name the line of the file."""
    try:
        return read_table(
            Source(top.path, top.content + piece),
            wanted=top.columns,
            items=top.columns[1:],
            **top.options,
        )
    except ValueError as error:
        moved = _lines_between(top, lines)
        where = re.compile(rf"(?<={re.escape(str(top.path))}:)[0-9]+")
        text = where.sub(lambda match: str(int(match[0]) + moved), str(error))
        raise ValueError(text) from error


def _lines_between(top: Top, lines: int) -> int:
    """Return how many lines stand between the top and a piece that so many lines precede."""
    return max(0, lines - top.content.count(b"\n"))


def _piece_of(top: Top, table: Table, start: int, lines: int) -> Piece:
    """Return the cells of the columns from a row on."""
    moved = _lines_between(top, lines)

    def line_of(row: int) -> int:
        assert table.lines is not None
        return int(table.lines[start + row]) + moved

    columns = [_from_row(table.columns[table.find(name)], start) for name in top.columns]
    return Piece(columns, table.quoted_blanks, line_of, table.columns, start)


def _from_row(cells: list[str] | DictionaryCells, start: int) -> DictionaryCells:
    """Return the cells of a column from a row on, none of them that only stands before."""
    if isinstance(cells, DictionaryCells):
        used, codes = _kernels.impl.encode(cells.codes[start:])
        return DictionaryCells(codes, [cells.distinct[code] for code in used.tolist()])
    number: dict[str, int] = {}
    codes = np.array(
        [number.setdefault(cell, len(number)) for cell in cells[start:]], dtype=np.int64
    )
    return DictionaryCells(codes, list(number))
