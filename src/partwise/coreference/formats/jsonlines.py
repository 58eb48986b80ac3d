"""JSON lines with ``clusters``: one document a line, mentions as pairs of tokens."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from partwise.coreference.documents.documents import Document, Spans, Tokens
from partwise.coreference.formats.files import Notes, fault, numbered_lines
from partwise.coreference.formats.roles import DOCUMENT, PART, called
from partwise.numbers.arrays import IntArray
from partwise.numbers.checks import one_of

ENDS = ("auto", "inclusive", "exclusive")
NAMES = ("doc_key", "document_id", "doc_id", "id")
CLUSTERS = (
    *("clusters", "predicted_clusters", "span_clusters"),
    *("mention_clusters", "flatten_mentions"),
)
#: How ends are in the fields of wl-coref, PreCo and SciCo.
ENDS_OF_FIELDS = {
    "span_clusters": "exclusive",
    "mention_clusters": "exclusive",
    "flatten_mentions": "inclusive",
}
#: Which field is meant where a record has both, by the side that the file is.
OF_SIDE = {"key": "clusters", "response": "predicted_clusters"}
_WORDS = ("tokens", "cased_words", "flatten_tokens")

_NO_SPANS = np.empty((0, 2), dtype=np.int64)


def read_jsonlines(
    path: Path,
    notes: Notes,
    *,
    ends: str = "auto",
    clusters: str = "auto",
    side: str | None = None,
) -> Iterator[Document]:
    """Yield the documents of a file of JSON lines.

    Parameters
    ----------
    path : Path
    notes : Notes
    ends : {"auto", "inclusive", "exclusive"}
        Whether the second number of a mention is its last token or the one after it. "auto"
        takes what the file proves: a mention [5, 5] is inclusive, an end that is the number of
        tokens exclusive; without proof, inclusive. Spans of characters, as fastcoref writes
        them beside "text", are exclusive. What was taken is noted.
    clusters : str, default "auto"
        The field; by default "clusters", "predicted_clusters" or "span_clusters", where there
        is one of them.
    side : {"key", "response"}, optional
        Of "clusters" and "predicted_clusters" in one record a key takes the first, a response
        the second.

    Raises
    ------
    ValueError
        Bad JSON, no clusters, mentions that are not spans of the document; with file, line and
        document.
    """
    one_of(ends, ENDS, "ends")
    taken = ends
    if ends == "auto":
        taken = _ends_of(path, clusters, side, notes)
    for record in _records(path):
        listed, field = _listed(record, clusters, side)
        if record.both_fields and clusters == "auto":
            notes.count("field-taken", f"records with two fields of entities, {field!r} read")
        if not record.named:
            notes.count("documents-named", "documents without a name, named by their line")
        spans = _spans(listed, record)
        if taken == "exclusive":
            spans[:, 1] -= 1
        tokens = _tokens(record)
        length = None if tokens is None else len(tokens)
        if record.of_characters:
            length = len(record.fields["text"])
        sizes = np.array([len(cluster) for cluster in listed], dtype=np.int64)
        entity = np.repeat(np.arange(len(sizes)), sizes)
        _check_spans(spans, length, entity, taken, record)
        if "subtoken_map" in record.fields and len(spans):
            spans, tokens = _in_words(spans, tokens, record, notes)
        if n := int(np.count_nonzero(sizes == 0)):
            notes.count("mentions-interpreted", "entities without mentions, left out", n)
        names = np.flatnonzero(sizes)
        lines = np.full(len(spans), record.line, dtype=np.int64)
        yield Document(
            record.name,
            Spans(spans[:, 0], spans[:, 1], line=lines),
            np.repeat(np.arange(len(names)), sizes[names]),
            names.tolist(),
            tokens,
            named=record.named,
        )


@dataclass(frozen=True, slots=True)
class _Record:
    """A line's object, and what the document is called."""

    path: Path
    line: int
    name: str
    named: bool
    fields: dict[str, Any]

    def fault(self, what: str) -> ValueError:
        return fault(self.path, self.line, self.name, what)

    @property
    def both_fields(self) -> bool:
        return all(name in self.fields for name in OF_SIDE.values())

    @property
    def of_characters(self) -> bool:
        """Whether mentions are spans of a text, as fastcoref writes them."""
        worded = ("sentences", *_WORDS)
        return isinstance(self.fields.get("text"), str) and not any(
            name in self.fields for name in worded
        )


