"""Item ids of every form are joined by value, whatever is kept of them until then."""

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import partwise as pw
from partwise.labels.columns import Column
from partwise.labels.forms import read_column
from partwise.labels.frames import _check_offsets
from partwise.labels.items.ids import CompositeIds, TextIds, composite, read_ids
from partwise.labels.items.matching import same_items

text = st.text(max_size=4)
tuples = st.tuples(st.integers(-2, 3), st.sampled_from(["", "a", "ab", "b"]))
kinds = st.sampled_from([text, st.binary(max_size=4), tuples, st.integers(-(2**63), 2**64 - 1)])
FORMS = {
    "list": list,
    "tuple": tuple,
    "object array": lambda x: np.fromiter(x, dtype=object, count=len(x)),
    "pyarrow": lambda x: pa.array(x, pa.string()),
    "pyarrow chunks": lambda x: pa.chunked_array([x[:1], x[1:]], pa.string()),
    "pyarrow slice": lambda x: pa.array(["pad", *x, "pad"], pa.large_string())[1:-1],
    "pyarrow view": lambda x: pa.array(x, pa.string_view()),
    "pyarrow dictionary": lambda x: pa.array(x, pa.string()).dictionary_encode(),
    "pandas object": lambda x: pd.Series(x, dtype=object).to_numpy(),
    "pandas text": lambda x: pd.array(x, dtype="string[pyarrow]"),
    "pandas category": lambda x: pd.Categorical(x),
    "polars": lambda x: pl.Series(x, dtype=pl.String),
    "polars category": lambda x: pl.Series(x, dtype=pl.Categorical),
    "numpy": lambda x: np.array(x, dtype=str),
}


def joined(first, second):
    """What a dict of ids says: labels are the places of the items on their side."""
    place = {item: position for position, item in enumerate(second)}
    return [(i, place[item]) for i, item in enumerate(first) if item in place]


def by_partwise(first, second, **policies):
    sides = (pw.Clustering(np.arange(len(x)), items=x) for x in (first, second))
    aligned = pw.align(*sides, **policies)
    pairs = zip(aligned.reference.labels, aligned.candidate.labels, strict=True)
    return [(int(i), int(j)) for i, j in pairs], aligned


