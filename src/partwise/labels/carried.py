"""Columns that ride along with the items: weights, multiplicities, features, groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from partwise.labels.clustering import Clustering
from partwise.labels.columns import (
    Column,
    listed,
    object_array,
    one_column,
    refuse_read_before,
    refuse_uncomputed,
)
from partwise.labels.communities import only_column
from partwise.labels.forms import read_column
from partwise.labels.indexes import (
    ItemOrder,
    check_order,
    in_item_order,
    index_of,
    positions_of_keys,
    refuse_different_indexes,
)
from partwise.labels.items.ids import by_key, keys_like
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.masked import has_masked, is_masked_array


def values_by_item(
    values: Any,
    name: str,
    n_reference: int,
    positions: IntArray | None,
    ids: Column | None,
    *,
    rows: bool = False,
) -> NDArray[Any]:
    """Return the column's value for every compared item.

    Parameters
    ----------
    values : array-like of shape (given,) or (given, d), or mapping by item
        In the reference's item order, or by item id (position where there are no ids).
    name : str
        The argument's name, for messages.
    n_reference : int
        Items of the reference.
    positions : ndarray of int64, or None
        Place of each compared item in the reference, -1 where it has none; None: the
        reference's items, in their order.
    ids : Column or None
        Ids of the compared items.
    rows : bool
        Whether a row of several values per item is allowed.
    """
    if isinstance(values, Mapping):
        if ids is None:
            items = (np.arange(n_reference) if positions is None else positions).tolist()
            keys = items
        else:
            items = listed(ids.decode())
            keys, values = keys_like(items, ids), by_key(values, name, ids)
        by_item = []
        for item, key in zip(items, keys, strict=True):
            if key not in values:
                raise ValueError(f"{name} has no value for item {item!r}")
            by_item.append(values[key])
        return object_array(by_item)
    if isinstance(values, Iterator):
        read = list(values)
        if not read and n_reference:
            refuse_read_before(values, name)
        values = read
    if isinstance(values, (list, tuple)):
        column = object_array(values)
    else:
        column = values if is_masked_array(values) else np.asarray(values)
        column = column if rows else one_column(column)
    if column.ndim not in ((1, 2) if rows else (1,)) or len(column) != n_reference:
        raise ValueError(
            f"{name} has shape {column.shape}; one {'row' if rows else 'value'} per reference "
            f"item ({n_reference}), in their order, or a mapping by item is expected"
        )
    if positions is None:
        return column
    lone = np.flatnonzero(positions < 0)
    if len(lone):
        at = int(lone[0])
        item = at if ids is None else ids.label(ids.codes[at])
        raise ValueError(
            f"{name} follows the reference's items, but item {item!r} is in the candidate "
            f"only; pass {name} as a mapping by item"
        )
    found_values: NDArray[Any] = column[positions]
    return found_values


LARGEST_WEIGHT = (1e-250, 1e250)


def read_weights(values: Any) -> FloatArray:
    """Check weights: one finite number of at least 0 each, the largest of a usable size."""
    if has_masked(values):
        raise ValueError("weights have masked entries; every item needs its weight")
    try:
        weights = np.asarray(values)
        if weights.dtype.kind not in "biufO" or weights.ndim != 1:
            raise TypeError(f"a column of {weights.dtype}, shape {weights.shape}")
        if weights.dtype.kind == "O" and any(isinstance(x, (str, bytes)) for x in weights):
            raise TypeError("text among them")
        weights = weights.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"weights must be real numbers: {error}") from None
    some = len(weights) > 0
    least = float(weights.min()) if some else 0.0
    largest = float(weights.max()) if some else 0.0
    if not 0 <= least <= largest < np.inf:
        wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
        raise ValueError(
            f"weight {weights[wrong[0]]} of compared item {wrong[0]} is not a finite number of "
            f"at least 0 ({len(wrong)} such weights)"
        )
    if largest and not LARGEST_WEIGHT[0] <= largest <= LARGEST_WEIGHT[1]:
        raise ValueError(
            f"the largest weight is {largest}; scale the weights so that it lies between "
            f"{LARGEST_WEIGHT[0]:g} and {LARGEST_WEIGHT[1]:g}"
        )
    np.abs(weights, out=weights)  # -0.0 becomes 0.0
    return weights


def read_multiplicity(values: Any) -> IntArray:
    """Check multiplicities: whole numbers of at least 0."""
    if has_masked(values):
        raise ValueError("multiplicity has masked entries; every item needs its number")
    array = np.asarray(values)
    whole = _whole_numbers(array)
    if whole is not None:
        return whole
    numbers = []
    for position, value in enumerate(array.tolist()):
        if isinstance(value, np.generic):
            value = value.item()
        is_whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        if isinstance(value, bool) or not is_whole or value < 0:
            raise ValueError(
                f"multiplicity {value!r} of compared item {position} is not a whole number of "
                "at least 0; fractional masses are weights="
            )
        numbers.append(int(value))
    total = sum(numbers)
    if total >= 1 << 63:
        raise ValueError(f"the multiplicities add up to {total}; at most 2^63 - 1 can be held")
    return np.array(numbers, dtype=np.int64)


def _whole_numbers(array: NDArray[Any]) -> IntArray | None:
    """Return integers of at least 0 whose sum is small, in memory of their own; else None."""
    if array.dtype.kind not in "iu" or array.ndim != 1 or len(array) == 0:
        return None
    least, largest = int(array.min()), int(array.max())
    if least < 0 or largest * len(array) >= 1 << 63:
        return None
    return array.astype(np.int64)


def feature_rows(values: Any, name: str = "features") -> NDArray[Any]:
    """Return features as an array of any shape and dtype; ragged rows are an error."""
    if has_masked(values):
        raise ValueError(f"{name} have masked entries; every item needs its whole row")
    if hasattr(values, "toarray"):
        raise TypeError(f"{name} are a sparse matrix; pass them dense, with .toarray()")
    if isinstance(values, np.ndarray) and values.dtype.kind == "O" and values.ndim == 1:
        values = values.tolist()  # perhaps an array of rows
    try:
        return np.asarray(values)
    except ValueError:  # rows of different lengths
        shapes = [_shape(row) for row in values]
    odd = next((i for i, shape in enumerate(shapes) if shape != shapes[0]), 0)
    raise ValueError(
        f"{name} are ragged: row 0 has shape {shapes[0]}, row {odd} {shapes[odd]}; every row "
        "needs the same number of columns"
    )


def _shape(row: Any) -> Any:
    try:
        return np.shape(row)
    except ValueError:
        return "of nested lists"


def read_features(values: Any, name: str = "features", ids: Column | None = None) -> FloatArray:
    """Check features: rows of finite real numbers, one length d >= 1 for all.

    Parameters
    ----------
    values : array-like of shape (n, d) or (n,)
        A column of single numbers is read as d = 1.
    name : str
        The argument's name, for messages.
    ids : Column or None
        Ids of the items, for messages.

    Returns
    -------
    ndarray of float64, shape (n, d), C-contiguous, in memory of its own
    """
    array = feature_rows(values, name)
    try:
        if array.dtype.kind not in "biufO":
            raise TypeError(f"a table of {array.dtype}, shape {array.shape}")
        if array.dtype.kind == "O" and any(isinstance(x, (str, bytes)) for x in array.flat):
            raise TypeError("text among them")
        numbers = np.array(array, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"{name} must be real numbers: {error}") from None
    if numbers.ndim == 1:
        numbers = numbers.reshape(-1, 1)
    if numbers.ndim != 2 or numbers.shape[1] == 0:
        raise ValueError(
            f"{name} has shape {numbers.shape}; one row of at least one number each is expected"
        )
    finite = np.isfinite(numbers)
    if not finite.all():
        row, column = np.argwhere(~finite)[0].tolist()
        wrong = int((~finite).any(axis=1).sum())
        where = f"row {row}" if ids is None else f"item {ids.label(ids.codes[row])!r}"
        raise ValueError(
            f"{name} of {where} have {numbers[row, column]} in column {column}, not a finite "
            f"number ({wrong} such rows)"
        )
    numbers += 0.0  # -0.0 becomes 0.0
    return numbers


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
    index : pandas.Index or None
        Index of the groups where they came as a Series, whose order they have.
    """

    codes: IntArray
    names: NDArray[Any]
    items: tuple[Any, ...] | None = None
    index: Any = None

    @property
    def by_item(self) -> dict[Any, int]:
        """Code of each item, where groups came as a mapping."""
        assert self.items is not None
        return dict(zip(self.items, self.codes.tolist(), strict=True))

    def take(self, positions: IntArray) -> Grouping:
        """Return the groups of the items at ``positions``."""
        return Grouping(self.codes[positions], self.names)


