"""Counts and measures at every state: from sums, from events, or from tables on a grid."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels.wide_integers import WideIntegers
from partwise.measures.catalogue import find
from partwise.measures.entry import Measure
from partwise.measures.formulas import States
from partwise.measures.information.entropy_sums import fraction_bits
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.table.contingency import Contingency
from partwise.table.count import contingency
from partwise.thresholds import chance_curve, split_merge_curve
from partwise.thresholds.grid import GRID, evenly, merges_done
from partwise.thresholds.merges import (
    Merges,
)
from partwise.thresholds.split_merge_curve import History

#: States whose formulas are evaluated together.
STATES_AT_ONCE = 1 << 13

#: Curves of counts, by name.
COUNTS = ("n_clusters", "cells", "largest_cluster", "exact_matches")


class StateScores:
    """What every reported state has, computed when asked for; ``Sweep`` shows it.

    Attributes
    ----------
    labels : int64 array, shape (n,)
        Reference, -1 without a label.
    merges : Merges
        All of them.
    reported : int64 array
        Numbers of the states that are reported.
    rows : dict of str to Measure
        The measures that were asked for.
    counts : dict of str to int64 array
        The curves of ``COUNTS``.
    n_items, n_labels : int
        Items with a label, and clusters of the reference.
    """

    def __init__(
        self, labels: IntArray, merges: Merges, rows: list[Measure], reported: IntArray
    ) -> None:
        self.labels, self.merges, self.reported = labels, merges, reported
        self.rows = {row.name: row for row in rows}
        self._shown = np.flatnonzero(labels >= 0)
        self._labelled = labels[self._shown]
        self.n_items = len(self._shown)
        self._values: dict[str, FloatArray] = {}
        self._strategies: dict[str, str] = {}
        self._grid: IntArray | None = None
        history = self._counted(rows)
        self._score_curves(history, rows)
        self._chance_curves(history, rows)

    def __len__(self) -> int:
        return len(self.reported)

    # ---- curves ------------------------------------------------------------------------

    def _counted(self, rows: list[Measure]) -> History:
        """Count everything the curves need, in one pass over the merges."""
        n_labels = int(self.labels.max(initial=-1)) + 1
        merges, bits = self.merges, fraction_bits(self.n_items)
        asked: set[str] = set()
        for row in rows:
            if row.computation.formula is not None:
                asked.update(row.computation.formula.sums(row.options))
        entropies = any(name.endswith("xlogx") for name in asked)
        entropies |= any(chance_curve.covered(row) for row in rows)
        b_cubed = any(name.startswith("b_cubed") for name in asked)
        events = _kernels.impl.sweep_events(self.labels, n_labels, merges.left, merges.right)
        # a state that is not reported is only passed through
        place, last = merges.state, len(merges.state)
        if len(self.reported) < len(merges.thresholds):
            place = np.searchsorted(self.reported, merges.state).astype(np.int64)
            last = int(np.searchsorted(place, len(self.reported)))
        history = History(
            *(self.labels, n_labels, merges.left[:last], merges.right[:last], place[:last]),
            *(len(self.reported), events, bits),
        )
        curves = _kernels.impl.sweep_curves(*history, entropies, b_cubed)
        sizes = np.bincount(self._labelled, minlength=n_labels)
        known: dict[str, Any] = {
            name: WideIntegers(*value) if isinstance(value, tuple) else value
            for name, value in curves.items()
        }
        self.counts: dict[str, IntArray] = {
            "n_clusters": known["clusters"],
            "cells": known["cells"],
            "largest_cluster": known["largest"],
            "exact_matches": known["exact_matches"],
        }
        known |= {
            "n": self.n_items,
            "rows": n_labels,
            "cols": known["clusters"],
            "row_squares": _kernels.impl.sum_squares(sizes),
            "row_xlogx": _kernels.impl.sum_xlogx(sizes, bits),
        }
        self._states = States(known, len(self.reported), bits)
        self.n_labels, self._sizes = n_labels, sizes
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
            self._states, expected, self.counts["largest_cluster"], self._sizes
        )
        for row in covered:
            values, singly = curves.values(row)
            for s in np.flatnonzero(singly):
                values[s] = row(self.table(int(s)))
            self._values[row.name] = values
            self._strategies[row.name] = (
                f"every state, from {expected.pairs:,} pairs of sizes; last digits may differ "
                "from a single score"
            )

    # ---- values ------------------------------------------------------------------------

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a count, or a measure at the states of ``states_of(name)``."""
        if name in self.counts:
            return self.counts[name]
        if name not in self.rows:
            row = find(name)  # says what is wrong with the name
            if row.name in self.rows:  # under another of its names
                return self[row.name]
            raise KeyError(
                f"{row.name} was not asked for; pass measures=[..., {row.name!r}] to sweep "
                f"(there are {', '.join((*COUNTS, *self.rows))})"
            )
        if name not in self._values:
            self._values[name] = self._evaluate(self.rows[name])
        return self._values[name]

    def states_of(self, name: str) -> IntArray:
        """Return the states at which a count or measure has its values."""
        if name in self.rows and not self.is_curve(name):
            return self.on_grid()
        return np.arange(len(self))

    def is_curve(self, name: str) -> bool:
        """Return whether a measure is known at every state without a table of each."""
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
                    for name in self.rows
                    if self.is_curve(name) and not np.isnan(self[name]).all()
                ]
                self._grid = np.unique(np.append(even, best).astype(np.int64))
        return self._grid

    def _evaluate(self, row: Measure) -> FloatArray:
        if row.computation.formula is None:
            return np.array([row(self.table(int(s))) for s in self.on_grid()], np.float64)
        return self._by_formula()[row.name]

    def _by_formula(self) -> dict[str, FloatArray]:
        """Evaluate all formulas, some states at a time: what they share stays in the cache."""
        rows = [row for row in self.rows.values() if row.computation.formula is not None]
        found = {row.name: np.empty(len(self)) for row in rows}
        for start in range(0, len(self), STATES_AT_ONCE):
            states = self._states.part(start, start + STATES_AT_ONCE)
            for row in rows:
                assert row.computation.formula is not None
                values, singly = row.computation.formula.values(states, row.options)
                for s in np.flatnonzero(singly):
                    values[s] = row(self.table(start + int(s)))
                found[row.name][start : start + STATES_AT_ONCE] = values
        self._values |= found
        return found

    def best_state(self, measure: str) -> int:
        """Return the state with the best value: of several the last."""
        values = self[measure]
        lower = self.rows[measure].direction == "lower"
        top = np.nanmin(values) if lower else np.nanmax(values)
        return int(self.states_of(measure)[np.flatnonzero(values == top)[-1]])

    def summed(self, name: str) -> Measure:
        """Return the row of a measure that is a function of sums, or raise ValueError."""
        row = self.rows[name]
        if row.computation.formula is None:
            able = [other.name for other in self.rows.values() if other.computation.formula]
            raise ValueError(
                f"{name} is no function of sums over groups of items, so that draws would "
                f"each need a sweep; the bootstrap takes {', '.join(able) or 'others'}"
            )
        return row

    # ---- tables ------------------------------------------------------------------------

    def clusters_at(self, state: int) -> IntArray:
        """Return the candidate cluster of each item at a state."""
        merges = self.merges
        done = int(np.searchsorted(merges.state, self.reported[state], side="right"))
        found: IntArray = _kernels.impl.sweep_clusters(
            len(self.labels), merges.left, merges.right, done
        )
        return found

    def table(self, state: int) -> Contingency:
        """Return the table of a state."""
        return contingency(self._labelled, self.clusters_at(state)[self._shown])
