"""PSI paper, sections 7.6 and 7.7: clusters that overlap, and in many dimensions.

The paper clusters by random swap; here k-means with restarts from far items takes its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from papers import psi_outcomes
from papers.clusterers import Labels, Points, kmeans
from papers.curves import draw_curves, finish, plot_curves
from papers.figures import new_figure
from papers.psi_indexes import INDEXES, PAPER, index_values
from papers.registry import experiment
from papers.table import ExperimentTable
from partwise.table.contingency import Contingency
from partwise.table.count import contingency

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.random import Generator

# ---- overlap and dimensionality ----------------------------------------------------


def overlapping_points(
    overlap: float, dimensions: int, random: Generator, size: int = 1000
) -> tuple[Points, Labels]:
    """Return two unit Gaussian clusters and their labels.

    Parameters
    ----------
    overlap : float
        Share of the items that is expected nearer to the other centre, in (0, 1/2].
    dimensions : int
    random : Generator
    size : int, default 1000
        Items of each cluster.
    """
    from scipy.special import ndtri

    if not 0 < overlap <= 0.5:
        raise ValueError(f"overlap={overlap}; more than 0 and at most 0.5 is expected")
    points = random.standard_normal((2 * size, dimensions))
    labels = np.repeat(np.arange(2), size)
    points[:, 0] += -2.0 * float(ndtri(overlap)) * labels
    return points, labels


def _measured_overlap(points: Points, labels: Labels) -> float:
    centres = np.array([points[labels == x].mean(axis=0) for x in (0, 1)])
    away = ((points[:, None, :] - centres) ** 2).sum(axis=2)
    return float((away.argmin(axis=1) != labels).mean())


def draw_overlap(table: ExperimentTable) -> Figure:
    """Return the indexes against the overlap, with what NVD and PSI should be."""
    figure = new_figure(7.0, 4.0)
    axes = figure.add_subplot()
    plot_curves(axes, table, "overlap", tuple(INDEXES))
    for column, text in (("expected_NVD", "NVD expected"), ("expected_PSI", "PSI expected")):
        dashes = (0, (5, 3)) if column == "expected_PSI" else (0, (1, 2))
        axes.plot(
            table.column("overlap"),
            table.column(column),
            color="black",
            linestyle=dashes,
            linewidth=1.2,
            label=text,
            zorder=5,
        )
    finish(axes, "items nearer to the other cluster's centre (share)", "similarity")
    axes.set_title(table.title, fontsize=10)
    figure.legend(loc="outside right center", frameon=False)
    return figure


@experiment(
    "psi-overlap", PAPER, "Fig. 21", draw=draw_overlap, outcomes=psi_outcomes.of_overlap
)
def overlap(
    overlaps: Sequence[float] = (0.001, 0.01, *(x / 20 for x in range(1, 11))),
    seed: int = 1,
    *,
    size: int = 1000,
    restarts: int = 5,
) -> ExperimentTable:
    """Move one of two Gaussian clusters into the other (PSI 7.6, Fig. 21).

    Parameters
    ----------
    overlaps : sequence of float
        Expected overlaps, each in (0, 1/2].
    seed : int, default 1
    size : int, default 1000
        Items of each cluster.
    restarts : int, default 5
        Runs of k-means.

    Returns
    -------
    ExperimentTable
        ``overlap`` (measured), the six indexes, ``expected_NVD`` = 1 - overlap and
        ``expected_PSI`` = 1 - 2 overlap (PSI of two clusters that exchange so many items).

    Notes
    -----
    Eight dimensions, as in the paper; near an overlap of 1/2 k-means sees one round cluster and
    cuts it anywhere, so that NVD ends near 1/2 and PSI near 0.
    """
    random = np.random.default_rng(seed)
    rows = []
    for wanted in overlaps:
        points, labels = overlapping_points(wanted, 8, random, size)
        candidate = kmeans(points, 2, random, restarts=restarts)
        share = _measured_overlap(points, labels)
        values = index_values(contingency(labels, candidate))
        rows.append((share, *values, 1.0 - share, 1.0 - 2.0 * share))
    return ExperimentTable(
        f"Two Gaussian clusters of {size} items that overlap",
        ("overlap", *INDEXES, "expected_NVD", "expected_PSI"),
        tuple(sorted(rows)),
        (
            "As printed: NVD near 1 - overlap (.85 at 15 percent), PSI near 1 - 2 overlap.",
            "k-means with restarts in place of random swap.",
        ),
    )


@experiment(
    "psi-expected-overlap",
    PAPER,
    "Figs 21, 22, text",
    outcomes=psi_outcomes.of_expected_overlap,
)
def expected_overlap(
    overlaps: Sequence[float] = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5), size: int = 1000
) -> ExperimentTable:
    """Exchange a share of two clusters' items (PSI 7.6, the values to expect at an overlap).

    Parameters
    ----------
    overlaps : sequence of float
    size : int, default 1000

    Returns
    -------
    ExperimentTable
        ``overlap`` and the six indexes of the table with so many items exchanged.

    Notes
    -----
    15 percent: NVD .85, PSI .70, as printed.

    Examples
    --------
    >>> from papers import psi
    >>> print([round(x, 2) for x in psi.expected_overlap((0.15,)).column("PSI")])
    [0.7]
    """
    rows = []
    for share in overlaps:
        moved = round(share * size)
        table = Contingency.from_dense([[size - moved, moved], [moved, size - moved]])
        rows.append((share, *index_values(table)))
    return ExperimentTable(
        f"Two clusters of {size} that exchange a share of their items",
        ("overlap", *INDEXES),
        tuple(rows),
        ("As printed: NVD .85 and PSI .70 at 15 percent.",),
    )


def draw_dimensionality(table: ExperimentTable) -> Figure:
    """Return the indexes against the number of dimensions, on a logarithmic axis."""
    figure = draw_curves(table, "dimensions", tuple(INDEXES), "dimensions", "similarity")
    axes = figure.axes[0]
    axes.set_xscale("log", base=2)
    axes.set_xticks(table.column("dimensions"), [str(x) for x in table.column("dimensions")])
    axes.set_ylim(0, 1)
    return figure


@experiment(
    "psi-dimensionality",
    PAPER,
    "Fig. 22",
    draw=draw_dimensionality,
    outcomes=psi_outcomes.of_dimensionality,
)
def dimensionality(
    dimensions: Sequence[int] = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512),
    seed: int = 1,
    *,
    size: int = 1000,
    restarts: int = 3,
) -> ExperimentTable:
    """Overlap two clusters by 15 percent in more and more dimensions (PSI 7.7, Fig. 22).

    Parameters
    ----------
    dimensions : sequence of int
    seed : int, default 1
    size : int, default 1000
        Items of each cluster.
    restarts : int, default 3
        Runs of k-means.

    Returns
    -------
    ExperimentTable
        ``dimensions`` and the six indexes.

    Notes
    -----
    The paper finds no change up to about 256 dimensions, then a fall: with many dimensions
    the smallest sum of squares is no longer that of the true clusters. Here NVD is near .85
    and PSI near .70 up to 64 dimensions, a little lower at 128 and 256, and far lower at 512.
    """
    random = np.random.default_rng(seed)
    rows = []
    for wanted in dimensions:
        points, labels = overlapping_points(0.15, wanted, random, size)
        candidate = kmeans(points, 2, random, restarts=restarts)
        rows.append((wanted, *index_values(contingency(labels, candidate))))
    return ExperimentTable(
        "Two clusters that overlap by 15 percent, by dimensions",
        ("dimensions", *INDEXES),
        tuple(rows),
        (
            "The paper: NVD .85 and PSI .70 up to about 256 dimensions, then lower.",
            "k-means with restarts in place of random swap.",
        ),
    )
