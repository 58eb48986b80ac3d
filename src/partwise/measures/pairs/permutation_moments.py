"""Mean and variance of the pair counts over all permutations of the items, exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Unpack

from partwise.measures.chance.random_models import distinct_sizes
from partwise.measures.pairs import measure
from partwise.measures.pairs.pairs import PairConfusion, confusion
from partwise.numbers.arrays import IntArray
from partwise.table.arguments import Reference, table_of
from partwise.table.contingency import Contingency
from partwise.table.memo import memoized
from partwise.typing import Candidate, Policies

__all__ = [
    "pair_count_moments",
    "standardized_rand_index",
]


@dataclass(frozen=True, slots=True)
class PairCountMoments:
    """N11, the pairs together in both clusterings, under permutation of the items.

    Attributes
    ----------
    pairs : PairConfusion
        What was observed.
    mean, variance : Fraction
        Of N11 over all permutations. The other three counts follow from it.
    """

    pairs: PairConfusion
    mean: Fraction
    variance: Fraction

    @property
    def z(self) -> float:
        """(N11 - mean) / deviation: the same for Rand and ARI, and for Mirkin with a minus.

        0.0 where all permutations give the same count.
        """
        if self.variance == 0:
            return 0.0
        above = self.pairs.n11 - self.mean
        square = above * above / self.variance
        return math.copysign(math.sqrt(square), above) if above else 0.0

    @property
    def rand_variance(self) -> Fraction:
        """Variance of the Rand index."""
        total = self.pairs.total
        return 4 * self.variance / total**2 if total else Fraction(0)

    @property
    def adjusted_rand_variance(self) -> Fraction:
        """Variance of the adjusted Rand index (its mean is 0); 0 where it is constant."""
        most = Fraction(self.pairs.reference + self.pairs.candidate, 2)
        return self.variance / (most - self.mean) ** 2 if self.variance else Fraction(0)


def _falling_sums(sizes: IntArray) -> tuple[int, int]:
    """Return the sums of x (x - 1) and of x (x - 1)(x - 2). O(k)."""
    two = three = 0
    profile = distinct_sizes(sizes)
    for x, times in zip(profile.sizes.tolist(), profile.numbers.tolist(), strict=True):
        ordered = int(times) * x * (x - 1)
        two += ordered
        three += ordered * (x - 2)
    return two, three


@memoized
def moments(table: Contingency) -> PairCountMoments:
    """Return the moments of a table's N11. O(cells)."""
    n = table.n_items
    p, p3 = _falling_sums(table.row_sizes)
    q, q3 = _falling_sums(table.col_sizes)

    def chance(ways: int, items: int) -> Fraction:
        """Ways over ordered choices of so many items; without any choice there is no way."""
        return Fraction(ways, max(math.perm(n, items), 1))

    # two ordered pairs share both items, one, or none
    mean = chance(p * q, 2)
    square = 2 * mean + 4 * chance(p3 * q3, 3)
    square += chance((p * p - 2 * p - 4 * p3) * (q * q - 2 * q - 4 * q3), 4)
    return PairCountMoments(confusion(table), mean / 2, (square - mean * mean) / 4)


def pair_count_moments(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> PairCountMoments:
    """Count pairs together in both clusterings, with mean and variance under permutation.

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` or ``Contingency``.
    **policies
        See ``align``.

    Returns
    -------
    PairCountMoments
        Python integers and fractions, exact at any n.

    Raises
    ------
    ValueError
        Weights are given: only whole items can be permuted.

    Notes
    -----
    With X = 2 N11 = sum n_ij (n_ij - 1), P = sum n_i (n_i - 1), P3 = sum n_i (n_i - 1)
    (n_i - 2), Q and Q3 likewise for the columns, n_r = n (n - 1) ... (n - r + 1):
    E X = P Q / n_2 and Var X = 2 P Q / n_2 + 4 P3 Q3 / n_3
    + (P^2 - 2 P - 4 P3)(Q^2 - 2 Q - 4 Q3) / n_4 - (E X)^2. O(cells).

    References
    ----------
    Fowlkes, Mallows: A method for comparing two hierarchical clusterings (JASA 1983); Hubert,
    Arabie: Comparing partitions (J. Classification 1985).

    Examples
    --------
    >>> import partwise as pw
    >>> found = pw.pair_count_moments([0, 0, 1, 1], [0, 0, 1, 1])
    >>> found.mean, found.variance, found.z
    (Fraction(2, 3), Fraction(8, 9), 1.4142135623730951)
    """
    table = table_of(reference, candidate, policies, "pair_count_moments")
    if table.masses is not None:
        raise ValueError(
            "pair_count_moments permutes whole items and takes no weights; use multiplicity="
        )
    return moments(table)


@measure(
    range=(None, None),
    direction="higher",
    symmetric=True,
    default=False,
    source="Fowlkes and Mallows 1983; Hubert and Arabie 1985",
)
def standardized_rand_index(table: Contingency) -> float:
    """Rand index in standard deviations from its mean under permutation of the items.

    Returns
    -------
    float
        0: as expected by chance, or all permutations give the same; negative: below chance.

    Notes
    -----
    (RI - E[RI]) / sd(RI) with exact mean and variance, see ``pair_count_moments``. The
    standardised ARI is the same number, the standardised Mirkin metric its negative. It is no
    p-value: for few or very unequal clusters the distribution is far from normal. One
    division of integers and one root. O(cells).

    References
    ----------
    Fowlkes, Mallows: A method for comparing two hierarchical clusterings (JASA 1983); Hubert,
    Arabie: Comparing partitions (J. Classification 1985).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.standardized_rand_index([0, 0, 1, 1], [0, 0, 1, 1]) == 2**0.5
    True
    """
    return moments(table).z
