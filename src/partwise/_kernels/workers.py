"""Threads for a kernel, and the working memory that each of them keeps between calls."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np

from partwise import _kernels

Block = TypeVar("Block")
Found = TypeVar("Found")

#: Bytes of working memory that are kept when calls are over.
KEPT_BYTES = 1 << 28
#: Threads that count one table at most; items that are worth another: as in pw_tuning.h.
WORKERS_MOST, WORKER_ITEMS = 64, 1 << 18
#: Working memory that no call uses now. Appending and popping are atomic.
_idle: list[Any] = []


def read_workers(workers: Any) -> int:
    """Return how many threads ``workers`` means: a number, or -1 for one per core."""
    if isinstance(workers, bool) or not isinstance(workers, (int, np.integer)):
        raise TypeError(f"workers={workers!r} must be an integer")
    if workers == 0 or workers < -1:
        raise ValueError(f"workers={workers} must be at least 1, or -1 for one per core")
    return cores() if workers == -1 else int(workers)


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def map_blocks(
    function: Callable[[Block], Found], blocks: Sequence[Block], workers: int
) -> Iterator[Found]:
    """Yield the function of each block, in order; so many threads work on them.

    An error, or an interrupt of the caller, leaves the blocks that have not begun undone and
    waits for those under way.
    """
    if workers == 1 or len(blocks) < 2:
        yield from map(function, blocks)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(min(workers, len(blocks), max(WORKERS_MOST, cores()))) as pool:
        yield from pool.map(function, blocks)


def worth_counting(workers: int, n_items: int) -> int:
    """Return how many of the threads asked for so many items keep busy, at least 1."""
    return max(1, min(workers, WORKERS_MOST, n_items // WORKER_ITEMS))


@contextmanager
def scratches(count: int) -> Iterator[list[Any]]:
    """Lend working memory for some threads; nobody else has it meanwhile."""
    lent = [take_scratch() for _ in range(count)]
    try:
        yield lent
    finally:
        for scratch in reversed(lent):  # the next call finds them in the same order
            keep_scratch(scratch)


def keep_scratch(scratch: Any) -> None:
    """Keep working memory for the next call, unless there is enough already."""
    if scratch_bytes() + scratch.nbytes <= KEPT_BYTES:
        _idle.append(scratch)


def take_scratch() -> Any:
    """Return working memory that nobody else has until it is kept again."""
    kind = _kernels.impl.Scratch
    try:
        scratch = _idle.pop()
    except IndexError:
        return kind()
    return scratch if isinstance(scratch, kind) else kind()


def scratch_bytes() -> int:
    """Return the bytes of working memory kept for later calls."""
    return sum(scratch.nbytes for scratch in list(_idle))


def free_scratch() -> int:
    """Give back the working memory that is kept between calls; return how many bytes.

    Tables are counted in memory that the next call finds again, at most 256 MiB in all. Calls
    that are under way in other threads keep theirs until they are done.

    Returns
    -------
    int
        Bytes given back.

    Examples
    --------
    >>> import partwise as pw
    >>> table = pw.contingency([0, 0, 1, 1], [0, 1, 1, 1])
    >>> pw.free_scratch() >= 0
    True
    >>> pw.free_scratch()
    0
    """
    freed = 0
    while _idle:
        try:
            scratch = _idle.pop()
        except IndexError:  # another thread was faster
            break
        freed += scratch.nbytes
        scratch.free()
    return freed
