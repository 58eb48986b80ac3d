"""Tables of items that come in blocks: as the table of all of them at once."""

from collections import Counter
from itertools import chain, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partwise as pw
from partwise.labels import SingletonLabel
from partwise.table.merge import Stack
from table_content import columns, content, items

Table = pw.Contingency


@given(found=items, cuts=st.lists(st.integers(0, 40), max_size=6))
def test_any_split_into_blocks_is_the_table_at_once(found, cuts):
    a, b = columns(found)
    edges = sorted({0, len(a), *(cut for cut in cuts if cut <= len(a))})
    blocks = [(a[i:j], b[i:j]) for i, j in pairwise(edges)]
    whole = pw.contingency(a, b)
    table = Table.from_blocks(blocks)
    assert content(table) == content(whole)
    assert table.account.items == len(a)
    for row in pw.catalogue().values():
        if not row.requires:
            assert row(table) == row(whole)


def test_items_alone_keep_their_place_in_the_stream():
    blocks = [([None, 1], [5, 5]), ([1, None, None], [6, 6, 5])]
    table = Table.from_blocks(blocks, missing="singletons")
    whole = pw.contingency([None, 1, 1, None, None], [5, 5, 6, 6, 5], missing="singletons")
    assert content(table) == content(whole)
    assert table.row_labels.tolist() == [
        1,
        SingletonLabel(0),
        SingletonLabel(3),
        SingletonLabel(4),
    ]
    one = pw.contingency([None], [5], missing="singletons")
    with pytest.raises(ValueError, match="two tables have a row <alone 0>"):
        Table.merge(one, one)
    pooled = Table.from_blocks(blocks, missing="cluster")
    assert pooled.row_labels.tolist() == [1, None]


@given(
    found=st.lists(st.tuples(st.none() | st.integers(0, 2), st.none() | st.sampled_from("xy"))),
    cuts=st.lists(st.integers(0, 40), max_size=6),
)
def test_items_alone_in_any_split_into_blocks(found, cuts):
    a, b = columns(found)
    edges = sorted({0, len(a), *(cut for cut in cuts if cut <= len(a))})
    blocks = [(a[i:j], b[i:j]) for i, j in pairwise(edges)]
    if a:
        table = Table.from_blocks(blocks, missing="singletons")
        assert content(table) == content(pw.contingency(a, b, missing="singletons"))


@pytest.mark.parametrize(
    ("labels", "code"),
    [
        ([0.5, float("inf"), None, 0.5, None], "infinite-label"),
        (["x", None, "y", "X", None], "labels-alike"),
        (["x", "NA", "x", None, None], "no-label-text"),
    ],
)
@pytest.mark.parametrize("missing", ["singletons", "cluster", "drop"])
def test_notes_on_labels_are_those_of_all_items(labels, code, missing):
    """Clusters of items without a label stand behind the others and are no labels."""
    others = [1, 1, 2, 2, 2]
    for sides in ((labels, others), (others, labels)):
        whole = pw.contingency(*sides, missing=missing)
        assert [note.code for note in whole.account.notes] == [code]
        blocks = [tuple(side[i:j] for side in sides) for i, j in ((0, 2), (2, 3), (3, 5))]
        table = Table.from_blocks(blocks, missing=missing)
        assert table.account.notes == whole.account.notes
        assert content(table) == content(whole)


def test_few_tables_are_held_at_a_time():
    """Each merge at least doubles what stands below it, so that few are left of many."""
    stack = Stack()
    held = []
    for i in range(200):
        stack.push(pw.contingency(range(i % 3 + 1), range(i % 3 + 1)))
        held.append(len(stack._tables))
    assert max(held) <= 8
    assert stack.table().counts.tolist() == [200, 133, 66]


