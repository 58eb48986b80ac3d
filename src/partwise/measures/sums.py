"""Records of sums that measures are functions of: of a table, its components, many states."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

#: A number, or an array of numbers: see ``formulas``.
Value: TypeAlias = Any


class Pairs:
    """Pairs of items, as in ``PairConfusion``, of many states or components."""

    def __init__(
        self, n11: Value, total: Value, reference: Value, candidate: Value, identical: Value
    ) -> None:
        self.n11, self.total, self.identical = n11, total, identical
        self.reference, self.candidate = reference, candidate

    @cached_property
    def n10(self) -> Value:
        """Together in the reference only."""
        return self.reference - self.n11

    @cached_property
    def n01(self) -> Value:
        """Together in the candidate only."""
        return self.candidate - self.n11

    @cached_property
    def n00(self) -> Value:
        """Together in neither."""
        return self.total - self.reference - self.candidate + self.n11

    @cached_property
    def apart(self) -> Value:
        """Pairs that the clusterings judge differently."""
        return self.n10 + self.n01


class Entropies(NamedTuple):
    """Entropies of one table as exact integers, or of many states; over ``unit`` in nats.

    Attributes
    ----------
    unit
        The total (items or mass) in the scale of the rest; 1 for an empty table.
    top
        ln n, n the number of items.
    reference, candidate, joint
        H(a), H(b), H(a, b).
    split, merge
        H(b | a), H(a | b).
    identical
        Whether the clusterings are equal.
    """

    unit: Value
    top: Value
    reference: Value
    candidate: Value
    joint: Value
    split: Value
    merge: Value
    identical: Value

    @staticmethod
    def of_xlogx(
        unit: Value, top: Value, row: Value, col: Value, cell: Value, identical: Value
    ) -> Entropies:
        """Return the entropies, given n ln n and the sums of x ln x of rows, columns, cells."""
        return Entropies(
            unit=unit,
            top=top,
            reference=top - row,
            candidate=top - col,
            joint=top - cell,
            split=row - cell,
            merge=col - cell,
            identical=identical,
        )

    @property
    def variation(self) -> Value:
        """Variation of information."""
        return self.split + self.merge


class Cover(NamedTuple):
    """Items (or masses), and those in the largest cells of rows and of columns."""

    reference_total: Value
    reference_best: Value
    candidate_total: Value
    candidate_best: Value


class BCubedSums(NamedTuple):
    """B-cubed precision and recall times ``unit``."""

    precision: Value
    recall: Value
    unit: Value


class EqualClusters(NamedTuple):
    """Clusters that stand on both sides with the same items, and those of either side."""

    both: Value
    reference: Value
    candidate: Value
