"""Aligning two clusterings item by item, under stated policies, with an account."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partwise.labels.account import Account, SideAccount, counted
from partwise.labels.clustering import Clustering, as_clustering, id_array
from partwise.labels.columns import BoolArray, Column, IntArray, listed, object_array
from partwise.labels.matching_items import shared_numbers
from partwise.labels.missing_labels import missing_codes
from partwise.labels.policies import SidePolicies, read_policies
from partwise.labels.ride_along import (
    FloatArray,
    read_multiplicity,
    read_weights,
    values_by_item,
)

if TYPE_CHECKING:
    from partwise.contingency import Contingency

SIDES = ("reference", "candidate")


@dataclass(frozen=True, slots=True)
class Alone:
    """Label of an item that a policy put into a cluster of its own."""

    item: Any

    def __repr__(self) -> str:
        return f"<alone {self.item}>"


class Alignment:
    """Two clusterings of the same items, in one order.

    Attributes
    ----------
    reference, candidate : Clustering
        Labels of the compared items on each side.
    items : ndarray of shape (n,)
        Ids of the compared items (positions where there are none).
    account : Account
        What came in and what the policies did.
    weights : ndarray of float64, shape (n,), or None
        Mass of each compared item.
    multiplicity : ndarray of int64, shape (n,), or None
        How often each compared item counts.
    table : Contingency
        The sparse table of the two (built once, on first use).
    """

    def __init__(
        self,
        reference: Column,
        candidate: Column,
        items: Column | None,
        account: Account,
        weights: FloatArray | None = None,
        multiplicity: IntArray | None = None,
    ) -> None:
        self.reference = Clustering._of(reference, items)
        self.candidate = Clustering._of(candidate, items)
        self.account = account
        self.weights = weights
        self.multiplicity = multiplicity
        self._items = items

    @property
    def n_items(self) -> int:
        """Number of compared items (each once, whatever its multiplicity)."""
        return len(self.reference)

    @property
    def items(self) -> NDArray[Any]:
        """Ids of the compared items (positions where there are none)."""
        return id_array(self._items, self.n_items)

    @cached_property
    def table(self) -> Contingency:
        """The sparse table of the two clusterings."""
        from partwise.contingency import Contingency

        return Contingency._of_columns(
            self.reference.column,
            self.candidate.column,
            self.account,
            self.weights,
            self.multiplicity,
        )

    def __repr__(self) -> str:
        return f"Alignment({self.account.describe()})"


@dataclass(slots=True)
class _Side:
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


def align(
    reference: Any,
    candidate: Any,
    *,
    unmatched: Any = "error",
    missing: Any = "error",
    missing_labels: Any = None,
    duplicates: Any = "error",
    weights: Any = None,
    multiplicity: Any = None,
) -> Alignment:
    """Align two clusterings of the same items and account for every item.

    Parameters
    ----------
    reference, candidate : array-like of shape (n,), mapping, list of sets, or Clustering
        Labels by position; a mapping item -> label; clusters as sets of items; or a
        ``Clustering`` (with ``items=`` for ids). Both sides carry item ids or neither does.
    unmatched : {"error", "drop", "singletons"} or a pair of them
        Items on one side only. Of a pair (x, y), x is for items only in the reference, y for
        items only in the candidate. "singletons" gives the item a cluster of its own on the
        side that lacks it.
    missing : {"error", "drop", "singletons", "cluster"} or a pair (reference, candidate)
        Items without a label (None, NaN, NaT, NA, masked). "drop" removes the item from both
        sides; "cluster" puts all such items of a side together.
    missing_labels : label, list or set of labels, or a pair (reference, candidate), optional
        Further values that mean "no label", e.g. -1. A tuple of two is always the pair.
    duplicates : {"error", "first", "last"} or a pair (reference, candidate)
        Items that occur again on their side; "error" also for equal labels.
    weights : array-like of shape (n,), or mapping by item, optional
        Mass of each item, finite and at least 0, in the reference's item order (before
        policies). Cells and clusters still come from items; masses take the place of counts
        in the measures that allow it.
    multiplicity : array-like of shape (n,), or mapping by item, optional
        Whole number per item: the same as repeating the item so often. 0 leaves it out.

    Returns
    -------
    Alignment

    Raises
    ------
    ValueError
        Different lengths, or items a policy "error" stands against; the message names the
        first of them.
    TypeError
        A side is no clustering (text, 2-D frames, mixed label types).

    Notes
    -----
    Items stand in the reference's order, items only in the candidate after them. O(n) for
    integer ids up to a few n, else a radix sort of the ids.

    Examples
    --------
    >>> import partwise as pw
    >>> a = {"x": 1, "y": 1, "z": 2}
    >>> b = {"z": "p", "y": "q"}
    >>> pw.align(a, b, unmatched="drop")
    Alignment(2 items compared, aligned by item; 1 dropped; 1 reference item not in the \
candidate (dropped))
    """
    aligned = align_views(
        reference,
        candidate,
        unmatched=unmatched,
        missing=missing,
        missing_labels=missing_labels,
        duplicates=duplicates,
        weights=weights,
        multiplicity=multiplicity,
    )
    # a snapshot: what the caller does to the arrays afterwards does not reach it
    for side in (aligned.reference, aligned.candidate):
        side.column = side.column.copied()
    return aligned


def align_views(
    reference: Any,
    candidate: Any,
    *,
    unmatched: Any = "error",
    missing: Any = "error",
    missing_labels: Any = None,
    duplicates: Any = "error",
    weights: Any = None,
    multiplicity: Any = None,
) -> Alignment:
    """Align as ``align`` does, perhaps on the caller's own memory: for use at once."""
    policies = read_policies(unmatched, missing, missing_labels, duplicates)
    given = [
        as_clustering(values, name)
        for values, name in zip((reference, candidate), SIDES, strict=True)
    ]
    _check_indexes(*given)
    sides = [
        _Side(name, x.column, policy, x.n_items, x.empty_clusters)
        for name, x, policy in zip(SIDES, given, policies, strict=True)
    ]
    items = [x.item_column for x in given]
    if items[0] is not None and items[1] is not None:
        ids = _match(sides[0], sides[1], items[0], items[1])
        matched_by = "item"
    elif items[0] is None and items[1] is None:
        ids = None
        matched_by = "position"
        if sides[0].given != sides[1].given:
            raise ValueError(
                f"the reference has {sides[0].given} labels, the candidate "
                f"{sides[1].given}; labels without item ids are compared by position and "
                "must be of one length (pass mappings or Clustering(labels, items=...) to "
                "align by item)"
            )
    else:
        with_ids, without = (0, 1) if items[0] is not None else (1, 0)
        raise ValueError(
            f"the {SIDES[with_ids]} has item ids, the {SIDES[without]} has none; give ids to "
            "both, with Clustering(labels, items=...), or to neither"
        )
    notes = tuple(dict.fromkeys(note for one in given for note in one.notes))
    return _apply(sides, ids, matched_by, weights, multiplicity, notes)


