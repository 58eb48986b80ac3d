"""Scores of coreference as rows, plain values and data frames."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from partwise.coreference.documents.stacking import InputReport
from partwise.coreference.scores.measures import Counts
from partwise.coreference.scores.recall_precision import COUNTS, PARTS, Score
from partwise.labels.notes import Note
from partwise.report.json_documents import packed, unpacked
from partwise.report.tables import pandas_module

if TYPE_CHECKING:
    import pandas


class Scored(Protocol):
    """What reports need of scores."""

    @property
    def convention(self) -> str:
        """Name of the convention."""

    @property
    def mentions(self) -> str:
        """How mentions were matched."""

    @property
    def input_report(self) -> InputReport:
        """What was scored."""

    @property
    def per_document(self) -> Mapping[str, Mapping[str, Score]]:
        """Scores by document and measure."""

    def __iter__(self) -> Iterator[str]: ...
    def __getitem__(self, name: str) -> Score: ...


class PerDocument(Mapping[str, Mapping[str, Score]]):
    """Scores by the name of a document, formed when asked for by its position."""

    def __init__(
        self, documents: Sequence[str], scores_at: Callable[[int], Mapping[str, Score]]
    ) -> None:
        self._positions = {name: at for at, name in enumerate(documents)}
        self._scores_at = scores_at

    def __getitem__(self, name: str) -> Mapping[str, Score]:
        return self._scores_at(self._positions[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._positions)

    def __len__(self) -> int:
        return len(self._positions)


def rows_of(scores: Scored) -> list[tuple[Any, ...]]:
    """Return a row per measure: its name, recall, precision, F1."""
    return [(name, x.recall, x.precision, x.f1) for name in scores for x in (scores[name],)]


def plain(scores: Scored) -> dict[str, Any]:
    """Return convention, scores and counts as plain values."""
    by_measure: dict[str, dict[str, Any]] = {}
    for name in scores:
        x = scores[name]
        by_measure[name] = {part: getattr(x, part) for part in PARTS}
        by_measure[name]["undefined"] = list(x.undefined)
        if x.recall_denominator is not None:
            by_measure[name] |= {part: _plain(getattr(x, part)) for part in COUNTS}
    return {
        "convention": scores.convention,
        "mentions": scores.mentions,
        "scores": by_measure,
        "notes": [note.to_dict() for note in scores.input_report.notes],
    }


def plain_input(report: InputReport) -> dict[str, Any]:
    """Return what was scored as plain values; its notes stand elsewhere."""
    plain_report = asdict(replace(report, notes=()))
    del plain_report["notes"]
    return plain_report


def input_of(document: Mapping[str, Any], notes: Iterable[Mapping[str, str]]) -> InputReport:
    """Return what was scored from plain values."""
    parts: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in document.items()
    }
    return InputReport(**parts, notes=tuple(Note(**note) for note in notes))


def plain_counts(counts: Counts) -> dict[str, Any]:
    """Return numerators and denominators of all documents in a form that JSON holds."""
    return {one.name: packed(np.asarray(getattr(counts, one.name))) for one in fields(counts)}


def counts_of(document: Mapping[str, Any]) -> Counts:
    """Return the counts of ``plain_counts``."""
    return Counts(**{name: unpacked(array) for name, array in document.items()})


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Fraction) else value


def frame(scores: Scored, *, per_document: bool) -> pandas.DataFrame:
    """Return a line per measure, or per document and measure; see ``to_pandas``."""
    rows: dict[Any, Any] = {name: _line(scores[name]) for name in scores}
    if per_document:
        rows = {
            (document, name): _line(score)
            for document, by_measure in scores.per_document.items()
            for name, score in by_measure.items()
        }
    table = pandas_module().DataFrame.from_dict(rows, orient="index")
    table.index.names = ["document", "measure"] if per_document else ["measure"]
    return table


def _line(x: Score) -> dict[str, Any]:
    return {
        **{part: getattr(x, part) for part in PARTS},
        "undefined": bool(x.undefined),
        **{part: getattr(x, part) for part in COUNTS},
    }
