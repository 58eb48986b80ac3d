"""Scores of soft clusterings: every measure that compares rows of memberships."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from partwise.labels.account import counted
from partwise.labels.memberships import Memberships
from partwise.labels.notes import Note
from partwise.measures.aliases import split_names
from partwise.measures.catalogue import catalogue, find, split_name
from partwise.measures.information import soft
from partwise.report.json_documents import JsonResult
from partwise.report.table import Table, Tabular, wrapped
from partwise.scoring.results import plain_options, score_lines, score_table
from partwise.table.memberships_pair import as_memberships_pair

#: The soft functions that return one number, by name.
FUNCTIONS: dict[str, Callable[..., float]] = {
    name: getattr(soft, name) for name in soft.__all__ if name != "soft_contingency"
}


@dataclass(frozen=True, slots=True)
class SoftMeasure:
    """A measure of memberships with its options."""

    name: str
    family: str
    function: Callable[..., Any]
    options: dict[str, Any]
    needs_features: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class SoftComparison(Tabular, JsonResult):
    """Scores of two soft clusterings, with what was compared.

    Attributes
    ----------
    scores : dict of str to float
    families : dict of str to str
        Family of each measure.
    directions : dict of str to {"higher", "lower", None}
        Which values of each measure are better.
    skipped : dict of str to str
        Measures that were left out, and why.
    n_items : int
    sides : pair of dict
        ``clusters`` (their number) and ``kind`` ("soft" or "hard") of reference and candidate.
    matched_by : {"position", "item"}
    notes : tuple of Note
        How the input was read.
    options : dict
        What was asked for.
    """

    _schema: ClassVar[str] = "soft-comparison/1"

    scores: dict[str, float]
    families: dict[str, str]
    skipped: dict[str, str]
    n_items: int
    sides: tuple[dict[str, Any], dict[str, Any]]
    matched_by: str = "position"
    notes: tuple[Note, ...] = field(default=())
    directions: dict[str, str | None] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def header(self) -> str:
        """What was compared, as one line."""
        clusters = [
            f"{side['clusters']} {side['kind']} {name} cluster{'s' * (side['clusters'] != 1)}"
            for name, side in zip(("reference", "candidate"), self.sides, strict=True)
        ]
        items = f"{counted(self.n_items, 'item')} compared, aligned by {self.matched_by}"
        return "; ".join([items, *self.notes, " and ".join(clusters)])

    def heading(self) -> list[str]:
        """Return what was compared."""
        return [self.header]

    def table(self) -> Table:
        """Return the table of the scores, distances below similarities."""
        scores = score_table(self.scores, self.families, self.directions)
        return Table(scores.header, scores.rows, lead=2, notes=self._skipped())

    def _skipped(self) -> list[str]:
        return [f"skipped: {name} {why}" for name, why in self.skipped.items()]

    def __str__(self) -> str:
        scores = score_lines(self.scores, self.families, self.directions)
        lines = [wrapped([self.header]), *(["", scores] if scores else [])]
        skipped = self._skipped()
        return "\n".join([*lines, *(["", wrapped(skipped)] if skipped else [])])

    def __repr__(self) -> str:
        items, measures = counted(self.n_items, "item"), counted(len(self.scores), "measure")
        return f"SoftComparison({items}, {measures})"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists and numbers."""
        return {
            "account": {
                "items": self.n_items,
                "matched_by": self.matched_by,
                "notes": [note.to_dict() for note in self.notes],
            },
            "clusters": dict(zip(("reference", "candidate"), self.sides, strict=True)),
            "scores": dict(self.scores),
            "families": dict(self.families),
            "better": dict(self.directions),
            "skipped": dict(self.skipped),
        }

    def _options(self) -> dict[str, Any]:
        return self.options

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        account, clusters = document["account"], document["clusters"]
        return cls(
            scores={name: float(value) for name, value in document["scores"].items()},
            families=document["families"],
            skipped=document["skipped"],
            n_items=account["items"],
            sides=(clusters["reference"], clusters["candidate"]),
            matched_by=account["matched_by"],
            notes=tuple(Note(**note) for note in account["notes"]),
            directions=document["better"],
            options=document["options"],
        )


