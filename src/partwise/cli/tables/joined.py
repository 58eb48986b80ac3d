"""Files of parquet that are joined by their items, by DuckDB where memory is short."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from partwise.cli.options import columns_of, read_policies, reading_options, split_source
from partwise.cli.tables.limits import memory_limit, spoken
from partwise.labels.files.arrow_tables import files_of_folder, parquet_columns
from partwise.labels.files.sources import Source, kind_of
from partwise.labels.files.table import Table, only_column
from partwise.labels.notes import IDS_AS_TEXT, Note
from partwise.table.contingency import Contingency

#: Bytes that a row of the larger side takes while two files are read and joined in memory,
#: and what a column of text takes beside.
_ROW_BYTES, _TEXT_BYTES = 64, 48
#: DuckDB does not start with less.
LEAST_OF_DUCKDB = 256 << 20


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


def joined_table(options: argparse.Namespace) -> Contingency | None:
    """Return the table of two files of parquet that DuckDB joins by their items.

    None where the files fit in the limit, are not of this form, or DuckDB is not installed;
    what is done is said.
    """
    if not options.item or options.candidate is None:
        return None
    names = options.reference, options.candidate
    if options.label and all(split_source(name)[1] for name in names):
        return None  # which is an error of its own
    first, second = (_side_of(options, name) for name in names)
    if first is None or second is None:
        return None
    limit = memory_limit(options)
    needed = _needed(first, second)
    if needed <= limit:
        return None
    told = (
        f"partwise: note: to read these files would take about {spoken(needed)}, the limit is "
        f"{spoken(limit)} (--memory-limit); "
    )
    if find_spec("duckdb") is None:
        told += "they are read all the same, as joining them outside of memory needs duckdb: "
        print(f"{told}pip install 'partwise[duckdb]'", file=sys.stderr)
        return None
    print(f"{told}they are joined by DuckDB", file=sys.stderr)
    return _joined(options, first, second, limit)


def _joined(
    options: argparse.Namespace, first: ParquetSide, second: ParquetSide, limit: int
) -> Contingency:
    """Return the table, with the account of the files read in memory."""
    from partwise.scale import duckdb

    notes: list[Note] = []
    as_text = [False, False]
    kinds = first.item_kinds, second.item_kinds
    for i, side in enumerate((first, second)):
        notes += side.notes
        if kinds[i] == ["integer"] and kinds[1 - i] == ["text"]:
            as_text[i] = True
            notes.append(IDS_AS_TEXT)
    items = [[f"i{j}" for j in range(len(side.items))] for side in (first, second)]
    with in_plain_errors():
        table = duckdb.contingency(
            first.statement(ids_as_text=as_text[0]),
            second.statement(ids_as_text=as_text[1]),
            label="label",
            item=(items[0], items[1]),
            memory_limit=max(limit, LEAST_OF_DUCKDB),
            threads=threads_of(options),
            **read_policies(options),
        )
    account = table.account
    told = tuple(dict.fromkeys([*notes, *account.notes]))
    return replace(table, account=replace(account, notes=told))


def threads_of(options: argparse.Namespace) -> int | None:
    """Return the threads that DuckDB may take; None: as many as it likes."""
    workers = options.workers
    return workers if workers is not None and workers > 0 else None


@contextmanager
def in_plain_errors() -> Iterator[None]:
    """Turn errors of DuckDB into those that end a command with one line."""
    import duckdb

    try:
        yield
    except MemoryError as error:
        raise ValueError(str(error)) from error
    except duckdb.Error as error:
        raise ValueError(f"DuckDB cannot go on: {error}") from error


def _side_of(options: argparse.Namespace, name: str) -> ParquetSide | None:
    """Return a side that DuckDB reads as it is read in memory, else None."""
    file_name, column = split_source(name)
    path = Path(file_name)
    reading = {**reading_options(options), "format": None}
    if options.format not in ("auto", "parquet") or any(reading.values()):
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


def _needed(*sides: ParquetSide) -> int:
    """Return about how many bytes it would take to compare the files in memory."""
    texts = [sum(side.kinds[x] == "text" for x in (*side.items, side.label)) for side in sides]
    return max(side.n_rows for side in sides) * (_ROW_BYTES + _TEXT_BYTES * max(texts))
