"""Cells as labels: blanks beside them, what means "missing"; cells as rows of numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.labels.columns import Column
from partwise.labels.frames import from_dictionary, spans_of
from partwise.labels.notes import Note
from partwise.labels.suspicions import MISSING_WORDS
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.masked import has_masked

_DIGITS = 4000
_WHOLE_NUMBER = re.compile(r"(0|-?[1-9][0-9]*)\Z")
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?\Z")


class DictionaryCells:
    """A column of text cells as places in their distinct values."""

    def __init__(self, codes: NDArray[Any], distinct: list[str]) -> None:
        self._codes, self._distinct = codes, distinct

    def __len__(self) -> int:
        return len(self._codes)

    @property
    def codes(self) -> NDArray[Any]:
        """Place of each cell in the distinct ones."""
        return self._codes

    @property
    def distinct(self) -> list[str]:
        """The distinct cells, in order of first appearance."""
        return self._distinct

    def cells(self) -> list[str]:
        """Return the text of every cell."""
        return [self.distinct[code] for code in self.codes.tolist()]

    def labels(self, typed: Any, what: str) -> Column:
        """Return the column of labels, given what the distinct cells stand for."""
        nowhere = np.zeros(len(self.codes), dtype=bool)
        return from_dictionary(self.codes, typed, nowhere, what)


class ArrowCells(DictionaryCells):
    """A column of text cells as pyarrow has read it; distinct values when they are asked for.

    Parameters
    ----------
    array : pyarrow.Array of string or large_string
        Without nulls.
    blanks : bool
        Whether there may be a blank or a tab in some cell.
    """

    def __init__(self, array: Any, blanks: bool) -> None:
        self.array, self._blanks = array, blanks
        self._content, self._offsets = spans_of(array, "a column")
        self._encoded: DictionaryCells | None = None

    def __len__(self) -> int:
        return len(self.array)

    def _dictionary(self) -> DictionaryCells:
        if self._encoded is None:
            encoded = self.array.dictionary_encode()
            codes = encoded.indices.to_numpy(zero_copy_only=False)
            self._encoded = DictionaryCells(codes, encoded.dictionary.to_pylist())
        return self._encoded

    @property
    def codes(self) -> NDArray[Any]:
        """See ``DictionaryCells``."""
        return self._dictionary().codes

    @property
    def distinct(self) -> list[str]:
        """See ``DictionaryCells``."""
        return self._dictionary().distinct

    def whole_numbers(self) -> IntArray | None:
        """Return the whole numbers that the cells are, None if one is none of 64 bits."""
        return _kernels.impl.whole_spans(self._content, self._offsets)

    @property
    def some_empty(self) -> bool:
        """Whether some cell is empty."""
        return bool((self._offsets[1:] == self._offsets[:-1]).any())

    @property
    def blank_beside(self) -> bool:
        """Whether some cell begins or ends with a blank or a tab."""
        if not self._blanks:
            return False
        full = np.flatnonzero(self._offsets[1:] > self._offsets[:-1])
        ends = self._content[self._offsets[full]], self._content[self._offsets[full + 1] - 1]
        return any(bool((end == blank).any()) for end in ends for blank in b" \t")


def text_cells(cells: list[str] | DictionaryCells) -> list[str]:
    """Return a text column's cells."""
    return cells.cells() if isinstance(cells, DictionaryCells) else cells


def distinct_cells(cells: list[str] | DictionaryCells) -> set[str]:
    """Return the distinct cells of a text column."""
    return set(cells.distinct if isinstance(cells, DictionaryCells) else cells)


def typed_cells(cells: Sequence[str]) -> NDArray[Any] | list[Any]:
    """Return text cells as integers or floats where every cell is one as programs write it.

    Else they are text, so that names that differ stay different, in other files, too: "007",
    "1.10" and "+1" are names, and so is every cell beside one. A cell of ``MISSING_WORDS`` is
    missing in either case.
    """
    every = set(cells)
    distinct = every - MISSING_WORDS
    if distinct and max(map(len, distinct)) > _DIGITS:
        # more digits than Python makes a number of: the cells are names
        return [None if cell in MISSING_WORDS else cell for cell in cells]
    if distinct and all(map(_WHOLE_NUMBER.match, distinct)):
        number = {cell: int(cell) for cell in distinct}
        if len(distinct) == len(every) and all(-(2**63) <= x < 2**63 for x in number.values()):
            return np.array([number[cell] for cell in cells], dtype=np.int64)
        return [number.get(cell) for cell in cells]
    value = _usual_numbers(distinct)
    if not value or len(set(value.values())) < len(value):
        return [None if cell in MISSING_WORDS else cell for cell in cells]
    return np.array([value.get(cell, np.nan) for cell in cells])


def _usual_numbers(cells: Iterable[str]) -> dict[str, float]:
    """Return the numbers that cells are, none where one is no number as programs write it.

    That is the shortest text that is this number, without ".0" if need be, as R and JavaScript
    write it, or the form of ``numpy.savetxt``.
    """
    numbers: dict[str, float] = {}
    for cell in cells:
        if not _NUMBER.match(cell):
            return {}
        number = float(cell)
        shortest = repr(number)
        usual = shortest in (cell, f"{cell}.0") or f"{number:.18e}" == cell
        if not usual or (number == 0 and cell[0] == "-"):
            return {}
        numbers[cell] = number
    return numbers


def as_numbers(values: Any) -> Any:
    """Return labels of a file that are text as floats where all are numbers in any form."""
    if not isinstance(values, list) or not all(x is None or isinstance(x, str) for x in values):
        return values
    if not all(x is None or is_number(x) for x in values):
        return values
    return np.array([np.nan if x is None else float(x) for x in values])


