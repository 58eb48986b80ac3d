"""Means over random tables made sharper by what is known exactly: pairs and information."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from partwise.inference.statistics import Statistic
from partwise.measures.chance.expected import expected_mutual_information
from partwise.measures.information.entropy_sums import sums
from partwise.measures.pairs.pairs import confusion
from partwise.measures.pairs.permutation_moments import moments
from partwise.numbers.arrays import FloatArray
from partwise.table.contingency import Contingency

#: Fewer draws do not tell the slopes from noise.
LEAST_DRAWS = 100


class Sharpened(NamedTuple):
    """Mean of a measure over all random tables, and its standard error."""

    mean: float
    error: float


def _pairs(table: Contingency) -> float:
    return float(confusion(table).n11)


def _information(table: Contingency) -> float:
    found = sums(table)
    return float((found.reference - found.merge) / found.unit)


def controls() -> list[Statistic]:
    """Return what has to be drawn beside the measures: N11 and the mutual information."""
    return [
        Statistic("pairs together on both sides, as a control", _pairs, None, None),
        Statistic("mutual information, as a control", _information, None, None),
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
    left = values - mean - x @ slopes
    variance = float(left @ left) / (draws - 1 - rank)
    reach = float(away @ np.linalg.pinv(x.T @ x, rcond=1e-9, hermitian=True) @ away)
    rounding = 4 * float(np.spacing(np.abs(values).max()))
    error = max(math.sqrt(variance * (1 / draws + reach)), rounding)
    if error >= float(values.std(ddof=1)) / math.sqrt(draws):
        return None
    return Sharpened(mean + float(slopes @ away), error)
