"""The entities and mentions that cost a response most, by what B-cubed misses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from partwise.coreference.documents.documents import Side, Spans
from partwise.coreference.scores.scores import CoreferenceScores
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.report.json_documents import label_of
from partwise.scoring.diagnose.worst import largest

#: Parts of an entity, and mentions of a part, that are listed.
LISTED_PARTS, LISTED_MENTIONS = 5, 4
#: Words of a mention that are shown.
LISTED_WORDS = 8


@dataclass(frozen=True, slots=True)
class Place:
    """A mention.

    Attributes
    ----------
    document : str
    span : list of int, or None
        First and last token; None for a mention that is no span.
    text : str
        Its words where the file has them, a mention that is no span itself, else "".
    line : int or None
        Line of the file on which it opens.
    """

    document: str
    span: list[int] | None
    text: str
    line: int | None


@dataclass(frozen=True, slots=True)
class Part:
    """Mentions of an entity that are together on the other side.

    Attributes
    ----------
    entity
        Entity of the other side; None for mentions without a partner.
    count : int
    mentions : list of Place
        The first of them.
    """

    entity: Any
    count: int
    mentions: list[Place]


@dataclass(frozen=True, slots=True)
class WorstEntity:
    """An entity that costs much.

    Attributes
    ----------
    document : str
        The first that has it.
    entity
        Its name in the file.
    size : int
        Mentions.
    cost : float
        Mentions that B-cubed misses of it: its size, less for each part count^2 / size.
    share : float
        The same as a share of all that the side misses.
    n_parts : int
        Entities of the other side that its mentions are in.
    twinless : int
        Mentions without a partner.
    parts : list of Part
        The largest first, mentions without a partner last.
    """

    document: str
    entity: Any
    size: int
    cost: float
    share: float
    n_parts: int
    twinless: int
    parts: list[Part]


@dataclass(frozen=True, slots=True)
class WorstMention:
    """A mention that costs much.

    Attributes
    ----------
    mention : Place
    key_entity, response_entity
        None where the side lacks the mention.
    together, key_size, response_size : int
        Mentions that its two entities share, and that either has (0 without an entity).
    cost : float
        1 - together / size for each side that has it, added up.
    """

    mention: Place
    key_entity: Any
    response_entity: Any
    together: int
    key_size: int
    response_size: int
    cost: float


@dataclass(frozen=True, slots=True)
class Worst:
    """What costs most, the costliest first.

    Attributes
    ----------
    missed : (float, float)
        Mentions that B-cubed misses in all: of recall and of precision.
    key, response : list of WorstEntity
        Of the key: what recall misses; of the response: what precision misses.
    mentions : list of WorstMention
    """

    missed: tuple[float, float]
    key: list[WorstEntity]
    response: list[WorstEntity]
    mentions: list[WorstMention]


def entity_of(plain: Mapping[str, Any]) -> WorstEntity:
    """Return an entity from its plain dict."""
    parts = [
        Part(
            **{
                **part,
                "entity": label_of(part["entity"]),
                "mentions": [Place(**place) for place in part["mentions"]],
            }
        )
        for part in plain["parts"]
    ]
    return WorstEntity(**{**plain, "entity": label_of(plain["entity"]), "parts": parts})


def worst_of(scores: CoreferenceScores, count: int = 20) -> Worst:
    """Return the entities and mentions that cost most.

    Parameters
    ----------
    scores : CoreferenceScores
    count : int, default 20
        How many of either kind are listed at most; those that cost nothing never are.

    Notes
    -----
    B-cubed gives a mention of the key o / m of recall: the o mentions that its entity shares
    with its partner's, of the m in its entity; nothing without a partner. What it lacks to 1 is
    its cost, and the costs of all mentions add up to denominator less numerator. A mention on
    both sides has a cost of recall and one of precision. Equal costs stand in the order of the
    file. O(mentions) and the matching of mentions.

    Examples
    --------
    >>> import partwise as pw
    >>> key = {"d": [["a", "b", "c"], ["x"]]}
    >>> found = worst_of(pw.coreference.score(key, {"d": [["a", "b"], ["c"]]}))
    >>> [(one.entity, round(one.cost, 3), one.n_parts) for one in found.key]
    [(0, 1.333, 2), (1, 1.0, 0)]
    >>> [(one.mention.text, round(one.cost, 3)) for one in found.mentions]
    [("'x'", 1.0), ("'c'", 0.667), ("'a'", 0.333), ("'b'", 0.333)]
    """
    if count < 0:
        raise ValueError(f"count={count}: a number of entities, 0 or more, is expected")
    x = scores._shared
    partner = x.partner
    twin = np.full(len(x.response), -1, dtype=np.int64)
    matched = np.flatnonzero(partner >= 0)
    twin[partner[matched]] = matched
    together = _together(x.key.entity[matched], x.response.entity[partner[matched]])
    sides, sizes = x.places, (x.key_sizes, x.response_sizes)
    rows = matched, partner[matched]
    costs = []
    for side, of, own in zip(sides, sizes, rows, strict=True):
        cost = np.ones(len(side))
        cost[own] = 1 - together / of[side.entity[own]]
        costs.append(cost)
    entities = [
        _entities(side, other, cost, link, count)
        for side, other, cost, link in zip(
            sides, sides[::-1], costs, (partner, twin), strict=True
        )
    ]
    missed = float(costs[0].sum()), float(costs[1].sum())
    shared = np.zeros(len(x.key), dtype=np.int64)
    shared[matched] = together
    mentions = _mentions(sides, sizes, costs, (partner, twin), shared, count)
    return Worst(missed, entities[0], entities[1], mentions)


def _together(rows: IntArray, cols: IntArray) -> IntArray:
    """Return for each pair of entities how often it occurs."""
    width = int(cols.max(initial=0)) + 1
    _, pair, counts = np.unique(rows * width + cols, return_inverse=True, return_counts=True)
    of_pairs: IntArray = counts[pair]
    return of_pairs


def _entities(
    side: Side, other: Side, cost: FloatArray, link: IntArray, count: int
) -> list[WorstEntity]:
    """Return the worst entities of a side; ``link`` has the partner of each mention."""
    of_entity: FloatArray = np.bincount(
        side.entity, cost, minlength=len(side.entity_document)
    ).astype(np.float64)
    chosen = largest(of_entity, count)
    return described(side, other, link, chosen, of_entity, total=float(cost.sum()))


def described(
    side: Side,
    other: Side,
    link: IntArray,
    chosen: IntArray,
    of_entity: FloatArray,
    total: float,
) -> list[WorstEntity]:
    """Return what there is to show of some entities of a side.

    Parameters
    ----------
    side, other : Side
    link : int64 array
        The partner of each mention of the side, -1 for none.
    chosen : int64 array
        The entities.
    of_entity : float64 array
        Cost of each entity of the side.
    total : float
        Cost of all.
    """
    order = np.argsort(side.entity, kind="stable")
    bounds = np.searchsorted(side.entity[order], np.stack([chosen, chosen + 1]))
    entities = []
    for entity, begin, end in zip(chosen.tolist(), *bounds.tolist(), strict=True):
        rows = order[begin:end]
        twinless = rows[link[rows] < 0]
        with_twin = rows[link[rows] >= 0]
        homes, sizes = np.unique(other.entity[link[with_twin]], return_counts=True)
        parts = []
        for at in np.argsort(-sizes, kind="stable")[:LISTED_PARTS].tolist():
            inside = with_twin[other.entity[link[with_twin]] == homes[at]]
            parts.append(_part(side, other.entity_names[homes[at]], inside))
        if len(twinless):
            parts.append(_part(side, None, twinless))
        entities.append(
            WorstEntity(
                side.names[int(side.entity_document[entity])],
                side.entity_names[entity],
                len(rows),
                float(of_entity[entity]),
                float(of_entity[entity]) / total,
                len(homes),
                len(twinless),
                parts,
            )
        )
    return entities


def _part(side: Side, entity: Any, rows: IntArray) -> Part:
    shown = [place_of(side, row) for row in rows[:LISTED_MENTIONS].tolist()]
    return Part(entity, len(rows), shown)


def _mentions(
    sides: tuple[Side, Side],
    sizes: tuple[IntArray, IntArray],
    costs: list[FloatArray],
    links: tuple[IntArray, IntArray],
    together: IntArray,
    count: int,
) -> list[WorstMention]:
    key, response = sides
    partner, twin = links
    both = costs[0].copy()
    both[partner >= 0] += costs[1][partner[partner >= 0]]
    alone = np.flatnonzero(twin < 0)
    joined = np.concatenate([both, costs[1][alone]])
    documents = np.concatenate([key.document, response.document[alone]])
    order = np.argsort(documents, kind="stable")
    mentions = []
    for row in order[largest(joined[order], count)].tolist():
        in_key = row < len(key)
        other = int(partner[row]) if in_key else int(alone[row - len(key)])
        k = int(key.entity[row]) if in_key else -1
        r = int(response.entity[other]) if other >= 0 else -1
        side, at = (key, row) if in_key else (response, other)
        mentions.append(
            WorstMention(
                place_of(side, at),
                None if k < 0 else key.entity_names[k],
                None if r < 0 else response.entity_names[r],
                int(together[row]) if in_key else 0,
                0 if k < 0 else int(sizes[0][k]),
                0 if r < 0 else int(sizes[1][r]),
                float(joined[row]),
            )
        )
    return mentions


def positions_of(span: Sequence[int]) -> str:
    """Return the positions of a mention as text: "8", "10-12"."""
    return "-".join(map(str, dict.fromkeys(span)))


def place_of(side: Side, row: int) -> Place:
    """Return where a mention is, with its words."""
    spans, name = side.mentions, side.names[int(side.document[row])]
    if not isinstance(spans, Spans):
        return Place(name, None, repr(spans[row]), None)
    first, last = int(spans.first[row]), int(spans.last[row])
    if spans.token_ends is not None and spans.tokens is not None:
        begin, end = spans.token_ends[row : row + 2].tolist()
        positions = spans.tokens[begin:end].tolist()
    else:
        positions = list(range(first, min(last, first + LISTED_WORDS) + 1))
    tokens = side.tokens[int(side.document[row])]
    text = ""
    if tokens is not None and last < len(tokens.words):
        words = [tokens.words[at] for at in positions[:LISTED_WORDS]]
        text = " ".join([*words, "..."] if len(positions) > LISTED_WORDS else words)
    return Place(
        name, [first, last], text, None if spans.line is None else int(spans.line[row])
    )
