"""Small cases after public bug reports; each names its source."""

import math
from fractions import Fraction

import numpy as np
import pytest

import cases
import partwise as pw

CASES = cases.load("bug_cases.json")["cases"]
SCALE = {case["id"]: case for case in cases.load("scale_bug_cases.json")["cases"]}

MEASURES = {
    "ari": pw.adjusted_rand_index,
    "rand": pw.rand_index,
    "fm": pw.fowlkes_mallows,
    "mi": pw.mutual_information,
    "nmi": pw.normalized_mutual_information,
    "homogeneity": pw.homogeneity,
    "completeness": pw.completeness,
    "v": pw.v_measure,
    "v_beta_2": lambda a, b, **kw: pw.v_measure(a, b, beta=2, **kw),
    "purity": pw.purity,
    "vi_bits": lambda a, b, **kw: pw.variation_of_information(a, b, base=2, **kw),
    "split_join": pw.van_dongen,
    "pair_precision": pw.pair_precision,
    "pair_recall": pw.pair_recall,
    "adapted_rand_error": pw.adapted_rand_error,
    "bcubed_f": pw.b_cubed_f1,
    "bcubed_r": pw.b_cubed_recall,
    "accuracy": pw.classification_accuracy,
    "psi": pw.pair_sets_index,
    "ami": pw.adjusted_mutual_information,
    "ami_min": lambda a, b, **kw: pw.adjusted_mutual_information(a, b, average="min", **kw),
}
# What is asked of these measures arrives with them.
LATER = {
    "ceafe_f",
    "onmi_lfk",
}
CHOSEN = [
    pytest.param(case, id=f"{case['id']}-{case['source'].replace('/', '.')}")
    for case in CASES
    if case["measure"] in MEASURES and "weights" not in case
]


def test_every_case_is_known():
    assert {case["measure"] for case in CASES} == set(MEASURES) | LATER


def labels_of(case, side):
    labels = case[f"labels_{side}"]
    if isinstance(labels, dict) and "map" in labels:
        return pw.Clustering([x for _, x in labels["map"]], items=[x for x, _ in labels["map"]])
    labels = cases.expand(labels)
    return np.array(labels, dtype=case["dtype"]) if "dtype" in case else labels


@pytest.mark.parametrize("case", CHOSEN)
def test_bug_case(case):
    measure = MEASURES[case["measure"]]
    policies = {}
    if "noise_as" in case:
        policies["missing"] = case["noise_as"]
        sides = [case.get(f"noise_{side}") for side in "ab"]
        policies["missing_labels"] = tuple(None if x is None else [x] for x in sides)
    if "table" in case:
        value = measure(pw.Contingency.from_dense(case["table"]))
    elif "expected_error" in case:
        with pytest.raises(ValueError, match=r"reference|candidate"):
            measure(labels_of(case, "a"), labels_of(case, "b"), **policies)
        return
    else:
        value = measure(labels_of(case, "a"), labels_of(case, "b"), **policies)
    if case["tolerance"] == 0:
        assert value == case["expected"]
    elif case["measure"] == "mi":
        assert math.isclose(value, case["expected"], rel_tol=1e-13, abs_tol=1e-15)
    else:
        rel = case.get("rel_tolerance", 0)
        assert math.isclose(value, case["expected"], rel_tol=rel or 1e-12, abs_tol=1e-13)
        if rel:  # tiny values: relative accuracy is the point
            assert abs(value / case["expected"] - 1) < rel
    if "expected_exact" in case:
        assert cases.within_ulp(value, Fraction(case["expected_exact"]))
    assert value <= case.get("upper_bound", math.inf)


def wrong_input(call, *fragments):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        call()
    for fragment in fragments:
        assert fragment in str(caught.value)


def named_cells(table):
    rows = table.row_labels.tolist()
    cols = table.col_labels.tolist()
    places = zip(table.rows.tolist(), table.cols.tolist(), table.counts.tolist(), strict=True)
    text = {None: "null"}
    return {
        f"{text.get(rows[i], rows[i])}|{text.get(cols[j], cols[j])}": c for i, j, c in places
    }


