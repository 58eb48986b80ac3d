"""Components and derivation of two clusterings as tables and drawings (SM, Figures 1 and 2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from papers.figures import new_figure
from papers.outcomes import Outcome
from papers.registry import experiment
from papers.table import ExperimentTable
from partwise.labels.clustering import first_appearance_labels
from partwise.labels.columns import (
    listed,
)
from partwise.numbers.arrays import IntArray
from partwise.table.arguments import alignment_of
from partwise.table.components import Components
from partwise.table.structures import meet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: A cluster that is split, two that are merged, two pairs that change partners, one kept.
EXAMPLE = ((1, 1, 1, 2, 3, 4, 4, 5, 5, 6), (1, 2, 2, 3, 3, 4, 5, 4, 5, 6))
#: More meet clusters than this cannot be told apart on a page.
MOST_PARTS = 40

Places = dict[str, float]


def draw_structure(table: ExperimentTable) -> Figure:
    """Draw ``split_merge_structure``: the bipartite graph above, the derivation below.

    Raises
    ------
    ValueError
        There are more than ``MOST_PARTS`` meet clusters: take fewer components.
    """
    if len(table.rows) > MOST_PARTS:
        raise ValueError(
            f"{len(table.rows)} parts do not fit on a page (at most {MOST_PARTS}); restrict "
            "the table to some components with where(component=...)"
        )
    rows = table.to_dicts()
    meets, positions, bounds = _layout(rows)
    longest = max(len(str(row[side])) for row in rows for side in ("reference", "candidate"))
    width = max(5.0, (len(meets) + len(bounds)) * max(0.75, 0.09 * longest) + 1.2)
    figure = new_figure(min(width, 24.0), 6.4)
    above, below = figure.subplots(2, 1, height_ratios=(2, 3))
    for row, x in zip(rows, meets, strict=True):
        ends = (
            positions["reference"][row["reference"]],
            positions["candidate"][row["candidate"]],
        )
        above.plot(ends, (1, 0), color="0.4", linewidth=1, zorder=1)
        below.plot((ends[0], x), (2, 1), color="tab:blue", linewidth=1, zorder=1)
        below.plot((x, ends[1]), (1, 0), color="tab:red", linewidth=1, zorder=1)
        _node(below, x, 1, row["meet"], "0.97")
    for axes, top in ((above, 1), (below, 2)):
        _sides(axes, positions, top, bounds)
    above.set_title("components of the bipartite graph", fontsize=10)
    below.set_title("derivation: splits (blue) to the meet, merges (red)", fontsize=10)
    return figure


def _node(axes: Axes, x: float, y: float, text: str, colour: str) -> None:
    box = {"boxstyle": "round,pad=0.35", "facecolor": colour, "edgecolor": "0.3"}
    axes.text(x, y, text, ha="center", va="center", fontsize=9, bbox=box, zorder=2)


def _sides(axes: Axes, positions: dict[str, Places], top: int, bounds: list[Any]) -> None:
    """Draw the clusters of both sides and a frame around each component."""
    for side, y, colour in (("reference", top, "#cfe3f5"), ("candidate", 0, "#f8d5cf")):
        for text, x in positions[side].items():
            _node(axes, x, y, text, colour)
    for first, last in bounds:
        frame: dict[str, Any] = {
            "facecolor": "none",
            "edgecolor": "0.7",
            "linestyle": "--",
            "linewidth": 0.8,
        }
        corners = (first - 0.55, first - 0.55, last + 0.55, last + 0.55)
        axes.fill(corners, (-0.4, top + 0.4, top + 0.4, -0.4), **frame)
    ticks = ("candidate", "reference") if top == 1 else ("candidate", "meet", "reference")
    axes.set_yticks(range(len(ticks)), ticks)
    axes.set_ylim(-0.55, top + 0.55)
    axes.set_xlim(bounds[0][0] - 0.8, bounds[-1][1] + 0.8)
    axes.set_xticks([])
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _layout(rows: list[dict[str, Any]]) -> tuple[list[float], dict[str, Places], list[Any]]:
    """Return places of the meet's clusters, of both sides', and the ends of components."""
    components = [row["component"] for row in rows]
    gaps = np.cumsum([0, *(a != b for a, b in pairwise(components))])
    meets = (np.arange(len(rows)) + 0.6 * gaps).tolist()
    positions: dict[str, Places] = {"reference": {}, "candidate": {}}
    bounds = []
    for component in dict.fromkeys(components):
        at = [i for i, c in enumerate(components) if c == component]
        bounds.append((meets[at[0]], meets[at[-1]]))
        for side, of_side in positions.items():
            of_side.update(_spread([rows[i][side] for i in at], [meets[i] for i in at]))
    return meets, positions, bounds


def _spread(clusters: list[str], xs: list[float]) -> Places:
    """Return a place for each cluster: in order of the mean of its parts, evenly apart."""
    means = {
        c: float(np.mean([x for x, d in zip(xs, clusters, strict=True) if c == d]))
        for c in clusters
    }
    ordered = sorted(means, key=means.__getitem__)
    step = (xs[-1] - xs[0] + 1) / len(ordered)
    return {c: xs[0] - 0.5 + (i + 0.5) * step for i, c in enumerate(ordered)}


#: Figure 2: the clusters of L, of the meet and of C in two components, items from 1.
_PRINTED_COMPONENTS = {
    1: ({"{4}", "{5}"}, {"{4}", "{5}"}, {"{4 5}"}),
    2: ({"{6 7}", "{8 9}"}, {"{6}", "{7}", "{8}", "{9}"}, {"{6 8}", "{7 9}"}),
}


def outcomes_of_structure(table: ExperimentTable) -> list[Outcome]:
    """Return the two components that can be read off Figure 2 in full."""
    outcomes = []
    for component, printed in _PRINTED_COMPONENTS.items():
        rows = table.where(component=component)
        ours = tuple(
            {_from_one(cluster) for cluster in rows.column(side)}
            for side in ("reference", "meet", "candidate")
        )
        item = f"component {component + 1}: clusters of L; of the meet; of C"
        outcomes.append(
            Outcome("Figure 2", item, _in_line(printed), _in_line(ours), holds=ours == printed)
        )
    return outcomes


def _in_line(three: Sequence[set[str]]) -> str:
    return "; ".join(" ".join(sorted(clusters)) for clusters in three)


def _from_one(cluster: str) -> str:
    """Return a cluster of items from 0 as the paper counts them, from 1."""
    return "{" + " ".join(str(int(item) + 1) for item in cluster.strip("{}").split()) + "}"


@experiment(
    "split-merge-structure",
    "Split-merge",
    "Figures 1 and 2",
    draw=draw_structure,
    outcomes=outcomes_of_structure,
)
def split_merge_structure(
    reference: Any = None, candidate: Any = None, **policies: Any
) -> ExperimentTable:
    """List the derivation graph: every cluster of the meet with its clusters on both sides.

    Parameters
    ----------
    reference, candidate : optional
        Two clusterings; default: ``EXAMPLE``.
    **policies
        See ``align``.

    Returns
    -------
    ExperimentTable
        component, reference, meet, candidate, size: the clusters as their items in brackets,
        in order of components; a row is an edge of the bipartite graph.

    Notes
    -----
    The clusters of the meet and the pairs of a split and a merge subcomponent are one to one
    (Proposition 4.3), so the rows are those pairs as well. O(n + cells).

    References
    ----------
    Split-merge (ICML 2012), Definitions 4.1 to 4.7, Figures 1 and 2.

    Examples
    --------
    >>> print(split_merge_structure([0, 0, 1], [0, 1, 1]))
    Components and derivation of two clusterings
    component  reference  meet  candidate  size
    0          {0 1}      {0}   {0}        1
    0          {0 1}      {1}   {1 2}      1
    0          {2}        {2}   {1 2}      1
    """
    if reference is None:
        reference, candidate = EXAMPLE
        policies = {}
    aligned = alignment_of(reference, candidate, policies, "split_merge_structure")
    sides = [side.column.compact().codes for side in (aligned.reference, aligned.candidate)]
    component = Components(aligned.table, aligned).item_component
    members = [_members(codes) for codes in sides]
    names = listed(aligned.items)
    rows = []
    order = np.lexsort((*reversed(sides), component))
    for part in _members(first_appearance_labels(meet(aligned)[order])):
        items = order[part]
        first = items[0]
        reference_part, candidate_part = (
            at[codes[first]] for at, codes in zip(members, sides, strict=True)
        )
        texts = (_text(names, clusters) for clusters in (reference_part, items, candidate_part))
        rows.append((int(component[first]), *texts, len(items)))
    return ExperimentTable(
        "Components and derivation of two clusterings",
        ("component", "reference", "meet", "candidate", "size"),
        tuple(rows),
    )


def _members(codes: NDArray[Any]) -> list[IntArray]:
    """Return the places of each code 0, 1, ..., ascending."""
    order = np.argsort(codes, kind="stable")
    if not len(order):
        return []
    return np.split(order, np.flatnonzero(np.diff(codes[order])) + 1)


def _text(names: Sequence[Any], items: IntArray) -> str:
    """Return the items in brackets; of many the first ones, which tell clusters apart."""
    shown = [str(names[i]) for i in items[:4].tolist()]
    if len(items) > 4:
        shown = [*shown[:2], f"... ({len(items)} items)"]
    return "{" + " ".join(shown) + "}"
