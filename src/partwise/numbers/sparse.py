"""SciPy sparse matrices, checked and copied before anything follows their indices."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.numbers.arrays import IntArray


def checked_sparse(matrix: Any, name: str) -> Any:
    """Return a sparse matrix as one in memory of its own whose indices all lie inside it.

    Parameters
    ----------
    matrix : scipy sparse matrix or array with two dimensions
        SciPy takes indices of any value and follows them unchecked when it converts between
        formats; its flag that a matrix is in canonical form says what somebody claimed.
    name : str
        How messages call it, e.g. "reference".

    Returns
    -------
    csr, csc, bsr or coo array of the same entries, in their stored order
        What ``has_canonical_format`` says of it is true.

    Raises
    ------
    ValueError
        An index lies outside, or ``indptr`` is no ascending list of ends; the cell is named.

    Notes
    -----
    O(stored entries), and a copy of them: what another thread writes into the caller's arrays
    meanwhile cannot reach a kernel.
    """
    from scipy import sparse

    layout = getattr(matrix, "format", None)
    if layout in ("csr", "csc", "bsr"):
        indptr = _integers(matrix.indptr, name, "indptr")
        indices = _integers(matrix.indices, name, "indices")
        data = np.array(matrix.data)
        shape = int(matrix.shape[0]), int(matrix.shape[1])
        block = data.shape[1:] if layout == "bsr" else (1, 1)
        lines, across = (size // side for size, side in zip(shape, block, strict=True))
        if layout == "csc":
            lines, across = across, lines
        words = ("column", "row") if layout == "csc" else ("row", "column")
        if layout == "bsr":
            words = ("block row", "block column")
        n_cells = _check_ends(indptr, min(len(indices), len(data)), lines, name, words[0])
        indices, data = indices[:n_cells], data[:n_cells]
        _check_indices(indices, indptr, across, name, words)
        kind = getattr(sparse, f"{layout}_array")
        return kind((data, indices, indptr), shape=shape)
    coo = matrix if layout == "coo" else matrix.tocoo()
    rows = _integers(coo.row, name, "row")
    cols = _integers(coo.col, name, "col")
    values = np.array(coo.data)
    if not len(rows) == len(cols) == len(values):
        raise ValueError(
            f"{name} has {len(rows)} row indices, {len(cols)} column indices and "
            f"{len(values)} values; each stored cell needs one of each"
        )
    for positions, size, word in ((rows, coo.shape[0], "row"), (cols, coo.shape[1], "column")):
        wrong = np.flatnonzero((positions < 0) | (positions >= size))
        if len(wrong):
            raise ValueError(
                f"{name} has its stored cell {wrong[0]} in {word} {positions[wrong[0]]}, but "
                f"has {size} {word}s, numbered from 0 ({len(wrong)} such cells)"
            )
    return sparse.coo_array((values, (rows, cols)), shape=coo.shape)


def _integers(values: Any, name: str, attribute: str) -> IntArray:
    array: NDArray[Any] = np.asarray(values)
    if array.dtype.kind not in "iu" or array.ndim != 1:
        raise ValueError(
            f"{name} has an {attribute} of dtype {array.dtype}, shape {array.shape}; one "
            "column of integers is expected"
        )
    return np.array(array, dtype=np.int64)


def _check_ends(indptr: IntArray, n_stored: int, lines: int, name: str, word: str) -> int:
    """Return how many cells ``indptr`` speaks of."""
    if len(indptr) != lines + 1:
        raise ValueError(
            f"{name} has an indptr of {len(indptr)} entries for {lines} {word}s; one more than "
            f"{word}s is expected"
        )
    if indptr[0] != 0:
        raise ValueError(f"{name} has an indptr that starts at {indptr[0]}, not at 0")
    falls = np.flatnonzero(indptr[1:] < indptr[:-1])
    if len(falls):
        line = int(falls[0])
        raise ValueError(
            f"{name} has an indptr that falls from {indptr[line]} to {indptr[line + 1]} at "
            f"{word} {line}; the cells of a {word} end where the next one's begin"
        )
    if indptr[-1] > n_stored:
        line = int(np.flatnonzero(indptr > n_stored)[0]) - 1
        raise ValueError(
            f"{name} has an indptr that reaches {indptr[line + 1]} at {word} {line}, but only "
            f"{n_stored} cells are stored"
        )
    return int(indptr[-1])


def _check_indices(
    indices: IntArray, indptr: IntArray, across: int, name: str, words: tuple[str, str]
) -> None:
    wrong = np.flatnonzero((indices < 0) | (indices >= across))
    if len(wrong) == 0:
        return
    cell = int(wrong[0])
    line = int(np.searchsorted(indptr, cell, side="right")) - 1
    raise ValueError(
        f"{name} has its stored cell {cell}, of {words[0]} {line}, in {words[1]} "
        f"{indices[cell]}, but has {across} {words[1]}s, numbered from 0 ({len(wrong)} such "
        "cells)"
    )
