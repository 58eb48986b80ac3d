"""``partwise leaderboard``: the submissions of a shared task, ranked and compared."""

from __future__ import annotations

import argparse
import shlex
import sys
from dataclasses import replace
from typing import Any

from partwise.cli.documents.coref_options import add_input_options, add_rules
from partwise.cli.documents.coref_reading import (
    COLUMN_OPTIONS,
    named_responses,
    reading_of,
    rules_of,
)
from partwise.cli.drawing import add_drawing_options, read_drawing_options
from partwise.cli.options import (
    add_latex_options,
    add_shape_options,
    check_latex_options,
    print_in_shape,
)
from partwise.cli.words.sentences import in_words_of, note_in_words_of
from partwise.coreference.scores.confidence import AVERAGES
from partwise.coreference.shared_task.leaderboard import leaderboard_of
from partwise.coreference.shared_task.result import Leaderboard
from partwise.coreference.shared_task.submissions import read_submissions
from partwise.inference.draws import read_drawing
from partwise.labels.notes import Note


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "leaderboard",
        help="rank the coreference submissions of a shared task",
        description="Score all submissions to one key, rank them, and test each pair by random "
        "exchange of documents with Holm's correction. A submission that cannot be scored is a "
        "line that says why.",
    )
    parser.add_argument(
        "key", metavar="KEY", help="file of documents, or folder of files, as partwise coref"
    )
    parser.add_argument(
        "submissions",
        metavar="SUBMISSION",
        nargs="+",
        help="a folder with a file, or a folder of files, for each submission; or two or more "
        "of these themselves, NAME=FILE names one",
    )
    parser.add_argument(
        "--measure",
        default="conll",
        metavar="NAME",
        help="what ranks and tests are by: F1 of a measure, or muc.recall (default: conll)",
    )
    parser.add_argument(
        "--pairs", action="store_true", help="print the tests of all pairs, not the ranks"
    )
    add_shape_options(parser, "latex", "html")
    add_latex_options(parser)
    add_rules(parser)
    group = parser.add_argument_group("tests of pairs")
    group.add_argument(
        "--draws",
        type=int,
        default=9999,
        metavar="N",
        help="number of random exchanges (default: 9999)",
    )
    group.add_argument(
        "--average",
        choices=AVERAGES,
        default="micro",
        help="counts added up over documents, or means of their scores (default: micro)",
    )
    add_drawing_options(group)
    add_input_options(parser)
    parser.set_defaults(run=run, words=COLUMN_OPTIONS)


def run(options: argparse.Namespace) -> int:
    """Print the leaderboard; return 2 where no submission could be scored."""
    check_latex_options(options)
    if options.pairs and options.shape not in (None, "csv", "markdown", "latex"):
        raise ValueError(f"--{options.shape} has the tests of all pairs; leave out --pairs")
    drawing = read_drawing(
        {"draws": options.draws, **read_drawing_options(options)}, "leaderboard", 9999
    )
    board = leaderboard_of(
        options.key,
        _submissions(options),
        reading_of(options),
        rules=rules_of(options),
        ranking=(options.measure, options.average),
        drawing=drawing,
    )
    board = _in_words(board, options, drawing.seed)
    _tell(board)
    if options.pairs:
        _print_pairs(board, options)
    elif options.shape == "html":
        sys.stdout.write(board.to_html(options.caption or "Leaderboard"))
    else:
        print_in_shape(board, options)
    if board.submissions and all(one.refused for one in board.submissions):
        print(
            "partwise: no submission could be scored; the leaderboard has why", file=sys.stderr
        )
        return 2
    return 0


def _submissions(options: argparse.Namespace) -> dict[str, Any]:
    """Return the entries of a folder, or the files that were named, by name."""
    if len(options.submissions) == 1:
        return read_submissions(options.submissions[0])
    return dict(zip(*named_responses(options.submissions), strict=True))


def _in_words(board: Leaderboard, options: argparse.Namespace, seed: int) -> Leaderboard:
    """Return the leaderboard with its sentences in the words of options, and the command."""
    command = ["partwise", *options.call]
    if options.seed is None:
        command += ["--seed", str(seed)]  # which makes the same leaderboard again
    words = options.words
    rows = [
        replace(
            one,
            refused=in_words_of(one.refused, words),
            notes=tuple(
                note_in_words_of(note, words) if isinstance(note, Note) else note
                for note in one.notes
            ),
        )
        for one in board.submissions
    ]
    notes = [in_words_of(note, words) for note in board.notes]
    return replace(board, submissions=rows, notes=notes, command=shlex.join(command))


def _tell(board: Leaderboard) -> None:
    """Print what is suspicious on standard error; --json has all notes."""
    notes: dict[str, None] = {}
    for one in board.submissions:
        for note in one.notes:
            if isinstance(note, Note) and note.suspicious:
                notes[note if note.place else note.at(one.name)] = None
    for text in notes:
        print(text, file=sys.stderr)


def _print_pairs(board: Leaderboard, options: argparse.Namespace) -> None:
    """Print the tests of all pairs."""
    table = board.table_of_pairs()
    if options.shape == "csv":
        sys.stdout.write(table.csv())
    elif options.shape == "latex":
        print(table.latex(caption=options.caption, label=options.reference_key))
    elif options.shape == "markdown":
        print(table.markdown())
    else:
        print(table.text())
