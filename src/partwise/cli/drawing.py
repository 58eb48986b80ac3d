"""Options of the subcommands that draw random numbers, and their reports."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from partwise.cli.options import print_in_shape, read_side, split_source
from partwise.cli.words.sentences import in_words_of, tell
from partwise.inference.blocks import CROSSING
from partwise.inference.report import Report
from partwise.labels import Clustering
from partwise.labels.indexes import check_row_ids

#: Measures of different families that say something on any data.
MEASURES = "adjusted_rand_index,variation_of_information,b_cubed_f1,purity,pair_sets_index"

#: Options of every drawing.
DRAWING = ("seed", "workers", "level")


def add_drawing_options(group: Any, names: Sequence[str] = DRAWING) -> None:
    """Add the options that every drawing takes, or some of them."""
    forms: dict[str, tuple[Any, str, str]] = {
        "seed": (int, "N", "seed of the random draws (default: one is chosen and printed)"),
        "workers": (int, "N", "number of threads (default: 1)"),
        "level": (float, "P", "level of the intervals (default: 0.95)"),
    }
    for name in names:
        kind, metavar, text = forms[name]
        group.add_argument(f"--{name}", type=kind, metavar=metavar, help=text)


def add_unit_options(group: Any) -> None:
    """Add the options for the units that are drawn."""
    group.add_argument(
        "--groups",
        metavar="FILE[::COLUMN]",
        help="the group (document) of each item: draw whole groups instead of items",
    )
    group.add_argument(
        "--crossing",
        choices=CROSSING,
        help="clusters with items of several groups: an error, or split them (default: error)",
    )


def add_bootstrap_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the bootstrap of scores."""
    group = parser.add_argument_group("bootstrap")
    group.add_argument(
        "--bootstrap",
        type=int,
        metavar="DRAWS",
        help="print standard errors and intervals of the scores from DRAWS draws",
    )
    add_unit_options(group)
    group.add_argument(
        "--by",
        choices=("items", "groups", "components"),
        help="what to draw (default: the groups of --groups; else components of clusters where "
        "these are many and small, as those of records are; else items)",
    )
    add_drawing_options(group)


def read_drawing_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options of ``add_drawing_options`` that were given as keyword arguments."""
    drawing = {name: getattr(options, name) for name in DRAWING}
    said = {name: value for name, value in drawing.items() if value is not None}
    return {**said, "progress": sys.stderr.isatty()}


def check_nothing_drawn(options: argparse.Namespace) -> None:
    """Raise ValueError where options say how to draw, and nothing is drawn."""
    for name in (*DRAWING, "groups", "crossing", "by"):
        if getattr(options, name, None) is not None:
            raise ValueError(
                f"--{name} is for --bootstrap; give --bootstrap DRAWS, or leave it out"
            )


def read_unit_options(options: argparse.Namespace, *sides: Clustering) -> dict[str, Any]:
    """Return the options of ``add_unit_options`` as keyword arguments.

    Groups by position of the sides' items are refused where ids in the files say another order.
    """
    groups = None if options.groups is None else read_side(options, options.groups)
    if groups is not None:
        names = "the labels", f"--groups {split_source(options.groups)[0]}"
        for side in sides:
            check_row_ids(side.row_ids, groups.row_ids, names=names)
    if groups is None and options.crossing is not None:
        raise ValueError("--crossing is about --groups; give both, or leave it out")
    units = {"groups": groups, "crossing": options.crossing or "error"}
    if hasattr(options, "by"):
        units["by"] = options.by
    return units


def print_report(report: Report, options: argparse.Namespace) -> None:
    """Print a report in the form that was asked for."""
    tell(report.accounts)
    notes = [in_words_of(note, options.words) for note in report.notes]
    record: Any = report  # a dataclass each
    print_in_shape(replace(record, notes=notes), options)
