"""The border: every form of labels, policies, alignment, the account."""

import datetime
import math
import sys
import zoneinfo
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import partwise as pw

LABELS = [2, 0, 2, 1, 1, 2]
WORDS = ["c", "a", "c", "b", "b", "c"]


def partition(labels):
    return pw.meet(labels, labels).tolist()


WANTED = partition(LABELS)


def days(x):
    return datetime.date(2024, 1, 1 + x)


FORMS = {
    "list": LABELS,
    "tuple": tuple(LABELS),
    "bytes": [w.encode() for w in WORDS],
    "text": WORDS,
    "text array": np.array(WORDS),
    "bytes array": np.array(WORDS, dtype="S"),
    "object array": np.array(WORDS, dtype=object),
    "string dtype": np.array(WORDS, dtype=np.dtypes.StringDType()),
    "floats": [x / 3 for x in LABELS],
    "float16": np.array(LABELS, dtype=np.float16),
    "long double": np.array(LABELS, dtype=np.longdouble),
    "complex": np.array(LABELS) * 1j,
    "infinite": [math.inf if x == 2 else float(x) for x in LABELS],
    "tuples": [("doc", x) for x in LABELS],
    "frozensets": pw.Clustering([frozenset([x]) for x in LABELS]),
    "dates": [days(x) for x in LABELS],
    "datetime64": np.array([days(x) for x in LABELS], dtype="datetime64[D]"),
    "timedelta64": np.array(LABELS, dtype="timedelta64[s]"),
    "decimals": [Decimal(x) / 7 for x in LABELS],
    "huge integers": [x * 2**80 for x in LABELS],
    "mixed signs and uint64": [[-1, 0, 2**64 - 1][x] for x in LABELS],
    "integers near 2^53": [2**53 + x for x in LABELS],
    "integers and floats": [[1, 2.5, 4][x] for x in LABELS],
    "numpy scalars": [np.int16(x) for x in LABELS],
    "masked": np.ma.array(LABELS, mask=False),
    "clustering": pw.Clustering(LABELS),
    "swapped bytes": np.array(LABELS, dtype=">i8"),
    "strided": np.repeat(LABELS, 2)[::2],
    "reversed view": np.array(LABELS[::-1])[::-1],
}
for width in (8, 16, 32, 64):
    FORMS[f"int{width}"] = np.array(LABELS, dtype=f"int{width}")
    FORMS[f"uint{width}"] = np.array(LABELS, dtype=f"uint{width}")


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_labels(form):
    labels = FORMS[form]
    assert partition(labels) == WANTED
    assert pw.rand_index(labels, LABELS) == 1.0


def test_any_iterable_of_labels():
    assert pw.rand_index((x for x in LABELS), iter(WORDS)) == 1.0
    assert pw.rand_index(range(3), [7, 8, 9]) == 1.0


def test_bool_labels():
    assert pw.rand_index([True, False, True], np.array([1, 0, 1])) == 1.0
    assert pw.contingency(np.array([True, False]), [1, 2]).row_labels.tolist() == [
        False,
        True,
    ]


def test_float_labels_are_names():
    labels = [1.25, 1.255, 1.25, 0.0, -0.0]
    assert pw.Clustering(labels).n_clusters == 3
    assert pw.Clustering(np.array(labels)).n_clusters == 3


def test_labels_without_order_stand_in_first_appearance_order():
    labels = [frozenset("b"), frozenset("a"), frozenset("b")]
    table = pw.contingency(pw.Clustering(labels), [1, 1, 1])
    assert table.row_labels.tolist() == [frozenset("b"), frozenset("a")]
    mixed = [(1, "x"), ("x", 1), (1, "x")]
    assert pw.contingency(mixed, [1, 1, 1]).row_labels.tolist() == [(1, "x"), ("x", 1)]


def test_a_label_range_of_all_64_bits():
    a = np.array([-(2**63), 2**63 - 1, -(2**63), 0])
    assert pw.contingency(a, a).row_labels.tolist() == [-(2**63), 0, 2**63 - 1]
    assert pw.rand_index(a, ["p", "q", "p", "r"]) == 1.0
    assert pw.rand_index([0, 2**64 - 1, 2**63], [0, 1, 2]) == 1.0


# ---- data frames -------------------------------------------------------------------


def test_pandas_columns():
    pd = pytest.importorskip("pandas")
    columns = {
        "int": pd.Series(LABELS),
        "text": pd.Series(WORDS),
        "object": pd.Series(WORDS, dtype=object),
        "category": pd.Series(WORDS, dtype="category"),
        "ordered": pd.Categorical(WORDS, categories=["c", "unused", "b", "a"], ordered=True),
        "nullable": pd.Series(LABELS, dtype="Int8"),
        "nullable bool": pd.Series([x == 2 for x in LABELS], dtype="boolean"),
        "dates": pd.to_datetime(pd.Series([days(x) for x in LABELS])),
        "zoned": pd.to_datetime(pd.Series([days(x) for x in LABELS])).dt.tz_localize("UTC"),
        "index": pd.Index(LABELS),
        "period": pd.Series([days(x) for x in LABELS]).astype("period[D]"),
    }
    for name, column in columns.items():
        wanted = partition([x == 2 for x in LABELS]) if "bool" in name else WANTED
        assert partition(column) == wanted, name
    assert pw.contingency(columns["ordered"], LABELS).row_labels.tolist() == [
        "a",
        "b",
        "c",
    ]


