"""Which properties of the split-merge paper a score of a cluster by its parts has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from partwise.measures.split_merge import clusters_of_items, clusters_of_sizes
from partwise.measures.split_merge.item_scores import (
    check_distances_asked,
    columns_asked_by,
    features_refused,
)
from partwise.measures.split_merge.split_merge import ClusterScore, Combination
from partwise.measures.split_merge.subcomponent_scores import ScoreFunction
from partwise.numbers.checks import one_of
from partwise.report.brief import Brief

__all__ = [
    "SubcomponentCheck",
    "check_subcomponent_score",
]

WORDS = ("entropy", "mse", "max_share", "log_k")
_MOST = 30
_MOST_ITEMS = 8
_NEAR = 1e-12


_PROPERTIES = ("monotone", "split_monotone", "strictly_monotone", "normalized", "consistent")
_SHOWN = {"split_monotone": "monotone where parts are broken in two"}


@dataclass(frozen=True, slots=True, repr=False)
class SubcomponentCheck(Brief):
    """What was found about a score on all clusters of up to ``max_size`` items.

    Attributes
    ----------
    monotone : bool
        Property 4.2: no score rises where a part is broken in two, or where an item moves from
        a part to one smaller by at least 2 (sizes less skewed).
    split_monotone : bool
        The first half of it: no score rises where a part is broken in two.
    strictly_monotone : bool
        Every score falls there, and where an item moves.
    normalized : bool
        Property 4.3: 1 for whole clusters only, 0 for clusters of at least two items in single
        ones only, between 0 and 1 elsewhere.
    consistent : bool
        Property 4.4: the similarity of {L} with its parts, and of the parts with {L}, is the
        score of L.
    witnesses : dict of str to str
        For each property that fails, the first clusters that show it: sizes of parts, or of a
        score that looks at items their numbers.
    max_size : int
    """

    monotone: bool
    split_monotone: bool
    strictly_monotone: bool
    normalized: bool
    consistent: bool
    witnesses: dict[str, str]
    max_size: int

    def __str__(self) -> str:
        lines = [f"clusters of up to {self.max_size} items:"]
        for name in _PROPERTIES:
            why = f"no, {self.witnesses[name]}" if name in self.witnesses else "yes"
            if name != "split_monotone" or not self.monotone:  # which it is a half of
                lines.append(f"  {_SHOWN.get(name, name.replace('_', ' '))}: {why}")
        return "\n".join(lines)


def check_subcomponent_score(
    score: ClusterScore | ScoreFunction,
    *,
    combine: Combination | Callable[..., Any] = "product",
    k: int | None = None,
    max_size: int | None = None,
    features: Any = None,
    distances: Any = None,
) -> SubcomponentCheck:
    """Check a subcomponent score against Properties 4.2, 4.3 and 4.4, with witnesses.

    Parameters
    ----------
    score : {"entropy", "mse", "max_share", "log_k"} or callable
        As in ``split_merge``. "mse", and a function that asks for items, features, distances or
        weights, are scores of items; the others of sizes.
    combine : {"product", "mean"} or callable, default "product"
        As in ``split_merge``; only consistency depends on it.
    k : int, optional
        For "log_k", at least ``max_size``.
    max_size : int, optional
        Clusters of 1 to this many items, in all ways of dividing them. Scores of sizes: 8 by
        default, 30 at most; scores of items: 6 by default (or as many as there are features),
        8 at most.
    features : array-like of shape (m, d) or (m,), optional
        Rows of the items of a score of items; a cluster of x items holds the first x. By
        default eight points of the plane in general position.
    distances : array-like of shape (m, m) or (m (m - 1) / 2,), or callable, optional
        Distances of the items, as in ``split_merge``, for a score that asks for them.

    Returns
    -------
    SubcomponentCheck

    Raises
    ------
    ValueError
        Another word; the score gives no array of numbers, one for each cluster; fewer features
        or distances than ``max_size``.
    TypeError
        k, features or distances beside a score that has no use for them.

    Notes
    -----
    Exhaustive over the integer partitions of each size, which the steps of Property 4.2
    connect; for a score of items over the partitions of the items. Values that differ by 1e-12
    or less count as equal, 0 and 1 must be exact. A true answer holds up to ``max_size``, and
    for these features, and proves no more.

    References
    ----------
    Split-merge (ICML 2012), Properties 4.2 to 4.4.

    Examples
    --------
    >>> import partwise as pw
    >>> print(pw.check_subcomponent_score("max_share", combine="mean", max_size=4))
    clusters of up to 4 items:
      monotone: yes
      strictly monotone: no, parts (2, 2) score 0.5, parts (2, 1, 1) 0.5
      normalized: no, parts (1, 1) score 0.5
      consistent: no, parts (1, 1) score 0.5, the similarity is 0.75

    Parts with equal centres score 1 by squared error, though the cluster is split:

    >>> of_errors = pw.check_subcomponent_score("mse", features=[-2, -1, 1, 2])
    >>> of_errors.split_monotone, of_errors.consistent, of_errors.witnesses["normalized"]
    (True, True, 'parts {0, 3}, {1, 2} score 1')
    """
    if not callable(score):
        one_of(score, WORDS, "score")
    if k is not None and score != "log_k":
        raise TypeError('k= belongs to score="log_k"')
    clusters: Clusters
    if score == "mse" or (callable(score) and columns_asked_by(score)):
        clusters = clusters_of_items.ClustersOfItems.of(score, features, distances)
        most, size = min(_MOST_ITEMS, clusters.n_items), min(6, clusters.n_items)
    else:
        _refuse_items(score, features, distances)
        clusters = clusters_of_sizes.ClustersOfSizes(score, k)
        most, size = _MOST, 8
    size = _checked_size(max_size, size, most)
    values = clusters.scores(size)
    witnesses = {
        name: witness
        for name, witness in (
            ("monotone", _first_rise(clusters, values)),
            ("split_monotone", _first_rise(clusters, values, splits_only=True)),
            ("strictly_monotone", _first_rise(clusters, values, strict=True)),
            ("normalized", _first_unnormalized(clusters, values)),
            ("consistent", _first_inconsistent(clusters, values, combine)),
        )
        if witness is not None
    }
    holds = {name: name not in witnesses for name in _PROPERTIES}
    return SubcomponentCheck(**holds, witnesses=witnesses, max_size=size)


def _refuse_items(score: str | ScoreFunction, features: Any, distances: Any) -> None:
    """Refuse features and distances beside a score of sizes."""
    if callable(score):
        check_distances_asked((), distances)
        if features is not None:
            raise TypeError(features_refused(score, None))
    for name, values in (("features", features), ("distances", distances)):
        if values is not None:
            raise TypeError(
                f'{name}= belongs to score="mse" or a function that asks for them, not to '
                f'"{score}"'
            )


def _checked_size(max_size: Any, default: int, most: int) -> int:
    if max_size is None:
        return default
    is_integer = isinstance(max_size, (int, np.integer)) and not isinstance(max_size, bool)
    if not is_integer or not 1 <= max_size <= most:
        raise ValueError(f"max_size={max_size!r} must be an integer from 1 to {most}")
    return int(max_size)


# ---- the properties ----------------------------------------------------------------

Clusters = clusters_of_sizes.ClustersOfSizes | clusters_of_items.ClustersOfItems
Values = Mapping[Any, float]


def _first_rise(
    clusters: Clusters, values: Values, *, strict: bool = False, splits_only: bool = False
) -> str | None:
    for parts, value in values.items():
        for later in _steps(clusters, parts, splits_only):
            falls = values[later] < value - _NEAR
            if not (falls if strict else values[later] <= value + _NEAR):
                shown = f"parts {clusters.shown(later)} {values[later]:.6g}"
                return f"parts {clusters.shown(parts)} score {value:.6g}, {shown}"
    return None


def _steps(clusters: Clusters, parts: Any, splits_only: bool) -> Iterator[Any]:
    yield from clusters.splits(parts)
    if not splits_only:
        yield from clusters.moves(parts)


def _first_unnormalized(clusters: Clusters, values: Values) -> str | None:
    for parts, value in values.items():
        if len(parts) == 1:
            good = value == 1
        elif len(parts) == clusters.size(parts):
            good = value == 0
        else:
            good = 0 < value < 1
        if not good:
            return f"parts {clusters.shown(parts)} score {value:.6g}"
    return None


def _first_inconsistent(clusters: Clusters, values: Values, combine: Any) -> str | None:
    for parts, value in values.items():
        shown = f"parts {clusters.shown(parts)} score {value:.6g}"
        if not 0 <= value <= 1:
            return f"{shown}, outside [0, 1]"
        for similarity in clusters.similarities(parts, combine):
            if not abs(similarity - value) <= _NEAR:
                return f"{shown}, the similarity is {similarity:.6g}"
    return None
