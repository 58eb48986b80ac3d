"""The split-merge framework: scores of clusters by their parts, combined over the meet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_args

from partwise import _kernels
from partwise.measures.components.sums import Parts
from partwise.measures.error_bound import OF_DIFFERENCES
from partwise.measures.split_merge import measure
from partwise.measures.split_merge.cluster_scores import entropy_score, max_share
from partwise.measures.split_merge.item_scores import features_refused
from partwise.measures.split_merge.subcomponent_mse import by_distances, by_features
from partwise.measures.split_merge.subcomponent_scores import (
    ONE,
    ScoreFunction,
    Scores,
    by_entropy,
    by_function,
    by_log_k,
    by_max_share,
    combined,
    entropy_scores,
    parts_of,
)
from partwise.numbers.checks import one_of
from partwise.table.arguments import Clusterings, as_table
from partwise.table.contingency import Contingency
from partwise.table.memo import memoized

__all__ = [
    "s_entropy",
    "s_mse",
    "split_merge",
]

ClusterScore = Literal["entropy", "mse", "max_share", "log_k"]
SCORES: tuple[str, ...] = get_args(ClusterScore)
Combination = Literal["product", "mean"]
COMBINES: tuple[str, ...] = get_args(Combination)
_MEAN = {
    "conditionally_normalized": False,
    "normalized": False,
    "subcomponent_consistent": False,
}


def of_s_entropy(table: Contingency, combine: str = "product") -> Parts:
    """Cells weigh their items, the cells of a component its share."""
    one_of(combine, COMBINES, "combine")
    return parts_of(table, by_entropy(table), combine)


@memoized
def _entropy_products(table: Contingency) -> int:
    """Return the sum of n_ij s(A_i) s(B_j), times 2^124."""
    return _kernels.impl.sum_products(*table.cells, *entropy_scores(table))


@memoized
def _entropy_sums(table: Contingency) -> tuple[int, int]:
    """Return the sums of n_i s(A_i) and of m_j s(B_j), times 2^62."""
    rows, cols = entropy_scores(table)
    split = _kernels.impl.sum_weighted(table.row_sizes, rows)
    return split, _kernels.impl.sum_weighted(table.col_sizes, cols)


@measure(
    cluster_score=entropy_score,
    decomposition=of_s_entropy,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    join_weighted=True,
    conditionally_normalized=True,
    normalized=True,
    subcomponent_consistent=True,
    source="SM, section 4.5 and equations (4), (5)",
    variants={"combine=mean": _MEAN},
)
def s_entropy(table: Contingency, combine: Combination = "product") -> float:
    """Split-merge score S_H: how whole each item's clusters stay on both sides, in [0, 1].

    Parameters
    ----------
    combine : {"product", "mean"}, default "product"
        S* (equation 4) multiplies an item's split and merge score, S' (equation 5) takes
        their mean.

    Returns
    -------
    float
        1: identical; 0 (product): no pair of items is together in both and no cluster is
        shared.

    Raises
    ------
    ValueError
        ``combine`` is another word.

    Notes
    -----
    The score of a cluster of size x is the sum of p ln p over its parts p, divided by x ln x:
    1 if whole (also for a singleton), 0 if it falls into single items. S* = sum_ij (n_ij / n)
    s(A_i) s(B_j); n = 0: 1. Cluster scores are fractions of 2^62, their products are summed
    exactly, so 0 and 1 are exact. O(cells).

    Against all singletons it is the share of items that are alone already, which can be 0 (the
    proof of SM's proposition 5.1 says otherwise; the proposition holds).

    References
    ----------
    Split-merge (ICML 2012), section 4.5, equations (4) and (5).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.s_entropy([0, 0, 1, 1], [0, 1, 2, 2])
    0.5
    """
    n = table.n_items
    one_of(combine, COMBINES, "combine")
    if n == 0:
        return 1.0
    if table.all_masses is not None:
        return combined(table, by_entropy(table), combine, ("entropy", None))
    if combine == "product":
        return _entropy_products(table) / (n * ONE * ONE)
    return sum(_entropy_sums(table)) / (2 * n * ONE)


def _features_of_mse(clusterings: Clusterings, name: str) -> Scores:
    if isinstance(clusterings, Contingency):
        raise TypeError(
            f"{name} needs the items, which a Contingency does not hold; pass two clusterings "
            "with features=, or an Alignment"
        )
    return by_features(clusterings)


def of_s_mse(clusterings: Clusterings, combine: str = "product") -> Parts:
    """Cells weigh their items, the cells of a component its share."""
    one_of(combine, COMBINES, "combine")
    return parts_of(as_table(clusterings), _features_of_mse(clusterings, "s_mse"), combine)


@measure(
    decomposition=of_s_mse,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    join_weighted=True,
    normalized=True,
    subcomponent_consistent=True,
    requires=("features",),
    items=True,
    error_bound=OF_DIFFERENCES,
    source="SM, section 4.5 (MSE)",
    default=False,
    variants={"combine=mean": {**_MEAN, "requires": ("features",)}},
)
def s_mse(clusterings: Clusterings, combine: Combination = "product") -> float:
    """Split-merge score by squared error: how much spread parts keep of clusters, in [0, 1].

    Parameters
    ----------
    features : array-like of shape (n, d) or (n,), or mapping by item
        Row of numbers of each item; see ``align``.
    combine : {"product", "mean"}, default "product"
        S* (equation 4) or S' (equation 5), as in ``s_entropy``.

    Returns
    -------
    float
        1: identical; 0 (product): no pair of items is together in both and no cluster is
        shared.

    Raises
    ------
    ValueError
        ``combine`` is another word; features are missing.
    TypeError
        A table, which holds no items.

    Notes
    -----
    The score of a cluster is the sum of squared distances of its items to the centres of their
    parts, over that to its own centre: 1 if whole, 0 if it falls into single items. Parts with
    equal centres score 1 as well, though split, so only features in general position make it
    conditionally normalised. A cluster of x items in one place, in m parts: (x - m) / (x - 1).
    n = 0: 1. Sums in fixed point: the order of items changes no bit. O(n d).

    References
    ----------
    Split-merge (ICML 2012), section 4.5; the ratio is as printed, not inverted.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.s_mse([0, 0, 0, 0], [0, 0, 1, 1], features=[0, 2, 4, 6])
    0.2
    """
    one_of(combine, COMBINES, "combine")
    scores, table = _features_of_mse(clusterings, "s_mse"), as_table(clusterings)
    return combined(table, scores, combine, ("mse", None)) if table.n_items else 1.0


# ---- any score ---------------------------------------------------------------------


def subcomponent_scores_of(
    clusterings: Clusterings, score: str | ScoreFunction, k: Any, distances: Any
) -> Scores:
    """Return the scores of the clusters of both sides."""
    if not callable(score):
        one_of(score, SCORES, "score")
    table = as_table(clusterings)
    if k is not None and score != "log_k":
        raise TypeError(f'k= belongs to score="log_k", not to {_named(score)}')
    if callable(score):
        return by_function(clusterings, score, distances)
    if distances is not None and score != "mse":
        raise TypeError(
            f'distances= belongs to score="mse" or a function that asks for them, not to '
            f"{_named(score)}"
        )
    if score == "entropy":
        return by_entropy(table)
    if score == "max_share":
        return by_max_share(table)
    if score == "log_k":
        return by_log_k(table, k)
    if distances is None:
        return _features_of_mse(clusterings, 'split_merge(score="mse")')
    if isinstance(clusterings, Contingency):
        raise TypeError(
            "split_merge with distances= needs the items, which a Contingency does not hold; "
            "pass two clusterings, or an Alignment"
        )
    return by_distances(clusterings, distances)


def _named(score: Any) -> str:
    return "a function" if callable(score) else f'"{score}"'


def _features_refused(score: Any = "entropy", distances: Any = None, **further: Any) -> str:
    """Return why ``features=`` would not be used with these options, "" where they are."""
    if callable(score):
        return features_refused(score, distances)
    if score != "mse" and score in SCORES:
        return (
            f'features= belongs to score="mse" or a function that asks for them, not to '
            f"{_named(score)}"
        )
    if distances is not None:
        return "split_merge takes distances= in place of features=; pass one of the two"
    return ""


def _check_combine(combine: Any) -> None:
    if not callable(combine):
        one_of(combine, COMBINES, "combine")


def of_split_merge(
    clusterings: Clusterings,
    score: Any = "entropy",
    combine: Any = "product",
    k: int | None = None,
    distances: Any = None,
) -> Parts:
    """Cells weigh their items, the cells of a component its share."""
    _check_combine(combine)
    return parts_of(
        as_table(clusterings), subcomponent_scores_of(clusterings, score, k, distances), combine
    )


@measure(
    cluster_score=entropy_score,
    decomposition=of_split_merge,
    range=(0, 1),
    direction="higher",
    value_if_identical=1,
    symmetric=True,
    join_weighted=True,
    conditionally_normalized=True,
    normalized=True,
    subcomponent_consistent=True,
    items=True,
    features_refused=_features_refused,
    call_only=("distances",),
    source="SM, sections 4.3 to 4.5, equations (3) to (5)",
    default=False,
    variants={
        "score=max_share, combine=mean": {**_MEAN, "metric": True, "cluster_score": max_share}
    },
)
def split_merge(
    clusterings: Clusterings,
    score: ClusterScore | ScoreFunction = "entropy",
    combine: Combination | Callable[..., Any] = "product",
    k: int | None = None,
    distances: Any = None,
) -> float:
    """Split-merge similarity with any score of a cluster by its parts, in [0, 1].

    Parameters
    ----------
    score : {"entropy", "mse", "max_share", "log_k"} or callable, default "entropy"
        1 - H(parts) / ln size; squared error left in the parts (needs features= or
        distances=); largest part / size; 1 - H(parts) / ln k (needs k=). A function
        ``score(sizes, indptr, parts)`` is called once for each side: cluster i has
        ``sizes[i]`` items and the parts ``parts[indptr[i]:indptr[i + 1]]``; it gives an array
        of one number in [0, 1] for each cluster. It may ask for more of the items, by
        keyword-only parameters without a default: see the notes.
    combine : {"product", "mean"} or callable, default "product"
        S* (equation 4), S' (equation 5), or a function of two arrays, the split and the merge
        score of the clusters of each cell, giving an array of numbers in [0, 1] (equation 3).
    k : int, optional
        For score="log_k": at least the number of clusters of either side.
    distances : array-like of shape (n, n) or (n (n - 1) / 2,), or callable, optional
        For score="mse" in place of features: plain distances, which are squared here; for a
        function that asks for them. A function gets two arrays of places of items, in the
        order of ``align(...).items``; "mse" only asks about pairs in one cluster, some million
        at a time.

    Returns
    -------
    float
        1: identical (if the score gives 1 to whole clusters).

    Raises
    ------
    ValueError
        Another word; k too small; a function that leaves [0, 1] (the cluster is named);
        distances under which parts have more spread than their cluster (it is named).
    TypeError
        k, features or distances beside a score that has no use for them; a function that asks
        for something else; a table where items are needed.

    Notes
    -----
    sum_ij (n_ij / n) sigma(s(A_i), s(B_j)); n = 0: 1. "entropy" is ``s_entropy``, "mse" with
    features ``s_mse``. "max_share" with "mean" is 1 - ``van_dongen(normalized=True)``, "log_k"
    with "mean" is ``vi_similarity_log_k`` (SM prints ln k^2, which it is not). Functions see
    numbers of items; with weights, cells weigh their mass. ``check_subcomponent_score`` says
    which of the paper's properties a score has. O(cells); "mse" O(n d), or the pairs inside
    clusters.

    A function that has ``items``, ``features``, ``weights`` or ``distances`` among its
    keyword-only parameters is given them for all items of the side, part after part in the
    order of ``parts``: the places in ``align(...).items``, the rows of numbers, the masses (1
    each without weights), and a function ``distances(i, j)`` of two arrays of rows of these,
    which are broadcast: from ``distances=``, else Euclidean from ``features=``.

    References
    ----------
    Split-merge (ICML 2012), sections 4.3 to 4.5, equations (3) to (5).

    Examples
    --------
    >>> import partwise as pw
    >>> pw.split_merge([0, 0, 1, 1], [0, 1, 1, 1], score="max_share", combine="mean")
    0.75
    >>> def whole(sizes, indptr, parts):
    ...     return indptr[1:] - indptr[:-1] == 1
    >>> pw.split_merge([0, 0, 1, 1, 2], [0, 1, 2, 2, 3], score=whole)
    0.6
    """
    _check_combine(combine)
    table = as_table(clusterings)
    if score == "entropy" and combine in COMBINES and k is None and distances is None:
        exact: float = s_entropy.__wrapped__(table, combine)  # type: ignore[attr-defined]
        return exact
    scores = subcomponent_scores_of(clusterings, score, k, distances)
    if table.n_items == 0:
        return 1.0
    known_as = (score, k) if isinstance(score, str) and distances is None else None
    return combined(table, scores, combine, known_as)
