"""Documents as Python objects: {document: clusters}, {document: {mention: entity}}."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from partwise import _kernels
from partwise.coreference.documents.columns import numbers_of
from partwise.coreference.documents.documents import (
    Document,
    DocumentColumns,
    Documents,
    Side,
    of_columns,
)
from partwise.coreference.documents.lists import with_tuples
from partwise.labels.notes import Note

#: What a value of a mapping is where keys are mentions: the id of one entity.
_ID = (str, bytes, int, float, np.generic)
#: Types of collections that cannot be used up, nor be entities.
_LISTS = {list, tuple}


def documents_of_mapping(documents: Mapping[Any, Any], side: str) -> Documents:
    """Return documents of {name: entities}.

    Entities are an iterable with an iterable of mentions for each, a mapping {entity:
    [mention, ...]}, or a mapping {mention: entity} with one id for each mention.

    Raises
    ------
    TypeError, ValueError
        Another form, an entity without mentions, a mention that cannot be hashed, a mapping
        that may be either of the two.
    """
    columns = _columns_of_lists(documents)
    if columns is not None:
        return of_columns(columns)
    documents, in_lists = with_tuples(documents)
    if in_lists:
        text = f"mentions that are lists of numbers, taken as tuples: {in_lists}"
        told = (Note("mentions-interpreted", text),)
        columns = _columns_of_lists(documents)
        if columns is not None:
            return of_columns(columns, notes=told)
    read = [_document(name, documents[name], side) for name in documents]
    pairs = {name: _pairs_of_numbers(documents[name]) for name in documents}
    alike = all(pairs.values()) and sum(pairs.values()) > 1
    suspicious = [name for name, n_pairs in pairs.items() if n_pairs > 1 or (alike and n_pairs)]
    notes = told if in_lists else ()
    if suspicious:
        text = (
            f"document {suspicious[0]!r}: every entity is a pair of whole numbers, each taken "
            "for a mention; if a pair is the first and last token of a mention, write each "
            "entity as a list of such pairs"
        )
        notes = (*notes, Note("entities-like-spans", text))
    return Documents(read, notes=notes)


def _columns_of_lists(documents: Mapping[Any, Any]) -> DocumentColumns | None:
    """Return {text: lists of mentions} as columns; None for other forms, and for faults.

    No step in Python is taken for a document or a mention alone. O(mentions).
    """
    names, listed = list(documents), [documents[name] for name in documents]
    if not (
        _kernels.impl.types_of(names) <= {str} and _kernels.impl.types_of(listed) <= _LISTS
    ):
        return None
    entities = list(chain.from_iterable(listed))
    # an entity that is a tuple may be a span: those that read each document look at it
    if not _kernels.impl.types_of(entities) <= {list}:
        return None
    sizes = np.fromiter(map(len, entities), dtype=np.int64, count=len(entities))
    if len(sizes) and not sizes.all():
        return None
    mentions = list(chain.from_iterable(entities))
    numbers = numbers_of(mentions)
    if numbers is None and not _can_be_hashed(mentions):
        return None
    n_entities = np.fromiter(map(len, listed), dtype=np.int64, count=len(listed))
    document = np.repeat(np.arange(len(names)), n_entities)
    before = np.cumsum(n_entities) - n_entities
    side = Side(
        names,
        np.repeat(document, sizes),
        np.repeat(np.arange(len(entities)), sizes),
        document,
        (np.arange(len(entities)) - before[document]).tolist(),
        mentions,
        [None] * len(names),
        numbers,
    )
    return DocumentColumns(side, np.ones(len(names), dtype=np.bool_))


def _can_be_hashed(mentions: list[Any]) -> bool:
    if _kernels.impl.types_of(mentions) <= {str, bytes, int, float}:
        return True
    try:
        deque(map(hash, mentions), maxlen=0)
    except TypeError:
        return False
    return True


def refuse_form(documents: Any, side: str) -> TypeError:
    """Return the error for an object that is no mapping of documents."""
    kind = type(documents).__name__
    advice = (
        "pass a path, Documents, or a mapping {document: [[mention, ...], ...]} with a list of "
        "mentions for each entity"
    )
    if isinstance(documents, (list, tuple)):
        advice += (
            "; for the clusters of one document write {'document': clusters}, for a list "
            "of documents {str(number): clusters for number, clusters in "
            "enumerate(documents)}"
        )
    elif hasattr(documents, "read"):
        advice = "pass the path of the file, not the open file"
    elif hasattr(documents, "columns"):
        advice = (
            'pass its rows, frame.to_dict("records") or frame.to_dicts() in polars: one for '
            "each mention, with columns document, mention (or first and last) and entity"
        )
    return TypeError(f"the {side} is a {kind}; {advice}")


def _hashable_form(mention: Any) -> str:
    """Return how a mention that cannot be hashed can be written."""
    values = mention.tolist() if isinstance(mention, np.ndarray) else mention
    if isinstance(values, list) and 0 < len(values) <= 3:
        return f"the tuple {tuple(values)!r}, as with tuple(mention)"
    return "a tuple, text or a number"


def _document(name: Any, entities: Any, side: str) -> Document:
    where = f"{side}, document {name!r}"
    if not isinstance(name, str):
        raise TypeError(
            f"{where}: the name of a document is text, not {type(name).__name__}; write "
            "{str(name): entities for name, entities in documents.items()}"
        )
    if isinstance(entities, (str, bytes)) or not isinstance(entities, Iterable):
        raise TypeError(
            f"{where}: a {type(entities).__name__}; a list of entities is expected, "
            "each a list of mentions"
        )
    if isinstance(entities, Mapping):
        return _of_mapping(name, entities, where)
    return _of_clusters(name, enumerate(entities), where)


def _of_mapping(name: str, entities: Mapping[Any, Any], where: str) -> Document:
    """Return a document of {mention: entity} or of {entity: [mention, ...]}."""
    values = list(entities.values())
    if all(isinstance(value, _ID) for value in values):
        return _of_ids(name, entities, where)
    lacking = next((key for key, value in entities.items() if value is None), None)
    if lacking is not None:
        raise TypeError(
            f"{where}: {lacking!r} has None for an entity; give each mention the id of one, an "
            "entity of its own where it has none, or leave it out"
        )
    if any(isinstance(value, _ID) or not isinstance(value, Iterable) for value in values):
        odd = next(
            key
            for key, value in entities.items()
            if isinstance(value, _ID) or not isinstance(value, Iterable)
        )
        raise TypeError(
            f"{where}: a mapping whose values are partly collections, and {entities[odd]!r} "
            f"for {odd!r}; write {{mention: entity}} with one id for each mention, or "
            "{entity: [mention, ...]} with a list of mentions for each entity"
        )
    if any(isinstance(value, tuple) for value in values) and not all(
        isinstance(mention, tuple) for value in values for mention in value
    ):
        odd = next(key for key, value in entities.items() if isinstance(value, tuple))
        raise TypeError(
            f"{where}: the value {entities[odd]!r} of {odd!r} may be the id of the entity of "
            "one mention, or the mentions of one entity; write ids as text or numbers, or "
            "mentions of an entity as a list"
        )
    document = _of_clusters(name, entities.items(), where)
    return Document(name, document.mentions, document.entity, list(entities))


def _of_ids(name: str, entities: Mapping[Any, Any], where: str) -> Document:
    codes: dict[Hashable, int] = {}
    for mention, entity in entities.items():
        if isinstance(entity, (float, np.floating)) and entity != entity:
            raise ValueError(f"{where}: the mention {mention!r} has no entity ({entity!r})")
    of_mentions = [codes.setdefault(entity, len(codes)) for entity in entities.values()]
    return Document(name, list(entities), np.array(of_mentions, dtype=np.int64), list(codes))


def _of_clusters(name: str, clusters: Iterable[tuple[Any, Any]], where: str) -> Document:
    listed = [_mentions(number, entity, where) for number, entity in clusters]
    sizes = np.array([len(mentions) for mentions in listed], dtype=np.int64)
    return Document(
        name,
        list(chain.from_iterable(listed)),
        np.repeat(np.arange(len(listed)), sizes),
        list(range(len(listed))),
    )


def _mentions(number: Any, entity: Any, where: str) -> list[Hashable]:
    if isinstance(entity, (str, bytes)) or not isinstance(entity, Iterable):
        raise TypeError(
            f"{where}, entity {number!r} is {entity!r}; a list of mentions is expected"
        )
    mentions = list(entity)
    if not mentions:
        used = " (an iterator that was read before is empty)" * isinstance(entity, Iterator)
        raise ValueError(f"{where}, entity {number!r} has no mentions; leave it out{used}")
    for mention in mentions:
        try:
            hash(mention)
        except TypeError:
            raise TypeError(
                f"{where}, entity {number!r}: the mention {mention!r} cannot be "
                f"hashed; use {_hashable_form(mention)}"
            ) from None
    return mentions


def _pairs_of_numbers(entities: Any) -> int:
    """Return the number of entities if all are pairs of rising whole numbers, else 0.

    A list of two is what an entity looks like, so only tuples and rows of arrays count.
    """
    if isinstance(entities, Mapping):
        entities = entities.values()
    if not isinstance(entities, Collection):  # an iterator, which was read
        return 0
    like_spans = all(
        isinstance(entity, (tuple, np.ndarray))
        and len(entity) == 2
        and all(isinstance(mention, (int, np.integer)) for mention in entity)
        and entity[0] <= entity[1]
        for entity in entities
    )
    return len(entities) if like_spans else 0


def kinds_of(mentions: Sequence[Any]) -> set[Any]:
    """Return the kinds of some mentions: numbers, text, tuples of such, other types."""
    types = _kernels.impl.types_of(list(mentions))
    kinds: set[Any] = {_kind(of_type) for of_type in types - {tuple}}
    if tuple in types:
        for parts in {tuple(map(type, x)) for x in mentions if type(x) is tuple}:
            kinds.add(tuple(map(_kind, parts)))
    return kinds


def _kind(of_type: type) -> str:
    if issubclass(of_type, (int, float, np.number, np.bool_)):
        return "number"
    return "text" if issubclass(of_type, str) else of_type.__name__
