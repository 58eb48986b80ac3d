"""What the clusters of soft clusterings share: sums of min(p, q) over items."""

from __future__ import annotations

import numpy as np

from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.row_pairs import row_pairs

__all__ = [
    "shared_mass",
    "shared_mass_sparse",
]


_LOW = (1 << 31) - 1


def _units(memberships: FloatArray) -> IntArray:
    """Return memberships in 0..2 as multiples of 2^-51, each rounded once to the nearest."""
    lifted = ((1.0 + 0.5 * memberships) - 1.0) * 2.0**52
    return lifted.astype(np.int64)


def _from_units(high: IntArray, low: IntArray) -> FloatArray:
    """Return (2^31 high + low) 2^-51, rounded once."""
    totals = (high.astype(object) << 31) + low
    return np.ldexp(totals.astype(np.float64), -51)


def shared_mass(p: FloatArray, q: FloatArray, first: int, last: int) -> FloatArray:
    """Return the sums of min(p, q) over items: columns of p by columns first..last-1 of q.

    Memberships lie in 0..2 and are rounded once to the nearest multiple of 2^-51; the sums
    are exact and rounded once.
    """
    n_rows = p.shape[1]
    high = np.zeros((n_rows, last - first), dtype=np.int64)
    low = np.zeros((n_rows, last - first), dtype=np.int64)
    for start in range(0, len(p), 1024):  # sums of 2^10 terms up to 2^52 fit in 63 bits
        block = slice(start, start + 1024)
        rows, cols = _units(p[block]), _units(q[block, first:last])
        for k in range(n_rows):
            part = np.minimum(rows[:, k, None], cols).sum(axis=0)
            high[k] += part >> 31
            low[k] += part & _LOW
    return _from_units(high, low)


def shared_mass_sparse(
    p_indptr: IntArray,
    p_cols: IntArray,
    p_values: FloatArray,
    q_indptr: IntArray,
    q_cols: IntArray,
    q_values: FloatArray,
    n_rows: int,
    n_cols: int,
) -> FloatArray:
    """Return the same sums for rows of stored entries, columns of p by all columns of q."""
    left, right = row_pairs(p_indptr, q_indptr)
    terms = np.minimum(_units(p_values)[left], _units(q_values)[right])
    cells = p_cols[left] * n_cols + q_cols[right]
    high = np.zeros(n_rows * n_cols, dtype=np.int64)
    low = np.zeros(n_rows * n_cols, dtype=np.int64)
    np.add.at(high, cells, terms >> 31)
    np.add.at(low, cells, terms & _LOW)
    return _from_units(high, low).reshape(n_rows, n_cols)
