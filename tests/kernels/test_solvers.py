"""Matching: equal to scipy's dense solver, certified by its duals, on both kernels."""

import math
import time

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

import cases
import partwise as pw
from certificates import WAYS, certified_total
from partwise import _kernels
from partwise.solvers.gains import scaled_gains
from partwise.solvers.matching import best_matching

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


def csr_of(dense, stored=None):
    """indptr, cols and gains of the stored cells (by default all)."""
    stored = np.ones(dense.shape, dtype=bool) if stored is None else stored
    indptr = np.concatenate(([0], np.cumsum(stored.sum(axis=1)))).astype(np.int64)
    return indptr, np.nonzero(stored)[1].astype(np.int64), dense[stored].astype(np.int64)


KINDS = {
    "counts": lambda rng, top, shape: rng.integers(0, top, shape, endpoint=True),
    "equal": lambda rng, top, shape: np.full(shape, top),
    "heavy ties": lambda rng, top, shape: rng.integers(0, 3, shape) * (top // 2),
    "near ties": lambda rng, top, shape: top - rng.integers(0, min(top, 3), shape),
    "ties and near ties": lambda rng, top, shape: (
        top // 8 * rng.integers(1, 8, shape) + rng.integers(0, 2, shape)
    ),
    "products": lambda rng, top, shape: (
        rng.integers(0, math.isqrt(top), shape[0], endpoint=True)[:, None]
        * rng.integers(0, math.isqrt(top), shape[1], endpoint=True)
    ),
}


@settings(max_examples=120)
@given(
    shape=st.tuples(st.integers(1, 12), st.integers(1, 12)),
    kind=st.sampled_from(sorted(KINDS)),
    top=st.sampled_from([1, 2, 5, 1000, 2**31, 2**50, 2**60, 2**61 - 1]),
    density=st.sampled_from([0.1, 0.3, 0.6, 1.0]),
    seed=st.integers(0, 2**32),
)
def test_every_way_finds_the_largest_total(shape, kind, top, density, seed, kernels):
    """Zero gains, empty rows and columns among them; budget 0 forces the switch."""
    rng = np.random.default_rng(seed)
    dense = KINDS[kind](rng, top, shape).astype(np.int64)
    stored = rng.random(shape) < density
    cells = csr_of(dense, stored)
    ways = WAYS if kernels == "compiled" else WAYS[:1]
    totals = {
        certified_total(*cells, shape[1], _kernels.impl.match(*cells, shape[1], *way))
        for way in ways
    }
    assert len(totals) == 1
    rows, cols = linear_sum_assignment(np.where(stored, dense, 0).astype(float), maximize=True)
    near = sum(int(dense[i, j]) for i, j in zip(rows, cols, strict=True) if stored[i, j])
    total = totals.pop()
    assert total >= near  # scipy works in doubles
    assert math.isclose(total, near, rel_tol=1e-12)


def clustered(name, rng, k):
    """The gains of two clusterings of about k clusters each."""
    if name == "equal sizes":  # ties that rounding blurs
        a = np.repeat(np.arange(k), 5)
        b = rng.permutation(a)
    elif name == "indep":
        a, b = rng.integers(0, k, (2, 5 * k))
    elif name == "noisy":
        a = np.repeat(np.arange(k), 4)
        b = np.where(rng.random(4 * k) < 0.6, rng.integers(0, k, 4 * k), a)
    else:
        a = np.repeat(np.arange(k), np.minimum(rng.zipf(2.0, k), 100))
        b = np.where(rng.random(len(a)) < 0.3, rng.permutation(a), a)
    return pw.contingency(a, b)


@pytest.mark.parametrize("similarity", ["overlap", "sorensen_dice", "braun_banquet"])
@pytest.mark.parametrize("name", ["indep", "noisy", "zipf", "equal sizes"])
def test_every_way_on_clusterings(name, similarity, kernels):
    k = 1500 if kernels == "compiled" else 150
    table = clustered(name, np.random.default_rng(5), k)
    gains = table.counts
    if similarity != "overlap":
        values = pw.cluster_similarity_matrix(table, similarity=similarity).data
        gains, _ = scaled_gains(values.astype(np.float64))
    cells = table.indptr, table.cols, gains
    n_cols = table.shape[1]
    found = [_kernels.impl.match(*cells, n_cols, *way) for way in WAYS]
    found += [best_matching(*cells, n_cols, tied=tied) for tied in (False, True)]
    assert len({certified_total(*cells, n_cols, each) for each in found}) == 1


def structured(name, n):
    """(gains, stored cells) of a graph of n rows."""
    eye = np.eye(n, dtype=bool)
    if name == "chain":
        stored = eye | np.eye(n, k=1, dtype=bool)
    elif name == "ring":
        stored = eye | np.roll(eye, 1, axis=1)
    elif name == "star":
        stored = np.zeros((n, n), dtype=bool)
        stored[0] = stored[:, 0] = True
    elif name == "stars":
        stored = np.arange(n)[:, None] // 7 == np.arange(n)
    else:
        stored = np.ones((n, n + 3), dtype=bool)
    gains = np.full(stored.shape, 6)
    if name == "chain":
        gains[eye] = 5  # rows move along the whole chain
    return gains, stored


@pytest.mark.parametrize("unit", [1, 2**40, 2**58 + 1])
@pytest.mark.parametrize("name", ["chain", "ring", "star", "stars", "complete"])
def test_every_way_on_structured_tables(name, unit, kernels):
    """Equal gains must not hang the auction."""
    n = 70
    gains, stored = structured(name, n)
    cells = csr_of(gains * unit, stored)
    wanted = {"chain": n - 1, "ring": n, "star": 2, "stars": n // 7, "complete": n}[name]
    for way in WAYS:
        result = _kernels.impl.match(*cells, stored.shape[1], *way)
        assert certified_total(*cells, stored.shape[1], result) == 6 * wanted * unit


def test_a_wrong_kind_costs_time_only(kernels):
    """Near ties called tied, and ties with noise in the last bit."""
    k = 2000 if kernels == "compiled" else 100
    rng = np.random.default_rng(2)
    table = pw.contingency(rng.integers(0, k, 10 * k), rng.integers(0, k, 10 * k))
    near = rng.integers(2**49, 2**50, table.n_cells)
    noise = (table.counts << 40) + rng.integers(0, 2, table.n_cells)
    for gains in (near, noise):
        cells = table.indptr, table.cols, gains
        found = [_kernels.impl.match(*cells, k, *way) for way in WAYS[:4]]
        assert len({certified_total(*cells, k, each) for each in found}) == 1


@pytest.mark.one_backend
@pytest.mark.parametrize(
    ("similarity", "k", "per"), [("sorensen_dice", 5000, 10), ("overlap", 30_000, 5)]
)
def test_the_switch_pays(similarity, k, per, both):
    """On clusterings that have nothing in common: measured 20 and 6 times faster."""
    rng = np.random.default_rng(4)
    table = pw.contingency(*rng.integers(0, k, (2, per * k)))
    gains = table.counts
    tied = similarity == "overlap"
    if not tied:
        gains, _ = scaled_gains(
            pw.cluster_similarity_matrix(table, similarity=similarity).data.astype(np.float64)
        )
    cells = table.indptr, table.cols, gains, table.shape[1], tied
    spent = []
    for budget in (4 * table.n_cells, 1 << 40):
        start = time.process_time()
        both["compiled"].match(*cells, budget)
        spent.append(time.process_time() - start)
    assert 2 * spent[0] < spent[1], spent


@given(table=gain_tables, tied=st.booleans())
def test_backends_find_the_same_matching(table, tied, both):
    """Within the budget; beyond it only the total is the same."""
    cells = csr_of(np.array(table, dtype=np.int64))
    ways = len(table[0]), tied, 1 << 40
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
        ([1], ValueError, r"gains has shape \(1,\); 2 numbers"),
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


@pytest.mark.parametrize("name", ["sparse-not-full", "greedy-trap", "jaccard-half-ties"])
def test_small_traps(name):
    """scipy/scipy#14041; largest in its row and column; Jaccard of exactly 1/2."""
    case = next(x for x in cases.load("transport_bug_cases.json") if x["id"] == name)
    matrix = scipy.sparse.csr_array(np.array(case["input"]["n"], dtype=np.int64))
    certify(pw.solvers.match(matrix), matrix, matrix.data)
    assert pw.solvers.match(matrix).total == case["right"]


def test_a_chain_of_clusters():
    """allenai/allennlp#2946: one component that is a path of 202 clusters."""
    case = next(x for x in cases.load("transport_bug_cases.json") if x["id"] == "ceaf-chain")
    a, b = [i // 3 for i in range(301)], [(i + 1) // 3 for i in range(301)]
    for similarity, word in (("overlap", "overlap"), ("sorensen_dice", "dice")):
        found = pw.match_clusters(a, b, similarity=similarity)
        assert cases.within_ulp(math.fsum(found.gains), case["right"][word])


def test_unsorted_cells_keep_their_gains():
    """Gains and answers follow the order in which the cells are stored."""
    mixed = scipy.sparse.csr_array(([3, 9, 4, 1], [2, 0, 1, 0], [0, 2, 4]), shape=(2, 3))
    for gains in (None, [3, 9, 4, 1], [3.0, 9.0, 4.0, 1.0]):
        found = pw.solvers.match(mixed, gains)
        assert found.total == 13
        assert found.cells.tolist() == [1, 2]
        assert found.cols.tolist() == [0, 1]
        packed = pw.solvers.pack(mixed, gains, [1, 1], [1, 1, 1])
        assert packed.amounts.tolist() == [0, 1, 1, 0]
    assert pw.solvers.match(mixed, [9, 1, 2, 1]).cells.tolist() == [0, 2]


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
@pytest.mark.parametrize("gains", ["None", "rng.random(table.n_cells)"])
def test_a_long_matching_can_be_interrupted(gains, both):
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
        f"        pw.solvers.match(table, gains={gains})\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped')\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert found.stdout.strip() == "stopped", found.stderr
    assert _kernels.impl is not None
