"""``partwise score``: one reference column against the others of a file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from partwise.cli.item_rows.features import (
    add_features_option,
    feature_columns,
    read_features,
)
from partwise.cli.options import (
    add_input_options,
    add_plot_option,
    add_policy_options,
    add_report_options,
    check_policies_of_items,
    columns_of,
    open_source,
    print_in_shape,
    read_policies,
    reading_options,
    split_names,
    tell_missing_words,
)
from partwise.cli.tables.large import add_large_options
from partwise.cli.tables.many import scores_past_limit
from partwise.cli.words.sentences import in_words_of_options, tell
from partwise.labels import Clustering
from partwise.labels.files.headers import role_of
from partwise.labels.files.read import Table, composite_column, read_table
from partwise.labels.notes import Note
from partwise.progress import doing
from partwise.scoring.compare import score_many
from partwise.scoring.results import ScoreTable


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "score",
        help="score several label columns of a file against one of them",
        description="Score label columns of one file against its reference column.",
    )
    parser.add_argument("file", metavar="FILE", help="a table with a column per clustering")
    parser.add_argument(
        "--reference", required=True, metavar="COLUMN", help="column of the reference labels"
    )
    parser.add_argument(
        "--candidates",
        metavar="COLUMN[,COLUMN]",
        help="columns to score (default: all but the reference and the item columns)",
    )
    add_report_options(parser)
    add_plot_option(parser, "draw the scores against the numbers in the columns' names")
    add_features_option(parser)
    add_input_options(parser, label=False)
    add_large_options(parser)
    add_policy_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Print a table of scores."""
    items = columns_of(options.item) or []
    candidates = columns_of(options.candidates) or []
    large = scores_past_limit(
        options,
        lambda table, name: _named(table, candidates) or _candidates(table, name, []),
    )
    if large is not None:
        _print(large, options)
        return
    with doing(f"reading {options.file}"):
        table = read_table(
            open_source(options, options.file),
            wanted=[options.reference, *items, *candidates],
            items=items,
            only_wanted=bool(candidates),
            **reading_options(options),
        )
    reference = table.find(options.reference)
    keys = [table.find(name) for name in items]
    taken = [*keys, *(table.find(name) for name in feature_columns(options, options.file))]
    chosen = _named(table, candidates) or _candidates(table, reference, taken)
    ids = composite_column(table, keys, "item id") if keys else None

    n_rows = len(table.columns[reference])
    row_ids = () if keys else table.row_ids([reference, *chosen], n_rows)

    def clustering(name: str) -> Clustering:
        values = Clustering(table.values(name))
        values.row_ids = row_ids
        return values if ids is None else values._with_items(ids)

    sides = [clustering(name) for name in (reference, *chosen)]
    if not len(sides[0]):
        raise ValueError(f"{table.path}: the file holds no labels")
    file_name = Path(table.path).name
    unused = table.unused([reference, *chosen], keys) if keys else []  # rows are items
    notes = [note.at(file_name) for note in (*table.notes, *unused)]
    sides[0]._with_notes(notes)
    check_policies_of_items(options, *sides)
    (first, *others), features = read_features(options, sides, options.file)
    tell_missing_words(notes)
    scores = score_many(
        first,
        dict(zip(chosen, others, strict=True)),
        split_names(options.measures),
        progress=sys.stderr.isatty(),
        workers=options.workers,
        **features,
        **read_policies(options),
    )
    _print(scores, options)


def _print(scores: ScoreTable, options: argparse.Namespace) -> None:
    """Print scores in the form asked for."""
    if options.plot:
        scores.plot(options.plot)
    scores = in_words_of_options(scores, options.words)
    tell(scores.accounts)
    print_in_shape(scores, options)


def _named(table: Table, candidates: list[str]) -> list[str]:
    """Return the columns that are named, each once."""
    chosen = [table.find(name) for name in candidates]
    again = next((name for j, name in enumerate(chosen) if name in chosen[:j]), None)
    if again is not None:
        raise ValueError(f"--candidates names column {again!r} twice; name it once")
    return chosen


def _candidates(table: Table, reference: str, taken: list[str]) -> list[str]:
    """Return the columns to score where none are named; an index is none, nor are ids."""
    left = [name for name in table.columns if name not in (reference, *taken)]
    chosen = [name for name in left if name not in table.index]
    for name in left:
        if name in table.index:
            text = f"column {table.every_name.index(name) + 1} is the index of a frame"
            table.notes.append(Note("index-column", f"{text}; it was not scored"))
    ids = [name for name in chosen if role_of(name) == "item" and table.holds_ids(name)]
    if len(ids) < len(chosen):
        for name in ids:
            chosen.remove(name)
            text = f"column {name!r} was not scored, as it holds ids by its name; "
            text += "--candidates says which columns are, --item which one holds the ids"
            table.notes.append(Note("unused-column", text))
    if not chosen:
        raise ValueError(f"{table.path}: no column is left to score against {reference!r}")
    return chosen
