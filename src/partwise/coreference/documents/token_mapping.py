"""Other tokens of the same text: mentions of the response in the tokens of the key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

import numpy as np

from partwise.coreference.documents.documents import Side, Spans, Tokens
from partwise.coreference.documents.sides import running_ends
from partwise.coreference.documents.tokens import (
    have_empty_nodes,
    have_tokens,
    numbers_of_words,
    same_tokens,
)
from partwise.labels.notes import Note
from partwise.numbers.arrays import IntArray

#: Words that treebanks write for characters.
_ESCAPED = {
    **{"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"},
    **{"``": '"', "''": '"'},
}
_NO_WORDS = ("", "_")
#: Characters of either text that an error shows.
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class _Mapping:
    """Where the tokens of a document of the response are in the key.

    Attributes
    ----------
    first, last : int64 arrays
        By token of the response: first and last token of the key that has characters of it.
    at_start, at_end : bool arrays
        By token of the response: whether these begin, and end, where it does.
    tokens : Tokens
        Those of the key, and what the response has behind them.
    lengths : tuple of int
        Characters of the key and of the response, blanks not counted.
    """

    first: IntArray
    last: IntArray
    at_start: IntArray
    at_end: IntArray
    tokens: Tokens
    lengths: tuple[int, int]


def mapped_by_characters(key: Side, response: Side) -> tuple[Side, list[Note]]:
    """Return the response with its mentions in the key's tokens, where these are others.

    Documents with other numbers of words whose characters are the same, blanks aside, are
    mapped; one text may end before the other, which is told. Documents of which a side has no
    real words stay as they are. O(characters of the documents that are mapped).

    Raises
    ------
    ValueError
        The characters differ; a document has empty nodes, which have none.
    """
    if not isinstance(response.mentions, Spans) or not isinstance(key.mentions, Spans):
        return response, []
    sides = (key.tokens, response.tokens)
    both = have_tokens(sides[0]) & have_tokens(sides[1])
    if both.any():
        both &= ~same_tokens(*sides)
    ours, theirs = map(numbers_of_words, sides)
    empty = have_empty_nodes(sides[0]) | have_empty_nodes(sides[1])
    mappings: dict[int, _Mapping] = {}
    for at in np.flatnonzero(both & (ours != theirs)).tolist():
        own, other = sides[0][at], sides[1][at]
        assert own is not None
        assert other is not None
        if not (_has_words(own) and _has_words(other)):
            continue
        name = key.names[at]
        numbers = (
            f"document {name!r} has {ours[at]} words in the key, {theirs[at]} in the response"
        )
        if empty[at]:
            raise ValueError(
                f"{numbers}, and empty nodes, so that mentions cannot be mapped by characters"
                f"; {_WAY_OUT}"
            )
        mappings[at] = _mapping(own, other, numbers)
    if not mappings:
        return response, []
    spans, cut = _moved(response, mappings)
    tokens: list[Tokens | None] = [
        mappings[at].tokens if at in mappings else one for at, one in enumerate(response.tokens)
    ]
    first = next(iter(mappings))
    more = f" and {len(mappings) - 1} documents more" if len(mappings) > 1 else ""
    text = (
        f"document {key.names[first]!r} has {ours[first]} words in the key, {theirs[first]} in "
        f"the response{more}, of the same characters as far as both go: mentions of the "
        "response were mapped to the words of the key "
        f"({cut} of them began or ended within one)"
    )
    notes = [Note("other-words", text), *_notes_on_ends(key.names, mappings)]
    return replace(response, mentions=spans, tokens=tokens), notes


def _notes_on_ends(names: Sequence[str], mappings: dict[int, _Mapping]) -> list[Note]:
    """Note documents whose text ends on one side before that of the other."""
    uneven = [at for at, one in mappings.items() if one.lengths[0] != one.lengths[1]]
    if not uneven:
        return []
    own, other = mappings[uneven[0]].lengths
    more = f", and {len(uneven) - 1} documents more end early" if len(uneven) > 1 else ""
    side = "key" if own < other else "response"
    text = (
        f"the text of document {names[uneven[0]]!r} ends early in the {side}, which has the "
        f"first {min(own, other)} of {max(own, other)} characters{more}: was a file cut off?"
    )
    return [Note("text-ends-early", text)]


_WAY_OUT = (
    'give both sides the same tokens, or say other_tokens="position" to compare positions as '
    "they are"
)


def _has_words(tokens: Tokens) -> bool:
    return any(word not in _NO_WORDS for word in tokens.words)


def _characters(words: Sequence[str]) -> list[str]:
    """Return words without blanks, and with what treebanks write for brackets and quotes."""
    return [_ESCAPED.get(word) or "".join(word.split()) for word in words]


def _mapping(own: Tokens, other: Tokens, numbers: str) -> _Mapping:
    """Return where the tokens of the response are; ``numbers`` begins the error."""
    ours, theirs = _characters(own.words), _characters(other.words)
    texts = "".join(ours), "".join(theirs)
    shared = min(map(len, texts))
    if texts[0][:shared] != texts[1][:shared]:
        at = next(i for i in range(shared) if texts[0][i] != texts[1][i])
        shown = [repr(text[at : at + _SHOWN]) for text in texts]
        raise ValueError(
            f"{numbers}, and other characters from character {at} on, blanks not counted "
            f"({shown[0]} and {shown[1]}), so that mentions cannot be mapped; {_WAY_OUT}"
        )
    ends = np.array(list(accumulate(map(len, ours))), dtype=np.int64)
    stops = np.array(list(accumulate(map(len, theirs))), dtype=np.int64)
    starts = stops - np.array(list(map(len, theirs)), dtype=np.int64)
    beyond = starts >= ends[-1]
    # what the response has behind the key's text stands behind the key's tokens
    numbers_behind = len(ours) + np.cumsum(beyond) - 1
    last_character = np.maximum(stops - 1, starts)
    first, last = (
        np.where(
            characters >= ends[-1], numbers_behind, np.searchsorted(ends, characters, "right")
        )
        for characters in (starts, last_character)
    )
    last = np.maximum(first, last)
    begins = np.concatenate([ends - np.array(list(map(len, ours))), starts[beyond]])
    finishes = np.concatenate([ends, stops[beyond]])
    behind = np.flatnonzero(beyond).tolist()
    words = [*own.words, *(other.words[at] for at in behind)]
    sentence = np.concatenate(
        [own.sentence, other.sentence[beyond] + int(own.sentence.max(initial=-1)) + 1]
    )
    last = np.minimum(last, len(words) - 1)
    tokens = own if not behind else Tokens(words, sentence)
    lengths = len(texts[0]), len(texts[1])
    return _Mapping(
        first, last, begins[first] == starts, finishes[last] == stops, tokens, lengths
    )


def _moved(response: Side, mappings: dict[int, _Mapping]) -> tuple[Spans, int]:
    """Return the mentions at their new places, and how many ends were within a token."""
    spans: Any = response.mentions
    columns: dict[str, IntArray | None] = {
        name: None if column is None else column.copy()
        for name, column in (
            ("first", spans.first),
            ("last", spans.last),
            ("head", spans.head),
            ("minimum", spans.minimum),
        )
    }
    bounds = np.searchsorted(response.document, np.arange(len(response.names) + 1))
    pieces: dict[int, list[int]] = {}
    cut = 0
    for at, mapping in mappings.items():
        rows = slice(int(bounds[at]), int(bounds[at + 1]))
        n = len(mapping.first)
        if (spans.last[rows] >= n).any():
            row = rows.start + int((spans.last[rows] >= n).argmax())
            raise ValueError(
                f"response, document {response.names[at]!r}: a mention ends at token "
                f"{int(spans.last[row])}, but there are {n} tokens"
            )
        first, last = spans.first[rows], spans.last[rows]
        cut += int((~mapping.at_start[first] | ~mapping.at_end[last]).sum())
        for name, own in columns.items():
            if own is None:
                continue
            old = own[rows]
            if name == "minimum":
                own[rows] = np.stack([mapping.first[old[:, 0]], mapping.last[old[:, 1]]], 1)
            else:
                own[rows] = (mapping.last if name == "last" else mapping.first)[old]
        if spans.token_ends is not None:
            for row in range(rows.start, rows.stop):
                inside = spans.tokens[spans.token_ends[row] : spans.token_ends[row + 1]]
                pieces[row] = sorted(
                    {
                        place
                        for token in inside.tolist()
                        for place in range(mapping.first[token], mapping.last[token] + 1)
                    }
                )
    token_ends, tokens = spans.token_ends, spans.tokens
    if token_ends is not None:
        listed = [
            pieces[row]
            if row in pieces
            else tokens[token_ends[row] : token_ends[row + 1]].tolist()
            for row in range(len(spans))
        ]
        token_ends = running_ends(np.array(list(map(len, listed)), dtype=np.int64))
        tokens = np.array([place for one in listed for place in one], dtype=np.int64)
    moved: dict[str, Any] = columns
    return Spans(**moved, token_ends=token_ends, tokens=tokens, line=spans.line), cut
