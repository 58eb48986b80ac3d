"""Counts and measures at every state: from sums, events, tables on a grid, or a document."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels.wide_integers import WideIntegers
from partwise._kernels.workers import map_blocks
from partwise.measures.catalogue import find, name_among
from partwise.measures.entry import Measure
from partwise.measures.formulas import States
from partwise.measures.information.entropy_sums import fraction_bits
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.progress import doing
from partwise.table.contingency import Contingency
from partwise.table.count import contingency
from partwise.thresholds import chance_curve, split_merge_curve
from partwise.thresholds.grid import GRID, evenly, merges_done
from partwise.thresholds.merges import Merges
from partwise.thresholds.split_merge_curve import History

#: States whose formulas are evaluated together.
STATES_AT_ONCE = 1 << 13

#: Curves of counts, by name.
COUNTS = ("n_clusters", "cells", "largest_cluster", "exact_matches")


class StateScores:
    """Counts and measures of the reported states, computed at first use; ``Sweep`` shows them.

    Attributes
    ----------
    labels : int64 array, shape (n,)
        Reference, -1 without a label.
    merges : Merges
        All of them.
    reported : int64 array
        Numbers of the states that are reported.
    entries : dict of str to Measure
        The measures of the sweep, by name.
    counts : dict of str to int64 array
        The curves of ``COUNTS``.
    n_items, n_labels : int
        Items with a label, and clusters of the reference.
    workers : int
        Threads that share the states.
    """

    def __init__(
        self,
        labels: IntArray,
        merges: Merges,
        entries: list[Measure],
        reported: IntArray,
        workers: int = 1,
    ) -> None:
        self.labels, self.merges, self.reported = labels, merges, reported
        self.workers = workers
        self.entries = {entry.name: entry for entry in entries}
        self._shown = np.flatnonzero(labels >= 0)
        self._labelled = labels[self._shown]
        self.n_items = len(self._shown)
        self._values: dict[str, FloatArray] = {}
        self._strategies: dict[str, str] = {}
        self._grid: IntArray | None = None
        history = self._counted(entries)
        self._score_curves(history, entries)
        self._chance_curves(history, entries)

    def __len__(self) -> int:
        return len(self.reported)

    # ---- curves ------------------------------------------------------------------------

    def _counted(self, entries: list[Measure]) -> History:
        """Count everything the curves need, in one pass over the merges."""
        n_labels = int(self.labels.max(initial=-1)) + 1
        merges, bits = self.merges, fraction_bits(self.n_items)
        sums_needed: set[str] = set()
        for entry in entries:
            if entry.computation.formula is not None:
                sums_needed.update(entry.computation.formula.sums(entry.options))
        entropies = any(name.endswith("xlogx") for name in sums_needed)
        entropies |= any(chance_curve.covered(entry) for entry in entries)
        b_cubed = any(name.startswith("b_cubed") for name in sums_needed)
        events = _kernels.impl.sweep_events(self.labels, n_labels, merges.left, merges.right)
        # a state that is not reported is only passed through
        state, last = merges.state, len(merges.state)
        if len(self.reported) < len(merges.thresholds):
            state = np.searchsorted(self.reported, merges.state).astype(np.int64)
            last = int(np.searchsorted(state, len(self.reported)))
        history = History(
            labels=self.labels,
            n_labels=n_labels,
            left=merges.left[:last],
            right=merges.right[:last],
            state=state[:last],
            n_states=len(self.reported),
            events=events,
            fraction_bits=bits,
        )
        curves = _kernels.impl.sweep_curves(*history, entropies, b_cubed)
        sizes = np.bincount(self._labelled, minlength=n_labels)
        sums: dict[str, Any] = {
            name: WideIntegers(*value) if isinstance(value, tuple) else value
            for name, value in curves.items()
        }
        self.counts: dict[str, IntArray] = {
            "n_clusters": sums["clusters"],
            "cells": sums["cells"],
            "largest_cluster": sums["largest"],
            "exact_matches": sums["exact_matches"],
        }
        sums |= {
            "n": self.n_items,
            "rows": n_labels,
            "cols": sums["clusters"],
            "row_squares": _kernels.impl.sum_squares(sizes),
            "row_xlogx": _kernels.impl.sum_xlogx(sizes, bits),
        }
        self._states = States(sums, len(self.reported), bits)
        self.n_labels, self._sizes = n_labels, sizes
        return history

    def _score_curves(self, history: History, entries: list[Measure]) -> None:
        wanted = {entry.name: split_merge_curve.combine_of(entry) for entry in entries}
        named = {combine for combine in wanted.values() if combine is not None}
        curves = split_merge_curve.curves(history, named) if named else {}
        for name, combine in wanted.items():
            if combine in curves:
                self._values[name], self._strategies[name] = curves[combine]

    def _chance_curves(self, history: History, entries: list[Measure]) -> None:
        covered = [entry for entry in entries if chance_curve.covered(entry)]
        items = len(self) * self.n_items
        if not covered or (len(self) <= GRID and items <= chance_curve.FEW_ITEMS):
            return
        expected = chance_curve.expected_information(history, self.workers)
        if expected is None:
            return
        curves = chance_curve.Curves(
            self._states, expected, self.counts["largest_cluster"], self._sizes
        )
        for entry in covered:
            values, singly = curves.values(entry)
            for s in np.flatnonzero(singly):
                values[s] = entry(self.table(int(s)))
            self._values[entry.name] = values
            self._strategies[entry.name] = (
                f"every state, from {expected.pairs:,} pairs of sizes; last digits may differ "
                "from a single score"
            )

    # ---- values ------------------------------------------------------------------------

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a count, or a measure at the states of ``states_of(name)``."""
        if name in self.counts:
            return self.counts[name]
        if name not in self.entries:
            entry = find(name)  # says what is wrong with the name
            if entry.name in self.entries:  # under another of its names
                return self[entry.name]
            raise KeyError(
                f"{entry.name} was not asked for; pass measures=[..., {entry.name!r}] to sweep "
                f"(there are {', '.join((*COUNTS, *self.entries))})"
            )
        if name not in self._values:
            self._values[name] = self._evaluate(self.entries[name])
        return self._values[name]

    def name_of(self, text: str) -> str:
        """Return the name of a count or measure that a text means."""
        return text if text in self.counts else name_among(self.entries, text)

    def states_of(self, name: str) -> IntArray:
        """Return the states at which a count or measure has its values."""
        if name in self.entries and not self.is_curve(name):
            return self.on_grid()
        return np.arange(len(self))

    def is_curve(self, name: str) -> bool:
        """Return whether a measure has every state without a table of each."""
        if name in self.counts or name in self._strategies:
            return True
        return find(name).computation.formula is not None

    def strategy_of(self, name: str) -> str:
        """Return in words how a measure is computed, and at which states."""
        if name in self._strategies:
            return self._strategies[name]
        if self.is_curve(name):
            return "every state, from sums"
        states = len(self.on_grid())
        which = "every state" if states == len(self) else f"{states:,} of {len(self):,} states"
        return f"{which}, on tables"

    def on_grid(self) -> IntArray:
        """Return the states whose tables are made: evenly, and the best of each curve."""
        if self._grid is None:
            even = evenly(merges_done(self.merges, self.reported), GRID)
            if len(even) == len(self):
                self._grid = even
            else:
                best = [
                    self.best_state(name)
                    for name in self.entries
                    if self.is_curve(name) and not np.isnan(self[name]).all()
                ]
                self._grid = np.unique(np.append(even, best).astype(np.int64))
        return self._grid

    def _evaluate(self, entry: Measure) -> FloatArray:
        if entry.computation.formula is None:
            grid = self.on_grid().tolist()
            values = map_blocks(lambda state: entry(self.table(state)), grid, self.workers)
            with doing(f"{entry.name} at {len(grid):,} states"):
                return np.array(list(values), np.float64)
        return self._by_formula()[entry.name]

    def _by_formula(self) -> dict[str, FloatArray]:
        """Evaluate all formulas, some states at a time: what they share stays in the cache."""
        entries = [
            entry for entry in self.entries.values() if entry.computation.formula is not None
        ]
        values_by_name = {entry.name: np.empty(len(self)) for entry in entries}

        def evaluate(start: int) -> None:
            states = self._states.part(start, start + STATES_AT_ONCE)
            for entry in entries:
                assert entry.computation.formula is not None
                values, singly = entry.computation.formula.values(states, entry.options)
                for s in np.flatnonzero(singly):
                    values[s] = entry(self.table(start + int(s)))
                values_by_name[entry.name][start : start + STATES_AT_ONCE] = values

        for _ in map_blocks(evaluate, range(0, len(self), STATES_AT_ONCE), self.workers):
            pass
        self._values |= values_by_name
        return values_by_name

    def best_state(self, measure: str) -> int:
        """Return the state with the best value: of several the last."""
        values = self[measure]
        lower = self.entries[measure].direction == "lower"
        top = np.nanmin(values) if lower else np.nanmax(values)
        return int(self.states_of(measure)[np.flatnonzero(values == top)[-1]])

    def summed(self, name: str) -> Measure:
        """Return the entry of a measure that is a function of sums, or raise ValueError."""
        entry = self.entries[name]
        if entry.computation.formula is None:
            able = [other.name for other in self.entries.values() if other.computation.formula]
            raise ValueError(
                f"{name} is no function of sums over groups of items, so that draws would "
                f"each need a sweep; the bootstrap takes {', '.join(able) or 'others'}"
            )
        return entry

    # ---- tables ------------------------------------------------------------------------

    def clusters_at(self, state: int) -> IntArray:
        """Return the candidate cluster of each item at a state."""
        merges = self.merges
        done = int(np.searchsorted(merges.state, self.reported[state], side="right"))
        clusters: IntArray = _kernels.impl.sweep_clusters(
            len(self.labels), merges.left, merges.right, done
        )
        return clusters

    def table(self, state: int) -> Contingency:
        """Return the table of a state."""
        return contingency(self._labelled, self.clusters_at(state)[self._shown])


