"""Tokens of many documents, made when somebody looks at those of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import overload

import numpy as np

from partwise.coreference.documents.documents import Tokens
from partwise.numbers.arrays import BoolArray, IntArray


class TokenSource:
    """Tokens of documents of one piece of a file, none of which is an empty node.

    Parameters
    ----------
    make : callable
        Returns the tokens of a document by its position.
    lengths : int64 array
        Tokens of each document.
    """

    def __init__(self, make: Callable[[int], Tokens], lengths: IntArray) -> None:
        self._make = make
        self._made: dict[int, Tokens] = {}
        self.lengths = lengths

    def tokens(self, at: int) -> Tokens:
        """Return the tokens of a document; each time the same object."""
        tokens = self._made.get(at)
        if tokens is None:
            tokens = self._made.setdefault(at, self._make(at))
        return tokens


class TokenColumn(Sequence[Tokens]):
    """Tokens of documents, one a document, out of one or several sources.

    Parameters
    ----------
    sources : sequence of TokenSource
    source, at : int64 arrays, shape (n_documents,)
        The source of each document's tokens, and its position there.
    """

    def __init__(self, sources: Sequence[TokenSource], source: IntArray, at: IntArray) -> None:
        self.sources, self.source, self.at = sources, source, at

    @classmethod
    def of(cls, source: TokenSource) -> TokenColumn:
        """Return the tokens of all documents of a source."""
        n = len(source.lengths)
        return cls([source], np.zeros(n, dtype=np.int64), np.arange(n))

    @classmethod
    def joined(cls, columns: Sequence[TokenColumn]) -> TokenColumn:
        """Return the tokens of several columns one after the other."""
        before = np.cumsum([0, *(len(column.sources) for column in columns[:-1])])
        sources = [source for column in columns for source in column.sources]
        source = [column.source + n for column, n in zip(columns, before, strict=True)]
        return cls(
            sources, np.concatenate(source), np.concatenate([column.at for column in columns])
        )

    def take(self, rows: IntArray) -> TokenColumn:
        """Return the tokens of some documents."""
        return TokenColumn(self.sources, self.source[rows], self.at[rows])

    @property
    def lengths(self) -> IntArray:
        """Tokens of each document."""
        lengths = np.zeros(len(self.at), dtype=np.int64)
        for number, source in enumerate(self.sources):
            here = self.source == number
            lengths[here] = source.lengths[self.at[here]]
        return lengths

    def same(self, other: TokenColumn) -> BoolArray:
        """Return where both have the tokens of one document of one source."""
        numbers = {id(source): number for number, source in enumerate(self.sources)}
        theirs = [numbers.get(id(source), -1) for source in other.sources]
        of_other = np.array(theirs, dtype=np.int64)[other.source]
        same: BoolArray = (of_other == self.source) & (other.at == self.at)
        return same

    def __len__(self) -> int:
        return len(self.at)

    @overload
    def __getitem__(self, at: int) -> Tokens: ...
    @overload
    def __getitem__(self, at: slice) -> TokenColumn: ...
    def __getitem__(self, at: int | slice) -> Tokens | TokenColumn:
        if isinstance(at, slice):
            return TokenColumn(self.sources, self.source[at], self.at[at])
        return self.sources[int(self.source[at])].tokens(int(self.at[at]))


TokensOfDocuments = Sequence[Tokens | None]


def have_tokens(tokens: TokensOfDocuments) -> BoolArray:
    """Return which documents have tokens."""
    if isinstance(tokens, TokenColumn):
        return np.ones(len(tokens), dtype=np.bool_)
    return np.array([x is not None for x in tokens], dtype=np.bool_)


def have_empty_nodes(tokens: TokensOfDocuments) -> BoolArray:
    """Return which documents have empty nodes, as far as their tokens are known."""
    if isinstance(tokens, TokenColumn):
        return np.zeros(len(tokens), dtype=np.bool_)
    marked = [x is not None and x.empty is not None and bool(x.empty.any()) for x in tokens]
    return np.array(marked, dtype=np.bool_)


def may_have_empty_nodes(tokens: TokensOfDocuments) -> BoolArray:
    """Return of which documents it is told whether tokens are empty nodes."""
    if isinstance(tokens, TokenColumn):
        return np.zeros(len(tokens), dtype=np.bool_)
    return np.array([x is not None and x.empty is not None for x in tokens], dtype=np.bool_)


def numbers_of_tokens(tokens: TokensOfDocuments) -> IntArray:
    """Return how many tokens, empty nodes among them, documents have; 0: none is known."""
    if isinstance(tokens, TokenColumn):
        return tokens.lengths
    return np.array([0 if x is None else len(x) for x in tokens], dtype=np.int64)


def numbers_of_words(tokens: TokensOfDocuments) -> IntArray:
    """Return how many tokens of documents are no empty nodes; 0: none is known."""
    numbers = numbers_of_tokens(tokens)
    for at in np.flatnonzero(may_have_empty_nodes(tokens)).tolist():
        own = tokens[at]
        assert own is not None
        assert own.empty is not None
        numbers[at] -= np.count_nonzero(own.empty)
    return numbers


def same_tokens(tokens: TokensOfDocuments, others: TokensOfDocuments) -> BoolArray:
    """Return where both are one object."""
    if isinstance(tokens, TokenColumn) and isinstance(others, TokenColumn):
        return tokens.same(others)
    return np.array([a is b for a, b in zip(tokens, others, strict=True)], dtype=np.bool_)
