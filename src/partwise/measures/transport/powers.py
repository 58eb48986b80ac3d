"""Powers of what memberships differ by: the costs of Mallows_p beyond p = 1."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from partwise import _kernels
from partwise._kernels import order_free
from partwise._kernels.order_free import Totals, group_totals
from partwise.labels.memberships import Memberships
from partwise.measures.transport.plans import (
    CellValues,
    ClusterPlan,
    Weights,
    best_dense_plan,
    best_plan,
)
from partwise.measures.transport.shared_mass import few_entries
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import number
from partwise.numbers.row_pairs import row_pairs

#: Up to so many pairs of clusters their costs are one dense matrix, beyond they are kept where
#: clusters share items.
_DENSE_PAIRS = 1 << 22
_TERMS = 1 << 20  # at a time
_WHOLE_MOST = 64  # powers up to this are products


def read_power(p: Any) -> float:
    """Read ``p=``: a finite number of at least 1."""
    power = number(p, "p")
    if not 1 <= power < math.inf:
        raise ValueError(f"p={p!r}; Mallows_p takes a finite number of at least 1")
    return power


def root(cost: Fraction, p: float) -> float:
    """Return cost^(1/p)."""
    if p == 1:
        return float(cost)
    return math.sqrt(cost) if p == 2 else float(cost) ** (1 / p)


def power(values: FloatArray, p: float) -> FloatArray:
    """Return values^p; whole and half powers by products and square roots only.

    Those are the same on every machine, which NumPy's own power is not.
    """
    whole, rest = divmod(p, 1)
    if p > _WHOLE_MOST or rest not in (0, 0.5):
        raised: FloatArray = np.power(values, p)
        return raised
    product = np.sqrt(values) if rest else np.ones_like(values)
    square, left = values, int(whole)
    while left:
        if left & 1:
            product = product * square
        square, left = square * square, left >> 1
    return product


# ---- the best plan -----------------------------------------------------------------


def plan_of_powers(
    first: Memberships, second: Memberships, weights: Weights, p: float
) -> ClusterPlan:
    """Return a plan of least sum of plan x sum_i |p_ik - q_ij|^p."""
    if not few_entries(first, second):
        return best_dense_plan(-_dense_costs(first.dense, second.dense, p), weights)
    if first.n_clusters * second.n_clusters > _DENSE_PAIRS:
        cells, shared = _shared_powers(first, second, p)
        return best_plan(cells._replace(values=np.maximum(shared.high, 0.0)), weights)
    return best_dense_plan(-_costs_of_entries(first, second, p), weights)


def _dense_costs(first: FloatArray, second: FloatArray, p: float) -> FloatArray:
    """Return sum_i |p_ik - q_ij|^p of every two columns, each right to its last digit."""
    n, n_cols = second.shape
    costs = np.empty((first.shape[1], n_cols))
    step = max(1, _TERMS // max(n, 1))
    for start in range(0, n_cols, step):
        block = second[:, start : start + step]
        groups = np.tile(np.arange(block.shape[1]), n)
        for k in range(first.shape[1]):
            terms = power(np.abs(first[:, k : k + 1] - block), p).ravel()
            costs[k, start : start + step] = _sums(terms, groups, block.shape[1])
    return costs


def _sums(terms: FloatArray, groups: IntArray, n_groups: int) -> FloatArray:
    """Return the sum of each group, in a unit of its own: none is lost beside larger ones."""
    largest = np.zeros(n_groups)
    np.maximum.at(largest, groups, terms)
    _, exponents = np.frexp(largest)
    scaled = np.ldexp(terms, -exponents[groups])
    sums: FloatArray = np.ldexp(group_totals(scaled, groups, n_groups).high, exponents)
    return sums


def _shared_powers(
    first: Memberships, second: Memberships, p: float
) -> tuple[CellValues, Totals]:
    """Return half of sum_i (p_ik^p + q_ij^p - |p_ik - q_ij|^p), where clusters share items.

    With p = 1 it is the sum of the smaller memberships. The cells' own values are left empty.
    """
    p_entries, q_entries = row_pairs(first.rows.indptr, second.rows.indptr)
    left, right = first.rows.values[p_entries], second.rows.values[q_entries]
    keys = first.rows.cols[p_entries] * second.n_clusters + second.rows.cols[q_entries]
    cells, groups = _kernels.impl.encode(keys)
    # added one by one, without rounding: their sum can be small beside them
    terms = np.concatenate((power(left, p), power(right, p), -power(np.abs(left - right), p)))
    groups = np.tile(groups, 3)
    shared = group_totals(terms / 2, groups, len(cells))
    rows, cols = np.divmod(cells, second.n_clusters)
    counts = np.bincount(rows, minlength=first.n_clusters)
    return CellValues(np.concatenate(([0], np.cumsum(counts))), cols, np.empty(0)), shared


def _costs_of_entries(first: Memberships, second: Memberships, p: float) -> FloatArray:
    """Return sum_i |p_ik - q_ij|^p of every two columns, from the entries above 0."""
    own = []
    for side in (first, second):
        entries = power(side.rows.values, p)
        own.append(group_totals(entries, side.rows.cols, side.n_clusters))
    rows, cols = own
    costs: FloatArray = rows.high[:, None] + cols.high
    cells, shared = _shared_powers(first, second, p)
    i, j = cells.rows, cells.cols
    apart = rows.at(i).minus(shared) + cols.at(j).minus(shared)
    costs[i, j] = np.maximum(apart, 0.0)
    return costs


# ---- its cost ----------------------------------------------------------------------


def cost_of_powers(
    first: Memberships, second: Memberships, plan: ClusterPlan, p: float
) -> Fraction:
    """Return the sum of plan x sum_i |p_ik - q_ij|^p, from the items of the plan's clusters.

    Raises
    ------
    ValueError
        Clusters differ, and the power of what they differ by is no double above 0.
    """
    costs = np.zeros(len(plan.rows))
    columns = _Columns(first), _Columns(second)
    for part in _batches(columns, plan):
        apart, pair = _differences(columns, plan.rows[part], plan.cols[part])
        costs[part] = _sums(power(apart, p), pair, part.stop - part.start)
        largest = np.zeros(part.stop - part.start)
        np.maximum.at(largest, pair, apart)
        lost = np.flatnonzero((costs[part] == 0) & (largest > 0))
        if len(lost):
            at = part.start + int(lost[0])
            raise ValueError(
                f"p={p:g} is too large: clusters {plan.rows[at]} and {plan.cols[at]} differ by "
                f"at most {largest[lost[0]]:.3g}, and no double holds that to this power; "
                "take a smaller p"
            )
    terms = plan.amounts.astype(np.float64) * costs
    return Fraction(*order_free.total(terms)) * plan.weights.unit


class _Columns:
    """The entries above 0 of memberships, column by column, items ascending."""

    def __init__(self, side: Memberships) -> None:
        items = np.repeat(np.arange(side.n_items), side.support)
        order = np.argsort(side.rows.cols, kind="stable")
        self.items, self.values = items[order], side.rows.values[order]
        self.ends = np.concatenate(
            ([0], np.cumsum(np.bincount(side.rows.cols, minlength=side.n_clusters)))
        )

    def entries(self, columns: IntArray) -> tuple[IntArray, IntArray]:
        """Return the entries of some columns, and for each the place of its column."""
        lengths = np.diff(self.ends)[columns]
        place = np.repeat(np.arange(len(columns)), lengths)
        within = np.arange(len(place)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return self.ends[columns][place] + within, place


def _batches(columns: tuple[_Columns, _Columns], plan: ClusterPlan) -> Iterator[slice]:
    """Yield parts of a plan whose clusters have some million entries, or of one pair."""
    first, second = (np.diff(side.ends) for side in columns)
    parts = np.cumsum(first[plan.rows] + second[plan.cols]) // _TERMS
    starts = np.flatnonzero(np.diff(parts, prepend=-1)).tolist()
    yield from map(slice, starts, [*starts[1:], len(plan.rows)])


def _differences(
    columns: tuple[_Columns, _Columns], rows: IntArray, cols: IntArray
) -> tuple[FloatArray, IntArray]:
    """Return |p_ik - q_ij| wherever one is above 0, and the pair of clusters of each."""
    (p_entries, p_pair), (q_entries, q_pair) = (
        side.entries(chosen) for side, chosen in zip(columns, (rows, cols), strict=True)
    )
    first, second = columns
    pairs = np.concatenate((p_pair, q_pair))
    items = np.concatenate((first.items[p_entries], second.items[q_entries]))
    values = np.concatenate((first.values[p_entries], -second.values[q_entries]))
    order = np.lexsort((items, pairs))
    pairs, items, values = pairs[order], items[order], values[order]
    new = np.ones(len(pairs), dtype=bool)
    new[1:] = (pairs[1:] != pairs[:-1]) | (items[1:] != items[:-1])
    starts = np.flatnonzero(new)
    if len(starts) == 0:
        return np.empty(0), np.empty(0, dtype=np.int64)
    apart: FloatArray = np.abs(np.add.reduceat(values, starts))
    return apart, pairs[starts]
