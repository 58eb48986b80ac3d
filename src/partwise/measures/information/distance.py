"""The information distance, its normalised form, and the coefficients each side has alone."""

from __future__ import annotations

from typing import Any, Literal

from partwise.measures.components.losses import of_completeness, of_homogeneity
from partwise.measures.components.sums import Parts, join_weighted, merge_losses, split_losses
from partwise.measures.formulas import (
    Result,
    in_base,
    larger,
    of_entropies,
    of_information,
    ratio,
)
from partwise.measures.information import measure
from partwise.measures.information.entropy_sums import independent, information, over, sums
from partwise.numbers.checks import ln_of_base, one_of
from partwise.table.contingency import Contingency

__all__ = [
    "information_distance",
    "merge_entropy",
    "normalized_information_distance",
    "split_entropy",
    "uncertainty_coefficient",
]

# ---- as functions of sums, see formulas.py ----------------------------------------------


def _split(s: Any, base: float | None = None) -> Result:
    return in_base(s.split, s.unit, base)


def _merge(s: Any, base: float | None = None) -> Result:
    return in_base(s.merge, s.unit, base)


def _distance(s: Any, base: float | None = None) -> Result:
    # the larger entropy less I is the larger of both conditional entropies
    return in_base(larger(s.split, s.merge), s.unit, base)


def _normalized(s: Any) -> Result:
    """Right but where the clusterings are independent, which is an integer fact."""
    return ratio(larger(s.split, s.merge), larger(s.reference, s.candidate))


def _uncertainty(
    s: Any, shared: Any, direction: Literal["reference", "candidate"] = "reference"
) -> Result:
    guessed = s.candidate if direction == "reference" else s.reference
    return ratio(*over(s, shared, guessed), 1)


# ---- decompositions ----------------------------------------------------------------------


def _of_split(table: Contingency, base: float | None = None) -> Parts:
    return join_weighted(table, split_losses(table) / ln_of_base(base), distance=True)


def _of_merge(table: Contingency, base: float | None = None) -> Parts:
    return join_weighted(table, merge_losses(table) / ln_of_base(base), distance=True)


def _of_uncertainty(
    table: Contingency, direction: Literal["reference", "candidate"] = "reference"
) -> Parts:
    one_of(direction, ("reference", "candidate"), "direction")
    return of_completeness(table) if direction == "reference" else of_homogeneity(table)


# ---- the measures ------------------------------------------------------------------------


@measure(
    under_chance="information",
    formula=of_entropies(_split),
    decomposition=_of_split,
    range=(0, None),
    direction="lower",
    value_if_identical=0,
    join_weighted=True,
    source="Meila 2007",
    default=False,
)
def split_entropy(table: Contingency, base: float | None = None) -> float:
    """Information that the candidate adds by splitting reference clusters, in [0, ln n] nats.

    Parameters
    ----------
    base : float, optional
        Base of the logarithm; nats by default.

    Returns
    -------
    float
        0: every reference cluster lies inside a candidate cluster.

    Raises
    ------
    ValueError
        ``base`` is not a finite number above 1.

    Notes
    -----
    H(candidate | reference) = ``conditional_entropy(candidate, reference)``; with
    ``merge_entropy`` it adds up to ``variation_of_information``. n = 0: 0. In segmentation
    these two are often called false splits and false merges. O(cells).

    References
    ----------
    Meila, Comparing clusterings: an information based distance, Journal of Multivariate
    Analysis 2007.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.split_entropy([0, 0, 0, 0], [0, 0, 1, 1], base=2)
    1.0
    """
    return _split(sums(table), base)


@measure(
    under_chance="information",
    formula=of_entropies(_merge),
    decomposition=_of_merge,
    range=(0, None),
    direction="lower",
    value_if_identical=0,
    join_weighted=True,
    source="Meila 2007",
    default=False,
)
def merge_entropy(table: Contingency, base: float | None = None) -> float:
    """Information that the candidate loses by merging reference clusters, in [0, ln n] nats.

    Parameters
    ----------
    base : float, optional
        Base of the logarithm; nats by default.

    Returns
    -------
    float
        0: every candidate cluster lies inside a reference cluster.

    Raises
    ------
    ValueError
        ``base`` is not a finite number above 1.

    Notes
    -----
    H(reference | candidate) = ``conditional_entropy(reference, candidate)``; see
    ``split_entropy``. n = 0: 0. O(cells).

    References
    ----------
    Meila, Comparing clusterings: an information based distance, Journal of Multivariate
    Analysis 2007.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.merge_entropy([0, 0, 1, 1], [0, 0, 0, 0], base=2)
    1.0
    """
    return _merge(sums(table), base)


