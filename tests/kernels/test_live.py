"""Kernels of a table that changes: keys in a hash table, counters that move."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from partwise import _kernels
from partwise._kernels.reference import live as reference

ENDS = (0, 1, -1, 2**63 - 1, -(2**63))
keys = st.lists(st.integers(-20, 20) | st.sampled_from(ENDS), max_size=40)


def free_entries(bits):
    return np.array([[0, -1]] * 2**bits, dtype=np.int64)


@given(
    batches=st.lists(keys, max_size=5),
    seed=st.sampled_from([0, 1, 2**64 - 1]),
    first=st.integers(0, 9),
    step=st.integers(0, 3),
    turns=st.booleans(),
)
def test_keys_get_values_in_the_order_in_which_they_come(batches, seed, first, step, turns):
    """Also where another backend has put some of them in: a search must get past these."""
    entries, values = free_entries(6), {}
    for i, batch in enumerate(batches):
        batch = [key for key in batch if key in values or len(values) < 20]
        new = [key for key in dict.fromkeys(batch) if key not in values]
        for k, key in enumerate(new):
            values[key] = i + first + k * step
        kernel = reference.find_keys if turns and i % 2 else _kernels.impl.find_keys
        array = np.array(batch, dtype=np.int64)
        slots, added = kernel(entries, seed, array, i + first, step)
        assert added == len(new)
        assert entries[slots].tolist() == [[key, values[key]] for key in batch]
        assert np.count_nonzero(entries[:, 1] >= 0) == len(values)


def test_both_backends_begin_at_the_same_entry():
    """One key in an empty table stands where its search begins."""
    for key in (*ENDS, 12345678901234567):
        slots = []
        for kernel in (_kernels.impl, reference):
            slots.append(
                [
                    kernel.find_keys(free_entries(bits), seed, np.array([key]), 0, 0)[0][0]
                    for bits in (1, 5, 12)
                    for seed in (0, 77, 2**64 - 3)
                ]
            )
        assert slots[0] == slots[1]


@pytest.mark.parametrize("n", [0, 1, 15, 16, 17, 33, 1000])
def test_many_keys_fill_all_but_one_entry(n):
    rng = np.random.default_rng(n)
    distinct = rng.permutation(2047)[:n].astype(np.int64) << 32
    entries = free_entries(max(1, n.bit_length()))
    slots, added = _kernels.impl.find_keys(entries, 3, np.repeat(distinct, 2), 5, 1)
    assert added == n
    assert entries[slots, 1].tolist() == np.repeat(np.arange(5, 5 + n), 2).tolist()
    again, added = _kernels.impl.find_keys(entries, 3, distinct[::-1].copy(), 0, 0)
    assert added == 0
    assert again.tolist() == slots[::2][::-1].tolist()


@given(
    moves=st.lists(st.tuples(st.integers(0, 6), st.integers(-5, 5)), max_size=60),
    scale=st.sampled_from([1, 2**50]),
    strided=st.booleans(),
)
def test_shifted_counts_are_of_each_place_once(moves, scale, strided):
    room = np.arange(14, dtype=np.int64).reshape(7, 2) * scale
    counts = room[:, 1] if strided else room[:, 1].copy()
    was, other = counts.tolist(), room[:, 0].tolist()
    places = np.array([place for place, _ in moves], dtype=np.int64)
    changes = np.array([change * scale for _, change in moves], dtype=np.int64)
    touched, before, after = _kernels.impl.shifted_counts(counts, places, changes)
    assert touched.tolist() == list(dict.fromkeys(places.tolist()))
    assert before.tolist() == [was[place] for place in touched.tolist()]
    wanted = [
        was[i] + sum(change * scale for place, change in moves if place == i) for i in range(7)
    ]
    assert after.tolist() == [wanted[place] for place in touched.tolist()]
    assert counts.tolist() == was
    assert room[:, 0].tolist() == other
