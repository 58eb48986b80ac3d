"""Values that bring an index of their own, put in the order of the items."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np

from partwise.labels.columns import Column, listed


def index_of(values: Any) -> Any:
    """Return the index of a pandas Series or DataFrame, None for anything else."""
    index = getattr(values, "index", None)
    return index if hasattr(index, "get_indexer") and hasattr(values, "iloc") else None


class ItemOrder(NamedTuple):
    """The items that values belong to, in their order.

    Attributes
    ----------
    whose : str
        How messages call them, e.g. "the reference".
    n : int
    index : pandas.Index or None
        Index of the labels, where they are a Series.
    ids : Column or None
        Item ids.
    further_ids : Column or None
        Ids of the other side, whose items may also need values.
    unordered : bool
        Whether they came as sets, so that their order means nothing.
    others_dropped : bool
        Whether items on one side only are dropped, so that a mapping may have further items,
        such as those of other comparisons.
    """

    whose: str
    n: int
    index: Any = None
    ids: Column | None = None
    further_ids: Column | None = None
    unordered: bool = False
    others_dropped: bool = False


def in_item_order(values: Any, name: str, items: ItemOrder) -> Any:
    """Return values by position of the items, or as a mapping by item.

    Values without an index are returned as they are. An index is that of the items, in any
    order, or says nothing (0, 1, 2, ... beside items that have other ids, or none).

    Raises
    ------
    ValueError
        The index is another one: an item is lacking, too many, or there twice; or it may mean
        positions as well as items.
    """
    index = index_of(values)
    if index is None:
        if isinstance(values, Mapping):
            refuse_other_items(values, name, items)
        elif values is not None:
            check_order(items, name)
        return values
    if items.index is not None:
        return _by_index(values, index, name, items)
    if items.ids is not None:
        return _by_ids(values, index, name, items)
    wanted = np.arange(items.n)
    own = index.to_numpy()
    if own.dtype.kind in "iu" and not np.array_equal(own, wanted):
        moved = np.array_equal(np.sort(own), wanted)
        if moved:
            raise ValueError(
                f"{name} has the index {index[:3].tolist()} ..., which are the positions of "
                f"the items in another order, and {items.whose} has no index; pass "
                f"{name}.to_numpy() to take it as it stands, or {name}.sort_index()"
            )
    return values


def refuse_other_items(keys: Collection[Any], name: str, items: ItemOrder) -> None:
    """Refuse values by item that name an item which neither side has.

    Raises
    ------
    ValueError
        As for a Series: a value would be left out unseen.
    """
    if items.others_dropped:
        return
    sides = [listed(ids.decode()) for ids in (items.ids, items.further_ids) if ids is not None]
    of_items = set().union(*sides) if sides else range(items.n)
    extra = [key for key in keys if key not in of_items]
    if extra:
        nowhere = f"not in {items.whose}" if items.further_ids is None else "on neither side"
        raise ValueError(
            f"{name} has a value for item {extra[0]!r}, which is {nowhere} "
            f"({len(extra)} such items); leave it out"
        )


def check_order(items: ItemOrder, name: str) -> None:
    """Refuse values by position of items that have no order.

    Raises
    ------
    ValueError
        The items came as sets.
    """
    if items.unordered:
        raise ValueError(
            f"{name} goes by position, and {items.whose} came as sets, whose items have no "
            f"order; pass {name} as a mapping by item"
        )


def refuse_other_indexes(columns: Mapping[str, Any]) -> None:
    """Refuse columns that are Series with different indexes: rows would not belong together.

    Raises
    ------
    ValueError
        Two of them have different indexes.
    """
    first: tuple[str, Any] | None = None
    for name, values in columns.items():
        index = index_of(values)
        if index is None:
            continue
        if first is not None and not first[1].equals(index):
            raise ValueError(
                f"{first[0]} and {name} are Series with different indexes; put them in one "
                "order, or pass .to_numpy() of each to take them by position"
            )
        first = first or (name, index)


def _is_default(index: Any) -> bool:
    """Return whether an index is the one that pandas gives where none was asked for."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1


def _by_index(values: Any, index: Any, name: str, items: ItemOrder) -> Any:
    wanted = items.index
    if index.equals(wanted):
        return values
    if not wanted.is_unique:
        raise ValueError(
            f"{name} has another index than {items.whose}, whose index has "
            f"{_shown(wanted[wanted.duplicated()])} twice; pass {name}.to_numpy() to take it "
            "by position"
        )
    _check(index, wanted, name, items.whose)
    return values.iloc[index.get_indexer(wanted)]


def _check(index: Any, wanted: Any, name: str, whose: str) -> None:
    """Raise where two indexes do not hold the same items, each once; ``wanted`` does."""
    instead = f"pass {name}.to_numpy() to take it by position, or a mapping by item"
    if not index.is_unique:
        twice = index[index.duplicated()]
        raise ValueError(f"{name} has {_shown(twice)} twice in its index; {instead}")
    lacking, extra = wanted[~wanted.isin(index)], index[~index.isin(wanted)]
    for problem, items in (("has no value for", lacking), ("has a value for", extra)):
        if len(items):
            of_whom = f" of {whose}" if problem == "has no value for" else ""
            unknown = "" if of_whom else f", which {whose} does not have"
            raise ValueError(
                f"{name}, taken by its index, {problem} item {_shown(items)}{of_whom}{unknown} "
                f"({len(items)} such items); {instead}"
            )


def _shown(index: Any) -> str:
    """Return the first entry of an index as text."""
    return repr(index[:1].tolist()[0])


def _is_numbering(ids: list[Any]) -> bool:
    """Return whether ids are 0, 1, 2, ... or 1, 2, 3, ... in another order, perhaps as text."""
    named = {*map(str, ids)}
    for start in (0, 1):
        numbers = [*map(str, range(start, start + len(ids)))]
        if named == {*numbers}:
            return [*map(str, ids)] != numbers
    return False


def _by_ids(values: Any, index: Any, name: str, items: ItemOrder) -> Any:
    assert items.ids is not None
    ids = listed(items.ids.decode())
    own = listed(index.to_numpy()) if index.dtype.kind in "mM" else index.tolist()
    if own == ids:
        return values
    if _is_default(index):
        check_order(items, name)
        if len(index) == items.n and _is_numbering(ids):
            raise ValueError(
                f"{name} has the index 0, 1, 2, ..., which may be the positions of the items "
                f"or the ids of {items.whose}; pass {name}.to_numpy() to take it by position, "
                "or a mapping by item"
            )
        return values  # an index that nobody set: by position, whose number is checked there
    every = set(ids)
    if items.further_ids is not None and set(own) != every:
        every |= set(listed(items.further_ids.decode()))
    import pandas

    _check(index, pandas.Index(list(every), tupleize_cols=False), name, items.whose)
    rows = values.to_numpy()
    return dict(zip(own, rows, strict=True))
