"""Exact moments of measures when items are permuted, and sampled means that they sharpen."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from partwise._kernels.order_free import Rational
from partwise.inference.statistics import Statistic
from partwise.measures.chance.expected import chance, constant, expected_mutual_information
from partwise.measures.entry import Measure
from partwise.measures.information.entropy_sums import fraction_bits, sums
from partwise.measures.pairs.pairs import confusion
from partwise.measures.pairs.permutation_moments import moments
from partwise.measures.sums import Entropies, Pairs
from partwise.numbers.arrays import FloatArray
from partwise.numbers.kernel_sums import EXPECTED_FRACTION_BITS
from partwise.table.contingency import Contingency

#: Fewer draws do not tell the slopes from noise.
LEAST_DRAWS = 100


class ExactMoments(NamedTuple):
    """Exact mean, and the exact standard deviation where there is a formula for it."""

    mean: float
    deviation: float | None


def known_moments(table: Contingency, entry: Measure | None) -> ExactMoments | None:
    """Return the exact moments of a measure under permutation of the items, if known.

    For given sizes a measure that is linear in N11 ("pairs") has the mean and deviation of
    N11, one that is linear in I ("information") the mean of I; measures corrected for chance
    ("zero") have the mean 0. None also where nothing varies, which is decided
    otherwise. O(cells), and the cost of ``expected_mutual_information``.
    """
    if entry is None or entry.computation.under_chance is None or constant(table):
        return None
    if entry.computation.under_chance == "zero":
        return ExactMoments(0.0, None)
    if entry.computation.under_chance == "pairs":
        return _by_pairs(table, entry)
    return ExactMoments(_at_expected_information(table, entry), None)


def _by_pairs(table: Contingency, entry: Measure) -> ExactMoments:
    of_n11 = moments(table)
    p = of_n11.pairs
    a, b, total = p.reference, p.candidate, p.total

    def at(n11: int | Fraction) -> float:
        pairs = Pairs(n11, total, a, b, identical=False)
        return _formula_of(entry, {"pairs": pairs, "n": table.n_items})

    slope = (at(total) - at(0)) / total
    return ExactMoments(at(of_n11.mean), abs(slope) * math.sqrt(of_n11.variance))


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
    return _formula_of(entry, parts)


def _formula_of(entry: Measure, parts: dict[str, Any]) -> float:
    """Return the formula of a measure at these values of its parts."""
    formula = entry.computation.formula
    assert formula is not None
    return formula.function(*(parts[name] for name in formula.parts), **entry.options)


# ---- control variates ------------------------------------------------------------------


class Sharpened(NamedTuple):
    """Mean of a measure over all random tables, and its standard error."""

    mean: float
    error: float


def _pairs(table: Contingency) -> float:
    return float(confusion(table).n11)


def _information(table: Contingency) -> float:
    entropies = sums(table)
    return float((entropies.reference - entropies.merge) / entropies.unit)


def controls() -> list[Statistic]:
    """Return what has to be drawn beside the measures: N11 and the mutual information."""
    return [
        Statistic(name=f"{name}, as a control", of=function, direction=None, best=None)
        for name, function in (
            ("pairs together on both sides", _pairs),
            ("mutual information", _information),
        )
    ]


def known_means(table: Contingency) -> FloatArray:
    """Return the exact means of ``controls`` under permutation of the items."""
    return np.array([float(moments(table).mean), float(expected_mutual_information(table))])


def sharpened(values: FloatArray, drawn: FloatArray, means: FloatArray) -> Sharpened | None:
    """Return the mean of a measure, by regression on quantities whose means are known.

    Parameters
    ----------
    values : ndarray of float64, shape (draws,)
    drawn : ndarray of float64, shape (draws, c)
        The controls on the same tables.
    means : ndarray of float64, shape (c,)

    Returns
    -------
    Sharpened or None
        The regression's value at ``means``, biased by O(1 / draws), and the standard error of
        that prediction. None where it is no sharper than the mean of the draws.
    """
    draws = len(values)
    center = drawn.mean(axis=0)
    scale = drawn.std(axis=0)
    varying = scale > 1e-13 * np.abs(drawn).max(axis=0, initial=0.0)
    if draws < LEAST_DRAWS or not varying.any():
        return None
    x = (drawn[:, varying] - center[varying]) / scale[varying]
    away = (means[varying] - center[varying]) / scale[varying]
    mean = float(values.mean())
    slopes, _, rank, _ = np.linalg.lstsq(x, values - mean, rcond=1e-9)
    residuals = values - mean - x @ slopes
    variance = float(residuals @ residuals) / (draws - 1 - rank)
    reach = float(away @ np.linalg.pinv(x.T @ x, rcond=1e-9, hermitian=True) @ away)
    rounding = 4 * float(np.spacing(np.abs(values).max()))
    error = max(math.sqrt(variance * (1 / draws + reach)), rounding)
    if error >= float(values.std(ddof=1)) / math.sqrt(draws):
        return None
    return Sharpened(mean + float(slopes @ away), error)
