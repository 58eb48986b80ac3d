"""Threads for a kernel, and the working memory that each of them keeps between calls."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels.threads import run_parts, working_for

Block = TypeVar("Block")
Found = TypeVar("Found")

#: Bytes of working memory that are kept when calls are over.
KEPT_BYTES = 1 << 28
#: Threads that count one table at most; items that are worth another: as in pw_tuning.h.
WORKERS_MOST, WORKER_ITEMS = 64, 1 << 18
#: The same for the numbering of text.
NUMBERING_ITEMS = 1 << 16
#: Pairs of cluster sizes whose expectations are worth a thread.
PAIRS = 1 << 15
#: What calls use that are not told; empty until somebody asks.
_default: list[int] = []
#: Threads of the call that is under way; None: the default.
_in_force: ContextVar[int | None] = ContextVar("partwise workers", default=None)
#: Working memory that no call uses now. Appending and popping are atomic.
_idle: list[Any] = []


def read_workers(workers: Any = None) -> int:
    """Return how many threads ``workers`` means: a number, -1 for one per core, None: default.

    The default is what ``set_workers`` was told, else ``PARTWISE_WORKERS``, else 1.
    """
    if workers is None:
        return _default[0] if _default else _of_environment()
    return _checked(workers, f"workers={workers!r}")


def _checked(workers: Any, what: str) -> int:
    if isinstance(workers, bool) or not isinstance(workers, (int, np.integer)):
        raise TypeError(f"{what} must be an integer")
    if workers == 0 or workers < -1:
        raise ValueError(f"{what} must be at least 1, or -1 for one per core")
    return cores() if workers == -1 else int(workers)


def _of_environment() -> int:
    """Return what PARTWISE_WORKERS says, 1 where it is not set or empty; read once."""
    text = os.environ.get("PARTWISE_WORKERS") or "1"
    try:
        number = int(text)
    except ValueError:
        raise ValueError(
            f"PARTWISE_WORKERS is {text!r}; it must be a number of threads, -1 for one per core"
        ) from None
    _default[:] = [_checked(number, f"PARTWISE_WORKERS={number}")]
    return _default[0]


def set_workers(workers: int) -> None:
    """Say how many threads calls use that are not told ``workers=``.

    It is 1 at first, or what the environment variable ``PARTWISE_WORKERS`` says. No number
    changes a bit of a result. It holds for the whole process, all of its threads.

    Parameters
    ----------
    workers : int
        At least 1; -1 is one for each core that the process may use.

    Raises
    ------
    TypeError
        No integer.
    ValueError
        0, or below -1.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.set_workers(2)
    >>> pw.contingency([0, 0, 1, 1], [0, 1, 1, 1])
    Contingency(4 items, 2 x 2 clusters, 3 cells)
    >>> pw.set_workers(1)
    """
    _default[:] = [_checked(workers, f"workers={workers!r}")]


@contextmanager
def working(workers: int) -> Iterator[None]:
    """Let what is called inside use so many threads, where it is not told itself."""
    token = _in_force.set(workers)
    try:
        yield
    finally:
        _in_force.reset(token)


def in_force() -> int:
    """Return the threads of the call that is under way, the default where it said none."""
    workers = _in_force.get()
    return read_workers() if workers is None else workers


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def map_blocks(
    function: Callable[[Block], Found],
    blocks: Sequence[Block],
    workers: int,
) -> Iterator[Found]:
    """Yield the function of each block, in order; so many threads work on them.

    An error, or an interrupt of the caller, leaves the blocks that have not begun undone; those
    under way raise it at their next poll.
    """
    if workers == 1 or len(blocks) < 2:
        yield from map(function, blocks)
        return
    from concurrent.futures import ThreadPoolExecutor

    raised: list[BaseException] = []

    def alone(block: Block) -> Found:
        with working(1), working_for(raised):  # the threads are busy with blocks
            return function(block)

    with ThreadPoolExecutor(min(workers, len(blocks), max(WORKERS_MOST, cores()))) as pool:
        try:
            yield from pool.map(alone, blocks)
        except BaseException as error:
            raised.append(error)
            raise


def joined(arrays: Sequence[NDArray[Any]], dtype: Any) -> NDArray[Any]:
    """Return arrays one behind another, in a type that holds them; threads share long ones."""
    n = sum(map(len, arrays))
    if worth_sharing(n) == 1:
        return np.concatenate(arrays, dtype=dtype, casting="unsafe")
    result = np.empty(n, dtype=dtype)
    ends = np.cumsum([0, *map(len, arrays)]).tolist()

    def copy(part: int) -> None:
        result[ends[part] : ends[part + 1]] = arrays[part]

    run_all(copy, len(arrays))
    return result


def run_all(function: Callable[[int], object], parts: int) -> None:
    """Call a function of each part, all at once, and raise what interrupts the wait."""
    raised: list[Any] = []
    run_parts(function, parts, raised)
    if raised:
        raise raised[0]


def worth_numbering(n_items: int) -> int:
    """Return how many of the threads in force the numbering of so many items keeps busy."""
    workers = in_force()
    return 1 if workers == 1 else max(1, min(workers, WORKERS_MOST, n_items // NUMBERING_ITEMS))


def worth_pairing(n_pairs: int) -> int:
    """Return how many of the threads in force so many pairs of cluster sizes keep busy."""
    workers = in_force()
    return 1 if workers == 1 else max(1, min(workers, WORKERS_MOST, n_pairs // PAIRS))


def map_stream(
    function: Callable[[Block], Found], blocks: Iterable[Block], workers: int
) -> Iterator[Found]:
    """Yield the function of each block, in order, with at most ``workers`` blocks in memory.

    Blocks are asked for one after another, in the caller's thread. Errors end it as those of
    ``map_blocks`` do.
    """
    if workers == 1:
        yield from map(function, blocks)
        return
    from concurrent.futures import Future, ThreadPoolExecutor

    raised: list[BaseException] = []

    def alone(block: Block) -> Found:
        with working(1), working_for(raised):  # the threads are busy with blocks
            return function(block)

    waiting: deque[Future[Found]] = deque()
    with ThreadPoolExecutor(min(workers, max(WORKERS_MOST, cores()))) as pool:
        try:
            for block in blocks:
                waiting.append(pool.submit(alone, block))
                del block
                if len(waiting) == workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BaseException as error:
            raised.append(error)
            raise
        finally:
            for future in waiting:
                future.cancel()


def worth_counting(workers: int, n_items: int) -> int:
    """Return how many of so many threads the counting of the items keeps busy, at least 1."""
    return max(1, min(workers, WORKERS_MOST, n_items // WORKER_ITEMS))


def worth_sharing(n_items: int) -> int:
    """Return how many of the threads in force a pass over so many integers keeps busy."""
    return worth_counting(in_force(), n_items)


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
