"""Mentions as runs of words on one line that holds the words of all documents, both sides'."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from partwise._kernels.workers import in_force, map_blocks
from partwise.coreference.documents.documents import Side, Spans
from partwise.coreference.documents.sides import (
    documents_with_empty_nodes,
    ranges,
    running_ends,
)
from partwise.coreference.documents.tokens import have_tokens
from partwise.coreference.mentions.shared_tokens import SharedTokens, shared_tokens
from partwise.numbers.arrays import IntArray

#: Places on the line stay below this, so that sums of two do not leave 64 bits.
PLACES_MOST = 1 << 62
#: Mentions from which on two threads take a side each: below, to start one costs more.
SHARED_MENTIONS = 1 << 16


@dataclass(frozen=True, slots=True)
class WordRuns:
    """The words of mentions as sets of places, the same place for the same word of both sides.

    Attributes
    ----------
    ends : int64 array, shape (n_mentions + 1,)
        Runs of mention i: ``ends[i]:ends[i + 1]``, at least one, ascending, apart.
    first, last : int64 array, shape (n_runs,)
        First and last place of each run, both inclusive.
    sizes : int64 array, shape (n_mentions,)
        Words of each mention.
    head : int64 array, shape (n_mentions,), or None
        Place of the head; -1: none known.
    least : WordRuns or None
        Minimum spans, for each mention; at place -1: none known.
    """

    ends: IntArray
    first: IntArray
    last: IntArray
    sizes: IntArray
    head: IntArray | None = None
    least: WordRuns | None = None

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def one_run_each(self) -> bool:
        """Whether no mention has a gap."""
        return len(self.first) == len(self.sizes)

    @property
    def n_runs(self) -> IntArray:
        """Return the number of runs of each mention."""
        return np.diff(self.ends)

    @property
    def start(self) -> IntArray:
        """Return the first place of each mention."""
        return self.first if self.one_run_each else self.first[self.ends[:-1]]

    @property
    def stop(self) -> IntArray:
        """Return the last place of each mention."""
        return self.last if self.one_run_each else self.last[self.ends[1:] - 1]

    def take(self, rows: IntArray) -> WordRuns:
        """Return some of the mentions."""
        if self.one_run_each:
            ends, runs = np.arange(len(rows) + 1), rows
        else:
            sizes = self.n_runs[rows]
            ends, runs = running_ends(sizes), ranges(self.ends[:-1][rows], sizes)
        return WordRuns(
            ends,
            self.first[runs],
            self.last[runs],
            self.sizes[rows],
            None if self.head is None else self.head[rows],
            None if self.least is None else self.least.take(rows),
        )


def single_words(positions: IntArray) -> WordRuns:
    """Return mentions of one word each."""
    return WordRuns(
        np.arange(len(positions) + 1), positions, positions, np.ones_like(positions)
    )


class _Line:
    """Places of the tokens of one side."""

    def __init__(self, side: Side, starts: IntArray, shared: SharedTokens | None) -> None:
        self.document = side.document
        self.starts = starts
        self.shared = shared

    def places(self, positions: IntArray, rows: IntArray | None = None) -> IntArray:
        """Return the places of positions of all mentions or those in ``rows``; -1 stays."""
        document = self.document if rows is None else self.document[rows]
        if self.shared is None:
            on_line = positions + self.starts[document]
        else:
            on_line = self.starts[document] + self.shared.places(document, positions)
        if len(positions) and positions.min() < 0:
            on_line[positions < 0] = -1
        return on_line


def word_runs(key: Side, response: Side) -> tuple[WordRuns, WordRuns]:
    """Return the mentions of both sides as runs of words on one line.

    Parameters
    ----------
    key, response : Side
        Spans over the same documents.

    Returns
    -------
    tuple of WordRuns

    Raises
    ------
    ValueError
        A span has no words or lies outside the tokens of its document; the words of a document
        with empty nodes differ in number between the sides.

    Notes
    -----
    A word's place follows from its position. In documents where a side has empty nodes,
    positions of the sides differ: there a word is known by its number, an empty node by its
    sentence, the word it follows and its number after that one (``5.1``), as corefud-scorer
    1.2 does, and a span of one side does not hold empty nodes that only the other has. Where a
    side has no tokens, its positions are taken to count what those of the other do.
    O(mentions + tokens of documents with empty nodes).
    """
    sides = (key, response)
    marked = documents_with_empty_nodes(key) | documents_with_empty_nodes(response)
    if marked.any():
        marked &= have_tokens(key.tokens) & have_tokens(response.tokens)
    spans = [
        _checked(side, name) for side, name in zip(sides, ("key", "response"), strict=True)
    ]
    workers = in_force() if len(key) + len(response) >= SHARED_MENTIONS else 1
    shared = shared_tokens(key, response, marked) if marked.any() else None
    extents = np.zeros(len(key.names), dtype=np.int64)
    for side, own in zip(sides, spans, strict=True):
        _grow(extents, side.document, own)
    if shared is not None:
        extents[marked] = shared[0].extents[marked]
    total = float(extents.sum(dtype=np.float64))
    if total >= PLACES_MOST:
        raise ValueError(
            f"the documents are {total:.3g} tokens long by the positions of their mentions; "
            f"below {PLACES_MOST:.3g} can be told apart"
        )
    starts = running_ends(extents)
    lines = [
        _Line(side, starts, None if shared is None else shared[number])
        for number, side in enumerate(sides)
    ]
    of_key, of_response = map_blocks(
        lambda number: _runs_of(spans[number], lines[number]), (0, 1), workers
    )
    return of_key, of_response


def _checked(side: Side, name: str) -> Spans:
    spans = side.mentions
    assert isinstance(spans, Spans)
    wrong = np.flatnonzero((spans.first < 0) | (spans.last < spans.first))
    if len(wrong):
        row = int(wrong[0])
        line = "" if spans.line is None else f", line {spans.line[row]}"
        raise ValueError(
            f"mention {row} of the {name} (document {side.names[side.document[row]]!r}{line}) "
            f"goes from token {spans.first[row]} to {spans.last[row]}; the first must be at "
            f"least 0 and not after the last ({len(wrong)} such mentions)"
        )
    columns = (spans.last, spans.head, None if spans.minimum is None else spans.minimum[:, 1])
    reach = max(int(column.max(initial=0)) for column in columns if column is not None)
    if reach >= PLACES_MOST:
        raise ValueError(f"a mention of the {name} has token {reach}; below 2^62 is expected")
    if spans.token_ends is not None and len(side) and np.diff(spans.token_ends).min() < 1:
        row = int(np.argmin(np.diff(spans.token_ends)))
        raise ValueError(
            f"mention {row} of the {name} (document {side.names[side.document[row]]!r}) lists "
            "no tokens"
        )
    return spans


def _grow(extents: IntArray, document: IntArray, spans: Spans) -> None:
    """Raise the length of each document to what its mentions reach."""
    if not len(document):
        return
    begins = np.flatnonzero(np.concatenate(([True], document[1:] != document[:-1])))
    reach = np.maximum.reduceat(spans.last, begins) + 1
    for column in (spans.head, None if spans.minimum is None else spans.minimum[:, 1]):
        if column is not None:
            reach = np.maximum(reach, np.maximum.reduceat(column, begins) + 1)
    held = document[begins]
    extents[held] = np.maximum(extents[held], reach)


def _runs_of(spans: Spans, line: _Line) -> WordRuns:
    if spans.token_ends is None:
        sizes = spans.last - spans.first + 1
        runs = _from_ends(spans.first, spans.last, line)
    else:
        assert spans.tokens is not None
        sizes = np.diff(spans.token_ends)
        runs = _from_tokens(spans.tokens, sizes, line)
    head = None if spans.head is None else line.places(spans.head)
    least = None
    if spans.minimum is not None:
        first, last = spans.minimum[:, 0], spans.minimum[:, 1]
        first = np.where(last < first, -1, first)
        last = np.where(first < 0, -1, last)
        least = WordRuns(*_from_ends(first, last, line), last - first + 1)
    return WordRuns(*runs, sizes, head, least)


def _from_ends(
    first: IntArray, last: IntArray, line: _Line
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the runs of mentions without gaps."""
    begin, end = line.places(first), line.places(last)
    if line.shared is not None:
        return line.shared.cut(line.starts, begin, end)
    return np.arange(len(begin) + 1), begin, end


def _from_tokens(
    tokens: IntArray, sizes: IntArray, line: _Line
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the runs of mentions that list their tokens."""
    rows = np.repeat(np.arange(len(sizes)), sizes)
    positions = line.places(tokens, rows)
    opens = np.ones(len(positions), dtype=np.bool_)
    opens[1:] = (positions[1:] != positions[:-1] + 1) | (rows[1:] != rows[:-1])
    at = np.flatnonzero(opens)
    closes = np.concatenate((at[1:], [len(positions)])) - 1
    ends = running_ends(np.bincount(rows[at], minlength=len(sizes)))
    return ends, positions[at], positions[closes[: len(at)]]
