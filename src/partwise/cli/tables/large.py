"""Files larger than memory, which are counted block by block, and tables that were saved."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from typing import Any

from partwise._kernels.workers import read_workers
from partwise.cli.options import read_policies, split_source
from partwise.scale import blocks
from partwise.scale.sources import in_blocks, rows_of
from partwise.table.contingency import Contingency

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
#: Bytes that an item takes while two columns are read and compared in memory.
_ITEM_BYTES = 48
#: Bytes that an item of a block takes at most, its cell included.
_BLOCK_ITEM_BYTES = 256
_LEAST_BLOCK = 1 << 14


def add_large_options(parser: argparse.ArgumentParser, *, workers: bool = True) -> None:
    """Add the options of what is counted block by block; ``workers``: those of threads too."""
    group = parser.add_argument_group("large files")
    group.add_argument(
        "--memory-limit",
        metavar="SIZE",
        help="count npy, npz and parquet files block by block where reading them would take "
        "more memory, such as 500MB or 2GB (default: half of what the machine has)",
    )
    if workers:
        group.add_argument(
            "--workers",
            type=int,
            metavar="N",
            help="threads that count; -1: one for each core (default: 1)",
        )


def read_size(text: str) -> int:
    """Return a number of bytes: 500MB, 2G, 1.5GiB (all in powers of 1024)."""
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)(?:i?B)?", text.strip(), re.I)
    if match is None:
        raise ValueError(f"--memory-limit {text} is no size; give one such as 500MB or 2GB")
    size = int(float(match[1]) * _UNITS[match[2].upper()])
    if size < 1:
        raise ValueError(f"--memory-limit {text} is nothing; give a size such as 500MB")
    return size


def memory_limit(options: argparse.Namespace) -> int:
    """Return the limit in bytes."""
    if options.memory_limit is not None:
        return read_size(options.memory_limit)
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):  # a system that does not tell
        return 4 << 30


def table_of(options: argparse.Namespace) -> Contingency | None:
    """Return the table of the command: a saved one, or of files that are read in blocks.

    None where the clusterings are to be read into memory.
    """
    if options.candidate is None:
        _check_of_table(options)
        return Contingency.load(options.reference)
    limit = memory_limit(options)
    if not _are_counted_in_blocks(options):
        return None
    sides = [split_source(source) for source in (options.reference, options.candidate)]
    rows = max(rows_of(Path(path), column or options.label or None) for path, column in sides)
    if rows * _ITEM_BYTES <= limit:
        return None
    print(
        f"partwise: note: {rows} rows would take about {rows * _ITEM_BYTES >> 20} MB, the "
        f"limit is {limit >> 20} MB (--memory-limit); they are counted block by block",
        file=sys.stderr,
    )
    return counted_in_blocks(options)


def counted_in_blocks(options: argparse.Namespace, *, progress: bool = False) -> Contingency:
    """Return the table of two files that are read in blocks."""
    sides = [split_source(source) for source in (options.reference, options.candidate)]
    workers = read_workers(options.workers)
    most = memory_limit(options) // (_BLOCK_ITEM_BYTES * workers)
    return blocks.contingency(
        *(Path(path) for path, _ in sides),
        label=tuple(column or options.label or None for _, column in sides),
        block_items=max(_LEAST_BLOCK, min(most, blocks.BLOCK_ITEMS)),
        workers=workers,
        progress=progress,
        **read_policies(options),
    )


def are_in_blocks(options: argparse.Namespace) -> bool:
    """Return whether both files are of a kind that can be read in blocks, as they are asked."""
    paths = [split_source(source)[0] for source in (options.reference, options.candidate)]
    asked = (options.item, options.header, options.delimiter, options.comment)
    plain = not any(asked) and not options.flatten
    formats = ("auto", "npy", "npz", "parquet")
    several = "," in (options.label or "")
    return plain and not several and options.format in formats and all(map(in_blocks, paths))


def _are_counted_in_blocks(options: argparse.Namespace) -> bool:
    needs_items = getattr(options, "features", None) or getattr(options, "groups", None)
    return not needs_items and are_in_blocks(options)


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
