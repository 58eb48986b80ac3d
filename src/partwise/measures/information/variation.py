"""Variation of information and its normalised forms."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from partwise.measures.components.losses import (
    of_joint_variation,
    of_summed_variation,
    of_variation,
    of_variation_log_n,
    of_vi_similarity_log_k,
    of_vi_similarity_log_n,
)
from partwise.measures.error_bound import OF_DIFFERENCES
from partwise.measures.formulas import Result, in_base, of_entropies, ratio
from partwise.measures.information import measure
from partwise.measures.information.entropy_sums import (
    equal_parts,
    independent,
    information,
    log_of,
    sums,
)
from partwise.measures.split_merge.cluster_scores import log_k_score
from partwise.numbers.checks import bound_of_clusters, one_of
from partwise.table.contingency import Contingency

__all__ = [
    "normalized_variation_of_information",
    "nvi",
    "nvi_k",
    "variation_of_information",
    "vi_similarity_log_k",
    "vi_similarity_log_n",
]

# ---- as functions of sums, see formulas.py ----------------------------------------------


def _variation(s: Any, base: float | None = None) -> Result:
    return in_base(s.variation, s.unit, base)


def _normalized(s: Any, norm: str = "joint") -> Result:
    """Right but where VI is at its bound: see ``_is_farthest``."""
    if norm == "sum":
        return ratio(s.variation, s.reference + s.candidate)
    return ratio(s.variation, s.joint if norm == "joint" else s.top)


def _similarity_log_n(s: Any) -> Result:
    return ratio(s.top - s.variation, s.top, 1)


def _nvi(s: Any, base: float | None = None) -> Result:
    return ratio(s.variation, s.reference, in_base(s.candidate, s.unit, base))


def _nvi_k(s: Any, base: float | None = None) -> Result:
    return ratio(s.variation, s.candidate, in_base(s.reference, s.unit, base))


# ---- the measures ------------------------------------------------------------------------


@measure(
    under_chance="information",
    formula=of_entropies(_variation),
    decomposition=of_variation,
    range=(0, None),
    direction="lower",
    value_if_identical=0,
    symmetric=True,
    metric=True,
    join_weighted=True,
    source="SM, section 3.3; NVI, section 3; V, section 3",
)
def variation_of_information(table: Contingency, base: float | None = None) -> float:
    """Information lost and gained from one clustering to the other, in [0, ln n] nats.

    Parameters
    ----------
    base : float, optional
        Base of the logarithm; nats by default.

    Returns
    -------
    float
        0 exactly: identical. At most 2 ln k for at most k <= sqrt(n) clusters a side.

    Notes
    -----
    H(a|b) + H(b|a), a metric; n = 0: 0. O(cells).

    References
    ----------
    Split-merge (ICML 2012), section 3.3; NVI (CoNLL 2009), section 3; V-measure (EMNLP 2007),
    section 3.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.variation_of_information([0, 0, 1, 1], [0, 1, 0, 1], base=2)
    2.0
    """
    return _variation(sums(table), base)


def _is_farthest(table: Contingency, norm: str) -> bool:
    """Return whether VI reaches its bound, an integer fact: rounding must not blur it."""
    if table.masses is not None and norm in ("joint", "sum"):
        return bool(information(table).above == 0)
    if not independent(table):
        return False
    if norm == "log_n" and table.n_cells != table.n_items:
        return False  # the meet is not all singletons
    if norm in ("log_n", "log_k") and table.masses is not None:
        return all(bool(equal_parts(table, side).all()) for side in ("rows", "cols"))
    if norm == "log_k":
        sizes = (table.row_sizes, table.col_sizes)
        return all(bool(np.all(side == side[0])) for side in sizes)
    return True


@measure(
    formula=of_entropies(_normalized, unsure_near_independence=True),
    decomposition=of_joint_variation,
    range=(0, 1),
    direction="lower",
    value_if_identical=0,
    symmetric=True,
    metric=True,
    normalized=True,
    source="PSI, Table 2; SM, section 3.3",
    variants={
        "norm=sum": {
            "metric": False,
            "decomposition": of_summed_variation,
            "under_chance": "information",
        },
        "norm=log_n": {"decomposition": of_variation_log_n, "under_chance": "information"},
    },
)
def normalized_variation_of_information(
    table: Contingency, norm: Literal["joint", "sum", "log_n"] = "joint"
) -> float:
    """Variation of information over an upper bound, in [0, 1].

    Parameters
    ----------
    norm : {"joint", "sum", "log_n"}, default "joint"
        Divide by H(a, b) (= 1 - NMI joint, a metric), by H(a) + H(b) (= 1 - NMI arithmetic;
        the NVI of PSI) or by ln n (a metric at fixed n).

    Returns
    -------
    float
        0: identical.

    Raises
    ------
    ValueError
        ``norm`` is another word.

    Notes
    -----
    Not the NVI of CoNLL 2009, which is ``nvi``. O(cells).

    References
    ----------
    Pair Sets Index (TKDE 2016), Table 2; split-merge (ICML 2012), section 3.3.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.normalized_variation_of_information([0, 0, 1, 1], [0, 1, 0, 1])
    1.0
    """
    one_of(norm, ("joint", "sum", "log_n"), "norm")
    s = sums(table)
    if not s.identical and _is_farthest(table, norm):
        return 1.0
    return _normalized(s, norm)


@measure(
    under_chance="information",
    formula=of_entropies(_similarity_log_n, unsure_near_independence=True),
    decomposition=of_vi_similarity_log_n,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    metric=True,
    normalized=True,
    source="SM, section 3.3 (V)",
)
def vi_similarity_log_n(table: Contingency) -> float:
    """One minus variation of information over ln n (the V of SM), in [0, 1].

    Returns
    -------
    float
        1: identical, or n <= 1; 0: independent with an all-singletons meet.

    Notes
    -----
    1 - VI / ln n. With weights, it is the difference of ln n and VI: values near 1 are right
    to about their last bit; those near 0 keep an absolute, not a relative, precision (1.4e-16
    was the largest error seen against 60 digits). O(cells).

    References
    ----------
    Split-merge (ICML 2012), section 3.3.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.vi_similarity_log_n([0, 0, 1, 1], [0, 1, 0, 1])
    0.0
    """
    s = sums(table)
    if not s.identical and _is_farthest(table, "log_n"):
        return 0.0
    return _similarity_log_n(s)


@measure(
    cluster_score=log_k_score,
    decomposition=of_vi_similarity_log_k,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    metric=True,
    join_weighted=True,
    error_bound=OF_DIFFERENCES,
    source="SM, section 3.3 (K)",
)
def vi_similarity_log_k(table: Contingency, k: int) -> float:
    """One minus variation of information over 2 ln k (the K of SM), in [0, 1].

    Parameters
    ----------
    k : int
        Bound on the number of clusters, at least that of either side.

    Returns
    -------
    float
        1: identical, or k = 1.

    Raises
    ------
    ValueError
        ``k`` is smaller than a side's number of clusters.
    TypeError
        ``k`` is no integer.

    Notes
    -----
    1 - VI / (2 ln k). Equals S' of SM with 1 - H / ln k as the score of a cluster; section 4.4
    prints ln k^2 there, which halves twice. It is 0 only for k times k equal cells, so never
    where k^2 does not divide n, although SM (Proposition 5.1) calls it normalized. O(cells).

    References
    ----------
    Split-merge (ICML 2012), section 3.3.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.vi_similarity_log_k([0, 0, 1, 1], [0, 1, 0, 1], k=2)
    0.0
    """
    k = bound_of_clusters(k, table.shape)
    s = sums(table)
    if s.identical:
        return 1.0
    if table.shape == (k, k) and _is_farthest(table, "log_k"):
        return 0.0
    bound = 2 * log_of(table, k)
    return float(max(bound - s.variation, 0) / bound)


@measure(
    under_chance="information",
    formula=of_entropies(_nvi),
    range=(0, None),
    direction="lower",
    value_if_identical=0,
    source="NVI, section 4",
)
def nvi(table: Contingency, base: float | None = None) -> float:
    """Variation of information over the reference's entropy (NVI of CoNLL 2009), from 0 up.

    Parameters
    ----------
    base : float, optional
        Base of the logarithm where the reference is a single cluster; a ratio elsewhere.

    Returns
    -------
    float
        0: identical; 1 exactly: the candidate is a single cluster.

    Notes
    -----
    VI / H(reference); H(reference) = 0: H(candidate) (in the base). What Table 2 of PSI calls
    NVI is ``normalized_variation_of_information`` with "sum". For solution R of the paper's
    Table 1 it is .817, printed .81. O(cells).

    References
    ----------
    NVI (CoNLL 2009), section 4.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.nvi([0, 0, 1, 1], [0, 0, 0, 0])
    1.0
    """
    return _nvi(sums(table), base)


@measure(
    under_chance="information",
    formula=of_entropies(_nvi_k),
    range=(0, None),
    direction="lower",
    value_if_identical=0,
    source="NVI, section 4",
)
def nvi_k(table: Contingency, base: float | None = None) -> float:
    """Variation of information over the candidate's entropy, from 0 up.

    Parameters
    ----------
    base : float, optional
        Base of the logarithm where the candidate is a single cluster; a ratio elsewhere.

    Returns
    -------
    float
        0: identical.

    Notes
    -----
    VI / H(candidate) = nvi(candidate, reference); H(candidate) = 0: H(reference). O(cells).

    References
    ----------
    NVI (CoNLL 2009), section 4.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.nvi_k([0, 0, 0, 0], [0, 0, 1, 1])
    1.0
    """
    return _nvi_k(sums(table), base)
