"""Labels of text: numbered by hashing, the same labels and codes in every form."""

import numpy as np
import pytest

import partwise as pw
from partwise import _kernels
from partwise.labels import columns, forms

WORD = (1 << 64) - 1


def numbered(values):
    """Numbers by first appearance, from a list."""
    distinct = list(dict.fromkeys(values))
    return [distinct.index(value) for value in values], [values.index(x) for x in distinct]


def items_of(array):
    return np.ascontiguousarray(array).view(np.uint8), array.dtype.itemsize


@pytest.mark.parametrize("width", [1, 2, 3, 7, 8, 9, 16, 31])
@pytest.mark.parametrize("distinct", [1, 2, 300])
def test_items_are_numbered_by_first_appearance(width, distinct):
    rng = np.random.default_rng(width)
    names = [rng.bytes(width) for _ in range(distinct)]
    values = [names[i] for i in rng.integers(0, distinct, 900)]
    items = np.frombuffer(b"".join(values), dtype=np.uint8)
    codes, firsts = _kernels.impl.number_items(items, width)
    assert codes.dtype == firsts.dtype == np.int64
    assert (codes.tolist(), firsts.tolist()) == numbered(values)


def test_the_table_grows():
    values = np.random.default_rng(0).permutation(np.repeat(np.arange(20000), 2))
    items, width = items_of(values.astype(np.int64))
    codes, firsts = _kernels.impl.number_items(items, width)
    _, places, wanted = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(places)
    assert (firsts == places[order]).all()
    assert (codes == np.argsort(order)[wanted]).all()


def hashed(word):
    """The hash of an item of 8 bytes, as csrc/pw_items.c has it."""
    value = 0x243F6A8885A308D3 ^ 8
    for part in (word, 0x13198A2E03707344):
        product = (value ^ part) * 0x9E3779B97F4A7C15
        value = product & WORD ^ product >> 64
    return value


def test_chosen_items_are_numbered_all_the_same():
    """Items whose hashes agree in the bits that choose the place: a dict takes over."""
    chosen = [x for x in range(1 << 18) if hashed(x) & 1023 == 77]
    assert len(chosen) > 200
    values = np.array(chosen * 12)
    codes, firsts = _kernels.impl.number_items(*items_of(values))
    assert codes.tolist() == list(range(len(chosen))) * 12
    assert firsts.tolist() == list(range(len(chosen)))


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
