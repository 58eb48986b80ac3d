"""How sure a threshold is: groups of items drawn again, every state scored for each draw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.catalogue import Measure
from partwise.contingency import Contingency
from partwise.display.table import json_text
from partwise.formulas import SUMS, States
from partwise.inference.additive import block_sums
from partwise.inference.asked import BOOTSTRAP, FloatArray, each_draw, stream_of
from partwise.inference.blocks import Blocks
from partwise.labels import Account
from partwise.labels.account import counted
from partwise.labels.columns import IntArray
from partwise.labels.groups import Grouping
from partwise.measures.component_sums import components_of
from partwise.sweeping.merges import Merges

if TYPE_CHECKING:
    from partwise.sweeping.sweep import Best

#: A component with a larger share of the items leaves too little to draw.
MOST_SHARE = 0.5
#: Values that differ by less than this part of the largest are a tie: sums here are doubles.
TIE = 1e-12
#: Draws times states times sums at once. How many draws that are depends on the states alone,
#: so that the number of workers cannot change a bit.
_AT_ONCE = 1 << 21

#: Sums that the reference alone decides, and those that change from state to state.
_FIXED = ("n", "rows", "row_squares", "row_xlogx")
_MOVING = tuple(name for name in SUMS if name not in _FIXED)
_NAMES_OF_CURVES = {"cols": "clusters"}


@dataclass(frozen=True, eq=False)
class SweepBootstrap:
    """The best state of a measure when groups of items are drawn again.

    Attributes
    ----------
    best : Best
        On the data itself.
    values : float64 array, shape (draws,)
        Value of each draw at the state that is best on the data.
    best_values : float64 array, shape (draws,)
        Value of each draw at its own best state.
    best_states : int64 array, shape (draws,)
        Those states, places in ``Sweep.thresholds``; of several the one with fewest clusters.
    states : int64 array
        The states that were looked at.
    by : {"groups", "components"}
        What was drawn.
    n_units : int
        How many of them there are.
    level : float
    seed : int
    low, high : float
        Percentile interval of the value at the threshold that is best on the data.
    best_low, best_high : float
        Percentile interval of the best value.
    threshold_low, threshold_high : float
        The thresholds of the best states in the middle ``level`` of the draws, from the low
        end of the lowest to the high end of the highest.
    optimism : float
        How much the best value of a draw is above the value on the data at the state that was
        best in the draw, on average: what choosing a threshold on the data that score it adds.
    """

    best: Best
    values: FloatArray
    best_values: FloatArray
    best_states: IntArray
    states: IntArray
    by: str
    n_units: int
    level: float
    seed: int
    low: float
    high: float
    best_low: float
    best_high: float
    threshold_low: float
    threshold_high: float
    optimism: float

    @property
    def draws(self) -> int:
        """Number of draws."""
        return len(self.values)

    @property
    def standard_error(self) -> float:
        """Standard deviation of ``values`` (divisor: draws - 1)."""
        return float(self.values.std(ddof=1)) if self.draws > 1 else float("nan")

    @property
    def header(self) -> str:
        """What was done, as one line."""
        return (
            f"{counted(self.draws, 'draw')} of {counted(self.n_units, self.by[:-1])} with "
            f"replacement, seed {self.seed}; percentile intervals of level {self.level:g}; "
            f"{counted(len(self.states), 'state')} looked at"
        )

    def __str__(self) -> str:
        best = self.best
        return "\n".join(
            [
                self.header,
                str(best),
                f"value there {best.value:.4f} in [{self.low:.4f}, {self.high:.4f}], standard "
                f"error {self.standard_error:.4f}",
                f"best threshold in [{self.threshold_low:g}, {self.threshold_high:g}]; best "
                f"value in [{self.best_low:.4f}, {self.best_high:.4f}], of which "
                f"{self.optimism:.4f} is from choosing",
            ]
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the draws as plain values."""
        names = ("low", "high", "best_low", "best_high", "threshold_low", "threshold_high")
        return {
            "measure": self.best.measure,
            "value": self.best.value,
            "cut": self.best.cut,
            "standard_error": self.standard_error,
            **{name: getattr(self, name) for name in names},
            "optimism": self.optimism,
            "by": self.by,
            "units": self.n_units,
            "draws": self.draws,
            "seed": self.seed,
            "level": self.level,
            "states": len(self.states),
        }

    def to_json(self, indent: int | None = 2) -> str:
        """Return ``to_dict()`` as JSON text."""
        return json_text(self.to_dict(), indent)


# ---- units that no state crosses ---------------------------------------------------------


class Units(NamedTuple):
    """Groups of items that no cluster of any state crosses.

    Attributes
    ----------
    of_items : int64 array, shape (n,)
        Unit of each labelled item; of items without a label any.
    n : int
    by : {"groups", "components"}
    """

    of_items: IntArray
    n: int
    by: str


