"""The border for soft clusterings: one row of memberships per item."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise.labels import Clustering
from partwise.labels.clustering import as_clustering
from partwise.labels.columns import (
    Column,
)
from partwise.labels.communities import only_column
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.masked import has_masked
from partwise.numbers.sparse import checked_sparse

#: How far the memberships of an item may add up to something else than 1.
TOLERANCE = 1e-9


class Rows(NamedTuple):
    """Stored entries row by row: every column at most once a row, ascending; none is 0."""

    indptr: IntArray
    cols: IntArray
    values: FloatArray


@dataclass(frozen=True, eq=False, repr=False)
class Memberships:
    """Memberships of n items in k clusters, checked: finite, >= 0, rows that add up to 1.

    Attributes
    ----------
    n_items, n_clusters : int
        Rows and columns; columns may be empty.
    stored : ndarray of float64, shape (n, k), or Rows
        As they came; memberships that are all 0 or 1 are always ``Rows``.
    is_hard : bool
        Whether every membership is 0 or 1.
    from_sparse : bool
        Whether a sparse matrix was given.
    """

    n_items: int
    n_clusters: int
    stored: FloatArray | Rows
    is_hard: bool
    from_sparse: bool = False

    def __repr__(self) -> str:
        kind = "hard" if self.is_hard else "soft"
        return f"Memberships({self.n_items} items, {self.n_clusters} clusters, {kind})"

    @property
    def is_sparse(self) -> bool:
        """Whether only the entries above 0 are stored."""
        return isinstance(self.stored, Rows)

    @cached_property
    def dense(self) -> FloatArray:
        """All memberships, shape (n, k), C order."""
        return self.dense_rows(0, self.n_items)

    def dense_rows(self, start: int, stop: int) -> FloatArray:
        """Return all memberships of the items from ``start`` to ``stop``."""
        if not isinstance(self.stored, Rows):
            return self.stored[start:stop]
        indptr, cols, values = self.stored
        ends = indptr[start : stop + 1]
        rows = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
        dense = np.zeros((len(ends) - 1, self.n_clusters))
        dense[rows, cols[ends[0] : ends[-1]]] = values[ends[0] : ends[-1]]
        return dense

    @cached_property
    def rows(self) -> Rows:
        """The entries above 0, row by row."""
        if isinstance(self.stored, Rows):
            return self.stored
        rows, cols = np.nonzero(self.stored)
        indptr = np.concatenate(([0], np.cumsum(self.support)))
        values = self.stored[rows, cols]
        return Rows(indptr, np.ascontiguousarray(cols), values)

    @cached_property
    def support(self) -> IntArray:
        """Number of entries above 0 of each item."""
        if isinstance(self.stored, Rows):
            lengths: IntArray = np.diff(self.stored.indptr)
            return lengths
        counts: IntArray = np.asarray(np.count_nonzero(self.stored, axis=1), dtype=np.int64)
        return counts

    @cached_property
    def masses(self) -> FloatArray:
        """Mass of each cluster, in the units of ``shared_mass``: that with every item."""
        if isinstance(self.stored, Rows):
            n = self.n_items
            one_cluster = (np.arange(n + 1), np.zeros(n, dtype=np.int64), np.full(n, 2.0))
            mass = _kernels.impl.shared_mass_sparse(
                *self.stored, *one_cluster, self.n_clusters, 1
            )
        else:
            all_items = np.full((self.n_items, 1), 2.0)  # no membership is above
            mass = _kernels.impl.shared_mass(self.stored, all_items, 0, 1)
        return mass[:, 0]

    def clustering(self) -> Clustering:
        """Return the clustering of hard memberships; labels are the columns' places."""
        assert self.is_hard
        return Clustering._of(Column(self.rows.cols), None)


# ---- the door ----------------------------------------------------------------------


def is_soft(values: Any) -> bool:
    """Return whether an argument holds memberships rather than labels.

    True for ``Memberships``, SciPy sparse matrices, 2-D arrays, frames of several columns, and
    lists of lists of numbers.
    """
    if isinstance(values, Memberships) or hasattr(values, "tocsr"):
        return True
    shape = getattr(values, "shape", None)
    if isinstance(shape, tuple):
        return len(shape) == 2 and only_column(values) is values
    return isinstance(values, (list, tuple)) and len(values) > 0 and _is_row(values[0])


def _is_row(value: Any) -> bool:
    """Return whether a list's first entry is itself a row of numbers."""
    if isinstance(value, np.ndarray):
        return value.ndim == 1
    return isinstance(value, list) and not any(isinstance(x, (str, bytes)) for x in value)


def as_memberships(values: Any, name: str) -> Memberships:
    """Read one side: rows of memberships, or a hard clustering in any form.

    Parameters
    ----------
    values : array-like or sparse matrix of shape (n, k), labels, Clustering, or Memberships
        Row i holds the memberships of item i: finite, at least 0, adding up to 1 within 1e-9;
        used as given. Labels become rows of a single 1, columns in sorted label order.
    name : str
        How messages call it, e.g. "reference".

    Raises
    ------
    ValueError
        Not 2-D, an entry that is not finite or is negative, a row that does not add up to 1
        (the first place is named), a missing label, labels that come with item ids.
    TypeError
        The entries are no numbers, or the object is no clustering.

    Notes
    -----
    The rows are copied. O(n k), of sparse ones O(stored entries).
    """
    if isinstance(values, Memberships):
        return values
    if hasattr(values, "tocsr"):
        return _from_sparse(values, name)
    if is_soft(values):
        return _from_dense(values, name)
    if len(getattr(values, "shape", ())) > 2:
        raise ValueError(_not_2d(values.shape, name))
    reject_tuples(values, name)
    clustering = as_clustering(values, name)
    if clustering.item_column is not None:
        raise ValueError(
            f"{name} has item ids, but rows of memberships are compared by position; pass "
            "its labels in the order of the rows"
        )
    return memberships_of_labels(clustering, name)


