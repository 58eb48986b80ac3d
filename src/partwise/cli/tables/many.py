"""Columns of one parquet file that are scored block by block where memory is short."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from partwise._kernels.workers import read_workers
from partwise.cli.options import (
    check_policies_of_items,
    read_policies,
    reading_options,
    split_names,
)
from partwise.cli.tables.limits import check_limit_acts, memory_limit, read_size, spoken
from partwise.cli.tables.parquet_sides import kind_of_column
from partwise.labels.files.arrow_tables import parquet_columns
from partwise.labels.files.headers import role_of
from partwise.labels.files.sources import Source, kind_of
from partwise.labels.files.table import Table
from partwise.scale import blocks
from partwise.scoring.results import ScoreTable
from partwise.scoring.tables import score_tables
from partwise.table.contingency import Contingency

#: Bytes that a label takes while its column is read and scored in memory, and text beside.
_LABEL_BYTES, _TEXT_BYTES = 24, 48
#: Bytes that an item of a block takes at most, its cell included.
_BLOCK_ITEM_BYTES = 256
_LEAST_BLOCK = 1 << 14


def scores_past_limit(
    options: argparse.Namespace, choose: Callable[[Table, str], list[str]]
) -> ScoreTable | None:
    """Return the scores of columns that would take too much memory, counted in blocks.

    ``choose`` returns the candidates of a table beside its reference. None where the file fits
    in the limit, or is not of this form.
    """
    check_limit_acts(options)
    found = _columns_in_blocks(options)
    if found is None:
        _tell_idle(options)
        return None
    path = Path(options.file)
    table, n_rows = found
    reference = table.find(options.reference)
    chosen = choose(table, reference)
    kinds = [kind_of_column(table.columns[name]) for name in (reference, *chosen)]
    limit = memory_limit(options)
    needed = n_rows * (_LABEL_BYTES * len(kinds) + _TEXT_BYTES * kinds.count("text"))
    if not all(kinds):
        _tell_idle(options)
        return None
    if needed <= limit:
        return None
    check_policies_of_items(options)
    print(
        f"partwise: note: to read these columns would take about {spoken(needed)}, the limit "
        f"is {spoken(limit)} (--memory-limit); they are counted block by block",
        file=sys.stderr,
    )
    notes = [note.at(path.name) for note in table.notes]

    def tables() -> Iterator[tuple[str, Contingency]]:
        for name in chosen:
            counted = _counted(path, reference, name, options, limit)
            told = tuple(dict.fromkeys([*notes, *counted.account.notes]))
            yield name, replace(counted, account=replace(counted.account, notes=told))

    return score_tables(tables(), split_names(options.measures))


def _columns_in_blocks(options: argparse.Namespace) -> tuple[Table, int] | None:
    """Return the columns of a parquet file and its rows, None where they are read otherwise."""
    path = Path(options.file)
    further = (
        options.item,
        options.features,
        *{**reading_options(options), "format": 0}.values(),
    )
    if any(further) or options.format not in ("auto", "parquet") or not path.is_file():
        return None
    with path.open("rb") as file:
        if kind_of(Source(path), file.read(64)) != "parquet":
            return None
    table, n_rows = parquet_columns(path)
    if not n_rows or (not options.candidates and any(map(_may_hold_ids, table.every_name))):
        return None  # whether it does, the rows tell
    return table, n_rows


def _tell_idle(options: argparse.Namespace) -> None:
    """Say that a limit does nothing, where one was given."""
    if options.memory_limit is None:
        return
    read_size(options.memory_limit)
    told = "--memory-limit does nothing here: columns of one parquet file are counted block by "
    told += "block, those that --candidates names where one may hold ids, and without --item"
    print(f"partwise: note: {told}", file=sys.stderr)


def _may_hold_ids(name: str) -> bool:
    return role_of(name) == "item"


def _counted(
    path: Path, reference: str, candidate: str, options: argparse.Namespace, limit: int
) -> Contingency:
    """Return the table of two columns."""
    workers = read_workers(options.workers)
    most = limit // (_BLOCK_ITEM_BYTES * workers)
    try:
        return blocks.contingency(
            path,
            label=(reference, candidate),
            block_items=max(_LEAST_BLOCK, min(most, blocks.BLOCK_ITEMS)),
            workers=workers,
            **read_policies(options),
        )
    except (TypeError, ValueError) as error:
        raise type(error)(f"candidate {candidate!r}: {error}") from error