def test_missing_in_pandas_columns():
    pd = pytest.importorskip("pandas")
    columns = [
        pd.Series([1, None, 2], dtype="Int64"),
        pd.Series(["x", None, "y"]),
        pd.Series(["x", None, "y"], dtype="category"),
        pd.Series([1.0, None, 2.0]),
        pd.to_datetime(pd.Series(["2024-01-01", None, "2024-01-02"])),
        pd.Series([1, pd.NA, 2], dtype=object),
        pd.Series([True, None, False], dtype="boolean"),
    ]
    for column in columns:
        with pytest.raises(ValueError, match=r"1 in the reference .* at index 1"):
            pw.align(column, [1, 2, 3])
        assert pw.align(column, [1, 2, 3], missing="drop").n_items == 2
        assert pw.contingency(column, [1, 2, 3], missing="cluster").shape == (3, 3)


def test_big_nullable_integers_do_not_pass_through_floats():
    pd = pytest.importorskip("pandas")
    column = pd.Series([2**53, 2**53 + 1, None], dtype="Int64")
    assert pw.align(column, [0, 1, 2], missing="singletons").table.shape == (3, 3)
    pl = pytest.importorskip("polars")
    column = pl.Series([2**53, 2**53 + 1, None])
    assert pw.align(column, [0, 1, 2], missing="singletons").table.shape == (3, 3)
    pa = pytest.importorskip("pyarrow")
    column = pa.array([2**53, 2**53 + 1, None])
    assert pw.align(column, [0, 1, 2], missing="singletons").table.shape == (3, 3)


def test_series_with_different_indexes_are_refused():
    pd = pytest.importorskip("pandas")
    a = pd.Series([1, 2, 3], index=["x", "y", "z"])
    b = pd.Series([3, 2, 1], index=["z", "y", "x"])
    with pytest.raises(ValueError, match="different indexes"):
        pw.rand_index(a, b)
    by_item = (pw.Clustering(x, items=x.index) for x in (a, b))
    assert pw.rand_index(*by_item) == 1.0
    assert pw.rand_index(a, b.sort_index()) == 1.0
    assert pw.rand_index(pd.DataFrame({"a": a}), b.sort_index()) == 1.0
    with pytest.raises(ValueError, match="different indexes"):
        pw.rand_index(pd.DataFrame({"a": a}), b)
    with pytest.raises(ValueError, match="pass one column"):
        pw.rand_index(pd.DataFrame({"a": a, "b": b}), b)


def test_polars_columns():
    pl = pytest.importorskip("polars")
    columns = {
        "int": pl.Series(LABELS),
        "uint8": pl.Series(LABELS, dtype=pl.UInt8),
        "text": pl.Series(WORDS),
        "category": pl.Series(WORDS, dtype=pl.Categorical),
        "enum": pl.Series(WORDS, dtype=pl.Enum(["c", "b", "a"])),
        "dates": pl.Series([days(x) for x in LABELS]),
        "float": pl.Series([x / 3 for x in LABELS]),
        "decimal": pl.Series([Decimal(x) for x in LABELS]),
    }
    for name, column in columns.items():
        assert partition(column) == WANTED, name
    assert pw.contingency(columns["enum"], LABELS).row_labels.tolist() == [
        "a",
        "b",
        "c",
    ]
    for column in (
        pl.Series(["x", None, "y"]),
        pl.Series(["x", None, "y"], dtype=pl.Categorical),
        pl.Series([True, None, False]),
        pl.Series([1.5, None, 2.5]),
        pl.Series([None, None, None]),
    ):
        with pytest.raises(ValueError, match="missing labels"):
            pw.align(column, [1, 2, 3])
    with pytest.raises(TypeError, match="pass one column"):
        pw.align(pl.DataFrame({"a": [1], "b": [2]}), [1])


def test_arrow_columns():
    pa = pytest.importorskip("pyarrow")
    columns = {
        "int": pa.array(LABELS),
        "chunks": pa.chunked_array([LABELS[:2], LABELS[2:]]),
        "text": pa.array(WORDS),
        "large text": pa.array(WORDS, type=pa.large_string()),
        "dictionary": pa.array(WORDS).dictionary_encode(),
        "dates": pa.array([days(x) for x in LABELS]),
        "float": pa.array([x / 3 for x in LABELS]),
        "repeated dictionary": pa.DictionaryArray.from_arrays(
            pa.array([2, 0, 3, 1, 1, 2]), pa.array(["a", "b", "c", "c"])
        ),
    }
    for name, column in columns.items():
        assert partition(column) == WANTED, name
    assert pw.Clustering(pa.array([True, False])).n_clusters == 2
    with pytest.raises(ValueError, match="1 in the reference"):
        pw.align(pa.DictionaryArray.from_arrays([0, 1], ["x", None]), [1, 2])
    with pytest.raises(ValueError, match="2 in the reference"):
        pw.align(pa.nulls(2), [1, 2])
    empty = pa.chunked_array([], type=pa.dictionary(pa.int8(), pa.string()))
    assert pw.Clustering(empty).n_items == 0


# ---- clusterings -------------------------------------------------------------------


