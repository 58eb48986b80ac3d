"""What ``compare`` and ``score_many`` return: scores with the account of what was compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from partwise.labels import Account
from partwise.labels.account import counted
from partwise.labels.notes import Note
from partwise.measures.catalogue import name_among
from partwise.report.json_documents import JsonResult
from partwise.report.numbers import show
from partwise.report.plots.style import saved
from partwise.report.table import WIDTH, Table, Tabular, best_of, wrapped
from partwise.report.tables import pandas_module, text_table
from partwise.table.contingency import SizeProfile

if TYPE_CHECKING:
    import pandas

_SIDES = ("reference", "candidate")
#: How the report calls measures by their direction.
SECTIONS = {
    "higher": "similarities: higher is better",
    "lower": "distances: lower is better",
    None: "quantities without a better side",
}


class Scores(dict[str, float]):
    """Value of each measure; a measure is also understood by an alias."""

    def __missing__(self, measure: str) -> float:
        name = name_among(self, measure)
        if name not in self:
            raise KeyError(measure)
        return self[name]


#: What rides along with the items, named in the options; the account has the policies.
_COLUMNS = ("weights", "multiplicity", "features")


def plain_options(measures: Any, policies: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was asked for beside the policies, which the account has."""
    names = [measures] if isinstance(measures, str) else list(map(str, measures))
    columns = [name for name in _COLUMNS if policies.get(name) is not None]
    return {"measures": names, **({"columns": columns} if columns else {})}


#: Characters of a measure's name beside its family and value, within the width of a line.
_LONGEST_NAME = 48


def sections_of(
    names: Iterator[str] | list[str], directions: Mapping[str, str | None]
) -> dict[str | None, list[str]]:
    """Return the names of measures by direction, similarities first."""
    by_direction: dict[str | None, list[str]] = {direction: [] for direction in SECTIONS}
    for name in names:
        by_direction[directions.get(name)].append(name)
    return {direction: inner for direction, inner in by_direction.items() if inner}


def score_lines(
    scores: Mapping[str, float],
    families: Mapping[str, str],
    directions: Mapping[str, str | None],
) -> str:
    """Return scores as aligned text, distances apart from similarities."""
    sections = sections_of(list(scores), directions)
    rows = [(families[name], name, scores[name]) for part in sections.values() for name in part]
    shown = [_on_lines(row) for row in _grouped(sections, rows)]
    every_line = [line for of_row in shown for line in of_row]
    lines = iter(text_table(every_line, indent="  ").split("\n"))
    parts, at = [], 0
    for direction, names in sections.items():
        count = sum(map(len, shown[at : at + len(names)]))
        at += len(names)
        parts.append("\n".join([SECTIONS[direction], *(next(lines) for _ in range(count))]))
    return "\n\n".join(parts)


def _on_lines(row: tuple[str, str, float]) -> list[tuple[str, str, Any]]:
    """Return the lines of a row: two where the name of the measure is long, value below."""
    family, name, value = row
    if len(name) <= _LONGEST_NAME:
        return [row]
    end = name.rfind(", ") + 1 or name.index("(") + 1
    return [(family, name[:end], ""), ("", f"  {name[end:].lstrip()}", value)]


def _grouped(
    sections: Mapping[str | None, list[str]], rows: list[tuple[str, str, float]]
) -> list[tuple[str, str, float]]:
    """Return the rows with each family named once a section."""
    shown, at = [], 0
    for names in sections.values():
        above = ""
        for family, name, value in rows[at : at + len(names)]:
            shown.append(("" if family == above else family, name, value))
            above = family
        at += len(names)
    return shown


