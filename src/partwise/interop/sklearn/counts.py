"""The table of classes and clusters, dense or sparse."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from partwise.interop.sklearn.checks import (
    refuse,
)
from partwise.labels.forms import as_array
from partwise.table.arguments import table_of
from partwise.typing import Column


def contingency_matrix(
    labels_true: Column,
    labels_pred: Column,
    *,
    eps: float | None = None,
    sparse: bool = False,
    dtype: DTypeLike = np.int64,
) -> Any:
    """Count samples by class and cluster, both in sorted order.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_samples,)
        NaN is one label, as in ``numpy.unique``.
    eps : float, optional
        Added to every entry of a dense matrix.
    sparse : bool, default False
        Whether to return a ``scipy.sparse.csr_matrix``.
    dtype : dtype, default int64

    Returns
    -------
    ndarray or csr_matrix of shape (n_classes, n_clusters)

    Raises
    ------
    ValueError
        ``eps`` with ``sparse=True``; the lengths differ.

    Examples
    --------
    >>> from partwise.interop.sklearn import contingency_matrix
    >>> contingency_matrix(["b", "a", "b"], [7, 7, 9]).tolist()
    [[1, 0], [1, 1]]
    """
    if eps is not None and sparse:
        raise ValueError("Cannot set 'eps' when sparse=True")
    if eps is not None and (not isinstance(eps, Real) or not eps >= 0):
        refuse("eps", "contingency_matrix", "a float in the range [0.0, inf) or None", eps)
    classes, clusters = (
        np.unique(as_array(labels, parameter), return_inverse=True)[1].ravel()
        for labels, parameter in ((labels_true, "labels_true"), (labels_pred, "labels_pred"))
    )
    counts = table_of(classes, clusters, {}, "contingency_matrix").to_scipy().astype(dtype)
    if sparse:
        from scipy.sparse import csr_matrix

        return csr_matrix(counts)
    dense = counts.toarray()
    return dense if eps is None else dense + eps
