"""The steps that turn the entities of a response into those of its key."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from partwise.coreference.documents.documents import Side, Spans
from partwise.numbers.arrays import BoolArray, IntArray


@dataclass(frozen=True, slots=True)
class Step:
    """An error: its side (0: the key), its entity, mentions it is about, and others beside."""

    side: int
    entity: int
    rows: list[int]
    others: list[int]


@dataclass(frozen=True, slots=True)
class StepsOfSide:
    """The errors of the entities of a side.

    Attributes
    ----------
    whole : list of Step
        Entities that the other side lacks.
    single : list of Step
        Mentions that the other side lacks, of other entities.
    parts : list of Step
        Parts that are in a further entity of the other side.
    """

    whole: list[Step]
    single: list[Step]
    parts: list[Step]


def steps_of_side(
    number: int, side: Side, other_entity: IntArray, link: IntArray, pronoun: BoolArray
) -> StepsOfSide:
    """Return the errors of the entities of a side.

    Parameters
    ----------
    number : int
        0: the key, whose mentions are missing and whose entities are divided; 1: the response,
        whose mentions are extra and whose entities are conflated.
    side : Side
    other_entity : int64 array
        Entities of the mentions of the other side.
    link : int64 array
        The partner of each mention on the other side, -1 for none.
    pronoun : bool array
        Which mentions are pronouns.

    Notes
    -----
    An entity is in pieces: its mentions in each entity of the other side, and each mention
    without a partner alone. All pieces but one are errors; the one that stays is that of the
    first mention which is no pronoun, or of the first one where all are. Mentions without a
    partner are one error, a whole entity, if the rest of the entity are pronouns, and if they
    are two or more or all there is. Objects have no order in a text: the largest piece stays
    that has a partner.
    """
    rank = _ranks(side)
    pieces: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for row, (entity, partner) in enumerate(
        zip(side.entity.tolist(), link.tolist(), strict=True)
    ):
        pieces[entity][-1 if partner < 0 else int(other_entity[partner])].append(row)
    steps = StepsOfSide([], [], [])
    for entity, homes in pieces.items():
        alone = homes.pop(-1, [])
        if alone and _is_lost(homes, alone, pronoun):
            steps.whole.append(Step(number, entity, alone, []))
            singles: list[int] = []
        else:
            singles = alone
        stays = _stays(homes, alone, pronoun, rank)
        steps.single.extend(
            Step(number, entity, [row], stays) for row in singles if stays != [row]
        )
        steps.parts.extend(
            Step(number, entity, rows, stays) for rows in homes.values() if rows is not stays
        )
    return steps


def _is_lost(homes: Mapping[int, list[int]], alone: list[int], pronoun: BoolArray) -> bool:
    """Return whether mentions without a partner are an entity that the other side lacks."""
    if not homes:
        return True
    return len(alone) > 1 and all(pronoun[row] for rows in homes.values() for row in rows)


def _stays(
    homes: Mapping[int, list[int]], alone: list[int], pronoun: BoolArray, rank: IntArray | None
) -> list[int]:
    """Return the piece of an entity that the others are split from, or merged with."""
    if rank is None:
        return min(homes.values(), key=lambda rows: (-len(rows), rows[0]), default=alone)
    every = [*alone, *(row for rows in homes.values() for row in rows)]
    first = min(every, key=lambda row: (pronoun[row], rank[row]))
    return next((rows for rows in homes.values() if first in rows), [first])


def _ranks(side: Side) -> IntArray | None:
    """Return the place of each mention in the text; None for objects."""
    spans = side.mentions
    if not isinstance(spans, Spans):
        return None
    rank = np.empty(len(side), dtype=np.int64)
    rank[np.lexsort((spans.last, spans.first, side.document))] = np.arange(len(side))
    return rank
