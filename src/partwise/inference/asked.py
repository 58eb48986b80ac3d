"""What the inference functions are asked for: measures, numbers of draws, seeds, workers."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from partwise.measures.catalogue import select
from partwise.measures.entry import Measure
from partwise.numbers.arrays import FloatArray
from partwise.progress import track
from partwise.table.arguments import COLUMNS, as_table, clusterings_of
from partwise.table.contingency import Contingency

T = TypeVar("T")

#: What the random numbers are for: two uses of one seed never share a number.
PERMUTATION, BOOTSTRAP, SWAPS = range(3)


@dataclass(frozen=True)
class Statistic:
    """A number of a table: a row of the catalogue, or a function of the user.

    Attributes
    ----------
    name : str
    of : callable
        The number of a table.
    direction : {"higher", "lower", None}
        Which values mean more agreement.
    best : float or None
        Value for identical clusterings, where it is always the same.
    row : Measure or None
        The row of the catalogue.
    """

    name: str
    of: Callable[[Contingency], float]
    direction: str | None
    best: float | None
    row: Measure | None = None


def _of_row(row: Measure, function: str) -> Statistic:
    if row.computation.items:
        raise ValueError(
            f"{row.name} looks at the items themselves; {function} draws tables, which "
            "hold none"
        )
    return Statistic(row.name, row, row.direction, row.value_if_identical, row)


def _of_callable(given: Callable[[Contingency], float]) -> Statistic:
    name = getattr(given, "__name__", type(given).__name__)
    return Statistic(name, lambda table: float(given(table)), None, None)


def read_statistics(measure: Any, function: str) -> list[Statistic]:
    """Return what ``measure=`` means: names, functions of a table, or several of either."""
    single = isinstance(measure, str) or callable(measure)
    given = [measure] if single else measure
    if not isinstance(given, Iterable):
        raise TypeError(
            f"measure={measure!r}: a name, a function of a table, or several are expected"
        )
    found: list[Statistic] = []
    for one in given:
        if isinstance(one, Statistic):
            found.append(one)
        elif isinstance(one, Measure):
            found.append(_of_row(one, function))
        elif callable(one):
            found.append(_of_callable(one))
        else:
            rows, _ = select(one, COLUMNS)
            if one in ("default", "all"):
                rows = [row for row in rows if not row.computation.items]
            found += [_of_row(row, function) for row in rows]
    if not found:
        raise ValueError("measure is empty; name at least one")
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"measure names {name} twice")
    return found


def checked(values: FloatArray, statistics: list[Statistic]) -> FloatArray:
    """Return values (..., measures), or raise if one is no number."""
    wrong = np.isnan(values)
    if wrong.any():
        at = int(np.argwhere(wrong)[0][-1])
        name = statistics[at].name
        raise ValueError(
            f"{name} has no value (NaN) on {int(wrong[..., at].sum())} tables, "
            "which cannot be ranked; give a function that has one on every table"
        )
    return values


def counted_table(
    reference: Any, candidate: Any, policies: dict[str, Any], function: str
) -> Contingency:
    """Return the table that is meant; raise where it has weights."""
    table = as_table(clusterings_of(reference, candidate, policies, function))
    refuse_weights(table, function)
    return table


def refuse_weights(table: Contingency, function: str) -> None:
    """Raise if the table has weights."""
    if table.masses is not None:
        raise ValueError(
            f"{function} draws whole items and takes no weights; multiplicity= repeats items "
            "a whole number of times"
        )


def read_whole(value: Any, name: str, least: int) -> int:
    """Check a whole number."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or value < least:
        raise ValueError(f"{name}={value!r} must be a whole number of at least {least}")
    return int(value)


def read_seed(seed: Any) -> int:
    """Return the seed, a fresh one for None."""
    if seed is None:
        return secrets.randbits(63)
    found = read_whole(seed, "seed", 0)
    if found >= 1 << 64:
        raise ValueError(f"seed={seed} must be below 2^64")
    return found


def read_level(level: Any) -> float:
    """Check the level of an interval."""
    if isinstance(level, bool) or not isinstance(level, (int, float, np.number)):
        raise ValueError(f"level={level!r} must be a number between 0 and 1")
    if not 0 < level < 1:
        raise ValueError(f"level={level!r} must lie between 0 and 1, such as 0.95")
    return float(level)


@dataclass(frozen=True, slots=True)
class Drawing:
    """How to draw: how often, from which seed, by how many threads; the level of intervals."""

    draws: int
    seed: int
    workers: int
    level: float
    progress: bool = False

    def each(self, one: Callable[[int], T], what: str = "resampling") -> list[T]:
        """Return ``one(draw)`` for every draw, in order."""
        return each_draw(one, self.draws, self.workers, progress=self.progress, what=what)


def read_drawing(
    draws: Any,
    seed: Any,
    workers: Any = 1,
    level: Any = 0.95,
    *,
    progress: bool = False,
    least: int = 1,
) -> Drawing:
    """Return the options of draws, checked; the seed is a fresh one for None.

    A function without ``workers`` or ``level`` leaves them out; ``least`` is how many draws it
    needs.
    """
    draws, workers = read_whole(draws, "draws", least), read_whole(workers, "workers", 1)
    level = read_level(level)
    return Drawing(draws, read_seed(seed), workers, level, progress)


def stream_of(purpose: int, draw: int) -> int:
    """Return the second word of the random numbers' key: what for, and which draw."""
    return purpose << 56 | draw


def generator(seed: int, purpose: int, draw: int) -> np.random.Generator:
    """Return the random numbers of one draw, which depend on nothing else."""
    key = np.array([seed, stream_of(purpose, draw)], dtype=np.uint64)
    return np.random.Generator(np.random.Philox(key=key))


def each_draw(
    one: Callable[[int], T], draws: int, workers: int, *, progress: bool = False, what: str = ""
) -> list[T]:
    """Return ``one(draw)`` for every draw, in order, by so many threads."""
    if workers == 1:
        return [one(draw) for draw in track(range(draws), what, progress)]
    with ThreadPoolExecutor(workers) as pool:
        parts = pool.map(one, range(draws))
        if not progress:
            return list(parts)
        return [next(parts) for _ in track(range(draws), what, progress)]


def in_batches(
    some: Callable[[int, int], T],
    draws: int,
    at_once: int,
    workers: int,
    *,
    progress: bool = False,
) -> list[T]:
    """Return ``some(first, last)`` for so many draws at once, in order, by so many threads."""

    def batch(number: int) -> T:
        first = number * at_once
        return some(first, min(first + at_once, draws))

    return each_draw(batch, -(-draws // at_once), workers, progress=progress, what="resampling")
