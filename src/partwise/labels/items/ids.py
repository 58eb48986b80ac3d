"""Columns of item ids, held as they came until somebody looks at them.

Most ids are looked at once, to see which item of one side is which of the other. So text is
kept as bytes, and ids of several columns as those columns: neither is put in order, and no
tuples are made, unless an id is to be shown.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import pairwise
from operator import itemgetter
from typing import Any, NamedTuple, TypeGuard

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels.workers import joined
from partwise.labels.columns import Column, KeptItems, Names, listed, object_array
from partwise.labels.forms import read_column, with_one_missing
from partwise.labels.items.times import in_one_unit, in_utc, instant_of
from partwise.numbers.arrays import BoolArray, IntArray
from partwise.numbers.masked import is_masked_array

_LIBRARIES = ("pandas", "polars", "pyarrow")
_PLAIN = (set, frozenset, list, tuple)


class Spans(NamedTuple):
    """Text as UTF-8, or bytes: item i is ``data[offsets[i]:offsets[i + 1]]``."""

    data: NDArray[np.uint8]
    offsets: IntArray
    raw: bool

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.offsets) - 1

    def value(self, position: int) -> Any:
        """Return one item as a Python value."""
        start, end = self.offsets[position : position + 2].tolist()
        span = self.data[start:end].tobytes()
        return span if self.raw else span.decode("utf-8", "surrogatepass")

    def values(self) -> list[Any]:
        """Return all items as Python values."""
        whole, ends = self.data.tobytes(), self.offsets.tolist()
        spans = (whole[start:end] for start, end in pairwise(ends))
        return list(spans) if self.raw else [x.decode("utf-8", "surrogatepass") for x in spans]

    def followed_by(self, other: Spans) -> Spans:
        """Return the items of both, one behind another."""
        offsets = np.concatenate((self.offsets, other.offsets[1:] + self.offsets[-1]))
        return Spans(np.concatenate((self.data, other.data)), offsets, self.raw)

    def equals(self, other: Spans) -> bool:
        """Return whether both hold the same items in the same order."""
        alike = self.n == other.n and len(self.data) == len(other.data)
        return (
            alike
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.data, other.data)
        )


class _LazyIds(Column, ABC):
    """Ids that become codes and names when those are asked for."""

    __slots__ = ("_positions", "_read")

    _positions: IntArray | None
    _read: Column | None

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _column(self) -> Column:
        """Return the ids as a plain column, made once."""
        if self._read is None:
            self._set(_read=read_column(object_array(self._values()), "items"))
        assert self._read is not None
        return self._read

    @abstractmethod
    def _values(self) -> list[Any]:
        """Return the ids as Python values."""

    def _at(self, position: int) -> int:
        return position if self._positions is None else int(self._positions[position])

    def _taken(self, positions: IntArray) -> IntArray:
        return positions if self._positions is None else self._positions[positions]

    @property
    def codes(self) -> NDArray[Any]:
        return self._column().codes

    @property
    def names(self) -> NDArray[Any] | Names | None:
        return self._column().names

    @property
    def missing(self) -> BoolArray | None:
        return None

    def copied(self) -> Column:
        return self  # in memory of its own since it was read

    def __reduce__(self) -> Any:
        column = self._column()
        return Column, (column.codes, column.names, column.missing)


class TextIds(_LazyIds):
    """Ids that are text or bytes, none missing.

    Parameters
    ----------
    spans : Spans
    positions : ndarray of int64, optional
        Place of each item in ``spans``; default: in their order.
    """

    __slots__ = ("spans",)

    spans: Spans

    def __init__(self, spans: Spans, positions: IntArray | None = None) -> None:
        self._set(spans=spans, _positions=positions, _read=None)

    def __len__(self) -> int:
        return self.spans.n if self._positions is None else len(self._positions)

    def _values(self) -> list[Any]:
        if self._positions is None:
            return self.spans.values()
        return [self.spans.value(position) for position in self._positions.tolist()]

    def is_like(self, other: Column) -> TypeGuard[TextIds]:
        """Return whether other ids are text as well, or bytes as well."""
        return isinstance(other, TextIds) and other.spans.raw == self.spans.raw

    @property
    def positions(self) -> IntArray | None:
        """Place of each item in ``spans``, None where they stand in their order."""
        return self._positions

    @property
    def places(self) -> IntArray:
        """Place of each item in ``spans``."""
        return np.arange(self.spans.n) if self._positions is None else self._positions

    @property
    def kind(self) -> str:
        """See ``Column``."""
        return "bytes" if self.spans.raw else "text"

    def value_at(self, position: int) -> Any:
        """See ``Column``."""
        return self.spans.value(self._at(position))

    def take(self, positions: IntArray) -> Column:
        """See ``Column``; nothing is copied but the positions."""
        return TextIds(self.spans, self._taken(positions))


class CompositeIds(_LazyIds):
    """Ids that are tuples, as a column of each of their parts, none missing.

    Parameters
    ----------
    parts : list of Column
        Whole numbers without names, or ``TextIds``, all of one length.
    positions : ndarray of int64, optional
        Place of each item in the parts; default: in their order.
    """

    __slots__ = ("parts",)

    parts: list[Column]

    def __init__(self, parts: list[Column], positions: IntArray | None = None) -> None:
        self._set(parts=parts, _positions=positions, _read=None)

    def __len__(self) -> int:
        return len(self.parts[0]) if self._positions is None else len(self._positions)

    def _values(self) -> list[Any]:
        parts = (listed(part.decode()) for part in self.taken_parts())
        return list(zip(*parts, strict=True))

    @property
    def kind(self) -> str:
        """See ``Column``."""
        return "object"

    def value_at(self, position: int) -> Any:
        """See ``Column``."""
        return tuple(part.value_at(self._at(position)) for part in self.parts)

    def take(self, positions: IntArray) -> Column:
        """See ``Column``; nothing is copied but the positions."""
        return CompositeIds(self.parts, self._taken(positions))

    def taken_parts(self) -> list[Column]:
        """Return the parts with their items in the order of the ids."""
        if self._positions is None:
            return self.parts
        return [part.take(self._positions) for part in self.parts]


class KeptPlaces(_LazyIds):
    """Places of the items that were not dropped, as ids.

    Parameters
    ----------
    kept : KeptItems
    """

    __slots__ = ("kept",)

    kept: KeptItems

    def __init__(self, kept: KeptItems) -> None:
        self._set(kept=kept, _positions=None, _read=None)

    def __len__(self) -> int:
        return len(self.kept)

    def _column(self) -> Column:
        return Column(self.kept.positions)

    def _values(self) -> list[Any]:
        return listed(self.kept.positions)

    @property
    def kind(self) -> str:
        """See ``Column``."""
        return "integer"

    def value_at(self, position: int) -> Any:
        """See ``Column``."""
        return int(self.kept.positions[position])

    def take(self, positions: IntArray) -> Column:
        """See ``Column``."""
        return Column(self.kept.positions[positions])


# ---- reading -----------------------------------------------------------------------


def read_ids(values: Any, what: str) -> Column:
    """Read item ids: a column in any form that ``read_column`` takes, or a frame of several."""
    library = type(values).__module__.partition(".")[0]
    if library in _LIBRARIES:
        columns = _columns_of(values)
        if columns:
            return composite(columns, what)
        spans = _spans_of_library(values, what)
        return read_column(values, what) if spans is None else TextIds(spans)
    is_array = isinstance(values, np.ndarray) and values.ndim == 1
    if is_masked_array(values) or not (isinstance(values, (list, tuple)) or is_array):
        return read_column(values, what)
    if is_array:
        if values.dtype.kind not in "UO":
            return read_column(values, what)
        values = values.tolist()
    values = values if type(values) is list else list(values)
    spans_or_none = _kernels.impl.text_spans(values)
    if spans_or_none is not None:
        return TextIds(Spans(*spans_or_none))
    return _of_tuples(values) or read_column(values, what)


def is_column(values: Any) -> bool:
    """Return whether values are a column of a library, or a frame of several."""
    library = type(values).__module__.partition(".")[0]
    return library in _LIBRARIES or isinstance(values, np.ndarray)


def ids_of_items(items: Any, what: str) -> Column:
    """Read item ids from a column, a frame of several, or anything that can be iterated."""
    known = is_column(items) or isinstance(items, (Column, list, tuple))
    return read_ids(items if known or hasattr(items, "dtype") else list(items), what)


def members_of(cluster: Iterable[Any]) -> Iterable[Any]:
    """Return the items of a cluster, times of a column as they are read of all items.

    Iterating such a column gives times of another kind.
    """
    if type(cluster) in _PLAIN or not is_column(cluster):
        return cluster
    kind = str(getattr(cluster, "dtype", getattr(cluster, "type", ""))).lower()
    if not any(word in kind for word in ("time", "date", "duration")):
        return cluster
    return listed(read_column(cluster, "items").decode())


def keys_like(values: Iterable[Any], ids: Column) -> list[Any]:
    """Return values as keys that are equal where they name the same item of a column of ids.

    A time names an item in any unit and as any library holds it, as long as it has a zone or
    has none as the ids do, and an id that is a tuple has None where something is missing.
    """
    values = list(values)
    kind = ids.kind
    if kind in ("datetime64", "timedelta64", "timedelta"):
        return list(map(instant_of, values))
    if kind == "datetime":  # a day of Python is none
        return [value if type(value) is date else instant_of(value) for value in values]
    if kind == "datetime with a time zone":
        return list(map(in_utc, values))
    return with_one_missing(values) if kind == "object" else values


def by_key(values: Mapping[Any, Any], name: str, ids: Column) -> Mapping[Any, Any]:
    """Return values by item with the keys of ``keys_like``.

    Raises
    ------
    ValueError
        Two keys name one item.
    """
    own = list(values)
    keys = keys_like(own, ids)
    if all(map(operator.is_, own, keys)):
        return values
    keyed = dict(zip(keys, values.values(), strict=True))
    if len(keyed) < len(keys):
        first: dict[Any, Any] = {}
        for key, item in zip(keys, own, strict=True):
            if first.setdefault(key, item) is not item:
                raise ValueError(
                    f"{name} names one item twice, as {first[key]!r} and as {item!r}; give it "
                    "one value"
                )
    return keyed


def composite(columns: Sequence[Any], what: str) -> Column:
    """Return one column of ids of several: each row's values as a tuple."""
    read = [read_ids(column, what) for column in columns]
    if len(read) == 1:
        return read[0]
    lengths = [len(column) for column in read]
    if len(set(lengths)) > 1:
        raise ValueError(
            f"{what}: columns of {', '.join(map(str, lengths))} rows; those that together name "
            "an item or a label have a value in every row"
        )
    if all(map(_is_part, read)):
        return CompositeIds(read)
    rows = list(zip(*(listed(column.decode()) for column in read), strict=True))
    return read_column(object_array(rows), what)


