"""Pitfalls of engines and of large tables, reported in public, as blocks meet them."""

from datetime import date
from pathlib import Path

import numpy as np
import pytest

import cases
import partwise as pw
from partwise.scale import blocks

SCALE = {case["id"]: case for case in cases.load("scale_bug_cases.json")["cases"]}


def cells(table):
    rows, cols = (
        ["null" if x is None else str(x) for x in side.tolist()]
        for side in (table.row_labels, table.col_labels)
    )
    triples = zip(table.rows.tolist(), table.cols.tolist(), table.counts.tolist(), strict=True)
    return {f"{rows[r]}|{cols[c]}": n for r, c, n in triples}


def one_by_one(a, b):
    """Blocks of one item each, as lists."""
    return [([x], [y]) for x, y in zip(a, b, strict=True)]


def counted(name, **policies):
    columns = SCALE[name]["input"]
    return blocks.contingency(one_by_one(columns["a"], columns["b"]), **policies)


def test_null_labels_are_counted_as_the_policy_says():
    wanted = SCALE["null-label-groupby"]["right_answer"]
    with pytest.raises(ValueError, match="block 1: missing labels: 1 in the candidate"):
        counted("null-label-groupby")
    pooled = counted("null-label-groupby", missing="cluster")
    assert (
        cells(pooled)
        == wanted["policy cluster (all missing of a column form one cluster)"]["cells"]
    )
    alone = counted("null-label-groupby", missing="singletons")
    told = wanted["policy singletons (every missing item alone in its cluster)"]
    assert (alone.n_items, alone.n_cells) == (told["items"], told["cells"])
    assert alone.shape == (told["clusters_a"], told["clusters_b"])
    dropped = counted("null-label-groupby", missing="drop")
    assert cells(dropped) == wanted["policy drop"]["cells"]
    assert dropped.account.dropped == wanted["policy drop"]["reported_dropped"]


def test_rows_are_counted_and_not_labels():
    case = SCALE["count-of-nullable-column"]
    table = counted("count-of-nullable-column", missing="cluster")
    assert int(table.row_sizes.sum()) == int(table.col_sizes.sum()) == case["right_answer"]


def test_unused_categories_are_no_clusters():
    pandas = pytest.importorskip("pandas")
    case = SCALE["unused-categories"]
    column = pandas.Categorical.from_codes(case["input"]["codes"], case["input"]["categories"])
    parts = [(column[i : i + 1], [0]) for i in range(len(column))]
    table = blocks.contingency(parts)
    assert table.shape[0] == case["right_answer"]["clusters"]
    assert pw.entropy(table, side="reference") == case["right_answer"]["entropy"]


def test_dictionaries_of_chunks_are_not_mixed_up():
    arrow = pytest.importorskip("pyarrow")
    case = SCALE["categorical-codes-per-chunk"]
    parts = []
    for i in ("1", "2"):
        chunk = case["input"][f"chunk{i}"]
        codes = arrow.array(chunk["codes"], arrow.int8())
        column = arrow.DictionaryArray.from_arrays(codes, arrow.array(chunk["dictionary"]))
        parts.append((column, case["input"][f"other_labels_chunk{i}"]))
    assert cells(blocks.contingency(parts)) == case["right_answer"]


def test_repeated_ids_multiply_no_rows():
    sides = SCALE["duplicate-ids"]["input"].values()
    columns = [
        pw.Clustering([label for _, label in side], items=[item for item, _ in side])
        for side in sides
    ]
    with pytest.raises(ValueError, match=r"block 0: .*repeat"):
        blocks.contingency([tuple(columns)])
    table = blocks.contingency([tuple(columns)], duplicates="first")
    assert table.n_items == 2
    assert table.account.candidate.conflicting == 1


