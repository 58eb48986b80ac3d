"""Clusterings from files: one label per line, delimited tables, communities, npy, parquet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from partwise.labels import Clustering
from partwise.labels.columns import Column
from partwise.labels.files.compressed import OPENERS
from partwise.labels.files.fast_text import DictionaryCells
from partwise.labels.files.npy import load_arrays
from partwise.labels.files.text import (
    read_columns,
    read_text,
    split_comments,
    text_cells,
    typed_cells,
)
from partwise.labels.forms import read_column
from partwise.labels.item_matching import composite
from partwise.labels.notes import Note, skipped_comments

FORMATS = ("auto", "lines", "csv", "tsv", "communities", "npy", "npz", "parquet")


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of a file by name (``"1"``, ``"2"``, ... where the file has no header).

    Attributes
    ----------
    path : str
    columns : dict of str to column
        Lists of text cells, or arrays and frame columns as the file holds them.
    lines : sequence of int or None
        Line of each row in a text file, whose labels still have to be read as numbers.
    notes : list of Note
        What was taken for a header or skipped as a comment.
    """

    path: str
    columns: dict[str, Any]
    lines: Sequence[int] | None = None
    notes: list[Note] = field(default_factory=list)

    def find(self, name: str | int) -> str:
        """Return the name of a column given by name or by number from 1."""
        name = str(name)
        if name in self.columns:
            return name
        names = list(self.columns)
        if re.fullmatch("[0-9]+", name) and 1 <= int(name) <= len(names):
            return names[int(name) - 1]
        raise ValueError(
            f"{self.path}: no column {name!r}; the columns are: {', '.join(names)}"
        )

    def values(self, name: str | int) -> Any:
        """Return a column of labels: text cells as whole numbers or floats where all are."""
        column = self.columns[self.find(name)]
        if isinstance(column, DictionaryCells):
            return column.labels(typed_cells(column.distinct), self.path)
        return column if self.lines is None else typed_cells(column)


