"""Tables by Dask are those of the same labels in memory, also where a worker is lost."""

import os
import signal
import sys
import threading
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import partwise as pw
from engine_inputs import assert_same, in_memory, joins, outcome, policies
from partwise.labels import SingletonLabel

dask = pytest.importorskip("dask", reason="dask is not installed")
pytest.importorskip("distributed", reason="distributed is not installed")

import dask.array as da  # noqa: E402
import dask.dataframe as dd  # noqa: E402

from partwise.scale import dask as by_dask  # noqa: E402

pytestmark = pytest.mark.one_backend


@pytest.fixture(autouse=True)
def in_this_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def frame_of(table, partitions):
    """Return a table of Arrow as a frame of Dask, in order, without a change of types."""
    pandas = table.to_pandas(types_mapper=pd.ArrowDtype)
    return dd.from_pandas(pandas, npartitions=partitions, sort=False)


# ---- the laws ----------------------------------------------------------------------


@settings(max_examples=60)
@given(
    labels=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=24, max_size=24),
    chunks=st.tuples(st.integers(1, 4), st.integers(1, 6), st.integers(1, 4)),
    missing=st.tuples(*[st.sampled_from(["drop", "singletons", "cluster"])] * 2),
    none=st.sampled_from([None, 0, [0, 3]]),
    offset=st.sampled_from([0, 2**64 - 4]),
)
def test_chunks_of_arrays_are_one_volume(labels, chunks, missing, none, offset):
    both = np.array(labels, dtype=np.uint64).reshape(2, 3, 4, 2) + np.uint64(offset)
    if none is not None:
        none = [x + offset for x in np.atleast_1d(none).tolist()]
    volumes = both[..., 0], both[..., 1]
    policy = {"missing": missing, "missing_labels": none}
    wanted = outcome(pw.contingency, *(x.ravel() for x in volumes), **policy)
    arrays = (da.from_array(x, chunks=y) for x, y in zip(volumes, (chunks, 2), strict=True))
    assert_same(outcome(by_dask.contingency, *arrays, **policy), wanted)


def test_masked_labels_in_chunks_are_missing():
    labels = np.arange(8).reshape(2, 4) % 3
    masked = np.ma.masked_array(labels, np.eye(2, 4, dtype=bool))
    arrays = [da.from_array(x, chunks=2) for x in (masked, labels)]
    for missing in ("drop", "cluster", "singletons"):
        flat = masked.ravel(), labels.ravel()
        wanted = pw.contingency(*flat, missing=missing)
        found = by_dask.contingency(*arrays, missing=missing)
        assert found.account == wanted.account
        assert found.counts.tolist() == wanted.counts.tolist()
        assert list(map(str, found.row_labels)) == list(map(str, wanted.row_labels))
    with pytest.raises(ValueError, match="missing labels: 2 in the reference"):
        by_dask.contingency(*arrays)


@settings(max_examples=10, phases=[Phase.generate])
@given(
    join=joins(repeats=True),
    policy=policies(
        unmatched=("drop", "singletons"),
        missing=("drop", "singletons", "cluster"),
        duplicates=("first", "last"),
    ),
    partitions=st.tuples(st.integers(1, 3), st.integers(1, 3)),
)
def test_frames_are_joined_as_in_memory(join, policy, partitions):
    frames = [frame_of(*pair) for pair in zip(join, partitions, strict=True)]
    made = outcome(by_dask.contingency, *frames, item="item", label="label", **policy)
    in_pandas = [x.to_pandas(types_mapper=pd.ArrowDtype) for x in join]
    wanted = outcome(in_memory, *in_pandas, **policy)
    if isinstance(wanted, tuple) and "look like one id" in wanted[1]:
        wanted = wanted[0], wanted[1].split("; ")[0]  # ids that look alike are not looked for
        made = made[0], made[1].split("; ")[0]
    if isinstance(wanted, tuple) or not wanted.n_items:
        assert made == wanted or not made.n_items
        return
    assert_same(made, wanted, account=False)
    for name in ("items", "dropped", "reference", "candidate", "matched_by"):
        assert getattr(made.account, name) == getattr(wanted.account, name)


