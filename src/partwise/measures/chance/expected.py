"""What chance gives: the mutual information expected where only cluster sizes are kept.

For clusters of sizes a and b in n permuted items the overlap M is hypergeometric with mean
mu = a b / n. With G = sum of E[M ln M] and D = sum of E[M ln(M / mu) - M + mu] over all pairs,
A, B, N = sums of x ln x over the rows, the columns and n itself: n E[I] = D = G - A - B + N.
No logarithm of n is left in the corrected measures, and all terms of G and D are >= 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from partwise import _kernels
from partwise._kernels.workers import worth_pairing
from partwise.measures.chance.random_models import (
    Profile,
    RandomModel,
    RandomSides,
    check_model,
    distinct_sizes,
    profiles,
)
from partwise.measures.error_bound import OF_DIFFERENCES
from partwise.measures.formulas import ratio
from partwise.measures.information import measure as information_measure
from partwise.measures.information.entropy_sums import fraction_bits, information, sums
from partwise.measures.pairs import measure as pair_measure
from partwise.measures.pairs.pairs import confusion
from partwise.numbers.checks import ln_of_base
from partwise.numbers.kernel_sums import EXPECTED_FRACTION_BITS
from partwise.table.contingency import Contingency
from partwise.table.memo import memoized, memoized_for_margins

__all__ = [
    "expected_mutual_information",
    "expected_rand_index",
]


class Chance(NamedTuple):
    """n times entropies and informations in nats, in units of 2^-EXPECTED_FRACTION_BITS.

    ``shared`` / ``scale`` is the mutual information, so that it may be any fraction.
    """

    reference: int
    candidate: int
    expected: int
    shared: int
    scale: int


def trivial(table: Contingency) -> bool:
    """Return whether a side is a single cluster or all singletons: chance changes nothing."""
    return not {1, table.n_items}.isdisjoint(table.shape)


def constant(table: Contingency) -> bool:
    """Return whether all permutations of the items give the same table, up to labels.

    So where a side is trivial, or one has two clusters, one of them a single item, and the
    other clusters of equal size.
    """
    if trivial(table):
        return True
    sides = table.row_sizes, table.col_sizes
    return any(
        len(own) == 2 and own.min() == 1 and bool(np.all(other == other[0]))
        for own, other in (sides, sides[::-1])
    )


@memoized_for_margins
def _expected_sums(table: Contingency) -> tuple[int, int]:
    n = table.n_items
    rows, cols = distinct_sizes(table.row_sizes, n), distinct_sizes(table.col_sizes, n)
    return _summed(rows, cols, n)


def _summed(rows: Profile, cols: Profile, n: int) -> tuple[int, int]:
    """Return the sums over all pairs of sizes; the threads in force share the pairs."""
    workers = worth_pairing(len(rows.sizes) * len(cols.sizes))
    return _kernels.impl.expected_sums(*rows[:2], *cols[:2], n, workers)


@memoized
def chance(table: Contingency) -> Chance:
    """Return the information of a table and what is expected. O(cells + pairs of sizes).

    G and D differ by what is known exactly, and rounding errors are a share of the sum that is
    used: the smaller one, G for many small clusters and D for few big ones.
    """
    s, n = sums(table), table.n_items
    shift = EXPECTED_FRACTION_BITS - fraction_bits(n)
    overlap, divergence = _expected_sums(table)
    reference, candidate = s.reference << shift, s.candidate << shift
    if divergence <= overlap:
        observed = information(table)
        above = observed.above * n << EXPECTED_FRACTION_BITS
        return Chance(reference, candidate, divergence, above, observed.below)
    expected = overlap + (s.reference + s.candidate - s.top << shift)
    return Chance(reference, candidate, expected, s.reference - s.merge << shift, 1)


def model_expectation(table: Contingency, model: str, sides: str) -> float:
    """Return E[I] in nats under any random model. O(pairs of sizes), at most O(n)."""
    n = table.n_items
    if n <= 1:
        return 0.0
    rows, cols = profiles(table, model, sides)
    _, divergence = _summed(rows, cols, n)
    return ratio(divergence, n << EXPECTED_FRACTION_BITS)


@information_measure(
    weights=False,
    range=(0, None),
    direction=None,
    symmetric=True,
    default=False,
    error_bound=OF_DIFFERENCES,
    source="PSI, section 5 (Vinh et al. 2010)",
)
def expected_mutual_information(
    table: Contingency,
    base: float | None = None,
    model: RandomModel = "perm",
    sides: RandomSides = "both",
) -> float:
    """Mutual information expected by chance, by default under fixed cluster sizes, in nats.

    Parameters
    ----------
    base : float, optional
        Base of the logarithm; nats by default.
    model : {"perm", "num", "all"}, default "perm"
        Equally likely are: all permutations of the items, all clusterings with the observed
        number of clusters, all clusterings.
    sides : {"both", "candidate"}, default "both"
        Whether the reference is drawn as well, or stays as it is.

    Returns
    -------
    float
        0: a side is a single cluster (or n = 0). The other side's entropy: a side is all
        singletons.

    Raises
    ------
    ValueError
        A base that is none, or another word for ``model`` or ``sides``.

    Notes
    -----
    The mean of ``mutual_information`` over all permutations of the items of one side:
    sum over pairs of clusters of sum_m P(m) (m / n) ln(n m / (n_i m_j)), P hypergeometric.
    Pairs of sizes with an expected overlap of at most 4 are summed all at once, by a Newton
    series whose terms are products over both sides, in O(distinct sizes); the others one by
    one, from the mode outwards or, from an overlap of 600 on, by a series of moments. Relative
    error below 1e-14. Cost: with many distinct sizes on both sides, and large ones, far above
    that of the table, as each pair of sizes has a sum of its own. Models other than "perm" need
    only the expected number of clusters of each size; their relative error is near 1e-12.

    References
    ----------
    Vinh, Epps, Bailey: Information theoretic measures for clusterings comparison (JMLR
    2010); Pair Sets Index (TKDE 2016), section 5; Gates, Ahn: The impact of random models on
    clustering similarity (JMLR 2017).

    Examples
    --------
    >>> import partwise as pw
    >>> round(pw.expected_mutual_information([0, 0, 1, 1], [0, 0, 1, 1], base=2), 12)
    0.333333333333
    """
    unit = ln_of_base(base)
    check_model(model, sides)
    if model != "perm":
        return model_expectation(table, model, sides) / unit
    if min(table.shape) <= 1:
        return 0.0
    s = sums(table)
    if table.shape[0] == table.n_items:
        return ratio(s.candidate, s.unit) / unit
    if table.shape[1] == table.n_items:
        return ratio(s.reference, s.unit) / unit
    return ratio(chance(table).expected, table.n_items << EXPECTED_FRACTION_BITS) / unit


@pair_measure(
    range=(0, 1),
    direction=None,
    symmetric=True,
    normalized=True,
    default=False,
    source="Gates and Ahn 2017",
)
def expected_rand_index(
    table: Contingency, model: RandomModel = "perm", sides: RandomSides = "both"
) -> float:
    """Rand index expected by chance, by default under fixed cluster sizes, in [0, 1].

    Parameters
    ----------
    model : {"perm", "num", "all"}, default "perm"
        Equally likely are: all permutations of the items, all clusterings with the observed
        number of clusters, all clusterings.
    sides : {"both", "candidate"}, default "both"
        Whether the reference is drawn as well, or stays as it is.

    Returns
    -------
    float
        1: both a single cluster, both all singletons, or n <= 1 (models with fixed numbers).

    Raises
    ------
    ValueError
        Another word for ``model`` or ``sides``.

    Notes
    -----
    p q + (1 - p)(1 - q), p and q the probabilities that two items are together in either
    clustering: P_a / T for observed sizes; S(n - 1, k) / S(n, k) and B(n - 1) / B(n) for random
    ones (Stirling and Bell numbers). O(cells).

    References
    ----------
    Gates, Ahn: The impact of random models on clustering similarity (JMLR 2017).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.expected_rand_index([0, 0, 1, 1], [0, 1, 1, 1]) == (2 * 3 + 4 * 3) / 36
    True
    """
    check_model(model, sides)
    if table.n_items <= 1:
        return 1.0
    if model == "perm":
        pairs = confusion(table)
        a, b, total = pairs.reference, pairs.candidate, pairs.total
        return (a * b + (total - a) * (total - b)) / total**2
    p, q = (profile.together() for profile in profiles(table, model, sides))
    return float(p * q + (1 - p) * (1 - q))
