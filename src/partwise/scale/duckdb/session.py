"""A connection to DuckDB with the memory, threads and folder that the caller allows."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

T = TypeVar("T")

_UNITS = {"bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
_DISK_FULL = ("No space left", "File too large", "max_temp_directory_size", "quota")


def import_duckdb() -> Any:
    """Return the module, or say how to install it."""
    try:
        import duckdb
        import pyarrow  # noqa: F401 - DuckDB hands its results over as Arrow
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"tables by DuckDB need {error.name}: pip install {error.name}",
            name=error.name,
        ) from error
    return duckdb


class MemoryLimitError(MemoryError):
    """DuckDB reached its memory limit."""


class Session:
    """A connection, the settings made on it, and a folder for what is written on the way.

    A connection of the caller gets its settings back; a connection of our own is closed. The
    folder is removed in either case.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection or None
        Of the caller; None: one in memory is opened.
    memory_limit : str or int or None
        As DuckDB has it ("1GB"), or bytes.
    temp_directory : path or None
        Folder in which a folder for temporary files is made.
    threads : int or None
    relations : sequence
        Objects of Python that statements call ``partwise_reference`` and
        ``partwise_candidate``.
    """

    def __init__(
        self,
        connection: Any,
        memory_limit: str | int | None,
        temp_directory: str | Path | None,
        threads: int | None,
        relations: tuple[Any, Any] = (None, None),
    ) -> None:
        self._duckdb = import_duckdb()
        self._relations = relations
        parent = tempfile.gettempdir() if temp_directory is None else str(temp_directory)
        if not os.path.isdir(parent):
            raise FileNotFoundError(
                errno.ENOENT, "temp_directory= names a folder that does not exist", parent
            )
        self.folder = Path(tempfile.mkdtemp(prefix="partwise-duckdb-", dir=parent))
        self._settings: dict[str, Any] = {}
        self._own = connection is None
        try:
            if self._own:
                connection = self._duckdb.connect()
            self.connection = connection
            if self._own:
                self.set("temp_directory", str(self.folder / "spill"))
                # which DuckDB would draw on standard output where a program has no file
                self.set("enable_progress_bar", False)
            if memory_limit is not None:
                if isinstance(memory_limit, int):
                    memory_limit = f"{memory_limit}B"
                self.set("memory_limit", memory_limit)
            if threads is not None:
                self.set("threads", threads)
        except BaseException:
            self._close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()

    def _close(self) -> None:
        try:
            if self._own and hasattr(self, "connection"):
                self.connection.close()
            else:
                for name, value in self._settings.items():
                    self.connection.execute(f"RESET {name}").fetchall()
                    if self._setting(name) == value:
                        continue
                    if name == "memory_limit":  # shown with one decimal, the rest cut off
                        value = str(value).replace(" ", "5 ")
                    self.connection.execute(f"SET {name} = {_literal(value)}").fetchall()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def set(self, name: str, value: Any) -> None:
        """Change a setting until the session ends."""
        before = self._setting(name)
        try:
            self.connection.execute(f"SET {name} = {_literal(value)}").fetchall()
        except self._duckdb.Error as error:
            raise ValueError(f"{name}={value!r} is refused by DuckDB: {error}") from error
        self._settings.setdefault(name, before)

    def _setting(self, name: str) -> Any:
        rows = self.connection.execute(f"SELECT current_setting('{name}')").fetchall()
        return rows[0][0]

    @property
    def memory_limit(self) -> int:
        """Bytes that DuckDB may take."""
        (text,) = self.connection.execute("SELECT current_setting('memory_limit')").fetchall()[
            0
        ]
        number, _, unit = str(text).partition(" ")
        return int(float(number) * _UNITS[unit or "bytes"])

    # ---- statements ------------------------------------------------------------------

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Return the few rows of a statement, or run one that has none."""

        def fetch() -> list[tuple[Any, ...]]:
            partwise_reference, partwise_candidate = self._relations  # noqa: RUF059
            rows: list[tuple[Any, ...]] = self.connection.execute(statement).fetchall()
            return rows

        with self._explained():
            return self._interruptible(fetch)

    def fields_of_parquet(
        self, files: str, shown: str
    ) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Return the names of the columns of ``parquet_schema``, and its rows of all files."""
        statement = f"SELECT * FROM parquet_schema({files})"
        try:
            with self._explained():
                done = self.connection.execute(statement)
                return [str(column[0]) for column in done.description], done.fetchall()
        except self._duckdb.Error as error:
            raise ValueError(f"{shown} cannot be read by DuckDB: {error}") from error

    def check_statement(self, text: str, shown: str) -> None:
        """Raise unless text is one statement by itself: it will stand in parentheses."""
        try:
            n = len(self._duckdb.extract_statements(text))
        except self._duckdb.Error as error:
            raise ValueError(f"{shown} cannot be read by DuckDB: {error}") from error
        if n != 1:
            raise ValueError(f"{shown} holds {n} statements of SQL; one SELECT is expected")

    def described(self, source: str, shown: str) -> dict[str, str]:
        """Return the types of the columns of what stands behind FROM, by their names."""
        try:
            described = self.rows(f"DESCRIBE SELECT * FROM {source}")
        except self._duckdb.Error as error:
            raise ValueError(f"{shown} cannot be read by DuckDB: {error}") from error
        return {str(name): str(kind) for name, kind, *_ in described}

    def count(self, source: str) -> int:
        """Return the number of rows of what stands behind FROM."""
        return int(self.rows(f"SELECT count(*) FROM {source}")[0][0])

    def arrow(self, statement: str) -> Any:
        """Return the rows of a statement as a table of Arrow."""

        def fetch() -> Any:
            # DuckDB looks up names of tables that it does not have among these variables
            partwise_reference, partwise_candidate = self._relations  # noqa: RUF059
            return self.connection.sql(statement).to_arrow_table()

        with self._explained():
            return self._interruptible(fetch)

    def _interruptible(self, fetch: Callable[[], T]) -> T:
        """Run a statement so that Ctrl-C ends it.

        Python handles signals in its main thread, between its own instructions, of which there
        are none while DuckDB works there: so DuckDB works in another one, and is told.
        """
        if threading.current_thread() is not threading.main_thread():
            return fetch()
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(fetch)
            try:
                return running.result()
            except BaseException:
                if not running.done():
                    self.connection.interrupt()
                raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn errors of memory and disk, and interrupts, into Python's own."""
        duckdb = self._duckdb
        try:
            yield
        except (duckdb.OutOfMemoryException, duckdb.IOException) as error:
            text = str(error)
            reason = text.partition("\n")[0]
            if any(words in text for words in _DISK_FULL):
                raise OSError(
                    errno.ENOSPC,
                    f"the folder for temporary files is full ({reason}); what was written "
                    "there has been removed; name a folder with more room as "
                    "temp_directory=, or raise memory_limit=",
                    str(self.folder.parent),
                ) from error
            if isinstance(error, duckdb.OutOfMemoryException):
                raise MemoryLimitError(
                    f"DuckDB reached its memory limit ({reason}); raise memory_limit= or "
                    "lower threads="
                ) from error
            raise
        except RuntimeError as error:
            if str(error) == "Query interrupted":  # by a signal, which Python is not told of
                raise KeyboardInterrupt from error
            raise


def _literal(value: Any) -> str:
    if isinstance(value, (bool, int)):
        return str(value).lower()
    return quoted(str(value))


def quoted(text: str) -> str:
    """Return text as a constant of SQL."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """Return the name of a column or table as SQL takes any."""
    return '"' + name.replace('"', '""') + '"'
