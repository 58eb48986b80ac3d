"""Python values and items of fixed width as numbers, by hashing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]


def types_of(values: list[Any]) -> set[type]:
    """Return the types of the values. O(n)."""
    return set(map(type, values))


def number_values(values: list[Any]) -> tuple[IntArray, list[Any]]:
    """Return the numbers of values by first appearance, and the distinct ones in that order.

    Equal values are one, as keys of a dict are. What ``hash`` raises is raised. Expected O(n).
    """
    number: dict[Any, int] = {}
    found = (number.setdefault(value, len(number)) for value in values)
    codes = np.fromiter(found, dtype=np.int64, count=len(values))
    return codes, list(number)


def number_items(items: NDArray[np.uint8], width: int) -> tuple[IntArray, IntArray]:
    """Return the numbers of items by first appearance, and the place of each one's first.

    ``items`` are all of them, one after the other, of ``width`` >= 1 bytes each. Expected
    O(n width).
    """
    codes, distinct = number_values(items.view(f"V{width}").tolist())
    firsts = np.empty(len(distinct), dtype=np.int64)
    firsts[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # the last one written is the first
    return codes, firsts
