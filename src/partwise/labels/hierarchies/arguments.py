"""What a hierarchy is made of: names of items, heights of nodes, levels that are nested."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from partwise._kernels.long_columns import numbered, taken
from partwise.labels.columns import Column
from partwise.labels.items.ids import ids_of_items
from partwise.labels.items.matching import check_once
from partwise.numbers.arrays import IntArray
from partwise.numbers.masked import has_masked


def ids_of(items: Iterable[Any] | None) -> Column | None:
    """Return names of items, each of which is there once."""
    if items is None:
        return None
    column = ids_of_items(items, "items").copied()
    if len(column):
        check_once(column)
    return column


def node_heights(
    heights: ArrayLike | None, order: IntArray, n: int, parents: list[int]
) -> list[float]:
    """Return the heights of nodes in the order items, then parents."""
    if heights is None:
        made = [0.0] * len(parents)
        waiting = np.bincount([x for x in parents if x >= 0], minlength=len(parents)).tolist()
        upward = list(range(n))
        for node in upward:  # grows
            parent = parents[node]
            if parent >= 0:
                made[parent] = max(made[parent], made[node] + 1)
                waiting[parent] -= 1
                if waiting[parent] == 0:
                    upward.append(parent)
        return made
    try:
        if has_masked(heights):
            heights = np.ma.filled(np.ma.asarray(heights, dtype=np.float64), np.nan)
        values = np.asarray(heights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"heights are numbers: {error}") from None
    if values.shape == (len(parents) - n,) and n:
        named = order[n:]
        values = np.concatenate([np.zeros(n), values])
    elif values.shape == (len(parents),):
        named = order[n:]
        values = values[order]
    else:
        raise ValueError(
            f"heights has the shape {values.shape}; one number for each of the {len(parents)} "
            f"nodes, or for each of the {len(parents) - n} that are parents, is expected"
        )
    wrong = np.flatnonzero(~np.isfinite(values[n:]))
    if len(wrong):
        at = int(wrong[0])
        raise ValueError(
            f"the height of node {named[at]} is {values[n + at]}; heights are finite numbers"
        )
    made = [float(value) for value in values]
    return made


def refuse_torn(
    codes: IntArray, top: IntArray, name: Any, before: Any, ids: Column | None
) -> None:
    """Raise where a level splits what is one cluster below."""
    _, first, inverse = numbered(top)
    torn = np.flatnonzero(codes != taken(codes[first], inverse))
    if len(torn):
        pair = int(first[inverse[torn[0]]]), int(torn[0])
        named = [ids.value_at(x) if ids is not None else x for x in pair]
        raise ValueError(
            f"level {name} parts the items {named[0]!r} and {named[1]!r}, which level {before} "
            "or one before it has in one cluster; levels go from fine to coarse"
        )
