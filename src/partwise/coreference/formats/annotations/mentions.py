"""Mentions as readers of annotations collect them, one by one, and the document they make."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import numpy as np

from partwise.coreference.documents.documents import Document, Spans, Tokens
from partwise.coreference.formats.files import fault
from partwise.numbers.arrays import IntArray

#: Digits of a position, which 64 bits hold.
_DIGITS = 18


@dataclass(slots=True)
class Mention:
    """A mention that was read.

    Attributes
    ----------
    positions : sequence of int
        Its tokens or characters, ascending.
    entity : hashable
        Name of its entity.
    line : int
        Line of the file that has it, from 1.
    minimum : (int, int) or None
        First and last position of its minimum span; None: the file gives none.
    attributes : mapping of str to str
        What else the file says of it.
    """

    positions: Sequence[int]
    entity: Hashable
    line: int
    minimum: tuple[int, int] | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)


def position_of(path: Path, line: int, name: str, digits: str) -> int:
    """Return a position that is written in digits.

    Raises
    ------
    ValueError
        No text is as long.
    """
    if len(digits) > _DIGITS:
        raise fault(
            path, line, name, f"a position has more than {_DIGITS} digits; no text is as long"
        )
    return int(digits)


def document_of(
    name: str,
    mentions: Sequence[Mention],
    tokens: Tokens | None,
    *,
    named: bool,
    other_names: tuple[str, ...] = (),
    attributes: Mapping[str, Sequence[str]] | None = None,
    characters: int | None = None,
) -> Document:
    """Return the document that mentions make, in their order.

    Minimum spans are kept where one mention has one; they are the whole mention in others.
    """
    if attributes is None:
        names = dict.fromkeys(chain.from_iterable(x.attributes for x in mentions))
        attributes = {
            name: [mention.attributes.get(name, "") for mention in mentions] for name in names
        }
    codes: dict[Hashable, int] = {}
    of_mentions = [codes.setdefault(mention.entity, len(codes)) for mention in mentions]
    positions = [mention.positions for mention in mentions]
    sizes = [len(x) for x in positions]
    firsts, lasts = ([x[end] for x in positions] for end in (0, -1))
    ends = inside = minimum = None
    if any(
        size < last - first + 1 for size, first, last in zip(sizes, firsts, lasts, strict=True)
    ):
        ends = column([0, *np.cumsum(sizes).tolist()])
        inside = column(list(chain.from_iterable(positions)))
    if any(mention.minimum is not None for mention in mentions):
        minimum = column(
            [
                (first, last) if mention.minimum is None else mention.minimum
                for mention, first, last in zip(mentions, firsts, lasts, strict=True)
            ]
        )
    spans = Spans(
        column(firsts),
        column(lasts),
        minimum=minimum,
        token_ends=ends,
        tokens=inside,
        line=column([mention.line for mention in mentions]),
    )
    return Document(
        name,
        spans,
        column(of_mentions),
        list(codes),
        tokens,
        named=named,
        other_names=other_names,
        attributes=attributes,
        characters=characters,
    )


def linked(ids: Iterable[str], links: Iterable[Sequence[str]]) -> dict[str, int]:
    """Return the entity of each mention, numbered in the order of the mentions.

    Parameters
    ----------
    ids : iterable of str
        The mentions.
    links : iterable of sequences of ids
        Mentions of one entity; what links join, directly or over others, is one entity.
    """
    above: dict[str, str] = {x: x for x in ids}

    def top(x: str) -> str:
        while above[x] != x:
            above[x] = above[above[x]]
            x = above[x]
        return x

    for first, *others in links:
        for other in others:
            above[top(other)] = top(first)
    numbers: dict[str, int] = {}
    return {x: numbers.setdefault(top(x), len(numbers)) for x in above}


def column(values: Sequence[object]) -> IntArray:
    """Return whole numbers as a column."""
    return np.array(values, dtype=np.int64)
