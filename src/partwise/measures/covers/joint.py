"""Two covers side by side: who shares clusters with whom, and how many.

No array here has an entry for each pair of items. Items that are in the same clusters on both
sides are one *type*. Pairs of types that share two or more clusters on a side are listed, in
blocks of bounded size, from the pairs of clusters that both are in; of all other pairs the
sums over clusters say enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from partwise import _kernels
from partwise.labels.covers.cover import check_cover, distinct_of
from partwise.numbers.arrays import IntArray

#: Entries that a block of listed pairs holds at most, unless one type alone has more.
BLOCK = 1 << 21


@dataclass(frozen=True, eq=False)
class Types:
    """Items by the clusters they are in, on both sides.

    Attributes
    ----------
    counts : ndarray of int64
        Items of each type.
    of_item : ndarray of int64
        Type of each item.
    sides : pair of csr_array of int64
        Types x clusters, 1 where the items of a type are in the cluster.
    """

    counts: IntArray
    of_item: IntArray
    sides: tuple[Any, Any]


@dataclass(frozen=True, eq=False)
class SharedPairs:
    """Ordered pairs of types that share at least two clusters on a side.

    Attributes
    ----------
    first, second : ndarray of int64
        The types; a type is paired with itself as well.
    shared : pair of ndarray of int64
        Number of clusters that both are in, by side.
    """

    first: IntArray
    second: IntArray
    shared: tuple[IntArray, IntArray]


@dataclass(frozen=True, eq=False)
class CoverPair:
    """Two covers of the same items.

    Attributes
    ----------
    n_items : int
    sides : pair of csr_array of int64
        Items x clusters, 1 where an item is in a cluster.
    """

    n_items: int
    sides: tuple[Any, Any]

    @classmethod
    def of(cls, reference: Any, candidate: Any, name: str) -> CoverPair:
        """Return the covers that the arguments of a measure mean."""
        first = check_cover(reference, "reference", name)
        second = check_cover(candidate, "candidate", name)
        n = first.n_items
        return cls(
            n,
            (
                _by_item(first.members, first.indptr, n),
                _by_item(second.codes_in(first), second.indptr, n),
            ),
        )

    @cached_property
    def sizes(self) -> tuple[IntArray, IntArray]:
        """Items of each cluster, by side."""
        first, second = (
            np.bincount(side.indices, minlength=side.shape[1]) for side in self.sides
        )
        return first, second

    @cached_property
    def common(self) -> Any:
        """Reference clusters x candidate clusters: items in both, a coo_array without zeros."""
        return (self.sides[0].T.tocsr() @ self.sides[1]).tocoo()

    @cached_property
    def types(self) -> Types:
        """Types of the items."""
        codes = np.zeros(self.n_items, dtype=np.int64)
        for side in self.sides:
            codes = _refined(codes, side)
        counts = np.bincount(codes)
        first = np.full(len(counts), self.n_items, dtype=np.int64)
        np.minimum.at(first, codes, np.arange(self.n_items))
        return Types(counts, codes, (self.sides[0][first], self.sides[1][first]))

    def common_of_types(self) -> IntArray:
        """Return, of each type, the items in common over all pairs of its clusters.

        It is the sum over all items of the product of the clusters shared on both sides.
        """
        one, two = self.types.sides
        across = np.diff(two.indptr)
        owner = np.repeat(np.arange(one.shape[0]), np.diff(one.indptr))
        times = across[owner]
        within = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
        rows = np.repeat(one.indices, times)
        cols = two.indices[np.repeat(two.indptr[owner], times) + within]
        cells = self.common
        keys = cells.row.astype(np.int64) * two.shape[1] + cells.col
        # every pair of clusters of a type is a cell: equal ranks are equal cells
        ranks = _numbered(np.concatenate([keys, rows * two.shape[1] + cols]))
        value = np.empty(len(keys), dtype=np.int64)
        value[ranks[: len(keys)]] = cells.data
        sums = np.zeros(one.shape[0], dtype=np.int64)
        np.add.at(sums, np.repeat(owner, times), value[ranks[len(keys) :]])
        return sums

    def shared_pairs(self) -> Iterator[SharedPairs]:
        """Yield the pairs of types that share two clusters or more on a side, in blocks.

        Each ordered pair comes once, and all pairs of a first type come in one block.
        """
        types = self.types
        by_pair = [_cluster_pairs(side) for side in types.sides]
        backwards = [rows.T.tocsr() for rows in by_pair]
        work = sum(
            np.asarray(rows @ np.bincount(rows.indices, minlength=rows.shape[1]))
            for rows in by_pair
        )
        for start, end in _blocks(np.asarray(work)):
            keys = [
                (rows[start:end] @ back).tocoo()
                for rows, back in zip(by_pair, backwards, strict=True)
            ]
            n_types = len(types.counts)
            listed = distinct_of(
                np.concatenate([x.row.astype(np.int64) * n_types + x.col for x in keys])
            )
            if not len(listed):
                continue
            first, second = listed // n_types + start, listed % n_types
            one, two = (
                np.asarray(side[first].multiply(side[second]).sum(axis=1)).reshape(-1)
                for side in types.sides
            )
            yield SharedPairs(first, second, (one, two))


def _by_item(members: IntArray, indptr: IntArray, n_items: int) -> Any:
    """Return a cover as a csr_array with a row for each item, clusters ascending."""
    from scipy import sparse

    ones = np.ones(len(members), dtype=np.int64)
    shape = len(indptr) - 1, n_items
    by_item = sparse.csr_array((ones, members, indptr), shape=shape).T.tocsr()
    by_item.indices = by_item.indices.astype(np.int64)
    by_item.indptr = by_item.indptr.astype(np.int64)
    return by_item


def _numbered(keys: IntArray) -> IntArray:
    """Return the rank of each key among the distinct ones."""
    return _kernels.impl.encode(keys)[1]


def _refined(codes: IntArray, side: Any) -> IntArray:
    """Return codes that tell apart items of one code and other clusters as well."""
    degrees = np.diff(side.indptr)
    most = int(degrees.max(initial=0))
    codes = _numbered(codes * (most + 1) + degrees)
    for position in range(most):
        rows = np.flatnonzero(degrees > position)
        clusters = side.indices[side.indptr[rows] + position]
        # rows of equal code have equal degree, so their new codes meet no older ones
        codes[rows] = _numbered(codes[rows] * side.shape[1] + clusters) + len(codes)
        codes = _numbered(codes)
    return codes


def _cluster_pairs(side: Any) -> Any:
    """Return types x pairs of clusters that share two types or more, or one with itself.

    A type in m clusters has m (m - 1) / 2 entries.
    """
    from scipy import sparse

    degrees = np.diff(side.indptr)
    rows = np.flatnonzero(degrees > 1)
    owners, keys = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for degree in np.unique(degrees[rows]).tolist():
        of_degree = rows[degrees[rows] == degree]
        clusters = side.indices[side.indptr[of_degree][:, None] + np.arange(degree)]
        low, high = np.triu_indices(degree, 1)
        keys.append((clusters[:, low] * side.shape[1] + clusters[:, high]).reshape(-1))
        owners.append(np.repeat(of_degree, len(low)))
    distinct, columns = _kernels.impl.encode(np.concatenate(keys))
    owner = np.concatenate(owners)
    shape = side.shape[0], max(len(distinct), 1)
    return sparse.csr_array(
        (np.ones(len(owner), dtype=np.int64), (owner, columns)), shape=shape
    )


def _blocks(work: IntArray) -> Iterator[tuple[int, int]]:
    """Yield ranges of types whose work adds up to about a block."""
    done = np.cumsum(work)
    start = 0
    while start < len(work):
        before = int(done[start - 1]) if start else 0
        end = max(int(np.searchsorted(done, before + BLOCK, side="right")), start + 1)
        yield start, end
        start = end
