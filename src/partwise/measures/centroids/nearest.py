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

CandidatePairs = Iterator[tuple[IntArray, IntArray]]


class Nearest(NamedTuple):
    """For each query: index of the nearest point, squared distance, whether it was a tie."""

    indices: IntArray
    squared: FloatArray
    tied: BoolArray


class CentroidPairs(NamedTuple):
    """Greedy pairs with their squared distances, and whether a tie was broken."""

    reference: IntArray
    candidate: IntArray
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
    exact_queries, exact_points = (None, None) if exact is None else exact
    distinct_queries, first_query, _, distinct_index = _distinct(queries, exact_queries)
    distinct_points, first, times, _ = _distinct(points, exact_points)
    index = np.zeros(len(distinct_queries), dtype=np.int64)
    squared = np.zeros(len(distinct_queries), dtype=np.float64)
    tied = np.zeros(len(distinct_queries), dtype=bool)
    slack = 0.0 if exact is None else _ROUNDING * queries.shape[1]
    points_left = _EXACT_POINTS
    for query, point in _candidates(distinct_queries, distinct_points, own=False, slack=slack):
        distances = squared_distances(distinct_queries[query], distinct_points[point])
        starts = _starts(query)
        which = query[starts]
        squared[which] = np.minimum.reduceat(distances, starts)
        least = distances == squared[query]
        if exact is not None:
            ends = np.append(starts[1:], len(query))
            close = np.flatnonzero(ends - starts > 1)
            points_left -= int((ends - starts)[close].sum())
            for start, end in (
                zip(starts[close], ends[close], strict=True) if points_left >= 0 else ()
            ):
                near = first[point[start:end]].tolist()
                asker = int(first_query[query[start]])
                least[start:end] = _least(exact[0].exact(asker), map(exact[1].exact, near))
        index[which] = np.minimum.reduceat(np.where(least, first[point], len(points)), starts)
        tied[which] = np.add.reduceat(np.where(least, times[point], 0), starts) > 1
    return Nearest(index[distinct_index], squared[distinct_index], tied[distinct_index])


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
    distinct_points, _, times, distinct_index = _distinct(points)
    squared = np.full(len(distinct_points), np.inf)
    if len(distinct_points) > 1:
        for query, point in _candidates(distinct_points, distinct_points, own=True):
            starts = _starts(query)
            distances = squared_distances(distinct_points[query], distinct_points[point])
            squared[query[starts]] = np.minimum.reduceat(distances, starts)
    squared[times > 1] = 0.0
    by_point: FloatArray = squared[distinct_index]
    return by_point


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
) -> CandidatePairs:
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
) -> CandidatePairs:
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
) -> CandidatePairs:
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
        query = np.repeat(chosen, [len(neighbours) for neighbours in lists])
        point = np.concatenate([np.asarray(neighbours, dtype=np.int64) for neighbours in lists])
        if own:
            other = query != point
            query, point = query[other], point[other]
        yield query, point


# ---- greedy pairs ------------------------------------------------------------------


def greedy_pairs(reference: FloatArray, candidate: FloatArray) -> CentroidPairs:
    """Pair points one to one, smallest distance first; ties by reference, then candidate.

    Notes
    -----
    A pair of which each is the other's nearest free point is one that the greedy order takes,
    whatever is taken before; so rounds of nearest neighbours take most pairs at once, and a
    chain of nearest neighbours, O(r^2 d), what r points they leave. No K x J matrix.
    """
    rows, cols = np.arange(len(reference)), np.arange(len(candidate))
    partner = np.full(len(reference), -1, dtype=np.int64)
    squared = np.full(len(reference), np.inf)
    while len(rows) and len(cols):
        forth = nearest(reference[rows], candidate[cols])
        back = nearest(candidate[cols], reference[rows])
        mutual = back.indices[forth.indices] == np.arange(len(rows))
        clear = ~forth.tied & ~back.tied[forth.indices]  # the chain knows about ties
        taken = np.flatnonzero(mutual & clear)
        most = min(len(rows), len(cols))
        partner[rows[taken]] = cols[forth.indices[taken]]
        squared[rows[taken]] = forth.squared[taken]
        cols = np.delete(cols, forth.indices[taken])
        rows = np.delete(rows, taken)
        if len(taken) * 8 < most:
            break
    rest = _pairs_by_chain(reference[rows], candidate[cols])
    partner[rows[rest.reference]] = cols[rest.candidate]
    squared[rows[rest.reference]] = rest.squared
    paired = np.flatnonzero(partner >= 0)
    return CentroidPairs(paired, partner[paired], squared[paired], rest.tied)


