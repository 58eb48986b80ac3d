"""CoNLL-2012: a token a line, mentions as brackets in the last column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from partwise.coreference.documents.documents import Document, Spans, Tokens
from partwise.coreference.formats.cells import BRACKETS, NO_MENTION, Words, shown
from partwise.coreference.formats.conll_2012.columns import documents_of_columns
from partwise.coreference.formats.conll_2012.mentions import Mentions
from partwise.coreference.formats.files import (
    Notes,
    fault,
    stem_of,
    text_of,
    whole_documents,
)
from partwise.numbers.arrays import IntArray

PIECE = 1 << 23
WORD_COLUMN = 3

_BEGIN, _END = b"#begin document", b"#end document"
#: scorer.pl and what is written for it allow blanks behind the number sign.
_BEGINS = re.compile(rb"#[ \t]*begin document")
_ENDS = re.compile(rb"#[ \t]*end document")
ENDS_OF_DOCUMENTS = (_END, b"# end document")
_TAB, _NEWLINE, _RETURN, _BLANK, _NUMBER_SIGN = 9, 10, 13, 32, 35
_DASHES = (45, 95)  # "-" and "_"


def read_conll_2012(path: Path, notes: Notes) -> Iterator[Document]:
    """Yield the documents of a CoNLL-2012 file.

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
    yield from documents_of_tokens(path, notes, WORD_COLUMN)


def documents_of_tokens(path: Path, notes: Notes, word_column: int) -> Iterator[Document]:
    """Yield documents between ``#begin document`` and ``#end document``, a token a line.

    Mentions are brackets in the last column, whatever the others are.
    """
    number = 0
    for data, line in whole_documents(path, ENDS_OF_DOCUMENTS, PIECE):
        for document in _Piece(path, data, line, word_column, number).documents(notes):
            number += 1
            yield document


def begins_document(line: bytes) -> bool:
    """Return whether a line opens a document."""
    return bool(_BEGINS.match(line))


def is_token_line(line: bytes) -> bool:
    """Return whether a line has several columns of which the last may be coreference."""
    fields = line.split()
    return len(fields) > 2 and (fields[-1] in NO_MENTION or bool(BRACKETS.match(fields[-1])))


