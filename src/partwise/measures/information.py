"""Information: entropies of the two clusterings, from exact integer sums of x ln x.

With X = sum of x ln x (2^-64 units) over the cells, A over the rows, B over the columns and
N = n ln n: n H(a) = N - A, n H(a|b) = B - X, n VI = A + B - 2 X, n I = N + X - A - B. All but
the last are sums of non-negative terms that vanish together with their exact zero, so these
differences lose nothing; I gets another form where it is tiny.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from partwise import _kernels
from partwise.catalogue import measure, table_of
from partwise.contingency import Contingency, shared
from partwise.labels.clustering import as_clustering

AVERAGES = ("arithmetic", "geometric", "min", "max", "joint")


def fraction_bits(n: int) -> int:
    """Return the fraction bits of x ln x for totals up to n: nothing passes 127 bits."""
    return 64 if n < 1 << 57 else 56


def ratio(above: int, below: int) -> float:
    """Return above / below, correctly rounded."""
    return above / below


@dataclass(frozen=True, slots=True)
class Sums:
    """Entropies times n, in units of 2^-bits (all exact integers)."""

    n: int
    bits: int
    top: int  # n ln n
    rows: int
    cols: int
    cells: int

    @property
    def unit(self) -> int:
        """Divide by this to get nats."""
        return max(self.n, 1) << self.bits

    @property
    def reference(self) -> int:
        """H(reference)."""
        return self.top - self.rows

    @property
    def candidate(self) -> int:
        """H(candidate)."""
        return self.top - self.cols

    @property
    def joint(self) -> int:
        """H(reference, candidate)."""
        return self.top - self.cells

    @property
    def split(self) -> int:
        """H(candidate | reference)."""
        return self.rows - self.cells

    @property
    def merge(self) -> int:
        """H(reference | candidate)."""
        return self.cols - self.cells

    @property
    def variation(self) -> int:
        """Variation of information."""
        return self.split + self.merge

    @property
    def identical(self) -> bool:
        """Whether the clusterings are equal."""
        return self.split == 0 and self.merge == 0


@shared
def sums(table: Contingency) -> Sums:
    """Return the sums of x ln x of a table. O(cells)."""
    n = table.n_items
    bits = fraction_bits(n)
    parts = (np.array([n]), table.row_sizes, table.col_sizes, table.counts)
    top, rows, cols, cells = (_kernels.impl.sum_xlogx(part, bits) for part in parts)
    return Sums(n, bits, top, rows, cols, cells)


@shared
def independent(table: Contingency) -> bool:
    """Return whether n n_ij = n_i m_j for every pair of clusters: an integer fact."""
    rows, cols = table.shape
    if table.n_cells != rows * cols:
        return False
    return _kernels.impl.is_proportional(
        *table.cells, table.row_sizes, table.col_sizes, table.n_items
    )


class Rational(NamedTuple):
    """above / below, not reduced."""

    above: int
    below: int


@shared
def information(table: Contingency) -> Rational:
    """Return I as a rational number close to it, exactly 0 and H where it is 0 or H.

    N + X - A - B is off by at most one unit a term. Where that could be seen, I comes from
    n^2 I = sum e phi((n n_ij - e) / e) + (n^2 - sum e), e = n_i m_j over the nonzero cells,
    phi(x) = (1 + x) ln(1 + x) - x: no term is negative.
    """
    s = sums(table)
    if independent(table):
        return Rational(0, 1)
    value = s.reference - s.merge
    terms = table.n_cells + sum(table.shape) + 1
    if s.split == 0 or s.merge == 0 or value > terms << 53:
        return Rational(value, s.unit)
    n = table.n_items
    found, covered = _kernels.impl.divergence_terms(
        *table.cells, table.row_sizes, table.col_sizes, n
    )
    room = 126 - len(found).bit_length() - math.frexp(float(found.max()))[1]
    bits = max(0, room)
    total = _kernels.impl.sum_doubles(found, bits) + ((n * n - covered) << bits)
    return Rational(total, n * n << bits)


def _ln_of(base: float | None) -> float:
    """Return what nats are divided by to get units of the base."""
    if base is None:
        return 1.0
    if not (base > 0 and base != 1 and math.isfinite(base)):
        raise ValueError(f"base={base!r} must be a positive number other than 1")
    return math.log(base)


def _one_of(word: str, words: tuple[str, ...], option: str) -> None:
    if word not in words:
        raise ValueError(f"{option}={word!r} is not one of: {', '.join(words)}")


# ---- entropies ---------------------------------------------------------------------


def entropy(clustering: Any, *, side: str | None = None, base: float | None = None) -> float:
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
    if hasattr(clustering, "account"):
        if side is None:
            raise TypeError('entropy of a table needs side="reference" or side="candidate"')
        _one_of(side, ("reference", "candidate"), "side")
        s = sums(table_of(clustering, None, {}, "entropy"))
        value = s.reference if side == "reference" else s.candidate
        return ratio(value, s.unit) / _ln_of(base)
    if side is not None:
        raise TypeError("entropy takes side= only with an Alignment or a Contingency")
    alone = as_clustering(clustering, "clustering")
    table = table_of(alone, alone, {}, "entropy")
    s = sums(table)
    return ratio(s.reference, s.unit) / _ln_of(base)


@measure(
    family="information",
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
    s = sums(table)
    return ratio(s.joint, s.unit) / _ln_of(base)


@measure(
    family="information",
    range=(0, None),
    direction="lower",
    value_if_identical=0,
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
    s = sums(table)
    return ratio(s.merge, s.unit) / _ln_of(base)


@measure(
    family="information",
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
    value = information(table)
    return ratio(value.above, value.below) / _ln_of(base)


@measure(
    family="information",
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    normalized=True,
    exactness="2 ulp",
    source="SM, section 3.3; PSI, Table 2",
    variants={
        "average=geometric": {},
        "average=min": {},
        "average=max": {"metric": True},
        "average=joint": {"metric": True},
    },
)
def normalized_mutual_information(table: Contingency, average: str = "arithmetic") -> float:
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
    "joint" only. O(cells).

    References
    ----------
    Split-merge (ICML 2012), section 3.3 (max); Pair Sets Index (TKDE 2016), Table 2.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.normalized_mutual_information([0, 0, 1, 1], [0, 1, 2, 2], average="min")
    1.0
    """
    _one_of(average, AVERAGES, "average")
    s = sums(table)
    a, b = s.reference, s.candidate
    if a == 0 or b == 0:
        return 1.0 if s.identical else 0.0
    value = information(table)
    above, below = value.above * s.unit, value.below
    if average == "geometric":
        return math.sqrt(ratio(above * above, below * below * a * b))
    if average == "arithmetic":
        return ratio(2 * above, below * (a + b))
    mean = {"min": min(a, b), "max": max(a, b), "joint": s.joint}[average]
    return ratio(above, below * mean)


