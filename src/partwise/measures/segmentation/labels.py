"""Which clusters of a table bear the label that means nobody: background or silence."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np

from partwise.labels.columns import Column
from partwise.labels.policies import declared_labels
from partwise.numbers.arrays import BoolArray
from partwise.table.contingency import Contingency


class Present(NamedTuple):
    """Which rows, columns and cells of a table are of somebody, on both sides for cells."""

    rows: BoolArray
    cols: BoolArray
    cells: BoolArray


def key_of(label: Any) -> Hashable | None:
    """Return what tells a label, or a pair of labels, from others; None if nothing can.

    Labels of different types are told apart even where they are equal, as 0 and False are:
    they may not both be labels of the table.
    """
    labels = label if isinstance(label, tuple) else (label,)
    try:
        key = tuple((type(one), one) for one in labels)
        hash(key)
    except TypeError:
        return None
    return key


def present(table: Contingency, label: Any, option: str) -> Present:
    """Return what is left of a table without the clusters of a label.

    Parameters
    ----------
    table : Contingency
    label
        The label on either side, or a pair (reference, candidate); None: every cluster stays.
    option : str
        What the caller calls it.
    """
    rows, cols = (np.ones(k, dtype=bool) for k in table.shape)
    labels = label if isinstance(label, tuple) else (label, label)
    if len(labels) != 2:
        raise ValueError(
            f"{option}={label!r}: one label, or a pair (reference, candidate) is expected"
        )
    sides = (("reference", rows, table.row_names), ("candidate", cols, table.col_names))
    for (side, kept, names), value in zip(sides, labels, strict=True):
        if value is None or not len(kept):
            continue
        declared = declared_labels(Column(np.arange(len(kept)), names), [value])
        if declared.foreign:
            alike = declared.foreign[0][1]
            hint = f"; did you mean {alike!r}?" if alike is not None else "."
            raise ValueError(
                f"{option}={value!r} is of another kind than the labels of the {side}{hint} A "
                f"pair {option}=(reference, candidate) takes one label for each side"
            )
        kept[declared.codes] = False
    return Present(rows, cols, rows[table.rows] & cols[table.cols])
