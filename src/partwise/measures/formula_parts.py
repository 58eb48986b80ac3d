"""What formulas are given: named groups of sums, of one table or of many states."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from partwise.measures.formulas import Value


class Pairs:
    """Pairs of items, as in ``PairConfusion``, of many states; some only when asked for."""

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


class Entropies(NamedTuple):
    """Entropies, as in ``entropy_sums.Sums``, of many states."""

    unit: Value
    top: Value
    reference: Value
    candidate: Value
    joint: Value
    split: Value
    merge: Value
    variation: Value
    identical: Value


class Information(NamedTuple):
    """Mutual information above / below, in the form of ``order_free.Rational``."""

    above: Value
    below: Value


class Cover(NamedTuple):
    """Items, and those in the largest cells of rows and of columns."""

    reference_total: Value
    reference_best: Value
    candidate_total: Value
    candidate_best: Value


class BCubedSums(NamedTuple):
    """B-cubed precision and recall times ``whole``."""

    precision: Value
    recall: Value
    whole: Value


class EqualClusters(NamedTuple):
    """Clusters that stand on both sides with the same items, and those of either side."""

    both: Value
    reference: Value
    candidate: Value
