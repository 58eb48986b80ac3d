"""What every engine hands in, rows that stand for so many items, made into a table.

An engine joins, groups and counts. What a missing label, an item of one side only or a label
that means "none" becomes is decided here, by the policies of ``align``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from partwise.labels.apply_policies import NAMES, Side, apply_policies
from partwise.labels.carried import CompanionArguments
from partwise.labels.columns import Column
from partwise.labels.notes import Note
from partwise.labels.policies import SidePolicies, declared_labels
from partwise.numbers.arrays import BoolArray, IntArray
from partwise.table.alignment import Alignment
from partwise.table.contingency import Contingency


@dataclass(slots=True)
class SideFacts:
    """What an engine counted of one side before any policy.

    Attributes
    ----------
    rows : int
        Rows that came in.
    unmatched : int
        Distinct items that the other side does not have.
    repeated, conflicting : int
        Further rows of an item, with the label of its first row and with another one.
    """

    rows: int = 0
    unmatched: int = 0
    repeated: int = 0
    conflicting: int = 0


@dataclass(slots=True)
class CountedRows:
    """Rows of an engine.

    Attributes
    ----------
    labels : pair of Column
        Labels of both sides, missing where there is none.
    counts : ndarray of int64
        Items that each row stands for.
    absent : pair of ndarray of bool
        Where the items are none of that side.
    items : Column or None
        Ids of rows that stand for one item each; the ids of all others mean nothing.
    single : ndarray of bool
        Which rows stand for one item.
    """

    labels: tuple[Column, Column]
    counts: IntArray
    absent: tuple[BoolArray, BoolArray]
    items: Column | None
    single: BoolArray


@dataclass(slots=True)
class JoinedTable:
    """A table in the making: rows, both sides' facts and policies.

    Attributes
    ----------
    rows : CountedRows
    facts : pair of SideFacts
    policies : pair of SidePolicies
    matched_by : str
        "position" or "item".
    alike_ids : str
        How unmatched ids look like ids of the other side.
    find_unlabelled : callable
        Where the first item without a label of a side stands: the engine looks for it.
    """

    rows: CountedRows
    facts: Sequence[SideFacts]
    policies: Sequence[SidePolicies]
    matched_by: str
    alike_ids: str = ""
    find_unlabelled: Callable[[int], str] = field(default=NAMES.__getitem__)

    def table(self) -> Contingency:
        """Return the table, with the account that ``align`` would give."""
        rows = self.rows
        sides = []
        for i, name in enumerate(NAMES):
            facts, policy = self.facts[i], self.policies[i]
            take = None
            if rows.absent[i].any():
                take = np.where(rows.absent[i], -1, np.arange(len(rows.counts)))
            sides.append(
                Side(
                    name,
                    rows.labels[i],
                    policy,
                    facts.rows,
                    0,
                    take,
                    facts.unmatched,
                    repeated=facts.repeated,
                    conflicting=facts.conflicting,
                    alike_ids=self.alike_ids if i == 0 else "",
                )
            )
            self._check_single(i)
        notes = (Note("ids-alike", self.alike_ids),) if self.alike_ids else ()
        compared = apply_policies(
            sides,
            rows.items,
            self.matched_by,
            CompanionArguments(),
            notes,
            counts=rows.counts,
            find_unlabelled=self.find_unlabelled,
        )
        return Alignment(*compared).table

    def _check_single(self, side: int) -> None:
        """Raise where items that become singletons were counted together."""
        policy = self.policies[side]
        if policy.missing != "singletons":
            return
        column = self.rows.labels[side]
        unlabelled = unlabelled_rows(column, policy) & ~self.rows.absent[side]
        together = unlabelled & ~self.rows.single
        if together.any():
            label = column.value_at(int(np.flatnonzero(together)[0]))
            raise ValueError(
                f'missing="singletons" with missing_labels={label!r}: the engine has counted '
                f"the items with that {NAMES[side]} label together, as it has no constant of "
                f"that kind; turn the label into NULL before, or choose another policy"
            )


def unlabelled_rows(column: Column, policy: SidePolicies) -> BoolArray:
    """Return which rows have no label, or one that was declared to mean none."""
    unlabelled = np.zeros(len(column), dtype=bool)
    if column.missing is not None:
        unlabelled |= column.missing
    if policy.missing_labels:
        codes = declared_labels(column, policy.missing_labels).codes
        unlabelled |= np.isin(column.codes, codes)
    return unlabelled


def check_sum(total: int, joined: int, engine: str) -> None:
    """Raise unless the cells add up to the rows that were counted another way.

    Parameters
    ----------
    total : int
        Sum of the counts that the engine gave.
    joined : int
        Rows, counted another way.
    engine : str
        Its name, for the message.
    """
    if total != joined:
        raise RuntimeError(
            f"{engine} counted {total} items in cells, but {joined} rows; the table would be "
            "wrong: did the data change while it was read?"
        )


def pair_of(value: Any, name: str) -> tuple[Any, Any]:
    """Return what an option says of the reference and of the candidate."""
    pair = value if isinstance(value, tuple) else (value, value)
    if len(pair) != 2:
        raise ValueError(
            f"{name}={value!r}: one value or a pair (reference, candidate) is expected; "
            "several columns stand in a list"
        )
    return pair
