"""Zeros: matched by their dependencies, and scored as anaphors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from partwise.coreference.documents.documents import MentionMatch, Side, Spans
from partwise.coreference.documents.sides import head_or_first, ranges, zero_mentions
from partwise.coreference.mentions.assignment import best_pairs
from partwise.coreference.mentions.candidates import PAIRS_A_MENTION, PAIRS_MOST
from partwise.coreference.mentions.identity import occurrences, word_set_codes
from partwise.coreference.mentions.word_runs import WordRuns, word_runs
from partwise.numbers.arrays import IntArray


@dataclass(frozen=True, slots=True)
class _Arcs:
    """Sets of codes of zeros: each code of each zero once, sorted by code."""

    zero: IntArray
    code: IntArray
    n_zeros: int

    @classmethod
    def of(cls, zero: IntArray, code: IntArray, n_zeros: int) -> _Arcs:
        zero, code = np.unique(np.stack((code, zero)), axis=1)[::-1]
        return cls(zero, code, n_zeros)

    @property
    def sizes(self) -> IntArray:
        """Return the size of each zero's set."""
        return np.bincount(self.zero, minlength=self.n_zeros)

    def shared(self, other: _Arcs) -> tuple[IntArray, IntArray]:
        """Return pairs of zeros with codes in common (own x others + other), and how many."""
        low = np.searchsorted(other.code, self.code, "left")
        sizes = np.searchsorted(other.code, self.code, "right") - low
        if sizes.sum() > max(PAIRS_MOST, PAIRS_A_MENTION * (self.n_zeros + other.n_zeros)):
            raise ValueError(
                f"{sizes.sum()} pairs of zeros have a parent in common, too many to compare; "
                "zeros='position' takes them"
            )
        pairs = np.repeat(self.zero, sizes) * other.n_zeros + other.zero[ranges(low, sizes)]
        cells, counts = np.unique(pairs, return_counts=True)
        return cells, counts


def dependency_pairs(
    key: Side, response: Side, words: tuple[WordRuns, WordRuns]
) -> tuple[IntArray, IntArray, NDArray[np.float64]]:
    """Return zeros of the key, their partners by dependencies, and how far these agree, to 1.

    Zeros of one sentence are paired so that the sum of 10 F(parents with relations) +
    F(parents) is largest, F the harmonic mean of recall and precision of two sets, as in
    corefud-scorer 1.2; ties as in ``best_pairs``. Agreement is that number over 11. A zero
    without dependencies has no partner here. O(zeros + pairs of them with a common parent).
    """
    sides = (key, response)
    zeros = [np.flatnonzero(zero_mentions(side)) for side in sides]
    none = np.empty(0, dtype=np.int64)
    if not (len(zeros[0]) and len(zeros[1])):
        return none, none, np.empty(0)
    of_words = word_set_codes(words[0].take(zeros[0]), words[1].take(zeros[1]))
    zeros = [
        rows[np.argsort(codes, kind="stable")]
        for rows, codes in zip(zeros, of_words, strict=True)
    ]
    numbers: defaultdict[Hashable, int] = defaultdict(count().__next__)
    arcs = [_arcs(side, rows, numbers) for side, rows in zip(sides, zeros, strict=True)]
    cells, parents = arcs[0][0].shared(arcs[1][0])
    agreeing, counts = arcs[0][1].shared(arcs[1][1])
    relations = np.zeros_like(parents)
    relations[np.searchsorted(cells, agreeing)] = counts
    rows, cols = np.divmod(cells, len(zeros[1]))
    n_parents, n_relations = (
        arcs[0][part].sizes[rows] + arcs[1][part].sizes[cols] for part in (0, 1)
    )
    above = 20 * relations * n_parents + 2 * parents * n_relations
    below = n_parents * n_relations
    taken = best_pairs(rows, cols, above, below)
    agreement = above[taken] / (11 * below[taken])
    return zeros[0][rows[taken]], zeros[1][cols[taken]], agreement


def _arcs(
    side: Side, zeros: IntArray, numbers: defaultdict[Hashable, int]
) -> tuple[_Arcs, _Arcs]:
    """Return the parents of zeros, and the parents with relations."""
    spans = side.mentions
    assert isinstance(spans, Spans)
    documents = side.document[zeros].tolist()
    places = head_or_first(spans, zeros).tolist()
    zero, parents, relations = [], [], []
    for number, (document, place) in enumerate(zip(documents, places, strict=True)):
        tokens = side.tokens[document]
        assert tokens is not None
        text = "_" if tokens.dependencies is None else tokens.dependencies[place]
        if text in ("_", ""):
            continue
        sentence = (document, int(tokens.sentence[place]))
        for arc in text.split("|"):
            parent, _, relation = arc.partition(":")
            zero.append(number)
            parents.append(numbers[sentence, parent])
            relations.append(numbers[sentence, parent, relation])
    codes = [np.asarray(column, dtype=np.int64) for column in (zero, parents, relations)]
    return (
        _Arcs.of(codes[0], codes[1], len(zeros)),
        _Arcs.of(codes[0], codes[2], len(zeros)),
    )


