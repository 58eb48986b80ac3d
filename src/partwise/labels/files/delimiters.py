"""The field separator of a text table, and whether the lines are a table at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from partwise.labels.files.headers import role_of
from partwise.labels.notes import Note
from partwise.labels.suspicions import MISSING_WORDS

#: Any run of blanks.
BLANKS = " "
NAMES = {"\t": "tab", BLANKS: "blanks"}
# the field separator without another word, by format
_USUAL = {"csv": ",;", "tsv": "\t", "clu": "\t,;|"}
_WORDS = {"tab": "\t", "\\t": "\t", "blank": BLANKS, "blanks": BLANKS, "space": BLANKS}
_BLANK_FIELD = re.compile(r'"(?:[^"\\]|\\.|"")*"(?=\s|$)|\S+')
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
# a quoted field with another one behind it
_QUOTED_FIRST = re.compile(r'\s*"(?:[^"\\]|\\.|"")*"\s*[\s;|]\s*\S')


def spoken(delimiter: str) -> str:
    """Return a delimiter in words for messages."""
    return {"\t": "tabs", BLANKS: "blanks"}.get(delimiter, f"{delimiter!r}")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a caller asks for, as far as it tells whether a file is a table.

    Attributes
    ----------
    columns : sequence of str
        Names, or numbers from 1.
    items : sequence of str
        Those of them that hold item ids.
    is_header : callable or None
        Tells of a first row that it names the columns for certain. Where it is there, the file
        is a table, whatever its lines look like.
    """

    columns: Sequence[str] = ()
    items: Sequence[str] = ()
    is_header: Callable[[Sequence[str]], bool] | None = None

    def certain(self, first: Sequence[str]) -> bool:
        """Return whether a first row names the columns for certain."""
        return self.is_header is not None and self.is_header(first)

    @property
    def names(self) -> list[str]:
        """Those that are no numbers."""
        return [name for name in self.columns if not re.fullmatch("[0-9]+", name)]

    @property
    def several(self) -> bool:
        """Whether only a file of several columns can have them."""
        numbers = [int(x) for x in self.columns if re.fullmatch("[0-9]+", x)]
        many = len(set(self.columns)) > 1 or any(number > 1 for number in numbers)
        return many or self.is_header is not None


def delimiter_of(text: str | None) -> str | None:
    """Return the delimiter that an option means: one character, or a word for it.

    Raises
    ------
    ValueError
        The option is more than one character and no word.
    """
    if text is None:
        return None
    if text in _WORDS or text == "\t":
        return _WORDS.get(text, text)
    if text and not text.strip(" "):
        return BLANKS
    if len(text) != 1 or text in '\r\n"':
        raise ValueError(
            f"delimiter={text!r} must be one character, or one of: tab, blanks (any number "
            "of them)"
        )
    return text


def declared_delimiter(text: str) -> str | None:
    """Return the delimiter that a first line "sep=;" declares, as Excel writes and reads it."""
    declared = re.match(r"sep=([^\r\n\"])(?:\r\n|\n|\r)([^\r\n]*)", text, re.IGNORECASE)
    return declared[1] if declared and declared[1] in declared[2] else None


def note_on_declared(path: Path, declared: str, delimiter: str | None) -> Note:
    """Return the note on a delimiter that the first line declares."""
    if delimiter not in (None, declared):
        raise ValueError(
            f"{path}:1: the first line declares the delimiter {declared!r}, and "
            f"delimiter={delimiter!r} is another one; leave it out"
        )
    text = f"fields are separated by {spoken(declared)}, as the first line declares (sep=)"
    return Note("delimiter-found", text)


def fields_of(line: str, delimiter: str) -> list[str]:
    """Return the fields of one line, quoted ones without their quotes."""
    if delimiter == BLANKS:
        return [_unescaped(field) for field in _BLANK_FIELD.findall(line)]
    if delimiter == "\t" or '"' not in line:
        return [bare(field.strip(" \t")) for field in line.split(delimiter)]
    hidden = _QUOTED.sub(lambda match: match[0].replace(delimiter, "\0"), line)
    return [
        bare(field.replace("\0", delimiter).strip(" \t")) for field in hidden.split(delimiter)
    ]


def width_of(line: str, delimiter: str) -> int:
    """Return the number of fields of one line."""
    if delimiter == "\t" or (delimiter != BLANKS and '"' not in line):
        return line.count(delimiter) + 1
    return len(fields_of(line, delimiter))


def _unescaped(field: str) -> str:
    if len(field) >= 2 and field[0] == field[-1] == '"' and "\\" in field:
        return re.sub(r"\\(.)", r"\1", field[1:-1])
    return bare(field)


