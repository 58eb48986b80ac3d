"""CoNLL-UA of Universal Anaphora: brackets with attributes in columns that a line names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from partwise.coreference.documents.documents import Document
from partwise.coreference.formats.conll_ua.tokens import IDENTITY, UaDocument
from partwise.coreference.formats.files import (
    Notes,
    fault,
    name_or_number,
    numbered_lines,
    stem_of,
    text_of,
)

_COLUMNS = re.compile(r"#\s*global\.columns\s*=\s*(.*)")
_NEW_DOCUMENT = re.compile(r"#\s*newdoc\b(?:\s+id\s*=\s*(.*))?")


def read_conll_ua(path: Path, notes: Notes, *, clusters: str = IDENTITY) -> Iterator[Document]:
    """Yield the documents of a file.

    ``# global.columns = ID FORM ... IDENTITY ...`` names the columns, ``# newdoc id = ...``
    begins a document, an empty line ends a sentence. A mention opens with ``(EntityID=1|
    MarkableID=markable_1|Min=2`` and closes with ``)``, where mentions cross with
    ``markable_1)``. One that opens several times is discontinuous.

    Parameters
    ----------
    path : Path
    notes : Notes
    clusters : str, default "IDENTITY"
        The column of the entities; "DISCOURSE_DEIXIS" has these in the same form.

    Notes
    -----
    Mentions of pseudo-entities (``3-Pseudo``: they refer to nothing) are no mentions of the
    document; they, bridging references and discourse deixis stand in its ``references``, for
    ``universal_anaphora_scores``. A token whose ID is as ``14.1`` is an empty node (a zero).
    Split antecedents (``ElementOf`` of a mention, or in the column SPLIT) are kept, for
    ``split_antecedent_scores``, and so are other attributes of mentions (``SemType``, ids that
    are not ``m1``, ``m2`` and so on in the order of the file as ``MarkableID``), columns
    (``REFERENCE``, ``NOM_SEM``) and comments. Near-identity is left out and counted.

    Raises
    ------
    ValueError
        No line of columns, too few columns or more than it names, brackets not opened or not
        closed, a minimum span outside of its mention; with file, line and document.
    """
    columns: list[str] = []
    document: UaDocument | None = None
    # comments in front of the first token of a document, perhaps in front of its name
    comments: list[str] = []
    number = 0
    for line, data in numbered_lines(path):
        text = text_of(data, path, line, document.name if document else None).rstrip("\r\n")
        if not text.strip():
            if document is not None:
                document.end_sentence()
                document.add_comments(comments)
                comments = []
        elif match := _COLUMNS.match(text):
            columns = _columns_of(path, line, match[1], clusters)
        elif match := _NEW_DOCUMENT.match(text):
            if document is not None:
                yield document.finished()
            number += 1
            name = (match[1] or "").strip()
            called = name_or_number(name, number, notes)
            document = UaDocument(path, called, bool(name), clusters, notes)
        elif text.startswith("#") and text[:2] not in ("#\t", "#("):
            comments.append(text)
        else:
            if not columns:
                raise fault(path, line, None, "a token before '# global.columns = ID FORM ...'")
            if document is None:
                name = stem_of(path)
                notes.tell(
                    "documents-named",
                    f"no '# newdoc', the document is named {name!r}, as the file",
                )
                document = UaDocument(path, name, False, clusters, notes)
            document.add(line, text, columns, comments)
            comments = []
    if document is not None:
        document.add_comments(comments)
        yield document.finished()


def _columns_of(path: Path, line: int, value: str, clusters: str) -> list[str]:
    columns = value.split()
    if clusters not in columns or "FORM" not in columns:
        raise fault(
            *(path, line, None),
            f"columns {' '.join(columns)}: FORM and {clusters} are expected; name the "
            "column of entities with clusters=...",
        )
    if len({*columns}) < len(columns):
        raise fault(
            *(path, line, None),
            f"columns {' '.join(columns)}: one of them stands twice; give each a name of its "
            "own",
        )
    return columns
