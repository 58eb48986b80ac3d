"""Files larger than memory, which are counted block by block, and tables that were saved."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from partwise._kernels.workers import read_workers
from partwise.cli.options import (
    check_policies_of_items,
    read_policies,
    reading_options,
    split_source,
)
from partwise.cli.tables.joined import joined_table
from partwise.cli.tables.limits import check_limit_acts, memory_limit, read_size, spoken
from partwise.cli.tables.text_sides import TEXT_BYTES, TEXT_KINDS
from partwise.scale import blocks
from partwise.scale.sources import kind_in_blocks, rows_of
from partwise.scale.text import NotInPiecesError, top_of_text
from partwise.table.contingency import Contingency

#: Bytes that an item takes while two columns are read and compared in memory.
_ITEM_BYTES = 48
#: Bytes that an item of a block takes at most, its cell included.
_BLOCK_ITEM_BYTES = 256
_LEAST_BLOCK = 1 << 14
_READING = ("header", "delimiter", "comment")
_IN_BLOCKS = "they are counted block by block"


def add_large_options(parser: argparse.ArgumentParser, *, workers: bool = True) -> None:
    """Add the options of what is counted block by block; ``workers``: those of threads too."""
    group = parser.add_argument_group("large files")
    group.add_argument(
        "--memory-limit",
        metavar="SIZE",
        help="count files block by block, or with --item join them by DuckDB, where reading "
        "them would take more memory, such as 500MB or 2GB (default: half of what the machine "
        "has)",
    )
    if workers:
        group.add_argument(
            "--workers",
            type=int,
            metavar="N",
            help="threads that count; -1: one for each core (default: 1)",
        )


def table_of(options: argparse.Namespace) -> Contingency | None:
    """Return the table of the command: a saved one, or of files past the memory limit.

    None where the clusterings are to be read into memory.
    """
    if options.candidate is None:
        _check_of_table(options)
        return Contingency.load(options.reference)
    if any(getattr(options, name, None) is not None for name in ("features", "groups")):
        check_limit_acts(options)
        return None
    if options.item:
        return joined_table(options)
    if not are_past_limit(options):
        return None
    return counted_in_blocks(options)


def are_past_limit(options: argparse.Namespace) -> bool:
    """Return whether both files are read in blocks and would take too much memory; say so.

    Text of a kind that is read as a whole only is, which is said, too.
    """
    if not are_in_blocks(options):
        if options.memory_limit is not None and not options.item:
            read_size(options.memory_limit)
            told = "--memory-limit does nothing here: two columns of npy, npz, parquet or text"
            told += " tables are counted block by block, without options that ask for more"
            print(f"partwise: note: {told}", file=sys.stderr)
        return False
    limit = memory_limit(options)
    needed = _needed(options)
    if needed <= limit:
        return False
    told = (
        f"partwise: note: to read these files would take about {spoken(needed)}, the limit is "
        f"{spoken(limit)} (--memory-limit); "
    )
    whole = _read_as_a_whole(options)
    told += f"they are read all the same; {whole}" if whole else _IN_BLOCKS
    print(told, file=sys.stderr)
    return not whole


def _read_as_a_whole(options: argparse.Namespace) -> str:
    """Return why a text file cannot be read in blocks, "" where both can."""
    for path, _ in _files(options):
        if kind_in_blocks(path) in TEXT_KINDS:
            try:
                top_of_text(path)
            except NotInPiecesError as error:
                return str(error)
    return ""


def _needed(options: argparse.Namespace) -> int:
    """Return about how many bytes it would take to compare the files in memory."""
    of_text: dict[Path, int] = {}
    rows = 0
    for path, column in _files(options):
        if kind_in_blocks(path) in TEXT_KINDS:
            of_text[path] = path.stat().st_size * TEXT_BYTES
        else:
            rows = max(rows, rows_of(path, column))
    return rows * _ITEM_BYTES + sum(of_text.values())


def _files(options: argparse.Namespace) -> list[tuple[Path, Any]]:
    """Return path and column of both sides."""
    sides = [split_source(source) for source in (options.reference, options.candidate)]
    return [(Path(path), column or options.label or None) for path, column in sides]


def counted_in_blocks(options: argparse.Namespace) -> Contingency:
    """Return the table of two files that are read in blocks."""
    check_policies_of_items(options)
    files = _files(options)
    workers = read_workers(options.workers)
    most = memory_limit(options) // (_BLOCK_ITEM_BYTES * workers)
    reading = {name: reading_options(options)[name] for name in _READING}
    return blocks.contingency(
        files[0][0],
        files[1][0],
        label=tuple(column for _, column in files),
        block_items=max(_LEAST_BLOCK, min(most, blocks.BLOCK_ITEMS)),
        workers=workers,
        progress=True,
        **reading,
        **read_policies(options),
    )


def are_in_blocks(options: argparse.Namespace, *, text: bool = True) -> bool:
    """Return whether both files are of kinds that can be read in blocks, as they are asked."""
    kinds = [kind_in_blocks(path) for path, _ in _files(options)]
    of_text = [kind in TEXT_KINDS for kind in kinds]
    reading = reading_options(options)
    if any(of_text) and not text:
        return False
    if not all(of_text) and any(reading[name] is not None for name in _READING):
        return False
    items = options.item or options.flatten or "," in (options.label or "")
    return all(kinds) and not items and options.format == "auto"


def _check_of_table(options: argparse.Namespace) -> None:
    """Refuse options that do nothing for a table that was saved."""
    idle = {
        "item": None,
        "label": None,
        "header": None,
        "delimiter": None,
        "comment": None,
        "flatten": False,
        "features": None,
        "memory_limit": None,
        "unmatched": "error",
        "missing": "error",
        "duplicates": "error",
        "missing_labels": None,
        "missing_labels_reference": None,
        "missing_labels_candidate": None,
    }
    used = [name for name, unset in idle.items() if getattr(options, name, unset) != unset]
    if used:
        option = "--" + used[0].replace("_", "-")
        raise ValueError(
            f"{options.reference}: {option} would do nothing for a table, whose items were "
            "counted before; give REFERENCE and CANDIDATE, or leave the option out"
        )


def describe(table: Contingency) -> Any:
    """Return what a table is, in one line."""
    rows, cols = table.shape
    return (
        f"{table.account.describe()}; {rows} reference clusters, {cols} candidate clusters, "
        f"{table.n_cells} cells"
    )
