"""The pair sets index: clusters paired one to one, less what their sizes would give."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Literal, get_args

import numpy as np

from partwise.measures.error_bound import OF_DIFFERENCES
from partwise.measures.overlap import measure
from partwise.measures.overlap.cluster_similarity import cell_ratios
from partwise.measures.overlap.pair_sets_sums import pair_sets_sums
from partwise.measures.overlap.set_similarity import one_to_one, pairing_cells, sum_of_ratios
from partwise.numbers.arrays import IntArray
from partwise.numbers.checks import flag, one_of
from partwise.table.contingency import Contingency
from partwise.table.memo import memoized

__all__ = [
    "expected_pair_sets",
    "pair_sets_distance",
    "pair_sets_index",
]

#: Similarities that the sizes of two clusters bound by 1, whose expected value is below 1.
PairSimilarity = Literal["braun_banquet", "jaccard", "sorensen_dice"]
SIMILARITIES: tuple[str, ...] = get_args(PairSimilarity)
_BITS = 126  # sums of fractions are cut below 2^-126 each
_NEAR_BITS = 90  # differences below 2^-90 are taken of the fractions themselves


@measure(
    range=(0, 1),
    direction=None,
    value_if_identical=1,
    symmetric=True,
    weights=False,
    source="PSI, section 6.2, equation (16)",
    default=False,
)
def expected_pair_sets(
    table: Contingency, similarity: PairSimilarity = "braun_banquet"
) -> float:
    """Similarity of clusters that are paired by size and share what chance gives, in [0, 1].

    Parameters
    ----------
    similarity : {"braun_banquet", "jaccard", "sorensen_dice"}, default "braun_banquet"
        See ``pair_sets_index``.

    Returns
    -------
    float
        E of the pair sets index. 1: paired clusters are of equal size and none is left over
        (Braun-Banquet and Sorensen-Dice).

    Raises
    ------
    ValueError
        ``similarity`` is another word.

    Notes
    -----
    Sizes in descending order, t = 1 .. min(K, K'); clusters of n and m of the N items share
    n m / N, so E adds up min(n, m) / N (Braun-Banquet, equation 16), n m / (N (n + m) - n m)
    (Jaccard) or 2 n m / (N (n + m)) (Sorensen-Dice). N = 0: 1. No other pairing of the sizes
    has a larger sum: all three terms are supermodular in n and m. It is not the mean of the
    paired similarity over random orders. O(clusters log clusters).

    References
    ----------
    Pair Sets Index (TKDE 2016), section 6.2, equation (16), Theorem 2.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.expected_pair_sets([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]) == 5 / 6
    True
    """
    one_of(similarity, SIMILARITIES, "similarity")
    if table.n_items == 0:
        return 1.0
    above, below = _expected(table, similarity)
    return above / below


@memoized
def _paired_sizes(table: Contingency) -> tuple[IntArray, IntArray]:
    """Return the sizes of clusters that are paired by size, largest with largest."""
    k = min(table.shape)
    rows, cols = (np.sort(side)[::-1][:k] for side in (table.row_sizes, table.col_sizes))
    return rows, cols


def _expected_terms(table: Contingency, similarity: str) -> list[tuple[int, int]]:
    """Return E as fractions, numerator and denominator, that are not yet added up."""
    n = table.n_items
    rows, cols = _paired_sizes(table)
    if similarity == "braun_banquet":
        return [(int(np.minimum(rows, cols).sum()), n)]
    # equal pairs are neighbours: one term for all of them
    changes = (rows[1:] != rows[:-1]) | (cols[1:] != cols[:-1])
    starts = np.concatenate(([0], np.flatnonzero(changes) + 1))[: len(rows)]
    times = np.diff(starts, append=len(rows)).tolist()
    pairs = zip(rows[starts].tolist(), cols[starts].tolist(), times, strict=True)
    if similarity == "jaccard":
        return [(often * x * y, n * (x + y) - x * y) for x, y, often in pairs]
    return [(2 * often * x * y, n * (x + y)) for x, y, often in pairs]


@memoized
def _expected(table: Contingency, similarity: str) -> tuple[int, int]:
    """Return E as a quotient; exact for Braun-Banquet, else each term is cut below 2^-126."""
    terms = _expected_terms(table, similarity)
    if len(terms) == 1:
        return terms[0]
    return sum((above << _BITS) // below for above, below in terms), 1 << _BITS


@memoized
def _paired(table: Contingency, similarity: str) -> int:
    """Return S in units of 2^-126: paired similarity, each term cut below."""
    return sum_of_ratios(table, similarity, pairing_cells(table, similarity))


def _exceeds(table: Contingency, similarity: str, simplified: bool) -> bool:
    """Return whether S > E, or S > 1 if simplified, decided exactly."""
    paired = _paired(table, similarity)
    above, below = (1, 1) if simplified else _expected(table, similarity)
    one_term = simplified or similarity == "braun_banquet"
    cut = 0 if one_term else min(table.shape)
    if paired * below > (above << _BITS) + cut * below:
        return True  # S was only ever cut downwards
    cells = pairing_cells(table, similarity)
    if (paired + len(cells)) * below <= above << _BITS:
        return False
    exact_paired, exact_expected = _uncut(table, similarity, simplified)
    return exact_paired > exact_expected


def _uncut(table: Contingency, similarity: str, simplified: bool) -> tuple[Fraction, Fraction]:
    """Return S and E, or S and 1 if simplified, as exact fractions."""
    ratios = cell_ratios(table, similarity, pairing_cells(table, similarity))
    terms = [(1, 1)] if simplified else _expected_terms(table, similarity)
    pairs = zip(ratios.above.tolist(), ratios.below.tolist(), strict=True)
    paired, expected = (
        sum((Fraction(x, y) for x, y in side), Fraction(0)) for side in (pairs, terms)
    )
    return paired, expected


@measure(
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    normalized=True,
    weights=False,
    exactness="bits",
    solver="matching",
    error_bound=OF_DIFFERENCES,
    source="PSI, sections 6.1 and 6.2, equations (14)-(20)",
    over_blocks=pair_sets_sums,
    variants={
        "simplified=True": {"metric": True, "default": False},
        "similarity=jaccard": {"over_blocks": None},
        "similarity=sorensen_dice": {"over_blocks": None},
        "clipped=False": {"range": (None, 1), "normalized": False, "over_blocks": None},
    },
)
def pair_sets_index(
    table: Contingency,
    simplified: bool = False,
    similarity: PairSimilarity = "braun_banquet",
    clipped: bool = True,
) -> float:
    """Similarity of optimally paired clusters, corrected for chance, in [0, 1].

    Parameters
    ----------
    simplified : bool, default False
        Correct by 1 instead of the expected similarity (equation 20).
    similarity : {"braun_banquet", "jaccard", "sorensen_dice"}, default "braun_banquet"
        Of two clusters, as in ``cluster_similarity_matrix``. The paper's index is the first;
        the others take the expected value of their own (``expected_pair_sets``).
    clipped : bool, default True
        0 where the index would be negative; False returns what it is.

    Returns
    -------
    float
        1: identical; 0: no more similar than clusterings paired by size would be.

    Notes
    -----
    S = max over one-to-one pairings of the sum of n_ij / max(n_i, m_j); E = (1/n) sum of
    min(n_(t), m_(t)) over sizes in descending order; (S - E) / (max(K, K') - E), 0 if S <= E
    (decided exactly). Simplified: (S - 1) / (max(K, K') - 1), 0 if S <= 1. Both a single
    cluster, or n = 0: 1. Cost: that of ``solvers.match``, O(cells) between clusterings that
    resemble each other; where they have nothing in common it is far above that of the table,
    so that ``compare`` leaves this measure out of its default there, beyond 100,000 cells,
    unless it is named. With Jaccard, S and E add up
    n_ij / (n_i + m_j - n_ij) and n m / (N (n + m) - n m), with Sorensen-Dice
    2 n_ij / (n_i + m_j) and 2 n m / (N (n + m)).

    E is what the sizes alone would share, not the mean of S over random orders. The full form's
    distance is not a metric; the paper proves it for the simplified one only.

    References
    ----------
    Pair Sets Index (TKDE 2016), sections 6.1 and 6.2, equations (14)-(20).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.pair_sets_index([0, 0, 1, 1], [5, 5, 5, 6], simplified=True) == 1 / 6
    True
    """
    above, below = _apart(table, simplified, similarity, flag(clipped, "clipped"))
    return (below - above) / below


def _apart(
    table: Contingency, simplified: bool, similarity: str, clipped: bool = True
) -> tuple[int, int]:
    """Return the distance as a quotient: what S lacks of the most, over what E lacks."""
    flag(simplified, "simplified")
    one_of(similarity, SIMILARITIES, "similarity")
    most = max(table.shape)
    if most <= 1 or one_to_one(table):
        return 0, 1
    if clipped and not _exceeds(table, similarity, simplified):
        return 1, 1
    above, below = (1, 1) if simplified else _expected(table, similarity)
    paired = _paired(table, similarity)
    gap = paired * below - (above << _BITS)
    if not clipped and abs(gap) < below << (_BITS - _NEAR_BITS):
        exact_paired, exact_expected = _uncut(table, similarity, simplified)
        distance = (most - exact_paired) / (most - exact_expected)
        return distance.numerator, distance.denominator
    return ((most << _BITS) - paired) * below, most * below - above << _BITS


@measure(
    range=(0, 1),
    direction="lower",
    value_if_identical=0,
    symmetric=True,
    normalized=True,
    weights=False,
    solver="matching",
    error_bound=OF_DIFFERENCES,
    source="PSI, equation (19)",
    default=False,
    over_blocks=partial(pair_sets_sums, distance=True),
    variants={"simplified=True": {"metric": True}},
)
def pair_sets_distance(
    table: Contingency, simplified: bool = False, similarity: PairSimilarity = "braun_banquet"
) -> float:
    """One minus the pair sets index, in [0, 1].

    Parameters
    ----------
    simplified : bool, default False
        See ``pair_sets_index``; the simplified distance is a metric.
    similarity : {"braun_banquet", "jaccard", "sorensen_dice"}, default "braun_banquet"
        See ``pair_sets_index``.

    Returns
    -------
    float
        0: identical.

    Notes
    -----
    (max(K, K') - S) / (max(K, K') - E) = 1 - ``pair_sets_index``, in one division. Cost: as
    that.

    References
    ----------
    Pair Sets Index (TKDE 2016), equation (19).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.pair_sets_distance([0, 0, 1, 1], [7, 7, 8, 8])
    0.0
    """
    above, below = _apart(table, simplified, similarity)
    return above / below
