"""Sums of each drawn unit at each state, from one more pass over the merges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from partwise import _kernels
from partwise.inference.additive import block_sums
from partwise.measures.formulas import SUMS, States
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.thresholds.drawn_units import Units, unit_blocks
from partwise.thresholds.merges import Merges

#: Sums that the reference alone decides, and those that change from state to state.
_FIXED = ("n", "rows", "row_squares", "row_xlogx")
_MOVING = tuple(name for name in SUMS if name not in _FIXED)
_NAMES_OF_CURVES = {"cols": "clusters"}


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
        sums = {}
        for position, name in enumerate(SUMS):
            column = np.repeat(start[:, position], self.n_states)
            if name in _MOVING:
                column += moved[:, _MOVING.index(name)].ravel()
            sums[name] = column
        return States(sums, length, fraction_bits=None)


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
    first_state = np.searchsorted(states, merges.state)  # that has the merge
    kept = int(np.searchsorted(first_state, len(states)))
    left, right, first_state = left[:kept], right[:kept], first_state[:kept]
    some_item, _ = _kernels.impl.sweep_subtrees(n, left, right, np.zeros(kept))
    # a cluster may begin with an item without a label, which has no unit
    unit = _units_of_merges(units.of_items, labels, left, right, some_item)
    unit[first_state == 0] = -1  # these come first, all together
    order = np.lexsort((np.arange(kept), unit))
    moved = np.arange(n + kept)
    moved[n + order] = n + np.arange(kept)
    left, right = moved[left[order]], moved[right[order]]
    unit, first_state = unit[order], first_state[order]
    changes = np.ones(kept, dtype=bool)
    changes[1:] = (unit[1:] != unit[:-1]) | (first_state[1:] != first_state[:-1])
    changes &= first_state > 0
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
        cols.append(number * len(states) + first_state[changes][some])
        values.append(steps[some])
    steps = csr_array(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(cols))),
        shape=(units.n, len(_MOVING) * len(states)),
    )
    start = block_sums(unit_blocks(labels, first, units))
    return UnitSums(start=start, steps=steps, n_states=len(states))


def _units_of_merges(
    of_items: IntArray, labels: IntArray, left: IntArray, right: IntArray, some_item: IntArray
) -> IntArray:
    """Return the unit of each merge, by a labelled item of it (any where it has none)."""
    n, item = len(labels), some_item.copy()
    if (labels < 0).any():
        for k, (a, b) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
            item[n + k] = item[a] if labels[item[a]] >= 0 else item[b]
    units: IntArray = of_items[item[n:]]
    return units


def _differences(curve: Any) -> FloatArray:
    """Return by how much neighbouring entries differ; of 128-bit sums exactly, then rounded."""
    if not isinstance(curve, tuple):
        counts: FloatArray = np.diff(curve).astype(np.float64)
        return counts
    high, low = curve
    below = np.diff(low)  # modulo 2^64
    above = np.diff(high) - (low[1:] < low[:-1])
    differences: FloatArray = np.ldexp(above.astype(np.float64), 64) + below.astype(np.float64)
    return differences
