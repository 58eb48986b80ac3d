"""The items that merges name: their positions in the reference, and clusters in its order."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from partwise._kernels.long_columns import numbered, placed, taken
from partwise.labels import Clustering
from partwise.labels.clustering import as_clustering
from partwise.labels.columns import Column, listed
from partwise.labels.forms import is_missing
from partwise.labels.indexes import ItemOrder, in_item_order
from partwise.labels.items.ids import common_integers, keys_like, read_ids
from partwise.labels.items.times import as_numpy_time
from partwise.numbers.arrays import IntArray


def shown(item: Any) -> str:
    """Return an item as Python writes it, for messages."""
    return repr(item.item() if isinstance(item, np.generic) else item)


def positions_of(items: Any, reference: Clustering) -> IntArray:
    """Return the positions of items in the reference."""
    n = reference.n_items
    if reference.item_column is None:
        own = None if reference.index is None else reference.index.to_numpy()
        if own is not None and own.dtype.kind in "iu" and not np.array_equal(own, np.arange(n)):
            raise ValueError(
                "edges name items, and the reference is a Series with the index "
                f"{own[:3].tolist()} ...; pass Clustering(series, items=series.index) if "
                "edges name items by that index, series.to_numpy() if by position"
            )
        values = np.array(items)  # checked once, then trusted
        if values.size == 0:
            return np.empty(0, dtype=np.int64)
        if values.dtype.kind == "f" and np.all(values == np.floor(values)):
            values = values.astype(np.int64)
        if values.dtype.kind not in "iu":
            raise ValueError(
                "the reference has no item ids, so edges name items by position 0.."
                f"{n - 1}, not by {shown(items[0])}"
            )
        bad = np.flatnonzero((values < 0) | (values >= n))
        if len(bad):
            e = int(bad[0])
            raise ValueError(
                f"edge {e} names item {values[e]}; the reference has items 0..{n - 1}"
            )
        return values.astype(np.int64)
    ids, known = reference.items, reference.item_column
    assert ids is not None
    wanted = items.copy() if isinstance(items, np.ndarray) else None
    if wanted is not None and wanted.dtype.kind in "iu" and ids.dtype.kind in "iu":
        both = common_integers([ids, wanted])
        if both is not None:
            _, first, codes = numbered(both)
            again = np.flatnonzero(taken(first, codes[:n]) != np.arange(n))
            if len(again):
                _refuse_repeat(ids[again[0]])
            positions = taken(first, codes[n:])
            bad = np.flatnonzero(positions >= n)
            if len(bad):
                _refuse_item(int(bad[0]), wanted[bad[0]])
            return positions
    index: dict[Any, int] = {}
    own = listed(ids)
    for position, key in enumerate(keys_like(own, known)):
        if index.setdefault(key, position) != position:
            _refuse_repeat(own[position])
    named = listed(items) if isinstance(items, np.ndarray) else items
    positions = np.empty(len(named), dtype=np.int64)
    for e, (item, key) in enumerate(zip(named, keys_like(named, known), strict=True)):
        try:
            at_item = index.get(key, -1)
        except TypeError:
            raise TypeError(
                f"edge {e} names item {shown(item)}, a {type(item).__name__}, which cannot be "
                "an item"
            ) from None
        if at_item < 0:
            _refuse_item(e, item)
        positions[e] = at_item
    return positions


def with_items_of(reference: Clustering, *columns: Any) -> Clustering:
    """Return the reference with items of columns that it lacks behind its own, unlabelled."""
    ids = reference.items
    assert ids is not None
    known = reference.item_column
    assert known is not None
    own = set(keys_like(listed(ids), known))
    further: dict[Any, Any] = {}
    for column in columns:
        values = listed(column) if isinstance(column, np.ndarray) else column
        try:
            for item, key in zip(values, keys_like(values, known), strict=True):
                if key not in own and not is_missing(item):
                    further.setdefault(key, item)
        except TypeError:  # an item that cannot be one: positions_of says which
            continue
    if not further:
        return reference
    labels, n = reference.column.compact(), len(further)
    missing = np.zeros(len(labels), dtype=bool) if labels.missing is None else labels.missing
    column_of_labels = Column(
        np.append(labels.codes, np.zeros(n, dtype=labels.codes.dtype)),
        labels.names,
        np.append(missing, np.ones(n, dtype=bool)),
    )
    new = list(further.values())
    if known.kind in ("datetime64", "timedelta64"):
        new = list(map(as_numpy_time, new))
    every = [*listed(ids), *new]
    extended = Clustering._of(column_of_labels, read_ids(every, "items"))
    return extended._with_notes(reference.notes)


def _refuse_repeat(item: Any) -> NoReturn:
    raise ValueError(f"item {shown(item)} stands twice in the reference; each needs one label")


def _refuse_item(edge: int, item: Any) -> None:
    raise ValueError(
        f"edge {edge} names item {shown(item)}, which the reference does not have; add it "
        "there (without a label if it has none), leave the edge out, or take "
        'unlabelled="ignore" if the reference is a sample'
    )


def codes_in_order(labels: Any, reference: Clustering, what: str) -> IntArray:
    """Return codes of a clustering in the reference's order of items."""
    clustering = as_clustering(labels, what)
    if clustering.column.missing is not None and clustering.column.missing.any():
        raise ValueError(f"{what} has items without a label; give each item a cluster")
    codes = clustering.column.compact().codes.astype(np.int64)
    if clustering.index is not None:
        codes = _by_index(codes, clustering.index, reference, what)
    if clustering.item_column is not None and reference.item_column is not None:
        positions = positions_of(listed(clustering.items), reference)  # type: ignore[arg-type]
        if len(numbered(positions)[0]) != reference.n_items:
            raise ValueError(f"{what} does not have the items of the reference")
        return placed(codes, positions, reference.n_items)
    if reference.unordered:
        raise ValueError(
            f"{what} goes by position, and the reference came as sets, whose items have no "
            f"order; pass it and {what} as mappings of item to label"
        )
    if len(codes) != reference.n_items:
        raise ValueError(
            f"{what} has {len(codes)} items, the reference {reference.n_items}; they must agree"
        )
    return codes


def _by_index(codes: IntArray, index: Any, reference: Clustering, what: str) -> IntArray:
    """Return codes that came with a pandas index in the reference's order of items."""
    import pandas

    items = ItemOrder(
        "the reference", reference.n_items, reference.index, reference.item_column
    )
    ordered = in_item_order(pandas.Series(codes, index=index), what, items)
    if isinstance(ordered, dict):
        assert reference.item_column is not None
        return np.array([ordered[item] for item in listed(reference.item_column.decode())])
    return np.asarray(ordered)


def item_name(reference: Clustering, position: int) -> str:
    """Return the id of an item, or its position where the reference has no ids."""
    return str(position) if reference.items is None else shown(reference.items[position])
