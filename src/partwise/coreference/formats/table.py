"""Tables with a mention a row: columns for document, mention and entity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.coreference.documents.documents import Document, Spans
from partwise.coreference.formats import roles
from partwise.coreference.formats.files import Notes, stem_of
from partwise.coreference.formats.jsonlines import ENDS
from partwise.labels.columns import (
    Column,
)
from partwise.labels.files.read import Table, composite_column, kind_of_file, read_table
from partwise.labels.forms import read_column
from partwise.numbers.arrays import IntArray
from partwise.numbers.checks import one_of


def read_mention_table(
    path: Path,
    notes: Notes,
    *,
    document: str | None = None,
    mention: str | Sequence[str] | None = None,
    entity: str | None = None,
    ends: str = "auto",
) -> Iterator[Document]:
    """Yield the documents of a table (CSV, TSV, Parquet, npz), as they are first named.

    Parameters
    ----------
    path : Path
    notes : Notes
    document : str, optional
        Column of the document; by default one of a usual name ("document", "doc_id",
        "docname" ...), or the whole file as one where there is none.
    mention : str or sequence of str, optional
        Column of the mention; two columns of whole numbers are its first and last token. By
        default "first" and "last", "start" and "end" or the like, else "mention".
    entity : str, optional
        By default "entity", "cluster_id", "coref" or the like. Entities of different documents
        may have one name.
    ends : {"auto", "inclusive", "exclusive"}
        Of two columns: whether the second is the last token or the one after it. "auto": "last"
        is inclusive; "end" is, too, which a mention of one token proves.

    Raises
    ------
    ValueError
        A column that is not there, two columns that may be meant, an empty cell, a span that
        ends before it begins.
    """
    one_of(ends, ENDS, "ends")
    binary = kind_of_file(path, "auto") in ("npy", "npz", "parquet")
    table = read_table(path, header=None if binary else True)
    for note in table.notes:
        notes.tell(getattr(note, "code", "comments-skipped"), getattr(note, "text", note))
    entity = entity or _role(table, roles.ENTITY, "entity")
    if entity is None:
        raise ValueError(
            f"{path}: no column 'entity'; the columns are: {', '.join(table.columns)}; name "
            "the one of entities with entity=..."
        )
    columns = _mention_columns(table, mention)
    documents = _document_columns(table, document)
    _tell_columns(table, documents, columns, entity, notes)
    names, of_document = _documents(table, documents, path, notes)
    entity_names, of_entity = _dense(composite_column(table, [entity], "entity"))
    order = np.argsort(of_document, kind="stable")
    bounds = np.searchsorted(of_document[order], np.arange(len(names) + 1)).tolist()
    lines = None if table.lines is None else np.asarray(table.lines, dtype=np.int64)
    if len(columns) == 2:
        first, last = (_whole_numbers(table, name) for name in columns)
        if _ends_of(columns, first, last, ends, notes) == "exclusive":
            last = last - 1
        _check_spans(table, first, last)
    else:
        if ends != "auto":
            raise ValueError(
                f"{path}: ends= is for mentions in two columns, this table has one "
                f"({columns[0]!r})"
            )
        _no_empty_cells(table, columns[0])
        column = read_column(table.values(columns[0]), str(path))
        labels = column.codes if column.categories is None else column.categories[column.codes]
        mentions = labels.tolist()
    for name, low, high in zip(names, bounds[:-1], bounds[1:], strict=True):
        rows = order[low:high]
        entities, codes = _by_first_appearance(of_entity[rows])
        of_rows: Any
        if len(columns) == 2:
            line = None if lines is None else lines[rows]
            of_rows = Spans(first[rows], last[rows], line=line)
        else:
            of_rows = [mentions[row] for row in rows.tolist()]
        listed = [entity_names[e] for e in entities.tolist()]
        yield Document(name, of_rows, codes, listed, named=bool(documents))


def _role(table: Table, wanted: Sequence[str], role: str) -> str | None:
    """Return the column that has a role by its name; None where no column has."""
    named = roles.called(table.columns, wanted)
    if len(named) < 2:
        return named[0] if named else None
    rows = [composite_column(table, [name], role).codes for name in named]
    for name, codes in zip(named[1:], rows[1:], strict=True):
        if not _one_partition(rows[0], codes):
            raise ValueError(
                f"{table.path}: {named[0]!r} and {name!r} may both be the column of the "
                f"{role}, and they differ; name one with {role}=..."
            )
    return named[0]


def _one_partition(codes: IntArray, others: IntArray) -> bool:
    """Return whether two columns part the rows alike."""
    pairs = len(np.unique(np.stack((codes, others)), axis=1)[0])
    return pairs == len(np.unique(codes)) == len(np.unique(others))


def _document_columns(table: Table, document: str | None) -> list[str]:
    """Return the columns that name documents: none, one, or one and that of the part."""
    if document is not None:
        return [table.find(document)]
    name = _role(table, roles.DOCUMENT, "document")
    part = _role(table, roles.PART, "part")
    if name is None and part is not None:
        raise ValueError(
            f"{table.path}: a column {part!r} but none of documents; mentions of all parts may "
            "be of one document or of one a part: name the column of documents with "
            "document=..."
        )
    return [column for column in (name, part) if column is not None]


def _mention_columns(table: Table, mention: str | Sequence[str] | None) -> list[str]:
    """Return the column of mentions, or two of first and last token."""
    if mention is not None:
        columns = [mention] if isinstance(mention, str) else list(mention)
        if len(columns) not in (1, 2):
            raise ValueError(
                f"mention={mention!r}: one column, or two for first and last token"
            )
        return [table.find(name) for name in columns]
    fitting = []
    for first, last in roles.SPANS:
        pair = [roles.called(table.columns, [name]) for name in (first, last)]
        if all(pair):
            fitting.append([pair[0][0], pair[1][0]])
    if len(fitting) > 1 and fitting[0] != ["first", "last"]:
        shown = " or ".join(" and ".join(map(repr, pair)) for pair in fitting)
        raise ValueError(
            f"{table.path}: mentions may go from {shown}; name two columns with mention=..."
        )
    if fitting:
        return fitting[0]
    one = _role(table, roles.MENTION, "mention")
    if one is None:
        raise ValueError(
            f"{table.path}: no column 'mention', nor 'first' and 'last'; the columns are: "
            f"{', '.join(table.columns)}; name the one of mentions with mention=..."
        )
    return [one]


def _tell_columns(
    table: Table, documents: list[str], mention: list[str], entity: str, notes: Notes
) -> None:
    """Note which columns were taken for what, where their names are not those of the guide."""
    of_roles = (("document", documents), ("mention", mention), ("entity", [entity]))
    usual = ({"document"}, {"mention", "first", "last"}, {"entity"})
    taken = [
        f"{' and '.join(map(repr, names))} as {role}"
        for (role, names), known in zip(of_roles, usual, strict=True)
        if set(names) - known
    ]
    if taken:
        notes.tell("columns-taken", f"columns taken: {', '.join(taken)}")
    used = {*documents, *mention, entity}
    unused = [name for name in table.columns if name not in used]
    if unused:
        notes.tell("columns-unused", f"columns not used: {', '.join(map(repr, unused))}")


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
    names, codes = _dense(composite_column(table, columns[:1], "document"))
    if len(columns) == 2:
        parts, part = _dense(composite_column(table, columns[1:], "part"))
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
    if column.missing is not None and column.missing.any():
        at = int(np.flatnonzero(column.missing)[0])
        raise ValueError(f"row {at} of the table has no value; each mention needs one")
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


def _whole_numbers(table: Table, name: str) -> IntArray:
    _no_empty_cells(table, name)
    column = read_column(table.values(name), table.path)
    values: NDArray[Any] = (
        column.codes if column.categories is None else column.categories[column.codes]
    )
    if values.dtype.kind not in "iu":
        raise ValueError(
            f"{table.path}: column {name!r} holds {values[:1].tolist()}; whole numbers of "
            "tokens are expected"
        )
    return values.astype(np.int64)


def _no_empty_cells(table: Table, name: str) -> None:
    composite_column(table, [name], "mention")


def _check_spans(table: Table, first: IntArray, last: IntArray) -> None:
    wrong = np.flatnonzero((first < 0) | (last < first))
    if len(wrong):
        at = int(wrong[0])
        where = f"row {at}" if table.lines is None else f"line {table.lines[at]}"
        raise ValueError(
            f"{table.path}: {where}: the mention from {first[at]} to {last[at]} begins before "
            "token 0 or ends before it begins"
        )
