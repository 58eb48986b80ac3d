"""Lines of CoNLL files that bound documents, and which of the others are tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from partwise.coreference.formats.cells import shown
from partwise.coreference.formats.files import (
    Notes,
    fault,
    name_or_number,
    text_of,
)
from partwise.numbers.arrays import BoolArray, IntArray

_BEGIN, END = b"#begin document", b"#end document"
#: scorer.pl and what is written for it allow blanks behind the number sign.
BEGINS = re.compile(rb"#[ \t]*begin document")
_ENDS = re.compile(rb"#[ \t]*end document")
_NUMBERED = "document "
_BLANK, _NUMBER_SIGN = 32, 35


@dataclass(frozen=True, slots=True)
class Marks:
    """Lines that bound documents: whether each begins one, and where its name would stand."""

    line: IntArray
    opens: BoolArray
    name: IntArray


@dataclass(frozen=True, slots=True)
class BoundedLines:
    """Bytes of whole documents, and the number of their first line.

    ``before`` counts the documents of the pieces before this one.
    """

    path: Path
    data: bytes
    line: int
    before: int

    def kinds_of_lines(
        self, octets: NDArray[np.uint8], starts: IntArray, stops: IntArray, notes: Notes
    ) -> tuple[BoolArray, BoolArray, Marks]:
        """Return which lines are blank, which are tokens, and those that bound documents."""
        opening = octets[starts]
        blank = starts == stops
        for at in np.flatnonzero(~blank & (opening <= _BLANK)).tolist():
            blank[at] = not self.data[starts[at] : stops[at]].strip()
        token = ~blank
        signs = np.flatnonzero(opening == _NUMBER_SIGN)
        opens, closes = (_begin_with(octets, starts[signs], text) for text in (_BEGIN, END))
        bounds = opens | closes
        length = np.where(opens, len(_BEGIN), len(END))
        skipped = ~bounds
        for number in np.flatnonzero(~bounds).tolist():  # written in another way, or comments
            at = int(signs[number])
            text = self.data[starts[at] : stops[at]]
            if match := BEGINS.match(text) or _ENDS.match(text):
                bounds[number], opens[number] = True, bool(BEGINS.match(text))
                length[number] = match.end()
            elif b"\t" in text:
                skipped[number] = False  # a document or a word may be named so
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
        token[signs[bounds | skipped]] = False
        names = starts[signs] + length
        return blank, token, Marks(signs[bounds], opens[bounds], names[bounds])

    def boundaries(
        self, marks: Marks, stops: IntArray, notes: Notes
    ) -> tuple[list[str], IntArray, IntArray]:
        """Return names of documents, and the lines that begin and end them."""
        begins, closes = marks.line[::2], marks.line[1::2]
        if (
            len(begins) == len(closes)
            and marks.opens[::2].all()
            and not marks.opens[1::2].any()
        ):
            names = self._names(marks.name[::2], stops[begins])
            if names is not None:
                return names, begins, closes
        return self._boundaries_one_by_one(marks, stops, notes)

    def _names(self, starts: IntArray, stops: IntArray) -> list[str] | None:
        """Return the names of all documents; None if one has none, or is no text."""
        names = [
            self.data[start:stop]
            for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)
        ]
        try:
            decoded = b"\n".join(names).decode("utf-8").split("\n")[: len(names)]
        except UnicodeDecodeError:
            return None
        if not all(map(str.strip, decoded)) or any("\t" in x.strip() for x in decoded):
            return None
        return [x.removeprefix(" ") for x in decoded]

    def _boundaries_one_by_one(
        self, marks: Marks, stops: IntArray, notes: Notes
    ) -> tuple[list[str], IntArray, IntArray]:
        """Return the same where a document has no name, or a line is not as it should be."""
        names: list[str] = []
        begins: list[int] = []
        closes: list[int] = []
        columns = (marks.line.tolist(), marks.opens.tolist(), marks.name.tolist())
        for at, opens, start in zip(*columns, strict=True):
            inside = len(begins) > len(closes)
            if opens:
                if inside:
                    raise self._truncated(
                        begins[-1], names[-1].strip(), f"before line {self.line + at}"
                    )
                name = text_of(self.data[start : stops[at]], self.path, self.line + at)
                if "\t" in name.strip():
                    raise fault(
                        *(self.path, self.line + at, None),
                        f"the name {shown(name.encode())} holds a tab; is a token's line "
                        "joined to it? write one line for each",
                    )
                if not name.strip():
                    name = name_or_number("", self.before + len(names) + 1, notes)
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
        return names, np.array(begins, dtype=np.int64), np.array(closes, dtype=np.int64)

    def _truncated(self, at: int, name: str, until: str) -> ValueError:
        return fault(
            *(self.path, self.line + at, name),
            f"no #end document {until}; the file is cut off or damaged: get it anew, or add "
            "the line if the document is whole",
        )

    def is_number(self, at: int, name: str) -> bool:
        """Return whether a document is named by its number, as one without a name is."""
        return name.startswith(_NUMBERED) and name == f"{_NUMBERED}{self.before + at + 1}"


def _begin_with(octets: NDArray[np.uint8], starts: IntArray, text: bytes) -> BoolArray:
    """Return which lines begin with a text that has no line end in it."""
    places = np.minimum(starts[:, None] + np.arange(len(text)), len(octets) - 1)
    same = octets[places] == np.frombuffer(text, dtype=np.uint8)
    begin: BoolArray = same.all(axis=1)
    return begin


def _cut_off(text: bytes) -> bool:
    """Return whether a line may be the beginning of one that bounds a document."""
    return len(text) > 1 and (_BEGIN.startswith(text) or END.startswith(text))
