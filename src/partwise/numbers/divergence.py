"""(1 + x) ln(1 + x) - x without cancellation, for NumPy code on both sides of the seam."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from partwise.numbers.real_logarithm import log1p

_SERIES = [1.0 / (k * (k - 1)) for k in range(2, 27)]


def phi(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (1 + x) ln(1 + x) - x for x > -1; up to 1/4 by its series (as C does)."""
    far = np.abs(x) > 0.25
    near = np.where(far, 0.0, x)
    series = np.zeros_like(x)
    for coefficient in reversed(_SERIES):
        series = coefficient - near * series
    result: NDArray[np.float64] = np.where(far, (1.0 + x) * log1p(x) - x, near * near * series)
    return result
