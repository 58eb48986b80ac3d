"""Partial tables add up: labels are unified by value, cells summed. A monoid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.labels import Account, SideAccount, SingletonLabel
from partwise.labels.columns import (
    Column,
    kind_of,
    object_array,
    refuse_read_before,
    sort_categories,
)
from partwise.labels.items.ids import common_integers
from partwise.table.alignment import align
from partwise.table.contingency import Contingency, check_no_features


def merge(tables: Sequence[Contingency]) -> Contingency:
    """Return the table of all items of several tables; see ``Contingency.merge``."""
    for table in tables:
        if not isinstance(table, Contingency):
            raise TypeError(f"tables are merged, not a {type(table).__name__}")
    account = _added([table.account for table in tables])
    full = [table for table in tables if table.n_items]
    if not full:
        empty = Contingency.from_counts([], [], [])
        return replace(empty, account=replace(account, items=0))
    if len({table.masses is None for table in full}) > 1:
        raise ValueError("some of the tables carry weights, some do not; they cannot be merged")
    rows = _unified([table.row_labels for table in full], "row")
    cols = _unified([table.col_labels for table in full], "column")
    row_codes, col_codes = [], []
    row_start = col_start = 0
    for table in full:
        row_codes.append(rows.codes[row_start + table.rows])
        col_codes.append(cols.codes[col_start + table.cols])
        row_start += table.shape[0]
        col_start += table.shape[1]
    counts = np.concatenate([table.counts for table in full])
    total = sum(table.n_items for table in full)
    if total >= 1 << 63:
        raise ValueError(f"the tables add up to {total} items; at most 2^63 - 1 can be held")
    masses = [table.masses for table in full if table.masses is not None]
    sizes = None  # one table whose labels stay in place has them
    if len(full) == 1 and _in_place(rows) and _in_place(cols):
        sizes = full[0].row_sizes, full[0].col_sizes
    return Contingency._of_triples(
        Column(np.concatenate(row_codes), rows.categories),
        Column(np.concatenate(col_codes), cols.categories),
        counts,
        account,
        np.concatenate(masses) if masses else None,
        sizes=sizes,
    )


def from_blocks(blocks: Iterable[Any], policies: dict[str, Any]) -> Contingency:
    """Return the table of blocks of items; see ``Contingency.from_blocks``."""
    check_no_features(policies, "from_blocks")
    for name in ("weights", "multiplicity"):
        if policies.get(name) is not None:
            raise TypeError(f"{name} come with the blocks: (reference, candidate, weights)")
    if not isinstance(blocks, Iterable):
        raise TypeError(f"blocks are an iterable, not a {type(blocks).__name__}")
    stack: list[Contingency] = []
    position = merges = 0
    for number, block in enumerate(blocks):
        try:
            table, length = _of_block(block, policies, position)
        except (TypeError, ValueError) as error:
            raise type(error)(f"block {number}: {error}") from error
        position += length
        stack.append(table)
        # sizes on the stack at least halve upwards: each cell is merged O(log blocks) times
        while len(stack) > 1 and stack[-2].n_cells <= 2 * stack[-1].n_cells:
            stack[-2:] = [merge(stack[-2:])]
            merges += 1
    if not stack:
        refuse_read_before(blocks, "blocks")
    if len(stack) == 1 and merges and stack[0].masses is None:
        return stack[0]  # merged as it is (masses would be rounded once more)
    return merge(stack)


def _of_block(block: Any, policies: dict[str, Any], position: int) -> tuple[Contingency, int]:
    if isinstance(block, Contingency):
        return block, max(block.account.reference.given, block.n_items)
    if not isinstance(block, (tuple, list)) or len(block) not in (2, 3):
        raise TypeError(
            f"a block is a pair (reference, candidate), a triple with weights, or a "
            f"Contingency, not {type(block).__name__}"
        )
    weights = {"weights": block[2]} if len(block) == 3 else {}
    aligned = align(block[0], block[1], **weights, **policies)
    table = aligned.table
    if aligned.account.matched_by == "position":  # lone items keep their own position
        table = replace(
            table,
            row_names=_moved(table.row_labels, position),
            col_names=_moved(table.col_labels, position),
        )
    return table, aligned.account.reference.given


def _moved(labels: NDArray[Any], position: int) -> NDArray[Any]:
    if labels.dtype != object or position == 0:
        return labels
    moved = [
        SingletonLabel(x.item + position) if isinstance(x, SingletonLabel) else x
        for x in labels.tolist()
    ]
    return object_array(moved)


# ---- labels ------------------------------------------------------------------------


def _in_place(labels: Column) -> bool:
    """Return whether the labels of one table have kept their numbers."""
    return np.array_equal(labels.codes, np.arange(len(labels)))


def _unified(parts: list[NDArray[Any]], side: str) -> Column:
    """Give the labels of several tables common numbers, in the order of a one-shot table."""
    kinds = {part.dtype.kind for part in parts}
    if kinds <= {"i", "u"}:
        integers = common_integers(parts)
        if integers is not None:
            return Column(integers).compact()
    elif len(kinds) == 1 and kinds <= set("fcbmM"):
        categories, codes = np.unique(np.concatenate(parts), return_inverse=True)
        return Column(codes.astype(np.int64, copy=False), categories)
    return _unified_objects(parts, side)


def _unified_objects(parts: list[NDArray[Any]], side: str) -> Column:
    number: dict[Any, int] = {}
    lone_in: dict[SingletonLabel, int] = {}
    groups: dict[str, Any] = {}
    codes = []
    for table_index, part in enumerate(parts):
        for label in part.tolist():
            if isinstance(label, SingletonLabel):
                if lone_in.setdefault(label, table_index) != table_index:
                    raise ValueError(
                        f"two tables have a {side} {label!r}: an item alone in its cluster; "
                        "give the items ids that differ between tables"
                    )
            elif label is not None:
                groups.setdefault(kind_of(type(label)), label)
            codes.append(number.setdefault(label, len(number)))
    if len(groups) > 1:
        kinds = " and ".join(f"{kind} ({label!r})" for kind, label in groups.items())
        raise TypeError(f"the tables' {side} labels are of different kinds: {kinds}")
    labels = list(number)
    plain = [x for x in labels if x is not None and not isinstance(x, SingletonLabel)]
    ordered = sort_categories(np.arange(len(plain)), object_array(plain), None).categories
    assert ordered is not None
    special = [x for x in labels if x is None] + [
        x for x in labels if isinstance(x, SingletonLabel)
    ]
    categories = [*ordered.tolist(), *special]
    rank = {label: i for i, label in enumerate(categories)}
    ranks = np.array([rank[label] for label in labels], dtype=np.int64)
    return Column(ranks[np.array(codes, dtype=np.int64)], object_array(categories))


# ---- accounts ----------------------------------------------------------------------


def _added(accounts: list[Account]) -> Account:
    """Return the account of all; policies and the way of matching where they agree."""
    if not accounts:
        return Account(matched_by="counts")
    totals = {
        name: sum(getattr(account, name) for account in accounts)
        for name in (
            "items",
            "dropped",
            "zero_cells",
            "repeated_cells",
            "zero_multiplicity",
            "zero_weights",
        )
    }
    ways = {account.matched_by for account in accounts}
    distinct = [account.distinct_items for account in accounts]
    return Account(
        matched_by=ways.pop() if len(ways) == 1 else "counts",
        reference=_added_sides([account.reference for account in accounts]),
        candidate=_added_sides([account.candidate for account in accounts]),
        distinct_items=None if None in distinct else sum(x for x in distinct if x is not None),
        notes=tuple(dict.fromkeys(note for account in accounts for note in account.notes)),
        **totals,
    )


def _added_sides(sides: list[SideAccount]) -> SideAccount:
    added: dict[str, Any] = {}
    for entry in fields(SideAccount):
        values = [getattr(side, entry.name) for side in sides]
        if isinstance(values[0], int):
            added[entry.name] = sum(values)
        else:  # a policy: the first that did something
            added[entry.name] = next((x for x in values if x != "error"), "error")
    return SideAccount(**added)
