"""Information measures of soft clusterings: entropies of the joint law of two labels."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from partwise.labels.memberships import Memberships
from partwise.measures.information.entropy_sums import independent
from partwise.measures.information.information import (
    AVERAGES,
    Average,
    mutual_information,
    normalized_mutual_information,
)
from partwise.measures.information.joint_law import entropies, joint_law, soft_information
from partwise.measures.information.variation import variation_of_information
from partwise.numbers.arrays import FloatArray
from partwise.numbers.checks import ln_of_base, one_of
from partwise.table.count import contingency
from partwise.table.memberships_pair import as_memberships_pair
from partwise.typing import Column

__all__ = [
    "soft_contingency",
    "soft_mutual_information",
    "soft_normalized_mutual_information",
    "soft_normalized_variation_of_information",
    "soft_variation_of_information",
]

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def soft_contingency(reference: Column, candidate: Column) -> FloatArray | csr_array:
    """Share of the items in every pair of clusters, where items may be in several.

    Parameters
    ----------
    reference, candidate : array-like or sparse matrix of shape (n, k), or labels
        Row i holds the memberships of item i: finite, at least 0, adding up to 1 within 1e-9;
        used as given. Labels (in any form a measure takes) are rows of a single 1, columns in
        sorted label order.

    Returns
    -------
    ndarray of float64, shape (K, J), or scipy.sparse.csr_array
        Sparse if both sides are sparse matrices. Empty clusters keep their place.

    Raises
    ------
    ValueError
        A side is not two-dimensional, has an entry that is negative or not finite or a row
        that does not add up to 1 (the first is named), or the sides differ in length.
    TypeError
        The entries are no numbers.

    Notes
    -----
    (1/n) sum_i p_ik q_ij: draw an item, then a label on each side independently. n = 0: zeros.
    The sums are exact (memberships are cut 63 bits below the largest of their column), then
    rounded. O(n K J) as a matrix product, or O(pairs of entries in a row) where they are few.

    References
    ----------
    Mallows distance (ICML 2005), section 2.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.soft_contingency([[1, 0], [0.5, 0.5]], ["x", "y"])
    array([[0.5 , 0.25],
           [0.  , 0.25]])
    """
    first, second = as_memberships_pair(reference, candidate)
    law = joint_law(first, second)
    values = law.cells / max(first.n_items, 1)
    if first.from_sparse and second.from_sparse:
        from scipy.sparse import csr_array

        indptr = np.searchsorted(law.rows, np.arange(law.shape[0] + 1))
        return csr_array((values, law.cols, indptr), shape=law.shape)
    dense = np.zeros(law.shape)
    dense[law.rows, law.cols] = values
    return dense


def soft_mutual_information(
    reference: Column, candidate: Column, *, base: float | None = None
) -> float:
    """Information that two soft clusterings share, in [0, min(H(a), H(b))] nats.

    Parameters
    ----------
    reference, candidate
        Memberships or labels, as in ``soft_contingency``.
    base : float, optional
        Base of the logarithm; nats by default.

    Returns
    -------
    float
        0 exactly: independent (or n = 0).

    Raises
    ------
    ValueError, TypeError
        As ``soft_contingency``; a base that is none.

    Notes
    -----
    Mutual information of the law of ``soft_contingency``. A soft clustering shares less with
    itself than its entropy. All memberships 0 or 1: ``mutual_information``, the same bits.
    Rows that add up to 1 but for rounding count with their sum. Independence is decided on
    integers; close to it a form without cancellation is used. No order of items or clusters
    changes a bit. Cost as ``soft_contingency``.

    References
    ----------
    Mallows distance (ICML 2005), section 2.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.soft_mutual_information([[0.25, 0.75], [0.25, 0.75]], ["x", "y"])
    0.0
    """
    unit = ln_of_base(base)
    first, second = as_memberships_pair(reference, candidate)
    if _hard(first, second):
        return mutual_information(first.clustering(), second.clustering(), base=base)
    law = joint_law(first, second)
    return float(soft_information(law, entropies(law))) / unit


def soft_variation_of_information(
    reference: Column, candidate: Column, *, base: float | None = None
) -> float:
    """Information lost and gained between two soft clusterings, in [0, ln K + ln J] nats.

    Parameters
    ----------
    reference, candidate
        Memberships or labels, as in ``soft_contingency``.
    base : float, optional
        Base of the logarithm; nats by default.

    Returns
    -------
    float
        Above 0 for a soft clustering against itself: its labels are drawn twice.

    Raises
    ------
    ValueError, TypeError
        As ``soft_contingency``; a base that is none.

    Notes
    -----
    H(a|b) + H(b|a) of the law of ``soft_contingency``, sums of terms that are not negative.
    The triangle inequality holds (CC says it is lost), but no metric: VI(P, P) > 0 for soft P.
    n = 0: 0. All memberships 0 or 1: ``variation_of_information``, the same bits. No order of
    items or clusters changes a bit. Cost as ``soft_contingency``.

    References
    ----------
    Mallows distance (ICML 2005), sections 2 and 5.1.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.soft_variation_of_information([[0.5, 0.5]], [[0.5, 0.5]], base=2)
    2.0
    """
    unit = ln_of_base(base)
    first, second = as_memberships_pair(reference, candidate)
    if _hard(first, second):
        return variation_of_information(first.clustering(), second.clustering(), base=base)
    h = entropies(joint_law(first, second))
    return float(h.split + h.merge) / unit


def soft_normalized_variation_of_information(reference: Column, candidate: Column) -> float:
    """Variation of information of soft clusterings over ln K + ln J, in [0, 1].

    Parameters
    ----------
    reference, candidate
        Memberships or labels, as in ``soft_contingency``.

    Returns
    -------
    float
        1: independent, with clusters of equal mass on each side. Above 0 for a soft clustering
        against itself: its labels are drawn twice.

    Raises
    ------
    ValueError, TypeError
        As ``soft_contingency``.

    Notes
    -----
    ``soft_variation_of_information`` over its bound; K and J are the clusters that have any
    mass. Both a single cluster, or n = 0: 0. All memberships 0 or 1: as for labels,
    ``variation_of_information`` over the same bound. No order of items or clusters changes a
    bit. Cost as ``soft_contingency``.

    References
    ----------
    Mallows distance (ICML 2005), section 5.1.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.soft_normalized_variation_of_information([[0.5, 0.5]], [[0.5, 0.5]])
    1.0
    >>> pw.soft_normalized_variation_of_information([[1, 0], [0, 1]], ["x", "y"])
    0.0
    """
    first, second = as_memberships_pair(reference, candidate)
    if _hard(first, second):
        table = contingency(first.clustering(), second.clustering())
        shape: tuple[int, ...] = table.shape
        variation = variation_of_information(table)
        is_even = independent(table) and len(set(table.counts.tolist())) == 1
    else:
        law = joint_law(first, second)
        h = entropies(law)
        counts = law.cells_by_row, law.cells_by_col
        shape = tuple(int(np.count_nonzero(side)) for side in counts)
        variation = float(h.split + h.merge)
        cells = law.cells
        is_even = len(cells) == shape[0] * shape[1] and bool((cells == cells[0]).all())
    bound = sum(math.log(k) for k in shape if k)
    if bound == 0 or variation == 0:
        return 0.0
    return 1.0 if is_even else min(variation / bound, 1.0)


def soft_normalized_mutual_information(
    reference: Column, candidate: Column, *, average: Average = "arithmetic"
) -> float:
    """Mutual information of soft clusterings over a mean of their entropies, in [0, 1].

    Parameters
    ----------
    reference, candidate
        Memberships or labels, as in ``soft_contingency``.
    average : {"arithmetic", "geometric", "min", "max", "joint"}, default "arithmetic"
        Mean of H(a), H(b); "joint" divides by H(a, b) instead.

    Returns
    -------
    float
        0: independent. Below 1 for a soft clustering against itself.

    Raises
    ------
    ValueError, TypeError
        As ``soft_contingency``; ``average`` is another word.

    Notes
    -----
    Both a single cluster: 1; one of them: 0. All memberships 0 or 1:
    ``normalized_mutual_information``, the same bits. No order of items or clusters changes a
    bit. Cost as ``soft_contingency``.

    References
    ----------
    Mallows distance (ICML 2005), sections 2 and 5.1; Pair Sets Index (TKDE 2016), Table 2.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.soft_normalized_mutual_information([[1, 0], [0, 1]], ["x", "y"])
    1.0
    """
    one_of(average, AVERAGES, "average")
    first, second = as_memberships_pair(reference, candidate)
    if _hard(first, second):
        return normalized_mutual_information(
            first.clustering(), second.clustering(), average=average
        )
    law = joint_law(first, second)
    h = entropies(law)
    a, b = h.reference, h.candidate
    if a == 0 or b == 0:
        return 1.0 if a == b else 0.0
    value = soft_information(law, h)
    if average == "geometric":
        return math.sqrt(value * value / (a * b))
    means: dict[str, Fraction] = {
        "arithmetic": (a + b) / 2,
        "min": min(a, b),
        "max": max(a, b),
        "joint": h.joint,
    }
    return float(value / means[average])


def _hard(first: Memberships, second: Memberships) -> bool:
    return first.is_hard and second.is_hard
