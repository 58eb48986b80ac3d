"""Measures of centroids: where the clusters lie, in the space of the items' features."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from partwise.measures.centroids import measure
from partwise.measures.centroids.centroids import centroids_of, exact_centroids_of
from partwise.measures.centroids.nearest import (
    CentroidPairs,
    Nearest,
    greedy_pairs,
    nearest,
    neighbour_distances,
    of_one_scale,
)
from partwise.measures.overlap.set_similarity import all_overlaps, summed
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.table.arguments import Clusterings, as_table
from partwise.table.contingency import Contingency
from partwise.typing import Column as ItemValues

__all__ = [
    "centroid_index",
    "centroid_index_one_way",
    "centroid_ratio",
    "centroid_similarity_index",
]


def _both_ways(clusterings: Clusterings, centroids: Any, name: str) -> tuple[Nearest, Nearest]:
    """Return the nearest candidate centroid of each reference centroid, and the reverse."""
    sides = centroids_of(clusterings, centroids, name)

    def both() -> tuple[Nearest, Nearest]:
        reference, candidate = of_one_scale(*sides)
        first, second = exact_centroids_of(clusterings, centroids, name)
        forth = nearest(reference, candidate, (first, second))
        return forth, nearest(candidate, reference, (second, first))

    return both() if centroids is not None else clusterings.memo.get("nearest centroids", both)


def _orphans(mapping: Nearest, n_targets: int) -> int:
    """Return how many of the targets are nearest to nothing."""
    return n_targets - len(np.unique(mapping.indices))


def _nearest_tied(clusterings: Clusterings) -> bool:
    """Return whether a nearest centroid had to be chosen by cluster order."""
    return any(bool(side.tied.any()) for side in _both_ways(clusterings, None, "the search"))


def _forth_tied(clusterings: Clusterings) -> bool:
    return bool(_both_ways(clusterings, None, "the search")[0].tied.any())


@measure(
    range=(0, None),
    direction="lower",
    value_if_identical=0,
    tie_dependent=True,
    tie_broken=_forth_tied,
    requires=("features",),
    items=True,
    source="PSI, Table 2",
    default=False,
)
def centroid_index_one_way(
    clusterings: Clusterings, centroids: tuple[ItemValues, ItemValues] | None = None
) -> float:
    """Candidate clusters that are nearest to no reference cluster, 0 to K' - 1.

    Parameters
    ----------
    centroids : pair of array-likes (K, d) and (J, d), optional
        Centroids of both sides in ascending order of labels, in place of ``features``.
    features : array-like of shape (n, d), or mapping by item
        Row of finite numbers of each item; see ``align``.

    Returns
    -------
    float
        A whole number; 0: identical (clusters with one centroid in common aside).

    Raises
    ------
    ValueError
        Neither features nor centroids; a cluster of weight 0.
    TypeError
        A table without ``centroids``.

    Notes
    -----
    Each reference centroid is mapped to the nearest candidate centroid (Euclidean, ties: first
    in cluster order); the candidate clusters nothing is mapped to are counted. n = 0: 0.
    O(n d) for the centroids; nearest ones by k-d tree up to 12 dimensions, else O(K J d).

    References
    ----------
    Pair Sets Index (TKDE 2016), Table 2.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.centroid_index_one_way([0, 0, 0, 0], [0, 0, 1, 1], features=[0, 1, 8, 9])
    1.0
    """
    forth, _ = _both_ways(clusterings, centroids, "centroid_index_one_way")
    return float(_orphans(forth, as_table(clusterings).shape[1]))


@measure(
    range=(0, None),
    direction="lower",
    value_if_identical=0,
    symmetric=True,
    tie_dependent=True,
    tie_broken=_nearest_tied,
    requires=("features",),
    items=True,
    source="PSI, Table 2",
    default=False,
)
def centroid_index(
    clusterings: Clusterings, centroids: tuple[ItemValues, ItemValues] | None = None
) -> float:
    """Clusters that one side lays elsewhere: the larger one-way index, 0 to max(K, K') - 1.

    Parameters
    ----------
    centroids : pair of array-likes (K, d) and (J, d), optional
        Centroids of both sides in ascending order of labels, in place of ``features``.
    features : array-like of shape (n, d), or mapping by item
        Row of finite numbers of each item; see ``align``.

    Returns
    -------
    float
        A whole number; 0: identical (clusters with one centroid in common aside).

    Raises
    ------
    ValueError
        Neither features nor centroids; a cluster of weight 0.
    TypeError
        A table without ``centroids``.

    Notes
    -----
    The larger of ``centroid_index_one_way`` in both directions; n = 0: 0. O(n d) for the
    centroids; nearest ones by k-d tree up to 12 dimensions, else O(K J d).

    References
    ----------
    Pair Sets Index (TKDE 2016), Table 2.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.centroid_index([0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 2], features=[0, 1, 4, 5, 8, 9])
    1.0
    """
    forth, back = _both_ways(clusterings, centroids, "centroid_index")
    k, j = as_table(clusterings).shape
    return float(max(_orphans(forth, j), _orphans(back, k)))


@measure(
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    tie_dependent=True,
    tie_broken=_nearest_tied,
    requires=("features",),
    items=True,
    source="PSI, Table 2",
    default=False,
)
def centroid_similarity_index(
    clusterings: Clusterings, centroids: tuple[ItemValues, ItemValues] | None = None
) -> float:
    """Share of items that a cluster has in common with the one nearest by centroid, in [0, 1].

    Parameters
    ----------
    centroids : pair of array-likes (K, d) and (J, d), optional
        Centroids of both sides in ascending order of labels, in place of ``features``.
    features : array-like of shape (n, d), or mapping by item
        Row of finite numbers of each item; see ``align``.

    Returns
    -------
    float
        1: identical (clusters with one centroid in common aside).

    Raises
    ------
    ValueError
        Neither features nor centroids; a cluster of weight 0.
    TypeError
        A table without ``centroids``.

    Notes
    -----
    (sum_i n_i,nn(i) + sum_j n_nn(j),j) / 2n, where nn is the cluster of the other side with
    the nearest centroid (Euclidean, ties: first in cluster order); n = 0: 1. With weights,
    masses. O(n d) for the centroids; nearest ones by k-d tree up to 12 dimensions, else
    O(K J d).

    References
    ----------
    Pair Sets Index (TKDE 2016), Table 2.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.centroid_similarity_index([0, 0, 1, 1], [0, 1, 1, 1], features=[0, 1, 8, 9])
    0.75
    """
    both = _both_ways(clusterings, centroids, "centroid_similarity_index")
    table = as_table(clusterings)
    if table.n_items == 0:
        return 1.0
    if centroids is not None:
        return _common_share(table, *both)
    return clusterings.memo.get("common share", lambda: _common_share(table, *both))


def _common_share(table: Contingency, forth: Nearest, back: Nearest) -> float:
    """Return the share of items that clusters have in common with their nearest, both ways."""
    k, j = table.shape
    common = [
        summed(table, "overlap", _cells_at(table, rows, cols))
        for rows, cols in ((np.arange(k), forth.indices), (back.indices, np.arange(j)))
    ]
    return float(sum(common, Fraction(0)) / (2 * all_overlaps(table)))


def _cells_at(table: Contingency, rows: IntArray, cols: IntArray) -> IntArray:
    """Return the places of those cells (row, col) that are not empty."""
    width = table.shape[1]
    keys = table.rows * width + table.cols
    wanted = rows * width + cols
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    cells: IntArray = at[keys[at] == wanted]
    return cells


# ---- pairs -------------------------------------------------------------------------


def _pairs(
    clusterings: Clusterings, centroids: Any
) -> tuple[FloatArray, FloatArray, CentroidPairs]:
    """Return both sides' centroids in one scale and their greedy pairs."""
    sides = of_one_scale(*centroids_of(clusterings, centroids, "centroid_ratio"))
    if centroids is not None:
        return *sides, greedy_pairs(*sides)
    return *sides, clusterings.memo.get("centroid pairs", lambda: greedy_pairs(*sides))


def _pairing_tied(clusterings: Clusterings) -> bool:
    return _pairs(clusterings, None)[2].tied


@measure(
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    tie_dependent=True,
    tie_broken=_pairing_tied,
    requires=("features",),
    items=True,
    source="PSI, Table 2 and section 4.3",
    default=False,
)
def centroid_ratio(
    clusterings: Clusterings, centroids: tuple[ItemValues, ItemValues] | None = None
) -> float:
    """Share of clusters whose paired centroid on the other side is a stable one, in [0, 1].

    Parameters
    ----------
    centroids : pair of array-likes (K, d) and (J, d), optional
        Centroids of both sides in ascending order of labels, in place of ``features``.
    features : array-like of shape (n, d), or mapping by item
        Row of finite numbers of each item; see ``align``.

    Returns
    -------
    float
        1: identical.

    Raises
    ------
    ValueError
        Neither features nor centroids; a cluster of weight 0.
    TypeError
        A table without ``centroids``.

    Notes
    -----
    Centroids are paired greedily, smallest distance first (ties: lowest reference, then
    candidate cluster). A pair is unstable iff D_ij^2 > D_i D_j (PSI's text has lost the
    subscripts; this is our reading), with D_i the distance to the nearest other centroid of the
    same side; clusters without a partner are unstable;
    1 - unstable / max(K, K'). A side of one cluster: its pair is stable. n = 0: 1. Squares of
    distances are compared as doubles, the products exactly. O(n d) for the centroids, then
    nearest neighbours in rounds, at worst O((K + J)^2 d), in memory O((K + J) d).

    References
    ----------
    Pair Sets Index (TKDE 2016), Table 2 and section 4.3.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.centroid_ratio([0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 2], features=[0, 1, 4, 5, 8, 9])
    0.6666666666666666
    """
    reference, candidate, pairs = _pairs(clusterings, centroids)
    most = max(len(reference), len(candidate))
    if most == 0:
        return 1.0
    stable = len(pairs.reference)
    if min(len(reference), len(candidate)) > 1:
        stable -= _unstable(
            pairs.squared,
            neighbour_distances(reference)[pairs.reference],
            neighbour_distances(candidate)[pairs.candidate],
        )
    return stable / most


def _unstable(apart: FloatArray, own: FloatArray, other: FloatArray) -> int:
    """Return how many squared distances have a square above the product of the other two."""
    squares, products = apart * apart, own * other
    larger = np.maximum(squares, products)
    clear = (np.abs(squares - products) > 1e-15 * larger) & (larger > 1e-290)
    count = int((clear & (squares > products)).sum())
    unclear = (column[~clear].tolist() for column in (apart, own, other))
    for x, y, z in zip(*unclear, strict=True):
        count += Fraction(x) ** 2 > Fraction(y) * Fraction(z)
    return count
