"""How many tables have given row and column sums: estimates, and the count itself."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from partwise.measures.information.factorials import (
    histogram,
    ln_factorial,
    ln_multisets,
    sum_ln_factorials,
)
from partwise.numbers.arrays import IntArray
from partwise.numbers.real_logarithm import log

COUNTS = ("ec", "newman", "exact")
#: Remaining row sums that the exact count may have to tell apart.
_MOST_STATES = 10_000


class Margins:
    """Cluster sizes of both sides, as the counts of tables take them.

    Attributes
    ----------
    rows, cols : ndarray of int64
    n : int
        Items.
    of_rows, of_cols : Counted
        Distinct sizes.
    ln_sizes : int
        ln n! - sum ln a! - sum ln b!, in units of 2^-120.
    """

    def __init__(self, rows: IntArray, cols: IntArray) -> None:
        self.rows, self.cols, self.n = rows, cols, int(rows.sum())
        self.of_rows, self.of_cols = histogram(rows), histogram(cols)
        of_sides = sum_ln_factorials(self.of_rows) + sum_ln_factorials(self.of_cols)
        self.ln_sizes = ln_factorial(self.n) - of_sides


def ln_tables(margins: Margins, count: str) -> float | int:
    """Return ln of the number of tables: in units of 2^-120 if an int, else in nats."""
    if min(len(margins.rows), len(margins.cols)) <= 1:
        return 0
    if count == "exact":
        return math.log(_exact(margins.rows, margins.cols))
    if count == "newman":
        return _newman(margins.rows, margins.cols)
    return _effective_columns(margins)


def _effective_columns(margins: Margins) -> float | int:
    """Jerdee, Kirkley and Newman 2022; exact where all columns hold one item."""
    n, m = margins.n, len(margins.rows)
    rows, row_times = margins.of_rows
    cols, col_times = margins.of_cols
    if n < 1 << 31:
        squares = int(margins.cols @ margins.cols)
    else:  # more than 64 bits, perhaps
        squares = sum(x * x for x in margins.cols.tolist())
    if squares == n:  # n! / prod a!
        return margins.ln_sizes  # as 1! = 1
    alpha = (n * n - n + (n * n - squares) / m) / (squares - n)
    # less that of all items with m alpha, the rows with alpha, the columns with m
    lengths = 1, len(rows), len(cols)
    kinds = np.repeat((m * alpha, alpha, float(m)), lengths)
    sizes = np.concatenate(((n,), rows, cols)).astype(np.float64)
    terms = np.concatenate(((-1,), row_times, col_times)) * ln_multisets(kinds, sizes)
    return math.fsum(terms.tolist())


def _newman(rows: IntArray, cols: IntArray) -> float:
    """Newman, Cantwell and Young 2020, in their appendix's notation."""
    n, k, j = int(rows.sum()), len(rows), len(cols)
    w = n / (n + k * j / 2)
    rest = k * j / 2 / (n + k * j / 2)  # 1 - w, which would have no digits left
    x = rest / k + w * rows / n
    y = rest / j + w * cols / n
    mu = (k + 1) / (k * math.fsum((y * y).tolist())) - 1 / k
    nu = (j + 1) / (j * math.fsum((x * x).tolist())) - 1 / j
    gamma = math.lgamma
    return math.fsum(
        (
            (k - 1) * (j - 1) * math.log(n + k * j / 2),
            (k + nu - 2) / 2 * math.fsum(log(y).tolist()),
            (j + mu - 2) / 2 * math.fsum(log(x).tolist()),
            (gamma(mu * k) - j * (gamma(nu) + gamma(k))) / 2,
            (gamma(nu * j) - k * (gamma(mu) + gamma(j))) / 2,
        )
    )


def _exact(rows: IntArray, cols: IntArray) -> int:
    """Count by recursion over the columns; states are the rows' remaining sums, sorted."""
    if len(cols) > len(rows):
        rows, cols = cols, rows
    sums = tuple(sorted(rows.tolist()))
    if math.prod(x + 1 for x in sums[:-1]) > _MOST_STATES:
        raise ValueError(
            f'count="exact" counts tables one by one, which clusters of {sums[-1]} of '
            f'{int(rows.sum())} items make too many of; take count="ec"'
        )
    ordered = sorted(cols.tolist(), reverse=True)

    @cache
    def tables(left: tuple[int, ...], column: int) -> int:
        if column == len(ordered) - 1:
            return 1
        filled: dict[tuple[int, ...], int] = {}
        for state, ways in _fillings(left, ordered[column]).items():
            key = tuple(sorted(state))
            filled[key] = filled.get(key, 0) + ways
        return sum(ways * tables(state, column + 1) for state, ways in filled.items())

    return tables(sums, 0)


def _fillings(left: tuple[int, ...], size: int) -> dict[tuple[int, ...], int]:
    """Return what may be left of the rows after a column of this size, and how often."""
    partial: dict[tuple[tuple[int, ...], int], int] = {((), size): 1}
    room = sum(left)
    for most in left:
        room -= most
        grown: dict[tuple[tuple[int, ...], int], int] = {}
        for (state, rest), ways in partial.items():
            for taken in range(max(0, rest - room), min(most, rest) + 1):
                key = (*state, most - taken), rest - taken
                grown[key] = grown.get(key, 0) + ways
        partial = grown
    return {state: ways for (state, rest), ways in partial.items() if rest == 0}
