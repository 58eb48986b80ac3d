"""``partwise consensus``: one clustering for many."""

from __future__ import annotations

import argparse
import json
import math
import numbers
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from partwise.cli.clusterings import add_sources, read_clusterings
from partwise.cli.options import (
    add_input_options,
    add_latex_options,
    add_shape_options,
    open_source,
    print_in_shape,
    reading_options,
    split_source,
)
from partwise.cli.outputs import check_csv_output, write_csv
from partwise.consensus.credible_ball import credible_ball
from partwise.consensus.expected_loss import medoid
from partwise.consensus.losses import LOSSES
from partwise.consensus.point_estimate import PointEstimate, point_estimate
from partwise.consensus.vote import MajorityVote, majority_vote
from partwise.labels.account import counted
from partwise.labels.files.read import read_table
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.progress import doing
from partwise.report.json_documents import JsonResult
from partwise.report.table import Table, Tabular


@dataclass(frozen=True)
class Report(Tabular):
    """An estimate as lines and a table of its clusters.

    Attributes
    ----------
    estimate : PointEstimate
    lines : list of str
        What the medoid, the vote and the ball say.
    further : dict of str to JsonResult
        These, by name.
    """

    estimate: PointEstimate
    lines: list[str]
    further: dict[str, JsonResult]

    def heading(self) -> list[str]:
        """Return the lines above the table."""
        return [*str(self.estimate).splitlines(), *self.lines]

    def table(self) -> Table:
        """Return the clusters, their sizes and how sure each is."""
        sizes = np.bincount(self.estimate.labels).tolist()
        certainty = self.estimate.certainty.tolist()
        rows = [(str(k), *row) for k, row in enumerate(zip(sizes, certainty, strict=True))]
        return Table(("cluster", "items", "certainty"), rows)

    def to_json(self) -> str:
        """Return the document of the estimate, with those of further results in it."""
        document = json.loads(self.estimate.to_json())
        inner = {name: json.loads(result.to_json()) for name, result in self.further.items()}
        return json.dumps({**document, **inner}, indent=2)

    def __str__(self) -> str:
        return "\n".join([*self.heading(), "", self.table().text()])


@dataclass(frozen=True)
class Items(Tabular):
    """The cluster of each item, and how sure it is.

    Attributes
    ----------
    lines : list of str
    items : list
    labels : ndarray of int64, shape (n,)
    certainty : ndarray of float64, shape (n,)
    vote : MajorityVote or None
    """

    lines: list[str]
    items: list[Any]
    labels: IntArray
    certainty: FloatArray
    vote: MajorityVote | None

    def heading(self) -> list[str]:
        """Return the lines that stand for the result as one."""
        return self.lines

    def table(self) -> Table:
        """Return a line for each item."""
        columns: list[list[Any]] = [self.items, self.labels.tolist(), self.certainty.tolist()]
        header = ["item", "cluster", "certainty"]
        if self.vote is not None:
            columns += [self.vote.labels.tolist(), self.vote.shares.tolist()]
            header += ["vote", "share of votes"]
        return Table(header, list(zip(*columns, strict=True)))


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "consensus",
        help="find one clustering for many, such as draws or runs",
        description="Search for the clustering with the least expected loss over many "
        "clusterings of the same items: the columns of one file, or several files. The table "
        "has a line for each cluster; --csv and --output have one for each item.",
    )
    add_sources(parser)
    group = parser.add_argument_group("search")
    group.add_argument(
        "--loss", choices=tuple(LOSSES), default="vi", help="the loss (default: vi)"
    )
    group.add_argument(
        "--split-cost",
        type=float,
        default=1.0,
        metavar="COST",
        help="from 0 to 2, for vi and binder: what splitting a pair of a draw costs; merging "
        "one costs 2 minus it (default: 1)",
    )
    group.add_argument(
        "--weights",
        metavar="NUMBER,NUMBER|FILE",
        help="a weight for each clustering, in their order: numbers, or a file of them, or one "
        "of its columns as FILE::COLUMN (default: 1 each)",
    )
    group.add_argument(
        "--max-clusters",
        type=int,
        metavar="N",
        help="the most clusters of the result (default: as many as items)",
    )
    group.add_argument(
        "--runs", type=int, default=16, metavar="N", help="independent runs (default: 16)"
    )
    group.add_argument(
        "--seconds", type=float, metavar="S", help="begin no further run after S seconds"
    )
    group.add_argument(
        "--seed", type=int, metavar="N", help="seed of the runs (default: one is chosen)"
    )
    group.add_argument("--workers", type=int, metavar="N", help="threads (default: 1)")
    more = parser.add_argument_group("further results")
    more.add_argument(
        "--medoid",
        action="store_true",
        help="name the clustering nearest to the others",
    )
    more.add_argument(
        "--vote", action="store_true", help="add a majority vote of matched clusters"
    )
    more.add_argument(
        "--ball",
        type=float,
        metavar="LEVEL",
        help="describe the smallest ball that holds this share of the clusterings",
    )
    more.add_argument(
        "--output",
        metavar="FILE",
        help="write the cluster of each item to FILE, as CSV, compressed if it ends in .gz, "
        ".bz2 or .xz",
    )
    more.add_argument(
        "--plot", metavar="FILE", help="draw how often items are together, and save it in FILE"
    )
    add_shape_options(parser, "latex")
    add_latex_options(parser)
    add_input_options(parser)
    parser.set_defaults(run=run, words={"level": "--ball"})


