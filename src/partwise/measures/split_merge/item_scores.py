"""Scores of one's own that look at the items of the parts: what they ask for and are given."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from partwise._kernels.long_columns import stable_order, taken
from partwise.measures.split_merge.item_distances import (
    Distance,
    euclidean_distances,
    read_distances,
)
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.table.alignment import Alignment

#: What a score may ask for, by a keyword-only parameter of this name without a default.
COLUMNS_OF_ITEMS = ("items", "features", "distances", "weights")
_DECLARED = "def score(sizes, indptr, parts, *, {})"
_MOST_ROWS = 1 << 31


def columns_asked_by(score: Callable[..., Any]) -> tuple[str, ...]:
    """Return which of ``COLUMNS_OF_ITEMS`` a function asks for.

    Raises
    ------
    TypeError
        It has another keyword-only parameter without a default, which nothing would fill.
    """
    try:
        parameters = inspect.signature(score).parameters.values()
    except (TypeError, ValueError):  # written in C, and does not tell
        return ()
    names = [x.name for x in parameters if x.kind is x.KEYWORD_ONLY and x.default is x.empty]
    other = [name for name in names if name not in COLUMNS_OF_ITEMS]
    if other:
        raise TypeError(
            f"the score asks for {other[0]!r}, which is none of: "
            f"{', '.join(COLUMNS_OF_ITEMS)}; give that parameter a default"
        )
    return tuple(names)


def features_refused(score: Callable[..., Any], distances: Any) -> str:
    """Return why ``features=`` would not be used beside a function, "" where they are."""
    names = columns_asked_by(score)
    if "features" in names or ("distances" in names and distances is None):
        return ""
    if "distances" in names:
        return (
            "the score asks for distances alone, which are those of distances= or the "
            "Euclidean ones of features=; pass one of the two"
        )
    return _unused("features", names)


def check_distances_asked(names: Sequence[str], distances: Any) -> None:
    """Raise TypeError if there are distances beside a function that does not ask for them."""
    if distances is not None and "distances" not in names:
        raise TypeError(_unused("distances", names))


def _unused(argument: str, names: Sequence[str]) -> str:
    what = " and ".join(["the sizes of the parts", *names])
    declared = _DECLARED.format(", ".join([*names, argument]))
    return (
        f"{argument}= would not be used: the score asks for {what}, not for {argument}; a "
        f"function asks for it by a keyword-only parameter without a default, {declared}"
    )


class ItemColumns(NamedTuple):
    """What is known of the items, by their numbers in the order of ``align(...).items``."""

    features: FloatArray | None = None
    distances: Distance | None = None
    weights: FloatArray | None = None

    def check(self, names: Sequence[str]) -> None:
        """Raise ValueError if a score asks for what is not there."""
        if "features" in names and self.features is None:
            raise ValueError("the score asks for features; pass features=, one row per item")
        if "distances" in names and self.distances is None and self.features is None:
            raise ValueError(
                "the score asks for distances; pass distances=, or features= for Euclidean ones"
            )

    def of_parts(self, names: Sequence[str], order: IntArray) -> dict[str, Any]:
        """Return what a score asks for, of items that stand part after part in this order."""
        columns: dict[str, Any] = {}
        for name in names:
            if name == "items":
                columns[name] = order.copy()
            elif name == "features":
                assert self.features is not None
                columns[name] = self.features[order]
            elif name == "weights":
                ones = np.ones(len(order))
                columns[name] = ones if self.weights is None else self.weights[order]
            else:
                columns[name] = self._distances_of(order)
        return columns

    def _distances_of(self, order: IntArray) -> Callable[[Any, Any], FloatArray]:
        between = self.distances
        if between is None:
            assert self.features is not None
            between = euclidean_distances(self.features)

        def distances(i: Any, j: Any) -> FloatArray:
            first, second = np.broadcast_arrays(order[np.asarray(i)], order[np.asarray(j)])
            lengths: FloatArray = np.zeros(first.shape)
            apart = first != second  # an item that counts several times is one item
            lengths[apart] = between(first[apart], second[apart])
            return lengths

        return distances


def columns_of_alignment(alignment: Alignment, distances: Any) -> ItemColumns:
    """Return what an alignment, and distances beside it, tell of its items."""
    between = None
    if distances is not None:
        between = read_distances(distances, len(alignment.reference.column))
    return ItemColumns(alignment.features, between, alignment.weights)


def items_by_part(alignment: Alignment) -> tuple[IntArray, IntArray]:
    """Return the numbers of the items part after part, of the reference and the candidate.

    The parts stand as in the table, row by row and column by column; the items of a part in
    their order. An item of multiplicity m comes m times.

    Raises
    ------
    ValueError
        Multiplicities add up to more rows than can be held.
    """
    counted = alignment.counted_items
    cells, columns = alignment.cell_of_item, counted.sides[1].column.codes
    total = len(cells) if counted.times is None else sum(counted.times.tolist())
    if total > _MOST_ROWS:
        raise ValueError(
            f"the items count {total} times in all, and a score that looks at items gets each "
            f"as often as it counts, {_MOST_ROWS} rows at most; weigh them with weights= "
            "instead, which a score may ask for too"
        )
    reference = stable_order(cells)
    candidate = taken(reference, stable_order(taken(columns, reference)))
    orders = []
    for order in (reference, candidate):
        numbers = order if counted.kept is None else counted.kept[order]
        if counted.times is not None:
            numbers = np.repeat(numbers, counted.times[order])
        orders.append(numbers.astype(np.int64, copy=False))
    return orders[0], orders[1]
