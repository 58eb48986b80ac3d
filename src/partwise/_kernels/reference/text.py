"""Text and bytes as codes: the ranks of items among the distinct ones."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.numbers.arrays import IntArray

__all__ = [
    "number_fixed",
    "number_spans",
    "number_text",
    "number_unordered",
    "text_spans",
    "whole_spans",
]

_WHOLE_NUMBER = re.compile(rb"(0|-?[1-9][0-9]{0,18})\Z")


def number_fixed(values: NDArray[Any], workers: int = 1) -> tuple[NDArray[Any], IntArray]:
    """Return each item's rank among the distinct ones, and where each distinct one is first.

    ``values`` is a contiguous array of text or bytes in native byte order, of at least one byte
    an item. Text is in order of code points. Expected O(bytes) and a sort of distinct items.
    ``workers`` here and below: threads of the compiled kernels; they change no result.
    """
    if values.dtype.kind == "U":  # big-endian, so that bytes are in the order of code points
        values = values.astype(values.dtype.newbyteorder(">"))
    return _ascending(values.view(f"V{values.dtype.itemsize}").tolist(), None)


def number_spans(
    data: NDArray[np.uint8],
    offsets: NDArray[Any],
    skipped: NDArray[np.uint8] | None,
    workers: int = 1,
) -> tuple[NDArray[Any], IntArray]:
    """Return the same for items of the bytes ``offsets[i]`` to ``offsets[i + 1]`` of ``data``.

    Entries where ``skipped`` is not 0 are no items and have code 0. Only pyarrow hands out such
    columns, so pyarrow is installed and can number them.
    """
    import pyarrow

    ends = pyarrow.py_buffer(offsets.astype(np.int64))
    buffers = [None, ends, pyarrow.py_buffer(np.ascontiguousarray(data))]
    kind, n = pyarrow.large_binary(), len(offsets) - 1
    items = pyarrow.Array.from_buffers(kind, n, buffers)
    kept: NDArray[Any] = np.arange(n)
    if skipped is not None:
        kept = np.flatnonzero(skipped == 0)
        items = items.take(pyarrow.array(kept))
    encoded = items.dictionary_encode()
    indices = encoded.indices.to_numpy(zero_copy_only=False)
    distinct = encoded.dictionary.to_pylist()
    order = np.array(sorted(range(len(distinct)), key=distinct.__getitem__), dtype=np.int64)
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order))
    codes = np.zeros(n, dtype=np.int32)
    codes[kept] = rank[indices]
    firsts = np.empty(len(order), dtype=np.int64)
    firsts[codes[kept[::-1]]] = kept[::-1]  # the last one written is the first
    return codes, firsts


def number_unordered(
    data: NDArray[np.uint8], offsets: IntArray, workers: int = 1
) -> tuple[NDArray[Any], int]:
    """Return codes of the items in no stated order, and the number of distinct items."""
    raw, ends = data.tobytes(), offsets.tolist()
    number: dict[bytes, int] = {}
    codes = [number.setdefault(raw[start:end], len(number)) for start, end in pairwise(ends)]
    return np.array(codes, dtype=np.int32), len(number)


def whole_spans(data: NDArray[np.uint8], offsets: NDArray[Any]) -> IntArray | None:
    """Return the whole numbers that items write, None if one writes none of 64 bits.

    A number is in its usual form: no sign but -, no leading 0, not -0.
    """
    raw, ends = data.tobytes(), offsets.tolist()
    number: dict[bytes, int] = {}
    for start, end in pairwise(ends):
        item = raw[start:end]
        if item not in number:
            if not _WHOLE_NUMBER.match(item):
                return None
            number[item] = int(item)
    if not all(-(2**63) <= x < 2**63 for x in number.values()):
        return None
    numbers = (number[raw[start:end]] for start, end in pairwise(ends))
    return np.fromiter(numbers, dtype=np.int64, count=len(ends) - 1)


def text_spans(
    values: list[Any] | NDArray[Any],
) -> tuple[NDArray[np.uint8], IntArray, bool] | None:
    """Return Python values as bytes, where each ends, and whether they are bytes, not text.

    Item i is the bytes ``offsets[i]`` to ``offsets[i + 1]``. None for no values at all, and
    where not all are of type ``str`` or all of type ``bytes``.
    """
    listed = values if isinstance(values, list) else values.tolist()
    kinds = {type(x) for x in listed}
    if kinds not in ({str}, {bytes}):
        return None
    raw = kinds == {bytes}
    parts = listed if raw else [x.encode("utf-8", "surrogatepass") for x in listed]
    offsets = np.zeros(len(parts) + 1, dtype=np.int64)
    np.cumsum([len(part) for part in parts], out=offsets[1:])
    return np.frombuffer(b"".join(parts), dtype=np.uint8), offsets, raw


def number_text(
    values: list[Any] | NDArray[Any], workers: int = 1
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.bool_] | None] | None:
    """Return the codes of Python values, the distinct values, and which values are missing.

    All must be of type ``str``, or all of type ``bytes``, but for None and NaN, which are
    missing (the last result is None where no value is). For other values, and for no values at
    all, the result is None.
    """
    listed = values if isinstance(values, list) else values.tolist()
    missing = np.array([x is None or (type(x) is float and x != x) for x in listed], dtype=bool)
    kinds = {type(x) for x, gone in zip(listed, missing.tolist(), strict=True) if not gone}
    if kinds not in ({str}, {bytes}):
        return None
    gone = missing if missing.any() else None
    codes, firsts = _ascending(listed, None if gone is None else gone.view(np.uint8))
    distinct = (listed[position] for position in firsts.tolist())
    return codes, np.fromiter(distinct, dtype=object, count=len(firsts)), gone


def _ascending(
    items: list[Any], skipped: NDArray[np.uint8] | None
) -> tuple[NDArray[Any], IntArray]:
    positions = range(len(items)) if skipped is None else np.flatnonzero(skipped == 0).tolist()
    first: dict[Any, int] = {}
    for position in positions:
        first.setdefault(items[position], position)
    ordered = sorted(first)
    rank = {item: code for code, item in enumerate(ordered)}
    codes = np.zeros(len(items), dtype=np.int32)
    codes[list(positions)] = [rank[items[position]] for position in positions]
    return codes, np.array([first[item] for item in ordered], dtype=np.int64)
