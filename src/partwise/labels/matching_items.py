"""Which item of one side is which item of the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.labels.columns import Column, object_array, read_column

IntArray = NDArray[np.int64]


def shared_numbers(reference: Column, candidate: Column) -> tuple[IntArray, IntArray, int]:
    """Give the item ids of both sides numbers: equal ids get equal numbers.

    Returns
    -------
    reference_ids, candidate_ids : ndarray of int64
    n_ids : int

    Raises
    ------
    ValueError
        An id is missing, or the two sides hold ids of different kinds.
    """
    for column, side in ((reference, "reference"), (candidate, "candidate")):
        if column.missing is not None and column.missing.any():
            place = int(np.flatnonzero(column.missing)[0])
            raise ValueError(
                f"{side} has no item id at index {place} "
                f"({int(column.missing.sum())} missing ids); every item needs one"
            )
    if len(reference) and len(candidate) and reference.kind != candidate.kind:
        raise ValueError(
            f"item ids are {reference.kind} in the reference (first: "
            f"{_first(reference)!r}) but {candidate.kind} in the candidate (first: "
            f"{_first(candidate)!r}); convert one side so that equal items have equal ids"
        )
    both = _common_array(reference, candidate)
    if both is None:
        return _by_value(reference, candidate)
    labels, codes = _kernels.impl.encode(both)
    return codes[: len(reference)], codes[len(reference) :], len(labels)


def _first(column: Column) -> Any:
    return column.label(column.codes[0])


def _common_array(reference: Column, candidate: Column) -> NDArray[Any] | None:
    """Both sides' integer ids in one array without changing a value, or None."""
    if reference.categories is not None or candidate.categories is not None:
        return None
    left, right = reference.codes, candidate.codes
    for dtype in (np.int64, np.uint64):
        if _fits(left, dtype) and _fits(right, dtype):
            return np.concatenate([left.astype(dtype), right.astype(dtype)])
    return None


def _fits(values: NDArray[Any], dtype: type) -> bool:
    if len(values) == 0 or np.can_cast(values.dtype, dtype):
        return True
    low, high = _kernels.impl.value_range(values)
    limits = np.iinfo(dtype)
    return bool(limits.min <= low and high <= limits.max)


def _by_value(reference: Column, candidate: Column) -> tuple[IntArray, IntArray, int]:
    """Join the two dictionaries as Python values: distinct ids only."""
    number: dict[Any, int] = {}
    codes = []
    for column in (reference, candidate):
        compact = column.compact()
        assert compact.categories is not None
        labels = compact.categories
        # datetimes of different units must not be compared as their tick counts
        values = list(labels) if labels.dtype.kind in "mM" else labels.tolist()
        places = np.array(
            [number.setdefault(value, len(number)) for value in values], dtype=np.int64
        )
        codes.append(places[compact.codes] if len(compact) else compact.codes)
    return codes[0].astype(np.int64), codes[1].astype(np.int64), len(number)


def composite(columns: list[Any], what: str) -> Column:
    """Return one column of several: each row's values as a tuple."""
    read = [read_column(column, what) for column in columns]
    if len(read) == 1:
        return read[0]
    rows = list(zip(*(column.decode().tolist() for column in read), strict=True))
    return read_column(object_array(rows), what)