@dataclass(frozen=True, slots=True)
class _Piece:
    """Bytes of whole documents, the number of their first line, and where words stand.

    ``before`` counts the documents of the pieces before this one.
    """

    path: Path
    data: bytes
    line: int
    word_column: int
    before: int

    def documents(self, notes: Notes) -> Iterator[Document]:
        octets = np.frombuffer(self.data, dtype=np.uint8)
        ends = np.flatnonzero(octets == _NEWLINE)
        starts = np.concatenate([[0], ends[:-1] + 1])
        stops = ends - ((octets[ends - 1] == _RETURN) & (ends > starts))
        blank, token, marks = self._kinds_of_lines(octets, starts, stops, notes)
        lines = np.flatnonzero(token)
        stops = self._without_last_tabs(octets, starts, stops, lines, notes)
        by_columns = False
        if not marks and self.line == 1 and len(lines):
            bounds_of_documents = self._of_columns(starts, stops, lines, blank, notes)
            by_columns = len(bounds_of_documents[0]) > 1
        else:
            bounds_of_documents = self._boundaries(marks, notes)
        written, begins, closes = bounds_of_documents
        names = [name.strip() for name in written]
        low, high = np.searchsorted(lines, begins), np.searchsorted(lines, closes)
        self._check_tokens_inside(lines, low, high)
        starts, stops = starts[lines], stops[lines]
        rows = self._rows_with_mentions(octets, starts, stops, notes)

        def place(row: int) -> _Place:
            document = int(np.searchsorted(low, row, side="right")) - 1
            return _Place(self, names[document], lines)

        columns = self._last_columns(octets, rows, starts, stops, place)
        sentence = _sentences(np.cumsum(blank, dtype=np.int64)[lines], low, high)
        cuts = np.searchsorted(rows, high).tolist()
        mentions = Mentions()
        entities = []
        bounds = [0]
        at = 0
        rows_of, lows, highs = rows.tolist(), low.tolist(), high.tolist()
        for first_token, cut in zip(lows, cuts, strict=True):
            events = zip(columns[at:cut], rows_of[at:cut], strict=True)
            entities.append(mentions.read(events, first_token, place))
            bounds.append(len(mentions.first))
            at = cut
        first, last, entity, rows_of_mentions = mentions.arrays()
        line = self.line + lines[rows_of_mentions]
        for d, (name, i, j) in enumerate(zip(names, bounds[:-1], bounds[1:], strict=True)):
            a, b = lows[d], highs[d]
            yield Document(
                name,
                Spans(first[i:j], last[i:j], line=line[i:j]),
                entity[i:j],
                entities[d],
                Tokens(Words(self.data, starts, stops, self.word_column, a, b), sentence[a:b]),
                named=by_columns or (bool(marks) and written[d] != _number_of(self.before + d)),
                other_names=(written[d],) if written[d] != name else (),
            )

    def _of_columns(
        self,
        starts: IntArray,
        stops: IntArray,
        lines: IntArray,
        blank: NDArray[np.bool_],
        notes: Notes,
    ) -> tuple[list[str], list[int], list[int]]:
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
            return [name], [0], [len(starts)]
        notes.tell(
            "documents-named",
            f"no line '#begin document', read as {len(bounds)} documents, by the names and the "
            "numbers of parts in columns 1 and 2",
        )
        begins = [int(lines[row]) for row, _ in bounds]
        return [name for _, name in bounds], begins, [*begins[1:], len(starts)]

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

    def _kinds_of_lines(
        self, octets: NDArray[np.uint8], starts: IntArray, stops: IntArray, notes: Notes
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_], list[tuple[int, bytes]]]:
        """Return which lines are blank, which are tokens, and those that bound documents."""
        opening = octets[starts]
        blank = starts == stops
        for at in np.flatnonzero(~blank & (opening <= _BLANK)).tolist():
            blank[at] = not self.data[starts[at] : stops[at]].strip()
        token = ~blank
        marks = []
        for at in np.flatnonzero(opening == _NUMBER_SIGN).tolist():
            text = self.data[starts[at] : stops[at]]
            if _BEGINS.match(text) or _ENDS.match(text):
                marks.append((at, text))
            elif b"\t" in text:
                continue  # a document or a word may be named so
            elif text.startswith((b"#begin", b"#end")) or _cut_off(text):
                raise fault(
                    *(self.path, self.line + at, None),
                    f"{shown(text)} is neither '#begin document (name); part 000' nor "
                    "'#end document'; complete the line, or write '# ' before a comment",
                )
            else:
                notes.count(
                    "comments-skipped",
                    "lines that begin with # and hold no tab, skipped as comments",
                )
            token[at] = False
        return blank, token, marks

    def _boundaries(
        self, marks: list[tuple[int, bytes]], notes: Notes
    ) -> tuple[list[str], list[int], list[int]]:
        """Return names of documents, and the lines that begin and end them."""
        names: list[str] = []
        begins: list[int] = []
        closes: list[int] = []
        for at, text in marks:
            inside = len(begins) > len(closes)
            if opening := _BEGINS.match(text):
                if inside:
                    raise self._truncated(
                        begins[-1], names[-1].strip(), f"before line {self.line + at}"
                    )
                name = text_of(text[opening.end() :], self.path, self.line + at)
                if not name.strip():
                    name = _number_of(self.before + len(names))
                    notes.count(
                        "documents-named", "documents without a name, named by their number"
                    )
                names.append(name.removeprefix(" "))
                begins.append(at)
            elif inside:
                closes.append(at)
            else:
                raise fault(
                    *(self.path, self.line + at, None),
                    "#end document without a #begin document before it",
                )
        if len(begins) > len(closes):
            raise self._truncated(begins[-1], names[-1].strip(), "up to the end of the file")
        return names, begins, closes

    def _truncated(self, at: int, name: str, until: str) -> ValueError:
        return fault(
            *(self.path, self.line + at, name),
            f"no #end document {until}; the file is cut off or damaged: get it anew, or add "
            "the line if the document is whole",
        )

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
        rows: IntArray,
        starts: IntArray,
        stops: IntArray,
        place: Callable[[int], _Place],
    ) -> list[bytes]:
        """Return what follows the last tab or blank of token lines; not blanks at the end."""
        data = self.data
        starts, stops = starts[rows], stops[rows]
        apart = np.flatnonzero((octets == _TAB) | (octets == _BLANK))
        at = np.searchsorted(apart, stops) - 1
        begins = np.where(at >= 0, apart[at] + 1, 0) if len(apart) else np.zeros_like(starts)
        columns = [
            data[a:b]
            for a, b in zip(np.maximum(begins, starts).tolist(), stops.tolist(), strict=True)
        ]
        odd = (begins <= starts) | (begins == stops) | (octets[starts] <= _BLANK)
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


def _number_of(document: int) -> str:
    """Return what a document without a name is called, by how many stand before it."""
    return f"document {document + 1}"


def _cut_off(text: bytes) -> bool:
    """Return whether a line may be the beginning of one that bounds a document."""
    return len(text) > 1 and (_BEGIN.startswith(text) or _END.startswith(text))
