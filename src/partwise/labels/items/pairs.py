"""Pairs of items: their columns in any form, and the clusters that they join."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.labels.columns import Column, refuse_read_before, refuse_uncomputed, with_article
from partwise.labels.forms import read_column
from partwise.labels.indexes import refuse_other_indexes
from partwise.labels.items.ids import members_of, read_ids
from partwise.numbers.arrays import IntArray
from partwise.numbers.arrow import has_zone
from partwise.numbers.masked import is_masked_array

#: Usual names of the two columns of items, and of a score.
ITEM_PAIRS = (
    ("source", "target"),
    ("src", "dst"),
    ("from", "to"),
    ("u", "v"),
    ("left", "right"),
    ("first", "second"),
    ("id1", "id2"),
    ("id_1", "id_2"),
    ("item1", "item2"),
    ("unique_id_l", "unique_id_r"),
)
SCORES = ("weight", "score", "similarity", "distance", "probability", "match_probability")


def named_pairs(names: Sequence[Any]) -> list[list[Any]]:
    """Return every two columns of items that usual names tell, among names of columns."""
    by_word = {str(name).strip().casefold(): name for name in reversed(names)}
    return [
        [by_word[word] for word in pair] for pair in ITEM_PAIRS if by_word.keys() >= {*pair}
    ]


def pair_names(names: Sequence[Any]) -> list[Any]:
    """Return the two columns of items among names of columns; none if the names do not tell."""
    pairs = named_pairs(names)
    return pairs[0] if len(pairs) == 1 else []


def score_names(names: Sequence[Any]) -> list[Any]:
    """Return the columns among names of columns that are usual names of a score."""
    by_word = {str(name).strip().casefold(): name for name in reversed(names)}
    return [by_word[word] for word in SCORES if word in by_word]


def pair_columns(pairs: Any) -> tuple[Any, Any]:
    """Return the items of pairs as two columns.

    Raises
    ------
    TypeError, ValueError
        These are no pairs of items, or a frame has more columns and names do not tell which.
    """
    refuse_uncomputed(pairs, "pairs")
    if pairs is None or isinstance(pairs, (str, bytes, Mapping)):
        raise TypeError(
            f"pairs is {with_article(pairs)}; rows (item, item), a tuple of two columns, or a "
            "frame are expected"
        )
    names = getattr(pairs, "column_names", getattr(pairs, "columns", None))  # pyarrow, others
    if isinstance(pairs, np.ndarray):
        names = pairs.dtype.names
    if names is not None and hasattr(pairs, "__getitem__"):
        names = list(names)
        named = names if len(names) == 2 else pair_names(names)
        if not named:
            raise ValueError(
                "pairs are two columns of items, and this frame has the columns "
                f"{', '.join(map(str, names))}; pass the two that are meant, "
                "frame[[item, item]]"
            )
        columns = (pairs[name] for name in named)
        first, second = (x if is_masked_array(x) else array_of(x) for x in columns)
        return first, second
    if isinstance(pairs, np.ndarray):
        if pairs.ndim != 2 or pairs.shape[1] != 2:
            raise ValueError(f"pairs are rows (item, item); this array has shape {pairs.shape}")
        return pairs[:, 0], pairs[:, 1]
    if isinstance(pairs, tuple) and len(pairs) == 2 and not isinstance(pairs[0], (tuple, str)):
        lengths = [len(part) for part in pairs]
        if lengths[0] != lengths[1]:
            raise ValueError(
                f"the two columns of pairs have lengths {lengths[0]} and {lengths[1]}; they "
                "must agree"
            )
        refuse_other_indexes(dict(zip(("items", "other items"), pairs, strict=True)))
        return pairs
    rows = list(pairs)
    if not rows:
        refuse_read_before(pairs, "pairs")
    for number, row in enumerate(rows):
        if not isinstance(row, (Sequence, np.ndarray)) or isinstance(row, str) or len(row) != 2:
            raise ValueError(f"pair {number} is {row!r}; pairs are (item, item)")
    return [row[0] for row in rows], [row[1] for row in rows]


def array_of(column: Any) -> NDArray[Any]:
    """Return a column of a frame as an array; times of polars and pyarrow keep their zone."""
    zone = getattr(getattr(column, "dtype", None), "time_zone", None)
    if zone or has_zone(getattr(column, "type", None)):
        return read_column(column, "pairs").decode()
    return np.asarray(column)


def joined_by_pairs(pairs: Any, items: Any = None) -> tuple[IntArray, Column]:
    """Return the connected component of every item, and the items.

    Parameters
    ----------
    pairs
        See ``pair_columns``.
    items : array-like, optional
        All items; else those of the pairs, in the order in which they come.

    Raises
    ------
    ValueError
        An item of a pair is not among the items, or has no id; an item stands twice.
    """
    first, second = pair_columns(pairs)
    n_pairs = len(first)
    ends = [None] * (2 * n_pairs)
    ends[::2], ends[1::2] = _listed(first), _listed(second)
    own = [] if items is None else _listed(items)
    column = read_ids(own + ends, "items of pairs").compact()
    if column.missing is not None and column.missing.any():
        position = int(np.flatnonzero(column.missing)[0])
        where = (
            f"item {position}" if position < len(own) else f"pair {(position - len(own)) // 2}"
        )
        raise ValueError(f"{where} has no id; each item of a pair needs one")
    codes = column.codes.astype(np.int64)
    assert column.categories is not None
    n_names = len(column.categories)
    if items is None:
        numbered, n_items = _kernels.impl.first_appearance(codes, n_names)
        names = np.empty(n_items, dtype=np.int64)
        names[numbered] = codes
    else:
        names, numbered = codes[: len(own)], np.full(n_names, -1, dtype=np.int64)
        numbered[names] = np.arange(len(own))
        again = np.flatnonzero(numbered[names] != np.arange(len(own)))
        if len(again):
            raise ValueError(
                f"item {own[int(again[0])]!r} stands twice among the items; each stands once"
            )
        numbered = numbered[codes[len(own) :]]
        outside = np.flatnonzero(numbered < 0)
        if len(outside):
            end = int(outside[0])
            raise ValueError(
                f"pair {end // 2} names item {ends[end]!r}, which is not among the items; add "
                "it there, or leave the pair out"
            )
        n_items = len(own)
    numbered = np.ascontiguousarray(numbered, dtype=np.int64)
    left, right, _ = _kernels.impl.sweep_edges(
        n_items, numbered[::2].copy(), numbered[1::2].copy()
    )
    tops = _kernels.impl.sweep_clusters(n_items, left, right, len(left))
    clusters, _ = _kernels.impl.first_appearance(tops, n_items + len(left))
    return clusters, Column(names, column.categories)


def _listed(values: Any) -> list[Any]:
    """Return items as a list of plain values; times stay times."""
    values = members_of(values)
    return values.tolist() if hasattr(values, "tolist") else list(values)