def _records(path: Path) -> Iterator[_Record]:
    """Yield the record of each document."""
    for line, data in numbered_lines(path):
        if not data.strip():
            continue
        try:
            fields = json.loads(data)
        except ValueError as error:
            raise fault(
                *(path, line, None),
                f"not JSON ({error}); each line holds one document as an object "
                '{"doc_key": ..., "clusters": [[[first, last], ...], ...]}',
            ) from None
        if not isinstance(fields, dict):
            raise fault(
                path, line, None, f"a JSON {type(fields).__name__}; an object is expected"
            )
        name = _name_of(fields)
        yield _Record(path, line, name or f"line {line}", name is not None, fields)


def _name_of(fields: dict[str, Any]) -> str | None:
    """Return the name of a document, with its part where the record numbers parts."""
    candidates = [*(name for name in NAMES if name in fields), *called(fields, DOCUMENT)]
    name = next((fields[key] for key in candidates), None)
    if not isinstance(name, (str, int)) or isinstance(name, bool) or name == "":
        return None
    part = next((fields[key] for key in called(fields, PART)), None)
    if isinstance(part, str) and part.isdecimal():
        part = int(part)
    if isinstance(part, int) and not isinstance(part, bool):
        return f"({name}); part {part:03}"
    return str(name)


def _listed(
    record: _Record, clusters: str, side: str | None
) -> tuple[list[Sequence[Any]], str]:
    """Return the clusters of a record, each a list of mentions, and their field."""
    names = CLUSTERS if clusters == "auto" else (clusters,)
    present = [name for name in names if name in record.fields]
    if not present:
        raise record.fault(
            f"no {' or '.join(map(repr, names))} (fields: {', '.join(record.fields)}); name "
            "the field with clusters=...",
        )
    if len(present) > 1:
        if side not in OF_SIDE or OF_SIDE[side] not in present:
            raise record.fault(
                f"both {present[0]!r} and {present[1]!r} are there; say which with "
                "clusters=...",
            )
        present = [OF_SIDE[side]]
    field = present[0]
    listed = record.fields[field]
    if not isinstance(listed, list):
        raise record.fault(f"{field!r} is {_shown(listed)}; a list of entities is expected")
    if field == "flatten_mentions":
        listed = _by_entity(listed, record)
    for number, cluster in enumerate(listed):
        if not isinstance(cluster, list):
            raise record.fault(
                f"entity {number} of {field!r} is {_shown(cluster)}; a list of mentions "
                "[first, last] is expected",
            )
    if field == "mention_clusters":
        listed = [[_over_document(mention, record) for mention in x] for x in listed]
    return listed, field


def _by_entity(mentions: list[Any], record: _Record) -> list[list[Any]]:
    """Return SciCo's [first, last, entity] as a list for each entity."""
    entities: dict[Any, list[Any]] = {}
    for mention in mentions:
        if not isinstance(mention, list) or len(mention) != 3 or isinstance(mention[2], list):
            raise record.fault(f"the mention {_shown(mention)} is not [first, last, entity]")
        entities.setdefault(mention[2], []).append(mention[:2])
    return list(entities.values())


def _over_document(mention: Any, record: _Record) -> Any:
    """Return PreCo's [sentence, begin, end] as positions over the document."""
    sentences = record.fields.get("sentences")
    if not isinstance(mention, list) or len(mention) != 3 or not isinstance(sentences, list):
        raise record.fault(
            f"the mention {_shown(mention)} is not [sentence, begin, end] beside 'sentences'"
        )
    number, begin, end = mention
    if not all(type(x) is int for x in mention) or not 0 <= number < len(sentences):
        raise record.fault(f"the mention {_shown(mention)} names no sentence of the document")
    if not 0 <= begin < end <= len(sentences[number]):
        raise record.fault(
            f"the mention {_shown(mention)} is not within the {len(sentences[number])} words "
            "of its sentence"
        )
    start = sum(map(len, sentences[:number]))
    return [start + begin, start + end]


def _spans(listed: list[Sequence[Any]], record: _Record) -> IntArray:
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
            raise record.fault(
                f"the mention {_shown(mention)} is not a pair of whole numbers of tokens",
            )
    try:
        return np.array(mentions, dtype=np.int64)
    except OverflowError:
        raise record.fault("a mention's token number has more than 64 bits") from None


