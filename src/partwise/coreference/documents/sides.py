"""Sides with some of their mentions, and where zeros stand."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import overload

import numpy as np

from partwise.coreference.documents.documents import (
    Side,
    Spans,
)
from partwise.coreference.documents.tokens import have_empty_nodes
from partwise.numbers.arrays import BoolArray, IntArray


def select(side: Side, kept: BoolArray) -> Side:
    """Return a side with some of its mentions; entities that lose all of theirs go too.

    Parameters
    ----------
    side : Side
    kept : bool array, shape (n_mentions,)

    Returns
    -------
    Side
        Over the same documents; entities are renumbered in the same order.
    """
    rows = np.flatnonzero(kept)
    if len(rows) == len(side):
        return side
    entity = side.entity[rows]
    alive = np.bincount(entity, minlength=len(side.entity_document)) > 0
    numbers = np.flatnonzero(alive)
    mentions = side.mentions
    if isinstance(mentions, Spans):
        mentions = take_spans(mentions, rows)
    else:
        mentions = [mentions[row] for row in rows.tolist()]
    return replace(
        side,
        document=side.document[rows],
        entity=(np.cumsum(alive) - 1)[entity],
        entity_document=side.entity_document[numbers],
        entity_names=[side.entity_names[number] for number in numbers.tolist()],
        mentions=mentions,
        numbers=None if side.numbers is None else side.numbers[rows],
    )


def without_singletons(side: Side) -> Side:
    """Return a side without its entities of one mention.

    Parameters
    ----------
    side : Side
        After the policy for repeated mentions: an entity that holds one mention twice is no
        singleton.

    Returns
    -------
    Side
        Over the same documents, some of which may have no mentions left.

    Notes
    -----
    Taken out before mentions are matched, a singleton of one side cannot be the partner of a
    mention on the other; taken out afterwards it could have been. corefud-scorer 1.2 does it
    before. O(mentions).

    Examples
    --------
    >>> import numpy as np
    >>> from partwise.coreference.documents.documents import Side
    >>> codes = np.array([0, 1, 0])
    >>> one = Side(["d"], codes * 0, codes, codes[:2] * 0, ["a", "b"], ["x", "y", "z"], [None])
    >>> without_singletons(one).mentions
    ['x', 'z']
    """
    sizes = np.bincount(side.entity, minlength=len(side.entity_document))
    return select(side, sizes[side.entity] > 1)


def with_joint_entities(side: Side, topic: IntArray | None = None) -> Side:
    """Return a side where entities of one name in several documents are one entity.

    With the ``topic`` of each document, in documents of one topic alone. Mentions stay in their
    documents; an entity counts to the first that has it. O(mentions).
    """
    names: Sequence[Hashable] = side.entity_names
    if topic is not None:
        topic_of_entity = topic[side.entity_document].tolist()
        names = list(zip(topic_of_entity, side.entity_names, strict=True))
    numbers: dict[Hashable, int] = {}
    codes = [numbers.setdefault(name, len(numbers)) for name in names]
    code = np.array(codes, dtype=np.int64)
    first = np.full(len(numbers), len(side.names), dtype=np.int64)
    np.minimum.at(first, code, side.entity_document)
    joint: list[Hashable] = [None] * len(numbers)
    for number, name in zip(codes, side.entity_names, strict=True):
        joint[number] = name
    return replace(side, entity=code[side.entity], entity_document=first, entity_names=joint)


def as_one_document(side: Side) -> Side:
    """Return a side whose mentions all count to one document, for the measures only."""
    return as_topics(side, ["all documents"], np.zeros(len(side.names), dtype=np.int64))


def as_topics(side: Side, names: Sequence[str], topic: IntArray) -> Side:
    """Return a side whose mentions count to the topics of their documents, for measures only.

    ``topic`` has the topic of each document, a position in ``names``, and never falls.
    """
    return replace(
        side,
        names=list(names),
        document=topic[side.document],
        entity_document=topic[side.entity_document],
        tokens=[None] * len(names),
    )


def without_zeros(side: Side) -> Side:
    """Return a side without the mentions that are zeros (see ``zero_mentions``)."""
    return select(side, ~zero_mentions(side))


def zero_mentions(side: Side) -> BoolArray:
    """Return which mentions are zeros: their head is an empty node.

    Where no head is known the first token stands for it, as in corefud-scorer 1.2. Without
    tokens nothing is a zero. O(mentions + tokens of documents with empty nodes).
    """
    zeros = np.zeros(len(side), dtype=np.bool_)
    spans = side.mentions
    if not isinstance(spans, Spans):
        return zeros
    marked = documents_with_empty_nodes(side)
    rows = np.flatnonzero(marked[side.document]) if len(side) else np.empty(0, dtype=np.int64)
    if not len(rows):
        return zeros
    empty, starts, lengths = _empty_nodes(side, marked)
    token, document = head_or_first(spans, rows), side.document[rows]
    wrong = np.flatnonzero((token < 0) | (token >= lengths[document]))
    if len(wrong):
        at = int(wrong[0])
        raise ValueError(
            f"mention {rows[at]} (document {side.names[document[at]]!r}) has its head at token "
            f"{token[at]}; its document has tokens 0 to {lengths[document[at]] - 1}"
        )
    zeros[rows] = empty[token + starts[document]]
    return zeros


def _empty_nodes(side: Side, marked: BoolArray) -> tuple[BoolArray, IntArray, IntArray]:
    """Return of marked documents which tokens are empty nodes, where they begin, how many."""
    columns, n = [], 0
    starts, lengths = np.zeros((2, len(side.names)), dtype=np.int64)
    for document in np.flatnonzero(marked).tolist():
        tokens = side.tokens[document]
        assert tokens is not None
        assert tokens.empty is not None
        columns.append(tokens.empty)
        starts[document], lengths[document] = n, len(tokens.empty)
        n += len(tokens.empty)
    return np.concatenate(columns), starts, lengths


def documents_with_empty_nodes(side: Side) -> BoolArray:
    """Return which documents have empty nodes, as far as their tokens are known."""
    return have_empty_nodes(side.tokens)


def head_or_first(spans: Spans, rows: IntArray) -> IntArray:
    """Return the heads of some mentions, their first tokens where none is known."""
    first = spans.first[rows]
    if spans.head is None:
        return first
    head = spans.head[rows]
    return np.where(head >= 0, head, first)


@overload
def _taken(column: None, rows: IntArray) -> None: ...
@overload
def _taken(column: IntArray, rows: IntArray) -> IntArray: ...
def _taken(column: IntArray | None, rows: IntArray) -> IntArray | None:
    return None if column is None else column[rows]


def take_spans(spans: Spans, rows: IntArray) -> Spans:
    """Return some rows of spans."""
    ends = tokens = None
    if spans.token_ends is not None:
        assert spans.tokens is not None
        sizes = np.diff(spans.token_ends)[rows]
        ends = running_ends(sizes)
        tokens = spans.tokens[ranges(spans.token_ends[:-1][rows], sizes)]
    return Spans(
        spans.first[rows],
        spans.last[rows],
        _taken(spans.head, rows),
        _taken(spans.minimum, rows),
        ends,
        tokens,
        _taken(spans.line, rows),
    )


def running_ends(sizes: IntArray) -> IntArray:
    """Return 0 and the running sums of sizes."""
    ends = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=ends[1:])
    return ends


def ranges(starts: IntArray, sizes: IntArray) -> IntArray:
    """Return the numbers start, start + 1, ... of each start, as many as its size."""
    ends = running_ends(sizes)
    return np.arange(ends[-1]) + np.repeat(starts - ends[:-1], sizes)
