"""``Sweep``: the results of a sweep by measure, by threshold, and as reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from partwise.inference.draws import Drawing, takes_draws
from partwise.labels.account import counted
from partwise.labels.carried import Grouping
from partwise.measures.entry import Measure
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.report.tables import pandas_module
from partwise.thresholds.best import Best
from partwise.thresholds.bootstrap import SweepBootstrap, bootstrap_of_best
from partwise.thresholds.merges import (
    Merges,
)
from partwise.thresholds.state_scores import COUNTS, StateScores

if TYPE_CHECKING:
    import pandas


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
        entries: list[Measure],
        reported: IntArray,
        closed: bool,
        grouping: Grouping | None = None,
        *,
        workers: int = 1,
    ) -> None:
        self._scores = StateScores(labels, merges, entries, reported, workers)
        self._merges, self._reported = merges, reported
        self._grouping = grouping
        self.kind, self.closed = merges.kind, closed
        self.thresholds: FloatArray = merges.thresholds[reported]
        self.n_clusters: IntArray = self._scores.counts["n_clusters"]
        self.n_items = self._scores.n_items
        self.n_ignored = len(labels) - self.n_items

    def __len__(self) -> int:
        return len(self.thresholds)

    @property
    def groups(self) -> NDArray[Any] | None:
        """Group of each item of the reference, None without ``groups=``."""
        return None if self._grouping is None else self._grouping.names[self._grouping.codes]

    @property
    def measures(self) -> list[str]:
        """Names of the measures."""
        return list(self._scores.entries)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a curve: a count, or a measure at the states of ``states_of(name)``."""
        return self._scores[name]

    def states_of(self, name: str) -> IntArray:
        """Return the positions in ``thresholds`` at which ``sweep[name]`` has its values.

        All of them for counts and for measures that are curves; a grid for measures that need a
        table: see ``sweep``.
        """
        return self._scores.states_of(self._scores.name_of(name))

    def is_curve(self, name: str) -> bool:
        """Return whether a measure has every state without a table of each."""
        return self._scores.is_curve(self._scores.name_of(name))

    def strategy_of(self, name: str) -> str:
        """Return in words how a measure is computed, and at which states."""
        return self._scores.strategy_of(self._scores.name_of(name))

    @property
    def muc_counts(self) -> dict[str, IntArray]:
        """MUC recall and precision at each state: arrays of (numerator, denominator)."""
        links = self.n_items - self["cells"]
        return {
            "recall": np.stack(
                [links, np.full_like(links, self.n_items - self._scores.n_labels)], axis=1
            ),
            "precision": np.stack([links, self.n_items - self.n_clusters], axis=1),
        }

    # ---- states --------------------------------------------------------------------------

    def index_at(self, threshold: float) -> int:
        """Return the state (a position in ``thresholds``) that a threshold cuts to.

        Raises
        ------
        ValueError
            The threshold is NaN, or only a grid was reported and the state is not on it.
        """
        if not isinstance(threshold, (int, float, np.number)):
            raise TypeError(f"threshold={threshold!r}: a number is expected")
        if np.isnan(threshold):
            raise ValueError("the threshold is NaN")
        every = self._merges.thresholds
        every = -every if self._merges.similarity else every
        wanted = -threshold if self._merges.similarity else threshold
        side = "right" if self.closed else "left"
        state = max(int(np.searchsorted(every, wanted, side=side)) - 1, 0)  # type: ignore[call-overload]
        position = int(np.searchsorted(self._reported, state))
        if position == len(self._reported) or self._reported[position] != state:
            raise ValueError(
                f"the state at {threshold:g} is not among the {len(self)} that thresholds= "
                "asked for"
            )
        return position

    def at(self, threshold: float) -> IntArray:
        """Return the candidate's labels at a threshold, for all items, from 0 by appearance."""
        return self.labels(self.index_at(threshold))

    def labels(self, state: int) -> IntArray:
        """Return the candidate's labels of a state, for all items, from 0 by appearance."""
        _, first, inverse = np.unique(
            self._scores.clusters_at(state), return_index=True, return_inverse=True
        )
        rank = np.empty(len(first), dtype=np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        return rank[inverse]

    def interval(self, state: int) -> tuple[float, float]:
        """Return the ends, low and high, of the thresholds that cut to a state.

        With distances low belongs to it and high does not, with similarities high and not
        low; with ``closed=False`` it is the other way round.
        """
        if isinstance(state, str):
            raise TypeError(
                f"interval takes the number of a state, not {state!r}; best({state!r}) has low "
                "and high of the best state of a measure"
            )
        number = int(self._reported[state])
        every = self._merges.thresholds
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
            The measure is none of the sweep's.
        """
        measure = self._scores.name_of(measure)
        values = self[measure]
        if measure in COUNTS:
            raise KeyError(f"{measure} is a count: no value of it is best")
        state = self._scores.best_state(measure)
        top = values[np.searchsorted(self.states_of(measure), state)]
        equal = np.flatnonzero(values == top)
        low, high = self.interval(state)
        includes = "low" if self._merges.similarity != self.closed else "high"
        inside, outside = (low, high) if includes == "low" else (high, low)
        cut = low / 2 + high / 2
        if not np.isfinite(cut) or cut == outside:  # or nothing lies between the two
            cut = inside if np.isfinite(inside) else float(np.nextafter(outside, inside))
        return Best(
            measure=measure,
            value=float(top),
            state=state,
            low=low,
            high=high,
            includes=includes,
            cut=float(cut),
            n_clusters=int(self.n_clusters[state]),
            tied=len(equal),
        )

    @takes_draws(1000)
    def bootstrap(
        self,
        measure: str,
        *,
        drawing: Drawing,
    ) -> SweepBootstrap:
        """Return how the best value and the best threshold vary when groups are drawn again.

        Parameters
        ----------
        measure : str
            One that is a function of sums (pairs, entropies, B-cubed, purity, ...): all
            default ones are.
        draws
            How to draw: see ``Draws``.

        Returns
        -------
        SweepBootstrap

        Raises
        ------
        KeyError
            The measure is none of the sweep's.
        ValueError
            It is no function of sums; a cluster of some state crosses groups; one component
            holds more than half of the items; there are fewer than two groups or components.

        Notes
        -----
        The groups of ``sweep(groups=)`` are drawn with replacement, or else the components of
        the join of the reference and the loosest reported state: the only sets that no state
        crosses. Each draw's sums at all states come from one sparse matrix product; values are
        those of a sweep of the drawn items, to about 1e-12, at all states or, of more than
        1000, at those of the grid. O(n + units + draws (states + changes of units' sums)).

        Examples
        --------
        >>> import partwise as pw
        >>> gold = [0, 0, 1, 1, 2, 2, 3, 3]
        >>> edges = [(0, 1, 0.9), (2, 3, 0.8), (4, 5, 0.3), (6, 7, 0.7), (0, 2, 0.4)]
        >>> curve = pw.sweep(gold, edges, scores="similarity", groups=[0, 0, 0, 0, 1, 1, 2, 2])
        >>> drawn = curve.bootstrap("adjusted_rand_index", draws=200, seed=1)
        >>> drawn.n_units, drawn.threshold_low <= curve.best("adjusted_rand_index").cut
        (3, True)
        """
        best = self.best(measure)
        entry = self._scores.summed(best.measure)
        return bootstrap_of_best(
            self._scores,
            self._grouping,
            best,
            entry,
            drawing,
            loosest=float(self.thresholds[-1]),
            interval=self.interval,
        )

    # ---- reports -------------------------------------------------------------------------

    def __str__(self) -> str:
        ignored = f", {self.n_ignored} without a label" if self.n_ignored else ""
        size = f"{counted(len(self), 'state')} of {counted(self.n_items, 'item')}"
        lines = [f"{size}{ignored}"]
        for name in self._scores.entries:
            states = len(self.states_of(name))
            some = f"; of {states:,} states looked at" if states < len(self) else ""
            lines.append(f"{self.best(name)}{some}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return thresholds, counts and measures as lists; ``states`` of those on a grid."""
        columns: dict[str, Any] = {"thresholds": self.thresholds.tolist()}
        columns |= {name: self[name].tolist() for name in (*COUNTS, *self._scores.entries)}
        on_grid = [name for name in self._scores.entries if not self.is_curve(name)]
        if on_grid:
            columns["states"] = {name: self.states_of(name).tolist() for name in on_grid}
        return columns

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas DataFrame, one state a line (needs the extra ``partwise[frames]``).

        Measures on a grid are missing where they were not computed.
        """
        frame = pandas_module().DataFrame({"threshold": self.thresholds})
        for name in (*COUNTS, *self._scores.entries):
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
        from partwise.thresholds.drawing import draw

        return draw(self, path, against)
