"""The best and a worst clustering for a given one (SM, Property 5.1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from partwise import _kernels
from partwise._kernels.long_columns import stable_order
from partwise.labels.clustering import as_clustering, first_appearance_labels
from partwise.numbers.arrays import IntArray
from partwise.typing import Labels


def best_clustering(labels: Labels) -> IntArray:
    """Label the items by the best clustering for a given one: itself, in plain numbers.

    Parameters
    ----------
    labels
        Labels, mapping, list of sets or ``Clustering``; every item needs a label.

    Returns
    -------
    ndarray of int64, shape (n,)
        Labels 0, 1, ... in order of first appearance.

    Raises
    ------
    ValueError
        An item has no label.

    Notes
    -----
    Only this one scores 1 under a conditionally normalised measure. O(n).

    References
    ----------
    Split-merge (ICML 2012), Property 5.1.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.best_clustering(["x", "x", "y"]).tolist()
    [0, 0, 1]
    """
    return first_appearance_labels(_codes(labels, "best_clustering"))


def worst_clustering(labels: Labels) -> IntArray:
    """Label the items by a worst clustering: no pair and no cluster is as in the given one.

    Parameters
    ----------
    labels
        Labels, mapping, list of sets or ``Clustering``; every item needs a label.

    Returns
    -------
    ndarray of int64, shape (n,)
        Cluster r holds the r-th item of every cluster of ``labels``.

    Raises
    ------
    ValueError
        An item has no label, or there are fewer than two items: then every clustering is
        the best one.

    Notes
    -----
    SM, Table 2: S* is 0 exactly where the meet has only single items and no cluster is
    shared. The first items of all clusters are together here, so a single item is never
    alone again. Other worst clusterings exist. O(n).

    References
    ----------
    Split-merge (ICML 2012), Property 5.1 and Table 2.

    Examples
    --------
    >>> import partwise as pw
    >>> worst = pw.worst_clustering([0, 0, 0, 1, 2])
    >>> worst.tolist()
    [0, 1, 2, 0, 0]
    >>> pw.s_entropy([0, 0, 0, 1, 2], worst)
    0.0
    """
    codes = _codes(labels, "worst_clustering")
    if len(codes) < 2:
        raise ValueError(
            f"worst_clustering: {len(codes)} items have only one clustering, which is the "
            "best one; give at least two items"
        )
    order = stable_order(codes)
    sizes = np.bincount(codes)
    starts = np.cumsum(sizes) - sizes
    worst = np.empty(len(codes), dtype=np.int64)
    worst[order] = np.arange(len(codes)) - np.repeat(starts, sizes)
    return worst


def _codes(labels: Any, name: str) -> IntArray:
    """Return codes 0..k-1 of the labels, all of which must be there."""
    column = as_clustering(labels, "labels").column
    if column.missing is not None and column.missing.any():
        index = int(np.flatnonzero(column.missing)[0])
        raise ValueError(
            f"{name}: the item at index {index} has no label; drop such items first"
        )
    codes: IntArray = _kernels.impl.encode(column.codes)[1]
    return codes
