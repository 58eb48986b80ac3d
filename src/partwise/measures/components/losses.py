"""Decompositions of the information, overlap and B-cubed measures over components."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels import order_free
from partwise._kernels.order_free import (
    Totals,
)
from partwise.measures.components.sums import (
    Parts,
    amounts,
    by_cells,
    by_cols,
    by_rows,
    candidate_entropies,
    components_of,
    join_entropy,
    join_weighted,
    merge_losses,
    plain_sum,
    quotient,
    ratio_parts,
    reference_entropies,
    split_losses,
)
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import flag, ln_of_base, weight_of_harmonic_mean
from partwise.numbers.real_logarithm import log
from partwise.table.contingency import Contingency


def of_mutual_information(table: Contingency, base: float | None = None) -> Parts:
    """I = sum (|J| / n) I_J + H(join); the best value is H(reference), so H(a | b) is lost."""
    own, unit = amounts(table), ln_of_base(base)
    if not own.total:
        return ratio_parts(table, np.empty(0), np.empty(0), 0.0)
    lost = merge_losses(table)
    scores = quotient(np.maximum(reference_entropies(table) - lost, 0.0), own.each) / unit
    weights = np.asarray(own.each / own.total, dtype=np.float64)
    return Parts(
        weights, scores, join_entropy(table) / own.total / unit, lost / own.total / unit
    )


def of_conditional_entropy(table: Contingency, base: float | None = None) -> Parts:
    """H(a | b) is the mean of the components' own, clusters of b lie inside one each."""
    return join_weighted(table, merge_losses(table) / ln_of_base(base), distance=True)


def of_variation(table: Contingency, base: float | None = None) -> Parts:
    """VI is the mean of the components' own: both its terms are conditional entropies."""
    lost = split_losses(table) + merge_losses(table)
    return join_weighted(table, lost / ln_of_base(base), distance=True)


def of_vi_similarity_log_n(table: Contingency) -> Parts:
    """1 - n VI / (n ln n), Table 1 of SM: components weigh |J| ln |J| / (n ln n)."""
    return ratio_parts(table, split_losses(table) + merge_losses(table), *_log_sizes(table))


def of_vi_similarity_log_k(table: Contingency, k: int) -> Parts:
    """1 - n VI / (2 n ln k) with one k for all components: weights are shares of items."""
    lost = split_losses(table) + merge_losses(table)
    return join_weighted(table, lost / (2 * math.log(k)) if k > 1 else lost)


def of_variation_log_n(table: Contingency, norm: str = "log_n") -> Parts:
    """VI / ln n: as 1 minus it, without the offset."""
    lost = split_losses(table) + merge_losses(table)
    return ratio_parts(table, lost, *_log_sizes(table), distance=True)


def of_homogeneity(table: Contingency) -> Parts:
    """1 - H(a | b) / H(a): components weigh |J| H(a_J) / (n H(a)), the rest is H(join)."""
    return of_v_measure(table, 0.0)


def of_completeness(table: Contingency) -> Parts:
    """1 - H(b | a) / H(b), as homogeneity with the sides exchanged."""
    return of_v_measure(table, math.inf)


def of_v_measure(table: Contingency, beta: float = 1.0) -> Parts:
    """1 - (H(a|b) + beta H(b|a)) / (H(a) + beta H(b)), which is (1 + beta) I / the same."""
    beta = weight_of_harmonic_mean(beta)
    merge_weight, split_weight = (0.0, 1.0) if math.isinf(beta) else (1.0, beta)
    lost = merge_weight * merge_losses(table) + split_weight * split_losses(table)
    base = merge_weight * reference_entropies(table) + split_weight * candidate_entropies(table)
    return _over_entropy(table, lost, base, merge_weight + split_weight, distance=False)


def of_mean_information(table: Contingency, average: str = "arithmetic") -> Parts:
    """1 - VI / (H(a) + H(b)), the V-measure."""
    return of_v_measure(table)


def of_joint_variation(table: Contingency, norm: str = "joint") -> Parts:
    """VI / H(a, b): components weigh |J| H(a_J, b_J) / (n H(a, b))."""
    return _over_joint_entropy(table, distance=True)


def of_joint_information(table: Contingency, average: str = "joint") -> Parts:
    """1 - VI / H(a, b), with H(join) / H(a, b) as offset."""
    return _over_joint_entropy(table, distance=False)


def _over_joint_entropy(table: Contingency, *, distance: bool) -> Parts:
    lost = split_losses(table) + merge_losses(table)
    base = reference_entropies(table) + split_losses(table)
    return _over_entropy(table, lost, base, 1.0, distance=distance)


