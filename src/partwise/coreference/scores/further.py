"""Measures of one family of scorers: words that mentions share, zeros that refer back."""

from __future__ import annotations

from collections.abc import Sequence

from partwise.coreference.documents.documents import MentionMatch, Side, Spans
from partwise.coreference.documents.zeros import zero_anaphors
from partwise.coreference.mentions.word_overlap import word_overlap
from partwise.coreference.scores.measures import Counts


def further_counts(
    key: Side, response: Side, match: MentionMatch, names: Sequence[str]
) -> dict[str, Counts]:
    """Return the counts of some further measures per document.

    Parameters
    ----------
    key, response : Side
    match : MentionMatch
        Of the two; MOR pairs mentions by itself.
    names : sequence of str
        mention_overlap, zero_anaphors.

    Returns
    -------
    dict of str to Counts
        Empty where mentions are objects, which have no words.
    """
    if not (isinstance(key.mentions, Spans) and isinstance(response.mentions, Spans)):
        return {}
    by_measure = {}
    if "mention_overlap" in names:
        words = word_overlap(key, response)
        by_measure["mention_overlap"] = Counts(
            words.common, words.key, words.common, words.response
        )
    if "zero_anaphors" in names:
        zeros = zero_anaphors(key, response, match)
        by_measure["zero_anaphors"] = Counts(
            zeros.right, zeros.recall_below, zeros.right, zeros.precision_below
        )
    return by_measure