def test_sets_maps_and_clusterings_align_by_item():
    wanted = pw.Clustering(["p", "p", "q"], items=["x", "y", "z"])
    sets = [{"z"}, {"y", "x"}]
    mapping = {"y": 0, "z": 1, "x": 0}
    for other in (
        sets,
        mapping,
        tuple(sets),
        pw.Clustering.from_clusters(map(list, sets)),
    ):
        aligned = pw.align(wanted, other)
        assert aligned.items.tolist() == ["x", "y", "z"]
        assert aligned.account.matched_by == "item"
        assert pw.rand_index(aligned) == 1.0
    assert pw.rand_index(sets, mapping) == 1.0


def test_clustering_constructors():
    found = pw.Clustering.from_clusters([["a", "b"], [], ["c"]])
    assert (found.n_items, found.n_clusters, found.empty_clusters) == (3, 2, 1)
    assert found.clusters() == {0: ["a", "b"], 2: ["c"]}
    account = pw.align(found, {"a": 1, "b": 1, "c": 2}).account
    assert "1 empty reference cluster left out" in account.describe()
    assert pw.Clustering.from_membership([3, 3, 1]).labels.tolist() == [3, 3, 1]
    assert pw.Clustering.from_membership([[0, 1], [1, 0.0]]).labels.tolist() == [1, 0]
    for bad in ([[0.5, 0.5]], [[1, 1]], [[0, 0]]):
        with pytest.raises(ValueError, match="row 0 is not one-hot"):
            pw.Clustering.from_membership(bad)
    sparse = pytest.importorskip("scipy.sparse")
    for nothing in (np.zeros((5, 0)), sparse.csr_array((5, 0))):
        with pytest.raises(ValueError, match=r"row 0 is not one-hot \(5 such rows\)"):
            pw.Clustering.from_membership(nothing)
    for empty in ([], np.zeros((0, 0)), np.zeros((0, 3)), sparse.csr_array((0, 3))):
        assert pw.Clustering.from_membership(empty).n_items == 0
    for shape in ((3, 0, 5), (0, 2, 2), ()):
        with pytest.raises(ValueError, match="must be 1-D or 2-D, got shape"):
            pw.Clustering.from_membership(np.zeros(shape))
    with pytest.raises(ValueError, match="dtype float64"):
        pw.Clustering.from_membership([0.5])
    with pytest.raises(TypeError, match="cluster 1 is a str"):
        pw.Clustering.from_clusters([{"a"}, "bc"])
    with pytest.raises(ValueError, match="2 labels but 1 items"):
        pw.Clustering([1, 2], items=[1])


def test_composite_and_unusual_items():
    left = pw.Clustering([0, 0, 1], items=[("d", 1), ("d", 2), ("e", 1)])
    right = {("e", 1): "x", ("d", 2): "y", ("d", 1): "y"}
    assert pw.rand_index(left, right) == 1.0
    stamps = np.array(["2024-01-01", "2024-01-02"], dtype="datetime64[D]")
    left = pw.Clustering([0, 1], items=stamps)
    right = pw.Clustering([1, 0], items=stamps[::-1].astype("datetime64[ns]"))
    assert pw.rand_index(left, right) == 1.0


@pytest.mark.parametrize("kind", [np.int64, np.uint8, str, float])
def test_alignment_is_a_join_by_item(kind):
    rng = np.random.default_rng(3)
    ids = np.unique(rng.integers(0, 200, 60))
    left, right = rng.permutation(ids)[:40], rng.permutation(ids)[:40]
    a = dict(zip(left.tolist(), rng.integers(0, 5, 40).tolist(), strict=True))
    b = dict(zip(right.tolist(), rng.integers(0, 5, 40).tolist(), strict=True))
    sides = [
        pw.Clustering(list(x.values()), items=np.array(list(x)).astype(kind)) for x in (a, b)
    ]
    both = [x for x in a if x in b]
    aligned = pw.align(*sides, unmatched="drop")
    assert aligned.items.tolist() == [kind(x) for x in both]
    assert aligned.reference.labels.tolist() == [a[x] for x in both]
    assert aligned.candidate.labels.tolist() == [b[x] for x in both]
    alone = pw.align(*sides, unmatched="singletons")
    everything = [*a, *(x for x in b if x not in a)]
    assert alone.items.tolist() == [kind(x) for x in everything]
    wanted_a = [a.get(x, ("alone", x)) for x in everything]
    wanted_b = [b.get(x, ("alone", x)) for x in everything]
    assert partition(alone.reference) == partition(list(map(str, wanted_a)))
    assert partition(alone.candidate) == partition(list(map(str, wanted_b)))


# ---- policies ----------------------------------------------------------------------


@pytest.mark.parametrize("side", [0, 1, None])
def test_missing_labels_that_can_be_read_once(side):
    once = (label for label in [-1])
    pair = once if side is None else (once, None) if side == 0 else (None, once)
    with pytest.raises(TypeError, match="missing_labels is a generator, which can be read"):
        pw.score_many([0, -1, 1], [[0, -1, 1]] * 2, missing="drop", missing_labels=pair)


