"""The account: what came in, what a policy did with it, what was compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from partwise.labels.notes import Note
from partwise.labels.policies import DUPLICATES, MISSING, UNMATCHED


def counted(n: int, noun: str) -> str:
    """Return the number with its noun: "1 item", "2 items"."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


#: How items were matched, and the words for it.
_MATCHED_BY = {
    "position": "aligned by position",
    "item": "aligned by item",
    "counts": "from a table of counts",
}
_POLICIES = {"unmatched": UNMATCHED, "missing": MISSING, "duplicates": DUPLICATES}


@dataclass(frozen=True, slots=True)
class SideAccount:
    """Items of one side.

    Attributes
    ----------
    given : int
        Items (rows) that came in.
    unmatched : int
        Items that the other side does not have.
    missing : int
        Items without a label, among those on both sides or kept.
    repeated, conflicting : int
        Further occurrences of an item with the same label, and with another one.
    empty_clusters : int
        Clusters without items, left out.
    unmatched_policy, missing_policy, duplicates_policy : str
        The policies in force for this side.
    """

    given: int = 0
    unmatched: int = 0
    missing: int = 0
    repeated: int = 0
    conflicting: int = 0
    empty_clusters: int = 0
    unmatched_policy: str = "error"
    missing_policy: str = "error"
    duplicates_policy: str = "error"

    def notes(self, side: str) -> list[str]:
        """Return a phrase for everything out of the ordinary."""
        other = "candidate" if side == "reference" else "reference"
        done = {
            "drop": "dropped",
            "singletons": "made singletons",
            "cluster": "put in one cluster",
            "first": "first kept",
            "last": "last kept",
        }
        notes = []
        if self.unmatched:
            action = done[self.unmatched_policy]
            items = counted(self.unmatched, f"{side} item")
            notes.append(f"{items} not in the {other} ({action})")
        if self.missing:
            action = done[self.missing_policy]
            notes.append(f"{self.missing} without a {side} label ({action})")
        if self.repeated or self.conflicting:
            action = done[self.duplicates_policy]
            items = counted(self.repeated + self.conflicting, f"repeated {side} item")
            notes.append(f"{items}, {self.conflicting} with another label ({action})")
        if self.empty_clusters:
            clusters = counted(self.empty_clusters, f"empty {side} cluster")
            notes.append(f"{clusters} left out")
        return notes


@dataclass(frozen=True, slots=True)
class Account:
    """What was compared and what happened on the way.

    Attributes
    ----------
    items : int
        Items compared.
    matched_by : str
        "position", "item" or "counts".
    dropped : int
        Distinct items left out by a policy.
    reference, candidate : SideAccount
        Each side's part.
    zero_cells, repeated_cells : int
        Cells of a table given as counts that were zero (dropped) or came again (added up).
    distinct_items : int or None
        Items behind ``items`` where multiplicities were given.
    zero_multiplicity : int
        Items left out because they count 0 times.
    zero_weights : int
        Items kept with a mass of 0.
    notes : tuple of Note
        How the input was read, and what about it is suspicious; see ``labels.notes``.
    """

    items: int = 0
    matched_by: str = "position"
    dropped: int = 0
    reference: SideAccount = field(default_factory=SideAccount)
    candidate: SideAccount = field(default_factory=SideAccount)
    zero_cells: int = 0
    repeated_cells: int = 0
    distinct_items: int | None = None
    zero_multiplicity: int = 0
    zero_weights: int = 0
    notes: tuple[Note, ...] = ()

    def swapped(self) -> Account:
        """Return the account with the sides exchanged."""
        return replace(self, reference=self.candidate, candidate=self.reference)

    def describe(self) -> str:
        """Return the account as one line."""
        how = _MATCHED_BY[self.matched_by]
        parts = [f"{counted(self.items, 'item')} compared, {how}"]
        if self.distinct_items is not None:
            parts.append(f"{self.distinct_items} distinct")
        if self.zero_multiplicity:
            parts.append(
                f"{counted(self.zero_multiplicity, 'item')} of multiplicity 0 left out"
            )
        if self.zero_weights:
            parts.append(f"{counted(self.zero_weights, 'item')} of weight 0")
        if self.dropped:
            parts.append(f"{self.dropped} dropped")
        parts += self.reference.notes("reference") + self.candidate.notes("candidate")
        if self.zero_cells:
            parts.append(f"{counted(self.zero_cells, 'zero cell')} dropped")
        if self.repeated_cells:
            parts.append(f"{counted(self.repeated_cells, 'repeated cell')} added up")
        return "; ".join([*parts, *self.notes])

    def to_dict(self) -> dict[str, Any]:
        """Return the account as plain nested dicts."""
        plain = asdict(replace(self, notes=()))
        return {**plain, "notes": [note.to_dict() for note in self.notes]}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Account:
        """Return the account of which ``to_dict`` made plain dicts."""
        reference, candidate = _side_of(plain["reference"]), _side_of(plain["candidate"])
        notes = tuple(Note(**note) for note in plain["notes"])
        of_both = {"reference", "candidate", "notes"}
        own = _checked({name: plain[name] for name in plain if name not in of_both}, cls())
        return cls(**own, reference=reference, candidate=candidate, notes=notes)


def _side_of(plain: Mapping[str, Any]) -> SideAccount:
    """Return the account of a side, whose policies did what it counts."""
    side = SideAccount(**_checked(plain, SideAccount()))
    for name, count in (
        ("unmatched", side.unmatched),
        ("missing", side.missing),
        ("duplicates", side.repeated + side.conflicting),
    ):
        policy = getattr(side, f"{name}_policy")
        if policy not in _POLICIES[name] or (count and policy == "error"):
            raise ValueError(f"its account says {name}_policy={policy!r} for {count} items")
    return side


def _checked(plain: Mapping[str, Any], empty: Account | SideAccount) -> dict[str, Any]:
    """Return numbers and words of an account, each of its kind."""
    for name, value in plain.items():
        usual = getattr(empty, name)  # an unknown name is an error
        is_count = type(value) is int and value >= 0
        if name == "matched_by":
            good = value in _MATCHED_BY
        elif isinstance(usual, str):
            good = isinstance(value, str)
        else:
            good = is_count or (usual is None and value is None)
        if not good:
            raise ValueError(f"its account says {name}={value!r}")
    return dict(plain)
