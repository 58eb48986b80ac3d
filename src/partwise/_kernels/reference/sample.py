"""Random numbers by counter, and tables of few large cells drawn by them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from partwise._kernels.reference.hypergeometric import hypergeometric

_LOW = np.uint64((1 << 32) - 1)
_HALF = np.uint64(32)


def fractions_of(random: NDArray[np.uint64], bounds: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return floor(random * bounds / 2^64) for bounds < 2^32."""
    low = ((random & _LOW) * bounds) >> _HALF
    fractions: NDArray[np.uint64] = ((random >> _HALF) * bounds + low) >> _HALF
    return fractions


def random_numbers(
    n: int, bounds: NDArray[np.uint64], seed: int, stream: int
) -> NDArray[np.int64]:
    """Return n random numbers, the i-th below bounds[i]."""
    random = np.random.Philox(key=np.array([seed, stream], dtype=np.uint64)).random_raw(n)
    return fractions_of(random, bounds).astype(np.int64)


def large_cells(
    row_sizes: NDArray[np.int64], col_sizes: NDArray[np.int64], seed: int, stream: int
) -> NDArray[np.int64]:
    """Return a random table as a dense one: cells in turn, each given those before it."""
    n_rows, n_cols = len(row_sizes), len(col_sizes)
    philox = np.random.Philox(key=np.array([seed, stream], dtype=np.uint64))
    words = philox.random_raw((n_rows - 1) * (n_cols - 1))
    uniform = iter(((words >> np.uint64(11)).astype(np.float64) * 2.0**-53).tolist())
    dense = np.zeros((n_rows, n_cols), dtype=np.int64)
    left = col_sizes.tolist()
    for r, size in enumerate(row_sizes[:-1].tolist()):
        items = sum(left)
        for c in range(n_cols - 1):
            count = hypergeometric(items, size, left[c], next(uniform))
            items -= left[c]
            left[c] -= count
            size -= count
            dense[r, c] = count
        dense[r, -1] = size
        left[-1] -= size
    dense[-1] = left
    return dense