def read_table(
    path: str | Path,
    *,
    format: str = "auto",
    header: bool | None = None,
    delimiter: str | None = None,
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
        asked for by name, or if it holds no number where a column has only numbers below.
    delimiter : str, optional
        What parts the fields of a text table.
    wanted : sequence of str
        Names or numbers of columns that will be asked for.
    only_wanted : bool, default False
        Whether no other column will: a format that can leaves them unread.
    flatten : bool, default False
        Take arrays of several dimensions as one label per element, in C order.

    Raises
    ------
    ValueError
        The file's content is not what its format says (file and line are named), or an
        option does not fit the format.
    """
    path = Path(path)
    kind = kind_of_file(path, format)
    if kind in ("npy", "npz", "parquet") and (header is not None or delimiter is not None):
        raise ValueError(f"{path}: header and delimiter are for text tables, not for {kind}")
    if kind not in ("npy", "npz") and flatten:
        raise ValueError(f"{path}: flatten is for arrays (npy, npz)")
    if kind in ("npy", "npz"):
        return _read_arrays(path, flatten)
    if kind == "parquet":
        return _read_parquet(path, wanted if only_wanted else ())
    if kind == "communities":
        raise ValueError(f"{path}: a file of communities has no columns; use read(path)")
    found = read_columns(
        path,
        kind=kind,
        header=header,
        wanted=[str(x) for x in wanted],
        only_wanted=only_wanted,
        delimiter=delimiter,
    )
    return Table(str(path), found.columns, found.lines, found.notes)


def kind_of_file(path: Path, format: str) -> str:
    """Return the format that a path and an option mean ("auto": a text table)."""
    if format not in FORMATS:
        raise ValueError(f"format={format!r} is not one of: {', '.join(FORMATS)}")
    if format != "auto":
        return format
    endings = [ending.lower() for ending in path.suffixes]
    if endings and endings[-1] in OPENERS:
        endings.pop()
    last = endings[-1][1:] if endings else ""
    if ".cmty" in endings:
        return "communities"
    last = {"tab": "tsv", "pq": "parquet"}.get(last, last)
    return last if last in FORMATS[2:] else "auto"


def _read_communities(path: Path) -> Clustering:
    """One community per line; members apart by tabs, else by blanks."""
    comments, text, _ = split_comments(read_text(path))
    lines = re.split(r"\r\n|\n|\r", text.rstrip()) if text.strip() else []
    delimiter = "\t" if any("\t" in line for line in lines) else None
    members = [[m.strip() for m in line.split(delimiter) if m.strip()] for line in lines]
    notes = skipped_comments(len(comments), path.name)
    return Clustering.from_clusters(members)._with_notes(notes)


# ---- arrays and parquet ------------------------------------------------------------


def _read_arrays(path: Path, flatten: bool) -> Table:
    arrays = load_arrays(path)
    if flatten:
        arrays = {name: array.ravel(order="C") for name, array in arrays.items()}
    elif [array.ndim for array in arrays.values()] == [2]:
        (array,) = arrays.values()
        arrays = {str(j + 1): array[:, j] for j in range(array.shape[1])}
    return Table(str(path), arrays)


def _read_parquet(path: Path, wanted: Sequence[str]) -> Table:
    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"{path}: reading parquet needs pyarrow: pip install 'partwise[frames]'",
            name="pyarrow",
        ) from error
    with path.open("rb") as file:
        try:
            known = parquet.read_schema(file).names
            if len(set(known)) < len(known):
                twice = next(name for name in known if known.count(name) > 1)
                raise ValueError(f"column name {twice!r} stands twice")
            chosen = list(wanted) if wanted and set(known).issuperset(wanted) else None
            file.seek(0)
            table = parquet.read_table(file, columns=chosen)
        except (pyarrow.ArrowException, OSError, ValueError) as error:
            text = str(error).partition("\n")[0]
            raise ValueError(f"{path}: not readable as parquet ({text})") from error
    return Table(str(path), {name: table.column(name) for name in table.column_names})


# ---- a clustering from a file ------------------------------------------------------


def read(
    path: str | Path,
    *,
    label: str | int | Sequence[str] | None = None,
    item: str | int | Sequence[str] | None = None,
    format: str = "auto",
    header: bool | None = None,
    delimiter: str | None = None,
    flatten: bool = False,
) -> Clustering:
    """Read a clustering from a file.

    Parameters
    ----------
    path : str or Path
        One label per line; a CSV or TSV table (text may be gz, bz2, xz; leading lines that
        begin with # or % are comments; blank tail lines are ignored; TSV knows no quoting
        across fields); one community per line (``*.cmty*``); npy, npz; parquet.
    label : str, int or sequence of str, optional
        Column of the labels, by name or number from 1; several columns together make one
        label (document and cluster, say). Not needed where one column is left.
    item : str, int or sequence of str, optional
        Column or columns of the item id. Ids from text files are text.
    format : {"auto", "lines", "csv", "tsv", "communities", "npy", "npz", "parquet"}
    header : bool, optional
        Whether the first row holds names; by default decided from the content, and an error
        where nothing tells. A file of one column of names has no header unless you say so.
    delimiter : str, optional
        What parts the fields of a text table; by default tab, comma or semicolon as found.
    flatten : bool, default False
        Take an array of several dimensions as one label per element, in C order.

    Returns
    -------
    Clustering
        Empty cells and nulls are missing labels. What was taken for a header or skipped as a
        comment goes into the account.

    Raises
    ------
    ValueError
        Unreadable content (file and line are named), or a column that is not there.
    ModuleNotFoundError
        Parquet without pyarrow; names the extra to install.

    Notes
    -----
    A column of text cells is read as integers where every cell is a whole number in its usual
    form, as floats where every cell is a number and no two cells become one, else as text.
    """
    path = Path(path)
    if kind_of_file(path, format) == "communities":
        if label is not None or item is not None:
            raise ValueError(f"{path}: a file of communities has no columns to choose from")
        return _read_communities(path)
    keys, names = _as_list(item), _as_list(label)
    table = read_table(
        path,
        format=format,
        header=header,
        delimiter=delimiter,
        wanted=[*keys, *names],
        only_wanted=bool(names),
        flatten=flatten,
    )
    keys = [table.find(key) for key in keys]
    names = names or [_only_column(table, keys)]
    if len(names) == 1:
        labels = read_column(table.values(names[0]), str(path))
    else:
        labels = composite_column(table, names, "label")
    ids = composite_column(table, keys, "item id") if keys else None
    notes = [note.at(path.name) for note in table.notes]
    return Clustering._of(labels, ids)._with_notes(notes)


def _as_list(names: str | int | Sequence[str] | None) -> list[str]:
    return [str(names)] if isinstance(names, (str, int)) else list(names or ())


def composite_column(table: Table, names: Sequence[str], what: str) -> Column:
    """Return several columns as one; each must have a value in every row."""
    columns = [table.columns[table.find(name)] for name in names]
    if table.lines is not None:
        columns = [text_cells(column) for column in columns]
        for name, column in zip(names, columns, strict=True):
            if "" in column:
                line = table.lines[column.index("")]
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
