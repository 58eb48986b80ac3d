"""Tables with a mention a row: columns for document, mention and entity."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.coreference.documents.columns import numbers_of
from partwise.coreference.documents.documents import DocumentColumns, Side, Spans
from partwise.coreference.documents.sides import take_spans
from partwise.coreference.formats import roles
from partwise.coreference.formats.files import Notes, source_of, stem_of
from partwise.coreference.formats.json_lines import ENDS
from partwise.coreference.formats.tables.cells import as_whole_numbers, filled, place_of
from partwise.coreference.formats.tables.columns import Wanted, columns_of
from partwise.coreference.mentions.identity import by_first_appearance, packed
from partwise.labels.columns import Column
from partwise.labels.files.read import Table, read_table
from partwise.labels.files.sources import CoreferenceFileError
from partwise.labels.forms import read_column
from partwise.numbers.arrays import IntArray
from partwise.numbers.checks import one_of

#: Positions stay below this, so that neither an end nor a sum of two overflows.
_BEYOND = 2**62


def read_mention_table(
    path: Path,
    notes: Notes,
    *,
    document: str | None = None,
    mention: str | Sequence[str] | None = None,
    entity: str | None = None,
    ends: str = "auto",
    header: bool | None = None,
    delimiter: str | None = None,
) -> Iterator[DocumentColumns]:
    """Yield the documents of a table (text, JSON rows, Parquet, npz), as they are first named.

    Parameters
    ----------
    path : Path
    notes : Notes
    document : str, optional
        Column of the document; by default one of a usual name ("document", "doc_id",
        "docname", "filename" ...), or the whole file as one where there is none.
    mention : str or sequence of str, optional
        Column of the mention; two columns of whole numbers are its first and last token. By
        default "first" and "last", "start" and "end" or the like, else "mention". Three
        columns: the sentence within which the positions in the other two count.
    entity : str, optional
        By default "entity", "cluster_id", "coref" or the like. Entities of different documents
        may have one name.
    ends : {"auto", "inclusive", "exclusive"}
        Of two columns: whether the second is the last token or the one after it. "auto": "last"
        is inclusive; "end" is, too, which a mention of one token proves.
    header : bool, optional
        Whether the first row names the columns; by default it does if a column has to be
        found by its name, else the content tells.
    delimiter : str, optional
        What parts the fields: a character, "tab", or "blanks" (any number of them).

    Raises
    ------
    ValueError
        A column that is not there, columns of different lengths, two columns that may be meant,
        an empty cell or a word that means one, a span that ends before it begins, positions
        that may begin anew in each sentence.
    """
    one_of(ends, ENDS, "ends")
    wanted = Wanted.of(document, mention, entity)
    table = _read(path, wanted, header, delimiter)
    _refuse_single_values(table)
    _refuse_unequal_columns(table)
    _tell_reading(table, notes)
    columns = columns_of(table, wanted, notes)
    names, of_document = _documents(table, columns.documents, path, notes)
    entity_names, of_entity = _dense(filled(table, columns.entity, "entity", notes))
    order = np.argsort(of_document, kind="stable")
    mentions = _mentions(table, columns.mention, ends, notes)
    _tell_reading(table, notes)
    of_rows: Spans | list[Hashable]
    if isinstance(mentions, Spans):
        of_rows, numbers = take_spans(mentions, order), None
    else:
        of_rows = [mentions[row] for row in order.tolist()]
        numbers = numbers_of(of_rows)
    of_document, of_entity = of_document[order], of_entity[order]
    of_mentions, first = by_first_appearance(packed([of_document, of_entity]))
    side = Side(
        names,
        of_document,
        of_mentions,
        of_document[first],
        [entity_names[code] for code in of_entity[first].tolist()],
        of_rows,
        [None] * len(names),
        numbers,
    )
    yield DocumentColumns(side, np.full(len(names), bool(columns.documents)))


def _read(path: Path, wanted: Wanted, header: bool | None, delimiter: str | None) -> Table:
    """Return the columns of a file that is a table."""
    try:
        return read_table(
            source_of(path),
            header=header,
            delimiter=delimiter,
            wanted=wanted.names,
            is_header=wanted.is_header,
        )
    except CoreferenceFileError as error:
        raise ValueError(
            f"{path}: the file marks mentions in the text of documents and is no table with a "
            "mention a row; leave format= out, so that the content tells its format, or name it"
        ) from error


def _tell_reading(table: Table, notes: Notes) -> None:
    """Tell how the file was read; what was told before is not told again."""
    for note in table.notes:
        notes.tell(note.code, note.text)


def _mentions(
    table: Table, columns: list[str], ends: str, notes: Notes
) -> Spans | list[Hashable]:
    """Return the mention of each row."""
    if len(columns) == 1:
        if ends != "auto":
            raise ValueError(
                f"{table.path}: ends= is for mentions in two columns, this table has one "
                f"({columns[0]!r})"
            )
        return _ids(table, columns[0], "mention", notes)
    first, last = (_whole_numbers(table, name, notes) for name in columns[-2:])
    exclusive = _ends_of(columns[-2:], first, last, ends, notes) == "exclusive"
    _check_spans(table, first, last, exclusive=exclusive)
    if exclusive:
        last = last - 1
    if len(columns) == 3:
        sentences = _ids(table, columns[0], "sentence", notes)
        return list(zip(sentences, first.tolist(), last.tolist(), strict=True))
    lines = None if table.lines is None else np.asarray(table.lines, dtype=np.int64)
    return Spans(first, last, line=lines)


def _ids(table: Table, name: str, role: str, notes: Notes) -> list[Hashable]:
    """Return a column of ids: numbers where all cells are, else text."""
    filled(table, name, role, notes)
    column = read_column(table.values(name), table.path)
    labels = column.codes if column.categories is None else column.categories[column.codes]
    listed: list[Hashable] = as_whole_numbers(labels, notes).tolist()
    return listed


def _ends_of(
    columns: list[str], first: IntArray, last: IntArray, ends: str, notes: Notes
) -> str:
    """Return how the second column of mentions is taken, and note why."""
    if ends != "auto":
        return ends
    if roles.plain(columns[1]) in roles.INCLUSIVE or not len(first):
        return "inclusive"
    if (first == last).any():
        notes.tell("ends-taken", "ends of mentions taken as inclusive, as the file proves")
    else:
        notes.tell(
            "ends-by-default",
            "ends of mentions taken as inclusive, by default, as nothing in the file proves it",
        )
    return "inclusive"


def _refuse_single_values(table: Table) -> None:
    """Refuse arrays without a dimension, which an archive of NumPy can hold."""
    for name, values in table.columns.items():
        if isinstance(values, np.ndarray) and values.ndim == 0:
            raise ValueError(
                f"{table.path}: {name!r} is a single value; a table has one for each mention"
            )


def _refuse_unequal_columns(table: Table) -> None:
    """Refuse columns of different lengths, which an archive of NumPy can hold."""
    if table.lines is not None:
        return
    lengths = {name: len(values) for name, values in table.columns.items()}
    if len({*lengths.values()}) > 1:
        listed = ", ".join(f"{name!r} {n}" for name, n in lengths.items())
        raise ValueError(
            f"{table.path}: columns of different lengths ({listed}); each has a value for "
            "each mention: complete them, or leave out those that are of something else"
        )


def _documents(
    table: Table, columns: list[str], path: Path, notes: Notes
) -> tuple[list[str], IntArray]:
    """Return the documents in order of first appearance, and that of each row."""
    if not columns:
        n = len(next(iter(table.columns.values()))) if table.columns else 0
        name = stem_of(path)
        notes.tell(
            "documents-named",
            f"no column of documents, read as one document named {name!r}, as the file",
        )
        return [name], np.zeros(n, dtype=np.int64)
    names, codes = _dense(filled(table, columns[0], "document", notes))
    if len(columns) == 2:
        parts, part = _dense(filled(table, columns[1], "part", notes))
        both = np.stack((codes, part))
        pairs, codes = np.unique(both, axis=1, return_inverse=True)
        names = [_of_part(names[d], parts[p]) for d, p in pairs.T.tolist()]
        codes = codes.reshape(-1)
    order, numbered = _by_first_appearance(codes)
    return [str(names[code]) for code in order.tolist()], numbered


def _of_part(name: Any, part: Any) -> str:
    """Return the name of a document's part, as CoNLL-2012 writes it."""
    text = str(part)
    return f"({name}); part {text.zfill(3) if text.isdecimal() else text}"


