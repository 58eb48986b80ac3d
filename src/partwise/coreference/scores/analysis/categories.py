"""Errors by category: the steps that turn a response into its key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from textwrap import fill
from typing import Any, ClassVar, Self

import numpy as np

from partwise.coreference.documents.documents import Side
from partwise.coreference.scores.analysis.altered_spans import altered_spans
from partwise.coreference.scores.analysis.error_steps import Step, steps_of_side
from partwise.coreference.scores.analysis.pronouns import pronouns
from partwise.coreference.scores.scores import CoreferenceScores
from partwise.coreference.scores.worst import LISTED_MENTIONS, Place, place_of, positions_of
from partwise.labels.account import counted
from partwise.report.json_documents import JsonResult, label_of
from partwise.report.table import WIDTH, Table, Tabular, wrapped

#: The categories in the order in which they are mended, and what one error of each is.
CATEGORIES = {
    "span error": "a mention of the response has other ends than that of the key",
    "conflated entities": "an entity of the response has a part of a further one of the key",
    "extra mention": "an entity of the response has a mention that the key lacks",
    "extra entity": "nothing of an entity of the response, or only pronouns, is in the key",
    "divided entity": "an entity of the key has a further part in the response",
    "missing mention": "an entity of the response lacks a mention of the key",
    "missing entity": "nothing of an entity of the key, or only pronouns, is in the response",
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
    Five kinds of steps turn the response into the key, in this order; errors are these steps.

    1. Spans are altered: mentions without a partner on either side are one with a span error
       if they are equal without marks and "the" before and marks and "'s" behind; else if they
       have one head, which no other mention without a partner has. Heads are those of the
       files, or of the key's parse or dependencies; without such, mentions that share half of
       the words that either has, or more, are taken for one.
    2. Each entity of the response is split into its parts of one entity of the key and into
       its single mentions that the key lacks.
    3. Mentions that the key lacks are removed.
    4. Mentions that the response lacks are introduced.
    5. The parts of each entity of the key and the introduced mentions are merged.

    A removal and its split are an extra mention, an introduction and its merge a missing
    mention, further splits conflated entities, further merges a divided entity. From the piece
    with the first mention that is no pronoun nothing is split (nor is anything merged into
    another piece): it is no error, even where it is a mention that the other side lacks. Where
    only pronouns of an entity are on the other side, or nothing, its other mentions are one
    extra or missing entity, if they are two or more or all there is.

    The steps, their order and the parts of pronouns are those of the authors' program; the
    guide says where this differs. Pronouns are known by parts of speech and in English by
    word; mentions that are no spans have no words and no order in the text, and the largest
    part of an entity is the one that stays. O(mentions log mentions).

    References
    ----------
    Kummerfeld and Klein, Error-Driven Analysis of Challenges in Coreference Resolution, EMNLP
    2013, and their program, berkeley-coreference-analyser.

    Examples
    --------
    >>> import partwise as pw
    >>> key = {"d": [["a", "b", "c"], ["d", "e"], ["f", "g"]]}
    >>> scores = pw.coreference.score(key, {"d": [["a", "b"], ["c", "d", "e", "x"]]})
    >>> errors = pw.coreference.error_categories(scores)
    >>> {name: one.errors for name, one in errors.items() if one.errors}
    {'conflated entities': 1, 'extra mention': 1, 'divided entity': 1, 'missing entity': 1}
    """
    if examples < 0:
        raise ValueError(f"examples={examples}: a number of errors, 0 or more, is expected")
    x = scores._shared
    key, response = x.places
    altered = altered_spans(key, response, x.partner)
    partner = x.partner.copy()
    partner[altered.rows] = altered.others
    twin = np.full(len(response), -1, dtype=np.int64)
    twin[partner[partner >= 0]] = np.flatnonzero(partner >= 0)
    of_key = steps_of_side(0, key, response.entity, partner, pronouns(key, key))
    of_response = steps_of_side(1, response, key.entity, twin, pronouns(response, key))
    spans = zip(altered.rows.tolist(), altered.others.tolist(), strict=True)
    found: dict[str, list[Step]] = {
        "span error": [
            Step(1, int(response.entity[other]), [other], [row]) for row, other in spans
        ],
        "conflated entities": of_response.parts,
        "extra mention": of_response.single,
        "extra entity": of_response.whole,
        "divided entity": of_key.parts,
        "missing mention": of_key.single,
        "missing entity": of_key.whole,
    }
    categories = []
    for name, steps in found.items():
        chosen = [_example(step, (key, response), name) for step in steps[:examples]]
        mentions = sum(len(step.rows) for step in steps)
        categories.append(ErrorCategory(name, len(steps), mentions, chosen))
    return ErrorCategories(categories, altered.seen)


def _example(step: Step, sides: tuple[Side, Side], category: str) -> ErrorExample:
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
    where = positions_of(place.span)
    return f'"{place.text}" ({where})' if place.text else where
