"""Documents as one set of columns: stacked, joined, and chosen by their positions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from partwise import _kernels
from partwise.coreference.documents.documents import (
    Document,
    DocumentColumns,
    Documents,
    Side,
    Spans,
    Tokens,
    columns_in,
)
from partwise.coreference.documents.sides import ranges, running_ends, take_spans
from partwise.coreference.documents.tokens import TokenColumn, TokensOfDocuments
from partwise.numbers.arrays import IntArray

_NONE = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class ChosenDocuments:
    """The documents of a side that are scored, stacked.

    ``fault`` is the error for documents of two kinds of mentions, of which ``side`` has those
    of spans alone if there is any mention among them; None: they are of one kind.
    """

    side: Side
    fault: ValueError | None = None

    @property
    def has_spans(self) -> bool:
        """Whether mentions of some document are spans."""
        return self.fault is not None or isinstance(self.side.mentions, Spans)


# ---- what documents have, without making objects of columns ----------------------------


def names_of(documents: Documents) -> Sequence[str]:
    """Return the names of documents."""
    columns = columns_in(documents)
    if columns is not None:
        return columns.side.names
    return [document.name for document in documents]


def entities_of(documents: Documents) -> Iterator[tuple[str, Sequence[Hashable]]]:
    """Yield each document's name and the names of its entities."""
    columns = columns_in(documents)
    if columns is None:
        yield from ((document.name, document.entity_names) for document in documents)
        return
    side = columns.side
    ends = running_ends(np.bincount(side.entity_document, minlength=len(side.names))).tolist()
    for name, low, high in zip(side.names, ends[:-1], ends[1:], strict=True):
        yield name, side.entity_names[low:high]


def has_mentions(documents: Documents) -> bool:
    """Return whether a document has a mention."""
    columns = columns_in(documents)
    return any(map(len, documents)) if columns is None else len(columns.side) > 0


def has_spans(documents: Documents) -> bool:
    """Return whether a document has a mention that is a span."""
    columns = columns_in(documents)
    if columns is None:
        return any(isinstance(x.mentions, Spans) and len(x) for x in documents)
    return len(columns.side) > 0 and isinstance(columns.side.mentions, Spans)


def has_tokens(documents: Documents) -> bool:
    """Return whether a document has tokens."""
    columns = columns_in(documents)
    if columns is None:
        return any(document.tokens is not None for document in documents)
    return any(tokens is not None for tokens in columns.side.tokens)


# ---- stacked ---------------------------------------------------------------------------


def stack(documents: Sequence[Document], side: str) -> Side:
    """Return documents as one set of columns; those of two kinds of mentions are an error."""
    fault = _two_kinds(documents, side)
    if fault is not None:
        raise fault
    return _stacked(documents)


def _two_kinds(documents: Sequence[Document], side: str) -> ValueError | None:
    spans = [isinstance(document.mentions, Spans) for document in documents]
    if not any(spans) or all(spans):
        return None
    wrong = documents[spans.index(not spans[0])]
    return ValueError(
        f"{side}, document {wrong.name!r}: its mentions are of another kind than those of "
        f"{documents[0].name!r}; use spans in all documents or in none"
    )


def _stacked(documents: Sequence[Document]) -> Side:
    """Return documents as columns; if some have spans, and not all, the mentions of either."""
    sizes = np.array([len(document) for document in documents], dtype=np.int64)
    n_entities = np.array(
        [len(document.entity_names) for document in documents], dtype=np.int64
    )
    entity, first = _NONE, np.cumsum(n_entities) - n_entities
    if documents:
        entity = np.concatenate([document.entity for document in documents])
        entity = entity.astype(np.int64) + np.repeat(first, sizes)
    parts = [x.mentions for x in documents if isinstance(x.mentions, Spans)]
    mentions: Spans | list[Hashable]
    numbers = None
    if parts and (len(parts) == len(documents) or any(map(len, parts))):
        mentions = joined_spans(parts)
    else:
        listed = (x.mentions for x in documents if not isinstance(x.mentions, Spans))
        mentions = list(chain.from_iterable(listed))
        numbers = numbers_of(mentions)
    tokens: list[Tokens | None] = [document.tokens for document in documents]
    return Side(
        [document.name for document in documents],
        np.repeat(np.arange(len(documents)), sizes),
        entity,
        np.repeat(np.arange(len(documents)), n_entities),
        list(chain.from_iterable(document.entity_names for document in documents)),
        mentions,
        tokens,
        numbers,
        {
            (at, document.entity_names[entity]): tuple(
                document.entity_names[one] for one in made_of
            )
            for at, document in enumerate(documents)
            for entity, made_of in document.antecedents.items()
        },
    )


def numbers_of(mentions: list[Hashable]) -> IntArray | None:
    """Return mentions that are all of type int, or all pairs of such, as rows of int64.

    None: others, or larger numbers. O(mentions).
    """
    if mentions and type(mentions[0]) is tuple:
        pairs: IntArray | None = _kernels.impl.integer_pairs_of(mentions)
        return pairs
    numbers = _kernels.impl.integers_of(mentions)
    return None if numbers is None else numbers.reshape(-1, 1)


