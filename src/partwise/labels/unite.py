"""The labels of several tables as one list, and the place of each in it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.labels.apply_policies import SingletonLabel
from partwise.labels.columns import (
    Names,
    kind_of_value,
    listed,
    object_array,
    plain,
    sort_categories,
)
from partwise.labels.frames import spans_of, text_array
from partwise.labels.items.ids import common_integers
from partwise.labels.items.times import NUMPY_TIMES, as_numpy_time, in_one_unit
from partwise.numbers.arrays import IntArray

Labels = NDArray[Any] | Names
#: Kinds of times that are one, whoever holds them.
_TIMES = {
    "date": "datetime",
    "datetime": "datetime",
    "datetime64": "datetime",
    "timedelta": "timedelta",
    "timedelta64": "timedelta",
}


def unite_labels(parts: Sequence[Labels], side: str) -> tuple[Labels, list[IntArray]]:
    """Return the distinct labels of several tables in the order of one table of all items.

    Parameters
    ----------
    parts : sequence of ndarray or Names
        Distinct labels of each table, in its order.
    side : str
        "row" or "column", for messages.

    Returns
    -------
    labels : ndarray or Names
    places : list of ndarray of int64
        Of each table: where its labels went.

    Raises
    ------
    TypeError
        Labels of two tables are of different kinds (text and numbers).
    ValueError
        Two tables hold the same lone item, or times that no unit holds together.
    """
    united = _names(parts)
    if united is not None:
        return united
    arrays = [plain(part) for part in parts]
    dtypes = {array.dtype for array in arrays}
    kinds = {dtype.kind for dtype in dtypes}
    if kinds <= {"i", "u"}:
        if len(dtypes) > 1:
            integers = common_integers(arrays)
            if integers is None:
                return _objects(arrays, side)
            arrays = _split(integers, parts)
        if len(arrays) == 2:
            both, *places = _kernels.impl.unite(arrays[0], arrays[1])
            return both, places
        labels, codes = _kernels.impl.encode(np.concatenate(arrays))
        return labels, _split(codes, parts)
    if len(kinds) == 1 and kinds <= set("mM"):
        arrays = _in_one_unit(arrays, side)
    if len(kinds) == 1 and kinds <= set("fcbmM"):
        labels, codes = np.unique(np.concatenate(arrays), return_inverse=True)
        return labels, _split(codes.astype(np.int64, copy=False), parts)
    return _objects(arrays, side)


def _in_one_unit(times: list[NDArray[Any]], side: str) -> list[NDArray[Any]]:
    """Return the times of several tables in one unit.

    Raises
    ------
    ValueError
        No unit holds all of them.
    """
    converted = in_one_unit(times)
    if converted is None:
        dtypes = list(dict.fromkeys(str(part.dtype) for part in times))
        raise ValueError(
            f"the tables' {side} labels are times in {' and '.join(dtypes)}, which no common "
            "unit holds; convert the labels to one unit before they are counted"
        )
    return converted


def _split(values: NDArray[Any], parts: Sequence[Labels]) -> list[NDArray[Any]]:
    return np.split(values, list(accumulate(map(len, parts)))[:-1])


def _names(parts: Sequence[Labels]) -> tuple[Labels, list[IntArray]] | None:
    """Unite text, or bytes, that nobody has looked at; None: something else is among them."""
    held = [part.held for part in parts if isinstance(part, Names)]
    if len(held) < len(parts):
        return None
    if all(isinstance(names, np.ndarray) for names in held):
        if len({names.dtype.kind for names in held}) > 1:
            return None
        every = np.concatenate(held)
        codes, firsts = _kernels.impl.number_fixed(every)
        return Names(every[firsts]), _split(codes.astype(np.int64), parts)
    if any(isinstance(names, np.ndarray) for names in held):
        return None
    import pyarrow as arrow

    if len(held) == 2 and held[0].equals(held[1]):
        return parts[0], [np.arange(len(parts[0]))] * 2
    kinds = {"binary" in str(names.type) for names in held}
    if len(kinds) > 1:
        return None
    if len({names.type for names in held}) > 1:
        wide = arrow.large_binary() if kinds.pop() else arrow.large_string()
        held = [names.cast(wide) for names in held]
    every = text_array(arrow.chunked_array(held))
    codes, firsts = _kernels.impl.number_spans(*spans_of(every, "the labels"), None)
    names = Names(every.take(arrow.array(firsts)))
    return names, _split(codes.astype(np.int64), parts)


def _objects(parts: Sequence[NDArray[Any]], side: str) -> tuple[Labels, list[IntArray]]:
    lists = [listed(part) for part in parts]
    kind = _kind_of_all(lists, side)
    times = kind in _TIMES and any(_is_time(x) for part in lists for x in part)
    if times:
        lists = _as_numpy_times(lists, side)
    number: dict[Any, int] = {}
    lone_in: dict[SingletonLabel, int] = {}
    codes = []
    for table_index, part in enumerate(lists):
        for label in part:
            is_lone = isinstance(label, SingletonLabel)
            if is_lone and lone_in.setdefault(label, table_index) != table_index:
                raise ValueError(
                    f"two tables have a {side} {label!r}: an item alone in its cluster; "
                    "give the items ids that differ between tables"
                )
            codes.append(number.setdefault(label, len(number)))
    labels = list(number)
    usual = [x for x in labels if not _is_special(x)]
    ordered = sort_categories(np.arange(len(usual)), object_array(usual), None).categories
    assert ordered is not None
    special: list[Any] = [x for x in labels if x is None]
    special += [x for x in labels if isinstance(x, SingletonLabel)]
    categories = [*ordered.tolist(), *special]
    rank = {label: i for i, label in enumerate(categories)}
    ranks = np.array([rank[label] for label in labels], dtype=np.int64)
    places = _split(ranks[np.array(codes, dtype=np.int64)], parts)
    if times and not special:
        return np.array(categories), places
    return object_array(categories), places


def _is_special(label: Any) -> bool:
    """Return whether a policy made the label."""
    return label is None or isinstance(label, SingletonLabel)


def _kind_of_all(lists: Sequence[list[Any]], side: str) -> str | None:
    """Return the kind of the labels of all tables, None where policies made all labels.

    Labels of one table may be of several kinds, which were mixed when it was counted.

    Raises
    ------
    TypeError
        Two tables have no kind in common.
    """
    seen: dict[str, Any] = {}
    for labels in lists:
        own: dict[str, Any] = {}
        for label in labels:
            if not _is_special(label):
                kind = kind_of_value(label)
                own.setdefault(_TIMES.get(kind, kind), label)
        if "float" in own:  # numbers of several types
            own.pop("integer", None)
        if own and seen and own.keys().isdisjoint(seen):
            shown = (next(iter(seen.items())), next(iter(own.items())))
            kinds = " and ".join(f"{kind} ({label!r})" for kind, label in shown)
            raise TypeError(f"the tables' {side} labels are of different kinds: {kinds}")
        seen = own | seen
    return next(iter(seen), None)


def _as_numpy_times(lists: list[list[Any]], side: str) -> list[list[Any]]:
    """Return times of Python and of NumPy as NumPy's of one unit, other labels as they are.

    Raises
    ------
    ValueError
        No unit holds all of them; days and instants of Python, which differ, would be one.
    """
    of_python = [x for part in lists for x in part if isinstance(x, date)]
    if len({isinstance(x, datetime) for x in of_python}) > 1:
        raise ValueError(
            f"the tables' {side} labels are days (datetime.date), instants (datetime.datetime) "
            "and times of NumPy, for which midnight is that day; write them in one form before "
            "they are counted"
        )
    lists = [[as_numpy_time(label) for label in part] for part in lists]
    by_dtype: dict[Any, list[Any]] = {}
    for label in (label for part in lists for label in part if _is_time(label)):
        by_dtype.setdefault(label.dtype, []).append(label)
    unit = _in_one_unit([np.array(x) for x in by_dtype.values()], side)[0].dtype
    return [[x.astype(unit) if _is_time(x) else x for x in part] for part in lists]


def _is_time(label: Any) -> bool:
    return isinstance(label, NUMPY_TIMES)
