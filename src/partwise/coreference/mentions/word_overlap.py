"""The mention overlap ratio: words that the mentions of both sides share, at best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from partwise.coreference.documents.documents import Side, Spans
from partwise.coreference.mentions.candidates import (
    TooManyPairs,
    gathered,
    overlapping,
    too_many,
)
from partwise.coreference.mentions.identity import equal_partners, word_set_codes
from partwise.coreference.mentions.word_runs import WordRuns, word_runs
from partwise.numbers.arrays import IntArray
from partwise.solvers.matching import best_matching


@dataclass(frozen=True, slots=True)
class WordOverlap:
    """Words of the mentions of each document, and how many of them are shared.

    Attributes
    ----------
    common : int64 array, shape (n_documents,)
        Words that paired mentions share: numerator of recall and precision.
    key, response : int64 array, shape (n_documents,)
        Words of all mentions of a side: denominators. A word of two mentions counts twice.
    """

    common: IntArray
    key: IntArray
    response: IntArray


def word_overlap(key: Side, response: Side) -> WordOverlap:
    """Count the words that mentions of both sides share when paired for the most of them.

    Parameters
    ----------
    key, response : Side
        Spans over the same documents.

    Returns
    -------
    WordOverlap
        Recall is common / key, precision common / response.

    Raises
    ------
    TypeError
        Mentions are objects.
    ValueError
        A span lies outside its document; mentions are nested so deep that their pairs would
        not fit memory (see ``match_mentions``).

    Notes
    -----
    The mention overlap ratio (MOR) of corefud-scorer: max sum |k and r| over one-to-one pairs
    of mentions of a document. It needs no heads and no match: mentions may be paired that no
    way to match would pair. Equal mentions can be paired first, since |k and r'| + |k' and k|
    is never more than |k| + |k' and r'|. O(mentions log mentions + overlapping pairs) beside
    the matching.

    References
    ----------
    Zabokrtsky et al., Findings of the Shared Task on Multilingual Coreference Resolution
    (CRAC 2022).

    Examples
    --------
    >>> import numpy as np
    >>> from partwise.coreference.documents.documents import Side, Spans
    >>> def side(first, last):
    ...     codes = np.zeros(len(first), dtype=np.int64)
    ...     return Side(["d"], codes, codes, codes[:1], ["e"], Spans(first, last), [None])
    >>> key = side(np.array([0, 4]), np.array([3, 4]))
    >>> word_overlap(key, side(np.array([1]), np.array([4]))).common.tolist()
    [3]
    """
    for name, side in (("key", key), ("response", response)):
        if not isinstance(side.mentions, Spans):
            raise TypeError(f"the mentions of the {name} are objects; spans have words")
    words = word_runs(key, response)
    n_documents = len(key.names)
    try:
        shared = shared_words(*words)
    except TooManyPairs as error:
        raise too_many(error, key, error.mention, "the overlap of words") from None
    return WordOverlap(
        _per_document(key.document, shared, n_documents),
        _per_document(key.document, words[0].sizes, n_documents),
        _per_document(response.document, words[1].sizes, n_documents),
    )


def shared_words(key: WordRuns, response: WordRuns) -> IntArray:
    """Return the words that each mention of the key shares with its partner."""
    partner = equal_partners(*word_set_codes(key, response))
    common_words = np.where(partner >= 0, key.sizes, 0)
    rows = np.flatnonzero(partner < 0)
    free = np.ones(len(response), dtype=np.bool_)
    free[partner[partner >= 0]] = False
    pairs = overlapping(key.take(rows), response.take(np.flatnonzero(free)))
    try:
        left, right, common = gathered(pairs, len(key) + len(response))
    except TooManyPairs as error:
        raise TooManyPairs(error.n_pairs, int(rows[error.mention]), error.of_mention) from None
    if not len(left):
        return common_words
    order = np.lexsort((right, left))
    indptr = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(np.bincount(left, minlength=len(rows)), out=indptr[1:])
    cols, gains = right[order], common[order]
    matched = best_matching(indptr, cols, gains, int(cols.max()) + 1, tied=True)[0]
    taken = np.flatnonzero(matched >= 0)
    common_words[rows[taken]] = gains[matched[taken]]
    return common_words


def _per_document(document: IntArray, values: IntArray, n_documents: int) -> IntArray:
    """Return exact sums by document, whose rows stand together."""
    ends = np.searchsorted(document, np.arange(n_documents + 1))
    before = np.concatenate(([0], np.cumsum(values)))
    return before[ends[1:]] - before[ends[:-1]]
