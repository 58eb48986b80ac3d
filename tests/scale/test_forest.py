"""Forests of parts of a table add up to the components of the table."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partwise as pw
from partwise.labels import SingletonLabel
from partwise.scale.forest import Forest

CASES = Path(__file__).parents[1] / "reference" / "scale_bug_cases.json"

LABELS = {
    "integers": lambda x: x,
    "integers near 2^64": lambda x: 2**64 - 1 - x,
    "text": lambda x: f"n{x}",
}


def assert_is_of(forest, table):
    join = table.components()
    assert forest.row_labels.tolist() == table.row_labels.tolist()
    assert forest.col_labels.tolist() == table.col_labels.tolist()
    assert np.array_equal(forest.row_component, join.row_component)
    assert np.array_equal(forest.col_component, join.col_component)
    assert np.array_equal(forest.sizes, join.sizes)
    assert np.array_equal(forest.row_sizes, table.row_sizes)
    assert forest.n_edges == sum(table.shape) - join.n_components


@st.composite
def parts(draw):
    """Return labels of items, each with the part that it is in."""
    label = LABELS[draw(st.sampled_from(sorted(LABELS)))]
    rows = st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(0, 4))
    items = draw(st.lists(rows, min_size=1, max_size=30))
    return [(label(a), label(b), part) for a, b, part in items]


@given(parts(), st.randoms())
def test_any_parts_merged_in_any_tree_are_the_components(items, random):
    forests = []
    for part in range(5):
        rows = [(a, b) for a, b, own in items if own == part]
        if rows:
            forests.append(Forest.of(pw.contingency(*zip(*rows, strict=True))))
    while len(forests) > 1:
        random.shuffle(forests)
        some = random.randint(2, len(forests))
        forests = [Forest.merge(forests[:some]), *forests[some:]]
    a, b, _ = zip(*items, strict=True)
    assert_is_of(forests[0], pw.contingency(list(a), list(b)))


@given(parts())
def test_cells_of_parts_go_to_their_components(items):
    a, b, _ = (list(x) for x in zip(*items, strict=True))
    table = pw.contingency(a, b)
    forest = Forest.of(table)
    for part in {own for _, _, own in items}:
        rows, cols = zip(*[(x, y) for x, y, own in items if own == part], strict=True)
        piece = pw.contingency(list(rows), list(cols))
        components = forest.component_of_cells(piece)
        wanted = dict(
            zip(table.row_labels.tolist(), forest.row_component.tolist(), strict=True)
        )
        assert components.tolist() == [wanted[x] for x in piece.row_labels[piece.rows].tolist()]


@given(parts())
def test_components_hold_all_labels_once(items):
    a, b, _ = (list(x) for x in zip(*items, strict=True))
    forest = Forest.of(pw.contingency(a, b))
    found = list(forest.components())
    assert len(found) == forest.n_components
    assert sorted(x for rows, _ in found for x in rows.tolist()) == sorted(set(a))
    assert sorted(x for _, cols in found for x in cols.tolist()) == sorted(set(b))


def test_matching_component_by_component_is_matching_at_once():
    random = np.random.default_rng(5)
    table = pw.contingency(random.integers(0, 60, 150), random.integers(0, 60, 150))
    cells = Forest.of(table).component_of_cells(table)
    rows, cols = table.row_labels[table.rows], table.col_labels[table.cols]
    matched = 0
    for component in range(cells.max() + 1):
        own = cells == component
        part = pw.Contingency.from_counts(rows[own], cols[own], table.counts[own])
        matched += round(pw.classification_accuracy(part) * part.n_items)
    assert matched == round(pw.classification_accuracy(table) * table.n_items)


def test_a_long_chain():
    n = 6000
    chain = [Forest.of(pw.contingency([i, i + 1], [i, i])) for i in range(n)]
    forest = Forest.merge(chain)
    assert forest.n_components == 1
    assert forest.sizes.tolist() == [2 * n]


def test_labels_none_and_items_alone():
    table = pw.contingency([1, None, 2], ["x", "x", None], missing=("cluster", "singletons"))
    assert_is_of(Forest.merge([Forest.of(table)]), table)
    assert SingletonLabel(2) in Forest.of(table).col_labels.tolist()


def test_the_empty_forest_is_neutral():
    table = pw.contingency([1, 2], [1, 1])
    empty = Forest.merge([])
    assert (empty.n_components, empty.n_edges) == (0, 0)
    assert_is_of(Forest.merge([empty, Forest.of(table), empty]), table)
    assert list(empty.components()) == []


def test_a_forest_can_be_sent():
    forest = Forest.of(pw.contingency([1, 2], [1, 1]))
    assert_is_of(pickle.loads(pickle.dumps(forest)), pw.contingency([1, 2], [1, 1]))


def test_components_of_a_public_thread():
    case = next(
        x
        for x in json.loads(CASES.read_text())["cases"]
        if x["id"] == "connected-components-wrong"
    )
    cells = case["input"]["cells"]
    forest = Forest.merge([Forest.of(pw.contingency([a], [b])) for a, b in cells])
    assert forest.n_components == case["right_answer"]["components"]
    sets = [sorted([*rows.tolist(), *cols.tolist()]) for rows, cols in forest.components()]
    assert sets == case["right_answer"]["sets"]


def test_what_is_wrong_is_said():
    forest = Forest.of(pw.contingency([1, 2], [1, 2]))
    with pytest.raises(ValueError, match="the row 3 of the table is not in the forest"):
        forest.component_of_cells(pw.contingency([3], [1]))
    with pytest.raises(ValueError, match="row 1 and column 2 joins components 0 and 1"):
        forest.component_of_cells(pw.contingency([1], [2]))
    with pytest.raises(TypeError, match="forests are merged, not a Contingency"):
        Forest.merge([pw.contingency([1], [1])])
    with pytest.raises(TypeError, match="labels are of different kinds"):
        Forest.merge([forest, Forest.of(pw.contingency(["a"], [1]))])
