"""What columns and fields are called that name documents, mentions and entities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_WORDS = ("doc", "document")
DOCUMENT = tuple(
    word + ending for word in _WORDS for ending in ("", "id", "key", "name", "no", "number")
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


def plain(name: str) -> str:
    """Return a name in small letters, without blanks and punctuation: "Doc_ID" is "docid"."""
    return re.sub(r"[\W_]+", "", name).casefold()


def called(names: Iterable[str], wanted: Sequence[str]) -> list[str]:
    """Return those of some names that are one of the wanted, in the order of the wanted."""
    ranked = {name: at for at, name in enumerate(wanted)}
    fitting = [name for name in names if plain(name) in ranked]
    return sorted(fitting, key=lambda name: ranked[plain(name)])
