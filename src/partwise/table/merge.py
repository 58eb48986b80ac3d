"""Partial tables add up: labels are unified by value, cells summed. A monoid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from partwise import _kernels
from partwise._kernels.workers import map_stream
from partwise.labels import Account, SideAccount, SingletonLabel
from partwise.labels.apply_policies import NAMES, UnlabelledError
from partwise.labels.columns import Column, object_array, refuse_read_before
from partwise.labels.notes import Note
from partwise.labels.policies import read_policies
from partwise.labels.suspicions import OF_LABELS, all_distinct, label_notes
from partwise.labels.unite import Labels, unite_labels
from partwise.numbers.arrays import IntArray
from partwise.table.alignment import align_views
from partwise.table.contingency import Contingency, check_no_features
from partwise.table.plain_arrays import table_of_arrays

#: Cells of several tables that are added at once; more cost less memory pair by pair.
_FEW_CELLS = 1 << 16
_MOST_ITEMS = (1 << 63) - 1
#: Notes on the items of one table, which say nothing about those of all.
_OF_ONE_TABLE = ("all-distinct",)
#: Notes that hold of all tables only where they hold of each.
_OF_EACH_TABLE = ("missing-label-unused",)


def merge(tables: Iterable[Contingency]) -> Contingency:
    """Return the table of all items of several tables; see ``Contingency.merge``.

    Tables of an iterator are asked for one after another.
    """
    stack = Stack()
    few = isinstance(tables, Sequence) and sum(map(_n_cells, tables)) <= _FEW_CELLS
    for table in tables:
        _n_cells(table)
        stack.push(table, settle=not few)
    return stack.table()


def _n_cells(table: Contingency) -> int:
    if not isinstance(table, Contingency):
        raise TypeError(f"tables are merged, not a {type(table).__name__}")
    return table.n_cells


class Stack:
    """Tables on their way to become one.

    Sizes on the stack at least halve upwards, so each cell is merged O(log tables) times, and
    the memory is that of two tables of all cells at most.
    """

    def __init__(self) -> None:
        self._tables: list[Contingency | Part] = []
        self._accounts = Accounts()
        self._weighted: bool | None = None
        self._merges = 0

    def push(self, table: Contingency, *, settle: bool = True) -> None:
        """Add a table; ``settle``: merge it with others of its size at once."""
        self._accounts.add(table.account)
        if table.n_items == 0:
            return
        if self._accounts.items > _MOST_ITEMS:
            raise ValueError(
                f"the tables add up to {self._accounts.items} items; at most 2^63 - 1 can be "
                "held"
            )
        weighted = table.all_masses is not None
        if self._weighted not in (None, weighted):
            raise ValueError(
                "some of the tables carry weights, some do not; they cannot be merged"
            )
        self._weighted = weighted
        self._tables.append(table)
        while settle and len(self._tables) > 1 and self._uneven():
            self._merge_last()

    def table(self) -> Contingency:
        """Return the table of all."""
        account = self._accounts.added()
        if not self._tables:
            empty = Contingency.from_counts([], [], [])
            return replace(empty, account=replace(account, items=0))
        if not self._weighted and sum(part.n_cells for part in self._tables) > _FEW_CELLS:
            while len(self._tables) > 1:
                self._merge_last()
        if self._weighted or len(self._tables) > 1:
            tables = [x if isinstance(x, Contingency) else x.table() for x in self._tables]
            return _with_account(_at_once(tables), account)
        (last,) = self._tables
        self._tables = []
        return _with_account(last if isinstance(last, Contingency) else last.table(), account)

    def _uneven(self) -> bool:
        return self._tables[-2].n_cells <= 2 * self._tables[-1].n_cells

    def _merge_last(self) -> None:
        other, one = self._tables.pop(), self._tables.pop()
        if isinstance(one, Contingency) and one.all_masses is not None:
            assert isinstance(other, Contingency)
            self._tables.append(_at_once([one, other]))
        else:
            parts = [x if isinstance(x, Part) else Part.of(x) for x in (one, other)]
            del one, other
            self._tables.append(added(parts))


class Part:
    """A table without the sizes of its clusters, on its way to be merged.

    Attributes
    ----------
    rows, cols : ndarray or Names
        Labels.
    indptr, places, counts : ndarray of int64
        The cells, as those of a table; ``places`` are their columns.
    grows : bool
        Whether nobody else sees the memory of the cells, so that it may grow in place.
    """

    __slots__ = ("cols", "counts", "grows", "indptr", "places", "rows")

    def __init__(
        self,
        rows: Labels,
        cols: Labels,
        cells: Sequence[IntArray],
        *,
        grows: bool,
    ) -> None:
        self.rows, self.cols, self.grows = rows, cols, grows
        self.indptr, self.places, self.counts = cells

    @classmethod
    def of(cls, table: Contingency) -> Part:
        """Return a table as a part, on its own memory."""
        return cls(table.row_names, table.col_names, table.cells, grows=False)

    @property
    def n_cells(self) -> int:
        """Number of cells."""
        return len(self.counts)

    def table(self) -> Contingency:
        """Return the part as a table."""
        account = Account(int(self.counts.sum()), "counts")
        cells = self.indptr, self.places, self.counts
        return Contingency._of(cells, self.rows, self.cols, account)

    def room_for(self, n_cells: int) -> tuple[IntArray, IntArray]:
        """Return memory for so many cells that begins with those of the part."""
        if self.grows:
            for array in (self.places, self.counts):
                if len(array) < n_cells:  # the allocator moves no large block, it extends it
                    array.resize(n_cells, refcheck=False)
            return self.places, self.counts
        own = np.empty(n_cells, dtype=np.int64), np.empty(n_cells, dtype=np.int64)
        own[0][: self.n_cells] = self.places
        own[1][: self.n_cells] = self.counts
        return own


def added(parts: list[Part]) -> Part:
    """Return the sum of two parts, whose memory it may take over; the list is emptied."""
    rows, row_places = unite_labels([part.rows for part in parts], "row")
    cols, col_places = unite_labels([part.cols for part in parts], "column")
    if not all(map(_ascend, (*row_places, *col_places))):  # labels without an order
        tables = [part.table() for part in parts]
        return Part.of(_at_once(tables))
    placed = [
        (
            part.indptr,
            part.places,
            part.counts,
            None if len(part.rows) == len(rows) else of_rows,
            None if len(part.cols) == len(cols) else of_cols,
        )
        for part, of_rows, of_cols in zip(parts, row_places, col_places, strict=True)
    ]
    if parts[0].n_cells < parts[1].n_cells:
        parts.reverse()
        placed.reverse()
    indptr = _kernels.impl.union_rows(placed[0], placed[1], len(rows))
    larger = parts[0]
    parts.clear()
    cells = larger.room_for(int(indptr[-1]))
    _kernels.impl.union_cells(placed[0], placed[1], indptr, *cells)
    return Part(rows, cols, (indptr, *cells), grows=True)


def _ascend(places: IntArray) -> bool:
    return bool(np.all(places[1:] > places[:-1]))


def _at_once(tables: Sequence[Contingency]) -> Contingency:
    """Return the table of all items, by sorting the cells of all."""
    rows, row_places = unite_labels([table.row_names for table in tables], "row")
    cols, col_places = unite_labels([table.col_names for table in tables], "column")
    pairs = zip(tables, row_places, col_places, strict=True)
    codes = [(places[x.rows], others[x.cols]) for x, places, others in pairs]
    counts = np.concatenate([table.counts for table in tables])
    masses = [table.masses for table in tables if table.masses is not None]
    sizes = None  # one table whose labels stay in place has them
    if len(tables) == 1:
        sizes = tables[0].row_sizes, tables[0].col_sizes
    return Contingency._of_triples(
        Column(np.concatenate([code for code, _ in codes]), rows),
        Column(np.concatenate([code for _, code in codes]), cols),
        counts,
        Account(sum(table.n_items for table in tables), "counts"),
        np.concatenate(masses) if masses else None,
        sizes=sizes,
    )


def _with_account(table: Contingency, account: Account) -> Contingency:
    n = table.n_items
    if n > 1 and table.shape == (n, n):
        account = replace(account, notes=(*account.notes, all_distinct(n)))
    return replace(table, account=account)


# ---- blocks of items ---------------------------------------------------------------


def from_blocks(
    blocks: Iterable[Any],
    policies: Mapping[str, Any],
    *,
    read: Callable[[Any], Any] | None = None,
    workers: int = 1,
    told: Callable[[int], None] | None = None,
    place: Callable[[int, int], str] | None = None,
) -> Contingency:
    """Return the table of blocks of items; see ``Contingency.from_blocks``.

    Parameters
    ----------
    blocks : iterable
        Blocks, or what ``read`` makes a block of.
    policies : dict
    read : callable, optional
        Called in the thread that counts the block.
    workers : int
        Threads, and blocks that are in memory at a time.
    told : callable, optional
        Called with the number of items of each block that is done.
    place : callable, optional
        Returns where an item of the reference (0) or the candidate (1) stands, by its position
        in the blocks one behind another.
    """
    check_no_features(policies, "from_blocks")
    for name in ("weights", "multiplicity"):
        if policies.get(name) is not None:
            raise TypeError(f"{name} come with the blocks: (reference, candidate, weights)")
    if not isinstance(blocks, Iterable):
        raise TypeError(f"blocks are an iterable, not a {type(blocks).__name__}")

    def counted(numbered: tuple[int, Any]) -> tuple[Contingency, int]:
        number, block = numbered
        try:
            return _of_block(block if read is None else read(block), policies)
        except (TypeError, ValueError) as error:
            raise _BlockError(number, error) from error

    stack = Stack()
    position, came = 0, False
    try:
        for table, length in map_stream(counted, enumerate(blocks), workers):
            stack.push(_moved(table, position))
            del table
            position += length
            came = True
            if told is not None:
                told(length)
    except _BlockError as in_block:  # blocks end in order, so those before are counted
        raise in_block.placed(position, place) from in_block.error
    if not came:
        refuse_read_before(blocks, "blocks")
    whole = stack.table()
    if position and whole.n_items == 0:
        raise ValueError(
            f"no item is left to compare: {whole.account.describe()}; choose other policies "
            "to keep some"
        )
    return _with_label_notes(whole, policies, position)


class _BlockError(Exception):
    """What is wrong with a block."""

    def __init__(self, number: int, error: TypeError | ValueError) -> None:
        super().__init__(number, error)
        self.number, self.error = number, error

    def placed(
        self, position: int, place: Callable[[int, int], str] | None
    ) -> TypeError | ValueError:
        """Return the error of all items, before whose block so many have come."""
        error = self.error
        if not isinstance(error, UnlabelledError):
            return type(error)(f"block {self.number}: {error}")
        text = str(error)
        if place is not None:
            text = error.said_at(place(error.side, position + error.position))
        return ValueError(f"block {self.number}: {text}")


def _with_label_notes(
    table: Contingency, policies: Mapping[str, Any], n_items: int
) -> Contingency:
    """Return the table with notes on all its labels in place of those on each block's."""
    declared = read_policies(missing_labels=policies.get("missing_labels"))
    fresh: list[Note] = []
    sides = table.row_names, table.col_names
    for names, policy, name in zip(sides, declared, NAMES, strict=True):
        usual = _without_special(names)
        column = Column(np.arange(len(usual)), usual)
        notes = label_notes(column, policy.missing_labels, n_items)
        fresh += [note.at(name) for note in notes]
    kept = [note for note in table.account.notes if note.code not in OF_LABELS]
    if not fresh and len(kept) == len(table.account.notes):
        return table
    kept = [*fresh, *kept]
    return replace(table, account=replace(table.account, notes=tuple(kept)))


