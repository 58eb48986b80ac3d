"""Precision, recall and F-score of the pairs of items that are together."""

from __future__ import annotations

from typing import Any, Literal

from partwise.measures.formulas import Result, of_pairs, ratio
from partwise.measures.pairs import measure
from partwise.measures.pairs.component_pairs import (
    of_pair_f1,
    of_precision,
    of_recall,
    of_wallace,
)
from partwise.measures.pairs.pairs import confusion
from partwise.numbers.checks import flag, one_of
from partwise.table.contingency import Contingency

__all__ = [
    "pair_f1",
    "pair_precision",
    "pair_recall",
    "wallace",
]

# ---- as functions of sums, see formulas.py ----------------------------------------------


def _precision(p: Any) -> Result:
    return ratio(p.n11, p.candidate, p.identical)


def _recall(p: Any) -> Result:
    return ratio(p.n11, p.reference, p.identical)


def _f1(p: Any) -> Result:
    return ratio(2 * p.n11, p.reference + p.candidate, p.identical)


def _wallace(p: Any, direction: str = "reference", adjusted: bool = False) -> Result:
    own, other = p.reference, p.candidate
    if direction == "candidate":
        own, other = other, own
    if not adjusted:
        return ratio(p.n11, own, p.identical)
    # (n11 / own - other / total) / (1 - other / total)
    return ratio(p.n11 * p.total - own * other, own * (p.total - other), p.identical)


# ---- the measures ------------------------------------------------------------------------


@measure(
    under_chance="pairs",
    formula=of_pairs(_precision),
    decomposition=of_precision,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    normalized=True,
    source="V, section 3 (pairs of items)",
)
def pair_precision(table: Contingency) -> float:
    """Share of the candidate's pairs that are together in the reference, in [0, 1].

    Returns
    -------
    float
        1: every candidate cluster lies inside a reference cluster.

    Notes
    -----
    N11 / (N11 + N01); no pair together in the candidate: 1 if identical, else 0. Exact
    integers, one division. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.pair_precision([3, 3, 4, 4], [1, 2, 2, 2]) == 1 / 3
    True
    """
    return _precision(confusion(table))


@measure(
    under_chance="pairs",
    formula=of_pairs(_recall),
    decomposition=of_recall,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    normalized=True,
    source="V, section 3 (pairs of items)",
)
def pair_recall(table: Contingency) -> float:
    """Share of the reference's pairs that are together in the candidate, in [0, 1].

    Returns
    -------
    float
        1: every reference cluster lies inside a candidate cluster.

    Notes
    -----
    N11 / (N11 + N10); no pair together in the reference: 1 if identical, else 0. Exact
    integers, one division. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.pair_recall([3, 3, 4, 4], [1, 2, 2, 2])
    0.5
    """
    return _recall(confusion(table))


@measure(
    under_chance="pairs",
    formula=of_pairs(_f1),
    decomposition=of_pair_f1,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    normalized=True,
    source="Dice, Czekanowski on pairs",
)
def pair_f1(table: Contingency) -> float:
    """Harmonic mean of pair precision and pair recall (Dice of pairs), in [0, 1].

    Returns
    -------
    float
        1: identical; 0: no pair is together in both.

    Notes
    -----
    2 N11 / (2 N11 + N10 + N01); both all singletons: 1. Exact integers, one division.
    O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.pair_f1([3, 3, 4, 4], [1, 2, 2, 2])
    0.4
    """
    return _f1(confusion(table))


@measure(
    under_chance="pairs",
    formula=of_pairs(_wallace),
    decomposition=of_wallace,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    normalized=True,
    source="Wallace 1983; Severiano et al. 2011 (adjusted)",
    default=False,
    variants={
        "direction=candidate": {},
        "adjusted=True": {"range": (None, 1), "normalized": False, "decomposition": None},
        "direction=candidate, adjusted=True": {
            "range": (None, 1),
            "normalized": False,
            "decomposition": None,
        },
    },
)
def wallace(
    table: Contingency,
    direction: Literal["reference", "candidate"] = "reference",
    adjusted: bool = False,
) -> float:
    """Chance that a pair together in one clustering is together in the other, in [0, 1].

    Parameters
    ----------
    direction : {"reference", "candidate"}, default "reference"
        Whose pairs are asked about: "reference" is pair recall, "candidate" pair precision.
    adjusted : bool, default False
        Correct for chance: (W - E) / (1 - E), E the share of the other clustering's pairs
        among all; negative below chance.

    Returns
    -------
    float
        1: the one clustering refines the other.

    Raises
    ------
    ValueError
        ``direction`` is another word.

    Notes
    -----
    N11 / (N11 + N10) or N11 / (N11 + N01). 0/0 (also where the other clustering is a single
    cluster, adjusted): 1 if identical, else 0. Exact integers, one division. O(cells).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.wallace([3, 3, 4, 4], [1, 2, 2, 2], adjusted=True)
    0.0
    """
    one_of(direction, ("reference", "candidate"), "direction")
    return _wallace(confusion(table), direction, flag(adjusted, "adjusted"))
