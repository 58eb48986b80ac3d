"""What the results of the inference functions have in common: one line per measure."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from partwise.labels import Account
from partwise.measures.catalogue import name_among
from partwise.numbers.arrays import FloatArray
from partwise.report.json_documents import JsonResult
from partwise.report.table import Table, Tabular, wrapped
from partwise.report.tables import pandas_module

if TYPE_CHECKING:
    import pandas


def position_of(measure: str, measures: Iterable[str]) -> int:
    """Return the position of a measure in a result, or raise KeyError with what it holds."""
    names = list(measures)
    measure = name_among(names, measure)
    if measure not in names:
        raise KeyError(f"{measure!r} was not asked for; the result holds {', '.join(names)}")
    return names.index(measure)


def column_of(lines: Iterable[dict[str, Any]], name: str) -> FloatArray:
    """Return the numbers of one name in the lines of a document."""
    return np.array([float(line[name]) for line in lines], dtype=np.float64)


#: Heads of columns in text, where a name is long.
_HEADS = {"standard_error": "std error", "standard_deviation": "sd", "adjusted_error": "error"}


class Report(Tabular, JsonResult):
    """What was compared, what was done, a table with a line per measure, and notes."""

    accounts: tuple[Account, ...]
    notes: list[str]

    @property
    @abstractmethod
    def header(self) -> str:
        """What was done, as one line."""

    def _lines(self) -> dict[str, dict[str, Any]]:
        """Return {measure: {column: value}}."""
        by_measure: dict[str, dict[str, Any]] = self.to_dict()["measures"]
        return by_measure

    def table(self) -> Table:
        """Return the table, a measure a line; a column without a value is left out."""
        by_measure = self._lines()
        names = list(next(iter(by_measure.values()))) if by_measure else []
        names = [
            x for x in names if any(columns[x] is not None for columns in by_measure.values())
        ]
        rows = [
            (measure, *(columns[x] for x in names)) for measure, columns in by_measure.items()
        ]
        return Table(("measure", *names), rows, notes=list(self.notes))

    def heading(self) -> list[str]:
        """Return the first lines: what was compared, what was done."""
        return [*dict.fromkeys(account.describe() for account in self.accounts), self.header]

    def __str__(self) -> str:
        table = self.table()
        head = [_HEADS.get(name, name.replace("_", " ")) for name in table.header]
        text = replace(table, header=head).text()
        return "\n".join([wrapped(self.heading()), "", text])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.header})"

    def to_pandas(self) -> pandas.DataFrame:
        """Return a line per measure (needs the extra ``partwise[frames]``)."""
        return pandas_module().DataFrame.from_dict(self._lines(), orient="index")
