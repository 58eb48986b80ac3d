"""Mentions that lie within another one of their entity."""

from __future__ import annotations

import numpy as np

from partwise.coreference.documents.documents import Side, Spans
from partwise.coreference.documents.sides import select
from partwise.numbers.arrays import BoolArray


def without_nested(side: Side) -> Side:
    """Return a side without the mentions that lie within another one of their entity.

    Raises
    ------
    TypeError
        Mentions are objects, which have no positions.

    Notes
    -----
    One mention lies in another of the same document if all its tokens are among the other's,
    which has more. O(mentions log mentions), but where mentions have gaps: each is compared
    with those of its entity before it.

    Examples
    --------
    >>> import numpy as np
    >>> from partwise.coreference.documents.documents import Side, Spans
    >>> codes = np.zeros(3, dtype=np.int64)
    >>> spans = Spans(np.array([0, 2, 7]), np.array([4, 3, 7]))
    >>> side = Side(["d"], codes, codes, codes[:1], ["e"], spans, [None])
    >>> without_nested(side).mentions.first.tolist()
    [0, 7]
    """
    spans = side.mentions
    if not isinstance(spans, Spans):
        raise TypeError(
            'nested="drop" goes by positions, and mentions are objects; give spans of tokens'
        )
    return select(side, ~_nested(side, spans))


def _nested(side: Side, spans: Spans) -> BoolArray:
    nested = np.zeros(len(side), dtype=np.bool_)
    sizes = spans.last - spans.first
    if spans.token_ends is not None:
        sizes = np.diff(spans.token_ends)
    order = np.lexsort((-sizes, -spans.last, spans.first, side.document, side.entity))
    columns = (side.entity, side.document, spans.first, spans.last)
    rows = zip(order.tolist(), *(column[order].tolist() for column in columns), strict=True)
    group = (-1, -1)
    farthest = (-1, -1)
    before: list[frozenset[int]] = []
    for row, entity, document, first, last in rows:
        if (entity, document) != group:
            group, farthest, before = (entity, document), (-1, -1), []
        if spans.token_ends is not None:
            members = _members(spans, row)
            nested[row] = any(members < other for other in before)
            before.append(members)
        elif last > farthest[1]:
            farthest = (first, last)
        else:  # the one that reaches farthest holds it, but where they are equal
            nested[row] = (first, last) != farthest
    return nested


def _members(spans: Spans, row: int) -> frozenset[int]:
    assert spans.token_ends is not None
    assert spans.tokens is not None
    low, high = spans.token_ends[row : row + 2].tolist()
    return frozenset(spans.tokens[low:high].tolist())
