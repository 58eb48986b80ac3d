"""Mentions of JSON records as spans, and the words that they count."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Any

import numpy as np

from partwise.coreference.documents.documents import Tokens
from partwise.coreference.formats.files import Notes
from partwise.coreference.formats.json_lines.fields import (
    SENTENCES,
    Record,
    shown,
)
from partwise.numbers.arrays import IntArray

#: Positions stay below this, so that neither an end nor a sum of two overflows.
_LARGEST = 2**62
_NO_SPANS = np.empty((0, 2), dtype=np.int64)


def spans_of(
    listed: list[Sequence[Any]], record: Record, notes: Notes | None = None
) -> IntArray:
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
        spans: IntArray = np.array(mentions, dtype=np.int64)
    except OverflowError:
        raise record.fault("a mention's token number has more than 64 bits") from None
    if int(spans.max()) > _LARGEST or int(spans.min()) < -_LARGEST:
        beyond = ((spans > _LARGEST) | (spans < -_LARGEST)).any(axis=1)
        shown_mention = shown(mentions[int(np.flatnonzero(beyond)[0])])
        raise record.fault(f"the mention {shown_mention} is beyond token {_LARGEST}")
    return spans


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


def tokens_of(record: Record) -> Tokens | None:
    """Return the words of a record and their sentences; None where it has no words."""
    sentences = record.fields.get(SENTENCES)
    if "flatten_tokens" in record.fields:  # SciCo: its sentences are bounds, not words
        sentences = None
    if sentences is not None:
        if not isinstance(sentences, list) or not all(isinstance(x, list) for x in sentences):
            raise record.fault("'sentences' is not a list of lists of words")
        sizes = [len(sentence) for sentence in sentences]
        words = list(chain.from_iterable(sentences))
        return Tokens(_texts(words, record), np.repeat(np.arange(len(sizes)), sizes))
    field = record.field_of_words
    if field is None:
        return None
    words = record.fields[field]
    if not isinstance(words, list):
        raise record.fault(f"{field!r} is {shown(words)}; a list of words is expected")
    return Tokens(_texts(words, record), _sentence_of_words(record, len(words)))


def _texts(words: list[Any], record: Record) -> list[str]:
    """Return words; numbers, which a tokenizer may leave, as their text."""
    if {*map(type, words)} <= {str}:
        return words
    for at, word in enumerate(words):
        if type(word) not in (str, int, float):
            raise record.fault(f"word {at} is {shown(word)}; text is expected")
    return list(map(str, words))


def _sentence_of_words(record: Record, n: int) -> IntArray:
    """Return the sentence of each word, from 0: those of wl-coref's ``sent_id``, else one."""
    numbers = record.sentence_of_words
    if numbers is None:
        return np.zeros(n, dtype=np.int64)
    if (
        not isinstance(numbers, list)
        or len(numbers) != n
        or not all(type(x) is int for x in numbers)
    ):
        raise record.fault(
            f"'sent_id' is {shown(numbers)}; a whole number for each of the {n} words is "
            "expected"
        )
    changes = [a != b for a, b in pairwise(numbers)]
    return np.cumsum([0, *changes], dtype=np.int64)[:n]


def check_spans(
    spans: IntArray, length: int | None, entity: IntArray, ends: str, record: Record
) -> None:
    """Raise ValueError where a mention is none of the document."""
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


def in_words(
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
    if of_words and max(of_words) >= len(of_words):
        raise record.fault(
            f"'subtoken_map' names word {max(of_words)}, and has {len(of_words)} subtokens; "
            "words count from 0, each with a subtoken"
        )
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
