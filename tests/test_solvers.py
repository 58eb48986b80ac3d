"""Matching: equal to scipy's dense solver, certified by its duals, on both kernels."""

import math

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

import partwise as pw
from partwise import _kernels

gain_tables = st.tuples(
    st.integers(1, 9), st.integers(1, 9), st.sampled_from([1, 2, 5, 2**40, 2**60])
).flatmap(
    lambda shape: st.lists(
        st.lists(
            st.one_of(st.just(0), st.integers(0, shape[2])),
            min_size=shape[1],
            max_size=shape[1],
        ),
        min_size=shape[0],
        max_size=shape[0],
    )
)


def certify(found, matrix, gains):
    """The proof of optimality: feasible duals whose sum is the total."""
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    u, v = found.row_duals, found.col_duals
    assert (u >= 0).all()
    assert (v >= 0).all()
    assert (u[rows] + v[matrix.indices] >= gains).all()
    assert len(set(found.rows.tolist())) == len(found.rows)
    assert len(set(found.cols.tolist())) == len(found.cols)
    assert (rows[found.cells] == found.rows).all()
    assert (matrix.indices[found.cells] == found.cols).all()
    assert sum(gains[found.cells].tolist()) == sum(u.tolist()) + sum(v.tolist())


@given(table=gain_tables)
def test_matching_equals_the_dense_solver(table):
    dense = np.array(table, dtype=np.int64)
    matrix = scipy.sparse.csr_array(dense)
    found = pw.solvers.match(matrix)
    certify(found, matrix, matrix.data)
    exact = [[int(x) for x in row] for row in table]
    rows, cols = linear_sum_assignment(dense.astype(np.float64), maximize=True)
    near = sum(exact[i][j] for i, j in zip(rows, cols, strict=True))
    assert found.total >= near  # scipy works in doubles
    assert math.isclose(found.total, near, rel_tol=1e-12)


@given(table=gain_tables)
def test_backends_find_the_same_matching(table, both):
    matrix = scipy.sparse.csr_array(np.array(table, dtype=np.int64))
    cells = (matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data)
    ways = (matrix.shape[1], True, 1 << 40)
    first, second = (kernel.match(*cells, *ways) for kernel in both.values())
    for x, y in zip(first, second, strict=True):
        assert x.dtype == y.dtype == np.int64
        assert x.tolist() == y.tolist()


@pytest.mark.parametrize("similarity", ["overlap", "sorensen_dice", "braun_banquet"])
@pytest.mark.parametrize("seed", range(3))
def test_clusters_of_larger_tables(similarity, seed, kernels):
    rng = np.random.default_rng(seed)
    n, k = (3000, 400) if kernels == "compiled" else (600, 80)
    a = rng.integers(0, k, n)
    b = np.where(rng.random(n) < [0.1, 0.6, 1.0][seed], rng.integers(0, k, n), a)
    table = pw.contingency(a, b)
    found = pw.match_clusters(table, similarity=similarity)
    dense = pw.cluster_similarity_matrix(table, similarity=similarity).toarray()
    rows, cols = linear_sum_assignment(dense, maximize=True)
    assert math.isclose(found.gains.sum(), dense[rows, cols].sum(), rel_tol=1e-12)
    assert len(found) + len(found.unmatched_reference) == table.shape[0]
    assert len(found) + len(found.unmatched_candidate) == table.shape[1]
    assert (dense[found.rows, found.cols] == found.gains).all()


def test_float_gains_are_scaled():
    matrix = scipy.sparse.csr_array([[0.5, 0.75], [0.6, 0.1]])
    found = pw.solvers.match(matrix)
    assert found.total == 1.35
    assert found.cols.tolist() == [1, 0]
    assert math.isclose(found.row_duals.sum() + found.col_duals.sum(), 1.35, rel_tol=1e-14)
    for scale in (1e-300, 1e300):
        again = pw.solvers.match(matrix, gains=matrix.data * scale)
        assert again.cols.tolist() == [1, 0]
    assert pw.solvers.match(matrix, gains=[1, 0, 0, 1]).total == 2
    assert pw.solvers.match(matrix, gains=np.zeros(4)).total == 0.0


