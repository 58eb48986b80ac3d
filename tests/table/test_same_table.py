"""The table of two clusterings does not depend on how they are written down."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import partwise as pw
from strategies import clusterings

TYPES = (
    *(np.int8, np.uint8, np.int16, np.uint32, np.uint64, np.float64),
    *(">i4", object),
)

# two labels, a weight in 64ths (sums of these are exact), a multiplicity
weighted_items = st.lists(
    st.tuples(*(st.integers(0, most) for most in (5, 5, 600, 4))), max_size=30
)


def content(table):
    """All that a measure can read from a table, bit for bit; labels by their value."""
    numbers = (*table.cells, table.row_sizes, table.col_sizes)
    masses = (table.masses, table.row_masses, table.col_masses)
    return (
        [(part.dtype, part.tobytes()) for part in numbers],
        [None if part is None else part.tobytes() for part in masses],
        (table.row_labels.tolist(), table.col_labels.tolist()),
        (table.n_items, table.n_cells, table.shape, table.total_mass),
    )


def by_labels(table):
    """Count, mass and both sizes of every cell, by the labels of its row and column."""
    masses = table.counts if table.masses is None else table.masses
    return {
        (table.row_labels[i], table.col_labels[j]): (
            *(count, mass, table.row_sizes[i], table.col_sizes[j]),
        )
        for i, j, count, mass in zip(
            *(table.rows, table.cols, table.counts, masses), strict=True
        )
    }


def columns_of(items):
    a, b, weights, times = zip(*items, strict=True) if items else ((),) * 4
    return np.array(a, int), np.array(b, int), np.array(weights) / 64, np.array(times, int)


@given(pair=clusterings())
def test_type_and_memory_layout_change_no_bit(pair):
    a, b = pair
    before = a.copy(), b.copy()
    table = content(pw.contingency(a, b))
    for dtype in TYPES:
        assert content(pw.contingency(a.astype(dtype), b.astype(dtype))) == table
        assert content(pw.contingency(a.astype(dtype), b)) == table
    strided = np.repeat(a, 3)[::3]
    frozen = b.copy()
    frozen.flags.writeable = False
    assert content(pw.contingency(strided, frozen)) == table
    words = np.array([f"label {number:02}" for number in a], dtype=object)
    by_words = content(pw.contingency(words, b))
    assert by_words[:2] == table[:2]
    assert content(pw.contingency(np.repeat(words, 2)[::2], b)) == by_words
    columns = np.asfortranarray(np.stack([b, b], axis=1))
    assert content(pw.contingency(a.tolist(), columns[:, 1])) == table
    assert content(pw.contingency(tuple(a.tolist()), np.stack([b, b], axis=1)[:, 0])) == table
    assert (a == before[0]).all()
    assert (b == before[1]).all()


@given(items=weighted_items, seed=st.integers(0, 99))
def test_the_order_of_the_items_changes_no_bit(items, seed):
    a, b, weights, _ = columns_of(items)
    weights = np.sqrt(weights + 0.25)
    order = np.random.default_rng(seed).permutation(len(a))
    assert content(pw.contingency(a[order], b[order])) == content(pw.contingency(a, b))
    assert content(pw.contingency(a[order], b[order], weights=weights[order])) == content(
        pw.contingency(a, b, weights=weights)
    )


@given(pair=clusterings(), seed=st.integers(0, 99))
def test_new_labels_only_put_rows_and_columns_in_another_order(pair, seed):
    a, b = pair
    rng = np.random.default_rng(seed)
    weights = rng.random(len(a)) + 0.25
    table = by_labels(pw.contingency(a, b, weights=weights))
    numbers = rng.permutation(64) * 3 - 50
    words = np.array([f"label {number}" for number in numbers])
    wide = numbers.astype(np.int64) * (2**56 + 12345)
    for rows, cols in (
        *((numbers, numbers[::-1]), (words, numbers.astype(object)), (wide, wide)),
        *((wide, words), (numbers / 7, wide)),
    ):
        renamed = by_labels(pw.contingency(rows[a], cols[b], weights=weights))
        assert renamed == {(rows[i], cols[j]): cell for (i, j), cell in table.items()}


@given(pair=clusterings())
def test_labels_that_keep_their_order_change_nothing_else(pair):
    a, b = pair
    numbers = content(pw.contingency(a, b))[:2]
    assert content(pw.contingency(a * 3 - 50, b * 2**55 - 9))[:2] == numbers
    assert content(pw.contingency(a.astype("M8[D]"), b / 4))[:2] == numbers


@given(items=weighted_items)
def test_multiplicity_is_repetition(items):
    a, b, weights, times = columns_of(items)
    assume(times.any() or not items)  # else no item is left, which is an error
    weights = weights + 0.25
    repeated = [np.repeat(column, times) for column in (a, b, weights)]
    table = pw.contingency(a, b, multiplicity=times)
    assert content(table) == content(pw.contingency(*repeated[:2]))
    if times.any():
        table = pw.contingency(a, b, multiplicity=times, weights=weights)
        assert content(table) == content(pw.contingency(*repeated[:2], weights=repeated[2]))


@given(pair=clusterings())
def test_every_way_to_a_table_gives_the_same(pair):
    table = pw.contingency(*pair)
    assert content(pw.align(*pair).table) == content(table)
    assert content(pw.contingency(pw.align(*pair))) == content(table)
    assert content(pw.contingency(*map(pw.Clustering, pair))) == content(table)
    assert content(pw.Contingency.merge(table)) == content(table)
    labels = table.row_labels[table.rows], table.col_labels[table.cols]
    triples = pw.Contingency.from_counts(*labels, table.counts)
    assert content(triples) == content(table)
    sparse = pw.Contingency.from_scipy(table.to_scipy())
    assert content(sparse)[:2] == content(table)[:2]


@given(items=weighted_items)
def test_the_transposed_table_is_that_of_the_sides_exchanged(items):
    a, b, weights, _ = columns_of(items)
    weights = np.sqrt(weights + 0.25)
    assert content(pw.contingency(a, b).T) == content(pw.contingency(b, a))
    turned = pw.contingency(b, a, weights=weights)
    assert content(pw.contingency(a, b, weights=weights).T) == content(turned)


def test_a_table_that_differs_has_other_content():
    """What these tests compare tells tables apart."""
    table = pw.contingency([0, 0, 1], [0, 1, 1], weights=[1, 2, 3])
    for other in (
        pw.contingency([0, 0, 1], [0, 1, 1], weights=[1, 2, 4]),
        pw.contingency([0, 0, 1], [0, 1, 1]),
        pw.contingency([0, 1, 1], [0, 1, 1], weights=[1, 2, 3]),
        pw.contingency([0, 0, 5], [0, 1, 1], weights=[1, 2, 3]),
    ):
        assert content(other) != content(table)
        assert by_labels(other) != by_labels(table)
    with pytest.raises(AssertionError):
        assert content(table) == content(table.T)
