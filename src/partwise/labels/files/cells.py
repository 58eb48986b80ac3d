"""Cells of text as labels: blanks beside them, what means "missing", numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.labels.columns import Column
from partwise.labels.frames import from_dictionary
from partwise.labels.notes import Note
from partwise.labels.suspicions import MISSING_WORDS

_WHOLE_NUMBER = re.compile(r"(0|-?[1-9][0-9]*)\Z")
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?\Z")


@dataclass(frozen=True, slots=True, eq=False)
class DictionaryCells:
    """A column of text cells as places in their distinct values."""

    codes: NDArray[Any]
    distinct: list[str]

    def cells(self) -> list[str]:
        """Return the text of every cell."""
        return [self.distinct[code] for code in self.codes.tolist()]

    def labels(self, typed: Any, what: str) -> Column:
        """Return the column of labels, given what the distinct cells stand for."""
        nowhere = np.zeros(len(self.codes), dtype=bool)
        return from_dictionary(self.codes, typed, nowhere, what)


def text_cells(cells: list[str] | DictionaryCells) -> list[str]:
    """Return a text column's cells."""
    return cells.cells() if isinstance(cells, DictionaryCells) else cells


def distinct_cells(cells: list[str] | DictionaryCells) -> set[str]:
    """Return the distinct cells of a text column."""
    return set(cells.distinct if isinstance(cells, DictionaryCells) else cells)


def typed_cells(cells: Sequence[str]) -> NDArray[Any] | list[Any]:
    """Return text cells as integers or floats where every cell is one, else as text.

    Names that differ stay different: "01" and "1", or "1.1" and "1.10", are text. A cell of
    ``MISSING_WORDS`` is missing in either case.
    """
    every = set(cells)
    distinct = every - MISSING_WORDS
    if distinct and all(map(_WHOLE_NUMBER.match, distinct)):
        number = {cell: int(cell) for cell in distinct}
        if len(distinct) == len(every) and all(-(2**63) <= x < 2**63 for x in number.values()):
            return np.array([number[cell] for cell in cells], dtype=np.int64)
        return [number.get(cell) for cell in cells]
    value = {cell: float(cell) for cell in distinct if _NUMBER.match(cell)}
    if not value or distinct - value.keys() or len(set(value.values())) < len(value):
        return [None if cell in MISSING_WORDS else cell for cell in cells]
    return np.array([value.get(cell, np.nan) for cell in cells])


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
