"""Two plain arrays of integers take a short way: to the same tables, values and errors."""

import numpy as np
import pytest

import partwise as pw
from partwise.table.plain_arrays import table_of_arrays

INTEGERS = [np.dtype(kind + size) for kind in "iu" for size in "1248"]
A, B = [3, 3, 0, 7, 7, 7], [1, 0, 0, 1, 1, 100]


def same(x, y):
    for name in ("indptr", "cols", "counts", "row_labels", "col_labels", "row_sizes"):
        left, right = getattr(x, name), getattr(y, name)
        assert left.dtype == right.dtype
        assert left.tolist() == right.tolist()
        assert not left.flags.writeable
    assert x.col_sizes.tolist() == y.col_sizes.tolist()
    assert (x.n_items, x.account, x.shape) == (y.n_items, y.account, y.shape)


@pytest.mark.parametrize("first", INTEGERS, ids=str)
@pytest.mark.parametrize("second", INTEGERS, ids=str)
def test_the_short_way_leads_to_the_same_table(first, second):
    a, b = np.array(A, dtype=first), np.array(B, dtype=second)
    table = table_of_arrays(a, b)
    same(table, pw.align(a, b).table)
    same(table, pw.contingency(a, b))
    assert pw.v_measure(a, b) == pw.v_measure(A, B)
    read_only = a.copy()
    read_only.flags.writeable = False
    same(table, table_of_arrays(read_only, b))


@pytest.mark.parametrize("low", [0, -3, 2**62])
def test_lists_of_integers_are_plain(low):
    first, second = ([low + x for x in side] for side in (A, B))
    wanted = pw.align(first, second).table
    for sides in ((first, second), (np.array(first), second), (first, np.array(second))):
        same(table_of_arrays(*sides), wanted)


def test_labels_of_their_own_are_noted():
    for first, second in ((A, range(6)), (range(6), [5, 3, 4, 0, 1, 2]), ([7], [9])):
        a, b = np.array(first), np.array(second)
        table = table_of_arrays(a, b)
        same(table, pw.align(a, b).table)
        assert len(table.account.notes) == (len(set(first)) == len(set(second)) == 6)


def test_no_items():
    none = np.array([], dtype=np.int32)
    same(table_of_arrays(none, none), pw.align(none, none).table)
    assert pw.adjusted_rand_index(none, none) == 1.0


class Marked(np.ndarray):
    """A subclass may mean something else by its values."""


@pytest.mark.parametrize(
    "other",
    [
        np.array(B * 2)[::2],
        np.array(B, dtype=">i4" if np.little_endian else "<i4"),
        np.array(B, dtype=float),
        np.array(B) > 0,
        np.array(B).astype(str),
        np.array(B).view(Marked),
        np.ma.array(B, mask=[0, 0, 0, 0, 0, 1]),
        np.array([B]),
        np.array(B[:-1]),
        np.array(3),
        list(map(float, B)),
        [True, *B[1:]],
        [2**63, *B[1:]],
        tuple(B),
        [],
        None,
    ],
)
def test_everything_else_takes_the_long_way(other):
    a = np.array(A)
    assert table_of_arrays(a, other) is None
    assert table_of_arrays(other, a) is None


@pytest.mark.parametrize("call", [pw.adjusted_rand_index, pw.contingency, pw.pair_confusion])
def test_errors_are_the_same(call):
    a = np.array(A)
    with pytest.raises(ValueError, match="the reference has 6 labels, the candidate 5"):
        call(a, np.array(B[:-1]))
    with pytest.raises(ValueError, match=r"candidate must be 1-D, got shape \(1, 6\)"):
        call(a, np.array([B]))
    with pytest.raises(TypeError, match="takes two clusterings"):
        call(a)


def test_policies_are_heard():
    a, b = np.array(A), np.array(B)
    assert pw.contingency(a, b, missing_labels=100, missing="drop").n_items == 5
    assert pw.purity(a, b, weights=[0, 0, 0, 1, 1, 0]) == 1.0
    with pytest.raises(ValueError, match="unmatched='no'"):
        pw.rand_index(a, b, unmatched="no")


def test_arrays_are_not_held():
    a, b = np.array(A), np.array(B)
    table = pw.contingency(a, b)
    a[:] = b[:] = 0
    assert table.n_cells == 5
