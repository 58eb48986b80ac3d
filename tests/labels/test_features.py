"""Features ride along with the items, through every policy."""

import math

import numpy as np
import pytest

import partwise as pw

pytestmark = pytest.mark.one_backend

A = {"x": 1, "y": 1, "z": 2, "w": 2}
B = {"z": 5, "x": 5, "y": 6, "v": 6}
ROWS = {"x": [1, 9], "y": [2, 8], "z": [3, 7], "w": [4, 6], "v": [5, 5]}
IN_ORDER = [ROWS[item] for item in A]


def test_rows_follow_their_items():
    dropped = pw.align(A, B, unmatched="drop", features=IN_ORDER)
    assert dropped.items.tolist() == ["x", "y", "z"]
    assert dropped.features.tolist() == [[1, 9], [2, 8], [3, 7]]
    alone = pw.align(A, B, unmatched="singletons", features=ROWS)
    assert alone.items.tolist() == ["x", "y", "z", "w", "v"]
    assert alone.features.tolist() == list(ROWS.values())
    with pytest.raises(ValueError, match="item 'v' is in the candidate only; pass features as"):
        pw.align(A, B, unmatched="singletons", features=IN_ORDER)
    with pytest.raises(ValueError, match="features has no value for item 'z'"):
        pw.align(A, B, unmatched="drop", features={"x": 1, "y": 2})
    kept = pw.align([1, None, 2], [1, 1, 2], missing="drop", features=[3, 5, 7])
    assert kept.features.tolist() == [[3], [7]]
    assert pw.align([1, 2], [1, 2]).features is None


def test_duplicates_keep_the_row_of_the_occurrence_that_stays():
    a = pw.Clustering([1, 1, 2], items=["x", "y", "x"])
    b = {"x": 1, "y": 2}
    for which, wanted in (("first", [[0], [1]]), ("last", [[2], [1]])):
        found = pw.align(a, b, duplicates=which, features=[0, 1, 2])
        rows = dict(zip(found.items.tolist(), found.features.tolist(), strict=True))
        assert [rows["x"], rows["y"]] == wanted


def test_items_alone_several_times_keep_their_row():
    found = pw.align(
        [None, 1, 1],
        [1, 1, 2],
        missing="singletons",
        multiplicity=[3, 2, 1],
        features=[[5, 1], [6, 1], [7, 1]],
    )
    assert found.features[:, 0].tolist() == [5, 5, 5, 6, 7]
    assert found.multiplicity.tolist() == [1, 1, 1, 2, 1]


@pytest.mark.parametrize("form", ["fortran", "int8", "objects", "rows", "pandas", "mapping"])
def test_any_form_gives_one_array(form):
    wanted = np.array([[1.0, 2.0], [3.0, 4.0], [0.0, 6.0]])
    given = {
        "fortran": lambda: np.asfortranarray(wanted),
        "int8": lambda: wanted.astype(np.int8),
        "objects": lambda: wanted.astype(object),
        "rows": lambda: [tuple(row) for row in wanted.tolist()],
        "pandas": lambda: pytest.importorskip("pandas").DataFrame(wanted),
        "mapping": lambda: dict(enumerate(wanted)),
    }[form]()
    aligned = pw.align([0, 0, 1], [0, 1, 1], features=given)
    assert aligned.features.dtype == np.float64
    assert aligned.features.flags.c_contiguous
    assert aligned.features.tolist() == wanted.tolist()
    wanted[0] = 99  # a snapshot
    assert aligned.features[0].tolist() == [1, 2]


def test_no_items_and_negative_zero():
    assert pw.align([], [], features=[]).features.shape == (0, 1)
    assert pw.align([], [], features=np.empty((0, 3))).features.shape == (0, 3)
    assert math.copysign(1, pw.align([0], [0], features=[-0.0]).features[0, 0]) == 1


@pytest.mark.parametrize(
    ("features", "kind", "fragment"),
    [
        ([1], ValueError, r"shape \(1,\); one row per reference item \(2\)"),
        (3, ValueError, "one row per reference item"),
        (np.zeros((2, 2, 2)), ValueError, r"shape \(2, 2, 2\); one row per reference item"),
        (np.empty((2, 0)), ValueError, r"shape \(2, 0\); one row of at least one number"),
        ([[1, 2], [3, math.nan]], ValueError, "of row 1 have nan in column 1, not a finite"),
        ([[1, 2], [-math.inf, 3]], ValueError, "of row 1 have -inf in column 0"),
        ([[1, 2], [3]], ValueError, r"ragged: row 0 has shape \(2,\), row 1 \(1,\)"),
        ({0: [1], 1: [1, 2]}, ValueError, "ragged"),
        ([["1"], ["2"]], TypeError, "features must be real numbers: a table of <U1"),
        (np.array([["1"], [2]], dtype=object), TypeError, "text among them"),
        ([1j, 2], TypeError, "real numbers"),
        ([[10**400], [1]], TypeError, "real numbers"),
        (np.ma.array([[1.0], [2.0]], mask=[[0], [1]]), ValueError, "masked"),
        (np.array(["2024", "2025"], "M8[D]"), TypeError, "real numbers"),
    ],
)
def test_bad_features_are_named(features, kind, fragment):
    with pytest.raises(kind, match=fragment):
        pw.align([0, 1], [0, 1], features=features)


def test_the_item_is_named():
    with pytest.raises(ValueError, match="features of item 'y' have nan in column 1"):
        pw.align({"x": 0, "y": 1}, {"y": 1, "x": 1}, features=[[0, 0], [1, math.nan]])
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(TypeError, match="sparse matrix; pass them dense"):
        pw.align([0, 1], [0, 1], features=sparse.csr_array([[1.0], [2.0]]))


def test_a_table_takes_no_features():
    with pytest.raises(TypeError, match=r"features=, but a table holds no items"):
        pw.contingency([0, 1], [0, 1], features=[1, 2])
    with pytest.raises(TypeError, match="from_blocks got features="):
        pw.Contingency.from_blocks([([0], [1])], features=[1])
    with pytest.raises(TypeError, match="features= beside a Contingency"):
        pw.compare(pw.contingency([0], [0]), features=[1])
