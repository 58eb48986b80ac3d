"""Reading counts, cells and side labels of tables that come as numbers."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels.long_columns import come_again
from partwise.labels.carried import read_weights
from partwise.labels.columns import (
    Column,
    object_array,
    one_column,
)
from partwise.labels.forms import read_column
from partwise.labels.indexes import refuse_other_indexes
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.masked import has_masked


def read_counts(counts: Any) -> IntArray:
    """Return counts as int64: whole numbers of at least 0; what is wrong is named."""
    if has_masked(counts):
        raise ValueError("counts have masked entries; every cell needs its count")
    # NumPy would read a list of big integers as floats
    listed = isinstance(counts, (list, tuple))
    values = object_array(counts) if listed else one_column(np.array(counts))  # then trusted
    if values.ndim != 1:
        raise ValueError(f"counts must be 1-D, got shape {values.shape}")
    if values.dtype.kind == "O":
        values = object_array([_whole(x, i) for i, x in enumerate(values.tolist())])
    elif values.dtype.kind not in "iuf":
        raise TypeError(f"counts have dtype {values.dtype}; whole numbers are expected")
    if values.dtype.kind == "f":
        if values.dtype.itemsize < 8:
            values = values.astype(np.float64)  # 2^63 is beyond half floats
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


class Cells(NamedTuple):
    """Cells given as triples: both sides, counts above 0, masses; and how many were 0."""

    sides: list[Column]
    counts: IntArray
    masses: FloatArray | None
    zero: int


def read_cells(rows: Any, cols: Any, counts: Any, weights: Any) -> Cells:
    """Return the cells of a table; what is wrong is named."""
    refuse_other_indexes({"rows": rows, "cols": cols, "counts": counts, "weights": weights})
    sides = [read_column(rows, "rows"), read_column(cols, "cols")]
    values = read_counts(counts)
    if not len(sides[0]) == len(sides[1]) == len(values):
        raise ValueError(
            f"{len(sides[0])} rows, {len(sides[1])} cols and {len(values)} counts; one "
            "of each per cell is expected"
        )
    masses = None
    if weights is not None:
        masses = read_weights(weights)
        if len(masses) != len(values):
            raise ValueError(f"{len(masses)} weights for {len(values)} counts")
    for column, name in zip(sides, ("rows", "cols"), strict=True):
        if column.missing is not None and column.missing.any():
            at = int(np.flatnonzero(column.missing)[0])
            raise ValueError(f"{name} has no label at index {at}; every cell needs one")
    occupied = np.flatnonzero(values > 0)
    zero = len(values) - len(occupied)
    if zero:
        _refuse_mass_without_items(values, masses)
        sides = [column.take(occupied) for column in sides]
        values = values[occupied]
        masses = None if masses is None else masses[occupied]
    return Cells(sides, values, masses, zero)


def _refuse_mass_without_items(counts: IntArray, masses: FloatArray | None) -> None:
    """Raise where a cell that is dropped, as it has no items, has a mass."""
    if masses is None:
        return
    wrong = np.flatnonzero((counts == 0) & (masses > 0))
    if len(wrong):
        at = int(wrong[0])
        raise ValueError(
            f"the cell at index {at} has the weight {masses[at]} and a count of 0 "
            f"({len(wrong)} such cells), so that its mass would be that of no item; give it a "
            "count, or the weight 0"
        )


def total_of(counts: IntArray, expected_items: int | None) -> int:
    """Return the sum of the counts, which a table must be able to hold."""
    total = _kernels.impl.sum_weighted(counts, np.ones_like(counts))  # may pass 2^63
    if total >= 1 << 63:
        raise ValueError(f"the counts add up to {total}; at most 2^63 - 1 items can be held")
    if expected_items is not None and total != expected_items:
        raise ValueError(
            f"the counts add up to {total}, not to expected_items={expected_items}"
        )
    return total


def reject_margins(counts: Any, frame: Any) -> None:
    """Refuse a frame whose last row and column hold the sums of the others, under one name."""
    if counts.shape[0] < 2 or counts.shape[1] < 2:
        return
    name = frame.index[-1]
    if not isinstance(name, str) or name != frame.columns[-1]:
        return
    body = counts[:-1, :-1]
    row_sums, col_sums = body.sum(axis=1), body.sum(axis=0)
    if (counts[-1, :-1] == col_sums).all() and (counts[:-1, -1] == row_sums).all():
        raise ValueError(
            f"the last row and the last column, both named {name!r}, hold the sums of the "
            "others; pass the frame without them, .iloc[:-1, :-1], or, where they are "
            "clusters, .to_numpy()"
        )


def side_labels(labels: Any, length: int, name: str) -> NDArray[Any]:
    """Return the labels of a side of a dense table, numbers by default."""
    if labels is None:
        return np.arange(length)
    column = read_column(labels, name)
    if len(column) != length:
        raise ValueError(f"{len(column)} {name} for {length}; one each is expected")
    if column.missing is not None and column.missing.any():
        at = int(np.flatnonzero(column.missing)[0])
        raise ValueError(f"{name} has no label at index {at}; name it, or leave it out")
    values = column.decode()
    codes = column.compact().codes
    again = np.flatnonzero(come_again(codes, length))
    if len(again):
        name_of = column.value_at(int(again[0]))
        raise ValueError(
            f"{name} has {name_of!r} twice ({length - len(again)} distinct ones for {length}); "
            "add up what belongs together, or rename one"
        )
    return values


def _whole(value: Any, position: int) -> int:
    if isinstance(value, np.generic) and value.dtype.kind in "iuf":
        value = value.item()
    if isinstance(value, (str, bytes)):
        raise TypeError(
            f"count {value!r} at index {position} is text; whole numbers are expected"
        )
    real = isinstance(value, (int, float, Decimal, Fraction)) and not isinstance(value, bool)
    if real and math.isfinite(value) and value == int(value):
        return int(value)
    raise ValueError(
        f"count {value!r} at index {position} is not a whole number; fractional masses are "
        "weights, not counts"
    )
