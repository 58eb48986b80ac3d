"""Which states are looked at where not all of them are."""

from __future__ import annotations

from typing import Any

import numpy as np

from partwise.numbers.arrays import IntArray
from partwise.thresholds.merges import Merges

#: States on which measures are computed that have no form as a curve.
GRID = 1000


def merges_done(merges: Merges, states: IntArray) -> IntArray:
    """Return how many merges each of these states has. O(states log merges)."""
    return np.searchsorted(merges.state, states, side="right").astype(np.int64)


def evenly(done: IntArray, wanted: int) -> IntArray:
    """Return places of at most so many states, evenly by merges, the first and last among them.

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
    found = np.where(nearer, before, after)
    if wanted > 1:
        found[-1] = len(done) - 1  # the last of states that differ in no merge
    return np.unique(found).astype(np.int64)


def reported_states(thresholds: Any, merges: Merges, closed: bool) -> IntArray:
    """Return the states that ``thresholds=`` asks for, ascending."""
    every = np.arange(len(merges.thresholds))
    if thresholds is None:
        return every
    if isinstance(thresholds, (int, np.integer)) and not isinstance(thresholds, bool):
        if thresholds < 1:
            raise ValueError(f"thresholds={thresholds}: at least one state is needed")
        return evenly(merges_done(merges, every), int(thresholds))
    try:
        asked = np.asarray(thresholds, dtype=np.float64)
    except (TypeError, ValueError):
        asked = np.empty(0)
    if asked.ndim != 1 or not len(asked) or np.isnan(asked).any():
        raise ValueError(
            "thresholds is a number of states, or a list of thresholds without NaN"
        )
    sign = -1.0 if merges.similarity else 1.0
    side = "right" if closed else "left"
    states = np.searchsorted(sign * merges.thresholds, sign * asked, side=side) - 1  # type: ignore[call-overload]
    return np.unique(np.maximum(states, 0)).astype(np.int64)