def _check_indexes(reference: Clustering, candidate: Clustering) -> None:
    """Two pandas Series with different indexes must not be compared by position unseen."""
    first, second = reference.index, candidate.index
    if first is None or second is None or len(first) != len(second):
        return
    if not first.equals(second):
        raise ValueError(
            "reference and candidate are Series with different indexes; pass .to_numpy() to "
            "compare by position, or Clustering(series, items=series.index) to align by item"
        )


# ---- by item -----------------------------------------------------------------------


def _match(
    reference: _Side, candidate: _Side, ref_items: Column, cand_items: Column
) -> Column | None:
    """Fill in ``take`` of both sides; return the ids of the resulting items."""
    ref_ids, cand_ids, n_ids = shared_numbers(ref_items, cand_items)
    if len(ref_ids) == len(cand_ids) == n_ids and np.array_equal(ref_ids, cand_ids):
        return ref_items  # same ids in the same order, none twice
    ref_at = _places(reference, ref_ids, n_ids, ref_items)
    cand_at = _places(candidate, cand_ids, n_ids, cand_items)
    in_order = np.sort(ref_at[ref_at >= 0])
    numbers = ref_ids[in_order]
    only_reference = cand_at[numbers] < 0
    late = np.sort(cand_at[(cand_at >= 0) & (ref_at < 0)])
    _check_unmatched(reference, ref_items, in_order[only_reference], "candidate")
    _check_unmatched(candidate, cand_items, late, "reference")
    if reference.policies.unmatched == "drop":
        numbers = numbers[~only_reference]
    if candidate.policies.unmatched == "drop":
        late = late[:0]
    late_numbers = cand_ids[late]
    numbers = np.concatenate([numbers, late_numbers])
    reference.take, candidate.take = ref_at[numbers], cand_at[numbers]
    if not len(late):
        return ref_items.take(reference.take)
    labels = np.concatenate(
        [
            _as_objects(ref_items.take(ref_at[numbers[: len(numbers) - len(late)]])),
            _as_objects(cand_items.take(late)),
        ]
    )
    return Column(np.arange(len(labels)), labels)


