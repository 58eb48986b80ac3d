"""Warnings that name the caller's line, and a pairwise table as an array of NumPy."""

import warnings

import numpy as np
import pytest

import partwise as pw
from partwise.interop import sklearn

pytestmark = pytest.mark.one_backend
ROWS = np.array([[0, 0, 1], [0, 1, 1]])

CALLS = {
    "purity": lambda: pw.purity([0, 0], [0, 1], weights=[1e-200, 3]),
    "contingency's measure": lambda: pw.variation_of_information(
        [0, 0], [0, 1], weights=[1e-200, 3]
    ),
    "sklearn": lambda: sklearn.rand_score([0.5, 1.5, 0.5], [0, 1, 1]),
    "pairwise": lambda: pw.pairwise(ROWS, measure="rand_index"),
    "expected_loss": lambda: pw.expected_loss([0, 1], ROWS),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_warning_names_the_line_of_the_caller(name):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        CALLS[name]()
    assert len(told) == 1
    assert told[0].filename == __file__


def test_a_pairwise_table_is_an_array_of_any_dtype():
    table = pw.pairwise({"a": [0, 0, 1], "b": [0, 1, 1], "c": [0, 1, 2]}, measure="rand_index")
    own = np.asarray(table)
    assert own.dtype == np.float64
    assert own.tolist() == table.values.tolist()
    small = np.asarray(table, dtype=np.float32)
    assert small.dtype == np.float32
    assert small.tolist() == table.values.astype(np.float32).tolist()
    made = np.array(table)
    made[0, 0] = 7
    assert table.values[0, 0] == 1
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        assert np.shares_memory(np.asarray(table, copy=False), table.values)
        with pytest.raises(ValueError, match="copy"):
            np.asarray(table, dtype=np.float32, copy=False)
