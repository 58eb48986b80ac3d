"""neleval's spans: a mention a line with document, characters and entity, tabs between."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from partwise.coreference.documents.documents import Document, Spans
from partwise.coreference.formats.files import Notes, fault, numbered_lines, text_of

# document, first and last character, then entity, score and type for each candidate
_LINE = re.compile(
    rb"[^\t]+\t[0-9]+\t[0-9]+\t[^\t]+(\t[^\t]*){0,2}(\t[^\t]+\t[^\t]*\t[^\t]*)*\r?$"
)
_CANDIDATE = 3
_POSITION = re.compile(r"[0-9]{1,18}\Z")
_NO_ENTITY = ("NIL", "nan", "none", "null")


@dataclass(slots=True)
class _Rows:
    """Mentions of a document: first, last, entity and line; and their types."""

    spans: list[tuple[int, int, int, int]] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)


def read_neleval(path: Path, notes: Notes) -> Iterator[Document]:
    """Yield the documents of a file, in the order in which they are first named.

    A line is ``document, first, last, entity[, score, type]``, the first and last character of
    a mention (both inclusive), and an entity that may have mentions in other documents; of
    several candidates the first counts. All lines are held in memory, as those of a document
    may stand anywhere.

    Raises
    ------
    ValueError
        Too few columns, positions that are no whole numbers or in the wrong order, a missing
        entity; with file, line and document.
    """
    rows: dict[str, _Rows] = {}
    for line, data in numbered_lines(path):
        if not data.strip():
            continue
        fields = text_of(data, path, line).rstrip("\r\n").split("\t")
        if len(fields) < 4:
            raise fault(
                *(path, line, None),
                f"{len(fields)} columns separated by tabs; document, first, last and entity "
                "are expected",
            )
        name, first, last, entity = (field.strip() for field in fields[:4])
        if not (_POSITION.match(first) and _POSITION.match(last)):
            raise fault(
                path,
                line,
                name,
                f"{first[:30]!r} to {last[:30]!r} is no span of characters from 0",
            )
        begin, end = int(first), int(last)
        if end < begin:
            raise fault(path, line, name, f"the span from {begin} to {end} is impossible")
        if not entity or entity in _NO_ENTITY or entity.lower() in _NO_ENTITY:
            raise fault(
                *(path, line, name),
                f"the mention has no entity ({entity!r}); give each unlinked one an id of its "
                "own (NIL1, NIL2, ...)",
            )
        if len(fields) > 3 + _CANDIDATE:
            notes.count(
                "mentions-interpreted",
                "mentions with further candidates, of which the first is taken",
            )
        own = rows.setdefault(name, _Rows())
        own.spans.append((begin, end, own.known.setdefault(entity, len(own.known)), line))
        own.types.append(fields[5].strip() if len(fields) > 5 else "")
    if rows:
        notes.tell(
            "positions-are-characters",
            "positions are characters; entities with one name are one across documents",
        )
    for name, own in rows.items():
        first_of, last_of, code, line_of = np.array(own.spans, dtype=np.int64).T
        types = {"type": own.types} if any(own.types) else {}
        spans = Spans(first_of, last_of, line=line_of)
        yield Document(name, spans, code, list(own.known), attributes=types)


def is_mention_line(line: bytes) -> bool:
    """Return whether a line has the columns of this format."""
    return bool(_LINE.match(line))
