"""Mentions of CorefUD: brackets that open and close, their fields, and the spans they make."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NoReturn

import numpy as np

from partwise.coreference.documents.documents import Spans
from partwise.coreference.formats.files import Notes
from partwise.numbers.arrays import IntArray

#: Names of the field that holds the entity.
OF_ENTITY = ("eid", "GRP", "grp")
#: Fields that spans hold.
_OF_SPANS = ("head", "minspan")

_BRACKET = re.compile(r"(\()([^()]+)(\))?|([^()]+)\)")
_PART = re.compile(r"(.+)\[([1-9][0-9]{0,8})/([1-9][0-9]{0,8})\]\Z")
_NUMBERS = re.compile(r"[1-9][0-9]{0,8}(?:,[1-9][0-9]{0,8})*\Z")
_MISSING = ("nan", "none", "null")


@dataclass(slots=True)
class Mention:
    """A mention that is being read: where it opens, its runs of tokens, its fields."""

    entity: str
    line: int
    parts: int
    fields: tuple[str, ...]
    values: Sequence[str]
    runs: list[tuple[int, int]] = field(default_factory=list)

    def value(self, name: str) -> str:
        """Return the value of a field; "" where there is none."""
        if name not in self.fields:
            return ""
        at = self.fields.index(name)
        return self.values[at] if at < len(self.values) else ""


def brackets_of(value: str) -> list[tuple[bool, str, bool]] | None:
    """Return (whether it opens, content, whether it closes) a bracket; None: other text.

    Examples
    --------
    >>> brackets_of("e2)(e1-person(e3)")
    [(False, 'e2', True), (True, 'e1-person', False), (True, 'e3', True)]
    """
    found = []
    at = 0
    # one bracket after the other: a pattern of all of them takes exponential time to refuse
    while at < len(value):
        match = _BRACKET.match(value, at)
        if match is None:
            return None
        if match[1]:
            found.append((True, match[2], bool(match[3])))
        else:
            found.append((False, match[4], True))
        at = match.end()
    return found or None


class MentionReader:
    """The mentions of a document, token by token.

    Parameters
    ----------
    fail : callable
        Raises the error for a line of the document and what is wrong there.
    notes : Notes
    """

    def __init__(self, fail: Callable[[int, str], NoReturn], notes: Notes) -> None:
        self._fail = fail
        self._notes = notes
        self.mentions: list[Mention] = []
        # by entity and part, as closing brackets name them: mentions, and their open runs
        self._waiting: dict[str, list[tuple[Mention, int]]] = {}
        # by entity and number of parts: discontinuous mentions that lack parts
        self._lacking: dict[tuple[str, int], list[Mention]] = {}
        self._has = dict.fromkeys(_OF_SPANS, False)

    def read(self, line: int, token: int, value: str, fields: tuple[str, ...]) -> None:
        """Read the brackets of a token."""
        brackets = brackets_of(value)
        if brackets is None:
            self._fail(line, f"Entity={value} does not consist of '(...', '(...)' and '...)'")
        at = next(i for i, name in enumerate(fields) if name in OF_ENTITY)
        for opens, content, closes in brackets:
            values = content.split("-", len(fields) - 1)
            if opens and len(values) <= at:
                self._fail(line, f"Entity=({content} lacks the field {fields[at]}")
            key = values[at] if len(values) > at else content
            if opens:
                for name in _OF_SPANS:
                    self._has[name] |= name in fields
                self._open(line, token, key, fields, values)
            if closes:
                self._close(line, token, key)

    def _open(
        self, line: int, token: int, key: str, fields: tuple[str, ...], values: Sequence[str]
    ) -> None:
        part = _PART.match(key)
        entity, number, parts = (part[1], int(part[2]), int(part[3])) if part else (key, 1, 1)
        if number > parts:
            self._fail(line, f"entity {entity!r}: part {number} of {parts}")
        if entity.lower() in _MISSING:
            self._fail(line, f"the entity {entity!r} is a missing value; give it an id")
        if number == 1:
            mention = Mention(entity, line, parts, fields, values)
            self.mentions.append(mention)
            if parts > 1:
                self._lacking.setdefault((entity, parts), []).append(mention)
        else:
            mention = self._continued(line, entity, number, parts)
            if any(
                value != mention.value(name)
                for name, value in zip(fields, values, strict=False)
                if name not in OF_ENTITY and value
            ):
                self._notes.count(
                    "mentions-interpreted",
                    "parts of mentions with other fields than the first part, whose were taken",
                )
        mention.runs.append((token, -1))
        self._waiting.setdefault(key, []).append((mention, len(mention.runs) - 1))

    def _continued(self, line: int, entity: str, number: int, parts: int) -> Mention:
        """Return the mention that lacks a part."""
        open_ones = self._lacking.get((entity, parts), [])
        fitting = [x for x in open_ones if len(x.runs) == number - 1]
        if not fitting:
            self._fail(
                line,
                f"part {number}/{parts} of a mention of entity {entity!r}, but no mention "
                f"with part {number - 1}/{parts} before it",
            )
        mention = fitting[-1]
        if number == parts:
            open_ones[:] = [x for x in open_ones if x is not mention]
        return mention

    def _close(self, line: int, token: int, key: str) -> None:
        stack = self._waiting.get(key)
        if not stack:
            self._fail(
                line,
                f"a mention of entity {key!r} is closed but not open; open it with '({key}-...'"
                " before",
            )
        mention, run = stack.pop()
        mention.runs[run] = (mention.runs[run][0], token)

    def check_closed(self) -> None:
        """Refuse mentions that are open, or lack parts, at the end of the document."""
        for key, stack in self._waiting.items():
            if stack:
                self._fail(
                    stack[-1][0].line,
                    f"a mention of entity {key!r} is opened and never closed; write 'Entity="
                    f"{key})' at its last token",
                )
        for (entity, parts), open_ones in self._lacking.items():
            if open_ones:
                self._fail(
                    open_ones[-1].line,
                    f"a mention of entity {entity!r} has {len(open_ones[-1].runs)} of its "
                    f"{parts} parts",
                )

    def attributes(self) -> dict[str, list[str]]:
        """Return the fields that spans do not hold, those in which a mention has a value."""
        names = dict.fromkeys(
            name
            for fields in {mention.fields: None for mention in self.mentions}
            for name in fields
            if name not in (*OF_ENTITY, *_OF_SPANS)
        )
        columns = {name: [x.value(name) for x in self.mentions] for name in names}
        return {name: column for name, column in columns.items() if any(column)}

    def spans(self, places_of_words: Sequence[int], empty: Sequence[bool]) -> Spans:
        """Return the mentions as spans.

        Parameters
        ----------
        places_of_words : sequence of int
            The tokens that are no empty nodes, ascending.
        empty : sequence of bool
            Whether a token is an empty node.
        """
        tokens = [_tokens(mention) for mention in self.mentions]
        discontinuous = any(mention.parts > 1 for mention in self.mentions)
        sizes = [len(x) for x in tokens]
        pairs = list(zip(self.mentions, tokens, strict=True))
        minimum = None
        if self._has["minspan"]:
            minimum = column(
                [
                    self._minimum(mention, x, _words_of(x, places_of_words, empty))
                    for mention, x in pairs
                ]
            ).reshape(-1, 2)
        return Spans(
            column([x[0] for x in tokens]),
            column([x[-1] for x in tokens]),
            column([self._head(*pair) for pair in pairs]) if self._has["head"] else None,
            minimum,
            column(np.cumsum([0, *sizes])) if discontinuous else None,
            np.fromiter(chain.from_iterable(tokens), np.int64, sum(sizes))
            if discontinuous
            else None,
            column([mention.line for mention in self.mentions]),
        )

    def _head(self, mention: Mention, tokens: Sequence[int]) -> int:
        numbers = self._numbers(mention, "head", len(tokens))
        if not numbers:
            if len(tokens) > 1:
                self._notes.count(
                    "mentions-interpreted",
                    "mentions of several words without a head, taken as the first",
                )
            return tokens[0]
        if len(numbers) > 1:
            self._notes.count(
                "mentions-interpreted",
                "mentions with several heads, of which the first was taken",
            )
        return tokens[numbers[0] - 1]

    def _minimum(
        self, mention: Mention, tokens: Sequence[int], words_of: tuple[Sequence[int], int, int]
    ) -> tuple[int, int]:
        words, before, size = words_of
        numbers = self._numbers(mention, "minspan", size)
        if not numbers:
            self._notes.count(
                "mentions-interpreted", "mentions without a minimum span, taken as whole"
            )
            return tokens[0], tokens[-1]
        return words[before + min(numbers) - 1], words[before + max(numbers) - 1]

    def _numbers(self, mention: Mention, name: str, size: int) -> list[int]:
        value = mention.value(name)
        if value in ("", "_"):
            return []
        numbers = list(map(int, value.split(","))) if _NUMBERS.match(value) else [0]
        if min(numbers) < 1 or max(numbers) > size:
            self._fail(
                mention.line,
                f"{name} {value!r} of a mention of entity {mention.entity!r} is not among its "
                f"words 1 to {size}",
            )
        return numbers


def _tokens(mention: Mention) -> Sequence[int]:
    """Return the tokens of a mention, which ascend; one run of them takes no memory."""
    if len(mention.runs) == 1:
        first, last = mention.runs[0]
        return range(first, last + 1)
    return sorted({t for first, last in mention.runs for t in range(first, last + 1)})


def _words_of(
    tokens: Sequence[int], places_of_words: Sequence[int], empty: Sequence[bool]
) -> tuple[Sequence[int], int, int]:
    """Return places, how many stand before those of a mention's words, how many those are.

    A mention of empty nodes alone has these for words. Runs are not copied: many long mentions
    may lie in each other.
    """
    if isinstance(tokens, range):
        words: Sequence[int] = places_of_words
        before = bisect_left(words, tokens[0])
        size = bisect_left(words, tokens[-1] + 1) - before
    else:
        words = [token for token in tokens if not empty[token]]
        before, size = 0, len(words)
    return (words, before, size) if size else (tokens, 0, len(tokens))


def column(values: object) -> IntArray:
    """Return whole numbers as a column."""
    return np.array(values, dtype=np.int64)
