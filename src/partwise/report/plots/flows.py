"""Items that flow between clusters: an alluvial picture, and a tree of resolutions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from partwise.report.plots.style import COLORS, INK, new_axes, shortened

_GAP = 0.03  # between clusters, as a share of the height
#: Clusters whose names are shown in a tree, a level.
_NAMED = 20


@dataclass(frozen=True)
class Flow:
    """Items that two neighbouring clusters share."""

    source: Hashable
    target: Hashable
    count: int


def draw_alluvial(
    groups: Sequence[tuple[str, Sequence[Flow]]],
    *,
    left: str,
    right: str,
    ax: Any = None,
) -> Any:
    """Draw clusters of two sides as bars, and the items that they share as bands between.

    Parameters
    ----------
    groups : sequence of (title, flows)
        Parts that share no cluster, below each other.
    left, right : str
        What the sides are.
    ax : matplotlib.axes.Axes, optional
    """
    total = sum(flow.count for _, flows in groups for flow in flows) or 1
    lines = sum(len({f.source for f in fs} | {f.target for f in fs}) for _, fs in groups)
    ax = new_axes(ax, (7.4, min(2.0 + 0.22 * lines, 9.0)))
    top = 0.0
    for title, flows in groups:
        ax.text(0.5, top - 0.012, title, ha="center", va="bottom", fontsize="small", color=INK)
        bottom = _draw_part(ax, flows, top, total)
        top = bottom + 0.09
    ax.set_xlim(-0.02, 1.02)
    ax.set_ylim(top - 0.06, -0.07)
    ax.axis("off")
    ax.text(0.17, -0.065, left, ha="right", va="bottom", fontweight="bold", color=INK)
    ax.text(0.83, -0.065, right, ha="left", va="bottom", fontweight="bold", color=INK)
    return ax


def _draw_part(ax: Any, flows: Sequence[Flow], top: float, total: int) -> float:
    """Draw one part from ``top`` downwards and return where it ends."""
    sides: list[dict[Hashable, int]] = [{}, {}]
    for flow in flows:
        for side, name in zip(sides, (flow.source, flow.target), strict=True):
            side[name] = side.get(name, 0) + flow.count
    edges: list[dict[Hashable, float]] = [{}, {}]
    ends = []
    for k, side in enumerate(sides):
        y = top
        for name, count in side.items():
            height = count / total
            edges[k][name] = y
            x = 0.18 if k == 0 else 0.80
            ax.add_patch(_rectangle(x, y, 0.02, height))
            where = (0.165, "right") if k == 0 else (0.835, "left")
            noun = "item" if count == 1 else "items"
            text = f"{shortened(name, 22)} ({count} {noun})"
            ax.text(
                where[0], y + height / 2, text, ha=where[1], va="center", fontsize="x-small"
            )
            y += height + max(_GAP, 0.045 - height)
        ends.append(y)
    order = list(sides[0])
    for flow in flows:
        color = COLORS[order.index(flow.source) % len(COLORS)]
        height = flow.count / total
        here, there = edges[0][flow.source], edges[1][flow.target]
        ax.add_patch(_band(here, there, height, color))
        edges[0][flow.source] += height
        edges[1][flow.target] += height
    return max(ends)


def _rectangle(x: float, y: float, width: float, height: float) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((x, y), width, height, facecolor=INK, linewidth=0)


def _band(here: float, there: float, height: float, color: str) -> Any:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    x, middle, end = 0.20, 0.5, 0.80
    points = [
        *((x, here), (middle, here), (middle, there), (end, there)),
        *((end, there + height), (middle, there + height)),
        *((middle, here + height), (x, here + height), (x, here)),
    ]
    codes = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
    path = Path(points, codes)
    return PathPatch(path, facecolor=color, edgecolor="white", linewidth=0.6, alpha=0.55)


def draw_tree(
    levels: Sequence[str],
    clusters: Sequence[Sequence[tuple[Any, int]]],
    edges: Sequence[tuple[int, int, int, int, float]],
    *,
    least: float,
    ax: Any = None,
) -> Any:
    """Draw clusters of several levels, and how their items go from one level to the next.

    Parameters
    ----------
    levels : sequence of str
        Names, from the top.
    clusters : sequence of sequences of (label, size)
        Of each level, from the left.
    edges : sequence of (level, source, target, count, share of the target)
        Positions among the clusters of a level and of the next.
    least : float
        Shares of the target below this are not drawn, but for its largest.
    ax : matplotlib.axes.Axes, optional
    """
    widest = max(map(len, clusters))
    size = (min(3.0 + 0.42 * widest, 11.0), min(1.2 + 0.62 * len(levels), 10.0))
    ax = new_axes(ax, size)
    largest = max(size for level in clusters for _, size in level)

    def place(level: int, position: int) -> tuple[float, float]:
        return (position + 0.5) / len(clusters[level]) * widest, float(level)

    main: dict[tuple[int, int], tuple[int, float]] = {}
    for level, _, target, count, share in edges:
        main[level, target] = max(main.get((level, target), (0, 0.0)), (count, share))
    for level, source, target, count, share in edges:
        if share < least and (count, share) != main[level, target]:
            continue
        (x, y), (to_x, to_y) = place(level, source), place(level + 1, target)
        strong = (count, share) == main[level, target]
        ax.plot(
            (x, to_x),
            (y, to_y),
            color=INK if strong else COLORS[1],
            linestyle="-" if strong else "--",
            alpha=0.3 + 0.6 * share,
            linewidth=0.5 + 3.0 * (count / largest) ** 0.5,
            zorder=1,
            solid_capstyle="round",
        )
    for level, members in enumerate(clusters):
        for position, (label, items) in enumerate(members):
            x, y = place(level, position)
            area = 90 + 400 * items / largest
            ax.scatter([x], [y], s=area, color="white", edgecolor=INK, linewidth=1, zorder=2)
            if len(members) <= _NAMED and len(str(label)) <= 3:
                ax.text(x, y, str(label), ha="center", va="center", fontsize=6.5, zorder=3)
    ax.set_yticks(range(len(levels)), [shortened(name, 18) for name in levels])
    ax.set_ylim(len(levels) - 0.5, -0.5)
    ax.set_xlim(-0.2, widest + 0.2)
    ax.set_xticks([])
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    ax.set_title(
        "area: items; full line: where most of a cluster comes from; dashed: another "
        f"{least:.0%} or more",
        fontsize="x-small",
        color=INK,
        loc="left",
    )
    return ax
