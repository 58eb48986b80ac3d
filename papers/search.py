"""A measure on all pairs of partitions of a few items, and what is found there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from papers.partitions import Labels, check_size, partitions
from partwise.measures.catalogue import catalogue, find
from partwise.measures.entry import Measure
from partwise.numbers.arrays import FloatArray
from partwise.table.contingency import Contingency
from partwise.table.count import contingency


@dataclass(frozen=True)
class Witness:
    """Why a property fails: the clusterings, what the measure gives for them, in words."""

    clusterings: tuple[Labels, ...]
    values: tuple[float, ...]
    reason: str

    def __str__(self) -> str:
        names = " / ".join("".join(map(str, labels)) for labels in self.clusterings)
        return f"{names}: {self.reason}" if names else self.reason


@dataclass(frozen=True)
class Finding:
    """The outcome of a search; true where the property holds.

    Attributes
    ----------
    holds : bool
    n : int
        All partitions of this many items were looked at.
    property, measure : str
    bounds : (float, float)
        Smallest and largest value seen.
    witness : Witness or None
        The first failure.
    """

    holds: bool
    n: int
    property: str
    measure: str
    bounds: tuple[float, float]
    witness: Witness | None = None

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        verdict = "holds" if self.holds else f"fails: {self.witness}"
        return f"{self.measure}, {self.property}, n = {self.n}: {verdict}"


@dataclass(frozen=True, eq=False)
class Subject:
    """A measure and how it is called on two label tuples.

    Attributes
    ----------
    name : str
    value : callable
        ``value(reference, candidate)``.
    lower_is_better : bool
    entry : Measure or None
        The entry of the catalogue.
    """

    name: str
    value: Callable[[Labels, Labels], float]
    lower_is_better: bool
    entry: Measure | None

    @classmethod
    def of(cls, measure: Any, direction: str | None = None) -> Subject:
        """Read a measure: a name with its options, a row, a public function, a callable."""
        if direction not in (None, "higher", "lower"):
            raise ValueError(f"direction={direction!r}; give higher, lower or None")
        entry = _row(measure)
        if entry is not None and entry.requires:
            raise ValueError(
                f"{entry.name} needs {', '.join(entry.requires)}: give the option in its name, "
                "or a callable (a, b) -> float that passes the column"
            )
        if entry is None and not callable(measure):
            raise TypeError(
                f"measure={measure!r}; a name of the catalogue or a callable (a, b) -> float "
                "is expected"
            )
        own_direction = entry.direction if entry is not None else None
        lower = (direction or own_direction) == "lower"
        if entry is not None:
            value = _of_row(entry)
            return cls(entry.name, value, lower, entry)
        return cls(getattr(measure, "__name__", "measure"), _of_callable(measure), lower, None)

    def similarity(self, values: FloatArray) -> FloatArray:
        """Return the values, or 1 minus them where lower is better."""
        return 1.0 - values if self.lower_is_better else values

    def clusterings(self, n: int) -> tuple[Labels, ...]:
        """Return the partitions of n items that the measure accepts."""
        everything = partitions(check_size(n))
        k = None if self.entry is None else self.entry.options.get("k")
        return everything if k is None else tuple(p for p in everything if max(p) < k)


@dataclass(frozen=True, eq=False)
class Search:
    """All values of a measure on the partitions of n items.

    Attributes
    ----------
    subject : Subject
    n : int
    clusterings : tuple of tuples of int
    values : ndarray of shape (b, b)
        ``values[i, j]``: partition i is the reference, j the candidate.
    """

    subject: Subject
    n: int
    clusterings: tuple[Labels, ...]
    values: FloatArray

    @classmethod
    def of(cls, measure: Any, n: int, direction: str | None = None) -> Search:
        """Evaluate the measure on all pairs."""
        subject = Subject.of(measure, direction)
        chosen = subject.clusterings(n)
        values = [[subject.value(p, q) for q in chosen] for p in chosen]
        return cls(subject, n, chosen, np.array(values, dtype=np.float64))

    @property
    def bounds(self) -> tuple[float, float]:
        """Smallest and largest value."""
        return float(self.values.min()), float(self.values.max())

    def finding(self, name: str, failure: Witness | None) -> Finding:
        """Return the finding of a property whose first failure is given."""
        return Finding(failure is None, self.n, name, self.subject.name, self.bounds, failure)

    def witness(self, indices: Iterable[int], values: Iterable[float], reason: str) -> Witness:
        """Return a witness made of the partitions at these places."""
        chosen = tuple(self.clusterings[i] for i in indices)
        return Witness(chosen, tuple(float(x) for x in values), reason)


def _row(measure: Any) -> Measure | None:
    if isinstance(measure, str):
        return find(measure)
    if isinstance(measure, Measure):
        return measure
    rows = catalogue().values()
    return next(
        (entry for entry in rows if entry.function is measure and not entry.options), None
    )


def _of_row(entry: Measure) -> Callable[[Labels, Labels], float]:
    if entry.computation.items:
        return lambda a, b: entry.function(np.array(a), np.array(b), **entry.options)
    return lambda a, b: entry(table_of_pair(a, b))


@lru_cache(maxsize=4096)
def table_of_pair(reference: Labels, candidate: Labels) -> Contingency:
    """Return the table of two clusterings; the pairs of five items are kept."""
    return contingency(np.array(reference), np.array(candidate))


def _of_callable(measure: Any) -> Callable[[Labels, Labels], float]:
    return lambda a, b: float(measure(np.array(a), np.array(b)))
