"""What a measure takes from single cells, where it says so."""

from __future__ import annotations

from collections.abc import Callable

from partwise.catalogue import Measure, as_table
from partwise.contingency import Contingency
from partwise.labels import Alignment
from partwise.labels.columns import IntArray
from partwise.measures.split_merge import s_entropy, s_mse, scores_of, split_merge
from partwise.order_free import FloatArray

#: Rows and places of some cells in, the share of the value that their items lose out.
CellLosses = Callable[[IntArray, IntArray], FloatArray]

_SCORES = {s_entropy: "entropy", s_mse: "mse"}


def cell_losses(given: Alignment | Contingency, measure: Measure) -> CellLosses | None:
    """Return what cells lose by a measure; None where it gives its loss to components only.

    Split-merge measures give every item a score: s t, s of its reference cluster and t of its
    candidate cluster, so it loses (1 - s) + s (1 - t) (with combine="mean" half of
    (1 - s) + (1 - t)). The losses of all cells add up to 1 less the value.
    """
    table = as_table(given)
    if measure.function not in (*_SCORES, split_merge) or not table.n_items:
        return None
    options = {**measure.defaults, **measure.options}
    score = _SCORES.get(measure.function) or options["score"]
    split, merge = scores_of(given, score, options.get("k"), None)
    whole = table.n_items if table.total_mass is None else table.total_mass
    amounts = table.counts if table.masses is None else table.masses
    product = options["combine"] == "product"

    def of_cells(rows: IntArray, cells: IntArray) -> FloatArray:
        cols = table.cols[cells]
        if product:
            lost = split.gap[rows] + split.score[rows] * merge.gap[cols]
        else:
            lost = (split.gap[rows] + merge.gap[cols]) / 2
        found: FloatArray = amounts[cells] / whole * lost
        return found

    return of_cells
