"""The pair sets index of many draws of blocks: its sums over blocks, and values of sums."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.measures.overlap.set_similarity import pairing_cells
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.table.contingency import Contingency

#: A paired similarity so close to the expected one is compared exactly, on the draw's table.
_NEAR = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class PairSetsSums:
    """Sums over blocks that share no cluster.

    The best pairing of a draw is that of its blocks. The sum of min(n_(t), m_(t)) over sizes
    in descending order is that of min(A_s, B_s) over s = 1, 2, ..., where A_s and B_s are the
    clusters of at least s items: they come from counts of sizes, which add up over blocks.

    Attributes
    ----------
    matrix : sparse array of shape (n_blocks, 1 + 2 n_sizes)
        Paired similarity, then clusters of each size: reference, candidate.
    steps : ndarray of int64, shape (n_sizes,)
        Each distinct size less the one before it.
    simplified, distance : bool
    """

    matrix: Any
    steps: IntArray
    simplified: bool
    distance: bool

    def values(
        self, totals: FloatArray, n: NDArray[Any], most: NDArray[Any]
    ) -> tuple[FloatArray, NDArray[np.bool_]]:
        """Return the values of draws, and which have to be decided exactly.

        ``totals`` are draws times ``matrix``, ``most`` the larger number of clusters of each.
        """
        paired = totals[:, 0]
        if self.simplified:
            expected = np.ones_like(paired)
        else:
            sizes = len(self.steps)
            clusters = totals[:, 1:].reshape(len(totals), 2, sizes)
            at_least = np.cumsum(clusters[:, :, ::-1], axis=2)[:, :, ::-1]
            expected = at_least.min(axis=1) @ self.steps.astype(np.float64) / n
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.maximum(paired - expected, 0.0) / (most - expected)
        near = np.abs(paired - expected) <= _NEAR * np.maximum(expected, 1.0)
        return (1.0 - values if self.distance else values), near


def pair_sets_sums(
    table: Contingency,
    row_block: IntArray,
    col_block: IntArray,
    n_blocks: int,
    *,
    simplified: bool = False,
    distance: bool = False,
) -> PairSetsSums:
    """Return the sums of blocks, given the block of each row and of each column.

    O(clusters) beside one matching.
    """
    from scipy.sparse import csr_array

    cells = pairing_cells(table, "braun_banquet")
    rows, cols = table.rows[cells], table.cols[cells]
    larger = np.maximum(table.row_sizes[rows], table.col_sizes[cols])
    sizes, size_index = np.unique(
        np.concatenate((table.row_sizes, table.col_sizes)), return_inverse=True
    )
    size_index[len(row_block) :] += len(sizes)
    ones = np.ones(len(size_index))
    values = np.concatenate((table.counts[cells] / larger, ones))
    blocks = np.concatenate((row_block[rows], row_block, col_block))
    columns = np.concatenate((np.zeros(len(cells), dtype=np.int64), size_index + 1))
    matrix = csr_array((values, (blocks, columns)), shape=(n_blocks, 1 + 2 * len(sizes)))
    return PairSetsSums(matrix, np.diff(sizes, prepend=0), simplified, distance)
