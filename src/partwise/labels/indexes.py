"""Values that bring an index of their own, put in the order of the items."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from partwise._kernels.long_columns import numbered
from partwise.labels.columns import Column, listed, plain
from partwise.labels.items.ids import keys_like
from partwise.labels.items.times import as_numpy_time


def index_of(values: Any) -> Any:
    """Return the index of a pandas Series or DataFrame, None for anything else."""
    if type(values).__module__.partition(".")[0] == "polars":  # slow to lack a name
        return None
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
    order, or says nothing (0, 1, 2, ... beside items that have other ids, or none). The keys of
    a mapping are item ids, else entries of the items' index, else positions.

    Raises
    ------
    ValueError
        The index is another one: an item is lacking, too many, or there twice; or it may mean
        positions as well as items.
    """
    index = index_of(values)
    if index is None:
        if isinstance(values, Mapping):
            positions = positions_of_keys(values, name, items)
            return dict(zip(positions, values.values(), strict=True)) if positions else values
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
        moved = np.array_equal(numbered(own)[0], wanted)
        if moved:
            raise ValueError(
                f"{name} has the index {index[:3].tolist()} ..., which are the positions of "
                f"the items in another order, and {items.whose} has no index; pass "
                f"{name}.to_numpy() to take it as it stands, or {name}.sort_index()"
            )
    return values


def positions_of_keys(keys: Collection[Any], name: str, items: ItemOrder) -> list[int] | None:
    """Return the places of the keys of a mapping in the items' index.

    Returns
    -------
    list of int, or None
        None where the items have ids, or no index that somebody set: the keys are these ids,
        or positions.

    Raises
    ------
    ValueError
        A key is no item; an item has no value; the index has an item twice.
    """
    wanted = items.index
    if items.ids is not None or wanted is None or is_default(wanted):
        _refuse_other_items(keys, name, items)
        return None
    if not wanted.is_unique:
        raise ValueError(
            f"{name} is a mapping by item, and the index of {items.whose} has "
            f"{_shown(wanted[wanted.duplicated()])} twice; pass one value for each item, in "
            "their order"
        )
    named = wanted.tolist()
    place = {item: position for position, item in enumerate(named)}
    found = [place.get(key, -1) for key in keys]
    lacking = place.keys() - set(keys)
    if -1 in found:
        wrong, count = list(keys)[found.index(-1)], found.count(-1)
        problem, unknown = "has a value for", f", which {items.whose} does not have"
    elif lacking:
        wrong, count = next(item for item in named if item in lacking), len(lacking)
        problem, unknown = "has no value for", f" of {items.whose}"
    else:
        return found
    raise ValueError(
        f"{name}, a mapping by the index of {items.whose}, {problem} item {wrong!r}{unknown} "
        f"({count} such items); give one value for each item"
    )


def _refuse_other_items(keys: Collection[Any], name: str, items: ItemOrder) -> None:
    """Refuse values by item that name an item which neither side has.

    Raises
    ------
    ValueError
        As for a Series: a value would be left out unseen.
    """
    if items.others_dropped:
        return
    columns = [ids for ids in (items.ids, items.further_ids) if ids is not None]
    of_items: Collection[Any] = range(items.n)
    own = list(keys)
    wanted = own
    if columns:
        of_items = set().union(*(keys_like(listed(x.decode()), columns[0]) for x in columns))
        wanted = keys_like(own, columns[0])
    extra = [key for key, item in zip(own, wanted, strict=True) if item not in of_items]
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
    refuse_different_indexes({name: index_of(values) for name, values in columns.items()})


def refuse_different_indexes(indexes: Mapping[str, Any]) -> tuple[str, Any] | None:
    """Refuse pandas indexes of columns that differ; None is that of a column without one.

    Returns
    -------
    tuple or None
        The first column that has an index, and the index.

    Raises
    ------
    ValueError
        Two columns have different indexes.
    """
    first: tuple[str, Any] | None = None
    for name, index in indexes.items():
        if index is None:
            continue
        if first is not None and not first[1].equals(index):
            raise ValueError(
                f"{first[0]} and {name} have different pandas indexes; put them in one "
                "order, or pass .to_numpy() of each to take them by position"
            )
        first = first or (name, index)
    return first


def is_default(index: Any) -> bool:
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
    if index.dtype == object and items.ids.kind in ("datetime64", "timedelta64"):
        index = type(index)(list(map(as_numpy_time, index)))  # days of Python, perhaps
    own = listed(index.to_numpy()) if index.dtype.kind in "mM" else index.tolist()
    if own == ids:
        return values
    if is_default(index):
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


# ---- ids beside labels that were not used ------------------------------------------

# so many ids are looked at for one that comes again
_SAMPLED = 1 << 12
# texts hashed at once, whose sums stay in the cache
_BLOCK = 1 << 12


class RowIds(NamedTuple):
    """What is kept of a column of ids that was not used: enough to see another order.

    Attributes
    ----------
    name : str
        Name of the column, "" where it has none of its own.
    number : int
        Its number from 1.
    rank : int
        0 for a name that ids have, 1 for the index of a frame, 2 for any other.
    n : int
    content : int
        A hash of the ids in any order.
    order : int
        A hash of the ids in their order.
    """

    name: str
    number: int
    rank: int
    n: int
    content: int
    order: int


def row_ids(column: Any, name: str, number: int, rank: int) -> RowIds | None:
    """Return what is kept of a column, None where it holds no ids: one is missing or twice.

    Parameters
    ----------
    column : Column or pyarrow.Array of text
    name : str
    number : int
    rank : int
    """
    ids = IdsInPieces()
    ids.add(column)
    return ids.row_ids(name, number, rank)


