"""Saved tables that are not what they claim to be, and saves that are killed."""

import json
import os
import random
import subprocess
import sys
import time

import numpy as np
import pytest

import partwise as pw


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "table.npz"
    pw.contingency([0, 0, 1, 2], [0, 1, 1, 1]).save(path)
    return path


def rewritten(path, change, account=None):
    """Write the file again with its arrays, or its account, changed."""
    with np.load(path) as stored:
        arrays = dict(stored)
    change(arrays)
    if account is not None:
        told = json.loads(arrays["account"].tobytes().decode())
        account(told)
        arrays["account"] = np.frombuffer(json.dumps(told).encode(), dtype=np.uint8)
    np.savez(path, **arrays)
    return path


def put(name, values):
    return lambda arrays: arrays.__setitem__(name, np.asarray(values))


def of_items(n):
    return lambda told: told.update(items=n)


@pytest.mark.parametrize(
    ("counts", "total"),
    [
        ([2**62] * 4, 2**64),
        ([2**62] * 2 + [1, 1], 2**63 + 2),
        ([2**63 - 1, 1, 1, 1], 2**63 + 2),
        ([2**62, 2**62 - 1, 1, 1], 2**63 + 1),
        ([2**63 - 4, 1, 1, 2], 2**63),
    ],
)
def test_counts_that_add_up_to_more_than_can_be_held_are_refused(saved, counts, total):
    rewritten(saved, put("counts", counts), of_items(total))
    with pytest.raises(ValueError, match=rf"table.npz: .*add up to {total}; at most 2\^63"):
        pw.Contingency.load(saved)


def test_the_largest_total_is_held(saved):
    rewritten(saved, put("counts", [2**63 - 4, 1, 1, 1]), of_items(2**63 - 1))
    table = pw.Contingency.load(saved)
    assert table.n_items == 2**63 - 1
    assert 0 < pw.f_measure(table) <= 1


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (np.array([np.nan, np.nan, 1.0]), "stands for a missing label"),
        (np.array([0.0, 1.0, np.nan]), "stands for a missing label"),
        (np.array(["2001-01-01", "NaT", "2002-01-01"], dtype="M8[D]"), "missing label"),
        (np.zeros(3, dtype=[("a", int), ("b", float)]), "its labels are of"),
        (np.array([1, 1, 2]), "a label stands twice"),
        (np.array([5, 3, 1]), "not in ascending order"),
        (np.array(["b", "a", "c"]), "not in ascending order"),
        (np.arange(12).reshape(3, 2, 2), "its labels are of int64, shape"),
        (np.arange(2), "canonical form"),
        (np.zeros(3, dtype="V8"), "its labels are of"),
    ],
)
@pytest.mark.parametrize("side", ["row_labels", "col_labels"])
def test_labels_of_a_file_are_checked(tmp_path, labels, sentence, side):
    path = tmp_path / "table.npz"
    pw.contingency([0, 1, 2], [2, 1, 0]).save(path)
    rewritten(path, put(side, labels))
    with pytest.raises(ValueError, match=f"table.npz: no table of partwise .*{sentence}"):
        pw.Contingency.load(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told.update(items="four"),
        lambda told: told.update(items=4.0),
        lambda told: told.update(dropped=-1),
        lambda told: told.update(matched_by=3),
        lambda told: told.update(unheard=1),
        lambda told: told["reference"].update(given=None),
        lambda told: told["candidate"].update(missing_policy=[]),
        lambda told: told["candidate"].update(missing=2),  # which the policy refuses
        lambda told: told["candidate"].update(conflicting=1, duplicates_policy="drop"),
        lambda told: told["reference"].update(unmatched_policy="forgive"),
        lambda told: told.update(matched_by="name"),
        lambda told: told.pop("reference"),
        lambda told: told.update(notes=[{"code": "x"}]),
    ],
)
def test_the_account_of_a_file_is_checked(saved, change):
    rewritten(saved, lambda arrays: None, change)
    with pytest.raises(ValueError, match=r"table\.npz: no table of partwise"):
        pw.Contingency.load(saved)


TABLES = {
    "integers": ([3, 3, -1, 7], [0, 1, 1, 1]),
    "text": (["b", "b", "a", "c"], ["x", "y", "y", "y"]),
    "floats": ([0.5, 0.5, -1.0, 2.0], [True, False, False, True]),
    "tuples": ([(1, "a"), (1, "a"), (0, "b"), (2, "c")], [b"x", b"y", b"y", b"y"]),
}


