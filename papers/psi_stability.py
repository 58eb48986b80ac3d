"""PSI paper, section 7.8: the number of clusters by stability under sampling (Fig. 25)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from papers.clusterers import kmeans
from papers.curves import draw_curves
from papers.outcomes import Outcome
from papers.psi_applied import APPLIED, unbalanced_points
from papers.psi_indexes import PAPER, index_values
from papers.reasons import reasons_where_needed
from papers.registry import experiment
from papers.table import ExperimentTable
from partwise.table.count import contingency

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_stability(table: ExperimentTable) -> Figure:
    """Return the stability against the number of clusters."""
    figure = draw_curves(table, "k", APPLIED, "clusters k", "stability (mean similarity)")
    figure.axes[0].axvline(8, color="black", linewidth=0.8, linestyle=":", zorder=0)
    figure.axes[0].set_xticks([k for k in table.column("k") if k % 2 == 0])
    return figure


@reasons_where_needed
def outcomes_of_stability(table: ExperimentTable) -> list[Outcome]:
    """Return what section 7.8 says of Figure 25."""
    at = {row["k"]: row for row in table.to_dicts()}
    best = {name: max(at, key=lambda k: at[k][name]) for name in APPLIED}
    low = {k: [at[k][name] for name in APPLIED] for k in (2, 4, 8)}
    means = {x: float(np.mean([at[k][x] for k in (5, 6, 7)])) for x in APPLIED}
    others = min(means[x] for x in APPLIED if x != "PSI")
    why = "the points are drawn, and k-means stands for random swap"
    return [
        Outcome(
            "Figure 25",
            "largest stability",
            "at k = 8 by all indexes",
            f"{min(low[8]):.3f} at least at k = 8, the largest of {len(at)}"
            if all(at[8][x] == at[best[x]][x] for x in APPLIED)
            else "elsewhere",
            holds=all(at[8][x] == at[best[x]][x] for x in APPLIED),
            why=why,
        ),
        Outcome(
            "Figure 25",
            "k = 2",
            "stable",
            f"{min(low[2]):.3f} at least",
            holds=min(low[2]) > 0.95,
            why=why,
        ),
        Outcome(
            "Figure 25",
            "k = 4",
            "stable",
            ", ".join(f"{name} {at[4][name]:.2f}" for name in APPLIED),
            holds=min(low[4]) > 0.95,
            why="where the clusters lie is not in the text; with the sparse ones nearer to "
            "each other (gather=0.6) four mostly are",
        ),
        Outcome(
            "Figure 25",
            "instability at k = 5 to 7",
            "seen by PSI alone",
            f"mean PSI {means['PSI']:.2f}, the others {others:.2f} at least",
            holds=means["PSI"] < others - 0.02,
            why=why,
        ),
    ]


@experiment(
    "psi-stability",
    PAPER,
    "Fig. 25",
    draw=draw_stability,
    outcomes=outcomes_of_stability,
)
def stability(
    clusters: Sequence[int] = tuple(range(2, 21)),
    seed: int = 1,
    *,
    subsets: int = 10,
    dense: int = 2000,
    sparse: int = 100,
    gather: float = 1.0,
) -> ExperimentTable:
    """Find the number of clusters by the stability under sampling (PSI 7.8, Fig. 25).

    Parameters
    ----------
    clusters : sequence of int
    seed : int, default 1
    subsets : int, default 10
        Samples of a fifth of the points.
    dense, sparse : int
        Points of each of three dense and five sparse clusters.
    gather : float, default 1.0
        What the distances of the sparse clusters to their middle are multiplied by.

    Returns
    -------
    ExperimentTable
        ``k`` and the mean of each index between the clusters of a sample and those of all
        points, on the sample.

    Notes
    -----
    As in the paper every index is largest for k = 8 and large for k = 2, and for 5 to 7
    clusters PSI is the one that sees how unstable the sparse ones are. k = 4 is stable in the
    paper, and here only with the sparse clusters nearer to each other (``gather=0.6``).
    """
    random = np.random.default_rng(seed)
    points, _ = unbalanced_points(random, dense, sparse, gather)
    rows = []
    for k in clusters:
        clusters_of_all = kmeans(points, k, random, restarts=5)
        values = []
        for _ in range(subsets):
            part = random.choice(len(points), size=len(points) // 5, replace=False)
            clusters_of_part = kmeans(points[part], k, random, restarts=5)
            values.append(
                index_values(contingency(clusters_of_all[part], clusters_of_part), APPLIED)
            )
        rows.append((k, *np.mean(values, axis=0).tolist()))
    return ExperimentTable(
        "Stability of k clusters under sampling; eight are true",
        ("k", *APPLIED),
        tuple(rows),
        (
            "Points of the paper's description, not the paper's; random swap is k-means with "
            "restarts from far items.",
        ),
    )
