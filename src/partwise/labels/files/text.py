"""Text files as columns: lines, CSV, TSV; what is skipped is said."""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.labels.files.compressed import opened
from partwise.labels.files.fast_text import DictionaryCells, read_plain_table
from partwise.labels.notes import Note, skipped_comments

_COMMENT = ("#", "%")
_WHOLE_NUMBER = re.compile(r"(0|-?[1-9][0-9]*)\Z")
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?\Z")
_NOT_A_NUMBER = ("nan", "NaN")
_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class TextColumns:
    """Cells of a text file by column name.

    Attributes
    ----------
    columns : dict of str to list of str or DictionaryCells
        Columns are ``"1"``, ``"2"``, ... where the file has no header.
    lines : sequence of int
        Line on which each row begins.
    notes : list of Note
        What was taken for a header or skipped as a comment.
    """

    columns: dict[str, list[str] | DictionaryCells]
    lines: Sequence[int]
    notes: list[Note]


def text_cells(cells: Any) -> list[str]:
    """Return a text column's cells."""
    found: list[str] = cells.cells() if isinstance(cells, DictionaryCells) else cells
    return found


def typed_cells(cells: Sequence[str]) -> NDArray[Any] | list[Any]:
    """Return text cells as integers or floats where every cell is one; "" is missing.

    Names that differ stay different: "01" and "1", or "1.1" and "1.10", are text.
    """
    distinct = set(cells)
    distinct.discard("")
    if distinct and all(map(_WHOLE_NUMBER.match, distinct)):
        number = {cell: int(cell) for cell in distinct}
        if "" not in cells and all(-(2**63) <= x < 2**63 for x in number.values()):
            return np.array([number[cell] for cell in cells], dtype=np.int64)
        return [number.get(cell) for cell in cells]
    value = {cell: float(cell) for cell in distinct if _NUMBER.match(cell)}
    unlike = distinct - value.keys() - set(_NOT_A_NUMBER)
    if not value or unlike or len(set(value.values())) < len(value):
        return [cell or None for cell in cells]
    return np.array([value.get(cell, np.nan) for cell in cells])


def is_number(cell: str) -> bool:
    """Return whether a cell is a number in its usual form."""
    return _NUMBER.match(cell.strip()) is not None


def read_text(path: Path) -> str:
    """Return the text of a file that may be compressed."""
    return decoded(path, read_bytes(path))