# ---- the anaphor score -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ZeroAnaphors:
    """How zeros that refer back were resolved, counted for each document.

    Attributes
    ----------
    right : int64 array, shape (n_documents,)
        Zeros of the key whose partner is linked to an earlier mention of their entity.
    wrong_link : int64 array
        Zeros of the key whose partner refers back, but to no earlier mention of their entity.
    missed : int64 array
        Zeros of the key without a partner, or whose partner begins its entity.
    spurious : int64 array
        Zeros of the response that refer back and are the partner of no zero that does.
    """

    right: IntArray
    wrong_link: IntArray
    missed: IntArray
    spurious: IntArray

    @property
    def recall_below(self) -> IntArray:
        """Return the denominator of recall: zeros of the key that refer back."""
        return self.right + self.wrong_link + self.missed

    @property
    def precision_below(self) -> IntArray:
        """Return the denominator of precision: right, wrongly linked and spurious ones."""
        return self.right + self.wrong_link + self.spurious


def zero_anaphors(key: Side, response: Side, match: MentionMatch) -> ZeroAnaphors:
    """Count how the zeros that refer back were resolved: the anaphor score for zeros.

    Parameters
    ----------
    key, response : Side
        Spans over the same documents.
    match : MentionMatch
        Of these two sides.

    Returns
    -------
    ZeroAnaphors
        Recall is right / (right + wrong_link + missed), precision right / (right + wrong_link
        + spurious); both are 0/0 where there are no zeros.

    Notes
    -----
    A mention refers back if it is not the first of its entity, in the order of first token,
    last token and number of tokens. An earlier mention of the key's entity counts if its
    partner is in the entity of the zero's partner. A zero of the response whose partner in the
    key is no zero, or begins its entity, is spurious. As in corefud-scorer 1.2.
    O(mentions log mentions).

    References
    ----------
    Zabokrtsky et al., Findings of the Shared Task on Multilingual Coreference Resolution
    (CRAC 2022 and later).

    Examples
    --------
    >>> import numpy as np
    >>> from partwise.coreference.documents.documents import Side, Spans, Tokens
    >>> from partwise.coreference.mentions.matching import match_mentions
    >>> words = Tokens(["Ana", "said", "", "came"], np.zeros(4, int), np.arange(4) == 2)
    >>> rows = np.array([0, 2])
    >>> codes = np.zeros(2, dtype=np.int64)
    >>> side = Side(["d"], codes, codes, codes[:1], ["Ana"], Spans(rows, rows, rows), [words])
    >>> zero_anaphors(side, side, match_mentions(side, side)).right.tolist()
    [1]
    """
    n_documents = len(key.names)
    codes = word_set_codes(*word_runs(key, response))
    rank, other_rank = (
        _place_in_entity(side, code) for side, code in zip((key, response), codes, strict=True)
    )
    anaphors = zero_mentions(key) & (rank > 0)
    other_anaphors = zero_mentions(response) & (other_rank > 0)
    partner = match.partner
    partnered = np.flatnonzero(partner >= 0)
    linked_entity = np.full(len(key), -1, dtype=np.int64)
    linked_entity[partnered] = response.entity[partner[partnered]]
    linked = _entity_came_before(key.entity, linked_entity, rank)
    resolved = np.zeros(len(key), dtype=np.bool_)
    resolved[partnered] = other_rank[partner[partnered]] > 0
    covered = partner[anaphors & (partner >= 0)]
    other_anaphors[covered] = False

    def per_document(side: Side, chosen: NDArray[np.bool_]) -> IntArray:
        return np.bincount(side.document[chosen], minlength=n_documents)

    return ZeroAnaphors(
        per_document(key, anaphors & resolved & linked),
        per_document(key, anaphors & resolved & ~linked),
        per_document(key, anaphors & ~resolved),
        per_document(response, other_anaphors),
    )


def _place_in_entity(side: Side, codes: IntArray) -> IntArray:
    """Return how many mentions of its entity stand before each one in the text."""
    order = np.lexsort((codes, side.entity))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = occurrences(side.entity[order])
    return rank


def _entity_came_before(entity: IntArray, found: IntArray, rank: IntArray) -> NDArray[np.bool_]:
    """Return whether an earlier mention of the entity has a partner in the same entity."""
    rows = np.flatnonzero(found >= 0)
    order = rows[np.lexsort((rank[rows], found[rows], entity[rows]))]
    before = np.zeros(len(entity), dtype=np.bool_)
    a, b = order[1:], order[:-1]
    before[a] = (entity[a] == entity[b]) & (found[a] == found[b])
    return before
