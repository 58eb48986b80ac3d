"""What a cover is made of: clusters in any form, and the items that there are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from partwise import _kernels
from partwise._kernels.long_columns import ascending
from partwise.labels.clustering import Clustering
from partwise.labels.columns import Column, with_article
from partwise.labels.items.ids import ids_of_items
from partwise.labels.items.matching import check_once, shared_numbers
from partwise.numbers.arrays import IntArray

_WAY_OUT = (
    "pass items= (all items, those in no cluster too), n_items= where they are the integers "
    'from 0, or items="covered" where every item is in a cluster'
)


def clustering_of_clusters(clusters: Any) -> tuple[Clustering, Any, int | None]:
    """Return memberships as rows of items and clusters, and the items that come with them.

    Returns
    -------
    clustering : Clustering
        With the item of each membership.
    items : object or None
        All items, where the object knows them.
    n_items : int or None
        Their number, where the object knows that they are 0, 1, ...
    """
    if isinstance(clusters, Clustering):
        number = clusters.n_items if clusters.item_column is None else None
        return clusters, None, number
    if _is_graph(clusters):
        raise TypeError(
            f"clusters is {with_article(clusters)}, a graph; pass its communities, with "
            "items=graph"
        )
    communities = getattr(clusters, "communities", None)
    if isinstance(communities, (list, tuple)):  # cdlib
        graph = getattr(clusters, "graph", None)
        return Clustering.from_clusters(communities), _nodes_of(graph), None
    vertices = getattr(clusters, "n", None)
    if hasattr(clusters, "membership") and isinstance(vertices, int):  # igraph
        return Clustering.from_clusters(list(clusters)), None, vertices
    wrong = isinstance(clusters, (str, bytes)) or not isinstance(clusters, Iterable)
    if wrong:
        raise TypeError(
            f"clusters is {with_article(clusters)}; a cover is a list of clusters, each a "
            "collection of items, a mapping of name to such, or a Clustering whose rows are "
            "memberships"
        )
    return Clustering.from_clusters(clusters), None, None


def _is_graph(values: Any) -> bool:
    return hasattr(values, "adj") and hasattr(values, "edges")


def _nodes_of(graph: Any) -> Any:
    """Return the nodes of a graph of networkx, the names or numbers of one of igraph."""
    if graph is None:
        return None
    if hasattr(graph, "vs"):  # igraph: cdlib holds names of its vertices where they have some
        named = "name" in graph.vs.attributes()
        return list(graph.vs["name"]) if named else range(graph.vcount())
    return graph.nodes if _is_graph(graph) else None


def universe_of(
    items: Any, n_items: int | None, clustering: Clustering
) -> tuple[Column | None, int]:
    """Return the ids of all items, None where they are 0, 1, ..., and their number."""
    if items is not None and n_items is not None:
        raise TypeError("items= and n_items= are two ways to say which items there are")
    if n_items is not None:
        if isinstance(n_items, bool) or not isinstance(n_items, (int, np.integer)):
            raise TypeError(f"n_items={n_items!r} must be an integer")
        if n_items < 0:
            raise ValueError(f"n_items={n_items} must be at least 0")
        return None, int(n_items)
    if items is None:
        raise ValueError(f"nothing says which items there are; {_WAY_OUT}")
    if isinstance(items, (str, bytes)):
        if items != "covered":
            raise ValueError(f'items={items!r} must be all items, or the word "covered"')
        return _covered(clustering)
    if _is_graph(items) or hasattr(items, "vs"):
        items = _nodes_of(items)
    if not isinstance(items, (Column, Iterable)):
        raise TypeError(f"items is {with_article(items)}; {_WAY_OUT}")
    column = items if isinstance(items, Column) else ids_of_items(items, "items").copied()
    if len(column) == 0:
        return column, 0
    check_once(column)
    return column, len(column)


def _covered(clustering: Clustering) -> tuple[Column | None, int]:
    """Return the items of all memberships in the order of their first."""
    members = clustering.item_column
    if members is None:
        return None, clustering.n_items
    distinct = distinct_items(members)
    return distinct, len(distinct)


def distinct_items(members: Column) -> Column:
    """Return the items of memberships, each once, in the order of their first."""
    if len(members) == 0:
        return members
    numbers, _, n_items = shared_numbers(members, members)
    first, _ = _kernels.impl.first_places(numbers, n_items)
    return members.take(ascending(first, len(members)))


def refuse_missing_items(clustering: Clustering) -> None:
    """Raise where a membership names no item."""
    members = clustering.item_column
    if members is not None and members.missing is not None and members.missing.any():
        wrong = np.flatnonzero(members.missing)
        raise ValueError(
            f"the membership at index {wrong[0]} names no item ({len(wrong)} such "
            "memberships); leave such rows out"
        )


def positions_of_members(
    clustering: Clustering, universe: Column | None, n_items: int
) -> IntArray:
    """Return, of each membership, the position of its item among all items."""
    members = clustering.item_column
    if members is None:
        if universe is not None or n_items != clustering.n_items:
            raise ValueError(
                f"the clustering has {clustering.n_items} labels without ids, for items 0, 1, "
                "...; give Clustering(labels, items=ids) beside items="
            )
        return np.arange(clustering.n_items)
    if len(members) == 0:
        return np.array([], dtype=np.int64)
    if universe is None:
        return _integers_below(clustering, members, n_items)
    there, here, n_ids = shared_numbers(universe, members, ("items=", "the clusters"))
    position = np.full(n_ids, -1, dtype=np.int64)
    position[there] = np.arange(len(there))
    codes = position[here]
    _refuse(clustering, members, np.flatnonzero(codes < 0), "is not among items=")
    return codes


def _integers_below(clustering: Clustering, members: Column, n_items: int) -> IntArray:
    if members.kind != "integer":
        raise ValueError(
            f"the clusters hold items such as {members.value_at(0)!r} and n_items= is for the "
            "integers from 0; pass items= with all items"
        )
    values = np.asarray(members.decode())
    wrong = (values < 0) | (values >= n_items)
    _refuse(
        clustering,
        members,
        np.flatnonzero(wrong),
        f"is not one of 0 to {n_items - 1} (n_items=)",
    )
    return values.astype(np.int64)


def _refuse(clustering: Clustering, members: Column, wrong: IntArray, why: str) -> None:
    if not len(wrong):
        return
    at = int(wrong[0])
    name = clustering.column.value_at(at)
    raise ValueError(
        f"cluster {name!r} holds the item {members.value_at(at)!r}, which {why} "
        f"({len(wrong)} such memberships)"
    )
