"""A table that changes: keys with a value each in a hash table, and counters that move."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from partwise.numbers.arrays import IntArray

__all__ = ["find_keys", "shifted_counts"]


def find_keys(
    entries: NDArray[np.int64], seed: int, keys: IntArray, first: int, step: int
) -> tuple[IntArray, int]:
    """Find keys in a hash table, and add those that are not there.

    Parameters
    ----------
    entries : ndarray of int64, shape (2^bits, 2)
        Keys and their values; a value below 0 marks a free entry. More are free than keys are
        new. Changed where keys are added.
    seed : int
        Below 2^64, the same in every call.
    keys : ndarray of int64
        A key may come again.
    first, step : int
        The k-th key that is added, from 0, gets the value first + k * step.

    Returns
    -------
    slots : ndarray of int64
        Entry of each key. Which it is depends on the backend.
    added : int
        Keys that were not there.
    """
    mask = len(entries) - 1
    slots = _homes(keys, seed, mask.bit_length())
    left = np.arange(len(keys))
    added = []
    while len(left):
        held = entries[slots[left]]
        free = held[:, 1] < 0
        # of several keys that want one free entry, the first gets it; then all look again
        taken, which = np.unique(slots[left[free]], return_index=True)
        takers = left[free][which]
        entries[taken, 0], entries[taken, 1] = keys[takers], 0
        added.append(takers)
        other = ~free & (held[:, 0] != keys[left])
        slots[left[other]] = (slots[left[other]] + 1) & mask
        left = left[free | other]
    new = np.sort(np.concatenate([np.zeros(0, dtype=np.int64), *added]))
    entries[slots[new], 1] = first + step * np.arange(len(new))
    return slots, len(new)


def _homes(keys: IntArray, seed: int, bits: int) -> IntArray:
    """Return where the search for each key begins."""
    x = keys.view(np.uint64) ^ np.uint64(seed)
    x = (x ^ x >> np.uint64(33)) * np.uint64(0xFF51AFD7ED558CCD)
    x = (x ^ x >> np.uint64(33)) * np.uint64(0xC4CEB9FE1A85EC53)
    return (x >> np.uint64(64 - bits)).astype(np.int64)


def shifted_counts(
    counts: IntArray, places: IntArray, changes: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    """Say what counts are after changes; they stay as they are. A place may come again.

    Parameters
    ----------
    counts : ndarray of int64
        At least 0; no sum on the way reaches 2^60 from 0. Need not be contiguous.
    places, changes : ndarray of int64
        Index of each change, and what is added.

    Returns
    -------
    touched, before, after : ndarray of int64
        Distinct places, in the order in which they first come, what they hold, and what they
        are to hold.
    """
    used, first, inverse = np.unique(places, return_index=True, return_inverse=True)
    change = np.zeros(len(used), dtype=np.int64)
    np.add.at(change, inverse, changes)
    order = np.argsort(first)
    touched = used[order]
    before = counts[touched]
    return touched, before, before + change[order]
