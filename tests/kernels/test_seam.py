"""The two backends: same names, parameters, dtypes, integers; inputs untouched."""

import gc
import inspect
import os
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import numpy as np
import pytest

import partwise as pw
from partwise import _kernels
from partwise._kernels.reference import index as reference_kernels

NAMES = sorted(
    name
    for name, value in vars(reference_kernels).items()
    if inspect.isfunction(value) and not name.startswith("_")
)

rng = np.random.default_rng(7)


def shape(n, rows, cols, low=0, dtype=np.int64, noise=None):
    a = rng.integers(0, rows, n)
    b = rng.integers(0, cols, n)
    if noise is not None:
        b = np.where(rng.random(n) < noise, b, a % cols)
    return (a + low).astype(dtype), (b + low).astype(dtype)


def big_ids(n, k):
    """Random 64-bit ids of either sign for k clusters a side."""
    names = rng.integers(-(2**63), 2**63, (2, k))
    return names[0][rng.integers(0, k, n)], names[1][rng.integers(0, k, n)]


SHAPES = {
    "empty": shape(0, 1, 1),
    "one item": shape(1, 1, 1, low=-9),
    "one cluster": shape(500, 1, 1, low=3),
    "dense": shape(3000, 7, 11, low=-3),
    "dense int8": shape(3000, 100, 50, low=-60, dtype=np.int8),
    "dense uint8": shape(3000, 200, 256, dtype=np.uint8),
    "all singletons": (np.arange(2000)[::-1].copy(), np.arange(2000) * 7),
    "partition, one part": shape(5000, 4000, 4000),
    "partition, many parts": shape(120000, 50000, 3, noise=0.1),
    "partition, few rows": shape(120000, 3, 200000),
    "partition, 64-bit keys": shape(40000, 70000, 70000, low=-5),
    "partition int32": shape(60000, 20000, 20000, dtype=np.int32, noise=0.2),
    "partition uint16": shape(60000, 65000, 65000, dtype=np.uint16),
    "one giant cell": tuple(
        np.where(rng.random(150000) < 0.95, 5, x) for x in shape(150000, 90000, 90000)
    ),
    "wide": big_ids(50000, 3000),
    "wide, few": big_ids(20, 3),
    "wide on one side": (big_ids(30000, 500)[0], rng.integers(0, 9, 30000)),
    "wide uint64": tuple(x.view(np.uint64) for x in big_ids(30000, 800)),
    "full range": (
        np.array([-(2**63), 2**63 - 1, 0, 2**63 - 1]),
        np.array([0, 2**64 - 1, 0, 7], dtype=np.uint64),
    ),
    "sorted": tuple(np.sort(x) for x in shape(50000, 30000, 30000)),
}
shapes = pytest.mark.parametrize("name", SHAPES)


def equal(x, y):
    if isinstance(x, np.ndarray):
        return x.dtype == y.dtype and x.shape == y.shape and np.array_equal(x, y)
    if isinstance(x, tuple):
        return len(x) == len(y) and all(map(equal, x, y))
    return type(x) is type(y) and x == y


def test_same_names_and_parameters(both):
    compiled = both["compiled"]
    public = [name for name in dir(compiled) if not name.startswith("_")]
    functions = {name for name in public if callable(getattr(compiled, name))}
    assert functions - {"Labels", "Scratch"} == set(NAMES)
    for name in NAMES:
        parameters = inspect.signature(getattr(reference_kernels, name)).parameters
        found = inspect.signature(getattr(compiled, name)).parameters
        assert list(found) == list(parameters), name


@shapes
def test_meet_by_counting_in_a_dict(name, kernels):
    a, b = SHAPES[name]
    before = a.copy(), b.copy()
    row_labels, col_labels, indptr, cols, counts = _kernels.impl.meet(a, b)
    assert equal((a, b), before)
    assert row_labels.dtype == a.dtype
    assert col_labels.dtype == b.dtype
    assert {x.dtype for x in (indptr, cols, counts)} == {np.dtype(np.int64)}
    rows = np.repeat(np.arange(len(row_labels)), np.diff(indptr))
    found = list(
        zip(
            row_labels[rows].tolist(),
            col_labels[cols].tolist(),
            counts.tolist(),
            strict=True,
        )
    )
    wanted = {}
    for pair in zip(a.tolist(), b.tolist(), strict=True):
        wanted[pair] = wanted.get(pair, 0) + 1
    assert found == [(*pair, count) for pair, count in sorted(wanted.items())]


