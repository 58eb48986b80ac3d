"""Errors by category: the steps that turn a response into its key."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from textwrap import fill
from typing import Any, ClassVar, Self

import numpy as np

from partwise.coreference.documents.documents import Side, Spans
from partwise.coreference.documents.sides import select
from partwise.coreference.mentions.assignment import best_pairs
from partwise.coreference.mentions.candidates import (
    TooManyPairs,
    gathered,
    overlapping,
    too_many,
)
from partwise.coreference.mentions.matching import match_mentions
from partwise.coreference.mentions.word_runs import word_runs
from partwise.coreference.scores.scores import CoreferenceScores
from partwise.coreference.scores.worst import LISTED_MENTIONS, Place, place_of
from partwise.labels.account import counted
from partwise.numbers.arrays import IntArray
from partwise.report.json_documents import JsonResult, label_of
from partwise.report.table import WIDTH, Table, Tabular, wrapped

#: The categories in the order of the paper, and what one error of each is.
CATEGORIES = {
    "span error": "a mention of the response has other ends than that of the key",
    "missing entity": "no mention of an entity of the key is in the response",
    "extra entity": "no mention of an entity of the response is in the key",
    "missing mention": "an entity of the response lacks a mention of the key",
    "extra mention": "an entity of the response has a mention that the key lacks",
    "divided entity": "an entity of the key has a further part in the response",
    "conflated entities": "an entity of the response has a part of a further one of the key",
}
#: Words of the other mentions of an example.
_BESIDE = {
    "span error": "in the key",
    "missing mention": "beside",
    "extra mention": "beside",
    "divided entity": "apart from",
    "conflated entities": "together with",
}


@dataclass(frozen=True, slots=True)
class ErrorExample:
    """One error.

    Attributes
    ----------
    document : str
    entity
        Name of the entity; of the response for span errors, extra mentions and entities, and
        conflated entities, else of the key.
    mentions : list of Place
        The mention that is wrong, missing or extra; some of those of the entity or of its part.
    others : list of Place
        The mention of the key that a span error is of; some other mentions of the entity, or
        of its largest part.
    """

    document: str
    entity: Any
    mentions: list[Place]
    others: list[Place]


@dataclass(frozen=True, slots=True)
class ErrorCategory:
    """Errors of one category.

    Attributes
    ----------
    category : str
    errors : int
        Steps of this category.
    mentions : int
        Mentions that they are about.
    examples : list of ErrorExample
        The first of each document in turn.
    """

    category: str
    errors: int
    mentions: int
    examples: list[ErrorExample]


@dataclass(frozen=True, eq=False, repr=False)
class ErrorCategories(Tabular, JsonResult, Mapping[str, ErrorCategory]):
    """Errors of a response by category; see ``error_categories``.

    Attributes
    ----------
    spans : str
        How span errors were seen: "heads", "overlap", or "none" where mentions are no spans.
    """

    _schema: ClassVar[str] = "coreference-error-categories/1"

    categories: list[ErrorCategory]
    spans: str

    def __getitem__(self, name: str) -> ErrorCategory:
        for one in self.categories:
            if one.category == name:
                return one
        raise KeyError(f"{name}: one of {', '.join(CATEGORIES)} is expected")

    def __iter__(self) -> Iterator[str]:
        return (one.category for one in self.categories)

    def __len__(self) -> int:
        return len(self.categories)

    def heading(self) -> list[str]:
        """Return how span errors were seen."""
        seen = {
            "heads": "mentions of one head",
            "overlap": "mentions that share half of their words or more",
            "none": "none, since mentions are no spans",
        }
        return [
            f"errors by category (Kummerfeld and Klein 2013); span errors: {seen[self.spans]}"
        ]

    def table(self) -> Table:
        """Return the table, a category a line."""
        rows = [
            (one.category, str(one.errors), str(one.mentions), CATEGORIES[one.category])
            for one in self.categories
        ]
        return Table(("category", "errors", "mentions", "one error"), rows)

    def __str__(self) -> str:
        lines = [wrapped(self.heading())]
        for one in self.categories:
            numbers = f"{counted(one.errors, 'error')}, {counted(one.mentions, 'mention')}"
            lines.append(f"\n{one.category}: {numbers}\n  {CATEGORIES[one.category]}")
            for example in one.examples:
                shown = example_text(one.category, example)
                lines.append(
                    fill(shown, WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 8)
                )
        return "\n".join(lines)

    def __repr__(self) -> str:
        return (
            f"ErrorCategories({', '.join(f'{x.category} {x.errors}' for x in self.categories)})"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {"spans": self.spans, "categories": [asdict(one) for one in self.categories]}

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        def places(rows: list[dict[str, Any]]) -> list[Place]:
            return [Place(**row) for row in rows]

        return cls(
            categories=[
                ErrorCategory(
                    one["category"],
                    one["errors"],
                    one["mentions"],
                    [
                        ErrorExample(
                            x["document"],
                            label_of(x["entity"]),
                            places(x["mentions"]),
                            places(x["others"]),
                        )
                        for x in one["examples"]
                    ],
                )
                for one in document["categories"]
            ],
            spans=document["spans"],
        )


def error_categories(scores: CoreferenceScores, examples: int = 3) -> ErrorCategories:
    """Return the errors of a response by the categories of Kummerfeld and Klein.

    Parameters
    ----------
    scores : CoreferenceScores
    examples : int, default 3
        Errors of each category that are listed with their words.

    Returns
    -------
    ErrorCategories
        ``errors["divided entity"].errors`` and so on; printed, a line for each category with
        its examples.

    Raises
    ------
    ValueError
        ``examples`` is below 0.

    Notes
    -----
    Five kinds of steps turn the response into the key; errors are these steps, and those that
    make or remove a whole entity are one error. Spans are altered first: mentions without a
    partner on either side that have one head are one mention with a span error; where a side
    has no heads, mentions that share half of the words that either has, or more. Then each
    entity of the response is split into its parts of one entity of the key (one less than there
    are parts: conflated entities), and mentions that the key lacks are removed (extra mentions,
    or an extra entity where all are). Last, mentions that the response lacks are introduced and
    the parts of each entity of the key are merged (missing mentions, or a missing entity; one
    less than there are parts: divided entity). O(mentions log mentions).

    References
    ----------
    Kummerfeld and Klein, Error-Driven Analysis of Challenges in Coreference Resolution, EMNLP
    2013.

    Examples
    --------
    >>> import partwise as pw
    >>> key = {"d": [["a", "b", "c"], ["d", "e"], ["f", "g"]]}
    >>> scores = pw.coreference.score(key, {"d": [["a", "b"], ["c", "d", "e", "x"]]})
    >>> errors = pw.coreference.error_categories(scores)
    >>> {name: one.errors for name, one in errors.items() if one.errors}
    {'missing entity': 1, 'extra mention': 1, 'divided entity': 1, 'conflated entities': 1}
    """
    if examples < 0:
        raise ValueError(f"examples={examples}: a number of errors, 0 or more, is expected")
    x = scores._shared
    key, response = x.places
    rows, others, seen = _altered(key, response, x.partner)
    partner = x.partner.copy()
    partner[rows] = others
    twin = np.full(len(response), -1, dtype=np.int64)
    twin[partner[partner >= 0]] = np.flatnonzero(partner >= 0)
    found: dict[str, list[_Step]] = {name: [] for name in CATEGORIES}
    found["span error"] = [
        _Step(1, int(response.entity[other]), [other], [row])
        for row, other in zip(rows.tolist(), others.tolist(), strict=True)
    ]
    names = ("missing entity", "missing mention", "divided entity")
    _steps_of_side(0, key, response.entity, partner, names, found)
    names = ("extra entity", "extra mention", "conflated entities")
    _steps_of_side(1, response, key.entity, twin, names, found)
    categories = []
    for name, steps in found.items():
        chosen = [_example(step, (key, response), name) for step in steps[:examples]]
        mentions = sum(len(step.rows) for step in steps)
        categories.append(ErrorCategory(name, len(steps), mentions, chosen))
    return ErrorCategories(categories, seen)


@dataclass(frozen=True, slots=True)
class _Step:
    """An error: its side (0: the key), its entity, mentions it is about, and others beside."""

    side: int
    entity: int
    rows: list[int]
    others: list[int]


def _altered(key: Side, response: Side, partner: IntArray) -> tuple[IntArray, IntArray, str]:
    """Return mentions of the key and of the response that are one but for their spans."""
    nothing = np.empty(0, dtype=np.int64)
    if not (isinstance(key.mentions, Spans) and isinstance(response.mentions, Spans)):
        return nothing, nothing, "none"
    free_key = partner < 0
    free_response = np.ones(len(response), dtype=np.bool_)
    free_response[partner[~free_key]] = False
    rows, others = np.flatnonzero(free_key), np.flatnonzero(free_response)
    sides = select(key, free_key), select(response, free_response)
    if key.mentions.head is not None and response.mentions.head is not None:
        match = match_mentions(*sides, how="head").partner
        hit = np.flatnonzero(match >= 0)
        return rows[hit], others[match[hit]], "heads"
    words = word_runs(*sides)
    try:
        left, right, common = gathered(overlapping(*words), len(rows) + len(others))
    except TooManyPairs as error:
        raise too_many(error, sides[0], error.mention, "the analysis of spans") from None
    either = words[0].sizes[left] + words[1].sizes[right] - common
    close = 2 * common >= either
    left, right, common, either = left[close], right[close], common[close], either[close]
    if not len(left):
        return nothing, nothing, "overlap"
    taken = best_pairs(left, right, common, either)
    return rows[left[taken]], others[right[taken]], "overlap"


def _steps_of_side(
    number: int,
    side: Side,
    other_entity: IntArray,
    link: IntArray,
    names: tuple[str, str, str],
    found: dict[str, list[_Step]],
) -> None:
    """Add the steps of the entities of a side: whole ones, single mentions, further parts.

    ``link`` has the partner of each mention, ``other_entity`` the entities of those.
    """
    parts: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for row, (entity, partner) in enumerate(
        zip(side.entity.tolist(), link.tolist(), strict=True)
    ):
        parts[entity][-1 if partner < 0 else int(other_entity[partner])].append(row)
    for entity, homes in parts.items():
        alone = homes.pop(-1, [])
        if not homes:
            found[names[0]].append(_Step(number, entity, alone, []))
            continue
        # the largest part stays, the first of several
        largest, *further = sorted(homes.values(), key=lambda rows: (-len(rows), rows[0]))
        found[names[1]] += [_Step(number, entity, [row], largest) for row in alone]
        found[names[2]] += [_Step(number, entity, rows, largest) for rows in further]


def _example(step: _Step, sides: tuple[Side, Side], category: str) -> ErrorExample:
    side = sides[step.side]
    beside = sides[0] if category == "span error" else side
    return ErrorExample(
        side.names[int(side.document[step.rows[0]])],
        side.entity_names[step.entity],
        [place_of(side, row) for row in step.rows[:LISTED_MENTIONS]],
        [place_of(beside, row) for row in step.others[: LISTED_MENTIONS // 2]],
    )


def example_text(category: str, example: ErrorExample) -> str:
    """Return an example of a category with the words of its mentions."""
    mentions = ", ".join(map(_words, example.mentions))
    others = ", ".join(map(_words, example.others))
    beside = f", {_BESIDE[category]}: {others}" if others else ""
    return f"{example.document}, entity {example.entity}: {mentions}{beside}"


def _words(place: Place) -> str:
    if place.span is None:
        return place.text
    where = "-".join(map(str, dict.fromkeys(place.span)))
    return f'"{place.text}" ({where})' if place.text else where