def soft_measures() -> list[SoftMeasure]:
    """Return every measure of memberships, without options."""
    measures = [
        SoftMeasure(name, "information", function, {}) for name, function in FUNCTIONS.items()
    ]
    for entry in catalogue().values():
        if entry.computation.soft is not None and not entry.options:
            needs = "features" in entry.requires
            measures.append(SoftMeasure(entry.name, entry.family, entry.function, {}, needs))
    return measures


def select_soft(
    measures: str | Iterable[str], *, with_features: bool
) -> tuple[list[SoftMeasure], dict[str, str]]:
    """Return the measures of memberships that are meant, and those left out with the reason.

    Raises
    ------
    ValueError
        A name that is none, or that of a measure of labels; an option that it does not have.
    """
    lacking = "needs features: pass features= (one row of numbers per item)"
    if isinstance(measures, str) and measures in ("default", "all"):
        every = soft_measures()
        chosen = [one for one in every if with_features or not one.needs_features]
        left = [one.name for one in every if one not in chosen]
        return chosen, dict.fromkeys(left, lacking) if measures == "all" else {}
    names = split_names(measures) if isinstance(measures, str) else list(measures)
    if not names:
        raise ValueError('measures is empty; name some, or take "default" or "all"')
    chosen = [_soft_measure(name) for name in names]
    for one in chosen:
        if one.needs_features and not with_features:
            raise ValueError(f"{one.name} {lacking}")
    return chosen, {}


def _soft_measure(text: str) -> SoftMeasure:
    name, options = split_name(text)
    every = ", ".join(one.name for one in soft_measures())
    if name not in FUNCTIONS:
        if name.startswith("soft_"):
            raise ValueError(f"unknown measure {name!r}; of memberships there are: {every}")
        entry = find(text)
        if entry.computation.soft is None:
            raise ValueError(
                f"{entry.name} compares labels, not memberships; of memberships there are: "
                f"{every}"
            )
        needs = "features" in entry.requires
        return SoftMeasure(entry.name, entry.family, entry.function, {**entry.options}, needs)
    function = FUNCTIONS[name]
    accepted = [
        x.name
        for x in inspect.signature(function).parameters.values()
        if x.kind is x.KEYWORD_ONLY
    ]
    for option in options:
        if option not in accepted:
            its = ", ".join(accepted) or "none"
            raise ValueError(f"{name} has no option {option!r}; its options: {its}")
    return SoftMeasure(text.strip(), "information", function, options)


def compare_memberships(
    reference: Any,
    candidate: Any,
    *,
    measures: str | Iterable[str] = "default",
    features: Any = None,
    matched_by: str = "position",
    notes: Iterable[Note] = (),
) -> SoftComparison:
    """Score two soft clusterings by every measure that compares memberships.

    Parameters
    ----------
    reference, candidate
        Memberships, or labels on one side, as in ``soft_contingency``.
    measures : {"default", "all"}, names with commas between, or an iterable of names
    features : array-like of shape (n, d), optional
        Row of numbers of each item, for ``css_distance``.
    matched_by : {"position", "item"}
        How the rows were brought into one order, for the report.
    notes : iterable of Note
        How the input was read, for the report.
    """
    chosen, skipped = select_soft(measures, with_features=features is not None)
    if features is not None and not any(one.needs_features for one in chosen):
        raise TypeError("no measure here has a use for features=; leave them out, or name one")
    pair = as_memberships_pair(reference, candidate)
    values = {}
    for one in chosen:
        further = {"features": features} if one.needs_features else {}
        values[one.name] = float(one.function(*pair, **one.options, **further))
    return SoftComparison(
        scores=values,
        families={one.name: one.family for one in chosen},
        skipped=skipped,
        n_items=pair[0].n_items,
        sides=(_described(pair[0]), _described(pair[1])),
        matched_by=matched_by,
        notes=tuple(dict.fromkeys(notes)),
        directions={one.name: _direction(one) for one in chosen},
        options=plain_options(measures, {}),
    )


def _direction(measure: SoftMeasure) -> str | None:
    """Return which values are better: those of the measure of labels that it generalises."""
    return find(split_name(measure.name)[0].removeprefix("soft_")).direction


def _described(side: Memberships) -> dict[str, Any]:
    return {"clusters": side.n_clusters, "kind": "hard" if side.is_hard else "soft"}
