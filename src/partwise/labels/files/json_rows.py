"""JSON lines, and JSON lists of labels or of rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from partwise.labels.files.comments import LINE_END
from partwise.labels.files.table import Table, table_of
from partwise.labels.notes import Note


def looks_like_json(text: str) -> bool:
    """Return whether a text file is rows of JSON, and no labels that look like it."""
    start = text[:1]
    if start == "{":
        line = text.partition("\n")[0].strip()
        return isinstance(_parsed(line), dict)
    return start == "[" and isinstance(_parsed(text), list)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def read_json(path: Path, text: str, rows_only: bool = False) -> Table:
    """Return the columns of rows of JSON.

    Parameters
    ----------
    path : Path
    text : str
    rows_only : bool, default False
        Whether a lone object is a row for certain, and no mapping.

    Raises
    ------
    ValueError
        A line is no row, or a value is no label; the line is named.
    """
    notes = [Note("format-found", "read as rows of JSON")]
    if text.lstrip().startswith("["):
        try:
            rows = json.loads(text, object_pairs_hook=_without_repeats)
        except json.JSONDecodeError as error:
            raise ValueError(f"{path}:{error.lineno}: not a list in JSON ({error})") from None
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{path}: not a list in JSON ({error})") from None
        if rows and not any(isinstance(row, dict) for row in rows):
            for place, value in enumerate(rows):
                _check(path, place + 1, "1", value)
            return table_of(str(path), ["1"], {0: rows}, notes=notes)
        numbered = list(enumerate(rows, 1))
    else:
        numbered = [
            (line, _line(path, line, content))
            for line, content in enumerate(LINE_END.split(text), 1)
            if content.strip()
        ]
    if len(numbered) == 1 and text.lstrip().startswith("{") and not rows_only:
        raise ValueError(
            f"{path}: one object in JSON may be a row or a mapping; write a row on each line, "
            "or a list of labels"
        )
    columns: dict[str, list[Any]] = {}
    for count, (line, row) in enumerate(numbered):
        if not isinstance(row, dict):
            raise ValueError(f"{path}:{line}: a row in JSON is an object, name to value")
        for name, value in row.items():
            _check(path, line, name, value)
            columns.setdefault(name, [None] * count).append(value)
        for column in columns.values():
            if len(column) == count:
                column.append(None)
    return table_of(str(path), list(columns), dict(enumerate(columns.values())), notes=notes)


def _line(path: Path, line: int, content: str) -> Any:
    try:
        return json.loads(content, object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}:{line}: not a row in JSON ({error})") from error


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {twice!r} stands twice in one object")
    return row


def _check(path: Path, line: int, name: str, value: Any) -> None:
    if isinstance(value, (list, dict)):
        kind = "a list" if isinstance(value, list) else "an object"
        raise ValueError(
            f"{path}:{line}: column {name!r} holds {kind}, which is no label; write what it "
            "holds as columns of their own"
        )
