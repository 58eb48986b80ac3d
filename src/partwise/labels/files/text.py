"""Text files as columns: lines, CSV, TSV, columns at blanks; what is skipped is said."""

from __future__ import annotations

import csv
import io
import re
import sys
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from partwise.labels.files.cells import DictionaryCells, is_number
from partwise.labels.files.comments import (
    LINE_END,
    Top,
    below_vertices,
    check_labels,
    check_vertices,
    is_comment,
    split_top,
)
from partwise.labels.files.delimiters import (
    BLANKS,
    Asked,
    bare,
    declared_delimiter,
    fields_of,
    find_delimiter,
    note_on_declared,
    spoken,
)
from partwise.labels.files.fast_text import read_plain_table
from partwise.labels.files.headers import (
    check_header_again,
    check_rule,
    has_header,
    has_row_names,
    is_rule,
    role_of,
    surely_data,
)
from partwise.labels.files.sources import decoded
from partwise.labels.files.table import id_places
from partwise.labels.notes import Note, skipped_comments

# a quoted CSV cell with blanks inside its quotes, at their edge
_QUOTED_BLANK = re.compile(
    r'(?:^|[,;|\n])[ \t]*"(?:[ \t][^"]*|[^"]*[ \t])"[ \t]*(?=[,;|\r\n]|$)'
)
_BLANK_AFTER_QUOTE = re.compile(r'(?<=")[ \t]+(?=[,;|\r\n]|$)')
_SAMPLE = 1 << 14


