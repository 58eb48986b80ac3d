"""Correction for chance, of any index and of information."""

from __future__ import annotations

import math
from typing import Literal, get_args

from partwise.measures.chance.expected import chance, constant, model_expectation, trivial
from partwise.measures.chance.random_models import RandomModel, RandomSides, check_model
from partwise.measures.error_bound import OF_DIFFERENCES
from partwise.measures.formulas import ratio
from partwise.measures.information import measure as information_measure
from partwise.measures.information.entropy_sums import information, sums
from partwise.numbers.checks import number, one_of
from partwise.table.contingency import Contingency

__all__ = [
    "adjust",
    "adjusted_mutual_information",
    "adjusted_variation_of_information",
]

AdjustedAverage = Literal["arithmetic", "geometric", "min", "max"]
AVERAGES: tuple[str, ...] = get_args(AdjustedAverage)
Normalizer = Literal["maximum", "entropy"]
NORMALIZERS: tuple[str, ...] = get_args(Normalizer)


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
    value, expected = number(value, "value"), number(expected, "expected")
    maximum = number(maximum, "maximum")
    if maximum == expected:
        return 1.0 if value == maximum else 0.0
    return (value - expected) / (maximum - expected)


@information_measure(
    under_chance="zero",
    weights=False,
    range=(None, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    error_bound=OF_DIFFERENCES,
    source="PSI, section 5 (Vinh et al. 2010)",
    variants={"average=geometric": {}, "average=min": {}, "average=max": {}},
)
def adjusted_mutual_information(
    table: Contingency,
    average: AdjustedAverage = "arithmetic",
    model: RandomModel = "perm",
    sides: RandomSides = "both",
    normalizer: Normalizer = "maximum",
) -> float:
    """Mutual information corrected for chance, by default under fixed sizes, at most 1.

    Parameters
    ----------
    average : {"arithmetic", "geometric", "min", "max"}, default "arithmetic"
        Mean of both sides' entropies that stands for the maximum of I.
    model, sides : str
        model : {"perm", "num", "all"}, default "perm"; sides : {"both", "candidate"}, default
        "both". The random clusterings, see ``expected_mutual_information``.
    normalizer : {"maximum", "entropy"}, default "maximum"
        The entropies that are averaged: the largest that the model allows (H of a side whose
        sizes are fixed, ln k for a fixed number of clusters, ln n for any), or always those
        observed. No difference for "perm".

    Returns
    -------
    float
        1: identical; 0: as expected by chance; negative: below chance.

    Raises
    ------
    ValueError
        Another word for an option; or, with ``normalizer="entropy"``, the entropies of
        different clusterings are at or below what is expected, and no side is a single cluster
        or all singletons.

    Notes
    -----
    (I - E[I]) / (mean(H(a), H(b)) - E[I]), E[I] = ``expected_mutual_information``. Decided on
    integers: identical clusterings give exactly 1; else a side that is a single cluster or
    all singletons gives exactly 0, because then every permutation has the same I; and so do
    clusters of equal size against two clusters of which one is a single item. The
    denominator is positive in all other cases. Numerator and denominator are differences of
    exact sums in which all logarithms of n cancel; the absolute error is near 1e-16. Cost: as
    ``expected_mutual_information``. With another model, identical clusterings need not give 1,
    because the model allows more information; with ``normalizer="entropy"`` they do. Where all
    it allows is what is expected: 1 if identical, else 0; 0 as well where a side is a single
    cluster or all singletons and the mean is at or below what is expected.

    Theorem 1 of the Pair Sets Index paper says AMI = NMI = NVI = AVI. Only AMI = AVI and
    NMI = 1 - NVI hold; the two pairs differ unless E[I] = 0 or the clusterings are identical.

    References
    ----------
    Vinh, Epps, Bailey: Information theoretic measures for clusterings comparison (JMLR
    2010); Pair Sets Index (TKDE 2016), section 5; Gates, Ahn: The impact of random models on
    clustering similarity (JMLR 2017).

    Examples
    --------
    >>> import partwise as pw
    >>> round(pw.adjusted_mutual_information([0, 0, 1, 1], [0, 1, 0, 1]), 12)
    -0.5
    """
    one_of(average, AVERAGES, "average")
    check_model(model, sides)
    one_of(normalizer, NORMALIZERS, "normalizer")
    if model != "perm":
        return _under_model(table, average, model, sides, normalizer)
    rows, cols = table.shape
    if table.n_cells == rows == cols:
        return 1.0
    if constant(table):
        return 0.0
    expectation = chance(table)
    a, b = expectation.reference, expectation.candidate
    # twice the mean: a half would be lost
    if average == "arithmetic":
        mean = a + b
    elif average == "geometric":
        mean = math.isqrt(4 * a * b)
    else:
        mean = 2 * (min(a, b) if average == "min" else max(a, b))
    above = 2 * (expectation.shared - expectation.expected * expectation.scale)
    return above / ((mean - 2 * expectation.expected) * expectation.scale)


def _under_model(
    table: Contingency, average: str, model: str, sides: str, normalizer: str
) -> float:
    s = sums(table)
    observed = ratio(*information(table))
    expected = model_expectation(table, model, sides)
    most = [ratio(s.reference, s.unit), ratio(s.candidate, s.unit)]
    if normalizer == "maximum":
        drawn = (0, 1) if sides == "both" else (1,)
        for side in drawn:
            most[side] = math.log(
                max(table.shape[side] if model == "num" else table.n_items, 1)
            )
    a, b = most
    mean = {
        "arithmetic": (a + b) / 2,
        "geometric": math.sqrt(a * b),
        "min": min(a, b),
        "max": max(a, b),
    }[average]
    if s.identical and normalizer == "entropy":
        return 1.0  # I is the mean itself
    if _constant(table, model, sides):
        return 1.0 if s.identical else 0.0
    if mean <= expected:
        if trivial(table):
            return 0.0
        raise ValueError(
            f"the {average} mean of the entropies is {mean}, and {expected} of information is "
            'expected by chance already; take normalizer="maximum" or another average'
        )
    return (observed - expected) / (mean - expected)


def _constant(table: Contingency, model: str, sides: str) -> bool:
    """Return whether all draws have the same I, so that nothing is left to correct."""
    n, (rows, cols) = table.n_items, table.shape
    if n <= 1 or (rows == 1 and (model == "num" or sides == "candidate")):
        return True
    if model != "num":
        return False
    return cols == 1 or (cols == n and (sides == "candidate" or rows == n))


@information_measure(
    under_chance="zero",
    weights=False,
    range=(None, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    default=False,
    error_bound=OF_DIFFERENCES,
    source="PSI, section 5 (Vinh et al. 2010)",
)
def adjusted_variation_of_information(table: Contingency) -> float:
    """Variation of information corrected for chance and turned into a similarity, at most 1.

    Returns
    -------
    float
        1: identical; 0: as expected by chance; negative: below chance.

    Notes
    -----
    1 - VI / E[VI] with E[VI] = H(a) + H(b) - 2 E[I]. This is ``adjusted_mutual_information``
    with the arithmetic mean, and not NMI, although Theorem 1 of the paper says so. Cost: as
    ``expected_mutual_information``.

    References
    ----------
    Pair Sets Index (TKDE 2016), section 5.

    Examples
    --------
    >>> import partwise as pw
    >>> round(pw.adjusted_variation_of_information([0, 0, 1, 1], [0, 1, 0, 1]), 12)
    -0.5
    """
    return adjusted_mutual_information(table)
