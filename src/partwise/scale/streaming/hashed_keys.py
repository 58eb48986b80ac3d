"""Integers of 64 bits in a hash table, each with a value: what is looked up batch by batch."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.numbers.arrays import IntArray

_LEAST_ENTRIES = 16


class HashedKeys:
    """Distinct keys with a value of at least 0 each.

    An entry takes 16 bytes. Between a third and three quarters of the entries are free.

    Attributes
    ----------
    entries : ndarray of int64, shape (power of two, 2)
        Keys and values; the value -1 marks a free entry.
    """

    __slots__ = ("_n", "_seed", "entries")

    def __init__(self) -> None:
        self._seed = int.from_bytes(os.urandom(8), "little")  # nobody can choose a collision
        self._n = 0
        self.entries = _free(_LEAST_ENTRIES)

    @property
    def values(self) -> IntArray:
        """The value of each entry, -1 where it is free; it can be written to."""
        return self.entries[:, 1]

    def find(self, keys: IntArray, first: int, step: int) -> IntArray:
        """Return the entry of each key; the k-th that is new gets the value first + k * step.

        Entries hold until the next call.
        """
        n = self._n
        self._n = n + len(keys)  # at most; if the search is cut off, it stays
        slots, added = _kernels.impl.find_keys(self.entries, self._seed, keys, first, step)
        self._n = n + added
        return slots

    def make_room(self, n: int, *, above: int) -> None:
        """See to it that n keys can be added; entries are dropped unless above a value."""
        if 3 * (self._n + n) <= 2 * len(self.entries):
            return
        kept = self.entries[self.entries[:, 1] > above]
        size = max(_LEAST_ENTRIES, 1 << (2 * (len(kept) + n) - 1).bit_length())
        entries = _free(size)
        keys = np.ascontiguousarray(kept[:, 0])
        slots, _ = _kernels.impl.find_keys(entries, self._seed, keys, 0, 0)
        entries[slots, 1] = kept[:, 1]
        self.entries, self._n = entries, len(kept)


def _free(n: int) -> NDArray[np.int64]:
    """Return free entries."""
    entries = np.zeros((n, 2), dtype=np.int64)
    entries[:, 1] = -1
    return entries
