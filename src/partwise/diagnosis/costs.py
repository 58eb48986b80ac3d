"""What a measure takes from single cells, where it says so."""

from __future__ import annotations

import numpy as np

from partwise.catalogue import Measure
from partwise.contingency import Contingency
from partwise.measures.split_merge import _weighted_scores, entropy_scores, s_entropy
from partwise.order_free import FloatArray

_ONE = 1 << 62


def cell_losses(table: Contingency, measure: Measure) -> FloatArray | None:
    """Return the loss of the items of each cell; None: the measure gives it to components only.

    An item of S_H has the score s t, s of its reference cluster and t of its candidate
    cluster, so it loses (1 - s) + s (1 - t) (with combine="mean" half of (1 - s) + (1 - t)).
    The losses of all cells add up to 1 less the score. O(cells).
    """
    if measure.function is not s_entropy or not table.n_items:
        return None
    split, merge = _lost_scores(table)
    split, merge = split[table.rows], merge[table.cols]
    if measure.options.get("combine", "product") == "product":
        lost = split + (1.0 - split) * merge
    else:
        lost = (split + merge) / 2
    if table.masses is not None:
        assert table.total_mass is not None
        return table.masses / table.total_mass * lost
    return table.counts / table.n_items * lost


def _lost_scores(table: Contingency) -> tuple[FloatArray, FloatArray]:
    """Return 1 - score of each row and of each column."""
    if (masses := table.all_masses) is not None:
        rows = _weighted_scores(table, table.rows, masses.rows, table.row_sizes)
        cols = _weighted_scores(table, table.cols, masses.cols, table.col_sizes)
        return 1.0 - rows, 1.0 - cols
    rows, cols = entropy_scores(table)
    return np.asarray((_ONE - rows) / _ONE), np.asarray((_ONE - cols) / _ONE)
