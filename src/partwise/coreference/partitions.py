"""Measures of partitions on the mentions of a response and its key."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from partwise.comparison import Comparison, compare
from partwise.coreference.scores import CoreferenceScores
from partwise.labels import Clustering
from partwise.labels.policies import UNMATCHED
from partwise.measures.options import one_of


def compare_partitions(
    scores: CoreferenceScores, measures: str | Sequence[str], *, twinless: str = "error"
) -> Comparison:
    """Compare the entities of both sides as partitions of all mentions.

    Parameters
    ----------
    scores : CoreferenceScores
    measures : str or sequence of str
        Of the catalogue; see ``compare``.
    twinless : {"error", "drop", "singletons"}
        A mention without a partner is in one of the partitions only: refuse it, leave it out,
        or put it alone into the other one.

    Returns
    -------
    Comparison
        Over the mentions of all documents; items are numbered, those of the key first.

    Raises
    ------
    ValueError
        There are twinless mentions and no policy for them, or a measure is unknown.

    Notes
    -----
    Entities of different documents are different clusters. O(mentions) and the measures.

    Examples
    --------
    >>> import partwise as pw
    >>> key = {"d": [["a", "b", "c"], ["x"]]}
    >>> scores = pw.coreference.score(key, {"d": [["a", "b"], ["c", "y"]]})
    >>> found = compare_partitions(scores, "rand_index", twinless="singletons")
    >>> found.account.items, found["rand_index"]  # 7 of 10 pairs
    (5, 0.7)
    """
    one_of(twinless, UNMATCHED, "twinless")
    x = scores._shared
    matched = np.flatnonzero(x.partner >= 0)
    found = np.zeros(len(x.response), dtype=np.bool_)
    found[x.partner[matched]] = True
    beyond = np.flatnonzero(~found)
    left = len(x.key) - len(matched), len(beyond)
    if twinless == "error" and any(left):
        raise ValueError(
            f"{left[0]} mentions of the key and {left[1]} of the response have no partner, so "
            'the two are no partitions of the same mentions; pass twinless="singletons" to put '
            'them alone on the other side, "drop" to leave them out'
        )
    if twinless == "drop":
        labels = x.key.entity[matched], x.response.entity[x.partner[matched]]
        return compare(*map(Clustering, labels), measures=measures)
    k, r = len(x.key_sizes), len(x.response_sizes)
    reference = np.concatenate([x.key.entity, k + np.arange(len(beyond))])
    candidate = r + np.arange(len(x.key))
    candidate[matched] = x.response.entity[x.partner[matched]]
    candidate = np.concatenate([candidate, x.response.entity[beyond]])
    return compare(Clustering(reference), Clustering(candidate), measures=measures)
