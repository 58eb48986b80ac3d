"""Pairs of items in a table: which columns hold the two items, and the score."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from partwise.cli.options import columns_of, open_source, reading_options, split_source
from partwise.labels.columns import Column
from partwise.labels.files.cells import is_number, text_cells
from partwise.labels.files.read import Table, composite_column, read_table
from partwise.labels.files.table import abbreviated
from partwise.labels.forms import read_column
from partwise.labels.items.pairs import pair_names, score_names

EDGES_HELP = (
    "a table with the columns item, item, score: FILE::ITEM,ITEM,SCORE names them, else they "
    "are found by usual names (left, right, score) or are the first three"
)
PAIRS_HELP = (
    "a table with a pair of matching items a row: FILE::ITEM,ITEM names the columns, else they "
    "are found by usual names (left, right) or are the first two; with --threshold also "
    "the score: FILE::ITEM,ITEM,SCORE"
)


def read_edges(
    options: argparse.Namespace, source: str, ids: Column | None, *, scored: bool
) -> tuple[Any, ...]:
    """Return the columns of FILE::ITEM,ITEM[,SCORE]: two items, and the score if wanted.

    Parameters
    ----------
    options
    source : str
    ids : Column or None
        Ids that the items are among: those of text files are then text in the edges, too.
    scored : bool
        Whether the third column is read.

    Raises
    ------
    ValueError
        Columns are missing, a score is no number, or no item is among the ids.
    """
    path, named = split_source(source)
    wanted = columns_of(named) or []
    number = 3 if scored else 2
    words = "item,item,score" if scored else "item,item"
    shown = words.upper()
    if len(wanted) not in (0, number):
        count = "three columns are" if scored else "two columns are"
        raise ValueError(f"{source}: {count} expected after '::': {words}")
    # every column is read where names are to tell which
    reading = {**reading_options(options), "format": "auto", "flatten": False}
    table = read_table(
        open_source(options, path),
        wanted=wanted or [str(1 + k) for k in range(number)],
        only_wanted=bool(wanted),
        **reading,
    )
    names = [table.find(name) for name in wanted] or _named(table, number)
    if len(names) < number:
        raise ValueError(
            f"{path}: edges are columns {', '.join(words.split(','))}; there "
            f"{'is 1 column' if len(names) == 1 else f'are {len(names)} columns'}"
        )
    if not wanted and len(table.every_name) > number:
        note = f"{path}: edges were read from its columns {', '.join(names)}"
        print(f"partwise: note: {note}; {path}::{shown} names others", file=sys.stderr)
    as_text = ids is not None and ids.kind == "text"
    if scored:
        _check_scores(table, names[2])
    if ids is not None and not wanted:
        _check_items(table, names, ids, as_text, shown)

    def column(name: str, text: bool) -> Any:
        if text:
            return composite_column(table, [name], "item id").decode()
        return read_column(table.values(name), name).decode()

    items = [column(name, as_text) for name in names[:2]]
    return (*items, _scores(table, names[2])) if scored else tuple(items)


def _scores(table: Table, name: str) -> Any:
    return read_column(table.number_values(name), name).decode()


def _named(table: Table, number: int) -> list[str]:
    """Return the columns that usual names tell, else the first ones."""
    names = table.every_name
    pair, scores = pair_names(names), score_names(names)
    if pair and number == 2:
        return pair
    if pair and len(scores) == 1:
        return [*pair, *scores]
    return names[:number]


def _check_scores(table: Table, name: str) -> None:
    """Refuse a score that is no number, with its line."""
    if table.lines is None:
        return
    for line, cell in zip(table.lines, text_cells(table.cells(name)), strict=True):
        if not is_number(cell):
            raise ValueError(
                f"{table.path}:{line}: the score {cell!r} in column {name!r} is no number"
            )


def _check_items(
    table: Table, names: list[str], ids: Column, as_text: bool, shown: str
) -> None:
    """Refuse edges whose first columns hold no item at all: their columns stand elsewhere."""
    items = set(map(str, ids.decode().tolist()))
    for name in names[:2]:
        cells = table.columns[name]
        cells = text_cells(cells) if table.lines is not None else map(str, cells)
        if len(table.every_name) > len(names) and as_text and items.isdisjoint(cells):
            raise ValueError(
                f"{table.path}: column {name!r} holds no item of the reference; say which "
                f"columns hold the edges: {table.path}::{shown} (of "
                f"{abbreviated(table.every_name)})"
            )
