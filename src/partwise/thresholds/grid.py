"""Which states are looked at where not all of them are."""

from __future__ import annotations

from typing import Any

import numpy as np

from partwise.numbers.arrays import IntArray
from partwise.numbers.masked import first_masked, has_masked
from partwise.thresholds.merges import Merges

#: States on which measures are computed that have no form as a curve.
GRID = 1000


def merges_done(merges: Merges, states: IntArray) -> IntArray:
    """Return how many merges each of these states has. O(states log merges)."""
    return np.searchsorted(merges.state, states, side="right").astype(np.int64)


def evenly(done: IntArray, wanted: int) -> IntArray:
    """Return positions of at most so many states, evenly by merges, with the first and last.

    Parameters
    ----------
    done : int64, shape (n_states,)
        Merges that each state has, ascending.
    wanted : int
        Fewer come back where one step takes many merges.
    """
    if wanted >= len(done):
        return np.arange(len(done))
    targets = np.linspace(done[0], done[-1], wanted)
    after = np.minimum(np.searchsorted(done, targets), len(done) - 1)
    before = np.maximum(after - 1, 0)
    nearer = targets - done[before] < done[after] - targets
    states = np.where(nearer, before, after)
    if wanted > 1:
        states[-1] = len(done) - 1  # the last of states that differ in no merge
    return np.unique(states).astype(np.int64)


def reported_states(thresholds: Any, merges: Merges, closed: bool) -> IntArray:
    """Return the states that ``thresholds=`` asks for, ascending."""
    every = np.arange(len(merges.thresholds))
    if thresholds is None:
        return every
    if isinstance(thresholds, (int, np.integer)) and not isinstance(thresholds, bool):
        if thresholds < 1:
            raise ValueError(f"thresholds={thresholds}: at least one state is needed")
        return evenly(merges_done(merges, every), int(thresholds))
    if has_masked(thresholds):
        raise ValueError(
            f"thresholds have masked entries, the first at index {first_masked(thresholds)}; "
            "leave these out"
        )
    try:
        cuts = np.asarray(thresholds, dtype=np.float64)
    except (TypeError, ValueError):
        cuts = np.empty(0)
    if cuts.ndim != 1 or not len(cuts) or np.isnan(cuts).any():
        raise ValueError(
            "thresholds is a number of states, or a list of thresholds without NaN"
        )
    sign = -1.0 if merges.similarity else 1.0
    side = "right" if closed else "left"
    states = np.searchsorted(sign * merges.thresholds, sign * cuts, side=side) - 1  # type: ignore[call-overload]
    return np.unique(np.maximum(states, 0)).astype(np.int64)
