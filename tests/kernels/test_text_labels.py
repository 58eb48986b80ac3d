"""Labels of text: numbered by hashing, in order, the same labels and codes in every form."""

import copy
import pickle
import re
import threading
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partwise as pw
from partwise import _kernels
from partwise._kernels.reference import text as _text
from partwise.labels import columns, forms
from partwise.labels.columns import Names

WORD = (1 << 64) - 1


def ascending(values, skipped=()):
    """Places among the distinct items in order, and the first place of each."""
    kept = [i for i in range(len(values)) if i not in skipped]
    distinct = sorted({values[i] for i in kept})
    codes = [distinct.index(x) if i in kept else 0 for i, x in enumerate(values)]
    return codes, [next(i for i in kept if values[i] == x) for x in distinct]


def found(numbered):
    codes, firsts = numbered
    assert codes.dtype == np.int32
    assert firsts.dtype == np.int64
    return codes.tolist(), firsts.tolist()


def spans_of(values, size=8, before=b""):
    """The buffers of a list of bytes, with something in front."""
    ends = np.cumsum([len(before), *map(len, values)])
    data = np.frombuffer(before + b"".join(values), dtype=np.uint8)
    return data, ends.astype(f"i{size}")


@pytest.mark.parametrize("width", [1, 2, 3, 7, 8, 9, 16, 31])
@pytest.mark.parametrize("distinct", [1, 2, 300])
def test_bytes_of_fixed_width_are_numbered_in_order(width, distinct):
    rng = np.random.default_rng(width)
    names = [rng.bytes(width) for _ in range(distinct)]
    values = [names[i] for i in rng.integers(0, distinct, 900)]
    array = np.array(
        values, dtype=f"S{width}"
    )  # what is behind the last byte but zeros is lost
    assert found(_kernels.impl.number_fixed(array)) == ascending(array.tolist())


@pytest.mark.parametrize("points", ["ab", "aé", "日本語", "a\ud800\U0001f600ÿ\0"])
@pytest.mark.parametrize("longest", [1, 2, 5, 17])
def test_text_of_fixed_width_is_in_the_order_of_code_points(points, longest):
    rng = np.random.default_rng(longest)
    values = [
        "".join(rng.choice(list(points), rng.integers(0, longest + 1))) for _ in range(400)
    ]
    array = np.array(values, dtype=f"U{longest}")
    assert found(_kernels.impl.number_fixed(array)) == ascending(array.tolist())


def nested_words():
    """Items that share long beginnings, end inside each other, differ late or by zeros only."""
    rng = np.random.default_rng(5)
    stems = [b"", b"a", b"entity-", b"x" * 8, b"x" * 9, b"x" * 40, b"x" * 40 + b"\0" * 9]
    for stem in stems:
        yield from (stem + bytes(count) for count in range(25))
        yield from (stem + b"y" * count for count in range(25))
        yield from (stem + rng.bytes(rng.integers(0, 12)) for _ in range(60))
        yield from (stem + f"{x:07d}".encode() for x in rng.integers(0, 500, 60))


@pytest.mark.parametrize("size", [4, 8])
def test_spans_are_numbered_in_order(size):
    pytest.importorskip("pyarrow")
    words = list(nested_words())
    values = [words[i] for i in np.random.default_rng(1).integers(0, len(words), 3000)]
    values += words
    assert found(_kernels.impl.number_spans(*spans_of(values, size), None)) == ascending(values)
    shifted = spans_of(values, size, before=b"in front")
    assert found(_kernels.impl.number_spans(*shifted, None)) == ascending(values)
    gone = {0, 5, len(values) - 1, *range(40, 60)}
    skipped = np.array([i in gone for i in range(len(values))], dtype=np.uint8)
    numbered = _kernels.impl.number_spans(*spans_of(values, size), skipped)
    assert found(numbered) == ascending(values, gone)


def test_spans_are_numbered_by_first_appearance():
    words = list(nested_words())
    values = [words[i] for i in np.random.default_rng(2).integers(0, len(words), 3000)]
    data, offsets = spans_of(values, before=b"in front")
    codes, n_distinct = _kernels.impl.number_unordered(data, offsets)
    assert codes.dtype == np.int32
    number = {}
    assert codes.tolist() == [number.setdefault(value, len(number)) for value in values]
    assert n_distinct == len(number)
    codes, n_distinct = _kernels.impl.number_unordered(*spans_of([]))
    assert (codes.tolist(), n_distinct) == ([], 0)


