"""Nearest points and greedy pairs of points: distances as doubles in one fixed order.

The searches only propose candidates; what is nearest is decided by ``squared_distances`` among
all candidates within a margin far above any rounding error, or by the exact means where these
are known, and ties go to the lowest index.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from partwise._kernels.order_free import Means
from partwise.numbers.arrays import BoolArray, FloatArray, IntArray

_DENSE_BELOW = 1 << 18  # pairs up to which all distances are looked at
_TREE_DIMENSIONS = 12  # above, trees visit nearly all points
_CHUNK = 1 << 21  # distances or candidates held at once
_ROUNDING = 2.0**-49  # more than the rounding of two coordinates of at most 1 moves a distance
_EXACT_POINTS = 1 << 20  # points that are compared without rounding, at most

Candidates = Iterator[tuple[IntArray, IntArray]]


class Nearest(NamedTuple):
    """For each query: place of the nearest point, squared distance, whether it was a tie."""

    place: IntArray
    squared: FloatArray
    tied: BoolArray


class CentroidPairs(NamedTuple):
    """Greedy pairs with their squared distances, and whether a tie was broken."""

    left: IntArray
    right: IntArray
    squared: FloatArray
    tied: bool


def of_one_scale(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Divide both by the power of two that makes the largest coordinate at most 1."""
    largest = max((float(np.abs(x).max()) for x in (a, b) if x.size), default=0.0)
    exponent = int(np.frexp(largest)[1])
    return np.ldexp(a, -exponent), np.ldexp(b, -exponent)