@pytest.mark.parametrize("kind", TABLES)
def test_every_table_that_is_saved_is_loaded(kind, tmp_path):
    path = tmp_path / "table.npz"
    for table in (pw.contingency(*TABLES[kind]), pw.contingency(*TABLES[kind]).T):
        table.save(path)
        again = pw.Contingency.load(path)
        assert again.row_labels.tolist() == table.row_labels.tolist()
        assert again.counts.tolist() == table.counts.tolist()
        assert again.account == table.account


@pytest.mark.one_backend
@pytest.mark.parametrize("suffix", [".npz", ".parquet"])
def test_damaged_files_are_value_errors_that_name_the_file(suffix, tmp_path):
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"table{suffix}"
    pw.contingency(["a", "a", "b", "c"] * 20, list(range(80))).save(path)
    whole = path.read_bytes()
    chance = random.Random(7)
    refused = []
    for turn in range(400):
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        if turn % 4 == 0:
            del damaged[chance.randrange(len(damaged)) :]
        path.write_bytes(damaged)
        try:
            pw.Contingency.load(path)
        except ValueError as error:
            refused.append(str(error))
    assert len(refused) > 200
    assert all(str(path) in sentence for sentence in refused)


@pytest.mark.one_backend
@pytest.mark.parametrize("method", [1, 6, 14, 97, 99])
def test_a_compression_that_is_not_known_is_a_value_error(saved, method):
    whole = bytearray(saved.read_bytes())
    for mark, offset in ((b"PK\x01\x02", 10), (b"PK\x03\x04", 8)):
        at = whole.find(mark)
        while at >= 0:
            whole[at + offset : at + offset + 2] = method.to_bytes(2, "little")
            at = whole.find(mark, at + 4)
    saved.write_bytes(whole)
    with pytest.raises(ValueError, match=r"table\.npz: no NumPy file"):
        pw.Contingency.load(saved)


@pytest.mark.one_backend
@pytest.mark.parametrize("suffix", [".npz", ".parquet"])
def test_a_file_that_is_not_there_is_an_os_error(suffix, tmp_path):
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    with pytest.raises(FileNotFoundError):
        pw.Contingency.load(tmp_path / f"nothing{suffix}")


# ---- saves that are killed ---------------------------------------------------------------

KILLED = """
import os, signal, sys
import numpy as np, partwise as pw
from partwise.table import storage
table = pw.contingency(np.arange(1000), np.arange(1000) % 7)
os.fsync = lambda file: os.kill(os.getpid(), signal.SIGKILL)
table.save(sys.argv[1])
"""


def leftovers(folder):
    return sorted(path.name for path in folder.iterdir() if path.suffix == ".tmp")


@pytest.mark.one_backend
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_what_a_killed_save_leaves_is_swept_by_the_next(saved):
    before = saved.read_bytes()
    for _ in range(2):
        subprocess.run([sys.executable, "-c", KILLED, str(saved)], check=False)
    assert saved.read_bytes() == before
    assert len(leftovers(saved.parent)) == 2
    stranger = saved.parent / ".other.npz.abc.tmp"
    stranger.write_bytes(b"")
    old = time.time() - 3600
    for name in leftovers(saved.parent):
        os.utime(saved.parent / name, (old, old))
    pw.contingency([0, 1], [0, 1]).save(saved)
    assert leftovers(saved.parent) == [stranger.name]
    assert pw.Contingency.load(saved).n_items == 2


@pytest.mark.one_backend
@pytest.mark.skipif(sys.platform == "win32", reason="no locks of this kind")
def test_a_save_that_is_running_keeps_its_file(saved):
    import fcntl

    running = saved.parent / f".{saved.name}.abc.tmp"
    with running.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        os.utime(running, (0, 0))
        pw.contingency([0, 1], [0, 1]).save(saved)
        assert leftovers(saved.parent) == [running.name]
    young = saved.parent / f".{saved.name}.def.tmp"
    young.write_bytes(b"")
    pw.contingency([0, 1], [0, 1]).save(saved)
    assert leftovers(saved.parent) == [young.name]
