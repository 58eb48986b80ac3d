"""Places of tokens in documents where a side has empty nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from partwise.coreference.documents.documents import (
    Side,
    Tokens,
)
from partwise.coreference.documents.sides import ranges, running_ends
from partwise.numbers.arrays import BoolArray, IntArray


@dataclass(frozen=True, slots=True)
class SharedTokens:
    """Places of one side's tokens among the tokens of both, in documents with empty nodes.

    Attributes
    ----------
    extents : int64 array
        Tokens of either side of each document; 0: a document without empty nodes.
    begins : int64 array
        Where the tokens of each document begin in ``place``; -1 as above.
    lengths : int64 array
        This side's tokens of each document.
    place : int64 array
        Place of each of this side's tokens, counted from the start of its document.
    foreign_document, foreign : int64 arrays
        Document and place of the tokens that only the other side has, ascending.
    names : sequence of str
    side : str
    """

    extents: IntArray
    begins: IntArray
    lengths: IntArray
    place: IntArray
    foreign_document: IntArray
    foreign: IntArray
    names: Sequence[str]
    side: str

    def places(self, document: IntArray, positions: IntArray) -> IntArray:
        """Return places in documents; positions elsewhere are places."""
        moved = positions.copy()
        at = np.flatnonzero((self.begins[document] >= 0) & (positions >= 0))
        here, where = document[at], positions[at]
        wrong = np.flatnonzero(where >= self.lengths[here])
        if len(wrong):
            number = int(here[wrong[0]])
            raise ValueError(
                f"a mention of the {self.side} has token {where[wrong[0]]} of document "
                f"{self.names[number]!r}, which has tokens 0 to {self.lengths[number] - 1}"
            )
        moved[at] = self.place[self.begins[here] + where]
        return moved

    def cut(
        self, starts: IntArray, first: IntArray, last: IntArray
    ) -> tuple[IntArray, IntArray, IntArray]:
        """Return the runs of spans without the tokens that only the other side has."""
        gaps = starts[self.foreign_document] + self.foreign
        low, high = np.searchsorted(gaps, first), np.searchsorted(gaps, last)
        inside = high - low
        rows = np.repeat(np.arange(len(first)), inside + 1)
        own = running_ends(inside + 1)
        begin, end = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
        begin[own[:-1]], end[own[1:] - 1] = first, last
        # a gap ends one piece and begins the next; pieces between neighbouring gaps are empty
        pieces = ranges(own[:-1], inside)
        cuts = gaps[ranges(low, inside)]
        end[pieces], begin[pieces + 1] = cuts - 1, cuts + 1
        kept = begin <= end
        ends = running_ends(np.bincount(rows[kept], minlength=len(first)))
        return ends, begin[kept], end[kept]


def shared_tokens(
    key: Side, response: Side, marked: BoolArray
) -> tuple[SharedTokens, SharedTokens]:
    """Return the places of both sides' tokens in the marked documents. Words must agree."""
    documents = np.flatnonzero(marked).tolist()
    n_documents = len(key.names)
    parts: list[list[tuple[IntArray, IntArray]]] = [[], []]
    lengths = np.zeros((2, n_documents), dtype=np.int64)
    for document in documents:
        pair = (key.tokens[document], response.tokens[document])
        numbered = []
        for number, tokens in enumerate(pair):
            assert tokens is not None
            numbered.append(_numbered(tokens))
            parts[number].append(numbered[-1])
            lengths[number, document] = len(tokens)
        words = [int((minor == 0).sum()) for _, minor in numbered]
        if words[0] != words[1]:
            raise ValueError(
                f"document {key.names[document]!r} has {words[0]} words in the key and "
                f"{words[1]} in the response, beside empty nodes; they must be the same words "
                "for its mentions to be compared"
            )
    counts = [lengths[side, marked] for side in (0, 1)]
    owner = [np.repeat(np.arange(len(documents)), count) for count in counts]
    major = [np.concatenate([base for base, _ in part]) for part in parts]
    minor = [np.concatenate([below for _, below in part]) for part in parts]
    distinct, ranked = np.unique(np.concatenate(minor), return_inverse=True)
    minor = [ranked[: len(minor[0])], ranked[len(minor[0]) :]]
    height = max(int(base.max(initial=0)) for base in major) + 1
    codes = [
        (owner[side] * height + major[side]) * len(distinct) + minor[side] for side in (0, 1)
    ]
    for side in (0, 1):
        _check_order(codes[side], owner[side], documents, key.names, ("key", "response")[side])
    together, inverse = np.unique(np.concatenate(codes), return_inverse=True)
    of_document = together // len(distinct) // height
    document_starts = np.searchsorted(of_document, np.arange(len(documents)))
    extents = np.zeros(n_documents, dtype=np.int64)
    extents[marked] = np.bincount(of_document, minlength=len(documents))
    ranks = (inverse[: len(codes[0])], inverse[len(codes[0]) :])
    result = []
    for side in (0, 1):
        own = np.zeros(len(together), dtype=np.bool_)
        own[ranks[side]] = True
        foreign = np.flatnonzero(~own)
        begins = np.full(n_documents, -1, dtype=np.int64)
        begins[marked] = running_ends(counts[side])[:-1]
        result.append(
            SharedTokens(
                extents,
                begins,
                lengths[side],
                ranks[side] - document_starts[owner[side]],
                np.asarray(documents, dtype=np.int64)[of_document[foreign]],
                foreign - document_starts[of_document[foreign]],
                key.names,
                ("key", "response")[side],
            )
        )
    return result[0], result[1]


def _check_order(
    codes: IntArray, owner: IntArray, documents: list[int], names: Sequence[str], side: str
) -> None:
    wrong = np.flatnonzero(codes[1:] <= codes[:-1])
    if len(wrong):
        name = names[documents[owner[wrong[0] + 1]]]
        raise ValueError(
            f"document {name!r} of the {side} has empty nodes out of order or twice; ids after "
            "a word are expected to rise ('5.1', '5.2')"
        )


def _numbered(tokens: Tokens) -> tuple[IntArray, IntArray]:
    """Return the number of the word at or before each token, and of the empty node after it.

    Sentences are kept apart: an empty node before the first word of one (``0.1``) is no empty
    node after the last word of the one before.
    """
    empty = np.zeros(len(tokens), np.bool_) if tokens.empty is None else tokens.empty
    words: IntArray = np.cumsum(~empty, dtype=np.int64)
    major = words + np.asarray(tokens.sentence, dtype=np.int64)
    at = np.arange(len(tokens))
    anchor = np.maximum.accumulate(np.where(_begins(tokens, empty), at, 0))
    minor: IntArray = np.where(empty, at - anchor + (empty[anchor] if len(at) else 0), 0)
    if tokens.ids is not None:
        empty_nodes = np.flatnonzero(empty).tolist()
        minor[empty] = [_after_point(tokens.ids[node]) for node in empty_nodes]
    return major, minor


def _begins(tokens: Tokens, empty: BoolArray) -> BoolArray:
    """Return which tokens begin a count of empty nodes: words, and first ones of sentences."""
    begins = ~empty
    sentence = np.asarray(tokens.sentence)
    begins[:1] = True
    begins[1:] |= sentence[1:] != sentence[:-1]
    return begins


def _after_point(identifier: str) -> int:
    number = identifier.partition(".")[2]
    if not number.isascii() or not number.isdigit() or int(number) == 0:
        raise ValueError(
            f"an empty node has the id {identifier!r}; ids like '5.1' are expected"
        )
    return int(number)
