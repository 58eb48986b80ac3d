"""Cells and gains as the solvers take them: canonical CSR, integers."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from partwise.numbers.arrays import CACHED, FloatArray, IntArray
from partwise.numbers.sparse import checked_sparse
from partwise.solvers.arrays import plain_numbers
from partwise.table.contingency import Contingency
from partwise.typing import HasTocsr

#: Which cells there are, and what is stored in them.
Cells: TypeAlias = HasTocsr | Contingency

#: Fractions are solved as integers of this many bits (below the largest gain).
FRACTION_BITS = 50
_GAIN_MOST = 1 << 61
#: Fractions may have this magnitude, so that no sum of them leaves the range of doubles.
_LARGEST_GAIN = 1e300


class Stored(NamedTuple):
    """Cells row by row, columns ascending; ``order``: where each stands in what was given."""

    indptr: IntArray
    cols: IntArray
    values: NDArray[Any]
    n_cols: int
    order: IntArray | None

    def own(self, gains: Any) -> Any:
        """Return the gains (None: the stored values), one per cell, in the cells' order."""
        if gains is None:
            return self.values
        values = plain_numbers(gains, "gains", self.cols.shape)
        return values if self.order is None else values[self.order]

    def places(self, cells: IntArray) -> IntArray:
        """Return where cells stand in what was given."""
        return cells if self.order is None else self.order[cells]


def cells_of(csr: Any) -> Stored:
    """Read the cells of a sparse matrix or a table; cells stored twice are an error."""
    if isinstance(csr, Contingency):
        return Stored(csr.indptr, csr.cols, csr.counts, csr.shape[1], None)
    if not hasattr(csr, "tocsr"):
        raise TypeError(
            f"a SciPy sparse matrix or array, or a Contingency, is expected, not "
            f"{type(csr).__name__}"
        )
    if csr.ndim != 2:
        raise ValueError(
            f"the sparse array has shape {csr.shape}; rows and columns are expected"
        )
    matrix = checked_sparse(csr, "the sparse matrix").tocsr()
    indptr = matrix.indptr.astype(np.int64)
    cols = matrix.indices.astype(np.int64)
    n_cols = int(matrix.shape[1])
    if matrix.has_canonical_format:
        return Stored(indptr, cols, matrix.data, n_cols, None)
    rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    order = np.lexsort((cols, rows))
    cols = cols[order]
    twice = np.flatnonzero((rows[1:] == rows[:-1]) & (cols[1:] == cols[:-1]))
    if len(twice):
        raise ValueError(
            f"{len(twice)} cells are stored more than once, the first at row "
            f"{rows[twice[0]]}, column {cols[twice[0]]}; call sum_duplicates() if their values "
            "add up"
        )
    return Stored(indptr, cols, matrix.data[order], n_cols, order)


def integer_gains(values: Any, n_cells: int) -> tuple[IntArray, int | None]:
    """Return gains as integers, and the power of two they were scaled by (None: whole)."""
    gains = plain_numbers(values, "gains", (n_cells,))
    least, largest = (gains.min(), gains.max()) if n_cells else (0, 0)
    if not (least >= 0 and largest < np.inf):  # also where one is not a number
        wrong = np.flatnonzero(~(np.isfinite(gains) & (gains >= 0)))
        raise ValueError(
            f"gain {gains[wrong[0]]} of cell {wrong[0]} is not a finite number of at least 0 "
            f"({len(wrong)} such gains)"
        )
    if gains.dtype.kind == "f":
        if largest > _LARGEST_GAIN:
            raise ValueError(
                f"gain {largest} of cell {int(np.argmax(gains))} is too large for sums of such "
                f"to be doubles; scale the gains to at most {_LARGEST_GAIN:g}"
            )
        return scaled_gains(gains)
    if largest >= _GAIN_MOST:
        at = int(np.argmax(gains >= _GAIN_MOST))
        raise ValueError(f"gain {gains[at]} of cell {at} is not below 2^61")
    return gains, None


def scaled_gains(gains: FloatArray, bits: int = FRACTION_BITS) -> tuple[IntArray, int]:
    """Return fractions as integers of so many bits, and the power of two used."""
    largest = float(gains.max()) if len(gains) else 0.0
    scale = bits - math.frexp(largest)[1]
    integers = np.empty(len(gains), dtype=np.int64)
    for start in range(0, len(gains), CACHED):
        cells = slice(start, start + CACHED)
        part = gains[cells]
        scaled = part * 2.0**scale if abs(scale) < 1000 else np.ldexp(part, scale)
        integers[cells] = np.rint(scaled, out=scaled)
    return integers, scale


def whole_products(first: IntArray, second: IntArray) -> int:
    """Return the exact sum of products of integers of at least 0."""
    if not len(first):
        return 0
    if int(first.max()) * int(second.max()) * len(first) < 1 << 63:
        return int(first @ second)
    return sum(x * y for x, y in zip(first.tolist(), second.tolist(), strict=True))


def whole_sum(values: IntArray) -> int:
    """Return the exact sum of integers of at least 0."""
    if len(values) and int(values.max()) * len(values) < 1 << 63:
        return int(values.sum())
    return sum(values.tolist())
