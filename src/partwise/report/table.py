"""A table of a result, and the forms in which every result that has one gives it."""

from __future__ import annotations

import html
import re
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from partwise.report import latex
from partwise.report.numbers import DECIMALS, show
from partwise.report.tables import (
    csv_table,
    is_number,
    markdown_line,
    pandas_module,
    text_table,
)

if TYPE_CHECKING:
    import pandas

_JOINED = "\N{NO-BREAK SPACE}"
_QUOTED = re.compile(r"(?<!\w)'[^']{1,50}'(?!\w)")
#: Columns of a terminal.
WIDTH = 80
#: Lines and columns of numbers that a notebook shows of a result.
SHOWN_LINES, SHOWN_COLUMNS = 30, 16
_ARROWS = {"higher": "\N{UPWARDS ARROW}", "lower": "\N{DOWNWARDS ARROW}"}


@dataclass(frozen=True)
class Table:
    """Names and numbers, and what is said of some of them.

    Attributes
    ----------
    header : sequence of str
    rows : sequence of sequences
        Values, those of names first; None is an empty cell.
    lead : int
        How many columns hold names.
    directions : mapping of int to {"higher", "lower"}
        By column: which values are better.
    bold : set of (row, column)
        Best values.
    marks : mapping of (row, column) to str
        Signs of significance.
    notes : sequence of str
        What a reader should know; not in LaTeX.
    legend : sequence of str
        What the signs mean.
    decimals : int
        Digits behind the point.
    whole : bool
        Whether whole numbers beyond 1 are shown without a point, as distances that count.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[Any]]
    lead: int = 1
    directions: Mapping[int, str] = field(default_factory=dict)
    bold: frozenset[tuple[int, int]] = frozenset()
    marks: Mapping[tuple[int, int], str] = field(default_factory=dict)
    notes: Sequence[str] = ()
    legend: Sequence[str] = ()
    decimals: int = DECIMALS
    whole: bool = True

    @property
    def remarks(self) -> list[str]:
        """Notes, then what the signs mean."""
        return [*self.notes, *self.legend]

    def cells(self) -> list[list[str]]:
        """Return the cells as text."""
        return [
            [
                "" if value is None else show(value, self.decimals, whole=self.whole)
                for value in row
            ]
            for row in self.rows
        ]

    def marked(self) -> list[list[str]]:
        """Return the cells as text, with their marks."""
        cells = self.cells()
        for (i, j), mark in self.marks.items():
            cells[i][j] += f" {mark}"
        return cells

    def text(self, width: int = WIDTH) -> str:
        """Return aligned columns of at most ``width`` characters, in blocks where need be."""
        blocks = [
            text_table([self._of(row, block) for row in self.marked()], self._of(head, block))
            for head in [list(self.header)]
            for block in self._blocks(width)
        ]
        return "\n\n".join(["\n\n".join(blocks), *map(_wrapped, self.remarks)])

    def _blocks(self, width: int) -> list[list[int]]:
        """Return the columns that stand beside each other, those of names in front."""
        lines = [list(self.header), *self.marked()]
        widths = [max(map(len, cells)) + 2 for cells in zip(*lines, strict=True)]
        lead = sum(widths[: self.lead]) - 2
        blocks: list[list[int]] = [[]]
        taken = lead
        for column in range(self.lead, len(widths)):
            if blocks[-1] and taken + widths[column] > width:
                blocks.append([])
                taken = lead
            blocks[-1].append(column)
            taken += widths[column]
        return blocks

    def _of(self, row: Sequence[str], block: Iterable[int]) -> list[str]:
        return [*row[: self.lead], *(row[column] for column in block)]

    def markdown(self) -> str:
        """Return a Markdown table, the best values in bold."""
        cells = self.marked()
        for i, j in self.bold:
            cells[i][j] = f"**{cells[i][j]}**"
        rule = ["---"] * self.lead + ["---:"] * (len(self.header) - self.lead)
        lines = [markdown_line(self._head(_ARROWS)), markdown_line(rule)]
        lines += map(markdown_line, cells)
        notes = [part for note in self.remarks for part in ("", note)]
        return "\n".join([*lines, *notes])

    def _head(self, arrows: Mapping[str, str]) -> list[str]:
        return [
            f"{name} {arrows[self.directions[j]]}" if j in self.directions else name
            for j, name in enumerate(self.header)
        ]

    def latex(
        self,
        *,
        caption: str | None = None,
        label: str | None = None,
        names: Mapping[str, str] | None = None,
    ) -> str:
        """Return a LaTeX table, the best values in bold; see ``Tabular.to_latex``."""
        columns = len(self.header)
        head = [
            f"{latex.escaped(name)} {latex.ARROWS[self.directions[j]]}"
            if j in self.directions
            else latex.escaped(name)
            for j, name in enumerate(self.header)
        ]
        body = []
        for i, row in enumerate(self.renamed(names).cells()):
            body.append(
                [
                    latex.cell(
                        latex.escaped(text),
                        bold=(i, j) in self.bold,
                        mark=self.marks.get((i, j), ""),
                    )
                    for j, text in enumerate(row)
                ]
            )
        alignment = "l" * self.lead + "r" * (columns - self.lead)
        return latex.tabular(
            alignment, [head], body, notes=self.legend, caption=caption, label=label
        )

    def renamed(self, names: Mapping[str, str] | None) -> Table:
        """Return the table with other names in its first columns; KeyError for unknown ones."""
        if not names:
            return self
        shown = {str(cell) for row in self.rows for cell in row[: self.lead]}
        for name in names:
            if name not in shown:
                raise KeyError(
                    f"names has {name!r}, which the table does not; it has "
                    f"{', '.join(sorted(shown))}"
                )
        rows = [
            [*(names.get(str(cell), cell) for cell in row[: self.lead]), *row[self.lead :]]
            for row in self.rows
        ]
        return replace(self, rows=rows)

    def html(self, caption: str = "", most: int = SHOWN_LINES) -> str:
        """Return an HTML table, all text escaped; of many lines and columns the first."""
        if len(self.header) > self.lead + SHOWN_COLUMNS:
            return self._first_columns().html(caption, most)
        arrows = {
            side: f'<span title="{side} is better">{sign}</span>'
            for side, sign in _ARROWS.items()
        }
        head = "".join(
            f'<th scope="col">{html.escape(name)}'
            f"{' ' + arrows[self.directions[j]] if j in self.directions else ''}</th>"
            for j, name in enumerate(self.header)
        )
        body = []
        for i, row in enumerate(self.marked()[:most]):
            parts = []
            for j, text in enumerate(row):
                inner = html.escape(text)
                inner = f"<strong>{inner}</strong>" if (i, j) in self.bold else inner
                side = "right" if is_number(text) else "left"
                tag, scope = ("th", ' scope="row"') if j < self.lead else ("td", "")
                parts.append(f'<{tag}{scope} style="text-align: {side}">{inner}</{tag}>')
            body.append(f"<tr>{''.join(parts)}</tr>")
        left = len(self.rows) - most
        notes = self.remarks
        if left > 0:
            notes.append(f"and {left} more lines; to_pandas() and to_csv() have all")
        foot = "".join(f"<p>{html.escape(note)}</p>" for note in notes)
        top = f"<caption>{html.escape(caption)}</caption>" if caption else ""
        return (
            f"<table>{top}<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"
            f"{foot}"
        )

    def _first_columns(self) -> Table:
        """Return the table without the columns that a notebook has no room for."""
        last = self.lead + SHOWN_COLUMNS
        more = f"and {len(self.header) - last} more columns"
        return replace(
            self,
            header=self.header[:last],
            rows=[row[:last] for row in self.rows],
            directions={j: side for j, side in self.directions.items() if j < last},
            bold=frozenset((i, j) for i, j in self.bold if j < last),
            marks={(i, j): mark for (i, j), mark in self.marks.items() if j < last},
            notes=[*self.notes, more],
        )

    def csv(self) -> str:
        """Return CSV text; floats with all their digits."""
        return csv_table(self.header, self.rows)

    def frame(self) -> pandas.DataFrame:
        """Return a pandas DataFrame; the columns of names are its index."""
        frame = pandas_module().DataFrame(list(self.rows), columns=list(self.header))
        return frame.set_index(list(self.header[: self.lead]))


class Tabular(ABC):
    """A result that has a table: text, Markdown, LaTeX, CSV, pandas and HTML."""

    __slots__ = ()

    @abstractmethod
    def table(self) -> Table:
        """Return the table."""

    def heading(self) -> list[str]:
        """Return what was compared and what was done, as lines."""
        return []

    def to_markdown(self) -> str:
        """Return the first lines, a Markdown table and the notes."""
        return "\n\n".join([*self.heading(), self.table().markdown()])

    def to_latex(
        self,
        *,
        caption: str | None = None,
        label: str | None = None,
        names: Mapping[str, str] | None = None,
    ) -> str:
        r"""Return a LaTeX table (``\usepackage{booktabs}``), the best values in bold.

        Parameters
        ----------
        caption, label : str, optional
            Of a ``table`` around it; without both it is a ``tabular`` alone.
        names : mapping of str to str, optional
            Other names for lines, as a paper calls its systems.
        """
        return self.table().latex(caption=caption, label=label, names=names)

    def to_csv(self) -> str:
        """Return CSV text; floats with all their digits."""
        return self.table().csv()

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame (needs the extra ``partwise[frames]``)."""
        return self.table().frame()

    def _repr_html_(self) -> str:
        return self.table().html("; ".join(self.heading()))


def _wrapped(text: str) -> str:
    """Return a line broken at blanks, but not inside of what stands in quotes."""
    joined = _QUOTED.sub(lambda match: match[0].replace(" ", _JOINED), text)
    lines = textwrap.fill(joined, WIDTH, break_long_words=False, break_on_hyphens=False)
    return lines.replace(_JOINED, " ")


def wrapped(lines: Iterable[str]) -> str:
    """Return lines of text, each broken at blanks to the width of a terminal."""
    return "\n".join(_wrapped(line) for line in lines)


def best_of(values: Iterable[Any], direction: str | None) -> list[int]:
    """Return the positions of the best values, several where they are equal; not of one."""
    numbers = [(i, x) for i, x in enumerate(values) if isinstance(x, (int, float)) and x == x]
    if direction is None or len(numbers) < 2:
        return []
    choose = max if direction == "higher" else min
    best = choose(x for _, x in numbers)
    positions = [i for i, x in numbers if x == best]
    return positions if len(positions) < len(numbers) else []
