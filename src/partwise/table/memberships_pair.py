"""The border for two soft clusterings of the same items."""

from __future__ import annotations

from typing import Any

from partwise.labels.clustering import Clustering
from partwise.labels.memberships import (
    Memberships,
    as_memberships,
    is_soft,
    memberships_of_labels,
    reject_tuples,
)
from partwise.table.alignment import align


def as_memberships_pair(reference: Any, candidate: Any) -> tuple[Memberships, Memberships]:
    """Read both sides of a comparison; hard ones that carry item ids are aligned by item.

    Raises
    ------
    ValueError, TypeError
        As ``as_memberships``; the sides have different numbers of items.
    """
    if not (is_soft(reference) or is_soft(candidate)):
        reject_tuples(reference, "reference")
        reject_tuples(candidate, "candidate")
        aligned = align(reference, candidate)
        sides = (aligned.reference, aligned.candidate)
        first, second = (
            memberships_of_labels(Clustering._of(x.column, None), "") for x in sides
        )
        return first, second
    _check_indexes(reference, candidate)
    first = as_memberships(reference, "reference")
    second = as_memberships(candidate, "candidate")
    if first.n_items != second.n_items:
        raise ValueError(
            f"reference has {first.n_items} rows, candidate {second.n_items}; memberships are "
            "compared by position, one row per item on both sides"
        )
    return first, second


def _check_indexes(reference: Any, candidate: Any) -> None:
    """Two frames with different indexes must not be compared by position unseen."""
    first: Any = getattr(reference, "index", None)
    second: Any = getattr(candidate, "index", None)
    if not (hasattr(first, "equals") and hasattr(second, "equals")):
        return
    if len(first) == len(second) and not first.equals(second):
        raise ValueError(
            "reference and candidate have different indexes; memberships are compared by "
            "position: bring the rows into one order and pass .to_numpy()"
        )