def _over_entropy(
    table: Contingency, lost: FloatArray, base: FloatArray, sides: float, *, distance: bool
) -> Parts:
    """Return the parts of a ratio to an entropy: that of the join lies between components."""
    between = sides * join_entropy(table)
    total_base = float(order_free.total(base)) + between
    parts = ratio_parts(table, lost, base, total_base, distance=distance, complete=True)
    return parts if distance or not total_base else replace(parts, offset=between / total_base)


def of_summed_variation(table: Contingency, norm: str = "sum") -> Parts:
    """VI / (H(a) + H(b)) = 1 - the V-measure."""
    parts = of_v_measure(table)
    return replace(parts, scores=1.0 - parts.scores, offset=0.0)


def of_cluster_entropy(table: Contingency) -> Parts:
    """H(a | b) / ln q: components weigh |J| ln q_J / (n ln q), q_J their classes."""
    own, rows = amounts(table), np.ones(table.shape[0], dtype=np.int64)
    base = own.each * log(by_rows(table, rows))
    total_base = own.total * math.log(max(table.shape[0], 1))
    return ratio_parts(table, merge_losses(table), base, total_base, distance=True)


def _log_sizes(table: Contingency) -> tuple[FloatArray, float]:
    """Return |J| ln |J| of each component, and n ln n."""
    own, sizes = amounts(table), components_of(table).sizes
    total_base = own.total * math.log(max(table.n_items, 1))
    return np.where(sizes == table.n_items, total_base, own.each * log(sizes)), total_base


# ---- overlaps ----------------------------------------------------------------------


def outside_cells(table: Contingency, cells: IntArray, *, distance: bool = False) -> Parts:
    """Return the parts of the share of items inside some cells, or outside them.

    Clusters are only ever paired with clusters of their own component.
    """
    counts = table.counts if table.masses is None else table.masses
    kept = np.zeros_like(counts)
    kept[cells] = counts[cells]
    inside = by_cells(table, kept)
    totals = amounts(table).each
    return join_weighted(table, _at_least_0(totals - inside), distance=distance)


def outside_largest(table: Contingency, side: str) -> NDArray[Any]:
    """Return, of each component, what lies outside the largest cell of a side's clusters."""
    masses, n_cols = table.all_masses, len(table.col_sizes)
    if masses is None:
        rows, cols = _kernels.impl.maxima(*table.cells, n_cols)
        if side == "rows":
            return by_rows(table, table.row_sizes - rows)
        return by_cols(table, table.col_sizes - cols)
    # doubles of at least 0 are ordered as their bit patterns
    patterns = masses.cells.high.view(np.int64)
    rows, cols = _kernels.impl.maxima(table.indptr, table.cols, patterns, n_cols)
    if side == "rows":
        return by_rows(table, _at_least_0(masses.rows.high - rows.view(float)))
    return by_cols(table, _at_least_0(masses.cols.high - cols.view(float)))


def _at_least_0(values: NDArray[Any]) -> NDArray[Any]:
    clipped: NDArray[Any] = np.maximum(values, 0)
    return clipped


def of_purity(table: Contingency) -> Parts:
    """Each candidate cluster loses what lies outside its largest cell."""
    return join_weighted(table, outside_largest(table, "cols"))


def of_inverse_purity(table: Contingency) -> Parts:
    """Each reference cluster loses what lies outside its largest cell."""
    return join_weighted(table, outside_largest(table, "rows"))


def of_van_dongen(table: Contingency, normalized: bool = False) -> Parts:
    """Both sides' clusters lose what lies outside their largest cells; raw: weights are 1."""
    lost = outside_largest(table, "rows") + outside_largest(table, "cols")
    if not flag(normalized, "normalized"):
        return plain_sum(lost)
    own = amounts(table)
    return ratio_parts(table, lost, 2 * own.each, 2 * own.total, distance=True, complete=True)


def of_b_cubed(side: str) -> Callable[[Contingency], Parts]:
    """Return the decomposition of B-cubed recall (rows) or precision (cols).

    A cell p of a cluster of size m takes p (m - p) / m from its component.
    """

    def parts(table: Contingency) -> Parts:
        of_cell = table.rows if side == "rows" else table.cols
        masses = table.all_masses
        if masses is None:
            sizes = (table.row_sizes if side == "rows" else table.col_sizes)[of_cell]
            lost = table.counts * ((sizes - table.counts) / sizes)
        else:
            cluster_masses: Totals = getattr(masses, side).at(of_cell)
            rest = np.maximum(cluster_masses.minus(masses.cells), 0.0)
            lost = masses.cells.high * quotient(rest, cluster_masses.high)
        return join_weighted(table, by_cells(table, lost))

    return parts
