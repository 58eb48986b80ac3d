"""Tables with a mention a row: columns for document, mention and entity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.coreference.documents.documents import Document, Spans
from partwise.coreference.formats.files import Notes
from partwise.labels.columns import (
    Column,
)
from partwise.labels.files.read import Table, composite_column, read_table
from partwise.labels.forms import read_column
from partwise.numbers.arrays import IntArray

DOCUMENT, MENTION, ENTITY = "document", "mention", "entity"
SPAN = ("first", "last")


def read_mention_table(
    path: Path,
    notes: Notes,
    *,
    document: str | None = None,
    mention: str | Sequence[str] | None = None,
    entity: str = ENTITY,
) -> Iterator[Document]:
    """Yield the documents of a table (CSV, TSV, Parquet, npz), as they are first named.

    Parameters
    ----------
    path : Path
    notes : Notes
    document : str, optional
        Column of the document; by default "document", or the whole file as one where there is
        no column of that name.
    mention : str or sequence of str, optional
        Column of the mention; ("first", "last"), two columns of whole numbers, are tokens, both
        inclusive. By default these two, or "mention".
    entity : str, default "entity"
        Entities of different documents may have one name.

    Raises
    ------
    ValueError
        A column that is not there, an empty cell, a span that ends before it begins.
    """
    table = read_table(path, wanted=[entity])
    spans = tuple(mention) if mention is not None and not isinstance(mention, str) else None
    if mention is None and all(name in table.columns for name in SPAN):
        spans = SPAN
    one = mention if isinstance(mention, str) else MENTION
    if spans is not None and len(spans) != 2:
        raise ValueError(f"mention={mention!r}: one column, or two for first and last token")
    for note in table.notes:
        notes[note] = 0
    names, of_document = _documents(table, document, path)
    entity_names, of_entity = _dense(composite_column(table, [entity], "entity"))
    order = np.argsort(of_document, kind="stable")
    bounds = np.searchsorted(of_document[order], np.arange(len(names) + 1)).tolist()
    lines = None if table.lines is None else np.asarray(table.lines, dtype=np.int64)
    if spans is not None:
        first, last = (_whole_numbers(table, name) for name in spans)
        _check_spans(table, first, last)
    else:
        _no_empty_cells(table, one)
        column = read_column(table.values(one), str(path))
        labels = column.codes if column.categories is None else column.categories[column.codes]
        mentions = labels.tolist()
    for name, low, high in zip(names, bounds[:-1], bounds[1:], strict=True):
        rows = order[low:high]
        entities, codes = _by_first_appearance(of_entity[rows])
        found: Any
        if spans is not None:
            line = None if lines is None else lines[rows]
            found = Spans(first[rows], last[rows], line=line)
        else:
            found = [mentions[row] for row in rows.tolist()]
        yield Document(name, found, codes, [entity_names[e] for e in entities.tolist()])


def _documents(table: Table, document: str | None, path: Path) -> tuple[list[str], IntArray]:
    """Return the documents in order of first appearance, and that of each row."""
    if document is None and DOCUMENT not in table.columns:
        n = len(next(iter(table.columns.values()))) if table.columns else 0
        return [path.name.partition(".")[0] or path.name], np.zeros(n, dtype=np.int64)
    names, codes = _dense(composite_column(table, [document or DOCUMENT], "document"))
    order, numbered = _by_first_appearance(codes)
    return [str(names[code]) for code in order.tolist()], numbered


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
    """Return distinct codes in order of first appearance, and each row's place among them."""
    labels, at, inverse = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(at)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return labels[order], place[inverse]


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
