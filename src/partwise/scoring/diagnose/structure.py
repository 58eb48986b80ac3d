"""What became of components and clusters, as arrays: kinds, pieces, partners, costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels.long_columns import added_up
from partwise._kernels.order_free import (
    group_totals,
)
from partwise.measures.components.sums import Join
from partwise.measures.split_merge.subcomponent_scores import ONE, entropy_scores
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.real_logarithm import log
from partwise.scoring.diagnose.costs import Losses
from partwise.table.contingency import Contingency

#: What a component can be; ``ComponentTable.kind`` holds places in here.
KINDS = ("identical", "split", "merge", "mixed")


@dataclass(frozen=True, slots=True, eq=False)
class ComponentTable:
    """One entry per component of the join, in the order of ``table.components()``.

    Attributes
    ----------
    kind : ndarray of int8
        Place in ``KINDS``: one cluster on both sides; one reference cluster in several
        candidate clusters; several in one; several on both sides.
    items, reference_clusters, candidate_clusters, cells : ndarray of int64
    loss : ndarray of float64
        What the component takes from the best value of the measure.
    share : ndarray of float64
        The same as a share of the whole loss; all 0 where nothing is lost.
    """

    kind: NDArray[np.int8]
    items: IntArray
    reference_clusters: IntArray
    candidate_clusters: IntArray
    cells: IntArray
    loss: FloatArray
    share: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class ClusterTable:
    """One entry per cluster of a side, in the order of the table's labels.

    Attributes
    ----------
    labels : ndarray
    sizes, pieces, largest : ndarray of int64
        Items; clusters of the other side they lie in; items of the largest such piece.
    entropy : ndarray of float64
        Entropy of the pieces in nats, 0 for a whole cluster.
    partners : ndarray of int64
        Place of the best partner among the other side's clusters: the one of highest F (Dice
        coefficient), the first of equals.
    partner_labels : ndarray
    overlaps : ndarray of int64
        Items shared with the best partner.
    components : ndarray of int64
        Component that the cluster lies in.
    costs : ndarray of float64, or None
        Share of the whole loss that falls on the items of the cluster; None where the measure
        gives a loss to components only.
    """

    labels: NDArray[Any]
    sizes: IntArray
    pieces: IntArray
    largest: IntArray
    entropy: FloatArray
    partners: IntArray
    partner_labels: NDArray[Any]
    overlaps: IntArray
    components: IntArray
    costs: FloatArray | None


def component_table(
    table: Contingency, join: Join, loss: FloatArray, total_loss: float
) -> ComponentTable:
    """Return the table of components; ``whole`` is the sum of the loss. O(clusters)."""
    k = join.n_components
    rows = np.bincount(join.row_component, minlength=k)
    cols = np.bincount(join.col_component, minlength=k)
    cells = added_up(np.diff(table.indptr), join.row_component, k)
    kind = (cols > 1) + 2 * (rows > 1)
    return ComponentTable(
        kind.astype(np.int8), join.sizes, rows, cols, cells, loss, shares(loss, total_loss)
    )


def shares(part: FloatArray, total: float) -> FloatArray:
    """Return parts of the loss as shares of it; 0 where nothing is lost."""
    return part / total if total > 0 else np.zeros_like(part)


def cluster_tables(
    table: Contingency, join: Join, losses: Losses | None, total_loss: float
) -> tuple[ClusterTable, ClusterTable]:
    """Return the tables of the clusters of both sides. O(cells)."""
    scores, most = entropy_scores(table), _kernels.impl.maxima(*table.cells, table.shape[1])
    rows, cells = table.rows, np.arange(table.n_cells)
    lost = None if losses is None else losses(rows, cells)
    turned = _kernels.impl.transpose(table.indptr, table.cols, cells, table.shape[1])
    sides = (
        (table.indptr, table.cols, cells, table.row_sizes, table.row_labels, rows),
        (*turned, table.col_sizes, table.col_labels, table.cols),
    )
    sizes_of_both = table.row_sizes, table.col_sizes
    tables = []
    for side, (indptr, others, order, sizes, labels, of_cell) in enumerate(sides):
        counts = table.counts[order]
        best = _kernels.impl.nearest_cells(
            indptr, others, counts, sizes, sizes_of_both[1 - side], "sorensen_dice"
        )
        partners = others[best]
        costs = None
        if lost is not None:
            costs = shares(group_totals(lost, of_cell, len(sizes)).high, total_loss)
        tables.append(
            ClusterTable(
                labels=labels,
                sizes=sizes,
                pieces=np.diff(indptr),
                largest=most[side],
                entropy=(ONE - scores[side]) / ONE * log(sizes),  # score: 1 - H / ln size
                partners=partners,
                partner_labels=sides[1 - side][4][partners],
                overlaps=counts[best],
                components=(join.row_component, join.col_component)[side],
                costs=costs,
            )
        )
    return tables[0], tables[1]
