"""The measures of a ``ScoreTable`` against its candidates, as curves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from partwise.measures.catalogue import name_among
from partwise.numbers.arrays import FloatArray
from partwise.report.plots.curves import Curve, draw_curves
from partwise.report.plots.style import shortened

if TYPE_CHECKING:
    from partwise.scoring.results import ScoreTable

#: Measures that are drawn where none is named, and names on the axis.
_DEFAULT, _MOST_NAMES = 4, 24
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][-+]?\d+)?$")


def numbers_of(names: Sequence[str]) -> FloatArray | None:
    """Return the numbers at the ends of names, such as "leiden_0.5"; None without any."""
    matches = [_NUMBER.search(name) for name in names]
    if not all(matches):
        return None
    leads = {name[: match.start()] for name, match in zip(names, matches, strict=True) if match}
    if len(leads) > 1:
        return None
    return np.array([float(match[0]) for match in matches if match])


def draw(table: ScoreTable, measures: Sequence[str] | None, xlabel: str, ax: Any) -> Any:
    """Draw measures of all candidates; see ``ScoreTable.plot``."""
    if measures is None:
        similar = [x for x in table.measures if table.directions.get(x) == "higher"]
        names = (similar or table.measures)[:_DEFAULT]
    else:
        names = [name_among(table.measures, name) for name in measures]
    sides = {table.directions.get(name) for name in names}
    if len(sides) != 1:
        raise ValueError(
            "similarities and distances do not go into one picture: pass one kind in "
            f"measures= and call plot again for the other (got {', '.join(names)})"
        )
    (direction,) = sides
    numbers = numbers_of(table.names)
    places = np.arange(len(table.names), dtype=np.float64) if numbers is None else numbers
    order = np.argsort(places, kind="stable")
    curves = []
    for name in names:
        values = table[name][order]
        chosen = None
        if direction is not None and np.isfinite(values).any():
            at = int((np.nanargmax if direction == "higher" else np.nanargmin)(values))
            chosen = (float(places[order][at]), float(values[at]))
        curves.append(Curve(name, places[order], values, chosen=chosen))
    ax = draw_curves(
        curves,
        xlabel=xlabel,
        ylabel=f"value, {direction} is better" if direction else "value",
        ax=ax,
    )
    if numbers is None and len(table.names) <= _MOST_NAMES:
        shown = [shortened(name, 18) for name in table.names]
        ax.set_xticks(range(len(shown)), shown, rotation=45, ha="right", fontsize="small")
    return ax
