"""Columns of syntax beside the words: phrases of CoNLL-2012, dependencies of SemEval-2010."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from partwise.coreference.formats.cells import Words
from partwise.coreference.syntax.written_dependencies import governors
from partwise.numbers.arrays import IntArray

#: Parts of speech and phrases of CoNLL-2012; the number of a token, parts of speech and heads
#: (annotated, and predicted) of SemEval-2010.
TAG, PHRASES = 4, 5
_NUMBER, POS, HEADS = 0, 4, (8, 9)


@dataclass(frozen=True, slots=True)
class TokenLines:
    """The lines of a document's tokens."""

    data: bytes
    starts: IntArray
    stops: IntArray
    low: int
    high: int

    def column(self, number: int) -> Words:
        """Return a column, decoded when asked for."""
        return Words(self.data, self.starts, self.stops, number, self.low, self.high)

    def first(self) -> list[bytes]:
        """Return the columns of the first token."""
        if self.low == self.high:
            return []
        line = self.data[self.starts[self.low] : self.stops[self.low]]
        return line.split(b"\t") if b"\t" in line else line.split()


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a format has its words, and what finds its syntax."""

    word_column: int
    syntax: Callable[[TokenLines, IntArray], dict[str, Any]]


def phrases_of(lines: TokenLines, sentence: IntArray) -> dict[str, Any]:
    """Return the parts of speech and the phrases of a document; {} where it has none."""
    first = lines.first()
    if len(first) <= PHRASES + 1 or b"*" not in first[PHRASES]:
        return {}
    return {"tags": lines.column(TAG), "parse": lines.column(PHRASES)}


def governors_of(lines: TokenLines, sentence: IntArray) -> dict[str, Any]:
    """Return the parts of speech and the governors of tokens; {} where there are none."""
    first = lines.first()
    for column in HEADS:
        if len(first) <= column + 1 or not first[column].strip().isdigit():
            continue
        numbers, heads = (list(lines.column(at)) for at in (_NUMBER, column))
        parents = governors(numbers, heads, sentence.tolist())
        return {"tags": lines.column(POS), "parents": parents}
    return {}