def test_nothing_to_match():
    for shape in ((0, 0), (0, 3), (3, 0), (2, 2)):
        found = pw.solvers.match(scipy.sparse.csr_array(shape, dtype=np.int64))
        assert found.total == 0
        assert len(found.rows) == 0


@pytest.mark.parametrize(
    ("gains", "kind", "fragment"),
    [
        ([1, -1], ValueError, "gain -1 of cell 1"),
        ([1.0, math.nan], ValueError, "gain nan of cell 1"),
        ([math.inf, 1.0], ValueError, "gain inf of cell 0"),
        ([2**61, 1], ValueError, r"not below 2\^61"),
        ([1], ValueError, r"one per stored cell \(2\)"),
        (["a", "b"], TypeError, "integers or floats"),
    ],
)
def test_bad_gains(gains, kind, fragment):
    with pytest.raises(kind, match=fragment):
        pw.solvers.match(scipy.sparse.csr_array([[1, 1]]), gains=gains)


def test_bad_matrices():
    with pytest.raises(TypeError, match="sparse matrix or array"):
        pw.solvers.match([[1]])
    twice = scipy.sparse.csr_array(([1, 2], [0, 0], [0, 2]), shape=(1, 1))
    with pytest.raises(ValueError, match="1 cells are stored more than once"):
        pw.solvers.match(twice)


def test_ties_do_not_hang():
    """Every gain equal, on complete and on long thin graphs."""
    k = 60
    full = scipy.sparse.csr_array(np.ones((k, k + 5), dtype=np.int64))
    assert pw.solvers.match(full).total == k
    ring = scipy.sparse.csr_array(
        np.eye(k, dtype=np.int64) + np.roll(np.eye(k, dtype=np.int64), 1, 1)
    )
    assert pw.solvers.match(ring).total == k
    floats = scipy.sparse.csr_array(np.full((k, k), 1 / 3))
    assert math.isclose(pw.solvers.match(floats).total, k / 3)


def test_pairing_of_many_small_components(kernels):
    """allenai/allennlp#2946: solved on the cells, never as one dense matrix."""
    times = 50_000 if kernels == "compiled" else 2000
    a = np.repeat(np.arange(2 * times), 2)
    b = (np.array([0, 1, 1, 1])[None, :] + 2 * np.arange(times)[:, None]).ravel()
    assert pw.classification_accuracy(a, b) == 0.75


def test_psi_is_zero_exactly_where_paired_is_expected():
    """S = E is decided on fractions: three equal clusters against shuffled halves."""
    table = pw.Contingency.from_dense([[1, 1, 1]] * 3)
    assert pw.pair_sets_index(table, simplified=True) == 0.0
    even = pw.Contingency.from_dense([[3, 3], [3, 3]])
    assert pw.pair_sets_index(even) == 0.0


def test_psi_of_equal_matchings_is_equal():
    """PSI, equation (12): K pairs of the same similarity, whatever their sizes."""
    for size in (2, 10, 1000):
        small = pw.Contingency.from_dense([[8 * size, 2 * size], [2 * size, 8 * size]])
        large = pw.Contingency.from_dense([[80 * size, 20 * size], [20 * size, 80 * size]])
        assert pw.pair_sets_index(small) == pw.pair_sets_index(large)


@pytest.mark.one_backend
def test_a_long_matching_can_be_interrupted(both):
    import subprocess
    import sys

    assert both
    code = (
        "import os, signal, threading, numpy as np, partwise as pw\n"
        "rng = np.random.default_rng(0)\n"
        "k = 40_000\n"
        "a, b = rng.integers(0, k, (2, 8 * k))\n"
        "table = pw.contingency(a, b)\n"
        "threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    while True:\n"
        "        pw.solvers.match(table, gains=rng.random(table.n_cells))\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped')\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert found.stdout.strip() == "stopped", found.stderr
    assert _kernels.impl is not None
