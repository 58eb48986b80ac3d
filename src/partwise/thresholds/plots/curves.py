"""Pictures of sweeps: which measures stand beside each other, and their bands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import one_of
from partwise.report.plots.curves import Curve, draw_curves
from partwise.report.plots.style import saved
from partwise.thresholds.bootstrap import SweepBootstrap

if TYPE_CHECKING:
    from partwise.thresholds.result import Sweep

#: Measures that are drawn where none is named: so many, of different families first.
_DEFAULT = 4
_PREFERRED = ("pair_f1", "b_cubed_f1", "v_measure", "purity")
_XLABELS = {
    "threshold": {
        True: "threshold of similarity",
        False: "threshold of distance",
    },
    "n_clusters": {True: "number of clusters", False: "number of clusters"},
}


def draw(
    result: Sweep,
    path: str | None,
    measures: Sequence[str] | None,
    against: str,
    bootstraps: Iterable[SweepBootstrap],
    ax: Any,
) -> Any:
    """Draw measures of a sweep; see ``Sweep.plot``."""
    one_of(against, ("threshold", "n_clusters"), "against")
    names = _chosen(result, measures)
    bands = {one.best.measure: one for one in bootstraps}
    curves = [_curve(result, name, against, bands.get(name)) for name in names]
    level = next((one.level for name, one in bands.items() if name in names), None)
    direction = result.directions[names[0]]
    better = f", {direction} is better" if direction else ""
    ax = draw_curves(
        curves,
        xlabel="level"
        if result.kind == "nested" and against == "threshold"
        else _XLABELS[against][result.similarity],
        ylabel=f"{names[0]}{better}" if len(names) == 1 else f"value{better}",
        steps=against == "threshold",
        log=against == "n_clusters",
        band="" if level is None else f"{level:.0%} of bootstrap draws",
        ax=ax,
    )
    return saved(ax, path)


def _chosen(result: Sweep, measures: Sequence[str] | None) -> list[str]:
    """Return the names of the measures to draw: of one direction, on one scale."""
    if measures is not None:
        names = [measures] if isinstance(measures, str) else list(measures)
        names = [result.best(name).measure for name in names]  # raises for unknown ones
        sides = {result.directions[name] for name in names}
        if len(sides) != 1:
            raise ValueError(
                "similarities and distances do not go into one picture: pass one kind in "
                f"measures= and call plot again for the other (got {', '.join(names)})"
            )
        return names
    similar = [name for name in result.measures if result.directions[name] == "higher"]
    bounded = [name for name in similar if np.nanmax(np.abs(result[name]), initial=0) <= 1]
    preferred = [name for name in _PREFERRED if name in bounded]
    others = [name for name in bounded if name not in preferred]
    return ([*preferred, *others] or similar or result.measures)[:_DEFAULT]


def _curve(result: Sweep, name: str, against: str, drawn: SweepBootstrap | None) -> Curve:
    states = result.states_of(name)
    best = result.best(name)
    places = result.thresholds if against == "threshold" else result.n_clusters
    low = high = None
    if drawn is not None:
        low, high = (
            _held(states, drawn.states, ends) for ends in (drawn.curve_low, drawn.curve_high)
        )
    return Curve(
        name=name,
        x=places[states],
        y=result[name],
        low=low,
        high=high,
        chosen=(best.cut if against == "threshold" else best.n_clusters, best.value),
    )


def _held(states: IntArray, looked_at: IntArray, values: FloatArray) -> FloatArray:
    """Return values of some states at all: each holds until the next one."""
    at = np.clip(np.searchsorted(looked_at, states, side="right") - 1, 0, None)
    held: FloatArray = values[at]
    return held