def test_missing_labels_may_be_named():
    noise = [0, 0, -1, -1, 2]
    assert pw.Clustering(noise).n_clusters == 3
    for missing_labels in (-1, [-1], {-1}, -1.0, np.int64(-1), (None, [-1])):
        table = pw.contingency(
            LABELS[:5], noise, missing="singletons", missing_labels=missing_labels
        )
        assert table.shape[1] == 4
    both = pw.align([0, 5, 5], [7, 7, 0], missing="drop", missing_labels=([0], [0]))
    assert both.items.tolist() == [1]
    text = pw.align(["x", "?", "y"], [1, 1, 1], missing="cluster", missing_labels="?")
    assert text.table.row_labels.tolist() == ["x", "y", None]
    assert text.account.reference.missing == 1
    floats = pw.align([0.5, -1.0], [1, 1], missing="drop", missing_labels=-1)
    assert floats.n_items == 1
    untouched = pw.align(["7", "x"], [1, 1], missing_labels=-1)
    assert untouched.account.reference.missing == 0
    assert [note.code for note in untouched.account.notes] == ["missing-label-unused"]
    with pytest.raises(ValueError, match="declare '-1', which is written alike"):
        pw.align(["-1", "x"], [1, 1], missing_labels=-1)


def test_policies_apply_to_each_side():
    a, b = [None, 1, 1, 2], [5, None, 5, 6]
    found = pw.align(a, b, missing=("singletons", "drop"))
    assert found.items.tolist() == [0, 2, 3]
    assert found.account.dropped == 1
    assert (found.account.reference.missing, found.account.candidate.missing) == (1, 1)
    assert repr(found.reference.labels[0]) == "<alone 0>"
    with pytest.raises(ValueError, match="1 in the candidate"):
        pw.align(a, b, missing=("drop", "error"))


def test_unmatched_and_missing_together():
    a = {"x": 1, "y": None, "z": 2, "only a": 1}
    b = {"z": 5, "x": 5, "y": 6, "only b": None}
    found = pw.align(a, b, unmatched="singletons", missing="cluster")
    assert found.items.tolist() == ["x", "y", "z", "only a", "only b"]
    assert list(map(repr, found.reference.labels)) == [
        "1",
        "None",
        "2",
        "1",
        "<alone only b>",
    ]
    assert list(map(repr, found.candidate.labels)) == [
        "5",
        "6",
        "5",
        "<alone only a>",
        "None",
    ]
    dropped = pw.align(a, b, unmatched="drop", missing="drop")
    assert dropped.items.tolist() == ["x", "z"]
    assert dropped.account.dropped == 3


def test_account_tells_everything():
    account = pw.align({"x": 1, "y": 2}, {"y": 3, "z": 1}, unmatched="drop").account
    text = account.describe()
    assert text.startswith("1 item compared, aligned by item; 2 dropped")
    assert "1 reference item not in the candidate (dropped)" in text
    assert account.to_dict()["reference"]["given"] == 2


# ---- bad input ---------------------------------------------------------------------

