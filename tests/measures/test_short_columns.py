"""Measures of short columns from their sums: the bits of the table, and the same notes."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partwise as pw
from partwise.labels.notes import InputWarning
from partwise.measures.catalogue import ENTRIES, complete
from partwise.measures.short_columns import ShortFormula

complete()
SHORT = sorted(
    name
    for name, entry in ENTRIES.items()
    if "(" not in name and ShortFormula.of(entry.computation.formula) is not None
)

columns = st.integers(1, 25).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, k), min_size=n, max_size=n) for k in (3, 4)])
)


def test_the_measures_of_pairs_and_of_information_are_among_them():
    assert {"adjusted_rand_index", "v_measure", "purity", "nvi"} <= set(SHORT)
    assert len(SHORT) > 25


@given(columns)
def test_values_have_the_bits_of_the_table(pair):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        table = pw.contingency(*pair)
        for name in SHORT:
            function = ENTRIES[name].function
            wanted = ENTRIES[name].computation.on_table(table)
            assert function(*pair) == wanted, name
            assert function(*[np.array(side, dtype="u2") for side in pair]) == wanted, name


@pytest.mark.parametrize("seed", range(4))
def test_values_near_independence(seed):
    rng = np.random.default_rng(seed)
    first = np.repeat(np.arange(4), 12)
    second = np.tile(np.arange(4), 12)
    for swaps in range(3):  # at 0 the sides are independent
        for _ in range(swaps):
            i, j = rng.integers(0, 48, 2)
            second[[i, j]] = second[[j, i]]
        table = pw.contingency(first, second)
        for name in SHORT:
            wanted = ENTRIES[name].computation.on_table(table)
            assert ENTRIES[name].function(first, second) == wanted, name
    assert pw.mutual_information(np.repeat([0, 1], 6), np.tile([0, 1], 6)) == 0


def test_no_table_is_made(monkeypatch):
    def never(*_):
        raise AssertionError("a table was made")

    monkeypatch.setattr("partwise.measures.calling_convention.table_of_arrays", never)
    assert pw.adjusted_rand_index([0, 0, 1, 1], [5, 5, 6, 6]) == 1
    assert pw.v_measure(np.array([0, 0, 1, 1]), [5, 5, 6, 6]) == 1


def test_what_is_suspicious_is_still_noted():
    with pytest.warns(InputWarning, match="label of its own on both sides"):
        assert pw.adjusted_rand_index([1, 2, 3], [7, 8, 9]) == 1


def test_sides_of_different_lengths_are_still_refused():
    with pytest.raises(ValueError, match="3 labels, the candidate 2"):
        pw.adjusted_rand_index([1, 2, 3], [7, 8])
    with pytest.raises(TypeError, match="takes two clusterings"):
        pw.adjusted_rand_index([1, 2, 3])
