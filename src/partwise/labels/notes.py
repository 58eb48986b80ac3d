"""Notes on an input: what a reader took it for, and what about it is suspicious."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

#: Where the code of partwise is.
_OWN = f"{Path(__file__).parents[1]}{os.sep}"


class InputWarning(UserWarning):
    """Something about an input is suspicious; the text says what, and where.

    Functions whose result has an account put the same text into ``account.notes``; a measure
    that returns a float has no account and warns, once a call.
    """


class NoteKind(NamedTuple):
    """What a code of a note means."""

    suspicious: bool
    meaning: str


#: Every code that a note can have. Told: how an input was read. Suspicious: it was read as it
#: stands, but people who have such an input often mean another one.
CODES: dict[str, NoteKind] = {
    "comments-skipped": NoteKind(False, "lines of comment were skipped"),
    "header-taken": NoteKind(False, "the first row was taken as names of columns"),
    "delimiter-found": NoteKind(
        False, "fields are separated by something else than tab or comma"
    ),
    "blank-tail": NoteKind(False, "empty lines below one label a line were left out"),
    "row-names": NoteKind(False, "the header is one field short, so column 1 holds row names"),
    "index-column": NoteKind(False, "the index of a frame was not taken for labels"),
    "encoding": NoteKind(False, "the text is UTF-16 or UTF-32, by its byte order mark"),
    "line-ends": NoteKind(False, "lines end with a carriage return alone"),
    "kind-by-content": NoteKind(False, "the content is of another format than the ending says"),
    "format-found": NoteKind(False, "the content has the form of a format with fixed columns"),
    "missing-words": NoteKind(
        False, "cells such as NA, nan and None were read as missing labels"
    ),
    "numbers-read": NoteKind(False, "which columns were read as numbers of the items"),
    "arrays-flattened": NoteKind(
        False, "arrays of several dimensions and one shape were read as a label per element"
    ),
    "rows-unused": NoteKind(True, "rows of numbers are of items that neither side has"),
    "rows-rescaled": NoteKind(False, "rows of memberships were divided by their sum"),
    "ids-as-text": NoteKind(False, "item ids of one side were made text, as the other's are"),
    "first-row-label": NoteKind(True, "a first row that stands alone was taken as a label"),
    "blanks-stripped": NoteKind(True, "labels that differ by blanks beside them were made one"),
    "name-over-number": NoteKind(True, "a column was taken by a name that is a number as well"),
    "unused-column": NoteKind(
        True, "a column was not used though its name says that it holds ids"
    ),
    "tie-broken": NoteKind(False, "a measure rests on the order of labels"),
    "left-out": NoteKind(False, "a set of measures leaves one out on a table of this size"),
    "all-distinct": NoteKind(True, "every item has a label of its own on both sides"),
    "clusterings-in-columns": NoteKind(
        True, "an array with no more rows than columns was read as a clustering a column"
    ),
    "missing-label-unused": NoteKind(True, "a label declared to mean none does not occur"),
    "no-label-text": NoteKind(True, "text such as NA or nan, or none at all, is a label"),
    "labels-alike": NoteKind(True, "labels of a side differ only by blanks, case, normal form"),
    "ids-alike": NoteKind(True, "unmatched ids look like ids of the other side"),
    "infinite-label": NoteKind(True, "an infinite number is a label"),
    "forgotten-weights": NoteKind(
        True, "sampled clusters are weighted alike but look as if items had been drawn"
    ),
    "weights-far-apart": NoteKind(True, "weights are too small beside the largest to be exact"),
    "above-one": NoteKind(True, "an estimate from a sample exceeds 1"),
    # of coreference
    "columns-taken": NoteKind(False, "which columns of a table were taken for what"),
    "columns-unused": NoteKind(
        False, "columns of a table, or fields of records, that were not read"
    ),
    "field-taken": NoteKind(False, "which field of a JSON record was taken for the entities"),
    "whole-numbers": NoteKind(False, "numbers such as 1.0 were read as whole numbers"),
    "no-entity-text": NoteKind(True, "an entity of several mentions is called - or -1, or so"),
    "other-encoding": NoteKind(True, "bytes that are no UTF-8 are shown in another way"),
    "predicted-key": NoteKind(True, "a key has the field of predictions alone"),
    "ends-taken": NoteKind(False, "whether a mention's second number was taken as inclusive"),
    "ends-by-default": NoteKind(True, "nothing proves whether a mention's end is inclusive"),
    "positions-are-characters": NoteKind(False, "mentions are spans of characters"),
    "subtokens-mapped": NoteKind(False, "spans of subtokens were mapped to words"),
    "heads-derived": NoteKind(
        False, "heads of mentions were taken from the syntax of the text"
    ),
    "mentions-interpreted": NoteKind(False, "what a file leaves open about mentions, as read"),
    "not-scored": NoteKind(False, "parts of a file that no score uses"),
    "rows-shorter": NoteKind(True, "rows have fewer fields than others of their sentence"),
    "tokens-uncounted": NoteKind(True, "tokens are not numbered one by one"),
    "documents-named": NoteKind(False, "documents without a name were numbered or named"),
    "documents-paired": NoteKind(False, "documents were paired though their names differ"),
    "topics-taken": NoteKind(False, "how documents were grouped into topics"),
    "names-joined": NoteKind(False, "entity ids were taken as names across documents"),
    "no-mentions": NoteKind(True, "a side has no mention in any document"),
    "no-mention-matches": NoteKind(True, "no mention of one side is one of the other"),
    "other-words": NoteKind(True, "the two sides have other words in the same documents"),
    "text-ends-early": NoteKind(True, "the text of one side ends before that of the other"),
    "mentions-alike": NoteKind(True, "mentions differ only by the normal form of Unicode"),
    "option-unused": NoteKind(True, "an option found nothing in the input to act on"),
    "entities-like-spans": NoteKind(True, "entities are pairs of numbers that may be spans"),
}


class Note(str):
    """One note: a sentence with a code and, where there is one, a place.

    As text it reads "place: text".

    Parameters
    ----------
    code : str
        A key of ``CODES``.
    text : str
        What was seen, without the place.
    place : str, optional
        File, line, column, side: where it was seen.
    """

    code: str
    text: str
    place: str

    __slots__ = ("code", "place", "text")

    def __new__(cls, code: str, text: str, place: str = "") -> Note:
        """Return the note; an unknown code is a fault of this library."""
        if code not in CODES:
            raise KeyError(f"no note has the code {code!r}; CODES lists them")
        note = super().__new__(cls, f"{place}: {text}" if place else text)
        note.code, note.text, note.place = code, text, place
        return note

    def __reduce__(self) -> tuple[Any, ...]:
        return Note, (self.code, self.text, self.place)

    @property
    def suspicious(self) -> bool:
        """Whether people with such an input often mean another one."""
        return CODES[self.code].suspicious

    def at(self, place: str) -> Note:
        """Return the note with a wider place in front of its own."""
        return Note(self.code, self.text, f"{place}: {self.place}" if self.place else place)

    def to_dict(self) -> dict[str, str]:
        """Return code, text and place."""
        return {"code": self.code, "text": self.text, "place": self.place}


FLATTENED = "arrays-flattened"
IDS_AS_TEXT = Note("ids-as-text", "ids that are whole numbers were compared as text")


def flattened(shape: tuple[int, ...]) -> Note:
    """Return the note on arrays of several dimensions."""
    text = f"arrays of shape {shape} were read as one label per element, in C order"
    return Note(FLATTENED, text)


def skipped_comments(n: int, place: str = "") -> list[Note]:
    """Return the note on skipped lines of comment, none where there are none."""
    lines = "1 line" if n == 1 else f"{n} lines"
    return [Note("comments-skipped", f"{lines} of comment skipped", place)] if n else []


def warn_of(notes: Iterable[Note]) -> None:
    """Warn once of what is suspicious, for a result that cannot carry notes."""
    suspicious = [note for note in notes if note.suspicious]
    if suspicious:
        text = "; ".join(suspicious)
        warnings.warn(text, InputWarning, stacklevel=frames_to_caller())


def frames_to_caller() -> int:
    """Return the ``stacklevel`` with which a warning names the line that called partwise.

    Counted from the function that calls this one.
    """
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_OWN):
        frame, level = frame.f_back, level + 1
    return level