@measure(
    formula=of_entropies(_distance),
    range=(0, None),
    direction="lower",
    value_if_identical=0,
    symmetric=True,
    metric=True,
    source="Vinh, Epps and Bailey 2010",
    default=False,
)
def information_distance(table: Contingency, base: float | None = None) -> float:
    """Return the larger entropy less the mutual information, in [0, ln n] nats.

    Parameters
    ----------
    base : float, optional
        Base of the logarithm; nats by default.

    Returns
    -------
    float
        0 exactly: identical.

    Raises
    ------
    ValueError
        ``base`` is not a finite number above 1.

    Notes
    -----
    max(H(a), H(b)) - I = max(H(a | b), H(b | a)), a metric between half of
    ``variation_of_information`` and all of it. n = 0: 0. O(cells).

    References
    ----------
    Vinh, Epps and Bailey, Information theoretic measures for clusterings comparison, Journal
    of Machine Learning Research 2010.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.information_distance([0, 0, 1, 1], [0, 1, 0, 1], base=2)
    1.0
    """
    return _distance(sums(table), base)


@measure(
    formula=of_entropies(_normalized, unsure_near_independence=True),
    range=(0, 1),
    direction="lower",
    value_if_identical=0,
    symmetric=True,
    metric=True,
    normalized=True,
    source="Vinh, Epps and Bailey 2010",
    default=False,
)
def normalized_information_distance(table: Contingency) -> float:
    """Return the information distance over the larger entropy, in [0, 1].

    Returns
    -------
    float
        0 exactly: identical; 1 exactly: independent.

    Notes
    -----
    1 - I / max(H(a), H(b)), which is 1 - ``normalized_mutual_information`` with
    ``average="max"``; a metric. One cluster on both sides, or n = 0: 0. Other clusterings whose
    mass is in one cluster on either side share nothing: 1. O(cells).

    References
    ----------
    Vinh, Epps and Bailey, Information theoretic measures for clusterings comparison, Journal
    of Machine Learning Research 2010.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.normalized_information_distance([0, 0, 1, 1], [0, 1, 0, 1])
    1.0
    """
    s = sums(table)
    if not s.identical and _shares_nothing(table):
        return 1.0
    return _normalized(s)


def _shares_nothing(table: Contingency) -> bool:
    if table.masses is None:
        return independent(table)
    return bool(information(table).above == 0)


@measure(
    under_chance="information",
    formula=of_information(_uncertainty),
    decomposition=_of_uncertainty,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    normalized=True,
    exactness="2 ulp",
    source="Theil 1970",
    default=False,
    variants={"direction=candidate": {}},
)
def uncertainty_coefficient(
    table: Contingency, direction: Literal["reference", "candidate"] = "reference"
) -> float:
    """Share of one side's entropy that the other side explains (Theil's U), in [0, 1].

    Parameters
    ----------
    direction : {"reference", "candidate"}, default "reference"
        The side that is known; the entropy of the other is explained.

    Returns
    -------
    float
        1: the known side refines the other; 0: independent.

    Raises
    ------
    ValueError
        ``direction`` is another word.

    Notes
    -----
    I / H(candidate), which is ``completeness``, or I / H(reference), which is
    ``homogeneity``. A single cluster to explain, or n = 0: 1. O(cells).

    References
    ----------
    Theil, On the estimation of relationships involving qualitative variables, American
    Journal of Sociology 1970.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.uncertainty_coefficient([0, 0, 1, 1], [0, 0, 0, 0], direction="candidate")
    0.0
    """
    one_of(direction, ("reference", "candidate"), "direction")
    return _uncertainty(sums(table), information(table), direction)
