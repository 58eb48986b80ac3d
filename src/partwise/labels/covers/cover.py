"""A cover: clusters that may share items, among a stated set of items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels.workers import worth_sharing
from partwise.labels.clustering import Clustering
from partwise.labels.columns import Column, listed, with_article
from partwise.labels.covers.arguments import (
    clustering_of_clusters,
    positions_of_members,
    refuse_missing_items,
    universe_of,
)
from partwise.labels.forms import is_missing
from partwise.labels.items.matching import shared_numbers
from partwise.numbers.arrays import IntArray
from partwise.report.brief import html_of


class Cover:
    """Clusters of items that may overlap and may leave items out.

    Parameters
    ----------
    clusters : iterable of iterables of items, mapping, Clustering, or another library's object
        Each entry holds the items of one cluster; a mapping gives the clusters names. The
        communities of cdlib, igraph and networkx are taken as they are. A ``Clustering`` may
        hold the same item in several rows, as ``read(path, format="communities")`` returns it.
    items : iterable of hashable, graph, or "covered", optional
        All items, those in no cluster too: ids, or a graph whose nodes they are. "covered"
        says that every item is in a cluster.
    n_items : int, optional
        Number of items, where they are the integers 0 to n_items - 1.

    Raises
    ------
    ValueError
        Nothing says which items there are, a cluster holds one that is not among them (cluster
        and item are named), or an item is named twice in ``items``.
    TypeError
        ``clusters`` is in no form that is read, or both ``items`` and ``n_items`` are there.

    Notes
    -----
    Items in no cluster change every measure of covers that counts pairs, so they must be
    stated: objects of cdlib and igraph bring them along, everything else needs ``items`` or
    ``n_items``. Two equal clusters stay two; an item that a cluster names twice is in it once;
    an empty cluster is left out and counted. A cover cannot be changed. O(memberships log
    memberships + items) time, and 8 bytes a membership beside the ids.

    Examples
    --------
    >>> import partwise as pw
    >>> cover = pw.Cover([[0, 1, 2], [2, 3]], n_items=6)
    >>> cover
    Cover(6 items, 2 clusters, 5 memberships, 2 items in no cluster)
    >>> cover.sizes.tolist(), cover.clusters()
    ([3, 2], {0: [0, 1, 2], 1: [2, 3]})
    >>> pw.Cover({"work": {"ann", "ben"}, "sports": {"ben", "cat"}}, items="covered").n_items
    3
    """

    __slots__ = ("indptr", "item_ids", "members", "n_empty", "n_items", "names")

    #: Clusters may share items, so that this is no clustering in the sense of ``align``.
    may_overlap = True

    indptr: IntArray
    members: IntArray
    n_items: int
    n_empty: int
    item_ids: Column | None
    names: NDArray[Any] | None

    def __init__(self, clusters: Any, items: Any = None, *, n_items: int | None = None) -> None:
        clustering, own_items, own_number = clustering_of_clusters(clusters)
        refuse_missing_items(clustering)
        if items is None and n_items is None:
            items, n_items = own_items, own_number
        universe, number = universe_of(items, n_items, clustering)
        codes = positions_of_members(clustering, universe, number)
        column = clustering.column.compact()
        if column.missing is not None and column.missing.any():
            at = int(np.flatnonzero(column.missing)[0])
            raise ValueError(_without_cluster(at, clusters))
        labels = column.categories
        n_clusters = 0 if labels is None else len(labels)
        named = not clustering.of_clusters or isinstance(clusters, Mapping)
        self._set(
            np.asarray(column.codes, dtype=np.int64),
            codes,
            n_clusters,
            number,
            universe,
            names=labels if named else None,
            n_empty=clustering.empty_clusters,
        )

    def _set(
        self,
        clusters: IntArray,
        items: IntArray,
        n_clusters: int,
        n_items: int,
        item_ids: Column | None,
        *,
        names: NDArray[Any] | None,
        n_empty: int,
    ) -> None:
        """Hold memberships as the ascending items of each cluster, each once."""
        keys = distinct_of(clusters * max(n_items, 1) + items)
        members = keys % max(n_items, 1)
        sizes = np.bincount(keys // max(n_items, 1), minlength=n_clusters)
        indptr = np.zeros(n_clusters + 1, dtype=np.int64)
        np.cumsum(sizes, out=indptr[1:])
        for array in (indptr, members):
            array.setflags(write=False)
        values = {"indptr": indptr, "members": members, "n_items": n_items}
        values |= {"item_ids": item_ids, "names": names, "n_empty": n_empty}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def _of(
        cls, indptr: IntArray, members: IntArray, n_items: int, ids: Column | None
    ) -> Cover:
        made = cls.__new__(cls)
        clusters = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
        made._set(clusters, members, len(indptr) - 1, n_items, ids, names=None, n_empty=0)
        return made

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Cover cannot be changed; make another one to set {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Cover cannot be changed; it keeps its {name}")

    @classmethod
    def from_memberships(
        cls, items: Any, clusters: Any, *, universe: Any = None, n_items: int | None = None
    ) -> Cover:
        """Return the cover of a table with one row for each item of each cluster.

        Parameters
        ----------
        items, clusters : array-like of one length
            Item and cluster of each row, in any order; a row that comes again counts once.
        universe : iterable of hashable, graph, or "covered", optional
            All items, as ``items`` of ``Cover``.
        n_items : int, optional
            Number of items, where they are the integers 0 to n_items - 1.

        Examples
        --------
        >>> import partwise as pw
        >>> pw.Cover.from_memberships([0, 1, 1, 2], ["x", "x", "y", "y"], n_items=4)
        Cover(4 items, 2 clusters, 4 memberships, 1 item in no cluster)
        """
        return cls(Clustering(clusters, items=items), universe, n_items=n_items)

    @classmethod
    def from_labels(cls, labels: Any, items: Any = None) -> Cover:
        """Return the cover of a clustering in which every item has one label.

        Parameters
        ----------
        labels : array-like of shape (n,), mapping of item to label, or Clustering
        items : array-like of shape (n,), optional
            Item of each label; by default they are 0 to n - 1.

        Examples
        --------
        >>> import partwise as pw
        >>> pw.Cover.from_labels(["x", "x", "y"])
        Cover(3 items, 2 clusters, 3 memberships)
        """
        if isinstance(labels, Mapping):
            labels = Clustering.from_mapping(labels)
        elif not isinstance(labels, Clustering):
            labels = Clustering(labels, items=items)
        if labels.item_column is None:
            return cls(labels, n_items=labels.n_items)
        return cls(labels, "covered")

    @property
    def n_clusters(self) -> int:
        """Number of clusters with items; equal ones count separately."""
        return len(self.indptr) - 1

    @property
    def n_memberships(self) -> int:
        """Number of pairs of a cluster and an item in it."""
        return len(self.members)

    @property
    def n_uncovered(self) -> int:
        """Number of items in no cluster."""
        return int(np.count_nonzero(self.memberships_of_items() == 0))

    @property
    def sizes(self) -> IntArray:
        """Items of each cluster."""
        return np.diff(self.indptr)

    @property
    def items(self) -> NDArray[Any]:
        """All items: their ids, or 0 to n - 1."""
        return np.arange(self.n_items) if self.item_ids is None else self.item_ids.decode()

    def memberships_of_items(self) -> IntArray:
        """Return in how many clusters each item is."""
        return np.bincount(self.members, minlength=self.n_items)

    def clusters(self) -> dict[Any, list[Any]]:
        """Return the items of every cluster by its name, or number where it has none."""
        items = listed(self.items)
        names = range(self.n_clusters) if self.names is None else listed(self.names)
        ends = self.indptr.tolist()
        codes = self.members.tolist()
        return {
            name: [items[code] for code in codes[ends[k] : ends[k + 1]]]
            for k, name in enumerate(names)
        }

    def with_singletons(self) -> Cover:
        """Return the cover in which every item of no cluster is a cluster of its own.

        Examples
        --------
        >>> import partwise as pw
        >>> pw.Cover([[0, 1]], n_items=3).with_singletons().clusters()
        {0: [0, 1], 1: [2]}
        """
        alone = np.flatnonzero(self.memberships_of_items() == 0)
        ends = np.concatenate([self.indptr, self.indptr[-1] + 1 + np.arange(len(alone))])
        members = np.concatenate([self.members, alone])
        return Cover._of(ends, members, self.n_items, self.item_ids)

    def codes_in(self, reference: Cover) -> IntArray:
        """Return, of each membership, the position of its item among those of another cover.

        Raises
        ------
        ValueError
            The two covers have different items.
        """
        own, other = self.item_ids, reference.item_ids
        if own is None and other is None:
            if self.n_items != reference.n_items:
                raise ValueError(
                    f"the reference has {reference.n_items} items and the candidate "
                    f"{self.n_items}; give both covers the same n_items="
                )
            return self.members
        own = Column(np.arange(self.n_items)) if own is None else own
        other = Column(np.arange(reference.n_items)) if other is None else other
        there, here, n_ids = shared_numbers(other, own)
        position = np.full(n_ids, -1, dtype=np.int64)
        position[there] = np.arange(len(there))
        codes = position[here]
        for side, column, lacking in (
            ("candidate", own, np.flatnonzero(codes < 0)),
            (
                "reference",
                other,
                np.flatnonzero(np.bincount(here, minlength=n_ids)[there] == 0),
            ),
        ):
            if len(lacking):
                raise ValueError(
                    f"the item {column.value_at(int(lacking[0]))!r} is among those of the "
                    f"{side} only ({len(lacking)} such items); give both covers the same items="
                )
        return np.asarray(codes[self.members])

    def __reduce__(self) -> Any:
        state = (
            self.indptr,
            self.members,
            self.n_items,
            self.item_ids,
            self.names,
            self.n_empty,
        )
        return _restored, state

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cover):
            return NotImplemented
        if self.n_items != other.n_items or set(listed(self.items)) != set(listed(other.items)):
            return False
        mine, theirs = (
            {name: frozenset(members) for name, members in one.clusters().items()}
            for one in (self, other)
        )
        return mine == theirs

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return self.n_clusters

    def __repr__(self) -> str:
        parts = [
            _counted(self.n_items, "item"),
            _counted(self.n_clusters, "cluster"),
            _counted(self.n_memberships, "membership"),
        ]
        if self.n_uncovered:
            parts.append(f"{_counted(self.n_uncovered, 'item')} in no cluster")
        if self.n_empty:
            parts.append(f"{_counted(self.n_empty, 'empty cluster')} left out")
        return f"Cover({', '.join(parts)})"

    def _repr_html_(self) -> str:
        return html_of(self)


def _without_cluster(at: int, clusters: Any) -> str:
    """Return the sentence that a membership names no cluster, or a cluster has no name."""
    if not isinstance(clusters, Mapping):
        return (
            f"the membership at index {at} names no cluster; leave such rows out, and name "
            "their items in items="
        )
    name = next(name for name in clusters if is_missing(name))
    return (
        f"clusters has the key {name!r}, which stands for no label; give that cluster a name, "
        "or leave it out and name its items in items="
    )


def distinct_of(values: IntArray) -> IntArray:
    """Return the distinct integers of an array, ascending."""
    distinct: IntArray = _kernels.impl.encode(values, worth_sharing(len(values)))[0]
    return distinct


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _restored(
    indptr: IntArray,
    members: IntArray,
    n_items: int,
    item_ids: Column | None,
    names: NDArray[Any] | None,
    n_empty: int,
) -> Cover:
    made = Cover._of(indptr, members, n_items, item_ids)
    object.__setattr__(made, "names", names)
    object.__setattr__(made, "n_empty", n_empty)
    return made


def check_cover(value: Any, side: str, name: str) -> Cover:
    """Return an argument that must be a cover."""
    if not isinstance(value, Cover):
        raise TypeError(
            f"{name} compares covers, and {side} is {with_article(value)}; pass "
            "Cover(clusters, items=...), or Cover.from_labels(labels) for a partition"
        )
    return value