def is_number(cell: str) -> bool:
    """Return whether a cell is a number in its usual form."""
    return _NUMBER.match(cell.strip()) is not None


def missing_words(cells: list[str] | DictionaryCells, place: str) -> list[Note]:
    """Return the note on words that were read as missing labels, none where there are none."""
    words = sorted((distinct_cells(cells) & MISSING_WORDS) - {""})
    if not words:
        return []
    text = f"cells that read {', '.join(words)} are missing labels"
    return [Note("missing-words", text, place)]


def without_blanks(
    cells: list[str] | DictionaryCells,
) -> tuple[list[str] | DictionaryCells, tuple[str, str] | None]:
    """Return cells without blanks beside them, and two cells that differed by these only."""
    if isinstance(cells, ArrowCells) and not cells.blank_beside:
        return cells, None
    if isinstance(cells, DictionaryCells):
        distinct: Iterable[str] = cells.distinct
        if not any(cell != cell.strip(" \t") for cell in distinct):
            return cells, None
        place: dict[str, int] = {}
        pair = None
        codes = []
        spelling: dict[str, str] = {}
        for cell in cells.distinct:
            bare = cell.strip(" \t")
            if bare in place and pair is None:
                pair = (spelling[bare], cell)
            spelling.setdefault(bare, cell)
            codes.append(place.setdefault(bare, len(place)))
        return DictionaryCells(np.array(codes)[cells.codes], list(place)), pair
    spelling = {}
    pair = None
    for cell in dict.fromkeys(cells):
        bare = cell.strip(" \t")
        if spelling.setdefault(bare, cell) != cell and pair is None:
            pair = (spelling[bare], cell)
    if all(bare == cell for bare, cell in spelling.items()) and pair is None:
        return cells, None
    return [cell.strip(" \t") for cell in cells], pair


# ---- numbers -----------------------------------------------------------------------


def number_rows(column: Any, where: str, line_of: Callable[[int], str]) -> FloatArray:
    """Return a column of a file as rows of finite numbers, one each where cells are numbers.

    Parameters
    ----------
    column : list, array, DictionaryCells or Arrow column
        Cells that are lists are rows of several numbers, as embeddings in parquet are.
    where : str
        File and column, for messages.
    line_of : callable
        Where a row stands, for messages.

    Raises
    ------
    ValueError
        A cell is empty, or not a finite number; lists have different lengths.
    """
    cells: Any = text_cells(column) if isinstance(column, (list, DictionaryCells)) else column
    if hasattr(cells, "null_count"):
        cells = cells.to_numpy(zero_copy_only=False) if hasattr(cells, "buffers") else cells
        cells = cells.to_numpy() if hasattr(cells, "null_count") else cells
    if has_masked(cells):
        cells = cells.astype(object).filled(None)
    array = cells if isinstance(cells, np.ndarray) else None
    if array is None or array.dtype.kind == "O":
        array = _from_objects(list(cells), where, line_of)
    if array.dtype.kind not in "biuf" or array.ndim not in (1, 2):
        raise ValueError(
            f"{where} holds {array.dtype} of shape {array.shape}; numbers are expected, one "
            "row for each item"
        )
    rows: FloatArray = array.astype(np.float64).reshape(len(array), -1)
    wrong = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    if len(wrong):
        at = int(wrong[0])
        value = rows[at][~np.isfinite(rows[at])][0]
        raise ValueError(
            f"{where} holds {value} in {line_of(at)}, which is not a finite number "
            f"({len(wrong)} such rows)"
        )
    return rows


def _from_objects(cells: list[Any], where: str, line_of: Callable[[int], str]) -> NDArray[Any]:
    """Return text, numbers or lists of numbers as an array of numbers."""
    if cells and isinstance(cells[0], (list, tuple, np.ndarray)):
        return _from_lists(cells, where, line_of)
    numbers = np.empty(len(cells))
    for at, cell in enumerate(cells):
        try:
            numbers[at] = _number(cell)
        except ValueError:
            raise ValueError(
                _no_number(cell, f"{where} holds {cell!r} in {line_of(at)}")
            ) from None
    return numbers


def _no_number(cell: Any, shown: str) -> str:
    """Return what is wrong with a cell that is no number, and the way out."""
    if cell is None or (isinstance(cell, str) and cell.strip() in MISSING_WORDS):
        return f"{shown}; every item needs all its numbers"
    if isinstance(cell, str) and re.fullmatch(r"\s*[+-]?[0-9]+,[0-9]+\s*", cell):
        return f"{shown}; write the decimals behind a point"
    return f"{shown}, which is no number"


def _number(cell: Any) -> float:
    """Return a cell as a number; infinite ones and NaN that are no text are let through."""
    if isinstance(cell, str):
        if not is_number(cell):
            raise ValueError(cell)
        return float(cell)
    if isinstance(cell, (bytes, type(None))):
        raise ValueError(cell)
    try:
        return float(cell)
    except (TypeError, OverflowError) as error:
        raise ValueError(cell) from error


def _from_lists(cells: list[Any], where: str, line_of: Callable[[int], str]) -> NDArray[Any]:
    lengths = [None if cell is None else len(cell) for cell in cells]
    odd = next((at for at, length in enumerate(lengths) if length != lengths[0]), None)
    if odd is not None:
        raise ValueError(
            f"{where} holds {lengths[0]} numbers in {line_of(0)}, but {lengths[odd] or 'no'} "
            f"in {line_of(odd)}; every item needs as many"
        )
    try:
        rows = np.array([[_number(x) for x in cell] for cell in cells], dtype=np.float64)
    except ValueError:
        raise ValueError(f"{where} holds lists of something else than numbers") from None
    return rows.reshape(len(cells), -1)
