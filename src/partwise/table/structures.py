"""The structures of the split-merge framework: meet, join, graph, subcomponents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from partwise._kernels.long_columns import come_again, taken
from partwise.labels import Clustering
from partwise.labels.clustering import as_clustering, first_appearance_labels
from partwise.labels.columns import (
    listed,
)
from partwise.labels.forms import read_column
from partwise.labels.items.ids import ids_of_items, is_column
from partwise.labels.items.matching import shared_numbers
from partwise.numbers.arrays import IntArray
from partwise.report.brief import Brief
from partwise.table.arguments import Reference, alignment_of, table_of
from partwise.table.components import Components
from partwise.table.contingency import Contingency
from partwise.typing import Candidate, Labels, Policies


def meet(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> IntArray:
    """Label the items by the meet: together iff together in both clusterings.

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` (items are needed: not a table).
    **policies
        See ``align``.

    Returns
    -------
    ndarray of int64, shape (n,)
        Labels 0, 1, ... in order of first appearance.

    Notes
    -----
    O(n), or a radix sort of n pairs where clusters are many.

    References
    ----------
    Split-merge (ICML 2012), section 2.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.meet([0, 0, 1, 1], [5, 5, 5, 6]).tolist()
    [0, 0, 1, 2]
    """
    aligned = alignment_of(reference, candidate, policies, "meet")
    rows = aligned.reference.column.compact()
    cols = aligned.candidate.column.compact()
    assert cols.categories is not None
    return first_appearance_labels(rows.codes * max(len(cols.categories), 1) + cols.codes)


def join(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> IntArray:
    """Label the items by the join: the finest clustering that both refine.

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` (items are needed: not a table).
    **policies
        See ``align``.

    Returns
    -------
    ndarray of int64, shape (n,)
        Labels 0, 1, ... in order of first appearance.

    Notes
    -----
    The connected components of the table (Proposition 4.1). O(n + cells).

    References
    ----------
    Split-merge (ICML 2012), Proposition 4.1.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.join([0, 0, 1, 2], [5, 6, 6, 7]).tolist()
    [0, 0, 0, 1]
    """
    aligned = alignment_of(reference, candidate, policies, "join")
    return first_appearance_labels(Components(aligned.table, aligned).item_component)


def components(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> Components:
    """Return the components of the join; with items unless given a table.

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` or ``Contingency``.
    **policies
        See ``align``.

    Returns
    -------
    Components

    Examples
    --------
    >>> import partwise as pw
    >>> pw.components([0, 0, 1, 2], [5, 6, 6, 7])
    Components(2 components, the largest of 3 items)
    """
    if isinstance(reference, Contingency):
        return Components(table_of(reference, candidate, policies, "components"))
    aligned = alignment_of(reference, candidate, policies, "components")
    return Components(aligned.table, aligned)


def refines(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> bool:
    """Return whether every cluster of the first lies inside a cluster of the second.

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` or ``Contingency``.
    **policies
        See ``align``.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.refines([0, 1, 2, 2], [0, 0, 1, 1]), pw.refines([0, 0, 1, 1], [0, 1, 2, 2])
    (True, False)
    """
    table = table_of(reference, candidate, policies, "refines")
    return table.n_cells == table.shape[0]


def induced_clustering(clustering: Labels, items: Iterable[Any]) -> Clustering:
    """Restrict a clustering to some of its items (SM, Definition 4.2).

    Parameters
    ----------
    clustering
        Labels, mapping, list of sets or ``Clustering``.
    items : iterable
        Item ids, or positions where the clustering has no ids; each at most once.

    Returns
    -------
    Clustering
        The items in the order asked for, with their ids (positions).

    Raises
    ------
    ValueError
        An item is unknown or asked for twice (it is named).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.induced_clustering({"x": 1, "y": 1, "z": 2}, ["z", "x"]).labels.tolist()
    [2, 1]
    """
    all_items = as_clustering(clustering, "clustering")
    subset = ids_of_items(items, "items").copied()
    known_items = all_items.item_column
    if known_items is None:
        known_items = read_column(np.arange(all_items.n_items), "items")
    known_ids, wanted_ids, n_ids = shared_numbers(known_items, subset)
    position = np.full(n_ids, -1, dtype=np.int64)
    position[known_ids] = np.arange(len(known_ids))
    if int((position >= 0).sum()) < len(known_ids):
        raise ValueError("the clustering holds an item more than once; make its items unique")
    unknown = np.flatnonzero(position[wanted_ids] < 0)
    if len(unknown):
        at = int(unknown[0])
        raise ValueError(
            f"item {subset.value_at(at)!r} at index {at} is not in the clustering "
            f"({len(unknown)} such items)"
        )
    again = np.flatnonzero(come_again(wanted_ids, n_ids))
    if len(again):
        at = int(again[0])
        raise ValueError(f"item {subset.value_at(at)!r} is asked for again at index {at}")
    return Clustering._of(all_items.column.take(position[wanted_ids]), subset)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BipartiteGraph(Brief):
    """The table as a graph: clusters of both sides, an edge per shared cell.

    Attributes
    ----------
    rows, cols : ndarray of int64, shape (n_edges,)
        Reference and candidate cluster of each edge, in row order.
    counts : ndarray of int64, shape (n_edges,)
        Items the two share.
    row_labels, col_labels : ndarray
        Labels of the clusters.
    """

    rows: IntArray
    cols: IntArray
    counts: IntArray
    row_labels: NDArray[Any]
    col_labels: NDArray[Any]

    def edges(self) -> Iterator[tuple[int, int, int]]:
        """Yield (row, col, count)."""
        yield from zip(
            self.rows.tolist(), self.cols.tolist(), self.counts.tolist(), strict=True
        )


def bipartite_graph(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> BipartiteGraph:
    """Return the bipartite graph of clusters that share items (SM, Definition 4.1).

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` or ``Contingency``.
    **policies
        See ``align``.

    Returns
    -------
    BipartiteGraph

    Examples
    --------
    >>> import partwise as pw
    >>> list(pw.bipartite_graph([0, 0, 1], [4, 5, 5]).edges())
    [(0, 0, 1), (0, 1, 1), (1, 1, 1)]
    """
    table = table_of(reference, candidate, policies, "bipartite_graph")
    return BipartiteGraph(
        table.rows, table.cols, table.counts, table.row_labels, table.col_labels
    )


def induced_subgraph(
    reference: Labels,
    candidate: Labels,
    items: Iterable[Any],
    **policies: Unpack[Policies],
) -> BipartiteGraph:
    """Return the bipartite graph of two clusterings on some items (SM, Definition 4.3).

    Parameters
    ----------
    reference, candidate
        Two clusterings: labels, mapping, list of sets or ``Clustering``.
    items : iterable
        Item ids, or positions where the clusterings have no ids; each at most once.
    **policies
        See ``align``.

    Returns
    -------
    BipartiteGraph

    Raises
    ------
    ValueError
        An item is not in a clustering, or is asked for twice (it is named).

    Notes
    -----
    The graph of both induced clusterings. On the items of a component of the join it is that
    component (Proposition 4.1). O(n).

    Examples
    --------
    >>> import partwise as pw
    >>> graph = pw.induced_subgraph([0, 0, 1, 2], [4, 5, 5, 6], [1, 2])
    >>> list(graph.edges()), graph.row_labels.tolist(), graph.col_labels.tolist()
    ([(0, 0, 1), (1, 0, 1)], [0, 1], [5])
    """
    subset = items if is_column(items) else list(items)
    sides = (induced_clustering(side, subset) for side in (reference, candidate))
    return bipartite_graph(*sides, **policies)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Subcomponents(Brief):
    """How the other clustering breaks each cluster into parts.

    Attributes
    ----------
    labels : ndarray of shape (k,)
        The clusters that are broken up.
    sizes : ndarray of int64, shape (k,)
        Their sizes.
    indptr : ndarray of int64, shape (k + 1,)
        Parts of cluster i are ``indptr[i]:indptr[i + 1]``.
    parts : ndarray of int64
        Size of each part.
    others : ndarray
        Label, on the other side, of the cluster each part lies in.
    """

    labels: NDArray[Any]
    sizes: IntArray
    indptr: IntArray
    parts: IntArray
    others: NDArray[Any]

    def __len__(self) -> int:
        return len(self.labels)

    def __iter__(self) -> Iterator[tuple[Any, dict[Any, int]]]:
        """Yield each cluster's label and its parts by the other side's label."""
        for i, label in enumerate(listed(self.labels)):
            part = slice(self.indptr[i], self.indptr[i + 1])
            names, sizes = listed(self.others[part]), self.parts[part].tolist()
            yield label, dict(zip(names, sizes, strict=True))


def split_subcomponents(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> Subcomponents:
    """Return the parts of every reference cluster (SM, Definition 4.4).

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` or ``Contingency``.
    **policies
        See ``align``.

    Returns
    -------
    Subcomponents

    Examples
    --------
    >>> import partwise as pw
    >>> list(pw.split_subcomponents([0, 0, 1], ["p", "q", "q"]))
    [(0, {'p': 1, 'q': 1}), (1, {'q': 1})]
    """
    table = table_of(reference, candidate, policies, "split_subcomponents")
    return _subcomponents(table)


def merge_subcomponents(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> Subcomponents:
    """Return the parts that every candidate cluster was merged from (SM, Definition 4.5).

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` or ``Contingency``.
    **policies
        See ``align``.

    Returns
    -------
    Subcomponents

    Examples
    --------
    >>> import partwise as pw
    >>> list(pw.merge_subcomponents([0, 0, 1], ["p", "q", "q"]))
    [('p', {0: 1}), ('q', {0: 1, 1: 1})]
    """
    table = table_of(reference, candidate, policies, "merge_subcomponents")
    return _subcomponents(table.T)


def _subcomponents(table: Contingency) -> Subcomponents:
    return Subcomponents(
        table.row_labels,
        table.row_sizes,
        table.indptr,
        table.counts,
        taken(table.col_labels, table.cols),
    )


__all__ = [
    "BipartiteGraph",
    "Subcomponents",
    "bipartite_graph",
    "components",
    "induced_clustering",
    "induced_subgraph",
    "join",
    "meet",
    "merge_subcomponents",
    "refines",
    "split_subcomponents",
]
