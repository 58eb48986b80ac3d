"""A form of results in which they can be compared."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

import partwise as pw
from partwise import scale


def frozen(value: Any) -> Any:
    """Return what two equal results have in common: plain values, bytes of arrays, fields."""
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return ("array", value.shape, frozen(value.tolist()))
        return ("array", value.shape, value.dtype.str, value.tobytes())
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, (str, bytes, int, Fraction, type(None), np.generic)):
        return value
    if isinstance(value, Mapping):
        return [(frozen(key), frozen(one)) for key, one in value.items()]
    if isinstance(value, (set, frozenset)):
        return sorted(map(repr, value))
    if isinstance(value, (list, tuple)):
        return [frozen(one) for one in value]
    if hasattr(value, "to_dict"):
        return frozen(value.to_dict())
    if hasattr(value, "tocsr"):
        matrix = value.tocsr()
        return frozen([matrix.shape, matrix.indptr, matrix.indices, matrix.data])
    if isinstance(value, pw.Contingency):
        parts = (value.indptr, value.cols, value.counts, value.row_labels, value.col_labels)
        return frozen([*parts, value.row_masses, value.col_masses])
    if isinstance(value, scale.streaming.LiveTable):
        return frozen([value.table(), value.score("variation_of_information"), value.n_items])
    if isinstance(value, pw.Alignment):
        return frozen([value.table, value.items, value.cell_of_item])
    if isinstance(value, pw.Clustering):
        return frozen([value.labels, value.items])
    if isinstance(value, pw.Cover):
        return frozen([value.indptr, value.members])
    if isinstance(value, pw.Components):
        return frozen(
            [value.sizes, *([value.rows(k), value.cols(k)] for k in range(len(value)))]
        )
    if isinstance(value, scale.forest.Forest):
        return frozen([value.n_components, value.sizes, list(value.components())])
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value)]
        return frozen([getattr(value, name) for name in names if not name.startswith("_")])
    raise TypeError(f"no comparable form of {type(value)}")
