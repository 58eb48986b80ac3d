"""How often items are together, with the clusters of an estimate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from partwise.numbers.arrays import FloatArray
from partwise.report.plots.style import AMOUNTS, INK, new_axes


def draw_similarity(
    shares: FloatArray, sizes: Sequence[int], *, what: str, ax: Any = None
) -> Any:
    """Draw shares of items that stand cluster by cluster, and return the axes.

    Parameters
    ----------
    shares : ndarray of float64, shape (n, n)
        Symmetric, in [0, 1].
    sizes : sequence of int
        How many items each cluster has, in the order of the items; they add up to n.
    what : str
        What the items are, and how many of them.
    ax : matplotlib.axes.Axes, optional
    """
    ax = new_axes(ax, (5.6, 4.8))
    image = ax.imshow(shares, cmap=AMOUNTS, vmin=0, vmax=1, interpolation="nearest")
    first = 0
    for size in sizes:
        corner = first - 0.5
        # dark on white: seen on light cells and on dark ones
        for color, width in (("white", 2.6), (INK, 1.0)):
            square = [corner, corner + size, corner + size, corner, corner]
            ax.plot(
                square,
                [corner, corner, corner + size, corner + size, corner],
                color=color,
                linewidth=width,
                solid_joinstyle="miter",
                clip_on=False,
            )
        first += size
    ax.set_xlim(-0.5, first - 0.5)
    ax.set_ylim(first - 0.5, -0.5)
    ax.set_xticks([])
    ax.set_yticks([])
    ax.set_xlabel(what)
    bar = ax.figure.colorbar(image, ax=ax, fraction=0.05, pad=0.03)
    bar.outline.set_visible(False)
    bar.set_label("share of the clusterings that have two items together")
    return ax