def units_of(
    labels: IntArray, loosest: IntArray, groups: Grouping | None, threshold: float
) -> Units:
    """Return the units to draw: the groups, or components of reference and loosest state.

    Parameters
    ----------
    labels : int64 array, shape (n,)
        Reference, -1 without a label.
    loosest : int64 array, shape (n,)
        Clusters of the loosest state.
    groups : Grouping or None
    threshold : float
        Of the loosest state, for messages.

    Raises
    ------
    ValueError
        A cluster crosses groups; a component has most of the items; fewer than two units.
    """
    shown = np.flatnonzero(labels >= 0)
    how = "thresholds= leaves loose states out"
    if groups is not None:
        for clusters, what in (
            (labels[shown], "of the reference"),
            (loosest[shown], f"of the loosest state (threshold {threshold:g})"),
        ):
            _refuse_crossing(clusters, groups, shown, what, how)
        used, codes = np.unique(groups.codes[shown], return_inverse=True)
        n, by = len(used), "groups"
    else:
        table = Contingency.from_labels(labels[shown], loosest[shown])
        join = components_of(table)
        largest = int(join.sizes.max(initial=0))
        if largest > MOST_SHARE * len(shown) and join.n_components > 1:
            raise ValueError(
                f"one component of the loosest state (threshold {threshold:g}) holds {largest} "
                f"of {len(shown)} items, so that drawing components says little: {how}, or "
                "pass groups= to sweep"
            )
        rows = np.searchsorted(table.row_labels, labels[shown])
        codes, n, by = join.row_component[rows], join.n_components, "components"
    if n < 2:
        raise ValueError(
            f"there {'is' if n == 1 else 'are'} {counted(n, by[:-1])} to draw, at the loosest "
            f"state (threshold {threshold:g}); at least 2 are needed: {how}"
        )
    of_items = np.zeros(len(labels), dtype=np.int64)
    of_items[shown] = codes
    return Units(of_items, n, by)


def _refuse_crossing(
    clusters: IntArray, groups: Grouping, shown: IntArray, what: str, how: str
) -> None:
    codes = groups.codes[shown]
    order = np.lexsort((codes, clusters))
    first, second = order[:-1], order[1:]
    crossed = np.flatnonzero(
        (clusters[first] == clusters[second]) & (codes[first] != codes[second])
    )
    if len(crossed):
        at = int(crossed[0])
        one, other = groups.names[codes[order[at : at + 2]]].tolist()
        number = len(np.unique(clusters[first[crossed]]))
        raise ValueError(
            f"a cluster {what} holds items of the groups {one!r} and {other!r} "
            f"({counted(number, 'such cluster')}); groups can only be drawn as wholes where no "
            f"cluster crosses them: {how}, or leave groups away to draw components"
        )


# ---- sums of each unit at each state ----------------------------------------------------


@dataclass(frozen=True)
class UnitSums:
    """Sums over units at the states looked at.

    Attributes
    ----------
    start : float64 array, shape (n_units, number of ``SUMS``)
        At the first state.
    steps : sparse array of shape (n_units, n_states * number of moving sums)
        What each unit adds to each sum on the way to each state.
    n_states : int
    """

    start: FloatArray
    steps: Any
    n_states: int

    def of_draws(self, copies: FloatArray) -> States:
        """Return the sums of draws, all states of the first draw, then of the next ..."""
        draws, length = len(copies), len(copies) * self.n_states
        start = copies @ self.start
        moved = np.cumsum(
            (copies @ self.steps).reshape(draws, len(_MOVING), self.n_states), axis=2
        )
        found = {}
        for place, name in enumerate(SUMS):
            column = np.repeat(start[:, place], self.n_states)
            if name in _MOVING:
                column += moved[:, _MOVING.index(name)].ravel()
            found[name] = column
        return States(found, length, fraction_bits=None)


def unit_sums(
    labels: IntArray,
    merges: Merges,
    fraction_bits: int,
    states: IntArray,
    first: IntArray,
    units: Units,
) -> UnitSums:
    """Return the sums of all units at some states.

    All merges are applied once more, unit by unit: between two neighbouring moments only one
    unit has changed, by what the curves differ. O(n + merges + units + sums that change).

    Parameters
    ----------
    labels : int64 array, shape (n,)
    merges : Merges
        All of them.
    fraction_bits : int
        Of x ln x.
    states : int64 array
        Ascending, numbers of states.
    first : int64 array, shape (n,)
        Clusters of the first of these states.
    """
    from scipy.sparse import csr_array

    n, n_labels = len(labels), int(labels.max(initial=-1)) + 1
    left, right = merges.left, merges.right
    place = np.searchsorted(states, merges.state)  # the first of the states that has the merge
    kept = int(np.searchsorted(place, len(states)))
    left, right, place = left[:kept], right[:kept], place[:kept]
    some_item, _ = _kernels.impl.sweep_subtrees(n, left, right, np.zeros(kept))
    # a cluster may begin with an item without a label, which has no unit
    unit = _units_of_merges(units.of_items, labels, left, right, some_item)
    unit[place == 0] = -1  # these come first, all together
    order = np.lexsort((np.arange(kept), unit))
    moved = np.arange(n + kept)
    moved[n + order] = n + np.arange(kept)
    left, right = moved[left[order]], moved[right[order]]
    unit, place = unit[order], place[order]
    changes = np.ones(kept, dtype=bool)
    changes[1:] = (unit[1:] != unit[:-1]) | (place[1:] != place[:-1])
    changes &= place > 0
    moment = np.cumsum(changes).astype(np.int64)
    events = _kernels.impl.sweep_events(labels, n_labels, left, right)
    n_moments = int(moment[-1]) + 1 if kept else 1
    bits = fraction_bits
    curves = _kernels.impl.sweep_curves(
        labels, n_labels, left, right, moment, n_moments, events, bits, True, True
    )
    rows, cols, values = [], [], []
    for number, name in enumerate(_MOVING):
        curve = curves[_NAMES_OF_CURVES.get(name, name)]
        scale = 64 if name.startswith("b_cubed") else bits if name.endswith("xlogx") else 0
        steps = np.ldexp(_differences(curve), -scale)
        some = np.flatnonzero(steps)
        rows.append(unit[changes][some])
        cols.append(number * len(states) + place[changes][some])
        values.append(steps[some])
    steps = csr_array(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(cols))),
        shape=(units.n, len(_MOVING) * len(states)),
    )
    start = block_sums(unit_blocks(labels, first, units))
    return UnitSums(start, steps, len(states))


