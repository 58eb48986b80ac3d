"""PSI paper, sections 4 and 7.2 to 7.3: nested clusters, random labels, growing errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from papers import psi_outcomes
from papers.curves import draw_curves
from papers.psi_indexes import CLUSTER, PAPER, Counts, curves_over, rotated, series_of
from papers.registry import experiment
from papers.table import ExperimentTable
from partwise.measures.overlap.cluster_similarity import cluster_similarity_matrix
from partwise.measures.overlap.purity import purity
from partwise.table.contingency import Contingency

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# ---- similarity of two clusters ----------------------------------------------------


Similarity = Literal["jaccard", "braun_banquet", "sorensen_dice"]
_WORDS: tuple[Similarity, ...] = ("jaccard", "braun_banquet", "sorensen_dice")


def draw_cluster_similarities(table: ExperimentTable) -> Figure:
    """Return the similarities against the size of the larger cluster."""
    return draw_curves(table, "container", _WORDS, "items of the larger cluster", "similarity")


@experiment(
    "psi-cluster-similarities",
    PAPER,
    "Fig. 3",
    draw=draw_cluster_similarities,
    outcomes=psi_outcomes.of_cluster_similarities,
)
def cluster_similarities(
    size: int = 4, containers: Sequence[int] = tuple(range(4, 33))
) -> ExperimentTable:
    """Jaccard, Braun-Banquet and Dice of a cluster inside a larger one (PSI, Fig. 3).

    Parameters
    ----------
    size : int, default 4
        Items of the inner cluster.
    containers : sequence of int
        Sizes of the clusters that contain it.

    Returns
    -------
    ExperimentTable
        Columns ``container``, ``jaccard``, ``braun_banquet``, ``sorensen_dice``.

    Notes
    -----
    Inside a cluster of 5, a cluster of 4 has .80, .80, .89; inside one of 16 .25, .25, .40:
    as printed. For nested clusters Jaccard and Braun-Banquet are the same.

    Examples
    --------
    >>> from papers import psi
    >>> psi.cluster_similarities(4, (5, 16)).column("jaccard")
    (0.8, 0.25)
    """
    rows = []
    for container in containers:
        if container < size:
            raise ValueError(f"a cluster of {container} cannot contain one of {size} items")
        table = Contingency.from_dense([[size], [container - size]][: 1 + (container > size)])
        similar = [cluster_similarity_matrix(table.T, similarity=word) for word in _WORDS]
        rows.append((container, *(float(matrix.toarray()[0, 0]) for matrix in similar)))
    return ExperimentTable(
        f"Similarity of a cluster of {size} items to a cluster that contains it",
        ("container", *_WORDS),
        tuple(rows),
        ("PSI Fig. 3 prints J .80, BB .80 for 5 and J .25, BB .25, SD .4 for 16: as here.",),
    )


# ---- random partitions -------------------------------------------------------------

draw_random_labels = curves_over("clusters", "clusters of the random partition")


@experiment(
    "psi-random-labels",
    PAPER,
    "Fig. 10",
    draw=draw_random_labels,
    outcomes=psi_outcomes.of_random_labels,
)
def random_labels(
    clusters: Sequence[int] = tuple(range(1, 21)), seed: int = 1
) -> ExperimentTable:
    """Random labels against three clusters of 1000 items (PSI 7.2, Fig. 10).

    Parameters
    ----------
    clusters : sequence of int
        Numbers of clusters of the random partition.
    seed : int, default 1

    Returns
    -------
    ExperimentTable
        ``clusters`` and the six indexes.

    Notes
    -----
    ARI, NMI and PSI stay near 0, the others do not: as printed. NMI is near 0 only because
    3000 items are many; it is not adjusted for chance, and rises with the number of clusters.

    Examples
    --------
    >>> from papers import psi
    >>> psi.random_labels((1,)).column("PSI")
    (0.0,)
    """
    random = np.random.default_rng(seed)
    counts = []
    for k in clusters:
        drawn = random.integers(0, k, size=(3, CLUSTER))
        counts.append((k, [np.bincount(row, minlength=k).tolist() for row in drawn]))
    return series_of(
        "Random labels against three clusters of 1000",
        "clusters",
        counts,
        (
            "As printed: ARI, NMI, PSI are near 0 for every number of clusters, NVD, CH and "
            "Purity are not.",
        ),
    )


# ---- monotonicity ------------------------------------------------------------------

_SIZES = tuple(range(CLUSTER, 3 * CLUSTER + 1, 50))


def _moved(size: int) -> int:
    if not CLUSTER <= size <= 3 * CLUSTER:
        raise ValueError(f"a size of {size}; from {CLUSTER} to {3 * CLUSTER} are possible")
    return size - CLUSTER


def _first_enlarged(size: int) -> Counts:
    moved = _moved(size)
    from_second = min(moved, CLUSTER)
    from_third = moved - from_second
    return [
        [CLUSTER, 0, 0],
        [from_second, CLUSTER - from_second, 0],
        [from_third, 0, CLUSTER - from_third],
    ]


def _second_enlarged(size: int) -> Counts:
    moved = _moved(size)
    from_first = moved // 2
    from_third = moved - from_first
    return [
        [CLUSTER - from_first, from_first, 0],
        [0, CLUSTER, 0],
        [0, from_third, CLUSTER - from_third],
    ]


draw_enlarged_first = curves_over("size", "items in the first cluster")


@experiment(
    "psi-enlarged-first",
    PAPER,
    "Fig. 12",
    draw=draw_enlarged_first,
    outcomes=psi_outcomes.of_enlarged_first,
)
def enlarged_first(sizes: Sequence[int] = _SIZES) -> ExperimentTable:
    """Let the first cluster take in the second, then the third (PSI 7.3, Fig. 12).

    Parameters
    ----------
    sizes : sequence of int
        Sizes of the first cluster, from 1000 (nothing moved) to 3000 (one cluster).

    Returns
    -------
    ExperimentTable
        ``size`` and the six indexes.

    Notes
    -----
    As printed: NVD is constant from 1500 to 2000 (5/6) and from 2500 to 3000 (2/3); NMI and ARI
    rise into the knee at 2000, where a cluster disappears; CH and Purity fall in a line to 1/3.

    Examples
    --------
    >>> from papers import psi
    >>> [round(x, 3) for x in psi.enlarged_first((1500, 2000, 2500)).column("NVD")]
    [0.833, 0.833, 0.667]
    """
    return series_of(
        "The first of three clusters takes in the others",
        "size",
        [(size, _first_enlarged(size)) for size in sizes],
        (
            "As printed: NVD constant from 1500 to 2000 (.83) and from 2500; NMI and ARI rise "
            "into the knee at 2000; CH and Purity lie on a line to 1/3.",
        ),
    )


draw_enlarged_second = curves_over("size", "items in the second cluster")


@experiment(
    "psi-enlarged-second",
    PAPER,
    "Fig. 14",
    draw=draw_enlarged_second,
    outcomes=lambda table: psi_outcomes.of_enlarged_second(
        table, enlarged_first(table.column("size"))
    ),
)
def enlarged_second(sizes: Sequence[int] = _SIZES) -> ExperimentTable:
    """Let the second cluster take from both others alike (PSI 7.3, Fig. 14).

    Parameters
    ----------
    sizes : sequence of int
        Sizes of the second cluster, from 1000 to 3000; the other two give half each.

    Returns
    -------
    ExperimentTable
        ``size`` and the six indexes.

    Notes
    -----
    PSI has the curve of ``enlarged_first``, as printed. NVD bends at 2000, where all three
    reference clusters have their best partner in the second.

    Examples
    --------
    >>> from papers import psi
    >>> [round(x, 3) for x in psi.enlarged_second((1500, 2000, 2500)).column("PSI")]
    [0.615, 0.357, 0.16]
    """
    return series_of(
        "The second of three clusters takes from the others alike",
        "size",
        [(size, _second_enlarged(size)) for size in sizes],
        ("As printed: PSI has the same curve as for the first cluster; NVD bends at 2000.",),
    )


@experiment(
    "psi-purity-exchanged", PAPER, "Fig. 12, text", outcomes=psi_outcomes.of_purity_exchanged
)
def purity_exchanged(sizes: Sequence[int] = _SIZES) -> ExperimentTable:
    """Purity of the series of Fig. 12 both ways, and how far it is from a line (PSI 7.3).

    Parameters
    ----------
    sizes : sequence of int
        As for ``enlarged_first``.

    Returns
    -------
    ExperimentTable
        ``size``, ``Purity`` and ``exchanged`` (inverse purity), and how far each is off the
        straight line between its first and its last value.

    Notes
    -----
    The paper says that purity with the arguments exchanged is not linear: it is off by 1/6.

    Examples
    --------
    >>> from papers import psi
    >>> round(max(psi.purity_exchanged().column("exchanged_off_line")), 3)
    0.167
    """
    tables = [Contingency.from_dense(_first_enlarged(size)) for size in sizes]
    columns = []
    for values in ([purity(x) for x in tables], [purity(x.T) for x in tables]):
        line = np.interp(sizes, (sizes[0], sizes[-1]), (values[0], values[-1]))
        columns += [values, np.abs(values - line).tolist()]
    return ExperimentTable(
        "Purity with the reference and the candidate exchanged",
        ("size", "Purity", "off_line", "exchanged", "exchanged_off_line"),
        tuple(zip(sizes, *columns, strict=True)),
        ("As printed: linear one way, not linear the other (off by 1/6).",),
    )


draw_growing_error = curves_over("errors", "wrong labels in every cluster")


@experiment(
    "psi-growing-error",
    PAPER,
    "Fig. 16",
    draw=draw_growing_error,
    outcomes=psi_outcomes.of_growing_error,
)
def growing_error(errors: Sequence[int] = (*range(0, 651, 50), 667)) -> ExperimentTable:
    """Mislabel more and more items of every cluster (PSI 7.3, Fig. 16).

    Parameters
    ----------
    errors : sequence of int
        Wrong labels in each of three clusters of 1000, half to each of the other two.

    Returns
    -------
    ExperimentTable
        ``errors`` and the six indexes.

    Notes
    -----
    As printed: NVD, CH and Purity are the same line, PSI the line from 1 to 0, NMI and ARI are
    below them. At 667 the labels are spread as evenly as they can be.

    Examples
    --------
    >>> from papers import psi
    >>> [round(x, 3) for x in psi.growing_error((0, 300, 600)).column("PSI")]
    [1.0, 0.55, 0.1]
    """
    return series_of(
        "Wrong labels in each of three clusters",
        "errors",
        [(x, rotated(3, x, spread=True)) for x in errors],
        ("As printed: NVD = CH = Purity, linear; PSI from 1 to 0; NMI and ARI below.",),
    )
