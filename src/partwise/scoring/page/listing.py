"""The worst clusters and components with their items, as entries of a listing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from partwise import _kernels
from partwise.numbers.arrays import IntArray
from partwise.report.page.parts import LABEL, Cell, Column, Entry, Listing, Piece
from partwise.scoring.diagnose.diagnose import Diagnosis
from partwise.scoring.diagnose.report_cells import label_text, percent
from partwise.scoring.diagnose.worst import (
    LISTED,
    Broken,
    BrokenCluster,
    cells_of_clusters,
    items_of_cells,
    largest,
    rows_of_cells,
)
from partwise.table.alignment import Alignment
from partwise.table.contingency import Contingency

_KINDS = ("split", "merged")
_CLUSTERS = (
    Column("cluster"),
    Column("what happened"),
    Column("items", numeric=True),
    Column("apart", numeric=True),
    Column("parts", numeric=True),
    Column("entropy, nats", numeric=True),
    Column("component"),
)
_COST = Column("share of loss", numeric=True)
_COMPONENTS = (
    Column("component"),
    Column("kind"),
    Column("items", numeric=True),
    Column("reference clusters", numeric=True),
    Column("candidate clusters", numeric=True),
    Column("share of loss", numeric=True),
)

#: Ids of some items of a cell, and how many more there are.
ListedItems = tuple[list[Any], int]


def worst_clusters(
    diagnosis: Diagnosis, table: Contingency, aligned: Alignment | None, n_items: int
) -> Listing:
    """Return the clusters of both sides that lie in several clusters of the other.

    They stand in the order of the items apart from the largest part; ``aligned`` has the ids of
    the first ``n_items`` items of each part.
    """
    sides = (diagnosis.splits, diagnosis.merges)
    entries: list[tuple[int, Entry]] = []
    for side, broken in enumerate(sides):
        items = _items_of_parts(table, aligned, side, broken, n_items)
        entries += [
            (one.apart, _cluster(one, side, of_parts))
            for one, of_parts in zip(broken.worst, items, strict=True)
        ]
    entries.sort(key=lambda pair: -pair[0])
    costs = any(one.cost is not None for broken in sides for one in broken.worst)
    return Listing(
        caption="Split reference clusters and merged candidate clusters, those with most items "
        "apart from their largest part first",
        noun="clusters",
        columns=(*_CLUSTERS, _COST) if costs else _CLUSTERS,
        last="clusters of the other side (items)",
        entries=[entry for _, entry in entries],
        total=sum(broken.count for broken in sides),
    )


def _cluster(one: BrokenCluster, side: int, items: Sequence[ListedItems]) -> Entry:
    costs = [] if one.cost is None else [Cell.of(one.cost, percent(one.cost))]
    pieces = [
        Piece(label_text(label, longest=LABEL), count, _shown(ids), left_out)
        for (label, count), (ids, left_out) in zip(one.parts, items, strict=True)
    ]
    more = f"and {one.parts_left_out} more ({one.parts_left_out_items} items)"
    return Entry(
        kind=_KINDS[side],
        cells=[
            Cell(label_text(one.label, longest=LABEL)),
            Cell(_KINDS[side]),
            Cell.of(one.size),
            Cell.of(one.apart),
            Cell.of(one.n_parts),
            Cell.of(one.entropy, f"{one.entropy:.3f}"),
            Cell("mixed" if one.mixed else "pure"),
            *costs,
        ],
        pieces=pieces,
        left_out=more if one.parts_left_out else "",
    )


def _shown(items: Sequence[Any]) -> list[str]:
    return [label_text(item, longest=LABEL) for item in items]


def _items_of_parts(
    table: Contingency, aligned: Alignment | None, side: int, broken: Broken, n_items: int
) -> list[list[ListedItems]]:
    """Return the first items of each listed part of the worst clusters of a side."""
    if aligned is None or not n_items:
        return [[([], count) for _, count in one.parts] for one in broken.worst]
    most = _kernels.impl.maxima(*table.cells, table.shape[1])[side]
    sizes = (table.row_sizes, table.col_sizes)[side]
    chosen = largest(sizes - most, len(broken.worst))
    cells, lengths = cells_of_clusters(table, side, chosen)
    starts = np.cumsum(lengths) - lengths
    parts: list[IntArray] = []
    for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
        own = cells[start : start + length]
        parts.append(own[largest(table.counts[own], LISTED)])
    listed = np.concatenate([*parts, cells[:0]])
    items = iter(items_of_cells(table, aligned, rows_of_cells(table, listed), listed, n_items))
    return [[next(items) for _ in own] for own in parts]


def worst_components(diagnosis: Diagnosis) -> Listing:
    """Return the components that cost most, each with its largest cells."""
    entries = []
    for rank, one in enumerate(diagnosis.worst, 1):
        pieces = [
            Piece(
                f"{label_text(cell.reference, longest=LABEL)} \N{MULTIPLICATION SIGN} "
                f"{label_text(cell.candidate, longest=LABEL)}",
                cell.count,
                _shown(cell.items or ()),
                cell.items_left_out,
            )
            for cell in one.cells
        ]
        more = f"and {one.cells_left_out} more ({one.cells_left_out_items} items)"
        entries.append(
            Entry(
                kind=one.kind,
                cells=[
                    Cell(str(rank)),
                    Cell(one.kind),
                    Cell.of(one.n_items),
                    Cell.of(one.n_reference),
                    Cell.of(one.n_candidate),
                    Cell.of(one.share, percent(one.share)),
                ],
                pieces=pieces,
                left_out=more if one.cells_left_out else "",
            )
        )
    return Listing(
        caption=f"Components by their share of the loss of {diagnosis.by}; a component is the "
        "clusters of both sides that hang together by shared items",
        noun="components",
        columns=_COMPONENTS,
        last="reference \N{MULTIPLICATION SIGN} candidate cluster (items shared)",
        entries=entries,
        total=diagnosis.n_costly,
    )