def _as_objects(column: Column) -> NDArray[Any]:
    return object_array(listed(column.decode()))


def _places(side: _Side, ids: IntArray, n_ids: int, items: Column) -> IntArray:
    """Return where each id stands on this side (-1: nowhere), minding repeated ids."""
    place = np.full(n_ids, -1, dtype=np.int64)
    forward = np.arange(len(ids))
    place[ids[::-1]] = forward[::-1]  # the first occurrence wins
    if int((place >= 0).sum()) == len(ids):
        return place
    again = np.flatnonzero(place[ids] != forward)
    same = _same_labels(side.column, again, place[ids[again]])
    side.repeated, side.conflicting = int(same.sum()), int((~same).sum())
    if side.policies.duplicates == "error":
        at = int(again[0])
        kind = "the same label" if same[0] else "another label"
        raise ValueError(
            f"{side.name} has item {items.label(items.codes[at])!r} at index "
            f"{int(place[ids[at]])} and again, with {kind}, at index {at} "
            f"({side.repeated} repeats with the same label, {side.conflicting} with another "
            'one); remove them or choose duplicates="first" or "last"'
        )
    if side.policies.duplicates == "last":
        place[ids] = forward
    return place


def _same_labels(column: Column, left: IntArray, right: IntArray) -> BoolArray:
    same: BoolArray = column.codes[left] == column.codes[right]
    if column.missing is not None:
        gone, also = column.missing[left], column.missing[right]
        same = (same & ~gone & ~also) | (gone & also)
    return same


def _check_unmatched(side: _Side, items: Column, places: IntArray, other: str) -> None:
    side.unmatched = len(places)
    if len(places) and side.policies.unmatched == "error":
        at = int(places[0])
        raise ValueError(
            f"{counted(len(places), side.name + ' item')} not in the {other}, the first is "
            f"{items.label(items.codes[at])!r} at index {at}; choose "
            'unmatched="drop" or "singletons" to go on'
        )


# ---- missing labels, lone items ----------------------------------------------------


