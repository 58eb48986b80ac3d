"""Reduced mutual information: what is shared, less the cost of telling how."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from partwise.measures.error_bound import OF_COSTS
from partwise.measures.information import measure
from partwise.measures.information.dirichlet import conditional_cost, read_bounds
from partwise.measures.information.factorials import sum_of_counts
from partwise.measures.information.table_counts import COUNTS, Margins, ln_tables
from partwise.numbers.arrays import IntArray
from partwise.numbers.checks import ln_of_base, one_of
from partwise.numbers.logarithm import LN_BITS
from partwise.table.contingency import Contingency

__all__ = [
    "reduced_mutual_information",
]

MODELS = ("flat", "dirichlet")


@measure(
    range=(None, None),
    direction="higher",
    value_if_identical=None,
    weights=False,
    exactness="2 ulp",
    error_bound=OF_COSTS,
    source="Newman, Cantwell and Young 2020; Jerdee, Kirkley and Newman 2022, 2024",
    default=False,
    call_only=("bounds",),
    variants={
        "count=newman": {
            "symmetric": True,
            "error_bound": replace(OF_COSTS, of_pairs=1e-15),
        },
        "model=dirichlet": {},
        "normalizer=reference": {"value_if_identical": 1},
        "model=dirichlet, normalizer=reference": {"value_if_identical": 1},
    },
)
def reduced_mutual_information(
    table: Contingency,
    model: Literal["flat", "dirichlet"] = "flat",
    count: Literal["ec", "newman", "exact"] = "ec",
    normalizer: Literal["reference"] | None = None,
    base: float | None = None,
    bounds: Any = None,
) -> float:
    """Information that the candidate gives of the reference, less the cost of the table.

    Parameters
    ----------
    model : {"flat", "dirichlet"}, default "flat"
        How the table is told once the sizes are known: all tables with these sizes are alike,
        or columns are drawn with one concentration that fits best.
    count : {"ec", "newman", "exact"}, default "ec"
        How the flat model counts tables: by effective columns, by the estimate of 2020, or
        one by one, which suits small sizes only.
    normalizer : {None, "reference"}
        "reference" divides by what the reference tells of itself.
    base : float, optional
        Base of the logarithm; nats by default.
    bounds : pair of float, optional
        The Dirichlet model's concentration lies between these two. By default any number
        above 0 does, and both limits.

    Returns
    -------
    float
        Of all items together (not per item). Negative: telling the table costs more than it
        saves. With ``normalizer="reference"`` 1: identical.

    Raises
    ------
    ValueError
        An option is another word, ``base`` is not above 1, ``bounds`` are not two numbers
        0 < low <= high, or ``count="exact"`` for sizes that are too large for it.

    Notes
    -----
    Flat: ln n! - sum ln n_i! - sum ln m_j! + sum ln n_ij! - ln(number of tables with these
    sizes), the first four terms with 120 fraction bits. The count by effective columns is not
    symmetric: rows are the reference. Dirichlet: H(a) - H(a | b), each the length of the
    shortest description with one concentration. Where the normaliser is 0: 1 if identical,
    else 0. A single cluster on a side, or n = 0: 0.

    The package clustering-mi keeps the concentration in [1e-4, 1e4], where it stops for
    identical and for even tables; with ``bounds=(1e-4, 1e4)`` values differ by no more than
    what its search misses of the least cost, some 1e-5 of it. O(cells) and some 70 evaluations
    over the distinct counts.

    References
    ----------
    Newman, Cantwell and Young, Improved mutual information measure for clustering,
    classification, and community detection, Physical Review E 2020. Jerdee, Kirkley and
    Newman, Improved estimates for the number of non-negative integer matrices with given row
    and column sums, arXiv 2209.14869; Mutual information and the encoding of contingency
    tables, arXiv 2405.05393.

    Examples
    --------
    >>> import partwise as pw
    >>> a, b = [0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 2]
    >>> round(pw.reduced_mutual_information(a, b, count="exact"), 6)
    1.203973
    >>> pw.reduced_mutual_information(a, a, normalizer="reference")
    1.0
    """
    one_of(model, MODELS, "model")
    one_of(count, COUNTS, "count")
    limits = read_bounds(bounds)
    if normalizer not in (None, "reference"):
        raise ValueError(f'normalizer={normalizer!r} must be None or "reference"')
    unit = ln_of_base(base)
    identical = table.n_cells == table.shape[0] == table.shape[1]
    rows, cols, cells = table.row_sizes, table.col_sizes, table.counts

    def reduced(cols: IntArray, cells: IntArray) -> float:
        if model == "flat":
            return _flat(rows, cols, cells, count)
        return _dirichlet(rows, cols, cells, limits)

    if normalizer is None:
        return 0.0 if min(table.shape) <= 1 else reduced(cols, cells) / unit
    if identical:
        return 1.0
    below = reduced(rows, rows) if len(rows) > 1 else 0.0
    if below == 0 or min(table.shape) <= 1:
        return 0.0
    return reduced(cols, cells) / below


def _flat(rows: IntArray, cols: IntArray, cells: IntArray, count: str) -> float:
    margins = Margins(rows, cols)
    shared = margins.ln_sizes + sum_of_counts(cells)
    tables = ln_tables(margins, count)
    if isinstance(tables, int):  # in the same units
        return math.ldexp(float(shared - tables), -LN_BITS)
    return math.ldexp(float(shared), -LN_BITS) - tables


def _dirichlet(
    rows: IntArray, cols: IntArray, cells: IntArray, limits: tuple[float, float] | None
) -> float:
    k, n = len(rows), np.array([rows.sum()])
    return conditional_cost(k, n, rows, limits) - conditional_cost(k, cols, cells, limits)
