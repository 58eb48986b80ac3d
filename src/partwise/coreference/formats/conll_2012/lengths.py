"""Rows of a sentence that have fewer fields than others of it: their last column may lack."""

from __future__ import annotations

import numpy as np

from partwise.coreference.formats.files import Notes
from partwise.numbers.arrays import BoolArray, IntArray

#: Sentences of a piece that are looked at row by row; where none of these has a row that is
#: short, blanks align the columns of lines of several lengths, and the others are passed over.
_LOOKED_AT = 16


def note_of_short_rows(
    data: bytes,
    apart: BoolArray,
    starts: IntArray,
    stops: IntArray,
    line: IntArray,
    notes: Notes,
) -> None:
    """Add a note where rows of one sentence have several numbers of fields.

    Of a row that is cut off the last field is taken as coreference, whatever it is. Sentences
    differ in their columns of arguments, so rows are held against those of their own only.

    Parameters
    ----------
    data : bytes
    apart : array of bool
        Whether each octet of ``data`` is a tab or a blank.
    starts, stops, line : array of int64
        Where rows begin and end in ``data``, and their lines in the file.
    notes : Notes
    """
    begins = np.append(0, np.flatnonzero(np.diff(line) != 1) + 1)
    ends = np.append(begins[1:], len(line))
    doubtful = _doubtful(apart, starts, stops, begins, ends)
    found = 0
    for seen, sentence in enumerate(doubtful.tolist()):
        if seen == _LOOKED_AT and not found:
            return
        rows = slice(begins[sentence], ends[sentence])
        found += _short_rows(data, starts[rows], stops[rows], line[rows], notes)


def _doubtful(
    apart: BoolArray, starts: IntArray, stops: IntArray, begins: IntArray, ends: IntArray
) -> IntArray:
    """Return the sentences whose rows may have several numbers of fields.

    In the others all rows together have as many tabs and blanks as their number times those
    of the first, or all are aligned and of one length. A sum for each sentence, in 8 bits, is
    what a large file has time for; rows that lack as many fields as others have too many are
    not seen by it.
    """
    bounds = np.column_stack([starts[begins], stops[begins], stops[ends - 1]])
    in_first, in_others, _ = (
        np.add.reduceat(apart.view(np.uint8), bounds.ravel(), dtype=np.uint8).reshape(-1, 3).T
    )
    n_others = (ends - begins - 1).astype(np.uint8)
    sizes = stops - starts
    ragged = np.minimum.reduceat(sizes, begins) < np.maximum.reduceat(sizes, begins)
    return np.flatnonzero(ragged & (in_others != in_first * n_others))


def _short_rows(
    data: bytes, starts: IntArray, stops: IntArray, line: IntArray, notes: Notes
) -> int:
    """Return how many rows of a sentence have fewer fields than another, and note them."""
    rows = [data[a:b] for a, b in zip(starts.tolist(), stops.tolist(), strict=True)]
    tab = b"\t" if all(b"\t" in row for row in rows) else None
    fields = [len(row.split(tab)) for row in rows]
    most = max(fields)
    short = [at for at, n in enumerate(fields) if n < most]
    if short:
        notes.count(
            "rows-shorter",
            "rows with fewer fields than others of their sentence, whose last one was taken as "
            "coreference",
            len(short),
            first=f"line {line[short[0]]} has {fields[short[0]]} fields, line "
            f"{line[fields.index(most)]} has {most}",
        )
    return len(short)
