"""The meet at every vector level of the processor: the integers of the reference kernel."""

import os
import signal
import subprocess
import sys
import threading
from functools import cache

import numpy as np
import pytest

from partwise import _kernels
from partwise._kernels import workers
from partwise._kernels.reference import index as reference_kernels

pytestmark = pytest.mark.one_backend


def same(x, y):
    return all(p.dtype == q.dtype and np.array_equal(p, q) for p, q in zip(x, y, strict=True))


@pytest.fixture
def at_every_level(both):
    """Return a generator of tables, one for each level and number of workers."""
    compiled = both["compiled"]

    def tables(a, b, counts=(1,)):
        for level in compiled.vector_levels():
            compiled.use_vector(level)
            for count in counts:
                with workers.scratches(count) as lent:
                    yield level, count, compiled.tally(a, b, lent)

    yield tables
    if _kernels.name == "compiled":
        compiled.use_vector(_kernels.vector)


def check(at_every_level, a, b, counts=(1,)):
    wanted = reference_kernels.tally(a, b, ())
    for level, count, table in at_every_level(a, b, counts):
        assert same(table, wanted), (level, count)


# ---- sizes around those of vectors, leaves, chunks and batches ------------------------

AROUND = sorted(
    {size + more for size in (8, 16, 32, 64, 128, 256, 512, 4096, 16384) for more in (-1, 0, 1)}
)


@pytest.mark.parametrize("n", [0, 1, 2, *AROUND])
@pytest.mark.parametrize("low", [0, -(2**40)])
def test_sizes_around_those_of_vectors(at_every_level, n, low):
    """Distinct keys, too far apart for counters: all of them are sorted."""
    order = np.random.default_rng(n).permutation(n) if n else np.zeros(0, np.int64)
    check(at_every_level, low + order * 9, low + order[::-1] * 7)


