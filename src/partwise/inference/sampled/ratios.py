"""Measures as ratios of means over sampled clusters, with their sampling errors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from partwise.inference.sampled.sample import SampledClusters
from partwise.numbers.arrays import FloatArray


class Terms(NamedTuple):
    """What each sampled cluster adds to the numerator and to the denominator, unweighted."""

    above: FloatArray
    below: FloatArray


class Estimate(NamedTuple):
    """An estimate and its standard error (not a number where it is undefined)."""

    value: float
    standard_error: float


def _by_cluster(sampled: SampledClusters, of_cells: FloatArray) -> FloatArray:
    added = np.bincount(sampled.table.rows, of_cells, len(sampled)).astype(np.float64)
    return added


def _pairs(counts: FloatArray) -> FloatArray:
    pairs: FloatArray = counts * (counts - 1) / 2
    return pairs


class Parts:
    """What the terms of all measures are made of, from one pass over the cells.

    Parameters
    ----------
    sampled : SampledClusters
    """

    def __init__(self, sampled: SampledClusters) -> None:
        counts = sampled.table.counts.astype(np.float64)
        predicted = sampled.predicted[sampled.table.cols].astype(np.float64)
        self.sizes: FloatArray = sampled.sizes.astype(np.float64)
        self.items, self.clusters = float(sampled.n_items), float(sampled.n_clusters)
        own = self.sizes[sampled.table.rows]
        self.together = _by_cluster(sampled, _pairs(counts))
        # a false pair is met from both of its true clusters
        self.false = _by_cluster(sampled, counts * (predicted - counts)) / 2
        self.exact = _by_cluster(sampled, 1.0 * ((counts == own) & (counts == predicted)))
        self.precise = _by_cluster(sampled, counts * counts / predicted)
        self.recalled = _by_cluster(sampled, counts * counts / own)

    def pair_precision(self) -> Terms:
        """Pairs together in both over those together in the prediction."""
        return Terms(self.together, self.together + self.false)

    def pair_recall(self) -> Terms:
        """Pairs together in both over those together in truth."""
        return Terms(self.together, _pairs(self.sizes))

    def pair_f1(self) -> Terms:
        """Pairs together in both over the mean of both."""
        predicted, true = self.pair_precision().below, self.pair_recall().below
        return Terms(self.together, (predicted + true) / 2)

    def cluster_precision(self) -> Terms:
        """Exact clusters over predicted ones, whose number per item is known."""
        return Terms(self.items * self.exact, self.clusters * self.sizes)

    def cluster_recall(self) -> Terms:
        """Exact clusters over true ones."""
        return Terms(self.exact, np.ones_like(self.sizes))

    def cluster_f1(self) -> Terms:
        """Exact clusters over the mean of both numbers."""
        per_cluster = self.items / self.clusters
        return Terms(2 * per_cluster * self.exact, per_cluster + self.sizes)

    def b_cubed_precision(self) -> Terms:
        """Mean over items."""
        return Terms(self.precise, self.sizes)

    def b_cubed_recall(self) -> Terms:
        """Mean over items."""
        return Terms(self.recalled, self.sizes)

    def b_cubed_precision_of_clusters(self) -> Terms:
        """Mean over true clusters."""
        return Terms(self.precise / self.sizes, np.ones_like(self.sizes))

    def b_cubed_recall_of_clusters(self) -> Terms:
        """Mean over true clusters."""
        return Terms(self.recalled / self.sizes, np.ones_like(self.sizes))


#: By the names of the catalogue.
MEASURES: dict[str, Callable[[Parts], Terms]] = {
    "pair_precision": Parts.pair_precision,
    "pair_recall": Parts.pair_recall,
    "pair_f1": Parts.pair_f1,
    "cluster_precision": Parts.cluster_precision,
    "cluster_recall": Parts.cluster_recall,
    "cluster_f1": Parts.cluster_f1,
    "b_cubed_precision": Parts.b_cubed_precision,
    "b_cubed_recall": Parts.b_cubed_recall,
    "b_cubed_precision(cluster_weights=uniform)": Parts.b_cubed_precision_of_clusters,
    "b_cubed_recall(cluster_weights=uniform)": Parts.b_cubed_recall_of_clusters,
}


def estimate(above: FloatArray, below: FloatArray, unseen: float = 1.0) -> Estimate:
    """Return the ratio of two means, less its bias to first order, and its standard error.

    ``unseen`` is the share of the population's clusters that are not in the sample, 1 where
    they were drawn with replacement or the population has no end.
    """
    m = len(above)
    mean_above, mean_below = math.fsum(above) / m, math.fsum(below) / m
    if mean_below == 0:
        return Estimate(math.nan, math.nan)
    if mean_above == 0:
        return Estimate(0.0, math.nan)
    ratio = mean_above / mean_below
    if m == 1:
        return Estimate(ratio, math.nan if unseen else 0.0)
    share, other = above / mean_above, below / mean_below
    apart = other - share
    bias = -math.fsum(other * apart) / m / (m - 1) * unseen
    error = abs(ratio) * math.sqrt(unseen * math.fsum(apart * apart) / (m * (m - 1)))
    return Estimate(ratio * (1 + bias), error)


def estimates_of_draws(
    above: FloatArray, below: FloatArray, times: FloatArray, unseen: float = 1.0
) -> FloatArray:
    """Return the estimates of draws of the clusters: ``times`` each one is in each draw."""
    m = len(above)
    mean_above, mean_below = times @ above / m, times @ below / m
    products, squares = times @ (above * below) / m, times @ (below * below) / m
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = mean_above / mean_below
        bias = (products / (mean_above * mean_below) - squares / mean_below**2) / max(m - 1, 1)
        values = np.where(mean_above == 0, 0.0, ratio * (1 + bias * unseen))
    drawn: FloatArray = np.where(mean_below == 0, np.nan, values)
    return drawn
