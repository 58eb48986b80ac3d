"""Mentions from the brackets of tokens, in the order in which they open."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NoReturn, Protocol

import numpy as np

from partwise import _kernels
from partwise.coreference.documents.sides import ranges, running_ends
from partwise.coreference.formats.cells import brackets
from partwise.coreference.mentions.identity import by_first_appearance, packed
from partwise.numbers.arrays import BoolArray, IntArray

#: Names of an entity, and whether a bracket opens and closes it.
_Event = tuple[str, bool, bool]


class Place(Protocol):
    """A document of a file, for faults."""

    def fault(self, row: int, what: str) -> ValueError:
        """Return the error for a fault in a row."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """Mentions of many documents, in the order in which they open.

    Attributes
    ----------
    document, first, last, entity, row : int64 arrays, shape (n_mentions,)
        Entities are numbered over all documents, as they are first opened; rows are those of
        the tokens at which mentions open.
    entity_document : int64 array, shape (n_entities,)
    entity_names : list of str
    """

    document: IntArray
    first: IntArray
    last: IntArray
    entity: IntArray
    row: IntArray
    entity_document: IntArray
    entity_names: list[str]


def mentions_of(
    columns: list[bytes],
    rows: IntArray,
    document: IntArray,
    begins: IntArray,
    place: Callable[[int], Place],
) -> Mentions:
    """Return the mentions of tokens that have brackets.

    A bracket closes the latest open one of its entity: on the level of nesting on which it
    stands, opening and closing brackets of an entity alternate. O(brackets log brackets), and
    a step in Python for each distinct column.

    Parameters
    ----------
    columns : list of bytes
        The coreference column of each such token.
    rows, document : int64 arrays
        The row of each of them, ascending, and its document.
    begins : int64 array, shape (n_documents,)
        The row of the first token of each document.
    place : callable
        Returns the place of a row, for faults.

    Raises
    ------
    ValueError
        A column that is no brackets, or brackets that are not closed or not opened.
    """
    codes, distinct = _kernels.impl.number_values(columns)
    try:
        kinds = _Kinds.of(distinct)
    except ValueError:
        _refuse_first(columns, rows, document, begins, place)
    sizes = np.diff(kinds.ends)[codes]
    events = ranges(kinds.ends[:-1][codes], sizes)
    row = np.repeat(rows, sizes)
    of_document = np.repeat(document, sizes)
    name, opens, closes = kinds.name[events], kinds.opens[events], kinds.closes[events]
    token = row - begins[of_document]
    opening = np.flatnonzero(opens)
    last = token[opening]
    one_sided = np.flatnonzero(opens != closes)
    if len(one_sided):
        pairs = _pairs(packed([of_document[one_sided], name[one_sided]]), opens[one_sided])
        if pairs is None:
            _refuse_first(columns, rows, document, begins, place)
        mention = np.cumsum(opens) - 1
        last[mention[one_sided[pairs[0]]]] = token[one_sided[pairs[1]]]
    of_opening, name = of_document[opening], name[opening]
    entity, at = by_first_appearance(packed([of_opening, name]))
    return Mentions(
        of_opening,
        token[opening],
        last,
        entity,
        row[opening],
        of_opening[at],
        [kinds.names[number] for number in name[at].tolist()],
    )


@dataclass(frozen=True, slots=True)
class _Kinds:
    """The brackets of distinct columns: those of column i are ``ends[i]:ends[i + 1]``."""

    ends: IntArray
    name: IntArray
    opens: BoolArray
    closes: BoolArray
    names: list[str]

    @classmethod
    def of(cls, columns: Iterable[bytes]) -> _Kinds:
        listed = [brackets(column) for column in columns]
        numbers: dict[str, int] = {}
        events = [event for of_column in listed for event in of_column]
        name = [numbers.setdefault(name, len(numbers)) for name, _, _ in events]
        return cls(
            running_ends(np.array([len(x) for x in listed], dtype=np.int64)),
            np.array(name, dtype=np.int64),
            np.array([opens for _, opens, _ in events], dtype=np.bool_),
            np.array([closes for _, _, closes in events], dtype=np.bool_),
            list(numbers),
        )


def _pairs(group: IntArray, opens: BoolArray) -> tuple[IntArray, IntArray] | None:
    """Return opening brackets and those that close them, in groups; None: some lack another.

    Brackets of a group stand in their order, and those of other groups may stand between.
    """
    order = np.argsort(group, kind="stable")
    of_group, opening = group[order], opens[order]
    depth = np.cumsum(np.where(opening, 1, -1))
    ends = np.flatnonzero(np.append(of_group[1:] != of_group[:-1], True))
    if depth.min() < 0 or depth[ends].any():
        return None
    level = np.where(opening, depth, depth + 1)
    if level.max() > 1:
        order = order[np.lexsort((level, of_group))]
    return order[::2], order[1::2]


def _refuse_first(
    columns: list[bytes],
    rows: IntArray,
    document: IntArray,
    begins: IntArray,
    place: Callable[[int], Place],
) -> NoReturn:
    """Raise the error for the first fault in the order in which a reader meets them."""
    bounds = np.searchsorted(document, np.arange(len(begins) + 1)).tolist()
    row_of = rows.tolist()
    for low, high, begin in zip(bounds[:-1], bounds[1:], begins.tolist(), strict=True):
        _refuse_faults(columns[low:high], row_of[low:high], begin, place)
    raise AssertionError("brackets that do not pair have a fault")


def _refuse_faults(
    columns: list[bytes], rows: list[int], begin: int, place: Callable[[int], Place]
) -> None:
    """Raise the error for the first fault in a document, if it has one."""
    waiting: dict[str, list[int]] = {}
    for column, row in zip(columns, rows, strict=True):
        try:
            events: tuple[_Event, ...] = brackets(column)
        except ValueError as error:
            raise place(row).fault(row, str(error)) from None
        for name, opens, closes in events:
            if opens and not closes:
                waiting.setdefault(name, []).append(row)
            elif not opens and not waiting.get(name):
                raise place(row).fault(
                    row,
                    f"entity {name!r} is closed at token {row - begin} but not open; open it "
                    f"with '({name}' before, or write '({name})' for one token",
                )
            elif not opens:
                waiting[name].pop()
    for name, stack in waiting.items():
        if stack:
            row = stack[-1]
            raise place(row).fault(
                row,
                f"entity {name!r} is opened at token {row - begin} and never closed; write "
                f"'{name})' at its last token",
            )