def squared_distances(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return squared Euclidean distances of rows of a from rows of b, column after column."""
    first = a[..., 0] - b[..., 0]
    total: FloatArray = first * first
    for j in range(1, a.shape[-1]):
        difference = a[..., j] - b[..., j]
        total += difference * difference
    return total


def nearest(
    queries: FloatArray, points: FloatArray, exact: tuple[Means, Means] | None = None
) -> Nearest:
    """Return the nearest of the points (at least one) for each query, ties: lowest index.

    Parameters
    ----------
    queries, points : ndarray of float64
        Coordinates are at most 1 (``of_one_scale``).
    exact : pair of Means, optional
        Both before they were rounded, in any one scale: they decide between points that are as
        near as rounding can tell.

    Notes
    -----
    Few dimensions: k-d tree, O((Q + P) log P) for points in general position; else O(Q P d) in
    chunks. What is decided without rounding costs some microseconds a point and dimension;
    where more than a million points would have to be, doubles decide.
    """
    if not len(queries):
        return Nearest(np.empty(0, dtype=np.int64), np.empty(0), np.empty(0, dtype=bool))
    asked, asked_first, _, place = _distinct(queries, None if exact is None else exact[0])
    there, first, times, _ = _distinct(points, None if exact is None else exact[1])
    index = np.zeros(len(asked), dtype=np.int64)
    squared = np.zeros(len(asked), dtype=np.float64)
    tied = np.zeros(len(asked), dtype=bool)
    slack = 0.0 if exact is None else _ROUNDING * queries.shape[1]
    left = _EXACT_POINTS
    for query, point in _candidates(asked, there, own=False, slack=slack):
        distances = squared_distances(asked[query], there[point])
        starts = _starts(query)
        which = query[starts]
        squared[which] = np.minimum.reduceat(distances, starts)
        least = distances == squared[query]
        if exact is not None:
            ends = np.append(starts[1:], len(query))
            close = np.flatnonzero(ends - starts > 1)
            left -= int((ends - starts)[close].sum())
            for start, end in zip(starts[close], ends[close], strict=True) if left >= 0 else ():
                near = first[point[start:end]].tolist()
                asker = int(asked_first[query[start]])
                least[start:end] = _least(exact[0].exact(asker), map(exact[1].exact, near))
        index[which] = np.minimum.reduceat(np.where(least, first[point], len(points)), starts)
        tied[which] = np.add.reduceat(np.where(least, times[point], 0), starts) > 1
    return Nearest(index[place], squared[place], tied[place])


def _least(query: list[Fraction], points: Iterable[list[Fraction]]) -> list[bool]:
    """Return which points are nearest."""
    squared = [
        sum(((x - y) ** 2 for x, y in zip(query, point, strict=True)), Fraction(0))
        for point in points
    ]
    least = min(squared)
    return [distance == least for distance in squared]


def neighbour_distances(points: FloatArray) -> FloatArray:
    """Return the squared distance of each point from its nearest other; inf: there is none."""
    there, _, times, place = _distinct(points)
    squared = np.full(len(there), np.inf)
    if len(there) > 1:
        for query, point in _candidates(there, there, own=True):
            starts = _starts(query)
            distances = squared_distances(there[query], there[point])
            squared[query[starts]] = np.minimum.reduceat(distances, starts)
    squared[times > 1] = 0.0
    found: FloatArray = squared[place]
    return found


def _distinct(
    rows: FloatArray, exact: Means | None = None
) -> tuple[FloatArray, IntArray, IntArray, IntArray]:
    """Return distinct rows, where each stands first, how often, and the row of each."""
    keys = rows if exact is None else np.hstack((rows, exact.both().low))
    _, first, inverse, counts = np.unique(
        keys, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    return rows[first], first, counts, inverse.reshape(-1)


def _starts(query: IntArray) -> IntArray:
    """Return where each query's candidates begin (they stand together)."""
    return np.flatnonzero(np.concatenate(([True], query[1:] != query[:-1])))


def _candidates(
    queries: FloatArray, points: FloatArray, own: bool, slack: float = 0.0
) -> Candidates:
    """Give, by parts, pairs (query, point) that hold all nearest points of each query.

    With ``own`` the queries are the points, and a point is no candidate of itself. ``slack`` is
    how much farther than the nearest a point may be for the coordinates' rounding.
    """
    margin = 1 + max(1e-12, 2.0**-48 * points.shape[1])
    few = len(queries) * len(points) <= _DENSE_BELOW
    search = _all_pairs if few or points.shape[1] > _TREE_DIMENSIONS else _by_tree
    yield from search(queries, points, margin, own, slack)


def _all_pairs(
    queries: FloatArray, points: FloatArray, margin: float, own: bool, slack: float
) -> Candidates:
    from scipy.spatial.distance import cdist

    step = max(1, _CHUNK // len(points))
    for start in range(0, len(queries), step):
        block = cdist(queries[start : start + step], points, "sqeuclidean")
        if own:
            here = np.arange(len(block))
            block[here, here + start] = np.inf
        least = block.min(axis=1, keepdims=True)
        bound = least * margin if slack == 0 else (np.sqrt(least * margin) + slack) ** 2
        query, point = np.nonzero(block <= bound)
        yield query + start, point


def _by_tree(
    queries: FloatArray, points: FloatArray, margin: float, own: bool, slack: float
) -> Candidates:
    from scipy.spatial import cKDTree

    tree = cKDTree(points)
    ranks = [2, 3] if own else [1, 2]  # of distinct points, each is nearest to itself
    distances, index = tree.query(queries, k=ranks)
    radius = distances[:, 0] * margin + slack
    alone = distances[:, 1] > radius
    if alone.any():
        yield np.flatnonzero(alone), index[alone, 0].astype(np.int64)
    crowded = np.flatnonzero(~alone)
    if not len(crowded):
        return
    near = tree.query_ball_point(queries[crowded], radius[crowded], return_length=True)
    part = (np.cumsum(near) - near) // _CHUNK
    for chosen in np.split(crowded, np.flatnonzero(np.diff(part)) + 1):
        lists = tree.query_ball_point(queries[chosen], radius[chosen])
        query = np.repeat(chosen, [len(found) for found in lists])
        point = np.concatenate([np.asarray(found, dtype=np.int64) for found in lists])
        if own:
            other = query != point
            query, point = query[other], point[other]
        yield query, point


# ---- greedy pairs ------------------------------------------------------------------


def greedy_pairs(left: FloatArray, right: FloatArray) -> CentroidPairs:
    """Pair points one to one, smallest distance first, ties by lowest left, then right.

    Notes
    -----
    A pair of which each is the other's nearest free point is one that the greedy order takes,
    whatever is taken before; so rounds of nearest neighbours take most pairs at once, and a
    chain of nearest neighbours, O(r^2 d), what r points they leave. No K x J matrix.
    """
    rows, cols = np.arange(len(left)), np.arange(len(right))
    partner = np.full(len(left), -1, dtype=np.int64)
    squared = np.full(len(left), np.inf)
    while len(rows) and len(cols):
        forth = nearest(left[rows], right[cols])
        back = nearest(right[cols], left[rows])
        mutual = back.place[forth.place] == np.arange(len(rows))
        clear = ~forth.tied & ~back.tied[forth.place]  # the chain knows about ties
        taken = np.flatnonzero(mutual & clear)
        most = min(len(rows), len(cols))
        partner[rows[taken]] = cols[forth.place[taken]]
        squared[rows[taken]] = forth.squared[taken]
        cols = np.delete(cols, forth.place[taken])
        rows = np.delete(rows, taken)
        if len(taken) * 8 < most:
            break
    rest = _pairs_by_chain(left[rows], right[cols])
    partner[rows[rest.left]] = cols[rest.right]
    squared[rows[rest.left]] = rest.squared
    paired = np.flatnonzero(partner >= 0)
    return CentroidPairs(paired, partner[paired], squared[paired], rest.tied)


class _Free:
    """The free points of a side, coordinate by coordinate; the taken ones move out."""

    def __init__(self, points: FloatArray) -> None:
        self.points = points
        self.columns = points.T.copy()
        self.places = np.arange(len(points))
        self.left = len(points)

    def take(self, place: int) -> None:
        self.columns[0, np.searchsorted(self.places, place)] = np.inf
        self.left -= 1
        if self.left * 2 < len(self.places):
            kept = np.flatnonzero(self.columns[0] < np.inf)
            self.columns = np.ascontiguousarray(self.columns[:, kept])
            self.places = self.places[kept]

    def first(self) -> int:
        return int(self.places[np.argmax(self.columns[0] < np.inf)])

    def nearest(self, point: FloatArray) -> tuple[int, float, NDArray[np.int64]]:
        """Return the nearest free place, its squared distance, and others as near."""
        distances = squared_distances(self.columns.T, point)
        at = int(distances.argmin())
        same = np.flatnonzero(distances == distances[at])
        return int(self.places[at]), float(distances[at]), self.places[same[1:]]


def _pairs_by_chain(left: FloatArray, right: FloatArray) -> CentroidPairs:
    """Pair greedily along chains of nearest neighbours: at most 3 (K + J) searches."""
    sides = _Free(left), _Free(right)
    chain: list[tuple[int, int]] = []  # side and place of each link
    others: list[NDArray[np.int64]] = []  # what was as near to it as the next link
    found: list[tuple[int, int, float]] = []
    ties: list[tuple[int, float, NDArray[np.int64]]] = []
    while sides[0].left and sides[1].left:
        if not chain:
            chain.append((0, sides[0].first()))
        side, place = chain[-1]
        best, distance, as_near = sides[1 - side].nearest(sides[side].points[place])
        others[len(chain) - 1 :] = [as_near]
        if chain[-2:-1] != [(1 - side, best)]:
            chain.append((1 - side, best))
            continue
        ties += [
            (1 - of, distance, same)
            for of, same in ((side, others[-1]), (1 - side, others[-2]))
            if len(same)
        ]
        pair = (best, place) if side else (place, best)
        found.append((*pair, distance))
        for one, at in zip(sides, pair, strict=True):
            one.take(at)
        del chain[-2:], others[-2:]
    rows = np.array([row for row, _, _ in found], dtype=np.int64)
    cols = np.array([col for _, col, _ in found], dtype=np.int64)
    squared = np.array([distance for _, _, distance in found], dtype=np.float64)
    # a tie was broken only where the other point was not taken before, at a smaller distance
    when = np.full(len(left), np.inf), np.full(len(right), np.inf)
    when[0][rows], when[1][cols] = squared, squared
    tied = any(bool((when[side][same] >= distance).any()) for side, distance, same in ties)
    return CentroidPairs(rows, cols, squared, tied)
