"""Read merges: linkages, scored edges and nested clusterings become one form."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from partwise import _kernels
from partwise._kernels.long_columns import numbered, taken
from partwise.labels import Clustering
from partwise.labels.clustering import as_clustering
from partwise.labels.columns import refuse_uncomputed
from partwise.labels.hierarchies.linkage import merges_of_rows, read_rows
from partwise.labels.items.in_order import codes_in_order, column_in_order, refuse_other_rows
from partwise.labels.items.several import named_clusterings
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.thresholds.edges import EdgeColumns, edge_columns
from partwise.thresholds.items import (
    item_name,
    order_of_reference,
    positions_of,
    shown,
)

MergeKind = Literal["linkage", "edges", "nested"]
KINDS: tuple[str, ...] = get_args(MergeKind)


@dataclass(frozen=True, slots=True, eq=False)
class Merges:
    """Merges in the order in which they are applied, clusters numbered as in a linkage.

    Attributes
    ----------
    left, right : int64 array, shape (m,)
        Merge k joins these into cluster n + k; items are clusters 0..n-1.
    state : int64 array, shape (m,)
        The first state that has the merge; never falls.
    thresholds : float64 array, shape (number of states,)
        Threshold from which on a state holds.
    kind : str
    similarity : bool
        Whether thresholds descend.
    index : pandas.Index or None
        Index of nested clusterings, or of clusters before the first merge, if they have one:
        the items are those of the reference.
    """

    left: IntArray
    right: IntArray
    state: IntArray
    thresholds: FloatArray
    kind: str
    similarity: bool
    index: Any = None


def read_merges(
    merges: Any,
    reference: Clustering,
    kind: str | None,
    scores: str | None,
    start: Any,
    *,
    own: Clustering,
) -> Merges:
    """Return merges in any form as one.

    ``own``: the reference without the items that only edges have, which stand behind its own.

    Raises
    ------
    ValueError, TypeError
        With the row or edge, what it holds, and what is wrong.
    """
    if scores not in (None, "distance", "similarity"):
        raise ValueError(f'scores={scores!r}: one of "distance", "similarity" is expected')
    refuse_uncomputed(merges, "merges")
    several = hasattr(merges, "__iter__") or hasattr(merges, "column_names")  # pyarrow
    if merges is None or isinstance(merges, str) or not several:
        raise TypeError(
            f"merges is {shown(merges) if np.isscalar(merges) else type(merges).__name__}; a "
            "linkage, edges or nested clusterings are expected"
        )
    kind = _kind_of(merges, reference.n_items, scores) if kind is None else kind
    if kind not in KINDS:
        raise ValueError(f"kind={kind!r}: one of {', '.join(KINDS)} is expected")
    if start is not None and kind == "nested":
        raise ValueError("start= goes with edges or a linkage; nested clusterings have a first")
    if kind == "linkage":
        if scores == "similarity":
            raise ValueError('a linkage has distances; leave scores out or pass "distance"')
        return _of_linkage(merges, reference, start)
    if kind == "nested":
        if scores is not None:
            raise ValueError("scores= goes with edges; nested clusterings have none")
        return _of_nested(merges, reference)
    if scores is None:
        raise ValueError(
            'edges need scores="distance" (low ones merge first) or scores="similarity" '
            "(high ones merge first): nothing in the numbers tells which"
            + _or_nested(merges, reference.n_items)
        )
    return _of_edges(merges, reference, scores == "similarity", start, own)


def columns_if_edges(merges: Any, n: int, kind: str | None, scores: str | None) -> Any:
    """Return edges as their columns, and anything else as it is."""
    if merges is None or isinstance(merges, str) or not hasattr(merges, "__iter__"):
        return merges
    if (_kind_of(merges, n, scores) if kind is None else kind) != "edges":
        return merges
    return EdgeColumns(*edge_columns(merges))


def _kind_of(merges: Any, n: int, scores: str | None) -> str:
    """Tell linkages, edges and nested clusterings apart by their shape."""
    if isinstance(merges, EdgeColumns):
        return "edges"
    if scores is not None:  # edges, except for what is as wide as a linkage
        wide = isinstance(merges, np.ndarray) and merges.ndim == 2 and merges.shape[1] == 4
        return "linkage" if wide else "edges"
    if isinstance(merges, tuple) and len(merges) == 3 and np.ndim(merges[0]) == 1:
        lengths = {len(part) for part in merges}
        return "nested" if lengths == {n} else "edges"
    try:
        shape = np.shape(merges)
    except ValueError:  # rows of different lengths
        shape = ()
    width = shape[1] if len(shape) == 2 else 0
    if n in (3, 4) and width == n and not isinstance(merges, np.ndarray):
        raise ValueError(
            f"rows of {n} numbers for {n} items may be a "
            f"{'linkage' if n == 4 else 'list of edges'} or nested clusterings; pass kind="
        )
    if shape == (0,) or width == 4:
        return "linkage"
    if width == 3 and n != 3:
        return "edges"
    return "nested"


def _or_nested(merges: Any, n: int) -> str:
    """Return the way out where as many rows as items may be columns of labels."""
    if isinstance(merges, EdgeColumns) or not hasattr(merges, "__len__") or len(merges) != n:
        return ""
    return f'. If its columns are nested clusterings of the {n} items, pass kind="nested"'


# ---- linkages --------------------------------------------------------------------------


def _of_linkage(merges: Any, reference: Clustering, start: Any) -> Merges:
    n = reference.n_items
    if reference.unordered:
        raise ValueError(
            "a linkage names items by position, and the reference came as sets, whose items "
            "have no order; pass a list of labels or a mapping of item to label"
        )
    rows = read_rows(merges)
    if rows.shape[1] != 4:
        raise ValueError(
            f"a linkage has rows (cluster, cluster, height, size); this array has shape "
            f"{rows.shape}"
        )
    if len(rows) != max(n - 1, 0):
        raise ValueError(
            f"a linkage of {n} items has {max(n - 1, 0)} rows; this one has {len(rows)}"
            + _or_nested(merges, n)
        )
    left, right, heights = merges_of_rows(rows, n)
    first, effective = _kernels.impl.sweep_subtrees(n, left, right, heights)
    if start is None and np.all(effective[1:] >= effective[:-1]):
        return _stepwise(left, right, effective, "linkage", False)
    order = _kernels.impl.stable_order(effective)
    if start is not None:
        edges = first[left[order]], first[right[order]]
        heights = effective[order]
        return _after(start, reference, edges, heights, "linkage", False, n_items=n)
    number = np.arange(n + len(rows))
    number[n + order] = n + np.arange(len(rows))
    left, right = (number[side[order]] for side in (left, right))
    return _stepwise(left, right, effective[order], "linkage", False)


def edges_of_linkage(linkage: Any) -> tuple[IntArray, IntArray, FloatArray]:
    """Return edges that join the items of a linkage as its rows do.

    An item of either cluster of each row, and the height from which on both are in one.
    """
    rows = read_rows(linkage)
    n = len(rows) + 1
    left, right, heights = merges_of_rows(rows, n)
    first, effective = _kernels.impl.sweep_subtrees(n, left, right, heights)
    return first[left], first[right], effective


def _after(
    start: Any,
    reference: Clustering,
    edges: tuple[IntArray, IntArray],
    heights: FloatArray,
    kind: str,
    similarity: bool,
    *,
    n_items: int,
) -> Merges:
    """Return the merges of edges, in this order, on top of the clusters of ``start``."""
    a, b = edges
    n_start, index = 0, None
    if start is not None:
        first = as_clustering(start, "start")
        refuse_other_rows(("the reference", "start"), (reference, first))
        fixed = _chains(codes_in_order(first, "start", order_of_reference(reference)))
        index = first.index
        a, b = (np.concatenate(pair) for pair in zip(fixed, edges, strict=True))
        n_start = len(fixed[0])
    left, right, used = _kernels.impl.sweep_edges(n_items, a, b)
    begun = int(np.searchsorted(used, n_start))
    merges = _stepwise(left, right, heights[used[begun:] - n_start], kind, similarity, begun)
    return replace(merges, index=index)


# ---- edges -----------------------------------------------------------------------------


def _of_edges(
    merges: Any, reference: Clustering, similarity: bool, start: Any, own: Clustering
) -> Merges:
    first, second, scores = edge_columns(merges)
    a, b = (positions_of(column, reference) for column in (first, second))
    values = _values_of(scores)
    never = -np.inf if not similarity else np.inf
    bad = np.flatnonzero(np.isnan(values) | (values == never))
    if len(bad):
        e = int(bad[0])
        score = "NaN" if np.isnan(values[e]) else f"{values[e]}"
        raise ValueError(
            f"edge {e} ({shown(first[e])}, {shown(second[e])}): its score is {score}; "
            "leave it out or give it a number"
        )
    order = _kernels.impl.stable_order(-values if similarity else values)
    edges = a[order], b[order]
    n = reference.n_items
    return _after(start, own, edges, values[order], "edges", similarity, n_items=n)


def _values_of(scores: Any) -> FloatArray:
    """Return the scores of edges as doubles; scores that differ stay different."""
    first = scores[0] if len(scores) else 0.0
    kind = np.asarray(first).dtype
    if kind.kind in "mMc":  # NumPy would take ticks of times, and drop what is imaginary
        raise ValueError(
            f"scores of edges are real numbers; these are {kind.name}. Of times pass numbers, "
            "such as (times - times.min()) / np.timedelta64(1, 's')"
        )
    try:
        values: FloatArray = np.asarray(scores, dtype=np.float64) + 0.0  # -0.0 is 0.0
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"scores of edges are numbers: {error}") from None
    # beyond, doubles are further apart than whole numbers
    large = np.flatnonzero(np.isfinite(values) & (np.abs(values) >= 1 << 53))
    if len(large) and not (isinstance(scores, np.ndarray) and scores.dtype.kind == "f"):
        _refuse_equal_doubles(scores, values, large)
    return values


def _refuse_equal_doubles(scores: Any, values: FloatArray, large: IntArray) -> None:
    """Raise where two whole numbers become one double, and so one threshold."""
    if isinstance(scores, np.ndarray) and scores.dtype.kind in "iu":
        _, places = np.unique(scores[large], return_index=True)  # in ascending order
        of_distinct = large[places]
        doubled = np.flatnonzero(np.diff(values[of_distinct]) == 0)[:1]
        large = of_distinct[np.concatenate((doubled, doubled + 1))]
    seen: dict[float, tuple[Any, int]] = {}
    for e in large.tolist():
        score = scores[e]
        other, place = seen.setdefault(float(values[e]), (score, e))
        if other != score:
            raise ValueError(
                f"edges {place} and {e} have the scores {shown(other)} and {shown(score)}, "
                "which differ and are the same double, so that they would fall into one "
                "threshold; subtract one number of all scores, or pass their ranks"
            )


# ---- nested clusterings ------------------------------------------------------------------


def _chains(codes: IntArray) -> tuple[IntArray, IntArray]:
    """Return edges that join the items of each cluster: each to the cluster's first."""
    _, first, inverse = numbered(codes)
    leader = taken(first, inverse)
    others = np.flatnonzero(leader != np.arange(len(codes)))
    return taken(leader, others), others


