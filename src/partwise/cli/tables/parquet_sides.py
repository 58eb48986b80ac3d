"""One side of a join of files: parquet, a file or a folder of files, and its columns."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from partwise.cli.options import columns_of, reading_options, split_source
from partwise.labels.files.arrow_tables import files_of_folder, parquet_columns
from partwise.labels.files.sources import Source, kind_of
from partwise.labels.files.table import Table, only_column
from partwise.labels.notes import Note

#: Bytes that a row of the larger side takes while two files are read and joined in memory,
#: and what a column of text takes beside.
_ROW_BYTES, _TEXT_BYTES = 64, 48


@dataclass(frozen=True, slots=True)
class ParquetSide:
    """One side: a file of parquet, or a folder of them, and its columns.

    Attributes
    ----------
    files : list of Path
    n_rows : int
    items : list of str
    label : str
    kinds : dict of str to str
        "integer", "text", "float" or "bool" by the name of a column that DuckDB reads as this
        package does.
    notes : list of Note
        What reading the file in memory would tell.
    """

    files: list[Path]
    n_rows: int
    items: list[str]
    label: str
    kinds: dict[str, str]
    notes: list[Note]

    @property
    def item_kinds(self) -> list[str]:
        """The kinds of the columns of the item."""
        return [self.kinds[name] for name in self.items]

    def statement(self, *, ids_as_text: bool) -> str:
        """Return the rows as SQL: columns i0, i1, ... of the item, and the label."""
        from partwise.scale.duckdb.session import identifier, quoted

        as_text = "::VARCHAR" if ids_as_text else ""
        ids = [f"{identifier(name)}{as_text} AS i{j}" for j, name in enumerate(self.items)]
        columns = ", ".join([*ids, f"{identifier(self.label)} AS label"])
        files = ", ".join(quoted(str(path)) for path in self.files)
        return f"SELECT {columns} FROM read_parquet([{files}], hive_partitioning = false)"


def parquet_side(
    options: argparse.Namespace, name: str, *, beside_text: bool
) -> ParquetSide | None:
    """Return a side that DuckDB reads as it is read in memory, else None.

    ``beside_text``: options for text are those of the other side.
    """
    file_name, column = split_source(name)
    path = Path(file_name)
    reading = {**reading_options(options), "format": None}
    for_text = any(x not in (None, False) for x in reading.values())
    if options.format not in ("auto", "parquet") or (for_text and not beside_text):
        return None
    labels = [column] if column else columns_of(options.label) or []
    # DuckDB takes a name with such characters for a pattern
    files = _files_of(path)
    if len(labels) > 1 or not files or any(x in str(file) for file in files for x in "*?["):
        return None
    table, n_rows = _columns_of_all(path, files)
    names = table.every_name
    if len({x.casefold() for x in names}) < len(names):
        return None  # DuckDB would give one of them another name
    items = [table.find(x) for x in columns_of(options.item) or []]
    label = table.find(labels[0]) if labels else only_column(table, items)
    kinds = {x: kind_of_column(table.columns[x]) for x in (*items, label)}
    if not n_rows or any(kinds[x] not in ("integer", "text") for x in items):
        return None
    if not kinds[label]:
        return None
    notes = [*table.notes, *table.index_told([label, *items]), *table.unused([label], items)]
    return ParquetSide(files, n_rows, items, label, kinds, [x.at(path.name) for x in notes])


def _files_of(path: Path) -> list[Path]:
    """Return a file of parquet, or those of a folder without folders; none where it is else."""
    if path.is_dir():
        files = files_of_folder(path)
        return files if all(file.parent == path for file in files) else []
    if not path.is_file():
        return []
    with path.open("rb") as file:
        return [path] if kind_of(Source(path), file.read(64)) == "parquet" else []


def _columns_of_all(path: Path, files: list[Path]) -> tuple[Table, int]:
    """Return the columns of the first file, none where another one differs, and all rows."""
    first, n_rows = parquet_columns(files[0])
    for file in files[1:]:
        other, more = parquet_columns(file)
        n_rows += more
        types = [
            [(x, table.columns[x].type) for x in table.every_name] for table in (first, other)
        ]
        if types[0] != types[1]:
            return first, 0
    return replace(first, path=str(path)), n_rows


def kind_of_column(column: Any) -> str:
    """Return the kind of a column without rows, "" where DuckDB may read it otherwise."""
    from pyarrow import types

    kind = column.type
    if types.is_dictionary(kind):
        kind = kind.value_type
    if types.is_integer(kind):
        return "integer"
    if types.is_string(kind) or types.is_large_string(kind):
        return "text"
    if types.is_float32(kind) or types.is_float64(kind):
        return "float"
    return "bool" if types.is_boolean(kind) else ""


def bytes_in_memory(*sides: ParquetSide) -> int:
    """Return about how many bytes it would take to compare files of parquet in memory."""
    texts = [sum(side.kinds[x] == "text" for x in (*side.items, side.label)) for side in sides]
    rows = max((side.n_rows for side in sides), default=0)
    return rows * (_ROW_BYTES + _TEXT_BYTES * max(texts, default=0))
