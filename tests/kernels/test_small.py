"""Sums of two short columns, against the table that NumPy counts; profiles of sizes."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from partwise import _kernels
from partwise.numbers.logarithm import xlogx

INTEGERS = [np.dtype(kind + size) for kind in "iu" for size in "1248"]


def literal_sums(reference, candidate):
    """Return the sums, each straight from what it means."""
    cells = Counter(zip(reference, candidate, strict=True))
    rows, cols = Counter(reference), Counter(candidate)
    sides = [list(counter.values()) for counter in (rows, cols, cells)]
    row_best = [max(c for (i, _), c in cells.items() if i == row) for row in rows]
    col_best = [max(c for (_, j), c in cells.items() if j == col) for col in cols]
    return (
        len(reference),
        *(len(side) for side in sides),
        *(sum(x * x for x in side) for side in sides),
        sum(row_best),
        sum(col_best),
        *(sum(xlogx(x, 64) for x in side) for side in sides),
    )


columns = st.integers(1, 60).flatmap(
    lambda n: st.tuples(
        *[st.lists(st.integers(-9, 9), min_size=n, max_size=n) for _ in range(2)]
    )
)


@given(columns)
def test_the_sums_are_those_of_the_table(pair):
    wanted = literal_sums(*pair)
    for sides in (pair, [np.array(side) for side in pair], (pair[0], np.array(pair[1]))):
        assert _kernels.impl.small_sums(*sides, True) == wanted
        assert _kernels.impl.small_sums(*sides, False) == wanted[:-3]


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_every_integer_type_at_both_of_its_ends(dtype):
    ends = np.iinfo(dtype)
    high = np.array([ends.max, ends.max - 1, ends.max, ends.max - 3], dtype=dtype)
    low = np.array([ends.min, ends.min, ends.min + 2, ends.min + 1], dtype=dtype)
    wanted = literal_sums(high.tolist(), low.tolist())
    assert _kernels.impl.small_sums(high, low, True) == wanted
    assert _kernels.impl.small_sums(low, np.array([3, 1, 3, 2], dtype="i4"), True)[1] == 3


@pytest.mark.parametrize("items", [1, 2047, 2048])
def test_the_longest_columns(items):
    rng = np.random.default_rng(items)
    first, second = rng.integers(0, 4, items), rng.integers(-50, 1900, items)
    wanted = literal_sums(first.tolist(), second.tolist())
    assert _kernels.impl.small_sums(first, second, True) == wanted
    assert _kernels.impl.small_sums(np.zeros(items, "u1"), second, True)[3] == wanted[2]


@pytest.mark.parametrize(
    "values",
    [
        [],
        [True, 1, 0],
        [1, 2, 2.0],
        [1, 2, None],
        [1, 2, 1 << 63],
        [1, 2, -(1 << 63) - 1],
        (1, 2, 3),
        "abc",
        None,
        np.array([1.0, 2.0, 3.0]),
        np.array([True, False, True]),
        np.array([1, 2, 3], dtype=object),
        np.array([1, 2, 3], dtype="M8[D]"),
        np.array([1, 2, 3], dtype="m8[D]"),
        np.array([1, 2, 3], dtype=">i4" if np.little_endian else "<i4"),
        np.array(["a", "b", "c"]),
        np.array([(1, 2)] * 3, dtype="i4,i4"),
        np.array([[1, 2, 3]]),
        np.array(3),
        np.arange(6)[::2],
        np.arange(3)[::-1],
        np.frombuffer(bytes(25), dtype=np.int64, count=3, offset=1),
        np.ma.masked_array([1, 2, 3], mask=[True, False, False]),
        [0, 1, 8192],
        np.array([0, 1, 8192]),
        np.array([-(2**63), 0, 2**63 - 1]),
        np.array([0, 2**64 - 1, 2**63], dtype=np.uint64),
        [1, 2, 3, 4],
    ],
    ids=repr,
)
def test_what_is_not_short_and_plain_is_left_alone(values):
    assert _kernels.impl.small_sums(values, [1, 2, 3], True) is None
    assert _kernels.impl.small_sums([1, 2, 3], values, False) is None
    assert _kernels.impl.small_sums(values, values, False) is None or len(values) == 4


def test_long_columns_are_left_alone():
    for long in (np.zeros(2049, dtype=np.int64), [0] * 2049):
        assert _kernels.impl.small_sums(long, long, True) is None
    side = list(range(91))
    assert _kernels.impl.small_sums(side, side, True) is None  # 91 * 91 cells
    assert _kernels.impl.small_sums(side[:90], side[:90], True)[3] == 90


@given(st.lists(st.integers(0, 300) | st.sampled_from([1, 2, 9, 10, 99, 100]), max_size=40))
def test_size_profile_counts_clusters_and_items(sizes):
    clusters, items = _kernels.impl.size_profile(np.array(sizes, dtype=np.int64))
    for k, bound in enumerate((2, 10, 100)):
        below = [size for size in sizes if size < bound]
        assert (clusters[k], items[k]) == (len(below), sum(below))
