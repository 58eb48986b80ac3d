"""Partial tables: a monoid on values; save and load; atomic writes."""

import datetime
import os
import re
import signal
import subprocess
import sys
import time
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partwise as pw
from partwise.labels.items.times import instant_of
from partwise.table.merge import merge
from table_content import columns, content, items

Table = pw.Contingency


@given(parts=st.lists(items, max_size=5), seed=st.integers(0, 99))
def test_merging_is_associative_and_commutative_with_a_neutral(parts, seed):
    tables = [pw.contingency(*columns(part)) for part in parts]
    whole = Table.merge(*tables)
    rng = np.random.default_rng(seed)
    shuffled = [tables[i] for i in rng.permutation(len(tables))]
    while len(shuffled) > 1:  # a random tree
        i = int(rng.integers(len(shuffled) - 1))
        shuffled[i : i + 2] = [Table.merge(*shuffled[i : i + 2])]
    assert content(shuffled[0] if shuffled else Table.merge()) == content(whole)
    assert content(merge(iter(tables))) == content(whole)
    empty = Table.from_counts([], [], [])
    assert content(Table.merge(empty, whole, empty)) == content(whole)
    everything = [pair for part in parts for pair in part]
    assert content(whole) == content(pw.contingency(*columns(everything)))


def test_labels_are_unified_by_value():
    left = pw.contingency(np.array([1, 2], np.int8), ["a", "b"])
    right = pw.contingency(np.array([2, 300], np.uint64), ["b", "a"])
    both = Table.merge(left, right)
    assert both.row_labels.tolist() == [1, 2, 300]
    assert both.col_labels.tolist() == ["a", "b"]
    big = pw.contingency(np.array([2**64 - 1], np.uint64), ["a"])
    low = pw.contingency([-1], ["a"])
    assert Table.merge(big, low).row_labels.tolist() == [-1, 2**64 - 1]
    with pytest.raises(
        TypeError, match=r"row labels are of different kinds: integer .* and text"
    ):
        Table.merge(left, pw.contingency(["1"], ["a"]))
    times = [pw.contingency(np.array(["2024"], f"M8[{u}]"), [1]) for u in ("D", "ns")]
    assert Table.merge(*times).shape == (1, 1)


def table_of_labels(labels, **policies):
    return pw.contingency([0] * len(labels), labels, **policies)


FAR = np.array(["2999-12-31"], "M8[us]")
NEAR = np.array(["2020-01-01"], "M8[ns]")
TICK = NEAR + np.timedelta64(1, "ns")
#: Labels of two tables, and those of both together.
TIMES = {
    "a unit that holds both is the coarser": (FAR, NEAR, np.r_[NEAR.astype(FAR.dtype), FAR]),
    "durations": (
        np.array([10**13], "m8[s]"),
        np.array([5 * 10**9], "m8[ns]"),
        np.array([5, 10**13], "m8[s]"),
    ),
    "a unit between both": (
        np.array([1, 2], "m8[25s]"),
        np.array([5], "m8[10s]"),
        np.array([25, 50], "m8[s]"),
    ),
    "months and days": (
        np.array(["2020-02"], "M8[M]"),
        np.array(["2020-01-31"], "M8[D]"),
        np.array(["2020-01-31", "2020-02-01"], "M8[D]"),
    ),
    "years and months": (
        np.array([1], "m8[Y]"),
        np.array([13], "m8[M]"),
        np.array([12, 13], "m8[M]"),
    ),
    "objects of Python": (
        [datetime.datetime(2020, 1, 1), datetime.datetime(2021, 1, 1)],
        NEAR,
        np.array(["2020-01-01", "2021-01-01"], "M8[us]"),
    ),
    "days of Python": (
        [datetime.date(2020, 1, 1)],
        np.array(["2020-01-02"], "M8[D]"),
        np.array(["2020-01-01", "2020-01-02"], "M8[D]"),
    ),
}


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("name", TIMES)
def test_times_of_two_units_are_one_where_a_unit_holds_both(name, turned):
    *labels, wanted = TIMES[name]
    tables = [table_of_labels(one) for one in (labels[::-1] if turned else labels)]
    merged = Table.merge(*tables)
    assert merged.col_labels.dtype.kind == wanted.dtype.kind
    assert np.array_equal(merged.col_labels, wanted)
    blocks = [([0] * len(one), one) for one in labels]
    assert np.array_equal(Table.from_blocks(blocks).col_labels, wanted)