def followed_by(first: Column, second: Column) -> Column:
    """Return the ids of two columns, one behind the other, none of which is missing."""
    if isinstance(first, TextIds) and first.is_like(second):
        places = first.places, second.places + first.spans.n
        return TextIds(first.spans.followed_by(second.spans), np.concatenate(places))
    if isinstance(first, CompositeIds) and isinstance(second, CompositeIds):
        sides = first.taken_parts(), second.taken_parts()
        if [x.kind for x in sides[0]] == [x.kind for x in sides[1]]:
            return CompositeIds([followed_by(*parts) for parts in zip(*sides, strict=True)])
    integers = both_integers(first, second)
    if integers is not None:
        return Column(integers)
    times = _both_times(first, second)
    if times is not None:
        return read_column(times, "items")
    labels = object_array([*listed(first.decode()), *listed(second.decode())])
    return Column(np.arange(len(labels)), labels)


def _both_times(first: Column, second: Column) -> NDArray[Any] | None:
    """Return the times of two columns in one array, or None."""
    values = [first.decode(), second.decode()]
    kinds = {part.dtype.kind for part in values}
    if len(kinds) > 1 or not kinds <= set("mM"):
        return None
    times = in_one_unit(values)
    return None if times is None else np.concatenate(times)


def both_integers(first: Column, second: Column) -> NDArray[Any] | None:
    """Return the whole numbers of two columns in one array, or None."""
    if first.names is not None or second.names is not None:
        return None
    return common_integers([first.codes, second.codes])


