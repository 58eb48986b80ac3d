"""Metrics of information."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from partwise.interop.sklearn.checks import (
    AverageMethod,
    average_of,
    beta_of,
    table_of_counts,
    table_of_labels,
)
from partwise.labels.forms import as_array
from partwise.measures import public as measures
from partwise.table.arguments import table_of
from partwise.typing import Column


def homogeneity_completeness_v_measure(
    labels_true: Column, labels_pred: Column, *, beta: float = 1.0
) -> tuple[float, float, float]:
    """Homogeneity, completeness and V-measure at once.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_samples,)
    beta : float, default 1.0
        At least 0; above 1 completeness weighs more.

    Returns
    -------
    homogeneity, completeness, v_measure : float
        All 1 without samples.

    Examples
    --------
    >>> from partwise.interop.sklearn import homogeneity_completeness_v_measure
    >>> homogeneity_completeness_v_measure([0, 0, 1, 1], [0, 0, 1, 1])
    (1.0, 1.0, 1.0)
    """
    name = "homogeneity_completeness_v_measure"
    weight = beta_of(beta, name)
    table = table_of_labels(labels_true, labels_pred, name)
    return (
        measures.homogeneity(table),
        measures.completeness(table),
        measures.v_measure(table, beta=weight),
    )


def homogeneity_score(labels_true: Column, labels_pred: Column) -> float:
    """Share of the entropy of the classes that the clusters explain.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_samples,)

    Returns
    -------
    float
        1: every cluster holds samples of one class.
    """
    return measures.homogeneity(table_of_labels(labels_true, labels_pred, "homogeneity_score"))


def completeness_score(labels_true: Column, labels_pred: Column) -> float:
    """Share of the entropy of the clusters that the classes explain.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_samples,)

    Returns
    -------
    float
        1: the samples of every class are in one cluster.
    """
    return measures.completeness(
        table_of_labels(labels_true, labels_pred, "completeness_score")
    )


def v_measure_score(labels_true: Column, labels_pred: Column, *, beta: float = 1.0) -> float:
    """Weighted harmonic mean of homogeneity and completeness.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_samples,)
    beta : float, default 1.0
        At least 0; above 1 completeness weighs more.

    Returns
    -------
    float
        In [0, 1].

    Notes
    -----
    With ``beta=0`` it is the homogeneity, also where the completeness is 0 and scikit-learn
    divides by zero.
    """
    weight = beta_of(beta, "v_measure_score")
    table = table_of_labels(labels_true, labels_pred, "v_measure_score")
    return measures.v_measure(table, beta=weight)


def mutual_info_score(
    labels_true: Column | None, labels_pred: Column | None, *, contingency: Any = None
) -> float:
    """Mutual information of two labelings, in nats.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_samples,), or None
        Not looked at beside ``contingency``.
    contingency : array-like or sparse matrix of counts, optional
        As ``contingency_matrix`` gives it, with whole numbers of at least 0.

    Returns
    -------
    float
        At least 0.

    Raises
    ------
    ValueError
        There are no samples.

    Examples
    --------
    >>> from partwise.interop.sklearn import mutual_info_score
    >>> round(mutual_info_score(None, None, contingency=[[2, 0], [0, 2]]), 6)
    0.693147
    """
    if contingency is None:
        table = table_of_labels(labels_true, labels_pred, "mutual_info_score")
    else:
        table = table_of_counts(contingency)
    if table.n_items == 0:
        raise ValueError("mutual_info_score of no samples has no value")
    return measures.mutual_information(table)


def normalized_mutual_info_score(
    labels_true: Column, labels_pred: Column, *, average_method: AverageMethod = "arithmetic"
) -> float:
    """Mutual information over a mean of both entropies.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_samples,)
    average_method : {"arithmetic", "geometric", "min", "max"}, default "arithmetic"

    Returns
    -------
    float
        In [0, 1].
    """
    average = average_of(average_method, "normalized_mutual_info_score")
    table = table_of_labels(labels_true, labels_pred, "normalized_mutual_info_score")
    return measures.normalized_mutual_information(table, average=average)


def adjusted_mutual_info_score(
    labels_true: Column, labels_pred: Column, *, average_method: AverageMethod = "arithmetic"
) -> float:
    """Mutual information adjusted for chance (Vinh, Epps and Bailey).

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_samples,)
    average_method : {"arithmetic", "geometric", "min", "max"}, default "arithmetic"

    Returns
    -------
    float
        1: identical; 0: what chance gives; can be negative.

    Notes
    -----
    With ``average_method="min"`` and every sample alone on one side only, the score is 0 / 0:
    here 0, in scikit-learn a quotient of two rounding errors (-1 to 5 were seen).
    """
    average = average_of(average_method, "adjusted_mutual_info_score")
    table = table_of_labels(labels_true, labels_pred, "adjusted_mutual_info_score")
    return measures.adjusted_mutual_information(table, average=average)


def expected_mutual_information(contingency: Any, n_samples: int) -> float:
    """Mutual information expected by chance under fixed cluster sizes, in nats.

    Parameters
    ----------
    contingency : array-like or sparse matrix of counts
    n_samples : int
        Sum of the counts.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        The counts add up to another number.
    """
    table = table_of_counts(contingency)
    if not isinstance(n_samples, Integral) or n_samples != table.n_items:
        raise ValueError(
            f"n_samples={n_samples!r}, but the contingency table counts {table.n_items} samples"
        )
    return measures.expected_mutual_information(table)


def entropy(labels: Column) -> float:
    """Entropy of a labeling, in nats.

    Parameters
    ----------
    labels : array-like of shape (n_samples,)
        NaN is a label of its own each time.

    Returns
    -------
    float
        1 without samples, where ``partwise.entropy`` is 0.

    Examples
    --------
    >>> from partwise.interop.sklearn import entropy
    >>> round(entropy([0, 0, 42.0]), 7), entropy([])
    (0.6365142, 1.0)
    """
    column = as_array(labels, "labels")
    if column.size == 0:
        return 1.0
    sides = table_of(column, column, {"missing": "singletons"}, "entropy")
    return measures.entropy(sides, side="reference")