@pytest.mark.parametrize(
    ("labels", "others"),
    [
        (FAR, TICK),
        (np.array(["2020-01-01"], "M8[D]"), np.array([1], "M8[ps]")),
        (np.array([1], "m8[Y]"), np.array([1], "m8[D]")),
        (np.array([2**62], "m8[s]"), np.array([1], "m8[ns]")),
    ],
)
def test_times_that_no_unit_holds_are_refused(labels, others):
    for pair in ((labels, others), (others, labels)):
        sentence = rf"column labels are times in {pair[0].dtype.name[:9]}.*which no common unit"
        with pytest.raises(ValueError, match=sentence):
            Table.merge(*map(table_of_labels, pair))
    with pytest.raises(ValueError, match="no common unit"):
        Table.merge(
            table_of_labels(
                np.append(labels, np.array("NaT", labels.dtype)), missing="cluster"
            ),
            table_of_labels(others),
        )
    with pytest.raises(ValueError, match=r"item ids are times in .* no common unit"):
        pw.align(pw.Clustering([0], items=labels), pw.Clustering([0], items=others))


def test_days_and_instants_of_python_stay_two_or_are_refused():
    day, instant = datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1)
    both = pw.Contingency.merge(pw.contingency([day], [0]), pw.contingency([instant], [0]))
    assert both.row_labels.tolist() == [day, instant]
    others = pw.contingency(np.array(["2020-01-05"], "M8[D]"), [0])
    with pytest.raises(ValueError, match=r"row labels are days .* write them in one form"):
        pw.Contingency.merge(both, others)


def test_times_and_clusters_of_policies():
    labels = np.array(["2020-01-01", "NaT"], "M8[D]")
    merged = Table.merge(
        table_of_labels(labels, missing="cluster"),
        table_of_labels(labels.astype("M8[ns]"), missing="cluster"),
        table_of_labels(labels[:1].astype("M8[s]")),
    )
    assert merged.col_labels.tolist() == [np.datetime64("2020-01-01"), None]
    assert merged.counts.tolist() == [3, 2]


@pytest.mark.parametrize(
    ("labels", "others"),
    [
        (NEAR, [NEAR.view(np.int64)[0]]),
        (np.array([1], "m8[s]"), [1]),
        ([datetime.datetime(2020, 1, 1)], [datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)]),
        (NEAR, np.array([1], "m8[s]")),
    ],
)
def test_times_and_what_is_no_such_time(labels, others):
    for pair in ((labels, others), (others, labels)):
        with pytest.raises(TypeError, match=r"labels are of different kinds: .* and "):
            Table.merge(*map(table_of_labels, pair))


@pytest.mark.parametrize(
    "labels",
    [
        [Decimal("1.5"), 1, 1],
        [Fraction(1, 3), 2, 1.5],
        [1j, 1, 2.5],
        [10**30, 0.5, 2],
        [("a", 1), ("b", 2.5), ("a", 1)],
        [datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1), datetime.date(2020, 1, 1)],
    ],
)
def test_every_table_merges_with_itself(labels):
    labels = pw.Clustering(labels)
    table = pw.contingency(labels, labels)
    twice = Table.merge(table, table)
    assert twice.row_labels.tolist() == table.row_labels.tolist()
    assert twice.counts.tolist() == (2 * table.counts).tolist()


@pytest.mark.parametrize(
    "counting", [{}, {"weights": [1.5, 0, 3]}, {"multiplicity": [1, 0, 3]}]
)
def test_one_table_alone(counting):
    table = pw.contingency(["x", "y", "x"], [5, 5, 6], **counting)
    for merged in (
        Table.merge(table),
        Table.merge(table, Table.from_counts([], [], [])),
        merge(iter([table])),
        Table.from_blocks([table]),
    ):
        assert content(merged) == content(table)
        for name in ("masses", "row_masses", "col_masses"):
            assert np.array_equal(getattr(merged, name), getattr(table, name))


def test_weights_add_up():
    rng = np.random.default_rng(1)
    a, b, w = rng.integers(0, 9, 500), rng.integers(0, 7, 500), rng.random(500)
    whole = pw.contingency(a, b, weights=w)
    blocks = [(a[i : i + 30], b[i : i + 30], w[i : i + 30]) for i in range(0, 500, 30)]
    table = Table.from_blocks(blocks)
    assert content(table) == content(whole)
    assert np.allclose(table.masses, whole.masses, rtol=5e-16, atol=0)
    assert np.allclose(table.row_masses, whole.row_masses, rtol=5e-16, atol=0)
    with pytest.raises(ValueError, match="some of the tables carry weights"):
        Table.merge(whole, pw.contingency(a, b))