@pytest.mark.parametrize("n", [40, 129, 5000, 70_000])
def test_the_largest_and_the_smallest_key(at_every_level, n):
    """Vectors are filled up with the largest key, which may be a real one."""
    rng = np.random.default_rng(n)
    a, b = rng.integers(2**16, size=(2, n))
    a[: n // 3], b[: n // 3] = 2**16 - 1, 2**16 - 1
    a[-n // 3 :], b[-n // 3 :] = 0, 0
    order = rng.permutation(n)
    check(at_every_level, a[order], b[order])


# ---- shapes of keys that splits and rows find hard -------------------------------------


def labels_of(kind, n, rng):
    if kind == "powers of two: splits are uneven all the way down":
        return 2 ** rng.integers(0, 17, n), 2 ** rng.integers(0, 17, n)
    if kind == "two values":
        return rng.choice([3, 90_000], n), rng.choice([5, 70_000], n)
    if kind == "one cell and a few others":
        a, b = rng.integers(90_000, size=(2, n))
        few = rng.random(n) < 0.02
        return np.where(few, a, 50_000), np.where(few, b, 4)
    if kind == "one row":
        return np.zeros(n, np.int64), rng.permutation(n) * 5
    if kind == "few rows, many columns":
        return rng.integers(5, size=n), rng.integers(40 * n, size=n) // 20
    if kind == "one column":
        return rng.permutation(n) * 5, np.zeros(n, np.int64)
    if kind == "a giant row":
        return np.where(rng.random(n) < 0.9, 77, rng.integers(n, size=n)), rng.permutation(n)
    if kind == "long keys":
        return rng.integers(2 * n, size=n), rng.integers(2 * n, size=n)
    if kind == "rows of many sizes":
        return (n * rng.random(n) ** 4).astype(np.int64), rng.integers(n, size=n)
    assert kind == "empty rows and columns"
    return 3 * rng.integers(n // 2, size=n), 17 + 7 * rng.integers(n // 5, size=n)


SHAPES = (
    "powers of two: splits are uneven all the way down",
    "two values",
    "one cell and a few others",
    "one row",
    "few rows, many columns",
    "one column",
    "a giant row",
    "long keys",
    "rows of many sizes",
    "empty rows and columns",
)


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("n", [3000, 60_000, 600_000])
def test_shapes(at_every_level, kind, n):
    a, b = labels_of(kind, n, np.random.default_rng(n))
    check(at_every_level, a, b, (1, 2))


@pytest.mark.parametrize(
    "kind", ["a giant row", "few rows, many columns", "rows of many sizes"]
)
def test_cells_that_are_written_past_the_caches(at_every_level, kind):
    a, b = labels_of(kind, 2_200_000, np.random.default_rng(3))
    check(at_every_level, a, b, (1, 3))


@pytest.mark.parametrize("left", [np.int8, np.uint16, np.int32, np.uint32, np.int64])
@pytest.mark.parametrize("right", [np.uint8, np.int32, np.int64])
@pytest.mark.parametrize("outside", [0, 3, 900])
def test_types_and_labels_outside_the_guessed_windows(at_every_level, left, right, outside):
    rng = np.random.default_rng(outside)
    n = 70_000
    sides = []
    for dtype in (left, right):
        most = min(np.iinfo(dtype).max, 30_000)
        side = rng.integers(most // 2, size=n).astype(dtype)
        places = rng.choice(n, outside, replace=False)
        side[places] = rng.integers(most // 2, np.iinfo(dtype).max, outside).astype(dtype)
        sides.append(side)
    check(at_every_level, *sides, (1,))


# ---- a counter for every pair: groups of items, copies of counters, carries ---------------


@pytest.mark.parametrize(
    "dtype", [np.int64, np.uint64, np.int32, np.uint32, np.int16, np.uint8]
)
@pytest.mark.parametrize(
    "n", [1, 15, 16, 17, 47, 48, 49, 63, 64, 65, 127, 129, 320, 1025, 5003]
)
@pytest.mark.parametrize("start", [0, 1, 5])
def test_counted_items_of_every_number_and_place(at_every_level, dtype, n, start):
    """Groups begin where a cache line does; a few items before and behind are left over."""
    rng = np.random.default_rng(n)
    a, b = rng.integers(3, 40, size=(2, n + start)).astype(dtype)
    check(at_every_level, a[start:], b[start:], (1, 2))


@pytest.mark.parametrize("clusters", [1, 3, 60, 100])
@pytest.mark.parametrize("order", ["any", "sorted"])
def test_counters_that_come_round(at_every_level, clusters, order):
    """Counters have 8 bits: each of these goes past them, at different places of a group."""
    rng = np.random.default_rng(clusters)
    a, b = rng.integers(clusters, size=(2, 300 * clusters**2 if clusters < 100 else 3_000_000))
    if order == "sorted":
        places = np.lexsort((b, a))
        a, b = a[places], b[places]
    check(at_every_level, a, b, (1, 3))


@pytest.mark.parametrize("dtype", [np.int64, np.int32])
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("far", [-7, 205, 2**31 - 1])
def test_counted_items_with_labels_outside_their_window(at_every_level, dtype, side, far):
    """A label outside ends the group that it is in, wherever it stands."""
    rng = np.random.default_rng(far % 1000)
    sides = list(rng.integers(100, 200, size=(2, 70_000)).astype(dtype))
    for place in (3, 64, 1000, 1001, 20_007, 44_444, 69_990):
        sides[side][place] = far
    check(at_every_level, *sides)


# ---- many small random tables ----------------------------------------------------------


def random_pair(rng):
    n = int(rng.choice([600, 5000, 20_000, 90_000], p=[0.6, 0.25, 0.1, 0.05]))
    n = int(rng.integers(n)) + 1
    bits = rng.integers(0, 20, 2) * (rng.random(2) > 0.15)
    a, b = (rng.integers(2 ** int(k), size=n) for k in bits)
    kind = rng.integers(6)
    hot = rng.random(n) < 0.9
    if kind == 1:
        a, b = np.where(hot, a.max(), a), np.where(hot, b.max(), b)
    elif kind == 2:
        a = np.where(hot, a.max() // 3, a)
    elif kind == 3:
        b = np.where(hot, b.max() // 5, b)
    elif kind == 4:
        a = a.max() - (a >> rng.integers(0, 20, n))
    elif kind == 5:
        b = b.max() >> rng.integers(0, int(bits[1]) + 1, n)
    return a + int(rng.integers(-500, 500)), b + int(rng.integers(-(2**60), 2**60))


@pytest.mark.parametrize("seed", range(12))
def test_random_tables(at_every_level, seed):
    rng = np.random.default_rng(seed)
    for _ in range(int(os.environ.get("PARTWISE_FUZZ_CASES", "60"))):
        check(at_every_level, *random_pair(rng))


# ---- choosing a level ------------------------------------------------------------------


@cache
def imported(choice, kernels="compiled"):
    code = "from partwise import _kernels as k; print(k.vector, *k.vector_levels)"
    variables = {"PARTWISE_VECTOR": choice, "PARTWISE_KERNELS": kernels}
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_variable_chooses(both):
    levels = both["compiled"].vector_levels()
    assert levels[0] == "none"
    assert imported("").stdout.split() == [levels[-1], *levels]
    for level in levels:
        assert imported(level).stdout.split() == [level, *levels]
    assert imported("none", "numpy").stdout.split() == ["none", "none"]


@pytest.mark.parametrize("choice", ["fast", "AVX2", "avx2 "])
def test_another_word_is_an_error(both, choice):
    found = imported(choice)
    assert found.returncode != 0
    levels = ", ".join(both["compiled"].vector_levels())
    assert f"PARTWISE_VECTOR is {choice!r}, which is no vector level" in found.stderr
    assert f"it can be: {levels}" in found.stderr


def test_a_level_that_is_not_there_is_an_error(both):
    found = imported("avx2", "numpy")
    assert found.returncode != 0
    assert "PARTWISE_VECTOR is 'avx2', which is not available" in found.stderr
    assert found.stderr.rstrip().endswith("it can be: none")
    for kernels in both.values():
        with pytest.raises(ValueError, match="none of the vector levels none"):
            kernels.use_vector("avx1024")


# ---- counters of all pairs, of items of which some are dropped ---------------------------


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "u4", "i8", "u8"])
@pytest.mark.parametrize(
    ("n_labels", "n"),
    [(few, n) for few in (1, 3, 40) for n in (1, 15, 16, 63, 64, 65, 257, 5000)]
    + [(100, 60_001), (3, 60_001)],
)
def test_pairs_of_items_that_are_not_dropped(both, dtype, n_labels, n):
    """Also where a counter of 8 bits comes round, where labels stand on no border of a line,
    and where a label lies outside what a sample shows.
    """
    compiled = both["compiled"]
    rng = np.random.default_rng([n, n_labels])
    a, b = (rng.integers(n_labels, size=(2, n + 1)).astype(dtype))[:, 1:]
    a[-1], b[n // 2] = n_labels + 10, n_labels + 15
    try:
        for share in (None, 0.0, 0.01, 0.5, 1.0):
            dropped = None if share is None else rng.random(n) < share
            kept = slice(None) if dropped is None else ~dropped
            for level in compiled.vector_levels():
                compiled.use_vector(level)
                counters = compiled.dense_masses(a, b, None, None, 0.0, 0, dropped)
                assert counters is not None
                (row, col), counts, totals, zeros = counters
                wanted = np.zeros_like(counts)
                places = a[kept].astype(np.int64) - row, b[kept].astype(np.int64) - col
                np.add.at(wanted, places, 1)
                assert np.array_equal(counts, wanted), (level, share)
                assert totals is None
                assert zeros == 0
    finally:
        if _kernels.name == "compiled":
            compiled.use_vector(_kernels.vector)


def test_an_interrupt_ends_the_sort_of_a_giant_part(both):
    """One part has most keys: without a poll inside, nothing would be looked at for long."""
    if len(both["compiled"].vector_levels()) == 1:
        pytest.skip("this processor has no vector level, and the portable one cuts such a part")
    rng = np.random.default_rng(0)
    a, b = rng.integers(2**19, size=(2, 24_000_000))
    a[:22_000_000] = 0
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.2, signal.raise_signal, (signal.SIGINT,))
    timer.start()

    def run():
        for _ in range(100):
            with workers.scratches(1) as lent:
                both["compiled"].tally(a, b, lent)

    try:
        with pytest.raises(KeyboardInterrupt):
            run()
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