def score_table(
    scores: Mapping[str, float],
    families: Mapping[str, str],
    directions: Mapping[str, str | None],
) -> Table:
    """Return the table of the scores of one pair, distances below similarities."""
    rows = [
        (families[name], name, scores[name], direction)
        for direction, names in sections_of(list(scores), directions).items()
        for name in names
    ]
    return Table(("family", "measure", "value", "better"), rows, lead=2)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Tabular, JsonResult):
    """Scores of two clusterings, with the account of what was compared.

    Attributes
    ----------
    scores : dict of str to float
        Value of each measure, in order of family.
    families : dict of str to str
        Family of each measure.
    directions : dict of str to {"higher", "lower", None}
        Which values of each measure are better.
    skipped : dict of str to str
        Measures of ``measures="all"`` that were left out, and why.
    account : Account
    shape : tuple of int
        Numbers of reference and candidate clusters.
    n_cells, n_components : int
        Clusters of the meet and of the join.
    profiles : pair of SizeProfile
        How many clusters of the reference and of the candidate hold one item, under 10, under
        100, 100 and more (the profile of NVI, Table 2); ``bins`` of each are disjoint.
    item_profiles : pair of SizeProfile
        How many items of the reference and of the candidate are in such clusters.
    notes : list of Note
        What a reader of the scores should know, such as ties that were broken, or measures
        that the set leaves out of tables of this size.
    options : dict
        What was asked for: measures and policies.
    """

    _schema: ClassVar[str] = "comparison/1"

    scores: Scores
    families: dict[str, str]
    skipped: dict[str, str]
    account: Account
    shape: tuple[int, int]
    n_cells: int
    n_components: int
    profiles: tuple[SizeProfile, SizeProfile]
    item_profiles: tuple[SizeProfile, SizeProfile]
    notes: list[Note] = field(default_factory=list)
    directions: dict[str, str | None] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, measure: str) -> float:
        return self.scores[measure]

    def __contains__(self, measure: str) -> bool:
        return name_among(self.scores, measure) in self.scores

    @property
    def header(self) -> str:
        """What was compared, as one line."""
        rows, cols = self.shape
        return (
            f"{self.account.describe()}; {counted(rows, 'reference cluster')} and "
            f"{counted(cols, 'candidate cluster')}, {counted(self.n_cells, 'cell')}, "
            f"{counted(self.n_components, 'component')}"
        )

    @property
    def profile_line(self) -> str:
        """Sizes of the clusters of both sides, as one line."""
        shown = (
            f"{side} {', '.join(f'{n} of {size}' for size, n in one.bins.items() if n)}"
            for side, one in zip(_SIDES, self.profiles, strict=True)
        )
        return f"clusters by number of items: {'; '.join(shown)}"

    @property
    def profile_table(self) -> Table:
        """How many clusters of both sides have how many items."""
        bins = [one.bins for one in self.profiles]
        rows = [(side, *one.values()) for side, one in zip(_SIDES, bins, strict=True)]
        return Table(("clusters by items", *bins[0]), rows)

    def heading(self) -> list[str]:
        """Return what was compared, and the sizes of the clusters."""
        return [self.header, self.profile_line]

    def table(self) -> Table:
        """Return the table of the scores, distances below similarities."""
        scores = score_table(self.scores, self.families, self.directions)
        return Table(scores.header, scores.rows, lead=2, notes=self._remarks())

    def _remarks(self) -> list[str]:
        return [*self.notes, *(f"skipped: {name} {why}" for name, why in self.skipped.items())]

    def __str__(self) -> str:
        top = [wrapped([self.header]), "", self.profile_table.text()]
        scores = score_lines(self.scores, self.families, self.directions)
        lines = [*top, *(["", scores] if scores else [])]
        remarks = self._remarks()
        return "\n".join([*lines, *(["", wrapped(remarks)] if remarks else [])])

    def __repr__(self) -> str:
        rows, cols = self.shape
        return (
            f"Comparison({counted(self.account.items, 'item')}, {rows} and {cols} clusters, "
            f"{counted(len(self.scores), 'measure')})"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists and numbers."""
        return {
            "account": self.account.to_dict(),
            "clusters": dict(zip(_SIDES, self.shape, strict=True)),
            "size_profile": _bins_by_side(self.profiles),
            "item_profile": _bins_by_side(self.item_profiles),
            "cells": self.n_cells,
            "components": self.n_components,
            "scores": dict(self.scores),
            "families": dict(self.families),
            "better": dict(self.directions),
            "skipped": dict(self.skipped),
            "notes": [note.to_dict() for note in self.notes],
        }

    def _options(self) -> dict[str, Any]:
        return self.options

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        clusters = document["clusters"]
        return cls(
            scores=Scores(_numbers(document["scores"])),
            families=document["families"],
            skipped=document["skipped"],
            account=Account.from_dict(document["account"]),
            shape=(clusters["reference"], clusters["candidate"]),
            n_cells=document["cells"],
            n_components=document["components"],
            profiles=_profiles_of(document["size_profile"]),
            item_profiles=_profiles_of(document["item_profile"]),
            notes=[Note(**note) for note in document["notes"]],
            directions=document["better"],
            options=document["options"],
        )

    def to_pandas(self) -> pandas.Series[float]:
        """Return the scores as a pandas Series (needs the extra ``partwise[frames]``)."""
        return pandas_module().Series(self.scores, name="score", dtype=np.float64)


def _bins_by_side(profiles: tuple[SizeProfile, SizeProfile]) -> dict[str, dict[str, int]]:
    return {side: one.bins for side, one in zip(_SIDES, profiles, strict=True)}


def _profiles_of(plain: Mapping[str, Mapping[str, int]]) -> tuple[SizeProfile, SizeProfile]:
    reference, candidate = (SizeProfile.of_bins(plain[side]) for side in _SIDES)
    return reference, candidate


def _numbers(plain: Mapping[str, Any]) -> dict[str, float]:
    """Return values of JSON as floats, "inf" and "nan" too."""
    return {name: float(value) for name, value in plain.items()}


@dataclass(frozen=True, eq=False, repr=False)
class ScoreTable(Tabular, JsonResult):
    """Scores of several candidates against one reference.

    Attributes
    ----------
    names : list of str
        The candidates.
    measures : list of str
    values : ndarray of float64, shape (len(names), len(measures))
    accounts : list of Account
    skipped : dict of str to str
        Measures of ``measures="all"`` that were left out, and why.
    directions : dict of str to {"higher", "lower", None}
        Which values of each measure are better.
    options : dict
        What was asked for: measures and policies.
    """

    _schema: ClassVar[str] = "score-table/1"

    names: list[str]
    measures: list[str]
    values: NDArray[np.float64]
    accounts: list[Account]
    skipped: dict[str, str] = field(default_factory=dict)
    directions: dict[str, str | None] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, measure: str) -> NDArray[np.float64]:
        """Return the column of a measure."""
        return self.values[:, self.measures.index(name_among(self.measures, measure))]

    def best(self, measure: str) -> str:
        """Return the name of the best candidate by a measure, of equal ones the first.

        Raises
        ------
        ValueError
            The measure has no better side, or no candidate has a value.
        """
        column = self[measure]
        direction = self.directions.get(name_among(self.measures, measure))
        if direction is None or not np.isfinite(column).any():
            why = "no better side" if direction is None else "no value"
            raise ValueError(f"{measure} has {why}, so no candidate is best by it")
        choose = np.nanargmax if direction == "higher" else np.nanargmin
        return self.names[int(choose(column))]

    def plot(
        self,
        path: str | None = None,
        *,
        measures: Sequence[str] | None = None,
        xlabel: str = "candidate",
        ax: Any = None,
    ) -> Any:
        """Draw measures against the candidates: their order, or the numbers in their names.

        Parameters
        ----------
        measures : sequence of str, optional
            At most five; by default the first four similarities.
        xlabel : str, default "candidate"
            What the candidates are, such as "resolution".
        path : str, optional
            File to save the figure in.
        ax : matplotlib.axes.Axes, optional

        Returns
        -------
        matplotlib.axes.Axes
            Needs the extra ``partwise[plot]``.
        """
        from partwise.scoring.candidate_curves import draw

        return saved(draw(self, measures, xlabel, ax), path)

    def heading(self) -> list[str]:
        """Return what was compared, each account once."""
        return list(dict.fromkeys(account.describe() for account in self.accounts))

    def table(self) -> Table:
        """Return the table, a candidate a line."""
        columns = {
            j: direction
            for j, name in enumerate(self.measures, 1)
            if (direction := self.directions.get(name)) is not None
        }
        rows = [
            (name, *values)
            for name, values in zip(self.names, self.values.tolist(), strict=True)
        ]
        best = {
            (i, j)
            for j, direction in columns.items()
            for i in best_of(self.values[:, j - 1].tolist(), direction)
        }
        notes = [f"skipped: {name} {why}" for name, why in self.skipped.items()]
        return Table(
            ("candidate", *self.measures),
            rows,
            directions=columns,
            bold=frozenset(best),
            notes=notes,
        )

    def _measure_a_line(self) -> str:
        """Return the table with a measure a line, distances apart from similarities."""
        sections = sections_of(self.measures, self.directions)
        rows: list[tuple[Any, ...]] = [
            (name, *self[name].tolist()) for names in sections.values() for name in names
        ]
        blocks = []
        for block in Table(("measure", *self.names), rows).text().split("\n\n"):
            head, *body = block.split("\n")
            lines, at = [head], 0
            for direction, names in sections.items():
                lines += [SECTIONS[direction], *body[at : at + len(names)]]
                at += len(names)
            blocks.append("\n".join(lines))
        return "\n\n".join(blocks)

    def __str__(self) -> str:
        table = self.table()
        text = Table(table.header, table.rows).text()
        if "\n\n" in text or max(map(len, text.split("\n"))) > WIDTH:
            text = self._measure_a_line()
        return "\n".join([wrapped(self.heading()), "", text, *map(_broken, table.notes)])

    def __repr__(self) -> str:
        candidates = counted(len(self.names), "candidate")
        return f"ScoreTable({candidates}, {counted(len(self.measures), 'measure')})"

    def to_dict(self) -> dict[str, Any]:
        """Return {candidate: {measure: value}}."""
        return {
            name: dict(zip(self.measures, values, strict=True))
            for name, values in zip(self.names, self.values.tolist(), strict=True)
        }

    def _options(self) -> dict[str, Any]:
        return self.options

    def _document(self) -> dict[str, Any]:
        accounts = zip(self.names, self.accounts, strict=True)
        return {
            "measures": self.measures,
            "better": self.directions,
            "scores": self.to_dict(),
            "accounts": {name: account.to_dict() for name, account in accounts},
            "skipped": self.skipped,
            "notes": [],
        }

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        names, measures = list(document["scores"]), document["measures"]
        rows = [[float(document["scores"][name][x]) for x in measures] for name in names]
        return cls(
            names=names,
            measures=measures,
            values=np.array(rows, dtype=np.float64).reshape(len(names), len(measures)),
            accounts=[Account.from_dict(document["accounts"][name]) for name in names],
            skipped=document["skipped"],
            directions=document["better"],
            options=document["options"],
        )

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas DataFrame (needs the extra ``partwise[frames]``)."""
        return pandas_module().DataFrame(self.values, index=self.names, columns=self.measures)


def _broken(note: str) -> str:
    return wrapped([note])


@dataclass(frozen=True, eq=False, repr=False)
class ScoresOfTwo(Tabular, JsonResult):
    """Scores of two covers or hierarchies, and what both hold."""

    scores: dict[str, float]
    reference: str
    candidate: str

    def __repr__(self) -> str:
        first = ", ".join(f"{name}={show(x)}" for name, x in list(self.scores.items())[:2])
        return f"{type(self).__name__}({len(self.scores)} scores: {first}, ...)"

    def __str__(self) -> str:
        return f"{wrapped(self.heading())}\n\n{self.table().text()}"

    def heading(self) -> list[str]:
        """Return what was compared, as lines."""
        return [f"reference: {self.reference}", f"candidate: {self.candidate}"]

    def table(self) -> Table:
        """Return the table of the scores."""
        return Table(("measure", "score"), list(self.scores.items()), directions={1: "higher"})

    def to_dict(self) -> dict[str, Any]:
        """Return the scores and what was compared."""
        return {
            "scores": dict(self.scores),
            "reference": self.reference,
            "candidate": self.candidate,
        }

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        scores = {name: float(value) for name, value in document["scores"].items()}
        return cls(scores, document["reference"], document["candidate"])
