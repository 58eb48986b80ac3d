"""Documents as JSON lines of e2e-coref, wl-coref, fastcoref, PreCo and SciCo."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from partwise.coreference.documents.documents import Document, Spans
from partwise.coreference.formats.writing.characters import text_of_words
from partwise.coreference.formats.writing.plain import (
    PART,
    are_numbers_from_0,
    plain_spans_of,
    sentences_of,
    words_for,
)
from partwise.coreference.formats.writing.tokens import Losses

_Mention = list[int]


def jsonlines_lines(document: Document, lost: Losses) -> Iterator[str]:
    """Yield the line of a document as e2e-coref and its descendants have it: inclusive ends."""
    spans = plain_spans_of(document, lost)
    clusters = _clusters(document, _pairs(spans, 0), lost)
    record: dict[str, Any] = {"doc_key": document.name}
    if (tokens := document.tokens) is not None:
        words = list(tokens.words)
        record["sentences"] = [words[begin:end] for begin, end in sentences_of(tokens)]
    yield _line({**record, "clusters": clusters})


def wl_coref_lines(document: Document, lost: Losses) -> Iterator[str]:
    """Yield the line of a document as wl-coref has it: exclusive ends in ``span_clusters``."""
    spans = plain_spans_of(document, lost)
    tokens = words_for(document, spans, "wl-coref")
    match = PART.match(document.name)
    record: dict[str, Any] = {"document_id": document.name}
    if match and f"({match[1]}); part {int(match[2]):03}" == document.name:
        record = {"document_id": match[1], "part_id": int(match[2])}
    record["cased_words"] = list(tokens.words)
    record["sent_id"] = tokens.sentence.tolist()
    yield _line({**record, "span_clusters": _clusters(document, _pairs(spans, 1), lost)})


def fastcoref_lines(document: Document, lost: Losses) -> Iterator[str]:
    """Yield the line of a document as fastcoref has it: characters of a text."""
    spans = plain_spans_of(document, lost)
    tokens = words_for(document, spans, "fastcoref")
    text, begins, ends = text_of_words(tokens, " ", lost)
    mentions = [
        [begins[first], ends[last]]
        for first, last in zip(spans.first.tolist(), spans.last.tolist(), strict=True)
    ]
    clusters = _clusters(document, mentions, lost)
    strings = [[text[begin:end] for begin, end in cluster] for cluster in clusters]
    yield _line(
        {
            "doc_key": document.name,
            "text": text,
            "clusters": clusters,
            "clusters_strings": strings,
        }
    )


def preco_lines(document: Document, lost: Losses) -> Iterator[str]:
    """Yield the line of a document as PreCo has it: sentence, first word, the one behind.

    A mention that goes on in another sentence has no place there, and is left out.
    """
    spans = plain_spans_of(document, lost)
    tokens = words_for(document, spans, "preco")
    bounds = list(sentences_of(tokens))
    words = list(tokens.words)
    starts = np.array([begin for begin, _ in bounds], dtype=np.int64)
    number = np.searchsorted(starts, spans.first, side="right") - 1
    inside = number == np.searchsorted(starts, spans.last, side="right") - 1
    if n := int(np.count_nonzero(~inside)):
        lost["mentions of words of two sentences, left out"] += n
    rows = zip(number.tolist(), spans.first.tolist(), spans.last.tolist(), strict=True)
    mentions = [
        [at, first - bounds[at][0], last + 1 - bounds[at][0]] for at, first, last in rows
    ]
    clusters = _clusters(document, mentions, lost, inside.tolist())
    yield _line(
        {
            "id": document.name,
            "sentences": [words[begin:end] for begin, end in bounds],
            "mention_clusters": [cluster for cluster in clusters if cluster],
        }
    )


def scico_lines(document: Document, lost: Losses) -> Iterator[str]:
    """Yield the line of a document as SciCo has a topic: words without sentences."""
    spans = plain_spans_of(document, lost)
    tokens = words_for(document, spans, "scico")
    if sum(1 for _ in sentences_of(tokens)) > 1:
        lost["documents whose ends of sentences are left out"] += 1
    names = list(document.entity_names)
    if not all(type(name) is int and 0 <= name < 2**31 for name in names):
        lost["documents whose names of entities are left out"] += 1
        names = list(range(len(names)))
    of_mentions = [names[entity] for entity in document.entity.tolist()]
    mentions = [[*pair, name] for pair, name in zip(_pairs(spans, 0), of_mentions, strict=True)]
    yield _line(
        {
            "id": document.name,
            "flatten_tokens": list(tokens.words),
            "flatten_mentions": mentions,
        }
    )


def _pairs(spans: Spans, behind: int) -> list[_Mention]:
    """Return mentions as first and last token, or the one behind the last."""
    pairs: list[_Mention] = np.stack((spans.first, spans.last + behind), axis=1).tolist()
    return pairs


def _clusters(
    document: Document,
    mentions: Sequence[_Mention],
    lost: Losses,
    kept: Sequence[bool] | None = None,
) -> list[list[_Mention]]:
    """Return the mentions of each entity, those alone that are kept."""
    if not are_numbers_from_0(document):
        lost["documents whose names of entities are left out"] += 1
    clusters: list[list[_Mention]] = [[] for _ in document.entity_names]
    for row, (mention, entity) in enumerate(
        zip(mentions, document.entity.tolist(), strict=True)
    ):
        if kept is None or kept[row]:
            clusters[entity].append(mention)
    return clusters


def _line(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False)
