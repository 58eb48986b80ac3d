"""``partwise consensus``: one clustering for many."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from partwise.cli.clusterings import add_sources, read_clusterings
from partwise.cli.options import add_input_options, add_latex_options, print_in_shape
from partwise.consensus.credible_ball import credible_ball
from partwise.consensus.expected_loss import medoid
from partwise.consensus.losses import LOSSES
from partwise.consensus.point_estimate import PointEstimate, point_estimate
from partwise.consensus.vote import MajorityVote, majority_vote
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.report.table import Table, Tabular


@dataclass(frozen=True)
class Report(Tabular):
    """An estimate as lines and a table of its clusters.

    Attributes
    ----------
    estimate : PointEstimate
    further : list of str
        What the medoid, the vote and the ball say.
    """

    estimate: PointEstimate
    further: list[str]

    def heading(self) -> list[str]:
        """Return the lines above the table."""
        return [*str(self.estimate).splitlines(), *self.further]

    def table(self) -> Table:
        """Return the clusters, their sizes and how sure each is."""
        sizes = np.bincount(self.estimate.labels).tolist()
        certainty = self.estimate.certainty.tolist()
        rows = [(str(k), *row) for k, row in enumerate(zip(sizes, certainty, strict=True))]
        return Table(("cluster", "items", "certainty"), rows)

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
        metavar="NUMBER,NUMBER",
        help="a weight for each clustering, in their order (default: 1 each)",
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
        "--output", metavar="FILE", help="write the cluster of each item to FILE, as CSV"
    )
    more.add_argument(
        "--plot", metavar="FILE", help="draw how often items are together, and save it in FILE"
    )
    shape = parser.add_mutually_exclusive_group()
    for name in ("csv", "markdown", "latex"):
        text = f"print {name} instead of aligned text"
        shape.add_argument(
            f"--{name}", dest="shape", action="store_const", const=name, help=text
        )
    add_latex_options(parser)
    add_input_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Print the estimate."""
    draws = read_clusterings(options, options.sources, "consensus")
    common = {
        "loss": options.loss,
        "split_cost": options.split_cost,
        "weights": _weights(options.weights),
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
    lines = []
    if options.medoid:
        best = medoid(draws, **common)
        lines.append(f"medoid: {best.name}, expected loss {best.expected_loss:.6g}")
    vote = majority_vote(draws, **common) if options.vote else None
    if vote is not None:
        lines.append(
            f"majority vote: {vote.labels.max() + 1} clusters, mean share of votes "
            f"{vote.shares.mean():.6g}"
        )
    if options.ball is not None:
        ball = credible_ball(estimate.clustering(), draws, level=options.ball, **common)
        lines += str(ball).splitlines()
    report = Report(estimate, lines)
    names = estimate.items or list(range(len(estimate.labels)))
    items = Items(report.heading(), names, estimate.labels, estimate.item_certainty, vote)
    if options.output:
        Path(options.output).write_text(items.to_csv(), encoding="utf-8")
    if options.plot:
        estimate.plot(draws, options.plot, weights=common["weights"])
    print_in_shape(items if options.shape == "csv" else report, options)


def _weights(text: str | None) -> list[float] | None:
    """Return the numbers of a list with commas."""
    if text is None:
        return None
    try:
        return [float(number) for number in text.split(",")]
    except ValueError:
        raise ValueError(
            f"--weights {text} is no list of numbers with commas between, such as 1,1,2"
        ) from None
