"""The policies: what to do with items that do not fit, one value or one per side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

UNMATCHED = ("error", "drop", "singletons")
MISSING = ("error", "drop", "singletons", "cluster")
DUPLICATES = ("error", "first", "last")

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
        several = hasattr(labels, "__iter__") and getattr(labels, "ndim", 1) != 0
        if several and not isinstance(labels, (str, bytes, tuple, dict)):
            found = tuple(labels)
            if any(isinstance(x, (list, set, dict, np.ndarray)) for x in found):
                raise TypeError(f"missing_labels={value!r}: a flat list of labels is expected")
            return found
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
