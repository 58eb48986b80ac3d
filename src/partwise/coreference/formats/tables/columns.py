"""Which columns of a table hold documents, mentions and entities, and what to say of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from partwise.coreference.formats import roles
from partwise.coreference.formats.files import Notes
from partwise.coreference.formats.tables.cells import codes_of
from partwise.labels.files.read import Table
from partwise.numbers.arrays import IntArray


@dataclass(frozen=True, slots=True)
class Wanted:
    """Names or numbers of the columns that were asked for; None where none was.

    Attributes
    ----------
    document, entity : str or None
    mention : list of str or None
        One column, two for first and last token, or three with the sentence in front.
    """

    document: str | None = None
    mention: list[str] | None = None
    entity: str | None = None

    @classmethod
    def of(
        cls,
        document: str | None,
        mention: str | int | Sequence[str] | None,
        entity: str | None,
    ) -> Wanted:
        """Return what a caller asks for.

        Raises
        ------
        ValueError
            No column of mentions, or too many.
        """
        if mention is None:
            return cls(document, None, entity)
        columns = [mention] if isinstance(mention, (str, int)) else list(mention)
        if len(columns) not in (1, 2, 3):
            raise ValueError(
                f"mention={mention!r}: one column, two for first and last token, or three for "
                "sentence, first and last token"
            )
        return cls(document, [str(name) for name in columns], entity)

    @property
    def names(self) -> list[str]:
        """Every name or number."""
        return [x for x in (self.document, *(self.mention or ()), self.entity) if x is not None]

    def is_header(self, first: Sequence[str]) -> bool:
        """Return whether the first row of a table names its columns for certain.

        It does where a column has to be found by its name.
        """
        by_number = self.mention is not None and self.entity is not None
        by_number = by_number and all(str(name).isdecimal() for name in self.names)
        return not by_number or roles.name_roles(first)


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table by what they hold.

    Attributes
    ----------
    documents : list of str
        None, one, or one and that of the part.
    mention : list of str
        As in ``Wanted``.
    entity : str
    """

    documents: list[str]
    mention: list[str]
    entity: str


def columns_of(table: Table, wanted: Wanted, notes: Notes) -> Columns:
    """Return the columns of a table, and note what they were taken for.

    Raises
    ------
    ValueError
        No column for a mention or an entity, two columns that may be meant, or positions that
        may begin anew in each sentence.
    """
    entity = (
        _by_role(table, (roles.ENTITY,), "entity")
        if wanted.entity is None
        else table.find(wanted.entity)
    )
    if entity is None:
        raise _no_column(table, "'entity'", "entities", "entity")
    columns = Columns(
        _document_columns(table, wanted.document), _mention_columns(table, wanted), entity
    )
    _tell(table, columns, notes)
    if wanted.mention is None and len(columns.mention) == 2:
        _check_sentences(table, columns, notes)
    return columns


def _no_column(table: Table, what: str, named: str, option: str) -> ValueError:
    names = ", ".join(
        name if len(name) <= 60 else f"{name[:57]}..." for name in table.every_name
    )
    if len(names) > 1000:
        names = f"{names[:1000]}..."
    again = [name for name in table.every_name if " (column " in name]
    twice = (
        " (a name that stands twice is shown with the number of its column)" if again else ""
    )
    numbered = table.every_name == [str(j + 1) for j in range(len(table.every_name))]
    first = (
        "; if the first row names no columns, say so with header=False and name the columns by "
        "number"
        if table.lines is not None and not numbered
        else ""
    )
    return ValueError(
        f"{table.path}: no column {what}; the columns are: {names}{twice}; name the one of "
        f"{named} with {option}=...{first}"
    )


def _by_role(table: Table, ranked: Sequence[Sequence[str]], role: str) -> str | None:
    """Return the column that has a role by its name; None where no column has."""
    named: list[str] = next(filter(None, (_called(table, names) for names in ranked)), [])
    if len(named) < 2:
        return named[0] if named else None
    rows = [codes_of(table, name) for name in named]
    for name, codes in zip(named[1:], rows[1:], strict=True):
        if not _one_partition(rows[0], codes):
            raise ValueError(
                f"{table.path}: {named[0]!r} and {name!r} may both be the column of the "
                f"{role}, and they differ; name one with {role}=..."
            )
    return named[0]


def _called(table: Table, names: Sequence[str]) -> list[str]:
    """Return the columns of some names; one whose name stands twice is of that name, too."""
    plain = {name: name.partition(" (column ")[0] for name in table.every_name}
    ordered = roles.called(dict.fromkeys(plain.values()), names)
    return [name for bare in ordered for name, own in plain.items() if own == bare]


def _one_partition(codes: IntArray, others: IntArray) -> bool:
    """Return whether two columns part the rows alike."""
    pairs = len(np.unique(np.stack((codes, others)), axis=1)[0])
    return pairs == len(np.unique(codes)) == len(np.unique(others))


def _document_columns(table: Table, document: str | None) -> list[str]:
    """Return the columns that name documents: none, one, or one and that of the part."""
    if document is not None:
        return [table.find(document)]
    name = _by_role(table, (roles.DOCUMENT, roles.OTHER_DOCUMENT), "document")
    part = _by_role(table, (roles.PART,), "part")
    if name is None and part is not None:
        raise ValueError(
            f"{table.path}: a column {part!r} but none of documents; mentions of all parts may "
            "be of one document or of one a part: name the column of documents with "
            "document=..."
        )
    return [column for column in (name, part) if column is not None]