def bare(cell: str) -> str:
    """Return a cell without quotes around all of it; blanks inside them are part of it."""
    if len(cell) >= 2 and cell[0] == cell[-1] == '"':
        return cell[1:-1].replace('""', '"')
    return cell


@dataclass(frozen=True, slots=True)
class Shape:
    """How the lines of a sample split at one delimiter."""

    delimiter: str
    first: int
    others: frozenset[int]

    @property
    def uniform(self) -> bool:
        """Whether every line has the same number of fields, two or more."""
        return self.first > 1 and self.others <= {self.first}

    @property
    def width(self) -> int:
        """The fields of the lines below the first, 0 where these differ."""
        return min(self.others) if len(self.others) == 1 else 0

    @property
    def short_header(self) -> bool:
        """Whether the first line has one field less than all others, as R writes row names."""
        return self.width > 1 and self.first == self.width - 1


def shape_of(lines: Sequence[str], delimiter: str) -> Shape:
    """Return how lines split."""
    widths = [width_of(line, delimiter) for line in lines]
    return Shape(delimiter, widths[0], frozenset(widths[1:]))


def find_delimiter(
    path: Path, kind: str, lines: list[str], sampled: int, asked: Asked, commented: str
) -> tuple[str | None, list[Note]]:
    """Return the field separator, None where each line is one label; and what to tell.

    Parameters
    ----------
    path : Path
    kind : {"auto", "csv", "tsv", "clu"}
    lines : list of str
        The rows, header included, without empty ones.
    sampled : int
        How many of them tell.
    asked : Asked
    commented : str
        The last line of comment above the rows, "" where there is none.

    Raises
    ------
    ValueError
        Two readings are left that give different clusterings.
    """
    if not lines:
        return None, []
    sample = _joined(lines[:sampled])
    order = ",;\t|" if kind == "csv" else "\t,;|"
    shapes = {delimiter: shape_of(sample, delimiter) for delimiter in order}
    uniform = [d for d in order if shapes[d].uniform]
    if uniform:
        chosen = _best(path, kind, uniform)
        usual = chosen in _USUAL.get(kind, "\t,")
        if usual or _is_table(path, lines, shapes[chosen], asked, commented):
            return chosen, [] if usual else _told(chosen)
        return None, []
    short = [d for d in order if _has_row_names(sample, shapes[d], asked)]
    if "\t" in short and kind != "csv":
        short = ["\t"]
    if len(short) > 1:
        _best(path, kind, short)  # refuses
    if short:
        if short[0] != "\t" and not asked.names and shape_of(sample, BLANKS).uniform:
            raise ValueError(
                f"{path}: every line splits at blanks, and those below the first at "
                f"{spoken(short[0])}: give the delimiter (delimiter=)"
            )
        _check_row_names(path, sample, shapes[short[0]], asked)
        return short[0], _told(short[0]) if short[0] in ";|" else []
    for delimiter in _USUAL.get(kind, "\t,"):
        if shapes[delimiter].first > 1:
            return delimiter, []  # whose reader names the line that does not fit
    for delimiter in order:
        shape = shapes[delimiter]
        if len(sample) > 2 and shape.first == 1 and shape.width > 1 and not short:
            if shape.width == 2 and not _distinct_first(sample, delimiter):
                continue  # labels that hold the character, and one that does not
            labels = ', or say that each line is one label with format="lines"'
            raise ValueError(
                f"{path}: the first line ({sample[0][:40]!r}) is one field where the others "
                f"split into {shape.width} at {spoken(delimiter)}; take it out of the file"
                + ("" if asked.is_header else labels)
            )
    return _at_blanks(path, kind, lines, sample, asked, commented)


def _has_row_names(sample: list[str], shape: Shape, asked: Asked) -> bool:
    """Return whether a header one short may stand above rows that begin with a name."""
    if not shape.short_header or not _distinct_first(sample, shape.delimiter):
        return False
    return set(asked.names) <= set(fields_of(sample[0], shape.delimiter))


def _check_row_names(path: Path, sample: list[str], shape: Shape, asked: Asked) -> None:
    """Refuse a header of one field that may be a label without the delimiter in it."""
    name = bare(sample[0].strip())
    by_column = bool(asked.names) or asked.several  # both readings have a column 1
    if shape.width > 2 or by_column or role_of(name) or shape.delimiter == "\t":
        return
    raise ValueError(_two_readings(path, 2, shape.delimiter, "below the first "))


