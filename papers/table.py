"""What an experiment returns: a table that can be read, saved and drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from partwise.report.tables import csv_table, markdown_table, text_table


@dataclass(frozen=True)
class ExperimentTable:
    """The outcome of an experiment.

    Parameters
    ----------
    title : str
        What was done, in a line.
    columns : tuple of str
        Names of the columns.
    rows : tuple of tuples
        One value a column: text, integers, floats, booleans, or None where there is nothing.
    notes : tuple of str
        What a reader has to know: what the paper prints, where it is wrong, what was chosen.

    Examples
    --------
    >>> table = ExperimentTable("Two values", ("k", "V"), ((2, 0.5), (3, 0.25)), ("A note.",))
    >>> print(table)
    Two values
    k  V
    2  0.5
    3  0.25
    A note.
    >>> table.column("V")
    (0.5, 0.25)
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        for index, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise ValueError(
                    f"row {index} has {len(row)} values for {len(self.columns)} columns "
                    f"({', '.join(self.columns)}); give one value a column"
                )

    def column(self, name: str) -> tuple[Any, ...]:
        """Return the values of the column called ``name``."""
        if name not in self.columns:
            raise KeyError(f"no column {name!r}; there are {', '.join(self.columns)}")
        index = self.columns.index(name)
        return tuple(row[index] for row in self.rows)

    def where(self, **wanted: Any) -> ExperimentTable:
        """Return the table of the rows whose columns have these values."""
        kept = self.rows
        for name, value in wanted.items():
            self.column(name)
            index = self.columns.index(name)
            kept = tuple(row for row in kept if row[index] == value)
        return ExperimentTable(self.title, self.columns, kept, self.notes)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries of column names."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def to_markdown(self) -> str:
        """Return title, table and notes as Markdown; floats to six significant digits."""
        lines = [f"## {self.title}", "", markdown_table(self.columns, self._shown())]
        if self.notes:
            lines += ["", *(f"- {note}" for note in self.notes)]
        return "\n".join(lines) + "\n"

    def to_csv(self) -> str:
        """Return the rows as CSV under a header; floats with all their digits."""
        return csv_table(self.columns, [["" if x is None else x for x in r] for r in self.rows])

    def to_pandas(self) -> Any:
        """Return a pandas ``DataFrame``; title and notes are in its ``attrs``."""
        import pandas as pd

        frame = pd.DataFrame([list(row) for row in self.rows], columns=list(self.columns))
        frame.attrs.update(title=self.title, notes=list(self.notes))
        return frame

    def __str__(self) -> str:
        return "\n".join([self.title, text_table(self._shown(), self.columns), *self.notes])

    def _shown(self) -> list[list[Any]]:
        return [[_shown(value) for value in row] for row in self.rows]


def _shown(value: Any) -> str:
    """Return a cell: floats to six significant digits, nothing for None."""
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
