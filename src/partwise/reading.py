"""Clusterings from files: one label per line, delimited tables, communities, npy, parquet."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.labels import Clustering
from partwise.labels.columns import Column, read_column
from partwise.labels.matching_items import composite

FORMATS = ("auto", "lines", "csv", "tsv", "communities", "npy", "npz", "parquet")

_OPENERS = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
_COMMENT = ("#", "%")
_WHOLE_NUMBER = re.compile(r"(0|-?[1-9][0-9]*)\Z")


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of a file by name (``"1"``, ``"2"``, ... where the file has no header).

    Attributes
    ----------
    path : str
    columns : dict of str to column
        Lists of text cells, or arrays and frame columns as the file holds them.
    is_text : bool
        Whether cells are text, so that labels still have to be read as numbers.
    first_line : int
        Line of the first row in a text file.
    """

    path: str
    columns: dict[str, Any]
    is_text: bool
    first_line: int = 1

    def find(self, name: str) -> str:
        """Return the name of a column given by name or by number from 1."""
        if name in self.columns:
            return name
        names = list(self.columns)
        if name.isdigit() and 1 <= int(name) <= len(names):
            return names[int(name) - 1]
        raise ValueError(
            f"{self.path}: no column {name!r}; the columns are: {', '.join(names)}"
        )

    def values(self, name: str) -> Any:
        """Return a column of labels: text cells as whole numbers or floats where all are."""
        column = self.columns[self.find(name)]
        return typed_cells(column) if self.is_text else column


def typed_cells(cells: Sequence[str]) -> NDArray[Any] | list[str | None]:
    """Return text cells as integers or floats where every cell is one; "" is missing.

    Names that differ stay different: "01" and "1", or "1.1" and "1.10", are text.
    """
    present = [cell for cell in cells if cell]
    if present and all(map(_WHOLE_NUMBER.match, present)):
        if len(present) == len(cells):
            try:
                return np.array(cells, dtype=np.int64)
            except (OverflowError, ValueError):
                pass
        whole: list[Any] = [int(cell) if cell else None for cell in cells]
        return whole
    try:
        value = {cell: float(cell) for cell in set(present)}
    except ValueError:
        value = {}
    if len(set(value.values())) < len(value) or not value:
        return [cell or None for cell in cells]
    return np.array([value.get(cell, np.nan) for cell in cells])


def read_table(
    path: str | Path,
    *,
    format: str = "auto",
    header: bool | None = None,
    wanted: Sequence[str] = (),
    only_wanted: bool = False,
    flatten: bool = False,
) -> Table:
    """Read the columns of a file.

    Parameters
    ----------
    path : str or Path
        Text may be compressed (gz, bz2, xz).
    format : {"auto", "lines", "csv", "tsv", "npy", "npz", "parquet"}, default "auto"
        "auto" goes by the file's ending, then by the first row.
    header : bool, optional
        Whether a text table's first row names its columns; by default it does if a column is
        asked for by name, or if it holds no number where the row below does.
    wanted : sequence of str
        Names or numbers of columns that will be asked for.
    only_wanted : bool, default False
        Whether no other column will: a format that can leaves them unread.
    flatten : bool, default False
        Take arrays of several dimensions as one label per element, in C order.

    Raises
    ------
    ValueError
        The file's content is not what its format says; file and line are named.
    """
    path = Path(path)
    if format not in FORMATS:
        raise ValueError(f"format={format!r} is not one of: {', '.join(FORMATS)}")
    kind = _kind(path) if format == "auto" else format
    if kind in ("npy", "npz"):
        return _read_arrays(path, flatten)
    if kind == "parquet":
        return _read_parquet(path, wanted if only_wanted else ())
    if kind == "communities":
        raise ValueError(f"{path}: a file of communities has no columns; use read(path)")
    return _read_text(path, kind, header, wanted)


def _kind(path: Path) -> str:
    endings = [ending.lower() for ending in path.suffixes]
    if endings and endings[-1] in _OPENERS:
        endings.pop()
    last = endings[-1][1:] if endings else ""
    if ".cmty" in endings:
        return "communities"
    aliases = {"tab": "tsv", "pq": "parquet"}
    last = aliases.get(last, last)
    return last if last in FORMATS[2:] else "auto"


# ---- text --------------------------------------------------------------------------


