"""Options that several subcommands share."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from partwise.labels import Clustering
from partwise.labels.columns import Column, object_array
from partwise.labels.files.cells import typed_cells
from partwise.labels.files.npy import shape_of_volume
from partwise.labels.files.read import FORMATS, read_source
from partwise.labels.files.sources import IdleOptionError, Source, source_of
from partwise.labels.notes import FLATTENED, IDS_AS_TEXT, Note, flattened
from partwise.labels.policies import DUPLICATES, MISSING, UNMATCHED, Written
from partwise.labels.suspicions import MISSING_WORDS
from partwise.measures import aliases
from partwise.progress import doing
from partwise.report.table import Tabular

STANDARD_INPUT = "/dev/stdin"


def add_sides(
    parser: argparse.ArgumentParser,
    *names: str,
    or_table: bool = False,
    or_none: bool = False,
) -> None:
    """Add the clusterings to compare, the reference first.

    ``or_table``: or one table; ``or_none``: or none, where an option stands for them.
    """
    told = "a file, or one of its columns as FILE::COLUMN (name, or number from 1)"
    for name in names:
        if or_table and name == names[-1]:
            told += " (none: REFERENCE is a table that partwise table wrote)"
            parser.add_argument(name, metavar=name.upper(), nargs="?", help=told)
        else:
            number = "?" if or_none else None
            parser.add_argument(name, metavar=name.upper(), nargs=number, help=told)
        told = f"same forms as {names[0].upper()}"


def add_report_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the measures and for the form of the report."""
    parser.add_argument(
        "--measures",
        default="default",
        metavar="NAMES",
        help='"default", "all", names separated by commas (rand_index,"v_measure(beta=2)"), '
        "or a set and names",
    )
    add_shape_options(parser, "latex")
    add_latex_options(parser)


