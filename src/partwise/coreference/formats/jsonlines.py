"""JSON lines with ``clusters``: one document a line, mentions as pairs of tokens."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from partwise.coreference.documents.documents import Document, Spans, Tokens
from partwise.coreference.formats.files import Notes, fault, numbered_lines
from partwise.numbers.arrays import IntArray
from partwise.numbers.checks import one_of

ENDS = ("auto", "inclusive", "exclusive")
NAMES = ("doc_key", "document_id", "doc_id", "id")
CLUSTERS = ("clusters", "predicted_clusters")

_NO_SPANS = np.empty((0, 2), dtype=np.int64)


def read_jsonlines(
    path: Path, notes: Notes, *, ends: str = "auto", clusters: str = "auto"
) -> Iterator[Document]:
    """Yield the documents of a file of JSON lines.

    Parameters
    ----------
    path : Path
    notes : Notes
    ends : {"auto", "inclusive", "exclusive"}
        Whether the second number of a mention is its last token or the one after it. "auto"
        takes what the file proves: a mention [5, 5] is inclusive, an end that is the number of
        tokens exclusive; without proof, inclusive. What was taken is noted.
    clusters : str, default "auto"
        The field; by default "clusters" or "predicted_clusters", where there is one of them.

    Raises
    ------
    ValueError
        Bad JSON, no name, no clusters, mentions that are not spans of the document; with file,
        line and document.
    """
    one_of(ends, ENDS, "ends")
    if ends == "auto":
        proven = _proven_ends(path, clusters)
        ends = proven or "inclusive"
        how = "as the file proves" if proven else "by default, as nothing in the file proves it"
        notes[f"ends of mentions taken as {ends}, {how}"] = 0
    for line, name, record in _records(path):
        where = (path, line, name)
        listed = _listed(record, clusters, where)
        spans = _spans(listed, where)
        if ends == "exclusive":
            spans[:, 1] -= 1
        tokens = _tokens(record, where)
        sizes = np.array([len(cluster) for cluster in listed], dtype=np.int64)
        _check_spans(spans, tokens, np.repeat(np.arange(len(sizes)), sizes), ends, where)
        if n := int(np.count_nonzero(sizes == 0)):
            notes["entities without mentions, left out"] += n
        names = np.flatnonzero(sizes)
        yield Document(
            name,
            Spans(spans[:, 0], spans[:, 1], line=np.full(len(spans), line, dtype=np.int64)),
            np.repeat(np.arange(len(names)), sizes[names]),
            names.tolist(),
            tokens,
        )


_Where = tuple[Path, int, str]


def _records(path: Path) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield line, name and record of each document."""
    for line, data in numbered_lines(path):
        if not data.strip():
            continue
        try:
            record = json.loads(data)
        except ValueError as error:
            raise fault(
                *(path, line, None),
                f"not JSON ({error}); each line holds one document as an object "
                '{"doc_key": ..., "clusters": [[[first, last], ...], ...]}',
            ) from None
        if not isinstance(record, dict):
            raise fault(
                path, line, None, f"a JSON {type(record).__name__}; an object is expected"
            )
        name = next((record[key] for key in NAMES if key in record), None)
        if not isinstance(name, (str, int)) or isinstance(name, bool):
            raise fault(
                *(path, line, None),
                f"the document has no name; give it one in {NAMES[0]!r} "
                f"(fields: {', '.join(map(str, record))})",
            )
        yield line, str(name), record


def _listed(record: dict[str, Any], clusters: str, where: _Where) -> list[Sequence[Any]]:
    """Return the clusters of a record, each a list of mentions."""
    names = CLUSTERS if clusters == "auto" else (clusters,)
    found = [name for name in names if name in record]
    if not found:
        raise fault(
            *where,
            f"no {' or '.join(map(repr, names))} (fields: {', '.join(record)}); name the field "
            "with clusters=...",
        )
    if len(found) > 1:
        raise fault(
            *where,
            f"both {found[0]!r} and {found[1]!r} are there; say which with clusters=...",
        )
    listed = record[found[0]]
    if not isinstance(listed, list):
        raise fault(*where, f"{found[0]!r} is {_shown(listed)}; a list of entities is expected")
    for number, cluster in enumerate(listed):
        if not isinstance(cluster, list):
            raise fault(
                *where,
                f"entity {number} of {found[0]!r} is {_shown(cluster)}; a list of mentions "
                "[first, last] is expected",
            )
    return listed


def _spans(listed: list[Sequence[Any]], where: _Where) -> IntArray:
    """Return mentions as rows (first, last)."""
    mentions = list(chain.from_iterable(listed))
    if not mentions:
        return _NO_SPANS.copy()
    for mention in mentions:
        if (
            type(mention) is not list
            or len(mention) != 2
            or type(mention[0]) is not int
            or type(mention[1]) is not int
        ):
            raise fault(
                *where,
                f"the mention {_shown(mention)} is not a pair of whole numbers of tokens",
            )
    try:
        return np.array(mentions, dtype=np.int64)
    except OverflowError:
        raise fault(*where, "a mention's token number has more than 64 bits") from None


def _tokens(record: dict[str, Any], where: _Where) -> Tokens | None:
    sentences = record.get("sentences")
    if sentences is None:
        if "tokens" not in record:
            return None
        sentences = [record["tokens"]]
    if not isinstance(sentences, list) or not all(isinstance(x, list) for x in sentences):
        raise fault(
            *where, "'sentences' is not a list of lists of words, nor 'tokens' a list of words"
        )
    sizes = [len(sentence) for sentence in sentences]
    words = list(map(str, chain.from_iterable(sentences)))
    return Tokens(words, np.repeat(np.arange(len(sizes)), sizes))


def _check_spans(
    spans: IntArray, tokens: Tokens | None, entity: IntArray, ends: str, where: _Where
) -> None:
    wrong = (spans[:, 0] < 0) | (spans[:, 1] < spans[:, 0])
    what = "ends before it begins, or begins before token 0"
    if tokens is not None and not wrong.any():
        wrong = spans[:, 1] >= len(tokens)
        what = f"reaches beyond the document's {len(tokens)} tokens"
    if not wrong.any():
        return
    at = int(np.flatnonzero(wrong)[0])
    first, last = (int(x) for x in spans[at])
    shown = [first, last + (ends == "exclusive")]
    raise fault(
        *where,
        f"the mention {shown} of entity {int(entity[at])} {what} (ends are taken as {ends}; "
        "change that with ends=...)",
    )


def _proven_ends(path: Path, clusters: str) -> str | None:
    """Return "inclusive" or "exclusive" at the first mention that can only be that."""
    for line, name, record in _records(path):
        where = (path, line, name)
        spans = _spans(_listed(record, clusters, where), where)
        if (spans[:, 0] == spans[:, 1]).any():
            return "inclusive"
        tokens = _tokens(record, where)
        if tokens is not None and (spans[:, 1] == len(tokens)).any():
            return "exclusive"
    return None


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