# ---- variation of information and its forms ----------------------------------------


@measure(
    family="information",
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
    s = sums(table)
    return ratio(s.variation, s.unit) / _ln_of(base)


def _is_farthest(table: Contingency, norm: str) -> bool:
    """Return whether VI reaches its bound, an integer fact: rounding must not blur it."""
    if not independent(table):
        return False
    if norm == "log_n":
        return table.n_cells == table.n_items  # the meet is all singletons
    if norm == "log_k":
        sizes = (table.row_sizes, table.col_sizes)
        return all(bool(np.all(side == side[0])) for side in sizes)
    return True


@measure(
    family="information",
    range=(0, 1),
    direction="lower",
    value_if_identical=0,
    symmetric=True,
    metric=True,
    normalized=True,
    source="PSI, Table 2; SM, section 3.3",
    variants={"norm=sum": {"metric": False}, "norm=log_n": {}},
)
def normalized_variation_of_information(table: Contingency, norm: str = "joint") -> float:
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
    _one_of(norm, ("joint", "sum", "log_n"), "norm")
    s = sums(table)
    if s.identical:
        return 0.0
    if _is_farthest(table, norm):
        return 1.0
    below = {"joint": s.joint, "sum": s.reference + s.candidate, "log_n": s.top}[norm]
    return ratio(s.variation, below)


@measure(
    family="information",
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
    1 - VI / ln n. O(cells).

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
    if s.identical:
        return 1.0
    if _is_farthest(table, "log_n"):
        return 0.0
    return ratio(s.top - s.variation, s.top)


@measure(
    family="information",
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    metric=True,
    join_weighted=True,
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
    1 - VI / (2 ln k). O(cells).

    References
    ----------
    Split-merge (ICML 2012), section 3.3.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.vi_similarity_log_k([0, 0, 1, 1], [0, 1, 0, 1], k=2)
    0.0
    """
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)):
        raise TypeError(f"k={k!r} must be an integer")
    if k < max(table.shape):
        rows, cols = table.shape
        raise ValueError(
            f"k={k} is below the number of clusters ({rows} and {cols}); it bounds both"
        )
    s = sums(table)
    if s.identical:
        return 1.0
    if table.shape == (k, k) and _is_farthest(table, "log_k"):
        return 0.0
    # VI / (2 ln k) = k (n VI) / (2 n k ln k), in the table's own units
    top = 2 * table.n_items * _kernels.impl.sum_xlogx(np.array([int(k)]), s.bits)
    return ratio(top - int(k) * s.variation, top)


@measure(
    family="information",
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
    VI / H(reference); H(reference) = 0: H(candidate) (in the base). O(cells).

    References
    ----------
    NVI (CoNLL 2009), section 4.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.nvi([0, 0, 1, 1], [0, 0, 0, 0])
    1.0
    """
    s = sums(table)
    unit = _ln_of(base)
    if s.reference == 0:
        return ratio(s.candidate, s.unit) / unit
    return ratio(s.variation, s.reference)


@measure(
    family="information",
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
    s = sums(table)
    unit = _ln_of(base)
    if s.candidate == 0:
        return ratio(s.reference, s.unit) / unit
    return ratio(s.variation, s.candidate)


# ---- V-measure ---------------------------------------------------------------------


@measure(
    family="information",
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
    V-measure (EMNLP 2007), equation (1), with H(C) = 0 as condition; NVI (CoNLL 2009),
    section 3.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.homogeneity([0, 0, 1, 1], [0, 1, 2, 2])
    1.0
    """
    s = sums(table)
    return _share(table, s, s.reference)


@measure(
    family="information",
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
    V-measure (EMNLP 2007), equation (2).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.completeness([0, 0, 1, 1], [0, 1, 2, 3])
    0.5
    """
    s = sums(table)
    return _share(table, s, s.candidate)


def _share(table: Contingency, s: Sums, whole: int) -> float:
    """Return I over one entropy; 1 where that is 0."""
    if whole == 0:
        return 1.0
    value = information(table)
    return ratio(value.above * s.unit, value.below * whole)


@measure(
    family="information",
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
    1, I = 0: 0. O(cells).

    References
    ----------
    V-measure (EMNLP 2007), section 2.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.v_measure([0, 0, 1, 1], [0, 1, 2, 2], beta=2)
    0.75
    """
    if not beta >= 0:
        raise ValueError(f"beta={beta!r} must be a number from 0 to infinity")
    s = sums(table)
    if beta == 0:
        return _share(table, s, s.reference)
    if math.isinf(beta):
        return _share(table, s, s.candidate)
    if s.reference == 0 and s.candidate == 0:
        return 1.0
    value = information(table)
    # with h = I / H(a) and c = I / H(b): (1 + beta) I / (H(a) + beta H(b))
    p, q = Fraction(beta).as_integer_ratio()
    mean = q * s.reference + p * s.candidate
    return ratio((p + q) * value.above * s.unit, value.below * mean)
