"""JSON lines with ``clusters``: one document a line, mentions as pairs of tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from partwise.coreference.documents.documents import Document, Spans, Tokens
from partwise.coreference.formats.files import Notes
from partwise.coreference.formats.json_fields import WORDS, Fields, Record, shown
from partwise.coreference.formats.json_objects import objects_of
from partwise.coreference.formats.roles import DOCUMENT, OTHER_DOCUMENT, PART, called
from partwise.numbers.arrays import IntArray
from partwise.numbers.checks import one_of

ENDS = ("auto", "inclusive", "exclusive")
NAMES = ("doc_key", "document_id", "doc_id", "id")
#: How ends are in the fields of wl-coref, PreCo and SciCo.
ENDS_OF_FIELDS = {
    "span_clusters": "exclusive",
    "mention_clusters": "exclusive",
    "flatten_mentions": "inclusive",
}

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
    fields = Fields(clusters, side)
    for record in _records(path):
        listed, field = fields.listed(record)
        if fields.predictions_of_key:
            notes.tell(
                "predicted-key",
                "the entities of the key are those of 'predicted_clusters', as it has no "
                "'clusters'",
            )
        if record.both_fields and clusters == "auto":
            notes.count("field-taken", f"records with two fields of entities, {field!r} read")
        if not record.named:
            notes.count(
                "documents-named",
                "documents without a name ('doc_key', 'document_id', 'doc_id', 'id' or "
                "'name' would hold it), named by their line",
            )
        spans = _spans(listed, record, notes)
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


def _records(path: Path) -> Iterator[Record]:
    """Yield the record of each document."""
    for line, fields in objects_of(path):
        name = _name_of(fields)
        yield Record(path, line, name or f"line {line}", name is not None, fields)


def _name_of(fields: dict[str, Any]) -> str | None:
    """Return the name of a document, with its part where the record numbers parts."""
    candidates = [*(name for name in NAMES if name in fields), *called(fields, DOCUMENT)]
    if not candidates:
        others = called(fields, ("name", *OTHER_DOCUMENT))
        candidates = others if len(others) == 1 else []
    name = next((fields[key] for key in candidates), None)
    if not isinstance(name, (str, int)) or isinstance(name, bool) or name == "":
        return None
    part = next((fields[key] for key in called(fields, PART)), None)
    if isinstance(part, str) and part.isdecimal():
        part = int(part)
    if isinstance(part, int) and not isinstance(part, bool):
        return f"({name}); part {part:03}"
    return str(name)


def _spans(listed: list[Sequence[Any]], record: Record, notes: Notes | None = None) -> IntArray:
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
            mentions = [_pair_of_whole_numbers(x, record) for x in mentions]
            if notes is not None:
                notes.tell("whole-numbers", "numbers such as 1.0 were read as whole numbers")
            break
    try:
        return np.array(mentions, dtype=np.int64)
    except OverflowError:
        raise record.fault("a mention's token number has more than 64 bits") from None


def _pair_of_whole_numbers(mention: Any, record: Record) -> list[int]:
    """Return a mention that may be written with floats."""
    if isinstance(mention, list) and len(mention) == 2:
        numbers = [int(x) for x in mention if _is_whole(x)]
        if len(numbers) == 2:
            return numbers
    raise record.fault(
        f"the mention {shown(mention)} is not a pair of whole numbers of tokens",
    )


def _is_whole(value: Any) -> bool:
    return type(value) is int or (type(value) is float and value.is_integer())


def _tokens(record: Record) -> Tokens | None:
    sentences = record.fields.get("sentences")
    if sentences is None:
        words = next((record.fields[name] for name in WORDS if name in record.fields), None)
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
    spans: IntArray, length: int | None, entity: IntArray, ends: str, record: Record
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
    spans: IntArray, tokens: Tokens | None, record: Record, notes: Notes
) -> tuple[IntArray, Tokens | None]:
    """Return spans of subtokens as spans of words, where the record's words are subtokens."""
    mapped = record.fields["subtoken_map"]
    if not isinstance(mapped, list) or not all(
        x is None or (type(x) is int and x >= 0) for x in mapped
    ):
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
    of_no_word = np.array([x is None for x in mapped])
    inside = (spans[:, 1] < len(mapped)) & (spans[:, 0] >= 0)
    if of_no_word.any() and (cut := of_no_word[spans[inside]].any(axis=1)).any():
        first, last = spans[inside][np.flatnonzero(cut)[0]].tolist()
        raise record.fault(
            f"the mention from {first} to {last} begins or ends at a subtoken of no word: null "
            "in 'subtoken_map'; correct the mention"
        )
    latest = next((x for x in mapped if x is not None), 0)
    of_words = [latest := latest if x is None else x for x in mapped]
    word = np.asarray(of_words, dtype=np.int64)
    if (np.diff(word) < 0).any():
        raise record.fault("'subtoken_map' falls; words have to come in their order")
    notes.count("subtokens-mapped", "documents with spans of subtokens, mapped to words")
    begins = np.searchsorted(word, np.arange(int(word[-1]) + 1))
    pieces: list[str] = ["" for _ in range(len(begins))]
    for number, piece in zip(mapped, tokens.words, strict=True):
        if number is not None and piece not in ("[CLS]", "[SEP]", "<s>", "</s>"):
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
    fields = Fields(clusters, side)
    for record in _records(path):
        listed, field = fields.listed(record)
        spans = _spans(listed, record)
        any_mention |= bool(len(spans))
        if (spans[:, 0] == spans[:, 1]).any():
            return "inclusive", field, True
        tokens = _tokens(record)
        if tokens is not None and (spans[:, 1] == len(tokens)).any():
            return "exclusive", field, True
    return None, field, any_mention
