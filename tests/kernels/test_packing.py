"""Packing: equal to HiGHS, certified by its duals, on both kernels."""

import math

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

import partwise as pw
from partwise import _kernels


@st.composite
def packings(draw):
    shape = draw(st.tuples(st.integers(1, 8), st.integers(1, 8)))
    most = draw(st.sampled_from([1, 2, 5, 1000, 2**40, 2**60]))
    most_cap = draw(st.sampled_from([1, 2, 7, 2**40]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    gains = rng.integers(0, most, shape, endpoint=True) * (rng.random(shape) < rng.random())
    caps = [rng.integers(0, most_cap, n, endpoint=True) for n in shape]
    return gains, *caps


def certify(found, matrix, gains, row_caps, col_caps):
    """The proof of optimality: a packing and feasible duals of the same total."""
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    amounts, u, v = found.amounts, found.row_duals, found.col_duals
    assert (amounts >= 0).all()
    assert (np.bincount(rows, amounts, len(row_caps)) <= row_caps).all()
    assert (np.bincount(matrix.indices, amounts, len(col_caps)) <= col_caps).all()
    assert (u >= 0).all()
    assert (v >= 0).all()
    assert (u[rows] + v[matrix.indices] >= gains).all()
    duals = [*zip(u.tolist(), row_caps.tolist(), strict=True)]
    duals += zip(v.tolist(), col_caps.tolist(), strict=True)
    assert found.total == sum(x * y for x, y in duals)
    pairs = zip(gains.tolist(), amounts.tolist(), strict=True)
    assert found.total == sum(x * y for x, y in pairs)


def by_linear_program(dense, row_caps, col_caps):
    """The optimum over all cells of the dense table, by HiGHS."""
    k, j = dense.shape
    rows = scipy.sparse.csr_array(np.kron(np.eye(k), np.ones(j)))
    cols = scipy.sparse.csr_array(np.kron(np.ones(k), np.eye(j)))
    limits = np.concatenate([row_caps, col_caps]).astype(float)
    scale, unit = max(dense.max(), 1), max(limits.max(), 1)
    found = linprog(
        -dense.ravel() / scale,
        A_ub=scipy.sparse.vstack([rows, cols]),
        b_ub=limits / unit,
        method="highs",
    )
    return -found.fun * scale * unit


@given(problem=packings())
def test_packing_is_proved_and_equals_the_linear_program(problem):
    dense, row_caps, col_caps = problem
    matrix = scipy.sparse.csr_array(dense)
    found = pw.solvers.pack(matrix, None, row_caps, col_caps)
    certify(found, matrix, matrix.data, row_caps, col_caps)
    wanted = by_linear_program(dense, row_caps, col_caps)
    assert math.isclose(found.total, wanted, rel_tol=1e-7, abs_tol=1e-9)


@given(problem=packings())
def test_backends_find_the_same_packing(problem, both):
    dense, row_caps, col_caps = problem
    matrix = scipy.sparse.csr_array(dense)
    cells = (matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data)
    caps = [np.maximum(side, 1) for side in (row_caps, col_caps)]
    first, second = (kernel.pack(*cells, *caps, -1) for kernel in both.values())
    for x, y in zip(first, second, strict=True):
        assert x.dtype == y.dtype == np.int64
        assert x.tolist() == y.tolist()


@given(problem=packings())
def test_the_auction_is_exact_as_well(problem, kernels):
    """Without patience the compiled kernel leaves every problem to it, tied ones too."""
    dense, row_caps, col_caps = problem
    matrix = scipy.sparse.csr_array(dense)
    cells = (matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data)
    caps = [np.maximum(side, 1) for side in (row_caps, col_caps)]
    found = pw.solvers.Packing(*_kernels_pack(cells, caps, 0))
    certify(found, matrix, matrix.data, *caps)
    assert found.total == pw.solvers.pack(matrix, None, *caps).total


def _kernels_pack(cells, caps, budget):
    amounts, row_duals, col_duals = _kernels.impl.pack(*cells, *caps, budget)
    pairs = zip(cells[2].tolist(), amounts.tolist(), strict=True)
    return amounts, sum(x * y for x, y in pairs), row_duals, col_duals


@pytest.mark.parametrize("kind", ["near-tied", "counts"])
def test_an_auction_of_many_rows(kind, kernels):
    rng = np.random.default_rng(5)
    n, k, j = (6000, 1200, 1100) if kernels == "compiled" else (150, 30, 25)
    table = pw.contingency(rng.integers(0, k, n), rng.integers(0, j, n))
    whole = math.lcm(*table.shape)
    caps = [np.full(size, whole // size) for size in table.shape]
    gains = table.counts
    if kind == "near-tied":
        harmonic = 1 / (1 / table.row_sizes[table.rows] + 1 / table.col_sizes[table.cols])
        gains = np.rint(2**30 * harmonic).astype(np.int64)
    cells = (table.indptr, table.cols, gains)
    found = pw.solvers.Packing(*_kernels_pack(cells, caps, 0))
    certify(found, table.to_scipy().tocsr(), gains, *caps)
    assert found.total == pw.solvers.pack(table, gains, *caps).total


@given(problem=packings())
def test_capacities_of_one_are_a_matching(problem):
    dense, _, _ = problem
    matrix = scipy.sparse.csr_array(dense)
    ones = [np.ones(n, dtype=np.int64) for n in dense.shape]
    packed = pw.solvers.pack(matrix, None, *ones)
    assert packed.total == pw.solvers.match(matrix).total
    assert set(packed.amounts.tolist()) <= {0, 1}


@pytest.mark.parametrize("seed", range(4))
def test_one_giant_component(seed, kernels):
    """Independent clusterings, uniform weights: long pivots, many ties."""
    rng = np.random.default_rng(seed)
    n, k, j = (4000, 800, 700) if kernels == "compiled" else (200, 40, 35)
    table = pw.contingency(rng.integers(0, k, n), rng.integers(0, j, n))
    rows, cols = table.shape
    whole = math.lcm(rows, cols)
    caps = np.full(rows, whole // rows), np.full(cols, whole // cols)
    matrix = table.to_scipy().tocsr()
    gains = [
        table.counts,
        np.rint(2**30 / (1 / table.row_sizes[table.rows] + 1 / table.col_sizes[table.cols])),
    ][seed % 2].astype(np.int64)
    certify(pw.solvers.pack(table, gains, *caps), matrix, gains, *caps)


def test_long_paths_need_wide_potentials(kernels):
    """A path of 2^60 gains: potentials along it pass 64 bits."""
    k = 3000 if kernels == "compiled" else 200
    gains = [2**60 - 1, 2**60 - 3]
    matrix = scipy.sparse.diags_array(gains, offsets=[0, 1], shape=(k, k), dtype=np.int64)
    matrix = matrix.tocsr()
    caps = np.arange(k) % 3 + 1, np.arange(k)[::-1] % 2 + 1
    certify(pw.solvers.pack(matrix, None, *caps), matrix, matrix.data, *caps)


def test_float_gains_and_capacities():
    matrix = scipy.sparse.csr_array([[0.5, 0.75], [0.6, 0.1]])
    found = pw.solvers.pack(matrix, None, [0.5, 0.5], [0.25, 0.75])
    assert found.amounts.tolist() == [0.0, 0.5, 0.25, 0.25]
    assert math.isclose(found.total, 0.375 + 0.15 + 0.025)
    duals = found.row_duals.sum() * 0.5 + found.col_duals @ [0.25, 0.75]
    assert math.isclose(duals, found.total, rel_tol=1e-14)
    whole = pw.solvers.pack(matrix, [1, 2, 3, 4], [1.5, 1], [1, 1])
    assert whole.total == 5.0


@pytest.mark.parametrize(
    ("caps", "kind", "fragment"),
    [
        (([1, -1], [1, 1]), ValueError, r"row_caps\[1\] is -1"),
        (([1, 1], [1, math.nan]), ValueError, r"col_caps\[1\] is nan"),
        (([1, 1], [math.inf, 1]), ValueError, r"col_caps\[0\] is inf"),
        (([1], [1, 1]), ValueError, "row_caps has shape .1,.; 2 numbers"),
        (([1, [2]], [1, 1]), ValueError, "row_caps is ragged"),
        ((np.ma.array([1, 2], mask=[0, 1]), [1, 1]), ValueError, "row_caps has masked"),
        (([1e300, 1.0], [1, 1]), ValueError, "row_caps reaches 1e.300"),
        (([2**61, 2**61], [2**61, 2**61]), ValueError, r"below 2\^62"),
        ((["x", "y"], [1, 1]), TypeError, "row_caps has dtype"),
    ],
)
def test_bad_capacities(caps, kind, fragment):
    with pytest.raises(kind, match=fragment):
        pw.solvers.pack(scipy.sparse.csr_array([[1, 1], [1, 1]]), None, *caps)


def test_float_capacities_stay_floats():
    """Also where the power of two they are scaled by happens to be 0."""
    matrix = scipy.sparse.csr_array([[1, 1]])
    found = pw.solvers.pack(matrix, None, [2.0**59], [2.0**58 + 64, 2.0**58])
    assert found.amounts.dtype == np.float64
    assert found.total == 2.0**59
    large = scipy.sparse.csr_array(np.ones((2, 2)))
    gains = [2.0**49 + 0.25, 1, 1, 2.0**49 + 0.25]
    ones = [1, 1], [1, 1]
    for found in (pw.solvers.pack(large, gains, *ones), pw.solvers.match(large, gains)):
        assert found.total == 2.0**50 + 0.5


def test_small_whole_gains_on_a_random_table(both, monkeypatch):
    """Gains of 1..16 tie in many ways, each of which is a pivot without flow."""
    monkeypatch.setattr(_kernels, "impl", both["compiled"])  # the others would take minutes
    rng = np.random.default_rng(0)
    n, k, j = 20_000, 2000, 2001
    table = pw.contingency(rng.integers(0, k, n), rng.integers(0, j, n))
    gains = rng.integers(1, 17, table.n_cells)
    caps = [np.full(size, other) for size, other in zip(table.shape, (j, k), strict=True)]
    matrix = table.to_scipy().tocsr()
    certify(pw.solvers.pack(table, gains, *caps), matrix, gains, *caps)


def test_nothing_to_pack():
    for shape in ((0, 0), (0, 3), (3, 0), (2, 2)):
        matrix = scipy.sparse.csr_array(shape, dtype=np.int64)
        found = pw.solvers.pack(matrix, None, [1] * shape[0], [1] * shape[1])
        assert found.total == 0
        assert len(found.amounts) == 0
    closed = pw.solvers.pack(scipy.sparse.csr_array([[3, 4]]), None, [0], [5, 5])
    assert closed.amounts.tolist() == [0, 0]
    assert closed.row_duals.tolist() == [4]


@pytest.mark.one_backend
def test_a_long_packing_can_be_interrupted(both):
    import subprocess
    import sys

    assert both
    code = (
        "import math, os, signal, threading, numpy as np, partwise as pw\n"
        "rng = np.random.default_rng(0)\n"
        "a, b = rng.integers(0, 20_000, 100_000), rng.integers(0, 19_000, 100_000)\n"
        "table = pw.contingency(a, b)\n"
        "whole = math.lcm(*table.shape)\n"
        "caps = [np.full(k, whole // k) for k in table.shape]\n"
        "threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    while True:\n"
        "        pw.solvers.pack(table, None, *caps)\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped')\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert found.stdout.strip() == "stopped", found.stderr
