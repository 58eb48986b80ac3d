"""Tables in one pass over two arrays of integers, without what only other forms need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels.order_free import Totals, fraction_bits, fraction_bits_for
from partwise._kernels.workers import (
    WORKER_ITEMS,
    in_force,
    keep_scratch,
    scratches,
    take_scratch,
    worth_counting,
)
from partwise.labels import Account
from partwise.labels.account import SideAccount
from partwise.labels.carried import LARGEST_WEIGHT
from partwise.labels.columns import Column, DeferredColumn, taken
from partwise.labels.suspicions import all_distinct, notes_on_weights
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.table.contingency import Contingency, Masses


@lru_cache(maxsize=16)
def _by_position(n: int, distinct: bool = False) -> Account:
    """Return the account of two columns of n labels with which nothing had to be done."""
    side = SideAccount(n)
    notes = (all_distinct(n),) if distinct else ()
    return Account(items=n, reference=side, candidate=side, notes=notes)


def _integers_of(values: list[Any]) -> IntArray | None:
    """Return a list of integers as an array, None for any other list."""
    if not values or type(values[0]) is not int:
        return None
    return _kernels.impl.integers_of(values)


def _two_arrays(reference: Any, candidate: Any) -> tuple[NDArray[Any], NDArray[Any]] | None:
    """Return two plain arrays or lists of as many integers as arrays, None for any others."""
    if type(reference) is list:
        reference = _integers_of(reference)
    if type(candidate) is list:
        candidate = _integers_of(candidate)
    for values in (reference, candidate):
        if type(values) is not np.ndarray or values.ndim != 1:
            return None
        dtype = values.dtype
        if dtype.kind not in "iu" or not dtype.isnative or not values.flags.c_contiguous:
            return None
    return (reference, candidate) if len(reference) == len(candidate) else None


def table_of_arrays(reference: Any, candidate: Any) -> Contingency | None:
    """Return the table of two plain arrays or lists of integers, None for any other pair.

    What ``align`` would do with them is nothing, which takes longer than to count some
    hundred items.
    """
    pair = _two_arrays(reference, candidate)
    if pair is None:
        return None
    reference, candidate = pair
    n = len(reference)
    threads = 1 if n < 2 * WORKER_ITEMS else worth_counting(in_force(), n)
    if threads == 1:
        scratch = take_scratch()
        try:
            tallied = _kernels.impl.tally(reference, candidate, (scratch,))
        finally:
            keep_scratch(scratch)
    else:
        with scratches(threads) as lent:
            tallied = _kernels.impl.tally(reference, candidate, lent)
    rows, cols, *cells = tallied
    if len(rows) == n and len(cols) == n and n > 1:
        account = _by_position(n, True)
    else:
        account = _by_position(n)
    return Contingency._of(cells[:3], rows, cols, account, sizes=cells[3:])


# ---- items that count more than once, or weigh something ---------------------------


def counted_table_of_arrays(
    reference: Any, candidate: Any, *, weights: Any = None, multiplicity: Any = None
) -> Contingency | None:
    """Return the table of two plain arrays of integers whose items count or weigh differently.

    One pass reads, checks and counts. None where it cannot: there is more than one array of
    such numbers, or one in another form, or with a number that ``align`` refuses, or labels
    are too far apart.
    """
    pair = _two_arrays(reference, candidate)
    values, dtype = (multiplicity, np.int64) if weights is None else (weights, np.float64)
    if pair is None or (weights is not None and multiplicity is not None):
        return None
    n = len(pair[0])
    if type(values) is not np.ndarray or values.shape != (n,) or values.dtype != dtype:
        return None
    if n == 0 or not values.flags.c_contiguous or not values.dtype.isnative:
        return None
    largest, bits = 0.0, 0
    if weights is not None:
        largest = float(values.max())
        if largest and not LARGEST_WEIGHT[0] <= largest <= LARGEST_WEIGHT[1]:
            return None
        if notes_on_weights(values):
            return None
        bits = fraction_bits_for(largest, n)
    counters = _kernels.impl.dense_masses(*pair, multiplicity, weights, largest, bits)
    if counters is None:
        return None
    zeros = counters[-1]
    n_items = int(counters[1].sum())
    if n_items == 0:
        return None
    account = _by_position(n)
    if weights is None:
        account = replace(
            account, items=n_items, distinct_items=n - zeros, zero_multiplicity=zeros
        )
    else:
        account = replace(account, zero_weights=zeros)
    table = _of_counters(counters, [Column(labels) for labels in pair], account)
    if n_items > 1 and table.shape == (n_items, n_items):
        table = replace(table, account=replace(account, notes=(all_distinct(n_items),)))
    return table


def small_table(
    columns: Sequence[Column],
    weights: FloatArray | None,
    multiplicity: IntArray | None,
    account: Account,
) -> Contingency | None:
    """Return the table in one pass over the items, None where labels are too far apart.

    The bits are those of the general way: both add the same integers.
    """
    largest, bits = 0.0, 0
    if weights is not None and len(weights):
        kept = weights
        if multiplicity is not None:
            counted = np.flatnonzero(multiplicity)
            kept = weights[counted] * multiplicity[counted]
        largest = float(kept.max()) if len(kept) else 0.0
        bits = fraction_bits(kept)
    # codes as they are counted: what a deferred column holds below them is of no use here
    coded = [Column(column.codes, column.names) for column in columns]
    a, b = (column.codes for column in coded)
    counters = _kernels.impl.dense_masses(a, b, multiplicity, weights, largest, bits)
    return None if counters is None else _of_counters(counters, coded, account)


def deferred_table(columns: Sequence[Column], account: Account) -> Contingency | None:
    """Return the table of columns whose codes are not made yet, of which it needs none.

    None where there are none, labels are too far apart, or several threads count faster.
    """
    deferred = [column for column in columns if isinstance(column, DeferredColumn)]
    if not deferred or worth_counting(in_force(), len(columns[0])) > 1:
        return None
    kept = deferred[0].kept
    if any(column.kept is not kept for column in deferred):
        return None
    if kept is not None and len(deferred) < 2:
        return None
    a, b = (x.raw if isinstance(x, DeferredColumn) else x.codes for x in columns)
    dropped = None if kept is None else kept.dropped
    counters = _kernels.impl.dense_masses(a, b, None, None, 0.0, 0, dropped)
    return None if counters is None else _of_counters(counters, columns, account)


def _of_counters(counters: Any, columns: Sequence[Column], account: Account) -> Contingency:
    """Return the table of what ``dense_masses`` counted."""
    lows, dense, totals, _ = counters
    row_sizes, col_sizes = dense.sum(axis=1), dense.sum(axis=0)
    used, codes = [], []
    for column, low, sizes in zip(columns, lows, (row_sizes, col_sizes), strict=True):
        occurring = np.flatnonzero(sizes)
        if isinstance(column, DeferredColumn) and column.ranks is not None:
            ranks = column.ranks[occurring + low]
            order = np.argsort(ranks)
            used.append(occurring[order])
            codes.append(ranks[order])
        else:
            dtype = (column.raw if isinstance(column, DeferredColumn) else column.codes).dtype
            used.append(occurring)
            codes.append(occurring.astype(dtype) + dtype.type(low))
    in_order = all(len(x) == y for x, y in zip(used, dense.shape, strict=True)) and not any(
        isinstance(column, DeferredColumn) and column.ranks is not None for column in columns
    )
    if not in_order:
        dense = dense.take(used[0], axis=0).take(used[1], axis=1)
    indptr, rows, cols, counts = _cells_of(dense)
    names = [
        own if column.names is None else taken(column.names, own)
        for column, own in zip(columns, codes, strict=True)
    ]
    masses = None
    if totals is not None:
        pairs, of_rows, of_cols, of_all = totals
        at = used[0][rows] * len(col_sizes) + used[1][cols]
        masses = Masses(
            Totals(*np.ascontiguousarray(pairs[:, at])),
            Totals(*np.ascontiguousarray(of_rows[:, used[0]])),
            Totals(*np.ascontiguousarray(of_cols[:, used[1]])),
            Totals(*of_all),
        )
    sizes = row_sizes[used[0]], col_sizes[used[1]]
    return Contingency._of((indptr, cols, counts), names[0], names[1], account, masses, sizes)


def _cells_of(dense: IntArray) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return where rows begin among counts that are not 0, their rows and columns, and them."""
    height, width = dense.shape
    if np.count_nonzero(dense) == dense.size:
        rows = np.repeat(np.arange(height), width)
        return (
            np.arange(height + 1) * width,
            rows,
            np.tile(np.arange(width), height),
            dense.ravel(),
        )
    places = np.flatnonzero(dense)
    in_rows = np.count_nonzero(dense, axis=1)
    rows = np.repeat(np.arange(height), in_rows)
    indptr = np.concatenate(([0], np.cumsum(in_rows)))
    return indptr, rows, places - rows * width, dense.ravel()[places]
