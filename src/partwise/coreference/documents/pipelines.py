"""Documents of language pipelines, with the entities of their models: spaCy, stanza."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from partwise.coreference.documents.documents import Document, Spans, Tokens
from partwise.labels.notes import Note

#: What spaCy's groups of spans are called, before their numbers, where nothing is said.
USUAL_PREFIX = "coref_clusters"

_Clusters = list[list[tuple[int, int]]]


def is_of_pipeline(document: Any) -> bool:
    """Return whether an object is a document of spaCy or of stanza."""
    return _is_spacy(document) or _is_stanza(document)


def _is_spacy(document: Any) -> bool:
    return hasattr(document, "spans") and hasattr(document, "user_data")


def _is_stanza(document: Any) -> bool:
    return hasattr(document, "sentences") and hasattr(document, "coref")


def document_of_pipeline(
    document: Any, name: str, named: bool, clusters: str | None, where: str
) -> tuple[Document, Note]:
    """Return the document of an object, and a note on what its entities are.

    Parameters
    ----------
    document : spacy.tokens.Doc or stanza.Document
        spaCy: groups of spans called ``coref_clusters_1`` and so on, or
        ``doc._.coref_clusters`` as fastcoref (pairs of characters) and neuralcoref (clusters
        with ``mentions``) set it.
        stanza: the chains in ``document.coref``.
    name : str
    named : bool
        Whether the caller gave the name.
    clusters : str or None
        spaCy: the prefix of the groups in place of ``coref_clusters``.
    where : str
        The side, for errors.

    Raises
    ------
    ValueError
        No groups with that prefix though there are others, spans outside of the document or
        within a token.
    """
    at = f"{where}, document {name!r}"
    if _is_stanza(document):
        if clusters is not None:
            raise ValueError(
                f"{at}: clusters={clusters!r} is for groups of spans of spaCy, and this is a "
                "document of stanza; leave it out"
            )
        tokens, listed = _of_stanza(document, at)
        text = "entities are the chains of stanza"
    else:
        tokens = _tokens_of_spacy(document)
        listed, text = _of_spacy(document, clusters, at)
    filled = [mentions for mentions in listed if mentions]
    rows = [mention for mentions in filled for mention in mentions]
    for first, last in rows:
        if not 0 <= first <= last < len(tokens):
            raise ValueError(
                f"{at}: a mention from token {first} to {last} is not within its "
                f"{len(tokens)} tokens"
            )
    spans = np.array(rows, dtype=np.int64).reshape(-1, 2)
    sizes = [len(mentions) for mentions in filled]
    made = Document(
        name,
        Spans(spans[:, 0], spans[:, 1]),
        np.repeat(np.arange(len(filled)), sizes),
        list(range(len(filled))),
        tokens,
        named=named,
    )
    return made, Note("field-taken", text)


# ---- stanza ------------------------------------------------------------------------


def _of_stanza(document: Any, at: str) -> tuple[Tokens, _Clusters]:
    words: list[str] = []
    sentence: list[int] = []
    starts = []
    for number, own in enumerate(document.sentences):
        starts.append(len(words))
        words += [word.text for word in own.words]
        sentence += [number] * len(own.words)
    if document.coref is None:
        raise ValueError(
            f"{at}: stanza has not resolved it; add the processor 'coref' to the pipeline"
        )
    clusters: _Clusters = []
    for chain in document.coref:
        mentions = []
        for mention in chain.mentions:
            ends = mention.sentence, mention.start_word, mention.end_word
            if not all(isinstance(x, int) for x in ends) or not 0 <= ends[0] < len(starts):
                raise ValueError(f"{at}: a mention of chain {chain.index} is at {ends}")
            size = len(document.sentences[ends[0]].words)
            if not 0 <= ends[1] < ends[2] <= size:
                raise ValueError(
                    f"{at}: a mention of chain {chain.index} is from word {ends[1]} to "
                    f"{ends[2]} of sentence {ends[0]}, which has {size} words"
                )
            start = starts[ends[0]]
            mentions.append((start + ends[1], start + ends[2] - 1))
        clusters.append(mentions)
    return Tokens(words, np.array(sentence, dtype=np.int64)), clusters


# ---- spaCy -------------------------------------------------------------------------


def _tokens_of_spacy(document: Any) -> Tokens:
    words = [token.text for token in document]
    starts = np.array([bool(token.is_sent_start) for token in document], dtype=np.int64)
    starts[:1] = 0
    return Tokens(words, np.cumsum(starts))


def _of_spacy(document: Any, clusters: str | None, at: str) -> tuple[_Clusters, str]:
    """Return clusters of tokens, and where they were."""
    prefix = USUAL_PREFIX if clusters is None else clusters
    groups = [*document.spans]
    numbered = re.compile(rf"{re.escape(prefix)}_?([0-9]+)\Z")
    chosen = sorted((int(m[1]), key) for key in groups if (m := numbered.match(key)))
    if chosen:
        listed = [[(x.start, x.end - 1) for x in document.spans[key]] for _, key in chosen]
        return listed, f"entities are the groups of spans {chosen[0][1]} and so on"
    attribute = _set_attribute(document) if clusters is None else None
    if attribute is not None:
        listed = [[*_tokens_in(document, cluster, at)] for cluster in attribute]
        return listed, "entities are those of doc._.coref_clusters"
    if groups or clusters is not None:
        raise ValueError(
            f"{at}: no group of spans is called {prefix}_1 or the like (there are: "
            f"{', '.join(groups) or 'none'}); say clusters=... with what stands before the "
            "numbers"
        )
    return [], f"entities are the groups of spans {prefix}_1 and so on"


def _set_attribute(document: Any) -> Sequence[Any] | None:
    """Return ``doc._.coref_clusters`` where a component has set it."""
    has_extension = getattr(document, "has_extension", None)
    if has_extension is None or not has_extension(USUAL_PREFIX):
        return None
    value: Sequence[Any] | None = getattr(document._, USUAL_PREFIX)
    return value


def _tokens_in(document: Any, cluster: Any, at: str) -> Iterator[tuple[int, int]]:
    """Yield mentions as first and last token."""
    for mention in getattr(cluster, "mentions", cluster):
        if hasattr(mention, "start") and hasattr(mention, "end"):
            yield mention.start, mention.end - 1
            continue
        first, end = mention
        span = document.char_span(first, end)
        if span is None:
            raise ValueError(
                f"{at}: the mention from character {first} to {end} does not begin and end "
                "with tokens"
            )
        yield span.start, span.end - 1
