"""What scikit-learn takes and refuses: labels, averages, weights, tables of counts."""

from __future__ import annotations

import warnings
from collections.abc import Sized
from numbers import Real
from typing import Any, Literal, NoReturn, get_args

import numpy as np
from numpy.typing import NDArray

from partwise.labels.forms import as_array
from partwise.labels.notes import frames_to_caller
from partwise.table.arguments import table_of
from partwise.table.contingency import Contingency
from partwise.typing import Column

AverageMethod = Literal["arithmetic", "max", "min", "geometric"]
_AVERAGE_METHODS: tuple[str, ...] = get_args(AverageMethod)


class InvalidParameterError(ValueError, TypeError):
    """A parameter has a type or a value that the function does not take."""


def refuse(parameter: str, function: str, expected: str, value: object) -> NoReturn:
    """Raise the error of a parameter that has another type or value than expected."""
    raise InvalidParameterError(
        f"The {parameter!r} parameter of {function} must be {expected}. Got {value!r:.200} "
        "instead."
    )


def column_of(values: Any, parameter: str, function: str) -> NDArray[Any]:
    """Return labels as an array, with NaN, infinity and complex numbers refused."""
    is_text = isinstance(values, (str, bytes))
    listed = (
        isinstance(values, Sized) or hasattr(values, "shape") or hasattr(values, "__array__")
    )
    if is_text or not (listed or hasattr(values, "__dlpack__")):
        refuse(parameter, function, "an array-like", values)
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
        column_of(labels_true, "labels_true", function),
        column_of(labels_pred, "labels_pred", function),
    )
    if any(x.dtype.kind == "f" and (x != np.trunc(x)).any() for x in both):
        kinds = [_kind_of_target(x) for x in both]
        warnings.warn(
            f"Clustering metrics expects discrete values but received {kinds[0]} values for "
            f"label, and {kinds[1]} values for target",
            UserWarning,
            stacklevel=frames_to_caller(),
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


def table_of_labels(labels_true: Any, labels_pred: Any, function: str) -> Contingency:
    """Return the table of two columns of labels that have passed the checks."""
    both = _checked(labels_true, labels_pred, function)
    return table_of(*both, {}, function)


def average_of(average_method: Any, function: str) -> str:
    """Return an average by its name."""
    if not isinstance(average_method, str) or average_method not in _AVERAGE_METHODS:
        words = ", ".join(map(repr, _AVERAGE_METHODS))
        refuse("average_method", function, f"a str among {{{words}}}", average_method)
    return average_method


def beta_of(beta: Any, function: str) -> float:
    """Return the weight of completeness in the V-measure."""
    if not isinstance(beta, Real) or not 0 <= float(beta) < np.inf:
        refuse("beta", function, "a float in the range [0.0, inf)", beta)
    return float(beta)


def table_of_counts(contingency: Any) -> Contingency:
    """Return the table of a dense or sparse matrix of counts."""
    if hasattr(contingency, "tocoo"):
        return Contingency.from_scipy(contingency)
    return Contingency.from_dense(contingency)
