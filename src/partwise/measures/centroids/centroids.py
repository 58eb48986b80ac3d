"""Centroids: the mean row of features of each cluster, or given by the caller."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from partwise._kernels.order_free import Means, group_means, group_sums
from partwise.labels.carried import feature_rows, read_features, read_weights, values_by_item
from partwise.labels.clustering import as_clustering
from partwise.labels.columns import Column, listed
from partwise.labels.indexes import ItemOrder, in_item_order, refuse_other_indexes
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.table.alignment import Alignment
from partwise.table.arguments import Clusterings, as_table
from partwise.table.contingency import Contingency
from partwise.table.counted_items import CountedSide
from partwise.table.memo import memoized
from partwise.typing import Column as ItemValues
from partwise.typing import Labels

__all__ = [
    "centroids",
]


def centroids(
    labels: Labels, features: ItemValues, *, weights: ItemValues | None = None
) -> FloatArray:
    """Mean row of features of each cluster of one clustering.

    Parameters
    ----------
    labels
        One clustering in any form that ``align`` takes.
    features : array-like of shape (n, d) or (n,), or mapping by item
        Row of finite real numbers of each item, in the order of the labels.
    weights : array-like of shape (n,), or mapping by item, optional
        Mass of each item: the mean is weighted by it.

    Returns
    -------
    ndarray of float64, shape (K, d)
        In ascending order of the labels, as the rows of a table.

    Raises
    ------
    ValueError
        A label is missing, a row is not finite, numbers of rows and labels differ, a cluster
        has no mass.
    TypeError
        Features that are no numbers.

    Notes
    -----
    Sums are taken in fixed point: the order of items changes no bit, and items in one place
    have exactly that place as centroid. O(n d).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.centroids(["x", "y", "x"], [[0, 1], [5, 5], [1, 2]]).tolist()
    [[0.5, 1.5], [5.0, 5.0]]
    """
    clustering = as_clustering(labels, "labels")
    missing = clustering.column.missing
    if missing is not None and missing.any():
        raise ValueError(
            f"the clustering has {int(missing.sum())} missing labels, the first at index "
            f"{int(np.flatnonzero(missing)[0])}; leave these items out first"
        )
    n, ids = clustering.n_items, clustering.item_column
    items = ItemOrder(
        "the labels", n, clustering.index, ids=ids, unordered=clustering.unordered
    )
    if items.index is None and ids is None:  # else each is held against these
        refuse_other_indexes({"features": features, "weights": weights})
    features = in_item_order(features, "features", items)
    weights = in_item_order(weights, "weights", items)
    positions = np.arange(n)
    by_item = isinstance(features, Mapping)
    table: Any = features if by_item else feature_rows(features)
    if not by_item and (table.ndim not in (1, 2) or len(table) != n):
        raise ValueError(
            f"features has shape {table.shape}; one row for each of the {n} labels is expected"
        )
    rows = read_features(
        values_by_item(table, "features", n, positions, ids, rows=True), ids=ids
    )
    mass = None
    if weights is not None:
        mass = read_weights(values_by_item(weights, "weights", n, positions, ids))
    column = clustering.column.compact()
    assert column.categories is not None
    k = len(column.categories)
    if mass is not None:
        weighed = np.bincount(column.codes, mass > 0, minlength=k).astype(np.float64)
        _check_masses(weighed, column.categories, "cluster")
    return group_means(rows, column.codes, k, mass)


def _check_masses(masses: FloatArray, labels: Any, what: str) -> None:
    empty = np.flatnonzero(masses == 0)
    if len(empty):
        label = labels[empty[0]]
        label = label.item() if isinstance(label, np.generic) else label
        raise ValueError(
            f"{what} {label!r} has weight 0 in all, so it has no centroid "
            f"({len(empty)} such clusters)"
        )


def centroids_of(
    clusterings: Clusterings, centroids: Any = None, name: str = "a measure of centroids"
) -> tuple[FloatArray, FloatArray]:
    """Return the centroids of both sides, in the order of the table's rows and columns.

    Parameters
    ----------
    given : Alignment or Contingency
        What the measure was given; the centroids of an alignment are computed once.
    centroids : pair of array-likes of shapes (K, d) and (J, d), optional
        Used in place of the features.
    name : str
        The measure, for messages.

    Raises
    ------
    ValueError
        Neither features nor centroids; a cluster without mass; wrong shapes.
    TypeError
        A table without ``centroids``.
    """
    if centroids is not None:
        table = as_table(clusterings)
        return read_centroids(centroids, table.shape, (table.row_labels, table.col_labels))
    if isinstance(clusterings, Contingency):
        raise TypeError(
            f"{name} needs the items, which a Contingency does not hold; pass "
            "centroids=(reference, candidate), or two clusterings with features="
        )
    if clusterings.features is None:
        raise ValueError(
            f"{name} needs features= (one row per item) or centroids=(reference, candidate)"
        )
    features = clusterings.features
    return clusterings.memo.get("centroids", lambda: _computed(clusterings, features))


def exact_centroids_of(
    clusterings: Clusterings, centroids: Any = None, name: str = "a measure of centroids"
) -> tuple[Means, Means]:
    """Return ``centroids_of`` before they are rounded."""
    first, second = centroids_of(clusterings, centroids, name)
    if centroids is not None or isinstance(clusterings, Contingency):
        return Means.of(first), Means.of(second)
    if clusterings.features is None:
        return Means.of(first), Means.of(second)
    return cluster_sums(clusterings, clusterings.features)


def read_centroids(
    centroids: Any, shape: tuple[int, int], labels: tuple[Any, Any] | None = None
) -> tuple[FloatArray, FloatArray]:
    """Check given centroids: one row per cluster on both sides, in one space.

    A frame whose index is the ``labels`` of the clusters is put in their order.
    """
    if not isinstance(centroids, (tuple, list)) or len(centroids) != 2:
        raise TypeError(
            "centroids= takes a pair (reference, candidate) of arrays, one row per cluster"
        )
    sides = ("reference", "candidate")
    if labels is not None:
        centroids = [
            _in_label_order(rows, f"{side} centroids", side, of_side)
            for side, rows, of_side in zip(sides, centroids, labels, strict=True)
        ]
    reference, candidate = (
        read_features(rows, f"{side} centroids")
        for side, rows in zip(sides, centroids, strict=True)
    )
    for side, rows, k in zip(sides, (reference, candidate), shape, strict=True):
        if len(rows) != k:
            raise ValueError(
                f"{len(rows)} {side} centroids for {k} {side} clusters; one row per cluster, "
                "in ascending order of the labels, is expected"
            )
    if reference.shape[1] != candidate.shape[1]:
        raise ValueError(
            f"reference centroids have {reference.shape[1]} columns, candidate centroids "
            f"{candidate.shape[1]}; both lie in one space"
        )
    return reference, candidate


def _in_label_order(rows: Any, name: str, side: str, labels: Any) -> Any:
    """Return centroids in the order of the labels, where an index says whose they are."""
    ids = Column(np.arange(len(labels)), labels)
    items = ItemOrder(f"the {side} clusters", len(labels), ids=ids)
    ordered = in_item_order(rows, name, items)
    if not isinstance(ordered, dict):
        return ordered
    return [ordered[label] for label in listed(labels)]


class ItemsByCluster(NamedTuple):
    """The items that count, their clusters on both sides, and what they weigh."""

    rows: IntArray
    cols: IntArray
    kept: IntArray
    weights: FloatArray | None
    sides: tuple[CountedSide, CountedSide]


@memoized
def items_by_cluster(alignment: Alignment) -> ItemsByCluster:
    """Return the items of an alignment as its table has them."""
    items = alignment.counted_items
    rows, cols = (side.column.codes for side in items.sides)
    weights, kept = items.weights, items.kept
    if weights is None and items.times is not None:
        weights = items.times.astype(np.float64)
    kept = np.arange(len(rows)) if kept is None else kept
    return ItemsByCluster(rows, cols, kept, weights, items.sides)


def cluster_sums(alignment: Alignment, features: FloatArray) -> tuple[Means, Means]:
    """Return the means of the clusters of both sides as quotients of sums."""

    def sums_of(items: ItemsByCluster, side: CountedSide) -> Means:
        values = features[items.kept]
        codes, k = side.column.codes, side.n_clusters
        return side.of_arrays(
            "sums", [values], lambda: group_sums(values, codes, k, items.weights)
        )

    def sums() -> tuple[Means, Means]:
        items = items_by_cluster(alignment)
        reference, candidate = (sums_of(items, side) for side in items.sides)
        return reference, candidate

    return alignment.memo.get("cluster sums", sums)


def cluster_means(alignment: Alignment, features: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the means of the clusters of both sides, all of which weigh something."""

    def means() -> tuple[FloatArray, FloatArray]:
        reference, candidate = cluster_sums(alignment, features)
        return reference.rounded(), candidate.rounded()

    return alignment.memo.get("cluster means", means)


def _computed(alignment: Alignment, rows: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the centroids of the items' features, weighted by mass and multiplicity."""
    table = alignment.table
    if table.all_masses is not None:
        _check_masses(table.all_masses.rows.high, table.row_labels, "reference cluster")
        _check_masses(table.all_masses.cols.high, table.col_labels, "candidate cluster")
    first, second = cluster_means(alignment, rows)
    first.flags.writeable = second.flags.writeable = False
    return first, second
