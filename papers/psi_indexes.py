"""The indexes of the PSI paper by its names, and series of tables that they are taken of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from papers.curves import draw_curves
from papers.table import ExperimentTable
from partwise.measures.information.information import normalized_mutual_information
from partwise.measures.overlap.pair_sets import pair_sets_index
from partwise.measures.overlap.purity import purity, van_dongen
from partwise.measures.overlap.set_similarity import criterion_h
from partwise.measures.pairs.pair_indices import adjusted_rand_index
from partwise.table.contingency import Contingency

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAPER = "Pair Sets Index"
CLUSTER = 1000
Counts = list[list[int]]

INDEXES: dict[str, Callable[..., float]] = {
    "ARI": adjusted_rand_index,
    "NMI": normalized_mutual_information,
    "NVD": lambda table: 1.0 - van_dongen(table, normalized=True),
    "CH": lambda table: 1.0 - criterion_h(table),
    "Purity": purity,
    "PSI": pair_sets_index,
}
"""The paper's indexes by its names, as similarities: NVD and CH are 1 minus the distance."""


def index_values(table: Contingency, names: Sequence[str] = tuple(INDEXES)) -> list[float]:
    """Return the paper's indexes of a table, by name."""
    return [INDEXES[name](table) for name in names]


def series_of(
    title: str, x: str, counts: Sequence[tuple[Any, Counts]], notes: Sequence[str]
) -> ExperimentTable:
    """Return the indexes of a series of tables, each beside its value of ``x``."""
    rows = tuple((at, *index_values(Contingency.from_dense(cells))) for at, cells in counts)
    return ExperimentTable(title, (x, *INDEXES), rows, tuple(notes))


def curves_over(x: str, x_label: str) -> Callable[[ExperimentTable], Figure]:
    """Return the drawing of the indexes against the column ``x``."""

    def draw(table: ExperimentTable) -> Figure:
        return draw_curves(table, x, tuple(INDEXES), x_label, "similarity")

    draw.__doc__ = f"Return the indexes against {x_label}."
    return draw


def rotated(k: int, errors: int, spread: bool) -> Counts:
    """Return k clusters of 1000 that each lose errors, to the next one or to all others."""
    counts = np.diag([CLUSTER - errors] * k)
    for row in range(k):
        if spread:
            share, rest = divmod(errors, k - 1)
            for step in range(1, k):
                counts[row, (row + step) % k] += share + (step <= rest)
        else:
            counts[row, (row + 1) % k] += errors
    table: Counts = counts.tolist()
    return table
