"""PSI paper, section 7.8: Yeast classes without the smallest ones (Table 7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from papers.clusterers import Labels
from papers.curves import draw_curves
from papers.outcomes import Outcome, rounds_to
from papers.psi_applied import APPLIED, PRINTED
from papers.psi_indexes import PAPER, index_values
from papers.reasons import reasons_where_needed
from papers.registry import experiment
from papers.table import ExperimentTable
from partwise.table.contingency import Contingency

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.random import Generator

YEAST = (463, 429, 244, 163, 51, 44, 35, 30, 20, 5)
"""Sizes of the ten classes."""
_TABLE_7 = {
    9: ("1.00", "0.99", "1.00", "0.88"),
    8: ("0.99", "0.97", "0.98", "0.74"),
    7: ("0.97", "0.93", "0.97", "0.60"),
}
"""ARI, NMI, NVD and PSI as printed."""
SHARES = tuple(f"{name}_share" for name in APPLIED)


def draw_yeast(table: ExperimentTable) -> Figure:
    """Return the indexes against the number of clusters left."""
    figure = draw_curves(table, "clusters", APPLIED, "clusters left of ten", "similarity")
    figure.axes[0].set_xticks(table.column("clusters"))
    figure.axes[0].set_ylim(0, 1.03)
    return figure


@reasons_where_needed
def outcomes_of_yeast(table: ExperimentTable) -> list[Outcome]:
    """Return Table 7 beside the means over all draws."""
    rows = {row["clusters"]: row for row in table.to_dicts()}
    outcomes = [
        Outcome(
            "Table 7",
            f"{left} clusters, {name}",
            text,
            rows[left][name],
            why=f"a mean over draws; {rows[left][f'{name}_share']:.0%} of them round to it",
        )
        for left, printed in _TABLE_7.items()
        for name, text in zip(APPLIED, printed, strict=True)
    ]
    last = rows[7]
    return [
        *outcomes,
        Outcome(
            "Table 7",
            "differences due to removed clusters",
            "significant by PSI alone",
            ", ".join(f"{name} {last[name]:.2f}" for name in APPLIED) + " with 7 of 10 left",
            holds=last["PSI"] < 0.7 and min(last[x] for x in APPLIED if x != "PSI") > 0.9,
            why="another index shows them too",
        ),
    ]


@experiment("psi-yeast", PAPER, "Table 7", draw=draw_yeast, outcomes=outcomes_of_yeast)
def yeast(
    clusters: Sequence[int] = (9, 8, 7), seed: int = 1, *, draws: int = 400
) -> ExperimentTable:
    """Remove the smallest Yeast classes one by one (PSI 7.8, Table 7).

    Parameters
    ----------
    clusters : sequence of int
        Numbers of clusters that are left, from 9 down to 1.
    seed : int, default 1
    draws : int, default 400
        How often the items of the removed classes are spread.

    Returns
    -------
    ExperimentTable
        ``clusters``; the means of the four indexes over all draws; what the paper prints, and
        the share of the draws that round to it (None where it prints nothing).

    Notes
    -----
    Every item of a removed class goes to one of the clusters that are left, all with the same
    chance. The means round to 11 of the 12 printed values; NVD of 8 clusters is .985 for .98,
    to which one draw in ten rounds.

    Examples
    --------
    >>> from papers import psi
    >>> [round(x, 2) for x in psi.yeast().column("PSI")]
    [0.88, 0.74, 0.6]
    """
    wrong = [x for x in clusters if not 0 < x < len(YEAST)]
    if wrong:
        raise ValueError(f"{wrong[0]} clusters; from 1 to {len(YEAST) - 1} can be left")
    if draws < 1:
        raise ValueError(f"draws={draws}; at least 1 is needed")
    random = np.random.default_rng(seed)
    values: dict[int, list[list[float]]] = {x: [] for x in sorted(clusters, reverse=True)}
    for _ in range(draws):
        counts = np.diag(YEAST)
        for left in range(len(YEAST) - 1, min(values, default=len(YEAST)) - 1, -1):
            counts = _spread_last(counts, random)
            if left in values:
                values[left].append(index_values(Contingency.from_dense(counts), APPLIED))
    rows = []
    for left, of_draws in values.items():
        means = np.mean(of_draws, axis=0).tolist()
        printed: tuple[float | None, ...] = (None,) * len(APPLIED)
        shares = printed
        if left in _TABLE_7:
            texts = _TABLE_7[left]
            printed = tuple(map(float, texts))
            shares = tuple(
                sum(rounds_to(x, text) for x in column) / draws
                for column, text in zip(zip(*of_draws, strict=True), texts, strict=True)
            )
        rows.append((left, *means, *printed, *shares))
    return ExperimentTable(
        "Yeast classes without the smallest ones",
        ("clusters", *APPLIED, *PRINTED, *SHARES),
        tuple(rows),
        (f"Means of {draws} draws: items of a removed class go to any cluster that is left.",),
    )


def _spread_last(counts: Labels, random: Generator) -> Labels:
    """Distribute the items of the last column over the others at random."""
    last = counts.shape[1] - 1
    drawn = random.multinomial(counts[:, last], np.full(last, 1 / last))
    spread: Labels = counts[:, :last] + drawn
    return spread