BAD = {
    "different lengths": (([0, 1], [0]), {}, ValueError, "2 labels, the candidate 1"),
    "2-D labels": (
        (np.zeros((2, 2)), [0, 1]),
        {},
        ValueError,
        r"shape \(2, 2\).*from_membership",
    ),
    "3-D labels": ((np.zeros((2, 2, 2)), [0]), {}, ValueError, r"ravel"),
    "a number": ((5, [0]), {}, TypeError, "reference is an int"),
    "a string": (("0011", [0, 0, 1, 1]), {}, TypeError, "reference is a str"),
    "a set": (([0], {0}), {}, TypeError, "candidate is a set"),
    "nested lists": (
        ([[0, 1], [2]], [0, 1]),
        {},
        TypeError,
        "list at index 0.*list of sets",
    ),
    "mixed types": (
        ([1, "a", 2], [0, 0, 0]),
        {},
        TypeError,
        "1 .int. at index 0; 'a' .str. at index 1",
    ),
    "bool and int": (([True, 2], [0, 0]), {}, TypeError, "mixes labels"),
    "bytes and text": (([b"a", "a"], [0, 0]), {}, TypeError, "mixes labels"),
    "set and number": (
        ([{1}, 2], [0, 0]),
        {},
        TypeError,
        "starts with a set but has a int",
    ),
    "NaN": (
        ([0.0, math.nan], [0, 1]),
        {},
        ValueError,
        "1 in the reference.*index 1.*missing=",
    ),
    "None": (
        ([0, None], [0, None]),
        {},
        ValueError,
        "1 in the reference and 1 in the candidate .1 item touched",
    ),
    "NaT": (
        (np.array(["2024", "NaT"], "M8[D]"), [0, 1]),
        {},
        ValueError,
        "1 in the reference",
    ),
    "masked": (
        (np.ma.array([1, 2], mask=[0, 1]), [0, 1]),
        {},
        ValueError,
        "1 in the reference",
    ),
    "structured": (
        (np.zeros(1, dtype=[("x", int), ("y", int)]), [0]),
        {},
        TypeError,
        "pass one field",
    ),
    "one-sided ids": (
        ({"x": 1}, [1]),
        {},
        ValueError,
        "reference has item ids, the candidate has none",
    ),
    "one-sided items": (
        ({"x": 1}, {"y": 1}),
        {},
        ValueError,
        "'x' at index 0.*unmatched=",
    ),
    "repeated items": (
        ([{1, 2}, {2}], [{1}, {2}]),
        {},
        ValueError,
        "item 2 in cluster 0 and in cluster 1 .*overlap",
    ),
    "missing id": (
        (pw.Clustering([1], items=[None]), {1: 1}),
        {},
        ValueError,
        "no item id at index 0",
    ),
    "unknown policy": (
        ([0], [0]),
        {"missing": "ignore"},
        ValueError,
        "'ignore' is not one of: error",
    ),
    "three policies": (([0], [0]), {"missing": ("drop",) * 3}, ValueError, "pair"),
    "three missing labels": (
        ([0], [0]),
        {"missing_labels": (1, 2, 3)},
        TypeError,
        "pair",
    ),
    "unknown option": (([0], [0]), {"wieghts": 1}, TypeError, "no option 'wieghts'"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_clear_sentence(name):
    sides, policies, kind, fragment = BAD[name]
    with pytest.raises(kind, match=fragment) as caught:
        pw.rand_index(*sides, **policies)
    text = str(caught.value)
    assert "\n" not in text
    assert len(text) < 400


# ---- times, snapshots, oddities ----------------------------------------------------


def test_nanoseconds_are_not_cut():
    ticks = np.array([1, 2, 1_000_000_007, 1]).view("m8[ns]")
    stamps = ticks.view("M8[ns]")
    assert pw.Clustering(stamps).n_clusters == 3
    assert pw.Clustering(stamps).labels.tolist() == stamps.tolist()
    pl = pytest.importorskip("polars")
    for dtype in (pl.Datetime("ns"), pl.Duration("ns"), pl.Time):
        column = pl.Series([1, 2, 1_000_000_007, 1]).cast(dtype)
        assert partition(column) == [0, 1, 2, 0]
    pa = pytest.importorskip("pyarrow")
    for kind in (pa.time64("ns"), pa.timestamp("ns"), pa.duration("ns")):
        column = pa.array([1, 2, 1_000_000_007, 1], pa.int64()).cast(kind)
        assert partition(column) == [0, 1, 2, 0]
    assert partition(pa.array([1, 2, 1], pa.int32()).cast(pa.time32("s"))) == [0, 1, 0]


def test_missing_times_stay_times():
    labels = pw.Clustering(np.array(["2020-01-01", "NaT"], "M8[ns]")).labels
    assert labels[0] == np.datetime64("2020-01-01")
    assert labels[1] is None
    assert pw.Clustering([None, None]).labels.tolist() == [None, None]


def test_times_as_ids_are_compared_as_instants_or_refused():
    days_ = np.array(["2020-01-01", "2020-01-02"], "M8[D]")
    for unit in ("s", "ms", "us", "ns"):
        a = pw.Clustering([0, 1], items=days_)
        b = pw.Clustering([0, 0], items=days_[::-1].astype(f"M8[{unit}]"))
        assert pw.align(a, b).n_items == 2
    b = pw.Clustering([0, 0], items=[datetime.datetime(2020, 1, d) for d in (1, 2)])
    with pytest.raises(ValueError, match=r"datetime64 in the reference .* datetime in the"):
        pw.align(a, b)


#: The hour after midnight UTC comes twice on a clock in Berlin: 2:30 is two instants.
NIGHT = ["2020-10-25T00:30+00:00", "2020-10-25T01:30+00:00", "2020-10-25T00:30+00:00"]


def zoned_times():
    """Return three times with a zone, the first and the last equal, in every form."""
    plain = [datetime.datetime.fromisoformat(text) for text in NIGHT]
    berlin = zoneinfo.ZoneInfo("Europe/Berlin")
    forms = {"UTC": plain, "Berlin": [time.astimezone(berlin) for time in plain]}
    pd, pl, pa = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    column = pd.Series(pd.to_datetime(NIGHT)).dt.tz_convert("Europe/Berlin")
    series = pl.Series(plain).dt.convert_time_zone("Europe/Berlin")
    array = pa.array(plain, pa.timestamp("us", "Europe/Berlin"))
    forms |= {"pandas": column, "pandas' index": pd.DatetimeIndex(column)}
    forms |= {"categories": column.astype("category"), "objects": column.astype(object)}
    forms |= {"arrow in pandas": column.astype(pd.ArrowDtype(array.type))}
    forms |= {"polars": series, "polars ns": series.dt.cast_time_unit("ns")}
    forms |= {"arrow": array, "chunked": pa.chunked_array([array[:1], array[1:]])}
    forms |= {"seconds": array.cast(pa.timestamp("s", "UTC"))}
    forms |= {"dictionary": array.dictionary_encode()}
    return forms


def test_times_with_a_zone_are_instants_in_every_form():
    forms = zoned_times()
    naive = np.array([text[:16] for text in NIGHT], "M8[us]")
    without = {"NumPy": naive, "list": naive.tolist()}
    without["polars"] = pytest.importorskip("polars").Series(naive)
    for name, values in forms.items():
        assert partition(values) == [0, 1, 0], name
        labels = pw.Clustering(values).labels.tolist()
        assert labels == forms["UTC"], name
        assert {label.utcoffset() for label in labels} == {datetime.timedelta(0)}, name
        two = pw.Clustering([0, 1], items=list(forms["UTC"][:2]))
        own = pw.Clustering([0, 1, 0], items=values)
        assert pw.align(own, two, duplicates="first").n_items == 2, name
        table = pw.contingency([0, 1, 0], values)
        for other in forms.values():
            assert pw.Contingency.merge(table, pw.contingency([0, 1, 0], other)).shape == (2, 2)
        for other in without.values():
            with pytest.raises(ValueError, match="item ids are datetime with a time zone"):
                pw.align(own, pw.Clustering([0, 1, 0], items=other))
            with pytest.raises(TypeError, match="of different kinds: datetime with a time"):
                pw.Contingency.merge(table, pw.contingency([0, 1, 0], other))


def test_what_python_does_not_hold_of_times_with_a_zone(monkeypatch):
    pl = pytest.importorskip("polars")
    pytest.importorskip("pandas")
    nanos = pl.Series([1, 2, None, 1]).cast(pl.Datetime("ns", "Europe/Berlin"))
    labels = pw.Clustering(nanos)
    assert (labels.n_clusters, labels.labels.tolist().index(None)) == (2, 2)
    assert labels.labels[0].nanosecond == 1
    late = pl.Series([10**18]).cast(pl.Datetime("ms", "UTC"))
    with pytest.raises(ValueError, match="reference has times with a time zone outside"):
        pw.rand_index(late, [0])
    for empty in (pl.Series([None]), pl.Series([], dtype=pl.Int64)):
        assert pw.Clustering(empty.cast(pl.Datetime("ms", "UTC"))).n_clusters == 0
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ValueError, match="reference has nanoseconds beside a time zone"):
        pw.rand_index(nanos, [0, 1, 2, 3])


def test_times_in_a_dictionary_of_arrow_are_those_of_its_column():
    pa = pytest.importorskip("pyarrow")
    times = pa.array([3, 1, 3], pa.timestamp("ns"))
    for column in (times, times.dictionary_encode()):
        items = pw.Clustering([0, 1, 0], items=column).items
        assert np.array_equal(items, np.array([3, 1, 3], "M8[ns]"))


@pytest.mark.filterwarnings("ignore:The 'generic' unit")  # from NumPy 2.5 on
def test_datetimes_without_a_unit_are_asked_for_it(tmp_path):
    ticks = np.array([3, 1, 3]).view("datetime64")  # no text can be made of them
    path = tmp_path / "a.npz"
    np.savez(path, a=ticks, id=ticks[:2].repeat([2, 1]), b=[0, 1, 0])
    for call in (
        lambda: pw.rand_index([0, 1, 0], ticks),
        lambda: pw.Clustering([0, 1, 0], items=ticks),
        lambda: pw.read(path, label="a"),
        lambda: pw.read(path, label="b", item="id"),
    ):
        with pytest.raises(ValueError, match=r"without a unit, so index 0 .*datetime64\[s\]"):
            call()
    assert pw.read(path, label="b").labels.tolist() == [0, 1, 0]  # the others are not wanted
    assert pw.rand_index(ticks.astype("datetime64[s]"), ["x", "y", "x"]) == 1
    none = np.array(["NaT", "NaT"], dtype="datetime64")
    assert pw.rand_index(none, [0, 1], missing="singletons") == 1


@pytest.mark.parametrize(
    ("labels", "value", "found"),
    [
        (np.array(["2020-01-01", "2021-01-01"], "M8[ns]"), np.datetime64("2020-01-01"), 1),
        (np.array(["2020-01-01", "2021-01-01"], "M8[D]"), datetime.date(2021, 1, 1), 1),
        (np.array([True, False]), True, 1),
        (np.array([True, False]), 1, "labels of the reference are bool"),
        ([1, 2], True, "labels of the reference are integer"),
        (["1", "2"], 1, "declare '1', which is written alike"),
        ([b"x", b"y"], "x", "declare b'x', which is written alike"),
        (["x", "y"], b"z", "labels of the reference are text"),
        (np.array(["2020-01-01"], "M8[D]"), -1, "labels of the reference are datetime64"),
        ([1, 2], "none", "labels of the reference are integer"),
        ([np.str_("a"), "b"], "a", 1),
        (np.array([0.1, 2], np.float32), 0.1, 1),
        (np.array([-1, 2], np.longdouble), -1, 1),
        (np.array([-1, 2j]), -1, 1),
        ([Decimal(-1), Decimal(2)], -1, 1),
        ([1, 2, 3], range(1, 3), 2),
        ([1, 2, 3], np.array([2, 3]), 2),
        ([1, 2, 3], np.array(2), 1),
        ([1, 2**70], 2**70, 1),
        (np.array([1, 2], np.uint8), -1, 0),
        ([1, 2], math.nan, 0),
    ],
)
def test_missing_labels_are_compared_by_value(labels, value, found):
    policies = {"missing": "singletons", "missing_labels": (value, None)}
    if isinstance(found, str):
        with pytest.raises(ValueError, match=found):
            pw.align(labels, range(len(labels)), **policies)
        return
    account = pw.align(labels, range(len(labels)), **policies).account
    assert account.reference.missing == found
    unused = "missing-label-unused" in [note.code for note in account.notes]
    assert unused == (found == 0 and value == value)


@pytest.mark.parametrize(
    "of_number",
    [
        int,
        float,
        str,
        complex,
        Decimal,
        lambda x: f"{x}".encode(),
        lambda x: np.datetime64(x, "D"),
        lambda x: np.timedelta64(x, "h"),
        lambda x: datetime.date(2020, 1, 1 + x),
        lambda x: ("x", x),
    ],
)
@pytest.mark.parametrize("declared", [[2], [3, 7], [2, 9], [1, 2, 3]])
@pytest.mark.parametrize("form", [list, np.array])
def test_items_without_a_declared_label(of_number, declared, form):
    """Those whose label it is are left out, and no others."""
    numbers = [1, 2, 2, 7, 3, 3, 3, 7, 7, 7]
    labels = [of_number(x) for x in numbers]
    if form is list or not isinstance(labels[0], tuple):  # those make two columns
        labels = form(labels)
    missing = [of_number(x) for x in declared]
    found = pw.align(labels, range(10), missing="drop", missing_labels=(missing, None))
    kept = [i for i, x in enumerate(numbers) if x not in declared]
    assert found.items.tolist() == kept


@pytest.mark.parametrize("dtype", [np.dtype(k + s) for k in "iu" for s in "1248"], ids=str)
def test_the_ends_of_integers_are_declared(dtype):
    ends = np.iinfo(dtype)
    labels = np.array([ends.min, 1, ends.max, 1, ends.max], dtype=dtype)
    for value, kept in (
        (ends.min, [1, 2, 3, 4]),
        (ends.max, [0, 1, 3]),
        (ends.min - 1, [0, 1, 2, 3, 4]),
        (ends.max + 1, [0, 1, 2, 3, 4]),
    ):
        found = pw.align(labels, range(5), missing="drop", missing_labels=(value, None))
        assert found.items.tolist() == kept
        assert len(found.account.notes) == (len(kept) == 5)


@pytest.mark.parametrize("labels", [[], np.array([], dtype=int), [None, None], [float("nan")]])
def test_where_no_item_has_a_label_nothing_is_said_about_declared_ones(labels):
    others = [1] * len(labels)
    declared = {"missing": "singletons", "missing_labels": ([-1, "none"], None)}
    account = pw.align(labels, others, **declared).account
    assert (account.reference.missing, account.notes) == (len(labels), ())


@pytest.mark.parametrize("sign", [1, -1])
def test_whole_numbers_beside_fractions_keep_their_digits(sign):
    for largest in (2**53, 2**54, 2**60):
        labels = [sign * x for x in (largest - 1, largest, largest + 1, 0.5)]
        assert pw.Clustering(labels).n_clusters == 4
        assert pw.Clustering(labels).labels.tolist() == labels


def test_missing_labels_are_a_flat_list():
    with pytest.raises(TypeError, match="flat list"):
        pw.align([1], [1], missing_labels=[[1, 2]])


def test_numpy_scalars_in_lists_keep_their_values():
    assert pw.Clustering([np.uint64(2**64 - 1), np.int64(-1)]).n_clusters == 2
    assert pw.Clustering([np.float32(0.5), 0.5, 1]).n_clusters == 2


def test_nan_among_objects_is_missing():
    tuples = [("a", 1), float("nan")]
    for labels in (["a", float("nan")], np.array(["a", np.nan], dtype=object), tuples):
        assert pw.align(labels, [1, 2], missing="drop").n_items == 1
    masked = np.ma.array(["a", 5, "b"], mask=[0, 1, 0], dtype=object)
    assert pw.align(masked, [1, 2, 3], missing="drop").n_items == 2
    with pytest.raises(TypeError, match="mixes labels"):
        pw.Clustering(["a", 1.5])


@pytest.mark.parametrize(
    "values",
    [
        ["a", None, None, "b"],
        [b"a", None, None, b"b"],
        [1, None, None, 2],
        [1.5, None, None, 2],
        [True, None, None, False],
        [days(1), None, None, days(2)],
        [None, None, None, None],
    ],
)
def test_scalars_of_arrow_are_what_they_hold(values):
    pa = pytest.importorskip("pyarrow")
    array = pa.array(values)
    lists = [list(array), columns_of_rows(list(array)), tuple(array)]
    if any(values) and isinstance(values[0], str):
        lists.append(list(array.dictionary_encode()))
    for scalars in lists:
        n_missing = values.count(None)
        with pytest.raises(ValueError, match=f"missing labels: {n_missing} in the reference"):
            pw.align(scalars, [0, 0, 1, 1])
        labels = pw.Clustering(scalars).labels.tolist()
        assert labels == pw.Clustering(values).labels.tolist() == values
    rows = list(zip(array, pa.array([1, 2, 2, 3]), strict=True))
    wanted = list(zip(values, [1, 2, 2, 3], strict=True))
    assert pw.Clustering(rows).labels.tolist() == wanted
    own = pw.Clustering([0, 1], items=[array[0], "z"] if values[0] == "a" else array[::3])
    assert own.items.tolist() == (["a", "z"] if values[0] == "a" else values[::3])
    with pytest.raises(ValueError, match=r"has the key .*, which stands for no label"):
        pw.Cover({array[1]: [0]}, n_items=1)


def nothing():
    return float("nan")  # an object of its own


LACKING_PARTS = {
    "NaN": lambda: [(1, nothing()), (1, nothing()), (1, 2.0), (1, 2.0)],
    "NaN and None": lambda: [(1, nothing()), (1, None), (1, 2.0), (1, 2.0)],
    "NumPy's NaN and NaT": lambda: [
        (1, np.float64("nan")),
        (1, np.datetime64("NaT")),
        (1, np.datetime64("2020")),
        (1, np.datetime64("2020")),
    ],
    "Decimal": lambda: [(1, Decimal("NaN")), (1, Decimal("NaN")), (1, 2), (1, 2)],
    "nested": lambda: [(1, (nothing(), 2)), (1, (nothing(), 2)), (1, (2,)), (1, (2,))],
    "frozensets": lambda: [
        frozenset([1, nothing()]),
        frozenset([1, nothing()]),
        frozenset([1]),
        frozenset([1]),
    ],
    "an array": lambda: columns_of_rows([(1, nothing()), (1, nothing()), (2, 2.0), (2, 2.0)]),
}


def columns_of_rows(rows):
    array = np.empty(len(rows), dtype=object)
    array[:] = rows
    return array


@pytest.mark.filterwarnings("ignore:The 'generic' unit")  # from NumPy 2.5 on
@pytest.mark.parametrize("name", LACKING_PARTS)
def test_what_is_missing_within_tuples_is_the_same(name):
    labels = pw.Clustering(LACKING_PARTS[name]())
    assert labels.n_clusters == 2
    assert partition(labels) == [0, 0, 1, 1]
    other = pw.Clustering(LACKING_PARTS[name]())
    assert pw.rand_index(labels, other) == 1.0
    table = pw.contingency(labels, [0, 0, 1, 1])
    assert pw.Contingency.merge(table, pw.contingency(other, [0, 0, 1, 1])).shape == (2, 2)


def test_missing_parts_read_none_and_may_be_declared():
    labels = [(1, nothing()), (1, nothing()), (2, 2.0)]
    assert pw.Clustering(labels).labels.tolist() == [(1, None), (1, None), (2, 2.0)]
    for declared in ((1, nothing()), (1, None)):
        found = pw.align(labels, [0, 1, 1], missing_labels=([declared], []), missing="drop")
        assert (found.n_items, found.account.notes) == (1, ())


def test_missing_parts_of_ids_in_rows_and_in_columns():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"x": [1, 1, 2], "y": [math.nan, 2.0, math.nan]})
    rows = list(frame.itertuples(index=False, name=None))
    again = [(x, nothing() if y != y else y) for x, y in rows]
    sides = [frame, rows, again, pd.MultiIndex.from_frame(frame)]
    for first in sides:
        for second in sides:
            pair = pw.Clustering([0, 0, 1], items=first), pw.Clustering([0, 0, 1], items=second)
            assert pw.align(*pair).n_items == 3
    index = pd.MultiIndex.from_frame(frame.iloc[[0, 1, 2, 0]])
    assert partition(index) == [0, 1, 2, 0]
    with pytest.raises(ValueError, match=r"item \(1, None\) at index 0 and again"):
        pw.align(pw.Clustering([0, 1], items=[(1, nothing()), (1, nothing())]), {(1, None): 0})