@shapes
def test_backends_agree_on_tables(name, both):
    first, second = both["compiled"], both["numpy"]
    a, b = SHAPES[name]
    table = first.meet(a, b)
    assert equal(table, second.meet(a, b))
    assert equal(first.encode(a), second.encode(a))
    if len(a):
        assert first.value_range(a) == second.value_range(a)
    rows, columns, indptr, cols, counts = table
    n_rows, n_cols = len(rows), len(columns)
    cells = (indptr, cols, counts, n_cols)
    sizes = first.margins(*cells)
    for kernel in ("margins", "transpose", "maxima"):
        assert equal(getattr(first, kernel)(*cells), getattr(second, kernel)(*cells))
    assert equal(first.join(indptr, cols, n_cols), second.join(indptr, cols, n_cols))
    codes = first.encode(b)[1]
    assert equal(first.first_appearance(codes, n_cols), second.first_appearance(codes, n_cols))
    order = np.random.default_rng(1).permutation(len(cols))
    triples = (
        np.repeat(np.arange(n_rows), np.diff(indptr))[order],
        cols[order],
        counts[order],
    )
    twice = tuple(np.concatenate([x, x]) for x in triples)
    for kernel in (first, second):
        assert equal(kernel.collapse(*triples, n_rows, n_cols), (indptr, cols, counts))
        assert equal(kernel.collapse(*twice, n_rows, n_cols), (indptr, cols, 2 * counts))
    for bits in (56, 64):
        scores = first.split_scores(indptr, cols, counts, *sizes, bits)
        assert equal(scores, second.split_scores(indptr, cols, counts, *sizes, bits))
        assert first.sum_xlogx(counts, bits) == second.sum_xlogx(counts, bits)
    args = (indptr, cols, counts, *scores)
    assert first.sum_products(*args) == second.sum_products(*args)
    assert first.sum_weighted(sizes[0], scores[0]) == second.sum_weighted(sizes[0], scores[0])
    assert first.sum_squares(counts) == second.sum_squares(counts)
    rest = (indptr, cols, counts, *sizes, len(a))
    assert first.is_proportional(*rest) == second.is_proportional(*rest)
    terms, covered = first.divergence_terms(*rest)
    other, also = second.divergence_terms(*rest)
    assert covered == also
    assert np.allclose(terms, other, rtol=1e-14, atol=0)


@shapes
def test_backends_agree_on_ratios_and_groups(name, both):
    first, second = both["compiled"], both["numpy"]
    a, b = SHAPES[name]
    row_labels, col_labels, indptr, cols, counts = first.meet(a, b)
    n_rows, n_cols = len(row_labels), len(col_labels)
    rows = np.repeat(np.arange(n_rows), np.diff(indptr))
    sizes = first.margins(indptr, cols, counts, n_cols)
    above = (2 * counts).view(np.uint64)
    below = (sizes[0][rows] + sizes[1][cols]).view(np.uint64)
    for similarity in ("overlap", "sorensen_dice", "braun_banquet", "jaccard"):
        table = (indptr, cols, counts, *sizes, similarity)
        assert equal(first.nearest_cells(*table), second.nearest_cells(*table))
    weights = sizes[0][rows]
    assert first.sum_ratios(weights, above, below) == second.sum_ratios(weights, above, below)
    table = (indptr, cols, counts, *sizes)
    assert first.b_cubed_sums(*table) == second.b_cubed_sums(*table)
    order = np.argsort(-counts, kind="stable")
    rank = np.cumsum(np.diff(counts[order], prepend=counts[order][:1]) != 0)
    pairing = (rows, cols, order, rank, n_rows, n_cols)
    assert equal(first.greedy_pairs(*pairing), second.greedy_pairs(*pairing))
    row_codes, col_codes = first.encode(a)[1], first.encode(b)[1]
    cells = first.locate(indptr, cols, row_codes, col_codes)
    assert equal(cells, second.locate(indptr, cols, row_codes, col_codes))
    assert np.array_equal(np.bincount(cells, minlength=len(cols)), counts)
    masses = np.random.default_rng(2).random(len(a)) * 2.0 ** (np.arange(len(a)) % 90 - 60)
    for bits in (0, 40, 70):
        grouped = first.sum_groups(masses, cells, len(cols), bits)
        assert equal(grouped, second.sum_groups(masses, cells, len(cols), bits))


