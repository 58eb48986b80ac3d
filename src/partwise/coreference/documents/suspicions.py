"""What about a key and a response is suspicious, and what makes them no pair at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from partwise.coreference.documents.columns import (
    ChosenDocuments,
    has_mentions,
    has_spans,
    has_tokens,
)
from partwise.coreference.documents.documents import Documents, Side, Spans
from partwise.coreference.documents.objects import kinds_of
from partwise.coreference.documents.sides import documents_with_empty_nodes, running_ends
from partwise.coreference.documents.tokens import (
    have_tokens,
    may_have_empty_nodes,
    numbers_of_tokens,
    numbers_of_words,
    same_tokens,
)
from partwise.labels.notes import Note
from partwise.labels.suspicions import in_normal_form
from partwise.numbers.arrays import IntArray

#: Words of both sides are compared at so many places, evenly over all documents: decoding one
#: costs as much as scoring many mentions.
WORDS_COMPARED = 16
#: Share of these that may differ: scorers spell quotes and brackets in several ways.
SHARE_OF_OTHER_WORDS = 0.2
_NO_WORDS = ("", "_")


def check_positions(key: Documents, response: Documents) -> None:
    """Raise ValueError where the positions of the two sides count other things.

    Ends that nothing proves are refused beside a side whose ends are certain: the two readings
    give other mentions. Where neither side proves its ends both are read alike.
    """
    sides = (("key", key, response), ("response", response, key))
    for name, own, other in sides:
        if not (has_spans(own) and has_spans(other)):
            continue
        codes, others = _codes(own), _codes(other)
        file = own.path or f"the {name}"
        if "ends-by-default" in codes and "ends-by-default" not in others:
            raise ValueError(
                f"{file}: the second number of a mention may be its last token or the one "
                "after it, nothing in the file proves which, and the other side's ends are "
                "certain; "
                f'say ends="inclusive" or ends="exclusive" (of the {name})'
            )
        if "positions-are-characters" in codes - others and has_tokens(other):
            raise ValueError(
                f"{file}: its mentions are spans of characters, those of the other side spans "
                "of tokens; write both sides in one unit"
            )


def _codes(documents: Documents) -> set[str]:
    return {note.code for note in documents.notes}


def check_kinds(key: ChosenDocuments, response: ChosenDocuments) -> None:
    """Raise ValueError where no mention of one side can equal one of the other."""
    examples, kinds = [], []
    for side in (key.side, response.side):
        if isinstance(side.mentions, Spans) or not side.mentions:
            return
        examples.append(side.mentions[0])
        kinds.append(_kinds_in(side))
    if not kinds[0] & kinds[1]:
        raise ValueError(
            f"mentions of the key are such as {examples[0]!r} ({_named(examples[0])}), of the "
            f"response such as {examples[1]!r} ({_named(examples[1])}): none can be the same; "
            "write them alike on both sides"
        )


def _kinds_in(side: Side) -> set[object]:
    """Return the kinds of a side's objects."""
    assert not isinstance(side.mentions, Spans)
    if side.numbers is None:
        return kinds_of(side.mentions)
    return kinds_of(side.mentions[:1])  # all are whole numbers, or all pairs of such


def alike(
    own: ChosenDocuments, other: ChosenDocuments, format: str
) -> tuple[ChosenDocuments, list[Note]]:
    """Return documents whose mentions are text where those of the other side are.

    A column of a table that has whole numbers alone is read as numbers, and as text where one
    cell is no number: the same id would be 7 on one side and "7" on the other.
    """
    if format != "table" or own.has_spans or other.has_spans:
        return own, []  # most files: nothing was looked at
    mentions = own.side.mentions
    assert not isinstance(mentions, Spans)
    if _kinds_in(own.side) != {"number"} or "text" not in _kinds_in(other.side):
        return own, []
    if not all(type(mention) is int for mention in mentions):
        return own, []
    text = "whole numbers as mentions, compared as text, as the other side has text"
    side = replace(own.side, mentions=list(map(str, mentions)), numbers=None)
    return replace(own, side=side), [Note("mentions-interpreted", text)]


def _named(mention: object) -> str:
    if isinstance(mention, tuple):
        return f"tuple of {', '.join(type(part).__name__ for part in mention)}"
    return type(mention).__name__


def notes_on_mentions(key: Documents, response: Documents) -> list[Note]:
    """Return a note for each side that has no mention at all."""
    notes = []
    for name, documents in (("key", key), ("response", response)):
        if len(documents) and not has_mentions(documents):
            text = "no mention in any document; every score of it is 0 or 0 / 0"
            notes.append(Note("no-mentions", text, documents.path or name))
    return notes


