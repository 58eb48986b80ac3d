"""Measures that are functions of sums over blocks, computed for many draws at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.inference.asked import FloatArray, Statistic, each_draw
from partwise.inference.blocks import Blocks
from partwise.labels.columns import IntArray

#: Draws times blocks in one matrix product: small enough to stay in cache. How many draws that
#: are depends on the blocks alone, so that the number of workers cannot change a bit.
_AT_ONCE = 1 << 15


class Sums:
    """Sums of many draws by name: each an array of shape (draws,)."""

    def __init__(self, values: FloatArray) -> None:
        self._values = values

    def __getattr__(self, name: str) -> FloatArray:
        found: FloatArray = self._values[:, _NAMES.index(name)]
        return found


def _xlogx(x: IntArray) -> FloatArray:
    values = x.astype(np.float64)
    found: FloatArray = values * np.log(values)
    return found


def _per_block(values: NDArray[Any], ends: IntArray) -> FloatArray:
    """Return the sum of each block's values; blocks may be empty."""
    totals = np.zeros(len(ends) - 1)
    full = np.flatnonzero(np.diff(ends))
    if len(full):
        totals[full] = np.add.reduceat(values, ends[full])
    return totals


def block_sums(blocks: Blocks) -> FloatArray:
    """Return the sums of each block, shape (n_blocks, number of sums). O(cells)."""
    if "sums" in blocks.shared:
        return blocks.shared["sums"]
    table = blocks.table
    n, a, b = table.counts, table.row_sizes, table.col_sizes
    row_maxima, col_maxima = _kernels.impl.maxima(*table.cells, table.shape[1])
    squares = n.astype(np.float64) ** 2
    cells, rows, cols = blocks.cell_ends, blocks.row_ends, blocks.col_ends
    columns: dict[str, FloatArray] = {
        "n": _per_block(n, cells),
        "rows": np.diff(rows).astype(np.float64),
        "cols": np.diff(cols).astype(np.float64),
        "cells": np.diff(cells).astype(np.float64),
        "t": _per_block(_xlogx(n), cells),
        "a": _per_block(_xlogx(a), rows),
        "b": _per_block(_xlogx(b), cols),
        "squares": _per_block(squares, cells),
        "row_squares": _per_block(a.astype(np.float64) ** 2, rows),
        "col_squares": _per_block(b.astype(np.float64) ** 2, cols),
        "recall": _per_block(squares / a[table.rows], cells),
        "precision": _per_block(squares / b[table.cols], cells),
        "row_maxima": _per_block(row_maxima, rows),
        "col_maxima": _per_block(col_maxima, cols),
    }
    assert tuple(columns) == _NAMES
    blocks.shared["sums"] = np.stack(list(columns.values()), axis=1)
    return blocks.shared["sums"]


_NAMES = (
    *("n", "rows", "cols", "cells", "t", "a", "b", "squares", "row_squares", "col_squares"),
    *("recall", "precision", "row_maxima", "col_maxima"),
)


# ---- the measures as functions of sums -----------------------------------------------


def _pairs(x: Sums) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the pairs together on both sides, in the reference, in the candidate, of all."""
    together, in_rows, in_cols = (
        (y - x.n) / 2 for y in (x.squares, x.row_squares, x.col_squares)
    )
    return together, in_rows, in_cols, x.n * (x.n - 1) / 2


def _rand(x: Sums) -> FloatArray:
    both, rows, cols, pairs = _pairs(x)
    return (pairs + 2 * both - rows - cols) / pairs


def _adjusted_rand(x: Sums) -> FloatArray:
    both, rows, cols, pairs = _pairs(x)
    expected = rows * cols / pairs
    return (both - expected) / ((rows + cols) / 2 - expected)


def _jaccard(x: Sums) -> FloatArray:
    both, rows, cols, _ = _pairs(x)
    return both / (rows + cols - both)


def _fowlkes_mallows(x: Sums) -> FloatArray:
    both, rows, cols, _ = _pairs(x)
    return both / np.sqrt(rows * cols)


def _pair_recall(x: Sums) -> FloatArray:
    both, rows, _, _ = _pairs(x)
    return both / rows


def _pair_precision(x: Sums) -> FloatArray:
    both, _, cols, _ = _pairs(x)
    return both / cols


def _pair_f1(x: Sums) -> FloatArray:
    both, rows, cols, _ = _pairs(x)
    return 2 * both / (rows + cols)


def _entropies(x: Sums) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the entropies of reference and candidate, and their mutual information."""
    log_n = np.log(x.n)
    h_rows, h_cols = log_n - x.a / x.n, log_n - x.b / x.n
    return h_rows, h_cols, (x.t - x.a - x.b) / x.n + log_n


