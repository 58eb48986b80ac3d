"""B-cubed of clusterings that overlap: multiplicity precision and recall."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from partwise.labels.covers.cover import Cover
from partwise.measures.covers.joint import CoverPair
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import weight_of_harmonic_mean
from partwise.report.brief import Brief

__all__ = ["ExtendedBCubed", "extended_b_cubed"]


@dataclass(frozen=True, repr=False)
class ExtendedBCubed(Brief):
    """Extended B-cubed precision, recall and their harmonic mean.

    Attributes
    ----------
    precision, recall, f : float
    """

    precision: float
    recall: float
    f: float


def _scores_of_types(pair: CoverPair) -> tuple[FloatArray, FloatArray]:
    """Return, of each type, the mean over its neighbours of min(s, t) / s, for both sides.

    s and t are the numbers of clusters that two items share on the side and on the other one.
    The mean of a type without clusters on a side is nan there.
    """
    types = pair.types
    counts = types.counts
    n_types = len(counts)
    totals = [
        np.asarray(side @ sizes) for side, sizes in zip(types.sides, pair.sizes, strict=True)
    ]
    neighbours = [total.copy() for total in totals]
    gained = [np.zeros(n_types), np.zeros(n_types)]
    one_each = pair.common_of_types()
    for pairs in pair.shared_pairs():
        weight = counts[pairs.second]
        one_each -= _added(pairs.first, weight * pairs.shared[0] * pairs.shared[1], n_types)
        for side in (0, 1):
            own, other = pairs.shared[side], pairs.shared[1 - side]
            neighbours[side] -= _added(pairs.first, weight * (own - (own > 0)), n_types)
            for level in np.unique(own[own > 0]).tolist():  # ascending: one order of the sums
                at = own == level
                smaller = _added(
                    pairs.first[at], (weight * np.minimum(own, other))[at], n_types
                )
                gained[side] += smaller / level
    # left are pairs with s = t = 1, whose products are what remains of the sums
    with np.errstate(invalid="ignore"):
        one, two = (
            (gained[side] + one_each) / np.where(neighbours[side] > 0, neighbours[side], np.nan)
            for side in (0, 1)
        )
    return one, two


def _added(owners: IntArray, values: IntArray, n_types: int) -> IntArray:
    """Return sums of integers by type, exactly."""
    sums = np.zeros(n_types, dtype=np.int64)
    np.add.at(sums, owners, values)
    return sums


def _mean(values: FloatArray, counts: IntArray) -> float:
    """Return the mean over the items of types that have a value; 1 where none has."""
    there = ~np.isnan(values)
    if not there.any():
        return 1.0
    return math.fsum((values[there] * counts[there]).tolist()) / int(counts[there].sum())


def extended_b_cubed(reference: Cover, candidate: Cover, *, beta: float = 1) -> ExtendedBCubed:
    """B-cubed precision, recall and F of covers, in [0, 1].

    Parameters
    ----------
    reference, candidate : Cover
        Of the same items.
    beta : float, default 1
        Weight of recall in ``f``, from 0 to infinity.

    Returns
    -------
    ExtendedBCubed

    Raises
    ------
    TypeError
        An argument is no ``Cover``.
    ValueError
        The covers have different items, or ``beta`` is no number of at least 0.

    Notes
    -----
    With s and t the numbers of candidate and reference clusters that two items share,
    precision is the mean over the items of the mean over all items with s > 0, the item itself
    included, of min(s, t) / s; recall has s and t exchanged. Items in no cluster of a side
    have no neighbours there and are left out of its mean; if nothing is left, it is 1. For
    partitions these are B-cubed precision and recall. Two covers that differ may have
    precision and recall 1. Cost as ``omega_index``; sums do not depend on the order.

    References
    ----------
    Amigo, Gonzalo, Artiles and Verdejo, A comparison of extrinsic clustering evaluation metrics
    based on formal constraints, Information Retrieval 2009.

    Examples
    --------
    >>> import partwise as pw
    >>> planted = pw.Cover([[0, 1], [1, 2]], n_items=3)
    >>> pw.extended_b_cubed(planted, pw.Cover([[0, 1, 2]], n_items=3))
    ExtendedBCubed(precision=0.7778, recall=0.9444, f=0.8530)
    """
    weight = weight_of_harmonic_mean(beta)
    pair = CoverPair.of(reference, candidate, "extended_b_cubed")
    of_reference, of_candidate = _scores_of_types(pair)
    counts = pair.types.counts
    precision, recall = _mean(of_candidate, counts), _mean(of_reference, counts)
    return ExtendedBCubed(precision, recall, _harmonic(precision, recall, weight))


def _harmonic(precision: float, recall: float, beta: float) -> float:
    if math.isinf(beta):
        return recall
    if precision == 0 or recall == 0:
        return 0.0
    square = beta * beta
    return (1 + square) * precision * recall / (square * precision + recall)