def _dense(column: Column) -> tuple[list[Any], IntArray]:
    """Return the distinct labels of a column, and the place of each row's among them."""
    if column.categories is not None:
        return column.categories.tolist(), column.codes.astype(np.int64)
    labels, codes = np.unique(column.codes, return_inverse=True)
    return labels.tolist(), codes.astype(np.int64)


def _by_first_appearance(codes: IntArray) -> tuple[IntArray, IntArray]:
    """Return distinct codes in order of first appearance, and each row's rank among them."""
    labels, at, inverse = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(at)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return labels[order], rank[inverse]


def _whole_numbers(table: Table, name: str, notes: Notes) -> IntArray:
    filled(table, name, "mention", notes)
    column = read_column(table.number_values(name), table.path)
    values: NDArray[Any] = (
        column.codes if column.categories is None else column.categories[column.codes]
    )
    values = as_whole_numbers(values, notes)
    if len(values) and values.dtype.kind not in "iu":
        listed = values.tolist()
        row = next((at for at, x in enumerate(listed) if not _is_whole(x)), 0)
        raise ValueError(
            f"{place_of(table, row)}: column {name!r} holds {str(listed[row])[:60]!r}; whole "
            "numbers of tokens are expected"
        )
    if values.dtype.kind == "u" and len(values) and int(values.max()) >= 2**63:
        row = int(np.argmax(values))
        raise ValueError(
            f"{place_of(table, row)}: column {name!r} holds {values[row]}, which no token has"
        )
    return values.astype(np.int64)


def _is_whole(value: Any) -> bool:
    try:
        return abs(float(value)) < 2.0**63 and float(value).is_integer()
    except (TypeError, ValueError, OverflowError):
        return False


def _check_spans(table: Table, first: IntArray, last: IntArray, *, exclusive: bool) -> None:
    """Refuse spans that are none; ``last`` is as the file has it."""
    beyond = _BEYOND + exclusive
    wrong = np.flatnonzero((first < 0) | (last < first + exclusive) | (last >= beyond))
    if not len(wrong):
        return
    at = int(wrong[0])
    begin, end = int(first[at]), int(last[at])
    if begin < 0:
        why = "begins before token 0"
    elif end >= beyond:
        why = f"has a token that is not below {_BEYOND}"
    elif end < begin:
        why = "ends before it begins"
    else:
        why = (
            'holds no token, as ends="exclusive" makes its second number the token after it; '
            'ends="inclusive" takes that as its last token'
        )
    raise ValueError(f"{place_of(table, at)}: the mention from {begin} to {end} {why}")
