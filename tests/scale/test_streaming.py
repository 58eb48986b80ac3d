"""A table that changes: after any changes, the scores of a table that is built anew."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import partwise as pw
from partwise.scale.streaming import LiveTable, sides, table

labels = st.integers(0, 5)
batches = st.lists(
    st.tuples(
        st.sampled_from(["insert", "remove", "change"]),
        st.lists(st.tuples(labels, labels, labels), max_size=12),
    ),
    max_size=8,
)
MEASURES = [
    row.name
    for row in pw.catalogue().values()
    if row.computation.formula is not None and not row.requires
]


def content(table):
    parts = (*table.cells, table.row_labels, table.col_labels, table.row_sizes, table.col_sizes)
    return [part.tolist() for part in parts]


def step(live, pairs, kind, triples):
    """Do to the table and to a list of pairs what is possible of the batch."""
    if kind == "insert":
        live.insert([a for a, _, _ in triples], [b for _, b, _ in triples])
        pairs += [(a, b) for a, b, _ in triples]
        return
    done = []
    for a, b, c in triples:
        if (a, b) in pairs:
            pairs.remove((a, b))
            done.append((a, b, c))
    columns = [[triple[i] for triple in done] for i in range(3)]
    if kind == "remove":
        live.remove(*columns[:2])
    else:
        live.change(*columns)
        pairs += [(a, c) for a, _, c in done]


@given(
    steps=batches,
    start=st.lists(st.tuples(labels, labels), max_size=30),
    sorted_from=st.sampled_from([0, 4, 1 << 16]),
)
def test_any_changes_leave_what_is_built_anew(steps, start, sorted_from):
    first = pw.contingency([a for a, _ in start], [b for _, b in start])
    with pytest.MonkeyPatch.context() as patch:
        for module in (table, sides):
            patch.setattr(module, "SORTED_FROM", sorted_from)
        live, pairs = LiveTable(first), list(start)
        for kind, triples in steps:
            step(live, pairs, kind, triples)
            anew = pw.contingency([a for a, _ in pairs], [b for _, b in pairs])
            scores = live.scores(MEASURES)
            assert (live.n_items, live.n_cells, live.shape) == (
                anew.n_items,
                anew.n_cells,
                anew.shape,
            )
            for name in MEASURES:
                assert np.array_equal(scores[name], pw.catalogue()[name](anew), equal_nan=True)
        assert content(live.table()) == content(
            pw.contingency([a for a, _ in pairs], [b for _, b in pairs])
        )


@given(
    columns=st.lists(
        st.lists(
            st.tuples(st.integers(-(2**63), 2**64 - 1), st.sampled_from([0, 2**64 - 1, -5])),
            max_size=9,
        ),
        max_size=5,
    )
)
def test_integers_of_64_bits_keep_apart_whatever_their_type(columns):
    """A number and the negative one with the same bits are two labels."""
    live, pairs = LiveTable(), []
    for column in columns:
        live.insert(*([pair[i] for pair in column] for i in range(2)))
        pairs += column
    anew = pw.contingency(*([pair[i] for pair in pairs] for i in range(2)))
    assert content(live.table()) == content(anew)
    assert live.shape == anew.shape


def test_cells_that_are_gone_make_room():
    """A stream of ever new pairs that leave again takes the memory of those that stay."""
    live = LiveTable()
    live.insert([-1], [-1])
    for i in range(200):
        labels = np.arange(100) + 100 * (i % 7)
        live.insert(labels, labels[::-1])
        live.remove(labels, labels[::-1])
        assert (live.n_cells, live.shape) == (1, (1, 1))
    assert len(live._cells.entries) <= 1024
    assert content(live.table()) == content(pw.contingency([-1], [-1]))


def test_measures_that_are_no_formula_come_from_the_table():
    live = LiveTable()
    live.insert(["a", "a", "b"], [1, 2, 2])
    assert live.score("classification_accuracy") == pw.classification_accuracy(live.table())
    assert live.score("v_measure(beta=2)") == pw.v_measure(live.table(), beta=2)
    with pytest.raises(TypeError, match="a list of names"):
        live.scores("rand_index")


def test_what_is_not_there_cannot_go():
    live = LiveTable()
    live.insert(["a", "b"], [1, 2])
    before = live.scores(["mutual_information", "rand_index"])
    for act in (
        lambda: live.remove(["a", "a"], [1, 1]),
        lambda: live.remove(["b", "zz"], [2, 9]),
        lambda: live.change(["a", "b"], [1, 1], [5, 5]),
    ):
        with pytest.raises(ValueError, match="nothing was changed"):
            act()
        assert live.scores(["mutual_information", "rand_index"]) == before
        assert live.shape == (2, 2)
    with pytest.raises(ValueError, match=r"2 items with the .* label 'a' .* there are 1"):
        live.remove(["a", "a"], [1, 1])
    # the pair that would leave nothing behind is not the wrong one
    with pytest.raises(ValueError, match=r"label 'b' .* there are 1 \(1 such pairs\); nothing"):
        live.remove(["a", "b", "b"], [1, 2, 2])


def test_labels_that_do_not_fit_are_refused():
    live = LiveTable()
    live.insert(["a"], [1])
    with pytest.raises(TypeError, match="labels of the reference are text"):
        live.insert([1], [1])
    with pytest.raises(ValueError, match="the candidate has no label at index 1"):
        live.insert(["a", "b"], [1, None])
    with pytest.raises(ValueError, match="reference has 1 labels, candidate 2"):
        live.insert(["a"], [1, 2])
    with pytest.raises(ValueError, match="carries weights"):
        LiveTable(pw.contingency([1], [1], weights=[0.5]))
    assert live.n_items == 1


@pytest.mark.parametrize("missing", ["singletons", "cluster"])
def test_clusters_that_a_policy_made_are_refused(missing, tmp_path):
    sides = [0, 0, 1, None], [0, 1, 1, 1]
    made = pw.contingency(*sides, missing=missing)
    with pytest.raises(ValueError, match=r'reference .* 1 cluster .* make .* missing="drop"'):
        LiveTable(made)
    made.save(tmp_path / "made.npz")
    with pytest.raises(ValueError, match="of items without a label"):
        LiveTable.load(tmp_path / "made.npz")
    with pytest.raises(ValueError, match="the candidate of this table"):
        LiveTable(pw.contingency(*sides[::-1], missing=missing))
    assert LiveTable(pw.contingency(*sides, missing="drop")).n_items == 3


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
@pytest.mark.parametrize("names", [["x", "y", "z"], [0, 1, 2], [0.5, 1.5, 2.5]])
def test_a_copy_changes_for_itself(copied, names):
    live = LiveTable()
    live.insert(names[:2], [0, 1])
    before = live.table()
    other = copied(live)
    other.insert([names[2], names[0]], [7, 1])
    live.remove([names[0]], [0])
    assert (live.n_items, live.shape) == (1, (1, 1))
    assert (other.n_items, other.shape) == (4, (3, 3))
    assert content(live.table()) == content(pw.contingency(names[1:2], [1]))
    assert content(other.table()) == content(
        pw.contingency([*names[:2], names[2], names[0]], [0, 1, 7, 1])
    )
    assert before.n_items == 2
    assert other.scores(MEASURES) == LiveTable(other.table()).scores(MEASURES)


def test_a_checkpoint_goes_on(tmp_path):
    rng = np.random.default_rng(1)
    live = LiveTable()
    a, b = rng.integers(0, 300, (2, 20000))
    live.insert(a, b)
    live.save(tmp_path / "live.npz")
    again = LiveTable.load(tmp_path / "live.npz")
    for one in (live, again):
        one.change(a[:500], b[:500], b[500:1000])
        one.remove(a[1000:1500], b[1000:1500])
    assert content(live.table()) == content(again.table())
    assert live.scores(MEASURES) == again.scores(MEASURES)
    b[:500] = b[500:1000]
    rest = np.r_[0:1000, 1500:20000]
    assert content(live.table()) == content(pw.contingency(a[rest], b[rest]))


def test_labels_near_2_to_the_64_and_counts_above_32_bits():
    big = np.array([2**64 - 1, 2**64 - 2], dtype=np.uint64)
    live = LiveTable(pw.Contingency.from_counts(big, [0, 1], [2**40, 2**35]))
    live.change(big, [0, 1], [1, 1])
    assert live.table().row_labels.tolist() == [2**64 - 2, 2**64 - 1]
    assert live.n_items == 2**40 + 2**35
    assert live.score("rand_index") == pw.rand_index(live.table())
    mixed = LiveTable()
    mixed.insert(np.array([5, 7]), [0, 0])
    mixed.insert(np.array([2**64 - 1, 7], dtype=np.uint64), [0, 1])
    mixed.insert([-3, 5], [1, 0])
    assert mixed.table().row_labels.tolist() == [-3, 5, 7, 2**64 - 1]
    assert mixed.table().to_scipy().toarray().tolist() == [[0, 1], [2, 0], [1, 1], [1, 0]]
    full = LiveTable(pw.Contingency.from_counts([0], [0], [2**57 - 1]))
    with pytest.raises(ValueError, match="fewer than 2\\^57"):
        full.insert([0], [0])


def test_times_of_several_units_are_one_label():
    days = np.array(["2020-01-01", "2020-01-02"], "M8[D]")
    live = LiveTable(pw.contingency(days, [0, 1]))
    for times in (days.astype("M8[ns]"), days.astype("M8[us]").tolist()):
        live.insert(times, [0, 1])
    assert (live.shape, live.n_items) == ((2, 2), 6)
    with pytest.raises(TypeError, match=r"are datetime .* those that arrive are integer"):
        live.insert(days.view(np.int64), [0, 1])
