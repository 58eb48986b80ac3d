"""JSON lines with ``clusters``: one document a line, mentions as pairs of tokens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from partwise.coreference.documents.documents import Document, Spans
from partwise.coreference.formats.files import Notes
from partwise.coreference.formats.json_lines.fields import OF_SIDE, OF_WL_COREF, Fields, Record
from partwise.coreference.formats.json_lines.objects import objects_of
from partwise.coreference.formats.json_lines.spans import (
    check_spans,
    in_words,
    spans_of,
    tokens_of,
)
from partwise.coreference.formats.roles import DOCUMENT, OTHER_DOCUMENT, PART, called
from partwise.numbers.checks import one_of

ENDS = ("auto", "inclusive", "exclusive")
NAMES = ("doc_key", "document_id", "doc_id", "id")
#: How ends are in the fields of wl-coref, PreCo and SciCo.
ENDS_OF_FIELDS = {
    "span_clusters": "exclusive",
    "mention_clusters": "exclusive",
    "flatten_mentions": "inclusive",
}


def read_jsonlines(
    path: Path,
    notes: Notes,
    *,
    ends: str = "auto",
    clusters: str = "auto",
    side: str | None = None,
) -> Iterator[Document]:
    """Yield the documents of a file of JSON lines.

    Parameters
    ----------
    path : Path
    notes : Notes
    ends : {"auto", "inclusive", "exclusive"}
        Whether the second number of a mention is its last token or the one after it. "auto"
        takes what the file proves: a mention [5, 5] is inclusive, an end that is the number of
        tokens exclusive; without proof, inclusive. Spans of characters, as fastcoref writes
        them beside "text", are exclusive. What was taken is noted.
    clusters : str, default "auto"
        The field; by default "clusters", "predicted_clusters" or "span_clusters", where there
        is one of them.
    side : {"key", "response"}, optional
        Of "clusters" and "predicted_clusters" in one record a key takes the first, a response
        the second.

    Raises
    ------
    ValueError
        Bad JSON, no clusters, mentions that are not spans of the document; with file, line and
        document.
    """
    one_of(ends, ENDS, "ends")
    taken = ends
    if ends == "auto":
        taken = _ends_of(path, clusters, side, notes)
    fields = Fields(clusters, side)
    unread: dict[str, None] = {}
    kinds: set[tuple[str, ...]] = set()  # of records, by their fields
    of_characters: bool | None = None
    for record in _records(path):
        if of_characters not in (None, record.of_characters):
            raise record.fault(
                "its mentions count characters of 'text', those of others words (or the other "
                "way round); part the file into one of each"
            )
        of_characters = record.of_characters
        entity_names, listed, field = fields.listed(record)
        if (names := (field, *record.fields)) not in kinds:
            kinds.add(names)
            unread.update(dict.fromkeys(_unread(record, field)))
        if fields.predictions_of_key:
            notes.tell(
                "predicted-key",
                "the entities of the key are those of 'predicted_clusters', as it has no "
                "'clusters'",
            )
        if record.both_fields and clusters == "auto":
            notes.count("field-taken", f"records with two fields of entities, {field!r} read")
        if not record.named:
            notes.count(
                "documents-named",
                "documents without a name ('doc_key', 'document_id', 'doc_id', 'id' or "
                "'name' would hold it), named by their line",
            )
        spans = spans_of(listed, record, notes)
        if taken == "exclusive":
            spans[:, 1] -= 1
        tokens = tokens_of(record)
        length = None if tokens is None else len(tokens)
        if record.of_characters:
            length = len(record.fields["text"])
        sizes = np.array([len(cluster) for cluster in listed], dtype=np.int64)
        entity = np.repeat(np.arange(len(sizes)), sizes)
        check_spans(spans, length, entity, taken, record)
        if "subtoken_map" in record.fields and len(spans):
            spans, tokens = in_words(spans, tokens, record, notes)
        if n := int(np.count_nonzero(sizes == 0)):
            notes.count("mentions-interpreted", "entities without mentions, left out", n)
        filled = np.flatnonzero(sizes).tolist()
        lines = np.full(len(spans), record.line, dtype=np.int64)
        yield Document(
            record.name,
            Spans(spans[:, 0], spans[:, 1], line=lines),
            np.repeat(np.arange(len(filled)), sizes[filled]),
            [entity_names[number] for number in filled],
            tokens,
            named=record.named,
            characters=length if record.of_characters else None,
        )
    if unread:
        notes.tell("columns-unused", f"fields not read: {', '.join(map(repr, unread))}")


def _records(path: Path) -> Iterator[Record]:
    """Yield the record of each document."""
    for line, fields in objects_of(path):
        name = _name_of(fields)
        yield Record(path, line, name or f"line {line}", name is not None, fields)


def _fields_of_names(fields: dict[str, Any]) -> list[str]:
    """Return the fields that may name the document; the first one does."""
    candidates = [*(name for name in NAMES if name in fields), *called(fields, DOCUMENT)]
    if candidates:
        return candidates
    others = called(fields, ("name", *OTHER_DOCUMENT))
    return others if len(others) == 1 else []


def _unread(record: Record, field: str) -> list[str]:
    """Return the fields of a record that are not read."""
    fields = record.fields
    read = {field, *_fields_of_names(fields)[:1], *called(fields, PART)[:1]}
    read.update(record.fields_of_text)
    if record.both_fields:  # which is told
        read.update(OF_SIDE.values())
    return [name for name in fields if name not in read]


def _name_of(fields: dict[str, Any]) -> str | None:
    """Return the name of a document, with its part where the record numbers parts."""
    name = next((fields[key] for key in _fields_of_names(fields)), None)
    if not isinstance(name, (str, int)) or isinstance(name, bool) or name == "":
        return None
    part = next((fields[key] for key in called(fields, PART)), None)
    if isinstance(part, str) and part.isdecimal() and len(part) < 19:
        part = int(part)
    if isinstance(part, int) and not isinstance(part, bool):
        return f"({name}); part {part:03}"
    return str(name)


def _ends_of(path: Path, clusters: str, side: str | None, notes: Notes) -> str:
    """Return how ends are taken, and note why."""
    of_characters = next((record.of_characters for record in _records(path)), False)
    if of_characters:
        notes.tell(
            "positions-are-characters", "positions are characters of 'text', ends exclusive"
        )
        return "exclusive"
    proven, field, words, any_mention = _proven_ends(path, clusters, side)
    how = "as the file proves"
    if proven is None and field in ENDS_OF_FIELDS:
        proven, how = ENDS_OF_FIELDS[field], f"as the field {field!r} has them"
    elif proven is None and words == OF_WL_COREF:
        proven, how = "exclusive", f"as files with {words!r} have them"
    if proven:
        notes.tell("ends-taken", f"ends of mentions taken as {proven}, {how}")
        return proven
    notes.tell(
        "ends-by-default" if any_mention else "ends-taken",
        "ends of mentions taken as inclusive, by default, as nothing in the file proves it",
    )
    return "inclusive"


def _proven_ends(
    path: Path, clusters: str, side: str | None
) -> tuple[str | None, str | None, str | None, bool]:
    """Return what a mention proves, the fields of entities and words, and if one is there."""
    field, words, any_mention = None, None, False
    fields = Fields(clusters, side)
    for record in _records(path):
        _, listed, field = fields.listed(record)
        words = record.field_of_words
        spans = spans_of(listed, record)
        any_mention |= bool(len(spans))
        if (spans[:, 0] == spans[:, 1]).any():
            return "inclusive", field, words, True
        tokens = tokens_of(record)
        if tokens is not None and (spans[:, 1] == len(tokens)).any():
            return "exclusive", field, words, True
    return None, field, words, any_mention
