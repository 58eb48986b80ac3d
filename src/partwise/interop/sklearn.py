"""scikit-learn's supervised clustering metrics: its names, signatures, values and refusals.

Change one import, and code that scores clusterings with scikit-learn runs on partwise::

    from partwise.interop.sklearn import adjusted_rand_score, v_measure_score

The functions work in ``make_scorer`` and ``GridSearchCV``. scikit-learn itself is not needed.
Labels are taken by position, an index of pandas or items of partwise play no part. What
partwise decides otherwise is decided here as scikit-learn does: NaN and infinity are refused,
``entropy([])`` is 1, and ``fowlkes_mallows_score`` is 0 where no pair is together.
"""

from __future__ import annotations

import warnings
from collections.abc import Sized
from numbers import Integral, Real
from typing import Any, Literal, NoReturn

import numpy as np
from numpy.typing import DTypeLike, NDArray

from partwise.labels.forms import as_array
from partwise.measures import public as measures
from partwise.numbers.arrays import IntArray
from partwise.table.arguments import table_of
from partwise.table.contingency import Contingency
from partwise.typing import Column

__all__ = [
    "InvalidParameterError",
    "adjusted_mutual_info_score",
    "adjusted_rand_score",
    "check_clusterings",
    "completeness_score",
    "contingency_matrix",
    "entropy",
    "expected_mutual_information",
    "fowlkes_mallows_score",
    "homogeneity_completeness_v_measure",
    "homogeneity_score",
    "mutual_info_score",
    "normalized_mutual_info_score",
    "pair_confusion_matrix",
    "rand_score",
    "v_measure_score",
]

AverageMethod = Literal["arithmetic", "max", "min", "geometric"]
_AVERAGE_METHODS = ("arithmetic", "max", "min", "geometric")


class InvalidParameterError(ValueError, TypeError):
    """A parameter has a type or a value that the function does not take."""


def _refuse(parameter: str, function: str, expected: str, value: object) -> NoReturn:
    raise InvalidParameterError(
        f"The {parameter!r} parameter of {function} must be {expected}. Got {value!r:.200} "
        "instead."
    )


# ---- the border ------------------------------------------------------------------------


def _column(values: Any, parameter: str, function: str) -> NDArray[Any]:
    """Return labels as an array, with NaN, infinity and complex numbers refused."""
    is_text = isinstance(values, (str, bytes))
    listed = (
        isinstance(values, Sized) or hasattr(values, "shape") or hasattr(values, "__array__")
    )
    if is_text or not (listed or hasattr(values, "__dlpack__")):
        _refuse(parameter, function, "an array-like", values)
    if hasattr(values, "tocsr"):
        raise TypeError(f"{parameter} is sparse; pass a dense array with one label per sample")
    labels = as_array(values, parameter)
    kind = labels.dtype.kind
    if kind == "c":
        raise ValueError(f"{parameter}: Complex data not supported")
    if kind == "f":
        for what, mask in (("NaN", np.isnan(labels)), ("infinity", np.isinf(labels))):
            if mask.any():
                _refuse_entry(parameter, what, mask)
    elif kind == "O":
        mask = np.array([value is None or _differs_from_itself(value) for value in labels.flat])
        if mask.any():
            _refuse_entry(parameter, "NaN", mask)
    return labels


def _differs_from_itself(value: Any) -> bool:
    """Return whether an object stands for "no value": NaN, or NA, whose truth is unknown."""
    try:
        return bool(value != value)
    except TypeError:
        return True
    except ValueError:  # an array inside the array
        return False


def _refuse_entry(parameter: str, what: str, mask: NDArray[Any]) -> NoReturn:
    index = int(np.flatnonzero(mask)[0])
    raise ValueError(
        f"Input {parameter} contains {what} at index {index}; drop these samples or give them "
        "a label of their own"
    )


def _kind_of_target(labels: NDArray[Any]) -> str:
    """Return scikit-learn's word for what labels are, as far as clusterings go."""
    if labels.dtype.kind == "f" and (labels != np.trunc(labels)).any():
        return "continuous"
    return "binary" if len(np.unique(labels)) <= 2 else "multiclass"


