"""Recall, precision and F1 from numerators and denominators; their means over documents."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.coreference.scores.measures import CONLL, Counts

PARTS = ("recall", "precision", "f1")
#: What a score is made of, where it is not a mean of scores.
COUNTS = (
    *("recall_numerator", "recall_denominator"),
    *("precision_numerator", "precision_denominator"),
)


@dataclass(frozen=True, slots=True)
class Score:
    """Recall, precision and F1; 0 / 0 is 0.0, and ``undefined`` says so.

    Attributes
    ----------
    recall, precision, f1 : float
        Each in [0, 1].
    undefined : tuple of str
        Which of the three are 0 / 0, f1 also where recall and precision are 0; for BLANC: have
        such a part.
    recall_numerator, recall_denominator, precision_numerator, precision_denominator
        int, float or Fraction; None for means of scores.
    """

    recall: float
    precision: float
    f1: float
    undefined: tuple[str, ...] = ()
    recall_numerator: Any = None
    recall_denominator: Any = None
    precision_numerator: Any = None
    precision_denominator: Any = None


def score_of(plain: Mapping[str, Any]) -> Score:
    """Return a score from its plain dict."""
    return Score(**{**plain, "undefined": tuple(plain["undefined"])})


@dataclass(frozen=True, slots=True)
class Columns:
    """Scores of many documents: rows are recall, precision and F1, each with its 0 / 0."""

    values: NDArray[np.float64]
    undefined: NDArray[np.bool_]

    def score(self, at: int, parts: tuple[Any, ...]) -> Score:
        """Return the score of one document."""
        names = tuple(
            name
            for name, here in zip(PARTS, self.undefined[:, at].tolist(), strict=True)
            if here
        )
        recall, precision, f1 = self.values[:, at].tolist()
        return Score(recall, precision, f1, names, *parts)


def _quotients(above: Any, below: Any) -> NDArray[np.float64]:
    """Return above / below as Python rounds it, 0.0 where below is 0."""
    doubles = above.dtype.kind == "f" and below.dtype.kind == "f"
    # Python divides doubles likewise
    quotients = np.zeros(below.shape, dtype=np.float64 if doubles else object)
    np.divide(above, below, out=quotients, where=below != 0, dtype=quotients.dtype)
    return quotients.astype(np.float64, copy=False)


def columns_of(counts: Counts) -> Columns:
    """Return recall, precision and F1 of each document."""
    recall = _quotients(counts.recall_numerator, counts.recall_denominator)
    precision = _quotients(counts.precision_numerator, counts.precision_denominator)
    total = recall + precision
    f1 = np.zeros_like(total)
    np.divide(2 * recall * precision, total, out=f1, where=total != 0)
    nothing = (counts.recall_denominator == 0, counts.precision_denominator == 0, total == 0)
    return Columns(np.stack([recall, precision, f1]), np.stack(nothing).astype(np.bool_))


def blanc_columns(links: Counts, rule: str) -> Columns:
    """Return BLANC: the means of the scores of coreference links and of the others."""
    key, response = links.recall_denominator, links.precision_denominator
    counted = ((key > 0) | (response > 0) if rule == "zero" else key > 0)[:2]
    values, undefined = np.zeros((3, key.shape[1])), np.zeros((3, key.shape[1]), dtype=np.bool_)
    for kind in range(2):
        of_kind = columns_of(links.of(lambda part, kind=kind: part[kind]))  # type: ignore[misc]
        values += np.where(counted[kind], of_kind.values, 0.0)
        undefined |= counted[kind] & of_kind.undefined
    n_kinds = counted.sum(axis=0)
    values = values / np.maximum(n_kinds, 1)
    if rule == "scorch":
        differ = (key[2] == 1) & (response[2] == 1) & (links.recall_numerator[2] == 0)
        perfect = (n_kinds == 0) & (response[1] == 0) & ~differ
        values[:, perfect.astype(np.bool_)] = 1.0
    return Columns(values, undefined | (n_kinds == 0))


def with_mentions(links: Counts, mentions: Counts) -> Counts:
    """Return links with the mentions as a third row."""
    pairs = zip(links.parts, mentions.parts, strict=True)
    return Counts(*(np.vstack([part, row]) for part, row in pairs))


def added_up(part: NDArray[Any]) -> NDArray[Any]:
    """Return the sum over documents: of integers exact, of doubles rounded once."""
    add = math.fsum if part.dtype.kind == "f" else sum
    rows = np.atleast_2d(part).tolist()
    sums = np.empty((len(rows), 1), dtype=object)
    sums[:, 0] = [add(row) for row in rows]
    return sums if part.ndim == 2 else sums[0]


def mean(scores: list[Score]) -> Score:
    """Return the means of recall, precision and F1; 0 / 0 where all of them are."""
    n = len(scores)
    recall, precision, f1 = (math.fsum(getattr(x, name) for x in scores) / n for name in PARTS)
    undefined = tuple(name for name in PARTS if all(name in x.undefined for x in scores))
    return Score(recall, precision, f1, undefined)


def macro_of(columns: Mapping[str, Columns], n_documents: int) -> dict[str, Score]:
    """Return the means over documents; see ``CoreferenceScores.macro``."""
    n = max(n_documents, 1)
    by_measure = {}
    for name, part in columns.items():
        recall, precision, f1 = (math.fsum(row) / n for row in part.values.tolist())
        undefined = np.flatnonzero(part.undefined.all(axis=1)).tolist()
        by_measure[name] = Score(recall, precision, f1, tuple(PARTS[i] for i in undefined))
    return by_measure | {"conll": mean([by_measure[name] for name in CONLL])}


def weighted_of(columns: Mapping[str, Columns], mentions: Counts) -> dict[str, Score]:
    """Return the means weighted by mentions; see ``CoreferenceScores.weighted``."""
    sizes = [
        np.asarray(part, dtype=np.float64)
        for part in (mentions.recall_denominator, mentions.precision_denominator)
    ]
    by_measure = {}
    for name, column in columns.items():
        means, nothing = [], []
        for part, row, weights in zip(
            PARTS, column.values, (*sizes, sizes[0] + sizes[1]), strict=True
        ):
            total = math.fsum(weights.tolist())
            means.append(math.fsum((row * weights).tolist()) / total if total else 0.0)
            if not total:
                nothing.append(part)
        by_measure[name] = Score(means[0], means[1], means[2], tuple(nothing))
    return by_measure | {"conll": mean([by_measure[name] for name in CONLL])}