def reject_tuples(values: Any, name: str) -> None:
    """Refuse to guess whether tuples of numbers are rows or labels."""
    first = values[0] if isinstance(values, (list, tuple)) and len(values) else None
    if isinstance(first, tuple) and all(isinstance(x, (int, float, np.number)) for x in first):
        raise ValueError(
            f"{name} is a sequence of tuples of numbers, which could be memberships or labels; "
            "pass np.array(...) for memberships, Clustering(...) for labels"
        )


def _not_2d(shape: Any, name: str) -> str:
    return f"{name} has shape {shape}; memberships have two dimensions, items by clusters"


# ---- forms -------------------------------------------------------------------------


def memberships_of_labels(clustering: Clustering, name: str) -> Memberships:
    """Return a hard clustering as memberships of 0 and 1; a missing label is an error."""
    gone = clustering.column.missing
    if gone is not None and gone.any():
        raise ValueError(
            f"{name} has {int(gone.sum())} missing labels, the first at index "
            f"{int(np.flatnonzero(gone)[0])}; leave these items out on both sides"
        )
    column = clustering.column.compact()
    assert column.categories is not None
    codes = column.codes.astype(np.int64, copy=False)
    return _one_hot(codes, len(column.categories))


def _one_hot(codes: IntArray, n_clusters: int) -> Memberships:
    n = len(codes)
    return Memberships(n, n_clusters, Rows(np.arange(n + 1), codes, np.ones(n)), True)


def _as_floats(values: Any, name: str) -> FloatArray:
    """Return numbers as doubles in memory of their own, which is then checked and used."""
    if values.dtype.kind in "biuf":
        floats: FloatArray = np.array(values, dtype=np.float64, order="C")
        return floats
    if values.dtype.kind == "O":
        try:
            return np.array(values, dtype=np.float64, order="C")
        except (TypeError, ValueError):
            pass
    raise TypeError(f"{name} has dtype {values.dtype}; memberships are numbers from 0 to 1")


def _from_dense(memberships: Any, name: str) -> Memberships:
    if has_masked(memberships):
        raise ValueError(f"{name} has masked entries; every item needs all its memberships")
    try:
        array: NDArray[Any] = np.asarray(memberships)
    except ValueError:
        lengths = [np.size(row) for row in memberships]
        odd = next(i for i, length in enumerate(lengths) if length != lengths[0])
        raise ValueError(
            f"{name} has {lengths[0]} memberships in row 0 but {lengths[odd]} in row {odd}; "
            "every row needs one per cluster"
        ) from None
    if array.ndim != 2:
        raise ValueError(_not_2d(array.shape, name))
    n, k = array.shape
    values = _as_floats(array, name)
    _check_columns(n, k, name)
    sums = values.sum(axis=1)
    if not (np.abs(sums - 1.0) <= TOLERANCE).all() or not values.min(initial=0.0) >= 0.0:
        _reject_entries(values, np.repeat(np.arange(n), k), np.tile(np.arange(k), n), name)
        _reject_sums(sums, k, name)
    if np.count_nonzero(values) == n:  # one entry a row
        codes = values.argmax(axis=1)
        if (values[np.arange(n), codes] == 1.0).all():
            return _one_hot(codes.astype(np.int64, copy=False), k)
    return Memberships(n, k, values, False)


def _from_sparse(memberships: Any, name: str) -> Memberships:
    if getattr(memberships, "ndim", 2) != 2:
        raise ValueError(_not_2d(memberships.shape, name))
    matrix = checked_sparse(memberships, name).tocsr()
    n, k = (int(size) for size in matrix.shape)
    values = _as_floats(matrix.data, name)
    _check_columns(n, k, name)
    rows = np.repeat(np.arange(n), np.diff(matrix.indptr))
    _reject_entries(values, rows, matrix.indices, name)
    if not matrix.has_canonical_format or (values == 0).any():
        matrix.data = values
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        values = matrix.data
        rows = np.repeat(np.arange(n), np.diff(matrix.indptr))
    sums: NDArray[Any] = np.bincount(rows, weights=values, minlength=n)
    if not (np.abs(sums - 1.0) <= TOLERANCE).all():
        _reject_sums(sums, k, name)
    stored = Rows(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), values)
    hard = len(values) == n and bool((values == 1.0).all())
    return Memberships(n, k, stored, hard, from_sparse=True)


# ---- checks ------------------------------------------------------------------------


def _check_columns(n: int, k: int, name: str) -> None:
    if n and not k:
        raise ValueError(f"{name} has {n} rows but no columns; every item is in some cluster")


def _reject_entries(values: FloatArray, rows: Any, cols: Any, name: str) -> None:
    flat = values.ravel()
    wrong = np.flatnonzero(~(np.isfinite(flat) & (flat >= 0)))
    if len(wrong):
        position = wrong[0]
        raise ValueError(
            f"{name} has the membership {flat[position]} in row {rows[position]}, column "
            f"{cols[position]}; memberships are finite and at least 0 ({len(wrong)} are not)"
        )


def _reject_sums(sums: NDArray[Any], k: int, name: str) -> NoReturn:
    wrong = np.flatnonzero(np.abs(sums - 1.0) > TOLERANCE)
    row = int(wrong[0])
    hint = "divide each row by its sum if only the scale is wrong"
    if k == 1:
        hint = "ravel() it if its one column holds labels"
    raise ValueError(
        f"{name} row {row} adds up to {float(sums[row])!r}, not to 1 within {TOLERANCE} "
        f"({len(wrong)} such rows); {hint}"
    )