def check_columns(
    key: Side, response: Side, how: str, convention: str | None, paths: Sequence[str | None]
) -> None:
    """Raise ValueError where mentions lack what the way to match them goes by.

    ``convention`` is the one that chose the way; None: the caller did.
    """
    needed = {"head": ("key", "response"), "partial": ("key",), "minimum_span": ("key",)}
    what = "minimum spans" if how == "minimum_span" else "heads"
    said = f'mentions="{how}"' if convention is None else f"the convention {convention}"
    for name, side, path in zip(("key", "response"), (key, response), paths, strict=True):
        spans = side.mentions
        if name not in needed.get(how, ()):
            continue
        if isinstance(spans, Spans):
            if (spans.minimum if how == "minimum_span" else spans.head) is not None:
                continue
            lack = f"the {name} has none"
        else:
            lack = f"the mentions of the {name} are no spans of tokens"
        where = "CorefUD files have them"
        if what == "heads":
            where += ", and a parse or dependencies of the key give them"
        raise ValueError(
            f"{path or name}: {said} goes by {what} of mentions, and {lack}; {where}, "
            'mentions="exact" needs none'
        )


def notes_on_zeros(key: Side, response: Side) -> list[Note]:
    """Return a note where zeros were to be matched and there are none."""
    if any(documents_with_empty_nodes(side).any() for side in (key, response)):
        return []
    text = "zeros are to be matched by dependencies, but no document has empty nodes (zeros)"
    return [Note("option-unused", text)]


def notes_on_spelling_of_mentions(key: Side, response: Side, partner: IntArray) -> list[Note]:
    """Return a note where texts without a partner have one in another normal form.

    O(mentions) where some text without a partner is not ASCII, else O(those without).
    """
    if isinstance(key.mentions, Spans) or isinstance(response.mentions, Spans):
        return []
    lone = np.flatnonzero(partner < 0).tolist()
    odd = [
        (int(key.document[row]), text)
        for row in lone
        if isinstance(text := key.mentions[row], str) and not text.isascii()
    ]
    if not odd:
        return []
    taken = set(partner[partner >= 0].tolist())
    theirs = {
        (int(response.document[row]), in_normal_form(text)): text
        for row, text in enumerate(response.mentions)
        if row not in taken and isinstance(text, str) and not text.isascii()
    }
    alike = [
        (document, text, theirs[document, in_normal_form(text)])
        for document, text in odd
        if (document, in_normal_form(text)) in theirs
    ]
    if not alike:
        return []
    document, ours, other = alike[0]
    return [
        Note(
            "mentions-alike",
            f"document {key.names[document]!r}: {ours!a} of the key and {other!a} of "
            "the response differ only by the normal form of Unicode, and are two mentions "
            f"({len(alike)} such in all); bring both sides to one form",
        )
    ]


def notes_on_words(key: Side, response: Side) -> tuple[list[Note], bool]:
    """Return a note where the two sides have other words, and whether their numbers differ.

    Words are counted everywhere, empty nodes aside, and compared at about 16 places.
    O(documents), and the tokens of documents with empty nodes.
    """
    sides = (key.tokens, response.tokens)
    both = have_tokens(sides[0]) & have_tokens(sides[1])
    if both.any():
        both &= ~same_tokens(*sides)
    if not both.any():
        return [], False
    ours, theirs = map(numbers_of_words, sides)
    other = np.flatnonzero(both & (ours != theirs))
    if len(other):
        at = int(other[0])
        more = f" and {len(other) - 1} documents more" if len(other) > 1 else ""
        text = (
            f"document {key.names[at]!r} has {ours[at]} words in the key, {theirs[at]} in the "
            f"response{more}; mentions are compared by position, so both sides have to have "
            "the same tokens"
        )
        return [Note("other-words", text)], True
    plain = both & ~may_have_empty_nodes(sides[0]) & ~may_have_empty_nodes(sides[1])
    return _notes_on_spelling(key, response, np.flatnonzero(plain)), False


def _notes_on_spelling(key: Side, response: Side, documents: IntArray) -> list[Note]:
    """Return a note where many of the compared words of some documents differ."""
    ends = running_ends(numbers_of_tokens(key.tokens)[documents])
    step = max(1, int(ends[-1]) // WORDS_COMPARED)
    compared, different, example = 0, 0, ""
    places = np.arange(0, int(ends[-1]), step)
    rows = np.searchsorted(ends, places, side="right") - 1
    for document, at in zip(
        documents[rows].tolist(), (places - ends[rows]).tolist(), strict=True
    ):
        own, other = key.tokens[document], response.tokens[document]
        assert own is not None
        assert other is not None
        ours, theirs = own.words[at], other.words[at]
        if ours in _NO_WORDS or theirs in _NO_WORDS:
            continue
        compared += 1
        if ours != theirs:
            different += 1
            example = example or (
                f"token {at} of document {key.names[document]!r} is {ours!r} in the key, "
                f"{theirs!r} in the response"
            )
    if different <= SHARE_OF_OTHER_WORDS * compared:
        return []
    text = f"{example}; {different} of {compared} words that were compared differ"
    return [Note("other-words", text)]