@dataclass(frozen=True, slots=True)
class TextColumns:
    """Cells of a text file.

    Attributes
    ----------
    names : list of str
        Names of all columns in order, ``"1"``, ``"2"``, ... where the file has no header; some
        may come again.
    columns : dict of int to list of str or DictionaryCells
        Cells of the columns that were read, by place.
    lines : sequence of int
        Line on which each row begins.
    notes : list of Note
        What was taken for a delimiter or header, or skipped as a comment.
    quoted_blanks : bool
        Whether quoted cells begin or end with blanks.
    ids_only : dict of int to array or list
        A column that was not asked for, to see whether two files have their rows in one order.
    """

    names: list[str]
    columns: dict[int, list[str] | DictionaryCells]
    lines: Sequence[int]
    notes: list[Note] = field(default_factory=list)
    quoted_blanks: bool = False
    ids_only: dict[int, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a caller says about a text file.

    Attributes
    ----------
    kind : {"auto", "lines", "csv", "tsv", "clu"}
    header : bool or None
        Whether the first row names the columns, None where the content tells.
    delimiter : str or None
    comment : str or None
        How lines of comment begin; "" where there are none.
    """

    kind: str
    header: bool | None = None
    delimiter: str | None = None
    comment: str | None = None


def read_columns(
    path: Path, data: bytes, dialect: Dialect, asked: Asked, only_wanted: bool
) -> TextColumns:
    """Read the columns of a text file; see ``read.read_table``."""
    fast = _fast_columns(path, data, dialect, asked, only_wanted)
    if fast is not None:
        return fast
    text, notes = decoded(path, data)
    declared = None if dialect.kind == "lines" else declared_delimiter(text)
    if declared is not None:
        notes.append(note_on_declared(path, declared, dialect.delimiter))
        dialect = replace(dialect, delimiter=declared)
        text = text[len("sep=;") :]  # the line stays, empty, and so do the numbers of others
    top = split_top(text, dialect.comment)
    top, vertices = (top, None) if dialect.kind == "lines" else below_vertices(top)
    top, delimiter, told = _settle_top(path, top, dialect, asked)
    rows: list[list[str]] = []
    lines = array("q")
    with _cells_of_any_length():
        for line, row in _rows_of(path, top, delimiter, dialect.comment):
            rows.append(row)
            lines.append(line)
    notes += check_vertices(path, top.line - 1, vertices, len(rows))
    notes += [*skipped_comments(len(top.comments)), *told]
    if delimiter is None and rows and re.search(r"(\r\n|\n|\r)[ \t]*(\r\n|\n|\r)\s*\Z", text):
        notes.append(Note("blank-tail", "empty lines below the labels are nothing"))
    if not rows:
        return TextColumns(["1"], {0: []}, lines, notes)
    header = dialect.header
    check_rule(path, rows, lines)
    if header is not False and has_row_names(path, rows, lines):
        rows[0].insert(0, "")
        header = True
        notes.append(Note("row-names", "the header is one short: column 1 holds row names"))
    _check_widths(path, rows, lines, delimiter, asked.is_header is not None)
    commented = _commented_header(top.comments, delimiter, len(rows[0]))
    names, taken = _names_of(path, rows, header, asked, commented, bool(top.unclear))
    if taken:
        check_header_again(path, rows, lines)
        first = rows.pop(0)
        lines.pop(0)
        if header is None and not asked.names and not asked.certain(first):
            notes.append(Note("header-taken", "first row taken as a header"))
    elif header is None and _like_a_name([row[0] for row in rows], len(names)):
        text_of_first = f"the first row ({rows[0][0]!r}) was taken as a label"
        notes.append(Note("first-row-label", text_of_first))
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in names]
    blank = '"' in text and delimiter not in ("\t", BLANKS, None)
    return TextColumns(
        names,
        dict(enumerate(columns)),
        lines,
        notes,
        blank and _QUOTED_BLANK.search(top.text) is not None,
    )


def _settle_top(
    path: Path, top: Top, dialect: Dialect, asked: Asked
) -> tuple[Top, str | None, list[Note]]:
    """Decide on the delimiter, and on lines at the top that may be comments."""
    delimiter: str | None = dialect.delimiter
    notes: list[Note] = []
    if dialect.kind == "lines":
        check_labels(path, top)
        return top, None, notes
    lines = [content for content in LINE_END.split(top.text) if content.strip()]
    body = lines[len(top.unclear) :] or lines
    if delimiter is None:
        sampled = len(_sample_of(top.text)) - len(top.unclear)
        above = [*top.comments, *(content for _, content in top.unclear)]
        commented = above[-1] if above and len(body) < len(lines) + 1 else ""
        delimiter, notes = find_delimiter(
            path, dialect.kind, body, max(sampled, 1), asked, commented
        )
    if delimiter is None:
        check_labels(path, top)
        return top, None, notes
    if body is not lines:
        width = len(fields_of(body[0], delimiter))
        fits = [len(fields_of(content, delimiter)) == width for _, content in top.unclear]
        if not any(fits[:-1]):
            top = top.without_unclear(len(fits) - sum(fits))
    return top, delimiter, notes


def _sample_of(text: str) -> list[str]:
    """Return the first rows of a text, those by which the delimiter is found."""
    lines = LINE_END.split(text[:_SAMPLE])
    if len(text) > _SAMPLE and len(lines) > 1:
        lines.pop()
    return [line for line in lines if line.strip()][:1000]


# ---- rows --------------------------------------------------------------------------


@contextmanager
def _cells_of_any_length() -> Iterator[None]:
    """Let the csv module read cells of any length, as the reader of large files does."""
    limit = csv.field_size_limit()
    try:
        csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
        yield
    finally:
        csv.field_size_limit(limit)


def _rows_of(
    path: Path, top: Top, delimiter: str | None, comment: str | None
) -> Iterator[tuple[int, list[str]]]:
    if delimiter is None:
        return _lines(path, top.text, top.line, comment)
    if delimiter == BLANKS:
        return _blank_fields(path, top.text, top.line)
    return _fields(path, top.text, delimiter, top.line)


def _lines(
    path: Path, text: str, first: int, comment: str | None
) -> Iterator[tuple[int, list[str]]]:
    """Yield one label per line; an empty line is a missing label, a blank tail is nothing."""
    for line, content in enumerate(LINE_END.split(text.rstrip()), start=first):
        if is_comment(content, comment):
            raise ValueError(
                f"{path}:{line}: a line begins with {content[0]!r} after the labels have "
                'begun; comments may only stand at the top (comment="" takes it as a label)'
            )
        if content or text.strip():
            yield line, [bare(content.strip())]


def _blank_fields(path: Path, text: str, first: int) -> Iterator[tuple[int, list[str]]]:
    blank = None
    for line, content in enumerate(LINE_END.split(text), start=first):
        if not content.strip():
            blank = blank or line
            continue
        if blank is not None:
            raise ValueError(f"{path}:{blank}: an empty line inside the table")
        yield line, fields_of(content, BLANKS)


def _fields(
    path: Path, text: str, delimiter: str, first: int
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a delimited table. TSV knows no quoting inside a row."""
    text = re.sub(r"(?:[\r\n] *)+\Z", "\n", text)  # blanks below the table are nothing
    if delimiter != "\t" and '"' in text and '""' not in text:
        text = _BLANK_AFTER_QUOTE.sub("", text)
    source = io.StringIO(text, newline="")
    if delimiter == "\t":
        reader = csv.reader(source, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    else:
        # a blank before a quote is no part of the cell; other blanks are seen to by column
        before = '"' in text
        reader = csv.reader(source, delimiter=delimiter, strict=True, skipinitialspace=before)
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
            yield here, [_tab_cell(cell) for cell in row] if delimiter == "\t" else row
    except csv.Error as error:
        raise ValueError(f"{path}:{line}: not a valid table ({error})") from error


def _tab_cell(cell: str) -> str:
    """Return a TSV cell without quotes around it, and blanks around these."""
    if '"' not in cell:
        return cell
    inner = cell.strip(" ")
    return bare(inner) if inner[0] == inner[-1] == '"' else cell


def _check_widths(
    path: Path, rows: list[list[str]], lines: Sequence[int], delimiter: str | None, table: bool
) -> None:
    width = len(rows[0])
    labels = '; lines that are one label each are read with format="lines"'
    way_out = "; mend the line, or say delimiter=..." if table else labels
    for row, line in zip(rows, lines, strict=True):
        if len(row) != width:
            raise ValueError(
                f"{path}:{line}: {len(row)} fields where the first row has {width} "
                f"(separated by {spoken(delimiter or '')}){way_out}"
            )


# ---- names of columns --------------------------------------------------------------


def _commented_header(
    comments: list[str], delimiter: str | None, width: int
) -> list[str] | None:
    """Names from a last comment line of as many fields as the rows: "# doc<tab>cluster"."""
    if not comments or delimiter is None:
        return None
    fields = fields_of(comments[-1].lstrip("#% "), delimiter)
    names = [field.split()[0] if field.split() else "" for field in fields]
    good = len(names) == width and all(names) and len(set(names)) == width
    return names if good else None


def _names_of(
    path: Path,
    rows: list[list[str]],
    header: bool | None,
    asked: Asked,
    commented: list[str] | None,
    marked: bool,
) -> tuple[list[str], bool]:
    """Return the names of the columns, and whether the first row is the header."""
    first = [bare(cell.strip()) for cell in rows[0]]
    if marked:
        first[0] = first[0].lstrip("#%").strip()
    if header is None and asked.certain(first):
        header = True
    elif header is None and asked.names:
        header = commented is None or not set(asked.names) <= set(commented)
    elif header is None:
        below = [[cell.strip() for cell in column] for column in zip(*rows[1:], strict=True)]
        header = has_header(
            path,
            first,
            below,
            commented=commented is not None and any(map(role_of, commented)),
            asked=asked.columns,
            items=asked.items,
        )
    if header:
        return first, True
    return commented or [str(j + 1) for j in range(len(first))], False


def _like_a_name(cells: list[str], width: int) -> bool:
    """Return whether the first of one column of texts stands alone among labels that recur."""
    others = set(cells[1:])
    alone = width == 1 and cells[0] not in others and not is_number(cells[0])
    return alone and 1 < 2 * len(others) < len(cells)


# ---- large files -------------------------------------------------------------------

# Below this many bytes the plain reader is as fast.
_WORTH_ARROW = 1 << 20


def _fast_columns(
    path: Path, data: bytes, dialect: Dialect, asked: Asked, only_wanted: bool
) -> TextColumns | None:
    """Return the columns of a large table that needs no guess, through pyarrow; else None."""
    if len(data) < _WORTH_ARROW or dialect.kind in ("lines", "clu") or b'"' in data:
        return None
    end = len(data)
    while end > 0 and data[end - 1] in b"\r\n":  # a blank tail is nothing
        end -= 1
    if b"\0" in data or not _is_utf8(data):
        return None
    start = data[: 4 * _SAMPLE].decode("utf-8-sig", errors="ignore")
    top = split_top(start, dialect.comment)
    lines = _sample_of(top.text)
    if top.unclear or len(lines) < 3 or declared_delimiter(start) is not None:
        return None
    delimiter: str | None = dialect.delimiter
    if delimiter is None:
        usual = {"csv": ",;", "tsv": "\t"}.get(dialect.kind, "\t,")
        try:
            delimiter, _ = find_delimiter(path, dialect.kind, lines, len(lines), asked, "")
        except ValueError:
            return None
        if delimiter is None or delimiter not in usual:
            return None
    if not delimiter.isascii() or delimiter == BLANKS:
        return None
    first, second = ([cell.strip() for cell in line.split(delimiter)] for line in lines[:2])
    commented = _commented_header(top.comments, delimiter, len(first))
    if len(first) != len(second) or commented is not None or is_rule(second):
        return None
    header = dialect.header
    if header is None:
        named = bool(asked.names) or asked.certain(first)
        if not named and not surely_data(first, second, asked.columns):
            return None
        header = named
    names = first if header else [str(j + 1) for j in range(len(first))]
    chosen = [name for name in names if name in asked.columns] if only_wanted else names
    if len(set(names)) < len(names) or len(chosen) < len(
        {*asked.columns} if only_wanted else ()
    ):
        return None
    skip = top.line - 1 + header
    ids = [] if asked.items else _ids_beside(lines[header:], delimiter, names, chosen)
    columns, ids_only = read_plain_table(
        memoryview(data)[:end],
        blanks=b" " in data or (delimiter != "\t" and b"\t" in data),
        skip_lines=skip,
        delimiter=delimiter,
        names=names,
        wanted=chosen,
        ids=ids,
    )
    if columns is None:
        return None
    below = _start_of_line(data, skip)
    if all(data.find(name.encode(), below) >= 0 for name in columns) and all(
        name in cells.distinct for name, cells in columns.items()
    ):
        return None  # the header may stand in the table again
    length = len(next(iter(columns.values())))
    if length + skip != data.count(b"\n", 0, end) + 1:
        return None  # an empty line inside, or line ends of another kind
    return TextColumns(
        names,
        {names.index(name): cells for name, cells in columns.items()},
        range(skip + 1, skip + 1 + length),
        skipped_comments(len(top.comments)),
        ids_only={names.index(name): cells for name, cells in ids_only.items()},
    )


def _start_of_line(data: bytes, line: int) -> int:
    """Return where a line begins, counted from 0 (at the start, if there are not so many)."""
    start = 0
    for _ in range(line):
        start = data.find(b"\n", start) + 1
    return start


def _ids_beside(
    lines: list[str], delimiter: str, names: list[str], chosen: list[str]
) -> list[str]:
    """Return the column beside those to read that may hold ids, by a sample of its cells."""
    for place in id_places(names, ()):
        if names[place] in chosen:
            continue
        cells = [line.split(delimiter)[place] for line in lines]
        if len(set(cells)) == len(cells):
            return [names[place]]
    return []


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
