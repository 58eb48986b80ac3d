"""Mentions of the two sides that are one but for their ends."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from partwise.coreference.documents.documents import Side, Spans, Tokens
from partwise.coreference.documents.sides import select
from partwise.coreference.mentions.assignment import best_pairs
from partwise.coreference.mentions.candidates import (
    TooManyPairs,
    gathered,
    overlapping,
    too_many,
)
from partwise.coreference.mentions.word_runs import word_runs
from partwise.coreference.syntax.mentions import Syntax, with_heads
from partwise.numbers.arrays import BoolArray, IntArray

#: A position of a mention: its document and its tokens, or its head.
_Where = tuple[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class AlteredSpans:
    """Pairs of mentions with a span error.

    Attributes
    ----------
    rows, others : int64 arrays
        Mentions of the key, ascending, and of the response.
    seen : str
        By what: "heads", "overlap", or "none" where mentions are no spans.
    """

    rows: IntArray
    others: IntArray
    seen: str


def altered_spans(key: Side, response: Side, partner: IntArray) -> AlteredSpans:
    """Return mentions of the key and of the response that are one but for their spans.

    Parameters
    ----------
    key, response : Side
    partner : int64 array
        The mention of the response that each mention of the key is; -1: none. Those with a
        partner are left alone.

    Notes
    -----
    First those that are equal without articles and marks at their ends. Of the rest, those with
    a head that no other one of their side has; where a side has no heads and the key no syntax
    that gives them, pairs that share half of the words that either has, or more.
    """
    nothing = np.empty(0, dtype=np.int64)
    if not (isinstance(key.mentions, Spans) and isinstance(response.mentions, Spans)):
        return AlteredSpans(nothing, nothing, "none")
    free_key = partner < 0
    free_response = np.ones(len(response), dtype=np.bool_)
    free_response[partner[~free_key]] = False
    rows, others = _equal_inside(key, response, free_key, free_response)
    free_key[rows] = False
    free_response[others] = False
    left, right = np.flatnonzero(free_key), np.flatnonzero(free_response)
    sides = select(key, free_key), select(response, free_response)
    heads = _heads(sides[0], key), _heads(sides[1], key)
    if heads[0] is None or heads[1] is None:
        pairs, seen = _overlapping(*sides), "overlap"
    else:
        pairs, seen = _of_one_head(sides, (heads[0], heads[1])), "heads"
    rows = np.concatenate((rows, left[pairs[0]]))
    others = np.concatenate((others, right[pairs[1]]))
    order = np.argsort(rows, kind="stable")
    return AlteredSpans(rows[order], others[order], seen)


def _heads(side: Side, key: Side) -> IntArray | None:
    """Return the heads of a side, of its file or else of the key's syntax; None: no heads."""
    assert isinstance(side.mentions, Spans)
    if side.mentions.head is not None:
        return side.mentions.head
    try:
        headed = with_heads(side, key).mentions
    except ValueError:  # no syntax, one that cannot be read, or of a shorter text
        return None
    assert isinstance(headed, Spans)
    return headed.head


def _equal_inside(
    key: Side, response: Side, free_key: BoolArray, free_response: BoolArray
) -> tuple[IntArray, IntArray]:
    """Return mentions that are equal without what stands at their ends."""
    places = []
    for side, free in ((key, free_key), (response, free_response)):
        tokens = Syntax.of(side, key).tokens
        found: dict[_Where, list[int]] = defaultdict(list)
        for row in np.flatnonzero(free).tolist():
            document = int(side.document[row])
            words = tokens[document]
            if words is not None:
                found[document, _inside(_members(side, row), words)].append(row)
        places.append(found)
    pairs = [
        pair
        for where, rows in places[0].items()
        for pair in zip(rows, places[1].get(where, ()), strict=False)
    ]
    return _columns(pairs)


def _of_one_head(
    sides: tuple[Side, Side], heads: tuple[IntArray, IntArray]
) -> tuple[IntArray, IntArray]:
    """Return mentions that alone have a head on their side, and the same one."""
    places = []
    for side, head in zip(sides, heads, strict=True):
        found: dict[tuple[int, int], list[int]] = defaultdict(list)
        for row, where in enumerate(zip(side.document.tolist(), head.tolist(), strict=True)):
            found[where].append(row)
        places.append({where: rows[0] for where, rows in found.items() if len(rows) == 1})
    return _columns(
        [(row, places[1][where]) for where, row in places[0].items() if where in places[1]]
    )


def _overlapping(key: Side, response: Side) -> tuple[IntArray, IntArray]:
    """Return the pairs that share half of the words that either has, or more, at best."""
    words = word_runs(key, response)
    try:
        left, right, common = gathered(overlapping(*words), len(key) + len(response))
    except TooManyPairs as error:
        raise too_many(error, key, error.mention, "the analysis of spans") from None
    either = words[0].sizes[left] + words[1].sizes[right] - common
    close = 2 * common >= either
    left, right, common, either = left[close], right[close], common[close], either[close]
    if not len(left):
        return left, right
    taken = best_pairs(left, right, common, either)
    return left[taken], right[taken]


def _columns(pairs: Sequence[tuple[int, int]]) -> tuple[IntArray, IntArray]:
    both = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def _members(side: Side, row: int) -> Sequence[int]:
    """Return the tokens of a mention, ascending."""
    spans = side.mentions
    assert isinstance(spans, Spans)
    if spans.token_ends is not None and spans.tokens is not None:
        low, high = spans.token_ends[row : row + 2].tolist()
        tokens: list[int] = spans.tokens[low:high].tolist()
        return tokens
    return range(int(spans.first[row]), int(spans.last[row]) + 1)


def _inside(members: Sequence[int], tokens: Tokens) -> tuple[int, ...]:
    """Return the tokens of a mention without marks and "the" before and marks and "'s" behind.

    A mark is one character that is no letter. One token stays.
    """
    words = [tokens.words[at] if at < len(tokens) else "" for at in members]
    low, high = 0, len(words)
    while low < high - 1 and (_is_mark(words[low]) or words[low].casefold() == "the"):
        low += 1
    while low < high - 1 and (_is_mark(words[high - 1]) or words[high - 1] == "'s"):
        high -= 1
    return tuple(members[low:high])


def _is_mark(word: str) -> bool:
    return len(word) == 1 and not word.isalpha()
