"""Homogeneity, completeness, V-measure, and Dom's code length."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from partwise.measures.components.losses import (
    of_cluster_entropy,
    of_completeness,
    of_homogeneity,
    of_v_measure,
)
from partwise.measures.error_bound import OF_CHOICES, OF_DIFFERENCES
from partwise.measures.formulas import Result, of_information, ratio
from partwise.measures.information import measure
from partwise.measures.information.binomials import code_length
from partwise.measures.information.entropy_sums import (
    equal_parts,
    information,
    log_of,
    over,
    sums,
)
from partwise.numbers.checks import ln_of_base, weight_of_harmonic_mean
from partwise.table.contingency import Contingency

__all__ = [
    "cluster_entropy",
    "completeness",
    "dom_q0",
    "dom_q2",
    "homogeneity",
    "v_measure",
]

# ---- as functions of sums, see formulas.py ----------------------------------------------


def _homogeneity(s: Any, shared: Any) -> Result:
    return ratio(*over(s, shared, s.reference), 1)


def _completeness(s: Any, shared: Any) -> Result:
    return ratio(*over(s, shared, s.candidate), 1)


def _v_measure(s: Any, shared: Any, beta: float = 1.0) -> Result:
    beta = weight_of_harmonic_mean(beta)
    if beta == 0:
        return _homogeneity(s, shared)
    if math.isinf(beta):
        return _completeness(s, shared)
    # with h = I / H(a) and c = I / H(b): (1 + beta) I / (H(a) + beta H(b))
    p, q = Fraction(beta).as_integer_ratio()
    return ratio(*over(s, shared, q * s.reference + p * s.candidate, p + q), 1)


# ---- the measures ------------------------------------------------------------------------


@measure(
    under_chance="information",
    formula=of_information(_homogeneity),
    decomposition=of_homogeneity,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    normalized=True,
    exactness="2 ulp",
    source="V, equation (1); NVI, section 3",
)
def homogeneity(table: Contingency) -> float:
    """How far each candidate cluster holds one reference class only, in [0, 1].

    Returns
    -------
    float
        1: every candidate cluster lies inside a class; 0: independent.

    Notes
    -----
    1 - H(a|b) / H(a); H(a) = 0 (a single class, or n = 0): 1. Formed from I where that is the
    smaller part. O(cells).

    References
    ----------
    V-measure (EMNLP 2007), equation (1), with H(C) = 0 as condition (H(C, K) = 0 is printed,
    which would leave 0/0 for a single class in several clusters); NVI (CoNLL 2009), section 3.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.homogeneity([0, 0, 1, 1], [0, 1, 2, 2])
    1.0
    """
    return _homogeneity(sums(table), information(table))


@measure(
    under_chance="information",
    formula=of_information(_completeness),
    decomposition=of_completeness,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    normalized=True,
    exactness="2 ulp",
    source="V, equation (2)",
)
def completeness(table: Contingency) -> float:
    """How far each reference class stays in one candidate cluster, in [0, 1].

    Returns
    -------
    float
        1: every class lies inside a candidate cluster; 0: independent.

    Notes
    -----
    1 - H(b|a) / H(b) = homogeneity(candidate, reference); H(b) = 0: 1. O(cells).

    References
    ----------
    V-measure (EMNLP 2007), equation (2), with H(K) = 0 as condition.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.completeness([0, 0, 1, 1], [0, 1, 2, 3])
    0.5
    """
    return _completeness(sums(table), information(table))


@measure(
    under_chance="information",
    formula=of_information(_v_measure),
    decomposition=of_v_measure,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    normalized=True,
    exactness="2 ulp",
    source="V, section 2",
    variants={
        "beta=2": {"symmetric": False},
        "beta=0.5": {"symmetric": False},
    },
)
def v_measure(table: Contingency, beta: float = 1.0) -> float:
    """Weighted harmonic mean of homogeneity and completeness, in [0, 1].

    Parameters
    ----------
    beta : float, default 1
        Weight of completeness, 0 to infinity; 1 gives NMI with the arithmetic mean.

    Returns
    -------
    float
        1: identical; 0: independent.

    Raises
    ------
    ValueError
        ``beta`` is negative or not a number.

    Notes
    -----
    (1 + beta) h c / (beta h + c). beta = 0: h; beta = inf: c; otherwise both a single cluster:
    1, I = 0: 0. Table 1 of the NVI paper prints .587 where its own variation of information
    gives .592. O(cells).

    References
    ----------
    V-measure (EMNLP 2007), section 2.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.v_measure([0, 0, 1, 1], [0, 1, 2, 2], beta=2)
    0.75
    """
    return _v_measure(sums(table), information(table), beta)


@measure(
    decomposition=of_cluster_entropy,
    range=(0, 1),
    direction="lower",
    value_if_identical=0,
    normalized=True,
    source="V, section 3; NVI, section 2",
    default=False,
)
def cluster_entropy(table: Contingency) -> float:
    """Entropy of the classes inside candidate clusters over its maximum, in [0, 1].

    Returns
    -------
    float
        0: every candidate cluster lies inside a class.

    Notes
    -----
    H(a|b) / ln q, q the number of reference classes; q <= 1: 0. O(cells).

    References
    ----------
    V-measure (EMNLP 2007), section 3; NVI (CoNLL 2009), section 2.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.cluster_entropy([0, 0, 1, 1], [0, 1, 0, 1])
    1.0
    """
    q = table.shape[0]
    if q <= 1:
        return 0.0
    merge, most = sums(table).merge, log_of(table, q)
    if table.masses is not None and _is_evenly_mixed(table):
        return 1.0
    return float(min(merge, most) / most)


def _is_evenly_mixed(table: Contingency) -> bool:
    """Return whether every candidate cluster has the same mass of every class."""
    rows, cols = table.shape
    return table.n_cells == rows * cols and bool(equal_parts(table, "cols").all())


@measure(
    range=(0, None),
    direction="lower",
    error_bound=OF_CHOICES,
    source="V, section 3; NVI, section 2 (Dom)",
    weights=False,
    default=False,
    variants={"base=2": {}},
)
def dom_q0(table: Contingency, base: float | None = None) -> float:
    """Code length per item of the classes given the clusters (Dom's Q0), from 0 up, in nats.

    Parameters
    ----------
    base : float, optional
        Base of the logarithm; nats by default.

    Returns
    -------
    float
        0: a single class (or n = 0).

    Notes
    -----
    H(a|b) + (1/n) sum_j ln C(m_j + K - 1, K - 1), j over candidate clusters, K the number of
    reference classes (the papers' C; Dom's noise classes are classes too). The binomials come
    from exact x ln x and Stirling's series, so no size overflows. O(cells + distinct sizes).

    References
    ----------
    V-measure (EMNLP 2007), section 3; NVI (CoNLL 2009), section 2; after Dom 2001.

    Examples
    --------
    >>> import partwise as pw
    >>> round(pw.dom_q0([0, 0, 1, 1], [0, 0, 1, 1], base=2), 6)
    0.792481
    """
    s = sums(table)
    model = code_length(table.col_sizes, table.shape[0])
    return (ratio(s.merge, s.unit) + model / max(table.n_items, 1)) / ln_of_base(base)


@measure(
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    error_bound=OF_DIFFERENCES,
    source="V, section 3 (Dom)",
    weights=False,
    default=False,
)
def dom_q2(table: Contingency) -> float:
    """Smallest possible code length over that of the candidate (Dom's Q2), in (0, 1].

    Returns
    -------
    float
        1: identical, or a single class.

    Notes
    -----
    (1/n) sum_i ln C(n_i + K - 1, K - 1) over ``dom_q0``; a single class (or n = 0): 1.
    O(cells + distinct sizes).

    References
    ----------
    V-measure (EMNLP 2007), section 3; after Dom 2001.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.dom_q2([0, 0, 1, 1], [5, 5, 7, 7])
    1.0
    """
    classes = table.shape[0]
    if classes <= 1:
        return 1.0
    return code_length(table.row_sizes, classes) / table.n_items / dom_q0(table)
