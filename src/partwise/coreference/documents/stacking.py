"""Key and response in any form as columns over the same documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal, get_args

import numpy as np

from partwise.coreference.documents.columns import names_of, stack
from partwise.coreference.documents.documents import Document, Documents, Side, Spans
from partwise.coreference.documents.sides import select
from partwise.coreference.mentions.identity import (
    all_different,
    object_codes,
    occurrences,
    word_set_codes,
)
from partwise.coreference.mentions.word_runs import word_runs
from partwise.labels.account import counted
from partwise.labels.notes import Note
from partwise.numbers.arrays import IntArray
from partwise.numbers.checks import one_of
from partwise.report.brief import Brief

Repeats = Literal["error", "first", "last", "merge"]
REPEATS: tuple[str, ...] = get_args(Repeats)
DoubleDocuments = Literal["error", "first", "last", "merge"]
DOUBLES: tuple[str, ...] = get_args(DoubleDocuments)


@dataclass(frozen=True, slots=True, repr=False)
class InputReport(Brief):
    """What was scored, and what policies did with it; pairs are (key, response).

    Attributes
    ----------
    documents : int
        Documents that were scored.
    missing_documents, extra_documents : tuple of str
        Documents of the key without a response, and of the response without a key.
    mentions, entities : tuple of int
        After policies.
    repeated_mentions : tuple of int
        Mentions that stood in a document before, and were dropped.
    singletons : tuple of int
        Entities of one mention.
    twinless : tuple of int
        Mentions without a partner on the other side.
    merged_entities : tuple of int
        Entities that became a part of another one, since they shared a repeated mention.
    dropped_singletons : tuple of int
        Entities of one mention that were taken out before mentions were matched.
    dropped_verbs, dropped_nested : tuple of int
        Mentions that were taken out as verbs, with what was left of their entities, and as
        lying within another mention of their entity.
    double_documents : tuple of int
        Further documents of a name that was there before.
    notes : tuple of Note
        How the files were read, and what about them is suspicious; see ``labels.notes``.
    """

    documents: int
    missing_documents: tuple[str, ...]
    extra_documents: tuple[str, ...]
    mentions: tuple[int, int]
    entities: tuple[int, int]
    repeated_mentions: tuple[int, int]
    singletons: tuple[int, int]
    twinless: tuple[int, int]
    merged_entities: tuple[int, int] = (0, 0)
    dropped_singletons: tuple[int, int] = (0, 0)
    dropped_verbs: tuple[int, int] = (0, 0)
    dropped_nested: tuple[int, int] = (0, 0)
    double_documents: tuple[int, int] = (0, 0)
    notes: tuple[Note, ...] = ()

    @property
    def unit(self) -> str:
        """What is scored as one: "document", or "topic" where documents are in topics."""
        return "topic" if any(x.code == "topics-taken" for x in self.notes) else "document"

    def __str__(self) -> str:
        lines = [
            f"{counted(self.documents, 'document')}; mentions {self.mentions[0]} in the key, "
            f"{self.mentions[1]} in the response ({self.twinless[0]} and {self.twinless[1]} "
            f"without a partner); entities {self.entities[0]} and {self.entities[1]} "
            f"({self.singletons[0]} and {self.singletons[1]} of one mention)"
        ]
        if any(self.repeated_mentions):
            lines.append(
                f"repeated mentions dropped: {self.repeated_mentions[0]} of the key, "
                f"{self.repeated_mentions[1]} of the response"
            )
        for what, (of_key, of_response) in (
            ("entities merged over repeated mentions", self.merged_entities),
            ("singletons dropped before matching", self.dropped_singletons),
            ("mentions dropped as verbs, or left alone by these", self.dropped_verbs),
            ("nested mentions dropped", self.dropped_nested),
            ("further documents of one name", self.double_documents),
        ):
            if of_key or of_response:
                lines.append(f"{what}: {of_key} of the key, {of_response} of the response")
        if self.missing_documents:
            lines.append(f"documents without a response: {', '.join(self.missing_documents)}")
        if self.extra_documents:
            lines.append(f"documents without a key: {', '.join(self.extra_documents)}")
        lines += self.notes
        return "\n".join(lines)


def without_doubles(documents: Documents, policy: str, side: str) -> tuple[Documents, int]:
    """Return documents each of a name of its own, and how many were dropped or merged.

    Under ``merge`` a document has the mentions of all of its name; their entities stay apart,
    and a mention of two of them is a repeat. ``error`` is left to ``paired_documents``.
    """
    one_of(policy, DOUBLES, "double_documents")
    beyond = len(documents) - len(set(names_of(documents)))
    if policy == "error" or not beyond:
        return documents, 0
    by_name: dict[str, list[Document]] = {}
    for document in documents:
        by_name.setdefault(document.name, []).append(document)
    if policy == "merge":
        kept = [_merged(one, side) for one in by_name.values()]
    else:
        kept = [one[0 if policy == "first" else -1] for one in by_name.values()]
    return replace(documents, documents=kept), beyond


def _merged(parts: list[Document], side: str) -> Document:
    """Return documents of one name as one."""
    if len(parts) == 1:
        return parts[0]
    stacked = stack(parts, side)
    tokens = [part.tokens for part in parts if part.tokens is not None]
    return Document(
        name=parts[0].name,
        mentions=stacked.mentions,
        entity=stacked.entity,
        entity_names=stacked.entity_names,
        tokens=max(tokens, key=len, default=None),
        named=parts[0].named,
        other_names=parts[0].other_names,
    )


def of_one_kind(key: Side, response: Side) -> tuple[Side, Side]:
    """Return the sides; one without any mention takes the kind of the other's."""
    none = Spans(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
    sides = []
    for side, other in ((key, response), (response, key)):
        empty = not len(side) and isinstance(other.mentions, Spans)
        sides.append(replace(side, mentions=none) if empty else side)
    return sides[0], sides[1]


def mention_codes(key: Side, response: Side) -> tuple[IntArray, IntArray]:
    """Return codes of the mentions of both sides, equal for equal mentions."""
    if isinstance(key.mentions, Spans) and isinstance(response.mentions, Spans):
        return word_set_codes(*word_runs(key, response))
    if isinstance(key.mentions, Spans) or isinstance(response.mentions, Spans):
        names = ("key", "response")
        if not isinstance(key.mentions, Spans):
            names = ("response", "key")
        objects = chain.from_iterable(
            side.mentions for side in (key, response) if not isinstance(side.mentions, Spans)
        )
        example = next(objects, None)
        raise ValueError(
            f"mentions of the {names[0]} are spans of tokens, those of the {names[1]} "
            f"ids such as {example!r}; read both from files with positions, or give both as "
            "ids: a table with the first and the last token of each mention in two columns "
            "has spans, and {document: [[(first, last), ...], ...]} on both sides has ids"
        )
    return object_codes(key, response)


def with_codes(side: Side, codes: IntArray) -> Side:
    """Return a side whose objects have the codes of ``mention_codes`` for their numbers."""
    if isinstance(side.mentions, Spans):
        return side
    return replace(side, numbers=codes.reshape(-1, 1))


def without_repeats(
    side: Side, codes: IntArray, policy: str, name: str, notes: Sequence[Note] = ()
) -> Side:
    """Return a side with each mention once, as the policy for repeats says.

    Of the notes on its file those on columns that were not used are shown in a refusal: one of
    them may tell the mentions apart.
    """
    one_of(policy, REPEATS, "repeats")
    if all_different(codes):
        return side
    number = occurrences(codes)
    repeated = np.flatnonzero(number > 0)
    if policy == "error":
        at = int(repeated[0])
        before = int(np.flatnonzero((codes == codes[at]) & (np.arange(len(codes)) < at))[0])
        shown = (
            f"({side.mentions.first[at]}, {side.mentions.last[at]})"
            if isinstance(side.mentions, Spans)
            else repr(side.mentions[at])
        )
        entities = [side.entity_names[int(side.entity[row])] for row in (before, at)]
        raise ValueError(
            f"{name}, document {side.names[int(side.document[at])]!r}: the mention {shown} "
            f"is in entity {entities[0]!r} and again in {entities[1]!r} "
            f"({len(repeated)} repeats in all); "
            'pass repeats="first" or "last" to keep one of each, repeats="merge" to take '
            "their entities for one"
            + "".join(f"; {note.text}" for note in notes if note.code == "columns-unused")
        )
    if policy == "merge":
        side = _united(side, codes)
    if policy == "last":
        number = occurrences(codes[::-1])[::-1]
    return select(side, number == 0)


def _united(side: Side, codes: IntArray) -> Side:
    """Return a side whose entities that share a mention are one, named after the first."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    order = np.argsort(codes, kind="stable")
    same = np.flatnonzero(codes[order][1:] == codes[order][:-1])
    before, after = side.entity[order[same]], side.entity[order[same + 1]]
    n = len(side.entity_document)
    links = coo_array((np.ones(len(same), dtype=np.int8), (before, after)), (n, n))
    _, of_entity = connected_components(links, directed=False)
    _, first, number = np.unique(of_entity, return_index=True, return_inverse=True)
    # in the order of their first entities, so that those of a document stay together
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    first = np.sort(first)
    return replace(
        side,
        entity=rank[number][side.entity],
        entity_document=side.entity_document[first],
        entity_names=[side.entity_names[at] for at in first.tolist()],
    )
