"""The few components and clusters that a report shows, picked from arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels.order_free import group_totals
from partwise.labels.apply_policies import SingletonLabel
from partwise.labels.columns import (
    Column,
    listed,
)
from partwise.measures.components.sums import Join
from partwise.numbers.arrays import IntArray
from partwise.numbers.real_logarithm import log
from partwise.report.json_documents import label_of, plain_records
from partwise.scoring.diagnose.costs import Losses
from partwise.scoring.diagnose.structure import KINDS, ComponentTable, shares
from partwise.table.alignment import Alignment
from partwise.table.components import cells_of_rows
from partwise.table.contingency import Contingency

#: Cells of a component, and parts of a cluster, that are listed.
LISTED = 10
#: Items of a cell that ``items=True`` lists.
LISTED_ITEMS = 10
#: Values that are compared at once.
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True)
class Cell:
    """A piece: what one reference and one candidate cluster share.

    Attributes
    ----------
    reference, candidate
        Labels of the two clusters.
    count : int
        Items in the cell.
    items : list or None
        Ids of its first items where they were asked for, in the order of the alignment.
    items_left_out : int
        Further items of the cell.
    """

    reference: Any
    candidate: Any
    count: int
    items: list[Any] | None = None
    items_left_out: int = 0


@dataclass(frozen=True, slots=True)
class WorstComponent:
    """A component of the join that costs much.

    Attributes
    ----------
    number : int
        Place in ``Diagnosis.components`` and in ``table.components()``.
    kind : {"split", "merge", "mixed", "identical"}
    n_items, n_reference, n_candidate, n_cells : int
        Items, clusters of either side, cells.
    loss, share : float
        What it takes from the best value; the same as a share of the whole loss.
    cells : list of Cell
        The largest cells.
    cells_left_out, cells_left_out_items : int
        Further cells, and the items in them.
    """

    number: int
    kind: str
    n_items: int
    n_reference: int
    n_candidate: int
    n_cells: int
    loss: float
    share: float
    cells: list[Cell]
    cells_left_out: int
    cells_left_out_items: int


@dataclass(frozen=True, slots=True)
class BrokenCluster:
    """A cluster that lies in several clusters of the other side.

    Attributes
    ----------
    label
    size : int
        Items.
    n_parts : int
        Clusters of the other side that it lies in.
    apart : int
        Items outside its largest part.
    entropy : float
        Entropy of the parts in nats.
    parts : list of (label, int)
        Label of the other side's cluster and items shared with it, largest first.
    parts_left_out, parts_left_out_items : int
        Further parts, and the items in them.
    mixed : bool
        Whether its component has several clusters on both sides.
    cost : float or None
        Share of the whole loss that falls on its items, where the measure says so.
    """

    label: Any
    size: int
    n_parts: int
    apart: int
    entropy: float
    parts: list[tuple[Any, int]]
    parts_left_out: int
    parts_left_out_items: int
    mixed: bool
    cost: float | None


def plain_of(record: Any, *kinds: type) -> Any:
    """Return a record of a diagnosis as plain dicts, which ``read_label`` knows labels in."""
    own = (Broken, BrokenCluster, Cell, WorstComponent, SingletonLabel)
    return plain_records(record, *own, *kinds)


def read_label(plain: Any) -> Any:
    """Return a label as it was: a dict is that of an item alone."""
    if isinstance(plain, dict):
        return SingletonLabel(label_of(plain["item"]))
    return label_of(plain)


def worst_of(plain: Mapping[str, Any]) -> WorstComponent:
    """Return a component from its plain dict."""
    cells = [
        Cell(
            **{
                **cell,
                **{side: read_label(cell[side]) for side in ("reference", "candidate")},
                "items": None if cell["items"] is None else list(map(label_of, cell["items"])),
            }
        )
        for cell in plain["cells"]
    ]
    return WorstComponent(**{**plain, "cells": cells})


def broken_of(plain: Mapping[str, Any]) -> Broken:
    """Return the broken clusters of a side from their plain dict."""
    worst = [
        BrokenCluster(
            **{
                **one,
                "label": read_label(one["label"]),
                "parts": [(read_label(label), count) for label, count in one["parts"]],
            }
        )
        for one in plain["worst"]
    ]
    return Broken(**{**plain, "worst": worst})


def largest(values: NDArray[Any], count: int) -> IntArray:
    """Return the places of the largest values (>= 0) but 0, largest first, first of equals.

    Block after block, what is larger than the count-th so far is looked at closer. O(n).
    """
    best = np.empty(0, dtype=np.int64)
    if count == 0:
        return best
    step = max(_BLOCK, 4 * min(count, len(values)))
    for start in range(0, len(values), step):
        least = values[best[-1]] if len(best) == count else 0
        places = np.flatnonzero(values[start : start + step] > least) + start
        best = _largest_of(values, np.concatenate((best, places)), count)
    return best


def _largest_of(values: NDArray[Any], places: IntArray, count: int) -> IntArray:
    """Return the ``count`` places of the largest values, largest first, first of equals."""
    own = values[places]
    if count < len(places):
        bound = np.partition(own, -count)[-count]
        above = places[own > bound]
        places = np.concatenate((above, places[own == bound][: count - len(above)]))
        own = values[places]
    return places[np.argsort(-own, kind="stable")]


def rows_of_cells(table: Contingency, cells: IntArray) -> IntArray:
    """Return the row of each cell."""
    return np.searchsorted(table.indptr, cells, side="right") - 1


# ---- clusters broken apart ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Broken:
    """Clusters of one side that lie in several clusters of the other.

    Attributes
    ----------
    count, items : int
        How many there are, and their items.
    mixed, mixed_items : int
        Those in mixed components.
    worst : list of BrokenCluster
        Those with most items outside their largest part.
    """

    count: int
    items: int
    mixed: int
    mixed_items: int
    worst: list[BrokenCluster]


def broken_clusters(
    table: Contingency,
    join: Join,
    components: ComponentTable,
    losses: Losses | None,
    total_loss: float,
    worst: int,
) -> tuple[Broken, Broken]:
    """Return the splits (of reference clusters) and the merges (of candidate clusters)."""
    most = _kernels.impl.maxima(*table.cells, table.shape[1])
    mixed = components.kind == KINDS.index("mixed")
    of_cluster = join.row_component, join.col_component
    sides = []
    for side, sizes in enumerate((table.row_sizes, table.col_sizes)):
        apart = sizes - most[side]
        broken = apart > 0
        is_mixed = mixed[of_cluster[side]]
        both = broken & is_mixed
        chosen = largest(apart, worst)
        sides.append(
            Broken(
                count=int(np.count_nonzero(broken)),
                items=int(sizes[broken].sum()),
                mixed=int(np.count_nonzero(both)),
                mixed_items=int(sizes[both].sum()),
                worst=_worst_broken(table, side, chosen, is_mixed[chosen], losses, total_loss),
            )
        )
    return sides[0], sides[1]


def _worst_broken(
    table: Contingency,
    side: int,
    chosen: IntArray,
    mixed: NDArray[np.bool_],
    losses: Losses | None,
    total_loss: float,
) -> list[BrokenCluster]:
    """Return what there is to say of some clusters of a side."""
    cells, lengths = cells_of_clusters(table, side, chosen)
    groups = np.repeat(np.arange(len(chosen)), lengths)
    counts, rows = table.counts[cells], rows_of_cells(table, cells)
    sizes = (table.row_sizes, table.col_sizes)[side][chosen]
    own, others = table.row_labels, table.col_labels[table.cols[cells]]
    if side == 1:
        own, others = table.col_labels, table.row_labels[rows]
    terms = counts / sizes[groups] * log(sizes[groups] / counts)
    entropies = group_totals(terms, groups, len(chosen)).high.tolist()
    costs: list[float | None] = [None] * len(chosen)
    if losses is not None:
        lost = group_totals(losses(rows, cells), groups, len(chosen)).high
        costs = shares(lost, total_loss).tolist()
    ends = np.cumsum(lengths)
    clusters = []
    for i, label in enumerate(listed(own[chosen])):
        span = slice(ends[i] - lengths[i], ends[i])
        order = largest(counts[span], LISTED)
        parts = counts[span][order].tolist()
        clusters.append(
            BrokenCluster(
                label=label,
                size=int(sizes[i]),
                n_parts=int(lengths[i]),
                apart=int(sizes[i]) - parts[0],
                entropy=entropies[i],
                parts=list(zip(listed(others[span][order]), parts, strict=True)),
                parts_left_out=int(lengths[i]) - len(parts),
                parts_left_out_items=int(sizes[i]) - sum(parts),
                mixed=bool(mixed[i]),
                cost=costs[i],
            )
        )
    return clusters


def cells_of_clusters(
    table: Contingency, side: int, chosen: IntArray
) -> tuple[IntArray, IntArray]:
    """Return the cells of some clusters one cluster after another, and how many each has."""
    if side == 0:
        return cells_of_rows(table, chosen), np.diff(table.indptr)[chosen]
    wanted = np.zeros(table.shape[1], dtype=bool)
    wanted[chosen] = True
    cells = np.flatnonzero(wanted[table.cols])
    rank = np.empty(table.shape[1], dtype=np.int64)
    rank[chosen] = np.arange(len(chosen))
    of_cell = rank[table.cols[cells]]
    cells = cells[np.argsort(of_cell, kind="stable")]
    return cells, np.bincount(of_cell, minlength=len(chosen))


# ---- components --------------------------------------------------------------------


def worst_components(
    table: Contingency,
    join: Join,
    components: ComponentTable,
    worst: int,
    aligned: Alignment | None,
    n_items: int,
) -> list[WorstComponent]:
    """Return the components with the largest losses; with items if ``aligned`` is given."""
    chosen = largest(components.loss, worst)
    # 16-bit keys are sorted by radix
    small = worst < 1 << 15
    rank: NDArray[Any] = np.full(join.n_components, -1, np.int16 if small else np.int64)
    rank[chosen] = np.arange(len(chosen))
    of_row = rank[join.row_component]
    rows = np.flatnonzero(of_row >= 0)
    rows = rows[np.argsort(of_row[rows], kind="stable")]
    cells = cells_of_rows(table, rows)
    ends = np.cumsum(components.cells[chosen])
    shown = [
        cells[start:end][largest(table.counts[cells[start:end]], LISTED)]
        for start, end in zip(ends - components.cells[chosen], ends, strict=True)
    ]
    pieces = _pieces(table, np.concatenate([*shown, cells[:0]]), aligned, n_items)
    largest_losses = []
    for j, part in zip(chosen.tolist(), shown, strict=True):
        listed_cells = [next(pieces) for _ in part]
        items = int(components.items[j])
        largest_losses.append(
            WorstComponent(
                number=j,
                kind=KINDS[components.kind[j]],
                n_items=items,
                n_reference=int(components.reference_clusters[j]),
                n_candidate=int(components.candidate_clusters[j]),
                n_cells=int(components.cells[j]),
                loss=float(components.loss[j]),
                share=float(components.share[j]),
                cells=listed_cells,
                cells_left_out=int(components.cells[j]) - len(part),
                cells_left_out_items=items - sum(cell.count for cell in listed_cells),
            )
        )
    return largest_losses


def _pieces(
    table: Contingency, cells: IntArray, aligned: Alignment | None, n_items: int
) -> Any:
    """Yield the ``Cell`` of each place."""
    rows = rows_of_cells(table, cells)
    fixed = zip(
        listed(table.row_labels[rows]),
        listed(table.col_labels[table.cols[cells]]),
        table.counts[cells].tolist(),
        strict=True,
    )
    if aligned is None:
        return (Cell(*one) for one in fixed)
    items = items_of_cells(table, aligned, rows, cells, n_items)
    return (Cell(*one, *some) for one, some in zip(fixed, items, strict=True))


def items_of_cells(
    table: Contingency, aligned: Alignment, rows: IntArray, cells: IntArray, n_items: int
) -> list[tuple[list[Any], int]]:
    """Return the first items of some cells and how many more there are. O(items)."""
    positions = np.arange(aligned.n_items)
    sides = [aligned.reference.column, aligned.candidate.column]
    if aligned.multiplicity is not None:  # what counts 0 times is not in the table
        positions = np.flatnonzero(aligned.multiplicity)
        sides = [column.take(positions) for column in sides]
    codes = sides[0].compact().codes
    wanted = np.zeros(table.shape[0], dtype=bool)
    wanted[rows] = True
    near = np.flatnonzero(wanted[codes])
    columns = sides[1].compact().codes[near].astype(np.int64, copy=False)
    cell_of = _kernels.impl.locate(
        table.indptr, table.cols, codes[near].astype(np.int64, copy=False), columns
    )
    order = np.argsort(cell_of, kind="stable")
    first = np.searchsorted(cell_of, cells, side="left", sorter=order)
    last = np.searchsorted(cell_of, cells, side="right", sorter=order)
    ids = aligned._items
    of_cells = []
    for start, end in zip(first.tolist(), last.tolist(), strict=True):
        some = positions[near[order[start : min(end, start + n_items)]]]
        named = some.tolist() if ids is None else listed(_decoded(ids, some))
        of_cells.append((named, end - start - len(named)))
    return of_cells


def _decoded(ids: Column, positions: IntArray) -> NDArray[Any]:
    return ids.take(positions).decode()
