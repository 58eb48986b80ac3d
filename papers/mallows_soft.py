"""The soft clusterings of the Mallows paper (ICML 2005, sections 2 and 5.1)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from papers.clusterers import Points, gaussian_mixture
from papers.curves import finish, panels_of_points, plot_bars, plot_curves, plot_labels
from papers.figures import new_figure
from papers.mallows_data import paired_labels, satellites, three_clusters
from papers.registry import experiment
from papers.table import ExperimentTable
from partwise.measures.information.soft import soft_variation_of_information
from partwise.measures.information.variation import variation_of_information
from partwise.measures.overlap.pairing import misclassification_index
from partwise.measures.transport.transport import mallows_distance

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.random import Generator

PAPER = "Mallows distance"


def _scaled_vi(first: Points, second: Points) -> float:
    """Return soft VI over its bound, ln K + ln J."""
    bound = math.log(first.shape[1]) + math.log(second.shape[1])
    return soft_variation_of_information(first, second) / bound


# ---- items at a border: Fig. 3 -----------------------------------------------------


def draw_border(table: ExperimentTable) -> Figure:
    """Return hard and soft distances against the share of items at the border."""
    figure = new_figure(7.4, 4.0)
    axes = figure.add_subplot()
    for ending, line in (("hard", "--"), ("soft", "-")):
        names = [f"{name} {ending}" for name in ("VI", "CC")]
        plot_curves(axes, table, "at_border", names, line=line)
    finish(axes, "share of the items at the border", "distance / its upper bound")
    axes.set_title(table.title, fontsize=10)
    figure.legend(loc="outside right center", frameon=False)
    return figure


@experiment("mallows-border", PAPER, "Fig. 3", draw=draw_border)
def border_points(
    shares: Sequence[float] = tuple(x / 20 for x in range(11)),
    tilt: float = 0.01,
    size: int = 200,
) -> ExperimentTable:
    """Let two soft clusterings differ a little in items at the border (Fig. 3).

    Parameters
    ----------
    shares : sequence of float
        Shares of the items that are at the border, up to 1/2 (beyond it the hard labels are
        the same again, exchanged).
    tilt : float, default 0.01
        A border item has memberships 1/2 + tilt and 1/2 - tilt, the other way round in the
        other clustering.
    size : int, default 200
        Items.

    Returns
    -------
    ExperimentTable
        ``at_border``; ``VI hard``, ``CC hard`` of the more likely labels, ``VI soft``,
        ``CC soft`` of the memberships, each over its bound.

    Notes
    -----
    The hard distances call the clusterings different, CC soft does not: 2 tilt of the border
    items. VI soft says nothing of the pair: it is as large between a clustering and itself.

    Examples
    --------
    >>> from papers import mallows
    >>> table = mallows.border_points((0.5,))
    >>> table.column("CC hard"), round(table.column("CC soft")[0], 6)
    ((0.5,), 0.01)
    """
    rows = []
    for share in shares:
        if not 0 <= share <= 0.5:
            raise ValueError(f"a share of {share} at the border; from 0 to 0.5 is expected")
        border = round(share * size)
        first = np.tile([1.0, 0.0], (size, 1))
        first[size // 2 :] = (0.0, 1.0)
        # border items on both sides of the border, so that both clusters keep items
        at = np.concatenate(
            [np.arange(border // 2), size // 2 + np.arange(border - border // 2)]
        )
        second = first.copy()
        near = np.where(first[at] > 0.5, 0.5 + tilt, 0.5 - tilt)
        first[at], second[at] = near, 1.0 - near
        labels = first.argmax(axis=1), second.argmax(axis=1)
        rows.append(
            (
                border / size,
                variation_of_information(*labels) / (2 * math.log(2)),
                mallows_distance(*labels, normalize=True),
                _scaled_vi(first, second),
                mallows_distance(first, second, normalize=True),
            )
        )
    return ExperimentTable(
        "Items at the border, more likely here in one clustering, there in the other",
        ("at_border", "VI hard", "CC hard", "VI soft", "CC soft"),
        tuple(rows),
        ("VI soft is as large between a soft clustering and itself.",),
    )


# ---- EM and CEM: Table 1, Figs 6, 7 ------------------------------------------------


def _data_sets(random: Generator) -> dict[str, tuple[Points, int]]:
    pair = random.standard_normal((600, 2))
    pair[300:, 0] += 6.0
    near = random.standard_normal((600, 2))
    near[300:, 0] += 2.0
    high = random.standard_normal((600, 6))
    high += 3.0 * np.repeat(np.eye(3, 6), 200, axis=0)
    return {
        "DS1": (three_clusters(random)[0], 3),
        "DS2": (satellites(random)[0], 5),
        "apart": (pair, 2),
        "overlapping": (near, 2),
        "six columns": (high, 3),
    }


def _em_pairs(seed: int) -> Iterator[tuple[str, Points, Points, Points]]:
    """Yield a name, points, and the memberships that EM and classification EM give them."""
    random = np.random.default_rng(seed)
    for name, (points, k) in _data_sets(random).items():
        start = int(random.integers(2**31))
        soft = gaussian_mixture(points, k, np.random.default_rng(start))
        other = gaussian_mixture(points, k, np.random.default_rng(start + 1), hard=True)
        yield name, points, soft, other


def draw_soft_pairs(table: ExperimentTable) -> Figure:
    """Return VI and CC of every data set as bars."""
    figure = new_figure(7.4, 4.0)
    axes = figure.add_subplot()
    plot_bars(axes, table, "points", ("VI", "CC"))
    for position, value in enumerate(table.column("VI_itself")):
        axes.plot(
            [position - 0.4, position],
            [value, value],
            color="black",
            linewidth=1.5,
            label="VI of EM and itself" if position == 0 else None,
        )
    finish(axes, "points", "distance of EM and CEM / its upper bound")
    axes.set_title(table.title, fontsize=10)
    figure.legend(loc="outside right center", frameon=False)
    return figure


@experiment("mallows-soft-pairs", PAPER, "Table 1, Figs 6, 7", draw=draw_soft_pairs)
def soft_pairs(seed: int = 1) -> ExperimentTable:
    """Compare EM with classification EM on several sets of points (Table 1, Figs 6 and 7).

    Parameters
    ----------
    seed : int, default 1

    Returns
    -------
    ExperimentTable
        ``points``, ``n``, ``clusters``; soft VI / (ln K + ln J), CC / n, and the VI of the EM
        clustering and itself.

    Notes
    -----
    The paper's values (VI .17 to .53, CC .002 to .39) are of its own points and runs. As there,
    CC tells a pair that is nearly the same from one that is not, and VI does not: much of it is
    there between a soft clustering and itself.
    """
    rows = tuple(
        (
            name,
            *soft.shape,
            _scaled_vi(soft, other),
            mallows_distance(soft, other, normalize=True),
            _scaled_vi(soft, soft),
        )
        for name, _, soft, other in _em_pairs(seed)
    )
    return ExperimentTable(
        "EM against classification EM",
        ("points", "n", "clusters", "VI", "CC", "VI_itself"),
        rows,
        ("Points of the paper's kind, not the paper's.",),
    )


def draw_soft_labels(table: ExperimentTable) -> Figure:
    """Return the likeliest clusters by EM and by CEM, a row a data set."""
    figure = new_figure(7.0, 7.4)
    panels = iter(panels_of_points(figure, 2, 2))
    for name, points, soft, other in _em_pairs(table.column("seed")[0]):
        if name not in table.column("points"):
            continue
        row = table.where(points=name).to_dicts()[0]
        values = f"VI {row['VI']:.2f}, CC {row['CC']:.2f}"
        labels = soft.argmax(axis=1)
        paired = paired_labels(labels, other.argmax(axis=1))
        plot_labels(next(panels), points, labels, f"{name}, EM")
        plot_labels(next(panels), points, paired, f"{name}, CEM: {values}")
    figure.suptitle(table.title, fontsize=10)
    return figure


@experiment("mallows-soft-labels", PAPER, "Fig. 6", draw=draw_soft_labels)
def soft_labels(seed: int = 1) -> ExperimentTable:
    """Count the items of DS1 and DS2 that EM and classification EM label otherwise (Fig. 6).

    Parameters
    ----------
    seed : int, default 1

    Returns
    -------
    ExperimentTable
        ``points``, ``n``; ``relabelled``: items outside the best one-to-one pairing of the
        likeliest clusters; soft VI and CC over their bounds; the ``seed``, from which the
        figure draws the points again.

    Notes
    -----
    VI is of the same size for both; CC goes with what is labelled otherwise.
    """
    rows = []
    for name, _, soft, other in _em_pairs(seed):
        if name not in ("DS1", "DS2"):
            continue
        outside = misclassification_index(soft.argmax(axis=1), other.argmax(axis=1))
        values = _scaled_vi(soft, other), mallows_distance(soft, other, normalize=True)
        rows.append((name, len(soft), round(outside * len(soft)), *values, seed))
    return ExperimentTable(
        "Likeliest clusters by EM and by classification EM",
        ("points", "n", "relabelled", "VI", "CC", "seed"),
        tuple(rows),
        ("Points of the paper's description, not the paper's.",),
    )
