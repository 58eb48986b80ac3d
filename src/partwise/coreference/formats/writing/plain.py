"""Spans and words of documents, for formats that hold no more than these."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from partwise.coreference.documents.documents import Document, Spans, Tokens
from partwise.coreference.formats.writing.tokens import NOTHING, Losses

#: The name of a document's part, as CoNLL-2012 writes it.
PART = re.compile(r"\((.*)\);\s*part\s*([0-9]{1,18})\Z")
#: Formats whose mentions count characters of a text, which is made of words.
_OF_CHARACTERS = ("brat", "fastcoref")
#: Words "_" that are written for a document without words; further ones would fill the disk.
_MOST_WORDS = 10_000_000


def spans_of(document: Document) -> Spans:
    """Return the spans of a document."""
    spans = document.mentions
    if not isinstance(spans, Spans):
        if len(spans):
            raise ValueError(
                f"document {document.name!r}: its mentions are no spans of tokens "
                f"({spans[0]!r}, say); only spans can be written"
            )
        nothing = np.empty(0, dtype=np.int64)
        return Spans(nothing, nothing)
    if document.name != document.name.strip() or re.search(r"[\t\r\n]", document.name):
        raise ValueError(
            f"document {document.name!r}: a name with blanks at an end, with tabs or line "
            "breaks cannot be written"
        )
    return spans


def plain_spans_of(
    document: Document, lost: Losses, *, gaps: bool = False, phrases: bool = False
) -> Spans:
    """Return the spans of a document, after counting what plain spans of words lose.

    Parameters
    ----------
    document : Document
    lost : Losses
    gaps : bool
        Whether the format holds discontinuous mentions.
    phrases : bool
        Whether it holds a parse, and the parts of speech beside it.
    """
    spans = spans_of(document)
    if spans.head is not None:
        lost["mentions whose head is left out"] += len(spans)
    if spans.minimum is not None:
        lost["mentions whose minimum span is left out"] += len(spans)
    if spans.token_ends is not None and not gaps:
        broken = np.diff(spans.token_ends) < spans.last - spans.first + 1
        if n := int(np.count_nonzero(broken)):
            lost["discontinuous mentions, written from first to last token"] += n
    tokens = document.tokens
    if tokens is None:
        return spans
    if tokens.empty is not None:
        lost["empty nodes, written as words"] += int(np.count_nonzero(tokens.empty))
    if n := sum(x not in NOTHING for x in tokens.dependencies or ()):
        lost["enhanced dependencies left out"] += n
    if tokens.parents is not None:
        lost["tokens whose governor (dependency) is left out"] += len(tokens)
    if phrases and tokens.parse is not None:
        return spans
    if n := sum(x not in (*NOTHING, "-") for x in tokens.tags or ()):
        lost["tokens whose part of speech is left out"] += n
    if tokens.parse is not None:
        lost["tokens whose brackets of phrases (parse) are left out"] += len(tokens)
    return spans


def words_for(document: Document, spans: Spans, format: str) -> Tokens:
    """Return the words of a document for a format that cannot do without.

    Raises
    ------
    ValueError
        The document has none, or a mention ends behind them.
    """
    tokens = document.tokens
    if tokens is None:
        of_what = " of characters" if document.characters is not None else ""
        has = "a text of words" if format in _OF_CHARACTERS else "mentions of words"
        raise ValueError(
            f"document {document.name!r}: it has no words, only positions{of_what}, and "
            f"{format} has {has}; write it as jsonlines or conll-2012, which can do without, "
            "or read it from a file with words"
        )
    check_ends(document, spans, tokens)
    return tokens


def words_or_blanks(document: Document, spans: Spans, lost: Losses) -> Tokens:
    """Return the words of a document; "_" for each where it has none, which is counted."""
    tokens = document.tokens
    if tokens is not None:
        check_ends(document, spans, tokens)
        return tokens
    n = int(spans.last.max()) + 1 if len(spans) else 0
    if n > _MOST_WORDS:
        raise ValueError(
            f"document {document.name!r}: it has no words, and a mention ends at token "
            f"{n - 1}; more than {_MOST_WORDS} words '_' are not written: correct the "
            "mention, or write it as jsonlines"
        )
    lost["documents without words, written as '_'"] += 1
    return Tokens(["_"] * n, np.zeros(n, dtype=np.int64))


def check_ends(document: Document, spans: Spans, tokens: Tokens) -> None:
    """Raise ValueError where a mention ends behind the last token."""
    if len(spans) and (last := int(spans.last.max())) >= len(tokens):
        raise ValueError(
            f"document {document.name!r}: a mention ends at token {last}, but there are "
            f"{len(tokens)} tokens"
        )


def are_numbers_from_0(document: Document) -> bool:
    """Return whether entities are called by their positions, as those without names are."""
    return list(document.entity_names) == list(range(len(document.entity_names)))


def sentences_of(tokens: Tokens) -> Iterator[tuple[int, int]]:
    """Yield the first token of each sentence, and the one behind its last."""
    bounds = (np.flatnonzero(np.diff(tokens.sentence)) + 1).tolist()
    for begin, end in zip([0, *bounds], [*bounds, len(tokens)], strict=True):
        if end > begin:
            yield begin, end