def common_integers(parts: Sequence[NDArray[Any]]) -> NDArray[Any] | None:
    """Return integer arrays in one of 64 bits that holds all their values, or None."""
    for dtype in (np.int64, np.uint64):
        if all(_fits(part, dtype) for part in parts):
            return joined(parts, dtype)
    return None


def _fits(values: NDArray[Any], dtype: type) -> bool:
    if len(values) == 0 or np.can_cast(values.dtype, dtype):
        return True
    low, high = _kernels.impl.value_range(values)
    limits = np.iinfo(dtype)
    return bool(limits.min <= low and high <= limits.max)


def _is_part(column: Column) -> bool:
    """Return whether equal values of a column are equal codes or equal text, and none lacks."""
    if isinstance(column, TextIds):
        return True
    return column.names is None and (column.missing is None or not column.missing.any())


def _of_tuples(values: list[Any]) -> Column | None:
    """Return ids that are tuples of one make, each place whole numbers or text; else None."""
    if not values or _kernels.impl.types_of(values) != {tuple}:
        return None
    width = len(values[0])
    if width == 0 or set(map(len, values)) != {width}:
        return None
    parts = []
    for place in range(width):
        part = list(map(itemgetter(place), values))
        if _kernels.impl.types_of(part) not in ({int}, {str}):
            return None
        column = read_ids(part, "items")
        if not _is_part(column):
            return None
        parts.append(column)
    return CompositeIds(parts)


def _columns_of(values: Any) -> list[Any]:
    """Return the columns of a frame of several, and the levels of a MultiIndex of pandas."""
    if hasattr(values, "levels") and hasattr(values, "get_level_values"):
        return [values.get_level_values(level) for level in range(values.nlevels)]
    names = getattr(values, "column_names", getattr(values, "columns", None))  # pyarrow, others
    if names is None or len(getattr(values, "shape", ())) != 2 or hasattr(values, "collect"):
        return []
    if hasattr(values, "iloc"):  # names of pandas may come again
        return [values.iloc[:, place] for place in range(values.shape[1])]
    return [values[name] for name in names]


def _spans_of_library(values: Any, what: str) -> Spans | None:
    """Return text of pandas, polars or pyarrow, None where it is none or some is missing."""
    from partwise.labels import frames

    array = frames.text_array(values)
    if array is None or array.null_count:
        return None
    content, offsets = frames.spans_of(array, what)
    frames.refuse_no_utf8(array, what)
    start, end = offsets[[0, -1]].tolist()
    is_raw = "binary" in str(array.type)
    return Spans(content[start:end].copy(), offsets.astype(np.int64) - start, is_raw)
