"""Criteria that searches use in place of an expected loss, without a matrix of items."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from partwise.consensus.ensemble import Ensemble
from partwise.numbers.arrays import FloatArray
from partwise.numbers.real_logarithm import log


def vi_lower_bound(codes: NDArray[np.uint32], ensemble: Ensemble) -> float:
    """Return (1/n) sum_i (ln s(i) + ln sum_j p_ij - 2 ln sum_{j with i} p_ij).

    s(i) is the size of the candidate's cluster of i. The sums of p are means over the draws of
    the size of the cluster of i and of its items with i in the candidate, so a draw costs O(n).
    """
    n = ensemble.n_items
    everywhere, with_item = np.zeros(n), np.zeros(n)
    for row, share in zip(ensemble.codes, ensemble.shares.tolist(), strict=True):
        everywhere += share * np.bincount(row)[row]
        with_item += share * _cell_sizes(codes, row)
    sizes = np.bincount(codes)[codes]
    terms: FloatArray = log(sizes) + log(everywhere) - 2 * log(with_item)
    return float(np.sort(terms).sum() / n)  # sorted: the order of the items changes no bit


def _cell_sizes(first: NDArray[np.uint32], second: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Return, for each item, how many share both of its clusters."""
    both = first.astype(np.int64) * (int(second.max(initial=0)) + 1) + second
    _, cells, counts = np.unique(both, return_inverse=True, return_counts=True)
    of_items: NDArray[np.int64] = counts[cells]
    return of_items


def one_minus_pear(codes: NDArray[np.uint32], ensemble: Ensemble) -> float:
    """Return one minus the adjusted Rand index with p_ij in place of a second clustering.

    The sums of p over pairs, and over pairs of the candidate, are means over the draws. 0/0 (no
    pair, or all pairs sure and alike) is 0.
    """
    pairs = _pairs(np.bincount(codes))
    n = ensemble.n_items
    weights = [Fraction(x) for x in ensemble.weights.tolist()]
    total = sum(weights)
    expected = shared = Fraction(0)
    for row, weight in zip(ensemble.codes, weights, strict=True):
        expected += weight * _pairs(np.bincount(row)) / total
        both = codes.astype(np.int64) * (int(row.max(initial=0)) + 1) + row
        shared += weight * _pairs(np.unique(both, return_counts=True)[1]) / total
    if n < 2:
        return 0.0
    chance = pairs * expected / (n * (n - 1) // 2)
    below = (pairs + expected) / 2 - chance
    return float(1 - (shared - chance) / below) if below else 0.0


def _pairs(sizes: NDArray[np.int64]) -> int:
    return sum(size * (size - 1) // 2 for size in sizes.tolist())


#: By the word that ``loss=`` takes.
CRITERIA: dict[str, Callable[[NDArray[np.uint32], Ensemble], float]] = {
    "vi_lower_bound": vi_lower_bound,
    "pear": one_minus_pear,
}
