"""Pairs of rows of two arrays of labels, as other packages hold them."""

import numpy as np
import pytest

import partwise as pw

MEASURES = ["adjusted_rand_index", "nvi", "purity", "b_cubed_f1", "mallows_distance"]


def arrays(dtype=np.int64, rows=130, n=40):
    draw = np.random.default_rng(11)
    return draw.integers(0, 6, (rows, n)).astype(dtype), draw.integers(0, 4, (rows, n))


@pytest.mark.parametrize("dtype", ["int64", "uint8", "float64", "U5", "object"])
def test_every_row_scores_as_alone(dtype):
    first, second = arrays(dtype)
    scores = pw.score_many(first, second, MEASURES, pairs="rows")
    assert scores.values.shape == (130, len(MEASURES))
    assert scores.names[:2] == ["0", "1"]
    for row in (0, 64, 129):
        expected = pw.compare(first[row], second[row], measures=MEASURES).scores
        assert dict(zip(MEASURES, scores.values[row], strict=True)) == expected
        assert scores.accounts[row].items == 40


@pytest.mark.parametrize("others", [[], ["purity"], ["purity", "split_merge"]])
def test_measures_that_look_at_items_stand_beside_others(others):
    @pw.measure(
        family="own",
        range=(0, 1),
        direction="higher",
        value_if_identical=None,
        source="a test",
        items=True,
    )
    def share_of_odd_items(aligned):
        """Share of the items whose code is odd in the reference."""
        return float(np.mean(aligned.reference.column.codes % 2))

    first, second = arrays(rows=3)
    names = ["share_of_odd_items", *others]
    scores = pw.score_many(first, second, names, pairs="rows")
    for row in range(3):
        expected = [getattr(pw, name)(first[row], second[row]) for name in others]
        assert scores.values[row].tolist() == [
            share_of_odd_items(first[row], second[row]),
            *expected,
        ]


def test_threads_change_no_bit():
    first, second = arrays()
    alone = pw.score_many(first, second, MEASURES, pairs="rows", workers=1)
    shared = pw.score_many(first, second, MEASURES, pairs="rows", workers=3)
    np.testing.assert_array_equal(alone.values, shared.values)


def test_policies_and_columns_hold_for_every_row():
    first, second = arrays(rows=3)
    first[1, 0] = -1
    weights = np.linspace(0, 1, 40)
    scores = pw.score_many(
        first,
        second,
        "purity",
        pairs="rows",
        missing_labels=-1,
        missing="drop",
        weights=weights,
    )
    for row in range(3):
        assert scores.values[row, 0] == pw.purity(
            first[row], second[row], missing_labels=-1, missing="drop", weights=weights
        )
    assert [account.dropped for account in scores.accounts] == [0, 1, 0]


def test_no_rows():
    empty = np.empty((0, 5), dtype=np.int64)
    assert pw.score_many(empty, empty, ["purity"], pairs="rows").values.shape == (0, 1)


def test_transposed_memory():
    first, second = arrays()
    scores = pw.score_many(
        np.asfortranarray(first), second[:, ::-1][:, ::-1], ["nvi"], pairs="rows"
    )
    expected = pw.score_many(first, second, ["nvi"], pairs="rows")
    np.testing.assert_array_equal(scores.values, expected.values)


@pytest.mark.parametrize(
    ("first", "second", "error", "words"),
    [
        (
            [[0, 1]],
            np.zeros((1, 2)),
            TypeError,
            'reference is a list; pairs="rows" takes two 2-D',
        ),
        (np.zeros((2, 3)), np.zeros(3), ValueError, r"candidates has shape \(3,\)"),
        (np.zeros((2, 3)), np.zeros((3, 2)), ValueError, r"shapes are \(2, 3\) and \(3, 2\)"),
        (
            np.array([[0.0, 1], [0, np.nan]]),
            np.zeros((2, 2)),
            ValueError,
            "row 1: missing labels: 1 in the reference",
        ),
    ],
)
def test_what_is_no_pair_of_rows_is_refused(first, second, error, words):
    with pytest.raises(error, match=words):
        pw.score_many(first, second, ["purity"], pairs="rows")


def test_masked_labels_are_missing():
    first, second = arrays(rows=3)
    masked = np.ma.masked_array(first, np.arange(first.size).reshape(first.shape) == 41)
    with pytest.raises(ValueError, match="row 1: missing labels: 1 in the reference"):
        pw.score_many(masked, second, "rand_index", pairs="rows")
    with pytest.raises(ValueError, match="row 1: missing labels: 1 in the candidate"):
        pw.score_many(second, masked, "rand_index", pairs="rows")
    scores = pw.score_many(masked, second, "rand_index", pairs="rows", missing="drop")
    assert [account.dropped for account in scores.accounts] == [0, 1, 0]
    for row in range(3):
        kept = ~masked.mask[row]
        wanted = pw.rand_index(first[row, kept], second[row, kept])
        assert scores.values[row, 0] == wanted


def test_frames_have_one_index_and_one_order_of_columns():
    pd = pytest.importorskip("pandas")
    first, second = arrays(rows=2)
    names = [f"item {k}" for k in range(first.shape[1])]
    frames = [pd.DataFrame(side, list("xy"), names) for side in (first, second)]
    weights = pd.Series(np.arange(len(names), dtype=float), names)
    wanted = pw.score_many(first, second, "purity", pairs="rows", weights=weights.to_numpy())
    for sides in (frames, (frames[0], second), (first, frames[1])):
        for own in (weights, weights.iloc[::-1]):
            found = pw.score_many(*sides, "purity", pairs="rows", weights=own)
            assert found.values.tolist() == wanted.values.tolist()
    with pytest.raises(ValueError, match="the columns of the reference and the columns of the"):
        pw.score_many(frames[0], frames[1][names[::-1]], "purity", pairs="rows")
    with pytest.raises(ValueError, match="reference and candidates have different pandas ind"):
        pw.score_many(frames[0], frames[1].iloc[::-1], "purity", pairs="rows")


def test_another_word_is_refused():
    with pytest.raises(ValueError, match="pairs='columns'"):
        pw.score_many(np.zeros((1, 2)), np.zeros((1, 2)), pairs="columns")
