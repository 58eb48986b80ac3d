"""One-to-one pairs with the largest sum of shares, every tie settled by one rule."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from partwise import _kernels
from partwise.coreference.documents.sides import running_ends
from partwise.coreference.mentions.identity import occurrences
from partwise.numbers.arrays import BoolArray, IntArray
from partwise.solvers.matching import best_matching

#: Shares of a component are whole multiples of one fraction with a denominator up to this, or
#: are rounded to multiples of 2^-50.
DENOMINATOR_MOST = 1 << 54
_ROUNDED = 1 << 50


def best_pairs(rows: IntArray, cols: IntArray, above: IntArray, below: IntArray) -> IntArray:
    """Return which pairs to take: one to one, the sum of shares as large as can be.

    Parameters
    ----------
    rows, cols : int64 array, shape (n_pairs,)
        The pairs, each at most once, in any order. Numbers of rows and columns are their rank:
        ties are settled by them.
    above, below : int64 array, shape (n_pairs,)
        Share of each pair as a fraction, above 0.

    Returns
    -------
    int64 array
        Places of the taken pairs, rows ascending.

    Notes
    -----
    Of several choices with the largest sum: the one with the most pairs, then with the lowest
    ranks (sum over both sides), then with the pairs most in order (largest sum of products of
    ranks). Ranks count within what is still tied and connected. Sums are compared exactly where
    the denominators of a component have a common multiple below 2^54, else shares are rounded
    to 2^-50. O(pairs log pairs) beside the matching.
    """
    order = np.lexsort((cols, rows))
    cells = _Cells.of(order, rows[order], cols[order])
    gains = _whole_gains(cells, above[order], below[order])
    taken = []
    for level in (_early, _in_order):
        done, cells, matched = _narrowed(cells, gains)
        taken.append(done)
        if not len(cells.place):
            break
        gains = level(cells)
    else:
        done, cells, matched = _narrowed(cells, gains)
        taken += [done, cells.place[matched]]
    pairs_taken = np.concatenate(taken)
    ranked: IntArray = pairs_taken[np.argsort(rows[pairs_taken])]
    return ranked


@dataclass(frozen=True, slots=True)
class _Cells:
    """Pairs by row, columns ascending; rows and columns that no best choice leaves out."""

    place: IntArray
    rows: IntArray
    cols: IntArray
    indptr: IntArray
    must_row: BoolArray
    must_col: BoolArray

    @classmethod
    def of(
        cls,
        place: IntArray,
        rows: IntArray,
        cols: IntArray,
        must: tuple[BoolArray, BoolArray] | None = None,
    ) -> _Cells:
        row_values, row_codes = _kernels.impl.encode(rows)
        col_values, col_codes = _kernels.impl.encode(cols)
        indptr = running_ends(np.bincount(row_codes, minlength=len(row_values)))
        if must is None:
            must_row, must_col = (np.zeros(len(v), np.bool_) for v in (row_values, col_values))
        else:
            must_row, must_col = must[0][row_values], must[1][col_values]
        return cls(place, row_codes, col_codes, indptr, must_row, must_col)

    @property
    def components(self) -> tuple[IntArray, IntArray, int]:
        """Return the component of each row and column, and how many there are."""
        return _kernels.impl.join(self.indptr, self.cols, len(self.must_col))


def _narrowed(cells: _Cells, gains: IntArray) -> tuple[IntArray, _Cells, BoolArray]:
    """Solve for the gains: return pairs in every best choice, and what is left to choose from.

    A choice is best if it takes tight cells only (gain = sum of duals) and every row and column
    with a dual above 0, so these cells are the choices of the next level. The last array says
    which of them are taken here.
    """
    must = cells.must_row[cells.rows].astype(np.int64) + cells.must_col[cells.cols]
    if must.any():
        rows, cols, n_components = cells.components
        fewer = np.minimum(
            np.bincount(rows, minlength=n_components), np.bincount(cols, minlength=n_components)
        )
        gains = gains + must * (int(gains.max()) * int(fewer.max()) + 1)
    solution = best_matching(cells.indptr, cells.cols, gains, len(cells.must_col), tied=True)
    matched, row_duals, col_duals = solution
    tight = row_duals[cells.rows] + col_duals[cells.cols] == gains
    in_row = np.bincount(cells.rows[tight], minlength=len(cells.must_row))
    in_col = np.bincount(cells.cols[tight], minlength=len(cells.must_col))
    alone = tight & (in_row[cells.rows] == 1) & (in_col[cells.cols] == 1)
    chosen = np.zeros(len(cells.rows), dtype=np.bool_)
    chosen[matched[matched >= 0]] = True
    left = np.flatnonzero(tight & ~alone)
    rest = _Cells.of(
        cells.place[left], cells.rows[left], cells.cols[left], (row_duals > 0, col_duals > 0)
    )
    return cells.place[alone], rest, chosen[left]


# ---- gains of the levels -----------------------------------------------------------


def _whole_gains(cells: _Cells, above: IntArray, below: IntArray) -> IntArray:
    """Return the shares of each component as multiples of one fraction."""
    component, _, n_components = cells.components
    component = component[cells.rows]
    multiples = _common_multiples(component, below, n_components)[component]
    exact = multiples > 0
    gains = above * (multiples // below)
    if not exact.all():
        rounded = np.rint(above / below * _ROUNDED).astype(np.int64)
        gains = np.where(exact, gains, np.maximum(rounded, 1))
    return gains


def _common_multiples(component: IntArray, below: IntArray, n_components: int) -> IntArray:
    """Return the least common multiple of each component; 0: above ``DENOMINATOR_MOST``."""
    order = np.lexsort((below, component))
    group, value = component[order], below[order]
    while len(group) > n_components:
        fresh = np.ones(len(group), dtype=np.bool_)
        fresh[1:] = (group[1:] != group[:-1]) | (value[1:] != value[:-1])
        group, value = group[fresh], value[fresh]
        second = np.flatnonzero(occurrences(group) % 2)
        value[second - 1] = _multiple(value[second - 1], value[second])
        group, value = np.delete(group, second), np.delete(value, second)
    return value


def _multiple(a: IntArray, b: IntArray) -> IntArray:
    divisor = np.gcd(a, b)
    part = a // np.maximum(divisor, 1)
    fits = (a > 0) & (b > 0) & (part <= DENOMINATOR_MOST // np.maximum(b, 1))
    multiple: IntArray = np.where(fits, part * np.where(fits, b, 0), 0)
    return multiple


def _early(cells: _Cells) -> IntArray:
    """Most pairs, lowest ranks: a larger best choice can hold what a smaller one does."""
    gains = np.zeros(len(cells.rows), dtype=np.int64)
    rows, cols, n_components = cells.components
    for component, at in ((rows, cells.rows), (cols, cells.cols)):
        sizes = np.bincount(component, minlength=n_components)
        gains += (sizes[component] - occurrences(component))[at]
    return gains


def _in_order(cells: _Cells) -> IntArray:
    """Largest products of ranks."""
    rows, cols, _ = cells.components
    row_ranks, col_ranks = occurrences(rows) + 1, occurrences(cols) + 1
    largest = int(max(row_ranks.max(), col_ranks.max()))
    shift = max(0, largest.bit_length() - 18)  # products times pairs must fit 60 bits
    row_ranks, col_ranks = (row_ranks >> shift) + 1, (col_ranks >> shift) + 1
    products: IntArray = row_ranks[cells.rows] * col_ranks[cells.cols]
    return products
