"""Many tests at once: p-values that hold for all of them together."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from partwise.numbers.arrays import FloatArray


def holm(p_values: ArrayLike) -> FloatArray:
    """Return p-values corrected for their number, in the same order (Holm 1979).

    The smallest is multiplied by the number of tests, the next one by that less 1, and so on;
    none becomes smaller than one before it, or larger than 1. A corrected value of at most
    alpha is significant, and the chance that any of those is so by accident is at most alpha,
    however the tests depend on each other.
    """
    values = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    stepped = values[order] * np.arange(len(values), 0, -1)
    corrected = np.empty_like(values)
    corrected[order] = np.minimum(np.maximum.accumulate(stepped), 1.0)
    return corrected
