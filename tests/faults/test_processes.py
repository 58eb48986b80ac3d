"""Processes that are killed, run out of memory or disk, or are interrupted."""

import errno
import os
import pickle
import resource
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest

import partwise as pw

pytestmark = [
    pytest.mark.one_backend,
    pytest.mark.skipif(sys.platform != "linux", reason="limits and signals as on Linux"),
]


def run(code, *arguments, timeout=60):
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)


def test_a_kill_during_save_leaves_the_old_table_or_the_new_one(tmp_path):
    """Whenever it comes: what stands under the name is always whole."""
    path = tmp_path / "table.npz"
    code = """
        import sys, numpy as np, partwise as pw
        labels = np.arange(60_000)
        tables = [pw.contingency(labels // step, labels % 999) for step in (3, 4)]
        print("ready", flush=True)
        while True:
            for table in tables:
                table.save(sys.argv[1])
        """
    sizes = set()
    for pause in (0.01, 0.03, 0.06, 0.1):
        command = [sys.executable, "-c", textwrap.dedent(code), str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout.readline() == "ready\n"
            time.sleep(pause)
            child.kill()
        if path.exists():
            table = pw.Contingency.load(path)
            assert table.n_items == 60_000
            sizes.add(table.shape[0])
    assert sizes <= {20_000, 15_000}


def test_a_full_disk_leaves_the_old_table(tmp_path):
    path = tmp_path / "table.npz"
    small = pw.contingency([0, 0, 1], [0, 1, 1])
    small.save(path)
    old = path.read_bytes()
    code = """
        import resource, signal, sys, numpy as np, partwise as pw
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        table = pw.contingency(np.arange(90_000), np.arange(90_000)[::-1].copy())
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
        try:
            table.save(sys.argv[1])
        except OSError as error:
            print(error.errno)
        """
    done = run(code, path)
    assert done.stdout.split() == [str(errno.EFBIG)], done.stderr
    assert path.read_bytes() == old
    assert os.listdir(tmp_path) == ["table.npz"]  # no part of the new one stays


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_output_that_cannot_be_written_is_one_sentence():
    command = [sys.executable, "-m", "partwise", "compare", "examples/records.csv::person"]
    command.append("examples/records.csv::matched")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode not in (0, -signal.SIGSEGV)
    assert "Traceback" not in done.stderr
    assert "No space left on device" in done.stderr


def test_memory_that_is_not_there_is_a_memory_error():
    """At any limit on addresses: a MemoryError or a result, and the next call is right."""
    code = """
        import resource, sys
        import numpy as np, partwise as pw
        n = 400_000
        ids = np.random.default_rng(1).integers(-(2**62), 2**62, n)
        few = np.arange(n) % 700
        text = few.astype("U8")
        calls = [
            lambda: pw.contingency(ids, few),
            lambda: pw.contingency(ids, ids[::-1]),
            lambda: pw.contingency(text, ids),
            lambda: pw.adjusted_mutual_information(few, few[::-1]),
            lambda: pw.contingency(few, ids).components(),
            lambda: pw.solvers.match(pw.contingency(few, ids % 997)),
            lambda: pw.align(dict(zip(ids.tolist(), text)), dict(zip(ids.tolist(), few))),
            lambda: pw.pairwise([few, few[::-1], ids % 5]),
        ]
        for call in calls:  # what is imported when it is needed is there from here on
            call()
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        lost = 0
        for call in calls:
            for extra in (1, 3, 8, 20, 60):
                hard = resource.getrlimit(resource.RLIMIT_AS)[1]
                resource.setrlimit(resource.RLIMIT_AS, (used + extra * 2**20, hard))
                try:
                    call()
                except MemoryError:
                    lost += 1
                finally:
                    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
                assert pw.rand_index([0, 0, 1], [0, 1, 1]) == 1 / 3
        print(lost)
        """
    done = run(code, timeout=120)
    assert done.returncode == 0, done.stderr[-800:]
    assert int(done.stdout) > 8


def test_archives_that_unpack_to_more_than_they_say_are_refused(tmp_path):
    """And those with a pickle: what it would run is not run."""
    path = tmp_path / "table.npz"
    pw.contingency([0, 0, 1], [0, 1, 1]).save(path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    counts = next(name for name in members if "count" in name)
    bomb = b"\x93NUMPY\x01\x00v\x00" + (
        b"{'descr': '<i8', 'fortran_order': False, 'shape': (4000000000,), }".ljust(117) + b"\n"
    )

    class Calls:
        def __reduce__(self):
            return (os.mkdir, (str(tmp_path / "ran"),))

    held = np.empty(1, dtype=object)
    held[0] = Calls()
    pickled = tmp_path / "pickled.npy"
    np.save(pickled, held, allow_pickle=True)
    # nothing but what is refused below has run it
    for bad in (bomb, bomb + bytes(10**7), pickled.read_bytes(), pickle.dumps(Calls())):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in members.items():
                archive.writestr(name, bad if name == counts else data)
        with pytest.raises(ValueError, match=r"table\.npz"):
            pw.Contingency.load(path)
    assert not (tmp_path / "ran").exists()


def test_a_file_that_may_not_be_read_is_named(tmp_path):
    with pytest.raises(OSError, match=r"absent\.conll"):
        pw.coreference.read(tmp_path / "absent.conll")
    command = [sys.executable, "-m", "partwise", "compare", f"{tmp_path}/a.csv::x", "b.csv::y"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "a.csv" in done.stderr
    assert "Traceback" not in done.stderr


# ---- interrupts ----------------------------------------------------------------------------


def long_calls():
    """Calls that take more than two seconds, most of them more than ten."""
    rng = np.random.default_rng(5)
    ids = rng.integers(-(2**62), 2**62, 8_000_000)
    few = rng.integers(0, 3000, 2_000_000)
    text = [f"item {x}" for x in rng.integers(0, 10**9, 1_500_000).tolist()]
    small = rng.integers(0, 300, (2, 20_000))
    many = rng.integers(0, 400, (250, 20_000))
    masses = rng.random(2500)
    costs = rng.random((2500, 2500))
    edges = rng.integers(0, 10**6, (2, 4_000_000))
    yield "meet", lambda: [pw.contingency(ids, ids[::-1]) for _ in range(20)]
    yield "text", lambda: [pw.contingency(text, text[::-1]) for _ in range(9)]
    yield (
        "expected",
        lambda: [pw.adjusted_mutual_information(few, few[::-1] // 2) for _ in range(99)],
    )
    yield (
        "standardized",
        lambda: [pw.standardized_mutual_information(few, few[::-1] // 2) for _ in range(99)],
    )
    yield "significance", lambda: pw.significance(*small, measure="rand_index", draws=10**7)
    yield "bootstrap", lambda: pw.bootstrap(*small, measure="rand_index", draws=10**7)
    yield "pairwise", lambda: pw.pairwise(list(many), "adjusted_mutual_information")
    yield "transport", lambda: pw.solvers.transport(masses, masses[::-1].copy(), costs)
    yield (
        "mallows",
        lambda: pw.mallows_distance(ids[:400_000] % 130_000, ids[400_000:800_000] % 130_000),
    )
    yield (
        "sweep",
        lambda: [
            pw.sweep(
                np.arange(10**6) % 1000, (*edges, rng.random(4_000_000)), scores="similarity"
            )
            for _ in range(9)
        ],
    )
    large = rng.integers(0, 2_000_000, (4, 4_000_000), dtype=np.uint32)
    yield "threads", lambda: pw.pairwise([*large] * 5, "b_cubed_f1", workers=2)
    yield "one giant component", lambda: [pw.diagnose(*large[:2]) for _ in range(9)]
    yield "vote", lambda: [pw.majority_vote(large[:3]) for _ in range(9)]
    yield "consensus", lambda: pw.point_estimate(list(many), seed=1)
    yield "stability", lambda: [pw.stability(list(many)) for _ in range(30)]
    yield from calls_on_structures(rng, few)


def calls_on_structures(rng, few):
    """The same on covers, ids, documents, and what is read from a disk."""
    n = 1_000_000
    order = rng.permutation(4 * n)
    members = [np.array_split(part, 20_000) for part in rng.integers(0, n, (2, 3 * n))]
    covers = [pw.Cover([np.unique(one) for one in side], n_items=n) for side in members]
    yield "covers", lambda: [pw.compare_covers(*covers) for _ in range(9)]
    yield "overlap", lambda: [pw.overlapping_mutual_information(*covers) for _ in range(30)]
    ids = [pw.Clustering(few[:n], items=[f"i{x}" for x in rng.permutation(n)]) for _ in "ab"]
    yield "ids", lambda: [pw.align(*ids) for _ in range(30)]
    yield "join", lambda: [pw.join(order // 3, (order + 1) // 3) for _ in range(30)]
    yield "diagnose", lambda: [pw.diagnose(few % 100_003, few) for _ in range(300)]
    yield "all", lambda: pw.compare(order // 3, (order + 1) // 4, measures="all")
    yield (
        "live",
        lambda: [pw.scale.streaming.LiveTable().insert(order, order) for _ in range(9)],
    )
    soft = rng.dirichlet(np.ones(30), 300_000)
    yield "soft", lambda: [pw.soft_variation_of_information(soft, soft) for _ in range(99)]
    documents = {
        f"d{number}": [one.tolist() for one in np.array_split(rng.permutation(300), 60)]
        for number in range(2000)
    }
    pw.coreference.score({"d": [[1]]}, {"d": [[1]]})  # what it imports is there
    yield "documents", lambda: [pw.coreference.score(documents, documents) for _ in range(30)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.npz"
        pw.contingency(order, order[::-1].copy()).save(path)
        yield "load", lambda: [pw.Contingency.load(path) for _ in range(30)]


@pytest.mark.long
def test_long_calls_end_within_a_second_of_an_interrupt():
    # seconds of the processor, so that what else runs on the machine does not count
    late, done_before, shown = {}, [], {}
    for name, call in long_calls():
        main = threading.main_thread().ident
        sent = []

        def send(sent=sent, main=main):
            sent.append(time.process_time())
            signal.pthread_kill(main, signal.SIGINT)

        timer = threading.Timer(0.4, send)
        timer.start()
        try:
            call()
            done_before.append(name)
        except KeyboardInterrupt:
            shown[name] = time.process_time() - sent[0]
            if shown[name] > 1:
                late[name] = shown[name]
        finally:
            timer.cancel()
            timer.join()
        assert pw.rand_index([0, 0, 1], [0, 1, 1]) == 1 / 3
    print({name: round(seconds, 2) for name, seconds in shown.items()}, done_before)
    assert not late
    assert not done_before
    assert len(shown) >= 25
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 16 * 2**20
