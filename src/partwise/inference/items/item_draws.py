"""Items drawn with replacement: new counts for the cells of a table."""

from __future__ import annotations

import numpy as np

from partwise import _kernels
from partwise.inference.draws import generator, stream_of
from partwise.labels import Account
from partwise.numbers.arrays import IntArray
from partwise.table.contingency import Contingency

#: Up to so many items per cell, items are drawn one by one; above, cell by cell.
_ITEMS_PER_CELL = 8


def with_counts(rows: IntArray, cols: IntArray, counts: IntArray) -> Contingency:
    """Return the table of cells in row order, those without items left out. O(cells)."""
    kept = counts > 0
    rows, cols, counts = rows[kept], cols[kept], counts[kept]
    sides = []
    for codes in (rows, cols):
        used = np.zeros(int(codes.max(initial=-1)) + 1, dtype=bool)
        used[codes] = True
        sides.append(((np.cumsum(used) - 1)[codes], np.flatnonzero(used)))
    (inner_rows, row_labels), (inner_cols, col_labels) = sides
    indptr = np.searchsorted(inner_rows, np.arange(len(row_labels) + 1))
    cells = indptr.astype(np.int64, copy=False), inner_cols.astype(np.int64), counts
    account = Account(int(counts.sum()), "counts")
    return Contingency._of(cells, row_labels, col_labels, account)


def drawn_counts(counts: IntArray, seed: int, purpose: int, draw: int) -> IntArray:
    """Return how often each cell is met when as many items are drawn with replacement."""
    n = int(counts.sum())
    if n <= _ITEMS_PER_CELL * len(counts) and n < 1 << 32:
        times = _kernels.impl.resample(n, seed, stream_of(purpose, draw), 1)[0]
        by_cell: IntArray = np.add.reduceat(times, np.cumsum(counts) - counts)
        return by_cell
    drawn: IntArray = generator(seed, purpose, draw).multinomial(n, counts / n)
    return drawn
