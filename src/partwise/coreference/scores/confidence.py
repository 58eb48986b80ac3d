"""How sure coreference scores are: documents drawn again, and two responses compared."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from partwise.coreference.scores.drawn_documents import (
    DocumentSums,
    measures_of,
    read_columns,
    values_of_copies,
    values_of_draws,
)
from partwise.coreference.scores.scores import CoreferenceScores
from partwise.inference.bootstrap import (
    INTERVALS,
    Bootstrap,
    Interval,
    check_units,
    drawn_blocks,
)
from partwise.inference.draws import Drawing, takes_draws
from partwise.inference.paired import METHODS, PairedMethod, PairedTest, coins, difference_of
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import one_of
from partwise.report.numbers import show
from partwise.report.table import Table

DocumentAverage = Literal["micro", "macro"]
AVERAGES: tuple[str, ...] = get_args(DocumentAverage)


class _OfScores:
    """What the results here say of the scores that they come from."""

    convention: str
    mentions: str
    average: str

    def _origin(self) -> dict[str, Any]:
        return {
            "convention": self.convention,
            "mentions": self.mentions,
            "average": self.average,
        }

    @classmethod
    def _origin_of(cls, document: dict[str, Any]) -> dict[str, Any]:
        names = ("convention", "mentions", "average")
        return {"accounts": (), **{name: document[name] for name in names}}

    def _options(self) -> dict[str, Any]:
        return {**super()._options(), **self._origin()}  # type: ignore[misc]

    def heading(self) -> list[str]:
        """Return the first lines: the rules, what was done."""
        rules = f"convention {self.convention}, mentions matched: {self.mentions}"
        return [f"{rules}, {self.average} average", self.header]  # type: ignore[attr-defined]


#: Columns that are scores, shown in percent as the scores themselves are.
_SCORES = {"value", "standard_error", "low", "high", "bias", "first", "second", "difference"}


class _InPercent(_OfScores):
    """Shows its numbers in percent, as tables of coreference do; JSON and CSV have shares."""

    def table(self) -> Table:
        """Return the table in percent, a measure a line."""
        table: Table = super().table()  # type: ignore[misc]
        rows = [
            [
                100 * value if name in _SCORES and value is not None else _other(value)
                for name, value in zip(table.header, row, strict=True)
            ]
            for row in table.rows
        ]
        header = ("measure, in %", *table.header[1:])
        return replace(table, header=header, rows=rows, decimals=2, whole=False)

    def to_csv(self) -> str:
        """Return CSV text: shares, all digits."""
        table: Table = super().table()  # type: ignore[misc]
        return table.csv()


def _other(value: Any) -> Any:
    """Return what is no score, such as a probability, with the digits that it needs."""
    return show(value) if isinstance(value, float) else value


@dataclass(frozen=True, eq=False, repr=False)
class CoreferenceBootstrap(_InPercent, Bootstrap):
    """Scores of documents drawn with replacement; see ``Bootstrap`` for the rest.

    Attributes
    ----------
    convention, mentions : str
        Of the scores.
    average : {"micro", "macro"}
    """

    _schema: ClassVar[str] = "coreference-bootstrap/1"

    convention: str = ""
    mentions: str = ""
    average: str = "micro"


@dataclass(frozen=True, eq=False, repr=False)
class CoreferencePairedTest(_InPercent, PairedTest):
    """Scores of two responses to one key, and whether they differ; see ``PairedTest``.

    Attributes
    ----------
    convention, mentions : str
        Of the scores of both.
    average : {"micro", "macro"}
    """

    _schema: ClassVar[str] = "coreference-paired-test/1"

    convention: str = ""
    mentions: str = ""
    average: str = "micro"


# ---- the two questions -----------------------------------------------------------------


@takes_draws(1000, least=2)
def bootstrap(
    scores: CoreferenceScores,
    *,
    measure: str | Iterable[str] | None = None,
    average: DocumentAverage = "micro",
    interval: Interval = "percentile",
    drawing: Drawing,
) -> CoreferenceBootstrap:
    """Return how scores vary when documents are drawn again.

    Parameters
    ----------
    scores : CoreferenceScores
        Of ``score``.
    measure : str or several, optional
        Names of measures, "muc" (its F1) or "muc.recall", "muc.precision"; default: F1 of all.
    average : {"micro", "macro"}
        Counts added up over documents, or means of the documents' scores.
    interval : {"percentile", "centered", "basic"}
    draws
        How to draw: see ``Draws``.

    Returns
    -------
    CoreferenceBootstrap

    Raises
    ------
    ValueError
        Fewer than two documents; an unknown measure.

    Notes
    -----
    As many documents as there are, with replacement. Numerators and denominators add up over
    documents, so that a draw costs a row of a matrix product; nothing is aligned again.

    Examples
    --------
    >>> import partwise as pw
    >>> key = {f"d{i}": [["a", "b", "c"], ["d", "e"]] for i in range(9)}
    >>> response = {f"d{i}": [["a", "b"], ["c", "d", "e"][i % 2:]] for i in range(9)}
    >>> scores = pw.coreference.score(key, response)
    >>> found = pw.coreference.bootstrap(scores, measure=["conll", "lea"], seed=1)
    >>> bool(found.low[0] <= scores["conll"].f1 <= found.high[0])
    True
    """
    one_of(average, AVERAGES, "average")
    one_of(interval, INTERVALS, "interval")
    columns = read_columns(scores, measure)
    n = len(scores.documents)
    units = f"{scores.input_report.unit}s"
    check_units(n, units)
    documents = DocumentSums.of(scores, measures_of(columns), average)

    def of(first: int, last: int) -> FloatArray:
        copies = drawn_blocks(drawing.seed, first, last, n).astype(np.float64)
        return values_of_copies([(documents, copies)], columns, n)

    values = values_of_draws(drawing, n, of)
    observed = np.array([one.observed(scores, average) for one in columns])
    return CoreferenceBootstrap(
        measures=tuple(one.name for one in columns),
        observed=observed,
        values=values,
        by=units,
        n_units=n,
        interval=interval,
        level=drawing.level,
        seed=drawing.seed,
        accounts=(),
        notes=[],
        convention=scores.convention,
        mentions=scores.mentions,
        average=average,
    )


@takes_draws(1999)
def paired_test(
    first: CoreferenceScores,
    second: CoreferenceScores,
    *,
    measure: str | Iterable[str] | None = None,
    average: DocumentAverage = "micro",
    method: PairedMethod = "randomization",
    drawing: Drawing,
) -> CoreferencePairedTest:
    """Test whether two responses to one key differ.

    Parameters
    ----------
    first, second : CoreferenceScores
        Of ``score``, with one key, one convention and one way to match mentions.
    measure, average
        See ``bootstrap``.
    method : {"randomization", "bootstrap"}
        Exchange the responses of documents at random, or draw documents with replacement.
    draws
        How to draw: see ``Draws``.

    Returns
    -------
    CoreferencePairedTest
        Differences are second - first.

    Raises
    ------
    ValueError
        Conventions, ways to match mentions, documents or keys that differ: such scores are not
        comparable.

    Notes
    -----
    p = (1 + b) / (1 + draws), two-sided, b the draws whose difference is at least as large as
    the observed one (bootstrap: as far from it as it is from 0).

    Examples
    --------
    >>> import partwise as pw
    >>> key = {f"d{i}": [["a", "b", "c"], ["d", "e"]] for i in range(9)}
    >>> good = {name: [["a", "b", "c"], ["d"]] for name in key}
    >>> bad = {name: [["a", "d"], ["b", "c", "e"]] for name in key}
    >>> scores = [pw.coreference.score(key, response) for response in (bad, good)]
    >>> found = pw.coreference.paired_test(*scores, measure="lea", seed=1)
    >>> found["lea"].difference > 0, found.p_value < 0.01
    (True, True)
    """
    one_of(average, AVERAGES, "average")
    one_of(method, METHODS, "method")
    first.check_comparable(second)
    columns = read_columns(first, measure)
    n = len(first.documents)
    units = f"{first.input_report.unit}s"
    check_units(n, units)
    both = [
        DocumentSums.of(scores, measures_of(columns), average) for scores in (first, second)
    ]

    def of(low: int, high: int) -> FloatArray:
        if method == "bootstrap":
            copies: IntArray = drawn_blocks(drawing.seed, low, high, n)
            weights = [(copies, 0 * copies), (0 * copies, copies)]
        else:
            swapped = np.stack([coins(drawing.seed, draw, n) for draw in range(low, high)])
            weights = [(1 - swapped, swapped), (swapped, 1 - swapped)]
        return np.stack(
            [
                values_of_copies(
                    [
                        (side, copies.astype(np.float64))
                        for side, copies in zip(both, pair, strict=True)
                    ],
                    columns,
                    n,
                )
                for pair in weights
            ]
        )

    values = values_of_draws(drawing, n, of)
    observed = np.array(
        [[one.observed(scores, average) for one in columns] for scores in (first, second)]
    )
    differences = values[1] - values[0]
    results = {
        one.name: difference_of(
            observed[:, j], differences[:, j], values[:, :, j], method, drawing.level
        )
        for j, one in enumerate(columns)
    }
    return CoreferencePairedTest(
        results=results,
        method=method,
        by=units,
        n_units=n,
        draws=drawing.draws,
        seed=drawing.seed,
        level=drawing.level,
        differences=differences,
        accounts=(),
        notes=[],
        convention=first.convention,
        mentions=first.mentions,
        average=average,
    )
