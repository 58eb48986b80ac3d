"""Items at a border, by hard and by soft distances (ICML 2005, section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from papers.curves import finish, plot_curves
from papers.figures import new_figure
from papers.outcomes import Outcome
from papers.reasons import reasons_where_needed
from papers.registry import experiment
from papers.table import ExperimentTable
from partwise.measures.information.soft import soft_normalized_variation_of_information
from partwise.measures.transport.transport import mallows_distance

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAPER = "Mallows distance"


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


@reasons_where_needed
def outcomes_of_border(table: ExperimentTable) -> list[Outcome]:
    """Return the claims about Figure 3."""
    last = table.to_dicts()[-1]
    return [
        Outcome(
            "Figure 3",
            "hard labels of items at a border",
            "tend to be quite different",
            f"CC hard {last['CC hard']:.2f} with {last['at_border']:.0%} at the border",
            holds=last["CC hard"] > 0.4,
            why="CC of the hard labels is small",
        ),
        Outcome(
            "Figure 3",
            "their memberships, .51 and .49",
            "in fact not different",
            f"CC soft {last['CC soft']:.3f}",
            holds=last["CC soft"] < 0.05,
            why="CC of the memberships is large",
        ),
    ]


@experiment("mallows-border", PAPER, "Fig. 3", draw=draw_border, outcomes=outcomes_of_border)
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
                soft_normalized_variation_of_information(*labels),
                mallows_distance(*labels, normalize=True),
                soft_normalized_variation_of_information(first, second),
                mallows_distance(first, second, normalize=True),
            )
        )
    return ExperimentTable(
        "Items at the border, more likely here in one clustering, there in the other",
        ("at_border", "VI hard", "CC hard", "VI soft", "CC soft"),
        tuple(rows),
        ("VI soft is as large between a soft clustering and itself.",),
    )
