"""Measures as functions of sums, written once for one table and for many states of sums.

A function of sums uses + - * and the helpers of this module only. It then takes Python
integers (one table), fractions (a table with masses), exact arrays (``WideIntegers``, or
object arrays of Python integers: states of a threshold sweep) and arrays of doubles (draws of a
bootstrap), and means the same.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias, cast

import numpy as np

from partwise._kernels.order_free import Rational
from partwise._kernels.wide_integers import WideIntegers
from partwise.measures.sums import (
    BCubedSums,
    Cover,
    Entropies,
    EqualClusters,
    Pairs,
    Value,
)
from partwise.numbers.arrays import BoolArray, FloatArray
from partwise.numbers.checks import ln_of_base, number
from partwise.numbers.logarithm import LN_BITS, ln_of_double, xlogx
from partwise.numbers.real_logarithm import log

#: What a formula gives: a float for one table (all that a type can say), an array of doubles
#: for many states.
Result: TypeAlias = float

#: What a formula may ask for.
SUMS = (
    *("n", "rows", "cols", "cells", "squares", "row_squares", "col_squares"),
    *("cell_xlogx", "row_xlogx", "col_xlogx", "row_maxima", "col_maxima"),
    *("b_cubed_precision", "b_cubed_recall", "exact_matches"),
)


# ---- helpers of the formulas -----------------------------------------------------------


def ratio(above: Value, below: Value, empty: Value = 0) -> Result:
    """Return above / below, correctly rounded for integers; ``empty`` where below is 0."""
    if type(above) is int and type(below) is int:
        return above / below if below else empty * 1.0
    if isinstance(above, Fraction) or isinstance(below, Fraction):
        return float(above / below) if below else float(empty)
    return cast("Result", _ratios(above, below, empty))


def _ratios(above: Value, below: Value, empty: Value) -> Any:
    nothing = below == 0
    if np.ndim(nothing) == 0 and nothing:
        return np.broadcast_to(np.float64(empty), len(above))
    if not np.any(nothing):
        return _quotients(above, below)
    quotients = _quotients(above, replaced(nothing, 1, below))
    return np.where(nothing, empty, quotients)


def _quotients(above: Value, below: Value) -> FloatArray:
    if isinstance(above, WideIntegers):
        return above.over(below)
    if isinstance(below, WideIntegers):
        if isinstance(above, int):
            return _quotients(WideIntegers.of([above]), below)
        below = below.to_objects()
    quotients: FloatArray = np.asarray(above / below, dtype=np.float64)
    return quotients


def in_base(above: Value, below: Value, base: float | None) -> Result:
    """Return above / below, in nats, in units of a base; 0 where below is 0.

    What is a whole number in theory is that number: the logarithm of the base is rounded, and
    so the quotients that come near to one are taken anew of the integers.
    """
    unit, nats = ln_of_base(base), ratio(above, below)
    if base is None or (isinstance(above, np.ndarray) and above.dtype == np.float64):
        return nats / unit
    values = np.array(nats, dtype=np.float64) / unit
    whole = np.rint(values)
    near = (values != whole) & (np.abs(values - whole) <= 4 * np.spacing(values))
    if near.any():
        each = np.atleast_1d(values)
        one = Fraction(1 << LN_BITS, ln_of_double(number(base, "base")))
        for state in np.flatnonzero(near).tolist():
            exact = Fraction(_of_state(above, state)) / Fraction(_of_state(below, state))
            each[state] = float(exact * one)
        values = each.reshape(values.shape)
    return float(values) if values.ndim == 0 else cast("Result", values)


def _of_state(value: Value, state: int) -> Any:
    """Return the integer of one state; a single one stands for all states."""
    if isinstance(value, WideIntegers):
        return value[np.array([state])].to_objects()[0]
    return value[state] if isinstance(value, np.ndarray) else value


def replaced(condition: Value, number: Value, value: Value) -> Value:
    """Return ``number`` (small, or an array of small ones) where the condition holds."""
    if isinstance(condition, bool):
        return number if condition else value
    if isinstance(value, WideIntegers):
        other = WideIntegers.of(np.broadcast_to(np.asarray(number), condition.shape))
        high = np.where(condition, other.high, value.high)
        return WideIntegers(high, np.where(condition, other.low, value.low))
    return np.where(condition, number, value)


def root(value: Value) -> Result:
    """Return the square root of a quotient."""
    if isinstance(value, np.ndarray):
        return cast("Result", np.sqrt(value))
    return math.sqrt(value)


def signed(value: Value, sign: Value) -> Result:
    """Return the value with the sign of another number; 0 where that is 0."""
    if isinstance(value, np.ndarray):
        positive = 1.0 * np.asarray(sign > 0)
        return cast("Result", value * (positive - 1.0 * np.asarray(sign < 0)) + 0.0)
    return (value if sign > 0 else -value) if sign else 0.0


def smaller(x: Value, y: Value) -> Value:
    """Return the smaller of two numbers."""
    return _chosen(x, y, x < y)


def larger(x: Value, y: Value) -> Value:
    """Return the larger of two numbers."""
    return _chosen(x, y, x > y)


def _chosen(x: Value, y: Value, first: Value) -> Value:
    if isinstance(first, bool):
        return x if first else y
    if isinstance(x, WideIntegers) or isinstance(y, WideIntegers):
        if any(isinstance(z, np.ndarray) and z.dtype == object for z in (x, y)):
            x, y = (z.to_objects() if isinstance(z, WideIntegers) else z for z in (x, y))
            return np.where(first, x, y)
        x, y = (z if isinstance(z, WideIntegers) else WideIntegers.of([z]) for z in (x, y))
        return WideIntegers(np.where(first, x.high, y.high), np.where(first, x.low, y.low))
    return np.where(first, x, y)


def half(value: Value) -> Value:
    """Return half of an even number."""
    if isinstance(value, WideIntegers):
        return value.half()
    if isinstance(value, np.ndarray) and value.dtype == np.float64:
        return value * 0.5
    return value >> 1


# ---- what formulas are given -----------------------------------------------------------


class States:
    """Sums of many states by name, and what formulas make of them.

    Parameters
    ----------
    sums : mapping of str to array or int
        Of the names in ``SUMS``; a Python integer stands for all states. Integer arrays,
        ``WideIntegers``, or (all of them) arrays of doubles.
    length : int
        Number of states.
    fraction_bits : int or None
        Fraction bits of the sums of x ln x, which are integers; None: doubles, in nats.

    Notes
    -----
    ``squares`` are those of the cells; ``row_xlogx`` is the sum of x ln x over the row sizes,
    and so on; ``b_cubed_recall`` the sum over rows of (sum of n_ij^2) / n_i in 64 fraction
    bits, each row's cut once, as ``_kernels`` gives it; ``exact_matches`` the clusters that
    are equal on both sides. Rows are the reference.
    """

    def __init__(
        self, sums: Mapping[str, Any], length: int, fraction_bits: int | None = 64
    ) -> None:
        self.exact = fraction_bits is not None
        self.length = length
        self._bits = fraction_bits or 0
        self._sums = sums

    def __getattr__(self, name: str) -> Value:
        if name.startswith("_") or name not in SUMS:
            raise AttributeError(name)
        value = self._sums[name]
        if self.exact and isinstance(value, np.ndarray) and value.dtype != object:
            value = WideIntegers.of(value)
        self.__dict__[name] = value
        return value

    def part(self, start: int, stop: int) -> States:
        """Return the states of a slice."""
        bits = self._bits if self.exact else None
        sums = {
            name: value[start:stop] if hasattr(value, "__len__") else value
            for name, value in self._sums.items()
        }
        return States(sums, min(stop, self.length) - start, bits)

    @cached_property
    def identical(self) -> Value:
        """Whether both sides are equal: as many cells as clusters."""
        return (self.cells == self.rows) & (self.cells == self.cols)

    @cached_property
    def pairs(self) -> Pairs:
        """Pairs of items by where they are together."""
        n = self.n
        n11, rows, cols = (
            half(x - n) for x in (self.squares, self.row_squares, self.col_squares)
        )
        total = half(n * (n - 1))
        return Pairs(n11, total, rows, cols, self.identical)

    @cached_property
    def _top(self) -> Value:
        n = self.n
        if not self.exact:
            return np.where(n > 0, n, 1.0) * log(np.where(n > 0, n, 1.0))
        if isinstance(n, int):
            return xlogx(n, self._bits)
        listed = n.tolist()
        xlogx_of = {x: xlogx(x, self._bits) for x in set(listed)}
        return WideIntegers.of([xlogx_of[x] for x in listed])

    @cached_property
    def entropies(self) -> Entropies:
        """Entropies times n, in the units of ``unit``."""
        unit = larger(self.n, 1) * (1 << self._bits)
        sums = self.row_xlogx, self.col_xlogx, self.cell_xlogx
        return Entropies.of_xlogx(unit, self._top, *sums, self.identical)

    @cached_property
    def information(self) -> Rational:
        """Mutual information, right but for the states of ``near_independence``."""
        s = self.entropies
        return Rational(s.reference - s.merge, s.unit)

    @cached_property
    def near_independence(self) -> BoolArray:
        """States whose mutual information, or its being 0, these sums do not tell."""
        value = self.information.above
        if not self.exact:
            tiny = value <= self._top * 2.0**-20
        else:
            terms = self.cells + self.rows + self.cols + 1
            tiny = (value - terms * (1 << 53)) <= 0
        # where one side refines the other it is the other's entropy, exactly
        refined = (self.cells == self.rows) | (self.cells == self.cols)
        near: BoolArray = np.broadcast_to(tiny & ~np.asarray(refined), self.length)
        return near

    @cached_property
    def cover(self) -> Cover:
        """Largest cells."""
        return Cover(self.n, self.row_maxima, self.n, self.col_maxima)

    @cached_property
    def b_cubed(self) -> BCubedSums:
        """B-cubed sums."""
        unit = self.n * (1 << 64) if self.exact else self.n
        return BCubedSums(self.b_cubed_precision, self.b_cubed_recall, unit)

    @cached_property
    def clusters(self) -> EqualClusters:
        """Clusters, and equal ones."""
        return EqualClusters(self.exact_matches, self.rows, self.cols)


# ---- formulas as part of a row ---------------------------------------------------------


@dataclass(frozen=True)
class Formula:
    """A measure as a function of sums.

    Attributes
    ----------
    function : callable
        ``function(*parts, **options)``; the measure itself calls it on the parts of one table.
    parts : tuple of str
        Attributes of ``States`` that it takes.
    unsure_near_independence : bool
        Whether states near independence must be computed on their table.
    without : mapping of str to tuple
        Values of options that it has no form for.
    """

    function: Callable[..., Result]
    parts: tuple[str, ...]
    unsure_near_independence: bool = False
    without: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def covers(self, options: Mapping[str, Any]) -> bool:
        """Return whether these options have this form."""
        accepted = inspect.signature(self.function).parameters
        return all(
            name in accepted and value not in self.without.get(name, ())
            for name, value in options.items()
        )

    def values(
        self, states: States, options: Mapping[str, Any]
    ) -> tuple[FloatArray, BoolArray]:
        """Return the values of states, and which of them must be computed on their table.

        With exact sums the others have the bits of the measure itself.
        """
        parts = [getattr(states, name) for name in self.parts]
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.array(
                np.broadcast_to(self.function(*parts, **options), states.length), np.float64
            )
        unsure_near_independence = np.zeros(states.length, dtype=bool)
        if self.unsure_near_independence:
            unsure_near_independence |= states.near_independence
        return values, unsure_near_independence

    def sums(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names of the sums that the parts are made of."""
        requested = _RequestedSums()
        self.values(States(requested, 1), options)
        return tuple(name for name in SUMS if name in requested.names)


class _RequestedSums(Mapping[str, Any]):
    """Sums of one item that note what is asked for."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> Value:
        self.names.add(name)
        value = {"cell_xlogx": 0, "row_xlogx": 0, "col_xlogx": 0}.get(name, 1)
        return np.array([value << 64 if name.startswith("b_cubed") else value], dtype=object)

    def __iter__(self) -> Iterator[str]:
        return iter(SUMS)

    def __len__(self) -> int:
        return len(SUMS)


def of_pairs(function: Callable[..., Result], **keywords: Any) -> Formula:
    """Return the formula of a function of pairs."""
    return Formula(function, ("pairs",), **keywords)


def of_entropies(function: Callable[..., Result], **keywords: Any) -> Formula:
    """Return the formula of a function of entropies."""
    return Formula(function, ("entropies",), **keywords)


def of_information(function: Callable[..., Result]) -> Formula:
    """Return the formula of a function of entropies and mutual information."""
    return Formula(function, ("entropies", "information"), unsure_near_independence=True)