class RecordedScores:
    """What ``StateScores`` knows, as a document has it; what needs merges is refused.

    Parameters
    ----------
    document : dict
        What ``Sweep.to_json`` wrote.
    """

    def __init__(self, document: dict[str, Any]) -> None:
        self.n_items: int = document["n_items"]
        self.n_labels: int = document["n_labels"]
        self.directions: dict[str, str | None] = document["better"]
        self.entries: dict[str, None] = dict.fromkeys(self.directions)
        self._strategies: dict[str, str] = document["strategies"]
        self._states: dict[str, list[int]] = document.get("states", {})
        self.counts: dict[str, IntArray] = {
            name: np.array(document[name], dtype=np.int64) for name in COUNTS
        }
        self._values: dict[str, FloatArray] = {
            name: np.array([float(x) for x in document[name]], dtype=np.float64)
            for name in self.entries
        }

    def name_of(self, text: str) -> str:
        """Return the name of a count or measure that a text means."""
        return text if text in self.counts else name_among(self.entries, text)

    def __getitem__(self, text: str) -> NDArray[Any]:
        """Return a count, or a measure at the states of ``states_of(name)``."""
        name = self.name_of(text)
        if name in self.counts:
            return self.counts[name]
        if name not in self._values:
            raise KeyError(f"{text} is not in this sweep; there are {', '.join(self.entries)}")
        return self._values[name]

    def states_of(self, name: str) -> IntArray:
        """Return the states at which a count or measure has its values."""
        every = range(len(self.counts["cells"]))
        return np.array(self._states.get(name, every), dtype=np.int64)

    def is_curve(self, name: str) -> bool:
        """Return whether a measure has every state without a table of each."""
        return name not in self._states

    def strategy_of(self, name: str) -> str:
        """Return in words how a measure was computed, and at which states."""
        return self._strategies[name]

    def best_state(self, measure: str) -> int:
        """Return the state with the best value: of several the last."""
        values = self[measure]
        top = np.nanmin(values) if self.directions[measure] == "lower" else np.nanmax(values)
        return int(self.states_of(measure)[np.flatnonzero(values == top)[-1]])

    def refuse(self, *_: Any) -> NoReturn:
        """Raise: what is asked for needs the merges."""
        raise ValueError(
            "this sweep was read from JSON, which holds its curves and not its merges; call "
            "sweep again for labels, tables and bootstraps"
        )

    clusters_at = refuse
