"""Tables of values as text, Markdown, CSV, HTML; numbers as their shortest exact form."""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any


def show(value: Any) -> str:
    """Return a cell: floats to six significant digits."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)


def text_table(rows: Iterable[Sequence[Any]], header: Sequence[str] | None = None) -> str:
    """Return aligned columns.

    Without a header, a first cell that repeats the one above is left blank.
    """
    lines = [[show(value) for value in row] for row in rows]
    grouped = header is None
    if header is not None:
        lines.insert(0, list(header))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text_lines, above = [], None
    for line in lines:
        shown = ["" if grouped and line[0] == above else line[0], *line[1:]]
        above = line[0]
        cells = (cell.ljust(width) for cell, width in zip(shown, widths, strict=True))
        text_lines.append("  ".join(cells).rstrip())
    return "\n".join(text_lines)


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a Markdown table."""

    def line(cells: Iterable[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    return "\n".join(
        [
            line(header),
            line("---" for _ in header),
            *(line(map(show, row)) for row in rows),
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


def html_table(caption: str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return an HTML table; text is escaped."""

    def line(cells: Iterable[str], tag: str) -> str:
        inner = "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells)
        return f"<tr>{inner}</tr>"

    body = "".join(line(map(show, row), "td") for row in rows)
    top = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return f"<table>{top}<thead>{line(header, 'th')}</thead><tbody>{body}</tbody></table>"


def json_text(value: Any, indent: int | None) -> str:
    """Return JSON text; labels that JSON has no form for become text."""
    return json.dumps(value, indent=indent, default=str)


def pandas_module() -> Any:
    """Return pandas, or say how to install it."""
    try:
        import pandas
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "to_pandas needs pandas: pip install 'partwise[frames]'", name="pandas"
        ) from error
    return pandas
