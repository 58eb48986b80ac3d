"""Shuffling by counter-based random numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from partwise._kernels._hypergeometric import hypergeometric

_LOW = np.uint64((1 << 32) - 1)
_HALF = np.uint64(32)


def _fractions_of(random: NDArray[np.uint64], whole: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return floor(random * whole / 2^64) for whole < 2^32."""
    low = ((random & _LOW) * whole) >> _HALF
    found: NDArray[np.uint64] = ((random >> _HALF) * whole + low) >> _HALF
    return found


def random_places(
    n: int, whole: NDArray[np.uint64], seed: int, stream: int
) -> NDArray[np.int64]:
    """Return n random places, the i-th below whole[i]."""
    random = np.random.Philox(key=np.array([seed, stream], dtype=np.uint64)).random_raw(n)
    return _fractions_of(random, whole).astype(np.int64)


def shuffled(labels: NDArray[np.int64], most: int, seed: int, stream: int) -> NDArray[np.int64]:
    """Return the labels after the first ``most`` steps of a shuffle."""
    steps = np.arange(most)
    left = (len(labels) - steps).astype(np.uint64)
    partners = steps + random_places(most, left, seed, stream)
    return labels[_after_swaps(partners, len(labels))]


def _after_swaps(partners: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Return where what stands at each place came from, after swaps of i and partners[i] >= i.

    Step i leaves at place i what stood at its partner: what the step before it with the same
    partner put there, which is what stood at that step's own place, or the partner itself.
    What stands at place i before step i goes back likewise, to ever earlier steps: roots of a
    forest, found by doubling.
    """
    steps = np.arange(len(partners))
    order = np.argsort(partners, kind="stable")
    order = order[partners[order] != order]  # steps that leave all as it is have no partner
    reached = partners[order]
    # the step before with the same partner; and the last one with any place for its partner
    again = reached[1:] == reached[:-1]
    before = np.full(len(partners), -1, dtype=np.int64)
    before[order[1:][again]] = order[:-1][again]
    source = np.arange(n)
    final = np.append(~again, True)[: len(order)]
    source[reached[final]] = order[final]
    while True:
        further = source[source]
        if np.array_equal(further, source):
            break
        source = further
    found = source.copy()
    elsewhere = partners != steps
    moved = np.where(before >= 0, source[before], partners)
    found[: len(partners)][elsewhere] = moved[elsewhere]
    return found


# ---- few large cells ---------------------------------------------------------------


def large_cells(
    row_sizes: NDArray[np.int64], col_sizes: NDArray[np.int64], seed: int, stream: int
) -> NDArray[np.int64]:
    """Return a random table as a dense one: cells row by row, each given those before it."""
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
