"""What about labels and item ids is suspicious, looked for among distinct values."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from partwise.labels.account import counted
from partwise.labels.columns import Column, listed
from partwise.labels.notes import Note
from partwise.numbers.arrays import FloatArray

#: Cells of files that stand for a missing label, in columns of numbers and of text alike.
MISSING_WORDS = frozenset(
    {
        *("", "NA", "N/A", "n/a", "<NA>", "#N/A", "nan", "NaN", "NAN", "-nan", "-NaN"),
        *("null", "NULL", "Null", "None"),
    }
)
#: Text that often means "no label", in small letters without blanks at its ends: what people
#: wrote on purpose stays a label, with a note.
NO_LABEL = frozenset({*(word.casefold() for word in MISSING_WORDS), "nat"})
#: Different labels that are looked at, whatever the number of items; beyond, one in so many
#: items may be a label of its own, so that the look costs little beside reading the items.
_MOST_NAMES, _ITEMS_PER_NAME = 1000, 32
#: Unmatched ids that are looked at on each side, and ids of the other side.
_MOST_UNMATCHED, _MOST_IDS = 1000, 100_000
#: Labels that a sentence shows.
_SHOWN = 3
_SEPARATORS = "-_.:/|# "


#: The codes of these notes.
OF_LABELS = ("no-label-text", "labels-alike", "infinite-label")


def label_notes(
    column: Column, declared: Iterable[Any] = (), n_items: int | None = None
) -> list[Note]:
    """Return what is suspicious about the labels of one side.

    Parameters
    ----------
    column : Column
    declared : iterable
        Labels that the caller declared to mean "none".
    n_items : int, optional
        Items that the column's entries stand for; default: one each.
    """
    n_items = len(column) if n_items is None else n_items
    if column.names is None or len(column.names) == 0:
        return []
    if len(column.names) > max(_MOST_NAMES, n_items // _ITEMS_PER_NAME):
        return []
    labels = column.categories
    assert labels is not None
    if labels.dtype.kind == "f" or _is_float(labels[0]) or _is_float(labels[-1]):
        return _of_numbers(column, labels)
    if labels.dtype.kind != "O" or not isinstance(labels[0], (str, bytes)):
        return []
    values = labels.tolist()
    bare = _all_bare(values)
    notes = []
    if not NO_LABEL.isdisjoint(bare):
        left = [value for value in declared if isinstance(value, (str, bytes))]
        empty = [i for i, text in enumerate(bare) if text in NO_LABEL and values[i] not in left]
        shown = _occurring(column, empty)
        if shown:
            notes.append(
                Note(
                    "no-label-text",
                    f"{_listed([values[i] for i in shown])} kept as "
                    f"{'a label' if len(shown) == 1 else 'labels'}; declare it a missing label "
                    "if it means none",
                )
            )
    if len(set(bare)) < len(bare):
        place: dict[str, int] = {}
        pairs = [
            (first, i)
            for i, text in enumerate(bare)
            if (first := place.setdefault(text, i)) != i
        ]
        present = set(_occurring(column, sorted({i for pair in pairs for i in pair})))
        pairs = [pair for pair in pairs if present.issuperset(pair)]
        if pairs:
            first, second = pairs[0]
            notes.append(
                Note(
                    "labels-alike",
                    f"{_told_apart(values[first], values[second])} are two labels, which "
                    "differ only by blanks, case or the normal form of Unicode "
                    f"({counted(len(pairs), 'such pair')})",
                )
            )
    return notes


def _of_numbers(column: Column, labels: Any) -> list[Note]:
    """Note infinite labels: they stand first and last in ascending order."""
    ends = [i for i in {0, len(labels) - 1} if _is_float(labels[i]) and np.isinf(labels[i])]
    if not _occurring(column, ends):
        return []
    return [
        Note(
            "infinite-label",
            f"{_listed([float(labels[i]) for i in sorted(ends)])} kept as a label; declare it "
            "a missing label if it means none",
        )
    ]


def _is_float(value: Any) -> bool:
    return isinstance(value, (float, np.floating))


def _all_bare(values: list[Any]) -> list[str]:
    """Return ``_bare`` of each: of all at once where they are plain, which most are."""
    try:
        joined = "\0".join(values)
    except TypeError:  # some are bytes
        return [_bare(value) for value in values]
    small = joined.lower()
    if not joined.isascii() or small.split() != [small] or small.count("\0") >= len(values):
        return [_bare(value) for value in values]
    return small.split("\0")


def _bare(value: str | bytes) -> str:
    """Return text without blanks at its ends, in small letters."""
    text = value.decode("latin-1") if isinstance(value, bytes) else value
    return in_normal_form(text.strip().casefold())


def in_normal_form(text: str) -> str:
    """Return text in the composed normal form of Unicode: "e" and an accent are one sign."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _occurring(column: Column, codes: Sequence[int]) -> list[int]:
    """Return which of the codes some item with a label has."""
    if not codes:
        return []
    present = column.codes if column.missing is None else column.codes[~column.missing]
    return [code for code in codes if (present == code).any()]


