"""Tables of values as text, Markdown and CSV, and the door to pandas."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

from partwise.report.numbers import show

#: A number as ``show`` writes it, with marks behind it.
_LINE_BREAK = re.compile(r"\s*[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]\s*")
_NUMBER = re.compile(r"[-+<]?(\d[\d.]*(e[-+]\d+)?|inf|nan)[%*]?( \S+)?")


def text_table(
    rows: Iterable[Sequence[Any]], header: Sequence[str] | None = None, *, indent: str = ""
) -> str:
    """Return aligned columns: names to the left, numbers by their points.

    Without a header, a first cell that repeats the one above is left blank.
    """
    cells = [[show(value) for value in row] for row in rows]
    heads = [] if header is None else [list(header)]
    columns = [
        _aligned(list(column), len(heads)) for column in zip(*heads, *cells, strict=True)
    ]
    text_lines: list[str] = []
    above = None
    for line in zip(*columns, strict=True):
        repeats = header is None and line[0] == above
        above = line[0]
        shown = [" " * len(above) if repeats else above, *line[1:]]
        text_lines.append((indent + "  ".join(shown)).rstrip())
    return "\n".join(text_lines)


def is_number(cell: str) -> bool:
    """Return whether a cell is a number as ``show`` writes it, with marks or without."""
    return _NUMBER.fullmatch(cell) is not None


def _aligned(column: list[str], heads: int) -> list[str]:
    """Return the cells of a column, the first ``heads`` of them its name, with one width."""
    below = column[heads:]
    written = [cell for cell in below if cell]
    numeric = bool(written) and all(map(is_number, written))
    if numeric:
        tails = [len(cell) - cell.find(".") if "." in cell else 0 for cell in below]
        most = max(tails)
        below = [cell + " " * (most - tail) for cell, tail in zip(below, tails, strict=True)]
    cells = [*column[:heads], *below]
    width = max(map(len, cells))
    return [cell.rjust(width) if numeric else cell.ljust(width) for cell in cells]


def markdown_line(cells: Iterable[str]) -> str:
    """Return a line of a Markdown table; line breaks in its cells become blanks."""
    shown = (_LINE_BREAK.sub(" ", cell).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(shown)} |"


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a Markdown table."""
    return "\n".join(
        [
            markdown_line(header),
            markdown_line("---" for _ in header),
            *(markdown_line(map(show, row)) for row in rows),
        ]
    )


def csv_table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return CSV text; floats with all their digits."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow([repr(x) if isinstance(x, float) else x for x in row])
    return out.getvalue()


def pandas_module() -> Any:
    """Return pandas, or say how to install it."""
    try:
        import pandas
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "to_pandas needs pandas: pip install pandas", name="pandas"
        ) from error
    return pandas
