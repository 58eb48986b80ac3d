"""Columns of CoNLL-2012 and SemEval-2010 that hold something and are not read."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from partwise.coreference.formats.conll_2012.syntax import HEADS, PHRASES, POS, TAG
from partwise.coreference.formats.files import numbered_lines

_NOTHING = (b"-", b"_", b"*", b"")
#: Tokens that are looked at.
_TOKENS = 1000


def unread_columns(path: Path, format: str) -> list[int]:
    """Return the numbers, from 1, of columns that hold something and are not read.

    Parameters
    ----------
    path : Path
    format : {"conll-2012", "semeval-2010"}
    """
    lines = (line for _, line in numbered_lines(path) if line.strip() and line[:1] != b"#")
    rows = [
        [cell.strip() for cell in (line.split(b"\t") if b"\t" in line else line.split())]
        for line in islice(lines, _TOKENS)
    ]
    return sorted({at + 1 for row in rows for at in _held(row) - _read(row, format)})


def _held(row: list[bytes]) -> set[int]:
    """Return the columns that say something, but for the last, which is coreference."""
    return {at for at, cell in enumerate(row[:-1]) if cell not in _NOTHING}


def _read(row: list[bytes], format: str) -> set[int]:
    if format == "conll-2012":
        phrases = len(row) > PHRASES + 1
        return {0, 1, 2, 3, *((TAG, PHRASES) if phrases else ())}
    head = next((at for at in HEADS if len(row) > at + 1 and row[at].isdigit()), None)
    return {0, 1} if head is None else {0, 1, POS, head}
