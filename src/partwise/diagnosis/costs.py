"""What a measure takes from single cells, where it says so."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from partwise.catalogue import Measure
from partwise.contingency import Contingency
from partwise.labels.columns import IntArray
from partwise.measures.split_merge import _weighted_scores, entropy_scores, s_entropy
from partwise.order_free import FloatArray

_ONE = 1 << 62

#: Rows and places of some cells in, the share of the value that their items lose out.
CellLosses = Callable[[IntArray, IntArray], FloatArray]


def cell_losses(table: Contingency, measure: Measure) -> CellLosses | None:
    """Return what cells lose by a measure; None where it gives its loss to components only.

    An item of S_H has the score s t, s of its reference cluster and t of its candidate
    cluster, so it loses (1 - s) + s (1 - t) (with combine="mean" half of (1 - s) + (1 - t)).
    The losses of all cells add up to 1 less the score.
    """
    if measure.function is not s_entropy or not table.n_items:
        return None
    split, merge = _lost_scores(table)
    whole = table.n_items if table.total_mass is None else table.total_mass
    amounts = table.counts if table.masses is None else table.masses
    product = measure.options.get("combine", "product") == "product"

    def of_cells(rows: IntArray, cells: IntArray) -> FloatArray:
        left, right = split[rows], merge[table.cols[cells]]
        lost = left + (1.0 - left) * right if product else (left + right) / 2
        found: FloatArray = amounts[cells] / whole * lost
        return found

    return of_cells


def _lost_scores(table: Contingency) -> tuple[FloatArray, FloatArray]:
    """Return 1 - score of each row and of each column."""
    if (masses := table.all_masses) is not None:
        rows = _weighted_scores(table, table.rows, masses.rows, table.row_sizes)
        cols = _weighted_scores(table, table.cols, masses.cols, table.col_sizes)
        return 1.0 - rows, 1.0 - cols
    of_rows, of_cols = entropy_scores(table)
    return np.asarray((_ONE - of_rows) / _ONE), np.asarray((_ONE - of_cols) / _ONE)
