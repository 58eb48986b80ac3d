"""How similar the clusters of either side are that have an item in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Unpack, get_args

import numpy as np

from partwise.numbers.arrays import CACHED, FloatArray, IntArray, UnsignedArray
from partwise.numbers.checks import one_of
from partwise.table.arguments import Reference, table_of
from partwise.table.contingency import Contingency
from partwise.table.memo import memoized
from partwise.typing import Candidate, Policies

__all__ = [
    "cluster_similarity_matrix",
]

if TYPE_CHECKING:
    from scipy.sparse import csr_array


ClusterSimilarity = Literal[
    "overlap", "sorensen_dice", "braun_banquet", "jaccard", "size_sorensen_dice"
]
SIMILARITIES: tuple[str, ...] = get_args(ClusterSimilarity)
_EVERY_CELL = slice(None)
#: Where one cell in so many is asked for, its row is taken from those of all cells.
_MANY_OF = 16


class Ratios(NamedTuple):
    """weight x above / below of each cell, exact; above <= below except for overlaps."""

    weight: IntArray | None
    above: UnsignedArray
    below: UnsignedArray


def cell_ratios(
    table: Contingency, similarity: str, cells: IntArray | slice = _EVERY_CELL
) -> Ratios:
    """Return the similarity of the two clusters of each cell as integers (PSI, eqs 9-11).

    ``cells``: only of these.
    """
    one_of(similarity, SIMILARITIES, "similarity")
    if isinstance(cells, slice):
        counts, rows, cols = table.counts[cells], table.rows[cells], table.cols[cells]
    else:
        counts, cols = table.counts[cells], table.cols[cells]
        rows = _rows_of(table, cells)
    common = counts.view(np.uint64)
    signed_row_sizes = table.row_sizes[rows]
    row_sizes, col_sizes = (
        signed_row_sizes.view(np.uint64),
        table.col_sizes.view(np.uint64)[cols],
    )
    if similarity == "overlap":
        return Ratios(None, common, np.ones_like(common))
    if similarity == "jaccard":
        return Ratios(None, common, row_sizes + col_sizes - common)
    if similarity == "braun_banquet":
        return Ratios(None, common, np.maximum(row_sizes, col_sizes))
    weight = signed_row_sizes if similarity == "size_sorensen_dice" else None
    return Ratios(weight, common + common, row_sizes + col_sizes)


def _rows_of(table: Contingency, cells: IntArray) -> IntArray:
    """Return the rows of some cells: one by one, or from the rows of all if they are many."""
    if len(cells) * _MANY_OF > table.n_cells:
        return table.rows[cells]
    rows: IntArray = np.searchsorted(table.indptr, cells, side="right") - 1
    return rows


def cluster_similarity_matrix(
    reference: Reference,
    candidate: Candidate = None,
    *,
    similarity: ClusterSimilarity = "jaccard",
    **policies: Unpack[Policies],
) -> csr_array:
    """Similarity of every reference cluster with every candidate cluster it meets.

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` or ``Contingency``.
    similarity : {"jaccard", "sorensen_dice", "braun_banquet", "overlap", "size_sorensen_dice"}
        n_ij / (n_i + m_j - n_ij); 2 n_ij / (n_i + m_j); n_ij / max(n_i, m_j); n_ij;
        n_i times the second.
    **policies
        See ``align``.

    Returns
    -------
    scipy.sparse.csr_array of float64, shape (clusters of the reference, of the candidate)
        Clusters in the order of ``row_labels`` and ``col_labels`` of the table; pairs without a
        common item are not stored.

    References
    ----------
    Pair Sets Index (TKDE 2016), equations (9)-(11).

    Notes
    -----
    Jaccard <= Braun-Banquet <= Sorensen-Dice. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.cluster_similarity_matrix([0, 0, 1, 1], [0, 1, 1, 1]).toarray().tolist()
    [[0.5, 0.25], [0.0, 0.6666666666666666]]
    """
    from scipy.sparse import csr_array

    table = table_of(reference, candidate, policies, "cluster_similarity_matrix")
    values = similarities(table, similarity).copy()  # the caller may change it, the table not
    return csr_array((values, table.cols, table.indptr), shape=table.shape)


def similarities(table: Contingency, similarity: str) -> FloatArray:
    """Return the similarity of the two clusters of each cell, of masses where there are any."""
    one_of(similarity, SIMILARITIES, "similarity")
    if table.masses is not None:
        return _of_masses(table, similarity)
    values = np.empty(table.n_cells, dtype=np.float64)
    for start in range(0, table.n_cells, CACHED):
        cells = slice(start, start + CACHED)
        weight, above, below = cell_ratios(table, similarity, cells)
        np.divide(above, below, out=values[cells])
        if weight is not None:
            np.multiply(weight, values[cells], out=values[cells])
    return values


@memoized
def _of_masses(table: Contingency, similarity: str) -> FloatArray:
    masses = table.all_masses
    assert masses is not None
    mass = masses.cells.high
    if similarity == "overlap":
        return mass
    row_mass = masses.rows.high[table.rows]
    if similarity == "size_sorensen_dice":
        return row_mass * _of_masses(table, "sorensen_dice")
    col_mass = masses.cols.high[table.cols]
    if similarity == "jaccard":
        denominator = row_mass + (col_mass - mass)
    elif similarity == "braun_banquet":
        denominator = np.maximum(row_mass, col_mass)
    else:
        mass, denominator = 2 * mass, row_mass + col_mass
    some = denominator > 0
    if some.all():
        return mass / denominator
    # two clusters without any mass are compared by their items
    _, above, below = cell_ratios(table, similarity)
    similarity_of_cells = np.where(some, 0.0, above / below)
    np.divide(mass, denominator, out=similarity_of_cells, where=some)
    return similarity_of_cells
