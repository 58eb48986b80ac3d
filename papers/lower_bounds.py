"""Where measures attain their lower bounds (SM, Table 2), on all pairs of partitions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from papers.properties import TOLERANCE
from papers.search import Finding, Search, Witness, table_of_pair
from partwise.measures.catalogue import find
from partwise.table.contingency import Contingency

Condition = Callable[[Contingency], bool]


def independent(table: Contingency) -> bool:
    """H(a) + H(b) = H(a, b): every pair of clusters meets in proportion (integers decide)."""
    k, j = table.shape
    products = table.row_sizes[table.rows] * table.col_sizes[table.cols]
    return table.n_cells == k * j and bool((products == table.n_items * table.counts).all())


def bottom_meet(table: Contingency) -> bool:
    """H(a, b) = log n: no two items are together on both sides."""
    return bool(table.n_cells == table.n_items)


def _extremes(table: Contingency) -> bool:
    return bottom_meet(table) and 1 in table.shape


def _no_shared_cluster(table: Contingency) -> bool:
    shared = (table.counts == table.row_sizes[table.rows]) & (
        table.counts == table.col_sizes[table.cols]
    )
    return bottom_meet(table) and not shared.any()


def _printed_bound_of_n(table: Contingency) -> bool:
    n = table.n_items
    row_best = np.zeros(table.shape[0], dtype=np.int64)
    col_best = np.zeros(table.shape[1], dtype=np.int64)
    np.maximum.at(row_best, table.rows, table.counts)
    np.maximum.at(col_best, table.cols, table.counts)
    root = math.isqrt(n)
    printed = root + (root if root * root == n else root + 1)
    return bottom_meet(table) and int(row_best.sum() + col_best.sum()) == printed


def _of_k(table: Contingency, k: int) -> bool:
    """H(a, b) = 2 log k: k clusters on each side, independent and of equal sizes."""
    return table.shape == (k, k) and independent(table) and len(set(table.counts.tolist())) == 1


def _condition(search: Search) -> Condition | None:
    row = search.subject.entry
    if row is not None and row.function is find("vi_similarity_log_k").function:
        return lambda table: _of_k(table, row.options["k"])
    return LOWER_BOUND_CONDITIONS.get(search.subject.name)


#: SM, Table 2, without K, whose condition has a k. NMI is the one with the larger entropy.
#: The row of N is as printed, which is wrong for n = 3, 7, 8: no two clusterings with a bottom
#: meet have so few clusters, and the minimum is ceil(2 sqrt n) / 2n.
LOWER_BOUND_CONDITIONS: Mapping[str, Condition] = {
    "rand_index": _extremes,
    "classification_accuracy": _extremes,
    "van_dongen(normalized=True)": _printed_bound_of_n,
    "mutual_information": independent,
    "normalized_mutual_information(average=max)": (
        lambda table: independent(table) and table.shape != (1, 1)
    ),
    "vi_similarity_log_n": lambda table: independent(table) and bottom_meet(table),
    "s_entropy": _no_shared_cluster,
}


def lower_bound_holds(measure: Any, condition: Condition | None = None, n: int = 5) -> Finding:
    """Return whether a measure is smallest exactly where a condition says so.

    Parameters
    ----------
    measure : str, Measure or callable
        See ``is_metric``. Of a distance d, 1 - d is looked at.
    condition : callable, optional
        ``condition(table) -> bool``. Default: SM, Table 2, for its measures.
    n : int, default 5
        Number of items, at most 6.

    Returns
    -------
    Finding
        ``bounds`` are those of the similarity.

    Raises
    ------
    ValueError
        No condition is given or known.

    Notes
    -----
    The row of K needs n to be a multiple of k^2: elsewhere its smallest value is above 0. The
    printed row of N fails for n = 3 (also 7 and 8): its value is below any that occurs.

    References
    ----------
    Split-merge (ICML 2012), Table 2.

    Examples
    --------
    >>> from papers.lower_bounds import lower_bound_holds
    >>> bool(lower_bound_holds("s_entropy", n=4))
    True
    >>> print(lower_bound_holds("van_dongen(normalized=True)", n=3).witness)
    000 / 012: the smallest value, 0.666667, but the condition is not met
    """
    search = Search.of(measure, n)
    condition = condition or _condition(search)
    if condition is None:
        names = ", ".join(LOWER_BOUND_CONDITIONS)
        raise ValueError(
            f"no lower bound condition of {search.subject.name} is known (there are {names}); "
            "give condition="
        )
    similar = search.subject.similarity(search.values)
    least = float(similar.min())
    failure: Witness | None = None
    for i, a in enumerate(search.clusterings):
        for j, b in enumerate(search.clusterings):
            smallest = bool(similar[i, j] - least <= TOLERANCE)
            if failure is None and smallest != condition(table_of_pair(a, b)):
                met = "not met" if smallest else "met"
                word = "the smallest value" if smallest else "not the smallest value"
                reason = f"{word}, {similar[i, j]:.6g}, but the condition is {met}"
                failure = search.witness((i, j), (similar[i, j],), reason)
    bounds = (least, float(similar.max()))
    return Finding(failure is None, n, "lower_bound", search.subject.name, bounds, failure)
