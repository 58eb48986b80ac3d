"""Which item of one side is which item of the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels.long_columns import ascending
from partwise._kernels.workers import worth_numbering, worth_sharing
from partwise.labels.account import counted
from partwise.labels.apply_policies import Side
from partwise.labels.columns import (
    Column,
    listed,
)
from partwise.labels.items.ids import (
    CompositeIds,
    Spans,
    TextIds,
    both_integers,
    followed_by,
)
from partwise.labels.items.times import in_one_unit
from partwise.labels.suspicions import alike_ids
from partwise.numbers.arrays import BoolArray, IntArray


def check_once(items: Column) -> None:
    """Raise if an item stands twice in a list of all items."""
    numbers, _, n_ids = shared_numbers(items, items, ("items", "items"))
    if n_ids == len(items):
        return
    again = np.ones(len(items), dtype=bool)
    again[_kernels.impl.first_places(numbers, n_ids)[0]] = False
    at = int(np.flatnonzero(again)[0])
    raise ValueError(
        f"items has {items.value_at(at)!r} again at index {at} ({int(again.sum())} such "
        "items); name each item once"
    )


def shared_numbers(
    reference: Column,
    candidate: Column,
    whose: tuple[str, str] = ("the reference", "the candidate"),
) -> tuple[IntArray, IntArray, int]:
    """Give the item ids of both sides numbers: equal ids get equal numbers.

    ``whose``: how messages call the two sides.

    Returns
    -------
    reference_ids, candidate_ids : ndarray of int64
    n_ids : int

    Raises
    ------
    ValueError
        An id is missing, or the two sides hold ids of different kinds.
    """
    for column, side in zip((reference, candidate), whose, strict=True):
        if column.missing is not None and column.missing.any():
            position = int(np.flatnonzero(column.missing)[0])
            raise ValueError(
                f"{side} has no item id at index {position} "
                f"({int(column.missing.sum())} missing ids); every item needs one"
            )
    if len(reference) and len(candidate) and reference.kind != candidate.kind:
        raise ValueError(
            f"item ids are {reference.kind} in {whose[0]} (first: "
            f"{_first(reference)!r}) but {candidate.kind} in {whose[1]} (first: "
            f"{_first(candidate)!r}); convert one side so that equal items have equal ids"
        )
    if isinstance(reference, CompositeIds) and isinstance(candidate, CompositeIds):
        joined = _by_parts(reference, candidate)
        if joined is not None:
            return joined
    joined = _by_text(reference, candidate)
    if joined is not None:
        return joined
    both = both_integers(reference, candidate)
    if both is None:
        return _by_value(reference, candidate)
    return _encoded(both, len(reference))


def _encoded(both: NDArray[Any], cut: int) -> tuple[IntArray, IntArray, int]:
    labels, codes = _kernels.impl.encode(both, worth_sharing(len(both)))
    return codes[:cut], codes[cut:], len(labels)


def _first(column: Column) -> Any:
    return column.value_at(0)


def _by_parts(
    reference: CompositeIds, candidate: CompositeIds
) -> tuple[IntArray, IntArray, int] | None:
    """Join tuples by numbers of their parts, made one number; None: their makes differ."""
    sides = reference.taken_parts(), candidate.taken_parts()
    if len(sides[0]) != len(sides[1]):
        return None
    if any(x.kind != y.kind for x, y in zip(*sides, strict=True)):
        return None
    cut, n = len(reference), len(reference) + len(candidate)
    keys, many = np.zeros(n, dtype=np.int64), 1
    for parts in zip(*sides, strict=True):
        *numbers, n_numbers = shared_numbers(*parts)
        if many * max(n_numbers, 1) >= 1 << 62:
            used, keys = _kernels.impl.encode(keys, worth_sharing(n))
            many = len(used)
        keys = keys * n_numbers + np.concatenate(numbers)
        many *= n_numbers
    return _encoded(keys, cut)


class _Text(NamedTuple):
    """Text of a column, and which of it each item has (None: each the next)."""

    spans: Spans
    places: IntArray | None

    def numbers(self, of_spans: IntArray) -> IntArray:
        """Return the number of each item, given those of the spans."""
        return of_spans if self.places is None else of_spans[self.places]


def _text_of(column: Column) -> _Text | None:
    if isinstance(column, TextIds):
        return _Text(column.spans, column.positions)
    names = column.categories
    if names is None or names.dtype != object:
        return None
    spans = _kernels.impl.text_spans(names)
    return None if spans is None else _Text(Spans(*spans), column.codes)


def _by_text(reference: Column, candidate: Column) -> tuple[IntArray, IntArray, int] | None:
    """Join text by the bytes of both sides, numbered together; None: it is not all text."""
    if not (isinstance(reference, TextIds) or isinstance(candidate, TextIds)):
        return None
    first, second = _text_of(reference), _text_of(candidate)
    if first is None or second is None or first.spans.raw != second.spans.raw:
        return None
    if not first.spans.raw:  # numbers in their usual form differ where their text does
        numbers = _kernels.impl.whole_spans(*first.spans[:2])
        others = None if numbers is None else _kernels.impl.whole_spans(*second.spans[:2])
        if numbers is not None and others is not None:
            codes, other_codes, n_ids = _encoded(
                np.concatenate((numbers, others)), first.spans.n
            )
            return first.numbers(codes), second.numbers(other_codes), n_ids
    if first.spans.equals(second.spans):
        codes, n_ids = _kernels.impl.number_unordered(
            first.spans.data, first.spans.offsets, worth_numbering(first.spans.n)
        )
        codes = codes.astype(np.int64)
        return first.numbers(codes), second.numbers(codes), n_ids
    spans = first.spans.followed_by(second.spans)
    codes, n_ids = _kernels.impl.number_unordered(
        spans.data, spans.offsets, worth_numbering(spans.n)
    )
    codes = codes.astype(np.int64)
    cut = first.spans.n
    return first.numbers(codes[:cut]), second.numbers(codes[cut:]), n_ids


def _by_value(reference: Column, candidate: Column) -> tuple[IntArray, IntArray, int]:
    """Join the two dictionaries as Python values: distinct ids only."""
    times = [column.categories for column in (reference, candidate)]
    if all(x is not None and x.dtype.kind in "mM" for x in times):
        return _by_instant(reference, candidate)
    number: dict[Any, int] = {}
    codes = []
    for column in (reference, candidate):
        compact = column.compact()
        assert compact.categories is not None
        labels = compact.categories
        values = listed(labels)
        ranks = np.array(
            [number.setdefault(value, len(number)) for value in values], dtype=np.int64
        )
        codes.append(ranks[compact.codes] if len(compact) else compact.codes)
    return codes[0].astype(np.int64), codes[1].astype(np.int64), len(number)


def _by_instant(reference: Column, candidate: Column) -> tuple[IntArray, IntArray, int]:
    """Join times of any two units: in one that holds all of them."""
    sides = [column.compact() for column in (reference, candidate)]
    labels = [x.categories for x in sides if x.categories is not None]
    finer = in_one_unit(labels)
    if finer is None:
        raise ValueError(
            f"item ids are times in {labels[0].dtype} and {labels[1].dtype}, which no common "
            "unit holds; convert one side"
        )
    distinct, ranks = np.unique(np.concatenate(finer), return_inverse=True)
    cut = len(labels[0])
    return ranks[:cut][sides[0].codes], ranks[cut:][sides[1].codes], len(distinct)


def same_items(first: Column, columns: Sequence[Column]) -> list[IntArray | None] | None:
    """Return where each column of ids has those of the first, each of which it has once.

    None: some column has others, or one again. None in the list: in the same places. Ids of
    the first are numbered once.
    """
    n = len(first)
    if (first.missing is not None and first.missing.any()) or not _are_distinct(first):
        return None
    position_of: dict[Any, int] = {}
    positions: list[IntArray | None] = []
    for other in columns:
        if len(other) != n or (other.missing is not None and other.missing.any()):
            return None
        if other is first or _same_column(first, other):
            positions.append(None)
            continue
        if n and other.kind != first.kind:
            return None
        by_number = other.kind in ("integer", "datetime64", "timedelta64")
        if by_number or (_is_lazy(first) and _is_lazy(other)):
            order = _order_of_numbers(first, other)
        else:
            if not position_of:
                position_of = {name: i for i, name in enumerate(listed(first.decode()))}
            order = _order_by_value(position_of, other)
        if order is None:
            return None
        positions.append(None if np.array_equal(order, np.arange(n)) else order)
    return positions


def _is_lazy(ids: Column) -> bool:
    return isinstance(ids, (TextIds, CompositeIds))


def _are_distinct(ids: Column) -> bool:
    """Return whether each id is there once."""
    if isinstance(ids, TextIds) and ids.positions is None:
        return _kernels.impl.number_unordered(*ids.spans[:2], worth_numbering(ids.spans.n))[
            1
        ] == len(ids)
    if isinstance(ids, CompositeIds):
        joined = _by_parts(ids, ids)
        return joined is not None and joined[2] == len(ids)
    categories = ids.compact().categories
    assert categories is not None
    return len(categories) == len(ids)


def _same_column(first: Column, other: Column) -> bool:
    """Return whether two columns are written alike; if not, they may still hold the same."""
    if isinstance(first, TextIds) and isinstance(other, TextIds):
        in_order = first.positions is None and other.positions is None
        return in_order and first.is_like(other) and first.spans.equals(other.spans)
    if isinstance(first, CompositeIds) and isinstance(other, CompositeIds):
        sides = first.taken_parts(), other.taken_parts()
        alike = [x.kind for x in sides[0]] == [x.kind for x in sides[1]]
        return alike and all(_same_column(*parts) for parts in zip(*sides, strict=True))
    if _is_lazy(first) or _is_lazy(other):
        return False
    if first.codes.dtype != other.codes.dtype or not np.array_equal(first.codes, other.codes):
        return False
    names, others = first.categories, other.categories
    if names is None or others is None:
        return names is others
    return names.dtype == others.dtype and listed(names) == listed(others)


def _order_of_numbers(first: Column, other: Column) -> IntArray | None:
    try:
        numbers, other_numbers, n_ids = shared_numbers(first, other)
    except ValueError:  # units of time that do not meet
        return None
    if n_ids > len(first):
        return None
    order = np.full(n_ids, -1, dtype=np.int64)
    order[other_numbers] = np.arange(n_ids)
    order = order[numbers]
    return None if (order < 0).any() else order


def _order_by_value(position_of: Mapping[Any, int], other: Column) -> IntArray | None:
    compact = other.compact()
    assert compact.categories is not None
    positions = [position_of.get(name, -1) for name in listed(compact.categories)]
    if len(positions) < len(position_of) or -1 in positions:
        return None
    order = np.empty(len(position_of), dtype=np.int64)
    order[np.array(positions, dtype=np.int64)[compact.codes]] = np.arange(len(position_of))
    return order


# ---- under the policies ------------------------------------------------------------


def match_items(
    reference: Side, candidate: Side, ref_items: Column, cand_items: Column
) -> Column | None:
    """Pair the items of both sides under their policies.

    Fills in ``take`` and the counts of both sides (``take`` stays None where both hold the same
    ids in the same order); returns the ids of the resulting items.
    """
    ref_ids, cand_ids, n_ids = shared_numbers(ref_items, cand_items)
    if len(ref_ids) == len(cand_ids) == n_ids and np.array_equal(ref_ids, cand_ids):
        return ref_items  # same ids in the same order, none twice
    order = _kernels.impl.one_to_one(ref_ids, cand_ids, n_ids, worth_sharing(n_ids))
    if order is not None:
        candidate.take = order
        return ref_items
    ref_at = _places(reference, ref_ids, n_ids, ref_items)
    cand_at = _places(candidate, cand_ids, n_ids, cand_items)
    in_order = ascending(ref_at[ref_at >= 0], len(ref_ids))
    numbers = ref_ids[in_order]
    only_reference = cand_at[numbers] < 0
    late = ascending(cand_at[(cand_at >= 0) & (ref_at < 0)], len(cand_ids))
    lone = in_order[only_reference]
    alike = alike_ids(ref_items, cand_items, lone, late) if len(lone) or len(late) else ""
    reference.alike_ids = alike
    _check_unmatched(reference, ref_items, lone, "candidate", alike)
    _check_unmatched(candidate, cand_items, late, "reference", alike)
    if reference.policies.unmatched == "drop":
        numbers = numbers[~only_reference]
    if candidate.policies.unmatched == "drop":
        late = late[:0]
    late_numbers = cand_ids[late]
    numbers = np.concatenate([numbers, late_numbers])
    reference.take, candidate.take = ref_at[numbers], cand_at[numbers]
    if not len(late):
        return ref_items.take(reference.take)
    matched = ref_items.take(ref_at[numbers[: len(numbers) - len(late)]])
    return followed_by(matched, cand_items.take(late))


def _places(side: Side, ids: IntArray, n_ids: int, items: Column) -> IntArray:
    """Return where each id stands on this side (-1: nowhere), minding repeated ids."""
    position = np.full(n_ids, -1, dtype=np.int64)
    forward = np.arange(len(ids))
    position[ids[::-1]] = forward[::-1]  # the first occurrence wins
    if int((position >= 0).sum()) == len(ids):
        return position
    again = np.flatnonzero(position[ids] != forward)
    same = _same_labels(side.column, again, position[ids[again]])
    side.repeated, side.conflicting = int(same.sum()), int((~same).sum())
    if side.policies.duplicates == "error":
        at = int(again[0])
        kind = "the same label" if same[0] else "another label"
        if side.of_clusters and not same[0]:
            first, second = (
                _cluster_at(side.column, place) for place in (int(position[ids[at]]), at)
            )
            raise ValueError(
                f"{side.name} has item {items.value_at(at)!r} in {first} and "
                f"in {second} ({side.conflicting} such repeats); clusters that overlap "
                'are no partition: leave an item in one of them, or choose duplicates="first" '
                'or "last"'
            )
        raise ValueError(
            f"{side.name} has item {items.value_at(at)!r} at index "
            f"{int(position[ids[at]])} and again, with {kind}, at index {at} "
            f"({side.repeated} repeats with the same label, {side.conflicting} with another "
            'one); remove them or choose duplicates="first" or "last"'
        )
    if side.policies.duplicates == "last":
        position[ids] = forward
    return position


def _cluster_at(column: Column, position: int) -> str:
    """Return how messages call the cluster of one item."""
    if column.missing is not None and column.missing[position]:
        return "a cluster without a name"
    return f"cluster {column.value_at(position)!r}"


def _same_labels(column: Column, left: IntArray, right: IntArray) -> BoolArray:
    same: BoolArray = column.codes[left] == column.codes[right]
    if column.missing is not None:
        gone, also = column.missing[left], column.missing[right]
        same = (same & ~gone & ~also) | (gone & also)
    return same


def _check_unmatched(
    side: Side, items: Column, positions: IntArray, other: str, alike: str
) -> None:
    side.unmatched = len(positions)
    if len(positions) and side.policies.unmatched == "error":
        at = int(positions[0])
        raise ValueError(
            f"{counted(len(positions), side.name + ' item')} not in the {other}, the first is "
            f"{items.value_at(at)!r} at index {at}{alike and f'; {alike}'}; choose "
            'unmatched="drop" or "singletons" to go on'
        )
