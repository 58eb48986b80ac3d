"""What a caller passes is checked before C follows it: matrices, buffers, codes, offsets."""

import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

import partwise as pw
from partwise import _kernels
from partwise._kernels import workers
from partwise._kernels.reference import index as reference_kernels


def built(data, indices, indptr, shape=(2, 2), kind=sparse.csr_array):
    """Return a matrix of these arrays, as SciPy builds it: without a look at them."""
    matrix = kind(shape, dtype=np.int64)
    matrix.data, matrix.indices = np.array(data), np.array(indices, dtype=np.int32)
    matrix.indptr = np.array(indptr, dtype=np.int32)
    return matrix


def coordinates(rows, cols, values, shape=(2, 2)):
    nowhere = np.zeros_like(values)
    matrix = sparse.coo_array((values, (nowhere, nowhere)), shape)
    matrix.coords = (np.array(rows), np.array(cols))
    return matrix


USES = {
    "match": lambda m: pw.solvers.match(m),
    "pack": lambda m: pw.solvers.pack(m, None, [1, 1], [1, 1]),
    "from_scipy": lambda m: pw.Contingency.from_scipy(m),
    "soft variation": lambda m: pw.soft_variation_of_information(m, [0, 1]),
    "soft information": lambda m: pw.soft_mutual_information([0, 1], m),
    "mallows": lambda m: pw.mallows_distance(m, [0, 1]),
    "css": lambda m: pw.css_distance(m, [0, 1], features=[[0.0], [1.0]]),
}

