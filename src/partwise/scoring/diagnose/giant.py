"""A component that holds most items: what flows inside, and what it falls into without noise.

A few items astray join everything to one component, which then says nothing. Cells that are
the largest of neither of their clusters, and thin for one of them, are such noise; without them
the structure is seen again, as each cluster stays with the one that has most of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels.long_columns import added_up, repeated, taken
from partwise.labels.columns import listed
from partwise.measures.components.sums import Join
from partwise.numbers.arrays import IntArray
from partwise.scoring.diagnose.structure import KINDS
from partwise.scoring.diagnose.worst import largest, read_label
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
    cols = np.flatnonzero(join.col_component == number)
    few = len(rows) + len(cols) < LEAST_CLUSTERS or min(len(rows), len(cols)) < 2
    if few or join.sizes[number] <= MOST * table.n_items:
        return None
    sizes = table.row_sizes[rows], table.col_sizes[cols]
    part = _part_of(table, rows, cols)
    of_row = repeated(np.arange(len(rows)), np.diff(part.indptr))
    most = _kernels.impl.maxima(part.indptr, part.cols, part.counts, len(cols))
    main_of_row = _main(of_row, part.counts, most[0])
    main_of_col = _main(part.cols, part.counts, most[1])
    is_main = np.zeros(len(part.cols), dtype=bool)
    is_main[main_of_row] = True
    astray = np.flatnonzero(~is_main)
    counts_astray = taken(part.counts, astray)
    chosen = astray[largest(counts_astray, worst)]
    # less than a tenth, rounded up: no product, which might pass 2^63
    bounds = [-(-own // THIN) for own in sizes]
    thin = part.counts < np.maximum(taken(bounds[0], of_row), taken(bounds[1], part.cols))
    thin[main_of_row] = False
    thin[main_of_col] = False
    kinds, parts = _parts(table, (rows, cols), of_row, part, ~thin, worst)
    labels = table.row_labels, table.col_labels
    of_chosen = of_row[chosen], part.cols[chosen]
    columns = (
        listed(labels[0][rows[of_chosen[0]]]),
        listed(labels[1][cols[of_chosen[1]]]),
        part.counts[chosen].tolist(),
        sizes[0][of_chosen[0]].tolist(),
        sizes[1][of_chosen[1]].tolist(),
        listed(labels[1][cols[part.cols[main_of_row[of_chosen[0]]]]]),
        listed(labels[0][rows[of_row[main_of_col[of_chosen[1]]]]]),
    )
    return Giant(
        n_items=int(join.sizes[number]),
        n_reference=len(rows),
        n_candidate=len(cols),
        strays=[Stray(*one) for one in zip(*columns, strict=True)],
        n_strays=len(astray),
        n_stray_items=int(counts_astray.sum()),
        thin_cells=int(np.count_nonzero(thin)),
        thin_items=int(part.counts[thin].sum()),
        kinds=kinds,
        parts=parts,
    )


class _Cells(NamedTuple):
    """Cells of some rows, all of whose columns lie in them, both numbered anew."""

    indptr: IntArray
    cols: IntArray
    counts: IntArray


def _part_of(table: Contingency, rows: IntArray, cols: IntArray) -> _Cells:
    """Return the cells of a component."""
    if (len(rows), len(cols)) == table.shape:
        return _Cells(*table.cells)
    cells = cells_of_rows(table, rows)
    indptr = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(np.diff(table.indptr)[rows], out=indptr[1:])
    new = np.empty(table.shape[1], dtype=np.int64)
    new[cols] = np.arange(len(cols))
    return _Cells(indptr, taken(new, taken(table.cols, cells)), taken(table.counts, cells))


def _main(clusters: IntArray, counts: IntArray, most: IntArray) -> IntArray:
    """Return the largest cell, of ``most`` items, of each cluster; the first of equals."""
    largest_cells = np.flatnonzero(counts == taken(most, clusters))
    first, _ = _kernels.impl.first_places(taken(clusters, largest_cells), len(most))
    return taken(largest_cells, first)


def _parts(
    table: Contingency,
    clusters: tuple[IntArray, IntArray],
    of_row: IntArray,
    part: _Cells,
    kept: NDArray[np.bool_],
    worst: int,
) -> tuple[dict[str, int], list[Part]]:
    """Return the kinds of the components of the cells kept, some of each cluster; the largest.

    ``clusters`` are the places in the table of the rows and columns of the cells.
    """
    rows, cols = clusters
    indptr = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(np.bincount(of_row[kept], minlength=len(rows)), out=indptr[1:])
    kept_cols = part.cols[kept]
    of_rows, of_cols, n_parts = _kernels.impl.join(indptr, kept_cols, len(cols))
    sides = [np.bincount(side, minlength=n_parts) for side in (of_rows, of_cols)]
    in_rows, _ = _kernels.impl.margins(indptr, kept_cols, part.counts[kept], len(cols))
    items = added_up(in_rows, of_rows, n_parts)
    kind = (sides[1] > 1) + 2 * (sides[0] > 1)
    kinds = {name: int(np.count_nonzero(kind == k)) for k, name in enumerate(KINDS)}
    broken = np.flatnonzero(kind > 0)
    broken = broken[largest(items[broken], worst)]

    def largest_of(side: IntArray, of_side: IntArray, sizes: IntArray, number: int) -> IntArray:
        own = side[np.flatnonzero(of_side == number)]
        return own[largest(sizes[own], _LISTED)]

    parts = [
        Part(
            kind=KINDS[int(kind[number])],
            n_items=int(items[number]),
            n_reference=int(sides[0][number]),
            n_candidate=int(sides[1][number]),
            reference=listed(
                table.row_labels[largest_of(rows, of_rows, table.row_sizes, number)]
            ),
            candidate=listed(
                table.col_labels[largest_of(cols, of_cols, table.col_sizes, number)]
            ),
        )
        for number in broken.tolist()
    ]
    return kinds, parts


def giant_from_dict(plain: Mapping[str, Any] | None) -> Giant | None:
    """Return a giant from its plain dict."""
    if plain is None:
        return None
    names = ("reference", "candidate", "main_candidate", "main_reference")
    strays = [
        Stray(**{**one, **{name: read_label(one[name]) for name in names}})
        for one in plain["strays"]
    ]
    parts = [
        Part(**{**one, **{side: [read_label(x) for x in one[side]] for side in names[:2]}})
        for one in plain["parts"]
    ]
    return Giant(**{**plain, "strays": strays, "parts": parts})
