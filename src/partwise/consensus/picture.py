"""The picture of an estimate: how often items are together, in the order of its clusters."""

from __future__ import annotations

from typing import Any

import numpy as np

from partwise.consensus.ensemble import Ensemble
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.report.plots.similarity import draw_similarity


def draw_estimate(
    ensemble: Ensemble, labels: IntArray, certainty: FloatArray, items: int, ax: Any
) -> Any:
    """Draw at most so many items, evenly out of all of them, and return the axes."""
    order = order_of(labels, certainty)
    shown = order[_evenly(len(order), items)]
    shares: FloatArray = np.zeros((len(shown), len(shown)))
    for row, share in zip(ensemble.codes, ensemble.shares.tolist(), strict=True):
        codes = row[shown]
        shares += share * (codes[:, None] == codes)
    clusters = labels[shown]
    starts = np.flatnonzero(np.diff(clusters, prepend=-1))
    sizes = np.diff(np.append(starts, len(shown))).tolist()
    number = f"{len(order):,} items"
    if len(shown) < len(order):
        number = f"{len(shown):,} of {number}, evenly chosen"
    what = f"{number}, cluster by cluster, the surest first"
    return draw_similarity(shares, sizes, what=what, ax=ax)


def order_of(labels: IntArray, certainty: FloatArray) -> IntArray:
    """Return the items of the largest cluster first, in each the surest first."""
    sizes = np.bincount(labels)[labels]
    order: IntArray = np.lexsort((np.arange(len(labels)), -certainty, labels, -sizes))
    return order


def _evenly(n: int, most: int) -> IntArray:
    """Return up to so many numbers below n, evenly spaced."""
    count = min(n, most)
    numbers: IntArray = np.arange(count) * n // max(count, 1)
    return numbers