def _open_text(path: Path) -> io.TextIOBase:
    opener: Any = _OPENERS.get(path.suffix.lower(), open)
    return opener(path, "rt", encoding="utf-8-sig", newline="")  # type: ignore[no-any-return]


def _lines(path: Path) -> tuple[list[str], list[str], int]:
    """Return leading comments, the other lines (blank tail removed), and the first's number."""
    try:
        with _open_text(path) as file:
            lines = file.read().splitlines()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 text ({error})") from error
    except (EOFError, gzip.BadGzipFile, lzma.LZMAError) as error:
        raise ValueError(f"{path}: damaged compressed file ({error})") from error
    start = 0
    while start < len(lines) and (
        not lines[start].strip() or lines[start].startswith(_COMMENT)
    ):
        start += 1
    end = len(lines)
    while end > start and not lines[end - 1].strip():
        end -= 1
    comments = [line for line in lines[:start] if line.strip()]
    return comments, lines[start:end], start + 1


def _delimiter(kind: str, first: str) -> str | None:
    if kind == "tsv" or (kind == "auto" and "\t" in first):
        return "\t"
    if kind == "csv":
        return ";" if ";" in first and "," not in first else ","
    return "," if kind == "auto" and "," in first else None


def _read_text(path: Path, kind: str, header: bool | None, wanted: Sequence[str]) -> Table:
    comments, lines, first_line = _lines(path)
    delimiter = _delimiter(kind, lines[0]) if lines else None
    if delimiter is None:
        rows = [[_unquoted(line)] for line in lines]
        _refuse_late_comments(path, lines, first_line)
    else:
        rows = list(csv.reader(lines, delimiter=delimiter))
    if not rows:
        return Table(str(path), {"1": []}, True, first_line)
    width = len(rows[0])
    names = [str(j + 1) for j in range(width)]
    commented = _commented_header(comments, delimiter, width)
    if header or (header is None and _is_header(rows, wanted, commented)):
        names = [name.strip() for name in rows.pop(0)]
        first_line += 1
    elif commented is not None:
        names = commented
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{path}:{first_line - 1}: column name {twice!r} stands twice")
    for place, row in enumerate(rows):
        if len(row) != width:
            raise ValueError(
                f"{path}:{first_line + place}: {len(row)} fields where the first row has "
                f"{width}"
            )
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in names]
    return Table(str(path), dict(zip(names, columns, strict=True)), True, first_line)


def _unquoted(line: str) -> str:
    cell = line.strip()
    if len(cell) >= 2 and cell[0] == cell[-1] == '"':
        return cell[1:-1].replace('""', '"')
    return cell


def _refuse_late_comments(path: Path, lines: list[str], first_line: int) -> None:
    for place, line in enumerate(lines):
        if line.startswith(_COMMENT):
            raise ValueError(
                f"{path}:{first_line + place}: a line begins with {line[0]!r} after the "
                "labels have begun; comments may only stand at the top"
            )


def _commented_header(
    comments: list[str], delimiter: str | None, width: int
) -> list[str] | None:
    """Names from a last comment line of as many fields as the rows: "# doc<tab>cluster"."""
    if not comments or delimiter is None:
        return None
    fields = comments[-1].lstrip("#% ").split(delimiter)
    names = [field.split()[0] if field.split() else "" for field in fields]
    return names if len(names) == width and all(names) else None


def _is_header(
    rows: list[list[str]], wanted: Sequence[str], commented: list[str] | None
) -> bool:
    first = [cell.strip() for cell in rows[0]]
    names = [name for name in wanted if not name.isdigit()]
    if names:
        return commented is None or not set(names) <= set(commented)
    if any(map(_is_number, first)) or "" in first:
        return False
    return len(rows) > 1 and any(map(_is_number, rows[1]))


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _read_communities(path: Path) -> Clustering:
    """One community per line; members apart by tabs, else by blanks."""
    _, lines, _ = _lines(path)
    delimiter = "\t" if any("\t" in line for line in lines) else None
    members = [[m.strip() for m in line.split(delimiter) if m.strip()] for line in lines]
    return Clustering.from_clusters(members)


# ---- arrays and parquet ------------------------------------------------------------


