"""The items that merges name: their positions in the reference, and clusters in its order."""

from __future__ import annotations

from numbers import Real
from typing import Any, NoReturn

import numpy as np

from partwise._kernels.long_columns import numbered, taken
from partwise.labels import Clustering
from partwise.labels.columns import Column, listed
from partwise.labels.forms import is_missing
from partwise.labels.indexes import ItemOrder
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
        if values.dtype.kind == "O":  # a column of objects may hold integers only
            values = np.array(values.tolist())
        if values.dtype.kind == "f" and np.all(values == np.floor(values)):
            whole = np.abs(values) < 2.0**63
            if not whole.all():
                e = int(np.argmin(whole))
                raise ValueError(
                    f"edge {e} names item {values[e]}; the reference has items 0..{n - 1}"
                )
            values = values.astype(np.int64)
        if values.dtype.kind not in "iu":
            _refuse_no_position(items, n)
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


def _refuse_no_position(items: Any, n: int) -> NoReturn:
    """Raise for the first of the items that is no position; not all of them are."""
    for e, item in enumerate(items):
        if is_missing(item):
            raise ValueError(
                f"edge {e} lacks an item: {shown(item)} is none; leave the edge out, or name it"
            )
        if not isinstance(item, Real) or isinstance(item, bool) or item not in range(n):
            break
    raise ValueError(
        f"the reference has no item ids, so edges name items by position 0..{n - 1}, and edge "
        f"{e} names {shown(item)}"
    )


def _refuse_repeat(item: Any) -> NoReturn:
    raise ValueError(f"item {shown(item)} stands twice in the reference; each needs one label")


def _refuse_item(edge: int, item: Any) -> None:
    raise ValueError(
        f"edge {edge} names item {shown(item)}, which the reference does not have; add it "
        "there (without a label if it has none), leave the edge out, or take "
        'unlabelled="ignore" if the reference is a sample'
    )


def order_of_reference(reference: Clustering, index: Any = None) -> ItemOrder:
    """Return the items of the reference.

    ``index``: that of the levels or of ``start``, which says what the items are where the
    reference has neither ids nor an index.
    """
    ids = reference.item_column
    if reference.index is not None or ids is not None:
        index = reference.index
    return ItemOrder(
        "the reference", reference.n_items, index, ids=ids, unordered=reference.unordered
    )


def item_name(reference: Clustering, position: int) -> str:
    """Return the id of an item, or its position where the reference has no ids."""
    return str(position) if reference.items is None else shown(reference.items[position])