WRONG = {
    "column above": (built([1, 2, 3], [0, 99999999, 1], [0, 2, 3]), "cell 1, of row 0, in col"),
    "column just above": (built([1, 2, 3], [0, 1, 2], [0, 2, 3]), "cell 2, of row 1, in col"),
    "column below": (built([1, 2, 3], [0, -1, 1], [0, 2, 3]), "in column -1"),
    "column far below": (built([1, 2, 3], [0, -5000000, 1], [0, 2, 3]), "in column -5000000"),
    "ends far above": (
        built([1, 2], [0, 1], [0, 10**8, 2]),
        "falls from 100000000 to 2 at row 1",
    ),
    "ends above": (built([1, 2], [0, 1], [0, 1, 9]), "reaches 9 at row 1, but only 2 cells"),
    "ends below": (built([1, 2], [0, 1], [0, -7, 2]), "falls from 0 to -7 at row 0"),
    "first end": (built([1, 2], [0, 1], [1, 1, 2]), "starts at 1, not at 0"),
    "ends too few": (built([1, 2], [0, 1], [0, 2]), "2 entries for 2 rows"),
    "values too few": (built([1], [0, 1], [0, 1, 2]), "reaches 2 at row 1, but only 1 cells"),
    "fractional columns": (
        (lambda m: setattr(m, "indices", np.array([0.0, 1.0])) or m)(
            built([1, 2], [0, 1], [0, 1, 2])
        ),
        "indices of dtype float64",
    ),
    "csc row": (
        built([1, 2, 3], [0, 7, 1], [0, 2, 3], kind=sparse.csc_array),
        "cell 1, of column 0, in row 7",
    ),
    "coo row": (coordinates([77, 1], [0, 1], [1, 2]), "cell 0 in row 77"),
    "coo column": (coordinates([0, 1], [0, -3], [1, 2]), "cell 1 in column -3"),
    "coo lengths": (coordinates([0, 1], [0, 1, 1], [1, 2]), "2 row indices, 3 column"),
    "bsr block": (
        (lambda m: setattr(m, "indices", np.array([5], dtype=np.int32)) or m)(
            sparse.bsr_array(np.ones((2, 2)), blocksize=(2, 2))
        ),
        "in block column 5",
    ),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("case", WRONG)
def test_a_sparse_matrix_that_points_outside_itself_is_refused(use, case):
    matrix, sentence = WRONG[case]
    with pytest.raises(ValueError, match=sentence):
        USES[use](matrix)


@pytest.mark.parametrize("use", ["match", "pack"])
def test_a_flag_that_claims_canonical_form_is_not_believed(use):
    matrix = built([1, 2, 3], [0, 0, 1], [0, 2, 3])
    matrix.has_canonical_format = True
    with pytest.raises(ValueError, match="stored more than once, the first at row 0, column 0"):
        USES[use](matrix)


def test_a_false_flag_changes_no_table_and_no_soft_value():
    wrong = built([0.5, 0.5, 1.0], [0, 0, 1], [0, 2, 3])
    wrong.has_canonical_format = True
    right = sparse.csr_array(np.eye(2))
    assert pw.soft_variation_of_information(wrong, [0, 1]) == 0.0
    assert pw.mallows_distance(wrong, right) == 0.0
    counts = built([1, 2, 3], [0, 0, 1], [0, 2, 3])
    counts.has_canonical_format = True
    assert pw.Contingency.from_scipy(counts).counts.tolist() == [3, 3]


def test_unsorted_and_other_formats_still_give_their_cells():
    dense = np.array([[0, 2, 1], [4, 0, 3]])
    total = pw.solvers.match(sparse.csr_array(dense)).total
    for kind in ("csr", "csc", "coo", "lil", "dok", "dia"):
        matrix = sparse.csr_array(dense).asformat(kind)
        assert pw.solvers.match(matrix).total == total == 6
        assert pw.Contingency.from_scipy(matrix).n_items == 10
    unsorted = built([1, 2, 4, 3], [2, 1, 0, 2], [0, 2, 4], (2, 3))
    found = pw.solvers.match(unsorted)
    assert (found.total, found.cells.tolist()) == (6, [1, 2])
    spare = built([1, 2, 9], [0, 1, 5], [0, 1, 2])  # what stands behind the last end is no cell
    assert pw.solvers.match(spare).total == 3


def test_the_matrix_of_the_caller_stays_as_it_is():
    matrix = built([1, 2, 3], [1, 0, 1], [0, 2, 3])
    before = [x.copy() for x in (matrix.data, matrix.indices, matrix.indptr)]
    for use in ("match", "pack", "from_scipy"):
        USES[use](matrix)
    after = matrix.data, matrix.indices, matrix.indptr
    assert all(map(np.array_equal, before, after))


# ---- capacities --------------------------------------------------------------------------


@pytest.mark.parametrize("most", [5.0, 1e10, 1e17, 1e18, 1e19, 1e100, 1e250, 2**40, 2**62])
@pytest.mark.parametrize("turned", [False, True])
def test_a_capacity_that_means_no_limit_is_none(most, turned):
    gains = np.array([[1.0, 2.0], [3.0, 4.0]])
    caps = [most, most], [1, 1] if isinstance(most, int) else [1.0, 1.0]
    if turned:
        gains, caps = gains.T, caps[::-1]
    found = pw.solvers.pack(sparse.csr_array(gains), None, *caps)
    assert found.total == 7.0
    duals = np.asarray(found.row_duals), np.asarray(found.col_duals)
    used = found.amounts.reshape(2, 2)
    assert np.all(duals[0][:, None] + duals[1] >= gains)
    sizes = used.sum(axis=1), used.sum(axis=0)
    for size, dual, cap in zip(sizes, duals, caps, strict=True):
        assert np.all((dual == 0) | (size == cap))


def test_no_limit_beside_a_side_that_takes_nothing():
    gains = sparse.csr_array(np.array([[1.0, 2.0]]))
    assert pw.solvers.pack(gains, None, [1e200], [0.0, 0.0]).total == 0.0
    assert pw.solvers.pack(gains, None, [2**62], [0, 0]).total == 0.0
    assert pw.solvers.pack(gains, None, [0.0], [1e200, 1e200]).total == 0.0


def test_gains_whose_sum_leaves_the_doubles_are_refused():
    gains = sparse.csr_array(np.array([[1e308, 1.0], [1.0, 1e308]]))
    with pytest.raises(
        ValueError, match=r"gain 1e.308 of cell 0 is too large.*scale the gains"
    ):
        pw.solvers.match(gains)


# ---- buffers -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "dtype", [np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
)
@pytest.mark.parametrize("shift", [1, 3])
def test_misaligned_labels_are_read_as_aligned_ones(dtype, shift):
    rng = np.random.default_rng(shift)
    for n in (0, 1, 50, 3000):
        aligned = rng.integers(0, 40, n).astype(dtype)
        buffer = b"\0" * shift + aligned.tobytes()
        other = np.frombuffer(buffer, dtype=dtype, offset=shift)
        assert pw.contingency(other, aligned).n_cells == len(np.unique(aligned))
        assert pw.join(other, aligned).tolist() == pw.join(aligned, aligned).tolist()
        assert np.array_equal(_kernels.impl.encode(other)[1], _kernels.impl.encode(aligned)[1])
    numbers = np.frombuffer(b"\0" + np.arange(4.0).tobytes(), dtype=np.float64, offset=1)
    assert pw.solvers.transport([1.0, 1.0], [1.0, 1.0], numbers.reshape(2, 2)).total == 3.0