def _by_item(groups: Clustering) -> Any:
    """Return groups that came as a clustering as a mapping, or as a column without ids."""
    if groups.item_column is None:
        return groups.column
    items = groups.items
    assert items is not None
    labels = listed(groups.labels)
    by_item = dict(zip(listed(items), labels, strict=True))
    if len(by_item) < len(labels):
        raise ValueError("groups names an item twice; every item needs one group")
    return by_item


def read_groups(groups: Any) -> Grouping:
    """Read ``groups=``: a value per item of the reference, or by item (mapping, Clustering)."""
    if isinstance(groups, Grouping):
        return groups
    items = None
    index = groups.index if isinstance(groups, Clustering) else index_of(groups)
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
    return Grouping(column.codes, column.categories, items, index)


def groups_in_order(groups: Any, items: ItemOrder) -> Grouping:
    """Read ``groups=``; those that came with an index in the order of the items."""
    grouping = read_groups(groups)
    if grouping.index is None:
        if grouping.items is None:
            check_order(items, "groups")
            return grouping
        positions = positions_of_keys(grouping.items, "groups", items)
        return replace(grouping, items=tuple(positions)) if positions else grouping
    import pandas

    codes = pandas.Series(grouping.codes, index=grouping.index)
    ordered = in_item_order(codes, "groups", items)
    if isinstance(ordered, dict):
        return Grouping(np.array(list(ordered.values())), grouping.names, tuple(ordered))
    return Grouping(ordered.to_numpy(), grouping.names)


