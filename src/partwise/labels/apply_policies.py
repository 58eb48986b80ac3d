"""What becomes of items without a label, and of items on one side only."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from partwise.labels.account import Account, SideAccount, counted
from partwise.labels.carried import CompanionArguments, Companions
from partwise.labels.columns import Column, KeptItems, listed, object_array
from partwise.labels.items.ids import KeptPlaces
from partwise.labels.notes import Note
from partwise.labels.policies import (
    DeclaredLabels,
    SidePolicies,
    Written,
    declared_labels,
    is_one_of,
)
from partwise.labels.suspicions import label_notes, notes_on_weights
from partwise.numbers.arrays import BoolArray, FloatArray, IntArray

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
    of_clusters: bool = False  # whether labels number clusters that were given as sets
    alike_ids: str = ""  # how unmatched ids look like ids of the other side

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


@dataclass(frozen=True, slots=True)
class SingletonLabel:
    """Label of an item that a policy put into a cluster of its own."""

    item: Any

    def __repr__(self) -> str:
        return f"<alone {self.item}>"


NONE_DECLARED = DeclaredLabels([], [], [])


class UnlabelledError(ValueError):
    """Items of a block without a label, where the policy is to refuse them.

    Attributes
    ----------
    side : int
        0 for the reference, 1 for the candidate: that of the first such item.
    position : int
        Its position among the items of the block.
    """

    side = position = 0

    def said_at(self, where: str) -> str:
        """Return the sentence, with the place of the item among all."""
        return str(self).replace(f" at index {self.position};", f" at {where};", 1)


class ComparedItems(NamedTuple):
    """Two columns of the same items, all of which have a label."""

    reference: Column
    candidate: Column
    ids: Column | None
    account: Account
    companions: Companions


def apply_policies(
    sides: list[Side],
    ids: Column | None,
    matched_by: str,
    companions: CompanionArguments,
    notes: tuple[Note, ...],
    *,
    is_block: bool = False,
    counts: IntArray | None = None,
    find_unlabelled: Callable[[int], str] = NAMES.__getitem__,
) -> ComparedItems:
    """Let the policies decide about missing labels and lone items.

    Parameters
    ----------
    sides : list of Side
        Reference and candidate; ``take`` says which of their items are compared.
    ids : Column or None
        Ids of the compared items.
    matched_by : str
    companions : CompanionArguments
        Weights, multiplicities, features and groups as they were given.
    notes : tuple of Note
        What readers of files did.
    is_block : bool, default False
        Whether these are some of many items: of them, none may be left, and what is suspicious
        about labels is a question of all.
    counts : ndarray of int64, optional
        Items that each entry of the columns stands for, where an engine has counted them
        (without companions); an entry that a policy makes a singleton stands for one item.
        They come back as multiplicities.
    find_unlabelled : callable
        Where the first item without a label of a side (0 or 1) stands, if counts are given.
    """
    n = sides[0].given if sides[0].take is None else len(sides[0].take)
    columns = [_taken(side, n) for side in sides]
    declared = [
        declared_labels(column, side.policies.missing_labels)
        if side.policies.missing_labels
        else NONE_DECLARED
        for column, side in zip(columns, sides, strict=True)
    ]
    _check_declared(sides, declared, columns)
    n_items = n if counts is None else int(counts.sum())
    notes = (*notes, *_notes_on_labels(sides, declared, columns, n_items, is_block))
    columns = [
        _mark_missing(column, one.codes) for column, one in zip(columns, declared, strict=True)
    ]
    absent = [_absent(side) for side in sides]
    gone = [_without_label(*pair) for pair in zip(columns, absent, strict=True)]
    for side, mask in zip(sides, gone, strict=True):
        side.missing = 0 if mask is None else _n_items(mask, counts)
    _check_missing(sides, gone, ids, counts, find_unlabelled, is_block=is_block)
    dropped = sum(s.unmatched for s in sides if s.policies.unmatched == "drop")
    kept = _kept(sides, gone)
    if kept is not None:
        left = len(kept) if counts is None else int(counts[kept.positions].sum())
        dropped += n_items - left
    along = Companions()
    if companions.any():
        origin = sides[0].take
        own_ids = ids
        if kept is not None:
            origin = kept.positions if origin is None else origin[kept.positions]
            own_ids = KeptPlaces(kept) if ids is None else ids.take(kept.positions)
        along = companions.read(sides[0].given, origin, own_ids)
    times = along.multiplicity
    distinct = zero = None
    if kept is not None:
        columns = [_kept_column(*pair, kept) for pair in zip(sides, columns, strict=True)]
        gone = [_left_of(*pair, kept) for pair in zip(sides, gone, strict=True)]
        absent = [None if mask is None else mask[~kept.dropped] for mask in absent]
        ids = KeptPlaces(kept) if ids is None else ids.take(kept.positions)
        n = len(kept)
    if counts is not None:
        times = counts if kept is None else counts[kept.positions]
        along = along._replace(multiplicity=times)
    elif times is not None:
        distinct = len(times) - _zeros(times)
        zero = len(times) - distinct
        again = _repetitions(sides, gone, absent, times)
        if again is not None:  # an item that counts x times is alone x times over
            repeated = np.bincount(again, minlength=len(times)) > 1
            times = np.where(repeated[again], 1, times[again])
            along = along.take(again)._replace(multiplicity=times)
            columns = [column.take(again) for column in columns]
            gone = [None if mask is None else mask[again] for mask in gone]
            absent = [None if mask is None else mask[again] for mask in absent]
            ids = Column(again) if ids is None else ids.take(again)
            n = len(again)
    n_compared = n if times is None else int(times.sum())
    if n_compared == 0 and not is_block and (sides[0].given or sides[1].given):
        raise ValueError(_nothing_left(sides, zero is not None and n > 0))
    reference, candidate = (
        _with_clusters_of_policies(columns[i], gone[i], absent[i], sides[i], ids)
        for i in range(2)
    )
    account = Account(
        items=n_compared,
        matched_by=matched_by,
        dropped=dropped,
        reference=sides[0].account(),
        candidate=sides[1].account(),
        distinct_items=distinct,
        zero_multiplicity=zero or 0,
        zero_weights=0 if along.weights is None else _zeros(along.weights),
        notes=(*notes, *notes_on_weights(along.weights)),
    )
    return ComparedItems(reference, candidate, ids, account, along)


def _n_items(mask: BoolArray, counts: IntArray | None) -> int:
    """Return the items of the marked entries, each of which counts one or so many."""
    return int(np.count_nonzero(mask) if counts is None else counts[mask].sum())


def _zeros(values: FloatArray | IntArray) -> int:
    return int(np.count_nonzero(values == 0))


def _repetitions(
    sides: list[Side],
    gone: list[BoolArray | None],
    absent: list[BoolArray | None],
    times: IntArray,
) -> IntArray | None:
    """Return the compared items with those alone on a side repeated, None if none is."""
    masks = [
        mask
        for side, missing, lone in zip(sides, gone, absent, strict=True)
        for mask in (missing if side.policies.missing == "singletons" else None, lone)
        if mask is not None
    ]
    if not masks:
        return None
    alone = np.logical_or.reduce(masks)
    alone = alone & (times > 1)
    if not alone.any():
        return None
    return np.repeat(np.arange(len(times)), np.where(alone, times, 1))


def _taken(side: Side, n: int) -> Column:
    """Return the labels of the compared items (any label where the side lacks one)."""
    if side.take is None:
        return side.column
    if len(side.column) == 0:
        return Column(np.zeros(n, dtype=np.int64))
    return side.column.take(np.maximum(side.take, 0) if _lacks_some(side.take) else side.take)


def _lacks_some(places: IntArray) -> bool:
    """Return whether the side lacks some of the items."""
    return len(places) > 0 and int(places.min()) < 0


def _without_label(column: Column, absent: BoolArray | None) -> BoolArray | None:
    """Return which items are on this side without a label, None if there are none."""
    mask = column.missing
    if mask is not None and absent is not None:
        mask = mask & ~absent
    return mask if mask is not None and mask.any() else None


def _kept(sides: list[Side], gone: list[BoolArray | None]) -> KeptItems | None:
    """Return the items that no policy drops, None if all stay."""
    masks = [
        mask
        for side, mask in zip(sides, gone, strict=True)
        if mask is not None and side.policies.missing == "drop"
    ]
    return None if not masks else KeptItems(masks[0] | masks[-1])


def _kept_column(side: Side, column: Column, kept: KeptItems) -> Column:
    """Return the labels of the kept items; where the others are dropped, all have one."""
    return (column.labelled() if side.policies.missing == "drop" else column).without(kept)


def _left_of(side: Side, mask: BoolArray | None, kept: KeptItems) -> BoolArray | None:
    """Return which of the kept items lack a label: none, where those are dropped."""
    if mask is None or side.policies.missing == "drop":
        return None
    return mask[~kept.dropped]


def _absent(side: Side) -> BoolArray | None:
    if side.take is None or not _lacks_some(side.take):
        return None
    mask: BoolArray = side.take < 0
    return mask


def _mark_missing(column: Column, codes: list[int]) -> Column:
    """Add the labels that the caller declared to mean "none" to the missing ones."""
    if not codes:
        return column
    return column.with_missing(is_one_of(column.codes, codes))


def _check_declared(
    sides: list[Side], declared: list[DeclaredLabels], columns: list[Column]
) -> None:
    """Refuse a declared label that none of a side's labels can equal.

    One that was declared for both sides may be meant for the other one, where this side has
    no label that is written alike.
    """
    for i, side in enumerate(sides):
        other = sides[1 - i].policies.missing_labels
        elsewhere = [value for value, _ in declared[1 - i].foreign]
        for value, alike in declared[i].foreign:
            shared = _holds(other, value) and not _holds(elsewhere, value)
            if shared and alike is None:
                continue
            kind = columns[i].kind
            instead = (None, value) if i == 0 else (value, None)
            written = "" if alike is None else f" (declare {alike!r}, which is written alike)"
            raise ValueError(
                f"missing_labels={value!r} is {_an(_type_name(value))}, but the labels of "
                f"the {side.name} are {kind}, so that none can equal it{written}; declare "
                "labels of each side's own kind, as a pair (reference, candidate), e.g. "
                f"missing_labels={instead!r}"
            )


def _type_name(value: Any) -> str:
    return type(value.value if isinstance(value, Written) else value).__name__


def _an(word: str) -> str:
    return f"{'an' if word[0] in 'aeio' else 'a'} {word}"


def _holds(values: Iterable[Any], value: Any) -> bool:
    """Return whether a value is among others of its own type."""
    return any(type(one) is type(value) and one == value for one in values)


def _notes_on_labels(
    sides: list[Side],
    declared: list[DeclaredLabels],
    columns: list[Column],
    n_items: int,
    is_block: bool,
) -> list[Note]:
    """Return what is suspicious about the labels of each side; of a block, what is unused."""
    notes = []
    for side, column in () if is_block else zip(sides, columns, strict=True):
        on_labels = label_notes(column, side.policies.missing_labels, n_items)
        notes += [note.at(side.name) for note in on_labels]
    for i, one in enumerate(declared):
        foreign = [value for value, _ in declared[1 - i].foreign]
        elsewhere = sides[1 - i].policies.missing_labels
        for value in one.unused:
            text = f"the missing label {value!r} does not occur"
            if not _holds(elsewhere, value) or _holds(foreign, value):
                notes.append(Note("missing-label-unused", text, NAMES[i]))
            elif i == 0 and _holds(declared[1].unused, value):
                notes.append(Note("missing-label-unused", text))
    return notes


def _nothing_left(sides: list[Side], uncounted: bool) -> str:
    """Return the sentence that no item is left to compare, with the reasons and ways out."""
    reasons, ways = [], []
    for side, other in (sides, sides[::-1]):
        if side.unmatched:
            items = counted(side.unmatched, f"{side.name} item")
            reasons.append(f"{items} not in the {other.name}")
    if reasons:
        reasons[-1] += ' (unmatched="drop")'
        ways.append('make the item ids of both sides agree, or choose unmatched="singletons"')
    for side in sides:
        if side.missing and side.policies.missing == "drop":
            reasons.append(f'{side.missing} without a {side.name} label (missing="drop")')
            way = 'choose missing="singletons" or "cluster" to keep items without a label'
            ways += [] if way in ways else [way]
    if uncounted:
        reasons.append("every multiplicity is 0")
        ways.append("give an item a multiplicity of at least 1")
    alike = next((side.alike_ids for side in sides if side.alike_ids), "")
    alike = f"; {alike}" if alike else ""
    return f"no item is left to compare: {', '.join(reasons)}{alike}; {', or '.join(ways)}"


def _check_missing(
    sides: list[Side],
    gone: list[BoolArray | None],
    ids: Column | None,
    counts: IntArray | None,
    find_unlabelled: Callable[[int], str],
    *,
    is_block: bool,
) -> None:
    blamed = [
        (side, mask)
        for side, mask in zip(sides, gone, strict=True)
        if mask is not None and side.policies.missing == "error"
    ]
    if not blamed:
        return
    side, mask = blamed[0]
    number = " and ".join(f"{s.missing} in the {s.name}" for s, _ in blamed)
    touched = np.zeros(len(mask), dtype=bool)
    for _, other in blamed:
        touched |= other
    at = int(np.flatnonzero(mask)[0])
    if counts is not None:
        where = find_unlabelled(NAMES.index(side.name))
    else:
        where = f"index {at}" if ids is None else f"item {ids.label(ids.codes[at])!r}"
    items = counted(_n_items(touched, counts), "item")
    told = (
        f"missing labels: {number} ({items} touched), the first in "
        f'the {side.name} at {where}; choose missing="drop", "singletons" or "cluster" to go on'
    )
    if not is_block:
        raise ValueError(told)
    of_block = UnlabelledError(told)
    of_block.side, of_block.position = NAMES.index(side.name), at
    raise of_block


def _with_clusters_of_policies(
    column: Column,
    gone: BoolArray | None,
    absent: BoolArray | None,
    side: Side,
    ids: Column | None,
) -> Column:
    """Give items without a label the cluster that the policy says."""
    lone = absent
    pooled = None
    if gone is not None and side.policies.missing == "singletons":
        lone = gone if lone is None else lone | gone
    elif gone is not None and side.policies.missing == "cluster":
        pooled = gone
    if lone is None and pooled is None:
        return column.labelled()  # what is still missing is dropped
    unlabelled = np.zeros(len(column), dtype=bool)
    for mask in (lone, pooled, gone):
        if mask is not None:
            unlabelled |= mask
    compact = Column(column.codes, column.names, unlabelled).compact()
    assert compact.categories is not None
    codes = compact.codes.astype(np.int64, copy=True)
    labels = listed(compact.categories)
    if pooled is not None:
        codes[pooled] = len(labels)
        labels.append(None)
    if lone is not None:
        lone_items = np.flatnonzero(lone)
        codes[lone_items] = len(labels) + np.arange(len(lone_items))
        labels += [SingletonLabel(places_id) for places_id in _ids_at(ids, lone_items)]
    return Column(codes, object_array(labels))


def _ids_at(ids: Column | None, positions: IntArray) -> list[Any]:
    return positions.tolist() if ids is None else listed(ids.take(positions).decode())
