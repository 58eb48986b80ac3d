"""Mentions from the brackets of tokens, in the order in which they open."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

import numpy as np

from partwise.coreference.formats.cells import brackets
from partwise.numbers.arrays import IntArray


class Place(Protocol):
    """A document of a file, for faults."""

    def fault(self, row: int, what: str) -> ValueError:
        """Return the error for a fault in a row."""


class Mentions:
    """Mentions of many documents, in the order in which they open."""

    def __init__(self) -> None:
        self.first: list[int] = []
        self.last: list[int] = []
        self.entity: list[int] = []
        self.rows: list[int] = []
        self._events: dict[bytes, tuple[tuple[str, bool, bool], ...]] = {}

    def read(
        self,
        columns: Iterable[tuple[bytes, int]],
        first_token: int,
        place: Callable[[int], Place],
    ) -> list[str]:
        """Add the mentions of a document and return the names of its entities."""
        first, last, entity, by_column = (
            self.first,
            self.last,
            self.entity,
            self._events,
        )
        codes: dict[str, int] = {}
        waiting: dict[str, list[int]] = {}
        for column, row in columns:
            events = by_column.get(column)
            if events is None:
                try:
                    events = by_column[column] = brackets(column)
                except ValueError as error:
                    raise place(row).fault(row, str(error)) from None
            token = row - first_token
            for name, opens, closes in events:
                if opens:
                    if not closes:
                        waiting.setdefault(name, []).append(len(first))
                    first.append(token)
                    last.append(token)
                    entity.append(codes.setdefault(name, len(codes)))
                    self.rows.append(row)
                elif stack := waiting.get(name):
                    last[stack.pop()] = token
                else:
                    raise place(row).fault(
                        row,
                        f"entity {name!r} is closed at token {token} but not open; open it "
                        f"with '({name}' before, or write '({name})' for one token",
                    )
        for name, stack in waiting.items():
            if stack:
                token, row = first[stack[-1]], self.rows[stack[-1]]
                raise place(row).fault(
                    row,
                    f"entity {name!r} is opened at token {token} and never closed; write "
                    f"'{name})' at its last token",
                )
        return list(codes)

    def arrays(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Return first and last token, entity and row of each mention."""
        columns = (self.first, self.last, self.entity, self.rows)
        first, last, entity, rows = (np.array(column, dtype=np.int64) for column in columns)
        return first, last, entity, rows