@pytest.mark.parametrize("value", [math.nan, None])
def test_whether_tuples_may_be_clusters_depends_on_no_object(value):
    second = float("nan") if value is not None else None
    assert pw.rand_index([(1, value), (2, second)], [0, 1]) == 1.0


def test_alignments_and_clusterings_are_snapshots():
    x, y = np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1])
    aligned, clustering = pw.align(x, y), pw.Clustering(x)
    y[:] = 0
    x[:] = 0
    assert pw.rand_index(aligned) == 1.0
    assert clustering.labels.tolist() == [0, 0, 1, 1]
    with pytest.raises(ValueError, match="read-only"):
        clustering.labels[0] = 9


def test_more_frames():
    pd = pytest.importorskip("pandas")
    unused = pd.Categorical([1, 1, 2], categories=[1, "x", 2])
    assert pw.Clustering(unused).n_clusters == 2
    rows = pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("a", 1)])
    assert partition(rows) == [0, 1, 0]
    with pytest.raises(TypeError, match="pandas Timestamp; pass one column"):
        pw.Clustering(pd.Timestamp("2020"))
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(TypeError, match="labels must be plain"):
        pw.Clustering(pa.array([[1], [2]]))
    arrow = pd.Series([1, 2, 1], dtype=pd.ArrowDtype(pa.time64("ns")))
    assert partition(arrow) == [0, 1, 0]
    pl = pytest.importorskip("polars")
    assert partition(pl.Series([1, 2, 1], dtype=pl.Int128)) == [0, 1, 0]


def test_masks_are_never_ignored():
    masked = np.ma.array([5, 7], mask=[0, 1])
    with pytest.raises(ValueError, match="masked"):
        pw.Contingency.from_counts([0, 1], [0, 1], masked)
    with pytest.raises(ValueError, match="masked"):
        pw.Contingency.from_dense(masked.reshape(1, 2))
    assert pw.align(pw.Clustering.from_membership(masked), [1, 2], missing="drop").n_items == 1
    assert pw.Clustering.from_membership(np.zeros((0, 3))).n_items == 0
    with pytest.raises(TypeError, match="cluster 0 is a dict"):
        pw.Clustering.from_clusters([{1: "x"}])


@pytest.mark.parametrize("number", [int, float, Decimal, Fraction])
def test_a_truth_value_is_no_number_of_the_other_side(number):
    """False, declared for both sides, is meant for the one of truth values: 0 is a label."""
    truth, numbers = [False, True, True], [number(x) for x in (1, 0, 1)]
    aligned = pw.align(truth, numbers, missing_labels=False, missing="drop")
    assert aligned.account.reference.missing == 1
    assert aligned.account.candidate.missing == 0
    assert aligned.candidate.labels.tolist() == [0, 1]
