"""What the results of the inference functions have in common: one line per measure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from partwise.labels import Account
from partwise.measures.catalogue import name_among
from partwise.report.tables import (
    csv_table,
    html_table,
    json_text,
    markdown_table,
    pandas_module,
    text_table,
)

if TYPE_CHECKING:
    import pandas


def position_of(measure: str, measures: Iterable[str]) -> int:
    """Return the position of a measure in a result, or raise KeyError with what it holds."""
    names = list(measures)
    measure = name_among(names, measure)
    if measure not in names:
        raise KeyError(f"{measure!r} was not asked for; the result holds {', '.join(names)}")
    return names.index(measure)


class Report(ABC):
    """What was compared, what was done, a table with a line per measure, and notes."""

    accounts: tuple[Account, ...]
    notes: list[str]

    @property
    @abstractmethod
    def header(self) -> str:
        """What was done, as one line."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return everything but the draws as plain dicts, lists and numbers."""

    def _lines(self) -> dict[str, dict[str, Any]]:
        """Return {measure: {column: value}}."""
        by_measure: dict[str, dict[str, Any]] = self.to_dict()["measures"]
        return by_measure

    def _table(self) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Return the names of the columns and the lines; a column of None is left out."""
        by_measure = self._lines()
        names = list(next(iter(by_measure.values())))
        names = [
            x for x in names if any(columns[x] is not None for columns in by_measure.values())
        ]
        lines = [
            (measure, *("" if columns[x] is None else columns[x] for x in names))
            for measure, columns in by_measure.items()
        ]
        return ["measure", *names], lines

    def heading(self) -> list[str]:
        """Return the first lines: what was compared, what was done."""
        return [*dict.fromkeys(account.describe() for account in self.accounts), self.header]

    def __str__(self) -> str:
        names, lines = self._table()
        table = text_table(lines, [name.replace("_", " ") for name in names])
        return "\n".join([*self.heading(), "", table, *self.notes])

    def to_json(self, indent: int | None = 2) -> str:
        """Return ``to_dict()`` as JSON text."""
        return json_text(self.to_dict(), indent)

    def to_csv(self) -> str:
        """Return CSV text, one measure a line."""
        return csv_table(*self._table())

    def to_markdown(self) -> str:
        """Return the first lines, a Markdown table and the notes."""
        table = markdown_table(*self._table())
        return "\n\n".join([*self.heading(), table, *self.notes])

    def to_pandas(self) -> pandas.DataFrame:
        """Return a line per measure (needs the extra ``partwise[frames]``)."""
        return pandas_module().DataFrame.from_dict(self._lines(), orient="index")

    def _repr_html_(self) -> str:
        return html_table("; ".join(self.heading()), *self._table())