class _Free:
    """The free points of a side, coordinate by coordinate; the taken ones move out."""

    def __init__(self, points: FloatArray) -> None:
        self.points = points
        self.columns = points.T.copy()
        self.indices = np.arange(len(points))
        self.n_free = len(points)

    def take(self, index: int) -> None:
        self.columns[0, np.searchsorted(self.indices, index)] = np.inf
        self.n_free -= 1
        if self.n_free * 2 < len(self.indices):
            kept = np.flatnonzero(self.columns[0] < np.inf)
            self.columns = np.ascontiguousarray(self.columns[:, kept])
            self.indices = self.indices[kept]

    def first(self) -> int:
        return int(self.indices[np.argmax(self.columns[0] < np.inf)])

    def nearest(self, point: FloatArray) -> tuple[int, float, NDArray[np.int64]]:
        """Return the nearest free place, its squared distance, and others as near."""
        distances = squared_distances(self.columns.T, point)
        at = int(distances.argmin())
        same = np.flatnonzero(distances == distances[at])
        return int(self.indices[at]), float(distances[at]), self.indices[same[1:]]


class _Ties:
    """Points as near as those that were paired, until it is known whether a tie was broken.

    It was where the other point was not taken before, at a smaller distance. Once one tie is
    known nothing more is kept, and what is known is left out where much has gathered, so that
    points that coincide take no memory that is quadratic.
    """

    def __init__(self, n_reference: int, n_candidate: int) -> None:
        self._when = np.full(n_reference, np.nan), np.full(n_candidate, np.nan)
        self._open: list[tuple[int, float, NDArray[np.int64]]] = []
        self._size, self._most = 0, 4 * (n_reference + n_candidate)
        self._broken = False

    def take(self, reference: int, candidate: int, distance: float) -> None:
        """Note that two points were paired."""
        self._when[0][reference] = self._when[1][candidate] = distance

    def add(self, side: int, distance: float, same: NDArray[np.int64]) -> None:
        """Note that points of a side were as near as the one that was paired."""
        if self._broken or not len(same):
            return
        self._open.append((side, distance, same))
        self._size += len(same)
        if self._size > self._most:
            self._look(last=False)
            self._most = 2 * max(self._size, self._most // 2)

    def broken(self) -> bool:
        """Return whether a tie was broken, now that all pairs are there."""
        self._look(last=True)
        return self._broken

    def _look(self, last: bool) -> None:
        left = []
        for side, distance, same in self._open:
            when = self._when[side][same]
            free = np.isnan(when)
            self._broken |= bool((when[~free] >= distance).any()) or (last and bool(free.any()))
            if free.any():
                left.append((side, distance, same[free]))
        self._open = [] if self._broken else left
        self._size = sum(len(same) for _, _, same in self._open)


def _pairs_by_chain(reference: FloatArray, candidate: FloatArray) -> CentroidPairs:
    """Pair greedily along chains of nearest neighbours: at most 3 (K + J) searches."""
    sides = _Free(reference), _Free(candidate)
    chain: list[tuple[int, int]] = []  # side and index of each link
    others: list[NDArray[np.int64]] = []  # what was as near to it as the next link
    pairs: list[tuple[int, int, float]] = []
    ties = _Ties(len(reference), len(candidate))
    while sides[0].n_free and sides[1].n_free:
        if not chain:
            chain.append((0, sides[0].first()))
        side, index = chain[-1]
        best, distance, as_near = sides[1 - side].nearest(sides[side].points[index])
        others[len(chain) - 1 :] = [as_near]
        if chain[-2:-1] != [(1 - side, best)]:
            chain.append((1 - side, best))
            continue
        pair = (best, index) if side else (index, best)
        pairs.append((*pair, distance))
        ties.take(*pair, distance)
        ties.add(1 - side, distance, others[-1])
        ties.add(side, distance, others[-2])
        for one, at in zip(sides, pair, strict=True):
            one.take(at)
        del chain[-2:], others[-2:]
    rows = np.array([row for row, _, _ in pairs], dtype=np.int64)
    cols = np.array([col for _, col, _ in pairs], dtype=np.int64)
    squared = np.array([distance for _, _, distance in pairs], dtype=np.float64)
    return CentroidPairs(rows, cols, squared, ties.broken())
