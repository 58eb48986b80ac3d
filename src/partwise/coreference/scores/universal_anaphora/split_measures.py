"""The measures of entities that may have split antecedents, document by document."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Mentions = frozenset[Hashable]
#: Numerator and denominator of precision, then of recall.
Sums = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Entity:
    """Mentions of an entity, and of each entity that it is made of (None: of none)."""

    mentions: Mentions
    members: tuple[Mentions, ...] | None = None

    @property
    def size(self) -> int:
        """Mentions, split antecedents among them."""
        return len(self.mentions) + (self.members is not None)


class _Pairs:
    """Which split antecedents of two sides are one, and for how much of a mention they count.

    Attributes
    ----------
    recall, precision, f1 : dict of (int, int) to float
        By positions of the entities.
    """

    def __init__(self) -> None:
        self.recall: dict[tuple[int, int], float] = {}
        self.precision: dict[tuple[int, int], float] = {}
        self.f1: dict[tuple[int, int], float] = {}


def document_sums(
    name: str, key: Sequence[Entity], response: Sequence[Entity]
) -> tuple[Sums, Sums]:
    """Return the sums of a document, and those of its split antecedents alone."""
    from scipy.optimize import linear_sum_assignment

    measure = SPLIT_MEASURES[name]
    splits = [
        [at for at, entity in enumerate(side) if entity.members is not None]
        for side in (key, response)
    ]
    pairs = _Pairs()
    shape = (len(splits[0]), len(splits[1]))
    likeness = np.zeros(shape)
    sums: dict[tuple[int, int], Sums] = {}
    parts = [
        [[Entity(atom) for atom in side[at].members or ()] for at in of_side]
        for side, of_side in zip((key, response), splits, strict=True)
    ]
    for i, of_key in enumerate(parts[0]):
        for j, of_response in enumerate(parts[1]):
            one = sums[i, j] = measure(of_key, of_response, _Pairs(), True)
            likeness[i, j] = _f1(one)
    rows, cols = linear_sum_assignment(-likeness)
    chosen = list(zip(rows.tolist(), cols.tolist(), strict=True))
    for i, j in chosen:
        p_num, p_den, r_num, r_den = sums[i, j]
        at = splits[0][i], splits[1][j]
        pairs.recall[at] = r_num / r_den if r_den else 0.0
        pairs.precision[at] = p_num / p_den if p_den else 0.0
        pairs.f1[at] = likeness[i, j]
    of_splits = (
        math.fsum(sums[pair][0] for pair in chosen),
        math.fsum(measure([], part, _Pairs(), True)[1] for part in parts[1]),
        math.fsum(sums[pair][2] for pair in chosen),
        math.fsum(measure(part, [], _Pairs(), True)[3] for part in parts[0]),
    )
    return measure(key, response, pairs, False), of_splits


def _f1(sums: Sums) -> float:
    p_num, p_den, r_num, r_den = sums
    precision = p_num / p_den if p_den else 0.0
    recall = r_num / r_den if r_den else 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _overlaps(
    own: Sequence[Entity], other: Sequence[Entity], shares: Mapping[tuple[int, int], float]
) -> list[dict[int, tuple[int, float]]]:
    """Return by entity and entity of the other side: common mentions, share of the split."""
    home = {mention: at for at, entity in enumerate(other) for mention in entity.mentions}
    overlaps: list[dict[int, tuple[int, float]]] = []
    for at, entity in enumerate(own):
        common: dict[int, int] = {}
        for mention in entity.mentions:
            if mention in home:
                common[home[mention]] = common.get(home[mention], 0) + 1
        here = {there: (count, 0.0) for there, count in common.items()}
        for (mine, there), share in shares.items():
            if mine == at and share > 0:
                here[there] = here.get(there, (0, 0.0))[0], share
        overlaps.append(here)
    return overlaps


def _turned(shares: Mapping[tuple[int, int], float]) -> dict[tuple[int, int], float]:
    return {(there, mine): share for (mine, there), share in shares.items()}


def _by_side(
    half: Callable[
        [Sequence[Entity], Sequence[Entity], Mapping[tuple[int, int], float], bool],
        tuple[float, float],
    ],
) -> Callable[[Sequence[Entity], Sequence[Entity], _Pairs, bool], Sums]:
    """Return a measure whose precision is its recall with the sides exchanged."""

    def measure(
        key: Sequence[Entity], response: Sequence[Entity], pairs: _Pairs, of_splits: bool
    ) -> Sums:
        recall = half(key, response, pairs.recall, of_splits)
        precision = half(response, key, _turned(pairs.precision), of_splits)
        return (*precision, *recall)

    return measure


def _b_cubed(
    own: Sequence[Entity],
    other: Sequence[Entity],
    shares: Mapping[tuple[int, int], float],
    of_splits: bool,
) -> tuple[float, float]:
    above = [
        sum((count + share) ** 2 for count, share in here.values()) / entity.size
        for entity, here in zip(own, _overlaps(own, other, shares), strict=True)
    ]
    return math.fsum(above), float(sum(entity.size for entity in own))


def _muc(
    own: Sequence[Entity],
    other: Sequence[Entity],
    shares: Mapping[tuple[int, int], float],
    of_splits: bool,
) -> tuple[float, float]:
    above, below = [0.0], 0
    for entity, here in zip(own, _overlaps(own, other, shares), strict=True):
        if entity.size == 1 and of_splits:
            below += 1
            above.append(float(any(other[there].size == 1 for there in here)))
            continue
        below += entity.size - 1
        parts = [count for count, _ in here.values() if count]
        above.append(sum(parts) - len(parts))
        # the split adds a link where mentions of its entity are together with its partner
        above += [share for count, share in here.values() if count]
    return math.fsum(above), float(below)


def _lea(
    own: Sequence[Entity],
    other: Sequence[Entity],
    shares: Mapping[tuple[int, int], float],
    of_splits: bool,
) -> tuple[float, float]:
    above = []
    for entity, here in zip(own, _overlaps(own, other, shares), strict=True):
        n = entity.size
        if n == 1:
            single = [
                count + share
                for there, (count, share) in here.items()
                if other[there].size == 1
            ]
            above.append(max(single, default=0.0))
            continue
        links = math.fsum(
            count * (count - 1) / 2 + count * share for count, share in here.values()
        )
        above.append(2 * links / (n - 1))
    return math.fsum(above), float(sum(entity.size for entity in own))


def _ceaf(
    key: Sequence[Entity], response: Sequence[Entity], pairs: _Pairs, *, by_entities: bool
) -> Sums:
    from scipy.optimize import linear_sum_assignment

    gains = np.zeros((len(key), len(response)))
    for row, here in enumerate(_overlaps(key, response, pairs.f1)):
        for col, (count, share) in here.items():
            both = key[row].size + response[col].size
            gains[row, col] = (count + share) * (2 / both if by_entities else 1.0)
    rows, cols = linear_sum_assignment(-gains)
    best = math.fsum(gains[rows, cols].tolist())
    if by_entities:
        return best, float(len(response)), best, float(len(key))
    sizes = [float(sum(entity.size for entity in side)) for side in (response, key)]
    return best, sizes[0], best, sizes[1]


def _ceaf_m(
    key: Sequence[Entity], response: Sequence[Entity], pairs: _Pairs, of_splits: bool
) -> Sums:
    return _ceaf(key, response, pairs, by_entities=False)


def _ceaf_e(
    key: Sequence[Entity], response: Sequence[Entity], pairs: _Pairs, of_splits: bool
) -> Sums:
    return _ceaf(key, response, pairs, by_entities=True)


#: Measures that count split antecedents, in the order in which they are shown.
SPLIT_MEASURES: dict[str, Callable[..., Any]] = {
    "muc": _by_side(_muc),
    "b_cubed": _by_side(_b_cubed),
    "ceaf_m": _ceaf_m,
    "ceaf_e": _ceaf_e,
    "lea": _by_side(_lea),
}