def _without_special(names: Labels) -> Labels:
    """Return labels without those of policies, which stand behind the others."""
    if not isinstance(names, np.ndarray) or names.dtype != object:
        return names
    special = (SingletonLabel, type(None))
    end = len(names)
    while end and isinstance(names[end - 1], special):
        end -= 1
    return names[:end]


def _of_block(block: Any, policies: Mapping[str, Any]) -> tuple[Contingency, int]:
    """Return the table of a block, and how many items came in."""
    if isinstance(block, Contingency):
        return block, max(block.account.reference.given, block.n_items)
    if not isinstance(block, (tuple, list)) or len(block) not in (2, 3):
        raise TypeError(
            f"a block is a pair (reference, candidate), a triple with weights, or a "
            f"Contingency, not {type(block).__name__}"
        )
    table = None
    if len(block) == 2 and not policies:
        table = table_of_arrays(*block)
    if table is None:
        weights = {"weights": block[2]} if len(block) == 3 else {}
        table = align_views(block[0], block[1], is_block=True, **weights, **policies).table
    return table, table.account.reference.given


def _moved(table: Contingency, position: int) -> Contingency:
    """Return the table with lone items at their place in the stream, if they have one."""
    if position == 0 or table.account.matched_by != "position":
        return table
    names = [_labels_moved(x, position) for x in (table.row_names, table.col_names)]
    if names[0] is table.row_names and names[1] is table.col_names:
        return table
    return replace(table, row_names=names[0], col_names=names[1])


