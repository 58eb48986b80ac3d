"""Columns of ``obs`` in an .h5ad file, as AnnData writes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from partwise.labels.files.npy import DAMAGED
from partwise.labels.files.sources import Source
from partwise.labels.files.table import Table, table_of


def read_h5ad(source: Source) -> Table:
    """Return the columns of ``obs``; its index is one of them.

    Raises
    ------
    ModuleNotFoundError
        h5py is not installed; the text names the extra.
    ValueError
        The file is another HDF5 file, or of a version of AnnData before 0.7.
    """
    path = source.path
    try:
        import h5py
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"{path}: reading h5ad needs h5py: pip install h5py", name="h5py"
        ) from error
    lacks = ""
    try:
        with source.open() as content, h5py.File(content, "r") as file:
            obs = file.get("obs")
            if isinstance(obs, h5py.Group):
                index = str(obs.attrs.get("_index", "_index"))
                names = [index, *map(str, obs.attrs.get("column-order", []))]
                columns = [_values(obs[name]) for name in names]
            else:
                lacks = "no obs" if obs is None else "an obs of AnnData before 0.7"
    except DAMAGED as error:
        if isinstance(error, FileNotFoundError):
            raise
        raise ValueError(f"{path}: not readable as h5ad ({error})") from error
    if lacks:
        raise ValueError(f"{path}: an HDF5 file with {lacks}; write it with AnnData 0.8")
    table = table_of(str(path), names, dict(enumerate(columns)))
    return Table(table.path, table.columns, names=table.names, index=table.index | {index})


def _values(stored: Any) -> Any:
    """Return a column of obs: a dataset, categories, or values with a mask."""
    if not hasattr(stored, "keys"):
        return _plain(stored)
    if "categories" in stored:
        codes = stored["codes"][()]
        categories = np.asarray(_plain(stored["categories"]), dtype=object).tolist()
        if not isinstance(categories, list) or not isinstance(codes, np.ndarray):
            raise KeyError(f"column {stored.name} has categories or codes that are no lists")
        n = len(categories)
        if codes.dtype.kind not in "iu" or codes.ndim != 1 or codes.max(initial=-1) >= n:
            raise KeyError(f"column {stored.name} has codes that number none of {n} categories")
        return [None if code < 0 else categories[code] for code in codes.tolist()]
    if "mask" in stored:
        values, mask = np.asarray(_plain(stored["values"])), np.asarray(stored["mask"][()])
        if mask.shape != values.shape:
            shapes = f"values of shape {values.shape} and a mask of {mask.shape}"
            raise KeyError(f"column {stored.name} has {shapes}")
        return np.ma.masked_array(values, mask=mask)
    raise KeyError(f"column {stored.name} is of a kind that is not read")


def _plain(stored: Any) -> Any:
    values = stored[()]
    if values.dtype.kind == "O":
        return [cell.decode() if isinstance(cell, bytes) else cell for cell in values.tolist()]
    return values.tolist() if values.dtype.kind in "iub" and values.ndim == 0 else values
