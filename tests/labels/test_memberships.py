"""Memberships of items in clusters: the same numbers, whichever way they are stored."""

import numpy as np
import pytest
import scipy.sparse

from partwise.labels.memberships import as_memberships

pytestmark = pytest.mark.one_backend

ROWS = np.array([[0.5, 0.5, 0], [0, 0, 1], [0.25, 0.25, 0.5], [0, 1, 0], [1, 0, 0]])


@pytest.mark.parametrize("form", [np.array, scipy.sparse.csr_array, scipy.sparse.coo_array])
def test_some_rows_of_memberships(form):
    found = as_memberships(form(ROWS), "x")
    assert (found.n_items, found.n_clusters) == ROWS.shape
    assert found.dense.tolist() == ROWS.tolist()
    assert found.support.tolist() == [2, 1, 3, 1, 1]
    assert found.masses / found.masses.sum() == pytest.approx(ROWS.sum(axis=0) / 5)
    for start in range(6):
        for stop in range(start, 8):  # beyond the last, too
            assert found.dense_rows(start, stop).tolist() == ROWS[start:stop].tolist()
