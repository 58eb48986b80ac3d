"""Sums of two short columns of integers, and sizes of clusters in a few numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from partwise._kernels.reference.sums import sum_xlogx
from partwise._kernels.reference.values import integers_of
from partwise.numbers.arrays import IntArray

__all__ = [
    "size_profile",
    "small_sums",
]

#: Items, and cells of the rectangle that the labels span, at most: as in pw_small_sums.h.
_MOST_ITEMS, _MOST_CELLS = 2048, 8192


def small_sums(reference: Any, candidate: Any, logarithms: bool) -> tuple[int, ...] | None:
    """Return sums of the table of two short columns; None for what is not short or plain.

    Plain are lists of ``int`` and contiguous arrays of native integers of one dimension. The
    sums: items; rows, columns, cells; squares of the rows, columns, cells; largest cells of the
    rows, columns; and, with ``logarithms``, x ln x of the rows, columns, cells in 2^-64.
    O(n + cells of the rectangle that the labels span).
    """
    sides = [_numbers_of(reference), _numbers_of(candidate)]
    first, second = sides
    if first is None or second is None or not 0 < len(first) == len(second):
        return None
    spans = [int(side.max()) - int(side.min()) + 1 for side in (first, second)]
    if spans[0] * spans[1] > _MOST_CELLS:
        return None
    rows, cols = (side - side.min() for side in (first, second))
    table = np.bincount(rows * spans[1] + cols, minlength=spans[0] * spans[1])
    table = table.astype(np.int64, copy=False).reshape(spans)
    sizes = [table.sum(axis=1), table.sum(axis=0), table.ravel()]
    used = [part[part > 0] for part in sizes]
    counted = [len(rows), *map(len, used)]
    counted += [int((part * part).sum()) for part in used]
    counted += [int(table.max(axis=1).sum()), int(table.max(axis=0).sum())]
    if logarithms:
        counted += [sum_xlogx(part, 64) for part in used]
    return tuple(counted)


def _numbers_of(values: Any) -> IntArray | None:
    if type(values) is list:
        return integers_of(values) if len(values) <= _MOST_ITEMS else None
    if type(values) is not np.ndarray or values.ndim != 1 or len(values) > _MOST_ITEMS:
        return None
    dtype, flags = values.dtype, values.flags
    if dtype.kind not in "iu" or not dtype.isnative:
        return None
    if not flags.c_contiguous or not flags.aligned:
        return None
    return values.astype(np.int64)  # patterns of 64 bits: all that counts is which are equal


def size_profile(sizes: IntArray) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Return how many clusters hold one item, under 10, under 100; how many items they hold."""
    below = [sizes[sizes < bound] for bound in (2, 10, 100)]
    one, ten, hundred = (len(part) for part in below)
    of_one, of_ten, of_hundred = (int(part.sum()) for part in below)
    return (one, ten, hundred), (of_one, of_ten, of_hundred)
