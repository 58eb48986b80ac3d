"""The squared-error score of clusters: how much spread is left inside their parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise._kernels import order_free
from partwise._kernels.order_free import (
    dekker_product,
    group_means,
)
from partwise.labels.columns import (
    listed,
)
from partwise.measures.centroids.centroids import cluster_means, items_by_cluster
from partwise.measures.split_merge.item_distances import SLACK, Distance, read_distances
from partwise.measures.split_merge.subcomponent_scores import Scores, SideScores, of_scores
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.table.alignment import Alignment
from partwise.table.contingency import Contingency
from partwise.table.counted_items import CountedSide

_PAIRS_AT_ONCE = 1 << 20


def _kept_spread(
    table: Contingency, side: str, before: FloatArray, after: FloatArray
) -> SideScores:
    """Return after / before of each cluster.

    Without any spread, m parts of x items score (x - m) / (x - 1): what small independent
    noise would give on average.
    """
    of_cell = table.rows if side == "reference" else table.cols
    sizes = table.row_sizes if side == "reference" else table.col_sizes
    pieces = np.bincount(of_cell, minlength=len(sizes))
    flat = before == 0
    scores = np.ones(len(sizes))
    some = (pieces > 1) & ~flat
    scores[some] = np.minimum(after[some] / before[some], 1.0)
    some = (pieces > 1) & flat
    scores[some] = (sizes[some] - pieces[some]) / (sizes[some] - 1)
    return of_scores(scores)


# ---- from features -----------------------------------------------------------------


def by_features(alignment: Alignment) -> Scores:
    """Return SSE of the parts / SSE of the cluster, for both sides. O(n d)."""
    if alignment.features is None:
        raise ValueError('score="mse" needs features= (one row per item) or distances=')
    features = alignment.features
    return alignment.memo.get("mse", lambda: _by_features(alignment, features))


def _by_features(alignment: Alignment, features: FloatArray) -> Scores:
    table, items = alignment.table, items_by_cluster(alignment)
    cell_of_item = alignment.cell_of_item
    values = features[items.kept]
    huge = len(values) > 0 and np.abs(values).max() > 2.0**1000
    if huge:  # differences must not overflow
        values = np.ldexp(values, -2)
    masses = table.all_masses
    if huge or (masses and not (masses.rows.high.all() and masses.cols.high.all())):
        groups = zip((items.rows, items.cols), table.shape, strict=True)
        means = tuple(_means(values, of, k, items.weights) for of, k in groups)
    else:
        means = cluster_means(alignment, features)
    cell_means = _means(values, cell_of_item, table.n_cells, items.weights)
    sides = []
    for name, side, centres in zip(("reference", "candidate"), items.sides, means, strict=True):
        before, after = _squared_errors(
            values, side, items.weights, centres, cell_means[cell_of_item]
        )
        sides.append(_kept_spread(table, name, before, after))
    return Scores(*sides)


def _means(
    values: FloatArray, groups: IntArray, n_groups: int, weights: FloatArray | None
) -> FloatArray:
    """Return the weighted mean of each group; the plain one where it weighs nothing."""
    if weights is not None:
        some = np.zeros(n_groups, dtype=bool)
        some[groups[weights > 0]] = True
        weights = np.where(some[groups], weights, 1.0)
    return group_means(values, groups, n_groups, weights)


def _squared_errors(
    values: FloatArray,
    side: CountedSide,
    weights: FloatArray | None,
    means: FloatArray,
    mean_of_part: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Return each cluster's squared error about its mean and about those of its parts.

    Both in a unit of the cluster's own (a power of two), so that none is lost beside others.
    """
    columns, of_item, k = range(values.shape[1]), side.column.codes, side.n_clusters

    def about_means() -> tuple[FloatArray, NDArray[np.int32]]:
        largest = np.zeros(k)
        for j in columns:
            np.maximum.at(largest, of_item, np.abs(values[:, j] - means[of_item, j]))
        shift = -np.frexp(largest)[1][of_item]
        terms = np.zeros(len(values))
        for j in columns:
            terms += np.ldexp(values[:, j] - means[of_item, j], shift) ** 2
        return _weighed(terms, weights, of_item, k), shift

    before, shift = side.of_arrays("squared errors", [values, means], about_means)
    after = np.zeros(len(values))
    for j in columns:
        after += np.ldexp(values[:, j] - mean_of_part[:, j], shift) ** 2
    return before, _weighed(after, weights, of_item, k)


def _weighed(
    terms: FloatArray, weights: FloatArray | None, of_item: IntArray, k: int
) -> FloatArray:
    """Return the sum over each cluster of weight times term; 3 is as good as three items."""
    if weights is None:
        return order_free.group_totals(terms, of_item, k).high
    both = np.concatenate(dekker_product(_scaled_by_cluster(weights, of_item, k), terms))
    return order_free.group_totals(both, np.concatenate((of_item, of_item)), k).high


def _scaled_by_cluster(weights: FloatArray, of_item: IntArray, k: int) -> FloatArray:
    """Return weights over the power of two of their cluster's largest."""
    largest = np.zeros(k)
    np.maximum.at(largest, of_item, weights)
    scaled: FloatArray = np.ldexp(weights, -np.frexp(largest)[1][of_item])
    return scaled


