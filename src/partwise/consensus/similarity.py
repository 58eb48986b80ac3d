"""The share of the draws that have two items together, for all pairs of items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from partwise.consensus.ensemble import read_ensemble
from partwise.numbers.arrays import FloatArray
from partwise.typing import Column, Labels

#: Bytes of a matrix beyond which it has to be asked for.
_MOST_BYTES = 1 << 30


def similarity_matrix(
    draws: Column | Iterable[Labels],
    *,
    weights: Column | Mapping[Any, float] | None = None,
    max_bytes: int = _MOST_BYTES,
) -> FloatArray:
    """Share of the draws in which two items are together, a dense matrix.

    Parameters
    ----------
    draws, weights
        See ``expected_loss``.
    max_bytes : int, default 2**30
        A larger matrix is refused: it has 8 n^2 bytes, and nothing else here needs it.

    Returns
    -------
    ndarray of float64, shape (n, n)
        In [0, 1], symmetric, 1 on the diagonal; items in the order of the first draw.

    Raises
    ------
    ValueError, TypeError
        As ``expected_loss``; the matrix would be larger than ``max_bytes``.

    Notes
    -----
    O(n^2), and the squared cluster sizes of every distinct draw.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.similarity_matrix([[0, 0, 1], [0, 1, 1]]).tolist()
    [[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]]
    """
    ensemble = read_ensemble(draws, weights)
    n = ensemble.n_items
    if 8 * n * n > max_bytes:
        raise ValueError(
            f"a matrix of {n} x {n} items takes {8 * n * n:,} bytes, more than "
            f"max_bytes={max_bytes:,}; pass a larger max_bytes, or some of the items"
        )
    matrix: FloatArray = np.zeros((n, n))
    for row, weight in zip(ensemble.codes, ensemble.weights.tolist(), strict=True):
        order = np.argsort(row, kind="stable")
        ends = np.cumsum(np.bincount(row))
        for members in np.split(order, ends[:-1]):
            matrix[np.ix_(members, members)] += weight
    return matrix / matrix[0, 0] if n else matrix
