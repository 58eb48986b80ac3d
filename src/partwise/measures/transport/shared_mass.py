"""What soft clusters share: sums over items of the smaller of two memberships."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from partwise import _kernels
from partwise._kernels.order_free import (
    group_totals,
)
from partwise._kernels.workers import WORKERS_MOST, read_workers
from partwise.labels.memberships import Memberships
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.row_pairs import row_pairs

#: Terms of a dense sum that take as long as one of a sum over stored entries, and as finding
#: out whether a dense membership is above 0.
DENSE_PER_PAIR = 12
DENSE_PER_ENTRY = 40
#: Memberships are added up as multiples of 2^-51.
GRID_BITS = 51


def few_entries(
    first: Memberships,
    second: Memberships,
    per_pair: int = DENSE_PER_PAIR,
    per_entry: int = DENSE_PER_ENTRY,
) -> bool:
    """Return whether sums over pairs of stored entries cost less than dense ones."""
    pairs = int(np.dot(first.support, second.support))
    columns = sum(side.n_clusters for side in (first, second) if not side.is_sparse)
    dense = first.n_items * first.n_clusters * second.n_clusters
    return per_pair * pairs + per_entry * first.n_items * columns <= dense


def shared_mass(
    first: Memberships, second: Memberships, workers: int | None = None
) -> FloatArray:
    """Return the sums over items of min(p_ik, q_ij), shape (K, J).

    Parameters
    ----------
    first, second : Memberships
        Of the same items.
    workers : int, optional
        Threads; -1: one per core; by default as ``set_workers`` says. They share out the
        columns of a dense sum; one over stored entries takes a single thread.

    Returns
    -------
    ndarray of float64, shape (K, J)
        At most ``first.masses[k]`` and ``second.masses[j]``; equal to them exactly where one
        cluster lies inside the other, so ``(masses_k - shared) + (masses_j - shared)`` is the
        L1 distance of two columns, 0 for equal ones. Hard clusterings: the exact counts.

    Notes
    -----
    Each membership is rounded once to the nearest multiple of 2^-51, the sums are exact and
    rounded once: order, storage, threads and kernels change no bit. O(n K J), or O(pairs of
    entries in a row) where entries are few.
    """
    n_rows, n_cols = first.n_clusters, second.n_clusters
    if few_entries(first, second):
        return _kernels.impl.shared_mass_sparse(*first.rows, *second.rows, n_rows, n_cols)
    p, q = first.dense, second.dense
    threads = threads_for(workers, n_cols)
    if threads == 1:
        return _kernels.impl.shared_mass(p, q, 0, n_cols)

    ends = [n_cols * part // threads for part in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        parts = pool.map(
            lambda span: _kernels.impl.shared_mass(p, q, *span),
            pairwise(ends),
        )
        return np.hstack(list(parts))


def shares_few_cells(first: Memberships, second: Memberships) -> bool:
    """Return whether most pairs of clusters certainly have no item in common."""
    pairs = int(np.dot(first.support, second.support))
    return few_entries(first, second) and 4 * pairs < first.n_clusters * second.n_clusters


def shared_cells(
    first: Memberships, second: Memberships
) -> tuple[IntArray, IntArray, FloatArray]:
    """Return ``shared_mass`` as a sparse table of the pairs with an item in common.

    Returns
    -------
    indptr, cols, shared
        Row by row, columns ascending; the same numbers as those of ``shared_mass``.

    Notes
    -----
    O(pairs of entries in a row) and a sort of them.
    """
    p, q = first.rows, second.rows
    first_entries, second_entries = row_pairs(p.indptr, q.indptr)
    smaller = np.minimum(p.values[first_entries], q.values[second_entries])
    keys = p.cols[first_entries] * second.n_clusters + q.cols[second_entries]
    cells, groups = _kernels.impl.encode(keys)
    grid = np.ldexp(np.rint(np.ldexp(smaller, GRID_BITS)), -GRID_BITS)
    shared = group_totals(grid, groups, len(cells)).high
    rows, cols = np.divmod(cells, second.n_clusters)
    counts = np.bincount(rows, minlength=first.n_clusters)
    return np.concatenate(([0], np.cumsum(counts))), cols, shared


def threads_for(workers: int | None, n_cols: int) -> int:
    """Return the number of threads: each gets a tile of columns at least."""
    return max(1, min(read_workers(workers), WORKERS_MOST, n_cols // 4))
