"""A component that holds most items: what flows inside, and what it falls into without noise.

A few items astray join everything to one component, which then says nothing. Cells that are
the largest of neither of their clusters, and thin for one of them, are such noise; without them
the structure is seen again, as each cluster stays with the one that has most of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from partwise import _kernels
from partwise.labels.columns import listed
from partwise.measures.components.sums import Join
from partwise.numbers.arrays import IntArray
from partwise.report.json_documents import label_of
from partwise.scoring.diagnose.structure import KINDS
from partwise.table.components import cells_of_rows
from partwise.table.contingency import Contingency

#: A component is looked into if it has more than this share of the items, and so many clusters.
MOST, LEAST_CLUSTERS = 0.5, 8
#: A cell is thin if it has less than one of so many items of a cluster.
THIN = 10
#: Labels of a part that are listed.
_LISTED = 5


@dataclass(frozen=True, slots=True)
class Stray:
    """Items that a reference cluster has outside its largest part.

    Attributes
    ----------
    reference, candidate
        Labels of the clusters that share them.
    count : int
        The items.
    reference_size, candidate_size : int
        Items of the two clusters.
    main_candidate
        Where most of the reference cluster is.
    main_reference
        Whose items most of the candidate cluster are.
    """

    reference: Any
    candidate: Any
    count: int
    reference_size: int
    candidate_size: int
    main_candidate: Any
    main_reference: Any


@dataclass(frozen=True, slots=True)
class Part:
    """A component of what is left without thin cells.

    Attributes
    ----------
    kind : {"split", "merge", "mixed"}
    n_items : int
        Items in its cells.
    n_reference, n_candidate : int
        Its clusters.
    reference, candidate : list
        Labels of the largest of them.
    """

    kind: str
    n_items: int
    n_reference: int
    n_candidate: int
    reference: list[Any]
    candidate: list[Any]


@dataclass(frozen=True, slots=True)
class Giant:
    """A component that holds most items.

    Attributes
    ----------
    n_items, n_reference, n_candidate : int
    strays : list of Stray
        The largest flows of items out of the largest parts of reference clusters.
    n_strays, n_stray_items : int
        All such flows, and their items.
    thin_cells, thin_items : int
        Cells that are the largest of neither of their clusters and have less than a tenth of
        the items of one of them; their items.
    kinds : dict of str to int
        Components of each kind that it falls into without them.
    parts : list of Part
        The largest of these components but the identical ones.
    """

    n_items: int
    n_reference: int
    n_candidate: int
    strays: list[Stray]
    n_strays: int
    n_stray_items: int
    thin_cells: int
    thin_items: int
    kinds: dict[str, int]
    parts: list[Part]


def giant_of(table: Contingency, join: Join, worst: int) -> Giant | None:
    """Return the component that holds most items, None where there is none. O(cells)."""
    if not join.n_components:
        return None
    number = int(np.argmax(join.sizes))
    rows = np.flatnonzero(join.row_component == number)
    n_cols = int(np.count_nonzero(join.col_component == number))
    few = len(rows) + n_cols < LEAST_CLUSTERS or min(len(rows), n_cols) < 2
    if few or join.sizes[number] <= MOST * table.n_items:
        return None
    cells = cells_of_rows(table, rows)
    of_row = np.repeat(rows, np.diff(table.indptr)[rows])
    cols, counts = table.cols[cells], table.counts[cells]
    main_of_row = _main(of_row, counts, table.shape[0])
    main_of_col = _main(cols, counts, table.shape[1])
    astray = np.flatnonzero(main_of_row[of_row] != np.arange(len(cells)))
    order = np.argsort(-counts[astray], kind="stable")[:worst]
    chosen = astray[order]
    thin = (counts * THIN < table.row_sizes[of_row]) | (counts * THIN < table.col_sizes[cols])
    thin[main_of_row[rows]] = False
    thin[main_of_col[np.unique(cols)]] = False
    kinds, parts = _parts(table, of_row[~thin], cols[~thin], counts[~thin], worst)
    labels = table.row_labels, table.col_labels
    columns = (
        listed(labels[0][of_row[chosen]]),
        listed(labels[1][cols[chosen]]),
        counts[chosen].tolist(),
        table.row_sizes[of_row[chosen]].tolist(),
        table.col_sizes[cols[chosen]].tolist(),
        listed(labels[1][cols[main_of_row[of_row[chosen]]]]),
        listed(labels[0][of_row[main_of_col[cols[chosen]]]]),
    )
    return Giant(
        n_items=int(join.sizes[number]),
        n_reference=len(rows),
        n_candidate=n_cols,
        strays=[Stray(*one) for one in zip(*columns, strict=True)],
        n_strays=len(astray),
        n_stray_items=int(counts[astray].sum()),
        thin_cells=int(np.count_nonzero(thin)),
        thin_items=int(counts[thin].sum()),
        kinds=kinds,
        parts=parts,
    )


def _main(clusters: IntArray, counts: IntArray, n_clusters: int) -> IntArray:
    """Return the largest cell of each cluster, the first of equals."""
    order = np.lexsort((-np.arange(len(counts)), counts))  # the last one written stays
    main = np.full(n_clusters, -1, dtype=np.int64)
    main[clusters[order]] = order
    return main


def _parts(
    table: Contingency, rows: IntArray, cols: IntArray, counts: IntArray, worst: int
) -> tuple[dict[str, int], list[Part]]:
    """Return the kinds of the components of some cells, and the largest."""
    used_rows, row_codes = np.unique(rows, return_inverse=True)
    used_cols, col_codes = np.unique(cols, return_inverse=True)
    n_rows, n_cols = len(used_rows), len(used_cols)
    indptr = np.zeros(n_rows + 1, dtype=np.int64)
    np.cumsum(np.bincount(row_codes, minlength=n_rows), out=indptr[1:])
    of_rows, of_cols, n_parts = _kernels.impl.join(indptr, col_codes.astype(np.int64), n_cols)
    sides = [np.bincount(side, minlength=n_parts) for side in (of_rows, of_cols)]
    items = np.zeros(n_parts, dtype=np.int64)
    np.add.at(items, of_rows[row_codes], counts)
    kind = (sides[1] > 1) + 2 * (sides[0] > 1)
    kinds = {name: int(np.count_nonzero(kind == k)) for k, name in enumerate(KINDS)}
    broken = np.flatnonzero(kind > 0)
    broken = broken[np.argsort(-items[broken], kind="stable")][:worst]

    def largest(of_side: IntArray, part: int, sizes: IntArray, used: IntArray) -> IntArray:
        own = used[np.flatnonzero(of_side == part)]
        return own[np.argsort(-sizes[own], kind="stable")][:_LISTED]

    parts = [
        Part(
            kind=KINDS[int(kind[part])],
            n_items=int(items[part]),
            n_reference=int(sides[0][part]),
            n_candidate=int(sides[1][part]),
            reference=listed(
                table.row_labels[largest(of_rows, part, table.row_sizes, used_rows)]
            ),
            candidate=listed(
                table.col_labels[largest(of_cols, part, table.col_sizes, used_cols)]
            ),
        )
        for part in broken.tolist()
    ]
    return kinds, parts


def giant_from_dict(plain: Mapping[str, Any] | None) -> Giant | None:
    """Return a giant from its plain dict."""
    if plain is None:
        return None
    names = ("reference", "candidate", "main_candidate", "main_reference")
    strays = [
        Stray(**{**one, **{name: label_of(one[name]) for name in names}})
        for one in plain["strays"]
    ]
    parts = [
        Part(**{**one, **{side: [label_of(x) for x in one[side]] for side in names[:2]}})
        for one in plain["parts"]
    ]
    return Giant(**{**plain, "strays": strays, "parts": parts})
