"""Where rows stood before a scheduler moved them, to order them and to tell of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from partwise.numbers.arrays import IntArray

#: Partition and row number in it.
Origin = tuple[int, int]


class Origins(ABC):
    """Where each row of a part stood before the scheduler moved it."""

    def order(self) -> IntArray | None:
        """Return the rows in the order in which they stood, None where they still do."""
        return None

    @abstractmethod
    def at(self, row: int) -> Origin:
        """Return partition and row."""

    def told(self, row: int) -> str:
        """Return the origin in words."""
        partition, number = self.at(row)
        return f"row {number} of partition {partition}"


@dataclass(slots=True)
class MovedRows(Origins):
    """Rows from several partitions: an array of (partition, row)."""

    origins: IntArray

    def order(self) -> IntArray:
        """See ``Origins``."""
        return np.lexsort(self.origins.T[::-1])

    def at(self, row: int) -> Origin:
        """See ``Origins``."""
        return int(self.origins[row, 0]), int(self.origins[row, 1])


@dataclass(slots=True)
class RowsOfPartition(Origins):
    """Rows that stayed in their partition; ``first`` is the number of the first of all."""

    partition: int
    first: int | None = None

    def at(self, row: int) -> Origin:
        """See ``Origins``."""
        return (self.partition, row) if self.first is None else (0, self.first + row)


@dataclass(slots=True)
class Chunk(Origins):
    """A chunk of an array of a shape, flattened, whose first element is at ``start``."""

    chunk: tuple[int, ...]
    start: tuple[int, ...]
    shape: tuple[int, ...]

    def at(self, row: int) -> Origin:
        """See ``Origins``."""
        inner = np.unravel_index(row, self.chunk)
        index = tuple(int(x) + y for x, y in zip(inner, self.start, strict=True))
        return 0, int(np.ravel_multi_index(index, self.shape))

    def told(self, row: int) -> str:
        """See ``Origins``."""
        return f"index {self.at(row)[1]} of the flattened array"


@dataclass(slots=True)
class Reordered(Origins):
    """Origins of rows that were put in order."""

    origins: Origins
    rows: IntArray

    def at(self, row: int) -> Origin:
        """See ``Origins``."""
        return self.origins.at(int(self.rows[row]))