def _mention_columns(table: Table, wanted: Wanted) -> list[str]:
    """Return the column of mentions, or two of first and last token."""
    if wanted.mention is not None:
        return [table.find(name) for name in wanted.mention]
    fitting = roles.pairs_of_tokens(table.every_name)
    if len(fitting) > 1 and fitting[0] != ["first", "last"]:
        shown = " or ".join(" and ".join(map(repr, pair)) for pair in fitting)
        raise ValueError(
            f"{table.path}: mentions may go from {shown}; name two columns with mention=..."
        )
    if fitting:
        return fitting[0]
    one = _by_role(table, (roles.MENTION,), "mention")
    if one is None:
        raise _no_column(table, "'mention', nor 'first' and 'last'", "mentions", "mention")
    return [one]


# ---- what is said of them ----------------------------------------------------------


def _tell(table: Table, columns: Columns, notes: Notes) -> None:
    """Note which columns were taken for what, where their names are not those of the guide."""
    by_role = (
        ("document", columns.documents, {"document"}),
        ("mention", columns.mention, {"mention", "first", "last"}),
        ("entity", [columns.entity], {"entity"}),
    )
    taken = [
        f"{' and '.join(map(repr, names))} as {role}"
        for role, names, usual in by_role
        if set(names) - usual
    ]
    if taken:
        notes.tell("columns-taken", f"columns taken: {', '.join(taken)}")
    unused = _unused(table, columns)
    maybe = [] if columns.documents else _maybe_documents(table, unused)
    if maybe:
        notes.tell(
            "unused-column",
            f"no column of documents was recognised, so all mentions were read as of one; "
            f"{' and '.join(map(repr, maybe))} may tell documents apart and was not used",
        )
    if unused:
        notes.tell("columns-unused", f"columns not used: {', '.join(map(repr, unused))}")


def _maybe_documents(table: Table, names: Sequence[str]) -> list[str]:
    """Return the columns that may tell documents apart by their names and their values."""
    named = [*roles.called(names, roles.MAYBE_DOCUMENT), *roles.called(names, roles.IDS)]
    ids = {*roles.called(names, roles.IDS)}
    telling = []
    for name in named:
        try:
            sizes = np.unique(codes_of(table, name), return_counts=True)[1]
        except (TypeError, ValueError):  # lists of words, say
            continue
        if len(sizes) > 1 and (name not in ids or sizes.max() > 1):
            telling.append(name)
    return telling


def _unused(table: Table, columns: Columns) -> list[str]:
    used = {*columns.documents, *columns.mention, columns.entity}
    return [name for name in table.every_name if name not in used]


#: So many times positions have to go on where a sentence ends.
_PROOFS = 10


def _check_sentences(table: Table, columns: Columns, notes: Notes) -> None:
    """Refuse positions that may begin anew in each sentence.

    Spans of different sentences would be one mention. Positions that go on at ten ends of
    sentences, and begin anew at none, count over the document.
    """
    named = roles.called(_unused(table, columns), roles.SENTENCE)
    if not named:
        return
    sentence = named[0]
    codes = [codes_of(table, name) for name in (*columns.documents, sentence)]
    bounds = _bounds_of_sentences(table, columns, sentence)
    units = np.unique(np.stack(codes), axis=1)
    documents = len(np.unique(units[:-1], axis=1)[0]) if len(codes) > 1 else 1
    if len(units[0]) <= documents:
        return  # one sentence a document: both readings are the same
    if bounds is not None and sum(bounds) >= _PROOFS and all(bounds):
        notes.tell(
            "mentions-interpreted",
            f"positions taken to count over the document, not within {sentence!r}, as they go "
            "on from one to the next",
        )
        return
    first, last = columns.mention
    raise ValueError(
        f"{table.path}: positions in {first!r} and {last!r} may count from the beginning of "
        f"the document or of each {sentence!r}, which makes other mentions; name two columns "
        f"with mention=... ({first}, {last}) if they count over the document, three "
        f"({sentence}, {first}, {last}) if they begin anew"
    )


def _bounds_of_sentences(table: Table, columns: Columns, sentence: str) -> list[bool] | None:
    """Return whether positions go on at each end of a sentence; None where none is a number."""
    try:
        number, first, last = (
            np.asarray(table.values(name), dtype=np.float64)
            for name in (sentence, *columns.mention)
        )
    except (TypeError, ValueError):
        return None
    document = np.zeros(len(number), dtype=np.int64)
    for name in columns.documents:
        codes = codes_of(table, name)
        document = np.unique(np.stack((document, codes)), axis=1, return_inverse=True)[1]
        document = document.reshape(-1)
    goes_on = []
    order = np.lexsort((first, number, document))
    reached: dict[tuple[int, float], float] = {}
    begins: dict[tuple[int, float], float] = {}
    for at in order.tolist():
        unit = (int(document[at]), float(number[at]))
        begins.setdefault(unit, float(first[at]))
        reached[unit] = max(reached.get(unit, -1.0), float(last[at]))
    units = list(begins)
    for unit, after in pairwise(units):
        if unit[0] == after[0]:
            goes_on.append(begins[after] > reached[unit])
    return goes_on
