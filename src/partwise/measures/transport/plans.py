"""Best plans between two sets of clusters: packings on cells, completed to full plans."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from partwise.labels.memberships import TOLERANCE
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.checks import one_of
from partwise.solvers.gains import scaled_gains
from partwise.solvers.masses import balance, read_masses
from partwise.solvers.packing import pack_cells
from partwise.solvers.transport import cheapest_plan
from partwise.table.contingency import Contingency
from partwise.typing import Column

if TYPE_CHECKING:
    from scipy.sparse import csr_array

NamedWeights = Literal["uniform", "size"]
WEIGHTS: tuple[str, ...] = get_args(NamedWeights)
#: Weights of the clusters of both sides: by a name, or a vector for each side.
ClusterWeights = NamedWeights | tuple[Column, Column]
#: Fractions are solved as integers of this many bits (below the largest gain).
GAIN_BITS = 60
#: Above this share of all cells a dense solver is the faster one.
DENSE_SHARE = 1 / 3


class CellValues(NamedTuple):
    """Values on some of the cells, row by row; columns ascending inside a row."""

    indptr: IntArray
    cols: IntArray
    values: NDArray[Any]

    @property
    def rows(self) -> IntArray:
        """Row of every cell."""
        return np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr))

    def indices_of(self, rows: IntArray, cols: IntArray) -> IntArray:
        """Return the index of the cell at each (row, column), -1 where there is none."""
        width = 1 + int(max(cols.max(initial=0), self.cols.max(initial=0)))
        keys = self.rows * width + self.cols
        wanted = rows * width + cols
        index = np.searchsorted(keys, wanted)
        index[index == len(keys)] = -1
        hit = keys[index] == wanted if len(keys) else np.zeros(len(wanted), dtype=bool)
        indices: IntArray = np.where(hit, index, -1)
        return indices


class Weights(NamedTuple):
    """Cluster weights of both sides: whole numbers with equal sums; weight = whole x unit."""

    rows: IntArray
    cols: IntArray
    unit: Fraction


class ClusterPlan(NamedTuple):
    """Whole amounts between rows and columns that use up the weights of both sides."""

    rows: IntArray
    cols: IntArray
    amounts: IntArray
    weights: Weights

    def on_cells(self, cells: CellValues) -> IntArray:
        """Return what every cell carries."""
        amounts = np.zeros(len(cells.cols), dtype=np.int64)
        index = cells.indices_of(self.rows, self.cols)
        amounts[index[index >= 0]] = self.amounts[index >= 0]
        return amounts

    def to_scipy(self) -> csr_array:
        """Return the weights moved, shape (K, J): rows and columns add up to the weights."""
        from scipy.sparse import csr_array

        unit = self.weights.unit
        values = self.amounts.astype(np.float64) * unit.numerator / unit.denominator
        shape = (len(self.weights.rows), len(self.weights.cols))
        return csr_array((values, (self.rows, self.cols)), shape=shape)


def spread_table(
    table: Contingency, n_rows: int, n_cols: int
) -> tuple[CellValues, IntArray, IntArray]:
    """Return cells and sizes of a table of column numbers, with clusters that no item has."""
    rows, cols = table.row_labels.astype(np.int64), table.col_labels.astype(np.int64)
    row_sizes, col_sizes = np.zeros(n_rows, dtype=np.int64), np.zeros(n_cols, dtype=np.int64)
    row_sizes[rows], col_sizes[cols] = table.row_sizes, table.col_sizes
    lengths = np.zeros(n_rows + 1, dtype=np.int64)
    lengths[rows + 1] = np.diff(table.indptr)
    return CellValues(np.cumsum(lengths), cols[table.cols], table.counts), row_sizes, col_sizes


# ---- weights of clusters -----------------------------------------------------------


def check_word(cluster_weights: Any) -> None:
    """Check ``cluster_weights=`` where it is a word."""
    if isinstance(cluster_weights, str):
        one_of(cluster_weights, WEIGHTS, "cluster_weights")


def cluster_weights_of(
    cluster_weights: Any, row_sizes: NDArray[Any], col_sizes: NDArray[Any]
) -> Weights:
    """Read ``cluster_weights=``: "uniform", "size" or a pair of vectors that sum to 1."""
    shape = len(row_sizes), len(col_sizes)
    check_word(cluster_weights)
    if isinstance(cluster_weights, str):
        if cluster_weights == "uniform":
            total = math.lcm(*shape)
            first, second = (np.full(k, total // k, dtype=np.int64) for k in shape)
            return Weights(first, second, Fraction(1, total))
        masses = balance(row_sizes, col_sizes)
        return Weights(masses.supply, masses.demand, Fraction(1, sum(masses.supply.tolist())))
    if not isinstance(cluster_weights, (tuple, list)) or len(cluster_weights) != 2:
        raise ValueError(
            f"cluster_weights={str(cluster_weights)[:40]!r} is none of 'uniform', 'size' and a "
            "pair of vectors (reference, candidate)"
        )
    vectors = [
        _read_vector(values, f"cluster_weights[{side}]", k)
        for side, (values, k) in enumerate(zip(cluster_weights, shape, strict=True))
    ]
    masses = balance(*vectors)
    return Weights(masses.supply, masses.demand, Fraction(1, sum(masses.supply.tolist())))


def _read_vector(values: Any, name: str, k: int) -> NDArray[Any]:
    masses = read_masses(values, name)
    if len(masses) != k:
        raise ValueError(f"{name} has {len(masses)} weights; there are {k} clusters")
    total = math.fsum(masses.tolist())
    if abs(total - 1) > TOLERANCE:
        raise ValueError(f"{name} adds up to {total!r}, not to 1 within {TOLERANCE}")
    return masses


# ---- plans -------------------------------------------------------------------------


def best_plan(cells: CellValues, weights: Weights) -> ClusterPlan:
    """Return a plan of largest gain; what is moved outside the cells gains nothing."""
    gains = cells.values
    shape = len(weights.rows), len(weights.cols)
    exact = gains.dtype.kind == "i" and (not len(gains) or gains.max() < 1 << 52)
    if len(gains) > DENSE_SHARE * shape[0] * shape[1] and (exact or gains.dtype.kind == "f"):
        dense = np.zeros(shape)
        dense[cells.rows, cells.cols] = gains
        return best_dense_plan(dense, weights)
    integer_gains = gains
    if gains.dtype.kind == "f":  # what gains the least still gains more than nothing
        integer_gains = np.maximum(scaled_gains(gains, GAIN_BITS)[0], gains > 0)
    amounts, _, _ = pack_cells(
        cells.indptr, cells.cols, integer_gains, weights.rows, weights.cols
    )
    return completed(cells, amounts, weights)


def best_dense_plan(gains: FloatArray, weights: Weights) -> ClusterPlan:
    """Return a plan of largest gain where every cell gains something."""
    _, power = np.frexp(gains.max(initial=0.0))
    cheapest = cheapest_plan(np.ldexp(-gains, -power), weights.rows, weights.cols)
    return ClusterPlan(cheapest.rows, cheapest.cols, cheapest.flows, weights)


def completed(cells: CellValues, amounts: IntArray, weights: Weights) -> ClusterPlan:
    """Add to a packing what it leaves over, row by row: no cell gains by it."""
    used = np.flatnonzero(amounts)
    rows, cols, amounts = cells.rows[used], cells.cols[used], amounts[used]
    unused = weights.rows.copy(), weights.cols.copy()
    for side, clusters in zip(unused, (rows, cols), strict=True):
        np.subtract.at(side, clusters, amounts)
    open_rows, open_cols = (np.flatnonzero(side) for side in unused)
    up_to_row, up_to_col = np.cumsum(unused[0][open_rows]), np.cumsum(unused[1][open_cols])
    cuts = np.union1d(up_to_row, up_to_col)
    return ClusterPlan(
        np.concatenate((rows, open_rows[np.searchsorted(up_to_row, cuts)])),
        np.concatenate((cols, open_cols[np.searchsorted(up_to_col, cuts)])),
        np.concatenate((amounts, np.diff(cuts, prepend=0))),
        weights,
    )
