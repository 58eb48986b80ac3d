"""What a measure takes from single cells, where it says so."""

from __future__ import annotations

from dataclasses import dataclass

from partwise.measures.entry import Measure
from partwise.measures.split_merge.split_merge import (
    s_entropy,
    s_mse,
    split_merge,
    subcomponent_scores_of,
)
from partwise.measures.split_merge.subcomponent_scores import Scores
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.table.alignment import Alignment
from partwise.table.arguments import as_table
from partwise.table.contingency import Contingency


@dataclass(frozen=True, slots=True, eq=False)
class CellLosses:
    """What cells lose by a split-merge measure, on call.

    Attributes
    ----------
    table : Contingency
    scores : Scores
        Of the clusters of both sides.
    product : bool
        An item's score is the product of its clusters' scores, else their mean.
    """

    table: Contingency
    scores: Scores
    product: bool

    def __call__(self, rows: IntArray, cells: IntArray) -> FloatArray:
        """Return the part of the loss that falls on some cells; ``rows`` are their rows."""
        table, (split, merge) = self.table, self.scores
        cols = table.cols[cells]
        if self.product:
            lost = split.gap[rows] + split.score[rows] * merge.gap[cols]
        else:
            lost = (split.gap[rows] + merge.gap[cols]) / 2
        if table.masses is not None:
            assert table.total_mass is not None
            return table.masses[cells] / table.total_mass * lost
        shares_of_items: FloatArray = table.counts[cells] / table.n_items * lost
        return shares_of_items


_SCORES = {s_entropy: "entropy", s_mse: "mse"}


def cell_losses(clusterings: Alignment | Contingency, measure: Measure) -> CellLosses | None:
    """Return what cells lose by a measure; None where it gives its loss to components only.

    Split-merge measures give every item a score: s t, s of its reference cluster and t of its
    candidate cluster, so it loses (1 - s) + s (1 - t) (with combine="mean" half of
    (1 - s) + (1 - t)). The losses of all cells add up to 1 less the value.
    """
    table = as_table(clusterings)
    if measure.function not in (*_SCORES, split_merge) or not table.n_items:
        return None
    options = {**measure.defaults, **measure.options}
    score = _SCORES.get(measure.function) or options["score"]
    scores = subcomponent_scores_of(clusterings, score, options.get("k"), None)
    return CellLosses(table, scores, options["combine"] == "product")
