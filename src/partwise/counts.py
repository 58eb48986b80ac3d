"""Reading counts and side labels of tables that come as numbers."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.labels.columns import IntArray, object_array
from partwise.labels.forms import read_column


def read_counts(counts: Any) -> IntArray:
    """Return counts as int64: whole numbers of at least 0; what is wrong is named."""
    if np.ma.is_masked(counts):
        raise ValueError("counts have masked entries; every cell needs its count")
    # NumPy would read a list of big integers as floats
    listed = isinstance(counts, (list, tuple))
    values = object_array(counts) if listed else np.asarray(counts)
    if values.ndim != 1:
        raise ValueError(f"counts must be 1-D, got shape {values.shape}")
    if values.dtype.kind == "O":
        values = object_array([_whole(x, i) for i, x in enumerate(values.tolist())])
    elif values.dtype.kind not in "iuf":
        raise TypeError(f"counts have dtype {values.dtype}; whole numbers are expected")
    if values.dtype.kind == "f":
        wrong = np.flatnonzero(~np.isfinite(values) | (values != np.floor(values)))
        if len(wrong):
            raise ValueError(
                f"count {values[wrong[0]]} at index {wrong[0]} is not a whole number; "
                "fractional masses are weights, not counts"
            )
    wrong = np.flatnonzero(values < 0)
    if len(wrong):
        raise ValueError(
            f"count {values[wrong[0]]} at index {wrong[0]} is negative; counts are at least 0"
        )
    wrong = np.flatnonzero(values >= 2**63) if values.dtype.kind in "fuO" else wrong[:0]
    if len(wrong):
        raise ValueError(f"count {values[wrong[0]]} at index {wrong[0]} is above 2^63 - 1")
    return values.astype(np.int64)


def side_labels(labels: Any, length: int, name: str) -> NDArray[Any]:
    """Return the labels of a side of a dense table, numbers by default."""
    if labels is None:
        return np.arange(length)
    values = read_column(labels, name).decode()
    if len(values) != length:
        raise ValueError(f"{len(values)} {name} for {length}; one each is expected")
    distinct = read_column(values, name).compact().categories
    if distinct is not None and len(distinct) < length:
        raise ValueError(f"{name} repeat: {len(distinct)} distinct ones for {length}")
    return values


def _whole(value: Any, place: int) -> int:
    if isinstance(value, np.generic) and value.dtype.kind in "iuf":
        value = value.item()
    if isinstance(value, (str, bytes)):
        raise TypeError(f"count {value!r} at index {place} is text; whole numbers are expected")
    real = isinstance(value, (int, float, Decimal, Fraction)) and not isinstance(value, bool)
    if real and math.isfinite(value) and value == int(value):
        return int(value)
    raise ValueError(
        f"count {value!r} at index {place} is not a whole number; fractional masses are "
        "weights, not counts"
    )
