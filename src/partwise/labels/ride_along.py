"""Columns that ride along with the items: weights and multiplicities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from partwise.labels.columns import Column, IntArray, object_array

FloatArray = NDArray[np.float64]


def values_by_item(
    values: Any, name: str, given: int, places: IntArray, ids: Column | None
) -> NDArray[Any]:
    """Return the column's value for every compared item.

    Parameters
    ----------
    values : array-like of shape (given,) or mapping by item
        In the reference's item order, or by item id (position where there are no ids).
    name : str
        The argument's name, for messages.
    given : int
        Items of the reference.
    places : ndarray of int64
        Place of each compared item in the reference, -1 where it has none.
    ids : Column or None
        Ids of the compared items.
    """
    if isinstance(values, Mapping):
        keys = places if ids is None else ids.decode()
        found = []
        for key in keys.tolist():
            if key not in values:
                raise ValueError(f"{name} has no value for item {key!r}")
            found.append(values[key])
        return object_array(found)
    if isinstance(values, (list, tuple)):
        column = object_array(values)
    else:
        column = values if isinstance(values, np.ma.MaskedArray) else np.asarray(values)
    if column.ndim != 1 or len(column) != given:
        raise ValueError(
            f"{name} has shape {column.shape}; one value per reference item ({given}), in "
            "their order, or a mapping by item is expected"
        )
    lone = np.flatnonzero(places < 0)
    if len(lone):
        at = int(lone[0])
        item = at if ids is None else ids.label(ids.codes[at])
        raise ValueError(
            f"{name} follows the reference's items, but item {item!r} is in the candidate "
            f"only; pass {name} as a mapping by item"
        )
    found_values: NDArray[Any] = column[places]
    return found_values


LARGEST_WEIGHT = (1e-250, 1e250)


def read_weights(values: Any) -> FloatArray:
    """Check weights: one finite number of at least 0 each, the largest of a usable size."""
    if np.ma.is_masked(values):
        raise ValueError("weights have masked entries; every item needs its weight")
    try:
        weights = np.asarray(values)
        if weights.dtype.kind not in "biufO" or weights.ndim != 1:
            raise TypeError(f"a column of {weights.dtype}, shape {weights.shape}")
        if weights.dtype.kind == "O" and any(isinstance(x, (str, bytes)) for x in weights):
            raise TypeError("text among them")
        weights = weights.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"weights must be real numbers: {error}") from None
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        raise ValueError(
            f"weight {weights[wrong[0]]} of compared item {wrong[0]} is not a finite number of "
            f"at least 0 ({len(wrong)} such weights)"
        )
    largest = float(weights.max()) if len(weights) else 0.0
    if largest and not LARGEST_WEIGHT[0] <= largest <= LARGEST_WEIGHT[1]:
        raise ValueError(
            f"the largest weight is {largest}; scale the weights so that it lies between "
            f"{LARGEST_WEIGHT[0]:g} and {LARGEST_WEIGHT[1]:g}"
        )
    checked: FloatArray = np.abs(weights)  # -0.0 becomes 0.0
    return checked


def read_multiplicity(values: Any) -> IntArray:
    """Check multiplicities: whole numbers of at least 0."""
    if np.ma.is_masked(values):
        raise ValueError("multiplicity has masked entries; every item needs its number")
    found = []
    for place, value in enumerate(np.asarray(values).tolist()):
        if isinstance(value, np.generic):
            value = value.item()
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        if isinstance(value, bool) or not whole or value < 0:
            raise ValueError(
                f"multiplicity {value!r} of compared item {place} is not a whole number of at "
                "least 0; fractional masses are weights="
            )
        found.append(int(value))
    total = sum(found)
    if total >= 1 << 63:
        raise ValueError(f"the multiplicities add up to {total}; at most 2^63 - 1 can be held")
    return np.array(found, dtype=np.int64)


class Riding(NamedTuple):
    """Weights and multiplicities as they were given."""

    weights: Any = None
    multiplicity: Any = None

    def any(self) -> bool:
        """Return whether there is any."""
        return self.weights is not None or self.multiplicity is not None

    def read(
        self, given: int, places: IntArray, ids: Column | None
    ) -> tuple[FloatArray | None, IntArray | None]:
        """Return both checked, for the compared items; see ``values_by_item``."""
        mass = times = None
        if self.weights is not None:
            mass = read_weights(values_by_item(self.weights, "weights", given, places, ids))
        if self.multiplicity is not None:
            found = values_by_item(self.multiplicity, "multiplicity", given, places, ids)
            times = read_multiplicity(found)
        return mass, times
