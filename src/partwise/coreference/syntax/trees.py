"""Phrases of a document, from the brackets that stand at its tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from partwise.coreference.documents.documents import Tokens

#: "(TOP(S(NP*" or "*))": what opens before the token, the token, what closes behind it.
_BRACKETS = re.compile(r"((?:\([^()*\s]+)*)\*(\)*)\Z")


@dataclass(slots=True)
class Phrase:
    """A phrase: its label, its first and last token, and its parts in the order of the text.

    A part is a phrase, or a token by its position.
    """

    label: str
    first: int
    last: int
    parts: list[Phrase | int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PhraseMarks:
    """Labels of the phrases that open at each token, and how many close behind it."""

    opens: list[tuple[str, ...]]
    closes: list[int]
    #: First token of each sentence, and the number of tokens.
    bounds: list[int]


def phrase_marks(tokens: Tokens, document: str) -> PhraseMarks:
    """Return the brackets of a document's tokens.

    Raises
    ------
    ValueError
        A column that is no bracket of phrases, or brackets that a sentence does not close or
        open; with document, sentence and token.
    """
    assert tokens.parse is not None
    opens: list[tuple[str, ...]] = []
    closes: list[int] = []
    breaks = np.flatnonzero(np.diff(tokens.sentence)) + 1
    bounds = [0, *breaks.tolist(), len(tokens)]
    for number, (low, high) in enumerate(pairwise(bounds)):
        depth = 0
        for at in range(low, high):
            text = tokens.parse[at]
            match = _BRACKETS.match(text)
            if match is None:
                raise _fault(
                    *(document, number, at),
                    f"the parse is {text!r}; '*' between what opens and what closes is "
                    "expected, as in '(NP*' or '*))'",
                )
            labels = tuple(match[1].split("(")[1:])
            depth += len(labels) - len(match[2])
            if depth < 0:
                raise _fault(document, number, at, "the parse closes a phrase that is not open")
            opens.append(labels)
            closes.append(len(match[2]))
        if depth:
            what = f"the parse of the sentence leaves {depth} phrases open at its end"
            raise _fault(document, number, high - 1, what)
    return PhraseMarks(opens, closes, bounds)


def _fault(document: str, sentence: int, token: int, what: str) -> ValueError:
    return ValueError(
        f"document {document!r}, sentence {sentence}, token {token} of the document: {what}"
    )


def cut_out(marks: PhraseMarks, members: Sequence[int]) -> list[Phrase | int]:
    """Return the phrases that open within a mention, cut where it ends, and its other tokens.

    ``members`` are the mention's tokens, ascending. What opens before the mention is no part
    of it, even where it ends with the mention.
    """
    top: list[Phrase | int] = []
    open_ones: list[Phrase] = []
    inside = set(members)
    for at in range(members[0], members[-1] + 1):
        for label in marks.opens[at]:
            phrase = Phrase(label, at, at)
            (open_ones[-1].parts if open_ones else top).append(phrase)
            open_ones.append(phrase)
        if at in inside:
            (open_ones[-1].parts if open_ones else top).append(at)
        for phrase in open_ones:
            phrase.last = at
        for _ in range(min(marks.closes[at], len(open_ones))):
            open_ones.pop()
    return top


def sentence_trees(marks: PhraseMarks) -> list[Phrase]:
    """Return a phrase for each sentence, labelled "TOP", that holds what the file has."""
    return [
        Phrase("TOP", low, high - 1, cut_out(marks, range(low, high)))
        for low, high in pairwise(marks.bounds)
        if high > low
    ]


def smallest_around(phrase: Phrase, first: int, last: int) -> Phrase:
    """Return the phrase from ``first`` to ``last``, else the smallest one that holds both.

    Of several over the same tokens the outermost is returned.
    """
    while (phrase.first, phrase.last) != (first, last):
        inner = next(
            (
                part
                for part in phrase.parts
                if isinstance(part, Phrase) and part.first <= first and part.last >= last
            ),
            None,
        )
        if inner is None:
            break
        phrase = inner
    return phrase


def parts_within(phrase: Phrase, members: frozenset[int]) -> Iterator[Phrase | int]:
    """Yield the largest parts of a phrase all of whose tokens are among some."""
    for part in phrase.parts:
        if not isinstance(part, Phrase):
            if part in members:
                yield part
        elif all(at in members for at in range(part.first, part.last + 1)):
            yield part
        elif any(at in members for at in range(part.first, part.last + 1)):
            yield from parts_within(part, members)
