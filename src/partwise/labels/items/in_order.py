"""Clusterings of the same items, put in one order of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from partwise._kernels.long_columns import come_again, placed
from partwise.labels.clustering import Clustering
from partwise.labels.columns import Column, listed
from partwise.labels.indexes import (
    ItemOrder,
    check_order,
    check_row_ids,
    in_item_order,
    refuse_different_indexes,
)
from partwise.labels.items.matching import shared_numbers
from partwise.numbers.arrays import IntArray


def codes_in_order(clustering: Clustering, what: str, items: ItemOrder) -> IntArray:
    """Return the codes of ``column_in_order``."""
    return column_in_order(clustering, what, items).codes


def column_in_order(clustering: Clustering, what: str, items: ItemOrder) -> Column:
    """Return the labels of a clustering in the order of the items: each code occurs.

    Item ids and a pandas index are those of the items, in any order; labels without either are
    in the order of the items.

    Raises
    ------
    ValueError
        An item has no label; one is lacking, too many, or there twice; the labels go by
        position, and the items have no order.
    """
    column = clustering.column.compact()
    if column.missing is not None and column.missing.any():
        at = int(np.flatnonzero(column.missing)[0])
        raise ValueError(
            f"{what} has no label for the item at index {at}; give every item one, a label of "
            "its own where it is in no cluster"
        )
    codes = column.codes.astype(np.int64, copy=False)
    if clustering.item_column is not None:
        if items.ids is None:
            raise ValueError(
                f"{what} has item ids, {items.whose} has none; give ids to both, with "
                "Clustering(labels, items=...), or to neither"
            )
        return Column(_by_ids(codes, clustering, what, items), column.names)
    if clustering.index is not None:
        codes = _by_index(codes, clustering.index, what, items)
    else:
        check_order(items, what)
    if len(codes) != items.n:
        raise ValueError(
            f"{what} has {len(codes)} labels for {items.n} items of {items.whose}; they must "
            "agree"
        )
    return Column(codes, column.names)


def _by_index(codes: IntArray, index: Any, what: str, items: ItemOrder) -> IntArray:
    """Return codes that came with a pandas index in the order of the items."""
    import pandas

    ordered = in_item_order(pandas.Series(codes, index=index), what, items)
    if isinstance(ordered, dict):
        assert items.ids is not None
        return np.array([ordered[item] for item in listed(items.ids.decode())], dtype=np.int64)
    return np.asarray(ordered)


def _by_ids(codes: IntArray, clustering: Clustering, what: str, items: ItemOrder) -> IntArray:
    """Return codes that came with ids in the order of the items."""
    own = clustering.item_column
    assert own is not None
    assert items.ids is not None
    there, here, n_ids = shared_numbers(items.ids, own, (items.whose, what))
    if len(there) == n_ids and np.array_equal(there, here):
        return codes
    again = come_again(there, n_ids)
    if again.any():
        item = items.ids.value_at(int(np.flatnonzero(again)[0]))
        raise ValueError(f"item {item!r} stands twice in {items.whose}; each needs one label")
    position = np.full(n_ids, -1, dtype=np.int64)
    position[there] = np.arange(len(there))
    positions = position[here]
    unknown = np.flatnonzero(positions < 0)
    if len(unknown):
        raise ValueError(
            f"{what} has item {own.value_at(int(unknown[0]))!r}, which {items.whose} does not "
            f"have ({len(unknown)} such items); leave it out of {what}, or add it to "
            f"{items.whose}"
        )
    again = come_again(here, n_ids)
    if again.any():
        _refuse_again(codes, int(np.flatnonzero(again)[0]), here, clustering, what)
    if len(positions) < items.n:
        lacking = np.ones(items.n, dtype=bool)
        lacking[positions] = False
        item = items.ids.value_at(int(np.flatnonzero(lacking)[0]))
        raise ValueError(
            f"{what} lacks item {item!r} of {items.whose} ({int(lacking.sum())} such items); "
            "give every item a label, one of its own where it is in no cluster"
        )
    return placed(codes, positions, items.n)


def _refuse_again(
    codes: IntArray, at: int, numbers: IntArray, clustering: Clustering, what: str
) -> None:
    """Raise for the item at this index, which has come before."""
    assert clustering.item_column is not None
    item = clustering.item_column.value_at(at)
    before = int(np.flatnonzero(numbers == numbers[at])[0])
    if clustering.of_clusters:
        first, second = (clustering.column.value_at(k) for k in (before, at))
        where = (
            f"twice in cluster {first!r}"
            if codes[before] == codes[at]
            else f"in cluster {first!r} and in cluster {second!r}"
        )
        raise ValueError(f"{what} has item {item!r} {where}; an item is in one cluster, once")
    raise ValueError(
        f"{what} has item {item!r} at index {before} and again at index {at}; each item needs "
        "one label"
    )


def order_of(
    names: Sequence[str], clusterings: Sequence[Clustering], ids: Column | None = None
) -> ItemOrder:
    """Return the items of several clusterings: those of ``ids``, else those of the first one.

    Raises
    ------
    ValueError
        Some clusterings have item ids and some have none, and ``ids`` says nothing; ids in
        files that were not used say another order.
    """
    refuse_other_rows(names, clusterings)
    if ids is not None:
        return ItemOrder("items=", len(ids), ids=ids)
    named = [k for k, one in enumerate(clusterings) if one.item_column is not None]
    bare = [k for k, one in enumerate(clusterings) if one.item_column is None]
    if named and bare:
        raise ValueError(
            f"{names[named[0]]} has item ids, {names[bare[0]]} has none; give ids to all, with "
            "Clustering(labels, items=...), or to none, or name the items with items="
        )
    with_index = (k for k in bare if clusterings[k].index is not None)
    k = next(with_index, 0)
    first = clusterings[k]
    return ItemOrder(names[k], first.n_items, first.index, first.item_column)


def refuse_other_orders(names: Sequence[str], clusterings: Sequence[Clustering]) -> None:
    """Refuse clusterings by position that say that their items stand in different orders.

    Raises
    ------
    ValueError
        Their pandas indexes differ, or ids in files that were not used say another order.
    """
    if len({len(one) for one in clusterings}) == 1:  # else the numbers of labels are refused
        indexes = (one.index for one in clusterings)
        refuse_different_indexes(dict(zip(names, indexes, strict=True)))
    refuse_other_rows(names, clusterings)


def refuse_other_rows(names: Sequence[str], clusterings: Sequence[Clustering]) -> None:
    """Refuse clusterings from files by position where ids that were not used differ in order.

    Raises
    ------
    ValueError
        Two of them hold the same ids in another order.
    """
    of_files = [
        (name, one.row_ids)
        for name, one in zip(names, clusterings, strict=True)
        if one.row_ids and one.item_column is None
    ]
    for name, rows in of_files[1:]:
        check_row_ids(of_files[0][1], rows, names=(of_files[0][0], name))
