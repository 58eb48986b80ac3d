"""Python values as numbers, by hashing."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from partwise.numbers.arrays import IntArray

__all__ = [
    "integer_pairs_of",
    "integers_of",
    "number_values",
    "types_of",
]


def types_of(values: list[Any]) -> set[type]:
    """Return the types of the values. O(n)."""
    return set(map(type, values))


def integers_of(values: list[Any]) -> IntArray | None:
    """Return values that are all of type ``int`` as int64; None: others, or larger ones."""
    if not types_of(values) <= {int}:
        return None
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError:
        return None


def integer_pairs_of(values: list[Any]) -> IntArray | None:
    """Return tuples of two values of type ``int`` as rows; None as from ``integers_of``."""
    if not types_of(values) <= {tuple} or not set(map(len, values)) <= {2}:
        return None
    numbers = integers_of(list(chain.from_iterable(values)))
    return None if numbers is None else numbers.reshape(-1, 2)


def number_values(values: list[Any]) -> tuple[IntArray, list[Any]]:
    """Return the numbers of values by first appearance, and the distinct values in that order.

    Equal values have one number, like keys of a dict. What ``hash`` raises is raised.
    Expected O(n).
    """
    number: dict[Any, int] = {}
    numbers = (number.setdefault(value, len(number)) for value in values)
    codes = np.fromiter(numbers, dtype=np.int64, count=len(values))
    return codes, list(number)
