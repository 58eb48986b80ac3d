"""Information corrected for chance."""

from __future__ import annotations

import math

from partwise.catalogue import measure
from partwise.contingency import Contingency
from partwise.measures.expected import chance, trivial
from partwise.measures.options import one_of

AVERAGES = ("arithmetic", "geometric", "min", "max")


@measure(
    family="information",
    weights=False,
    range=(None, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    source="PSI, section 5 (Vinh et al. 2010)",
    variants={"average=geometric": {}, "average=min": {}, "average=max": {}},
)
def adjusted_mutual_information(table: Contingency, average: str = "arithmetic") -> float:
    """Mutual information corrected for chance under fixed cluster sizes, at most 1.

    Parameters
    ----------
    average : {"arithmetic", "geometric", "min", "max"}, default "arithmetic"
        Mean of H(a), H(b) that stands for the maximum.

    Returns
    -------
    float
        1: identical; 0: as expected by chance; negative: below chance.

    Raises
    ------
    ValueError
        ``average`` is another word.

    Notes
    -----
    (I - E[I]) / (mean(H(a), H(b)) - E[I]), E[I] = ``expected_mutual_information``. Decided on
    integers: identical clusterings give exactly 1; else a side that is a single cluster or
    all singletons gives exactly 0, because then every permutation has the same I. The
    denominator is positive in all other cases. Numerator and denominator are differences of
    exact sums in which all logarithms of n cancel; the absolute error is near 1e-16. Cost: as
    ``expected_mutual_information``.

    Theorem 1 of the Pair Sets Index paper says AMI = NMI = NVI = AVI. Only AMI = AVI and
    NMI = 1 - NVI hold; the two pairs differ unless E[I] = 0 or the clusterings are identical.

    References
    ----------
    Vinh, Epps, Bailey: Information theoretic measures for clusterings comparison (JMLR
    2010); Pair Sets Index (TKDE 2016), section 5.

    Examples
    --------
    >>> import partwise as pw
    >>> round(pw.adjusted_mutual_information([0, 0, 1, 1], [0, 1, 0, 1]), 12)
    -0.5
    """
    one_of(average, AVERAGES, "average")
    rows, cols = table.shape
    if table.n_cells == rows == cols:
        return 1.0
    if trivial(table):
        return 0.0
    known = chance(table)
    a, b = known.reference, known.candidate
    # twice the mean: a half would be lost
    mean = {
        "arithmetic": lambda: a + b,
        "geometric": lambda: math.isqrt(4 * a * b),
        "min": lambda: 2 * min(a, b),
        "max": lambda: 2 * max(a, b),
    }[average]()
    above = 2 * (known.shared - known.expected * known.scale)
    return above / ((mean - 2 * known.expected) * known.scale)


@measure(
    family="information",
    weights=False,
    range=(None, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    default=False,
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
    with the arithmetic mean, and not NMI, although Theorem 1 of the paper says so.

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
