"""How consistently many clusterings treat each item: mean element-centric similarity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partwise import _kernels
from partwise._kernels.long_columns import by_blocks
from partwise.labels import Clustering
from partwise.labels.clustering import as_clustering, first_appearance_labels
from partwise.labels.columns import refuse_read_before
from partwise.labels.items.in_order import codes_in_order, order_of, refuse_other_orders
from partwise.labels.items.several import in_order_of_names, named_clusterings
from partwise.numbers.arrays import FloatArray, IntArray
from partwise.numbers.masked import has_masked
from partwise.progress import track
from partwise.scoring.many import ManyCodes
from partwise.typing import Column, Labels

#: A similarity is a sum of two integers below 2^31, over 2^31 and 2^62: sums are exact.
_HALF_BITS = 31

#: A clustering that differs from the others: codes, sizes, and how often it occurs.
_Distinct = tuple[IntArray, IntArray, int]


def element_consistency(
    clusterings: Column | Iterable[Labels],
    *,
    weights: Column | Mapping[Any, float] | None = None,
    progress: bool = False,
) -> FloatArray:
    """Mean similarity of each item's clusters over all pairs of several clusterings.

    Parameters
    ----------
    clusterings : mapping, data frame, 2-D array (a column each), or sequence
        At least one; all label the same items.
    weights : array-like of int, mapping or Series by name, optional
        How often each clustering counts, at least 0; by default once.
    progress : bool, default False
        Show how many are done and the time left, on a terminal.

    Returns
    -------
    ndarray of float64, shape (n,)
        In (0, 1], in the order of the first clustering's items. 1: every clustering puts the
        same items beside this one. One minus it is called the item's frustration.

    Raises
    ------
    ValueError
        No clustering, clusterings of other items, an item without a label, or weights that
        are no whole numbers of at least 0, one for each clustering, and not all 0.

    Notes
    -----
    The mean over pairs of ``element_centric_similarity(average=None)``. Clusterings that are
    equal are compared once and count as often as they occur: two of them agree by 1. A single
    clustering disagrees with nothing: 1. Sums are taken in integers, so that the order of the
    clusterings changes no bit. O(n) for each pair of different clusterings.

    References
    ----------
    Gates, Wood, Hetrick and Ahn, Element-centric clustering comparison unifies overlaps and
    hierarchy, Scientific Reports 2019.

    Examples
    --------
    >>> import partwise as pw
    >>> pw.element_consistency([[0, 0, 1], [0, 0, 1], [0, 0, 0]]).round(3).tolist()
    [0.778, 0.778, 0.556]
    """
    by_name = named_clusterings(clusterings, "clusterings")
    if not by_name:
        refuse_read_before(clusterings, "clusterings")
        raise ValueError("element_consistency got no clustering; pass at least one")
    names = [f"clustering {name!r}" for name in by_name]
    columns = [as_clustering(*pair) for pair in zip(by_name.values(), names, strict=True)]
    weights = in_order_of_names(weights, "weights", list(by_name), "clustering")
    times = _times(weights, len(columns))
    if all(len(column) == 0 for column in columns):
        return np.empty(0, dtype=np.float64)
    many = ManyCodes.of(columns, {})
    if many is None:
        raise ValueError(
            "element_consistency compares clusterings of the same items, each with one label "
            f"everywhere: {_difference(names, columns)}"
        )
    distinct = _distinct([many.codes_of(i) for i in range(len(columns))], times)
    return _mean(distinct, progress)


def _difference(names: list[str], columns: list[Clustering]) -> str:
    """Return why clusterings are not of the same items, each with one label."""
    try:
        refuse_other_orders(names, columns)
        order = order_of(names, columns)
        for name, column in zip(names, columns, strict=True):
            codes_in_order(column, name, order)
    except ValueError as error:
        return str(error)
    return f"these have {len(columns[0])} items, which is more than it takes"


def _times(weights: Any, count: int) -> list[int]:
    """Check how often each clustering counts."""
    if weights is None:
        return [1] * count
    if has_masked(weights):
        raise ValueError("weights have masked entries; every clustering needs its weight")
    times = np.asarray(weights)
    if times.shape != (count,):
        raise ValueError(
            f"weights has shape {times.shape}; one number for each of the {count} clusterings "
            "is expected"
        )
    if times.dtype.kind not in "iu":
        wrong = [k for k, x in enumerate(times.tolist()) if not _is_whole(x)]
        if wrong:
            raise ValueError(
                f"weights[{wrong[0]}] = {times[wrong[0]]!r} is no whole number: it says how "
                "often a clustering counts"
            )
    listed = [int(x) for x in times.tolist()]
    if min(listed) < 0 or not any(listed):
        raise ValueError("weights must be at least 0 and not all 0")
    return listed


def _is_whole(value: Any) -> bool:
    """Return whether a number is whole: arrays of objects hold integers beyond 64 bits."""
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


def _distinct(columns: list[NDArray[Any]], times: list[int]) -> list[_Distinct]:
    """Return the different clusterings, each once."""
    occurrences: dict[bytes, list[Any]] = {}
    for column, often in zip(columns, times, strict=True):
        if not often:
            continue
        codes = first_appearance_labels(column)
        occurrences.setdefault(codes.tobytes(), [codes, 0])[1] += often
    return [(codes, np.bincount(codes), often) for codes, often in occurrences.values()]


def _mean(distinct: list[_Distinct], progress: bool) -> FloatArray:
    n = len(distinct[0][0])
    total = sum(often for _, _, often in distinct)
    equal = sum(often * (often - 1) // 2 for _, _, often in distinct)
    pairs = total * (total - 1) // 2
    if pairs == equal:
        return np.ones(n)
    one = 1 << _HALF_BITS
    different = track(list(combinations(distinct, 2)), "comparing", progress)
    if pairs * one > np.iinfo(np.int64).max:
        return _mean_of_many(different, n, equal, pairs)
    high, low = np.full(n, equal * one, dtype=np.int64), np.zeros(n, dtype=np.int64)
    for first, second in different:
        often = first[2] * second[2]
        scaled = _scaled(first, second)
        high += often * (scaled >> _HALF_BITS)
        low += often * (scaled & (one - 1))
    mean: FloatArray = (high + low / one) / (pairs * one)
    return mean


def _mean_of_many(
    different: Iterable[tuple[_Distinct, _Distinct]], n: int, equal: int, pairs: int
) -> FloatArray:
    """Return the mean over more pairs than sums in 64 bits can count.

    Sums are integers in digits of 31 bits, so that a product of two of them fits an int64 and
    the halves of such products can be added 2^31 times. A similarity has two digits.
    """
    one = 1 << _HALF_BITS
    exact_pairs = _digits(pairs)
    sums = np.zeros((len(exact_pairs) + 2, n), dtype=np.int64)
    for place, digit in enumerate(_digits(equal)):
        sums[place + 2] += digit
    for first, second in different:
        scaled = _scaled(first, second)
        halves = scaled & (one - 1), scaled >> _HALF_BITS
        for place, digit in enumerate(_digits(first[2] * second[2])):
            for half_place, half in enumerate(halves, place):
                product = digit * half
                sums[half_place] += product & (one - 1)
                sums[half_place + 1] += product >> _HALF_BITS
    for place in range(len(sums) - 1):  # carry
        sums[place + 1] += sums[place] >> _HALF_BITS
        sums[place] &= one - 1
    # from the lowest digit up, so that no sum is rounded above that of all pairs: 1
    part, whole = np.zeros(n), 0.0
    for sum_digit, digit in zip(sums, [0, 0, *exact_pairs], strict=True):
        part = (part + sum_digit) / one
        whole = (whole + digit) / one
    mean: FloatArray = part / whole
    return mean


def _digits(number: int) -> list[int]:
    """Return the digits of 31 bits of a whole number, the lowest first."""
    digits = []
    while number:
        digits.append(number & ((1 << _HALF_BITS) - 1))
        number >>= _HALF_BITS
    return digits


def _scaled(first: _Distinct, second: _Distinct) -> IntArray:
    """Return the similarity of each item as an integer, in units of 2^-62."""
    one = float(1 << _HALF_BITS)
    scaled: IntArray = (_similarity(first, second) * one * one).astype(np.int64)
    return scaled


def _similarity(first: _Distinct, second: _Distinct) -> FloatArray:
    """Return, of each item, the overlap of its two clusters over the larger."""
    (rows, row_sizes, _), (cols, col_sizes, _) = first, second
    k, j = len(row_sizes), len(col_sizes)
    if k * j <= len(rows):  # a table of all pairs is then no longer than the items
        places = rows * j + cols
        counts = np.bincount(places, minlength=k * j)
        larger = np.maximum(row_sizes[:, None], col_sizes[None, :]).ravel()
        dense: FloatArray = (counts / larger)[places]
        return dense
    indptr, table_cols, counts = _kernels.impl.meet(rows, cols)[2:]
    cells = _kernels.impl.locate(indptr, table_cols, rows, cols)
    return by_blocks(
        lambda r, c, cell: counts[cell] / np.maximum(row_sizes[r], col_sizes[c]),
        *(rows, cols, cells),
    )
