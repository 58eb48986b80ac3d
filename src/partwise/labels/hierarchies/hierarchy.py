"""A hierarchy: items below clusters below clusters, each with a height."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from partwise._kernels.long_columns import numbered, taken
from partwise.labels.clustering import as_clustering, first_appearance_labels
from partwise.labels.columns import Column, listed, with_article
from partwise.labels.hierarchies.arguments import ids_of, node_heights, refuse_torn
from partwise.labels.hierarchies.linkage import merges_of_rows, read_rows
from partwise.labels.hierarchies.newick import read_newick
from partwise.labels.hierarchies.nodes import (
    Nodes,
    node_on_a_circle,
    nodes_of_merges,
    nodes_of_parents,
)
from partwise.labels.items.in_order import codes_in_order, order_of
from partwise.labels.items.matching import shared_numbers
from partwise.labels.items.several import named_clusterings, orientation_note
from partwise.labels.notes import warn_of
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import one_of
from partwise.numbers.masked import first_masked, has_masked
from partwise.report.brief import html_of

#: Counts of pairs of items stay below 2^63.
_MOST_ITEMS = 2**31 - 1


class Hierarchy:
    """A tree whose leaves are the items, or several such trees.

    Made by ``from_linkage`` (SciPy), ``from_parents``, ``from_levels`` (nested clusterings) and
    ``from_newick``.

    Attributes
    ----------
    n_items : int
    parents : ndarray of int64, shape (n_items + n_clusters,)
        Parent of each node, -1 of a root. Nodes 0 to n_items - 1 are the items, the others
        clusters of several items, in the order in which they come about.
    heights : ndarray of float64, shape (n_clusters,)
        Of the clusters of several items.

    Notes
    -----
    *Inversions* (a cluster that is lower than one inside of it, as centroid linkage gives) are
    kept: the height of two items is that of the smallest cluster with both, as SciPy's
    ``cophenet`` has it. A cut has no cluster whose parts it does not have, so that clusters
    come about in the order of the largest height at or below them. *Ties*: clusters of equal
    height stand in the order of the input, and each measure says what it makes of them.
    *Several roots*: items without a common cluster have no height; they come together above all
    cuts. A cluster may have more than two *parts*. One with a single part has the items of that
    part, and is left out. A hierarchy cannot be changed. 40 bytes an item beside the names.

    Examples
    --------
    >>> import partwise as pw
    >>> tree = pw.Hierarchy.from_newick("((ann:1,ben:1):2,(cat:2,dan:2,eve:2):1);")
    >>> tree
    Hierarchy(5 items, 3 clusters, heights 1 to 3)
    >>> tree.cut(2)
    array([0, 0, 1, 1, 1])
    """

    __slots__ = ("_nodes", "item_ids", "n_items")

    #: A tree is no clustering in the sense of ``align``.
    is_tree = True

    _nodes: Nodes
    item_ids: Column | None
    n_items: int

    def __init__(self, *arguments: Any, **options: Any) -> None:
        raise TypeError(
            "a Hierarchy is made by Hierarchy.from_linkage(rows), from_parents(parents, "
            "heights), from_levels(labels) or from_newick(text)"
        )

    @classmethod
    def _of(cls, n_items: int, nodes: Nodes, item_ids: Column | None) -> Hierarchy:
        made = cls.__new__(cls)
        for array in (nodes.parents, nodes.heights, nodes.left, nodes.right, nodes.owner):
            array.setflags(write=False)
        values = {"n_items": n_items, "_nodes": nodes, "item_ids": item_ids}
        for name, value in values.items():
            object.__setattr__(made, name, value)
        return made

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Hierarchy cannot be changed; make another one to set {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Hierarchy cannot be changed; it keeps its {name}")

    @classmethod
    def from_linkage(cls, linkage: ArrayLike, items: Iterable[Any] | None = None) -> Hierarchy:
        """Return the hierarchy of a linkage matrix of SciPy.

        Parameters
        ----------
        linkage : array-like of shape (m, 4) or (m, 3)
            Row k joins two clusters into cluster n + k, at a height; the fourth column, if
            there is one, counts the items.
        items : iterable of hashable, optional
            Names of the items 0, 1, ... With fewer than n - 1 rows they say how many there
            are.

        Raises
        ------
        ValueError
            The first row that is wrong is named: a cluster that is none, is not there yet or
            was joined before, a height that is no finite number, a wrong number of items.

        Examples
        --------
        >>> import partwise as pw
        >>> pw.Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 1.5, 3]], items=["a", "b", "c"])
        Hierarchy(3 items, 2 clusters, heights 0.5 to 1.5)
        """
        rows = read_rows(linkage)
        ids = ids_of(items)
        n = len(rows) + 1 if ids is None else len(ids)
        if len(rows) > max(n - 1, 0):
            raise ValueError(
                f"the linkage has {len(rows)} rows, which join {len(rows) + 1} items, and "
                f"items= names {n}"
            )
        _refuse_so_many(n)
        left, right, heights = merges_of_rows(rows, n)
        endless = np.flatnonzero(np.isinf(heights))
        if len(endless):
            raise ValueError(
                f"linkage row {endless[0]}: its height is inf; heights are finite numbers "
                "(leave the row out, with items=, where its clusters do not belong together)"
            )
        return cls._of(n, nodes_of_merges(n, left, right, heights), ids)

    @classmethod
    def from_parents(
        cls,
        parents: ArrayLike,
        heights: ArrayLike | None = None,
        *,
        items: Iterable[Any] | None = None,
    ) -> Hierarchy:
        """Return the hierarchy in which every node names its parent.

        Parameters
        ----------
        parents : array-like of int
            Parent of each node, -1 for a root. Nodes that are no parent are the items.
        heights : array-like of float, optional
            Of each node, or of each that is a parent, in their order. Those of items are not
            looked at. By default the longest way down to an item.
        items : iterable of hashable, optional
            Names of the items, in the order of their nodes.

        Examples
        --------
        >>> import partwise as pw
        >>> pw.Hierarchy.from_parents([4, 4, 5, 5, 6, 6, -1])
        Hierarchy(4 items, 3 clusters, heights 1 to 2)
        """
        if has_masked(parents):
            raise ValueError(
                f"parents have masked entries, the first at node {first_masked(parents)}; "
                "every node needs its parent, -1 for a root"
            )
        column = np.asarray(parents)
        if column.ndim != 1 or (len(column) and column.dtype.kind not in "iu"):
            raise ValueError(
                f"parents is an array of shape {column.shape} and dtype {column.dtype}; a row "
                "of integers is expected, the parent of each node"
            )
        of_nodes = column.astype(np.int64).tolist()
        for node, parent in enumerate(of_nodes):
            if not -1 <= parent < len(of_nodes) or parent == node:
                raise ValueError(
                    f"node {node} has the parent {parent}; parents are other nodes, 0 to "
                    f"{len(of_nodes) - 1}, or -1 for a root"
                )
        is_parent = np.zeros(len(of_nodes), dtype=bool)
        is_parent[[x for x in of_nodes if x >= 0]] = True
        order = np.argsort(is_parent, kind="stable")
        n = int(np.count_nonzero(~is_parent))
        number = np.empty(len(order) + 1, dtype=np.int64)
        number[order] = np.arange(len(order))
        number[-1] = -1
        renumbered = number[column.astype(np.int64)[order]].tolist()
        circle = node_on_a_circle(n, renumbered)
        if circle is not None:
            raise ValueError(
                f"the parents of node {order[circle]} lead back to it; a tree has no circles"
            )
        ids = ids_of(items)
        if ids is not None and len(ids) != n:
            raise ValueError(
                f"items= has {len(ids)} names, and {n} nodes are no parent of another one"
            )
        of_heights = node_heights(heights, order, n, renumbered)
        return cls._of(n, nodes_of_parents(n, renumbered, of_heights), ids)

    @classmethod
    def from_levels(
        cls, levels: Sequence[Any] | Mapping[Any, Any], items: Iterable[Any] | None = None
    ) -> Hierarchy:
        """Return the hierarchy of nested clusterings, from fine to coarse.

        Parameters
        ----------
        levels : sequence or mapping of clusterings, frame, or array of shape (n, levels)
            Labels of all items at each level, which is a column of a frame or an array.
            Clusters of level k, counted from 1, have the height k; those that the level below
            has as well are not joined anew. Levels with item ids, or with a pandas index, are
            put in one order of the items.
        items : iterable of hashable, optional
            Names of the items, in the order of labels by position; by default the item ids of
            the first level, if levels have such.

        Raises
        ------
        ValueError
            A level splits a cluster of the one before: level, cluster and items are named. An
            item is lacking in a level, too many, or there twice; only some levels have ids.

        Examples
        --------
        >>> import partwise as pw
        >>> pw.Hierarchy.from_levels([[0, 0, 1, 2], [0, 0, 0, 1], [0, 0, 0, 0]])
        Hierarchy(4 items, 3 clusters, heights 1 to 3)
        """
        by_name = named_clusterings(levels, "levels")
        names = list(by_name)
        if not names:
            raise ValueError("levels is empty; a hierarchy has at least one clustering")
        warn_of(orientation_note(levels, "levels"))
        called = [f"level {name}" for name in names]
        sides = [as_clustering(*pair) for pair in zip(by_name.values(), called, strict=True)]
        order = order_of(called, sides, ids_of(items))
        n, ids = order.n, order.ids
        top = np.arange(n)
        parents: list[IntArray] = [np.full(n, -1, dtype=np.int64)]
        heights = [0.0] * n
        links: list[tuple[IntArray, IntArray]] = []
        for k, side in enumerate(sides):
            codes = codes_in_order(side, called[k], order)
            refuse_torn(codes, top, names[k], names[k - 1], ids)
            nodes, first, _ = numbered(top)
            of_nodes = codes[first]
            members = np.bincount(of_nodes)
            joined = members[of_nodes] > 1
            clusters, _, number = numbered(of_nodes[joined])
            links.append((nodes[joined], len(heights) + number))
            new = np.full(len(members), -1, dtype=np.int64)
            new[clusters] = len(heights) + np.arange(len(clusters))
            now = taken(new, codes)
            top = np.where(now >= 0, now, top)
            heights += [float(k + 1)] * len(clusters)
            parents.append(np.full(len(clusters), -1, dtype=np.int64))
        of_parents = np.concatenate(parents)
        for nodes, above in links:
            of_parents[nodes] = above
        return cls._of(n, nodes_of_parents(n, of_parents.tolist(), heights), ids)

    @classmethod
    def from_newick(cls, text: str) -> Hierarchy:
        """Return the hierarchy of a tree in Newick format.

        Parameters
        ----------
        text : str
            One tree, such as ``"((a:1,b:1):1,c:2);"``. Leaves are items and have names; names
            of other nodes are passed over, as are comments in brackets. An underscore in a
            name without quotes is a blank.

        Raises
        ------
        ValueError
            Line and column of what is wrong: brackets, a leaf without a name or with one that
            was there before, branches of which only some have a length.

        Notes
        -----
        The height of a cluster is the longest way down to an item: the sum of the lengths of
        its branches, or their number where the text has no lengths.

        Examples
        --------
        >>> import partwise as pw
        >>> pw.Hierarchy.from_newick("((a,b),(c,d));").items.tolist()
        ['a', 'b', 'c', 'd']
        """
        if not isinstance(text, str):
            raise TypeError(f"text is {with_article(text)}; the text of a tree is expected")
        names, parents, heights = read_newick(text)
        return cls._of(
            len(names), nodes_of_parents(len(names), parents, heights), ids_of(names)
        )

    @property
    def parents(self) -> IntArray:
        """Parent of each node."""
        return self._nodes.parents

    @property
    def heights(self) -> FloatArray:
        """Height of each cluster of several items."""
        return self._nodes.heights

    @property
    def n_clusters(self) -> int:
        """Number of clusters of several items."""
        return len(self.heights)

    @property
    def n_roots(self) -> int:
        """Number of trees, single items among them."""
        return int(np.count_nonzero(self.parents < 0))

    @property
    def items(self) -> NDArray[Any]:
        """All items: their names, or 0 to n - 1."""
        return np.arange(self.n_items) if self.item_ids is None else self.item_ids.decode()

    def cut_heights(self) -> FloatArray:
        """Return, of each cluster of several items, the height from which on cuts have it."""
        return np.maximum.accumulate(self.heights)

    def cuts(self, ties: str = "skip") -> IntArray:
        """Return the numbers of clusters that there is a cut into, descending.

        Parameters
        ----------
        ties : {"skip", "order"}
            Whether clusters of equal height come about together, or in their order.
        """
        one_of(ties, ("skip", "order"), "ties")
        owner, heights = self._nodes.owner, self.cut_heights()
        ends = np.ones(len(owner) + 1, dtype=bool)  # whether a cut after so many steps exists
        if ties == "order":
            ends[1:-1] = owner[1:] != owner[:-1]
        elif len(owner):
            at = np.append(heights, np.inf)[owner]
            ends[1:-1] = at[1:] != at[:-1]
        joins_roots = np.flatnonzero(owner < 0)
        last = int(joins_roots[0]) if len(joins_roots) else len(owner)
        ends[last + 1 :] = False
        return self.n_items - np.flatnonzero(ends)[: self.n_items]

    def cut(self, k: int, ties: str = "skip") -> IntArray:
        """Return labels 0 to k - 1 of the items in the cut into k clusters.

        Parameters
        ----------
        k : int
        ties : {"skip", "order"}
            Whether clusters of equal height come about together, or in their order.

        Raises
        ------
        ValueError
            There is no such cut; the nearest ones are named.
        """
        from partwise import _kernels

        there = self.cuts(ties)
        if k not in there:
            near = sorted(there.tolist(), key=lambda x: (abs(x - k), x))[:2]
            raise ValueError(
                f"no cut has k={k} clusters (clusters of equal height come about together, "
                "and so do the parts of one cluster, and roots stay apart); the nearest have "
                f"{' and '.join(map(str, sorted(near)))}"
            )
        nodes = self._nodes
        done = self.n_items - k
        clusters = _kernels.impl.sweep_clusters(self.n_items, nodes.left, nodes.right, done)
        return first_appearance_labels(clusters)

    def positions_in(self, reference: Hierarchy) -> IntArray | None:
        """Return, of each item, its position in another hierarchy; None where all are equal.

        Raises
        ------
        ValueError
            The two hierarchies have different items.
        """
        own, other = self.item_ids, reference.item_ids
        if own is None and other is None:
            if self.n_items != reference.n_items:
                raise ValueError(
                    f"the reference has {reference.n_items} items and the candidate "
                    f"{self.n_items}; hierarchies of the same items are compared"
                )
            return None
        if own is None or other is None:
            named, bare = (
                ("candidate", "reference") if other is None else ("reference", "candidate")
            )
            raise ValueError(
                f"the items of the {named} have names and those of the {bare} have none; give "
                "both hierarchies items=, or neither"
            )
        there, here, n_ids = shared_numbers(other, own)
        position = np.full(n_ids, -1, dtype=np.int64)
        position[there] = np.arange(len(there))
        codes = position[here]
        lacking = np.flatnonzero(np.bincount(here, minlength=n_ids)[there] == 0)
        for side, column, alone in (
            ("candidate", own, np.flatnonzero(codes < 0)),
            ("reference", other, lacking),
        ):
            if len(alone):
                raise ValueError(
                    f"the item {column.value_at(int(alone[0]))!r} is in the {side} only "
                    f"({len(alone)} such items); hierarchies of the same items are compared"
                )
        return codes

    def clusters(self) -> list[tuple[float, list[Any]]]:
        """Return height and items of every cluster of several items."""
        names = listed(self.items)
        members: list[list[int]] = [[i] for i in range(self.n_items)]
        members += [[] for _ in range(self.n_clusters)]
        for node, parent in enumerate(self.parents.tolist()):
            if parent >= 0:
                members[parent] += members[node]
        return [
            (height, [names[i] for i in sorted(inside)])
            for height, inside in zip(
                self.heights.tolist(), members[self.n_items :], strict=True
            )
        ]

    def __reduce__(self) -> Any:
        nodes = self._nodes
        arrays = (nodes.parents, nodes.heights, nodes.left, nodes.right, nodes.owner)
        return _restored, (self.n_items, arrays, self.item_ids)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hierarchy):
            return NotImplemented
        if self.n_items != other.n_items or set(listed(self.items)) != set(listed(other.items)):
            return False
        mine, theirs = (
            sorted(((h, sorted(map(repr, x))) for h, x in one.clusters()))
            for one in (self, other)
        )
        return mine == theirs

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        parts = [_counted(self.n_items, "item"), _counted(self.n_clusters, "cluster")]
        if self.n_clusters:
            low, high = float(self.heights.min()), float(self.heights.max())
            parts.append(f"heights {low:.6g} to {high:.6g}")
        if self.n_roots > 1:
            parts.append(f"{self.n_roots} roots")
        return f"Hierarchy({', '.join(parts)})"

    def _repr_html_(self) -> str:
        return html_of(self)


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _refuse_so_many(n: int) -> None:
    if n > _MOST_ITEMS:
        raise ValueError(f"a hierarchy has at most {_MOST_ITEMS} items, and this one {n}")


def _restored(n_items: int, arrays: tuple[Any, ...], item_ids: Column | None) -> Hierarchy:
    return Hierarchy._of(n_items, Nodes(*arrays), item_ids)


def check_hierarchy(value: Any, side: str, name: str) -> Hierarchy:
    """Return an argument that must be a hierarchy."""
    if not isinstance(value, Hierarchy):
        raise TypeError(
            f"{name} compares hierarchies, and {side} is {with_article(value)}; pass "
            "Hierarchy.from_linkage(rows), or another of its forms"
        )
    return value
