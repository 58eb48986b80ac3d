"""Metrics that count pairs of samples."""

from __future__ import annotations

import numpy as np

from partwise.interop.sklearn.checks import (
    table_of_labels,
)
from partwise.measures import public as measures
from partwise.numbers.arrays import IntArray
from partwise.typing import Column


def rand_score(labels_true: Column, labels_pred: Column) -> float:
    """Rand index: share of the pairs of samples on which both labelings agree.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_samples,)

    Returns
    -------
    float
        In [0, 1]; 1 without a pair.

    Examples
    --------
    >>> from partwise.interop.sklearn import rand_score
    >>> rand_score([0, 0, 1, 1], [0, 1, 1, 1])
    0.5
    """
    return measures.rand_index(table_of_labels(labels_true, labels_pred, "rand_score"))


def adjusted_rand_score(labels_true: Column, labels_pred: Column) -> float:
    """Rand index adjusted for chance (Hubert and Arabie).

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_samples,)

    Returns
    -------
    float
        1: identical; 0: what chance gives; can be negative.

    Examples
    --------
    >>> from partwise.interop.sklearn import adjusted_rand_score
    >>> round(adjusted_rand_score([0, 0, 1, 1], [0, 0, 1, 2]), 6)
    0.571429
    """
    return measures.adjusted_rand_index(
        table_of_labels(labels_true, labels_pred, "adjusted_rand_score")
    )


def fowlkes_mallows_score(labels_true: Column, labels_pred: Column) -> float:
    """Geometric mean of pairwise precision and recall.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_samples,)

    Returns
    -------
    float
        In [0, 1]; 0 where no pair is together in both, also for two labelings of single
        samples, where ``partwise.fowlkes_mallows`` is 1.

    Examples
    --------
    >>> from partwise.interop.sklearn import fowlkes_mallows_score
    >>> fowlkes_mallows_score([0, 0, 1, 1], [0, 0, 1, 1])
    1.0
    """
    table = table_of_labels(labels_true, labels_pred, "fowlkes_mallows_score")
    if table.n_cells == table.n_items:
        return 0.0
    return measures.fowlkes_mallows(table)


def pair_confusion_matrix(labels_true: Column, labels_pred: Column) -> IntArray:
    """Ordered pairs of samples that are apart or together, as a 2 x 2 array.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_samples,)

    Returns
    -------
    ndarray of shape (2, 2), int64
        Rows: apart or together in ``labels_true``; columns: in ``labels_pred``. Every pair
        counts twice; ``partwise.pair_confusion`` counts it once.

    Examples
    --------
    >>> from partwise.interop.sklearn import pair_confusion_matrix
    >>> (tn, fp), (fn, tp) = pair_confusion_matrix([0, 0, 1, 1], [0, 1, 1, 1])
    >>> [int(pairs) for pairs in (tn, fp, fn, tp)]
    [4, 4, 2, 2]
    """
    n11, n10, n01, n00 = measures.pair_confusion(
        table_of_labels(labels_true, labels_pred, "pair_confusion_matrix")
    )
    return 2 * np.array([[n00, n01], [n10, n11]], dtype=np.int64)
