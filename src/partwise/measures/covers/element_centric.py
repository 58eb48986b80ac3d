"""Element-centric similarity of covers, one linear system a group of clusters."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from partwise.measures.covers.inverse import inverse_on_grid
from partwise.measures.covers.joint import CoverPair
from partwise.numbers.arrays import FloatArray, IntArray

#: Entries of the block of types that is compared at a time.
_BLOCK = 1 << 20


@dataclass(frozen=True, eq=False)
class Walks:
    """Walks among the types of items of one cover.

    Attributes
    ----------
    side : csr_array of int64
        Types x clusters, a cluster at least for each type.
    counts : ndarray of int64
        Items of each type.
    sizes : ndarray of int64
        Items of each cluster.
    alpha : float
    """

    side: Any
    counts: IntArray
    sizes: IntArray
    alpha: float

    @cached_property
    def component_of_cluster(self) -> IntArray:
        """Group of clusters that overlap, directly or by others, of each cluster."""
        from scipy.sparse.csgraph import connected_components

        shared = self.side.T.tocsr() @ self.side
        return np.asarray(connected_components(shared, directed=False)[1], dtype=np.int64)

    @cached_property
    def component(self) -> IntArray:
        """Group of each type's clusters."""
        of_type: IntArray = self.component_of_cluster[self.side.indices[self.side.indptr[:-1]]]
        return of_type

    @cached_property
    def clusters(self) -> tuple[IntArray, IntArray]:
        """Clusters by component, and where each component begins among them."""
        order = np.argsort(self.component_of_cluster, kind="stable")
        sizes = np.bincount(self.component_of_cluster)
        return order, np.concatenate([[0], np.cumsum(sizes)])

    @cached_property
    def types_of_component(self) -> IntArray:
        """Number of types in each component."""
        return np.bincount(self.component)

    @cached_property
    def _of_component(self) -> dict[int, tuple[IntArray, int]]:
        return {}

    def visits(self, component: int) -> tuple[IntArray, int]:
        """Return clusters x clusters of a component in fixed point, with its fraction bits.

        The entry of c and d is how often a walk from c comes to d, over the items of d.
        """
        if component not in self._of_component:
            self._of_component[component] = self._visits(component)
        return self._of_component[component]

    def _visits(self, component: int) -> tuple[IntArray, int]:
        clusters = self.of(component)
        types = np.flatnonzero(self.component == component)
        inside = self.side[types][:, clusters]
        degrees = np.diff(inside.indptr)
        steps = np.zeros((len(clusters), len(clusters)))
        for degree in np.unique(degrees).tolist():  # integers by degree: one order of the sums
            rows = inside[degrees == degree]
            weights = self.counts[types[degrees == degree]]
            together = rows.T.tocsr() @ (rows.multiply(weights[:, None])).tocsr()
            steps += together.toarray() / degree
        inverse, bits = inverse_on_grid(steps / self.sizes[clusters][:, None], self.alpha)
        values = np.ldexp(inverse.astype(np.float64), -bits) / self.sizes[clusters]
        # a type's entry adds up that of all pairs of clusters of two types
        largest = float(values.max()) * int(degrees.max()) ** 2
        grid = 61 - math.ceil(math.log2(largest))
        return np.rint(np.ldexp(values, grid)).astype(np.int64), grid

    def of(self, component: int) -> IntArray:
        """Return the clusters of a component."""
        order, ends = self.clusters
        return order[ends[component] : ends[component + 1]]

    def between(self, types: IntArray, component: int, start: int, end: int) -> FloatArray:
        """Return, from some types to all of them, the visits over items and own clusters."""
        visits, bits = self.visits(component)
        inside = self.side[types][:, self.of(component)]
        sums = (inside @ (inside[start:end] @ visits).T).T
        degrees = np.diff(inside.indptr)[start:end]
        visited: FloatArray = np.ldexp(np.asarray(sums).astype(np.float64), -bits)
        visited /= degrees[:, None]
        return visited


def _blocks(walks: tuple[Walks, Walks]) -> Iterator[IntArray]:
    """Yield the types of each pair of components, without those of single clusters."""
    first, second = walks
    lone = _lone(first) & _lone(second)
    types = np.flatnonzero(~lone)
    n_second = len(second.types_of_component)
    keys = first.component[types] * n_second + second.component[types]
    order = np.argsort(keys, kind="stable")
    ends = np.flatnonzero(np.diff(keys[order])) + 1
    if len(types):
        yield from np.split(types[order], ends)


def _lone(walks: Walks) -> Any:
    """Return which types are in a cluster that overlaps with none."""
    return np.bincount(walks.component_of_cluster)[walks.component] == 1


def similarities(pair: CoverPair, alpha: float) -> FloatArray:
    """Return the similarity of each type of items, which are all in a cluster of each side.

    The walks of an item differ from its own cluster's by the same at the item itself, so with
    g the visits over items, the similarity is (1 - alpha) times the sum over items of the
    smaller g: items outside of one of the two components have none there.
    """
    types = pair.types
    one, two = (
        Walks(side, types.counts, sizes, alpha)
        for side, sizes in zip(types.sides, pair.sizes, strict=True)
    )
    values = np.zeros(len(types.counts))
    lone = np.flatnonzero(_lone(one) & _lone(two))
    sizes = [
        sizes[side.indices[side.indptr[lone]]]
        for side, sizes in zip(types.sides, pair.sizes, strict=True)
    ]
    values[lone] = types.counts[lone] / np.maximum(*sizes)  # as of partitions
    grid = 60 - math.ceil(-math.log2(1 - alpha))
    for block in _blocks((one, two)):
        components = int(one.component[block[0]]), int(two.component[block[0]])
        alone = all(
            len(block) == walks.types_of_component[component]
            for walks, component in zip((one, two), components, strict=True)
        )
        step = max(_BLOCK // len(block), 1)
        for start in range(0, len(block), step):
            end = min(start + step, len(block))
            first, second = (
                walks.between(block, component, start, end)
                for walks, component in zip((one, two), components, strict=True)
            )
            smaller = np.minimum(first, second) * types.counts[block]
            sums = np.rint(np.ldexp(smaller, grid)).astype(np.int64).sum(axis=1)
            shares = (1 - alpha) * np.ldexp(sums.astype(np.float64), -grid)
            same = (first == second).all(axis=1) if alone else np.zeros(end - start, dtype=bool)
            values[block[start:end]] = np.where(same, 1.0, np.minimum(shares, 1.0))
    return values


def similarity_of_covers(
    reference: Any, candidate: Any, average: str | None, alpha: float
) -> float | FloatArray:
    """Return the element-centric similarity of two covers, or that of each item."""
    pair = CoverPair.of(reference, candidate, "element_centric_similarity")
    for side, name in zip(pair.sides, ("reference", "candidate"), strict=True):
        alone = np.flatnonzero(np.diff(side.indptr) == 0)
        if len(alone):
            raise ValueError(
                f"the item at index {alone[0]} of the reference's items is in no cluster of "
                f"the {name} ({len(alone)} such items), so that no walk leaves it; "
                "Cover.with_singletons() makes each of them a cluster"
            )
    if pair.n_items == 0:
        return np.empty(0) if average is None else 1.0
    values = similarities(pair, alpha)
    if average is None:
        return values[pair.types.of_item]
    counts = pair.types.counts
    if (values == 1).all():
        return 1.0
    return math.fsum((values * counts).tolist()) / pair.n_items
