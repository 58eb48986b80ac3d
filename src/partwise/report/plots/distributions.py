"""Distributions and intervals: null values, sizes, systems with intervals, documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.report.plots.style import (
    COLORS,
    FAINT,
    INK,
    legend_outside,
    new_axes,
    plain,
    plain_numbers,
    shortened,
)

#: Systems of a forest, and points that have their names.
_MOST_SYSTEMS, _NAMED_POINTS = 40, 5


def draw_null(
    values: NDArray[np.float64],
    observed: float,
    *,
    measure: str,
    what: str,
    remark: str = "",
    ax: Any = None,
) -> Any:
    """Draw values under chance as a histogram, with the observed one, and return the axes."""
    ax = new_axes(ax, (6.4, 3.2))
    finite = values[np.isfinite(values)]
    bins = min(max(int(len(finite) ** 0.5), 8), 60)
    ax.hist(finite, bins=bins, histtype="stepfilled", color="#8b95a5")
    low, high = np.quantile(finite, [0.025, 0.975])
    ax.axvspan(low, high, color=FAINT, alpha=0.18, zorder=0, linewidth=0)
    ax.axvline(observed, color=COLORS[1], linewidth=2)
    spread = float(finite.std()) if len(finite) > 1 else 0.0
    span = (min(finite.min(), observed), max(finite.max(), observed))
    room = 0.06 * ((span[1] - span[0]) or abs(observed) or 1.0)
    ax.set_xlim(span[0] - room, span[1] + 3 * room)
    right = observed < (span[0] + span[1]) / 2
    distance = f", {abs(observed - finite.mean()) / spread:.1f} sd away" if spread else ""
    ax.annotate(
        f"observed {observed:.4g}{distance}{remark}",
        (observed, 1.02),
        xycoords=("data", "axes fraction"),
        ha="left" if right else "right",
        va="bottom",
        fontsize="small",
        color=COLORS[1],
    )
    ax.set_xlabel(f"{measure} (shaded: the middle 95 % of {what})")
    ax.set_ylabel(f"number of {what}")
    plain(ax, grid="y")
    return ax


def draw_sizes(
    sizes: dict[str, NDArray[np.int64]], *, noun: str, xlabel: str, ax: Any = None
) -> Any:
    """Draw how many have at least so many items, both axes logarithmic; return the axes."""
    ax = new_axes(ax, (6.4, 3.6))
    for k, (name, values) in enumerate(sizes.items()):
        ordered = np.sort(values)
        distinct, first = np.unique(ordered, return_index=True)
        at_least = len(ordered) - first
        ax.plot(
            distinct,
            at_least,
            marker=("o", "s", "^")[k % 3],
            linestyle=("-", "--", ":")[k % 3],
            color=COLORS[k],
            markersize=4,
            linewidth=1,
            label=f"{name} ({len(values):,})",
        )
    for axis, set_scale in ((ax.xaxis, ax.set_xscale), (ax.yaxis, ax.set_yscale)):
        set_scale("log")
        plain_numbers(axis)
    ax.set_xlabel(xlabel)
    ax.set_ylabel(f"{noun} of at least this size")
    plain(ax)
    if len(sizes) > 1:
        legend_outside(ax)
    return ax


def draw_forest(
    names: Sequence[str],
    values: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    *,
    xlabel: str,
    percent: bool = False,
    ax: Any = None,
) -> Any:
    """Draw values with their intervals below each other, and return the axes."""
    if len(names) > _MOST_SYSTEMS:
        raise ValueError(
            f"{len(names)} lines of intervals are too many for one picture; choose at most "
            f"{_MOST_SYSTEMS}"
        )
    ax = new_axes(ax, (6.8, 1.1 + 0.34 * len(names)))
    factor = 100.0 if percent else 1.0
    at = np.arange(len(names))
    ax.hlines(at, factor * low, factor * high, color=INK, linewidth=1.4)
    for ends in (low, high):
        ax.plot(factor * ends, at, "|", color=INK, markersize=7)
    ax.plot(factor * values, at, "o", color=COLORS[0], markersize=6)
    digits = 2 if percent else 3
    for k, value in enumerate(factor * values):
        interval = f"[{factor * low[k]:.{digits}f}, {factor * high[k]:.{digits}f}]"
        ax.annotate(
            f"{value:.{digits}f} {interval}",
            (1.01, k),
            xycoords=("axes fraction", "data"),
            va="center",
            fontsize="x-small",
            color=INK,
        )
    ax.set_yticks(at, [shortened(name, 36) for name in names])
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlabel(xlabel)
    ax.tick_params(axis="y", length=0)
    plain(ax, grid="x")
    return ax


def draw_recall_precision(
    recall: NDArray[np.float64],
    precision: NDArray[np.float64],
    names: Sequence[str],
    sizes: NDArray[np.int64],
    total: tuple[float, float],
    *,
    measure: str,
    ax: Any = None,
) -> Any:
    """Draw documents by recall and precision in percent, and return the axes.

    The area of a circle is its mentions; the worst by F1 are numbered and named in the legend;
    lines of equal F1 lie behind.
    """
    ax = new_axes(ax, (8.6, 5.0))
    grid = np.linspace(0.1, 100, 300)
    for f1 in (20, 40, 60, 80):
        below = 2 * grid - f1
        with np.errstate(divide="ignore", invalid="ignore"):
            line = np.where(below > 0, f1 * grid / below, np.nan)
        line[line > 100] = np.nan
        ax.plot(grid, line, color="#d6d6d6", linewidth=0.8, zorder=0)
        inside = np.isfinite(line)
        ax.text(
            grid[inside][-1],
            line[inside][-1],
            f" F1 {f1}",
            fontsize="xx-small",
            color=FAINT,
            va="center",
            clip_on=True,
        )
    ax.scatter(
        100 * recall,
        100 * precision,
        s=12 + 90 * sizes / max(int(sizes.max(initial=1)), 1),
        facecolor="none",
        edgecolor=COLORS[0],
        linewidth=0.9,
    )
    with np.errstate(invalid="ignore"):
        f1s = np.nan_to_num(2 * recall * precision / (recall + precision))
    for rank, k in enumerate(np.argsort(f1s, kind="stable")[:_NAMED_POINTS].tolist(), 1):
        ax.annotate(
            str(rank),
            (100 * recall[k], 100 * precision[k]),
            xytext=(-6, -3) if rank % 2 else (6, -3),
            textcoords="offset points",
            ha="right" if rank % 2 else "left",
            fontsize="x-small",
            color=INK,
        )
        ax.plot([], [], " ", label=f"{rank}  F1 {100 * f1s[k]:.1f}: {shortened(names[k], 36)}")
    ax.plot(
        [100 * total[0]],
        [100 * total[1]],
        "D",
        color=COLORS[1],
        markersize=8,
        label=f"all documents: recall {100 * total[0]:.1f}, precision {100 * total[1]:.1f}",
    )
    both = 100 * np.concatenate([recall, precision, total])
    ends = 10 * np.floor(both.min() / 10), min(10 * np.ceil(both.max() / 10), 100) + 1
    ax.set_xlim(*ends)
    ax.set_ylim(*ends)
    ax.set_aspect("equal")
    ax.set_xlabel(f"recall of {measure}, %")
    ax.set_ylabel(f"precision of {measure}, %")
    plain(ax, grid="")
    ax.set_title("area: mentions; numbers: the worst documents", fontsize="x-small", loc="left")
    legend_outside(ax, handlelength=1.2)
    return ax
