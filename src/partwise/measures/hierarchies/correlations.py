"""How alike two hierarchies order the pairs of items: cophenetic correlation, Baker's gamma."""

from __future__ import annotations

import math
from typing import Literal

from partwise import _kernels
from partwise.labels.hierarchies.hierarchy import Hierarchy
from partwise.measures.hierarchies.joint import HierarchyPair, correlation
from partwise.numbers.checks import one_of

__all__ = ["baker_gamma", "cophenetic_correlation"]


def cophenetic_correlation(reference: Hierarchy, candidate: Hierarchy) -> float:
    """Correlation of the heights at which two items come together, over all pairs, in [-1, 1].

    Parameters
    ----------
    reference, candidate : Hierarchy
        Of the same items, each with one root.

    Returns
    -------
    float
        Pearson's correlation; not a number where all pairs of a side have the same height, or
        there is no pair.

    Raises
    ------
    TypeError
        An argument is no ``Hierarchy``.
    ValueError
        The items differ, or some items of a side have no common cluster, and so no height.

    Notes
    -----
    The height of two items is that of the smallest cluster with both, also where it is lower
    than one inside of it. No list of the pairs is made: for each cluster of the tree whose
    clusters are smaller, a pass over its items tells which heights its pairs have in the other
    tree. O(n + items of all its clusters): n log n where it is balanced, n^2 / 2 where every
    cluster adds one item; about 90 bytes an item. Heights are taken in 2^-51 of their range,
    and sums of them are exact, so that no order changes a bit.

    References
    ----------
    Sokal and Rohlf, The comparison of dendrograms by objective methods, Taxon 1962.

    Examples
    --------
    >>> import partwise as pw
    >>> one = pw.Hierarchy.from_newick("(((a,b),c),d);")
    >>> two = pw.Hierarchy.from_newick("((a,b),(c,d));")
    >>> round(pw.cophenetic_correlation(one, two), 4)
    0.3162
    """
    pair = HierarchyPair.of(reference, candidate, "cophenetic_correlation")
    for side, name in ((pair.first, "reference"), (pair.second, "candidate")):
        if side.tree.n_roots > 1:
            raise ValueError(
                f"the {name} has {side.tree.n_roots} roots, and items below different ones "
                "have no height; join the roots by one more cluster, at a height of its own"
            )
    if pair.n_items < 2:
        return math.nan
    first, second = pair.shallow_first()
    return correlation(first, second, first.whole_heights, second.whole_heights)


def baker_gamma(
    reference: Hierarchy,
    candidate: Hierarchy,
    *,
    statistic: Literal["gamma", "spearman"] = "gamma",
) -> float:
    """Rank correlation of the levels at which two items come together, in [-1, 1].

    Parameters
    ----------
    reference, candidate : Hierarchy
        Of the same items.
    statistic : {"gamma", "spearman"}, default "gamma"
        Goodman and Kruskal's gamma, which is Baker's: of all pairs of pairs of items that
        neither side has at one level, those in the same order less those in opposite orders,
        over both. Or Spearman's correlation with mean ranks, which R's dendextend gives under
        the name of Baker.

    Returns
    -------
    float
        Not a number where nothing is in an order: all pairs of a side at one level.

    Raises
    ------
    TypeError
        An argument is no ``Hierarchy``.
    ValueError
        The items differ, or ``statistic`` is another word.

    Notes
    -----
    The level of two items is the largest number of clusters in a cut that has them together.
    Clusters of equal height come about together, at one level. Items without a common cluster
    are at a level above all. Counts are exact integers. O(n + items of all clusters of the
    tree whose clusters are smaller), with a factor log n for gamma: see
    ``cophenetic_correlation``; about 120 bytes an item.

    References
    ----------
    Baker, Stability of two hierarchical grouping techniques, JASA 1974.

    Examples
    --------
    >>> import partwise as pw
    >>> one = pw.Hierarchy.from_newick("(((a:1,b:1):1,c:2):1,d:3);")
    >>> two = pw.Hierarchy.from_newick("((a:1,b:1):2,(c:2,d:2):1);")
    >>> round(pw.baker_gamma(one, two), 4)
    0.4286
    """
    one_of(statistic, ("gamma", "spearman"), "statistic")
    pair = HierarchyPair.of(reference, candidate, "baker_gamma")
    if pair.n_items < 2:
        return math.nan
    first, second = pair.shallow_first()
    if statistic == "spearman":
        return correlation(first, second, first.twice_ranks, second.twice_ranks)
    same, opposite = _kernels.impl.pair_orders(
        first.left,
        first.right,
        first.levels,
        second.left,
        second.right,
        second.levels,
        int(second.levels[-1]) + 1,
    )
    return (same - opposite) / (same + opposite) if same + opposite else math.nan
