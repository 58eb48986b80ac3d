"""Which item of one side is which item of the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.labels.columns import Column, listed, object_array
from partwise.labels.forms import read_column

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
    return common_integers([reference.codes, candidate.codes])


def common_integers(parts: Sequence[NDArray[Any]]) -> NDArray[Any] | None:
    """Return integer arrays in one of 64 bits that holds all their values, or None."""
    for dtype in (np.int64, np.uint64):
        if all(_fits(part, dtype) for part in parts):
            return np.concatenate([part.astype(dtype) for part in parts])
    return None


def _fits(values: NDArray[Any], dtype: type) -> bool:
    if len(values) == 0 or np.can_cast(values.dtype, dtype):
        return True
    low, high = _kernels.impl.value_range(values)
    limits = np.iinfo(dtype)
    return bool(limits.min <= low and high <= limits.max)


def _by_value(reference: Column, candidate: Column) -> tuple[IntArray, IntArray, int]:
    """Join the two dictionaries as Python values: distinct ids only."""
    times = [column.categories for column in (reference, candidate)]
    if all(x is not None and x.dtype.kind in "mM" for x in times):
        return _by_instant(reference, candidate)
    number: dict[Any, int] = {}
    codes = []
    for column in (reference, candidate):
        compact = column.compact()
        assert compact.categories is not None
        labels = compact.categories
        values = listed(labels)
        places = np.array(
            [number.setdefault(value, len(number)) for value in values], dtype=np.int64
        )
        codes.append(places[compact.codes] if len(compact) else compact.codes)
    return codes[0].astype(np.int64), codes[1].astype(np.int64), len(number)


def _by_instant(reference: Column, candidate: Column) -> tuple[IntArray, IntArray, int]:
    """Join times of any two units: in the finer one, if that holds all of them."""
    sides = [column.compact() for column in (reference, candidate)]
    labels = [x.categories for x in sides if x.categories is not None]
    unit = np.promote_types(labels[0].dtype, labels[1].dtype)
    finer = [x.astype(unit) for x in labels]
    if any(
        not np.array_equal(x, y.astype(x.dtype)) for x, y in zip(labels, finer, strict=True)
    ):
        raise ValueError(
            f"item ids are times in {labels[0].dtype} and {labels[1].dtype}, which no common "
            "unit holds; convert one side"
        )
    distinct, places = np.unique(np.concatenate(finer), return_inverse=True)
    cut = len(labels[0])
    return places[:cut][sides[0].codes], places[cut:][sides[1].codes], len(distinct)


def composite(columns: list[Any], what: str) -> Column:
    """Return one column of several: each row's values as a tuple."""
    read = [read_column(column, what) for column in columns]
    if len(read) == 1:
        return read[0]
    rows = list(zip(*(listed(column.decode()) for column in read), strict=True))
    return read_column(object_array(rows), what)
