"""What becomes of items without a label, and of items on one side only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from partwise.labels.account import Account
from partwise.labels.columns import BoolArray, Column, IntArray, listed, object_array
from partwise.labels.missing_labels import missing_codes
from partwise.labels.ride_along import FloatArray, Riding
from partwise.labels.sides import Side


@dataclass(frozen=True, slots=True)
class Alone:
    """Label of an item that a policy put into a cluster of its own."""

    item: Any

    def __repr__(self) -> str:
        return f"<alone {self.item}>"


class Settled(NamedTuple):
    """Two columns of the same items, all of which have a label."""

    reference: Column
    candidate: Column
    ids: Column | None
    account: Account
    weights: FloatArray | None
    multiplicity: IntArray | None


def settle(
    sides: list[Side],
    ids: Column | None,
    matched_by: str,
    riding: Riding,
    notes: tuple[str, ...],
) -> Settled:
    """Let the policies decide about missing labels and lone items.

    Parameters
    ----------
    sides : list of Side
        Reference and candidate; ``take`` says which of their items are compared.
    ids : Column or None
        Ids of the compared items.
    matched_by : str
    riding : Riding
        Weights and multiplicities as they were given.
    notes : tuple of str
        What readers of files did.
    """
    n = sides[0].given if sides[0].take is None else len(sides[0].take)
    columns = [_mark_missing(_taken(side, n), side) for side in sides]
    absent = [_absent(side) for side in sides]
    gone = [_without_label(*pair) for pair in zip(columns, absent, strict=True)]
    for side, mask in zip(sides, gone, strict=True):
        side.missing = 0 if mask is None else int(mask.sum())
    _check_missing(sides, gone, ids)
    left = [_settled(columns[i], gone[i], absent[i], sides[i], ids) for i in range(2)]
    dropped = sum(s.unmatched for s in sides if s.policies.unmatched == "drop")
    kept = _kept(sides, gone)
    if kept is not None:
        dropped += n - len(kept)
        left = [column.take(kept) for column in left]
        ids = Column(kept) if ids is None else ids.take(kept)
        n = len(kept)
    mass = times = None
    if riding.any():
        places = np.arange(sides[0].given) if sides[0].take is None else sides[0].take
        mass, times = riding.read(sides[0].given, places if kept is None else places[kept], ids)
    account = Account(
        items=n if times is None else int(times.sum()),
        matched_by=matched_by,
        dropped=dropped,
        reference=sides[0].account(),
        candidate=sides[1].account(),
        distinct_items=None if times is None else int((times > 0).sum()),
        zero_multiplicity=0 if times is None else int((times == 0).sum()),
        zero_weights=0 if mass is None else int((mass == 0).sum()),
        notes=notes,
    )
    return Settled(left[0], left[1], ids, account, mass, times)


def _taken(side: Side, n: int) -> Column:
    """Return the labels of the compared items (any label where the side lacks one)."""
    if side.take is None:
        return side.column
    if len(side.column) == 0:
        return Column(np.zeros(n, dtype=np.int64))
    return side.column.take(np.maximum(side.take, 0))


def _without_label(column: Column, absent: BoolArray | None) -> BoolArray | None:
    """Return which items are on this side without a label, None if there are none."""
    mask = column.missing
    if mask is not None and absent is not None:
        mask = mask & ~absent
    return mask if mask is not None and mask.any() else None


def _kept(sides: list[Side], gone: list[BoolArray | None]) -> IntArray | None:
    """Return the places of the items that no policy drops, None if all stay."""
    keep: BoolArray | None = None
    for side, mask in zip(sides, gone, strict=True):
        if mask is not None and side.policies.missing == "drop":
            keep = ~mask if keep is None else keep & ~mask
    return None if keep is None else np.flatnonzero(keep)


def _absent(side: Side) -> BoolArray | None:
    if side.take is None:
        return None
    mask: BoolArray = side.take < 0
    return mask if mask.any() else None


def _mark_missing(column: Column, side: Side) -> Column:
    """Add the labels that the caller declared to mean "none" to the missing ones."""
    extra = side.policies.missing_labels
    if not extra:
        return column
    mask = np.isin(column.codes, missing_codes(column, extra))
    if column.missing is not None:
        mask = mask | column.missing
    return Column(column.codes, column.categories, mask)


def _check_missing(sides: list[Side], gone: list[BoolArray | None], ids: Column | None) -> None:
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


def _settled(
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