def decoded(path: Path, data: bytes) -> str:
    """Return bytes as text, a byte order mark aside."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 text ({error})") from error


def read_bytes(path: Path) -> bytes:
    """Return the content of a file that may be compressed."""
    with opened(path) as file:
        return file.read()


def split_comments(text: str) -> tuple[list[str], str, int]:
    """Return leading comment lines, the rest, and the line where that begins."""
    comments = []
    start, line = 0, 1
    while start < len(text):
        found = _LINE_END.search(text, start)
        end, after = (found.start(), found.end()) if found else (len(text), len(text))
        content = text[start:end]
        if content.strip() and not content.startswith(_COMMENT):
            break
        if content.strip():
            comments.append(content)
        start, line = after, line + 1
    return comments, text[start:], line


def read_columns(
    path: Path,
    *,
    kind: str,
    header: bool | None,
    wanted: Sequence[str],
    only_wanted: bool,
    delimiter: str | None,
) -> TextColumns:
    """Read the columns of a text file; see ``reading.read_table``."""
    if delimiter is not None and len(delimiter) != 1:
        raise ValueError(f"delimiter={delimiter!r} must be one character")
    data = read_bytes(path)
    if (fast := _fast_columns(data, kind, header, wanted, only_wanted, delimiter)) is not None:
        return fast
    comments, text, first = split_comments(decoded(path, data))
    notes = skipped_comments(len(comments))
    delimiter = delimiter or _find_delimiter(path, kind, text)
    parsed = (
        _lines(path, text, first)
        if delimiter is None
        else _fields(path, text, delimiter, first)
    )
    rows: list[list[str]] = []
    lines = array("q")
    for line, row in parsed:
        if rows and len(row) != len(rows[0]):
            raise ValueError(
                f"{path}:{line}: {len(row)} fields where the first row has {len(rows[0])}"
            )
        rows.append(row)
        lines.append(line)
    if not rows:
        return TextColumns({"1": []}, lines, notes)
    names = [str(j + 1) for j in range(len(rows[0]))]
    commented = _commented_header(comments, delimiter, len(names))
    asked = header is not None or any(not re.fullmatch("[0-9]+", x) for x in wanted)
    if header is None:
        header = _has_header(path, rows, wanted, commented)
    if header and not asked:
        notes.append(Note("header-taken", "first row taken as a header"))
    if header:
        names = [_unquoted(name) for name in rows.pop(0)]
        first = lines.pop(0)
        _check_names(path, names, first)
    elif commented is not None:
        names = commented
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in names]
    return TextColumns(dict(zip(names, columns, strict=True)), lines, notes)


def _check_names(path: Path, names: list[str], line: int) -> None:
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{path}:{line}: column name {twice!r} stands twice")


# Below this many bytes the plain reader is as fast.
_WORTH_ARROW = 1 << 20


def _fast_columns(
    data: bytes,
    kind: str,
    header: bool | None,
    wanted: Sequence[str],
    only_wanted: bool,
    delimiter: str | None,
) -> TextColumns | None:
    """Return the columns of a large table that needs no guess, through pyarrow; else None."""
    if len(data) < _WORTH_ARROW or kind == "lines" or b'"' in data:
        return None
    data = data.rstrip(b"\r\n")  # a blank tail is nothing
    if delimiter is not None and not delimiter.isascii():
        return None
    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError:
            return None
    try:
        start = data[:65536].decode("utf-8-sig", errors="ignore")
        comments, text, first = split_comments(start)
        delimiter = delimiter or _find_delimiter(Path(), kind, text)
    except ValueError:
        return None
    end = _LINE_END.search(text)
    if delimiter is None or end is None:
        return None
    row = text[: end.start()].split(delimiter)
    named = any(not re.fullmatch("[0-9]+", name) for name in wanted)
    if comments and delimiter and _commented_header(comments, delimiter, len(row)):
        return None
    if header is None:
        if not named and not any(map(is_number, row)):
            return None
        header = named
    names = [cell.strip() for cell in row] if header else [str(j + 1) for j in range(len(row))]
    chosen = names if not only_wanted else [name for name in names if name in wanted]
    if len(set(names)) < len(names) or (only_wanted and len(chosen) < len(set(wanted))):
        return None
    skip = first - 1 + header
    columns = read_plain_table(
        data, skip_lines=skip, delimiter=delimiter, names=names, wanted=chosen
    )
    if columns is None:
        return None
    notes = skipped_comments(len(comments))
    length = len(next(iter(columns.values())).codes)
    if length + skip != data.count(b"\n") + 1:
        return None  # an empty line inside, or line ends of another kind
    return TextColumns(dict(columns), range(skip + 1, skip + 1 + length), notes)


# ---- rows --------------------------------------------------------------------------


def _find_delimiter(path: Path, kind: str, text: str) -> str | None:
    found = _LINE_END.search(text)
    first = text[: found.start()] if found else text
    if kind == "lines":
        return None
    if kind == "tsv" or (kind == "auto" and "\t" in first):
        return "\t"
    if kind == "csv" and ";" in first:
        if "," in first:
            raise ValueError(f"{path}: the first row holds both , and ;: give the delimiter")
        return ";"
    return "," if kind == "csv" or "," in first else None


def _unquoted(cell: str) -> str:
    return _bare(cell.strip())


def _bare(cell: str) -> str:
    """Return a TSV cell without quotes around all of it; blanks are part of it."""
    if len(cell) >= 2 and cell[0] == cell[-1] == '"':
        return cell[1:-1].replace('""', '"')
    return cell


def _lines(path: Path, text: str, first: int) -> Iterator[tuple[int, list[str]]]:
    """Yield one label per line; an empty line is a missing label, a blank tail is nothing."""
    for line, content in enumerate(_LINE_END.split(text.rstrip()), start=first):
        if content.startswith(_COMMENT):
            raise ValueError(
                f"{path}:{line}: a line begins with {content[0]!r} after the labels have "
                "begun; comments may only stand at the top"
            )
        if content or text.strip():
            yield line, [_unquoted(content)]


def _fields(
    path: Path, text: str, delimiter: str, first: int
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a delimited table. TSV knows no quoting inside a row."""
    source = io.StringIO(text, newline="")
    if delimiter == "\t":
        reader = csv.reader(source, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    else:
        reader = csv.reader(source, delimiter=delimiter, strict=True)
    blank = None
    line = first
    try:
        for row in reader:
            here, line = line, first + reader.line_num
            if not row or (delimiter == "\t" and not any(row) and len(row) == 1):
                blank = blank or here
                continue
            if blank is not None:
                raise ValueError(f"{path}:{blank}: an empty line inside the table")
            yield here, [_bare(cell) for cell in row] if delimiter == "\t" else row
    except csv.Error as error:
        raise ValueError(f"{path}:{line}: not a valid table ({error})") from error


# ---- header ------------------------------------------------------------------------


def _commented_header(
    comments: list[str], delimiter: str | None, width: int
) -> list[str] | None:
    """Names from a last comment line of as many fields as the rows: "# doc<tab>cluster"."""
    if not comments or delimiter is None:
        return None
    fields = comments[-1].lstrip("#% ").split(delimiter)
    names = [field.split()[0] if field.split() else "" for field in fields]
    good = len(names) == width and all(names) and len(set(names)) == width
    return names if good else None


def _has_header(
    path: Path, rows: list[list[str]], wanted: Sequence[str], commented: list[str] | None
) -> bool:
    """Decide whether the first row names the columns; refuse where nothing tells."""
    names = [name for name in wanted if not re.fullmatch("[0-9]+", name)]
    if names:
        return commented is None or not set(names) <= set(commented)
    if commented is not None or any(map(is_number, rows[0])) or len(rows) == 1:
        return False
    numeric = [
        all(is_number(row[j]) or not row[j] for row in rows[1:]) for j in range(len(rows[0]))
    ]
    filled = any(cell for row in rows[1:] for cell in row)
    if len(rows[0]) == 1 and not (numeric[0] and filled):
        return False  # one column of names
    if len(rows[0]) > 1 and any(numeric) and filled:
        return True
    raise ValueError(
        f"{path}: nothing tells whether the first row ({', '.join(rows[0][:4])}) names the "
        "columns; say so with header= (--header yes or no)"
    )