@shapes
@pytest.mark.parametrize("shift", [0, 1, 10**6])
def test_backends_agree_on_tables_that_add_up(name, shift, both):
    """The table of a few items beside that of all, and of labels that are other ones."""
    a, b = SHAPES[name]
    few = slice(None, None, 3)
    with np.errstate(over="ignore"):
        other = a[few] + a.dtype.type(shift % 100), b[few] + b.dtype.type(shift % 77)
    x, y = both["compiled"].meet(a, b), both["compiled"].meet(*other)
    found = []
    for kernel in both.values():
        rows, x_rows, y_rows = kernel.unite(x[0], y[0])
        cols, x_cols, y_cols = kernel.unite(x[1], y[1])
        own = (*x[2:], x_rows if len(rows) > len(x[0]) else None, x_cols)
        further = (*y[2:], y_rows, y_cols if len(cols) > len(y[1]) else None)
        indptr = kernel.union_rows(own, further, len(rows))
        cells = np.zeros((2, int(indptr[-1])), dtype=np.int64)
        cells[0, : len(x[3])], cells[1, : len(x[4])] = x[3], x[4]
        kernel.union_cells(own, further, indptr, cells[0], cells[1])
        found.append((rows, x_rows, y_rows, cols, x_cols, y_cols, indptr, cells))
    assert equal(found[0], found[1])
    wanted = both["numpy"].meet(*map(np.concatenate, zip((a, b), other, strict=True)))
    assert equal((found[0][0], found[0][3], found[0][6], *found[0][7]), wanted)


