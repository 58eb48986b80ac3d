"""Further coefficients of the pair confusion."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from partwise.measures.formulas import Formula, Result, of_pairs, ratio, replaced
from partwise.measures.pairs import measure
from partwise.measures.pairs.component_pairs import (
    of_adapted_rand_error,
    of_joint_pairs,
    of_rogers_tanimoto,
    of_sokal_sneath_1,
    of_sokal_sneath_2,
)
from partwise.measures.pairs.pair_indices import corrected_by_root
from partwise.measures.pairs.pairs import confusion
from partwise.measures.sums import Value
from partwise.numbers.checks import flag, number
from partwise.table.contingency import Contingency

__all__ = [
    "adapted_rand_error",
    "adjusted_fowlkes_mallows",
    "kulczynski",
    "rogers_tanimoto",
    "russell_rao",
    "sokal_sneath_1",
    "sokal_sneath_2",
    "sokal_sneath_3",
]

# ---- as functions of sums, see formulas.py ----------------------------------------------


def _rogers_tanimoto(p: Any) -> Result:
    return ratio(p.n11 + p.n00, p.total + p.n10 + p.n01, p.identical)


def _sokal_sneath_1(p: Any) -> Result:
    return ratio(p.n11, p.n11 + 2 * (p.n10 + p.n01), p.identical)


def _sokal_sneath_2(p: Any) -> Result:
    agreed = p.n11 + p.n00
    return ratio(2 * agreed, p.total + agreed, p.identical)


def _sokal_sneath_3(p: Any) -> Result:
    apart = ((p.n00, p.total - p.candidate), (p.n00, p.total - p.reference))
    return _mean((p.n11, p.reference), (p.n11, p.candidate), *apart, empty=p.identical)


def _kulczynski(p: Any) -> Result:
    return _mean((p.n11, p.reference), (p.n11, p.candidate), empty=p.identical)


def _mean(*quotients: tuple[Value, Value], empty: Value) -> Result:
    """Return the exact mean of quotients, where each 0/0 counts as ``empty``."""
    above, below = 0, 1
    for part, total in quotients:
        nothing = total == 0
        part, total = replaced(nothing, empty * 1, part), replaced(nothing, 1, total)
        above, below = above * total + part * below, below * total
    return ratio(above, len(quotients) * below)


def _russell_rao(p: Any) -> Result:
    return ratio(p.n11, p.total, p.identical)


def _adapted_rand_error(p: Any, n: Value, self_pairs: bool = True) -> Result:
    below = 2 * (p.reference + p.candidate)
    if self_pairs:
        below = below + 2 * n
    return ratio(2 * (p.n10 + p.n01), below, 1 - 1 * p.identical)


# ---- the measures ------------------------------------------------------------------------


@measure(
    formula=of_pairs(_rogers_tanimoto),
    decomposition=of_rogers_tanimoto,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    metric=True,
    normalized=True,
    source="Rogers and Tanimoto 1960",
    default=False,
)
def rogers_tanimoto(table: Contingency) -> float:
    """Agreements over agreements plus twice the disagreements on pairs, in [0, 1].

    Returns
    -------
    float
        1: identical.

    Notes
    -----
    (N11 + N00) / (N11 + N00 + 2 (N10 + N01)); n <= 1: 1. Exact integers, one division.
    O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.rogers_tanimoto([0, 0, 1, 1], [0, 1, 1, 1]) == 1 / 3
    True
    """
    return _rogers_tanimoto(confusion(table))


@measure(
    formula=of_pairs(_sokal_sneath_1),
    decomposition=of_sokal_sneath_1,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    metric=True,
    normalized=True,
    source="Sokal and Sneath 1963",
    default=False,
)
def sokal_sneath_1(table: Contingency) -> float:
    """Joint pairs over joint pairs plus twice the disagreements, in [0, 1].

    Returns
    -------
    float
        1: identical; 0: no pair is together in both.

    Notes
    -----
    N11 / (N11 + 2 (N10 + N01)); both all singletons: 1. The numbering of the Sokal-Sneath
    coefficients differs between sources: the formula decides. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.sokal_sneath_1([0, 0, 1, 1], [0, 1, 1, 1]) == 1 / 7
    True
    """
    return _sokal_sneath_1(confusion(table))


@measure(
    formula=of_pairs(_sokal_sneath_2),
    decomposition=of_sokal_sneath_2,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    normalized=True,
    source="Sokal and Sneath 1963",
    default=False,
)
def sokal_sneath_2(table: Contingency) -> float:
    """Twice the agreements over twice the agreements plus the disagreements, in [0, 1].

    Returns
    -------
    float
        1: identical.

    Notes
    -----
    2 (N11 + N00) / (2 (N11 + N00) + N10 + N01); n <= 1: 1. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.sokal_sneath_2([0, 0, 1, 1], [0, 1, 1, 1]) == 2 / 3
    True
    """
    return _sokal_sneath_2(confusion(table))


@measure(
    under_chance="pairs",
    formula=of_pairs(_sokal_sneath_3),
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    normalized=True,
    source="Sokal and Sneath 1963",
    default=False,
)
def sokal_sneath_3(table: Contingency) -> float:
    """Mean of the four conditional agreements on pairs, in [0, 1].

    Returns
    -------
    float
        1: identical.

    Notes
    -----
    (a/(a+b) + a/(a+c) + d/(b+d) + d/(c+d)) / 4 with a = N11, b = N10, c = N01, d = N00; each
    0/0 among them: 1 if identical, else 0. Exact rationals, one division. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.sokal_sneath_3([0, 0, 1, 1], [0, 1, 0, 1])
    0.25
    """
    return _sokal_sneath_3(confusion(table))


@measure(
    under_chance="pairs",
    formula=of_pairs(_kulczynski),
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    normalized=True,
    source="Kulczynski 1927",
    default=False,
)
def kulczynski(table: Contingency) -> float:
    """Mean of pair precision and pair recall, in [0, 1].

    Returns
    -------
    float
        1: identical; 0: no pair is together in both.

    Notes
    -----
    (N11 / (N11 + N10) + N11 / (N11 + N01)) / 2, not the unbounded coefficient of the same
    name; each 0/0: 1 if identical, else 0. Exact rationals, one division. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.kulczynski([3, 3, 4, 4], [1, 2, 2, 2]) == 5 / 12
    True
    """
    return _kulczynski(confusion(table))


@measure(
    under_chance="pairs",
    formula=of_pairs(_russell_rao),
    decomposition=of_joint_pairs,
    range=(0, 1),
    direction="higher",
    symmetric=True,
    normalized=True,
    source="Russell and Rao 1940",
    default=False,
)
def russell_rao(table: Contingency) -> float:
    """Share of all pairs that are together in both clusterings, in [0, 1].

    Returns
    -------
    float
        1: both are a single cluster; identical clusterings need not give 1.

    Notes
    -----
    N11 / T; n <= 1: 1 (no pair, identical). Exact integers, one division. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.russell_rao([0, 0, 1, 1], [0, 0, 1, 1]) == 1 / 3
    True
    """
    return _russell_rao(confusion(table))


@measure(
    under_chance="zero",
    range=(None, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    source="Fowlkes and Mallows 1983, corrected for chance",
    default=False,
)
def adjusted_fowlkes_mallows(table: Contingency) -> float:
    """Fowlkes-Mallows index corrected for chance, at most 1.

    Returns
    -------
    float
        1: identical; 0: as expected by chance; negative: below chance.

    Notes
    -----
    (N11 - E) / (sqrt(P_a P_b) - E), E = P_a P_b / T, P_a = N11 + N10, P_b = N11 + N01. Where
    a clustering is a single cluster or all singletons: 1 if identical, else 0. The numerator
    is exact, the denominator (T - sqrt(P_a P_b)) sqrt(P_a P_b) / T is taken with integers of
    64 more bits than needed. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.adjusted_fowlkes_mallows([0, 0, 1, 1], [0, 1, 0, 1])
    -0.5
    """
    return corrected_by_root(confusion(table))


@measure(
    under_chance="pairs",
    formula=Formula(_adapted_rand_error, ("pairs", "n")),
    decomposition=of_adapted_rand_error,
    range=(0, 1),
    direction="lower",
    value_if_identical=0,
    symmetric=True,
    source="SNEMI3D challenge",
    default=False,
    variants={
        "self_pairs=False": {"normalized": True},
        "alpha=0.25": {
            "symmetric": False,
            "formula": None,
            "decomposition": None,
            "under_chance": None,
        },
    },
)
def adapted_rand_error(
    table: Contingency, self_pairs: bool = True, alpha: float = 0.5
) -> float:
    """One minus the F-score of pairs, each item also paired with itself, in [0, 1].

    Parameters
    ----------
    self_pairs : bool, default True
        False leaves the pairs of an item with itself out: 1 - pair_f1.
    alpha : float, default 0.5
        Weight of the reference's pairs in the mean below, 0 to 1.

    Returns
    -------
    float
        0: identical. Below 1, as each item is with itself in both; 1 without those pairs: no
        pair is together in both.

    Raises
    ------
    ValueError
        ``alpha`` is not in [0, 1].

    Notes
    -----
    1 - sum n_ij^2 / (alpha sum n_i^2 + (1 - alpha) sum m_j^2); n = 0: 0. Exact integers, one
    division. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.adapted_rand_error([1, 1, 2, 2, 2], [1, 1, 1, 2, 2]) == 4 / 13
    True
    """
    self_pairs = flag(self_pairs, "self_pairs")
    of_reference = number(alpha, "alpha")
    if not 0 <= of_reference <= 1:
        raise ValueError(f"alpha={alpha!r} must be a number from 0 to 1")
    pairs = confusion(table)
    if of_reference == 0.5:
        return _adapted_rand_error(pairs, table.n_items, self_pairs)
    p, q = Fraction(of_reference).as_integer_ratio()
    below = 2 * (p * pairs.reference + (q - p) * pairs.candidate)
    below += q * table.n_items if self_pairs else 0
    return ratio(2 * (p * pairs.n10 + (q - p) * pairs.n01), below, 1 - 1 * pairs.identical)