@pytest.mark.parametrize("form", [list, lambda x: np.fromiter(x, dtype=object, count=len(x))])
def test_values_become_spans(form):
    text = ["b", "", "äé", "\ud800", "x" * 5000, "日本", "b"]
    encoded = [x.encode("utf-8", "surrogatepass") for x in text]
    for values, raw in ((text, False), (encoded, True)):
        data, offsets, is_raw = _kernels.impl.text_spans(form(values))
        assert (data.dtype, offsets.dtype, is_raw) == (np.uint8, np.int64, raw)
        parts = [bytes(data[start:end]) for start, end in pairwise(offsets.tolist())]
        assert parts == encoded
    data, offsets, _ = _kernels.impl.text_spans(form(["", ""]))
    assert (data.tolist(), offsets.tolist()) == ([], [0, 0, 0])
    for values in ([], ["a", None], ["a", b"a"], ["a", 1], [float("nan")], [np.str_("a"), "a"]):
        assert _kernels.impl.text_spans(form(values)) is None


def test_spans_at_the_edges():
    pytest.importorskip("pyarrow")
    number = _kernels.impl.number_spans
    assert found(number(*spans_of([]), None)) == ([], [])
    assert found(number(*spans_of([b"", b""]), None)) == ([0, 0], [0])
    assert found(number(*spans_of([b"a", b"b"]), np.ones(2, dtype=np.uint8))) == ([0, 0], [])


def test_the_order_is_that_of_python_for_any_bytes():
    pytest.importorskip("pyarrow")
    rng = np.random.default_rng(9)
    values = list({rng.bytes(rng.integers(0, 20)) for _ in range(5000)})
    values += list(
        {bytes(rng.integers(0, 2, rng.integers(0, 30)).tolist()) for _ in range(5000)}
    )
    values = list(dict.fromkeys(values))
    codes, firsts = _kernels.impl.number_spans(*spans_of(values), None)
    assert [values[i] for i in firsts] == sorted(values)
    assert (codes[firsts] == np.arange(len(values))).all()


def test_the_table_grows():
    values = np.random.default_rng(0).permutation(np.repeat(np.arange(20000), 2))
    codes, firsts = _kernels.impl.number_fixed(values.astype(">i8").view("S8"))
    _, places, wanted = np.unique(values, return_index=True, return_inverse=True)
    assert (firsts == places).all()
    assert (codes == wanted).all()


def hashed(word):
    """The hash of an item of 8 bytes, as csrc/text/pw_items.c has it."""
    value = 0x243F6A8885A308D3 ^ 8
    for part in (word, 0x13198A2E03707344):
        product = (value ^ part) * 0x9E3779B97F4A7C15
        value = product & WORD ^ product >> 64
    return value


def test_chosen_items_are_numbered_all_the_same(monkeypatch, request):
    """Items whose hashes agree in the bits that choose the place: something else takes over."""
    chosen = [x for x in range(1, 1 << 18) if hashed(x) & 1023 == 77]
    assert len(chosen) > 200
    values = np.array(chosen * 12, dtype="<i8").view("S8")
    if _kernels.name == "compiled":
        numbering = pytest.importorskip("partwise._kernels.compiled.numbering")
        seed = numbering.seed_of_hashes(0)  # as somebody who knows it
        request.addfinalizer(lambda: numbering.seed_of_hashes(seed))
    asked = []
    slow = _text.number_fixed
    monkeypatch.setattr(_text, "number_fixed", lambda x: asked.append(1) or slow(x))
    assert found(_kernels.impl.number_fixed(values)) == ascending(values.tolist())
    assert asked == ([1] if _kernels.name == "compiled" else [])
    column = forms.read_column(values.tolist(), "x")  # a list goes on as values of a dict
    assert [column.label(code) for code in column.codes] == values.tolist()


def text_and_gaps():
    yield ["b", None, "a", float("nan"), "b"]
    yield ["\xff", "\u0100", "\uffff", "\U00010000", "\ud800", "\x80", "\x7f", "a\0", "a", ""]
    yield [b"b", b"a", None, b""]
    yield [None, "x"]
    yield ["".join(map(chr, range(first, first + 300))) for first in (0, 200, 1900, 65400)] * 3


@pytest.mark.parametrize("values", list(text_and_gaps()))
@pytest.mark.parametrize("make", [list, lambda x: np.array(x, dtype=object)])
def test_values_of_text(values, make):
    codes, labels, missing = _kernels.impl.number_text(make(values))
    gone = [x is None or x != x for x in values]
    assert labels.dtype == object
    assert labels.tolist() == sorted(
        {x for x, lost in zip(values, gone, strict=True) if not lost}
    )
    assert (missing is None) == (not any(gone))
    for place, (value, lost) in enumerate(zip(values, gone, strict=True)):
        assert lost == (missing is not None and missing[place])
        assert lost or labels[codes[place]] is value or labels[codes[place]] == value


class Text(str):
    pass


