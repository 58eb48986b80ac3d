"""One partition of a join, where every item's rows of both sides have come together.

A scheduler brings the rows of each item into one partition; each is then counted here, and
what they hold adds up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from partwise.labels.account import counted
from partwise.labels.apply_policies import NAMES
from partwise.labels.clustering import Clustering
from partwise.labels.columns import Column, listed, object_array
from partwise.labels.forms import read_column
from partwise.labels.items.ids import read_ids
from partwise.labels.items.matching import shared_numbers
from partwise.labels.policies import SidePolicies
from partwise.numbers.arrays import IntArray
from partwise.scale.counted_rows import (
    CountedRows,
    JoinedTable,
    SideFacts,
    unlabelled_rows,
)
from partwise.scale.origins import Origin, Origins, Reordered
from partwise.table.alignment import align
from partwise.table.contingency import Contingency
from partwise.table.merge import merge


@dataclass(slots=True)
class PartSide:
    """Rows of one side in a partition.

    Attributes
    ----------
    label : column
        In any form that ``pw.contingency`` takes.
    items : column, frame or None
        Item of each row; None: rows are items.
    origins : Origins
    """

    label: Any
    items: Any
    origins: Origins


@dataclass(slots=True)
class Single:
    """An item that stands alone: its id, its labels, where it has none, and its origin."""

    item: Any
    labels: tuple[Any, Any]
    absent: tuple[bool, bool]
    origin: tuple[int, ...]


@dataclass(slots=True)
class Part:
    """What one or several partitions hold: a monoid under ``merged``.

    Attributes
    ----------
    table : Contingency
        Items that both sides have, those without a label as a cluster None.
    singles : list of Single
        Items that a policy lets stand alone.
    facts : pair of SideFacts
    kinds : pair of set of str
        Kinds of the item ids that have come.
    types : pair of set of (bool, str)
        Whether there were labels, and the type of the array that held them.
    first : dict of (str, int) to (origin, text)
        What was seen first, by what it is and by side: "repeated", "unmatched", "unlabelled".
    """

    table: Contingency
    singles: list[Single] = field(default_factory=list)
    facts: tuple[SideFacts, SideFacts] = field(
        default_factory=lambda: (SideFacts(), SideFacts())
    )
    kinds: tuple[set[str], set[str]] = field(default_factory=lambda: (set(), set()))
    types: tuple[set[tuple[bool, str]], set[tuple[bool, str]]] = field(
        default_factory=lambda: (set(), set())
    )
    first: dict[tuple[str, int], tuple[Origin, str]] = field(default_factory=dict)

    def see(self, what: str, side: int, origin: Origin, text: str) -> None:
        """Remember the first of its kind."""
        seen = self.first.get((what, side))
        if seen is None or origin < seen[0]:
            self.first[what, side] = origin, text


def merged(parts: Sequence[Part]) -> Part:
    """Return what several parts hold together."""
    both = Part(merge([part.table for part in parts]))
    for part in parts:
        both.singles += part.singles
        for mine, other in zip(both.facts, part.facts, strict=True):
            mine.rows += other.rows
            mine.unmatched += other.unmatched
            mine.repeated += other.repeated
            mine.conflicting += other.conflicting
        for kinds, others in zip(both.kinds, part.kinds, strict=True):
            kinds |= others
        for types, more in zip(both.types, part.types, strict=True):
            types |= more
        for (what, side), (origin, text) in part.first.items():
            both.see(what, side, origin, text)
    return both


def count_part(
    reference: PartSide, candidate: PartSide, policies: Sequence[SidePolicies]
) -> Part:
    """Return what a partition holds that has all rows of its items."""
    part = Part(merge([]))
    sides = reference, candidate
    orders = [side.origins.order() for side in sides]
    labels = [
        _in_order(read_column(side.label, name), order)
        for side, name, order in zip(sides, NAMES, orders, strict=True)
    ]
    origins = [
        side.origins if order is None else Reordered(side.origins, order)
        for side, order in zip(sides, orders, strict=True)
    ]
    for i, column in enumerate(labels):
        part.facts[i].rows = len(column)
        names = column.codes if column.categories is None else column.categories
        part.types[i].add((len(column) > 0, names.dtype.str))
    if reference.items is None:
        rows = np.arange(len(labels[0]))
        return _counted(part, labels, origins, [rows, rows], None, policies)
    ids = [
        _in_order(read_ids(side.items, "items"), order)
        for side, order in zip(sides, orders, strict=True)
    ]
    for kinds, column in zip(part.kinds, ids, strict=True):
        if len(column):
            kinds.add(column.kind)
    *numbers, n_ids = shared_numbers(ids[0], ids[1])
    at = []
    for i in range(2):
        last = policies[i].duplicates == "last"
        columns = labels[i], ids[i], origins[i]
        at.append(_row_of_item(part, i, numbers[i], n_ids, columns, last=last))
    return _counted(part, labels, origins, at, ids, policies)


def _in_order(column: Column, order: IntArray | None) -> Column:
    return column if order is None else column.take(order)


def _row_of_item(
    part: Part,
    side: int,
    numbers: IntArray,
    n_ids: int,
    columns: tuple[Column, Column, Origins],
    *,
    last: bool,
) -> IntArray:
    """Return the row that stands for each item, -1 where the side has none."""
    labels, ids, origins = columns
    forward = np.arange(len(numbers))
    row = np.full(n_ids, -1, dtype=np.int64)
    row[numbers[::-1]] = forward[::-1]  # the first occurrence
    again = np.flatnonzero(row[numbers] != forward)
    if len(again):
        same = _same_labels(labels, again, row[numbers[again]])
        part.facts[side].repeated = int(same.sum())
        part.facts[side].conflicting = int((~same).sum())
        at = int(again[0])
        first = int(row[numbers[at]])
        part.see(
            "repeated",
            side,
            origins.at(at),
            f"item {ids.value_at(at)!r} in {origins.told(first)} and again, with "
            f"{'the same' if same[0] else 'another'} label, in {origins.told(at)}",
        )
        if last:
            row[numbers] = forward
    return row


def _same_labels(column: Column, left: IntArray, right: IntArray) -> Any:
    same = column.codes[left] == column.codes[right]
    if column.missing is not None:
        gone, also = column.missing[left], column.missing[right]
        same = (same & ~gone & ~also) | (gone & also)
    return same


def _counted(
    part: Part,
    labels: Sequence[Column],
    origins: Sequence[Origins],
    at: Sequence[IntArray],
    ids: Sequence[Column] | None,
    policies: Sequence[SidePolicies],
) -> Part:
    """Count the items, each of which has a row on either side or on both."""
    present = [rows >= 0 for rows in at]
    alone = np.zeros(len(at[0]), dtype=bool)
    left_out = np.zeros(len(at[0]), dtype=bool)
    for i in range(2):
        lone = present[i] & ~present[1 - i]
        part.facts[i].unmatched = int(lone.sum())
        if lone.any():
            first = int(at[i][lone].min())
            assert ids is not None
            text = f"{ids[i].value_at(first)!r} in {origins[i].told(first)}"
            part.see("unmatched", i, origins[i].at(first), text)
        chosen = alone if policies[i].unmatched == "singletons" else left_out
        chosen |= lone
    for i in range(2):
        without = unlabelled_rows(labels[i], policies[i])
        lost = np.zeros(len(alone), dtype=bool)
        lost[present[i]] = without[at[i][present[i]]]
        lost &= ~left_out
        if lost.any():
            first = int(at[i][lost].min())
            where = origins[i].told(first)
            text = where if ids is None else f"item {ids[i].value_at(first)!r}"
            part.see("unlabelled", i, origins[i].at(first), text)
        if policies[i].missing == "singletons":
            alone |= lost
    together = np.flatnonzero(~alone & ~left_out)
    columns = [x.take(rows[together]) for x, rows in zip(labels, at, strict=True)]
    part.table = align(*(Clustering._of(x, None) for x in columns), missing="cluster").table
    for item in np.flatnonzero(alone).tolist():
        rows = [int(x[item]) for x in at]
        own = 0 if rows[0] >= 0 else 1
        part.singles.append(
            Single(
                origins[0].at(rows[0])[1] if ids is None else ids[own].value_at(rows[own]),
                (_value(labels[0], rows[0]), _value(labels[1], rows[1])),
                (rows[0] < 0, rows[1] < 0),
                (own, *origins[own].at(rows[own])),
            )
        )
    return part


def _value(column: Column, row: int) -> Any:
    """Return a label as the column holds it, None where there is none."""
    if row < 0 or (column.missing is not None and column.missing[row]):
        return None
    code = column.codes[row]
    return code if column.categories is None else column.categories[code]


# ---- home --------------------------------------------------------------------------


def table_of(part: Part, policies: Sequence[SidePolicies], matched_by: str) -> Contingency:
    """Return the table of what all partitions hold, under the policies."""
    if len(part.kinds[0] | part.kinds[1]) > 1:
        kinds = [" and ".join(sorted(x)) for x in part.kinds]
        raise ValueError(
            f"item ids are {kinds[0]} in the reference but {kinds[1]} in the candidate; "
            "convert one side so that equal items have equal ids"
        )
    for side, facts in enumerate(part.facts):
        if policies[side].duplicates == "error" and facts.repeated + facts.conflicting:
            raise ValueError(
                f"{NAMES[side]} has {part.first['repeated', side][1]} ({facts.repeated} "
                f"repeats with the same label, {facts.conflicting} with another one); remove "
                'them or choose duplicates="first" or "last"'
            )
    for side, facts in enumerate(part.facts):
        if policies[side].unmatched == "error" and facts.unmatched:
            raise ValueError(
                f"{counted(facts.unmatched, NAMES[side] + ' item')} not in the "
                f"{NAMES[1 - side]}, the first is {part.first['unmatched', side][1]}; choose "
                'unmatched="drop" or "singletons" to go on'
            )
    return JoinedTable(
        _rows(part),
        part.facts,
        policies,
        matched_by,
        find_unlabelled=lambda side: part.first["unlabelled", side][1],
    ).table()


def _rows(part: Part) -> CountedRows:
    singles = sorted(part.singles, key=lambda single: single.origin)
    n, table = len(singles), part.table
    counts = np.concatenate((table.counts, np.ones(n, dtype=np.int64)))
    clusters = (table.row_labels, table.rows), (table.col_labels, table.cols)
    labels = [
        _with_singles(_typed(names, part.types[i]), codes, [x.labels[i] for x in singles])
        for i, (names, codes) in enumerate(clusters)
    ]
    single = np.zeros(len(counts), dtype=bool)
    absent = np.zeros((2, len(counts)), dtype=bool)
    items = None
    if n:
        single[-n:] = True
        absent[:, -n:] = np.array([x.absent for x in singles]).T
        ids = read_column(object_array([x.item for x in singles]), "items").compact()
        codes = np.concatenate((np.zeros(table.n_cells, dtype=np.int64), ids.codes))
        items = Column(codes, ids.names)
    return CountedRows((labels[0], labels[1]), counts, (absent[0], absent[1]), items, single)


def _typed(names: Any, types: set[tuple[bool, str]]) -> Any:
    """Return labels in the type in which every partition had them: sums may have another."""
    own = {dtype for some, dtype in types if some} or {dtype for _, dtype in types}
    if len(own) > 1 or (names.dtype == object and len(names)):
        return names
    return names.astype(own.pop())


def _with_singles(names: Any, codes: IntArray, values: list[Any]) -> Column:
    """Return the labels of cells and, behind them, of items that stand alone."""
    if not values:
        return read_column(names, "labels").take(codes)
    own = [x for x in values if x is not None]
    more = np.array(own) if own and isinstance(own[0], np.generic) else object_array(own)
    if not len(names):
        every = more
    elif names.dtype == more.dtype or not len(more):
        every = np.concatenate((names, more.astype(names.dtype)))
    else:  # a cluster None has made the labels objects
        every = object_array([*listed(names), *listed(more)])
    single_codes = np.zeros(len(values), dtype=np.int64)
    gone = np.array([x is None for x in values])
    single_codes[~gone] = len(names) + np.arange(len(own))
    mask = np.concatenate((np.zeros(len(codes), dtype=bool), gone))
    if not len(every):
        return Column(np.zeros(len(mask), dtype=np.int64), object_array([])).with_missing(mask)
    column = read_column(every, "labels").take(np.concatenate((codes, single_codes)))
    return column.with_missing(mask)