def _units_of_merges(
    of_items: IntArray, labels: IntArray, left: IntArray, right: IntArray, some_item: IntArray
) -> IntArray:
    """Return the unit of each merge, by a labelled item of it (any where it has none)."""
    n, item = len(labels), some_item.copy()
    if (labels < 0).any():
        for k, (a, b) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
            item[n + k] = item[a] if labels[item[a]] >= 0 else item[b]
    found: IntArray = of_items[item[n:]]
    return found


def _differences(curve: Any) -> FloatArray:
    """Return by how much neighbouring entries differ; of 128-bit sums exactly, then rounded."""
    if not isinstance(curve, tuple):
        counts: FloatArray = np.diff(curve).astype(np.float64)
        return counts
    high, low = curve
    below = np.diff(low)  # modulo 2^64
    above = np.diff(high) - (low[1:] < low[:-1])
    found: FloatArray = np.ldexp(above.astype(np.float64), 64) + below.astype(np.float64)
    return found


def unit_blocks(labels: IntArray, clusters: IntArray, units: Units) -> Blocks:
    """Return the table of reference and clusters, a block for each unit."""
    shown = np.flatnonzero(labels >= 0)
    unit = units.of_items[shown]
    sides = []
    for side in (labels[shown], clusters[shown]):
        names, at, codes = np.unique(side, return_index=True, return_inverse=True)
        order = np.argsort(unit[at], kind="stable")
        new = np.empty(len(names), dtype=np.int64)
        new[order] = np.arange(len(names))
        sides.append((new[codes], unit[at][order]))
    (rows, of_rows), (cols, of_cols) = sides
    ones = np.ones(len(shown), dtype=np.int64)
    account = Account(len(shown), "position")
    return Blocks.of((rows, cols, ones), (of_rows, of_cols), units.n, account)


# ---- draws -------------------------------------------------------------------------------


def draw(
    sums: UnitSums,
    row: Measure,
    seed: int,
    draws: int,
    workers: int,
    blocks_at: Callable[[int], Blocks],
    *,
    progress: bool = False,
) -> FloatArray:
    """Return the measure of each draw at each state; where it is 0 / 0, on the draw's table."""
    assert row.formula is not None
    n_units = len(sums.start)
    at_once = max(1, min(256, _AT_ONCE // (sums.n_states * len(SUMS))))

    def batch(number: int) -> FloatArray:
        first = number * at_once
        last = min(first + at_once, draws)
        copies = _kernels.impl.resample(
            n_units, seed, stream_of(BOOTSTRAP, first), last - first
        )
        states = sums.of_draws(copies.astype(np.float64))
        with np.errstate(divide="ignore", invalid="ignore"):
            assert row.formula is not None
            values, _ = row.formula.values(states, row.options)
        identical: NDArray[np.bool_] = states.identical
        if row.value_if_identical is not None:
            values = np.where(identical, row.value_if_identical, values)
        values = values.reshape(last - first, sums.n_states)
        for one, state in np.argwhere(~np.isfinite(values)).tolist():
            values[one, state] = row(blocks_at(state).stacked(copies[one]))
        return values

    parts = each_draw(
        batch, -(-draws // at_once), workers, progress=progress, what="resampling"
    )
    found: FloatArray = np.concatenate(parts)
    return found


def best_places(values: FloatArray, lower: bool) -> IntArray:
    """Return the best state of each draw: of several (nearly) equal ones the last."""
    signed = -values if lower else values
    top = signed.max(axis=1, keepdims=True)
    slack = TIE * np.abs(values).max(axis=1, keepdims=True)
    near = signed >= top - slack
    return np.asarray(values.shape[1] - 1 - np.argmax(near[:, ::-1], axis=1), dtype=np.int64)