class Companions(NamedTuple):
    """What rides along with the compared items, checked."""

    weights: FloatArray | None = None
    multiplicity: IntArray | None = None
    features: FloatArray | None = None
    groups: Grouping | None = None

    def take(self, positions: IntArray) -> Companions:
        """Return the values of the items at ``positions``."""
        return Companions(
            None if self.weights is None else self.weights[positions],
            None if self.multiplicity is None else self.multiplicity[positions],
            None if self.features is None else self.features[positions],
            None if self.groups is None else self.groups.take(positions),
        )


class CompanionArguments(NamedTuple):
    """Weights, multiplicities, features and groups as they were given."""

    weights: Any = None
    multiplicity: Any = None
    features: Any = None
    groups: Any = None

    def any(self) -> bool:
        """Return whether there is any."""
        return any(values is not None for values in self)

    def raveled(self, shape: tuple[int, ...]) -> CompanionArguments:
        """Return the same, arrays of this shape as a value per element."""
        return CompanionArguments(
            *(one.ravel() if getattr(one, "shape", None) == shape else one for one in self)
        )

    def in_order_of(self, items: ItemOrder) -> CompanionArguments:
        """Return the same, what has an index of its own in the order of the items."""
        for name, values in self._asdict().items():
            refuse_uncomputed(values, name)
        columns = (only_column(self.weights), only_column(self.multiplicity), self.features)
        weights, multiplicity, features = (
            in_item_order(values, name, items)
            for name, values in zip(self._fields[:3], columns, strict=True)
        )
        groups = only_column(self.groups)
        grouping = None if groups is None else read_groups(groups)
        if items.index is None and items.ids is None:  # else each is held against these
            own = (*map(index_of, columns), None if grouping is None else grouping.index)
            refuse_different_indexes(dict(zip(self._fields, own, strict=True)))
        if grouping is not None:
            grouping = groups_in_order(grouping, items)
        return CompanionArguments(weights, multiplicity, features, grouping)

    def read(
        self, n_reference: int, positions: IntArray | None, ids: Column | None
    ) -> Companions:
        """Return all checked, for the compared items; see ``values_by_item``."""
        mass = times = rows = grouping = None
        if self.weights is not None:
            mass = read_weights(
                values_by_item(self.weights, "weights", n_reference, positions, ids)
            )
        if self.multiplicity is not None:
            values = values_by_item(
                self.multiplicity, "multiplicity", n_reference, positions, ids
            )
            times = read_multiplicity(values)
        if self.features is not None:
            mapped = isinstance(self.features, Mapping)
            table = self.features if mapped else feature_rows(self.features)
            values = values_by_item(table, "features", n_reference, positions, ids, rows=True)
            rows = read_features(values, ids=ids)
        if self.groups is not None:
            of_reference = read_groups(self.groups)
            by_item = of_reference.codes if of_reference.items is None else of_reference.by_item
            codes = values_by_item(by_item, "groups", n_reference, positions, ids)
            grouping = Grouping(codes.astype(np.int64), of_reference.names)
        return Companions(mass, times, rows, grouping)
