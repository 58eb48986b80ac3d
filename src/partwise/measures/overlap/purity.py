"""Set matching: how well clusters of one side cover those of the other."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Unpack

from partwise._kernels import order_free
from partwise.measures.components.losses import of_inverse_purity, of_purity, of_van_dongen
from partwise.measures.components.sums import total_of_side
from partwise.measures.error_bound import IN_MASS, USUAL
from partwise.measures.formulas import Formula, Result, ratio
from partwise.measures.overlap import measure
from partwise.measures.split_merge.cluster_scores import max_share
from partwise.measures.sums import Cover
from partwise.numbers.checks import flag
from partwise.table.arguments import Reference, table_of
from partwise.table.contingency import Contingency, largest_cells
from partwise.table.memo import memoized
from partwise.typing import Candidate, Policies

__all__ = [
    "inverse_purity",
    "micro_precision",
    "micro_recall",
    "purity",
    "split_join",
    "van_dongen",
]


@memoized
def cover(table: Contingency) -> Cover:
    """Return the totals and the sums of the largest cells of rows and columns. O(cells)."""
    rows, cols = largest_cells(table)
    if table.all_masses is None:
        n = table.n_items
        return Cover(n, int(rows.sum()), n, int(cols.sum()))
    best = (Fraction(*order_free.total(part.view(float))) for part in (rows, cols))
    rows_total, cols_total = (total_of_side(table, side) for side in ("rows", "cols"))
    return Cover(rows_total, next(best), cols_total, next(best))


def masses_outside(table: Contingency) -> list[Fraction]:
    """Return the mass outside the largest cells of rows, and of columns, without rounding.

    Differences of exact masses: clusterings that differ in a tiny one are not at distance 0.
    """
    own = table.all_masses
    assert own is not None
    cells, rows, cols = own.cells, own.rows, own.cols
    units, power = order_free.exact_units(*cells, *rows, *cols)
    cell, row, col = (
        [high + low for high, low in zip(*units[i : i + 2], strict=True)] for i in (0, 2, 4)
    )
    best_of_row, best_of_col = [0] * len(row), [0] * len(col)
    for mass, i, j in zip(cell, table.rows.tolist(), table.cols.tolist(), strict=True):
        best_of_row[i] = max(best_of_row[i], mass)
        best_of_col[j] = max(best_of_col[j], mass)
    return [
        sum(max(mass - best, 0) for mass, best in zip(side, most, strict=True))
        * Fraction(2) ** power
        for side, most in ((row, best_of_row), (col, best_of_col))
    ]


# ---- as functions of sums, see formulas.py ----------------------------------------------


def _purity(best: Any) -> Result:
    return ratio(best.candidate_best, best.candidate_total, 1)


def _inverse_purity(best: Any) -> Result:
    return ratio(best.reference_best, best.reference_total, 1)


def _van_dongen(best: Any, normalized: bool = False) -> Result:
    total = best.reference_total + best.candidate_total
    outside = total - best.reference_best - best.candidate_best
    return ratio(outside, total if normalized else 1)


# ---- the measures ------------------------------------------------------------------------


@measure(
    formula=Formula(_purity, ("cover",)),
    decomposition=of_purity,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    join_weighted=True,
    source="V, section 3; NVI, section 2; PSI, Table 2",
)
def purity(table: Contingency) -> float:
    """Share of items in the majority class of their candidate cluster, in (0, 1].

    Returns
    -------
    float
        1: every candidate cluster lies inside a reference cluster.

    Notes
    -----
    (1/n) sum_j max_i n_ij; n = 0: 1. Many-to-one accuracy; not symmetric. PSI equates it with
    ``classification_accuracy``, which pairs one to one and can be half of it. Exact integers,
    one division. O(cells).

    References
    ----------
    V-measure (EMNLP 2007), section 3; NVI (CoNLL 2009), section 2; Pair Sets Index (TKDE
    2016), Table 2.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.purity([0, 0, 1, 1], [0, 1, 1, 1])
    0.75
    """
    return _purity(cover(table))


@measure(
    formula=Formula(_inverse_purity, ("cover",)),
    decomposition=of_inverse_purity,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    join_weighted=True,
    source="purity with the sides exchanged",
)
def inverse_purity(table: Contingency) -> float:
    """Share of items in the largest piece of their reference cluster, in (0, 1].

    Returns
    -------
    float
        1: every reference cluster lies inside a candidate cluster.

    Notes
    -----
    (1/n) sum_i max_j n_ij = purity(candidate, reference); n = 0: 1. Exact integers, one
    division. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.inverse_purity([0, 0, 1, 1], [0, 1, 1, 1])
    0.75
    """
    return _inverse_purity(cover(table))


@measure(
    formula=Formula(_van_dongen, ("cover",)),
    decomposition=of_van_dongen,
    range=(0, None),
    direction="lower",
    value_if_identical=0,
    symmetric=True,
    metric=True,
    error_bound=IN_MASS,
    source="SM, section 3.2; PSI, Table 2",
    variants={
        "normalized=True": {
            "range": (0, 1),
            "join_weighted": True,
            "cluster_score": max_share,
            "error_bound": USUAL,
        }
    },
)
def van_dongen(table: Contingency, normalized: bool = False) -> float:
    """Items outside the best overlaps of both sides (split-join distance), in [0, 2n).

    Parameters
    ----------
    normalized : bool, default False
        True divides by 2n.

    Returns
    -------
    float
        0: identical; at most 2n - ceil(2 sqrt(n)).

    Notes
    -----
    2n - sum_i max_j n_ij - sum_j max_i n_ij; n = 0: 0. A metric; 1 - the normalised form is
    the measure N of SM. Its smallest value is ceil(2 sqrt(n)) / 2n; Table 2 of SM prints
    (floor(sqrt(n)) + ceil(sqrt(n))) / 2n, which is too small for n = 3, 7, 8 and others. Exact
    integers. O(cells).

    References
    ----------
    Split-merge (ICML 2012), section 3.2; Pair Sets Index (TKDE 2016), Table 2.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.van_dongen([0, 0, 1, 1], [0, 1, 1, 1])
    2.0
    """
    scaled, best = flag(normalized, "normalized"), cover(table)
    if table.all_masses is None:
        return _van_dongen(best, scaled)
    total = Fraction(best.reference_total + best.candidate_total)
    return ratio(sum(masses_outside(table)), total if scaled else Fraction(1))


@dataclass(frozen=True, slots=True)
class SplitJoin:
    """The two parts of the split-join distance.

    Attributes
    ----------
    split : float
        Items of reference clusters outside their largest part in one candidate cluster.
    join : float
        Items of candidate clusters outside their largest part in one reference cluster.
    """

    split: float
    join: float


def split_join(
    reference: Reference, candidate: Candidate = None, **policies: Unpack[Policies]
) -> SplitJoin:
    """Items that are split off, and items that are joined to others; the sum is van Dongen's.

    Parameters
    ----------
    reference, candidate
        Two clusterings, or one ``Alignment`` or ``Contingency``.
    **policies
        See ``align``.

    Returns
    -------
    SplitJoin
        Each 0 or more; ``split`` is 0 where no reference cluster is split, ``join`` where no
        candidate cluster holds items of several.

    Notes
    -----
    n - sum_i max_j n_ij and n - sum_j max_i n_ij, the projections of the reference on the
    candidate and of the candidate on the reference; ``van_dongen`` is their sum. Of weights,
    masses. Exact. O(cells).

    References
    ----------
    van Dongen, Performance criteria for graph clustering and Markov cluster experiments, 2000.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.split_join([0, 0, 0, 1, 1], [0, 0, 1, 1, 1])
    SplitJoin(split=1.0, join=1.0)
    >>> pw.split_join([0, 0, 0, 0], [0, 0, 1, 2])
    SplitJoin(split=2.0, join=0.0)
    """
    table = table_of(reference, candidate, policies, "split_join")
    if table.all_masses is not None:
        return SplitJoin(*map(float, masses_outside(table)))
    best = cover(table)
    return SplitJoin(
        float(best.reference_total - best.reference_best),
        float(best.candidate_total - best.candidate_best),
    )


@measure(
    formula=Formula(_purity, ("cover",)),
    decomposition=of_purity,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    join_weighted=True,
    source="named in V and NVI",
    default=False,
)
def micro_precision(table: Contingency) -> float:
    """Share of items right if each cluster stands for its majority class, in (0, 1].

    Returns
    -------
    float
        1: every candidate cluster lies inside a reference cluster.

    Notes
    -----
    Another name for ``purity``; see ``micro_recall`` on what is not known of it. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.micro_precision([0, 0, 1, 1], [0, 1, 1, 1])
    0.75
    """
    return purity(table)


@measure(
    formula=Formula(_inverse_purity, ("cover",)),
    decomposition=of_inverse_purity,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    join_weighted=True,
    source="named in V and NVI",
    default=False,
)
def micro_recall(table: Contingency) -> float:
    """Share of items right if each class stands for its largest piece, in (0, 1].

    Returns
    -------
    float
        1: every reference cluster lies inside a candidate cluster.

    Notes
    -----
    Another name for ``inverse_purity``, which is a reading: V and NVI name micro-averaged
    precision and recall after Dhillon, Mallela and Modha (2003), but print no formula. Where
    one map of clusters to classes serves both, recall of single labels equals precision, and
    both are ``purity``. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.micro_recall([0, 0, 1, 1], [0, 1, 1, 1])
    0.75
    """
    return inverse_purity(table)
