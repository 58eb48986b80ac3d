"""Documents as CoNLL-UA, the identity layer alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from partwise.coreference.documents.documents import Document, Spans, Tokens

_COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY"
_EMPTY = "\t_" * 8
_ENTITY = re.compile(r"[^()|=@\s]+\Z")
_PSEUDO = re.compile(r"[-_]Pseudo\Z", re.I)
_BLANKS = re.compile(r"\s+")


def conll_ua_lines(document: Document, spans: Spans, lost: Counter[str]) -> Iterator[str]:
    """Yield the lines of a document; count what they do not hold.

    Tokens are numbered over the document. Where mentions cross, closing brackets carry the
    ``MarkableID``; else they are plain, as most readers expect.
    """
    tokens = _tokens_of(document, spans, lost)
    runs = [_runs(spans, i) for i in range(len(spans))]
    names = _entity_names(document, lost)
    elements = _elements(document, names)
    opening = [
        f"(EntityID={names[entity]}|MarkableID=m{i + 1}{_minimum(spans, i)}"
        f"{elements.pop(entity, '')}"
        for i, entity in enumerate(document.entity.tolist())
    ]
    yield f"# global.columns = {_COLUMNS}"
    yield f"# newdoc id = {document.name}"
    cells = _cells(runs, opening)
    before = None
    for at, (word, sentence) in enumerate(
        zip(tokens.words, tokens.sentence.tolist(), strict=True)
    ):
        if before not in (None, sentence):
            yield ""
        before = sentence
        written = _BLANKS.sub("_", word.strip()) or "_"
        if written != word:
            lost["words that are empty or hold blanks, with '_' in place of these"] += 1
        yield f"{at + 1}\t{written}{_EMPTY}\t{cells.get(at, '_')}"
    yield ""


def _tokens_of(document: Document, spans: Spans, lost: Counter[str]) -> Tokens:
    n = int(spans.last.max()) + 1 if len(spans) else 0
    tokens = document.tokens
    if spans.head is not None:
        lost["mentions whose head is left out"] += len(spans)
    if tokens is None:
        lost["documents without words, written as '_'"] += 1
        return Tokens(["_"] * n, np.zeros(n, dtype=np.int64))
    if n > len(tokens):
        raise ValueError(
            f"document {document.name!r}: a mention ends at token {n - 1}, but there are "
            f"{len(tokens)} tokens"
        )
    if tokens.empty is not None:
        lost["empty nodes, written as words"] += int(np.count_nonzero(tokens.empty))
    dependencies = tokens.dependencies or ()
    if n_lost := sum(x not in ("", "_") for x in dependencies):
        lost["enhanced dependencies left out"] += n_lost
    return tokens


def _entity_names(document: Document, lost: Counter[str]) -> list[str]:
    names = list(map(str, document.entity_names))
    if any(not _ENTITY.match(name) or _PSEUDO.search(name) for name in names) or len(
        set(names)
    ) < len(names):
        lost["documents whose entities are written as numbers"] += 1
        names = list(map(str, range(1, len(names) + 1)))
    return names


def _elements(document: Document, names: Sequence[str]) -> dict[int, str]:
    """Return what the first mention of an entity says: which others are made of it."""
    made_of: dict[int, list[str]] = {}
    for entity, antecedents in document.antecedents.items():
        for antecedent in antecedents:
            made_of.setdefault(antecedent, []).append(names[entity])
    return {entity: f"|ElementOf={','.join(made)}" for entity, made in made_of.items()}


def _runs(spans: Spans, i: int) -> list[tuple[int, int]]:
    """Return the runs of a mention's tokens."""
    if spans.token_ends is None or spans.tokens is None:
        return [(int(spans.first[i]), int(spans.last[i]))]
    inside = spans.tokens[spans.token_ends[i] : spans.token_ends[i + 1]].tolist()
    breaks = [at for at, (a, b) in enumerate(pairwise(inside), 1) if b > a + 1]
    return [
        (inside[begin], inside[end - 1])
        for begin, end in zip([0, *breaks], [*breaks, len(inside)], strict=True)
    ]


def _minimum(spans: Spans, i: int) -> str:
    if spans.minimum is None:
        return ""
    first, last = (x + 1 for x in spans.minimum[i].tolist())
    return f"|Min={first}" if first == last else f"|Min={first},{last}"


def _cells(runs: Sequence[Sequence[tuple[int, int]]], opening: Sequence[str]) -> dict[int, str]:
    """Return the brackets of each token: closing ones of wide runs, then opening ones."""
    pieces = [(first, -last, i) for i, own in enumerate(runs) for first, last in own]
    pieces.sort()
    plain = _nested(pieces)
    opened: dict[int, list[str]] = {}
    closed: dict[int, list[tuple[int, int, str]]] = {}
    for order, (first, minus_last, i) in enumerate(pieces):
        last = -minus_last
        alone = ")" if last == first else ""
        opened.setdefault(first, []).append(f"{opening[i]}{alone}")
        if last > first:
            mark = ")" if plain else f"m{i + 1})"
            closed.setdefault(last, []).append((-order, i, mark))
    return {
        at: "".join(mark for _, _, mark in sorted(closed.get(at, ())))
        + "".join(opened.get(at, ()))
        for at in {*opened, *closed}
    }


def _nested(pieces: Sequence[tuple[int, int, int]]) -> bool:
    """Return whether runs, sorted by where they begin, the wide first, do not cross."""
    waiting: list[int] = []
    for first, minus_last, _ in pieces:
        while waiting and waiting[-1] < first:
            waiting.pop()
        if waiting and waiting[-1] < -minus_last:
            return False
        waiting.append(-minus_last)
    return True
