"""Scored edges in every form as three columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from partwise.labels.columns import refuse_read_before
from partwise.labels.indexes import refuse_other_indexes
from partwise.labels.items.pairs import array_of, pair_names, score_names
from partwise.numbers.masked import first_masked, has_masked
from partwise.thresholds.items import shown


class EdgeColumns(NamedTuple):
    """Edges as three columns."""

    first: Any
    second: Any
    scores: Any


def edge_columns(merges: Any) -> tuple[Any, Any, Any]:
    """Return the items and scores of edges as three columns.

    Raises
    ------
    ValueError
        They are no three columns, or some of their entries are masked.
    """
    if isinstance(merges, EdgeColumns):
        return merges
    columns = _columns_of(merges)
    for column, what in zip(columns, ("item", "other item", "score"), strict=True):
        if has_masked(column):
            raise ValueError(
                f"edge {first_masked(column)}: its {what} is masked; leave the edge out, or "
                "unmask it"
            )
    return columns


def _columns_of(merges: Any) -> tuple[Any, Any, Any]:
    names = getattr(merges, "column_names", getattr(merges, "columns", None))  # pyarrow, others
    if isinstance(merges, np.ndarray):
        names = merges.dtype.names
    if names is not None and hasattr(merges, "__getitem__"):
        if len(names) < 3:
            raise ValueError(
                f"edges are columns item, item, score; this frame has {len(names)} columns"
            )
        of_names = (merges[name] for name in _edge_names(list(names)))
        first, second, scores = (x if has_masked(x) else array_of(x) for x in of_names)
        return first, second, scores
    if isinstance(merges, tuple) and len(merges) == 3 and np.ndim(merges[0]) == 1:
        lengths = [len(part) for part in merges]
        if len(set(lengths)) > 1:
            raise ValueError(f"columns of edges have lengths {lengths}; they must agree")
        refuse_other_indexes(dict(zip(("items", "other items", "scores"), merges, strict=True)))
        return tuple(part if isinstance(part, np.ndarray) else list(part) for part in merges)  # type: ignore[return-value]
    if isinstance(merges, np.ndarray) and merges.ndim == 2 and merges.shape[1] == 3:
        return merges[:, 0], merges[:, 1], merges[:, 2]
    rows = list(merges)
    if not rows:
        refuse_read_before(merges, "edges")
    for e, row in enumerate(rows):
        if not isinstance(row, (Sequence, np.ndarray)) or isinstance(row, str) or len(row) != 3:
            raise ValueError(f"edge {e} is {shown(row)}; edges are (item, item, score)")
    columns = [list(part) for part in zip(*rows, strict=True)] if rows else [[], [], []]
    return columns[0], columns[1], columns[2]


def _edge_names(names: list[Any]) -> list[Any]:
    """Return the columns of a frame that hold the two items and the score of each edge.

    Raises
    ------
    ValueError
        There are more than three, and their names do not tell.
    """
    pair, scores = pair_names(names), score_names(names)
    if not pair or len(scores) != 1:
        if len(names) == 3:
            return names
        raise ValueError(
            f"edges are columns item, item, score, and this frame has the columns "
            f"{', '.join(map(str, names))}; pass the three that are meant, frame[[item, item, "
            "score]]"
        )
    return [*pair, *scores]
