"""Columns of parquet, a file or a folder of files, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from partwise.labels.files.arrow_tables import files_of_folder, parquet_columns, pyarrow_for
from partwise.labels.files.headers import role_of
from partwise.labels.files.table import abbreviated
from partwise.labels.indexes import RowIds
from partwise.scale.pieces import Pieces
from partwise.scale.row_order import ids_of_columns

#: Ids that are looked at at once.
_IDS_AT_ONCE = 1 << 18


def parquet_pieces(path: Path, column: Any) -> Pieces:
    """Return a column of parquet as pieces.

    Raises
    ------
    ValueError
        A file is damaged, or has no such column; without ``column``, there are several.
    ModuleNotFoundError
        pyarrow is not installed.
    """
    arrow = pyarrow_for(path, "parquet")
    files = files_of_folder(path) if path.is_dir() else [path]
    if not files:
        raise IsADirectoryError(21, "Is a directory", str(path))
    name = ""
    n_items = 0
    for file in files:
        with _opened(file, arrow) as reader:
            name = _column_of(file, reader.schema_arrow.names, column)
            n_items += reader.metadata.num_rows

    def read(most: int, name: str = name) -> Iterator[Any]:
        for file in files:
            with _opened(file, arrow) as reader:
                try:
                    for batch in reader.iter_batches(most, columns=[name], use_threads=False):
                        yield batch.column(0)
                except (arrow.ArrowException, OSError) as error:
                    raise _damaged(file, error) from error

    def row_ids() -> tuple[RowIds, ...]:
        tables = [parquet_columns(file)[0] for file in files]
        names = tables[0].every_name
        if len({*names}) < len(names):
            return ()

        def pieces_of(name: str) -> Iterator[Any]:
            if all(name in table.columns for table in tables):
                yield from read(_IDS_AT_ONCE, name)

        return ids_of_columns(names, tables[0].index, name, pieces_of)

    def named_ids() -> Iterator[Any]:
        tables = [parquet_columns(file)[0] for file in files]
        own = [x for x in tables[0].every_name if x != name and role_of(x) == "item"]
        if own and all(own[0] in table.columns for table in tables):
            yield from read(_IDS_AT_ONCE, own[0])

    def place(row: int) -> str:
        return f"row {row + 1} of {path}"

    return Pieces(str(path), read, n_items, place, row_ids, named_ids)


def _opened(path: Path, arrow: Any) -> Any:
    from pyarrow import parquet

    try:
        # pages are read as they are needed, not a row group at once
        return parquet.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20)
    except (arrow.ArrowException, ValueError) as error:
        raise _damaged(path, error) from error


def _damaged(path: Path, error: Exception) -> ValueError:
    text = str(error).partition("\n")[0]
    return ValueError(f"{path}: not readable as parquet ({text})")


def _column_of(path: Path, names: list[str], column: Any) -> str:
    """Return the name of a column given by name or number from 1."""
    if column is None:
        if len(names) == 1:
            return names[0]
        raise ValueError(
            f"{path}: say which column holds the labels (label=); there are: "
            f"{abbreviated(names)}"
        )
    name = str(column)
    if names.count(name) > 1:
        raise ValueError(f"{path}: several columns are named {name!r}; give them other names")
    if name in names:
        return name
    if name.isdigit() and 1 <= int(name) <= len(names):
        return names[int(name) - 1]
    raise ValueError(f"{path}: no column {name!r}; the columns are: {abbreviated(names)}")
