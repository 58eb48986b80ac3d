"""What documents hold beside spans and entities, and who loses it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from partwise.coreference.documents.documents import Document, Spans
from partwise.coreference.formats.writing.tokens import NOTHING, Losses, relations_of


def with_own_references(document: Document, lost: Losses) -> Document:
    """Return a document whose references are of its own mentions.

    A caller may have changed the mentions and not what is said of them.
    """
    references = document.references
    if references is None:
        return document
    markables = references.markables
    refer = [at for at in range(len(markables)) if at not in references.non_referring]
    names = [markables.entity_names[entity] for entity in markables.entity[refer].tolist()]
    own = [document.entity_names[entity] for entity in document.entity.tolist()]
    if names == own and _same_ends(document, markables, refer):
        return document
    lost["documents with references of other mentions, which are left out"] += 1
    return replace(document, references=None)


def _same_ends(document: Document, markables: Document, rows: list[int]) -> bool:
    """Return whether rows of the markables begin and end as the mentions of a document."""
    ours, theirs = document.mentions, markables.mentions
    if not isinstance(theirs, Spans):
        return False
    if not isinstance(ours, Spans):
        return not len(ours) and not rows
    return np.array_equal(theirs.first[rows], ours.first) and np.array_equal(
        theirs.last[rows], ours.last
    )


def count_beside_spans(document: Document, lost: Losses, written: Sequence[str] = ()) -> None:
    """Count what formats of spans and words alone cannot hold.

    Attributes of mentions that are ``written`` are held.
    """
    if document.antecedents:
        what = "entities whose split antecedents are left out"
        lost[what] += len(document.antecedents)
    for name, column in document.attributes.items():
        if name not in written:
            lost[f"attributes {name!r} of mentions, left out"] += sum(map(bool, column))
    tokens = document.tokens
    if tokens is not None:
        for name, cells in tokens.columns.items():
            what = f"values of the column {name}, left out"
            lost[what] += sum(cell not in NOTHING for cell in cells)
        if lines := sum(map(len, tokens.lines.values())):
            lost["comments and lines of words of several tokens, left out"] += lines
    references = document.references
    if references is None:
        return
    numbers = {
        "mentions that refer to nothing, left out": len(references.non_referring),
        "bridging references left out": len(relations_of(document)),
    }
    if references.discourse_deixis is not None:
        numbers["mentions of discourse deixis, left out"] = len(references.discourse_deixis)
    for what, number in numbers.items():
        if number:
            lost[what] += number
