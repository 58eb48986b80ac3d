"""What about a key and a response is suspicious, and what makes them no pair at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from partwise.coreference.documents.documents import (
    Document,
    Documents,
    Side,
    Spans,
    Tokens,
)
from partwise.coreference.documents.objects import kinds_of
from partwise.coreference.documents.sides import documents_with_empty_nodes
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
        if not (_is_of_spans(own) and _is_of_spans(other)):
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
        worded = any(document.tokens is not None for document in other)
        if "positions-are-characters" in codes - others and worded:
            raise ValueError(
                f"{file}: its mentions are spans of characters, those of the other side spans "
                "of tokens; write both sides in one unit"
            )


def _codes(documents: Documents) -> set[str]:
    return {note.code for note in documents.notes}


def _is_of_spans(documents: Documents) -> bool:
    return any(isinstance(x.mentions, Spans) and len(x) for x in documents)


def check_kinds(key: Sequence[Document], response: Sequence[Document]) -> None:
    """Raise ValueError where no mention of one side can equal one of the other."""
    examples, kinds = [], []
    for documents in (key, response):
        objects = [x.mentions for x in documents if not isinstance(x.mentions, Spans)]
        spans = [x.mentions for x in documents if isinstance(x.mentions, Spans)]
        if any(map(len, spans)) or not any(map(len, objects)):
            return
        examples.append(next(mentions[0] for mentions in objects if len(mentions)))
        kinds.append(set[object]().union(*(kinds_of(mentions) for mentions in objects)))
    if not kinds[0] & kinds[1]:
        raise ValueError(
            f"mentions of the key are such as {examples[0]!r} ({_named(examples[0])}), of the "
            f"response such as {examples[1]!r} ({_named(examples[1])}): none can be the same; "
            "write them alike on both sides"
        )


def alike(
    own: Sequence[Document], other: Sequence[Document], format: str
) -> tuple[list[Document], list[Note]]:
    """Return documents whose mentions are text where those of the other side are.

    A column of a table that has whole numbers alone is read as numbers, and as text where one
    cell is no number: the same id would be 7 on one side and "7" on the other.
    """
    documents = list(own)
    if format != "table" or any(isinstance(x.mentions, Spans) for x in (*own, *other)):
        return documents, []  # most files: nothing was looked at
    kinds, others = (
        {
            kind
            for x in side
            if not isinstance(x.mentions, Spans)
            for kind in kinds_of(x.mentions)
        }
        for side in (own, other)
    )
    if kinds != {"number"} or "text" not in others:
        return documents, []
    listed = [x.mentions for x in own if not isinstance(x.mentions, Spans)]
    if not all(type(mention) is int for mentions in listed for mention in mentions):
        return documents, []
    text = "whole numbers as mentions, compared as text, as the other side has text"
    return (
        [
            replace(x, mentions=list(map(str, mentions)))
            for x, mentions in zip(own, listed, strict=True)
        ],
        [Note("mentions-interpreted", text)],
    )


def _named(mention: object) -> str:
    if isinstance(mention, tuple):
        return f"tuple of {', '.join(type(part).__name__ for part in mention)}"
    return type(mention).__name__


def notes_on_mentions(key: Documents, response: Documents) -> list[Note]:
    """Return a note for each side that has no mention at all."""
    notes = []
    for name, documents in (("key", key), ("response", response)):
        if len(documents) and not any(map(len, documents)):
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
        raise ValueError(
            f"{path or name}: {said} goes by {what} of mentions, and {lack}; CorefUD files "
            'have them, mentions="exact" needs none'
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


def notes_on_words(
    key: Sequence[Document], response: Sequence[Document]
) -> tuple[list[Note], bool]:
    """Return a note where the two sides have other words, and whether their numbers differ.

    Words are counted everywhere, empty nodes aside, and compared at about 16 places.
    O(documents), and the tokens of documents with empty nodes.
    """
    pairs = [
        (a.name, a.tokens, b.tokens)
        for a, b in zip(key, response, strict=True)
        if a.tokens is not None and b.tokens is not None and a.tokens is not b.tokens
    ]
    other = [(name, n, m) for name, a, b in pairs if (n := _n_words(a)) != (m := _n_words(b))]
    if other:
        name, n, m = other[0]
        more = f" and {len(other) - 1} documents more" if len(other) > 1 else ""
        text = (
            f"document {name!r} has {n} words in the key, {m} in the response{more}; mentions "
            "are compared by position, so both sides have to have the same tokens"
        )
        return [Note("other-words", text)], True
    return _notes_on_spelling(pairs), False


def _n_words(tokens: Tokens) -> int:
    return len(tokens) - (0 if tokens.empty is None else int(np.count_nonzero(tokens.empty)))


def _notes_on_spelling(pairs: Sequence[tuple[str, Tokens, Tokens]]) -> list[Note]:
    """Return a note where many of the compared words differ."""
    plain = [(name, a, b) for name, a, b in pairs if a.empty is None and b.empty is None]
    compared, different, example = 0, 0, ""
    total = sum(len(a) for _, a, _ in plain)
    step = max(1, total // WORDS_COMPARED)
    first = 0
    for name, a, b in plain:
        compared_here = range(first, len(a), step)
        first = (first - len(a)) % step if first < len(a) else first - len(a)
        for at in compared_here:
            ours, theirs = a.words[at], b.words[at]
            if ours in _NO_WORDS or theirs in _NO_WORDS:
                continue
            compared += 1
            if ours != theirs:
                different += 1
                example = example or (
                    f"token {at} of document {name!r} is {ours!r} in the key, {theirs!r} in "
                    "the response"
                )
    if different <= SHARE_OF_OTHER_WORDS * compared:
        return []
    text = f"{example}; {different} of {compared} words that were compared differ"
    return [Note("other-words", text)]