class IdsInPieces:
    """A column that may hold ids and comes piece by piece: what is kept is that of the whole.

    Attributes
    ----------
    possible : bool
        Whether no id was missing or came twice so far (by a sample of many).
    """

    def __init__(self) -> None:
        self.possible = True
        self._n = self._content = self._order = 0
        self._samples: list[NDArray[np.uint64]] = []

    def add(self, column: Any) -> None:
        """Add the next piece, a ``Column`` or text of Arrow's; None is no column of ids."""
        n = 0 if column is None else len(column)
        if not self.possible or (column is not None and n == 0):
            return
        hashes = None
        if column is not None:
            hashes = _hashes(column) if isinstance(column, Column) else _hashes_of_arrow(column)
        if hashes is None or not self._add_sample(hashes[:: n // _SAMPLED + 1]):
            self.possible = False
            return
        mixed = (hashes ^ (hashes >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(32)
        self._n += n
        self._content += int(np.add.reduce(mixed * mixed + mixed))
        self._order = zlib.crc32(mixed.tobytes(), self._order)

    def _add_sample(self, sample: NDArray[np.uint64]) -> bool:
        """Return whether no id of a sample comes twice; a part of it is kept."""
        if len(np.unique(sample)) < len(sample):
            return False
        self._samples.append(sample)
        if sum(map(len, self._samples)) > 8 * _SAMPLED:
            self._samples = [np.concatenate(self._samples)[::8]]
        return True

    def row_ids(self, name: str, number: int, rank: int) -> RowIds | None:
        """Return what is kept of all pieces, as ``row_ids`` does of a column."""
        if not self.possible or self._n < 2:
            return None
        sample = np.concatenate(self._samples)
        if len(self._samples) > 1 and len(np.unique(sample)) < len(sample):
            return None
        return RowIds(name, number, rank, self._n, self._content % (1 << 64), self._order)


def _hashes(column: Column) -> NDArray[np.uint64] | None:
    if column.missing is not None and column.missing.any():
        return None
    if column.names is None:
        numbers: NDArray[np.uint64] = column.codes.astype(np.int64).view(np.uint64)
        return numbers
    if len(column.names) < len(column):
        return None
    texts = [str(cell).encode() for cell in listed(plain(column.names))]
    ends = np.cumsum([0, *map(len, texts)])
    hashes = _hashes_of_bytes(np.frombuffer(b"".join(texts), np.uint8), ends)
    return np.take(hashes, column.codes)


def _hashes_of_arrow(texts: Any) -> NDArray[np.uint64] | None:
    if texts.null_count or not len(texts):
        return None
    _, ends, content = texts.buffers()
    kind = np.int64 if str(texts.type).startswith("large") else np.int32
    places = np.frombuffer(ends, kind)[texts.offset : texts.offset + len(texts) + 1]
    return _hashes_of_bytes(np.frombuffer(content or b"", np.uint8), places)


def _hashes_of_bytes(content: NDArray[Any], ends: NDArray[Any]) -> NDArray[np.uint64]:
    """Return a hash of each text of UTF-8: its bytes as the digits of a number. O(bytes).

    The digits of a block of texts are summed up at once; what stands before a text is taken off
    again, and its place by the inverse of the base.
    """
    base = 0x9E3779B97F4A7C15
    inverse = pow(base, -1, 1 << 64)
    n = len(ends) - 1
    hashes = np.empty(n, np.uint64)
    for first in range(0, n, _BLOCK):
        places = ends[first : first + _BLOCK + 1].astype(np.int64)
        digits = content[places[0] : places[-1]].astype(np.uint64) + np.uint64(1)
        places -= places[0]
        sums = np.zeros(len(digits) + 1, np.uint64)
        np.cumsum(digits * _powers(base, len(digits)), out=sums[1:])
        back = _powers(inverse, len(digits) + 1)
        starts = places[:-1]
        hashes[first : first + _BLOCK] = (sums[places[1:]] - sums[starts]) * back[starts]
    return hashes


def _powers(base: int, n: int) -> NDArray[np.uint64]:
    powers = np.full(n, base, np.uint64)
    powers[:1] = 1
    return np.multiply.accumulate(powers)


def check_row_ids(
    reference: Sequence[RowIds],
    candidate: Sequence[RowIds],
    *,
    names: tuple[str, str] = ("the reference", "the candidate"),
) -> None:
    """Refuse rows of two files by position where ids that were not used say another order.

    Columns with the names of ids are asked first, then the indexes of frames; the first two
    with the same ids decide. ``names`` is how messages call the two files.

    Raises
    ------
    ValueError
        The same ids stand in another order.
    """
    pairs = sorted(
        ((one, other) for one in reference for other in candidate),
        key=lambda pair: (max(pair[0].rank, pair[1].rank), pair[0].rank + pair[1].rank),
    )
    for one, other in pairs:
        if (one.n, one.content) != (other.n, other.content):
            continue
        if one.order == other.order:
            return
        raise ValueError(
            f"{_spoken(one)} of {names[0]} and {_spoken(other)} of {names[1]} hold the "
            f"same ids in another order; read both with {_item_of(one, other)} to align them "
            "by item, or compare the labels alone, read(path).labels, by position"
        )


def _spoken(ids: RowIds) -> str:
    return f"column {ids.name!r}" if ids.name else f"column {ids.number}, which has no name,"


def _item_of(one: RowIds, other: RowIds) -> str:
    """Return the option that names the column of the ids of both, as far as there is one."""
    if one.name == other.name and one.name:
        return f"item={one.name!r}"
    return f"item={one.number}" if one.number == other.number else "item= of its own"