def joined_spans(parts: Sequence[Spans]) -> Spans:
    """Return the spans of all documents; what one of them lacks, all lack."""
    filled = [part for part in parts if len(part)]

    def joined(name: str, none: IntArray = _NONE) -> Any:
        columns = [getattr(part, name) for part in filled]
        if any(column is None for column in columns):
            return None
        return np.concatenate(columns) if columns else none

    first, last = joined("first"), joined("last")
    minimum = joined("minimum", _NONE.reshape(0, 2))
    spans = Spans(first, last, joined("head"), minimum, line=joined("line"))
    if all(part.tokens is None for part in parts):
        return spans
    ends, tokens = [np.zeros(1, dtype=np.int64)], []
    for part in parts:
        if part.tokens is None or part.token_ends is None:
            lengths = part.last - part.first + 1
            tokens.append(ranges(part.first, lengths))
        else:
            lengths = np.diff(part.token_ends)
            tokens.append(part.tokens)
        ends.append(ends[-1][-1] + np.cumsum(lengths))
    return replace(spans, token_ends=np.concatenate(ends), tokens=np.concatenate(tokens))


def _spans_of_pieces(parts: Sequence[Spans]) -> Spans:
    """Return spans without heads, minimum spans and gaps one after the other."""
    lines = [part.line for part in parts if part.line is not None]
    return Spans(
        np.concatenate([part.first for part in parts]),
        np.concatenate([part.last for part in parts]),
        line=np.concatenate(lines),
    )


def joined_columns(parts: Sequence[DocumentColumns]) -> DocumentColumns:
    """Return the columns of pieces of a file, one after the other, as one set of columns.

    Mentions of all pieces are spans with lines, and their tokens columns.
    """
    sides = [part.side for part in parts]
    documents = running_ends(np.array([len(part) for part in parts])).tolist()
    entities = running_ends(np.array([len(side.entity_names) for side in sides])).tolist()

    def moved(columns: Iterable[IntArray], before: list[int]) -> IntArray:
        return np.concatenate([x + n for x, n in zip(columns, before[:-1], strict=True)])

    side = Side(
        list(chain.from_iterable(side.names for side in sides)),
        moved((x.document for x in sides), documents),
        moved((x.entity for x in sides), entities),
        moved((x.entity_document for x in sides), documents),
        list(chain.from_iterable(side.entity_names for side in sides)),
        _spans_of_pieces([x.mentions for x in sides if isinstance(x.mentions, Spans)]),
        TokenColumn.joined([x.tokens for x in sides if isinstance(x.tokens, TokenColumn)]),
    )
    others = {
        at + n: names
        for part, n in zip(parts, documents[:-1], strict=True)
        for at, names in part.other_names.items()
    }
    return DocumentColumns(side, np.concatenate([part.named for part in parts]), others)


# ---- chosen ----------------------------------------------------------------------------


def chosen_documents(
    own: Documents,
    other: Documents,
    rows: IntArray,
    others: IntArray,
    names: list[str],
    side: str,
) -> ChosenDocuments:
    """Return some documents of a side, stacked, under new names.

    Parameters
    ----------
    own, other : Documents
        Of this side, and of the other one.
    rows, others : int64 arrays, shape (n,)
        The position of each document on this side and on the other; -1: it lacks it. A document
        that this side lacks is one without mentions, with the tokens of the other side.
    names : list of str, length n
    side : str
        "key" or "response", for errors.
    """
    columns = columns_in(own)
    if columns is not None and (rows >= 0).all():
        return ChosenDocuments(_taken(columns.side, rows, names))
    ours, theirs = _listed(own), _listed(other) if (rows < 0).any() else []
    documents = [
        _without_mentions(theirs[at], name)
        if row < 0
        else ours[row]
        if ours[row].name == name
        else replace(ours[row], name=name)
        for row, at, name in zip(rows.tolist(), others.tolist(), names, strict=True)
    ]
    return ChosenDocuments(_stacked(documents), _two_kinds(documents, side))


def _listed(documents: Documents) -> Sequence[Document]:
    """Return documents as objects; those that are columns stay so."""
    columns = columns_in(documents)
    return documents.documents if columns is None else columns.listed()


def _without_mentions(document: Document, name: str) -> Document:
    spans = isinstance(document.mentions, Spans)
    mentions: Spans | list[Hashable] = Spans(_NONE, _NONE) if spans else []
    return Document(name, mentions, _NONE, [], document.tokens)


def _taken(side: Side, rows: IntArray, names: list[str]) -> Side:
    """Return some documents of a side in another order, under new names."""
    n = len(side.names)
    if len(rows) == n and np.array_equal(rows, np.arange(n)):
        return replace(side, names=names)
    entities = running_ends(np.bincount(side.entity_document, minlength=n))
    mentions = running_ends(np.bincount(side.document, minlength=n))
    n_entities, sizes = np.diff(entities)[rows], np.diff(mentions)[rows]
    of_mentions = ranges(mentions[rows], sizes)
    of_entities = ranges(entities[rows], n_entities)
    moved = np.cumsum(n_entities) - n_entities - entities[rows]
    tokens: TokensOfDocuments = (
        side.tokens.take(rows)
        if isinstance(side.tokens, TokenColumn)
        else [side.tokens[row] for row in rows.tolist()]
    )
    return Side(
        names,
        np.repeat(np.arange(len(rows)), sizes),
        side.entity[of_mentions] + np.repeat(moved, sizes),
        np.repeat(np.arange(len(rows)), n_entities),
        [side.entity_names[row] for row in of_entities.tolist()],
        take_spans(side.mentions, of_mentions)
        if isinstance(side.mentions, Spans)
        else [side.mentions[row] for row in of_mentions.tolist()],
        tokens,
        None if side.numbers is None else side.numbers[of_mentions],
    )
