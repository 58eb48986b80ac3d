"""Shuffling by counter-based random numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_LOW = np.uint64((1 << 32) - 1)
_HALF = np.uint64(32)


def _fractions_of(random: NDArray[np.uint64], whole: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return floor(random * whole / 2^64) for whole < 2^32."""
    low = ((random & _LOW) * whole) >> _HALF
    found: NDArray[np.uint64] = ((random >> _HALF) * whole + low) >> _HALF
    return found


def shuffled(labels: NDArray[np.int64], most: int, seed: int, stream: int) -> NDArray[np.int64]:
    """Return the labels after the first ``most`` steps of a shuffle."""
    random = np.random.Philox(key=np.array([seed, stream], dtype=np.uint64)).random_raw(most)
    steps = np.arange(most, dtype=np.uint64)
    partners = steps + _fractions_of(random, np.uint64(len(labels)) - steps)
    places = labels.tolist()
    for i, j in enumerate(partners.tolist()):
        places[i], places[j] = places[j], places[i]
    return np.array(places, dtype=np.int64)
