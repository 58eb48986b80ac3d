"""The labels of several tables as one list, and the place of each in it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.labels.apply_policies import SingletonLabel
from partwise.labels.columns import Names, kind_of, object_array, plain, sort_categories
from partwise.labels.frames import spans_of, text_array
from partwise.labels.items.ids import common_integers
from partwise.numbers.arrays import IntArray

Labels = NDArray[Any] | Names


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
        Two tables hold the same lone item.
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
    if len(kinds) == 1 and kinds <= set("fcbmM"):
        labels, codes = np.unique(np.concatenate(arrays), return_inverse=True)
        return labels, _split(codes.astype(np.int64, copy=False), parts)
    return _objects(arrays, side)


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
    number: dict[Any, int] = {}
    lone_in: dict[SingletonLabel, int] = {}
    groups: dict[str, Any] = {}
    codes = []
    for table_index, part in enumerate(parts):
        for label in part.tolist():
            if isinstance(label, SingletonLabel):
                if lone_in.setdefault(label, table_index) != table_index:
                    raise ValueError(
                        f"two tables have a {side} {label!r}: an item alone in its cluster; "
                        "give the items ids that differ between tables"
                    )
            elif label is not None:
                groups.setdefault(kind_of(type(label)), label)
            codes.append(number.setdefault(label, len(number)))
    if len(groups) > 1:
        kinds = " and ".join(f"{kind} ({label!r})" for kind, label in groups.items())
        raise TypeError(f"the tables' {side} labels are of different kinds: {kinds}")
    labels = list(number)
    usual = [x for x in labels if x is not None and not isinstance(x, SingletonLabel)]
    ordered = sort_categories(np.arange(len(usual)), object_array(usual), None).categories
    assert ordered is not None
    special: list[Any] = [x for x in labels if x is None]
    special += [x for x in labels if isinstance(x, SingletonLabel)]
    categories = [*ordered.tolist(), *special]
    rank = {label: i for i, label in enumerate(categories)}
    ranks = np.array([rank[label] for label in labels], dtype=np.int64)
    return object_array(categories), _split(ranks[np.array(codes, dtype=np.int64)], parts)
