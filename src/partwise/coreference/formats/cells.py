"""Cells of the CoNLL formats: coreference brackets, and words decoded when asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import overload

from partwise.numbers.arrays import IntArray

NO_MENTION = (b"-", b"_")
BRACKETS = re.compile(rb"(?:\([^()|\s]+\)?\|?|[^()|\s]+\)\|?)+\Z")
_BRACKET = re.compile(rb"(\(?)([^()|\s]+)(\)?)")


class Words(Sequence[str]):
    """Words of the token lines from ``low`` to ``high`` of a piece, decoded when asked for."""

    __slots__ = ("_column", "_data", "_high", "_low", "_starts", "_stops")

    def __init__(
        self, data: bytes, starts: IntArray, stops: IntArray, column: int, low: int, high: int
    ) -> None:
        self._data, self._starts, self._stops = data, starts, stops
        self._column, self._low, self._high = column, low, high

    def __len__(self) -> int:
        return self._high - self._low

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[str]: ...
    def __getitem__(self, at: int | slice) -> str | Sequence[str]:
        if isinstance(at, slice):
            return [self[row] for row in range(*at.indices(len(self)))]
        row = self._low + range(len(self))[at]
        line = self._data[self._starts[row] : self._stops[row]]
        fields = line.split(b"\t") if b"\t" in line else line.split()
        column = self._column if len(fields) > self._column + 1 else len(fields) - 2
        return fields[column].strip().decode("utf-8", "replace")


def brackets(column: bytes) -> tuple[tuple[str, bool, bool], ...]:
    """Return (entity, whether it opens, whether it closes) for a coreference column.

    Bars between brackets may be missing: ``(1(1``, ``1)1)``.

    Raises
    ------
    ValueError
        Anything but brackets, "-" and "_".

    Examples
    --------
    >>> brackets(b"(3|(1)|4)")
    (('3', True, False), ('1', True, True), ('4', False, True))
    """
    if column in NO_MENTION:
        return ()
    if not BRACKETS.match(column):
        raise ValueError(
            f"the last column is {shown(column)}; '-', '_', nothing, or brackets like "
            "'(3|(1)|4)' are expected there (is it another format, or a line cut off?)"
        )
    events = []
    for opens, entity, closes in _BRACKET.findall(column):
        if b"+" in entity:
            raise ValueError(
                f"{shown(column)} has an entity with two antecedents ({shown(entity)}); "
                "split antecedents are not scored: give the mention one entity or remove it"
            )
        if entity.lower() in (b"nan", b"none", b"null"):
            raise ValueError(
                f"the entity in {shown(column)} is a missing value; give it an id or remove it"
            )
        events.append((entity.decode("utf-8", "backslashreplace"), bool(opens), bool(closes)))
    return tuple(events)


def shown(data: bytes) -> str:
    """Return the beginning of some bytes, quoted."""
    text = data.decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= 60 else text[:57] + "...")