@pytest.mark.parametrize("size", [(0, 2, 3), (1, 1, 1), (130, 5, 4), (2200, 9, 11)])
def test_backends_agree_on_shared_mass(size, both):
    """Dense and sparse sums, any span of columns: the same bits."""
    n, k, j = size
    p, q = rng.dirichlet(np.full(k, 0.5), n), rng.dirichlet(np.full(j, 0.5), n)
    p[p < 0.01] = 0.0
    p[n // 2 :] *= 2.0  # up to the largest value that a kernel takes
    before = p.copy(), q.copy()
    first, second = both["compiled"], both["numpy"]
    wanted = first.shared_mass(p, q, 0, j)
    assert np.allclose(wanted, np.minimum(p[:, :, None], q[:, None]).sum(axis=0))
    for start, stop in ((0, j), (1, j), (j // 2, j), (0, 0)):
        for kernel in (first, second):
            assert equal(kernel.shared_mass(p, q, start, stop), wanted[:, start:stop].copy())
    sides = []
    for side in (p, q):
        rows, cols = map(np.ascontiguousarray, np.nonzero(side))
        indptr = np.searchsorted(rows, np.arange(n + 1))
        sides += [indptr, cols, side[rows, cols]]
    for kernel in (first, second):
        assert equal(kernel.shared_mass_sparse(*sides, k, j), wanted)
    assert equal((p, q), before)


def test_shared_mass_of_many_items(both):
    """The 64-bit sums of a block are moved on before they run over."""
    whole = np.full((20000, 1), 2.0)
    for kernel in both.values():
        assert kernel.shared_mass(whole, whole, 0, 1).tolist() == [[40000.0]]


def test_huge_counts_in_ratios(both):
    """Counts near 2^62: products pass 64 bits."""
    huge = np.array([2**61 + 1, 5, 2**60 + 7, 2**60 + 6])
    indptr, cols = np.array([0, 2, 4]), np.array([0, 1, 0, 1])
    found = []
    for kernel in both.values():
        sizes = kernel.margins(indptr, cols, huge, 2)
        above = (2 * huge.view(np.uint64)).astype(np.uint64)
        below = sizes[0].view(np.uint64)[[0, 0, 1, 1]] + sizes[1].view(np.uint64)[cols]
        found.append(
            (
                kernel.b_cubed_sums(indptr, cols, huge, *sizes),
                kernel.nearest_cells(indptr, cols, huge, *sizes, "sorensen_dice").tolist(),
                kernel.sum_ratios(huge, above, below),
            )
        )
    assert found[0] == found[1]
    exact = sum(
        int(w) * (2**126 * int(x) // int(y)) for w, x, y in zip(huge, above, below, strict=True)
    )
    assert found[0][2] == exact


@pytest.mark.parametrize("name", ["partition, one part", "wide", "dense"])
def test_items_in_any_order_give_the_same_table(name):
    a, b = SHAPES[name]
    order = rng.permutation(len(a))
    assert equal(_kernels.impl.meet(a[order], b[order]), _kernels.impl.meet(a, b))


def test_ids_that_collide_take_the_sorting_path(both):
    """Distinct pairs of ids with one hash, solved from its formula in pw_wide.c."""
    row, col = 0x9E3779B97F4A7C15, 0xD1B54A32D192ED03
    b = [3 * 2**40 + i for i in range(3000)]
    a = [(17 - x * col) * pow(row, -1, 2**64) % 2**64 for x in b]
    pairs = np.array(a, dtype=np.uint64), np.array(b, dtype=np.uint64)
    assert equal(both["compiled"].meet(*pairs), both["numpy"].meet(*pairs))


def test_inputs_keep_their_reference_counts():
    a, b = shape(100, 5, 5)
    pw.rand_index(a, b)
    gc.collect()
    before = sys.getrefcount(a), sys.getrefcount(b)
    for _ in range(1000):
        _kernels.impl.meet(a, b)
    assert (sys.getrefcount(a), sys.getrefcount(b)) == before


def test_results_outlive_their_inputs():
    """Large results own memory that C allocated; it must stay until the last view goes."""
    a, b = shape(60000, 30000, 30000)
    table = pw.contingency(a, b)
    cols = table.cols
    wanted = cols.copy()
    del table, a, b
    gc.collect()
    np.ones(200000)
    assert np.array_equal(cols, wanted)


def test_threads_may_share_inputs():
    from concurrent.futures import ThreadPoolExecutor

    a, b = SHAPES["partition, many parts"]
    wanted = pw.s_entropy(a, b)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: pw.s_entropy(a, b), range(16)))
    assert found == [wanted] * 16


def run_python(code, **variables):
    environment = {**os.environ, **variables}
    return subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.one_backend
def test_environment_variable_chooses():
    code = "import partwise as pw; print(pw.config()['kernels'], '|', pw.config()['reason'])"
    assert run_python(code, PARTWISE_KERNELS="numpy").stdout.startswith("numpy | PARTWISE")
    wrong = run_python(code, PARTWISE_KERNELS="fast")
    assert wrong.returncode != 0
    assert "'fast'" in wrong.stderr
    assert "auto, compiled, numpy" in wrong.stderr


@pytest.fixture
def copied(tmp_path):
    """A copy of the package, its extensions, and what importing it says."""
    package = tmp_path / "partwise"
    shutil.copytree(Path(pw.__file__).parent, package)
    endings = tuple(EXTENSION_SUFFIXES)
    folder = package / "_kernels" / "compiled"
    extensions = sorted(path for path in folder.iterdir() if path.name.endswith(endings))

    def imported(choice):
        code = "import partwise as pw; print(pw.config()['kernels'], pw.config()['reason'])"
        return run_python(code, PARTWISE_KERNELS=choice, PYTHONPATH=str(tmp_path))

    return extensions, imported


@pytest.mark.one_backend
def test_absent_kernels_are_told(copied):
    extensions, imported = copied
    for path in extensions:
        path.unlink()
    found = imported("auto")
    assert found.stdout.startswith("numpy this install was built without compiled kernels")
    wanted = imported("compiled")
    assert wanted.returncode != 0
    assert "PARTWISE_KERNELS=compiled, but" in wanted.stderr


@pytest.mark.one_backend
@pytest.mark.parametrize("subject", ["glue", "sums", "chance"])
@pytest.mark.parametrize("damage", ["lost", "cut short"])
def test_damaged_kernels_are_an_error(copied, subject, damage):
    """Never a slow path that nobody asked for."""
    extensions, imported = copied
    if not extensions:
        pytest.skip("this install has no compiled kernels to damage")
    hurt = next(path for path in extensions if path.name.startswith(f"{subject}."))
    if damage == "lost":
        hurt.unlink()
    else:
        hurt.write_bytes(b"")
    found = imported("auto")
    assert found.returncode != 0
    assert subject in found.stderr


@pytest.mark.one_backend
def test_interrupt_stops_a_long_kernel(both):
    """A signal that arrives inside C is honoured within a fraction of a second."""
    code = (
        "import signal, threading, time, os, numpy as np\n"
        "from partwise._kernels.compiled import index as compiled\n"
        "a = np.zeros(400_000_000, dtype=np.int8)\n"
        "threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "started = time.perf_counter()\n"
        "try:\n"
        "    for _ in range(200):\n"
        "        compiled.meet(a, a)\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped')\n"
    )
    found = run_python(code)
    assert found.stdout.strip() == "stopped", found.stderr
