"""Codes into a dictionary, and numbers with no fraction: read in one pass."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partwise as pw
from partwise import _kernels
from partwise.labels.forms import read_column

pl = pytest.importorskip("polars")
pl = pytest.importorskip("polars")
DTYPES = (np.int8, np.uint8, np.int16, np.uint32, np.int32, np.int64, np.uint64)


@pytest.mark.parametrize("dtype", DTYPES)
def test_codes_are_renumbered(dtype):
    codes = np.array([2, 0, 0, 3, 2], dtype=dtype)
    numbers = np.array([7, 8, 9, -1], dtype=np.int32)
    recoded, wrong = _kernels.impl.recode(codes, numbers)
    assert (recoded.dtype, wrong) == (np.int32, None)
    assert recoded.tolist() == [9, 7, 7, -1, 9]
    assert _kernels.impl.recode(codes, numbers[:3])[1] == 3
    first, wrong = _kernels.impl.first_places(codes, 5)
    assert (first.tolist(), wrong) == ([1, -1, 0, 3, -1], None)
    assert _kernels.impl.first_places(codes, 2)[1] == 0
    if np.issubdtype(dtype, np.signedinteger):
        codes[4] = -1
        assert _kernels.impl.recode(codes, numbers)[1] == 4
        assert _kernels.impl.first_places(codes, 4)[1] == 4
    empty = codes[:0]
    assert _kernels.impl.recode(empty, numbers)[0].tolist() == []
    assert _kernels.impl.first_places(empty, 2)[0].tolist() == [-1, -1]


def test_whole_numbers_are_told_from_others():
    values = np.array([3.0, -2.0, 2.0**31 - 3, -2.0])
    assert _kernels.impl.whole_numbers(values, -2.0).tolist() == [5, 0, 2**31 - 1, 0]
    for other in (0.5, 1 + 2**-30, 1e-300):
        many = np.concatenate((np.zeros(600), [other], np.zeros(600)))
        assert _kernels.impl.whole_numbers(many, 0.0) is None
    assert _kernels.impl.whole_numbers(values[:0], 0.0).tolist() == []
    gaps = np.array([np.nan, 4.0, np.nan, -0.0])
    assert _kernels.impl.whole_numbers(gaps, 0.0).tolist() == [0, 4, 0, 0]
    assert _kernels.impl.whole_numbers(np.array([np.nan, 4.5]), 0.0) is None


doubles = st.lists(st.floats() | st.sampled_from([0.0, 1.0, np.nan]), min_size=1, max_size=40)


@given(values=doubles)
def test_range_of_doubles(values):
    numbers = [x for x in values if x == x]
    least, largest, missing = _kernels.impl.double_range(np.array(values))
    assert missing == len(values) - len(numbers)
    assert least == (min(numbers) if numbers else np.inf)
    assert largest == (max(numbers) if numbers else -np.inf)


@pytest.mark.parametrize("dtype", DTYPES)
@given(dropped=st.lists(st.booleans(), max_size=40))
def test_labels_without_those_that_are_dropped(dtype, dropped):
    values = np.arange(len(dropped)).astype(dtype)
    kept = _kernels.impl.keep(values, np.array(dropped, dtype=bool))
    assert kept.dtype == dtype
    assert kept.tolist() == [i for i, lost in enumerate(dropped) if not lost]


def test_first_places_are_not_looked_for_beyond_the_last_code():
    codes = np.array([1, 0, 1, 9])
    first, wrong = _kernels.impl.first_places(codes, 2)
    assert (first.tolist(), wrong) == ([1, 0], None)
    assert _kernels.impl.first_places(codes, 3)[1] == 3


floats = st.lists(
    st.sampled_from(
        [0.0, -0.0, 1.0, 2.5, -3.0, np.nan, np.inf, -np.inf, 2.0**52, 1e300, 5e-324]
    )
    | st.integers(-5, 5).map(float),
    max_size=20,
)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, ">f8"])
@given(values=floats)
def test_floats_are_labels_by_value(dtype, values):
    with np.errstate(over="ignore"):
        array = np.array(values).astype(dtype)
    column = read_column(array, "labels")
    gone = np.isnan(array)
    missing = np.zeros(len(array), bool) if column.missing is None else column.missing
    assert missing.tolist() == gone.tolist()
    names = column.categories
    assert names.dtype == array.dtype.newbyteorder("=")
    assert (np.diff(names.astype(float)) > 0).all() or len(names) < 2
    assert names[column.codes[~gone]].tolist() == array[~gone].tolist()
    assert not np.signbit(names[names == 0]).any()
    wanted = [None if lost else x for x, lost in zip(array.tolist(), gone, strict=True)]
    assert column.decode().tolist() == wanted


@pytest.mark.parametrize("size", [3, 3000])
def test_floats_far_apart_and_near(size):
    random = np.random.default_rng(size)
    for values in (
        random.integers(0, 9, size) * 1e6,
        random.integers(0, 9, size) + 0.5,
        random.random(size),
        -random.integers(2**50, 2**52, size).astype(float),
        random.integers(2**53, 2**60, size).astype(float),
    ):
        table = pw.contingency(values, -values)
        labels, codes = np.unique(values, return_inverse=True)
        assert table.row_labels.tolist() == labels.tolist()
        assert table.row_sizes.tolist() == np.bincount(codes).tolist()
        assert table.col_labels.tolist() == np.unique(-values).tolist()


@pytest.mark.one_backend
@pytest.mark.parametrize("kind", ["categorical", "enum"])
@given(
    texts=st.lists(st.none() | st.sampled_from(["b", "a", "zz", "", "ä"]), max_size=12),
    before=st.lists(st.text(max_size=3), max_size=5),
)
def test_categories_of_polars(kind, texts, before):
    dtype = pl.Enum(["zz", "ä", "b", "unused", "", "a"]) if kind == "enum" else pl.Categorical
    pl.Series(before, dtype=pl.Categorical if kind == "categorical" else pl.String)
    series = pl.Series(texts, dtype=pl.String).cast(dtype)
    column = read_column(series, "labels")
    assert column.decode().tolist() == texts
    assert column.categories.tolist() == sorted({x for x in texts if x is not None})
    if len(texts) > 3:
        assert read_column(series[2:], "labels").decode().tolist() == texts[2:]


@given(values=st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3), max_size=20))
def test_lists_of_integers(values):
    numbers = _kernels.impl.integers_of(values)
    assert (numbers.dtype, numbers.tolist()) == (np.int64, values)
    for other in (True, 1.0, None, 2**63, -(2**63) - 1, np.int64(1), "1"):
        assert _kernels.impl.integers_of([*values, other]) is None
