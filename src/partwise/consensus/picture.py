"""The picture of an estimate: how often items are together, in the order of its clusters."""

from __future__ import annotations

from typing import Any

import numpy as np

from partwise.consensus.ensemble import Ensemble
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.report.plots.similarity import draw_similarity

#: Items of a cluster that stay in a picture of some items, on average.
_LEAST_OF_CLUSTER = 6


def draw_estimate(
    ensemble: Ensemble, labels: IntArray, certainty: FloatArray, items: int, ax: Any
) -> Any:
    """Draw at most so many items, evenly out of all of them, and return the axes."""
    order = order_of(labels, certainty)
    shown, told = _chosen(order, labels, items)
    shares: FloatArray = np.zeros((len(shown), len(shown)))
    for row, share in zip(ensemble.codes, ensemble.shares.tolist(), strict=True):
        codes = row[shown]
        shares += share * (codes[:, None] == codes)
    clusters = labels[shown]
    starts = np.flatnonzero(np.diff(clusters, prepend=-1))
    sizes = np.diff(np.append(starts, len(shown))).tolist()
    what = f"{told}, cluster by cluster, the surest first"
    shares = np.minimum(shares, 1.0)  # rounded, they may add up to more
    return draw_similarity(shares, sizes, what=what, ax=ax)


def order_of(labels: IntArray, certainty: FloatArray) -> IntArray:
    """Return the items of the largest cluster first, in each the surest first."""
    sizes = np.bincount(labels)[labels]
    order: IntArray = np.lexsort((np.arange(len(labels)), -certainty, labels, -sizes))
    return order


def _chosen(order: IntArray, labels: IntArray, most: int) -> tuple[IntArray, str]:
    """Return the items to draw, and how they were chosen.

    Evenly where clusters stay recognisable; else, with small clusters, every so many of them.
    """
    n = len(order)
    if n <= most:
        return order, f"{n:,} items"
    if (int(labels.max()) + 1) * _LEAST_OF_CLUSTER <= most:
        evenly: IntArray = order[np.arange(most) * n // most]
        return evenly, f"{most:,} of {n:,} items, evenly chosen"
    rank = np.cumsum(np.diff(labels[order], prepend=-1) != 0) - 1
    step = -(-n // most)
    kept: IntArray = order[rank % step == 0][:most]
    return kept, f"{len(kept):,} of {n:,} items, one cluster of {step}"
