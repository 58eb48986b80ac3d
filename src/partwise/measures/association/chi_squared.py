"""Pearson's chi squared of the table, and coefficients that divide it by its bound."""

from __future__ import annotations

import math
from fractions import Fraction

from partwise.measures.association import measure
from partwise.measures.information.entropy_sums import independent
from partwise.measures.overlap.cluster_means import squares_over_sizes
from partwise.numbers.checks import flag
from partwise.table.contingency import Contingency
from partwise.table.memo import memoized

__all__ = [
    "chi_squared",
    "cramer_v",
    "tschuprow_t",
]


@memoized
def _mean_square(table: Contingency) -> Fraction:
    """Return chi squared / n (phi squared)."""
    if independent(table):
        return Fraction(0)
    return squares_over_sizes(table, "cols").less(Fraction(1))


def _root(square: Fraction) -> float:
    """Return the root of a fraction of at least 0."""
    return math.sqrt(float(square))


def _one_cluster(table: Contingency) -> float | None:
    """Return the value where a side has a single cluster or none; None elsewhere."""
    if min(table.shape) > 1:
        return None
    return 1.0 if max(table.shape) <= 1 else 0.0


@measure(
    range=(0, None),
    direction="higher",
    value_if_identical=None,
    symmetric=True,
    source="Pearson 1900",
)
def chi_squared(table: Contingency) -> float:
    """Pearson's chi squared of the table of both clusterings, in [0, n (min(K, L) - 1)].

    Returns
    -------
    float
        0: independent, or no items; n (K - 1) for identical clusterings into K clusters.

    Notes
    -----
    n (sum_ij n_ij^2 / (n_i m_j) - 1), over the cells only. Exact but for terms below 2^-126;
    whether it is 0 is an integer fact. O(cells).

    References
    ----------
    Pearson, On the criterion that a given system of deviations ..., Philosophical Magazine
    1900.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.chi_squared([0, 0, 1, 1], [0, 0, 1, 1]), pw.chi_squared([0, 0, 1, 1], [0, 1, 0, 1])
    (4.0, 0.0)
    """
    return float(table.n_items * _mean_square(table))


@measure(
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    normalized=True,
    source="Cramer 1946; Bergsma 2013 (corrected)",
)
def cramer_v(table: Contingency, corrected: bool = False) -> float:
    """Root of chi squared over its bound for these numbers of clusters, in [0, 1].

    Parameters
    ----------
    corrected : bool, default False
        Take off what chance gives, from chi squared and from the numbers of clusters.

    Returns
    -------
    float
        1: every cluster of the side with more clusters lies inside one of the other; 0:
        independent. ``corrected``: not a number where no clusters are left, as for all
        singletons.

    Notes
    -----
    sqrt(phi2 / min(K - 1, L - 1)), phi2 = chi squared / n. One cluster, or none, on both
    sides: 1; on one side: 0. Corrected: phi2 less (K - 1)(L - 1) / (n - 1), at least 0, over
    the smaller of K - (K - 1)^2 / (n - 1) - 1 and the same of L. O(cells).

    References
    ----------
    Cramer, Mathematical Methods of Statistics, 1946. Bergsma, A bias-correction for Cramer's V
    and Tschuprow's T, Journal of the Korean Statistical Society 2013.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.cramer_v([0, 0, 1, 1], [0, 0, 1, 2]), pw.cramer_v([0, 0, 1, 1], [0, 1, 0, 1])
    (1.0, 0.0)
    """
    flag(corrected, "corrected")
    alone = _one_cluster(table)
    if alone is not None:
        return alone
    rows, cols = table.shape
    if not corrected:
        return _root(_mean_square(table) / min(rows - 1, cols - 1))
    chances = table.n_items - 1
    left = min(Fraction(k) - Fraction((k - 1) ** 2, chances) - 1 for k in (rows, cols))
    if left <= 0:
        return math.nan
    by_chance = Fraction((rows - 1) * (cols - 1), chances)
    above = squares_over_sizes(table, "cols").less(1 + by_chance)
    return _root(max(above, Fraction(0)) / left)


@measure(
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    normalized=True,
    source="Tschuprow 1925",
)
def tschuprow_t(table: Contingency) -> float:
    """Root of chi squared over n sqrt((K - 1)(L - 1)), in [0, 1].

    Returns
    -------
    float
        1: identical; 0: independent.

    Notes
    -----
    sqrt(phi2 / sqrt((K - 1)(L - 1))), phi2 = chi squared / n. Below ``cramer_v`` where the
    numbers of clusters differ. One cluster, or none, on both sides: 1; on one side: 0.
    O(cells).

    References
    ----------
    Tschuprow, Grundbegriffe und Grundprobleme der Korrelationstheorie, 1925.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.tschuprow_t([0, 0, 1, 1], [1, 1, 0, 0]), pw.tschuprow_t([0, 0, 1, 1], [0, 1, 0, 1])
    (1.0, 0.0)
    """
    alone = _one_cluster(table)
    if alone is not None:
        return alone
    rows, cols = table.shape
    # the fourth root of one fraction: no value of identical clusterings is rounded
    return math.sqrt(_root(_mean_square(table) ** 2 / ((rows - 1) * (cols - 1))))