def _best(path: Path, kind: str, uniform: list[str]) -> str:
    """Return the delimiter where every line splits alike at one or more."""
    if kind != "csv" and "\t" in uniform:
        return "\t"
    if len(uniform) > 1:
        names = " and ".join("tab" if d == "\t" else d for d in uniform[:2])
        raise ValueError(
            f"{path}: the first row holds both {names}: give the delimiter (delimiter=)"
        )
    return uniform[0]


def _at_blanks(
    path: Path,
    kind: str,
    lines: list[str],
    sample: list[str],
    asked: Asked,
    commented: str,
) -> tuple[str | None, list[Note]]:
    shape = shape_of(sample, BLANKS)
    if kind == "clu" and shape.first > 1:
        return BLANKS, []
    if shape.short_header and _distinct_first(sample, BLANKS):
        quoted = all(map(_QUOTED_FIRST.match, sample[1:]))
        header = fields_of(sample[0], BLANKS)
        whole_line = bare(sample[0].strip())
        by_name = set(asked.names) <= set(header) and whole_line not in asked.names
        if quoted or (asked.names and by_name) or asked.certain(header):
            return BLANKS, _told(BLANKS)
        raise ValueError(_two_readings(path, shape.width, BLANKS, "below the first "))
    if shape.uniform and _is_table(path, lines, shape, asked, commented):
        return BLANKS, _told(BLANKS)
    return None, []


def _is_table(path: Path, lines: list[str], shape: Shape, asked: Asked, commented: str) -> bool:
    """Return whether lines that all split alike are a table, and not one label each."""
    delimiter, width = shape.delimiter, shape.first
    # a tab at the start of a line is the empty name of an index, and no blank beside a cell
    if bare(lines[0].strip(" " if delimiter == "\t" else None)) in asked.names:
        return False  # the whole first line names the column
    header = fields_of(lines[0].lstrip("#%"), delimiter)
    above = fields_of(commented.lstrip("#% "), delimiter) if commented else []
    if asked.several or (asked.names and {*asked.names} <= {*header, *above}):
        return True
    named = len(above) == width and any(map(role_of, above))  # and no prose of as many words
    if named or any(map(_QUOTED_FIRST.match, lines[:1000])):
        return True
    rows = [fields_of(line, delimiter) for line in lines]
    if any(len(row) != width for row in rows):
        return False
    if asked.columns and delimiter != BLANKS:
        return True
    # the first field of a line and the whole line are one label only if nothing else varies
    first_asked = bool(asked.columns) and len({row[0] for row in rows}) == 1
    if _one_column_varies(rows) and not (first_asked and len(set(map(tuple, rows))) > 1):
        return False
    raise ValueError(_two_readings(path, width, delimiter, ""))


def _two_readings(path: Path, width: int, delimiter: str, where: str) -> str:
    name = NAMES.get(delimiter, delimiter)
    return (
        f"{path}: every line {where}splits into {width} fields at {spoken(delimiter)}, so it "
        f'is a table or one label a line; for a table give delimiter="{name}" and the column '
        'of the labels, for labels format="lines"'
    )


def _one_column_varies(rows: list[list[str]]) -> bool:
    """Return whether whole lines part the items as one of their columns does.

    "cluster 1", "cluster 2" ... is such a file; where lines never come again, or the constant
    field is a number, it may be a table with everything in one cluster.
    """
    if len({tuple(row) for row in rows}) == len(rows) > 1:
        return False
    columns = [set(column) for column in zip(*rows, strict=True)]
    if not MISSING_WORDS.isdisjoint(set().union(*columns)):
        return False  # "NA" alone is a missing label, "NA cell" is none
    constant = [cells for cells in columns if len(cells) == 1]
    words = all(any(c.isalpha() for c in cell) for cells in constant for cell in cells)
    return len(constant) >= len(columns) - 1 and words


def _distinct_first(sample: list[str], delimiter: str) -> bool:
    """Return whether the first fields below the first line are distinct, as row names are."""
    first = [fields_of(line, delimiter)[0] for line in sample[1:]]
    return len(set(first)) == len(first)


def _told(delimiter: str) -> list[Note]:
    return [Note("delimiter-found", f"fields are separated by {spoken(delimiter)}")]


def _joined(lines: list[str]) -> list[str]:
    """Join lines that a quoted line end parts, where the quotes are balanced at all."""
    if not any(line.count('"') % 2 for line in lines):
        return lines
    rows: list[str] = []
    still_open = False
    for line in lines:
        if still_open:
            rows[-1] += "\n" + line
        else:
            rows.append(line)
        still_open = rows[-1].count('"') % 2 == 1
    return lines if still_open else rows
