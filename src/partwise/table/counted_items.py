"""Items as tables with weights or multiplicities count them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np

from partwise._kernels.order_free import Totals, group_totals
from partwise.labels.columns import Column
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.table.memo import Memo

T = TypeVar("T")


class CountedSide:
    """One clustering of the items that count, and what it alone tells.

    Parameters
    ----------
    column : Column
        Compact codes.
    weights : ndarray of float64, or None
        Mass of each item.
    memo : Memo, optional
        Remembers what is computed of arrays of items, where the side serves several
        comparisons; a side of one comparison does not, as the arrays may be large.
    """

    def __init__(
        self, column: Column, weights: FloatArray | None, memo: Memo | None = None
    ) -> None:
        self.column, self.weights, self.memo = column, weights, memo

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
    def total(self) -> Totals:
        """Summed weights of all items, as one entry."""
        assert self.weights is not None
        return group_totals(self.weights, np.zeros(len(self.weights), dtype=np.int64), 1)

    def of_arrays(self, key: str, arrays: Sequence[Any], compute: Callable[[], T]) -> T:
        """Return what ``compute`` makes of some arrays, remembered where the side may."""
        return compute() if self.memo is None else self.memo.get_for(key, arrays, compute)


class CountedItems(NamedTuple):
    """The items that count, how often, what they weigh, and their clusters on both sides."""

    kept: IntArray | None
    times: IntArray | None
    weights: FloatArray | None
    sides: tuple[CountedSide, CountedSide]


def counted_items(
    columns: Sequence[Column],
    weights: FloatArray | None,
    multiplicity: IntArray | None,
    reference_memo: Memo | None,
) -> CountedItems:
    """Return the items that count.

    ``reference_memo`` is that of the comparisons with one reference, which serves again as
    long as it is the same.
    """
    kept, times = None, multiplicity
    if multiplicity is not None and not multiplicity.all():  # what counts 0 times is not there
        kept = np.flatnonzero(multiplicity)
        times = multiplicity[kept]
        weights = None if weights is None else weights[kept]
    if times is not None and weights is not None:
        weights = weights * times
    if reference_memo is None:
        reference = _counted(columns[0], kept, weights)
    else:
        arrays = (columns[0].codes, columns[0].names, kept, times, weights)
        reference = reference_memo.get_for(
            "reference", arrays, lambda: _counted(columns[0], kept, weights, Memo())
        )
        weights = reference.weights
    return CountedItems(kept, times, weights, (reference, _counted(columns[1], kept, weights)))


def _counted(
    column: Column, kept: IntArray | None, weights: FloatArray | None, memo: Memo | None = None
) -> CountedSide:
    compact = (column if kept is None else column.take(kept)).compact()
    return CountedSide(compact, weights, memo)
