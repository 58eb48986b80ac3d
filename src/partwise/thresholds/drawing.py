"""Drawings of sweeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from partwise.thresholds.result import Sweep


def draw(result: Sweep, path: str | None, against: str) -> Any:
    """Draw the measures of a sweep; see ``Sweep.plot``."""
    if against not in ("threshold", "n_clusters"):
        raise ValueError(f'against={against!r}: one of "threshold", "n_clusters" is expected')
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ModuleNotFoundError(
            "drawing needs matplotlib: pip install partwise[plot]"
        ) from error
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    for name in result.measures:
        states = result.states_of(name)
        x = result.thresholds[states] if against == "threshold" else result.n_clusters[states]
        y, finite = result[name], np.isfinite(x)
        way = "steps-post" if against == "threshold" else "default"
        (line,) = axes.plot(x[finite], y[finite], drawstyle=way, label=name)
        best = result.best(name)
        at = best.cut if against == "threshold" else best.n_clusters
        if np.isfinite(at):
            axes.plot([at], [best.value], "o", color=line.get_color())
    if against == "n_clusters":
        axes.set_xscale("log")
    axes.set_xlabel(against.replace("n_", "").replace("_", " "))
    axes.legend()
    if path is not None:
        figure.savefig(path, dpi=150)
    return figure
