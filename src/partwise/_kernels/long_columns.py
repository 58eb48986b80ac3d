"""Integers of many items numbered, grouped and looked up, in passes that an interrupt ends.

NumPy sorts and gathers in one call, which nobody can stop. The kernels look out for an
interrupt on their way, and number integers without a sort where their range is small.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels.workers import run_all, worth_sharing
from partwise.numbers.arrays import FloatArray, IntArray

#: Places looked up between two chances to interrupt.
BLOCK = 1 << 22


def numbered(values: NDArray[Any]) -> tuple[NDArray[Any], IntArray, IntArray]:
    """Return the distinct integers, ascending, where each is first, and each item's number.

    What ``numpy.unique`` returns with its indices and its inverse. O(n) where the range is
    small, else as many passes as the values have digits of 11 bits.
    """
    values = np.ascontiguousarray(values)
    distinct, codes = _kernels.impl.encode(values, worth_sharing(len(values)))
    first, _ = _kernels.impl.first_places(codes, len(distinct))
    return distinct, first, codes


def come_again(numbers: IntArray, n: int) -> NDArray[np.bool_]:
    """Return which of some integers below n stand before, too. O(n)."""
    first, _ = _kernels.impl.first_places(numbers, n)
    again: NDArray[np.bool_] = taken(first, numbers) != np.arange(len(numbers))
    return again


def taken(values: NDArray[Any], places: IntArray) -> NDArray[Any]:
    """Return ``values[places]``, with places from 0 on below the number of values.

    Threads share long columns.
    """
    parts = worth_sharing(len(places))
    if parts == 1 and len(places) <= BLOCK:
        return values[places]
    result = np.empty(len(places), dtype=values.dtype)
    ends = np.linspace(0, len(places), parts + 1).astype(np.int64).tolist()

    def take(part: int) -> None:
        for start in range(ends[part], ends[part + 1], BLOCK):
            block = slice(start, min(start + BLOCK, ends[part + 1]))
            # "clip" writes into the result without a copy; nothing is there to clip
            values.take(places[block], out=result[block], mode="clip")

    run_all(take, parts)
    return result


def placed(values: NDArray[Any], places: IntArray, n: int) -> NDArray[Any]:
    """Return n values, of which each of ``places`` has its own; every place occurs."""
    result = np.empty(n, dtype=values.dtype)
    for start in range(0, len(places), BLOCK):
        block = slice(start, start + BLOCK)
        result[places[block]] = values[block]
    return result


def repeated(values: NDArray[Any], times: IntArray) -> NDArray[Any]:
    """Return each value as often as ``times`` says."""
    if len(times) <= BLOCK:
        return np.repeat(values, times)
    result = np.empty(int(times.sum()), dtype=values.dtype)
    end = 0
    for start in range(0, len(times), BLOCK):
        block = np.repeat(values[start : start + BLOCK], times[start : start + BLOCK])
        result[end : end + len(block)] = block
        end += len(block)
    return result


def added_up(values: NDArray[Any], groups: IntArray, n_groups: int) -> NDArray[Any]:
    """Return the sum of every group's integers. O(n)."""
    totals = np.zeros(n_groups, dtype=values.dtype)
    for start in range(0, len(values), BLOCK):
        block = slice(start, start + BLOCK)
        np.add.at(totals, groups[block], values[block])
    return totals


def ascending(places: IntArray, n: int) -> IntArray:
    """Return different places below n in ascending order. O(n)."""
    marked = np.zeros(n, dtype=bool)
    for start in range(0, len(places), BLOCK):
        marked[places[start : start + BLOCK]] = True
    return np.flatnonzero(marked)


def stable_order(codes: IntArray) -> IntArray:
    """Return the indices of integers below 2^53 in ascending order, equal ones as they come."""
    return _kernels.impl.stable_order(codes.astype(np.float64))


def by_blocks(function: Callable[..., FloatArray], *columns: NDArray[Any]) -> FloatArray:
    """Return ``function(*columns)`` of what it makes of each item by itself, block by block."""
    n = len(columns[0])
    if n <= BLOCK:
        return function(*columns)
    result = np.empty(n)
    for start in range(0, n, BLOCK):
        result[start : start + BLOCK] = function(*(x[start : start + BLOCK] for x in columns))
    return result
