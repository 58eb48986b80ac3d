"""Measures that are functions of sums over blocks, computed for many draws at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.inference.blocks import Blocks
from partwise.inference.draws import in_batches
from partwise.inference.statistics import Statistic
from partwise.measures.components.sums import components_of
from partwise.measures.entry import Measure
from partwise.measures.formulas import SUMS, States
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.real_logarithm import log

#: Draws times blocks in one matrix product: small enough to stay in cache. How many draws that
#: are depends on the blocks alone, so that the number of workers cannot change a bit.
_AT_ONCE = 1 << 15


def _xlogx(x: IntArray) -> FloatArray:
    values = x.astype(np.float64)
    products: FloatArray = values * log(values)
    return products


def _per_block(values: NDArray[Any], ends: IntArray) -> FloatArray:
    """Return the sum of each block's values; blocks may be empty."""
    totals = np.zeros(len(ends) - 1)
    full = np.flatnonzero(np.diff(ends))
    if len(full):
        totals[full] = np.add.reduceat(values, ends[full])
    return totals


def block_sums(blocks: Blocks) -> FloatArray:
    """Return the sums of each block, shape (n_blocks, number of sums). O(cells)."""
    sums: FloatArray
    if "sums" in blocks.shared:
        sums = blocks.shared["sums"]
        return sums
    table = blocks.table
    n, a, b = table.counts, table.row_sizes, table.col_sizes
    row_maxima, col_maxima = _kernels.impl.maxima(*table.cells, table.shape[1])
    squares = n.astype(np.float64) ** 2
    cells, rows, cols = blocks.cell_ends, blocks.row_ends, blocks.col_ends
    own = (n == a[table.rows]) & (n == b[table.cols])
    columns: dict[str, FloatArray] = {
        "n": _per_block(n, cells),
        "rows": np.diff(rows).astype(np.float64),
        "cols": np.diff(cols).astype(np.float64),
        "cells": np.diff(cells).astype(np.float64),
        "squares": _per_block(squares, cells),
        "row_squares": _per_block(a.astype(np.float64) ** 2, rows),
        "col_squares": _per_block(b.astype(np.float64) ** 2, cols),
        "cell_xlogx": _per_block(_xlogx(n), cells),
        "row_xlogx": _per_block(_xlogx(a), rows),
        "col_xlogx": _per_block(_xlogx(b), cols),
        "row_maxima": _per_block(row_maxima, rows),
        "col_maxima": _per_block(col_maxima, cols),
        "b_cubed_precision": _per_block(squares / b[table.cols], cells),
        "b_cubed_recall": _per_block(squares / a[table.rows], cells),
        "exact_matches": _per_block(own.astype(np.int64), cells),
    }
    assert tuple(columns) == SUMS
    sums = np.stack(list(columns.values()), axis=1)
    blocks.shared["sums"] = sums
    return sums


def is_additive(statistic: Statistic) -> bool:
    """Return whether a measure is computed from sums."""
    entry = statistic.entry
    if entry is None:
        return False
    by_sums = entry.computation.formula is not None or entry.computation.over_blocks is not None
    return by_sums or _is_mean_of_blocks(entry)


def _has_formula(statistic: Statistic) -> bool:
    return statistic.entry is not None and statistic.entry.computation.formula is not None


def _is_mean_of_blocks(entry: Measure) -> bool:
    """Return whether a measure is the mean over the join's components, weighted by items.

    What needs an option may refuse a draw for it.
    """
    claimed = entry.join_weighted and entry.computation.decomposition is not None
    return claimed and not entry.tie_dependent and entry.options.keys() <= entry.defaults.keys()


def item_sums(blocks: Blocks, statistic: Statistic) -> FloatArray:
    """Return, for each block, its items times the measure on it alone: it is solved once.

    For measures that are the mean over components, such as the ones of optimal pairings; a
    block is made of whole components.
    """
    entry = statistic.entry
    assert entry is not None
    assert entry.computation.decomposition is not None
    if statistic.name not in blocks.shared:
        table = blocks.table
        join = components_of(table)
        block = np.empty(join.n_components, dtype=np.int64)
        block[join.row_component] = np.repeat(np.arange(len(blocks)), np.diff(blocks.row_ends))
        parts = entry.computation.decomposition(table, **entry.options)
        terms = parts.weights * parts.scores * table.n_items
        blocks.shared[statistic.name] = np.bincount(block, terms, len(blocks)).astype(
            np.float64
        )
    sums: FloatArray = blocks.shared[statistic.name]
    return sums