def test_accounts_add_up():
    table = Table.from_blocks(
        [({"x": 1, "y": 2}, {"y": 1}), ({"z": 1}, {"z": 2, "w": 3})], unmatched="drop"
    )
    account = table.account
    assert (account.items, account.dropped) == (2, 2)
    assert (account.reference.unmatched, account.candidate.unmatched) == (1, 1)
    assert account.reference.given == 3
    assert "1 reference item not in the candidate (dropped)" in account.describe()


def test_how_items_were_matched_is_said_where_it_is_the_same_of_all():
    by_place, by_item = pw.contingency([1, 2], [3, 3]), pw.contingency({"x": 1}, {"x": 3})
    counted = Table.from_counts([1], [3], [2])
    ways = {"position": by_place, "item": by_item, "counts": counted}
    for way, table in ways.items():
        assert table.account.matched_by == way
        assert Table.merge(table, table).account.matched_by == way
        assert Table.merge(table, table, table).account.matched_by == way
        for other in ways.values():
            if other is not table:
                assert Table.merge(table, other, table).account.matched_by == "counts"


def test_distinct_items_add_up_where_each_table_knows_them():
    often = pw.contingency([1, 1, 2], [1, 2, 2], multiplicity=[3, 0, 2])
    again = pw.contingency([1, 2], [1, 2], multiplicity=[1, 4])
    once = pw.contingency([1, 1, 2], [1, 2, 2])
    assert [table.account.distinct_items for table in (often, again, once)] == [2, 2, None]
    for tables, distinct, zero in (
        ((often, again), 4, 1),
        ((again, often, again), 6, 1),
        ((often, once), None, 1),
        ((once, again), None, 0),
        ((once, once), None, 0),
    ):
        account = Table.merge(*tables).account
        assert (account.distinct_items, account.zero_multiplicity) == (distinct, zero)
        assert account.items == sum(table.n_items for table in tables)


def test_notes_of_all_tables():
    """What holds of one table holds of all, but that a label does not occur."""
    policies = {"missing": "drop", "missing_labels": ([-1, -2], None)}
    sides = [[1, 1, 1, -1], [1, 2, 2, -2], [1, 2, 2, 2], [3, 3, 3, -1]]
    tables = [pw.contingency(side, ["NA", "b", "b", "b"], **policies) for side in sides]

    def texts(table):
        return [(note.code, note.text) for note in table.account.notes]

    text = "the missing label {} does not occur"
    unused = [("missing-label-unused", text.format(value)) for value in (-1, -2)]
    word = texts(tables[2])[0]
    assert word[0] == "no-label-text"
    assert [texts(table) for table in tables] == [
        [word, unused[1]],
        [word, unused[0]],
        [word, *unused],
        [word, unused[1]],
    ]
    plain = pw.contingency(["x", "X", "x"], [1, 1, 2])
    assert [note.code for note in plain.account.notes] == ["labels-alike"]
    named = pw.contingency(["NA", "x", "x"], [1, 1, 2])
    assert texts(Table.merge(*tables[:2])) == [word]
    assert texts(Table.merge(*tables[1:3])) == [word, unused[0]]
    assert texts(Table.merge(tables[0], tables[3])) == [word, unused[1]]
    assert texts(Table.merge(tables[2], tables[2])) == [word, *unused]
    assert texts(Table.merge(plain, named)) == [*texts(plain), *texts(named)]
    assert texts(Table.merge(plain, plain)) == texts(plain)
    alone = pw.contingency([1, 2], [3, 4])
    assert [note.code for note in alone.account.notes] == ["all-distinct"]
    assert texts(Table.merge(alone, alone)) == []


