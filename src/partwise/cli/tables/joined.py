"""Files that are joined by their items, by DuckDB where memory is short."""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from partwise.cli.options import read_policies, split_source, tell_missing_words
from partwise.cli.tables.limits import memory_limit, spoken
from partwise.cli.tables.parquet_sides import ParquetSide, bytes_in_memory, parquet_side
from partwise.cli.tables.text_sides import TEXT_BYTES, TextSide, is_text, text_side
from partwise.labels.notes import IDS_AS_TEXT, Note
from partwise.table.contingency import Contingency

#: DuckDB does not start with less.
LEAST_OF_DUCKDB = 256 << 20
_JOINED = (
    "DuckDB joins text tables and parquet with one column of labels and ids that are integers "
    "or text"
)


def joined_table(options: argparse.Namespace) -> Contingency | None:
    """Return the table of two files that DuckDB joins by their items.

    None where the files fit in the limit, are not of this form, or DuckDB is not installed;
    what is done is said.
    """
    if not options.item or options.candidate is None:
        return None
    names = options.reference, options.candidate
    if options.label and all(split_source(name)[1] for name in names):
        return None  # which is an error of its own
    paths = [Path(split_source(name)[0]) for name in names]
    of_text = [is_text(path) for path in paths]
    of_parquet = [
        None if text else parquet_side(options, name, beside_text=any(of_text))
        for name, text in zip(names, of_text, strict=True)
    ]
    needed = bytes_in_memory(*(side for side in of_parquet if side is not None))
    sizes = {
        path: path.stat().st_size for path, text in zip(paths, of_text, strict=True) if text
    }
    needed += sum(sizes.values()) * TEXT_BYTES
    limit = memory_limit(options)
    if needed <= limit:
        others = not all(text or side for text, side in zip(of_text, of_parquet, strict=True))
        if others and options.memory_limit is not None:
            told = f"--memory-limit does nothing here: {_JOINED}"
            print(f"partwise: note: {told}", file=sys.stderr)
        return None
    told = (
        f"partwise: note: to read these files would take about {spoken(needed)}, the limit is "
        f"{spoken(limit)} (--memory-limit); "
    )
    if find_spec("duckdb") is None:
        told += "they are read all the same, as joining them outside of memory needs duckdb: "
        print(f"{told}pip install duckdb", file=sys.stderr)
        return None
    sides = [
        text_side(options, name) if text else side
        for name, text, side in zip(names, of_text, of_parquet, strict=True)
    ]
    first, second = sides
    if first is None or second is None:
        told += f"they are read all the same, as {_JOINED}; write them as such parquet"
        print(told, file=sys.stderr)
        return None
    print(f"{told}they are joined by DuckDB", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="partwise-duckdb-") as folder:
        reference, candidate = (
            side.as_parquet(Path(folder), x) if isinstance(side, TextSide) else side
            for x, side in (("reference", first), ("candidate", second))
        )
        tell_missing_words([*reference.notes, *candidate.notes])
        return _joined(options, reference, candidate, limit)


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
        # below its sentence may stand the line of the statement, with a mark under the place
        sentence = re.split(r"\n+LINE [0-9]+: ", str(error))[0]
        told = " ".join(filter(None, map(str.strip, sentence.splitlines())))
        raise ValueError(f"DuckDB cannot go on: {told}") from error
