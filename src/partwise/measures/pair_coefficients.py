"""Further coefficients of the pair confusion: precision, recall and their relatives."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from partwise.catalogue import measure
from partwise.contingency import Contingency
from partwise.measures.component_pairs import (
    of_adapted_rand_error,
    of_joint_pairs,
    of_pair_f1,
    of_precision,
    of_recall,
    of_rogers_tanimoto,
    of_sokal_sneath_1,
    of_sokal_sneath_2,
    of_wallace,
)
from partwise.measures.options import flag, one_of
from partwise.measures.pairs import PairConfusion, confusion, corrected_by_root


def _ratio(above: int, below: int, pairs: PairConfusion) -> float:
    """Return above / below; 0/0 is 1 for identical clusterings, else 0."""
    if below == 0:
        return 1.0 if pairs.identical else 0.0
    return above / below


@measure(
    decomposition=of_precision,
    family="pairs",
    weights=False,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    normalized=True,
    source="V, section 3 (pairs of items)",
    default=False,
)
def pair_precision(table: Contingency) -> float:
    """Share of the candidate's pairs that are together in the reference, in [0, 1].

    Returns
    -------
    float
        1: every candidate cluster lies inside a reference cluster.

    Notes
    -----
    N11 / (N11 + N01); no pair together in the candidate: 1 if identical, else 0. Exact
    integers, one division. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.pair_precision([3, 3, 4, 4], [1, 2, 2, 2]) == 1 / 3
    True
    """
    p = confusion(table)
    return _ratio(p.n11, p.candidate, p)


@measure(
    decomposition=of_recall,
    family="pairs",
    weights=False,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    normalized=True,
    source="V, section 3 (pairs of items)",
    default=False,
)
def pair_recall(table: Contingency) -> float:
    """Share of the reference's pairs that are together in the candidate, in [0, 1].

    Returns
    -------
    float
        1: every reference cluster lies inside a candidate cluster.

    Notes
    -----
    N11 / (N11 + N10); no pair together in the reference: 1 if identical, else 0. Exact
    integers, one division. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.pair_recall([3, 3, 4, 4], [1, 2, 2, 2])
    0.5
    """
    p = confusion(table)
    return _ratio(p.n11, p.reference, p)


@measure(
    decomposition=of_pair_f1,
    family="pairs",
    weights=False,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    normalized=True,
    source="Dice, Czekanowski on pairs",
    default=False,
)
def pair_f1(table: Contingency) -> float:
    """Harmonic mean of pair precision and pair recall (Dice of pairs), in [0, 1].

    Returns
    -------
    float
        1: identical; 0: no pair is together in both.

    Notes
    -----
    2 N11 / (2 N11 + N10 + N01); both all singletons: 1. Exact integers, one division.
    O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.pair_f1([3, 3, 4, 4], [1, 2, 2, 2])
    0.4
    """
    p = confusion(table)
    return _ratio(2 * p.n11, p.reference + p.candidate, p)


@measure(
    decomposition=of_wallace,
    family="pairs",
    weights=False,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    normalized=True,
    source="Wallace 1983; Severiano et al. 2011 (adjusted)",
    default=False,
    variants={
        "direction=candidate": {},
        "adjusted=True": {"range": (None, 1), "normalized": False, "decomposition": None},
        "direction=candidate, adjusted=True": {
            "range": (None, 1),
            "normalized": False,
            "decomposition": None,
        },
    },
)
def wallace(table: Contingency, direction: str = "reference", adjusted: bool = False) -> float:
    """Chance that a pair together in one clustering is together in the other, in [0, 1].

    Parameters
    ----------
    direction : {"reference", "candidate"}, default "reference"
        Whose pairs are asked about: "reference" is pair recall, "candidate" pair precision.
    adjusted : bool, default False
        Correct for chance: (W - E) / (1 - E), E the share of the other clustering's pairs
        among all; negative below chance.

    Returns
    -------
    float
        1: the one clustering refines the other.

    Raises
    ------
    ValueError
        ``direction`` is another word.

    Notes
    -----
    N11 / (N11 + N10) or N11 / (N11 + N01). 0/0 (also where the other clustering is a single
    cluster, adjusted): 1 if identical, else 0. Exact integers, one division. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.wallace([3, 3, 4, 4], [1, 2, 2, 2], adjusted=True)
    0.0
    """
    one_of(direction, ("reference", "candidate"), "direction")
    p = confusion(table)
    own, other = p.reference, p.candidate
    if direction == "candidate":
        own, other = other, own
    if not flag(adjusted, "adjusted"):
        return _ratio(p.n11, own, p)
    # (n11 / own - other / total) / (1 - other / total)
    return _ratio(p.n11 * p.total - own * other, own * (p.total - other), p)


@measure(
    decomposition=of_rogers_tanimoto,
    family="pairs",
    weights=False,
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
    p = confusion(table)
    return _ratio(p.n11 + p.n00, p.total + p.n10 + p.n01, p)


@measure(
    decomposition=of_sokal_sneath_1,
    family="pairs",
    weights=False,
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
    p = confusion(table)
    return _ratio(p.n11, p.n11 + 2 * (p.n10 + p.n01), p)


@measure(
    decomposition=of_sokal_sneath_2,
    family="pairs",
    weights=False,
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
    p = confusion(table)
    agreed = p.n11 + p.n00
    return _ratio(2 * agreed, p.total + agreed, p)


@measure(
    family="pairs",
    weights=False,
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
    p = confusion(table)
    apart_a, apart_b = p.total - p.reference, p.total - p.candidate
    together = ((p.n11, p.reference), (p.n11, p.candidate))
    return _mean((*together, (p.n00, apart_b), (p.n00, apart_a)), p)


@measure(
    family="pairs",
    weights=False,
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
    p = confusion(table)
    return _mean(((p.n11, p.reference), (p.n11, p.candidate)), p)


def _mean(quotients: Sequence[tuple[int, int]], pairs: PairConfusion) -> float:
    """Return the exact mean of quotients, each 0/0 by the rule of ``_ratio``."""
    terms = (
        Fraction(above, below) if below else Fraction(int(pairs.identical))
        for above, below in quotients
    )
    total = sum(terms, Fraction(0))
    mean = total / len(quotients)
    return mean.numerator / mean.denominator


@measure(
    decomposition=of_joint_pairs,
    family="pairs",
    weights=False,
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
    p = confusion(table)
    return _ratio(p.n11, p.total, p)


@measure(
    family="pairs",
    weights=False,
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
    decomposition=of_adapted_rand_error,
    family="pairs",
    weights=False,
    range=(0, 1),
    direction="lower",
    value_if_identical=0,
    symmetric=True,
    source="SNEMI3D challenge",
    default=False,
    variants={"self_pairs=False": {"normalized": True}},
)
def adapted_rand_error(table: Contingency, self_pairs: bool = True) -> float:
    """One minus the F-score of pairs, each item also paired with itself, in [0, 1).

    Parameters
    ----------
    self_pairs : bool, default True
        False leaves the pairs of an item with itself out: 1 - pair_f1.

    Returns
    -------
    float
        0: identical.

    Notes
    -----
    1 - 2 sum n_ij^2 / (sum n_i^2 + sum m_j^2); n = 0: 0. Exact integers, one division.
    O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.adapted_rand_error([1, 1, 2, 2, 2], [1, 1, 1, 2, 2]) == 4 / 13
    True
    """
    p = confusion(table)
    n = table.n_items if flag(self_pairs, "self_pairs") else 0
    apart = 2 * (p.n10 + p.n01)
    below = 2 * (p.reference + p.candidate) + 2 * n
    if below == 0:
        return 0.0 if p.identical else 1.0
    return apart / below
