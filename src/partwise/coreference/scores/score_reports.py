"""Scores of coreference as rows, plain values and data frames."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from partwise.coreference.scores.recall_precision import COUNTS, PARTS, Score
from partwise.report.tables import pandas_module

if TYPE_CHECKING:
    import pandas

    from partwise.coreference.scores.scores import CoreferenceScores


def rows_of(scores: CoreferenceScores) -> list[tuple[Any, ...]]:
    """Return a row per measure: its name, recall, precision, F1."""
    return [(name, x.recall, x.precision, x.f1) for name in scores for x in (scores[name],)]


def plain(scores: CoreferenceScores) -> dict[str, Any]:
    """Return convention, scores and counts as plain values."""
    found = {}
    for name in scores:
        x = scores[name]
        found[name] = {part: getattr(x, part) for part in PARTS}
        found[name]["undefined"] = list(x.undefined)
        if x.recall_denominator is not None:
            found[name] |= {part: _plain(getattr(x, part)) for part in COUNTS}
    return {"convention": scores.convention, "mentions": scores.mentions, "scores": found}


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Fraction) else value


def frame(scores: CoreferenceScores, *, per_document: bool) -> pandas.DataFrame:
    """Return a line per measure, or per document and measure; see ``to_pandas``."""
    rows: dict[Any, Any] = {name: _line(scores[name]) for name in scores}
    if per_document:
        rows = {
            (document, name): _line(score)
            for document, found in scores.per_document.items()
            for name, score in found.items()
        }
    found = pandas_module().DataFrame.from_dict(rows, orient="index")
    found.index.names = ["document", "measure"] if per_document else ["measure"]
    return found


def _line(x: Score) -> dict[str, Any]:
    return {
        **{part: getattr(x, part) for part in PARTS},
        "undefined": bool(x.undefined),
        **{part: getattr(x, part) for part in COUNTS},
    }
