"""Pairs of items in a table: which columns hold the two items, and the score."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from partwise.cli.options import (
    columns_of,
    open_source,
    reading_options,
    split_source,
    text_ids,
)
from partwise.labels.account import counted
from partwise.labels.columns import Column
from partwise.labels.files.cells import (
    ArrowCells,
    DictionaryCells,
    is_number,
    text_cells,
    typed_cells,
)
from partwise.labels.files.read import Table, composite_column, read_table
from partwise.labels.files.table import abbreviated
from partwise.labels.forms import read_column
from partwise.labels.items.pairs import named_pairs, score_names
from partwise.numbers.arrays import IntArray
from partwise.thresholds.merges import edges_of_linkage

EDGES_HELP = (
    "a table with the columns item, item, score: FILE::ITEM,ITEM,SCORE names them, else they "
    "are found by usual names (left, right, score) or are the first three"
)
PAIRS_HELP = (
    "a table with a pair of matching items a row: FILE::ITEM,ITEM names the columns, else they "
    "are found by usual names (left, right) or are the first two; with --threshold also "
    "the score: FILE::ITEM,ITEM,SCORE; or, with --threshold and --scores distance, a .npy file "
    "with a linkage"
)


class Edges(NamedTuple):
    """Edges of a file.

    Attributes
    ----------
    path : str
    columns : tuple
        Two items, and the score if it was wanted.
    ids : Column or None
        The ids that the items are among, in the form that items have.
    line_of : callable
        Where a row stands.
    """

    path: str
    columns: tuple[Any, ...]
    ids: Column | None
    line_of: Callable[[int], str]

    def located(self, error: ValueError, rows: IntArray | None = None) -> ValueError:
        """Return an error about the edge or pair of a number as one about its line.

        ``rows``: the row of each, where some were left out.
        """
        text = str(error)
        told = re.match("(?:edge|pair) ([0-9]+) ", text)
        if told is None:
            return error
        number = int(told[1])
        row = number if rows is None else int(rows[number])
        return ValueError(f"{self.path}: {self.line_of(row)} {text[told.end() :]}")


def read_edges(
    options: argparse.Namespace,
    source: str,
    ids: Column | None,
    *,
    scored: bool,
    by_position: bool = False,
) -> Edges:
    """Return the edges of FILE::ITEM,ITEM[,SCORE], or those of a linkage.

    A linkage is an array of four columns of which none is named; its items are the ids in
    their order.

    Parameters
    ----------
    options
    source : str
    ids : Column or None
        Ids that the items are among. Ids of text files are text; whole numbers of other files
        become text beside them, in the ids or in the edges.
    scored : bool
        Whether the third column is read.
    by_position : bool, default False
        Whether edges name items by their position, which is a number in text, too.

    Raises
    ------
    ValueError
        Columns are missing, nothing tells which are meant, an item has no id, a score is no
        number, or no item is among the ids; a linkage has a wrong row, or other items.
    """
    path, named = split_source(source)
    wanted = columns_of(named) or []
    number = 3 if scored else 2
    words = "item,item,score" if scored else "item,item"
    shown = words.upper()
    if len(wanted) not in (0, number):
        count = "three columns are" if scored else "two columns are"
        raise ValueError(f"{source}: {count} expected after '::': {words}")

    def is_header(first: Sequence[str]) -> bool:
        return bool(named_pairs(first) or (scored and score_names(first[2:])))

    # every column is read where names are to tell which
    reading = {**reading_options(options), "format": "auto", "flatten": False}
    table = read_table(
        open_source(options, path),
        wanted=wanted or [str(1 + k) for k in range(number)],
        only_wanted=bool(wanted),
        is_header=is_header,
        **reading,
    )
    if not wanted and _is_linkage(table):
        if not scored or options.scores != "distance":
            asked = "--scores distance" if scored else "--threshold T --scores distance"
            raise ValueError(
                f"{path}: an array of four columns is a linkage, whose heights are distances; "
                f"say {asked}, or name the columns of pairs: {path}::{shown}"
            )
        try:
            return _of_linkage(table, ids, by_position=by_position)
        except ValueError as error:
            raise ValueError(
                f"{path}: {error}; an array of four columns is read as a linkage, "
                f"{path}::{shown} names columns of pairs"
            ) from None
    names = [table.find(name) for name in wanted] or _named(table, path, number, shown)
    if len(names) < number:
        raise ValueError(
            f"{path}: edges are columns {', '.join(words.split(','))}; there "
            f"{'is 1 column' if len(names) == 1 else f'are {len(names)} columns'}"
        )
    if not wanted and len(table.every_name) > number:
        note = f"{path}: edges were read from its columns {', '.join(names)}"
        print(f"partwise: note: {note}; {path}::{shown} names others", file=sys.stderr)
    table = _with_whole_numbers(table, names[:2])
    if scored:
        _check_scores(table, names[2])
    if ids is not None and not wanted:
        _check_items(table, names, ids, shown)
    if by_position:
        columns = [read_column(table.values(name), name) for name in names[:2]]
    else:
        *columns, ids = _of_one_kind(table, names[:2], ids)
    read = [column.decode() for column in columns]
    if scored:
        read.append(read_column(table.number_values(names[2]), names[2]).decode())
    return Edges(table.path, tuple(read), ids, table.line_of)


def _is_linkage(table: Table) -> bool:
    """Return whether a table is an array of numbers with as many columns as a linkage has."""
    if table.lines is not None or table.every_name != ["1", "2", "3", "4"]:
        return False
    columns = table.columns.values()
    return all(isinstance(x, np.ndarray) and x.dtype.kind in "iuf" for x in columns)


def _of_linkage(table: Table, ids: Column | None, *, by_position: bool) -> Edges:
    """Return a linkage as edges of its items, which are 0, 1, ... where they have no ids."""
    first, second, heights = edges_of_linkage(np.column_stack([*table.columns.values()]))
    n = len(heights) + 1
    if by_position:
        return Edges(table.path, (first, second, heights), None, table.line_of)
    if ids is None:
        ids = read_column(np.arange(n), table.path)
    items = ids.decode()
    if len(items) != n:
        raise ValueError(
            f"a linkage of {counted(len(heights), 'row')} joins {counted(n, 'item')}, and "
            f"there are {counted(len(items), 'item')}"
        )
    return Edges(table.path, (items[first], items[second], heights), ids, table.line_of)


def _named(table: Table, path: str, number: int, shown: str) -> list[str]:
    """Return the columns that usual names tell, else the first ones.

    Raises
    ------
    ValueError
        Names tell several pairs of items or several scores, or the items and no score.
    """
    names = table.every_name
    pairs, scores = named_pairs(names), score_names(names)
    which = f"say which columns hold the edges: {path}::{shown}"
    if len(pairs) > 1:
        both = " and ".join(", ".join(pair) for pair in pairs)
        raise ValueError(f"{path}: its columns {both} may be the two items; {which}")
    if not pairs:
        return names[:number]
    pair = pairs[0]
    if number == 2:
        return pair
    if len(scores) > 1:
        raise ValueError(
            f"{path}: its columns {' and '.join(scores)} may be the score; {which}"
        )
    others = [name for name in names if name not in pair]
    if len(scores) == 1 or len(others) <= 1:
        return [*pair, *(scores or others)]
    if names[:2] != pair:
        raise ValueError(
            f"{path}: columns {', '.join(pair)} are the two items, and nothing tells which of "
            f"{abbreviated(others)} is the score; {which}"
        )
    return names[:3]


def _of_one_kind(table: Table, names: Sequence[str], ids: Column | None) -> list[Any]:
    """Return two columns of items, and the ids, so that equal ids are equal values.

    Raises
    ------
    ValueError
        An item has no id, or ids are of kinds that do not compare.
    """
    columns = [_items_of(table, name) for name in names]
    if ids is not None and ids.kind == "integer" and table.lines is not None:
        whole = [_whole_numbers(table.cells(name)) for name in names]
        if all(numbers is not None for numbers in whole):
            return [*(read_column(numbers, table.path) for numbers in whole), ids]
    every = columns if ids is None else [*columns, ids]
    kinds = {column.kind for column in every}
    if kinds == {"integer", "text"}:
        every = [text_ids(column) if column.kind == "integer" else column for column in every]
    elif "text" in kinds and (others := kinds - {"integer", "text", "object"}):
        raise ValueError(
            f"{table.path}: some of the ids here and of the items are text, and others are "
            f"{', '.join(sorted(others))}; write them in one form, so that equal items have "
            "equal ids"
        )
    return [*every, ids] if ids is None else every


def _with_whole_numbers(table: Table, names: Sequence[str]) -> Table:
    """Return a table in whose columns of items floats of an array are whole numbers.

    An array of edges has floats for its items where it has them for their scores.
    """
    columns = dict(table.columns)
    for name in names:
        values = columns[name]
        if not isinstance(values, np.ndarray) or values.dtype.kind != "f":
            continue
        # beyond, floats are further apart than whole numbers
        wrong = np.flatnonzero((values != np.floor(values)) | ~(np.abs(values) < 1 << 53))
        if len(wrong):
            row = int(wrong[0])
            raise ValueError(
                f"{table.path}: column {name!r} names item {values[row]} in "
                f"{table.line_of(row)}; items of an array of floats are whole numbers below "
                "2^53: save the edges as an array with fields, or as a table"
            )
        columns[name] = values.astype(np.int64)
    return replace(table, columns=columns)


def _whole_numbers(cells: list[str] | DictionaryCells) -> IntArray | None:
    """Return text cells as integers where every one is written as integers are, else None."""
    if isinstance(cells, ArrowCells):
        return cells.whole_numbers()
    numbers = typed_cells(text_cells(cells))
    is_whole = isinstance(numbers, np.ndarray) and numbers.dtype.kind == "i"
    return numbers if is_whole else None  # type: ignore[return-value]


def _items_of(table: Table, name: str) -> Column:
    """Return a column of items, each of which has an id."""
    column = composite_column(table, [name], "item id")
    if column.missing is not None and column.missing.any():
        row = int(column.missing.argmax())
        raise ValueError(
            f"{table.path}: column {name!r} has no item in {table.line_of(row)}; each row "
            "names two items"
        )
    return column


def _check_scores(table: Table, name: str) -> None:
    """Refuse a score that is no number, with its line."""
    if table.lines is None:
        return
    for line, cell in zip(table.lines, text_cells(table.cells(name)), strict=True):
        if not is_number(cell):
            comma = re.fullmatch(r"[+-]?[0-9]*,[0-9]+", cell) is not None
            raise ValueError(
                f"{table.path}:{line}: the score {cell!r} in column {name!r} is no number"
                + ("; write the decimals behind a point" if comma else "")
            )


def _check_items(table: Table, names: list[str], ids: Column, shown: str) -> None:
    """Refuse edges whose first columns hold no item at all: their columns stand elsewhere."""
    if len(table.every_name) <= len(names) or ids.kind not in ("text", "integer"):
        return
    items = set(map(str, ids.decode().tolist()))
    for name in names[:2]:
        cells = table.columns[name]
        cells = text_cells(cells) if table.lines is not None else map(str, cells)
        if len(table.columns[name]) and items.isdisjoint(cells):
            raise ValueError(
                f"{table.path}: column {name!r} holds no item of the reference; say which "
                f"columns hold the edges: {table.path}::{shown} (of "
                f"{abbreviated(table.every_name)})"
            )