def test_missing_labels_never_vanish():
    """dask/dask#8817, pandas-dev/pandas#30584 (null-label-groupby)."""
    case = SCALE["null-label-groupby"]
    a, b = case["input"]["a"], case["input"]["b"]
    right = case["right_answer"]
    wrong_input(lambda: pw.align(a, b), "2 in the reference", "2 in the candidate", "3 items")
    table = pw.contingency(a, b, missing="cluster")
    wanted = right["policy cluster (all missing of a column form one cluster)"]
    assert named_cells(table) == wanted["cells"]
    assert table.n_items == wanted["items"]
    table = pw.contingency(a, b, missing="singletons")
    wanted = right["policy singletons (every missing item alone in its cluster)"]
    assert (table.n_items, *table.shape, table.n_cells) == (
        wanted["items"],
        wanted["clusters_a"],
        wanted["clusters_b"],
        wanted["cells"],
    )
    table = pw.contingency(a, b, missing="drop")
    wanted = right["policy drop"]
    assert named_cells(table) == wanted["cells"]
    assert table.account.dropped == wanted["reported_dropped"]


def test_rows_are_counted_not_values():
    """NVIDIA/cudf#5421 (count-of-nullable-column)."""
    case = SCALE["count-of-nullable-column"]
    table = pw.contingency(case["input"]["a"], case["input"]["b"], missing="cluster")
    assert table.n_items == case["right_answer"]


def test_unused_categories_are_no_clusters():
    """pandas-dev/pandas#30552 (unused-categories)."""
    pandas = pytest.importorskip("pandas")
    case = SCALE["unused-categories"]
    column = pandas.Categorical.from_codes(case["input"]["codes"], case["input"]["categories"])
    table = pw.contingency(column, column)
    assert table.shape[0] == case["right_answer"]["clusters"]
    assert math.isclose(pw.entropy(column), case["right_answer"]["entropy"], rel_tol=1e-13)


def test_dictionary_codes_differ_by_chunk():
    """dask/dask#6134, NVIDIA/cudf#4565 (categorical-codes-per-chunk)."""
    arrow = pytest.importorskip("pyarrow")
    case = SCALE["categorical-codes-per-chunk"]["input"]
    chunks = [
        arrow.DictionaryArray.from_arrays(case[c]["codes"], case[c]["dictionary"])
        for c in ("chunk1", "chunk2")
    ]
    other = case["other_labels_chunk1"] + case["other_labels_chunk2"]
    table = pw.contingency(arrow.chunked_array(chunks), other)
    assert named_cells(table) == SCALE["categorical-codes-per-chunk"]["right_answer"]


def test_repeated_ids():
    """pandas-dev/pandas#16270, shtoshni/fast-coref#3 (duplicate-ids)."""
    case = SCALE["duplicate-ids"]["input"]
    left, right = (
        pw.Clustering([x for _, x in case[side]], items=[x for x, _ in case[side]])
        for side in ("left", "right")
    )
    wrong_input(lambda: pw.align(left, right), "item 1", "index 0", "the same label", "index 1")
    wrong_input(lambda: pw.align(right, left), "item 1", "another label")
    aligned = pw.align(left, right, duplicates="first")
    assert aligned.items.tolist() == [1, 2]
    assert aligned.candidate.labels.tolist() == [5, 5]
    assert aligned.account.reference.repeated == 1
    assert aligned.account.candidate.conflicting == 1
    assert pw.align(left, right, duplicates="last").candidate.labels.tolist() == [6, 5]


def test_different_item_sets():
    """kentonl/e2e-coref#126, hhromic/python-bcubed#7 (different-item-sets)."""
    case = SCALE["different-item-sets"]
    left, right = case["input"]["left"], case["input"]["right"]
    wrong_input(lambda: pw.align(left, right), "1 reference item", "'1'", "unmatched=")
    dropped = pw.align(left, right, unmatched="drop")
    assert named_cells(dropped.table) == case["right_answer"]["drop"]["cells"]
    alone = pw.align(left, right, unmatched="singletons")
    assert named_cells(alone.table) == case["right_answer"]["singletons"]["cells"]
    for account in (dropped.account, alone.account):
        assert account.reference.unmatched == case["right_answer"]["report"]["only_left"]
        assert account.candidate.unmatched == case["right_answer"]["report"]["only_right"]
    only = pw.align(left, right, unmatched=("drop", "singletons"))
    assert only.items.tolist() == ["2", "3", "4"]
    assert only.account.dropped == 1