def test_items_on_one_side():
    case = SCALE["different-item-sets"]
    sides = case["input"]["left"], case["input"]["right"]
    with pytest.raises(ValueError, match="block 0:"):
        blocks.contingency([sides])
    dropped = blocks.contingency([sides], unmatched="drop")
    assert cells(dropped) == case["right_answer"]["drop"]["cells"]
    alone = blocks.contingency([sides], unmatched="singletons")
    assert alone.n_items == case["right_answer"]["singletons"]["items"]
    assert cells(alone) == case["right_answer"]["singletons"]["cells"]


def test_integers_meet_as_values():
    columns = SCALE["int64-vs-uint64"]["input"]
    signed = np.array(columns["left_int64"], dtype=np.int64)
    unsigned = np.array(columns["right_uint64"], dtype=np.uint64)
    table = blocks.contingency([(signed, [0]), (unsigned, [0])])
    assert table.row_labels.tolist() == [*columns["left_int64"], *columns["right_uint64"]]


def test_large_integers_beside_nulls_stay_integers():
    case = SCALE["outer-join-to-float"]
    label = case["right_answer"]
    arrow = pytest.importorskip("pyarrow")
    column = arrow.array([label, None])
    table = blocks.contingency([(column, [0, 0])], missing="drop")
    assert table.row_labels.tolist() == [label]


def test_squares_of_counts_above_16_bits():
    case = SCALE["count-overflow-32"]
    (count,) = case["input"]["cell_counts"]
    half = np.zeros(count // 2, dtype=np.uint8)
    table = blocks.contingency([(half, half), (half, half)])
    assert table.counts.tolist() == [count]
    assert int((table.counts**2).sum()) == case["right_answer"]


def test_floats_are_names():
    case = SCALE["float-labels"]
    values = [float(x) for x in case["input"]["labels"]]
    table = blocks.contingency(one_by_one(values, [0] * len(values)), missing="cluster")
    assert table.shape[0] == case["right_answer"]


def test_numbers_and_text_are_not_joined():
    ids = SCALE["int-vs-string-ids"]["input"]
    with pytest.raises(TypeError, match=r"different kinds: integer .* and text"):
        blocks.contingency([(ids["left_ids"], [0, 0]), (ids["right_ids"], [0, 0])])
    with pytest.raises(TypeError, match="different kinds"):
        blocks.contingency([([date(2024, 1, 1)], [0]), ([5], [0])])


def test_background_of_one_side():
    case = SCALE["ignore-label-sides"]
    a, b = np.array(case["input"]["gt"]), np.array(case["input"]["pred"])
    wanted = case["right_answer"]
    for name, labels in (
        ("ignore nothing", None),
        ("ignore 0 in pred only (items left out)", (None, [0])),
        ("ignore 0 in gt only", ([0], None)),
    ):
        policies = {} if labels is None else {"missing": "drop", "missing_labels": labels}
        table = blocks.contingency(a, b, block_items=1, **policies)
        assert pw.variation_of_information(table, base=2) == pytest.approx(wanted[name])


def test_components_of_cells_from_anywhere():
    case = SCALE["connected-components-wrong"]
    pairs = case["input"]["cells"]
    table = pw.Contingency.merge(*(pw.contingency([row], [col]) for row, col in pairs))
    join = table.components()
    assert join.n_components == case["right_answer"]["components"]
    names = [[*table.row_labels.tolist()], [*table.col_labels.tolist()]]
    sets = [set() for _ in range(join.n_components)]
    for side, components in zip(names, (join.row_component, join.col_component), strict=True):
        for name, component in zip(side, components.tolist(), strict=True):
            sets[component].add(name)
    assert sets == [set(x) for x in case["right_answer"]["sets"]]


def test_every_case_has_its_test():
    """The memory of no-spill is measured in test_blocks."""
    told = Path(__file__).read_text()
    uses = ('SCALE["{}"]', 'counted("{}"')
    absent = [name for name in SCALE if not any(use.format(name) in told for use in uses)]
    assert absent == ["no-spill"]
