"""Clusterings as other libraries hold them, brought to labels, clusters or a mapping."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence, ValuesView
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from partwise import _kernels
from partwise.labels.columns import refuse_read_before, with_article
from partwise.labels.forms import with_one_missing

FRAMES = ("pandas", "polars", "pyarrow")
#: The way out where somebody passes a cover and a partition is needed.
FOR_COVERS = (
    "the clusters of a Cover may overlap, and what compares two of them is omega_index, "
    "overlapping_mutual_information, extended_b_cubed, average_f1 and "
    "element_centric_similarity"
)

#: The same for a tree.
FOR_HIERARCHIES = (
    "a Hierarchy has a partition for every k, Hierarchy.cut(k), and what compares two of them "
    "is b_k, cophenetic_correlation, baker_gamma and element_centric_similarity"
)


def plain_form(values: Any, side: str) -> Any:
    """Return a clustering of another library, or what can be read once, as a plain one.

    Parameters
    ----------
    values : object
        igraph's and cdlib's clusterings, frames of one column, columns and sets of sets,
        iterators (of networkx, say) and the values of a dict are unpacked; everything else is
        returned as it is.
    side : str
        How messages call it.

    Raises
    ------
    ValueError
        An iterator that has nothing left.
    TypeError
        A graph, a dendrogram, or clusters that overlap: none is one partition.
    """
    if isinstance(values, np.ndarray):
        return _sets_of_column(values)
    if isinstance(values, (list, tuple, str, bytes, range)):
        return values
    if type(values).__module__.partition(".")[0] in FRAMES:  # polars is slow to lack a name
        return _sets_of_column(only_column(values))
    if getattr(values, "is_tree", False) is True:
        raise TypeError(f"{side} is a Hierarchy, not a partition; {FOR_HIERARCHIES}")
    if getattr(values, "may_overlap", False) is True:
        raise TypeError(f"{side} is a Cover, not a partition; {FOR_COVERS}")
    if isinstance(values, AbstractSet):
        return list(values) if values and all(map(_is_set, values)) else values
    if hasattr(values, "adj") and hasattr(values, "edges"):
        raise TypeError(
            f"{side} is {with_article(values)}, a graph, not a clustering of its nodes; "
            "pass its communities as a list of sets, or a mapping from node to label"
        )
    if isinstance(values, Iterator):
        taken = list(values)
        if not taken:
            refuse_read_before(values, side)
        return taken
    if isinstance(values, ValuesView):
        return list(values)
    if hasattr(values, "as_clustering") and hasattr(values, "merges"):
        raise TypeError(
            f"{side} is {with_article(values)}, which holds many clusterings; pass one of "
            "them, as_clustering(n), or a list of them to sweep(..., kind='nested')"
        )
    communities = getattr(values, "communities", None)
    if isinstance(communities, (list, tuple)):
        return [frozenset(members) for members in communities]
    membership = getattr(values, "membership", None)
    if isinstance(membership, (list, tuple, np.ndarray)):
        if any(isinstance(one, (list, tuple, set)) for one in membership):
            raise TypeError(
                f"{side} is {with_article(values)}, whose clusters may overlap; a "
                "clustering gives every item one label (Cover(...) takes it, for measures of "
                "covers such as omega_index)"
            )
        return list(membership)
    return values


def _is_set(value: Any) -> bool:
    return isinstance(value, AbstractSet)


def _sets_of_column(column: Any) -> Any:
    """Return a column whose values are all sets as clusters, any other as it is.

    The index of a Series names the clusters, as ``groupby(...).agg(set)`` of pandas leaves it.
    """
    if str(getattr(column, "dtype", "")) not in ("object", "Object"):
        return column
    if len(getattr(column, "shape", ())) != 1 or len(column) == 0:
        return column
    if not _is_set(next(iter(column))):
        return column
    clusters = list(column)
    if not all(map(_is_set, clusters)):
        return column
    index = getattr(column, "index", None)
    if index is None or not getattr(index, "is_unique", False):
        return clusters
    return dict(zip(index.tolist(), clusters, strict=True))


def only_column(frame: Any) -> Any:
    """Return the column of a frame that has only one, anything else as it is."""
    if type(frame).__module__.partition(".")[0] not in FRAMES:
        return frame
    if len(getattr(frame, "shape", ())) != 2:
        return frame
    names = getattr(frame, "column_names", getattr(frame, "columns", None))  # pyarrow, others
    if names is None or len(names) != 1 or hasattr(frame, "collect"):
        return frame
    return frame[names[0]]


def are_clusters(values: Any, side: str) -> bool:
    """Return whether a list holds the clusters, as sets of items, rather than labels.

    Raises
    ------
    TypeError
        Only some entries are sets, or entries are clusterings themselves, or tuples that may
        be clusters as well as labels.
    """
    if isinstance(values, np.ndarray):
        if values.dtype.kind == "O" and values.ndim == 1:
            _refuse_tuples(values.tolist(), side, "index {}")
        return False
    if not isinstance(values, (list, tuple)) or not values:
        return False
    first = values[0]
    if isinstance(first, AbstractSet):
        for position, members in enumerate(values):
            if not isinstance(members, AbstractSet):
                raise TypeError(
                    f"{side} starts with a set but has a {type(members).__name__} at index "
                    f"{position}; a clustering given as clusters is a list of sets of items"
                )
        return True
    if isinstance(first, (list, tuple)) and first and isinstance(first[0], (set, frozenset)):
        raise TypeError(
            f"{side} has a collection of sets at index 0, which is a clustering itself; pass "
            "one clustering, as a list of sets of items"
        )
    if isinstance(first, range):
        raise TypeError(
            f"{side} has {first!r} at index 0, a range of items, not a label; pass "
            "Clustering.from_clusters(clusters) for clusters given as ranges"
        )
    if isinstance(first, tuple):
        _refuse_tuples(values, side, "index {}")
    return False


def clusters_by_name(mapping: Mapping[Any, Any], side: str) -> bool:
    """Return whether a mapping holds sets of items by cluster, rather than labels by item."""
    values = list(mapping.values())
    if not values:
        return False
    # by type first: there are few, and many values
    set_types = {
        kind for kind in _kernels.impl.types_of(values) if issubclass(kind, AbstractSet)
    }
    if set_types:
        sets = [type(value) in set_types for value in values]
        if all(sets):
            return True
        keys = list(mapping)
        odd, first = keys[sets.index(False)], keys[sets.index(True)]
        raise TypeError(
            f"{side} maps {first!r} to a set but {odd!r} to a "
            f"{type(mapping[odd]).__name__}; pass a mapping of item to label, or of cluster to "
            "set of items"
        )
    if isinstance(values[0], list) or getattr(values[0], "ndim", 0) == 1:
        raise TypeError(
            f"{side} maps {next(iter(mapping))!r} to {with_article(values[0])}: if these "
            "are the items of a cluster, pass {name: set(items)}; if they are the labels of "
            "an item, a clustering gives every item one label"
        )
    if isinstance(values[0], Mapping):
        attribute = next(iter(values[0]), "label")
        raise TypeError(
            f"{side} maps {next(iter(mapping))!r} to {with_article(values[0])}, not to a "
            "label; for attributes by item pass {item: attributes["
            f"{attribute!r}] for item, attributes in mapping.items()}}"
        )
    if isinstance(values[0], tuple):
        _refuse_tuples(values, side, "key {}", list(mapping))
    return False


def _refuse_tuples(
    values: Sequence[Any], side: str, where: str, keys: Sequence[Any] | None = None
) -> None:
    """Refuse tuples that may be clusters as well as labels: the two are other partitions.

    They may be labels, as those of several columns are; they may be clusters where no two are
    the same and no member stands in two of them, or where they are no rows of plain values.
    """
    if not values or not all(isinstance(value, tuple) for value in values):
        return
    try:
        if len(set(values)) < len(values):
            return
        united = with_one_missing(list(values))
        if len(set(united)) < len(values):
            return
        members = [member for value in united for member in value]
        apart = len(set(members)) == len(members)
    except TypeError:  # no hashable labels: said where labels are read
        return
    ragged = len({len(value) for value in values}) > 1
    nested = any(isinstance(member, tuple) for member in members)
    if not (apart or ragged or nested):
        return
    named = repr(0 if keys is None else keys[0])
    labels = "Clustering(labels)" if keys is None else "Clustering.from_mapping(...)"
    raise TypeError(
        f"{side} has the tuple {_short(values[0])} at {where.format(named)}, no two of its "
        "tuples are the same, and so they may be labels or clusters; pass "
        f"Clustering.from_clusters(clusters) for clusters, or {labels} for labels"
    )


def _short(value: Hashable) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
