"""The Mallows distance between hard or soft clusterings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise._kernels import order_free
from partwise._kernels.order_free import (
    Totals,
)
from partwise.labels.memberships import Memberships
from partwise.measures.error_bound import IN_MASS, USUAL
from partwise.measures.overlap.set_similarity import pairing_cells
from partwise.measures.transport import measure
from partwise.measures.transport.plans import (
    GAIN_BITS,
    CellValues,
    ClusterPlan,
    ClusterWeights,
    best_dense_plan,
    best_plan,
    check_word,
    cluster_weights_of,
    completed,
    spread_table,
)
from partwise.measures.transport.powers import (
    cost_of_powers,
    plan_of_powers,
    read_power,
    root,
)
from partwise.measures.transport.shared_mass import (
    shared_cells,
    shared_mass,
    shares_few_cells,
    threads_for,
)
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import flag
from partwise.solvers.gains import scaled_gains, whole_products
from partwise.table.contingency import Contingency
from partwise.table.count import contingency
from partwise.table.memberships_pair import as_memberships_pair

__all__ = [
    "mallows_distance",
]

#: Up to so many cells masses are solved as whole numbers, beyond as doubles, in less time where
#: most cells are there.
_EXACT_CELLS = 1 << 18


@dataclass(frozen=True, slots=True, eq=False)
class Overlaps:
    """What clusters have in common: on the cells, or on all pairs if ``cells`` is a matrix."""

    cells: CellValues | FloatArray
    row_sizes: NDArray[Any]
    col_sizes: NDArray[Any]
    pairing: IntArray | None = None  # cells of a pairing of largest overlap, where one is known
    masses: tuple[Totals, Totals, Totals] | None = None


def overlaps_of_table(table: Contingency) -> Overlaps:
    """Return counts, or masses where items have weights."""
    own = table.all_masses
    if own is not None:
        cells = CellValues(table.indptr, table.cols, _gains_of_masses(own.cells))
        return Overlaps(
            cells, own.rows.high, own.cols.high, masses=(own.cells, own.rows, own.cols)
        )
    square = table.shape[0] == table.shape[1]
    return Overlaps(
        CellValues(*table.cells),
        table.row_sizes,
        table.col_sizes,
        pairing_cells(table, "overlap") if square else None,
    )


def _gains_of_masses(masses: Totals) -> FloatArray | IntArray:
    """Return masses as the solver shall see them: whole numbers of 60 bits, exact if they fit.

    Rounded to doubles, plans that are as good would differ, and the order of labels choose.
    """
    if len(masses.high) > _EXACT_CELLS:
        return masses.high
    integers, scale = scaled_gains(masses.high, GAIN_BITS)
    rest = np.rint(np.ldexp(masses.low, scale)).astype(np.int64)
    gains: IntArray = np.maximum(integers + rest, masses.high > 0)
    return gains


def overlaps_of_memberships(
    first: Memberships, second: Memberships, workers: int | None
) -> Overlaps:
    """Return the sums of the smaller memberships; whole numbers if both sides are hard."""
    if first.is_hard and second.is_hard:
        table = contingency(first.clustering(), second.clustering())
        square = first.n_clusters == second.n_clusters
        pairing = pairing_cells(table, "overlap") if square else None
        return Overlaps(*spread_table(table, first.n_clusters, second.n_clusters), pairing)
    if shares_few_cells(first, second):
        cells: CellValues | FloatArray = CellValues(*shared_cells(first, second))
    else:
        cells = shared_mass(first, second, workers)
    return Overlaps(cells, first.masses, second.masses)


# ---- Mallows distance --------------------------------------------------------------


def _mallows_plan(overlaps: Overlaps, cluster_weights: Any) -> ClusterPlan:
    weights = cluster_weights_of(cluster_weights, overlaps.row_sizes, overlaps.col_sizes)
    if not isinstance(overlaps.cells, CellValues):
        return best_dense_plan(overlaps.cells, weights)
    if (
        overlaps.pairing is not None
        and isinstance(cluster_weights, str)
        and (cluster_weights == "uniform")
    ):
        amounts = np.zeros(len(overlaps.cells.cols), dtype=np.int64)
        amounts[overlaps.pairing] = 1
        return completed(overlaps.cells, amounts, weights)
    return best_plan(overlaps.cells, weights)


def _mallows_cost(overlaps: Overlaps, plan: ClusterPlan) -> Fraction:
    """Return the sum of plan x sum_i |p_ik - q_ij|, each term of at least 0."""
    rows, cols = plan.rows, plan.cols
    if isinstance(overlaps.cells, CellValues):
        index = overlaps.cells.indices_of(rows, cols)
        on_a_cell = index >= 0
    if overlaps.row_sizes.dtype.kind == "i":
        assert isinstance(overlaps.cells, CellValues)
        common = np.where(on_a_cell, overlaps.cells.values[index], 0)
        apart = (overlaps.row_sizes[rows] - common) + (overlaps.col_sizes[cols] - common)
        return whole_products(plan.amounts, apart) * plan.weights.unit
    if overlaps.masses is not None:
        of_cells, of_rows, of_cols = overlaps.masses
        inside = Totals(*(np.where(on_a_cell, part[index], 0.0) for part in of_cells))
        return _exact_cost(plan, of_rows.at(rows), of_cols.at(cols), inside)
    if isinstance(overlaps.cells, CellValues):
        shared = np.where(on_a_cell, overlaps.cells.values[index], 0.0)
    else:
        shared = overlaps.cells[rows, cols]
    moved = (overlaps.row_sizes[rows] - shared) + (overlaps.col_sizes[cols] - shared)
    terms = plan.amounts.astype(np.float64) * np.maximum(moved, 0.0)
    return Fraction(*order_free.total(terms)) * plan.weights.unit


def _exact_cost(plan: ClusterPlan, rows: Totals, cols: Totals, inside: Totals) -> Fraction:
    """Return the same of masses without rounding: plans that are as good cost the same."""
    units, power = order_free.exact_units(*rows, *cols, *inside)
    cost = 0
    for amount, *sums in zip(plan.amounts.tolist(), *units, strict=True):
        row, col, both = (sums[i] + sums[i + 1] for i in (0, 2, 4))
        cost += amount * (max(row - both, 0) + max(col - both, 0))
    return cost * Fraction(2) ** power * plan.weights.unit


def _mallows(
    solve: Callable[[float], tuple[ClusterPlan, Fraction]],
    total: Fraction,
    normalize: Any,
    return_plan: Any,
    p: Any,
) -> Any:
    scaled = flag(normalize, "normalize")
    wanted = flag(return_plan, "return_plan")
    power = read_power(p)
    plan, cost = solve(power)
    value = root(cost / total if scaled else cost, power)
    return (value, plan.to_scipy()) if wanted else value


def _mallows_solution(overlaps: Overlaps, cluster_weights: Any) -> tuple[ClusterPlan, Fraction]:
    plan = _mallows_plan(overlaps, cluster_weights)
    return plan, _mallows_cost(overlaps, plan)


def _mallows_of_table(table: Contingency, cluster_weights: Any) -> tuple[ClusterPlan, Fraction]:
    """Return the cheapest plan and its cost, found once for weights that have a name."""
    if not isinstance(cluster_weights, str):
        return _mallows_solution(overlaps_of_table(table), cluster_weights)
    return table.memo.get(
        ("mallows", cluster_weights),
        lambda: _mallows_solution(overlaps_of_table(table), cluster_weights),
    )


def _soft_mallows(
    reference: Any,
    candidate: Any,
    policies: Mapping[str, Any],
    cluster_weights: Any = "uniform",
    normalize: bool = False,
    return_plan: bool = False,
    workers: int | None = None,
    p: float = 1,
) -> Any:
    refuse_policies(policies, "mallows_distance")
    threads_for(workers, 1)
    first, second = as_memberships_pair(reference, candidate)
    if first.n_items == 0:
        read_power(p)
        check_word(cluster_weights)
        return _nothing(first.n_clusters, second.n_clusters, return_plan)

    def solve(power: float) -> tuple[ClusterPlan, Fraction]:
        # |x - y|^p is |x - y| where both are 0 or 1
        if power == 1 or (first.is_hard and second.is_hard):
            overlaps = overlaps_of_memberships(first, second, workers)
            return _mallows_solution(overlaps, cluster_weights)
        weights = cluster_weights_of(cluster_weights, first.masses, second.masses)
        plan = plan_of_powers(first, second, weights, power)
        return plan, cost_of_powers(first, second, plan, power)

    return _mallows(solve, Fraction(first.n_items), normalize, return_plan, p)


def refuse_policies(policies: Mapping[str, Any], name: str) -> None:
    """Memberships are compared row by row: there is nothing that a policy could decide."""
    for option in policies:
        raise TypeError(
            f"{name} got {option}= beside memberships, which are compared row by row and take "
            "no policies or weights"
        )


def _nothing(n_rows: int, n_cols: int, return_plan: Any) -> Any:
    """Return the distance of clusterings of no items."""
    from scipy.sparse import csr_array

    wanted = flag(return_plan, "return_plan")
    return (0.0, csr_array((n_rows, n_cols), dtype=np.float64)) if wanted else 0.0


@measure(
    range=(0, None),
    direction="lower",
    value_if_identical=0,
    symmetric=True,
    metric=True,
    solver="packing",
    error_bound=IN_MASS,
    source="CC, equation (1), sections 4 and 5.1",
    default=False,
    soft=_soft_mallows,
    call_only=("return_plan", "workers"),
    variants={
        "cluster_weights=size": {"metric": True, "join_weighted": True},
        "normalize=True": {"range": (0, 1), "metric": True, "error_bound": USUAL},
    },
)
def mallows_distance(
    table: Contingency,
    cluster_weights: ClusterWeights = "uniform",
    normalize: bool = False,
    return_plan: bool = False,
    workers: int | None = None,
    p: float = 1,
) -> Any:
    """Cost of the cheapest plan that turns clusters into clusters (CC), in [0, n^(1/p)].

    Takes hard and soft clusterings; a soft one is an (n, k) array or sparse matrix of
    memberships whose rows add up to 1.

    Parameters
    ----------
    cluster_weights : {"uniform", "size"} or pair of array-likes, default "uniform"
        Weight of each cluster: 1/K and 1/J, as in the paper; its share of the items; or
        vectors of shapes (K,) and (J,) that add up to 1, in ascending order of the labels (of
        the columns).
    normalize : bool, default False
        True divides by n^(1/p), so that 1 is the most.
    return_plan : bool, default False
        True also returns the plan.
    workers : int, optional
        Threads for dense memberships and p = 1; -1: one per core; by default as
        ``set_workers`` says. All else is done by one.
    p : float, default 1
        Power of the differences of memberships, finite and at least 1 (Mallows_p). CC takes
        p = 1. Labels differ by 0 or 1, so theirs is the p-th root of the distance with p = 1.

    Returns
    -------
    float, or (float, scipy.sparse.csr_array of shape (K, J))
        0: identical. The plan's rows and columns add up to the weights.

    Raises
    ------
    ValueError
        Weights that are negative, do not add up to 1 or are not one per cluster; p below 1 or
        infinite, or so large that differences to this power vanish.
    TypeError
        Policies or item weights beside memberships.

    Notes
    -----
    The p-th root of the min over w >= 0 with row sums alpha and column sums beta of
    ``sum_kj w_kj c_kj``, where ``c_kj = sum_i |p_ik - q_ij|^p``; n = 0: 0. A metric. On hard
    clusterings it is the cheapest packing of the overlaps on the cells; with K = J and uniform
    weights (2n / K)(1 - ``classification_accuracy``), found by ``solvers.match``, else
    ``solvers.pack``; counts are exact. Soft: sum_i min(p_ik, q_ij) takes the place of the
    overlaps, O(n K J), or less where rows have few entries; then ``solvers.transport`` where
    most pairs overlap. Hard memberships give the same bits as labels. Memberships count as
    multiples of 2^-51; cluster weights that share no small denominator (uniform, decimal and
    item counts do) are rounded to 2^-60.

    Cost: a packing takes O(cells) and a sort between clusterings that resemble each other, and
    no more is promised. Between those that have little in common a cell costs the more, the
    more there are, because amounts are rerouted along chains through most of the clusters: with
    three items in a cluster 1 s for 1e5 items and some 30 s for 2e5, with cluster weights
    "size" and sizes as in a Zipf law 5 s for 3e5 items and some 70 s for 1e6 (``python -m
    bench.growth`` in the project's tree). So ``compare`` leaves this
    measure out of "all" beyond 100,000 cells, unless it is named.

    Soft with another p: costs to the last digit, O(n K J), or O(pairs of entries in a row) and
    K J; where that has more than 2^22 pairs of clusters, the plan is the best for gains rounded
    to 2^-53. Powers that are no multiple of 1/2 are NumPy's, whose last digit may differ from
    machine to machine.

    References
    ----------
    A new Mallows distance based metric for comparing clusterings (ICML 2005), equation (1),
    sections 3, 4 and 5.1.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.mallows_distance([0, 0, 1, 1], [5, 5, 5, 6])
    1.0
    >>> pw.mallows_distance([[0.5, 0.5], [1, 0]], [[1, 0], [1, 0]])
    0.5
    >>> pw.mallows_distance([[0.5, 0.5], [1, 0]], [[1, 0], [1, 0]], p=2)
    0.5
    """
    threads_for(workers, 1)
    if table.n_items == 0:
        read_power(p)
        check_word(cluster_weights)
        return _nothing(*table.shape, return_plan)
    total = Fraction(table.n_items if table.total_mass is None else table.total_mass)
    return _mallows(
        lambda power: _mallows_of_table(table, cluster_weights),
        total,
        normalize,
        return_plan,
        p,
    )
