"""Documents as CoNLL-2012: a token a line, mentions as brackets in the last column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from partwise.coreference.documents.documents import Document, Spans, Tokens
from partwise.coreference.formats.writing.plain import PART, plain_spans_of, words_or_blanks
from partwise.coreference.formats.writing.tokens import Losses

_ENTITY = re.compile(r"[^()|+\s]+\Z")
_WHITE = " \t\n\r\f\v"
_BLANKS = re.compile(f"[{_WHITE}]+")
_MISSING = ("nan", "none", "null")


def conll_2012_lines(document: Document, lost: Losses) -> Iterator[str]:
    """Yield the lines of a document; count what they do not hold.

    Parts of speech and phrases are written where the document has phrases.
    """
    spans = plain_spans_of(document, lost, phrases=True)
    if not document.name:
        raise ValueError("a document without a name cannot be written as conll-2012")
    tokens = words_or_blanks(document, spans, lost)
    syntax = _syntax(tokens, lost)
    if crossing := _crossing(spans, document.entity.tolist()):
        lost["mentions that cross another one of their entity, read back as nested"] += crossing
    columns = _columns(spans, document.entity.tolist(), _entity_names(document, lost))
    match = PART.match(document.name)
    name, part = (match[1], int(match[2])) if match else (document.name, 0)
    start = f"{'_'.join(name.split()) or '_'}\t{part}"
    yield f"#begin document {document.name}"
    before, number = None, 0
    sentences = tokens.sentence.tolist()
    for at, (word, sentence) in enumerate(zip(tokens.words, sentences, strict=True)):
        if sentence != before:
            if before is not None:
                yield ""
            before, number = sentence, 0
        written = _BLANKS.sub("_", word.strip(_WHITE)) or "_"
        if written != word:
            lost["words that are empty or hold blanks, with '_' in place of these"] += 1
        yield f"{start}\t{number}\t{written}{syntax(at)}\t{columns.get(at, '-')}"
        number += 1
    yield "#end document"


def _syntax(tokens: Tokens, lost: Losses) -> Callable[[int], str]:
    """Return what gives the columns of part of speech and phrases of a token."""
    if tokens.parse is None:
        return lambda at: ""
    parse = [_BLANKS.sub("", x) or "*" for x in tokens.parse]
    tags = ["-"] * len(parse) if tokens.tags is None else list(tokens.tags)
    if parse and "*" not in parse[0]:  # which is how the column is told from others
        lost["tokens whose brackets of phrases (parse) are left out"] += len(parse)
        return lambda at: ""
    return lambda at: f"\t{_BLANKS.sub('_', tags[at]) or '-'}\t{parse[at]}"


def _entity_names(document: Document, lost: Losses) -> list[str]:
    """Return names of entities that brackets can hold."""
    names = list(map(str, document.entity_names))
    if any(not _ENTITY.match(x) or x.lower() in _MISSING for x in names) or len(
        set(names)
    ) < len(names):
        lost["documents whose entities are written as numbers"] += 1
        names = list(map(str, range(len(names))))
    return names


def _columns(spans: Spans, entity: list[int], names: list[str]) -> dict[int, str]:
    """Return the coreference column of each token that has brackets: closing ones first."""
    rows = list(zip(spans.first.tolist(), spans.last.tolist(), entity, strict=True))
    brackets: dict[int, list[str]] = {}
    for first, last, e in sorted(rows, key=lambda row: (row[1], -row[0])):
        if last > first:
            brackets.setdefault(last, []).append(f"{names[e]})")
    for first, last, e in sorted(rows, key=lambda row: (row[0], -row[1])):
        closed = ")" if last == first else ""
        brackets.setdefault(first, []).append(f"({names[e]}{closed}")
    return {token: "|".join(parts) for token, parts in brackets.items()}


def _crossing(spans: Spans, entity: list[int]) -> int:
    """Return how many mentions begin within one of their entity and end behind it."""
    rows = sorted(zip(entity, spans.first.tolist(), (-spans.last).tolist(), strict=True))
    waiting: list[int] = []
    before, crossing = None, 0
    for e, first, minus_last in rows:
        last = -minus_last
        if e != before:
            before, waiting = e, []
        while waiting and waiting[-1] < first:
            waiting.pop()
        # one that ends where this one begins closes before this one opens
        crossing += any(first < x < last for x in waiting)
        waiting.append(last)
        waiting.sort(reverse=True)
    return crossing
