"""Mutual information of clusterings that overlap, cluster by cluster."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from partwise.labels.covers.cover import Cover
from partwise.measures.covers.joint import CoverPair
from partwise.measures.covers.mixed_products import sign_of_gap
from partwise.numbers.arrays import BoolArray, FloatArray, IntArray
from partwise.numbers.checks import one_of
from partwise.numbers.real_logarithm import log, log1p

__all__ = ["overlapping_mutual_information"]

#: Sums of logarithms closer to each other than this share of their size are compared exactly.
_GUARD = 1e-11
#: Pairs of a large cluster and clusters of the other side that are looked at together.
_BLOCK = 1 << 20

Normalizer = Literal["max", "sum", "lfk", "lfk_global"]
Constraint = Literal["strict", "at_least"]


@dataclass(frozen=True, eq=False)
class Side:
    """Entropies of the clusters of one side, n times, in nats.

    Attributes
    ----------
    own : ndarray of float64
        Of each cluster: n H(X).
    left : ndarray of float64
        What the other cover leaves of it: n H(X | Y).
    matched : ndarray of bool
        Whether the other cover has the very same cluster.
    """

    own: FloatArray
    left: FloatArray
    matched: BoolArray

    def mean_share(self) -> float:
        """Return the mean over clusters of H(X | Y) / H(X)."""
        shares = np.where(self.matched, 0.0, 1.0)
        some = self.own > 0
        shares[some] = self.left[some] / self.own[some]
        return math.fsum(shares.tolist()) / len(shares)

    def total_share(self) -> float:
        """Return the sum of H(X | Y) over that of H(X)."""
        total = self.total
        if total > 0:
            return math.fsum(self.left.tolist()) / total
        return 0.0 if self.matched.all() else 1.0

    @property
    def total(self) -> float:
        """The sum of n H(X)."""
        return math.fsum(self.own.tolist())


def _split(part: IntArray, rest: IntArray) -> FloatArray:
    """Return (part + rest) times the entropy of the split into both, without cancellation."""
    low = np.minimum(part, rest).astype(np.float64)
    high = np.maximum(part, rest).astype(np.float64)
    total = low + high
    values = np.zeros(len(low))
    np.divide(low, total, out=values, where=low > 0)
    terms = np.zeros(len(low))
    some = low > 0
    terms[some] = low[some] * log(total[some] / low[some])
    terms[some] -= high[some] * log1p(-values[some])
    return terms


def _surprise(part: IntArray, n: int) -> FloatArray:
    """Return n h(part / n), with h(x) = -x ln x."""
    x = part.astype(np.float64)
    values = np.zeros(len(x))
    small, large = (part > 0) & (2 * part <= n), 2 * part > n
    values[small] = x[small] * log(n / x[small])
    values[large] = -x[large] * log1p(-(n - x[large]) / n)
    return values


def _allowed(a: IntArray, b: IntArray, c: IntArray, n: int, at_least: bool) -> BoolArray:
    """Return where h(a) + h(d) > h(b) + h(c), the constraint, decided exactly."""
    d = n - a - b - c
    terms = [_surprise(x, n) for x in (a, d, b, c)]
    gap = (terms[0] + terms[1]) - (terms[2] + terms[3])
    allowed: BoolArray = gap > 0
    unsure = np.flatnonzero(np.abs(gap) <= _GUARD * sum(terms))
    if len(unsure):
        counts = np.stack([x[unsure] for x in (a, b, c, d)], axis=1)
        distinct, of_unsure = np.unique(counts, axis=0, return_inverse=True)
        least = 0 if at_least else 1
        signs = np.array([sign_of_gap(*row) >= least for row in distinct.tolist()])
        allowed[unsure] = signs[of_unsure.reshape(-1)]
    return allowed


def _cell_blocks(pair: CoverPair) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    """Yield pairs of clusters that the constraint may allow: (rows, columns, items in common).

    Clusters that share items, and clusters of more than half of the items with all others:
    clusters without a common item pass the constraint only if one of them is that large.
    """
    cells = pair.common
    yield cells.row, cells.col, cells.data
    n = pair.n_items
    for side in (0, 1):
        others = np.arange(len(pair.sizes[1 - side]))
        large = np.flatnonzero(2 * pair.sizes[side] > n)
        step = max(_BLOCK // max(len(others), 1), 1)
        for start in range(0, len(large), step):
            some = large[start : start + step]
            first = np.repeat(some, len(others))
            second = np.tile(others, len(some))
            rows, cols = (second, first) if side else (first, second)
            keys = rows * len(pair.sizes[1]) + cols
            apart = ~np.isin(keys, cells.row * len(pair.sizes[1]) + cells.col)
            yield rows[apart], cols[apart], np.zeros(int(apart.sum()), dtype=np.int64)


def _both_sides(pair: CoverPair, at_least: bool) -> tuple[Side, Side]:
    n = pair.n_items
    sizes = pair.sizes
    own = [_split(size, n - size) for size in sizes]
    left = [values.copy() for values in own]
    matched = [np.zeros(len(size), dtype=bool) for size in sizes]
    for rows, cols, common in _cell_blocks(pair):
        x, y = sizes[0][rows], sizes[1][cols]
        same = (common == x) & (common == y)
        matched[0][rows[same]] = True
        matched[1][cols[same]] = True
        kept = _allowed(common, x - common, y - common, n, at_least)
        rows, cols, a = rows[kept], cols[kept], common[kept]
        b, c = x[kept] - a, y[kept] - a
        d = n - a - b - c
        np.minimum.at(left[0], rows, _split(a, c) + _split(b, d))
        np.minimum.at(left[1], cols, _split(a, b) + _split(c, d))
    one, two = (
        Side(values, rest, met) for values, rest, met in zip(own, left, matched, strict=True)
    )
    return one, two


def overlapping_mutual_information(
    reference: Cover,
    candidate: Cover,
    *,
    normalizer: Normalizer = "max",
    constraint: Constraint = "strict",
) -> float:
    """Normalised mutual information of covers, in [0, 1].

    Parameters
    ----------
    reference, candidate : Cover
        Of the same items.
    normalizer : {"max", "sum", "lfk", "lfk_global"}
        "max" (McDaid et al.) divides the information by the larger entropy, "sum" by the mean
        of both; "lfk" (Lancichinetti et al.) is one minus the mean over clusters of the share
        of their entropy that is left, "lfk_global" one minus the share of all entropy.
    constraint : {"strict", "at_least"}
        Whether a cluster that is exactly as well explained by the complement of another one
        counts as explained: no, as in the programs of the authors, or yes.

    Returns
    -------
    float
        1: the same clusters on both sides.

    Raises
    ------
    TypeError
        An argument is no ``Cover``.
    ValueError
        The covers have different items, or an option is another word.

    Notes
    -----
    A cluster X is a yes-or-no variable of the items, H(X) its entropy. H(X | Y) of a cluster
    of the other side counts only if h(p11) + h(p00) > h(p10) + h(p01), with h(p) = -p ln p:
    else X would be explained by what is not in Y. The least of them is what the other cover
    leaves of X. Where both sides of the constraint are equal (h(1/2) = h(1/4)), integers
    decide, so that no unit of the logarithm does. This is not the normalised mutual information
    of partitions, even where both covers are partitions.

    A cluster of all items has no entropy: its share left is 0 if the other cover has it as
    well, else 1. "max" and "sum" where no cluster has entropy: 1 for the same clusters, however
    often, else 0. No cluster on one side: 0; on both: 1. "lfk" gives unrelated covers higher
    values than "max", which was made to replace it.

    O(memberships + cells + clusters of more than half of the items times all clusters), where
    cells are the pairs of clusters with an item in common. No sum depends on the order.

    References
    ----------
    Lancichinetti, Fortunato and Kertesz, Detecting the overlapping and hierarchical community
    structure in complex networks, New Journal of Physics 2009. McDaid, Greene and Hurley,
    Normalized mutual information to evaluate overlapping community finding algorithms, 2011.

    Examples
    --------
    >>> import partwise as pw
    >>> planted = pw.Cover([[0, 1, 2, 3], [3, 4, 5]], n_items=6)
    >>> located = pw.Cover([[0, 1, 2], [3, 4, 5]], n_items=6)
    >>> round(pw.overlapping_mutual_information(planted, located), 6)
    0.729574
    >>> round(pw.overlapping_mutual_information(planted, located, normalizer="lfk"), 6)
    0.739787
    """
    one_of(normalizer, ("max", "sum", "lfk", "lfk_global"), "normalizer")
    one_of(constraint, ("strict", "at_least"), "constraint")
    pair = CoverPair.of(reference, candidate, "overlapping_mutual_information")
    rows, cols = pair.sizes
    if not len(rows) or not len(cols):
        return float(len(rows) == len(cols))
    first, second = _both_sides(pair, constraint == "at_least")
    if normalizer == "lfk":
        return 1 - (first.mean_share() + second.mean_share()) / 2
    if normalizer == "lfk_global":
        return 1 - (first.total_share() + second.total_share()) / 2
    totals = first.total, second.total
    if totals == (0.0, 0.0):
        return float(first.matched.all() and second.matched.all())
    left = math.fsum([*first.left.tolist(), *second.left.tolist()])
    both = math.fsum([*first.own.tolist(), *second.own.tolist()])
    # of one sum, rounded once: where nothing is left the share is 1
    return (both - left) / both if normalizer == "sum" else (both - left) / 2 / max(totals)
