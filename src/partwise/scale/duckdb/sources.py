"""Where rows come from, and the kinds of their columns, as SQL and as columns of labels."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from partwise.labels.columns import Column, object_array, with_article
from partwise.labels.files.cells import typed_cells
from partwise.labels.forms import read_column, without_numpy
from partwise.labels.frames import from_dictionary
from partwise.labels.policies import Written
from partwise.labels.suspicions import MISSING_WORDS
from partwise.numbers.arrow import numbers_of, present_in
from partwise.scale.duckdb.session import Session, identifier, quoted

_STATEMENT = re.compile(r"\s*(select|from|with|values|table|pivot|unpivot|\()\b|\s*\(", re.I)
_PARQUET = (".parquet", ".pq", ".parq")
_TEXT = (".csv", ".tsv", ".txt", ".tab")
_PACKED = (".gz", ".zst", ".zstd")

#: Types of DuckDB by the word that messages use for their values.
_INTEGERS = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT"}
_INTEGERS |= {f"U{name}" for name in _INTEGERS}
_WIDE = {"HUGEINT", "UHUGEINT", "BIGNUM", "VARINT"}
_FLOATS = {"FLOAT", "DOUBLE", "REAL"}
_AS_TEXT = {"VARCHAR", "UUID", "JSON"}
_TIMES = {"DATE", "TIME", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"}
_ZONED = {"TIMESTAMP WITH TIME ZONE"}


@dataclass(frozen=True, slots=True)
class Source:
    """Rows to read.

    Attributes
    ----------
    sql : str
        What stands behind FROM.
    relation : object or None
        What the name in ``sql`` stands for in Python.
    described : str
        What messages call it.
    is_text : bool
        Whether all columns are cells of a text file.
    statement : str
        What was passed, where it is a statement.
    parquet : str
        SQL for the list of files, where it is parquet.
    """

    sql: str
    described: str
    relation: Any = None
    is_text: bool = False
    statement: str = ""
    parquet: str = ""


def read_source(source: Any, side: str) -> Source:
    """Return where the rows of a side come from.

    Raises
    ------
    TypeError
        It is neither a path, nor SQL, nor a relation.
    ValueError
        A path ends with nothing that DuckDB is asked to read here.
    """
    if isinstance(source, (Path, str)) or (
        isinstance(source, (list, tuple))
        and source
        and all(isinstance(x, (Path, str)) for x in source)
    ):
        return _of_text(source, side)
    module = type(source).__module__.partition(".")[0]
    if module in ("duckdb", "_duckdb", "pyarrow"):
        return Source(f"partwise_{side}", f"the {side}", relation=source)
    raise TypeError(
        f"the {side} is {with_article(source)}; a path or pattern of parquet or CSV files, a "
        "statement of SQL, the name of a table, a relation of DuckDB or a table of Arrow is "
        "expected; pw.contingency takes what is in memory otherwise"
    )


def _of_text(source: Any, side: str) -> Source:
    if isinstance(source, str) and _STATEMENT.match(source):
        text = source.strip().rstrip(";")
        # a comment at the end has a line of its own
        return Source(f"({text}\n)", f"the statement of the {side}", statement=text)
    paths = [str(x) for x in (source if isinstance(source, (list, tuple)) else [source])]
    endings = {_ending(path) for path in paths}
    if len(paths) == 1 and os.path.isdir(paths[0]):
        pattern = os.path.join(paths[0], "**", "*.parquet")
        return Source(f"read_parquet({quoted(pattern)})", paths[0], parquet=quoted(pattern))
    listed = "[" + ", ".join(map(quoted, paths)) + "]"
    shown = paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"
    if endings <= set(_PARQUET):
        return Source(f"read_parquet({listed})", shown, parquet=listed)
    if endings <= set(_TEXT):
        # names that differ stay different: DuckDB would read 007 as 7, and 2^63 as a float
        return Source(
            f"read_csv({listed}, header = true, all_varchar = true)", shown, is_text=True
        )
    is_name = isinstance(source, str) and endings == {""} and os.sep not in source
    if is_name and re.fullmatch(r'[\w."]+', str(source)):
        name = str(source)
        quoted_already = '"' in name
        parts = [name] if quoted_already else [identifier(x) for x in name.split(".")]
        return Source(".".join(parts), f"the table {name}")
    raise ValueError(
        f"{shown} is the {side}, but no statement of SQL, no name of a table, and no path that "
        f"ends with one of {', '.join((*_PARQUET, *_TEXT))}; write a statement such as "
        "SELECT item, label FROM read_json('records.json')"
    )


def _ending(path: str) -> str:
    name = path.lower()
    for packed in _PACKED:
        name = name.removesuffix(packed)
    ending = os.path.splitext(name)[1]
    return ending if ending in (*_PARQUET, *_TEXT) or "/" in path else ""


@dataclass(frozen=True, slots=True)
class ColumnOf:
    """One column of a source.

    Attributes
    ----------
    name : str
    type : str
        As DuckDB calls it.
    kind : str
        What its values are, in words; ids of two kinds do not compare.
    is_text : bool
        Whether it comes from a text file.
    """

    name: str
    type: str
    kind: str
    is_text: bool = False

    @property
    def label_expression(self) -> str:
        """SQL for the values as labels, NULL where there is none."""
        if self.is_text:
            words = ", ".join(map(quoted, sorted(MISSING_WORDS)))
            name = identifier(self.name)
            return f"CASE WHEN {name} IN ({words}) THEN NULL ELSE encode({name}) END"
        return self.expression

    @property
    def expression(self) -> str:
        """SQL for the values as they are grouped and joined: none is lost or merged."""
        name = identifier(self.name)
        if self.kind == "text":  # as bytes: a collation would merge names
            return f"encode({name}::VARCHAR)"
        if self.type in _WIDE:  # Arrow and parquet have no such integers
            return f"{name}::VARCHAR"
        if self.type in _FLOATS:
            return f"CASE WHEN isnan({name}) THEN NULL ELSE {name} END"
        return name

    def constants(self, values: Sequence[Any]) -> list[str]:
        """Return SQL for those of some labels that this column can hold in any case."""
        constants = []
        for declared in values:
            value = declared
            if isinstance(value, Written):
                value = value.text if self.kind == "text" else without_numpy(value.value)
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            is_whole = is_number and value == value and value % 1 == 0
            if self.is_text and is_whole:
                value = str(int(value))
            if self.kind == "text" and isinstance(value, str):
                constants.append(f"encode({quoted(value)})")
            elif self.kind == "integer" and is_whole:
                number = str(int(value))
                constants.append(quoted(number) if self.type in _WIDE else number)
            elif self.type == "DOUBLE" and is_number and value == value:
                constants.append(f"{quoted(repr(float(value)))}::DOUBLE")
            elif self.kind == "bool" and isinstance(value, bool):
                constants.append(str(value))
        return constants

    def read(self, values: Any, what: str) -> Column:
        """Return a column of Arrow, made by ``expression``, as labels."""
        import pyarrow

        if self.is_text:
            distinct = _combined(values.cast(pyarrow.string()).dictionary_encode())
            missing = ~present_in(distinct.indices)
            codes = numbers_of(distinct.indices)
            return from_dictionary(
                codes, typed_cells(distinct.dictionary.to_pylist()), missing, what
            )
        if self.kind == "text":
            return read_column(values.cast(pyarrow.large_string()), what)
        if self.type in _WIDE:
            distinct = _combined(values.dictionary_encode())
            missing = ~present_in(distinct.indices)
            codes = numbers_of(distinct.indices)
            integers = [int(x) for x in distinct.dictionary.to_pylist()]
            return from_dictionary(codes, integers, missing, what)
        return read_column(values, what)


def _combined(values: Any) -> Any:
    """Return chunks of a dictionary column as one array."""
    import pyarrow

    if not isinstance(values, pyarrow.ChunkedArray):
        return values
    values = values.unify_dictionaries()
    chunks = values.combine_chunks()
    if isinstance(chunks, pyarrow.Array):
        return chunks
    if chunks.num_chunks == 0:
        return pyarrow.array([], values.type)
    return pyarrow.concat_arrays(chunks.chunks)


def is_integer(name: str) -> bool:
    """Return whether a type is of integers that Arrow has too."""
    return name in _INTEGERS


def kind_of_type(name: str) -> str | None:
    """Return the word for the values of a type, None for one that cannot be a label."""
    if name in _INTEGERS or name in _WIDE:
        return "integer"
    if name in _FLOATS:
        return "float"
    if name.startswith("DECIMAL"):
        return "decimal"
    if name == "BOOLEAN":
        return "bool"
    if name in _AS_TEXT or name.startswith("ENUM"):
        return "text"
    if name == "BLOB":
        return "bytes"
    if name in _TIMES:
        return "time of day" if name == "TIME" else "datetime"
    return "datetime with a time zone" if name in _ZONED else None


def columns_of(session: Session, source: Source, names: Sequence[str]) -> list[ColumnOf]:
    """Return the named columns of a source.

    Raises
    ------
    ValueError
        A column does not exist, or holds nothing that can be a label or an id.
    """
    if source.statement:
        session.check_statement(source.statement, source.described)
    types = session.described(source.sql, source.described)
    if source.parquet:
        _check_files(session, source, names)
    columns = []
    for name in names:
        if name not in types:
            raise ValueError(
                f"{source.described} has no column {name!r}; its columns: {', '.join(types)}"
            )
        kind = kind_of_type(types[name])
        if kind is None:
            raise ValueError(
                f"column {name!r} of {source.described} is of type {types[name]}, which is "
                "neither a label nor an id; cast it in a statement of SQL, for example to "
                "VARCHAR"
            )
        columns.append(ColumnOf(name, types[name], kind, source.is_text))
    return columns


def _check_files(session: Session, source: Source, names: Sequence[str]) -> None:
    """Refuse files of parquet that hold a column as another type: DuckDB would convert it.

    Integers of any width are integers; what does not fit is an error of DuckDB.
    """
    columns, rows = session.fields_of_parquet(source.parquet, source.described)
    told = "duckdb_type" if "duckdb_type" in columns else "type"  # that of parquet, in the past
    file_name, name, n_children, kind = (
        columns.index(x) for x in ("file_name", "name", "num_children", told)
    )
    first: dict[str, tuple[str, str]] = {}
    at = 0
    while at < len(rows):  # the root of a file, and behind it each column with its fields
        file, n_columns = rows[at][file_name], rows[at][n_children]
        types = {}
        at += 1
        for _ in range(n_columns or 0):
            types[rows[at][name]] = str(rows[at][kind])
            left = 1
            while left:
                left += (rows[at][n_children] or 0) - 1
                at += 1
        for column in names:
            if column not in types and column not in first:
                continue  # the first file tells what columns there are
            if column not in types:
                raise ValueError(
                    f"{file}: no column {column!r}; its columns: {', '.join(types)}"
                )
            before, file_before = first.setdefault(column, (types[column], file))
            both = {before, types[column]}
            if len(both) > 1 and not both <= _INTEGERS | {"INT32", "INT64"}:
                raise ValueError(
                    f"column {column!r} is of type {before} in {file_before}, but of type "
                    f"{types[column]} in {file}; write the files with one type, or name them "
                    "one by one in a statement of SQL that casts it"
                )


def ids_of(columns: Sequence[ColumnOf], values: Sequence[Any]) -> Column:
    """Return item ids of one or several columns."""
    read = [column.read(x, "items") for column, x in zip(columns, values, strict=True)]
    if len(read) == 1:
        return read[0]
    parts = [one.decode().tolist() for one in read]
    return read_column(object_array(list(zip(*parts, strict=True))), "items")
