"""Checks of measure options, each with one sentence."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def ln_of_base(base: float | None) -> float:
    """Return what nats are divided by to get units of the base."""
    if base is None:
        return 1.0
    value = number(base, "base")
    if not value > 1 or math.isinf(value):
        raise ValueError(f"base={base!r} must be a finite number above 1")
    return math.log(value)


def number(value: Any, option: str) -> float:
    """Return a number option as a float."""
    try:
        if isinstance(value, (str, bytes, bool)):
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        text = repr(value)[:40]
        raise ValueError(f"{option}={text} must be a number") from None


def bound_of_clusters(k: Any, shape: tuple[int, int]) -> int:
    """Check the option k, a bound on the number of clusters of either side."""
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)):
        raise TypeError(f"k={k!r} must be an integer")
    if k < max(shape):
        rows, cols = shape
        raise ValueError(
            f"k={k} is below the number of clusters ({rows} and {cols}); it bounds both"
        )
    return int(k)


def weight_of_harmonic_mean(beta: Any) -> float:
    """Check the option beta of a weighted harmonic mean."""
    value = number(beta, "beta")
    if not value >= 0:
        raise ValueError(f"beta={beta!r} must be a number from 0 to infinity")
    return value


def flag(value: Any, option: str) -> bool:
    """Check a yes-or-no option: words are not read by their truth."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{option}={value!r} must be True or False")
    return bool(value)


def one_of(word: Any, words: tuple[str, ...], option: str) -> None:
    """Check a word option against its words."""
    if word not in words:
        raise ValueError(f"{option}={word!r} is not one of: {', '.join(words)}")
