"""CoNLL-2012: a token a line, mentions as brackets in the last column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import overload

import numpy as np
from numpy.typing import NDArray

from partwise.coreference.documents import Document, Spans, Tokens
from partwise.coreference.formats.files import Notes, fault, text_of, whole_documents
from partwise.labels.columns import IntArray

PIECE = 1 << 23
WORD_COLUMN = 3

_BEGIN, _END = b"#begin document", b"#end document"
_TAB, _NEWLINE, _RETURN, _BLANK, _NUMBER_SIGN = 9, 10, 13, 32, 35
_DASHES = (45, 95)  # "-" and "_"
_NONE = (b"-", b"_")
_BRACKETS = re.compile(rb"(?:\([^()|\s]+\)?\|?|[^()|\s]+\)\|?)+\Z")
_BRACKET = re.compile(rb"(\(?)([^()|\s]+)(\)?)")


def read_conll_2012(path: Path, notes: Notes) -> Iterator[Document]:
    """Yield the documents of a CoNLL-2012 file.

    A document's name is all that follows ``#begin document``, "(name); part 000". Columns are
    apart by tabs or blanks. Positions of mentions count over the document; a closing bracket
    belongs to the latest open bracket of its entity.

    Raises
    ------
    ValueError
        Truncated documents, a last column without brackets, brackets that are not closed or
        not opened; with file, line and document.
    """
    for data, line in whole_documents(path, _END, PIECE):
        yield from _Piece(path, data, line, WORD_COLUMN).documents(notes)


@dataclass(frozen=True, slots=True)
class Words(Sequence[str]):
    """Words of token lines, decoded when asked for."""

    data: bytes
    starts: IntArray
    stops: IntArray
    column: int

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[str]: ...
    def __getitem__(self, at: int | slice) -> str | Sequence[str]:
        if isinstance(at, slice):
            return Words(self.data, self.starts[at], self.stops[at], self.column)
        line = self.data[self.starts[at] : self.stops[at]]
        fields = line.split(b"\t") if b"\t" in line else line.split()
        column = self.column if len(fields) > self.column + 1 else len(fields) - 2
        return fields[column].strip().decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class _Piece:
    """Bytes of whole documents, the number of their first line, and where words stand."""

    path: Path
    data: bytes
    line: int
    word_column: int

    def documents(self, notes: Notes) -> Iterator[Document]:
        octets = np.frombuffer(self.data, dtype=np.uint8)
        ends = np.flatnonzero(octets == _NEWLINE)
        starts = np.concatenate([[0], ends[:-1] + 1])
        stops = ends - ((octets[ends - 1] == _RETURN) & (ends > starts))
        blank, token, marks = self._kinds_of_lines(octets, starts, stops, notes)
        lines = np.flatnonzero(token)
        names, begins, closes = self._boundaries(marks)
        low, high = np.searchsorted(lines, begins), np.searchsorted(lines, closes)
        self._check_tokens_inside(lines, low, high)
        starts, stops = starts[lines], stops[lines]
        rows = self._rows_with_mentions(octets, starts, stops, notes)
        columns = self._last_columns(rows, starts, stops, lines, names, low)
        blanks = np.cumsum(blank)[lines]
        sentence = np.cumsum(np.diff(blanks, prepend=blanks[:1]) > 0, dtype=np.int64)
        cuts = np.searchsorted(rows, high).tolist()
        opened = _Mentions()
        bounds = []
        at = 0
        for name, first_token, cut in zip(names, low.tolist(), cuts, strict=True):
            from_mention = len(opened.first)
            entities = opened.read(
                columns[at:cut], rows[at:cut], first_token, _Place(self, name, lines)
            )
            bounds.append((from_mention, len(opened.first), entities))
            at = cut
        first, last, entity, rows_of_mentions = opened.arrays()
        line = self.line + lines[rows_of_mentions]
        for name, a, b, (i, j, entities) in zip(
            names, low.tolist(), high.tolist(), bounds, strict=True
        ):
            yield Document(
                name,
                Spans(first[i:j], last[i:j], line=line[i:j]),
                entity[i:j],
                entities,
                Tokens(
                    Words(self.data, starts[a:b], stops[a:b], self.word_column),
                    sentence[a:b] - sentence[a] if b > a else sentence[a:b],
                ),
            )

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
            if text.startswith((_BEGIN, _END)):
                marks.append((at, text))
            elif b"\t" in text:
                continue  # a document or a word may be named so
            elif text.startswith((b"#begin", b"#end")) or _cut_off(text):
                raise fault(
                    *(self.path, self.line + at, None),
                    f"{_shown(text)} is neither '#begin document (name); part 000' nor "
                    "'#end document'; complete the line, or write '# ' before a comment",
                )
            else:
                notes["lines that begin with # and hold no tab, skipped as comments"] += 1
            token[at] = False
        return blank, token, marks

    def _boundaries(
        self, marks: list[tuple[int, bytes]]
    ) -> tuple[list[str], list[int], list[int]]:
        """Return names of documents, and the lines that begin and end them."""
        names: list[str] = []
        begins: list[int] = []
        closes: list[int] = []
        for at, text in marks:
            inside = len(begins) > len(closes)
            if text.startswith(_BEGIN):
                if inside:
                    raise self._truncated(
                        begins[-1], names[-1], f"before line {self.line + at}"
                    )
                name = text_of(text[len(_BEGIN) :], self.path, self.line + at).strip()
                if not name:
                    raise fault(
                        *(self.path, self.line + at, None),
                        "#begin document without a name; write '#begin document (name); "
                        "part 000'",
                    )
                names.append(name)
                begins.append(at)
            elif inside:
                closes.append(at)
            else:
                raise fault(
                    *(self.path, self.line + at, None),
                    "#end document without a #begin document before it",
                )
        if len(begins) > len(closes):
            raise self._truncated(begins[-1], names[-1], "up to the end of the file")
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
            notes["tokens with an empty last column, taken as no mention"] += n
        return np.flatnonzero(~dash & ~empty | shifted)

    def _last_columns(
        self,
        rows: IntArray,
        starts: IntArray,
        stops: IntArray,
        lines: IntArray,
        names: list[str],
        low: IntArray,
    ) -> list[bytes]:
        data = self.data
        split = [
            data[a:b].rsplit(None, 1)
            for a, b in zip(starts[rows].tolist(), stops[rows].tolist(), strict=True)
        ]
        ends_blank = np.frombuffer(data, dtype=np.uint8)[stops[rows] - 1] <= _BLANK
        for at in np.flatnonzero(ends_blank).tolist():
            text = data[starts[rows[at]] : stops[rows[at]]]
            if text.rstrip(b" ").endswith(b"\t"):  # an empty last column
                document = names[int(np.searchsorted(low, rows[at], side="right")) - 1]
                if _BRACKETS.match(split[at][-1]):
                    raise fault(
                        *(self.path, self.line + int(lines[rows[at]]), document),
                        f"the last column is empty, the one before it is "
                        f"{_shown(split[at][-1])}; remove the tab at the end, or write '-' "
                        "for no mention",
                    )
                split[at] = [b"", _NONE[0]]
        for at, fields in enumerate(split):
            if len(fields) == 1:
                document = names[int(np.searchsorted(low, rows[at], side="right")) - 1]
                raise fault(
                    *(self.path, self.line + int(lines[rows[at]]), document),
                    f"one column only ({_shown(fields[0])}); tokens have several columns, the "
                    "last is coreference",
                )
        return [fields[1] for fields in split]


@dataclass(frozen=True, slots=True)
class _Place:
    """A document of a piece, for faults."""

    piece: _Piece
    name: str
    lines: IntArray

    def fault(self, row: int, what: str) -> ValueError:
        piece = self.piece
        return fault(piece.path, piece.line + int(self.lines[row]), self.name, what)


class _Mentions:
    """Mentions of many documents, in the order in which they open."""

    def __init__(self) -> None:
        self.first: list[int] = []
        self.last: list[int] = []
        self.entity: list[int] = []
        self.rows: list[int] = []
        self._events: dict[bytes, tuple[tuple[str, bool, bool], ...]] = {}

    def read(
        self, columns: list[bytes], rows: IntArray, first_token: int, place: _Place
    ) -> list[str]:
        """Add the mentions of a document and return the names of its entities."""
        first, last, entity, known = self.first, self.last, self.entity, self._events
        codes: dict[str, int] = {}
        waiting: dict[str, list[int]] = {}
        for column, row in zip(columns, rows.tolist(), strict=True):
            events = known.get(column)
            if events is None:
                try:
                    events = known[column] = brackets(column)
                except ValueError as error:
                    raise place.fault(row, str(error)) from None
            token = row - first_token
            for name, opens, closes in events:
                if opens:
                    if not closes:
                        waiting.setdefault(name, []).append(len(first))
                    first.append(token)
                    last.append(token)
                    entity.append(codes.setdefault(name, len(codes)))
                    self.rows.append(row)
                elif stack := waiting.get(name):
                    last[stack.pop()] = token
                else:
                    raise place.fault(
                        row,
                        f"entity {name!r} is closed at token {token} but not open; open it "
                        f"with '({name}' before, or write '({name})' for one token",
                    )
        for name, stack in waiting.items():
            if stack:
                token, row = first[stack[-1]], self.rows[stack[-1]]
                raise place.fault(
                    row,
                    f"entity {name!r} is opened at token {token} and never closed; write "
                    f"'{name})' at its last token",
                )
        return list(codes)

    def arrays(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        columns = (self.first, self.last, self.entity, self.rows)
        first, last, entity, rows = (np.array(column, dtype=np.int64) for column in columns)
        return first, last, entity, rows


def brackets(column: bytes) -> tuple[tuple[str, bool, bool], ...]:
    """Return (entity, whether it opens, whether it closes) for a coreference column.

    Bars between brackets may be missing: ``(1(1``, ``1)1)``.

    Raises
    ------
    ValueError
        Anything but brackets, "-" and "_".

    Examples
    --------
    >>> brackets(b"(3|(1)|4)")
    (('3', True, False), ('1', True, True), ('4', False, True))
    """
    if column in _NONE:
        return ()
    if not _BRACKETS.match(column):
        raise ValueError(
            f"the last column is {_shown(column)}; '-', '_', nothing, or brackets like "
            "'(3|(1)|4)' are expected there (is it another format, or a line cut off?)"
        )
    found = []
    for opens, entity, closes in _BRACKET.findall(column):
        if b"+" in entity:
            raise ValueError(
                f"{_shown(column)} has an entity with two antecedents ({_shown(entity)}); "
                "split antecedents are not scored: give the mention one entity or remove it"
            )
        if entity.lower() in (b"nan", b"none", b"null"):
            raise ValueError(
                f"the entity in {_shown(column)} is a missing value; give it an id or remove it"
            )
        found.append((entity.decode("utf-8", "backslashreplace"), bool(opens), bool(closes)))
    return tuple(found)


def _cut_off(text: bytes) -> bool:
    """Return whether a line may be the beginning of one that bounds a document."""
    return len(text) > 1 and (_BEGIN.startswith(text) or _END.startswith(text))


def _shown(data: bytes) -> str:
    text = data.decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= 60 else text[:57] + "...")
