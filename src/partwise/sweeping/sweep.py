"""``sweep``: measures at every state that merging clusters goes through."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.catalogue import Measure, find, select
from partwise.contingency import Contingency
from partwise.display.table import pandas_module
from partwise.formulas import States
from partwise.inference.asked import read_level, read_seed, read_whole
from partwise.inference.blocks import Blocks
from partwise.labels.account import counted
from partwise.labels.clustering import as_clustering
from partwise.labels.columns import IntArray
from partwise.labels.groups import Grouping
from partwise.labels.ride_along import Riding
from partwise.measures.entropy_sums import fraction_bits
from partwise.sweeping import chance_curve, split_merge_curve
from partwise.sweeping.bootstrap import (
    SweepBootstrap,
    best_places,
    draw,
    unit_blocks,
    unit_sums,
    units_of,
)
from partwise.sweeping.grid import GRID, evenly, merges_done, reported_states
from partwise.sweeping.merges import FloatArray, Merges, read_merges
from partwise.sweeping.split_merge_curve import History
from partwise.wide_integers import WideIntegers

if TYPE_CHECKING:
    import pandas

#: States whose formulas are evaluated together.
STATES_AT_ONCE = 1 << 13

#: Curves of counts, by name.
COUNTS = ("n_clusters", "cells", "largest_cluster", "exact_matches")


@dataclass(frozen=True, slots=True)
class Best:
    """The best value of a measure, and the thresholds that give it.

    Attributes
    ----------
    measure : str
    value : float
    state : int
        Its number; of several best ones the last, which has the fewest clusters.
    low, high : float
        All thresholds between these two cut into the same clusters.
    includes : {"low", "high"}
        Which of the two ends belongs to them.
    cut : float
        A threshold to use: the middle, where both ends are finite.
    n_clusters : int
    tied : int
        States that have this value.
    """

    measure: str
    value: float
    state: int
    low: float
    high: float
    includes: str
    cut: float
    n_clusters: int
    tied: int

    def __str__(self) -> str:
        left, right = ("[", ")") if self.includes == "low" else ("(", "]")
        ties = f", {self.tied} states tied" if self.tied > 1 else ""
        return (
            f"{self.measure} {self.value:.4f} at thresholds in {left}{self.low:g}, "
            f"{self.high:g}{right} (cut at {self.cut:g}): "
            f"{counted(self.n_clusters, 'cluster')}{ties}"
        )


class Sweep:
    """Measures at every state of a sweep; see ``sweep``.

    Attributes
    ----------
    thresholds : float64 array, shape (n_states,)
        From which threshold on a state holds; the first is -inf (distances) or inf
        (similarities), and states go from fine to coarse. For nested clusterings the number of
        the level.
    n_clusters : int64 array, shape (n_states,)
        Clusters with a labelled item.
    measures : list of str
        Names that ``sweep[name]`` knows; ``COUNTS`` beside them.
    kind : {"linkage", "edges", "nested"}
    closed : bool
        Whether a threshold includes the merges at it.
    groups : ndarray of shape (n,), or None
        Group of each item of the reference.
    n_items, n_ignored : int
        Items that are scored, and those without a label.
    """

    def __init__(
        self,
        labels: IntArray,
        merges: Merges,
        rows: list[Measure],
        reported: IntArray,
        closed: bool,
        grouping: Grouping | None = None,
    ) -> None:
        self._labels, self._merges = labels, merges
        self._reported = reported
        self._all_thresholds = merges.thresholds
        self._shown = np.flatnonzero(labels >= 0)
        self._reference = labels[self._shown]
        self.kind, self.closed = merges.kind, closed
        self._grouping = grouping
        self.n_items = len(self._shown)
        self.n_ignored = len(labels) - self.n_items
        self._rows = {row.name: row for row in rows}
        self.thresholds: FloatArray = merges.thresholds[reported]
        self._values: dict[str, FloatArray] = {}
        self._strategies: dict[str, str] = {}
        self._grid: IntArray | None = None
        history = self._counted(rows)
        self._score_curves(history, rows)
        self._chance_curves(history, rows)

    # ---- curves ------------------------------------------------------------------------

    def _counted(self, rows: list[Measure]) -> History:
        """Count everything the curves need, in one pass over the merges."""
        n_labels = int(self._labels.max(initial=-1)) + 1
        merges, bits = self._merges, fraction_bits(self.n_items)
        asked: set[str] = set()
        for row in rows:
            if row.formula is not None:
                asked.update(row.formula.sums(row.options))
        entropies = any(name.endswith("xlogx") for name in asked)
        entropies |= any(chance_curve.covered(row) for row in rows)
        b_cubed = any(name.startswith("b_cubed") for name in asked)
        events = _kernels.impl.sweep_events(self._labels, n_labels, merges.left, merges.right)
        # a state that is not reported is only passed through
        place, last = merges.state, len(merges.state)
        if len(self._reported) < len(merges.thresholds):
            place = np.searchsorted(self._reported, merges.state).astype(np.int64)
            last = int(np.searchsorted(place, len(self._reported)))
        history = History(
            *(self._labels, n_labels, merges.left[:last], merges.right[:last], place[:last]),
            *(len(self._reported), events, bits),
        )
        curves = _kernels.impl.sweep_curves(*history, entropies, b_cubed)
        sizes = np.bincount(self._reference, minlength=n_labels)
        known: dict[str, Any] = {
            name: WideIntegers(*value) if isinstance(value, tuple) else value
            for name, value in curves.items()
        }
        self._curves: dict[str, IntArray] = {
            "n_clusters": known["clusters"],
            "cells": known["cells"],
            "largest_cluster": known["largest"],
            "exact_matches": known["exact_matches"],
        }
        self.n_clusters: IntArray = known["clusters"]
        known |= {
            "n": self.n_items,
            "rows": n_labels,
            "cols": known["clusters"],
            "row_squares": _kernels.impl.sum_squares(sizes),
            "row_xlogx": _kernels.impl.sum_xlogx(sizes, bits),
        }
        self._states = States(known, len(self._reported), bits)
        self._n_labels, self._sizes = n_labels, sizes
        return history

    def _score_curves(self, history: History, rows: list[Measure]) -> None:
        wanted = {row.name: split_merge_curve.combine_of(row) for row in rows}
        named = {combine for combine in wanted.values() if combine is not None}
        found = split_merge_curve.curves(history, named) if named else {}
        for name, combine in wanted.items():
            if combine in found:
                self._values[name], self._strategies[name] = found[combine]

    def _chance_curves(self, history: History, rows: list[Measure]) -> None:
        covered = [row for row in rows if chance_curve.covered(row)]
        items = len(self) * self.n_items
        if not covered or (len(self) <= GRID and items <= chance_curve.FEW_ITEMS):
            return
        expected = chance_curve.expected_information(history)
        if expected is None:
            return
        curves = chance_curve.Curves(
            self._states, expected, self._curves["largest_cluster"], self._sizes
        )
        for row in covered:
            values, singly = curves.values(row)
            for s in np.flatnonzero(singly):
                values[s] = row(self._table(int(s)))
            self._values[row.name] = values
            self._strategies[row.name] = (
                f"every state, from {expected.pairs:,} pairs of sizes; last digits may differ "
                "from a single score"
            )

    def __len__(self) -> int:
        return len(self.thresholds)

    @property
    def groups(self) -> NDArray[Any] | None:
        """Group of each item of the reference, None where none were given."""
        return None if self._grouping is None else self._grouping.names[self._grouping.codes]

    @property
    def measures(self) -> list[str]:
        """Names of the measures."""
        return list(self._rows)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a curve: a count, or a measure at the states of ``states_of(name)``."""
        if name in self._curves:
            return self._curves[name]
        if name not in self._rows:
            row = find(name)  # says what is wrong with the name
            raise KeyError(
                f"{row.name} was not asked for; pass measures=[..., {row.name!r}] to sweep "
                f"(there are {', '.join((*COUNTS, *self._rows))})"
            )
        if name not in self._values:
            self._values[name] = self._evaluate(self._rows[name])
        return self._values[name]

    def states_of(self, name: str) -> IntArray:
        """Return the places in ``thresholds`` at which ``sweep[name]`` has its values.

        All of them for counts and for measures that are curves; a grid for measures that need a
        table: see ``sweep``.
        """
        if name in self._rows and not self.is_curve(name):
            return self._on_grid()
        return np.arange(len(self))

    def is_curve(self, name: str) -> bool:
        """Return whether a measure is known at every state without a table of each."""
        if name in self._curves or name in self._strategies:
            return True
        return find(name).formula is not None

    def strategy_of(self, name: str) -> str:
        """Return in words how a measure is computed, and at which states."""
        if name in self._strategies:
            return self._strategies[name]
        if self.is_curve(name):
            return "every state, from sums"
        states = len(self._on_grid())
        which = "every state" if states == len(self) else f"{states:,} of {len(self):,} states"
        return f"{which}, on tables"

    def _on_grid(self) -> IntArray:
        """Return the states whose tables are made: evenly, and the best of each curve."""
        if self._grid is None:
            even = evenly(merges_done(self._merges, self._reported), GRID)
            if len(even) == len(self):
                self._grid = even
            else:
                best = [
                    self._best_state(name)
                    for name in self._rows
                    if self.is_curve(name) and not np.isnan(self[name]).all()
                ]
                self._grid = np.unique(np.append(even, best).astype(np.int64))
        return self._grid

    def _evaluate(self, row: Measure) -> FloatArray:
        if row.formula is None:
            return np.array([row(self._table(int(s))) for s in self._on_grid()], np.float64)
        return self._by_formula()[row.name]

    def _by_formula(self) -> dict[str, FloatArray]:
        """Evaluate all formulas, some states at a time: what they share stays in the cache."""
        rows = [row for row in self._rows.values() if row.formula is not None]
        found = {row.name: np.empty(len(self)) for row in rows}
        for start in range(0, len(self), STATES_AT_ONCE):
            states = self._states.part(start, start + STATES_AT_ONCE)
            for row in rows:
                assert row.formula is not None
                values, singly = row.formula.values(states, row.options)
                for s in np.flatnonzero(singly):
                    values[s] = row(self._table(start + int(s)))
                found[row.name][start : start + STATES_AT_ONCE] = values
        self._values |= found
        return found

    @property
    def muc_counts(self) -> dict[str, IntArray]:
        """MUC recall and precision at each state: arrays of (numerator, denominator)."""
        links = self.n_items - self["cells"]
        return {
            "recall": np.stack(
                [links, np.full_like(links, self.n_items - self._n_labels)], axis=1
            ),
            "precision": np.stack([links, self.n_items - self.n_clusters], axis=1),
        }

    # ---- states --------------------------------------------------------------------------

    def _labels_at(self, state: int) -> IntArray:
        merges = self._merges
        done = int(np.searchsorted(merges.state, self._reported[state], side="right"))
        found: IntArray = _kernels.impl.sweep_clusters(
            len(self._labels), merges.left, merges.right, done
        )
        return found

    def _table(self, state: int) -> Contingency:
        return Contingency.from_labels(self._reference, self._labels_at(state)[self._shown])

    def index_at(self, threshold: float) -> int:
        """Return the state (a place in ``thresholds``) that a threshold cuts to.

        Raises
        ------
        ValueError
            The threshold is NaN, or only a grid was reported and the state is not on it.
        """
        if not isinstance(threshold, (int, float, np.number)):
            raise TypeError(f"threshold={threshold!r}: a number is expected")
        if np.isnan(threshold):
            raise ValueError("the threshold is NaN")
        every = -self._all_thresholds if self._merges.similarity else self._all_thresholds
        wanted = -threshold if self._merges.similarity else threshold
        side = "right" if self.closed else "left"
        state = max(int(np.searchsorted(every, wanted, side=side)) - 1, 0)  # type: ignore[call-overload]
        place = int(np.searchsorted(self._reported, state))
        if place == len(self._reported) or self._reported[place] != state:
            raise ValueError(
                f"the state at {threshold:g} is not among the {len(self)} that thresholds= "
                "asked for"
            )
        return place

    def at(self, threshold: float) -> IntArray:
        """Return the candidate's labels at a threshold, for all items, from 0 by appearance."""
        return self.labels(self.index_at(threshold))

    def labels(self, state: int) -> IntArray:
        """Return the candidate's labels of a state, for all items, from 0 by appearance."""
        _, first, inverse = np.unique(
            self._labels_at(state), return_index=True, return_inverse=True
        )
        rank = np.empty(len(first), dtype=np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        return rank[inverse]

    def interval(self, state: int) -> tuple[float, float]:
        """Return the ends, low and high, of the thresholds that cut to a state.

        With distances low belongs to it and high does not, with similarities high and not
        low; with ``closed=False`` it is the other way round.
        """
        number = int(self._reported[state])
        every = self._all_thresholds
        end = -np.inf if self._merges.similarity else np.inf
        other = float(every[number + 1]) if number + 1 < len(every) else end
        here = float(every[number])
        return (other, here) if self._merges.similarity else (here, other)

    def best(self, measure: str) -> Best:
        """Return the best value of a measure and the thresholds that give it.

        Of several states with that value the one with the fewest clusters counts; ``tied`` says
        how many there are.

        Raises
        ------
        KeyError
            The measure was not asked for.
        """
        values = self[measure]
        if measure in COUNTS:
            raise KeyError(f"{measure} is a count: no value of it is best")
        state = self._best_state(measure)
        top = values[np.searchsorted(self.states_of(measure), state)]
        found = np.flatnonzero(values == top)
        low, high = self.interval(state)
        includes = "low" if self._merges.similarity != self.closed else "high"
        inside, outside = (low, high) if includes == "low" else (high, low)
        cut = low / 2 + high / 2
        if not np.isfinite(cut) or cut == outside:  # or nothing lies between the two
            cut = inside if np.isfinite(inside) else float(np.nextafter(outside, inside))
        return Best(
            *(measure, float(top), state, low, high, includes, float(cut)),
            *(int(self.n_clusters[state]), len(found)),
        )

    def _best_state(self, measure: str) -> int:
        values = self[measure]
        lower = self._rows[measure].direction == "lower"
        top = np.nanmin(values) if lower else np.nanmax(values)
        return int(self.states_of(measure)[np.flatnonzero(values == top)[-1]])

    def bootstrap(
        self,
        measure: str,
        *,
        draws: int = 1000,
        seed: int | None = None,
        level: float = 0.95,
        workers: int = 1,
        progress: bool = False,
    ) -> SweepBootstrap:
        """Return how the best value and the best threshold vary when groups are drawn again.

        Parameters
        ----------
        measure : str
            One that is a function of sums (pairs, entropies, B-cubed, purity, ...): all
            default ones are.
        draws : int, default 1000
        seed : int, optional
            From 0 to 2^64 - 1; the result holds the one that was used.
        level : float, default 0.95
        workers : int, default 1
            Threads. The result does not depend on it.
        progress : bool, default False
            Show a bar where rich is installed.

        Returns
        -------
        SweepBootstrap

        Raises
        ------
        KeyError
            The measure was not asked for.
        ValueError
            It is no function of sums; a cluster of some state crosses groups; one component
            holds more than half of the items; there are fewer than two groups or components.

        Notes
        -----
        Drawn with replacement are the groups that ``sweep`` was given, or the components of
        the join of the reference and the loosest reported state: the only sets that no state
        crosses. Each draw's sums at all states come from one sparse matrix product; values are
        those of a sweep of the drawn items, to about 1e-12, at all states or, of more than
        1000, at those of the grid. O(n + units + draws (states + changes of units' sums)).

        Examples
        --------
        >>> import partwise as pw
        >>> gold = [0, 0, 1, 1, 2, 2, 3, 3]
        >>> edges = [(0, 1, 0.9), (2, 3, 0.8), (4, 5, 0.3), (6, 7, 0.7), (0, 2, 0.4)]
        >>> found = pw.sweep(gold, edges, scores="similarity", groups=[0, 0, 0, 0, 1, 1, 2, 2])
        >>> sure = found.bootstrap("adjusted_rand_index", draws=200, seed=1)
        >>> sure.n_units, sure.threshold_low <= found.best("adjusted_rand_index").cut
        (3, True)
        """
        best = self.best(measure)
        row = self._rows[measure]
        if row.formula is None:
            raise ValueError(
                f"{measure} is no function of sums over groups of items, so that draws would "
                "each need a sweep; the bootstrap takes "
                f"{', '.join(x.name for x in self._rows.values() if x.formula) or 'others'}"
            )
        draws, workers = read_whole(draws, "draws", 1), read_whole(workers, "workers", 1)
        level, chosen = read_level(level), read_seed(seed)
        last = len(self) - 1
        units = units_of(
            self._labels, self._labels_at(last), self._grouping, float(self.thresholds[last])
        )
        states = np.union1d(self._on_grid(), best.state).astype(np.int64)
        sums = unit_sums(
            *(self._labels, self._merges, fraction_bits(self.n_items)),
            *(self._reported[states], self._labels_at(int(states[0])), units),
        )

        def blocks_at(place: int) -> Blocks:
            return unit_blocks(self._labels, self._labels_at(int(states[place])), units)

        values = draw(sums, row, chosen, draws, workers, blocks_at, progress=progress)
        places = best_places(values, row.direction == "lower")
        rows = np.arange(draws)
        at_best = values[:, np.searchsorted(states, best.state)]
        tops = values[rows, places]
        half = (1 - level) / 2
        ends = [
            int(np.quantile(places, half, method="lower")),
            int(np.quantile(places, 1 - half, method="higher")),
        ]
        intervals = np.array([self.interval(int(states[end])) for end in ends])
        on_data = self[measure][states]
        sign = -1.0 if row.direction == "lower" else 1.0
        low, high = np.quantile(at_best, [half, 1 - half]).tolist()
        best_low, best_high = np.quantile(tops, [half, 1 - half]).tolist()
        return SweepBootstrap(
            best=best,
            values=at_best,
            best_values=tops,
            best_states=states[places],
            states=states,
            by=units.by,
            n_units=units.n,
            level=level,
            seed=chosen,
            low=low,
            high=high,
            best_low=best_low,
            best_high=best_high,
            threshold_low=float(intervals.min()),
            threshold_high=float(intervals.max()),
            optimism=float(sign * np.nanmean(tops - on_data[places])),
        )

    # ---- reports -------------------------------------------------------------------------

    def __str__(self) -> str:
        ignored = f", {self.n_ignored} without a label" if self.n_ignored else ""
        size = f"{counted(len(self), 'state')} of {counted(self.n_items, 'item')}"
        lines = [f"{size}{ignored}"]
        for name in self._rows:
            states = len(self.states_of(name))
            some = f"; of {states:,} states looked at" if states < len(self) else ""
            lines.append(f"{self.best(name)}{some}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return thresholds, counts and measures as lists; ``states`` of those on a grid."""
        found: dict[str, Any] = {"thresholds": self.thresholds.tolist()}
        found |= {name: self[name].tolist() for name in (*COUNTS, *self._rows)}
        on_grid = [name for name in self._rows if not self.is_curve(name)]
        if on_grid:
            found["states"] = {name: self.states_of(name).tolist() for name in on_grid}
        return found

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas DataFrame, one row a state (needs the extra ``partwise[frames]``).

        Measures on a grid are missing where they were not computed.
        """
        frame = pandas_module().DataFrame({"threshold": self.thresholds})
        for name in (*COUNTS, *self._rows):
            states = self.states_of(name)
            if len(states) == len(self):
                frame[name] = self[name]
            else:
                frame.loc[states, name] = self[name]
        return frame

    def plot(self, path: str | None = None, *, against: str = "threshold") -> Any:
        """Draw the measures against the threshold, their best states marked.

        Parameters
        ----------
        path : str, optional
            File to save the figure in.
        against : {"threshold", "n_clusters"}

        Returns
        -------
        matplotlib.figure.Figure
            Needs the extra ``partwise[plot]``.
        """
        from partwise.sweeping.drawing import draw

        return draw(self, path, against)


def sweep(
    reference: Any,
    merges: Any,
    *,
    kind: str | None = None,
    scores: str | None = None,
    closed: bool = True,
    measures: str | Iterable[str] = "default",
    thresholds: Any = None,
    start: Any = None,
    unlabelled: str = "error",
    groups: Any = None,
) -> Sweep:
    """Score every state of merging clusters against a reference, at about the price of a few.

    Parameters
    ----------
    reference
        One clustering, in any form that ``Clustering`` takes.
    merges
        A linkage (rows of cluster, cluster, height, size as SciPy makes them); edges (rows of
        item, item, score, a tuple of three columns, or a frame); or nested clusterings, fine to
        coarse. Edges name items by their ids where the reference has ids, else by position.
    kind : {"linkage", "edges", "nested"}, optional
        What ``merges`` is; needed only where its shape does not tell.
    scores : {"distance", "similarity"}
        Edges only, and needed there: whether low or high ones merge first.
    closed : bool, default True
        Whether a threshold includes the merges at exactly it, as SciPy's ``fcluster`` does;
        False excludes them, as scikit-learn's ``distance_threshold`` does.
    measures : "default", "all", a name, or several
        Names of the catalogue. The default ones are those of ``compare`` that are curves.
    thresholds : int or array of float, optional
        Report at most so many states, evenly by merges, or the states at these thresholds.
        Default: all states.
    start : clustering, optional
        Clusters that stand before the first edge or linkage row.
    unlabelled : {"error", "ignore"}
        Items of the reference without a label: refuse, or score the clusterings of the others
        (merges go over all); they are counted in ``n_ignored``.
    groups : array-like of shape (n,), mapping by item, or Clustering, optional
        Group of each item of the reference, such as its document: what ``Sweep.bootstrap``
        draws.

    Returns
    -------
    Sweep

    Raises
    ------
    ValueError
        A row or edge that cannot be: NaN, clusters used twice or not yet formed, unknown items,
        levels that are not nested; with the row, its values, and what to do.

    Notes
    -----
    Merges with equal heights (scores) are one step. A linkage row takes effect at the largest
    height in its subtree. Two cells of the table become one exactly n - (cells at the end)
    times, and these events are known beforehand from the order of the leaves: no table and no
    map is kept. Sums are integers, so each state has the bits of a fresh ``compare``. Measures
    that are functions of such sums cost a fixed amount a state. States near independence, where
    a sum would lose digits, are computed on their table. O(n log n) time, about 150 bytes an
    item.

    ``s_entropy`` has every state and its bits, too: after a merge the cells of the columns that
    grew are visited, or those of the rows that changed (for small reference clusters),
    whichever visits fewer cells; that number is known beforehand. Where the tables of a grid
    would cost less (from about 200 visits for each item on, as may be with large classes in a
    chain), it goes by them.

    ``adjusted_mutual_information``, its relatives, and ``expected_mutual_information`` (random
    permutations) have every state if the pairs of a size that a candidate cluster ever has and
    a distinct reference size take at most 2^24 steps and 4 for each item of a state on the
    grid: 4000 n with 1000 states or more, which is less work than their tables. A pair takes
    about 10 + min(mu, 20 sqrt(mu)) steps for an expected overlap mu below 600, 100 above. Their
    last digits may then differ from a fresh ``compare`` (within 1e-13; 3e-16 has been seen),
    which sums pairs with mu below 4 by one series for all of them and rounds by pairs of sizes,
    not by clusters; the exact 0 and 1 of degenerate states are exact here, too. Up to 1000
    states with 4 million items in all they are computed on tables, with the same bits.

    All other measures (matching, F) are computed on tables, on a grid of at most 1000 states,
    evenly by merges, with the first and last, and the best state of each curve that was asked
    for. ``Sweep.strategy_of`` says which way a measure went.

    Examples
    --------
    >>> import partwise as pw
    >>> edges = [("a", "b", 0.9), ("c", "d", 0.7), ("b", "c", 0.2)]
    >>> gold = pw.Clustering.from_clusters([["a", "b"], ["c", "d"]])
    >>> found = pw.sweep(gold, edges, scores="similarity", measures=["adjusted_rand_index"])
    >>> found["adjusted_rand_index"].round(3).tolist()
    [0.0, 0.571, 1.0, 0.0]
    >>> print(found.best("adjusted_rand_index"))
    adjusted_rand_index 1.0000 at thresholds in (0.2, 0.7] (cut at 0.45): 2 clusters
    """
    clustering = as_clustering(reference, "reference")
    if unlabelled not in ("error", "ignore"):
        raise ValueError(f'unlabelled={unlabelled!r}: one of "error", "ignore" is expected')
    labels = clustering.column.compact().codes.astype(np.int64)
    missing = clustering.column.missing
    if missing is not None and missing.any():
        if unlabelled == "error":
            raise ValueError(
                f"{counted(int(missing.sum()), 'item')} of the reference without a label (the "
                f"first at position {int(np.flatnonzero(missing)[0])}); "
                'unlabelled="ignore" scores the others'
            )
        labels = np.where(missing, -1, labels)
    read = read_merges(merges, clustering, kind, scores, start)
    rows, _ = select(measures)
    if isinstance(measures, str) and measures == "default":
        rows = [row for row in rows if row.formula is not None]
    places = np.arange(clustering.n_items)
    riding = Riding(groups=groups).read(len(places), places, clustering.item_column)
    reported = reported_states(thresholds, read, closed)
    return Sweep(labels, read, rows, reported, closed, riding.groups)
