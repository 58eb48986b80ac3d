"""The CSS distance: disagreement weighed by how far apart the clusters' centres are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from partwise._kernels import order_free
from partwise._kernels.order_free import (
    Means,
    Totals,
    group_sums,
)
from partwise.labels import Clustering
from partwise.labels.carried import read_features
from partwise.labels.indexes import ItemOrder, in_item_order, index_of
from partwise.labels.memberships import Memberships
from partwise.measures.centroids.centroids import exact_centroids_of, read_centroids
from partwise.measures.centroids.nearest import squared_distances
from partwise.measures.error_bound import OF_DIFFERENCES
from partwise.measures.information.joint_law import joint_law
from partwise.measures.transport import measure
from partwise.measures.transport.plans import (
    CellValues,
    ClusterWeights,
    best_plan,
    check_word,
    cluster_weights_of,
    spread_table,
)
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import one_of
from partwise.solvers.arrays import as_numbers
from partwise.table.alignment import Alignment
from partwise.table.arguments import Clusterings, as_table
from partwise.table.count import contingency
from partwise.table.memberships_pair import as_memberships_pair
from partwise.typing import Column as ItemValues

__all__ = [
    "css_distance",
]

CssMetric = Literal["euclidean", "sqeuclidean"]
CSS_METRICS: tuple[str, ...] = get_args(CssMetric)
LENGTH_MOST = 1e30
_CHUNK = 1 << 20  # coordinates held at once
_NO_SOURCE = (
    "css_distance needs features= (one row per item), centroids=(reference, candidate) or "
    "distances="
)


class CommonMass(NamedTuple):
    """Mass that pairs of clusters have in common, on the cells where there is any."""

    cells: CellValues
    row_sizes: NDArray[Any]
    col_sizes: NDArray[Any]

    @property
    def shape(self) -> tuple[int, int]:
        """Clusters on both sides, empty ones too."""
        return len(self.row_sizes), len(self.col_sizes)


# ---- distances of centres ----------------------------------------------------------


def _lengths(
    cells: CellValues, centres: tuple[Means, Means], metric: str
) -> tuple[FloatArray, int]:
    """Return the distance of the centres of every cell, and its unit as a power of two."""
    pairs = [x.both() for x in centres]
    largest = max((float(np.abs(x.high).max()) for x in pairs if x.high.size), default=0.0)
    exponent = int(np.frexp(largest)[1])
    first, second = (Totals(*(np.ldexp(part, -exponent) for part in x)) for x in pairs)
    rows, cols = cells.rows, cells.cols
    lengths = np.empty(len(cols))
    step = max(1, _CHUNK // max(first.high.shape[1], 1))
    for start in range(0, len(cols), step):
        part = slice(start, start + step)
        # with what was rounded off: far from the origin, centres are near each other
        apart = first.at(rows[part]).minus(second.at(cols[part]))
        # scaled cell by cell: squares of small differences must not vanish beside large ones
        powers = np.frexp(np.abs(apart).max(axis=1, initial=0.0))[1]
        apart = np.ldexp(apart, -powers[:, None])
        squared = squared_distances(apart, np.zeros_like(apart))
        if metric == "sqeuclidean":
            lengths[part] = np.ldexp(squared, 2 * powers)
        else:
            lengths[part] = np.ldexp(np.sqrt(squared), powers)
    return lengths, 2 * exponent if metric == "sqeuclidean" else exponent


def _given_lengths(distances: Any, cells: CellValues, shape: tuple[int, int]) -> FloatArray:
    lengths = as_numbers(distances, "distances", shape)
    if lengths.size and lengths.max() > LENGTH_MOST:
        row, col = np.unravel_index(np.argmax(lengths), lengths.shape)
        raise ValueError(
            f"distances[{row}, {col}] is {lengths[row, col]}; they are finite, from 0 to "
            f"{LENGTH_MOST:g}"
        )
    return lengths[cells.rows, cells.cols].astype(np.float64)


def _check_source(centroids: Any, distances: Any, metric: Any) -> None:
    one_of(metric, CSS_METRICS, "metric")
    if centroids is not None and distances is not None:
        raise TypeError("css_distance takes centroids= or distances=, not both")


# ---- the distance ------------------------------------------------------------------


def _css(shared: CommonMass, lengths: FloatArray, exponent: int, cluster_weights: Any) -> float:
    weights = cluster_weights_of(cluster_weights, shared.row_sizes, shared.col_sizes)
    cells = shared.cells
    rows, cols = cells.rows, cells.cols
    both = weights.rows[rows] + weights.cols[cols]
    cost = cells.values * lengths
    share = np.maximum(both, 1).astype(np.float64)
    gains = np.where(both > 0, cost / share, 0.0)
    amounts = best_plan(cells._replace(values=gains), weights).on_cells(cells)
    unmatched_share = np.where(both > 0, (both - 2 * amounts) / share, 1.0)
    total = Fraction(*order_free.total(cost * unmatched_share)) * Fraction(2) ** exponent
    try:
        return float(total)
    except OverflowError:
        raise ValueError(
            "the CSS distance of these features is beyond the range of doubles; scale them"
        ) from None


def _soft_css(
    reference: Any,
    candidate: Any,
    policies: Mapping[str, Any],
    cluster_weights: Any = "uniform",
    centroids: tuple[ItemValues, ItemValues] | None = None,
    distances: Any = None,
    metric: str = "euclidean",
) -> float:
    others = [name for name, value in policies.items() if name != "features"]
    if others:
        raise TypeError(
            f"css_distance got {others[0]}= beside memberships, which are compared row by row "
            "and take no policies or weights"
        )
    _check_source(centroids, distances, metric)
    check_word(cluster_weights)
    first, second = as_memberships_pair(reference, candidate)
    if first.n_items == 0:
        return 0.0
    shared = _shared_of(first, second)
    if distances is not None:
        lengths, exponent = _given_lengths(distances, shared.cells, shared.shape), 0
    else:
        if centroids is not None:
            first_rows, second_rows = read_centroids(centroids, shared.shape)
            centres = Means.of(first_rows), Means.of(second_rows)
        else:
            rows = _feature_rows(
                policies.get("features"), _order_of(reference, candidate, first.n_items)
            )
            centres = (
                _soft_centroids(first, rows, "reference"),
                _soft_centroids(second, rows, "candidate"),
            )
        lengths, exponent = _lengths(shared.cells, centres, metric)
    return _css(shared, lengths, exponent, cluster_weights)


def _shared_of(first: Memberships, second: Memberships) -> CommonMass:
    if first.is_hard and second.is_hard:
        table = contingency(first.clustering(), second.clustering())
        return CommonMass(*spread_table(table, first.n_clusters, second.n_clusters))
    law = joint_law(first, second)
    indptr = np.searchsorted(law.rows, np.arange(law.shape[0] + 1)).astype(np.int64)
    cells = CellValues(indptr, law.cols.astype(np.int64), law.cells)
    return CommonMass(cells, first.masses, second.masses)


def _order_of(reference: Any, candidate: Any, n: int) -> ItemOrder:
    """Return the items of two sides, whose pandas indexes agree where both have one."""
    indexes = [
        side.index if isinstance(side, Clustering) else index_of(side)
        for side in (reference, candidate)
    ]
    whose, index = ("the reference", indexes[0])
    if index is None:
        whose, index = ("the candidate", indexes[1])
    return ItemOrder(whose, n, index)


def _feature_rows(features: Any, items: ItemOrder) -> FloatArray:
    if features is None:
        raise ValueError(_NO_SOURCE)
    if isinstance(features, Mapping):
        raise TypeError("features= beside memberships has one row per item, in their order")
    rows = read_features(in_item_order(features, "features", items))
    if len(rows) != items.n:
        raise ValueError(f"features has {len(rows)} rows for {items.n} items")
    return rows


def _soft_centroids(side: Memberships, features: FloatArray, name: str) -> Means:
    """Return the means of the features, weighted by membership."""
    cols: IntArray = side.rows.cols
    empty = np.flatnonzero(np.bincount(cols, minlength=side.n_clusters) == 0)
    if len(empty):
        raise ValueError(
            f"{name} cluster {empty[0]} has no mass, so it has no centroid "
            f"({len(empty)} such clusters)"
        )
    items = np.repeat(np.arange(side.n_items), side.support)
    weights = None if side.is_hard else side.rows.values
    return group_sums(features[items], cols, side.n_clusters, weights)


@measure(
    range=(0, None),
    direction="lower",
    value_if_identical=0,
    symmetric=True,
    exactness="2 ulp",
    solver="packing",
    error_bound=replace(OF_DIFFERENCES, in_mass=True),
    source="CC, equations (2)-(5)",
    default=False,
    items=True,
    requires=("features",),
    soft=_soft_css,
    call_only=("centroids", "distances"),
    variants={"metric=sqeuclidean": {}, "cluster_weights=size": {}},
)
def css_distance(
    clusterings: Clusterings,
    cluster_weights: ClusterWeights = "uniform",
    centroids: tuple[ItemValues, ItemValues] | None = None,
    distances: Any = None,
    metric: CssMetric = "euclidean",
) -> float:
    """Items in clusters that are not matched, each by the distance of its centres, at least 0.

    Takes hard and soft clusterings, as ``mallows_distance``.

    Parameters
    ----------
    cluster_weights : {"uniform", "size"} or pair of array-likes, default "uniform"
        As in ``mallows_distance``.
    centroids : pair of array-likes of shapes (K, d) and (J, d), optional
        Centres of the clusters, in ascending order of the labels (of the columns), in place
        of the (weighted) means of the features.
    features : array-like of shape (n, d), or mapping by item
        Row of finite numbers of each item; see ``align``.
    distances : array-like of shape (K, J), optional
        Distance of every two clusters, from 0 to 1e30, in place of both.
    metric : {"euclidean", "sqeuclidean"}, default "euclidean"
        Distance of centres; plays no part for given ``distances``.

    Returns
    -------
    float
        0: identical hard clusterings.

    Raises
    ------
    ValueError
        No features, centroids or distances; wrong shapes or entries; a cluster without mass
        where its centre is needed.
    TypeError
        Both centroids and distances; a ``Contingency`` alone; policies beside memberships.

    Notes
    -----
    min over w >= 0 with row sums alpha and column sums beta of
    sum_kj (1 - 2 w_kj / (alpha_k + beta_j)) c_kj L(k, j), c_kj = sum_i p_ik q_ij; n = 0: 0.
    Hard with K = J and uniform weights: the items outside matched clusters, each by L. A
    packing of gains on the cells (60 bits, ``solvers.pack``), or ``solvers.transport`` where
    most pairs share items; the terms of the sum are not negative. Cost: as
    ``mallows_distance``.

    Not a metric, although CC's conclusion calls it one: different clusterings are at 0 where
    their centroids coincide, and the triangle inequality fails. A soft clustering of three or
    more clusters is in general above 0 from itself: an item in several clusters pays for all
    pairs but one a cluster. With two clusters and equal weights it is at 0, as the exchanged
    matching leaves L(k, k) = 0 alone.

    References
    ----------
    A new Mallows distance based metric for comparing clusterings (ICML 2005), equations
    (2)-(5).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.css_distance([0, 0, 1, 1], [5, 5, 5, 6], distances=[[0.5, 9], [3, 0.25]])
    1.25
    """
    _check_source(centroids, distances, metric)
    check_word(cluster_weights)
    table = as_table(clusterings)
    centres = None
    if distances is None:
        if (
            centroids is None
            and isinstance(clusterings, Alignment)
            and clusterings.features is None
        ):
            raise ValueError(_NO_SOURCE)
        centres = exact_centroids_of(clusterings, centroids, "css_distance")
    if table.n_items == 0:
        return 0.0
    named = isinstance(cluster_weights, str) and centroids is None and distances is None
    key = ("css", cluster_weights, metric)
    if named and (remembered := clusterings.memo.peek(key)) is not None:
        return float(remembered)
    masses = table.all_masses
    if masses is None:
        cells = CellValues(*table.cells)
        shared = CommonMass(cells, table.row_sizes, table.col_sizes)
    else:
        cells = CellValues(table.indptr, table.cols, masses.cells.high)
        shared = CommonMass(cells, masses.rows.high, masses.cols.high)
    if centres is None:
        return _css(shared, _given_lengths(distances, cells, table.shape), 0, cluster_weights)
    distance = _css(shared, *_lengths(cells, centres, metric), cluster_weights)
    if named:
        clusterings.memo.put(key, distance)
    return distance
