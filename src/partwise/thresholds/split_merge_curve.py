"""Split-merge scores at every state, by whichever way of updating them visits fewest cells."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from partwise import _kernels
from partwise.measures.entry import Measure
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.thresholds.grid import GRID

#: A visit takes as long as this many items of a table, and a table at least as long as these.
ITEMS_PER_WALK, TABLE_ITEMS = 5, 2000

Events = tuple[IntArray, IntArray, IntArray, IntArray]


class History(NamedTuple):
    """What ``_kernels.impl.sweep_curves`` takes, up to the last state that is reported."""

    labels: IntArray
    n_labels: int
    left: IntArray
    right: IntArray
    state: IntArray
    n_states: int
    events: Events
    fraction_bits: int


class Plan(NamedTuple):
    """How a measure comes at every state.

    Attributes
    ----------
    by_rows : int
        Reference clusters of at most so many items go by rows.
    walks : int
        Visits of cells that this takes.
    description : str
    """

    by_rows: int
    walks: int
    description: str


def combine_of(entry: Measure) -> str | None:
    """Return "product" or "mean" for a measure that has such a curve, else None."""
    options = {**entry.defaults, **entry.options}
    name = entry.function.__name__
    if name == "split_merge" and (options["score"], options["k"]) != ("entropy", None):
        return None
    if name in ("s_entropy", "split_merge") and options["combine"] in ("product", "mean"):
        return str(options["combine"])
    return None


def plan(history: History) -> Plan | None:
    """Return the cheapest way to S* at every state; None where tables at some are cheaper.

    Notes
    -----
    When the score of a reference cluster changes, either the cells of its row are visited
    ("by rows": at most n_i (n_i + 1) / 2 in all for a cluster of n_i items), or the cells of
    each column that grew are ("by columns": at most twice the number of reference clusters for
    a merge). The events tell all costs; large clusters may go by columns and small
    ones by rows.
    O(n + merges + events).
    """
    sizes = np.bincount(history.labels[history.labels >= 0], minlength=history.n_labels)
    n, largest = int(sizes.sum()), int(sizes.max(initial=0))
    bounds = sorted({0, min(8, largest), min(math.isqrt(n) + 1, largest), largest})
    walks = _kernels.impl.sweep_walks(
        history.labels,
        history.n_labels,
        history.left,
        history.right,
        history.events,
        np.array(bounds, dtype=np.int64),
    ).tolist()
    fewest, by_rows = min(zip(walks, bounds, strict=True))
    tables = min(history.n_states, GRID) * (n + TABLE_ITEMS)
    if ITEMS_PER_WALK * (fewest + n) > tables:
        return None
    way = {0: "by columns", largest: "by rows"}.get(
        by_rows, f"by rows up to {by_rows} items, else by columns"
    )
    return Plan(
        by_rows=by_rows,
        walks=fewest,
        description=f"every state, {way}: {fewest:,} cells visited",
    )


def curves(history: History, wanted: set[str]) -> dict[str, tuple[FloatArray, str]]:
    """Return S* ("product") and S' ("mean") at every state, each with the way there in words.

    ``wanted`` names those to compute. Bits are those of ``s_entropy`` on the table of the
    state. A way that costs too much is left out. S' needs no visits: O(1) for every event.
    """
    planned = plan(history) if "product" in wanted else None
    if not planned and "mean" not in wanted:
        return {}
    product, mean, _ = _kernels.impl.sweep_scores(
        *history, planned.by_rows if planned else 0, planned is not None
    )
    by_combine: dict[str, tuple[FloatArray, str]] = {}
    if planned and product is not None:
        by_combine["product"] = (product, planned.description)
    if "mean" in wanted:
        by_combine["mean"] = (mean, "every state, from sums")
    return by_combine
