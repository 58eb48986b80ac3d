"""CoNLL-2012: a token a line, mentions as brackets in the last column."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from partwise.coreference.documents.documents import DocumentColumns, Side, Spans, Tokens
from partwise.coreference.documents.tokens import TokenColumn, TokenSource
from partwise.coreference.formats.cells import BRACKETS, NO_MENTION, Words, shown
from partwise.coreference.formats.conll_2012.boundaries import BEGINS, END, BoundedLines
from partwise.coreference.formats.conll_2012.columns import documents_of_columns
from partwise.coreference.formats.conll_2012.lengths import note_of_short_rows
from partwise.coreference.formats.conll_2012.mentions import mentions_of
from partwise.coreference.formats.conll_2012.syntax import Layout, TokenLines, phrases_of
from partwise.coreference.formats.files import (
    Notes,
    fault,
    stem_of,
    whole_documents,
)
from partwise.numbers.arrays import IntArray

PIECE = 1 << 23
WORD_COLUMN = 3

ENDS_OF_DOCUMENTS = (END, b"# end document")
_TAB, _NEWLINE, _RETURN, _BLANK = 9, 10, 13, 32
_DASHES = (45, 95)  # "-" and "_"
#: Bytes of a last column that is found in all rows at once; longer ones one by one.
_SHORT = 32


def read_conll_2012(path: Path, notes: Notes) -> Iterator[DocumentColumns]:
    """Yield the documents of a CoNLL-2012 file, in pieces of it.

    A document's name is all that follows ``#begin document``, "(name); part 000"; without one
    it is numbered. Blanks may stand behind the number sign. A file without such lines is one
    document, named after the file, or has those that columns 1 and 2 name. Columns are apart
    by tabs or blanks. Positions of mentions count over the document; a closing bracket
    belongs to the latest open bracket of its entity.

    Raises
    ------
    ValueError
        Truncated documents, a last column without brackets, brackets that are not closed or
        not opened; with file, line and document.
    """
    yield from documents_of_tokens(path, notes, Layout(WORD_COLUMN, phrases_of))


def documents_of_tokens(path: Path, notes: Notes, layout: Layout) -> Iterator[DocumentColumns]:
    """Yield documents between ``#begin document`` and ``#end document``, a token a line.

    Mentions are brackets in the last column, whatever the others are.
    """
    number = 0
    for data, line in whole_documents(path, ENDS_OF_DOCUMENTS, PIECE):
        columns = _Piece(path, data, line, number, layout).documents(notes)
        number += len(columns)
        yield columns


def begins_document(line: bytes) -> bool:
    """Return whether a line opens a document."""
    return bool(BEGINS.match(line))


def is_token_line(line: bytes) -> bool:
    """Return whether a line has several columns of which the last may be coreference."""
    fields = line.split()
    return len(fields) > 2 and (fields[-1] in NO_MENTION or bool(BRACKETS.match(fields[-1])))


@dataclass(frozen=True, slots=True)
class _Piece(BoundedLines):
    """A piece of a file, and which of its columns hold what."""

    layout: Layout

    def documents(self, notes: Notes) -> DocumentColumns:
        octets = np.frombuffer(self.data, dtype=np.uint8)
        ends = np.flatnonzero(octets == _NEWLINE)
        starts = np.concatenate([[0], ends[:-1] + 1])
        stops = ends - ((octets[ends - 1] == _RETURN) & (ends > starts))
        blank, token, marks = self.kinds_of_lines(octets, starts, stops, notes)
        lines = np.flatnonzero(token)
        stops = self._without_last_tabs(octets, starts, stops, lines, notes)
        by_columns = False
        marked = len(marks.line) > 0
        if not marked and self.line == 1 and len(lines):
            bounds_of_documents = self._of_columns(starts, stops, lines, blank, notes)
            by_columns = len(bounds_of_documents[0]) > 1
        else:
            bounds_of_documents = self.boundaries(marks, stops, notes)
        written, begins, closes = bounds_of_documents
        names = [name.strip() for name in written]
        low, high = np.searchsorted(lines, begins), np.searchsorted(lines, closes)
        self._check_tokens_inside(lines, low, high)
        starts, stops = starts[lines], stops[lines]
        rows = self._rows_with_mentions(octets, starts, stops, notes)

        def place(row: int) -> _Place:
            document = int(np.searchsorted(low, row, side="right")) - 1
            return _Place(self, names[document], lines)

        apart = (octets == _TAB) | (octets == _BLANK)
        if len(lines):
            note_of_short_rows(self.data, apart, starts, stops, self.line + lines, notes)
        columns = self._last_columns(octets, apart, rows, starts, stops, place)
        sentence = _sentences(np.cumsum(blank, dtype=np.int64)[lines], low, high)
        of_rows = np.searchsorted(low, rows, side="right") - 1
        mentions = mentions_of(columns, rows, of_rows, low, place)

        def tokens(at: int) -> Tokens:
            a, b = int(low[at]), int(high[at])
            words = Words(self.data, starts, stops, self.layout.word_column, a, b)
            lines = TokenLines(self.data, starts, stops, a, b)
            return Tokens(words, sentence[a:b], **self.layout.syntax(lines, sentence[a:b]))

        side = Side(
            names,
            mentions.document,
            mentions.entity,
            mentions.entity_document,
            mentions.entity_names,
            Spans(mentions.first, mentions.last, line=self.line + lines[mentions.row]),
            TokenColumn.of(TokenSource(tokens, high - low)),
        )
        named = [
            by_columns or (marked and not self.is_number(d, name))
            for d, name in enumerate(written)
        ]
        others = {
            d: (longer,)
            for d, (longer, name) in enumerate(zip(written, names, strict=True))
            if longer != name
        }
        return DocumentColumns(side, np.array(named, dtype=np.bool_), others)

    def _of_columns(
        self,
        starts: IntArray,
        stops: IntArray,
        lines: IntArray,
        blank: NDArray[np.bool_],
        notes: Notes,
    ) -> tuple[list[str], IntArray, IntArray]:
        """Return the bounds of documents of a file without lines that bound them."""
        sentence = np.cumsum(blank, dtype=np.int64)[lines].tolist()
        rows = [
            self.data[a:b].split(None, 3)
            for a, b in zip(starts[lines].tolist(), stops[lines].tolist(), strict=True)
        ]
        try:
            bounds = documents_of_columns(rows, sentence)
        except ValueError as error:
            raise fault(self.path, None, None, str(error)) from None
        if len(bounds) < 2:
            name = stem_of(self.path)
            notes.tell(
                "documents-named",
                f"no line '#begin document', read as one document named {name!r}, as the file",
            )
            return [name], np.zeros(1, dtype=np.int64), np.array([len(starts)])
        notes.tell(
            "documents-named",
            f"no line '#begin document', read as {len(bounds)} documents, by the names and the "
            "numbers of parts in columns 1 and 2",
        )
        begins = lines[[row for row, _ in bounds]]
        return [name for _, name in bounds], begins, np.append(begins[1:], len(starts))

    def _without_last_tabs(
        self,
        octets: NDArray[np.uint8],
        starts: IntArray,
        stops: IntArray,
        lines: IntArray,
        notes: Notes,
    ) -> IntArray:
        """Return the ends of lines without the tab with which each token's line ends."""
        if not len(lines) or not (octets[stops[lines] - 1] == _TAB).all():
            return stops
        bounds = zip(starts[lines].tolist(), stops[lines].tolist(), strict=True)
        if not all(is_token_line(self.data[start:stop]) for start, stop in bounds):
            return stops
        notes.tell("mentions-interpreted", "every line ends with a tab, which was left out")
        shorter = stops.copy()
        shorter[lines] -= 1
        return shorter

    def _check_tokens_inside(self, lines: IntArray, low: IntArray, high: IntArray) -> None:
        if int((high - low).sum()) == len(lines):
            return
        inside = np.zeros(len(lines) + 1, dtype=np.int64)
        np.add.at(inside, low, 1)
        np.add.at(inside, high, -1)
        at = int(lines[int(np.flatnonzero(np.cumsum(inside[:-1]) == 0)[0])])
        raise fault(
            *(self.path, self.line + at, None),
            "a token outside of documents; each document begins with a line "
            "'#begin document (name); part 000' and ends with '#end document'",
        )

    def _rows_with_mentions(
        self, octets: NDArray[np.uint8], starts: IntArray, stops: IntArray, notes: Notes
    ) -> IntArray:
        """Return the tokens whose last column has to be looked at; others say "none"."""
        last = octets[stops - 1]
        before = octets[np.maximum(stops - 2, 0)]
        apart = (before == _TAB) | (before == _BLANK)
        dash = ((last == _DASHES[0]) | (last == _DASHES[1])) & apart & (stops - starts > 1)
        empty = last == _TAB
        shifted = empty & (before == ord(")"))  # brackets, and an empty column behind them
        if n := int(np.count_nonzero(empty & ~shifted)):
            notes.count(
                "mentions-interpreted",
                "tokens with an empty last column, taken as no mention",
                n,
            )
        return np.flatnonzero(~dash & ~empty | shifted)

    def _last_columns(
        self,
        octets: NDArray[np.uint8],
        apart: NDArray[np.bool_],
        rows: IntArray,
        starts: IntArray,
        stops: IntArray,
        place: Callable[[int], _Place],
    ) -> list[bytes]:
        """Return what follows the last tab or blank of token lines; not blanks at the end."""
        data = self.data
        starts, stops = starts[rows], stops[rows]
        begins = self._begins_of_last(apart, starts, stops)
        columns = [data[a:b] for a, b in zip(begins.tolist(), stops.tolist(), strict=True)]
        odd = (begins == starts) | (begins == stops) | (octets[starts] <= _BLANK)
        for row in np.flatnonzero(odd).tolist():
            line = data[starts[row] : stops[row]]
            fields = line.split()
            empty = line.rstrip(b" ").endswith(b"\t")
            if empty and BRACKETS.match(fields[-1]):
                raise place(int(rows[row])).fault(
                    int(rows[row]),
                    f"the last column is empty, the one before it is {shown(fields[-1])}; "
                    "remove the tab at the end, or write '-' for no mention",
                )
            if len(fields) == 1:
                raise place(int(rows[row])).fault(
                    int(rows[row]),
                    f"one column only ({shown(line)}); tokens have several columns, the last "
                    "is coreference",
                )
            columns[row] = NO_MENTION[0] if empty else fields[-1]
        return columns

    def _begins_of_last(
        self, apart: NDArray[np.bool_], starts: IntArray, stops: IntArray
    ) -> IntArray:
        """Return where rows go on behind their last tab or blank; their start where none is.

        Rows are looked through from their ends, all of them at once, as most of the last
        columns are short.
        """
        begins = starts.copy()
        left, at = np.arange(len(stops)), stops - 1
        for _ in range(_SHORT):
            found = apart[at]
            begins[left[found]] = at[found] + 1
            further = ~found & (at > starts[left])
            left, at = left[further], at[further] - 1
            if not len(left):
                return begins
        for row in left.tolist():
            bounds = int(starts[row]), int(stops[row])
            last = max(self.data.rfind(gap, *bounds) for gap in (b"\t", b" "))
            begins[row] = max(begins[row], last + 1)
        return begins


@dataclass(frozen=True, slots=True)
class _Place:
    """A document of a piece, for faults."""

    piece: _Piece
    name: str
    lines: IntArray

    def fault(self, row: int, what: str) -> ValueError:
        """Return the error for a fault in a row."""
        piece = self.piece
        return fault(piece.path, piece.line + int(self.lines[row]), self.name, what)


def _sentences(blanks: IntArray, low: IntArray, high: IntArray) -> IntArray:
    """Return sentences of tokens, from 0 in each document, from blank lines before them."""
    if not len(blanks):
        return np.empty(0, dtype=np.int64)
    number = np.cumsum(np.diff(blanks, prepend=blanks[:1]) > 0, dtype=np.int64)
    return number - np.repeat(number[np.minimum(low, len(number) - 1)], high - low)
