"""How sure scores of coreference are, and whether two responses differ: documents redrawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from partwise.coreference.measures import CONLL, Counts
from partwise.coreference.scores import CoreferenceScores
from partwise.display.table import text_table
from partwise.inference.asked import (
    SWAPS,
    FloatArray,
    generator,
    read_level,
    read_seed,
    read_whole,
)
from partwise.inference.bootstrap import check_units, drawn_blocks, interval_of
from partwise.inference.permutation import as_extreme, clopper_pearson
from partwise.labels.columns import IntArray

#: Draws times documents that are held at once.
_HELD = 1 << 22


@dataclass(frozen=True, eq=False)
class DocumentBootstrap:
    """F1 of a response on documents drawn again.

    Attributes
    ----------
    measures : tuple of str
    observed : ndarray of float64, shape (m,)
    values : ndarray of float64, shape (draws, m)
    documents : int
    level : float
    seed : int
    """

    measures: tuple[str, ...]
    observed: FloatArray
    values: FloatArray
    documents: int
    level: float
    seed: int

    def rows(self) -> list[tuple[str, float, float, float, float]]:
        """Return measure, F1, standard error, lower and upper end of the interval."""
        spread = (
            self.values.std(axis=0, ddof=1) if len(self.values) > 1 else self.observed * np.nan
        )
        low, high = interval_of(self.values, self.observed, self.level, "percentile")
        columns = (self.observed, spread, low, high)
        return list(zip(self.measures, *(x.tolist() for x in columns), strict=True))

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the draws as plain values."""
        names = ("f1", "standard_error", "low", "high")
        return {
            "documents": self.documents,
            "draws": len(self.values),
            "seed": self.seed,
            "level": self.level,
            "measures": {
                name: dict(zip(names, row, strict=True)) for name, *row in self.rows()
            },
        }

    def __str__(self) -> str:
        head = (
            f"{len(self.values)} draws of {self.documents} documents with replacement, seed "
            f"{self.seed}; percentile intervals of level {self.level:g}"
        )
        rows = [(name, *map(_percent, row)) for name, *row in self.rows()]
        table = text_table(rows, ["measure", "F1", "standard error", "low", "high"])
        return f"{head}\n\n{table}"