def _apply(
    sides: list[_Side],
    ids: Column | None,
    matched_by: str,
    weights: Any,
    multiplicity: Any,
    notes: tuple[str, ...],
) -> Alignment:
    n = sides[0].given if sides[0].take is None else len(sides[0].take)
    absent = [_absent(side, n) for side in sides]
    columns = [
        side.column
        if side.take is None
        else side.column.take(np.maximum(side.take, 0))
        if len(side.column)
        else _empty_column(n)
        for side in sides
    ]
    gone: list[BoolArray | None] = []
    for place, side in enumerate(sides):
        columns[place] = _mark_missing(columns[place], side)
        mask = columns[place].missing
        lone = absent[place]
        if mask is not None and lone is not None:
            mask = mask & ~lone
        gone.append(mask if mask is not None and mask.any() else None)
        side.missing = 0 if gone[place] is None else int(mask.sum())  # type: ignore[union-attr]
    _check_missing(sides, gone, ids)
    keep: BoolArray | None = None
    for side, mask in zip(sides, gone, strict=True):
        if mask is not None and side.policies.missing == "drop":
            keep = ~mask if keep is None else keep & ~mask
    left = [_settle(columns[i], gone[i], absent[i], sides[i], ids) for i in range(2)]
    dropped = sum(s.unmatched for s in sides if s.policies.unmatched == "drop")
    places = np.arange(n) if sides[0].take is None else sides[0].take
    if keep is not None:
        kept = np.flatnonzero(keep)
        dropped += n - len(kept)
        left = [column.take(kept) for column in left]
        ids = Column(kept) if ids is None else ids.take(kept)
        places = places[kept]
    riding = {
        name: values_by_item(values, name, sides[0].given, places, ids)
        for name, values in (("weights", weights), ("multiplicity", multiplicity))
        if values is not None
    }
    mass = read_weights(riding["weights"]) if weights is not None else None
    times = read_multiplicity(riding["multiplicity"]) if multiplicity is not None else None
    account = Account(
        items=len(places) if times is None else int(times.sum()),
        matched_by=matched_by,
        dropped=dropped,
        reference=sides[0].account(),
        candidate=sides[1].account(),
        distinct_items=None if times is None else int((times > 0).sum()),
        zero_multiplicity=0 if times is None else int((times == 0).sum()),
        zero_weights=0 if mass is None else int((mass == 0).sum()),
        notes=notes,
    )
    return Alignment(left[0], left[1], ids, account, mass, times)


def _empty_column(n: int) -> Column:
    return Column(np.zeros(n, dtype=np.int64))


def _absent(side: _Side, n: int) -> BoolArray | None:
    if side.take is None:
        return None
    mask: BoolArray = side.take < 0
    return mask if mask.any() else None


def _mark_missing(column: Column, side: _Side) -> Column:
    """Add the labels that the caller declared to mean "none" to the missing ones."""
    extra = side.policies.missing_labels
    if not extra:
        return column
    mask = np.isin(column.codes, missing_codes(column, extra))
    if column.missing is not None:
        mask = mask | column.missing
    return Column(column.codes, column.categories, mask)


def _check_missing(
    sides: list[_Side], gone: list[BoolArray | None], ids: Column | None
) -> None:
    blamed = [
        (side, mask)
        for side, mask in zip(sides, gone, strict=True)
        if mask is not None and side.policies.missing == "error"
    ]
    if not blamed:
        return
    side, mask = blamed[0]
    at = int(np.flatnonzero(mask)[0])
    counts = " and ".join(f"{s.missing} in the {s.name}" for s, _ in blamed)
    touched = np.zeros(len(mask), dtype=bool)
    for _, other in blamed:
        touched |= other
    where = f"index {at}" if ids is None else f"item {ids.label(ids.codes[at])!r}"
    raise ValueError(
        f"missing labels: {counts} ({int(touched.sum())} items touched), the first in the "
        f'{side.name} at {where}; choose missing="drop", "singletons" or "cluster" to go on'
    )


def _settle(
    column: Column,
    gone: BoolArray | None,
    absent: BoolArray | None,
    side: _Side,
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
        return Column(column.codes, column.categories)  # what is still missing is dropped
    unlabelled = np.zeros(len(column), dtype=bool)
    for mask in (lone, pooled, gone):
        if mask is not None:
            unlabelled |= mask
    compact = Column(column.codes, column.categories, unlabelled).compact()
    assert compact.categories is not None
    codes = compact.codes.astype(np.int64, copy=True)
    labels = listed(compact.categories)
    if pooled is not None:
        codes[pooled] = len(labels)
        labels.append(None)
    if lone is not None:
        places = np.flatnonzero(lone)
        codes[places] = len(labels) + np.arange(len(places))
        labels += [Alone(places_id) for places_id in _ids_at(ids, places)]
    return Column(codes, object_array(labels))


def _ids_at(ids: Column | None, places: IntArray) -> list[Any]:
    return places.tolist() if ids is None else listed(ids.take(places).decode())
