"""Measures against a threshold, a resolution or a number of clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.report.plots.style import (
    COLORS,
    DASHES,
    FAINT,
    MARKERS,
    MOST_LINES,
    legend_outside,
    new_axes,
    plain,
    plain_numbers,
)


@dataclass(frozen=True)
class Curve:
    """One line: values at places, perhaps with a band and a place that was chosen.

    Attributes
    ----------
    name : str
    x, y : arrays
    low, high : arrays or None
        Ends of an interval at every place.
    chosen : (x, y) or None
        The best place and its value.
    """

    name: str
    x: NDArray[Any]
    y: NDArray[np.float64]
    low: NDArray[np.float64] | None = None
    high: NDArray[np.float64] | None = None
    chosen: tuple[float, float] | None = None


def draw_curves(
    curves: Sequence[Curve],
    *,
    xlabel: str,
    ylabel: str,
    steps: bool = False,
    log: bool = False,
    band: str = "",
    ax: Any = None,
) -> Any:
    """Draw a few curves and return their axes.

    Parameters
    ----------
    curves : sequence of Curve
        At most five, or they could not be told apart.
    xlabel, ylabel : str
    steps : bool
        Whether a value holds from its place to the next.
    log : bool
        Whether places are on a logarithmic axis.
    band : str
        What bands are, for the legend.
    ax : matplotlib.axes.Axes, optional
    """
    if len(curves) > MOST_LINES:
        raise ValueError(
            f"{len(curves)} curves in one picture cannot be told apart; name at most "
            f"{MOST_LINES} measures"
        )
    ax = new_axes(ax, (7.4, 3.8))
    for k, curve in enumerate(curves):
        finite = np.isfinite(curve.x) & np.isfinite(curve.y)
        x, y = curve.x[finite], curve.y[finite]
        if curve.low is not None and curve.high is not None:
            ax.fill_between(
                x,
                curve.low[finite],
                curve.high[finite],
                step="post" if steps else None,
                color=COLORS[k],
                alpha=0.18,
                linewidth=0,
            )
        ax.plot(
            x,
            y,
            drawstyle="steps-post" if steps else "default",
            color=COLORS[k],
            linestyle=DASHES[k],
            linewidth=1.6,
            marker=MARKERS[k] if len(x) <= 25 and not steps else None,
            markersize=4,
            label=curve.name,
        )
        if curve.chosen is not None and np.isfinite(curve.chosen[0]):
            at, value = curve.chosen
            ax.plot(
                [at],
                [value],
                MARKERS[k],
                color=COLORS[k],
                markeredgecolor="white",
                markersize=8,
                label=f"best: {value:.3f} at {at:.4g}",
                zorder=4,
            )
    if len(curves) == 1 and curves[0].chosen is not None:
        ax.axvline(curves[0].chosen[0], color=FAINT, linewidth=0.8, zorder=0)
    if band:
        ax.fill_between([], [], [], color=COLORS[0], alpha=0.18, label=band)
    if log:
        ax.set_xscale("log")
        plain_numbers(ax.xaxis)
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    plain(ax)
    legend_outside(ax)
    return ax
