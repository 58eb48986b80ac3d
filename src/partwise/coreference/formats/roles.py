"""What columns and fields, and entities that are none, are called."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence

import numpy as np

from partwise.coreference.documents.documents import Document, DocumentColumns
from partwise.coreference.formats.files import Notes
from partwise.labels.files.headers import (
    DOCUMENT_ENDINGS,
    DOCUMENT_WORDS,
    NOISE,
    OTHER_DOCUMENT_WORDS,
)
from partwise.labels.suspicions import NO_LABEL
from partwise.numbers.arrays import IntArray

DOCUMENT = tuple(word + ending for word in DOCUMENT_WORDS for ending in DOCUMENT_ENDINGS)
#: Names of columns of documents where no column has a name of ``DOCUMENT``.
OTHER_DOCUMENT = (
    "fname",
    *(
        word + ending
        for word in OTHER_DOCUMENT_WORDS
        for ending in DOCUMENT_ENDINGS
        if word + ending != "text"
    ),
)
#: Names of columns that may number the rows, or name documents where a name comes again.
IDS = ("id", "name", "key", "group")
#: Within these positions of tokens may begin anew.
SENTENCE = tuple(
    word + ending
    for word in ("sentence", "sent", "utterance", "utt", "paragraph", "para", "turn")
    for ending in ("", "id", "no", "number", "num", "nr", "idx", "index")
)
#: Names of columns that may tell documents apart, or be about the mention.
MAYBE_DOCUMENT = (
    *("title", "text", "path", "source", "page", "topic", "scene", "chapter", "section", "url"),
    *SENTENCE,
)
PART = ("part", "partid", "partno", "partnumber", "docpart", "documentpart")
MENTION = ("mention", "mentionid", "markable", "markableid", "span", "spanid")
ENTITY = tuple(
    word + ending
    for word in (
        "entity",
        "cluster",
        "coref",
        "coreference",
        "chain",
        "corefchain",
        "corefcluster",
    )
    for ending in ("", "id")
)
#: First and last token of a mention: "last" belongs to the mention, "end" may not.
SPANS = (
    ("first", "last"),
    ("firsttoken", "lasttoken"),
    ("start", "end"),
    ("starttoken", "endtoken"),
    ("tokenstart", "tokenend"),
    ("begin", "end"),
    ("begintoken", "endtoken"),
)
INCLUSIVE = ("last", "lasttoken")
_ENDS_OF_SPANS = tuple(dict.fromkeys(end for ends in SPANS for end in ends))
_NO_ENTITY_WORDS = {*NO_LABEL, *NOISE, "nil", "singleton", "singletons"} - {""}
#: What entities are called that often mean that a mention has none.
NO_ENTITY = frozenset(
    {
        *("_", "*", "-1", -1),
        *(
            form
            for word in _NO_ENTITY_WORDS
            for form in (word, word.upper(), word.capitalize())
        ),
    }
)


def plain(name: str) -> str:
    """Return a name in small letters, without blanks and punctuation: "Doc_ID" is "docid"."""
    return re.sub(r"[\W_]+", "", name).casefold()


def called(names: Iterable[str], wanted: Sequence[str]) -> list[str]:
    """Return those of some names that are one of the wanted, in the order of the wanted."""
    ranked = {name: at for at, name in enumerate(wanted)}
    fitting = [name for name in names if plain(name) in ranked]
    return sorted(fitting, key=lambda name: ranked[plain(name)])


def pairs_of_tokens(names: Sequence[str]) -> list[list[str]]:
    """Return the pairs of names that may be the first and the last token of a mention."""
    pairs = []
    for ends in SPANS:
        pair = [called(names, [end]) for end in ends]
        if all(pair):
            pairs.append([pair[0][0], pair[1][0]])
    return pairs


def name_mentions(names: Sequence[str]) -> bool:
    """Return whether names are those of a table of mentions: an entity, and what is in it."""
    named = bool(called(names, MENTION)) or bool(pairs_of_tokens(names))
    return named and bool(called(names, ENTITY))


def name_roles(names: Sequence[str]) -> bool:
    """Return whether two or more of some names are those of roles."""
    words = (*DOCUMENT, *OTHER_DOCUMENT, *PART, *MENTION, *ENTITY, *SENTENCE, *_ENDS_OF_SPANS)
    return len(called(names, words)) > 1


def note_of_entities(document: Document, notes: Notes) -> None:
    """Note where several mentions are of an entity whose name often means none."""
    if NO_ENTITY.isdisjoint(document.entity_names):
        return
    sizes = np.bincount(document.entity, minlength=len(document.entity_names))
    _note(document.entity_names, sizes, notes)


def note_of_all_entities(documents: DocumentColumns, notes: Notes) -> None:
    """Note the same of documents in columns."""
    side = documents.side
    if NO_ENTITY.isdisjoint(side.entity_names):
        return
    _note(side.entity_names, np.bincount(side.entity, minlength=len(side.entity_names)), notes)


def _note(names: Sequence[Hashable], sizes: IntArray, notes: Notes) -> None:
    for name, size in zip(names, sizes.tolist(), strict=True):
        if size > 1 and name in NO_ENTITY:
            notes.count(
                "no-entity-text",
                f"documents in which several mentions are of an entity called {name!r}, which "
                "often means none; if it does, give each an entity of its own",
            )
