"""Order-free sums: integers, so neither order nor splitting can change a bit."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

import partwise as pw
from partwise import _kernels
from partwise.numbers import logarithm as _logarithm

sizes = st.lists(
    st.one_of(st.integers(0, 40), st.integers(0, 5000), st.integers(0, 2**40)),
    max_size=30,
)
doubles = st.lists(st.floats(min_value=-1e12, max_value=1e12, allow_nan=False), max_size=30)


def ints(values):
    return np.array(values, dtype=np.int64)


@pytest.mark.one_backend
@given(x=st.one_of(st.integers(1, 2**63 - 1), st.integers(1, 5000)))
def test_integer_logarithm_is_close_to_the_logarithm(x):
    with mp.workdps(60):
        wanted = mpmath.log(x) * mpf(2) ** _logarithm.LN_BITS
        assert abs(_logarithm.ln_fixed(x) - wanted) < 64


@pytest.mark.one_backend
def test_logarithm_at_the_seams_of_its_table():
    with mp.workdps(60):
        for x in [
            1,
            2,
            3,
            1023,
            1024,
            2047,
            2048,
            2049,
            4095,
            4096,
            2**57 - 1,
            2**63 - 1,
        ]:
            wanted = mpmath.log(x) * mpf(2) ** _logarithm.LN_BITS
            assert abs(_logarithm.ln_fixed(x) - wanted) < 64


@given(values=sizes)
def test_sum_xlogx_is_the_sum_of_its_terms(values):
    for bits in (56, 64):
        wanted = sum(_logarithm.xlogx(x, bits) for x in values)
        assert _kernels.impl.sum_xlogx(ints(values), bits) == wanted


@pytest.mark.parametrize("x", [2**57 - 1, 2**56 + 12345])
def test_largest_terms_do_not_overflow(x):
    with mp.workdps(60):
        found = _kernels.impl.sum_xlogx(ints([x]), 64)
        assert abs(mpf(found) / 2**64 / (x * mpmath.log(x)) - 1) < mpf(2) ** -110
        huge = 2**63 - 1
        found = _kernels.impl.sum_xlogx(ints([huge]), 56)
        assert abs(mpf(found) / 2**56 / (huge * mpmath.log(huge)) - 1) < mpf(2) ** -110


@given(values=sizes, seed=st.integers(0, 99), cut=st.integers(0, 30))
def test_order_and_splitting_change_nothing(values, seed, cut):
    x = ints(values)
    shuffled = np.random.default_rng(seed).permutation(x)
    for total in (_kernels.impl.sum_squares, lambda v: _kernels.impl.sum_xlogx(v, 64)):
        assert total(shuffled) == total(x)
        assert total(x[:cut].copy()) + total(x[cut:].copy()) == total(x)


@given(values=sizes)
def test_sum_squares(values):
    assert _kernels.impl.sum_squares(ints(values)) == sum(x * x for x in values)


@given(
    values=doubles,
    seed=st.integers(0, 99),
    cut=st.integers(0, 30),
    bits=st.integers(0, 80),
)
def test_sum_doubles(values, seed, cut, bits):
    x = np.array(values, dtype=np.float64)

    def total(v):
        return _kernels.impl.sum_doubles(v, bits)

    wanted = 0
    for value in values:
        above, below = value.as_integer_ratio()
        term = (abs(above) << bits) // below
        wanted += term if above >= 0 else -term
    assert total(x) == wanted
    assert total(np.random.default_rng(seed).permutation(x)) == wanted
    assert total(x[:cut].copy()) + total(x[cut:].copy()) == wanted


def test_sum_doubles_of_denormals_and_zeros():
    tiny = np.array([5e-324, -5e-324, 0.0, -0.0, 2.0**-1060])
    assert _kernels.impl.sum_doubles(tiny, 1074) == 2**14
    assert _kernels.impl.sum_doubles(tiny, 0) == 0


@given(
    cells=st.lists(
        st.tuples(st.integers(1, 2**40), st.integers(0, 2**62), st.integers(0, 2**62)),
        min_size=1,
        max_size=8,
    )
)
def test_sum_products_is_exact(cells):
    counts, left, right = (ints(x) for x in zip(*cells, strict=True))
    k = len(cells)
    indptr = np.arange(k + 1)
    found = _kernels.impl.sum_products(indptr, np.arange(k), counts, left, right)
    assert found == sum(c * x * y for c, x, y in cells)
    assert _kernels.impl.sum_weighted(counts, left) == sum(c * x for c, x, _ in cells)


def test_split_scores_are_exact_at_the_ends():
    one = 2**62
    indptr, cols = ints([0, 1, 3, 5]), ints([0, 0, 1, 1, 2])
    counts = ints([1, 1, 1, 10**12, 1])
    rows, columns = _kernels.impl.margins(indptr, cols, counts, 3)
    split, merge = _kernels.impl.split_scores(indptr, cols, counts, rows, columns, 64)
    assert split[:2].tolist() == [one, 0]
    assert 0 < split[2] < one
    assert merge[0] == 0
    assert merge[2] == one
    wanted = 1e12 * math.log(1e12) / ((1e12 + 1) * math.log(1e12 + 1))
    assert math.isclose(split[2] / one, wanted, rel_tol=1e-14)


@pytest.mark.parametrize("bits", [56, 64])
@pytest.mark.parametrize("most", [2, 63, 66, 5000])
def test_split_scores_of_large_tables_are_those_of_the_reference_kernels(both, bits, most):
    rng = np.random.default_rng(most)
    k = 30  # more cells than it takes to look terms up
    indptr, cols = np.arange(0, k * k + 1, k), np.tile(np.arange(k), k)
    counts = rng.integers(1, most + 1, k * k)
    found = []
    for impl in both.values():
        sides = impl.margins(indptr, cols, counts, k)
        found.append(impl.split_scores(indptr, cols, counts, *sides, bits))
    for first, second in zip(*found, strict=True):
        assert first.tolist() == second.tolist()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("similarity", ["overlap", "sorensen_dice", "braun_banquet", "jaccard"])
@given(counts=st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), max_size=4))
def test_similarities_of_cells(counts, similarity, weighted):
    dense = np.array([*counts, [1, 1, 1]])
    table = pw.Contingency.from_dense(dense)
    sizes = table.row_sizes, table.col_sizes
    rows = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
    ratios = []
    for row, col, count in zip(rows, table.cols, table.counts.tolist(), strict=True):
        a, b = int(sizes[0][row]), int(sizes[1][col])
        above = {"sorensen_dice": 2 * count}.get(similarity, count)
        below = {
            "overlap": 1,
            "sorensen_dice": a + b,
            "braun_banquet": max(a, b),
            "jaccard": a + b - count,
        }[similarity]
        ratios.append((a if weighted else 1, above, below))
    gains = _kernels.impl.similarity_gains(*table.cells, *sizes, similarity, weighted, 50)
    values = [w * (above / below) if weighted else above / below for w, above, below in ratios]
    unit = 2.0 ** (50 - math.frexp(max(values))[1])
    assert gains.tolist() == [max(round(x * unit), 1) for x in values]
    assert int(gains.max()).bit_length() in (50, 51)
    if similarity != "overlap":
        cells = np.random.default_rng(len(rows)).permutation(len(rows))[:7]
        chosen = [ratios[cell] for cell in cells]
        wanted = sum(w * ((above << 126) // below) for w, above, below in chosen)
        arguments = (*table.cells, *sizes, cells, similarity, weighted)
        assert _kernels.impl.sum_similarities(*arguments) == wanted
