"""Documents drawn again or exchanged: sums of counts over them, and the scores they make."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.coreference.scores.measures import CONLL, Counts, own_name
from partwise.coreference.scores.recall_precision import PARTS
from partwise.coreference.scores.scores import CoreferenceScores
from partwise.inference.draws import Drawing, in_batches
from partwise.numbers.arrays import FloatArray

#: Draws times documents at once. How many draws that are depends on the documents alone, so
#: that the number of workers cannot change a bit.
_AT_ONCE = 1 << 18


@dataclass(frozen=True)
class Column:
    """One number: a measure, and recall, precision or F1 of it."""

    name: str
    measure: str
    part: int

    def observed(self, scores: CoreferenceScores, average: str) -> float:
        """Return the number of the documents as they are."""
        score = scores[self.measure] if average == "micro" else scores.macro[self.measure]
        return float(getattr(score, PARTS[self.part]))


def read_columns(scores: CoreferenceScores, measure: Any) -> list[Column]:
    """Return what ``measure=`` means: "muc" is its F1, "muc.recall" its recall."""
    wanted = list(scores) if measure is None else measure
    names = [wanted] if isinstance(wanted, str) else list(wanted)
    if not names:
        raise ValueError("measure is empty; name at least one")
    columns = []
    for name in names:
        written, _, part = str(name).partition(".")
        base = own_name(written, scores)
        if base not in list(scores):
            raise ValueError(f"measure {name!r}: one of {', '.join(scores)} is expected")
        if part and part not in PARTS:
            raise ValueError(f"measure {name!r}: {base}.{', .'.join(PARTS)} are there")
        columns.append(
            Column(f"{base}.{part}" if part else base, base, PARTS.index(part or "f1"))
        )
    if len({one.name for one in columns}) < len(columns):
        raise ValueError(f"measure names one twice: {', '.join(one.name for one in columns)}")
    return columns


def measures_of(columns: Iterable[Column]) -> list[str]:
    """Return the measures that are needed, the CoNLL average taken apart."""
    needed: dict[str, None] = {}
    for one in columns:
        needed |= dict.fromkeys(CONLL if one.measure == "conll" else (one.measure,))
    return list(needed)


@dataclass(frozen=True)
class DocumentSums:
    """What adds up over documents: for each measure a matrix, documents x sums."""

    scores: CoreferenceScores
    average: str
    matrices: dict[str, FloatArray]

    @staticmethod
    def of(scores: CoreferenceScores, measures: Iterable[str], average: str) -> DocumentSums:
        """Return the sums of some measures."""
        matrices = {}
        for name in measures:
            counts = scores.counts_of(name)
            if average == "macro":
                matrices[name] = scores.columns_of(name, counts).values.T
            else:
                rows = [np.atleast_2d(part) for part in counts.parts]
                matrices[name] = np.concatenate(rows).astype(np.float64).T
        return DocumentSums(scores, average, matrices)

    def scored(self, name: str, totals: FloatArray, n: int) -> FloatArray:
        """Return recall, precision and F1 of sums, shape (3, draws)."""
        if self.average == "macro":
            return totals.T / n
        rows = totals.T.reshape(4, -1, len(totals))
        parts: list[NDArray[Any]] = [part[0] if len(part) == 1 else part for part in rows]
        return self.scores.columns_of(name, Counts(*parts)).values


def values_of_copies(
    sides: list[tuple[DocumentSums, FloatArray]], columns: list[Column], n: int
) -> FloatArray:
    """Return the columns of draws: of each side so many copies of its documents."""
    first = sides[0][0]
    totals = {
        name: np.asarray(sum(copies @ side.matrices[name] for side, copies in sides))
        for name in first.matrices
    }
    return values_of_totals(first, totals, columns, n)


def values_of_totals(
    documents: DocumentSums, totals: Mapping[str, FloatArray], columns: list[Column], n: int
) -> FloatArray:
    """Return the columns of draws from what the sums of each measure add up to in them."""
    by_measure = {name: documents.scored(name, total, n) for name, total in totals.items()}
    return np.stack(
        [
            sum(by_measure[part][one.part] for part in CONLL) / len(CONLL)
            if one.measure == "conll"
            else by_measure[one.measure][one.part]
            for one in columns
        ],
        axis=1,
    )


def draws_at_once(n: int) -> int:
    """Return how many draws of n documents are made at once."""
    return max(1, min(256, _AT_ONCE // max(n, 1)))


def values_of_draws(
    drawing: Drawing, n: int, some: Callable[[int, int], FloatArray]
) -> FloatArray:
    """Return what all draws give, made by ``some`` from the first to the last of a batch."""
    parts = in_batches(
        *(some, drawing.draws, draws_at_once(n), drawing.workers), progress=drawing.progress
    )
    return np.concatenate(parts, axis=-2)