@pytest.mark.parametrize(
    "values",
    [
        [],
        [None],
        [1, "a"],
        ["a", 1],
        ["a", b"a"],
        ["a", Text("b")],
        [1.5],
        ["a", 1.5],
    ],
)
def test_what_is_not_text_is_left_to_others(values):
    assert _kernels.impl.number_text(values) is None
    assert _kernels.impl.number_text(np.array([*values, 0], dtype=object)[:-1]) is None


def test_many_names_become_values_when_somebody_looks():
    """Few are looked at at once, for what about them is suspicious."""
    a = np.array([f"name {i}" for i in range(2000)])
    b = np.array(["x", "y"] * 1000)
    assert pw.contingency(a, b).row_names._values is None


def test_names_are_those_of_the_clusters():
    pyarrow = pytest.importorskip("pyarrow")
    for make in (np.array, pyarrow.array):
        a = make(["b", "a", "c", "a", "unused"])[:4]
        table = pw.contingency(a, ["x", "y", "y", "y"])
        assert isinstance(table.row_names, Names)
        assert table.row_labels.tolist() == ["a", "b", "c"]
        assert table.row_labels is table.row_labels
        assert not table.row_labels.flags.writeable
        for again in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table), table.T.T):
            assert again.row_labels.tolist() == ["a", "b", "c"]
        parts = [
            part.row_labels.tolist() for part in pw.contingency(a, a).components().tables()
        ]
        assert parts == [["a"], ["b"], ["c"]]


@pytest.mark.one_backend
def test_another_thread_may_change_the_list_meanwhile(both):
    """Labels are what was read: the places of the list may hold something else by then."""
    values = [f"{x:05d}" for x in range(100_000)] * 3
    stop = threading.Event()

    def change():
        while not stop.is_set():
            values[0], values[1] = "zz", "zy"
            stop.is_set()  # threads are switched where a function is called
            values[0], values[1] = "00000", "00001"

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(20):
            codes, labels, _ = both["compiled"].number_text(values)
            found = labels.tolist()
            assert found == sorted(set(found))
            assert set(found) <= {*values[2:], "zz", "zy", "00000", "00001"}
            assert len(codes) == len(values)
    finally:
        stop.set()
        thread.join()


def test_a_null_is_no_use_of_a_category():
    pandas = pytest.importorskip("pandas")
    column = pandas.Categorical([None, "a", None], categories=[1, "a"])
    read = forms.read_column(column, "x")
    assert read.decode().tolist() == [None, "a", None]
    with pytest.raises(TypeError, match="mixes"):
        forms.read_column(pandas.Categorical([1, "a"], categories=[1, "a"]), "x")


def test_arrow_in_runs_and_in_many_chunks(monkeypatch):
    pyarrow = pytest.importorskip("pyarrow")
    from partwise.labels import frames

    runs = pyarrow.RunEndEncodedArray.from_arrays(
        pyarrow.array([2, 3, 5], pyarrow.int32()), pyarrow.array(["b", None, "a"])
    )
    wanted = ["b", "b", None, "a", "a"]
    assert forms.read_column(runs, "x").decode().tolist() == wanted
    for most in (frames._MOST_SMALL, 1):  # too long for offsets of 32 bits
        monkeypatch.setattr(frames, "_MOST_SMALL", most)
        chunks = pyarrow.chunked_array([["b", "b"], [None], [], ["a", "a"]])
        assert forms.read_column(chunks, "x").decode().tolist() == wanted
        raw = pyarrow.chunked_array([[b"b"], [b"a"]], type=pyarrow.binary())
        assert forms.read_column(raw, "x").decode().tolist() == [b"b", b"a"]
    none = pyarrow.chunked_array([], type=pyarrow.string())
    assert len(forms.read_column(none, "x")) == 0


def test_labels_are_a_snapshot():
    array = np.array(["b", "a", "b"])
    clustering = pw.Clustering(array)
    table = pw.contingency(array, [0, 1, 1])
    array[:] = "z"
    assert clustering.labels.tolist() == ["b", "a", "b"]
    assert table.row_labels.tolist() == ["a", "b"]


def test_values_are_keys_of_a_dict():
    nan = float("nan")
    values = ["b", 1, True, 1.0, None, "b", nan, nan, ("t",), float("nan")]
    codes, labels = _kernels.impl.number_values(values)
    assert codes.tolist() == [0, 1, 1, 1, 2, 0, 3, 3, 4, 5]
    assert labels[:3] == ["b", 1, None]
    assert _kernels.impl.types_of(values) == {str, int, bool, float, type(None), tuple}
    assert _kernels.impl.types_of([]) == set()
    assert _kernels.impl.number_values([])[0].tolist() == []
    with pytest.raises(TypeError, match="unhashable"):
        _kernels.impl.number_values(["a", [1]])


