"""V, Q2 and VI against the number of clusters (V, Figures 4 and 5); the problem of matching."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from papers.curves import STYLES
from papers.datasets import DIGITS, PBMC, data_table
from papers.figures import new_figure
from papers.registry import experiment
from papers.table import ExperimentTable
from partwise.measures.information.homogeneity import (
    completeness,
    dom_q2,
    homogeneity,
    v_measure,
)
from partwise.measures.information.variation import variation_of_information
from partwise.measures.overlap.set_similarity import f_measure
from partwise.table.contingency import Contingency
from partwise.table.count import contingency

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MEASURES = {
    "homogeneity": homogeneity,
    "completeness": completeness,
    "V": v_measure,
    "Q2": dom_q2,
    "VI": variation_of_information,
}
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
            vi_axes.set_ylabel("VI in nats (lower is better)")
    return figure


@experiment(
    "v-sweep",
    "V-measure",
    "Figures 4 and 5",
    draw=draw_sweep,
    data=f"{DIGITS} and {PBMC}",
)
def v_sweep(data: str | Path | None = None) -> ExperimentTable:
    """Score clusterings of growing k by V, Q2 and VI, on digits and on blood cells.

    Parameters
    ----------
    data : path
        The folder of label data, with ``uci/digits.csv.gz`` (classes and seven methods with
        k = 5, 10, 20, 60) and ``pbmc68k_reduced/obs.csv.gz`` (k-means, k = 2 to 16).

    Returns
    -------
    ExperimentTable
        data, method, k, homogeneity, completeness, V, Q2, VI; the method "bounds" is one
        cluster and single items, which also begin and end each sweep.

    Raises
    ------
    MissingData
        A file is not there.

    Notes
    -----
    The paper's own data (TDT-4, Boston Directions) are not available. What it says of the
    figures is seen here as well: single items cost more in VI than one cluster or a good k,
    and past its best k Q2 loses a larger share of its value than V.
    """
    rows = [row for name in _SWEEPS for row in _sweep(name, data)]
    return ExperimentTable(
        "V, Q2 and VI against the number of clusters",
        ("data", "method", "k", *_MEASURES),
        tuple(rows),
        ("k is the number of clusters that came out; VI in nats.",),
    )


def _sweep(name: str, data: str | Path | None) -> Iterator[tuple[Any, ...]]:
    file, classes, methods = _SWEEPS[name]
    table = data_table(data, file)
    truth = np.asarray(table.values(classes))
    ends = np.zeros(len(truth), dtype=np.int64), np.arange(len(truth))
    for method in methods:
        columns = [c for c in table.columns if c.rpartition("_")[0] == method]
        between = (np.asarray(table.values(column)) for column in columns)
        for labels in (ends[0], *between, ends[1]):
            pair = contingency(truth, labels)
            scores = (measure(pair) for measure in _MEASURES.values())
            yield name, method, pair.shape[1], *scores


# ---- Figure 2 -----------------------------------------------------------------------

_A = ((3, 1, 1), (1, 3, 1), (1, 1, 3))
_B = ((3, 2, 0), (0, 3, 2), (2, 0, 3))
_PAIRS = ((1, 1, 0), (0, 1, 1), (1, 0, 1))
_SINGLES = ((1, 1, 0, 0, 0, 0), (0, 0, 1, 1, 0, 0), (0, 0, 0, 0, 1, 1))
#: Classes are rows; what each solution prints: F in the text, V.
SOLUTIONS: dict[str, tuple[Any, float, float]] = {
    "A": (_A, 0.6, 0.14),
    "B": (_B, 0.6, 0.39),
    "C": (np.hstack([_B, _PAIRS]), 0.5, 0.30),
    "D": (np.hstack([_B, _SINGLES]), 0.5, 0.41),
}


@experiment("problem-of-matching", "V-measure", "Figure 2")
def problem_of_matching() -> ExperimentTable:
    """Compare solutions that the F-measure holds for equal, and V does not.

    Returns
    -------
    ExperimentTable
        solution, F, V, printed F, printed V.

    Notes
    -----
    The labels of the figure have F = 0.5 for A and B and 0.6 for C and D; the text has them
    the other way round, and is right. A and B are read off the figure. C and D are rebuilt
    (B with six more items, in three mixed pairs or as six single items): of the ways tried,
    the only one that gives both printed values of V.

    Examples
    --------
    >>> for solution, f, v, *_ in problem_of_matching().rows:
    ...     print(solution, round(f, 3), round(v, 3))
    A 0.6 0.135
    B 0.6 0.387
    C 0.5 0.3
    D 0.5 0.413
    """
    rows = []
    for name, (counts, printed_f, printed_v) in SOLUTIONS.items():
        table = Contingency.from_dense(np.asarray(counts))
        rows.append((name, f_measure(table), v_measure(table), printed_f, printed_v))
    return ExperimentTable(
        "Solutions of equal F and different V",
        ("solution", "F", "V", "printed F", "printed V"),
        tuple(rows),
        ("F as in the text: the labels of the figure are swapped. C and D are rebuilt.",),
    )
