"""Sums over each component of the join, and what a score that adds up over them is made of."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels import order_free
from partwise._kernels.long_columns import added_up, by_blocks
from partwise._kernels.order_free import (
    Totals,
)
from partwise.measures.information.entropy_sums import log_ratio_terms, mass_terms
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.table.contingency import Contingency
from partwise.table.margins import margin_of
from partwise.table.memo import memoized

#: int64, or Python integers where squares pass 63 bits
ExactArray = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """A score as a sum over components: sum of weights x scores + offset (SM, equation 1).

    Attributes
    ----------
    weights, scores : ndarray of float64
        Weight of each component, and the measure on it alone.
    offset : float
        What does not depend on the components' scores.
    loss : ndarray of float64
        What each component takes from the best value; at least 0.
    loss_numerators, loss_denominator : ndarray of integers and int, or None
        The same as an exact fraction, where the measure is a quotient of integers.
    """

    weights: FloatArray
    scores: FloatArray
    offset: float
    loss: FloatArray
    loss_numerators: ExactArray | None = None
    loss_denominator: int | None = None


def quotient(above: Any, below: Any) -> FloatArray:
    """Return above / below as doubles, 0 where below is 0."""
    above, below = np.broadcast_arrays(above, below)
    return by_blocks(_quotient, above, below) if above.ndim == 1 else _quotient(above, below)


def _quotient(above: NDArray[Any], below: NDArray[Any]) -> FloatArray:
    quotients = np.zeros(above.shape, dtype=np.float64)
    some = below != 0
    quotients[some] = above[some] / below[some]
    return quotients


def _share_kept(lost: NDArray[Any], base: NDArray[Any]) -> FloatArray:
    """Return 1 - lost / base, at least 0; 1 where the base is 0."""
    return np.where(base == 0, 1.0, np.maximum(_quotient(base - lost, base), 0.0))


def ratio_parts(
    table: Contingency,
    lost: NDArray[Any],
    base: NDArray[Any],
    total_base: Any,
    *,
    distance: bool = False,
    complete: bool = False,
) -> Parts:
    """Return the parts of 1 - L / B, or of the distance L / B, where L adds up.

    With L_J, B_J of a component: 1 - L / B = sum (B_J / B)(1 - L_J / B_J) + 1 - sum B_J / B,
    and L / B = sum (B_J / B)(L_J / B_J). A component with B_J = 0 has L_J = 0: the best score.

    Parameters
    ----------
    table : Contingency
    lost, base : ndarray of shape (components,)
        L_J and B_J; integers are kept exact.
    total_base : int or float
        B; where it is 0, components weigh as many items as they have.
    distance : bool
        The measure is L / B.
    complete : bool
        The B_J add up to B.
    """
    exact = lost.dtype.kind in "iO" and isinstance(total_base, int)
    if total_base == 0:
        weights = quotient(components_of(table).sizes, table.n_items)
        complete = True
    else:
        weights = np.asarray(base / total_base, dtype=np.float64)
    if distance:
        scores, offset = quotient(lost, base), 0.0
    else:
        scores = by_blocks(_share_kept, lost, base)
        offset = 0.0 if complete else _left_over(base, total_base, weights)
    loss = (
        np.zeros(len(lost))
        if total_base == 0
        else np.asarray(lost / total_base, dtype=np.float64)
    )
    if not exact:
        return Parts(weights, scores, offset, loss)
    return Parts(weights, scores, offset, loss, lost, total_base or 1)


def _left_over(base: NDArray[Any], total_base: Any, weights: FloatArray) -> float:
    """Return 1 - sum of the weights."""
    if base.dtype.kind in "iO" and isinstance(total_base, int):
        return (total_base - sum_exactly(base)) / total_base
    return max(0.0, 1.0 - float(order_free.total(weights)))


def plain_sum(lost: NDArray[Any]) -> Parts:
    """Return the parts of a distance that is the sum of its values on the components."""
    exact = (lost, 1) if lost.dtype.kind in "iO" else (None, None)
    values = lost.astype(np.float64)
    return Parts(np.ones(len(lost)), values, 0.0, values, *exact)


def sum_exactly(values: ExactArray) -> int:
    """Return the sum of integers of at least 0, however large."""
    if values.dtype.kind == "O":
        return int(values.sum()) if len(values) else 0
    return _kernels.impl.sum_weighted(values, np.ones_like(values))


# ---- sums by component -------------------------------------------------------------


class Join(NamedTuple):
    """Component of each row and column, and their sizes; without the table, which keeps it."""

    row_component: IntArray
    col_component: IntArray
    n_components: int
    sizes: IntArray


@memoized
def components_of(table: Contingency) -> Join:
    """Return the components of a table, found once."""
    components = table.components()
    return Join(
        components.row_component,
        components.col_component,
        components.n_components,
        components.sizes,
    )


def component_of_cells(table: Contingency) -> IntArray:
    """Return the component of each cell."""
    return components_of(table).row_component[table.rows]


def add_up(values: NDArray[Any], groups: IntArray, n_groups: int) -> NDArray[Any]:
    """Return the sum of every group: exact for integers, order-free for doubles. O(n)."""
    if values.dtype.kind == "f":
        return order_free.group_totals(values, groups, n_groups).high
    return added_up(values, groups, n_groups)


def by_rows(table: Contingency, values: NDArray[Any]) -> NDArray[Any]:
    """Return the sums over components of a value of each reference cluster."""
    join = components_of(table)
    return add_up(values, join.row_component, join.n_components)


def by_cols(table: Contingency, values: NDArray[Any]) -> NDArray[Any]:
    """Return the sums over components of a value of each candidate cluster."""
    join = components_of(table)
    return add_up(values, join.col_component, join.n_components)


def by_cells(table: Contingency, values: NDArray[Any]) -> NDArray[Any]:
    """Return the sums over components of a value of each cell."""
    return add_up(values, component_of_cells(table), components_of(table).n_components)


@memoized
def total_of_side(table: Contingency, of: str) -> Fraction:
    """Return the sum of the items (as doubles), or masses, of all "cells", "rows" or "cols"."""
    if of != "cells":
        return margin_of(table, of).total
    masses = table.masses
    own = table.counts.astype(np.float64) if masses is None else masses
    return Fraction(*order_free.total(own))


class Amounts(NamedTuple):
    """Items of each component and of all, or their masses."""

    each: NDArray[Any]
    total: Any


@memoized
def amounts(table: Contingency) -> Amounts:
    """Return how much each component weighs: items, or summed weights."""
    if table.all_masses is None:
        return Amounts(components_of(table).sizes, table.n_items)
    return Amounts(component_masses(table).high, table.total_mass)


def component_masses(table: Contingency) -> Totals:
    """Return the summed weights of each component."""
    assert table.all_masses is not None
    join = components_of(table)
    both = np.concatenate(table.all_masses.rows)
    groups = np.concatenate((join.row_component, join.row_component))
    return order_free.group_totals(both, groups, join.n_components)


def join_weighted(table: Contingency, lost: NDArray[Any], *, distance: bool = False) -> Parts:
    """Return the parts of a score whose components weigh their share of items (SM, 4.1)."""
    own = amounts(table)
    return ratio_parts(table, lost, own.each, own.total, distance=distance, complete=True)


# ---- information -------------------------------------------------------------------


def split_terms(table: Contingency) -> FloatArray:
    """Return p ln(n_i / p) of each cell p: summed, n H(b | a)."""
    return _terms(table, "rows")


def merge_terms(table: Contingency) -> FloatArray:
    """Return p ln(m_j / p) of each cell p: summed, n H(a | b)."""
    return _terms(table, "cols")


def _terms(table: Contingency, side: str) -> FloatArray:
    if table.all_masses is not None:
        return mass_terms(table, side)
    of_cell, sizes = table.rows, table.row_sizes
    if side == "cols":
        of_cell, sizes = table.cols, table.col_sizes
    rest = (sizes[of_cell] - table.counts).astype(np.float64)
    return log_ratio_terms(table.counts.astype(np.float64), rest)


@memoized
def split_losses(table: Contingency) -> FloatArray:
    """Return |J| H(b | a) of each component."""
    losses: FloatArray = by_cells(table, split_terms(table))
    return losses


@memoized
def merge_losses(table: Contingency) -> FloatArray:
    """Return |J| H(a | b) of each component."""
    losses: FloatArray = by_cells(table, merge_terms(table))
    return losses


@memoized
def reference_entropies(table: Contingency) -> FloatArray:
    """Return |J| H(a) of each component."""
    return _entropies(table, "rows")


@memoized
def candidate_entropies(table: Contingency) -> FloatArray:
    """Return |J| H(b) of each component."""
    return _entropies(table, "cols")


def _entropies(table: Contingency, side: str) -> FloatArray:
    join = components_of(table)
    groups, sizes = join.row_component, table.row_sizes
    if side == "cols":
        groups, sizes = join.col_component, table.col_sizes
    if (masses := table.all_masses) is None:
        part = sizes.astype(np.float64)
        rest = (join.sizes[groups] - sizes).astype(np.float64)
    else:
        own: Totals = getattr(masses, side)
        part = own.high
        rest = np.maximum(component_masses(table).at(groups).minus(own), 0.0)
    entropies: FloatArray = add_up(log_ratio_terms(part, rest), groups, join.n_components)
    return entropies


def join_entropy(table: Contingency) -> float:
    """Return n H(join)."""
    own = amounts(table)
    each = np.asarray(own.each, dtype=np.float64)
    return float(order_free.total(log_ratio_terms(each, float(own.total) - each)))