def _read_arrays(path: Path, flatten: bool) -> Table:
    try:
        loaded = np.load(path, allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        if isinstance(error, FileNotFoundError):
            raise
        raise ValueError(f"{path}: no readable NumPy file ({error})") from error
    if isinstance(loaded, np.ndarray):
        arrays = {"1": loaded}
    else:
        with loaded:
            arrays = {name: loaded[name] for name in loaded.files}
    for name, array in arrays.items():
        if array.ndim == 2 and not flatten and len(arrays) == 1:
            columns = {str(j + 1): array[:, j] for j in range(array.shape[1])}
            return Table(str(path), columns, False)
        arrays[name] = array.ravel(order="C") if flatten else array
    return Table(str(path), arrays, False)


def _read_parquet(path: Path, wanted: Sequence[str]) -> Table:
    try:
        from pyarrow import parquet
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"{path}: reading parquet needs pyarrow: pip install 'partwise[frames]'",
            name="pyarrow",
        ) from error
    known = set(parquet.read_schema(path).names)
    chosen = list(wanted) if wanted and known.issuperset(wanted) else None
    table = parquet.read_table(path, columns=chosen)
    return Table(str(path), {name: table.column(name) for name in table.column_names}, False)


# ---- a clustering from a file ------------------------------------------------------


def read(
    path: str | Path,
    *,
    label: str | Sequence[str] | None = None,
    item: str | Sequence[str] | None = None,
    format: str = "auto",
    header: bool | None = None,
    flatten: bool = False,
) -> Clustering:
    """Read a clustering from a file.

    Parameters
    ----------
    path : str or Path
        One label per line; a CSV or TSV table (text may be gz, bz2, xz; leading lines that
        begin with # or % are comments; blank tail lines are ignored); one community per line
        (``*.cmty*``); npy, npz; parquet.
    label : str or sequence of str, optional
        Column of the labels, by name or number from 1; several columns together make one
        label (document and cluster, say). Not needed where one column is left.
    item : str or sequence of str, optional
        Column or columns of the item id. Ids from text files are text.
    format : {"auto", "lines", "csv", "tsv", "communities", "npy", "npz", "parquet"}
    header : bool, optional
        Whether the first row holds names; by default decided from the content.
    flatten : bool, default False
        Take an array of several dimensions as one label per element, in C order.

    Returns
    -------
    Clustering
        Empty cells and nulls are missing labels.

    Raises
    ------
    ValueError
        Unreadable content (file and line are named), or a column that is not there.
    ModuleNotFoundError
        Parquet without pyarrow; names the extra to install.

    Notes
    -----
    A column of text cells is read as integers where every cell is a whole number in its usual
    form, as floats where every cell is a number, else as text.
    """
    path = Path(path)
    kind = _kind(path) if format == "auto" else format
    if kind == "communities":
        if label is not None or item is not None:
            raise ValueError(f"{path}: a file of communities has no columns to choose from")
        return _read_communities(path)
    keys = _as_list(item)
    names = _as_list(label)
    wanted = [*keys, *names]
    table = read_table(
        path,
        format=format,
        header=header,
        wanted=wanted,
        only_wanted=bool(names),
        flatten=flatten,
    )
    keys = [table.find(key) for key in keys]
    names = names or [_only_column(table, keys)]
    if len(names) == 1:
        labels = read_column(table.values(names[0]), str(path))
    else:
        labels = _composite(table, names, "label")
    return Clustering._of(labels, _composite(table, keys, "item id") if keys else None)


def _as_list(names: str | Sequence[str] | None) -> list[str]:
    return [names] if isinstance(names, str) else list(names or ())


def _composite(table: Table, names: Sequence[str], what: str) -> Column:
    """Several columns as one; each must have a value in every row."""
    columns = [table.columns[table.find(name)] for name in names]
    if table.is_text:
        for name, column in zip(names, columns, strict=True):
            if "" in column:
                line = table.first_line + column.index("")
                raise ValueError(f"{table.path}:{line}: empty {what} in column {name!r}")
    return composite(columns, table.path)


def _only_column(table: Table, taken: Sequence[str]) -> str:
    left = [name for name in table.columns if name not in taken]
    if len(left) != 1:
        raise ValueError(
            f"{table.path} has {len(table.columns)} columns ({', '.join(table.columns)}); "
            "say which one holds the labels"
        )
    return left[0]
