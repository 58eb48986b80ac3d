"""Laws that every measure of the catalogue keeps, read from its entry, on both kernels.

That types, memory layout and the order of the items change no bit is a fact about the table:
see tests/table/test_same_table.py. Only measures that look at the items themselves are asked
for it here.
"""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import partwise as pw
from cases import clusters, features, required, values, within_ulp
from partwise import _kernels
from strategies import clusterings

ENTRIES = pw.catalogue()
OF_TABLES = [name for name, entry in ENTRIES.items() if not entry.computation.items]
OF_ITEMS = [name for name, entry in ENTRIES.items() if entry.computation.items]
TIE_DEPENDENT = [name for name, entry in ENTRIES.items() if entry.tie_dependent]
METRICS = [name for name, entry in ENTRIES.items() if entry.metric]
JOIN_WEIGHTED = [name for name, entry in ENTRIES.items() if entry.join_weighted]


def names(listed):
    return pytest.mark.parametrize("name", listed)


def without(listed, others):
    return [name for name in listed if name not in others]


def test_the_lists_cover_the_catalogue():
    assert set(OF_TABLES) | set(OF_ITEMS) == set(ENTRIES)
    for listed in (OF_TABLES, OF_ITEMS, TIE_DEPENDENT, METRICS, JOIN_WEIGHTED):
        assert 0 < len(listed) < len(ENTRIES)
    needing_items = {name for name, entry in ENTRIES.items() if entry.required_columns}
    assert needing_items <= set(OF_ITEMS)


def options_of(entry, a, b):
    return {**entry.options, **required(entry, k=clusters(a, b), features=features(len(a)))}


@given(pair=clusterings())
def test_entries_tell_the_truth(pair):
    a, b = pair
    before = a.copy(), b.copy()
    forth, back = values(ENTRIES, a, b), values(ENTRIES, b, a)
    same, renamed = values(ENTRIES, a, a), values(ENTRIES, a, 7 - a)
    for name, entry in ENTRIES.items():
        low, high = entry.range
        value = forth[name]
        assert type(value) is float, name
        assert math.isfinite(value), name
        assert math.copysign(1, value) == 1 or value < 0, f"{name} gives a negative zero"
        assert low is None or value >= low, name
        assert high is None or value <= high, name
        if entry.symmetric:
            assert back[name] == value, name
        if entry.value_if_identical is not None:
            assert same[name] == renamed[name] == entry.value_if_identical, name
    assert (a == before[0]).all()
    assert (b == before[1]).all()


def check_same_up_to_sums(values_by_name, wanted):
    for name, value in values_by_name.items():
        # sums over plans of equal cost, in doubles, may differ in the last place
        ulps = 0 if ENTRIES[name].exactness == "bits" else 8
        assert within_ulp(value, wanted[name], ulps), name


@given(pair=clusterings(), seed=st.integers(0, 99))
def test_other_labels_change_no_bit(pair, seed):
    a, b = pair
    new = np.random.default_rng(seed).permutation(64)
    words = np.array([f"label {number}" for number in new])
    untied = without(ENTRIES, TIE_DEPENDENT)
    wanted = values(untied, a, b)
    check_same_up_to_sums(values(untied, new[a], new[::-1][b]), wanted)
    of_items = without(OF_ITEMS, TIE_DEPENDENT)
    check_same_up_to_sums(values(of_items, words[a], new[b] * 2**50), wanted)


@settings(max_examples=20)
@given(pair=clusterings(), seed=st.integers(0, 99))
def test_order_and_type_of_items_change_no_bit(pair, seed):
    a, b = pair
    rows = features(len(a)) * math.pi  # sums in doubles would depend on the order
    wanted = values(OF_ITEMS, a, b, rows=rows)
    for dtype in (np.uint8, np.float64, object):
        assert values(OF_ITEMS, a.astype(dtype), b.astype(dtype), rows=rows) == wanted
    order = np.random.default_rng(seed).permutation(len(a))
    assert values(OF_ITEMS, a[order], b[order], rows=rows[order]) == wanted


