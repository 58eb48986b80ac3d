"""The table of labels that come in blocks: memory for its cells and one block of items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Integral
from pathlib import Path
from typing import Any, Unpack

from partwise._kernels.workers import read_workers
from partwise.labels.columns import with_article
from partwise.labels.policies import read_policies
from partwise.progress import rows_shown
from partwise.scale.sources import Blocks, blocks_of
from partwise.table.contingency import Contingency, check_no_features
from partwise.table.merge import from_blocks
from partwise.typing import Policies

__all__ = ["contingency"]

#: Items of a block: enough that a block costs little beside its items.
BLOCK_ITEMS = 1 << 21


def contingency(
    reference: Any,
    candidate: Any = None,
    *,
    label: str | int | tuple[str | int | None, str | int | None] | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    comment: str | None = None,
    block_items: int = BLOCK_ITEMS,
    expected_items: int | None = None,
    workers: int | None = None,
    progress: bool = False,
    **policies: Unpack[Policies],
) -> Contingency:
    """Return the table of two clusterings whose labels need not fit in memory.

    Parameters
    ----------
    reference, candidate : array, path, or iterable of blocks
        Two arrays of one shape (memory maps, arrays of zarr or HDF5: anything with ``shape``
        that can be cut), which are read in boxes of whole chunks; or paths of npy, npz,
        parquet (a file, or a folder of files) or text tables; or, alone, an iterable of blocks
        (reference, candidate), (reference, candidate, weights) or of tables. Items stand in the
        same order on both sides.
    label : str, int, or a pair (reference, candidate), optional
        Column of each file, by name or number from 1. With a pair, one path is enough.
    header, delimiter, comment : optional
        How text files are read, as in ``read``. They are read twice: what the labels are
        depends on all cells.
    block_items : int, default 2097152
        Items of a block at most, where blocks are cut here.
    expected_items : int, optional
        Number of items that must come out.
    workers : int, optional
        Threads that count blocks, and blocks in memory; -1 is one for each core, the default
        that of ``set_workers``. The table is the same for any number.
    progress : bool, default False
        Show rows, rows a second and the time left, on a terminal.
    **policies
        ``missing``, ``missing_labels``, ``unmatched``, ``duplicates``: see ``align``. Items of
        two blocks are always different ones.

    Returns
    -------
    Contingency
        That of all items at once, bit for bit.

    Raises
    ------
    ValueError, TypeError
        As ``align``, with the number of the block, and file and row of an item without a label;
        the sides differ in length or shape, or are files that hold the same ids in another
        order; the items are not ``expected_items``.

    Notes
    -----
    Each block is counted as ``contingency`` does it; partial tables are merged in a stack of
    doubling sizes, in the memory of the larger one. Working memory is at most twice the cells
    (16 bytes each) and one block a worker, whatever the number of items.

    Examples
    --------
    >>> import numpy as np
    >>> import partwise as pw
    >>> labels = np.arange(24).reshape(2, 3, 4)
    >>> pw.scale.blocks.contingency(labels // 5, labels // 4, block_items=8)
    Contingency(24 items, 5 x 6 clusters, 9 cells)
    """
    check_no_features(policies, "contingency")
    threads = read_workers(workers)
    if not _is_count(block_items):
        raise TypeError(f"block_items={block_items!r} must be an integer")
    if block_items < 1:
        raise ValueError(f"block_items={block_items} must be at least 1")
    if expected_items is not None and not _is_count(expected_items):
        raise TypeError(f"expected_items={expected_items!r} must be an integer, or None")
    read_policies(**{k: v for k, v in policies.items() if k not in ("weights", "multiplicity")})
    reading = {"header": header, "delimiter": delimiter, "comment": comment}
    reading = {name: value for name, value in reading.items() if value is not None}
    blocks = _blocks(reference, candidate, label, int(block_items), policies, reading)
    with rows_shown("counting", blocks.n_items, progress) as told:
        table = from_blocks(
            blocks.parts,
            policies,
            read=blocks.read,
            workers=threads,
            told=told,
            place=blocks.place,
        )
    if expected_items is not None and table.n_items != expected_items:
        raise ValueError(
            f"the blocks hold {table.n_items} items to compare, not "
            f"expected_items={expected_items}"
        )
    return table


def _is_count(value: Any) -> bool:
    """Return whether a value is an integer, of Python or NumPy."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def _blocks(
    reference: Any,
    candidate: Any,
    label: Any,
    most: int,
    policies: Mapping[str, Any],
    reading: dict[str, Any],
) -> Blocks:
    if candidate is None and isinstance(reference, (str, Path)):
        if not isinstance(label, tuple):
            raise TypeError(
                f"{reference}: one path holds both sides where label= is the pair of their "
                "columns (reference, candidate)"
            )
        candidate = reference
    if candidate is not None:
        ordered = "singletons" in str(policies.get("missing"))  # lone items have a place
        return blocks_of(reference, candidate, label, most, ordered=ordered, reading=reading)
    if label is not None or reading:
        raise TypeError(
            "label=, header=, delimiter= and comment= are about files; blocks have none of them"
        )
    if not isinstance(reference, Iterable) or hasattr(reference, "shape"):
        raise TypeError(
            f"one {with_article(reference)} is no iterable of blocks (reference, candidate); "
            "pass the candidate beside the reference"
        )
    return Blocks(reference, None, None)
