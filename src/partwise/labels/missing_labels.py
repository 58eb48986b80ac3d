"""Which labels of a column are those that the caller declared to mean "none"."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from partwise.labels.columns import Column, listed

_NUMBERS = (int, float, complex, Decimal, Fraction)


def missing_codes(column: Column, values: Sequence[Any]) -> list[int]:
    """Return the codes of the labels that equal one of the values.

    Numbers are compared by value (in the column's own precision), bool with bool, text with
    text, times as instants of the column's unit.
    """
    plain = [_plain(value) for value in values]
    if column.categories is None:
        limits = np.iinfo(column.codes.dtype)
        whole = [int(x) for x in plain if _is_number(x) and x == x and _is_whole(x)]
        return [x for x in whole if limits.min <= x <= limits.max]
    categories = column.categories
    if categories.dtype.kind in "mM":
        wanted = [_as_time(value, categories.dtype) for value in values]
        return [i for i, x in enumerate(listed(categories)) if any(x == w for w in wanted)]
    if categories.dtype.kind in "fc":
        numbers = [categories.dtype.type(x) for x in plain if _is_number(x)]
        return np.flatnonzero(np.isin(categories, numbers)).tolist() if numbers else []
    return [
        code
        for code, label in enumerate(map(_plain, listed(categories)))
        if any(_same(label, value) for value in plain)
    ]


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic) and value.dtype.kind not in "mM":
        return value.item()
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, _NUMBERS) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    if isinstance(value, complex):
        return value.imag == 0 and value.real.is_integer()
    return value not in (float("inf"), float("-inf")) and value == int(value)


def _same(label: Any, value: Any) -> bool:
    if isinstance(label, bool) or isinstance(value, bool):
        return isinstance(label, bool) and isinstance(value, bool) and label == value
    return bool(label == value)


def _as_time(value: Any, dtype: np.dtype[Any]) -> Any:
    """Return a time as a NumPy scalar of the column's kind, or None if it is none."""
    for name in ("to_datetime64", "to_timedelta64"):  # pandas
        if hasattr(value, name):
            value = getattr(value, name)()
            break
    if isinstance(value, (int, float, complex, bool, bytes)):
        return None
    try:
        return dtype.type(value)
    except (TypeError, ValueError):
        return None
