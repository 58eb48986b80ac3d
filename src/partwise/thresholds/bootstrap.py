"""How sure a threshold is: groups of items drawn again, every state scored for each draw."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.inference.blocks import Blocks
from partwise.inference.draws import BOOTSTRAP, Drawing, in_batches, stream_of
from partwise.labels.account import counted
from partwise.labels.carried import Grouping
from partwise.measures.entry import Measure
from partwise.measures.formulas import SUMS
from partwise.measures.information.entropy_sums import fraction_bits
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.report.json_documents import JsonResult, packed, unpacked
from partwise.report.table import Table, Tabular, wrapped
from partwise.thresholds.best import Best
from partwise.thresholds.drawn_units import (
    MOST_SHARE,
    SMALL_SHARE,
    Units,
    unit_blocks,
    units_of,
)
from partwise.thresholds.state_scores import StateScores
from partwise.thresholds.unit_sums import UnitSums, unit_sums

#: Values that differ by less than this part of the largest are a tie: sums here are doubles.
TIE = 1e-12
#: Draws times states times sums at once. How many draws that are depends on the states alone,
#: so that the number of workers cannot change a bit.
_AT_ONCE = 1 << 21


#: Fields of ``SweepBootstrap`` with a number for each draw or state.
_ARRAYS = ("values", "best_values", "best_states", "states", "curve_low", "curve_high")


@dataclass(frozen=True, eq=False, repr=False)
class SweepBootstrap(Tabular, JsonResult):
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
        Those states, as positions in ``Sweep.thresholds``; of several equally good ones, the
        one with the fewest clusters.
    states : int64 array
        The states that were looked at.
    curve_low, curve_high : float64 arrays
        Percentile interval of the value at each of these states.
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
    n_left_out : int
        Looser states of the sweep that no draw looks at, as clusters there cross groups or
        components are few and large.
    """

    _schema: ClassVar[str] = "sweep-bootstrap/1"

    best: Best
    values: FloatArray
    best_values: FloatArray
    best_states: IntArray
    states: IntArray
    curve_low: FloatArray
    curve_high: FloatArray
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
    n_left_out: int

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
        left_out = ""
        if self.n_left_out:
            why = "clusters cross groups" if self.by == "groups" else "components are large"
            left_out = f", {counted(self.n_left_out, 'looser one')} left out, where {why}"
        return (
            f"{counted(self.draws, 'draw')} of {counted(self.n_units, self.by[:-1])} with "
            f"replacement, seed {self.seed}; percentile intervals of level {self.level:g}; "
            f"{counted(len(self.states), 'state')} looked at{left_out}"
        )

    def __str__(self) -> str:
        best = self.best
        return wrapped(
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
            "n_states": len(self.states),
            "n_left_out": self.n_left_out,
        }

    def heading(self) -> list[str]:
        """Return what was done."""
        return [self.header]

    def table(self) -> Table:
        """Return the table: the best value and the best threshold, with their intervals."""
        best = self.best
        rows = [
            (f"{best.measure} at {best.cut:g}", best.value, self.low, self.high),
            (f"best {best.measure}", best.value, self.best_low, self.best_high),
            ("best threshold", best.cut, self.threshold_low, self.threshold_high),
        ]
        return Table(("", "value", "low", "high"), rows)

    def __repr__(self) -> str:
        return f"SweepBootstrap({self.best.measure}, {self.header})"

    def _options(self) -> dict[str, Any]:
        names = {"measure": self.best.measure}
        return names | {name: getattr(self, name) for name in ("by", "draws", "seed", "level")}

    def _document(self) -> dict[str, Any]:
        arrays = {name: packed(getattr(self, name)) for name in _ARRAYS}
        return {**self.to_dict(), "best": asdict(self.best), **arrays, "notes": []}

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        best = document["best"]
        numbers = {name: float(best[name]) for name in ("value", "low", "high", "cut")}
        columns: dict[str, Any] = {name: unpacked(document[name]) for name in _ARRAYS}
        ends = ("low", "high", "best_low", "best_high", "threshold_low", "threshold_high")
        columns |= {name: float(document[name]) for name in (*ends, "optimism")}
        return cls(
            best=Best(**{**best, **numbers}),
            **columns,
            by=document["by"],
            n_units=document["units"],
            level=document["level"],
            seed=document["seed"],
            n_left_out=document["n_left_out"],
        )


