"""Numbers as people read them: one precision in one table, what is not 0 never shown as 0."""

from __future__ import annotations

import math
from typing import Any

#: Digits behind the point of a value in a table; JSON and CSV have all digits.
DECIMALS = 4
#: From here on a number is shown without digits behind the point.
_LARGE = 1e5


def show(value: Any, decimals: int = DECIMALS, *, whole: bool = True) -> str:
    """Return a cell: floats with a fixed number of digits behind the point.

    Whole numbers beyond 1, as distances that count have, are shown as such unless ``whole`` is
    False; a value that would round to 0 without being 0 is shown with an exponent.
    """
    if not isinstance(value, float):
        return str(value)
    if not math.isfinite(value):
        return str(value)
    size = abs(value)
    if whole and size > 1 and value == int(value) and size < 1e15:
        return str(int(value))
    if size >= 1e15 or 0 < size < 0.5 * 10**-decimals:
        return f"{value:.1e}"
    return f"{value:.0f}" if size >= _LARGE else f"{value:.{decimals}f}"


def show_percent(share: float) -> str:
    """Return a share in percent, with two digits behind the point and without the sign."""
    return f"{100 * share:.2f}"


def show_probability(p: float, draws: int | None = None) -> str:
    """Return a p-value for a sentence: "p = 0.012", or below the least that draws can give."""
    if draws is not None and p <= 1 / (1 + draws):
        return f"p = {show(1 / (1 + draws))}, the least that {draws} draws can give"
    return f"p = {show(p)}"