@st.composite
def two_sides(draw):
    kind = draw(kinds)
    ids = draw(st.lists(kind, unique=True, max_size=12))
    cut = draw(st.tuples(st.integers(0, 12), st.integers(0, 12)))
    return ids[: cut[0]], draw(st.permutations(ids[cut[1] // 2 :]))


@given(sides=two_sides())
def test_what_both_sides_have_is_joined(sides):
    first, second = sides
    if not joined(first, second):
        assume(not first and not second)
    pairs, aligned = by_partwise(first, second, unmatched="drop")
    assert pairs == joined(first, second)
    assert aligned.items.tolist() == [first[i] for i, _ in pairs]


@given(sides=two_sides())
def test_what_one_side_has_stays_as_an_item_of_its_own(sides):
    first, second = sides
    sides = (pw.Clustering(np.arange(len(x)), items=x) for x in (first, second))
    aligned = pw.align(*sides, unmatched="singletons")
    assert aligned.items.tolist() == [*first, *(x for x in second if x not in first)]


@pytest.mark.parametrize("left", FORMS)
@pytest.mark.parametrize("right", FORMS)
def test_every_form_of_text_meets_every_other(left, right):
    first = ["b", "", "äé", "a", "zz", "a\u4e2d", "zzz"]
    second = ["zz", "a", "x", "b", "", "a\u4e2d", "äé"]
    pairs, aligned = by_partwise(FORMS[left](first), FORMS[right](second), unmatched="drop")
    assert pairs == joined(first, second)
    assert aligned.items.tolist() == [first[i] for i, _ in pairs]


@pytest.mark.parametrize("form", FORMS)
def test_equal_ids_in_one_order_are_seen(form):
    ids = FORMS[form](["b", "a", "c"])
    pairs, aligned = by_partwise(ids, ids)
    assert pairs == [(0, 0), (1, 1), (2, 2)]
    assert aligned.items.tolist() == ["b", "a", "c"]


def tuples_in_columns(x):
    """Pairs of a number and the text, held as two columns."""
    return composite([read_column([1] * len(x), "one"), read_ids(list(x), "other")], "pairs")


SETS = {
    **FORMS,
    "integers": lambda x: [ord(one[0]) for one in x],
    "floats": lambda x: [ord(one[0]) / 4 for one in x],
    "big integers": lambda x: [2**64 + ord(one[0]) for one in x],
    "times": lambda x: np.array([ord(one[0]) for one in x], dtype="M8[D]"),
    "bytes": lambda x: [one.encode() for one in x],
    "bools and text in tuples": lambda x: [(True, one) for one in x],
    "tuples": lambda x: [(1, one) for one in x],
    "tuples in columns": tuples_in_columns,
}


@pytest.mark.parametrize("form", SETS)
def test_where_columns_have_the_items_of_the_first(form):
    def columns(*sets):
        made = [SETS[form](list(x)) for x in sets]
        return [x if isinstance(x, Column) else read_ids(x, "items") for x in made]

    first, *others = columns("bacd", "dcba", "bacd", "abcd", "cdba")
    found = same_items(first, [first, *others])
    order = ["dcba".index(x) for x in "bacd"]
    assert [x if x is None else x.tolist() for x in found] == [
        None,
        order,
        None,
        [1, 0, 2, 3],
        [2, 3, 0, 1],
    ]
    for odd in ("bac", "bace", "eacd", "bacde", "bacc", "aaaa", ""):
        assert same_items(first, [first, *columns(odd), first]) is None
        assert same_items(columns(odd)[0], [first]) is None


def test_items_of_other_kinds_are_other_items():
    kinds = ["list", "integers", "times", "bytes", "tuples in columns"]
    made = [SETS[kind]("bac") for kind in kinds]
    columns = [x if isinstance(x, Column) else read_ids(x, "items") for x in made]
    for i, first in enumerate(columns):
        for j, other in enumerate(columns):
            assert same_items(first, [other]) == ([None] if i == j else None)


@pytest.mark.parametrize(
    "forms", [("tuples", "tuples in columns"), ("tuples in columns", "tuples")]
)
def test_items_in_tuples_of_either_form(forms):
    one, two = (SETS[form] for form in forms)
    made = [one("bac"), two("bac"), two("cab")]
    first, other, turned = (x if isinstance(x, Column) else read_ids(x, "items") for x in made)
    found = same_items(first, [other, turned])
    assert found[0] is None
    assert found[1].tolist() == [2, 1, 0]


@pytest.mark.parametrize("form", [*FORMS, "tuples"])
def test_a_repeated_id_is_refused_and_named(form):
    make = FORMS.get(form, lambda x: [(1, item) for item in x])
    ids, other = make(["b", "a", "b"]), make(["a", "b", "c"])
    name = r"\(1, 'b'\)" if form == "tuples" else "'b'"
    both = ((ids, ids), "reference"), ((ids, other), "reference"), ((other, ids), "candidate")
    for sides, side in both:
        with pytest.raises(ValueError, match=rf"{side} has item {name} at index 0 and again"):
            by_partwise(*sides, unmatched="drop")
    with pytest.raises(
        ValueError, match=r"2 reference items not in the candidate.* at index 1"
    ):
        by_partwise(make(["a", "d", "e"]), make(["a"]), unmatched="error")


def test_a_missing_id_is_refused_and_named():
    for ids in (["a", None], pa.array(["a", None]), pl.Series(["a", None])):
        with pytest.raises(ValueError, match="reference has no item id at index 1"):
            by_partwise(ids, ["a", "b"])


def test_text_and_numbers_and_bytes_are_not_one():
    for first, second, words in (
        (["1"], [1], "text in the reference .* but integer in the candidate"),
        ([b"1"], ["1"], "bytes in the reference .* but text in the candidate"),
        ([(1, "a")], ["a"], "object in the reference .* but text in the candidate"),
    ):
        with pytest.raises(ValueError, match=words):
            by_partwise(first, second)


def test_tuples_of_other_makes_are_joined_by_value():
    first = [(1, "a"), (2, "b"), (3, "c")]
    for second in ([(2.0, "b"), (1, "a")], [(2, "b"), (1, "a", 5)], [("2", "b"), (3, "c")]):
        pairs, _ = by_partwise(first, second, unmatched="drop")
        assert pairs == joined(first, second)
    assert isinstance(read_ids(first, "items"), CompositeIds)
    assert not isinstance(read_ids([(1, True), (2, False)], "items"), CompositeIds)
    assert not isinstance(read_ids([(1, "a"), (2, None)], "items"), CompositeIds)


def test_parts_whose_numbers_multiply_beyond_64_bits():
    random = np.random.default_rng(4)
    n = 3000
    parts = [random.integers(0, 2**62, n) for _ in range(7)]
    order = random.permutation(n)
    first = composite(parts, "items")
    second = composite([part[order] for part in parts], "items")
    pairs, aligned = by_partwise(first, second)
    assert [j for _, j in pairs] == np.argsort(order).tolist()
    assert aligned.items[5] == tuple(int(part[5]) for part in parts)


def test_what_the_caller_changes_afterwards_does_not_reach_ids():
    held = np.array(["a", "b"], dtype=object)
    numbers = np.array([1, 2])
    buffer = pa.array(["a", "b"])
    for ids in (held, numbers, buffer):
        clustering = pw.Clustering([0, 1], items=ids)
        before = clustering.items.tolist()
        if ids is not buffer:
            ids[0] = ids[1]
        assert clustering.items.tolist() == before


@pytest.mark.parametrize("ids", [["b", "a"], [b"b", b"a"], [(1, "b"), (0, "a")]])
def test_ids_are_copied_and_pickled(ids):
    clustering = pw.Clustering([0, 1], items=ids)
    assert isinstance(clustering.item_column, (TextIds, CompositeIds))
    for other in (copy.copy(clustering), pickle.loads(pickle.dumps(clustering))):
        assert other.items.tolist() == ids
        assert by_partwise(ids, ids)[0] == [(0, 0), (1, 1)]
        assert pw.align(clustering, other).items.tolist() == ids


def test_lone_surrogates_and_long_text():
    first = ["\ud800", "x" * 100_000, "x" * 99_999 + "y", ""]
    pairs, aligned = by_partwise(first, first[::-1])
    assert pairs == [(0, 3), (1, 2), (2, 1), (3, 0)]
    assert aligned.items.tolist() == first


FRAMES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "index": lambda x: pd.MultiIndex.from_arrays(list(x.values())),
    "tuples": lambda x: list(zip(*x.values(), strict=True)),
}


@pytest.mark.parametrize("left", FRAMES)
@pytest.mark.parametrize("right", FRAMES)
def test_several_columns_together_are_ids(left, right):
    first = {"document": ["b", "a", "a", "b"], "mention": [1, 1, 2, 3]}
    second = {"document": ["a", "b", "c", "a"], "mention": [2, 1, 1, 1]}
    rows = [list(zip(*x.values(), strict=True)) for x in (first, second)]
    pairs, aligned = by_partwise(FRAMES[left](first), FRAMES[right](second), unmatched="drop")
    assert pairs == joined(*rows)
    assert aligned.items.tolist() == [rows[0][i] for i, _ in pairs]


def test_frames_that_are_no_ids():
    repeated = pd.DataFrame([[1, "a"], [1, "b"]], columns=["x", "x"])
    assert pw.Clustering([0, 1], items=repeated).items.tolist() == [(1, "a"), (1, "b")]
    with pytest.raises(ValueError, match="2 labels but 3 items"):
        pw.Clustering([0, 1], items=pl.DataFrame({"a": [1, 2, 3], "b": [1, 2, 3]}))
    missing = pl.DataFrame({"a": [1, None], "b": ["x", "y"]})
    pairs, _ = by_partwise(missing, missing)  # a part may be missing: (None, "y") is an id
    assert pairs == [(0, 0), (1, 1)]


@pytest.mark.parametrize(
    ("offsets", "at"),
    [
        ([0, 1, 2, 9], 2),
        ([-1, 1, 2, 4], 0),
        ([0, 3, 1, 4], 1),
        ([1, 4, 3, 4], 1),
        ([0, 9, 1, 4], 1),
        ([5, 5, 5, 5], 0),
        ([0, 5, 5, 5], 1),
        ([3, 4, 4, 5], 2),
    ],
)
def test_offsets_that_leave_their_bytes(offsets, at):
    """Text i is from offset i to offset i + 1; the first that falls or is outside is named."""
    error = rf"is a pyarrow column whose text at index {at} does not lie in its 4 bytes"
    for right in ([0, 1, 2, 4], [0, 0, 0, 0], [4, 4, 4, 4], [1, 1, 3, 3]):
        _check_offsets(np.array(right), 4, "x")
    with pytest.raises(ValueError, match=error):
        _check_offsets(np.array(offsets), 4, "x")
    if 0 <= offsets[0] <= offsets[-1] <= 4:  # else pyarrow itself makes no array of them
        for text in (pa.string(), pa.large_string(), pa.binary()):
            kind = np.int64 if text == pa.large_string() else np.int32
            held = pa.py_buffer(np.array(offsets, kind).tobytes())
            column = pa.Array.from_buffers(text, 3, [None, held, pa.py_buffer(b"abcd")])
            with pytest.raises(ValueError, match=f"reference {error}"):
                pw.rand_index(column, [1, 2, 3])
            with pytest.raises(ValueError, match=f"items {error}"):
                pw.Clustering([1, 2, 3], items=column)


def test_what_pandas_has_beside_columns_is_no_item():
    column = pd.Series(["x", "y"])
    for odd, kind in (
        (column.groupby(column), "SeriesGroupBy"),
        (column.rolling(1), "Rolling"),
    ):
        with pytest.raises(TypeError, match=f"items is a pandas {kind}; pass one column"):
            pw.Clustering([1, 2], items=odd)


# ---- times -------------------------------------------------------------------------

UNITS = ["D", "25s", "us", "ns", "ps"]


@pytest.mark.filterwarnings("ignore:The 'generic' unit")  # from NumPy 2.5 on
@pytest.mark.parametrize("kind", "mM")
@pytest.mark.parametrize("unit", UNITS)
def test_times_in_a_list_are_those_of_an_array(kind, unit):
    times = np.array([3, 1, 2], f"{kind}8[{unit}]")
    own = pw.Clustering([0, 1, 1], items=times)
    for items in (list(times), tuple(times), np.array([*times, None], object)[:3]):
        other = pw.Clustering([0, 1, 1], items=items)
        assert other.items.dtype == times.dtype
        assert pw.rand_index(own, other) == 1.0
    assert pw.rand_index(own, dict(zip(times, [0, 1, 1], strict=True))) == 1.0
    assert pw.rand_index(own, [{times[0]}, {*times[1:]}]) == 1.0
    assert pw.rand_index(own, pw.Clustering.from_clusters([times[:1], times[1:]])) == 1.0
    labels = pw.Clustering([*times, None, times.dtype.type("NaT")])
    assert (labels.n_clusters, labels.labels.tolist()[3:]) == (3, [None, None])


def test_times_of_two_units_in_a_list():
    far, near, tick = (np.datetime64(*x) for x in ((2**58, "us"), (10**9, "ns"), (1, "ns")))
    labels = pw.Clustering([far, near, None, np.datetime64(1, "s")]).labels
    assert labels.tolist() == [far, near, None, near]
    assert pw.Clustering([far, near]).labels.dtype == "M8[us]"
    with pytest.raises(ValueError, match=r"labels has times in .*us. and .*ns., which no com"):
        pw.Clustering([far, tick])
    with pytest.raises(TypeError, match="labels mixes labels of different types"):
        pw.Clustering([np.timedelta64(1, "s"), 1])


@pytest.mark.parametrize("unit", UNITS)
def test_what_comes_out_with_times_goes_in(unit):
    times = np.array([1, 2, 3], f"M8[{unit}]")
    own = pw.Clustering([0, 1, 1], items=times)
    found = pw.point_estimate([own], seed=1).clustering()
    assert pw.rand_index(found, own) == 1.0
    assert pw.rand_index(pw.Clustering([0, 1, 1], items=list(own.items)), own) == 1.0
    clusters = own.clusters()
    assert pw.rand_index(pw.Clustering.from_clusters(clusters), own) == 1.0
    assert pw.Cover(clusters, items=times) == pw.Cover(own, items=list(times))
    late = pw.Clustering([0, 1], items=times[1:] + np.ones(1, f"m8[{unit}]"))
    both = pw.align(own, late, unmatched="singletons")
    assert both.items.dtype == times.dtype
    assert both.items.tolist()[:3] == times.tolist()


def columns_of_times():
    pd, pl, pa = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    index = pd.DatetimeIndex(["2020-01-01", "2020-01-02", "2020-01-03"])
    forms = {"index": index, "series": pd.Series(index), "array": index.to_numpy()}
    forms |= {"zoned": index.tz_localize("UTC"), "spans": pd.timedelta_range("1D", periods=3)}
    forms |= {"polars": pl.Series(index), "polars days": pl.Series(index).dt.date()}
    forms |= {"polars zoned": pl.Series(index.tz_localize("UTC")), "arrow": pa.array(index)}
    return forms


def test_one_column_of_times_as_items_and_as_some_of_them():
    for name, column in columns_of_times().items():
        own = pw.Clustering([0, 0, 1], items=column)
        assert pw.induced_clustering(own, column[1:]).n_clusters == 2, name
        assert pw.induced_clustering(own, list(own.items[:2])).n_clusters == 1, name
        cover = pw.Cover([column[:2], column[2:]], items=column)
        assert cover.sizes.tolist() == [2, 1], name
        assert cover == pw.Cover([column[:2], column[2:]], items="covered"), name
        assert pw.Hierarchy.from_levels([[0, 0, 1]], items=column).n_items == 3, name
        graph = pw.Clustering.from_clusters([column[:2], column[2:]])
        assert pw.rand_index(graph, own) == 1.0, name


def test_a_part_of_a_clustering_is_a_snapshot():
    items = np.array([2, 0])
    part = pw.induced_clustering([0, 0, 1], items)
    items[:] = 1
    assert part.items.tolist() == [2, 0]