def _tokens(record: _Record) -> Tokens | None:
    sentences = record.fields.get("sentences")
    if sentences is None:
        words = next((record.fields[name] for name in _WORDS if name in record.fields), None)
        if words is None:
            return None
        sentences = [words]
    if not isinstance(sentences, list) or not all(isinstance(x, list) for x in sentences):
        raise record.fault(
            "'sentences' is not a list of lists of words, nor 'tokens' a list of words"
        )
    sizes = [len(sentence) for sentence in sentences]
    words = list(map(str, chain.from_iterable(sentences)))
    return Tokens(words, np.repeat(np.arange(len(sizes)), sizes))


def _check_spans(
    spans: IntArray, length: int | None, entity: IntArray, ends: str, record: _Record
) -> None:
    wrong = (spans[:, 0] < 0) | (spans[:, 1] < spans[:, 0])
    what = "ends before it begins, or begins before token 0"
    if length is not None and not wrong.any():
        wrong = spans[:, 1] >= length
        unit = "characters" if record.of_characters else "tokens"
        what = f"reaches beyond the document's {length} {unit}"
    if not wrong.any():
        return
    at = int(np.flatnonzero(wrong)[0])
    first, last = (int(x) for x in spans[at])
    shown = [first, last + (ends == "exclusive")]
    raise record.fault(
        f"the mention {shown} of entity {int(entity[at])} {what} (ends are taken as {ends}; "
        "change that with ends=...)",
    )


def _in_words(
    spans: IntArray, tokens: Tokens | None, record: _Record, notes: Notes
) -> tuple[IntArray, Tokens | None]:
    """Return spans of subtokens as spans of words, where the record's words are subtokens."""
    mapped = record.fields["subtoken_map"]
    if not isinstance(mapped, list) or not all(type(x) is int and x >= 0 for x in mapped):
        raise record.fault("'subtoken_map' is not a list of whole numbers of words")
    if tokens is None:
        raise record.fault(
            "'subtoken_map' without 'sentences': mentions may count subtokens or words, which "
            "makes other spans; add the sentences that they count, or remove 'subtoken_map' if "
            "they count words"
        )
    if len(tokens) != len(mapped):
        notes.count(
            "subtokens-mapped", "documents whose 'subtoken_map' is not of their words, not used"
        )
        return spans, tokens
    word = np.asarray(mapped, dtype=np.int64)
    if (np.diff(word) < 0).any():
        raise record.fault("'subtoken_map' falls; words have to come in their order")
    notes.count("subtokens-mapped", "documents with spans of subtokens, mapped to words")
    begins = np.searchsorted(word, np.arange(int(word[-1]) + 1))
    pieces: list[str] = ["" for _ in range(len(begins))]
    for number, piece in zip(mapped, tokens.words, strict=True):
        if piece not in ("[CLS]", "[SEP]", "<s>", "</s>"):
            pieces[number] += piece.removeprefix("##").removeprefix("\u2581")
    sentence = tokens.sentence[np.minimum(begins, len(word) - 1)]
    return word[spans], Tokens(pieces, sentence)


def _ends_of(path: Path, clusters: str, side: str | None, notes: Notes) -> str:
    """Return how ends are taken, and note why."""
    of_characters = next((record.of_characters for record in _records(path)), False)
    if of_characters:
        notes.tell(
            "positions-are-characters", "positions are characters of 'text', ends exclusive"
        )
        return "exclusive"
    proven, field, any_mention = _proven_ends(path, clusters, side)
    how = "as the file proves"
    if proven is None and field in ENDS_OF_FIELDS:
        proven, how = ENDS_OF_FIELDS[field], f"as the field {field!r} has them"
    if proven:
        notes.tell("ends-taken", f"ends of mentions taken as {proven}, {how}")
        return proven
    notes.tell(
        "ends-by-default" if any_mention else "ends-taken",
        "ends of mentions taken as inclusive, by default, as nothing in the file proves it",
    )
    return "inclusive"


def _proven_ends(
    path: Path, clusters: str, side: str | None
) -> tuple[str | None, str | None, bool]:
    """Return what the first mention proves that can only be that, and the field of entities."""
    field, any_mention = None, False
    for record in _records(path):
        listed, field = _listed(record, clusters, side)
        spans = _spans(listed, record)
        any_mention |= bool(len(spans))
        if (spans[:, 0] == spans[:, 1]).any():
            return "inclusive", field, True
        tokens = _tokens(record)
        if tokens is not None and (spans[:, 1] == len(tokens)).any():
            return "exclusive", field, True
    return None, field, any_mention


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
