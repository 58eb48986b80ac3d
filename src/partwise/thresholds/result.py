"""``Sweep``: the results of a sweep by measure, by threshold, and as reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from partwise.inference.draws import Drawing, takes_draws
from partwise.labels.account import counted
from partwise.labels.carried import Grouping
from partwise.labels.clustering import first_appearance_labels
from partwise.measures.entry import Measure
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.report.json_documents import JsonResult
from partwise.report.table import Table, Tabular
from partwise.report.tables import pandas_module
from partwise.thresholds.best import Best
from partwise.thresholds.bootstrap import SweepBootstrap, bootstrap_of_best
from partwise.thresholds.merges import (
    Merges,
)
from partwise.thresholds.state_scores import COUNTS, RecordedScores, StateScores

if TYPE_CHECKING:
    import pandas

    from partwise.report.page.render import ReportPage
    from partwise.typing import Labels


class Sweep(Tabular, JsonResult):
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
    similarity : bool
        Whether thresholds are of similarities, and fall from state to state.
    n_items, n_ignored : int
        Items that are scored, and those without a label, those that only edges have included.
    """

    _schema: ClassVar[str] = "sweep/1"

    def __init__(
        self,
        labels: IntArray,
        merges: Merges,
        entries: list[Measure],
        reported: IntArray,
        closed: bool,
        grouping: Grouping | None = None,
        *,
        n_reference: int | None = None,
        workers: int = 1,
    ) -> None:
        self._scores: StateScores | RecordedScores = StateScores(
            labels, merges, entries, reported, workers
        )
        self._grouping = grouping
        #: items that only edges have stand behind those of the reference
        self._n_reference = len(labels) if n_reference is None else n_reference
        self.kind, self.closed = merges.kind, closed
        self.similarity = merges.similarity
        self.thresholds: FloatArray = merges.thresholds[reported]
        #: where each state ends: the threshold of the next one, reported or not
        end = -np.inf if merges.similarity else np.inf
        self._ends: FloatArray = np.append(merges.thresholds[1:], end)[reported]
        self._has_finest = bool(len(reported)) and int(reported[0]) == 0
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
        sign = -1 if self.similarity else 1
        starts, ends, wanted = sign * self.thresholds, sign * self._ends, sign * threshold
        side = "right" if self.closed else "left"
        position = int(np.searchsorted(starts, wanted, side=side)) - 1  # type: ignore[call-overload]
        if position < 0 and self._has_finest:
            position = 0
        beyond = wanted >= ends[position] if self.closed else wanted > ends[position]
        if position < 0 or (beyond and np.isfinite(ends[position])):
            raise ValueError(
                f"the state at {threshold:g} is not among the {len(self)} that thresholds= "
                "asked for"
            )
        return position

    def at(self, threshold: float) -> IntArray:
        """Return the candidate's labels at a threshold, for the items of the reference.

        They count from 0 by appearance.
        """
        return self.labels(self.index_at(threshold))

    def labels(self, state: int) -> IntArray:
        """Return the candidate's labels of a state, for the items of the reference.

        They count from 0 by appearance.
        """
        clusters = self._scores.clusters_at(state)[: self._n_reference]
        return first_appearance_labels(clusters)

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
        here, other = float(self.thresholds[state]), float(self._ends[state])
        return (other, here) if self.similarity else (here, other)

    def best(self, measure: str) -> Best:
        """Return the best value of a measure and the thresholds that give it.

        Of several states with that value the one with the fewest clusters counts; ``tied`` says
        how many there are.

        Raises
        ------
        KeyError
            The measure is none of the sweep's, or a count.
        ValueError
            There is no measure of that name.
        """
        measure = self._scores.name_of(measure)
        values = self[measure]
        if measure in COUNTS:
            raise KeyError(f"{measure} is a count: no value of it is best")
        state = self._scores.best_state(measure)
        top = values[np.searchsorted(self.states_of(measure), state)]
        equal = np.flatnonzero(values == top)
        low, high = self.interval(state)
        includes = "low" if self.similarity != self.closed else "high"
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

    @takes_draws(1000, least=2)
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
            There is no measure of that name; it is no function of sums; at its best state a
            cluster crosses groups, one component holds more than half of the items, or there
            are fewer than two groups or components.

        Notes
        -----
        The groups of ``sweep(groups=)`` are drawn with replacement, or else the components of
        the join of the reference and the loosest reported state: the only sets that no state
        crosses. Where that state leaves less than two of them, or one with more than half of
        the items, looser states are left out (``n_left_out``): the last one is the loosest
        without a component of more than a fiftieth of the items or, if the best state has
        such, of more than half. Each draw's sums at all states come from one sparse matrix
        product; values are those of a sweep of the drawn items, to about 1e-12, at all states
        or, of more than 1000, at those of the grid. O(n + units + draws (states + changes of
        units' sums)).

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
        scores = self._scores
        if isinstance(scores, RecordedScores):
            scores.refuse()
        entry = scores.summed(best.measure)
        return bootstrap_of_best(
            scores,
            self._grouping,
            best,
            entry,
            drawing,
            threshold_of=lambda state: float(self.thresholds[state]),
            interval=self.interval,
        )

    # ---- reports -------------------------------------------------------------------------

    def __str__(self) -> str:
        lines = self.heading()
        for name in self._scores.entries:
            states = len(self.states_of(name))
            some = f"; of {states:,} states looked at" if states < len(self) else ""
            lines.append(f"{self.best(name)}{some}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        states = counted(len(self), "state")
        measures = ", ".join(self.measures[:3]) + ", ..." * (len(self.measures) > 3)
        return f"Sweep({self.kind}, {states} of {counted(self.n_items, 'item')}: {measures})"

    def heading(self) -> list[str]:
        """Return what was swept."""
        items = counted(self.n_items, "item")
        if self.n_ignored:
            items += f" with a label, {counted(self.n_ignored, 'further item')} without"
        return [f"{counted(len(self), 'state')} of {items}"]

    def table(self) -> Table:
        """Return the table of all states; measures on a grid are empty elsewhere.

        A state holds between its threshold and its end, at the threshold itself where
        ``closed``, else at the end: see ``interval``.
        """
        columns: list[list[Any]] = [self.thresholds.tolist(), self._ends.tolist()]
        for name in (*COUNTS, *self.measures):
            column: list[Any] = [None] * len(self)
            states = self.states_of(name).tolist()
            for state, value in zip(states, self[name].tolist(), strict=True):
                column[state] = value
            columns.append(column)
        rows = list(zip(*columns, strict=True))
        return Table(("threshold", "end", *COUNTS, *self.measures), rows)

    def _best_table(self) -> Table:
        """Return the best state of each measure."""
        rows, columns = [], ("measure", "best", "threshold", "clusters")
        bests = [self.best(name) for name in self.measures]
        rows = [(one.measure, one.value, one.cut, one.n_clusters) for one in bests]
        return Table(columns, rows)

    def _repr_html_(self) -> str:
        return self._best_table().html("; ".join(self.heading()))

    def _options(self) -> dict[str, Any]:
        return {"measures": self.measures, "closed": self.closed}

    def _document(self) -> dict[str, Any]:
        return {
            **self.to_dict(),
            "kind": self.kind,
            "similarity": self.similarity,
            "closed": self.closed,
            "n_items": self.n_items,
            "n_labels": self._scores.n_labels,
            "n_ignored": self.n_ignored,
            "ends": self._ends.tolist(),
            "has_finest": self._has_finest,
            "better": self.directions,
            "strategies": {name: self.strategy_of(name) for name in self.measures},
            "notes": [],
        }

    @property
    def directions(self) -> dict[str, str | None]:
        """Which values of each measure are better."""
        if isinstance(self._scores, RecordedScores):
            return self._scores.directions
        return {name: entry.direction for name, entry in self._scores.entries.items()}

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Self:
        sweep = cls.__new__(cls)
        sweep._scores, sweep._grouping = RecordedScores(document), None
        sweep.kind, sweep.closed = document["kind"], document["closed"]
        sweep.similarity, sweep._has_finest = document["similarity"], document["has_finest"]
        sweep.thresholds = np.array([float(x) for x in document["thresholds"]])
        sweep._ends = np.array([float(x) for x in document["ends"]])
        sweep.n_clusters = sweep._scores.counts["n_clusters"]
        sweep.n_items, sweep.n_ignored = document["n_items"], document["n_ignored"]
        return sweep

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

        Between ``threshold`` and ``end`` a state holds: see ``interval``.
        Measures on a grid are missing where they were not computed.
        """
        frame = pandas_module().DataFrame({"threshold": self.thresholds, "end": self._ends})
        for name in (*COUNTS, *self._scores.entries):
            states = self.states_of(name)
            if len(states) == len(self):
                frame[name] = self[name]
            else:
                frame.loc[states, name] = self[name]
        return frame

    def plot(
        self,
        path: str | None = None,
        *,
        measures: Sequence[str] | None = None,
        against: str = "threshold",
        bootstraps: Iterable[SweepBootstrap] = (),
        ax: Any = None,
    ) -> Any:
        """Draw measures against the threshold or the number of clusters, with the best states.

        Parameters
        ----------
        path : str, optional
            File to save the figure in.
        measures : sequence of str, optional
            At most five, all similarities or all distances; by default four
            similarities of the sweep in [0, 1], of different families first.
        against : {"threshold", "n_clusters"}
        bootstraps : iterable of SweepBootstrap
            Of these measures: a band of their level around each curve.
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; by default those of a new figure.

        Returns
        -------
        matplotlib.axes.Axes
            Needs the extra ``partwise[plot]``.
        """
        from partwise.thresholds.plots.curves import draw

        return draw(self, path, measures, against, bootstraps, ax)

    def report_page(
        self,
        *,
        title: str | None = None,
        names: tuple[str, str] = ("reference", "merges"),
        measure: str | None = None,
        reference: Labels | None = None,
        bootstraps: Iterable[SweepBootstrap] = (),
        worst: int = 200,
        items: int = 10,
    ) -> ReportPage:
        """Make one page of HTML: best thresholds, curves, states, and the worst clusters.

        Parameters
        ----------
        title : str, optional
            The heading; by default it says what was swept.
        names : pair of str, default ("reference", "merges")
            What the reference and the merges are called, such as the names of their files.
        measure : str, optional
            The measure whose best threshold counts; by default
            adjusted_rand_index where it was swept, else the first one.
        reference : optional
            The reference that was swept. With it the page has the splits and merges, and the
            worst clusters with their items, at the best threshold.
        bootstraps : iterable of SweepBootstrap
            Their intervals are shown.
        worst, items : int
            See ``partwise.report_page``.

        Returns
        -------
        ReportPage
            ``.save(path)`` writes it. Needs the extra ``partwise[report]``, pictures
            ``partwise[plot]``.
        """
        from partwise.thresholds.report.page import page_of

        return page_of(
            self,
            title=title,
            names=names,
            measure=measure,
            reference=reference,
            bootstraps=bootstraps,
            worst=worst,
            items=items,
        )
