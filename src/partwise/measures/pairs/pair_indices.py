"""Indices over the n (n - 1) / 2 pairs of items, in exact integers."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Literal, get_args

from partwise.measures.chance.random_models import (
    RandomModel,
    RandomSides,
    check_model,
    profiles,
)
from partwise.measures.formulas import (
    Formula,
    Result,
    larger,
    of_pairs,
    ratio,
    root,
    signed,
    smaller,
)
from partwise.measures.pairs import measure
from partwise.measures.pairs.component_pairs import of_jaccard, of_mirkin, of_rand, of_raw_gamma
from partwise.measures.pairs.pairs import PairConfusion, confusion
from partwise.measures.sums import Value
from partwise.numbers.checks import flag, one_of
from partwise.table.contingency import Contingency

__all__ = [
    "adjusted_rand_index",
    "fowlkes_mallows",
    "hubert_gamma",
    "jaccard",
    "mirkin",
    "rand_index",
]

Maximum = Literal["arithmetic", "geometric", "min", "max", "all"]
MAXIMA: tuple[str, ...] = get_args(Maximum)

# ---- as functions of sums, see formulas.py ----------------------------------------------


def _rand(p: Any) -> Result:
    return ratio(p.n11 + p.n00, p.total, 1)


def _adjusted_rand(p: Any, maximum: str = "arithmetic") -> Result:
    a, b, total = p.reference, p.candidate, p.total
    # twice the maximum: a half would be lost
    if maximum == "arithmetic":
        twice = a + b
    elif maximum == "all":
        twice = 2 * total
    else:
        twice = 2 * (smaller(a, b) if maximum == "min" else larger(a, b))
    product = a * b
    return ratio(2 * (total * p.n11 - product), total * twice - 2 * product, p.identical)


def _jaccard(p: Any) -> Result:
    return ratio(p.n11, p.n11 + p.n10 + p.n01, 1)


def _fowlkes_mallows(p: Any) -> Result:
    return root(ratio(p.n11 * p.n11, p.reference * p.candidate, p.identical))


def _hubert_gamma(p: Any, normalized: bool = True) -> Result:
    a, b, total = p.reference, p.candidate, p.total
    if not normalized:
        return ratio(p.n11, total, 0)
    above = total * p.n11 - a * b
    below = a * b * (total - a) * (total - b)
    absolute = root(ratio(above * above, below, p.identical))
    return signed(absolute, p.identical * 1 + above)


def _mirkin(p: Any, n: Value, normalized: bool = False) -> Result:
    apart = 2 * (p.n10 + p.n01)
    return ratio(apart, n * n if normalized else 1)


# ---- the measures ------------------------------------------------------------------------


@measure(
    under_chance="pairs",
    formula=of_pairs(_rand),
    decomposition=of_rand,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    metric=True,
    normalized=True,
    source="V, section 3; PSI, Table 2",
)
def rand_index(table: Contingency) -> float:
    """Share of pairs on which both clusterings agree, in [0, 1].

    Returns
    -------
    float
        1: identical; 0: one clustering is a single cluster, the other all singletons.

    Notes
    -----
    (N11 + N00) / T, T = n (n - 1) / 2; n <= 1: 1. 1 - Rand is a metric. What random
    clusterings get depends on their cluster sizes (PSI says 1/2). Exact integers, one
    division. O(cells).

    References
    ----------
    V-measure (EMNLP 2007), section 3; Pair Sets Index (TKDE 2016), Table 2.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.rand_index([0, 0, 1, 1], [0, 1, 1, 1])
    0.5
    """
    return _rand(confusion(table))


@measure(
    under_chance="pairs",
    formula=of_pairs(_adjusted_rand, without={"maximum": ("geometric",)}),
    range=(-0.5, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    source="PSI, Table 2",
)
def adjusted_rand_index(
    table: Contingency,
    maximum: Maximum = "arithmetic",
    model: RandomModel = "perm",
    sides: RandomSides = "both",
) -> float:
    """Rand index corrected for chance, by default under fixed cluster sizes, at most 1.

    Parameters
    ----------
    maximum : {"arithmetic", "geometric", "min", "max", "all"}, default "arithmetic"
        What N11 is thought to reach: a mean of P_a and P_b (the arithmetic one is Hubert and
        Arabie's, the geometric one gives ``adjusted_fowlkes_mallows``), or all pairs.
    model, sides : str
        model : {"perm", "num", "all"}, default "perm"; sides : {"both", "candidate"}, default
        "both". The random clusterings, see ``expected_rand_index``.

    Returns
    -------
    float
        1: identical; 0: as expected by chance; negative: below chance. In [-1/2, 1], but that
        ``maximum="min"`` and the models "num" and "all" go below -1/2.

    Raises
    ------
    ValueError
        Another word for an option, or another ``maximum`` beside a model other than "perm".

    Notes
    -----
    2 (N00 N11 - N01 N10) / ((N00 + N01)(N01 + N11) + (N00 + N10)(N10 + N11)), which equals
    (RI - E) / (1 - E). Both a single cluster, both all singletons, or n <= 1: 1 (the
    denominator vanishes only then). PSI calls it bounded by 0; it is -1/2 for two crossing
    halves of four items. Exact integers, one division. O(cells).

    In general (N11 - P_a P_b / T) / (maximum - P_a P_b / T), T = n (n - 1) / 2 (0/0: 1 if
    identical, else 0); another model gives (RI - E) / (1 - E) with its expected Rand index.

    References
    ----------
    Pair Sets Index (TKDE 2016), Table 2; Gates, Ahn: The impact of random models on
    clustering similarity (JMLR 2017).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.adjusted_rand_index([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]) == 2 / 27
    True
    """
    one_of(maximum, MAXIMA, "maximum")
    check_model(model, sides)
    p = confusion(table)
    if model != "perm":
        if maximum != "arithmetic":
            raise ValueError(f'maximum={maximum!r} goes with model="perm" only')
        return _under_model(table, model, sides)
    if maximum == "geometric":
        return corrected_by_root(p)
    return _adjusted_rand(p, maximum)


def corrected_by_root(p: PairConfusion) -> float:
    """Return (N11 - E) / (sqrt(P_a P_b) - E), with 64 more bits of the root than needed."""
    if p.identical:
        return 1.0
    product = p.reference * p.candidate
    above = p.n11 * p.total - product
    if product == 0 or above == 0:
        return 0.0
    root = math.isqrt(product << 256)  # 128 fraction bits
    below = p.total * root - (product << 128)
    return (above << 128) / below if below else 0.0


def _under_model(table: Contingency, model: str, sides: str) -> float:
    pairs = confusion(table)
    if pairs.total == 0:
        return 1.0
    p, q = (profile.together() for profile in profiles(table, model, sides))
    differ = p * (1 - q) + q * (1 - p)  # 1 - E
    if differ == 0:
        return 1.0 if pairs.identical else 0.0
    return float(1 - Fraction(pairs.n10 + pairs.n01, pairs.total) / differ)


@measure(
    formula=of_pairs(_jaccard),
    decomposition=of_jaccard,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    metric=True,
    normalized=True,
    source="V, section 3",
)
def jaccard(table: Contingency) -> float:
    """Pairs together in both over pairs together in either, in [0, 1].

    Returns
    -------
    float
        1: identical; 0: no pair is together in both.

    Notes
    -----
    N11 / (N11 + N10 + N01); both all singletons, or n <= 1: 1. 1 - Jaccard is a metric.
    Exact integers, one division. O(cells).

    References
    ----------
    V-measure (EMNLP 2007), section 3.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.jaccard([0, 0, 1, 1], [0, 1, 1, 1])
    0.25
    """
    return _jaccard(confusion(table))


@measure(
    under_chance="pairs",
    formula=of_pairs(_fowlkes_mallows),
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    normalized=True,
    source="V, section 3",
)
def fowlkes_mallows(table: Contingency) -> float:
    """Geometric mean of pair precision and pair recall, in [0, 1].

    Returns
    -------
    float
        1: identical; 0: no pair is together in both.

    Notes
    -----
    N11 / sqrt((N11 + N10)(N11 + N01)). Both all singletons (or n <= 1): 1; exactly one: 0.
    Exact integers, then one division and one square root. O(cells).

    References
    ----------
    V-measure (EMNLP 2007), section 3.

    Examples
    --------
    >>> import partwise as pw
    >>> round(pw.fowlkes_mallows([0, 0, 1, 1], [0, 1, 1, 1]), 6)
    0.408248
    """
    return _fowlkes_mallows(confusion(table))


@measure(
    under_chance="pairs",
    formula=of_pairs(_hubert_gamma),
    range=(-1, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    source="V, sections 3 and 4 (Hubert and Schultz)",
    variants={
        "normalized=False": {
            "range": (0, 1),
            "value_if_identical": None,
            "normalized": True,
            "decomposition": of_raw_gamma,
        }
    },
)
def hubert_gamma(table: Contingency, normalized: bool = True) -> float:
    """Correlation of the two "together" indicators over pairs, in [-1, 1].

    Parameters
    ----------
    normalized : bool, default True
        False gives the raw form N11 / T in [0, 1].

    Returns
    -------
    float
        1: identical; 0: uncorrelated.

    Notes
    -----
    (T N11 - P_a P_b) / sqrt(P_a P_b (T - P_a)(T - P_b)), P_a = N11 + N10, P_b = N11 + N01.
    Where a clustering is a single cluster or all singletons: 1 if identical, else 0. Raw
    form, n <= 1: 0. Exact integers until the last division and root. O(cells).

    References
    ----------
    V-measure (EMNLP 2007), sections 3 and 4; formula of Hubert and Schultz.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.hubert_gamma([0, 0, 1, 1], [0, 1, 0, 1])
    -0.5
    """
    return _hubert_gamma(confusion(table), flag(normalized, "normalized"))


@measure(
    under_chance="pairs",
    formula=Formula(_mirkin, ("pairs", "n")),
    decomposition=of_mirkin,
    range=(0, None),
    direction="lower",
    value_if_identical=0,
    symmetric=True,
    metric=True,
    source="V, sections 3 and 4 (Meila)",
    variants={"normalized=True": {"range": (0, 1)}},
)
def mirkin(table: Contingency, normalized: bool = False) -> float:
    """Ordered pairs of items that the clusterings judge differently, in [0, n (n - 1)].

    Parameters
    ----------
    normalized : bool, default False
        True divides by n^2, giving [0, 1 - 1/n].

    Returns
    -------
    float
        0: identical.

    Notes
    -----
    2 (N10 + N01); n <= 1: 0. A metric; over n (n - 1) it is 1 - Rand. Exact integers.
    O(cells).

    References
    ----------
    V-measure (EMNLP 2007), sections 3 and 4; formula of Meila.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.mirkin([0, 0, 1, 1], [0, 1, 1, 1])
    6.0
    """
    return _mirkin(confusion(table), table.n_items, flag(normalized, "normalized"))