def _labels_moved(names: Labels, position: int) -> Labels:
    if not isinstance(names, np.ndarray) or names.dtype != object or len(names) == 0:
        return names
    if not isinstance(names[-1], SingletonLabel):  # they stand behind the others
        return names
    moved = [
        SingletonLabel(x.item + position) if isinstance(x, SingletonLabel) else x
        for x in names.tolist()
    ]
    return object_array(moved)


# ---- accounts ----------------------------------------------------------------------


class Accounts:
    """The account of all tables; policies and the way of matching where they agree."""

    _TOTALS = (
        *("items", "dropped", "zero_cells", "repeated_cells"),
        *("zero_multiplicity", "zero_weights"),
    )

    def __init__(self) -> None:
        self._account: Account | None = None

    @property
    def items(self) -> int:
        """Items of all tables."""
        return 0 if self._account is None else self._account.items

    def add(self, account: Account) -> None:
        """Add the account of a further table."""
        if self._account is None:
            self._account = account
            return
        one = self._account
        ways = {one.matched_by, account.matched_by}
        distinct = None
        if one.distinct_items is not None and account.distinct_items is not None:
            distinct = one.distinct_items + account.distinct_items
        own, other = set(one.notes), set(account.notes)
        notes = [
            note
            for note in dict.fromkeys((*one.notes, *account.notes))
            if note.code not in _OF_EACH_TABLE or (note in own and note in other)
        ]
        self._account = Account(
            matched_by=ways.pop() if len(ways) == 1 else "counts",
            reference=_added_sides([one.reference, account.reference]),
            candidate=_added_sides([one.candidate, account.candidate]),
            distinct_items=distinct,
            notes=tuple(notes),
            **{name: getattr(one, name) + getattr(account, name) for name in self._TOTALS},
        )

    def added(self) -> Account:
        """Return the account of all."""
        if self._account is None:
            return Account(matched_by="counts")
        notes = [note for note in self._account.notes if note.code not in _OF_ONE_TABLE]
        return replace(self._account, notes=tuple(notes))


def _added_sides(sides: list[SideAccount]) -> SideAccount:
    added: dict[str, Any] = {}
    for entry in fields(SideAccount):
        values = [getattr(side, entry.name) for side in sides]
        if isinstance(values[0], int):
            added[entry.name] = sum(values)
        else:  # a policy: the first that did something
            added[entry.name] = next((x for x in values if x != "error"), "error")
    return SideAccount(**added)
