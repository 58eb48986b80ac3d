"""The policies: what to do with items that do not fit, and which labels mean "none"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from partwise.labels.columns import Column, kind_of, listed, with_article
from partwise.labels.forms import is_missing, with_one_missing, without_numpy
from partwise.numbers.arrays import BoolArray

UNMATCHED = ("error", "drop", "singletons")
MISSING = ("error", "drop", "singletons", "cluster")
DUPLICATES = ("error", "first", "last")
_NUMBERS = (int, float, complex, Decimal, Fraction)
_FEW_CODES = 8
_NUMBER_KINDS = ("integer", "float", "complex")

#: Arguments of ``align``, with their defaults, as every measure takes them.
DEFAULTS: dict[str, Any] = {
    "weights": None,
    "multiplicity": None,
    "features": None,
    "unmatched": "error",
    "missing": "error",
    "missing_labels": None,
    "duplicates": "error",
}


@dataclass(frozen=True, slots=True)
class SidePolicies:
    """The policies of one side."""

    unmatched: str
    missing: str
    missing_labels: tuple[Any, ...]
    duplicates: str


def _pair(value: Any, name: str, words: tuple[str, ...]) -> tuple[str, str]:
    pair = value if isinstance(value, tuple) else (value, value)
    if len(pair) != 2:
        raise ValueError(
            f"{name}={value!r}: one value or a pair (reference, candidate) is expected"
        )
    for word in pair:
        if word not in words:
            raise ValueError(f"{name}={word!r} is not one of: {', '.join(words)}")
    return pair


def _extra_labels(value: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    def one_side(labels: Any) -> tuple[Any, ...]:
        if labels is None:
            return ()
        if isinstance(labels, Iterator):
            raise TypeError(
                f"missing_labels is {with_article(labels)}, which can be read once, and both "
                "sides need it; pass a list or a set of labels"
            )
        several = hasattr(labels, "__iter__") and getattr(labels, "ndim", 1) != 0
        if several and not isinstance(labels, (str, bytes, tuple, dict)):
            as_tuple = tuple(labels)
            if any(isinstance(x, (list, set, dict, np.ndarray)) for x in as_tuple):
                raise TypeError(f"missing_labels={value!r}: a flat list of labels is expected")
            return as_tuple
        if isinstance(labels, (tuple, dict)):
            raise TypeError(
                f"missing_labels={value!r}: several values stand in a list or set; a tuple "
                "is the pair (reference, candidate)"
            )
        return (labels.item() if isinstance(labels, np.ndarray) else labels,)

    if isinstance(value, tuple):
        if len(value) != 2:
            raise TypeError(
                f"missing_labels={value!r}: a tuple is the pair (reference, candidate); "
                "several values stand in a list or set"
            )
        return one_side(value[0]), one_side(value[1])
    return one_side(value), one_side(value)


def read_policies(
    unmatched: Any = "error",
    missing: Any = "error",
    missing_labels: Any = None,
    duplicates: Any = "error",
) -> tuple[SidePolicies, SidePolicies]:
    """Check the four policies and return them by side (reference, candidate)."""
    by_unmatched = _pair(unmatched, "unmatched", UNMATCHED)
    by_missing = _pair(missing, "missing", MISSING)
    by_labels = _extra_labels(missing_labels)
    by_duplicates = _pair(duplicates, "duplicates", DUPLICATES)
    reference, candidate = (
        SidePolicies(by_unmatched[i], by_missing[i], by_labels[i], by_duplicates[i])
        for i in range(2)
    )
    return reference, candidate


# ---- labels declared to mean "none" --------------------------------------------------


@dataclass(frozen=True, slots=True)
class Written:
    """A label as it stands in a file: text, and what a column of numbers reads there.

    Parameters
    ----------
    text : str
    value : object
        The number, the text again where it is none, or None where it means "none".
    """

    text: str
    value: Any

    def __repr__(self) -> str:
        return repr(self.text)


class DeclaredLabels(NamedTuple):
    """Declared labels of one side.

    Attributes
    ----------
    codes : list of int
        Codes of the labels that equal a declared one.
    unused : list
        Declared labels that no item has, though one could.
    foreign : list of (value, label or None)
        Declared labels that no label of this kind can equal, with a label that is written
        alike: -1 and "-1".
    """

    codes: list[int]
    unused: list[Any]
    foreign: list[tuple[Any, Any]]


def declared_labels(column: Column, values: Sequence[Any]) -> DeclaredLabels:
    """Return which labels of a column the declared values are.

    Numbers are compared by value (in the column's own precision), bool with bool, text with
    text, times as instants of the column's unit. What stands for "no label" everywhere (None,
    NaN, NA) need not be declared.
    """
    declared = DeclaredLabels([], [], [])
    if len(column) == 0 or (column.missing is not None and column.missing.all()):
        return declared
    present = column.codes if column.missing is None else column.codes[~column.missing]
    for value in values:
        wanted = value
        if isinstance(value, Written):
            wanted = value.value if column.kind in _NUMBER_KINDS else value.text
        if is_missing(wanted):
            continue
        if not _comparable(column, wanted):
            declared.foreign.append((value, _written_alike(column, wanted)))
            continue
        codes = missing_codes(column, [wanted])
        declared.codes.extend(codes)
        if not is_one_of(present, codes).any():
            declared.unused.append(value)
    return declared


def is_one_of(values: NDArray[Any], codes: Sequence[int]) -> BoolArray:
    """Return which values are one of the codes, usually one or two."""
    if len(codes) > _FEW_CODES:
        return np.isin(values, codes)
    mask = np.zeros(len(values), dtype=bool)
    for code in codes:
        mask |= values == code
    return mask


def missing_codes(column: Column, values: Sequence[Any]) -> list[int]:
    """Return the codes of the labels that equal one of the values."""
    plain = with_one_missing([without_numpy(value) for value in values])
    if column.categories is None:
        limits = np.iinfo(column.codes.dtype)
        numbers = [int(x) for x in plain if _is_number(x) and x == x and _is_integral(x)]
        return [x for x in numbers if limits.min <= x <= limits.max]
    categories = column.categories
    if categories.dtype.kind in "mM":
        wanted = [_as_time(value, categories.dtype) for value in values]
        return [i for i, x in enumerate(listed(categories)) if any(x == w for w in wanted)]
    if categories.dtype.kind in "fc":
        floats = [categories.dtype.type(x) for x in plain if _is_number(x)]
        return np.flatnonzero(np.isin(categories, floats)).tolist() if floats else []
    return [
        code
        for code, label in enumerate(map(without_numpy, listed(categories)))
        if any(_same(label, value) for value in plain)
    ]


def _comparable(column: Column, value: Any) -> bool:
    """Return whether a label of the column's kind can equal the value at all."""
    kind = column.kind
    categories = column.categories
    if kind == "object":
        return True
    if categories is not None and categories.dtype.kind in "mM":
        return _as_time(value, categories.dtype) is not None
    own = kind_of(type(without_numpy(value)))
    if own in _NUMBER_KINDS:
        return kind in _NUMBER_KINDS
    if own in ("bool", "text", "bytes"):
        return kind == own
    return kind not in (*_NUMBER_KINDS, "bool", "text", "bytes")


def _written_alike(column: Column, value: Any) -> Any:
    """Return a label that is written as the value is, None if there is none."""
    wanted = _writing(value)
    labels = column.compact().categories
    assert labels is not None
    if labels.dtype.kind in "iu":
        if not isinstance(wanted, float) or not wanted.is_integer():
            return None
        codes = missing_codes(Column(labels), [int(wanted)])
        return next((code for code in codes if (labels == code).any()), None)
    return next((label for label in listed(labels) if _writing(label) == wanted), None)


def _writing(value: Any) -> Any:
    text = value.decode("latin-1") if isinstance(value, bytes) else str(value)
    text = text.strip().casefold()
    try:
        return float(text)
    except ValueError:
        return text


def _is_number(value: Any) -> bool:
    return isinstance(value, _NUMBERS) and not isinstance(value, bool)


def _is_integral(value: Any) -> bool:
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
