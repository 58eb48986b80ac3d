"""The omega index: the adjusted Rand index of clusterings that overlap."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np

from partwise.labels.covers.cover import Cover
from partwise.measures.covers.joint import CoverPair
from partwise.numbers.arrays import IntArray

__all__ = ["omega_index"]

#: Pairs of items by the numbers of clusters that they share in the reference and candidate.
Levels = Counter[tuple[int, int]]


def _pairs(counts: IntArray) -> int:
    """Return the number of pairs inside groups of these sizes, exactly."""
    total = 0
    sizes, times = np.unique(counts, return_counts=True)
    for size, often in zip(sizes.tolist(), times.tolist(), strict=True):
        total += often * (size * (size - 1) // 2)
    return total


def _listed_levels(pair: CoverPair) -> Levels:
    """Count the pairs of items that share two clusters or more on a side."""
    counts = pair.types.counts
    twice: Levels = Counter()
    for pairs in pair.shared_pairs():
        weight = counts[pairs.first] * (counts[pairs.second] - (pairs.first == pairs.second))
        width = int(pairs.shared[1].max()) + 1
        keys, of_pair = np.unique(
            pairs.shared[0] * width + pairs.shared[1], return_inverse=True
        )
        # halves of 31 bits, so that a sum of doubles is exact
        low = np.bincount(of_pair, weights=weight & ((1 << 31) - 1), minlength=len(keys))
        high = np.bincount(of_pair, weights=weight >> 31, minlength=len(keys))
        for key, x, y in zip(keys.tolist(), low.tolist(), high.tolist(), strict=True):
            twice[divmod(key, width)] += int(x) + (int(y) << 31)
    return Counter({levels: number // 2 for levels, number in twice.items()})


def pair_levels(pair: CoverPair) -> Levels:
    """Count all pairs of items by the numbers of clusters that they share on both sides."""
    levels = _listed_levels(pair)
    everything = pair.n_items * (pair.n_items - 1) // 2
    together = [_pairs(sizes) for sizes in pair.sizes]
    # pairs at level 1 of one side: what is left of its memberships in common
    once = [
        together[side] - sum(level[side] * times for level, times in levels.items())
        for side in (0, 1)
    ]
    once[0] += sum(x * times for (x, _), times in levels.items() if x == 1)
    once[1] += sum(y * times for (_, y), times in levels.items() if y == 1)
    both = _pairs(pair.common.data) - sum(x * y * times for (x, y), times in levels.items())
    levels[1, 1] += both
    levels[1, 0] += once[0] - sum(times for (x, _), times in levels.items() if x == 1)
    levels[0, 1] += once[1] - sum(times for (_, y), times in levels.items() if y == 1)
    levels[0, 0] += everything - levels.total()
    return Counter({key: times for key, times in levels.items() if times})


def omega_index(reference: Cover, candidate: Cover) -> float:
    """Agreement on how many clusters each pair of items shares, corrected for chance.

    Parameters
    ----------
    reference, candidate : Cover
        Of the same items.

    Returns
    -------
    float
        At most 1, which is for covers that agree on every pair; 0 on average for covers that
        are unrelated; may be negative.

    Raises
    ------
    TypeError
        An argument is no ``Cover``.
    ValueError
        The covers have different items.

    Notes
    -----
    With u the share of pairs that are together in the same number of clusters on both sides,
    and e the sum over these numbers of the product of the shares of pairs that have them,
    omega is (u - e) / (1 - e). For partitions it is the adjusted Rand index. Where e = 1, all
    pairs are at one level on both sides: 1. Fewer than two items: 1. All counts are integers
    and the quotient is exact before it becomes a float, so the order of items and clusters
    changes no bit.

    Only pairs that share two clusters or more on a side are listed, those of items in the same
    clusters together: O(memberships log memberships + sum over items of the square of their
    clusters + listed pairs) time, and memory in proportion to the memberships, the pairs of
    clusters that an item is in, and a block of listed pairs.

    References
    ----------
    Collins and Dent, Omega: a general formulation of the Rand index of cluster recovery
    suitable for non-disjoint solutions, Multivariate Behavioral Research 1988.

    Examples
    --------
    >>> import partwise as pw
    >>> planted = pw.Cover([[0, 1, 2, 3], [3, 4, 5]], n_items=8)
    >>> located = pw.Cover([[0, 1, 2], [3, 4, 5]], n_items=8)
    >>> round(pw.omega_index(planted, located), 4)
    0.7308
    """
    pair = CoverPair.of(reference, candidate, "omega_index")
    everything = pair.n_items * (pair.n_items - 1) // 2
    if everything == 0:
        return 1.0
    levels = pair_levels(pair)
    agreed = sum(times for (x, y), times in levels.items() if x == y)
    by_side: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    for level, times in levels.items():
        for side in (0, 1):
            by_side[side][level[side]] += times
    chance = Fraction(
        sum(times * by_side[1][level] for level, times in by_side[0].items()), everything**2
    )
    if chance == 1:
        return 1.0
    return float((Fraction(agreed, everything) - chance) / (1 - chance))
