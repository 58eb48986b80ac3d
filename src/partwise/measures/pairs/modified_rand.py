"""The modified adjusted Rand index: corrected by pairs of pairs that share no item."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from partwise import _kernels
from partwise.measures.pairs import measure
from partwise.measures.pairs.pairs import confusion
from partwise.numbers.arrays import IntArray
from partwise.numbers.checks import flag
from partwise.table.contingency import Contingency
from partwise.table.memo import memoized

__all__ = [
    "modified_adjusted_rand_index",
]

#: Squares of fewer items fit 63 bits.
_SMALL = 1 << 31


def _sum_of_triples(table: Contingency) -> int:
    """Return the sum of n_ij n_i m_j over the cells, exact. O(cells)."""
    if not table.n_cells:
        return 0
    sizes = table.col_sizes[table.cols]
    if table.n_items < _SMALL:
        of_rows: IntArray = np.add.reduceat(table.counts * sizes, table.indptr[:-1])
        return _kernels.impl.sum_weighted(of_rows, table.row_sizes)
    triples = zip(
        table.counts.tolist(), table.row_sizes[table.rows].tolist(), sizes.tolist(), strict=True
    )
    return sum(c * x * y for c, x, y in triples)


@memoized
def _chance(table: Contingency) -> Fraction:
    """Return the pairs together in both that pairs of pairs without a common item suggest.

    Of all ways to choose two pairs of four different items, the share where the first is
    together in the reference and the second in the candidate, times all pairs.
    """
    n, pairs = table.n_items, confusion(table)
    squares = 2 * (pairs.n11 + pairs.reference + pairs.candidate) + 3 * n
    overlapping = 2 * n + _sum_of_triples(table) - squares
    apart = pairs.reference * pairs.candidate - pairs.n11 - overlapping
    fours = n * (n - 1) * (n - 2) * (n - 3) // 24
    return Fraction(pairs.total * apart, 6 * fours)


@measure(
    range=(None, None),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    source="Sundqvist, Chiquet and Rigaill 2022",
    default=False,
    variants={"raw=True": {"value_if_identical": None}},
)
def modified_adjusted_rand_index(table: Contingency, raw: bool = False) -> float:
    """Rand index corrected for chance under random cluster sizes (MARI).

    Parameters
    ----------
    raw : bool, default False
        Return (N11 - E) / T, the unbiased estimate, not divided by its largest value.

    Returns
    -------
    float
        1: identical (not ``raw``); 0 on average for independent clusterings whose items are
        drawn one by one. The least and largest values lie outside those of the adjusted Rand
        index.

    Notes
    -----
    (N11 - E) / ((P + Q) / 2 - E), with P and Q the pairs together in the reference and in the
    candidate, T all pairs, and E / T the share of pairs of pairs without a common item whose
    first is together in the reference and whose second in the candidate: E = T (P Q - N11 -
    (2 n + sum n_ij n_i m_j - sum n_ij^2 - sum n_i^2 - sum m_j^2)) / (6 C(n, 4)). Fewer than
    four items have no such pairs: 1 if identical, else 0; ``raw``: 0. Denominator 0: 1.
    Exact integers, one division. O(cells).

    References
    ----------
    Sundqvist, Chiquet and Rigaill, Adjusting the adjusted Rand index: a multinomial story,
    Computational Statistics 2022.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.modified_adjusted_rand_index([1, 0, 2, 1, 0, 1, 1], [1, 2, 2, 0, 2, 0, 0]) == 16 / 41
    True
    """
    flag(raw, "raw")
    pairs = confusion(table)
    if table.n_items < 4:
        return 0.0 if raw else float(pairs.identical)
    above = pairs.n11 - _chance(table)
    if raw:
        return float(above / pairs.total)
    below = Fraction(pairs.reference + pairs.candidate, 2) - _chance(table)
    return float(above / below) if below else 1.0