# ---- from distances ----------------------------------------------------------------


def by_distances(alignment: Alignment, distances: Any) -> Scores:
    """Return the spread of the parts / that of the cluster, for both sides.

    The spread of x items is the sum of squared distances of their pairs over x. Only pairs
    inside clusters that are split are looked at, some million at a time.
    """
    table, items = alignment.table, items_by_cluster(alignment)
    between = read_distances(distances, len(alignment.reference.column))
    labels = (table.row_labels, table.col_labels)
    sides = []
    for side, of_item, names in zip(
        ("reference", "candidate"), (items.rows, items.cols), labels, strict=True
    ):
        before, after = _pair_spreads(alignment, side, of_item, between)
        wrong = np.flatnonzero(after > before * (1 + SLACK))
        if len(wrong):
            at = wrong[0]
            name = listed(names[[at]])[0]
            raise ValueError(
                f"the parts of {side} cluster {name!r} have {after[at] / before[at]:.6g} times "
                "the spread of the whole: these distances are not Euclidean, and the score "
                f"leaves [0, 1] ({len(wrong)} such clusters)"
            )
        sides.append(_kept_spread(table, side, before, after))
    return Scores(*sides)


def _pair_spreads(
    alignment: Alignment, side: str, of_item: IntArray, between: Distance
) -> tuple[FloatArray, FloatArray]:
    """Return the spread of each split cluster and of its parts, 0 for the others.

    In a unit of the cluster's own (a power of two).
    """
    table, items = alignment.table, items_by_cluster(alignment)
    cell_of_item = alignment.cell_of_item
    of_cell = table.rows if side == "reference" else table.cols
    k = len(table.row_sizes if side == "reference" else table.col_sizes)
    split = np.bincount(of_cell, minlength=k) > 1
    weights = np.ones(len(of_item))
    if items.weights is not None:
        weights = _scaled_by_cluster(items.weights, of_item, k)
    cluster_weight = order_free.group_totals(weights, of_item, k).high
    part_weight = order_free.group_totals(weights, cell_of_item, table.n_cells).high
    chosen = np.flatnonzero(split[of_item])
    chosen = chosen[np.argsort(of_item[chosen], kind="stable")]
    before, after = np.zeros(k), np.zeros(k)
    for members in _batches(chosen, of_item):
        pairs = _Pairs(members, of_item[members], items.kept, between)
        clusters = np.unique(of_item[members])
        largest = np.zeros(len(clusters))
        for i, _, far in pairs:
            np.maximum.at(largest, np.searchsorted(clusters, of_item[i]), far)
        shift = -np.frexp(largest)[1]
        for i, j, far in pairs:
            at, cell = np.searchsorted(clusters, of_item[i]), cell_of_item[i]
            terms = np.ldexp(far, shift[at]) ** 2 * (weights[i] * weights[j])
            inside = (cell == cell_of_item[j]) & (part_weight[cell] > 0)
            own = np.divide(terms, part_weight[cell], out=np.zeros_like(terms), where=inside)
            before[clusters] += order_free.group_totals(terms, at, len(clusters)).high
            after[clusters] += order_free.group_totals(own, at, len(clusters)).high
    np.divide(before, cluster_weight, out=before, where=cluster_weight > 0)
    return before, after


def _batches(members: IntArray, of_item: IntArray) -> Iterator[IntArray]:
    """Yield the items of whole clusters with some million pairs, or of one larger cluster."""
    if len(members) == 0:
        return
    starts = np.flatnonzero(np.diff(of_item[members], prepend=-1))
    sizes = np.diff(starts, append=len(members))
    done = np.cumsum(sizes * (sizes - 1) // 2) // _PAIRS_AT_ONCE
    yield from np.split(members, starts[np.flatnonzero(np.diff(done)) + 1])


class _Pairs:
    """All pairs of items of a cluster with their distance, a part at a time.

    Members are in order of their clusters. Goes round more than once; what fits in one part is
    measured once.
    """

    def __init__(
        self, members: IntArray, clusters: IntArray, kept: IntArray, between: Distance
    ) -> None:
        self._members, self._kept, self._between = members, kept, between
        ends = np.searchsorted(clusters, clusters, side="right")
        self._later = ends - 1 - np.arange(len(members))
        self._only: tuple[IntArray, IntArray, FloatArray] | None = None

    def __iter__(self) -> Iterator[tuple[IntArray, IntArray, FloatArray]]:
        if self._only is not None:
            yield self._only
            return
        done = np.cumsum(self._later) // (2 * _PAIRS_AT_ONCE)
        parts = np.split(np.arange(len(done)), np.flatnonzero(np.diff(done)) + 1)
        for first in parts:
            measured = self._measured(first)
            if len(parts) == 1:
                self._only = measured
            yield measured

    def _measured(self, first: IntArray) -> tuple[IntArray, IntArray, FloatArray]:
        counts = self._later[first]
        i = np.repeat(first, counts)
        steps = np.arange(len(i)) - np.repeat(np.cumsum(counts) - counts, counts)
        first_items, second_items = self._members[i], self._members[i + 1 + steps]
        distances = self._between(self._kept[first_items], self._kept[second_items])
        return first_items, second_items, distances
