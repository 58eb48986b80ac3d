"""Text that several threads number, and how many threads calls use that are not told."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import partwise as pw
from partwise import _kernels
from partwise._kernels import workers

pa = pytest.importorskip("pyarrow")


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    """Few items are worth a thread; afterwards the default is as before."""
    monkeypatch.setattr(workers, "NUMBERING_ITEMS", 10)
    before = list(workers._default)
    yield
    workers._default[:] = before


def names(n, k, seed=0):
    rng = np.random.default_rng(seed)
    chosen = rng.integers(0, k, n)
    return [f"né{i}" * (i % 4) + "x" * (i % 23) for i in chosen.tolist()]


def forms_of(values):
    lacking = [None if i % 7 == 3 else value for i, value in enumerate(values)]
    encoded = [value.encode() for value in values]
    return {
        "list": values,
        "list of bytes": encoded,
        "array of text": np.array(values),
        "array of bytes": np.array(encoded),
        "array of objects": np.array(values, dtype=object),
        "arrow": pa.array(values),
        "large arrow": pa.array(values, pa.large_string()),
        "arrow, some missing": pa.array(lacking),
        "list, some missing": lacking,
    }


@pytest.mark.parametrize("count", [2, 3, 64, 1000])
@pytest.mark.parametrize("distinct", [1, 30, 5000])
def test_the_table_is_the_same_for_any_number_of_threads(count, distinct):
    other = np.arange(1500) % 11
    for form, values in forms_of(names(1500, distinct)).items():
        policy = {"missing": "cluster"} if "missing" in form else {}
        one = pw.contingency(values, other, **policy)
        several = pw.contingency(values, other, workers=count, **policy)
        assert several.row_labels.tolist() == one.row_labels.tolist(), form
        for field in ("indptr", "cols", "counts", "row_sizes", "col_sizes"):
            assert np.array_equal(getattr(several, field), getattr(one, field)), (form, field)


def many_names(n, distinct, seed):
    """Return text of all lengths from 0 on, much of which begins alike."""
    rng = np.random.default_rng(seed)
    heads = ["", "a", "entity-of-a-long-name-", "né", "\0"]
    names = [f"{heads[i % 5]}{i * i % 10**9}" for i in range(distinct)]
    return [names[i] for i in rng.integers(0, distinct, n).tolist()]


@pytest.mark.long
@pytest.mark.parametrize("distinct", [40_000])
def test_many_distinct_names_are_put_in_order_by_all_threads(distinct, both):
    values = many_names(150_000, distinct, distinct)
    text = [value.encode() for value in values]
    offsets = np.cumsum([0, *map(len, text)])
    data = np.frombuffer(b"".join(text), dtype=np.uint8)
    skipped = (np.arange(len(values)) % 11 == 3).astype(np.uint8)
    fixed = np.array(values)
    for kernel in both.values():
        for count in (1, 2, 3, 64):
            codes, firsts = kernel.number_spans(data, offsets, skipped, count)
            present = [x for x, gone in zip(text, skipped.tolist(), strict=True) if not gone]
            wanted = sorted(set(present))
            assert [text[i] for i in firsts.tolist()] == wanted
            assert [wanted[code] for code in codes[skipped == 0].tolist()] == present
            assert not codes[skipped == 1].any()
            places = [kernel.number_fixed(fixed, w) for w in (1, count)]
            assert all(np.array_equal(x, y) for x, y in zip(*places, strict=True))
            codes, labels, _ = kernel.number_text(values, count)
            assert labels[codes].tolist() == values
            assert labels.tolist() == sorted(set(values))


def test_names_that_come_in_a_period():
    """A sample at even distances would see one name; the numbers are right either way."""
    values = [f"name {i % 32}" if i % 4 else f"lone {i}" for i in range(6000)]
    for count in (1, 2, 5):
        table = pw.contingency(values, values, workers=count)
        assert table.row_labels.tolist() == sorted(set(values))


def test_items_joined_by_text_are_the_same_for_any_number_of_threads():
    ids = [f"item {i * i}" for i in range(800)]
    rng = np.random.default_rng(3)
    order = rng.permutation(800)
    labels = rng.integers(0, 9, 800)
    reference = pw.Clustering(labels, items=ids)
    candidate = pw.Clustering(labels[order], items=[ids[i] for i in order])
    one, several = (pw.align(reference, candidate, workers=w) for w in (1, 4))
    assert one.items.tolist() == several.items.tolist() == ids
    assert pw.adjusted_rand_index(several) == 1
    fewer = pw.Clustering(labels[:500], items=ids[:500])
    kept = [
        pw.align(fewer, candidate, unmatched="singletons", workers=w).items.tolist()
        for w in (1, 3)
    ]
    assert kept[0] == kept[1]


def test_ids_that_collide_still_take_the_other_way(both):
    """A part gives up like the whole: the result is that of the reference kernel."""
    data = np.frombuffer(b"abc" * 300, dtype=np.uint8)
    offsets = np.arange(0, 901, 3)
    for kernel in both.values():
        codes, n_distinct = kernel.number_unordered(data, offsets, 5)
        assert n_distinct == 1
        assert not codes.any()
        codes, n_distinct = kernel.number_unordered(data[:0], np.zeros(41, dtype=np.int64), 4)
        assert n_distinct == 1


def test_threads_in_force_are_those_of_the_innermost_call():
    pw.set_workers(3)
    assert workers.in_force() == 3
    with workers.working(5):
        assert workers.in_force() == 5
        seen = list(workers.map_blocks(lambda _: workers.in_force(), range(4), 2))
        assert seen == [1, 1, 1, 1]  # the threads have blocks to work on
    assert workers.in_force() == workers.read_workers(None) == 3
    assert workers.read_workers(7) == 7
    pw.set_workers(-1)
    assert workers.in_force() == workers.cores()


@pytest.mark.parametrize("count", [0, -2, True, 2.0, "2", None])
def test_what_is_no_number_of_threads_is_refused(count):
    with pytest.raises((TypeError, ValueError), match="workers="):
        pw.set_workers(count)
    if count is not None:
        with pytest.raises((TypeError, ValueError), match="workers="):
            pw.align([1], [1], workers=count)


def test_every_call_takes_the_default(monkeypatch):
    """More threads than one are started once the default says so, and none before."""
    monkeypatch.setattr(workers, "WORKER_ITEMS", 100)
    started = []
    start = threading.Thread.start
    monkeypatch.setattr(
        threading.Thread, "start", lambda self: (started.append(1), start(self))
    )
    values = names(2000, 50)
    calls = [
        lambda: pw.contingency(values, values),
        lambda: pw.align(values, values),
        lambda: pw.v_measure(values, values),
        lambda: pw.compare(values, values, measures="rand_index"),
        lambda: pw.null_distribution(
            [0, 0, 1], [0, 1, 1], measure="rand_index", draws=20, seed=1
        ),
        lambda: pw.pairwise([[0, 1], [1, 1], [0, 0]], "pair_sets_index"),
    ]
    compiled = _kernels.name == "compiled"
    for number, call in enumerate(calls):
        pw.set_workers(1)
        call()
        assert not started
        pw.set_workers(2)
        call()
        assert bool(started) == (compiled or number > 3), number
        started.clear()


def run(text):
    environment = {**os.environ, "PARTWISE_WORKERS": text}
    code = "from partwise._kernels.workers import in_force; print(in_force())"
    return subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.one_backend
def test_the_environment_gives_the_default():
    assert run("3").stdout.strip() == "3"
    assert run("").stdout.strip() == "1"
    assert "PARTWISE_WORKERS is 'two'; it must be a number" in run("two").stderr
    assert "PARTWISE_WORKERS=0 must be at least 1" in run("0").stderr
