"""Laws that every catalogued measure keeps, read from its row, on both kernels."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partwise as pw
from cases import features, required, within_ulp
from partwise import _kernels
from strategies import clusterings

ROWS = pw.catalogue()
names = pytest.mark.parametrize("name", ROWS)


def options_of(row, *sides):
    k = max([len(set(x.tolist())) for x in sides] + [1]) + 2
    n = len(sides[0]) if sides else 0
    return {**row.options, **required(row, k=k, features=features(n))}


def value(row, a, b, **policies):
    return row.function(a, b, **options_of(row, np.asarray(a), np.asarray(b)), **policies)


@names
@given(pair=clusterings(), seed=st.integers(0, 99))
def test_names_and_order_change_no_bit(name, pair, seed):
    row = ROWS[name]
    if row.tie_dependent:
        return
    a, b = pair
    rng = np.random.default_rng(seed)
    options = options_of(row, a, b)
    wanted = row.function(a, b, **options)

    def same(x, y, **changed):
        found = row.function(x, y, **(options | changed))
        # sums over plans of equal cost, in doubles, may differ in the last place
        assert within_ulp(found, wanted, 0 if row.exactness == "bits" else 8)

    order = rng.permutation(len(a))
    moved = {name: options[name][order] for name in row.required_columns}
    assert row.function(a[order], b[order], **(options | moved)) == wanted
    new = rng.permutation(64) * 3 - 50
    same(new[a], new[::-1][b])
    words = np.array([f"label {x}" for x in new])
    same(words[a], new[b].astype(object))
    wide = new.astype(np.int64) * (2**56 + 12345)
    same(wide[a], wide[b])


@names
@given(pair=clusterings())
def test_dtype_and_memory_change_no_bit(name, pair):
    row = ROWS[name]
    a, b = pair
    wanted = value(row, a, b)
    for dtype in (
        np.int8,
        np.uint8,
        np.int16,
        np.uint32,
        np.uint64,
        np.float64,
        ">i4",
        object,
    ):
        assert value(row, a.astype(dtype), b.astype(dtype)) == wanted
    strided = np.repeat(a, 3)[::3]
    frozen = b.copy()
    frozen.flags.writeable = False
    assert value(row, strided, frozen) == wanted
    assert value(row, a.tolist(), np.asfortranarray(np.stack([b, b], axis=1))[:, 1]) == wanted


@names
@given(pair=clusterings())
def test_row_tells_the_truth(name, pair):
    row = ROWS[name]
    a, b = pair
    before = a.copy(), b.copy()
    found = value(row, a, b)
    assert type(found) is float
    assert math.isfinite(found)
    assert math.copysign(1, found) == 1 or found < 0, "negative zero"
    low, high = row.range
    assert low is None or found >= low
    assert high is None or found <= high
    if row.symmetric:
        assert value(row, b, a) == found
    if row.value_if_identical is not None:
        assert value(row, a, a) == row.value_if_identical
        assert value(row, a, 7 - a) == row.value_if_identical
    assert (a == before[0]).all()
    assert (b == before[1]).all()


@names
@given(pair=clusterings())
def test_kernels_agree(name, pair, both, monkeypatch):
    row = ROWS[name]
    found = []
    for backend in both.values():
        monkeypatch.setattr(_kernels, "impl", backend)
        found.append(value(row, *pair))
    first, second = found
    if row.exactness == "bits":
        assert first == second
    else:
        assert abs(first - second) <= 2 * math.ulp(max(map(abs, found)))


@names
@given(triple=clusterings(max_size=12, sides=3))
def test_metrics_keep_the_triangle(name, triple):
    row = ROWS[name]
    if not row.metric:
        return
    options = options_of(row, *triple)

    def distance(x, y):
        found = row.function(x, y, **options)
        return found if row.direction == "lower" else 1 - found

    a, b, c = triple
    assert distance(a, c) <= distance(a, b) + distance(b, c) + 1e-12


@names
@pytest.mark.parametrize("n", [0, 1])
def test_no_items_and_one_item_are_defined(name, n):
    row = ROWS[name]
    found = value(row, np.zeros(n, int), np.zeros(n, int))
    if row.value_if_identical is not None:
        assert found == row.value_if_identical
    else:  # 0/0 for identical clusterings in one case, sums of nothing elsewhere
        ones = ("russell_rao", "expected_rand_index")
        assert found == (1.0 if name.startswith(ones) else 0.0)


@names
@given(pair=clusterings())
def test_a_table_and_an_alignment_serve_as_well(name, pair):
    row = ROWS[name]
    options = options_of(row, *pair)
    columns = {name: options.pop(name) for name in row.required_columns}
    aligned = pw.align(*pair, **columns)
    wanted = row.function(*pair, **columns, **options)
    assert row.function(aligned, **options) == wanted
    if columns:
        with pytest.raises(TypeError, match=f"{row.function.__name__} needs the items"):
            row.function(aligned.table, **options)
        return
    assert row.function(aligned.table, **options) == wanted
    triples = (aligned.table.rows, aligned.table.cols, aligned.table.counts)
    assert row.function(pw.Contingency.from_counts(*triples), **options) == wanted


@given(pair=clusterings())
def test_join_weighted_measures_add_up_over_components(pair):
    table = pw.contingency(*pair)
    parts = list(table.components().tables())
    for row in ROWS.values():
        if not row.join_weighted or row.name == "van_dongen" or table.n_items == 0:
            continue
        if row.required_columns:  # components of items: test_decomposition.py
            continue
        options = options_of(row, *pair)
        whole = row.computation.on_table(table, **options)
        total = sum(row.computation.on_table(part, **options) * part.n_items for part in parts)
        assert math.isclose(whole, total / table.n_items, rel_tol=1e-12, abs_tol=1e-13)
    if table.n_items:
        outside = sum(pw.van_dongen(part) for part in parts)
        assert pw.van_dongen(table) == outside
