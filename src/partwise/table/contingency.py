"""The meet of two clusterings as an immutable sparse table of counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels.long_columns import repeated
from partwise._kernels.order_free import Totals, group_totals
from partwise._kernels.workers import in_force, scratches, worth_counting
from partwise.labels import Account
from partwise.labels.columns import (
    Column,
    Names,
    plain,
    refuse_uncomputed,
    taken,
)
from partwise.labels.suspicions import notes_on_weights
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.masked import has_masked
from partwise.numbers.sparse import checked_sparse
from partwise.report.brief import html_of
from partwise.report.plots.style import saved
from partwise.report.tables import pandas_module
from partwise.table.counted_items import CountedSide
from partwise.table.memo import Memo, memoized
from partwise.table.read_counts import (
    read_cells,
    read_counts,
    reject_margins,
    side_labels,
    total_of,
)
from partwise.typing import Policies

if TYPE_CHECKING:
    import pandas
    from scipy.sparse import csr_array

    from partwise.table.components import Components


class SizeProfile(NamedTuple):
    """How many clusters of a side are small (NVI, Table 2); the first three are nested.

    Of an item profile: how many items are in such clusters.
    """

    single: int
    under_10: int
    under_100: int
    from_100: int

    @property
    def bins(self) -> dict[str, int]:
        """How many are of one item, of 2 to 9, of 10 to 99, and of 100 and more."""
        return {
            "1": self.single,
            "2-9": self.under_10 - self.single,
            "10-99": self.under_100 - self.under_10,
            "100 and more": self.from_100,
        }

    @classmethod
    def of_bins(cls, bins: Mapping[str, int]) -> SizeProfile:
        """Return the profile that has these bins."""
        single, under_10, under_100, from_100 = bins.values()
        return cls(single, single + under_10, single + under_10 + under_100, from_100)


class Masses(NamedTuple):
    """Summed weights of the items of each cell, row and column, and of all (one entry)."""

    cells: Totals
    rows: Totals
    cols: Totals
    all: Totals


class Profiles(NamedTuple):
    """Of the reference and the candidate: the profile of the clusters, and of their items."""

    clusters: tuple[SizeProfile, SizeProfile]
    items: tuple[SizeProfile, SizeProfile]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Contingency:
    """Counts of items per (reference cluster, candidate cluster), nonzero cells only.

    Rows are reference clusters, columns candidate clusters, both in ascending label order (in
    order of first appearance where labels have no order); no row or column is empty. Made by
    ``contingency``, ``Alignment.table`` or the ``from_`` methods, never changed afterwards.

    Attributes
    ----------
    indptr : ndarray of int64, shape (n_rows + 1,)
        Cells of row i are ``indptr[i]:indptr[i + 1]``.
    cols : ndarray of int64, shape (n_cells,)
        Column of each cell, ascending inside a row.
    counts : ndarray of int64, shape (n_cells,)
        Items in each cell, at least 1.
    row_labels, col_labels : ndarray
        Labels of the clusters.
    row_names, col_names : ndarray or Names
        The same as they are held: text becomes Python values when it is first looked at.
    row_sizes, col_sizes : ndarray of int64
        Cluster sizes.
    n_items : int
        Total of the counts.
    account : Account
        What came in and what was done with it.
    masses, row_masses, col_masses : ndarray of float64, or None
        Summed weights of the items of each cell, row and column; None without weights.
    total_mass : float or None
        Summed weight of all items.
    """

    indptr: IntArray
    cols: IntArray
    counts: IntArray
    row_names: NDArray[Any] | Names
    col_names: NDArray[Any] | Names
    row_sizes: IntArray
    col_sizes: IntArray
    n_items: int
    account: Account
    all_masses: Masses | None = None
    #: what measures have computed; a changed copy (``replace``) begins anew
    memo: Memo = field(default_factory=Memo, init=False)
    #: what depends on the sizes alone: random tables with the same sizes have one together
    margin_memo: Memo = field(default_factory=Memo)

    # ---- ways in -------------------------------------------------------------------

    @classmethod
    def _of(
        cls,
        cells: Sequence[IntArray],
        row_names: NDArray[Any] | Names,
        col_names: NDArray[Any] | Names,
        account: Account,
        masses: Masses | None = None,
        sizes: Iterable[IntArray] | None = None,
    ) -> Contingency:
        indptr, cols, counts = cells
        if sizes is None:
            sizes = _kernels.impl.margins(indptr, cols, counts, len(col_names))
        rows, columns = sizes
        arrays = (indptr, cols, counts, row_names, col_names, rows, columns)
        for array in (*arrays, *(part for pair in masses or () for part in pair)):
            if isinstance(array, np.ndarray):
                array.flags.writeable = False
        return cls(*arrays, account.items, account, masses)

    @classmethod
    def _of_triples(
        cls,
        reference: Column,
        candidate: Column,
        counts: IntArray,
        account: Account,
        weights: FloatArray | None,
        sizes: Iterable[IntArray] | None = None,
    ) -> Contingency:
        """Return the table of triples of compact codes; ``weights`` are masses of triples."""
        sides = CountedSide(reference, weights), CountedSide(candidate, weights)
        return cls._of_sides(*sides, counts, account, sizes)[0]

    @classmethod
    def _of_sides(
        cls,
        reference: CountedSide,
        candidate: CountedSide,
        counts: IntArray,
        account: Account,
        sizes: Iterable[IntArray] | None = None,
    ) -> tuple[Contingency, IntArray | None]:
        """Return the table of triples, or of items that count so often.

        Beside it comes the cell of each triple, where masses needed it. ``sizes`` are those of
        the clusters, where they are known.
        """
        rows, cols = reference.column, candidate.column
        assert rows.names is not None
        assert cols.names is not None
        shape = reference.n_clusters, candidate.n_clusters
        cells = _kernels.impl.collapse(rows.codes, cols.codes, counts, *shape)
        masses = cell_of_item = None
        if reference.weights is not None:
            cell_of_item = _kernels.impl.locate(cells[0], cells[1], rows.codes, cols.codes)
            by_cell = group_totals(reference.weights, cell_of_item, len(cells[1]))
            masses = Masses(by_cell, reference.masses, candidate.masses, reference.total)
        table = cls._of(cells, rows.names, cols.names, account, masses, sizes)
        return table, cell_of_item

    @classmethod
    def _of_columns(cls, reference: Column, candidate: Column, account: Account) -> Contingency:
        with scratches(worth_counting(in_force(), len(reference))) as lent:
            tallied = _kernels.impl.tally(reference.codes, candidate.codes, lent)
        rows, cols, indptr, cell_cols, counts, *sizes = tallied
        row_names = rows if reference.names is None else taken(reference.names, rows)
        col_names = cols if candidate.names is None else taken(candidate.names, cols)
        return cls._of((indptr, cell_cols, counts), row_names, col_names, account, sizes=sizes)

    @classmethod
    def from_counts(
        cls,
        rows: Any,
        cols: Any,
        counts: Any,
        *,
        weights: Any = None,
        expected_items: int | None = None,
    ) -> Contingency:
        """Return the table of cells given as triples.

        Parameters
        ----------
        rows, cols : array-like of shape (m,)
            Cluster of each cell on either side: labels or codes of any kind.
        counts : array-like of shape (m,)
            Items in each cell: integers, or floats that are whole numbers, at least 0.
            Repeated cells add up; zero cells are dropped; the account counts both.
        weights : array-like of shape (m,), optional
            Mass of each cell, finite and at least 0, that of a zero cell 0; repeated cells
            add up.
        expected_items : int, optional
            Total the counts must have.

        Raises
        ------
        ValueError
            A count is negative, fractional or not finite (index and value are named), the
            total is 2^63 or more, or differs from ``expected_items``; a label is missing.

        Notes
        -----
        O(m) radix passes. Totals up to 2^63 - 1 are exact.

        Examples
        --------
        >>> import partwise as pw
        >>> table = pw.Contingency.from_counts(["a", "a", "b"], [0, 1, 1], [10, 2, 8])
        >>> pw.purity(table)
        0.9
        """
        columns, values, masses, zero = read_cells(rows, cols, counts, weights)
        total = total_of(values, expected_items)
        account = Account(total, "counts", zero_cells=zero, notes=notes_on_weights(masses))
        row_column, col_column = (column.compact() for column in columns)
        table = cls._of_triples(row_column, col_column, values, account, masses)
        repeated = len(values) - table.n_cells
        return replace(table, account=replace(account, repeated_cells=repeated))

    @classmethod
    def from_dense(
        cls, table: Any, *, row_labels: Any = None, col_labels: Any = None
    ) -> Contingency:
        """Return the table of a 2-D array of counts (rows: reference clusters).

        Parameters
        ----------
        table : array-like of shape (k, l)
            Counts as in ``from_counts``. Empty rows and columns are no clusters.
        row_labels, col_labels : array-like, optional
            Labels of rows and columns; by default their numbers.

        Examples
        --------
        >>> import partwise as pw
        >>> pw.Contingency.from_dense([[3, 0], [1, 2]])
        Contingency(6 items, 2 x 2 clusters, 3 cells)
        """
        refuse_uncomputed(table, "the table")
        if has_masked(table):
            raise ValueError("the table has masked entries; every cell needs its count")
        if hasattr(table, "index") and hasattr(table, "columns"):  # a frame names its sides
            row_labels = table.index if row_labels is None else row_labels
            col_labels = table.columns if col_labels is None else col_labels
        if hasattr(table, "tocsr"):
            raise TypeError(
                f"the table is a sparse {type(table).__name__}, not a dense one; pass it to "
                "Contingency.from_scipy"
            )
        # NumPy would read nested lists of big integers and floats as floats
        nested = isinstance(table, (list, tuple))
        array = np.array(table, dtype=object) if nested else np.asarray(table)
        if array.ndim == 1 and array.size == 0:
            array = array.reshape(0, 0)
        if array.ndim != 2:
            raise ValueError(f"a dense table must be 2-D, got shape {array.shape}")
        values = read_counts(array.ravel())
        if hasattr(table, "iloc"):
            reject_margins(array, table)
        rows, cols = np.nonzero(values.reshape(array.shape))
        row_names = side_labels(row_labels, array.shape[0], "row_labels")
        col_names = side_labels(col_labels, array.shape[1], "col_labels")
        return cls.from_counts(row_names[rows], col_names[cols], values[values > 0])

    @classmethod
    def from_scipy(cls, matrix: Any) -> Contingency:
        """Return the table of a SciPy sparse matrix or array of counts.

        Repeated entries add up, stored zeros are dropped; both are counted.

        Raises
        ------
        ValueError
            A stored index lies outside the matrix (the cell is named), or as ``from_counts``.
        """
        if not hasattr(matrix, "tocoo"):
            raise TypeError(
                f"a SciPy sparse matrix or array is expected, not {type(matrix).__name__}; "
                "from_dense takes 2-D arrays"
            )
        if len(matrix.shape) != 2:
            raise ValueError(f"a table must be 2-D, got shape {matrix.shape}")
        coo = checked_sparse(matrix, "the sparse matrix").tocoo()
        return cls.from_counts(coo.row, coo.col, coo.data)

    @classmethod
    def from_blocks(cls, blocks: Iterable[Any], **policies: Unpack[Policies]) -> Contingency:
        """Return the table of items that come in blocks, with memory for cells only.

        Parameters
        ----------
        blocks : iterable
            Pairs (reference, candidate) of label columns, triples with weights, or tables.
        **policies
            As in ``align``, for each block.

        Raises
        ------
        ValueError, TypeError
            As ``align``, with the block's number; labels of different kinds in two blocks.

        Notes
        -----
        Equal to the table of all items at once; items of two blocks are always different ones
        (ids are aligned inside a block). Partial tables are merged in a tree of
        doubling sizes: every cell takes part in O(log blocks) merges.

        Examples
        --------
        >>> import partwise as pw
        >>> pw.Contingency.from_blocks([([0, 0], [5, 6]), ([1, 0], [6, 6])])
        Contingency(4 items, 2 x 2 clusters, 3 cells)
        """
        from partwise.table.merge import from_blocks

        return from_blocks(blocks, policies)

    @staticmethod
    def merge(*tables: Contingency) -> Contingency:
        """Return the table of all items of several tables.

        Labels are unified by value. Associative and commutative on values; the empty table is
        neutral. Counts add exactly, masses within 2 units in the last place.

        Raises
        ------
        TypeError
            Labels of two tables are of different kinds (text and numbers).
        ValueError
            Only some tables carry weights, or two of them hold the same lone item.

        Examples
        --------
        >>> import partwise as pw
        >>> left = pw.contingency(["x"], [1])
        >>> pw.Contingency.merge(left, pw.contingency(["x", "y"], [1, 2])).counts.tolist()
        [2, 1]
        """
        from partwise.table.merge import merge

        return merge(tables)

    def save(self, path: str | Path) -> None:
        """Write the table to ``.npz``, or ``.parquet`` (needs ``partwise[frames]``).

        The file is written beside the target and renamed, so a stop leaves the old file whole.
        Parquet holds the columns row, col, count (and mass); it takes plain labels only, and
        times in a unit of its own that holds them exactly.

        Raises
        ------
        ValueError
            Another ending, or times or text that parquet does not hold.
        TypeError
            Labels that the file cannot hold.
        """
        from partwise.table.storage import save

        save(self, path)

    @staticmethod
    def load(path: str | Path) -> Contingency:
        """Read a table that ``save`` wrote, or parquet with columns row, col, count.

        Raises
        ------
        ValueError
            The file holds no table, or a damaged one.
        """
        from partwise.table.storage import load

        return load(path)

    # ---- ways out ------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of reference and candidate clusters."""
        return len(self.row_sizes), len(self.col_sizes)

    @property
    def row_labels(self) -> NDArray[Any]:
        """Labels of the reference clusters."""
        return plain(self.row_names)

    @property
    def col_labels(self) -> NDArray[Any]:
        """Labels of the candidate clusters."""
        return plain(self.col_names)

    @property
    def n_cells(self) -> int:
        """Number of nonzero cells."""
        return len(self.counts)

    @property
    def cells(self) -> tuple[IntArray, IntArray, IntArray]:
        """The table as the kernels take it: (indptr, cols, counts)."""
        return self.indptr, self.cols, self.counts

    @property
    def rows(self) -> IntArray:
        """Row of each cell, found once."""
        return row_of_each_cell(self)

    @property
    def profiles(self) -> tuple[SizeProfile, SizeProfile]:
        """Cluster-size profile of the reference and of the candidate. O(clusters)."""
        return _profiles(self).clusters

    @property
    def item_profiles(self) -> tuple[SizeProfile, SizeProfile]:
        """Items of the reference and of the candidate by size of their cluster. O(clusters)."""
        return _profiles(self).items

    @property
    def masses(self) -> FloatArray | None:
        """Summed weights of the items of each cell, None without weights."""
        return None if self.all_masses is None else self.all_masses.cells.high

    @property
    def row_masses(self) -> FloatArray | None:
        """Summed weights of each reference cluster, None without weights."""
        return None if self.all_masses is None else self.all_masses.rows.high

    @property
    def col_masses(self) -> FloatArray | None:
        """Summed weights of each candidate cluster, None without weights."""
        return None if self.all_masses is None else self.all_masses.cols.high

    @property
    def total_mass(self) -> float | None:
        """Summed weight of all items, None without weights."""
        return None if self.all_masses is None else float(self.all_masses.all.high[0])

    @property
    def T(self) -> Contingency:
        """The table with reference and candidate exchanged. O(cells)."""
        order = np.arange(self.n_cells)
        indptr, cols, source = _kernels.impl.transpose(
            self.indptr, self.cols, order, len(self.col_sizes)
        )
        masses = None
        if (own := self.all_masses) is not None:
            masses = own._replace(cells=own.cells.at(source), rows=own.cols, cols=own.rows)
        cells = indptr, cols, self.counts[source]
        account = self.account.swapped()
        return Contingency._of(cells, self.col_names, self.row_names, account, masses)

    def _part(self, rows: IntArray, cols: IntArray, inner: IntArray, cells: Any) -> Contingency:
        """Return the sub-table of some rows whose cells all lie in ``cols``.

        ``cells`` are the places of its cells, ``inner`` their columns in the sub-table.
        """
        lengths = self.indptr[rows + 1] - self.indptr[rows]
        indptr = np.concatenate(([0], np.cumsum(lengths)))
        counts = self.counts[cells]
        masses = None
        if (own := self.all_masses) is not None:
            part = own.cells.at(cells)
            both = np.concatenate(part)
            all_of_part = group_totals(both, np.zeros(len(both), dtype=np.int64), 1)
            masses = Masses(part, own.rows.at(rows), own.cols.at(cols), all_of_part)
        account = Account(int(counts.sum()), "counts")
        labels = taken(self.row_names, rows), taken(self.col_names, cols)
        return Contingency._of((indptr, inner, counts), *labels, account, masses)

    def to_scipy(self) -> csr_array:
        """Return the counts as a ``scipy.sparse.csr_array``."""
        from scipy.sparse import csr_array

        return csr_array((self.counts, self.cols, self.indptr), shape=self.shape)

    def to_dense(self) -> IntArray:
        """Return the counts as a 2-D array of all pairs of clusters. O(rows x columns).

        Nothing in partwise makes this array on its own.

        Examples
        --------
        >>> import partwise as pw
        >>> pw.contingency([0, 0, 1, 1], [0, 1, 1, 1]).to_dense().tolist()
        [[1, 1], [0, 2]]
        """
        dense: IntArray = self.to_scipy().toarray()
        return dense

    def components(self) -> Components:
        """Return the join: the connected components of the table."""
        from partwise.table.components import Components

        return Components(self)

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas DataFrame with a row for each cell, not for each pair of clusters.

        Returns
        -------
        pandas.DataFrame
            Columns reference and candidate (labels of the clusters), items, and mass where
            items have weights, in the order of the table. Needs the extra
            ``partwise[frames]``.

        Examples
        --------
        >>> import partwise as pw
        >>> table = pw.contingency(["a", "a", "b"], [1, 2, 2])
        >>> table.to_pandas().values.tolist()
        [['a', 1, 1], ['a', 2, 1], ['b', 2, 1]]
        """
        rows = row_of_each_cell(self)
        columns = {
            "reference": self.row_labels[rows],
            "candidate": self.col_labels[self.cols],
            "items": self.counts,
        }
        masses = {} if self.masses is None else {"mass": self.masses}
        return pandas_module().DataFrame({**columns, **masses})

    def plot(self, path: str | None = None, *, most: int = 30, ax: Any = None) -> Any:
        """Draw the largest clusters of both sides as a heat map, matched ones on the diagonal.

        Parameters
        ----------
        path : str, optional
            File to save the figure in.
        most : int, default 30
            Clusters of a side that are drawn.
        ax : matplotlib.axes.Axes, optional

        Returns
        -------
        matplotlib.axes.Axes
            Needs the extra ``partwise[plot]``.
        """
        from partwise.table.plots.drawing import draw_table

        return saved(draw_table(self, most, ax), path)

    def __reduce__(self) -> tuple[Any, ...]:
        # what measures have computed stays behind
        arrays = (self.row_names, self.col_names, self.account, self.all_masses)
        return _restored, (self.cells, *arrays)

    def __repr__(self) -> str:
        rows, cols = self.shape
        return (
            f"Contingency({self.n_items} items, {rows} x {cols} clusters, {self.n_cells} cells)"
        )

    def _repr_html_(self) -> str:
        return html_of(self)


@memoized
def _profiles(table: Contingency) -> Profiles:
    """Return the profiles of both sides. O(clusters)."""
    clusters, items = [], []
    for sizes in (table.row_sizes, table.col_sizes):
        of_clusters, of_items = _kernels.impl.size_profile(sizes)
        clusters.append(SizeProfile(*of_clusters, len(sizes) - of_clusters[2]))
        items.append(SizeProfile(*of_items, table.n_items - of_items[2]))
    return Profiles((clusters[0], clusters[1]), (items[0], items[1]))


@memoized
def row_of_each_cell(table: Contingency) -> IntArray:
    """Return the row of each cell. O(cells)."""
    rows = repeated(np.arange(len(table.row_sizes)), np.diff(table.indptr))
    rows.flags.writeable = False
    return rows


@memoized
def largest_cells(table: Contingency) -> tuple[IntArray, IntArray]:
    """Return the count, or mass, of the largest cell of every row and of every column.

    Masses come as their bit patterns: doubles of at least 0 are ordered as those. O(cells).
    """
    values = table.counts
    if table.all_masses is not None:
        values = table.all_masses.cells.high.view(np.int64)
    return _kernels.impl.maxima(table.indptr, table.cols, values, len(table.col_sizes))


def _restored(*parts: Any) -> Contingency:
    return Contingency._of(*parts)


def check_no_features(policies: Mapping[str, Any], name: str) -> None:
    """Raise if a table is to be made with what only items can have."""
    if policies.get("features") is not None:
        raise TypeError(
            f"{name} got features=, but a table holds no items for them to belong to; pass "
            "features to align, compare or the measure"
        )
