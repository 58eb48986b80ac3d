"""What a measure takes from single cells, where it says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from partwise.measures.entry import Measure
from partwise.measures.information.distance import merge_entropy, split_entropy
from partwise.measures.information.information import conditional_entropy
from partwise.measures.information.variation import variation_of_information
from partwise.measures.split_merge.split_merge import (
    s_entropy,
    s_mse,
    split_merge,
    subcomponent_scores_of,
)
from partwise.measures.split_merge.subcomponent_scores import Scores
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import ln_of_base
from partwise.numbers.real_logarithm import log
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


@dataclass(frozen=True, slots=True, eq=False)
class EntropyLosses:
    """What cells add to the entropy of one side given the other, on call.

    Attributes
    ----------
    table : Contingency
    sides : tuple of bool
        Whether the entropy of the candidate given the reference counts (splits), and that of
        the reference given the candidate (merges).
    unit : float
        Natural logarithm of the base.
    """

    table: Contingency
    sides: tuple[bool, bool]
    unit: float

    def __call__(self, rows: IntArray, cells: IntArray) -> FloatArray:
        """Return the part of the entropy that some cells add; ``rows`` are their rows."""
        table, cols = self.table, self.table.cols[cells]
        if table.masses is None:
            own: FloatArray = table.counts[cells].astype(np.float64)
            sizes: tuple[NDArray[Any], ...] = table.row_sizes[rows], table.col_sizes[cols]
            total: float = table.n_items
        else:
            assert table.row_masses is not None
            assert table.col_masses is not None
            assert table.total_mass is not None
            own = table.masses[cells]
            sizes = table.row_masses[rows], table.col_masses[cols]
            total = table.total_mass
        lost = np.zeros(len(cells))
        some = own > 0
        for counts, clusters in zip(self.sides, sizes, strict=True):
            if counts:
                lost[some] += own[some] * log(np.maximum(clusters[some] / own[some], 1.0))
        return lost / (total * self.unit)


Losses: TypeAlias = CellLosses | EntropyLosses

_SCORES = {s_entropy: "entropy", s_mse: "mse"}
#: Measures that are sums of entropies of one side given the other: of splits, of merges.
_ENTROPIES = {
    variation_of_information: (True, True),
    split_entropy: (True, False),
    merge_entropy: (False, True),
    conditional_entropy: (False, True),
}


def cell_losses(clusterings: Alignment | Contingency, measure: Measure) -> Losses | None:
    """Return what cells lose by a measure; None where it gives its loss to components only.

    Split-merge measures give every item a score: s t, s of its reference cluster and t of its
    candidate cluster, so it loses (1 - s) + s (1 - t) (with combine="mean" half of
    (1 - s) + (1 - t)). The losses of all cells add up to 1 less the value. Variation of
    information and its two parts are sums over cells: of n_ij / n ln(n_i / n_ij) for splits,
    with m_j for merges.
    """
    table = as_table(clusterings)
    entropies = _ENTROPIES.get(measure.function)
    if entropies is not None and table.n_items:
        options = {**measure.defaults, **measure.options}
        if options.keys() <= {"base"}:
            return EntropyLosses(table, entropies, ln_of_base(options.get("base")))
    if measure.function not in (*_SCORES, split_merge) or not table.n_items:
        return None
    options = {**measure.defaults, **measure.options}
    score = _SCORES.get(measure.function) or options["score"]
    scores = subcomponent_scores_of(clusterings, score, options.get("k"), None)
    return CellLosses(table, scores, options["combine"] == "product")
