"""B-cubed: for each item, how its own cluster on one side is met by the other's."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, Unpack

import numpy as np

from partwise import _kernels
from partwise._kernels import order_free
from partwise.measures.components.losses import of_b_cubed
from partwise.measures.components.sums import (
    Parts,
    by_cols,
    by_rows,
    ratio_parts,
    total_of_side,
)
from partwise.measures.formulas import Formula, Result, ratio
from partwise.measures.overlap import b_cubed_measure
from partwise.measures.overlap.cluster_means import (
    CLUSTER_WEIGHTS,
    mean_over_clusters,
    of_cluster_means,
)
from partwise.measures.sums import BCubedSums, EqualClusters
from partwise.numbers.checks import one_of, weight_of_harmonic_mean
from partwise.table.arguments import Reference, table_of
from partwise.table.contingency import Contingency
from partwise.table.memo import memoized
from partwise.typing import Candidate, Column, OtherPolicies

__all__ = [
    "b_cubed",
    "b_cubed_f1",
    "b_cubed_precision",
    "b_cubed_recall",
    "cluster_f1",
    "cluster_precision",
    "cluster_recall",
]


@dataclass(frozen=True, slots=True)
class BCubed:
    """B-cubed scores.

    Attributes
    ----------
    precision, recall, f1 : float
        Each in (0, 1], 1 for no items.
    """

    precision: float
    recall: float
    f1: float


@memoized
def b_cubed_sums(table: Contingency) -> BCubedSums:
    """Return precision and recall as integers over a whole, with masses as fractions."""
    masses = table.all_masses
    if masses is None:
        recall, precision = _kernels.impl.b_cubed_sums(
            *table.cells, table.row_sizes, table.col_sizes
        )
        return BCubedSums(precision, recall, table.n_items << 64)
    if table.n_items == 0:
        return BCubedSums(0, 0, 0)
    sums = []
    for side, of_cell in (("rows", table.rows), ("cols", table.cols)):
        size, cells = getattr(masses, side).high[of_cell], masses.cells.high
        share = np.divide(cells, size, out=np.zeros_like(size), where=size > 0)
        above = Fraction(*order_free.total(cells * share))
        sums.append(above / total_of_side(table, side))
    return BCubedSums(sums[1], sums[0], Fraction(1))


# ---- as functions of sums, see formulas.py ----------------------------------------------


def _precision(s: Any) -> Result:
    return ratio(s.precision, s.unit, 1)


def _recall(s: Any) -> Result:
    return ratio(s.recall, s.unit, 1)


def _f1(s: Any, beta: float = 1.0) -> Result:
    beta = weight_of_harmonic_mean(beta)
    if math.isinf(beta):
        return _recall(s)
    p, q = (x * x for x in beta.as_integer_ratio())
    below = s.unit * (p * s.precision + q * s.recall)
    return ratio((p + q) * s.precision * s.recall, below, 1)


def _cluster_precision(clusters: Any) -> Result:
    return ratio(clusters.both, clusters.candidate, 1)


def _cluster_recall(clusters: Any) -> Result:
    return ratio(clusters.both, clusters.reference, 1)


def _cluster_f1(clusters: Any) -> Result:
    return ratio(2 * clusters.both, clusters.reference + clusters.candidate, 1)


# ---- the measures ------------------------------------------------------------------------


def b_cubed(
    reference: Reference,
    candidate: Candidate = None,
    *,
    weights: Column | Mapping[Any, float] | Literal["clusters"] | None = None,
    **policies: Unpack[OtherPolicies],
) -> BCubed:
    """B-cubed precision, recall and their harmonic mean.

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` or ``Contingency``.
    weights : array-like, or "clusters", optional
        Weights of the items, see ``align``; or the word "clusters": every reference cluster
        counts the same, as with ``cluster_weights="uniform"`` of the three measures.
    **policies
        See ``align``.

    Returns
    -------
    BCubed

    Examples
    --------
    >>> import partwise as pw
    >>> pw.b_cubed([0, 0, 1, 1], [0, 0, 0, 0])
    BCubed(precision=0.5, recall=1.0, f1=0.6666666666666666)
    >>> pw.b_cubed([0, 0, 0, 1], [0, 0, 1, 1], weights="clusters").precision == 2 / 3
    True
    """
    equal = isinstance(weights, str) and weights == "clusters"
    every_policy: dict[str, Any] = {**policies}
    if weights is not None and not equal:
        every_policy["weights"] = weights
    table = table_of(reference, candidate, every_policy, "b_cubed")
    of = "uniform" if equal else "size"
    return BCubed(
        b_cubed_precision(table, cluster_weights=of),
        b_cubed_recall(table, cluster_weights=of),
        b_cubed_f1(table, cluster_weights=of),
    )


def _equal(cluster_weights: str) -> bool:
    """Return whether every reference cluster counts the same."""
    one_of(cluster_weights, CLUSTER_WEIGHTS, "cluster_weights")
    return cluster_weights == "uniform"


@b_cubed_measure(
    formula=Formula(_precision, ("b_cubed",)),
    decomposition=of_b_cubed("cols"),
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    join_weighted=True,
    source="Bagga and Baldwin 1998",
    variants={
        "cluster_weights=uniform": {
            "formula": None,
            "decomposition": of_cluster_means("cols"),
            "join_weighted": False,
            "weights": False,
        }
    },
)
def b_cubed_precision(
    table: Contingency, cluster_weights: Literal["size", "uniform"] = "size"
) -> float:
    """Mean over items of the share of their cluster that is in their class, in (0, 1].

    Parameters
    ----------
    cluster_weights : {"size", "uniform"}, default "size"
        "uniform": average in each reference cluster first, then over these, whatever their
        sizes.

    Returns
    -------
    float
        1: every candidate cluster lies inside a reference cluster.

    Raises
    ------
    ValueError
        ``cluster_weights`` is another word, or "uniform" beside weights.

    Notes
    -----
    (1/n) sum_ij n_ij^2 / m_j; n = 0: 1. Per cluster in fixed point of 64 fraction bits.
    O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.b_cubed_precision([0, 0, 1, 1], [0, 0, 0, 0])
    0.5
    """
    if _equal(cluster_weights):
        return float(mean_over_clusters(table, "cols"))
    return _precision(b_cubed_sums(table))


@b_cubed_measure(
    formula=Formula(_recall, ("b_cubed",)),
    decomposition=of_b_cubed("rows"),
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    join_weighted=True,
    source="Bagga and Baldwin 1998",
    variants={
        "cluster_weights=uniform": {
            "formula": None,
            "decomposition": of_cluster_means("rows"),
            "join_weighted": False,
            "weights": False,
        }
    },
)
def b_cubed_recall(
    table: Contingency, cluster_weights: Literal["size", "uniform"] = "size"
) -> float:
    """Mean over items of the share of their class that is in their cluster, in (0, 1].

    Parameters
    ----------
    cluster_weights : {"size", "uniform"}, default "size"
        "uniform": average in each reference cluster first, then over these, whatever their
        sizes.

    Returns
    -------
    float
        1: every reference cluster lies inside a candidate cluster.

    Raises
    ------
    ValueError
        ``cluster_weights`` is another word, or "uniform" beside weights.

    Notes
    -----
    (1/n) sum_ij n_ij^2 / n_i; n = 0: 1. Per cluster in fixed point of 64 fraction bits.
    O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.b_cubed_recall([0, 0, 1, 1], [0, 1, 2, 2])
    0.75
    """
    if _equal(cluster_weights):
        return float(mean_over_clusters(table, "rows"))
    return _recall(b_cubed_sums(table))


@b_cubed_measure(
    formula=Formula(_f1, ("b_cubed",)),
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    source="Bagga and Baldwin 1998",
    variants={
        "beta=2": {"symmetric": False, "default": False},
        "cluster_weights=uniform": {"symmetric": False, "formula": None, "weights": False},
    },
)
def b_cubed_f1(
    table: Contingency, beta: float = 1.0, cluster_weights: Literal["size", "uniform"] = "size"
) -> float:
    """Weighted harmonic mean of B-cubed precision and recall, in (0, 1].

    Parameters
    ----------
    beta : float, default 1
        Weight of recall, 0 (precision alone) to infinity (recall alone).
    cluster_weights : {"size", "uniform"}, default "size"
        As for ``b_cubed_precision``.

    Returns
    -------
    float
        1: identical.

    Raises
    ------
    ValueError
        ``beta`` is negative or not a number, ``cluster_weights`` is another word, or "uniform"
        beside weights.

    Notes
    -----
    (1 + beta^2) P R / (beta^2 P + R); n = 0: 1. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.b_cubed_f1([0, 0, 1, 1], [0, 0, 0, 0]) == 2 / 3
    True
    """
    if _equal(cluster_weights):
        precision, recall = (mean_over_clusters(table, side) for side in ("cols", "rows"))
        return _f1(BCubedSums(precision, recall, Fraction(1)), beta)
    return _f1(b_cubed_sums(table), beta)


@memoized
def equal_clusters(table: Contingency) -> EqualClusters:
    """Return the clusters that stand on both sides with the same items. O(cells)."""
    own = table.counts == table.col_sizes[table.cols]
    both = int((own & (table.counts == table.row_sizes[table.rows])).sum())
    return EqualClusters(both, *table.shape)


def _of_equal_clusters(reference: int, candidate: int) -> Callable[[Contingency], Parts]:
    """Return the decomposition of a share of clusters: an equal one is a component of its own.

    Components weigh their number of clusters of the sides that are counted.
    """

    def parts(table: Contingency) -> Parts:
        rows, cols = (np.ones(k, dtype=np.int64) for k in table.shape)
        of_rows, of_cols = by_rows(table, rows), by_cols(table, cols)
        base = reference * of_rows + candidate * of_cols
        total_base = reference * table.shape[0] + candidate * table.shape[1]
        lost = np.where((of_rows == 1) & (of_cols == 1), 0, base)
        return ratio_parts(table, lost, base, total_base, complete=True)

    return parts


@b_cubed_measure(
    formula=Formula(_cluster_precision, ("clusters",)),
    decomposition=_of_equal_clusters(0, 1),
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    normalized=True,
    source="cluster-level precision of entity resolution",
    default=False,
)
def cluster_precision(table: Contingency) -> float:
    """Share of candidate clusters that are reference clusters item by item, in [0, 1].

    Returns
    -------
    float
        1: identical.

    Notes
    -----
    Equal clusters over candidate clusters; n = 0: 1. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.cluster_precision([0, 0, 1, 1], [0, 0, 1, 2]) == 1 / 3
    True
    """
    return _cluster_precision(equal_clusters(table))


@b_cubed_measure(
    formula=Formula(_cluster_recall, ("clusters",)),
    decomposition=_of_equal_clusters(1, 0),
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    normalized=True,
    source="cluster-level recall of entity resolution",
    default=False,
)
def cluster_recall(table: Contingency) -> float:
    """Share of reference clusters that are candidate clusters item by item, in [0, 1].

    Returns
    -------
    float
        1: identical.

    Notes
    -----
    Equal clusters over reference clusters; n = 0: 1. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.cluster_recall([0, 0, 1, 1], [0, 0, 1, 2])
    0.5
    """
    return _cluster_recall(equal_clusters(table))


@b_cubed_measure(
    formula=Formula(_cluster_f1, ("clusters",)),
    decomposition=_of_equal_clusters(1, 1),
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    normalized=True,
    source="cluster-level F-score of entity resolution",
    default=False,
)
def cluster_f1(table: Contingency) -> float:
    """Harmonic mean of cluster precision and cluster recall, in [0, 1].

    Returns
    -------
    float
        1: identical; 0: no cluster is shared.

    Notes
    -----
    2 equal clusters over the clusters of both sides; n = 0: 1. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.cluster_f1([0, 0, 1, 1], [0, 0, 1, 2])
    0.4
    """
    return _cluster_f1(equal_clusters(table))