def bootstrap_of_best(
    scores: StateScores,
    groups: Grouping | None,
    best: Best,
    entry: Measure,
    drawing: Drawing,
    *,
    threshold_of: Callable[[int], float],
    interval: Callable[[int], tuple[float, float]],
) -> SweepBootstrap:
    """Return how the best value and the best threshold vary; see ``Sweep.bootstrap``.

    ``threshold_of`` returns where a state begins, ``interval`` the thresholds that cut to it.
    """
    units, last = loosest_units(scores, groups, best, threshold_of)
    states = np.union1d(scores.on_grid(), (best.state, last)).astype(np.int64)
    states = states[states <= last]
    sums = unit_sums(
        scores.labels,
        scores.merges,
        fraction_bits(scores.n_items),
        scores.reported[states],
        scores.clusters_at(int(states[0])),
        units,
    )

    def blocks_at(position: int) -> Blocks:
        return unit_blocks(scores.labels, scores.clusters_at(int(states[position])), units)

    values = draw(sums, entry, drawing, blocks_at)
    best_of_draws = best_positions(values, entry.direction == "lower")
    at_best = values[:, np.searchsorted(states, best.state)]
    tops = values[np.arange(drawing.draws), best_of_draws]
    half = (1 - drawing.level) / 2
    ends = [
        int(np.quantile(best_of_draws, half, method="lower")),
        int(np.quantile(best_of_draws, 1 - half, method="higher")),
    ]
    intervals = np.array([interval(int(states[end])) for end in ends])
    on_data = scores[best.measure][states]
    sign = -1.0 if entry.direction == "lower" else 1.0
    curves = np.quantile(values, [half, 1 - half], axis=0)
    low, high = np.quantile(at_best, [half, 1 - half]).tolist()
    best_low, best_high = np.quantile(tops, [half, 1 - half]).tolist()
    return SweepBootstrap(
        best=best,
        values=at_best,
        best_values=tops,
        best_states=states[best_of_draws],
        states=states,
        curve_low=curves[0],
        curve_high=curves[1],
        by=units.by,
        n_units=units.n,
        level=drawing.level,
        seed=drawing.seed,
        low=low,
        high=high,
        best_low=best_low,
        best_high=best_high,
        threshold_low=float(intervals.min()),
        threshold_high=float(intervals.max()),
        optimism=float(sign * np.nanmean(tops - on_data[best_of_draws])),
        n_left_out=len(scores) - 1 - last,
    )


def loosest_units(
    scores: StateScores,
    groups: Grouping | None,
    best: Best,
    threshold_of: Callable[[int], float],
) -> tuple[Units, int]:
    """Return the units to draw, and the loosest state that leaves some.

    Where the last state leaves too few, the loosest one whose components are all small, if the
    best state is one, else one that has none with most items. Clusters only merge from state to
    state, so it is found by halving.

    Raises
    ------
    ValueError
        The best state leaves none.
    """

    def units_at(state: int, most: float = MOST_SHARE) -> Units:
        clusters, threshold = scores.clusters_at(state), threshold_of(state)
        return units_of(scores.labels, clusters, groups, best.measure, threshold, most)

    last = len(scores) - 1
    with suppress(ValueError):
        return units_at(last), last
    most = SMALL_SHARE
    try:
        units = units_at(best.state, most)
    except ValueError:
        most = MOST_SHARE
        units = units_at(best.state, most)
    low, high = best.state, last
    while high - low > 1:
        middle = (low + high) // 2
        try:
            low, units = middle, units_at(middle, most)
        except ValueError:
            high = middle
    return units, low


def draw(
    sums: UnitSums,
    entry: Measure,
    drawing: Drawing,
    blocks_at: Callable[[int], Blocks],
) -> FloatArray:
    """Return the measure of each draw at each state; where it is 0 / 0, on the draw's table."""
    assert entry.computation.formula is not None
    n_units = len(sums.start)
    at_once = max(1, min(256, _AT_ONCE // (sums.n_states * len(SUMS))))

    def some(first: int, last: int) -> FloatArray:
        copies = _kernels.impl.resample(
            n_units, drawing.seed, stream_of(BOOTSTRAP, first), last - first
        )
        states = sums.of_draws(copies.astype(np.float64))
        with np.errstate(divide="ignore", invalid="ignore"):
            assert entry.computation.formula is not None
            values, _ = entry.computation.formula.values(states, entry.options)
        identical: NDArray[np.bool_] = states.identical
        if entry.value_if_identical is not None:
            values = np.where(identical, entry.value_if_identical, values)
        values = values.reshape(last - first, sums.n_states)
        for one, state in np.argwhere(~np.isfinite(values)).tolist():
            values[one, state] = entry(blocks_at(state).stacked(copies[one]))
        return values

    parts = in_batches(some, drawing.draws, at_once, drawing.workers, progress=drawing.progress)
    return np.concatenate(parts)


def best_positions(values: FloatArray, lower: bool) -> IntArray:
    """Return the best state of each draw: of several (nearly) equal ones the last."""
    signed = -values if lower else values
    top = signed.max(axis=1, keepdims=True)
    slack = TIE * np.abs(values).max(axis=1, keepdims=True)
    near = signed >= top - slack
    return np.asarray(values.shape[1] - 1 - np.argmax(near[:, ::-1], axis=1), dtype=np.int64)
