"""Ids beside the labels of files that are read in blocks: whether two files have one order.

What is kept of a column of ids is a few numbers, which add up over the pieces of a file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from partwise.labels.files.cells import ArrowCells, DictionaryCells, typed_cells
from partwise.labels.files.npy import load_arrays
from partwise.labels.files.table import IDS_KEPT, column_of_ids, id_places, told_of_ids
from partwise.labels.indexes import IdsInPieces, RowIds

#: Ids of an array that are looked at at once.
_PIECE = 1 << 18


def are_alike(one: Iterable[Any], other: Iterable[Any]) -> bool:
    """Return whether two columns of Arrow's are ids, and equal piece by piece.

    This takes a fraction of the time of ``ids_of_columns``; where it does not hold, nothing is
    known.
    """
    ids = IdsInPieces()
    some = False
    for piece, another in zip_longest(one, other):
        if piece is None or another is None or not piece.equals(another):
            return False
        if not some:
            ids.add(column_of_ids(piece, ""))
        if not ids.possible:
            return False
        some = True
    return some


def ids_of_columns(
    names: Sequence[str],
    index: Collection[str],
    label: str,
    pieces_of: Callable[[str], Iterable[Any]],
) -> tuple[RowIds, ...]:
    """Return what is kept of the columns of ids beside the labels, of two at most.

    Parameters
    ----------
    names : sequence of str
        Every column of the file.
    index : collection of str
        Columns that a frame wrote as its index.
    label : str
    pieces_of : callable
        Returns the pieces of a column; no more are asked for once it holds no ids.
    """
    kept: list[RowIds] = []
    for place in id_places(names, index):
        if names[place] == label or len(kept) == IDS_KEPT:
            continue
        ids = IdsInPieces()
        for piece in pieces_of(names[place]):
            ids.add(column_of_ids(piece, ""))
            if not ids.possible:
                break
        found = ids.row_ids(*told_of_ids(names, index, place))
        kept += [] if found is None else [found]
    return tuple(kept)


def ids_of_arrays(path: Path, label: Any, kind: str) -> tuple[RowIds, ...]:
    """Return what is kept of columns, fields or arrays beside the labels of npy or npz."""
    if label is None:
        return ()
    if kind == "npz":
        columns: dict[str, Any] = dict(load_arrays(path))
    else:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
        if array.dtype.names:
            columns = {name: array[name] for name in array.dtype.names}
        elif array.ndim == 2:
            columns = {str(j + 1): array[:, j] for j in range(array.shape[1])}
        else:
            return ()
    names = list(columns)
    text = str(label)
    if text not in columns and text.isdigit() and 1 <= int(text) <= len(names):
        text = names[int(text) - 1]

    def pieces_of(name: str) -> Iterable[Any]:
        column = columns[name]
        if column.ndim != 1:
            return [None]
        return (column[i : i + _PIECE] for i in range(0, len(column), _PIECE))

    return ids_of_columns(names, (), text, pieces_of)


class TextIds:
    """Columns of a text table that may hold ids, which all come in pieces together.

    Whether they are numbers, as parquet may hold them, or text depends on all cells. So both
    are looked at.
    """

    def __init__(self, names: Sequence[str], index: Collection[str], label: str) -> None:
        self._names, self._index = names, index
        places = [place for place in id_places(names, index) if names[place] != label]
        self._kept = {place: (IdsInPieces(), IdsInPieces()) for place in places}

    def add(self, columns: dict[str, Any], start: int) -> None:
        """Add the rows of a piece from ``start`` on."""
        for place, (numbers, texts) in self._kept.items():
            if not texts.possible:
                continue
            as_numbers, as_texts = _readings(columns[self._names[place]], start)
            numbers.add(as_numbers)
            texts.add(as_texts)

    def row_ids(self) -> tuple[RowIds, ...]:
        """Return what is kept of the columns that hold ids, of two at most."""
        kept: list[RowIds] = []
        for place, (numbers, texts) in self._kept.items():
            ids = numbers if numbers.possible else texts
            found = ids.row_ids(*told_of_ids(self._names, self._index, place))
            kept += [] if found is None or len(kept) == IDS_KEPT else [found]
        return tuple(kept)


def _readings(cells: list[str] | DictionaryCells, start: int) -> tuple[Any, Any]:
    """Return cells as whole numbers, None where one is none, and as text."""
    if isinstance(cells, ArrowCells):
        numbers = cells.whole_numbers()
        text = column_of_ids(cells.array.slice(start), "")
        return None if numbers is None else column_of_ids(numbers[start:], ""), text
    own = (cells.cells() if isinstance(cells, DictionaryCells) else cells)[start:]
    typed = typed_cells(own)
    whole = isinstance(typed, np.ndarray) and typed.dtype.kind == "i"
    none = not own
    return column_of_ids(typed, "") if whole or none else None, column_of_ids(own, "")
