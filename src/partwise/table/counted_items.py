"""Items as tables with weights or multiplicities count them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np

from partwise._kernels.order_free import Totals, group_totals
from partwise.labels.columns import (
    Column,
)
from partwise.numbers.arrays import FloatArray, IntArray

T = TypeVar("T")


class CountedSide:
    """One clustering of the items that count, and what it alone tells.

    Parameters
    ----------
    column : Column
        Compact codes.
    weights : ndarray of float64, or None
        Mass of each item.
    """

    def __init__(self, column: Column, weights: FloatArray | None) -> None:
        self.column, self.weights = column, weights
        self.lent = False
        self._found: dict[str, tuple[Sequence[Any], Any]] = {}

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        assert self.column.names is not None
        return len(self.column.names)

    @cached_property
    def masses(self) -> Totals:
        """Summed weights of each cluster."""
        assert self.weights is not None
        return group_totals(self.weights, self.column.codes, self.n_clusters)

    @cached_property
    def whole(self) -> Totals:
        """Summed weights of all items, as one entry."""
        assert self.weights is not None
        return group_totals(self.weights, np.zeros(len(self.weights), dtype=np.int64), 1)

    def once(self, name: str, given: Sequence[Any], compute: Callable[[], T]) -> T:
        """Return what ``compute`` makes of some arrays; for equal ones what it made before.

        Only a side that serves several comparisons remembers, as the arrays may be large.
        """
        if not self.lent:
            return compute()
        known = self._found.get(name)
        if known is None or not all(map(same, known[0], given)):
            known = self._found[name] = given, compute()
        found: T = known[1]
        return found


class CountedItems(NamedTuple):
    """The items that count, how often, what they weigh, and their clusters on both sides."""

    kept: IntArray | None
    times: IntArray | None
    weights: FloatArray | None
    sides: tuple[CountedSide, CountedSide]


def same(known: Any, given: Any) -> bool:
    """Return whether two arrays (or Nones) hold the same."""
    if known is given:
        return True
    return known is not None and given is not None and np.array_equal(known, given)


def counted_items(
    columns: Sequence[Column],
    weights: FloatArray | None,
    multiplicity: IntArray | None,
    shelf: dict[Any, Any] | None,
) -> CountedItems:
    """Return the items that count.

    ``shelf`` holds the reference of another comparison, which serves again if it is the same.
    """
    kept = times = None
    if multiplicity is not None:  # what counts 0 times is not there
        kept = np.flatnonzero(multiplicity)
        times = multiplicity[kept]
        weights = None if weights is None else weights[kept] * times
    given = (columns[0].codes, columns[0].names, kept, times, weights)
    known = None if shelf is None else shelf.get("reference")
    if known is not None and all(map(same, known[0], given)):
        reference: CountedSide = known[1]
        weights = reference.weights
    else:
        reference = _counted(columns[0], kept, weights)
        if shelf is not None:
            shelf["reference"] = given, reference
            reference.lent = True
    return CountedItems(kept, times, weights, (reference, _counted(columns[1], kept, weights)))


def _counted(column: Column, kept: IntArray | None, weights: FloatArray | None) -> CountedSide:
    return CountedSide((column if kept is None else column.take(kept)).compact(), weights)
