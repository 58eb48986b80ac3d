"""Documents of CoNLL-2012 by its first columns, where no line says where one begins."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise


def documents_of_columns(
    rows: Sequence[Sequence[bytes]], sentences: Sequence[int]
) -> list[tuple[int, str]]:
    """Return the row at which each document begins, and its name; [] for a single one.

    Parameters
    ----------
    rows : sequence of sequences of bytes
        The first columns of each token: document, number of the part, number of the token.
    sentences : sequence of int
        The sentence of each token.

    Raises
    ------
    ValueError
        The first column is another one in other sentences, and nothing proves that it names
        documents; or columns that would name documents and parts number sentences as well.
    """
    if len({row[0] for row in rows}) == 1 == len({b"".join(row[1:2]) for row in rows}):
        return []
    runs = _runs([tuple(row[:2]) for row in rows])
    if all(_is_of_one_part(rows[a:b]) for a, b in runs) and len(runs) < len(rows):
        _check_numbers(runs, rows, sentences)
        return [(start, _name_of(rows[start])) for start, _ in runs]
    of_sentences = [{row[0] for row in rows[a:b]} for a, b in _runs(sentences)]
    if any(len(names) > 1 for names in of_sentences) or len(of_sentences) == len(rows):
        return []  # words, or numbers of tokens
    names = sorted({name.decode("utf-8", "replace") for x in of_sentences for name in x})
    if len(names) < 2:
        return []
    raise ValueError(
        "no line '#begin document', and the first column may name documents or sentences "
        f"({names[0]!r}, {names[1]!r}); write '#begin document (name); part 000' and '#end "
        "document' around each document"
    )


def _runs(values: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return where each run of equal values begins and ends."""
    starts = [0, *(at for at in range(1, len(values)) if values[at] != values[at - 1])]
    return list(pairwise([*starts, len(values)]))


def _is_of_one_part(rows: Sequence[Sequence[bytes]]) -> bool:
    """Return whether tokens are numbered, from 0 or 1, beside the number of a part."""
    if any(len(row) < 4 or not (row[1].isdigit() and row[2].isdigit()) for row in rows):
        return False
    numbers = [int(row[2]) for row in rows]
    first = numbers[0]
    return first in (0, 1) and all(b in (a + 1, first) for a, b in pairwise(numbers))


def _check_numbers(
    runs: Sequence[tuple[int, int]], rows: Sequence[Sequence[bytes]], sentences: Sequence[int]
) -> None:
    """Refuse documents or parts of one sentence each that are numbered one after the other."""
    for start, stop in runs:
        if sentences[start] != sentences[stop - 1]:
            return
        if any(int(b[2]) <= int(a[2]) for a, b in pairwise(rows[start:stop])):
            return
    for column, what in ((0, "documents"), (1, "parts")):
        cells = [rows[start][column] for start, _ in runs]
        if all(map(bytes.isdigit, cells)) and all(
            int(b) == int(a) + 1 for a, b in pairwise(cells)
        ):
            raise ValueError(
                f"no line '#begin document', and column {column + 1} may number {what} or "
                "sentences, as each has one sentence; write '#begin document (name); part 000' "
                "and '#end document' around each document"
            )


def _name_of(row: Sequence[bytes]) -> str:
    document = row[0].decode("utf-8", "backslashreplace")
    return f"({document}); part {int(row[1]):03}"