def test_counts_beyond_32_bits_add_up():
    table = Table.from_counts([0], [0], [2**40])
    assert Table.merge(*[table] * 5).counts.tolist() == [5 * 2**40]
    huge = Table.from_counts([0], [0], [2**62])
    for label in (0, 1):  # in one cell, and in two
        rest = Table.from_counts([label], [0], [2**62 - 1])
        for both in (Table.merge(huge, rest), merge(iter([huge, rest]))):
            assert both.n_items == 2**63 - 1
        for further in (1, 2, 2**62):
            more = Table.from_counts([label], [0], [further])
            for tables in ((huge, rest, more), iter([rest, huge, more])):
                with pytest.raises(
                    ValueError, match=f"the tables add up to {2**63 - 1 + further} items"
                ):
                    merge(tables)


# ---- files -------------------------------------------------------------------------

LABELS = {
    "integers": [3, -1, 3],
    "huge": [2**70, 1, 2**70],
    "text": ["b", "ä, \n", "b"],
    "bytes": [b"\x00", b"a", b"\x00"],
    "floats": [0.1, 1e300, 0.1],
    "bools": [True, False, True],
    "times": np.array(["2024-01-01", "2025-01-01", "2024-01-01"], "M8[ns]"),
    "tuples": [("d", 1), ("d", 2.5), ("d", 1)],
    "nothing": [],
}


@pytest.mark.parametrize("name", LABELS)
@pytest.mark.parametrize("ending", ["npz", "parquet"])
def test_round_trip(name, ending, tmp_path):
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    labels = LABELS[name]
    weights = [0.5, 1, 1e-30][: len(labels)]
    table = pw.contingency(labels, labels[::-1], weights=weights)
    path = tmp_path / f"t.{ending}"
    if ending == "parquet" and name in ("huge", "tuples"):
        with pytest.raises(TypeError, match=r"use \.npz"):
            table.save(path)
        assert os.listdir(tmp_path) == []
        return
    table.save(path)
    again = Table.load(path)
    assert content(again) == content(table)
    assert again.account == table.account
    assert np.allclose(again.masses, table.masses, rtol=0, atol=0)
    assert np.allclose(again.row_masses, table.row_masses, rtol=5e-16, atol=0)
    assert os.listdir(tmp_path) == [path.name]


def refusal_of_saving(table, path):
    try:
        table.save(path)
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("kind", "mM")
@pytest.mark.parametrize(
    "unit", ["25s", "s", "15ms", "us", "7ns", "ps", "2D", "W", "3h", "m", "2M", "Y"]
)
@pytest.mark.parametrize("ticks", [(1, 2), (3_000_000, 2**40), (-(2**61), 5), ()])
def test_times_of_any_unit_are_stored_as_they_are_or_refused(kind, unit, ticks, tmp_path):
    pytest.importorskip("pyarrow")
    labels = np.array(ticks, dtype=np.int64).view(f"{kind}8[{unit}]")
    table = pw.contingency(labels, labels)
    table.save(tmp_path / "t.npz")
    assert np.array_equal(Table.load(tmp_path / "t.npz").row_labels, labels)
    refusal = refusal_of_saving(table, tmp_path / "t.parquet")
    if refusal:
        assert re.search(rf"row labels are times in .*{unit}.*; use \.npz", refusal)
        assert unit == "ps" or (kind == "m" and unit in ("2M", "Y")) or max(ticks) != 2
        return
    loaded = Table.load(tmp_path / "t.parquet").row_labels
    assert loaded.dtype.kind == kind
    assert [instant_of(x) for x in loaded] == [instant_of(x) for x in labels]


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (np.array([1, 2], "g"), "row labels are of .*, which parquet does not hold"),
        (np.array([1, 2j]), "row labels are of complex128, which parquet does not hold"),
        (["b", "a\ud800"], r"row label 'a\\ud800' has a half of a surrogate pair"),
        (
            np.array([2**31], "M8[D]") + np.timedelta64(2**54, "D"),
            "row labels are times in datetime64.D.",
        ),
        ([datetime.date(2020, 1, 1)], "not these row labels"),
    ],
)
def test_labels_that_parquet_does_not_hold(labels, sentence, tmp_path):
    pytest.importorskip("pyarrow")
    table = pw.contingency(labels, [0] * len(labels))
    with pytest.raises((TypeError, ValueError), match=rf"{sentence}.*; use \.npz"):
        table.save(tmp_path / "t.parquet")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("shape", [(1, 3), (3, 1), (2, 5), (5, 2)])
