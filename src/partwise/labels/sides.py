"""One side of an alignment on its way through the policies."""

from __future__ import annotations

from dataclasses import dataclass

from partwise.labels.account import SideAccount
from partwise.labels.columns import (
    Column,
)
from partwise.labels.policies import SidePolicies
from partwise.numbers.arrays import IntArray

NAMES = ("reference", "candidate")


@dataclass(slots=True)
class Side:
    """One side on its way through the policies; ``take`` gives -1 for "not here"."""

    name: str
    column: Column
    policies: SidePolicies
    given: int
    empty_clusters: int
    take: IntArray | None = None  # None: every item, in order
    unmatched: int = 0
    missing: int = 0
    repeated: int = 0
    conflicting: int = 0

    def account(self) -> SideAccount:
        """Return what happened to this side's items."""
        return SideAccount(
            self.given,
            self.unmatched,
            self.missing,
            self.repeated,
            self.conflicting,
            self.empty_clusters,
            self.policies.unmatched,
            self.policies.missing,
            self.policies.duplicates,
        )
