"""``partwise estimate``: scores of a whole prediction from a sample of true clusters."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from partwise.cli.drawing import add_drawing_options, print_report
from partwise.cli.options import (
    add_input_options,
    add_report_options,
    open_source,
    paths_of,
    read_sides,
    reading_options,
    split_names,
    split_source,
)
from partwise.inference.sampled.estimates import estimate_from_sample
from partwise.inference.sampled.sample import WEIGHT_WORDS
from partwise.labels import Clustering
from partwise.labels.files.read import read_table
from partwise.labels.indexes import check_row_ids


def add_parser(commands: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "estimate",
        help="estimate scores from a sample of the true clusters",
        description="Estimate pair, cluster and B-cubed scores of a prediction of all items "
        "from the true clusters of some of them, each with all its items.",
    )
    parser.add_argument(
        "prediction",
        metavar="PREDICTION",
        help="the clusters of all items: a file, or one of its columns as FILE::COLUMN",
    )
    parser.add_argument(
        "sample",
        metavar="SAMPLE",
        help="the true clusters of the sampled items, same forms; items without a label are "
        "not in the sample",
    )
    parser.add_argument(
        "--weights",
        required=True,
        metavar="WEIGHTS",
        help="how the clusters were drawn. uniform: all alike; size: items were drawn and "
        "their clusters looked up; or a column of the sample's file with 1 / the chance of "
        "the cluster",
    )
    parser.add_argument(
        "--population-clusters",
        type=int,
        metavar="N",
        help="true clusters of the whole population, if the sample was drawn from them without "
        "replacement: errors shrink with the share that was seen",
    )
    add_report_options(parser)
    group = parser.add_argument_group("bootstrap")
    group.add_argument(
        "--bootstrap",
        type=int,
        metavar="DRAWS",
        help="intervals from clusters drawn again (default: normal approximation)",
    )
    add_drawing_options(group, ("seed", "level"))
    add_input_options(parser)
    parser.set_defaults(run=run, measures="all")


def run(options: argparse.Namespace) -> None:
    """Print a line per measure."""
    if options.bootstrap is None and options.seed is not None:
        raise ValueError("--seed is for --bootstrap; give --bootstrap DRAWS, or leave it out")
    prediction, sample = read_sides(options, options.prediction, options.sample)
    if sample.items is None:
        if len(sample) != len(prediction):
            raise ValueError(
                f"{options.sample} has {len(sample)} rows, {options.prediction} "
                f"{len(prediction)}; rows are compared by position where --item COLUMN names "
                "no ids, and must be as many"
            )
        first, second = paths_of((options.prediction, options.sample))
        check_row_ids(prediction.row_ids, sample.row_ids, names=(first, second))
        rows = np.arange(len(sample))
        prediction, sample = (
            Clustering(side.labels, items=rows) for side in (prediction, sample)
        )
    drawing = {} if options.level is None else {"level": options.level}
    if options.bootstrap is not None:
        drawing |= {"interval": "bootstrap", "draws": options.bootstrap, "seed": options.seed}
    measures = split_names(options.measures)
    estimates = estimate_from_sample(
        prediction,
        _labelled(sample),
        weights=_weights(options, sample),
        population_clusters=options.population_clusters,
        measures="all" if measures == "default" else measures,
        **drawing,
    )
    print_report(estimates, options)


def _labelled(sample: Clustering) -> Clustering:
    """Return the items that have a label: on the command line the others are not sampled."""
    missing, items = sample.column.missing, sample.item_column
    if missing is None or not missing.any() or items is None:
        return sample
    sampled = np.flatnonzero(~missing)
    return Clustering._of(sample.column.take(sampled), items.take(sampled))


def _weights(options: argparse.Namespace, sample: Clustering) -> Any:
    """Return a word, or the weight of each cluster by its label."""
    if options.weights in WEIGHT_WORDS:
        return options.weights
    path, _ = split_source(options.sample)
    table = read_table(
        open_source(options, path), wanted=[options.weights], **reading_options(options)
    )
    name = table.find(options.weights)
    try:
        weights = np.asarray(table.number_values(name), dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            f"{path}: column {name!r} holds text; --weights takes uniform, size or a column of "
            "numbers"
        ) from None
    of_clusters: dict[Any, float] = {}
    for row, (label, weight) in enumerate(
        zip(sample.labels.tolist(), weights.tolist(), strict=True)
    ):
        if label is not None and of_clusters.setdefault(label, weight) != weight:
            raise ValueError(
                f"{path}: cluster {label!r} has the weights {of_clusters[label]:g} and "
                f"{weight:g} (row {row}) in column {name!r}; a cluster has one"
            )
    return of_clusters
