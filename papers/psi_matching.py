"""PSI paper, section 4.2: matching and pairing, too few and too many clusters (Figs 4 to 7)."""

from __future__ import annotations

import numpy as np

from papers.outcomes import Outcome
from papers.psi_indexes import INDEXES, PAPER
from papers.reasons import reasons_where_needed
from papers.registry import experiment
from papers.table import ExperimentTable
from partwise.measures.centroids.centroid_indices import centroid_index
from partwise.table.count import contingency

# Four groups in a row; a label a group.
_GROUPS = (0.0, 1.0, 4.0, 5.0)
_CASES = {
    "too few, 3 against 3": ((0, 0, 1, 2), (0, 1, 2, 2)),
    "too few, 3 against 4": ((0, 0, 1, 2), (0, 1, 2, 3)),
    "too many, 3 against 2": ((0, 1, 2, 2), (0, 0, 1, 1)),
    "too many, 3 against 3": ((0, 1, 2, 2), (0, 0, 1, 2)),
}
_PRINTED = dict(
    zip(_CASES, (("75", "50"), ("87", "75"), ("87", "75"), ("75", "50")), strict=True)
)
"""Matching and pairing in percent, as printed."""


@reasons_where_needed
def outcomes_of_too_few(table: ExperimentTable) -> list[Outcome]:
    """Return Figures 4 to 7."""
    rows = {row["case"]: row for row in table.to_dicts()}
    numbers = [
        Outcome("Figure 7", f"{case}, {way} (percent)", text, 100 * rows[case][way])
        for case, printed in _PRINTED.items()
        for way, text in zip(("matching", "pairing"), printed, strict=True)
    ]
    above = all(row["matching"] > row["pairing"] for row in rows.values())
    lost = "the figure's numbers are not in the text"
    few = rows["too few, 3 against 4"]["CI"]
    return [
        Outcome("Figure 4", "sum of the optimal pairing", "61", None, why=lost),
        Outcome("Figure 5", "pairs (P1, G1), (P2, G2), (P3, G3)", "greedy", None, why=lost),
        Outcome(
            "Figure 6",
            "centroid index with one cluster too few",
            "1",
            few,
            why="an orphan more",
        ),
        *numbers,
        Outcome(
            "Figure 7",
            "matching is higher than pairing",
            "always",
            "in all four cases" if above else "not in all cases",
            holds=above,
            why="pairing is as high",
        ),
    ]


@experiment("psi-too-few-too-many", PAPER, "Figs 6, 7", outcomes=outcomes_of_too_few)
def too_few_too_many(size: int = 100) -> ExperimentTable:
    """Match and pair clusterings of too few and too many clusters (PSI 4.2, Figs 6 and 7).

    Parameters
    ----------
    size : int, default 100
        Items of each of four groups.

    Returns
    -------
    ExperimentTable
        ``case``; ``matching``: shares of items in the nearest cluster, both ways (1 - NVD as
        distance); ``pairing``: in one-to-one pairs (CH); the centroid index ``CI``.

    Notes
    -----
    Too few: two of four clusters are one, another two in the other clustering. Too many: of two
    clusters one is cut in two, the other one in the other clustering.

    Examples
    --------
    >>> from papers import psi
    >>> psi.too_few_too_many().column("matching")
    (0.75, 0.875, 0.875, 0.75)
    """
    if size < 1:
        raise ValueError(f"size={size}; a group has at least one item")
    points = np.repeat(_GROUPS, size)
    rows = []
    for case, groups in _CASES.items():
        first, second = (np.repeat(labels, size) for labels in groups)
        table = contingency(first, second)
        index = centroid_index(first, second, features=points)
        rows.append((case, INDEXES["NVD"](table), INDEXES["CH"](table), int(index)))
    return ExperimentTable(
        "Matching and pairing with too few and too many clusters",
        ("case", "matching", "pairing", "CI"),
        tuple(rows),
        ("As printed: 75/50, 87/75, 87/75 and 75/50 percent.",),
    )
