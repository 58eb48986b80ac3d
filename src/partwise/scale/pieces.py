"""Columns that can be read from their beginning only, two of them side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from partwise.labels import Clustering
from partwise.labels.indexes import RowIds


@dataclass(frozen=True, slots=True)
class Pieces:
    """A column that can be read from its beginning only.

    Attributes
    ----------
    name : str
        How messages call it.
    read : callable
        Returns an iterator of columns, in order, none longer than it is told.
    n_items : int or None
    place : callable, optional
        Returns where the item of a position stands, such as "line 7 of a.csv".
    row_ids : callable
        Returns what is kept of columns of ids beside it, see ``RowIds``.
    named_ids : callable
        Returns the pieces of the first column beside it that is named as ids are, no pieces
        where there is none, or where to look at them all once is as fast.
    """

    name: str
    read: Callable[[int], Iterator[Any]]
    n_items: int | None
    place: Callable[[int], str] = "index {}".format
    row_ids: Callable[[], tuple[RowIds, ...]] = tuple
    named_ids: Callable[[], Iterator[Any]] = lambda: iter(())


def of_two_lengths(pieces: Sequence[Pieces], lengths: Sequence[Any]) -> str:
    """Return the sentence that two columns differ in length."""
    return (
        f"{pieces[0].name} has {lengths[0]} labels, {pieces[1].name} {lengths[1]}; labels "
        "without item ids are compared by position and must be of one length"
    )


def side_by_side(pieces: Sequence[Pieces], most: int) -> Iterator[tuple[Any, Any]]:
    """Yield pairs of columns of one length, at most so many items each."""
    streams = [side.read(most) for side in pieces]
    rests: list[Any] = [None, None]
    read = [0, 0]
    while True:
        for side in (0, 1):
            while rests[side] is None or len(rests[side]) == 0:
                rests[side] = next(streams[side], None)
                if rests[side] is None:
                    break
                read[side] += len(rests[side])
        if rests[0] is None or rests[1] is None:
            break
        n = min(len(rests[0]), len(rests[1]))
        yield part_of(rests[0], 0, n), part_of(rests[1], 0, n)
        rests = [part_of(rest, n, len(rest)) for rest in rests]
    for side in (0, 1):
        for rest in chain([] if rests[side] is None else [()], streams[side]):
            read[side] += len(rest)
    if read[0] != read[1]:
        raise ValueError(of_two_lengths(pieces, read))


def part_of(column: Any, start: int, end: int) -> Any:
    """Return the items from ``start`` to ``end`` of a column in memory."""
    if start == 0 and end == len(column):
        return column
    if isinstance(column, Clustering):
        part = column.column.take(np.arange(start, end))
        return Clustering._of(part, None)._with_notes(column.notes)
    if hasattr(column, "null_count"):
        return column.slice(start, end - start)
    if hasattr(column, "iloc"):
        return column.iloc[start:end]
    return column[start:end]
