"""Groups of items, such as documents, that ride along with the items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.labels.clustering import Clustering
from partwise.labels.columns import (
    object_array,
)
from partwise.labels.forms import read_column
from partwise.numbers.arrays import IntArray


@dataclass(frozen=True)
class Grouping:
    """Groups encoded once: by the reference's positions, by item, or of compared items.

    Attributes
    ----------
    codes : ndarray of int64
        Group of each item, a position in ``names``.
    names : ndarray
        Some may not occur.
    items : tuple or None
        The items where groups came as a mapping.
    """

    codes: IntArray
    names: NDArray[Any]
    items: tuple[Any, ...] | None = None

    @property
    def by_item(self) -> dict[Any, int]:
        """Code of each item, where groups came as a mapping."""
        assert self.items is not None
        return dict(zip(self.items, self.codes.tolist(), strict=True))

    def take(self, places: IntArray) -> Grouping:
        """Return the groups of the items at ``places``."""
        return Grouping(self.codes[places], self.names)


def _by_item(groups: Clustering) -> Any:
    """Return groups that came as a clustering as a mapping, or as a column without ids."""
    if groups.item_column is None:
        return groups.column
    items = groups.items
    assert items is not None
    labels = groups.labels.tolist()
    found = dict(zip(items.tolist(), labels, strict=True))
    if len(found) < len(labels):
        raise ValueError("groups names an item twice; every item needs one group")
    return found


def read_groups(groups: Any) -> Grouping:
    """Read ``groups=``: a value per item of the reference, or by item (mapping, Clustering)."""
    if isinstance(groups, Grouping):
        return groups
    items = None
    values = groups
    if isinstance(groups, Clustering):
        groups = _by_item(groups)
        values = groups
    if isinstance(groups, Mapping):
        items = tuple(groups)
        values = object_array(list(groups.values())).tolist()
    column = read_column(values, "groups")
    if column.missing is not None and column.missing.any():
        at = int(np.flatnonzero(column.missing)[0])
        where = f"item {items[at]!r}" if items is not None else f"index {at}"
        raise ValueError(f"groups has no value at {where}; every item needs its group")
    column = column.compact()
    assert column.categories is not None
    return Grouping(column.codes, column.categories, items)
