"""Lists of documents and records, and mentions that are lists, as JSON has them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from partwise.coreference.formats.json_lines import NAMES
from partwise.coreference.formats.json_lines.fields import CLUSTERS
from partwise.coreference.formats.roles import ENTITY, called, name_mentions

#: Fields that a record of a document has beside its clusters.
_BESIDE = frozenset({*NAMES, "sentences", "tokens", "cased_words", "flatten_tokens", "text"})


def is_record(value: Any) -> bool:
    """Return whether a mapping is a record of JSON lines: clusters beside other fields."""
    return (
        isinstance(value, Mapping)
        and not {*CLUSTERS}.isdisjoint(value)
        and not _BESIDE.isdisjoint(value)
    )


def is_row(value: Any) -> bool:
    """Return whether a mapping is a row of a table of mentions: names of columns, values.

    A document of {entity: [mention, ...]} whose entities are called so has lists for values.
    """
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        return False
    entities = called(value, ENTITY)
    return name_mentions(list(value)) and not any(
        isinstance(value[name], (list, tuple)) for name in entities
    )


def record_lines(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return records as lines of JSON."""
    return [json.dumps(dict(record), default=_plain) for record in records]


def _plain(value: Any) -> Any:
    """Return arrays and their numbers as lists and numbers of Python."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(
        f"a {type(value).__name__} in a record or row; lists, text and numbers are expected"
    )


def is_list_of_documents(value: Sequence[Any]) -> bool:
    """Return whether lists are nested as documents of entities of mentions of positions.

    One list less is the clusters of one document, or documents whose mentions are numbers: that
    nothing tells. Mappings are documents of named entities, or of mentions with the id of their
    entity; with lists of lists for values they may as well be {document: clusters}.
    """
    some = False
    for document in value:
        if not isinstance(document, (Mapping, list, tuple)):
            return False
        named = isinstance(document, Mapping)
        for entity in document.values() if isinstance(document, Mapping) else document:
            if named and isinstance(entity, (str, int)):
                some = True
                continue
            if not isinstance(entity, (list, tuple)):
                return False
            for mention in entity:
                if not (_is_flat(mention) or (named and isinstance(mention, (str, int)))):
                    return False
                some = True
    return some


def numbered(documents: Sequence[Any]) -> dict[str, Any]:
    """Return documents by their numbers from 0, as text."""
    return {str(number): document for number, document in enumerate(documents)}


def with_tuples(documents: Mapping[Any, Any]) -> tuple[Mapping[Any, Any], int]:
    """Return documents where mentions that are lists of numbers are tuples, and how many were.

    Of a document either all mentions are such lists, as JSON has them, or it stays as it is.
    """
    changed: dict[Any, Any] = {}
    count = 0
    for name, document in documents.items():
        entities = document.values() if isinstance(document, Mapping) else document
        if not isinstance(document, (Mapping, list, tuple)) or not all(
            isinstance(entity, (list, tuple, np.ndarray)) and len(entity) for entity in entities
        ):
            continue
        if not any(True for _ in entities) or not all(
            isinstance(mention, (list, np.ndarray)) and _is_span(mention)
            for entity in entities
            for mention in entity
        ):
            continue
        as_tuples = [[_tuple(mention) for mention in entity] for entity in entities]
        count += sum(map(len, as_tuples))
        if isinstance(document, Mapping):
            changed[name] = dict(zip(document, as_tuples, strict=True))
        else:
            changed[name] = as_tuples
    if not changed:
        return documents, 0
    return {name: changed.get(name, document) for name, document in documents.items()}, count


def _is_flat(mention: Any) -> bool:
    """Return whether a mention is positions, and not pieces of such."""
    return _is_span(mention) and not any(
        isinstance(x, (list, tuple, np.ndarray)) for x in mention
    )


def _is_span(mention: Any) -> bool:
    """Return whether a mention is positions, or pieces of such."""
    return (
        isinstance(mention, (list, tuple, np.ndarray))
        and len(mention) > 1
        and all(
            (isinstance(x, (int, np.integer)) and not isinstance(x, bool)) or _is_span(x)
            for x in mention
        )
    )


def _tuple(mention: Any) -> Any:
    if isinstance(mention, (list, tuple, np.ndarray)):
        return tuple(map(_tuple, mention))
    return int(mention)
