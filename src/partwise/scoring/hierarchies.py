"""Two hierarchies compared by every measure that takes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar

from partwise.labels.hierarchies.hierarchy import Hierarchy, check_hierarchy
from partwise.measures.hierarchies.b_k import CutSimilarities, b_k
from partwise.measures.hierarchies.correlations import baker_gamma, cophenetic_correlation
from partwise.measures.overlap.element_centric import element_centric_similarity
from partwise.scoring.results import ScoresOfTwo

#: What ``measures="default"`` leaves out: time grows with the square of the items.
_ONLY_BY_NAME = ("element_centric_similarity",)


def _few_cuts(curve: CutSimilarities) -> dict[str, float]:
    """Return B_k where k doubles, at the next cut that there is."""
    lines, wanted = {}, 2
    for k, value in zip(curve.k.tolist(), curve.values.tolist(), strict=True):
        if k >= wanted:
            lines[f"b_k k={k}"] = value
            wanted = 2 * k
    return lines


#: Each measure: from two hierarchies to lines of the report.
_MEASURES: dict[str, Callable[[Hierarchy, Hierarchy], dict[str, float]]] = {
    "cophenetic_correlation": lambda a, b: {
        "cophenetic_correlation": cophenetic_correlation(a, b)
    },
    "baker_gamma": lambda a, b: {
        "baker_gamma gamma": baker_gamma(a, b),
        "baker_gamma spearman": baker_gamma(a, b, statistic="spearman"),
    },
    "b_k": lambda a, b: _few_cuts(b_k(a, b)),
    "element_centric_similarity": lambda a, b: {
        "element_centric_similarity": element_centric_similarity(a, b)
    },
}


@dataclass(frozen=True, eq=False, repr=False)
class HierarchyComparison(ScoresOfTwo):
    """Scores of two hierarchies.

    Attributes
    ----------
    scores : dict of str to float
        By measure; those of several numbers have a line for each. Higher is better.
    reference, candidate : str
        What the hierarchies hold.
    """

    _schema: ClassVar[str] = "hierarchy-comparison/1"


def compare_hierarchies(
    reference: Hierarchy, candidate: Hierarchy, *, measures: str | Iterable[str] = "default"
) -> HierarchyComparison:
    """Compare two hierarchies by the measures that take hierarchies.

    Parameters
    ----------
    reference, candidate : Hierarchy
        Of the same items.
    measures : "default", "all", or iterable of str
        Names of functions. "default" leaves out ``element_centric_similarity``, whose time
        grows with the square of the items, and, where a side has several roots, the
        cophenetic correlation, which has no value there.

    Returns
    -------
    HierarchyComparison
        B_k only where k doubles; ``b_k`` has every k.

    Raises
    ------
    TypeError
        An argument is no ``Hierarchy``.
    ValueError
        The items differ, or a name is not that of a measure of hierarchies.

    Examples
    --------
    >>> import partwise as pw
    >>> one = pw.Hierarchy.from_newick("(((a,b),c),d);")
    >>> two = pw.Hierarchy.from_newick("((a,b),(c,d));")
    >>> result = pw.compare_hierarchies(one, two, measures=["cophenetic_correlation"])
    >>> print(result.table().text())
    measure                  score
    cophenetic_correlation  0.3162
    """
    first = check_hierarchy(reference, "reference", "compare_hierarchies")
    second = check_hierarchy(candidate, "candidate", "compare_hierarchies")
    scores: dict[str, float] = {}
    for name in _names(measures, max(first.n_roots, second.n_roots)):
        scores |= _MEASURES[name](first, second)
    return HierarchyComparison(scores, _described(first), _described(second))


def _names(measures: str | Iterable[str], n_roots: int) -> list[str]:
    if measures == "default":
        left_out = [*_ONLY_BY_NAME, *(["cophenetic_correlation"] if n_roots > 1 else [])]
        return [name for name in _MEASURES if name not in left_out]
    if measures == "all":
        return list(_MEASURES)
    names = [measures] if isinstance(measures, str) else list(measures)
    for name in names:
        if name not in _MEASURES:
            raise ValueError(
                f"measures has {name!r}, which is no measure of hierarchies; they are: "
                f"{', '.join(_MEASURES)}"
            )
    return names


def _described(tree: Hierarchy) -> str:
    return repr(tree).removeprefix("Hierarchy(").removesuffix(")")