def add_plot_option(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the option that saves a picture, which ``what`` describes."""
    parser.add_argument(
        "--plot",
        metavar="FILE",
        help=f"{what}, and save the figure in FILE (png, pdf or svg)",
    )


def add_shape_options(parser: argparse.ArgumentParser, *more: str) -> None:
    """Add the options for the form of a report."""
    shape = parser.add_mutually_exclusive_group()
    for name in ("json", "csv", "markdown", *more):
        text = f"print {name} instead of aligned text"
        shape.add_argument(
            f"--{name}", dest="shape", action="store_const", const=name, help=text
        )


def add_latex_options(parser: argparse.ArgumentParser) -> None:
    """Add what goes around a table of LaTeX."""
    group = parser.add_argument_group("LaTeX")
    group.add_argument(
        "--caption", metavar="TEXT", help="caption of the table that --latex prints"
    )
    group.add_argument(
        "--reference-key",
        metavar="KEY",
        help="key for \\ref of the table that --latex prints (its \\label)",
    )


def check_latex_options(options: argparse.Namespace) -> None:
    """Raise ValueError where there is something to put around LaTeX, and no LaTeX."""
    for name in ("caption", "reference_key"):
        if getattr(options, name) is not None and options.shape != "latex":
            raise ValueError(f"--{name.replace('_', '-')} is for --latex")


def latex_of(result: Tabular, options: argparse.Namespace) -> str:
    """Return the table of a result in LaTeX."""
    return result.to_latex(caption=options.caption, label=options.reference_key)


def print_in_shape(result: Any, options: argparse.Namespace) -> None:
    """Print a result in the form asked for.

    CSV and LaTeX have no place for the first lines and the notes, so these are told.
    """
    shape = options.shape
    check_latex_options(options)
    if shape == "json":
        print(result.to_json())
    elif shape in ("csv", "latex"):
        for line in (*result.heading(), *getattr(result, "notes", ())):
            print(line, file=sys.stderr)
        sys.stdout.write(
            result.to_csv() if shape == "csv" else f"{latex_of(result, options)}\n"
        )
    elif shape == "markdown":
        print(result.to_markdown())
    else:
        print(result)


def split_names(text: str, *, soft: bool = False) -> str | list[str]:
    """Split names of measures at commas; those of memberships are refused without ``soft``."""
    if text in ("default", "all"):
        return text
    names = aliases.split_names(text)
    if not soft and (of_memberships := [name for name in names if name.startswith("soft_")]):
        raise ValueError(
            f"{of_memberships[0]} compares rows of memberships, which partwise compare takes "
            "with --memberships"
        )
    return names


def add_input_options(
    parser: argparse.ArgumentParser,
    *,
    label: bool = True,
    item: str = "column(s) of the item id; items are then aligned by id, not by position",
) -> None:
    """Add the options for reading files; ``item``: what --item names."""
    group = parser.add_argument_group("input")
    group.add_argument(
        "--item",
        metavar="COLUMN[,COLUMN]",
        help=item,
    )
    if label:
        group.add_argument(
            "--label",
            metavar="COLUMN[,COLUMN]",
            help="column(s) of the labels if FILE names none; several columns make one label",
        )
    group.add_argument(
        "--format", choices=FORMATS, default="auto", help="file format (default: auto)"
    )
    group.add_argument(
        "--header",
        choices=("yes", "no"),
        help="whether the first row names the columns (default: judged by the content)",
    )
    group.add_argument(
        "--delimiter",
        metavar="CHARACTER",
        help="field separator: a character, tab, or blanks (default: seen in the lines)",
    )
    group.add_argument(
        "--comment",
        metavar="MARK",
        help="how lines of comment at the top begin, or none (default: # or %% and a blank)",
    )
    group.add_argument(
        "--flatten",
        action="store_true",
        help="take arrays of several dimensions as one label per element (C order)",
    )
    group.add_argument(
        "-v", "--verbose", action="store_true", help="say which kernels are used"
    )


def add_policy_options(parser: argparse.ArgumentParser) -> None:
    """Add the policies; a pair REFERENCE,CANDIDATE sets each side."""
    group = parser.add_argument_group(
        "policies", "one word for both sides, or REFERENCE,CANDIDATE for each side"
    )
    for name, words, text in (
        ("unmatched", UNMATCHED, "items on one side only"),
        ("missing", MISSING, "items without a label"),
        ("duplicates", DUPLICATES, "items that occur again"),
    ):
        group.add_argument(
            f"--{name}",
            default="error",
            metavar="WORD",
            help=f"{text}: {', '.join(words)} (default: error)",
        )
    for side in ("", "-reference", "-candidate"):
        where = f" in the {side[1:]}" if side else ""
        group.add_argument(
            f"--missing-labels{side}",
            action="append",
            metavar="LABEL",
            help=f'a label that means "no label"{where}; may be repeated',
        )


def read_side(options: argparse.Namespace, source: str) -> Clustering:
    """Read FILE or FILE::COLUMN."""
    path, column = split_source(source)
    with doing(f"reading {path}"):
        return read_source(
            open_source(options, path),
            label=column or columns_of(options.label),
            item=columns_of(options.item),
            **reading_options(options),
        )


def read_sides(options: argparse.Namespace, *sources: str) -> list[Clustering]:
    """Read the reference and the candidates.

    Ids of whole numbers become text where another side has text, as a text file would have
    given them.
    """
    if options.label and all(split_source(source)[1] for source in sources):
        raise ValueError(
            "--label names the column of a FILE that names none; here each FILE names its own"
        )
    sides = _each_side(_with_volumes(options, sources), sources)
    shapes = {n.text: None for side in sides for n in side.notes if n.code == FLATTENED}
    if len(shapes) > 1:
        raise ValueError(f"images and volumes are compared in one shape: {'; '.join(shapes)}")
    if not options.item and len({split_source(source)[0] for source in sources}) == 1:
        for side in sides:  # rows of one file are the same items
            side._with_notes(note for note in side.notes if note.code != "unused-column")
    tell_missing_words(note for side in sides for note in side.notes)
    check_policies_of_items(options, *sides)
    return ids_as_text(sides)


def check_policies_of_items(options: argparse.Namespace, *sides: Clustering) -> None:
    """Refuse policies about the ids of items where no side has any."""
    if any(side.item_column is not None for side in sides):
        return
    for name, known in (("unmatched", UNMATCHED), ("duplicates", DUPLICATES)):
        words = getattr(options, name, "error")
        given = {*words.split(",")}
        if given != {"error"} and given <= {*known}:  # other words have an error of their own
            raise ValueError(
                f"--{name} {words} would do nothing where labels are compared by position; "
                "name the column of the ids (--item COLUMN), or leave it out"
            )


def _with_volumes(options: argparse.Namespace, sources: Sequence[str]) -> argparse.Namespace:
    """Return options that flatten, where every file is a volume of one shape; say so."""
    shapes = {shape_of_volume(Path(source)) for source in sources}
    if options.flatten or options.format != "auto" or len(shapes) > 1 or None in shapes:
        return options
    print(f"partwise: note: {flattened(*shapes).text}", file=sys.stderr)  # type: ignore[arg-type]
    return argparse.Namespace(**{**vars(options), "flatten": True})


def _each_side(options: argparse.Namespace, sources: Sequence[str]) -> list[Clustering]:
    """Read the sides; an option that does nothing for one of them must act for another."""
    sides: list[Clustering] = []
    idle: list[IdleOptionError] = []
    unused = {"header", "delimiter", "comment", "flatten", "item", "label"}
    if getattr(options, "features", None) is not None:
        unused.discard("item")  # which names the ids of the features
    for source in sources:
        own = argparse.Namespace(**{"pipes": {}, **vars(options)})
        options.pipes = own.pipes
        here: list[str] = []
        while True:
            try:
                sides.append(read_side(own, source))
                break
            except IdleOptionError as error:
                by_name = "label" in error.names and split_source(source)[1]
                if options.format != "auto" or by_name:
                    raise  # all files are of this format, or the column is of this one
                idle.append(error)
                here += error.names
                for name in error.names:
                    setattr(own, name, False if name == "flatten" else None)
        unused &= {*here}
    for refused in idle:
        if not unused.isdisjoint(refused.names):
            raise refused
    return sides


def split_source(source: str) -> tuple[str, str]:
    """Split FILE::COLUMN; the column is "" where there is none."""
    path, separator, column = source.rpartition("::")
    if not separator or Path(source).exists():
        return source, ""
    if not column:
        raise ValueError(f"{source}: a column name is expected after '::'")
    return path, column


def named_source(text: str) -> tuple[str, str]:
    """Split NAME=FILE; without a name, it is that of the file, with its column."""
    name, separator, path = text.partition("=")
    is_named = separator and name and path and "/" not in name
    if is_named and not Path(split_source(text)[0]).exists():
        return name, path
    path, column = split_source(text)
    return (f"{Path(path).name}::{column}" if column else Path(path).name), text


def paths_of(sources: Iterable[str]) -> list[str]:
    """Return the files of FILE or FILE::COLUMN."""
    return [split_source(source)[0] for source in sources]


def open_source(options: argparse.Namespace, path: str) -> Source:
    """Return a file, or the content of a pipe ("-" is standard input), which is read once."""
    pipes: dict[str, Source] = options.__dict__.setdefault("pipes", {})
    name = STANDARD_INPUT if path == "-" else path
    if name in pipes:
        return pipes[name]
    if name == STANDARD_INPUT:
        source = Source(Path("standard input"), sys.stdin.buffer.read())
    else:
        source = source_of(path)
    if source.data is not None:
        pipes[name] = source
    return source


def reading_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return how files are read, as keyword arguments of ``read`` and ``read_table``."""
    return {
        "format": options.format,
        "header": None if options.header is None else options.header == "yes",
        "delimiter": options.delimiter,
        "comment": "" if options.comment == "none" else options.comment,
        "flatten": options.flatten,
    }


def columns_of(text: str | None) -> list[str] | None:
    """Split names of columns."""
    return next(csv.reader([text])) if text else None  # quotes keep a comma in a name


def tell_missing_words(notes: Iterable[Note]) -> None:
    """Write to standard error which words were read as missing labels.

    The account has the notes too, but where missing labels are refused there is no account.
    """
    for note in dict.fromkeys(notes):
        if note.code == "missing-words":
            print(f"partwise: note: {note}", file=sys.stderr)


def ids_as_text(sides: list[Clustering]) -> list[Clustering]:
    """Return the sides with whole numbers as ids made text, where another side has text."""
    kinds = {side.item_column.kind for side in sides if side.item_column is not None}
    if kinds != {"integer", "text"}:
        return sides
    return [
        side
        if side.item_column is None or side.item_column.kind != "integer"
        else with_text_ids(side, text_ids(side.item_column))
        for side in sides
    ]


def with_text_ids(side: Clustering, ids: Column) -> Clustering:
    """Return a side with its ids made text, and a note on it."""
    return side._with_items(ids)._with_notes([*side.notes, IDS_AS_TEXT])


def text_ids(ids: Column) -> Column:
    """Return ids that are whole numbers as text, as a text file would have given them."""
    compact = ids.compact()
    assert compact.categories is not None
    names = [str(x) for x in compact.categories.tolist()]
    order = np.argsort(np.array(names, dtype=object), kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return Column(rank[compact.codes], object_array([names[i] for i in order]), compact.missing)


def read_policies(options: argparse.Namespace) -> dict[str, Any]:
    """Return the policies as keyword arguments of ``align``."""

    def pair(name: str) -> Any:
        text = getattr(options, name)
        parts = text.split(",")
        if len(parts) > 2:
            raise ValueError(
                f"--{name} {text} has {len(parts)} words; give one for both sides, or two, "
                "REFERENCE,CANDIDATE"
            )
        return parts[0] if len(parts) == 1 else tuple(parts)

    def labels(*lists: list[str] | None) -> list[Any]:
        cells = [cell for listed in lists for cell in listed or () if cell not in MISSING_WORDS]
        return [Written(cell, typed_cells([cell])[0]) for cell in cells]

    return {
        "unmatched": pair("unmatched"),
        "missing": pair("missing"),
        "duplicates": pair("duplicates"),
        "missing_labels": (
            labels(options.missing_labels, options.missing_labels_reference),
            labels(options.missing_labels, options.missing_labels_candidate),
        ),
    }
