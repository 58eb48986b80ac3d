"""Numbers of Arrow as NumPy arrays, read from their buffers.

What pyarrow offers for that, ``to_numpy``, imports pandas where it is installed, which takes
longer than to count a million cells.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.numbers.arrays import BoolArray


def numbers_of(values: Any) -> NDArray[Any]:
    """Return integers or floats of an Arrow array or chunked array; nulls become 0.

    Where nothing is null and there is one chunk, the result is a view of Arrow's memory.
    """
    if hasattr(values, "chunks"):
        chunks = [numbers_of(chunk) for chunk in values.chunks if len(chunk)]
        if len(chunks) == 1:
            return chunks[0]
        dtype = np.dtype(values.type.to_pandas_dtype())
        return np.concatenate(chunks) if chunks else np.zeros(0, dtype)
    dtype = np.dtype(values.type.to_pandas_dtype())
    data = values.buffers()[1]
    if data is None or len(values) == 0:
        return np.zeros(len(values), dtype)
    start = values.offset * dtype.itemsize
    numbers: NDArray[Any] = np.frombuffer(data, dtype, len(values), start)
    if values.null_count:
        numbers = np.where(present_in(values), numbers, np.zeros(1, dtype))
    return numbers


def has_zone(kind: Any) -> bool:
    """Return whether times of a type have a time zone, whatever bytes are its name."""
    try:
        return bool(getattr(kind, "tz", None))
    except UnicodeDecodeError:  # of a damaged file
        return True


def present_in(values: Any) -> BoolArray:
    """Return where an Arrow array or chunked array of any type is not null."""
    return ~nulls_in(values)


def nulls_in(values: Any) -> BoolArray:
    """Return where an Arrow array or chunked array of any type is null."""
    if hasattr(values, "chunks"):
        masks = [nulls_in(chunk) for chunk in values.chunks]
        return np.concatenate(masks) if masks else np.zeros(0, dtype=bool)
    bits = values.buffers()[0]
    if values.null_count == 0:
        return np.zeros(len(values), dtype=bool)
    if bits is None and len(values) == values.null_count:  # an array of the type null
        return np.ones(len(values), dtype=bool)
    if bits is None:  # a union, or of views: they have no bits of their own
        return ~np.asarray(values.is_valid().to_numpy(zero_copy_only=False), dtype=bool)
    first, shift = divmod(values.offset, 8)
    octets = np.frombuffer(bits, np.uint8, (shift + len(values) + 7) // 8, first)
    # inverted as bits, which is an eighth of the work
    unpacked = np.unpackbits(~octets, count=shift + len(values), bitorder="little")
    return unpacked[shift:].view(bool)