def _homogeneity(x: Sums) -> FloatArray:
    h_rows, _, shared = _entropies(x)
    return shared / h_rows


def _completeness(x: Sums) -> FloatArray:
    _, h_cols, shared = _entropies(x)
    return shared / h_cols


def _v_measure(x: Sums) -> FloatArray:
    h_rows, h_cols, shared = _entropies(x)
    return 2 * shared / (h_rows + h_cols)


def _variation(x: Sums) -> FloatArray:
    return (x.a + x.b - 2 * x.t) / x.n


def _nvi(x: Sums) -> FloatArray:
    return _variation(x) / _entropies(x)[0]


def _nvi_k(x: Sums) -> FloatArray:
    return _variation(x) / _entropies(x)[1]


def _b_cubed_f1(x: Sums) -> FloatArray:
    precision, recall = x.precision / x.n, x.recall / x.n
    return 2 * precision * recall / (precision + recall)


#: By the name of the row in the catalogue; degenerate draws never come here.
FORMULAS: dict[str, Callable[[Sums], FloatArray]] = {
    "rand_index": _rand,
    "adjusted_rand_index": _adjusted_rand,
    "jaccard": _jaccard,
    "fowlkes_mallows": _fowlkes_mallows,
    "mirkin": lambda x: x.row_squares + x.col_squares - 2 * x.squares,
    "pair_precision": _pair_precision,
    "pair_recall": _pair_recall,
    "pair_f1": _pair_f1,
    "homogeneity": _homogeneity,
    "completeness": _completeness,
    "v_measure": _v_measure,
    "mutual_information": lambda x: _entropies(x)[2],
    "normalized_mutual_information": _v_measure,
    "variation_of_information": _variation,
    "nvi": _nvi,
    "nvi_k": _nvi_k,
    "purity": lambda x: x.col_maxima / x.n,
    "inverse_purity": lambda x: x.row_maxima / x.n,
    "micro_precision": lambda x: x.col_maxima / x.n,
    "micro_recall": lambda x: x.row_maxima / x.n,
    "van_dongen": lambda x: 2 * x.n - x.row_maxima - x.col_maxima,
    "van_dongen(normalized=True)": lambda x: 1 - (x.row_maxima + x.col_maxima) / (2 * x.n),
    "b_cubed_precision": lambda x: x.precision / x.n,
    "b_cubed_recall": lambda x: x.recall / x.n,
    "b_cubed_f1": _b_cubed_f1,
}


def is_additive(statistic: Statistic) -> bool:
    """Return whether a measure is computed from sums."""
    return statistic.row is not None and statistic.name in FORMULAS


def values_of_sums(sums: FloatArray, statistic: Statistic) -> tuple[FloatArray, NDArray[Any]]:
    """Return the values of draws by their sums, and which draws are degenerate.

    A degenerate draw has one cluster or only singletons on a side, or equal sides; its value is
    left open, since the rules for it are exact ones.
    """
    x = Sums(sums)
    degenerate = (x.cells == x.rows) & (x.cells == x.cols)
    for k in (x.rows, x.cols):
        degenerate |= (k <= 1) | (k == x.n)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = FORMULAS[statistic.name](x)
    return values, degenerate | ~np.isfinite(values)


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
    sums). The others, and degenerate draws, on the table of the draw.
    """
    additive = [is_additive(statistic) for statistic in statistics]
    sums = block_sums(blocks) if any(additive) else None

    at_once = max(1, min(256, _AT_ONCE // max(len(blocks), 1)))

    def batch(number: int) -> FloatArray:
        first = number * at_once
        weights = copies(first, min(first + at_once, draws))
        found = np.empty((len(weights), len(statistics)))
        slow = np.ones(found.shape, dtype=bool)
        if sums is not None:
            totals = weights.astype(np.float64) @ sums
            for j in np.flatnonzero(additive):
                found[:, j], slow[:, j] = values_of_sums(totals, statistics[j])
        for i in np.flatnonzero(slow.any(axis=1)):
            table = blocks.stacked(weights[i])
            for j in np.flatnonzero(slow[i]):
                found[i, j] = statistics[j].of(table)
        return found

    parts = each_draw(
        batch, -(-draws // at_once), workers, progress=progress, what="resampling"
    )
    return np.concatenate(parts)
