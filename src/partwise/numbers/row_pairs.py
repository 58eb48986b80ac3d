"""Pairs of entries that share a row, for NumPy code on both sides of the seam."""

from __future__ import annotations

import numpy as np

from partwise.numbers.arrays import IntArray


def row_pairs(p_indptr: IntArray, q_indptr: IntArray) -> tuple[IntArray, IntArray]:
    """Return the places of both entries of every pair inside a row, row by row. O(pairs)."""
    p_lengths, q_lengths = np.diff(p_indptr), np.diff(q_indptr)
    repeats = np.repeat(q_lengths, p_lengths)  # of each entry of p
    p_entries = np.repeat(np.arange(p_indptr[0], p_indptr[-1]), repeats)
    starts = np.repeat(q_indptr[:-1], p_lengths) - (np.cumsum(repeats) - repeats)
    q_entries = np.arange(len(p_entries)) + np.repeat(starts, repeats)
    return p_entries, q_entries
