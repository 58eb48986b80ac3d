"""V, Q2 and VI against the number of clusters (V, Figures 4 and 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from papers.curves import STYLES
from papers.datasets import DIGITS, PBMC, data_table
from papers.figures import new_figure
from papers.registry import experiment
from papers.sweep_outcomes import outcomes_of_sweep
from papers.table import ExperimentTable
from papers.v_points import simulated
from partwise.measures.information.homogeneity import (
    completeness,
    dom_q2,
    homogeneity,
    v_measure,
)
from partwise.measures.information.variation import variation_of_information
from partwise.table.count import contingency

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MEASURES = {
    "homogeneity": homogeneity,
    "completeness": completeness,
    "V": v_measure,
    "Q2": dom_q2,
}
#: What comes in place of the paper's corpora: its class sizes, points of ours.
_SIMULATED = ("topics", "accents")
#: data set -> (file, column of classes, methods whose columns are called method_k)
_SWEEPS = {
    "digits": (
        DIGITS,
        "true",
        ("kmeans", "ward", "average", "complete", "single", "genie", "birch"),
    ),
    "pbmc": (PBMC, "bulk_labels", ("kmeans",)),
}


def draw_sweep(table: ExperimentTable) -> Figure:
    """Draw ``v_sweep``: V and Q2 on the left axis, VI on the right, a panel per data set."""
    sets = list(dict.fromkeys(table.column("data")))
    figure = new_figure(4.6 * len(sets), 3.8)
    panels = figure.subplots(1, len(sets), squeeze=False)[0]
    v_colour, q_colour, vi_colour = (STYLES[name][0] for name in ("V", "Q2", "VI"))
    for number, (name, axes) in enumerate(zip(sets, panels, strict=True)):
        rows = table.where(data=name, method="kmeans")
        k = rows.column("k")
        vi_axes = axes.twinx()
        lines = [
            axes.plot(k, rows.column("V"), "o-", color=v_colour, label="V-measure"),
            axes.plot(k, rows.column("Q2"), "s--", color=q_colour, label="Q2"),
            vi_axes.plot(k, rows.column("VI"), "^:", color=vi_colour, label="VI (right axis)"),
        ]
        axes.set_xscale("log")
        axes.set_ylim(-0.03, 1)
        vi_axes.set_ylim(0, None)
        axes.set_title(f"{name}: k-means, 1 cluster, and single items", fontsize=10)
        axes.set_xlabel("number of clusters k")
        if number == 0:
            axes.set_ylabel("V-measure, Q2 (higher is better)")
            axes.legend(handles=[line for (line,) in lines], loc="upper left", fontsize=8)
        if number == len(sets) - 1:
            vi_axes.set_ylabel(f"{table.notes[-1].rstrip('.')} (lower is better)")
    return figure


@experiment(
    "v-sweep",
    "V-measure",
    "Figures 4 and 5",
    draw=draw_sweep,
    data=f"{DIGITS} and {PBMC}",
    outcomes=outcomes_of_sweep,
)
def v_sweep(
    data: str | Path | None = None, base: float | None = 2, seed: int = 1
) -> ExperimentTable:
    """Score clusterings of growing k by V, Q2 and VI, on points like the paper's or real ones.

    Parameters
    ----------
    data : path, optional
        A folder with ``uci/digits.csv.gz`` (columns ``true`` and METHOD_K, such as
        ``kmeans_10``: the handwritten digits of the UCI repository, scikit-learn's
        ``load_digits()``, clustered with k = 5, 10, 20, 60) and
        ``pbmc68k_reduced/obs.csv.gz`` (columns ``bulk_labels`` and ``kmeans_K``: blood cells,
        scanpy's ``sc.datasets.pbmc68k_reduced()``, k-means of its components, k = 2 to 16).
        Default: simulated points whose classes have the sizes that the paper prints: 1884
        documents in 12 topics, 1000 words with five pitch accents.
    base : float, optional
        Of the logarithm in VI; default 2, as in the figures. None: nats. V and Q2 are
        quotients, the same in every base.
    seed : int, default 1
        For the simulated points and the starts of k-means.

    Returns
    -------
    ExperimentTable
        data, method, k, homogeneity, completeness, V, Q2, VI. One cluster and single items
        begin and end each sweep.

    Raises
    ------
    MissingData
        A file is not in the folder.

    Notes
    -----
    The paper's corpora (TDT-4, Boston Directions) are licensed. It counts in bits: it says so
    in section 2, and the VI axis of Figure 4 begins at 3, where H of the printed topic shares
    is 3.30 bits or 2.29 nats, and VI at k = 1 is H(C).
    """
    if data is None:
        rows = [row for name in _SIMULATED for row in _simulated_rows(name, base, seed)]
        note = "Points are simulated, with the paper's class sizes; see data= for real ones."
    else:
        rows = [row for name in _SWEEPS for row in _rows_of_file(name, data, base)]
        note = "k is the number of clusters that came out."
    units = {2.0: "bits", None: "nats"}
    unit = units.get(base, f"logarithms of base {base}")
    return ExperimentTable(
        "V, Q2 and VI against the number of clusters",
        ("data", "method", "k", *_MEASURES, "VI"),
        tuple(rows),
        (note, f"VI in {unit}."),
    )


def _simulated_rows(name: str, base: float | None, seed: int) -> Iterator[tuple[Any, ...]]:
    truth, clusterings = simulated(name, seed)
    yield from _sweep(name, "kmeans", truth, clusterings, base)


def _rows_of_file(name: str, data: str | Path, base: float | None) -> Iterator[tuple[Any, ...]]:
    file, classes, methods = _SWEEPS[name]
    table = data_table(data, file)
    truth = np.asarray(table.values(classes))
    for method in methods:
        columns = [c for c in table.columns if c.rpartition("_")[0] == method]
        clusterings = [np.asarray(table.values(column)) for column in columns]
        yield from _sweep(name, method, truth, clusterings, base)


def _sweep(
    name: str, method: str, truth: Any, clusterings: Sequence[Any], base: float | None
) -> Iterator[tuple[Any, ...]]:
    one, single_items = np.zeros(len(truth), dtype=np.int64), np.arange(len(truth))
    for labels in (one, *clusterings, single_items):
        pair = contingency(truth, labels)
        scores = (measure(pair) for measure in _MEASURES.values())
        yield name, method, pair.shape[1], *scores, variation_of_information(pair, base=base)