def own_sums(blocks: Blocks, statistic: Statistic) -> Any:
    """Return the sums of a measure's own, None where it has none. Rows are blocks."""
    entry = statistic.entry
    if entry is None or entry.computation.over_blocks is None:
        return None
    if statistic.name not in blocks.shared:
        numbers = np.arange(len(blocks))
        by_side = (
            np.repeat(numbers, np.diff(ends)) for ends in (blocks.row_ends, blocks.col_ends)
        )
        blocks.shared[statistic.name] = entry.computation.over_blocks(
            blocks.table, *by_side, len(blocks), **entry.options
        )
    return blocks.shared[statistic.name]


def values_of_sums(
    sums: FloatArray,
    statistic: Statistic,
    of_items: FloatArray | None = None,
    own: tuple[Any, FloatArray] | None = None,
) -> tuple[FloatArray, NDArray[Any]]:
    """Return the values of draws by their sums, and which draws are degenerate.

    ``of_items`` are the draws' sums of ``item_sums``, ``own`` the measure's ``own_sums`` and
    the draws' sums of them, for measures without a formula.

    A degenerate draw has one cluster or only singletons on a side, equal sides, or next to no
    mutual information; its value is left open, since the rules for it are exact ones.
    """
    entry = statistic.entry
    assert entry is not None
    x = States(dict(zip(SUMS, sums.T, strict=True)), len(sums), fraction_bits=None)
    degenerate = (x.cells == x.rows) & (x.cells == x.cols)
    for k in (x.rows, x.cols):
        degenerate |= (k <= 1) | (k == x.n)
    if own is not None:
        mine, totals = own
        values, near = mine.values(totals, x.n, np.maximum(x.rows, x.cols))
        return values, degenerate | near | ~np.isfinite(values)
    if entry.computation.formula is None:
        assert of_items is not None
        with np.errstate(divide="ignore", invalid="ignore"):
            values = of_items / x.n
        return values, degenerate | ~np.isfinite(values)
    try:
        values, singly = entry.computation.formula.values(x, entry.options)
    except OverflowError:  # an option too large for doubles
        return np.zeros(len(sums)), np.ones(len(sums), dtype=bool)
    return values, degenerate | singly | ~np.isfinite(values)


def values_of_draws(
    blocks: Blocks,
    statistics: list[Statistic],
    copies: Callable[[int, int], IntArray],
    draws: int,
    workers: int,
    *,
    progress: bool = False,
) -> FloatArray:
    """Return the measures of draws of blocks, shape (draws, len(statistics)).

    Parameters
    ----------
    blocks : Blocks
    statistics : list of Statistic
    copies : callable
        How often each of the draws first..last-1 holds each block: given (first, last), an
        int64 array of shape (last - first, n_blocks).
    draws, workers : int

    Notes
    -----
    Measures of sums over blocks: one row of the matrix product (draws x blocks) (blocks x
    sums); also those that are means over components or have sums of their own, solved once.
    The others, and degenerate draws, on the table of the draw.
    """
    additive = [is_additive(statistic) for statistic in statistics]
    sums = block_sums(blocks) if any(additive) else None
    own = {
        j: mine
        for j, statistic in enumerate(statistics)
        if (mine := own_sums(blocks, statistic)) is not None
    }
    means: dict[int, FloatArray] = {
        j: item_sums(blocks, statistic)
        for j, statistic in enumerate(statistics)
        if additive[j] and j not in own and not _has_formula(statistic)
    }
    at_once = max(1, min(256, _AT_ONCE // max(len(blocks), 1)))

    def some(first: int, last: int) -> FloatArray:
        weights = copies(first, last)
        values = np.empty((len(weights), len(statistics)))
        slow = np.ones(values.shape, dtype=bool)
        if sums is not None:
            doubles = weights.astype(np.float64)
            totals = doubles @ sums
            for k in np.flatnonzero(additive).tolist():
                of_items = doubles @ means[k] if k in means else None
                mine = (own[k], doubles @ own[k].matrix) if k in own else None
                values[:, k], slow[:, k] = values_of_sums(totals, statistics[k], of_items, mine)
        for i in np.flatnonzero(slow.any(axis=1)):
            table = blocks.stacked(weights[i])
            for j in np.flatnonzero(slow[i]):
                values[i, j] = statistics[j].of(table)
        return values

    return np.concatenate(in_batches(some, draws, at_once, workers, progress=progress))