def test_integer_ids_of_two_types():
    """pandas-dev/pandas#56367 (int64-vs-uint64)."""
    case = SCALE["int64-vs-uint64"]["input"]
    left = pw.Clustering([0], items=np.array(case["left_int64"], dtype=np.int64))
    right = pw.Clustering([0], items=np.array(case["right_uint64"], dtype=np.uint64))
    wrong_input(lambda: pw.align(left, right), "9007199254740992")
    huge = pw.Clustering([0, 1], items=np.array([5, 2**64 - 1], dtype=np.uint64))
    low = pw.Clustering([0, 1], items=np.array([5, -1], dtype=np.int64))
    assert pw.align(low, huge, unmatched="drop").items.tolist() == [5]


def test_big_labels_survive_alignment():
    """pandas-dev/pandas#8596 (outer-join-to-float)."""
    case = SCALE["outer-join-to-float"]
    sides = [
        pw.Clustering(
            [x for _, x in case["input"][side]],
            items=[x for x, _ in case["input"][side]],
        )
        for side in ("left", "right")
    ]
    aligned = pw.align(*sides, unmatched="singletons")
    assert aligned.candidate.labels[0] == case["right_answer"]


def test_counts_beyond_32_bits():
    """pola-rs/polars#28351 (count-overflow-32)."""
    case = SCALE["count-overflow-32"]
    table = pw.Contingency.from_counts(
        [0], [0], np.array(case["input"]["cell_counts"], np.uint32)
    )
    pairs = pw.pair_confusion(table).n11
    assert 2 * pairs + table.n_items == case["right_answer"]


def test_float_labels():
    """pola-rs/polars#2643 (float-labels)."""
    case = SCALE["float-labels"]
    labels = [float(x) for x in case["input"]["labels"]]
    table = pw.contingency(labels, labels, missing="cluster")
    assert table.shape[0] == case["right_answer"]
    assert named_cells(table) == {"0.0|0.0": 2, "null|null": 2}


def test_ids_as_numbers_and_as_text():
    """pandas-dev/pandas#9958 (int-vs-string-ids)."""
    case = SCALE["int-vs-string-ids"]["input"]
    left = pw.Clustering([0, 0], items=case["left_ids"])
    right = pw.Clustering([0, 0], items=case["right_ids"])
    wrong_input(lambda: pw.align(left, right, unmatched="drop"), "integer", "text", "convert")


def test_ignored_label_of_either_side():
    """scikit-image/scikit-image#4856, janelia-flyem/gala#96 (ignore-label-sides)."""
    case = SCALE["ignore-label-sides"]
    gt, pred, right = case["input"]["gt"], case["input"]["pred"], case["right_answer"]

    def bits(**policies):
        return pw.variation_of_information(gt, pred, base=2, **policies)

    assert math.isclose(bits(), right["ignore nothing"])
    only_pred = bits(missing="drop", missing_labels=(None, [0]))
    assert math.isclose(only_pred, right["ignore 0 in pred only (items left out)"])
    only_gt = bits(missing="drop", missing_labels=([0], None))
    assert math.isclose(only_gt, right["ignore 0 in gt only"])


def test_components_by_union_find():
    """graphframes/graphframes#428, #453 (connected-components-wrong)."""
    case = SCALE["connected-components-wrong"]
    rows, cols = zip(*case["input"]["cells"], strict=True)
    found = pw.Contingency.from_counts(rows, cols, [1] * len(rows)).components()
    assert found.n_components == case["right_answer"]["components"]
    sets = [
        sorted([*table.row_labels.tolist(), *table.col_labels.tolist()])
        for table in found.tables()
    ]
    assert sets == case["right_answer"]["sets"]
