"""Exact moments of measures when items are permuted, where they are known."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from partwise._kernels.order_free import Rational
from partwise.measures.chance.expected import chance, constant
from partwise.measures.entry import Measure
from partwise.measures.information.entropy_sums import fraction_bits, sums
from partwise.measures.pairs.permutation_moments import moments
from partwise.measures.sums import Entropies, Pairs
from partwise.numbers.kernel_sums import EXPECTED_FRACTION_BITS
from partwise.table.contingency import Contingency


class Known(NamedTuple):
    """Mean, and the standard deviation where it is known too."""

    mean: float
    deviation: float | None


def known_moments(table: Contingency, entry: Measure | None) -> Known | None:
    """Return the exact moments of a measure under permutation of the items, if known.

    For given sizes a measure that is linear in N11 ("pairs") has the mean and deviation of
    N11, one that is linear in I ("information") the mean of I; measures corrected for chance
    ("zero") have the mean 0. None also where nothing varies, which is decided
    otherwise. O(cells), and the cost of ``expected_mutual_information``.
    """
    if entry is None or entry.computation.under_chance is None or constant(table):
        return None
    if entry.computation.under_chance == "zero":
        return Known(0.0, None)
    if entry.computation.under_chance == "pairs":
        return _by_pairs(table, entry)
    return Known(_at_expected_information(table, entry), None)


def _by_pairs(table: Contingency, entry: Measure) -> Known:
    known = moments(table)
    p = known.pairs
    a, b, total = p.reference, p.candidate, p.total

    def at(n11: int | Fraction) -> float:
        pairs = Pairs(n11, total, a, b, identical=False)
        assert entry.computation.formula is not None
        parts = {"pairs": pairs, "n": table.n_items}
        return entry.computation.formula.function(
            *(parts[x] for x in entry.computation.formula.parts), **entry.options
        )

    slope = (at(total) - at(0)) / total
    return Known(at(known.mean), abs(slope) * math.sqrt(known.variance))


def _at_expected_information(table: Contingency, entry: Measure) -> float:
    s, n = sums(table), table.n_items
    expected = Fraction(
        chance(table).expected, 1 << (EXPECTED_FRACTION_BITS - fraction_bits(n))
    )
    split, merge = s.candidate - expected, s.reference - expected
    entropies = Entropies(
        unit=s.unit,
        top=s.top,
        reference=s.reference,
        candidate=s.candidate,
        joint=s.reference + split,
        split=split,
        merge=merge,
        identical=False,
    )
    parts = {"entropies": entropies, "information": Rational(expected, s.unit)}
    assert entry.computation.formula is not None
    return entry.computation.formula.function(
        *(parts[x] for x in entry.computation.formula.parts), **entry.options
    )
