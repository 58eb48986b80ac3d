"""Information: entropies of the clusterings and what they share."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np

from partwise.labels.clustering import as_clustering
from partwise.measures.components.losses import (
    of_conditional_entropy,
    of_joint_information,
    of_mean_information,
    of_mutual_information,
)
from partwise.measures.formulas import (
    Result,
    in_base,
    larger,
    of_entropies,
    of_information,
    ratio,
    root,
    smaller,
)
from partwise.measures.information import measure
from partwise.measures.information.entropy_sums import information, over, sums
from partwise.numbers.checks import one_of
from partwise.table.alignment import Alignment
from partwise.table.arguments import Reference, table_of
from partwise.table.contingency import Contingency

__all__ = [
    "conditional_entropy",
    "entropy",
    "joint_entropy",
    "mutual_information",
    "normalized_mutual_information",
]

Average = Literal["arithmetic", "geometric", "min", "max", "joint"]
AVERAGES: tuple[str, ...] = get_args(Average)


# ---- as functions of sums, see formulas.py ----------------------------------------------


def _joint_entropy(s: Any, base: float | None = None) -> Result:
    return in_base(s.joint, s.unit, base)


def _conditional_entropy(s: Any, base: float | None = None) -> Result:
    return in_base(s.merge, s.unit, base)


def _mutual_information(s: Any, shared: Any, base: float | None = None) -> Result:
    return in_base(shared.above, shared.below, base)


def _normalized(s: Any, shared: Any, average: str = "arithmetic") -> Result:
    a, b = s.reference, s.candidate
    if average == "geometric":
        above, below = over(s, shared, 1)
        return root(ratio(above * above, below * below * (a * b), s.identical))
    if average == "arithmetic":
        return ratio(*over(s, shared, a + b, 2), s.identical)
    if average == "joint":
        return ratio(*over(s, shared, s.joint), s.identical)
    mean = smaller(a, b) if average == "min" else larger(a, b)
    return ratio(*over(s, shared, mean), s.identical)


# ---- the measures ------------------------------------------------------------------------


def entropy(
    clustering: Reference,
    *,
    side: Literal["reference", "candidate"] | None = None,
    base: float | None = None,
) -> float:
    """Entropy of a clustering, in [0, ln n] nats.

    Parameters
    ----------
    clustering
        One clustering, or an ``Alignment`` or ``Contingency`` together with ``side``.
    side : {"reference", "candidate"}, optional
        Which clustering of an alignment or table; needed there, refused elsewhere.
    base : float, optional
        Base of the logarithm; nats by default.

    Returns
    -------
    float
        0: a single cluster (or n = 0); ln n: all singletons.

    Raises
    ------
    TypeError
        ``side`` is missing for a table, or given beside one clustering.
    ValueError
        Another word for ``side``, a base that is none, a missing label.

    Notes
    -----
    -sum (n_i / n) ln(n_i / n) as an exact difference of sums of x ln x. O(n).

    References
    ----------
    Split-merge (ICML 2012), section 2; NVI (CoNLL 2009), section 3.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.entropy(["x", "x", "y", "y"], base=2)
    1.0
    """
    if isinstance(clustering, (Alignment, Contingency)):
        if side is None:
            raise TypeError('entropy of a table needs side="reference" or side="candidate"')
        one_of(side, ("reference", "candidate"), "side")
        s = sums(table_of(clustering, None, {}, "entropy"))
        value = s.reference if side == "reference" else s.candidate
        return in_base(value, s.unit, base)
    if side is not None:
        raise TypeError("entropy takes side= only with an Alignment or a Contingency")
    alone = as_clustering(clustering, "clustering")
    gone = alone.column.missing
    if gone is not None:
        raise ValueError(
            f"the clustering has {int(gone.sum())} missing labels, the first at index "
            f"{int(np.flatnonzero(gone)[0])}; leave these items out first"
        )
    table = table_of(alone, alone, {}, "entropy")
    s = sums(table)
    return in_base(s.reference, s.unit, base)


@measure(
    under_chance="information",
    formula=of_entropies(_joint_entropy),
    range=(0, None),
    direction=None,
    symmetric=True,
    default=False,
    source="SM, section 2; NVI, section 3",
)
def joint_entropy(table: Contingency, base: float | None = None) -> float:
    """Entropy of the meet of both clusterings, in [0, ln n] nats.

    Parameters
    ----------
    base : float, optional
        Base of the logarithm; nats by default.

    Returns
    -------
    float
        0: both are a single cluster (or n = 0).

    Notes
    -----
    -sum (n_ij / n) ln(n_ij / n). O(cells).

    References
    ----------
    Split-merge (ICML 2012), section 2.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.joint_entropy([0, 0, 1, 1], [0, 1, 0, 1], base=2)
    2.0
    """
    return _joint_entropy(sums(table), base)


@measure(
    under_chance="information",
    formula=of_entropies(_conditional_entropy),
    decomposition=of_conditional_entropy,
    range=(0, None),
    direction="lower",
    value_if_identical=0,
    join_weighted=True,
    default=False,
    source="SM, section 2; NVI, section 3",
)
def conditional_entropy(table: Contingency, base: float | None = None) -> float:
    """Entropy of the first clustering once the second is known, in [0, ln n] nats.

    ``conditional_entropy(a, b)`` is H(a | b).

    Parameters
    ----------
    base : float, optional
        Base of the logarithm; nats by default.

    Returns
    -------
    float
        0 exactly: every cluster of b lies inside a cluster of a (or n = 0).

    Notes
    -----
    sum_ij (n_ij / n) ln(m_j / n_ij): non-negative terms. O(cells).

    References
    ----------
    NVI (CoNLL 2009), section 3.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.conditional_entropy([0, 1, 2, 3], [0, 0, 1, 1], base=2)
    1.0
    """
    return _conditional_entropy(sums(table), base)


@measure(
    under_chance="information",
    formula=of_information(_mutual_information),
    decomposition=of_mutual_information,
    range=(0, None),
    direction="higher",
    symmetric=True,
    exactness="2 ulp",
    source="SM, section 2; PSI, equation (7)",
)
def mutual_information(table: Contingency, base: float | None = None) -> float:
    """Information the clusterings share, in [0, min(H(a), H(b))] nats.

    Parameters
    ----------
    base : float, optional
        Base of the logarithm; nats by default.

    Returns
    -------
    float
        0 exactly: independent clusterings (or n = 0).

    Notes
    -----
    sum_ij (n_ij / n) ln(n n_ij / (n_i m_j)). Independence is decided on integers; close to it
    a form without cancellation is used, so tiny values keep their relative accuracy. O(cells).

    References
    ----------
    Split-merge (ICML 2012), section 2; Pair Sets Index (TKDE 2016), equation (7).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.mutual_information([0, 0, 1, 1], [0, 1, 0, 1])
    0.0
    """
    return _mutual_information(sums(table), information(table), base)


@measure(
    under_chance="information",
    formula=of_information(_normalized),
    decomposition=of_mean_information,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    normalized=True,
    exactness="2 ulp",
    source="SM, section 3.3; PSI, Table 2",
    variants={
        "average=geometric": {"decomposition": None},
        "average=min": {"decomposition": None},
        "average=max": {"metric": True, "decomposition": None},
        "average=joint": {
            "metric": True,
            "decomposition": of_joint_information,
            "under_chance": None,
        },
    },
)
def normalized_mutual_information(table: Contingency, average: Average = "arithmetic") -> float:
    """Mutual information over a mean of the two entropies, in [0, 1].

    Parameters
    ----------
    average : {"arithmetic", "geometric", "min", "max", "joint"}, default "arithmetic"
        Mean of H(a), H(b); "joint" divides by H(a, b) instead.

    Returns
    -------
    float
        1: identical ("min": one refines the other); 0: independent.

    Raises
    ------
    ValueError
        ``average`` is another word.

    Notes
    -----
    One or both a single cluster: 1 if identical, else 0. 1 - NMI is a metric for "max" and
    "joint" only. Not corrected for chance: theorem 1 of PSI equates it with adjusted mutual
    information, which holds only if the expected one is put to 0. O(cells).

    References
    ----------
    Split-merge (ICML 2012), section 3.3 (max); Pair Sets Index (TKDE 2016), Table 2.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.normalized_mutual_information([0, 0, 1, 1], [0, 1, 2, 2], average="min")
    1.0
    """
    one_of(average, AVERAGES, "average")
    return _normalized(sums(table), information(table), average)
