"""Groups of columns under titles of their own, as text."""

from __future__ import annotations

from dataclasses import dataclass

from partwise.report.table import Table


@dataclass(frozen=True)
class Group:
    """Columns of one measure in a table of text."""

    title: str
    columns: range
    parts: list[str]

    def widths(self, cells: list[list[str]]) -> list[int]:
        """Return the widths of the columns; the title needs room above them."""
        widths = [
            max(map(len, [part, *(row[j] for row in cells)]))
            for j, part in zip(self.columns, self.parts, strict=True)
        ]
        widths[0] += max(len(self.title) - sum(widths) - len(widths) + 1, 0)
        return widths

    def width(self, cells: list[list[str]]) -> int:
        """Return the width of all columns with blanks between."""
        return sum(self.widths(cells)) + len(self.columns) - 1


def text_block(table: Table, cells: list[list[str]], groups: list[Group]) -> str:
    """Return some groups of columns beside the names of the lines."""
    names = list(table.header[: table.lead])
    labels = [row[: table.lead] for row in cells]
    left = [max(map(len, column)) for column in zip(names, *labels, strict=True)]
    above, lines = [], [[*map(str.ljust, names, left)]]
    lines += [[*map(str.ljust, label, left)] for label in labels]
    for group in groups:
        widths = group.widths(cells)
        room = group.width(cells)
        above.append(group.title.center(room) if len(widths) > 1 else group.title.rjust(room))
        bodies = [
            group.parts,
            *([row[j] for j in group.columns] for row in _padded(cells, group)),
        ]
        for line, body in zip(lines, bodies, strict=True):
            line.append(" ".join(map(str.rjust, body, widths)))
    blank = " " * (sum(left) + 2 * (len(left) - 1))
    return "\n".join(
        ["  ".join([blank, *above]).rstrip(), *("  ".join(line).rstrip() for line in lines)]
    )


def _padded(cells: list[list[str]], group: Group) -> list[list[str]]:
    """Return the cells with blanks where others have marks, so that points stand in line."""
    shown = [list(row) for row in cells]
    for j in group.columns:
        tails = [len(row[j]) - row[j].find(".") if "." in row[j] else 0 for row in cells]
        most = max(tails, default=0)
        for row, tail in zip(shown, tails, strict=True):
            row[j] += " " * (most - tail) if tail else ""
    return shown
