"""Tables of items with weights and multiplicities in one pass: the bits of the general way."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partwise as pw
from partwise import _kernels
from partwise.table import alignment, arguments
from partwise.table.plain_arrays import counted_table_of_arrays

DTYPES = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)


def general(monkeypatch, *sides, **counting):
    """The table by codes, cells and sums of groups."""
    with monkeypatch.context() as patch:
        patch.setattr(alignment, "small_table", lambda *_: None)
        patch.setattr(arguments, "counted_table_of_arrays", lambda *_, **__: None)
        return pw.contingency(*sides, **counting)


def same(one, other):
    names = ("indptr", "cols", "counts", "row_labels", "col_labels", "row_sizes", "col_sizes")
    for name in names:
        first, second = getattr(one, name), getattr(other, name)
        assert first.dtype == second.dtype, name
        assert first.tolist() == second.tolist(), name
    assert one.account == other.account
    assert (one.all_masses is None) == (other.all_masses is None)
    for first, second in zip(one.all_masses or (), other.all_masses or (), strict=True):
        assert first.high.tobytes() == second.high.tobytes()
        assert first.low.tobytes() == second.low.tobytes()


@st.composite
def counted(draw):
    n = draw(st.integers(1, 40))
    a, b = (draw(st.lists(st.integers(-3, 4), min_size=n, max_size=n)) for _ in range(2))
    mass = st.floats(0, 1e6, allow_subnormal=True) | st.sampled_from([0.0, 1e-240, 1e200])
    weights = draw(st.none() | st.lists(mass, min_size=n, max_size=n))
    often = st.lists(st.integers(0, 3), min_size=n, max_size=n).filter(any)
    times = draw(st.none() | often)
    if weights is not None and max(weights) < 1e-200:
        weights[0] = 1.0
    counting = {"weights": weights, "multiplicity": times}
    return a, b, {name: x for name, x in counting.items() if x is not None}


@given(case=counted(), dtype=st.sampled_from(DTYPES))
def test_the_bits_are_those_of_the_general_way(case, dtype):
    a, b, counting = case
    a, b = (np.array(x).astype(dtype) for x in (a, b))
    with pytest.MonkeyPatch.context() as patch:
        same(pw.contingency(a, b, **counting), general(patch, a, b, **counting))


@given(case=counted(), dtype=st.sampled_from(DTYPES))
def test_arrays_of_numbers_go_in_one_pass(case, dtype):
    a, b, counting = case
    a, b = (np.array(x).astype(dtype) for x in (a, b))
    kinds = {"weights": np.float64, "multiplicity": np.int64}
    counting = {name: np.array(x, dtype=kinds[name]) for name, x in counting.items()}
    with pytest.MonkeyPatch.context() as patch:
        same(pw.contingency(a, b, **counting), general(patch, a, b, **counting))


def test_many_items_with_labels_beyond_the_sample(monkeypatch):
    random = np.random.default_rng(5)
    a, b = random.integers(-40, 40, (2, 5000))
    a[4321] = 900  # the ranges are guessed, then checked
    for counting in (
        {"weights": random.random(5000) * 10.0 ** random.integers(-30, 30, 5000)},
        {"multiplicity": random.integers(0, 2**40, 5000)},
        {"weights": np.where(random.random(5000) < 0.5, 0.0, 2.0**-800)},
    ):
        same(pw.contingency(a, b, **counting), general(monkeypatch, a, b, **counting))


@pytest.mark.parametrize(
    ("weights", "at_once"),
    [
        ([0.0, 0.25, 3.0], True),
        ([0.0, 0.0, 0.0], True),
        ([1e250, 0.0, 1e250], True),
        ([0.0, 0.0, 1e-250], True),
        ([0.0, 0.0, np.nextafter(1e-250, 0)], False),
        ([1.0, 0.0, np.nextafter(1e250, np.inf)], False),
        ([1.0, np.nan, 1.0], False),
        ([1.0, np.inf, 1.0], False),
    ],
)
def test_weights_that_one_pass_reads(weights, at_once, kernels):
    """All between the ends of what is read, and zeros; the general way says what is wrong."""
    at_once = at_once and kernels == "compiled"  # the others always go the general way
    a, b = np.array([0, 0, 1]), np.array([0, 1, 1])
    table = counted_table_of_arrays(a, b, weights=np.array(weights))
    assert (table is not None) == at_once
    if at_once:
        assert table.row_masses.tolist() == [weights[0] + weights[1], weights[2]]
        assert table.account.zero_weights == weights.count(0)


def test_numbers_that_only_the_general_way_reads(monkeypatch):
    a, b = np.array([0, 0, 1]), np.array([0, 1, 1])
    for counting in (
        {"weights": np.array([-0.0, 1.0, 2.0])},
        {"weights": np.array([0.0, 0.0, 0.0])},
        {"multiplicity": np.array([2**61, 1, 2**61])},
        {"weights": np.ones(6)[::2]},
    ):
        same(pw.contingency(a, b, **counting), general(monkeypatch, a, b, **counting))
    for weights in (np.array([1.0, np.nan, 2.0]), np.array([1.0, -1.0, 2.0])):
        with pytest.raises(ValueError, match="of compared item 1 is not a finite number"):
            pw.contingency(a, b, weights=weights)
    with pytest.raises(ValueError, match="every multiplicity is 0"):
        pw.contingency(a, b, multiplicity=np.zeros(3, dtype=np.int64))
    with pytest.raises(ValueError, match="multiplicity -1 of compared item 2"):
        pw.contingency(a, b, multiplicity=np.array([1, 1, -1]))
    with pytest.raises(ValueError, match="one value per reference item"):
        pw.contingency(a, b, weights=np.ones(4))


@pytest.mark.parametrize("names", [["x", "y", "z"], [True, False, True], [2.5, -1.0, 0.5]])
def test_labels_with_names(names, monkeypatch):
    random = np.random.default_rng(1)
    a, b = ([names[i] for i in random.integers(0, 3, 50)] for _ in range(2))
    counting = {"weights": random.random(50), "multiplicity": random.integers(0, 3, 50)}
    same(pw.contingency(a, b, **counting), general(monkeypatch, a, b, **counting))


def test_clusters_of_items_that_count_0_times_are_not_there():
    table = pw.contingency([5, 7, 9, 9], [1, 2, 3, 1], multiplicity=[2, 0, 1, 0])
    assert table.row_labels.tolist() == [5, 9]
    assert table.col_labels.tolist() == [1, 3]
    assert table.counts.tolist() == [2, 1]


def test_labels_far_apart_go_the_general_way():
    a, b = np.array([0, 2**62, -(2**62)]), np.array([1, 1, 2])
    assert _kernels.impl.dense_masses(a, b, None, np.ones(3), 1.0, 60) is None
    table = pw.contingency(a, b, weights=[1, 2, 3])
    assert table.row_masses.tolist() == [3, 1, 2]
    assert table.col_masses.tolist() == [3, 3]


def test_multiplicities_of_every_type():
    a, b = [0, 0, 1], [0, 1, 1]
    wanted = pw.contingency(a, b, multiplicity=[1, 2, 3]).counts.tolist()
    for dtype in DTYPES:
        times = np.array([1, 2, 3], dtype=dtype)
        assert pw.contingency(a, b, multiplicity=times).counts.tolist() == wanted
    for times in ([1.0, 2.0, 3.0], np.array([1, 2, 3], dtype=object)):
        assert pw.contingency(a, b, multiplicity=times).counts.tolist() == wanted
    for times, words in (
        (np.array([1, -2, 3]), "multiplicity -2 of compared item 1"),
        (np.array([1, 2**62, 2**62]), "add up to 9223372036854775809"),
        (np.array([True, True, True]), "multiplicity True of compared item 0"),
    ):
        with pytest.raises(ValueError, match=words):
            pw.contingency(a, b, multiplicity=times)
    held = np.array([1, 2, 3])
    aligned = pw.align(a, b, multiplicity=held)
    held[:] = 7
    assert aligned.table.counts.tolist() == wanted


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf])
def test_weights_that_are_refused(weight):
    with pytest.raises(ValueError, match="of compared item 1 is not a finite number"):
        pw.contingency([0, 1, 1], [0, 0, 1], weights=[1.0, weight, weight])
