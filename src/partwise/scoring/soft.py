"""Scores of soft clusterings: every measure that compares rows of memberships."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from partwise.labels.account import counted
from partwise.labels.memberships import Memberships
from partwise.labels.notes import Note
from partwise.measures.aliases import split_names
from partwise.measures.catalogue import catalogue, find, split_name
from partwise.measures.information import soft
from partwise.report.tables import csv_table, json_text, markdown_table, text_table
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


@dataclass(frozen=True, slots=True)
class SoftComparison:
    """Scores of two soft clusterings, with what was compared.

    Attributes
    ----------
    scores : dict of str to float
    families : dict of str to str
        Family of each measure.
    skipped : dict of str to str
        Measures that were left out, and why.
    n_items : int
    sides : pair of dict
        ``clusters`` (their number) and ``kind`` ("soft" or "hard") of reference and candidate.
    matched_by : {"position", "item"}
    notes : tuple of Note
        How the input was read.
    """

    scores: dict[str, float]
    families: dict[str, str]
    skipped: dict[str, str]
    n_items: int
    sides: tuple[dict[str, Any], dict[str, Any]]
    matched_by: str = "position"
    notes: tuple[Note, ...] = field(default=())

    @property
    def header(self) -> str:
        """What was compared, as one line."""
        clusters = [
            f"{side['clusters']} {side['kind']} {name} cluster{'s' * (side['clusters'] != 1)}"
            for name, side in zip(("reference", "candidate"), self.sides, strict=True)
        ]
        items = f"{counted(self.n_items, 'item')} compared, aligned by {self.matched_by}"
        return "; ".join([items, *self.notes, " and ".join(clusters)])

    def _rows(self) -> list[tuple[str, str, float]]:
        return [(self.families[name], name, value) for name, value in self.scores.items()]

    def __str__(self) -> str:
        lines = [self.header, "", text_table(self._rows())]
        return "\n".join([*lines, *(f"skipped: {x} {why}" for x, why in self.skipped.items())])

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
            "skipped": dict(self.skipped),
        }

    def to_json(self, indent: int | None = 2) -> str:
        """Return ``to_dict()`` as JSON text."""
        return json_text(self.to_dict(), indent)

    def to_markdown(self) -> str:
        """Return the header and a Markdown table."""
        table = markdown_table(["family", "measure", "value"], self._rows())
        return f"{self.header}\n\n{table}"

    def to_csv(self) -> str:
        """Return the scores as CSV text: family, measure, value."""
        return csv_table(["family", "measure", "value"], self._rows())


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
    )


def _described(side: Memberships) -> dict[str, Any]:
    return {"clusters": side.n_clusters, "kind": "hard" if side.is_hard else "soft"}
