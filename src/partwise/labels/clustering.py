"""A hard clustering: one label per item, with or without item ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.labels.columns import (
    Column,
    listed,
    refuse_read_before,
    refuse_uncomputed,
    with_article,
)
from partwise.labels.communities import are_clusters, clusters_by_name, only_column, plain_form
from partwise.labels.forms import read_column
from partwise.labels.indexes import RowIds, index_of, refuse_other_indexes
from partwise.labels.items.ids import members_of, read_ids
from partwise.labels.notes import Note
from partwise.numbers.masked import has_masked, is_masked_array
from partwise.report.brief import html_of


class Clustering:
    """One label per item.

    Parameters
    ----------
    labels : array-like of shape (n,)
        Labels of any kind: integers, bool, floats (distinct values are distinct names,
        -0.0 = 0.0, NaN is missing), text, bytes, datetimes, hashable objects; NumPy (also
        masked), pandas, polars or pyarrow columns, lists.
    items : array-like of shape (n,), or frame, optional
        Item ids: values of any kind, tuples, or a frame of pandas, polars or pyarrow whose
        columns tell items apart together. Two clusterings with ids are aligned by item, else
        by position.

    Raises
    ------
    TypeError, ValueError
        The labels are not one column, or ids and labels differ in number.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.Clustering(["x", "x", "y"], items=[7, 8, 9])
    Clustering(3 items, 2 clusters, with item ids)
    """

    __slots__ = (
        "column",
        "empty_clusters",
        "index",
        "item_column",
        "notes",
        "of_clusters",
        "row_ids",
        "unordered",
    )

    def __init__(self, labels: Any, items: Any = None) -> None:
        labels, items = only_column(labels), only_column(items)
        # a snapshot: what the caller does to the arrays afterwards does not reach it
        self.column = read_column(labels, "labels").copied()
        self.item_column = None if items is None else read_ids(items, "items").copied()
        self.empty_clusters = 0
        self.of_clusters = self.unordered = False
        self.notes: tuple[Note, ...] = ()
        self.row_ids: tuple[RowIds, ...] = ()
        self.index = series_index(labels) if items is None else None
        refuse_other_indexes({"labels": labels, "items": items})
        if self.item_column is not None and len(self.item_column) != len(self.column):
            raise ValueError(
                f"{len(self.column)} labels but {len(self.item_column)} items; "
                "pass one id per label"
            )

    @classmethod
    def _of(cls, column: Column, items: Column | None, empty: int = 0) -> Clustering:
        made = cls.__new__(cls)
        made.column, made.item_column, made.empty_clusters = column, items, empty
        made.notes, made.index, made.row_ids = (), None, ()
        made.of_clusters = made.unordered = False
        return made

    def _with_items(self, items: Column) -> Clustering:
        """Return the same labels with item ids that were read before."""
        return Clustering._of(self.column, items, self.empty_clusters)._with_notes(self.notes)

    def _with_notes(self, notes: Iterable[Note]) -> Clustering:
        """Attach what a reader did with the input; it goes into the account."""
        self.notes = tuple(notes)
        return self

    @classmethod
    def from_clusters(cls, clusters: Iterable[Iterable[Any]]) -> Clustering:
        """Return the clustering whose i-th cluster holds the items of ``clusters[i]``.

        Labels are 0, 1, ...; an empty cluster is left out and counted in the account. An item
        in two clusters is a duplicate: see ``align(duplicates=)``.

        Parameters
        ----------
        clusters : iterable of iterables of hashable items, or mapping of label to such

        Examples
        --------
        >>> import partwise as pw
        >>> pw.Clustering.from_clusters([{"a", "b"}, {"c"}]).n_clusters
        2
        """
        if isinstance(clusters, Mapping):
            return cls._of_sets(list(clusters.values()), list(clusters), "clusters")
        items: list[Any] = []
        sizes: list[int] = []
        unordered = False
        for position, members in enumerate(clusters):
            wrong = isinstance(members, (str, bytes, Mapping))
            if wrong or not isinstance(members, Iterable):
                raise TypeError(
                    f"cluster {position} is {with_article(members)}; "
                    "each cluster must be a collection of items"
                )
            before = len(items)
            items.extend(members_of(members))
            sizes.append(len(items) - before)
            unordered |= isinstance(members, Set) and sizes[-1] > 1
        if not sizes:
            refuse_read_before(clusters, "clusters")
        codes = np.repeat(np.arange(len(sizes)), sizes)
        ids = read_ids(items, "items")
        made = cls._of(Column(codes), ids, sum(size == 0 for size in sizes))
        made.of_clusters, made.unordered = True, unordered
        return made

    @classmethod
    def _of_sets(cls, sets: Iterable[Iterable[Any]], names: Any, side: str) -> Clustering:
        """Return the clustering of sets of items; ``names`` are the clusters' labels.

        Items of a cluster whose name is missing have no label.
        """
        made = cls.from_clusters(sets)
        if names is not None:
            labels = read_column(names, side).compact()
            missing = None if labels.missing is None else labels.missing[made.column.codes]
            named = Column(labels.codes[made.column.codes], labels.categories)
            made.column = named.with_missing(missing)
        return made

    @classmethod
    def from_mapping(cls, mapping: Mapping[Any, Any]) -> Clustering:
        """Return the clustering of a mapping item -> label.

        Parameters
        ----------
        mapping : mapping of hashable item to label
        """
        if not isinstance(mapping, Mapping):
            instead = (
                "Clustering(series, items=series.index)"
                if index_of(mapping) is not None
                else "dict(pairs) for pairs of item and label"
            )
            raise TypeError(
                f"{with_article(mapping)} is no mapping of item to label; pass {instead}"
            )
        return cls(list(mapping.values()), items=list(mapping.keys()))

    @classmethod
    def from_pairs(cls, pairs: Any, items: Any = None) -> Clustering:
        """Return the clustering that pairs of matching items join: their connected components.

        Labels are 0, 1, ... in the order of the items. An item in no pair has a cluster of its
        own.

        Parameters
        ----------
        pairs
            Rows (item, item), an array of two columns, a tuple of two columns, or a frame: its
            two columns, or of more those with usual names such as left and right.
        items : array-like of shape (n,), optional
            All items; by default those of the pairs, in the order in which they come.

        Raises
        ------
        ValueError
            A pair names an item that is not among ``items``; the message has the pair.

        Examples
        --------
        >>> import partwise as pw
        >>> pairs = [("a", "b"), ("b", "c")]
        >>> linked = pw.Clustering.from_pairs(pairs, items=["a", "b", "c", "d"])
        >>> linked.clusters()
        {0: ['a', 'b', 'c'], 1: ['d']}
        """
        from partwise.labels.items.pairs import joined_by_pairs

        codes, ids = joined_by_pairs(pairs, items)
        return cls._of(Column(codes), ids)

    @classmethod
    def from_membership(cls, membership: Any) -> Clustering:
        """Return the clustering of a membership array.

        Parameters
        ----------
        membership : array-like of shape (n,) or (n, k)
            One integer label per item, or one-hot rows (exactly one 1, else 0).

        Raises
        ------
        ValueError
            A row is not one-hot (its index is named): soft memberships are not a hard
            clustering.
        """
        refuse_uncomputed(membership, "membership")
        if is_masked_array(membership) and membership.ndim == 1:
            return cls(membership)
        if has_masked(membership):
            raise ValueError("membership has masked entries; every row needs its one 1")
        if hasattr(membership, "toarray"):
            return cls._of_one_hot(membership)
        array = np.asarray(membership)
        if array.ndim in (1, 2) and len(array) == 0:
            return cls(np.zeros(0, dtype=np.int64))
        if array.ndim == 1:
            if array.dtype.kind not in "iu":
                raise ValueError(
                    f"membership has dtype {array.dtype}; one integer label per item or "
                    "one-hot rows are expected"
                )
            made = cls(array)
            made.index = index_of(membership)
            return made
        if array.ndim != 2:
            raise ValueError(f"membership must be 1-D or 2-D, got shape {array.shape}")
        one = array == 1
        wrong = np.flatnonzero((one.sum(axis=1) != 1) | ((array != 0) & ~one).any(axis=1))
        if len(wrong):
            raise ValueError(
                f"membership row {wrong[0]} is not one-hot ({len(wrong)} such rows); a hard "
                "clustering has exactly one 1 per row (soft_* functions take memberships)"
            )
        made = cls(np.argmax(one, axis=1))
        made.index = index_of(membership)
        return made

    @classmethod
    def _of_one_hot(cls, matrix: Any) -> Clustering:
        """Return the clustering of a sparse matrix of SciPy with one 1 a row."""
        rows = matrix.tocsr(copy=True)
        rows.check_format(full_check=True)
        rows.sum_duplicates()
        rows.eliminate_zeros()
        wrong = np.flatnonzero(np.diff(rows.indptr) != 1)
        if not len(wrong):
            wrong = np.flatnonzero(rows.data != 1)
        if len(wrong):
            raise ValueError(
                f"membership row {wrong[0]} is not one-hot ({len(wrong)} such rows); a hard "
                "clustering has exactly one 1 per row"
            )
        return cls(rows.indices)

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.column)

    @property
    def n_clusters(self) -> int:
        """Number of distinct labels that occur (missing ones not counted). O(n)."""
        categories = self.column.compact().categories
        assert categories is not None
        return len(categories)

    @property
    def labels(self) -> NDArray[Any]:
        """Label of every item (None where missing)."""
        return self.column.decode()

    @property
    def items(self) -> NDArray[Any] | None:
        """Item ids, or None."""
        return None if self.item_column is None else self.item_column.decode()

    def clusters(self) -> dict[Any, list[Any]]:
        """Return the items (ids, or positions) of every label, items in given order. O(n)."""
        column = self.column.compact()
        assert column.categories is not None
        names = listed(column.categories)
        by_label: dict[Any, list[Any]] = {label: [] for label in names}
        items = range(self.n_items) if self.items is None else listed(self.items)
        missing = column.missing
        for position, (code, item) in enumerate(zip(column.codes.tolist(), items, strict=True)):
            if missing is None or not missing[position]:
                by_label[names[code]].append(item)
        return by_label

    def __len__(self) -> int:
        return self.n_items

    def __repr__(self) -> str:
        ids = ", with item ids" if self.item_column is not None else ""
        return f"Clustering({self.n_items} items, {self.n_clusters} clusters{ids})"

    def _repr_html_(self) -> str:
        return html_of(self)


def as_clustering(values: Any, side: str) -> Clustering:
    """Read one side of a comparison: labels, mapping, list of sets, or a Clustering."""
    if isinstance(values, Clustering):
        return values
    if not isinstance(values, Mapping):
        values = plain_form(values, side)
    if isinstance(values, Mapping):
        if clusters_by_name(values, side):
            return Clustering._of_sets(list(values.values()), list(values), side)
        return Clustering.from_mapping(values)
    if are_clusters(values, side):
        return Clustering._of_sets(values, None, side)
    made = Clustering._of(read_column(values, side), None)
    made.index = series_index(values)
    return made


def series_index(values: Any) -> Any:
    """Return the index of a pandas Series, None for anything else."""
    index = index_of(values)
    return index if index is not None and getattr(values, "ndim", 0) == 1 else None


def first_appearance_labels(codes: NDArray[Any]) -> NDArray[np.int64]:
    """Return codes renumbered 0, 1, ... in order of first appearance. O(n)."""
    used, inner = _kernels.impl.encode(codes)
    numbered, _ = _kernels.impl.first_appearance(inner, len(used))
    return numbered


def id_array(items: Column | None, n: int) -> NDArray[Any]:
    """Return item ids, or positions where there are none."""
    return np.arange(n) if items is None else items.decode()
