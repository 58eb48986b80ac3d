"""The table: ways in and out, exactness at any size, immutability."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import scipy.sparse
from mpmath import mp, mpf

import partwise as pw
from cases import required


def cells(table):
    return (
        *(x.tolist() for x in table.cells),
        table.row_labels.tolist(),
        table.col_labels.tolist(),
    )


def test_the_ways_in_agree():
    a, b = ["y", "x", "y", "y", "z"], [3, 3, 1, 3, 2]
    table = pw.contingency(a, b)
    assert cells(table) == (
        [0, 1, 3, 4],
        [2, 0, 2, 1],
        [1, 1, 2, 1],
        ["x", "y", "z"],
        [1, 2, 3],
    )
    assert table.shape == (3, 3)
    assert table.n_cells == 4
    assert table.n_items == 5
    assert table.row_sizes.tolist() == [1, 3, 1]
    assert table.col_sizes.tolist() == [1, 1, 3]
    triples = pw.Contingency.from_counts(
        ["y", "x", "y", "z", "y"], [3, 3, 1, 2, 3], [1, 1, 1, 1, 1]
    )
    assert cells(triples) == cells(table)
    assert triples.account.repeated_cells == 1
    dense = pw.Contingency.from_dense(
        [[0, 0, 1, 0], [1, 0, 2, 0], [0, 1, 0, 0]],
        row_labels=["x", "y", "z"],
        col_labels=[1, 2, 3, 4],
    )
    assert cells(dense) == cells(table)
    assert dense.account.zero_cells == 0  # empty places of a dense table are no cells
    zeros = pw.Contingency.from_counts([0, 1, 2], [0, 1, 2], [1, 0, 0])
    assert "2 zero cells dropped" in zeros.account.describe()
    assert zeros.shape == (1, 1)
    sparse = pw.Contingency.from_scipy(table.to_scipy())
    assert cells(sparse)[:3] == cells(table)[:3]
    doubled = scipy.sparse.coo_array(([1, 2, 0], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    found = pw.Contingency.from_scipy(doubled)
    assert (found.n_items, found.n_cells) == (3, 1)
    assert (found.account.repeated_cells, found.account.zero_cells) == (1, 1)


@pytest.mark.parametrize("shape", [(1, 1), (3, 1), (1, 3), (2, 3), (3, 2)])
def test_dense_tables_of_any_shape(shape):
    """The count of every place, with some of them empty."""
    values = (5 * np.arange(1, 1 + shape[0] * shape[1]) % 7).reshape(shape)
    table = pw.Contingency.from_dense(values)
    wanted = {(i, j): int(values[i, j]) for i, j in np.ndindex(shape) if values[i, j]}
    rows, cols = table.row_labels[table.rows], table.col_labels[table.cols]
    assert dict(zip(zip(rows, cols, strict=True), table.counts, strict=True)) == wanted


def test_unordered_dense_labels_are_sorted():
    table = pw.Contingency.from_dense([[1, 2], [3, 4]], row_labels=["q", "p"])
    assert cells(table) == ([0, 2, 4], [0, 1, 0, 1], [3, 4, 1, 2], ["p", "q"], [0, 1])


def test_transpose_exchanges_the_sides():
    table = pw.contingency([0, 0, 1, 2], ["p", "q", "q", "q"], missing="drop")
    assert cells(table.T) == cells(pw.contingency(["p", "q", "q", "q"], [0, 0, 1, 2]))
    assert cells(table.T.T) == cells(table)
    assert table.T.account.reference == table.account.candidate


def test_a_table_cannot_be_changed():
    table = pw.contingency([0, 1], [0, 1])
    with pytest.raises(ValueError, match="read-only"):
        table.counts[0] = 5
    with pytest.raises(AttributeError):
        table.counts = table.counts


def test_empty_tables():
    for table in (
        pw.contingency([], []),
        pw.Contingency.from_counts([], [], []),
        pw.Contingency.from_dense([]),
        pw.Contingency.from_dense([[0, 0]]),
        pw.Contingency.from_dense(np.zeros((3, 0), dtype=int)),
    ):
        assert table.shape == (0, 0)
        assert table.n_items == table.n_cells == 0
        assert table.components().n_components == 0
        assert table.T.shape == (0, 0)
        assert table.to_scipy().shape == (0, 0)


@pytest.mark.parametrize(
    ("counts", "fragments"),
    [
        ([1, -2], ["-2 at index 1", "negative"]),
        ([1.0, 2.5], ["2.5 at index 1", "whole number", "weights"]),
        ([1.0, math.nan], ["nan at index 1"]),
        ([1, None], ["None at index 1"]),
        ([2**63, 1], [f"{2**63} at index 0", "2^63 - 1"]),
        ([2**62, 2**62], [f"add up to {2**63}"]),
        (np.ones((1, 2)), ["1-D"]),
        ([[1, 2], 3], ["[1, 2] at index 0"]),
        ([1], ["2 rows, 2 cols and 1 counts"]),
    ],
)
def test_bad_counts_are_named(counts, fragments):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        pw.Contingency.from_counts([0, 1], [0, 1], counts)
    for fragment in fragments:
        assert fragment in str(caught.value)


@pytest.mark.parametrize("lengths", [(1, 2, 2), (2, 1, 2), (2, 2, 1), (3, 2, 2), (2, 3, 3)])
def test_cells_that_are_not_as_many_on_each_side(lengths):
    text = "{} rows, {} cols and {} counts; one of each per cell".format(*lengths)
    with pytest.raises(ValueError, match=text):
        pw.Contingency.from_counts(*([1] * length for length in lengths))
    with pytest.raises(ValueError, match="1 weights for 2 counts"):
        pw.Contingency.from_counts([1, 2], [1, 2], [1, 2], weights=[1])


def test_cells_without_items_have_no_mass():
    cells = [0, 0, 1], [0, 2, 2], [2, 0, 1]
    table = pw.Contingency.from_counts(*cells, weights=[1.5, 0, 2])
    assert (table.n_cells, table.total_mass, table.account.zero_cells) == (2, 3.5, 1)
    with pytest.raises(ValueError, match=r"the cell at index 1 has the weight 5\.0 and"):
        pw.Contingency.from_counts(*cells, weights=[1.0, 5.0, 1.0])


def test_counts_of_half_precision():
    table = pw.Contingency.from_counts([0, 1], [0, 1], np.array([3, 60000], dtype=np.float16))
    assert table.counts.tolist() == [3, 60000]  # 2^63 is beyond the type


def test_other_bad_tables():
    with pytest.raises(TypeError, match="whole numbers"):
        pw.Contingency.from_counts([0], [0], ["1"])
    with pytest.raises(ValueError, match="no label at index 1"):
        pw.Contingency.from_counts([0, None], [0, 1], [1, 1])
    with pytest.raises(ValueError, match="expected_items=9"):
        pw.Contingency.from_counts([0, 1], [0, 1], [1, 1], expected_items=9)
    assert pw.Contingency.from_counts([0], [0], [9.0], expected_items=9).n_items == 9
    with pytest.raises(ValueError, match="2-D"):
        pw.Contingency.from_dense([1, 2])
    with pytest.raises(ValueError, match="2 row_labels for 1"):
        pw.Contingency.from_dense([[1, 2]], row_labels=[1, 2])


def test_dense_tables_in_other_forms():
    assert pw.Contingency.from_dense([[2**53 + 1, 1.0]]).counts.tolist() == [2**53 + 1, 1]
    with pytest.raises(ValueError, match=r"row_labels has 'a' twice \(1 distinct ones for 2\)"):
        pw.Contingency.from_dense([[1], [2]], row_labels=["a", "a"])
    with pytest.raises(ValueError, match="col_labels has no label at index 1"):
        pw.Contingency.from_dense([[1, 2]], col_labels=["a", None])
    with pytest.raises(TypeError, match="sparse matrix or array is expected, not list"):
        pw.Contingency.from_scipy([[1]])
    with pytest.raises(ValueError, match="True at index 0"):
        pw.Contingency.from_counts([0], [0], [True])
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"p": [1, 0], "q": [2, 3]}, index=["x", "y"])
    table = pw.Contingency.from_dense(frame)
    assert table.row_labels.tolist() == ["x", "y"]
    assert table.col_labels.tolist() == ["p", "q"]


def test_doms_code_length_at_any_size():
    k = 60
    table = pw.Contingency.from_counts(list(range(k)), [0] * k, [(2**63 - 1) // k] * k)
    assert math.isfinite(pw.dom_q0(table))
    assert 0 < pw.dom_q2(table) <= 1
    with mp.workdps(60):
        for size, classes in ((10**12, 2), (10**15, 10**6), (7, 10**9), (2**63 - 1, 60)):
            wanted = mpmath.loggamma(size + classes) - mpmath.loggamma(classes)
            wanted -= mpmath.loggamma(size + 1)
            from partwise.measures.information.binomials import code_length

            found = code_length(np.array([size]), classes)
            assert math.isclose(found, float(wanted), rel_tol=1e-14)


def test_f_measure_does_not_depend_on_labels_of_huge_tables():
    sizes = [134217783, 134217784, 3, 5]
    values = {
        pw.f_measure(pw.Contingency.from_counts([0, 0, 1, 1], cols, sizes))
        for cols in ([0, 1, 0, 1], [1, 0, 1, 0])
    }
    assert len(values) == 1


def exact_information(counts):
    """H(a), H(b), I of a dense table with 50 digits."""
    n = sum(map(sum, counts))
    rows, cols = [sum(r) for r in counts], [sum(c) for c in zip(*counts, strict=True)]

    def h(sizes):
        return -sum(mpf(s) / n * mpmath.log(mpf(s) / n) for s in sizes if s)

    return h(rows), h(cols), h(rows) + h(cols) - h([x for r in counts for x in r])


BIG = {
    "near independence": [
        [60_000_000_001, 59_999_999_999],
        [59_999_999_998, 60_000_000_002],
    ],
    "one item apart": [[239_999_999_999, 0], [0, 1]],
    "three by three": [
        [80_000_000_000, 1, 7],
        [5, 79_999_999_000, 3],
        [0, 11, 80_000_000_973],
    ],
    "random": [[10_000_000_019, 70_000_000_003], [120_000_000_007, 39_999_999_971]],
}


@pytest.mark.parametrize("name", BIG)
def test_two_hundred_billion_items(name):
    counts = BIG[name]
    n = sum(map(sum, counts))
    assert n == 240_000_000_000 or n > 2.39e11
    table = pw.Contingency.from_dense(counts)
    pairs = [
        sum(x * (x - 1) // 2 for x in xs)
        for xs in (
            [x for r in counts for x in r],
            [sum(r) for r in counts],
            [sum(c) for c in zip(*counts, strict=True)],
        )
    ]
    total = n * (n - 1) // 2
    n11, a, b = pairs
    rand = Fraction(total - a - b + 2 * n11, total)
    p, q = Fraction(a, total), Fraction(b, total)
    expected = p * q + (1 - p) * (1 - q)
    assert pw.rand_index(table) == float(rand)
    assert pw.adjusted_rand_index(table) == float((rand - expected) / (1 - expected))
    with mp.workdps(60):
        fm = float(n11 / mpmath.sqrt(mpf(a) * b))
        h_a, h_b, i = exact_information(counts)
        wanted = float(i), float(2 * i / (h_a + h_b))
    assert math.isclose(pw.fowlkes_mallows(table), fm, rel_tol=5e-16)
    assert math.isclose(pw.mutual_information(table), wanted[0], rel_tol=1e-14)
    assert math.isclose(pw.v_measure(table), wanted[1], rel_tol=1e-14)
    assert math.isclose(pw.normalized_mutual_information(table), wanted[1], rel_tol=1e-14)


@pytest.mark.parametrize("n", [2**31, 2**33 + 1, 2**57 + 5, 2**63 - 3])
def test_counts_of_any_size(n):
    """Totals beyond 32 bits, and where the fraction bits change, up to the last one."""
    table = pw.Contingency.from_counts([0, 0, 1], [0, 1, 1], [n - 3, 2, 1])
    assert table.n_items == n
    for row in pw.catalogue().values():
        if row.required_columns and "centroids" not in row.defaults:
            continue  # needs the items
        options = {**row.options, **required(row, k=3, features=None)}
        if options.pop("features", row) is None:
            options["centroids"] = [[0], [1]], [[0], [3]]
        value = row.computation.on_table(table, **options)
        assert math.isfinite(value)
    with mp.workdps(80):
        h_a, h_b, i = exact_information([[n - 3, 2], [0, 1]])
        assert math.isclose(
            pw.variation_of_information(table),
            float(h_a + h_b - 2 * i),
            rel_tol=1e-13,
            abs_tol=1e-15,
        )
    assert pw.pair_confusion(table).total == n * (n - 1) // 2


def test_tiny_information_keeps_its_relative_accuracy():
    for size in (10**3, 10**6, 10**9, 10**12):
        counts = [[size + 1, size - 1], [size - 1, size + 1]]
        table = pw.Contingency.from_dense(counts)
        with mp.workdps(90):
            wanted = float(exact_information(counts)[2])
        assert math.isclose(pw.mutual_information(table), wanted, rel_tol=1e-14)
    even = pw.Contingency.from_dense([[10**12, 2 * 10**12], [3 * 10**12, 6 * 10**12]])
    assert pw.mutual_information(even) == 0.0
    assert pw.v_measure(even) == 0.0


def test_components_know_their_items_only_with_an_alignment():
    found = pw.components({"x": 1, "y": 1, "z": 2}, {"z": 5, "y": 4, "x": 4})
    assert found.item_component.tolist() == [0, 0, 1]
    assert found.items(1).tolist() == [2]
    assert found.rows(0).tolist() == [0]
    assert found.cols(1).tolist() == [1]
    assert len(found) == 2
    bare = found.contingency.components()
    with pytest.raises(TypeError, match="holds no items"):
        _ = bare.item_component
    with pytest.raises(ValueError, match="component 2 does not exist"):
        bare.table(2)


def test_long_chain_of_components():
    """Union-find where label propagation needs thousands of rounds."""
    n = 200_000
    items = np.arange(2 * n)
    a, b = items // 2, (items + 1) // 2
    assert pw.components(a, b).n_components == 1
    assert pw.components(a, a).n_components == n


def test_margins_of_a_crosstab_are_not_read_as_clusters():
    pd = pytest.importorskip("pandas")
    sides = pd.Series(list("aab")), pd.Series(list("xyy"))
    with pytest.raises(ValueError, match=r"both named 'All', hold the sums.*iloc\[:-1, :-1\]"):
        pw.Contingency.from_dense(pd.crosstab(*sides, margins=True))
    plain = pd.crosstab(*sides)
    assert pw.Contingency.from_dense(plain).n_items == 3
    plain.index, plain.columns = ["a", "All"], ["x", "All"]  # names alone say nothing
    assert pw.Contingency.from_dense(plain).n_items == 3


def test_sparse_table_is_sent_to_its_own_door():
    scipy_sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(TypeError, match=r"sparse .*from_scipy"):
        pw.Contingency.from_dense(scipy_sparse.eye_array(2))


def test_a_frame_has_a_row_for_each_cell():
    pytest.importorskip("pandas")
    frame = pw.contingency(
        ["a", "a", "b", "b", "c"], [1, 2, 2, 2, 1], weights=[1, 2, 3, 4.5, 0.5]
    ).to_pandas()
    assert list(frame.columns) == ["reference", "candidate", "items", "mass"]
    assert frame.to_numpy().tolist() == [
        ["a", 1, 1, 1.0],
        ["a", 2, 1, 2.0],
        ["b", 2, 2, 7.5],
        ["c", 1, 1, 0.5],
    ]
