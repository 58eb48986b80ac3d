"""Rows of a linkage matrix, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from partwise import _kernels
from partwise.numbers.arrays import BoolArray, FloatArray, IntArray
from partwise.numbers.masked import first_masked, has_masked

_ROWS = "rows (cluster, cluster, height, size)"


def read_rows(linkage: Any) -> FloatArray:
    """Return a linkage as an array of four columns, or of three where it has no sizes."""
    if has_masked(linkage):
        raise ValueError(
            f"linkage row {first_masked(linkage)} has masked entries; every row needs its "
            "clusters, its height and its size"
        )
    try:
        if np.iscomplexobj(linkage):
            raise TypeError("complex numbers")
        rows = np.asarray(linkage, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"a linkage is an array of {_ROWS}: {error}") from None
    if rows.size == 0:
        rows = rows.reshape(0, 4)
    if rows.ndim != 2 or rows.shape[1] not in (3, 4):
        raise ValueError(f"a linkage has {_ROWS}; this array has shape {rows.shape}")
    return rows


def merges_of_rows(rows: FloatArray, n: int) -> tuple[IntArray, IntArray, FloatArray]:
    """Return the clusters that each row joins, and its height.

    Raises
    ------
    ValueError
        A row joins what it cannot join, or counts other items than its clusters hold.
    """
    joined, heights = rows[:, :2], rows[:, 2].copy()
    _refuse_row(~np.isfinite(joined) | (joined != np.floor(joined)), rows, "no cluster number")
    formed = (n + np.arange(len(rows)))[:, None]
    _refuse_row(joined < 0, rows, "a negative cluster number")
    _refuse_row(joined >= formed, rows, "a cluster that is not yet formed")
    ids = joined.astype(np.int64)
    _refuse_row((ids[:, :1] == ids[:, 1:]), rows, "the same cluster twice")
    flat = ids.ravel()
    if len(flat) and np.bincount(flat).max() > 1:
        first_uses = np.unique(flat, return_index=True)[1]
        position = int(np.delete(np.arange(len(flat)), first_uses)[0])
        raise ValueError(
            f"linkage row {position // 2}: cluster {flat[position]} was merged before; a "
            "cluster is merged once"
        )
    unknown = np.flatnonzero(np.isnan(heights) | (heights == -np.inf))
    if len(unknown):
        k = int(unknown[0])
        raise ValueError(f"linkage row {k}: its height is {heights[k]}; heights are numbers")
    left, right = (np.ascontiguousarray(ids[:, i]) for i in range(2))
    if rows.shape[1] == 4:
        sizes = _kernels.impl.sweep_sizes(np.ones(n, dtype=np.int64), left, right)
        wrong = np.flatnonzero(rows[:, 3] != sizes[n:])
        if len(wrong):
            k = int(wrong[0])
            raise ValueError(
                f"linkage row {k}: it counts {rows[k, 3]:g} items, but its clusters hold "
                f"{sizes[n + k]}"
            )
    heights += 0.0  # -0.0 is 0.0
    return left, right, heights


def _refuse_row(wrong: BoolArray, rows: FloatArray, what: str) -> None:
    """Raise for the first row of a linkage that has something wrong, if there is one."""
    bad = np.flatnonzero(wrong.any(axis=1))
    if len(bad):
        k = int(bad[0])
        a, b = rows[k, 0], rows[k, 1]
        raise ValueError(f"linkage row {k} joins {a:g} and {b:g}: {what}")