def run(options: argparse.Namespace) -> None:
    """Print the estimate."""
    if options.output == "-":
        raise ValueError("--output names a file; --csv prints the cluster of each item")
    if options.output:
        check_csv_output(options.output)
    draws = read_clusterings(options, options.sources, "consensus")
    common = {
        "loss": options.loss,
        "split_cost": options.split_cost,
        "weights": _weights(options, len(draws)),
        "workers": options.workers,
    }
    estimate = point_estimate(
        draws,
        max_clusters=options.max_clusters,
        runs=options.runs,
        seconds=options.seconds,
        seed=options.seed,
        progress=sys.stderr.isatty(),
        **common,
    )
    lines: list[str] = []
    further: dict[str, JsonResult] = {}
    if options.medoid:
        further["medoid"] = best = medoid(draws, **common)
        lines.append(f"medoid: {best.name}, expected loss {best.expected_loss:.6g}")
    vote = None
    if options.vote:
        further["vote"] = vote = majority_vote(draws, **common)
        lines.append(
            f"majority vote: {vote.labels.max() + 1} clusters, mean share of votes "
            f"{vote.shares.mean():.6g}"
        )
    if options.ball is not None:
        ball = credible_ball(estimate.clustering(), draws, level=options.ball, **common)
        further["ball"] = ball
        lines += str(ball).splitlines()
    report = Report(estimate, lines, further)
    names = estimate.items or list(range(len(estimate.labels)))
    items = Items(report.heading(), names, estimate.labels, estimate.item_certainty, vote)
    if options.output:
        write_csv(options.output, items.to_csv())
    if options.plot:
        estimate.plot(draws, options.plot, weights=common["weights"])
    print_in_shape(items if options.shape == "csv" else report, options)


def _weights(options: argparse.Namespace, n_draws: int) -> Any:
    """Return the numbers of a list with commas, or those of a file."""
    text: str | None = options.weights
    if text is None:
        return None
    try:
        values: Any = [float(number) for number in text.split(",")]
    except ValueError:
        values = None
    if values is not None:
        if len(values) != n_draws:
            raise ValueError(
                f"--weights {text}: {counted(len(values), 'number')}, and there are "
                f"{counted(n_draws, 'clustering')}; give one for each"
            )
        _check_weights(values, f"--weights {text}: number")
        return values
    path, column = split_source(text)
    if not column and not Path(path).exists():
        raise ValueError(
            f"--weights {text} is no list of numbers with commas between, such as 1,1,2, "
            "and no file"
        )
    values = _weights_of_file(options, path, column)
    if len(values) != n_draws:
        raise ValueError(
            f"--weights {text}: the file has {len(values)} rows, and there are {n_draws} "
            "clusterings; a row is the weight of one"
        )
    _check_weights(values, f"--weights {text}: row")
    return values


def _check_weights(values: Iterable[float], where: str) -> None:
    """Refuse what is no weight, by its place from 1."""
    for place, value in enumerate(values, start=1):
        if not (math.isfinite(value) and value >= 0):
            raise ValueError(
                f"{where} {place} is {value:g}; a weight is a finite number, 0 or larger"
            )


def _weights_of_file(options: argparse.Namespace, path: str, column: str) -> Any:
    # the options for reading are about the clusterings, which may be in files of another kind
    reading = reading_options(options) | {
        "format": "auto",
        "header": None,
        "delimiter": None,
        "comment": None,
        "flatten": False,
    }
    wanted = [column] if column else []
    with doing(f"reading {path}"):
        table = read_table(
            open_source(options, path), wanted=wanted, is_header=_names_columns, **reading
        )
    names = [name for name in table.columns if name not in table.index]
    if column:
        names = [table.find(column)]
    if len(names) != 1:
        raise ValueError(
            f"--weights {path}: the file has {len(names)} columns ({', '.join(names)}); say "
            "which one has the weights: FILE::COLUMN"
        )
    values = table.number_values(names[0])
    for row, value in enumerate(values, start=1):
        nothing = value is None or value != value  # NaN stands for an empty cell, too
        if nothing or not isinstance(value, numbers.Real):
            shown = "no weight" if nothing else repr(value)
            raise ValueError(
                f"--weights {path}: column {names[0]!r} has {shown} in row {row}; weights are "
                "numbers"
            )
    return values


def _names_columns(row: Sequence[str]) -> bool:
    """Say whether the first row of a file of weights is no row of numbers."""
    try:
        for cell in row:
            float(cell)
    except ValueError:
        return True
    return False
