"""Normalisation and correction for chance of any index."""

from __future__ import annotations

__all__ = [
    "adjust",
]


def adjust(value: float, expected: float, maximum: float) -> float:
    """Correct an index for chance: 0 at its expected value, 1 at its maximum.

    Parameters
    ----------
    value : float
        The index (a similarity, or a dissimilarity with its minimum as ``maximum``).
    expected : float
        Its value under the null model.
    maximum : float
        Its best value.

    Returns
    -------
    float
        (value - expected) / (maximum - expected); where the best is the expected value: 1 if
        the index attains it, else 0.

    References
    ----------
    Pair Sets Index (TKDE 2016), equations (1), (2).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.adjust(0.75, expected=0.5, maximum=1.0)
    0.5
    """
    if maximum == expected:
        return 1.0 if value == maximum else 0.0
    return (value - expected) / (maximum - expected)
