"""Where rows stood before a scheduler moved them, to order them and to tell of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from partwise.numbers.arrays import IntArray

#: Partition and row number in it.
Place = tuple[int, int]


class Places(ABC):
    """Where each row of a part stood before the scheduler moved it."""

    def order(self) -> IntArray | None:
        """Return the rows in the order in which they stood, None where they still do."""
        return None

    @abstractmethod
    def at(self, row: int) -> Place:
        """Return partition and row."""

    def told(self, row: int) -> str:
        """Return the place in words."""
        partition, number = self.at(row)
        return f"row {number} of partition {partition}"


@dataclass(slots=True)
class MovedRows(Places):
    """Rows from several partitions: an array of (partition, row)."""

    places: IntArray

    def order(self) -> IntArray:
        """See ``Places``."""
        return np.lexsort(self.places.T[::-1])

    def at(self, row: int) -> Place:
        """See ``Places``."""
        return int(self.places[row, 0]), int(self.places[row, 1])


@dataclass(slots=True)
class RowsOfPartition(Places):
    """Rows that stayed in their partition; ``first`` is the number of the first of all."""

    partition: int
    first: int | None = None

    def at(self, row: int) -> Place:
        """See ``Places``."""
        return (self.partition, row) if self.first is None else (0, self.first + row)


@dataclass(slots=True)
class Chunk(Places):
    """A chunk of an array of a shape, flattened, whose first element is at ``start``."""

    chunk: tuple[int, ...]
    start: tuple[int, ...]
    shape: tuple[int, ...]

    def at(self, row: int) -> Place:
        """See ``Places``."""
        inner = np.unravel_index(row, self.chunk)
        index = tuple(int(x) + y for x, y in zip(inner, self.start, strict=True))
        return 0, int(np.ravel_multi_index(index, self.shape))

    def told(self, row: int) -> str:
        """See ``Places``."""
        return f"index {self.at(row)[1]} of the flattened array"


@dataclass(slots=True)
class Reordered(Places):
    """Places of rows that were put in order."""

    places: Places
    rows: IntArray

    def at(self, row: int) -> Place:
        """See ``Places``."""
        return self.places.at(int(self.rows[row]))