def test_a_bool_is_true_whatever_its_byte():
    odd = np.array([0, 1, 2, 255, 0], dtype=np.uint8).view(bool)
    assert pw.contingency(odd, [0, 1, 1, 1, 0]).shape == (2, 2)


@pytest.mark.one_backend
def test_codes_outside_their_dictionary_are_refused():
    arrow = pytest.importorskip("pyarrow")
    for codes, sentence in (
        ([0, 1, 7], "code 7 at index 2"),
        ([0, -2, 1], "code -2 at index 1"),
    ):
        indices = arrow.array(codes, type=arrow.int32())
        column = arrow.DictionaryArray.from_arrays(indices, ["a", "b"], safe=False)
        with pytest.raises(ValueError, match=sentence):
            pw.contingency(column, [0, 1, 2])


@pytest.mark.one_backend
@pytest.mark.parametrize(
    "offsets", [[0, 1, 90], [0, 5, 3], [-4, 1, 2], [0, 10**9, 2], [3, 2, 1]]
)
@pytest.mark.parametrize("large", [False, True])
def test_text_whose_offsets_leave_it_is_refused(offsets, large):
    """pyarrow looks at the first and the last offset, once: these change afterwards."""
    arrow = pytest.importorskip("pyarrow")
    ends = np.arange(3, dtype=np.int64 if large else np.int32)
    kind = arrow.large_string() if large else arrow.string()
    parts = [None, arrow.py_buffer(ends), arrow.py_buffer(b"abc")]
    column = arrow.Array.from_buffers(kind, 2, parts)
    ends[:] = offsets
    with pytest.raises(ValueError, match="reference is a pyarrow column whose text at index"):
        pw.contingency(column, [0, 1])


# ---- threads and the seam ----------------------------------------------------------------


@pytest.mark.one_backend
@pytest.mark.parametrize(
    ("asked", "n_items", "worth"),
    [(1, 0, 1), (10**9, 2, 1), (10**30, 1 << 18, 1), (4, 1 << 20, 4), (10**6, 1 << 30, 64)],
)
def test_no_more_threads_than_the_items_are_worth(asked, n_items, worth):
    assert workers.worth_counting(asked, n_items) == worth


@pytest.mark.one_backend
def test_any_number_of_workers_costs_nothing(monkeypatch):
    monkeypatch.setattr(workers, "_idle", [])
    for asked in (1000, 10**6, 10**9):
        assert pw.contingency([0, 1], [0, 1], workers=asked).n_cells == 2
        assert len(workers._idle) == 1
    labels = [[0, 1, 1], [0, 0, 1], [1, 1, 1]]
    assert pw.pairwise(labels, "rand_index", workers=10**9).shape == (3, 3)


@pytest.mark.one_backend
@pytest.mark.parametrize("value", ["", "auto"])
def test_an_empty_variable_means_auto(value, monkeypatch):
    monkeypatch.setenv("PARTWISE_KERNELS", value)
    chosen, name, _ = _kernels._choose()
    assert chosen is not None
    assert name in ("compiled", "numpy")


# ---- what another thread writes ----------------------------------------------------------


@pytest.mark.one_backend
def test_an_alignment_that_is_asked_for_items_holds_labels_of_its_own():
    left, right = np.arange(100) % 7, np.arange(100) % 5
    report = pw.components(left, right)
    left[:] = np.arange(100)
    assert report.item_component.tolist() == [0] * 100


@pytest.mark.long
@pytest.mark.one_backend
def test_races_for_a_moment():
    """The long form is a part of .ci/long."""
    done = subprocess.run(
        [sys.executable, "tests/races.py", "--seconds", "0.1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.one_backend
def test_the_kernels_of_numpy_and_c_encode_alike():
    rng = np.random.default_rng(5)
    for scale in (3, 10**5, 2**40):
        column = rng.integers(-scale, scale, 2000)
        for found, wanted in zip(
            _kernels.impl.encode(column), reference_kernels.encode(column), strict=True
        ):
            assert np.array_equal(found, wanted)