def _told_apart(first: Any, second: Any) -> str:
    """Return two texts so that they do not look the same."""
    shown = repr
    if isinstance(first, str) and in_normal_form(first) == in_normal_form(second):
        shown = ascii
    return f"{shown(first)} and {shown(second)}"


def _listed(values: Sequence[Any]) -> str:
    text = ", ".join(map(repr, values[:_SHOWN]))
    return text + (", ..." if len(values) > _SHOWN else "")


# ---- both sides --------------------------------------------------------------------


def all_distinct(n: int) -> Note:
    """Return the note that no two of n items have a label in common on either side."""
    return Note(
        "all-distinct",
        f"each of the {n} items has a label of its own on both sides",
    )


def alike_ids(
    reference: Column, candidate: Column, only_reference: Any, only_candidate: Any
) -> str:
    """Return how ids without a partner look like ids of the other side; "": they do not.

    Parameters
    ----------
    reference, candidate : Column
        Item ids.
    only_reference, only_candidate : ndarray of int64
        Places of the ids that the other side lacks.
    """
    for own, other, positions in (
        (reference, candidate, only_reference),
        (candidate, reference, only_candidate),
    ):
        if not len(positions) or not len(other) or len(other) > _MOST_IDS:
            continue
        lone = _as_texts(own, positions[:_MOST_UNMATCHED])
        texts = _as_texts(other, np.arange(len(other)))
        if lone is None or texts is None:
            return ""
        spelled = {_spelled(text): text for text in reversed(texts)}
        near = [(text, spelled[_spelled(text)]) for text in lone if _spelled(text) in spelled]
        if near:
            return _pair(own is candidate, *near[0], "another spelling")
        longer = [(text, stem) for text in lone if (stem := _stem(text, set(texts)))]
        if 2 * len(longer) >= len(lone):
            return _pair(own is candidate, *longer[0], "another beginning or end")
    return ""


def _pair(turned: bool, own: str, other: str, what: str) -> str:
    first, second = (other, own) if turned else (own, other)
    shown = ascii if in_normal_form(own) == in_normal_form(other) else repr
    return (
        f"{shown(first)} (reference) and {shown(second)} (candidate) look like one id "
        f"with {what}"
    )


def _as_texts(column: Column, positions: Any) -> list[str] | None:
    """Return ids as text; None where they are neither numbers nor text."""
    column = column.take(positions)
    if column.names is None:
        return [str(code) for code in column.codes.tolist()]
    values = listed(column.decode())
    if not values or not isinstance(values[0], (str, bytes, int, float)):
        return None
    return [x.decode("latin-1") if isinstance(x, bytes) else str(x) for x in values]


def _spelled(text: str) -> Any:
    """Return what is left of an id without blanks and case, or the number that it writes."""
    bare = in_normal_form(text.strip().casefold())
    try:
        number = float(bare)
    except ValueError:
        return bare
    return number if number == number else bare


def _stem(text: str, others: set[str]) -> str | None:
    """Return the id of the other side that is the beginning or end of a longer one."""
    for at, character in enumerate(text):
        if character in _SEPARATORS:
            for part in (text[:at], text[at + 1 :]):
                if part in others:
                    return part
    return None


# ---- weights -----------------------------------------------------------------------

#: Share of the largest weight below which others lose digits beside it: masses have some 106.
FAINT_WEIGHT = 2.0**-60


def notes_on_weights(weights: FloatArray | None) -> tuple[Note, ...]:
    """Return a note on weights that are too small beside the largest to keep their digits."""
    if weights is None or len(weights) == 0:
        return ()
    bound = float(weights.max()) * FAINT_WEIGHT
    if float(weights.min()) >= bound:
        return ()
    faint = int(np.count_nonzero((weights < bound) & (weights > 0)))
    if not faint:
        return ()
    some = f"{counted(faint, 'weight')} above 0 {'is' if faint == 1 else 'are'}"
    text = (
        f"{some} below 2^-60 of the largest, {float(weights.max()):g}: scores may be off by "
        "more than their bound; leave such items out, or give them a larger weight"
    )
    return (Note("weights-far-apart", text),)
