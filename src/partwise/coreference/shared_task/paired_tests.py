"""Paired tests of all pairs of submissions at once, corrected for how many there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from partwise._kernels.workers import map_blocks
from partwise.coreference.scores.drawn_documents import (
    Column,
    DocumentSums,
    draws_at_once,
    measures_of,
    values_of_totals,
)
from partwise.coreference.scores.scores import CoreferenceScores
from partwise.inference.draws import Drawing, in_batches
from partwise.inference.holm import holm
from partwise.inference.paired import coins, difference_of
from partwise.numbers.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class SubmissionPair:
    """Two submissions, and whether they differ.

    Attributes
    ----------
    first, second : str
        Names, the one of the higher rank first.
    difference : float
        Score of the first less that of the second.
    p_value : float
        Two-sided, of this pair alone.
    corrected : float
        The p-value corrected for the number of pairs by Holm's method.
    """

    first: str
    second: str
    difference: float
    p_value: float
    corrected: float


#: Sums of one measure in all draws: of the documents that stay, and of those exchanged.
_Parts = Mapping[str, tuple[FloatArray, FloatArray]]


def compared_pairs(
    scores: Mapping[str, CoreferenceScores], column: Column, average: str, drawing: Drawing
) -> list[SubmissionPair]:
    """Return the paired tests of all pairs, in the order of the submissions.

    The documents of a pair are exchanged by the coins of ``paired_test``, the same for all
    pairs, so that what each submission gives to a draw is added up once: the sums of a pair in
    a draw are those of the documents that one keeps and of those that it gets from the other.
    O(submissions documents draws + pairs draws).
    """
    documents = {
        name: DocumentSums.of(one, measures_of([column]), average)
        for name, one in scores.items()
    }
    n = len(next(iter(scores.values())).documents)
    parts = _parts_of_draws(documents, n, drawing)
    observed = {name: column.observed(one, average) for name, one in scores.items()}
    pairs = list(combinations(scores, 2))

    def p_value(pair: tuple[str, str]) -> float:
        first, second = pair
        values = np.stack(
            [
                values_of_totals(
                    documents[own],
                    {
                        measure: parts[own][measure][0] + parts[other][measure][1]
                        for measure in parts[own]
                    },
                    *([column], n),
                )[:, 0]
                for own, other in ((first, second), (second, first))
            ]
        )
        both = np.array([observed[first], observed[second]])
        # the level is of an interval, which randomization has none of
        test = difference_of(both, values[1] - values[0], values, "randomization", 0.95)
        return test.p_value

    p_values = list(map_blocks(p_value, pairs, drawing.workers))
    return [
        SubmissionPair(
            *(first, second, observed[first] - observed[second], p, float(corrected))
        )
        for (first, second), p, corrected in zip(pairs, p_values, holm(p_values), strict=True)
    ]


def _parts_of_draws(
    documents: Mapping[str, DocumentSums], n: int, drawing: Drawing
) -> dict[str, _Parts]:
    """Return what each submission gives to each draw: what it keeps, and what it gives away."""

    def some(low: int, high: int) -> list[list[tuple[FloatArray, FloatArray]]]:
        swapped = np.stack([coins(drawing.seed, draw, n) for draw in range(low, high)])
        given_away, kept = swapped.astype(np.float64), (1 - swapped).astype(np.float64)
        return [
            [(kept @ matrix, given_away @ matrix) for matrix in one.matrices.values()]
            for one in documents.values()
        ]

    batches = in_batches(
        *(some, drawing.draws, draws_at_once(n), drawing.workers), progress=drawing.progress
    )
    return {
        name: {
            measure: (
                np.concatenate([batch[i][j][0] for batch in batches]),
                np.concatenate([batch[i][j][1] for batch in batches]),
            )
            for j, measure in enumerate(one.matrices)
        }
        for i, (name, one) in enumerate(documents.items())
    }
