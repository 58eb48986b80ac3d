"""Decompositions of the pair-counting measures over the components of the join."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from partwise.measures.components.sums import (
    ExactArray,
    Parts,
    by_cells,
    by_cols,
    by_rows,
    components_of,
    plain_sum,
    quotient,
    ratio_parts,
    sum_exactly,
)
from partwise.measures.sums import Pairs
from partwise.numbers.arrays import IntArray
from partwise.numbers.checks import flag, one_of
from partwise.table.contingency import Contingency
from partwise.table.memo import memoized


@memoized
def pair_sums(table: Contingency) -> Pairs:
    """Return the pairs of every component. O(cells)."""
    sizes = components_of(table).sizes
    together = _pairs(by_cells(table, _squares(table, table.counts)), sizes)
    reference = _pairs(by_rows(table, _squares(table, table.row_sizes)), sizes)
    candidate = _pairs(by_cols(table, _squares(table, table.col_sizes)), sizes)
    total = _pairs(_squares(table, sizes), sizes)
    identical = (reference == together) & (candidate == together)
    return Pairs(together, total, reference, candidate, identical)


def _squares(table: Contingency, sizes: IntArray) -> ExactArray:
    """Return squares; Python integers where their sums may pass 63 bits."""
    wide = sizes if table.n_items < 1 << 31 else sizes.astype(object)
    squares: ExactArray = wide * wide
    return squares


def _pairs(squares: ExactArray, sizes: IntArray) -> ExactArray:
    pairs: ExactArray = (squares - sizes) // 2
    return pairs


PairTerm = Callable[[Pairs], Any]


def pair_decomposition(
    lost: PairTerm, base: PairTerm, *, complete: bool = True
) -> Callable[[Contingency], Parts]:
    """Return the decomposition of 1 - L / B, both linear in pair counts.

    Pairs that are together anywhere lie inside one component, so all counts but the pairs
    apart in both add up over components.
    """

    def parts(table: Contingency) -> Parts:
        own = pair_sums(table)
        in_all = _in_all(table, own)
        total_base = base(in_all)
        terms = ratio_parts(table, lost(own), base(own), total_base, complete=complete)
        # 0/0 of clusterings that differ is 0: no pair together on the side that is asked
        scores = np.where((base(own) == 0) & (own.apart != 0), 0.0, terms.scores)
        if total_base != 0 or in_all.apart == 0:
            return replace(terms, scores=scores)
        share = quotient(own.apart, in_all.apart)
        return Parts(np.zeros(len(scores)), scores, 0.0, share, own.apart, in_all.apart)

    return parts


def _in_all(table: Contingency, own: Pairs) -> Pairs:
    n = table.n_items
    sums = (sum_exactly(x) for x in (own.n11, own.reference, own.candidate))
    together, reference, candidate = sums
    identical = reference == together == candidate
    return Pairs(together, n * (n - 1) // 2, reference, candidate, identical)


of_rand = pair_decomposition(lambda p: p.apart, lambda p: p.total, complete=False)
of_jaccard = pair_decomposition(lambda p: p.apart, lambda p: p.n11 + p.apart)
of_precision = pair_decomposition(lambda p: p.n01, lambda p: p.n11 + p.n01)
of_recall = pair_decomposition(lambda p: p.n10, lambda p: p.n11 + p.n10)
of_pair_f1 = pair_decomposition(lambda p: p.apart, lambda p: 2 * p.n11 + p.apart)
of_rogers_tanimoto = pair_decomposition(
    lambda p: 2 * p.apart, lambda p: p.total + p.apart, complete=False
)
of_sokal_sneath_1 = pair_decomposition(lambda p: 2 * p.apart, lambda p: p.n11 + 2 * p.apart)
of_sokal_sneath_2 = pair_decomposition(
    lambda p: p.apart, lambda p: 2 * p.total - p.apart, complete=False
)


def of_wallace(table: Contingency, direction: str = "reference") -> Parts:
    """Pair recall or precision; nothing adjusted for chance adds up."""
    one_of(direction, ("reference", "candidate"), "direction")
    return of_recall(table) if direction == "reference" else of_precision(table)


def of_joint_pairs(table: Contingency) -> Parts:
    """N11 / T is the sum of its parts; the best value is that of the reference with itself."""
    own = pair_sums(table)
    in_all = _in_all(table, own)
    scores = np.where(own.total == 0, 1.0, quotient(own.n11, own.total))
    if in_all.total == 0:
        parts = ratio_parts(table, own.n10, own.total, 0)
        return replace(parts, scores=scores)
    weights, loss = quotient(own.total, in_all.total), quotient(own.n10, in_all.total)
    return Parts(weights, scores, 0.0, loss, own.n10, in_all.total)


def of_raw_gamma(table: Contingency, normalized: bool = False) -> Parts:
    """Only the raw form N11 / T adds up; it is 0 where there is no pair."""
    parts = of_joint_pairs(table)
    return replace(parts, scores=np.where(pair_sums(table).total == 0, 0.0, parts.scores))


def of_mirkin(table: Contingency, normalized: bool = False) -> Parts:
    """2 (N10 + N01) is a sum over components; over n^2 they weigh |J|^2 / n^2."""
    lost = 2 * pair_sums(table).apart
    if not flag(normalized, "normalized"):
        return plain_sum(lost)
    base = _squares(table, components_of(table).sizes)
    return ratio_parts(table, lost, base, table.n_items**2, distance=True)


def of_adapted_rand_error(table: Contingency, self_pairs: bool = True) -> Parts:
    """2 (N10 + N01) over the ordered pairs of both sides, with or without an item's own."""
    own = pair_sums(table)
    in_all = _in_all(table, own)
    selves = int(flag(self_pairs, "self_pairs"))
    base = 4 * own.n11 + 2 * own.apart + 2 * selves * components_of(table).sizes
    total_base = 4 * in_all.n11 + 2 * in_all.apart + 2 * selves * table.n_items
    return ratio_parts(table, 2 * own.apart, base, total_base, distance=True)