@pytest.mark.filterwarnings("ignore")  # of zarr
@pytest.mark.parametrize("store", ["zarr", "h5py"])
def test_chunks_of_stores(tmp_path, store):
    pytest.importorskip(store, reason=f"{store} is not installed")
    volume = np.arange(60, dtype=np.uint64).reshape(3, 4, 5) // 7 + 2**63
    if store == "zarr":
        da.from_array(volume, chunks=2).to_zarr(str(tmp_path / "volume.zarr"))
        stored = da.from_zarr(str(tmp_path / "volume.zarr"))
    else:
        import h5py

        file = h5py.File(tmp_path / "volume.h5", "w")
        stored = da.from_array(file.create_dataset("labels", data=volume, chunks=(2, 2, 2)))
    table = by_dask.contingency(stored, da.from_array(volume // 2, chunks=3))
    assert_same(table, pw.contingency(volume.ravel(), (volume // 2).ravel()))
    if store == "h5py":
        file.close()


@pytest.mark.parametrize("missing", ["drop", "cluster", "singletons"])
def test_one_frame_of_both_labels(missing):
    rows = pd.DataFrame({"a": ["x", None, "x", "y", None], "b": [1, 1, 2, 2, 2]})
    frame = dd.from_pandas(rows, npartitions=3)
    table = by_dask.contingency(frame, label=("a", "b"), missing=missing)
    assert_same(table, pw.contingency(rows["a"], rows["b"], missing=missing))


def test_ids_of_several_columns():
    rows = pd.DataFrame({"doc": ["d", "d", "e"], "n": [1, 2, 1], "c": [7, 8, 7]})
    frame = dd.from_pandas(rows, npartitions=2)
    table = by_dask.contingency(
        frame,
        dd.from_pandas(rows.iloc[::-1], npartitions=1, sort=False)[["n", "doc", "c"]],
        item=["doc", "n"],
        label="c",
    )
    assert table.counts.tolist() == [2, 1]


def test_ids_of_two_integer_types_meet():
    numbers = np.arange(-4, 40)
    reference = pd.DataFrame({"i": numbers.astype(np.int8), "c": numbers})
    candidate = pd.DataFrame({"i": numbers[4:].astype(np.uint64) + 2**63, "c": numbers[4:]})
    candidate.loc[:9, "i"] = np.arange(10, dtype=np.uint64)
    frames = [dd.from_pandas(x, npartitions=3) for x in (reference, candidate)]
    table = by_dask.contingency(*frames, item="i", label="c", unmatched="drop")
    assert table.n_items == 10
    alone = by_dask.contingency(*frames, item="i", label="c", unmatched="singletons")
    assert SingletonLabel(2**63 + 10) in alone.row_labels.tolist()


# ---- what is refused -----------------------------------------------------------------


FRAME = dd.from_pandas(pd.DataFrame({"i": [1, 1, 2], "c": [1, 2, None]}), npartitions=2)
ONE = dd.from_pandas(pd.DataFrame({"i": [2], "c": [1]}), npartitions=1)
ARRAY = da.zeros((4, 4), dtype=int, chunks=2)


@pytest.mark.parametrize(
    ("arguments", "keywords", "words"),
    [
        ((ARRAY, da.zeros((4, 5), dtype=int)), {}, "the reference has shape (4, 4)"),
        ((ARRAY, ARRAY), {"label": "x"}, "name columns of frames; arrays have none"),
        ((ARRAY, [1, 2]), {}, "are expected, not a list; pw.contingency takes"),
        ((FRAME, FRAME), {"label": "c"}, "name it as item="),
        ((FRAME,), {"label": "c"}, "one frame holds both labels"),
        ((FRAME, FRAME), {"item": "i"}, "label= names the column"),
        ((FRAME, FRAME), {"item": "i", "label": "d"}, "no column 'd'; its columns: i, c"),
        (
            (FRAME, ONE),
            {"item": "i", "label": "c"},
            "reference has item 1 in row 0 of partition 0 and again, with another label",
        ),
        (
            (FRAME, ONE),
            {"item": "i", "label": "c", "duplicates": "first"},
            "1 reference item not in the candidate, the first is 1 in row 0 of partition 0",
        ),
        (
            (FRAME, ONE),
            {"item": "i", "label": "c", "duplicates": "first", "unmatched": "drop"},
            "1 in the reference (1 item touched), the first in the reference at item 2",
        ),
        ((FRAME,), {"label": ("c", "i")}, "at row 0 of partition 1"),
        (
            (FRAME, FRAME),
            {"item": "c", "label": "i"},
            "candidate has no item id ('c') in 1",
        ),
    ],
)
def test_what_is_wrong_is_said(arguments, keywords, words):
    with pytest.raises((ValueError, TypeError)) as caught:
        by_dask.contingency(*arguments, **keywords)
    assert words in str(caught.value)


def test_numbers_and_text_as_ids_are_refused():
    numbers = pd.DataFrame({"i": [1, 2], "c": [1, 2]})
    texts = pd.DataFrame({"i": ["1", "02"], "c": [1, 2]})
    frames = [dd.from_pandas(x, npartitions=2) for x in (numbers, texts)]
    with pytest.raises(ValueError, match="item ids are integer in the reference"):
        by_dask.contingency(*frames, item="i", label="c", unmatched="drop")


def test_the_extra_is_named_where_dask_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "dask", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'dask"):
        by_dask.contingency(ARRAY, ARRAY)


# ---- a cluster -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster():
    """Two workers, each a process of its own."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as own:
        yield own


@pytest.fixture
def client(cluster):
    from distributed import Client

    with Client(cluster) as own, dask.config.set(scheduler=None):
        yield own


@pytest.mark.filterwarnings("ignore")
def test_on_a_cluster(client):
    random = np.random.default_rng(1)
    rows = [
        pd.DataFrame({"i": random.permutation(5000)[:4500], "c": random.integers(0, 50, 4500)})
        for _ in range(2)
    ]
    frames = [dd.from_pandas(x, npartitions=4, sort=False) for x in rows]
    table = by_dask.contingency(*frames, item="i", label="c", unmatched="singletons")
    sides = (pw.Clustering(x["c"], items=x["i"]) for x in rows)
    assert_same(table, pw.contingency(*sides, unmatched="singletons"), account=False)


def slowly(block):
    time.sleep(0.1)
    return block


@pytest.mark.filterwarnings("ignore")
def test_a_lost_worker_changes_nothing(client):
    """A worker is killed in the middle: the table is right, or an error says what happened."""
    volume = np.random.default_rng(2).integers(0, 40, (40, 50, 50))
    other = volume // 3
    arrays = [da.from_array(x, chunks=(2, 50, 50)).map_blocks(slowly) for x in (volume, other)]
    workers = [worker["name"] for worker in client.scheduler_info()["workers"].values()]
    assert len(workers) == 2
    process = next(iter(client.cluster.workers.values())).pid
    killer = threading.Timer(1.0, os.kill, (process, signal.SIGKILL))
    killer.start()
    table = by_dask.contingency(*arrays)
    assert not killer.is_alive(), "the table was there before the worker was killed"
    assert_same(table, pw.contingency(volume.ravel(), other.ravel()))