def _checked(
    labels_true: Any, labels_pred: Any, function: str
) -> tuple[NDArray[Any], NDArray[Any]]:
    both = (
        _column(labels_true, "labels_true", function),
        _column(labels_pred, "labels_pred", function),
    )
    if any(x.dtype.kind == "f" and (x != np.trunc(x)).any() for x in both):
        kinds = [_kind_of_target(x) for x in both]
        warnings.warn(
            f"Clustering metrics expects discrete values but received {kinds[0]} values for "
            f"label, and {kinds[1]} values for target",
            UserWarning,
            stacklevel=4,
        )
    for parameter, labels in zip(("labels_true", "labels_pred"), both, strict=True):
        if labels.ndim != 1:
            raise ValueError(f"{parameter} must be 1D: shape is {labels.shape}")
    sizes = [len(labels) for labels in both]
    if sizes[0] != sizes[1]:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {sizes}")
    return both


def check_clusterings(
    labels_true: Column, labels_pred: Column
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return two columns of labels as arrays of one dimension and equal length.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_samples,)

    Raises
    ------
    ValueError
        A side is not 1-D, holds NaN, infinity or complex numbers, or is no array; the lengths
        differ.

    Warns
    -----
    UserWarning
        Labels are numbers that are not whole.
    """
    return _checked(labels_true, labels_pred, "check_clusterings")


def _table(labels_true: Any, labels_pred: Any, function: str) -> Contingency:
    both = _checked(labels_true, labels_pred, function)
    return table_of(*both, {}, function)


def _check_average(average_method: Any, function: str) -> str:
    if not isinstance(average_method, str) or average_method not in _AVERAGE_METHODS:
        words = ", ".join(map(repr, _AVERAGE_METHODS))
        _refuse("average_method", function, f"a str among {{{words}}}", average_method)
    return average_method


def _check_beta(beta: Any, function: str) -> float:
    if not isinstance(beta, Real) or not 0 <= float(beta) < np.inf:
        _refuse("beta", function, "a float in the range [0.0, inf)", beta)
    return float(beta)


# ---- pairs of samples --------------------------------------------------------------------


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
    return measures.rand_index(_table(labels_true, labels_pred, "rand_score"))


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
    return measures.adjusted_rand_index(_table(labels_true, labels_pred, "adjusted_rand_score"))


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
    table = _table(labels_true, labels_pred, "fowlkes_mallows_score")
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
        _table(labels_true, labels_pred, "pair_confusion_matrix")
    )
    return 2 * np.array([[n00, n01], [n10, n11]], dtype=np.int64)


# ---- information -------------------------------------------------------------------------


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
    weight = _check_beta(beta, name)
    table = _table(labels_true, labels_pred, name)
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
    return measures.homogeneity(_table(labels_true, labels_pred, "homogeneity_score"))


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
    return measures.completeness(_table(labels_true, labels_pred, "completeness_score"))


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
    weight = _check_beta(beta, "v_measure_score")
    table = _table(labels_true, labels_pred, "v_measure_score")
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
        table = _table(labels_true, labels_pred, "mutual_info_score")
    else:
        table = _table_of_counts(contingency)
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
    average = _check_average(average_method, "normalized_mutual_info_score")
    table = _table(labels_true, labels_pred, "normalized_mutual_info_score")
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
    average = _check_average(average_method, "adjusted_mutual_info_score")
    table = _table(labels_true, labels_pred, "adjusted_mutual_info_score")
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
    table = _table_of_counts(contingency)
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


# ---- the table ---------------------------------------------------------------------------


def _table_of_counts(contingency: Any) -> Contingency:
    if hasattr(contingency, "tocoo"):
        return Contingency.from_scipy(contingency)
    return Contingency.from_dense(contingency)


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
        _refuse("eps", "contingency_matrix", "a float in the range [0.0, inf) or None", eps)
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
