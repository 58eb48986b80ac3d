"""What a page is made of; its templates show each part by its ``form``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from partwise.report.numbers import show
from partwise.report.table import Table

#: Characters of a label or an item that a page shows.
LABEL = 120
#: Characters of a sentence that a page shows.
SENTENCE = 1000
#: Lines of a table that is neither searched nor sorted.
MOST_LINES = 300


def cut(text: str, longest: int = SENTENCE) -> str:
    """Return text; what is too long loses its middle."""
    if len(text) <= longest:
        return text
    kept = longest - 1
    return f"{text[: kept // 2]}\N{HORIZONTAL ELLIPSIS}{text[len(text) - (kept - kept // 2) :]}"


@dataclass(frozen=True)
class Paragraphs:
    """Sentences, one below the other."""

    form: ClassVar[str] = "paragraphs"
    lines: Sequence[str]


@dataclass(frozen=True)
class Figures:
    """The few numbers that a reader wants first: each a value and what it counts."""

    form: ClassVar[str] = "figures"
    entries: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Facts:
    """Names and what stands for each."""

    form: ClassVar[str] = "facts"
    entries: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Notes:
    """Sentences on the input; those that are suspicious stand out.

    Attributes
    ----------
    entries : sequence of (bool, str)
        Whether the sentence is suspicious, and the sentence; each is shown once.
    """

    form: ClassVar[str] = "notes"
    entries: Sequence[tuple[bool, str]]

    @property
    def shown(self) -> list[tuple[bool, str]]:
        """The sentences, those that are suspicious first."""
        distinct = dict.fromkeys((suspicious, cut(text)) for suspicious, text in self.entries)
        return sorted(distinct, key=lambda one: not one[0])


@dataclass(frozen=True)
class Sheet:
    """A table that is only read.

    Attributes
    ----------
    caption : str
    table : Table
    groups : sequence of (title, count of lines)
        Lines that belong together, in order; without any, all do.
    bars : int or None
        Column of shares in [0, 1], which get a bar beside the number.
    barred : frozenset of int
        Lines whose value has a bar.
    """

    form: ClassVar[str] = "sheet"
    caption: str
    table: Table
    groups: Sequence[tuple[str, int]] = ()
    bars: int | None = None
    barred: frozenset[int] = frozenset()

    @property
    def blocks(self) -> list[tuple[str, list[tuple[int, list[str]]]]]:
        """Title and numbered lines of each group."""
        lines = [
            (i, [cut(text, LABEL) for text in line])
            for i, line in enumerate(self.table.marked()[:MOST_LINES])
        ]
        blocks, start = [], 0
        for title, count in self.groups or [("", len(lines))]:
            blocks.append((title, lines[start : start + count]))
            start += count
        return [block for block in blocks if block[1]]

    @property
    def left_out(self) -> int:
        """How many lines are not shown."""
        return max(len(self.table.rows) - MOST_LINES, 0)

    def width(self, line: int) -> float | None:
        """Return how long the bar of a line is, in percent."""
        if self.bars is None or line not in self.barred:
            return None
        value = self.table.rows[line][self.bars]
        return 100 * min(max(value, 0.0), 1.0) if value == value else None


@dataclass(frozen=True)
class Picture:
    """A drawing, as SVG or, where that would be long, as PNG.

    Attributes
    ----------
    caption, description : str
        What stands below it, and what a reader who does not see it is told.
    svg : str
        The element; "" where ``png`` holds the picture.
    png : str
        Base64.
    """

    form: ClassVar[str] = "picture"
    caption: str
    description: str
    svg: str = ""
    png: str = ""


@dataclass(frozen=True)
class Column:
    """A column of a listing.

    Attributes
    ----------
    name : str
    numeric : bool
        Whether its cells are numbers, which are first sorted from the largest.
    """

    name: str
    numeric: bool = False


@dataclass(frozen=True)
class Cell:
    """A cell of a listing: what is shown, and what it is sorted by."""

    text: str
    value: float | None = None

    @classmethod
    def of(cls, value: Any, text: str | None = None) -> Cell:
        """Return the cell of a number."""
        return cls(show(value) if text is None else text, None if value is None else value)


@dataclass(frozen=True)
class Piece:
    """What an entry consists of: a name, how many items, some of them by name."""

    name: str
    count: int
    items: Sequence[str] = ()
    items_left_out: int = 0


@dataclass(frozen=True)
class Entry:
    """A line of a listing; ``cells`` stand in the order of its columns.

    Attributes
    ----------
    kind : str
        What it is, as the choice beside the search says.
    cells : sequence of Cell
        The first is its name.
    pieces : sequence of Piece
    left_out : str
        What is said of pieces that are not listed.
    """

    kind: str
    cells: Sequence[Cell]
    pieces: Sequence[Piece] = ()
    left_out: str = ""


@dataclass(frozen=True)
class Listing:
    """A table that readers search and sort.

    Attributes
    ----------
    caption : str
    noun : str
        What its lines are, in the plural.
    columns : sequence of Column
    last : str
        Name of the last column, which holds the pieces; "" where entries have none.
    entries : sequence of Entry
        In the order in which they are shown first.
    total : int
        How many there are beside those listed, with them.
    """

    form: ClassVar[str] = "listing"
    caption: str
    noun: str
    columns: Sequence[Column]
    last: str
    entries: Sequence[Entry]
    total: int

    @property
    def kinds(self) -> list[str]:
        """The kinds of its entries, in the order of their first ones."""
        return list(dict.fromkeys(entry.kind for entry in self.entries))


Part = Paragraphs | Figures | Facts | Notes | Sheet | Picture | Listing


@dataclass(frozen=True)
class Section:
    """A part of a page with a heading of its own.

    Attributes
    ----------
    key : str
        Name of the place in the page, in lower case, without blanks.
    """

    key: str
    title: str
    parts: Sequence[Part] = field(default_factory=list)
