"""CoNLL-U with the Entity attribute of CorefUD: heads, empty nodes, discontinuous mentions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from partwise.coreference.documents.documents import Document
from partwise.coreference.formats.corefud.mentions import OF_ENTITY
from partwise.coreference.formats.corefud.tokens import CorefudDocument
from partwise.coreference.formats.files import (
    Notes,
    fault,
    name_or_number,
    numbered_lines,
    stem_of,
    text_of,
)

_NEW_DOCUMENT = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*)|(?=[\s=]).*)?\Z")
_FIELDS = re.compile(r"#\s*global\.Entity\s*=\s*(.*)")


def read_corefud(path: Path, notes: Notes) -> Iterator[Document]:
    """Yield the documents of a CoNLL-U file with ``Entity`` in its last column.

    Documents begin with ``# newdoc id = ...``; one without an id is numbered, and a file
    without such lines is one document named after the file. What stands in a mention's bracket
    is told by ``# global.Entity = eid-etype-head-other``, in any order; a later line holds from
    there on. Tokens are words and empty nodes, in the order of the file; lines of multiword
    tokens are none. ``head`` counts words and empty nodes of a mention, ``minspan`` its words
    only; both from 1. Other fields are ``attributes`` of mentions. Split antecedents
    (``SplitAnte=e1<e3,e2<e3``: e3 is made of e1 and e2) are kept, for
    ``split_antecedent_scores``, and bridging (``Bridge=e1<e4:part``: a mention of e4 that
    begins here is related to e1), for ``universal_anaphora_scores``. The other columns,
    comments and lines of multiword tokens are kept in ``Tokens.columns`` and ``Tokens.lines``.

    Raises
    ------
    ValueError
        Lines that are not CoNLL-U, mentions not closed or not opened, parts that lack, heads
        outside of the mention, no ``global.Entity``; with file, line and document.
    """
    yield from read_lines(path, numbered_lines(path), notes)


def read_lines(
    path: Path, lines: Iterable[tuple[int, bytes]], notes: Notes
) -> Iterator[Document]:
    """Yield the documents of numbered lines; faults name ``path``."""
    document: CorefudDocument | None = None
    fields: tuple[str, ...] | None = None
    # comments in front of the first token of a document, perhaps in front of its name
    comments: list[str] = []
    sentence_open = False
    number = 0
    for line, data in lines:
        text = text_of(data, path, line, document.name if document else None).rstrip("\r\n")
        if not text.strip():
            sentence_open = False
            if document is not None:
                document.add_comments(comments)
                comments = []
        elif match := _NEW_DOCUMENT.match(text):
            if document is not None:
                yield document.finished()
            number += 1
            name = (match[1] or "").strip()
            called = name_or_number(name, number, notes)
            document = CorefudDocument(path, called, bool(name), notes)
            sentence_open = False
        elif match := _FIELDS.match(text):
            fields = _field_names(path, line, match[1])
        elif text.startswith("#"):
            comments.append(text)
        else:
            if document is None:
                name = stem_of(path)
                notes.tell(
                    "documents-named",
                    f"no line '# newdoc' before the first token, the document is named {name!r}"
                    ", as the file",
                )
                document = CorefudDocument(path, name, False, notes)
            document.add(line, text, fields, comments, begins_sentence=not sentence_open)
            comments = []
            sentence_open = True
    if document is not None:
        document.add_comments(comments)
        yield document.finished()


def _field_names(path: Path, line: int, value: str) -> tuple[str, ...]:
    fields = tuple(value.strip().split("-"))
    if sum(name in OF_ENTITY for name in fields) != 1:
        raise fault(
            *(path, line, None),
            f"global.Entity = {value.strip()!r} has to name the field of the entity once, as "
            f"{' or '.join(OF_ENTITY[:2])}",
        )
    if len({*fields}) < len(fields) or "" in fields:
        raise fault(
            *(path, line, None),
            f"global.Entity = {value.strip()!r} has to name each field, apart by '-', and each "
            "once",
        )
    return fields
