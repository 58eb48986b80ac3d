"""Parquet files and folders, and feather (Arrow) files.

Nothing here starts a thread of Arrow's: one that still runs when the interpreter ends can abort
the process after its work is done. So parquet is read file by file, without Arrow's data sets
and without buffers filled ahead, and feather from memory.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from partwise.labels.files.sources import Source
from partwise.labels.files.table import Table, id_places, table_of


def pyarrow_for(path: Path, what: str) -> Any:
    """Return pyarrow, or say which extra has it."""
    try:
        import pyarrow
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"{path}: reading {what} needs pyarrow: pip install pyarrow",
            name="pyarrow",
        ) from error
    return pyarrow


def read_parquet(source: Source, wanted: Sequence[str]) -> Table:
    """Read a parquet file; only the wanted columns where it has them all."""
    path = source.path
    pyarrow = pyarrow_for(path, "parquet")
    from pyarrow import parquet

    with source.open() as file:
        try:
            schema = parquet.read_schema(file)
            names = schema.names
            index = _pandas_index(schema.metadata)
            chosen = None
            if wanted and {*names}.issuperset(wanted) and len(set(names)) == len(names):
                ids = [names[place] for place in id_places(names, index)]
                chosen = list(dict.fromkeys([*wanted, *ids]))
            file.seek(0)
            table = read_parquet_file(file, chosen)
        except (pyarrow.ArrowException, OSError, ValueError) as error:
            text = str(error).partition("\n")[0]
            raise ValueError(f"{path}: not readable as parquet ({text})") from error
    return _table(path, table, names, schema.metadata)


def parquet_columns(path: Path) -> tuple[Table, int]:
    """Return the columns of a parquet file without their rows, and the number of rows."""
    pyarrow = pyarrow_for(path, "parquet")
    from pyarrow import parquet

    with path.open("rb") as file:
        try:
            reader = parquet.ParquetFile(file, pre_buffer=False)
            schema, n_rows = reader.schema_arrow, int(reader.metadata.num_rows)
        except (pyarrow.ArrowException, OSError, ValueError) as error:
            text = str(error).partition("\n")[0]
            raise ValueError(f"{path}: not readable as parquet ({text})") from error
    return _table(path, schema.empty_table(), schema.names, schema.metadata), n_rows


def read_parquet_file(file: Any, columns: list[str] | None = None) -> Any:
    """Return a file as a table of Arrow's."""
    from pyarrow import parquet

    reader = parquet.ParquetFile(file, pre_buffer=False)
    return reader.read(columns=columns, use_threads=False)


def read_parquet_folder(path: Path) -> Table:
    """Read a folder of parquet files as one table, the files in order of their names.

    Raises
    ------
    IsADirectoryError
        The folder holds no parquet.
    """
    if not files_of_folder(path):
        raise IsADirectoryError(21, "Is a directory", str(path))
    pyarrow = pyarrow_for(path, "parquet")
    try:
        table = read_files_of_folder(path)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        text = str(error).partition("\n")[0]
        raise ValueError(f"{path}: not readable as a folder of parquet ({text})") from error
    return _table(path, table, table.column_names, table.schema.metadata)


def files_of_folder(path: Path) -> list[Path]:
    """Return the files of a folder of parquet, in order of their names."""
    return [
        file
        for file in sorted(path.rglob("*.parquet"))
        if not any(part.startswith((".", "_")) for part in file.relative_to(path).parts)
    ]


def read_files_of_folder(path: Path) -> Any:
    """Return the files of a folder as one table, with the columns that folders name.

    The first file tells the columns and their types, as in a data set of Arrow's.
    """
    import pyarrow
    from pyarrow import dataset

    parts = dataset.dataset(path, format="parquet", partitioning="hive")
    if len(set(parts.schema.names)) < len(parts.schema):
        raise ValueError("several columns of one name")
    tables = []
    for part in parts.get_fragments():
        table = read_parquet_file(part.path)
        by_folder = dataset.get_partition_keys(part.partition_expression)
        columns = []
        for field in parts.schema:
            if field.name in table.column_names:
                columns.append(table.column(field.name).cast(field.type))
            else:
                cell = pyarrow.scalar(by_folder.get(field.name))
                columns.append(pyarrow.repeat(cell, len(table)).cast(field.type))
        tables.append(pyarrow.table(columns, schema=parts.schema))
    return pyarrow.concat_tables(tables)


def read_feather(source: Source) -> Table:
    """Read a feather file, or a stream of Arrow batches."""
    path = source.path
    pyarrow = pyarrow_for(path, "feather")
    from pyarrow import feather, ipc

    with source.open() as file:
        try:
            stream = file.read(4) == b"\xff\xff\xff\xff"
            file.seek(0)
            content = pyarrow.BufferReader(file.read())
            table = (
                ipc.open_stream(content).read_all()
                if stream
                else feather.read_table(content, use_threads=False)
            )
            table.validate(full=True)  # Arrow takes offsets and lengths as they stand
            names = table.column_names
        except (pyarrow.ArrowException, OSError, ValueError) as error:
            text = str(error).partition("\n")[0]
            raise ValueError(f"{path}: not readable as feather ({text})") from error
    return _table(path, table, names, table.schema.metadata)


def _table(path: Path, table: Any, names: list[str], metadata: Any) -> Table:
    places = {name: place for place, name in enumerate(names)}
    if len(places) < len(names):
        columns = dict(enumerate(table.columns))
    else:
        columns = {places[name]: table.column(name) for name in table.column_names}
    made = table_of(str(path), names, columns)
    index = _pandas_index(metadata) & set(names)
    return made if not index else _with_index(made, index)


def _with_index(table: Table, index: set[str]) -> Table:
    return Table(
        table.path,
        table.columns,
        names=table.names,
        index=table.index | frozenset(index),
    )


def _pandas_index(metadata: Any) -> set[str]:
    """Return the columns that pandas wrote as the index of a frame."""
    text = (metadata or {}).get(b"pandas")
    if text is None:
        return set()
    try:
        index = json.loads(text).get("index_columns", [])
    except (ValueError, AttributeError):
        return set()
    return {name for name in index if isinstance(name, str)}