@pytest.mark.parametrize("kind", [list, np.array])
@pytest.mark.parametrize("missing", ["drop", "singletons", "cluster"])
def test_policies_hold_in_blocks_of_integers(kind, missing):
    a, b = [1, -1, 2, 2, -1, 1], [0, 0, 0, 5, -1, 5]
    policies = {"missing": missing, "missing_labels": -1}
    blocks = [(kind(a[i : i + 2]), kind(b[i : i + 2])) for i in (0, 2, 4)]
    table = Table.from_blocks(blocks, **policies)
    assert content(table) == content(pw.contingency(a, b, **policies))


@pytest.mark.parametrize("unordered", [(True, False), (False, True), (True, True)])
def test_labels_without_an_order_stand_as_they_came(unordered):
    """Sets are not in an order, so that those of two blocks may come in any."""
    letters = ["bcab", "cbba", "acc"]
    sides = [
        [[frozenset(x) if odd else x for x in letters[i]] for i in range(3)]
        for odd in unordered
    ]
    blocks = [tuple(pw.Clustering(side[i]) for side in sides) for i in range(3)]
    table = Table.from_blocks(blocks)
    found = {
        (table.row_labels[i], table.col_labels[j]): count
        for i, j, count in zip(table.rows, table.cols, table.counts.tolist(), strict=True)
    }
    reference, candidate = (list(chain(*side)) for side in sides)
    assert found == Counter(zip(reference, candidate, strict=True))


def test_no_item_of_a_block_may_be_left():
    blocks = [([1, 2], [5, 6]), ([None, None], [5, 6]), ([2, None], [6, 5])]
    table = Table.from_blocks(blocks, missing="drop")
    assert content(table) == content(pw.contingency([1, 2, 2], [5, 6, 6]))
    assert (table.n_items, table.account.dropped) == (3, 3)
    with pytest.raises(ValueError, match="no item is left to compare"):
        Table.from_blocks(blocks[1:2] * 2, missing="drop")


@pytest.mark.parametrize("items", [(1, 2, 7, 8), ("p", "q", "r", "s"), (0, 5, 2, 1)])
def test_items_alone_with_ids_keep_them(items):
    a, b, c, d = items
    blocks = [({a: 0, b: 0}, {a: 1, b: 1}), ({c: 0}, {d: 1})]
    table = Table.from_blocks(blocks, unmatched="singletons")
    assert table.row_labels.tolist() == [0, SingletonLabel(d)]
    assert table.col_labels.tolist() == [1, SingletonLabel(c)]
    with pytest.raises(ValueError, match="two tables have a row"):
        Table.from_blocks([*blocks, blocks[1]], unmatched="singletons")


@pytest.mark.parametrize(
    "form",
    [
        list,
        np.array,
        lambda x: np.array(x, dtype=object),
        lambda x: np.array(x, dtype=bytes),
        lambda x: pytest.importorskip("pyarrow").array(x),
        lambda x: pytest.importorskip("pandas").Series(x, dtype="category").to_numpy(),
    ],
)
def test_blocks_of_text_in_every_form(form):
    a, b = ["y", "x", "z", "x", "w", "y"], ["q", "q", "p", "q", "r", "p"]
    blocks = [(form(a[i : i + 2]), form(b[i : i + 2])) for i in (0, 2, 4)]
    assert content(Table.from_blocks(blocks)) == content(pw.contingency(form(a), form(b)))


def test_bad_blocks_are_numbered():
    with pytest.raises(ValueError, match="block 1: the reference has 1 labels"):
        Table.from_blocks([([1], [1]), ([1], [1, 2])])
    with pytest.raises(TypeError, match="block 0: a block is a pair"):
        Table.from_blocks([5])
    with pytest.raises(TypeError, match="weights come with the blocks"):
        Table.from_blocks([([1], [1])], weights=[1])
    with pytest.raises(TypeError, match="tables are merged, not a int"):
        Table.merge(5)
    tables = [pw.contingency([1], [2]), ([1], [3])]
    assert Table.from_blocks(tables).n_items == 2