@pytest.mark.parametrize("counting", ["weights", "multiplicity"])
def test_tables_of_any_shape_are_saved(tmp_path, shape, counting):
    pairs = list(np.ndindex(shape))
    sides = [[pair[i] for pair in pairs] for i in range(2)]
    table = pw.contingency(*sides, **{counting: range(1, len(pairs) + 1)})
    table.save(tmp_path / "t.npz")
    again = Table.load(tmp_path / "t.npz")
    assert content(again) == content(table)
    for name in ("masses", "row_masses", "col_masses"):
        assert np.array_equal(getattr(again, name), getattr(table, name))


def test_the_format_of_files_is_the_first(tmp_path):
    """Files of the first format are there; another number is for what they do not hold."""
    pw.contingency([1, 2], [1, 2]).save(tmp_path / "t.npz")
    with np.load(tmp_path / "t.npz") as stored:
        assert stored["format"] == 1


def test_special_clusters_are_saved(tmp_path):
    table = pw.contingency([None, 1, 2], [1, None, 2], missing=("singletons", "cluster"))
    table.save(tmp_path / "t.npz")
    assert content(Table.load(tmp_path / "t.npz")) == content(table)
    odd = pw.contingency(pw.Clustering([frozenset("a")]), [1])
    with pytest.raises(TypeError, match="frozenset, which a file cannot hold"):
        odd.save(tmp_path / "odd.npz")
    with pytest.raises(ValueError, match=r"saved as \.npz or \.parquet"):
        table.save(tmp_path / "t.csv")


def test_parquet_of_another_engine(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "cells.parquet"
    parquet.write_table(
        arrow.table({"row": ["a", "b", "a"], "col": [1, 1, 1], "count": [2, 3, 4]}), path
    )
    table = Table.load(path)
    assert table.counts.tolist() == [6, 3]
    parquet.write_table(arrow.table({"row": [1], "col": [1]}), path)
    with pytest.raises(ValueError, match="no column count"):
        Table.load(path)


def test_saved_files_have_usual_permissions(tmp_path):
    path, plain = tmp_path / "t.npz", tmp_path / "plain"
    pw.contingency([1], [2]).save(path)
    plain.write_text("")
    assert path.stat().st_mode == plain.stat().st_mode
    path.chmod(0o640)
    pw.contingency([1], [3]).save(path)
    assert path.stat().st_mode & 0o777 == 0o640


def test_damaged_files_are_refused(tmp_path):
    path = tmp_path / "t.npz"
    pw.contingency([1, 2, 2], [1, 1, 2]).save(path)
    with np.load(path) as stored:
        arrays = {name: stored[name] for name in stored.files}
    for name, wrong in (
        ("counts", -arrays["counts"]),
        ("cols", arrays["cols"][::-1].copy()),
        ("indptr", arrays["indptr"][:-1]),
        ("format", np.array(99)),
        ("counts", 100 * arrays["counts"]),
        ("row_labels", np.array([1, 1])),
        ("row_labels", np.array([1])),
        ("mass_cells", np.ones((2, 3))),
        ("account", np.frombuffer(b"5", dtype=np.uint8)),
    ):
        np.savez(path, **{**arrays, name: wrong})
        with pytest.raises(ValueError, match=r"t\.npz: no table of partwise"):
            Table.load(path)
    for wide in ([2**62] * 3, [2**62, 2**62 - 1, 1], [2**62, 2**62, 1]):
        np.savez(path, **{**arrays, "counts": np.array(wide)})
        with pytest.raises(ValueError, match=f"its counts add up to {sum(wide)}; at most"):
            Table.load(path)
    path.write_bytes(b"PK\x03\x04 not really")
    with pytest.raises(ValueError, match=r"t\.npz: no NumPy file of plain arrays"):
        Table.load(path)
    with pytest.raises(FileNotFoundError):
        Table.load(tmp_path / "absent.npz")


@pytest.mark.one_backend
@pytest.mark.skipif(os.name != "posix", reason="kills a process")
def test_a_kill_before_the_rename_leaves_the_old_file(tmp_path):
    path = tmp_path / "t.npz"
    pw.contingency([1, 2], [1, 2]).save(path)
    before = path.read_bytes()
    code = (
        "import os, sys, time, partwise as pw\n"
        "def stuck(*arguments):\n"
        "    print('written', flush=True)\n"
        "    time.sleep(60)\n"
        "os.replace = stuck\n"
        "pw.contingency([7], [7]).save(sys.argv[1])\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline().strip() == "written"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    time.sleep(0)
    assert path.read_bytes() == before
    assert Table.load(path).n_items == 2
