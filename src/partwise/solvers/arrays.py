"""Arrays of numbers as the solvers take them: checked once, the first wrong place named."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.numbers.masked import has_masked

#: Masses and capacities may have this magnitude, so that no sum leaves the range of doubles.
LARGEST = 1e250
#: Rows and columns that the simplex can hold: PW_TREE_MOST.
NODES_MOST = (1 << 31) - 2


def as_numbers(values: Any, name: str, shape: tuple[int | None, ...]) -> NDArray[Any]:
    """Return int64 or float64 numbers of a shape (None: any length), finite and at least 0.

    Parameters
    ----------
    values : array-like
        Integers or floats; what int64 cannot hold becomes float64.
    name : str
        How messages call it.
    shape : tuple of int or None
    """
    numbers = plain_numbers(values, name, shape)
    wrong = ~(np.isfinite(numbers) & (numbers >= 0))
    if wrong.any():
        index = ", ".join(map(str, np.argwhere(wrong)[0].tolist()))
        raise ValueError(
            f"{name}[{index}] is {numbers[wrong][0]}; finite numbers of at least 0 are "
            f"expected ({int(wrong.sum())} are not)"
        )
    if numbers.dtype.kind == "f" and numbers.size and float(numbers.max()) > LARGEST:
        raise ValueError(f"{name} reaches {numbers.max()}; scale it to at most {LARGEST:g}")
    return numbers


def plain_numbers(values: Any, name: str, shape: tuple[int | None, ...]) -> NDArray[Any]:
    """Return int64 or float64 numbers of a shape, whatever their values.

    In memory of their own: a solver checks them once and trusts them from then on.
    """
    if has_masked(values):
        raise ValueError(f"{name} has masked entries; every entry needs its number")
    try:
        numbers = np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} is ragged; its rows have different lengths") from None
    same = zip(numbers.shape, shape, strict=False)
    if numbers.ndim != len(shape) or any(want not in (None, have) for have, want in same):
        text = " x ".join("any" if size is None else str(size) for size in shape)
        raise ValueError(f"{name} has shape {numbers.shape}; {text} numbers are expected")
    if numbers.dtype.kind not in "biuf":
        raise TypeError(f"{name} has dtype {numbers.dtype}; integers or floats are expected")
    if numbers.dtype.kind == "f" or (
        numbers.dtype.kind == "u" and numbers.size and numbers.max() > np.iinfo(np.int64).max
    ):
        with np.errstate(over="ignore"):  # beyond a double is infinite
            return np.array(numbers, dtype=np.float64, order="C")
    return np.array(numbers, dtype=np.int64, order="C")


def check_nodes(n_rows: int, n_cols: int) -> None:
    """Raise if a tree of rows and columns would have too many nodes for the kernels."""
    if n_rows + n_cols >= NODES_MOST:
        raise ValueError(
            f"{n_rows} rows and {n_cols} columns are too many: below {NODES_MOST} together are "
            "needed"
        )
