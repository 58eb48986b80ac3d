"""Two covers compared by every measure that takes covers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from partwise.labels.covers.cover import Cover, check_cover
from partwise.measures.covers.average_f1 import average_f1
from partwise.measures.covers.extended_b_cubed import extended_b_cubed
from partwise.measures.covers.information import overlapping_mutual_information
from partwise.measures.covers.omega import omega_index
from partwise.measures.overlap.element_centric import element_centric_similarity
from partwise.scoring.results import ScoresOfTwo

#: What ``measures="default"`` leaves out: time may grow with the square of the items.
_ONLY_BY_NAME = ("element_centric_similarity",)


def _named(prefix: str, result: Any, fields: Iterable[str]) -> dict[str, float]:
    return {f"{prefix} {field}": getattr(result, field) for field in fields}


def _information(a: Cover, b: Cover) -> dict[str, float]:
    return {
        "overlapping_mutual_information max": overlapping_mutual_information(a, b),
        "overlapping_mutual_information lfk": overlapping_mutual_information(
            a, b, normalizer="lfk"
        ),
    }


#: Each measure: from two covers to lines of the report.
_MEASURES: dict[str, Callable[[Cover, Cover], dict[str, float]]] = {
    "omega_index": lambda a, b: {"omega_index": omega_index(a, b)},
    "overlapping_mutual_information": _information,
    "extended_b_cubed": lambda a, b: _named(
        "extended_b_cubed", extended_b_cubed(a, b), ("precision", "recall", "f")
    ),
    "average_f1": lambda a, b: _named(
        "average_f1", average_f1(a, b), ("reference", "candidate", "mean")
    ),
    "element_centric_similarity": lambda a, b: {
        "element_centric_similarity": element_centric_similarity(
            a.with_singletons(), b.with_singletons()
        )
    },
}


@dataclass(frozen=True, eq=False, repr=False)
class CoverComparison(ScoresOfTwo):
    """Scores of two covers.

    Attributes
    ----------
    scores : dict of str to float
        By measure; those of several numbers have a line for each. Higher is better.
    reference, candidate : str
        What the covers hold.
    """

    _schema: ClassVar[str] = "cover-comparison/1"


def compare_covers(
    reference: Cover, candidate: Cover, *, measures: str | Iterable[str] = "default"
) -> CoverComparison:
    """Compare two covers by the measures that take covers.

    Parameters
    ----------
    reference, candidate : Cover
        Of the same items.
    measures : "default", "all", or iterable of str
        Names of functions. "default" leaves out ``element_centric_similarity``, whose time may
        grow with the square of the items; there, items in no cluster are clusters of their own.

    Returns
    -------
    CoverComparison

    Raises
    ------
    TypeError
        An argument is no ``Cover``.
    ValueError
        The covers have different items, or a name is not that of a measure of covers.

    Examples
    --------
    >>> import partwise as pw
    >>> planted = pw.Cover([[0, 1, 2, 3], [3, 4, 5]], n_items=6)
    >>> located = pw.Cover([[0, 1, 2], [3, 4, 5]], n_items=6)
    >>> result = pw.compare_covers(planted, located, measures=["omega_index", "average_f1"])
    >>> print(result.table().text())
    measure                score
    omega_index           0.6154
    average_f1 reference  0.9286
    average_f1 candidate  0.9286
    average_f1 mean       0.9286
    """
    first = check_cover(reference, "reference", "compare_covers")
    second = check_cover(candidate, "candidate", "compare_covers")
    scores: dict[str, float] = {}
    for name in _names(measures):
        scores |= _MEASURES[name](first, second)
    return CoverComparison(scores, _described(first), _described(second))


def _names(measures: str | Iterable[str]) -> list[str]:
    if measures == "default":
        return [name for name in _MEASURES if name not in _ONLY_BY_NAME]
    if measures == "all":
        return list(_MEASURES)
    names = [measures] if isinstance(measures, str) else list(measures)
    for name in names:
        if name not in _MEASURES:
            raise ValueError(
                f"measures has {name!r}, which is no measure of covers; they are: "
                f"{', '.join(_MEASURES)}"
            )
    return names


def _described(cover: Cover) -> str:
    return repr(cover).removeprefix("Cover(").removesuffix(")")
