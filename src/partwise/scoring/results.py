"""What ``compare`` and ``score_many`` return: scores with the account of what was compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partwise.labels import Account
from partwise.labels.account import counted
from partwise.labels.notes import Note
from partwise.measures.catalogue import name_among
from partwise.report.tables import (
    csv_table,
    html_table,
    json_text,
    markdown_table,
    pandas_module,
    text_table,
)
from partwise.table.contingency import SizeProfile

if TYPE_CHECKING:
    import pandas


class Scores(dict[str, float]):
    """Value of each measure; a measure is also understood by an alias."""

    def __missing__(self, measure: str) -> float:
        name = name_among(self, measure)
        if name not in self:
            raise KeyError(measure)
        return self[name]


@dataclass(frozen=True)
class Comparison:
    """Scores of two clusterings, with the account of what was compared.

    Attributes
    ----------
    scores : dict of str to float
        Value of each measure, in order of family.
    families : dict of str to str
        Family of each measure.
    skipped : dict of str to str
        Measures of ``measures="all"`` that were left out, and why.
    account : Account
    shape : tuple of int
        Numbers of reference and candidate clusters.
    n_cells, n_components : int
        Clusters of the meet and of the join.
    profiles : pair of SizeProfile
        How many clusters of the reference and of the candidate hold one item, under 10, under
        100, 100 and more (the profile of NVI, Table 2).
    item_profiles : pair of SizeProfile
        How many items of the reference and of the candidate are in such clusters.
    notes : list of Note
        What a reader of the scores should know, such as ties that were broken, or measures
        that the set leaves out of tables of this size.
    """

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
            f"{side} {one.single} of one item, {one.under_10} under 10, {one.under_100} under "
            f"100, {one.from_100} of 100 and more"
            for side, one in zip(("reference", "candidate"), self.profiles, strict=True)
        )
        return f"clusters by size: {'; '.join(shown)}"

    def _rows(self) -> list[tuple[str, str, float]]:
        return [(self.families[name], name, value) for name, value in self.scores.items()]

    def __str__(self) -> str:
        lines = [self.header, self.profile_line, "", text_table(self._rows())]
        lines += self.notes
        lines += [f"skipped: {name} {why}" for name, why in self.skipped.items()]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dicts, lists and numbers."""
        return {
            "account": self.account.to_dict(),
            "clusters": {"reference": self.shape[0], "candidate": self.shape[1]},
            "size_profile": {
                side: one._asdict()
                for side, one in zip(("reference", "candidate"), self.profiles, strict=True)
            },
            "cells": self.n_cells,
            "components": self.n_components,
            "scores": dict(self.scores),
            "skipped": dict(self.skipped),
            "notes": [note.to_dict() for note in self.notes],
        }

    def to_json(self, indent: int | None = 2) -> str:
        """Return ``to_dict()`` as JSON text."""
        return json_text(self.to_dict(), indent)

    def to_markdown(self) -> str:
        """Return the account and a Markdown table."""
        table = markdown_table(["family", "measure", "value"], self._rows())
        parts = [self.header, self.profile_line, table, *self.notes]
        return "\n\n".join(parts)

    def to_csv(self) -> str:
        """Return the scores as CSV text: family, measure, value."""
        return csv_table(["family", "measure", "value"], self._rows())

    def to_pandas(self) -> pandas.Series[float]:
        """Return the scores as a pandas Series (needs the extra ``partwise[frames]``)."""
        return pandas_module().Series(self.scores, name="score", dtype=np.float64)

    def _repr_html_(self) -> str:
        return html_table(self.header, ["family", "measure", "value"], self._rows())


@dataclass(frozen=True, eq=False)
class ScoreTable:
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
    """

    names: list[str]
    measures: list[str]
    values: NDArray[np.float64]
    accounts: list[Account] = field(repr=False)
    skipped: dict[str, str] = field(default_factory=dict)

    def __getitem__(self, measure: str) -> NDArray[np.float64]:
        """Return the column of a measure."""
        return self.values[:, self.measures.index(name_among(self.measures, measure))]

    @property
    def _header(self) -> list[str]:
        return ["candidate", *self.measures]

    def _rows(self) -> list[tuple[Any, ...]]:
        lines = zip(self.names, self.values.tolist(), strict=True)
        return [(name, *values) for name, values in lines]

    def __str__(self) -> str:
        notes = dict.fromkeys(account.describe() for account in self.accounts)
        lines = [*notes, "", text_table(self._rows(), self._header)]
        lines += [f"skipped: {name} {why}" for name, why in self.skipped.items()]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Return {candidate: {measure: value}}."""
        return {row[0]: dict(zip(self.measures, row[1:], strict=True)) for row in self._rows()}

    def to_json(self, indent: int | None = 2) -> str:
        """Return the scores and accounts as JSON text."""
        accounts = {
            name: account.to_dict()
            for name, account in zip(self.names, self.accounts, strict=True)
        }
        document = {"scores": self.to_dict(), "accounts": accounts, "skipped": self.skipped}
        return json_text(document, indent)

    def to_markdown(self) -> str:
        """Return a Markdown table."""
        return markdown_table(self._header, self._rows())

    def to_csv(self) -> str:
        """Return CSV text, one candidate a line."""
        return csv_table(self._header, self._rows())

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas DataFrame (needs the extra ``partwise[frames]``)."""
        return pandas_module().DataFrame(self.values, index=self.names, columns=self.measures)

    def _repr_html_(self) -> str:
        return html_table("", self._header, self._rows())
