"""Which mention of the response is which mention of the key, over all documents at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from partwise.coreference.documents.documents import MentionMatch, Side, Spans
from partwise.coreference.documents.zeros import dependency_pairs
from partwise.coreference.mentions.assignment import best_pairs
from partwise.coreference.mentions.candidates import (
    Candidates,
    TooManyPairs,
    between,
    gathered,
    too_many,
    with_a_run_in_the_first,
    with_equal_heads,
)
from partwise.coreference.mentions.identity import (
    equal_partners,
    object_codes,
    packed,
    word_set_codes,
)
from partwise.coreference.mentions.word_runs import WordRuns, single_words, word_runs
from partwise.coreference.syntax.mentions import Syntax
from partwise.numbers.arrays import IntArray
from partwise.numbers.checks import one_of

MentionMatching = Literal["exact", "head", "partial", "minimum_span", "first_run", "mina"]
WAYS: tuple[str, ...] = get_args(MentionMatching)
ZeroMatching = Literal["position", "dependencies"]
ZEROS: tuple[str, ...] = get_args(ZeroMatching)


def match_mentions(
    key: Side, response: Side, how: str = "exact", *, zeros: str = "position"
) -> MentionMatch:
    """Find the partner of each mention of the key among the response's, one to one.

    Parameters
    ----------
    key, response : Side
        Mentions over the same documents: spans, or hashable objects (``exact`` only).
    how : {"exact", "head", "partial", "minimum_span", "first_run", "mina"}
        What else than an equal mention may be the partner:

        - ``exact``: nothing. Spans are equal if they have the same tokens, objects if they are
          equal, in one document.
        - ``head``: a span with the same head. Equal spans with different heads are no partners.
        - ``partial``: a span within the key's that holds the key's head.
        - ``minimum_span``: a span within the key's that holds the key's minimum span.
        - ``first_run``: a span of which a run of tokens lies within the first run of the key's.
        - ``mina``: a span with the same minimum span by the key's parse.
    zeros : {"position", "dependencies"}
        Empty nodes that are mentions of their own: by the place they stand at, or first of all
        by their enhanced dependencies.

    Returns
    -------
    MentionMatch

    Raises
    ------
    ValueError
        An option is another word; the sides have different documents; a side has no heads or
        minimum spans, or the key no parse, and ``how`` needs them; a span lies outside its
        document; mentions are nested too deep (see Notes).
    TypeError
        Objects where spans are needed, or spans on one side only; an object cannot be hashed.

    Notes
    -----
    Equal mentions are partners first. Of the rest, pairs are chosen in each document so that
    the sum of the shares |k and r| / |k|, in tokens, is largest. Among several such choices:
    the most pairs, then the earliest mentions (by first token, last token, number of tokens),
    then pairs in the order of the text; see ``best_pairs``. So the order of rows, documents and
    entities changes nothing. Mentions that stand several times on a side, which a policy for
    repeats should have settled before, are paired in the order of rows.

    ``head`` and ``partial`` are those of corefud-scorer 1.2, whose own choice among equal sums
    follows from the steps of its solver. ``minimum_span`` is the rule of MUC-6 and ARRAU,
    ``first_run`` that of CRAFT 2019 for mentions with gaps, ``mina`` that of Moosavi et al.
    2019 (see ``minimum_words``).
    Zeros by dependencies: those of one sentence, before anything else, so that the sum of
    10 F(parents with relations) + F(parents) is largest.

    Exact: O(mentions). Others: as many pairs are looked at as mentions have the same head, or
    begin (or end, if fewer) where a partner could; those that qualify are kept, about 150 bytes
    each. In deep nests all mentions qualify with each other, n^2 pairs for n of them over one
    head: 2^24 pairs, or 64 for each mention if that is more, are the most; beyond is an error
    that names the worst mention. Equal mentions never count.

    Examples
    --------
    >>> import numpy as np
    >>> from partwise.coreference.documents.documents import Side, Spans
    >>> def side(first, last, head):
    ...     codes = np.zeros(len(first), dtype=np.int64)
    ...     spans = Spans(*(np.array(column) for column in (first, last, head)))
    ...     return Side(["d"], codes, codes, codes[:1], ["e"], spans, [None])
    >>> key, response = side([0, 5], [3, 9], [2, 7]), side([0, 6], [2, 7], [2, 6])
    >>> match_mentions(key, response, "head").partner.tolist()
    [0, -1]
    >>> match_mentions(key, response, "partial").overlap.tolist()
    [0.75, 0.4]
    """
    one_of(how, WAYS, "how")
    one_of(zeros, ZEROS, "zeros")
    if list(key.names) != list(response.names):
        raise ValueError(
            f"the key has {len(key.names)} documents and the response {len(response.names)}, "
            "or their names or order differ; both sides need the same documents"
        )
    partner = np.full(len(key), -1, dtype=np.int64)
    overlap = np.zeros(len(key), dtype=np.float64)
    if not (isinstance(key.mentions, Spans) and isinstance(response.mentions, Spans)):
        _check_objects(key, response, how)
        partner = equal_partners(*object_codes(key, response))
        overlap[partner >= 0] = 1.0
        return MentionMatch(how, partner, overlap, zeros)
    _check_columns(key.mentions, response.mentions, how)
    words = word_runs(key, response)
    if how == "mina":
        words = _by_minimum(key, response, words)
    if zeros == "dependencies":
        rows, others, agreement = dependency_pairs(key, response, words)
        partner[rows], overlap[rows] = others, agreement
    _match_equal(words, how, partner, overlap)
    if how != "exact":
        _match_rest((key, response), words, how, partner, overlap)
    return MentionMatch(how, partner, overlap, zeros)


def _check_objects(key: Side, response: Side, how: str) -> None:
    kinds = [
        "spans" if isinstance(side.mentions, Spans) else "objects" for side in (key, response)
    ]
    if kinds[0] != kinds[1]:
        raise TypeError(
            f"mentions of the key are {kinds[0]} and those of the response {kinds[1]}; they "
            "must be the same kind of thing"
        )
    if how != "exact":
        raise TypeError(f'mentions="{how}" needs spans of tokens; the mentions are objects')


def _check_columns(key: Spans, response: Spans, how: str) -> None:
    needed = {
        "head": (("key", key.head, "heads"), ("response", response.head, "heads")),
        "partial": (("key", key.head, "heads"),),
        "minimum_span": (("key", key.minimum, "minimum spans"),),
    }
    for side, column, what in needed.get(how, ()):
        if column is None:
            raise ValueError(f'mentions="{how}" needs {what}, which the {side} does not have')


def _left(n: int, taken: IntArray) -> IntArray:
    free = np.ones(n, dtype=np.bool_)
    free[taken] = False
    return np.flatnonzero(free)


def _match_equal(
    words: tuple[WordRuns, WordRuns], how: str, partner: IntArray, overlap: NDArray[np.float64]
) -> None:
    """Pair the mentions with equal words (and heads, for ``head``)."""
    key, response = words
    some_matched = bool((partner >= 0).any())
    rows, others = np.flatnonzero(partner < 0), _left(len(response), partner[partner >= 0])
    if some_matched:
        key, response = key.take(rows), response.take(others)
    codes = word_set_codes(key, response)
    if how == "head":
        assert key.head is not None
        assert response.head is not None
        heads = np.concatenate((key.head, response.head))
        both = packed([np.concatenate(codes), heads])
        codes = both[: len(key)], both[len(key) :]
    partners = equal_partners(*codes)
    hit = np.flatnonzero(partners >= 0)
    partner[rows[hit]], overlap[rows[hit]] = others[partners[hit]], 1.0


def _match_rest(
    sides: tuple[Side, Side],
    words: tuple[WordRuns, WordRuns],
    how: str,
    partner: IntArray,
    overlap: NDArray[np.float64],
) -> None:
    """Pair what is left for the largest sum of shares."""
    key_words, response_words = words
    rows = np.flatnonzero(partner < 0)
    others = _left(len(response_words), partner[partner >= 0])
    # in the order that settles ties
    codes = word_set_codes(key_words.take(rows), response_words.take(others))
    rows, others = (
        _by_rank(rows, codes[0], key_words),
        _by_rank(others, codes[1], response_words),
    )
    key, response = key_words.take(rows), response_words.take(others)
    try:
        candidates = gathered(_candidates(key, response, how), len(key) + len(response))
    except TooManyPairs as error:
        raise too_many(error, sides[0], int(rows[error.mention]), f'mentions="{how}"') from None
    left, right, common = candidates
    if not len(left):
        return
    below = key.sizes[left]
    taken = best_pairs(left, right, common, below)
    partner[rows[left[taken]]] = others[right[taken]]
    overlap[rows[left[taken]]] = common[taken] / below[taken]


def _by_rank(rows: IntArray, codes: IntArray, words: WordRuns) -> IntArray:
    keys = [codes] if words.head is None else [words.head[rows], codes]
    return rows[np.lexsort(keys)]


def _by_minimum(
    key: Side, response: Side, words: tuple[WordRuns, WordRuns]
) -> tuple[WordRuns, WordRuns]:
    """Return mentions whose heads are numbers, equal for equal minimum spans by MINA."""
    least = [
        replace(side, mentions=Syntax.of(side, key).minimum_spans()) for side in (key, response)
    ]
    codes = word_set_codes(*word_runs(*least))
    both = zip(words, codes, strict=True)
    of_key, of_response = (replace(own, head=code) for own, code in both)
    return of_key, of_response


def _candidates(key: WordRuns, response: WordRuns, how: str) -> Candidates:
    if how in ("head", "mina"):
        return with_equal_heads(key, response)
    if how == "first_run":
        return with_a_run_in_the_first(key, response)
    if how == "minimum_span":
        assert key.least is not None
        return between(key, response, key.least)
    assert key.head is not None
    return between(key, response, single_words(key.head))
