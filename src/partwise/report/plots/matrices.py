"""Matrices as heat maps: cells of a table, one measure between all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise.report.plots.style import AMOUNTS, new_axes, shortened

#: Cells on a side up to which each has its number, and each line its name.
_NUMBERED, _NAMED = 12, 40


def draw_matrix(
    values: NDArray[Any],
    rows: Sequence[Any],
    cols: Sequence[Any],
    *,
    xlabel: str,
    ylabel: str,
    unit: str,
    shown: str = "{:.2f}",
    darkest: float | None = None,
    lightest: float | None = None,
    reverse: bool = False,
    ax: Any = None,
) -> Any:
    """Draw a matrix and return its axes.

    Parameters
    ----------
    values : ndarray, shape (len(rows), len(cols))
        Masked or NaN cells stay white.
    rows, cols : sequences
        Names, shown where there is room.
    xlabel, ylabel, unit : str
        What columns, rows and values are.
    shown : str
        Form of a number in a cell.
    darkest, lightest : float, optional
        Values of the ends of the scale.
    reverse : bool
        Whether low values are dark, as for distances.
    ax : matplotlib.axes.Axes, optional
    """
    n, m = values.shape
    wide = 2.6 + min(0.42 * max(m, 4), 6.0)
    ax = new_axes(ax, (wide, 1.4 + min(0.42 * max(n, 4), 6.0)))
    image = ax.imshow(
        values,
        cmap=f"{AMOUNTS}_r" if reverse else AMOUNTS,
        vmin=lightest,
        vmax=darkest,
        aspect="auto",
        interpolation="nearest",
    )
    if max(n, m) <= _NUMBERED:
        low, high = image.get_clim()
        hidden = np.ma.getmaskarray(values)
        for (i, j), value in np.ndenumerate(np.ma.getdata(values)):
            if hidden[i, j] or not np.isfinite(value):
                continue
            share = (value - low) / (high - low) if high > low else 0.0
            dark = (1 - share if reverse else share) > 0.55
            ax.text(
                j,
                i,
                shown.format(value),
                ha="center",
                va="center",
                fontsize="x-small",
                color="white" if dark else "black",
            )
    _name(ax.xaxis, cols, rotation=45 if any(len(str(x)) > 2 for x in cols) else 0)
    _name(ax.yaxis, rows)
    ax.tick_params(length=0)
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    bar = ax.figure.colorbar(image, ax=ax, fraction=0.05, pad=0.02)
    bar.outline.set_visible(False)
    bar.set_label(unit)
    return ax


def _name(axis: Any, names: Sequence[Any], rotation: int = 0) -> None:
    if len(names) > _NAMED:
        axis.set_ticks([])
        return
    axis.set_ticks(range(len(names)), [shortened(name, 18) for name in names])
    for label in axis.get_ticklabels():
        label.set_fontsize("x-small" if len(names) > 12 else "small")
        if rotation:
            label.set_rotation(rotation)
            label.set_ha("right")
            label.set_rotation_mode("anchor")