@dataclass(frozen=True, eq=False)
class DocumentTest:
    """F1 of two responses to one key, and whether they differ.

    Attributes
    ----------
    measures : tuple of str
    observed : ndarray of float64, shape (2, m)
    swapped : ndarray of float64, shape (draws, m)
        Differences, second less first, when the two trade documents at random.
    redrawn : ndarray of float64, shape (draws, m)
        Differences on documents drawn again.
    documents : int
    level : float
    seed : int
    """

    measures: tuple[str, ...]
    observed: FloatArray
    swapped: FloatArray
    redrawn: FloatArray
    documents: int
    level: float
    seed: int

    def rows(self) -> list[tuple[Any, ...]]:
        """Return measure, both F1, difference, its interval, p and the interval of p."""
        draws = len(self.swapped)
        difference = self.observed[1] - self.observed[0]
        low, high = interval_of(self.redrawn, difference, self.level, "percentile")
        found = []
        for at, name in enumerate(self.measures):
            sizes = np.abs(self.swapped[:, at])
            # equal up to the rounding of scores, of which this is a difference
            hits = as_extreme(sizes + 1e-12, abs(float(difference[at])), True)
            found.append(
                (
                    *(name, *self.observed[:, at].tolist(), float(difference[at])),
                    *(float(low[at]), float(high[at]), (1 + hits) / (1 + draws)),
                    *clopper_pearson(hits, draws, self.level),
                )
            )
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the draws as plain values."""
        names = ("first", "second", "difference", "low", "high", "p_value", "p_low", "p_high")
        return {
            "documents": self.documents,
            "draws": len(self.swapped),
            "seed": self.seed,
            "level": self.level,
            "measures": {
                name: dict(zip(names, row, strict=True)) for name, *row in self.rows()
            },
        }

    def __str__(self) -> str:
        head = (
            f"{len(self.swapped)} random swaps of {self.documents} documents, seed "
            f"{self.seed}; two-sided p = (1 + extreme) / (1 + draws); percentile intervals of "
            f"the difference of level {self.level:g}, from as many draws of documents with "
            "replacement"
        )
        rows = [
            (name, *map(_percent, row[:5]), *(f"{p:.4g}" for p in row[5:]))
            for name, *row in self.rows()
        ]
        names = ["measure", "first F1", "second F1", "difference", "low", "high"]
        return f"{head}\n\n{text_table(rows, [*names, 'p', 'p low', 'p high'])}"


def bootstrap_documents(
    scores: CoreferenceScores,
    *,
    measures: Sequence[str] | None = None,
    draws: int = 1000,
    seed: int | None = None,
    level: float = 0.95,
) -> DocumentBootstrap:
    """Return how F1 of each measure varies over documents drawn with replacement.

    Parameters
    ----------
    scores : CoreferenceScores
        Of two documents or more.
    measures : sequence of str, optional
        All by default.
    draws : int, default 1000
    seed : int, optional
        From 0 to 2^64 - 1; the result holds the one that was used.
    level : float, default 0.95

    Returns
    -------
    DocumentBootstrap

    Notes
    -----
    As many documents as there are, each any of them; their numerators and denominators are
    added up before they are divided, as for the score itself. A draw costs one row of a matrix
    product. The same seed gives the same draws of as many documents.

    References
    ----------
    Efron and Tibshirani, An Introduction to the Bootstrap, 1993.

    Examples
    --------
    >>> import partwise as pw
    >>> key = {"d1": [["a", "b", "c"]], "d2": [["a", "b"], ["c"]], "d3": [["a"], ["b", "c"]]}
    >>> response = key | {"d1": [["a", "b"], ["c"]], "d3": [["a", "b", "c"]]}
    >>> found = bootstrap_documents(pw.coreference.score(key, response), seed=1)
    >>> at = found.measures.index("muc")
    >>> round(found.observed[at], 2), bool(found.values[:, at].min() < 0.75)
    (np.float64(0.75), True)
    """
    asked = read_whole(draws, "draws", 1), read_seed(seed), read_level(level)
    n = len(scores.documents)
    check_units(n, "documents")
    names = _names(scores, measures)
    found = [_f1(scores, _counts(scores, copies), names) for copies in _redrawn(n, *asked[:2])]
    values, observed = np.concatenate(found), _observed(scores, names)
    return DocumentBootstrap(names, observed, values, n, asked[2], asked[1])


def paired_documents(
    first: CoreferenceScores,
    second: CoreferenceScores,
    *,
    measures: Sequence[str] | None = None,
    draws: int = 1999,
    seed: int | None = None,
    level: float = 0.95,
) -> DocumentTest:
    """Test whether F1 of two responses to one key differs, documents being exchangeable.

    Parameters
    ----------
    first, second : CoreferenceScores
        Over the same documents of the same key, under one convention.
    measures, draws, seed, level
        See ``bootstrap_documents``.

    Returns
    -------
    DocumentTest

    Raises
    ------
    ValueError
        Different conventions, ways to match mentions, documents or keys; fewer than two
        documents.

    Notes
    -----
    Approximate randomization: in each draw the two responses trade each document with
    probability 1/2; p is the share of draws, the observed one counted in, whose difference is
    at least as large in size. The interval is of the difference on documents drawn again.

    References
    ----------
    Noreen, Computer-Intensive Methods for Testing Hypotheses, 1989.

    Examples
    --------
    >>> import partwise as pw
    >>> key = {f"d{i}": [["a", "b"], ["c", "d"]] for i in range(9)}
    >>> worse = {f"d{i}": [["a"], ["b"], ["c", "d"]] for i in range(9)}
    >>> scores = [pw.coreference.score(key, response) for response in (worse, key)]
    >>> rows = {row[0]: row[1:] for row in paired_documents(*scores, seed=1).rows()}
    >>> round(rows["muc"][2], 4), rows["muc"][5] < 0.05
    (0.3333, True)
    """
    asked = read_whole(draws, "draws", 1), read_seed(seed), read_level(level)
    _check_pair(first, second)
    n = len(first.documents)
    check_units(n, "documents")
    names = _names(first, measures)
    swapped = [_difference(first, second, kept, names) for kept in _swaps(n, *asked[:2])]
    redrawn = [
        np.subtract(*(_f1(one, _counts(one, copies), names) for one in (second, first)))
        for copies in _redrawn(n, *asked[:2])
    ]
    return DocumentTest(
        names,
        np.stack([_observed(first, names), _observed(second, names)]),
        np.concatenate(swapped),
        np.concatenate(redrawn),
        n,
        asked[2],
        asked[1],
    )


def _check_pair(first: CoreferenceScores, second: CoreferenceScores) -> None:
    for name, what in (
        ("convention", "conventions"),
        ("mentions", "ways to match mentions"),
        ("documents", "documents"),
    ):
        a, b = getattr(first, name), getattr(second, name)
        if a != b:
            shown = f": {a!r} and {b!r}" if name != "documents" else ""
            raise ValueError(
                f"the responses were scored with different {what}{shown}; score both with the "
                "same"
            )
    for name in ("mentions", "ceaf_e", "muc"):
        a, b = (one._counts[name].recall_denominator for one in (first, second))
        wrong = np.flatnonzero(a != b)
        if len(wrong):
            raise ValueError(
                f"the key of the two responses differs in document "
                f"{first.documents[int(wrong[0])]!r}; score both against one key"
            )


def _pieces(n: int, draws: int) -> Iterator[tuple[int, int]]:
    step = max(_HELD // n, 1)
    for begin in range(0, draws, step):
        yield begin, min(begin + step, draws)


def _redrawn(n: int, draws: int, seed: int) -> Iterator[IntArray]:
    """Yield how often each document is drawn, a row a draw."""
    for begin, end in _pieces(n, draws):
        yield drawn_blocks(seed, begin, end, n)


def _swaps(n: int, draws: int, seed: int) -> Iterator[IntArray]:
    """Yield which documents stay, 1, or are traded, 0; a row a draw."""
    for begin, end in _pieces(n, draws):
        yield np.stack(
            [generator(seed, SWAPS, draw).integers(0, 2, n) for draw in range(begin, end)]
        )


def _counts(scores: CoreferenceScores, weights: IntArray) -> dict[str, Counts]:
    """Return the counts of each row of weights, added up over documents."""
    return {
        name: counts.of(lambda part: part @ weights.T)
        for name, counts in scores._counts.items()
    }


def _difference(
    first: CoreferenceScores, second: CoreferenceScores, kept: IntArray, names: Sequence[str]
) -> FloatArray:
    """Return second less first when each keeps some documents and gets the other's rest."""
    found = []
    for own, other in ((second, first), (first, second)):
        counts, added = _counts(own, kept), _counts(other, 1 - kept)
        both = {
            name: Counts(*(a + b for a, b in zip(one.parts, added[name].parts, strict=True)))
            for name, one in counts.items()
        }
        found.append(_f1(own, both, names))
    return np.subtract(*found)


def _f1(
    scores: CoreferenceScores, counts: dict[str, Counts], names: Sequence[str]
) -> FloatArray:
    """Return F1 of some measures and each sum of counts, shape (sums, measures)."""
    found = {name: scores._columns(name, one).values[2] for name, one in counts.items()}
    found["conll"] = sum(found[name] for name in CONLL) / len(CONLL)
    return np.stack([found[name] for name in names], axis=1)


def _observed(scores: CoreferenceScores, names: Sequence[str]) -> FloatArray:
    return np.array([scores[name].f1 for name in names])


def _names(scores: CoreferenceScores, measures: Sequence[str] | None) -> tuple[str, ...]:
    found = tuple(scores) if measures is None else tuple(measures)
    for name in found:
        if name not in tuple(scores):
            raise ValueError(f"measures: {name!r} is not one of {', '.join(scores)}")
    if not found:
        raise ValueError("measures is empty; name at least one")
    return found


def _percent(value: float) -> str:
    return f"{100 * value:.2f}"