def _of_nested(merges: Any, reference: Clustering) -> Merges:
    two_dimensional = isinstance(merges, np.ndarray) and merges.ndim == 2
    if two_dimensional and merges.shape[1] == reference.n_items != merges.shape[0]:
        raise ValueError(
            f"nested clusterings are the columns of an array, and this one of shape "
            f"{merges.shape} has rows of the reference's {reference.n_items} items; pass "
            "array.T for a clustering a row"
        )
    levels = list(named_clusterings(merges, "nested clusterings").values())
    if not levels:
        raise ValueError("nested clusterings: at least one is needed")
    names = [f"clustering {k}" for k in range(len(levels))]
    clusterings = [as_clustering(*pair) for pair in zip(levels, names, strict=True)]
    refuse_other_rows(("the reference", *names), (reference, *clusterings))
    indexes = (one.index for one in clusterings if one.index is not None)
    order = order_of_reference(reference, next(indexes, None))
    columns = [
        column_in_order(one, name, order) for one, name in zip(clusterings, names, strict=True)
    ]
    codes = [column.codes for column in columns]
    edges = [_chains(codes[0])]
    for k in range(1, len(codes)):
        _, first, fine = numbered(codes[k - 1])
        torn = np.flatnonzero(codes[k] != taken(codes[k][first], fine))
        if len(torn):
            item = int(torn[0])
            leader = int(first[fine[item]])
            named = [item_name(reference, position) for position in (leader, item)]
            cluster = columns[k - 1].value_at(leader)
            raise ValueError(
                f"clustering {k} splits cluster {shown(cluster)} of clustering {k - 1} (items "
                f"{named[0]} and {named[1]}); levels go from fine to coarse"
            )
        edges.append(_chains(codes[k]))
    first, second = (np.concatenate(part) for part in zip(*edges, strict=True))
    level = np.repeat(np.arange(len(edges)), [len(edge[0]) for edge in edges])
    left, right, used = _kernels.impl.sweep_edges(reference.n_items, first, second)
    return Merges(
        left=left,
        right=right,
        state=level[used].astype(np.int64),
        thresholds=np.arange(len(codes), dtype=np.float64),
        kind="nested",
        similarity=False,
        index=order.index,
    )


def _stepwise(
    left: IntArray,
    right: IntArray,
    heights: FloatArray,
    kind: str,
    similarity: bool,
    begun: int = 0,
) -> Merges:
    """Return merges with their states: one for each height; the first ``begun`` have none."""
    new = np.ones(len(heights), dtype=bool)
    new[1:] = heights[1:] != heights[:-1]
    state = np.concatenate([np.zeros(begun, dtype=np.int64), np.cumsum(new, dtype=np.int64)])
    first = np.inf if similarity else -np.inf
    return Merges(
        left=left,
        right=right,
        state=state,
        thresholds=np.concatenate([[first], heights[new]]),
        kind=kind,
        similarity=similarity,
    )
