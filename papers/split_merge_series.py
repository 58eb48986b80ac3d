"""From the best clustering to a worst one, by splits and then merges (SM, Figure 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from papers.curves import SPLIT_MERGE_NAMES, STYLES
from papers.datasets import DOCUMENT, LITBANK, document_labels
from papers.figures import new_figure
from papers.outcomes import Outcome
from papers.registry import experiment
from papers.table import ExperimentTable
from partwise.measures.extremes import best_clustering
from partwise.measures.information.information import normalized_mutual_information
from partwise.measures.information.variation import vi_similarity_log_n
from partwise.measures.overlap.pairing import classification_accuracy
from partwise.measures.overlap.purity import van_dongen
from partwise.measures.pairs.pair_indices import rand_index
from partwise.measures.split_merge.split_merge import s_entropy
from partwise.numbers.arrays import IntArray
from partwise.table.contingency import Contingency
from partwise.table.count import contingency

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Entities of the simulated document: 50 mentions of 17, and 33 splits down to single items,
#: as in the document of the paper, which is not available.
SIMULATED_SIZES = (12, 8, 6, 5, 4, 3, 2, *[1] * 10)

#: Measures that fall with every operation, as the paper says.
_STRICT = ("S_H", "R", "NMI", "V")
#: What "rather far from zero" is taken to mean.
_FAR = 0.1

_MEASURES: Mapping[str, Callable[[Contingency], float]] = {
    "S_H": s_entropy,
    "R": rand_index,
    "A": classification_accuracy,
    "N": lambda table: 1.0 - van_dongen(table, normalized=True),
    "NMI": lambda table: normalized_mutual_information(table, average="max"),
    "V": vi_similarity_log_n,
    "S'_H": lambda table: s_entropy(table, combine="mean"),
}


def split_then_merge(labels: Any, seed: int = 0) -> Iterator[tuple[str, IntArray]]:
    """Yield clusterings that worsen from the best one for ``labels`` to a worst one.

    Parameters
    ----------
    labels
        The true clustering, in any form; at least two items.
    seed : int, default 0
        For the one merge that takes a cluster by chance.

    Yields
    ------
    (operation, labels) : tuple of str and ndarray of int64
        "start"; "split": the largest cluster is halved, the first of those of equal size;
        "merge": two true single items are put together, or the last one with any cluster.

    Raises
    ------
    ValueError
        Fewer than two items: there is nothing to worsen.

    References
    ----------
    Split-merge (ICML 2012), section 6.

    Examples
    --------
    >>> for operation, labels in split_then_merge([0, 0, 1, 2]):
    ...     print(operation, labels.tolist())
    start [0, 0, 1, 2]
    split [0, 3, 1, 2]
    merge [0, 3, 1, 1]
    """
    current = best_clustering(labels)
    if len(current) < 2:
        raise ValueError(f"{len(current)} items have one clustering only; give two or more")
    singles = np.flatnonzero(np.bincount(current)[current] == 1)
    yield "start", current
    while (sizes := np.bincount(current)).max() > 1:
        members = np.flatnonzero(current == sizes.argmax())
        current = current.copy()
        current[members[(len(members) + 1) // 2 :]] = current.max() + 1
        yield "split", current
    for at in range(0, len(singles) - 1, 2):
        current = current.copy()
        current[singles[at + 1]] = current[singles[at]]
        yield "merge", current
    if len(singles) % 2:
        last = singles[-1]
        others = np.unique(current[current != current[last]])
        current = current.copy()
        current[last] = np.random.default_rng(seed).choice(others)
        yield "merge", current


def draw_series(table: ExperimentTable) -> Figure:
    """Draw a series: every measure against the number of operations, as in Figure 3."""
    figure = new_figure(7.2, 4.4)
    axes = figure.add_subplot()
    operations = table.column("operation")
    styles = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)))
    for name, style in zip(_MEASURES, styles, strict=True):
        wide = 2.4 if name == "S_H" else 1.4
        colour = STYLES[SPLIT_MERGE_NAMES.get(name, name)][0]
        axes.plot(
            operations,
            table.column(name),
            linestyle=style,
            linewidth=wide,
            label=name,
            color=colour,
        )
    bottom = table.column("step").count("split")
    axes.axvline(bottom, color="0.6", linewidth=0.8)
    above: dict[str, Any] = {"xytext": (-3, -11), "textcoords": "offset points", "ha": "right"}
    at = (bottom, 1.0)
    where = ("data", "axes fraction")
    axes.annotate("single items", at, xycoords=where, fontsize=8, color="0.4", **above)
    axes.set_xlabel("operations")
    axes.set_ylabel("similarity to the true clustering")
    axes.set_xlim(0, operations[-1])
    axes.set_ylim(-0.02, 1.02)
    axes.set_title(table.title, fontsize=10, pad=18)
    drawn = zip(_MEASURES, axes.get_lines(), strict=False)
    lines = sorted(drawn, key=lambda pair: -table.column(pair[0])[-1])
    axes.legend(
        handles=[line for _, line in lines],
        loc="center left",
        bbox_to_anchor=(1.0, 0.5),
        fontsize=8,
        frameon=False,
    )
    return figure


def outcomes_of_simulated(series: ExperimentTable) -> list[Outcome]:
    """Return what the paper says of Figure 3, for the simulated document."""
    splits = series.column("step").count("split")
    bottom = Outcome(
        "Figure 3, simulated",
        "operation that gives the bottom clustering",
        "33",
        splits,
        why="" if splits == 33 else "other labels than those of 33 splits",
    )
    return [bottom, *_claims_of_series(series, "simulated")]


def outcomes_of_litbank(series: ExperimentTable) -> list[Outcome]:
    """Return what the paper says of Figure 3, for the document of LitBank."""
    return _claims_of_series(series, "LitBank")


def _claims_of_series(series: ExperimentTable, document: str) -> list[Outcome]:
    lines = {row["measure"]: row for row in series_summary(series).to_dicts()}

    def claim(item: str, printed: str, ours: str, holds: bool) -> Outcome:
        why = "" if holds else f"of this document it is not so ({_FAR} is taken as far)"
        return Outcome(f"Figure 3, {document}", item, printed, ours, holds=holds, why=why)

    ends = [
        claim(
            f"{name}, from the best to a worst clustering",
            "from one to zero" if name == "S_H" else "rather far from zero at the end",
            f"from {lines[name]['start']:.3f} to {lines[name]['end']:.3f}",
            (lines[name]["end"] == 0) if name == "S_H" else lines[name]["end"] > _FAR,
        )
        for name in ("S_H", "R", "NMI", "V", "A", "N")
    ]
    strict = [
        claim(
            f"{name} falls",
            "strictly" if name in _STRICT else "not strictly",
            "strictly" if lines[name]["strictly decreasing"] else "not strictly",
            lines[name]["strictly decreasing"] == (name in _STRICT)
            and lines[name]["never increasing"],
        )
        for name in ("S_H", "R", "NMI", "V", "A", "N")
    ]
    return [*ends, *strict]


@experiment(
    "split-merge-series",
    "Split-merge",
    "Figure 3",
    draw=draw_series,
    outcomes=outcomes_of_simulated,
)
def split_merge_series(labels: Any = None, seed: int = 0) -> ExperimentTable:
    """Score the series from the best to a worst clustering, on a simulated document.

    Parameters
    ----------
    labels : optional
        The true clustering; default: 50 mentions of 17 entities (``SIMULATED_SIZES``).
    seed : int, default 0
        See ``split_then_merge``.

    Returns
    -------
    ExperimentTable
        operation, step ("start", "split" or "merge"), clusters, and S_H, R, A, N, NMI (by the
        larger entropy), V (1 - VI / ln n) and S'_H.

    Notes
    -----
    As the paper says: only S_H goes from 1 to 0, and strictly; R, NMI and V fall strictly; A
    and N do not, and none of these comes near 0.
    """
    if labels is None:
        labels = np.repeat(np.arange(len(SIMULATED_SIZES)), SIMULATED_SIZES)
        return _scored("Split-then-merge series of a simulated document", labels, seed)
    return _scored("Split-then-merge series", labels, seed)


@experiment(
    "split-merge-series-litbank",
    "Split-merge",
    "Figure 3",
    draw=draw_series,
    data=LITBANK,
    outcomes=outcomes_of_litbank,
)
def split_merge_series_litbank(
    data: str | Path | None = None, document: str = DOCUMENT, seed: int = 0
) -> ExperimentTable:
    """Score the series from the best to a worst clustering, on a document of LitBank.

    Parameters
    ----------
    data : path, optional
        A folder with ``litbank/key.tsv.gz``: columns doc, mention, cluster, from the
        coreference annotations of LitBank (github.com/dbamman/litbank). Default: the one
        document that comes with the experiments, ``papers/data``.
    document : str
        Name of the document; default: the one with the fewest entities of one mention.
    seed : int, default 0
        See ``split_then_merge``.

    Returns
    -------
    ExperimentTable
        As of ``split_merge_series``.

    Raises
    ------
    MissingData
        The file is not there, or another document is asked for without a folder.
    """
    labels = document_labels(data, document)
    return _scored(f"Split-then-merge series of {document}", labels, seed)


def _scored(title: str, labels: Any, seed: int) -> ExperimentTable:
    truth = best_clustering(labels)
    rows = []
    for number, (step, candidate) in enumerate(split_then_merge(truth, seed)):
        table = contingency(truth, candidate)
        scores = (float(measure(table)) for measure in _MEASURES.values())
        rows.append((number, step, table.shape[1], *scores))
    note = f"{len(truth)} items in {truth.max() + 1} clusters."
    return ExperimentTable(
        title, ("operation", "step", "clusters", *_MEASURES), tuple(rows), (note,)
    )


def series_summary(series: ExperimentTable) -> ExperimentTable:
    """Return where each measure of a series starts and ends, and whether it only falls.

    Parameters
    ----------
    series : ExperimentTable
        Of ``split_merge_series`` or ``split_merge_series_litbank``.

    Returns
    -------
    ExperimentTable
        measure, start, single items, end, strictly decreasing, never increasing.

    Examples
    --------
    >>> summary = series_summary(split_merge_series())
    >>> summary.where(measure="S_H").rows
    (('S_H', 1.0, 0.2, 0.0, True, True),)
    """
    bottom = series.column("step").count("split")
    rows = []
    for name in _MEASURES:
        values = series.column(name)
        strictly = all(x > y for x, y in pairwise(values))
        never = all(x >= y for x, y in pairwise(values))
        rows.append((name, values[0], values[bottom], values[-1], strictly, never))
    return ExperimentTable(
        f"{series.title}, in short",
        (
            "measure",
            "start",
            "single items",
            "end",
            "strictly decreasing",
            "never increasing",
        ),
        tuple(rows),
        series.notes,
    )