@given(pair=clusterings())
def test_kernels_agree(pair, both, monkeypatch):
    by_kernel = []
    for backend in both.values():
        monkeypatch.setattr(_kernels, "impl", backend)
        by_kernel.append(values(ENTRIES, *pair))
    for name, entry in ENTRIES.items():
        first, second = (one[name] for one in by_kernel)
        if entry.exactness == "bits":
            assert first == second, name
        else:
            assert abs(first - second) <= 2 * math.ulp(max(abs(first), abs(second))), name


@given(triple=clusterings(max_size=12, sides=3))
def test_metrics_keep_the_triangle(triple):
    k = clusters(*triple)
    sides = [values(METRICS, a, b, k=k) for a, b in combinations(triple, 2)]
    for name in METRICS:
        distances = [side[name] for side in sides]
        if ENTRIES[name].direction == "higher":
            distances = [1 - similarity for similarity in distances]
        assert 2 * max(distances) <= sum(distances) + 1e-12, name


@pytest.mark.parametrize("n", [0, 1])
def test_no_items_and_one_item_are_defined(n):
    labels = np.zeros(n, int)
    on_labels = values(ENTRIES, labels, labels)
    for name, entry in ENTRIES.items():
        wanted = entry.value_if_identical
        if wanted is None:  # 0/0 for identical clusterings in one case, else sums of nothing
            ones = ("russell_rao", "expected_rand_index")
            wanted = 1.0 if name.startswith(ones) else 0.0
        assert on_labels[name] == wanted, name


PAIRS = (
    ([2, 0, 0, 1, 1, 1, 3], [5, 5, 5, 9, 9, 5, 7]),
    ([0, 0, 1, 1], [0, 1, 0, 1]),
    ([4, 4, 4], [1, 2, 3]),
    ([], []),
)


@names(OF_TABLES)
def test_clusterings_an_alignment_and_a_table_serve_alike(name):
    entry = ENTRIES[name]
    for lists in PAIRS:
        a, b = (np.array(side, dtype=int) for side in lists)
        options = options_of(entry, a, b)
        table = pw.contingency(a, b)
        wanted = entry.function(a, b, **options)
        assert entry.function(*lists, **options) == wanted
        assert entry.function(pw.align(a, b), **options) == wanted
        assert entry.function(table, **options) == wanted
        assert entry.computation.on_table(table, **options) == wanted


@names(OF_ITEMS)
def test_an_alignment_serves_as_well_and_a_table_where_it_is_enough(name):
    entry = ENTRIES[name]
    for lists in PAIRS:
        a, b = (np.array(side, dtype=int) for side in lists)
        options = options_of(entry, a, b)
        columns = {column: options.pop(column) for column in entry.required_columns}
        aligned = pw.align(a, b, **columns)
        wanted = entry.function(a, b, **columns, **options)
        assert entry.function(*lists, **columns, **options) == wanted
        assert entry.function(aligned, **options) == wanted
        if columns:
            with pytest.raises(TypeError, match=f"{entry.function.__name__} needs the items"):
                entry.function(aligned.table, **options)
        else:
            assert entry.function(aligned.table, **options) == wanted


@given(pair=clusterings())
def test_join_weighted_measures_add_up_over_components(pair):
    """Components of items: see tests/scoring/test_decomposition.py."""
    table = pw.contingency(*pair)
    parts = list(table.components().tables())
    for name in without(JOIN_WEIGHTED, [*OF_ITEMS, "van_dongen"]):
        entry = ENTRIES[name]
        options = options_of(entry, *pair)
        of_all = entry.function(table, **options)
        summed = [entry.function(part, **options) * part.n_items for part in parts]
        mean = sum(summed) / max(table.n_items, 1)
        if parts:
            assert math.isclose(of_all, mean, rel_tol=1e-12, abs_tol=1e-13), name
    assert pw.van_dongen(table) == sum(pw.van_dongen(part) for part in parts)
