"""Columns whose codes are made when they are asked for: the tables and labels of plain ones."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import partwise as pw
from partwise.labels.columns import DeferredColumn, KeptItems
from partwise.labels.forms import read_column

labels = st.lists(st.none() | st.integers(-3, 3), min_size=1, max_size=30)


def forms(values):
    """The same labels, with gaps, in every form that keeps its gaps apart."""
    gaps = np.array([x is None for x in values])
    filled = np.array([7 if x is None else x for x in values], dtype=np.int64)
    padded = pa.array([99, *values, 99], type=pa.int64())
    return {
        "masked": np.ma.array(filled, mask=gaps),
        "pandas": pd.array(values, dtype="Int64"),
        "series": pd.Series(pd.array(values, dtype="Int16")),
        "polars": pl.Series(values, dtype=pl.Int64),
        "arrow": pa.array(filled, mask=gaps),
        "slice": padded[1:-1],
        "chunks": pa.chunked_array([padded[1:2], padded[2:-1]]),
        "floats": np.where(gaps, np.nan, filled),
    }


def same(one, other):
    assert one.counts.tolist() == other.counts.tolist()
    assert one.cols.tolist() == other.cols.tolist()
    assert one.indptr.tolist() == other.indptr.tolist()
    assert one.row_labels.tolist() == other.row_labels.tolist()
    assert one.col_labels.tolist() == other.col_labels.tolist()
    assert one.row_sizes.tolist() == other.row_sizes.tolist()
    assert one.account == other.account


pairs_of_labels = st.tuples(*[st.none() | st.integers(-3, 3)] * 2)


@given(pairs=st.lists(pairs_of_labels, min_size=1, max_size=30))
def test_items_without_a_label_are_dropped_in_every_form(pairs):
    a, b = ([pair[side] for pair in pairs] for side in range(2))
    whole = [pair for pair in pairs if None not in pair]
    if not whole:
        with pytest.raises(ValueError, match="no item is left"):
            pw.contingency(forms(a)["pandas"], forms(b)["arrow"], missing="drop")
        return
    wanted = pw.contingency(*(np.array(side) for side in zip(*whole, strict=True)))
    first, second = forms(a), forms(b)
    tables = [pw.contingency(first[x], second[x], missing="drop") for x in first]
    for table in tables:
        assert table.counts.tolist() == wanted.counts.tolist()
        assert table.row_labels.tolist() == wanted.row_labels.tolist()
        assert table.col_labels.tolist() == wanted.col_labels.tolist()
        same(table, tables[0])
    aligned = pw.align(first["pandas"], second["polars"], missing="drop")
    places = [i for i, pair in enumerate(pairs) if None not in pair]
    assert aligned.items.tolist() == places
    assert list(zip(aligned.reference.labels, aligned.candidate.labels, strict=True)) == whole
    same(aligned.table, tables[0])


@given(values=labels)
def test_gaps_are_read_alike(values):
    for name, form in forms(values).items():
        column = read_column(form, "labels")
        shown = [None if x is None else int(x) for x in column.decode().tolist()]
        assert shown == values, name


@given(
    texts=st.lists(st.none() | st.sampled_from(["b", "a", "zz", ""]), min_size=1, max_size=12)
)
def test_categories_out_of_order(texts):
    as_text = pl.Series(texts, dtype=pl.String)
    columns = [
        as_text.cast(pl.Categorical),
        pa.array(texts, type=pa.string()).dictionary_encode(),
        pd.Categorical(texts, categories=["zz", "unused", "b", "", "a"]),
    ]
    wanted = pw.contingency(texts, texts, missing="cluster")
    for column in columns:
        same(pw.contingency(column, column, missing="cluster"), wanted)
        same(pw.contingency(column, texts, missing="cluster"), wanted)
        read = read_column(column, "labels")
        assert read.decode().tolist() == texts
        assert pickle.loads(pickle.dumps(read)).decode().tolist() == texts


def test_codes_are_made_once_and_are_those_of_a_plain_column():
    raw = np.array([3, 0, 2, 2, 3], dtype=np.uint8)
    ranks = np.array([2, -1, 0, 1], dtype=np.int32)
    names = np.array(["a", "b", "c"], dtype=object)
    column = DeferredColumn(raw, names, ranks=ranks)
    assert column.decode().tolist() == ["b", "c", "a", "a", "b"]
    assert column.codes is column.codes
    kept = KeptItems(np.array([False, True, False, False, True]))
    assert kept.positions.tolist() == [0, 2, 3]
    left = column.without(kept)
    assert (len(left), left.decode().tolist()) == (3, ["b", "a", "a"])
    again = left.without(KeptItems(np.array([True, False, False])))
    assert again.decode().tolist() == ["a", "a"]
    own = column.copied()
    raw[:] = 0
    assert own.decode().tolist() == ["b", "c", "a", "a", "b"]
    assert column.take(np.array([1])).decode().tolist() == ["c"]


def test_labels_far_apart_with_gaps():
    a = pd.array([2**62, None, -(2**62), 2**62], dtype="Int64")
    b = pd.array([1, 2, None, 1], dtype="Int64")
    table = pw.contingency(a, b, missing="drop")
    assert table.row_labels.tolist() == [2**62]
    assert table.counts.tolist() == [2]


def test_one_side_drops_and_the_other_keeps_its_gaps():
    a = pd.array([1, None, 2, 2], dtype="Int64")
    b = pd.array([None, 5, 5, None], dtype="Int64")
    table = pw.contingency(a, b, missing=("drop", "singletons"))
    assert table.n_items == 3
    assert table.shape == (2, 3)
    assert (table.account.reference.missing, table.account.candidate.missing) == (1, 2)
    plain = pw.contingency([1, None, 2, 2], [None, 5, 5, None], missing=("drop", "singletons"))
    assert plain.counts.tolist() == table.counts.tolist()


def test_weights_of_items_that_are_left():
    a = pd.array([1, None, 2, 2], dtype="Int64")
    table = pw.contingency(a, [1, 1, 1, 2], missing="drop", weights=[1.0, 9.0, 2.0, 4.0])
    assert table.masses.tolist() == [1.0, 2.0, 4.0]


def in_form(form, labels, missing):
    """Return labels as a column that holds codes into categories in reverse order."""
    values = [None if gone else label for label, gone in zip(labels, missing, strict=True)]
    categories = sorted(set(labels), reverse=True)
    if form == "pandas":
        pd = pytest.importorskip("pandas")
        return pd.Series(pd.Categorical(values, categories=categories))
    if form == "polars":
        pl = pytest.importorskip("polars")
        return pl.Series(values, dtype=pl.Enum(categories))
    arrow = pytest.importorskip("pyarrow")
    codes = [None if value is None else categories.index(value) for value in values]
    return arrow.DictionaryArray.from_arrays(arrow.array(codes, arrow.int32()), categories)


def shown(table):
    masses = None if table.masses is None else table.masses.tolist()
    cells = table.to_scipy().toarray().tolist()
    return table.row_labels.tolist(), table.col_labels.tolist(), cells, masses


@pytest.mark.parametrize("form", ["pandas", "polars", "arrow"])
@given(data=st.data())
def test_categories_in_any_order_give_the_table_of_their_labels(form, data):
    """With what items count and weigh, with labels that are missing, on one side or both."""
    n = data.draw(st.integers(1, 12))
    letters = st.lists(st.sampled_from("xyzw"), min_size=n, max_size=n)
    flags = st.lists(st.booleans(), min_size=n, max_size=n)
    sides = [data.draw(letters) for _ in range(2)]
    some_missing = data.draw(st.booleans())
    missing = [data.draw(flags) if some_missing else [False] * n for _ in range(2)]
    carried = {}
    if data.draw(st.booleans()):
        carried["multiplicity"] = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    if data.draw(st.booleans()):
        carried["weights"] = data.draw(
            st.lists(st.integers(1, 9).map(lambda x: x / 4), min_size=n, max_size=n)
        )
    lists = [
        [None if gone else label for label, gone in zip(side, away, strict=True)]
        for side, away in zip(sides, missing, strict=True)
    ]
    policy = data.draw(st.sampled_from(["drop", "singletons", "cluster"]))
    stays = [not (x or y) for x, y in zip(*missing, strict=True)]
    times = carried.get("multiplicity", [1] * n)
    assume(
        any(count for count, stay in zip(times, stays, strict=True) if stay or policy != "drop")
    )
    want = pw.contingency(*lists, missing=policy, **carried)
    columns = [in_form(form, *both) for both in zip(sides, missing, strict=True)]
    assert shown(pw.contingency(*columns, missing=policy, **carried)) == shown(want)
    mixed = pw.contingency(columns[0], lists[1], missing=policy, **carried)
    assert shown(mixed) == shown(want)


@given(data=st.data())
def test_chunks_with_a_dictionary_each_whose_entries_repeat_or_are_missing(data):
    texts = data.draw(st.lists(st.none() | st.sampled_from(["b", "a", ""]), min_size=1))
    cut = data.draw(st.integers(0, len(texts)))
    chunks = []
    for part in (texts[:cut], texts[cut:]):
        entries = data.draw(st.permutations(["b", "a", "", None, "a", "unused"]))
        codes = [entries.index(text) for text in part]
        chunks.append(pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), entries))
    column = read_column(pa.chunked_array(chunks), "labels")
    assert column.decode().tolist() == texts