class Growing:
    """A value that makes the list longer while it is numbered."""

    def __init__(self, values):
        self.values = values

    def __hash__(self):
        self.values.append("x")
        return 1


@pytest.mark.one_backend
def test_a_list_that_grows_does_no_harm(both):
    values = ["a"]
    values.append(Growing(values))
    codes, _ = both["compiled"].number_values(values)
    assert codes.tolist() == [0, 1]


TEXTS = ["b", "a", "b", "", "a\0c", "ü", "日本", "", "a", "b\U0001f600"]


def same(column, wanted):
    assert column.codes.tolist() == wanted.codes.tolist()
    assert column.categories.tolist() == wanted.categories.tolist()
    assert column.categories.dtype == object
    assert column.missing is wanted.missing is None


def forms_of_text():
    array = np.array(TEXTS)
    yield "array", array
    yield "object", np.array(TEXTS, dtype=object)
    yield "tuple", tuple(TEXTS)
    yield "strided", np.repeat(array, 2)[::2]
    yield "backwards", np.array(TEXTS[::-1])[::-1]
    yield "other byte order", array.astype(array.dtype.newbyteorder())
    yield "wider", array.astype("U40")
    yield "NumPy scalars", list(array)


@pytest.mark.parametrize("name", [name for name, _ in forms_of_text()])
def test_all_forms_of_text_are_one_column(name):
    values = dict(forms_of_text())[name]
    same(forms.read_column(values, "x"), forms.read_column(TEXTS, "x"))


@pytest.mark.parametrize("module", ["pandas", "polars", "pyarrow"])
def test_frames_of_text(module):
    library = pytest.importorskip(module)
    make = library.array if module == "pyarrow" else library.Series
    wanted = forms.read_column(TEXTS, "x")
    column = forms.read_column(make(TEXTS), "x")
    assert column.categories[column.codes].tolist() == TEXTS
    assert column.categories.tolist() == wanted.categories.tolist()
    assert pw.rand_index(make(TEXTS), TEXTS) == 1.0
    gaps = forms.read_column(make([*TEXTS, None]), "x")
    assert gaps.missing.tolist() == [False] * len(TEXTS) + [True]


def test_polars_text_with_and_without_pyarrow(monkeypatch):
    polars = pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    from partwise.labels import frames

    series = polars.Series([*TEXTS, None])
    found = []
    for there in (True, False):
        monkeypatch.setattr(frames, "_has_arrow", lambda n, there=there: there)
        found.append(frames.read_column(series, "x"))
    assert found[0].decode().tolist() == found[1].decode().tolist()
    assert found[0].categories.tolist() == found[1].categories.tolist()


def test_bytes_and_lone_surrogates():
    raw = [b"b", b"", b"a\0c", b"b"]
    same(forms.read_column(np.array(raw), "x"), forms.read_column(raw, "x"))
    odd = ["\ud800", "a", "\ud800"]
    same(forms.read_column(np.array(odd), "x"), forms.read_column(odd, "x"))
    none = forms.read_column(np.array([], dtype="U3"), "x")
    assert len(none) == 0
    same(forms.read_column(np.array(["", ""]), "x"), forms.read_column(["", ""], "x"))


def test_the_order_of_labels():
    assert pw.contingency(["b", "a"], [0, 0]).row_labels.tolist() == ["a", "b"]
    class_ = type("Plain", (), {})
    first, second = class_(), class_()
    column = columns.sort_categories(
        np.array([0, 1]), columns.object_array([second, first]), None
    )
    assert column.categories.tolist() == [second, first]


written = st.integers(-(10**20), 10**20).map(str) | st.sampled_from(
    ["0", "-0", "00", "01", "-", "", "+1", "1.0", " 1", "1 ", "12a", "9" * 18, "9" * 19]
)


@pytest.mark.parametrize("width", [np.int32, np.int64])
@given(
    texts=st.lists(written, max_size=6) | st.lists(st.integers(-(2**63), 2**63 - 1).map(str))
)
def test_whole_numbers_in_their_usual_form(width, texts):
    parts = [text.encode() for text in texts]
    data = np.frombuffer(b"?" + b"".join(parts) + b"?", dtype=np.uint8)
    offsets = np.cumsum([1, *map(len, parts)]).astype(width)
    numbers = _kernels.impl.whole_spans(data, offsets)
    usual = all(re.fullmatch("0|-?[1-9][0-9]*", text) for text in texts)
    if usual and all(-(2**63) <= int(text) < 2**63 for text in texts):
        assert (numbers.dtype, numbers.tolist()) == (np.int64, [int(text) for text in texts])
    else:
        assert numbers is None
