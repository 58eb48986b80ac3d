"""Masses of two sides as whole numbers of one unit, for the transport solvers."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from partwise.numbers.arrays import FloatArray, IntArray
from partwise.solvers.arrays import LARGEST, as_numbers

#: How much the two totals may differ, relative to the larger.
BALANCE = 1e-6
_MOST = 1 << 61
_DENOMINATOR_MOST = 10**5
_NEAR = 2 * 2.0**-52
_WHOLE = 1 << 60


class Balanced(NamedTuple):
    """Whole masses with equal sums; mass = whole x unit."""

    supply: IntArray
    demand: IntArray
    unit: Fraction
    rescaled: float  # factor that the demand was multiplied by, 1.0: none


def read_masses(values: Any, name: str) -> FloatArray | IntArray:
    """Check masses: one-dimensional, not empty, finite and at least 0, not all 0."""
    masses = as_numbers(values, name, (None,))
    if len(masses) == 0:
        raise ValueError(f"{name} is empty; there is nothing to move")
    largest = masses.max()
    if largest == 0:
        raise ValueError(f"{name} is all 0; there is nothing to move")
    if masses.dtype.kind == "f" and largest < 1 / LARGEST:
        raise ValueError(f"{name} only reaches {largest}; scale it to at least {1 / LARGEST:g}")
    if masses.dtype.kind == "i" and sum(masses.tolist()) >= _MOST:
        raise ValueError(f"{name} adds up to {sum(masses.tolist())}; below 2^61 is needed")
    return masses


def balance(supply: FloatArray | IntArray, demand: FloatArray | IntArray) -> Balanced:
    """Return both sides in whole units with equal sums.

    Whole masses with equal sums stay as they are. Masses that are fractions of their total
    with one small denominator (up to 1e5, within two units in the last place), as uniform or
    decimal ones are, become exactly those. All others are rounded to 2^-60 of their total.

    Raises
    ------
    ValueError
        The totals differ by more than 1e-6 of the larger.
    """
    totals = [_total(side) for side in (supply, demand)]
    if abs(totals[0] - totals[1]) > BALANCE * max(totals):
        raise ValueError(
            f"supply adds up to {float(totals[0])!r}, demand to {float(totals[1])!r}; they may "
            f"differ by at most {BALANCE} of the larger: scale one of them"
        )
    rescaled = float(totals[0] / totals[1])
    if abs(rescaled - 1) <= 16 * 2.0**-52:  # rounding of the sums, nothing to report
        rescaled = 1.0
    if supply.dtype.kind == demand.dtype.kind == "i" and totals[0] == totals[1]:
        return Balanced(_whole(supply), _whole(demand), Fraction(1), 1.0)
    common = _common_fractions(supply, demand, totals)
    if common is not None:
        first, second, denominator = common
        return Balanced(first, second, totals[0] / denominator, rescaled)
    first, second = (_shares(side) for side in (supply, demand))
    return Balanced(first, second, totals[0] / _WHOLE, rescaled)


def _total(masses: FloatArray | IntArray) -> Fraction:
    if masses.dtype.kind == "i":
        return Fraction(sum(masses.tolist()))
    return Fraction(math.fsum(masses.tolist()))


def _whole(masses: Any) -> IntArray:
    integers: IntArray = masses
    return integers


def _shares(masses: FloatArray | IntArray) -> IntArray:
    """Return masses as whole numbers that add up to 2^60: each side by itself, exactly."""
    bits = 60 - math.frexp(float(masses.max()))[1]
    scaled = np.rint(np.ldexp(masses.astype(np.float64), bits)).astype(np.int64).tolist()
    total = sum(scaled)
    shares = np.array([part * _WHOLE // total for part in scaled], dtype=np.int64)
    shares[np.argmax(shares)] += _WHOLE - int(shares.sum())
    return shares


def _common_fractions(
    supply: FloatArray | IntArray, demand: FloatArray | IntArray, totals: list[Fraction]
) -> tuple[IntArray, IntArray, int] | None:
    """Return both sides as numerators of one denominator, None where there is no small one."""
    parts = []
    for side, total in zip((supply, demand), totals, strict=True):
        values, indices = np.unique(side, return_inverse=True)
        fractions = _fractions_of(values.astype(np.float64) / float(total))
        if fractions is None:
            return None
        parts.append((fractions, indices))
    below = math.lcm(*(part.denominator for fractions, _ in parts for part in fractions))
    if below >= _MOST:
        return None
    first, second = (
        np.array([int(part * below) for part in fractions], dtype=np.int64)[indices]
        for fractions, indices in parts
    )
    if not sum(first.tolist()) == sum(second.tolist()) == below:
        return None
    return first, second, below


def _fractions_of(shares: FloatArray) -> list[Fraction] | None:
    """Return shares as fractions of small denominators, None at the first that is not one."""
    fractions = []
    below = 1
    for share in shares.tolist():
        near = Fraction(share).limit_denominator(_DENOMINATOR_MOST)
        below = math.lcm(below, near.denominator)
        if abs(near - Fraction(share)) > _NEAR * share or below >= _MOST:
            return None
        fractions.append(near)
    return fractions
