"""Tables by several threads; working memory; labels outside the guessed ranges."""

import signal
import threading
import time

import numpy as np
import pytest

import partwise as pw
from partwise import _kernels
from partwise._kernels import threads, workers
from partwise._kernels.reference import index as reference_kernels

N = 1_100_000  # enough for four workers


def random_labels(kind, n=N):
    rng = np.random.default_rng(sum(map(ord, kind)))
    if kind == "dense, 32-bit counters":
        return rng.integers(0, 30, (2, n))
    if kind == "dense, 8-bit counters":
        a = rng.integers(0, 900, n)
        return a, np.where(rng.random(n) < 0.1, rng.integers(0, 900, n), a)
    if kind == "hashed parts":
        a = (90_000 * rng.random(n) ** 3).astype(np.int64)
        return a, np.where(rng.random(n) < 0.1, rng.integers(0, 90_000, n), a)
    if kind == "sorted parts":
        return rng.integers(0, 40_000, (2, n))
    if kind == "dense, in order":
        a = np.sort(rng.integers(0, 400, n))
        return a, a // 2
    if kind == "few rows":
        return rng.integers(0, 3, n), rng.integers(0, 2_000_000, n)
    if kind == "one giant cell":
        a, b = rng.integers(0, 200_000, (2, n))
        giant = rng.random(n) < 0.9
        return np.where(giant, 70_000, a), np.where(giant, 3, b)
    if kind == "one giant row":
        return np.where(rng.random(n) < 0.9, 7, rng.integers(0, 90_000, n)), rng.permutation(n)
    if kind == "in order":
        keys = np.sort(rng.integers(0, 10**10, n))
        return keys // 100_000, keys % 100_000
    if kind == "in order, but for the end":
        keys = np.sort(rng.integers(0, 10**10, n))
        keys[-2] = 5
        return keys // 100_000, keys % 100_000
    if kind == "in runs":
        return np.repeat(rng.integers(0, 80_000, (2, n // 9)), 9, axis=1)
    if kind == "in runs at first":
        a, b = rng.integers(0, 80_000, (2, n))
        for start in range(0, n, n // 64):  # where stretches are looked at
            a[start : start + 40], b[start : start + 40] = a[start], b[start]
        return a, b
    if kind == "few values in a part":
        return rng.integers(0, 3300, (2, n))
    if kind == "64-bit keys":
        return rng.integers(0, 2 * n, (2, n))
    if kind == "wide":
        names = rng.integers(-(2**63), 2**63, (2, 5000))
        return names[0][rng.integers(0, 5000, n)], names[1][rng.integers(0, 5000, n)]
    if kind == "wide, one giant cell":
        giant, (a, b) = rng.random(n) < 0.8, random_labels("wide")
        return np.where(giant, -7, a), np.where(giant, 10**15, b)
    if kind == "wide, 32 bits":
        names = rng.integers(-(2**31), 2**31, (2, 5000)).astype(np.int32)
        return names[0][rng.integers(0, 5000, n)], names[1][rng.integers(0, 5000, n)]
    assert kind == "empty rows and columns"
    return 3 + 2 * rng.integers(0, 300, n), 9 + 5 * rng.integers(0, 150, n)


KINDS = (
    "dense, 32-bit counters",
    "dense, 8-bit counters",
    "dense, in order",
    "hashed parts",
    "sorted parts",
    "few rows",
    "one giant cell",
    "one giant row",
    "in order",
    "in order, but for the end",
    "in runs",
    "in runs at first",
    "few values in a part",
    "64-bit keys",
    "wide",
    "wide, one giant cell",
    "wide, 32 bits",
    "empty rows and columns",
)


def same(found, wanted):
    return all(
        x.dtype == y.dtype and np.array_equal(x, y) for x, y in zip(found, wanted, strict=True)
    )


@pytest.mark.one_backend
@pytest.mark.parametrize("kind", KINDS)
def test_any_number_of_workers_gives_the_table_of_numpy(both, kind):
    a, b = random_labels(kind)
    wanted = reference_kernels.tally(a, b, ())
    for count in (1, 2, 4):
        with workers.scratches(count) as lent:
            assert same(both["compiled"].tally(a, b, lent), wanted), count


@pytest.mark.one_backend
@pytest.mark.parametrize(
    "kind", ["dense, 32-bit counters", "dense, 8-bit counters", "hashed parts", "in order"]
)
@pytest.mark.parametrize("outside", [1, 3000, 200_000])
def test_labels_outside_the_guessed_ranges(both, kind, outside):
    rng = np.random.default_rng(outside)
    a, b = (np.array(x) for x in random_labels(kind))
    places = 13 + rng.choice(N - 13, outside, replace=False)
    a[places[::2]] = rng.integers(-(2**62), 2**62, len(places[::2]))
    b[places[1::3]] = -1
    b[places[2::3]] = 2**45
    b[places[:1]] = 2**45
    wanted = reference_kernels.tally(a, b, ())
    for count in (1, 3):
        with workers.scratches(count) as lent:
            assert same(both["compiled"].tally(a, b, lent), wanted), count


@pytest.mark.one_backend
@pytest.mark.parametrize("n", [40, 100_000])
@pytest.mark.parametrize("dtype", [np.int64, np.uint64, np.int32, np.int8])
def test_both_ends_of_a_type(both, n, dtype):
    """Offsets wrap there; the labels must not."""
    limits = np.iinfo(dtype)
    ends = np.array([limits.max, limits.min, limits.max - 1, limits.min + 1], dtype=dtype)
    a, b = ends[np.arange(n) % 4], ends[np.arange(n) % 3]
    assert same(both["compiled"].meet(a, b), reference_kernels.meet(a, b))
    low, high = a[a < limits.max // 2], b[: len(a[a < limits.max // 2])]
    assert same(both["compiled"].meet(low, high), reference_kernels.meet(low, high))


@pytest.mark.one_backend
def test_counters_that_come_round(both):
    """A narrow counter is 0 again at multiples of 256; a cell must not vanish there."""
    a = np.repeat(np.arange(300), 512)
    b = np.tile(np.repeat(np.arange(2), 256), 300) + 2 * (a % 150)
    order = np.random.default_rng(0).permutation(len(a))
    found = both["compiled"].meet(a[order], b[order])
    assert np.unique(found[4]).tolist() == [256]
    assert same(found, reference_kernels.meet(a[order], b[order]))


@pytest.mark.one_backend
def test_ids_chosen_to_collide_in_the_hash_of_a_part(both):
    """All keys of a part in one slot would take a time that grows with its square."""
    n = 300_000
    inverse = pow(0x9E3779B1, -1, 1 << 32)
    keys = np.array([(slot * inverse) % (1 << 32) for slot in range(2**20)])
    keys = keys[keys < 2**25][: n // 64]
    chosen = np.random.default_rng(0).permutation(np.repeat(keys, 64))
    a, b = chosen >> 16, (chosen & 0xFFFF).astype(np.uint16)  # no slack above: 16 bits
    assert same(both["compiled"].meet(a, b), reference_kernels.meet(a, b))


INTEGERS = {
    "small range": lambda rng: rng.integers(-50, 3000, N),
    "all once": lambda rng: rng.permutation(N) - 77,
    "any range": lambda rng: rng.integers(-(2**62), 2**62, N),
    "unsigned": lambda rng: rng.integers(0, 2**64, N, dtype=np.uint64),
    "few, far apart": lambda rng: rng.choice(rng.integers(-(2**62), 2**62, 9), N),
    "one": lambda rng: np.full(N, -(2**63)),
    "both ends": lambda rng: rng.choice(np.array([-(2**63), 2**63 - 1]), N),
    "8 bits": lambda rng: rng.integers(-128, 128, N).astype(np.int8),
    "fewer than threads": lambda rng: np.array([5, 3]),
    "none": lambda rng: np.array([], dtype=np.int64),
}


@pytest.mark.parametrize("kind", INTEGERS)
def test_integers_get_the_same_numbers_from_any_number_of_workers(both, kind):
    values = INTEGERS[kind](np.random.default_rng(1))
    wanted = np.unique(values, return_inverse=True)
    for kernel in both.values():
        for count in (1, 2, 3, 64):
            found = kernel.encode(values, count)
            assert found[0].dtype == values.dtype
            assert all(np.array_equal(x, y) for x, y in zip(found, wanted, strict=True))


@pytest.mark.parametrize("n", [0, 1, 7, 5000])
def test_ids_of_two_sides_are_paired_by_any_number_of_workers(both, n):
    rng = np.random.default_rng(n)
    first, second = rng.permutation(n), rng.permutation(n)
    again = second.copy()
    again[:1] = again[-1:]
    for kernel in both.values():
        for count in (1, 2, 9):
            pairs = kernel.one_to_one(first, second, n, count)
            assert np.array_equal(second[pairs], first)
            assert kernel.one_to_one(first, second, n + 1, count) is None
            if n > 1:
                assert kernel.one_to_one(first, again, n, count) is None
                assert kernel.one_to_one(again, first, n, count) is None


@pytest.mark.parametrize("kind", ["int64", "far apart", "text"])
def test_items_are_joined_alike_by_any_number_of_workers(kernels, kind, monkeypatch):
    monkeypatch.setattr(workers, "NUMBERING_ITEMS", 100)
    monkeypatch.setattr(workers, "WORKER_ITEMS", 100)
    rng = np.random.default_rng(3)
    ids = {"int64": np.arange(5000), "far apart": rng.integers(-(2**62), 2**62, 5000)}
    own = ids[kind] if kind in ids else np.array([f"id {i}" for i in range(5000)])
    order = rng.permutation(5000)
    labels = rng.integers(0, 40, 5000)
    reference = pw.Clustering(labels, items=own)
    candidate = pw.Clustering(labels[order], items=own[order])
    fewer = pw.Clustering(labels[order][:4000], items=own[order][:4000])
    for other, policy in ((candidate, {}), (fewer, {"unmatched": "singletons"})):
        one, several = (pw.align(reference, other, workers=w, **policy) for w in (1, 3))
        assert one.items.tolist() == several.items.tolist()
        for x, y in ((one.reference, several.reference), (one.candidate, several.candidate)):
            assert np.array_equal(x.column.codes, y.column.codes)


def test_contingency_takes_workers(kernels):
    a, b = random_labels("hashed parts")
    one, two = pw.contingency(a, b), pw.contingency(a, b, workers=2)
    every = pw.contingency(pw.align(a, b), workers=-1)
    labels = pw.contingency(a, b, workers=3)
    for table in (two, every, labels):
        assert same(
            (table.indptr, table.cols, table.counts), (one.indptr, one.cols, one.counts)
        )
        assert same((table.row_sizes, table.col_sizes), (one.row_sizes, one.col_sizes))
    assert pw.contingency(one, workers=2) is one
    aligned = pw.align(a, b)
    assert pw.contingency(aligned, workers=2) is aligned.table
    scores = pw.compare(a, b, workers=2).scores
    assert scores == pw.compare(one).scores


@pytest.mark.one_backend
@pytest.mark.parametrize("wrong", [0, -2, True, 1.0, "2"])
def test_workers_that_are_no_number_of_threads(wrong):
    with pytest.raises((TypeError, ValueError), match="workers="):
        pw.contingency([0, 1], [0, 1], workers=wrong)


@pytest.mark.one_backend
def test_working_memory_is_kept_and_given_back(both):
    pw.free_scratch()
    a, b = random_labels("sorted parts")
    pw.contingency(a, b)
    kept = workers.scratch_bytes()
    assert kept >= 4 * N
    assert pw.config()["scratch"] == kept
    pw.contingency(a, b)
    assert workers.scratch_bytes() == kept
    assert pw.free_scratch() == kept
    assert workers.scratch_bytes() == 0


@pytest.mark.one_backend
def test_working_memory_above_the_cap_is_not_kept(both, monkeypatch):
    pw.free_scratch()
    monkeypatch.setattr(workers, "KEPT_BYTES", 1 << 20)
    pw.contingency(*random_labels("sorted parts"))
    assert workers.scratch_bytes() == 0


@pytest.mark.one_backend
def test_calls_of_several_threads_share_no_memory(both):
    given = [random_labels(kind, 200_000) for kind in KINDS[:4]]
    wanted = [reference_kernels.tally(a, b, ()) for a, b in given]
    wrong = []

    def run(place):
        for _ in range(5):
            with workers.scratches(1) as lent:
                found = _kernels.impl.tally(*given[place], lent)
            if not same(found, wanted[place]):
                wrong.append(place)

    threads = [threading.Thread(target=run, args=(i % 4,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.one_backend
def test_without_threads_to_be_had_the_caller_does_the_work(both, monkeypatch):
    def refuse(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    a, b = random_labels("sorted parts")
    with workers.scratches(3) as lent:
        assert same(both["compiled"].tally(a, b, lent), reference_kernels.tally(a, b, ()))


@pytest.mark.one_backend
@pytest.mark.parametrize("delay", [0.02, 0.05, 0.11])
def test_an_interrupt_ends_all_workers(both, delay):
    """Wherever it arrives: in the caller's own share, or while it waits for the others."""
    a = np.zeros(120_000_000, dtype=np.int8)
    before = threading.active_count()

    def run():
        for _ in range(200):
            with workers.scratches(2) as lent:
                both["compiled"].tally(a, a, lent)

    # a process in the background of a shell ignores it
    before_us = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(delay, signal.raise_signal, (signal.SIGINT,))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            run()
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before_us)
    ends_by = time.monotonic() + 30  # they notice at their next poll
    while threading.active_count() > before and time.monotonic() < ends_by:
        time.sleep(0.01)
    assert threading.active_count() == before


@pytest.mark.one_backend
@pytest.mark.parametrize("share", [workers.map_blocks, workers.map_stream])
@pytest.mark.parametrize("kernel", ["table", "integers", "words of Python"])
def test_blocks_under_way_end_with_the_call(both, share, kernel):
    """Signals come to the first thread; the others hear of it where their kernels look out."""
    a = np.zeros(40_000_000, dtype=np.int8)
    begun, ended = threading.Event(), threading.Event()
    impl = both["compiled"]

    def work(block):
        if block == 0:
            begun.wait(30)
            raise KeyboardInterrupt
        begun.set()
        try:
            ends_by = time.monotonic() + 60
            while time.monotonic() < ends_by:  # ends by an interrupt alone
                if kernel == "table":
                    with workers.scratches(1) as lent:
                        impl.tally(a, a, lent)
                elif kernel == "integers":
                    impl.encode(a)
                else:
                    threads.look_for_interrupt()
        except KeyboardInterrupt:
            ended.set()
            raise

    with pytest.raises(KeyboardInterrupt):
        list(share(work, [0, 1], 2))
    assert ended.is_set()
    threads.look_for_interrupt()  # nothing is left for later calls
    assert list(share(abs, [-1, -2], 2)) == [1, 2]
